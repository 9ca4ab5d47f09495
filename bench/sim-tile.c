/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast tile operations run: gigabytes of result a second of movement and
 * arithmetic, beside memcpy of as many bytes; GFLOP/s of matrix products,
 * beside OpenBLAS's sgemm where that library is installed. Every operation is a
 * whole bundle: checks, allocation, effects. One thread.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/memory.h"
#include "sim/pe.h"
#include "sim/tile.h"

#define T(name) ISA_DataType_##name

enum {
    ROWS = 64,
    COLS = 64,
    TILE = 16 * 1024, /* bytes a PE: ROWS x COLS of FP32 */
    TILE_CODE = 8,
    MEMORY = 1 << 20,
    RESULT = 0, /* T#1: free before every operation */
    M = 32,
    N = 128,
    K = 128,
};

struct machine {
    struct mem mem;
    struct sim s;
    struct bundle b;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void open_machine(struct machine *m)
{
    memset(m, 0, sizeof *m);
    m->mem = mem_default();
    m->s.mem = &m->mem;
    m->s.arena = arena_create(&m->mem);
    m->s.target.pto = 1u << ISA_REV_0_58_3;
    m->s.memory = memory_create(&m->mem, 2 * MEMORY);
    m->s.pes = arena_array(m->s.arena, SIM_PES, sizeof *m->s.pes);
    memory_add_region(m->s.memory, 0, MEMORY, NULL, 0, MEM_READ | MEM_WRITE);
    tile_create(&m->s);
}

static void close_machine(struct machine *m)
{
    tile_destroy(&m->s);
    memory_destroy(m->s.memory);
    arena_destroy(m->s.arena);
}

/* A tile of small numbers in all PEs. */
static void add_tile(struct machine *m, unsigned slot, unsigned dtype, enum sim_layout layout,
                     uint32_t rows, uint32_t cols, uint32_t capacity, uint8_t mask)
{
    struct tile tile = {.mask = mask};
    uint64_t needed;
    tile.info = (struct tile_info){.dtype = (uint8_t)dtype,
                                   .cols = cols,
                                   .valid_rows = rows,
                                   .valid_cols = cols,
                                   .capacity = capacity};
    tile_info_set_layout(&tile.info, layout);
    if (sim_layout_is_cube(layout))
        tile_info_set_cube(&tile.info, &needed);
    else
        tile.info.rows = tile_derived_rows(capacity, cols, sim_format_of(dtype));
    const struct sim_format *f = sim_format_of(dtype);
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        if (!(mask & pe_bit(pe)))
            continue;
        tile_fragment_create(&m->s, &tile.pe[pe], capacity);
        for (uint64_t e = 0; e < tile_capacity_elements(&tile.info); e++)
            sim_element_set(f, tile.pe[pe].bytes, e,
                            f->bits == 32 ? 0x3f000000 + e * 64 : 0x3800 + e % 1024);
        tile.pe[pe].defined = TILE_ALL_DEFINED;
    }
    tile_attach(&m->s, slot, &tile);
}

static void start(struct machine *m, const char *name, unsigned dtype)
{
    memset(&m->b, 0, sizeof m->b);
    m->b.op = isa_find_tileop(name, strlen(name));
    m->b.klass = m->b.op->engine == ISA_ENGINE_TLSU   ? BUNDLE_MEMORY
                 : m->b.op->engine == ISA_ENGINE_CUBE ? BUNDLE_MATRIX
                                                      : BUNDLE_ELEMENT;
    m->b.data_type = (uint8_t)dtype;
    m->b.datr.data_type = T(DTYPE_NONE);
    m->b.datr.pad = SIM_PAD_NULL;
    m->b.ready = SIM_ALL_PES;
}

static void set_dimensions(struct machine *m, uint64_t lb0, uint64_t lb1, uint64_t lb2)
{
    const uint64_t values[] = {lb0, lb1, lb2};
    for (unsigned i = 0; i < 3; i++) {
        m->b.lb[i] = values[i];
        m->b.lb_present[i] = values[i] != 0;
    }
}

static void bind(struct machine *m, int source0, int source1, unsigned size_code, uint8_t mask)
{
    struct bundle_iot *iot = &m->b.iot[m->b.niot++];
    *iot = (struct bundle_iot){
        .last = true, .mask = mask, .size_code = (uint8_t)size_code, .has_destination = size_code};
    if (source0 >= 0)
        iot->source[iot->nsources++] = (uint8_t)source0;
    if (source1 >= 0)
        iot->source[iot->nsources++] = (uint8_t)source1;
}

static void free_result(struct machine *m)
{
    struct tile *t = &m->s.tiles->local[RESULT];
    for (unsigned pe = 0; t->allocated && pe < SIM_PES; pe++)
        tile_fragment_free(&m->s, &t->pe[pe]);
    t->allocated = false;
}

/* Seconds of one run of the bundle. */
static double measure(struct machine *m)
{
    enum { RUNS = 64 };
    double begin = now(), seconds;
    unsigned runs = 0;
    do {
        for (unsigned i = 0; i < RUNS; i++) {
            if (!tile_execute_bundle(&m->s, &m->b)) {
                fprintf(stderr, "%s\n", m->s.fault.text);
                exit(EXIT_FAILURE);
            }
            free_result(m);
        }
        runs += RUNS;
        seconds = now() - begin;
    } while (seconds < 0.5);
    return seconds / runs;
}

static void print_bytes(const char *what, double bytes, double seconds)
{
    printf("%-24s %8.2f GB/s\n", what, bytes / seconds * 1e-9);
}

static void measure_memcpy(void)
{
    static char from[SIM_PES * TILE], to[SIM_PES * TILE];
    double begin = now(), seconds;
    unsigned runs = 0;
    do {
        for (unsigned i = 0; i < 1024; i++) {
            memcpy(to, from, sizeof to);
            __asm__ volatile("" : : "r"(to) : "memory");
        }
        runs += 1024;
        seconds = now() - begin;
    } while (seconds < 0.5);
    print_bytes("memcpy", (double)sizeof to * runs, seconds);
}

/* B.IOR of a transfer: base and stride of every PE. */
static void set_transfer(struct machine *m, uint64_t stride)
{
    m->b.ior_present = true;
    for (unsigned pe = 0; pe < SIM_PES; pe++) {
        m->b.scalar[pe][0] = (uint64_t)pe * TILE;
        m->b.scalar[pe][1] = stride;
    }
}

static void measure_movement(struct machine *m)
{
    const double bytes = SIM_PES * TILE;
    add_tile(m, 1, T(FP32), SIM_ROW_MAJOR, ROWS, COLS, TILE, SIM_ALL_PES);
    start(m, "TMOV", T(FP32));
    bind(m, 1, -1, TILE_CODE, SIM_ALL_PES);
    print_bytes("TMOV", bytes, measure(m));
    start(m, "TLOAD", T(FP32));
    set_dimensions(m, COLS, ROWS, COLS);
    set_transfer(m, COLS * sizeof(float));
    bind(m, -1, -1, TILE_CODE, SIM_ALL_PES);
    m->b.datr.pad = 0;
    print_bytes("TLOAD NORM", bytes, measure(m));
    m->b.datr = (struct bundle_datr){.present = true, .layout = ISA_TileLayout_ND2NZ};
    print_bytes("TLOAD ND2NZ", bytes, measure(m));
    start(m, "TSTORE", T(FP32));
    set_transfer(m, COLS * sizeof(float));
    bind(m, 1, -1, 0, SIM_ALL_PES);
    m->b.datr.pad = 0;
    print_bytes("TSTORE NORM", bytes, measure(m));
    add_tile(m, 2, T(FP32), SIM_NZ, ROWS, COLS, TILE, SIM_ALL_PES);
    m->b.iot[0].source[0] = 2;
    m->b.datr = (struct bundle_datr){.present = true, .layout = ISA_TileLayout_NZ2ND};
    print_bytes("TSTORE NZ2ND", bytes, measure(m));
}

static void measure_arithmetic(struct machine *m)
{
    const double bytes = SIM_PES * TILE;
    add_tile(m, 2, T(FP32), SIM_ROW_MAJOR, ROWS, COLS, TILE, SIM_ALL_PES);
    start(m, "TADD", T(FP32));
    set_dimensions(m, COLS, ROWS, 0);
    bind(m, 1, 2, TILE_CODE, SIM_ALL_PES);
    print_bytes("TADD FP32", bytes, measure(m));
    start(m, "TCVT", T(FP32));
    m->b.datr = (struct bundle_datr){.present = true, .data_type = T(FP16), .pad = SIM_PAD_NULL};
    set_dimensions(m, COLS, ROWS, 0);
    bind(m, 1, -1, TILE_CODE - 1, SIM_ALL_PES);
    print_bytes("TCVT FP32 to FP16", bytes / 2, measure(m));
}

/* ---- matrices ---- */

static void measure_product(struct machine *m, const char *what, unsigned dtype)
{
    uint32_t width = sim_format_of(dtype)->bits / 8;
    add_tile(m, 1, dtype, SIM_CUBE_M32, M, K, M * K * width, 8);
    add_tile(m, 2, dtype, SIM_CUBE_N8, K, N, K * N * width, 8);
    start(m, "TMATMUL", dtype);
    m->b.fpatr.present = true;
    set_dimensions(m, M, N, K);
    bind(m, 1, 2, TILE_CODE, 8);
    printf("%-24s %8.2f GFLOP/s\n", what, 2.0 * M * N * K / measure(m) * 1e-9);
}

typedef void sgemm_fn(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb, float beta, float *c,
                      int ldc);

static void measure_sgemm(void)
{
    enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };
    static float a[M * K], b[K * N], c[M * N];
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    sgemm_fn *sgemm = NULL;
    if (library)
        *(void **)&sgemm = dlsym(library, "cblas_sgemm");
    if (!sgemm) {
        printf("%-24s    OpenBLAS is not installed\n", "sgemm");
        return;
    }
    double begin = now(), seconds;
    unsigned runs = 0;
    do {
        sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, M, N, K, 1, a, K, b, N, 0, c, N);
        runs++;
        seconds = now() - begin;
    } while (seconds < 0.5);
    printf("%-24s %8.2f GFLOP/s\n", "sgemm of OpenBLAS", 2.0 * M * N * K * runs / seconds * 1e-9);
}

int main(void)
{
    static struct machine m;
    jmp_buf exhausted;
    open_machine(&m);
    m.mem.on_exhausted = &exhausted;
    if (setjmp(exhausted)) {
        fprintf(stderr, "out of memory\n");
        return EXIT_FAILURE;
    }
    measure_memcpy();
    measure_movement(&m);
    measure_arithmetic(&m);
    measure_product(&m, "TMATMUL FP32", T(FP32));
    measure_product(&m, "TMATMUL FP16", T(FP16));
    measure_product(&m, "TMATMUL S8", T(S8));
    measure_sgemm();
    close_machine(&m);
    return EXIT_SUCCESS;
}
