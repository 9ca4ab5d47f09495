/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of pto-as: one table parses it and prints --help. */
#ifndef PTO_ASM_COMMAND_H
#define PTO_ASM_COMMAND_H

#include "asm/asm.h"

struct command {
    struct mem *mem;
    struct asm_options options;
    struct diag_options messages;
    VEC(const char *) inputs;
    VEC(const char *) include_dirs, defines, prefix_maps; /* NULL-terminated after parsing */
    const char *output;                                   /* -o; NULL: name.o beside the caller */
    const char *listing_file;                             /* -a…=FILE; NULL: standard output */
    const char *dependency_file;                          /* -MF */
    struct buffer dependency_targets; /* -MT and -MQ, as make reads them; empty: the object */
    bool listing, list_general;
    bool dependencies; /* -MD */
    bool phony;        /* -MP */
    bool has_targets;  /* dependency_targets comes from the command line */
    bool check;        /* --check: no output */
    bool bundles;      /* --emit=bundles: what PTO-AS becomes, instead of an object */
    bool print;        /* --print: the source in canonical text instead of an object */
    bool format;       /* --format: the source laid out instead of an object */
    bool in_place;     /* -i: over the input */
    bool help, version, verbose;
    bool failed; /* `error` says why */
    char error[160];
};

/* False: the command line is wrong, command->error says how. */
bool command_parse(struct command *command, struct mem *m, struct arena *a, int argc, char **argv);
void command_help(FILE *out);
void command_free(struct command *command);

#endif
