/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of rows and columns. Each result is a fold in increasing index
 * order, never reassociated, rounded at every step. To use whole-row kernels,
 * many folds advance together: a column reduction takes row after row; a row
 * reduction takes a block of rows and column after column of it.
 */
#include "sim/tile_element.h"

#include <string.h>

enum { BLOCK_ROWS = 64, ELEMENT_BYTES = 8 };

static const struct {
    uint8_t function;
    bool by_column, index;
} rows[ISA_TILEOP_COUNT] = {
    [ISA_TILEOP_TROWSUM] = {.function = ELEMENT_ADD},
    [ISA_TILEOP_TROWPROD] = {.function = ELEMENT_MUL},
    [ISA_TILEOP_TROWMAX] = {.function = ELEMENT_MAX},
    [ISA_TILEOP_TROWMIN] = {.function = ELEMENT_MIN},
    [ISA_TILEOP_TROWARGMAX] = {.function = ELEMENT_MAX, .index = true},
    [ISA_TILEOP_TROWARGMIN] = {.function = ELEMENT_MIN, .index = true},
    [ISA_TILEOP_TCOLSUM] = {.function = ELEMENT_ADD, .by_column = true},
    [ISA_TILEOP_TCOLPROD] = {.function = ELEMENT_MUL, .by_column = true},
    [ISA_TILEOP_TCOLMAX] = {.function = ELEMENT_MAX, .by_column = true},
    [ISA_TILEOP_TCOLMIN] = {.function = ELEMENT_MIN, .by_column = true},
    [ISA_TILEOP_TCOLARGMAX] = {.function = ELEMENT_MAX, .by_column = true, .index = true},
    [ISA_TILEOP_TCOLARGMIN] = {.function = ELEMENT_MIN, .by_column = true, .index = true},
};

bool tile_check_reduce(struct tile_op *op)
{
    return tile_check_vector(op) && tile_check_no_scalars(op) &&
           tile_check_shaped_operand(op, 0, op->b->data_type, tile_vector_shape(op));
}

/* ---- folds ---- */

/* `count` folds side by side. */
struct folds {
    size_t count;
    uint8_t *result;   /* count elements */
    uint8_t *previous; /* scratch of as many */
    uint32_t *index;   /* NULL: not wanted */
};

/* What a sum or product starts from; the others start from their first element. */
static void start(struct element_pass *p, const struct folds *f, const uint8_t *first)
{
    unsigned bytes = p->run.type->bits / 8;
    if (p->function == ELEMENT_ADD || p->function == ELEMENT_MUL) {
        uint64_t neutral = p->function == ELEMENT_ADD ? 0 : p->run.type->one;
        element_fill(f->previous, bytes, neutral, f->count);
        p->run.type->kernels->binary[p->function](&p->run, f->result, f->previous, first, f->count);
    } else {
        memcpy(f->result, first, f->count * bytes);
    }
    if (f->index)
        memset(f->index, 0, f->count * sizeof *f->index);
}

/* A new element is the winner when the result is it and was something else before. */
static void note_winners(const struct folds *f, const uint8_t *values, unsigned bytes,
                         uint32_t position)
{
    for (size_t i = 0; i < f->count; i++) {
        const uint8_t *now = f->result + i * bytes;
        if (memcmp(now, values + i * bytes, bytes) == 0 &&
            memcmp(now, f->previous + i * bytes, bytes) != 0)
            f->index[i] = position;
    }
}

static void advance(struct element_pass *p, const struct folds *f, const uint8_t *values,
                    uint32_t position)
{
    unsigned bytes = p->run.type->bits / 8;
    if (f->index)
        memcpy(f->previous, f->result, f->count * bytes);
    p->run.type->kernels->binary[p->function](&p->run, f->result, f->result, values, f->count);
    if (f->index)
        note_winners(f, values, bytes, position);
}

/* ---- both directions ---- */

static const uint8_t *source_row(const struct element_pass *p, uint32_t row)
{
    return tile_row(&p->op->source[0]->info, p->source[0], row);
}

static void fold_columns(struct element_pass *p)
{
    const struct tile_info *from = &p->op->source[0]->info;
    bool index = rows[p->op->row - isa_tileops].index;
    uint8_t *to = tile_row(p->info, p->destination, 0);
    size_t size = (size_t)from->valid_cols * ELEMENT_BYTES;
    struct folds f = {.count = from->valid_cols,
                      .result = p->scratch,
                      .previous = p->scratch + size,
                      .index = index ? (uint32_t *)(void *)(p->scratch + 2 * size) : NULL};
    start(p, &f, source_row(p, 0));
    for (uint32_t row = 1; row < from->valid_rows; row++)
        advance(p, &f, source_row(p, row), row);
    memcpy(to, index ? (const uint8_t *)f.index : f.result,
           f.count * (tile_format(p->info)->bits / 8));
}

static void gather_column(const struct element_pass *p, uint8_t *to, uint32_t first, size_t count,
                          uint32_t col)
{
    unsigned bytes = p->run.type->bits / 8;
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * bytes, source_row(p, first + (uint32_t)i) + (size_t)col * bytes, bytes);
}

static void fold_block(struct element_pass *p, uint32_t first, size_t count, bool index)
{
    uint64_t result[BLOCK_ROWS], previous[BLOCK_ROWS], values[BLOCK_ROWS];
    uint32_t positions[BLOCK_ROWS];
    struct folds f = {count, (uint8_t *)result, (uint8_t *)previous, index ? positions : NULL};
    gather_column(p, (uint8_t *)values, first, count, 0);
    start(p, &f, (uint8_t *)values);
    for (uint32_t col = 1; col < p->op->source[0]->info.valid_cols; col++) {
        gather_column(p, (uint8_t *)values, first, count, col);
        advance(p, &f, (uint8_t *)values, col);
    }
    unsigned bytes = tile_format(p->info)->bits / 8;
    const uint8_t *from = index ? (const uint8_t *)positions : f.result;
    for (size_t i = 0; i < count; i++)
        memcpy(tile_row(p->info, p->destination, first + (uint32_t)i), from + i * bytes, bytes);
}

static void fold_rows(struct element_pass *p)
{
    uint32_t all = p->op->source[0]->info.valid_rows;
    for (uint32_t row = 0; row < all; row += BLOCK_ROWS)
        fold_block(p, row, all - row < BLOCK_ROWS ? all - row : BLOCK_ROWS,
                   rows[p->op->row - isa_tileops].index);
}

bool tile_run_reduce(struct tile_op *op)
{
    unsigned n = (unsigned)(op->row - isa_tileops);
    const struct tile_info *from = &op->source[0]->info;
    struct tile_shape shape = {from->valid_rows, 1, 1};
    if (rows[n].by_column)
        shape = (struct tile_shape){1, from->valid_cols, from->cols};
    if (!tile_reserve(op, shape, rows[n].index ? ISA_DataType_U32 : from->dtype,
                      tile_destination_layout(op)) ||
        !tile_check_type(op, from->dtype))
        return false;
    tile_vector_pass(
        op,
        &(struct vector_pass){
            .body = rows[n].by_column ? fold_columns : fold_rows,
            .type = from->dtype,
            .function = rows[n].function,
            .scratch_bytes = rows[n].by_column ? 3 * (size_t)from->valid_cols * ELEMENT_BYTES : 0,
            .records = true,
            .pad = tile_pad_value(op),
        });
    return true;
}
