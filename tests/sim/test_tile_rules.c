/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of tile bundles, one a row: a legal bundle, one change that breaks it, the kind of the
 * fault, and what the report says, with the resolved numbers. The legal bundle must run; the broken
 * one must leave everything as it was. Rules that other tests of tiles hold are not repeated
 * (asl/block/model/dispatch, asl/tile/model/legality).
 */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "objfile/objfile.h"
#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

#define T(name) ISA_DataType_##name
#define L(name) ISA_TileLayout_##name

enum {
    ALL = SIM_ALL_PES,
    PE0 = 8,
    U_1 = TILE_HAND_SLOTS, /* slot of the result */
    HAND_U = 1,
    M_1 = 2 * TILE_HAND_SLOTS, /* out of the way */
    COLS = 8,
    BYTES = 128, /* size code 1 */
    ROWS = 2,
    VALID = 5,
    SHARED = 7, /* id of the Shared tile */
};

/* ---- legal bundles ---- */

static void operand(struct bench *t, unsigned slot, unsigned dtype)
{
    uint32_t bytes = ROWS * COLS * 8;
    bench_tile(t, slot, dtype, SIM_ROW_MAJOR, COLS, ROWS, VALID, bytes, ALL, 0);
    t->s.tiles->local[slot].info.rows = tile_derived_rows(bytes, COLS, sim_format_of(dtype));
}

static void dimensions(struct bench *t)
{
    bench_dim(t, 0, VALID);
    bench_dim(t, 1, ROWS);
    bench_dim(t, 2, COLS);
}

static void two_operands(struct bench *t, const char *op, unsigned dtype)
{
    operand(t, 0, dtype);
    operand(t, 1, dtype);
    bench_start(t, op, dtype);
    bench_iot(t, 0, 1, ALL, HAND_U, 1);
    dimensions(t);
}

static void sum(struct bench *t)
{
    two_operands(t, "TADD", T(U32));
}

static void quotient(struct bench *t)
{
    two_operands(t, "TDIV", T(U32));
    bench_place(t, 1, 0, 0, 0, 1); /* elements count up from 1000 * PE: only this one is zero */
}

static void union_of_two(struct bench *t)
{
    two_operands(t, "TPARTADD", T(U32));
}

static void comparison(struct bench *t)
{
    two_operands(t, "TCMP", T(U32));
}

static void long_comparison(struct bench *t)
{
    for (unsigned slot = 0; slot < 2; slot++)
        bench_tile(t, slot, T(U8), SIM_ROW_MAJOR, 64, 1, VALID, 2048, ALL, 0);
    bench_start(t, "TCMP", T(U8));
    bench_iot(t, 0, 1, ALL, HAND_U, 2);
    bench_dim(t, 0, VALID);
    bench_dim(t, 2, 64);
}

static void selection(struct bench *t)
{
    comparison(t);
    bench_runs(t);
    bench_start(t, "TSEL", T(U32));
    bench_iot(t, U_1, 0, ALL, HAND_U, 0);
    bench_iot(t, 1, -1, ALL, HAND_U, 1);
    dimensions(t);
}

static void with_scalar(struct bench *t)
{
    operand(t, 0, T(U32));
    bench_start(t, "TADDS", T(U32));
    bench_iot(t, 0, -1, ALL, HAND_U, 1);
    bench_ior(t, 0, 1, 2, 3, 4);
    dimensions(t);
}

static void scalar_of_tf32(struct bench *t)
{
    operand(t, 0, T(TF32));
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        memset(t->s.tiles->local[0].pe[pe].bytes, 0, t->s.tiles->local[0].info.capacity);
    bench_start(t, "TADDS", T(TF32));
    bench_iot(t, 0, -1, ALL, HAND_U, 1);
    bench_ior(t, 0, 0x3f802000, 0, 0, 0);
    dimensions(t);
}

static void conversion(struct bench *t)
{
    bench_start_conversion(t, "TCVT", T(S32), T(FP32), 4, 5);
}

static void dequantisation(struct bench *t)
{
    bench_start_conversion(t, "TDEQUANT", T(S8), T(FP32), 4, 5);
    t->b.datr.pad = 0;
}

static void expansion(struct bench *t)
{
    operand(t, 0, T(FP16));
    bench_tile(t, 1, T(FP16), SIM_ROW_MAJOR, 1, ROWS, 1, BYTES, ALL, 0);
    bench_start(t, "TROWEXPANDEXPDIF", T(FP16));
    bench_iot(t, 0, 1, ALL, HAND_U, 1);
    dimensions(t);
}

static void sequence(struct bench *t)
{
    bench_start(t, "TCI", T(U32));
    bench_iot(t, -1, -1, ALL, HAND_U, 1);
    bench_dim(t, 0, 8);
    bench_dim(t, 2, 8);
}

static void triangle(struct bench *t)
{
    bench_start(t, "TTRI", T(U32));
    bench_iot(t, -1, -1, ALL, HAND_U, 1);
    dimensions(t);
}

static void histogram(struct bench *t)
{
    operand(t, 0, T(U16));
    bench_tile(t, 1, T(U8), SIM_ROW_MAJOR, 1, ROWS, 1, BYTES, ALL, 0);
    bench_start(t, "THISTOGRAM", T(U16));
    bench_iot(t, 0, 1, ALL, HAND_U, 5);
    t->b.datr = (struct bundle_datr){.present = true, .data_type = T(U32)};
}

static void merge(struct bench *t)
{
    for (unsigned slot = 0; slot < 2; slot++)
        bench_tile(t, slot, T(FP16), SIM_ROW_MAJOR, COLS, 1, VALID, BYTES, PE0, 1);
    bench_start(t, "TMRGSORT", T(FP16));
    bench_iot(t, 0, 1, PE0, HAND_U, 1);
}

/* As many columns as a tile can have. */
static void long_merge(struct bench *t)
{
    enum { HALF = 16384 };
    for (unsigned slot = 0; slot < 2; slot++) {
        struct tile *tile =
            bench_tile(t, slot, T(FP16), SIM_ROW_MAJOR, 2 * HALF, 1, HALF, 4 * HALF, PE0, 0);
        memset(tile->pe[0].bytes, 0, 4 * HALF);
    }
    bench_start(t, "TMRGSORT", T(FP16));
    bench_iot(t, 0, 1, PE0, HAND_U, 10);
}

static void sort(struct bench *t)
{
    bench_tile(t, 0, T(FP16), SIM_ROW_MAJOR, COLS, 1, VALID, BYTES, PE0, 1);
    bench_start(t, "TSORT", T(FP16));
    bench_iot(t, 0, -1, PE0, HAND_U, 1);
    bench_iot(t, -1, -1, PE0, HAND_U, 2);
}

/* Rows 0, 1 of a source by an index tile of zeros and ones. */
static void rows_by_index(struct bench *t, const char *op)
{
    operand(t, 0, T(U32));
    operand(t, 1, T(U32));
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        for (uint32_t i = 0; i < ROWS * VALID; i++)
            bench_place(t, 1, pe, i / VALID, i % VALID, i / VALID);
    bench_start(t, op, T(U32));
    bench_iot(t, 0, 1, ALL, HAND_U, 1);
    dimensions(t);
}

static void row_gather(struct bench *t)
{
    rows_by_index(t, "TGATHER");
}

static void row_scatter(struct bench *t)
{
    rows_by_index(t, "TSCATTER");
}

static void concatenation(struct bench *t)
{
    operand(t, 0, T(U32));
    operand(t, 1, T(U32));
    bench_start(t, "TCONCAT", T(U32));
    bench_iot(t, 0, 1, ALL, HAND_U, 1);
    bench_dim(t, 0, 2 * VALID);
    bench_dim(t, 1, ROWS);
    bench_dim(t, 2, 2 * COLS);
}

static void transposition(struct bench *t)
{
    operand(t, 0, T(U32));
    bench_start(t, "TTRANS", T(U32));
    bench_iot(t, 0, -1, ALL, HAND_U, 1);
    bench_dim(t, 0, ROWS);
    bench_dim(t, 1, VALID);
    bench_dim(t, 2, 4);
}

static void load(struct bench *t)
{
    bench_start(t, "TLOAD", T(U32));
    bench_iot(t, -1, -1, ALL, HAND_U, 1);
    bench_ior(t, 0, 0x100, 0x200, 0x300, 0x400);
    bench_layout(t, L(NORM));
    dimensions(t);
    t->b.ior_present = true;
    bench_ior(t, 1, 32, 32, 32, 32);
}

static void store(struct bench *t)
{
    operand(t, 0, T(U32));
    bench_start(t, "TSTORE", T(U32));
    bench_iot(t, 0, -1, ALL, 0, 0);
    bench_ior(t, 0, 0x100, 0x200, 0x300, 0x400);
    bench_layout(t, L(NORM));
}

static void cube_load(struct bench *t)
{
    bench_start(t, "TLOAD", T(U32));
    bench_iot(t, -1, -1, ALL, HAND_U, 5);
    bench_ior(t, 0, 0x100, 0x200, 0x300, 0x400);
    bench_layout(t, L(ND2M16));
    t->b.datr.data_type = T(DTYPE_NONE);
    bench_dim(t, 0, VALID);
    bench_dim(t, 1, ROWS);
}

static void cube_store(struct bench *t)
{
    cube_load(t);
    bench_runs(t);
    bench_start(t, "TSTORE", T(U32));
    bench_iot(t, U_1, -1, ALL, 0, 0);
    bench_ior(t, 0, 0x100, 0x200, 0x300, 0x400);
    bench_layout(t, L(M162ND));
    t->b.datr.data_type = T(DTYPE_NONE);
    bench_dim(t, 0, VALID);
    bench_dim(t, 1, ROWS);
}

static void move(struct bench *t)
{
    operand(t, 0, T(U32));
    bench_start(t, "TMOV", T(DTYPE_NONE));
    bench_iot(t, 0, -1, ALL, HAND_U, 1);
}

static void exchange(struct bench *t)
{
    operand(t, 0, T(U32));
    bench_start(t, "GMOV", T(U32));
    bench_iot(t, 0, -1, ALL, HAND_U, 1);
    bench_ior(t, 0, 1, 0, 3, 2);
}

static void indexed_load(struct bench *t)
{
    bench_tile(t, 0, T(U32), SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 0);
    for (uint32_t i = 0; i < 4; i++)
        bench_place(t, 0, 0, 0, i, 4 * i);
    bench_start(t, "MGATHER", T(U32));
    bench_iot(t, 0, -1, PE0, HAND_U, 1);
    bench_dim(t, 0, 4);
    bench_ior(t, 0, 0x100, 0, 0, 0);
}

static void indexed_store(struct bench *t)
{
    indexed_load(t);
    bench_tile(t, 1, T(U32), SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 50);
    bench_start(t, "MSCATTER", T(U32));
    bench_iot(t, 1, 0, PE0, 0, 0);
    bench_dim(t, 0, 4);
    bench_ior(t, 0, 0x100, 0, 0, 0);
}

static void swap(struct bench *t)
{
    indexed_load(t);
    for (unsigned slot = 1; slot < 3; slot++)
        bench_tile(t, slot, T(U32), SIM_ROW_MAJOR, 4, 1, 4, BYTES, PE0, 0);
    bench_start(t, "MGATHER_CAS", T(U32));
    bench_iot(t, 0, 1, PE0, HAND_U, 0);
    bench_iot(t, 2, -1, PE0, HAND_U, 1);
    bench_dim(t, 0, 4);
    bench_ior(t, 0, 0x100, 0, 0, 0);
}

static void prefetch(struct bench *t)
{
    bench_start(t, "TPREFETCH", T(U32));
    bench_ior(t, 0, 0x100, 0x100, 0x100, 0x100);
    bench_dim(t, 0, 4);
}

static void product(struct bench *t)
{
    bench_shape_tile(t, 0, T(FP32), SIM_CUBE_M16, 2, 2, ALL);
    bench_shape_tile(t, 1, T(FP32), SIM_CUBE_N8, 2, 2, ALL);
    bench_start(t, "TMATMUL", T(FP32));
    t->b.klass = BUNDLE_MATRIX;
    t->b.fpatr.present = true;
    bench_iot(t, 0, 1, ALL, HAND_U, 4);
    for (unsigned i = 0; i < 3; i++)
        bench_dim(t, i, 2);
}

/* ---- Shared ---- */

static void bind_shared(struct bench *t, unsigned size, uint8_t mask)
{
    t->b.ios[t->b.nios++] =
        (struct bundle_ios){.id = SHARED, .mask = mask, .size_code = (uint8_t)size};
}

static void shared_load(struct bench *t)
{
    bench_start(t, "TLOAD", T(U32));
    bind_shared(t, 1, ALL);
    bench_ior(t, 0, 0x100, 0x100, 0x100, 0x100);
    bench_ior(t, 1, 32, 32, 32, 32);
    bench_layout(t, L(NORM));
    bench_dim(t, 0, VALID);
    bench_dim(t, 1, 4);
    bench_dim(t, 2, COLS);
}

/* After a Shared load of 4 x 5 in 8 columns. */
static void shared_store(struct bench *t)
{
    shared_load(t);
    bench_runs(t);
    bench_start(t, "TSTORE", T(U32));
    bind_shared(t, 0, ALL);
    bench_ior(t, 0, 0x800, 0x800, 0x800, 0x800);
    bench_ior(t, 1, 32, 32, 32, 32);
    bench_layout(t, L(NORM));
}

/* The quarter of PE0 alone: a row of 32 bytes. */
static void shared_part_store(struct bench *t)
{
    shared_store(t);
    t->b.op = isa_find_tileop("TSTORE.SPART", strlen("TSTORE.SPART"));
    t->b.ios[0].mask = PE0;
}

static void shared_reload(struct bench *t)
{
    shared_load(t);
    bench_runs(t);
    shared_load(t);
}

static void to_shared(struct bench *t, const char *op, uint8_t mask)
{
    operand(t, 0, T(U32));
    bench_start(t, op, T(U32));
    bench_iot(t, 0, -1, mask, 0, 0);
    bind_shared(t, 1, mask);
}

static void insertion(struct bench *t)
{
    to_shared(t, "TMOV.L2S.INSERT", ALL);
}

/* A quarter of a tile that stands there already. */
static void publication(struct bench *t)
{
    to_shared(t, "TMOV.L2S.INSERT", ALL);
    bench_runs(t);
    to_shared(t, "TMOV.L2S.PUBLISH", PE0);
}

static void broadcast(struct bench *t)
{
    shared_load(t);
    bench_runs(t);
    bench_start(t, "TMOV.S2L.BROADCAST", T(U32));
    bind_shared(t, 0, ALL);
    bench_iot(t, -1, -1, ALL, HAND_U, 1);
}

static void broadcast_of_half(struct bench *t)
{
    broadcast(t);
    bench_dim(t, 1, 2);
}

/* ---- moves that convert ---- */

static const struct object converting = {.identity = {.extensions = "tmov-convert"}};

static void converting_move(struct bench *t)
{
    t->s.program = &converting;
    bench_tile(t, 0, T(S32), SIM_ROW_MAJOR, 8, 16, 8, 512, ALL, 0);
    bench_tile(t, 1, T(U64), SIM_ROW_MAJOR, 8, 1, 8, BYTES, ALL, 0);
    bench_start(t, "TMOV", T(DTYPE_NONE));
    bench_layout(t, L(ND2NZ));
    t->b.datr.data_type = T(DTYPE_NONE);
    bench_iot(t, 0, -1, ALL, HAND_U, 3);
    bench_dim(t, 0, 8);
    bench_dim(t, 1, 16);
    bench_dim(t, 2, 8);
}

/* S32 to S8 by a parameter tile. */
static void quantising_move(struct bench *t)
{
    converting_move(t);
    bench_layout(t, L(NORM));
    t->b.datr.data_type = T(S8);
    t->b.fpatr.present = true;
    t->b.fpatr.pre_quant_mode = ISA_PreQuantMode_VREQ8;
    t->b.iot[0].source[1] = 1;
    t->b.iot[0].nsources = 2;
}

/* ---- changes ---- */

typedef void change_fn(struct bench *t, uint64_t a, uint64_t b);

static void set_dimension(struct bench *t, uint64_t n, uint64_t value)
{
    bench_dim(t, (unsigned)n, value);
}

static void drop_dimension(struct bench *t, uint64_t n, uint64_t unused)
{
    (void)unused;
    t->b.lb[n] = 0;
    t->b.lb_present[n] = false;
}

static void set_type(struct bench *t, uint64_t dtype, uint64_t unused)
{
    (void)unused;
    t->b.data_type = (uint8_t)dtype;
}

enum { CMODE, PAD, SAT, CANONICALIZE, DATA_TYPE, RMODE, LAYOUT };

/* A B.DATR that was not there appears with all its fields zero. */
static void set_attribute(struct bench *t, uint64_t field, uint64_t value)
{
    struct bundle_datr *d = &t->b.datr;
    if (!d->present)
        *d = (struct bundle_datr){.present = true, .data_type = T(DTYPE_NONE)};
    uint8_t v = (uint8_t)value;
    switch (field) {
    case CMODE:
        d->cmode = v;
        break;
    case PAD:
        d->pad = v;
        break;
    case SAT:
        d->sat = v;
        break;
    case CANONICALIZE:
        d->canonicalize = v;
        break;
    case DATA_TYPE:
        d->data_type = v;
        break;
    case RMODE:
        d->rmode = v;
        break;
    default:
        d->layout = v;
    }
}

static void model_attribute(struct bench *t, uint64_t field, uint64_t value)
{
    t->s.options.profile = SIM_PROFILE_PTO_V0;
    set_attribute(t, field, value);
}

static void model_rectangle(struct bench *t, uint64_t rows, uint64_t columns)
{
    t->s.options.profile = SIM_PROFILE_PTO_V0;
    bench_dim(t, 0, columns);
    bench_dim(t, 1, rows);
    bench_dim(t, 2, columns);
}

static void no_attributes(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    t->b.datr.present = false;
}

static void fixed_point(struct bench *t, uint64_t mode, uint64_t relu)
{
    t->b.fpatr.present = true;
    t->b.fpatr.pre_quant_mode = (uint8_t)mode;
    t->b.fpatr.relu_mode = (uint8_t)relu;
}

static void bind_shared_too(struct bench *t, uint64_t size, uint64_t unused)
{
    (void)unused;
    bind_shared(t, (unsigned)size, ALL);
}

static void bind_local_too(struct bench *t, uint64_t source, uint64_t size)
{
    bench_iot(t, (int)source, -1, ALL, HAND_U, (unsigned)size);
}

static void bind_nothing(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    bench_iot(t, -1, -1, t->b.iot[0].mask, HAND_U, 0);
}

static void shared_size(struct bench *t, uint64_t size, uint64_t unused)
{
    (void)unused;
    t->b.ios[0].size_code = (uint8_t)size;
}

static void shared_mask(struct bench *t, uint64_t mask, uint64_t unused)
{
    (void)unused;
    t->b.ios[0].mask = (uint8_t)mask;
    if (t->b.niot)
        t->b.iot[0].mask = (uint8_t)mask;
}

static void no_last(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    t->b.iot[t->b.niot - 1].last = false;
}

static void other_mask(struct bench *t, uint64_t binding, uint64_t mask)
{
    t->b.iot[binding].mask = (uint8_t)mask;
}

/* The sources of the only B.IOT in two of them. */
static void two_bindings(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    struct bundle_iot second = t->b.iot[0];
    t->b.iot[0].nsources = 1;
    t->b.iot[0].has_destination = t->b.iot[0].last = false;
    second.source[0] = second.source[1];
    second.nsources--;
    t->b.iot[t->b.niot++] = second;
}

/* The destination in the first of the two that TSEL has, a source moved to the second. */
static void destination_first(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    struct bundle_iot first = t->b.iot[0];
    t->b.iot[0] = t->b.iot[1];
    t->b.iot[1] = first;
    t->b.iot[0].last = false;
    t->b.iot[1].last = true;
}

/* From the second B.IOT to the first. */
static void destination_moved(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    t->b.iot[0].has_destination = true;
    t->b.iot[0].size_code = t->b.iot[1].size_code;
    t->b.iot[1].has_destination = false;
}

static void size_code(struct bench *t, uint64_t binding, uint64_t size)
{
    t->b.iot[binding].size_code = (uint8_t)size;
}

static void cells_in(struct bench *t, uint64_t layout, uint64_t size)
{
    t->b.datr.layout = (uint8_t)layout;
    t->b.iot[0].size_code = (uint8_t)size;
}

static void source_slot(struct bench *t, uint64_t n, uint64_t slot)
{
    t->b.iot[0].source[n] = (uint8_t)slot;
}

static void no_scalars(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    t->b.ior_present = false;
}

static void scalar(struct bench *t, uint64_t slot, uint64_t value)
{
    bench_ior(t, (unsigned)slot, value, value, value, value);
}

static void scalar_destination(struct bench *t, uint64_t r, uint64_t unused)
{
    (void)unused;
    t->b.ior_destination = (uint8_t)r;
}

static struct tile_info *info_of(struct bench *t, uint64_t slot)
{
    return &t->s.tiles->local[slot].info;
}

static void tile_type(struct bench *t, uint64_t slot, uint64_t dtype)
{
    info_of(t, slot)->dtype = (uint8_t)dtype;
}

static void tile_layout(struct bench *t, uint64_t slot, uint64_t layout)
{
    tile_info_set_layout(info_of(t, slot), (enum sim_layout)layout);
}

static void tile_predicates(struct bench *t, uint64_t slot, uint64_t unused)
{
    (void)unused;
    info_of(t, slot)->storage = TILE_PREDICATE;
}

static void tile_matrix(struct bench *t, uint64_t slot, uint64_t unused)
{
    (void)unused;
    info_of(t, slot)->matrix = true;
}

static void tile_rows(struct bench *t, uint64_t slot, uint64_t rows)
{
    info_of(t, slot)->rows = (uint32_t)rows;
}

static void tile_valid_rows(struct bench *t, uint64_t slot, uint64_t rows)
{
    info_of(t, slot)->valid_rows = (uint32_t)rows;
}

static void tile_valid_columns(struct bench *t, uint64_t slot, uint64_t columns)
{
    info_of(t, slot)->valid_cols = (uint32_t)columns;
}

static void unallocate(struct bench *t, uint64_t slot, uint64_t unused)
{
    (void)unused;
    t->s.tiles->local[slot].allocated = false;
}

static void undefine(struct bench *t, uint64_t slot, uint64_t pe)
{
    t->s.tiles->local[slot].pe[pe].defined = TILE_UNDEFINED;
}

static void no_fragment(struct bench *t, uint64_t slot, uint64_t pe)
{
    tile_fragment_free(&t->s, &t->s.tiles->local[slot].pe[pe]);
    t->s.tiles->local[slot].mask &= (uint8_t)~pe_bit((unsigned)pe);
}

static void element(struct bench *t, uint64_t slot, uint64_t value)
{
    bench_place(t, (unsigned)slot, 0, 0, 0, value);
}

static void full_pool(struct bench *t, uint64_t bytes, uint64_t unused)
{
    (void)unused;
    struct tile *tile = bench_tile(t, M_1, T(U8), SIM_ROW_MAJOR, 8, 1, 1, (uint32_t)bytes, ALL, 0);
    assert_non_null(tile);
}

static void full_hand(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    for (unsigned i = 0; i < TILE_HAND_SLOTS; i++)
        if (!t->s.tiles->local[U_1 + i].allocated)
            bench_tile(t, U_1 + i, T(U8), SIM_ROW_MAJOR, 8, 1, 1, 128, PE0, 0);
}

static struct shared_tile *shared(struct bench *t)
{
    return &t->s.tiles->shared[SHARED];
}

static void shared_unpublished(struct bench *t, uint64_t a, uint64_t b)
{
    (void)a, (void)b;
    shared(t)->published = false;
}

static void shared_quarters(struct bench *t, uint64_t allocated, uint64_t initialised)
{
    shared(t)->mask = (uint8_t)allocated;
    shared(t)->init_mask = (uint8_t)initialised;
}

/* ---- rules ---- */

typedef void legal_fn(struct bench *t);

struct rule {
    legal_fn *legal;
    change_fn *change;
    uint64_t a, b;
    enum fault_kind kind;
    const char *text;
};

#define LEGALITY   FAULT_TILE_LEGALITY
#define ALLOCATION FAULT_TILE_ALLOCATION

static const struct rule rules[] = {
    /* what all operations in the common order refuse (tile-execution.asl) */
    {sum, bind_shared_too, 0, 0, LEGALITY, "the operation takes no B.IOS"},
    {sum, fixed_point, 0, 0, FAULT_BUNDLE, "B.FPATR belongs to CUBE operations only"},
    {sum, no_last, 0, 0, FAULT_BUNDLE, "the last of 1 B.IOT lacks `last`"},
    {sum, set_attribute, CMODE, 1, LEGALITY, "B.DATR CMode is 1"},
    {sum, set_attribute, SAT, 1, LEGALITY, "B.DATR Sat is 1"},
    {sum, set_attribute, CANONICALIZE, 1, LEGALITY, "B.DATR Canonicalize is 1"},
    {sum, set_attribute, LAYOUT, L(ND2NZ), LEGALITY, "B.DATR Layout is 4"},
    {sum, scalar, 0, 1, FAULT_BUNDLE, "B.IOR source 1 is R5, but the operation consumes 0 scalars"},
    {with_scalar, scalar, 1, 1, FAULT_BUNDLE,
     "source 2 is R6, but the operation consumes 1 scalar:"},
    {with_scalar, scalar_destination, 9, 0, FAULT_BUNDLE, "B.IOR destination is R9"},

    /* operands, masks, dimensions, types (tile-schema.asl) */
    {sum, two_bindings, 0, 0, LEGALITY, "2 B.IOT bind the operands, it takes 1"},
    {selection, destination_first, 0, 0, LEGALITY,
     "B.IOT 1 binds 1 sources, it takes 2; the destination stands in the last"},
    {selection, other_mask, 0, PE0, LEGALITY, "B.IOT 2 has another mask than the first"},
    {sum, drop_dimension, 0, 0, LEGALITY, "B.DIM LB0, the valid columns, is missing"},
    {sum, set_dimension, 1, 0, LEGALITY, "B.DIM LB1 is 0, it must be 1..65535"},
    {sum, set_dimension, 2, 65536, LEGALITY, "B.DIM LB2 is 65536, it must be 1..65535"},
    {sum, set_dimension, 0, VALID - 1, LEGALITY,
     "valid columns of the destination are 4, those of the source T#1 are 5"},
    {sum, set_type, T(HiF8), 0, LEGALITY, "elements of type HiF8 are not taken"},
    {sum, tile_type, 1, T(S32), LEGALITY, "the destination's type is U32, the source's S32"},
    {sum, tile_predicates, 1, 0, LEGALITY, "source T#2 holds predicates, not numbers"},
    {sum, tile_layout, 1, SIM_COLUMN_MAJOR, LEGALITY,
     "source T#2 is ColumnMajor, it must be RowMajor"},
    {sum, tile_layout, 0, SIM_NZ, LEGALITY, "source T#1 is NZ with 4 x 8 elements"},
    {sum, unallocate, 1, 0, LEGALITY, "source 2, T#2, is not allocated"},
    {sum, undefine, 1, 2, LEGALITY, "element (0, 0) of its 2 x 5 valid region is undefined in PE2"},
    {sum, no_fragment, 0, 3, LEGALITY, "source T#1 has no fragment in PE3"},
    {sum, full_hand, 0, 0, ALLOCATION, "all 16 tiles of hand U are allocated"},
    {sum, full_pool, 65536 - 256, 0, ALLOCATION,
     "128 bytes in each of 4 PEs do not fit: 262144 of 262144"},
    {with_scalar, tile_type, 0, T(S32), LEGALITY, "source T#1 holds S32, the bundle's type is U32"},
    {quotient, element, 1, 0, LEGALITY, "divisor T#2: element (0, 0) is zero"},
    {scalar_of_tf32, scalar, 0, 0x3f800001, LEGALITY,
     "the scalar 0x3f800001 of PE0 is no valid TF32: bits 0x1fff must be zero"},
    {scalar_of_tf32, element, 0, 0x3f800001, LEGALITY, "element (0, 0) is no valid TF32"},

    /* comparisons and selections (comparison-schema.asl) */
    {comparison, set_attribute, CMODE, 6, LEGALITY, "B.DATR CMode is 6, it must be 0..5"},
    {long_comparison, size_code, 0, 1, ALLOCATION,
     "32 x 64 predicates take 256 bytes, the destination has 128"},
    {comparison, tile_rows, 1, 2, LEGALITY, "the sources have 4 and 2 physical rows"},
    {comparison, full_hand, 0, 0, ALLOCATION, "all 16 tiles of hand U are allocated"},
    {selection, tile_valid_columns, U_1, 4, LEGALITY,
     "predicates U#1 have 2 x 4 of 4 x 8 elements, the values 2 x 5 of 4 x 8"},
    {selection, source_slot, 0, 1, LEGALITY, "source T#2 holds no predicates"},
    {selection, tile_type, 1, T(S32), LEGALITY,
     "source T#2 holds S32 in 4 rows, it must hold U32 in 4"},

    /* unions (partial-schema.asl) */
    {union_of_two, set_attribute, PAD, 0, LEGALITY, "B.DATR is not taken"},
    {union_of_two, set_dimension, 2, 4, LEGALITY, "4 physical columns are less than 5 valid"},
    {union_of_two, tile_valid_columns, 0, 6, LEGALITY,
     "source T#1 has 2 x 6 elements of U32: it must hold U32 and fit the union of 2 x 5"},
    {union_of_two, set_dimension, 0, 6, LEGALITY, "neither source covers the union of 2 x 6"},

    /* conversions (tcvt-schema.asl, quantization-schema.asl, expansion-schema.asl) */
    {conversion, set_type, T(U32), 0, LEGALITY, "source T#1 holds S32, the bundle's type is U32"},
    {conversion, set_attribute, LAYOUT, L(ND2NZ), LEGALITY,
     "the destination's 8 x 32 elements are no whole boxes of NZ"},
    {conversion, set_attribute, LAYOUT, L(NZ2ND), LEGALITY, "the bundle's source layout is NZ"},
    {conversion, set_dimension, 1, 3, LEGALITY, "the destination has 3 x 5 of 8 x 32 elements"},
    {conversion, set_attribute, CANONICALIZE, 1, LEGALITY, "Canonicalize takes a Matrix source"},
    {dequantisation, set_attribute, SAT, 1, LEGALITY, "B.DATR Sat is 1"},
    {dequantisation, no_attributes, 0, 0, LEGALITY,
     "B.DATR with the destination's type is missing"},
    {expansion, size_code, 0, 2, LEGALITY,
     "the destination has 16 rows of FP16, the source T#1 8 of FP16"},
    {expansion, set_attribute, DATA_TYPE, T(BF16), LEGALITY,
     "B.DATR DataType is BF16, it must be FP16 or FP32"},

    /* generation, counting (generation-schema.asl, histogram-schema.asl) */
    {sequence, set_type, T(FP32), 0, LEGALITY, "the operation does not take FP32"},
    {sequence, model_attribute, DATA_TYPE, T(FP64), LEGALITY, "the operation does not take FP64"},
    {sequence, set_dimension, 1, 2, LEGALITY, "B.DIM LB1 is 2, a sequence has one row"},
    {sequence, drop_dimension, 0, 0, LEGALITY, "B.DIM LB0 must give the valid columns, 1 to 65535"},
    {sequence, set_dimension, 2, 4, LEGALITY, "LB2, 4 columns, is less than LB0, 8"},
    {sequence, scalar, 1, 2, LEGALITY, "B.IOR source 2 is 2, it must be 0 or 1"},
    {triangle, set_dimension, 1, 0, LEGALITY, "B.DIM LB1 is 0, it is 1 to 65535"},
    {triangle, scalar, 0, 65536, LEGALITY, "the diagonal 65536 is not in -65535..65535"},
    {histogram, set_dimension, 1, 1, LEGALITY, "the operation takes no B.DIM (LB1 is 1)"},
    {histogram, set_type, T(U8), 0, LEGALITY, "the operation does not count U8"},
    {histogram, tile_layout, 0, SIM_COLUMN_MAJOR, LEGALITY,
     "source T#1 must be numeric and RowMajor"},
    {histogram, unallocate, 1, 0, LEGALITY, "filter T#2 is not allocated"},
    {histogram, tile_type, 1, T(S8), LEGALITY, "filter T#2 must be numeric, of U8"},
    {histogram, tile_valid_rows, 1, 1, LEGALITY, "filter T#2 is 1 x 1, 2 rows are needed"},

    /* sorting (sorting-schema.asl) */
    {long_merge, tile_valid_columns, 1, 16385, LEGALITY,
     "32769 merged columns, a tile has at most 32768"},
    {sort, tile_layout, 0, SIM_COLUMN_MAJOR, LEGALITY,
     "source T#1, FP16, ColumnMajor, 1 x 5, must be RowMajor of FP16 and not empty"},
    {sort, set_type, T(BF16), 0, LEGALITY, "the operation does not sort BF16"},
    {sort, set_dimension, 1, 1, LEGALITY, "the operation takes no B.DIM LB1"},
    {merge, tile_valid_rows, 1, 2, LEGALITY, "source T#2 has 2 rows, one is merged"},
    {merge, set_dimension, 0, 8, LEGALITY, "the operation takes no B.DIM LB0"},
    {merge, element, 1, 0x4000, LEGALITY,
     "source T#2 is not sorted: element 1 stands behind element 0"},

    /* rearrangement (layout-rearrangement.asl, indexed-rearrangement.asl) */
    {concatenation, unallocate, 1, 0, LEGALITY, "source 2, T#2, is not allocated"},
    {concatenation, tile_predicates, 0, 0, LEGALITY, "source T#1 is a predicate"},
    {concatenation, tile_type, 1, T(S32), LEGALITY, "source T#2 is S32, the destination U32"},
    {transposition, set_attribute, LAYOUT, L(ND2NZ), LEGALITY,
     "are not whole boxes of the NZ layout"},
    {transposition, tile_layout, 0, SIM_NZ, LEGALITY, "source T#1 is NZ with 4 x 8 elements"},
    {transposition, undefine, 0, 1, LEGALITY, "undefined in PE1"},
    {row_gather, set_dimension, 1, 0, LEGALITY, "B.DIM LB1 is 0, it is 1 to 65535"},
    {row_gather, drop_dimension, 0, 0, LEGALITY, "B.DIM LB0 is missing"},
    {row_gather, set_type, T(S4X2), 0, LEGALITY, "the operation does not take S4X2"},
    {row_gather, element, 1, 2, LEGALITY, "index (0, 0) is 2, it must be in 0..1"},
    {row_gather, tile_type, 1, T(U8), LEGALITY, "the index tile T#2 is U8"},
    {row_gather, undefine, 0, 1, LEGALITY,
     "source T#1: element (0, 0), which index (0, 0) names, is undefined"},
    {row_gather, no_fragment, 0, 1, LEGALITY, "source T#1 has no fragment in PE1"},
    {row_gather, tile_valid_columns, 0, 4, LEGALITY,
     "the destination is 2 x 5, the index 2 x 5, the source 4 columns"},
    {row_scatter, tile_valid_columns, 0, 4, LEGALITY,
     "the source is 2 x 4, the index 2 x 5, the destination 5 columns"},
    {row_scatter, element, 1, 1, LEGALITY, "index (1, 0) is 1, which an earlier row"},

    /* loads and stores (shared-tlsu.asl, tlsu-layout-conversion.asl) */
    {load, set_attribute, LAYOUT, L(ND2NZ), LEGALITY, "are not whole boxes of the NZ layout"},
    {load, scalar, 0, 0x102, FAULT_ALIGNMENT, "load of 4 bytes at 0x102 is not aligned"},
    {load, scalar, 0, BENCH_MEMORY, FAULT_PAGE, "load of 4 bytes at 0x1000: not mapped"},
    {load, set_dimension, 1, 5, ALLOCATION, "the valid region 5 x 5 exceeds the 4 x 8 elements"},
    {load, set_dimension, 2, 6, ALLOCATION, "6 physical columns of U32 give no row count"},
    {load, set_attribute, PAD, SIM_PAD_MAX, LEGALITY,
     "B.DATR PadValue is 1, but only the CUBE layout codes take one"},
    {store, tile_predicates, 0, 0, LEGALITY, "the source T#1 is a predicate"},
    {store, scalar, 0, 0x101, FAULT_ALIGNMENT, "store of 4 bytes at 0x101 is not aligned"},
    {store, scalar, 0, BENCH_MEMORY - 4, FAULT_PAGE, "store of 4 bytes at 0x1000: not mapped"},
    {store, undefine, 0, 0, LEGALITY, "undefined in PE0"},
    {cube_load, set_dimension, 1, 0, LEGALITY, "needs a nonzero B.DIM LB1 (valid rows)"},
    {cube_load, drop_dimension, 0, 0, LEGALITY, "needs a nonzero B.DIM LB0 (valid columns)"},
    {cube_load, set_dimension, 2, 8, LEGALITY, "takes no B.DIM LB2 (it is 8)"},
    {cube_load, set_attribute, DATA_TYPE, T(U32), LEGALITY, "a CUBE transfer needs DTYPE_NONE"},
    {cube_load, set_attribute, RMODE, 2, LEGALITY,
     "B.DATR CMode 0, RMode 2, Sat 0, Canonicalize 0 must be 0"},
    {cube_load, set_attribute, LAYOUT, L(M162ND), LEGALITY, "is for TSTORE of a Local tile only"},
    {cube_load, bind_shared_too, 1, 0, LEGALITY, "a CUBE transfer takes no B.IOS"},
    {cube_load, fixed_point, 0, 0, LEGALITY, "B.FPATR belongs to CUBE operations only"},
    {cube_load, bind_nothing, 0, 0, LEGALITY, "2 B.IOT are bound, one is needed"},
    {cube_load, no_last, 0, 0, LEGALITY, "lacks `last`"},
    {cube_load, set_type, T(U64), 0, LEGALITY, "U64 has no CUBE cell"},
    {cube_load, set_type, T(HiF4X2), 0, LEGALITY, "HiF4X2 has no CUBE cell"},
    {cube_load, size_code, 0, 1, ALLOCATION, "the destination has 128"},
    {cube_store, unallocate, U_1, 0, LEGALITY, "source U#1 is not allocated"},
    {cube_store, set_attribute, LAYOUT, L(M322ND), LEGALITY,
     "source U#1 is CUBE_M16 of U32, the bundle says CUBE_M32 of U32"},
    {cube_store, set_type, T(S32), 0, LEGALITY, "the bundle says CUBE_M16 of S32"},
    {cube_store, set_dimension, 0, VALID + 1, LEGALITY,
     "the valid region of U#1 is 2 x 5, LB1 x LB0 is 2 x 6"},
    {cube_store, no_fragment, U_1, 2, LEGALITY, "source U#1 lacks a fragment that the mask names"},
    {cube_store, set_attribute, LAYOUT, L(ND2M16), LEGALITY, "is for TLOAD of a Local tile only"},

    /* moves (tlsu-gmov.asl) */
    {move, bind_shared_too, 0, 0, LEGALITY, "the operation takes no B.IOS"},
    {move, unallocate, 0, 0, LEGALITY, "DTYPE_NONE takes the type of the source"},
    {exchange, bind_nothing, 0, 0, LEGALITY,
     "source and destination stand in 2 B.IOT, they belong in one"},
    {exchange, fixed_point, 0, 0, LEGALITY, "B.FPATR belongs to CUBE operations only"},
    {exchange, bind_shared_too, 0, 0, LEGALITY, "the operation takes no B.IOS"},
    {exchange, bind_local_too, 0, 0, LEGALITY, "binds 2 sources, the operation has 1"},
    {exchange, scalar, 0, 4, LEGALITY, "peer_tid of PE0 is 4 (R5), it must be 0..3"},
    {exchange, size_code, 0, 2, LEGALITY, "the destination has 256 bytes a PE (size code 2)"},
    {exchange, tile_matrix, 0, 0, LEGALITY, "the source T#1 is a Matrix tile"},
    {exchange, no_fragment, 0, 3, LEGALITY, "has fragments in 3 of 4 PEs"},
    {exchange, set_dimension, 1, ROWS, LEGALITY, "B.DIM LB1 is not taken"},

    /* indexed memory (tlsu-mgather.asl, tlsu-prefetch.asl) */
    {indexed_load, fixed_point, 0, 0, LEGALITY, "B.FPATR belongs to CUBE operations only"},
    {indexed_load, bind_shared_too, 0, 0, LEGALITY, "the operation takes no B.IOS"},
    {indexed_load, no_scalars, 0, 0, LEGALITY, "B.IOR is missing: it names the base address"},
    {indexed_load, set_dimension, 2, 6, LEGALITY, "6 physical columns for 4 valid ones"},
    {indexed_load, set_dimension, 1, 2, LEGALITY,
     "the valid region of T#1 is 1 x 4, LB1 x LB0 is 2 x 4"},
    {indexed_store, tile_layout, 1, SIM_COLUMN_MAJOR, LEGALITY,
     "T#2 is ColumnMajor, the bundle says RowMajor"},
    {indexed_store, two_bindings, 0, 0, LEGALITY, "B.IOT 1 binds 1 sources, it needs 2"},
    {indexed_store, bind_nothing, 0, 0, LEGALITY, "2 B.IOT are bound, 1 are needed"},
    {indexed_load, set_attribute, LAYOUT, L(ND2NZ), LEGALITY,
     "are not whole boxes of the NZ layout"},
    {swap, destination_moved, 0, 0, LEGALITY, "B.IOT 1 cannot bind a destination"},
    {swap, bind_nothing, 0, 0, LEGALITY, "3 B.IOT are bound, 2 are needed"},
    {indexed_load, element, 0, 2, FAULT_ALIGNMENT, "load of 4 bytes at 0x102 is not aligned"},
    {indexed_load, element, 0, BENCH_MEMORY, FAULT_PAGE, "load of 4 bytes at 0x1100: not mapped"},
    {prefetch, model_rectangle, 2, 32768, LEGALITY,
     "2 x 32768 elements, a tile of the profile pto-v0 has at most 32768"},
    {prefetch, fixed_point, 0, 0, LEGALITY, "B.FPATR belongs to CUBE operations only"},
    {prefetch, bind_local_too, 0, 1, LEGALITY, "the operation takes no B.IOT and no B.IOS"},
    {prefetch, set_dimension, 0, 0, LEGALITY, "B.DIM LB0 is 0, it is 1 to 65535"},

    /* Shared tiles (shared-tlsu.asl, shared-movement.asl) */
    {shared_load, shared_size, 0, 0, LEGALITY,
     "a Shared load takes one B.IOS destination and no B.IOT"},
    {shared_load, bind_shared_too, 1, 0, LEGALITY, "2 B.IOS are bound, one is needed"},
    {shared_load, set_dimension, 1, 5, LEGALITY,
     "LB1 x LB0 = 5 x 5 in LB2 = 8 columns of U32 does not fit 128 bytes (4 rows)"},
    {shared_load, set_attribute, LAYOUT, L(ND2NZ), LEGALITY,
     "4 x 8 elements are not whole boxes of NZ"},
    {shared_load, scalar, 0, 0x102, FAULT_ALIGNMENT, "load of 4 bytes at 0x102 is not aligned"},
    {shared_load, full_pool, 65536 - 128 + 32, 0, LEGALITY, "S7 needs 512 bytes"},
    {shared_reload, set_dimension, 1, 3, LEGALITY,
     "S7 is 4 x 5 of U32 in 128 bytes, the update is 3 x 5 of U32 in 128"},
    {shared_reload, shared_quarters, 12, 12, LEGALITY,
     "the mask names a quarter of S7 that is not allocated"},
    {shared_store, shared_mask, PE0, 0, LEGALITY, "a Shared store needs mask=1111"},
    {shared_part_store, scalar, 0, BENCH_MEMORY, FAULT_PAGE,
     "store of 4 bytes at 0x1000: not mapped"},
    {shared_part_store, set_attribute, PAD, SIM_PAD_MIN, LEGALITY, "B.DATR PadValueOrByteId is 2"},
    {shared_store, shared_size, 1, 0, LEGALITY,
     "a Shared store takes one B.IOS source and no B.IOT"},
    {shared_store, set_dimension, 1, 0, LEGALITY, "S7 cannot be read as 0 x 5 in 8 columns of U32"},
    {shared_store, set_type, T(S32), 0, LEGALITY,
     "S7 is 4 x 5 in 8 columns of U32, RowMajor, 128 bytes; it is read as 4 x 5 in 8 columns of "
     "S32"},
    {shared_store, scalar, 0, BENCH_MEMORY, FAULT_PAGE, "store of 4 bytes at 0x1000: not mapped"},
    {insertion, no_last, 0, 0, LEGALITY, "one B.IOT source with `last` and one B.IOS destination"},
    {insertion, shared_size, 2, 0, LEGALITY,
     "T#1 has 128 bytes a PE, the B.IOS says 256 (size code 2)"},
    {insertion, undefine, 0, 0, LEGALITY, "undefined in PE0"},
    {publication, shared_quarters, ALL, 4, LEGALITY,
     "S7 would be published with quarters that were never written"},
    {broadcast, shared_mask, 12, 0, LEGALITY, "a broadcast needs mask=1111"},
    {broadcast, shared_unpublished, 0, 0, LEGALITY,
     "S7 is not a complete, published tile of all four PEs"},
    {broadcast, shared_quarters, ALL, 12, LEGALITY, "S7 is not a complete, published tile"},
    {broadcast, set_attribute, DATA_TYPE, T(S32), LEGALITY, "B.DATR DataType is 17"},
    {broadcast_of_half, model_attribute, DATA_TYPE, T(FP64), LEGALITY,
     "B.DATR says FP64, the bundle U32"},
    {broadcast, full_hand, 0, 0, ALLOCATION, "all 16 tiles of hand U are allocated"},

    /* CUBE (cube-tmatmul.asl, matrix-operands.asl) */
    {product, set_dimension, 2, 3, LEGALITY,
     "the left input T#1 is 2 x 2 of FP32, it must be 2 x 3 of FP32"},
    {product, tile_type, 1, T(BF16), LEGALITY, "the right input T#2 is 2 x 2 of BF16"},
    {product, tile_layout, 0, SIM_ROW_MAJOR, LEGALITY, "the left input T#1 is RowMajor"},
    {product, undefine, 1, 3, LEGALITY, "undefined in PE3"},
    {product, unallocate, 0, 0, LEGALITY, "the left input T#1 is not allocated"},
    {product, full_hand, 0, 0, ALLOCATION, "all 16 tiles of hand U are allocated"},
    {product, fixed_point, 6, 0, LEGALITY, "PreQuantMode 6 is reserved"},

    /* TMOV with conversion (docs/tmov.md) */
    {converting_move, fixed_point, 0, 2, LEGALITY, "ReluMode is 2, TMOV knows 0 and 1"},
    {converting_move, set_attribute, DATA_TYPE, T(U32), LEGALITY,
     "S32 to U32 needs a PreQuantMode"},
    {converting_move, unallocate, 0, 0, LEGALITY, "source T#1 is not allocated"},
    {converting_move, no_last, 0, 0, FAULT_BUNDLE, "the last of 1 B.IOT lacks `last`"},
    {converting_move, bind_local_too, 0, 1, FAULT_BUNDLE, "2 destinations and 2 sources are bound"},
    {converting_move, set_attribute, LAYOUT, L(NZ2ND), LEGALITY,
     "converts NZ, the source is RowMajor"},
    {converting_move, set_attribute, LAYOUT, 15, LEGALITY,
     "layout code 15 is not one TMOV converts"},
    {converting_move, set_dimension, 1, 17, LEGALITY,
     "the valid region LB1 x LB0 = 17 x 8 exceeds"},
    {converting_move, set_dimension, 2, 12, LEGALITY,
     "16 x 12 elements are not whole boxes of 16 x 8"},
    {converting_move, cells_in, L(ND2M16), 2, LEGALITY,
     "16 x 8 elements of S32 do not make CUBE_M16 cells in 256 bytes"},
    {converting_move, size_code, 0, 2, ALLOCATION,
     "128 elements of S32 do not fit the destination's 256 bytes"},
    {quantising_move, set_attribute, DATA_TYPE, T(FP16), LEGALITY,
     "PreQuantMode 2 takes S32 to S8, not S32 to FP16"},
    {quantising_move, unallocate, 1, 0, LEGALITY,
     "PreQuantMode 2 needs a parameter tile as second source"},
    {quantising_move, tile_valid_columns, 1, 7, LEGALITY,
     "the parameter tile T#2 is 1 x 7 of U64; 8 words of 64 bits are needed"},
};

enum { RULES = sizeof rules / sizeof *rules };

static void test_rule(void **state)
{
    const struct rule *r = *state;
    struct bench t;
    bench_open(&t);
    r->legal(&t);
    bench_runs(&t);
    bench_close(&t);
    bench_open(&t);
    r->legal(&t);
    r->change(&t, r->a, r->b);
    bench_faults(&t, r->kind, r->text);
    bench_close(&t);
}

int main(void)
{
    static struct CMUnitTest tests[RULES];
    for (size_t i = 0; i < RULES; i++)
        tests[i] = (struct CMUnitTest){
            .name = rules[i].text, .test_func = test_rule, .initial_state = (void *)&rules[i]};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("tile rules", tests, NULL, NULL);
}
