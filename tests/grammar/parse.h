/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parses a text and gives back what came out, in order: one line a statement
 * as dump.h writes it, and one line a message:
 *   ! LINE:COL-ENDCOL code: message      (-LINE:COL when it ends elsewhere)
 */
#ifndef PTO_TESTS_GRAMMAR_PARSE_H
#define PTO_TESTS_GRAMMAR_PARSE_H

#include "grammar/grammar.h"

struct parse_case {
    const char *source, *expected;
};

/* What a test does with a statement besides dumping it. May be NULL. */
typedef bool (*parse_hook)(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt);

/* The result is malloc'ed. */
char *parse_text(const char *text, size_t size, parse_hook hook);
/* Compares (cmocka) each case's result with what is expected. */
void check_cases(const struct parse_case *cases, size_t count);
/* One type or one expression. */
char *parse_piece_text(const char *text, bool type);

#endif
