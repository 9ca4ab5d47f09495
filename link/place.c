/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Addresses by a script. Statements are walked in order with the location counter; what an
 * expression says of a section further on is what the round before found, and rounds go on until
 * one changes nothing. Errors are reported in one more round, when all values are known.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ROUNDS = 32 };

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

/* Every value of a round goes in; two rounds that agree in it agree in all. */
static void note(struct placing *p, uint64_t value)
{
    p->digest = (p->digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    p->digest ^= p->digest >> 29;
}

/* ---- assignments ---- */

static void move_dot(struct placing *p, const struct statement *s, const struct value *v)
{
    uint64_t to = p->in && v->kind == VALUE_NUMBER ? p->in->address + v->number : expr_address(v);

    if (p->in && to < p->dot) {
        if (p->report)
            diag_report(p->linker->diag, DIAG_LOCATION_BACKWARDS, s->loc,
                        "the location counter moves back by %" PRIu64 " bytes, to 0x%" PRIx64
                        " in %s",
                        p->dot - to, to - p->in->address, p->in->name);
        return;
    }
    p->dot = to;
}

static void assign(struct placing *p, const struct statement *s)
{
    const struct assignment *a = &s->assign;
    struct link_symbol *to = a->symbol;
    struct value v;

    if (!a->active)
        return;
    p->assigned = to;
    v = expr_value(p, a->value);
    p->assigned = NULL;
    if (v.kind == VALUE_WRONG)
        return;
    note(p, expr_address(&v));
    if (!to) {
        move_dot(p, s, &v);
        return;
    }
    if (v.kind == VALUE_NUMBER && p->in && !v.distance)
        v = (struct value){.kind = VALUE_RELATIVE, .number = v.number, .section = p->in};
    to->value = expr_address(&v);
    to->base = v.kind == VALUE_RELATIVE ? v.section : NULL;
    to->is_number = v.kind == VALUE_NUMBER;
    to->has_value = true;
    to->round = p->round;
}

/* ---- regions ---- */

static void begin_regions(struct placing *p)
{
    for (struct region *m = p->linker->script.regions; m; m = m->next) {
        m->start = expr_number(p, m->origin, 0);
        m->size = expr_number(p, m->length, 0);
        m->dot = m->start;
        m->delta = 0;
        m->overflowing = NULL;
        note(p, m->start);
        note(p, m->size);
    }
}

static struct region *named_region(struct placing *p, const struct section_rule *rule,
                                   const char *name)
{
    struct region *m = name ? script_find_region(&p->linker->script, name) : NULL;

    if (name && !m && p->report && rule->loc.file) /* not for what follows such a section */
        diag_report(p->linker->diag, DIAG_UNKNOWN_REGION, rule->loc,
                    "section '%s': MEMORY describes no region '%s'", rule->name, name);
    return m;
}

/* The first region whose attributes fit a section that names none. */
static struct region *fitting_region(const struct placing *p, const struct out_section *s)
{
    uint64_t flags = s->flags | (s->flags & OBJ_WRITE ? 0 : SCRIPT_READONLY);

    for (struct region *m = p->linker->script.regions; m; m = m->next)
        if ((m->with & flags) && !(m->without & flags))
            return m;
    return NULL;
}

static void check_room(struct region *m, const struct section_rule *rule, uint64_t end)
{
    if (end - m->start > m->size && !m->overflowing)
        m->overflowing = rule;
}

static void report_overflow(struct placing *p)
{
    struct diag *d = p->linker->diag;

    for (const struct region *m = p->linker->script.regions; m; m = m->next) {
        if (!m->overflowing)
            continue;
        if (m->dot < m->start)
            diag_report(d, DIAG_REGION_OVERFLOW, m->overflowing->loc,
                        "section '%s' is not in region '%s': it ends at 0x%" PRIx64,
                        m->overflowing->name, m->name, m->dot);
        else
            diag_report(d, DIAG_REGION_OVERFLOW, m->overflowing->loc,
                        "section '%s' does not fit in region '%s': overflowed by %" PRIu64 " bytes",
                        m->overflowing->name, m->name, m->dot - m->start - m->size);
        diag_note(d, m->loc, "'%s' has 0x%" PRIx64 " bytes from 0x%" PRIx64, m->name, m->size,
                  m->start);
    }
}

/* ---- the body of an output section ---- */

static void place_inputs(struct placing *p, const struct input_rule *rule, uint64_t subalign)
{
    for (size_t i = 0; i < rule->npieces; i++) {
        struct piece *piece = rule->pieces[i];
        uint64_t align = subalign ? subalign : link_piece_align(piece);

        if (!piece->size && !piece->in_use)
            align = 1;
        p->dot = align_up(p->dot, align);
        piece->offset = p->dot - p->in->address;
        p->dot += piece->size;
    }
}

static void place_data(struct placing *p, struct statement *s)
{
    s->offset = p->dot - p->in->address;
    s->number = expr_number(p, s->value, 0);
    p->dot += s->size;
}

static void place_body(struct placing *p, struct section_rule *rule)
{
    uint64_t subalign = rule->subalign ? expr_number(p, rule->subalign, 1) : 0;

    for (struct statement *s = rule->body.first; s; s = s->next)
        switch ((enum statement_kind)s->kind) {
        case STATEMENT_ASSIGN:
            assign(p, s);
            break;
        case STATEMENT_ASSERT:
            expr_value(p, s->value);
            break;
        case STATEMENT_INPUT:
            place_inputs(p, s->input, subalign);
            break;
        case STATEMENT_DATA:
        case STATEMENT_FILL:
            place_data(p, s);
            break;
        case STATEMENT_SECTION:
            break;
        }
}

/* ---- output sections ---- */

/* Address by option, by the script, by the region, or behind what came before. */
static uint64_t start_address(struct placing *p, const struct section_rule *rule,
                              const struct region *m)
{
    struct out_section *s = rule->out;
    uint64_t address;
    uint64_t align = expr_number(p, rule->align, 1);
    bool fixed = link_fixed_address(p->linker, rule->name, &address);

    if (align > s->align && !(align & (align - 1)))
        s->align = align;
    if (!fixed && !rule->address)
        return align_up(m ? m->dot : p->dot, align > s->align ? align : s->align);
    if (!fixed)
        address = expr_number(p, rule->address, 0);
    if ((address & (s->align - 1)) && p->report)
        diag_report(p->linker->diag, DIAG_BAD_ADDRESS, rule->loc,
                    "address 0x%" PRIx64 " of %s is not a multiple of its alignment 0x%" PRIx64,
                    address, s->name, s->align);
    return address;
}

static void place_load_address(struct placing *p, struct section_rule *rule, struct region *m)
{
    struct out_section *s = rule->out;
    struct region *to = named_region(p, rule, rule->load_region);
    uint64_t load = s->address;

    if (rule->load) {
        load = expr_number(p, rule->load, s->address);
    } else if (to) {
        load = to == m ? s->address : align_up(to->dot, s->align);
        if (to != m && s->type != OBJ_NOBITS) {
            to->dot = load + s->size;
            check_room(to, rule, to->dot);
        }
    } else if (m && !rule->address) {
        load += m->delta;
    }
    s->load_delta = load - s->address;
    note(p, load);
    if (m)
        m->delta = s->load_delta;
}

static bool is_unallocated(const struct section_rule *rule)
{
    const struct out_section *s = rule->out;

    return rule->unallocated || (s->pieces.count && !(s->flags & OBJ_ALLOC));
}

/* The body of a section that takes no memory counts from 0 and moves nothing. */
static void place_unallocated(struct placing *p, struct section_rule *rule)
{
    uint64_t dot = p->dot;

    rule->out->flags &= ~(uint64_t)OBJ_ALLOC;
    p->in = rule->out;
    p->in->address = p->dot = 0;
    place_body(p, rule);
    p->in->size = p->dot;
    p->in = NULL;
    p->dot = dot;
}

/* Without contents a section has no type and no flags from inputs. */
static void settle_type(struct out_section *s, const struct section_rule *rule)
{
    bool data = false;

    for (const struct statement *t = rule->body.first; t; t = t->next)
        data |= t->kind == STATEMENT_DATA;
    if (!s->pieces.count && s->size) {
        s->flags = OBJ_ALLOC | OBJ_WRITE;
        s->type = OBJ_NOBITS;
    }
    if (data && s->type == OBJ_NOBITS)
        s->type = OBJ_PROGBITS;
    if (rule->noload)
        s->type = OBJ_NOBITS;
}

static void check_end(struct placing *p, const struct section_rule *rule)
{
    const struct out_section *s = rule->out;

    if (p->report && s->address + s->size < s->address)
        diag_report(p->linker->diag, DIAG_NO_ROOM, rule->loc,
                    "%s: 0x%" PRIx64 " bytes at 0x%" PRIx64 " pass the end of the address space",
                    s->name, s->size, s->address);
}

static void place_section(struct placing *p, struct section_rule *rule)
{
    struct out_section *s = rule->out;
    uint64_t before = p->dot;
    struct region *m;

    if (is_unallocated(rule)) {
        place_unallocated(p, rule);
        return;
    }
    m = named_region(p, rule, rule->region);
    if (!rule->region)
        m = fitting_region(p, s);
    s->address = start_address(p, rule, m);
    p->in = s;
    p->dot = s->address;
    place_body(p, rule);
    s->size = p->dot - s->address;
    p->in = NULL;
    note(p, s->address);
    note(p, s->size);
    settle_type(s, rule);
    check_end(p, rule);
    if (!s->size && !s->has_symbols && !rule->address) { /* left out: as if it were not there */
        p->dot = before;
        return;
    }
    place_load_address(p, rule, m);
    if (m) {
        m->dot = p->dot;
        check_room(m, rule, m->dot);
    }
}

/* ---- rounds ---- */

static void define_defsyms(struct placing *p)
{
    for (const struct statement *s = p->linker->defsyms; s; s = s->next)
        assign(p, s);
}

static void walk(struct placing *p)
{
    p->dot = 0;
    p->digest = 0;
    p->round++;
    define_defsyms(p);
    begin_regions(p);
    for (struct statement *s = p->linker->script.statements.first; s; s = s->next)
        switch ((enum statement_kind)s->kind) {
        case STATEMENT_ASSIGN:
            assign(p, s);
            break;
        case STATEMENT_ASSERT:
            expr_value(p, s->value);
            break;
        case STATEMENT_SECTION:
            if (s->section->out)
                place_section(p, s->section);
            break;
        default:
            break;
        }
    link_define_specials(p->linker);
}

/* Walks until nothing changes, then once to report. */
static void settle(struct linker *l, void (*step)(struct placing *p))
{
    struct placing p = {.linker = l};
    uint64_t last;

    do {
        last = p.digest;
        step(&p);
    } while ((p.round < 2 || p.digest != last) && p.round < MOST_ROUNDS);
    if (p.digest != last && p.round == MOST_ROUNDS)
        diag_report(l->diag, DIAG_SCRIPT_EXPRESSION, nowhere,
                    "addresses do not settle: the script's expressions depend on one another");
    p.report = true;
    step(&p);
    report_overflow(&p);
}

void script_place(struct linker *l)
{
    settle(l, walk);
}

static void step_defsyms(struct placing *p)
{
    p->digest = 0;
    p->round++;
    link_define_specials(p->linker);
    define_defsyms(p);
    for (const struct statement *s = p->linker->script.statements.first; s; s = s->next)
        if (s->kind == STATEMENT_ASSIGN)
            assign(p, s);
        else if (s->kind == STATEMENT_ASSERT)
            expr_value(p, s->value);
}

void script_define(struct linker *l)
{
    settle(l, step_defsyms);
}

/* ---- contents ---- */

static void put_fill(const struct fill *fill, uint8_t *contents, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; fill->size && i < to; i++)
        contents[i] = fill->bytes[(i - from) % fill->size];
}

static void put_number(uint8_t *to, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

/* Four bytes, the highest first. */
static struct fill fill_of_number(uint8_t bytes[4], uint64_t number)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
    return (struct fill){bytes, 4};
}

void script_fill(struct linker *l, const struct section_rule *rule, uint8_t *contents)
{
    struct placing p = {.linker = l, .in = rule->out};
    uint8_t own[4], changed[4];
    uint64_t at = 0;
    struct fill fill =
        rule->fill_value ? fill_of_number(own, expr_number(&p, rule->fill_value, 0)) : rule->fill;

    for (const struct statement *s = rule->body.first; s; s = s->next) {
        for (size_t i = 0; s->kind == STATEMENT_INPUT && i < s->input->npieces; i++) {
            const struct piece *piece = s->input->pieces[i];

            put_fill(&fill, contents, at, piece->offset);
            at = piece->offset + piece->size;
        }
        if (s->kind == STATEMENT_DATA) {
            put_fill(&fill, contents, at, s->offset);
            put_number(contents + s->offset, s->number, s->size);
            at = s->offset + s->size;
        } else if (s->kind == STATEMENT_FILL) {
            put_fill(&fill, contents, at, s->offset);
            at = s->offset;
            fill = fill_of_number(changed, s->number);
        }
    }
    put_fill(&fill, contents, at, rule->out->size);
}
