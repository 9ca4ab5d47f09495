/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/float.h"

#include <math.h>
#include <stddef.h>

enum { TOP = 126 }; /* the leading bit of a finite significand */

const struct float_format float_fp64 = {11, 52, SPECIALS_IEEE, 0};
const struct float_format float_fp32 = {8, 23, SPECIALS_IEEE, 0};

/* ---- pieces ---- */

static int bias(const struct float_format *f)
{
    return (1 << (f->exponent_bits - 1)) - 1;
}

static uint64_t exponent_mask(const struct float_format *f)
{
    return (UINT64_C(1) << f->exponent_bits) - 1;
}

static uint64_t fraction_mask(const struct float_format *f)
{
    return (UINT64_C(1) << f->fraction_bits) - 1;
}

static int leading_zeros(uint128 x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)x);
}

/* Right shift that keeps in bit 0 whether anything was lost. */
static uint128 shift_sticky(uint128 x, unsigned n)
{
    if (n == 0)
        return x;
    if (n > 127)
        return x != 0;
    return x >> n | ((x << (128 - n)) != 0);
}

static struct float_value normalized(bool sign, int exponent, uint128 significand)
{
    if (significand == 0)
        return (struct float_value){FLOAT_ZERO, sign, 0, 0};
    int shift = leading_zeros(significand) - 1;
    if (shift < 0)
        significand = shift_sticky(significand, 1);
    else
        significand <<= shift;
    return (struct float_value){FLOAT_FINITE, sign, exponent - shift, significand};
}

static bool is_nan(struct float_value v)
{
    return v.klass >= FLOAT_NAN;
}

static struct float_value nan_value(void)
{
    return (struct float_value){.klass = FLOAT_NAN};
}

static struct float_value invalid(unsigned *flags)
{
    *flags |= FLOAT_INVALID;
    return nan_value();
}

static struct float_value infinity(bool sign)
{
    return (struct float_value){.klass = FLOAT_INFINITE, .sign = sign};
}

static struct float_value zero(bool sign)
{
    return (struct float_value){.klass = FLOAT_ZERO, .sign = sign};
}

static struct float_value propagate(struct float_value a, struct float_value b, unsigned *flags)
{
    if (a.klass == FLOAT_SIGNALING || b.klass == FLOAT_SIGNALING)
        *flags |= FLOAT_INVALID;
    return nan_value();
}

/* ---- unpacking ---- */

static struct float_value unpack_special(const struct float_format *f, bool sign, uint64_t fraction)
{
    if (fraction == 0)
        return infinity(sign);
    bool quiet = fraction >> (f->fraction_bits - 1) & 1;
    return (struct float_value){quiet ? FLOAT_NAN : FLOAT_SIGNALING, sign, 0, 0};
}

struct float_value float_unpack(const struct float_format *f, uint64_t bits)
{
    bits >>= f->shift;
    uint64_t fraction = bits & fraction_mask(f);
    uint64_t exponent = bits >> f->fraction_bits & exponent_mask(f);
    bool sign = bits >> (f->fraction_bits + f->exponent_bits) & 1;
    bool highest = exponent == exponent_mask(f);
    if (highest && f->specials == SPECIALS_IEEE)
        return unpack_special(f, sign, fraction);
    if (highest && f->specials == SPECIALS_NAN && fraction == fraction_mask(f))
        return nan_value();
    uint128 significand = (uint128)fraction << (TOP - f->fraction_bits);
    if (exponent == 0)
        return normalized(sign, 1 - bias(f), significand);
    return normalized(sign, (int)exponent - bias(f), significand | (uint128)1 << TOP);
}

/* ---- rounding ---- */

/* Does `rest` of a unit, half of which is `half`, round the magnitude up? */
static bool rounds_up(enum rounding mode, bool sign, bool odd, uint128 rest, uint128 half)
{
    switch (mode) {
    case ROUND_EVEN:
        return rest > half || (rest == half && odd);
    case ROUND_AWAY:
        return rest >= half;
    case ROUND_TIES_UP:
        return rest > half || (rest == half && !sign);
    case ROUND_DOWN:
        return rest && sign;
    case ROUND_UP:
        return rest && !sign;
    case ROUND_ODD:
        return rest && !odd;
    default:
        return false;
    }
}

/* Keeps the significand without its low `drop` bits. */
static uint128 round_off(uint128 significand, unsigned drop, enum rounding mode, bool sign,
                         bool *inexact)
{
    if (drop > TOP + 1) { /* all of it is less than half a unit */
        significand = significand != 0;
        drop = 2;
    }
    uint128 unit = (uint128)1 << drop, rest = significand & (unit - 1);
    uint128 kept = significand >> drop;
    *inexact = rest != 0;
    return kept + rounds_up(mode, sign, kept & 1, rest, unit >> 1);
}

static uint64_t highest_finite(const struct float_format *f)
{
    uint64_t all = exponent_mask(f) << f->fraction_bits | fraction_mask(f);
    switch (f->specials) {
    case SPECIALS_IEEE:
        return (exponent_mask(f) << f->fraction_bits) - 1;
    case SPECIALS_NAN:
        return all - 1;
    default:
        return all;
    }
}

uint64_t float_canonical_nan(const struct float_format *f)
{
    uint64_t all = exponent_mask(f) << f->fraction_bits;
    if (f->specials == SPECIALS_IEEE)
        return (all | UINT64_C(1) << (f->fraction_bits - 1)) << f->shift;
    return (all | fraction_mask(f)) << f->shift;
}

static uint64_t overflowed(const struct float_format *f, bool sign, enum rounding mode)
{
    bool stays_finite = f->specials == SPECIALS_NONE || mode == ROUND_ZERO || mode == ROUND_ODD ||
                        (mode == ROUND_DOWN && !sign) || (mode == ROUND_UP && sign);
    if (stays_finite)
        return highest_finite(f);
    return f->specials == SPECIALS_IEEE ? exponent_mask(f) << f->fraction_bits
                                        : highest_finite(f) + 1;
}

/* Would the value, rounded with an unbounded exponent range, still be below the normal numbers? */
static bool is_tiny(const struct float_format *f, struct float_value v, enum rounding mode)
{
    bool inexact;
    int lowest = 1 - bias(f);
    if (v.exponent >= lowest)
        return false;
    if (v.exponent < lowest - 1)
        return true;
    unsigned drop = TOP - f->fraction_bits;
    return !(round_off(v.significand, drop, mode, v.sign, &inexact) >> (f->fraction_bits + 1));
}

static uint64_t pack_finite(const struct float_format *f, struct float_value v, enum rounding mode,
                            unsigned *flags)
{
    bool inexact;
    int lowest = 1 - bias(f);
    bool subnormal = v.exponent < lowest;
    unsigned drop = TOP - f->fraction_bits + (subnormal ? (unsigned)(lowest - v.exponent) : 0);
    uint64_t kept = (uint64_t)round_off(v.significand, drop, mode, v.sign, &inexact);
    /* The leading bit of a normal number, and a carry out of rounding, add to the exponent. */
    uint64_t biased = subnormal ? 0 : (uint64_t)(v.exponent + bias(f) - 1);
    bool huge = biased > exponent_mask(f);
    uint64_t bits = huge ? 0 : (biased << f->fraction_bits) + kept;
    if (huge || bits > highest_finite(f)) {
        *flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
        return overflowed(f, v.sign, mode);
    }
    if (inexact)
        *flags |= FLOAT_INEXACT | (is_tiny(f, v, mode) ? FLOAT_UNDERFLOW : 0);
    return bits;
}

static uint64_t pack_infinity(const struct float_format *f)
{
    return f->specials == SPECIALS_IEEE  ? exponent_mask(f) << f->fraction_bits
           : f->specials == SPECIALS_NAN ? highest_finite(f) + 1
                                         : highest_finite(f);
}

uint64_t float_pack(const struct float_format *f, struct float_value v, enum rounding mode,
                    unsigned *flags)
{
    uint64_t bits = 0;
    if (is_nan(v)) {
        if (v.klass == FLOAT_SIGNALING)
            *flags |= FLOAT_INVALID;
        return float_canonical_nan(f);
    }
    if (v.klass == FLOAT_INFINITE)
        bits = pack_infinity(f);
    else if (v.klass == FLOAT_FINITE)
        bits = pack_finite(f, v, mode, flags);
    if (f->specials == SPECIALS_NAN && bits > highest_finite(f))
        return float_canonical_nan(f); /* what has no infinity overflows to the one NaN */
    return (bits | (uint64_t)v.sign << (f->fraction_bits + f->exponent_bits)) << f->shift;
}

/* ---- arithmetic ---- */

struct float_value float_negate(struct float_value a)
{
    a.sign = !a.sign;
    return a;
}

static struct float_value add_infinite(struct float_value a, struct float_value b, unsigned *flags)
{
    if (a.klass == FLOAT_INFINITE && b.klass == FLOAT_INFINITE && a.sign != b.sign)
        return invalid(flags);
    return a.klass == FLOAT_INFINITE ? a : b;
}

static struct float_value add_zero(struct float_value a, struct float_value b, enum rounding mode)
{
    if (a.klass == FLOAT_FINITE)
        return a;
    if (b.klass == FLOAT_FINITE)
        return b;
    return a.sign == b.sign ? a : zero(mode == ROUND_DOWN);
}

static struct float_value add_finite(struct float_value a, struct float_value b, enum rounding mode)
{
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        struct float_value swap = a;
        a = b;
        b = swap;
    }
    uint128 low = shift_sticky(b.significand, (unsigned)(a.exponent - b.exponent));
    if (a.sign == b.sign)
        return normalized(a.sign, a.exponent, a.significand + low);
    if (a.significand == low)
        return zero(mode == ROUND_DOWN);
    return normalized(a.sign, a.exponent, a.significand - low);
}

struct float_value float_add(struct float_value a, struct float_value b, enum rounding mode,
                             unsigned *flags)
{
    if (is_nan(a) || is_nan(b))
        return propagate(a, b, flags);
    if (a.klass == FLOAT_INFINITE || b.klass == FLOAT_INFINITE)
        return add_infinite(a, b, flags);
    if (a.klass == FLOAT_ZERO || b.klass == FLOAT_ZERO)
        return add_zero(a, b, mode);
    return add_finite(a, b, mode);
}

/* Operands have at most 63 significant bits, so the product is exact. */
static struct float_value multiply_finite(struct float_value a, struct float_value b)
{
    uint64_t x = (uint64_t)(a.significand >> 63), y = (uint64_t)(b.significand >> 63);
    return normalized(a.sign ^ b.sign, a.exponent + b.exponent, (uint128)x * y);
}

struct float_value float_multiply(struct float_value a, struct float_value b, unsigned *flags)
{
    bool sign = a.sign ^ b.sign;
    if (is_nan(a) || is_nan(b))
        return propagate(a, b, flags);
    if (a.klass == FLOAT_INFINITE || b.klass == FLOAT_INFINITE) {
        bool with_zero = a.klass == FLOAT_ZERO || b.klass == FLOAT_ZERO;
        return with_zero ? invalid(flags) : infinity(sign);
    }
    if (a.klass == FLOAT_ZERO || b.klass == FLOAT_ZERO)
        return zero(sign);
    return multiply_finite(a, b);
}

static struct float_value divide_finite(struct float_value a, struct float_value b)
{
    enum { QUOTIENT_BITS = 64 };
    uint128 numerator = a.significand, denominator = b.significand >> QUOTIENT_BITS;
    uint128 quotient = numerator / denominator, rest = numerator % denominator;
    return normalized(a.sign ^ b.sign, a.exponent - b.exponent + TOP - QUOTIENT_BITS - 1,
                      quotient << 1 | (rest != 0));
}

struct float_value float_divide(struct float_value a, struct float_value b, unsigned *flags)
{
    bool sign = a.sign ^ b.sign;
    if (is_nan(a) || is_nan(b))
        return propagate(a, b, flags);
    if (a.klass == b.klass && a.klass != FLOAT_FINITE)
        return invalid(flags); /* 0/0, infinity/infinity */
    if (a.klass == FLOAT_INFINITE)
        return infinity(sign);
    if (b.klass == FLOAT_INFINITE || a.klass == FLOAT_ZERO)
        return zero(sign);
    if (b.klass == FLOAT_ZERO) {
        *flags |= FLOAT_DIVIDE_BY_ZERO;
        return infinity(sign);
    }
    return divide_finite(a, b);
}

/* Digit by digit: the largest root of 63 bits, and whether it is exact. */
static uint64_t integer_root(uint128 square, bool *exact)
{
    uint64_t root = 0;
    uint128 rest = square;
    for (int bit = 63; bit >= 0; bit--) {
        uint128 step = ((uint128)root << (bit + 1)) + ((uint128)1 << (2 * bit));
        if (step <= rest) {
            rest -= step;
            root |= UINT64_C(1) << bit;
        }
    }
    *exact = rest == 0;
    return root;
}

struct float_value float_sqrt(struct float_value a, unsigned *flags)
{
    if (is_nan(a))
        return propagate(a, a, flags);
    if (a.klass == FLOAT_ZERO)
        return a;
    if (a.sign)
        return invalid(flags);
    if (a.klass == FLOAT_INFINITE)
        return a;
    bool odd = a.exponent & 1, exact;
    uint64_t root = integer_root(a.significand << odd, &exact);
    /* sqrt(s/2^126 * 2^e) = root/2^63 * 2^(e/2) */
    return normalized(false, (a.exponent - odd) / 2 + TOP - 63 - 1, (uint128)root << 1 | !exact);
}

struct float_value float_fused(struct float_value a, struct float_value b, struct float_value c,
                               enum rounding mode, unsigned *flags)
{
    bool zero_times_infinity = (a.klass == FLOAT_ZERO && b.klass == FLOAT_INFINITE) ||
                               (a.klass == FLOAT_INFINITE && b.klass == FLOAT_ZERO);
    if (is_nan(c) && zero_times_infinity)
        return invalid(flags);
    if (is_nan(c))
        return propagate(is_nan(a) ? a : c, b.klass == FLOAT_SIGNALING ? b : c, flags);
    return float_add(float_multiply(a, b, flags), c, mode, flags);
}

/* ---- exponential ---- */

/* Fixed point with 120 fraction bits: e^x = 2^k e^r with |r| <= ln 2 / 2, and e^r by its series.
 * The error is some units of 2^-118: beyond the hardest cases of FP32. */
enum { FIXED = 120 };
static const uint128 fixed_ln2 = (uint128)0xb17217f7d1cf79 << 64 | 0xabc9e3b39803f2f7;

/* Both below 2. */
static uint128 fixed_multiply(uint128 a, uint128 b)
{
    enum { LIMB = 64 };
    uint128 a1 = a >> LIMB, a0 = (uint64_t)a, b1 = b >> LIMB, b0 = (uint64_t)b;
    uint128 middle = a1 * b0 + a0 * b1 + (a0 * b0 >> LIMB);
    return (a1 * b1 << (2 * LIMB - FIXED)) + (middle >> (FIXED - LIMB));
}

/* x / ln 2 to the nearest integer; x is less than 2^10. */
static int nearest_power(struct float_value x)
{
    enum { SMALLEST = -2, UNITY = 124 };        /* below 2^SMALLEST it is 0 */
    const uint64_t log2_e = 0x5c551d94ae0bf85e; /* with 62 fraction bits */
    if (x.exponent < SMALLEST)
        return 0;
    uint128 product = (uint128)(uint64_t)(x.significand >> 64) * log2_e;
    int k = (int)(((product >> (UNITY - 1 - x.exponent)) + 1) >> 1);
    return x.sign ? -k : k;
}

/* Coefficients of the series, the last first: upper and lower half. */
static const uint64_t exp_terms[][2] = {
    {0x00000000000000, 0x00000000c4742fe3},  /* 1/26! */
    {0x00000000000000, 0x00000013f3ccdd16},  /* 1/25! */
    {0x00000000000000, 0x000001f2cf01972f},  /* 1/24! */
    {0x00000000000000, 0x00002ec368262c70},  /* 1/23! */
    {0x00000000000000, 0x0004338e5b6dfe15},  /* 1/22! */
    {0x00000000000000, 0x005c6e3bdb73d5c6},  /* 1/21! */
    {0x00000000000000, 0x07950ae900808942},  /* 1/20! */
    {0x00000000000000, 0x97a4da340a0ab926},  /* 1/19! */
    {0x0000000000000b, 0x413c31dcbecbbdd8},  /* 1/18! */
    {0x000000000000ca, 0x963b81856a535930},  /* 1/17! */
    {0x00000000000d73, 0xf9f399dc0f88ec33},  /* 1/16! */
    {0x0000000000d73f, 0x9f399dc0f88ec32b},  /* 1/15! */
    {0x000000000c9cba, 0x54603e4e905d6f8a},  /* 1/14! */
    {0x00000000b09230, 0x9d43684be51c198f},  /* 1/13! */
    {0x00000008f76c77, 0xfc6c4bdaa26d4c3d},  /* 1/12! */
    {0x0000006b99159f, 0xd5138e3f9d1f92e1},  /* 1/11! */
    {0x0000049f93edde, 0x27d71cbbc05b4faa},  /* 1/10! */
    {0x00002e3bc74aad, 0x8e671f5583911ca0},  /* 1/9! */
    {0x0001a01a01a01a, 0x01a01a01a01a01a0},  /* 1/8! */
    {0x000d00d00d00d0, 0x0d00d00d00d00d01},  /* 1/7! */
    {0x005b05b05b05b0, 0x5b05b05b05b05b06},  /* 1/6! */
    {0x02222222222222, 0x2222222222222222},  /* 1/5! */
    {0x0aaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaab},  /* 1/4! */
    {0x2aaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaab},  /* 1/3! */
    {0x80000000000000, 0x0000000000000000},  /* 1/2! */
    {0x100000000000000, 0x0000000000000000}, /* 1/1! */
    {0x100000000000000, 0x0000000000000000}, /* 1/0! */
};

static uint128 fixed_exp(uint128 magnitude, bool negative)
{
    uint128 sum = 0;
    for (size_t i = 0; i < sizeof exp_terms / sizeof *exp_terms; i++) {
        uint128 rest = fixed_multiply(magnitude, sum);
        uint128 term = (uint128)exp_terms[i][0] << 64 | exp_terms[i][1];
        sum = negative ? term - rest : term + rest;
    }
    return sum;
}

struct float_value float_exp(struct float_value a, unsigned *flags)
{
    /* From 2^FAR on every format overflows, or underflows to nothing; below 2^NEAR only the side
     * of 1 matters. */
    enum { FAR = 10, NEAR = -60, EXTREME = 1 << 12 };
    if (is_nan(a))
        return propagate(a, a, flags);
    if (a.klass == FLOAT_INFINITE)
        return a.sign ? zero(false) : a;
    if (a.klass == FLOAT_ZERO)
        return normalized(false, 0, (uint128)1 << TOP);
    if (a.exponent >= FAR)
        return normalized(false, a.sign ? -EXTREME : EXTREME, ((uint128)1 << TOP) | 1);
    if (a.exponent < NEAR)
        return normalized(false, a.sign ? -1 : 0,
                          a.sign ? ((uint128)1 << (TOP + 1)) - 1 : ((uint128)1 << TOP) | 1);
    int k = nearest_power(a), shift = a.exponent - (TOP - FIXED);
    uint128 x = shift < 0 ? a.significand >> -shift : a.significand << shift;
    uint128 r = (a.sign ? -x : x) - (uint128)k * fixed_ln2; /* x may wrap, r does not */
    bool negative = r >> (FIXED + 1) != 0;
    uint128 sum = fixed_exp(negative ? -r : r, negative);
    return normalized(false, k, sum << (TOP - FIXED) | 1);
}

/* ---- logarithm, reciprocal square root, modulo ---- */

static struct float_value from_long_double(long double x)
{
    int exponent;
    long double fraction = frexpl(x, &exponent); /* in [1/2, 1) */
    uint64_t high = (uint64_t)ldexpl(fraction, 64);
    return normalized(false, exponent - 1, (uint128)high << 63 | 1);
}

static long double to_long_double(struct float_value a)
{
    long double x = ldexpl((long double)(uint64_t)(a.significand >> 63), a.exponent - 63);
    return a.sign ? -x : x;
}

struct float_value float_log(struct float_value a, unsigned *flags)
{
    if (is_nan(a))
        return propagate(a, a, flags);
    if (a.klass == FLOAT_ZERO) {
        *flags |= FLOAT_DIVIDE_BY_ZERO;
        return infinity(true);
    }
    if (a.sign)
        return invalid(flags);
    if (a.klass == FLOAT_INFINITE)
        return a;
    if (a.exponent == 0 && a.significand == (uint128)1 << TOP)
        return zero(false);
    long double x = logl(to_long_double(a));
    struct float_value v = from_long_double(x < 0 ? -x : x);
    v.sign = x < 0;
    return v;
}

struct float_value float_rsqrt(struct float_value a, unsigned *flags)
{
    if (is_nan(a))
        return propagate(a, a, flags);
    if (a.klass == FLOAT_ZERO) {
        *flags |= FLOAT_DIVIDE_BY_ZERO;
        return infinity(a.sign);
    }
    if (a.sign)
        return invalid(flags);
    if (a.klass == FLOAT_INFINITE)
        return zero(false);
    if (a.exponent % 2 == 0 && a.significand == (uint128)1 << TOP) /* the only exact results */
        return normalized(false, -a.exponent / 2, a.significand);
    return from_long_double(1 / sqrtl(to_long_double(a)));
}

/* |a| mod |b|, with the sign of a. Operands have at most 63 significant bits. */
static struct float_value remainder_finite(struct float_value a, struct float_value b)
{
    enum { STEP = 60 };
    uint64_t divisor = (uint64_t)(b.significand >> 63);
    int ahead = a.exponent - b.exponent;
    if (ahead < 0)
        return a;
    uint64_t rest = (uint64_t)(a.significand >> 63) % divisor;
    for (; ahead > 0; ahead -= STEP)
        rest = (uint64_t)(((uint128)rest << (ahead < STEP ? ahead : STEP)) % divisor);
    return normalized(a.sign, b.exponent, (uint128)rest << 63);
}

struct float_value float_modulo(struct float_value a, struct float_value b, enum rounding mode,
                                unsigned *flags)
{
    if (is_nan(a) || is_nan(b))
        return propagate(a, b, flags);
    if (a.klass == FLOAT_INFINITE || b.klass == FLOAT_ZERO)
        return invalid(flags);
    struct float_value rest = a;
    if (a.klass == FLOAT_FINITE && b.klass == FLOAT_FINITE)
        rest = remainder_finite(a, b);
    if (rest.klass == FLOAT_ZERO)
        return zero(b.sign);
    return rest.sign == b.sign ? rest : float_add(rest, b, mode, flags);
}

/* ---- integers ---- */

struct float_value float_from_integer(uint64_t value, bool is_signed)
{
    bool sign = is_signed && value >> 63;
    uint64_t magnitude = sign ? -value : value;
    return normalized(sign, TOP, magnitude);
}

static uint64_t integer_indefinite(unsigned bits, bool is_signed, unsigned *flags)
{
    *flags |= FLOAT_INVALID;
    return is_signed ? -(UINT64_C(1) << (bits - 1)) : UINT64_MAX >> (64 - bits);
}

uint64_t float_to_integer(struct float_value v, unsigned bits, bool is_signed, enum rounding mode,
                          unsigned *flags)
{
    bool inexact;
    if (v.klass == FLOAT_ZERO)
        return 0;
    if (v.klass != FLOAT_FINITE || v.exponent > 64)
        return integer_indefinite(bits, is_signed, flags);
    uint128 kept = v.exponent < -1 ? round_off(1, 2, mode, v.sign, &inexact)
                                   : round_off(v.significand, (unsigned)(TOP - v.exponent), mode,
                                               v.sign, &inexact);
    uint128 limit =
        is_signed ? ((uint128)1 << (bits - 1)) - !v.sign : (v.sign ? 0 : ((uint128)1 << bits) - 1);
    if (kept > limit)
        return integer_indefinite(bits, is_signed, flags);
    if (inexact)
        *flags |= FLOAT_INEXACT;
    return v.sign ? -(uint64_t)kept : (uint64_t)kept;
}

/* ---- comparison ---- */

/* Magnitudes in order: zero, finite by exponent and significand, infinite. */
static int compare_magnitude(struct float_value a, struct float_value b)
{
    if (a.klass != b.klass)
        return a.klass < b.klass ? -1 : 1;
    if (a.klass != FLOAT_FINITE)
        return 0;
    if (a.exponent != b.exponent)
        return a.exponent < b.exponent ? -1 : 1;
    return a.significand < b.significand ? -1 : a.significand > b.significand;
}

int float_compare(struct float_value a, struct float_value b)
{
    enum { UNORDERED = 2 };
    if (is_nan(a) || is_nan(b))
        return UNORDERED;
    if (a.klass == FLOAT_ZERO && b.klass == FLOAT_ZERO)
        return 0;
    if (a.sign != b.sign)
        return a.sign ? -1 : 1;
    int order = compare_magnitude(a, b);
    return a.sign ? -order : order;
}
