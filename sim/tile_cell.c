/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of 0.58.5 that rearrange CUBE cells: TPERMUTE, TSHUF, TPACK, TUNPACK. They move raw
 * bytes and 32-bit words within the rows of CUBE_M16 and CUBE_M32 tiles; a cell has 8 or 4 bytes a
 * row (pto-spec asl/tile/layout-and-rearrangement/layout at 5e3edbb1, asl/tile/model/execution/
 * rearrangement.asl at 9bacc7be, asl/tile/model/legality/layout-rearrangement.asl at 0a2c4253,
 * asl/block/model/dispatch/cell-rearrangement-schema.asl).
 */
#include "sim/tile_element.h"
#include "sim/tile_view.h"

enum { M16_ROW_BYTES = 8, M32_ROW_BYTES = 4, WORD_BYTES = 4 };

/* ---- bytes and words of a row ---- */

static uint32_t row_bytes(const struct tile_info *info)
{
    return info->layout == SIM_CUBE_M32 ? M32_ROW_BYTES : M16_ROW_BYTES;
}

static uint32_t valid_bytes(const struct tile_info *info)
{
    return (uint32_t)sim_format_bytes(tile_format(info), info->valid_cols);
}

static uint32_t words_of(const struct tile_info *info)
{
    return (valid_bytes(info) + WORD_BYTES - 1) / WORD_BYTES;
}

/* Elements that a byte takes part in: the one, or the two of four bits. */
struct byte_place {
    uint32_t col, count;
    unsigned shift;
};

static struct byte_place place_of(const struct tile_view *v, uint32_t byte)
{
    unsigned bits = v->format->bits;
    if (bits < 8)
        return (struct byte_place){2 * byte, 2 * byte + 1 < v->info->valid_cols ? 2 : 1, 0};
    return (struct byte_place){byte / (bits / 8), 1, byte % (bits / 8) * 8};
}

static uint8_t get_byte(const struct tile_view *v, uint32_t row, uint32_t byte)
{
    struct byte_place p = place_of(v, byte);
    uint64_t value = tile_view_get(v, row, p.col) >> p.shift;
    if (p.count == 2)
        value |= tile_view_get(v, row, p.col + 1) << 4;
    return (uint8_t)value;
}

static void set_byte(const struct tile_view *v, uint32_t row, uint32_t byte, uint8_t value)
{
    struct byte_place p = place_of(v, byte);
    uint64_t mask = (v->format->bits < 8 ? UINT64_C(0xf) : UINT64_C(0xff)) << p.shift;
    uint64_t rest = tile_view_get(v, row, p.col) & ~mask;
    tile_view_set(v, row, p.col, rest | ((uint64_t)value << p.shift & mask));
    if (p.count == 2)
        tile_view_set(v, row, p.col + 1, value >> 4);
}

static bool byte_is_defined(const struct tile_view *v, const struct tile_fragment *f, uint32_t row,
                            uint32_t byte)
{
    struct byte_place p = place_of(v, byte);
    if (p.col >= v->info->valid_cols || !tile_fragment_is_defined(v->info, f, row, p.col))
        return false;
    return p.count == 1 || tile_fragment_is_defined(v->info, f, row, p.col + 1);
}

/* Bytes beyond the valid ones read as zero and are not written. */
static uint32_t get_word(const struct tile_view *v, uint32_t row, uint32_t word)
{
    uint32_t value = 0, first = word * WORD_BYTES;
    for (uint32_t i = 0; i < WORD_BYTES && first + i < valid_bytes(v->info); i++)
        value |= (uint32_t)get_byte(v, row, first + i) << (8 * i);
    return value;
}

static void set_word(const struct tile_view *v, uint32_t row, uint32_t word, uint32_t value)
{
    uint32_t first = word * WORD_BYTES;
    for (uint32_t i = 0; i < WORD_BYTES && first + i < valid_bytes(v->info); i++)
        set_byte(v, row, first + i, (uint8_t)(value >> (8 * i)));
}

/* ---- operands ---- */

static bool check_cells(struct tile_op *op, unsigned n)
{
    const struct tile *t = op->source[n];
    struct tile_name name = tile_slot_name(op->slot[n]);
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %u, %s, is not allocated", n + 1,
                          name.text);
    if (t->info.storage != TILE_NUMERIC ||
        (t->info.layout != SIM_CUBE_M16 && t->info.layout != SIM_CUBE_M32))
        return tile_fault(
            op, FAULT_TILE_LEGALITY, "source %s is %s of %s, it must be CUBE_M16 or CUBE_M32",
            name.text, sim_layout_name((enum sim_layout)t->info.layout),
            t->info.storage == TILE_NUMERIC ? sim_format_name(t->info.dtype) : "predicates");
    return true;
}

static bool check_fragments_exist(struct tile_op *op, unsigned n)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->mask & pe_bit(pe)) && !tile_source_fragment(op, n, pe))
            return tile_fault(op, FAULT_TILE_LEGALITY, "source %s has no fragment in PE%u",
                              tile_slot_name(op->slot[n]).text, pe);
    return true;
}

/* Source n is as the first one is: cells, rows, and so many columns of this type. */
static bool check_like_first(struct tile_op *op, unsigned n, unsigned dtype, uint32_t cols)
{
    const struct tile_info *first = &op->source[0]->info;
    if (!check_cells(op, n))
        return false;
    const struct tile_info *info = &op->source[n]->info;
    if (info->dtype == dtype && info->layout == first->layout &&
        info->valid_rows == first->valid_rows && info->valid_cols == cols)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "source %s is %u x %u of %s in %s, it must be %u x %u of %s in %s",
                      tile_slot_name(op->slot[n]).text, info->valid_rows, info->valid_cols,
                      sim_format_name(info->dtype), sim_layout_name((enum sim_layout)info->layout),
                      first->valid_rows, cols, sim_format_name(dtype),
                      sim_layout_name((enum sim_layout)first->layout));
}

/* B.DATR Layout, when it is there, names the cells that the source has. */
static bool check_layout(struct tile_op *op)
{
    enum sim_layout layout, has = (enum sim_layout)op->source[0]->info.layout;
    unsigned code = op->b->datr.present ? op->b->datr.layout : ISA_TileLayout_NORM;
    if (code == ISA_TileLayout_NORM || (tile_cube_layout(code, &layout) && layout == has))
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY, "B.DATR Layout is %u, the source %s is %s", code,
                      tile_slot_name(op->slot[0]).text, sim_layout_name(has));
}

/* The control word of each PE is legal; its upper half must be zero. */
static bool check_controls(struct tile_op *op,
                           bool (*legal)(struct tile_op *op, unsigned pe, uint64_t control))
{
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        uint64_t control = tile_scalar(op, pe, 0);
        if (!(op->mask & pe_bit(pe)))
            continue;
        if (control >> 32)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "the control word 0x%llx of PE%u: bits 63..32 must be zero",
                              (unsigned long long)control, pe);
        if (!legal(op, pe, control))
            return false;
    }
    return true;
}

/* ---- TPERMUTE: each byte by an index into the cell's row of two sources ---- */

enum { INDICES = 2 };

/* Where byte `byte` of a row comes from. */
struct origin {
    unsigned source;
    uint32_t byte;
};

static struct origin origin_of(const struct tile_info *info, uint32_t byte, uint32_t index)
{
    uint32_t cell = row_bytes(info);
    return (struct origin){index >= cell, byte / cell * cell + index % cell};
}

static bool check_indices(struct tile_op *op, unsigned pe)
{
    struct tile_view index = tile_source_view(op, INDICES, pe);
    const struct tile_info *info = &op->source[0]->info;
    uint32_t limit = 2 * row_bytes(info);
    for (uint32_t row = 0; row < info->valid_rows; row++)
        for (uint32_t byte = 0; byte < valid_bytes(info); byte++) {
            uint32_t value = get_byte(&index, row, byte);
            if (!byte_is_defined(&index, tile_source_fragment(op, INDICES, pe), row, byte))
                return tile_fault(op, FAULT_TILE_LEGALITY, "index (%u, %u) is undefined in PE%u",
                                  row, byte, pe);
            if (value >= limit)
                return tile_fault(op, FAULT_TILE_LEGALITY,
                                  "index (%u, %u) is %u, it must be in 0..%u", row, byte, value,
                                  limit - 1);
            struct origin o = origin_of(info, byte, value);
            struct tile_view from = tile_source_view(op, o.source, pe);
            if (!byte_is_defined(&from, tile_source_fragment(op, o.source, pe), row, o.byte))
                return tile_fault(op, FAULT_TILE_LEGALITY,
                                  "byte %u of row %u of source %s, which index (%u, %u) names, is "
                                  "undefined in PE%u",
                                  o.byte, row, tile_slot_name(op->slot[o.source]).text, row, byte,
                                  pe);
        }
    return true;
}

static bool permute_operands(struct tile_op *op)
{
    const struct tile_info *info = &op->source[0]->info;
    if (!check_like_first(op, 1, info->dtype, info->valid_cols) ||
        !check_like_first(op, INDICES, ISA_DataType_U8, valid_bytes(info)))
        return false;
    for (unsigned n = 0; n <= INDICES; n++)
        if (!check_fragments_exist(op, n))
            return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((op->mask & pe_bit(pe)) && !check_indices(op, pe))
            return false;
    return true;
}

static void permute(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe);
    struct tile_view index = tile_source_view(op, INDICES, pe);
    struct tile_view from[] = {tile_source_view(op, 0, pe), tile_source_view(op, 1, pe)};
    for (uint32_t row = 0; row < to.info->valid_rows; row++)
        for (uint32_t byte = 0; byte < valid_bytes(to.info); byte++) {
            struct origin o = origin_of(to.info, byte, get_byte(&index, row, byte));
            set_byte(&to, row, byte, get_byte(&from[o.source], row, o.byte));
        }
}

/* ---- TSHUF: words from other rows of a segment ---- */

/* Control word: mode, segment code, what a lane outside gives. */
enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum { OUTSIDE_SELF, OUTSIDE_ZERO };
enum { LARGEST_SEGMENT = 4, LANE_BITS = 0x1f };

struct shuffle {
    unsigned mode, segment, outside;
};

static struct shuffle shuffle_of(uint64_t control)
{
    return (struct shuffle){control & 0xff, control >> 8 & 0xff, control >> 16 & 0xff};
}

static bool shuffle_is_legal(struct tile_op *op, unsigned pe, uint64_t control)
{
    struct shuffle s = shuffle_of(control);
    bool wide = op->source[0]->info.layout == SIM_CUBE_M32;
    unsigned most = wide ? LARGEST_SEGMENT : LARGEST_SEGMENT - 1;
    if (s.mode <= SHUFFLE_INDEX && s.segment <= most && s.outside <= OUTSIDE_ZERO)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "the control word 0x%llx of PE%u: mode %u is 0..%d, segment code %u is "
                      "0..%u, boundary %u is 0..%d",
                      (unsigned long long)control, pe, s.mode, SHUFFLE_INDEX, s.segment, most,
                      s.outside, OUTSIDE_ZERO);
}

static bool shuffle_operands(struct tile_op *op)
{
    return check_like_first(op, 1, ISA_DataType_U32, words_of(&op->source[0]->info)) &&
           check_controls(op, shuffle_is_legal) && tile_check_fragments(op, 0, op->mask) &&
           tile_check_fragments(op, 1, op->mask);
}

/* The row that lane `lane` reads, or -1: outside its segment. */
static int lane_of(struct shuffle s, uint32_t lane, uint32_t by)
{
    uint32_t width = 2u << s.segment, base = lane / width * width, local = lane - base;
    switch (s.mode) {
    case SHUFFLE_UP:
        return by > local ? -1 : (int)(lane - by);
    case SHUFFLE_DOWN:
        return local + by >= width ? -1 : (int)(lane + by);
    case SHUFFLE_BUTTERFLY:
        return (local ^ by) >= width ? -1 : (int)(base + (local ^ by));
    default:
        return (int)(base + by % width);
    }
}

static void shuffle(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 0, pe);
    struct tile_view controls = tile_source_view(op, 1, pe);
    struct shuffle s = shuffle_of(tile_scalar(op, pe, 0));
    for (uint32_t row = 0; row < to.info->valid_rows; row++)
        for (uint32_t word = 0; word < words_of(to.info); word++) {
            int lane = lane_of(s, row, get_word(&controls, row, word) & LANE_BITS);
            uint32_t value = 0;
            if (lane >= 0 && (uint32_t)lane < from.info->valid_rows)
                value = get_word(&from, (uint32_t)lane, word);
            else if (s.outside == OUTSIDE_SELF)
                value = get_word(&from, row, word);
            set_word(&to, row, word, value);
        }
}

/* ---- TPACK, TUNPACK: byte fields of words ---- */

/* Control word: TPACK the widths of the two fields, TUNPACK offset and width of one, in bytes. */
static unsigned low_byte(uint64_t control)
{
    return control & 0xff;
}

static unsigned second_byte(uint64_t control)
{
    return control >> 8 & 0xff;
}

static bool pack_is_legal(struct tile_op *op, unsigned pe, uint64_t control)
{
    unsigned left = low_byte(control), right = second_byte(control);
    if (left >= 1 && left < WORD_BYTES && right >= 1 && right < WORD_BYTES &&
        left + right <= WORD_BYTES)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "the control word 0x%llx of PE%u: fields of %u and %u bytes, each has 1..3 "
                      "and both have at most 4",
                      (unsigned long long)control, pe, left, right);
}

static bool pack_operands(struct tile_op *op)
{
    return check_like_first(op, 1, ISA_DataType_U32, op->source[0]->info.valid_cols) &&
           check_controls(op, pack_is_legal) && tile_check_fragments(op, 0, op->mask) &&
           tile_check_fragments(op, 1, op->mask);
}

static uint32_t low_bytes(uint32_t word, unsigned bytes)
{
    return word & (uint32_t)(UINT64_MAX >> (64 - 8 * bytes));
}

static void pack(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), left = tile_source_view(op, 0, pe);
    struct tile_view right = tile_source_view(op, 1, pe);
    uint64_t control = tile_scalar(op, pe, 0);
    for (uint32_t row = 0; row < to.info->valid_rows; row++)
        for (uint32_t word = 0; word < words_of(to.info); word++)
            set_word(&to, row, word,
                     low_bytes(get_word(&left, row, word), low_byte(control)) |
                         low_bytes(get_word(&right, row, word), second_byte(control))
                             << (8 * low_byte(control)));
}

static bool unpack_is_legal(struct tile_op *op, unsigned pe, uint64_t control)
{
    unsigned offset = low_byte(control), count = second_byte(control);
    if (offset < WORD_BYTES && count >= 1 && offset + count <= WORD_BYTES)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "the control word 0x%llx of PE%u: %u bytes from byte %u on are no field of a "
                      "word",
                      (unsigned long long)control, pe, count, offset);
}

static bool unpack_operands(struct tile_op *op)
{
    return check_controls(op, unpack_is_legal) && tile_check_fragments(op, 0, op->mask);
}

static void unpack(struct tile_op *op, unsigned pe)
{
    struct tile_view to = tile_destination_view(op, 0, pe), from = tile_source_view(op, 0, pe);
    uint64_t control = tile_scalar(op, pe, 0);
    for (uint32_t row = 0; row < to.info->valid_rows; row++)
        for (uint32_t word = 0; word < words_of(to.info); word++)
            set_word(&to, row, word,
                     low_bytes(get_word(&from, row, word) >> (8 * low_byte(control)),
                               second_byte(control)));
}

/* ---- what they share ---- */

struct cell_row {
    bool (*operands)(struct tile_op *op);
    void (*fill)(struct tile_op *op, unsigned pe);
};

static const struct cell_row rows[ISA_TILEOP_COUNT] = {
    [ISA_TILEOP_TPERMUTE] = {permute_operands, permute},
    [ISA_TILEOP_TSHUF] = {shuffle_operands, shuffle},
    [ISA_TILEOP_TPACK] = {pack_operands, pack},
    [ISA_TILEOP_TUNPACK] = {unpack_operands, unpack},
};

bool tile_check_cells(struct tile_op *op)
{
    if (!tile_check_grouping(op) || !tile_check_type(op, op->b->data_type))
        return false;
    if (op->row->nscalars && !op->b->ior_present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.IOR with the control word is missing");
    if (!op->row->nscalars && !tile_check_no_scalars(op))
        return false;
    for (unsigned n = 0; op->nsources > INDICES && n < INDICES; n++)
        if (op->slot[n] == op->slot[INDICES])
            return tile_fault(op, FAULT_TILE_LEGALITY, "the indices %s are a data source, too",
                              tile_slot_name(op->slot[INDICES]).text);
    return true;
}

/* The destination has the first source's shape and is reserved before the other operands are
 * looked at. */
bool tile_run_cells(struct tile_op *op)
{
    const struct cell_row *row = &rows[op->row - isa_tileops];
    struct tile_info info;
    uint64_t needed;
    if (!check_cells(op, 0))
        return false;
    info = op->source[0]->info;
    info.capacity = tile_size_code_bytes(op->b->iot[op->b->niot - 1].size_code);
    if (!tile_info_set_cube(&info, &needed))
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%u x %u elements of %s need %llu bytes of whole %s cells, the "
                          "destination has %u",
                          info.valid_rows, info.valid_cols, sim_format_name(info.dtype),
                          (unsigned long long)needed, sim_layout_name((enum sim_layout)info.layout),
                          info.capacity);
    if (!tile_reserve_info(op, &info) || !tile_check_type(op, info.dtype) || !check_layout(op) ||
        !row->operands(op))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe)) {
            row->fill(op, pe);
            tile_new_fragment(op, 0, pe)->defined = TILE_VALID_DEFINED;
        }
    return true;
}
