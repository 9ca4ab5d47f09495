/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "sim/tile.h"

/* ---- names and shapes ---- */

struct tile_name tile_slot_name(unsigned slot)
{
    struct tile_name n;
    unsigned in_hand = slot % TILE_HAND_SLOTS + 1;
    snprintf(n.text, sizeof n.text, "%c#%u", "TUMN"[slot / TILE_HAND_SLOTS % TILE_HANDS], in_hand);
    return n;
}

struct tile_name tile_shared_name(unsigned id)
{
    struct tile_name n;
    snprintf(n.text, sizeof n.text, "S%u", id % TILE_SHARED);
    return n;
}

const struct sim_format *tile_format(const struct tile_info *info)
{
    return sim_format_of(info->dtype);
}

static uint32_t round_up(uint32_t value, uint32_t quantum)
{
    return (value + quantum - 1) / quantum * quantum;
}

struct sim_map tile_map(const struct tile_info *info)
{
    uint32_t rows = info->rows, cols = info->cols;
    if (info->compact == 1) { /* boxes of the valid region stand without gaps */
        rows = round_up(info->valid_rows, info->box_rows);
        cols = round_up(info->valid_cols, info->box_cols);
    } else if (info->compact == 2) {
        rows++;
    }
    return sim_map_of(info->layout, tile_format(info), info->box_rows, info->box_cols, rows, cols);
}

uint64_t tile_capacity_elements(const struct tile_info *info)
{
    return info->storage == TILE_PREDICATE ? (uint64_t)info->capacity * 8
                                           : (uint64_t)info->capacity * 8 / tile_format(info)->bits;
}

uint64_t tile_storage_elements(const struct tile_info *info)
{
    uint64_t rows = info->rows + (info->compact == 2), cols = info->cols;
    if (sim_layout_boxes_go_across((enum sim_layout)info->layout)) /* whole rows of boxes */
        rows = round_up((uint32_t)rows, info->box_rows);
    return rows * cols;
}

uint32_t tile_derived_rows(uint32_t capacity, uint32_t cols, const struct sim_format *f)
{
    if (!cols || cols > TILE_MAX_DIMENSION || (cols & (cols - 1)))
        return 0;
    uint64_t bits = (uint64_t)capacity * 8, row_bits = (uint64_t)cols * f->bits;
    if (bits % row_bits || bits / row_bits > TILE_MAX_DIMENSION)
        return 0;
    return (uint32_t)(bits / row_bits);
}

bool tile_info_equal(const struct tile_info *a, const struct tile_info *b)
{
    return a->dtype == b->dtype && a->layout == b->layout && a->storage == b->storage &&
           a->compact == b->compact && a->matrix == b->matrix && a->box_rows == b->box_rows &&
           a->box_cols == b->box_cols && a->rows == b->rows && a->cols == b->cols &&
           a->valid_rows == b->valid_rows && a->valid_cols == b->valid_cols &&
           a->capacity == b->capacity;
}

void tile_info_set_layout(struct tile_info *info, enum sim_layout layout)
{
    uint32_t rows, cols;
    sim_layout_box(layout, tile_format(info), &rows, &cols);
    info->layout = layout;
    info->box_rows = (uint16_t)rows;
    info->box_cols = (uint16_t)cols;
    info->matrix = sim_layout_is_cube(layout);
}

bool tile_info_set_cube(struct tile_info *info, uint64_t *needed)
{
    uint32_t rows, cols;
    *needed = 0;
    if (!sim_cube_cell(info->layout, tile_format(info), &rows, &cols) ||
        info->dtype == ISA_DataType_HiF4X2 || !info->valid_rows || !info->valid_cols ||
        (info->layout != SIM_CUBE_N8 && info->valid_rows > rows))
        return false;
    info->rows = round_up(info->valid_rows, rows);
    info->cols = round_up(info->valid_cols, cols);
    *needed = (uint64_t)(info->rows / rows) * (info->cols / cols) * SIM_CUBE_CELL_BYTES;
    return *needed <= info->capacity && info->rows <= TILE_MAX_DIMENSION &&
           info->cols <= TILE_MAX_DIMENSION;
}

uint32_t tile_size_code_bytes(unsigned code)
{
    return (uint32_t)TILE_CELL_BYTES << (code - 1);
}

unsigned tile_mask_population(uint8_t mask)
{
    return (unsigned)__builtin_popcount(mask & SIM_ALL_PES);
}

bool tile_indexable(const struct tile_info *info)
{
    if (sim_layout_is_cube(info->layout))
        return false;
    return info->rows % info->box_rows == 0 && info->cols % info->box_cols == 0;
}

/* ---- fragments ---- */

void tile_fragment_create(struct sim *s, struct tile_fragment *f, uint32_t capacity)
{
    f->bytes = mem_resize(s->mem, NULL, capacity);
    memset(f->bytes, 0, capacity);
    f->bits = NULL;
    f->defined = TILE_UNDEFINED;
}

void tile_fragment_free(struct sim *s, struct tile_fragment *f)
{
    mem_resize(s->mem, f->bytes, 0);
    mem_resize(s->mem, f->bits, 0);
    *f = (struct tile_fragment){0};
}

static size_t bits_bytes(const struct tile_info *info)
{
    return (size_t)(tile_capacity_elements(info) + 7) / 8;
}

void tile_fragment_copy(struct sim *s, const struct tile_info *info, struct tile_fragment *to,
                        const struct tile_fragment *from)
{
    memcpy(to->bytes, from->bytes, info->capacity);
    to->defined = from->defined;
    if (from->defined != TILE_BITS_DEFINED)
        return;
    to->bits = mem_resize(s->mem, to->bits, bits_bytes(info));
    memcpy(to->bits, from->bits, bits_bytes(info));
}

static uint64_t element_of(const struct tile_info *info, uint32_t row, uint32_t col)
{
    if (info->storage == TILE_PREDICATE)
        return (uint64_t)row * info->cols + col;
    struct sim_map map = tile_map(info);
    return sim_map_index(&map, row, col);
}

bool tile_fragment_is_defined(const struct tile_info *info, const struct tile_fragment *f,
                              uint32_t row, uint32_t col)
{
    switch (f->defined) {
    case TILE_ALL_DEFINED:
        return true;
    case TILE_VALID_DEFINED:
        return row < info->valid_rows && col < info->valid_cols;
    case TILE_BITS_DEFINED: {
        uint64_t e = element_of(info, row, col);
        return f->bits[e / 8] >> (e % 8) & 1;
    }
    default:
        return false;
    }
}

bool tile_contents_defined(const struct tile_info *info, const struct tile_fragment *f,
                           uint32_t *row, uint32_t *col)
{
    *row = *col = 0;
    if (f->defined == TILE_VALID_DEFINED || f->defined == TILE_ALL_DEFINED)
        return true;
    for (*row = 0; *row < info->valid_rows; ++*row)
        for (*col = 0; *col < info->valid_cols; ++*col)
            if (!tile_fragment_is_defined(info, f, *row, *col))
                return false;
    return true;
}

void tile_fragment_use_bits(struct sim *s, const struct tile_info *info, struct tile_fragment *f)
{
    if (f->defined == TILE_BITS_DEFINED)
        return;
    size_t size = bits_bytes(info);
    f->bits = mem_resize(s->mem, f->bits, size);
    memset(f->bits, f->defined == TILE_ALL_DEFINED ? 0xff : 0, size);
    bool valid = f->defined == TILE_VALID_DEFINED;
    f->defined = TILE_BITS_DEFINED;
    for (uint32_t row = 0; valid && row < info->valid_rows; row++)
        for (uint32_t col = 0; col < info->valid_cols; col++)
            tile_fragment_mark(f, element_of(info, row, col), true);
}

void tile_fragment_mark(struct tile_fragment *f, uint64_t element, bool defined)
{
    uint8_t bit = (uint8_t)(1u << (element % 8));
    if (defined)
        f->bits[element / 8] |= bit;
    else
        f->bits[element / 8] &= (uint8_t)~bit;
}

bool tile_fragment_marked(const struct tile_fragment *f, uint64_t element)
{
    return f->bits[element / 8] >> (element % 8) & 1;
}

void tile_pad(struct sim *s, const struct tile_info *info, struct tile_fragment *f,
              enum sim_pad pad)
{
    if (pad == SIM_PAD_NULL || (info->rows == info->valid_rows && info->cols == info->valid_cols))
        return;
    const struct sim_format *format = tile_format(info);
    struct sim_map map = tile_map(info);
    uint64_t value = sim_format_pad(format, pad);
    bool whole = f->defined == TILE_VALID_DEFINED || f->defined == TILE_ALL_DEFINED;
    if (!whole)
        tile_fragment_use_bits(s, info, f);
    else if ((uint64_t)info->rows * info->cols == tile_capacity_elements(info))
        f->defined = TILE_ALL_DEFINED;
    else
        tile_fragment_use_bits(s, info, f);
    for (uint32_t row = 0; row < info->rows; row++)
        for (uint32_t col = row < info->valid_rows ? info->valid_cols : 0; col < info->cols;
             col++) {
            uint64_t element = sim_map_index(&map, row, col);
            sim_element_set(format, f->bytes, element, value);
            if (f->defined == TILE_BITS_DEFINED)
                tile_fragment_mark(f, element, true);
        }
}

/* ---- allocation ---- */

void tile_create(struct sim *s)
{
    s->tiles = arena_alloc(s->arena, sizeof *s->tiles);
    buffer_init(&s->tiles->row, s->mem);
}

void tile_destroy(struct sim *s)
{
    if (!s->tiles)
        return;
    for (unsigned i = 0; i < TILE_SLOTS; i++)
        for (unsigned pe = 0; pe < SIM_PES; pe++)
            tile_fragment_free(s, &s->tiles->local[i].pe[pe]);
    for (unsigned i = 0; i < TILE_SHARED; i++)
        tile_fragment_free(s, &s->tiles->shared[i].payload);
    buffer_free(&s->tiles->row);
    s->tiles = NULL;
}

uint64_t tile_pool_used(const struct sim *s)
{
    uint64_t used = 0;
    for (unsigned i = 0; i < TILE_SLOTS; i++) {
        const struct tile *t = &s->tiles->local[i];
        if (t->allocated)
            used += (uint64_t)tile_mask_population(t->mask) * t->info.capacity;
    }
    for (unsigned i = 0; i < TILE_SHARED; i++) {
        const struct shared_tile *t = &s->tiles->shared[i];
        if (t->valid)
            used += (uint64_t)tile_mask_population(t->mask) * t->info.capacity;
    }
    return used;
}

/* 0.58.5 names a tile by its age in its hand, earlier revisions by its absolute slot. */
static bool names_by_age(const struct sim *s)
{
    return s->target.pto > 1u << ISA_REV_0_58_3;
}

int tile_free_slot(const struct sim *s, unsigned hand, uint64_t reserved)
{
    const struct tiles *t = s->tiles;
    for (unsigned i = 0; i < TILE_HAND_SLOTS; i++) {
        unsigned slot = hand * TILE_HAND_SLOTS + i;
        if (!t->local[slot].allocated && !(reserved >> slot & 1))
            return (int)slot;
    }
    for (unsigned i = names_by_age(s) ? t->live[hand] : 0; i > 0; i--)
        if (!(reserved >> t->newest[hand][i - 1] & 1))
            return t->newest[hand][i - 1]; /* the oldest generation retires */
    return -1;
}

int tile_source_slot(const struct sim *s, unsigned code)
{
    if (!names_by_age(s))
        return (int)code;
    unsigned hand = code / TILE_HAND_SLOTS, distance = code % TILE_HAND_SLOTS;
    const struct tiles *t = s->tiles;
    return distance < t->live[hand] ? t->newest[hand][distance] : -1;
}

/* Forgets a generation that its slot's next tile replaces. */
static void retire(struct tiles *t, unsigned hand, unsigned slot)
{
    uint8_t *newest = t->newest[hand];
    for (unsigned i = 0; i < t->live[hand]; i++)
        if (newest[i] == slot) {
            memmove(newest + i, newest + i + 1, t->live[hand] - i - 1u);
            t->live[hand]--;
            return;
        }
}

void tile_attach(struct sim *s, unsigned slot, const struct tile *tile)
{
    struct tiles *t = s->tiles;
    unsigned hand = slot / TILE_HAND_SLOTS;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        tile_fragment_free(s, &t->local[slot].pe[pe]);
    t->local[slot] = *tile;
    t->local[slot].allocated = true;
    retire(t, hand, slot);
    memmove(t->newest[hand] + 1, t->newest[hand], t->live[hand]);
    t->newest[hand][0] = (uint8_t)slot;
    t->live[hand]++;
}

void tile_order_by_slot(struct sim *s)
{
    struct tiles *t = s->tiles;
    for (unsigned hand = 0; hand < TILE_HANDS; hand++) {
        t->live[hand] = 0;
        for (unsigned i = TILE_HAND_SLOTS; i-- > 0;)
            if (t->local[hand * TILE_HAND_SLOTS + i].allocated)
                t->newest[hand][t->live[hand]++] = (uint8_t)(hand * TILE_HAND_SLOTS + i);
    }
}
