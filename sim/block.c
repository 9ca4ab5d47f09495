/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Life of a block: begin, complete, stop (asl/block/model/lifecycle,
 * commit/validation.asl, dispatch/start.asl; spec/pto-isa.md C).
 *
 * A tile operation runs at the commit, once for all PEs that stand there. With
 * several PEs the first visit parks the PE (PE_COMMIT); the scheduler runs the
 * operation when no PE can go on otherwise, and the instruction is executed
 * again with `commit_done` set.
 */
#include "sim/block.h"

enum { DATA_TYPE_NONE = 31, PAD_NULL = 3 };

void block_clear_header(struct block *b)
{
    block_clear_marks(b);
    b->header_used = false;
    b->header = (struct bundle){
        .datr = {.data_type = DATA_TYPE_NONE, .pad = PAD_NULL},
    };
}

/* Most blocks of a program have no header commands and leave the header as it was. */
static void clear_used_header(struct block *b)
{
    if (b->header_used)
        block_clear_header(b);
    block_clear_marks(b);
    b->header.form = NULL;
}

static uint64_t commit_pc(const struct block *b, uint64_t next)
{
    return block_selects_target(b) ? b->bpcn : next;
}

bool block_leaves(const struct block *b)
{
    return b->active && block_selects_target(b);
}

/* ---- commit ---- */

void block_snapshot(const struct sim *s, const struct pe *pe, uint64_t pc, uint8_t ready,
                    struct bundle *out)
{
    *out = pe->block.header;
    out->start = pe->bpc;
    out->pc = pc;
    out->pe = pe->number;
    out->ready = ready;
    for (unsigned p = 0; p < SIM_PES; p++)
        for (unsigned i = 0; i < SIM_IOR_SOURCES; i++)
            out->scalar[p][i] = out->ior_present ? s->pes[p].reg[out->ior_source[i]] : 0;
}

/* Nothing takes part: only zero masks were bound. */
static bool without_participants(const struct bundle *b)
{
    return b->zero_participation && b->niot == 0 && b->nios == 0;
}

static bool others_may_come(const struct sim *s)
{
    return !s->conformance && s->options.pes > 1;
}

static enum exec_status commit_operation(struct pe *pe, const struct op *op)
{
    struct sim *s = pe->sim;
    if (!pe->block.header.op || without_participants(&pe->block.header))
        return EXEC_NEXT;
    if (pe->commit_done) {
        pe->commit_done = false;
        return EXEC_NEXT;
    }
    if (others_may_come(s)) {
        pe->pc = op->pc;
        pe->state = PE_COMMIT;
        return EXEC_STOP;
    }
    struct bundle b;
    block_snapshot(s, pe, op->pc, s->conformance ? SIM_ALL_PES : pe_bit(pe->number), &b);
    if (!block_run_operation(s, &b))
        return EXEC_FAULT;
    return EXEC_NEXT;
}

static uint8_t present_pes(const struct sim *s)
{
    uint8_t present = 0;
    for (unsigned i = 0; i < SIM_PES; i++)
        if (s->pes[i].state != PE_OFF)
            present |= pe_bit(i);
    return present;
}

static bool is_collective(const struct bundle *b)
{
    return b->op == &isa_tileops[ISA_TILEOP_GMOV];
}

uint8_t block_needs(const struct sim *s, const struct bundle *b)
{
    uint8_t needs = tile_bundle_needs(b);
    return is_collective(b) ? needs : needs & present_pes(s);
}

bool block_run_operation(struct sim *s, struct bundle *b)
{
    if (is_collective(b) && b->ready != SIM_ALL_PES)
        return sim_fault(s, b->pe, FAULT_COLLECTIVE, b->pc, b->pc,
                         "%s needs all 4 PEs, and %d take part", b->op->name,
                         __builtin_popcount(b->ready));
    return tile_execute_bundle(s, b);
}

void block_stop(struct pe *pe, uint64_t next)
{
    uint64_t pc = commit_pc(&pe->block, next);
    clear_used_header(&pe->block);
    block_close(pe, pc);
}

enum exec_status block_complete(struct pe *pe, const struct op *op, uint64_t next)
{
    struct block *b = &pe->block;
    if (!b->active)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "there is no open block to stop");
    uint64_t target = commit_pc(b, next);
    if ((next | target) & 1)
        return op_fault(pe, op, FAULT_INSTRUCTION_PC, target,
                        "the block continues at the odd address 0x%llx",
                        (unsigned long long)target);
    if (b->header.catr.dr && b->kind != BLOCK_ELEMENT && b->kind != BLOCK_MEMORY)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc,
                        "B.CATR dr is for VEC, SFU and TLSU blocks only");
    enum exec_status status = commit_operation(pe, op);
    if (status != EXEC_NEXT)
        return status;
    bool trap = b->header.catr.trap;
    block_stop(pe, next);
    if (trap) {
        op_fault(pe, op, FAULT_POST_COMMIT, pe->pc, "B.CATR trap: the bundle has completed");
        pe->sim->fault.pc = pe->pc;
        return EXEC_FAULT;
    }
    return EXEC_JUMP;
}

enum exec_status after_acrc(struct pe *pe, const struct op *op)
{
    return op_fault(pe, op, FAULT_BUNDLE, op->pc, "only a block stop or start may follow acrc");
}

/* ---- begin ---- */

void block_begin(struct pe *pe, const struct block_start *start)
{
    clear_used_header(&pe->block);
    block_open(pe, start);
}
