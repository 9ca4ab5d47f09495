/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUBE operations in the default profile: what the published numeric vectors
 * say (pto-isa-0583-hardware-numeric-vectors.json, groups matrix and
 * matrix_postprocess), the order of the sums, and each rule on both sides.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "sim/float.h"
#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

#define T(name)    ISA_DataType_##name
#define MODE(name) ISA_PreQuantMode_##name

enum {
    HAND_N = 3,
    N_1 = 48, /* slot of N#1: the first result */
    PE0 = 8,
    ALL = SIM_ALL_PES,
    KIB = 1024,
    KIB_CODE = 4, /* size code of 1 KiB */
    STATUS = 32,
    NV = FLOAT_INVALID,
    OF = FLOAT_OVERFLOW,
    NX = FLOAT_INEXACT,
};

/* Slots of operands. */
enum { A = 16, B, C, A_SCALE, B_SCALE, BIAS, ROW_MAX, QUANT, RELU, C_SCALE };

static uint32_t fp32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float as_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static void fill_fp32(struct bench *t, unsigned slot, const float *values)
{
    const struct tile_info *info = &t->s.tiles->local[slot].info;
    for (uint32_t r = 0; r < info->valid_rows; r++)
        for (uint32_t c = 0; c < info->valid_cols; c++)
            bench_place_everywhere(t, slot, r, c, fp32(*values++));
}

/* M x K times K x N, with an all-zero B.FPATR; sources and destination are not bound yet. */
static void start(struct bench *t, const char *name, unsigned dtype, uint32_t m, uint32_t n,
                  uint32_t k)
{
    bench_start(t, name, dtype);
    t->b.klass = BUNDLE_MATRIX;
    t->b.fpatr.present = true;
    bench_dim(t, 0, m);
    bench_dim(t, 1, n);
    bench_dim(t, 2, k);
}

static void datr(struct bench *t, unsigned dtype, unsigned rmode, bool sat)
{
    t->b.datr = (struct bundle_datr){
        .present = true, .data_type = (uint8_t)dtype, .rmode = (uint8_t)rmode, .sat = sat};
}

static void bind(struct bench *t, int source0, int source1, uint8_t mask)
{
    bench_iot(t, source0, source1, mask, 0, 0);
}

static void bind_result(struct bench *t, int source0, int source1, uint8_t mask)
{
    bench_iot(t, source0, source1, mask, HAND_N, KIB_CODE);
}

static void forget_result(struct bench *t, unsigned slot)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        tile_fragment_free(&t->s, &t->s.tiles->local[slot].pe[pe]);
    t->s.tiles->local[slot].allocated = false;
}

/* ---- published vectors ---- */

static const float left_2x2[] = {1, 2, 3, 4}, right_2x2[] = {5, 6, 7, 8};

static void open_2x2(struct bench *t)
{
    bench_open(t);
    bench_shape_tile(t, A, T(FP32), SIM_CUBE_M16, 2, 2, ALL);
    bench_shape_tile(t, B, T(FP32), SIM_CUBE_N8, 2, 2, ALL);
    fill_fp32(t, A, left_2x2);
    fill_fp32(t, B, right_2x2);
}

static void expect_fp32(struct bench *t, unsigned slot, uint32_t cols, const float *values,
                        size_t count)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(bench_element(t, slot, pe, i / cols, i % cols), fp32(values[i]));
}

static void test_product(void **state)
{
    static const float product[] = {19, 22, 43, 50};
    struct bench t;
    (void)state;
    open_2x2(&t);
    start(&t, "TMATMUL", T(FP32), 2, 2, 2);
    bind_result(&t, A, B, ALL);
    bench_runs(&t);
    expect_fp32(&t, N_1, 2, product, 4);
    const struct tile_info *info = &t.s.tiles->local[N_1].info;
    assert_int_equal(info->layout, SIM_CUBE_M16);
    assert_int_equal(info->dtype, T(FP32));
    assert_true(info->matrix);
    assert_int_equal(t.s.tiles->local[N_1].pe[0].defined, TILE_VALID_DEFINED);
    bench_close(&t);
}

static void test_bias_and_accumulator(void **state)
{
    static const float bias[] = {1, -2}, sums[] = {20, 20, 44, 48};
    static const float prior[] = {10, 20, 0, 0}, added[] = {29, 42, 43, 50};
    struct bench t;
    (void)state;
    open_2x2(&t);
    bench_shape_tile(&t, BIAS, T(FP32), SIM_ROW_MAJOR, 1, 2, ALL);
    fill_fp32(&t, BIAS, bias);
    start(&t, "TMATMUL_BIAS", T(FP32), 2, 2, 2);
    bind(&t, A, B, ALL);
    bind_result(&t, BIAS, -1, ALL);
    bench_runs(&t);
    expect_fp32(&t, N_1, 2, sums, 4);
    bench_shape_tile(&t, C, T(FP32), SIM_CUBE_M16, 2, 2, ALL);
    fill_fp32(&t, C, prior);
    start(&t, "TMATMUL_ACC", T(FP32), 2, 2, 2);
    bind(&t, C, A, ALL);
    bench_iot(&t, B, -1, ALL, HAND_N, 7); /* 8 KiB as C */
    bench_runs(&t);
    expect_fp32(&t, N_1 + 1, 2, added, 4);
    expect_fp32(&t, C, 2, prior, 4);
    bench_close(&t);
}

/* 1 x 33 of ones, the last of which is in a second block: 32 + 2 * 4. */
static void open_mx(struct bench *t, unsigned a_scale1, unsigned b_scale1)
{
    enum { E4M3_ONE = 0x38, E5M2_ONE = 0x3c, UNIT = 0x7f };
    bench_open(t);
    bench_shape_tile(t, A, T(E4M3), SIM_CUBE_M16, 1, 33, ALL);
    bench_shape_tile(t, B, T(E5M2), SIM_CUBE_N8, 33, 1, ALL);
    bench_shape_tile(t, A_SCALE, T(E8M0), SIM_ROW_MAJOR, 1, 2, ALL);
    bench_shape_tile(t, B_SCALE, T(E8M0), SIM_ROW_MAJOR, 2, 1, ALL);
    for (uint32_t k = 0; k < 33; k++) {
        bench_place_everywhere(t, A, 0, k, E4M3_ONE);
        bench_place_everywhere(t, B, k, 0, E5M2_ONE);
    }
    bench_place_everywhere(t, A_SCALE, 0, 0, UNIT);
    bench_place_everywhere(t, A_SCALE, 0, 1, a_scale1);
    bench_place_everywhere(t, B_SCALE, 0, 0, UNIT);
    bench_place_everywhere(t, B_SCALE, 1, 0, b_scale1);
}

static float run_mx(struct bench *t, const char *name, int first, int last)
{
    start(t, name, T(E4M3), 1, 1, 33);
    datr(t, T(E5M2), 0, false);
    if (first >= 0)
        bind(t, first, -1, ALL);
    bind(t, A, A_SCALE, ALL);
    bind(t, B, B_SCALE, ALL);
    bench_iot(t, last, -1, ALL, HAND_N, 7);
    bench_runs(t);
    float result = as_float(bench_element(t, N_1, 3, 0, 0));
    forget_result(t, N_1);
    return result;
}

static void test_block_scales(void **state)
{
    static const float prior = 3, bias = 2;
    struct bench t;
    (void)state;
    open_mx(&t, 0x80, 0x81);
    bench_shape_tile(&t, C, T(FP32), SIM_CUBE_M16, 1, 1, ALL);
    bench_shape_tile(&t, BIAS, T(FP32), SIM_ROW_MAJOR, 1, 1, ALL);
    fill_fp32(&t, C, &prior);
    fill_fp32(&t, BIAS, &bias);
    assert_true(run_mx(&t, "TMATMUL_MX", -1, -1) == 40);
    assert_true(run_mx(&t, "TGEMV_MX", -1, -1) == 40);
    assert_true(run_mx(&t, "TMATMUL_MX_BIAS", -1, BIAS) == 42);
    assert_true(run_mx(&t, "TMATMUL_MX_ACC", C, -1) == 43);
    bench_close(&t);
    /* 2^127 times 448 has no place in FP32, but times 2^-127 the product has. */
    open_mx(&t, 0xfe, 0);
    bench_place_everywhere(&t, A, 0, 32, 0x7e);
    assert_true(run_mx(&t, "TMATMUL_MX", -1, -1) == 480);
    bench_close(&t);
    open_mx(&t, 0x7f, 0xff);
    float nan = run_mx(&t, "TMATMUL_MX", -1, -1);
    assert_int_equal(fp32(nan), 0x7fc00000);
    bench_close(&t);
}

/* ---- B.FPATR ---- */

struct post_case {
    unsigned mode, relu;
    bool sat, floating; /* FP32 accumulators: `input` is their bits */
    uint32_t input;
    uint64_t quant, relu_word;
    uint64_t expected;
    unsigned flags;
    unsigned rmode;
};

#define FP19(exponent, fraction) (((uint64_t)(127 + (exponent)) << 10 | (fraction)))
#define SCALE(exponent, offset)  (FP19(exponent, 0) << 13 | ((uint64_t)(offset) << 37))

/* The first eight are the published ones; the rest is by hand from the ASL. */
static const struct post_case post_cases[] = {
    {MODE(REQ8), 0, false, false, 3, SCALE(1, 0x1ff), 0, 0x05, 0, 0},
    {MODE(REQ8), 0, false, false, 70, SCALE(1, 0), 0, 0x8c, OF | NX, 0},
    {MODE(REQ8), 0, true, false, 70, SCALE(1, 0), 0, 0x7f, OF | NX, 0},
    {MODE(QF322FP8_PRE), 0, false, true, 0x3fc00000, SCALE(0, 0), 0, 0x3c, 0, 0},
    {MODE(QF322HIF8_PRE), 0, false, true, 0x3fc00000, SCALE(0, 0), 0, 0x0c, 0, 0},
    {MODE(QF322B8_PRE), 2, false, true, 0xc0800000, SCALE(0, 0), FP19(-1, 0), 0xfe, 0, 0},
    {MODE(QF322B8_PRE), 0, false, true, 0x7fc00000, SCALE(0, 0), 0, 0x80, NV, 0},
    {MODE(QF322B8_PRE), 0, true, true, 0x7fc00000, SCALE(0, 0), 0, 0x00, NV, 0},
    /* rounding before the offset; to nearest even, and by RMode */
    {MODE(QF322B8_PRE), 0, false, true, 0x40200000, SCALE(0, 1), 0, 0x03, NX, 0},
    {MODE(QF322B8_PRE), 0, false, true, 0x40200000, SCALE(0, 1), 0, 0x04, NX, 4},
    {MODE(QF322B8_PRE), 0, false, true, 0xc0200000, SCALE(0, 0), 0, 0xfe, NX, 7},
    /* clamped to nine bits, then to eight or wrapped */
    {MODE(REQ8), 0, true, false, 0xfffffc00, SCALE(0, 0), 0, 0x80, OF | NX, 0},
    {MODE(REQ8), 0, false, false, 1024, SCALE(0, 0), 0, 0xff, OF | NX, 0},
    {MODE(REQ4), 0, true, false, 9, SCALE(0, 0x1f), 0, 0x7, OF | NX, 0},
    {MODE(REQ4), 0, false, false, 0xfffffff8, SCALE(0, 0), 0, 0x8, 0, 0},
    {MODE(DEQS16), 0, false, false, 1000, SCALE(2, 0x1ffff), 0, 3999, 0, 0},
    /* shifts: the word zero is a shift of one; clamped, never rounded */
    {MODE(SHIFTS322S16), 1, false, false, 0xfffffffd, 0, 0, 0xfffe, 0, 0},
    {MODE(SHIFTS322S16), 0, false, false, 0x7fffffff, UINT64_C(15) << 32, 0, 0x7fff, 0, 0},
    {MODE(SHIFTS322S16), 0, false, false, 0x7fffffff, 0, 0, 0x7fff, OF | NX, 0},
    {MODE(SHIFTS322S16), 0, false, false, 0x80000000, 0, 0, 0x8000, OF | NX, 0},
    /* to FP16 and BF16 */
    {MODE(DEQF16), 0, false, false, 3, SCALE(-1, 0), 0, 0x3e00, 0, 0},
    {MODE(F322F16), 0, false, true, 0x477fe000, 0, 0, 0x7bff, 0, 0},
    {MODE(F322F16), 0, false, true, 0x477ff000, 0, 0, 0x7c00, OF | NX, 0},
    {MODE(F322F16), 0, true, true, 0x477ff000, 0, 0, 0x7bff, OF | NX, 0},
    {MODE(F322F16), 1, false, true, 0xc0000000, 0, 0, 0, 0, 0},
    {MODE(F322F16), 1, false, true, 0xff800000, 0, 0, 0, 0, 0},
    {MODE(F322F16), 0, false, true, 0x80000000, 0, 0, 0x8000, 0, 0},
    {MODE(F322F16), 1, false, true, 0x80000000, 0, 0, 0, 0, 0},
    {MODE(F322BF16), 0, false, true, 0x3f808000, 0, 0, 0x3f80, NX, 0},
    {MODE(F322BF16), 0, false, true, 0x3f818000, 0, 0, 0x3f82, NX, 0},
    {MODE(QS322BF16_PRE), 0, false, false, 257, SCALE(0, 0), 0, 0x4380, NX, 0},
    {MODE(QS322BF16_PRE), 0, false, false, 257, SCALE(0, 0), 0, 0x4381, NX, 4},
    /* 8-bit floats overflow before they round; HiF8 ties go up */
    {MODE(QF322FP8_PRE), 0, false, true, 0x43e00000, SCALE(0, 0), 0, 0x7e, 0, 0},
    {MODE(QF322FP8_PRE), 0, false, true, 0x43e00001, SCALE(0, 0), 0, 0x7f, OF | NX, 0},
    {MODE(QF322FP8_PRE), 0, true, true, 0xc3e00001, SCALE(0, 0), 0, 0xfe, OF | NX, 0},
    {MODE(QF322FP8_PRE), 0, false, true, 0x80000001, SCALE(0, 0), 0, 0, FLOAT_UNDERFLOW | NX, 0},
    {MODE(QF322HIF8_PRE), 0, false, true, 0x3f880000, SCALE(0, 0), 0, 0x09, NX, 0},
    {MODE(QF322HIF8_PRE), 0, false, true, 0xbf880000, SCALE(0, 0), 0, 0x88, NX, 0},
    {MODE(QF322HIF8_PRE), 0, false, true, 0x47000001, SCALE(0, 0), 0, 0x6f, OF | NX, 0},
    /* FP32 and the accumulator's own type */
    {MODE(QF322F32_PRE), 0, false, true, 0x7f000000, SCALE(1, 0), 0, 0x7f800000, OF | NX, 2},
    {MODE(QF322F32_PRE), 0, true, true, 0x7f000000, SCALE(1, 0), 0, 0x7f7fffff, OF | NX, 0},
    {MODE(NoQuant), 1, false, true, 0xc0000000, 0, 0, 0, 0, 0},
    {MODE(NoQuant), 1, false, false, 0xfffffffe, 0, 0, 0, 0, 0},
    {MODE(NoQuant), 2, false, false, 0xfffffffd, 0, FP19(-1, 0), 0xfffffffe, NX, 0},
    {MODE(NoQuant), 2, false, false, 5, 0, FP19(-1, 0), 5, 0, 0},
};

/* 1 x 1 x 1: the input times one, or added to nothing. */
static void test_post(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof post_cases / sizeof *post_cases; i++) {
        const struct post_case *p = &post_cases[i];
        struct bench t;
        bench_open(&t);
        unsigned in = p->floating ? T(FP32) : T(S16);
        bench_shape_tile(&t, C, p->floating ? T(FP32) : T(S32), SIM_CUBE_M16, 1, 1, PE0);
        bench_shape_tile(&t, A, in, SIM_CUBE_M16, 1, 1, PE0);
        bench_shape_tile(&t, B, in, SIM_CUBE_N8, 1, 1, PE0);
        bench_place(&t, C, 0, 0, 0, p->floating ? 0x80000000 : p->input);
        bench_place(&t, A, 0, 0, 0, p->floating ? p->input : 0);
        bench_place(&t, B, 0, 0, 0, p->floating ? 0x3f800000 : 0);
        start(&t, "TMATMUL_ACC", in, 1, 1, 1);
        t.b.fpatr.pre_quant_mode = (uint8_t)p->mode;
        t.b.fpatr.relu_mode = (uint8_t)p->relu;
        if (p->sat || p->rmode)
            datr(&t, in, p->rmode, p->sat);
        unsigned slot = 0;
        if (p->quant)
            bench_ior(&t, slot++, p->quant, 0, 0, 0);
        if (p->relu == ISA_ReluMode_LReLU)
            bench_ior(&t, slot, p->relu_word, 0, 0, 0);
        bind(&t, C, A, PE0);
        bench_iot(&t, B, -1, PE0, HAND_N, 7);
        bench_runs(&t);
        uint64_t got = bench_element(&t, N_1, 0, 0, 0);
        unsigned flags = (unsigned)(t.s.pes[0].core_state >> STATUS);
        if (got != p->expected || flags != p->flags)
            fail_msg("case %zu (mode %u): 0x%llx flags 0x%x, expected 0x%llx flags 0x%x", i,
                     p->mode, (unsigned long long)got, flags, (unsigned long long)p->expected,
                     p->flags);
        bench_close(&t);
    }
}

/* CScaleEn of 0.58.5: 2 x 1 of C times 2^-e, e of each row in a U8 tile; the product adds nothing.
 */
static void start_c_scale(struct bench *t, const char *op, const uint32_t c[2],
                          unsigned exponents[2])
{
    bench_open(t);
    bench_shape_tile(t, A, T(FP16), SIM_CUBE_M16, 2, 1, ALL);
    bench_shape_tile(t, B, T(FP16), SIM_CUBE_N8, 1, 1, ALL);
    bench_shape_tile(t, C, T(FP32), SIM_CUBE_M16, 2, 1, ALL);
    bench_shape_tile(t, C_SCALE, T(U8), SIM_CUBE_M32, 2, 1, ALL);
    for (uint32_t row = 0; row < 2; row++) {
        bench_place_everywhere(t, A, row, 0, 0x8000); /* -0 times 1 keeps even a -0 of C */
        bench_place_everywhere(t, C, row, 0, c[row]);
        bench_place_everywhere(t, C_SCALE, row, 0, exponents[row]);
    }
    bench_place_everywhere(t, B, 0, 0, 0x3c00);
    start(t, op, T(FP16), 2, 1, 1);
    t->b.fpatr.c_scale_en = true;
    bind(t, C, A, ALL);
    bench_iot(t, B, C_SCALE, ALL, HAND_N, 7);
}

static void test_c_scale(void **state)
{
    static struct {
        uint32_t c[2];
        unsigned exponents[2];
        uint32_t expected[2];
        unsigned flags;
    } cases[] = {
        {{0x40800000, 0x41000000}, {1, 2}, {0x40000000, 0x40000000}, 0},
        {{0x3f800000, 0xbf800000}, {0, 149}, {0x3f800000, 0x80000001}, 0},
        {{0x00800000, 0x00c00000}, {24, 24}, {0, 1}, FLOAT_UNDERFLOW | NX}, /* halves, to even */
        {{0x7f800000, 0x7fc00000}, {255, 255}, {0x7f800000, 0x7fc00000}, 0},
        {{0x7f7fffff, 0x80000000}, {255, 255}, {0x00400000, 0x80000000}, FLOAT_UNDERFLOW | NX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bench t;
        start_c_scale(&t, "TMATMUL_ACC", cases[i].c, cases[i].exponents);
        bench_runs(&t);
        for (uint32_t row = 0; row < 2; row++)
            assert_int_equal(bench_element(&t, N_1, 2, row, 0), cases[i].expected[row]);
        assert_int_equal(t.s.pes[2].core_state >> STATUS, cases[i].flags);
        bench_close(&t);
    }
}

static void test_c_scale_rules(void **state)
{
    static const uint32_t c[] = {0x40800000, 0x41000000};
    static unsigned exponents[] = {1, 2};
    struct bench t;
    (void)state;
    start_c_scale(&t, "TMATMUL_ACC", c, exponents);
    t.s.tiles->local[C_SCALE].info.valid_rows = 1;
    bench_faults(&t, FAULT_TILE_LEGALITY,
                 "the scale tile of the accumulator U#10 is 1 x 1 of U8, it must be 2 x 1 of U8");
    t.s.tiles->local[C_SCALE].info.valid_rows = 2;
    tile_info_set_layout(&t.s.tiles->local[C_SCALE].info, SIM_CUBE_M16);
    bench_faults(&t, FAULT_TILE_LEGALITY, "is CUBE_M16, it must be CUBE_M32");
    tile_info_set_layout(&t.s.tiles->local[C_SCALE].info, SIM_CUBE_M32);
    t.b.iot[1].nsources = 1;
    bench_faults(&t, FAULT_TILE_LEGALITY,
                 "B.IOT binds 3 sources; the types, B.IOS and B.FPATR ask for 4");
    t.b.iot[1].nsources = 2;
    t.b.fpatr.c_scale_en = false;
    bench_faults(&t, FAULT_TILE_LEGALITY, "B.IOT binds 4 sources");
    t.b.fpatr.c_scale_en = true;
    t.s.tiles->local[HAND_N] = t.s.tiles->local[C_SCALE];
    t.s.tiles->local[C_SCALE] = (struct tile){0};
    t.b.iot[1].source[1] = HAND_N;
    bench_faults(&t, FAULT_TILE_LEGALITY,
                 "the code 3 of the accumulator's scale tile is a destination hand's");
    t.b.op = isa_find_tileop("TMATMUL", strlen("TMATMUL"));
    bench_faults(&t, FAULT_TILE_LEGALITY, "B.FPATR CScaleEn scales the accumulator of TMATMUL.ACC");
    t.b.op = isa_find_tileop("TGEMV_ACC", strlen("TGEMV_ACC"));
    bench_faults(&t, FAULT_TILE_LEGALITY, "B.FPATR CScaleEn scales");
    t.b.op = isa_find_tileop("TMATMUL_ACC", strlen("TMATMUL_ACC"));
    t.b.data_type = T(S8);
    bench_faults(&t, FAULT_TILE_LEGALITY, "in FP32 only");
    bench_close(&t);
}

static void test_column_words(void **state)
{
    static const float values[] = {4, -4}, one = 1;
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_shape_tile(&t, A, T(FP32), SIM_CUBE_M16, 1, 1, ALL);
    bench_shape_tile(&t, B, T(FP32), SIM_CUBE_N8, 1, 2, ALL);
    bench_shape_tile(&t, QUANT, T(U64), SIM_ROW_MAJOR, 1, 2, ALL);
    bench_shape_tile(&t, RELU, T(U64), SIM_ROW_MAJOR, 1, 2, ALL);
    fill_fp32(&t, A, &one);
    fill_fp32(&t, B, values);
    bench_place_everywhere(&t, QUANT, 0, 0, SCALE(1, 3));
    bench_place_everywhere(&t, QUANT, 0, 1, SCALE(2, 0x1ff));
    bench_place_everywhere(&t, RELU, 0, 0, FP19(0, 0));
    bench_place_everywhere(&t, RELU, 0, 1, FP19(-2, 0));
    start(&t, "TMATMUL", T(FP32), 1, 2, 1);
    t.b.fpatr.pre_quant_mode = MODE(VQF322B8_PRE);
    t.b.fpatr.relu_mode = ISA_ReluMode_PReLU;
    bind(&t, A, B, ALL);
    bind_result(&t, QUANT, RELU, ALL);
    bench_runs(&t);
    assert_int_equal(t.s.tiles->local[N_1].info.dtype, T(S8));
    assert_int_equal(bench_element(&t, N_1, 2, 0, 0), 11);   /* 4 * 2 + 3 */
    assert_int_equal(bench_element(&t, N_1, 2, 0, 1), 0xfe); /* -4 / 4 - 1 */
    bench_close(&t);
}

/* One row of 18 columns: 0, -1, 2, -3 … -17; maxima of it and of groups of 8. */
static void run_maxima(struct bench *t, bool absolute, int row_max)
{
    start(t, "TMATMUL", T(S8), 1, 18, 1);
    t->b.fpatr.row_max_en = t->b.fpatr.group_max_en = true;
    t->b.fpatr.max_abs_en = absolute;
    t->b.fpatr.row_max_init = row_max >= 0;
    t->b.fpatr.group_n_code = ISA_GroupNCode_N8;
    bind(t, A, B, ALL);
    bench_iot(t, row_max, -1, ALL, HAND_N, KIB_CODE + 1);
    bench_iot(t, -1, -1, ALL, HAND_N, 1);
    bench_iot(t, -1, -1, ALL, HAND_N, 1);
}

static void test_maxima(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_shape_tile(&t, A, T(S8), SIM_CUBE_M16, 1, 1, ALL);
    bench_shape_tile(&t, B, T(S8), SIM_CUBE_N8, 1, 18, ALL);
    bench_shape_tile(&t, ROW_MAX, T(S32), SIM_ROW_MAJOR, 1, 1, ALL);
    bench_place_everywhere(&t, A, 0, 0, 1);
    for (uint32_t c = 0; c < 18; c++)
        bench_place_everywhere(&t, B, 0, c, c % 2 ? 256 - c : c);
    bench_place_everywhere(&t, ROW_MAX, 0, 0, 0x80000000);
    run_maxima(&t, false, -1);
    t.b.lb[1] = 18;
    /* three groups have no power of two as columns */
    bench_faults(&t, FAULT_TILE_ALLOCATION, "3 physical columns of S32");
    bench_shape_tile(&t, B, T(S8), SIM_CUBE_N8, 1, 16, ALL);
    for (uint32_t c = 0; c < 16; c++)
        bench_place_everywhere(&t, B, 0, c, c % 2 ? 256 - c : c);
    run_maxima(&t, false, -1);
    t.b.lb[1] = 16;
    bench_runs(&t);
    assert_int_equal(bench_element(&t, N_1 + 1, 1, 0, 0), 14);
    assert_int_equal(bench_element(&t, N_1 + 2, 1, 0, 0), 6);
    assert_int_equal(bench_element(&t, N_1 + 2, 1, 0, 1), 14);
    run_maxima(&t, true, ROW_MAX);
    t.b.lb[1] = 16;
    bench_runs(&t);
    assert_int_equal(bench_element(&t, N_1 + 4, 1, 0, 0), 0x7fffffff); /* |-2^31| */
    assert_true(t.s.pes[1].core_state >> STATUS & OF);
    assert_int_equal(bench_element(&t, N_1 + 5, 1, 0, 0), 7);
    assert_int_equal(bench_element(&t, N_1 + 5, 1, 0, 1), 15);
    bench_close(&t);
}

/* ---- order and rounding of long sums ---- */

static uint32_t seed = 12345;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Multiples of 2^-8 below 128: their products, and sums of those with any FP32 number up to 2^20,
 * are exact in FP64, so that one conversion is the one rounding. */
static float draw_input(void)
{
    return (float)((int)(draw() % 65535) - 32767) / 256;
}

static void test_sums(void **state)
{
    enum { M = 5, N = 37, K = 75 };
    static float a[SIM_PES][M][K], b[SIM_PES][K][N];
    struct bench t;
    (void)state;
    bench_open(&t);
    struct tile *left = bench_shape_tile(&t, A, T(FP32), SIM_CUBE_M16, M, K, ALL);
    assert_int_equal(left->info.valid_cols, K);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        struct tile *right = &t.s.tiles->local[B];
        if (!pe) {
            struct tile tile = {.mask = ALL};
            uint64_t needed;
            tile.info = (struct tile_info){
                .dtype = T(FP32), .valid_rows = K, .valid_cols = N, .capacity = 16 * KIB};
            tile_info_set_layout(&tile.info, SIM_CUBE_N8);
            assert_true(tile_info_set_cube(&tile.info, &needed));
            for (unsigned i = 0; i < SIM_PES; i++) {
                tile_fragment_create(&t.s, &tile.pe[i], tile.info.capacity);
                tile.pe[i].defined = TILE_VALID_DEFINED;
            }
            tile_attach(&t.s, B, &tile);
        }
        assert_int_equal(right->info.valid_rows, K);
        for (unsigned k = 0; k < K; k++) {
            for (unsigned m = 0; m < M; m++)
                bench_place(&t, A, pe, m, k, fp32(a[pe][m][k] = draw_input()));
            for (unsigned n = 0; n < N; n++)
                bench_place(&t, B, pe, k, n, fp32(b[pe][k][n] = draw_input()));
        }
    }
    start(&t, "TMATMUL", T(FP32), M, N, K);
    bench_iot(&t, A, B, ALL, HAND_N, 6);
    bench_runs(&t);
    bool differs = false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        for (unsigned m = 0; m < M; m++)
            for (unsigned n = 0; n < N; n++) {
                float sum = 0, backwards = 0;
                for (unsigned k = 0; k < K; k++) {
                    sum = (float)((double)a[pe][m][k] * (double)b[pe][k][n] + (double)sum);
                    unsigned j = K - 1 - k;
                    backwards =
                        (float)((double)a[pe][m][j] * (double)b[pe][j][n] + (double)backwards);
                }
                assert_int_equal(bench_element(&t, N_1, pe, m, n), fp32(sum));
                differs |= fp32(sum) != fp32(backwards);
            }
    assert_true(differs); /* the order shows */
    bench_close(&t);
}

/* Every class and width: the product of two elements, whose values the table has. */
static void test_types(void **state)
{
    static const struct {
        unsigned left, right;
        uint32_t a, b, product;
    } rows[] = {
        {T(TF32), T(HF32), 0x3f802fff, 0x40001fff, 0x40003004}, /* carriers' low bits are ignored */
        {T(FP16), T(BF16), 0x3e00, 0xc040, 0xc0900000},
        {T(HiF8), T(E3M2), 0x0c, 0x0d, 0x3ff00000},
        {T(E2M3), T(E2M1X2), 0x0c, 0x7, 0x41100000},
        {T(E1M2X2), T(E4M3), 0xd, 0x40, 0xc0200000},
        {T(E5M2), T(E5M2), 0x7c, 0x3c, 0x7f800000},
        {T(FP16), T(FP16), 0x7e01, 0x3c00, 0x7fc00000},
        {T(S16), T(S8), 0x8000, 0x80, 0x400000},
        {T(S4X2), T(S4X2), 0x8, 0x7, 0xffffffc8},
        {T(U16), T(U4X2), 0xffff, 0xf, 0xefff1},
        {T(U8), T(U16), 0xff, 0xffff, 0xfeff01},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        bench_open(&t);
        bench_shape_tile(&t, A, rows[i].left, SIM_CUBE_M16, 1, 1, PE0);
        bench_shape_tile(&t, B, rows[i].right, SIM_CUBE_N8, 1, 1, PE0);
        bench_place(&t, A, 0, 0, 0, rows[i].a);
        bench_place(&t, B, 0, 0, 0, rows[i].b);
        start(&t, "TGEMV", rows[i].left, 1, 1, 1);
        datr(&t, rows[i].right, 0, false);
        bind_result(&t, A, B, PE0);
        bench_runs(&t);
        uint64_t got = bench_element(&t, N_1, 0, 0, 0);
        if (got != rows[i].product)
            fail_msg("%s times %s: 0x%llx, expected 0x%x", sim_format_name(rows[i].left),
                     sim_format_name(rows[i].right), (unsigned long long)got, rows[i].product);
        bench_close(&t);
    }
}

/* Integers wrap: 2^15 times 2^15, eight times. */
static void test_wrapping(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_shape_tile(&t, A, T(S16), SIM_CUBE_M32, 1, 8, PE0);
    bench_shape_tile(&t, B, T(S16), SIM_CUBE_N8, 8, 1, PE0);
    for (uint32_t k = 0; k < 8; k++) {
        bench_place(&t, A, 0, 0, k, 0x8000);
        bench_place(&t, B, 0, k, 0, k < 7 ? 0x8000 : 1);
    }
    start(&t, "TMATMUL", T(S16), 1, 1, 8);
    bind_result(&t, A, B, PE0);
    bench_runs(&t);
    assert_int_equal(bench_element(&t, N_1, 0, 0, 0), (uint32_t)(7 * 0x40000000u - 0x8000u));
    bench_close(&t);
}

/* ---- Shared inputs ---- */

static void add_shared(struct bench *t, unsigned id, unsigned dtype, uint32_t rows, uint32_t cols,
                       const float *values)
{
    struct shared_tile *s = &t->s.tiles->shared[id];
    *s = (struct shared_tile){
        .valid = true, .published = true, .contents_defined = true, .mask = ALL, .init_mask = ALL};
    s->info = (struct tile_info){.dtype = (uint8_t)dtype,
                                 .cols = cols,
                                 .valid_rows = rows,
                                 .valid_cols = cols,
                                 .capacity = KIB};
    s->info.rows = tile_derived_rows(KIB, cols, sim_format_of(dtype));
    tile_info_set_layout(&s->info, SIM_ROW_MAJOR);
    tile_fragment_create(&t->s, &s->payload, KIB);
    s->payload.defined = TILE_ALL_DEFINED;
    for (uint32_t i = 0; i < rows * cols; i++)
        sim_element_set(sim_format_of(dtype), s->payload.bytes, i, fp32(values[i]));
}

static void bind_shared(struct bench *t, unsigned id)
{
    t->b.ios[t->b.nios++] = (struct bundle_ios){.id = (uint8_t)id, .mask = ALL};
}

static void test_shared(void **state)
{
    static const float left[] = {1, 3, 2, 4}, right[] = {5, 7, 6, 8}; /* transposed */
    static const float product[] = {19, 22, 43, 50};
    struct bench t;
    (void)state;
    open_2x2(&t);
    add_shared(&t, 1, T(FP32), 2, 2, left);
    add_shared(&t, 2, T(FP32), 2, 2, right);
    start(&t, "TMATMUL", T(FP32), 2, 2, 2);
    t.b.fpatr.trans_a = t.b.fpatr.trans_b = true;
    bind_shared(&t, 1);
    bind_shared(&t, 2);
    bind_result(&t, -1, -1, ALL);
    bench_runs(&t);
    expect_fp32(&t, N_1, 2, product, 4);
    start(&t, "TMATMUL", T(FP32), 2, 2, 2);
    t.b.fpatr.trans_b = true;
    bind_shared(&t, 2);
    bind_result(&t, A, -1, ALL);
    bench_runs(&t);
    expect_fp32(&t, N_1 + 1, 2, product, 4);
    assert_true(t.s.tiles->shared[1].published && t.s.tiles->shared[2].published);
    bench_close(&t);
}

/* ---- faults ---- */

typedef void change_fn(struct bench *t);

static void no_fpatr(struct bench *t)
{
    t->b.fpatr.present = false;
}
static void left_s32(struct bench *t)
{
    t->b.data_type = T(S32);
}
static void right_s8(struct bench *t)
{
    datr(t, T(S8), 0, false);
}
static void right_e8m0(struct bench *t)
{
    datr(t, T(E8M0), 0, false);
}
static void third_source(struct bench *t)
{
    t->b.iot[0].nsources = 2, bind(t, C, -1, ALL);
}
static void no_destination(struct bench *t)
{
    t->b.iot[0].has_destination = false;
}
static void wants_row_max(struct bench *t)
{
    t->b.fpatr.row_max_en = true;
}
static void not_last(struct bench *t)
{
    t->b.iot[0].last = false;
}
static void surplus(struct bench *t)
{
    bench_ior(t, 0, 1, 1, 1, 1);
}
static void bad_scale(struct bench *t)
{
    t->b.fpatr.pre_quant_mode = MODE(QF322F16_PRE);
    bench_ior(t, 0, SCALE(0, 0), SCALE(0, 0), 1, SCALE(0, 0));
}
static void no_scale(struct bench *t)
{
    t->b.fpatr.pre_quant_mode = MODE(QF322F16_PRE);
}
static void bad_relu(struct bench *t)
{
    t->b.fpatr.relu_mode = ISA_ReluMode_LReLU;
    bench_ior(t, 0, FP19(0, 0), FP19(0, 0), FP19(0, 0), 1);
}
static void pad(struct bench *t)
{
    datr(t, T(FP32), 0, false), t->b.datr.pad = 2;
}
static void layout(struct bench *t)
{
    datr(t, T(FP32), 0, false), t->b.datr.layout = 1;
}
static void rmode(struct bench *t)
{
    datr(t, T(FP32), 2, false);
}
static void sat(struct bench *t)
{
    datr(t, T(FP32), 0, true);
}
static void zero_n(struct bench *t)
{
    t->b.lb[1] = 0;
}
static void other_mask(struct bench *t)
{
    t->b.iot[0].nsources = 1;
    bench_iot(t, B, -1, PE0, HAND_N, KIB_CODE);
    t->b.iot[0].has_destination = false;
}
static void transposed(struct bench *t)
{
    t->b.fpatr.trans_b = true;
}
static void req8(struct bench *t)
{
    t->b.fpatr.pre_quant_mode = MODE(REQ8);
    bench_ior(t, 0, SCALE(0, 0), SCALE(0, 0), SCALE(0, 0), SCALE(0, 0));
}
static void left_empty(struct bench *t)
{
    t->b.iot[0].source[0] = 5;
}
static void left_is_n8(struct bench *t)
{
    t->b.iot[0].source[0] = B;
}
static void right_is_m16(struct bench *t)
{
    t->b.iot[0].source[1] = A;
}
static void other_k(struct bench *t)
{
    t->b.lb[2] = 3;
}
static void undefined(struct bench *t)
{
    t->s.tiles->local[A].pe[2].defined = TILE_UNDEFINED;
}
static void no_fragment(struct bench *t)
{
    forget_result(t, A);
    bench_shape_tile(t, A, T(FP32), SIM_CUBE_M16, 2, 2, PE0);
}
static void small(struct bench *t)
{
    t->b.iot[0].size_code = 0 + 1, t->b.lb[1] = 2;
}
static void nothing(struct bench *t)
{
    (void)t;
}

static const struct {
    change_fn *change;
    enum fault_kind kind; /* 0 stands for none */
    const char *text;
} product_faults[] = {
    {no_fpatr, FAULT_BUNDLE, "TMATMUL: B.FPATR is missing"},
    {left_s32, FAULT_TILE_LEGALITY, "left input: elements of type S32 are not taken"},
    {right_e8m0, FAULT_TILE_LEGALITY, "right input: elements of type E8M0 are not taken"},
    {right_s8, FAULT_TILE_LEGALITY, "FP32 times S8: both inputs are floating"},
    {third_source, FAULT_TILE_LEGALITY,
     "B.IOT binds 3 sources; the types, B.IOS and B.FPATR ask for 2"},
    {no_destination, FAULT_TILE_LEGALITY, "B.IOT binds 0 destinations, B.FPATR asks for 1"},
    {wants_row_max, FAULT_TILE_LEGALITY, "B.IOT binds 1 destinations, B.FPATR asks for 2"},
    {not_last, FAULT_TILE_LEGALITY, "the last of 1 B.IOT lacks `last`"},
    {surplus, FAULT_TILE_LEGALITY, "B.IOR source 1 is R5, but the operation consumes 0 scalars"},
    {bad_scale, FAULT_TILE_LEGALITY,
     "the quantisation word 0x1 of PE 2 is not legal for PreQuantMode 32"},
    {no_scale, FAULT_TILE_LEGALITY, "the quantisation word 0x0 of PE 0"},
    {bad_relu, FAULT_TILE_LEGALITY, "the ReLU word 0x1 of PE 3"},
    {pad, FAULT_TILE_LEGALITY, "B.DATR PadValueOrByteId is 2"},
    {layout, FAULT_TILE_LEGALITY, "B.DATR Layout is 1"},
    {rmode, FAULT_TILE_LEGALITY, "B.DATR RMode is 2, but PreQuantMode 0 has its own rounding"},
    {sat, FAULT_TILE_LEGALITY, "B.DATR Sat is 1, but PreQuantMode 0 takes none"},
    {zero_n, FAULT_TILE_LEGALITY, "N (LB1) is 0"},
    {other_mask, FAULT_TILE_LEGALITY, "B.IOT 2 has another mask than the first"},
    {transposed, FAULT_TILE_LEGALITY, "TransB needs a Shared right input"},
    {req8, FAULT_TILE_LEGALITY, "PreQuantMode 3 does not convert FP32"},
    {left_empty, FAULT_TILE_LEGALITY, "the left input T#6 is not allocated"},
    {left_is_n8, FAULT_TILE_LEGALITY, "the left input U#2 is CUBE_N8, it must be CUBE_M16"},
    {right_is_m16, FAULT_TILE_LEGALITY, "the right input U#1 is CUBE_M16, it must be CUBE_N8"},
    {other_k, FAULT_TILE_LEGALITY, "the left input U#1 is 2 x 2 of FP32, it must be 2 x 3 of FP32"},
    {undefined, FAULT_TILE_LEGALITY,
     "element (0, 0) of its 2 x 2 valid region is undefined in PE2"},
    {no_fragment, FAULT_TILE_LEGALITY, "source U#1 has no fragment in PE1"},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof product_faults / sizeof *product_faults; i++) {
        struct bench t;
        open_2x2(&t);
        start(&t, "TMATMUL", T(FP32), 2, 2, 2);
        bind_result(&t, A, B, ALL);
        product_faults[i].change(&t);
        bench_faults(&t, product_faults[i].kind, product_faults[i].text);
        bench_close(&t);
    }
    struct bench t; /* the neighbours: nothing changed, and the smallest result tile */
    change_fn *const legal[] = {nothing, small};
    for (size_t i = 0; i < 2; i++) {
        open_2x2(&t);
        start(&t, "TMATMUL", T(FP32), 2, 2, 2);
        bind_result(&t, A, B, ALL);
        legal[i](&t);
        bench_runs(&t);
        bench_close(&t);
    }
}

static void test_allocation_faults(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_shape_tile(&t, A, T(FP32), SIM_CUBE_M16, 2, 2, ALL);
    bench_shape_tile(&t, B, T(FP32), SIM_CUBE_N8, 2, 3, ALL);
    start(&t, "TMATMUL", T(FP32), 2, 3, 2);
    bench_iot(&t, A, B, ALL, HAND_N, 1); /* two cells of 128 bytes are needed */
    bench_faults(
        &t, FAULT_TILE_ALLOCATION,
        "2 x 3 elements of FP32 need 256 bytes of whole CUBE_M16 cells, the destination has 128");
    t.b.iot[0].size_code = 10; /* 64 KiB for each of four PEs, beside the sources */
    t.s.fault.kind = 0;
    memset(&t.s.fault, 0, sizeof t.s.fault);
    bench_faults(&t, FAULT_TILE_ALLOCATION, "65536 bytes in each of 4 PEs do not fit");
    t.b.iot[0].size_code = 2;
    bench_runs(&t);
    for (unsigned i = 1; i < TILE_HAND_SLOTS; i++)
        bench_shape_tile(&t, N_1 + i, T(U8), SIM_ROW_MAJOR, 1, 1, PE0)->mask = PE0;
    memset(&t.s.fault, 0, sizeof t.s.fault);
    bench_faults(&t, FAULT_TILE_ALLOCATION, "hand N");
    bench_close(&t);
}

static void refuses(struct bench *t, const char *text)
{
    memset(&t->s.fault, 0, sizeof t->s.fault);
    bench_faults(t, FAULT_TILE_LEGALITY, text);
}

static void test_accumulator_faults(void **state)
{
    struct bench t;
    (void)state;
    open_2x2(&t);
    bench_shape_tile(&t, C, T(FP32), SIM_CUBE_M32, 2, 2, ALL);
    start(&t, "TMATMUL_ACC", T(FP32), 2, 2, 2);
    bind(&t, C, A, ALL);
    bench_iot(&t, B, -1, ALL, HAND_N, 7);
    refuses(&t, "the accumulator U#3 is CUBE_M32, it must be the left input's layout");
    bench_shape_tile(&t, C, T(S32), SIM_CUBE_M16, 2, 2, ALL);
    refuses(&t, "the accumulator U#3 is 2 x 2 of S32, it must be 2 x 2 of FP32");
    bench_shape_tile(&t, C, T(FP32), SIM_CUBE_M16, 2, 2, ALL);
    t.b.iot[1].size_code = KIB_CODE;
    refuses(&t, "the accumulator U#3 has 8192 bytes a PE, the destination 1024");
    t.b.fpatr.pre_quant_mode = MODE(F322F16); /* converted: sizes may differ */
    bench_runs(&t);
    bench_shape_tile(&t, 3, T(FP32), SIM_CUBE_M16, 2, 2, ALL); /* T#4: code 3, as hand N */
    t.b.iot[0].source[0] = 3;
    refuses(&t, "the accumulator's code 3 is the destination hand's");
    t.b.iot[1].hand = 2;
    bench_runs(&t);
    bench_close(&t);
}

static void test_operand_faults(void **state)
{
    struct bench t;
    (void)state;
    open_2x2(&t);
    bench_shape_tile(&t, BIAS, T(FP32), SIM_ROW_MAJOR, 1, 1, ALL);
    start(&t, "TMATMUL_BIAS", T(FP32), 2, 2, 2);
    bind(&t, A, B, ALL);
    bind_result(&t, BIAS, -1, ALL);
    refuses(&t, "the bias U#6 is 1 x 1 of FP32, it must be 1 x 2 of FP32");
    bench_shape_tile(&t, BIAS, T(FP32), SIM_COLUMN_MAJOR, 1, 2, ALL);
    refuses(&t, "the bias U#6 is ColumnMajor, it must be an ordinary RowMajor tile");
    bench_shape_tile(&t, BIAS, T(FP32), SIM_ROW_MAJOR, 1, 2, ALL);
    bench_runs(&t);
    /* column words */
    bench_shape_tile(&t, QUANT, T(U64), SIM_ROW_MAJOR, 1, 2, ALL);
    bench_place_everywhere(&t, QUANT, 0, 0, SCALE(0, 0));
    start(&t, "TMATMUL", T(FP32), 2, 2, 2);
    t.b.fpatr.pre_quant_mode = MODE(VQF322F16_PRE);
    bind(&t, A, B, ALL);
    bind_result(&t, QUANT, -1, ALL);
    refuses(&t, "the quantisation word 0x0 of column 1");
    bench_place_everywhere(&t, QUANT, 0, 1, SCALE(0, 1)); /* no offset in this mode */
    refuses(&t, "of column 1 is not legal for PreQuantMode 33");
    bench_place_everywhere(&t, QUANT, 0, 1, SCALE(0, 0));
    t.s.tiles->local[QUANT].info.matrix = true;
    refuses(&t, "U#8 is RowMajor in Matrix");
    t.s.tiles->local[QUANT].info.matrix = false;
    bench_runs(&t);
    bench_close(&t);
    open_mx(&t, 0x7f, 0x7f);
    bench_shape_tile(&t, A_SCALE, T(E8M0), SIM_ROW_MAJOR, 1, 1, ALL);
    start(&t, "TMATMUL_MX", T(E4M3), 1, 1, 33);
    datr(&t, T(E5M2), 0, false);
    bind(&t, A, A_SCALE, ALL);
    bind(&t, B, B_SCALE, ALL);
    bind_result(&t, -1, -1, ALL);
    refuses(&t, "the scale tile of the left input U#4 is 1 x 1 of E8M0, it must be 1 x 2 of E8M0");
    bench_close(&t);
}

static void test_rows(void **state)
{
    struct bench t;
    (void)state;
    bench_open(&t);
    bench_shape_tile(&t, A, T(FP16), SIM_CUBE_M16, 16, 4, ALL);
    bench_shape_tile(&t, B, T(FP16), SIM_CUBE_N8, 4, 8, ALL);
    start(&t, "TGEMV", T(FP16), 16, 8, 4);
    bind_result(&t, A, B, ALL);
    refuses(&t, "M (LB0) is 16, a vector has one row");
    start(&t, "TMATMUL", T(FP16), 16, 8, 4);
    bind_result(&t, A, B, ALL);
    bench_runs(&t);
    add_shared(&t, 1, T(FP32), 4, 8, (float[32]){0});
    start(&t, "TMATMUL", T(FP32), 64, 8, 4);
    add_shared(&t, 2, T(FP32), 64, 4, (float[256]){0});
    bind_shared(&t, 2);
    bind_shared(&t, 1);
    bind_result(&t, -1, -1, ALL);
    refuses(&t, "M (LB0) is 64, CUBE_M32 has 32 rows at most");
    t.b.lb[0] = 32;
    bench_runs(&t);
    bench_close(&t);
}

static void test_shared_faults(void **state)
{
    static const float values[16] = {1};
    struct bench t;
    (void)state;
    open_2x2(&t);
    add_shared(&t, 2, T(FP32), 2, 2, values);
    start(&t, "TMATMUL", T(FP32), 2, 2, 2);
    bind_shared(&t, 2);
    bind_result(&t, A, -1, ALL);
    struct shared_tile *s = &t.s.tiles->shared[2];
    s->published = false;
    refuses(&t, "S2 is not a complete, published tile of all four PEs");
    s->published = true;
    s->init_mask = 14;
    refuses(&t, "S2 is not a complete");
    s->init_mask = ALL;
    t.b.ios[0].size_code = 1;
    refuses(&t, "S2 is a destination");
    t.b.ios[0].size_code = 0;
    t.b.ios[0].mask = PE0;
    refuses(&t, "B.IOS 1 has another mask than B.IOT");
    t.b.ios[0].mask = ALL;
    t.b.fpatr.trans_a = true;
    refuses(&t, "TransA needs a Shared left input");
    t.b.fpatr.trans_a = false;
    t.b.lb[1] = 1;
    refuses(&t,
            "S2 is 2 x 2 in 2 columns of FP32, RowMajor; the operation reads 2 x 1 in 1 columns");
    t.b.lb[1] = 3;
    refuses(&t, "N (LB1) is 3, with Shared inputs it must be a power of two");
    t.b.lb[1] = 2;
    bind_shared(&t, 3);
    bind_shared(&t, 4);
    refuses(&t, "3 B.IOS are bound: 1 make the right side Shared, 2 both sides");
    t.b.nios = 1;
    bench_runs(&t);
    start(&t, "TGEMV", T(FP32), 1, 2, 2);
    bind_shared(&t, 2);
    bind_result(&t, A, -1, ALL);
    refuses(&t, "the operation takes no B.IOS, 1 are bound");
    bench_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_bias_and_accumulator),
        cmocka_unit_test(test_block_scales),
        cmocka_unit_test(test_post),
        cmocka_unit_test(test_c_scale),
        cmocka_unit_test(test_c_scale_rules),
        cmocka_unit_test(test_column_words),
        cmocka_unit_test(test_maxima),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_allocation_faults),
        cmocka_unit_test(test_accumulator_faults),
        cmocka_unit_test(test_operand_faults),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_shared_faults),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
