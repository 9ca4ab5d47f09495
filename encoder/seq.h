/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What matching and printing of SEQ operands share: names of wait and update
 * modes, and immediates typed by the record's dtype. Internal to encoder/.
 */
#ifndef PTO_ENCODER_SEQ_H
#define PTO_ENCODER_SEQ_H

#include "encoder/field.h"

/* ---- waits and updates ---- */

/* What a wait or update says besides index and value. */
struct seq_event {
    bool update, event;
    uint8_t relation; /* enum ast_relation or enum ast_update */
    bool complete;    /* update: at completion */
    bool flip;        /* wait on an event: change it afterwards */
    bool by_register; /* the value is a register's number */
    bool offset;      /* wait: the register's number in the low byte, an offset above it */
};

/* SEM_BASE_OFFSET: the register in the low byte, 24 bits of offset above it. */
enum { SEQ_BASE_REGISTER = 0xff, SEQ_OFFSET_LSB = 8, SEQ_OFFSET_MAX = 0xffffff };

/* The mode of `e`, or NULL when the generation has none. */
const struct isa_member *seq_event_mode(const struct isa_enumeration *modes,
                                        const struct seq_event *e, isa_revset revs);
/* What a mode means; false when no text says it. */
bool seq_event_of_mode(const struct isa_enumeration *modes, uint64_t mode, bool update,
                       isa_revset revs, struct seq_event *out);
/* True when the text shows a threshold or immediate ($S[1]>0, but not $S[1]++). */
bool seq_event_has_value(const struct seq_event *e);

/* ---- typed immediates ---- */

struct seq_type {
    bool is_float, is_signed;
    unsigned bits; /* 0: a type that has no immediates */
    const char *name;
};

/* The type named by the record's dtype field. */
struct seq_type seq_type_of(const struct isa_insn *in, isa_revset revs);
/* Legal integers of an immediate, and the bits it takes; a wider field does not widen it. */
struct limits seq_type_limits(const struct seq_type *t);
uint64_t seq_type_mask(const struct seq_type *t);

#endif
