/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions: 64-bit two's complement numbers and places in sections.
 *
 * Operators, precedence and results are those of C on int64_t (a true
 * comparison is 1; a shift by 64 or more leaves only sign bits or zero), but
 * overflow wraps. A place plus or minus a number is a place; two places of one
 * section have a difference and an order. What mentions something that is not
 * defined yet is VALUE_LATER and is evaluated again behind the last line.
 */
#include "asm/assembler.h"

#include <string.h>

/* Operators of one precedence chain into a tree as deep as the source is long. */
enum { MAX_DEPTH = 4096 };

static struct value eval(struct assembler *as, const struct ast_expr *e, unsigned depth);

static struct value absolute(int64_t number)
{
    return (struct value){.kind = VALUE_ABSOLUTE, .number = number};
}

static struct value failed(void)
{
    return (struct value){.kind = VALUE_ERROR};
}

/* ---- operators on numbers ---- */

static int64_t fold_mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t fold_div(int64_t a, int64_t b)
{
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t fold_mod(int64_t a, int64_t b)
{
    return b == -1 ? 0 : a % b;
}

static int64_t fold_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t fold_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t fold_shl(int64_t a, int64_t b)
{
    return (uint64_t)b > 63 ? 0 : (int64_t)((uint64_t)a << b);
}

static int64_t fold_shr(int64_t a, int64_t b)
{
    return a >> ((uint64_t)b > 63 ? 63 : b);
}

static int64_t fold_lt(int64_t a, int64_t b)
{
    return a < b;
}

static int64_t fold_le(int64_t a, int64_t b)
{
    return a <= b;
}

static int64_t fold_gt(int64_t a, int64_t b)
{
    return a > b;
}

static int64_t fold_ge(int64_t a, int64_t b)
{
    return a >= b;
}

static int64_t fold_eq(int64_t a, int64_t b)
{
    return a == b;
}

static int64_t fold_ne(int64_t a, int64_t b)
{
    return a != b;
}

static int64_t fold_and(int64_t a, int64_t b)
{
    return a & b;
}

static int64_t fold_xor(int64_t a, int64_t b)
{
    return a ^ b;
}

static int64_t fold_or(int64_t a, int64_t b)
{
    return a | b;
}

struct binary {
    const char *text;
    int64_t (*fold)(int64_t a, int64_t b);
    bool places; /* two places of one section may be compared */
};

static const struct binary binaries[] = {
    [AST_MUL] = {"*", fold_mul, false},  [AST_DIV] = {"/", fold_div, false},
    [AST_MOD] = {"%", fold_mod, false},  [AST_ADD] = {"+", fold_add, false},
    [AST_SUB] = {"-", fold_sub, false},  [AST_SHL] = {"<<", fold_shl, false},
    [AST_SHR] = {">>", fold_shr, false}, [AST_LT] = {"<", fold_lt, true},
    [AST_LE] = {"<=", fold_le, true},    [AST_GT] = {">", fold_gt, true},
    [AST_GE] = {">=", fold_ge, true},    [AST_EQ] = {"==", fold_eq, true},
    [AST_NE] = {"!=", fold_ne, true},    [AST_AND] = {"&", fold_and, false},
    [AST_XOR] = {"^", fold_xor, false},  [AST_OR] = {"|", fold_or, false},
};

/* ---- operators on places ---- */

static bool is_place(const struct value *v)
{
    return v->kind == VALUE_PLACE || v->kind == VALUE_EXTERNAL;
}

static bool same_section(const struct value *a, const struct value *b)
{
    return a->kind == VALUE_PLACE && b->kind == VALUE_PLACE && a->section == b->section &&
           !a->minus && !b->minus;
}

/* Two places of one section between which the size of something is not settled. */
static bool is_open(const struct assembler *as, const struct value *a, const struct value *b)
{
    return !as->laid_out && a->points != b->points;
}

static struct value distance(const struct assembler *as, const struct value *a,
                             const struct value *b, int64_t number)
{
    if (is_open(as, a, b))
        return (struct value){.kind = VALUE_LATER, .section = a->section};
    return absolute(number);
}

static struct value not_a_number(struct assembler *as, const struct ast_expr *e, const char *text)
{
    diag_report(as->diag, DIAG_EXPRESSION_RELOCATABLE, e->loc,
                "the operands of '%s' must be numbers or places in one section", text);
    return failed();
}

static struct value add(struct assembler *as, const struct ast_expr *e, struct value a,
                        struct value b)
{
    if (is_place(&a) && is_place(&b))
        return not_a_number(as, e, "+");
    struct value *place = is_place(&a) ? &a : &b;
    place->number = fold_add(a.number, b.number);
    return *place;
}

static struct value subtract(struct assembler *as, const struct ast_expr *e, struct value a,
                             struct value b)
{
    if (b.kind == VALUE_ABSOLUTE) {
        a.number = fold_sub(a.number, b.number);
        return a;
    }
    if (same_section(&a, &b))
        return distance(as, &a, &b, fold_sub(a.number, b.number));
    if (a.kind == VALUE_EXTERNAL && b.kind == VALUE_EXTERNAL && a.symbol == b.symbol && !a.minus &&
        !b.minus)
        return absolute(fold_sub(a.number, b.number));
    if (a.kind == VALUE_ABSOLUTE || a.minus || b.minus || b.kind != VALUE_PLACE) {
        diag_report(as->diag, DIAG_EXPRESSION_RELOCATABLE, e->loc,
                    b.kind == VALUE_EXTERNAL ? "'%s' is not defined here and cannot be subtracted"
                                             : "a place cannot be subtracted from a number%.0s",
                    b.kind == VALUE_EXTERNAL ? b.symbol->name : "");
        return failed();
    }
    a.minus = b.section;
    a.minus_offset = (uint64_t)b.number;
    a.minus_points = b.points;
    return a;
}

static struct value combine(struct assembler *as, const struct ast_expr *e, struct value a,
                            struct value b)
{
    const struct binary *op = &binaries[e->op];
    if (a.kind == VALUE_ERROR || b.kind == VALUE_ERROR)
        return failed();
    if (a.kind == VALUE_LATER)
        return a;
    if (b.kind == VALUE_LATER)
        return b;
    if (is_place(&a) || is_place(&b)) {
        if (e->op == AST_ADD)
            return add(as, e, a, b);
        if (e->op == AST_SUB)
            return subtract(as, e, a, b);
        if (!op->places || !same_section(&a, &b))
            return not_a_number(as, e, op->text);
        return distance(as, &a, &b, op->fold(a.number, b.number));
    }
    if ((e->op == AST_DIV || e->op == AST_MOD) && b.number == 0) {
        diag_report(as->diag, DIAG_DIVISION_BY_ZERO, e->right->loc, "division by zero");
        return failed();
    }
    return absolute(op->fold(a.number, b.number));
}

/* ---- leaves and control ---- */

static struct value eval_unary(struct assembler *as, const struct ast_expr *e, unsigned depth)
{
    struct value v = eval(as, e->left, depth);
    if (v.kind == VALUE_ERROR || v.kind == VALUE_LATER || e->op == AST_PLUS)
        return v;
    if (v.kind != VALUE_ABSOLUTE)
        return not_a_number(as, e, e->op == AST_NEG ? "-" : e->op == AST_NOT ? "~" : "!");
    if (e->op == AST_NEG)
        return absolute(fold_sub(0, v.number));
    return absolute(e->op == AST_NOT ? ~v.number : !v.number);
}

/* The condition of ?:, && and ||: 0, 1 or why there is none. */
static struct value truth(struct assembler *as, const struct ast_expr *e, unsigned depth,
                          const char *text)
{
    struct value v = eval(as, e, depth);
    if (is_place(&v))
        return not_a_number(as, e, text);
    if (v.kind == VALUE_ABSOLUTE)
        v.number = v.number != 0;
    return v;
}

static struct value eval_logical(struct assembler *as, const struct ast_expr *e, unsigned depth)
{
    const char *text = e->op == AST_LAND ? "&&" : "||";
    struct value v = truth(as, e->left, depth, text);
    if (v.kind != VALUE_ABSOLUTE || v.number == (e->op == AST_LOR))
        return v;
    return truth(as, e->right, depth, text);
}

static struct value eval_conditional(struct assembler *as, const struct ast_expr *e, unsigned depth)
{
    struct value v = truth(as, e->left, depth, "?:");
    if (v.kind != VALUE_ABSOLUTE)
        return v;
    return eval(as, v.number ? e->right : e->third, depth);
}

/* Names end at a NUL, so that one with a NUL inside would be another's. */
bool asm_name_is_whole(struct assembler *as, const char *text, size_t size, struct loc loc)
{
    if (!memchr(text, '\0', size))
        return true;
    diag_report(as->diag, DIAG_BAD_STRING, loc, "the name of a symbol holds no NUL byte");
    return false;
}

static bool is_whole(struct assembler *as, const struct ast_expr *e)
{
    return e->op != AST_QUOTED || asm_name_is_whole(as, e->text, (size_t)e->number, e->loc);
}

static struct value eval_name(struct assembler *as, const struct ast_expr *e)
{
    if (!is_whole(as, e))
        return failed();
    struct symbol *symbol = asm_symbol(as, e->text);
    if (e->op == AST_NAME && symbol->is_register) {
        diag_report(as->diag, DIAG_REGISTER_IN_EXPRESSION, e->loc,
                    "'%s' is a register; write \"%s\" for a symbol of that name", e->text, e->text);
        return failed();
    }
    return asm_symbol_value(as, symbol, e->loc);
}

static struct value eval_dot(struct assembler *as)
{
    asm_settle(as, CLASS_ANY);
    return (struct value){.kind = VALUE_PLACE,
                          .section = as->section,
                          .number = (int64_t)asm_offset(as->section),
                          .points = (uint32_t)as->section->points.count};
}

static struct value eval_local(struct assembler *as, const struct ast_expr *e)
{
    struct symbol *symbol = asm_local_label(as, e);
    return symbol ? asm_symbol_value(as, symbol, e->loc) : failed();
}

static struct value misplaced(struct assembler *as, const struct ast_expr *e)
{
    static const char *const what[] = {
        [AST_FLOAT] = "a floating-point number",
        [AST_INDEX] = "an index",
        [AST_TPCREL_HI] = "%tpcrel_hi",
        [AST_TPCREL_LO] = "%tpcrel_lo",
    };
    diag_report(as->diag, DIAG_EXPRESSION_OPERAND, e->loc, "%s cannot stand in an expression here",
                what[e->op]);
    return failed();
}

static struct value eval(struct assembler *as, const struct ast_expr *e, unsigned depth)
{
    if (depth > MAX_DEPTH) {
        diag_report(as->diag, DIAG_EXPRESSION_DEPTH, e->loc,
                    "an expression nests deeper than %d operators", MAX_DEPTH);
        return failed();
    }
    switch (e->op) {
    case AST_NUMBER:
        return absolute(e->number);
    case AST_NAME:
    case AST_QUOTED:
        return eval_name(as, e);
    case AST_DOT:
        return eval_dot(as);
    case AST_LOCAL:
        return eval_local(as, e);
    case AST_NEG:
    case AST_NOT:
    case AST_LNOT:
    case AST_PLUS:
        return eval_unary(as, e, depth + 1);
    case AST_LAND:
    case AST_LOR:
        return eval_logical(as, e, depth + 1);
    case AST_COND:
        return eval_conditional(as, e, depth + 1);
    case AST_FLOAT:
    case AST_INDEX:
    case AST_TPCREL_HI:
    case AST_TPCREL_LO:
        return misplaced(as, e);
    default: {
        struct value a = eval(as, e->left, depth + 1);
        struct value b = eval(as, e->right, depth + 1);
        return combine(as, e, a, b);
    }
    }
}

struct value asm_eval(struct assembler *as, const struct ast_expr *expr)
{
    return eval(as, expr, 0);
}

bool asm_eval_number(struct assembler *as, const struct ast_expr *expr, const char *what,
                     int64_t *number)
{
    struct value v = asm_eval(as, expr);
    *number = v.number;
    if (v.kind == VALUE_ABSOLUTE)
        return true;
    if (v.kind == VALUE_LATER && v.section)
        diag_report(as->diag, DIAG_NOT_CONSTANT, expr->loc,
                    "%s must be known here, but spans instructions of section '%s' whose forms are "
                    "chosen later; '.option norelax' before them keeps them as written",
                    what, v.section->name);
    else if (v.kind == VALUE_LATER)
        diag_report(as->diag, DIAG_NOT_CONSTANT, expr->loc,
                    "%s must be known here, but uses a symbol that is defined later or nowhere",
                    what);
    else if (v.kind != VALUE_ERROR)
        diag_report(as->diag, DIAG_NOT_CONSTANT, expr->loc, "%s must be a number, not a place",
                    what);
    return false;
}

/* ---- capturing ---- */

static struct ast_expr *node(struct assembler *as, const struct ast_expr *at, uint8_t op)
{
    struct ast_expr *e = arena_alloc(as->arena, sizeof *e);
    e->op = op;
    e->loc = at->loc;
    return e;
}

static struct ast_expr *symbol_node(struct assembler *as, const struct ast_expr *at,
                                    const struct symbol *symbol)
{
    struct ast_expr *e = node(as, at, AST_QUOTED);
    e->text = symbol->name;
    return e;
}

static struct ast_expr *number_node(struct assembler *as, const struct ast_expr *at, int64_t number)
{
    struct ast_expr *e = node(as, at, AST_NUMBER);
    e->number = number;
    return e;
}

/* A .set symbol keeps the value it has here, whatever a later .set says. */
static struct ast_expr *capture_name(struct assembler *as, const struct ast_expr *from)
{
    if (!is_whole(as, from))
        return number_node(as, from, 0);
    struct symbol *symbol = asm_symbol(as, from->text);
    if (symbol->kind != SYMBOL_EQUATED || !symbol->redefinable)
        return symbol_node(as, from, symbol);
    if (!symbol->expr && symbol->value.kind == VALUE_ABSOLUTE)
        return number_node(as, from, symbol->value.number);
    return symbol_node(as, from, asm_snapshot(as, symbol));
}

const struct ast_expr *asm_capture(struct assembler *as, const struct ast_expr *from)
{
    if (!from)
        return NULL;
    switch (from->op) {
    case AST_NAME:
    case AST_QUOTED:
        return capture_name(as, from);
    case AST_DOT:
        return symbol_node(as, from, asm_here(as, from->loc));
    case AST_LOCAL: {
        struct symbol *symbol = asm_local_label(as, from);
        return symbol ? symbol_node(as, from, symbol) : number_node(as, from, 0);
    }
    default: {
        struct ast_expr *e = arena_copy(as->arena, from, sizeof *from);
        e->left = (struct ast_expr *)asm_capture(as, from->left);
        e->right = (struct ast_expr *)asm_capture(as, from->right);
        e->third = (struct ast_expr *)asm_capture(as, from->third);
        return e;
    }
    }
}
