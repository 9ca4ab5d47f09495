/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Input sections to output sections. By a script, or: `.text.f` goes into `.text` and so on, other
 * names keep their own section, in the order code, read-only data, data, zero data, and what is not
 * loaded; within these the order of the inputs.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct out_section *link_find_section(const struct linker *l, const char *name)
{
    return map_get(&l->sections_by_name, intern_z(l->names, name));
}

const char *link_output_name(const struct linker *l, const char *name)
{
    static const char *const families[] = {".text",  ".rodata",     ".data",
                                           ".bss",   ".init_array", ".fini_array",
                                           ".ctors", ".dtors",      ".preinit_array"};

    if (l->options->relocatable)
        return name;
    if (!strcmp(name, LINK_COMMON_SECTION))
        return ".bss";
    for (size_t i = 0; !l->script.has_sections && i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);

        if (!strncmp(name, families[i], length) && name[length] == '.')
            return families[i];
    }
    return name;
}

/* Sections that carry no program: made anew (notes, line tables), or remarks to the linker. */
bool link_is_dropped(const struct unit *u, const struct obj_section *s)
{
    if (u->made)
        return false;
    return s->generated || !strcmp(s->name, ".note.GNU-stack") ||
           !strcmp(s->name, ".note.gnu.build-id") || !strcmp(s->name, ".note.gnu.property");
}

static const struct obj_section *content(const struct piece *p)
{
    return &p->unit->object->sections.item[p->section];
}

uint64_t link_piece_align(const struct piece *p)
{
    return content(p)->align;
}

/* ---- output sections ---- */

static struct out_section *new_section(struct linker *l, const char *name, uint32_t type,
                                       uint64_t entsize)
{
    struct out_section *made = arena_alloc(l->arena, sizeof *made);

    *made = (struct out_section){
        .name = name, .type = type, .align = 1, .entsize = entsize, .index = -1};
    *vec_push(l->mem, &l->sections) = made;
    return made;
}

/* In an object, members of groups and sections that follow another one stay by themselves. */
static bool stands_alone(const struct linker *l, const struct piece *p)
{
    return l->options->relocatable && (p->group || (content(p)->flags & OBJ_LINK_ORDER));
}

static struct out_section *section_for(struct linker *l, const struct piece *p)
{
    const struct obj_section *in = content(p);
    const char *name = intern_z(l->names, link_output_name(l, in->name));

    if (stands_alone(l, p))
        return new_section(l, name, in->type, in->entsize);
    void **slot = map_put(&l->sections_by_name, name);
    if (!*slot)
        *slot = new_section(l, name, in->type, in->entsize);
    return *slot;
}

/* Only these say what the memory is; equal strings are merged already. */
static const uint64_t memory_flags = OBJ_WRITE | OBJ_ALLOC | OBJ_EXEC;

/* The last piece of the section, with its flags and type. */
static void join(struct linker *l, struct out_section *out, struct piece *p)
{
    const struct obj_section *in = content(p);

    *vec_push(l->mem, &out->pieces) = p;
    out->flags |= l->options->relocatable ? in->flags : in->flags & memory_flags;
    if (out->type == OBJ_NOBITS)
        out->type = in->type;
    if (in->align > out->align)
        out->align = in->align;
    if (out->entsize != in->entsize)
        out->entsize = 0;
    p->out = out;
    link_add_merged(l, p, out);
}

/* ---- offsets ---- */

/* The largest section with contents: no program of this machine comes near, and a mistyped
 * alignment should not fill the disk. */
static const uint64_t largest_contents = UINT64_C(1) << 32;

static void check_contents(struct linker *l, const struct out_section *out)
{
    if (out->type != OBJ_NOBITS && out->size > largest_contents)
        diag_report(l->diag, DIAG_NO_ROOM, nowhere,
                    "%s: 0x%" PRIx64 " bytes of contents; at most 0x%" PRIx64 " are supported",
                    out->name, out->size, largest_contents);
}

static bool assign_offset(struct linker *l, struct out_section *out, struct piece *p)
{
    uint64_t align = link_piece_align(p), offset = (out->size + align - 1) & -align;

    if (offset < out->size || offset + p->size < offset) {
        diag_report(l->diag, DIAG_NO_ROOM, nowhere,
                    "%s: 0x%" PRIx64 " bytes aligned to 0x%" PRIx64 " do not fit behind 0x%" PRIx64
                    " bytes of %s",
                    link_place(l, p->unit, (int)p->section, 0), p->size, align, out->size,
                    out->name);
        return false;
    }
    p->offset = offset;
    out->size = offset + p->size;
    return true;
}

static void assign_offsets(struct linker *l, struct out_section *out)
{
    for (size_t i = 0; i < out->pieces.count; i++)
        if (!assign_offset(l, out, out->pieces.item[i]))
            return;
    check_contents(l, out);
}

/* ---- order of inputs within a section ---- */

/* .init_array.5 before .init_array.10 before .init_array. */
static int compare_priorities(const void *a, const void *b)
{
    const struct piece *x = *(struct piece *const *)a, *y = *(struct piece *const *)b;
    unsigned first = link_init_priority(content(x)->name);
    unsigned second = link_init_priority(content(y)->name);

    if (first != second)
        return first < second ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void order_initializers(struct linker *l)
{
    static const char *const names[] = {".preinit_array", ".init_array", ".fini_array"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct out_section *s = link_find_section(l, names[i]);

        if (!s || l->script.has_sections)
            continue;
        for (size_t k = 0; k < s->pieces.count; k++)
            s->pieces.item[k]->number = (uint32_t)k;
        qsort(s->pieces.item, s->pieces.count, sizeof *s->pieces.item, compare_priorities);
    }
}

/* Where the section that a piece follows stands: its output section's place, then its own. */
static uint64_t linked_rank(const struct piece *p)
{
    const struct piece *to = &p->unit->pieces[content(p)->link];

    if (!(content(p)->flags & OBJ_LINK_ORDER) || !to->out)
        return 0;
    return (uint64_t)to->out->order << 32 | to->number;
}

static int compare_linked(const void *a, const void *b)
{
    const struct piece *x = *(struct piece *const *)a, *y = *(struct piece *const *)b;
    uint64_t first = linked_rank(x), second = linked_rank(y);

    if (first != second)
        return first < second ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool has_linked(const struct out_section *s)
{
    for (size_t i = 0; i < s->pieces.count; i++)
        if (content(s->pieces.item[i])->flags & OBJ_LINK_ORDER)
            return true;
    return false;
}

static void number_pieces(const struct linker *l)
{
    for (size_t i = 0; i < l->sections.count; i++) {
        struct out_section *s = l->sections.item[i];

        s->order = (uint32_t)i;
        for (size_t k = 0; k < s->pieces.count; k++)
            s->pieces.item[k]->number = (uint32_t)k;
    }
}

/* With a script, within what one pattern names. */
static void order_rules(struct out_section *out)
{
    size_t at = 0;

    for (struct statement *s = out->rule->body.first; s; s = s->next) {
        if (s->kind != STATEMENT_INPUT || !s->input->npieces)
            continue;
        qsort(s->input->pieces, s->input->npieces, sizeof *s->input->pieces, compare_linked);
        memcpy(out->pieces.item + at, s->input->pieces,
               s->input->npieces * sizeof *s->input->pieces);
        at += s->input->npieces;
    }
}

/* SHF_LINK_ORDER: in the order of the sections that they follow (gABI, section flags). */
static void order_linked(struct linker *l)
{
    bool any = false;

    for (size_t i = 0; i < l->sections.count && !any; i++)
        any = has_linked(l->sections.item[i]);
    if (!any)
        return;
    number_pieces(l);
    for (size_t i = 0; i < l->sections.count; i++) {
        struct out_section *s = l->sections.item[i];

        if (!has_linked(s))
            continue;
        if (s->rule)
            order_rules(s);
        else
            qsort(s->pieces.item, s->pieces.count, sizeof *s->pieces.item, compare_linked);
    }
}

/* ---- order of sections ---- */

static enum link_class class_of(const char *name, uint64_t flags, bool nobits, bool note)
{
    if (!(flags & OBJ_ALLOC))
        return CLASS_UNLOADED;
    if (flags & OBJ_EXEC)
        return strncmp(name, ".seq", strlen(".seq")) ? CLASS_CODE : CLASS_SEQ;
    if (flags & OBJ_WRITE)
        return nobits ? CLASS_BSS : CLASS_DATA;
    return note ? CLASS_NOTE : CLASS_RODATA;
}

/* A stable sort by class, and in it the section that names the class first. */
static void order_sections(struct linker *l)
{
    struct out_section **from = l->sections.item;
    size_t n = l->sections.count, at = 0;
    struct out_section **sorted = arena_array(l->arena, n + 1, sizeof *sorted);

    for (int class = CLASS_CODE; class < LINK_CLASSES; class ++)
        for (int other = 0; other < 2; other++)
            for (size_t i = 0; i < n; i++) {
                const struct out_section *s = from[i];

                if ((int)class_of(s->name, s->flags, s->type == OBJ_NOBITS, s->type == OBJ_NOTE) ==
                        class
                    && other == !!strcmp(s->name, ".text"))
                    sorted[at++] = from[i];
            }
    if (n)
        memcpy(from, sorted, n * sizeof *sorted);
}

/* ---- sections that a script does not mention ---- */

static struct section_rule *named_rule(const struct linker *l, const char *name)
{
    for (struct section_rule *s = l->script.sections; s; s = s->next)
        if (s->name == name && !s->discard)
            return s;
    return NULL;
}

/* The last statement of each class. */
static void find_ends(struct linker *l)
{
    for (struct statement *s = l->script.statements.first; s; s = s->next) {
        const struct section_rule *rule = s->kind == STATEMENT_SECTION ? s->section : NULL;

        if (rule && rule->flags)
            l->behind[class_of(rule->name, rule->flags, !rule->has_contents, false)] = s;
    }
}

static struct statement *place_behind(struct linker *l, enum link_class class)
{
    static const uint8_t next_best[LINK_CLASSES] = {
        [CLASS_CODE] = CLASS_CODE,        [CLASS_SEQ] = CLASS_CODE,    [CLASS_NOTE] = CLASS_RODATA,
        [CLASS_RODATA] = CLASS_SEQ,       [CLASS_DATA] = CLASS_RODATA, [CLASS_BSS] = CLASS_DATA,
        [CLASS_UNLOADED] = CLASS_UNLOADED};

    for (enum link_class c = class;; c = next_best[c]) {
        if (l->behind[c])
            return l->behind[c];
        if (next_best[c] == c)
            return class == CLASS_UNLOADED ? l->script.statements.last : NULL;
    }
}

struct section_rule *link_orphan_section(struct linker *l, const struct piece *p, const char *name)
{
    const struct obj_section *in = content(p);
    struct section_rule *rule = named_rule(l, name);
    enum link_class class = class_of(name, in->flags, in->type == OBJ_NOBITS, in->type == OBJ_NOTE);
    struct statement *s, *before;

    if (rule)
        return rule;
    if (!l->ends_found)
        find_ends(l);
    l->ends_found = true;
    rule = arena_alloc(l->arena, sizeof *rule);
    rule->name = name;
    s = arena_alloc(l->arena, sizeof *s);
    s->kind = STATEMENT_SECTION;
    s->section = rule;
    before = place_behind(l, class);
    if (!before)
        before = l->script.statements.last;
    if (before && before->kind == STATEMENT_SECTION && (in->flags & OBJ_ALLOC)) {
        rule->region = before->section->region;
        rule->load_region = before->section->load_region;
    }
    s->next = before ? before->next : NULL;
    if (before)
        before->next = s;
    else
        l->script.statements.first = s;
    if (before == l->script.statements.last)
        l->script.statements.last = s;
    l->behind[class] = s;
    rule->next = l->script.sections;
    l->script.sections = rule;
    return rule;
}

/* ---- merging ---- */

static void note_symbols(const struct unit *u)
{
    for (size_t i = 0; i < u->object->symbols.count; i++) {
        const struct obj_symbol *s = &u->object->symbols.item[i];

        if (s->section < 0 || s->type == OBJ_SECTION_SYMBOL || !u->pieces[s->section].out)
            continue;
        u->pieces[s->section].in_use = true;
        u->pieces[s->section].out->has_symbols = true;
    }
}

/* The notes of the identity and the place of the build id are sections like others. */
static struct unit *own_unit(struct linker *l)
{
    struct unit *u = link_new_unit(l, "the linker");
    struct object *o;

    u->owned = u->made = true;
    o = u->object = obj_create(l->mem, OBJ_RELOCATABLE);
    o->identity = l->identity;
    obj_add_notes(o);
    if (l->options->build_id)
        link_reserve_build_id(l, o);
    link_prepare_unit(l, u);
    return u;
}

static void join_units(struct linker *l)
{
    for (size_t i = 0; i < l->units.count; i++) {
        struct unit *u = l->units.item[i];

        for (size_t s = 0; s < u->object->sections.count; s++)
            if (u->pieces[s].live && !link_is_dropped(u, &u->object->sections.item[s]))
                join(l, section_for(l, &u->pieces[s]), &u->pieces[s]);
    }
}

static void join_rule(struct linker *l, struct section_rule *rule)
{
    struct out_section *out = new_section(l, rule->name, OBJ_NOBITS, 0);

    out->rule = rule;
    rule->out = out;
    *map_put(&l->sections_by_name, rule->name) = out;
    for (const struct statement *s = rule->body.first; s; s = s->next)
        for (size_t i = 0; s->kind == STATEMENT_INPUT && i < s->input->npieces; i++)
            join(l, out, s->input->pieces[i]);
}

static void join_by_script(struct linker *l)
{
    script_collect(l);
    for (struct statement *s = l->script.statements.first; s; s = s->next)
        if (s->kind == STATEMENT_SECTION && !s->section->discard)
            join_rule(l, s->section);
}

void link_match(struct linker *l)
{
    for (size_t i = 0; l->script.has_sections && i < l->units.count; i++)
        script_match_unit(l, l->units.item[i]);
}

void link_merge(struct linker *l)
{
    struct unit *own = l->options->relocatable ? NULL : own_unit(l);

    if (l->script.has_sections) {
        script_match_unit(l, own);
        join_by_script(l);
    } else {
        join_units(l);
        if (own)
            order_sections(l);
    }
    order_initializers(l);
    order_linked(l);
    link_finish_merged(l);
    for (size_t i = 0; i < l->units.count; i++)
        note_symbols(l->units.item[i]);
    for (size_t i = 0; !l->script.has_sections && i < l->sections.count; i++)
        assign_offsets(l, l->sections.item[i]);
}
