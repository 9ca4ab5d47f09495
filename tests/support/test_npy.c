/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/support.h"

static struct mem mem;
static struct arena *arena;

static int set_up(void **state)
{
    (void)state;
    mem = mem_default();
    arena = arena_create(&mem);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

/* Builds a file from a header text and data, as numpy.lib.format describes it. */
static struct buffer file(unsigned version, const char *header, const void *data, size_t size)
{
    struct buffer b;
    size_t len = strlen(header);
    buffer_init(&b, &mem);
    buffer_append(&b, "\x93NUMPY", 6);
    buffer_append(&b, (uint8_t[]){(uint8_t)version, 0}, 2);
    uint8_t length[] = {(uint8_t)len, (uint8_t)(len >> 8), 0, 0};
    buffer_append(&b, length, version == 1 ? 2 : 4);
    buffer_append(&b, header, len);
    buffer_append(&b, data, size);
    return b;
}

/* What numpy.save writes for np.array([[1, 2, 3], [4, 5, 6]], dtype='<i2'). */
static void file_of_numpy_is_read(void **state)
{
    (void)state;
    static const char header[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"
                                 "                                                          \n";
    static const uint8_t data[] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
    for (unsigned version = 1; version <= 3; version++) {
        struct buffer b = file(version, header, data, sizeof data);
        struct npy out;
        assert_null(npy_parse(arena, b.data, b.size, &out));
        assert_int_equal(out.kind, 'i');
        assert_int_equal(out.itemsize, 2);
        assert_int_equal(out.rank, 2);
        assert_int_equal(out.shape[0], 2);
        assert_int_equal(out.shape[1], 3);
        assert_int_equal(out.size, sizeof data);
        assert_memory_equal(out.data, data, sizeof data);
        buffer_free(&b);
    }
}

static void fortran_order_becomes_c_order(void **state)
{
    (void)state;
    /* [[[1,2],[3,4],[5,6]],[[7,8],[9,10],[11,12]]] column by column */
    static const uint8_t data[] = {1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12};
    struct buffer b = file(1, "{'descr':'|u1','fortran_order':True,'shape':(2,3,2)}\n", data, 12);
    struct npy out;
    assert_null(npy_parse(arena, b.data, b.size, &out));
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(out.data[i], i + 1);
    buffer_free(&b);
}

static void big_endian_becomes_little(void **state)
{
    (void)state;
    static const uint8_t data[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}; /* 1.0f, 2.0f */
    struct buffer b =
        file(1, "{\"shape\": (2,), \"descr\": \">f4\", \"fortran_order\": False}\n", data, 8);
    struct npy out;
    assert_null(npy_parse(arena, b.data, b.size, &out));
    static const uint8_t expected[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};
    assert_memory_equal(out.data, expected, 8);
    buffer_free(&b);
}

static void scalars_and_empty_arrays(void **state)
{
    (void)state;
    struct npy out;
    struct buffer b = file(1, "{'descr':'<f8','fortran_order':True,'shape':()}\n", "12345678", 8);
    assert_null(npy_parse(arena, b.data, b.size, &out));
    assert_int_equal(out.rank, 0);
    assert_int_equal(out.size, 8);
    buffer_free(&b);
    b = file(1, "{'descr':'>f8','fortran_order':True,'shape':(3, 0, 7)}\n", "", 0);
    assert_null(npy_parse(arena, b.data, b.size, &out));
    assert_int_equal(out.size, 0);
    buffer_free(&b);
}

static void bad_files_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        const char *reason;
    } rows[] = {
        {"{'descr':'<f4','fortran_order':False,'shape':(2,)}", 8, NULL},
        {"{'descr':'<f4','fortran_order':False,'shape':(2,)}", 7,
         "the shape needs 8 bytes of data, the file has 7"},
        {"{'descr':'<f4','fortran_order':False,'shape':(2,)}", 9,
         "the shape needs 8 bytes of data, the file has 9"},
        {"{'descr':'<f4','fortran_order':False,'shape':(1,1,1,1,1,1,1,1)}", 4, NULL},
        {"{'descr':'<f4','fortran_order':False,'shape':(1,1,1,1,1,1,1,1,1)}", 4,
         "more than 8 dimensions"},
        {"{'descr':'<f4','fortran_order':False,'shape':(4611686018427387904,)}", 0,
         "the shape is too large"},
        {"{'descr':'<f4','fortran_order':False,'shape':(18446744073709551616,)}", 0,
         "the header's 'shape' is not a tuple of sizes"},
        {"{'descr':'<f4','fortran_order':False,'shape':(-1,)}", 0,
         "the header's 'shape' is not a tuple of sizes"},
        {"{'descr':'<f4','fortran_order':False,'shape':2}", 0,
         "the header's 'shape' is not a tuple of sizes"},
        {"{'descr':'<f3','fortran_order':False,'shape':()}", 3,
         "element type '<f3' is not supported (f2 f4 f8, i1 to i8, u1 to u8, b1, V1 to V8)"},
        {"{'descr':'|O','fortran_order':False,'shape':()}", 8,
         "element type '|O' is not supported (f2 f4 f8, i1 to i8, u1 to u8, b1, V1 to V8)"},
        {"{'descr':'','fortran_order':False,'shape':()}", 8,
         "element type '' is not supported (f2 f4 f8, i1 to i8, u1 to u8, b1, V1 to V8)"},
        {"{'descr':'<V9','fortran_order':False,'shape':()}", 9,
         "element type '<V9' is not supported (f2 f4 f8, i1 to i8, u1 to u8, b1, V1 to V8)"},
        {"{'descr':'<V8','fortran_order':False,'shape':()}", 8, NULL},
        {"{'descr':[('a','<f4')],'fortran_order':False,'shape':()}", 4,
         "the header's 'descr' is not one element type (record types are not supported)"},
        {"{'descr':'<f4','fortran_order':0,'shape':()}", 4,
         "the header's 'fortran_order' is neither True nor False"},
        {"{'descr':'<f4','shape':()}", 4, "the header lacks 'descr', 'fortran_order' or 'shape'"},
        {"{'descr':'<f4','other':1}", 4, "the header has an unknown entry 'other'"},
        {"{'descr':'<f4','fortran_order':False,'shape':()} x", 4,
         "the header has text behind its dictionary"},
        {"{'descr':'<f4','fortran_order':False,'shape':()", 4, "the header is not a dictionary"},
        {"{'descr", 0, "the header is not a dictionary"},
        {"{'descr':", 0,
         "the header's 'descr' is not one element type (record types are not supported)"},
        {"", 0, "the header is not a dictionary"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer b = file(1, rows[i].header, "0123456789", rows[i].data);
        struct npy out;
        const char *reason = npy_parse(arena, b.data, b.size, &out);
        if (rows[i].reason) {
            assert_non_null(reason);
            assert_string_equal(reason, rows[i].reason);
        } else {
            assert_null(reason);
        }
        buffer_free(&b);
    }
}

static void each_truncation_is_refused(void **state)
{
    (void)state;
    for (unsigned version = 1; version <= 2; version++) {
        struct buffer b =
            file(version, "{'descr':'<f4','fortran_order':False,'shape':(1,)}\n", "abcd", 4);
        for (size_t size = 0; size < b.size; size++) {
            /* An exact copy, so that the sanitizer sees a read beyond it. */
            uint8_t *part = mem_resize(&mem, NULL, size + !size);
            memcpy(part, b.data, size);
            struct npy out;
            assert_non_null(npy_parse(arena, part, size, &out));
            mem_resize(&mem, part, 0);
        }
        buffer_free(&b);
    }
}

static void wrong_magic_and_version_are_refused(void **state)
{
    (void)state;
    struct buffer b = file(1, "{'descr':'<f4','fortran_order':False,'shape':()}\n", "abcd", 4);
    struct npy out;
    b.data[6] = 0;
    assert_non_null(npy_parse(arena, b.data, b.size, &out));
    b.data[6] = 4;
    assert_string_equal(npy_parse(arena, b.data, b.size, &out),
                        "unknown .npy format version (1, 2 and 3 are known)");
    b.data[6] = 1;
    b.data[0] = 'N';
    assert_string_equal(npy_parse(arena, b.data, b.size, &out), "not a .npy file");
    buffer_free(&b);
}

/* The header that numpy.save writes for these arrays, padded to a multiple of 64. */
static void written_header_is_numpys(void **state)
{
    (void)state;
    static const struct {
        struct npy array;
        const char *header;
    } rows[] = {
        {{.kind = 'f', .itemsize = 4, .rank = 2, .shape = {2, 3}},
         "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"},
        {{.kind = 'u', .itemsize = 1, .rank = 1, .shape = {5}},
         "{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }"},
        {{.kind = 'V', .itemsize = 2, .rank = 0},
         "{'descr': '|V2', 'fortran_order': False, 'shape': (), }"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer b;
        buffer_init(&b, &mem);
        buffer_append(&b, "xyz", 3); /* alignment counts from where the file begins */
        npy_write(&b, &rows[i].array);
        assert_memory_equal(b.data + 3, "\x93NUMPY\1\0\x76\0", 10);
        assert_memory_equal(b.data + 13, rows[i].header, strlen(rows[i].header));
        assert_int_equal(b.size, 3 + 128);
        assert_int_equal(b.data[b.size - 1], '\n');
        buffer_free(&b);
    }
}

static void written_array_reads_back(void **state)
{
    (void)state;
    struct npy in = {.kind = 'i',
                     .itemsize = 8,
                     .rank = 2,
                     .shape = {1, 2},
                     .data = (const uint8_t *)"0123456789abcdef",
                     .size = 16};
    struct npy out;
    struct buffer b;
    buffer_init(&b, &mem);
    npy_write(&b, &in);
    assert_null(npy_parse(arena, b.data, b.size, &out));
    assert_int_equal(out.size, 16);
    assert_memory_equal(out.data, in.data, 16);
    assert_int_equal(out.shape[1], 2);
    buffer_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_of_numpy_is_read),
        cmocka_unit_test(fortran_order_becomes_c_order),
        cmocka_unit_test(big_endian_becomes_little),
        cmocka_unit_test(scalars_and_empty_arrays),
        cmocka_unit_test(bad_files_are_refused_with_a_reason),
        cmocka_unit_test(each_truncation_is_refused),
        cmocka_unit_test(wrong_magic_and_version_are_refused),
        cmocka_unit_test(written_header_is_numpys),
        cmocka_unit_test(written_array_reads_back),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
