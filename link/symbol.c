/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names: what each global symbol means. The rules are those of GNU ld: a strong
 * definition wins over a common symbol, that over a weak definition; equal
 * ranks: the first wins, but two strong definitions are an error.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking up ---- */

struct link_symbol *link_intern_symbol(struct linker *l, const char *name)
{
    const char *key = intern_z(l->names, name);
    void **slot = map_put(&l->symbols, key);

    if (!*slot) {
        struct link_symbol *s = arena_alloc(l->arena, sizeof *s);

        s->name = key;
        s->weak = true;
        *slot = s;
        *vec_push(l->mem, &l->order) = s;
    }
    return *slot;
}

struct link_symbol *link_find_symbol(const struct linker *l, const char *name)
{
    return map_get(&l->symbols, intern_z(l->names, name));
}

const char *link_symbol_name(const struct unit *u, uint32_t index)
{
    return u->object->symbols.item[index].name;
}

struct piece *link_symbol_piece(const struct unit *u, uint32_t index)
{
    const struct link_symbol *s = u->globals[index];

    if (s) {
        if (s->state != LINK_DEFINED)
            return NULL;
        u = s->unit;
        index = s->index;
    }
    int section = u->object->symbols.item[index].section;
    return section >= 0 ? &u->pieces[section] : NULL;
}

/* Address of a definition that stands in the unit's own symbol table. */
static uint64_t own_address(const struct unit *u, uint32_t index)
{
    const struct obj_symbol *s = &u->object->symbols.item[index];

    if (s->section == OBJ_ABS)
        return s->value;
    if (s->section < 0 || !u->pieces[s->section].out)
        return 0;
    const struct piece *p = &u->pieces[s->section];
    return p->out->address + link_piece_offset(p, s->value);
}

void link_settle_symbols(struct linker *l)
{
    for (size_t i = 0; i < l->order.count; i++) {
        struct link_symbol *s = l->order.item[i];
        const struct piece *p =
            s->state == LINK_DEFINED ? link_symbol_piece(s->unit, s->index) : NULL;

        s->address = link_global_address(s);
        s->lost = p && !p->out;
        s->settled = true;
    }
}

uint64_t link_global_address(const struct link_symbol *s)
{
    if (s->settled)
        return s->address;
    if (s->state == LINK_SPECIAL)
        return s->value;
    return s->state == LINK_DEFINED ? own_address(s->unit, s->index) : 0;
}

uint64_t link_symbol_address(const struct unit *u, uint32_t index)
{
    return u->globals[index] ? link_global_address(u->globals[index]) : own_address(u, index);
}

const char *link_place(struct linker *l, const struct unit *u, int section, uint64_t offset)
{
    const char *name = section >= 0            ? u->object->sections.item[section].name
                       : section == OBJ_COMMON ? "*COM*"
                                               : "*ABS*";

    return arena_printf(l->arena, "%s:(%s+0x%" PRIx64 ")", u->name, name, offset);
}

/* ---- places in the source ---- */

static int compare_lines(const void *a, const void *b)
{
    const struct obj_line *x = *(const struct obj_line *const *)a;
    const struct obj_line *y = *(const struct obj_line *const *)b;

    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void sort_lines(struct linker *l, struct unit *u)
{
    const struct object *o = u->object;

    u->lines = arena_array(l->arena, o->lines.count + 1, sizeof *u->lines);
    for (size_t i = 0; i < o->lines.count; i++)
        u->lines[i] = &o->lines.item[i];
    qsort(u->lines, o->lines.count, sizeof *u->lines, compare_lines);
}

/* The row that covers a place of an object, or NULL. */
static const struct obj_line *line_at(const struct unit *u, int section, uint64_t offset)
{
    size_t low = 0, high = u->object->lines.count;

    while (low < high) { /* the last row that is not behind the place */
        size_t mid = low + (high - low) / 2;
        const struct obj_line *row = u->lines[mid];

        if (row->section < section || (row->section == section && row->address <= offset))
            low = mid + 1;
        else
            high = mid;
    }
    const struct obj_line *row = low ? u->lines[low - 1] : NULL;
    return row && row->section == section && !row->end ? row : NULL;
}

void link_note_source(struct linker *l, struct unit *u, int section, uint64_t offset)
{
    const struct object *o = u->object;
    const struct obj_line *row;

    if (section < 0 || o->lines.count == 0 || o->line_files.count == 0)
        return;
    if (!u->lines)
        sort_lines(l, u);
    row = line_at(u, section, offset);
    if (row)
        diag_note(l->diag, nowhere, "%s:%u: the source of this place",
                  o->line_files.item[row->file], row->line);
}

static const char *definition_place(struct linker *l, const struct link_symbol *s)
{
    const struct obj_symbol *own = &s->unit->object->symbols.item[s->index];
    return link_place(l, s->unit, own->section, own->section == OBJ_COMMON ? 0 : own->value);
}

/* ---- entering ---- */

static void trace(struct linker *l, const struct link_symbol *s, const struct unit *u,
                  const char *what)
{
    if (s->traced && l->options->messages)
        buffer_printf(l->options->messages, "%s: %s %s\n", u->name, what, s->name);
}

/* The most constraining visibility wins (gABI: internal, hidden, protected, default). */
static void merge_visibility(struct link_symbol *s, uint8_t visibility)
{
    if (visibility != OBJ_DEFAULT && (s->visibility == OBJ_DEFAULT || visibility < s->visibility))
        s->visibility = visibility;
}

static void add_reference(struct linker *l, struct unit *u, struct link_symbol *s,
                          const struct obj_symbol *own)
{
    trace(l, s, u, "reference to");
    s->referenced = true;
    if (s->state != LINK_UNDEFINED)
        return;
    if (!s->unit)
        s->unit = u;
    if (own->bind != OBJ_WEAK)
        s->weak = false;
}

/* Order of precedence of definitions. */
enum rank { RANK_UNDEFINED, RANK_WEAK, RANK_COMMON, RANK_STRONG };

static enum rank rank_of(const struct link_symbol *s)
{
    switch (s->state) {
    case LINK_UNDEFINED:
        return RANK_UNDEFINED;
    case LINK_COMMON:
        return RANK_COMMON;
    case LINK_DEFINED:
        return s->weak ? RANK_WEAK : RANK_STRONG;
    case LINK_SPECIAL:
        break;
    }
    return RANK_STRONG;
}

static enum rank rank_of_definition(const struct obj_symbol *own)
{
    return own->section == OBJ_COMMON ? RANK_COMMON
           : own->bind == OBJ_WEAK    ? RANK_WEAK
                                      : RANK_STRONG;
}

static void take_definition(struct link_symbol *s, struct unit *u, uint32_t index)
{
    const struct obj_symbol *own = &u->object->symbols.item[index];

    s->state = own->section == OBJ_COMMON ? LINK_COMMON : LINK_DEFINED;
    s->weak = own->bind == OBJ_WEAK;
    s->type = own->type;
    s->unit = u;
    s->index = index;
    s->value = own->value;
    s->size = own->size;
}

static void merge_common(struct link_symbol *s, const struct obj_symbol *own)
{
    if (own->value > s->value)
        s->value = own->value;
    if (own->size > s->size)
        s->size = own->size;
}

static void add_definition(struct linker *l, struct unit *u, struct link_symbol *s, uint32_t index)
{
    const struct obj_symbol *own = &u->object->symbols.item[index];
    enum rank old = rank_of(s), new = rank_of_definition(own);

    trace(l, s, u, "definition of");
    if (new > old) {
        take_definition(s, u, index);
    } else if (old == RANK_COMMON && new == RANK_COMMON) {
        merge_common(s, own);
    } else if (old == RANK_STRONG && new == RANK_STRONG && !s->assigned &&
               !l->options->allow_multiple) {
        diag_report(l->diag, DIAG_DUPLICATE_SYMBOL, nowhere, "%s: duplicate definition of '%s'",
                    link_place(l, u, own->section, own->value), s->name);
        link_note_source(l, u, own->section, own->value);
        diag_note(l->diag, nowhere, "%s: first definition", definition_place(l, s));
        own = &s->unit->object->symbols.item[s->index];
        link_note_source(l, s->unit, own->section, own->value);
    }
}

static bool is_listed(const char *const *list, const char *name)
{
    for (; list && *list; list++)
        if (!strcmp(*list, name))
            return true;
    return false;
}

/* --wrap=f: references to f go to __wrap_f, those to __real_f go to f. */
static const char *wrapped_name(struct linker *l, const char *name)
{
    static const char real[] = "__real_";

    if (is_listed(l->options->wraps, name))
        return arena_printf(l->arena, "__wrap_%s", name);
    if (!strncmp(name, real, strlen(real)) && is_listed(l->options->wraps, name + strlen(real)))
        return name + strlen(real);
    return name;
}

void link_add_symbols(struct linker *l, struct unit *u)
{
    for (uint32_t i = 0; i < u->object->symbols.count; i++) {
        const struct obj_symbol *own = &u->object->symbols.item[i];
        /* What a discarded copy of a group defines is defined by the copy that was kept. */
        bool undefined = own->section == OBJ_UNDEF ||
                         (own->section >= 0 && u->pieces[own->section].discard == DISCARD_GROUP);

        if (own->bind == OBJ_LOCAL)
            continue;
        struct link_symbol *s =
            link_intern_symbol(l, undefined ? wrapped_name(l, own->name) : own->name);
        u->globals[i] = s;
        merge_visibility(s, own->visibility);
        if (undefined)
            add_reference(l, u, s, own);
        else
            add_definition(l, u, s, i);
    }
}

/* ---- common symbols ---- */

/* Each becomes a section of one made object, so that later passes know no common symbols. */
void link_allocate_commons(struct linker *l)
{
    struct unit *u = NULL;
    size_t count = l->order.count;
    struct object *o = NULL;

    for (size_t i = 0; i < count; i++) {
        struct link_symbol *s = l->order.item[i];

        if (s->state != LINK_COMMON)
            continue;
        if (!o) {
            u = link_new_unit(l, "COMMON");
            u->owned = u->made = true;
            o = u->object = obj_create(l->mem, OBJ_RELOCATABLE);
        }
        *vec_push(l->mem, &o->sections) = (struct obj_section){.name = LINK_COMMON_SECTION,
                                                               .type = OBJ_NOBITS,
                                                               .flags = OBJ_ALLOC | OBJ_WRITE,
                                                               .align = s->value,
                                                               .size = s->size};
        *vec_push(l->mem, &o->symbols) = (struct obj_symbol){.name = s->name,
                                                             .size = s->size,
                                                             .section = (int)o->sections.count - 1,
                                                             .bind = OBJ_GLOBAL,
                                                             .type = OBJ_DATA};
        s->state = LINK_DEFINED;
        s->type = OBJ_DATA;
        s->unit = u;
        s->index = (uint32_t)o->symbols.count - 1;
    }
    if (!u)
        return;
    link_prepare_unit(l, u);
    for (size_t i = 0; i < o->symbols.count; i++)
        u->globals[i] = link_find_symbol(l, o->symbols.item[i].name);
}

/* ---- undefined symbols ---- */

enum { USES_SHOWN = 3 };

struct uses {
    size_t count;
    struct use {
        struct unit *unit;
        int section;
        uint64_t offset;
    } shown[USES_SHOWN];
};

static bool is_missing(const struct link_symbol *s)
{
    return s && s->state == LINK_UNDEFINED && !s->weak && !s->assigned;
}

static void count_uses(struct linker *l, struct unit *u)
{
    const struct object *o = u->object;

    for (size_t i = 0; i < o->sections.count; i++) {
        const struct obj_section *s = &o->sections.item[i];

        for (size_t r = 0; u->pieces[i].live && r < s->relocs.count; r++) {
            const struct link_symbol *symbol = u->globals[s->relocs.item[r].symbol];

            if (!is_missing(symbol))
                continue;
            void **slot = map_put(&l->uses, symbol);
            if (!*slot)
                *slot = arena_alloc(l->arena, sizeof(struct uses));
            struct uses *found = *slot;
            if (found->count < USES_SHOWN)
                found->shown[found->count] = (struct use){u, (int)i, s->relocs.item[r].offset};
            found->count++;
        }
    }
}

static const char *use_place(struct linker *l, const struct use *use)
{
    return link_place(l, use->unit, use->section, use->offset);
}

static void note_use(struct linker *l, const struct use *use)
{
    link_note_source(l, use->unit, use->section, use->offset);
}

static bool any_missing(const struct linker *l)
{
    for (size_t i = 0; i < l->order.count; i++)
        if (is_missing(l->order.item[i]))
            return true;
    return false;
}

void link_report_undefined(struct linker *l)
{
    if (!any_missing(l))
        return;
    for (size_t i = 0; i < l->units.count; i++)
        count_uses(l, l->units.item[i]);
    for (size_t i = 0; i < l->order.count; i++) {
        const struct uses *uses = map_get(&l->uses, l->order.item[i]);

        if (!uses)
            continue;
        diag_report(l->diag, DIAG_UNDEFINED_SYMBOL, nowhere, "%s: undefined symbol '%s'",
                    use_place(l, &uses->shown[0]), l->order.item[i]->name);
        note_use(l, &uses->shown[0]);
        for (size_t u = 1; u < uses->count && u < USES_SHOWN; u++) {
            diag_note(l->diag, nowhere, "%s: also used here", use_place(l, &uses->shown[u]));
            note_use(l, &uses->shown[u]);
        }
        if (uses->count > USES_SHOWN)
            diag_note(l->diag, nowhere, "and %zu more uses", uses->count - USES_SHOWN);
    }
}
