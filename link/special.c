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

static const struct loc nowhere;

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

/* __start_NAME and __stop_NAME, for a section whose name is a C identifier. */
static bool declare_bound(struct linker *l, struct link_symbol *s, const char *prefix,
                          uint64_t (*address)(const struct linker *, const char *))
{
    size_t length = strlen(prefix);

    if (strncmp(s->name, prefix, length) || !s->name[length])
        return false;
    for (size_t i = 0; i < l->units.count; i++) {
        const struct object *o = l->units.item[i]->object;

        for (size_t k = 0; k < o->sections.count; k++)
            if (!strcmp(o->sections.item[k].name, s->name + length)) {
                declare(l, s, (struct special){.section = s->name + length, .address = address});
                return true;
            }
    }
    return false;
}

void link_declare_specials(struct linker *l)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct link_symbol *s = link_find_symbol(l, known[i].name);

        if (s && s->referenced && s->state == LINK_UNDEFINED)
            declare(l, s,
                    (struct special){.section = known[i].section, .address = known[i].address});
    }
    for (size_t i = 0; i < l->order.count; i++) {
        struct link_symbol *s = l->order.item[i];

        if (s->referenced && s->state == LINK_UNDEFINED &&
            !declare_bound(l, s, "__start_", section_start))
            declare_bound(l, s, "__stop_", section_stop);
    }
}

/* ---- --defsym ---- */

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || strchr("_.$", c);
}

/* One number or name of an expression; NULL at anything else. In the arena. */
static const char *take_term(struct linker *l, const char **at)
{
    const char *start = *at;

    while (**at && is_name_char(**at))
        ++*at;
    return *at == start ? NULL : arena_string(l->arena, start, (size_t)(*at - start));
}

/* Walks `term { (+|-) term }` and hands each term to `visit` with its sign. False: malformed. */
static bool walk_expression(struct linker *l, const char *text,
                            bool (*visit)(struct linker *, const char *term, int sign, void *),
                            void *ctx)
{
    int sign = 1;

    if (*text == '-') {
        sign = -1;
        text++;
    }
    for (;;) {
        const char *term = take_term(l, &text);

        if (!term || !visit(l, term, sign, ctx))
            return false;
        if (!*text)
            return true;
        if (*text != '+' && *text != '-')
            return false;
        sign = *text++ == '-' ? -1 : 1;
    }
}

/* A symbol that an expression needs is searched in archives like any other. */
static bool refer_to_term(struct linker *l, const char *term, int sign, void *ctx)
{
    uint64_t number;

    (void)sign;
    (void)ctx;
    if (!link_parse_number(term, &number)) {
        if (isdigit((unsigned char)term[0]))
            return false;
        struct link_symbol *s = link_intern_symbol(l, term);

        s->referenced = s->wanted = true;
        s->weak = false;
    }
    return true;
}

void link_declare_defsyms(struct linker *l)
{
    const char *const *text = l->options->defsyms;

    for (; text && *text; text++) {
        const char *equal = strchr(*text, '=');

        if (!equal || equal == *text || !walk_expression(l, equal + 1, refer_to_term, NULL)) {
            diag_report(l->diag, DIAG_USAGE, nowhere,
                        "--defsym %s: expected SYMBOL=TERM, with terms (numbers or symbols) joined "
                        "by + or -",
                        *text);
            continue;
        }
        const char *name = arena_string(l->arena, *text, (size_t)(equal - *text));
        struct link_symbol *s = link_intern_symbol(l, name);
        if (s->state == LINK_SPECIAL)
            diag_report(l->diag, DIAG_DUPLICATE_SYMBOL, nowhere,
                        "--defsym %s: the symbol has a --defsym already", *text);
        else
            declare(l, s, (struct special){.expression = equal + 1});
    }
}

struct evaluation {
    const struct special *special;
    uint64_t sum;
};

static bool add_term(struct linker *l, const char *term, int sign, void *ctx)
{
    struct evaluation *e = ctx;
    uint64_t value;

    if (!link_parse_number(term, &value)) {
        const struct link_symbol *s = link_find_symbol(l, term);

        if (!s || s->state == LINK_UNDEFINED) {
            diag_report(l->diag, DIAG_UNDEFINED_SYMBOL, nowhere,
                        "--defsym %s=%s: undefined symbol '%s'", e->special->symbol->name,
                        e->special->expression, term);
            return true; /* reported, and no harm follows */
        }
        if (s->state == LINK_SPECIAL && !s->has_value) {
            diag_report(l->diag, DIAG_UNDEFINED_SYMBOL, nowhere,
                        "--defsym %s=%s: '%s' is defined by a later --defsym",
                        e->special->symbol->name, e->special->expression, term);
            return true;
        }
        value = link_global_address(s);
    }
    e->sum += sign < 0 ? -value : value;
    return true;
}

void link_define_addresses(struct linker *l)
{
    /* The linker's own first: --defsym may refer to them. */
    for (size_t i = 0; i < l->specials.count; i++) {
        const struct special *s = &l->specials.item[i];

        if (s->expression)
            continue;
        s->symbol->value = s->address(l, s->section);
        s->symbol->has_value = true;
    }
    for (size_t i = 0; i < l->specials.count; i++) {
        struct evaluation e = {.special = &l->specials.item[i]};

        if (!e.special->expression)
            continue;
        walk_expression(l, e.special->expression, add_term, &e);
        e.special->symbol->value = e.sum;
        e.special->symbol->has_value = true;
    }
}
