/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparisons, choices and casts of numbers. Constants are folded; what stands
 * in registers is sign-extended, which keeps the order of signed and of
 * unsigned numbers alike, i1 is 0 or 1.
 */
#include "asm/lower.h"

#include <string.h>

enum { REGISTER_BITS = 64 };

/* ---- comparisons ---- */

/* Words: a CMP b, or b CMP a. */
static const struct predicate {
    const char *name, *mnemonic;
    bool swapped, is_unsigned;
} predicates[] = {
    {"eq", "CMP.EQ", false, false},  {"ne", "CMP.NE", false, false},
    {"slt", "CMP.LT", false, false}, {"sge", "CMP.GE", false, false},
    {"sgt", "CMP.LT", true, false},  {"sle", "CMP.GE", true, false},
    {"ult", "CMP.LTU", false, true}, {"uge", "CMP.GEU", false, true},
    {"ugt", "CMP.LTU", true, true},  {"ule", "CMP.GEU", true, true},
};

static const struct predicate *find_predicate(const char *name)
{
    const struct predicate *p = predicates;
    while (strcmp(p->name, name) != 0) /* the verifier knows no other */
        p++;
    return p;
}

static bool holds(const struct predicate *p, uint64_t a, uint64_t b)
{
    if (strcmp(p->mnemonic, "CMP.EQ") == 0)
        return a == b;
    if (strcmp(p->mnemonic, "CMP.NE") == 0)
        return a != b;
    bool less = p->is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    return p->mnemonic[4] == 'L' ? less : !less;
}

/* A true i1 is -1 as a signed number. */
static bool is_swapped(const struct predicate *p, const char *type)
{
    return p->swapped != (ptoas_bits(type) == 1 && !p->is_unsigned);
}

bool ptoas_compare(struct assembler *as, const struct op_form *form, const struct scalar *a,
                   const struct scalar *b, struct scalar *out)
{
    const struct predicate *p = find_predicate(ptoas_operand(form, "predicate", 0)->value->name);
    struct loc loc = form->stmt->loc;
    bool swapped = is_swapped(p, a->type);
    const struct scalar *left = swapped ? b : a, *right = swapped ? a : b;
    if (a->kind == SCALAR_INTEGER && b->kind == SCALAR_INTEGER) {
        *out = ptoas_integer(holds(p, left->number, right->number), "i1");
        return true;
    }
    uint64_t l = ptoas_in_register(as, left, "x2", loc);
    uint64_t r = ptoas_in_register(as, right, "x2", loc);
    *out = (struct scalar){.kind = SCALAR_REGISTER, .type = "i1"};
    out->reg = ptoas_take_register(as, loc);
    ptoas_emit_binary(as, p->mnemonic, l, r, out->reg, loc);
    return true;
}

/* ---- choices ---- */

/* Tiles are chosen by constants only; both numbers of a choice in registers are there already. */
static bool choose(struct assembler *as, const struct scalar *condition, const struct scalar *yes,
                   const struct scalar *no, struct loc loc, struct scalar *out)
{
    uint64_t left = ptoas_in_register(as, yes, "x2", loc);
    uint64_t right = ptoas_in_register(as, no, "x1", loc);
    *out = (struct scalar){.kind = SCALAR_REGISTER, .type = yes->type};
    out->reg = ptoas_take_register(as, loc);
    struct isa_insn insn = ptoas_insn(as, ISA_FORM_csel_32_ba77cbad3c99);
    isa_set_value(&insn, ISA_FIELD_SrcP, condition->reg);
    isa_set_value(&insn, ISA_FIELD_SrcL, left);
    isa_set_value(&insn, ISA_FIELD_SrcR, right);
    isa_set_value(&insn, ISA_FIELD_RegDst, out->reg);
    asm_emit_insn(as, &insn, loc);
    return true;
}

void ptoas_lower_select(struct assembler *as, const struct op_form *form)
{
    struct scalar condition, yes, no, chosen;
    if (!ptoas_scalar(as, ptoas_operand(form, "condition", 0), &condition))
        return;
    bool known = condition.kind == SCALAR_INTEGER;
    if (known) {
        if (!ptoas_scalar(as,
                          ptoas_operand(form, condition.number ? "true_value" : "false_value", 0),
                          &chosen))
            return;
    } else if (!ptoas_scalar(as, ptoas_operand(form, "true_value", 0), &yes) ||
               !ptoas_scalar(as, ptoas_operand(form, "false_value", 0), &no) ||
               !choose(as, &condition, &yes, &no, form->stmt->loc, &chosen)) {
        return;
    }
    ptoas_define_scalar(as, form->results[0].value->name, &chosen);
}

/* ---- casts ---- */

/* Values are extended by their type; a cast gives them another one. */
static void cast(struct assembler *as, const struct op_form *form, const struct scalar *from,
                 struct scalar *out)
{
    const char *type = ptoas_type_name(form->results[0].type);
    unsigned have = ptoas_bits(from->type), want = ptoas_bits(type);
    struct loc loc = form->stmt->loc;
    bool zero_extends = strcmp(form->row->name, "arith.extui") == 0 ||
                        strcmp(form->row->name, "arith.index_castui") == 0;
    bool narrows = want < have, negates = have == 1 && want > 1 && !zero_extends; /* true is -1 */
    *out = *from;
    out->type = type;
    if (from->kind == SCALAR_INTEGER) {
        uint64_t mask = have == REGISTER_BITS ? UINT64_MAX : (UINT64_C(1) << have) - 1;
        uint64_t number = zero_extends ? from->number & mask : from->number;
        *out = ptoas_integer(negates ? -number : number, type);
        return;
    }
    if (negates) {
        out->reg = ptoas_take_register(as, loc);
        ptoas_emit_binary(as, "SUB", ptoas_register(as, "zero"), from->reg, out->reg, loc);
        return;
    }
    if (!narrows && !(zero_extends && want > have))
        return;
    out->reg = ptoas_take_register(as, loc);
    unsigned shift = REGISTER_BITS - (narrows ? want : have);
    ptoas_emit_binary(as, "ADD", from->reg, ptoas_register(as, "zero"), out->reg, loc);
    ptoas_emit_shift(as, "SLLI", out->reg, shift, loc);
    ptoas_emit_shift(as, narrows && want > 1 ? "SRAI" : "SRLI", out->reg, shift, loc);
}

void ptoas_lower_cast(struct assembler *as, const struct op_form *form)
{
    struct scalar from, result;
    if (!ptoas_scalar(as, ptoas_operand(form, "operand", 0), &from))
        return;
    cast(as, form, &from, &result);
    ptoas_define_scalar(as, form->results[0].value->name, &result);
}
