/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tile types: from the parts that were written to a tile that can exist
 * (pto-as.md A.4, C.3). Parts of the layout that were left out take what the
 * place needs, as the C++ aliases TileLeft and TileRight do; a `left` tile
 * follows the target even when another layout was written, as in ptoas.
 */
#include "asm/lower.h"

#include <string.h>

const struct place_row ptoas_places[PLACE_COUNT] = {
    [PLACE_VEC] = {"vec", ISA_TileHand_T},
    [PLACE_MAT] = {"mat", ISA_TileHand_M},
    [PLACE_LEFT] = {"left", ISA_TileHand_U},
    [PLACE_RIGHT] = {"right", ISA_TileHand_U},
    [PLACE_ACC] = {"acc", ISA_TileHand_N},
    [PLACE_BIAS] = {"bias", ISA_TileHand_U},
    [PLACE_SCALING] = {"scaling", ISA_TileHand_U},
    [PLACE_SCALE_LEFT] = {"scale_left", ISA_TileHand_U},
    [PLACE_SCALE_RIGHT] = {"scale_right", ISA_TileHand_U},
};

const char *const ptoas_layout_names[LAYOUT_COUNT] = {"ND", "DN", "ZZ", "ZN", "NZ", "NN"};

/* ---- elements ---- */

static const struct element elements[] = {
    {"f64", ISA_DataType_FP64, 64},       {"f32", ISA_DataType_FP32, 32},
    {"f16", ISA_DataType_FP16, 16},       {"bf16", ISA_DataType_BF16, 16},
    {"i8", ISA_DataType_S8, 8},           {"ui8", ISA_DataType_U8, 8},
    {"i16", ISA_DataType_S16, 16},        {"ui16", ISA_DataType_U16, 16},
    {"i32", ISA_DataType_S32, 32},        {"ui32", ISA_DataType_U32, 32},
    {"i64", ISA_DataType_S64, 64},        {"ui64", ISA_DataType_U64, 64},
    {"f8E4M3", ISA_DataType_E4M3, 8},     {"f8E4M3FN", ISA_DataType_E4M3, 8},
    {"f8E5M2", ISA_DataType_E5M2, 8},     {"!pto.hif8", ISA_DataType_HiF8, 8},
    {"hif8", ISA_DataType_HiF8, 8},       {"!pto.f4E2M1x2", ISA_DataType_E2M1X2, 4},
    {"f4E2M1x2", ISA_DataType_E2M1X2, 4}, {"!pto.f4E1M2x2", ISA_DataType_E1M2X2, 4},
    {"f4E1M2x2", ISA_DataType_E1M2X2, 4}, {"e8m0", ISA_DataType_E8M0, 8},
    {"f8E8M0FNU", ISA_DataType_E8M0, 8},
};

const struct element *ptoas_element(const char *name)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (equal_folded(elements[i].name, strlen(elements[i].name), name, strlen(name)))
            return &elements[i];
    return NULL;
}

const char *ptoas_element_name(unsigned dtype)
{
    size_t i = 0;
    while (elements[i].dtype != dtype)
        i++;
    return elements[i].name;
}

/* Each type once, by the first of its names. */
static const char *list_elements(struct assembler *as)
{
    struct buffer *out = asm_scratch(as);
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (i == 0 || elements[i].dtype != elements[i - 1].dtype)
            buffer_printf(out, "%s%s", i == 0 ? "" : ", ", elements[i].name);
    buffer_append(out, "", 1);
    return (const char *)out->data;
}

/* ---- layouts ---- */

enum layout ptoas_layout(const struct tile_type *t)
{
    static const uint8_t layouts[2][3] = {
        [OBJ_ROW_MAJOR] =
            {[OBJ_ROW_MAJOR] = LAYOUT_ZZ, [OBJ_COL_MAJOR] = LAYOUT_ZN, [OBJ_NONE_BOX] = LAYOUT_ND},
        [OBJ_COL_MAJOR] =
            {[OBJ_ROW_MAJOR] = LAYOUT_NZ, [OBJ_COL_MAJOR] = LAYOUT_NN, [OBJ_NONE_BOX] = LAYOUT_DN},
    };
    return layouts[t->blayout][t->slayout];
}

enum { BLOCK_BYTES = 32, BOX_SIDE = 16, SCALE_SIDE = 2 };
enum { FRACTAL_SCALE = 32, FRACTAL_PLAIN = 512, FRACTAL_ACC = 1024 };

void ptoas_box(const struct tile_type *t, uint32_t *rows, uint32_t *cols)
{
    uint32_t along = t->fractal == FRACTAL_ACC     ? BOX_SIDE
                     : t->fractal == FRACTAL_SCALE ? SCALE_SIDE
                                                   : BLOCK_BYTES * 8 / t->element->bits;
    *rows = *cols = 1;
    if (t->slayout == OBJ_NONE_BOX)
        return;
    *rows = t->slayout == OBJ_ROW_MAJOR ? BOX_SIDE : along;
    *cols = t->slayout == OBJ_ROW_MAJOR ? along : BOX_SIDE;
}

uint64_t ptoas_row_bytes(const struct tile_type *t)
{
    return ((uint64_t)t->cols * t->element->bits + 7) / 8;
}

uint64_t ptoas_tile_bytes(const struct tile_type *t)
{
    uint64_t rows = (uint64_t)t->rows + (t->compact == COMPACT_ROW_PLUS_ONE);
    return (rows * t->cols * t->element->bits + 7) / 8;
}

struct extent ptoas_rows(const struct tile_type *t)
{
    return (struct extent){t->v_rows, t->row_reg};
}

struct extent ptoas_cols(const struct tile_type *t)
{
    return (struct extent){t->v_cols, t->col_reg};
}

bool ptoas_same_extent(struct extent a, struct extent b)
{
    return a.reg == b.reg && (a.reg != 0 || a.most == b.most);
}

bool ptoas_is_open(const struct tile_type *t)
{
    return t->row_reg != 0 || t->col_reg != 0;
}

bool ptoas_same_type(const struct tile_type *a, const struct tile_type *b)
{
    return a->place == b->place && a->element->dtype == b->element->dtype && a->rows == b->rows &&
           a->cols == b->cols && ptoas_same_extent(ptoas_rows(a), ptoas_rows(b)) &&
           ptoas_same_extent(ptoas_cols(a), ptoas_cols(b)) && a->blayout == b->blayout &&
           a->slayout == b->slayout && a->compact == b->compact && a->fractal == b->fractal;
}

/* ---- from the syntax ---- */

static enum place place_of(const char *name)
{
    for (int p = 0; p < PLACE_COUNT; p++)
        if (strcmp(ptoas_places[p].name, name) == 0)
            return (enum place)p;
    return NO_PLACE;
}

static const char *const major_names[] = {
    [OBJ_ROW_MAJOR] = "row_major", [OBJ_COL_MAJOR] = "col_major", [OBJ_NONE_BOX] = "none_box"};

static uint8_t major_of(const char *name)
{
    uint8_t major = OBJ_ROW_MAJOR;
    while (strcmp(major_names[major], name) != 0)
        major++;
    return major;
}

/* What the cube unit reads, and the accumulator writes. */
static void set_layout(const struct assembler *as, const struct ast_type *type, struct tile_type *t)
{
    const uint8_t left = as->ptoas->target == 3 ? OBJ_ROW_MAJOR : OBJ_COL_MAJOR;
    bool b = type->written & AST_TILE_BLAYOUT, s = type->written & AST_TILE_SLAYOUT;
    t->blayout = major_of(type->blayout);
    t->slayout = major_of(type->slayout);
    if (t->place == PLACE_LEFT && !s)
        t->slayout = OBJ_ROW_MAJOR;
    if (t->place == PLACE_LEFT && (!b || t->slayout == OBJ_ROW_MAJOR))
        t->blayout = left;
    if (t->place == PLACE_RIGHT && !s)
        t->slayout = OBJ_COL_MAJOR;
    if (t->place == PLACE_ACC && !b && !s) {
        t->blayout = OBJ_COL_MAJOR;
        t->slayout = OBJ_ROW_MAJOR;
    }
    t->fractal = (uint16_t)type->fractal;
    if (t->place == PLACE_ACC && !(type->written & AST_TILE_FRACTAL))
        t->fractal = FRACTAL_ACC;
}

static bool is_tile(struct assembler *as, const struct ast_type *type, struct loc use)
{
    if (type == NULL) {
        diag_report(as->diag, DIAG_PTOAS_TYPE, use, "the value needs a tile type behind ':'");
        return false;
    }
    if (type->kind == AST_TYPE_TILE || type->kind == AST_TYPE_TILE_BUF)
        return true;
    if (type->kind == AST_TYPE_PLACEHOLDER)
        diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc,
                    "'<...>' stands for a type that is not written; a tile type needs loc, dtype, "
                    "rows and cols, and may have v_row, v_col, blayout, slayout, fractal, pad and "
                    "compact: !pto.tile<loc=mat, dtype=f16, rows=32, cols=32>");
    else
        diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc,
                    "'%s' is no tile type (!pto.tile<...> or !pto.tile_buf<...>)", type->text);
    return false;
}

static bool is_complete(struct assembler *as, const struct ast_type *type)
{
    static const struct {
        unsigned bit;
        const char *name;
    } parts[] = {{AST_TILE_DTYPE, "dtype"}, {AST_TILE_ROWS, "rows"}, {AST_TILE_COLS, "cols"}};
    struct buffer *out = asm_scratch(as);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!(type->written & parts[i].bit))
            buffer_printf(out, "%s%s", out->size ? ", " : "", parts[i].name);
    if (out->size == 0)
        return true;
    diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc, "the tile type lacks %.*s", (int)out->size,
                (const char *)out->data);
    return false;
}

static bool set_extents(struct assembler *as, const struct ast_type *type, struct tile_type *t)
{
    const struct {
        const char *name, *valid;
        int64_t extent, used;
    } sides[] = {{"rows", "v_row", type->rows, type->v_row},
                 {"cols", "v_col", type->cols, type->v_col}};
    for (size_t i = 0; i < 2; i++) {
        if (sides[i].extent < 1 || sides[i].extent > UINT16_MAX) {
            diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc, "%s=%lld is not in [1, %d]",
                        sides[i].name, (long long)sides[i].extent, UINT16_MAX);
            return false;
        }
        if (sides[i].used == AST_DYNAMIC && !as->options->check) {
            diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc,
                        "%s is not known; this lowering needs a number in [1, %lld]",
                        sides[i].valid, (long long)sides[i].extent);
            return false;
        }
        if (sides[i].used == AST_DYNAMIC)
            continue;
        if (sides[i].used < 1 || sides[i].used > sides[i].extent) {
            diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc, "%s=%lld is not in [1, %s=%lld]",
                        sides[i].valid, (long long)sides[i].used, sides[i].name,
                        (long long)sides[i].extent);
            return false;
        }
    }
    t->rows = (uint32_t)type->rows;
    t->cols = (uint32_t)type->cols;
    t->v_rows = type->v_row == AST_DYNAMIC ? t->rows : (uint32_t)type->v_row;
    t->v_cols = type->v_col == AST_DYNAMIC ? t->cols : (uint32_t)type->v_col;
    return true;
}

/* Lines of 32 bytes, and whole boxes (PTO.cpp verifyTileBufLayoutConstraints). */
bool ptoas_tile_fits_layout(struct assembler *as, const struct tile_type *t, bool strict)
{
    uint32_t box_rows, box_cols;
    uint64_t line = t->blayout == OBJ_ROW_MAJOR ? t->cols : t->rows;
    uint64_t bits = line * t->element->bits;
    if (t->slayout == OBJ_NONE_BOX) {
        if (bits % (BLOCK_BYTES * 8) == 0)
            return true;
        diag_report(as->diag, DIAG_PTOAS_TYPE, t->loc,
                    "a %s none_box tile has %s of a multiple of %d bytes, not %llu bytes",
                    major_names[t->blayout], t->blayout == OBJ_ROW_MAJOR ? "rows" : "columns",
                    BLOCK_BYTES, (unsigned long long)((bits + 7) / 8));
        return false;
    }
    ptoas_box(t, &box_rows, &box_cols);
    bool scale_row = t->place == PLACE_VEC && t->fractal == FRACTAL_SCALE && t->rows == 1;
    bool waived =
        strict ? scale_row : t->place == PLACE_VEC || t->fractal == FRACTAL_SCALE || t->rows == 1;
    if ((t->rows % box_rows == 0 || waived) && t->cols % box_cols == 0)
        return true;
    diag_report(as->diag, DIAG_PTOAS_TYPE, t->loc,
                "%u x %u elements of %s are not whole boxes of %u x %u (fractal=%u)", t->rows,
                t->cols, t->element->name, box_rows, box_cols, t->fractal);
    return false;
}

static bool has_public_box(struct assembler *as, const struct tile_type *t)
{
    if (t->slayout == OBJ_NONE_BOX || t->fractal == FRACTAL_SCALE || t->fractal == FRACTAL_PLAIN ||
        t->fractal == FRACTAL_ACC)
        return true;
    diag_report(as->diag, DIAG_PTOAS_TYPE, t->loc,
                "no public source gives the box of fractal=%u (known: %d, %d, %d)", t->fractal,
                FRACTAL_SCALE, FRACTAL_PLAIN, FRACTAL_ACC);
    return false;
}

bool ptoas_tile_type(struct assembler *as, const struct ast_type *type, struct loc use,
                     enum place place, struct tile_type *out)
{
    if (!is_tile(as, type, use) || !is_complete(as, type))
        return false;
    *out = (struct tile_type){.loc = type->loc, .compact = (uint8_t)type->compact};
    out->place = type->location ? place_of(type->location) : place == NO_PLACE ? PLACE_VEC : place;
    out->element = ptoas_element(type->dtype);
    if (out->element == NULL) {
        diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc,
                    "tiles have no elements of '%s' (legal: %s)", type->dtype, list_elements(as));
        return false;
    }
    set_layout(as, type, out);
    return set_extents(as, type, out) && has_public_box(as, out) &&
           ptoas_tile_fits_layout(as, out, !as->options->check);
}

bool ptoas_describe_tile(const struct assembler *as, const struct ast_type *type,
                         struct tile_type *out)
{
    const unsigned needed = AST_TILE_DTYPE | AST_TILE_ROWS | AST_TILE_COLS;
    const bool small =
        type->rows >= 1 && type->rows <= UINT16_MAX && type->cols >= 1 && type->cols <= UINT16_MAX;
    if ((type->written & needed) != needed || !small)
        return false;
    *out = (struct tile_type){.loc = type->loc, .compact = (uint8_t)type->compact};
    out->place = type->location ? place_of(type->location) : PLACE_VEC;
    out->element = ptoas_element(type->dtype);
    if (out->element == NULL)
        return false;
    out->rows = (uint32_t)type->rows;
    out->cols = (uint32_t)type->cols;
    out->v_rows = type->v_row >= 0 ? (uint32_t)type->v_row : out->rows;
    out->v_cols = type->v_col >= 0 ? (uint32_t)type->v_col : out->cols;
    set_layout(as, type, out);
    return true;
}

/* ---- size and text ---- */

uint64_t ptoas_size_code(struct assembler *as, const struct tile_type *t, struct loc loc)
{
    const struct isa_enumeration *sizes = &isa_enumerations[ISA_ENUM_SizeCode];
    uint64_t bytes = ptoas_tile_bytes(t), largest = 0;
    for (unsigned n = 0; n < sizes->count; n++) {
        largest = (uint64_t)SMALLEST_TILE << (sizes->members[n].value - 1);
        if (bytes <= largest)
            return sizes->members[n].value;
    }
    diag_report(as->diag, DIAG_PTOAS_TYPE, loc, "the tile has %llu bytes; a Local tile holds %llu",
                (unsigned long long)bytes, (unsigned long long)largest);
    return 0;
}

const char *ptoas_type_text(struct arena *a, const struct tile_type *t)
{
    return arena_printf(a,
                        "!pto.tile_buf<loc=%s, dtype=%s, rows=%u, cols=%u, v_row=%u, v_col=%u, "
                        "blayout=%s, slayout=%s, fractal=%u, compact=%u>",
                        ptoas_places[t->place].name, t->element->name, t->rows, t->cols, t->v_rows,
                        t->v_cols, major_names[t->blayout], major_names[t->slayout], t->fractal,
                        t->compact);
}
