/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalar floating point (asl/scalar/model/dispatch/fsu.asl) with IEEE results:
 * the executable model's placeholder arithmetic is not reproduced in any
 * profile. SrcType 0 is FP64, 1 is FP32 in the low half of a register.
 */
#include "sim/block.h"
#include "sim/decode.h"
#include "sim/element.h"

enum { STATE_FLAGS = 32, STATE_ROUNDING = 37 }; /* bit positions in CORE_STATE */

static const struct float_format *const source_formats[] = {&float_fp64, &float_fp32};

static const struct float_format *source_format(const struct op *op)
{
    return source_formats[op->size];
}

static enum rounding active_rounding(const struct pe *pe)
{
    switch (pe->core_state >> STATE_ROUNDING & 7) {
    case 1:
        return ROUND_DOWN;
    case 2:
        return ROUND_UP;
    case 3:
        return ROUND_ZERO;
    default:
        return ROUND_EVEN;
    }
}

static void record_flags(struct pe *pe, unsigned flags)
{
    pe->core_state |= (uint64_t)flags << STATE_FLAGS;
}

static uint64_t source_bits(const struct pe *pe, const struct op *op, unsigned cell)
{
    return op->size ? (uint32_t)pe->reg[cell] : pe->reg[cell];
}

static struct float_value source(const struct pe *pe, const struct op *op, unsigned cell)
{
    return float_unpack(source_format(op), source_bits(pe, op, cell));
}

/* size = SrcType. */
static void prepare_float(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->size = (uint8_t)field_unsigned(insn, ISA_FIELD_SrcType) & 1;
}

static enum exec_status put_float(struct pe *pe, const struct op *op, struct float_value v,
                                  unsigned flags)
{
    uint64_t bits = float_pack(source_format(op), v, active_rounding(pe), &flags);
    record_flags(pe, flags);
    put(pe, op->rd, bits);
    return EXEC_NEXT;
}

/* ---- arithmetic ---- */

static enum exec_status exec_add(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value a = source(pe, op, op->ra), b = source(pe, op, op->rb);
    struct float_value v = float_add(a, b, active_rounding(pe), &flags);
    return put_float(pe, op, v, flags);
}

static enum exec_status exec_subtract(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value a = source(pe, op, op->ra), b = float_negate(source(pe, op, op->rb));
    struct float_value v = float_add(a, b, active_rounding(pe), &flags);
    return put_float(pe, op, v, flags);
}

static enum exec_status exec_multiply(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value a = source(pe, op, op->ra), b = source(pe, op, op->rb);
    struct float_value v = float_multiply(a, b, &flags);
    return put_float(pe, op, v, flags);
}

static enum exec_status exec_divide(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value a = source(pe, op, op->ra), b = source(pe, op, op->rb);
    struct float_value v = float_divide(a, b, &flags);
    return put_float(pe, op, v, flags);
}

static enum exec_status exec_sqrt(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value v = float_sqrt(source(pe, op, op->ra), &flags);
    return put_float(pe, op, v, flags);
}

static enum exec_status exec_reciprocal(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value one = float_from_integer(1, false);
    struct float_value v = float_divide(one, source(pe, op, op->ra), &flags);
    return put_float(pe, op, v, flags);
}

static enum exec_status exec_exponential(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value v = float_exp(source(pe, op, op->ra), &flags);
    return put_float(pe, op, v, flags);
}

/* The sign bit goes, whatever the rest is. */
static enum exec_status exec_absolute(struct pe *pe, const struct op *op)
{
    uint64_t bits = source_bits(pe, op, op->ra);
    put(pe, op->rd, op->size ? bits & INT32_MAX : bits & INT64_MAX);
    return EXEC_NEXT;
}

/* SrcL * SrcR + SrcA with the signs of the form; aux: bit 0 negates the product, bit 1 SrcA. */
enum { FUSED_NEGATE_PRODUCT = 1, FUSED_NEGATE_ADDEND = 2 };

static enum exec_status exec_fused(struct pe *pe, const struct op *op)
{
    unsigned flags = 0;
    struct float_value a = source(pe, op, op->ra), b = source(pe, op, op->rb);
    struct float_value c = source(pe, op, op->rc);
    if (op->aux & FUSED_NEGATE_PRODUCT)
        a = float_negate(a);
    if (op->aux & FUSED_NEGATE_ADDEND)
        c = float_negate(c);
    struct float_value v = float_fused(a, b, c, active_rounding(pe), &flags);
    return put_float(pe, op, v, flags);
}

/* ---- comparison ---- */

static bool is_signaling(struct float_value v)
{
    return v.klass == FLOAT_SIGNALING;
}

static bool is_nan(struct float_value v)
{
    return v.klass >= FLOAT_NAN;
}

/* aux 1: the greater. One NaN loses against a number; -0 is less than +0. */
static enum exec_status exec_min_max(struct pe *pe, const struct op *op)
{
    struct float_value a = source(pe, op, op->ra), b = source(pe, op, op->rb);
    uint64_t left = source_bits(pe, op, op->ra), right = source_bits(pe, op, op->rb);
    int order = float_compare(a, b);
    bool zeros = a.klass == FLOAT_ZERO && b.klass == FLOAT_ZERO;
    bool less = zeros ? a.sign && !b.sign : order < 0;
    uint64_t chosen = less == (op->aux == 0) ? left : right;
    if (is_nan(a))
        chosen = is_nan(b) ? float_canonical_nan(source_format(op)) : right;
    else if (is_nan(b))
        chosen = left;
    record_flags(pe, is_signaling(a) || is_signaling(b) ? FLOAT_INVALID : 0);
    put(pe, op->rd, chosen);
    return EXEC_NEXT;
}

enum float_condition {
    FLOAT_EQ,
    FLOAT_NE,
    FLOAT_LT,
    FLOAT_GE,
    FLOAT_CONDITION = 3,
    FLOAT_QUIET_NAN_SIGNALS = 4
};

/* The model answers 0 for FNE of a NaN, IEEE 754 and the hardware profile 1. */
static bool unordered_answer(const struct pe *pe, enum float_condition condition)
{
    return condition == FLOAT_NE && pe->sim->options.profile == SIM_PROFILE_IEEE;
}

static enum exec_status exec_compare(struct pe *pe, const struct op *op)
{
    struct float_value a = source(pe, op, op->ra), b = source(pe, op, op->rb);
    enum float_condition condition = op->aux & FLOAT_CONDITION;
    int order = float_compare(a, b);
    bool unordered = is_nan(a) || is_nan(b), answer = false;
    switch (condition) {
    case FLOAT_EQ:
        answer = order == 0;
        break;
    case FLOAT_NE:
        answer = order != 0;
        break;
    case FLOAT_LT:
        answer = order < 0;
        break;
    default:
        answer = order >= 0;
        break;
    }
    bool signals =
        is_signaling(a) || is_signaling(b) || (op->aux & FLOAT_QUIET_NAN_SIGNALS && unordered);
    record_flags(pe, signals ? FLOAT_INVALID : 0);
    put(pe, op->rd, unordered ? unordered_answer(pe, condition) : answer);
    return EXEC_NEXT;
}

/* ---- conversion ---- */

/* Floating type codes 0..14 of DstType. The specification gives the width of their carriers alone;
 * order and widths are those of the tile data types of equal code, but for TF32, of which the
 * carrier has the upper 19 bits, and for code 14, whose nine bits fit none (docs/decisions.md). */
enum { DST_FP19 = ISA_DataType_TF32, DST_NINE_BITS = 14, FP19_SHIFT = 13 };

/* Integer type codes 0..14: u64 u32 u16 u8 u4 u2 u1 bool s64 s32 s16 s8 s4 s2 s1. */
static const struct {
    uint8_t bits;
    bool is_signed;
} integer_types[] = {
    {64, false}, {32, false}, {16, false}, {8, false}, {4, false},
    {2, false},  {1, false},  {1, false},  {64, true}, {32, true},
    {16, true},  {8, true},   {4, true},   {2, true},  {1, true},
};

static void prepare_convert(struct op *op, const struct isa_insn *insn)
{
    prepare_float(op, insn);
    op->imm = field_unsigned(insn, ISA_FIELD_DstType);
}

/* The model keeps the source's low bits. */
static enum exec_status put_nine_bits(struct pe *pe, const struct op *op)
{
    enum { NINE_BITS = 0x1ff };
    if (pe->sim->options.profile != SIM_PROFILE_PTO_V0)
        return op_fault(pe, op, FAULT_UNIMPLEMENTED, op->pc,
                        "floating type code %u has no public definition", (unsigned)op->imm);
    put(pe, op->rd, pe->reg[op->ra] & NINE_BITS);
    return EXEC_NEXT;
}

static enum exec_status put_converted(struct pe *pe, const struct op *op, struct float_value v)
{
    unsigned flags = 0;
    const struct element_type *t = element_type_of((unsigned)op->imm);
    struct element_control control = {.rounding = active_rounding(pe), .saturate = false};
    if (op->imm == DST_NINE_BITS)
        return put_nine_bits(pe, op);
    uint64_t bits = t->encode(t, v, &control, &flags);
    record_flags(pe, flags);
    put(pe, op->rd, op->imm == DST_FP19 ? bits >> FP19_SHIFT : bits);
    return EXEC_NEXT;
}

static enum exec_status exec_convert(struct pe *pe, const struct op *op)
{
    return put_converted(pe, op, source(pe, op, op->ra));
}

/* aux 1: signed. */
static enum exec_status exec_from_integer(struct pe *pe, const struct op *op)
{
    uint64_t value = pe->reg[op->ra];
    if (op->size)
        value = op->aux ? sext32(value) : (uint32_t)value;
    return put_converted(pe, op, float_from_integer(value, op->aux));
}

/* aux: the rounding that the mnemonic names. */
static enum exec_status exec_to_integer(struct pe *pe, const struct op *op)
{
    unsigned flags = 0, bits = integer_types[op->imm].bits;
    bool is_signed = integer_types[op->imm].is_signed;
    uint64_t value = float_to_integer(source(pe, op, op->ra), bits, is_signed, op->aux, &flags);
    record_flags(pe, flags);
    put(pe, op->rd, value);
    return EXEC_NEXT;
}

#define FLOAT(name, handler, value)                                                                \
    BY_NAME(name, .exec = exec_##handler, .prepare = prepare_float, .argument = value)
#define CONVERT(name, handler, value)                                                              \
    BY_NAME(name, .exec = exec_##handler, .prepare = prepare_convert, .argument = value)

static const struct handler rows[] = {
    FLOAT(FABS, absolute, 0),
    FLOAT(FADD, add, 0),
    FLOAT(FSUB, subtract, 0),
    FLOAT(FMUL, multiply, 0),
    FLOAT(FDIV, divide, 0),
    FLOAT(FSQRT, sqrt, 0),
    FLOAT(FRECIP, reciprocal, 0),
    FLOAT(FEXP, exponential, 0),
    FLOAT(FMADD, fused, 0),
    FLOAT(FMSUB, fused, FUSED_NEGATE_ADDEND),
    FLOAT(FNMADD, fused, FUSED_NEGATE_PRODUCT | FUSED_NEGATE_ADDEND),
    FLOAT(FNMSUB, fused, FUSED_NEGATE_PRODUCT),
    FLOAT(FMIN, min_max, 0),
    FLOAT(FMAX, min_max, 1),
    FLOAT(FEQ, compare, FLOAT_EQ),
    FLOAT(FNE, compare, FLOAT_NE),
    FLOAT(FLT, compare, FLOAT_LT),
    FLOAT(FGE, compare, FLOAT_GE),
    FLOAT(FEQS, compare, FLOAT_EQ | FLOAT_QUIET_NAN_SIGNALS),
    FLOAT(FNES, compare, FLOAT_NE | FLOAT_QUIET_NAN_SIGNALS),
    FLOAT(FLTS, compare, FLOAT_LT | FLOAT_QUIET_NAN_SIGNALS),
    FLOAT(FGES, compare, FLOAT_GE | FLOAT_QUIET_NAN_SIGNALS),
    CONVERT(FCVT, convert, 0),
    CONVERT(SCVTF, from_integer, 1),
    CONVERT(UCVTF, from_integer, 0),
    CONVERT(FCVTA, to_integer, ROUND_AWAY),
    CONVERT(FCVTM, to_integer, ROUND_DOWN),
    CONVERT(FCVTN, to_integer, ROUND_EVEN),
    CONVERT(FCVTP, to_integer, ROUND_UP),
    CONVERT(FCVTZ, to_integer, ROUND_ZERO),
};

const struct handler_table fsu_handlers = {rows, sizeof rows / sizeof *rows};
