/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons, SETC, jumps and PC-relative addresses (asl/scalar/model/dispatch/bru.asl). */
#include "sim/block.h"
#include "sim/decode.h"

enum { HALFWORD = 2, PAGE_SHIFT = 12 };

enum condition { COND_EQ, COND_NE, COND_LT, COND_GE, COND_LTU, COND_GEU, COND_AND, COND_OR };

static bool holds(enum condition condition, uint64_t a, uint64_t b)
{
    switch (condition) {
    case COND_EQ:
        return a == b;
    case COND_NE:
        return a != b;
    case COND_LT:
        return (int64_t)a < (int64_t)b;
    case COND_GE:
        return (int64_t)a >= (int64_t)b;
    case COND_LTU:
        return a < b;
    case COND_GEU:
        return a >= b;
    case COND_AND:
        return (a & b) != 0;
    default:
        return (a | b) != 0;
    }
}

/* SrcRType of comparisons: 0 none, 1 sw, 2 uw; 3 complements for AND and OR only. */
static void prepare_compare(struct op *op, const struct isa_insn *insn)
{
    bool logical = op->aux == COND_AND || op->aux == COND_OR;
    const uint8_t of_type[] = {RIGHT_NONE, RIGHT_SW, RIGHT_UW, logical ? RIGHT_NOT : RIGHT_NONE};
    prepare_operands(op, insn);
    op->modifier = of_type[field_unsigned(insn, ISA_FIELD_SrcRType) & 3];
}

/* SETC with an immediate shifts the immediate. */
static void prepare_set_condition(struct op *op, const struct isa_insn *insn)
{
    prepare_compare(op, insn);
    op->imm <<= op->shift;
    op->shift = 0;
}

/* C.CMP.EQI and C.CMP.NEI compare T#1 and push the answer to T. The ASL does not ask whether T#1
 * holds a value (ScalarImplicitSourceOperandsLegal names other forms only). */
static void prepare_compressed_compare(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->rd = REG_PUSH_T;
    op->ra = REG_T;
}

static enum exec_status exec_compare(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, holds(op->aux, pe->reg[op->ra], right_operand(pe, op)));
    return EXEC_NEXT;
}

static enum exec_status exec_set_condition(struct pe *pe, const struct op *op)
{
    bool answer = holds(op->aux, pe->reg[op->ra], right_operand(pe, op));
    pe->commit_argument = answer;
    pe->block.taken = answer;
    pe->block.condition_set = true;
    return EXEC_NEXT;
}

static void prepare_jump(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->imm = op->pc + op->imm * HALFWORD;
}

static enum exec_status exec_jump(struct pe *pe, const struct op *op)
{
    pe->pc = op->imm;
    return EXEC_JUMP;
}

static void prepare_jump_register(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->imm *= HALFWORD;
    /* SrcZero is no operand of the semantics. */
    op->queue_need = op->ra >= REG_T ? 1u << op->ra : 0;
}

static enum exec_status exec_jump_register(struct pe *pe, const struct op *op)
{
    uint64_t target = pe->reg[op->ra] + op->imm;
    if (target & 1)
        return op_fault(pe, op, FAULT_INSTRUCTION_PC, target, "the jump target 0x%llx is odd",
                        (unsigned long long)target);
    pe->pc = target;
    return EXEC_JUMP;
}

static void prepare_add_pc(struct op *op, const struct isa_insn *insn)
{
    bool wide = isa_field_index(insn->form, ISA_FIELD_imm32) >= 0;
    prepare_operands(op, insn);
    op->imm = op->pc + (field_signed(insn, wide ? ISA_FIELD_imm32 : ISA_FIELD_imm20) << PAGE_SHIFT);
}

static enum exec_status exec_add_pc(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, op->imm);
    return EXEC_NEXT;
}

#define COMPARE(name, condition)                                                                   \
    BY_NAME(name, .exec = exec_compare, .prepare = prepare_compare, .argument = condition)
#define SET(name, condition)                                                                       \
    BY_NAME(name, .exec = exec_set_condition, .prepare = prepare_set_condition,                    \
            .argument = condition, .rule = RULE_CONDITION)

static const struct handler rows[] = {
    COMPARE(CMP_EQ, COND_EQ),
    COMPARE(CMP_NE, COND_NE),
    COMPARE(CMP_LT, COND_LT),
    COMPARE(CMP_GE, COND_GE),
    COMPARE(CMP_LTU, COND_LTU),
    COMPARE(CMP_GEU, COND_GEU),
    COMPARE(CMP_AND, COND_AND),
    COMPARE(CMP_OR, COND_OR),
    COMPARE(CMP_EQI, COND_EQ),
    COMPARE(CMP_NEI, COND_NE),
    COMPARE(CMP_LTI, COND_LT),
    COMPARE(CMP_GEI, COND_GE),
    COMPARE(CMP_LTUI, COND_LTU),
    COMPARE(CMP_GEUI, COND_GEU),
    COMPARE(CMP_ANDI, COND_AND),
    COMPARE(CMP_ORI, COND_OR),
    COMPARE(HL_CMP_EQI, COND_EQ),
    COMPARE(HL_CMP_NEI, COND_NE),
    COMPARE(HL_CMP_LTI, COND_LT),
    COMPARE(HL_CMP_GEI, COND_GE),
    COMPARE(HL_CMP_LTUI, COND_LTU),
    COMPARE(HL_CMP_GEUI, COND_GEU),
    COMPARE(HL_CMP_ANDI, COND_AND),
    COMPARE(HL_CMP_ORI, COND_OR),
    BY_NAME(C_CMP_EQI, .exec = exec_compare, .prepare = prepare_compressed_compare,
            .argument = COND_EQ),
    BY_NAME(C_CMP_NEI, .exec = exec_compare, .prepare = prepare_compressed_compare,
            .argument = COND_NE),
    SET(SETC_EQ, COND_EQ),
    SET(SETC_NE, COND_NE),
    SET(SETC_LT, COND_LT),
    SET(SETC_GE, COND_GE),
    SET(SETC_LTU, COND_LTU),
    SET(SETC_GEU, COND_GEU),
    SET(SETC_AND, COND_AND),
    SET(SETC_OR, COND_OR),
    SET(SETC_EQI, COND_EQ),
    SET(SETC_NEI, COND_NE),
    SET(SETC_LTI, COND_LT),
    SET(SETC_GEI, COND_GE),
    SET(SETC_LTUI, COND_LTU),
    SET(SETC_GEUI, COND_GEU),
    SET(SETC_ANDI, COND_AND),
    SET(SETC_ORI, COND_OR),
    SET(HL_SETC_EQI, COND_EQ),
    SET(HL_SETC_NEI, COND_NE),
    SET(HL_SETC_LTI, COND_LT),
    SET(HL_SETC_GEI, COND_GE),
    SET(HL_SETC_LTUI, COND_LTU),
    SET(HL_SETC_GEUI, COND_GEU),
    SET(HL_SETC_ANDI, COND_AND),
    SET(HL_SETC_ORI, COND_OR),
    SET(C_SETC_EQ, COND_EQ),
    SET(C_SETC_NE, COND_NE),
    BY_NAME(J, .exec = exec_jump, .prepare = prepare_jump, .flags = OP_ENDS),
    BY_NAME(JR, .exec = exec_jump_register, .prepare = prepare_jump_register, .flags = OP_ENDS),
    BY_NAME(ADDTPC, .exec = exec_add_pc, .prepare = prepare_add_pc),
    BY_NAME(HL_ADDTPC, .exec = exec_add_pc, .prepare = prepare_add_pc),
};

const struct handler_table bru_handlers = {rows, sizeof rows / sizeof *rows};
