/* SPDX-License-Identifier: BSD-3-Clause */
/* One handler a SEQ record; each checks everything before it changes anything. */
#include <string.h>

#include "sim/seq.h"

enum { MAX_MOVES = 8, POLL_LIMIT = 16 };

/* ---- MOVE ---- */

/* is_valid_ctrl_mv, clause by clause, with the two notes of its header. The tile index of MAVERICK
 * has no published place in the word and counts as zero. */
static bool move_slot_valid(const struct seq_op *op, unsigned k, uint32_t count, struct buffer *why)
{
    uint32_t src = seq_element(op, ISA_FIELD_src_registers, k);
    uint32_t dst = seq_element(op, ISA_FIELD_dst_registers, k);
    if (count <= k && src == 0)
        return true;
    if (!seq_is_readable(src)) {
        buffer_printf(why, "src_registers[%u] is %u, readable are 0..63, 128 and 129%s", k, src,
                      count <= k ? "; an unused slot must be 0" : "");
        return false;
    }
    if (!seq_is_writable(dst)) {
        buffer_printf(why, "dst_registers[%u] is %u, writable are 0..63 (128 and 129 are ignored)",
                      k, dst);
        return false;
    }
    return true;
}

/* Slot in which register `dst` stands among the first `count` of `field`; `count` when in none. */
static unsigned slot_of(const struct seq_op *op, unsigned field, unsigned count, uint32_t dst)
{
    unsigned i = 0;
    while (i < count && seq_element(op, field, i) != dst)
        i++;
    return i;
}

/* The notes speak of registers; the PC halves, whose writes are ignored, are none. */
static bool move_lists_valid(const struct seq_op *op, uint32_t count, bool registers,
                             struct buffer *why)
{
    for (unsigned k = 0; k < count; k++) {
        uint32_t dst = seq_element(op, ISA_FIELD_dst_registers, k);
        unsigned first = slot_of(op, ISA_FIELD_dst_registers, k, dst);
        if (dst < SEQ_REGISTERS && first < k) {
            buffer_printf(why, "destination R[%u] appears twice (slots %u and %u)", dst, first, k);
            return false;
        }
    }
    for (unsigned k = 0; registers && k < count; k++) {
        uint32_t dst = seq_element(op, ISA_FIELD_dst_registers, k);
        unsigned from = slot_of(op, ISA_FIELD_src_registers, count, dst);
        if (dst < SEQ_REGISTERS && from < count) {
            buffer_printf(why, "R[%u] is destination of slot %u and source of slot %u", dst, k,
                          from);
            return false;
        }
    }
    return true;
}

static bool move_valid(const struct seq_op *op, struct buffer *why)
{
    uint32_t count = seq_field(op, ISA_FIELD_num_mov), dtype = seq_field(op, ISA_FIELD_dtype);
    uint32_t source = seq_field(op, ISA_FIELD_move_source);
    if (count < 1 || count > MAX_MOVES) {
        buffer_printf(why, "num_mov is %u, it must be 1..%d", count, MAX_MOVES);
        return false;
    }
    if (seq_field(op, ISA_FIELD_reserved0)) {
        buffer_printf(why, "reserved0 is %u, it must be 0", seq_field(op, ISA_FIELD_reserved0));
        return false;
    }
    if (dtype != ISA_SeqDtype_INT32 && dtype != ISA_SeqDtype_UINT32 && dtype != ISA_SeqDtype_FP32) {
        buffer_printf(why, "dtype is %u, MOVE takes INT32 (%d), UINT32 (%d) and FP32 (%d)", dtype,
                      ISA_SeqDtype_INT32, ISA_SeqDtype_UINT32, ISA_SeqDtype_FP32);
        return false;
    }
    if (!seq_is_member(op, ISA_ENUM_SeqDataSource, source)) {
        buffer_printf(why, "move_source is %u, it must be REGISTER (%d) or IMMEDIATE (%d)", source,
                      ISA_SeqDataSource_REGISTER, ISA_SeqDataSource_IMMEDIATE);
        return false;
    }
    for (unsigned k = 0; k < MAX_MOVES; k++)
        if (!move_slot_valid(op, k, count, why))
            return false;
    return move_lists_valid(op, count, source == ISA_SeqDataSource_REGISTER, why);
}

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

static bool range_clear_valid(const struct seq_op *op, struct buffer *why)
{
    uint32_t mode = seq_field(op, ISA_FIELD_clear_mode);
    uint32_t first = seq_field(op, ISA_FIELD_range_first);
    uint32_t last = seq_field(op, ISA_FIELD_range_last);
    if (mode != ISA_SeqClearMode_RANGE && mode != ISA_SeqClearMode_BITMASK) {
        buffer_printf(why, "mode is %u, it must be %d (range) or %d (bitmask)", mode,
                      ISA_SeqClearMode_RANGE, ISA_SeqClearMode_BITMASK);
        return false;
    }
    if (mode == ISA_SeqClearMode_RANGE && first > last) {
        buffer_printf(why, "range_first %u lies behind range_last %u", first, last);
        return false;
    }
    return true;
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

static bool poll_valid(const struct seq_op *op, struct buffer *why)
{
    uint32_t count = seq_field(op, ISA_FIELD_n_read);
    uint32_t reg = seq_field(op, ISA_FIELD_result_register);
    if (count < 1 || count > POLL_LIMIT) {
        buffer_printf(why, "n_read is %u, it must be 1..%d", count, POLL_LIMIT);
        return false;
    }
    if (!seq_is_writable(reg)) {
        buffer_printf(why, "result register %u is not writable", reg);
        return false;
    }
    return true;
}

static bool poll_memory(struct seq_op *op, uint64_t address, uint64_t size, enum mem_access access)
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
    if (!poll_memory(op, from, size, MEM_READ) || (to && !poll_memory(op, to, size, MEM_WRITE)))
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

/* ---- ALU_OP ---- */

static bool alu_valid(const struct seq_op *op, struct buffer *why)
{
    static const struct {
        uint16_t field;
        const char *name;
        bool wide, second;
    } sources[] = {
        {ISA_FIELD_src0_lo, "src0_lo", false, false},
        {ISA_FIELD_src0_hi, "src0_hi", true, false},
        {ISA_FIELD_src1_lo, "src1_lo", false, true},
        {ISA_FIELD_src1_hi, "src1_hi", true, true},
    };
    bool wide = seq_alu_is_wide(seq_field(op, ISA_FIELD_dtype));
    uint32_t kind = seq_field(op, ISA_FIELD_src1_datasrc);
    if (!seq_is_member(op, ISA_ENUM_SeqAluOp, seq_field(op, ISA_FIELD_op))) {
        buffer_printf(why, "not supported op (0x%x)", seq_field(op, ISA_FIELD_op));
        return false;
    }
    if (!seq_is_member(op, ISA_ENUM_SeqDataSource, kind)) {
        buffer_printf(why, "src1_datasrc is %u, it must be 0 or 1", kind);
        return false;
    }
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        uint32_t reg = seq_field(op, sources[i].field);
        if ((sources[i].wide && !wide) ||
            (sources[i].second && kind != ISA_SeqDataSource_REGISTER) || seq_is_readable(reg))
            continue;
        buffer_printf(why, "%s is %u, readable are 0..63, 128 and 129", sources[i].name, reg);
        return false;
    }
    uint32_t lo = seq_field(op, ISA_FIELD_dst_lo), hi = seq_field(op, ISA_FIELD_dst_hi);
    if (!seq_is_writable(lo) || (wide && !seq_is_writable(hi))) {
        buffer_printf(why, "destination %u (pair with %u) is not writable", lo, hi);
        return false;
    }
    return true;
}

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

static bool branch_valid(const struct seq_op *op, struct buffer *why)
{
    uint32_t code = seq_field(op, ISA_FIELD_cmp_op);
    if (!seq_is_member(op, ISA_ENUM_SeqCompare, code) &&
        !seq_is_member(op, ISA_ENUM_SeqCompareRegister, code)) {
        buffer_printf(why, "cmp_op is %u, no comparison has this code", code);
        return false;
    }
    if (code != ISA_SeqCompare_ALWAYS && !seq_is_readable(seq_field(op, ISA_FIELD_cmp_reg0))) {
        buffer_printf(why, "cmp_reg0 is %u, which cannot be read",
                      seq_field(op, ISA_FIELD_cmp_reg0));
        return false;
    }
    if (compares_registers(code) && !seq_is_readable(seq_field(op, ISA_FIELD_cmp_reg1))) {
        buffer_printf(why, "cmp_reg1 is %u, which cannot be read",
                      seq_field(op, ISA_FIELD_cmp_reg1));
        return false;
    }
    return true;
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
        if (!seq_is_readable(seq_field(op, ISA_FIELD_target_reg_lo)) ||
            !seq_is_readable(seq_field(op, ISA_FIELD_target_reg_hi)))
            return seq_fault(op, "the target register pair %u, %u cannot be read",
                             seq_field(op, ISA_FIELD_target_reg_lo),
                             seq_field(op, ISA_FIELD_target_reg_hi));
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

/* ---- what no public source defines ---- */

static bool run_unspecified(struct seq_op *op)
{
    return seq_fault(op, "its execution is not publicly specified");
}

static bool run_unimplemented(struct seq_op *op)
{
    return seq_fault(op, "not implemented");
}

const struct seq_handler seq_handlers[] = {
    {ISA_MNEM_MOVE, move_valid, run_move},
    {ISA_MNEM_ALU_OP, alu_valid, run_alu},
    {ISA_MNEM_COMPARE_BRANCH, branch_valid, run_branch},
    {ISA_MNEM_EVENT_SEMAPHORE, NULL, run_event_semaphore},
    {ISA_MNEM_EVENT_SEMAPHORE_RANGE_CLEAR, range_clear_valid, run_range_clear},
    {ISA_MNEM_POLL_SEM, poll_valid, run_poll},
    {ISA_MNEM_NOP, NULL, run_nop},
    {ISA_MNEM_ENGINE_NOP, NULL, run_nop},
    {ISA_MNEM_HALT, NULL, run_halt},
    {ISA_MNEM_DRAIN, NULL, run_silent},
    {ISA_MNEM_INSTRUCTION_FLUSH, NULL, run_flush},
    {ISA_MNEM_NOTIFY, NULL, run_notify},
    {ISA_MNEM_SET_ORDERING_MODE, NULL, run_ordering},
    {ISA_MNEM_BRANCH_PREFETCH_HINT, NULL, run_hint},
    {ISA_MNEM_MOVE_SHAPE, NULL, run_unspecified},
    {ISA_MNEM_WRITE, NULL, run_unspecified},
    {ISA_MNEM_TENSOR_LOAD, NULL, run_unimplemented},
    {ISA_MNEM_TENSOR_STORE, NULL, run_unimplemented},
    {ISA_MNEM_TEST_EVENT_SEM, NULL, run_unimplemented},
};
const size_t seq_handler_count = sizeof seq_handlers / sizeof *seq_handlers;
