/* SPDX-License-Identifier: BSD-3-Clause */
/* TMOV and GMOV: what they copy, and every condition that stops them. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tests/sim/tile_bench.h"

enum { S32 = ISA_DataType_S32, SLOT_U1 = 16, SLOT_M1 = 32 };

/* 4 x 8 elements of S32 in 128 bytes, 3 x 5 of them valid, in T#1. */
static struct tile *source(struct bench *t)
{
    return bench_tile(t, 0, S32, SIM_ROW_MAJOR, 8, 3, 5, 128, SIM_ALL_PES, 100);
}

/* BSTART.GMOV S32; B.IOR peer; B.IOT T#1, mask, last, ->U<1> */
static void gmov(struct bench *t, uint8_t mask, uint64_t p0, uint64_t p1, uint64_t p2, uint64_t p3)
{
    bench_start(t, "GMOV", S32);
    bench_ior(t, 0, p0, p1, p2, p3);
    bench_iot(t, 0, -1, mask, 1, 1);
}

static void check_exchange(struct bench *t, uint8_t mask, const unsigned peers[SIM_PES])
{
    const struct tile *d = &t->s.tiles->local[SLOT_U1];
    assert_true(d->allocated);
    assert_int_equal(d->mask, mask);
    assert_int_equal(d->info.valid_rows, 3);
    assert_int_equal(d->info.valid_cols, 5);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(mask & pe_bit(pe))) {
            assert_null(d->pe[pe].bytes);
            continue;
        }
        assert_int_equal(d->pe[pe].defined, TILE_VALID_DEFINED);
        assert_int_equal(bench_element(t, SLOT_U1, pe, 2, 4), 100 + 1000 * peers[pe] + 20);
        assert_int_equal(bench_element(t, SLOT_U1, pe, 0, 0), 100 + 1000 * peers[pe]);
    }
}

static void test_gmov_exchanges(void **state)
{
    static const struct {
        uint8_t mask;
        unsigned peers[SIM_PES];
    } rows[] = {
        {15, {1, 2, 3, 0}}, {15, {0, 1, 2, 3}}, {15, {2, 2, 2, 2}}, {8, {3, 0, 0, 0}},
        {5, {1, 0, 3, 1}},  {12, {1, 0, 0, 0}}, {14, {3, 3, 0, 2}}, {1, {0, 0, 0, 2}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        const unsigned *p = rows[i].peers;
        bench_open(&t);
        source(&t);
        gmov(&t, rows[i].mask, p[0], p[1], p[2], p[3]);
        bench_runs(&t);
        check_exchange(&t, rows[i].mask, p);
        assert_int_equal(bench_element(&t, 0, 2, 0, 1), 100 + 2000 + 1); /* the source stays */
        bench_close(&t);
    }
}

static void test_gmov_without_scalar_reads_peer_zero(void **state)
{
    static const unsigned peers[SIM_PES] = {0, 0, 0, 0};
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t);
    bench_start(&t, "GMOV", S32);
    bench_iot(&t, 0, -1, SIM_ALL_PES, 1, 1);
    bench_runs(&t);
    check_exchange(&t, SIM_ALL_PES, peers);
    bench_close(&t);
}

static void test_gmov_copies_single_definedness(void **state)
{
    struct bench t;
    uint32_t row, col;
    (void)state;
    bench_open(&t);
    struct tile *d = source(&t);
    for (unsigned pe = 0; pe < SIM_PES; pe++) { /* one element outside the valid region */
        tile_fragment_use_bits(&t.s, &d->info, &d->pe[pe]);
        tile_fragment_mark(&d->pe[pe], 7, pe == 1);
    }
    gmov(&t, SIM_ALL_PES, 1, 0, 1, 0);
    bench_runs(&t);
    d = &t.s.tiles->local[SLOT_U1];
    assert_true(tile_contents_defined(&d->info, &d->pe[0], &row, &col));
    assert_true(tile_fragment_is_defined(&d->info, &d->pe[0], 0, 7));
    assert_false(tile_fragment_is_defined(&d->info, &d->pe[1], 0, 7));
    assert_false(tile_fragment_is_defined(&d->info, &d->pe[0], 3, 0));
    bench_close(&t);
}

static void test_gmov_mask_zero_is_a_no_op(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t); /* no source, a bad peer, a surplus dimension: nothing is looked at */
    bench_start(&t, "GMOV", S32);
    bench_ior(&t, 0, 77, 77, 77, 77);
    bench_dim(&t, 0, 1);
    t.b.zero_participation = true;
    bench_runs(&t);
    assert_int_equal(tile_pool_used(&t.s), 0);
    assert_int_equal(tile_bundle_needs(&t.b), 0);
    gmov(&t, 8, 0, 0, 0, 0);
    assert_int_equal(tile_bundle_needs(&t.b), SIM_ALL_PES);
    bench_close(&t);
}

/* ---- what GMOV refuses; each row changes one thing of a legal bundle ---- */

static void peer_four(struct bench *t)
{
    t->b.scalar[3][0] = 4; /* PE3 does not even write */
}
static void peer_negative(struct bench *t)
{
    t->b.scalar[0][0] = UINT64_MAX;
}
static void no_last(struct bench *t)
{
    t->b.iot[0].last = false;
}
static void partial_source(struct bench *t)
{
    t->s.tiles->local[0].mask = 14;
}
static void undefined_source(struct bench *t)
{
    t->s.tiles->local[0].pe[2].defined = TILE_UNDEFINED;
}
static void unallocated(struct bench *t)
{
    t->b.iot[0].source[0] = 7;
}
static void larger_destination(struct bench *t)
{
    t->b.iot[0].size_code = 2;
}
static void other_type(struct bench *t)
{
    t->b.data_type = ISA_DataType_U32;
}
static void wide_type(struct bench *t)
{
    t->b.data_type = t->s.tiles->local[0].info.dtype = ISA_DataType_S64;
}
static void other_layout(struct bench *t)
{
    bench_layout(t, ISA_TileLayout_ND2DN);
}
static void surplus_attribute(struct bench *t)
{
    bench_layout(t, ISA_TileLayout_NORM);
    t->b.datr.rmode = 1;
}
static void dimension(struct bench *t)
{
    bench_dim(t, 1, 3);
}
static void surplus_scalar(struct bench *t)
{
    bench_ior(t, 1, 0, 0, 0, 0);
}
static void scalar_result(struct bench *t)
{
    t->b.ior_destination = 2;
}
static void shared_operand(struct bench *t)
{
    t->b.nios = 1;
}
static void second_source(struct bench *t)
{
    t->b.iot[0].nsources = 2;
}
static void no_destination(struct bench *t)
{
    t->b.iot[0].has_destination = false;
}
static void matrix_source(struct bench *t)
{
    t->s.tiles->local[0].info.matrix = true;
}
static void full_hand(struct bench *t)
{
    for (unsigned i = 0; i < TILE_HAND_SLOTS; i++)
        bench_tile(t, SLOT_U1 + i, S32, SIM_ROW_MAJOR, 8, 1, 1, 128, 8, 0);
}

static void test_gmov_refuses(void **state)
{
    static const struct {
        void (*spoil)(struct bench *t);
        enum fault_kind kind;
        const char *text;
    } rows[] = {
        {peer_four, FAULT_TILE_LEGALITY, "peer_tid of PE3 is 4 (R5), it must be 0..3"},
        {peer_negative, FAULT_TILE_LEGALITY, "peer_tid of PE0 is 18446744073709551615"},
        {no_last, FAULT_TILE_LEGALITY, "lacks `last`"},
        {partial_source, FAULT_TILE_LEGALITY, "fragments in 3 of 4 PEs"},
        {undefined_source, FAULT_TILE_LEGALITY,
         "element (0, 0) of its 3 x 5 valid region is "
         "undefined in PE2"},
        {unallocated, FAULT_TILE_LEGALITY, "T#8, is not allocated"},
        {larger_destination, FAULT_TILE_LEGALITY, "256 bytes a PE (size code 2)"},
        {other_type, FAULT_TILE_LEGALITY, "the bundle's type is U32, the source's S32"},
        {wide_type, FAULT_TILE_LEGALITY, "wider than 32 bits"},
        {other_layout, FAULT_TILE_LEGALITY, "layout is ColumnMajor, the source's RowMajor"},
        {surplus_attribute, FAULT_TILE_LEGALITY, "B.DATR RMode is 1"},
        {dimension, FAULT_TILE_LEGALITY, "B.DIM LB1 is not taken"},
        {surplus_scalar, FAULT_TILE_LEGALITY, "B.IOR source 2 is R6"},
        {scalar_result, FAULT_TILE_LEGALITY, "B.IOR destination is R2"},
        {shared_operand, FAULT_TILE_LEGALITY, "no B.IOS"},
        {second_source, FAULT_TILE_LEGALITY, "binds 2 sources, the operation has 1"},
        {no_destination, FAULT_TILE_LEGALITY, "binds 0 destinations, the operation has 1"},
        {matrix_source, FAULT_TILE_LEGALITY, "is a Matrix tile"},
        {full_hand, FAULT_TILE_ALLOCATION, "all 16 tiles of hand U are allocated"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        source(&t);
        gmov(&t, 8, 0, 1, 2, 3);
        rows[i].spoil(&t);
        bench_faults(&t, rows[i].kind, rows[i].text);
        bench_close(&t);
    }
}

/* ---- TMOV ---- */

/* BSTART.TMOV S32; LB0=5 LB1=3 LB2=8; B.IOT T#1, mask=1111, last, ->M<1> */
static void tmov(struct bench *t)
{
    bench_start(t, "TMOV", S32);
    bench_dim(t, 0, 5);
    bench_dim(t, 1, 3);
    bench_dim(t, 2, 8);
    bench_iot(t, 0, -1, SIM_ALL_PES, 2, 1);
}

static void check_copy(struct bench *t)
{
    const struct tile *d = &t->s.tiles->local[SLOT_M1];
    assert_int_equal(d->info.rows, 4);
    assert_int_equal(d->info.cols, 8);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        assert_int_equal(bench_element(t, SLOT_M1, pe, 1, 2), 100 + 1000 * pe + 10);
        assert_int_equal(d->pe[pe].defined, TILE_VALID_DEFINED);
    }
}

static void test_tmov_copies(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        struct bench t;
        bench_open(&t);
        source(&t);
        tmov(&t);
        if (variant == 1) /* omitted dimensions are the source's */
            memset(t.b.lb, 0, sizeof t.b.lb);
        if (variant == 2) /* so is an omitted type */
            t.b.data_type = ISA_DataType_DTYPE_NONE;
        bench_runs(&t);
        check_copy(&t);
        bench_close(&t);
    }
}

static void test_tmov_takes_the_lowest_free_slot(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t);
    bench_tile(&t, SLOT_M1 + 1, S32, SIM_ROW_MAJOR, 8, 1, 1, 128, 8, 0);
    tmov(&t);
    bench_runs(&t); /* M#1 */
    bench_runs(&t); /* M#2 is taken */
    assert_true(t.s.tiles->local[SLOT_M1].allocated);
    assert_true(t.s.tiles->local[SLOT_M1 + 2].allocated);
    assert_false(t.s.tiles->local[SLOT_M1 + 3].allocated);
    bench_close(&t);
}

static void fewer_columns(struct bench *t)
{
    t->b.lb[0] = 4;
}
static void more_physical_columns(struct bench *t)
{
    t->b.lb[2] = 16;
}
static void odd_columns(struct bench *t)
{
    t->b.lb[2] = 6;
}
static void too_many_rows(struct bench *t)
{
    t->b.lb[1] = 5;
}
static void pad_attribute(struct bench *t)
{
    bench_layout(t, 0);
    t->b.datr.pad = SIM_PAD_MAX;
}
static void fixed_point(struct bench *t)
{
    t->b.fpatr.present = true;
}
static void fragment_missing(struct bench *t)
{
    tile_fragment_free(&t->s, &t->s.tiles->local[0].pe[3]);
}
static void full_pool(struct bench *t)
{
    bench_tile(t, 1, S32, SIM_ROW_MAJOR, 8, 1, 1, 65536 - 128, SIM_ALL_PES, 0);
}

static void test_tmov_refuses(void **state)
{
    static const struct {
        void (*spoil)(struct bench *t);
        enum fault_kind kind;
        const char *text;
    } rows[] = {
        {fewer_columns, FAULT_TILE_LEGALITY, "valid columns of the destination are 4"},
        {more_physical_columns, FAULT_TILE_ALLOCATION,
         "the valid region 3 x 5 exceeds the 2 x 16 elements of S32"},
        {odd_columns, FAULT_TILE_ALLOCATION, "6 physical columns of S32 give no row count"},
        {too_many_rows, FAULT_TILE_ALLOCATION, "5 x 5 exceeds the 4 x 8"},
        {other_type, FAULT_TILE_LEGALITY, "the destination's type is U32, the source's S32"},
        {other_layout, FAULT_TILE_LEGALITY, "this operation does not convert"},
        {pad_attribute, FAULT_TILE_LEGALITY, "B.DATR PadValueOrByteId is 1"},
        {fixed_point, FAULT_BUNDLE, "B.FPATR belongs to CUBE"},
        {undefined_source, FAULT_TILE_LEGALITY, "undefined in PE2"},
        {unallocated, FAULT_TILE_LEGALITY, "T#8, is not allocated"},
        {fragment_missing, FAULT_TILE_LEGALITY, "no fragment in PE3"},
        {second_source, FAULT_BUNDLE, "binds 2 sources"},
        {no_destination, FAULT_BUNDLE, "binds 0 destinations"},
        {no_last, FAULT_BUNDLE, "lacks `last`"},
        {full_pool, FAULT_TILE_ALLOCATION,
         "128 bytes in each of 4 PEs do not fit: 262144 of "
         "262144 bytes are in use"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        source(&t);
        tmov(&t);
        rows[i].spoil(&t);
        bench_faults(&t, rows[i].kind, rows[i].text);
        bench_close(&t);
    }
}

/* The pool counts a fragment a PE of the mask: what does not fit four PEs fits one. */
static void test_pool_counts_the_mask(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    source(&t);
    bench_tile(&t, 1, S32, SIM_ROW_MAJOR, 8, 1, 1, 65536 - 256, SIM_ALL_PES, 0);
    tmov(&t);
    bench_runs(&t); /* 512 bytes are left, and needed */
    assert_int_equal(tile_pool_used(&t.s), TILE_POOL_BYTES);
    bench_close(&t);
}

static void test_later_revision_names_by_age(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    t.s.target.pto = 1u << ISA_REV_0_58_5;
    for (unsigned i = 0; i < TILE_HAND_SLOTS; i++)
        bench_tile(&t, i, S32, SIM_ROW_MAJOR, 8, 1, 1, 128, 8, 50 * i);
    assert_int_equal(tile_source_slot(&t.s, 0), 15); /* T#1 is the newest */
    assert_int_equal(tile_source_slot(&t.s, 15), 0);
    assert_int_equal(tile_source_slot(&t.s, SLOT_U1), -1);
    assert_int_equal(tile_free_slot(&t.s, 0, 0), 0); /* the oldest retires */
    bench_start(&t, "TMOV", S32);
    bench_iot(&t, 0, -1, 8, 0, 1);
    bench_runs(&t);
    assert_int_equal(tile_source_slot(&t.s, 0), 0);
    assert_int_equal(tile_source_slot(&t.s, 15), 1);
    assert_int_equal(bench_element(&t, 0, 0, 0, 0), 50 * 15);
    bench_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gmov_exchanges),
        cmocka_unit_test(test_gmov_without_scalar_reads_peer_zero),
        cmocka_unit_test(test_gmov_copies_single_definedness),
        cmocka_unit_test(test_gmov_mask_zero_is_a_no_op),
        cmocka_unit_test(test_gmov_refuses),
        cmocka_unit_test(test_tmov_copies),
        cmocka_unit_test(test_tmov_takes_the_lowest_free_slot),
        cmocka_unit_test(test_tmov_refuses),
        cmocka_unit_test(test_pool_counts_the_mask),
        cmocka_unit_test(test_later_revision_names_by_age),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
