/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of a source: blanks at the ends and beginnings of lines, before
 * operands, around commas and before comments, and empty lines. Nothing else
 * changes, so that the text assembles to the same bytes; what is not understood
 * stays as it is. To format twice changes nothing.
 *
 *   labels and `name = value` that stand there in column 1; mnemonics in column
 *   9, two further on in a bundle, operands 8 behind them (16 in SEQ); comments behind code
 *   in one column until the next empty line; at most one empty line; PTO-AS
 *   lines two blanks a region, what goes on in the next line with its statement
 */
#ifndef PTO_GRAMMAR_FORMAT_H
#define PTO_GRAMMAR_FORMAT_H

#include "support/support.h"

/* Lines count from 1; those outside [first, last] stay as they are. last 0: all. */
struct format_range {
    uint32_t first, last;
};

/* Appends the formatted text. */
void format_text(struct buffer *out, const char *text, size_t size, struct format_range range);

#endif
