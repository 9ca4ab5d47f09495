/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What TMOV may do on a target (pto-as.md C.2, C.4): which places, which
 * types, which shapes, which quantisation mode. One row a pair of places; a
 * row lists its checks.
 */
#include "asm/lower.h"

#include <string.h>

enum { A3 = 1, A5 = 2, BOTH = A3 | A5 };

static unsigned target_bit(const struct assembler *as)
{
    return as->ptoas->target == 3 ? A3 : A5;
}

static void refuse(struct assembler *as, const struct tmov *t, enum diag_code code, const char *fmt,
                   ...) __attribute__((format(printf, 4, 5)));

static void refuse(struct assembler *as, const struct tmov *t, enum diag_code code, const char *fmt,
                   ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_vreport(as->diag, code, t->stmt->loc, fmt, ap);
    va_end(ap);
}

/* ---- types ---- */

static bool is_type(const struct tile_type *t, unsigned dtype)
{
    return t->element->dtype == dtype;
}

static bool in_list(const struct tile_type *t, const uint8_t *list, size_t count)
{
    return memchr(list, t->element->dtype, count) != NULL;
}

/* CommonCheck of the A5. */
static const uint8_t cube_types[] = {ISA_DataType_S8,   ISA_DataType_HiF8,   ISA_DataType_E5M2,
                                     ISA_DataType_E4M3, ISA_DataType_FP16,   ISA_DataType_BF16,
                                     ISA_DataType_FP32, ISA_DataType_E2M1X2, ISA_DataType_E1M2X2,
                                     ISA_DataType_E8M0};
static const uint8_t repack_types[] = {ISA_DataType_FP16,   ISA_DataType_BF16,  ISA_DataType_FP32,
                                       ISA_DataType_S32,    ISA_DataType_E4M3,  ISA_DataType_E5M2,
                                       ISA_DataType_HiF8,   ISA_DataType_S8,    ISA_DataType_U8,
                                       ISA_DataType_E2M1X2, ISA_DataType_E1M2X2};
static const uint8_t exponent_types[] = {ISA_DataType_U8, ISA_DataType_HiF8, ISA_DataType_E8M0};

static bool same_type(struct assembler *as, const struct tmov *t)
{
    if (t->from.element->dtype == t->to.element->dtype)
        return true;
    refuse(as, t, DIAG_TMOV_TYPE, "%s to %s keeps the type; it does not turn %s into %s",
           ptoas_places[t->from.place].name, ptoas_places[t->to.place].name, t->from.element->name,
           t->to.element->name);
    return false;
}

static bool cube_type(struct assembler *as, const struct tmov *t)
{
    if (!same_type(as, t))
        return false;
    if (target_bit(as) == A3 || in_list(&t->from, cube_types, sizeof cube_types))
        return true;
    refuse(as, t, DIAG_TMOV_CUBE_TYPE,
           "a5 moves no %s to %s (legal: i8, hif8, f8E5M2, f8E4M3, f16, bf16, f32, f4E2M1x2, "
           "f4E1M2x2, e8m0)",
           t->from.element->name, ptoas_places[t->to.place].name);
    return false;
}

static bool repack_type(struct assembler *as, const struct tmov *t)
{
    if (!same_type(as, t))
        return false;
    if (ptoas_layout(&t->from) == ptoas_layout(&t->to) ||
        in_list(&t->from, repack_types, sizeof repack_types))
        return true;
    refuse(
        as, t, DIAG_TMOV_REPACK_TYPE,
        "no %s is repacked (legal: f16, bf16, f32, i32, f8E4M3, f8E5M2, hif8, i8, ui8, f4E2M1x2, "
        "f4E1M2x2)",
        t->from.element->name);
    return false;
}

static bool bias_type(struct assembler *as, const struct tmov *t)
{
    bool wide = is_type(&t->to, ISA_DataType_FP32) &&
                (is_type(&t->from, ISA_DataType_FP32) || is_type(&t->from, ISA_DataType_FP16) ||
                 (target_bit(as) == A5 && is_type(&t->from, ISA_DataType_BF16)));
    if (wide || (is_type(&t->to, ISA_DataType_S32) && is_type(&t->from, ISA_DataType_S32)))
        return true;
    refuse(as, t, DIAG_TMOV_BIAS_TYPE,
           "a%d makes no bias of %s from %s (legal: i32 to i32, f32 to f32, f16 to f32%s)",
           as->ptoas->target, t->to.element->name, t->from.element->name,
           target_bit(as) == A5 ? ", bf16 to f32" : "");
    return false;
}

static bool scaling_type(struct assembler *as, const struct tmov *t)
{
    if (!same_type(as, t))
        return false;
    if (is_type(&t->to, ISA_DataType_U64) || is_type(&t->to, ISA_DataType_S64))
        return true;
    refuse(as, t, DIAG_TMOV_SCALING_TYPE, "a scaling tile has ui64 or i64 elements, not %s",
           t->to.element->name);
    return false;
}

static bool accumulator_type(struct assembler *as, const struct tmov *t)
{
    if (is_type(&t->from, ISA_DataType_FP32) || is_type(&t->from, ISA_DataType_S32))
        return true;
    refuse(as, t, DIAG_TMOV_ACC_TYPE, "an accumulator has f32 or i32 elements, not %s",
           t->from.element->name);
    return false;
}

/* ---- shapes ---- */

static bool same_shape(struct assembler *as, const struct tmov *t)
{
    if (t->from.rows == t->to.rows && t->from.cols == t->to.cols)
        return true;
    refuse(as, t, DIAG_TMOV_SHAPE,
           "source and destination have the same shape here: %ux%u is not %ux%u", t->from.rows,
           t->from.cols, t->to.rows, t->to.cols);
    return false;
}

static bool one_row(struct assembler *as, const struct tmov *t)
{
    if (t->from.rows == 1)
        return true;
    refuse(as, t, DIAG_TMOV_ONE_ROW, "a %s tile comes from one row, not %u",
           ptoas_places[t->to.place].name, t->from.rows);
    return false;
}

enum { TABLE_BYTES = 4096, BIAS_ALIGN = 64, SCALING_ALIGN = 128, ROW_BYTES = 512 };

/* A3 measures the source row, A5 the destination, which also fits its table. */
static bool table_row(struct assembler *as, const struct tmov *t)
{
    const struct tile_type *measured = target_bit(as) == A3 ? &t->from : &t->to;
    uint64_t bytes = ptoas_row_bytes(measured);
    uint64_t align = t->to.place == PLACE_BIAS ? BIAS_ALIGN : SCALING_ALIGN;
    if (bytes % align != 0) {
        refuse(as, t, DIAG_TMOV_TABLE_ALIGN,
               "the %s's row has %llu bytes, which is not a multiple of %llu",
               measured == &t->from ? "source" : "destination", (unsigned long long)bytes,
               (unsigned long long)align);
        return false;
    }
    if (target_bit(as) == A3 || bytes <= TABLE_BYTES)
        return true;
    refuse(as, t, DIAG_TMOV_TABLE_SIZE, "the %s table holds %d bytes, not %llu",
           ptoas_places[t->to.place].name, TABLE_BYTES, (unsigned long long)bytes);
    return false;
}

/* ---- layouts ---- */

static bool layout_is(struct assembler *as, const struct tmov *t, const struct tile_type *tile,
                      unsigned layouts, const char *legal)
{
    if (layouts >> ptoas_layout(tile) & 1)
        return true;
    refuse(as, t, DIAG_TMOV_LAYOUT, "a %s tile has layout %s here, not %s",
           ptoas_places[tile->place].name, legal, ptoas_layout_names[ptoas_layout(tile)]);
    return false;
}

enum {
    ND = 1 << LAYOUT_ND,
    DN = 1 << LAYOUT_DN,
    ZZ = 1 << LAYOUT_ZZ,
    ZN = 1 << LAYOUT_ZN,
    NZ = 1 << LAYOUT_NZ,
    NN = 1 << LAYOUT_NN,
};

static bool left_layout(struct assembler *as, const struct tmov *t)
{
    if (target_bit(as) == A3)
        return layout_is(as, t, &t->to, ZZ, "ZZ (row_major, row_major)");
    return layout_is(as, t, &t->from, ND | ZZ | ZN | NZ, "NZ, ZN or a row-major one") &&
           layout_is(as, t, &t->to, NZ, "NZ (col_major, row_major)");
}

static bool right_layout(struct assembler *as, const struct tmov *t)
{
    return (target_bit(as) == A3 ||
            layout_is(as, t, &t->from, ND | ZZ | ZN | NZ, "NZ, ZN or a row-major one")) &&
           layout_is(as, t, &t->to, ZN, "ZN (row_major, col_major)");
}

static bool scale_left_layout(struct assembler *as, const struct tmov *t)
{
    return layout_is(as, t, &t->from, ZZ, "ZZ (row_major, row_major)") &&
           layout_is(as, t, &t->to, ZZ, "ZZ (row_major, row_major)");
}

static bool scale_right_layout(struct assembler *as, const struct tmov *t)
{
    return layout_is(as, t, &t->from, NN, "NN (col_major, col_major)") &&
           layout_is(as, t, &t->to, NN, "NN (col_major, col_major)");
}

static bool accumulator_layout(struct assembler *as, const struct tmov *t)
{
    return layout_is(as, t, &t->from, NZ, "NZ (col_major, row_major)") &&
           layout_is(as, t, &t->to, target_bit(as) == A3 ? NZ : ND | DN | NZ,
                     target_bit(as) == A3 ? "NZ (col_major, row_major)" : "NZ, ND or DN");
}

static bool fractal_512(struct assembler *as, const struct tmov *t)
{
    if (target_bit(as) == A5 || t->to.fractal == 512)
        return true;
    refuse(as, t, DIAG_TMOV_FRACTAL, "a3 moves an accumulator to fractal=512, not %u",
           t->to.fractal);
    return false;
}

/* The row that one load of the cube's buffer brings. */
static bool long_row(struct assembler *as, const struct tmov *t)
{
    uint64_t bytes = ptoas_row_bytes(&t->from);
    if (target_bit(as) == A5 || t->from.rows != 1 || ptoas_layout(&t->from) != LAYOUT_ND ||
        bytes % ROW_BYTES == 0)
        return true;
    refuse(as, t, DIAG_TMOV_ROW_BYTES,
           "a single row has a multiple of %d bytes on its way to %s, not %llu", ROW_BYTES,
           ptoas_places[t->to.place].name, (unsigned long long)bytes);
    return false;
}

/* ND to ZN turns whole boxes; a vec tile may have a part of one. */
static bool whole_boxes(struct assembler *as, const struct tmov *t)
{
    uint32_t rows, cols;
    ptoas_box(&t->to, &rows, &cols);
    if (ptoas_layout(&t->from) != LAYOUT_ND || ptoas_layout(&t->to) != LAYOUT_ZN ||
        (t->to.rows % rows == 0 && t->to.cols % cols == 0))
        return true;
    refuse(as, t, DIAG_TMOV_ZN_BOXES, "ND to ZN needs whole boxes of %ux%u, not %ux%u", rows, cols,
           t->to.rows, t->to.cols);
    return false;
}

/* ---- pairs of places ---- */

typedef bool move_check(struct assembler *as, const struct tmov *t);

enum { MOVE_CHECKS = 5 };

static const struct move_row {
    uint8_t targets;
    enum place from, to;
    move_check *checks[MOVE_CHECKS];
} moves[] = {
    {BOTH, PLACE_MAT, PLACE_LEFT, {same_shape, cube_type, left_layout, long_row}},
    {BOTH, PLACE_MAT, PLACE_RIGHT, {same_shape, cube_type, right_layout, long_row}},
    {BOTH, PLACE_MAT, PLACE_BIAS, {same_shape, one_row, bias_type, table_row}},
    {BOTH, PLACE_MAT, PLACE_SCALING, {same_shape, one_row, scaling_type, table_row}},
    {A5, PLACE_MAT, PLACE_SCALE_LEFT, {same_shape, same_type, scale_left_layout}},
    {A5, PLACE_MAT, PLACE_SCALE_RIGHT, {same_shape, same_type, scale_right_layout}},
    {A3, PLACE_VEC, PLACE_VEC, {same_shape, same_type}},
    {A5, PLACE_VEC, PLACE_VEC, {repack_type, whole_boxes}},
    {A5, PLACE_VEC, PLACE_MAT, {repack_type}},
    {A3, PLACE_ACC, PLACE_MAT, {same_shape, accumulator_type, accumulator_layout, fractal_512}},
    {A5, PLACE_ACC, PLACE_MAT, {accumulator_type, accumulator_layout}},
    {A5, PLACE_ACC, PLACE_VEC, {accumulator_type, accumulator_layout}},
};

static const struct move_row *find_move(const struct assembler *as, const struct tmov *t)
{
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].targets & target_bit(as) && moves[i].from == t->from.place &&
            moves[i].to == t->to.place)
            return &moves[i];
    return NULL;
}

static void report_pair(struct assembler *as, const struct tmov *t)
{
    struct buffer *legal = asm_scratch(as);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (moves[i].targets & target_bit(as))
            buffer_printf(legal, "%s%s to %s", legal->size ? ", " : "",
                          ptoas_places[moves[i].from].name, ptoas_places[moves[i].to].name);
    refuse(as, t, DIAG_TMOV_PLACES, "a%d does not move %s to %s (legal: %.*s)", as->ptoas->target,
           ptoas_places[t->from.place].name, ptoas_places[t->to.place].name, (int)legal->size,
           (const char *)legal->data);
}

/* ---- attributes ---- */

static bool check_accumulator_form(struct assembler *as, const struct tmov *t)
{
    static const struct {
        const char *what;
        size_t offset;
    } forms[] = {{"reluPreMode", offsetof(struct tmov, relu)},
                 {"a vector quantisation parameter", offsetof(struct tmov, has_fp)},
                 {"a scalar quantisation parameter", offsetof(struct tmov, has_scalar)}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        bool present;
        memcpy(&present, (const char *)t + forms[i].offset, sizeof present);
        if (present && t->from.place != PLACE_ACC) {
            refuse(as, t, DIAG_TMOV_ACC_SOURCE, "%s needs an acc source, not %s", forms[i].what,
                   ptoas_places[t->from.place].name);
            return false;
        }
    }
    return true;
}

static bool check_acc_mode(struct assembler *as, const struct tmov *t)
{
    bool dual = t->acc_mode >= ACC_SPLIT_M;
    if (t->acc_mode == ACC_NONE)
        return true;
    if (t->from.place != PLACE_ACC || t->to.place != PLACE_VEC) {
        refuse(as, t, DIAG_TMOV_MODE_PLACES, "accToVecMode is for acc to vec only");
        return false;
    }
    if (dual && (t->has_fp || t->has_scalar || t->quant_mode != ISA_PreQuantMode_NoQuant)) {
        refuse(as, t, DIAG_TMOV_DUAL_QUANT,
               "a dual accToVecMode neither quantises nor changes the type");
        return false;
    }
    if (dual && ptoas_layout(&t->to) == LAYOUT_DN) {
        refuse(as, t, DIAG_TMOV_DUAL_LAYOUT,
               "a dual accToVecMode does not write layout DN (legal: ND, NZ)");
        return false;
    }
    if (t->acc_mode == ACC_SPLIT_N && t->to.element->bits == 32 && t->from.v_cols % 32 != 0) {
        refuse(as, t, DIAG_TMOV_DUAL_COLUMNS,
               "dual_mode_split_n of 32-bit elements needs valid columns in multiples of 32, "
               "not %u",
               t->from.v_cols);
        return false;
    }
    return true;
}

static bool check_parameter_tile(struct assembler *as, const struct tmov *t)
{
    if (!t->has_fp)
        return true;
    bool words = is_type(&t->extra, ISA_DataType_U64) || is_type(&t->extra, ISA_DataType_S64);
    if (words && t->extra.v_cols >= t->to.v_cols)
        return true;
    refuse(as, t, DIAG_TMOV_QUANT_TILE,
           "the parameter tile has one ui64 for each of %u columns, not %u of %s", t->to.v_cols,
           t->extra.v_cols, t->extra.element->name);
    return false;
}

/* ---- X to ZZ (design document of PTOAS, rules of §7.2) ---- */

static bool check_exponent_types(struct assembler *as, const struct tmov *t)
{
    bool equal = t->from.element->dtype == t->to.element->dtype &&
                 t->from.element->dtype == t->extra.element->dtype;
    if (equal && in_list(&t->from, exponent_types, sizeof exponent_types))
        return true;
    refuse(as, t, DIAG_TMOV_ZZ_TYPE,
           "source, tmp and destination of the X to ZZ form have one type: ui8, hif8 or e8m0");
    return false;
}

static bool check_exponent_shape(struct assembler *as, const struct tmov *t)
{
    if (t->group_axis == 1 && t->to.v_cols % 2 != 0)
        refuse(as, t, DIAG_TMOV_ZZ_EVEN_COLUMNS,
               "ND to ZZ needs an even number of valid destination columns, not %u", t->to.v_cols);
    else if (t->group_axis == 0 && (t->from.v_rows % 2 != 0 || t->from.v_rows < 2))
        refuse(as, t, DIAG_TMOV_ZZ_EVEN_ROWS,
               "DN to ZZ needs an even number of valid source rows, not %u", t->from.v_rows);
    else if (t->group_axis == 0 && t->from.v_cols % 16 != 0)
        refuse(as, t, DIAG_TMOV_ZZ_COLUMNS,
               "DN to ZZ needs valid source columns in multiples of 16, not %u", t->from.v_cols);
    else
        return true;
    return false;
}

/* 16 lanes of 16 bits, an index for each pair of a block row, 16 lanes: in bytes. */
static bool check_tmp_size(struct assembler *as, const struct tmov *t)
{
    uint64_t needed = 64 + (uint64_t)((t->to.v_rows + 15) / 16) * t->to.v_cols;
    uint64_t has = ptoas_tile_bytes(&t->extra);
    if (t->group_axis == 0 || has >= needed)
        return true;
    refuse(as, t, DIAG_TMOV_ZZ_TMP, "tmp needs %llu bytes for ND to ZZ, it has %llu",
           (unsigned long long)needed, (unsigned long long)has);
    return false;
}

static bool check_exponent_form(struct assembler *as, const struct tmov *t)
{
    if (target_bit(as) == A3) {
        refuse(as, t, DIAG_TMOV_ZZ_TARGET, "a3 has no X to ZZ form");
        return false;
    }
    if (t->relu || t->acc_mode != ACC_NONE) {
        refuse(as, t, DIAG_TMOV_ZZ_ATTRIBUTE,
               "the X to ZZ form takes neither accToVecMode nor reluPreMode");
        return false;
    }
    return layout_is(as, t, &t->from, ND, "ND (row_major, none_box)") &&
           layout_is(as, t, &t->to, ZZ, "ZZ (row_major, row_major)") &&
           check_exponent_types(as, t) && check_exponent_shape(as, t) && check_tmp_size(as, t);
}

/* ---- quantisation modes ---- */

enum quant_form { QUANT_CAST, QUANT_SCALAR, QUANT_VECTOR };

static const struct quant_row {
    uint8_t form, targets, from, to, mode;
} quant_rows[] = {
    {QUANT_CAST, BOTH, ISA_DataType_FP32, ISA_DataType_FP16, ISA_PreQuantMode_F322F16},
    {QUANT_CAST, BOTH, ISA_DataType_FP32, ISA_DataType_BF16, ISA_PreQuantMode_F322BF16},
    {QUANT_SCALAR, BOTH, ISA_DataType_FP32, ISA_DataType_S8, ISA_PreQuantMode_QF322B8_PRE},
    {QUANT_SCALAR, A5, ISA_DataType_FP32, ISA_DataType_U8, ISA_PreQuantMode_QF322B8_PRE},
    {QUANT_SCALAR, A5, ISA_DataType_FP32, ISA_DataType_FP16, ISA_PreQuantMode_QF322F16_PRE},
    {QUANT_SCALAR, A5, ISA_DataType_FP32, ISA_DataType_BF16, ISA_PreQuantMode_QF322BF16_PRE},
    {QUANT_SCALAR, A5, ISA_DataType_FP32, ISA_DataType_HiF8, ISA_PreQuantMode_QF322HIF8_PRE},
    {QUANT_SCALAR, A5, ISA_DataType_FP32, ISA_DataType_E4M3, ISA_PreQuantMode_QF322FP8_PRE},
    {QUANT_SCALAR, A5, ISA_DataType_FP32, ISA_DataType_FP32, ISA_PreQuantMode_QF322F32_PRE},
    {QUANT_SCALAR, BOTH, ISA_DataType_S32, ISA_DataType_S8, ISA_PreQuantMode_REQ8},
    {QUANT_SCALAR, BOTH, ISA_DataType_S32, ISA_DataType_U8, ISA_PreQuantMode_REQ8},
    {QUANT_SCALAR, BOTH, ISA_DataType_S32, ISA_DataType_FP16, ISA_PreQuantMode_DEQF16},
    {QUANT_SCALAR, A3, ISA_DataType_S32, ISA_DataType_S16, ISA_PreQuantMode_SHIFTS322S16},
    {QUANT_SCALAR, A5, ISA_DataType_S32, ISA_DataType_BF16, ISA_PreQuantMode_QS322BF16_PRE},
    {QUANT_VECTOR, BOTH, ISA_DataType_FP32, ISA_DataType_S8, ISA_PreQuantMode_VQF322B8_PRE},
    {QUANT_VECTOR, A5, ISA_DataType_FP32, ISA_DataType_U8, ISA_PreQuantMode_VQF322B8_PRE},
    {QUANT_VECTOR, A5, ISA_DataType_FP32, ISA_DataType_FP16, ISA_PreQuantMode_VQF322F16_PRE},
    {QUANT_VECTOR, A5, ISA_DataType_FP32, ISA_DataType_BF16, ISA_PreQuantMode_VQF322BF16_PRE},
    {QUANT_VECTOR, A5, ISA_DataType_FP32, ISA_DataType_HiF8, ISA_PreQuantMode_VQF322HIF8_PRE},
    {QUANT_VECTOR, A5, ISA_DataType_FP32, ISA_DataType_E4M3, ISA_PreQuantMode_VQF322FP8_PRE},
    {QUANT_VECTOR, A5, ISA_DataType_FP32, ISA_DataType_FP32, ISA_PreQuantMode_VQF322F32_PRE},
    {QUANT_VECTOR, BOTH, ISA_DataType_S32, ISA_DataType_S8, ISA_PreQuantMode_VREQ8},
    {QUANT_VECTOR, BOTH, ISA_DataType_S32, ISA_DataType_U8, ISA_PreQuantMode_VREQ8},
    {QUANT_VECTOR, BOTH, ISA_DataType_S32, ISA_DataType_FP16, ISA_PreQuantMode_VDEQF16},
    {QUANT_VECTOR, A3, ISA_DataType_S32, ISA_DataType_S16, ISA_PreQuantMode_VSHIFTS322S16},
    {QUANT_VECTOR, A5, ISA_DataType_S32, ISA_DataType_BF16, ISA_PreQuantMode_VQS322BF16_PRE},
};
enum { QUANT_ROWS = sizeof quant_rows / sizeof *quant_rows };

static bool row_applies(const struct assembler *as, const struct quant_row *row,
                        const struct tmov *t, enum quant_form form)
{
    return row->form == form && row->targets & target_bit(as) &&
           row->from == t->from.element->dtype;
}

static void report_quant(struct assembler *as, const struct tmov *t, enum quant_form form)
{
    static const char *const names[] = {"a cast", "a scalar parameter", "a parameter tile"};
    struct buffer *legal = asm_scratch(as);
    for (size_t i = 0; i < QUANT_ROWS; i++)
        if (row_applies(as, &quant_rows[i], t, form))
            buffer_printf(legal, "%s%s", legal->size ? ", " : "",
                          ptoas_element_name(quant_rows[i].to));
    refuse(as, t, DIAG_TMOV_QUANT, "a%d does not turn %s into %s with %s (legal: %.*s)",
           as->ptoas->target, t->from.element->name, t->to.element->name, names[form],
           legal->size ? (int)legal->size : 4, legal->size ? (const char *)legal->data : "none");
}

static bool choose_quant_mode(struct assembler *as, struct tmov *t)
{
    enum quant_form form = t->has_fp ? QUANT_VECTOR : t->has_scalar ? QUANT_SCALAR : QUANT_CAST;
    t->quant_mode = ISA_PreQuantMode_NoQuant;
    if (t->from.place != PLACE_ACC)
        return true;
    for (size_t i = 0; i < QUANT_ROWS; i++)
        if (row_applies(as, &quant_rows[i], t, form) && quant_rows[i].to == t->to.element->dtype) {
            t->quant_mode = quant_rows[i].mode;
            return true;
        }
    if (form == QUANT_CAST && t->from.element->dtype == t->to.element->dtype)
        return true;
    report_quant(as, t, form);
    return false;
}

/* ---- all of it ---- */

bool ptoas_check_tmov(struct assembler *as, struct tmov *t)
{
    const struct move_row *row = find_move(as, t);
    if (row == NULL) {
        report_pair(as, t);
        return false;
    }
    if (t->has_tmp)
        return check_exponent_form(as, t);
    for (size_t i = 0; i < MOVE_CHECKS && row->checks[i] != NULL; i++)
        if (!row->checks[i](as, t))
            return false;
    return check_accumulator_form(as, t) && choose_quant_mode(as, t) && check_acc_mode(as, t) &&
           check_parameter_tile(as, t);
}
