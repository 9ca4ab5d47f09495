/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dispatch loop. A run of ops executes by computed goto without looking at
 * PC, budget or trace; whatever needs that (tracing, the last instructions of
 * a budget) goes op by op through the same handlers.
 */
#include "sim/run.h"

#include "sim/alu.h"
#include "sim/block.h"
#include "sim/decode.h"
#include "sim/memory.h"
#include "sim/trace.h"

/* ---- checks that few ops need ---- */

static const char *rule_broken(const struct block *b, enum op_rule rule)
{
    bool target_writable = b->active && (b->kind == BLOCK_STANDARD || b->kind == BLOCK_FLOATING);
    bool in_body = b->active && b->body;
    switch (rule) {
    case RULE_CONDITION:
        if (!in_body || b->transfer != TRANSFER_COND)
            return "belongs in the body of a COND block";
        return b->condition_set ? "is the second condition of its block" : NULL;
    case RULE_TARGET:
        return target_writable ? NULL : "belongs in a STD or FP block";
    case RULE_TARGET_ONE:
        if (!target_writable)
            return "belongs in a STD or FP block";
        return b->target_set ? "sets the target a second time" : NULL;
    case RULE_BODY:
        return in_body ? NULL : "belongs in the body of a block";
    case RULE_SYSTEM:
        return in_body && b->kind == BLOCK_SYSTEM ? NULL : "belongs in the body of a SYS block";
    default:
        return NULL;
    }
}

static enum exec_status queue_entry_missing(struct pe *pe, const struct op *op)
{
    unsigned cell = (unsigned)__builtin_ctz(op->queue_need & ~pe->queue_valid);
    bool t = cell < REG_U;
    return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "%c#%u holds no value", t ? 't' : 'u',
                    cell - (t ? REG_T : REG_U) + 1);
}

static enum exec_status run_checked(struct pe *pe, const struct op *op)
{
    const char *broken = rule_broken(&pe->block, op->rule);
    if (broken)
        return op_fault(pe, op, FAULT_BUNDLE, op->pc, "%s %s",
                        op->insn ? form_name(op->insn->form) : "the word", broken);
    if (op->queue_need & ~pe->queue_valid)
        return queue_entry_missing(pe, op);
    return op->exec(pe, op);
}

/* ---- frequent handlers, inline ---- */

/* The right operand without a modifier. */
static inline uint64_t plain_right(const struct pe *pe, const struct op *op)
{
    return (pe->reg[op->rb] << op->shift) + op->imm;
}

static inline bool cached(const struct mem_cache *c, uint64_t address, unsigned size)
{
    return address >> MEM_PAGE_BITS == c->page && !(address & (size - 1));
}

static inline enum exec_status load(struct pe *pe, const struct op *op)
{
    enum { SIGNED = 1 };
    uint64_t address = pe->reg[op->ra] + plain_right(pe, op);
    if (!cached(&pe->load, address, op->size))
        return op->exec(pe, op);
    unsigned unused = 64 - 8u * op->size;
    uint64_t value = data_load(pe, address, op->size) << unused;
    put(pe, op->rd, op->aux & SIGNED ? (uint64_t)((int64_t)value >> unused) : value >> unused);
    return EXEC_NEXT;
}

static inline enum exec_status store(struct pe *pe, const struct op *op)
{
    uint64_t address = pe->reg[op->ra] + plain_right(pe, op);
    if (!cached(&pe->store, address, op->size))
        return op->exec(pe, op);
    data_store(pe, address, op->size, pe->reg[op->rc]);
    return EXEC_NEXT;
}

/* ---- the loop ---- */

/* Labels as values are the one GNU extension that -Wpedantic cannot be told about in place. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

/* Runs ops until one does not go on to the next; *last is that op. EXEC_NEXT: the run's end. */
static enum exec_status run_ops(struct pe *pe, const struct op *op, const struct op **last)
{
    static const void *const cases[] = {
#define LABEL(name) &&L_##name,
#include "sim/label.def"
#undef LABEL
    };
    enum exec_status status;
    goto *cases[op->label];

L_CALL:
    status = op->exec(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    op++;
    goto *cases[op->label];
L_CHECKED:
    status = run_checked(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    op++;
    goto *cases[op->label];
L_ADD:
    put(pe, op->rd, alu_add(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_SUB:
    put(pe, op->rd, alu_sub(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_AND:
    put(pe, op->rd, alu_and(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_OR:
    put(pe, op->rd, alu_or(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_XOR:
    put(pe, op->rd, alu_xor(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_SLL:
    put(pe, op->rd, alu_sll(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_SRL:
    put(pe, op->rd, alu_srl(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_SRA:
    put(pe, op->rd, alu_sra(pe->reg[op->ra], plain_right(pe, op)));
    op++;
    goto *cases[op->label];
L_MOVE:
    put(pe, op->rd, pe->reg[op->ra]);
    op++;
    goto *cases[op->label];
L_LOAD:
    status = load(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    op++;
    goto *cases[op->label];
L_STORE:
    status = store(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    op++;
    goto *cases[op->label];
L_END:
    status = EXEC_NEXT;
leave:
    *last = op;
    return status;
}

#pragma GCC diagnostic pop

static const struct op *next_insn(const struct op *op)
{
    while (op->flags & OP_PSEUDO && op->label != LABEL_END)
        op++;
    return op;
}

/* Asks the watch, once an instruction: not again when its commit has waited for other PEs. */
static bool pauses(struct pe *pe, const struct op *op)
{
    struct sim *s = pe->sim;
    const struct op *insn = next_insn(op);
    if (!s->watch || pe->commit_done || insn->label == LABEL_END)
        return false;
    s->paused = s->watch->insn(s->watch->ctx, pe, insn);
    return s->paused;
}

/* The same by calls, at most `limit` instructions, each shown when tracing is on. */
static enum exec_status step_ops(struct pe *pe, const struct op *op, uint64_t limit,
                                 const struct op **last)
{
    enum exec_status status = EXEC_NEXT;
    bool asked = false;
    for (; op->label != LABEL_END && status == EXEC_NEXT && limit; op++) {
        bool pseudo = op->flags & OP_PSEUDO;
        if (!asked && pauses(pe, op))
            break;
        asked = pseudo;
        if (!pseudo)
            trace_before(pe, op);
        status = op->label == LABEL_CHECKED ? run_checked(pe, op) : op->exec(pe, op);
        if (!pseudo)
            trace_after(pe, op, status);
        limit -= !pseudo;
        if (status != EXEC_NEXT)
            break;
    }
    *last = op;
    return status;
}

/* ---- a PE's turn ---- */

static uint64_t count_insns(const struct op *first, const struct op *last)
{
    uint64_t count = 0;
    for (const struct op *op = first; op < last; op++)
        count += !(op->flags & OP_PSEUDO);
    return count;
}

/* A pseudo op faults for the instruction behind it; a commit that must wait does not count. */
static uint64_t count_executed(const struct pe *pe, const struct decoded *run,
                               const struct op *last, enum exec_status status)
{
    uint64_t before = count_insns(run->ops, last);
    if (status == EXEC_NEXT || (status == EXEC_STOP && pe->state == PE_COMMIT))
        return before;
    return before + 1;
}

static enum exec_status execute(struct pe *pe, const struct decoded *run, uint64_t *budget)
{
    const struct op *last;
    enum exec_status status;
    bool whole = run->ninsns <= *budget && !pe->sim->one_by_one;
    pe->cycle += whole ? run->ninsns : 0;
    if (whole)
        status = run_ops(pe, run->ops, &last);
    else
        status = step_ops(pe, run->ops, *budget, &last);
    uint64_t done = count_executed(pe, run, last, status);
    pe->cycle += whole ? done - run->ninsns : done;
    pe->sim->retired += done;
    *budget -= done;
    if (status == EXEC_NEXT)
        pe->pc = last->label == LABEL_END ? run->end : next_insn(last)->pc;
    if (status == EXEC_FAULT)
        pe->pc = pe->sim->fault.pc;
    return status;
}

static bool at_end(struct pe *pe)
{
    const struct sim *s = pe->sim;
    if (pe->pc == s->sentinel && !s->conformance)
        pe->end = END_RETURN;
    else if (pe->pc == s->code_end)
        pe->end = END_OF_CODE;
    else
        return false;
    pe->state = PE_ENDED;
    return true;
}

static struct decoded *next_run(struct pe *pe, struct decoded *previous)
{
    struct decoded *run = previous ? previous->next : NULL;
    if (run && run->valid && run->pc == pe->pc)
        return run;
    run = pe->pc & 1 ? NULL : blocks_at(pe->sim, pe->pc);
    if (previous && previous->valid)
        previous->next = run;
    return run;
}

enum turn pe_turn(struct pe *pe, uint64_t *budget)
{
    struct decoded *run = NULL;
    blocks_collect(pe->sim);
    while (pe->state == PE_RUNNING && !at_end(pe)) {
        if (*budget == 0)
            return TURN_OVER;
        run = next_run(pe, run);
        if (!run)
            return TURN_NOWHERE;
        enum exec_status status = execute(pe, run, budget);
        if (status == EXEC_FAULT)
            return TURN_FAULT;
        if (pe->sim->paused)
            return TURN_OVER;
    }
    return TURN_STOPPED;
}
