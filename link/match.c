/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which input sections the patterns of a script name. The first rule that matches takes the
 * section. The rules that a section's name fits are found once for each name, so that many inputs
 * with few names cost little more than their number.
 */
#include "link/linker.h"

#include <stdlib.h>
#include <string.h>

/* ---- wildcards ---- */

/* One character against `[abc]`, `[a-z]`, `[!a]`; *pattern moves behind the bracket. */
static bool in_brackets(const char **pattern, char c)
{
    const char *p = *pattern + 1;
    bool negated = *p == '!' || *p == '^', found = false;

    p += negated;
    for (bool first = true; *p && (first || *p != ']'); first = false) {
        char low = *p++, high = low;

        if (*p == '-' && p[1] && p[1] != ']') {
            high = p[1];
            p += 2;
        }
        found |= low <= c && c <= high;
    }
    *pattern = *p ? p + 1 : p;
    return found != negated;
}

/* Behind a `*` only the last one is retried, so that no pattern costs more than its length times
 * the name's. */
bool script_glob(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;

    while (*name) {
        const char *p = pattern;
        bool fits;

        if (*p == '*') {
            star = ++pattern;
            retry = name;
            continue;
        }
        if (*p == '[')
            fits = in_brackets(&p, *name);
        else {
            p += *p == '\\' && p[1];
            fits = (*p == '?' && p == pattern) || *p == *name;
            p += *p != '\0';
        }
        if (fits) {
            pattern = p;
            name++;
        } else if (star) {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* ---- files ---- */

/* `archive:member`, `archive:` (any member), `:file` (in no archive); else the name of a file, a
 * member or an archive. */
static bool file_matches(struct linker *l, const char *pattern, const struct unit *u)
{
    const char *colon = strchr(pattern, ':');
    const char *member = u->member ? u->member : u->name;

    if (!strcmp(pattern, "*"))
        return true;
    if (!colon)
        return script_glob(pattern, member) || (u->archive && script_glob(pattern, u->archive));
    if (colon == pattern)
        return !u->archive && script_glob(colon + 1, u->name);
    if (!u->archive)
        return false;
    return script_glob(arena_string(l->arena, pattern, (size_t)(colon - pattern)), u->archive) &&
           (!colon[1] || script_glob(colon + 1, member));
}

static bool is_excluded(struct linker *l, const struct name_list *files, const struct unit *u)
{
    for (const struct name_node *n = files->first; n; n = n->next)
        if (file_matches(l, n->name, u))
            return true;
    return false;
}

/* ---- candidates ---- */

struct candidate {
    struct candidate *next;
    struct input_rule *rule;
    const struct pattern *pattern;
};

static struct candidate *candidates_in(struct linker *l, struct section_rule *section,
                                       const char *name, struct candidate **end)
{
    for (struct statement *s = section->body.first; s; s = s->next) {
        if (s->kind != STATEMENT_INPUT)
            continue;
        for (const struct pattern *p = s->input->patterns; p; p = p->next) {
            if (!script_glob(p->name, name))
                continue;
            struct candidate *c = arena_alloc(l->arena, sizeof *c);
            c->rule = s->input;
            c->pattern = p;
            (*end)->next = c;
            *end = c;
        }
    }
    return *end;
}

/* In the order of the script, behind a head without a rule. */
static struct candidate *candidates(struct linker *l, const char *name)
{
    void **slot = map_put(&l->candidates, intern_z(l->names, name));

    if (!*slot) {
        struct candidate *head = arena_alloc(l->arena, sizeof *head), *end = head;

        for (struct section_rule *s = l->script.sections; s; s = s->next)
            candidates_in(l, s, name, &end);
        *slot = head;
    }
    return *slot;
}

static struct input_rule *find_rule(struct linker *l, const struct unit *u, const char *name)
{
    for (const struct candidate *c = candidates(l, name)->next; c; c = c->next)
        if (file_matches(l, c->rule->file, u) && !is_excluded(l, &c->rule->exclude, u) &&
            !is_excluded(l, &c->pattern->exclude, u))
            return c->rule;
    return NULL;
}

/* What the linker makes itself, the identity of the program, is never thrown away. */
void script_match_unit(struct linker *l, struct unit *u)
{
    for (size_t i = 0; i < u->object->sections.count; i++) {
        struct piece *p = &u->pieces[i];
        const struct obj_section *s = &u->object->sections.item[i];

        if (!p->live || (s->generated && !u->made))
            continue;
        p->rule = find_rule(l, u, s->name);
        if (!p->rule || !p->rule->section->discard)
            continue;
        if (s->generated) {
            p->rule = NULL;
            continue;
        }
        p->live = false;
        p->discard = DISCARD_SCRIPT;
    }
    link_discard_followers(u);
}

/* ---- order ---- */

static const struct obj_section *content(const struct piece *p)
{
    return &p->unit->object->sections.item[p->section];
}

/* The number behind the last dot of `.init_array.5`; 65536 when there is none. */
unsigned link_init_priority(const char *name)
{
    enum { NONE = 65536 };
    const char *dot = strrchr(name, '.');
    uint64_t value;

    if (!dot || dot == name || !link_parse_number(dot + 1, &value) || value > NONE)
        return NONE;
    bool reversed = !strncmp(name, ".ctors.", 7) || !strncmp(name, ".dtors.", 7);
    return reversed ? NONE - 1 - (unsigned)value : (unsigned)value;
}

static int compare_by(enum sort_kind kind, const struct piece *a, const struct piece *b)
{
    const struct obj_section *x = content(a), *y = content(b);
    unsigned first, second;

    switch (kind) {
    case SORT_NAME:
        return strcmp(x->name, y->name);
    case SORT_ALIGNMENT: /* the largest first */
        return x->align > y->align ? -1 : x->align < y->align;
    case SORT_PRIORITY:
        first = link_init_priority(x->name);
        second = link_init_priority(y->name);
        return first < second ? -1 : first > second;
    case SORT_NOTHING:
        break;
    }
    return 0;
}

static int compare_pieces(const void *x, const void *y)
{
    const struct piece *a = *(struct piece *const *)x, *b = *(struct piece *const *)y;
    const struct input_rule *rule = a->rule;
    int order = rule->sort_files ? strcmp(a->unit->name, b->unit->name) : 0;

    if (!order)
        order = compare_by(rule->patterns->sort, a, b);
    if (!order)
        order = compare_by(rule->patterns->then, a, b);
    if (!order)
        order = a->number < b->number ? -1 : a->number > b->number;
    return order;
}

/* ---- collecting ---- */

/* A rule for sections that the script does not mention: behind the last section of their kind. */
static struct input_rule *orphan_rule(struct linker *l, const struct piece *p)
{
    const char *name = intern_z(l->names, link_output_name(l, content(p)->name));
    void **slot = map_put(&l->orphans, name);

    if (!*slot) {
        struct section_rule *section = link_orphan_section(l, p, name);
        struct statement *s = arena_alloc(l->arena, sizeof *s);

        s->kind = STATEMENT_INPUT;
        s->loc = section->loc;
        s->input = arena_alloc(l->arena, sizeof *s->input);
        s->input->file = "*";
        s->input->patterns = arena_alloc(l->arena, sizeof *s->input->patterns);
        s->input->section = section;
        if (section->body.last)
            section->body.last->next = s;
        else
            section->body.first = s;
        section->body.last = s;
        *slot = s->input;
    }
    return *slot;
}

static bool report_orphan(struct linker *l, struct piece *p)
{
    const char *place = link_place(l, p->unit, (int)p->section, 0);
    enum orphan_handling how = l->options->orphans;

    if (p->unit->made || how == ORPHANS_PLACE)
        return true;
    if (how == ORPHANS_DISCARD) {
        p->live = false;
        p->discard = DISCARD_SCRIPT;
        return false;
    }
    diag_report(l->diag, how == ORPHANS_WARN ? DIAG_ORPHAN_SECTION : DIAG_ORPHAN_REFUSED, nowhere,
                "%s: the script does not place this section", place);
    return how == ORPHANS_WARN;
}

static bool takes_part(const struct piece *p)
{
    return p->live && !link_is_dropped(p->unit, content(p));
}

static void count_piece(struct piece *p)
{
    p->number = (uint32_t)p->rule->npieces++;
    p->rule->section->flags |= content(p)->flags;
    p->rule->section->has_contents |= content(p)->type != OBJ_NOBITS;
}

/* Those of the script first: orphans go behind sections of the same kind. */
static void count_pieces(struct linker *l, bool orphans)
{
    for (size_t i = 0; i < l->units.count; i++) {
        struct unit *u = l->units.item[i];

        for (size_t k = 0; k < u->object->sections.count; k++) {
            struct piece *p = &u->pieces[k];

            if (!takes_part(p) || (orphans == (p->rule != NULL)))
                continue;
            if (orphans && report_orphan(l, p))
                p->rule = orphan_rule(l, p);
            if (p->rule)
                count_piece(p);
        }
    }
}

static void list_unit(struct unit *u)
{
    for (size_t i = 0; i < u->object->sections.count; i++) {
        struct piece *p = &u->pieces[i];

        if (takes_part(p) && p->rule)
            p->rule->pieces[p->number] = p;
    }
}

static void allocate(struct linker *l, struct section_rule *section)
{
    for (struct statement *s = section->body.first; s; s = s->next)
        if (s->kind == STATEMENT_INPUT)
            s->input->pieces =
                arena_array(l->arena, s->input->npieces + 1, sizeof *s->input->pieces);
}

static void sort(struct section_rule *section)
{
    for (struct statement *s = section->body.first; s; s = s->next)
        if (s->kind == STATEMENT_INPUT && (s->input->sort_files || s->input->patterns->sort))
            qsort(s->input->pieces, s->input->npieces, sizeof *s->input->pieces, compare_pieces);
}

void script_collect(struct linker *l)
{
    count_pieces(l, false);
    count_pieces(l, true);
    for (struct section_rule *s = l->script.sections; s; s = s->next)
        allocate(l, s);
    for (size_t i = 0; i < l->units.count; i++)
        list_unit(l->units.item[i]);
    for (struct section_rule *s = l->script.sections; s; s = s->next)
        sort(s);
}
