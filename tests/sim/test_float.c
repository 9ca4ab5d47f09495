/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The integer arithmetic of sim/float.c against the host's IEEE unit: every
 * operation, both formats, the four rounding modes that the host has, results
 * and flags, over special and random operands. What the host lacks (ties away,
 * to odd, ties up) is checked by rows.
 */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/float.h"

enum { ROUNDS = 250000 };

static const struct {
    int host;
    enum rounding ours;
} modes[] = {
    {FE_TONEAREST, ROUND_EVEN},
    {FE_TOWARDZERO, ROUND_ZERO},
    {FE_DOWNWARD, ROUND_DOWN},
    {FE_UPWARD, ROUND_UP},
};
enum { MODES = sizeof modes / sizeof *modes };

enum operation { ADD, SUB, MUL, DIV, SQRT, FMA, OPERATIONS };

/* xorshift: the same operands in every run. */
static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* Half of the operands are at an edge of the format or near another operand. */
static uint64_t operand(uint64_t *x, unsigned exponent_bits, unsigned fraction_bits)
{
    uint64_t bits = next(x), fraction = (UINT64_C(1) << fraction_bits) - 1;
    uint64_t exponent = (UINT64_C(1) << exponent_bits) - 1, edge[] = {
                                                                0,
                                                                1,
                                                                exponent / 2,
                                                                exponent / 2 + 1,
                                                                exponent / 2 + fraction_bits,
                                                                exponent - 1,
                                                                exponent,
                                                                exponent / 2 - fraction_bits,
                                                            };
    uint64_t mantissas[] = {0, 1, fraction, fraction - 1, (fraction + 1) / 2, bits & fraction};
    uint64_t e = bits >> 60 < 8 ? edge[bits >> 57 & 7] : (bits >> 40 & exponent);
    uint64_t m = bits >> 56 & 1 ? bits & fraction : mantissas[(bits >> 50 & 63) % 6];
    return (bits >> 63 << exponent_bits | e) << fraction_bits | m;
}

static unsigned host_flags(void)
{
    int raised = fetestexcept(FE_ALL_EXCEPT);
    return (raised & FE_INVALID ? FLOAT_INVALID : 0) |
           (raised & FE_DIVBYZERO ? FLOAT_DIVIDE_BY_ZERO : 0) |
           (raised & FE_OVERFLOW ? FLOAT_OVERFLOW : 0) |
           (raised & FE_UNDERFLOW ? FLOAT_UNDERFLOW : 0) |
           (raised & FE_INEXACT ? FLOAT_INEXACT : 0);
}

static double as_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float as_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t host_double(enum operation op, uint64_t a, uint64_t b, uint64_t c)
{
    volatile double x = as_double(a), y = as_double(b), z = as_double(c), r;
    switch (op) {
    case ADD:
        r = x + y;
        break;
    case SUB:
        r = x - y;
        break;
    case MUL:
        r = x * y;
        break;
    case DIV:
        r = x / y;
        break;
    case SQRT:
        r = sqrt(x);
        break;
    default:
        r = fma(x, y, z);
        break;
    }
    double result = r;
    uint64_t bits;
    memcpy(&bits, &result, sizeof bits);
    return result != result ? float_canonical_nan(&float_fp64) : bits;
}

static uint64_t host_float(enum operation op, uint64_t a, uint64_t b, uint64_t c)
{
    volatile float x = as_float(a), y = as_float(b), z = as_float(c), r;
    switch (op) {
    case ADD:
        r = x + y;
        break;
    case SUB:
        r = x - y;
        break;
    case MUL:
        r = x * y;
        break;
    case DIV:
        r = x / y;
        break;
    case SQRT:
        r = sqrtf(x);
        break;
    default:
        r = fmaf(x, y, z);
        break;
    }
    float result = r;
    uint32_t bits;
    memcpy(&bits, &result, sizeof bits);
    return result != result ? float_canonical_nan(&float_fp32) : bits;
}

static uint64_t ours(const struct float_format *f, enum operation op, uint64_t a, uint64_t b,
                     uint64_t c, enum rounding mode, unsigned *flags)
{
    struct float_value x = float_unpack(f, a), y = float_unpack(f, b), v;
    switch (op) {
    case ADD:
        v = float_add(x, y, mode, flags);
        break;
    case SUB:
        v = float_add(x, float_negate(y), mode, flags);
        break;
    case MUL:
        v = float_multiply(x, y, flags);
        break;
    case DIV:
        v = float_divide(x, y, flags);
        break;
    case SQRT:
        v = float_sqrt(x, flags);
        break;
    default:
        v = float_fused(x, y, float_unpack(f, c), mode, flags);
        break;
    }
    return float_pack(f, v, mode, flags);
}

/* A fused multiply of 0 and infinity with a quiet NaN may or may not be invalid (IEEE 754 7.2). */
static bool may_be_invalid(enum operation op, uint64_t result, const struct float_format *f)
{
    return op == FMA && result == float_canonical_nan(f);
}

static void compare(const struct float_format *f, enum operation op, unsigned mode, uint64_t a,
                    uint64_t b, uint64_t c)
{
    unsigned flags = 0, expected_flags;
    uint64_t found = ours(f, op, a, b, c, modes[mode].ours, &flags), expected;
    fesetround(modes[mode].host);
    feclearexcept(FE_ALL_EXCEPT);
    expected = f == &float_fp64 ? host_double(op, a, b, c) : host_float(op, a, b, c);
    expected_flags = host_flags();
    fesetround(FE_TONEAREST);
    if (may_be_invalid(op, expected, f))
        flags = expected_flags;
    if (found != expected || flags != expected_flags)
        fail_msg("operation %d mode %u: %llx %llx %llx gives %llx flags %x, expected %llx flags %x",
                 op, mode, (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
                 (unsigned long long)found, flags, (unsigned long long)expected, expected_flags);
}

static void sweep(const struct float_format *f, enum operation op)
{
    uint64_t x = 0x9e3779b97f4a7c15;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t a = operand(&x, f->exponent_bits, f->fraction_bits);
        uint64_t b = operand(&x, f->exponent_bits, f->fraction_bits);
        uint64_t c = operand(&x, f->exponent_bits, f->fraction_bits);
        for (unsigned mode = 0; mode < MODES; mode++)
            compare(f, op, mode, a, b, c);
    }
}

static void test_fp64(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OPERATIONS; op++)
        sweep(&float_fp64, op);
}

static void test_fp32(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OPERATIONS; op++)
        sweep(&float_fp32, op);
}

static void test_narrowing(void **state)
{
    uint64_t x = 1;
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t a = operand(&x, 11, 52);
        for (unsigned mode = 0; mode < MODES; mode++) {
            unsigned flags = 0;
            fesetround(modes[mode].host);
            feclearexcept(FE_ALL_EXCEPT);
            volatile double wide = as_double(a);
            volatile float narrow = (float)wide;
            unsigned expected_flags = host_flags();
            fesetround(FE_TONEAREST);
            float result = narrow;
            uint32_t bits;
            memcpy(&bits, &result, sizeof bits);
            uint64_t expected = result != result ? float_canonical_nan(&float_fp32) : bits;
            assert_int_equal(
                float_pack(&float_fp32, float_unpack(&float_fp64, a), modes[mode].ours, &flags),
                expected);
            assert_int_equal(flags, expected_flags);
        }
    }
}

static void test_comparison(void **state)
{
    uint64_t x = 7;
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t a = operand(&x, 11, 52), b = i % 4 ? operand(&x, 11, 52) : a ^ (i & 1);
        double p = as_double(a), q = as_double(b);
        int expected = p < q ? -1 : p > q ? 1 : p == q ? 0 : 2;
        assert_int_equal(float_compare(float_unpack(&float_fp64, a), float_unpack(&float_fp64, b)),
                         expected);
    }
}

static void test_from_integer(void **state)
{
    uint64_t x = 3;
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t value = next(&x) >> (i % 64);
        unsigned flags = 0;
        double s = (double)(int64_t)value, u = (double)value;
        uint64_t bits[2];
        memcpy(&bits[0], &s, sizeof s);
        memcpy(&bits[1], &u, sizeof u);
        assert_int_equal(
            float_pack(&float_fp64, float_from_integer(value, true), ROUND_EVEN, &flags), bits[0]);
        assert_int_equal(
            float_pack(&float_fp64, float_from_integer(value, false), ROUND_EVEN, &flags), bits[1]);
    }
}

static const struct integer_row {
    double value;
    unsigned bits;
    bool is_signed;
    enum rounding mode;
    uint64_t expected;
    unsigned flags;
} integer_rows[] = {
    {2.5, 32, true, ROUND_EVEN, 2, FLOAT_INEXACT},
    {3.5, 32, true, ROUND_EVEN, 4, FLOAT_INEXACT},
    {2.5, 32, true, ROUND_AWAY, 3, FLOAT_INEXACT},
    {-2.5, 32, true, ROUND_AWAY, (uint64_t)-3, FLOAT_INEXACT},
    {-2.5, 32, true, ROUND_TIES_UP, (uint64_t)-2, FLOAT_INEXACT},
    {2.5, 32, true, ROUND_TIES_UP, 3, FLOAT_INEXACT},
    {2.25, 32, true, ROUND_ODD, 3, FLOAT_INEXACT},
    {3.75, 32, true, ROUND_ODD, 3, FLOAT_INEXACT},
    {-2.25, 32, true, ROUND_DOWN, (uint64_t)-3, FLOAT_INEXACT},
    {-2.75, 32, true, ROUND_UP, (uint64_t)-2, FLOAT_INEXACT},
    {-0.75, 32, false, ROUND_ZERO, 0, FLOAT_INEXACT},
    {-1.0, 32, false, ROUND_ZERO, UINT32_MAX, FLOAT_INVALID},
    {2147483647.0, 32, true, ROUND_ZERO, 2147483647, 0},
    {2147483648.0, 32, true, ROUND_ZERO, (uint64_t)INT32_MIN, FLOAT_INVALID},
    {-2147483648.0, 32, true, ROUND_ZERO, (uint64_t)INT32_MIN, 0},
    {-2147483648.5, 32, true, ROUND_EVEN, (uint64_t)INT32_MIN, FLOAT_INEXACT},
    {-2147483649.0, 32, true, ROUND_EVEN, (uint64_t)INT32_MIN, FLOAT_INVALID},
    {4294967295.0, 32, false, ROUND_EVEN, UINT32_MAX, 0},
    {4294967295.5, 32, false, ROUND_EVEN, UINT32_MAX, FLOAT_INVALID},
    {18446744073709549568.0, 64, false, ROUND_EVEN, 18446744073709549568u, 0},
    {18446744073709551616.0, 64, false, ROUND_EVEN, UINT64_MAX, FLOAT_INVALID},
    {9223372036854775808.0, 64, true, ROUND_EVEN, (uint64_t)INT64_MIN, FLOAT_INVALID},
    {-9223372036854775808.0, 64, true, ROUND_EVEN, (uint64_t)INT64_MIN, 0},
    {0.5, 1, false, ROUND_AWAY, 1, FLOAT_INEXACT},
    {0.49999999999999994, 1, false, ROUND_AWAY, 0, FLOAT_INEXACT},
    {1e300, 64, true, ROUND_ZERO, (uint64_t)INT64_MIN, FLOAT_INVALID},
    {1e-300, 64, true, ROUND_UP, 1, FLOAT_INEXACT},
};

static void test_to_integer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof integer_rows / sizeof *integer_rows; i++) {
        const struct integer_row *r = &integer_rows[i];
        uint64_t bits;
        unsigned flags = 0;
        memcpy(&bits, &r->value, sizeof bits);
        uint64_t found = float_to_integer(float_unpack(&float_fp64, bits), r->bits, r->is_signed,
                                          r->mode, &flags);
        if (found != r->expected || flags != r->flags)
            fail_msg("row %zu: %g gives %llx flags %x", i, r->value, (unsigned long long)found,
                     flags);
    }
}

/* Small formats of spec/pto/hardware-conformance-profile.json: E4M3 has no infinity, E2M1 no NaN.
 */
static const struct float_format e4m3 = {4, 3, SPECIALS_NAN, 0}, e2m1 = {2, 1, SPECIALS_NONE, 0},
                                 fp16 = {5, 10, SPECIALS_IEEE, 0};

static const struct small_row {
    const struct float_format *format;
    double value;
    enum rounding mode;
    uint64_t expected;
    unsigned flags;
} small_rows[] = {
    {&e4m3, 448, ROUND_EVEN, 0x7e, 0},
    {&e4m3, 464, ROUND_EVEN, 0x7e,
     FLOAT_INEXACT}, /* halfway to 480, which is the NaN's code: even */
    {&e4m3, 465, ROUND_EVEN, 0x7f, FLOAT_OVERFLOW | FLOAT_INEXACT},
    {&e4m3, 1000, ROUND_ZERO, 0x7e, FLOAT_OVERFLOW | FLOAT_INEXACT},
    {&e4m3, 0.001953125, ROUND_EVEN, 0x01, 0},
    {&e4m3, 0.0009765625, ROUND_EVEN, 0x00, FLOAT_UNDERFLOW | FLOAT_INEXACT},
    {&e4m3, -0.0009765625, ROUND_AWAY, 0x81, FLOAT_UNDERFLOW | FLOAT_INEXACT},
    {&e2m1, 6, ROUND_EVEN, 0x7, 0},
    {&e2m1, 7, ROUND_EVEN, 0x7, FLOAT_OVERFLOW | FLOAT_INEXACT},
    {&e2m1, 0.5, ROUND_EVEN, 0x1, 0},
    {&e2m1, 5, ROUND_EVEN, 0x6, FLOAT_INEXACT},
    {&e2m1, -2.5, ROUND_TIES_UP, 0xc, FLOAT_INEXACT},
    {&fp16, 65504, ROUND_EVEN, 0x7bff, 0},
    {&fp16, 65520, ROUND_EVEN, 0x7c00, FLOAT_OVERFLOW | FLOAT_INEXACT},
    {&fp16, 65519, ROUND_EVEN, 0x7bff, FLOAT_INEXACT},
    {&fp16, 1.00048828125, ROUND_ODD, 0x3c01, FLOAT_INEXACT},
};

static void test_small_formats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof small_rows / sizeof *small_rows; i++) {
        const struct small_row *r = &small_rows[i];
        uint64_t bits;
        unsigned flags = 0;
        memcpy(&bits, &r->value, sizeof bits);
        uint64_t found = float_pack(r->format, float_unpack(&float_fp64, bits), r->mode, &flags);
        if (found != r->expected || flags != r->flags)
            fail_msg("row %zu: %g gives %llx flags %x", i, r->value, (unsigned long long)found,
                     flags);
    }
}

/* e^x in FP32, correctly rounded: known values and the two ends. */
static const struct exp_row {
    double value;
    uint64_t expected;
    unsigned flags;
} exp_rows[] = {
    {0.0, 0x3f800000, 0},
    {1.0, 0x402df854, FLOAT_INEXACT},
    {-1.0, 0x3ebc5ab2, FLOAT_INEXACT},
    {10.0, 0x46ac14ee, FLOAT_INEXACT},
    {88.72283, 0x7f7fff84, FLOAT_INEXACT},
    {89.0, 0x7f800000, FLOAT_OVERFLOW | FLOAT_INEXACT},
    {-104.0, 0x00000000, FLOAT_UNDERFLOW | FLOAT_INEXACT},
    {1e9, 0x7f800000, FLOAT_OVERFLOW | FLOAT_INEXACT},
    {-1e9, 0x00000000, FLOAT_UNDERFLOW | FLOAT_INEXACT},
    {1e-30, 0x3f800000, FLOAT_INEXACT},
};

static void test_exponential(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exp_rows / sizeof *exp_rows; i++) {
        float narrow = (float)exp_rows[i].value;
        uint32_t bits;
        unsigned flags = 0;
        memcpy(&bits, &narrow, sizeof bits);
        uint64_t found = float_pack(&float_fp32, float_exp(float_unpack(&float_fp32, bits), &flags),
                                    ROUND_EVEN, &flags);
        if (found != exp_rows[i].expected || flags != exp_rows[i].flags)
            fail_msg("row %zu: %g gives %llx flags %x", i, exp_rows[i].value,
                     (unsigned long long)found, flags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fp64),          cmocka_unit_test(test_fp32),
        cmocka_unit_test(test_narrowing),     cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_from_integer),  cmocka_unit_test(test_to_integer),
        cmocka_unit_test(test_small_formats), cmocka_unit_test(test_exponential),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
