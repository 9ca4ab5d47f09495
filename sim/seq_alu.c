/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic of ALU_OP and COMPARE_BRANCH. Integers wrap; a shift count takes
 * its low 5 bits (6 for a pair); division by zero is an error. Floating
 * results are binary32, rounded to nearest even (docs/seq.md).
 */
#include <math.h>

#include "sim/numeric.h"
#include "sim/seq.h"

/* The Cx..Ex codes repeat a base operation on integers with a fixed sign. */
enum sign_rule { SIGN_OF_TYPE, SIGN_SIGNED, SIGN_UNSIGNED };
struct int_alias {
    uint8_t code, base, sign;
};
static const struct int_alias int_aliases[] = {
    {ISA_SeqAluOp_ADD_INT, ISA_SeqAluOp_ADD, SIGN_OF_TYPE},
    {ISA_SeqAluOp_MULT_INT, ISA_SeqAluOp_MULT, SIGN_OF_TYPE},
    {ISA_SeqAluOp_SUBTRACT_INT, ISA_SeqAluOp_SUBTRACT, SIGN_OF_TYPE},
    {ISA_SeqAluOp_DIVIDE_INT, ISA_SeqAluOp_DIVIDE, SIGN_OF_TYPE},
    {ISA_SeqAluOp_MOD_INT, ISA_SeqAluOp_MOD, SIGN_OF_TYPE},
    {ISA_SeqAluOp_IS_EQUAL_INT, ISA_SeqAluOp_IS_EQ, SIGN_OF_TYPE},
    {ISA_SeqAluOp_IS_NE_INT, ISA_SeqAluOp_IS_NE, SIGN_OF_TYPE},
    {ISA_SeqAluOp_ABS_MAX_INT, ISA_SeqAluOp_ABS_MAX, SIGN_SIGNED},
    {ISA_SeqAluOp_ABS_MIN_INT, ISA_SeqAluOp_ABS_MIN, SIGN_SIGNED},
    {ISA_SeqAluOp_ABS_DIFF_INT, ISA_SeqAluOp_ABSOLUTE_DIFF, SIGN_SIGNED},
    {ISA_SeqAluOp_ABS_VALUE_INT, ISA_SeqAluOp_ABSOLUTE_VALUE, SIGN_SIGNED},
    {ISA_SeqAluOp_MAX_INT, ISA_SeqAluOp_MAX, SIGN_SIGNED},
    {ISA_SeqAluOp_MIN_INT, ISA_SeqAluOp_MIN, SIGN_SIGNED},
    {ISA_SeqAluOp_IS_GT_INT, ISA_SeqAluOp_IS_GT, SIGN_SIGNED},
    {ISA_SeqAluOp_IS_GE_INT, ISA_SeqAluOp_IS_GE, SIGN_SIGNED},
    {ISA_SeqAluOp_IS_LE_INT, ISA_SeqAluOp_IS_LE, SIGN_SIGNED},
    {ISA_SeqAluOp_IS_LT_INT, ISA_SeqAluOp_IS_LT, SIGN_SIGNED},
    {ISA_SeqAluOp_MAX_UINT, ISA_SeqAluOp_MAX, SIGN_UNSIGNED},
    {ISA_SeqAluOp_MIN_UINT, ISA_SeqAluOp_MIN, SIGN_UNSIGNED},
    {ISA_SeqAluOp_IS_GT_UINT, ISA_SeqAluOp_IS_GT, SIGN_UNSIGNED},
    {ISA_SeqAluOp_IS_GE_UINT, ISA_SeqAluOp_IS_GE, SIGN_UNSIGNED},
    {ISA_SeqAluOp_IS_LE_UINT, ISA_SeqAluOp_IS_LE, SIGN_UNSIGNED},
    {ISA_SeqAluOp_IS_LT_UINT, ISA_SeqAluOp_IS_LT, SIGN_UNSIGNED},
    {ISA_SeqAluOp_MULT_UINT, ISA_SeqAluOp_MULT, SIGN_UNSIGNED},
    {ISA_SeqAluOp_DIVIDE_UINT, ISA_SeqAluOp_DIVIDE, SIGN_UNSIGNED},
    {ISA_SeqAluOp_MOD_UINT, ISA_SeqAluOp_MOD, SIGN_UNSIGNED},
};

bool seq_alu_is_wide(unsigned dtype)
{
    return dtype == ISA_SeqDtype_UINT64 || dtype == ISA_SeqDtype_INT64;
}

static bool is_signed_type(unsigned dtype)
{
    return dtype == ISA_SeqDtype_INT32 || dtype == ISA_SeqDtype_INT64;
}

static bool is_integer_type(unsigned dtype)
{
    return dtype == ISA_SeqDtype_UINT32 || is_signed_type(dtype) || seq_alu_is_wide(dtype);
}

/* ---- integers ---- */

/* Two operands of one width, as 64-bit values extended by their sign. */
struct int_pair {
    unsigned bits;
    bool is_signed;
    uint64_t a, b;
};

static bool less(const struct int_pair *p, uint64_t a, uint64_t b)
{
    return p->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t magnitude(const struct int_pair *p, uint64_t a)
{
    return p->is_signed && (int64_t)a < 0 ? -a : a;
}

static uint64_t divide(const struct int_pair *p)
{
    if (!p->is_signed)
        return p->a / p->b;
    return p->b == UINT64_MAX ? -p->a : (uint64_t)((int64_t)p->a / (int64_t)p->b);
}

static uint64_t modulo(const struct int_pair *p)
{
    if (!p->is_signed)
        return p->a % p->b;
    return p->b == UINT64_MAX ? 0 : (uint64_t)((int64_t)p->a % (int64_t)p->b);
}

static bool int_compare(const struct int_pair *p, unsigned op)
{
    switch (op) {
    case ISA_SeqAluOp_IS_EQ:
        return p->a == p->b;
    case ISA_SeqAluOp_IS_NE:
        return p->a != p->b;
    case ISA_SeqAluOp_IS_GT:
        return less(p, p->b, p->a);
    case ISA_SeqAluOp_IS_GE:
        return !less(p, p->a, p->b);
    case ISA_SeqAluOp_IS_LE:
        return !less(p, p->b, p->a);
    default:
        return less(p, p->a, p->b);
    }
}

static enum seq_alu_status put(uint64_t *r, uint64_t value)
{
    *r = value;
    return SEQ_ALU_OK;
}

static enum seq_alu_status int_op(const struct int_pair *p, unsigned op, uint64_t *r)
{
    unsigned count = (unsigned)(p->b & (p->bits - 1));
    uint64_t low = p->bits == 64 ? UINT64_MAX : UINT32_MAX;
    switch (op) {
    case ISA_SeqAluOp_BYPASS:
        return put(r, p->a);
    case ISA_SeqAluOp_BITWISE_NOT:
        return put(r, ~p->a);
    case ISA_SeqAluOp_ARITH_SHIFT_LEFT:
    case ISA_SeqAluOp_LOGICAL_SHIFT_LEFT:
        return put(r, p->a << count);
    case ISA_SeqAluOp_ARITH_SHIFT_RIGHT: /* sign-filling whatever the type */
        *r =
            p->bits == 64 ? (uint64_t)((int64_t)p->a >> count) : (uint64_t)((int32_t)p->a >> count);
        return SEQ_ALU_OK;
    case ISA_SeqAluOp_LOGICAL_SHIFT_RIGHT:
        return put(r, (p->a & low) >> count);
    case ISA_SeqAluOp_ADD:
        return put(r, p->a + p->b);
    case ISA_SeqAluOp_SUBTRACT:
        return put(r, p->a - p->b);
    case ISA_SeqAluOp_MULT:
        return put(r, p->a * p->b);
    case ISA_SeqAluOp_DIVIDE:
    case ISA_SeqAluOp_MOD:
        if (!p->b)
            return SEQ_ALU_ZERO;
        return put(r, op == ISA_SeqAluOp_DIVIDE ? divide(p) : modulo(p));
    case ISA_SeqAluOp_MAX:
        return put(r, less(p, p->a, p->b) ? p->b : p->a);
    case ISA_SeqAluOp_MIN:
        return put(r, less(p, p->b, p->a) ? p->b : p->a);
    case ISA_SeqAluOp_BITWISE_AND:
        return put(r, p->a & p->b);
    case ISA_SeqAluOp_BITWISE_OR:
        return put(r, p->a | p->b);
    case ISA_SeqAluOp_BITWISE_XOR:
        return put(r, p->a ^ p->b);
    case ISA_SeqAluOp_LOGICAL_AND:
        return put(r, p->a && p->b);
    case ISA_SeqAluOp_LOGICAL_OR:
        return put(r, p->a || p->b);
    case ISA_SeqAluOp_LOGICAL_XOR:
        return put(r, !p->a != !p->b);
    case ISA_SeqAluOp_IS_EQ:
    case ISA_SeqAluOp_IS_NE:
    case ISA_SeqAluOp_IS_GT:
    case ISA_SeqAluOp_IS_GE:
    case ISA_SeqAluOp_IS_LE:
    case ISA_SeqAluOp_IS_LT:
        return put(r, int_compare(p, op));
    case ISA_SeqAluOp_ABSOLUTE_DIFF:
        return put(r, less(p, p->a, p->b) ? p->b - p->a : p->a - p->b);
    case ISA_SeqAluOp_ABSOLUTE_VALUE:
        return put(r, magnitude(p, p->a));
    case ISA_SeqAluOp_ABS_MAX:
    case ISA_SeqAluOp_ABS_MIN: {
        uint64_t a = magnitude(p, p->a), b = magnitude(p, p->b);
        return put(r, (a < b) == (op == ISA_SeqAluOp_ABS_MAX) ? b : a);
    }
    case ISA_SeqAluOp_RE_LU:
        return put(r, p->is_signed && (int64_t)p->a < 0 ? 0 : p->a);
    case ISA_SeqAluOp_SQUARE:
        return put(r, p->a * p->a);
    default:
        return SEQ_ALU_OP;
    }
}

static uint64_t extend(uint64_t value, const struct int_pair *p)
{
    if (p->bits == 64)
        return value;
    return p->is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
}

/* ---- binary32 ---- */

static enum seq_alu_status put_float(float *r, float value)
{
    *r = value;
    return SEQ_ALU_OK;
}

static enum seq_alu_status float_op(unsigned op, float a, float b, float *r)
{
    switch (op) {
    case ISA_SeqAluOp_BYPASS:
        return put_float(r, a);
    case ISA_SeqAluOp_ADD:
        return put_float(r, a + b);
    case ISA_SeqAluOp_SUBTRACT:
        return put_float(r, a - b);
    case ISA_SeqAluOp_MULT:
        return put_float(r, a * b);
    case ISA_SeqAluOp_DIVIDE:
        return put_float(r, a / b);
    case ISA_SeqAluOp_MAX:
        return put_float(r, fmaxf(a, b));
    case ISA_SeqAluOp_MIN:
        return put_float(r, fminf(a, b));
    case ISA_SeqAluOp_LOGICAL_AND:
        return put_float(r, a != 0 && b != 0);
    case ISA_SeqAluOp_LOGICAL_OR:
        return put_float(r, a != 0 || b != 0);
    case ISA_SeqAluOp_LOGICAL_XOR:
        return put_float(r, (a != 0) != (b != 0));
    case ISA_SeqAluOp_IS_EQ:
        return put_float(r, a == b);
    case ISA_SeqAluOp_IS_NE:
        return put_float(r, a != b);
    case ISA_SeqAluOp_IS_GT:
        return put_float(r, a > b);
    case ISA_SeqAluOp_IS_GE:
        return put_float(r, a >= b);
    case ISA_SeqAluOp_IS_LE:
        return put_float(r, a <= b);
    case ISA_SeqAluOp_IS_LT:
        return put_float(r, a < b);
    case ISA_SeqAluOp_ABSOLUTE_DIFF:
        return put_float(r, fabsf(a - b));
    case ISA_SeqAluOp_ABSOLUTE_VALUE:
        return put_float(r, fabsf(a));
    case ISA_SeqAluOp_ABS_MAX:
        return put_float(r, fmaxf(fabsf(a), fabsf(b)));
    case ISA_SeqAluOp_ABS_MIN:
        return put_float(r, fminf(fabsf(a), fabsf(b)));
    case ISA_SeqAluOp_RE_LU:
        return put_float(r, a > 0 ? a : 0);
    case ISA_SeqAluOp_SQUARE:
        return put_float(r, a * a);
    default:
        return SEQ_ALU_OP;
    }
}

/* Toward zero, at the ends of the range where the value does not fit; 0 for a NaN. */
static uint64_t float_to_int(float x, bool is_signed)
{
    if (x != x)
        return 0;
    if (is_signed)
        return (uint32_t)(x <= -0x1p31f ? INT32_MIN : x >= 0x1p31f ? INT32_MAX : (int32_t)x);
    return x <= 0 ? 0 : x >= 0x1p32f ? UINT32_MAX : (uint32_t)x;
}

static enum seq_alu_status run_float(unsigned op, unsigned dst_dtype, uint64_t a, uint64_t b,
                                     uint64_t *result)
{
    float r = 0;
    enum seq_alu_status status =
        float_op(op, numeric_from_bits((uint32_t)a), numeric_from_bits((uint32_t)b), &r);
    if (status == SEQ_ALU_OK)
        *result = dst_dtype == ISA_SeqDtype_FP32 ? numeric_to_bits(r)
                                                 : float_to_int(r, dst_dtype == ISA_SeqDtype_INT32);
    return status;
}

static enum seq_alu_status run_int(unsigned op, unsigned dtype, unsigned dst_dtype, uint64_t a,
                                   uint64_t b, uint64_t *result)
{
    struct int_pair p = {.bits = seq_alu_is_wide(dtype) ? 64 : 32,
                         .is_signed = is_signed_type(dtype)};
    for (size_t i = 0; i < sizeof int_aliases / sizeof *int_aliases; i++)
        if (int_aliases[i].code == op) {
            if (int_aliases[i].sign != SIGN_OF_TYPE)
                p.is_signed = int_aliases[i].sign == SIGN_SIGNED;
            op = int_aliases[i].base;
            break;
        }
    p.a = extend(a, &p);
    p.b = extend(b, &p);
    enum seq_alu_status status = int_op(&p, op, result);
    if (status != SEQ_ALU_OK)
        return status;
    if (dst_dtype == ISA_SeqDtype_FP32)
        *result = numeric_to_bits(p.is_signed ? (float)(int32_t)*result : (float)(uint32_t)*result);
    else if (p.bits == 32)
        *result = (uint32_t)*result;
    return SEQ_ALU_OK;
}

enum seq_alu_status seq_alu(unsigned op, unsigned dtype, unsigned dst_dtype, uint64_t a, uint64_t b,
                            uint64_t *result)
{
    if (!dst_dtype)
        dst_dtype = dtype; /* the runtime's builders leave it 0 */
    bool wide = seq_alu_is_wide(dtype);
    bool to_known = dst_dtype == ISA_SeqDtype_FP32 || is_integer_type(dst_dtype);
    if (!to_known || wide != seq_alu_is_wide(dst_dtype))
        return SEQ_ALU_TYPE;
    if (dtype == ISA_SeqDtype_FP32)
        return run_float(op, dst_dtype, a, b, result);
    return is_integer_type(dtype) ? run_int(op, dtype, dst_dtype, a, b, result) : SEQ_ALU_TYPE;
}

/* ---- comparisons ---- */

static bool ordered(unsigned comparison, bool lt, bool eq, bool gt)
{
    switch (comparison) {
    case ISA_SeqCompare_LT:
        return lt;
    case ISA_SeqCompare_LE:
        return lt || eq;
    case ISA_SeqCompare_EQ:
        return eq;
    case ISA_SeqCompare_NE:
        return !eq;
    case ISA_SeqCompare_GE:
        return gt || eq;
    default:
        return gt;
    }
}

bool seq_compare(unsigned comparison, unsigned dtype, uint32_t a, uint32_t b, bool *result)
{
    int64_t x, y;
    switch (dtype) {
    case ISA_SeqDtype_FP32: {
        float f = numeric_from_bits(a), g = numeric_from_bits(b);
        *result = ordered(comparison, f<g, f == g, f> g);
        return true;
    }
    case ISA_SeqDtype_UINT8:
        x = (uint8_t)a, y = (uint8_t)b;
        break;
    case ISA_SeqDtype_INT8:
        x = (int8_t)a, y = (int8_t)b;
        break;
    case ISA_SeqDtype_UINT16:
        x = (uint16_t)a, y = (uint16_t)b;
        break;
    case ISA_SeqDtype_INT16:
        x = (int16_t)a, y = (int16_t)b;
        break;
    case ISA_SeqDtype_UINT32:
        x = a, y = b;
        break;
    case ISA_SeqDtype_INT32:
        x = (int32_t)a, y = (int32_t)b;
        break;
    default:
        return false;
    }
    *result = ordered(comparison, x<y, x == y, x> y);
    return true;
}
