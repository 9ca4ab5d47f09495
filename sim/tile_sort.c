/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TSORT and TMRGSORT. One order serves both: numbers by value with -0 equal to
 * +0, every NaN behind every number in either direction, equal elements as
 * they came (asl/tile/model/ordering/sorting.asl).
 */
#include "sim/pe.h"
#include "sim/tile_view.h"

enum { SORT_WIDTH = 32, SORT_WIDTH_LIMIT = 64, MERGE_LIMIT = 32768, STATUS_INVALID = 32 };

static uint64_t scalar_of(const struct tile_op *op, unsigned pe)
{
    return tile_scalar(op, op->s->conformance ? op->b->pe : pe, 0);
}

/* ---- the order ---- */

static uint64_t exponent_mask(const struct sim_format *f)
{
    return f->bits == 32 ? 0x7f800000 : 0x7c00;
}

static bool is_nan(const struct sim_format *f, uint64_t value)
{
    uint64_t magnitude = value & ~(UINT64_C(1) << (f->bits - 1));
    return magnitude > exponent_mask(f);
}

static bool is_signaling(const struct sim_format *f, uint64_t value)
{
    uint64_t quiet = f->bits == 32 ? 0x400000 : 0x200;
    return is_nan(f, value) && !(value & quiet);
}

/* Ascending ranks are the order in which elements stand. */
static uint64_t rank_of(const struct sim_format *f, uint64_t value, bool descending)
{
    uint64_t sign = UINT64_C(1) << (f->bits - 1);
    if (is_nan(f, value))
        return UINT64_MAX;
    if (value == sign)
        value = 0;
    uint64_t key = value & sign ? ~value & (sign | (sign - 1)) : value | sign;
    return descending ? (sign | (sign - 1)) - key : key;
}

/* ---- legality ---- */

static bool check_direction(struct tile_op *op)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->mask & pe_bit(pe)) && scalar_of(op, pe) > 1)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "B.IOR source 1 is %llu: 0 sorts ascending, 1 descending",
                              (unsigned long long)scalar_of(op, pe));
    return true;
}

static bool check_dimensions(struct tile_op *op, unsigned first)
{
    for (unsigned i = first; i < 3; i++)
        if (op->b->lb_present[i])
            return tile_fault(op, FAULT_TILE_LEGALITY, "the operation takes no B.DIM LB%u", i);
    if (op->b->lb_present[0] && op->b->lb[0] > SORT_WIDTH_LIMIT)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the group width LB0 is %llu, at most %d is legal",
                          (unsigned long long)op->b->lb[0], SORT_WIDTH_LIMIT);
    return true;
}

static bool check_source(struct tile_op *op, unsigned n)
{
    if (!tile_check_source(op, n, op->mask))
        return false;
    const struct tile_info *t = &op->source[n]->info;
    if (t->storage != TILE_NUMERIC || t->dtype != op->b->data_type || t->layout != SIM_ROW_MAJOR ||
        !t->valid_rows || !t->valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "source %s, %s, %s, %u x %u, must be RowMajor of %s and not empty",
                          tile_slot_name(op->slot[n]).text, sim_format_name(t->dtype),
                          sim_layout_name(t->layout), t->valid_rows, t->valid_cols,
                          sim_format_name(op->b->data_type));
    return true;
}

static bool check_type(struct tile_op *op)
{
    if (op->row->datatypes >> op->b->data_type & 1)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "the operation does not sort %s",
                      sim_format_name(op->b->data_type));
}

bool tile_check_sort(struct tile_op *op)
{
    return check_direction(op) && check_dimensions(op, 1) && check_type(op) && check_source(op, 0);
}

static bool check_sorted(struct tile_op *op, unsigned n)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        struct tile_view v = tile_source_view(op, n, pe);
        bool descending = scalar_of(op, pe);
        for (uint32_t col = 1; col < v.info->valid_cols; col++)
            if (rank_of(v.format, tile_view_get(&v, 0, col - 1), descending) >
                rank_of(v.format, tile_view_get(&v, 0, col), descending))
                return tile_fault(op, FAULT_TILE_LEGALITY,
                                  "source %s is not sorted: element %u stands behind element %u",
                                  tile_slot_name(op->slot[n]).text, col, col - 1);
    }
    return true;
}

static bool check_single_row(struct tile_op *op, unsigned n)
{
    uint32_t rows = op->source[n]->info.valid_rows;
    if (rows == 1)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "source %s has %u rows, one is merged",
                      tile_slot_name(op->slot[n]).text, rows);
}

bool tile_check_merge(struct tile_op *op)
{
    if (!check_direction(op) || !check_dimensions(op, 0) || !check_type(op) ||
        !check_source(op, 0) || !check_source(op, 1) || !check_single_row(op, 0) ||
        !check_single_row(op, 1))
        return false;
    uint32_t cols = op->source[0]->info.valid_cols + op->source[1]->info.valid_cols;
    if (cols > MERGE_LIMIT)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%u merged columns, a tile has at most %d", cols,
                          MERGE_LIMIT);
    return check_sorted(op, 0) && check_sorted(op, 1);
}

/* ---- numeric status ---- */

static void note_signaling(struct tile_op *op, unsigned n, unsigned pe)
{
    struct tile_view v = tile_source_view(op, n, pe);
    unsigned agent = op->s->conformance ? op->b->pe : pe;
    for (uint32_t row = 0; row < v.info->valid_rows; row++)
        for (uint32_t col = 0; col < v.info->valid_cols; col++)
            if (is_signaling(v.format, tile_view_get(&v, row, col))) {
                op->s->pes[agent].core_state |= UINT64_C(1) << STATUS_INVALID;
                return;
            }
}

/* ---- TSORT ---- */

struct item {
    uint64_t rank, value;
    uint32_t index;
};

static void insert(struct item *items, unsigned count, struct item new)
{
    unsigned at = count;
    for (; at && items[at - 1].rank > new.rank; at--)
        items[at] = items[at - 1];
    items[at] = new;
}

/* Columns first .. first+count of one row. */
static void sort_group(const struct tile_view *values, const struct tile_view *indices,
                       const struct tile_view *from, struct item *items, uint32_t row,
                       uint32_t first, uint32_t count, bool descending)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = tile_view_get(from, row, first + i);
        insert(items, i, (struct item){rank_of(from->format, value, descending), value, i});
    }
    for (uint32_t i = 0; i < count; i++) {
        tile_view_set(values, row, first + i, items[i].value);
        tile_view_set(indices, row, first + i, items[i].index);
    }
}

static void sort(struct tile_op *op, unsigned pe)
{
    struct item items[SORT_WIDTH_LIMIT];
    struct tile_view values = tile_destination_view(op, 0, pe);
    struct tile_view indices = tile_destination_view(op, 1, pe);
    struct tile_view from = tile_source_view(op, 0, pe);
    uint32_t width = op->b->lb[0] ? (uint32_t)op->b->lb[0] : SORT_WIDTH,
             cols = from.info->valid_cols;
    for (uint32_t row = 0; row < from.info->valid_rows; row++)
        for (uint32_t col = 0; col < cols; col += width)
            sort_group(&values, &indices, &from, items, row, col,
                       cols - col < width ? cols - col : width, scalar_of(op, pe));
}

static bool check_same_rows(struct tile_op *op)
{
    for (unsigned n = 0; n < op->ndestinations; n++) {
        const struct tile_info *to = &op->destination[n].tile.info;
        if (to->rows != op->source[0]->info.rows)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "destination %u has %u physical rows, the source %u: they must be "
                              "equal",
                              n + 1, to->rows, op->source[0]->info.rows);
    }
    return true;
}

bool tile_run_sort(struct tile_op *op)
{
    const struct tile_info *t = &op->source[0]->info;
    struct tile_shape shape = {t->valid_rows, t->valid_cols, t->cols};
    if (!tile_reserve(op, shape, t->dtype, SIM_ROW_MAJOR) ||
        !tile_reserve(op, shape, ISA_DataType_U32, SIM_ROW_MAJOR) || !check_same_rows(op))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        sort(op, pe);
        note_signaling(op, 0, pe);
        tile_new_fragment(op, 0, pe)->defined = TILE_VALID_DEFINED;
        tile_new_fragment(op, 1, pe)->defined = TILE_VALID_DEFINED;
    }
    return true;
}

/* ---- TMRGSORT ---- */

static void merge(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe);
    struct tile_view left = tile_source_view(op, 0, pe), right = tile_source_view(op, 1, pe);
    bool descending = scalar_of(op, pe);
    for (uint32_t l = 0, r = 0; l + r < to.info->valid_cols;) {
        bool take_left = r >= right.info->valid_cols;
        if (!take_left && l < left.info->valid_cols)
            take_left = rank_of(left.format, tile_view_get(&left, 0, l), descending) <=
                        rank_of(left.format, tile_view_get(&right, 0, r), descending);
        uint64_t value = take_left ? tile_view_get(&left, 0, l) : tile_view_get(&right, 0, r);
        tile_view_set(&to, 0, l + r, value);
        if (take_left)
            l++;
        else
            r++;
    }
}

static uint32_t power_of_two_above(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

bool tile_run_merge(struct tile_op *op)
{
    uint32_t cols = op->source[0]->info.valid_cols + op->source[1]->info.valid_cols;
    struct tile_shape shape = {1, cols, power_of_two_above(cols)};
    if (!tile_reserve(op, shape, op->source[0]->info.dtype, SIM_ROW_MAJOR))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        merge(op, pe);
        note_signaling(op, 0, pe);
        note_signaling(op, 1, pe);
        tile_new_fragment(op, 0, pe)->defined = TILE_VALID_DEFINED;
    }
    return true;
}
