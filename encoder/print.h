/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing operands. Internal to encoder/. */
#ifndef PTO_ENCODER_PRINT_H
#define PTO_ENCODER_PRINT_H

#include "encoder/field.h"

struct printer {
    const struct isa_insn *in;
    const struct isa_print_options *options;
    const struct isa_spelling *spelling;
    isa_revset revs;
    struct buffer *out;
};

static inline uint64_t printed_value(const struct printer *p, unsigned field, unsigned element)
{
    return p->in->value[p->in->form->fields[field].index + element];
}

void print_text(struct printer *p, const char *text);
void print_number(struct printer *p, bool is_signed, int64_t number);
/* The caller's text for a field that takes relocations; false: it has none. */
bool print_label(struct printer *p, unsigned field, unsigned element);
/* One element of a field by its kind, in units of the text. */
void print_field(struct printer *p, const struct isa_operand *op, unsigned field, unsigned element);

/* SEQ operands (seq_print.c). shown is false when the operand is absent, shows when its text does
 * not give the value of that field. */
bool seq_operand_shown(const struct printer *p, const struct isa_operand *op);
bool seq_operand_shows(const struct printer *p, const struct isa_operand *op, unsigned field);
void print_seq_operand(struct printer *p, const struct isa_operand *op);
/* True when the operand's text says all that its fields hold. */
bool seq_operand_says_all(const struct printer *p, const struct isa_operand *op);

#endif
