/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Formats and conversions. Small formats are compared, every encoding and every
 * rounding mode, with a reference that knows only their definition: values by
 * ldexp from the fields, results by searching the neighbours of a number.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "sim/element.h"
#include "sim/float.h"
#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

#define T(name) ISA_DataType_##name

enum {
    NV = FLOAT_INVALID,
    OF = FLOAT_OVERFLOW,
    UF = FLOAT_UNDERFLOW,
    NX = FLOAT_INEXACT,
    STATUS = 32,
};

/* ---- definitions (spec: hardware-conformance-profile.json, data_types) ---- */

struct fields {
    uint8_t dtype, bits, exponent_bits, fraction_bits;
    int bias;
};
static const struct fields small_formats[] = {
    {T(E4M3), 8, 4, 3, 7},   {T(E5M2), 8, 5, 2, 15},   {T(E3M2), 6, 3, 2, 3},
    {T(E2M3), 6, 2, 3, 1},   {T(E2M1X2), 4, 2, 1, 1},  {T(E1M2X2), 4, 1, 2, 1},
    {T(HiF4X2), 4, 1, 2, 1}, {T(FP16), 16, 5, 10, 15}, {T(BF16), 16, 8, 7, 127},
};

/* NAN and infinities as doubles. */
static double defined_value(const struct fields *f, unsigned code)
{
    int exponent = code >> f->fraction_bits & ((1 << f->exponent_bits) - 1);
    int fraction = code & ((1 << f->fraction_bits) - 1);
    double sign = code >> (f->bits - 1) & 1 ? -1 : 1;
    int highest = (1 << f->exponent_bits) - 1;
    bool ieee = f->dtype == T(E5M2) || f->bits == 16;
    if (ieee && exponent == highest)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (f->dtype == T(E4M3) && exponent == highest && fraction == 7)
        return (double)NAN;
    if (!exponent)
        return sign * ldexp(fraction, 1 - f->bias - f->fraction_bits);
    return sign * ldexp((1 << f->fraction_bits) + fraction, exponent - f->bias - f->fraction_bits);
}

static double hif8_value(unsigned code)
{
    static const struct {
        const char *prefix;
        int exponent_bits, fraction_bits;
    } dots[] = {{"0001", 0, 3}, {"001", 1, 3}, {"01", 2, 3}, {"10", 3, 2}, {"11", 4, 1}};
    double sign = code & 0x80 ? -1 : 1;
    if (code == 0x80)
        return (double)NAN;
    if ((code & 0x7f) == 0x6f)
        return sign * (double)INFINITY;
    if ((code & 0x7f) < 8)
        return code & 7 ? sign * ldexp(1, (int)(code & 7) - 23) : 0;
    for (unsigned i = 0; i < 5; i++) {
        int length = (int)strlen(dots[i].prefix), at = 7 - length;
        if ((code & 0x7f) >> at != strtoul(dots[i].prefix, NULL, 2))
            continue;
        int exponent = 0;
        if (dots[i].exponent_bits) {
            bool negative = code >> (at - 1) & 1;
            exponent = 1;
            for (int k = 2; k <= dots[i].exponent_bits; k++)
                exponent = 2 * exponent + (code >> (at - k) & 1);
            exponent = negative ? -exponent : exponent;
        }
        int fraction = code & ((1 << dots[i].fraction_bits) - 1);
        return sign * ldexp(1 + ldexp(fraction, -dots[i].fraction_bits), exponent);
    }
    fail_msg("HiF8 0x%x", code);
    return 0;
}

static double value_of(const struct float_value *v)
{
    switch (v->klass) {
    case FLOAT_ZERO:
        return v->sign ? -0.0 : 0;
    case FLOAT_INFINITE:
        return v->sign ? -(double)INFINITY : (double)INFINITY;
    case FLOAT_FINITE:
        return ldexp((v->sign ? -1.0 : 1.0) * (double)(uint64_t)(v->significand >> 63),
                     v->exponent - 63);
    default:
        return (double)NAN;
    }
}

static bool same(double a, double b)
{
    return (a != a && b != b) || (a == b && signbit(a) == signbit(b));
}

static void check_decode(uint8_t dtype, unsigned code, double expected)
{
    const struct element_type *t = element_type_of(dtype);
    struct float_value v = t->decode(t, code);
    if (!same(value_of(&v), expected))
        fail_msg("%s 0x%x: %a, expected %a", sim_format_name(dtype), code, value_of(&v), expected);
}

static void test_decode(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small_formats / sizeof *small_formats; i++)
        for (unsigned code = 0; code < 1u << small_formats[i].bits; code++)
            check_decode(small_formats[i].dtype, code, defined_value(&small_formats[i], code));
    for (unsigned code = 0; code < 256; code++) {
        check_decode(T(HiF8), code, hif8_value(code));
        check_decode(T(E8M0), code, code == 255 ? (double)NAN : ldexp(1, (int)code - 127));
        check_decode(T(S8), code, (int8_t)code);
        check_decode(T(U8), code, code);
        check_decode(T(S4X2), code & 15, (double)((int)((code & 15) ^ 8) - 8));
        check_decode(T(U4X2), code & 15, code & 15);
    }
}

/* ---- rounding, against neighbours ---- */

enum { LADDER = 1 << 15 };

struct ladder { /* non-negative numbers of a format, ascending */
    uint8_t dtype;
    unsigned count;
    double value[LADDER];
    uint16_t code[LADDER];
    double beyond; /* what overflows: where the next number would stand */
    int past_end;  /* its code: infinity or NaN; -1: there is none */
};

static void ladder_add(struct ladder *l, unsigned code, double value)
{
    unsigned i = l->count++;
    for (; i > 0 && l->value[i - 1] > value; i--) {
        l->value[i] = l->value[i - 1];
        l->code[i] = l->code[i - 1];
    }
    l->value[i] = value;
    l->code[i] = (uint16_t)code;
}

static void make_ladder(struct ladder *l, uint8_t dtype, const struct fields *f)
{
    l->dtype = dtype;
    l->count = 0;
    unsigned codes = f ? 1u << (f->bits - 1) : 0x80;
    for (unsigned code = 0; code < codes; code++) {
        double v = f ? defined_value(f, code) : hif8_value(code);
        if (v == v && !isinf(v))
            ladder_add(l, code, v);
    }
    double top = l->value[l->count - 1];
    l->beyond = top + (top - l->value[l->count - 2]);
    if (!f) { /* the row of HiF8's largest exponent has one more place, which is infinity */
        l->beyond = 1.5 * top;
        l->past_end = 0x6f;
    } else {
        l->past_end = dtype == T(E4M3)   ? 0x7f
                      : dtype == T(E5M2) ? 0x7c
                      : dtype == T(FP16) ? 0x7c00
                      : dtype == T(BF16) ? 0x7f80
                                         : -1;
    }
}

/* The place of |x| among the numbers, rounded; l->count: beyond them. */
static unsigned place_of(const struct ladder *l, double x, enum rounding mode)
{
    double magnitude = fabs(x);
    unsigned low = 0;
    for (unsigned step = LADDER; step; step /= 2)
        if (low + step < l->count && l->value[low + step] <= magnitude)
            low += step;
    double above = low + 1 < l->count ? l->value[low + 1] : l->beyond;
    if (magnitude == l->value[low])
        return low;
    double middle = (l->value[low] + above) / 2;
    /* Powers of two of HiF8 below its normal numbers have no fraction: 1 is odd, 2 is even. */
    bool powers = l->dtype == T(HiF8) && low > 0 && l->value[low] < ldexp(1, -15);
    bool odd = powers || (l->code[low] & 1);
    if (l->dtype == T(HiF8) && low == 0)
        odd = false;
    bool up;
    switch (mode) {
    case ROUND_EVEN:
        up = magnitude > middle || (magnitude == middle && odd);
        break;
    case ROUND_AWAY:
        up = magnitude >= middle;
        break;
    case ROUND_TIES_UP:
        up = magnitude > middle || (magnitude == middle && x > 0);
        break;
    case ROUND_DOWN:
        up = x < 0;
        break;
    case ROUND_UP:
        up = x > 0;
        break;
    case ROUND_ODD:
        up = !odd;
        break;
    default:
        up = false;
        break;
    }
    return low + up;
}

static void check_encode(const struct ladder *l, float x, enum rounding mode, bool saturate)
{
    const struct element_type *from = element_type_of(T(FP32)), *to = element_type_of(l->dtype);
    struct element_control c = {mode, saturate};
    unsigned flags = 0,
             sign =
                 x < 0 ? 1u << (l->dtype == T(HiF8) ? 7 : to->f.exponent_bits + to->f.fraction_bits)
                       : 0;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    unsigned result = (unsigned)to->encode(to, from->decode(from, bits), &c, &flags);
    unsigned place = place_of(l, x, mode);
    bool truncates = mode == ROUND_ZERO || mode == ROUND_ODD || (mode == ROUND_DOWN && x > 0) ||
                     (mode == ROUND_UP && x < 0);
    bool beyond = place >= l->count || fabsf(x) >= l->beyond;
    unsigned expected;
    if (!beyond)
        expected = l->code[place] | sign;
    else if (saturate || truncates || l->past_end < 0)
        expected = l->code[l->count - 1] | sign;
    else
        expected = (unsigned)l->past_end | (l->past_end == 0x7f ? 0 : sign);
    if (l->dtype == T(HiF8) && expected == 0x80)
        expected = 0; /* HiF8 has one zero */
    if (result != expected || !!(flags & OF) != beyond)
        fail_msg("%s of %a, mode %d, sat %d: 0x%x flags %x, expected 0x%x",
                 sim_format_name(l->dtype), (double)x, mode, saturate, result, flags, expected);
}

/* Every number, every middle, and what stands beside them. */
static void check_ladder(const struct ladder *l)
{
    for (unsigned i = 0; i <= l->count; i++) {
        double here = i < l->count ? l->value[i] : l->beyond;
        double next = i + 1 < l->count ? l->value[i + 1] : i < l->count ? l->beyond : 4 * here;
        float points[] = {(float)here, (float)((here + next) / 2)};
        for (unsigned k = 0; k < 6; k++) {
            float x = points[k / 3];
            x = k % 3 == 1 ? nextafterf(x, 0) : k % 3 == 2 ? nextafterf(x, INFINITY) : x;
            if (isinf(x)) /* beyond BF16 is beyond FP32 */
                continue;
            for (int mode = ROUND_EVEN; mode <= ROUND_TIES_UP; mode++)
                for (int sat = 0; sat < 2; sat++) {
                    check_encode(l, x, (enum rounding)mode, sat);
                    if (x != 0)
                        check_encode(l, -x, (enum rounding)mode, sat);
                }
        }
    }
}

static void test_encode(void **state)
{
    (void)state;
    static struct ladder l;
    for (size_t i = 0; i < sizeof small_formats / sizeof *small_formats; i++) {
        make_ladder(&l, small_formats[i].dtype, &small_formats[i]);
        check_ladder(&l);
    }
    make_ladder(&l, T(HiF8), NULL);
    check_ladder(&l);
}

/* ---- integers and scales ---- */

/* A whole number by its definition; ties and what lies between are exact in double. */
static double rounded(double x, enum rounding mode)
{
    double low = floor(x), rest = x - low;
    bool up;
    switch (mode) {
    case ROUND_ZERO:
        up = x < 0;
        break;
    case ROUND_DOWN:
        up = false;
        break;
    case ROUND_UP:
        up = true;
        break;
    case ROUND_AWAY:
        up = rest > 0.5 || (rest == 0.5 && x > 0);
        break;
    case ROUND_ODD:
        up = fmod(low, 2) == 0;
        break;
    case ROUND_TIES_UP:
        up = rest >= 0.5;
        break;
    default:
        up = rest > 0.5 || (rest == 0.5 && fmod(low, 2) != 0);
        break;
    }
    return rest == 0 ? x : low + up;
}

static void check_integer(const struct element_type *t, double least, double most, float x)
{
    const struct element_type *from = element_type_of(T(FP32));
    uint64_t mask = UINT64_MAX >> (64 - t->bits);
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int mode = ROUND_EVEN; mode <= ROUND_TIES_UP; mode++)
        for (int sat = 0; sat < 2; sat++) {
            struct element_control c = {(enum rounding)mode, sat};
            unsigned flags = 0;
            double whole = rounded((double)x, (enum rounding)mode);
            bool out = whole < least || whole > most;
            if (out && sat)
                whole = whole < least ? least : most;
            else if (out) /* indefinite */
                whole = least < 0 ? least : most;
            uint64_t got = t->encode(t, from->decode(from, bits), &c, &flags);
            unsigned expected = out ? (sat ? OF | NX : NV) : whole != (double)x ? (unsigned)NX : 0;
            if (got != ((uint64_t)(int64_t)whole & mask) || flags != expected)
                fail_msg("%u bits of %a, mode %d, sat %d: 0x%llx flags %x", t->bits, (double)x,
                         mode, sat, (unsigned long long)got, flags);
        }
}

/* Quarters over the whole range and beyond both ends, and their neighbours. */
static void test_integers(void **state)
{
    static const uint8_t types[] = {T(S4X2), T(U4X2), T(S8), T(U8), T(S16), T(U16)};
    (void)state;
    for (size_t i = 0; i < sizeof types; i++) {
        const struct element_type *t = element_type_of(types[i]);
        double least = t->is_signed ? -ldexp(1, t->bits - 1) : 0;
        double most = ldexp(1, t->bits - t->is_signed) - 1;
        double step = t->bits < 16 ? 0.25 : 16.25; /* 16 bits: every phase of a quarter */
        for (double x = least - 3; x <= most + 3; x += step) {
            check_integer(t, least, most, (float)x);
            check_integer(t, least, most, nextafterf((float)x, INFINITY));
            check_integer(t, least, most, nextafterf((float)x, -INFINITY));
        }
        for (double x = most - 2; x <= most + 2; x += 0.25)
            check_integer(t, least, most, (float)x);
    }
}

/* ---- rows of 16-bit floats against exact values ---- */

static void check_narrow(const struct element_type *t, uint32_t bits)
{
    const struct element_type *fp32 = element_type_of(T(FP32));
    struct element_control c = {ROUND_EVEN, false};
    unsigned flags = 0;
    uint16_t result;
    uint64_t expected = t->encode(t, fp32->decode(fp32, bits), &c, &flags);
    struct element_run r;
    element_begin(&r, t);
    t->narrow(&r, &result, &bits, 1);
    unsigned of_row = r.flags;
    element_end(&r);
    if (result != expected || of_row != flags)
        fail_msg("0x%x to 0x%llx: 0x%x flags %x, expected flags %x", bits,
                 (unsigned long long)expected, result, of_row, flags);
}

/* Every number, its neighbours in FP32, the middle to the next one, and the middle's. */
static void test_half_rows(void **state)
{
    (void)state;
    static const uint8_t halves[] = {T(FP16), T(BF16)};
    const struct element_type *fp32 = element_type_of(T(FP32));
    struct element_control c = {ROUND_EVEN, false};
    for (unsigned k = 0; k < 2; k++) {
        const struct element_type *t = element_type_of(halves[k]);
        uint32_t before = 0;
        for (uint32_t code = 0; code < 0x10000; code++) {
            uint16_t half = (uint16_t)code;
            uint32_t wide;
            unsigned flags = 0;
            struct element_run r = {.type = t};
            t->widen(&r, &wide, &half, 1);
            check_narrow(t, wide);
            element_canonical_fp32(&r, &wide, &wide, 1);
            assert_int_equal(wide, fp32->encode(fp32, t->decode(t, code), &c, &flags));
            assert_int_equal(r.flags, flags);
            uint32_t middle = (uint32_t)(((uint64_t)before + wide) / 2);
            for (uint32_t beside = 0; beside < 3; beside++) {
                check_narrow(t, wide + beside - 1);
                check_narrow(t, middle + beside - 1);
            }
            before = wide;
        }
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Arithmetic of 16-bit floats in FP32 gives what one rounding gives, status included. */
static void test_half_arithmetic(void **state)
{
    (void)state;
    static const uint8_t halves[] = {T(FP16), T(BF16)};
    struct element_control c = {ROUND_EVEN, false};
    uint32_t seed = 1;
    for (unsigned i = 0; i < 400000; i++) {
        const struct element_type *t = element_type_of(halves[i & 1]);
        uint16_t a = (uint16_t)next_random(&seed), b = (uint16_t)next_random(&seed), result;
        unsigned op = i / 2 % 4, flags = 0;
        if (i % 8 == 0)
            b = (uint16_t)(a ^ 0x8000 ^ (b & 15)); /* cancels */
        struct float_value x = t->decode(t, a), y = t->decode(t, b);
        x = op == ELEMENT_ADD   ? float_add(x, y, ROUND_EVEN, &flags)
            : op == ELEMENT_SUB ? float_add(x, float_negate(y), ROUND_EVEN, &flags)
            : op == ELEMENT_MUL ? float_multiply(x, y, &flags)
                                : float_divide(x, y, &flags);
        uint64_t expected = t->encode(t, x, &c, &flags);
        struct element_run r;
        element_begin(&r, t);
        t->kernels->binary[op](&r, &result, &a, &b, 1);
        element_end(&r);
        if (result != expected || r.flags != flags)
            fail_msg("operation %u, 0x%x, 0x%x: 0x%x flags %x, expected 0x%llx flags %x", op, a, b,
                     result, r.flags, (unsigned long long)expected, flags);
    }
}

/* So do the functions of FP32 that the host helps with. */
static void test_functions(void **state)
{
    (void)state;
    const struct element_type *t = element_type_of(T(FP32));
    struct element_control c = {ROUND_EVEN, false};
    static const struct {
        enum element_unary function;
        struct float_value (*exact)(struct float_value a, unsigned *flags);
        uint32_t lowest, span; /* encodings */
    } cases[] = {
        {ELEMENT_EXP, float_exp, 0x3d000000, 0x06000000},
        {ELEMENT_EXP, float_exp, 0xbd000000, 0x06000000},
        {ELEMENT_EXP, float_exp, 0, 0x80000000},
        {ELEMENT_LOG, float_log, 0, 0x80000000},
        {ELEMENT_LOG, float_log, 0x3f7fff00, 0x200},
        {ELEMENT_RSQRT, float_rsqrt, 0, 0x80000000},
    };
    uint32_t seed = 7;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (unsigned i = 0; i < 20000; i++) {
            uint32_t random = next_random(&seed) << 16 ^ next_random(&seed), result;
            uint32_t bits = cases[k].lowest + random % cases[k].span;
            unsigned flags = 0;
            uint64_t expected =
                t->encode(t, cases[k].exact(t->decode(t, bits), &flags), &c, &flags);
            struct element_run r;
            element_begin(&r, t);
            t->kernels->unary[cases[k].function](&r, &result, &bits, 1);
            element_end(&r);
            if (result != expected || r.flags != flags)
                fail_msg("function %u of 0x%x: 0x%x flags %x, expected 0x%llx flags %x",
                         cases[k].function, bits, result, r.flags, (unsigned long long)expected,
                         flags);
        }
}

/* ---- TCVT ---- */

struct cvt_case {
    uint8_t from, to, rmode;
    bool sat;
    uint64_t source, expected;
    unsigned flags;
    const char *why;
};

enum { NONE, RNE, RTZ, RDN, RUP, RNA, RTO, RHB }; /* B.DATR RMode */

static const struct cvt_case cvt_cases[] = {
    /* pto-isa-0583-hardware-numeric-vectors.json: rounding */
    {T(FP32), T(S32), RNE, 0, 0x40200000, 2, NX, "2.5"},
    {T(FP32), T(S32), RNE, 0, 0x40600000, 4, NX, "3.5"},
    {T(FP32), T(S32), RTZ, 0, 0xbff33333, 0xffffffff, NX, "-1.9"},
    {T(FP32), T(S32), RDN, 0, 0xbf8ccccd, 0xfffffffe, NX, "-1.1"},
    {T(FP32), T(S32), RUP, 0, 0x3f8ccccd, 2, NX, "1.1"},
    {T(FP32), T(S32), RNA, 0, 0x40200000, 3, NX, "2.5"},
    {T(FP32), T(S32), RNA, 0, 0xc0200000, 0xfffffffd, NX, "-2.5"},
    {T(FP32), T(S32), RTO, 0, 0x40000000, 2, 0, "2 is exact"},
    {T(FP32), T(S32), RTO, 0, 0x40100000, 3, NX, "2.25"},
    {T(FP32), T(S32), RTO, 0, 0xc0100000, 0xfffffffd, NX, "-2.25"},
    {T(FP32), T(S32), RHB, 0, 0x40200000, 3, NX, "2.5"},
    {T(FP32), T(S32), RHB, 0, 0xc0200000, 0xfffffffe, NX, "-2.5"},
    {T(FP32), T(S32), NONE, 0, 0x40600000, 3, NX, "NONE truncates to integers"},
    {T(FP32), T(FP16), NONE, 0, 0x3f803000, 0x3c02, NX, "and rounds to even elsewhere"},
    /* saturation, after rounding */
    {T(FP32), T(S8), RNA, 1, 0x42ff0000, 0x7f, OF | NX, "127.5"},
    {T(FP32), T(S8), RNA, 1, 0xc3008000, 0x80, OF | NX, "-128.5"},
    {T(FP32), T(S8), RNE, 1, 0xc3008000, 0x80, NX, "-128.5 to even"},
    {T(FP32), T(U8), NONE, 1, 0xbf800000, 0, OF | NX, "-1"},
    {T(FP32), T(S32), NONE, 1, 0x7fc00000, 0, NV, "NaN"},
    {T(FP32), T(FP16), NONE, 1, 0x7f800000, 0x7bff, 0, "infinity"},
    {T(FP32), T(FP16), NONE, 1, 0xc7800000, 0xfbff, OF | NX, "-65536"},
    {T(FP32), T(FP16), NONE, 0, 0xc7800000, 0xfc00, OF | NX, "-65536"},
    /* invalid without it */
    {T(FP64), T(S64), NONE, 0, 0x7ff8000000000000, 0x8000000000000000, NV, "NaN"},
    {T(FP32), T(S32), NONE, 0, 0x7f800000, 0x80000000, NV, "infinity"},
    {T(FP32), T(S4X2), NONE, 0, 0x7fc00000, 8, NV, "NaN"},
    {T(FP32), T(U64), NONE, 0, 0x7fc00000, UINT64_MAX, NV, "NaN"},
    {T(FP32), T(U8), NONE, 0, 0xff800000, 0xff, NV, "-infinity"},
    {T(FP32), T(U4X2), NONE, 0, 0x7fc00000, 15, NV, "NaN"},
    {T(FP32), T(S8), NONE, 0, 0x43000000, 0x80, NV, "128"},
    {T(FP32), T(S8), NONE, 0, 0x42fe0000, 0x7f, 0, "127"},
    /* between floats */
    {T(FP16), T(FP32), NONE, 0, 0x0001, 0x33800000, 0, "2^-24"},
    {T(FP16), T(FP64), NONE, 0, 0xfc00, 0xfff0000000000000, 0, "-infinity"},
    {T(FP32), T(BF16), NONE, 0, 0x3f808000, 0x3f80, NX, "tie to even"},
    {T(FP32), T(BF16), NONE, 0, 0x7f800001, 0x7fc0, NV, "signaling NaN"},
    {T(FP64), T(FP32), NONE, 0, 0x3ff0000010000000, 0x3f800000, NX, "tie to even"},
    {T(FP64), T(FP32), NONE, 0, 0x3690000000000000, 0, UF | NX, "half the smallest"},
    {T(FP64), T(FP32), RUP, 0, 0x3690000000000000, 1, UF | NX, "up"},
    {T(FP32), T(TF32), NONE, 0, 0x3f801000, 0x3f800000, NX, "tie to even"},
    {T(FP32), T(HF32), NONE, 0, 0x3f801000, 0x3f801000, 0, "one bit more"},
    {T(FP32), T(E4M3), NONE, 0, 0x43f00000, 0x7f, OF | NX, "480 has no infinity"},
    {T(FP32), T(E4M3), NONE, 1, 0x43f00000, 0x7e, OF | NX, "480"},
    {T(FP32), T(E4M3), NONE, 0, 0x3fc00000, 0x3c, 0, "1.5"},
    {T(FP32), T(HiF8), NONE, 0, 0x3fc00000, 0x0c, 0, "1.5"},
    {T(FP32), T(HiF8), NONE, 0, 0x7fc00000, 0x80, 0, "NaN"},
    {T(FP32), T(HiF8), NONE, 0, 0x80000000, 0, 0, "one zero"},
    {T(FP32), T(E2M1X2), NONE, 0, 0x40a00000, 6, NX, "5 ties to 4"},
    {T(FP32), T(E2M1X2), NONE, 0, 0xc1200000, 15, OF | NX, "-10 stays finite"},
    {T(E2M1X2), T(FP32), NONE, 0, 9, 0xbf000000, 0, "-0.5"},
    {T(HiF4X2), T(FP32), NONE, 0, 9, 0xbe800000, 0, "-0.25"},
    {T(E8M0), T(FP32), NONE, 0, 0, 0x00400000, 0, "2^-127"},
    /* E8M0 rounds the exponent */
    {T(FP32), T(E8M0), NONE, 0, 0x3f800000, 0x7f, 0, "1"},
    {T(FP32), T(E8M0), NONE, 0, 0x3fb504f3, 0x7f, NX, "just below sqrt 2"},
    {T(FP32), T(E8M0), NONE, 0, 0x3fb504f4, 0x80, NX, "just above"},
    {T(FP32), T(E8M0), RTZ, 0, 0x3f400000, 0x7f, NX, "0.75 truncates to 2^0"},
    {T(FP32), T(E8M0), RDN, 0, 0x3f400000, 0x7e, NX, "0.75 down"},
    {T(FP32), T(E8M0), RUP, 0, 0x3fc00000, 0x80, NX, "1.5 up"},
    {T(FP32), T(E8M0), RTO, 0, 0x3fc00000, 0x80, NX, "1.5 to odd 1"},
    {T(FP32), T(E8M0), NONE, 0, 0, 0xff, NV, "0"},
    {T(FP32), T(E8M0), NONE, 1, 0xbf800000, 0xff, NV, "-1"},
    {T(FP32), T(E8M0), NONE, 1, 0x7f800000, 0xfe, OF | NX, "infinity"},
    {T(FP32), T(E8M0), NONE, 0, 0x7f000001, 0xff, OF | NX, "above 2^127"},
    {T(FP32), T(E8M0), NONE, 0, 0x7f000000, 0xfe, 0, "2^127"},
    {T(FP32), T(E8M0), NONE, 0, 0x00400000, 0, 0, "2^-127"},
    {T(FP32), T(E8M0), NONE, 1, 0x003fffff, 0, UF | NX, "below"},
    /* integers */
    {T(S8), T(FP16), NONE, 0, 0x80, 0xd800, 0, "-128"},
    {T(U64), T(FP32), NONE, 0, UINT64_MAX, 0x5f800000, NX, "2^64 - 1"},
    {T(S32), T(FP32), RTZ, 0, 0x01000001, 0x4b800000, NX, "2^24 + 1"},
    {T(S8), T(S32), NONE, 0, 0x80, 0xffffff80, 0, "sign-extends"},
    {T(U8), T(S32), NONE, 0, 0x80, 0x80, 0, "zero-extends"},
    {T(S32), T(S8), NONE, 0, 0x180, 0x80, 0, "low bits"},
    {T(S32), T(S8), NONE, 1, 0x180, 0x7f, 0, "limited"},
    {T(S32), T(U8), NONE, 1, 0xffffffff, 0, 0, "limited"},
    {T(U64), T(S64), NONE, 1, UINT64_MAX, 0x7fffffffffffffff, 0, "limited"},
    {T(S64), T(S4X2), NONE, 0, UINT64_MAX, 15, 0, "low bits"},
};

enum { VALID = 21 };

static void start_cvt(struct bench *t, const char *op, unsigned from, unsigned to, uint64_t element)
{
    struct tile *tile = bench_start_conversion(t, op, from, to, 1, VALID);
    for (unsigned i = 0; i < VALID; i++)
        sim_element_set(sim_format_of(from), tile->pe[0].bytes, i, element);
    t->b.datr.pad = strcmp(op, "TCVT") == 0 ? SIM_PAD_NULL : 0;
}

static void test_cvt(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cvt_cases / sizeof *cvt_cases; i++) {
        const struct cvt_case *c = &cvt_cases[i];
        struct bench t;
        bench_open(&t);
        start_cvt(&t, "TCVT", c->from, c->to, c->source);
        t.b.datr.rmode = c->rmode;
        t.b.datr.sat = c->sat;
        bench_runs(&t);
        uint64_t first = bench_element(&t, TILE_HAND_SLOTS, 0, 0, 0);
        uint64_t last = bench_element(&t, TILE_HAND_SLOTS, 0, 0, VALID - 1);
        unsigned flags = (unsigned)(t.s.pes[0].core_state >> STATUS);
        if (first != c->expected || last != c->expected || flags != c->flags)
            fail_msg("%s to %s (%s), mode %u, sat %d: 0x%llx..0x%llx flags %x, expected 0x%llx "
                     "flags %x",
                     sim_format_name(c->from), sim_format_name(c->to), c->why, c->rmode, c->sat,
                     (unsigned long long)first, (unsigned long long)last, flags,
                     (unsigned long long)c->expected, c->flags);
        bench_close(&t);
    }
}

/* Row-major FP32 to NZ FP16: element (r, c) stays itself. */
static void test_cvt_layout(void **state)
{
    (void)state;
    struct bench t;
    bench_open(&t);
    bench_start(&t, "TCVT", T(U16));
    bench_tile(&t, 0, T(U16), SIM_ROW_MAJOR, 32, 16, 20, 1024, 8, 0);
    bench_iot(&t, 0, -1, 8, 1, 5); /* 2 KiB of U32 */
    bench_dim(&t, 0, 20);
    bench_dim(&t, 1, 16);
    bench_dim(&t, 2, 32);
    t.b.datr = (struct bundle_datr){
        .present = true, .data_type = T(U32), .layout = ISA_TileLayout_ND2NZ, .pad = SIM_PAD_NULL};
    bench_runs(&t);
    assert_int_equal(t.s.tiles->local[TILE_HAND_SLOTS].info.layout, SIM_NZ);
    for (uint32_t row = 0; row < 16; row++)
        for (uint32_t col = 0; col < 20; col++)
            assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, row, col), row * 32 + col);
    bench_close(&t);
}

static void refuses(struct bench *t, const char *text)
{
    bench_faults(t, FAULT_TILE_LEGALITY, text);
}

static void test_cvt_faults(void **state)
{
    (void)state;
    struct bench t;
    bench_open(&t);
    start_cvt(&t, "TCVT", T(FP64), T(E8M0), 0);
    refuses(&t, "FP64 does not convert to E8M0");
    t.b.datr.data_type = T(E5M2);
    t.b.datr.canonicalize = true;
    refuses(&t, "Canonicalize");
    t.b.datr.canonicalize = false;
    t.b.datr.layout = ISA_TileLayout_NZ2ND;
    refuses(&t, "source layout is NZ");
    t.b.datr.layout = ISA_TileLayout_NORM;
    t.b.iot[0].size_code++;
    refuses(&t, "the destination has");
    t.b.iot[0].size_code--;
    bench_runs(&t);
    bench_close(&t);
}

/* ---- TQUANT, TDEQUANT ---- */

struct quant_case {
    uint8_t from, to, rmode;
    bool sat;
    uint64_t scale, zero_point, source, expected;
    unsigned flags;
    const char *why;
};

static const struct quant_case quant_cases[] = {
    {T(FP32), T(S8), NONE, 1, 0x3f800000, 0, 0x40200000, 2, NX, "2.5"},
    {T(FP32), T(S8), RNA, 1, 0x3f800000, 0, 0x40200000, 3, NX, "2.5 away"},
    {T(FP32), T(S8), NONE, 1, 0x40000000, 3, 0x40a00000, 13, 0, "5 * 2 + 3"},
    {T(FP32), T(S8), NONE, 1, 0x3f800000, 0, 0x43000000, 0x7f, 0, "128 limited"},
    {T(FP32), T(S8), NONE, 0, 0x3f800000, 0, 0x43000000, 0x80, 0, "128 wraps"},
    {T(FP32), T(U8), NONE, 1, 0x3f800000, 255, 0xc3800000, 0, 0, "-256 + 255 limited"},
    {T(FP32), T(U8), NONE, 0, 0x3f800000, 255, 0xc3800000, 255, 0, "-256 + 255 wraps"},
    {T(FP32), T(S8), NONE, 0, 0x7f000000, UINT64_MAX, 0x7f000000, 0xff, 0, "2^254 - 1 wraps"},
    {T(FP32), T(S8), NONE, 1, 0x7f000000, UINT64_MAX, 0xff000000, 0x80, 0, "-2^254 limited"},
    {T(FP32), T(S8), NONE, 0, 0x3f800000, 5, 0x7fc00000, 0, NV, "NaN"},
    {T(FP32), T(U8), NONE, 0, 0x3f800000, 5, 0xff800000, 0, OF | NX, "-infinity"},
    {T(FP32), T(S8), NONE, 0, 0x3f800000, 5, 0x7f800000, 0x7f, OF | NX, "infinity"},
    {T(S8), T(FP32), NONE, 0, 0x3f000000, 3, 0xff, 0xc0000000, 0, "(-1 - 3) / 2"},
    {T(U8), T(FP32), NONE, 0, 0x3f800000, 255, 0, 0xc37f0000, 0, "0 - 255"},
    {T(S8), T(FP32), NONE, 0, 0x3f800000, 7, 7, 0, 0, "zero"},
    {T(S8), T(FP32), RTZ, 0, 0x7f7fffff, 0, 0xfe, 0xff800000, OF | NX, "-2 * largest"},
};

static void test_quantize(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quant_cases / sizeof *quant_cases; i++) {
        const struct quant_case *c = &quant_cases[i];
        struct bench t;
        bench_open(&t);
        start_cvt(&t, c->from == T(FP32) ? "TQUANT" : "TDEQUANT", c->from, c->to, c->source);
        bench_ior(&t, 0, c->scale, 0, 0, 0);
        bench_ior(&t, 1, c->zero_point, 0, 0, 0);
        t.b.datr.rmode = c->rmode;
        t.b.datr.sat = c->sat;
        bench_runs(&t);
        uint64_t last = bench_element(&t, TILE_HAND_SLOTS, 0, 0, VALID - 1);
        unsigned flags = (unsigned)(t.s.pes[0].core_state >> STATUS);
        if (last != c->expected || flags != c->flags)
            fail_msg("%s to %s (%s): 0x%llx flags %x, expected 0x%llx flags %x",
                     sim_format_name(c->from), sim_format_name(c->to), c->why,
                     (unsigned long long)last, flags, (unsigned long long)c->expected, c->flags);
        bench_close(&t);
    }
}

static void test_quantize_faults(void **state)
{
    (void)state;
    static const struct {
        uint64_t scale, zero_point;
        const char *text;
    } cases[] = {
        {0, 0, "scale 0x0 of PE0"},           {0xbf800000, 0, "scale 0xbf800000"},
        {0x7f800000, 0, "scale 0x7f800000"},  {0x7fc00000, 0, "scale 0x7fc00000"},
        {0x3f800000, 128, "zero point 0x80"}, {0x3f800000, 0xff, "zero point 0xff"},
    };
    struct bench t;
    bench_open(&t);
    start_cvt(&t, "TQUANT", T(FP32), T(S8), 0x40000000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench_ior(&t, 0, cases[i].scale, 0, 0, 0);
        bench_ior(&t, 1, cases[i].zero_point, 0, 0, 0);
        refuses(&t, cases[i].text);
    }
    bench_ior(&t, 0, 1, 0, 0, 0); /* the smallest subnormal */
    bench_ior(&t, 1, 127, 0, 0, 0);
    t.b.datr.data_type = T(S16);
    refuses(&t, "it converts FP32 to S8 or U8");
    t.b.datr.data_type = T(S8);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, 0, 0), 127);
    t.b.ior_present = false; /* scale 1, zero point 0 */
    bench_runs(&t);
    assert_int_equal(bench_element(&t, TILE_HAND_SLOTS + 1, 0, 0, 0), 2);
    t.b.datr.present = false;
    refuses(&t, "B.DATR with the destination's type is missing");
    bench_close(&t);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_encode),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_half_rows),
        cmocka_unit_test(test_half_arithmetic),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_cvt),
        cmocka_unit_test(test_cvt_layout),
        cmocka_unit_test(test_cvt_faults),
        cmocka_unit_test(test_quantize),
        cmocka_unit_test(test_quantize_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
