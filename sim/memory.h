/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sparse guest memory. Regions say which addresses exist and what may be
 * done there; 4 KiB pages come into being when they are first touched, filled
 * from the region's file bytes and zeros. Nothing is proportional to the size
 * of a region. A page that holds decoded instructions is never cached for
 * stores, so that stores to code are seen.
 */
#ifndef PTO_SIM_MEMORY_H
#define PTO_SIM_MEMORY_H

#include "sim/pe.h"

enum { MEM_PAGE_BITS = 12, MEM_PAGE_SIZE = 1 << MEM_PAGE_BITS };

struct region {
    uint64_t address, size; /* address + size does not wrap, except to exactly 0 */
    const uint8_t *data;    /* first file_size bytes; the rest is zero */
    uint64_t file_size;
    uint8_t access; /* MEM_READ | MEM_WRITE | MEM_EXEC */
};

struct page {
    uint64_t number;
    uint8_t *bytes; /* NULL: free slot of the table */
    bool code;
};

struct memory {
    struct mem *mem;
    struct arena *arena;
    VEC(struct region) regions;
    struct page *pages; /* open addressing by number */
    size_t count, capacity;
    size_t limit;         /* pages that may be touched */
    uint64_t ring2_limit; /* rings 2..15 reach only below it; 0: no limit */
    /* Conformance: code that only fetch sees, at equal addresses preferred over data. */
    struct region overlay;
    bool reservations; /* some PE holds a reservation: no store is cached */
    bool watched;      /* every store is traced: none is cached */
};

struct memory *memory_create(struct mem *m, uint64_t limit);
void memory_destroy(struct memory *m);

/* The data must outlive the memory. Parts that another region already has keep the first one. */
void memory_add_region(struct memory *m, uint64_t address, uint64_t size, const uint8_t *data,
                       uint64_t file_size, uint8_t access);

/* Copies up to `size` instruction bytes from executable memory; returns how many there are. */
size_t memory_fetch(struct memory *m, uint64_t address, uint8_t *bytes, size_t size);
/* Marks the pages under decoded instructions. */
void memory_mark_code(struct memory *m, uint64_t address, uint64_t size);
void memory_unmark_code(struct memory *m, uint64_t page);
/* Is there a mapped byte at `address`, for fetch? */
bool memory_executable(struct memory *m, uint64_t address);
/* Reads without touching pages and without permission; false when not mapped. */
bool memory_peek(const struct memory *m, uint64_t address, void *data, size_t size);
/* Writes whatever the permission; false when not mapped. */
bool memory_poke(struct sim *s, uint64_t address, const void *data, size_t size);

/* {"0x1000": "hex"}: runs of bytes that differ from how the run began. */
json_t *memory_json(const struct sim *s);

/* Forgets what PEs cached of pages. */
void memory_drop_caches(struct sim *s);

#endif
