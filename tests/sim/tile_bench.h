/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine with 4 KiB of memory and no code, for tests of one tile bundle at
 * a time. Included by tests/sim/test_tile*.c; include <cmocka.h> first.
 */
#ifndef PTO_TESTS_SIM_TILE_BENCH_H
#define PTO_TESTS_SIM_TILE_BENCH_H

#include <string.h>

#include "sim/memory.h"
#include "sim/tile.h"

enum { BENCH_MEMORY = 4096, BENCH_SHAPE_BYTES = 8192 };

struct bench {
    struct mem mem;
    jmp_buf exhausted;
    struct sim s;
    struct bundle b;
};

static inline void bench_open(struct bench *t)
{
    memset(t, 0, sizeof *t);
    t->mem = mem_default();
    t->mem.on_exhausted = &t->exhausted;
    if (setjmp(t->exhausted))
        fail_msg("out of memory");
    t->s.mem = &t->mem;
    t->s.arena = arena_create(&t->mem);
    t->s.target.pto = 1u << ISA_REV_0_58_3;
    t->s.memory = memory_create(&t->mem, 1 << 20);
    t->s.pes = arena_array(t->s.arena, SIM_PES, sizeof *t->s.pes);
    memory_add_region(t->s.memory, 0, BENCH_MEMORY, NULL, 0, MEM_READ | MEM_WRITE);
    tile_create(&t->s);
}

static inline void bench_close(struct bench *t)
{
    tile_destroy(&t->s);
    memory_destroy(t->s.memory);
    arena_destroy(t->s.arena);
}

/* Starts a bundle of `name`; everything else is absent. */
static inline void bench_start(struct bench *t, const char *name, unsigned dtype)
{
    memset(&t->b, 0, sizeof t->b);
    memset(&t->s.fault, 0, sizeof t->s.fault);
    t->b.op = isa_find_tileop(name, strlen(name));
    assert_non_null(t->b.op);
    t->b.klass = t->b.op->engine == ISA_ENGINE_TLSU ? BUNDLE_MEMORY : BUNDLE_ELEMENT;
    t->b.selector = t->b.op->function;
    t->b.has_data_type = true;
    t->b.data_type = (uint8_t)dtype;
    t->b.datr.data_type = ISA_DataType_DTYPE_NONE;
    t->b.datr.pad = SIM_PAD_NULL;
    t->b.pc = 0x1000;
    t->b.ready = SIM_ALL_PES;
}

/* One B.IOT with `last`. source < 0: none; size 0: no destination. */
static inline void bench_iot(struct bench *t, int source0, int source1, uint8_t mask, int hand,
                             unsigned size)
{
    if (t->b.niot)
        t->b.iot[t->b.niot - 1].last = false;
    struct bundle_iot *iot = &t->b.iot[t->b.niot++];
    *iot = (struct bundle_iot){.last = true, .mask = mask};
    if (source0 >= 0)
        iot->source[iot->nsources++] = (uint8_t)source0;
    if (source1 >= 0)
        iot->source[iot->nsources++] = (uint8_t)source1;
    iot->has_destination = size != 0;
    iot->hand = (uint8_t)hand;
    iot->size_code = (uint8_t)size;
}

static inline void bench_dim(struct bench *t, unsigned n, uint64_t value)
{
    t->b.lb[n] = value;
    t->b.lb_present[n] = true;
}

/* B.DATR with a layout, everything else at the assembler's 0 and DataType to inherit. */
static inline void bench_layout(struct bench *t, unsigned layout)
{
    t->b.datr = (struct bundle_datr){.present = true, .layout = (uint8_t)layout};
}

static inline void bench_ior(struct bench *t, unsigned slot, uint64_t pe0, uint64_t pe1,
                             uint64_t pe2, uint64_t pe3)
{
    uint64_t values[] = {pe0, pe1, pe2, pe3};
    t->b.ior_present = true;
    t->b.ior_source[slot] = (uint8_t)(5 + slot);
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        t->b.scalar[pe][slot] = values[pe];
}

/* An allocated tile; element e of PE p is value + 1000 * p + e, all of its valid region defined. */
static inline struct tile *bench_tile(struct bench *t, unsigned slot, unsigned dtype,
                                      enum sim_layout layout, uint32_t cols, uint32_t valid_rows,
                                      uint32_t valid_cols, uint32_t capacity, uint8_t mask,
                                      uint64_t value)
{
    struct tile tile = {.mask = mask};
    tile.info = (struct tile_info){.dtype = (uint8_t)dtype,
                                   .cols = cols,
                                   .valid_rows = valid_rows,
                                   .valid_cols = valid_cols,
                                   .capacity = capacity};
    tile.info.rows = tile_derived_rows(capacity, cols, sim_format_of(dtype));
    assert_true(tile.info.rows >= valid_rows);
    tile_info_set_layout(&tile.info, layout);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(mask & pe_bit(pe)))
            continue;
        tile_fragment_create(&t->s, &tile.pe[pe], capacity);
        for (uint64_t e = 0; e < tile_capacity_elements(&tile.info); e++)
            sim_element_set(sim_format_of(dtype), tile.pe[pe].bytes, e, value + 1000 * pe + e);
        tile.pe[pe].defined = TILE_VALID_DEFINED;
    }
    tile_attach(&t->s, slot, &tile);
    return &t->s.tiles->local[slot];
}

/* An allocated tile of 8 KiB that holds `rows` by `cols` elements in any layout, all of them
 * defined; what they are is up to the caller. */
static inline struct tile *bench_shape_tile(struct bench *t, unsigned slot, unsigned dtype,
                                            enum sim_layout layout, uint32_t rows, uint32_t cols,
                                            uint8_t mask)
{
    struct tile tile = {.mask = mask};
    uint64_t needed;
    tile.info = (struct tile_info){.dtype = (uint8_t)dtype,
                                   .valid_rows = rows,
                                   .valid_cols = cols,
                                   .capacity = BENCH_SHAPE_BYTES};
    tile_info_set_layout(&tile.info, layout);
    if (sim_layout_is_cube(layout)) {
        assert_true(tile_info_set_cube(&tile.info, &needed));
    } else {
        for (tile.info.cols = 1; tile.info.cols < cols;)
            tile.info.cols *= 2;
        tile.info.rows =
            tile_derived_rows(tile.info.capacity, tile.info.cols, sim_format_of(dtype));
    }
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (mask & pe_bit(pe)) {
            tile_fragment_create(&t->s, &tile.pe[pe], tile.info.capacity);
            tile.pe[pe].defined = TILE_VALID_DEFINED;
        }
    tile_attach(&t->s, slot, &tile);
    return &t->s.tiles->local[slot];
}

static inline void bench_place(struct bench *t, unsigned slot, unsigned pe, uint32_t row,
                               uint32_t col, uint64_t value)
{
    struct tile *tile = &t->s.tiles->local[slot];
    struct sim_map map = tile_map(&tile->info);
    sim_element_set(tile_format(&tile->info), tile->pe[pe].bytes, sim_map_index(&map, row, col),
                    value);
}

static inline void bench_place_everywhere(struct bench *t, unsigned slot, uint32_t row,
                                          uint32_t col, uint64_t value)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (t->s.tiles->local[slot].pe[pe].bytes)
            bench_place(t, slot, pe, row, col, value);
}

static inline uint64_t bench_element(const struct bench *t, unsigned slot, unsigned pe,
                                     uint32_t row, uint32_t col)
{
    const struct tile *tile = &t->s.tiles->local[slot];
    struct sim_map map = tile_map(&tile->info);
    assert_non_null(tile->pe[pe].bytes);
    return sim_element_get(tile_format(&tile->info), tile->pe[pe].bytes,
                           sim_map_index(&map, row, col));
}

enum { BENCH_ROWS = 8, BENCH_COLS = 32 }; /* 128 bytes hold as many of the narrowest type */

static inline unsigned bench_conversion_size(unsigned dtype)
{
    uint64_t bytes = (uint64_t)BENCH_ROWS * BENCH_COLS * sim_format_of(dtype)->bits / 8;
    unsigned code = 1;
    while (tile_size_code_bytes(code) < bytes)
        code++;
    return code;
}

/* A conversion `op` by PE0 of the first elements of BENCH_ROWS rows of BENCH_COLS; the
 * result will be U#1. The caller fills the source that is returned. */
static inline struct tile *bench_start_conversion(struct bench *t, const char *op, unsigned from,
                                                  unsigned to, uint32_t rows, uint32_t cols)
{
    bench_start(t, op, from);
    struct tile *source = bench_tile(t, 0, from, SIM_ROW_MAJOR, BENCH_COLS, rows, cols,
                                     tile_size_code_bytes(bench_conversion_size(from)), 8, 0);
    bench_iot(t, 0, -1, 8, 1, bench_conversion_size(to));
    bench_dim(t, 0, cols);
    bench_dim(t, 1, rows);
    bench_dim(t, 2, BENCH_COLS);
    t->b.datr =
        (struct bundle_datr){.present = true, .data_type = (uint8_t)to, .pad = SIM_PAD_NULL};
    return source;
}

static inline void bench_runs(struct bench *t)
{
    if (!tile_execute_bundle(&t->s, &t->b))
        fail_msg("%s: %s", fault_name(t->s.fault.kind), t->s.fault.text);
}

static inline uint64_t bench_mix(uint64_t sum, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; bytes && i < n; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
    return sum;
}

/* Of every payload and of each PE's status. */
static inline uint64_t bench_checksum(const struct bench *t)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (unsigned slot = 0; slot < TILE_SLOTS; slot++)
        for (unsigned pe = 0; pe < SIM_PES; pe++) {
            const struct tile *tile = &t->s.tiles->local[slot];
            sum = bench_mix(sum, tile->pe[pe].bytes, tile->info.capacity);
        }
    for (unsigned id = 0; id < TILE_SHARED; id++) {
        const struct shared_tile *shared = &t->s.tiles->shared[id];
        sum = bench_mix(sum, shared->payload.bytes, shared->info.capacity);
    }
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        sum = bench_mix(sum, (const uint8_t *)&t->s.pes[pe].core_state,
                        sizeof t->s.pes[pe].core_state);
    return sum;
}

/* The bundle faults, says `text`, and leaves tiles, status and memory as they were. It may be
 * repeated: the machine would keep its first fault. */
static inline void bench_faults(struct bench *t, enum fault_kind kind, const char *text)
{
    static uint8_t before[BENCH_MEMORY], after[BENCH_MEMORY];
    static struct tiles tiles;
    uint64_t used = tile_pool_used(&t->s), sum = bench_checksum(t);
    memset(&t->s.fault, 0, sizeof t->s.fault);
    tiles = *t->s.tiles;
    mem_read(&t->s, 0, before, sizeof before);
    if (tile_execute_bundle(&t->s, &t->b))
        fail_msg("no fault, expected %s: %s", fault_name(kind), text);
    mem_read(&t->s, 0, after, sizeof after);
    if (t->s.fault.kind != kind || !strstr(t->s.fault.text, text))
        fail_msg("%s: %s (expected %s: %s)", fault_name(t->s.fault.kind), t->s.fault.text,
                 fault_name(kind), text);
    assert_memory_equal(before, after, sizeof before);
    assert_memory_equal(tiles.local, t->s.tiles->local, sizeof tiles.local);
    assert_memory_equal(tiles.shared, t->s.tiles->shared, sizeof tiles.shared);
    assert_memory_equal(tiles.newest, t->s.tiles->newest, sizeof tiles.newest);
    assert_memory_equal(tiles.live, t->s.tiles->live, sizeof tiles.live);
    assert_int_equal(tile_pool_used(&t->s), used);
    assert_true(bench_checksum(t) == sum);
}

#endif
