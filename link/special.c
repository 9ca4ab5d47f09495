/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbols that no object defines: the linker's own, when somebody refers to
 * them, and those of --defsym.
 */
#include "link/linker.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool link_parse_number(const char *text, uint64_t *value)
{
    bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *value = strtoull(binary ? text + 2 : text, &end, binary ? 2 : hex ? 16 : 10);
    return errno == 0 && *end == '\0' && !(binary && !text[2]);
}

/* ---- the linker's own ---- */

static uint64_t end_of(const struct out_section *s)
{
    return s->address + s->size;
}

static uint64_t section_start(const struct linker *l, const char *name)
{
    const struct out_section *s = link_find_section(l, name);

    return s ? s->address : 0;
}

static uint64_t section_stop(const struct linker *l, const char *name)
{
    const struct out_section *s = link_find_section(l, name);

    return s ? end_of(s) : 0;
}

/* The highest end of the loaded sections that have all of `with` and are of `type` (0: any). */
static uint64_t highest_end(const struct linker *l, uint64_t with, uint32_t but_not)
{
    uint64_t end = 0;

    for (size_t i = 0; i < l->sections.count; i++) {
        const struct out_section *s = l->sections.item[i];

        if ((s->flags & with) == with && s->type != but_not && s->size && end_of(s) > end)
            end = end_of(s);
    }
    return end;
}

static uint64_t image_start(const struct linker *l, const char *unused)
{
    uint64_t start = UINT64_MAX;

    (void)unused;
    for (size_t i = 0; i < l->sections.count; i++)
        if ((l->sections.item[i]->flags & OBJ_ALLOC) && l->sections.item[i]->address < start)
            start = l->sections.item[i]->address;
    return start == UINT64_MAX ? 0 : start;
}

static uint64_t image_end(const struct linker *l, const char *unused)
{
    (void)unused;
    return highest_end(l, OBJ_ALLOC, 0);
}

static uint64_t text_end(const struct linker *l, const char *unused)
{
    (void)unused;
    return highest_end(l, OBJ_ALLOC | OBJ_EXEC, 0);
}

static uint64_t data_end(const struct linker *l, const char *unused)
{
    uint64_t end = highest_end(l, OBJ_ALLOC | OBJ_WRITE, OBJ_NOBITS);

    (void)unused;
    return end ? end : highest_end(l, OBJ_ALLOC, OBJ_NOBITS);
}

static uint64_t bss_start(const struct linker *l, const char *unused)
{
    for (size_t i = 0; i < l->sections.count; i++)
        if (l->sections.item[i]->type == OBJ_NOBITS && (l->sections.item[i]->flags & OBJ_ALLOC))
            return l->sections.item[i]->address;
    return image_end(l, unused);
}

static const struct {
    const char *name, *section;
    uint64_t (*address)(const struct linker *l, const char *section);
} known[] = {
    {"__bss_end", NULL, image_end},
    {"__bss_start", NULL, bss_start},
    {"__executable_start", NULL, image_start},
    {"__fini_array_end", ".fini_array", section_stop},
    {"__fini_array_start", ".fini_array", section_start},
    {"__init_array_end", ".init_array", section_stop},
    {"__init_array_start", ".init_array", section_start},
    {"__preinit_array_end", ".preinit_array", section_stop},
    {"__preinit_array_start", ".preinit_array", section_start},
    {"_edata", NULL, data_end},
    {"_end", NULL, image_end},
    {"_etext", NULL, text_end},
    {"edata", NULL, data_end},
    {"end", NULL, image_end},
    {"etext", NULL, text_end},
};

static void declare(struct linker *l, struct link_symbol *s, struct special special)
{
    special.symbol = s;
    s->state = LINK_SPECIAL;
    s->weak = false;
    *vec_push(l->mem, &l->specials) = special;
}

/* The units with a section of each name are found once. */
static bool is_section_name(struct linker *l, const char *name)
{
    if (!l->section_names_found)
        for (size_t i = 0; i < l->units.count; i++) {
            const struct object *o = l->units.item[i]->object;

            for (size_t k = 0; k < o->sections.count; k++)
                *map_put(&l->section_names, intern_z(l->names, o->sections.item[k].name)) = l;
        }
    l->section_names_found = true;
    return map_get(&l->section_names, intern_z(l->names, name)) != NULL;
}

/* __start_NAME and __stop_NAME, for a section whose name is a C identifier. */
static bool declare_bound(struct linker *l, struct link_symbol *s, const char *prefix,
                          uint64_t (*address)(const struct linker *, const char *))
{
    size_t length = strlen(prefix);

    if (strncmp(s->name, prefix, length) || !s->name[length])
        return false;
    if (!is_section_name(l, s->name + length))
        return false;
    declare(l, s, (struct special){.section = s->name + length, .address = address});
    return true;
}

/* ---- symbols of --defsym and of the script ---- */

static void refer(void *ctx, const char *name)
{
    struct link_symbol *s = link_intern_symbol(ctx, name);

    s->referenced = s->wanted = true;
    s->weak = false;
}

/* What the expression needs is searched in archives and kept like any other. */
static void declare_assignment(struct linker *l, struct assignment *a)
{
    if (!a->active)
        return;
    if (strcmp(a->name, ".")) {
        a->symbol = link_intern_symbol(l, a->name);
        a->symbol->assigned = true;
        if (a->hidden)
            a->symbol->visibility = OBJ_HIDDEN;
    }
    expr_walk_names(a->value, refer, l);
}

static void walk_statements(struct linker *l, struct statement *s,
                            void (*visit)(struct linker *l, struct statement *s))
{
    for (; s; s = s->next) {
        visit(l, s);
        if (s->kind == STATEMENT_SECTION)
            walk_statements(l, s->section->body.first, visit);
    }
}

static void declare_statement(struct linker *l, struct statement *s)
{
    if (s->kind == STATEMENT_ASSIGN)
        declare_assignment(l, &s->assign);
    else if (s->kind == STATEMENT_ASSERT || s->kind == STATEMENT_DATA)
        expr_walk_names(s->value, refer, l);
}

void link_declare_assigned(struct linker *l)
{
    for (struct statement *s = l->defsyms; s; s = s->next) {
        struct link_symbol *to = link_intern_symbol(l, s->assign.name);

        if (to->assigned)
            diag_report(l->diag, DIAG_DUPLICATE_SYMBOL, s->loc,
                        "the symbol '%s' has a --defsym already", to->name);
        declare_assignment(l, &s->assign);
    }
    walk_statements(l, l->script.statements.first, declare_statement);
}

/* PROVIDE counts when somebody refers to a symbol that nobody defines. */
static void provide(struct linker *l, struct statement *s)
{
    struct link_symbol *to;

    if (s->kind != STATEMENT_ASSIGN || !s->assign.provide)
        return;
    to = link_find_symbol(l, s->assign.name);
    if (!to || to->assigned || !to->referenced || to->state != LINK_UNDEFINED)
        return;
    s->assign.active = true;
    declare_assignment(l, &s->assign);
}

/* From here on the value of the script counts; what objects say may be asked for by it. */
void link_override(struct linker *l)
{
    for (size_t i = 0; i < l->order.count; i++) {
        struct link_symbol *s = l->order.item[i];

        if (!s->assigned)
            continue;
        s->below = s->state;
        s->state = LINK_SPECIAL;
        s->weak = false;
    }
}

void link_declare_specials(struct linker *l)
{
    walk_statements(l, l->script.statements.first, provide);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct link_symbol *s = link_find_symbol(l, known[i].name);

        if (s && s->referenced && s->state == LINK_UNDEFINED && !s->assigned)
            declare(l, s,
                    (struct special){.section = known[i].section, .address = known[i].address});
    }
    for (size_t i = 0; i < l->order.count; i++) {
        struct link_symbol *s = l->order.item[i];

        if (s->referenced && s->state == LINK_UNDEFINED && !s->assigned &&
            !declare_bound(l, s, "__start_", section_start))
            declare_bound(l, s, "__stop_", section_stop);
    }
    link_override(l);
}

void link_define_specials(struct linker *l)
{
    for (size_t i = 0; i < l->specials.count; i++) {
        const struct special *s = &l->specials.item[i];

        s->symbol->value = s->address(l, s->section);
        s->symbol->has_value = true;
    }
}
