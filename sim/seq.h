/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The SEQ engines' inside. Included by sim/seq*.c only.
 *
 *   seq.c        engines, fetch, schedule, waits and updates, reports
 *   seq_exec.c   one handler a record      seq_alu.c   ALU_OP and comparisons
 *   seq_tensor.c TENSOR_LOAD, TENSOR_STORE  seq_text.c   engines for a reader
 *
 * Facts and conventions: docs/seq.md. A record is checked completely before it
 * waits, and waits before it acts.
 */
#ifndef PTO_SIM_SEQ_H
#define PTO_SIM_SEQ_H

#include "sim/machine.h"

enum {
    SEQ_RECORD = 64,
    SEQ_REGISTERS = 64,
    SEQ_PC_LOW = 128, /* register specifiers that read the current record's address */
    SEQ_PC_HIGH = 129,
    SEQ_SEMAPHORES = 256,
};

/* One wait or update: the inline EVENTS block or the extended one. */
struct seq_events {
    uint8_t wait_mode, wait_idx, update_mode, update_idx;
    uint32_t wait_value, update_value;
};

enum seq_state { SEQ_ABSENT, SEQ_READY, SEQ_WAITING, SEQ_ENDED };

struct seq_engine {
    const char *name; /* "pool" */
    uint8_t state;    /* enum seq_state */
    uint64_t pc, start, end;
    uint32_t r[SEQ_REGISTERS];
    uint8_t waited;             /* event blocks of the record at pc whose wait is over */
    struct seq_events blocking; /* SEQ_WAITING: what it waits for */
};

struct seqs {
    struct seq_engine engine[SIM_ENGINES];
    uint32_t semaphore[SEQ_SEMAPHORES];
    bool event[SEQ_SEMAPHORES];
    bool strong_order;    /* SET_ORDERING_MODE; a serial machine has nothing to reorder */
    uint64_t random;      /* --schedule=seed:N; 0: round-robin */
    uint8_t turn, idle;   /* whose turn it is; how many turns nobody did anything */
    bool drawn;           /* the turn was drawn already, and paused */
    const char *conflict; /* two sections for one engine */
};

/* A record being executed. */
struct seq_op {
    struct sim *s;
    struct seqs *q;
    struct seq_engine *e;
    const uint8_t *bytes;
    struct isa_insn insn; /* raw values of every field, unchecked */
    uint64_t next;        /* PC after it */
    bool halt;
};

struct seq_handler {
    uint16_t mnemonic;              /* ISA_MNEM_… */
    bool (*run)(struct seq_op *op); /* false: seq_fault was called */
};
extern const struct seq_handler seq_handlers[];
extern const size_t seq_handler_count;

uint32_t seq_field(const struct seq_op *op, unsigned field);
uint64_t seq_field64(const struct seq_op *op, unsigned field);
uint32_t seq_element(const struct seq_op *op, unsigned field, unsigned k);
bool seq_is_register(uint32_t specifier); /* 0..63, 128, 129: can be read */
uint32_t seq_read(const struct seq_op *op, uint32_t specifier);
void seq_write(struct seq_op *op, uint32_t specifier, uint32_t value); /* 128, 129: ignored */
/* Always false. */
bool seq_fault(struct seq_op *op, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* SeqUpdateMode on semaphore or event `id`; `value` for the modes that take one. */
void seq_update(struct seqs *q, unsigned mode, unsigned id, uint32_t value);
bool seq_update_reads_register(unsigned mode);
/* Is [address, +size) there? False: seq_fault was called. */
bool seq_memory(struct seq_op *op, uint64_t address, uint64_t size, enum mem_access access);

/* ---- tensor access (seq_tensor.c) ---- */

bool seq_run_tensor(struct seq_op *op);

/* ---- ALU (seq_alu.c) ---- */

enum seq_alu_status { SEQ_ALU_OK, SEQ_ALU_OP, SEQ_ALU_TYPE, SEQ_ALU_ZERO };

/* dst = op(a, b) of one dtype, result converted to dst_dtype. 32-bit values are zero-extended. */
enum seq_alu_status seq_alu(unsigned op, unsigned dtype, unsigned dst_dtype, uint64_t a, uint64_t b,
                            uint64_t *result);
bool seq_alu_is_wide(unsigned dtype); /* a register pair */
/* ISA_SeqCompare_LT … GT at the dtype's width and sign. False: no such dtype. */
bool seq_compare(unsigned comparison, unsigned dtype, uint32_t a, uint32_t b, bool *result);

#endif
