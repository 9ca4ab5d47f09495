/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of a script's expressions: 64-bit unsigned numbers and addresses. An address in an output
 * section is kept as a distance from its start, by the rules of GNU ld (its manual, "The Section of
 * an Expression"): with a number it stays in its section, two of one section give a number,
 * everything else is computed with absolute addresses.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_PAGE = 4096 };

static struct value number(uint64_t n)
{
    return (struct value){.kind = VALUE_NUMBER, .number = n};
}

static struct value absolute(uint64_t n)
{
    return (struct value){.kind = VALUE_ABSOLUTE, .number = n};
}

static struct value wrong(void)
{
    return (struct value){.kind = VALUE_WRONG};
}

uint64_t expr_address(const struct value *v)
{
    return v->kind == VALUE_RELATIVE ? v->section->address + v->number : v->number;
}

#define REFUSE(p, code, loc, ...)                                                                  \
    ((p)->report ? diag_report((p)->linker->diag, DIAG_##code, loc, __VA_ARGS__) : (void)0, wrong())

/* An address as the place where it is used has it. */
static struct value relative_to(const struct placing *p, uint64_t address)
{
    if (!p->in)
        return absolute(address);
    return (struct value){
        .kind = VALUE_RELATIVE, .number = address - p->in->address, .section = p->in};
}

/* ---- operators ---- */

/* False: division by zero. */
static bool compute(enum expr_op op, uint64_t a, uint64_t b, uint64_t *out)
{
    enum { BITS = 64 };

    switch (op) {
    case OP_ADD:
        *out = a + b;
        break;
    case OP_SUB:
        *out = a - b;
        break;
    case OP_MUL:
        *out = a * b;
        break;
    case OP_DIV:
        if (!b)
            return false;
        *out = a / b;
        break;
    case OP_MOD:
        if (!b)
            return false;
        *out = a % b;
        break;
    case OP_SHL:
        *out = b < BITS ? a << b : 0;
        break;
    case OP_SHR:
        *out = b < BITS ? a >> b : 0;
        break;
    case OP_AND:
        *out = a & b;
        break;
    case OP_OR:
        *out = a | b;
        break;
    case OP_XOR:
        *out = a ^ b;
        break;
    case OP_LT:
        *out = a < b;
        break;
    case OP_LE:
        *out = a <= b;
        break;
    case OP_GT:
        *out = a > b;
        break;
    case OP_GE:
        *out = a >= b;
        break;
    case OP_EQ:
        *out = a == b;
        break;
    case OP_NE:
        *out = a != b;
        break;
    default:
        *out = a;
        break;
    }
    return true;
}

static bool gives_truth(enum expr_op op)
{
    return op >= OP_LT && op <= OP_NE;
}

static struct value binary(struct placing *p, const struct expr *e)
{
    struct value a = expr_value(p, e->arg[0]), result = {.kind = VALUE_NUMBER}, b;
    bool same, with_number;

    if (a.kind == VALUE_WRONG)
        return a;
    if (e->op == OP_LAND && !expr_address(&a))
        return number(0);
    if (e->op == OP_LOR && expr_address(&a))
        return number(1);
    b = expr_value(p, e->arg[1]);
    if (b.kind == VALUE_WRONG)
        return b;
    if (e->op == OP_LAND || e->op == OP_LOR)
        return number(expr_address(&b) != 0);
    same = a.kind == VALUE_RELATIVE && b.kind == VALUE_RELATIVE && a.section == b.section;
    with_number = (a.kind == VALUE_RELATIVE && b.kind == VALUE_NUMBER) ||
                  (b.kind == VALUE_RELATIVE && a.kind == VALUE_NUMBER);
    if (with_number) {
        result.kind = VALUE_RELATIVE;
        result.section = a.kind == VALUE_RELATIVE ? a.section : b.section;
    } else if (!same && (a.kind != VALUE_NUMBER || b.kind != VALUE_NUMBER)) {
        bool numbers = p->in && a.kind != VALUE_NUMBER && b.kind != VALUE_NUMBER;

        result.kind = numbers ? VALUE_NUMBER : VALUE_ABSOLUTE;
        a.number = expr_address(&a);
        b.number = expr_address(&b);
    }
    result.distance =
        result.kind == VALUE_NUMBER && (a.distance || b.distance || a.kind != VALUE_NUMBER);
    if (!compute(e->op, a.number, b.number, &result.number))
        return REFUSE(p, SCRIPT_EXPRESSION, e->loc, "division by zero");
    return gives_truth(e->op) ? number(result.number) : result;
}

static struct value unary(struct placing *p, const struct expr *e)
{
    struct value v = expr_value(p, e->arg[0]);

    if (v.kind == VALUE_WRONG)
        return v;
    switch (e->op) {
    case OP_NEG:
        v.number = -v.number;
        break;
    case OP_INVERT:
        v.number = ~v.number;
        break;
    case OP_NOT:
        return number(!expr_address(&v));
    default:
        break;
    }
    return v;
}

/* ---- names ---- */

static struct value in_section(struct out_section *section, uint64_t address)
{
    return (struct value){
        .kind = VALUE_RELATIVE, .number = address - section->address, .section = section};
}

/* What the linker, --defsym or the script gave it. */
static struct value special_symbol(const struct link_symbol *s)
{
    if (s->base)
        return in_section(s->base, s->value);
    return s->is_number ? number(s->value) : absolute(s->value);
}

/* In `x = DEFINED(x) ? x : 5` x is what objects and --defsym say: the script has not come to it. */
static enum link_state state_now(const struct placing *p, const struct link_symbol *s)
{
    return s->assigned && s->round != p->round ? s->below : s->state;
}

static struct value symbol(struct placing *p, const struct expr *e)
{
    const struct link_symbol *s = link_find_symbol(p->linker, e->name);
    enum link_state state = s ? state_now(p, s) : LINK_UNDEFINED;
    const struct obj_symbol *own;
    const struct piece *piece;

    if (state == LINK_UNDEFINED && s && s->assigned && s != p->assigned)
        return special_symbol(s); /* of a later statement: as the round before left it */
    if (state == LINK_UNDEFINED && s && s->weak && s->unit)
        return number(0);
    if (state == LINK_UNDEFINED || state == LINK_COMMON)
        return REFUSE(p, UNDEFINED_SYMBOL, e->loc, "undefined symbol '%s'", e->name);
    if (state == LINK_SPECIAL)
        return special_symbol(s);
    own = &s->unit->object->symbols.item[s->index];
    if (own->section < 0)
        return number(own->value);
    piece = &s->unit->pieces[own->section];
    if (!piece->out)
        return REFUSE(p, DISCARDED_SECTION, e->loc,
                      "symbol '%s' is in a section that was discarded", e->name);
    return in_section(piece->out, piece->out->address + link_piece_offset(piece, own->value));
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) / align * align : value;
}

/* Of `.`, or of the first value when there are two. */
static struct value align(struct placing *p, const struct expr *e)
{
    const struct expr *by = e->arg[1] ? e->arg[1] : e->arg[0];
    struct value v = e->arg[1] ? expr_value(p, e->arg[0]) : relative_to(p, p->dot);
    uint64_t to = expr_number(p, by, 1);

    if (v.kind == VALUE_RELATIVE)
        v.number = align_up(expr_address(&v), to) - v.section->address;
    else if (v.kind != VALUE_WRONG)
        v.number = align_up(v.number, to);
    return v;
}

static struct value of_section(struct placing *p, const struct expr *e)
{
    const struct out_section *s = link_find_section(p->linker, e->name);

    if (!s) {
        if (e->op == CALL_SIZEOF)
            return number(0); /* as in GNU ld: a section that has nothing in it */
        return REFUSE(p, SCRIPT_EXPRESSION, e->loc, "there is no output section '%s'", e->name);
    }
    switch (e->op) {
    case CALL_ADDR:
        return absolute(s->address);
    case CALL_LOADADDR:
        return absolute(s->address + s->load_delta);
    case CALL_ALIGNOF:
        return number(s->align);
    default:
        return number(s->size);
    }
}

static struct value of_region(struct placing *p, const struct expr *e)
{
    const struct region *m = script_find_region(&p->linker->script, e->name);

    if (!m)
        return REFUSE(p, UNKNOWN_REGION, e->loc, "MEMORY describes no region '%s'", e->name);
    return e->op == CALL_ORIGIN ? absolute(m->start) : number(m->size);
}

static bool is_defined(const struct placing *p, const char *name)
{
    const struct link_symbol *s = link_find_symbol(p->linker, name);

    return s && state_now(p, s) != LINK_UNDEFINED;
}

static uint64_t log2_ceil(uint64_t n)
{
    uint64_t bits = 0;

    while (bits < 63 && (UINT64_C(1) << bits) < n)
        bits++;
    return bits;
}

static struct value segment_start(struct placing *p, const struct expr *e)
{
    static const struct {
        const char *segment, *section;
    } known[] = {{"text-segment", ".text"}, {"data-segment", ".data"}, {"bss-segment", ".bss"}};
    uint64_t address;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(e->name, known[i].segment) &&
            link_fixed_address(p->linker, known[i].section, &address))
            return absolute(address);
    return expr_value(p, e->arg[0]);
}

static struct value larger(struct placing *p, const struct expr *e)
{
    struct value a = expr_value(p, e->arg[0]), b = expr_value(p, e->arg[1]);
    bool first = (expr_address(&a) >= expr_address(&b)) == (e->op == CALL_MAX);

    return a.kind == VALUE_WRONG ? a : b.kind == VALUE_WRONG ? b : first ? a : b;
}

static struct value check(struct placing *p, const struct expr *e)
{
    struct value v = expr_value(p, e->arg[0]);

    if (v.kind != VALUE_WRONG && !expr_address(&v) && p->report)
        diag_report(p->linker->diag, DIAG_SCRIPT_ASSERT, e->loc, "%s", e->name);
    return v;
}

static struct value call(struct placing *p, const struct expr *e)
{
    struct value v;

    switch ((enum expr_call)e->op) {
    case CALL_ADDR:
    case CALL_ALIGNOF:
    case CALL_LOADADDR:
    case CALL_SIZEOF:
        return of_section(p, e);
    case CALL_LENGTH:
    case CALL_ORIGIN:
        return of_region(p, e);
    case CALL_ALIGN:
        return align(p, e);
    case CALL_SEGMENT_ALIGN:
        return relative_to(p, align_up(p->dot, MAX_PAGE));
    case CALL_SEGMENT_START:
        return segment_start(p, e);
    case CALL_MAX:
    case CALL_MIN:
        return larger(p, e);
    case CALL_RELRO_END:
        return expr_value(p, e->arg[1]);
    case CALL_ASSERT:
        return check(p, e);
    case CALL_DEFINED:
        return number(is_defined(p, e->name));
    case CALL_CONSTANT:
        return number(MAX_PAGE); /* MAXPAGESIZE and COMMONPAGESIZE */
    case CALL_LOG2CEIL:
        v = expr_value(p, e->arg[0]);
        return v.kind == VALUE_WRONG ? v : number(log2_ceil(expr_address(&v)));
    case CALL_ABSOLUTE:
        v = expr_value(p, e->arg[0]);
        return v.kind == VALUE_WRONG ? v : absolute(expr_address(&v));
    }
    return wrong();
}

struct value expr_value(struct placing *p, const struct expr *e)
{
    struct value v;

    switch ((enum expr_kind)e->kind) {
    case EXPR_NUMBER:
        return number(e->number);
    case EXPR_NAME:
        return symbol(p, e);
    case EXPR_DOT:
        return relative_to(p, p->dot);
    case EXPR_UNARY:
        return unary(p, e);
    case EXPR_BINARY:
        return binary(p, e);
    case EXPR_CHOICE:
        v = expr_value(p, e->arg[0]);
        return v.kind == VALUE_WRONG ? v : expr_value(p, e->arg[expr_address(&v) ? 1 : 2]);
    case EXPR_CALL:
        return call(p, e);
    }
    return wrong();
}

uint64_t expr_number(struct placing *p, const struct expr *e, uint64_t otherwise)
{
    struct value v;

    if (!e)
        return otherwise;
    v = expr_value(p, e);
    return v.kind == VALUE_WRONG ? otherwise : expr_address(&v);
}

/* Names of sections, regions and of DEFINED are no references. */
void expr_walk_names(const struct expr *e, void (*visit)(void *ctx, const char *name), void *ctx)
{
    if (!e)
        return;
    if (e->kind == EXPR_NAME)
        visit(ctx, e->name);
    for (size_t i = 0; i < sizeof e->arg / sizeof *e->arg; i++)
        expr_walk_names(e->arg[i], visit, ctx);
}
