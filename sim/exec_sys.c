/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System instructions: rings, breakpoints, fences, maintenance, event
 * requests, system registers (asl/scalar/model/sys, dispatch/sys.asl). They
 * run alone in their decoded run, so that CYCLE counts them exactly.
 */
#include "sim/block.h"
#include "sim/decode.h"
#include "sim/sysreg.h"

/* ---- rings ---- */

static bool service_permitted(unsigned ring, unsigned request)
{
    if (ring == 0)
        return false;
    return ring == 1 ? request == 0 || request == 2 : request <= 2;
}

static enum exec_status exec_close(struct pe *pe, const struct op *op)
{
    unsigned request = (unsigned)field_unsigned(op->insn, ISA_FIELD_RST_Type);
    if (!service_permitted(pe->acr, request))
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "ring %u may not request service %u",
                        pe->acr, request);
    pe->block.terminal_pending = true;
    pe->epoch_request++;
    op_fault(pe, op, FAULT_SERVICE, op->pc, "service request %u of ring %u", request, pe->acr);
    pe->sim->fault.cause = request;
    return EXEC_FAULT;
}

static enum exec_status exec_enter(struct pe *pe, const struct op *op)
{
    unsigned ring = pe->acr;
    pe->keep_context = true;
    if (!trap_recoverable(pe, ring))
        return op_fault(pe, op, FAULT_EXECUTION_STATE, op->pc,
                        "ring %u has no saved context that can be entered", ring);
    enum exec_status status = block_complete(pe, op, pe->block.sequential);
    if (status != EXEC_JUMP)
        return status;
    pe->keep_context = false;
    trap_recover(pe, ring);
    pe->epoch_request++;
    return EXEC_JUMP;
}

/* ---- debugging ---- */

static enum exec_status exec_assert(struct pe *pe, const struct op *op)
{
    if (pe->reg[op->ra] == 0)
        return op_fault(pe, op, FAULT_ASSERT, op->pc, "the asserted value is 0");
    return EXEC_NEXT;
}

static enum exec_status exec_break(struct pe *pe, const struct op *op)
{
    bool compressed = isa_field_index(op->insn->form, ISA_FIELD_imm5) >= 0;
    uint64_t tag = field_unsigned(op->insn, compressed ? ISA_FIELD_imm5 : ISA_FIELD_imm4);
    op_fault(pe, op, FAULT_BREAKPOINT, op->pc, "ebreak %u", (unsigned)tag);
    pe->sim->fault.cause = (uint32_t)tag;
    return EXEC_FAULT;
}

/* ---- fences, maintenance, requests: completion is all that shows ---- */

static enum exec_status exec_fence_data(struct pe *pe, const struct op *op)
{
    enum { INSTRUCTION_ACCESS = 8 };
    pe->reserved = false;
    pe->fence_predecessor = (uint8_t)field_unsigned(op->insn, ISA_FIELD_PRED_IMM);
    pe->fence_successor = (uint8_t)field_unsigned(op->insn, ISA_FIELD_SUCC_IMM);
    if ((pe->fence_predecessor | pe->fence_successor) & INSTRUCTION_ACCESS)
        pe->epoch_instruction++;
    return EXEC_NEXT;
}

static enum exec_status exec_fence_instruction(struct pe *pe, const struct op *op)
{
    (void)op;
    pe->reserved = false;
    pe->epoch_instruction++;
    return EXEC_NEXT;
}

static enum exec_status exec_data_cache(struct pe *pe, const struct op *op)
{
    (void)op;
    pe->epoch_data++;
    return EXEC_NEXT;
}

static enum exec_status exec_instruction_cache(struct pe *pe, const struct op *op)
{
    (void)op;
    pe->epoch_instruction++;
    return EXEC_NEXT;
}

static enum exec_status exec_block_cache(struct pe *pe, const struct op *op)
{
    (void)op;
    pe->epoch_block++;
    return EXEC_NEXT;
}

enum tlb_operand { TLB_NO_OPERAND, TLB_ADDRESS, TLB_ASID };

static bool canonical_48(uint64_t address)
{
    enum { UNUSED = 16 };
    return (uint64_t)((int64_t)(address << UNUSED) >> UNUSED) == address;
}

static enum exec_status exec_tlb(struct pe *pe, const struct op *op)
{
    enum { ASID_BITS = 16 };
    uint64_t operand = pe->reg[op->ra];
    if (pe->acr != 0)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc,
                        "translation maintenance in ring %u: only ring 0 may", pe->acr);
    if (op->aux == TLB_ADDRESS && !canonical_48(operand))
        return op_fault(pe, op, FAULT_PAGE, operand, "0x%llx is not a canonical 48-bit address",
                        (unsigned long long)operand);
    if (op->aux == TLB_ASID && operand >> ASID_BITS)
        return op_fault(pe, op, FAULT_ILLEGAL, op->pc, "0x%llx does not fit %d address-space bits",
                        (unsigned long long)operand, ASID_BITS);
    pe->epoch_tlb++;
    return EXEC_NEXT;
}

/* BSE, BWE, BWI, BWT hand over without blocking. */
static enum exec_status exec_request(struct pe *pe, const struct op *op)
{
    (void)op;
    pe->epoch_request++;
    return EXEC_NEXT;
}

/* ---- system registers: imm = address ---- */

static void prepare_register(struct op *op, const struct isa_insn *insn)
{
    bool compressed = isa_field_index(insn->form, ISA_FIELD_SSRID) >= 0;
    prepare_operands(op, insn);
    op->imm = field_unsigned(insn, compressed ? ISA_FIELD_SSRID : ISA_FIELD_SSR_ID);
    if (compressed)
        op->rd = REG_PUSH_T;
}

static enum exec_status denied(struct pe *pe, const struct op *op, const char *access)
{
    const struct isa_sysreg *r = sysreg_find(op->imm);
    return op_fault(pe, op, FAULT_ILLEGAL, op->pc,
                    "system register 0x%llx%s%s may not be %s in ring %u",
                    (unsigned long long)op->imm, r ? " " : "", r ? r->name : "", access, pe->acr);
}

static enum exec_status exec_register_get(struct pe *pe, const struct op *op)
{
    if (!sysreg_readable(pe, op->imm))
        return denied(pe, op, "read");
    put(pe, op->rd, sysreg_read(pe, op->imm));
    return EXEC_NEXT;
}

static enum exec_status exec_register_set(struct pe *pe, const struct op *op)
{
    if (!sysreg_writable(pe, op->imm))
        return denied(pe, op, "written");
    sysreg_write(pe, op->imm, pe->reg[op->ra]);
    return EXEC_NEXT;
}

static enum exec_status exec_register_swap(struct pe *pe, const struct op *op)
{
    if (!sysreg_readable(pe, op->imm) || !sysreg_writable(pe, op->imm))
        return denied(pe, op, "swapped");
    uint64_t value = pe->reg[op->ra], old = sysreg_read(pe, op->imm);
    sysreg_write(pe, op->imm, value);
    put(pe, op->rd, old);
    return EXEC_NEXT;
}

/* ---- block state ---- */

/* LSRGET 2 (asl: PackCurrentBARGControlWord). */
static uint64_t control_word(const struct block *b, bool candidate)
{
    enum { TRANSFER_SHIFT = 4, TAKEN_SHIFT = 7, ATTRIBUTES_SHIFT = 8 };
    const struct bundle_catr *c = &b->header.catr;
    unsigned attributes = c->atomic | c->acquire << 1 | c->release << 2 | c->far << 3 | c->dr << 4;
    uint64_t word = b->kind | (uint64_t)attributes << ATTRIBUTES_SHIFT;
    if (candidate)
        word |= (uint64_t)b->transfer << TRANSFER_SHIFT | (uint64_t)b->taken << TAKEN_SHIFT;
    return word;
}

static enum exec_status exec_local_get(struct pe *pe, const struct op *op)
{
    enum { LSR_BPC, LSR_BPCN, LSR_CONTROL };
    const struct block *b = &pe->block;
    bool candidate = b->kind == BLOCK_STANDARD || b->kind == BLOCK_FLOATING;
    uint64_t id = field_unsigned(op->insn, ISA_FIELD_LSR_ID);
    if (id > LSR_CONTROL || (id == LSR_BPCN && !candidate))
        return op_fault(pe, op, FAULT_BUNDLE, op->pc,
                        "local register %u does not exist in this block", (unsigned)id);
    put(pe, op->rd,
        id == LSR_BPC    ? pe->bpc
        : id == LSR_BPCN ? b->bpcn
                         : control_word(b, candidate));
    return EXEC_NEXT;
}

static enum exec_status exec_set_target(struct pe *pe, const struct op *op)
{
    pe->block.bpcn = pe->reg[op->ra];
    return EXEC_NEXT;
}

#define SYSTEM(name, handler, value)                                                               \
    BY_NAME(name, .exec = exec_##handler, .prepare = prepare_operands, .argument = value,          \
            .rule = RULE_SYSTEM, .flags = HANDLER_ALONE)
#define REGISTER(name, handler)                                                                    \
    BY_NAME(name, .exec = exec_register_##handler, .prepare = prepare_register,                    \
            .rule = RULE_SYSTEM, .flags = HANDLER_ALONE)

static const struct handler rows[] = {
    SYSTEM(ACRC, close, 0),
    SYSTEM(ACRE, enter, 0),
    SYSTEM(ASSERT, assert, 0),
    SYSTEM(EBREAK, break, 0),
    SYSTEM(C_EBREAK, break, 0),
    SYSTEM(FENCE_D, fence_data, 0),
    SYSTEM(FENCE_I, fence_instruction, 0),
    SYSTEM(DC_IALL, data_cache, 0),
    SYSTEM(DC_IVA, data_cache, 0),
    SYSTEM(DC_ISW, data_cache, 0),
    SYSTEM(DC_ZVA, data_cache, 0),
    SYSTEM(DC_CVA, data_cache, 0),
    SYSTEM(DC_CIVA, data_cache, 0),
    SYSTEM(DC_CSW, data_cache, 0),
    SYSTEM(DC_CISW, data_cache, 0),
    SYSTEM(IC_IALL, instruction_cache, 0),
    SYSTEM(IC_IVA, instruction_cache, 0),
    SYSTEM(BC_IALL, block_cache, 0),
    SYSTEM(BC_IVA, block_cache, 0),
    SYSTEM(TLB_IALL, tlb, TLB_NO_OPERAND),
    SYSTEM(TLB_IV, tlb, TLB_ADDRESS),
    SYSTEM(TLB_IAV, tlb, TLB_ADDRESS),
    SYSTEM(TLB_IA, tlb, TLB_ASID),
    SYSTEM(BSE, request, 0),
    SYSTEM(BWE, request, 0),
    SYSTEM(BWI, request, 0),
    SYSTEM(BWT, request, 0),
    REGISTER(SSRGET, get),
    REGISTER(HL_SSRGET, get),
    REGISTER(C_SSRGET, get),
    REGISTER(SSRSET, set),
    REGISTER(HL_SSRSET, set),
    REGISTER(SSRSWAP, swap),
    BY_NAME(LSRGET, .exec = exec_local_get, .prepare = prepare_operands, .rule = RULE_BODY),
    BY_NAME(SETC_TGT, .exec = exec_set_target, .prepare = prepare_operands, .rule = RULE_TARGET),
};

const struct handler_table sys_handlers = {rows, sizeof rows / sizeof *rows};
