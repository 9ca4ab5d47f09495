/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The simulator's inside: machine state and the contracts between its parts.
 *
 *   memory.c   the sparse guest memory          fault.c   what went wrong, and traps
 *   block.c    bundle lifecycle and commit      decode.c  words to predecoded blocks
 *   run.c      dispatch, scheduling, ends       exec_*.c  scalar and command handlers
 *   tile*.c    tiles and tile operations        seq*.c    SEQ engines and semaphores
 *
 * A PE is a thread of scalar code. Tile bundles are operations of all four PEs:
 * a PE that reaches the commit of one waits until every PE that the bundle
 * needs stands at the same commit; then it runs once, with the scalars that
 * each PE resolved from its own registers (docs/simulator.md).
 */
#ifndef PTO_SIM_MACHINE_H
#define PTO_SIM_MACHINE_H

#include <jansson.h>

#include "sim/sim.h"

enum {
    SIM_GPRS = 24,
    SIM_QUEUE_DEPTH = 4,
    SIM_RINGS = 16,
    SIM_IOT_LIMIT = 16,
    SIM_IOS_LIMIT = 4,
    SIM_IOR_SOURCES = 3,
    SIM_ALL_PES = 15,
};

/* A set of PEs as masks are written: PE0 is bit 3. */
static inline uint8_t pe_bit(unsigned pe)
{
    return (uint8_t)(8u >> pe);
}

/* ---- faults ---- */

enum fault_kind {
#define FAULT(id, name, trap, what) FAULT_##id,
#include "sim/fault.def"
#undef FAULT
    FAULT_KIND_COUNT
};

struct fault {
    enum fault_kind kind;
    int pe; /* -1: a SEQ engine */
    const char *engine;
    uint64_t pc;      /* of the instruction that faulted */
    uint64_t address; /* data address, target, or the PC again */
    uint32_t cause;   /* 24 bits for TRAPNO */
    char text[384];   /* the condition that failed, with its values */
    char undone[128]; /* what was rolled back; "" when there was nothing */
};

/* Records the fault of `pe` (-1: engine) at `pc`; the caller stops and returns the failure. Always
 * false. Only the first fault of an instruction is kept. */
bool sim_fault(struct sim *s, int pe, enum fault_kind kind, uint64_t pc, uint64_t address,
               const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void sim_fault_undone(struct sim *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *fault_name(enum fault_kind kind); /* "TileLegality" */

/* ---- memory (memory.c) ---- */

enum mem_access { MEM_READ = 1, MEM_WRITE = 2, MEM_EXEC = 4 };

/* Are `size` bytes at `address` mapped for `access`? Writing also reserves the pages, so that the
 * later mem_write cannot fail. False: *bad is the first byte that is not; no fault is recorded. */
bool mem_probe(struct sim *s, uint64_t address, uint64_t size, enum mem_access access,
               uint64_t *bad);
/* Probes, and records DataPage for `pe` when it fails. */
bool mem_check(struct sim *s, int pe, uint64_t pc, uint64_t address, uint64_t size,
               enum mem_access access);
/* After a successful probe. Little-endian bytes as they lie. */
void mem_read(struct sim *s, uint64_t address, void *data, size_t size);
void mem_write(struct sim *s, uint64_t address, const void *data, size_t size);

/* ---- bundles ---- */

enum bundle_class { /* what the start's engine is; the vectors call it operation class */
                    BUNDLE_CONTROL,
                    BUNDLE_ELEMENT, /* VEC, SFU, TEPL */
                    BUNDLE_MEMORY,  /* TLSU */
                    BUNDLE_MATRIX,  /* CUBE */
};

struct bundle_datr { /* B.DATR; codes as encoded, absent = omission defaults */
    bool present;
    uint8_t data_type; /* 31 when absent */
    uint8_t layout, pad /* 3 = Null when absent */, cmode, rmode;
    bool sat, canonicalize;
};

struct bundle_catr {
    bool present, trap, atomic, acquire, release, far, dr;
};

struct bundle_hint {
    bool present, trace, trace_end, branch_valid, branch_likely;
    uint8_t temperature;
    uint16_t prefetch_size;
};

struct bundle_iot { /* one B.IOT, in stream order */
    bool has_destination, last;
    uint8_t hand;      /* destination: 0 T, 1 U, 2 M, 3 N */
    uint8_t size_code; /* destination: 128 << (n-1) bytes a PE */
    uint8_t mask;      /* PE0 = bit 3, never 0 */
    uint8_t nsources;
    uint8_t source[2]; /* SrcTile as encoded: absolute slot (0.58.2, 0.58.3) */
};

struct bundle_ios { /* one B.IOS */
    uint8_t id;
    uint8_t size_code; /* 0: source */
    uint8_t mask;
};

/* The header of one block, and at its commit everything a tile operation may look at. */
struct bundle {
    const struct isa_form *form; /* of the BSTART; NULL: no operation */
    const struct isa_tileop *op; /* NULL: not a tile operation */
    enum bundle_class klass;
    uint16_t selector;
    bool has_data_type;
    uint8_t data_type; /* of the BSTART */
    struct bundle_datr datr;
    struct isa_fpatr fpatr;
    struct bundle_catr catr;
    struct bundle_hint hint;
    bool lb_present[3];
    uint64_t lb[3]; /* 16 bits each, as B.DIM leaves them */
    uint8_t niot, nios;
    struct bundle_iot iot[SIM_IOT_LIMIT];
    struct bundle_ios ios[SIM_IOS_LIMIT];
    bool zero_participation; /* a B.IOT or B.IOS with mask 0000 was seen */
    bool ior_present;
    uint8_t ior_destination;             /* register number */
    uint8_t ior_source[SIM_IOR_SOURCES]; /* register numbers 0..23 */

    /* Known at commit only. */
    uint64_t start; /* address of the BSTART */
    uint64_t pc;    /* address of the instruction that commits */
    uint8_t pe;     /* the PE that faults are reported for */
    uint8_t ready;  /* PEs at this commit, PE0 = bit 3. One-PE runs: 1000. Conformance: 1111 */
    uint64_t scalar[SIM_PES][SIM_IOR_SOURCES]; /* ior_source values of every PE's own registers */
};

/* ---- one PE ---- */

struct pe;     /* sim/pe.h */
struct blocks; /* decoded code, sim/decode.c */
struct memory; /* sim/memory.c */
struct tiles;  /* sim/tile*.c */
struct seqs;   /* sim/seq*.c */
struct queues; /* sim/queue.c */
struct trace;  /* sim/trace.c */
struct source_file;

/* ---- watching a run ---- */

struct op;

/* What a debugger hears of a run that it watches: then instructions go one by one. */
struct sim_watch {
    void *ctx;
    /* In front of an instruction of a PE, of a record that an engine comes to. True: the run stops
     * there (SIM_PAUSED); the next sim_run begins with the same question. */
    bool (*insn)(void *ctx, struct pe *pe, const struct op *op);
    bool (*record)(void *ctx, unsigned engine, uint64_t pc);
    void (*write)(void *ctx, uint64_t address, size_t size); /* memory is about to be written */
};

/* Whose turn it is; kept from one sim_run to the next. */
struct turns {
    bool started;  /* the checks before the first instruction are done */
    uint8_t pe;    /* the next one to take its turn */
    bool open;     /* it is in the middle of one */
    uint64_t left; /* what is left of it */
    int only;      /* this PE runs alone, but where it waits for the others; -1: all run */
};

/* ---- the machine ---- */

struct sim {
    struct mem *mem;
    struct diag *diag;
    struct arena *arena; /* lives as long as the machine */
    struct sim_options options;
    struct isa_target target;
    const struct object *program; /* NULL in conformance runs */
    bool conformance;             /* 0.58.3, pto-v0, vectors' rules */
    struct memory *memory;
    struct blocks *blocks;
    struct pe *pes; /* SIM_PES of them, options.pes run */
    struct tiles *tiles;
    struct arguments *arguments; /* NULL: none is bound (sim/argument.c) */
    struct seqs *seqs;
    struct queues *queues; /* general queues */
    struct trace *trace;
    struct source_file *sources; /* sim/place.c, by file of the line table; NULL: none was read */
    struct buffer text;          /* scratch for messages */
    uint64_t retired;            /* instructions of all PEs and engines */
    uint64_t entry, sentinel, code_end; /* where a run starts and the PCs that end it */
    bool auto_body;                     /* a scalar instruction enters the body of the open block */
    bool code_changed;                  /* a store hit decoded instructions */
    bool one_by_one;                    /* instructions are traced or watched */
    bool paused;                        /* the watch said so */
    const struct sim_watch *watch;      /* NULL: off */
    struct turns turns;
    enum sim_end end; /* of sim_run */
    struct fault fault;
};

/* A machine without program, memory regions or entry (sim_create and conformance fill it). */
struct sim *machine_create(struct mem *m, struct diag *d, const struct sim_options *options);
/* Before the first sim_run; the watch must outlive the runs. */
void sim_set_watch(struct sim *s, const struct sim_watch *watch);

/* ---- tiles: sim/tile*.c ---- */

void tile_create(struct sim *s); /* sets s->tiles; publishes nothing */
void tile_destroy(struct sim *s);

/* Runs the tile operation of a complete bundle: all checks, then all effects. False: sim_fault was
 * called with b->pe and b->pc, and tiles, memory and allocation are as before (sim_fault_undone
 * says what was taken back). Called only when b->op is set. */
bool tile_execute_bundle(struct sim *s, const struct bundle *b);

/* PEs (PE0 = bit 3) that must stand at the commit: all four for GMOV and other collectives,
 * otherwise those of the masks; 0 when nothing participates. */
uint8_t tile_bundle_needs(const struct bundle *b);

/* Programs marked tmov-convert, without --strict: a TMOV bundle takes B.FPATR too, and B.DATR the
 * layout codes that 0.58 reserves. `in` failed to decode for the reason `why`. */
bool tile_takes_fpatr(const struct sim *s, const struct bundle *b);
bool tile_takes_reserved(const struct sim *s, const struct isa_insn *in, const struct isa_why *why);

/* Input tiles of .pto.tiles that were not loaded by name. NULL, or what is wrong. */
const char *tile_before_run(struct sim *s);

/* As text (sim/tile_text.c): one line a tile; descriptor and values of one tile from an element
 * on. NULL, or what is wrong with the name. */
void tile_print_list(const struct sim *s, bool shared, struct buffer *out);
const char *tile_print(const struct sim *s, const char *name, uint32_t row, uint32_t col,
                       struct buffer *out);

json_t *tile_json(const struct sim *s); /* {"local": …, "shared": …} of docs/state.md */

/* Vectors (golden/vectors README 3, 4, 6): installs input.tiles and input.shared; compares
 * tiles, tiles_unchanged, tiles_freed and shared with expect, without `values` not the elements of
 * tiles that are new or changed. NULL, or the first problem, which lives in the arena. */
const char *tile_vector_load(struct sim *s, const json_t *input, struct arena *a);
const char *tile_vector_compare(struct sim *s, const json_t *input, const json_t *expect,
                                bool values, struct arena *a);

/* ---- SEQ engines: sim/seq*.c ---- */

void seq_create(struct sim *s); /* finds the .seq sections of s->program; sets s->seqs */
void seq_destroy(struct sim *s);
bool seq_present(const struct sim *s);
/* Runs all engines until each has halted, one faults (sim_fault with pe -1), all wait, or
 * s->retired reaches options.max_insns. */
enum sim_end seq_run(struct sim *s);
bool seq_set_register(struct sim *s, const char *name, uint64_t value); /* "pool.R3" */
bool seq_get_register(const struct sim *s, const char *name, uint64_t *value);
json_t *seq_json(const struct sim *s);
void seq_report_waits(const struct sim *s, struct buffer *out); /* after SIM_DEADLOCK */
/* ---- as text: sim/seq_text.c ---- */

/* -1: no engine of this name has a stream. */
int seq_find_engine(const struct sim *s, const char *name);
const char *seq_engine_name(const struct sim *s, unsigned engine);
/* False: the engine has no stream. *state: "ready", "waiting", "ended". */
bool seq_position(const struct sim *s, unsigned engine, uint64_t *pc, const char **state);
bool seq_contains(const struct sim *s, uint64_t address); /* a record of some stream lies there */
void seq_print_registers(const struct sim *s, unsigned engine, struct buffer *out);
void seq_print_semaphores(const struct sim *s, struct buffer *out); /* with events */

/* ---- for all parts ---- */

/* The instruction or record at an address, without effects. False: none that decodes; *length is
 * then the smallest step to what follows, 0 where nothing is mapped. */
bool sim_decode(const struct sim *s, uint64_t pc, struct isa_insn *insn, unsigned *length);
/* Appends an instruction as text, branches with their targets. */
void sim_print_insn(const struct sim *s, const struct isa_insn *insn, uint64_t pc,
                    struct buffer *out);
/* Places of the program for a reader (sim/place.c).
 * Appends "file:line" of an address when the program has line rows; "" otherwise. */
void sim_place(const struct sim *s, uint64_t address, struct buffer *out);
/* Appends "symbol" or "symbol+8", after the nearest symbol below in the same section; or "". */
void sim_symbol(const struct sim *s, uint64_t address, struct buffer *out);
/* The text of a line of a source file, read once from where the line table says it is. NULL: there
 * is no such line, *why says more when the file could not be read. */
const char *sim_source_line(struct sim *s, uint32_t file, uint32_t line, size_t *length,
                            const char **why);
/* The first address of a line, or of the next line that has code; `file` is its name or the last
 * components of it. */
bool sim_find_line(const struct sim *s, const char *file, size_t length, uint32_t line,
                   uint64_t *address);
/* One "S: …" line to options.debug; nothing when it is off. */
void sim_debug(struct sim *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
