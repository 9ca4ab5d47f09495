/* SPDX-License-Identifier: BSD-3-Clause */
/* One PE's fragment seen as rows and columns, whatever its layout. Included by sim/tile*.c only. */
#ifndef PTO_SIM_TILE_VIEW_H
#define PTO_SIM_TILE_VIEW_H

#include "sim/tile.h"

struct tile_view {
    const struct tile_info *info;
    const struct sim_format *format;
    struct sim_map map;
    uint8_t *bytes;
    uint8_t signs; /* a signed element is shifted left and right by this many bits, others by 0 */
};

static inline struct tile_view tile_view_of(const struct tile_info *info, uint8_t *bytes)
{
    const struct sim_format *f = tile_format(info);
    return (struct tile_view){
        .info = info,
        .format = f,
        .map = tile_map(info),
        .bytes = bytes,
        .signs = f->klass == SIM_CLASS_SIGNED ? (uint8_t)(64 - f->bits) : 0,
    };
}

/* The caller has checked that the PE has a fragment; it does not write to it. */
static inline struct tile_view tile_source_view(const struct tile_op *op, unsigned n, unsigned pe)
{
    return tile_view_of(&op->source[n]->info, tile_source_fragment(op, n, pe)->bytes);
}

static inline struct tile_view tile_destination_view(struct tile_op *op, unsigned n, unsigned pe)
{
    return tile_view_of(&op->destination[n].tile.info, tile_new_fragment(op, n, pe)->bytes);
}

static inline uint64_t tile_view_get(const struct tile_view *v, uint32_t row, uint32_t col)
{
    return sim_element_get(v->format, v->bytes, sim_map_index(&v->map, row, col));
}

/* A signed integer with its sign. */
static inline int64_t tile_view_get_signed(const struct tile_view *v, uint32_t row, uint32_t col)
{
    return (int64_t)(tile_view_get(v, row, col) << v->signs) >> v->signs;
}

static inline void tile_view_set(const struct tile_view *v, uint32_t row, uint32_t col,
                                 uint64_t value)
{
    sim_element_set(v->format, v->bytes, sim_map_index(&v->map, row, col), value);
}

/* Bit of a predicate tile, which is always in row order. */
static inline bool tile_view_bit(const struct tile_view *v, uint32_t row, uint32_t col)
{
    uint64_t bit = (uint64_t)row * v->info->cols + col;
    return v->bytes[bit / 8] >> (bit % 8) & 1;
}

#endif
