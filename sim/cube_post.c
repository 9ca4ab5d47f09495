/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * B.FPATR: the maxima of the raw accumulators, then for every element a factor
 * that depends on its sign, one rounding (two around an offset), and the
 * encoding of the result (asl/arch/profile/matrix-postprocess.asl and
 * matrix-quantization.asl, which are exact to the bit).
 */
#include "sim/cube.h"

#include <string.h>

enum {
    SCALE_SHIFT = 13,  /* of the FP19 number in a quantisation word */
    SHIFT_SHIFT = 32,  /* of the shift count less one */
    OFFSET_SHIFT = 37, /* of the offset */
    SHIFT_BITS = 4,
    FP19_BITS = 19,
    TOP = 126, /* see struct float_value */
};

static const struct float_format fp19 = {8, 10, SPECIALS_IEEE, 0};

/* ---- parameter words ---- */

static uint64_t low_bits(unsigned n)
{
    return (UINT64_C(1) << n) - 1;
}

static bool is_positive_normal(uint64_t bits)
{
    uint64_t exponent = bits >> fp19.fraction_bits;
    return exponent > 0 && exponent < low_bits(fp19.exponent_bits);
}

bool cube_quant_word_is_legal(const struct isa_prequant *mode, uint64_t word)
{
    if (mode->parameter == ISA_PARAMETER_SHIFT)
        return !(word & ~(low_bits(SHIFT_BITS) << SHIFT_SHIFT));
    uint64_t used = low_bits(FP19_BITS) << SCALE_SHIFT | low_bits(mode->offset_bits)
                                                             << OFFSET_SHIFT;
    return !(word & ~used) && is_positive_normal(word >> SCALE_SHIFT & low_bits(FP19_BITS));
}

bool cube_relu_word_is_legal(uint64_t word)
{
    return !word || (!(word & ~low_bits(FP19_BITS)) && is_positive_normal(word));
}

static int64_t offset_of(const struct isa_prequant *mode, uint64_t word)
{
    unsigned above = 64 - mode->offset_bits;
    return mode->offset_bits ? (int64_t)(word >> OFFSET_SHIFT << above) >> above : 0;
}

/* ---- results ---- */

static uint64_t highest(const struct element_type *t, bool sign)
{
    struct element_control c = {ROUND_ZERO, true};
    unsigned ignored = 0;
    return t->encode(t, (struct float_value){.klass = FLOAT_INFINITE, .sign = sign}, &c, &ignored);
}

/* Formats without infinities have a NaN for it. */
static uint64_t infinite(const struct element_type *t, bool sign)
{
    struct element_control c = {ROUND_EVEN, false};
    unsigned ignored = 0;
    return t->f.specials == SPECIALS_NAN
               ? t->nan
               : t->encode(t, (struct float_value){.klass = FLOAT_INFINITE, .sign = sign}, &c,
                           &ignored);
}

static uint64_t overflowed(struct cube_post *p, bool sign)
{
    p->flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    return p->control.saturate ? highest(p->result, sign) : infinite(p->result, sign);
}

static uint64_t lowest_integer(const struct element_type *t)
{
    return t->is_signed ? UINT64_C(1) << (t->bits - 1) : 0;
}

static uint64_t highest_integer(const struct element_type *t)
{
    return low_bits(t->bits) ^ lowest_integer(t);
}

/* The smallest exponent of a normal number. */
static int lowest_exponent(const struct element_type *t)
{
    enum { HIF8_LOWEST = -15 };
    return t->f.exponent_bits ? 2 - (1 << (t->f.exponent_bits - 1)) : HIF8_LOWEST;
}

static bool exceeds(struct float_value v, struct float_value limit)
{
    v.sign = false;
    return float_compare(v, limit) > 0;
}

/* Overflow does not look at the rounding mode, tiny is what is so before rounding, and a zero keeps
 * its sign in the formats of 16 and 32 bits only. */
static uint64_t encode_float(struct cube_post *p, struct float_value v)
{
    const struct element_type *t = p->result;
    unsigned flags = 0;
    if (v.klass == FLOAT_ZERO)
        return 0;
    if (t->bits == 8 && exceeds(v, t->decode(t, highest(t, false))))
        return overflowed(p, v.sign);
    uint64_t bits = t->encode(t, v, &p->control, &flags);
    if (flags & FLOAT_OVERFLOW)
        return overflowed(p, v.sign);
    if ((flags & FLOAT_INEXACT) && v.exponent < lowest_exponent(t))
        flags |= FLOAT_UNDERFLOW;
    p->flags |= flags;
    return t->bits == 8 && bits == t->sign ? 0 : bits;
}

/* A finite value rounded to a whole number, modulo 2^128, with its sign. */
struct whole {
    uint128 magnitude;
    bool sign, large; /* 2^64 or more */
};

static struct whole round_whole(struct float_value v, enum rounding mode, unsigned *flags)
{
    enum { LARGE = 62 };
    struct whole w = {.sign = v.sign};
    if (v.klass == FLOAT_ZERO)
        return w;
    if (v.exponent < LARGE) {
        int64_t x = (int64_t)float_to_integer(v, 64, true, mode, flags);
        w.sign = x < 0;
        w.magnitude = x < 0 ? -(uint64_t)x : (uint64_t)x;
        return w;
    }
    /* A product of an accumulator and an FP19 number has 35 digits at most. */
    w.large = true;
    if (v.exponent <= TOP)
        w.magnitude = v.significand >> (TOP - v.exponent);
    else if (v.exponent - TOP < 128)
        w.magnitude = v.significand << (v.exponent - TOP);
    return w;
}

/* Clamped or wrapped to the result's width. */
static uint64_t encode_whole(struct cube_post *p, struct whole w)
{
    const struct element_type *t = p->result;
    uint128 limit = w.sign ? lowest_integer(t) : highest_integer(t);
    uint64_t low = (uint64_t)w.magnitude;
    if (!w.large && w.magnitude <= limit)
        return (w.sign ? -low : low) & low_bits(t->bits);
    p->flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    if (p->control.saturate)
        return (uint64_t)limit;
    return (w.sign ? -low : low) & low_bits(t->bits);
}

/* Rounded and clamped to a signed number as wide as the offset, plus the offset. */
static uint64_t encode_affine(struct cube_post *p, struct float_value v, int64_t offset)
{
    unsigned flags = 0;
    struct whole w = round_whole(v, p->control.rounding, &flags);
    uint64_t limit = (UINT64_C(1) << (p->mode->offset_bits - 1)) - !w.sign;
    if (w.large || w.magnitude > limit) {
        w.magnitude = limit;
        flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    }
    p->flags |= flags;
    int64_t sum = (w.sign ? -(int64_t)w.magnitude : (int64_t)w.magnitude) + offset;
    return encode_whole(
        p, (struct whole){.magnitude = sum < 0 ? -(uint64_t)sum : (uint64_t)sum, .sign = sum < 0});
}

static uint64_t shifted(struct cube_post *p, uint32_t value, uint64_t word)
{
    unsigned count = (unsigned)(word >> SHIFT_SHIFT & low_bits(SHIFT_BITS)) + 1;
    int32_t x = (int32_t)value >> count;
    if (x >= INT16_MIN && x <= INT16_MAX)
        return (uint16_t)x;
    p->flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    return (uint16_t)(x < 0 ? INT16_MIN : INT16_MAX);
}

/* ---- one element ---- */

/* Negative accumulators have the ReLU mode's factor instead of the scale. */
static struct float_value factor_of(const struct cube_post *p, bool negative, uint64_t quant,
                                    uint64_t relu)
{
    struct float_value one = float_from_integer(1, false);
    if (negative && p->relu == ISA_ReluMode_ReLU)
        return (struct float_value){.klass = FLOAT_ZERO};
    if (negative && p->relu != ISA_ReluMode_None)
        return float_unpack(&fp19, relu & low_bits(FP19_BITS));
    return p->mode->parameter == ISA_PARAMETER_SCALE
               ? float_unpack(&fp19, quant >> SCALE_SHIFT & low_bits(FP19_BITS))
               : one;
}

static uint64_t nan_result(struct cube_post *p, bool signaling)
{
    const struct element_type *t = p->result;
    if (!t->is_float || signaling)
        p->flags |= FLOAT_INVALID;
    if (p->control.saturate)
        return 0;
    return t->is_float ? t->nan : lowest_integer(t);
}

static uint64_t infinity_result(struct cube_post *p, bool sign)
{
    const struct element_type *t = p->result;
    if (!t->is_float && !p->control.saturate) {
        p->flags |= FLOAT_INVALID;
        return lowest_integer(t);
    }
    if (p->control.saturate || t->f.specials == SPECIALS_NAN)
        p->flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
    if (!t->is_float)
        return sign ? lowest_integer(t) : highest_integer(t);
    return p->control.saturate ? highest(t, sign) : infinite(t, sign);
}

static uint64_t converted(struct cube_post *p, struct float_value v, int64_t offset)
{
    if (p->mode->offset_bits)
        return encode_affine(p, v, offset);
    if (p->result->is_float)
        return encode_float(p, v);
    unsigned flags = 0;
    uint64_t bits = encode_whole(p, round_whole(v, p->control.rounding, &flags));
    p->flags |= flags;
    return bits;
}

uint64_t cube_post_element(struct cube_post *p, uint32_t value, uint64_t quant, uint64_t relu)
{
    if (p->passes)
        return value;
    if (p->mode->parameter == ISA_PARAMETER_SHIFT)
        return shifted(p, value, quant);
    struct float_value v = p->accumulator->decode(p->accumulator, value);
    struct float_value factor = factor_of(p, v.klass < FLOAT_NAN && v.sign, quant, relu);
    if (v.klass >= FLOAT_NAN)
        return nan_result(p, v.klass == FLOAT_SIGNALING);
    bool vanishes = v.sign && factor.klass == FLOAT_ZERO;
    if (v.klass == FLOAT_INFINITE && !vanishes)
        return infinity_result(p, v.sign);
    int64_t offset = offset_of(p->mode, quant);
    bool negative_zero = v.klass == FLOAT_ZERO && v.sign && factor.klass != FLOAT_ZERO;
    if (negative_zero && p->result->is_float && !offset)
        return p->result->f.exponent_bits ? p->result->sign : 0;
    if (v.klass != FLOAT_FINITE || vanishes)
        return converted(p, (struct float_value){.klass = FLOAT_ZERO}, offset);
    return converted(p, float_multiply(v, factor, &p->flags), offset);
}

void cube_post_init(struct cube_post *p, const struct isa_matrix_schema *schema,
                    unsigned result_type, unsigned relu, struct element_control control)
{
    *p = (struct cube_post){
        .mode = schema->prequant,
        .relu = relu,
        .accumulator = element_type_of(schema->accumulator_type),
        .result = element_type_of(result_type),
        .result_type = result_type,
        .control = control,
        .passes = schema->prequant->mode == ISA_PreQuantMode_NoQuant && relu == ISA_ReluMode_None,
    };
}

/* ---- maxima ---- */

/* The magnitude of the most negative number is the highest, with OVERFLOW. */
static void make_absolute(struct element_run *r, uint32_t *to, const uint32_t *from, uint32_t count)
{
    const struct element_kernels *k = r->type->kernels;
    k->unary[ELEMENT_ABS](r, to, from, count);
    if (r->type->is_float || !r->type->is_signed)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (to[i] == (uint32_t)lowest_integer(r->type)) {
            to[i] = (uint32_t)highest_integer(r->type);
            r->flags |= FLOAT_OVERFLOW;
        }
}

static void read_column(const struct cube_maxima *x, uint32_t col, uint32_t *to)
{
    for (uint32_t row = 0; row < x->m; row++)
        to[row] = x->values[(size_t)row * x->n + col];
}

void cube_maximum(struct element_run *r, const struct cube_maxima *x, uint32_t first,
                  uint32_t count, const uint32_t *seed, uint32_t *to, uint32_t *scratch)
{
    element_binary_fn *max = r->type->kernels->binary[ELEMENT_MAX];
    uint32_t *column = scratch, *previous = scratch + x->m, *magnitudes = previous + x->m;
    read_column(x, first, to);
    if (x->absolute) {
        memcpy(column, to, x->m * sizeof *to);
        make_absolute(r, magnitudes, column, x->m);
        max(r, to, magnitudes, magnitudes, x->m);
    }
    for (uint32_t col = first + 1; col < first + count; col++) {
        read_column(x, col, column);
        if (x->absolute)
            make_absolute(r, magnitudes, column, x->m);
        memcpy(previous, to, x->m * sizeof *to);
        max(r, to, previous, x->absolute ? magnitudes : column, x->m);
    }
    if (!seed)
        return;
    memcpy(previous, to, x->m * sizeof *to);
    if (x->absolute)
        make_absolute(r, magnitudes, seed, x->m);
    max(r, to, x->absolute ? magnitudes : seed, previous, x->m);
}
