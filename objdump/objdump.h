/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is in an object, as text: headers, symbols, relocations, contents,
 * disassembly in the style of GNU objdump, and source that assembles to the
 * same bytes. Knows no command line and no execution.
 */
#ifndef PTO_OBJDUMP_OBJDUMP_H
#define PTO_OBJDUMP_OBJDUMP_H

#include "encoder/encoder.h"
#include "objfile/objfile.h"

struct objdump_options {
    bool file_header, section_headers, symbols, relocs, contents, disassemble;
    bool validate;               /* list violated clauses of SEQ records */
    bool source;                 /* disassemble as source text (--asm) */
    bool lines;                  /* file:line before instructions */
    bool raw;                    /* the object is made of raw bytes */
    struct isa_target target;    /* 0 in a member: as the object's notes say */
    const char *const *sections; /* NULL-terminated names; NULL: all */
    uint64_t start, stop;        /* addresses to disassemble or dump, [start, stop) */
    uint64_t adjust;             /* added to all addresses of sections */
    /* Called when much text has gathered, which it may write out and empty. NULL: all is kept. */
    void (*drain)(void *ctx, struct buffer *text);
    void *drain_ctx;
};

/* Appends everything asked for. False: a word in code is illegal (it is shown as data). */
bool objdump_object(struct mem *m, const struct objdump_options *options, const struct object *o,
                    struct buffer *out);

/* An object around raw bytes: one section of code, or of SEQ records. The bytes must outlive it. */
struct object *objdump_raw(struct mem *m, const char *name, bool seq, const uint8_t *bytes,
                           size_t size);

/* Appends the encodings of all forms of a mnemonic. False: reported (no such mnemonic). */
bool objdump_encoding(struct diag *d, struct isa_target target, const char *mnemonic, bool wavejson,
                      struct buffer *out);

#endif
