/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulation of a linked program: four PTO PEs with private registers and tile
 * payloads, shared tiles, one sparse 64-bit memory, and five SEQ engines with
 * 64 registers each and shared semaphores. Preflight before effects: a
 * faulting bundle leaves tiles, memory and allocation as they were. Knows no
 * text and no relocations. All state is in `struct sim`.
 */
#ifndef PTO_SIM_SIM_H
#define PTO_SIM_SIM_H

#include "encoder/encoder.h"
#include "objfile/objfile.h"

enum sim_profile { SIM_PROFILE_IEEE, SIM_PROFILE_PTO_V0 };
enum sim_quant { SIM_QUANT_HW, SIM_QUANT_CPUSIM }; /* formulas of a converting TMOV */
enum { SIM_PES = 4, SIM_ENGINES = 5 };

struct sim_options {
    enum sim_profile profile;
    enum sim_quant quant;
    isa_revset pto; /* 0: from the object */
    isa_revset seq;
    unsigned pes;           /* 1 or 4; 0: 4 */
    uint64_t max_insns;     /* 0: no limit; summed over PEs and engines */
    uint64_t max_memory;    /* bytes of guest memory that may be touched; 0: 1 GiB */
    bool strict;            /* reject extensions (tmov-convert) as the plain ISA does */
    uint8_t undefined_byte; /* what never-written tile bytes read as in dumps */
    uint64_t schedule_seed; /* 0: round-robin */
    FILE *trace;            /* NULL: off */
    FILE *debug;            /* the seed's "S: …" lines; NULL: off */
};

enum sim_end {
    SIM_ENDED,    /* return to the sentinel, end of code, ebreak, HALT */
    SIM_LIMIT,    /* max_insns */
    SIM_FAULT,    /* a guest fault, described by sim_report */
    SIM_DEADLOCK, /* every engine waits */
    SIM_PAUSED,   /* the watch stopped it (sim/machine.h); sim_run goes on */
};

struct sim;

/* Loads the program's segments. NULL: reported. The object must outlive the sim. */
struct sim *sim_create(struct mem *m, struct diag *d, const struct sim_options *options,
                       const struct object *program);
void sim_destroy(struct sim *s);

enum sim_end sim_run(struct sim *s);

/* Text of how it ended: kind, PE or engine, PC, file:line, disassembly, the failed condition with
 * its values, what was rolled back (DESIGN §6). */
void sim_report(const struct sim *s, struct buffer *out);

/* ---- state in and out ---- */

/* "a0", "pe1.a0", "pool.R3". False: unknown name. Without a PE: all PEs. */
bool sim_set_register(struct sim *s, const char *name, uint64_t value);
bool sim_get_register(const struct sim *s, const char *name, uint64_t *value);
bool sim_write_memory(struct sim *s, uint64_t address, const void *data, size_t size);
bool sim_read_memory(const struct sim *s, uint64_t address, void *data, size_t size);

/* Tiles by the names of .pto.tiles, or "T#1", "S0"; "pe1." in front selects one PE's payload. NULL
 * or the reason. Loading allocates and publishes the tile with its recorded type. */
const char *sim_load_tile(struct sim *s, const char *name,
                          const struct npy *array); /* logical order */
const char *sim_load_tile_raw(struct sim *s, const char *name, const uint8_t *bytes, size_t size);
const char *sim_dump_tile(struct sim *s, const char *name, struct arena *a, struct npy *out);
const char *sim_dump_tile_raw(struct sim *s, const char *name, struct buffer *out);
/* Descriptor and all values of the valid region as text, "?" where none was written. */
const char *sim_show_tile(const struct sim *s, const char *name, struct buffer *out);
/* The valid region as a picture, its values as colors from the lowest to the highest. */
enum sim_picture { SIM_SVG, SIM_PNG };
const char *sim_heatmap(struct sim *s, const char *name, enum sim_picture picture,
                        struct buffer *out);
/* "NZ,f16,32x48": an SVG of how the layout numbers its elements. */
const char *sim_draw_layout(const char *text, struct buffer *out);

/* Arguments of the entry function, 0 to 7 (docs/simulator.md). An array is placed in memory and
 * its address goes to the argument's register; an output gets room of its recorded shape, or as
 * `type` says ("f4,32x32"). What .pto.args says of the argument must agree. NULL or the reason. */
const char *sim_bind_array(struct sim *s, unsigned n, const struct npy *array);
/* "42", "-1.5": a scalar of the recorded type; without a record an integer. */
const char *sim_bind_scalar(struct sim *s, unsigned n, const char *text);
bool sim_argument_is_pointer(const struct sim *s, unsigned n); /* by its record; false: no record */
const char *sim_bind_output(struct sim *s, unsigned n, const char *type); /* NULL: as recorded */
/* Is every recorded argument bound? */
const char *sim_check_arguments(struct sim *s);
/* The array of an argument after the run, as sim_bind_output was told. */
const char *sim_read_argument(struct sim *s, unsigned n, struct arena *a, struct npy *out);

/* A number, or the name of a symbol of the program with an optional +offset. */
bool sim_find_address(const struct sim *s, const char *text, uint64_t *address);

/* The whole state as JSON (schema: docs/state.md). */
void sim_state_json(const struct sim *s, struct buffer *out);
/* Compares the members that `text` has with the state: objects by key, arrays by index, numbers by
 * value. Otherwise than SIM_MET *problem (in the arena) is the first difference, or why the text
 * is no JSON object. */
enum sim_verdict { SIM_MET, SIM_DIFFERS, SIM_UNREADABLE };
enum sim_verdict sim_expect(const struct sim *s, const char *text, size_t size, struct arena *a,
                            const char **problem);

/* PTO forms that no handler executes, one line each (mnemonic, tab, form id); returns how many. */
unsigned sim_list_unimplemented(struct mem *m, struct diag *d, struct buffer *out);
/* The tags of the ebreaks that ended PEs, one line each. */
void sim_print_breaks(const struct sim *s, FILE *out);

/* Runs conformance vectors (one JSON object a line; docs/conformance.md). Prints each failing id
 * and "N passed, N failed, N skipped" to out. Returns the number of failures, or -1 when the file
 * is bad. */
long sim_conformance(struct mem *m, struct diag *d, const char *name, const char *text, size_t size,
                     FILE *out);

#endif
