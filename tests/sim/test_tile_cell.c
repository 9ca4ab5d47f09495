/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TPERMUTE, TSHUF, TPACK and TUNPACK of 0.58.5: results by hand from the contracts in
 * asl/tile/layout-and-rearrangement/layout, and each rule on both sides.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

#define T(name) ISA_DataType_##name

enum { PE0 = 8, PE1 = 4, BOTH = PE0 | PE1, U_1 = TILE_HAND_SLOTS, HAND_U = 1, KIB = 4 };

/* Element (r, c) is base + step * r + c. */
static void cells(struct bench *t, unsigned slot, unsigned dtype, enum sim_layout layout,
                  uint32_t rows, uint32_t cols, uint64_t base, uint64_t step)
{
    bench_shape_tile(t, slot, dtype, layout, rows, cols, BOTH);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            bench_place_everywhere(t, slot, row, col, base + step * row + col);
}

static void start(struct bench *t, const char *op, unsigned dtype, uint64_t control)
{
    bench_start(t, op, dtype);
    if (t->b.op->nscalars)
        bench_ior(t, 0, control, control, 0, 0);
}

static uint64_t result(const struct bench *t, uint32_t row, uint32_t col)
{
    assert_int_equal(bench_element(t, U_1, 0, row, col), bench_element(t, U_1, 1, row, col));
    return bench_element(t, U_1, 1, row, col);
}

/* ---- TPERMUTE ---- */

static void start_permute(struct bench *t, unsigned dtype, enum sim_layout layout, uint32_t rows,
                          uint32_t cols)
{
    unsigned bits = sim_format_of(dtype)->bits;
    bench_open(t);
    cells(t, 0, dtype, layout, rows, cols, 0x10, 0x20);
    cells(t, 1, dtype, layout, rows, cols, 0x80, 0x20);
    cells(t, 2, T(U8), layout, rows, (cols * bits + 7) / 8, 0, 0);
    start(t, "TPERMUTE", dtype, 0);
    bench_iot(t, 0, 1, BOTH, 0, 0);
    bench_iot(t, 2, -1, BOTH, HAND_U, KIB);
}

/* A row of a cell has 8 bytes: indices 0..7 are the first source's, 8..15 the second's, each within
 * the cell of the byte that is written. */
static void test_permute_bytes(void **state)
{
    struct bench t;
    (void)state;
    start_permute(&t, T(U8), SIM_CUBE_M16, 2, 12);
    for (uint32_t col = 0; col < 12; col++) {
        bench_place_everywhere(&t, 2, 0, col, col < 8 ? 7 - col : 3 - (col - 8));
        bench_place_everywhere(&t, 2, 1, col, col < 8 ? 8 + col : 8);
    }
    bench_runs(&t);
    assert_int_equal(result(&t, 0, 0), 0x17);
    assert_int_equal(result(&t, 0, 7), 0x10);
    assert_int_equal(result(&t, 0, 8), 0x1b); /* byte 3 of the second cell */
    assert_int_equal(result(&t, 0, 11), 0x18);
    assert_int_equal(result(&t, 1, 0), 0xa0);
    assert_int_equal(result(&t, 1, 7), 0xa7);
    assert_int_equal(result(&t, 1, 11), 0xa8); /* byte 0 of the second cell */
    const struct tile *d = &t.s.tiles->local[U_1];
    assert_int_equal(d->info.layout, SIM_CUBE_M16);
    assert_int_equal(d->info.valid_cols, 12);
    assert_int_equal(d->pe[0].defined, TILE_VALID_DEFINED);
    bench_place(&t, 2, 1, 0, 11, 16);
    bench_faults(&t, FAULT_TILE_LEGALITY, "index (0, 11) is 16, it must be in 0..15");
    bench_place(&t, 2, 1, 0, 11, 4); /* column 12 of the source is not valid */
    bench_faults(&t, FAULT_TILE_LEGALITY,
                 "byte 12 of row 0 of source T#1, which index (0, 11) names, is undefined in PE1");
    bench_close(&t);
}

/* M32: four bytes a row. Bytes of 16-bit elements move alone. */
static void test_permute_within_elements(void **state)
{
    struct bench t;
    (void)state;
    start_permute(&t, T(U16), SIM_CUBE_M32, 1, 2);
    bench_place_everywhere(&t, 0, 0, 0, 0x1122);
    bench_place_everywhere(&t, 0, 0, 1, 0x3344);
    bench_place_everywhere(&t, 1, 0, 1, 0x5566);
    static const uint8_t indices[] = {1, 0, 7, 2}; /* 11 22 | 55 44 */
    for (uint32_t i = 0; i < 4; i++)
        bench_place_everywhere(&t, 2, 0, i, indices[i]);
    bench_runs(&t);
    assert_int_equal(result(&t, 0, 0), 0x2211);
    assert_int_equal(result(&t, 0, 1), 0x4455);
    bench_place_everywhere(&t, 2, 0, 0, 8);
    bench_faults(&t, FAULT_TILE_LEGALITY, "index (0, 0) is 8, it must be in 0..7");
    bench_close(&t);
}

/* Of five nibbles the third byte has one. */
static void test_permute_nibbles(void **state)
{
    struct bench t;
    (void)state;
    start_permute(&t, T(U4X2), SIM_CUBE_M16, 1, 5);
    for (uint32_t col = 0; col < 5; col++)
        bench_place_everywhere(&t, 0, 0, col, col + 1);
    static const uint8_t indices[] = {1, 2, 0}; /* nibbles 3 4 | 5 - | 1 (2) */
    for (uint32_t i = 0; i < 3; i++)
        bench_place_everywhere(&t, 2, 0, i, indices[i]);
    bench_runs(&t);
    static const uint8_t expected[] = {3, 4, 5, 0, 1};
    for (uint32_t col = 0; col < 5; col++)
        assert_int_equal(result(&t, 0, col), expected[col]);
    bench_close(&t);
}

/* ---- TSHUF ---- */

/* Rows of words: row r holds 0x100 + r and 0x200 + r. */
static void start_shuffle(struct bench *t, enum sim_layout layout, uint32_t rows, uint64_t control,
                          uint32_t by)
{
    bench_open(t);
    cells(t, 0, T(U32), layout, rows, 2, 0, 0);
    cells(t, 1, T(U32), layout, rows, 2, by, 0);
    for (uint32_t row = 0; row < rows; row++) {
        bench_place_everywhere(t, 0, row, 0, 0x100 + row);
        bench_place_everywhere(t, 0, row, 1, 0x200 + row);
        bench_place_everywhere(t, 1, row, 1, by);
    }
    start(t, "TSHUF", T(U32), control);
    bench_iot(t, 0, 1, BOTH, HAND_U, KIB);
}

enum { UP, DOWN, BUTTERFLY, INDEX, ZERO = 1 << 16 };
#define SEGMENT(code) ((uint64_t)(code) << 8)

struct shuffle_case {
    uint64_t control;
    uint32_t by;
    const char *rows; /* where each of six rows comes from; '.' is zero */
};

static const struct shuffle_case shuffle_cases[] = {
    {UP | SEGMENT(1), 1, "001244"},          /* segments of four lanes: the first keeps itself */
    {UP | SEGMENT(1) | ZERO, 1, ".012.4"},   /* or gives zero */
    {DOWN | SEGMENT(1), 1, "123355"},        /* lane 6 is no row: 5 keeps itself */
    {DOWN | SEGMENT(1) | ZERO, 2, "23...."}, /* lane 6 is no row */
    {BUTTERFLY | SEGMENT(0), 1, "103254"},
    {BUTTERFLY | SEGMENT(1), 3, "321045"}, /* 4 to 7 and 5 to 6, which are no rows */
    {BUTTERFLY | SEGMENT(0) | ZERO, 2, "......"},
    {INDEX | SEGMENT(1), 2, "222245"}, /* lane 6 again */
    {INDEX | SEGMENT(2), 5, "555555"},
    {INDEX | SEGMENT(0), 3, "113355"}, /* modulo the segment's width */
    {UP | SEGMENT(2), 0x22, "010123"}, /* five bits of a control count: 2 */
};

static void test_shuffle(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shuffle_cases / sizeof *shuffle_cases; i++) {
        const struct shuffle_case *c = &shuffle_cases[i];
        struct bench t;
        start_shuffle(&t, SIM_CUBE_M16, 6, c->control, c->by);
        bench_runs(&t);
        for (uint32_t row = 0; row < 6; row++)
            for (uint32_t col = 0; col < 2; col++) {
                uint64_t from = (uint64_t)(c->rows[row] - '0');
                uint64_t expected = c->rows[row] == '.' ? 0 : 0x100 * (col + 1) + from;
                if (result(&t, row, col) != expected)
                    fail_msg("case %zu, row %u: 0x%llx", i, row,
                             (unsigned long long)result(&t, row, col));
            }
        bench_close(&t);
    }
}

/* Words of 16-bit elements; the last one is half there. */
static void test_shuffle_partial_word(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    cells(&t, 0, T(U16), SIM_CUBE_M16, 2, 3, 0x10, 0x10);
    cells(&t, 1, T(U32), SIM_CUBE_M16, 2, 2, 1, 0);
    start(&t, "TSHUF", T(U16), BUTTERFLY);
    bench_iot(&t, 0, 1, BOTH, HAND_U, KIB);
    bench_place_everywhere(&t, 1, 0, 1, 0);
    bench_runs(&t);
    assert_int_equal(result(&t, 0, 0), 0x20);
    assert_int_equal(result(&t, 0, 1), 0x21);
    assert_int_equal(result(&t, 0, 2), 0x12); /* its control is 0 */
    assert_int_equal(result(&t, 1, 1), 0x11);
    bench_close(&t);
}

static void test_shuffle_segments(void **state)
{
    struct bench t;
    (void)state;
    start_shuffle(&t, SIM_CUBE_M32, 20, INDEX | SEGMENT(4), 19);
    bench_runs(&t);
    assert_int_equal(result(&t, 0, 0), 0x100 + 19);
    t.b.scalar[0][0] = INDEX | SEGMENT(5);
    bench_faults(&t, FAULT_TILE_LEGALITY, "of PE0: mode 3 is 0..3, segment code 5 is 0..4");
    bench_close(&t);
    start_shuffle(&t, SIM_CUBE_M16, 4, INDEX | SEGMENT(4), 1);
    bench_faults(&t, FAULT_TILE_LEGALITY, "segment code 4 is 0..3");
    bench_ior(&t, 0, 4, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "the control word 0x4 of PE0: mode 4 is 0..3");
    bench_ior(&t, 0, 2 * ZERO, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "boundary 2 is 0..1");
    bench_ior(&t, 0, 0, UINT64_C(1) << 32, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "the control word 0x100000000 of PE1: bits 63..32");
    bench_close(&t);
}

/* ---- TPACK, TUNPACK ---- */

static void start_pack(struct bench *t, uint64_t control)
{
    bench_open(t);
    cells(t, 0, T(U32), SIM_CUBE_M32, 2, 2, 0xaabbcc00, 0x10);
    cells(t, 1, T(U32), SIM_CUBE_M32, 2, 2, 0x11223300, 0x10);
    start(t, "TPACK", T(U32), control);
    bench_iot(t, 0, 1, BOTH, HAND_U, KIB);
}

static void test_pack(void **state)
{
    static const struct {
        unsigned left, right;
        uint32_t expected; /* of (1, 1) */
    } cases[] = {{1, 1, 0x1111}, {1, 3, 0x22331111}, {3, 1, 0x11bbcc11}, {2, 2, 0x3311cc11}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench t;
        start_pack(&t, cases[i].left | cases[i].right << 8);
        bench_runs(&t);
        assert_int_equal(result(&t, 1, 1), cases[i].expected);
        bench_close(&t);
    }
    static const unsigned wrong[][2] = {{0, 1}, {1, 0}, {4, 1}, {1, 4}, {2, 3}, {3, 2}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bench t;
        start_pack(&t, wrong[i][0] | wrong[i][1] << 8);
        bench_faults(&t, FAULT_TILE_LEGALITY, "each has 1..3 and both have at most 4");
        bench_close(&t);
    }
}

static void start_unpack(struct bench *t, uint64_t control)
{
    bench_open(t);
    cells(t, 0, T(U32), SIM_CUBE_M16, 2, 2, 0xaabbcc00, 0x10);
    start(t, "TUNPACK", T(U32), control);
    bench_iot(t, 0, -1, BOTH, HAND_U, KIB);
}

static void test_unpack(void **state)
{
    static const struct {
        unsigned offset, count;
        uint32_t expected;
    } cases[] = {{0, 4, 0xaabbcc11}, {0, 1, 0x11}, {1, 2, 0xbbcc}, {3, 1, 0xaa}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench t;
        start_unpack(&t, cases[i].offset | cases[i].count << 8);
        bench_runs(&t);
        assert_int_equal(result(&t, 1, 1), cases[i].expected);
        bench_close(&t);
    }
    static const unsigned wrong[][2] = {{0, 0}, {4, 1}, {1, 4}, {3, 2}, {0, 5}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bench t;
        start_unpack(&t, wrong[i][0] | wrong[i][1] << 8);
        bench_faults(&t, FAULT_TILE_LEGALITY, "are no field of a word");
        bench_close(&t);
    }
}

/* ---- operands ---- */

static void test_operands(void **state)
{
    struct bench t;
    (void)state;
    start_permute(&t, T(U8), SIM_CUBE_M16, 2, 8);
    struct tile *local = t.s.tiles->local;
    bench_layout(&t, ISA_TileLayout_ND2M16);
    bench_runs(&t);
    bench_layout(&t, ISA_TileLayout_ND2M32);
    bench_faults(&t, FAULT_TILE_LEGALITY, "B.DATR Layout is 21, the source T#1 is CUBE_M16");
    bench_layout(&t, ISA_TileLayout_NORM);
    t.b.data_type = T(U64);
    bench_faults(&t, FAULT_TILE_LEGALITY, "elements of type U64 are not taken");
    t.b.data_type = T(U8);
    local[1].info.dtype = T(S8);
    bench_faults(&t, FAULT_TILE_LEGALITY,
                 "source T#2 is 2 x 8 of S8 in CUBE_M16, it must be 2 x 8 of U8 in CUBE_M16");
    local[1].info.dtype = T(U8);
    local[2].info.valid_rows = 1;
    bench_faults(&t, FAULT_TILE_LEGALITY, "source T#3 is 1 x 8 of U8");
    local[2].info.valid_rows = 2;
    local[2].pe[1].defined = TILE_UNDEFINED;
    bench_faults(&t, FAULT_TILE_LEGALITY, "index (0, 0) is undefined in PE1");
    local[2].pe[1].defined = TILE_VALID_DEFINED;
    t.b.iot[1].source[0] = 1;
    bench_faults(&t, FAULT_TILE_LEGALITY, "the indices T#2 are a data source, too");
    t.b.iot[1].source[0] = 2;
    t.b.iot[0].source[1] = 0; /* data sources may be the same tile */
    bench_runs(&t);
    bench_ior(&t, 0, 0, 0, 0, 0);
    t.b.ior_source[0] = 0;
    bench_faults(&t, FAULT_TILE_LEGALITY, "B.IOR is not taken");
    bench_close(&t);

    start_unpack(&t, 0x400);
    local = t.s.tiles->local;
    t.b.iot[0].size_code = 1;
    bench_runs(&t); /* 2 x 2 words are one cell */
    t.b.ior_present = false;
    bench_faults(&t, FAULT_TILE_LEGALITY, "B.IOR with the control word is missing");
    t.b.ior_present = true;
    local[0].pe[0].defined = TILE_UNDEFINED;
    bench_faults(&t, FAULT_TILE_LEGALITY, "undefined in PE0");
    local[0].pe[0].defined = TILE_VALID_DEFINED;
    cells(&t, 3, T(U32), SIM_CUBE_M16, 2, 3, 0, 0);
    t.b.iot[0].source[0] = 3;
    bench_faults(&t, FAULT_TILE_ALLOCATION,
                 "2 x 3 elements of U32 need 256 bytes of whole CUBE_M16 cells");
    tile_info_set_layout(&local[3].info, SIM_CUBE_N8);
    bench_faults(&t, FAULT_TILE_LEGALITY, "it must be CUBE_M16 or CUBE_M32");
    t.b.iot[0].source[0] = 5;
    bench_faults(&t, FAULT_TILE_LEGALITY, "source 1, T#6, is not allocated");
    bench_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permute_bytes),
        cmocka_unit_test(test_permute_within_elements),
        cmocka_unit_test(test_permute_nibbles),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_shuffle_partial_word),
        cmocka_unit_test(test_shuffle_segments),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_unpack),
        cmocka_unit_test(test_operands),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("tile cells", tests, NULL, NULL);
}
