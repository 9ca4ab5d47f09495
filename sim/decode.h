/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instruction words to straight runs of predecoded ops, kept by address until
 * a store hits them. A run ends at an instruction that may go elsewhere, at a
 * page's worth of ops, or where the program ends.
 */
#ifndef PTO_SIM_DECODE_H
#define PTO_SIM_DECODE_H

#include "sim/pe.h"

/* Cases of the dispatch loop; LABEL_CALL and LABEL_CHECKED serve every handler. */
enum op_label {
#define LABEL(name) LABEL_##name,
#include "sim/label.def"
#undef LABEL
    LABEL_COUNT
};

typedef void (*prepare_fn)(struct op *op, const struct isa_insn *insn);

/* One row of exec_*.c: which instructions, by mnemonic or else by semantic class, and what runs
 * them. */
struct handler {
    int16_t mnemonic; /* ISA_MNEM_…; ANY: see klass */
    int16_t klass;    /* ISA_CLASS_… when mnemonic is ANY */
    exec_fn exec;
    prepare_fn prepare;
    uint8_t label; /* a case of its own for what programs do most */
    uint8_t rule;
    uint8_t flags;
    uint8_t argument; /* becomes op->aux before prepare */
};

enum { ANY = -1 };
#define BY_NAME(name, ...)                                                                         \
    {                                                                                              \
        .mnemonic = ISA_MNEM_##name, .klass = ANY, __VA_ARGS__                                     \
    }
#define BY_CLASS(name, ...)                                                                        \
    {                                                                                              \
        .mnemonic = ANY, .klass = ISA_CLASS_##name, __VA_ARGS__                                    \
    }
enum { HANDLER_ALONE = 0x40 }; /* flag: the only op of its block, so that CYCLE is exact */

struct handler_table {
    const struct handler *rows;
    size_t count;
};
extern const struct handler_table alu_handlers, bru_handlers, agu_handlers, amo_handlers,
    sys_handlers, fsu_handlers, header_handlers, template_handlers;

enum { NEXT_RUNS = 4 };

struct decoded {
    uint64_t pc, end; /* end: behind the last instruction */
    struct op *ops;
    uint32_t nops, ninsns;
    bool valid;
    struct decoded *hash_next;
    struct decoded *next[NEXT_RUNS]; /* where control went before, by decoded_next */
};

/* The place where a run remembers the one at `pc` as its successor. */
static inline struct decoded **decoded_next(struct decoded *run, uint64_t pc)
{
    return &run->next[pc >> 2 & (NEXT_RUNS - 1)];
}

void blocks_create(struct sim *s);
void blocks_destroy(struct sim *s);
/* The run that starts at `pc`. NULL: no executable memory there (nothing recorded). */
struct decoded *blocks_at(struct sim *s, uint64_t pc);
/* Releases what invalidation left, when it is much. Runs found before are gone afterwards. */
void blocks_collect(struct sim *s);
/* Forgets every run that touches a page. */
void blocks_invalidate(struct sim *s, uint64_t page);
/* Forms of s->target without a handler, one line each. Returns how many. */
unsigned blocks_list_unimplemented(const struct sim *s, struct buffer *out);

/* ---- for prepare functions ---- */

/* Sources and destinations by their field names, modifier, shift amount, the immediate. */
void prepare_operands(struct op *op, const struct isa_insn *insn);
/* A field's value as its width says, whatever the row's kind. */
uint64_t field_unsigned(const struct isa_insn *insn, unsigned field);
uint64_t field_signed(const struct isa_insn *insn, unsigned field);
uint8_t destination_cell(unsigned selector);

#endif
