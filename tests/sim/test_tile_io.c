/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles by name: .npy in logical order, raw bytes, and what is refused. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tests/sim/tile_bench.h"

enum { ROWS = 32, COLS = 48 };

/* %mat: an NZ tile of 32 x 48 FP16 in M#1; %acc, 3 x 5 of U4X2 in N#2. */
static struct obj_tile records[] = {
    {.name = "mat",
     .type = "mat",
     .hand = 2,
     .ordinal = 0,
     .input = true,
     .dtype = ISA_DataType_FP16,
     .blayout = OBJ_COL_MAJOR,
     .slayout = OBJ_ROW_MAJOR,
     .fractal = 512,
     .rows = ROWS,
     .cols = COLS,
     .v_rows = ROWS,
     .v_cols = COLS},
    {.name = "acc",
     .type = "acc",
     .hand = 3,
     .ordinal = 1,
     .input = true,
     .dtype = ISA_DataType_S4X2,
     .slayout = OBJ_NONE_BOX,
     .fractal = 512,
     .rows = 4,
     .cols = 8,
     .v_rows = 3,
     .v_cols = 5},
};

static void open_program(struct bench *t, struct object *program)
{
    bench_open(t);
    *program = (struct object){.identity = {.extensions = ""}};
    program->tiles.item = records;
    program->tiles.count = 2;
    t->s.program = program;
}

static struct npy array_of(const void *data, char kind, unsigned itemsize, uint64_t rows,
                           uint64_t cols)
{
    return (struct npy){.kind = kind,
                        .itemsize = itemsize,
                        .rank = 2,
                        .shape = {rows, cols},
                        .data = data,
                        .size = (size_t)(rows * cols * itemsize)};
}

static void test_logical_order(void **state)
{
    struct bench t;
    struct object program;
    static uint8_t data[ROWS * COLS * 2];
    struct npy out;
    (void)state;
    open_program(&t, &program);
    for (unsigned i = 0; i < ROWS * COLS; i++)
        data[2 * i] = (uint8_t)i, data[2 * i + 1] = (uint8_t)(i >> 8);
    struct npy in = array_of(data, 'f', 2, ROWS, COLS);
    assert_null(sim_load_tile(&t.s, "mat", &in));
    const struct tile *mat = &t.s.tiles->local[32];
    assert_int_equal(mat->mask, SIM_ALL_PES);
    assert_int_equal(mat->info.capacity, 4096); /* the smallest that holds 3072 bytes */
    /* element (17, 20): box (1, 1) of 16 x 16: 1 * 32 * 16 + 1 * 256 + 1 * 16 + 4 */
    unsigned at = 2 * (512 + 256 + 16 + 4), value = 17 * COLS + 20;
    assert_int_equal(mat->pe[3].bytes[at] | mat->pe[3].bytes[at + 1] << 8, value);
    assert_null(sim_dump_tile(&t.s, "%mat", t.s.arena, &out));
    assert_int_equal(out.kind, 'f');
    assert_int_equal(out.itemsize, 2);
    assert_int_equal(out.shape[0], ROWS);
    assert_int_equal(out.shape[1], COLS);
    assert_memory_equal(out.data, data, sizeof data);
    assert_null(sim_dump_tile(&t.s, "pe2.M#1", t.s.arena, &out));
    assert_memory_equal(out.data, data, sizeof data);
    bench_close(&t);
}

static void test_one_pe(void **state)
{
    struct bench t;
    struct object program;
    static uint8_t data[ROWS * COLS * 2];
    struct buffer raw;
    (void)state;
    open_program(&t, &program);
    t.s.options.undefined_byte = 0xee;
    memset(data, 1, sizeof data);
    struct npy in = array_of(data, 'V', 2, ROWS, COLS);
    assert_null(sim_load_tile(&t.s, "pe1.mat", &in));
    buffer_init(&raw, &t.mem);
    assert_null(sim_dump_tile_raw(&t.s, "pe1.mat", &raw));
    assert_int_equal(raw.size, sizeof data);
    assert_int_equal(raw.data[sizeof data - 1], 1);
    assert_null(sim_dump_tile_raw(&t.s, "mat", &raw)); /* PE0: never written */
    assert_int_equal(raw.size, 2 * sizeof data);
    assert_int_equal(raw.data[sizeof data], 0xee);
    buffer_free(&raw);
    bench_close(&t);
}

static void test_nibbles_are_bytes(void **state)
{
    static const int8_t data[] = {-8, 7, 0, -1, 3, 1, 2, 3, 4, 5, -2, -3, -4, -5, -6};
    struct bench t;
    struct object program;
    struct npy out;
    (void)state;
    open_program(&t, &program);
    struct npy in = array_of(data, 'i', 1, 3, 5);
    assert_null(sim_load_tile(&t.s, "acc", &in));
    assert_int_equal(t.s.tiles->local[49].pe[0].bytes[0], 0x78); /* the even one is low */
    assert_int_equal(t.s.tiles->local[49].pe[0].bytes[4], 0x21); /* row 1 begins at 8 */
    assert_null(sim_dump_tile(&t.s, "N#2", t.s.arena, &out));
    assert_int_equal(out.kind, 'i');
    assert_memory_equal(out.data, data, sizeof data);
    bench_close(&t);
}

static void test_unrecorded_register(void **state)
{
    static const float data[] = {1, 2, 3, 4, 5};
    struct bench t;
    struct npy out;
    (void)state;
    bench_open(&t);
    struct npy in = array_of(data, 'f', 4, 1, 5);
    in.rank = 1, in.shape[0] = 5;
    assert_null(sim_load_tile(&t.s, "u#3", &in));
    const struct tile_info *info = &t.s.tiles->local[18].info;
    assert_int_equal(info->dtype, ISA_DataType_FP32);
    assert_int_equal(info->cols, 8);
    assert_int_equal(info->rows, 4); /* 128 bytes */
    assert_int_equal(info->valid_rows, 1);
    assert_null(sim_dump_tile(&t.s, "U#3", t.s.arena, &out));
    assert_int_equal(out.shape[1], 5);
    assert_memory_equal(out.data, data, sizeof data);
    bench_close(&t);
}

static void expect_reason(const char *found, const char *expected)
{
    if (!found || !strstr(found, expected))
        fail_msg("\"%s\", expected \"%s\"", found ? found : "no error", expected);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *name;
        char kind;
        unsigned itemsize, rows, cols;
        const char *reason;
    } rows[] = {
        {"mat", 'f', 2, ROWS, COLS, NULL},
        {"mat", 'u', 2, ROWS, COLS, NULL},
        {"mat", 'f', 4, ROWS, COLS, "elements 'f4', the tile is FP16"},
        {"mat", 'i', 2, ROWS, COLS, "elements 'i2', the tile is FP16"},
        {"mat", 'f', 2, COLS, ROWS, "the array is 48 x 32, the tile has 32 x 48"},
        {"acc", 'i', 1, 4, 8, NULL}, /* the whole physical tile */
        {"acc", 'i', 1, 3, 6, "the array is 3 x 6, the tile has 3 x 5 valid elements (4 x 8"},
        {"acc", 'u', 1, 3, 5, "elements 'u1', the tile is S4X2"},
        {"nobody", 'f', 2, 1, 1, "no tile has this name"},
        {"T#0", 'f', 2, 1, 1, "no tile has this name"},
        {"T#16", 'f', 2, 1, 1, NULL},
        {"T#17", 'f', 2, 1, 1, "no tile has this name"},
        {"T#1x", 'f', 2, 1, 1, "no tile has this name"},
        {"pe4.T#1", 'f', 2, 1, 1, "there are PEs 0 to 3"},
        {"S0", 'f', 2, 1, 1, "a Shared tile cannot be loaded"},
        {"S256", 'f', 2, 1, 1, "no tile has this name"},
        {"T#1", 'f', 3, 1, 1, "no tile type has elements like this array's"},
        {"T#1", 'u', 1, 256, 256, NULL},
        {"T#1", 'u', 1, 256, 257, "does not fit a tile of 64 KiB"},
    };
    static uint8_t data[256 * 257 * 4];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        struct object program;
        open_program(&t, &program);
        struct npy in = array_of(data, rows[i].kind, rows[i].itemsize, rows[i].rows, rows[i].cols);
        const char *error = sim_load_tile(&t.s, rows[i].name, &in);
        if (rows[i].reason)
            expect_reason(error, rows[i].reason);
        else if (error)
            fail_msg("row %zu: %s", i, error);
        bench_close(&t);
    }
}

static void test_raw_refusals(void **state)
{
    struct bench t;
    struct object program;
    static uint8_t bytes[ROWS * COLS * 2 + 1];
    struct npy out;
    struct buffer raw;
    (void)state;
    open_program(&t, &program);
    expect_reason(sim_load_tile_raw(&t.s, "mat", bytes, sizeof bytes),
                  "the file has 3073 bytes, the tile 3072");
    expect_reason(sim_load_tile_raw(&t.s, "T#1", bytes, 128), "does not record this tile's type");
    assert_null(sim_load_tile_raw(&t.s, "mat", bytes, sizeof bytes - 1));
    expect_reason(sim_dump_tile(&t.s, "T#1", t.s.arena, &out), "never written");
    expect_reason(sim_dump_tile(&t.s, "S7", t.s.arena, &out), "never written");
    buffer_init(&raw, &t.mem);
    expect_reason(sim_dump_tile_raw(&t.s, "pe9.T#1", &raw), "PEs 0 to 3");
    buffer_free(&raw);
    bench_close(&t);
}

static void test_inputs_must_be_loaded(void **state)
{
    struct bench t;
    struct object program;
    static uint8_t data[ROWS * COLS * 2];
    (void)state;
    open_program(&t, &program);
    expect_reason(tile_before_run(&t.s), "expects tile mat (M#1, mat): load it with --tile mat=");
    struct npy in = array_of(data, 'f', 2, ROWS, COLS);
    assert_null(sim_load_tile(&t.s, "mat", &in));
    expect_reason(tile_before_run(&t.s), "expects tile acc (N#2");
    program.tiles.count = 1;
    assert_null(tile_before_run(&t.s));
    bench_close(&t);
}

static void test_bad_records(void **state)
{
    static const struct {
        struct obj_tile record;
        const char *reason;
    } rows[] = {
        {{.name = "x", .dtype = 15, .rows = 1, .cols = 1}, "impossible shape or type"},
        {{.name = "x", .dtype = 4, .rows = 0, .cols = 1}, "impossible shape"},
        {{.name = "x", .dtype = 4, .rows = 1, .cols = 1, .v_cols = 2}, "impossible shape"},
        {{.name = "x", .dtype = 4, .rows = 70000, .cols = 1}, "impossible shape"},
        {{.name = "x", .dtype = 4, .rows = 1, .cols = 1, .ordinal = 16}, "names no slot"},
        {{.name = "x", .dtype = 4, .rows = 16, .cols = 16, .fractal = 77}, "unknown fractal"},
        {{.name = "x", .dtype = 4, .rows = 256, .cols = 256, .slayout = OBJ_NONE_BOX},
         "does not fit 64 KiB"},
        {{.name = "x",
          .dtype = 4,
          .rows = 16,
          .cols = 16,
          .slayout = OBJ_NONE_BOX,
          .capacity = 256},
         "does not fit"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        struct object program;
        struct obj_tile record = rows[i].record;
        open_program(&t, &program);
        program.tiles.item = &record;
        program.tiles.count = 1;
        uint8_t byte = 0;
        expect_reason(sim_load_tile_raw(&t.s, "x", &byte, 1), rows[i].reason);
        bench_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logical_order),
        cmocka_unit_test(test_one_pe),
        cmocka_unit_test(test_nibbles_are_bytes),
        cmocka_unit_test(test_unrecorded_register),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_raw_refusals),
        cmocka_unit_test(test_inputs_must_be_loaded),
        cmocka_unit_test(test_bad_records),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
