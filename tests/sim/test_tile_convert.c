/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TMOV with conversion against tests/data/tmov: whole tiles, byte for byte.
 * The expected bytes come from outside (the JSON files say from where): NAME.hw.bin
 * holds the hardware's quantisation formula where it differs from NAME.dst.bin.
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
// clang-format on

#include <jansson.h>

#include "tests/sim/tile_bench.h"

enum { UNWRITTEN = 0xA5, VECTOR = 1, SCALAR = 2 };

struct dtype_name {
    const char *name;
    uint8_t code;
};
static const struct dtype_name dtypes[] = {
    {"f32", ISA_DataType_FP32}, {"f16", ISA_DataType_FP16}, {"bf16", ISA_DataType_BF16},
    {"i8", ISA_DataType_S8},    {"ui8", ISA_DataType_U8},   {"i16", ISA_DataType_S16},
    {"i32", ISA_DataType_S32},  {"ui64", ISA_DataType_U64},
};

static uint8_t dtype_of(const char *name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (strcmp(dtypes[i].name, name) == 0)
            return dtypes[i].code;
    fail_msg("data type %s", name);
    return 0;
}

static uint8_t major_of(const char *name)
{
    return strcmp(name, "row_major") == 0   ? OBJ_ROW_MAJOR
           : strcmp(name, "col_major") == 0 ? OBJ_COL_MAJOR
                                            : OBJ_NONE_BOX;
}

static struct obj_tile record_of(const json_t *type, const char *name, uint8_t ordinal)
{
    struct obj_tile t = {.name = name, .type = "", .input = true, .ordinal = ordinal};
    int rows, cols, v_rows, v_cols, fractal;
    const char *dtype, *blayout, *slayout;
    json_t *copy = json_deep_copy(type);
    assert_int_equal(json_unpack(copy, "{s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:i}", "dtype", &dtype,
                                 "rows", &rows, "cols", &cols, "v_row", &v_rows, "v_col", &v_cols,
                                 "blayout", &blayout, "slayout", &slayout, "fractal", &fractal),
                     0);
    t.dtype = dtype_of(dtype);
    t.rows = (uint32_t)rows, t.cols = (uint32_t)cols;
    t.v_rows = (uint32_t)v_rows, t.v_cols = (uint32_t)v_cols;
    t.blayout = major_of(blayout), t.slayout = major_of(slayout);
    t.fractal = (uint16_t)fractal;
    json_decref(copy);
    return t;
}

static char *data_path(struct arena *a, const char *name, const char *suffix)
{
    const char *dir = getenv("srcdir");
    return arena_printf(a, "%s/tests/data/tmov/%s%s", dir ? dir : ".", name, suffix);
}

static const uint8_t *data_of(struct bench *t, const char *name, const char *suffix, size_t *size)
{
    const char *error;
    return (const uint8_t *)file_read(t->s.arena, data_path(t->s.arena, name, suffix), size,
                                      &error);
}

/* The B.DATR code for a pair of layouts; NORM when nothing changes. */
static unsigned layout_code(const struct obj_tile *from, const struct obj_tile *to)
{
    static const struct {
        uint8_t from_b, from_s, to_b, to_s, code;
    } pairs[] = {
        {OBJ_ROW_MAJOR, OBJ_NONE_BOX, OBJ_COL_MAJOR, OBJ_NONE_BOX, ISA_TileLayout_ND2DN},
        {OBJ_ROW_MAJOR, OBJ_NONE_BOX, OBJ_COL_MAJOR, OBJ_ROW_MAJOR, ISA_TileLayout_ND2NZ},
        {OBJ_ROW_MAJOR, OBJ_NONE_BOX, OBJ_ROW_MAJOR, OBJ_COL_MAJOR, ISA_TileLayout_ND2ZN},
        {OBJ_ROW_MAJOR, OBJ_NONE_BOX, OBJ_ROW_MAJOR, OBJ_ROW_MAJOR, ISA_TmovLayout_ND2ZZ},
        {OBJ_ROW_MAJOR, OBJ_NONE_BOX, OBJ_COL_MAJOR, OBJ_COL_MAJOR, ISA_TmovLayout_ND2NN},
        {OBJ_COL_MAJOR, OBJ_ROW_MAJOR, OBJ_ROW_MAJOR, OBJ_NONE_BOX, ISA_TileLayout_NZ2ND},
        {OBJ_COL_MAJOR, OBJ_ROW_MAJOR, OBJ_COL_MAJOR, OBJ_NONE_BOX, ISA_TileLayout_NZ2DN},
        {OBJ_COL_MAJOR, OBJ_ROW_MAJOR, OBJ_ROW_MAJOR, OBJ_ROW_MAJOR, ISA_TmovLayout_NZ2ZZ},
        {OBJ_COL_MAJOR, OBJ_ROW_MAJOR, OBJ_ROW_MAJOR, OBJ_COL_MAJOR, ISA_TileLayout_NZ2ZN},
        {OBJ_ROW_MAJOR, OBJ_COL_MAJOR, OBJ_COL_MAJOR, OBJ_ROW_MAJOR, ISA_TileLayout_ZN2NZ},
    };
    if (from->blayout == to->blayout && from->slayout == to->slayout)
        return ISA_TileLayout_NORM;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].from_b == from->blayout && pairs[i].from_s == from->slayout &&
            pairs[i].to_b == to->blayout && pairs[i].to_s == to->slayout)
            return pairs[i].code;
    fail_msg("no code for the layouts");
    return 0;
}

static unsigned quant_mode(uint8_t from, uint8_t to, int parameter)
{
    static const struct {
        uint8_t from, to, parameter, mode;
    } modes[] = {
        {ISA_DataType_FP32, ISA_DataType_FP16, 0, ISA_PreQuantMode_F322F16},
        {ISA_DataType_FP32, ISA_DataType_BF16, 0, ISA_PreQuantMode_F322BF16},
        {ISA_DataType_FP32, ISA_DataType_S8, VECTOR, ISA_PreQuantMode_VQF322B8_PRE},
        {ISA_DataType_FP32, ISA_DataType_U8, VECTOR, ISA_PreQuantMode_VQF322B8_PRE},
        {ISA_DataType_S32, ISA_DataType_S8, VECTOR, ISA_PreQuantMode_VREQ8},
        {ISA_DataType_S32, ISA_DataType_U8, VECTOR, ISA_PreQuantMode_VREQ8},
        {ISA_DataType_S32, ISA_DataType_FP16, VECTOR, ISA_PreQuantMode_VDEQF16},
        {ISA_DataType_S32, ISA_DataType_S16, VECTOR, ISA_PreQuantMode_VSHIFTS322S16},
        {ISA_DataType_FP32, ISA_DataType_S8, SCALAR, ISA_PreQuantMode_QF322B8_PRE},
        {ISA_DataType_FP32, ISA_DataType_FP16, SCALAR, ISA_PreQuantMode_QF322F16_PRE},
        {ISA_DataType_S32, ISA_DataType_S8, SCALAR, ISA_PreQuantMode_REQ8},
        {ISA_DataType_S32, ISA_DataType_FP16, SCALAR, ISA_PreQuantMode_DEQF16},
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].from == from && modes[i].to == to && modes[i].parameter == parameter)
            return modes[i].mode;
    return ISA_PreQuantMode_NoQuant;
}

static uint8_t fractal_code(const struct obj_tile *t)
{
    return t->fractal == 1024 ? 1 : t->fractal == 32 ? 2 : 0;
}

/* The bundle that the assembler makes for the case. */
static void make_bundle(struct bench *t, const struct obj_tile *from, const struct obj_tile *to,
                        int parameter, uint64_t scalar, bool relu)
{
    bench_start(t, "TMOV", from->dtype);
    bench_layout(t, layout_code(from, to));
    t->b.datr.data_type = to->dtype;
    t->b.datr.pad = fractal_code(to);
    bench_dim(t, 0, to->v_cols);
    bench_dim(t, 1, to->v_rows);
    bench_dim(t, 2, to->cols);
    unsigned mode = quant_mode(from->dtype, to->dtype, parameter);
    if (mode || relu)
        t->b.fpatr =
            (struct isa_fpatr){.present = true, .pre_quant_mode = (uint8_t)mode, .relu_mode = relu};
    if (parameter == SCALAR)
        bench_ior(t, 0, scalar, scalar, scalar, scalar);
    bench_iot(t, 0, parameter == VECTOR ? 16 : -1, SIM_ALL_PES, 2, 8);
}

static void load_raw(struct bench *t, const char *tile, const char *name, const char *suffix)
{
    size_t size;
    const uint8_t *bytes = data_of(t, name, suffix, &size);
    assert_non_null(bytes);
    const char *error = sim_load_tile_raw(&t->s, tile, bytes, size);
    if (error)
        fail_msg("%s: %s", name, error);
}

static void run_case(const char *name)
{
    struct bench t;
    bench_open(&t);
    json_error_t problem;
    json_t *test = json_load_file(data_path(t.s.arena, name, ".json"), 0, &problem);
    assert_non_null(test);
    struct obj_tile tiles[2] = {record_of(json_object_get(test, "src"), "src", 0)};
    struct obj_tile to = record_of(json_object_get(test, "dst"), "dst", 0);
    uint32_t columns = tiles[0].cols;
    tiles[1] = (struct obj_tile){.name = "fp",
                                 .type = "",
                                 .input = true,
                                 .hand = 1,
                                 .dtype = ISA_DataType_U64,
                                 .slayout = OBJ_NONE_BOX,
                                 .fractal = 512,
                                 .rows = 1,
                                 .cols = columns,
                                 .v_rows = 1,
                                 .v_cols = columns};
    struct object program = {.identity = {.extensions = "tmov-convert"}};
    program.tiles.item = tiles;
    program.tiles.count = 2;
    t.s.program = &program;
    t.s.options.undefined_byte = UNWRITTEN;
    const char *scalar = json_string_value(json_object_get(test, "preQuantScalar"));
    int parameter = json_object_get(test, "fp_bin") ? VECTOR : scalar ? SCALAR : 0;
    const char *cxx = json_string_value(json_object_get(test, "cxx"));
    load_raw(&t, "src", name, ".src.bin");
    if (parameter == VECTOR)
        load_raw(&t, "pe0.fp", name, ".fp.bin");
    for (unsigned pe = 1; parameter == VECTOR && pe < SIM_PES; pe++)
        load_raw(&t, arena_printf(t.s.arena, "pe%u.fp", pe), name, ".fp.bin");
    make_bundle(&t, &tiles[0], &to, parameter, scalar ? strtoull(scalar, NULL, 0) : 0,
                strstr(cxx, "NormalRelu") != NULL);
    bench_runs(&t);

    struct buffer found;
    size_t size;
    const uint8_t *expected = data_of(&t, name, ".hw.bin", &size);
    if (!expected)
        expected = data_of(&t, name, ".dst.bin", &size);
    assert_non_null(expected);
    buffer_init(&found, &t.mem);
    assert_null(sim_dump_tile_raw(&t.s, "pe3.M#1", &found));
    assert_int_equal(found.size, size);
    for (size_t i = 0; i < size; i++)
        if (found.data[i] != expected[i])
            fail_msg("%s: byte %zu is 0x%02x, expected 0x%02x", name, i, found.data[i],
                     expected[i]);
    buffer_free(&found);
    json_decref(test);
    bench_close(&t);
}

static const char *const cases[] = {
#define CASE(name) #name,
#include "tests/sim/tmov_cases.def"
#undef CASE
};

static void test_golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_case(cases[i]);
}

/* ---- what no golden data show: by hand from docs/tmov.md ---- */

static const struct object converting = {.identity = {.extensions = "tmov-convert"}};

static void open_converting(struct bench *t)
{
    bench_open(t);
    t->s.program = &converting;
}

/* A move of slot 0 to M#1; the shape of the result. */
static void start_move(struct bench *t, unsigned layout, uint32_t rows, uint32_t cols, uint8_t mask,
                       unsigned size_code)
{
    bench_start(t, "TMOV", ISA_DataType_DTYPE_NONE);
    bench_layout(t, layout);
    t->b.datr.data_type = ISA_DataType_DTYPE_NONE;
    bench_dim(t, 0, cols);
    bench_dim(t, 1, rows);
    bench_iot(t, 0, -1, mask, 2, size_code);
}

enum { M_1 = 32, PE0 = 8, PE0_AND_1 = 12, PE1 = 4 };

/* 4 x 8 of S16: element (r, c) of PE p is 1000 * p + 8 * r + c. */
static void test_splits(void **state)
{
    struct bench t;
    (void)state;
    open_converting(&t);
    bench_tile(&t, 0, ISA_DataType_S16, SIM_ROW_MAJOR, 8, 4, 8, 128, PE0_AND_1, 0);
    start_move(&t, ISA_TileLayout_NORM, 2, 8, PE0_AND_1, 1);
    t.b.datr.cmode = 2; /* rows */
    bench_runs(&t);
    assert_int_equal(bench_element(&t, M_1, 0, 0, 0), 0);
    assert_int_equal(bench_element(&t, M_1, 0, 1, 7), 15);
    assert_int_equal(bench_element(&t, M_1, 1, 0, 0), 1016);
    assert_int_equal(bench_element(&t, M_1, 1, 1, 7), 1031);
    start_move(&t, ISA_TileLayout_NORM, 4, 4, PE0_AND_1, 1);
    t.b.datr.cmode = 3; /* columns */
    bench_runs(&t);
    assert_int_equal(bench_element(&t, M_1 + 1, 0, 3, 3), 27);
    assert_int_equal(bench_element(&t, M_1 + 1, 1, 0, 0), 1004);
    assert_int_equal(bench_element(&t, M_1 + 1, 1, 3, 3), 1031);
    start_move(&t, ISA_TileLayout_NORM, 4, 8, PE1, 1);
    t.b.datr.cmode = 1; /* all to the second */
    bench_runs(&t);
    assert_null(t.s.tiles->local[M_1 + 2].pe[0].bytes);
    assert_int_equal(bench_element(&t, M_1 + 2, 1, 0, 0), 1000);
    start_move(&t, ISA_TileLayout_NORM, 4, 8, PE0, 1); /* mode 0: all to the first */
    bench_runs(&t);
    assert_null(t.s.tiles->local[M_1 + 3].pe[1].bytes);
    assert_int_equal(bench_element(&t, M_1 + 3, 0, 3, 7), 31);
    start_move(&t, ISA_TileLayout_NORM, 2, 8, PE1, 1);
    t.b.datr.cmode = 2;
    bench_faults(&t, FAULT_TILE_LEGALITY, "AccToVecMode 2 (CMode) needs mask 1100");
    start_move(&t, ISA_TileLayout_NORM, 3, 8, PE0_AND_1, 1);
    t.b.datr.cmode = 2;
    memset(&t.s.fault, 0, sizeof t.s.fault);
    bench_faults(&t, FAULT_TILE_LEGALITY, "6 x 8 elements are needed, the source T#1 has 4 x 8");
    bench_close(&t);
}

/* A 4 x 32 source becomes 32 x 4: boxes of 16 columns, pairs of rows together. */
static void test_dn2zz(void **state)
{
    struct bench t;
    (void)state;
    open_converting(&t);
    bench_tile(&t, 0, ISA_DataType_U8, SIM_ROW_MAJOR, 32, 4, 32, 128, 8, 0);
    start_move(&t, ISA_TmovLayout_DN2ZZ, 32, 4, 8, 1);
    t.b.datr.pad = 2; /* a fractal of 32 bytes */
    bench_runs(&t);
    const uint8_t *bytes = t.s.tiles->local[M_1].pe[0].bytes;
    for (unsigned cb = 0; cb < 2; cb++)
        for (unsigned p = 0; p < 2; p++)
            for (unsigned q = 0; q < 16; q++)
                for (unsigned d = 0; d < 2; d++)
                    assert_int_equal(bytes[((cb * 2 + p) * 16 + q) * 2 + d],
                                     (2 * p + d) * 32 + 16 * cb + q);
    bench_close(&t);
}

/* With a row more, the second column of boxes of a 16 x 32 tile begins at 17 * 16. */
static void test_row_plus_one(void **state)
{
    struct bench t;
    (void)state;
    open_converting(&t);
    bench_tile(&t, 0, ISA_DataType_FP16, SIM_ROW_MAJOR, 32, 16, 32, 1024, 8, 0);
    start_move(&t, ISA_TileLayout_ND2NZ, 16, 32, 8, 5);
    t.b.datr.canonicalize = true;
    bench_runs(&t);
    const struct tile *to = &t.s.tiles->local[M_1];
    const struct sim_format *f = tile_format(&to->info);
    assert_int_equal(sim_element_get(f, to->pe[0].bytes, 272), 16);
    assert_int_equal(sim_element_get(f, to->pe[0].bytes, 272 + 15 * 16 + 15), 511);
    assert_int_equal(sim_element_get(f, to->pe[0].bytes, 256), 0); /* of the row more */
    bench_close(&t);
}

static void test_small_floats(void **state)
{
    static const struct {
        unsigned mode, dtype;
        uint32_t x[4];
        uint8_t expected[4];
    } rows[] = {
        /* 1.5, 1 + 1/16 (halfway up), 40000 (limited), -2^-22 */
        {ISA_PreQuantMode_QF322HIF8_PRE,
         ISA_DataType_HiF8,
         {0x3fc00000, 0x3f880000, 0x471c4000, 0xb4800000},
         {0x0c, 0x09, 0x6e, 0x81}},
        /* 1.5, 1 + 1/16 (halfway to even), -500 (limited), 2^-9 */
        {ISA_PreQuantMode_QF322FP8_PRE,
         ISA_DataType_E4M3,
         {0x3fc00000, 0x3f880000, 0xc3fa0000, 0x3b000000},
         {0x3c, 0x38, 0xfe, 0x01}},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench t;
        open_converting(&t);
        struct tile *from = bench_tile(&t, 0, ISA_DataType_FP32, SIM_ROW_MAJOR, 4, 1, 4, 128, 8, 0);
        for (unsigned k = 0; k < 4; k++)
            sim_element_set(tile_format(&from->info), from->pe[0].bytes, k, rows[i].x[k]);
        start_move(&t, ISA_TileLayout_NORM, 1, 4, 8, 1);
        t.b.datr.data_type = (uint8_t)rows[i].dtype;
        t.b.fpatr = (struct isa_fpatr){.present = true, .pre_quant_mode = (uint8_t)rows[i].mode};
        bench_ior(&t, 0, 0x3f800000, 0, 0, 0);
        bench_runs(&t);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(bench_element(&t, M_1, 0, 0, k), rows[i].expected[k]);
        t.b.fpatr.pre_quant_mode = ISA_PreQuantMode_REQ4;
        bench_faults(&t, FAULT_TILE_LEGALITY, "PreQuantMode 17 belongs to CUBE operations");
        bench_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),       cmocka_unit_test(test_splits),
        cmocka_unit_test(test_dn2zz),        cmocka_unit_test(test_row_plus_one),
        cmocka_unit_test(test_small_floats),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
