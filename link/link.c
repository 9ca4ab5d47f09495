/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The linker as a list of passes. Passes report and go on; where a later pass
 * relies on an earlier one being free of errors there is a checkpoint, so that
 * one run shows all errors of a kind.
 */
#include "link/linker.h"

#include <string.h>

/* False: errors were reported since `before`; stop here. */
static bool checkpoint(const struct linker *l, unsigned before)
{
    return diag_errors(l->diag) == before;
}

static bool link_object(struct linker *l, unsigned errors)
{
    /* Which objects take part, and what every global name means. All inputs are known from here
     * on. */
    link_load(l);
    link_merge_identities(l);
    if (!checkpoint(l, errors))
        return false;
    link_override(l);
    link_merge(l);    /* no new sections; offsets in sections are final */
    script_define(l); /* --defsym has values, in sections that begin at 0 */
    if (!checkpoint(l, errors))
        return false;
    link_emit(l);
    return checkpoint(l, errors);
}

static bool link_executable(struct linker *l, unsigned errors)
{
    /* Which objects take part, and what every global name means. All inputs are known from here
     * on. */
    link_load(l);
    link_merge_identities(l);
    if (!checkpoint(l, errors))
        return false;

    /* Common symbols get memory, linker-defined symbols get a meaning: what is undefined now
     * stays so. */
    link_allocate_commons(l);
    link_declare_specials(l);
    link_match(l); /* what the script keeps and discards is known */

    /* Dead sections go before undefined symbols are reported: what nobody reaches may refer to
     * anything. */
    link_gc(l);
    link_report_undefined(l);
    if (!checkpoint(l, errors))
        return false;

    link_merge(l); /* no new sections; offsets in sections are final */
    if (!checkpoint(l, errors))
        return false;
    link_layout(l); /* addresses are final, every symbol has its value */
    if (!checkpoint(l, errors))
        return false;

    link_relocate(l); /* contents are final */
    if (!checkpoint(l, errors))
        return false;

    link_emit(l);
    link_add_build_id(l); /* last: it covers everything */
    if (l->options->map)
        link_write_map(l);
    if (l->options->print_memory_usage && l->options->messages)
        link_write_memory_usage(l, l->options->messages);
    return checkpoint(l, errors);
}

/* Everything that may run out of memory; the caller owns the job and frees it. */
static bool run(struct linker *l)
{
    struct mem *m = l->mem;
    jmp_buf here, *outer = m->on_exhausted;
    unsigned errors = diag_errors(l->diag);
    bool ok;

    m->on_exhausted = &here;
    if (setjmp(here)) {
        m->on_exhausted = outer;
        diag_report(l->diag, DIAG_OUT_OF_MEMORY, (struct loc){0}, "memory is exhausted");
        return false;
    }
    l->arena = arena_create(m);
    l->names = intern_create(m);
    l->entries = intern_create(m);
    l->out = obj_create(m, l->options->relocatable ? OBJ_RELOCATABLE : OBJ_EXECUTABLE);
    ok = l->options->relocatable ? link_object(l, errors) : link_executable(l, errors);
    m->on_exhausted = outer;
    return ok;
}

static void destroy(struct linker *l)
{
    struct mem *m = l->mem;

    for (size_t i = 0; i < l->units.count; i++)
        if (l->units.item[i]->owned)
            obj_destroy(l->units.item[i]->object);
    for (size_t i = 0; i < l->libraries.count; i++)
        obj_archive_close(l->libraries.item[i]->archive);
    for (size_t i = 0; i < l->sections.count; i++)
        vec_free(m, &l->sections.item[i]->pieces);
    vec_free(m, &l->units);
    vec_free(m, &l->libraries);
    vec_free(m, &l->sections);
    vec_free(m, &l->specials);
    vec_free(m, &l->order);
    vec_free(m, &l->pending);
    vec_free(m, &l->script_inputs);
    vec_free(m, &l->script_dirs);
    link_free_merged(l);
    map_free(&l->section_names);
    map_free(&l->groups);
    map_free(&l->candidates);
    map_free(&l->orphans);
    map_free(&l->uses);
    map_free(&l->sections_by_name);
    map_free(&l->files);
    buffer_free(&l->text);
    map_free(&l->symbols);
    intern_destroy(l->names);
    intern_destroy(l->entries);
    arena_destroy(l->arena);
}

struct object *link_run(struct mem *m, struct diag *diag, const struct link_options *options)
{
    struct linker l = {.mem = m, .diag = diag, .options = options};

    map_init(&l.symbols, m);
    map_init(&l.uses, m);
    map_init(&l.sections_by_name, m);
    map_init(&l.files, m);
    map_init(&l.section_names, m);
    map_init(&l.groups, m);
    map_init(&l.candidates, m);
    map_init(&l.orphans, m);
    buffer_init(&l.text, m);
    bool ok = run(&l);
    struct object *out = l.out;
    diag_flush(diag);
    destroy(&l);
    if (!ok) {
        obj_destroy(out);
        return NULL;
    }
    return out;
}
