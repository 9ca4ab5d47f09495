/* SPDX-License-Identifier: BSD-3-Clause */
/* Open documents: their text, and places in it in bytes and as the client counts. */
#ifndef PTO_LSP_DOCUMENT_H
#define PTO_LSP_DOCUMENT_H

#include <jansson.h>

#include "asm/asm.h"

enum encoding { ENCODING_UTF16, ENCODING_UTF8 };

struct definition {
    enum asm_definition_kind kind;
    const char *name, *section, *file; /* in the document's arena */
    bool known;
    uint64_t value;
    struct loc loc;
};

struct document {
    struct mem *mem;
    char *uri;
    char *name;      /* the path; the URI when it is none of a file */
    char *directory; /* NULL: none */
    json_int_t version;
    struct buffer text; /* two NUL bytes stand behind `size` */
    VEC(size_t) lines;  /* where they begin */
    bool due;           /* its diagnostics are not published yet */
    struct arena *arena;
    VEC(struct definition) definitions; /* of the latest assembly */
    VEC(const char *) includes;         /* paths that it read */
};

struct place {
    size_t line, character; /* from 0, in the client's units */
};

struct document *document_open(struct mem *m, const char *uri, json_int_t version, const char *text,
                               size_t size);
void document_close(struct document *d);
void document_replace(struct document *d, size_t begin, size_t end, const char *text, size_t size);
const char *document_text(const struct document *d);

/* Places outside the text are brought to its nearest one. */
size_t document_offset(const struct document *d, enum encoding e, struct place place);
struct place document_place(const struct document *d, enum encoding e, size_t offset);
/* Of the assembler's line and column, from 1, in bytes. */
size_t document_byte(const struct document *d, uint32_t line, uint32_t col);
/* The end of a line, without its line end. */
size_t document_line_end(const struct document *d, size_t line);

/* The path of a file URI, NULL for another; to be freed with mem_resize. */
char *path_of_uri(struct mem *m, const char *uri);
/* A new string. */
json_t *uri_of_path(const char *path);

#endif
