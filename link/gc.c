/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --gc-sections: a section lives when something that runs can reach it. Roots
 * are the entry, -u, --defsym, KEEP-like sections, and SEQ streams, which
 * engines enter by their section and not by a symbol.
 */
#include "link/linker.h"

#include <string.h>

static const struct obj_section *content(const struct piece *p)
{
    return &p->unit->object->sections.item[p->section];
}

static void mark(struct linker *l, struct piece *p)
{
    if (!p || p->live || p->discard)
        return;
    p->live = true;
    *vec_push(l->mem, &l->pending) = p;
}

/* Groups live as a whole, and what follows a section (SHF_LINK_ORDER) lives with it. */
static void mark_company(struct linker *l, const struct piece *p)
{
    const struct obj_group *g = p->group ? &p->unit->object->groups.item[p->group - 1] : NULL;

    for (size_t i = 0; g && i < g->count; i++)
        mark(l, &p->unit->pieces[g->members[i]]);
    for (struct piece *d = p->dependents; d; d = d->next_dependent)
        mark(l, d);
}

static void find_dependents(struct unit *u)
{
    for (size_t i = 0; i < u->object->sections.count; i++) {
        const struct obj_section *s = &u->object->sections.item[i];

        if (!(s->flags & OBJ_LINK_ORDER))
            continue;
        u->pieces[i].next_dependent = u->pieces[s->link].dependents;
        u->pieces[s->link].dependents = &u->pieces[i];
    }
}

static void mark_symbol(struct linker *l, const struct link_symbol *s)
{
    if (s && s->state == LINK_DEFINED)
        mark(l, link_symbol_piece(s->unit, s->index));
    if (s && s->state == LINK_SPECIAL && s->below == LINK_DEFINED) { /* the script may ask for it */
        int section = s->unit->object->symbols.item[s->index].section;

        mark(l, section >= 0 ? &s->unit->pieces[section] : NULL);
    }
}

/* All pieces of a section that __start_NAME or __stop_NAME bounds. */
static void mark_bounded(struct linker *l, const struct link_symbol *symbol)
{
    const char *name = NULL;

    for (size_t i = 0; i < l->specials.count; i++)
        if (l->specials.item[i].symbol == symbol)
            name = l->specials.item[i].section;
    for (size_t i = 0; name && i < l->units.count; i++) {
        struct unit *u = l->units.item[i];

        for (size_t s = 0; s < u->object->sections.count; s++)
            if (!strcmp(u->object->sections.item[s].name, name))
                mark(l, &u->pieces[s]);
    }
}

static bool is_root(const struct obj_section *s)
{
    return s->type == OBJ_NOTE || s->type == OBJ_INIT_ARRAY || s->type == OBJ_FINI_ARRAY ||
           s->type == OBJ_PREINIT_ARRAY || (s->flags & OBJ_GNU_RETAIN) ||
           !strcmp(s->name, ".init") || !strcmp(s->name, ".fini") ||
           !strncmp(s->name, ".seq", strlen(".seq"));
}

/* Sections that are not loaded stay, but keep nothing alive. */
static void mark_roots(struct linker *l)
{
    bool entered = false;

    for (size_t i = 0; i < l->order.count; i++) {
        struct link_symbol *s = l->order.item[i];

        if (s->wanted)
            mark_symbol(l, s);
    }
    entered = l->pending.count > 0;
    for (size_t i = 0; i < l->units.count; i++) {
        struct unit *u = l->units.item[i];

        for (size_t k = 0; k < u->object->sections.count; k++) {
            const struct obj_section *s = &u->object->sections.item[k];
            /* Without an entry symbol a program starts at its first code. */
            bool first_code = !entered && (s->flags & OBJ_EXEC) && s->size;

            bool kept = u->pieces[k].rule && u->pieces[k].rule->keep;

            if (u->pieces[k].discard)
                continue;
            if (!(s->flags & OBJ_ALLOC) && !u->pieces[k].group && !(s->flags & OBJ_LINK_ORDER))
                u->pieces[k].live = true;
            else if (kept || is_root(s) || first_code)
                mark(l, &u->pieces[k]);
            entered |= first_code;
        }
    }
}

static void walk(struct linker *l, const struct piece *p)
{
    const struct obj_section *s = content(p);

    mark_company(l, p);
    for (size_t i = 0; i < s->relocs.count; i++) {
        uint32_t symbol = s->relocs.item[i].symbol;
        const struct link_symbol *global = p->unit->globals[symbol];

        mark(l, link_symbol_piece(p->unit, symbol));
        if (global && global->state == LINK_SPECIAL)
            mark_bounded(l, global);
    }
}

static void report_discarded(const struct linker *l)
{
    for (size_t i = 0; i < l->units.count; i++) {
        const struct unit *u = l->units.item[i];

        for (size_t s = 0; s < u->object->sections.count; s++)
            if (!u->pieces[s].live && !u->pieces[s].discard && content(&u->pieces[s])->size)
                buffer_printf(l->options->messages, "%s:(%s): section is not used\n", u->name,
                              content(&u->pieces[s])->name);
    }
}

void link_gc(struct linker *l)
{
    if (!l->options->gc_sections)
        return;
    for (size_t i = 0; i < l->units.count; i++) {
        for (size_t s = 0; s < l->units.item[i]->object->sections.count; s++)
            l->units.item[i]->pieces[s].live = false;
        find_dependents(l->units.item[i]);
    }
    mark_roots(l);
    while (l->pending.count)
        walk(l, l->pending.item[--l->pending.count]);
    if (l->options->print_gc_sections && l->options->messages)
        report_discarded(l);
}
