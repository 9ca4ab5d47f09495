/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements as text, for tests of the parser. One line a statement. */
#ifndef PTO_TESTS_GRAMMAR_DUMP_H
#define PTO_TESTS_GRAMMAR_DUMP_H

#include "grammar/ast.h"

void dump_expr(struct buffer *out, const struct ast_expr *e);
void dump_type(struct buffer *out, const struct ast_type *t);
void dump_stmt(struct buffer *out, const struct ast_stmt *s);

#endif
