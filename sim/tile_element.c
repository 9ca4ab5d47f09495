/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementwise operations: tile and tile, tile and scalar, comparisons, selections, fills, unions.
 */
#include "sim/tile_element.h"

#include <string.h>

#include "sim/pe.h"

enum { STATUS_FLAGS = 32 }; /* bit position in CORE_STATE */

/* `open`: the model checks shape and type only against the destination, whose dimensions default
 * to the source's (asl: no closed schema). */
static const struct {
    uint8_t function;
    bool open;
} rows[ISA_TILEOP_COUNT] = {
    [ISA_TILEOP_TADD] = {.function = ELEMENT_ADD},
    [ISA_TILEOP_TSUB] = {.function = ELEMENT_SUB},
    [ISA_TILEOP_TMUL] = {.function = ELEMENT_MUL},
    [ISA_TILEOP_TDIV] = {.function = ELEMENT_DIV},
    [ISA_TILEOP_TREM] = {.function = ELEMENT_REM},
    [ISA_TILEOP_TMAX] = {.function = ELEMENT_MAX},
    [ISA_TILEOP_TMIN] = {.function = ELEMENT_MIN},
    [ISA_TILEOP_TAND] = {.function = ELEMENT_AND, .open = true},
    [ISA_TILEOP_TOR] = {.function = ELEMENT_OR, .open = true},
    [ISA_TILEOP_TXOR] = {.function = ELEMENT_XOR, .open = true},
    [ISA_TILEOP_TSHL] = {.function = ELEMENT_SHL, .open = true},
    [ISA_TILEOP_TSHR] = {.function = ELEMENT_SHR, .open = true},
    [ISA_TILEOP_TABS] = {.function = ELEMENT_ABS},
    [ISA_TILEOP_TNOT] = {.function = ELEMENT_NOT},
    [ISA_TILEOP_TNEG] = {.function = ELEMENT_NEG},
    [ISA_TILEOP_TRELU] = {.function = ELEMENT_RELU},
    [ISA_TILEOP_TEXP] = {.function = ELEMENT_EXP, .open = true},
    [ISA_TILEOP_TLOG] = {.function = ELEMENT_LOG, .open = true},
    [ISA_TILEOP_TRECIP] = {.function = ELEMENT_RECIP, .open = true},
    [ISA_TILEOP_TSQRT] = {.function = ELEMENT_SQRT, .open = true},
    [ISA_TILEOP_TRSQRT] = {.function = ELEMENT_RSQRT, .open = true},
    [ISA_TILEOP_TADDS] = {.function = ELEMENT_ADD},
    [ISA_TILEOP_TSUBS] = {.function = ELEMENT_SUB},
    [ISA_TILEOP_TMULS] = {.function = ELEMENT_MUL},
    [ISA_TILEOP_TDIVS] = {.function = ELEMENT_DIV},
    [ISA_TILEOP_TREMS] = {.function = ELEMENT_REM},
    [ISA_TILEOP_TMAXS] = {.function = ELEMENT_MAX},
    [ISA_TILEOP_TMINS] = {.function = ELEMENT_MIN},
    [ISA_TILEOP_TANDS] = {.function = ELEMENT_AND},
    [ISA_TILEOP_TORS] = {.function = ELEMENT_OR},
    [ISA_TILEOP_TXORS] = {.function = ELEMENT_XOR},
    [ISA_TILEOP_TSHLS] = {.function = ELEMENT_SHL},
    [ISA_TILEOP_TSHRS] = {.function = ELEMENT_SHR},
    [ISA_TILEOP_TPARTADD] = {.function = ELEMENT_ADD},
    [ISA_TILEOP_TPARTMUL] = {.function = ELEMENT_MUL},
    [ISA_TILEOP_TPARTMAX] = {.function = ELEMENT_MAX},
    [ISA_TILEOP_TPARTMIN] = {.function = ELEMENT_MIN},
};

static unsigned function_of(const struct tile_op *op)
{
    return rows[op->row - isa_tileops].function;
}

/* ---- what all vector operations check ---- */

struct tile_shape tile_vector_shape(const struct tile_op *op)
{
    const struct bundle *b = op->b;
    struct tile_shape shape = {.valid_rows = 1, .valid_cols = (uint32_t)b->lb[0]};
    if (b->lb_present[1])
        shape.valid_rows = (uint32_t)b->lb[1];
    shape.cols = b->lb_present[2] ? (uint32_t)b->lb[2] : shape.valid_cols;
    return shape;
}

uint64_t tile_vector_scalar(const struct tile_op *op, unsigned pe, unsigned slot)
{
    return tile_scalar(op, op->s->conformance ? op->b->pe : pe, slot);
}

bool tile_check_no_scalars(struct tile_op *op)
{
    return !op->b->ior_present || tile_fault(op, FAULT_TILE_LEGALITY, "B.IOR is not taken");
}

bool tile_check_type(struct tile_op *op, unsigned dtype)
{
    return (op->row->datatypes >> dtype & 1) ||
           tile_fault(op, FAULT_TILE_LEGALITY, "elements of type %s are not taken",
                      sim_format_name(dtype));
}

static bool check_masks(struct tile_op *op)
{
    for (unsigned i = 1; i < op->b->niot; i++)
        if (op->b->iot[i].mask != op->b->iot[0].mask)
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOT %u has another mask than the first",
                              i + 1);
    return true;
}

bool tile_check_grouping(struct tile_op *op)
{
    const uint8_t *grouping = op->row->grouping;
    unsigned expected = (unsigned)strlen((const char *)grouping);
    expected += !expected; /* a destination alone */
    if (op->b->niot != expected)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%u B.IOT bind the operands, it takes %u",
                          op->b->niot, expected);
    for (unsigned i = 0; i < expected; i++) {
        const struct bundle_iot *iot = &op->b->iot[i];
        if (iot->nsources != grouping[i] || iot->has_destination != (i == expected - 1))
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "B.IOT %u binds %u sources, it takes %u; the destination stands in "
                              "the last",
                              i + 1, iot->nsources, grouping[i]);
    }
    return true;
}

bool tile_check_dimensions(struct tile_op *op)
{
    const struct bundle *b = op->b;
    if (!b->lb_present[0])
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB0, the valid columns, is missing");
    for (unsigned i = 0; i < 3; i++)
        if (b->lb_present[i] && (!b->lb[i] || b->lb[i] > TILE_MAX_DIMENSION))
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB%u is %llu, it must be 1..%d", i,
                              (unsigned long long)b->lb[i], TILE_MAX_DIMENSION);
    return true;
}

bool tile_check_vector(struct tile_op *op)
{
    if (rows[op->row - isa_tileops].open)
        return check_masks(op);
    return tile_check_grouping(op) && tile_check_dimensions(op) &&
           tile_check_type(op, op->b->data_type) && check_masks(op);
}

/* ---- sources ---- */

bool tile_check_operand(struct tile_op *op, unsigned n)
{
    if (!tile_check_source(op, n, op->mask))
        return false;
    const struct tile_info *info = &op->source[n]->info;
    if (info->storage != TILE_NUMERIC)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s holds predicates, not numbers",
                          tile_slot_name(op->slot[n]).text);
    if (info->layout != SIM_ROW_MAJOR)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s is %s, it must be RowMajor",
                          tile_slot_name(op->slot[n]).text, sim_layout_name(info->layout));
    return true;
}

static bool check_shape(struct tile_op *op, unsigned n, struct tile_shape shape)
{
    const struct tile_info *info = &op->source[n]->info;
    if (info->valid_rows == shape.valid_rows && info->valid_cols == shape.valid_cols &&
        info->cols == shape.cols)
        return true;
    return tile_fault(
        op, FAULT_TILE_LEGALITY,
        "source %s has %u x %u valid elements in %u columns, the operation needs %u x "
        "%u in %u",
        tile_slot_name(op->slot[n]).text, info->valid_rows, info->valid_cols, info->cols,
        shape.valid_rows, shape.valid_cols, shape.cols);
}

bool tile_check_shaped_operand(struct tile_op *op, unsigned n, unsigned dtype,
                               struct tile_shape shape)
{
    if (!tile_check_operand(op, n))
        return false;
    if (op->source[n]->info.dtype != dtype)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s holds %s, the bundle's type is %s",
                          tile_slot_name(op->slot[n]).text,
                          sim_format_name(op->source[n]->info.dtype), sim_format_name(dtype));
    return tile_check_encodings(op, n) && check_shape(op, n, shape);
}

/* The first valid element whose bits under `mask` are all zero (or, `nonzero`, are not). */
static bool find_element(const struct tile_op *op, unsigned n, uint64_t mask, bool nonzero,
                         uint32_t at[2])
{
    const struct tile_info *info = &op->source[n]->info;
    const struct sim_format *f = tile_format(info);
    struct sim_map map = tile_map(info);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        const struct tile_fragment *from = tile_source_fragment(op, n, pe);
        for (at[0] = 0; at[0] < info->valid_rows; at[0]++)
            for (at[1] = 0; at[1] < info->valid_cols; at[1]++) {
                uint64_t e = sim_element_get(f, from->bytes, sim_map_index(&map, at[0], at[1]));
                if (((e & mask) != 0) == nonzero)
                    return true;
            }
    }
    return false;
}

bool tile_check_encodings(struct tile_op *op, unsigned n)
{
    uint64_t reserved = element_type_of(op->source[n]->info.dtype)->reserved;
    uint32_t at[2];
    if (!reserved || !find_element(op, n, reserved, true, at))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "source %s: element (%u, %u) is no valid %s: bits 0x%llx must be zero",
                      tile_slot_name(op->slot[n]).text, at[0], at[1],
                      sim_format_name(op->source[n]->info.dtype), (unsigned long long)reserved);
}

bool tile_check_no_zero(struct tile_op *op, unsigned n)
{
    uint32_t at[2];
    if (element_type_of(op->source[n]->info.dtype)->is_float ||
        !find_element(op, n, UINT64_MAX, false, at))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "divisor %s: element (%u, %u) is zero",
                      tile_slot_name(op->slot[n]).text, at[0], at[1]);
}

/* ---- passes ---- */

static bool records_status(const struct tile_op *op, const struct vector_pass *v)
{
    return v->records || op->s->options.profile != SIM_PROFILE_PTO_V0;
}

static void pass_fragment(struct tile_op *op, const struct vector_pass *v, unsigned pe,
                          struct element_pass *p)
{
    struct sim *s = op->s;
    p->destination = tile_new_fragment(op, 0, pe);
    for (unsigned i = 0; i < op->nsources; i++)
        p->source[i] = tile_source_fragment(op, i, pe);
    for (unsigned i = 0; i < 2; i++)
        p->scalar[i] = tile_vector_scalar(op, pe, i);
    element_begin(&p->run, element_type_of(v->type));
    v->body(p);
    element_end(&p->run);
    p->destination->defined = TILE_VALID_DEFINED;
    if (p->info->storage == TILE_NUMERIC)
        tile_pad(s, p->info, p->destination, v->pad);
    if (records_status(op, v))
        s->pes[s->conformance ? op->b->pe : pe].core_state |= (uint64_t)p->run.flags
                                                              << STATUS_FLAGS;
}

void tile_vector_pass(struct tile_op *op, const struct vector_pass *v)
{
    struct buffer *scratch = &op->s->tiles->row;
    scratch->size = 0;
    struct element_pass p = {
        .op = op,
        .info = &op->destination[0].tile.info,
        .function = v->function,
        .scratch = v->scratch_bytes ? buffer_extend(scratch, v->scratch_bytes) : NULL,
    };
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            pass_fragment(op, v, pe, &p);
}

static const uint8_t *source_row(const struct element_pass *p, unsigned n, uint32_t row)
{
    return tile_row(&p->op->source[n]->info, p->source[n], row);
}

/* ---- tile and tile ---- */

static bool reserve_vector(struct tile_op *op)
{
    unsigned dtype;
    const struct tile *first = op->nsources ? op->source[0] : NULL;
    const struct tile_info *from = first && first->allocated ? &first->info : NULL;
    struct tile_shape shape =
        rows[op->row - isa_tileops].open ? tile_bundle_shape(op, from) : tile_vector_shape(op);
    return tile_effective_type(op, &dtype) &&
           tile_reserve(op, shape, dtype, tile_destination_layout(op));
}

/* All sources are like the destination, whose elements the operation takes. */
static bool check_alike(struct tile_op *op, bool encodings)
{
    for (unsigned i = 0; i < op->nsources; i++)
        if (!tile_check_operand(op, i) || !tile_check_same_shape(op, i) ||
            !tile_check_type(op, op->source[i]->info.dtype) ||
            (encodings && !tile_check_encodings(op, i)))
            return false;
    return true;
}

static void binary_body(struct element_pass *p)
{
    element_binary_fn *kernel = p->run.type->kernels->binary[p->function];
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        kernel(&p->run, tile_row(p->info, p->destination, row), source_row(p, 0, row),
               source_row(p, 1, row), p->info->valid_cols);
}

bool tile_run_binary(struct tile_op *op)
{
    unsigned function = function_of(op);
    bool selects = function == ELEMENT_MAX || function == ELEMENT_MIN;
    if (!reserve_vector(op) || !check_alike(op, selects))
        return false;
    if ((function == ELEMENT_DIV || function == ELEMENT_REM) && !tile_check_no_zero(op, 1))
        return false;
    tile_vector_pass(op, &(struct vector_pass){.body = binary_body,
                                               .type = op->source[0]->info.dtype,
                                               .function = function,
                                               .pad = tile_pad_value(op)});
    return true;
}

static void unary_body(struct element_pass *p)
{
    element_unary_fn *kernel = p->run.type->kernels->unary[p->function];
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        kernel(&p->run, tile_row(p->info, p->destination, row), source_row(p, 0, row),
               p->info->valid_cols);
}

bool tile_run_unary(struct tile_op *op)
{
    if (!reserve_vector(op) || !check_alike(op, true))
        return false;
    tile_vector_pass(op, &(struct vector_pass){.body = unary_body,
                                               .type = op->source[0]->info.dtype,
                                               .function = function_of(op),
                                               .records = true,
                                               .pad = tile_pad_value(op)});
    return true;
}

static void fused_body(struct element_pass *p)
{
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        p->run.type->kernels->fused(&p->run, tile_row(p->info, p->destination, row),
                                    source_row(p, 0, row), source_row(p, 1, row),
                                    source_row(p, 2, row), p->info->valid_cols);
}

bool tile_run_fused(struct tile_op *op)
{
    if (!tile_check_no_scalars(op) || !reserve_vector(op) || !check_alike(op, true))
        return false;
    tile_vector_pass(op, &(struct vector_pass){.body = fused_body,
                                               .type = op->source[0]->info.dtype,
                                               .records = true,
                                               .pad = tile_pad_value(op)});
    return true;
}

/* ---- tile and scalar ---- */

static bool check_scalar_value(struct tile_op *op, bool divisor)
{
    const struct element_type *t = element_type_of(op->b->data_type);
    uint64_t mask = UINT64_MAX >> (64 - t->bits);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        uint64_t scalar = tile_vector_scalar(op, pe, 0) & mask;
        if (!(op->mask & pe_bit(pe)))
            continue;
        if (scalar & t->reserved)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "the scalar 0x%llx of PE%u is no valid %s: bits 0x%llx must be zero",
                              (unsigned long long)scalar, pe, sim_format_name(op->b->data_type),
                              (unsigned long long)t->reserved);
        if (divisor && !t->is_float && !scalar)
            return tile_fault(op, FAULT_TILE_LEGALITY, "the scalar divisor of PE%u is zero", pe);
    }
    return true;
}

bool tile_check_scalar(struct tile_op *op)
{
    unsigned function = function_of(op);
    return tile_check_vector(op) &&
           tile_check_shaped_operand(op, 0, op->b->data_type, tile_vector_shape(op)) &&
           check_scalar_value(op, function == ELEMENT_DIV || function == ELEMENT_REM);
}

static void scalar_body(struct element_pass *p)
{
    uint32_t n = p->info->valid_cols;
    element_binary_fn *kernel = p->run.type->kernels->binary[p->function];
    element_fill(p->scratch, p->run.type->bits / 8, p->scalar[0], n);
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        kernel(&p->run, tile_row(p->info, p->destination, row), source_row(p, 0, row), p->scratch,
               n);
}

static size_t row_bytes(const struct tile_info *info)
{
    return (size_t)sim_format_bytes(tile_format(info), info->valid_cols);
}

bool tile_run_scalar(struct tile_op *op)
{
    if (!reserve_vector(op) || !tile_check_same_shape(op, 0))
        return false;
    tile_vector_pass(op, &(struct vector_pass){.body = scalar_body,
                                               .type = op->source[0]->info.dtype,
                                               .function = function_of(op),
                                               .scratch_bytes = row_bytes(&op->source[0]->info),
                                               .records = true,
                                               .pad = tile_pad_value(op)});
    return true;
}

static void fill_body(struct element_pass *p)
{
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        element_fill(tile_row(p->info, p->destination, row), p->run.type->bits / 8, p->scalar[0],
                     p->info->valid_cols);
}

bool tile_run_fill(struct tile_op *op)
{
    if (!reserve_vector(op) || !tile_check_type(op, op->destination[0].tile.info.dtype))
        return false;
    tile_vector_pass(op, &(struct vector_pass){.body = fill_body,
                                               .type = op->destination[0].tile.info.dtype,
                                               .pad = tile_pad_value(op)});
    return true;
}

/* ---- comparisons ---- */

static bool with_scalar(const struct tile_op *op)
{
    return op->row->nscalars > 0;
}

bool tile_check_compare(struct tile_op *op)
{
    if (!tile_check_vector(op) || (!with_scalar(op) && !tile_check_no_scalars(op)))
        return false;
    if (op->b->datr.cmode >= ELEMENT_COMPARISONS)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DATR CMode is %u, it must be 0..%d",
                          op->b->datr.cmode, ELEMENT_COMPARISONS - 1);
    for (unsigned i = 0; i < op->nsources; i++)
        if (!tile_check_shaped_operand(op, i, op->b->data_type, tile_vector_shape(op)))
            return false;
    if (op->nsources > 1 && op->source[1]->info.rows != op->source[0]->info.rows)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the sources have %u and %u physical rows, they must agree",
                          op->source[0]->info.rows, op->source[1]->info.rows);
    return !with_scalar(op) || check_scalar_value(op, false);
}

static void put_predicates(const struct element_pass *p, uint32_t row, const uint8_t *values)
{
    uint64_t bit = (uint64_t)row * p->info->cols;
    for (uint32_t col = 0; col < p->info->valid_cols; col++, bit++)
        p->destination->bytes[bit / 8] |= (uint8_t)(values[col] << (bit % 8));
}

/* Scratch: one byte a predicate of a row, then a row of the scalar. */
static void compare_body(struct element_pass *p)
{
    uint32_t n = p->info->valid_cols;
    element_compare_fn *kernel = p->run.type->kernels->compare[p->function];
    uint8_t *right = p->scratch + p->info->cols * sizeof(uint64_t);
    if (with_scalar(p->op))
        element_fill(right, p->run.type->bits / 8, p->scalar[0], n);
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        kernel(&p->run, p->scratch, source_row(p, 0, row),
               with_scalar(p->op) ? right : source_row(p, 1, row), n);
        put_predicates(p, row, p->scratch);
    }
}

/* Padding of predicates: Max sets, the others clear; Null leaves them undefined. */
static void pad_predicates(struct tile_op *op, struct tile_fragment *f)
{
    const struct tile_info *info = &op->destination[0].tile.info;
    enum sim_pad pad = tile_pad_value(op);
    if (pad == SIM_PAD_NULL)
        return;
    tile_fragment_use_bits(op->s, info, f);
    for (uint32_t row = 0; row < info->rows; row++)
        for (uint32_t col = row < info->valid_rows ? info->valid_cols : 0; col < info->cols;
             col++) {
            uint64_t bit = (uint64_t)row * info->cols + col;
            if (pad == SIM_PAD_MAX)
                f->bytes[bit / 8] |= (uint8_t)(1u << (bit % 8));
            tile_fragment_mark(f, bit, true);
        }
}

static bool reserve_predicates(struct tile_op *op)
{
    const struct tile_info *from = &op->source[0]->info;
    struct tile_info info = {.dtype = ISA_DataType_U8,
                             .storage = TILE_PREDICATE,
                             .rows = from->rows,
                             .cols = from->cols,
                             .valid_rows = from->valid_rows,
                             .valid_cols = from->valid_cols};
    if (!tile_reserve_slot(op, &info.capacity))
        return false;
    uint64_t needed = ((uint64_t)info.rows * info.cols + 7) / 8;
    if (needed > info.capacity)
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%u x %u predicates take %llu bytes, the destination has %u", info.rows,
                          info.cols, (unsigned long long)needed, info.capacity);
    tile_info_set_layout(&info, SIM_ROW_MAJOR);
    tile_add_destination(op, &info);
    return true;
}

bool tile_run_compare(struct tile_op *op)
{
    if (!reserve_predicates(op))
        return false;
    size_t cols = op->source[0]->info.cols;
    tile_vector_pass(op, &(struct vector_pass){.body = compare_body,
                                               .type = op->source[0]->info.dtype,
                                               .function = op->b->datr.cmode,
                                               .scratch_bytes = 2 * cols * sizeof(uint64_t),
                                               .records = true});
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            pad_predicates(op, tile_new_fragment(op, 0, pe));
    return true;
}

/* ---- selections ---- */

static bool check_predicates(struct tile_op *op, const struct tile_info *like)
{
    if (!tile_check_source(op, 0, op->mask))
        return false;
    const struct tile_info *info = &op->source[0]->info;
    if (info->storage != TILE_PREDICATE)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s holds no predicates",
                          tile_slot_name(op->slot[0]).text);
    if (info->rows != like->rows || info->cols != like->cols ||
        info->valid_rows != like->valid_rows || info->valid_cols != like->valid_cols)
        return tile_fault(
            op, FAULT_TILE_LEGALITY,
            "predicates %s have %u x %u of %u x %u elements, the values %u x %u of %u "
            "x %u",
            tile_slot_name(op->slot[0]).text, info->valid_rows, info->valid_cols, info->rows,
            info->cols, like->valid_rows, like->valid_cols, like->rows, like->cols);
    return true;
}

bool tile_check_select(struct tile_op *op)
{
    if (!tile_check_vector(op) || (!with_scalar(op) && !tile_check_no_scalars(op)))
        return false;
    for (unsigned i = 1; i < op->nsources; i++) {
        const struct tile_info *info = &op->source[i]->info;
        if (!tile_check_operand(op, i) || !check_shape(op, i, tile_vector_shape(op)))
            return false;
        if (info->dtype != op->b->data_type || info->rows != op->source[1]->info.rows)
            return tile_fault(
                op, FAULT_TILE_LEGALITY, "source %s holds %s in %u rows, it must hold %s in %u",
                tile_slot_name(op->slot[i]).text, sim_format_name(info->dtype), info->rows,
                sim_format_name(op->b->data_type), op->source[1]->info.rows);
    }
    /* TSELS checks encodings of the tile, TSEL moves any bits. */
    return (!with_scalar(op) || tile_check_encodings(op, 1)) &&
           check_predicates(op, &op->source[1]->info);
}

static void select_row(const struct element_pass *p, uint8_t *to, const uint8_t *chosen,
                       const uint8_t *predicates, uint64_t bit)
{
    unsigned bytes = p->run.type->bits / 8;
    for (uint32_t col = 0; col < p->info->valid_cols; col++, bit++)
        if (predicates[bit / 8] >> (bit % 8) & 1)
            memcpy(to + (size_t)col * bytes, chosen + (size_t)col * bytes, bytes);
}

static void select_body(struct element_pass *p)
{
    unsigned bytes = p->run.type->bits / 8;
    size_t size = (size_t)p->info->valid_cols * bytes;
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        uint8_t *to = tile_row(p->info, p->destination, row);
        if (with_scalar(p->op))
            element_fill(to, bytes, p->scalar[0], p->info->valid_cols);
        else
            memcpy(to, source_row(p, 2, row), size);
        select_row(p, to, source_row(p, 1, row), p->source[0]->bytes,
                   (uint64_t)row * p->op->source[0]->info.cols);
    }
}

bool tile_run_select(struct tile_op *op)
{
    if (!reserve_vector(op))
        return false;
    for (unsigned i = 1; i < op->nsources; i++)
        if (!tile_check_same_shape(op, i))
            return false;
    tile_vector_pass(op, &(struct vector_pass){.body = select_body,
                                               .type = op->source[1]->info.dtype,
                                               .pad = tile_pad_value(op)});
    return true;
}

/* ---- unions ---- */

static bool covers(const struct tile_info *info, struct tile_shape shape)
{
    return info->valid_rows == shape.valid_rows && info->valid_cols == shape.valid_cols;
}

/* asl/block/model/dispatch/partial-schema.asl: one of the sources covers the whole union. */
bool tile_check_partial(struct tile_op *op)
{
    if (op->b->datr.present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DATR is not taken");
    if (!tile_check_no_scalars(op) || !tile_check_dimensions(op) || !check_masks(op) ||
        !tile_check_type(op, op->b->data_type))
        return false;
    struct tile_shape shape = tile_vector_shape(op);
    if (shape.cols < shape.valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%u physical columns are less than %u valid",
                          shape.cols, shape.valid_cols);
    for (unsigned i = 0; i < op->nsources; i++) {
        if (!tile_check_operand(op, i) || !tile_check_encodings(op, i))
            return false;
        const struct tile_info *info = &op->source[i]->info;
        if (info->dtype != op->b->data_type || !info->valid_rows || !info->valid_cols ||
            info->valid_rows > shape.valid_rows || info->valid_cols > shape.valid_cols)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "source %s has %u x %u elements of %s: it must hold %s and fit "
                              "the union of %u x %u",
                              tile_slot_name(op->slot[i]).text, info->valid_rows, info->valid_cols,
                              sim_format_name(info->dtype), sim_format_name(op->b->data_type),
                              shape.valid_rows, shape.valid_cols);
    }
    if (covers(&op->source[0]->info, shape) || covers(&op->source[1]->info, shape))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "neither source covers the union of %u x %u",
                      shape.valid_rows, shape.valid_cols);
}

static void partial_body(struct element_pass *p)
{
    const struct tile_info *left = &p->op->source[0]->info, *right = &p->op->source[1]->info;
    unsigned whole =
        left->valid_rows >= right->valid_rows && left->valid_cols >= right->valid_cols ? 0 : 1;
    const struct tile_info *part = whole ? left : right;
    element_binary_fn *kernel = p->run.type->kernels->binary[p->function];
    size_t size = (size_t)p->info->valid_cols * (p->run.type->bits / 8);
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        uint8_t *to = tile_row(p->info, p->destination, row);
        memcpy(to, source_row(p, whole, row), size);
        if (row < part->valid_rows)
            kernel(&p->run, to, source_row(p, 0, row), source_row(p, 1, row), part->valid_cols);
    }
}

bool tile_run_partial(struct tile_op *op)
{
    unsigned dtype;
    if (!tile_effective_type(op, &dtype) ||
        !tile_reserve(op, tile_bundle_shape(op, &op->source[0]->info), dtype, SIM_ROW_MAJOR))
        return false;
    tile_vector_pass(op, &(struct vector_pass){.body = partial_body,
                                               .type = dtype,
                                               .function = function_of(op),
                                               .records = true,
                                               .pad = SIM_PAD_NULL});
    return true;
}
