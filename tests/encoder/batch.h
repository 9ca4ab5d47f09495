/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many lines as one source: each is assembled and must give the word it was
 * made from. Failures are printed (the first few) and counted.
 */
#ifndef PTO_TESTS_ENCODER_BATCH_H
#define PTO_TESTS_ENCODER_BATCH_H

#include "encoder/encoder.h"

enum { BATCH_LINES = 2000 };

struct batch_line {
    uint8_t bytes[ISA_MAX_LENGTH];
    uint8_t length;
    bool canonical; /* the text is what isa_print says, and must come back from the word */
    uint32_t text;  /* where it begins in `source` */
};

struct batch {
    struct mem mem;
    struct intern *names;
    struct diag *diag;
    struct grammar *grammar;
    struct isa_target target;
    struct buffer source, again;
    struct batch_line line[BATCH_LINES];
    unsigned count, next, failures;
    uint64_t words; /* assembled so far */
    char message[256];
};

/* Fixtures of a cmocka test; the state is the batch. The target is pto0.58.3 and cayman. */
int batch_set_up(void **state);
int batch_tear_down(void **state);

/* Adds the canonical text of a decoded word; false when it has none. */
bool batch_add(struct batch *b, const struct isa_insn *insn, const uint8_t *bytes);
/* Decodes a PTO word and adds it. */
bool batch_add_word(struct batch *b, const uint8_t *bytes, size_t n);
/* Ends a line that was appended to `source` in other words and must give the bytes of `insn`. */
void batch_add_text(struct batch *b, const struct isa_insn *insn);
/* Assembles what is there. Before the target changes, and at the end. */
void batch_flush(struct batch *b);

/* The same bits in every run: splitmix64. */
struct dice {
    uint64_t state;
};
uint64_t dice_bits(struct dice *d);
unsigned dice_below(struct dice *d, unsigned n);

/* Stores the low n bytes, as in memory. */
void store_word(uint8_t *bytes, uint64_t word, unsigned n);

#endif
