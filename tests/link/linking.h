/* SPDX-License-Identifier: BSD-3-Clause */
/* Links objects that a test built in memory. */
#ifndef PTO_TESTS_LINK_LINKING_H
#define PTO_TESTS_LINK_LINKING_H

#include "link/link.h"
#include "tests/objfile/ar.h"
#include "tests/objfile/build.h"

enum { MOST_INPUTS = 16 };

/* A link under construction. linking_add… take over what they are given. */
struct linking {
    struct job *job;
    struct link_options options;
    struct link_input inputs[MOST_INPUTS];
    struct buffer bytes[MOST_INPUTS];
    size_t count;
    struct buffer messages, map;
};

void linking_begin(struct linking *l, struct job *j);
void linking_add(struct linking *l, const char *name, struct object *o);
void linking_add_bytes(struct linking *l, const char *name, struct buffer bytes);
void linking_mark(struct linking *l, enum link_input_kind kind); /* --start-group and so on */

/* The result, which the caller destroys; NULL when it failed. */
struct object *linking_run(struct linking *l);
/* Links, expects exactly these messages and no result, and forgets them. */
void linking_fails(struct linking *l, const char *messages);
void linking_end(struct linking *l);

/* Bytes of an executable at an address; fails the test when they are not there. */
const uint8_t *bytes_at(const struct object *o, uint64_t address, size_t size);
uint64_t word_at(const struct object *o, uint64_t address, unsigned bytes);

#endif
