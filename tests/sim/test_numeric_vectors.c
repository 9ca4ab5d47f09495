/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The published numeric vectors (tests/data/pto-isa-0583-hardware-numeric-vectors.json), all groups
 * as one set, by the operations of the simulator in the profile ieee. Every group has a handler
 * which runs each of its vectors; a group or vector that nobody knows fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

#include "pto.h"
#include "sim/command.h"
#include "sim/element.h"
#include "sim/json.h"
#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

#define T(name) ISA_DataType_##name

enum { FP32 = T(FP32), STATUS = 32, PE0 = 8, U_1 = TILE_HAND_SLOTS, HAND_U = 1 };

/* ---- what vectors say ---- */

static const char *text_of(const json_t *v, const char *key)
{
    const char *text = json_string_value(json_object_get(v, key));
    if (!text)
        fail_msg("%s is missing in %s", key, json_dumps(v, 0));
    return text;
}

static unsigned type_named(const char *name)
{
    const struct isa_member *m = isa_find_member(&isa_enumerations[ISA_ENUM_DataType], name,
                                                 strlen(name), 1u << ISA_REV_0_58_3);
    if (!m)
        fail_msg("no data type %s", name);
    return (unsigned)m->value;
}

static unsigned flags_of(const json_t *names)
{
    static const char *const known[] = {"NV", "DZ", "OF", "UF", "NX"};
    unsigned flags = 0;
    size_t i;
    json_t *name;
    json_array_foreach(names, i, name) for (unsigned k = 0; k < 5;
                                            k++) if (strcmp(json_string_value(name), known[k]) == 0)
        flags |= 1u << k;
    return flags;
}

/* "2^-22", "+infinity", "qNaN#0", "-1.9". */
static double number_of(const char *text)
{
    if (strncmp(text, "2^", 2) == 0)
        return ldexp(1, atoi(text + 2));
    if (strstr(text, "NaN"))
        return (double)NAN;
    return strtod(text, NULL);
}

static uint32_t fp32_of(double x)
{
    float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return x == x ? bits : 0x7fc00000;
}

static uint32_t fp32_text(const char *text)
{
    return fp32_of(number_of(text));
}

/* Bits by 0x…, numbers as integers, or as FP32 where the type is FP32. */
static uint64_t element_of(const char *text, unsigned dtype)
{
    if (strncmp(text, "0x", 2) == 0)
        return strtoull(text, NULL, 16);
    if (dtype == FP32)
        return fp32_text(text);
    return strtoull(text, NULL, 10) & UINT64_MAX >> (64 - sim_format_of(dtype)->bits);
}

/* ---- conversions ---- */

struct outcome {
    uint64_t bits;
    unsigned flags;
};

static struct outcome converted(unsigned from, unsigned to, uint64_t element, unsigned rmode,
                                bool sat)
{
    struct bench t;
    bench_open(&t);
    struct tile *tile = bench_start_conversion(&t, "TCVT", from, to, 1, 1);
    sim_element_set(sim_format_of(from), tile->pe[0].bytes, 0, element);
    t.b.datr.rmode = (uint8_t)rmode;
    t.b.datr.sat = sat;
    bench_runs(&t);
    struct outcome o = {bench_element(&t, U_1, 0, 0, 0),
                        (unsigned)(t.s.pes[0].core_state >> STATUS)};
    bench_close(&t);
    return o;
}

static unsigned rmode_named(const char *name)
{
    static const char *const codes[] = {"NONE", "RNE", "RTZ", "RDN", "RUP", "RNA", "RTO", "RHB"};
    if (strcmp(name, "RTM") == 0) /* the scalar name of RDN */
        return 3;
    for (unsigned i = 0; i < 8; i++)
        if (strcmp(name, codes[i]) == 0)
            return i;
    fail_msg("no rounding mode %s", name);
    return 0;
}

/* Members input, destination, mode, sat, and the expected raw bits or number. */
static void conversion(const json_t *v)
{
    unsigned to = type_named(text_of(v, "destination"));
    const char *mode = json_string_value(json_object_get(v, "mode")), *expected = NULL;
    static const char *const keys[] = {"expected", "expected_raw", "expected_lane_raw"};
    for (unsigned i = 0; i < 3 && !expected; i++)
        expected = json_string_value(json_object_get(v, keys[i]));
    struct outcome o =
        converted(FP32, to, fp32_text(text_of(v, "input")), mode ? rmode_named(mode) : 0,
                  json_is_true(json_object_get(v, "sat")));
    if (!expected || o.bits != element_of(expected, to))
        fail_msg("%s: 0x%llx", json_dumps(v, 0), (unsigned long long)o.bits);
}

static void rounding_before_saturation(const json_t *v)
{
    unsigned mode = rmode_named(text_of(v, "mode"));
    struct outcome o = converted(FP32, T(S32), fp32_text(text_of(v, "input")), mode, false);
    assert_int_equal(o.bits, element_of(text_of(v, "rounded_intermediate"), T(S32)));
    conversion(v);
}

/* Quiet and signaling NaNs of FP32 become the format's; so do those of FP32 itself, from FP64. */
static void canonical_nan(const json_t *v)
{
    static const uint64_t fp32[] = {0x7fc00000, 0xffc00001, 0x7f800001, 0xff812345};
    static const uint64_t fp64[] = {0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001,
                                    0xfff0123456789abc};
    unsigned to = type_named(text_of(v, "data_type"));
    for (unsigned i = 0; i < 4; i++) {
        bool wide = to == FP32;
        struct outcome o = converted(wide ? T(FP64) : FP32, to, wide ? fp64[i] : fp32[i], 0, false);
        assert_int_equal(o.bits, element_of(text_of(v, "expected"), to));
    }
}

/* From the raw bits to FP32, and back again: all of these numbers are exact there. */
static void low_precision_encoding(const json_t *v)
{
    unsigned type = type_named(text_of(v, "data_type"));
    uint64_t raw = element_of(text_of(v, "raw"), type);
    uint32_t number = fp32_text(text_of(v, "expected"));
    assert_int_equal(converted(type, FP32, raw, 0, false).bits, number);
    assert_int_equal(converted(FP32, type, number, 0, false).bits, raw);
}

static void packed_lane_order(const json_t *v)
{
    struct bench t;
    json_t *lanes = json_object_get(v, "expected_logical_lanes");
    bench_open(&t);
    struct tile *tile = bench_start_conversion(&t, "TCVT", type_named(text_of(v, "data_type")),
                                               FP32, 1, (uint32_t)json_array_size(lanes));
    tile->pe[0].bytes[0] = (uint8_t)strtoul(text_of(v, "raw_byte"), NULL, 16);
    bench_runs(&t);
    for (uint32_t i = 0; i < json_array_size(lanes); i++)
        assert_int_equal(bench_element(&t, U_1, 0, 0, i),
                         fp32_text(json_string_value(json_array_get(lanes, i))));
    bench_close(&t);
}

static void e8m0_contract(const json_t *c)
{
    const json_t *pairs[] = {json_object_get(c, "finite_overflow"),
                             json_object_get(c, "positive_infinity"),
                             json_object_get(c, "finite_underflow")};
    static const uint32_t inputs[] = {0x7f7fffff, 0x7f800000, 1};
    static const uint32_t invalid[] = {0,          0x80000000, 0xbf800000,
                                       0xff800000, 0x7fc00000, 0x7f800001};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned sat = 0; sat < 2; sat++) {
            struct outcome o = converted(FP32, T(E8M0), inputs[i], 0, sat);
            assert_int_equal(o.bits,
                             element_of(text_of(pairs[i], sat ? "sat1_result" : "sat0_result"), 0));
            assert_int_equal(o.flags, flags_of(json_object_get(pairs[i], "flags")));
        }
    const json_t *rule = json_object_get(c, "invalid");
    assert_int_equal(json_array_size(json_object_get(rule, "inputs")), 6);
    for (unsigned i = 0; i < 6; i++) {
        struct outcome o = converted(FP32, T(E8M0), invalid[i], 0, i & 1);
        assert_int_equal(o.bits, element_of(text_of(rule, "result"), 0));
        assert_int_equal(o.flags, flags_of(json_object_get(rule, "flags")));
    }
    for (int exponent = -127; exponent <= 127; exponent++) /* rounded_base2_exponent_plus_127 */
        assert_int_equal(converted(FP32, T(E8M0), fp32_of(ldexp(1, exponent)), 0, false).bits,
                         exponent + 127);
}

static void tcvt_e8m0(const char *key, const json_t *v)
{
    size_t i;
    json_t *item;
    if (strcmp(key, "contract") == 0) {
        e8m0_contract(v);
    } else if (strcmp(key, "unsupported_source_types") == 0) {
        json_array_foreach(v, i, item)
        {
            struct bench t;
            bench_open(&t);
            bench_start_conversion(&t, "TCVT", type_named(json_string_value(item)), T(E8M0), 1, 1);
            bench_faults(&t, FAULT_TILE_LEGALITY, "does not convert to E8M0");
            bench_close(&t);
        }
    } else if (strcmp(key, "vectors") == 0) {
        json_array_foreach(v, i, item)
        {
            unsigned from = type_named(text_of(item, "source_type"));
            struct outcome o = converted(from, T(E8M0), element_of(text_of(item, "input"), from),
                                         rmode_named(text_of(item, "rmode")),
                                         json_is_true(json_object_get(item, "sat")));
            assert_int_equal(o.bits, element_of(text_of(item, "expected"), T(E8M0)));
            assert_int_equal(o.flags, flags_of(json_object_get(item, "flags")));
        }
    } else {
        fail_msg("tcvt_e8m0 has %s", key);
    }
}

/* ---- elementwise operations, reductions, sorting ---- */

static void dimensions(struct bench *t, uint32_t rows, uint32_t cols)
{
    bench_dim(t, 0, cols);
    bench_dim(t, 1, rows);
    bench_dim(t, 2, t->s.tiles->local[0].info.cols);
}

/* `op` of one element each of PE0; operands beside each other in hand T. */
static void start_binary(struct bench *t, const char *op, uint32_t left, uint32_t right)
{
    const uint32_t operands[] = {left, right};
    bench_open(t);
    for (unsigned i = 0; i < 2; i++) {
        bench_shape_tile(t, i, FP32, SIM_ROW_MAJOR, 1, 1, PE0);
        bench_place(t, i, 0, 0, 0, operands[i]);
    }
    bench_start(t, op, FP32);
    bench_iot(t, 0, 1, PE0, HAND_U, 7);
    dimensions(t, 1, 1);
}

static uint64_t binary(const char *op, uint32_t left, uint32_t right)
{
    struct bench t;
    start_binary(&t, op, left, right);
    bench_runs(&t);
    uint64_t result = bench_element(&t, U_1, 0, 0, 0);
    bench_close(&t);
    return result;
}

static uint32_t input(const json_t *v, size_t i)
{
    return fp32_text(json_string_value(json_array_get(json_object_get(v, "inputs"), i)));
}

static void comparison(const json_t *v)
{
    static const char *const modes[] = {"EQ", "NE", "LT", "GT", "LE", "GE"};
    struct bench t;
    uint8_t cmode = 0;
    while (cmode < 6 && strcmp(modes[cmode], text_of(v, "mode")) != 0)
        cmode++;
    start_binary(&t, "TCMP", input(v, 0), input(v, 1));
    t.b.datr = (struct bundle_datr){
        .present = true, .data_type = T(DTYPE_NONE), .pad = SIM_PAD_NULL, .cmode = cmode};
    bench_runs(&t);
    assert_int_equal(t.s.tiles->local[U_1].pe[0].bytes[0] & 1,
                     json_integer_value(json_object_get(v, "expected")));
    bench_close(&t);
}

static void signed_zero(const json_t *v)
{
    static const char *const names[][2] = {
        {"multiply", "TMUL"}, {"add", "TADD"}, {"minimum", "TMIN"}, {"maximum", "TMAX"}};
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(names[i][0], text_of(v, "operation")) == 0) {
            assert_int_equal(binary(names[i][1], input(v, 0), input(v, 1)),
                             element_of(text_of(v, "expected"), FP32));
            return;
        }
    fail_msg("operation %s", text_of(v, "operation"));
}

/* By rows and by columns. */
static void reduction(const json_t *v)
{
    uint32_t count = (uint32_t)json_array_size(json_object_get(v, "inputs"));
    const char *expected = json_string_value(json_object_get(v, "expected"));
    for (unsigned by_column = 0; by_column < 2; by_column++) {
        struct bench t;
        char name[16];
        snprintf(name, sizeof name, "T%s%s", by_column ? "COL" : "ROW", text_of(v, "operation"));
        bench_open(&t);
        bench_shape_tile(&t, 0, FP32, SIM_ROW_MAJOR, by_column ? count : 1, by_column ? 1 : count,
                         PE0);
        for (uint32_t i = 0; i < count; i++)
            bench_place(&t, 0, 0, by_column ? i : 0, by_column ? 0 : i, input(v, i));
        bench_start(&t, name, FP32);
        bench_iot(&t, 0, -1, PE0, HAND_U, 7);
        dimensions(&t, by_column ? count : 1, by_column ? 1 : count);
        bench_runs(&t);
        uint64_t result = bench_element(&t, U_1, 0, 0, 0);
        if (expected)
            assert_int_equal(result, fp32_text(expected));
        else
            assert_int_equal(result, json_integer_value(json_object_get(v, "expected_index")));
        bench_close(&t);
    }
}

static void sort(const json_t *v)
{
    static const char *const keys[] = {"ascending_expected_original_indices",
                                       "descending_expected_original_indices"};
    const json_t *values = json_object_get(v, "input_values");
    uint32_t count = (uint32_t)json_array_size(values);
    for (unsigned descending = 0; descending < 2; descending++) {
        const json_t *order = json_object_get(v, keys[descending]);
        struct bench t;
        bench_open(&t);
        bench_shape_tile(&t, 0, type_named(text_of(v, "data_type")), SIM_ROW_MAJOR, 1, count, PE0);
        for (uint32_t i = 0; i < count; i++)
            bench_place(&t, 0, 0, 0, i, fp32_text(json_string_value(json_array_get(values, i))));
        bench_start(&t, "TSORT", FP32);
        bench_iot(&t, 0, -1, PE0, HAND_U, 7);
        bench_iot(&t, -1, -1, PE0, HAND_U, 7);
        bench_ior(&t, 0, descending, descending, descending, descending);
        bench_runs(&t);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t index = (uint32_t)json_integer_value(json_array_get(order, i));
            assert_int_equal(bench_element(&t, U_1 + 1, 0, 0, i), index);
            assert_int_equal(bench_element(&t, U_1, 0, 0, i),
                             fp32_text(json_string_value(json_array_get(values, index))));
        }
        bench_close(&t);
    }
}

/* ---- EXPDIF of mixed types ---- */

static void start_expdif(struct bench *t, const char *op, unsigned from, unsigned to, uint64_t a,
                         uint64_t b)
{
    bench_open(t);
    bench_shape_tile(t, 0, from, SIM_ROW_MAJOR, 1, 1, PE0);
    bench_shape_tile(t, 1, from, SIM_ROW_MAJOR, 1, 1, PE0);
    bench_place(t, 0, 0, 0, 0, a);
    bench_place(t, 1, 0, 0, 0, b);
    bench_start(t, op, from);
    bench_iot(t, 0, 1, PE0, HAND_U, from == to ? 7 : 8);
    dimensions(t, 1, 1);
    t->b.datr =
        (struct bundle_datr){.present = true, .data_type = (uint8_t)to, .pad = SIM_PAD_NULL};
}

static struct outcome expdif(const char *op, unsigned from, unsigned to, uint64_t a, uint64_t b)
{
    struct bench t;
    start_expdif(&t, op, from, to, a, b);
    bench_runs(&t);
    struct outcome o = {bench_element(&t, U_1, 0, 0, 0),
                        (unsigned)(t.s.pes[0].core_state >> STATUS)};
    bench_close(&t);
    return o;
}

static const char *const expdif_ops[] = {"TROWEXPANDEXPDIF", "TCOLEXPANDEXPDIF"};

static void accepted_operations(const json_t *v)
{
    assert_int_equal(json_array_size(v), 2);
    for (unsigned i = 0; i < 2; i++)
        assert_string_equal(json_string_value(json_array_get(v, i)), expdif_ops[i]);
}

/* Every pair of floats is accepted or refused as the list says. */
static void accepted_pairs(const json_t *v)
{
    static const uint8_t types[] = {T(FP64), T(FP32), T(TF32), T(HF32), T(FP16),
                                    T(BF16), T(HiF8), T(E4M3), T(E5M2)};
    size_t k;
    json_t *pair;
    for (size_t i = 0; i < sizeof types * sizeof types; i++) {
        unsigned from = types[i / sizeof types], to = types[i % sizeof types];
        bool listed = false;
        json_array_foreach(v, k, pair) listed |=
            type_named(json_string_value(json_array_get(pair, 0))) == from &&
            type_named(json_string_value(json_array_get(pair, 1))) == to;
        for (unsigned op = 0; op < 2; op++) {
            struct bench t;
            start_expdif(&t, expdif_ops[op], from, to, 0, 0);
            if (listed)
                bench_runs(&t);
            else
                bench_faults(&t, FAULT_TILE_LEGALITY, "");
            bench_close(&t);
        }
    }
}

static void discriminators(const json_t *v)
{
    size_t i;
    json_t *item;
    json_array_foreach(v, i, item)
    {
        unsigned from = type_named(text_of(item, "source_type"));
        uint64_t a = element_of(text_of(item, "a"), from), b = element_of(text_of(item, "b"), from);
        uint32_t wide_a = (uint32_t)converted(from, FP32, a, 0, false).bits;
        uint32_t wide_b = (uint32_t)converted(from, FP32, b, 0, false).bits;
        assert_int_equal(binary("TSUB", wide_a, wide_b),
                         element_of(text_of(item, "widen_first_sub"), FP32));
        for (unsigned op = 0; op < 2; op++)
            assert_int_equal(expdif(expdif_ops[op], from, FP32, a, b).bits,
                             element_of(text_of(item, "widen_first_exp"), FP32));
    }
}

static uint32_t defined_fp16(unsigned bits)
{
    double fraction = bits & 0x3ff, sign = bits & 0x8000 ? -1 : 1;
    int exponent = bits >> 10 & 31;
    double value = exponent == 31 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return fp32_of(sign * value);
}

static void exact_widening(const json_t *v)
{
    assert_false(json_is_true(json_object_get(json_object_get(v, "FP16"), "inexact_flag")));
    for (unsigned bits = 0; bits < 0x10000; bits += 0x1b) { /* all exponents, both signs */
        struct outcome half = converted(T(FP16), FP32, bits, 0, false);
        struct outcome bf16 = converted(T(BF16), FP32, bits, 0, false);
        bool nan = (bits & 0x7fff) > 0x7f80;
        assert_int_equal(half.bits, defined_fp16(bits));
        assert_int_equal(bf16.bits, nan ? 0x7fc00000 : bits << 16);
        assert_int_equal((half.flags | bf16.flags) & FLOAT_INEXACT, 0);
    }
}

/* e^(a - b): overflow, underflow, an invalid difference and a signaling NaN report. */
static void sub_exp_status(void)
{
    static const struct {
        uint32_t a, b, result;
        unsigned flags;
    } rows[] = {
        {0x3f800000, 0x3f800000, 0x3f800000, 0},                     /* e^0 */
        {0x43480000, 0, 0x7f800000, FLOAT_OVERFLOW | FLOAT_INEXACT}, /* e^200 */
        {0xc3480000, 0, 0, FLOAT_UNDERFLOW | FLOAT_INEXACT},         /* e^-200 */
        {0x7f800000, 0x7f800000, 0x7fc00000, FLOAT_INVALID},         /* infinity - infinity */
        {0x7f800001, 0, 0x7fc00000, FLOAT_INVALID},
        {0x7fc12345, 0, 0x7fc00000, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned op = 0; op < 2; op++) {
            struct outcome o = expdif(expdif_ops[op], FP32, FP32, rows[i].a, rows[i].b);
            assert_int_equal(o.bits, rows[i].result);
            assert_int_equal(o.flags, rows[i].flags);
        }
}

static void mixed_expdif(const char *key, const json_t *v)
{
    if (strcmp(key, "accepted_operations") == 0)
        accepted_operations(v);
    else if (strcmp(key, "accepted_source_destination_pairs") == 0)
        accepted_pairs(v);
    else if (strcmp(key, "discriminator_vectors") == 0)
        discriminators(v);
    else if (strcmp(key, "exact_widening") == 0)
        exact_widening(v);
    else if (strcmp(key, "fp32_sub_exp") == 0)
        sub_exp_status();
    else if (strcmp(key, "pipeline") != 0) /* which the discriminators show */
        fail_msg("mixed_expdif has %s", key);
}

/* ---- matrix operations ---- */

enum { A = 16, B, C, BIAS, A_SCALE, B_SCALE, N_1 = 48, HAND_N = 3, CAPACITY_CODE = 7 };

static void start_matrix(struct bench *t, const char *op, unsigned left, unsigned right, uint32_t m,
                         uint32_t n, uint32_t k)
{
    bench_start(t, op, left);
    t->b.klass = BUNDLE_MATRIX;
    t->b.fpatr.present = true;
    bench_dim(t, 0, m);
    bench_dim(t, 1, n);
    bench_dim(t, 2, k);
    if (left != right)
        t->b.datr = (struct bundle_datr){.present = true, .data_type = (uint8_t)right};
}

static void place_text(struct bench *t, unsigned slot, uint32_t row, uint32_t col,
                       const json_t *text)
{
    bench_place(t, slot, 0, row, col, fp32_text(json_string_value(text)));
}

static void place_rows(struct bench *t, unsigned slot, const json_t *rows)
{
    for (uint32_t r = 0; r < json_array_size(rows); r++)
        for (uint32_t c = 0; c < json_array_size(json_array_get(rows, r)); c++)
            place_text(t, slot, r, c, json_array_get(json_array_get(rows, r), c));
}

static void product_2x2(const json_t *v)
{
    struct bench t;
    bench_open(&t);
    bench_shape_tile(&t, A, FP32, SIM_CUBE_M16, 2, 2, PE0);
    bench_shape_tile(&t, B, FP32, SIM_CUBE_N8, 2, 2, PE0);
    place_rows(&t, A, json_object_get(v, "left"));
    place_rows(&t, B, json_object_get(v, "right"));
    start_matrix(&t, "TMATMUL", FP32, FP32, 2, 2, 2);
    bench_iot(&t, A, B, PE0, HAND_N, CAPACITY_CODE);
    bench_runs(&t);
    const json_t *expected = json_object_get(v, "expected");
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(
            bench_element(&t, N_1, 0, i / 2, i % 2),
            fp32_text(json_string_value(json_array_get(json_array_get(expected, i / 2), i % 2))));
    bench_close(&t);
}

/* The dot products as 1 x 1 times 1 x N, with a bias or a prior accumulator. */
static void product_and_row(const json_t *v, const char *op, const char *key)
{
    struct bench t;
    const json_t *products = json_object_get(v, "dot_products"), *row = json_object_get(v, key);
    const json_t *expected = json_object_get(v, "expected_acc");
    uint32_t n = (uint32_t)json_array_size(products);
    bool bias = strcmp(key, "bias") == 0;
    bench_open(&t);
    bench_shape_tile(&t, A, FP32, SIM_CUBE_M16, 1, 1, PE0);
    bench_shape_tile(&t, B, FP32, SIM_CUBE_N8, 1, n, PE0);
    bench_shape_tile(&t, bias ? BIAS : C, FP32, bias ? SIM_ROW_MAJOR : SIM_CUBE_M16, 1, n, PE0);
    bench_place(&t, A, 0, 0, 0, fp32_of(1));
    for (uint32_t i = 0; i < n; i++) {
        place_text(&t, B, 0, i, json_array_get(products, i));
        place_text(&t, bias ? BIAS : C, 0, i, json_array_get(row, i));
    }
    start_matrix(&t, op, FP32, FP32, 1, n, 1);
    bench_iot(&t, bias ? A : C, bias ? B : A, PE0, 0, 0);
    bench_iot(&t, bias ? BIAS : B, -1, PE0, HAND_N, CAPACITY_CODE);
    bench_runs(&t);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(bench_element(&t, N_1, 0, 0, i),
                         fp32_text(json_string_value(json_array_get(expected, i))));
    bench_close(&t);
}

struct scaled { /* 1 x K times K x 1 with block scales */
    unsigned left, right, k;
    uint8_t scale_a[2], scale_b[2];
};

/* first, last: slots of C and BIAS, or -1. */
static uint64_t scaled_product(const struct scaled *p, const char *op, uint64_t left,
                               uint64_t right, int first, int last, uint32_t extra)
{
    struct bench t;
    uint32_t blocks = (p->k + 31) / 32;
    bench_open(&t);
    bench_shape_tile(&t, A, p->left, SIM_CUBE_M16, 1, p->k, PE0);
    bench_shape_tile(&t, B, p->right, SIM_CUBE_N8, p->k, 1, PE0);
    bench_shape_tile(&t, A_SCALE, T(E8M0), SIM_ROW_MAJOR, 1, blocks, PE0);
    bench_shape_tile(&t, B_SCALE, T(E8M0), SIM_ROW_MAJOR, blocks, 1, PE0);
    bench_shape_tile(&t, C, FP32, SIM_CUBE_M16, 1, 1, PE0);
    bench_shape_tile(&t, BIAS, FP32, SIM_ROW_MAJOR, 1, 1, PE0);
    bench_place(&t, C, 0, 0, 0, extra);
    bench_place(&t, BIAS, 0, 0, 0, extra);
    for (uint32_t k = 0; k < p->k; k++) {
        bench_place(&t, A, 0, 0, k, left);
        bench_place(&t, B, 0, k, 0, right);
    }
    for (uint32_t i = 0; i < blocks; i++) {
        bench_place(&t, A_SCALE, 0, 0, i, p->scale_a[i]);
        bench_place(&t, B_SCALE, 0, i, 0, p->scale_b[i]);
    }
    start_matrix(&t, op, p->left, p->right, 1, 1, p->k);
    if (first >= 0)
        bench_iot(&t, first, -1, PE0, 0, 0);
    bench_iot(&t, A, A_SCALE, PE0, 0, 0);
    bench_iot(&t, B, B_SCALE, PE0, 0, 0);
    bench_iot(&t, last, -1, PE0, HAND_N, CAPACITY_CODE);
    bench_runs(&t);
    uint64_t result = bench_element(&t, N_1, 0, 0, 0);
    bench_close(&t);
    return result;
}

/* The base is an E4M3 number, the other side a one with scale one. */
static void mx_scale(const json_t *v)
{
    struct scaled p = {T(E4M3), T(E4M3), 1, {(uint8_t)element_of(text_of(v, "e8m0"), 0)}, {0x7f}};
    uint64_t base = converted(FP32, T(E4M3), fp32_text(text_of(v, "base")), 0, false).bits;
    assert_int_equal(scaled_product(&p, "TMATMUL_MX", base, 0x38, -1, -1, 0),
                     fp32_text(text_of(v, "expected")));
}

static void mx_blocks(const json_t *v)
{
    struct scaled p = {type_named(text_of(v, "left_type")),
                       type_named(text_of(v, "right_type")),
                       (unsigned)json_word_at(json_object_get(v, "logical_shape"), "K", 0),
                       {0},
                       {0}};
    for (size_t i = 0; i < 2; i++) {
        p.scale_a[i] = (uint8_t)element_of(
            json_string_value(json_array_get(json_object_get(v, "scale_a"), i)), 0);
        p.scale_b[i] = (uint8_t)element_of(
            json_string_value(json_array_get(json_object_get(v, "scale_b"), i)), 0);
    }
    uint64_t left = element_type_of(p.left)->one, right = element_type_of(p.right)->one;
    assert_int_equal(scaled_product(&p, "TMATMUL_MX", left, right, -1, -1, 0),
                     fp32_text(text_of(v, "expected_acc")));
    assert_int_equal(scaled_product(&p, "TMATMUL_MX_BIAS", left, right, -1, BIAS, fp32_of(2)),
                     fp32_text(text_of(v, "expected_acc_with_bias_2")));
    assert_int_equal(scaled_product(&p, "TMATMUL_MX_ACC", left, right, C, -1, fp32_of(3)),
                     fp32_text(text_of(v, "expected_acc_with_prior_3")));
}

static void matrix(const json_t *v)
{
    const char *id = text_of(v, "id");
    if (strcmp(id, "fp32-matmul-2x2") == 0)
        product_2x2(v);
    else if (strcmp(id, "fp32-matmul-bias") == 0)
        product_and_row(v, "TMATMUL_BIAS", "bias");
    else if (strcmp(id, "fp32-matmul-acc") == 0)
        product_and_row(v, "TMATMUL_ACC", "prior_acc");
    else if (strcmp(id, "mx-e8m0-scale") == 0)
        mx_scale(v);
    else if (strcmp(id, "mx-k-block-33") == 0)
        mx_blocks(v);
    else
        fail_msg("matrix vector %s", id);
}

/* FP19 as a parameter word has it: sign, eight exponent bits, ten fraction bits. */
static uint64_t fp19(const json_t *v, const char *key, const char *absent)
{
    const char *text = json_string_value(json_object_get(v, key));
    return fp32_text(text ? text : absent) >> 13;
}

/* 1 x 1 x 1: the input is the accumulator C, to which zero is added. */
static void matrix_postprocess(const json_t *v)
{
    enum { SCALE_AT = 13, OFFSET_AT = 37, OFFSET_BITS = 0x1ff };
    const char *source = json_string_value(json_object_get(v, "source_type"));
    const char *raw = json_string_value(json_object_get(v, "input_raw"));
    const char *offset = json_string_value(json_object_get(v, "signed_offset"));
    unsigned acc = source ? type_named(source) : FP32, in = acc == FP32 ? FP32 : T(S16);
    struct bench t;
    bench_open(&t);
    bench_shape_tile(&t, C, acc, SIM_CUBE_M16, 1, 1, PE0);
    bench_shape_tile(&t, A, in, SIM_CUBE_M16, 1, 1, PE0);
    bench_shape_tile(&t, B, in, SIM_CUBE_N8, 1, 1, PE0);
    bench_place(&t, C, 0, 0, 0, element_of(raw ? raw : text_of(v, "input"), acc));
    bench_place(&t, A, 0, 0, 0, 0);
    bench_place(&t, B, 0, 0, 0, 0);
    start_matrix(&t, "TMATMUL_ACC", in, in, 1, 1, 1);
    t.b.fpatr.pre_quant_mode = (uint8_t)json_word_at(v, "mode", 0);
    t.b.fpatr.relu_mode = (uint8_t)json_word_at(v, "relu_mode", 0);
    if (json_is_true(json_object_get(v, "sat")))
        t.b.datr = (struct bundle_datr){.present = true, .data_type = (uint8_t)in, .sat = true};
    uint64_t word = fp19(v, "fp19_scale", "1") << SCALE_AT |
                    (strtoull(offset ? offset : "0", NULL, 10) & OFFSET_BITS) << OFFSET_AT;
    bench_ior(&t, 0, word, word, word, word);
    if (t.b.fpatr.relu_mode) {
        word = fp19(v, "fp19_alpha", "0");
        bench_ior(&t, 1, word, word, word, word);
    }
    bench_iot(&t, C, A, PE0, 0, 0);
    bench_iot(&t, B, -1, PE0, HAND_N, CAPACITY_CODE);
    bench_runs(&t);
    unsigned destination = t.s.tiles->local[N_1].info.dtype;
    assert_int_equal(destination, type_named(text_of(v, "destination")));
    assert_int_equal(bench_element(&t, N_1, 0, 0, 0),
                     element_of(text_of(v, "expected_raw"), destination));
    assert_int_equal(t.s.pes[0].core_state >> STATUS,
                     flags_of(json_object_get(v, "expected_flags")));
    bench_close(&t);
}

/* ---- which rounding ---- */

/* A program's end of run; the caller destroys both. */
struct program {
    struct pto *context;
    struct pto_object *object, *image;
    struct pto_sim *sim;
};

static bool open_program(struct program *p, const char *text)
{
    *p = (struct program){.context = pto_create(NULL)};
    p->object = pto_assemble(p->context, "vector.pto", text, strlen(text));
    if (!p->object)
        return false;
    p->image = pto_link(p->context, (const struct pto_object *[]){p->object}, 1, NULL);
    assert_non_null(p->image);
    p->sim = pto_sim_create(p->context, p->image, &(struct pto_sim_options){.pes = 1});
    assert_non_null(p->sim);
    return true;
}

static void close_program(struct program *p)
{
    pto_sim_destroy(p->sim);
    pto_object_destroy(p->image);
    pto_object_destroy(p->object);
    pto_destroy(p->context);
}

/* 1 + 3/4 of the last place, and its negative: each directed mode rounds its own pair of ways. */
static void scalar_rounding(const json_t *v)
{
    enum { RM_BIT = 37, ONE = 0x3f800000, PART = 0x33c00000, SIGN = (int)0x80000000 };
    static const char text[] = "_start: BSTART.SYS FALL\n ssrset a0, CORE_STATE\n BSTOP\n"
                               " fadd.fs a1, a2, ->a3\n fadd.fs a4, a5, ->a6\n";
    static const struct {
        const char *mode;
        unsigned up, down; /* last places that positive and negative sums gain */
    } modes[] = {{"RNE", 1, 1}, {"RTM", 0, 1}, {"RTP", 1, 0}, {"RTZ", 0, 0}};
    struct program p;
    uint64_t positive = 0, negative = 0;
    assert_true(open_program(&p, text));
    pto_sim_set_register(p.sim, "a0", json_word_at(v, "raw", 0) << RM_BIT);
    pto_sim_set_register(p.sim, "a1", ONE);
    pto_sim_set_register(p.sim, "a2", PART);
    pto_sim_set_register(p.sim, "a4", (uint32_t)SIGN | ONE);
    pto_sim_set_register(p.sim, "a5", (uint32_t)SIGN | PART);
    if (pto_sim_run(p.sim) != PTO_ENDED)
        fail_msg("%s", pto_sim_report(p.sim));
    pto_sim_get_register(p.sim, "a3", &positive);
    pto_sim_get_register(p.sim, "a6", &negative);
    close_program(&p);
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(modes[i].mode, text_of(v, "expected_mode")) == 0) {
            assert_int_equal((uint32_t)positive, ONE + modes[i].up);
            assert_int_equal((uint32_t)negative, ((uint32_t)SIGN | ONE) + modes[i].down);
            return;
        }
    fail_msg("scalar mode %s", text_of(v, "expected_mode"));
}

/* Numbers on which no two modes of B.DATR agree. */
static const char *const telling[] = {"2.5", "-2.5", "3.5", "1.1", "-1.1", "2.25", "-2.25"};
enum { TELLING = sizeof telling / sizeof *telling };

/* What tcvt of PTO-AS makes of a number with a rounding by its public name; false: it is refused.
 */
static bool public_conversion(const char *name, const char *number, uint32_t *result)
{
    enum { T_2 = 1 };
    char text[600];
    struct program p;
    snprintf(text, sizeof text,
             "func.func @_start() {\n %%k = arith.constant %s : f32\n"
             " %%s = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>\n"
             " pto.texpands ins(%%k : f32) outs(%%s : !pto.tile_buf<vec, 8x16xf32>)\n"
             " %%d = pto.alloc_tile : !pto.tile_buf<vec, 8x16xi32>\n"
             " pto.tcvt ins(%%s{rmode = #pto<round_mode %s>} : !pto.tile_buf<vec, 8x16xf32>)"
             " outs(%%d : !pto.tile_buf<vec, 8x16xi32>)\n return\n}\n",
             number, name);
    bool accepted = open_program(&p, text);
    if (accepted) {
        const void *npy;
        size_t size;
        if (pto_sim_run(p.sim) != PTO_ENDED)
            fail_msg("%s", pto_sim_report(p.sim));
        assert_null(pto_sim_dump_tile(p.sim, "T#2", &npy, &size));
        memcpy(result, (const uint8_t *)npy + size - sizeof *result, sizeof *result);
    }
    close_program(&p);
    return accepted;
}

/* PTO-AS writes the names without CAST_ (with it, CAST_RINT). */
static void public_rounding(const json_t *v)
{
    const char *name = json_string_value(json_object_get(v, "public_name"));
    uint32_t result;
    if (!name) {
        assert_string_equal(text_of(v, "expected"), "reject-before-effects");
        assert_false(public_conversion("7", telling[0], &result));
        assert_false(public_conversion("HYBRID", telling[0], &result));
        return;
    }
    unsigned rmode = (unsigned)json_word_at(v, "bundle_rmode", 8);
    for (unsigned i = 0; i < TELLING; i++) {
        assert_true(public_conversion(name + strlen("CAST_"), telling[i], &result));
        assert_int_equal(result, converted(FP32, T(S32), fp32_text(telling[i]), rmode, false).bits);
    }
}

static void bundle_rounding(const json_t *v)
{
    assert_string_equal(text_of(v, "operation"), "TCVT-float-to-integer");
    unsigned raw = (unsigned)json_word_at(v, "raw", 8);
    for (unsigned i = 0; i < TELLING; i++)
        assert_int_equal(converted(FP32, T(S32), fp32_text(telling[i]), raw, false).bits,
                         converted(FP32, T(S32), fp32_text(telling[i]),
                                   rmode_named(text_of(v, "expected_mode")), false)
                             .bits);
}

static void rounding_selection(const json_t *v)
{
    const char *space = text_of(v, "namespace");
    if (strcmp(space, "scalar-core-state-frm") == 0)
        scalar_rounding(v);
    else if (strcmp(space, "bundle-rmode") == 0)
        bundle_rounding(v);
    else if (strcmp(space, "public-conversion") == 0)
        public_rounding(v);
    else
        fail_msg("namespace %s", space);
}

/* ---- subnormal numbers ---- */

static bool accepts_option(const char *option)
{
    struct command command;
    struct mem mem = mem_default();
    struct arena *arena = arena_create(&mem);
    char *arguments[] = {(char *)"pto-sim", (char *)option, (char *)"program", NULL};
    bool accepted = command_parse(&command, &mem, arena, 3, arguments);
    command_free(&command);
    arena_destroy(arena);
    return accepted;
}

/* Nothing can ask for flushing: no option, no bit of CORE_STATE. */
static void subnormal_configuration(const json_t *v)
{
    enum { SMALLEST = 1, ONE = 0x3f800000 };
    if (strcmp(text_of(v, "expected"), "accept") == 0) {
        assert_true(accepts_option("--profile=ieee"));
        assert_int_equal(binary("TMUL", SMALLEST, ONE), SMALLEST);
        return;
    }
    static const char *const options[] = {"--ftz", "--daz", "--profile=ftz", "--profile=daz"};
    for (unsigned i = 0; i < 4; i++)
        assert_false(accepts_option(options[i]));
    struct bench t;
    start_binary(&t, "TMUL", SMALLEST, ONE);
    t.s.pes[0].core_state = UINT64_MAX;
    bench_runs(&t);
    assert_int_equal(bench_element(&t, U_1, 0, 0, 0), SMALLEST);
    bench_close(&t);
}

static void subnormal_number(const json_t *v)
{
    enum { ONE = 0x3f800000, HALF = 0x3f000000, NORMAL = 0x00800000 };
    uint32_t raw = (uint32_t)element_of(text_of(v, "raw"), FP32);
    const char *klass = text_of(v, "expected_class");
    assert_true(strcmp(klass, "positive-subnormal") == 0 ? raw > 0 && raw < NORMAL : raw == NORMAL);
    assert_int_equal(binary("TMUL", raw, ONE), raw);      /* the source keeps its value */
    assert_int_equal(binary("TMUL", 2 * raw, HALF), raw); /* and so does the result */
    if (raw != NORMAL)
        return;
    /* 2^-126 times 1 - 2^-24 has 24 digits and is tiny; times 1 - 2^-53 it rounds up first. */
    struct outcome tiny = converted(T(FP64), FP32, UINT64_C(0x380fffffe0000000), 0, false);
    struct outcome rounded = converted(T(FP64), FP32, UINT64_C(0x380fffffffffffff), 0, false);
    assert_int_equal(tiny.bits, NORMAL);
    assert_int_equal(tiny.flags, FLOAT_UNDERFLOW | FLOAT_INEXACT);
    assert_int_equal(rounded.bits, NORMAL);
    assert_int_equal(rounded.flags, FLOAT_INEXACT);
}

static void subnormal_policy(const json_t *v)
{
    if (json_object_get(v, "raw"))
        subnormal_number(v);
    else
        subnormal_configuration(v);
}

/* ---- groups ---- */

struct group {
    const char *name;
    unsigned count;
    void (*item)(const json_t *vector);                   /* groups that are lists */
    void (*member)(const char *key, const json_t *value); /* and objects */
};

static const struct group groups[] = {
    {"canonical_nan", 10, canonical_nan, NULL},
    {"comparison", 4, comparison, NULL},
    {"invalid_float_to_integer", 6, conversion, NULL},
    {"low_precision_encoding", 24, low_precision_encoding, NULL},
    {"matrix", 5, matrix, NULL},
    {"matrix_postprocess", 8, matrix_postprocess, NULL},
    {"mixed_expdif", 6, NULL, mixed_expdif},
    {"packed_lane_order", 3, packed_lane_order, NULL},
    {"reduction", 4, reduction, NULL},
    {"rounding", 14, conversion, NULL},
    {"rounding_before_saturation", 2, rounding_before_saturation, NULL},
    {"rounding_selection", 15, rounding_selection, NULL},
    {"saturation", 5, conversion, NULL},
    {"signed_zero", 4, signed_zero, NULL},
    {"sort", 1, sort, NULL},
    {"subnormal_policy", 7, subnormal_policy, NULL},
    {"tcvt_e8m0", 3, NULL, tcvt_e8m0},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static json_t *read_groups(void)
{
    char path[4096];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/data/pto-isa-0583-hardware-numeric-vectors.json",
             srcdir ? srcdir : ".");
    json_error_t error;
    json_t *file = json_load_file(path, 0, &error);
    if (!file)
        fail_msg("%s: %s", path, error.text);
    return file;
}

static void run_group(void **state)
{
    const struct group *g = *state;
    json_t *file = read_groups(), *value;
    const json_t *vectors = json_object_get(json_object_get(file, "vector_groups"), g->name);
    size_t i, count = g->item ? json_array_size(vectors) : json_object_size(vectors);
    const char *key;
    assert_int_equal(count, g->count);
    if (g->item)
        json_array_foreach(vectors, i, value) g->item(value);
    else
        json_object_foreach((json_t *)vectors, key, value) g->member(key, value);
    printf("# %s: %zu vectors\n", g->name, count);
    json_decref(file);
}

static void all_groups_are_known(void **state)
{
    (void)state;
    json_t *file = read_groups(), *value;
    const char *key;
    unsigned found = 0;
    json_object_foreach(json_object_get(file, "vector_groups"), key,
                        value) for (unsigned i = 0; i < GROUPS; i++) found +=
        strcmp(groups[i].name, key) == 0;
    assert_int_equal(json_object_size(json_object_get(file, "vector_groups")), GROUPS);
    assert_int_equal(found, GROUPS);
    json_decref(file);
}

int main(void)
{
    struct CMUnitTest tests[GROUPS + 1] = {cmocka_unit_test(all_groups_are_known)};
    for (unsigned i = 0; i < GROUPS; i++)
        tests[i + 1] = (struct CMUnitTest){
            .name = groups[i].name, .test_func = run_group, .initial_state = (void *)&groups[i]};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("numeric vectors", tests, NULL, NULL);
}
