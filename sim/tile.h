/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tile state and the parts of a tile operation. Included by sim/tile*.c only.
 *
 *   tile_state.c    descriptors, fragments, definedness, allocation
 *   tile_bundle.c   from a complete bundle to one handler, and its commit
 *   tile_move.c     TMOV, GMOV            tile_memory.c  TLOAD, TSTORE
 *   tile_shared.c   Shared transfers      tile_convert.c TMOV with conversion
 *   tile_io.c       tiles by name         tile_vector.c  conformance vectors, JSON
 *   tile_text.c     tiles for a reader    tile_draw.c    tiles as pictures
 *   tile_element.c  elementwise           tile_reduce.c  reductions
 *   tile_expand.c   expansions            tile_cvt.c     TCVT, TQUANT, TDEQUANT
 *   tile_gather.c   MGATHER, MSCATTER, TPREFETCH
 *   tile_arrange.c  TCONCAT … TIMG2COL   tile_generate.c  TCI, TTRI, THISTOGRAM
 *   tile_cube.c     TMATMUL, TGEMV and their forms
 *   tile_sort.c     TSORT, TMRGSORT       tile_view.h     a fragment as rows and columns
 *
 * An operation never writes a tile that the program can see: it fills new
 * fragments, and tile_publish attaches them when nothing can fail any more.
 * A fault therefore has nothing to undo but the reservation of a slot.
 */
#ifndef PTO_SIM_TILE_H
#define PTO_SIM_TILE_H

#include "sim/layout.h"
#include "sim/machine.h"

enum {
    TILE_HANDS = 4,
    TILE_HAND_SLOTS = 16,
    TILE_SLOTS = TILE_HANDS * TILE_HAND_SLOTS,
    TILE_SHARED = 256,
    TILE_CELL_BYTES = 128,
    TILE_POOL_BYTES = 256 * 1024, /* 0.58.3: all tiles of a core together, TILE_CAPACITY */
    TILE_LOCAL_LIMIT = 64 * 1024,
    TILE_SHARED_LIMIT = 256 * 1024,
    TILE_SOURCES = 8,
    TILE_DESTINATIONS = 3,
    TILE_MAX_DIMENSION = 65535,
};

enum tile_storage { TILE_NUMERIC, TILE_PREDICATE };

/* What is known of a tile besides its elements. */
struct tile_info {
    uint8_t dtype;   /* ISA_DataType_… */
    uint8_t layout;  /* enum sim_layout */
    uint8_t storage; /* enum tile_storage */
    uint8_t compact; /* PTO-AS: 0 none, 1 normal, 2 row-plus-one */
    bool matrix;     /* location Matrix (CUBE layouts), else Any */
    uint16_t box_rows, box_cols;
    uint32_t rows, cols; /* physical; CUBE: whole cells */
    uint32_t valid_rows, valid_cols;
    uint32_t capacity; /* bytes a PE */
};

/* Which elements of a fragment hold a value. A rectangle is one word, not a bit an element. */
enum tile_defined {
    TILE_UNDEFINED,
    TILE_VALID_DEFINED, /* exactly the valid region */
    TILE_ALL_DEFINED,   /* every element that fits the capacity */
    TILE_BITS_DEFINED,  /* `bits` says */
};

/* One PE's part of a tile: `capacity` bytes. */
struct tile_fragment {
    uint8_t *bytes;
    uint8_t *bits;   /* TILE_BITS_DEFINED: bit n = storage element n */
    uint8_t defined; /* enum tile_defined */
};

struct tile {
    bool allocated;
    uint8_t mask; /* PEs that have a fragment, PE0 = bit 3 */
    struct tile_info info;
    struct tile_fragment pe[SIM_PES];
};

/* A Shared tile: one payload, cut into four quarters by byte offset, one a PE. */
struct shared_tile {
    bool valid;
    bool published, contents_defined;
    uint8_t mask, init_mask;
    struct tile_info info;
    struct tile_fragment payload;
};

struct tiles {
    struct tile local[TILE_SLOTS];
    struct shared_tile shared[TILE_SHARED];
    struct buffer row; /* scratch of one row */
    /* 0.58.5 naming: the live generations of a hand, newest first. */
    uint8_t newest[TILE_HANDS][TILE_HAND_SLOTS], live[TILE_HANDS];
};

/* ---- state (tile_state.c) ---- */

struct tile_name { /* "T#1", "S17" */
    char text[8];
};
struct tile_name tile_slot_name(unsigned slot);
struct tile_name tile_shared_name(unsigned id);

const struct sim_format *tile_format(const struct tile_info *info);
struct sim_map tile_map(const struct tile_info *info);
/* Elements that the capacity holds. */
uint64_t tile_capacity_elements(const struct tile_info *info);
/* Elements from the first to the last one that the shape can address. */
uint64_t tile_storage_elements(const struct tile_info *info);
/* Physical rows that fill `capacity` exactly (pto-isa shape/rows-columns.asl); 0: no such shape. */
uint32_t tile_derived_rows(uint32_t capacity, uint32_t cols, const struct sim_format *f);
/* Sets layout, its ISA box and location. */
void tile_info_set_layout(struct tile_info *info, enum sim_layout layout);
bool tile_info_equal(const struct tile_info *a, const struct tile_info *b);
/* A CUBE shape of whole cells; false when the type has none or the capacity is too small.
 * *needed is the storage in bytes. */
bool tile_info_set_cube(struct tile_info *info, uint64_t *needed);
uint32_t tile_size_code_bytes(unsigned code);
unsigned tile_mask_population(uint8_t mask);
/* May a generic operation index the tile? False for CUBE and for boxes that do not fit. */
bool tile_indexable(const struct tile_info *info);

void tile_fragment_create(struct sim *s, struct tile_fragment *f, uint32_t capacity);
void tile_fragment_free(struct sim *s, struct tile_fragment *f);
void tile_fragment_copy(struct sim *s, const struct tile_info *info, struct tile_fragment *to,
                        const struct tile_fragment *from); /* payload and definedness */
bool tile_fragment_is_defined(const struct tile_info *info, const struct tile_fragment *f,
                              uint32_t row, uint32_t col);
/* Every element of the valid region has a value. *row, *col: the first that has none. */
bool tile_contents_defined(const struct tile_info *info, const struct tile_fragment *f,
                           uint32_t *row, uint32_t *col);
/* Turns any definedness into bits, so that single elements can be marked. */
void tile_fragment_use_bits(struct sim *s, const struct tile_info *info, struct tile_fragment *f);
void tile_fragment_mark(struct tile_fragment *f, uint64_t element, bool defined);
bool tile_fragment_marked(const struct tile_fragment *f, uint64_t element);
/* Writes the pad value outside the valid region; Null leaves it undefined. */
void tile_pad(struct sim *s, const struct tile_info *info, struct tile_fragment *f,
              enum sim_pad pad);

uint64_t tile_pool_used(const struct sim *s);
/* The lowest slot of a hand that is neither allocated nor in `reserved` (bit n = slot n); by age,
 * the oldest one when none is free. -1: none. */
int tile_free_slot(const struct sim *s, unsigned hand, uint64_t reserved);
/* The slot a source code names under the program's revision; -1: no such generation. */
int tile_source_slot(const struct sim *s, unsigned code);
/* Makes `tile` visible in a free slot; the fragments change owner. */
void tile_attach(struct sim *s, unsigned slot, const struct tile *tile);

/* Names by age follow the slots: input tiles were published in that order. */
void tile_order_by_slot(struct sim *s);

/* ---- names (tile_io.c) ---- */

/* The part that the name means: of a PE with "pe1." in front, else of the first that has one. NULL,
 * or what is wrong. */
const char *tile_find_fragment(const struct sim *s, const char *name, struct tile_info *info,
                               const struct tile_fragment **fragment);

/* ---- text (tile_text.c) ---- */

struct float_value;
double tile_value_of(struct float_value v); /* of a number, not a NaN */

/* ---- one operation (tile_bundle.c) ---- */

struct tile_destination {
    unsigned slot;
    struct tile tile; /* not visible before tile_publish */
};

struct tile_op {
    struct sim *s;
    const struct bundle *b;
    const struct isa_tileop *row;
    uint8_t mask;
    uint8_t nsources, ndestinations;
    uint8_t slot[TILE_SOURCES];
    struct tile *source[TILE_SOURCES];
    struct tile_destination destination[TILE_DESTINATIONS];
};

/* How an operation is done. Rows of one table, by ISA_TILEOP_…. */
struct tile_handler {
    /* For an operation whose checks come in an order of their own: everything. */
    bool (*whole)(struct tile_op *op);
    /* Everything that bindings, attributes and dimensions must satisfy beyond the schema; NULL: no
     * more. Runs before any destination is reserved. */
    bool (*check)(struct tile_op *op);
    /* Checks the operands, then fills the reserved destinations or memory. */
    bool (*run)(struct tile_op *op);
    bool takes_cells; /* CUBE layout codes of B.DATR are its own, not those of a transfer */
};

/* Always false. The message is prefixed with the operation's name. */
bool tile_fault(struct tile_op *op, enum fault_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A memory access failed: kind is ALIGNMENT or PAGE, address the element's. */
bool tile_memory_fault(struct tile_op *op, unsigned pe, uint64_t address, unsigned bytes,
                       enum mem_access access);

/* Value of B.IOR slot n as PE `pe` reads it; 0 without a B.IOR. */
uint64_t tile_scalar(const struct tile_op *op, unsigned pe, unsigned slot);
/* The bundle's data type: B.DATR, else BSTART, else the first source's (DTYPE_NONE). False:
 * reported. */
bool tile_effective_type(struct tile_op *op, unsigned *dtype);
/* Source and destination layout of the bundle's B.DATR code. */
enum sim_layout tile_source_layout(const struct tile_op *op);
enum sim_layout tile_destination_layout(const struct tile_op *op);
/* The CUBE layout that a B.DATR code (ND2M32 … N82ND) loads to or stores from; false: another code. */
bool tile_cube_layout(unsigned code, enum sim_layout *layout);
enum sim_pad tile_pad_value(const struct tile_op *op);

/* The parts of the schema that the dispatcher's order does not fix for every operation. */
bool tile_check_bindings(struct tile_op *op,
                         enum fault_kind kind);                    /* counts, last, B.IOR surplus */
bool tile_check_scalars(struct tile_op *op, enum fault_kind kind); /* B.IOR surplus alone */
/* The same for an operation that takes `consumed` scalars. */
bool tile_check_surplus(struct tile_op *op, unsigned consumed, enum fault_kind kind);
bool tile_check_attributes(struct tile_op *op); /* B.DATR fields of the row */

/* A shape as the dimensions give it: nonzero LBn, else the source's, else Shared's or 1. */
struct tile_shape {
    uint32_t valid_rows, valid_cols, cols;
};
struct tile_shape tile_bundle_shape(const struct tile_op *op, const struct tile_info *source);
/* Slot and pool bytes for the next destination; *capacity from its size code. */
bool tile_reserve_slot(struct tile_op *op, uint32_t *capacity);
/* Takes the reserved slot with this descriptor. */
void tile_add_destination(struct tile_op *op, const struct tile_info *info);
/* Reserves slot and capacity for destination n and gives it a descriptor; no payload yet. */
bool tile_reserve(struct tile_op *op, struct tile_shape shape, unsigned dtype,
                  enum sim_layout layout);
/* The same with a descriptor that the caller has checked itself. */
bool tile_reserve_info(struct tile_op *op, const struct tile_info *info);
/* Fragment of destination n for PE pe, created at first use. */
struct tile_fragment *tile_new_fragment(struct tile_op *op, unsigned n, unsigned pe);
/* The same without zeros in it: the caller writes every byte of the capacity. */
struct tile_fragment *tile_blank_fragment(struct tile_op *op, unsigned n, unsigned pe);
/* Fragment of source n that PE pe reads. Conformance runs keep one payload for all PEs. NULL: the
 * tile has none there. */
const struct tile_fragment *tile_source_fragment(const struct tile_op *op, unsigned n, unsigned pe);
/* Source n is allocated, has fragments for the PEs of `mask`, and is completely defined there. */
bool tile_check_source(struct tile_op *op, unsigned n, uint8_t mask);
/* Destination 0 is what source n is: shape, layout, type, storage. */
bool tile_check_same_shape(struct tile_op *op, unsigned n);
/* Only the last part: the fragments are there and defined. */
bool tile_check_fragments(struct tile_op *op, unsigned n, uint8_t mask);

/* ---- handlers ---- */

bool tile_run_tmov(struct tile_op *op);
bool tile_run_gmov(struct tile_op *op); /* with its own order of checks */
bool tile_run_tload(struct tile_op *op);
bool tile_run_tstore(struct tile_op *op);
bool tile_check_pad_is_zero(struct tile_op *op);  /* TLOAD, TSTORE without a CUBE layout */
bool tile_run_cube_transport(struct tile_op *op); /* layout codes ND2M32 … N82ND */
bool tile_run_shared(
    struct tile_op *op); /* TLOAD and TSTORE with B.IOS, and what is Shared by name */
bool tile_is(const struct tile_op *op, unsigned tileop); /* ISA_TILEOP_… */
bool tile_convert_selected(const struct tile_op *op);    /* TMOV of a tmov-convert object */
bool tile_run_convert(struct tile_op *op);
bool tile_run_matrix(struct tile_op *op);   /* TMATMUL, TGEMV: sim/tile_cube.c */
bool tile_run_indexed(struct tile_op *op);  /* MGATHER, MSCATTER, MASK forms, MGATHER_CAS */
bool tile_run_prefetch(struct tile_op *op); /* TPREFETCH */
bool tile_run_concat(struct tile_op *op);
bool tile_run_extract(struct tile_op *op);
bool tile_run_insert(struct tile_op *op);
bool tile_run_fillpad(struct tile_op *op);
bool tile_run_transpose(struct tile_op *op);
bool tile_run_row_gather(struct tile_op *op);  /* TGATHER */
bool tile_run_row_scatter(struct tile_op *op); /* TSCATTER */
bool tile_run_img2col(struct tile_op *op);
bool tile_check_cells(struct tile_op *op); /* 0.58.5: TPERMUTE, TSHUF, TPACK, TUNPACK */
bool tile_run_cells(struct tile_op *op);
bool tile_check_sequence(struct tile_op *op); /* TCI */
bool tile_run_sequence(struct tile_op *op);
bool tile_check_triangle(struct tile_op *op); /* TTRI */
bool tile_run_triangle(struct tile_op *op);
bool tile_check_histogram(struct tile_op *op);
bool tile_run_histogram(struct tile_op *op);
bool tile_check_sort(struct tile_op *op);
bool tile_run_sort(struct tile_op *op);
bool tile_check_merge(struct tile_op *op); /* TMRGSORT */
bool tile_run_merge(struct tile_op *op);

/* VEC and SFU (sim/tile_element.h says how they share their checks). */
bool tile_check_vector(struct tile_op *op); /* the schema of everything below */
bool tile_run_binary(struct tile_op *op);
bool tile_run_unary(struct tile_op *op);
bool tile_run_fused(struct tile_op *op);
bool tile_check_scalar(struct tile_op *op); /* with the source, which is checked first */
bool tile_run_scalar(struct tile_op *op);
bool tile_check_compare(struct tile_op *op);
bool tile_run_compare(struct tile_op *op);
bool tile_check_select(struct tile_op *op);
bool tile_run_select(struct tile_op *op);
bool tile_run_fill(struct tile_op *op);
bool tile_check_partial(struct tile_op *op);
bool tile_run_partial(struct tile_op *op);
bool tile_check_reduce(struct tile_op *op);
bool tile_run_reduce(struct tile_op *op);
bool tile_check_expand(struct tile_op *op);
bool tile_run_expand(struct tile_op *op);
bool tile_check_cvt(struct tile_op *op);
bool tile_run_cvt(struct tile_op *op);
bool tile_check_quantize(struct tile_op *op); /* TQUANT and TDEQUANT */
bool tile_run_quantize(struct tile_op *op);

#endif
