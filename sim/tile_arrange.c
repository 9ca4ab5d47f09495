/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that move elements between Local tiles and change none: TCONCAT,
 * TEXTRACT, TINSERT, TFILLPAD, TTRANS, TGATHER, TSCATTER, TIMG2COL.
 * Their destination is reserved before the operands are checked, as in
 * asl/block/model/dispatch/tile-execution.asl; the rules are those of
 * asl/tile/model/legality/layout-rearrangement.asl and indexed-rearrangement.asl.
 */
#include <string.h>

#include "sim/tile_view.h"

static bool follows_model(const struct tile_op *op)
{
    return op->s->options.profile == SIM_PROFILE_PTO_V0;
}

/* ---- operands ---- */

static bool check_numeric_source(struct tile_op *op, unsigned n, unsigned dtype)
{
    const struct tile *t = op->source[n];
    struct tile_name name = tile_slot_name(op->slot[n]);
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %u, %s, is not allocated", n + 1,
                          name.text);
    if (t->info.storage != TILE_NUMERIC)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s is a predicate", name.text);
    if (dtype != ISA_DataType_DTYPE_NONE && t->info.dtype != dtype)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s is %s, the destination %s", name.text,
                          sim_format_name(t->info.dtype), sim_format_name(dtype));
    if (!tile_indexable(&t->info))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "source %s is %s with %u x %u elements, which the operation cannot index",
                          name.text, sim_layout_name(t->info.layout), t->info.rows, t->info.cols);
    return true;
}

/* Numeric, of the destination's type, readable and completely defined. */
static bool check_source(struct tile_op *op, unsigned n, unsigned dtype)
{
    return check_numeric_source(op, n, dtype) && tile_check_fragments(op, n, op->mask);
}

static bool reserve_shape(struct tile_op *op, struct tile_shape shape)
{
    unsigned dtype;
    if (!tile_effective_type(op, &dtype) ||
        !tile_reserve(op, shape, dtype, tile_destination_layout(op)))
        return false;
    const struct tile_info *info = &op->destination[0].tile.info;
    if (tile_indexable(info))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "%u x %u elements of %s are not whole boxes of the %s layout", info->rows,
                      info->cols, sim_format_name(dtype), sim_layout_name(info->layout));
}

/* Dimensions that B.DIM does not give are the first source's. */
static bool reserve_like_source(struct tile_op *op)
{
    const struct tile *t = op->source[0];
    bool known = t && t->allocated && !sim_layout_is_cube(t->info.layout);
    return reserve_shape(op, tile_bundle_shape(op, known ? &t->info : NULL));
}

/* Prose gives TGATHER, TSCATTER and TIMG2COL defaults of their own and demands LB0; the model
 * takes the first source's shape (docs/decisions.md, "Tiles"). */
static bool reserve_by_dimensions(struct tile_op *op)
{
    const struct bundle *b = op->b;
    if (follows_model(op))
        return reserve_like_source(op);
    if (!b->lb_present[0])
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB0 is missing: the valid columns");
    for (unsigned i = 0; i < 3; i++)
        if (b->lb_present[i] && !b->lb[i])
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB%u is 0, it is 1 to %d", i,
                              TILE_MAX_DIMENSION);
    return reserve_shape(op, tile_bundle_shape(op, NULL));
}

static bool check_type(struct tile_op *op, bool legal)
{
    if (legal)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "the operation does not take %s",
                      sim_format_name(op->destination[0].tile.info.dtype));
}

/* ---- blocks of elements ---- */

struct place {
    uint32_t row, col;
};

static bool rows_are_bytes(const struct tile_view *v)
{
    return v->format->bits >= 8 && sim_map_row_is_contiguous(&v->map);
}

static void copy_row(const struct tile_view *to, struct place at, const struct tile_view *from,
                     struct place start, uint32_t cols)
{
    if (rows_are_bytes(to) && rows_are_bytes(from)) {
        unsigned size = sim_format_access_bytes(to->format);
        memcpy(to->bytes + (size_t)sim_map_index(&to->map, at.row, at.col) * size,
               from->bytes + (size_t)sim_map_index(&from->map, start.row, start.col) * size,
               (size_t)cols * size);
        return;
    }
    for (uint32_t col = 0; col < cols; col++)
        tile_view_set(to, at.row, at.col + col, tile_view_get(from, start.row, start.col + col));
}

/* rows x cols elements from `start` to `at`; both lie within the tiles. */
static void copy_block(const struct tile_view *to, struct place at, const struct tile_view *from,
                       struct place start, uint32_t rows, uint32_t cols)
{
    for (uint32_t row = 0; row < rows; row++)
        copy_row(to, (struct place){at.row + row, at.col}, from,
                 (struct place){start.row + row, start.col}, cols);
}

/* Calls `fill` for each PE of the mask; the destination then has the definedness given. */
static bool fill_each(struct tile_op *op, void (*fill)(struct tile_op *, unsigned pe),
                      enum tile_defined defined)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe)) {
            fill(op, pe);
            tile_new_fragment(op, 0, pe)->defined = (uint8_t)defined;
        }
    return true;
}

/* ---- TCONCAT ---- */

static void concatenate(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe);
    struct tile_view left = tile_source_view(op, 0, pe), right = tile_source_view(op, 1, pe);
    uint32_t rows = to.info->valid_rows, cols = left.info->valid_cols;
    copy_block(&to, (struct place){0, 0}, &left, (struct place){0, 0}, rows, cols);
    copy_block(&to, (struct place){0, cols}, &right, (struct place){0, 0}, rows,
               right.info->valid_cols);
}

bool tile_run_concat(struct tile_op *op)
{
    if (!reserve_like_source(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    if (!check_type(op, to->dtype != ISA_DataType_HiF4X2) || !check_source(op, 0, to->dtype) ||
        !check_source(op, 1, to->dtype))
        return false;
    const struct tile_info *left = &op->source[0]->info, *right = &op->source[1]->info;
    if (!left->valid_rows || left->valid_rows != right->valid_rows ||
        to->valid_rows != left->valid_rows ||
        to->valid_cols != left->valid_cols + right->valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination is %u x %u, the sources are %u x %u and %u x %u: rows "
                          "must be equal and the columns add up",
                          to->valid_rows, to->valid_cols, left->valid_rows, left->valid_cols,
                          right->valid_rows, right->valid_cols);
    return fill_each(op, concatenate, TILE_VALID_DEFINED);
}

/* ---- TEXTRACT, TINSERT ---- */

/* The contract takes the offsets from B.IOR, zero without it; the model from LB0 and LB1, which
 * are the valid shape as well. */
static struct place offset_of(const struct tile_op *op, unsigned pe)
{
    const struct bundle *b = op->b;
    if (follows_model(op))
        return (struct place){(uint32_t)b->lb[0], (uint32_t)b->lb[1]};
    return (struct place){(uint32_t)tile_scalar(op, pe, 0), (uint32_t)tile_scalar(op, pe, 1)};
}

static bool check_window(struct tile_op *op, const struct tile_info *whole,
                         const struct tile_info *part)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        struct place at = offset_of(op, pe);
        bool wide =
            !follows_model(op) && (tile_scalar(op, pe, 0) >> 16 || tile_scalar(op, pe, 1) >> 16);
        if ((op->mask & pe_bit(pe)) &&
            (wide || (uint64_t)at.row + part->valid_rows > whole->valid_rows ||
             (uint64_t)at.col + part->valid_cols > whole->valid_cols))
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "%u x %u elements at (%u, %u) do not lie in the valid region %u x %u",
                              part->valid_rows, part->valid_cols, at.row, at.col, whole->valid_rows,
                              whole->valid_cols);
    }
    return true;
}

static void extract(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 0, pe);
    copy_block(&to, (struct place){0, 0}, &from, offset_of(op, pe), to.info->valid_rows,
               to.info->valid_cols);
}

bool tile_run_extract(struct tile_op *op)
{
    if (!reserve_like_source(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    if (!check_type(op, to->dtype != ISA_DataType_HiF4X2) || !check_source(op, 0, to->dtype) ||
        !check_window(op, &op->source[0]->info, to))
        return false;
    fill_each(op, extract, TILE_VALID_DEFINED);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            tile_pad(op->s, to, tile_new_fragment(op, 0, pe), tile_pad_value(op));
    return true;
}

static bool same_shape(const struct tile_info *a, const struct tile_info *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->valid_rows == b->valid_rows &&
           a->valid_cols == b->valid_cols && a->layout == b->layout;
}

static void insert(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 1, pe);
    tile_fragment_copy(op->s, to.info, tile_new_fragment(op, 0, pe),
                       tile_source_fragment(op, 0, pe));
    copy_block(&to, offset_of(op, pe), &from, (struct place){0, 0}, from.info->valid_rows,
               from.info->valid_cols);
}

bool tile_run_insert(struct tile_op *op)
{
    if (!reserve_like_source(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    if (!check_type(op, to->dtype != ISA_DataType_HiF4X2) || !check_source(op, 0, to->dtype) ||
        !check_source(op, 1, to->dtype))
        return false;
    if (!same_shape(to, &op->source[0]->info))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination's shape and layout are not those of %s, which it "
                          "continues",
                          tile_slot_name(op->slot[0]).text);
    if (!check_window(op, to, &op->source[1]->info))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            insert(op, pe);
    return true;
}

/* ---- TFILLPAD ---- */

static void fill_pad(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 0, pe);
    uint64_t pad = tile_scalar(op, op->s->conformance ? op->b->pe : pe, 0);
    uint32_t rows = from.info->valid_rows, cols = from.info->valid_cols;
    for (uint32_t row = 0; row < to.info->rows; row++)
        for (uint32_t col = row < rows ? cols : 0; col < to.info->cols; col++)
            tile_view_set(&to, row, col, pad);
    copy_block(&to, (struct place){0, 0}, &from, (struct place){0, 0}, rows, cols);
}

bool tile_run_fillpad(struct tile_op *op)
{
    if (!reserve_like_source(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    unsigned bits = tile_format(to)->bits;
    if (!check_type(op, bits >= 8 && bits <= 32) || !check_source(op, 0, to->dtype))
        return false;
    const struct tile_info *from = &op->source[0]->info;
    if (to->rows < from->rows || to->cols < from->cols || to->valid_rows < from->valid_rows ||
        to->valid_cols < from->valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination, %u x %u of %u x %u, is smaller than the source, %u x "
                          "%u of %u x %u",
                          to->valid_rows, to->valid_cols, to->rows, to->cols, from->valid_rows,
                          from->valid_cols, from->rows, from->cols);
    return fill_each(op, fill_pad, TILE_ALL_DEFINED);
}

/* ---- TTRANS ---- */

static void transpose(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 0, pe);
    for (uint32_t row = 0; row < to.info->valid_rows; row++)
        for (uint32_t col = 0; col < to.info->valid_cols; col++)
            tile_view_set(&to, row, col, tile_view_get(&from, col, row));
}

bool tile_run_transpose(struct tile_op *op)
{
    if (!reserve_like_source(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    if (!check_type(op, to->dtype != ISA_DataType_HiF4X2) || !check_source(op, 0, to->dtype))
        return false;
    const struct tile_info *from = &op->source[0]->info;
    if (to->valid_rows != from->valid_cols || to->valid_cols != from->valid_rows)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the transposed %u x %u source is not the destination's %u x %u",
                          from->valid_rows, from->valid_cols, to->valid_rows, to->valid_cols);
    return fill_each(op, transpose, TILE_VALID_DEFINED);
}

/* ---- TGATHER, TSCATTER: row numbers from the second source, column by column ---- */

static bool check_row_numbers(struct tile_op *op)
{
    if (!check_source(op, 1, ISA_DataType_DTYPE_NONE))
        return false;
    const struct tile_info *t = &op->source[1]->info;
    const struct sim_format *f = tile_format(t);
    bool integer = f->klass == SIM_CLASS_SIGNED || f->klass == SIM_CLASS_UNSIGNED;
    if (!integer || f->bits < 16)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the index tile %s is %s, the types are S16, U16, S32, U32, S64 and U64",
                          tile_slot_name(op->slot[1]).text, sim_format_name(t->dtype));
    return true;
}

/* Row number at (row, col), below `limit`; false: reported. */
static bool check_row_number(struct tile_op *op, const struct tile_view *index, uint32_t row,
                             uint32_t col, uint32_t limit, uint32_t *number)
{
    uint64_t value = (uint64_t)tile_view_get_signed(index, row, col);
    *number = (uint32_t)value;
    if (value < limit)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "index (%u, %u) is %lld, it must be in 0..%u", row,
                      col, (long long)value, limit - 1);
}

static bool check_gathered(struct tile_op *op, unsigned pe)
{
    const struct tile_info *from = &op->source[0]->info;
    struct tile_view index = tile_source_view(op, 1, pe);
    const struct tile_fragment *f = tile_source_fragment(op, 0, pe);
    uint32_t number;
    if (!f)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s has no fragment in PE%u",
                          tile_slot_name(op->slot[0]).text, pe);
    for (uint32_t row = 0; row < index.info->valid_rows; row++)
        for (uint32_t col = 0; col < index.info->valid_cols; col++) {
            if (!check_row_number(op, &index, row, col, from->valid_rows, &number))
                return false;
            if (!tile_fragment_is_defined(from, f, number, col))
                return tile_fault(op, FAULT_TILE_LEGALITY,
                                  "source %s: element (%u, %u), which index (%u, %u) names, is "
                                  "undefined",
                                  tile_slot_name(op->slot[0]).text, number, col, row, col);
        }
    return true;
}

static void gather(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe);
    struct tile_view from = tile_source_view(op, 0, pe), index = tile_source_view(op, 1, pe);
    for (uint32_t row = 0; row < to.info->valid_rows; row++)
        for (uint32_t col = 0; col < to.info->valid_cols; col++)
            tile_view_set(&to, row, col,
                          tile_view_get(&from, (uint32_t)tile_view_get(&index, row, col), col));
}

bool tile_run_row_gather(struct tile_op *op)
{
    if (!reserve_by_dimensions(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    if (!check_type(op, tile_format(to)->bits >= 8) || !check_numeric_source(op, 0, to->dtype) ||
        !check_row_numbers(op))
        return false;
    const struct tile_info *from = &op->source[0]->info, *index = &op->source[1]->info;
    if (to->valid_rows != index->valid_rows || to->valid_cols != index->valid_cols ||
        from->valid_cols < to->valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination is %u x %u, the index %u x %u, the source %u columns: "
                          "the index must be as large and the source as wide as the destination",
                          to->valid_rows, to->valid_cols, index->valid_rows, index->valid_cols,
                          from->valid_cols);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->mask & pe_bit(pe)) && !check_gathered(op, pe))
            return false;
    return fill_each(op, gather, TILE_VALID_DEFINED);
}

/* Marks each element that is written in the fragment's own bits, so that the second is seen. */
static bool check_scattered(struct tile_op *op, unsigned pe)
{
    const struct tile_info *to = &op->destination[0].tile.info;
    struct tile_view index = tile_source_view(op, 1, pe), view = tile_destination_view(op, 0, pe);
    struct tile_fragment *f = tile_new_fragment(op, 0, pe);
    uint32_t number;
    tile_fragment_use_bits(op->s, to, f);
    for (uint32_t row = 0; row < index.info->valid_rows; row++)
        for (uint32_t col = 0; col < index.info->valid_cols; col++) {
            if (!check_row_number(op, &index, row, col, to->valid_rows, &number))
                return false;
            uint64_t element = sim_map_index(&view.map, number, col);
            if (tile_fragment_marked(f, element))
                return tile_fault(op, FAULT_TILE_LEGALITY,
                                  "index (%u, %u) is %u, which an earlier row of the column has "
                                  "already",
                                  row, col, number);
            tile_fragment_mark(f, element, true);
        }
    return true;
}

static void scatter(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe);
    struct tile_view from = tile_source_view(op, 0, pe), index = tile_source_view(op, 1, pe);
    for (uint32_t row = 0; row < from.info->valid_rows; row++)
        for (uint32_t col = 0; col < from.info->valid_cols; col++)
            tile_view_set(&to, (uint32_t)tile_view_get(&index, row, col), col,
                          tile_view_get(&from, row, col));
}

bool tile_run_row_scatter(struct tile_op *op)
{
    if (!reserve_by_dimensions(op))
        return false;
    const struct tile_info *to = &op->destination[0].tile.info;
    if (!check_type(op, tile_format(to)->bits >= 8) || !check_source(op, 0, to->dtype) ||
        !check_row_numbers(op))
        return false;
    const struct tile_info *from = &op->source[0]->info, *index = &op->source[1]->info;
    if (from->valid_rows != index->valid_rows || from->valid_cols != index->valid_cols ||
        to->valid_cols != from->valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the source is %u x %u, the index %u x %u, the destination %u columns: "
                          "the index must be as large and the destination as wide as the source",
                          from->valid_rows, from->valid_cols, index->valid_rows, index->valid_cols,
                          to->valid_cols);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->mask & pe_bit(pe)) && !check_scattered(op, pe))
            return false;
    return fill_each(op, scatter, TILE_ALL_DEFINED);
}

/* ---- TIMG2COL ---- */

/* The source must carry a feature map's description, and no encoded instruction gives a tile
 * one: after all other checks the operation can only fault (docs/decisions.md, "Tiles"). */
bool tile_run_img2col(struct tile_op *op)
{
    if (!reserve_by_dimensions(op))
        return false;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "source %s has no feature-map descriptor, and no instruction installs one",
                      tile_slot_name(op->slot[0]).text);
}
