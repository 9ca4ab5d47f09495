/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared tiles: TLOAD and TSTORE with B.IOS, and the four TMOV functions
 * between Local and Shared. A Shared payload is cut into four quarters by byte
 * offset; a mask selects quarters, and quarter n belongs to PE n (asl/tile/
 * model/memory/shared-movement.asl, asl/block/model/dispatch/shared-tlsu.asl).
 */
#include <string.h>

#include "sim/tile.h"

static unsigned quarter_of(const struct tile_info *info, uint64_t element)
{
    uint64_t byte = element * tile_format(info)->bits / 8;
    return (unsigned)(byte * SIM_PES / info->capacity);
}

/* What a read of a quarter that was never written gives; not a portable value (pto-isa
 * state/shared-registers.asl). */
static uint64_t shared_word(const struct shared_tile *t, unsigned id, uint64_t element)
{
    if (!t->valid || !(t->init_mask & pe_bit(quarter_of(&t->info, element))))
        return id ^ element;
    return sim_element_get(tile_format(&t->info), t->payload.bytes, element);
}

static bool same_descriptor(const struct tile_info *a, const struct tile_info *b)
{
    return a->capacity == b->capacity && a->rows == b->rows && a->cols == b->cols &&
           a->valid_rows == b->valid_rows && a->valid_cols == b->valid_cols &&
           a->dtype == b->dtype && a->layout == b->layout && a->matrix == b->matrix;
}

static bool check_update(struct tile_op *op, const struct tile_info *info)
{
    unsigned id = op->b->ios[0].id;
    const struct shared_tile *old = &op->s->tiles->shared[id];
    struct tile_name name = tile_shared_name(id);
    if (old->valid) {
        if (op->mask & ~old->mask)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "the mask names a quarter of %s that is not allocated", name.text);
        if (!same_descriptor(&old->info, info))
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "%s is %u x %u of %s in %u bytes, the update is %u x %u of %s in %u",
                              name.text, old->info.valid_rows, old->info.valid_cols,
                              sim_format_name(old->info.dtype), old->info.capacity,
                              info->valid_rows, info->valid_cols, sim_format_name(info->dtype),
                              info->capacity);
        return true;
    }
    uint64_t used = tile_pool_used(op->s);
    uint64_t needed = (uint64_t)tile_mask_population(op->mask) * info->capacity;
    if (used + needed > TILE_POOL_BYTES)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s needs %llu bytes: %llu of %d are in use",
                          name.text, (unsigned long long)needed, (unsigned long long)used,
                          TILE_POOL_BYTES);
    return true;
}

/* Copies the selected, defined elements of `from` into an existing Shared payload. */
static void merge_payload(struct sim *s, struct shared_tile *t, const struct tile_fragment *from,
                          uint8_t mask)
{
    const struct sim_format *f = tile_format(&t->info);
    tile_fragment_use_bits(s, &t->info, &t->payload);
    uint64_t count = (uint64_t)t->info.rows * t->info.cols;
    for (uint64_t e = 0; e < count; e++)
        if ((mask & pe_bit(quarter_of(&t->info, e))) && tile_fragment_marked(from, e)) {
            sim_element_set(f, t->payload.bytes, e, sim_element_get(f, from->bytes, e));
            tile_fragment_mark(&t->payload, e, true);
        }
}

/* The commit point of a Shared update. `from` has definedness bits; its memory is taken over or
 * freed. */
static void update_shared(struct tile_op *op, const struct tile_info *info,
                          struct tile_fragment *from, bool publish)
{
    struct shared_tile *t = &op->s->tiles->shared[op->b->ios[0].id];
    if (!t->valid) {
        tile_fragment_free(op->s, &t->payload);
        *t = (struct shared_tile){.valid = true,
                                  .published = publish,
                                  .contents_defined = true,
                                  .mask = op->mask,
                                  .init_mask = op->mask,
                                  .info = *info,
                                  .payload = *from};
        return;
    }
    merge_payload(op->s, t, from, op->mask);
    tile_fragment_free(op->s, from);
    t->init_mask |= op->mask;
    t->contents_defined = t->init_mask == t->mask;
    t->published |= publish && t->contents_defined;
}

/* ---- memory ---- */

struct shared_access {
    const struct tile_info *info;
    struct sim_map map;
    uint64_t dense;
};

static uint64_t shared_address(const struct tile_op *op, const struct shared_access *a, unsigned pe,
                               uint32_t row, uint32_t col)
{
    const struct sim_format *f = tile_format(a->info);
    uint64_t stride = op->b->ior_present ? tile_scalar(op, pe, 1) : a->dense;
    return tile_scalar(op, pe, 0) + row * stride +
           (f->bits < 8 ? col / 2 : sim_format_bytes(f, col));
}

/* Calls `each` for every selected element in row order; false from it ends the walk. */
static bool walk_selected(struct tile_op *op, const struct shared_access *a, void *ctx,
                          bool (*each)(struct tile_op *op, void *ctx, unsigned pe, uint64_t address,
                                       uint32_t col, uint64_t element))
{
    for (uint32_t row = 0; row < a->info->valid_rows; row++)
        for (uint32_t col = 0; col < a->info->valid_cols; col++) {
            uint64_t element = sim_map_index(&a->map, row, col);
            unsigned pe = quarter_of(a->info, element);
            if ((op->mask & pe_bit(pe)) &&
                !each(op, ctx, pe, shared_address(op, a, pe, row, col), col, element))
                return false;
        }
    return true;
}

struct access_check {
    unsigned bytes;
    enum mem_access access;
};

static bool check_access(struct tile_op *op, void *ctx, unsigned pe, uint64_t address, uint32_t col,
                         uint64_t element)
{
    const struct access_check *c = ctx;
    uint64_t bad;
    (void)col, (void)element;
    return (address % c->bytes == 0 && mem_probe(op->s, address, c->bytes, c->access, &bad)) ||
           tile_memory_fault(op, pe, address, c->bytes, c->access);
}

struct element_copy {
    const struct sim_format *format;
    struct tile_fragment *fragment; /* load */
    const struct shared_tile *tile; /* store */
    unsigned id;
};

static bool load_element(struct tile_op *op, void *ctx, unsigned pe, uint64_t address, uint32_t col,
                         uint64_t element)
{
    const struct element_copy *c = ctx;
    uint8_t raw[8];
    (void)pe;
    mem_read(op->s, address, raw, sim_format_access_bytes(c->format));
    sim_element_set(c->format, c->fragment->bytes, element,
                    sim_element_get(c->format, raw, c->format->bits < 8 ? col % 2 : 0));
    tile_fragment_mark(c->fragment, element, true);
    return true;
}

static bool store_element(struct tile_op *op, void *ctx, unsigned pe, uint64_t address,
                          uint32_t col, uint64_t element)
{
    const struct element_copy *c = ctx;
    unsigned bytes = sim_format_access_bytes(c->format);
    uint8_t raw[8];
    (void)pe;
    if (c->format->bits < 8)
        mem_read(op->s, address, raw, bytes);
    sim_element_set(c->format, raw, c->format->bits < 8 ? col % 2 : 0,
                    shared_word(c->tile, c->id, element));
    mem_write(op->s, address, raw, bytes);
    return true;
}

static bool run_load(struct tile_op *op, unsigned dtype)
{
    const struct bundle *b = op->b;
    if (!b->ios[0].size_code || b->niot)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "a Shared load takes one B.IOS destination and no B.IOT");
    struct tile_info info = {.dtype = (uint8_t)dtype,
                             .cols = (uint32_t)b->lb[2],
                             .valid_rows = (uint32_t)b->lb[1],
                             .valid_cols = (uint32_t)b->lb[0],
                             .capacity = tile_size_code_bytes(b->ios[0].size_code)};
    const struct sim_format *f = tile_format(&info);
    info.rows = tile_derived_rows(info.capacity, info.cols, f);
    if (!info.valid_cols || !info.valid_rows || !info.cols || info.valid_cols > info.cols ||
        info.valid_rows > info.rows)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "LB1 x LB0 = %u x %u in LB2 = %u columns of %s does not fit %u bytes "
                          "(%u rows)",
                          info.valid_rows, info.valid_cols, info.cols, sim_format_name(dtype),
                          info.capacity, info.rows);
    tile_info_set_layout(&info, tile_destination_layout(op));
    if (!tile_indexable(&info))
        return tile_fault(op, FAULT_TILE_LEGALITY, "%u x %u elements are not whole boxes of %s",
                          info.rows, info.cols, sim_layout_name(info.layout));
    struct shared_access a = {&info, tile_map(&info), sim_format_bytes(f, info.cols)};
    struct access_check check = {sim_format_access_bytes(f), MEM_READ};
    if (!check_update(op, &info) || !walk_selected(op, &a, &check, check_access))
        return false;
    struct tile_fragment fragment;
    tile_fragment_create(op->s, &fragment, info.capacity);
    tile_fragment_use_bits(op->s, &info, &fragment);
    struct element_copy copy = {.format = f, .fragment = &fragment};
    walk_selected(op, &a, &copy, load_element);
    update_shared(op, &info, &fragment, true);
    return true;
}

/* The schema a Shared source is read with: an unallocated one takes the smallest size that fits. */
static bool read_schema(struct tile_op *op, struct tile_info *info, uint32_t capacity)
{
    const struct shared_tile *t = &op->s->tiles->shared[op->b->ios[0].id];
    struct tile_name name = tile_shared_name(op->b->ios[0].id);
    const struct sim_format *f = tile_format(info);
    info->capacity = t->valid && !capacity ? t->info.capacity : capacity;
    for (unsigned code = 1; !info->capacity && code <= 12; code++) {
        uint32_t rows = tile_derived_rows(tile_size_code_bytes(code), info->cols, f);
        if (rows >= info->valid_rows)
            info->capacity = tile_size_code_bytes(code);
    }
    info->rows = info->capacity ? tile_derived_rows(info->capacity, info->cols, f) : 0;
    if (!info->valid_rows || !info->valid_cols || !info->cols || info->valid_cols > info->cols ||
        info->valid_rows > info->rows)
        return tile_fault(
            op, FAULT_TILE_LEGALITY, "%s cannot be read as %u x %u in %u columns of %s", name.text,
            info->valid_rows, info->valid_cols, info->cols, sim_format_name(info->dtype));
    if (t->valid &&
        (t->info.capacity != info->capacity || t->info.cols != info->cols ||
         info->valid_rows > t->info.valid_rows || info->valid_cols > t->info.valid_cols ||
         t->info.dtype != info->dtype || t->info.layout != info->layout))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s is %u x %u in %u columns of %s, %s, %u bytes; it is read as %u x %u "
                          "in %u columns of %s, %s, %u bytes",
                          name.text, t->info.valid_rows, t->info.valid_cols, t->info.cols,
                          sim_format_name(t->info.dtype), sim_layout_name(t->info.layout),
                          t->info.capacity, info->valid_rows, info->valid_cols, info->cols,
                          sim_format_name(info->dtype), sim_layout_name(info->layout),
                          info->capacity);
    return true;
}

/* Dimensions that are written count even when they are zero; the rest is the tile's own. */
static struct tile_shape store_shape(const struct tile_op *op)
{
    const struct bundle *b = op->b;
    const struct shared_tile *t = &op->s->tiles->shared[b->ios[0].id];
    struct tile_shape shape = tile_bundle_shape(op, NULL);
    if (b->lb_present[0])
        shape.valid_cols = (uint32_t)b->lb[0];
    if (b->lb_present[1])
        shape.valid_rows = (uint32_t)b->lb[1];
    if (b->lb_present[2])
        shape.cols = (uint32_t)b->lb[2];
    else if (!t->valid)
        shape.cols = shape.valid_cols;
    return shape;
}

static bool run_store(struct tile_op *op, unsigned dtype)
{
    const struct bundle *b = op->b;
    if (!tile_is(op, ISA_TILEOP_TSTORE_SPART) && op->mask != SIM_ALL_PES)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "a Shared store needs mask=1111; TSTORE.SPART takes other masks");
    if (b->ios[0].size_code || b->niot)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "a Shared store takes one B.IOS source and no B.IOT");
    struct tile_shape shape = store_shape(op);
    struct tile_info info = {.dtype = (uint8_t)dtype,
                             .cols = shape.cols,
                             .valid_rows = shape.valid_rows,
                             .valid_cols = shape.valid_cols};
    tile_info_set_layout(&info, tile_destination_layout(op));
    if (!read_schema(op, &info, 0))
        return false;
    const struct sim_format *f = tile_format(&info);
    struct shared_access a = {&info, tile_map(&info), sim_format_bytes(f, info.cols)};
    struct access_check check = {sim_format_access_bytes(f), MEM_WRITE};
    if (!walk_selected(op, &a, &check, check_access))
        return false;
    struct element_copy copy = {
        .format = f, .tile = &op->s->tiles->shared[b->ios[0].id], .id = b->ios[0].id};
    return walk_selected(op, &a, &copy, store_element);
}

/* ---- between Local and Shared ---- */

static bool check_local_binding(struct tile_op *op, bool destination)
{
    const struct bundle *b = op->b;
    const struct bundle_iot *iot = &b->iot[0];
    bool to_shared = b->ios[0].size_code != 0;
    if (b->niot == 1 && iot->last && iot->has_destination == destination &&
        iot->nsources == !destination && to_shared == !destination)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "one B.IOT %s with `last` and one B.IOS %s are needed; %u B.IOT are bound",
                      destination ? "destination" : "source",
                      destination ? "source" : "destination", b->niot);
}

/* Each PE contributes its own quarter. */
static void gather_quarters(struct tile_op *op, const struct tile_info *info,
                            struct tile_fragment *to)
{
    const struct sim_format *f = tile_format(info);
    uint64_t count = (uint64_t)info->rows * info->cols;
    struct tile_fragment bits[SIM_PES] = {0};
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        const struct tile_fragment *from = tile_source_fragment(op, 0, pe);
        if (!from || !(op->s->conformance || (op->mask & pe_bit(pe))))
            continue;
        tile_fragment_create(op->s, &bits[pe], info->capacity);
        tile_fragment_copy(op->s, info, &bits[pe], from);
        tile_fragment_use_bits(op->s, info, &bits[pe]);
    }
    for (uint64_t e = 0; e < count; e++) {
        const struct tile_fragment *from = &bits[quarter_of(info, e)];
        if (from->bytes && tile_fragment_marked(from, e)) {
            sim_element_set(f, to->bytes, e, sim_element_get(f, from->bytes, e));
            tile_fragment_mark(to, e, true);
        }
    }
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        tile_fragment_free(op->s, &bits[pe]);
}

static bool run_to_shared(struct tile_op *op, bool publish)
{
    const struct bundle *b = op->b;
    if (!check_local_binding(op, false) || !tile_check_source(op, 0, op->mask))
        return false;
    struct tile_info info = op->source[0]->info;
    info.matrix = false;
    uint32_t size = tile_size_code_bytes(b->ios[0].size_code);
    if (info.capacity != size)
        return tile_fault(
            op, FAULT_TILE_LEGALITY, "%s has %u bytes a PE, the B.IOS says %u (size code %u)",
            tile_slot_name(op->slot[0]).text, info.capacity, size, b->ios[0].size_code);
    if (!check_update(op, &info))
        return false;
    const struct shared_tile *t = &op->s->tiles->shared[b->ios[0].id];
    if (publish && t->valid && (t->init_mask | op->mask) != t->mask)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s would be published with quarters that were never written",
                          tile_shared_name(b->ios[0].id).text);
    struct tile_fragment fragment;
    tile_fragment_create(op->s, &fragment, info.capacity);
    tile_fragment_use_bits(op->s, &info, &fragment);
    gather_quarters(op, &info, &fragment);
    update_shared(op, &info, &fragment, publish);
    return true;
}

static bool check_broadcast(struct tile_op *op)
{
    const struct shared_tile *t = &op->s->tiles->shared[op->b->ios[0].id];
    struct tile_name name = tile_shared_name(op->b->ios[0].id);
    if (op->mask != SIM_ALL_PES)
        return tile_fault(op, FAULT_TILE_LEGALITY, "a broadcast needs mask=1111");
    if (!t->valid || t->mask != SIM_ALL_PES || t->init_mask != SIM_ALL_PES || !t->published)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s is not a complete, published tile of all four PEs", name.text);
    return true;
}

static void scatter(struct tile_op *op, unsigned pe)
{
    const struct tile_info *info = &op->destination[0].tile.info;
    const struct sim_format *f = tile_format(info);
    unsigned id = op->b->ios[0].id;
    const struct shared_tile *t = &op->s->tiles->shared[id];
    struct tile_fragment *to = tile_new_fragment(op, 0, pe);
    tile_fragment_use_bits(op->s, info, to);
    uint64_t count = (uint64_t)info->rows * info->cols;
    for (uint64_t e = 0; e < count; e++)
        if (op->mask & pe_bit(quarter_of(info, e))) {
            sim_element_set(f, to->bytes, e, shared_word(t, id, e));
            tile_fragment_mark(to, e, true);
        }
}

static bool run_to_local(struct tile_op *op, unsigned dtype)
{
    const struct bundle *b = op->b;
    unsigned effective;
    if (!check_local_binding(op, true))
        return false;
    struct tile_shape shape = tile_bundle_shape(op, NULL);
    struct tile_info info = {.dtype = (uint8_t)dtype,
                             .cols = shape.cols,
                             .valid_rows = shape.valid_rows,
                             .valid_cols = shape.valid_cols};
    tile_info_set_layout(&info, tile_destination_layout(op));
    if (!read_schema(op, &info, tile_size_code_bytes(b->iot[0].size_code)) ||
        (tile_is(op, ISA_TILEOP_TMOV_S2L_BROADCAST) && !check_broadcast(op)) ||
        !tile_effective_type(op, &effective) || !tile_reserve(op, shape, effective, info.layout))
        return false;
    if (effective != dtype)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DATR says %s, the bundle %s",
                          sim_format_name(effective), sim_format_name(dtype));
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            scatter(op, pe);
    return true;
}

bool tile_run_shared(struct tile_op *op)
{
    const struct bundle *b = op->b;
    unsigned dtype = b->data_type;
    if (b->nios != 1)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%u B.IOS are bound, one is needed", b->nios);
    if (!tile_check_scalars(op, FAULT_BUNDLE) || !tile_check_attributes(op) ||
        (dtype == ISA_DataType_DTYPE_NONE && !tile_effective_type(op, &dtype)))
        return false;
    switch (op->row - isa_tileops) {
    case ISA_TILEOP_TLOAD:
        return tile_check_pad_is_zero(op) && run_load(op, dtype);
    case ISA_TILEOP_TSTORE:
    case ISA_TILEOP_TSTORE_SPART:
        return tile_check_pad_is_zero(op) && run_store(op, dtype);
    case ISA_TILEOP_TMOV_L2S_INSERT:
        return run_to_shared(op, false);
    case ISA_TILEOP_TMOV_L2S_PUBLISH:
        return run_to_shared(op, true);
    case ISA_TILEOP_TMOV_S2L_BROADCAST:
    case ISA_TILEOP_TMOV_S2L_EXTRACT:
        return run_to_local(op, dtype);
    default:
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation takes no B.IOS");
    }
}
