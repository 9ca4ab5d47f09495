/* SPDX-License-Identifier: BSD-3-Clause */
/* TMOV copies one Local tile; GMOV copies between the PEs of a core. */
#include "sim/tile.h"

bool tile_check_same_shape(struct tile_op *op, unsigned n)
{
    const struct tile_info *d = &op->destination[0].tile.info, *f = &op->source[n]->info;
    const struct {
        const char *what;
        uint32_t destination, source;
    } rows[] = {
        {"physical rows", d->rows, f->rows},
        {"physical columns", d->cols, f->cols},
        {"valid rows", d->valid_rows, f->valid_rows},
        {"valid columns", d->valid_cols, f->valid_cols},
        {"predicate storage", d->storage, f->storage},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].destination != rows[i].source)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "%s of the destination are %u, those of the source %s are %u",
                              rows[i].what, rows[i].destination, tile_slot_name(op->slot[n]).text,
                              rows[i].source);
    if (d->dtype != f->dtype)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the destination's type is %s, the source's %s",
                          sim_format_name(d->dtype), sim_format_name(f->dtype));
    if (d->layout != f->layout || d->box_rows != f->box_rows || d->box_cols != f->box_cols)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination's layout is %s, the source's %s: this operation does "
                          "not convert",
                          sim_layout_name(d->layout), sim_layout_name(f->layout));
    return true;
}

static const struct tile_info *first_source_info(const struct tile_op *op)
{
    return op->nsources && op->source[0] && op->source[0]->allocated ? &op->source[0]->info : NULL;
}

static bool reserve_like_bundle(struct tile_op *op)
{
    unsigned dtype;
    return tile_effective_type(op, &dtype) &&
           tile_reserve(op, tile_bundle_shape(op, first_source_info(op)), dtype,
                        tile_destination_layout(op));
}

bool tile_run_tmov(struct tile_op *op)
{
    if (!reserve_like_bundle(op) || !tile_check_source(op, 0, op->mask) ||
        !tile_check_same_shape(op, 0))
        return false;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            tile_fragment_copy(op->s, &op->source[0]->info, tile_blank_fragment(op, 0, pe),
                               tile_source_fragment(op, 0, pe));
    return true;
}

/* ---- GMOV (asl/block/model/dispatch/tlsu-gmov.asl) ---- */

/* Every PE offers its fragment, whatever the mask: all four must be there and complete. */
static bool check_gmov_source(struct tile_op *op)
{
    const struct tile *t = op->source[0];
    if (t && t->allocated && t->mask != SIM_ALL_PES)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the source %s has fragments in %u of 4 PEs: a collective move needs all "
                          "four ready",
                          tile_slot_name(op->slot[0]).text, tile_mask_population(t->mask));
    return tile_check_source(op, 0, SIM_ALL_PES);
}

static bool check_gmov_operands(struct tile_op *op)
{
    const struct bundle *b = op->b;
    const struct tile_info *f = &op->source[0]->info;
    uint32_t size = tile_size_code_bytes(b->iot[0].size_code);
    if (size != f->capacity)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination has %u bytes a PE (size code %u), the source %s has %u",
                          size, b->iot[0].size_code, tile_slot_name(op->slot[0]).text, f->capacity);
    if (sim_format_of(b->data_type)->bits > 32)
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s elements are wider than 32 bits",
                          sim_format_name(b->data_type));
    if (f->dtype != b->data_type)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the bundle's type is %s, the source's %s",
                          sim_format_name(b->data_type), sim_format_name(f->dtype));
    if (f->layout != tile_destination_layout(op))
        return tile_fault(op, FAULT_TILE_LEGALITY, "the bundle's layout is %s, the source's %s",
                          sim_layout_name(tile_destination_layout(op)), sim_layout_name(f->layout));
    if (f->matrix)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the source %s is a Matrix tile",
                          tile_slot_name(op->slot[0]).text);
    for (unsigned i = 0; i < 3; i++)
        if (b->lb_present[i])
            return tile_fault(op, FAULT_TILE_LEGALITY, "B.DIM LB%u is not taken", i);
    return true;
}

/* A PE that writes nothing still takes part: its peer is checked too. */
static bool check_peers(struct tile_op *op)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (tile_scalar(op, pe, 0) >= SIM_PES)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "peer_tid of PE%u is %llu (R%u), it must be 0..3", pe,
                              (unsigned long long)tile_scalar(op, pe, 0), op->b->ior_source[0]);
    return true;
}

bool tile_run_gmov(struct tile_op *op)
{
    if (op->b->nios)
        return tile_fault(op, FAULT_TILE_LEGALITY, "the operation takes no B.IOS");
    if (op->b->fpatr.present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.FPATR belongs to CUBE operations only");
    if (!tile_check_bindings(op, FAULT_TILE_LEGALITY))
        return false;
    if (op->b->niot != 1)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "source and destination stand in %u B.IOT, they belong in one",
                          op->b->niot);
    if (!tile_check_attributes(op) || !check_gmov_source(op) || !check_gmov_operands(op) ||
        !check_peers(op) || !reserve_like_bundle(op) || !tile_check_same_shape(op, 0))
        return false;
    /* The destination is new, so no peer can be overwritten before it is read. */
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (op->mask & pe_bit(pe))
            tile_fragment_copy(op->s, &op->source[0]->info, tile_blank_fragment(op, 0, pe),
                               tile_source_fragment(op, 0, (unsigned)tile_scalar(op, pe, 0)));
    return true;
}
