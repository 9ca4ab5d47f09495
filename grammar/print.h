/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statements to text. PTO-AS comes out in one canonical spelling: tile types
 * compact and without their defaults, one blank between parts, two blanks of
 * indentation a region; comments are gone. Which of several forms of an
 * operation was written (per-operand or grouped types, generic form, both
 * attribute syntaxes, aliases, spelled numbers) stays as it was. Machine
 * instructions and directives keep their own text.
 */
#ifndef PTO_GRAMMAR_PRINT_H
#define PTO_GRAMMAR_PRINT_H

#include "grammar/ast.h"

/* Appends the statement and a line end; `depth` is the number of regions around it (a `}` and a
 * block label count as inside the region that they belong to). Parsing the result gives the same
 * statement, and printing that the same text. */
void print_stmt(struct buffer *out, const struct ast_stmt *stmt, unsigned depth);

/* One type, and one attribute value. */
void print_type(struct buffer *out, const struct ast_type *type);
void print_attr(struct buffer *out, const struct ast_attr *attr);

#endif
