/* SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/decimal.h"

static void check_numbers(void)
{
    char text[32], *end;
    static const char source[] = "1.5e1,7";
    assert_true(decimal_to_double(source, &end) == 15.0);
    assert_string_equal(end, ",7");
    assert_true(decimal_to_float("0.25", NULL) == 0.25f);
    assert_true(decimal_to_float("0x1.8p1", &end) == 3.0f);
    assert_int_equal(*end, 0);
    assert_true(decimal_to_double("x", &end) == 0.0);
    assert_string_equal(end, "x");
    decimal_print(text, sizeof text, 3, 1234.5);
    assert_string_equal(text, "1.23e+03");
    decimal_print(text, sizeof text, 17, 0.5);
    assert_string_equal(text, "0.5");
    decimal_print(text, 4, 17, 0.12345); /* cut, and ended */
    assert_string_equal(text, "0.1");
}

static void numbers_have_a_point(void **state)
{
    (void)state;
    check_numbers();
}

/* Any locale of the machine that writes a comma; it stays in force. */
static void numbers_have_a_point_in_other_locales(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "de_DE",
                                        "fr_FR"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_ALL, names[i]))
            continue;
        char point = *localeconv()->decimal_point;
        check_numbers();
        assert_int_equal(*localeconv()->decimal_point, point);
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_a_point),
        cmocka_unit_test(numbers_have_a_point_in_other_locales),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
