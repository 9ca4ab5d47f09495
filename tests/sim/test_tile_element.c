/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations, reductions and expansions in the default profile.
 * Values are computed by hand from IEEE 754 and asl/tile/model/execution; a case runs in a row that
 * is longer than any vector register, and its first and last elements must agree.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <fenv.h>

#include "sim/float.h"
#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

enum {
    COLS = 64,
    VALID = 37,
    CAPACITY = 512, /* size code 3: one row of FP64 */
    SIZE_CODE = 3,
    NV = FLOAT_INVALID,
    DZ = FLOAT_DIVIDE_BY_ZERO,
    OF = FLOAT_OVERFLOW,
    UF = FLOAT_UNDERFLOW,
    NX = FLOAT_INEXACT,
    STATUS = 32,
};

#define T(name) ISA_DataType_##name

/* A source of VALID equal elements in slot n of hand T. */
static void put_source(struct bench *t, unsigned slot, unsigned dtype, uint64_t element)
{
    struct tile *tile =
        bench_tile(t, slot, dtype, SIM_ROW_MAJOR, COLS, 1, VALID, CAPACITY, SIM_ALL_PES, 0);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        for (unsigned i = 0; i < VALID; i++)
            sim_element_set(sim_format_of(dtype), tile->pe[pe].bytes, i, element);
}

static void use_dimensions(struct bench *t)
{
    bench_dim(t, 0, VALID);
    bench_dim(t, 2, COLS);
}

struct value_case {
    const char *op;
    uint8_t dtype;
    uint64_t source[3];
    uint64_t expected;
    unsigned flags;
    const char *why;
};

static const struct value_case value_cases[] = {
    /* FP32 sums */
    {"TADD", T(FP32), {0x3f800000, 0x33800000}, 0x3f800000, NX, "tie to even, down"},
    {"TADD", T(FP32), {0x3f800001, 0x33800000}, 0x3f800002, NX, "tie to even, up"},
    {"TADD", T(FP32), {0x3f800000, 0xbf800000}, 0, 0, "exact cancellation is +0"},
    {"TADD", T(FP32), {0x80000000, 0x80000000}, 0x80000000, 0, "-0 + -0"},
    {"TADD", T(FP32), {0x7f800000, 0xff800000}, 0x7fc00000, NV, "infinity - infinity"},
    {"TADD", T(FP32), {0x7f800001, 0x3f800000}, 0x7fc00000, NV, "signaling NaN"},
    {"TADD", T(FP32), {0xffc12345, 0x3f800000}, 0x7fc00000, 0, "NaNs become canonical"},
    {"TADD", T(FP32), {0x7f7fffff, 0x7f7fffff}, 0x7f800000, OF | NX, "overflow"},
    {"TADD", T(FP32), {1, 1}, 2, 0, "subnormals are numbers"},
    {"TSUB", T(FP32), {0x00800000, 1}, 0x007fffff, 0, "down into the subnormals"},
    /* FP32 products and quotients */
    {"TMUL", T(FP32), {0x80000000, 0x40000000}, 0x80000000, 0, "-0 * 2"},
    {"TMUL", T(FP32), {0x00800000, 0x3f000000}, 0x00400000, 0, "exact subnormal"},
    {"TMUL", T(FP32), {1, 0x3f000000}, 0, UF | NX, "half the smallest, tie to even"},
    {"TMUL", T(FP32), {0, 0x7f800000}, 0x7fc00000, NV, "0 * infinity"},
    {"TDIV", T(FP32), {0x3f800000, 0x40400000}, 0x3eaaaaab, NX, "1/3"},
    {"TDIV", T(FP32), {0x3f800000, 0}, 0x7f800000, DZ, "1/0"},
    {"TDIV", T(FP32), {0x3f800000, 0x80000000}, 0xff800000, DZ, "1/-0"},
    {"TDIV", T(FP32), {0, 0}, 0x7fc00000, NV, "0/0"},
    {"TDIV", T(FP32), {0xbf800000, 0x7f800000}, 0x80000000, 0, "-1/infinity"},
    {"TREM", T(FP32), {0x40b00000, 0x40000000}, 0x3fc00000, 0, "5.5 rem 2"},
    {"TREM", T(FP32), {0xc0b00000, 0x40000000}, 0x3f000000, 0, "-5.5 rem 2: sign of the divisor"},
    {"TREM", T(FP32), {0x40b00000, 0xc0000000}, 0xbf000000, 0, "5.5 rem -2"},
    {"TREM", T(FP32), {0x40800000, 0xc0000000}, 0x80000000, 0, "4 rem -2"},
    {"TREM", T(FP32), {0x3f800000, 0}, 0x7fc00000, NV, "1 rem 0"},
    {"TREM", T(FP32), {0x3f800000, 0x7f800000}, 0x3f800000, 0, "1 rem infinity"},
    {"TREM", T(FP32), {0x7f800000, 0x3f800000}, 0x7fc00000, NV, "infinity rem 1"},
    {"TREM", T(FP32), {0x7e800000, 0x40400000}, 0x3f800000, 0, "2^126 rem 3"},
    /* order */
    {"TMAX", T(FP32), {0, 0x80000000}, 0, 0, "max(+0, -0)"},
    {"TMAX", T(FP32), {0x80000000, 0}, 0, 0, "max(-0, +0)"},
    {"TMIN", T(FP32), {0, 0x80000000}, 0x80000000, 0, "min(+0, -0)"},
    {"TMAX", T(FP32), {0x7fc00000, 0x3f800000}, 0x3f800000, 0, "a NaN loses"},
    {"TMIN", T(FP32), {0x3f800000, 0x7f800001}, 0x3f800000, NV, "a signaling one reports"},
    {"TMAX", T(FP32), {0xffc00001, 0x7fc00002}, 0x7fc00000, 0, "two NaNs"},
    {"TMAX", T(FP32), {0xff800000, 0xbf800000}, 0xbf800000, 0, "-infinity is least"},
    {"TMIN", T(FP64), {0xbff0000000000000, 0xc000000000000000}, 0xc000000000000000, 0, "-2 < -1"},
    {"TMAX", T(E4M3), {0x7f, 0xb8}, 0xb8, 0, "E4M3's NaN never signals"},
    {"TMAX", T(E5M2), {0x7d, 0x3c}, 0x3c, NV, "E5M2's may"},
    /* unary, by the bits */
    {"TABS", T(FP32), {0xff800001}, 0x7f800001, 0, "clears the sign of a NaN, too"},
    {"TNEG", T(FP32), {0x7fc00001}, 0xffc00001, 0, "flips it"},
    {"TRELU", T(FP32), {0x80000000}, 0, 0, "-0 becomes +0"},
    {"TRELU", T(FP32), {0xff800000}, 0, 0, "-infinity becomes +0"},
    {"TRELU", T(FP32), {0x7f800001}, 0x7fc00000, NV, "signaling NaN"},
    {"TRELU", T(FP16), {0x3c01}, 0x3c01, 0, "positive stays"},
    /* SFU */
    {"TEXP", T(FP32), {0}, 0x3f800000, 0, "e^0"},
    {"TEXP", T(FP32), {0x3f800000}, 0x402df854, NX, "e"},
    {"TEXP", T(FP32), {0xff800000}, 0, 0, "e^-infinity"},
    {"TEXP", T(FP32), {0x42c80000}, 0x7f800000, OF | NX, "e^100"},
    {"TEXP", T(FP32), {0xc2ce0000}, 1, UF | NX, "e^-103 = 1.3 * 2^-149"},
    {"TLOG", T(FP32), {0x3f800000}, 0, 0, "ln 1 is +0"},
    {"TLOG", T(FP32), {0x402df854}, 0x3f7fffff, NX, "ln of FP32's e: 3.04e-8 below 1"},
    {"TLOG", T(FP32), {0x40000000}, 0x3f317218, NX, "ln 2"},
    {"TLOG", T(FP32), {0x80000000}, 0xff800000, DZ, "ln -0"},
    {"TLOG", T(FP32), {0xbf800000}, 0x7fc00000, NV, "ln -1"},
    {"TLOG", T(FP64), {0x4000000000000000}, 0x3fe62e42fefa39ef, NX, "ln 2 in FP64"},
    {"TRECIP", T(FP32), {0x40400000}, 0x3eaaaaab, NX, "1/3"},
    {"TRECIP", T(FP32), {0x80000000}, 0xff800000, DZ, "1/-0"},
    {"TRECIP", T(E4M3), {0x80}, 0x7f, DZ, "no infinity: canonical NaN, without the sign"},
    {"TSQRT", T(FP32), {0x40000000}, 0x3fb504f3, NX, "sqrt 2"},
    {"TSQRT", T(FP32), {0x80000000}, 0x80000000, 0, "sqrt -0"},
    {"TSQRT", T(FP32), {0xbf800000}, 0x7fc00000, NV, "sqrt -1"},
    {"TSQRT", T(FP16), {0x4000}, 0x3da8, NX, "sqrt 2 in FP16"},
    {"TRSQRT", T(FP32), {0x40800000}, 0x3f000000, 0, "1/sqrt 4 is exact"},
    {"TRSQRT", T(FP32), {0x40000000}, 0x3f3504f3, NX, "1/sqrt 2"},
    {"TRSQRT", T(FP32), {0x80000000}, 0xff800000, DZ, "1/sqrt -0"},
    {"TRSQRT", T(FP32), {0x7f800000}, 0, 0, "1/sqrt infinity"},
    /* fused */
    {"TFMA", T(FP32), {0x3f800001, 0x3f7fffff, 0xbf800000}, 0x337ffffe, 0, "one rounding"},
    {"TFMA", T(FP32), {0, 0x7f800000, 0x7fc00000}, 0x7fc00000, NV, "0 * infinity + NaN"},
    {"TFMA", T(FP16), {0x3c01, 0x3bff, 0xbc00}, 0x0ffe, 0, "the same in FP16"},
    {"TFMA", T(S8), {0x10, 0x10, 5}, 5, 0, "wraps"},
    /* other formats */
    {"TADD", T(FP16), {0x3c00, 0x1000}, 0x3c00, NX, "tie to even"},
    {"TADD", T(FP16), {0x3c01, 0x1000}, 0x3c02, NX, "tie to even, up"},
    {"TMUL", T(FP16), {0x7bff, 0x4000}, 0x7c00, OF | NX, "overflow"},
    {"TMUL", T(FP16), {1, 0x3800}, 0, UF | NX, "underflow"},
    {"TEXP", T(FP16), {0x3c00}, 0x4170, NX, "e"},
    {"TADD", T(BF16), {0x3f80, 0x3b80}, 0x3f80, NX, "tie to even"},
    {"TADD", T(BF16), {0x3f81, 0x3b80}, 0x3f82, NX, "tie to even, up"},
    {"TADD", T(TF32), {0x3f800000, 0x3a000000}, 0x3f800000, NX, "10 fraction bits"},
    {"TADD", T(TF32), {0x3f802000, 0x3a000000}, 0x3f804000, NX, "tie to even, up"},
    {"TADD", T(HF32), {0x3f800000, 0x39800000}, 0x3f800000, NX, "11 fraction bits"},
    {"TADD", T(HF32), {0x3f800000, 0x3a000000}, 0x3f801000, 0, "and not 10"},
    {"TADD", T(FP64), {0x3ff0000000000000, 0x3ca0000000000000}, 0x3ff0000000000000, NX, "tie"},
    {"TDIV", T(FP64), {0x3ff0000000000000, 0x4008000000000000}, 0x3fd5555555555555, NX, "1/3"},
    {"TADD", T(E4M3), {0x7e, 0x58}, 0x7e, NX, "448 + 16 ties to 448"},
    {"TADD", T(E4M3), {0x7e, 0x59}, 0x7f, OF | NX, "448 + 18 has no infinity to go to"},
    {"TADD", T(E4M3), {0xfe, 0xfe}, 0x7f, OF | NX, "nor a signed NaN"},
    {"TADD", T(E5M2), {0x7b, 0x7b}, 0x7c, OF | NX, "E5M2 has one"},
    /* integers */
    {"TADD", T(S8), {0x7f, 1}, 0x80, 0, "wraps"},
    {"TSUB", T(U8), {0, 1}, 0xff, 0, "wraps"},
    {"TMUL", T(S16), {0x8000, 0x8000}, 0, 0, "low half"},
    {"TMUL", T(U16), {0xffff, 0xffff}, 1, 0, "low half"},
    {"TMUL", T(U32), {0xffffffff, 0xffffffff}, 1, 0, "low half"},
    {"TMUL", T(S64), {0x8000000000000000, 3}, 0x8000000000000000, 0, "low half"},
    {"TDIV", T(S32), {0x80000000, 0xffffffff}, 0x80000000, 0, "the only overflow"},
    {"TDIV", T(S32), {0xfffffff9, 2}, 0xfffffffd, 0, "-7/2 toward zero"},
    {"TDIV", T(U8), {250, 7}, 35, 0, "unsigned"},
    {"TREM", T(S32), {0xfffffff9, 2}, 1, 0, "-7 rem 2"},
    {"TREM", T(S32), {7, 0xfffffffe}, 0xffffffff, 0, "7 rem -2"},
    {"TREM", T(S64), {0x8000000000000000, UINT64_MAX}, 0, 0, "lowest rem -1"},
    {"TREM", T(U8), {250, 7}, 5, 0, "unsigned"},
    {"TMAX", T(S8), {0xff, 1}, 1, 0, "signed order"},
    {"TMAX", T(U8), {0xff, 1}, 0xff, 0, "unsigned order"},
    {"TMIN", T(S64), {0x8000000000000000, 0}, 0x8000000000000000, 0, "signed order"},
    {"TAND", T(U16), {0xff0f, 0x0fff}, 0x0f0f, 0, ""},
    {"TOR", T(U16), {0xff00, 0x000f}, 0xff0f, 0, ""},
    {"TXOR", T(S32), {0xffffffff, 0x0000ffff}, 0xffff0000, 0, ""},
    {"TSHL", T(S8), {1, 9}, 2, 0, "the count is modulo 8"},
    {"TSHL", T(U32), {1, 31}, 0x80000000, 0, ""},
    {"TSHR", T(S8), {0x80, 1}, 0xc0, 0, "arithmetic"},
    {"TSHR", T(U8), {0x80, 1}, 0x40, 0, "logical"},
    {"TSHR", T(S64), {0x8000000000000000, 64}, 0x8000000000000000, 0, "the count is modulo 64"},
    {"TABS", T(S8), {0x80}, 0x80, 0, "the lowest stays"},
    {"TABS", T(S8), {0xff}, 1, 0, ""},
    {"TNEG", T(U8), {1}, 0xff, 0, "modulo the width"},
    {"TNOT", T(S16), {0}, 0xffff, 0, ""},
    {"TRELU", T(S32), {0xffffffff}, 0, 0, ""},
    {"TRELU", T(U8), {0xff}, 0xff, 0, "unsigned has no negatives"},
    /* with a scalar, whose bits above the element do not count */
    {"TADDS", T(S8), {1, 0xfffffffffffff102}, 3, 0, "low byte"},
    {"TSUBS", T(FP32), {0x40000000, 0x3f800000}, 0x3f800000, 0, "2 - 1"},
    {"TMULS", T(FP16), {0x3c00, 0x4000}, 0x4000, 0, ""},
    {"TDIVS", T(FP32), {0x3f800000, 0}, 0x7f800000, DZ, "zero divides floats"},
    {"TREMS", T(S16), {0xfff9, 2}, 1, 0, ""},
    {"TMAXS", T(FP32), {0x7fc00000, 0x3f800000}, 0x3f800000, 0, ""},
    {"TMINS", T(S8), {1, 0xff}, 0xff, 0, ""},
    {"TANDS", T(U8), {0xff, 0x0f}, 0x0f, 0, ""},
    {"TORS", T(U8), {0xf0, 0x0f}, 0xff, 0, ""},
    {"TXORS", T(U8), {0xff, 0x0f}, 0xf0, 0, ""},
    {"TSHLS", T(U64), {1, 63}, 0x8000000000000000, 0, ""},
    {"TSHRS", T(S32), {0x80000000, 31}, 0xffffffff, 0, ""},
};

/* Binds sources as the operation's row groups them, and a scalar as its last one. */
static void bind(struct bench *t, const uint64_t *source, unsigned dtype)
{
    const struct isa_tileop *op = t->b.op;
    for (unsigned i = 0; i < op->nsources; i++)
        put_source(t, i, dtype, source[i]);
    for (unsigned i = 0, n = 0; i < op->nsources; n++) {
        bool last = i + op->grouping[n] == op->nsources;
        bench_iot(t, (int)i, op->grouping[n] > 1 ? (int)i + 1 : -1, SIM_ALL_PES, 1,
                  last ? SIZE_CODE : 0);
        i += op->grouping[n];
    }
    if (op->nscalars) {
        uint64_t scalar = source[op->nsources];
        bench_ior(t, 0, scalar, scalar, scalar, scalar);
    }
    use_dimensions(t);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof value_cases / sizeof *value_cases; i++) {
        const struct value_case *c = &value_cases[i];
        struct bench t;
        bench_open(&t);
        bench_start(&t, c->op, c->dtype);
        bind(&t, c->source, c->dtype);
        bench_runs(&t);
        for (unsigned pe = 0; pe < SIM_PES; pe++) {
            uint64_t first = bench_element(&t, TILE_HAND_SLOTS, pe, 0, 0);
            uint64_t last = bench_element(&t, TILE_HAND_SLOTS, pe, 0, VALID - 1);
            unsigned flags = (unsigned)(t.s.pes[pe].core_state >> STATUS);
            if (first != c->expected || last != c->expected || flags != c->flags)
                fail_msg("%s %s (%s): 0x%llx..0x%llx flags %x, expected 0x%llx flags %x", c->op,
                         sim_format_name(c->dtype), c->why, (unsigned long long)first,
                         (unsigned long long)last, flags, (unsigned long long)c->expected,
                         c->flags);
        }
        bench_close(&t);
    }
}

/* The caller's rounding mode and flags neither matter nor change. */
static void test_host_environment(void **state)
{
    (void)state;
    struct bench t;
    static const uint64_t third[3] = {0x3f800000, 0x40400000};
    bench_open(&t);
    bench_start(&t, "TDIV", T(FP32));
    bind(&t, third, T(FP32));
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW);
    bench_runs(&t);
    int mode = fegetround(), raised = fetestexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(mode, FE_UPWARD);
    assert_int_equal(raised, FE_OVERFLOW);
    assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, 0, 0), 0x3eaaaaab);
    bench_close(&t);
}

/* Each PE uses its own scalar and keeps its own status. */
static void test_scalars_are_private(void **state)
{
    (void)state;
    struct bench t;
    static const uint64_t one[3] = {0x3f800000};
    bench_open(&t);
    bench_start(&t, "TDIVS", T(FP32));
    bind(&t, one, T(FP32));
    bench_ior(&t, 0, 0x3f800000, 0x40000000, 0x40400000, 0);
    bench_runs(&t);
    static const uint64_t expected[] = {0x3f800000, 0x3f000000, 0x3eaaaaab, 0x7f800000};
    static const unsigned flags[] = {0, 0, NX, DZ};
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, pe, 0, VALID - 1), expected[pe]);
        assert_int_equal(t.s.pes[pe].core_state >> STATUS, flags[pe]);
    }
    bench_close(&t);
}

/* ---- comparisons and selections ---- */

struct order_case {
    uint8_t dtype;
    uint64_t left, right;
    const char *holds; /* of EQ NE LT GT LE GE */
};

static const struct order_case order_cases[] = {
    {T(FP32), 0, 0x80000000, "100011"},          /* +0 = -0 */
    {T(FP32), 0x7fc00000, 0x3f800000, "010000"}, /* unordered */
    {T(FP32), 0x7fc00000, 0x7fc00000, "010000"}, /* a NaN does not equal itself */
    {T(FP32), 0xff800000, 0xff7fffff, "011010"}, /* -infinity < lowest */
    {T(FP32), 0x3f800000, 0xbf800000, "010101"}, /* 1 > -1 */
    {T(FP16), 0xbc00, 0xc000, "010101"},         /* -1 > -2 */
    {T(S8), 0xff, 1, "011010"},                  /* -1 < 1 */
    {T(U8), 0xff, 1, "010101"},                  /* 255 > 1 */
    {T(U64), UINT64_MAX, UINT64_MAX, "100011"},
};

static bool predicate(const struct bench *t, unsigned slot, unsigned pe, unsigned bit)
{
    return t->s.tiles->local[slot].pe[pe].bytes[bit / 8] >> (bit % 8) & 1;
}

static void compare_once(const struct order_case *c, const char *op, unsigned mode)
{
    struct bench t;
    uint64_t source[3] = {c->left, c->right};
    bench_open(&t);
    bench_start(&t, op, c->dtype);
    bind(&t, source, c->dtype);
    t.b.datr.present = true;
    t.b.datr.cmode = (uint8_t)mode;
    bench_runs(&t);
    const struct tile *result = &t.s.tiles->local[TILE_HAND_SLOTS];
    assert_int_equal(result->info.storage, TILE_PREDICATE);
    assert_int_equal(result->pe[2].defined, TILE_VALID_DEFINED);
    for (unsigned bit = 0; bit < COLS; bit++)
        if (predicate(&t, TILE_HAND_SLOTS, 2, bit) != (bit < VALID && c->holds[mode] == '1'))
            fail_msg("%s %s 0x%llx, 0x%llx: CMode %u, bit %u", op, sim_format_name(c->dtype),
                     (unsigned long long)c->left, (unsigned long long)c->right, mode, bit);
    bench_close(&t);
}

static void test_compare(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof order_cases / sizeof *order_cases; i++)
        for (unsigned mode = 0; mode < 6; mode++) {
            compare_once(&order_cases[i], "TCMP", mode);
            compare_once(&order_cases[i], "TCMPS", mode);
        }
}

static void test_compare_pads(void **state)
{
    (void)state;
    struct bench t;
    static const uint64_t source[3] = {1, 2};
    bench_open(&t);
    bench_start(&t, "TCMP", T(S32));
    bind(&t, source, T(S32));
    t.b.datr.present = true;
    t.b.datr.pad = SIM_PAD_MAX;
    bench_runs(&t);
    const struct tile *result = &t.s.tiles->local[TILE_HAND_SLOTS];
    assert_false(predicate(&t, TILE_HAND_SLOTS, 0, VALID - 1));
    assert_true(predicate(&t, TILE_HAND_SLOTS, 0, VALID));
    assert_true(predicate(&t, TILE_HAND_SLOTS, 0, 2 * COLS - 1)); /* two rows of S32 fit */
    assert_true(tile_fragment_is_defined(&result->info, &result->pe[0], 1, 0));
    bench_close(&t);
}

/* TCMP U64 of a ramp with 5, then TSEL and TSELS by its result. */
static void test_select(void **state)
{
    (void)state;
    static const char *const ops[] = {"TSEL", "TSELS"};
    for (unsigned k = 0; k < 2; k++) {
        struct bench t;
        bench_open(&t);
        bench_tile(&t, 0, T(U64), SIM_ROW_MAJOR, COLS, 1, VALID, CAPACITY, SIM_ALL_PES, 0);
        put_source(&t, 1, T(U64), 5);
        bench_start(&t, "TCMP", T(U64));
        bench_iot(&t, 0, 1, SIM_ALL_PES, 2, SIZE_CODE);
        use_dimensions(&t);
        t.b.datr.present = true;
        t.b.datr.cmode = 2; /* LT */
        bench_runs(&t);
        bench_start(&t, ops[k], T(U64));
        bench_iot(&t, 2 * TILE_HAND_SLOTS, 0, SIM_ALL_PES, 1, k ? SIZE_CODE : 0);
        if (k)
            bench_ior(&t, 0, 77, 77, 77, 77);
        else
            bench_iot(&t, 1, -1, SIM_ALL_PES, 1, SIZE_CODE);
        use_dimensions(&t);
        bench_runs(&t);
        assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, 0, 4), 4);
        assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, 0, 5), k ? 77 : 5);
        assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, 0, 36), k ? 77 : 5);
        assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 1, 0, 0), k ? 77 : 5); /* 1000 */
        bench_close(&t);
    }
}

/* ---- reductions ---- */

struct fold_case {
    const char *what; /* "SUM" */
    uint8_t dtype;
    uint64_t elements[4], expected;
    unsigned flags;
    const char *why;
};

static const struct fold_case fold_cases[] = {
    {"SUM", T(S8), {100, 100, 100, 0}, 0x2c, 0, "300 wraps"},
    {"SUM",
     T(FP32),
     {0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000},
     0x4b800000,
     NX,
     "2^24 + 1 + 1 + 1 from the left: each 1 is lost"},
    {"SUM",
     T(FP32),
     {0x3f800000, 0x3f800000, 0x3f800000, 0x4b800000},
     0x4b800002,
     NX,
     "and 3 + 2^24 ties to 2^24 + 4"},
    {"SUM", T(FP32), {0x80000000, 0x80000000, 0x80000000, 0x80000000}, 0, 0, "starts from +0"},
    {"SUM", T(FP32), {0x3f800000, 0x7fc00000, 0x40000000, 0}, 0x7fc00000, 0, "a NaN stays"},
    {"PROD", T(U16), {256, 256, 3, 1}, 0, 0, "65536 wraps"},
    {"PROD", T(FP16), {0x4000, 0x4000, 0x3c00, 0xbc00}, 0xc400, 0, "-4"},
    {"PROD", T(E4M3), {0x40, 0x40, 0x38, 0x38}, 0x48, 0, "4"},
    {"MAX", T(S16), {0xffff, 0x8000, 3, 2}, 3, 0, ""},
    {"MIN", T(FP32), {0x7fc00000, 0x40800000, 0xc0000000, 0}, 0xc0000000, 0, "skips NaNs"},
    {"MAX", T(FP32), {0x80000000, 0, 0x80000000, 0x80000000}, 0, 0, "+0 over -0"},
    {"MAX", T(FP32), {0x7fc00001, 0xffc00000, 0x7fc00000, 0x7fc00000}, 0x7fc00000, 0, "all NaN"},
    {"ARGMAX", T(S32), {5, 7, 7, 3}, 1, 0, "the lowest index wins"},
    {"ARGMIN", T(FP32), {0x40000000, 0x3f800000, 0x3f800000, 0x7fc00000}, 1, 0, ""},
    {"ARGMAX", T(FP16), {0x7e00, 0xbc00, 0xfc00, 0xc000}, 1, 0, "-1 over NaN, -infinity, -2"},
    {"ARGMIN", T(U8), {0, 0, 0, 0}, 0, 0, "ties"},
};

enum { FOLD = 4 };

/* The four elements along the axis, in three lines beside one another. */
static void fold_once(const struct fold_case *c, bool by_column)
{
    struct bench t;
    char name[16];
    uint32_t rows = by_column ? FOLD : 3, cols = by_column ? 3 : FOLD;
    bench_open(&t);
    snprintf(name, sizeof name, "T%s%s", by_column ? "COL" : "ROW", c->what);
    struct tile *tile =
        bench_tile(&t, 0, c->dtype, SIM_ROW_MAJOR, FOLD, rows, cols, CAPACITY, SIM_ALL_PES, 0);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            sim_element_set(sim_format_of(c->dtype), tile->pe[0].bytes, row * FOLD + col,
                            c->elements[by_column ? row : col]);
    bench_start(&t, name, c->dtype);
    bench_iot(&t, 0, -1, 8, 1, SIZE_CODE);
    bench_dim(&t, 0, cols);
    bench_dim(&t, 1, rows);
    bench_dim(&t, 2, FOLD);
    bench_runs(&t);
    const struct tile_info *info = &t.s.tiles->local[TILE_HAND_SLOTS].info;
    assert_int_equal(info->dtype, c->what[0] == 'A' ? T(U32) : c->dtype);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t result =
            bench_element(&t, TILE_HAND_SLOTS, 0, by_column ? 0 : i, by_column ? i : 0);
        if (result != c->expected || t.s.pes[0].core_state >> STATUS != c->flags)
            fail_msg("%s %s (%s), line %u: 0x%llx flags %llx, expected 0x%llx flags %x", name,
                     sim_format_name(c->dtype), c->why, i, (unsigned long long)result,
                     (unsigned long long)(t.s.pes[0].core_state >> STATUS),
                     (unsigned long long)c->expected, c->flags);
    }
    bench_close(&t);
}

static void test_folds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fold_cases / sizeof *fold_cases; i++) {
        fold_once(&fold_cases[i], false);
        fold_once(&fold_cases[i], true);
    }
}

/* More rows than advance together. */
static void test_fold_many_rows(void **state)
{
    (void)state;
    struct bench t;
    bench_open(&t);
    bench_tile(&t, 0, T(U32), SIM_ROW_MAJOR, 2, 130, 2, 2048, 8, 0);
    bench_start(&t, "TROWSUM", T(U32));
    bench_iot(&t, 0, -1, 8, 1, 4);
    bench_dim(&t, 0, 2);
    bench_dim(&t, 1, 130);
    bench_runs(&t);
    for (uint32_t row = 0; row < 130; row++) /* 2r + (2r + 1) */
        assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, row, 0), 4 * row + 1);
    bench_close(&t);
}

/* ---- expansions ---- */

struct expand_case {
    const char *what;
    uint8_t dtype, to;
    uint64_t source, broadcast, expected;
    const char *why;
};

static const struct expand_case expand_cases[] = {
    {"", T(U8), T(U8), 0, 9, 9, "copies the broadcast side"},
    {"ADD", T(S8), T(S8), 0x7f, 1, 0x80, ""},
    {"SUB", T(FP32), T(FP32), 0x40000000, 0x3f800000, 0x3f800000, "source - broadcast"},
    {"MUL", T(FP16), T(FP16), 0x4000, 0x4000, 0x4400, ""},
    {"DIV", T(S32), T(S32), 0xfffffff9, 2, 0xfffffffd, ""},
    {"MAX", T(FP32), T(FP32), 0x80000000, 0, 0, ""},
    {"MIN", T(U16), T(U16), 7, 5, 5, ""},
    {"EXPDIF", T(FP32), T(FP32), 0x40000000, 0x3f800000, 0x402df854, "e^(2 - 1)"},
    {"EXPDIF", T(FP16), T(FP16), 0x4000, 0x3c00, 0x4170, ""},
    /* hardware profile, mixed_expdif.discriminator_vectors */
    {"EXPDIF", T(FP16), T(FP32), 0x2000, 0x0001, 0x3f810100, "widens before it subtracts"},
    {"EXPDIF", T(BF16), T(FP32), 0x3f80, 0x3b00, 0x402da16e, "widens before it subtracts"},
};

static void expand_once(const struct expand_case *c, bool by_column)
{
    struct bench t;
    char name[24];
    unsigned n = 0;
    unsigned size = c->to == c->dtype ? SIZE_CODE : SIZE_CODE + 1; /* as many rows */
    bench_open(&t);
    snprintf(name, sizeof name, "T%sEXPAND%s", by_column ? "COL" : "ROW", c->what);
    bench_start(&t, name, c->dtype);
    if (*c->what)
        put_source(&t, n++, c->dtype, c->source);
    struct tile *line = bench_tile(&t, n, c->dtype, SIM_ROW_MAJOR, by_column ? COLS : 1, 1,
                                   by_column ? VALID : 1, CAPACITY, SIM_ALL_PES, 0);
    for (unsigned i = 0; i < VALID; i++)
        sim_element_set(sim_format_of(c->dtype), line->pe[3].bytes, i, c->broadcast);
    if (n)
        bench_iot(&t, 0, 1, 1, 1, size);
    else
        bench_iot(&t, 0, -1, 1, 1, size);
    use_dimensions(&t);
    if (c->to != c->dtype)
        t.b.datr = (struct bundle_datr){.present = true, .data_type = c->to, .pad = SIM_PAD_NULL};
    bench_runs(&t);
    for (unsigned i = 0; i < VALID; i += VALID - 1) {
        uint64_t result = bench_element(&t, TILE_HAND_SLOTS, 3, 0, i);
        if (result != c->expected)
            fail_msg("%s %s (%s): 0x%llx, expected 0x%llx", name, sim_format_name(c->dtype), c->why,
                     (unsigned long long)result, (unsigned long long)c->expected);
    }
    bench_close(&t);
}

static void test_expand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof expand_cases / sizeof *expand_cases; i++) {
        expand_once(&expand_cases[i], false);
        expand_once(&expand_cases[i], true);
    }
}

/* ---- fills, unions, padding ---- */

static void test_fill_pads(void **state)
{
    (void)state;
    struct bench t;
    bench_open(&t);
    bench_start(&t, "TEXPANDS", T(S16));
    bench_iot(&t, -1, -1, 12, 0, 2); /* 256 bytes: two rows of 64 */
    bench_ior(&t, 0, 0x1fffe, 7, 0, 0);
    use_dimensions(&t);
    t.b.datr = (struct bundle_datr){.present = true, .pad = SIM_PAD_MIN};
    bench_runs(&t);
    assert_int_equal(bench_element(&t, 0, 0, 0, VALID - 1), 0xfffe);
    assert_int_equal(bench_element(&t, 0, 1, 0, VALID - 1), 7);
    assert_int_equal(bench_element(&t, 0, 0, 0, VALID), 0x8000);
    assert_int_equal(bench_element(&t, 0, 0, 1, 0), 0x8000);
    assert_int_equal(t.s.tiles->local[0].pe[0].defined, TILE_ALL_DEFINED);
    assert_null(t.s.tiles->local[0].pe[2].bytes);
    bench_close(&t);
}

/* A 2 x 3 tile and its upper left 1 x 2: sums where both are, the larger one elsewhere. */
static void test_partial(void **state)
{
    (void)state;
    for (int small = 0; small < 2; small++) {
        struct bench t;
        bench_open(&t);
        bench_tile(&t, (unsigned)small, T(S32), SIM_ROW_MAJOR, 4, 1, 2, 128, 8, 100);
        bench_tile(&t, (unsigned)!small, T(S32), SIM_ROW_MAJOR, 4, 2, 3, 128, 8, 0);
        bench_start(&t, "TPARTADD", T(S32));
        bench_iot(&t, 0, 1, 8, 1, 1);
        bench_dim(&t, 0, 3);
        bench_dim(&t, 1, 2);
        bench_dim(&t, 2, 4);
        bench_runs(&t);
        static const uint64_t expected[2][3] = {{100, 102, 2}, {4, 5, 6}};
        for (uint32_t row = 0; row < 2; row++)
            for (uint32_t col = 0; col < 3; col++)
                assert_int_equal(bench_element(&t, TILE_HAND_SLOTS, 0, row, col),
                                 expected[row][col]);
        bench_close(&t);
    }
}

/* ---- faults ---- */

/* A legal TADD, TDIV or TADDS S32 that a case breaks in one way. */
struct fault_case {
    const char *op;
    uint8_t dtype;
    void (*spoil)(struct bench *t);
    enum fault_kind kind;
    const char *text;
};

static void spoil_nothing(struct bench *t)
{
    (void)t;
}
static void spoil_lb0(struct bench *t)
{
    t->b.lb_present[0] = false;
}
static void spoil_lb1(struct bench *t)
{
    bench_dim(t, 1, 0);
}
static void spoil_cols(struct bench *t)
{
    bench_dim(t, 2, 2 * COLS);
}
static void spoil_size(struct bench *t)
{
    t->b.iot[t->b.niot - 1].size_code = 1;
}
static void spoil_rows(struct bench *t)
{
    t->b.iot[t->b.niot - 1].size_code = SIZE_CODE + 1;
}
static void spoil_type(struct bench *t)
{
    t->s.tiles->local[0].info.dtype = T(U32);
}
static void spoil_defined(struct bench *t)
{
    t->s.tiles->local[0].pe[1].defined = TILE_UNDEFINED;
}
static void spoil_layout(struct bench *t)
{
    tile_info_set_layout(&t->s.tiles->local[0].info, SIM_COLUMN_MAJOR);
}
static void spoil_allocation(struct bench *t)
{
    t->s.tiles->local[0].allocated = false;
}
static void spoil_zero(struct bench *t)
{
    t->s.tiles->local[1].pe[3].bytes[4 * (VALID - 1)] = 0;
}
static void spoil_padding(struct bench *t)
{
    t->s.tiles->local[1].pe[3].bytes[4 * VALID] = 0; /* divisors of the padding are not read */
}
static void spoil_scalar(struct bench *t)
{
    t->b.scalar[2][0] = UINT64_C(1) << 32; /* zero in 32 bits */
}
static void spoil_last(struct bench *t)
{
    t->b.iot[t->b.niot - 1].last = false;
}
static void spoil_mask(struct bench *t)
{
    t->b.iot[0].mask = 8;
}
static void spoil_cmode(struct bench *t)
{
    t->b.datr.present = true;
    t->b.datr.cmode = 6;
}
static void spoil_encoding(struct bench *t)
{
    t->s.tiles->local[0].pe[0].bytes[0] |= 1;
}
static void spoil_attribute(struct bench *t)
{
    t->b.datr.present = true;
    t->b.datr.rmode = 1;
}

static const struct fault_case fault_cases[] = {
    {"TADD", T(S32), spoil_nothing, FAULT_NONE, ""},
    {"TADD", T(E8M0), spoil_nothing, FAULT_TILE_LEGALITY, "elements of type E8M0"},
    {"TAND", T(S32), spoil_nothing, FAULT_NONE, ""},
    {"TAND", T(FP32), spoil_nothing, FAULT_TILE_LEGALITY, "elements of type FP32"},
    {"TEXP", T(FP16), spoil_nothing, FAULT_NONE, ""},
    {"TADD", T(S32), spoil_lb0, FAULT_TILE_LEGALITY, "LB0, the valid columns, is missing"},
    {"TADD", T(S32), spoil_lb1, FAULT_TILE_LEGALITY, "LB1 is 0"},
    {"TADD", T(S32), spoil_cols, FAULT_TILE_LEGALITY, "physical"},
    {"TADD", T(S32), spoil_size, FAULT_TILE_ALLOCATION, "no row count"},
    {"TADD", T(S32), spoil_rows, FAULT_TILE_LEGALITY, "physical rows"},
    {"TADD", T(S32), spoil_type, FAULT_TILE_LEGALITY, "the source's U32"},
    {"TADD", T(S32), spoil_defined, FAULT_TILE_LEGALITY, "undefined in PE1"},
    {"TADD", T(S32), spoil_layout, FAULT_TILE_LEGALITY, "ColumnMajor"},
    {"TADD", T(S32), spoil_allocation, FAULT_TILE_LEGALITY, "not allocated"},
    {"TADD", T(S32), spoil_last, FAULT_BUNDLE, "lacks `last`"},
    {"TADD", T(S32), spoil_attribute, FAULT_TILE_LEGALITY, "RMode"},
    {"TADD", T(TF32), spoil_encoding, FAULT_NONE, ""}, /* rounds what it reads */
    {"TMAX", T(TF32), spoil_encoding, FAULT_TILE_LEGALITY, "no valid TF32: bits 0x1fff"},
    {"TMAX", T(FP32), spoil_encoding, FAULT_NONE, ""},
    {"TDIV", T(S32), spoil_nothing, FAULT_NONE, ""},
    {"TDIV", T(S32), spoil_zero, FAULT_TILE_LEGALITY, "element (0, 36) is zero"},
    {"TDIV", T(S32), spoil_padding, FAULT_NONE, ""},
    {"TDIV", T(FP32), spoil_zero, FAULT_NONE, ""},
    {"TREM", T(U32), spoil_zero, FAULT_TILE_LEGALITY, "element (0, 36) is zero"},
    {"TDIVS", T(S32), spoil_nothing, FAULT_NONE, ""},
    {"TDIVS", T(S32), spoil_scalar, FAULT_TILE_LEGALITY, "divisor of PE2 is zero"},
    {"TADDS", T(S32), spoil_scalar, FAULT_NONE, ""},
    {"TADDS", T(S32), spoil_cols, FAULT_TILE_LEGALITY, "the operation needs 1 x 37 in 128"},
    {"TCMP", T(S32), spoil_nothing, FAULT_NONE, ""},
    {"TCMP", T(S32), spoil_cmode, FAULT_TILE_LEGALITY, "CMode is 6"},
    {"TFMA", T(S32), spoil_nothing, FAULT_NONE, ""},
    {"TFMA", T(S32), spoil_mask, FAULT_TILE_LEGALITY, "another mask"},
};

static void test_faults(void **state)
{
    (void)state;
    static const uint64_t source[4] = {0x3f802000, 2, 3, 4};
    for (size_t i = 0; i < sizeof fault_cases / sizeof *fault_cases; i++) {
        const struct fault_case *c = &fault_cases[i];
        struct bench t;
        bench_open(&t);
        bench_start(&t, c->op, c->dtype);
        bind(&t, source, c->dtype);
        c->spoil(&t);
        if (c->kind == FAULT_NONE)
            bench_runs(&t);
        else
            bench_faults(&t, c->kind, c->text);
        bench_close(&t);
    }
}

/* TSEL's mask must hold predicates of the values' shape. */
static void test_select_faults(void **state)
{
    (void)state;
    struct bench t;
    static const uint64_t source[4] = {1, 2, 3};
    bench_open(&t);
    bench_start(&t, "TSEL", T(S32));
    bind(&t, source, T(S32));
    bench_faults(&t, FAULT_TILE_LEGALITY, "holds no predicates");
    bench_close(&t);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_host_environment),
        cmocka_unit_test(test_scalars_are_private),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_compare_pads),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_fold_many_rows),
        cmocka_unit_test(test_expand),
        cmocka_unit_test(test_fill_pads),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_select_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
