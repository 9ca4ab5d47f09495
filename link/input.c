/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inputs: files, libraries, archive members. An archive is searched where it
 * stands for what is undefined then; within --start-group the archives are
 * searched again until nothing new comes (the rules of GNU ld).
 */
#include "link/linker.h"

#include <string.h>
#include <unistd.h>

/* ---- units ---- */

struct unit *link_new_unit(struct linker *l, const char *name)
{
    struct unit *u = arena_alloc(l->arena, sizeof *u);

    u->name = name;
    *vec_push(l->mem, &l->units) = u;
    return u;
}

void link_prepare_unit(struct linker *l, struct unit *u)
{
    const struct object *o = u->object;

    u->globals = arena_array(l->arena, o->symbols.count + 1, sizeof *u->globals);
    u->out_symbols = arena_array(l->arena, o->symbols.count + 1, sizeof *u->out_symbols);
    u->pieces = arena_array(l->arena, o->sections.count + 1, sizeof *u->pieces);
    for (uint32_t i = 0; i < o->sections.count; i++)
        u->pieces[i] =
            (struct piece){.unit = u, .section = i, .size = o->sections.item[i].size, .live = true};
}

/* Takes part in the link from here on. `object` NULL: it could not be read, which was reported. */
static void enter(struct linker *l, struct unit *u, struct object *object)
{
    u->object = object;
    if (!object) {
        l->units.count--; /* u is the newest */
        return;
    }
    if (l->options->trace && l->options->messages)
        buffer_printf(l->options->messages, "%s\n", u->name);
    if (object->kind == OBJ_EXECUTABLE) {
        diag_report_file(l->diag, DIAG_LINK_INPUT, u->name,
                         "an executable cannot be linked again; use the objects it was made of");
    }
    link_prepare_unit(l, u);
    link_enter_groups(l, u);
    link_add_symbols(l, u);
}

static void load_object(struct linker *l, const char *name, const uint8_t *bytes, size_t size)
{
    struct unit *u = link_new_unit(l, name);

    u->owned = true;
    enter(l, u, obj_read_elf(l->mem, l->diag, name, bytes, size));
}

/* `s`: the symbol that the member defines and somebody needs; NULL: --whole-archive. */
static void load_member(struct linker *l, struct library *lib, size_t index,
                        const struct link_symbol *s)
{
    if (lib->loaded[index])
        return;
    lib->loaded[index] = true;
    struct object *o = obj_archive_member(lib->archive, index);
    if (!o)
        return;
    struct unit *u = link_new_unit(l, o->name);
    u->archive = lib->name;
    u->member = obj_archive_member_name(lib->archive, index);
    u->wanted_for = s ? s->name : NULL;
    u->wanted_by = s && s->unit ? s->unit->name : NULL;
    enter(l, u, o);
}

/* ---- archives ---- */

static bool needs_definition(const struct link_symbol *s)
{
    return s->state == LINK_UNDEFINED && !s->assigned && ((s->referenced && !s->weak) || s->wanted);
}

/* Loads the members that define what is undefined; their own needs join the list being walked.
 * True: something was loaded. */
static bool search_library(struct linker *l, struct library *lib)
{
    size_t before = l->units.count;

    for (size_t i = 0; i < l->order.count; i++) {
        const struct link_symbol *s = l->order.item[i];
        long member = needs_definition(s) ? obj_archive_find(lib->archive, s->name) : -1;

        if (member >= 0)
            load_member(l, lib, (size_t)member, s);
    }
    return l->units.count > before;
}

/* ---- the list of inputs ---- */

struct loading {
    bool whole;        /* --whole-archive is on */
    bool in_group;     /* --start-group is open */
    size_t group_from; /* its first library */
};

static void load_archive(struct linker *l, const struct loading *state, const char *name,
                         const uint8_t *bytes, size_t size)
{
    struct library *lib = arena_alloc(l->arena, sizeof *lib);

    *vec_push(l->mem, &l->libraries) = lib;
    lib->name = name;
    lib->archive = obj_archive_open(l->mem, l->diag, name, bytes, size);
    if (!lib->archive) {
        l->libraries.count--;
        return;
    }
    size_t count = obj_archive_count(lib->archive);
    lib->loaded = arena_array(l->arena, count + 1, sizeof *lib->loaded);
    for (size_t i = 0; state->whole && i < count; i++)
        load_member(l, lib, i, NULL);
    if (!state->whole)
        search_library(l, lib);
}

static void load_bytes(struct linker *l, const struct loading *state, const char *name,
                       const uint8_t *bytes, size_t size)
{
    if (obj_is_archive(bytes, size))
        load_archive(l, state, name, bytes, size);
    else
        load_object(l, name, bytes, size);
}

static void load_file(struct linker *l, const struct loading *state, const char *name)
{
    const char *error;
    size_t size;
    const char *bytes = file_read(l->arena, name, &size, &error);

    if (bytes)
        load_bytes(l, state, name, (const uint8_t *)bytes, size);
    else
        diag_report_file(l->diag, DIAG_CANNOT_READ, name, "cannot read: %s", error);
}

/* The file in a directory, or NULL when it is not there. */
static const char *file_in(struct linker *l, const char *dir, const char *file)
{
    const char *path = arena_printf(l->arena, "%s/%s", dir, file);

    return access(path, F_OK) == 0 ? path : NULL;
}

/* -lNAME: libNAME.a; -l:NAME: NAME itself; in the directories of -L, then of SEARCH_DIR. */
static void load_library(struct linker *l, const struct loading *state, const char *name)
{
    const char *const *dir = l->options->library_dirs;
    const char *file = name[0] == ':' ? name + 1 : arena_printf(l->arena, "lib%s.a", name);
    const char *path = NULL;

    for (; dir && *dir && !path; dir++)
        path = file_in(l, *dir, file);
    for (size_t i = 0; i < l->script_dirs.count && !path; i++)
        path = file_in(l, l->script_dirs.item[i], file);
    if (path) {
        load_file(l, state, path);
        return;
    }
    diag_report(l->diag, DIAG_LIBRARY_NOT_FOUND, nowhere, "cannot find -l%s: no %s in %s", name,
                file,
                l->options->library_dirs && *l->options->library_dirs
                    ? "the directories of -L"
                    : "any directory, as no -L was given");
}

static void search_group(struct linker *l, size_t from)
{
    bool progress;

    do {
        progress = false;
        for (size_t i = from; i < l->libraries.count; i++)
            progress |= search_library(l, l->libraries.item[i]);
    } while (progress);
}

static void load_input(struct linker *l, struct loading *state, const struct link_input *in)
{
    switch ((enum link_input_kind)in->kind) {
    case LINK_FILE:
        if (in->bytes)
            load_bytes(l, state, in->name, in->bytes, in->size);
        else
            load_file(l, state, in->name);
        break;
    case LINK_LIBRARY:
        load_library(l, state, in->name);
        break;
    case LINK_GROUP_BEGIN:
        state->in_group = true;
        state->group_from = l->libraries.count;
        break;
    case LINK_GROUP_END:
        if (state->in_group)
            search_group(l, state->group_from);
        state->in_group = false;
        break;
    case LINK_WHOLE_BEGIN:
        state->whole = true;
        break;
    case LINK_WHOLE_END:
        state->whole = false;
        break;
    }
}

static void want(struct linker *l, const char *name)
{
    uint64_t number;

    if (!link_parse_number(name, &number))
        link_intern_symbol(l, name)->wanted = true;
}

/* What the command line says about symbols, before the first file. */
static void enter_options(struct linker *l)
{
    const struct link_options *o = l->options;
    const char *const *name;

    for (name = o->trace_symbols; name && *name; name++)
        link_intern_symbol(l, *name)->traced = true;
    for (name = o->undefined; name && *name; name++)
        want(l, *name);
    script_read(l);
    l->entry = o->entry ? o->entry : l->script.entry;
    for (const struct name_node *n = l->script.externs.first; n; n = n->next)
        want(l, n->name);
    if (!o->relocatable)
        want(l, l->entry ? l->entry : "_start");
    link_declare_assigned(l);
}

void link_load(struct linker *l)
{
    struct loading state = {0};

    enter_options(l);
    for (size_t i = 0; i < l->options->ninputs; i++)
        load_input(l, &state, &l->options->inputs[i]);
    for (size_t i = 0; i < l->script_inputs.count; i++)
        load_input(l, &state, &l->script_inputs.item[i]);
    if (l->options->ninputs == 0 && l->script_inputs.count == 0)
        diag_report(l->diag, DIAG_LINK_INPUT, nowhere, "no input files");
}
