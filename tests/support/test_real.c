/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/real.h"

/* Halfway cases, subnormals and both ends of the formats, by the definition of binary16 and
 * bfloat16. */
static void doubles_round_to_narrow_formats(void **state)
{
    (void)state;
    static const struct {
        double x;
        unsigned exponent, fraction;
        uint64_t bits;
        const char *why;
    } cases[] = {
        {0.0, 5, 10, 0x0000, "zero"},
        {-0.0, 5, 10, 0x8000, "negative zero"},
        {1.0, 5, 10, 0x3c00, "one"},
        {0x1.002p0, 5, 10, 0x3c00, "halfway to the next, the even one is below"},
        {0x1.0020000000001p0, 5, 10, 0x3c01, "just above halfway"},
        {0x1.006p0, 5, 10, 0x3c02, "halfway, the even one is above"},
        {65504.0, 5, 10, 0x7bff, "the largest"},
        {65519.99, 5, 10, 0x7bff, "below halfway to 65536"},
        {65520.0, 5, 10, 0x7c00, "halfway rounds to infinity"},
        {-1e300, 5, 10, 0xfc00, "far too large"},
        {0x1p-14, 5, 10, 0x0400, "the least normal"},
        {0x1.ff8p-15, 5, 10, 0x03ff, "the largest subnormal"},
        {0x1.ffcp-15, 5, 10, 0x0400, "halfway from it to the least normal"},
        {0x1p-24, 5, 10, 0x0001, "the least subnormal"},
        {0x1p-25, 5, 10, 0x0000, "half of it, even is zero"},
        {0x1.0000000000001p-25, 5, 10, 0x0001, "just above half of it"},
        {0x1p-1074, 5, 10, 0x0000, "the least double"},
        {INFINITY, 5, 10, 0x7c00, "infinity"},
        {NAN, 5, 10, 0x7e00, "a NaN"},
        {1.0 / 3, 8, 7, 0x3eab, "bfloat16"},
        {0x1.01p0, 8, 7, 0x3f80, "bfloat16, halfway to even"},
        {1.0 / 3, 8, 23, 0x3eaaaaab, "binary32"},
        {0x1p-149, 8, 23, 0x00000001, "the least binary32"},
        {1.0 / 3, 11, 52, 0x3fd5555555555555, "binary64 is kept"},
        {0x1p-1074, 11, 52, 0x0000000000000001, "the least double is kept"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bits = real_round(cases[i].x, cases[i].exponent, cases[i].fraction);
        if (bits != cases[i].bits)
            fail_msg("%s: 0x%llx, expected 0x%llx", cases[i].why, (unsigned long long)bits,
                     (unsigned long long)cases[i].bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(doubles_round_to_narrow_formats)};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
