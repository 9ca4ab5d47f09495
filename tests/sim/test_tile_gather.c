/* SPDX-License-Identifier: BSD-3-Clause */
/* MGATHER, MSCATTER, MASK and CAS forms, TPREFETCH in the default profile: each rule on both sides.
 */
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
    S16 = ISA_DataType_S16,
    S32 = ISA_DataType_S32,
    U32 = ISA_DataType_U32,
    PE0 = 8,
    PE1 = 4,
    BYTES = 128
};

static uint32_t word_at(struct bench *t, uint64_t address)
{
    uint8_t b[4];
    mem_read(&t->s, address, b, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void set_word(struct bench *t, uint64_t address, uint32_t value)
{
    uint8_t b[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                   (uint8_t)(value >> 24)};
    mem_write(&t->s, address, b, sizeof b);
}

/* Slot 8: 1 x 4 byte displacements -4, 0, 8, 0; the base of PE n is 0x100 + 0x100 * n. */
static void open_with_index(struct bench *t, unsigned type, uint8_t mask)
{
    static const int displacements[] = {-4, 0, 8, 0};
    bench_open(t);
    bench_tile(t, 8, type, SIM_ROW_MAJOR, 4, 1, 4, BYTES, mask, 0);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        for (uint32_t col = 0; col < 4 && (mask & pe_bit(pe)); col++)
            bench_place(t, 8, pe, 0, col, (uint64_t)displacements[col]);
    for (uint32_t i = 0; i < 16; i++) {
        set_word(t, 0x0e0 + 4 * i, 100 + i);
        set_word(t, 0x1e0 + 4 * i, 200 + i);
    }
}

/* After bench_start and B.IOT. */
static void shape_and_base(struct bench *t)
{
    bench_dim(t, 0, 4);
    bench_ior(t, 0, 0x100, 0x200, 0x300, 0x400);
}

static void start_gather(struct bench *t, uint8_t mask)
{
    bench_start(t, "MGATHER", U32);
    bench_iot(t, 8, -1, mask, 0, 1);
    shape_and_base(t);
}

static void test_gather(void **state)
{
    static const uint32_t expected[] = {7, 8, 10, 8}; /* words from 0xe0 of the PE */
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0 | PE1);
    start_gather(&t, PE0 | PE1);
    bench_runs(&t);
    for (uint32_t col = 0; col < 4; col++) {
        assert_int_equal(bench_element(&t, 0, 0, 0, col), 100 + expected[col]);
        assert_int_equal(bench_element(&t, 0, 1, 0, col), 200 + expected[col]);
    }
    assert_int_equal(t.s.tiles->local[0].pe[0].defined, TILE_ALL_DEFINED);
    assert_int_equal(bench_element(&t, 0, 0, 1, 0), 0); /* Null */
    assert_null(t.s.tiles->local[0].pe[2].bytes);
    bench_close(&t);
}

static void test_gather_pads(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0);
    start_gather(&t, PE0);
    t.b.datr = (struct bundle_datr){.present = true, .pad = SIM_PAD_MAX};
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 3), 108);
    assert_int_equal(bench_element(&t, 0, 0, 7, 3), 0xffffffff);
    bench_close(&t);
}

/* A change of the legal MGATHER above, what it meets, and the message. */
struct refusal {
    const char *text;
    enum fault_kind kind;
    void (*change)(struct bench *t);
};

static void no_ior(struct bench *t)
{
    t->b.ior_present = false;
}
static void no_lb0(struct bench *t)
{
    t->b.lb_present[0] = false;
}
static void zero_lb1(struct bench *t)
{
    bench_dim(t, 1, 0);
}
static void odd_columns(struct bench *t)
{
    bench_dim(t, 2, 5);
}
static void few_columns(struct bench *t)
{
    bench_dim(t, 2, 2);
}
static void other_rows(struct bench *t)
{
    bench_dim(t, 1, 2);
}
static void nibbles(struct bench *t)
{
    t->b.data_type = ISA_DataType_S4X2;
}
static void shared(struct bench *t)
{
    t->b.nios = 1;
}
static void not_last(struct bench *t)
{
    t->b.iot[0].last = false;
}
static void free_source(struct bench *t)
{
    t->b.iot[0].source[0] = 9;
}
static void other_mask(struct bench *t)
{
    t->b.iot[0].mask = PE1;
}
static void rounding(struct bench *t)
{
    t->b.datr = (struct bundle_datr){.present = true, .rmode = 1};
}
static void surplus(struct bench *t)
{
    bench_ior(t, 1, 0, 0, 0, 0);
}
static void undefined(struct bench *t)
{
    t->s.tiles->local[8].pe[0].defined = TILE_UNDEFINED;
}
static void short_index(struct bench *t)
{
    t->s.tiles->local[8].info.dtype = S16;
}
static void float_index(struct bench *t)
{
    t->s.tiles->local[8].info.dtype = ISA_DataType_FP32;
}
static void large(struct bench *t)
{
    bench_dim(t, 2, 64);
}
static void misaligned(struct bench *t)
{
    bench_place(t, 8, 0, 0, 3, 2);
}
static void beyond(struct bench *t)
{
    bench_place(t, 8, 0, 0, 3, BENCH_MEMORY - 0x100);
}

static void test_gather_refuses(void **state)
{
    static const struct refusal rows[] = {
        {"B.IOR is missing", FAULT_TILE_LEGALITY, no_ior},
        {"LB0 is missing", FAULT_TILE_LEGALITY, no_lb0},
        {"LB1 is 0", FAULT_TILE_LEGALITY, zero_lb1},
        {"5 physical columns for 4", FAULT_TILE_LEGALITY, odd_columns},
        {"2 physical columns for 4", FAULT_TILE_LEGALITY, few_columns},
        {"is 1 x 4, LB1 x LB0 is 2 x 4", FAULT_TILE_LEGALITY, other_rows},
        {"has no byte address", FAULT_TILE_LEGALITY, nibbles},
        {"takes no B.IOS", FAULT_TILE_LEGALITY, shared},
        {"lacks `last`", FAULT_TILE_LEGALITY, not_last},
        {"is not allocated", FAULT_TILE_LEGALITY, free_source},
        {"no fragment in PE1", FAULT_TILE_LEGALITY, other_mask},
        {"RMode is 1", FAULT_TILE_LEGALITY, rounding},
        {"B.IOR source 2 is R6", FAULT_TILE_LEGALITY, surplus},
        {"element (0, 0)", FAULT_TILE_LEGALITY, undefined},
        {"is S16, the types are S32", FAULT_TILE_LEGALITY, short_index},
        {"is FP32, the types are S32", FAULT_TILE_LEGALITY, float_index},
        {"64 physical columns", FAULT_TILE_ALLOCATION, large},
        {"load of 4 bytes at 0x102", FAULT_ALIGNMENT, misaligned},
        {"load of 4 bytes at 0x1000", FAULT_PAGE, beyond},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_with_index(&t, S32, PE0);
        start_gather(&t, PE0);
        rows[i].change(&t);
        bench_faults(&t, rows[i].kind, rows[i].text);
        bench_close(&t);
    }
}

/* The neighbours of the refused ones. */
static void test_gather_accepts(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0);
    bench_place(&t, 8, 0, 0, 3, BENCH_MEMORY - 0x100 - 4); /* the last word */
    start_gather(&t, PE0);
    bench_dim(&t, 1, 1);
    bench_dim(&t, 2, 32); /* one row of 128 bytes */
    bench_runs(&t);
    assert_int_equal(t.s.tiles->local[0].info.rows, 1);
    bench_close(&t);
}

static void test_model_takes_short_indices(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S16, PE0);
    t.s.options.profile = SIM_PROFILE_PTO_V0;
    start_gather(&t, PE0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 0), 107);
    bench_close(&t);
}

static void make_predicate(struct bench *t, unsigned slot, uint8_t bits)
{
    struct tile *tile = bench_tile(t, slot, U8, SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 0);
    tile->info.storage = TILE_PREDICATE;
    tile->pe[0].bytes[0] = bits;
}

static void test_mask_suppresses_lanes(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0);
    bench_place(&t, 8, 0, 0, 1, 0x7fffffff); /* no address: its lane is off */
    make_predicate(&t, 9, 0xd);
    bench_start(&t, "MGATHER_MASK", U32);
    bench_iot(&t, 8, 9, PE0, 0, 1);
    shape_and_base(&t);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 0), 107);
    assert_int_equal(bench_element(&t, 0, 0, 0, 1), 0);
    assert_int_equal(bench_element(&t, 0, 0, 0, 2), 110);
    t.s.tiles->local[9].pe[0].bytes[0] = 0xf;
    bench_faults(&t, FAULT_ALIGNMENT, "0x800000ff");
    t.s.tiles->local[9].info.storage = TILE_NUMERIC;
    bench_faults(&t, FAULT_TILE_LEGALITY, "is not a predicate");
    bench_close(&t);
}

static void test_scatter(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0);
    bench_tile(&t, 10, U32, SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 50);
    bench_start(&t, "MSCATTER", U32);
    bench_iot(&t, 10, 8, PE0, 0, 0);
    shape_and_base(&t);
    bench_runs(&t);
    assert_int_equal(word_at(&t, 0xfc), 50);
    assert_int_equal(word_at(&t, 0x100), 53); /* displacement 0 comes twice */
    assert_int_equal(word_at(&t, 0x104), 109);
    assert_int_equal(word_at(&t, 0x108), 52);
    t.b.data_type = S32;
    bench_faults(&t, FAULT_TILE_LEGALITY, "is U32, the bundle's type is S32");
    t.b.data_type = U32;
    bench_dim(&t, 2, 8);
    bench_faults(&t, FAULT_TILE_LEGALITY, "4 physical columns, LB2 says 8");
    t.b.lb_present[2] = false;
    t.b.lb[2] = 0;
    bench_place(&t, 8, 0, 0, 3, BENCH_MEMORY); /* the last lane: the first ones store nothing */
    bench_faults(&t, FAULT_PAGE, "store of 4 bytes");
    bench_close(&t);
}

static void test_scatter_mask(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0);
    bench_tile(&t, 10, U32, SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 50);
    make_predicate(&t, 9, 0x6);
    bench_start(&t, "MSCATTER_MASK", U32);
    bench_iot(&t, 10, 8, PE0, 0, 0);
    bench_iot(&t, 9, -1, PE0, 0, 0);
    shape_and_base(&t);
    bench_runs(&t);
    assert_int_equal(word_at(&t, 0xfc), 107);
    assert_int_equal(word_at(&t, 0x100), 51);
    assert_int_equal(word_at(&t, 0x108), 52);
    bench_close(&t);
}

static void test_compare_and_swap(void **state)
{
    struct bench t;
    (void)state;
    open_with_index(&t, S32, PE0);
    bench_tile(&t, 11, U32, SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 107); /* expected 107..110 */
    bench_tile(&t, 12, U32, SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 110); /* replacement 110..113 */
    bench_place(&t, 11, 0, 0, 2, 0);
    bench_place(&t, 11, 0, 0, 3, 111);
    bench_start(&t, "MGATHER_CAS", U32);
    bench_iot(&t, 8, 11, PE0, 0, 0);
    bench_iot(&t, 12, -1, PE0, 0, 1);
    shape_and_base(&t);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, 0), 107);
    assert_int_equal(word_at(&t, 0xfc), 110);
    assert_int_equal(bench_element(&t, 0, 0, 0, 2), 110); /* was not the expected 0 */
    assert_int_equal(word_at(&t, 0x108), 110);
    assert_int_equal(bench_element(&t, 0, 0, 0, 1), 108);
    assert_int_equal(bench_element(&t, 0, 0, 0, 3), 111); /* what lane 1 stored */
    assert_int_equal(word_at(&t, 0x100), 113);
    t.s.tiles->local[12].info.dtype = S32;
    bench_faults(&t, FAULT_TILE_LEGALITY, "is S32, the bundle's type is U32");
    bench_close(&t);
}

static void start_prefetch(struct bench *t, unsigned dtype)
{
    bench_start(t, "TPREFETCH", dtype);
    bench_dim(t, 0, 4);
    bench_dim(t, 1, 2);
}

static void test_prefetch(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    start_prefetch(&t, U32);
    bench_runs(&t);
    /* Row 1 begins 1020 elements behind row 0 and ends with the memory; one more is too far. */
    bench_ior(&t, 0, 0, 0, 0, 0);
    bench_ior(&t, 1, 0, 0, 0, 1020);
    bench_runs(&t);
    bench_ior(&t, 1, 0, 0, 0, 1021);
    bench_faults(&t, FAULT_PAGE, "0x1000");
    bench_ior(&t, 1, 0, 0, 0, 0);
    bench_dim(&t, 2, 6);
    bench_faults(&t, FAULT_TILE_LEGALITY, "6 physical columns");
    start_prefetch(&t, ISA_DataType_FP64);
    bench_faults(&t, FAULT_TILE_LEGALITY, "at most 32 bits");
    start_prefetch(&t, U32);
    bench_iot(&t, -1, -1, PE0, 0, 1);
    bench_faults(&t, FAULT_TILE_LEGALITY, "takes no B.IOT");
    bench_close(&t);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_gather_pads),
        cmocka_unit_test(test_gather_refuses),
        cmocka_unit_test(test_gather_accepts),
        cmocka_unit_test(test_model_takes_short_indices),
        cmocka_unit_test(test_mask_suppresses_lanes),
        cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_scatter_mask),
        cmocka_unit_test(test_compare_and_swap),
        cmocka_unit_test(test_prefetch),
    };
    return cmocka_run_group_tests_name("tile-gather", tests, NULL, NULL);
}
