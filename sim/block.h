/* SPDX-License-Identifier: BSD-3-Clause */
/* Beginning, completing and stopping blocks. */
#ifndef PTO_SIM_BLOCK_H
#define PTO_SIM_BLOCK_H

#include "sim/pe.h"

struct block_start {
    uint64_t pc; /* of the BSTART */
    uint64_t target, sequential, return_target;
    enum block_kind kind;
    enum block_transfer transfer;
};

void block_begin(struct pe *pe, const struct block_start *start);
/* The tile operation that a start names; NULL: none, or no start. */
const struct isa_tileop *block_operation(const struct sim *s, const struct isa_insn *insn);
void block_clear_header(struct block *b);
/* Will a stop leave the sequential path? */
bool block_leaves(const struct block *b);
/* Completes the open block with `next` as the sequential continuation (asl: CompleteBundleAt).
 * EXEC_JUMP: pe->pc is the continuation. EXEC_STOP: the PE waits for the others. */
enum exec_status block_complete(struct pe *pe, const struct op *op, uint64_t next);
void block_stop(struct pe *pe, uint64_t next);
/* The fault of anything but a stop or start after ACRC. */
enum exec_status after_acrc(struct pe *pe, const struct op *op);
/* Takes the snapshot that tile operations see. */
void block_snapshot(const struct sim *s, const struct pe *pe, uint64_t pc, uint8_t ready,
                    struct bundle *out);
/* PEs that must stand at the commit; never more than a non-collective bundle can get here. */
uint8_t block_needs(const struct sim *s, const struct bundle *b);
/* Runs the operation of a snapshot. False: fault recorded. */
bool block_run_operation(struct sim *s, struct bundle *b);

/* ---- what most blocks need, inline for the dispatch loop ---- */

static inline void block_set_condition(struct pe *pe, bool answer)
{
    pe->commit_argument = answer;
    pe->block.taken = answer;
    pe->block.condition_set = true;
}

static inline bool block_selects_target(const struct block *b)
{
    return b->transfer == TRANSFER_COND ? b->taken : b->transfer != TRANSFER_FALL;
}

static inline void block_clear_marks(struct block *b)
{
    b->target_set = b->condition_set = b->terminal_pending = false;
}

/* Of a block whose header has nothing but its form. */
static inline void block_close(struct pe *pe, uint64_t pc)
{
    struct block *b = &pe->block;
    pe->pc = pc;
    b->active = b->body = false;
    block_clear_marks(b);
    b->header.form = NULL;
    b->kind = BLOCK_STANDARD;
    b->transfer = TRANSFER_FALL;
    b->taken = false;
    b->bpcn = b->sequential = b->return_target = 0;
    pe->bpc = 0;
}

static inline void block_open(struct pe *pe, const struct block_start *start)
{
    struct block *b = &pe->block;
    block_clear_marks(b);
    b->active = true;
    b->body = false;
    b->kind = (uint8_t)start->kind;
    bool system = start->kind == BLOCK_SYSTEM; /* has no candidate continuation */
    b->transfer = (uint8_t)(system ? TRANSFER_FALL : start->transfer);
    b->taken = !system && start->transfer != TRANSFER_COND;
    b->bpcn = system ? 0 : start->target;
    b->sequential = start->sequential;
    b->return_target = start->return_target;
    pe->bpc = start->pc;
    pe->pc = start->sequential;
    if (start->transfer == TRANSFER_CALL || start->transfer == TRANSFER_ICALL) {
        pe->return_address = start->return_target;
        pe->reg[REG_RA] = start->return_target;
    }
}

#endif
