/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text to statements. One language holds all dialects: PTO machine
 * instructions, SEQ instructions, PTO-AS, directives (docs/language.md; lexical
 * rules in the head of scanner.l). The parser is reentrant, knows no encodings
 * and no sections, and delivers one statement at a time.
 */
#ifndef PTO_GRAMMAR_GRAMMAR_H
#define PTO_GRAMMAR_GRAMMAR_H

#include "grammar/ast.h"

struct grammar;

struct grammar_options {
    struct mem *mem;
    struct intern *names;
    struct diag *diag;
    /* Called for each statement in source order. The statement and all it
     * points to die when the call returns. False stops the parse. */
    bool (*statement)(void *ctx, struct grammar *g, const struct ast_stmt *stmt);
    void *ctx;
};

struct grammar *grammar_create(const struct grammar_options *options);
void grammar_destroy(struct grammar *g);

/* Parses one source (text ends with two NUL bytes at text[size], as file_read
 * leaves it; it is not modified and must outlive the grammar). Syntax errors
 * are reported and parsing goes on at the next statement. Returns false when a
 * callback stopped it. */
bool grammar_parse(struct grammar *g, uint32_t file, const char *text, size_t size);

/* From inside a callback: parse `text` before the rest of the current source
 * (.include, macro expansion). `text` must outlive the grammar. `file` comes
 * from diag_add_source. Deeper nesting than GRAMMAR_MAX_SOURCES is refused (returns false). */
enum { GRAMMAR_MAX_SOURCES = 200 };
bool grammar_push(struct grammar *g, uint32_t file, const char *text, size_t size);
unsigned grammar_depth(const struct grammar *g);
/* From inside a callback: drop the rest of the innermost pushed source (.exitm). */
void grammar_pop(struct grammar *g);

/* From inside the callback of a directive: take the raw lines that follow, up
 * to the matching end, out of the parser's sight (macro bodies, false
 * conditionals). Lines whose first word is in `openers` nest until the last word
 * of `closers` (.endif, not .else); the first line at depth 0 whose first word is
 * in `closers` ends it and is *not* consumed when `keep_closer`. Returns false at end of source
 * (reported by the caller). */
struct grammar_lines {
    const char *text; /* points into the source */
    size_t size;
    struct loc loc;     /* of the first line */
    struct loc end;     /* of the closing line */
    const char *closer; /* the element of `closers` that ended it */
};
bool grammar_capture(struct grammar *g, const char *const *openers, const char *const *closers,
                     bool keep_closer, struct grammar_lines *out);

/* One expression or one type from text (command lines, tests). NULL on error (reported). */
const struct ast_expr *grammar_parse_expr(struct grammar *g, uint32_t file, const char *text,
                                          size_t size);
const struct ast_type *grammar_parse_type(struct grammar *g, uint32_t file, const char *text,
                                          size_t size);

#endif
