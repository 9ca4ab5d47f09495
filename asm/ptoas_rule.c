/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the operands of a tile operation must satisfy, by its shape rule
 * (ptoas_lower.def): the checks of the operation itself, which the simulator
 * makes when it runs, said at the line of PTO-AS.
 */
#include "asm/lower_tile.h"

enum { HISTOGRAM_BINS = 256 };

/* ---- valid regions ---- */

static const struct extent one = {1, 0};

static const char *extent_text(struct assembler *as, struct extent e)
{
    return e.reg != 0 ? "?" : arena_printf(as->arena, "%u", e.most);
}

static bool has_extent(struct assembler *as, const struct tile_lowering *t, unsigned n,
                       struct extent rows, struct extent cols)
{
    const struct tile_type *from = &t->source[n]->type;
    struct extent r = ptoas_rows(from), c = ptoas_cols(from);
    if (ptoas_same_extent(r, rows) && ptoas_same_extent(c, cols))
        return true;
    return ptoas_refuse_tile(as, t, "%%%s has %s x %s valid elements, it needs %s x %s%s",
                             t->source[n]->name, extent_text(as, r), extent_text(as, c),
                             extent_text(as, rows), extent_text(as, cols),
                             r.reg != 0 || c.reg != 0 || rows.reg != 0 || cols.reg != 0
                                 ? " (? is what a register holds, of the same value)"
                                 : "");
}

static bool alike(struct assembler *as, const struct tile_lowering *t)
{
    for (unsigned n = t->rule->rule == RULE_SELECT; n < t->nsources; n++)
        if (!has_extent(as, t, n, ptoas_rows(&t->to), ptoas_cols(&t->to)))
            return false;
    return true;
}

static bool reduces_rows(struct assembler *as, const struct tile_lowering *t)
{
    if (!ptoas_same_extent(ptoas_cols(&t->to), one))
        return ptoas_refuse_tile(as, t, "the destination has %s valid columns, it needs 1",
                                 extent_text(as, ptoas_cols(&t->to)));
    return has_extent(as, t, 0, ptoas_rows(&t->to), ptoas_cols(&t->source[0]->type));
}

static bool reduces_columns(struct assembler *as, const struct tile_lowering *t)
{
    if (!ptoas_same_extent(ptoas_rows(&t->to), one))
        return ptoas_refuse_tile(as, t, "the destination has %s valid rows, it needs 1",
                                 extent_text(as, ptoas_rows(&t->to)));
    return has_extent(as, t, 0, ptoas_rows(&t->source[0]->type), ptoas_cols(&t->to));
}

static bool expands(struct assembler *as, const struct tile_lowering *t)
{
    bool column = t->rule->rule == RULE_EXPAND_COLUMN;
    struct extent rows = ptoas_rows(&t->to), cols = ptoas_cols(&t->to);
    unsigned last = t->nsources - 1;
    return (last == 0 || has_extent(as, t, 0, rows, cols)) &&
           has_extent(as, t, last, column ? rows : one, column ? one : cols);
}

static bool transposes(struct assembler *as, const struct tile_lowering *t)
{
    return has_extent(as, t, 0, ptoas_cols(&t->to), ptoas_rows(&t->to));
}

/* Extents in registers are checked when the program runs. */
static bool any_open(const struct tile_lowering *t)
{
    bool open = ptoas_is_open(&t->to);
    for (unsigned n = 0; n < t->nsources; n++)
        open = open || ptoas_is_open(&t->source[n]->type);
    return open;
}

static bool concatenates(struct assembler *as, const struct tile_lowering *t)
{
    const struct tile_type *left = &t->source[0]->type, *right = &t->source[1]->type;
    if (any_open(t) || (left->v_rows == t->to.v_rows && right->v_rows == t->to.v_rows &&
                        left->v_cols + right->v_cols == t->to.v_cols))
        return true;
    return ptoas_refuse_tile(as, t, "%u x %u and %u x %u valid elements do not make %u x %u",
                             left->v_rows, left->v_cols, right->v_rows, right->v_cols, t->to.v_rows,
                             t->to.v_cols);
}

/* Offsets that are known lie inside; others are checked when the program runs. */
static bool fits_at(struct assembler *as, const struct tile_lowering *t,
                    const struct tile_type *whole, const struct tile_type *part)
{
    struct scalar row, col;
    if (!ptoas_scalar(as, ptoas_operand(t->form, "indexRow", 0), &row) ||
        !ptoas_scalar(as, ptoas_operand(t->form, "indexCol", 0), &col))
        return false;
    uint64_t r = row.kind == SCALAR_INTEGER ? row.number : 0;
    uint64_t c = col.kind == SCALAR_INTEGER ? col.number : 0;
    if (any_open(t))
        return true;
    if (r <= whole->v_rows && part->v_rows <= whole->v_rows - r && c <= whole->v_cols &&
        part->v_cols <= whole->v_cols - c)
        return true;
    return ptoas_refuse_tile(
        as, t, "%u x %u elements at (%lld, %lld) do not lie in %u x %u valid ones", part->v_rows,
        part->v_cols, (long long)r, (long long)c, whole->v_rows, whole->v_cols);
}

static bool extracts(struct assembler *as, const struct tile_lowering *t)
{
    return fits_at(as, t, &t->source[0]->type, &t->to);
}

static bool inserts(struct assembler *as, const struct tile_lowering *t)
{
    return fits_at(as, t, &t->to, &t->source[1]->type);
}

static bool fills(struct assembler *as, const struct tile_lowering *t)
{
    const struct tile_value *from = t->source[0];
    if (from->shape.rows <= t->shape.rows && from->shape.cols <= t->shape.cols &&
        from->type.v_rows <= t->to.v_rows && from->type.v_cols <= t->to.v_cols)
        return true;
    return ptoas_refuse_tile(as, t,
                             "the destination, %u x %u of %u x %u, is smaller than %%%s, "
                             "%u x %u of %u x %u",
                             t->to.v_rows, t->to.v_cols, t->shape.rows, t->shape.cols, from->name,
                             from->type.v_rows, from->type.v_cols, from->shape.rows,
                             from->shape.cols);
}

/* PTO-AS counts elements, the tile operation rows: the same in one column. */
static bool picks(struct assembler *as, const struct tile_lowering *t)
{
    if (t->to.v_cols != 1 || t->source[0]->type.v_cols != 1 || t->source[1]->type.v_cols != 1)
        return ptoas_refuse_tile(as, t,
                                 "indices count elements in PTO-AS and rows in %s, which is the "
                                 "same in tiles of one column only",
                                 t->op->name);
    bool gathers = t->op == &isa_tileops[ISA_TILEOP_TGATHER];
    return has_extent(as, t, 1, ptoas_rows(gathers ? &t->to : &t->source[0]->type), one);
}

static bool unites(struct assembler *as, const struct tile_lowering *t)
{
    bool covered = any_open(t);
    for (unsigned n = 0; n < t->nsources; n++) {
        const struct tile_type *from = &t->source[n]->type;
        if (from->v_rows > t->to.v_rows || from->v_cols > t->to.v_cols)
            return has_extent(as, t, n, ptoas_rows(&t->to), ptoas_cols(&t->to));
        covered = covered || (from->v_rows == t->to.v_rows && from->v_cols == t->to.v_cols);
    }
    return covered || ptoas_refuse_tile(as, t,
                                        "neither source has the %u x %u valid elements of "
                                        "the destination",
                                        t->to.v_rows, t->to.v_cols);
}

static bool one_row(struct assembler *as, const struct tile_lowering *t)
{
    return t->to.v_rows == 1 ||
           ptoas_refuse_tile(as, t, "a sequence has one row, not %u", t->to.v_rows);
}

static bool counts(struct assembler *as, const struct tile_lowering *t)
{
    uint32_t rows = t->source[0]->type.v_rows;
    if (t->to.v_rows != rows || t->to.v_cols != HISTOGRAM_BINS || t->shape.cols != HISTOGRAM_BINS)
        return ptoas_refuse_tile(as, t,
                                 "the destination has %u x %u valid elements, it needs %u x "
                                 "%d",
                                 t->to.v_rows, t->to.v_cols, rows, HISTOGRAM_BINS);
    return has_extent(as, t, 0, ptoas_rows(&t->to), ptoas_cols(&t->source[0]->type)) &&
           has_extent(as, t, 1, ptoas_rows(&t->to), one);
}

/* ---- physical regions ---- */

static bool has_columns(struct assembler *as, const struct tile_lowering *t, unsigned n)
{
    const struct tile_shape *s = &t->source[n]->shape;
    return s->cols == t->shape.cols ||
           ptoas_refuse_tile(as, t, "%%%s has %u physical columns, the destination has %u",
                             t->source[n]->name, s->cols, t->shape.cols);
}

static bool has_rows(struct assembler *as, const struct tile_lowering *t, unsigned n)
{
    const struct tile_shape *s = &t->source[n]->shape;
    return s->rows == t->shape.rows ||
           ptoas_refuse_tile(as, t, "%%%s has %u physical rows, the destination has %u",
                             t->source[n]->name, s->rows, t->shape.rows);
}

/* Sources beside each other have the same columns, so that one LB2 is for all. */
static bool all_physical(struct assembler *as, const struct tile_lowering *t)
{
    for (unsigned n = 0; n < t->nsources; n++)
        if (!has_columns(as, t, n) || !has_rows(as, t, n))
            return false;
    return true;
}

static bool all_but_last(struct assembler *as, const struct tile_lowering *t)
{
    for (unsigned n = 0; n + 1 < t->nsources; n++)
        if (!has_columns(as, t, n) || !has_rows(as, t, n))
            return false;
    return true;
}

static bool columns_of_last(struct assembler *as, const struct tile_lowering *t)
{
    return all_but_last(as, t) && has_columns(as, t, t->nsources - 1);
}

/* The destination goes on with what its name held. */
static bool first_alone(struct assembler *as, const struct tile_lowering *t)
{
    return has_columns(as, t, 0) && has_rows(as, t, 0);
}

static bool any_physical(struct assembler *as, const struct tile_lowering *t)
{
    (void)as;
    (void)t;
    return true;
}

/* ---- types ---- */

bool ptoas_rule_is_index(const struct tile_lowering *t)
{
    return t->rule->rule == RULE_INDEX_ROWS || t->rule->rule == RULE_INDEX_COLUMNS;
}

/* EXPDIF may widen to FP32. */
bool ptoas_rule_may_differ(const struct tile_lowering *t)
{
    bool difference = t->op == &isa_tileops[ISA_TILEOP_TROWEXPANDEXPDIF] ||
                      t->op == &isa_tileops[ISA_TILEOP_TCOLEXPANDEXPDIF];
    return difference && t->to.element->dtype == ISA_DataType_FP32;
}

/* The type of BSTART: of the first source that holds numbers. */
unsigned ptoas_rule_start_type(const struct tile_lowering *t)
{
    unsigned first = t->rule->rule == RULE_SELECT;
    return t->nsources > first ? t->source[first]->shape.dtype : t->to.element->dtype;
}

/* Sources that hold what BSTART says: not predicates, row numbers and filters. */
static unsigned typed_sources(const struct tile_lowering *t)
{
    return t->rule->rule == RULE_PICK || t->rule->rule == RULE_HISTOGRAM ? 1 : t->nsources;
}

static bool is_destination_type(struct assembler *as, const struct tile_lowering *t, unsigned one,
                                unsigned other)
{
    unsigned dtype = t->to.element->dtype;
    if (dtype == one || dtype == other)
        return true;
    return ptoas_refuse_tile(as, t, "the destination has elements of %s, it needs %s%s%s",
                             t->to.element->name, ptoas_element_name(one),
                             one == other ? "" : " or ",
                             one == other ? "" : ptoas_element_name(other));
}

static bool check_destination_type(struct assembler *as, const struct tile_lowering *t)
{
    unsigned dtype = t->to.element->dtype;
    switch (t->rule->rule) {
    case RULE_COMPARE:
    case RULE_CONVERT:
    case RULE_SIGNED:
        return true;
    case RULE_INDEX_ROWS:
    case RULE_INDEX_COLUMNS:
        return dtype == ISA_DataType_U32 || dtype == ISA_DataType_S32 ||
               ptoas_refuse_tile(as, t, "indexes are ui32 or i32, not %s", t->to.element->name);
    case RULE_HISTOGRAM:
        return is_destination_type(as, t, ISA_DataType_U32, ISA_DataType_U32);
    case RULE_QUANTISE:
        return is_destination_type(as, t, ISA_DataType_S8, ISA_DataType_U8);
    case RULE_DEQUANTISE:
        return is_destination_type(as, t, ISA_DataType_FP32, ISA_DataType_FP32);
    default:
        return dtype == t->dtype || ptoas_rule_may_differ(t) ||
               ptoas_refuse_tile(as, t, "the destination has elements of %s, the sources of %s",
                                 t->to.element->name, ptoas_element_name(t->dtype));
    }
}

static bool check_second_type(struct assembler *as, const struct tile_lowering *t)
{
    const struct tile_value *v = t->nsources > 1 ? t->source[1] : NULL;
    if (t->rule->rule == RULE_PICK &&
        (ptoas_dtype_is_float(v->shape.dtype) || ptoas_dtype_bits(v->shape.dtype) < 16))
        return ptoas_refuse_tile(as, t,
                                 "%%%s has elements of %s, row numbers are integers of 16 "
                                 "bits or more",
                                 v->name, ptoas_element_name(v->shape.dtype));
    if (t->rule->rule != RULE_HISTOGRAM)
        return true;
    if (t->dtype != ISA_DataType_U16)
        return ptoas_refuse_tile(as, t, "%%%s has elements of %s; isMSB chooses a byte of ui16",
                                 t->source[0]->name, ptoas_element_name(t->dtype));
    return v->shape.dtype == ISA_DataType_U8 ||
           ptoas_refuse_tile(as, t, "%%%s has elements of %s, not ui8", v->name,
                             ptoas_element_name(v->shape.dtype));
}

static bool check_types(struct assembler *as, const struct tile_lowering *t)
{
    for (unsigned n = t->rule->rule == RULE_SELECT; n < typed_sources(t); n++)
        if (t->source[n]->shape.dtype != t->dtype)
            return ptoas_refuse_tile(as, t, "%%%s has elements of %s, not %s", t->source[n]->name,
                                     ptoas_element_name(t->source[n]->shape.dtype),
                                     ptoas_element_name(t->dtype));
    if (!check_destination_type(as, t) || !check_second_type(as, t))
        return false;
    return (t->op->datatypes >> t->dtype & 1) ||
           ptoas_refuse_tile(as, t, "%s does not compute with %s", t->op->name,
                             ptoas_element_name(t->dtype));
}

/* ---- rules ---- */

static const struct {
    bool (*valid)(struct assembler *as, const struct tile_lowering *t);
    bool (*physical)(struct assembler *as, const struct tile_lowering *t);
} checks[] = {
    [RULE_ALIKE] = {alike, all_physical},
    [RULE_COMPARE] = {alike, all_physical},
    [RULE_SELECT] = {alike, all_physical},
    [RULE_CONVERT] = {alike, all_physical},
    [RULE_REDUCE_ROWS] = {reduces_rows, all_but_last},
    [RULE_REDUCE_COLUMNS] = {reduces_columns, columns_of_last},
    [RULE_INDEX_ROWS] = {reduces_rows, all_but_last},
    [RULE_INDEX_COLUMNS] = {reduces_columns, columns_of_last},
    [RULE_EXPAND_COLUMN] = {expands, all_but_last},
    [RULE_EXPAND_ROW] = {expands, columns_of_last},
    [RULE_TRANSPOSE] = {transposes, any_physical},
    [RULE_SIGNED] = {alike, all_physical},
    [RULE_CONCAT] = {concatenates, any_physical},
    [RULE_EXTRACT] = {extracts, any_physical},
    [RULE_INSERT] = {inserts, first_alone},
    [RULE_FILL] = {fills, any_physical},
    [RULE_PICK] = {picks, any_physical},
    [RULE_UNION] = {unites, any_physical},
    [RULE_SEQUENCE] = {one_row, any_physical},
    [RULE_TRIANGLE] = {any_physical, any_physical},
    [RULE_HISTOGRAM] = {counts, any_physical},
    [RULE_QUANTISE] = {alike, all_physical},
    [RULE_DEQUANTISE] = {alike, all_physical},
};

bool ptoas_check_rule(struct assembler *as, const struct tile_lowering *t)
{
    return check_types(as, t) && checks[t->rule->rule].valid(as, t) &&
           checks[t->rule->rule].physical(as, t);
}
