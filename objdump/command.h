/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of pto-objdump: one table parses it and prints --help. */
#ifndef PTO_OBJDUMP_COMMAND_H
#define PTO_OBJDUMP_COMMAND_H

#include "objdump/objdump.h"

enum input_format { INPUT_ELF, INPUT_BINARY };

struct command {
    struct mem *mem;
    struct arena *arena; /* words of @FILEs, the error of the parser */
    struct objdump_options options;
    struct diag_options messages;
    VEC(const char *) inputs, sections, encodings;
    enum input_format format; /* -b */
    bool raw_seq;             /* -m seq: raw bytes are SEQ records */
    bool wavejson, strict, help, version, failed;
    char error[160];
};

/* False: the command line is wrong, command->error says how. */
bool command_parse(struct command *c, struct mem *m, int argc, char **argv);
void command_help(FILE *out);
void command_free(struct command *c);

#endif
