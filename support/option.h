/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command lines by table. The rows that parse a command line also print --help,
 * from which manual page and completion are made.
 *
 * A name of one letter takes its argument glued or as the next word (-oFILE,
 * -o FILE); a longer one behind `=` or as the next word (--entry=X, --entry X,
 * -march=X), a numbered one takes it behind its number (--arg0=X, --arg0 X). `--` ends the options,
 * `-` is an operand, and @FILE stands for the words in FILE, split at blanks unless quoted by '…',
 * "…" or \.
 */
#ifndef PTO_SUPPORT_OPTION_H
#define PTO_SUPPORT_OPTION_H

#include <stdio.h>

#include "support/mem.h"

enum option_argument {
    OPTION_NONE,
    OPTION_REQUIRED, /* a value must follow */
    OPTION_NUMBERED, /* a number is glued to the name, and a value must follow: run gets "0=X" */
    OPTION_GLUED,    /* whatever stands behind the name, perhaps nothing: -ahls=FILE */
};

struct option_row {
    const char *name; /* with its dashes */
    enum option_argument argument;
    const char *value; /* what --help calls the argument; NULL for OPTION_NONE */
    const char *help;
    void (*run)(void *ctx, const char *argument); /* argument "" for OPTION_NONE */
    size_t flag; /* run NULL: the option sets the bool at this offset of ctx */
};

struct option_table {
    const char *head, *tail; /* of --help, each ending in a newline */
    const struct option_row *rows;
    size_t count;
    bool any_dashes; /* longer names may begin with one dash or two */
    bool joined;     /* letters without argument may share a dash: -dr is -d -r */
    void (*operand)(void *ctx, const char *word);
};

/* Calls run and operand in the order of the words. NULL, or what is wrong (in the arena); the words
 * behind it have not been looked at. Words of an @FILE live in the arena. */
const char *option_parse(const struct option_table *t, struct arena *a, int argc, char **argv,
                         void *ctx);
void option_help(const struct option_table *t, FILE *out);

/* A decimal number up to `max` for options like -fmax-errors=; false when it is none. */
bool option_number(const char *text, unsigned long max, unsigned long *number);

#endif
