/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory at scattered addresses: MGATHER, MSCATTER, their MASK forms and
 * MGATHER_CAS move the element (row, column) of a tile from or to base +
 * index(row, column) bytes. TPREFETCH reads a rectangle and keeps nothing.
 * All addresses of all PEs are checked before the first byte moves
 * (asl/block/model/dispatch/tlsu-*.asl, asl/tile/model/memory/gather-scatter.asl, atomics.asl).
 */
#include "sim/tile_view.h"

enum { NO_SOURCE = -1, MODEL_ELEMENTS = 32768 /* of one tile in the executable model */ };

/* Which source is what; the row of an operation. */
struct roles {
    uint8_t operation; /* ISA_TILEOP_… */
    int8_t data, index, predicate, expected, replacement;
    bool same_layout; /* index and predicate have the bundle's layout */
};

static const struct roles all_roles[] = {
    {ISA_TILEOP_MGATHER, NO_SOURCE, 0, NO_SOURCE, NO_SOURCE, NO_SOURCE, false},
    {ISA_TILEOP_MSCATTER, 0, 1, NO_SOURCE, NO_SOURCE, NO_SOURCE, true},
    {ISA_TILEOP_MGATHER_MASK, NO_SOURCE, 0, 1, NO_SOURCE, NO_SOURCE, true},
    {ISA_TILEOP_MSCATTER_MASK, 0, 1, 2, NO_SOURCE, NO_SOURCE, true},
    {ISA_TILEOP_MGATHER_CAS, NO_SOURCE, 0, NO_SOURCE, 1, 2, false},
};

static const struct roles *roles_of(const struct tile_op *op)
{
    const struct roles *r = all_roles;
    while (!tile_is(op, r->operation))
        r++;
    return r;
}

/* ---- legality: everything but allocation and access is TileLegality ---- */

static bool check_grouping(struct tile_op *op)
{
    const struct bundle *b = op->b;
    for (unsigned i = 0; i < b->niot; i++) {
        bool last = !op->row->grouping[i + 1];
        if (b->iot[i].nsources != op->row->grouping[i])
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOT %u binds %u sources, it needs %u",
                              i + 1, b->iot[i].nsources, op->row->grouping[i]);
        if (b->iot[i].has_destination != (last && op->row->ndestinations))
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOT %u %s a destination", i + 1,
                              last ? "needs" : "cannot bind");
        if (last && i + 1 != b->niot)
            return tile_fault(op, FAULT_TILE_LEGALITY, "%u B.IOT are bound, %u are needed", b->niot,
                              i + 1);
    }
    return true;
}

static bool check_schema(struct tile_op *op)
{
    if (op->b->nios)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation takes no B.IOS");
    if (!op->b->ior_present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOR is missing: it names the base address");
    if (op->b->fpatr.present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.FPATR belongs to CUBE operations only");
    return tile_check_bindings(op, FAULT_TILE_LEGALITY) && check_grouping(op) &&
           tile_check_attributes(op);
}

static bool check_shape(struct tile_op *op, struct tile_shape shape)
{
    if (!shape.cols || (shape.cols & (shape.cols - 1)) || shape.valid_cols > shape.cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%u physical columns for %u valid ones: a power of two that is not "
                          "smaller is needed",
                          shape.cols, shape.valid_cols);
    uint64_t elements = (uint64_t)shape.valid_rows * shape.valid_cols;
    if (op->s->options.profile == SIM_PROFILE_PTO_V0 && elements > MODEL_ELEMENTS)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%u x %u elements, a tile of the profile pto-v0 has at most %d",
                          shape.valid_rows, shape.valid_cols, MODEL_ELEMENTS);
    return true;
}

static bool check_dimensions(struct tile_op *op)
{
    const struct bundle *b = op->b;
    for (unsigned i = 0; i < 3; i++)
        if (b->lb_present[i] && !b->lb[i])
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB%u is 0, it is 1 to %d", i,
                              TILE_MAX_DIMENSION);
    return true;
}

static bool take_shape(struct tile_op *op, struct tile_shape *shape)
{
    if (!op->b->lb_present[0])
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB0 is missing: the valid columns");
    if (!check_dimensions(op))
        return false;
    *shape = tile_bundle_shape(op, NULL);
    return check_shape(op, *shape);
}

/* Source n is readable and has the bundle's valid region. */
static bool check_operand(struct tile_op *op, int n, struct tile_shape shape)
{
    if (!tile_check_source(op, (unsigned)n, op->mask))
        return false;
    const struct tile_info *t = &op->source[n]->info;
    if (t->valid_rows != shape.valid_rows || t->valid_cols != shape.valid_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the valid region of %s is %u x %u, LB1 x LB0 is %u x %u",
                          tile_slot_name(op->slot[n]).text, t->valid_rows, t->valid_cols,
                          shape.valid_rows, shape.valid_cols);
    return true;
}

static bool check_layout(struct tile_op *op, int n)
{
    const struct tile_info *t = &op->source[n]->info;
    if (t->layout == tile_destination_layout(op))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "%s is %s, the bundle says %s",
                      tile_slot_name(op->slot[n]).text, sim_layout_name(t->layout),
                      sim_layout_name(tile_destination_layout(op)));
}

/* The model lets any integer be an index; the contract names those of 32 and 64 bits
 * (PTO-MGATHER-BYTE-DISPLACEMENT-001). */
static bool is_index_type(const struct tile_op *op, const struct tile_info *t)
{
    const struct sim_format *f = tile_format(t);
    bool integer = f->klass == SIM_CLASS_SIGNED || f->klass == SIM_CLASS_UNSIGNED;
    return integer && (op->s->options.profile == SIM_PROFILE_PTO_V0 || f->bits >= 32);
}

static bool check_index(struct tile_op *op, const struct roles *r, struct tile_shape shape)
{
    if (!check_operand(op, r->index, shape))
        return false;
    const struct tile_info *t = &op->source[r->index]->info;
    if (t->storage != TILE_NUMERIC || !is_index_type(op, t))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the index tile %s is %s, the types are S32, U32, S64 and U64",
                          tile_slot_name(op->slot[r->index]).text,
                          t->storage == TILE_PREDICATE ? "a predicate" : sim_format_name(t->dtype));
    return !r->same_layout || check_layout(op, r->index);
}

static bool check_predicate(struct tile_op *op, const struct roles *r, struct tile_shape shape)
{
    if (r->predicate < 0)
        return true;
    if (!check_operand(op, r->predicate, shape))
        return false;
    if (op->source[r->predicate]->info.storage != TILE_PREDICATE)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the mask %s is not a predicate",
                          tile_slot_name(op->slot[r->predicate]).text);
    return check_layout(op, r->predicate);
}

/* Stored, expected and replacement values have the bundle's type. */
static bool check_values(struct tile_op *op, int n, struct tile_shape shape, unsigned dtype)
{
    if (n < 0)
        return true;
    if (!check_operand(op, n, shape))
        return false;
    const struct tile_info *t = &op->source[n]->info;
    if (t->storage != TILE_NUMERIC || t->dtype != dtype)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s is %s, the bundle's type is %s",
                          tile_slot_name(op->slot[n]).text,
                          t->storage == TILE_PREDICATE ? "a predicate" : sim_format_name(t->dtype),
                          sim_format_name(dtype));
    return true;
}

static bool check_scatter_source(struct tile_op *op, const struct roles *r, struct tile_shape shape)
{
    if (r->data < 0)
        return true;
    uint32_t cols = op->source[r->data]->info.cols;
    if (cols != shape.cols)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s has %u physical columns, LB2 says %u",
                          tile_slot_name(op->slot[r->data]).text, cols, shape.cols);
    return check_layout(op, r->data);
}

static bool check_transfer_type(struct tile_op *op, unsigned dtype)
{
    if (sim_format_of(dtype)->bits < 8)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s has no byte address: an indexed transfer moves 8, 16, 32 or 64 bits",
                          sim_format_name(dtype));
    return true;
}

/* ---- lanes ---- */

/* One PE's side of a transfer. Views without a role are empty. */
struct lanes {
    const struct roles *roles;
    unsigned pe;
    uint64_t base;
    uint32_t rows, cols; /* the valid region */
    unsigned bytes;      /* of one access */
    struct tile_view data, index, predicate, expected, replacement;
};

/* The vectors' model has one payload and runs once, with the registers of the PE that commits. */
static uint8_t acting_pes(const struct tile_op *op)
{
    return op->s->conformance ? op->mask & -op->mask : op->mask;
}

static struct tile_view role_view(const struct tile_op *op, int n, unsigned pe)
{
    return n < 0 ? (struct tile_view){0} : tile_source_view(op, (unsigned)n, pe);
}

static struct lanes lanes_of(const struct tile_op *op, unsigned pe, struct tile_shape shape,
                             unsigned dtype)
{
    const struct roles *r = roles_of(op);
    return (struct lanes){
        .roles = r,
        .pe = pe,
        .base = tile_scalar(op, op->s->conformance ? op->b->pe : pe, 0),
        .rows = shape.valid_rows,
        .cols = shape.valid_cols,
        .bytes = sim_format_access_bytes(sim_format_of(dtype)),
        .data = role_view(op, r->data, pe),
        .index = role_view(op, r->index, pe),
        .predicate = role_view(op, r->predicate, pe),
        .expected = role_view(op, r->expected, pe),
        .replacement = role_view(op, r->replacement, pe),
    };
}

static bool is_enabled(const struct lanes *l, uint32_t row, uint32_t col)
{
    return l->roles->predicate < 0 || tile_view_bit(&l->predicate, row, col);
}

static uint64_t lane_address(const struct lanes *l, uint32_t row, uint32_t col)
{
    return l->base + (uint64_t)tile_view_get_signed(&l->index, row, col);
}

static bool check_access(struct tile_op *op, unsigned pe, uint64_t address, unsigned bytes,
                         enum mem_access access)
{
    uint64_t bad;
    if (address % bytes || !mem_probe(op->s, address, bytes, access, &bad))
        return tile_memory_fault(op, pe, address, bytes, access);
    return true;
}

static bool check_lanes(struct tile_op *op, const struct lanes *l)
{
    bool writes = l->roles->data >= 0 || l->roles->replacement >= 0;
    bool reads = l->roles->data < 0;
    for (uint32_t row = 0; row < l->rows; row++)
        for (uint32_t col = 0; col < l->cols; col++) {
            if (!is_enabled(l, row, col))
                continue;
            uint64_t address = lane_address(l, row, col);
            if ((reads && !check_access(op, l->pe, address, l->bytes, MEM_READ)) ||
                (writes && !check_access(op, l->pe, address, l->bytes, MEM_WRITE)))
                return false;
        }
    return true;
}

static uint64_t load_element(struct sim *s, uint64_t address, unsigned bytes)
{
    uint8_t data[8] = {0};
    mem_read(s, address, data, bytes);
    return sim_element_get(sim_format_of(ISA_DataType_U64), data, 0);
}

static void store_element(struct sim *s, uint64_t address, unsigned bytes, uint64_t value)
{
    uint8_t data[8];
    sim_element_set(sim_format_of(ISA_DataType_U64), data, 0, value);
    mem_write(s, address, data, bytes);
}

/* Lanes with equal addresses follow each other row by row; the order is the implementation's. */
static uint64_t load_lane(struct tile_op *op, const struct lanes *l, uint32_t row, uint32_t col)
{
    uint64_t address = lane_address(l, row, col);
    uint64_t old = load_element(op->s, address, l->bytes);
    if (l->roles->expected >= 0 && old == tile_view_get(&l->expected, row, col))
        store_element(op->s, address, l->bytes, tile_view_get(&l->replacement, row, col));
    return old;
}

static void gather(struct tile_op *op, const struct lanes *l)
{
    struct tile_view to = tile_destination_view(op, 0, l->pe);
    uint64_t pad = sim_format_pad(to.format, tile_pad_value(op));
    for (uint32_t row = 0; row < to.info->rows; row++)
        for (uint32_t col = 0; col < to.info->cols; col++) {
            bool valid = row < l->rows && col < l->cols && is_enabled(l, row, col);
            tile_view_set(&to, row, col, valid ? load_lane(op, l, row, col) : pad);
        }
    tile_new_fragment(op, 0, l->pe)->defined = TILE_ALL_DEFINED;
}

static void scatter(struct tile_op *op, const struct lanes *l)
{
    for (uint32_t row = 0; row < l->rows; row++)
        for (uint32_t col = 0; col < l->cols; col++)
            if (is_enabled(l, row, col))
                store_element(op->s, lane_address(l, row, col), l->bytes,
                              tile_view_get(&l->data, row, col));
}

static bool reserve(struct tile_op *op, struct tile_shape shape, unsigned dtype)
{
    if (!tile_reserve(op, shape, dtype, tile_destination_layout(op)))
        return false;
    const struct tile_info *info = &op->destination[0].tile.info;
    if (tile_indexable(info))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "%u x %u elements of %s are not whole boxes of the %s layout", info->rows,
                      info->cols, sim_format_name(dtype), sim_layout_name(info->layout));
}

static bool move_lanes(struct tile_op *op, struct tile_shape shape, unsigned dtype)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(acting_pes(op) & pe_bit(pe)))
            continue;
        struct lanes l = lanes_of(op, pe, shape, dtype);
        if (!check_lanes(op, &l))
            return false;
    }
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(acting_pes(op) & pe_bit(pe)))
            continue;
        struct lanes l = lanes_of(op, pe, shape, dtype);
        if (l.roles->data < 0)
            gather(op, &l);
        else
            scatter(op, &l);
    }
    return true;
}

bool tile_run_indexed(struct tile_op *op)
{
    unsigned dtype = op->b->data_type; /* B.DATR's has no say, also in the model */
    struct tile_shape shape;
    const struct roles *r = roles_of(op);
    if (!check_schema(op) || !take_shape(op, &shape) || !check_transfer_type(op, dtype) ||
        !check_values(op, r->data, shape, dtype) || !check_index(op, r, shape) ||
        !check_values(op, r->expected, shape, dtype) ||
        !check_values(op, r->replacement, shape, dtype) || !check_predicate(op, r, shape) ||
        !check_scatter_source(op, r, shape))
        return false;
    if (r->data < 0 && !reserve(op, shape, dtype))
        return false;
    return move_lanes(op, shape, dtype);
}

/* ---- TPREFETCH ---- */

/* The stride counts elements, unlike TLOAD's; two elements of four bits share a byte. */
static uint64_t prefetch_address(const struct sim_format *f, uint64_t base, uint64_t element)
{
    return base + (f->bits < 8 ? element / 2 : element * sim_format_access_bytes(f));
}

static bool prefetch(struct tile_op *op, unsigned pe, struct tile_shape shape, unsigned dtype)
{
    const struct sim_format *f = sim_format_of(dtype);
    unsigned bytes = sim_format_access_bytes(f);
    uint64_t base = tile_scalar(op, pe, 0);
    uint64_t stride = op->b->ior_present ? tile_scalar(op, pe, 1) : shape.cols;
    for (uint32_t row = 0; row < shape.valid_rows; row++)
        for (uint32_t col = 0; col < shape.valid_cols; col++)
            if (!check_access(op, pe, prefetch_address(f, base, row * stride + col), bytes,
                              MEM_READ))
                return false;
    return true;
}

/* Elements of at most 32 bits (asl/tile/memory-and-data-movement/regular/TPREFETCH.asl). */
static bool check_prefetch_type(struct tile_op *op, unsigned dtype)
{
    if (sim_format_of(dtype)->bits > 32)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s: elements have at most 32 bits",
                          sim_format_name(dtype));
    return true;
}

/* Nothing is kept, so that a rectangle that can be read is all there is to do. */
bool tile_run_prefetch(struct tile_op *op)
{
    unsigned dtype = op->b->data_type;
    if (!check_prefetch_type(op, dtype))
        return false;
    if (op->b->niot || op->b->nios)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation takes no B.IOT and no B.IOS");
    if (op->b->fpatr.present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.FPATR belongs to CUBE operations only");
    if (!tile_check_scalars(op, FAULT_TILE_LEGALITY) || !check_dimensions(op))
        return false;
    struct tile_shape shape = tile_bundle_shape(op, NULL);
    if (!check_shape(op, shape) || !tile_check_attributes(op))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->b->ready & pe_bit(pe)) && !prefetch(op, pe, shape, dtype))
            return false;
    return true;
}
