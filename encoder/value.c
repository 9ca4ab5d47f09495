/* SPDX-License-Identifier: BSD-3-Clause */
/* One operand's expression to field values: names, modifiers, shifts, sizes, numbers. */
#include "encoder/match.h"
#include "encoder/seq.h"
#include "support/decimal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINARY_DIGITS = 4, MAX_INDEXED_NAME = 16 };

/* binary32 */
static const uint32_t SIGN_BIT = 0x80000000, INFINITY_BITS = 0x7f800000;

void put_value(struct attempt *a, unsigned field, unsigned element, uint64_t value)
{
    a->out->insn.value[a->form->fields[field].index + element] = value;
}

/* Exactly four characters of [01] are binary, in a mask or a size (docs/language.md). */
static bool binary4(const struct ast_expr *expr, int64_t *value)
{
    if (expr->op != AST_NUMBER || !expr->text || strlen(expr->text) != BINARY_DIGITS)
        return false;
    *value = 0;
    for (const char *p = expr->text; *p; p++) {
        if (*p != '0' && *p != '1')
            return false;
        *value = *value * 2 + (*p - '0');
    }
    return true;
}

/* R[3] is R3. */
static const struct isa_member *find_indexed(const struct isa_enumeration *e,
                                             const struct ast_expr *expr, isa_revset revs)
{
    char name[MAX_INDEXED_NAME];
    if (expr->left->op != AST_NAME || expr->right->op != AST_NUMBER || expr->right->number < 0)
        return NULL;
    int n = snprintf(name, sizeof name, "%s%lld", expr->left->text, (long long)expr->right->number);
    return n > 0 && (size_t)n < sizeof name ? isa_find_member(e, name, (size_t)n, revs) : NULL;
}

const struct isa_member *find_member_expr(const struct isa_enumeration *e,
                                          const struct ast_expr *expr, isa_revset revs)
{
    if (expr->op == AST_INDEX)
        return find_indexed(e, expr, revs);
    if (expr->op != AST_NAME && !(expr->op == AST_NUMBER && expr->text))
        return NULL;
    return isa_find_hashed_member(e, intern_hash(expr->text), expr->text, intern_length(expr->text),
                                  revs);
}

static void put_composite(struct attempt *a, const struct isa_operand *op, uint64_t value)
{
    unsigned width = a->form->fields[op->field[1]].width;
    put_value(a, op->field[0], 0, value >> width);
    put_value(a, op->field[1], 0, value & (((uint64_t)1 << width) - 1));
}

bool add_pending(struct attempt *a, struct pending p)
{
    if (a->npending == MAX_PENDING)
        return fail(a, FAIL_SURPLUS, &a->slot[p.slot], p.operand);
    for (unsigned i = 0; i < a->npending; i++)
        if (a->pending[i].field == p.field && a->pending[i].element == p.element)
            p.shared = true;
    a->pending[a->npending++] = p;
    return true;
}

/* ---- modifiers: a1.uw, u#1.neg ---- */

static uint64_t unmodified(const struct isa_enumeration *e, isa_revset revs)
{
    const struct isa_member *none = isa_find_member(e, "", 0, revs);
    return none ? none->value : 0;
}

/* Splits `name.modifier` and stores both; false without a failure when it is none. */
static bool bind_modified(struct attempt *a, const struct isa_operand *op, unsigned field,
                          const struct ast_expr *expr)
{
    const char *dot = expr->op == AST_NAME ? strrchr(expr->text, '.') : NULL;
    if (op->modifier == ISA_NO_FIELD || !dot)
        return false;
    const struct isa_enumeration *base = field_enumeration(&a->form->fields[field]);
    const struct isa_enumeration *mods = field_enumeration(&a->form->fields[op->modifier]);
    if (!base || !mods)
        return false;
    const struct isa_member *b =
        isa_find_member(base, expr->text, (size_t)(dot - expr->text), a->revs);
    const struct isa_member *m = isa_find_member(mods, dot + 1, strlen(dot + 1), a->revs);
    if (!b || !m)
        return false;
    put_value(a, field, 0, b->value);
    put_value(a, op->modifier, 0, m->value);
    return true;
}

/* ---- shifts: a1<<3 ---- */

static bool takes_shift(const struct isa_operand *op)
{
    return op->shift != ISA_NO_FIELD || op->fixed_shift;
}

static bool bind_shift(struct attempt *a, const struct isa_operand *op, const struct slot *s,
                       const struct ast_expr *amount)
{
    if (op->shift != ISA_NO_FIELD) {
        struct pending p = {.field = op->shift,
                            .slot = (uint8_t)(s - a->slot),
                            .raw = true,
                            .operand = op,
                            .expr = amount};
        return add_pending(a, p);
    }
    if (amount->op == AST_NUMBER && amount->number == op->fixed_shift)
        return true;
    fail_expr(a, FAIL_SHIFT, s, op, amount);
    a->fail.min = op->fixed_shift;
    return false;
}

/* ---- sizes: ->U<7>, ->u<8KB>, size=1 ---- */

bool bind_size(struct attempt *a, const struct isa_operand *op, const struct slot *s,
               const struct ast_expr *expr)
{
    const struct isa_enumeration *e = field_enumeration(&a->form->fields[op->size]);
    const struct isa_member *m = e ? find_member_expr(e, expr, a->revs) : NULL;
    int64_t number;
    struct pending p = {.field = op->size,
                        .slot = (uint8_t)(s - a->slot),
                        .raw = true,
                        .operand = op,
                        .expr = expr};
    if (m) {
        put_value(a, op->size, 0, m->value);
        return true;
    }
    if (binary4(expr, &number))
        return store_number(a, &p, number);
    return add_pending(a, p);
}

/* ---- values ---- */

/* A name that is neither a member nor can be a symbol. */
static bool only_names(const struct isa_field *f)
{
    return f->kind == ISA_KIND_ENUM && !isa_enumerations[f->enumeration - 1].numeric;
}

const struct isa_enumeration *operand_names(const struct attempt *a, const struct isa_operand *op)
{
    return op->enumeration ? &isa_enumerations[op->enumeration - 1]
                           : field_enumeration(&a->form->fields[op->field[0]]);
}

bool value_fits(const struct attempt *a, const struct isa_operand *op, const struct ast_expr *expr)
{
    if (op->field[0] == ISA_NO_FIELD)
        return false;
    const struct isa_enumeration *e = operand_names(a, op);
    if (e && find_member_expr(e, expr, a->revs))
        return true;
    if (op->enumeration || only_names(&a->form->fields[op->field[0]]))
        return false;
    return expr->op != AST_NAME || !e || op->modifier != ISA_NO_FIELD;
}

/* A key whose place no source gives: only its default is accepted. */
static bool fail_fixed(struct attempt *a, const struct isa_operand *op, const struct slot *s,
                       const struct ast_expr *expr)
{
    fail_expr(a, FAIL_FIXED, s, op, expr);
    a->fail.value = op->dflt;
    return false;
}

/* A number where only names are legal: a mask without a code, or a plain mistake. */
static enum failure_kind not_member(const struct isa_enumeration *e, const struct ast_expr *expr)
{
    int64_t number;
    bool of_digits = e && e->count && isdigit((unsigned char)e->members[0].name[0]);
    if (expr->op == AST_NAME)
        return FAIL_MEMBER;
    return of_digits && binary4(expr, &number) ? FAIL_MASK : FAIL_CLASS;
}

bool bind_field(struct attempt *a, const struct isa_operand *op, unsigned field, unsigned element,
                const struct slot *s, const struct ast_expr *expr)
{
    const struct isa_field *f = &a->form->fields[field];
    const struct isa_enumeration *e = field_enumeration(f);
    const struct isa_member *m = e ? find_member_expr(e, expr, a->revs) : NULL;
    if (m) {
        put_value(a, field, element, m->value);
        return true;
    }
    if (only_names(f) || (expr->op == AST_NAME && f->kind == ISA_KIND_ENUM))
        return fail_expr(a, not_member(e, expr), s, op, expr);
    struct pending p = {.field = (uint8_t)field,
                        .element = (uint8_t)element,
                        .slot = (uint8_t)(s - a->slot),
                        .operand = op,
                        .expr = expr};
    return add_pending(a, p);
}

/* One name over two fields: a tile operation, a branch hint. */
static bool bind_composite(struct attempt *a, const struct isa_operand *op, const struct slot *s,
                           const struct ast_expr *expr)
{
    const struct isa_enumeration *e = &isa_enumerations[op->enumeration - 1];
    const struct isa_member *m = find_member_expr(e, expr, a->revs);
    if (!m)
        return fail_expr(a, expr->op == AST_NAME ? FAIL_MEMBER : FAIL_CLASS, s, op, expr);
    put_composite(a, op, m->value);
    return true;
}

bool bind_value(struct attempt *a, const struct isa_operand *op, const struct slot *s,
                const struct ast_expr *expr)
{
    unsigned field = op->field[0];
    if (field == ISA_NO_FIELD)
        return expr->op == AST_NUMBER && expr->number == op->dflt ? true
                                                                  : fail_fixed(a, op, s, expr);
    if (op->field[1] != ISA_NO_FIELD)
        return bind_composite(a, op, s, expr);
    const struct ast_expr *base = expr;
    if (takes_shift(op) && expr->op == AST_SHL && !expr->parenthesised) {
        base = expr->left;
        if (!bind_shift(a, op, s, expr->right))
            return false;
    } else if (op->shift != ISA_NO_FIELD) {
        put_value(a, op->shift, 0, 0);
    }
    if (bind_modified(a, op, field, base))
        return true;
    if (op->modifier != ISA_NO_FIELD)
        put_value(a, op->modifier, 0,
                  unmodified(field_enumeration(&a->form->fields[op->modifier]), a->revs));
    return bind_field(a, op, field, 0, s, base);
}

void bind_defaults(struct attempt *a, const struct isa_operand *op)
{
    if (op->field[0] == ISA_NO_FIELD)
        return;
    if (op->form == ISA_OPERAND_VALUE && op->field[1] != ISA_NO_FIELD)
        put_composite(a, op, (uint64_t)op->dflt);
    else if (op->form == ISA_OPERAND_VALUE)
        put_value(a, op->field[0], 0, (uint64_t)op->dflt);
    if (op->modifier != ISA_NO_FIELD)
        put_value(a, op->modifier, 0,
                  unmodified(field_enumeration(&a->form->fields[op->modifier]), a->revs));
}

/* ---- numbers ---- */

static bool fail_number(struct attempt *a, enum failure_kind kind, const struct pending *p,
                        int64_t number)
{
    fail_expr(a, kind, &a->slot[p->slot], p->operand, p->expr);
    a->fail.field = p->field;
    a->fail.value = number;
    return false;
}

bool store_number(struct attempt *a, const struct pending *p, int64_t number)
{
    const struct isa_field *f = &a->form->fields[p->field];
    struct limits l = text_limits(f, p->raw ? 1 : p->operand->scale, p->raw ? 0 : p->operand->bias);
    bool inside = number >= l.min && number <= l.max;
    if (!inside || (number - l.bias) % l.step) {
        fail_number(a, inside ? FAIL_STEP : FAIL_RANGE, p, number);
        a->fail.min = l.min;
        a->fail.max = l.max;
        a->fail.step = l.step;
        return false;
    }
    put_value(a, p->field, p->element, (uint64_t)((number - l.bias) / l.scale));
    return true;
}

/* Register names are reserved in operand position (docs/language.md). */
static bool is_register(const struct attempt *a, const struct ast_expr *expr)
{
    const struct isa_enumeration *registers =
        &isa_enumerations[a->form->set == ISA_SET_SEQ ? ISA_ENUM_SeqRegister
                                                      : ISA_ENUM_ScalarSource];
    return expr->op == AST_NAME &&
           isa_find_member(registers, expr->text, strlen(expr->text), a->revs) != NULL;
}

/* R64, R[64]: meant as a register, whatever symbols there are. */
static bool is_missing_register(const struct attempt *a, const struct ast_expr *expr)
{
    if (a->form->set != ISA_SET_SEQ)
        return false;
    if (expr->op == AST_INDEX)
        return true;
    return expr->op == AST_NAME && (expr->text[0] == 'R' || expr->text[0] == 'r') &&
           expr->text[1] && !expr->text[1 + strspn(expr->text + 1, "0123456789")];
}

static bool fail_register(struct attempt *a, const struct pending *p)
{
    fail_expr(a, FAIL_SEQ, &a->slot[p->slot], p->operand, p->expr);
    a->fail.code = DIAG_OPERAND_NAME;
    a->fail.message = "no such register; there are R0..R63, PC.LO and PC.HI";
    return false;
}

static bool add_fixup(struct attempt *a, const struct pending *p)
{
    struct isa_match *out = a->out;
    const struct isa_field *f = &a->form->fields[p->field];
    if (f->enumeration && !f->reloc &&
        p->expr->op == AST_NAME) { /* mistyped rather than a symbol */
        fail_expr(a, FAIL_MEMBER, &a->slot[p->slot], p->operand, p->expr);
        a->fail.field = p->field;
        a->fail.rank += MAX_SLOTS; /* every operand had its place */
        return false;
    }
    if (out->nfixups == ISA_MAX_FIXUPS)
        return fail_expr(a, FAIL_MANY_FIXUPS, &a->slot[p->slot], p->operand, p->expr);
    put_value(a, p->field, p->element, 0);
    out->fixup[out->nfixups++] =
        (struct isa_fixup){.field = p->field,
                           .element = p->element,
                           .operand_scale = p->raw ? 1 : p->operand->scale,
                           .operand_bias = p->raw ? 0 : p->operand->bias,
                           .reloc = f->reloc ? &isa_relocs[f->reloc - 1] : NULL,
                           .expr = p->expr};
    return true;
}

/* Wait threshold and update immediate of one record share a word: equal, or one of them zero. */
static bool store_shared(struct attempt *a, const struct pending *p, int64_t number)
{
    uint64_t *word = &a->out->insn.value[a->form->fields[p->field].index];
    uint64_t before = *word;
    if (!store_number(a, p, number))
        return false;
    if (!p->shared || before == *word)
        return true;
    if ((!before || !*word) && a->m->diag)
        diag_report(a->m->diag, DIAG_SEQ_SHARED_WORD, a->slot[p->slot].loc,
                    "%s: the wait threshold and the update value share one word: both are %llu",
                    a->spelling->mnemonic, (unsigned long long)(before | *word));
    if (!before)
        return true;
    if (*word) {
        fail_number(a, FAIL_SEQ, p, number);
        a->fail.code = DIAG_SEQ_EVENT;
        a->fail.message = "the wait threshold and the update value share one word and differ";
        return false;
    }
    *word = before;
    return true;
}

/* ---- immediates typed by the record's dtype ---- */

/* The words that .float takes too; a symbol of such a name is quoted. NULL: none of them. */
static const uint32_t *float_word(const struct ast_expr *expr)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } words[] = {{"inf", 0x7f800000}, {"infinity", 0x7f800000}, {"nan", 0x7fc00000}};
    for (size_t i = 0; expr->op == AST_NAME && i < sizeof words / sizeof *words; i++)
        if (equal_folded(expr->text, strlen(expr->text), words[i].name, strlen(words[i].name)))
            return &words[i].bits;
    return NULL;
}

/* True when the words stand behind signs alone. */
static bool is_float_word(const struct ast_expr *expr)
{
    while (expr->op == AST_NEG || expr->op == AST_PLUS)
        expr = expr->left;
    return float_word(expr) != NULL;
}

/* Correctly rounded to binary32: the decimal text goes straight to the narrow format. */
static bool float_bits(const struct ast_expr *expr, uint32_t *bits)
{
    float value;
    if (expr->op == AST_NEG || expr->op == AST_PLUS) {
        if (!float_bits(expr->left, bits))
            return false;
        *bits ^= expr->op == AST_NEG ? SIGN_BIT : 0;
        return true;
    }
    const uint32_t *word = float_word(expr);
    if (word) {
        *bits = *word;
        return true;
    }
    bool decimal = expr->text && strspn(expr->text, "0123456789.eE+-") == strlen(expr->text);
    if (expr->op != AST_FLOAT && !(expr->op == AST_NUMBER && decimal))
        return false;
    value = decimal_to_float(expr->text, NULL);
    memcpy(bits, &value, sizeof *bits);
    return true;
}

static bool has_float(const struct ast_expr *expr)
{
    return expr->op == AST_FLOAT || ((expr->op == AST_NEG || expr->op == AST_PLUS) &&
                                     (has_float(expr->left) || is_float_word(expr->left)));
}

static bool fail_typed(struct attempt *a, const struct pending *p, int64_t number,
                       const struct limits *l)
{
    fail_number(a, FAIL_RANGE, p, number);
    a->fail.min = l->min;
    a->fail.max = l->max;
    return false;
}

static bool fail_infinite(struct attempt *a, const struct pending *p)
{
    fail_number(a, FAIL_SEQ, p, 0);
    a->fail.code = DIAG_FIELD_RANGE;
    a->fail.message = "the number is too large for FP32; write infinity as 0x7f800000";
    return false;
}

static bool fail_real(struct attempt *a, const struct pending *p)
{
    fail_number(a, FAIL_SEQ, p, 0);
    a->fail.code = DIAG_OPERAND_CLASS;
    a->fail.message = "a number with a fraction or exponent, inf and nan need dtype FP32";
    return false;
}

/* Under FP32 decimal numbers are values and all other constants raw bits. */
static bool evaluate_typed(struct attempt *a, const struct pending *p)
{
    struct seq_type t = seq_type_of(&a->out->insn, a->revs);
    struct limits l = seq_type_limits(&t);
    uint32_t bits;
    int64_t number = 0;
    if (t.is_float && t.bits == 32 && float_bits(p->expr, &bits)) {
        put_value(a, p->field, p->element, bits);
        return (bits & INFINITY_BITS) != INFINITY_BITS || is_float_word(p->expr) ||
               fail_infinite(a, p);
    }
    if (has_float(p->expr))
        return fail_real(a, p);
    switch (a->m->eval(a->m->ctx, p->expr, &number)) {
    case ISA_VALUE_SYMBOLIC:
        return add_fixup(a, p);
    case ISA_VALUE_ERROR:
        return fail_expr(a, FAIL_REPORTED, &a->slot[p->slot], p->operand, p->expr);
    case ISA_VALUE_CONSTANT:
        break;
    }
    if (number < l.min || number > l.max)
        return fail_typed(a, p, number, &l);
    put_value(a, p->field, p->element, (uint64_t)number & seq_type_mask(&t));
    return true;
}

static bool evaluate(struct attempt *a, const struct pending *p)
{
    int64_t number = 0;
    if (p->is_number)
        return store_shared(a, p, p->number);
    if (is_register(a, p->expr))
        return fail_expr(a, FAIL_REGISTER, &a->slot[p->slot], p->operand, p->expr);
    if (is_missing_register(a, p->expr))
        return fail_register(a, p);
    if (a->form->fields[p->field].kind == ISA_KIND_FLOAT)
        return evaluate_typed(a, p);
    if (p->expr->op == AST_NUMBER)
        return store_shared(a, p, p->expr->number);
    switch (a->m->eval(a->m->ctx, p->expr, &number)) {
    case ISA_VALUE_CONSTANT:
        return store_shared(a, p, number);
    case ISA_VALUE_SYMBOLIC:
        return add_fixup(a, p);
    case ISA_VALUE_ERROR:
        break;
    }
    return fail_expr(a, FAIL_REPORTED, &a->slot[p->slot], p->operand, p->expr);
}

bool evaluate_pending(struct attempt *a)
{
    for (unsigned i = 0; i < a->npending; i++)
        if (!evaluate(a, &a->pending[i]))
            return false;
    return true;
}
