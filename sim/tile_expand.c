/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expansions: a column beside every column of a tile (TROWEXPAND…), or a row
 * beside every row (TCOLEXPAND…). The broadcast side is made a row, so that the
 * kernels of elementwise operations serve.
 */
#include "sim/tile_element.h"

#include <string.h>

enum expansion { EXPAND_COPY, EXPAND_BINARY, EXPAND_EXPDIF };

static const struct {
    uint8_t kind, function;
    bool by_column;
} rows[ISA_TILEOP_COUNT] = {
    [ISA_TILEOP_TROWEXPAND] = {.kind = EXPAND_COPY},
    [ISA_TILEOP_TROWEXPANDADD] = {.kind = EXPAND_BINARY, .function = ELEMENT_ADD},
    [ISA_TILEOP_TROWEXPANDSUB] = {.kind = EXPAND_BINARY, .function = ELEMENT_SUB},
    [ISA_TILEOP_TROWEXPANDMUL] = {.kind = EXPAND_BINARY, .function = ELEMENT_MUL},
    [ISA_TILEOP_TROWEXPANDDIV] = {.kind = EXPAND_BINARY, .function = ELEMENT_DIV},
    [ISA_TILEOP_TROWEXPANDMAX] = {.kind = EXPAND_BINARY, .function = ELEMENT_MAX},
    [ISA_TILEOP_TROWEXPANDMIN] = {.kind = EXPAND_BINARY, .function = ELEMENT_MIN},
    [ISA_TILEOP_TROWEXPANDEXPDIF] = {.kind = EXPAND_EXPDIF},
    [ISA_TILEOP_TCOLEXPAND] = {.kind = EXPAND_COPY, .by_column = true},
    [ISA_TILEOP_TCOLEXPANDADD] = {.kind = EXPAND_BINARY,
                                  .function = ELEMENT_ADD,
                                  .by_column = true},
    [ISA_TILEOP_TCOLEXPANDSUB] = {.kind = EXPAND_BINARY,
                                  .function = ELEMENT_SUB,
                                  .by_column = true},
    [ISA_TILEOP_TCOLEXPANDMUL] = {.kind = EXPAND_BINARY,
                                  .function = ELEMENT_MUL,
                                  .by_column = true},
    [ISA_TILEOP_TCOLEXPANDDIV] = {.kind = EXPAND_BINARY,
                                  .function = ELEMENT_DIV,
                                  .by_column = true},
    [ISA_TILEOP_TCOLEXPANDMAX] = {.kind = EXPAND_BINARY,
                                  .function = ELEMENT_MAX,
                                  .by_column = true},
    [ISA_TILEOP_TCOLEXPANDMIN] = {.kind = EXPAND_BINARY,
                                  .function = ELEMENT_MIN,
                                  .by_column = true},
    [ISA_TILEOP_TCOLEXPANDEXPDIF] = {.kind = EXPAND_EXPDIF, .by_column = true},
};

static unsigned row_of(const struct tile_op *op)
{
    return (unsigned)(op->row - isa_tileops);
}

/* Destination types of EXPDIF: the source's, or FP32. */
static bool check_difference_type(struct tile_op *op, unsigned *dtype)
{
    const struct bundle_datr *d = &op->b->datr;
    *dtype =
        d->present && d->data_type != ISA_DataType_DTYPE_NONE ? d->data_type : op->b->data_type;
    return *dtype == op->b->data_type || *dtype == ISA_DataType_FP32 ||
           tile_fault(op, FAULT_TILE_LEGALITY, "B.DATR DataType is %s, it must be %s or FP32",
                      sim_format_name(*dtype), sim_format_name(op->b->data_type));
}

static bool destination_type(struct tile_op *op, unsigned *dtype)
{
    return rows[row_of(op)].kind == EXPAND_EXPDIF ? check_difference_type(op, dtype)
                                                  : tile_effective_type(op, dtype);
}

bool tile_check_expand(struct tile_op *op)
{
    unsigned n = row_of(op), dtype;
    struct tile_shape whole = tile_vector_shape(op), line = {whole.valid_rows, 1, 1};
    if (rows[n].by_column)
        line = (struct tile_shape){1, whole.valid_cols, whole.cols};
    if (!tile_check_vector(op) || !tile_check_no_scalars(op) ||
        (rows[n].kind == EXPAND_EXPDIF && !check_difference_type(op, &dtype)))
        return false;
    unsigned broadcast = rows[n].kind != EXPAND_COPY;
    if (!tile_check_shaped_operand(op, broadcast, op->b->data_type, line))
        return false;
    if (!broadcast)
        return true;
    return tile_check_shaped_operand(op, 0, op->b->data_type, whole) &&
           (rows[n].function != ELEMENT_DIV || tile_check_no_zero(op, 1));
}

/* ---- passes ---- */

static const uint8_t *source_row(const struct element_pass *p, unsigned n, uint32_t row)
{
    return tile_row(&p->op->source[n]->info, p->source[n], row);
}

/* A row of the broadcast side: its own, or `row`'s element over and over, made in `scratch`. */
static const uint8_t *broadcast_row(const struct element_pass *p, unsigned n, uint32_t row,
                                    uint8_t *scratch)
{
    if (rows[row_of(p->op)].by_column)
        return source_row(p, n, 0);
    unsigned bytes = tile_format(&p->op->source[n]->info)->bits / 8;
    uint64_t element = 0;
    memcpy(&element, source_row(p, n, row), bytes);
    element_fill(scratch, bytes, element, p->info->valid_cols);
    return scratch;
}

static void copy_body(struct element_pass *p)
{
    size_t size = (size_t)p->info->valid_cols * (p->run.type->bits / 8);
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        memcpy(tile_row(p->info, p->destination, row), broadcast_row(p, 0, row, p->scratch), size);
}

static void binary_body(struct element_pass *p)
{
    element_binary_fn *kernel = p->run.type->kernels->binary[p->function];
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        kernel(&p->run, tile_row(p->info, p->destination, row), source_row(p, 0, row),
               broadcast_row(p, 1, row, p->scratch), p->info->valid_cols);
}

/* Exact: FP32 holds every number of the narrower source. */
static void widen(struct element_pass *p, const struct element_type *from, uint8_t *to,
                  const uint8_t *row)
{
    static const struct element_control to_nearest = {ROUND_EVEN, false};
    for (size_t i = 0; i < p->info->valid_cols; i++) {
        uint64_t bits = 0;
        memcpy(&bits, row + i * (from->bits / 8), from->bits / 8);
        bits =
            p->run.type->encode(p->run.type, from->decode(from, bits), &to_nearest, &p->run.flags);
        memcpy(to + i * (p->run.type->bits / 8), &bits, p->run.type->bits / 8);
    }
}

/* e^(source - broadcast), in the destination's type, each step rounded. Scratch: three rows. */
static void difference_body(struct element_pass *p)
{
    const struct element_kernels *k = p->run.type->kernels;
    const struct element_type *from = element_type_of(p->op->source[0]->info.dtype);
    size_t size = (size_t)p->info->valid_cols * sizeof(uint64_t);
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        uint8_t *to = tile_row(p->info, p->destination, row);
        const uint8_t *left = source_row(p, 0, row);
        const uint8_t *right = broadcast_row(p, 1, row, p->scratch);
        if (from != p->run.type) {
            widen(p, from, p->scratch + size, left);
            widen(p, from, p->scratch + 2 * size, right);
            left = p->scratch + size;
            right = p->scratch + 2 * size;
        }
        k->binary[ELEMENT_SUB](&p->run, to, left, right, p->info->valid_cols);
        k->unary[ELEMENT_EXP](&p->run, to, to, p->info->valid_cols);
    }
}

static void (*const bodies[])(struct element_pass *p) = {
    [EXPAND_COPY] = copy_body,
    [EXPAND_BINARY] = binary_body,
    [EXPAND_EXPDIF] = difference_body,
};

/* The destination's rows follow from its capacity, those of the source from its own. */
static bool check_rows(struct tile_op *op)
{
    unsigned kind = rows[row_of(op)].kind;
    const struct tile_info *info = &op->destination[0].tile.info;
    if (kind == EXPAND_BINARY)
        return tile_check_same_shape(op, 0);
    if (kind == EXPAND_COPY && info->dtype == op->source[0]->info.dtype)
        return true;
    if (kind == EXPAND_EXPDIF && info->rows == op->source[0]->info.rows)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "the destination has %u rows of %s, the source %s %u of %s", info->rows,
                      sim_format_name(info->dtype), tile_slot_name(op->slot[0]).text,
                      op->source[0]->info.rows, sim_format_name(op->source[0]->info.dtype));
}

bool tile_run_expand(struct tile_op *op)
{
    unsigned n = row_of(op), dtype;
    struct tile_shape shape = tile_vector_shape(op);
    if (!destination_type(op, &dtype) ||
        !tile_reserve(op, shape, dtype, tile_destination_layout(op)) || !check_rows(op))
        return false;
    tile_vector_pass(op, &(struct vector_pass){
                             .body = bodies[rows[n].kind],
                             .type = dtype,
                             .function = rows[n].function,
                             .scratch_bytes = 3 * (size_t)shape.valid_cols * sizeof(uint64_t),
                             .records = true,
                             .pad = tile_pad_value(op),
                         });
    return true;
}
