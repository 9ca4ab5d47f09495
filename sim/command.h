/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of pto-sim: one table parses it and prints --help. */
#ifndef PTO_SIM_COMMAND_H
#define PTO_SIM_COMMAND_H

#include "sim/sim.h"

struct assignment { /* NAME=VALUE of --set, --mem, --tile, --dump-mem, --dump-tile, --heatmap,
                       --arg, --out */
    const char *name, *value;
};

struct assignments {
    VEC(struct assignment) list;
};

struct command {
    struct mem *mem;
    struct arena *arena;
    struct sim_options options;
    struct diag_options messages;
    const char *program;
    struct assignments set, mem_in, tile_in, mem_out, tile_out, heat_out, args_in, args_out;
    VEC(const char *) shown;  /* --show-tile */
    const char *layout, *svg; /* --layout, --svg */
    const char *state_file;   /* --state-json */
    const char *expect_file;  /* --expect */
    const char *vectors;      /* --conformance */
    const char *trace_file;   /* --trace=FILE; "-": standard output */
    const char *script;       /* -x; NULL: the monitor reads standard input */
    bool trace, debug_lines, monitor;
    bool help, version, list_unimplemented;
    bool failed; /* `error` says why */
    char error[160];
};

/* False: the command line is wrong, command->error says how. */
bool command_parse(struct command *command, struct mem *m, struct arena *a, int argc, char **argv);
void command_help(FILE *out);
void command_free(struct command *command);

#endif
