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

/* Where an aligned access to a cached page lies in the host's memory; NULL: it needs its handler.
 */
static inline uint8_t *cached(struct mem_cache *caches, uint64_t address, unsigned size)
{
    const struct mem_cache *c = mem_cache_slot(caches, address >> MEM_PAGE_BITS);
    bool hit = address >> MEM_PAGE_BITS == c->page && !(address & (size - 1));
    return hit ? c->data + (address & (MEM_PAGE_SIZE - 1)) : NULL;
}

#define LOAD(name, type)                                                                           \
    static inline uint64_t load_##name(const uint8_t *at)                                          \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, at, sizeof value);                                                          \
        return (uint64_t)value;                                                                    \
    }
#include "sim/access.def"
#undef LOAD

#define CONDITION(name, value)                                                                     \
    static inline bool condition_##name(uint64_t a, uint64_t b)                                    \
    {                                                                                              \
        return value;                                                                              \
    }
#include "sim/condition.def"
#undef CONDITION

/* Outside of blocks, or behind one that was stopped: then nothing has to be retired. */
static inline enum exec_status start(struct pe *pe, const struct op *op)
{
    uint64_t target = op->aux == TRANSFER_RET ? pe->return_address : op->imm;
    if (pe->block.active || pe->block.header_used || target & 1)
        return op->exec(pe, op);
    block_open(pe, &(struct block_start){.pc = op->pc,
                                         .target = target,
                                         .sequential = op->pc + op->length,
                                         .return_target = op->pc + op->shift,
                                         .kind = op->size,
                                         .transfer = op->aux});
    pe->block.header.form = op->insn->form;
    return EXEC_NEXT;
}

/* Of a block without header commands. */
static inline enum exec_status stop(struct pe *pe, const struct op *op)
{
    const struct block *b = &pe->block;
    uint64_t target = block_selects_target(b) ? b->bpcn : op->pc + op->length;
    if (!b->active || b->header_used || target & 1)
        return op->exec(pe, op);
    block_close(pe, target);
    return EXEC_JUMP;
}

static inline bool in_order(const struct pe *pe, const struct op *op)
{
    const struct block *b = &pe->block;
    bool condition = op->rule == RULE_CONDITION && b->active && b->body &&
                     b->transfer == TRANSFER_COND && !b->condition_set;
    return (condition || op->rule == RULE_ANYWHERE) && !(op->queue_need & ~pe->queue_valid);
}

/* ---- the loop ---- */

/* Labels as values are the one GNU extension that -Wpedantic cannot be told about in place. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

/* Counts a run that begins; whoever leaves it early takes back what did not execute. */
static inline const struct op *enter_run(struct pe *pe, const struct decoded *run, uint64_t *budget)
{
    pe->cycle += run->ninsns;
    *budget -= run->ninsns;
    return run->ops;
}

/* The run that followed this one to the PC before, when the budget has room for it. */
static inline struct decoded *known_next(const struct pe *pe, struct decoded *run, uint64_t budget)
{
    struct decoded *next = *decoded_next(run, pe->pc);
    return next && next->pc == pe->pc && next->valid && next->ninsns <= budget ? next : NULL;
}

/* Runs ops until one does not go on to the next; *last is that op, *run is its run: a stop goes on
 * with the run behind it. EXEC_NEXT: the run's end. */
static enum exec_status run_ops(struct pe *pe, struct decoded **run, uint64_t *budget,
                                const struct op **last)
{
    static const void *const cases[] = {
#define LABEL(name) &&L_##name,
#include "sim/label.def"
#undef LABEL
    };
    enum exec_status status;
    uint8_t *at;
    const struct op *op = enter_run(pe, *run, budget);
    goto *cases[op->label];

L_CALL:
    status = op->exec(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    op++;
    goto *cases[op->label];
L_CHECKED:
    if (__builtin_expect(in_order(pe, op), 1))
        goto *cases[op->checked];
    status = run_checked(pe, op);
    if (status != EXEC_NEXT)
        goto leave;
    op++;
    goto *cases[op->label];
L_ENTER_BODY:
    if (__builtin_expect(pe->block.terminal_pending, 0))
        goto L_CALL;
    pe->block.body |= pe->block.active && pe->sim->auto_body;
    op++;
    goto *cases[op->label];
L_START:
    status = start(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    op++;
    goto *cases[op->label];
L_START_BODY:
    status = start(pe, op);
    if (__builtin_expect(status != EXEC_NEXT, 0))
        goto leave;
    pe->block.body = pe->sim->auto_body;
    op += 2; /* its body is entered */
    goto *cases[op->label];
L_STOP:
    status = stop(pe, op);
    struct decoded *next = status == EXEC_JUMP ? known_next(pe, *run, *budget) : NULL;
    if (!next)
        goto leave;
    *run = next;
    op = enter_run(pe, next, budget);
    goto *cases[op->label];
L_MOVE:
    put(pe, op->rd, pe->reg[op->ra]);
    op++;
    goto *cases[op->label];
#define ALU(name, value)                                                                           \
    L_ALU_##name : put(pe, op->rd, alu_##name(pe->reg[op->ra], plain_right(pe, op)));              \
    op++;                                                                                          \
    goto *cases[op->label];
#include "sim/alu.def"
#undef ALU
#define CONDITION(name, value)                                                                     \
    L_COMPARE_##name : put(pe, op->rd, condition_##name(pe->reg[op->ra], plain_right(pe, op)));    \
    op++;                                                                                          \
    goto *cases[op->label];
#include "sim/condition.def"
#undef CONDITION
#define CONDITION(name, value)                                                                     \
    L_SET_##name                                                                                   \
        : block_set_condition(pe, condition_##name(pe->reg[op->ra], plain_right(pe, op)));         \
    op++;                                                                                          \
    goto *cases[op->label];
#include "sim/condition.def"
#undef CONDITION
#define LOAD(name, type)                                                                           \
    L_LOAD_##name : at = cached(pe->load, pe->reg[op->ra] + plain_right(pe, op), sizeof(type));    \
    if (__builtin_expect(!at, 0))                                                                  \
        goto L_CALL;                                                                               \
    put(pe, op->rd, load_##name(at));                                                              \
    op++;                                                                                          \
    goto *cases[op->label];
#define STORE(name, type)                                                                          \
    L_STORE_##name : at = cached(pe->store, pe->reg[op->ra] + plain_right(pe, op), sizeof(type));  \
    if (__builtin_expect(!at, 0))                                                                  \
        goto L_CALL;                                                                               \
    memcpy(at, &pe->reg[op->rc], sizeof(type));                                                    \
    op++;                                                                                          \
    goto *cases[op->label];
#include "sim/access.def"
#undef LOAD
#undef STORE
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

/* A pseudo op faults for the instruction behind it; a commit that must wait does not count. */
static uint64_t count_executed(const struct pe *pe, const struct op *last, enum exec_status status)
{
    bool partly = status == EXEC_NEXT || (status == EXEC_STOP && pe->state == PE_COMMIT);
    return last->before + !partly;
}

static enum exec_status execute(struct pe *pe, struct decoded **run, uint64_t *budget)
{
    const struct op *last;
    enum exec_status status;
    uint64_t before = *budget;
    bool whole = (*run)->ninsns <= before && !pe->sim->one_by_one;
    if (whole)
        status = run_ops(pe, run, budget, &last);
    else
        status = step_ops(pe, (*run)->ops, before, &last);
    uint64_t counted = whole ? (*run)->ninsns : 0, done = count_executed(pe, last, status);
    pe->cycle += done - counted;
    *budget -= done - counted;
    pe->sim->retired += before - *budget;
    if (status == EXEC_NEXT)
        pe->pc = last->label == LABEL_END ? (*run)->end : next_insn(last)->pc;
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
    struct decoded *run = previous ? known_next(pe, previous, UINT64_MAX) : NULL;
    if (run)
        return run;
    run = pe->pc & 1 ? NULL : blocks_at(pe->sim, pe->pc);
    if (previous && previous->valid)
        *decoded_next(previous, pe->pc) = run;
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
        enum exec_status status = execute(pe, &run, budget);
        if (status == EXEC_FAULT)
            return TURN_FAULT;
        if (pe->sim->paused)
            return TURN_OVER;
    }
    return TURN_STOPPED;
}
