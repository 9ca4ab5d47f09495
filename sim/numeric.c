/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/numeric.h"

#include <string.h>

enum { SINGLE_FRACTION = 23, SINGLE_BIAS = 127, SINGLE_SPECIAL = 255 };

/* value >> shift, to nearest, ties to even; shift 0..31 */
static uint32_t shift_round(uint32_t value, unsigned shift)
{
    if (!shift)
        return value;
    if (shift > 31)
        return 0;
    uint32_t half = UINT32_C(1) << (shift - 1), rest = value & ((half << 1) - 1);
    uint32_t result = value >> shift;
    return result + (rest > half || (rest == half && (result & 1)));
}

uint32_t numeric_narrow(uint32_t bits, unsigned exponent, unsigned fraction)
{
    uint32_t sign = bits >> 31 << (exponent + fraction);
    uint32_t special = ((UINT32_C(1) << exponent) - 1) << fraction;
    int from = (int)(bits >> SINGLE_FRACTION & SINGLE_SPECIAL);
    uint32_t mantissa = bits & ((UINT32_C(1) << SINGLE_FRACTION) - 1);
    if (from == SINGLE_SPECIAL)
        return mantissa ? special | UINT32_C(1) << (fraction - 1) : sign | special;
    int bias = (1 << (exponent - 1)) - 1, to = from - SINGLE_BIAS + bias;
    unsigned drop = SINGLE_FRACTION - fraction;
    if (from)
        mantissa |= UINT32_C(1) << SINGLE_FRACTION;
    else
        to++;
    if (to >= (1 << exponent) - 1)
        return sign | special;
    if (to <= 0) /* subnormal: the leading one moves into the fraction */
        return sign | shift_round(mantissa, drop + (unsigned)(1 - to > 31 ? 31 : 1 - to));
    /* Adding lets a rounding carry run into the exponent, up to infinity. */
    return sign + (((uint32_t)to - 1) << fraction) + shift_round(mantissa, drop);
}

uint32_t numeric_widen(uint32_t bits, unsigned exponent, unsigned fraction)
{
    uint32_t sign = (bits >> (exponent + fraction) & 1) << 31;
    uint32_t mantissa = bits & ((UINT32_C(1) << fraction) - 1);
    int from = (int)(bits >> fraction & ((UINT32_C(1) << exponent) - 1));
    int bias = (1 << (exponent - 1)) - 1;
    if (from == (1 << exponent) - 1)
        return sign | (uint32_t)SINGLE_SPECIAL << SINGLE_FRACTION |
               mantissa << (SINGLE_FRACTION - fraction);
    if (!from && (!mantissa || exponent == 8)) /* zero; a format with the same exponent range */
        return sign | mantissa << (SINGLE_FRACTION - fraction);
    int to = from - bias + SINGLE_BIAS;
    if (!from)
        for (to++; !(mantissa >> fraction & 1); to--)
            mantissa <<= 1;
    mantissa &= (UINT32_C(1) << fraction) - 1;
    return sign | (uint32_t)to << SINGLE_FRACTION | mantissa << (SINGLE_FRACTION - fraction);
}

float numeric_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t numeric_to_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

uint16_t numeric_fp16(float x)
{
    return (uint16_t)numeric_narrow(numeric_to_bits(x), 5, 10);
}

uint16_t numeric_bf16(float x)
{
    return (uint16_t)numeric_narrow(numeric_to_bits(x), 8, 7);
}

int32_t numeric_round_even(float x)
{
    if (x != x)
        return 0;
    int32_t whole = (int32_t)x; /* toward zero */
    float rest = x - (float)whole;
    if (rest < 0)
        rest = -rest;
    int32_t away = x < 0 ? -1 : 1;
    return rest > 0.5f || (rest == 0.5f && (whole & 1)) ? whole + away : whole;
}
