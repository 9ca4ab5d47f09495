/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instruction in words of one's own choice: any spelling of its form, other
 * names of a value, sizes in bytes, numbers to any base, keys left out or
 * moved, optional brackets and operands present or not. Written from the row
 * syntax of isa/README.md, apart from encoder/print.c.
 */
#ifndef PTO_TESTS_ENCODER_SPELL_H
#define PTO_TESTS_ENCODER_SPELL_H

#include "tests/encoder/batch.h"

/* Sets what the spelling implies and clears what it cannot say. False: a condition of the spelling
 * or a constraint of the form does not hold for these values. */
bool spell_prepare(const struct isa_spelling *sp, isa_revset revs, struct isa_insn *in);

/* Appends the text, no newline. False, with nothing appended: a value has no text. */
bool spell(struct dice *d, const struct isa_spelling *sp, isa_revset revs,
           const struct isa_insn *in, struct buffer *out);

#endif
