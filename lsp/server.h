/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of lsp/ share. */
#ifndef PTO_LSP_SERVER_H
#define PTO_LSP_SERVER_H

#include "grammar/text.h"
#include "lsp/document.h"
#include "lsp/lsp.h"

enum error_code { /* LSP 3.17, ErrorCodes and LSPErrorCodes */
                  ERROR_PARSE = -32700,
                  ERROR_INVALID_REQUEST = -32600,
                  ERROR_METHOD_NOT_FOUND = -32601,
                  ERROR_INVALID_PARAMS = -32602,
                  ERROR_INTERNAL = -32603,
                  ERROR_NOT_INITIALIZED = -32002,
                  ERROR_CANCELLED = -32800,
};

enum phase { PHASE_NEW, PHASE_RUNNING, PHASE_SHUT_DOWN };

struct waiting {
    json_t *message; /* NULL: the bytes were no JSON */
    bool cancelled;
};

struct lsp {
    struct mem mem;
    struct lsp_options options;
    enum phase phase;
    bool ended;
    int status;
    enum encoding encoding;
    struct buffer input;
    const char *broken; /* why its rest holds no frames; NULL: it may */
    VEC(struct waiting) queue;
    size_t next; /* of the queue */
    VEC(struct document *) documents;
    struct buffer *out;
};

/* What a handler is asked, and why it fails. */
struct request {
    struct lsp *server;
    json_t *params;
    enum error_code error; /* 0: none */
    const char *reason;
};

/* ---- stream.c: frames ---- */

/* Moves complete messages from the input to the queue. */
void stream_read(struct lsp *s);
/* Nobody can tell where the next message begins: says so and ends. */
void stream_give_up(struct lsp *s);
/* Appends a message, whose reference it takes. */
void stream_write(struct lsp *s, json_t *message);

/* ---- server.c ---- */

/* Sets the error; NULL. */
json_t *refuse(struct request *r, enum error_code code, const char *reason);
struct document *find_document(const struct lsp *s, const char *uri);
struct document *find_document_by_path(const struct lsp *s, const char *path);
void notify(struct lsp *s, const char *method, json_t *params);
json_t *make_range(const struct lsp *s, const struct document *d, size_t begin, size_t end);
/* The open document of params.textDocument. NULL: the error is set. */
struct document *request_document(struct request *r);
/* Also params.position. False: the error is set. */
bool request_place(struct request *r, struct document **d, size_t *offset);
/* False: no range. */
bool read_place(json_t *position, struct place *place);
bool read_range(json_t *range, struct place *begin, struct place *end);

/* ---- sync.c: documents come, change and go ---- */

json_t *do_open(struct request *r);
json_t *do_change(struct request *r);
json_t *do_close(struct request *r);
json_t *do_save(struct request *r);

/* ---- analysis.c: what the assembler says ---- */

void publish_due(struct lsp *s);
/* A place in any file. */
json_t *make_location(struct lsp *s, const char *file, struct loc loc);
const struct definition *find_definition(const struct document *d, const char *name, size_t size);

/* ---- navigate.c ---- */

/* What the client points at: the word, and the statement around it. */
struct spot {
    struct text_token token;   /* kind TEXT_END: none */
    struct text_token command; /* first word of the statement; TEXT_END: none yet */
    unsigned commas;           /* before the place, since the command */
    bool destination;          /* behind -> */
    struct text_token key;     /* before `=`; TEXT_END: none */
    bool comment;              /* in one, where nothing is said */
};

/* `before`: the token that ends at the place belongs to it, but not one that begins there. */
struct spot find_spot(const struct document *d, size_t offset, bool before);
json_t *do_definition(struct request *r);
json_t *do_references(struct request *r);
json_t *do_highlight(struct request *r);
json_t *do_symbols(struct request *r);
json_t *do_format(struct request *r);
json_t *do_format_range(struct request *r);

/* ---- hover.c, complete.c ---- */

json_t *do_hover(struct request *r);
json_t *do_complete(struct request *r);

/* ---- describe.c: the tables in words ---- */

/* Each appends to `out`; false: there is no such thing. */
bool describe_mnemonic(struct buffer *out, const char *name, size_t size);
bool describe_directive(struct buffer *out, const char *name, size_t size);
bool describe_tile_operation(struct buffer *out, const char *name, size_t size);
bool describe_op(struct buffer *out, const char *name, size_t size);
bool describe_member(struct buffer *out, const char *name, size_t size);
void describe_syntax(struct buffer *out, const struct isa_spelling *s);
/* The operands and the meaning of a directive. NULL: it is none. */
const char *directive_text(const char *name);

#endif
