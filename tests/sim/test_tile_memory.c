/* SPDX-License-Identifier: BSD-3-Clause */
/* TLOAD and TSTORE: addresses, strides, layouts, padding, and precise faults. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tests/sim/tile_bench.h"

enum { S32 = ISA_DataType_S32, U8 = ISA_DataType_U8, U4 = ISA_DataType_U4X2, BASE = 0x100 };

/* Byte n of memory is n * 7. */
static void fill_memory(struct bench *t)
{
    for (uint32_t i = 0; i < BENCH_MEMORY; i++) {
        uint8_t byte = (uint8_t)(i * 7);
        mem_write(&t->s, i, &byte, 1);
    }
}

static uint8_t memory_byte(struct bench *t, uint64_t address)
{
    uint8_t byte;
    mem_read(&t->s, address, &byte, 1);
    return byte;
}

/* BSTART.TLOAD dtype; LB1 x LB0 in LB2 columns; B.IOT mask, last, ->T<size> */
static void tload(struct bench *t, unsigned dtype, uint32_t rows, uint32_t cols, uint32_t physical,
                  uint8_t mask, unsigned size)
{
    bench_start(t, "TLOAD", dtype);
    bench_dim(t, 0, cols);
    bench_dim(t, 1, rows);
    bench_dim(t, 2, physical);
    bench_iot(t, -1, -1, mask, 0, size);
}

static void address(struct bench *t, uint64_t base, uint64_t stride)
{
    bench_ior(t, 0, base, base, base, base);
    bench_ior(t, 1, stride, stride, stride, stride);
}

static void test_load_addresses(void **state)
{
    static const struct {
        bool has_ior;
        uint64_t base, stride, row1; /* row1: address of row 1 */
    } rows[] = {
        {false, 0, 0, 16},                      /* omitted: base 0, dense = LB2 bytes */
        {true, BASE, 16, BASE + 16},            /* dense by hand */
        {true, BASE, 100, BASE + 100},          /* any other distance */
        {true, BASE, 0, BASE},                  /* an explicit zero is zero */
        {true, BASE, (uint64_t)-32, BASE - 32}, /* backwards */
        {true, (uint64_t)-8, 24, 16},           /* the base plus stride wraps */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        memory_add_region(t.s.memory, (uint64_t)-4096, 4096, NULL, 0, MEM_READ);
        fill_memory(&t);
        tload(&t, U8, 2, 5, 16, SIM_ALL_PES, 1);
        if (rows[i].has_ior)
            address(&t, rows[i].base, rows[i].stride);
        bench_runs(&t);
        const struct tile *d = &t.s.tiles->local[0];
        assert_int_equal(d->info.rows, 8);
        for (unsigned pe = 0; pe < SIM_PES; pe++) {
            assert_int_equal(d->pe[pe].defined, TILE_VALID_DEFINED);
            for (uint32_t col = 0; col < 5; col++)
                assert_int_equal(bench_element(&t, 0, pe, 1, col),
                                 (uint8_t)((rows[i].row1 + col) * 7));
        }
        bench_close(&t);
    }
}

/* Whole rows without gaps, some and all of the tile's, also around the end of the addresses; what
 * is not loaded is zero. */
static void test_load_and_store_dense(void **state)
{
    static const struct {
        uint64_t base;
        uint32_t rows;
    } rows[] = {{BASE, 1}, {BASE, 3}, {BASE, 8}, {(uint64_t)-40, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        uint32_t size = rows[i].rows * 16;
        bench_open(&t);
        memory_add_region(t.s.memory, (uint64_t)-4096, 4096, NULL, 0, MEM_READ | MEM_WRITE);
        fill_memory(&t);
        for (uint64_t a = (uint64_t)-40; a; a++)
            mem_write(&t.s, a, &(uint8_t){(uint8_t)(a * 7)}, 1);
        tload(&t, U8, rows[i].rows, 16, 16, SIM_ALL_PES, 1);
        address(&t, rows[i].base, 16);
        bench_runs(&t);
        const struct tile *d = &t.s.tiles->local[0];
        for (uint32_t n = 0; n < 128; n++)
            assert_int_equal(d->pe[2].bytes[n], n < size ? (uint8_t)((rows[i].base + n) * 7) : 0);
        bench_start(&t, "TSTORE", U8);
        bench_iot(&t, 0, -1, 8, 0, 0);
        address(&t, 0x800, 16);
        bench_runs(&t);
        for (uint32_t n = 0; n < size; n++)
            assert_int_equal(memory_byte(&t, 0x800 + n), (uint8_t)((rows[i].base + n) * 7));
        assert_int_equal(memory_byte(&t, 0x800 + size), (uint8_t)((0x800 + size) * 7));
        bench_close(&t);
    }
}

static void test_load_each_pe_from_its_registers(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    fill_memory(&t);
    tload(&t, U8, 2, 4, 16, 13, 1); /* PE0, PE1, PE3 */
    bench_ior(&t, 0, 0x10, 0x20, UINT64_MAX, 0x40);
    bench_ior(&t, 1, 4, 8, 3, 0);
    bench_runs(&t); /* the registers of PE2 are not looked at */
    assert_int_equal(bench_element(&t, 0, 0, 1, 3), (uint8_t)(0x17 * 7));
    assert_int_equal(bench_element(&t, 0, 1, 1, 3), (uint8_t)(0x2b * 7));
    assert_int_equal(bench_element(&t, 0, 3, 1, 3), (uint8_t)(0x43 * 7));
    assert_null(t.s.tiles->local[0].pe[2].bytes);
    assert_int_equal(t.s.tiles->local[0].mask, 13);
    bench_close(&t);
}

static void test_load_layouts(void **state)
{
    /* 16 x 32 elements of FP16: storage index of element (5, 21). */
    static const struct {
        unsigned code;
        uint32_t index;
    } rows[] = {
        {ISA_TileLayout_NORM, 5 * 32 + 21},
        {ISA_TileLayout_ND2DN, 21 * 16 + 5},
        {ISA_TileLayout_ND2NZ, 1 * 256 + 5 * 16 + 5},
        {ISA_TileLayout_ND2ZN, 1 * 256 + 5 * 16 + 5}, /* box (0, 1), column 5 of it, row 5 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        fill_memory(&t);
        tload(&t, ISA_DataType_FP16, 16, 32, 32, 8, 4);
        bench_layout(&t, rows[i].code);
        address(&t, 0, 64);
        bench_runs(&t);
        const uint8_t *bytes = t.s.tiles->local[0].pe[0].bytes + 2 * rows[i].index;
        assert_int_equal(bytes[0], (uint8_t)((5 * 64 + 42) * 7));
        assert_int_equal(bytes[1], (uint8_t)((5 * 64 + 43) * 7));
        bench_close(&t);
    }
}

static void test_nibbles(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    fill_memory(&t); /* bytes 0x00 07 0e 15 … */
    tload(&t, U4, 2, 3, 16, 8, 1);
    address(&t, 1, 2);
    bench_runs(&t);
    static const uint8_t expected[2][3] = {{0x7, 0x0, 0xe}, {0x5, 0x1, 0xc}};
    for (uint32_t row = 0; row < 2; row++)
        for (uint32_t col = 0; col < 3; col++)
            assert_int_equal(bench_element(&t, 0, 0, row, col), expected[row][col]);
    bench_start(&t, "TSTORE", U4);
    bench_iot(&t, 0, -1, 8, 0, 0);
    address(&t, 0x200, 2);
    uint8_t ones[4] = {0xff, 0xff, 0xff, 0xff};
    mem_write(&t.s, 0x200, ones, sizeof ones);
    bench_runs(&t);
    assert_int_equal(memory_byte(&t, 0x200), 0x07);
    assert_int_equal(memory_byte(&t, 0x201), 0xfe); /* its high nibble is not the tile's */
    assert_int_equal(memory_byte(&t, 0x202), 0x15);
    assert_int_equal(memory_byte(&t, 0x203), 0xfc);
    bench_close(&t);
}

static void test_store(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    fill_memory(&t);
    bench_tile(&t, 0, S32, SIM_NZ, 8, 2, 3, 512, SIM_ALL_PES, 0x11223300);
    bench_start(&t, "TSTORE", S32);
    bench_iot(&t, 0, -1, 9, 0, 0); /* PE0 and PE3 */
    bench_ior(&t, 0, BASE, 1, 1, BASE + 0x100);
    bench_ior(&t, 1, 20, 0, 0, 12);
    bench_runs(&t);
    /* element (1, 2) of NZ stands at 1 * 8 + 2 = 10 */
    assert_int_equal(memory_byte(&t, BASE + 28), 0x0a);
    assert_int_equal(memory_byte(&t, BASE + 31), 0x11);
    assert_int_equal(memory_byte(&t, BASE + 32), (uint8_t)((BASE + 32) * 7));
    /* value + 1000 * 3 + 10 = 0x11223300 + 0xbc2 */
    assert_int_equal(memory_byte(&t, BASE + 0x100 + 20), 0xc2);
    assert_int_equal(memory_byte(&t, BASE + 0x100 + 21), 0x3e);
    bench_close(&t);
}

static void test_store_with_stride_zero_keeps_the_last_row(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_tile(&t, 0, S32, SIM_ROW_MAJOR, 8, 3, 2, 128, 8, 0);
    bench_start(&t, "TSTORE", S32);
    bench_iot(&t, 0, -1, 8, 0, 0);
    address(&t, BASE, 0);
    bench_runs(&t);
    assert_int_equal(memory_byte(&t, BASE), 16);
    assert_int_equal(memory_byte(&t, BASE + 4), 17);
    bench_close(&t);
}

/* ---- faults: each row changes one thing of a legal load ---- */

static void misaligned(struct bench *t)
{
    t->b.scalar[2][0] = BASE + 2;
}
static void misaligned_second_row(struct bench *t)
{
    t->b.scalar[0][1] = 18;
}
static void outside(struct bench *t)
{
    t->b.scalar[3][0] = BENCH_MEMORY - 16 - 8; /* row 1, column 2 is the first byte outside */
}
static void dense_outside(struct bench *t)
{
    bench_dim(t, 0, 8);
    t->b.scalar[1][0] = BENCH_MEMORY - 32 - 8; /* row 1, column 2 */
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        t->b.scalar[pe][1] = 32;
}
static void odd_columns(struct bench *t)
{
    t->b.lb[2] = 7;
}
static void valid_beyond_physical(struct bench *t)
{
    t->b.lb[0] = 9;
}
static void rows_beyond_capacity(struct bench *t)
{
    t->b.lb[1] = 5;
}
static void pad(struct bench *t)
{
    bench_layout(t, ISA_TileLayout_NORM);
    t->b.datr.pad = SIM_PAD_MIN;
}
static void rounding(struct bench *t)
{
    bench_layout(t, ISA_TileLayout_NORM);
    t->b.datr.rmode = 2;
}
static void boxes(struct bench *t)
{
    bench_layout(t, ISA_TileLayout_ND2NZ); /* 4 rows are no box of 16 */
}
static void third_scalar(struct bench *t)
{
    bench_ior(t, 2, 0, 0, 0, 0);
}
static void surplus_source(struct bench *t)
{
    t->b.iot[0].nsources = 1;
}
static void no_last(struct bench *t)
{
    t->b.iot[0].last = false;
}
static void cube_layout(struct bench *t)
{
    bench_layout(t, ISA_TileLayout_ND2M16);
    t->b.datr.data_type = ISA_DataType_DTYPE_NONE;
}

static void test_load_refuses(void **state)
{
    static const struct {
        void (*spoil)(struct bench *t);
        enum fault_kind kind;
        const char *text;
        int pe;
        uint64_t address;
    } rows[] = {
        {misaligned, FAULT_ALIGNMENT, "load of 4 bytes at 0x102 is not aligned", 2, BASE + 2},
        {misaligned_second_row, FAULT_ALIGNMENT, "at 0x112", 0, BASE + 18},
        {outside, FAULT_PAGE, "load of 4 bytes at 0x1000: not mapped", 3, BENCH_MEMORY},
        {dense_outside, FAULT_PAGE, "load of 4 bytes at 0x1000: not mapped", 1, BENCH_MEMORY},
        {odd_columns, FAULT_TILE_ALLOCATION, "7 physical columns", 0, 0x1000},
        {valid_beyond_physical, FAULT_TILE_ALLOCATION, "2 x 9 exceeds the 4 x 8", 0, 0x1000},
        {rows_beyond_capacity, FAULT_TILE_ALLOCATION, "5 x 5 exceeds the 4 x 8", 0, 0x1000},
        {pad, FAULT_TILE_LEGALITY, "PadValue is 2", 0, 0x1000},
        {rounding, FAULT_TILE_LEGALITY, "B.DATR RMode is 2", 0, 0x1000},
        {boxes, FAULT_TILE_LEGALITY, "4 x 8 elements of S32 are not whole boxes", 0, 0x1000},
        {third_scalar, FAULT_BUNDLE, "consumes 2 scalars", 0, 0x1000},
        {surplus_source, FAULT_BUNDLE, "binds 1 sources, the operation has 0", 0, 0x1000},
        {no_last, FAULT_BUNDLE, "lacks `last`", 0, 0x1000},
        {cube_layout, FAULT_TILE_LEGALITY, "takes no B.DIM LB2", 0, 0x1000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        tload(&t, S32, 2, 5, 8, SIM_ALL_PES, 1);
        address(&t, BASE, 16);
        rows[i].spoil(&t);
        bench_faults(&t, rows[i].kind, rows[i].text);
        assert_int_equal(t.s.fault.pe, rows[i].pe);
        assert_int_equal(t.s.fault.address, rows[i].address);
        assert_int_equal(t.s.fault.pc, 0x1000);
        bench_close(&t);
    }
}

/* A store that faults in its last row of its last PE has written nothing. */
static void test_store_faults_precisely(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    fill_memory(&t);
    memory_add_region(t.s.memory, 0x10000, 4096, NULL, 0, MEM_READ);
    bench_tile(&t, 0, S32, SIM_ROW_MAJOR, 8, 2, 4, 128, SIM_ALL_PES, 0);
    bench_start(&t, "TSTORE", S32);
    bench_iot(&t, 0, -1, SIM_ALL_PES, 0, 0);
    bench_ior(&t, 0, BASE, BASE, BASE, BENCH_MEMORY - 32 - 8);
    bench_ior(&t, 1, 16, 16, 16, 28);
    bench_faults(&t, FAULT_PAGE, "store of 4 bytes at 0x1000: not mapped");
    bench_start(&t, "TSTORE", S32);
    bench_iot(&t, 0, -1, 8, 0, 0);
    address(&t, 0x10000, 16);
    bench_faults(&t, FAULT_PAGE, "store of 4 bytes at 0x10000");
    bench_start(&t, "TSTORE", S32);
    bench_iot(&t, 3, -1, 8, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "T#4, is not allocated");
    bench_close(&t);
}

/* ---- CUBE ---- */

static void test_cube_load_pads(void **state)
{
    /* 2 x 3 of FP16 as CUBE_M16: one cell of 16 x 4; element (1, 2) at 1 * 4 + 2, (0, 3) is pad. */
    static const struct {
        uint8_t pad;
        bool defined;
        uint16_t value;
    } rows[] = {
        {SIM_PAD_ZERO, true, 0},
        {SIM_PAD_MAX, true, 0x7bff},
        {SIM_PAD_MIN, true, 0xfbff},
        {SIM_PAD_NULL, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        fill_memory(&t);
        bench_start(&t, "TLOAD", ISA_DataType_FP16);
        bench_layout(&t, ISA_TileLayout_ND2M16);
        t.b.datr.data_type = ISA_DataType_DTYPE_NONE;
        t.b.datr.pad = rows[i].pad;
        bench_dim(&t, 0, 3);
        bench_dim(&t, 1, 2);
        bench_iot(&t, -1, -1, 8, 2, 1);
        address(&t, 0, 32);
        bench_runs(&t);
        const struct tile *d = &t.s.tiles->local[32];
        assert_int_equal(d->info.rows, 16);
        assert_int_equal(d->info.cols, 4);
        assert_true(d->info.matrix);
        const uint8_t *bytes = d->pe[0].bytes;
        assert_int_equal(bytes[2 * 6], (uint8_t)((32 + 4) * 7));
        assert_int_equal(tile_fragment_is_defined(&d->info, &d->pe[0], 0, 3), rows[i].defined);
        if (rows[i].defined)
            assert_int_equal(bytes[6] | bytes[7] << 8, rows[i].value);
        bench_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_addresses),
        cmocka_unit_test(test_load_and_store_dense),
        cmocka_unit_test(test_load_each_pe_from_its_registers),
        cmocka_unit_test(test_load_layouts),
        cmocka_unit_test(test_nibbles),
        cmocka_unit_test(test_store),
        cmocka_unit_test(test_store_with_stride_zero_keeps_the_last_row),
        cmocka_unit_test(test_load_refuses),
        cmocka_unit_test(test_store_faults_precisely),
        cmocka_unit_test(test_cube_load_pads),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
