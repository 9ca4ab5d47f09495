/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a complete bundle to one operation. The order of the checks is that of
 * asl/block/model/dispatch/tile-execution.asl, because it decides which fault
 * a bundle with two faults raises.
 */
#include <stdio.h>
#include <string.h>

#include "sim/tile.h"

static const struct tile_handler handlers[ISA_TILEOP_COUNT] = {
    [ISA_TILEOP_TLOAD] = {.check = tile_check_pad_is_zero, .run = tile_run_tload},
    [ISA_TILEOP_TSTORE] = {.check = tile_check_pad_is_zero, .run = tile_run_tstore},
    [ISA_TILEOP_TMOV] = {.run = tile_run_tmov},
    [ISA_TILEOP_GMOV] = {.whole = tile_run_gmov},
    [ISA_TILEOP_TMOV_L2S_INSERT] = {.whole = tile_run_shared},
    [ISA_TILEOP_TMOV_L2S_PUBLISH] = {.whole = tile_run_shared},
    [ISA_TILEOP_TMOV_S2L_BROADCAST] = {.whole = tile_run_shared},
    [ISA_TILEOP_TMOV_S2L_EXTRACT] = {.whole = tile_run_shared},
    [ISA_TILEOP_TSTORE_SPART] = {.whole = tile_run_shared},

    /* VEC and SFU arithmetic */
    [ISA_TILEOP_TADD] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TSUB] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TMUL] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TDIV] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TREM] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TMAX] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TMIN] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TAND] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TOR] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TXOR] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TSHL] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TSHR] = {.check = tile_check_vector, .run = tile_run_binary},
    [ISA_TILEOP_TABS] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TNOT] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TNEG] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TRELU] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TEXP] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TLOG] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TRECIP] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TSQRT] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TRSQRT] = {.check = tile_check_vector, .run = tile_run_unary},
    [ISA_TILEOP_TFMA] = {.check = tile_check_vector, .run = tile_run_fused},
    [ISA_TILEOP_TADDS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TSUBS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TMULS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TDIVS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TREMS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TMAXS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TMINS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TANDS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TORS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TXORS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TSHLS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TSHRS] = {.check = tile_check_scalar, .run = tile_run_scalar},
    [ISA_TILEOP_TCMP] = {.check = tile_check_compare, .run = tile_run_compare},
    [ISA_TILEOP_TCMPS] = {.check = tile_check_compare, .run = tile_run_compare},
    [ISA_TILEOP_TSEL] = {.check = tile_check_select, .run = tile_run_select},
    [ISA_TILEOP_TSELS] = {.check = tile_check_select, .run = tile_run_select},
    [ISA_TILEOP_TEXPANDS] = {.check = tile_check_vector, .run = tile_run_fill},
    [ISA_TILEOP_TPARTADD] = {.check = tile_check_partial, .run = tile_run_partial},
    [ISA_TILEOP_TPARTMUL] = {.check = tile_check_partial, .run = tile_run_partial},
    [ISA_TILEOP_TPARTMAX] = {.check = tile_check_partial, .run = tile_run_partial},
    [ISA_TILEOP_TPARTMIN] = {.check = tile_check_partial, .run = tile_run_partial},
    [ISA_TILEOP_TROWSUM] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TROWPROD] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TROWMAX] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TROWMIN] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TROWARGMAX] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TROWARGMIN] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TCOLSUM] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TCOLPROD] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TCOLMAX] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TCOLMIN] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TCOLARGMAX] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TCOLARGMIN] = {.check = tile_check_reduce, .run = tile_run_reduce},
    [ISA_TILEOP_TROWEXPAND] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDADD] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDSUB] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDMUL] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDDIV] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDMAX] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDMIN] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TROWEXPANDEXPDIF] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPAND] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDADD] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDSUB] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDMUL] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDDIV] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDMAX] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDMIN] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCOLEXPANDEXPDIF] = {.check = tile_check_expand, .run = tile_run_expand},
    [ISA_TILEOP_TCVT] = {.check = tile_check_cvt, .run = tile_run_cvt},
    [ISA_TILEOP_TQUANT] = {.check = tile_check_quantize, .run = tile_run_quantize},
    [ISA_TILEOP_TDEQUANT] = {.check = tile_check_quantize, .run = tile_run_quantize},

    /* indexed memory, rearrangement, generation, sorting */
    [ISA_TILEOP_TPREFETCH] = {.whole = tile_run_prefetch},
    [ISA_TILEOP_MGATHER] = {.whole = tile_run_indexed},
    [ISA_TILEOP_MSCATTER] = {.whole = tile_run_indexed},
    [ISA_TILEOP_MGATHER_MASK] = {.whole = tile_run_indexed},
    [ISA_TILEOP_MSCATTER_MASK] = {.whole = tile_run_indexed},
    [ISA_TILEOP_MGATHER_CAS] = {.whole = tile_run_indexed},
    [ISA_TILEOP_TCONCAT] = {.run = tile_run_concat},
    [ISA_TILEOP_TEXTRACT] = {.run = tile_run_extract},
    [ISA_TILEOP_TINSERT] = {.run = tile_run_insert},
    [ISA_TILEOP_TFILLPAD] = {.run = tile_run_fillpad},
    [ISA_TILEOP_TTRANS] = {.run = tile_run_transpose},
    [ISA_TILEOP_TGATHER] = {.run = tile_run_row_gather},
    [ISA_TILEOP_TSCATTER] = {.run = tile_run_row_scatter},
    [ISA_TILEOP_TIMG2COL] = {.run = tile_run_img2col},
    [ISA_TILEOP_TPERMUTE] = {.check = tile_check_cells, .run = tile_run_cells, .takes_cells = true},
    [ISA_TILEOP_TSHUF] = {.check = tile_check_cells, .run = tile_run_cells, .takes_cells = true},
    [ISA_TILEOP_TPACK] = {.check = tile_check_cells, .run = tile_run_cells, .takes_cells = true},
    [ISA_TILEOP_TUNPACK] = {.check = tile_check_cells, .run = tile_run_cells, .takes_cells = true},
    [ISA_TILEOP_TCI] = {.check = tile_check_sequence, .run = tile_run_sequence},
    [ISA_TILEOP_TTRI] = {.check = tile_check_triangle, .run = tile_run_triangle},
    [ISA_TILEOP_THISTOGRAM] = {.check = tile_check_histogram, .run = tile_run_histogram},
    [ISA_TILEOP_TSORT] = {.check = tile_check_sort, .run = tile_run_sort},
    [ISA_TILEOP_TMRGSORT] = {.check = tile_check_merge, .run = tile_run_merge},

    /* CUBE */
    [ISA_TILEOP_TMATMUL] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TMATMUL_BIAS] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TMATMUL_ACC] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TMATMUL_MX] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TMATMUL_MX_BIAS] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TMATMUL_MX_ACC] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TGEMV] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TGEMV_BIAS] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TGEMV_ACC] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TGEMV_MX] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TGEMV_MX_BIAS] = {.whole = tile_run_matrix},
    [ISA_TILEOP_TGEMV_MX_ACC] = {.whole = tile_run_matrix},
};

/* ---- faults ---- */

bool tile_fault(struct tile_op *op, enum fault_kind kind, const char *fmt, ...)
{
    char text[sizeof op->s->fault.text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return sim_fault(op->s, op->b->pe, kind, op->b->pc, op->b->pc, "%s: %s", op->row->name, text);
}

bool tile_memory_fault(struct tile_op *op, unsigned pe, uint64_t address, unsigned bytes,
                       enum mem_access access)
{
    const char *what = access == MEM_WRITE ? "store" : "load";
    if (address % bytes)
        return sim_fault(op->s, (int)pe, FAULT_ALIGNMENT, op->b->pc, address,
                         "%s: %s of %u bytes at 0x%llx is not aligned", op->row->name, what, bytes,
                         (unsigned long long)address);
    return sim_fault(op->s, (int)pe, FAULT_PAGE, op->b->pc, address,
                     "%s: %s of %u bytes at 0x%llx: not mapped", op->row->name, what, bytes,
                     (unsigned long long)address);
}

/* ---- what the bundle says ---- */

uint64_t tile_scalar(const struct tile_op *op, unsigned pe, unsigned slot)
{
    if (!op->b->ior_present)
        return 0;
    return op->b->scalar[pe][slot];
}

static bool is_concrete(unsigned dtype)
{
    return sim_format_of(dtype)->klass != SIM_CLASS_NONE;
}

/* The model takes B.DATR's type whenever the command is there; the prose gives it a meaning only
 * where the operation allows the field (docs/decisions.md, "B.DATR DataType"). */
static bool datr_type_counts(const struct tile_op *op)
{
    if (!op->b->datr.present || !is_concrete(op->b->datr.data_type))
        return false;
    return op->s->options.profile == SIM_PROFILE_PTO_V0 ||
           (op->row->datr_fields & ISA_DATR_DATATYPE);
}

bool tile_is(const struct tile_op *op, unsigned tileop)
{
    return op->row == &isa_tileops[tileop];
}

/* Only moves accept DTYPE_NONE at their start. */
static bool accepts_no_type(const struct tile_op *op)
{
    return op->row->datatypes >> ISA_DataType_DTYPE_NONE & 1;
}

bool tile_effective_type(struct tile_op *op, unsigned *dtype)
{
    const struct bundle *b = op->b;
    if (datr_type_counts(op)) {
        *dtype = b->datr.data_type;
        return true;
    }
    if (is_concrete(b->data_type)) {
        *dtype = b->data_type;
        return true;
    }
    if (accepts_no_type(op)) {
        for (unsigned i = 0; i < op->nsources; i++)
            if (op->source[i] && op->source[i]->allocated) {
                *dtype = op->source[i]->info.dtype;
                return true;
            }
        const struct shared_tile *shared =
            b->nios && !b->ios[0].size_code ? &op->s->tiles->shared[b->ios[0].id] : NULL;
        if (shared && shared->valid) {
            *dtype = shared->info.dtype;
            return true;
        }
    }
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "DTYPE_NONE takes the type of the source, and no source is allocated");
}

/* B.DATR layout codes that move between two generic layouts; NORM for the rest. */
struct layout_pair {
    uint8_t from, to;
};
static const struct layout_pair layout_pairs[32] = {
    [ISA_TileLayout_NORM] = {SIM_ROW_MAJOR, SIM_ROW_MAJOR},
    [ISA_TileLayout_ND2DN] = {SIM_ROW_MAJOR, SIM_COLUMN_MAJOR},
    [ISA_TileLayout_ND2ZN] = {SIM_ROW_MAJOR, SIM_ZN},
    [ISA_TileLayout_ND2NZ] = {SIM_ROW_MAJOR, SIM_NZ},
    [ISA_TileLayout_DN2ND] = {SIM_COLUMN_MAJOR, SIM_ROW_MAJOR},
    [ISA_TileLayout_DN2ZN] = {SIM_COLUMN_MAJOR, SIM_ZN},
    [ISA_TileLayout_DN2NZ] = {SIM_COLUMN_MAJOR, SIM_NZ},
    [ISA_TileLayout_ZN2ND] = {SIM_ZN, SIM_ROW_MAJOR},
    [ISA_TileLayout_ZN2DN] = {SIM_ZN, SIM_COLUMN_MAJOR},
    [ISA_TileLayout_ZN2NZ] = {SIM_ZN, SIM_NZ},
    [ISA_TileLayout_NZ2ND] = {SIM_NZ, SIM_ROW_MAJOR},
    [ISA_TileLayout_NZ2DN] = {SIM_NZ, SIM_COLUMN_MAJOR},
    [ISA_TileLayout_NZ2ZN] = {SIM_NZ, SIM_ZN},
};

static const struct layout_pair *bundle_layouts(const struct tile_op *op)
{
    unsigned code = op->b->datr.present ? op->b->datr.layout : ISA_TileLayout_NORM;
    return &layout_pairs[code % 32];
}

enum sim_layout tile_source_layout(const struct tile_op *op)
{
    return bundle_layouts(op)->from;
}

enum sim_layout tile_destination_layout(const struct tile_op *op)
{
    return bundle_layouts(op)->to;
}

enum sim_pad tile_pad_value(const struct tile_op *op)
{
    return op->b->datr.present ? (enum sim_pad)op->b->datr.pad : SIM_PAD_NULL;
}

static bool selects_cube_transport(const struct bundle *b)
{
    enum sim_layout layout;
    return b->datr.present && tile_cube_layout(b->datr.layout, &layout);
}

/* ---- schema ---- */

/* Offsets and positions (natural0, natural1) are scalars by contract; the model reads the
 * dimensions instead (docs/decisions.md, "TEXTRACT"). */
static unsigned consumed_scalars(const struct tile_op *op)
{
    unsigned n = op->row->nscalars;
    for (unsigned i = 0; i < op->row->noperands; i++)
        if (op->s->options.profile == SIM_PROFILE_PTO_V0 &&
            op->row->operands[i].role == ISA_ROLE_SCALAR &&
            strncmp(op->row->operands[i].field, "natural", strlen("natural")) == 0)
            n--;
    return n;
}

bool tile_check_scalars(struct tile_op *op, enum fault_kind kind)
{
    return tile_check_surplus(op, consumed_scalars(op), kind);
}

bool tile_check_surplus(struct tile_op *op, unsigned consumed, enum fault_kind kind)
{
    const struct bundle *b = op->b;
    if (!b->ior_present)
        return true;
    for (unsigned i = consumed; i < SIM_IOR_SOURCES; i++)
        if (b->ior_source[i])
            return tile_fault(op, kind,
                              "B.IOR source %u is R%u, but the operation consumes %u scalar%s: an "
                              "unconsumed source must be zero",
                              i + 1, b->ior_source[i], consumed, consumed == 1 ? "" : "s");
    if (b->ior_destination)
        return tile_fault(op, kind, "B.IOR destination is R%u, it must be zero",
                          b->ior_destination);
    return true;
}

bool tile_check_bindings(struct tile_op *op, enum fault_kind kind)
{
    const struct bundle *b = op->b;
    unsigned destinations = 0;
    for (unsigned i = 0; i < b->niot; i++)
        destinations += b->iot[i].has_destination;
    if (destinations != op->row->ndestinations)
        return tile_fault(op, kind, "B.IOT binds %u destinations, the operation has %u",
                          destinations, op->row->ndestinations);
    if (op->nsources != op->row->nsources)
        return tile_fault(op, kind, "B.IOT binds %u sources, the operation has %u", op->nsources,
                          op->row->nsources);
    if (b->niot && !b->iot[b->niot - 1].last)
        return tile_fault(op, kind, "the last of %u B.IOT lacks `last`", b->niot);
    return tile_check_scalars(op, kind);
}

bool tile_check_attributes(struct tile_op *op)
{
    const struct bundle_datr *d = &op->b->datr;
    if (!d->present)
        return true;
    bool inherits =
        op->s->options.profile != SIM_PROFILE_PTO_V0 && d->data_type == ISA_DataType_DTYPE_NONE;
    const struct {
        const char *name;
        unsigned value, bit;
    } fields[] = {
        {"CMode", d->cmode, ISA_DATR_CMODE},
        {"PadValueOrByteId", d->pad, ISA_DATR_PAD},
        {"Sat", d->sat, ISA_DATR_SAT},
        {"Canonicalize", d->canonicalize, ISA_DATR_CANONICALIZE},
        {"DataType", inherits ? 0 : d->data_type, ISA_DATR_DATATYPE},
        {"RMode", d->rmode, ISA_DATR_RMODE},
        {"Layout", d->layout, ISA_DATR_LAYOUT},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].value && !(op->row->datr_fields & fields[i].bit))
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "B.DATR %s is %u, but the operation takes no %s: it must be 0",
                              fields[i].name, fields[i].value, fields[i].name);
    return true;
}

/* ---- shapes and destinations ---- */

struct tile_shape tile_bundle_shape(const struct tile_op *op, const struct tile_info *source)
{
    const struct bundle *b = op->b;
    const struct tile_info *from = source;
    if (!from && b->nios == 1 && op->s->tiles->shared[b->ios[0].id].valid)
        from = &op->s->tiles->shared[b->ios[0].id].info;
    struct tile_shape shape = {(uint32_t)b->lb[1], (uint32_t)b->lb[0], (uint32_t)b->lb[2]};
    if (!shape.valid_rows)
        shape.valid_rows = from ? from->valid_rows : 1;
    if (!shape.valid_cols)
        shape.valid_cols = from ? from->valid_cols : 1;
    if (!shape.cols)
        shape.cols = from ? from->cols : shape.valid_cols;
    return shape;
}

static const struct bundle_iot *destination_binding(const struct tile_op *op, unsigned n)
{
    for (unsigned i = 0; i < op->b->niot; i++)
        if (op->b->iot[i].has_destination && n-- == 0)
            return &op->b->iot[i];
    return NULL;
}

/* Bytes that the tile in a slot gives back when the next one takes its place (0.58.5). */
static uint64_t retired_bytes(const struct sim *s, unsigned slot)
{
    const struct tile *t = &s->tiles->local[slot];
    return t->allocated ? (uint64_t)tile_mask_population(t->mask) * t->info.capacity : 0;
}

bool tile_reserve_slot(struct tile_op *op, uint32_t *capacity)
{
    const struct bundle_iot *iot = destination_binding(op, op->ndestinations);
    uint64_t reserved = 0, pending = 0;
    for (unsigned i = 0; i < op->ndestinations; i++) {
        reserved |= UINT64_C(1) << op->destination[i].slot;
        pending += (uint64_t)op->destination[i].tile.info.capacity * tile_mask_population(op->mask);
    }
    *capacity = tile_size_code_bytes(iot->size_code);
    int slot = tile_free_slot(op->s, iot->hand, reserved);
    if (slot < 0)
        return tile_fault(op, FAULT_TILE_ALLOCATION, "all %d tiles of hand %c are allocated",
                          TILE_HAND_SLOTS, "TUMN"[iot->hand]);
    uint64_t used = tile_pool_used(op->s) + pending - retired_bytes(op->s, (unsigned)slot);
    uint64_t needed = (uint64_t)*capacity * tile_mask_population(op->mask);
    if (used + needed > TILE_POOL_BYTES)
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%u bytes in each of %u PEs do not fit: %llu of %d bytes are in use",
                          *capacity, tile_mask_population(op->mask), (unsigned long long)used,
                          TILE_POOL_BYTES);
    op->destination[op->ndestinations].slot = (unsigned)slot;
    return true;
}

void tile_add_destination(struct tile_op *op, const struct tile_info *info)
{
    struct tile_destination *d = &op->destination[op->ndestinations++];
    d->tile = (struct tile){.mask = op->mask, .info = *info};
}

bool tile_reserve_info(struct tile_op *op, const struct tile_info *info)
{
    uint32_t capacity;
    if (!tile_reserve_slot(op, &capacity))
        return false;
    tile_add_destination(op, info);
    return true;
}

bool tile_reserve(struct tile_op *op, struct tile_shape shape, unsigned dtype,
                  enum sim_layout layout)
{
    struct tile_info info = {.dtype = (uint8_t)dtype,
                             .cols = shape.cols,
                             .valid_rows = shape.valid_rows,
                             .valid_cols = shape.valid_cols};
    if (!tile_reserve_slot(op, &info.capacity))
        return false;
    const struct sim_format *f = sim_format_of(dtype);
    info.rows = tile_derived_rows(info.capacity, shape.cols, f);
    if (!info.rows)
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "%u physical columns of %s give no row count in %u bytes: the columns "
                          "must be a power of two and a row must fit",
                          shape.cols, sim_format_name(dtype), info.capacity);
    if (shape.valid_rows > info.rows || shape.valid_cols > info.cols)
        return tile_fault(op, FAULT_TILE_ALLOCATION,
                          "the valid region %u x %u exceeds the %u x %u elements of %s that %u "
                          "bytes hold with %u columns",
                          shape.valid_rows, shape.valid_cols, info.rows, info.cols,
                          sim_format_name(dtype), info.capacity, shape.cols);
    tile_info_set_layout(&info, layout);
    tile_add_destination(op, &info);
    return true;
}

struct tile_fragment *tile_new_fragment(struct tile_op *op, unsigned n, unsigned pe)
{
    struct tile *t = &op->destination[n].tile;
    if (!t->pe[pe].bytes)
        tile_fragment_create(op->s, &t->pe[pe], t->info.capacity);
    return &t->pe[pe];
}

struct tile_fragment *tile_blank_fragment(struct tile_op *op, unsigned n, unsigned pe)
{
    struct tile *t = &op->destination[n].tile;
    if (!t->pe[pe].bytes)
        t->pe[pe] = (struct tile_fragment){.bytes = mem_resize(op->s->mem, NULL, t->info.capacity),
                                           .defined = TILE_UNDEFINED};
    return &t->pe[pe];
}

/* ---- sources ---- */

const struct tile_fragment *tile_source_fragment(const struct tile_op *op, unsigned n, unsigned pe)
{
    const struct tile *t = op->source[n];
    for (unsigned i = 0; op->s->conformance && !t->pe[pe].bytes && i < SIM_PES; i++)
        if (t->pe[i].bytes)
            pe = i;
    return t->pe[pe].bytes ? &t->pe[pe] : NULL;
}

bool tile_check_fragments(struct tile_op *op, unsigned n, uint8_t mask)
{
    const struct tile *t = op->source[n];
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        uint32_t row, col;
        if (!(mask & pe_bit(pe)))
            continue;
        const struct tile_fragment *f = tile_source_fragment(op, n, pe);
        if (!f)
            return tile_fault(op, FAULT_TILE_LEGALITY, "source %s has no fragment in PE%u",
                              tile_slot_name(op->slot[n]).text, pe);
        if (!tile_contents_defined(&t->info, f, &row, &col))
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "source %s: element (%u, %u) of its %u x %u valid region is "
                              "undefined in PE%u",
                              tile_slot_name(op->slot[n]).text, row, col, t->info.valid_rows,
                              t->info.valid_cols, pe);
    }
    return true;
}

bool tile_check_source(struct tile_op *op, unsigned n, uint8_t mask)
{
    const struct tile *t = op->source[n];
    if (!t || !t->allocated)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %u, %s, is not allocated", n + 1,
                          tile_slot_name(op->slot[n]).text);
    if (!tile_indexable(&t->info))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "source %s is %s with %u x %u elements, which the operation cannot index",
                          tile_slot_name(op->slot[n]).text, sim_layout_name(t->info.layout),
                          t->info.rows, t->info.cols);
    return tile_check_fragments(op, n, mask);
}

/* ---- dispatch and commit ---- */

static void bind_sources(struct tile_op *op)
{
    for (unsigned i = 0; i < op->b->niot; i++)
        for (unsigned k = 0; k < op->b->iot[i].nsources && op->nsources < TILE_SOURCES; k++) {
            unsigned code = op->b->iot[i].source[k];
            int slot = tile_source_slot(op->s, code);
            op->slot[op->nsources] = (uint8_t)(slot < 0 ? code : (unsigned)slot);
            op->source[op->nsources++] = slot < 0 ? NULL : &op->s->tiles->local[slot];
        }
}

static bool run_in_common_order(struct tile_op *op, const struct tile_handler *h)
{
    if (op->b->nios)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation takes no B.IOS");
    if (op->b->fpatr.present)
        return tile_fault(op, FAULT_BUNDLE, "B.FPATR belongs to CUBE operations only");
    return tile_check_bindings(op, FAULT_BUNDLE) && tile_check_attributes(op) &&
           (!h->check || h->check(op)) && h->run(op);
}

static bool dispatch(struct tile_op *op)
{
    const struct tile_handler *h = &handlers[op->row - isa_tileops];
    if (selects_cube_transport(op->b) && !h->takes_cells && !tile_convert_selected(op))
        return tile_run_cube_transport(op);
    if (h->whole)
        return h->whole(op);
    if (op->b->nios && op->b->klass == BUNDLE_MEMORY)
        return tile_run_shared(op);
    if (tile_convert_selected(op))
        return tile_run_convert(op);
    return run_in_common_order(op, h);
}

static void publish(struct tile_op *op)
{
    for (unsigned i = 0; i < op->ndestinations; i++)
        tile_attach(op->s, op->destination[i].slot, &op->destination[i].tile);
}

static void discard(struct tile_op *op)
{
    for (unsigned i = 0; i < op->ndestinations; i++)
        for (unsigned pe = 0; pe < SIM_PES; pe++)
            tile_fragment_free(op->s, &op->destination[i].tile.pe[pe]);
    if (op->ndestinations)
        sim_fault_undone(op->s, "the reservation of %s was released; nothing was written",
                         tile_slot_name(op->destination[0].slot).text);
}

bool tile_execute_bundle(struct sim *s, const struct bundle *b)
{
    if (!b->niot && !b->nios && b->zero_participation)
        return true; /* mask 0000 is a strict no-op, before every check */
    struct tile_op op = {.s = s, .b = b, .row = b->op};
    op.mask = b->niot ? b->iot[0].mask : b->nios ? b->ios[0].mask : 0;
    bind_sources(&op);
    bool ok = dispatch(&op);
    if (ok)
        publish(&op);
    else
        discard(&op);
    return ok;
}

uint8_t tile_bundle_needs(const struct bundle *b)
{
    if (b->op == &isa_tileops[ISA_TILEOP_TPREFETCH]) /* participation 1111 without a mask */
        return SIM_ALL_PES;
    if (!b->niot && !b->nios)
        return 0;
    if (b->op == &isa_tileops[ISA_TILEOP_GMOV])
        return SIM_ALL_PES;
    return b->niot ? b->iot[0].mask : b->ios[0].mask;
}
