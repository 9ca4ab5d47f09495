/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TLOAD and TSTORE between memory and Local tiles: address = base + row *
 * stride + column * size, wrapping at 2^64. All addresses of all PEs are
 * checked before the first byte moves (asl/tile/model/memory/load-store.asl).
 */
#include <string.h>

#include "sim/memory.h"
#include "sim/tile.h"

/* One PE's rectangle in memory. One that is dense on both sides is a single long row. */
struct transfer {
    unsigned pe;
    uint64_t base, stride; /* bytes */
    uint32_t rows, cols;
    const struct tile_info *info;
    const struct sim_format *format;
    struct sim_map map;
};

static bool is_dense(const struct sim *s, const struct transfer *t)
{
    const struct tile_info *info = t->info;
    return t->format->bits >= 8 && info->layout == SIM_ROW_MAJOR &&
           info->valid_cols == info->cols && t->stride == sim_format_bytes(t->format, info->cols) &&
           !s->memory->watched; /* who watches sees row after row */
}

static struct transfer transfer_of(const struct tile_op *op, unsigned pe,
                                   const struct tile_info *info, uint64_t dense_cols)
{
    /* The vectors' model has one tile record, filled by the PE that commits. */
    unsigned reader = op->s->conformance ? op->b->pe : pe;
    const struct sim_format *f = tile_format(info);
    struct transfer t = {
        .pe = pe,
        .rows = info->valid_rows,
        .cols = info->valid_cols,
        .base = tile_scalar(op, reader, 0),
        .stride = op->b->ior_present ? tile_scalar(op, reader, 1) : sim_format_bytes(f, dense_cols),
        .info = info,
        .format = f,
        .map = tile_map(info),
    };
    if (is_dense(op->s, &t)) {
        t.cols *= t.rows;
        t.rows = 1;
    }
    return t;
}

static uint64_t row_address(const struct transfer *t, uint32_t row)
{
    return t->base + row * t->stride;
}

static uint64_t element_address(const struct transfer *t, uint32_t row, uint32_t col)
{
    return row_address(t, row) + (t->format->bits < 8 ? col / 2 : sim_format_bytes(t->format, col));
}

/* Element by element, for the first failing one; the fast test of a whole row comes first. */
static bool check_row(struct tile_op *op, const struct transfer *t, uint32_t row,
                      enum mem_access access)
{
    unsigned bytes = sim_format_access_bytes(t->format);
    uint64_t start = row_address(t, row), size = sim_format_bytes(t->format, t->cols);
    uint64_t bad;
    if (start % bytes == 0 && start + size >= start && mem_probe(op->s, start, size, access, &bad))
        return true;
    for (uint32_t col = 0; col < t->cols; col++) {
        uint64_t address = element_address(t, row, col);
        if (address % bytes || !mem_probe(op->s, address, bytes, access, &bad))
            return tile_memory_fault(op, t->pe, address, bytes, access);
    }
    return true;
}

static bool check_addresses(struct tile_op *op, const struct transfer *t, enum mem_access access)
{
    for (uint32_t row = 0; row < t->rows; row++)
        if (!check_row(op, t, row, access))
            return false;
    return true;
}

static uint8_t *row_buffer(struct tile_op *op, size_t size)
{
    struct buffer *b = &op->s->tiles->row;
    if (b->size < size)
        buffer_extend(b, size - b->size);
    return b->data;
}

/* Guest memory wraps at 2^64; the two ends of a wrapped row are two accesses. */
static void read_row(struct sim *s, uint64_t address, uint8_t *to, uint64_t size)
{
    uint64_t first = address + size < address ? -address : size;
    mem_read(s, address, to, first);
    if (first < size)
        mem_read(s, 0, to + first, size - first);
}

static void write_row(struct sim *s, uint64_t address, const uint8_t *from, uint64_t size)
{
    uint64_t first = address + size < address ? -address : size;
    mem_write(s, address, from, first);
    if (first < size)
        mem_write(s, 0, from + first, size - first);
}

static bool rows_are_bytes(const struct transfer *t)
{
    return t->format->bits >= 8 && sim_map_row_is_contiguous(&t->map);
}

/* One row between memory's order and its places in a payload; the places of a row are those of the
 * first one, all moved by the same distance. */
struct row_places {
    const struct sim_format *format;
    uint32_t first;      /* place of the row's first element */
    const uint32_t *col; /* places of the first row */
    uint32_t cols;
};

/* Elements of whole bytes; `bytes` is a constant where these are called. */
static inline __attribute__((always_inline)) void
scatter_bytes(const struct row_places *p, uint8_t *payload, const uint8_t *row, size_t bytes)
{
    const uint32_t *col = p->col, cols = p->cols;
    payload += p->first * bytes;
    for (uint32_t c = 0; c < cols; c++)
        memcpy(payload + col[c] * bytes, row + c * bytes, bytes);
}

static inline __attribute__((always_inline)) void
gather_bytes(const struct row_places *p, uint8_t *row, const uint8_t *payload, size_t bytes)
{
    const uint32_t *col = p->col, cols = p->cols;
    payload += p->first * bytes;
    for (uint32_t c = 0; c < cols; c++)
        memcpy(row + c * bytes, payload + col[c] * bytes, bytes);
}

static void scatter_row(const struct row_places *p, uint8_t *payload, const uint8_t *row)
{
    switch (p->format->bits) {
    case 8:
        scatter_bytes(p, payload, row, 1);
        break;
    case 16:
        scatter_bytes(p, payload, row, 2);
        break;
    case 32:
        scatter_bytes(p, payload, row, 4);
        break;
    default:
        for (uint32_t c = 0; c < p->cols; c++)
            sim_element_set(p->format, payload, p->first + p->col[c],
                            sim_element_get(p->format, row, c));
        break;
    }
}

static void gather_row(const struct row_places *p, uint8_t *row, const uint8_t *payload)
{
    switch (p->format->bits) {
    case 8:
        gather_bytes(p, row, payload, 1);
        break;
    case 16:
        gather_bytes(p, row, payload, 2);
        break;
    case 32:
        gather_bytes(p, row, payload, 4);
        break;
    default:
        for (uint32_t c = 0; c < p->cols; c++)
            sim_element_set(p->format, row, c,
                            sim_element_get(p->format, payload, p->first + p->col[c]));
        break;
    }
}

/* Room for a row of `size` bytes, and behind it the places of the first row. */
static uint8_t *place_columns(struct tile_op *op, const struct transfer *t, uint64_t size,
                              struct row_places *p)
{
    size_t room = (size + sizeof *p->col - 1) / sizeof *p->col * sizeof *p->col;
    uint32_t cols = rows_are_bytes(t) ? 0 : t->cols;
    uint8_t *row = row_buffer(op, room + cols * sizeof *p->col);
    uint32_t *col = (uint32_t *)(void *)(row + room);
    for (uint32_t c = 0; c < cols; c++)
        col[c] = sim_map_index(&t->map, 0, c);
    *p = (struct row_places){.format = t->format, .col = col, .cols = cols};
    return row;
}

static void load(struct tile_op *op, const struct transfer *t, struct tile_fragment *f)
{
    uint64_t size = sim_format_bytes(t->format, t->cols);
    struct row_places places;
    uint8_t *buffer = place_columns(op, t, size, &places);
    for (uint32_t row = 0; row < t->rows; row++) {
        if (rows_are_bytes(t)) {
            uint64_t first = sim_format_bytes(t->format, sim_map_index(&t->map, row, 0));
            read_row(op->s, row_address(t, row), f->bytes + first, size);
            continue;
        }
        read_row(op->s, row_address(t, row), buffer, size);
        places.first = sim_map_index(&t->map, row, 0);
        scatter_row(&places, f->bytes, buffer);
    }
    f->defined = TILE_VALID_DEFINED;
}

static void store(struct tile_op *op, const struct transfer *t, const struct tile_fragment *f)
{
    uint64_t size = sim_format_bytes(t->format, t->cols);
    struct row_places places;
    uint8_t *buffer = place_columns(op, t, size, &places);
    for (uint32_t row = 0; row < t->rows; row++) {
        if (rows_are_bytes(t)) {
            uint64_t first = sim_format_bytes(t->format, sim_map_index(&t->map, row, 0));
            write_row(op->s, row_address(t, row), f->bytes + first, size);
            continue;
        }
        if (t->format->bits < 8) /* the other nibble of the last byte stays */
            read_row(op->s, row_address(t, row), buffer, size);
        places.first = sim_map_index(&t->map, row, 0);
        gather_row(&places, buffer, f->bytes);
        write_row(op->s, row_address(t, row), buffer, size);
    }
}

/* A pad value is assigned to the CUBE conversions only. */
bool tile_check_pad_is_zero(struct tile_op *op)
{
    if (op->b->datr.present && op->b->datr.pad)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR PadValue is %u, but only the CUBE layout codes take one: it must "
                          "be 0",
                          op->b->datr.pad);
    return true;
}

static bool load_destination(struct tile_op *op, uint64_t dense_cols, enum sim_pad pad)
{
    const struct tile_info *info = &op->destination[0].tile.info;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        struct transfer t = transfer_of(op, pe, info, dense_cols);
        if ((op->mask & pe_bit(pe)) && !check_addresses(op, &t, MEM_READ))
            return false;
    }
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(op->mask & pe_bit(pe)))
            continue;
        struct transfer t = transfer_of(op, pe, info, dense_cols);
        bool whole = rows_are_bytes(&t) && t.rows == 1 &&
                     sim_format_bytes(t.format, t.cols) == info->capacity;
        struct tile_fragment *f =
            whole ? tile_blank_fragment(op, 0, pe) : tile_new_fragment(op, 0, pe);
        load(op, &t, f);
        tile_pad(op->s, info, f, pad);
    }
    return true;
}

bool tile_run_tload(struct tile_op *op)
{
    unsigned dtype;
    struct tile_shape shape = tile_bundle_shape(op, NULL);
    if (!tile_effective_type(op, &dtype) ||
        !tile_reserve(op, shape, dtype, tile_destination_layout(op)))
        return false;
    if (!tile_indexable(&op->destination[0].tile.info))
        return tile_fault(
            op, FAULT_TILE_LEGALITY, "%u x %u elements of %s are not whole boxes of the %s layout",
            op->destination[0].tile.info.rows, op->destination[0].tile.info.cols,
            sim_format_name(dtype), sim_layout_name(op->destination[0].tile.info.layout));
    return load_destination(op, shape.cols, SIM_PAD_NULL);
}

static bool store_source(struct tile_op *op, uint64_t dense_cols)
{
    const struct tile_info *info = &op->source[0]->info;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        struct transfer t = transfer_of(op, pe, info, dense_cols);
        if ((op->mask & pe_bit(pe)) && !check_addresses(op, &t, MEM_WRITE))
            return false;
    }
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        struct transfer t = transfer_of(op, pe, info, dense_cols);
        if (op->mask & pe_bit(pe))
            store(op, &t, tile_source_fragment(op, 0, pe));
    }
    return true;
}

/* The omitted stride is dense in the bundle's columns and type; the region is the tile's own. */
bool tile_run_tstore(struct tile_op *op)
{
    if (!tile_check_source(op, 0, op->mask))
        return false;
    if (op->source[0]->info.storage == TILE_PREDICATE)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the source %s is a predicate",
                          tile_slot_name(op->slot[0]).text);
    return store_source(op, tile_bundle_shape(op, &op->source[0]->info).cols);
}

/* ---- CUBE layouts (asl/block/model/dispatch/tlsu-layout-conversion.asl) ---- */

bool tile_cube_layout(unsigned code, enum sim_layout *layout)
{
    static const uint8_t layouts[] = {
        [ISA_TileLayout_ND2M32] = SIM_CUBE_M32, [ISA_TileLayout_ND2M16] = SIM_CUBE_M16,
        [ISA_TileLayout_ND2N8] = SIM_CUBE_N8,   [ISA_TileLayout_M322ND] = SIM_CUBE_M32,
        [ISA_TileLayout_M162ND] = SIM_CUBE_M16, [ISA_TileLayout_N82ND] = SIM_CUBE_N8,
    };
    if (code < ISA_TileLayout_ND2M32 || code > ISA_TileLayout_N82ND)
        return false;
    *layout = (enum sim_layout)layouts[code];
    return true;
}

static bool is_load(const struct tile_op *op)
{
    return tile_is(op, ISA_TILEOP_TLOAD);
}

static bool check_cube_dimensions(struct tile_op *op)
{
    const struct bundle *b = op->b;
    for (unsigned i = 0; i < 2; i++)
        if (!b->lb_present[i] || !b->lb[i])
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "a CUBE transfer needs a nonzero B.DIM LB%u (valid %s)", i,
                              i ? "rows" : "columns");
    if (b->lb_present[2])
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "a CUBE transfer takes no B.DIM LB2 (it is %llu)",
                          (unsigned long long)b->lb[2]);
    return true;
}

static bool check_cube_attributes(struct tile_op *op)
{
    const struct bundle_datr *d = &op->b->datr;
    if (d->data_type != ISA_DataType_DTYPE_NONE)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR DataType is %u, a CUBE transfer needs DTYPE_NONE", d->data_type);
    if (d->cmode || d->rmode || d->sat || d->canonicalize)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR CMode %u, RMode %u, Sat %u, Canonicalize %u must be 0", d->cmode,
                          d->rmode, d->sat, d->canonicalize);
    bool loads = d->layout <= ISA_TileLayout_ND2N8;
    if (!(is_load(op) ? loads : tile_is(op, ISA_TILEOP_TSTORE) && !loads))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR Layout %u is for %s of a Local tile only", d->layout,
                          loads ? "TLOAD" : "TSTORE");
    return true;
}

static bool check_cube_bindings(struct tile_op *op)
{
    if (op->b->nios)
        return tile_fault(op, FAULT_TILE_LEGALITY, "a CUBE transfer takes no B.IOS");
    if (!tile_check_bindings(op, FAULT_TILE_LEGALITY))
        return false;
    if (op->b->niot != 1)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%u B.IOT are bound, one is needed",
                          op->b->niot);
    if (op->b->fpatr.present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.FPATR belongs to CUBE operations only");
    return true;
}

static bool run_cube_load(struct tile_op *op, unsigned dtype, enum sim_layout layout)
{
    struct tile_info info = {.dtype = (uint8_t)dtype,
                             .valid_rows = (uint32_t)op->b->lb[1],
                             .valid_cols = (uint32_t)op->b->lb[0],
                             .capacity = tile_size_code_bytes(op->b->iot[0].size_code)};
    uint64_t needed;
    tile_info_set_layout(&info, layout);
    if (!tile_info_set_cube(&info, &needed))
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%u x %u elements of %s need %llu bytes of whole %s cells, the "
                          "destination has %u",
                          info.valid_rows, info.valid_cols, sim_format_name(dtype),
                          (unsigned long long)needed, sim_layout_name(layout), info.capacity);
    return tile_reserve_info(op, &info) &&
           load_destination(op, info.valid_cols, tile_pad_value(op));
}

static bool run_cube_store(struct tile_op *op, unsigned dtype, enum sim_layout layout)
{
    const struct tile *t = op->source[0];
    struct tile_name name = tile_slot_name(op->slot[0]);
    uint32_t rows = (uint32_t)op->b->lb[1], cols = (uint32_t)op->b->lb[0];
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s is not allocated", name.text);
    if (t->info.layout != layout || t->info.dtype != dtype)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "source %s is %s of %s, the bundle says %s of %s", name.text,
                          sim_layout_name(t->info.layout), sim_format_name(t->info.dtype),
                          sim_layout_name(layout), sim_format_name(dtype));
    if (t->info.valid_rows != rows || t->info.valid_cols != cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the valid region of %s is %u x %u, LB1 x LB0 is %u x %u", name.text,
                          t->info.valid_rows, t->info.valid_cols, rows, cols);
    if ((t->mask & op->mask) != op->mask)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s lacks a fragment that the mask names",
                          name.text);
    return tile_check_fragments(op, 0, op->mask) && store_source(op, cols);
}

bool tile_run_cube_transport(struct tile_op *op)
{
    unsigned dtype;
    if (!check_cube_dimensions(op) || !check_cube_attributes(op) || !check_cube_bindings(op))
        return false;
    if (!tile_effective_type(op, &dtype))
        return false;
    uint32_t rows, cols;
    enum sim_layout layout = SIM_CUBE_M32;
    tile_cube_layout(op->b->datr.layout, &layout);
    if (dtype == ISA_DataType_HiF4X2 || !sim_cube_cell(layout, sim_format_of(dtype), &rows, &cols))
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s has no CUBE cell", sim_format_name(dtype));
    return is_load(op) ? run_cube_load(op, dtype, layout) : run_cube_store(op, dtype, layout);
}
