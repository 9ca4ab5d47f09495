/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects for tests, built in memory, and what reading or linking them says. */
#ifndef PTO_TESTS_OBJFILE_BUILD_H
#define PTO_TESTS_OBJFILE_BUILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "objfile/objfile.h"

/* A job with its memory and the messages it reported, one a line: "place: error: text [code]". */
struct job {
    struct mem mem;
    jmp_buf exhausted;
    struct diag *diag;
    struct buffer messages; /* NUL-terminated by job_messages */
};

void job_begin(struct job *j);
void job_begin_with(struct job *j, struct mem *m); /* another allocator */
void job_end(struct job *j);
const char *job_messages(struct job *j); /* all so far; "" when there was none */
void job_clear(struct job *j);           /* forget them */

/* Each returns the number of what it added. */
int build_section(struct object *o, const char *name, uint32_t type, uint64_t flags, uint64_t align,
                  const void *data, size_t size);
int build_text(struct object *o, const void *data, size_t size);  /* .text, 4-aligned */
int build_words(struct object *o, const char *name, size_t size); /* zeroed code, 4-aligned */
uint32_t build_symbol(struct object *o, const char *name, uint8_t bind, int section,
                      uint64_t value);
void build_reloc(struct object *o, int section, uint64_t offset, uint32_t type, uint32_t symbol,
                 int64_t addend);

/* The ELF bytes of an object that build_… filled; destroys it. Freed with buffer_free. */
struct buffer build_elf(struct job *j, struct object *o, bool debug);

/* Symbol by name; fails the test when it is absent. */
const struct obj_symbol *find_symbol(const struct object *o, const char *name);
const struct obj_section *find_section(const struct object *o, const char *name); /* or NULL */

#endif
