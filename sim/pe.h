/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One PE: registers, the open block, system registers, saved trap contexts;
 * and the predecoded form of its instructions.
 *
 * Registers are one file of 32, as the 5-bit source selectors see it: 0..23 the
 * GPRs (0 reads as zero), 24..27 T#1..T#4, 28..31 U#1..U#4, newest first. Two
 * further cells take writes that have no effect. Which queue entries hold a
 * value is one bit each; an instruction carries the bits that it needs.
 */
#ifndef PTO_SIM_PE_H
#define PTO_SIM_PE_H

#include <string.h>

#include "sim/machine.h"

enum {
    REG_ZERO = 0,
    REG_RA = 10,
    REG_T = 24, /* T#1 as a source */
    REG_U = 28, /* U#1 as a source */
    REG_SOURCES = 32,
    REG_DISCARD = 32, /* destination 0 and 24..29 */
    REG_FILE = 33,
    /* Destinations beyond the file push a queue. */
    REG_PUSH_U = 33,
    REG_PUSH_T = 34,
};

/* ---- blocks ---- */

enum block_kind { /* codes of EBARG control words and LSRGET */
                  BLOCK_STANDARD = 0,
                  BLOCK_FLOATING = 1,
                  BLOCK_SYSTEM = 2,
                  BLOCK_ELEMENT = 5,
                  BLOCK_MEMORY = 6,
                  BLOCK_MATRIX = 7,
                  BLOCK_FRAME = 8,
};

enum block_transfer {
    TRANSFER_FALL,
    TRANSFER_DIRECT,
    TRANSFER_COND,
    TRANSFER_CALL,
    TRANSFER_RET,
    TRANSFER_IND,
    TRANSFER_ICALL,
};

struct block {
    bool active, body;
    bool target_set;       /* C.SETC.TGT was used */
    bool condition_set;    /* a SETC.* was used */
    bool terminal_pending; /* ACRC was executed: only a stop or start may follow */
    bool taken;
    uint8_t kind;     /* enum block_kind */
    uint8_t transfer; /* enum block_transfer */
    uint64_t bpcn;    /* candidate next PC */
    uint64_t sequential;
    uint64_t return_target;
    /* The header holds more than its form: to be cleared at the stop. Away from the flags above:
     * tested together with them it would be one load, wider than the stores before it. */
    bool header_used;
    struct bundle header;
};

/* A template instruction that a fault interrupted resumes where it stopped. */
struct copy_template {
    bool active;
    uint64_t pc, destination, source, length, progress;
};

enum frame_kind { FRAME_ENTRY, FRAME_EXIT, FRAME_RETURN_RA, FRAME_RETURN_STACK };

struct frame_template {
    bool active, adjusted, target_valid;
    uint8_t kind; /* enum frame_kind */
    uint8_t first, count, progress;
    uint64_t pc, size, caller_sp, target;
    uint64_t source[SIM_GPRS];
};

/* ---- traps ---- */

struct context { /* what a trap saves and ACRE restores */
    uint64_t pc, bpc, core_state, return_address, commit_argument;
    struct block block;
    struct copy_template copy;
    struct frame_template frame;
    uint64_t queue[2 * SIM_QUEUE_DEPTH];
    uint32_t queue_valid;
    uint32_t predicate[8];
};

struct ring { /* trap bank of one access control ring */
    bool asynchronous, argument_valid, context_valid;
    uint8_t number;
    uint32_t cause;
    uint64_t argument;
    uint8_t source_ring;
    struct context context;
};

/* Extended system registers: low addresses 0xf00..0xfff of each ring. */
enum { EXT_FIRST = 0xf00, EXT_COUNT = 0x100 };

/* ---- the PE ---- */

enum pe_state {
    PE_RUNNING,
    PE_COMMIT, /* waits at the commit of a tile bundle */
    PE_ENDED,
    PE_OFF, /* not part of this run */
};

enum pe_end { END_NONE, END_RETURN, END_OF_CODE, END_BREAK };

struct mem_cache { /* the page of a late access; NO_PAGE: nothing cached */
    uint64_t page;
    uint8_t *data;
};
enum { MEM_CACHE_BITS = 5, MEM_CACHE_SIZE = 1 << MEM_CACHE_BITS };

struct decoded;

struct pe {
    uint64_t reg[REG_FILE];
    uint32_t queue_valid; /* bit 24+n: T#n+1, bit 28+n: U#n+1 holds a value */
    uint8_t number;
    uint8_t state; /* enum pe_state */
    uint8_t end;   /* enum pe_end */
    uint8_t acr;   /* current ring */
    uint64_t pc, bpc;
    uint64_t cycle;                                               /* attempted instructions */
    struct mem_cache load[MEM_CACHE_SIZE], store[MEM_CACHE_SIZE]; /* by mem_cache_slot */
    struct sim *sim;

    struct block block;
    uint64_t return_address, commit_argument;
    struct copy_template copy;
    struct frame_template frame;
    uint32_t predicate[8];

    bool reserved; /* LR reservation of the 64-byte line of reservation_address */
    uint8_t reservation_size;
    uint64_t reservation_address;
    uint8_t fence_predecessor, fence_successor;
    uint64_t epoch_data, epoch_instruction, epoch_block, epoch_tlb, epoch_hint, epoch_request;

    uint64_t thread_ptr, global_ptr, core_state, core_id, thread_id, vendor, version, core_feature,
        core_feature_enable, tile_capacity, blocknum, blockid;
    uint64_t *ext; /* [SIM_RINGS][EXT_COUNT] */
    struct ring *rings;

    bool commit_done;  /* the tile operation of the open block has run: go on with the stop */
    bool keep_context; /* a fault of ACRE leaves the context that it could not enter */
    /* The last trap: the same fault as the next attempt would come for ever. */
    struct {
        bool taken;
        uint64_t pc, cycle;
    } last_trap;
    uint32_t break_tag;
};

/* ---- predecoded instructions ---- */

enum exec_status {
    EXEC_NEXT,  /* go on with the next op */
    EXEC_JUMP,  /* pe->pc was set */
    EXEC_FAULT, /* sim->fault was set */
    EXEC_STOP,  /* pe->state was set; pe->pc is right */
};

/* Streams that lie powers of two apart do not share a slot. */
static inline struct mem_cache *mem_cache_slot(struct mem_cache *caches, uint64_t page)
{
    uint64_t hash = page ^ page >> MEM_CACHE_BITS ^ page >> (2 * MEM_CACHE_BITS);
    return &caches[hash & (MEM_CACHE_SIZE - 1)];
}

struct op;
typedef enum exec_status (*exec_fn)(struct pe *pe, const struct op *op);

enum {                /* op flags */
       OP_ENDS = 1,   /* last op of its block */
       OP_SCALAR = 2, /* enters the body of an open block */
       OP_PSEUDO = 4, /* not an instruction */
};

struct op {
    exec_fn exec;
    uint64_t pc;
    uint64_t imm;
    uint8_t label;      /* enum op_label: case of the dispatch loop */
    uint8_t checked;    /* with LABEL_CHECKED: the case behind the checks */
    uint8_t before;     /* instructions before this one in its run */
    uint8_t rd, rd1;    /* destinations: 1..23, REG_DISCARD, REG_PUSH_… */
    uint8_t ra, rb, rc; /* sources: cells of reg[] */
    uint8_t modifier;   /* enum right_modifier */
    uint8_t shift;
    uint8_t size;   /* memory access or field width */
    uint8_t aux;    /* the handler row's argument, or what its prepare function stored */
    uint8_t length; /* bytes of the instruction */
    uint8_t flags;
    uint8_t rule;        /* enum op_rule */
    uint32_t queue_need; /* bits of pe->queue_valid */
    const struct isa_insn *insn;
};

enum op_rule { /* where an instruction may stand (asl: ScalarOperationApplicable) */
               RULE_ANYWHERE,
               RULE_CONDITION,  /* SETC.*: body of a COND block, once */
               RULE_TARGET,     /* SETC.TGT: STD or FP block */
               RULE_TARGET_ONE, /* C.SETC.TGT: the same, once */
               RULE_BODY,       /* LSRGET: body of a block */
               RULE_SYSTEM,     /* body of a SYS block */
};

enum right_modifier { RIGHT_NONE, RIGHT_SW, RIGHT_UW, RIGHT_NEG, RIGHT_NOT };

static inline void put(struct pe *pe, unsigned rd, uint64_t value)
{
    if (__builtin_expect(rd < REG_FILE, 1)) {
        pe->reg[rd] = value;
        return;
    }
    unsigned first = rd == REG_PUSH_T ? REG_T : REG_U;
    uint64_t *queue = &pe->reg[first];
    memmove(queue + 1, queue, (SIM_QUEUE_DEPTH - 1) * sizeof *queue);
    queue[0] = value;
    uint32_t mask = 0xfu << first;
    pe->queue_valid = (pe->queue_valid & ~mask) | ((pe->queue_valid << 1) & mask) | 1u << first;
}

static inline uint64_t right_modified(uint64_t value, unsigned modifier)
{
    switch (modifier) {
    case RIGHT_SW:
        return (uint64_t)(int64_t)(int32_t)value;
    case RIGHT_UW:
        return (uint32_t)value;
    case RIGHT_NEG:
        return -value;
    case RIGHT_NOT:
        return ~value;
    default:
        return value;
    }
}

/* The right operand of register and immediate forms alike: the latter read r0. */
static inline uint64_t right_operand(const struct pe *pe, const struct op *op)
{
    return (right_modified(pe->reg[op->rb], op->modifier) << op->shift) + op->imm;
}

/* Records a fault of the instruction. Always EXEC_FAULT. */
enum exec_status op_fault(struct pe *pe, const struct op *op, enum fault_kind kind,
                          uint64_t address, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* As it is printed: "B.DIM". */
static inline const char *form_name(const struct isa_form *form)
{
    return isa_spellings[form->spelling].mnemonic;
}

/* ---- traps and system registers (trap.c) ---- */

/* Saves the context and enters the target ring for sim->fault; pe->pc becomes the vector, or the
 * fault address when EVBASE is 0. False: no trap reports a fault of this kind to the guest. */
bool trap_take(struct pe *pe);
/* An interrupt (0..63) from outside becomes pending and, where its ring enables it, is taken
 * between two instructions (asl: RaiseInterrupt). No instruction and no timer raises one. */
void trap_interrupt(struct pe *pe, unsigned id, uint32_t cause);
/* The ring a fault of this PE traps to has a handler. */
bool trap_has_handler(const struct pe *pe);
bool trap_recoverable(const struct pe *pe, unsigned ring);
void trap_recover(struct pe *pe, unsigned ring);
void pe_set_ring(struct pe *pe, unsigned ring);

static inline uint64_t *ext_register(const struct pe *pe, unsigned ring, unsigned low)
{
    return &pe->ext[ring * EXT_COUNT + (low - EXT_FIRST)];
}

/* ---- data access (memory.c) ---- */

/* Alignment first, then mapping and permission (spec/pto-isa.md D). False: fault recorded. */
bool data_probe(struct pe *pe, const struct op *op, uint64_t address, unsigned size,
                unsigned alignment, enum mem_access access);
/* Where `size` bytes lie in the host's memory, when they are in one cached page; else NULL. */
uint8_t *data_cached(struct pe *pe, uint64_t address, uint64_t size, enum mem_access access);
/* After a successful probe. */
uint64_t data_load(struct pe *pe, uint64_t address, unsigned size);
void data_store(struct pe *pe, uint64_t address, unsigned size, uint64_t value);
/* What a storing handler returns: a store into decoded code leaves the block, so that the next
 * instruction is decoded afresh. */
enum exec_status data_stored(struct pe *pe, const struct op *op);
/* Clears reservations of the 64-byte lines that a store touches. */
void reservation_break(struct sim *s, uint64_t address, uint64_t size);

#endif
