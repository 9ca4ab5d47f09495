/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles out of numbers: TCI (a sequence), TTRI (a triangle of ones), THISTOGRAM
 * (asl/block/model/dispatch/generation-schema.asl, histogram-schema.asl,
 * asl/tile/model/execution/generation.asl, complex.asl).
 */
#include <string.h>

#include "sim/tile_view.h"

enum { HISTOGRAM_BINS = 256, DIAGONAL_LIMIT = 65535 };

/* The vectors' model has one payload and the registers of the PE that commits. */
static uint64_t scalar_of(const struct tile_op *op, unsigned pe, unsigned slot)
{
    return tile_scalar(op, op->s->conformance ? op->b->pe : pe, slot);
}

/* ---- TCI, TTRI ---- */

/* Slots of B.IOR: TCI start and direction, TTRI diagonal and orientation. */
enum { SLOT_VALUE, SLOT_FLAG };

static bool check_flag(struct tile_op *op)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->mask & pe_bit(pe)) && scalar_of(op, pe, SLOT_FLAG) > 1)
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOR source 2 is %llu, it must be 0 or 1",
                              (unsigned long long)scalar_of(op, pe, SLOT_FLAG));
    return true;
}

static bool check_generation(struct tile_op *op)
{
    const struct bundle *b = op->b;
    if (!check_flag(op))
        return false;
    if (!(op->row->datatypes >> b->data_type & 1))
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation does not take %s",
                          sim_format_name(b->data_type));
    if (!b->lb_present[0] || !b->lb[0])
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB0 must give the valid columns, 1 to %d",
                          TILE_MAX_DIMENSION);
    if (b->lb_present[1] && !b->lb[1])
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB1 is 0, it is 1 to %d",
                          TILE_MAX_DIMENSION);
    if (b->lb_present[2] && b->lb[2] < b->lb[0])
        return tile_fault(op, FAULT_TILE_LEGALITY, "LB2, %llu columns, is less than LB0, %llu",
                          (unsigned long long)b->lb[2], (unsigned long long)b->lb[0]);
    return true;
}

bool tile_check_sequence(struct tile_op *op)
{
    if (op->b->lb_present[1] && op->b->lb[1] != 1)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB1 is %llu, a sequence has one row",
                          (unsigned long long)op->b->lb[1]);
    return check_generation(op);
}

bool tile_check_triangle(struct tile_op *op)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        int64_t diagonal = (int64_t)scalar_of(op, pe, SLOT_VALUE);
        if ((op->mask & pe_bit(pe)) && (diagonal < -DIAGONAL_LIMIT || diagonal > DIAGONAL_LIMIT))
            return tile_fault(op, FAULT_TILE_LEGALITY, "the diagonal %lld is not in %d..%d",
                              (long long)diagonal, -DIAGONAL_LIMIT, DIAGONAL_LIMIT);
    }
    return check_generation(op);
}

/* The type that the destination gets must be one that the operation has. */
static bool reserve(struct tile_op *op)
{
    unsigned dtype;
    if (!tile_effective_type(op, &dtype) ||
        !tile_reserve(op, tile_bundle_shape(op, NULL), dtype, tile_destination_layout(op)))
        return false;
    if (op->row->datatypes >> dtype & 1)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "the operation does not take %s",
                      sim_format_name(dtype));
}

bool tile_run_sequence(struct tile_op *op)
{
    if (!reserve(op))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        struct tile_view to = tile_destination_view(op, 0, pe);
        uint64_t value = scalar_of(op, pe, SLOT_VALUE);
        uint64_t step = scalar_of(op, pe, SLOT_FLAG) ? UINT64_MAX : 1;
        for (uint32_t col = 0; col < to.info->valid_cols; col++, value += step)
            tile_view_set(&to, 0, col, value);
        tile_new_fragment(op, 0, pe)->defined = TILE_VALID_DEFINED;
    }
    return true;
}

static uint64_t one_of(unsigned dtype)
{
    switch (dtype) {
    case ISA_DataType_FP32:
        return 0x3f800000;
    case ISA_DataType_FP16:
        return 0x3c00;
    default:
        return 1;
    }
}

bool tile_run_triangle(struct tile_op *op)
{
    if (!reserve(op))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        struct tile_view to = tile_destination_view(op, 0, pe);
        int64_t diagonal = (int64_t)scalar_of(op, pe, SLOT_VALUE);
        bool upper = scalar_of(op, pe, SLOT_FLAG);
        uint64_t one = one_of(to.info->dtype);
        for (int64_t row = 0; row < to.info->valid_rows; row++)
            for (int64_t col = 0; col < to.info->valid_cols; col++) {
                bool inside = upper ? col >= row + diagonal : col <= row + diagonal;
                tile_view_set(&to, (uint32_t)row, (uint32_t)col, inside ? one : 0);
            }
        tile_new_fragment(op, 0, pe)->defined = TILE_VALID_DEFINED;
    }
    return true;
}

/* ---- THISTOGRAM ---- */

/* Bytes of a value that must equal the filter: those above the selected one. */
static unsigned filter_bytes(const struct tile_op *op)
{
    unsigned bytes = sim_format_access_bytes(tile_format(&op->source[0]->info));
    return bytes - 1 - op->b->datr.pad;
}

static bool check_histogram_types(struct tile_op *op)
{
    const struct bundle *b = op->b;
    for (unsigned i = 0; i < 3; i++)
        if (b->lb_present[i])
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "the operation takes no B.DIM (LB%u is %llu)", i,
                              (unsigned long long)b->lb[i]);
    if (!b->datr.present || b->datr.data_type != ISA_DataType_U32)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "a B.DATR with DataType U32 and the ByteId is needed");
    if (!(op->row->datatypes >> b->data_type & 1))
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation does not count %s",
                          sim_format_name(b->data_type));
    return true;
}

static bool check_histogram_source(struct tile_op *op)
{
    if (!tile_check_source(op, 0, op->mask))
        return false;
    const struct tile_info *t = &op->source[0]->info;
    struct tile_name name = tile_slot_name(op->slot[0]);
    if (t->storage != TILE_NUMERIC || t->layout != SIM_ROW_MAJOR)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s must be numeric and RowMajor",
                          name.text);
    /* The model looks at the tile's type alone, the contract wants the bundle's. */
    bool legal = op->s->options.profile == SIM_PROFILE_PTO_V0 ? op->row->datatypes >> t->dtype & 1
                                                              : t->dtype == op->b->data_type;
    if (!legal)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s is %s, the bundle's type is %s",
                          name.text, sim_format_name(t->dtype), sim_format_name(op->b->data_type));
    unsigned bytes = sim_format_access_bytes(tile_format(t));
    if (op->b->datr.pad >= bytes)
        return tile_fault(op, FAULT_TILE_LEGALITY, "ByteId is %u, an element of %s has bytes 0..%u",
                          op->b->datr.pad, name.text, bytes - 1);
    return true;
}

/* U16: one filter byte a row. U32: the same one to three for all rows, from the highest down. */
static bool check_filter_elements(struct tile_op *op, unsigned rows)
{
    const struct tile *t = op->source[1];
    struct tile_name name = tile_slot_name(op->slot[1]);
    if (rows && (t->info.valid_rows < rows || t->info.valid_cols < 1))
        return tile_fault(op, FAULT_TILE_LEGALITY, "filter %s is %u x %u, %u rows are needed",
                          name.text, t->info.valid_rows, t->info.valid_cols, rows);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)) || !rows)
            continue;
        const struct tile_fragment *f = tile_source_fragment(op, 1, pe);
        for (uint32_t row = 0; row < rows; row++)
            if (!f || !tile_fragment_is_defined(&t->info, f, row, 0))
                return tile_fault(op, FAULT_TILE_LEGALITY,
                                  "filter %s: element (%u, 0) is undefined in PE%u", name.text, row,
                                  pe);
    }
    return true;
}

static bool check_filter(struct tile_op *op)
{
    const struct tile *t = op->source[1];
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "filter %s is not allocated",
                          tile_slot_name(op->slot[1]).text);
    if (t->info.storage != TILE_NUMERIC || t->info.dtype != ISA_DataType_U8 ||
        !tile_indexable(&t->info))
        return tile_fault(op, FAULT_TILE_LEGALITY, "filter %s must be numeric, of U8",
                          tile_slot_name(op->slot[1]).text);
    const struct tile_info *source = &op->source[0]->info;
    bool each_row = source->dtype == ISA_DataType_U16;
    unsigned bytes = filter_bytes(op);
    return check_filter_elements(op, each_row && bytes ? source->valid_rows : bytes);
}

bool tile_check_histogram(struct tile_op *op)
{
    return check_histogram_types(op) && check_histogram_source(op) && check_filter(op);
}

static bool passes(const struct tile_op *op, const struct tile_view *filter, uint32_t row,
                   uint64_t value)
{
    bool each_row = op->source[0]->info.dtype == ISA_DataType_U16;
    unsigned top = sim_format_access_bytes(tile_format(&op->source[0]->info)) - 1;
    for (unsigned i = 0; i < filter_bytes(op); i++)
        if ((value >> 8 * (top - i) & 0xff) != tile_view_get(filter, each_row ? row : i, 0))
            return false;
    return true;
}

static void count_row(const struct tile_op *op, const struct tile_view *from,
                      const struct tile_view *filter, uint32_t row, uint32_t *counts)
{
    memset(counts, 0, HISTOGRAM_BINS * sizeof *counts);
    for (uint32_t col = 0; col < from->info->valid_cols; col++) {
        uint64_t value = tile_view_get(from, row, col);
        if (passes(op, filter, row, value))
            counts[value >> 8 * op->b->datr.pad & 0xff]++;
    }
}

static void count(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 0, pe);
    struct tile_view filter = {0};
    uint32_t counts[HISTOGRAM_BINS];
    if (filter_bytes(op))
        filter = tile_source_view(op, 1, pe);
    for (uint32_t row = 0; row < to.info->valid_rows; row++) {
        uint32_t sum = 0;
        count_row(op, &from, &filter, row, counts);
        for (uint32_t bin = 0; bin < HISTOGRAM_BINS; bin++)
            tile_view_set(&to, row, bin, sum += counts[bin]);
    }
    tile_new_fragment(op, 0, pe)->defined = TILE_VALID_DEFINED;
}

bool tile_run_histogram(struct tile_op *op)
{
    struct tile_shape shape = {op->source[0]->info.valid_rows, HISTOGRAM_BINS, HISTOGRAM_BINS};
    if (!tile_reserve(op, shape, ISA_DataType_U32, SIM_ROW_MAJOR))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            count(op, pe);
    return true;
}
