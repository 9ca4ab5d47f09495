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

#endif
