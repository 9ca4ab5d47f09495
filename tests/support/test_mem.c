/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdalign.h>
#include <string.h>

#include "support/support.h"
#include "tests/support/failing_mem.h"

static void arena_blocks_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct arena *a = arena_create(&m);
    unsigned char *last = NULL;
    for (size_t size = 1; size < 10000; size += 37) {
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, size);
        if (last)
            assert_int_equal(last[0], 0xff);
        last = p;
        arena_string(a, "x", 1); /* unaligns the next block */
    }
    arena_destroy(a);
}

static void arena_reset_reuses_memory_zeroed(void **state)
{
    (void)state;
    struct failing_mem f;
    failing_mem_init(&f, 0);
    struct arena *a = arena_create(&f.mem);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            unsigned char *p = arena_alloc(a, 1000);
            assert_int_equal(p[999], 0);
            memset(p, 0xff, 1000);
        }
        if (round > 0)
            assert_int_equal(f.requests, f.live); /* nothing new after the first round */
        arena_reset(a);
    }
    arena_destroy(a);
    assert_int_equal(f.live, 0);
}

static void arena_strings_and_copies(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct arena *a = arena_create(&m);
    assert_string_equal(arena_string(a, "abcdef", 3), "abc");
    assert_string_equal(arena_string(a, NULL, 0), "");
    assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
    char *long_text = arena_printf(a, "%05000d", 1);
    assert_int_equal(strlen(long_text), 5000);
    assert_memory_equal(arena_copy(a, "\1\2\3", 3), "\1\2\3", 3);
    arena_destroy(a);
    arena_destroy(NULL);
}

/* Text of every length around what is tried first, and digits of every width. */
static void buffer_takes_text_and_digits(void **state)
{
    enum { LONGEST = 300 };
    struct mem m = mem_default();
    struct buffer b;
    char wanted[LONGEST + 1];
    (void)state;
    for (int n = 0; n <= LONGEST; n++) {
        buffer_init(&b, &m);
        buffer_printf(&b, "%*s", n, "");
        assert_int_equal(b.size, n);
        memset(wanted, ' ', sizeof wanted);
        if (n)
            assert_memory_equal(b.data, wanted, (size_t)n);
        buffer_free(&b);
    }
    buffer_init(&b, &m);
    buffer_text(&b, "x");
    buffer_text(&b, "");
    buffer_hex(&b, 0, 0, ' ');
    buffer_hex(&b, 0x1a, 2, '0');
    buffer_hex(&b, 0x1a, 4, '0');
    buffer_hex(&b, 0x1a, 4, ' ');
    buffer_hex(&b, 0x12345, 2, '0');
    buffer_hex(&b, UINT64_MAX, 16, '0');
    buffer_hex(&b, 1, 16, '0');
    static const char all[] = "x01a001a  1a12345ffffffffffffffff0000000000000001";
    assert_int_equal(b.size, sizeof all - 1);
    assert_memory_equal(b.data, all, sizeof all - 1);
    buffer_free(&b);
}

static void buffer_grows_and_keeps_its_bytes(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct buffer b;
    buffer_init(&b, &m);
    buffer_append(&b, "ab", 2);
    uint8_t *p = buffer_extend(&b, 1000);
    assert_int_equal(p[0], 0);
    assert_int_equal(p[999], 0);
    buffer_printf(&b, "%s", "tail");
    assert_int_equal(b.size, 1006);
    assert_memory_equal(b.data, "ab\0", 3);
    assert_memory_equal(b.data + 1002, "tail", 4);
    buffer_append(&b, NULL, 0);
    buffer_free(&b);
    assert_null(b.data);
    assert_int_equal(b.size, 0);
}

static void vec_push_gives_zeroed_elements(void **state)
{
    (void)state;
    struct mem m = mem_default();
    VEC(struct {
        int a;
        double b;
    })
    v = {0};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(vec_push(&m, &v)->a, 0);
        v.item[i].a = i;
    }
    assert_int_equal(v.count, 100);
    assert_int_equal(v.item[99].a, 99);
    vec_free(&m, &v);
    assert_int_equal(v.count, 0);
}

static bool is_refused(size_t count, size_t size)
{
    struct mem m = mem_default();
    jmp_buf exhausted;
    m.on_exhausted = &exhausted;
    if (setjmp(exhausted) != 0)
        return true;
    mem_resize_array(&m, NULL, count, size);
    return false;
}

static void sizes_that_overflow_exhaust(void **state)
{
    (void)state;
    assert_true(is_refused(SIZE_MAX, 2));
    assert_true(is_refused(SIZE_MAX / 2 + 1, 2)); /* wraps to 0 */
    assert_true(is_refused(SIZE_MAX, 1));
    assert_true(is_refused((size_t)PTRDIFF_MAX + 1, 1));
}

static void arena_of_an_impossible_size_exhausts(void **state)
{
    (void)state;
    struct mem m = mem_default();
    jmp_buf exhausted;
    m.on_exhausted = &exhausted;
    struct arena *a = arena_create(&m);
    if (setjmp(exhausted) == 0) {
        arena_array(a, SIZE_MAX / 8, 16);
        fail();
    }
    if (setjmp(exhausted) == 0) {
        volatile size_t most = SIZE_MAX - 8;
        arena_alloc(a, most);
        fail();
    }
    assert_non_null(arena_alloc(a, 8)); /* still usable */
    arena_destroy(a);
}

/* Uses everything that draws memory; cleans up on exhaustion as an entry point does. */
struct everything {
    struct arena *arena;
    struct intern *names;
    struct map map;
    struct buffer buffer;
};

static void use(struct mem *m, struct everything *e)
{
    e->arena = arena_create(m);
    e->names = intern_create(m);
    for (int i = 0; i < 200; i++) {
        const char *name = intern_z(e->names, arena_printf(e->arena, "name%d", i));
        *map_put(&e->map, name) = (void *)name;
        buffer_printf(&e->buffer, "%s\n", name);
    }
    arena_alloc(e->arena, 100000);
}

static void use_everything(struct mem *m, void *ctx)
{
    (void)ctx;
    struct everything e = {0};
    jmp_buf *outer = m->on_exhausted, here;
    map_init(&e.map, m);
    buffer_init(&e.buffer, m);
    m->on_exhausted = &here;
    if (setjmp(here) == 0)
        use(m, &e);
    m->on_exhausted = outer;
    map_free(&e.map);
    buffer_free(&e.buffer);
    intern_destroy(e.names);
    arena_destroy(e.arena);
}

static void exhaustion_anywhere_leaks_nothing(void **state)
{
    (void)state;
    unsigned long n = 1;
    while (failing_mem_run(n, use_everything, NULL) != FAILING_MEM_DONE)
        n++;
    assert_in_range(n, 10, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(arena_reset_reuses_memory_zeroed),
        cmocka_unit_test(arena_strings_and_copies),
        cmocka_unit_test(buffer_takes_text_and_digits),
        cmocka_unit_test(buffer_grows_and_keeps_its_bytes),
        cmocka_unit_test(vec_push_gives_zeroed_elements),
        cmocka_unit_test(sizes_that_overflow_exhaust),
        cmocka_unit_test(arena_of_an_impossible_size_exhausts),
        cmocka_unit_test(exhaustion_anywhere_leaks_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
