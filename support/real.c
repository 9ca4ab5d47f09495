/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/real.h"

#include <string.h>

enum { DOUBLE_FRACTION = 52, DOUBLE_BIAS = 1023, DOUBLE_SPECIAL = 0x7ff };

/* value / 2^shift, to nearest, ties to even. */
static uint64_t shift_round(uint64_t value, unsigned shift)
{
    if (shift == 0)
        return value;
    if (shift > 63)
        return 0;
    uint64_t kept = value >> shift, lost = value & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    return kept + (lost > half || (lost == half && (kept & 1)));
}

uint64_t real_round(double x, unsigned exponent, unsigned fraction)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t sign = (bits >> 63) << (exponent + fraction);
    uint64_t special = ((UINT64_C(1) << exponent) - 1) << fraction;
    int biased = (int)(bits >> DOUBLE_FRACTION & DOUBLE_SPECIAL);
    uint64_t significand = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    if (biased == DOUBLE_SPECIAL)
        return sign | special | (significand ? UINT64_C(1) << (fraction - 1) : 0);
    if (biased)
        significand |= UINT64_C(1) << DOUBLE_FRACTION;
    else
        biased = 1;
    int to = biased - DOUBLE_BIAS + (int)((UINT64_C(1) << (exponent - 1)) - 1);
    unsigned shift = DOUBLE_FRACTION - fraction;
    if (to < 1) { /* a subnormal of the format, or nothing */
        shift += (unsigned)(1 - to);
        to = 1;
    }
    /* The leading bit adds one to the exponent field, and so does a carry out of the fraction. */
    uint64_t rounded = ((uint64_t)(to - 1) << fraction) + shift_round(significand, shift);
    return sign | (rounded < special ? rounded : special);
}
