/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Template commands: frames, memory copy and set, general queues
 * (asl/block/model/lifecycle/lifetime.asl, commit/effects.asl). Frames and
 * MCOPY keep their progress in the PE, so that an access fault in the middle
 * resumes where it stopped.
 */
#include "sim/block.h"
#include "sim/decode.h"
#include "sim/queue.h"

enum { WORD = 8, FRAME_FIRST_REG = 2, FRAME_LAST_REG = 23, FRAME_REGS = 22, SET_LIMIT = 63 };

/* Templates need no block, but nothing of the kind may follow ACRC. */
static bool barred(const struct pe *pe)
{
    return pe->block.terminal_pending;
}

/* ---- frames ---- */

/* The stack pointer is R1 by name; the executable model adjusts R2 (spec/pto-isa.md B.2). */
static unsigned sp_register(const struct pe *pe)
{
    enum { SP_BY_NAME = 1, SP_OF_MODEL = 2 };
    return pe->sim->options.profile == SIM_PROFILE_PTO_V0 ? SP_OF_MODEL : SP_BY_NAME;
}

static unsigned frame_count(unsigned first, unsigned last)
{
    return last >= first ? last - first + 1 : SIM_GPRS - first + last - 1;
}

static unsigned frame_register(const struct frame_template *f, unsigned ordinal)
{
    unsigned r = f->first + ordinal;
    return r <= FRAME_LAST_REG ? r : r - FRAME_REGS;
}

/* aux = enum frame_kind by row; ra, rb = first and last register; imm = size. */
static void prepare_frame(struct op *op, const struct isa_insn *insn)
{
    bool entry = isa_field_index(insn->form, ISA_FIELD_SrcBegin) >= 0;
    op->ra = (uint8_t)field_unsigned(insn, entry ? ISA_FIELD_SrcBegin : ISA_FIELD_DstBegin);
    op->rb = (uint8_t)field_unsigned(insn, entry ? ISA_FIELD_SrcEnd : ISA_FIELD_DstEnd);
    op->imm = field_unsigned(insn, ISA_FIELD_uimm);
}

static enum exec_status start_frame(struct pe *pe, const struct op *op)
{
    struct frame_template *f = &pe->frame;
    unsigned count = frame_count(op->ra, op->rb);
    if (op->imm < count * WORD)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "frame of %llu bytes for %u registers",
                        (unsigned long long)op->imm, count);
    uint64_t sp = pe->reg[sp_register(pe)];
    uint64_t target =
        pe->sim->options.profile == SIM_PROFILE_PTO_V0 ? pe->return_address : pe->reg[REG_RA];
    bool by_ra = op->aux == FRAME_RETURN_RA;
    if (by_ra && target & 1)
        return op_fault(pe, op, FAULT_INSTRUCTION_PC, target, "the return address 0x%llx is odd",
                        (unsigned long long)target);
    /* Member by member: of `source` only what FENTRY stores is ever looked at. */
    f->active = true;
    f->adjusted = false;
    f->kind = op->aux;
    f->pc = op->pc;
    f->first = op->ra;
    f->count = (uint8_t)count;
    f->progress = 0;
    f->size = op->imm;
    f->caller_sp = op->aux == FRAME_ENTRY ? sp : sp + op->imm;
    f->target = by_ra ? target : 0;
    f->target_valid = by_ra;
    for (unsigned i = 0; op->aux == FRAME_ENTRY && i < count; i++)
        f->source[i] = pe->reg[frame_register(f, i)];
    return EXEC_NEXT;
}

static uint64_t frame_slot(const struct frame_template *f)
{
    return f->caller_sp - (f->progress + UINT64_C(1)) * WORD;
}

static enum exec_status store_register(struct pe *pe, const struct op *op)
{
    struct frame_template *f = &pe->frame;
    uint64_t address = frame_slot(f);
    if (!data_probe(pe, op, address, WORD, WORD, MEM_WRITE))
        return EXEC_FAULT;
    data_store(pe, address, WORD, f->source[f->progress]);
    f->progress++;
    return EXEC_NEXT;
}

static void restore_register(struct pe *pe, uint64_t value)
{
    unsigned r = frame_register(&pe->frame, pe->frame.progress++);
    pe->reg[r] = value;
    if (r == REG_RA)
        pe->return_address = value;
}

static enum exec_status load_register(struct pe *pe, const struct op *op)
{
    struct frame_template *f = &pe->frame;
    uint64_t address = frame_slot(f);
    if (!data_probe(pe, op, address, WORD, WORD, MEM_READ))
        return EXEC_FAULT;
    uint64_t value = data_load(pe, address, WORD);
    if (f->kind == FRAME_RETURN_STACK && f->progress == 0) {
        if (value & 1)
            return op_fault(pe, op, FAULT_INSTRUCTION_PC, value,
                            "the saved return address 0x%llx is odd", (unsigned long long)value);
        f->target = value;
        f->target_valid = true;
    }
    restore_register(pe, value);
    return EXEC_NEXT;
}

/* The whole of a frame that lies in one cached page, with the effects of one step after the other.
 * Otherwise nothing is done. */
static void move_at_once(struct pe *pe)
{
    struct frame_template *f = &pe->frame;
    enum mem_access access = f->kind == FRAME_ENTRY ? MEM_WRITE : MEM_READ;
    uint64_t size = (uint64_t)f->count * WORD, low = f->caller_sp - size, value;
    uint8_t *at = data_cached(pe, low, size, access);
    if (!at || low % WORD || f->progress)
        return;
    if (f->kind == FRAME_RETURN_STACK) {
        memcpy(&f->target, at + size - WORD, WORD);
        if (f->target & 1)
            return;
        f->target_valid = true;
    }
    while (f->progress < f->count) {
        uint8_t *slot = at + (f->count - 1u - f->progress) * WORD;
        if (access == MEM_WRITE) {
            memcpy(slot, &f->source[f->progress++], WORD);
            continue;
        }
        memcpy(&value, slot, WORD);
        restore_register(pe, value);
    }
}

static void adjust_stack_pointer(struct pe *pe)
{
    struct frame_template *f = &pe->frame;
    pe->reg[sp_register(pe)] = f->kind == FRAME_ENTRY ? f->caller_sp - f->size : f->caller_sp;
    f->adjusted = true;
}

static enum exec_status exec_frame(struct pe *pe, const struct op *op)
{
    struct frame_template *f = &pe->frame;
    if (barred(pe))
        return after_acrc(pe, op);
    enum exec_status status = f->active ? EXEC_NEXT : start_frame(pe, op);
    if (status != EXEC_NEXT)
        return status;
    if (f->pc != op->pc || f->kind != op->aux)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc,
                        "the frame instruction at 0x%llx has not finished",
                        (unsigned long long)f->pc);
    if (!f->adjusted)
        adjust_stack_pointer(pe);
    move_at_once(pe);
    while (f->progress < f->count) {
        status = f->kind == FRAME_ENTRY ? store_register(pe, op) : load_register(pe, op);
        if (status != EXEC_NEXT)
            return status;
    }
    f->active = false;
    if (!f->target_valid)
        return data_stored(pe, op);
    pe->pc = f->target;
    return EXEC_JUMP;
}

/* ---- memory ---- */

static void prepare_memory(struct op *op, const struct isa_insn *insn)
{
    op->ra = (uint8_t)field_unsigned(insn, ISA_FIELD_RegSrc0);
    op->rb = (uint8_t)field_unsigned(insn, ISA_FIELD_RegSrc1);
    op->rc = (uint8_t)field_unsigned(insn, ISA_FIELD_RegSrc2);
}

static bool wraps(uint64_t address, uint64_t length)
{
    return length && address + length < address;
}

static enum exec_status start_copy(struct pe *pe, const struct op *op)
{
    uint64_t to = pe->reg[op->ra], from = pe->reg[op->rb], length = pe->reg[op->rc];
    bool overlap = length && to < from + length && from < to + length;
    if (wraps(to, length) || wraps(from, length) || overlap)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc,
                        "MCOPY of %llu bytes from 0x%llx to 0x%llx: the ranges %s",
                        (unsigned long long)length, (unsigned long long)from,
                        (unsigned long long)to, overlap ? "overlap" : "wrap");
    pe->copy = (struct copy_template){true, op->pc, to, from, length, 0};
    return EXEC_NEXT;
}

/* Both ends are probed before anything is read. */
static enum exec_status copy_step(struct pe *pe, const struct op *op)
{
    struct copy_template *c = &pe->copy;
    uint64_t left = c->length - c->progress;
    unsigned size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    uint64_t from = c->source + c->progress, to = c->destination + c->progress;
    if (!data_probe(pe, op, from, size, 1, MEM_READ) || !data_probe(pe, op, to, size, 1, MEM_WRITE))
        return EXEC_FAULT;
    data_store(pe, to, size, data_load(pe, from, size));
    c->progress += size;
    return EXEC_NEXT;
}

static enum exec_status exec_copy(struct pe *pe, const struct op *op)
{
    struct copy_template *c = &pe->copy;
    if (barred(pe))
        return after_acrc(pe, op);
    enum exec_status status = c->active ? EXEC_NEXT : start_copy(pe, op);
    if (status != EXEC_NEXT)
        return status;
    if (c->pc != op->pc)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "the MCOPY at 0x%llx has not finished",
                        (unsigned long long)c->pc);
    while (c->progress < c->length)
        if ((status = copy_step(pe, op)) != EXEC_NEXT)
            return status;
    c->active = false;
    return data_stored(pe, op);
}

static enum exec_status exec_set(struct pe *pe, const struct op *op)
{
    uint64_t address = pe->reg[op->ra], length = pe->reg[op->rc];
    if (barred(pe))
        return after_acrc(pe, op);
    if (length > SET_LIMIT)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "MSET of %llu bytes: the limit is %d",
                        (unsigned long long)length, SET_LIMIT);
    if (length == 0)
        return EXEC_NEXT;
    if (!data_probe(pe, op, address, (unsigned)length, 1, MEM_WRITE))
        return EXEC_FAULT;
    uint8_t bytes[SET_LIMIT];
    memset(bytes, (int)(pe->reg[op->rb] & 0xff), sizeof bytes);
    mem_write(pe->sim, address, bytes, length);
    return data_stored(pe, op);
}

/* ---- queues ---- */

static struct queue_controls controls_of(const struct isa_insn *insn)
{
    return (struct queue_controls){
        .initialize = field_unsigned(insn, ISA_FIELD_i),
        .event = field_unsigned(insn, ISA_FIELD_e),
        .suspend = field_unsigned(insn, ISA_FIELD_s),
        .restore = field_unsigned(insn, ISA_FIELD_r),
        .at_head = field_unsigned(insn, ISA_FIELD_h),
    };
}

/* SrcR is read only by .i forms, so its queue entry counts only there. */
static void prepare_manage(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    if (!field_unsigned(insn, ISA_FIELD_i)) {
        op->queue_need = op->ra >= REG_T ? 1u << op->ra : 0;
        op->rb = REG_ZERO;
    }
}

static enum exec_status exec_manage(struct pe *pe, const struct op *op)
{
    struct queue_controls c = controls_of(op->insn);
    if (barred(pe))
        return after_acrc(pe, op);
    if (c.suspend && c.restore)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "HL.QMT with both s and r");
    put(pe, op->rd, queue_manage(pe->sim, pe->reg[op->ra], pe->reg[op->rb], c));
    return EXEC_NEXT;
}

static enum exec_status exec_push(struct pe *pe, const struct op *op)
{
    if (barred(pe))
        return after_acrc(pe, op);
    put(pe, op->rd, queue_push(pe->sim, pe->reg[op->ra], pe->reg[op->rb], controls_of(op->insn)));
    return EXEC_NEXT;
}

static enum exec_status exec_pop(struct pe *pe, const struct op *op)
{
    if (barred(pe))
        return after_acrc(pe, op);
    uint64_t value;
    uint64_t answer = queue_pop(pe->sim, pe->reg[op->ra], &value);
    put(pe, op->rd, value);
    put(pe, op->rd1, answer);
    return EXEC_NEXT;
}

/* ---- the table ---- */

#define FRAME(class_name, frame)                                                                   \
    BY_CLASS(class_name, .exec = exec_frame, .prepare = prepare_frame, .argument = frame,          \
             .flags = OP_ENDS)

static const struct handler rows[] = {
    FRAME(ExecuteFrameEntry, FRAME_ENTRY),
    FRAME(ExecuteFrameExit, FRAME_EXIT),
    FRAME(ExecuteFrameReturnAddress, FRAME_RETURN_RA),
    FRAME(ExecuteFrameReturnStack, FRAME_RETURN_STACK),
    BY_CLASS(ExecuteMemoryCopy, .exec = exec_copy, .prepare = prepare_memory),
    BY_CLASS(ExecuteMemorySet, .exec = exec_set, .prepare = prepare_memory),
    BY_CLASS(ExecuteQueueMove, .exec = exec_manage, .prepare = prepare_manage),
    BY_CLASS(ExecuteQueuePush, .exec = exec_push, .prepare = prepare_operands),
    BY_CLASS(ExecuteQueuePop, .exec = exec_pop, .prepare = prepare_operands),
};

const struct handler_table template_handlers = {rows, sizeof rows / sizeof *rows};
