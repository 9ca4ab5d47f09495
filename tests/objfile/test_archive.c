/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives, with and without a symbol index; damaged ones; images of executables. */
#include "tests/objfile/build.h"

#include <stdlib.h>
#include <string.h>

#include "tests/objfile/ar.h"

static struct buffer object_defining(struct job *j, const char *name)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    int data = build_section(o, ".data", OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, 1, "x", 1);

    build_symbol(o, name, OBJ_GLOBAL, data, 0);
    build_symbol(o, "elsewhere", OBJ_GLOBAL, OBJ_UNDEF, 0);
    build_symbol(o, "local", OBJ_LOCAL, data, 0);
    return build_elf(j, o, false);
}

static struct buffer sample(struct job *j, bool index)
{
    struct buffer a = object_defining(j, "alpha"), b = object_defining(j, "beta");
    struct ar_file files[] = {{"a.o", &a, "alpha"}, {"a_member_with_a_long_name.o", &b, "beta"}};
    struct buffer ar = ar_make(&j->mem, files, 2, index);

    buffer_free(&a);
    buffer_free(&b);
    return ar;
}

static void members_and_index(void **state)
{
    (void)state;
    for (int index = 0; index < 2; index++) {
        struct job j;
        job_begin(&j);
        struct buffer ar = sample(&j, index);

        assert_true(obj_is_archive(ar.data, ar.size));
        struct obj_archive *a = obj_archive_open(&j.mem, j.diag, "lib.a", ar.data, ar.size);
        assert_string_equal(job_messages(&j), "");
        assert_int_equal(obj_archive_count(a), 2);
        assert_int_equal(obj_archive_find(a, "alpha"), 0);
        assert_int_equal(obj_archive_find(a, "beta"), 1);
        assert_int_equal(obj_archive_find(a, "elsewhere"), -1);
        assert_int_equal(obj_archive_find(a, "local"), -1);
        assert_int_equal(obj_archive_find(a, "gamma"), -1);
        struct object *o = obj_archive_member(a, 1);
        assert_string_equal(o->name, "lib.a(a_member_with_a_long_name.o)");
        assert_ptr_equal(o, obj_archive_member(a, 1));
        find_symbol(o, "beta");
        obj_archive_close(a);
        buffer_free(&ar);
        job_end(&j);
    }
}

static void not_archives(void **state)
{
    static const char thin[] = "!<thin>\nxxxx", bad[] = "!<arch>\nnot a member header";
    static const char empty[] = "!<arch>\n";
    struct job j;
    (void)state;
    job_begin(&j);
    assert_false(obj_is_archive((const uint8_t *)"!<arch>", 7));
    assert_false(obj_is_archive((const uint8_t *)"\177ELF1234", 8));
    assert_null(obj_archive_open(&j.mem, j.diag, "t.a", (const uint8_t *)thin, sizeof thin - 1));
    assert_null(obj_archive_open(&j.mem, j.diag, "b.a", (const uint8_t *)bad, sizeof bad - 1));
    assert_string_equal(job_messages(&j),
                        "t.a: error: a thin archive holds no members; make it without 'T' "
                        "[bad-archive]\n"
                        "b.a: error: malformed archive [bad-archive]\n");
    job_clear(&j);
    struct obj_archive *a =
        obj_archive_open(&j.mem, j.diag, "e.a", (const uint8_t *)empty, sizeof empty - 1);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(obj_archive_count(a), 0);
    assert_int_equal(obj_archive_find(a, "x"), -1);
    obj_archive_close(a);
    job_end(&j);
}

static void a_bad_member_is_named(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    struct buffer text, good = object_defining(&j, "alpha");
    buffer_init(&text, &j.mem);
    buffer_printf(&text, "this is no object");
    struct ar_file files[] = {{"readme.txt", &text, "text"}, {"a.o", &good, "alpha"}};
    struct buffer ar = ar_make(&j.mem, files, 2, true);
    struct obj_archive *a = obj_archive_open(&j.mem, j.diag, "lib.a", ar.data, ar.size);
    assert_string_equal(job_messages(&j), "");
    assert_null(obj_archive_member(a, 0));
    assert_null(obj_archive_member(a, 0)); /* reported once */
    assert_non_null(obj_archive_member(a, 1));
    assert_string_equal(job_messages(&j), "lib.a(readme.txt): error: not an ELF file [not-elf]\n");
    obj_archive_close(a);
    buffer_free(&ar);
    buffer_free(&text);
    buffer_free(&good);
    job_end(&j);
}

/* The index is big-endian: the number of symbols, an offset for each, then the names. */
static void a_bad_index_is_reported(void **state)
{
    enum { INDEX = 8 + 60, OFFSETS = INDEX + 4 };
    struct job j;
    (void)state;
    job_begin(&j);
    struct buffer ar = sample(&j, true);
    uint8_t offset = ar.data[OFFSETS + 3];
    ar.data[OFFSETS + 3] = (uint8_t)(offset + 2);
    assert_null(obj_archive_open(&j.mem, j.diag, "i.a", ar.data, ar.size));
    ar.data[OFFSETS + 3] = offset;
    ar.data[OFFSETS] = 0xff; /* far behind the file */
    assert_null(obj_archive_open(&j.mem, j.diag, "i.a", ar.data, ar.size));
    char expected[300];
    snprintf(expected, sizeof expected,
             "i.a: error: the symbol index has 'alpha' at offset 0x%x, where no member begins "
             "[bad-archive]\n"
             "i.a: error: the symbol index has 'alpha' at offset 0xff%02x%02x%02x, where no member "
             "begins [bad-archive]\n",
             (unsigned)(ar.data[OFFSETS + 1] << 16 | ar.data[OFFSETS + 2] << 8 | offset) + 2,
             ar.data[OFFSETS + 1], ar.data[OFFSETS + 2], offset);
    assert_string_equal(job_messages(&j), expected);
    job_clear(&j);
    /* More symbols than fit: libelf takes it for no index, and the members say what they define. */
    ar.data[OFFSETS] = 0;
    ar.data[INDEX] = 0x7f;
    struct obj_archive *a = obj_archive_open(&j.mem, j.diag, "i.a", ar.data, ar.size);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(obj_archive_find(a, "alpha"), 0);
    obj_archive_close(a);
    buffer_free(&ar);
    job_end(&j);
}

static void random_damage_never_crashes(void **state)
{
    enum { ROUNDS = 5000 };
    struct job j;
    uint32_t seed = 0xa5c11;
    (void)state;
    job_begin(&j);
    struct buffer good[] = {sample(&j, false), sample(&j, true)};
    for (int round = 0; round < ROUNDS; round++) {
        const struct buffer *from = &good[round & 1];
        size_t size = round % 7 ? from->size : (size_t)rand() % from->size;
        uint8_t *copy = malloc(size + 1);

        memcpy(copy, from->data, size);
        for (int n = 0; n < 3 && size; n++) {
            seed = seed * 1664525 + 1013904223;
            copy[(seed >> 8) % (n ? size : size < 300 ? size : 300)] = (uint8_t)seed;
        }
        struct obj_archive *a = obj_archive_open(&j.mem, j.diag, "f", copy, size);
        for (size_t i = 0; a && i < obj_archive_count(a); i++)
            obj_archive_member(a, i);
        if (a)
            obj_archive_find(a, "alpha");
        obj_archive_close(a);
        job_clear(&j);
        free(copy);
    }
    buffer_free(&good[0]);
    buffer_free(&good[1]);
    job_end(&j);
}

/* ---- images ---- */

static struct object *two_segments(struct job *j, uint64_t second)
{
    static const uint8_t low[] = {1, 2, 3, 4}, high[] = {5, 6};
    struct object *o = obj_create(&j->mem, OBJ_EXECUTABLE);

    o->entry = 0x1fffe;
    *vec_push(o->mem, &o->segments) =
        (struct obj_segment){.address = 0x1fffe, .file_size = 4, .memory_size = 4, .data = low};
    *vec_push(o->mem, &o->segments) =
        (struct obj_segment){.address = second, .file_size = 2, .memory_size = 100, .data = high};
    *vec_push(o->mem, &o->segments) =
        (struct obj_segment){.address = UINT64_C(1) << 40, .memory_size = 1};
    return o;
}

static void images(void **state)
{
    struct job j;
    struct buffer out;
    (void)state;
    job_begin(&j);
    buffer_init(&out, &j.mem);
    struct object *o = two_segments(&j, 0x20004);
    assert_null(obj_write_binary(o, &out));
    assert_int_equal(out.size, 8);
    assert_memory_equal(out.data, "\1\2\3\4\0\0\5\6", 8);
    out.size = 0;
    /* Sums by hand: each record's bytes and its sum give 0 modulo 256. */
    assert_null(obj_write_ihex(o, &out));
    buffer_extend(&out, 1);
    assert_string_equal((char *)out.data, ":020000040001F9\n"
                                          ":02FFFE000102FE\n"
                                          ":020000040002F8\n"
                                          ":020000000304F7\n"
                                          ":020004000506EF\n"
                                          ":040000050001FFFEF9\n"
                                          ":00000001FF\n");
    out.size = 0;
    /* Each record's bytes and its sum give 255 modulo 256. */
    assert_null(obj_write_srec(o, &out));
    buffer_extend(&out, 1);
    assert_string_equal((char *)out.data, "S0030000FC\n"
                                          "S3070001FFFE0102F7\n"
                                          "S307000200000304EF\n"
                                          "S307000200040506E7\n"
                                          "S7050001FFFEFC\n");
    obj_destroy(o);

    o = two_segments(&j, UINT64_C(0xfffffffe));
    out.size = 0;
    assert_null(obj_write_ihex(o, &out));
    assert_null(obj_write_srec(o, &out));
    obj_destroy(o);
    o = two_segments(&j, UINT64_C(0xffffffff));
    assert_string_equal(obj_write_ihex(o, &out), "Intel HEX holds addresses below 4 GiB only");
    assert_string_equal(obj_write_srec(o, &out), "S-records hold addresses below 4 GiB only");
    obj_destroy(o);
    o = two_segments(&j, UINT64_C(0x10001fffd));
    assert_string_equal(obj_write_binary(o, &out), "the image spans more than 4 GiB");
    obj_destroy(o);
    buffer_free(&out);
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_index),           cmocka_unit_test(not_archives),
        cmocka_unit_test(a_bad_member_is_named),       cmocka_unit_test(a_bad_index_is_reported),
        cmocka_unit_test(random_damage_never_crashes), cmocka_unit_test(images),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
