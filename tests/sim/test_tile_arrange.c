/* SPDX-License-Identifier: BSD-3-Clause */
/* Rearrangement, generation and sorting where the default profile differs from the model's vectors,
 * and the legality rules on both sides. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tests/sim/tile_bench.h"

enum {
    U8 = ISA_DataType_U8,
    U16 = ISA_DataType_U16,
    U32 = ISA_DataType_U32,
    S32 = ISA_DataType_S32,
    FP16 = ISA_DataType_FP16,
    PE0 = 8,
    PE1 = 4,
    BYTES = 128
};

static void source(struct bench *t, unsigned slot, unsigned dtype, uint32_t rows, uint32_t cols)
{
    bench_tile(t, slot, dtype, SIM_ROW_MAJOR, 4, rows, cols, BYTES, PE0 | PE1, 10 * slot);
}

static void start(struct bench *t, const char *name, unsigned dtype, int first, int second)
{
    bench_start(t, name, dtype);
    bench_iot(t, first, second, PE0 | PE1, 0, 1);
}

static void shape(struct bench *t, uint32_t rows, uint32_t cols)
{
    bench_dim(t, 0, cols);
    bench_dim(t, 1, rows);
}

/* Element (r, c) of source n is 10 * n + 1000 * PE + 4 * r + c. */
static void test_concat(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U32, 2, 1);
    source(&t, 9, U32, 2, 2);
    start(&t, "TCONCAT", U32, 8, 9);
    shape(&t, 2, 3);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 1, 1, 0), 1084);
    assert_int_equal(bench_element(&t, 0, 1, 1, 1), 1094);
    assert_int_equal(bench_element(&t, 0, 0, 0, 2), 91);
    bench_dim(&t, 0, 4);
    bench_faults(&t, FAULT_TILE_LEGALITY, "the columns add up");
    shape(&t, 1, 3);
    bench_faults(&t, FAULT_TILE_LEGALITY, "rows must be equal");
    start(&t, "TCONCAT", S32, 8, 9);
    bench_faults(&t, FAULT_TILE_LEGALITY, "is U32, the destination S32");
    bench_close(&t);
}

/* Offsets by contract from B.IOR, each PE its own. */
static void test_extract(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U32, 4, 4);
    start(&t, "TEXTRACT", U32, 8, -1);
    shape(&t, 2, 2);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 1, 1), 85);
    bench_ior(&t, 0, 2, 0, 0, 0);
    bench_ior(&t, 1, 1, 2, 0, 0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 1, 0, 1, 1), 80 + 4 * 3 + 2);
    assert_int_equal(bench_element(&t, 1, 1, 1, 1), 1080 + 4 * 1 + 3);
    bench_ior(&t, 0, 3, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "2 x 2 elements at (3, 1)");
    bench_ior(&t, 0, UINT64_C(1) << 32, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "do not lie in the valid region 4 x 4");
    bench_ior(&t, 0, 0, 0, 0, 0);
    bench_ior(&t, 2, 0, 0, 0, 0);
    bench_faults(&t, FAULT_BUNDLE, "B.IOR source 3");
    t.s.options.profile = SIM_PROFILE_PTO_V0;
    bench_faults(&t, FAULT_BUNDLE, "B.IOR source 1");
    bench_close(&t);
}

static void test_insert(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U32, 4, 4);
    source(&t, 9, U32, 2, 2);
    start(&t, "TINSERT", U32, 8, 9);
    bench_ior(&t, 0, 2, 0, 0, 0);
    bench_ior(&t, 1, 2, 0, 0, 0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 3, 3), 95);
    assert_int_equal(bench_element(&t, 0, 0, 3, 1), 93);
    assert_int_equal(bench_element(&t, 0, 1, 0, 0), 1090);
    bench_ior(&t, 1, 3, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "at (2, 3)");
    shape(&t, 4, 3);
    bench_faults(&t, FAULT_TILE_LEGALITY, "which it continues");
    bench_close(&t);
}

static void test_fill_and_transpose(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U8, 2, 3);
    start(&t, "TFILLPAD", U8, 8, -1);
    bench_ior(&t, 0, 0x1ff, 0x102, 0, 0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 1, 2), 86);
    assert_int_equal(bench_element(&t, 0, 0, 1, 3), 0xff);
    assert_int_equal(bench_element(&t, 0, 1, 31, 0), 2);
    assert_int_equal(t.s.tiles->local[0].pe[0].defined, TILE_ALL_DEFINED);
    shape(&t, 1, 3);
    bench_faults(&t, FAULT_TILE_LEGALITY, "is smaller than the source");
    start(&t, "TTRANS", U8, 8, -1);
    shape(&t, 3, 2);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 1, 0, 2, 1), 86);
    shape(&t, 2, 3);
    bench_faults(&t, FAULT_TILE_LEGALITY, "the transposed 2 x 3 source");
    bench_close(&t);
}

static void test_row_gather_and_scatter(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U32, 3, 2);
    source(&t, 9, U16, 3, 2);
    for (unsigned pe = 0; pe < 2; pe++)
        for (uint32_t row = 0; row < 3; row++)
            for (uint32_t col = 0; col < 2; col++)
                bench_place(&t, 9, pe, row, col, (row + 1 + col) % 3);
    start(&t, "TGATHER", U32, 8, 9);
    shape(&t, 3, 2);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 1), 80 + 4 * 2 + 1);
    start(&t, "TSCATTER", U32, 8, 9);
    shape(&t, 3, 2);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 1, 0, 2, 1), 81);
    assert_int_equal(t.s.tiles->local[1].pe[0].defined, TILE_ALL_DEFINED);
    bench_place(&t, 9, 1, 2, 1, 1); /* row 1 has it: an error of TSCATTER alone */
    bench_place(&t, 9, 1, 1, 1, 1);
    bench_faults(&t, FAULT_TILE_LEGALITY, "index (2, 1) is 1, which an earlier row");
    start(&t, "TGATHER", U32, 8, 9);
    shape(&t, 3, 2);
    bench_runs(&t);
    bench_place(&t, 9, 1, 2, 1, 3);
    bench_faults(&t, FAULT_TILE_LEGALITY, "index (2, 1) is 3, it must be in 0..2");
    t.s.tiles->local[9].info.dtype = ISA_DataType_FP16;
    bench_faults(&t, FAULT_TILE_LEGALITY, "is FP16, the types are");
    t.b.lb_present[0] = false;
    bench_faults(&t, FAULT_TILE_LEGALITY, "LB0 is missing");
    bench_close(&t);
}

static void test_generation(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    start(&t, "TCI", U16, -1, -1);
    bench_dim(&t, 0, 4);
    bench_ior(&t, 0, 1, 0x1fffe, 0, 0);
    bench_ior(&t, 1, 1, 0, 0, 0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 3), 0xfffe); /* 1, 0, -1, -2 */
    assert_int_equal(bench_element(&t, 0, 1, 0, 3), 1);
    bench_ior(&t, 1, 0, 2, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "is 2, it must be 0 or 1");
    bench_ior(&t, 1, 0, 0, 2, 0); /* PE2 does not take part */
    bench_dim(&t, 1, 2);
    bench_faults(&t, FAULT_TILE_LEGALITY, "a sequence has one row");

    start(&t, "TTRI", FP16, -1, -1);
    shape(&t, 4, 4);
    bench_ior(&t, 0, (uint64_t)-1, 65535, 0, 0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 1, 0, 1, 0), 0x3c00);
    assert_int_equal(bench_element(&t, 1, 0, 1, 1), 0);
    assert_int_equal(bench_element(&t, 1, 1, 0, 3), 0x3c00);
    bench_ior(&t, 0, 0, 65536, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "65536 is not in -65535..65535");
    bench_close(&t);
}

static void test_histogram(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U16, 1, 4); /* 80..83 in PE0 */
    bench_place(&t, 8, 0, 0, 3, 0x150);
    source(&t, 9, U8, 1, 1);
    bench_place(&t, 9, 0, 0, 0, 0);
    bench_start(&t, "THISTOGRAM", U16);
    bench_iot(&t, 8, 9, PE0, 0, 4);
    t.b.datr = (struct bundle_datr){.present = true, .data_type = U32};
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 79), 0);
    assert_int_equal(bench_element(&t, 0, 0, 0, 80), 1);
    assert_int_equal(bench_element(&t, 0, 0, 0, 255), 3); /* 0x150 does not pass the filter */
    t.s.tiles->local[9].pe[0].defined = TILE_UNDEFINED;
    bench_faults(&t, FAULT_TILE_LEGALITY, "element (0, 0) is undefined");
    t.b.datr.pad = 1; /* the high byte needs no filter */
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 1, 0, 0, 0), 3);
    t.b.datr.pad = 2;
    bench_faults(&t, FAULT_TILE_LEGALITY, "has bytes 0..1");
    t.b.data_type = U32;
    bench_faults(&t, FAULT_TILE_LEGALITY, "is U16, the bundle's type is U32");
    t.b.datr.present = false;
    bench_faults(&t, FAULT_TILE_LEGALITY, "a B.DATR with DataType U32");
    bench_close(&t);
}

/* FP16 3, NaN, -0, +0 and the same again: -0 and +0 stay as they came, the NaN comes last. */
static void test_sort(void **state)
{
    static const uint16_t values[] = {0x4200, 0x7d00, 0x8000, 0x0000};
    static const uint16_t up[] = {0x8000, 0x0000, 0x4200, 0x7d00}, up_from[] = {2, 3, 0, 1};
    static const uint16_t down[] = {0x4200, 0x8000, 0x0000, 0x7d00}, down_from[] = {0, 2, 3, 1};
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_tile(&t, 8, FP16, SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0 | PE1, 0);
    for (unsigned pe = 0; pe < 2; pe++)
        for (uint32_t col = 0; col < 4; col++)
            bench_place(&t, 8, pe, 0, col, values[col]);
    bench_start(&t, "TSORT", FP16);
    bench_iot(&t, 8, -1, PE0 | PE1, 0, 1);
    bench_iot(&t, -1, -1, PE0 | PE1, 0, 2); /* U32 is twice as wide */
    bench_ior(&t, 0, 0, 1, 2, 2);
    bench_runs(&t);
    for (uint32_t col = 0; col < 4; col++) {
        assert_int_equal(bench_element(&t, 0, 0, 0, col), up[col]);
        assert_int_equal(bench_element(&t, 1, 0, 0, col), up_from[col]);
        assert_int_equal(bench_element(&t, 0, 1, 0, col), down[col]);
        assert_int_equal(bench_element(&t, 1, 1, 0, col), down_from[col]);
    }
    assert_int_equal(t.s.pes[0].core_state >> 32 & 31, 1); /* 0x7d00 signals: NV */
    assert_int_equal(t.s.pes[2].core_state, 0);
    t.b.iot[1].size_code = 1;
    bench_faults(&t, FAULT_TILE_LEGALITY, "they must be equal");
    t.b.iot[1].size_code = 2;
    bench_dim(&t, 0, 65);
    bench_faults(&t, FAULT_TILE_LEGALITY, "at most 64");
    bench_dim(&t, 0, 64);
    bench_runs(&t);
    bench_ior(&t, 0, 2, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "0 sorts ascending, 1 descending");
    bench_close(&t);
}

static void test_merge(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, FP16, 1, 2); /* subnormals 80, 81 and 90, 91, 92 */
    source(&t, 9, FP16, 1, 3);
    start(&t, "TMRGSORT", FP16, 8, 9);
    bench_place(&t, 9, 0, 0, 0, 80);
    bench_runs(&t);
    assert_int_equal(t.s.tiles->local[0].info.cols, 8);
    assert_int_equal(bench_element(&t, 0, 0, 0, 1), 80);
    assert_int_equal(bench_element(&t, 0, 0, 0, 2), 81);
    assert_int_equal(bench_element(&t, 0, 0, 0, 4), 92);
    bench_ior(&t, 0, 1, 0, 0, 0);
    bench_faults(&t, FAULT_TILE_LEGALITY, "is not sorted: element 1");
    bench_dim(&t, 0, 5);
    bench_faults(&t, FAULT_TILE_LEGALITY, "takes no B.DIM LB0");
    bench_close(&t);
}

static void test_img2col_never_runs(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t, 8, U32, 4, 4);
    start(&t, "TIMG2COL", U32, 8, -1);
    shape(&t, 2, 2);
    bench_faults(&t, FAULT_TILE_LEGALITY, "has no feature-map descriptor");
    bench_dim(&t, 2, 64);
    bench_faults(&t, FAULT_TILE_ALLOCATION, "64 physical columns");
    bench_close(&t);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_concat),
        cmocka_unit_test(test_extract),
        cmocka_unit_test(test_insert),
        cmocka_unit_test(test_fill_and_transpose),
        cmocka_unit_test(test_row_gather_and_scatter),
        cmocka_unit_test(test_generation),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_img2col_never_runs),
    };
    return cmocka_run_group_tests_name("tile-arrange", tests, NULL, NULL);
}
