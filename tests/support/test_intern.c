/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "support/fold.h"
#include "support/support.h"

static void equal_strings_are_one_pointer(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct intern *t = intern_create(&m);
    const char *a = intern_z(t, "loop");
    char copy[] = "loop";
    assert_ptr_equal(a, intern(t, copy, 4));
    assert_ptr_not_equal(a, intern_z(t, "Loop"));
    assert_ptr_not_equal(a, intern(t, "loop", 3));
    assert_int_equal(intern_length(a), 4);
    assert_int_equal(intern_length(intern(t, "", 0)), 0);
    const char *with_nul = intern(t, "a\0b", 3);
    assert_int_equal(intern_length(with_nul), 3);
    assert_ptr_not_equal(with_nul, intern_z(t, "a"));
    intern_destroy(t);
    intern_destroy(NULL);
}

static void pointers_stay_when_the_table_grows(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct intern *t = intern_create(&m);
    const char *name[5000];
    char text[16];
    for (int i = 0; i < 5000; i++)
        name[i] = intern(t, text, (size_t)snprintf(text, sizeof text, "n%d", i));
    assert_int_equal(intern_count(t), 5000);
    for (int i = 0; i < 5000; i++)
        assert_ptr_equal(name[i], intern(t, text, (size_t)snprintf(text, sizeof text, "n%d", i)));
    assert_int_equal(intern_count(t), 5000);
    intern_destroy(t);
}

static void map_keeps_a_value_for_each_key(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct map t;
    static int key[1000];
    map_init(&t, &m);
    assert_null(map_get(&t, &key[0]));
    for (int i = 0; i < 1000; i++) {
        void **value = map_put(&t, &key[i]);
        assert_null(*value);
        *value = &key[999 - i];
    }
    for (int i = 0; i < 1000; i++)
        assert_ptr_equal(map_get(&t, &key[i]), &key[999 - i]);
    *map_put(&t, &key[3]) = NULL;
    assert_null(map_get(&t, &key[3]));
    assert_int_equal(t.count, 1000);
    map_free(&t);
    assert_null(map_get(&t, &key[0]));
}

/* FNV-1a, 32 bits, of the upper-case text; values from another implementation, which reproduces
 * the published vectors. */
static void hashes_ignore_case(void **state)
{
    (void)state;
    assert_int_equal(fold_hash("", 0), 0x811c9dc5u);
    assert_int_equal(fold_hash("A", 1), 0xc40bf6ccu);
    assert_int_equal(fold_hash("fooBAR", 6), 0x9de507a8u);
    assert_int_equal(fold_hash("FOOBAR", 6), 0x9de507a8u);
    assert_true(fold_hash("a[", 2) != fold_hash("a{", 2)); /* letters alone fold */
}

static void folding_compares_letters_alone(void **state)
{
    (void)state;
    assert_true(equal_folded("B.Dim", 5, "b.dIM", 5));
    assert_true(equal_folded("", 0, "x", 0));
    assert_false(equal_folded("b.dim", 5, "b.dimx", 6));
    assert_false(equal_folded("@", 1, "`", 1));
    assert_false(equal_folded("[", 1, "{", 1));
}

static void edit_distance_counts_changes_up_to_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        unsigned limit, distance;
    } rows[] = {
        {"", "", 2, 0},
        {"abc", "abc", 2, 0},
        {"abc", "ABC", 2, 0},
        {"abc", "abd", 2, 1},
        {"abc", "ab", 2, 1},
        {"ab", "abc", 2, 1},
        {"kitten", "sitting", 3, 3},
        {"kitten", "sitting", 2, 3},
        {"", "abc", 3, 3},
        {"abc", "", 2, 3},
        {"tmov", "gmov", 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(edit_distance(rows[i].a, strlen(rows[i].a), rows[i].b, strlen(rows[i].b),
                                       rows[i].limit),
                         rows[i].distance);
    char longest[66];
    memset(longest, 'x', sizeof longest);
    assert_int_equal(edit_distance(longest, 64, longest, 64, 2), 0);
    assert_int_equal(edit_distance(longest, 65, longest, 65, 2), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_strings_are_one_pointer),
        cmocka_unit_test(pointers_stay_when_the_table_grows),
        cmocka_unit_test(map_keeps_a_value_for_each_key),
        cmocka_unit_test(hashes_ignore_case),
        cmocka_unit_test(folding_compares_letters_alone),
        cmocka_unit_test(edit_distance_counts_changes_up_to_the_limit),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
