/* SPDX-License-Identifier: BSD-3-Clause */
/* One handler a SEQ record; each checks everything before it changes anything. */
#include <string.h>

#include "sim/seq.h"

enum { POLL_LIMIT = 16 };

/* ---- MOVE ---- */

static bool run_move(struct seq_op *op)
{
    uint32_t count = seq_field(op, ISA_FIELD_num_mov);
    bool registers = seq_field(op, ISA_FIELD_move_source) == ISA_SeqDataSource_REGISTER;
    sim_debug(op->s, "S: MOVE");
    for (unsigned k = 0; k < count; k++) {
        uint32_t dst = seq_element(op, ISA_FIELD_dst_registers, k);
        uint32_t src = seq_element(op, ISA_FIELD_src_registers, k);
        uint32_t value = registers ? seq_read(op, src) : seq_element(op, ISA_FIELD_immediate, k);
        seq_write(op, dst, value);
        if (registers)
            sim_debug(op->s, "S: R[%d] = R[%d] = 0x%x", (int)dst, (int)src, value);
        else
            sim_debug(op->s, "S: R[%d] = imm = 0x%x", (int)dst, value);
    }
    return true;
}

/* ---- records without effect on registers ---- */

static bool run_nop(struct seq_op *op)
{
    sim_debug(op->s, "S: NOP");
    return true;
}

static bool run_silent(struct seq_op *op)
{
    (void)op;
    return true;
}

static bool run_flush(struct seq_op *op)
{
    sim_debug(op->s, "S: INS_FL");
    return true;
}

static bool run_halt(struct seq_op *op)
{
    sim_debug(op->s, "S: Halt");
    op->halt = true;
    return true;
}

static bool run_notify(struct seq_op *op)
{
    sim_debug(op->s, "S: NOTIFY");
    sim_debug(op->s, "S: sending notification");
    return true;
}

static bool run_hint(struct seq_op *op)
{
    sim_debug(op->s, "S: BranchPrefetchHint");
    return true;
}

static bool run_ordering(struct seq_op *op)
{
    sim_debug(op->s, "S: SET_OM");
    op->q->strong_order = seq_field(op, ISA_FIELD_ordering_mode) == ISA_SeqOrdering_STRONG;
    return true;
}

/* ---- semaphores ---- */

static bool run_event_semaphore(struct seq_op *op)
{
    sim_debug(op->s, "S: Event_Semaphore");
    return true; /* its event blocks did it all */
}

static bool run_range_clear(struct seq_op *op)
{
    bool range = seq_field(op, ISA_FIELD_clear_mode) == ISA_SeqClearMode_RANGE;
    uint32_t first = seq_field(op, ISA_FIELD_range_first);
    uint32_t last = seq_field(op, ISA_FIELD_range_last);
    sim_debug(op->s, "S: Event_Semaphore Rng Clr");
    for (uint32_t id = 0; id < SEQ_SEMAPHORES; id++) {
        bool selected = range ? id >= first && id <= last
                              : seq_element(op, ISA_FIELD_mask, id >> 5) >> (id & 31) & 1;
        if (selected) {
            op->q->semaphore[id] = 0;
            op->q->event[id] = false;
        }
    }
    return true;
}

bool seq_memory(struct seq_op *op, uint64_t address, uint64_t size, enum mem_access access)
{
    uint64_t bad;
    if (mem_probe(op->s, address, size, access, &bad))
        return true;
    return seq_fault(op, "memory at 0x%llx is not mapped for %s", (unsigned long long)bad,
                     access == MEM_READ ? "reading" : "writing");
}

static bool run_poll(struct seq_op *op)
{
    uint32_t words[POLL_LIMIT], count = seq_field(op, ISA_FIELD_n_read);
    uint64_t from = seq_field64(op, ISA_FIELD_addr);
    uint64_t to = seq_field64(op, ISA_FIELD_res_writeback_addr);
    uint64_t size = count * sizeof *words, result;
    if (!count)
        return seq_fault(op, "n_read is 0: there is no word to fold");
    if (!seq_memory(op, from, size, MEM_READ) || (to && !seq_memory(op, to, size, MEM_WRITE)))
        return false;
    mem_read(op->s, from, words, size);
    result = words[0];
    for (uint32_t i = 1; i < count; i++)
        if (seq_alu(seq_field(op, ISA_FIELD_op), ISA_SeqDtype_UINT32, 0, result, words[i],
                    &result) != SEQ_ALU_OK)
            return seq_fault(op, "op 0x%x cannot fold the words", seq_field(op, ISA_FIELD_op));
    sim_debug(op->s, "S: POLL_SEM");
    seq_write(op, seq_field(op, ISA_FIELD_result_register), (uint32_t)result);
    for (uint32_t i = 0; i < count; i++)
        words[i] = (uint32_t)result;
    if (to)
        mem_write(op->s, to, words, size);
    return true;
}

/* ---- TEST_EVENT_SEM ---- */

/* One semaphore or event and its value register. */
struct tested {
    unsigned id, reg, mode, update;
};

static void test_one(struct seq_op *op, const struct tested *t, uint32_t threshold)
{
    uint32_t *semaphore = &op->q->semaphore[t->id], value = seq_read(op, t->reg);
    switch (t->mode) {
    case ISA_SeqTestMode_READ_SEM:
        seq_write(op, t->reg, *semaphore);
        break;
    case ISA_SeqTestMode_READ_EVT:
        seq_write(op, t->reg, op->q->event[t->id]);
        break;
    case ISA_SeqTestMode_COND_UPDATE_SEM:
        if ((int32_t)*semaphore < (int32_t)threshold)
            break;
        seq_update(op->q, t->update, t->id, 0);
        seq_write(op, t->reg, value + 1);
        break;
    default:
        seq_update(op->q, t->update, t->id, value);
    }
}

/* An update that the mode can make: of the kind it names, and for COND without a register value,
 * because the register counts there. */
static bool test_updates(const struct seq_op *op, unsigned mode, unsigned update)
{
    bool event = update == ISA_SeqUpdateMode_EVT_SET_READ ||
                 update == ISA_SeqUpdateMode_EVT_CLR_READ ||
                 update == ISA_SeqUpdateMode_EVT_SET_COMPLETE ||
                 update == ISA_SeqUpdateMode_EVT_CLR_COMPLETE;
    if (!update ||
        !isa_member_of_value(&isa_enumerations[ISA_ENUM_SeqUpdateMode], update, op->s->target.seq))
        return false;
    if (mode == ISA_SeqTestMode_COND_UPDATE_SEM && seq_update_reads_register(update))
        return false;
    return event == (mode == ISA_SeqTestMode_UPDATE_EVT);
}

static bool run_test(struct seq_op *op)
{
    unsigned mode = seq_field(op, ISA_FIELD_test_mode);
    unsigned update = seq_field(op, ISA_FIELD_update_type);
    bool reads = mode == ISA_SeqTestMode_READ_SEM || mode == ISA_SeqTestMode_READ_EVT;
    if (seq_field(op, ISA_FIELD_repeat_count) > 1)
        return seq_fault(op, "what repeat_count %u does is not publicly specified",
                         seq_field(op, ISA_FIELD_repeat_count));
    if (!reads && !test_updates(op, mode, update))
        return seq_fault(op, "what update_type 0x%02x does in this mode is not publicly specified",
                         update);
    for (unsigned k = 0; k < seq_field(op, ISA_FIELD_num_evt_sem); k++) {
        struct tested t = {seq_element(op, ISA_FIELD_ids, k),
                           seq_element(op, ISA_FIELD_value_registers, k), mode, update};
        test_one(op, &t, seq_field(op, ISA_FIELD_threshold));
    }
    return true;
}

/* ---- ALU_OP ---- */

static uint64_t read_pair(const struct seq_op *op, unsigned lo, unsigned hi, bool wide)
{
    uint64_t value = seq_read(op, seq_field(op, lo));
    return wide ? value | (uint64_t)seq_read(op, seq_field(op, hi)) << 32 : value;
}

static void debug_alu(struct seq_op *op, uint64_t a, uint64_t b, uint64_t result, bool wide)
{
    unsigned code = seq_field(op, ISA_FIELD_op), dtype = seq_field(op, ISA_FIELD_dtype);
    sim_debug(op->s, "S: AluOp");
    if (seq_field(op, ISA_FIELD_src1_datasrc) == ISA_SeqDataSource_IMMEDIATE)
        sim_debug(op->s, "S: OP=%x R[%d] = OP(R[%d], imm)", code,
                  (int)seq_field(op, ISA_FIELD_dst_lo), (int)seq_field(op, ISA_FIELD_src0_lo));
    else
        sim_debug(op->s, "S: OP=%x R[%d] = OP(R[%d], R[%d])", code,
                  (int)seq_field(op, ISA_FIELD_dst_lo), (int)seq_field(op, ISA_FIELD_src0_lo),
                  (int)seq_field(op, ISA_FIELD_src1_lo));
    if (wide)
        sim_debug(op->s,
                  "S: 64-bit: src0=%016llx src1=%016llx dst=%016llx src_dtype=%d dst_dtype=%d",
                  (unsigned long long)a, (unsigned long long)b, (unsigned long long)result,
                  (int)dtype, (int)seq_field(op, ISA_FIELD_dst_dtype));
    else
        sim_debug(op->s, "S: OP(%x, %x) = %x", (unsigned)a, (unsigned)b, (unsigned)result);
}

static bool run_alu(struct seq_op *op)
{
    unsigned code = seq_field(op, ISA_FIELD_op), dtype = seq_field(op, ISA_FIELD_dtype);
    bool wide = seq_alu_is_wide(dtype);
    uint64_t a = read_pair(op, ISA_FIELD_src0_lo, ISA_FIELD_src0_hi, wide), result = 0;
    uint64_t b = seq_field(op, ISA_FIELD_src1_datasrc) == ISA_SeqDataSource_IMMEDIATE
                     ? seq_field64(op, ISA_FIELD_immediate)
                     : read_pair(op, ISA_FIELD_src1_lo, ISA_FIELD_src1_hi, wide);
    if (!wide)
        b = (uint32_t)b;
    switch (seq_alu(code, dtype, seq_field(op, ISA_FIELD_dst_dtype), a, b, &result)) {
    case SEQ_ALU_OP:
        return seq_fault(op, "not supported op (0x%x) for dtype %u", code, dtype);
    case SEQ_ALU_TYPE:
        return seq_fault(op, "not supported dtype (%u to %u)", dtype,
                         seq_field(op, ISA_FIELD_dst_dtype));
    case SEQ_ALU_ZERO:
        return seq_fault(op, "Int Div Zero Error: R[%u] = 0x%llx is divided by 0",
                         seq_field(op, ISA_FIELD_src0_lo), (unsigned long long)a);
    case SEQ_ALU_OK:
        break;
    }
    seq_write(op, seq_field(op, ISA_FIELD_dst_lo), (uint32_t)result);
    if (wide)
        seq_write(op, seq_field(op, ISA_FIELD_dst_hi), (uint32_t)(result >> 32));
    debug_alu(op, a, b, result, wide);
    return true;
}

/* ---- COMPARE_BRANCH ---- */

/* Bit 3 of the comparison code; the rest is the comparison. */
enum { COMPARE_REGISTER = 8 };

static bool compares_registers(uint32_t code)
{
    return code & COMPARE_REGISTER;
}

static bool branch_target(struct seq_op *op, uint64_t *target)
{
    uint32_t mode = seq_field(op, ISA_FIELD_target_mode);
    switch (mode) {
    case ISA_SeqTargetMode_RELATIVE_IMMEDIATE: /* stored zero-extended, meant signed */
        *target = op->e->pc + (uint64_t)(int64_t)(int32_t)seq_field64(op, ISA_FIELD_br_immediate);
        break;
    case ISA_SeqTargetMode_REGISTER:
    case ISA_SeqTargetMode_RELATIVE_REGISTER:
        *target = read_pair(op, ISA_FIELD_target_reg_lo, ISA_FIELD_target_reg_hi, true);
        if (mode == ISA_SeqTargetMode_RELATIVE_REGISTER)
            *target += op->e->pc;
        break;
    default:
        return seq_fault(op, "target mode %u is not publicly specified", mode);
    }
    if ((*target - op->e->start) % SEQ_RECORD || *target < op->e->start || *target > op->e->end)
        return seq_fault(op,
                         "branch target 0x%llx is no record of the engine's section "
                         "[0x%llx, 0x%llx)",
                         (unsigned long long)*target, (unsigned long long)op->e->start,
                         (unsigned long long)op->e->end);
    return true;
}

static bool run_branch(struct seq_op *op)
{
    uint32_t code = seq_field(op, ISA_FIELD_cmp_op), dtype = seq_field(op, ISA_FIELD_dtype);
    bool taken = true, always = code == ISA_SeqCompare_ALWAYS;
    uint32_t a = always ? 0 : seq_read(op, seq_field(op, ISA_FIELD_cmp_reg0));
    uint32_t b = always                     ? 0
                 : compares_registers(code) ? seq_read(op, seq_field(op, ISA_FIELD_cmp_reg1))
                                            : seq_field(op, ISA_FIELD_cmp_immediate);
    if (!always && !seq_compare(code & ~COMPARE_REGISTER, dtype, a, b, &taken))
        return seq_fault(op, "not supported dtype (%u) for a comparison", dtype);
    uint64_t target = op->next;
    if (taken && !branch_target(op, &target))
        return false;
    sim_debug(op->s, "S: BRANCH");
    if (!always)
        sim_debug(op->s, "S: BRCMP: CMPOP=%x OP(%x, %x)=%x", code, a, b, taken);
    sim_debug(op->s, "S: BRTAKEN: %d", taken);
    if (taken)
        sim_debug(op->s, "S: Redirecting to pc=0x%llx", (unsigned long long)target);
    op->next = target;
    return true;
}

const struct seq_handler seq_handlers[] = {
    {ISA_MNEM_MOVE, run_move},
    {ISA_MNEM_ALU_OP, run_alu},
    {ISA_MNEM_COMPARE_BRANCH, run_branch},
    {ISA_MNEM_EVENT_SEMAPHORE, run_event_semaphore},
    {ISA_MNEM_EVENT_SEMAPHORE_RANGE_CLEAR, run_range_clear},
    {ISA_MNEM_POLL_SEM, run_poll},
    {ISA_MNEM_NOP, run_nop},
    {ISA_MNEM_ENGINE_NOP, run_nop},
    {ISA_MNEM_HALT, run_halt},
    {ISA_MNEM_DRAIN, run_silent},
    {ISA_MNEM_INSTRUCTION_FLUSH, run_flush},
    {ISA_MNEM_NOTIFY, run_notify},
    {ISA_MNEM_SET_ORDERING_MODE, run_ordering},
    {ISA_MNEM_BRANCH_PREFETCH_HINT, run_hint},
    {ISA_MNEM_TENSOR_LOAD, seq_run_tensor},
    {ISA_MNEM_TENSOR_STORE, seq_run_tensor},
    {ISA_MNEM_TEST_EVENT_SEM, run_test},
};
const size_t seq_handler_count = sizeof seq_handlers / sizeof *seq_handlers;
