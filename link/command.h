/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of pto-ld: one table parses it and prints --help. */
#ifndef PTO_LINK_COMMAND_H
#define PTO_LINK_COMMAND_H

#include "link/link.h"

enum output_format { FORMAT_ELF, FORMAT_BINARY, FORMAT_IHEX, FORMAT_SREC };

struct command {
    struct arena *arena; /* words of @FILE, made strings */
    struct mem *mem;
    struct link_options options;
    struct diag_options messages;
    VEC(struct link_input) inputs;
    /* NULL-terminated after parsing */
    VEC(const char *) library_dirs, defsyms, section_addresses, trace_symbols, wraps, undefined;
    const char *output;
    const char *map_file; /* -Map; NULL: none */
    enum output_format format;
    bool print_map; /* -M */
    bool help, version;
    bool verbose;      /* -v: the version, then the link if there are inputs */
    const char *error; /* why the command line is wrong; NULL: it is not */
};

/* False: the command line is wrong, command->error says how. */
bool command_parse(struct command *command, struct mem *m, int argc, char **argv);
void command_help(FILE *out);
void command_free(struct command *command);

#endif
