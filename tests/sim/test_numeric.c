/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions between floating formats, over all 16-bit values and the points between them. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "sim/numeric.h"

struct format {
    unsigned exponent, fraction;
    uint32_t infinity;
};
static const struct format formats[] = {{5, 10, 0x7c00}, {8, 7, 0x7f80}};

static float value_of(const struct format *f, uint32_t bits)
{
    return numeric_from_bits(numeric_widen(bits, f->exponent, f->fraction));
}

/* The value by its definition, in arithmetic that is exact. */
static double defined_value(const struct format *f, uint32_t bits)
{
    int e = (int)(bits >> f->fraction & ((1u << f->exponent) - 1));
    double m = bits & ((1u << f->fraction) - 1), one = 1u << f->fraction;
    int bias = (1 << (f->exponent - 1)) - 1;
    return e ? ldexp(1 + m / one, e - bias) : ldexp(m / one, 1 - bias);
}

static void test_widen_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (uint32_t b = 0; b < formats[i].infinity; b++) {
            if ((double)value_of(&formats[i], b) != defined_value(&formats[i], b))
                fail_msg("0x%04x", b);
            assert_true(value_of(&formats[i], b | 0x8000) == -value_of(&formats[i], b));
            assert_int_equal(numeric_narrow(numeric_to_bits(value_of(&formats[i], b)),
                                            formats[i].exponent, formats[i].fraction),
                             b);
        }
}

/* Between two neighbours: below the middle down, above it up, in the middle to the even one. */
static void test_narrow_rounds_to_nearest_even(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct format *f = &formats[i];
        for (uint32_t b = 0; b + 1 < f->infinity; b++) {
            float low = value_of(f, b), high = value_of(f, b + 1);
            float middle = (float)((defined_value(f, b) + defined_value(f, b + 1)) / 2);
            uint32_t even = b % 2 ? b + 1 : b;
            assert_true(low < middle && middle < high);
            uint32_t m = numeric_to_bits(middle);
            assert_int_equal(numeric_narrow(m, f->exponent, f->fraction), even);
            assert_int_equal(numeric_narrow(m - 1, f->exponent, f->fraction), b);
            assert_int_equal(numeric_narrow(m + 1, f->exponent, f->fraction), b + 1);
            assert_int_equal(numeric_narrow(m | 0x80000000, f->exponent, f->fraction),
                             even | 0x8000);
        }
    }
}

static void test_special_values(void **state)
{
    (void)state;
    assert_int_equal(numeric_fp16(65519.996f), 0x7bff);
    assert_int_equal(numeric_fp16(65520.0f), 0x7c00);
    assert_int_equal(numeric_fp16(-INFINITY), 0xfc00);
    assert_int_equal(numeric_fp16(NAN), 0x7e00);
    assert_int_equal(numeric_fp16(0x1p-25f), 0);
    assert_int_equal(numeric_fp16(0x1.000002p-25f), 1);
    assert_int_equal(numeric_fp16(-0.0f), 0x8000);
    assert_int_equal(numeric_bf16(numeric_from_bits(0x7f7f8000)), 0x7f80);
    assert_int_equal(numeric_bf16(numeric_from_bits(0xff7f7fff)), 0xff7f);
    assert_int_equal(numeric_bf16(NAN), 0x7fc0);
}

static void test_round_even(void **state)
{
    static const struct {
        float x;
        int32_t rounded;
    } rows[] = {
        {0.5f, 0},       {1.5f, 2},  {2.5f, 2},  {-0.5f, 0},   {-1.5f, -2},
        {-2.5f, -2},     {0.49f, 0}, {0.51f, 1}, {-0.51f, -1}, {254.5f, 254},
        {-256.0f, -256}, {7.0f, 7},  {NAN, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(numeric_round_even(rows[i].x), rows[i].rounded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widen_is_exact),
        cmocka_unit_test(test_narrow_rounds_to_nearest_even),
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_round_even),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
