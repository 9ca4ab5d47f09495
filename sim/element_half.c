/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FP16 and BF16 as FP32 rows and back, without branches. Status is that of one
 * rounding from the FP32 numbers; tiny means below the normal numbers after
 * rounding to the format's digits.
 */
#include "sim/element_loop.h"

#include <string.h>

enum {
    MAGNITUDE = 0x7fffffff,
    INFINITE = 0x7f800000,
    QUIET = 0x400000,
    CANONICAL = 0x7fc00000,
    FP16_SPECIAL = 0x7c00,
    FP16_NAN = 0x7e00,
    FP16_DROP = 13,                 /* fraction bits that FP32 has more */
    FP16_REBIAS = (127 - 15) << 23, /* in FP32's exponent field */
    FP16_NORMAL = 0x38800000,       /* 2^-14 */
    FP16_TINY = 0x387ff000,         /* rounds to 2^-14 from here on */
    FP16_SCALE = 0x77800000,        /* 2^112: between the two biases */
    HALF = 0x3f000000,              /* 0.5, whose last digit is FP16's smallest number */
    BF16_TINY = 0x7fc000,           /* as FP16_TINY, below 2^-126 */
};

static inline float as_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t as_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Without a branch even where compilers would skip floating-point work for the other lanes. */
static inline uint32_t pick(bool condition, uint32_t yes, uint32_t no)
{
    return no ^ ((yes ^ no) & -(uint32_t)condition);
}

ELEMENT_CLONES void element_widen_fp16(struct element_run *r, void *d, const void *a, size_t n)
{
    row_u32 *to = d;
    const row_u16 *from = a;
    (void)r;
    ELEMENT_LOOP
    for (size_t i = 0; i < n; i++) {
        uint32_t magnitude = from[i] & 0x7fffu;
        uint32_t scaled = as_bits(as_float(magnitude << FP16_DROP) * as_float(FP16_SCALE));
        uint32_t special = magnitude << FP16_DROP | INFINITE;
        to[i] =
            (uint32_t)(from[i] & 0x8000u) << 16 | pick(magnitude < FP16_SPECIAL, scaled, special);
    }
}

ELEMENT_CLONES void element_narrow_fp16(struct element_run *r, void *d, const void *a, size_t n)
{
    row_u16 *to = d;
    const row_u32 *from = a;
    uint32_t inexact = 0, overflow = 0, tiny = 0, signaling = 0;
    ELEMENT_LOOP
    for (size_t i = 0; i < n; i++) {
        uint32_t x = from[i] & MAGNITUDE;
        uint32_t normal =
            (x - FP16_REBIAS + ((1u << (FP16_DROP - 1)) - 1) + (x >> FP16_DROP & 1)) >> FP16_DROP;
        bool beyond =
            (x >= FP16_REBIAS + ((uint32_t)FP16_SPECIAL << FP16_DROP)) | (normal > FP16_SPECIAL);
        normal = pick(beyond, FP16_SPECIAL, normal);
        /* Adding 1/2 rounds at the right place; lanes that are not small add nothing. */
        float small = as_float(pick(x < FP16_NORMAL, x, 0)), sum = small + as_float(HALF);
        uint32_t lost_small = as_bits(sum - as_float(HALF)) ^ as_bits(small);
        uint32_t lost = pick(x < FP16_NORMAL, lost_small, x & ((1u << FP16_DROP) - 1)) != 0;
        uint32_t result = pick(x < FP16_NORMAL, as_bits(sum) - HALF, normal);
        inexact |= (x < INFINITE) & lost;
        tiny |= (x < FP16_TINY) & lost;
        overflow |= (x < INFINITE) & (result == FP16_SPECIAL);
        signaling |= (x > INFINITE) & !(x & QUIET);
        to[i] = (uint16_t)pick(x > INFINITE, FP16_NAN, result | (from[i] >> 16 & 0x8000));
    }
    r->flags |= (inexact | overflow ? FLOAT_INEXACT : 0) | (overflow ? FLOAT_OVERFLOW : 0) |
                (tiny ? FLOAT_UNDERFLOW : 0) | (signaling ? FLOAT_INVALID : 0);
}

ELEMENT_CLONES void element_widen_bf16(struct element_run *r, void *d, const void *a, size_t n)
{
    row_u32 *to = d;
    const row_u16 *from = a;
    (void)r;
    ELEMENT_LOOP
    for (size_t i = 0; i < n; i++)
        to[i] = (uint32_t)from[i] << 16;
}

ELEMENT_CLONES void element_narrow_bf16(struct element_run *r, void *d, const void *a, size_t n)
{
    row_u16 *to = d;
    const row_u32 *from = a;
    uint32_t inexact = 0, overflow = 0, tiny = 0, signaling = 0;
    ELEMENT_LOOP
    for (size_t i = 0; i < n; i++) {
        uint32_t x = from[i] & MAGNITUDE, lost = (x & 0xffff) != 0;
        uint32_t result = (x + 0x7fff + (x >> 16 & 1)) >> 16;
        inexact |= x < INFINITE ? lost : 0;
        tiny |= x < BF16_TINY ? lost : 0;
        overflow |= (x < INFINITE) & (result == INFINITE >> 16);
        signaling |= (x > INFINITE) & !(x & QUIET);
        to[i] = (uint16_t)(x > INFINITE ? CANONICAL >> 16 : result | (from[i] >> 16 & 0x8000));
    }
    r->flags |= (inexact ? FLOAT_INEXACT : 0) | (overflow ? FLOAT_OVERFLOW : 0) |
                (tiny ? FLOAT_UNDERFLOW : 0) | (signaling ? FLOAT_INVALID : 0);
}

ELEMENT_CLONES void element_canonical_fp32(struct element_run *r, void *d, const void *a, size_t n)
{
    row_u32 *to = d;
    const row_u32 *from = a;
    uint32_t signaling = 0;
    ELEMENT_LOOP
    for (size_t i = 0; i < n; i++) {
        uint32_t x = from[i], nan = (x & MAGNITUDE) > INFINITE;
        signaling |= nan & !(x & QUIET);
        to[i] = nan ? CANONICAL : x;
    }
    r->flags |= signaling ? FLOAT_INVALID : 0;
}
