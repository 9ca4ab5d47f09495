/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparisons, SETC, jumps and PC-relative addresses (asl/scalar/model/dispatch/bru.asl). */
#include "sim/block.h"
#include "sim/decode.h"

enum { HALFWORD = 2, PAGE_SHIFT = 12 };

enum condition {
#define CONDITION(name, value) COND_##name,
#include "sim/condition.def"
#undef CONDITION
};

static bool holds(enum condition condition, uint64_t a, uint64_t b)
{
    switch (condition) {
#define CONDITION(name, value)                                                                     \
    case COND_##name:                                                                              \
        return value;
#include "sim/condition.def"
#undef CONDITION
    }
    return false;
}

/* SrcRType of comparisons: 0 none, 1 sw, 2 uw; 3 complements for AND and OR only. */
static void prepare_compare(struct op *op, const struct isa_insn *insn)
{
    bool logical = op->aux == COND_AND || op->aux == COND_OR;
    const uint8_t of_type[] = {RIGHT_NONE, RIGHT_SW, RIGHT_UW, logical ? RIGHT_NOT : RIGHT_NONE};
    prepare_operands(op, insn);
    op->modifier = of_type[field_unsigned(insn, ISA_FIELD_SrcRType) & 3];
    if (op->modifier)
        op->label = LABEL_CALL;
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
    block_set_condition(pe, holds(op->aux, pe->reg[op->ra], right_operand(pe, op)));
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
    BY_NAME(name, .exec = exec_compare, .prepare = prepare_compare, .argument = COND_##condition,  \
            .label = LABEL_COMPARE_##condition)
#define SET(name, condition)                                                                       \
    BY_NAME(name, .exec = exec_set_condition, .prepare = prepare_set_condition,                    \
            .argument = COND_##condition, .label = LABEL_SET_##condition, .rule = RULE_CONDITION)

static const struct handler rows[] = {
    COMPARE(CMP_EQ, EQ),
    COMPARE(CMP_NE, NE),
    COMPARE(CMP_LT, LT),
    COMPARE(CMP_GE, GE),
    COMPARE(CMP_LTU, LTU),
    COMPARE(CMP_GEU, GEU),
    COMPARE(CMP_AND, AND),
    COMPARE(CMP_OR, OR),
    COMPARE(CMP_EQI, EQ),
    COMPARE(CMP_NEI, NE),
    COMPARE(CMP_LTI, LT),
    COMPARE(CMP_GEI, GE),
    COMPARE(CMP_LTUI, LTU),
    COMPARE(CMP_GEUI, GEU),
    COMPARE(CMP_ANDI, AND),
    COMPARE(CMP_ORI, OR),
    COMPARE(HL_CMP_EQI, EQ),
    COMPARE(HL_CMP_NEI, NE),
    COMPARE(HL_CMP_LTI, LT),
    COMPARE(HL_CMP_GEI, GE),
    COMPARE(HL_CMP_LTUI, LTU),
    COMPARE(HL_CMP_GEUI, GEU),
    COMPARE(HL_CMP_ANDI, AND),
    COMPARE(HL_CMP_ORI, OR),
    BY_NAME(C_CMP_EQI, .exec = exec_compare, .prepare = prepare_compressed_compare,
            .argument = COND_EQ),
    BY_NAME(C_CMP_NEI, .exec = exec_compare, .prepare = prepare_compressed_compare,
            .argument = COND_NE),
    SET(SETC_EQ, EQ),
    SET(SETC_NE, NE),
    SET(SETC_LT, LT),
    SET(SETC_GE, GE),
    SET(SETC_LTU, LTU),
    SET(SETC_GEU, GEU),
    SET(SETC_AND, AND),
    SET(SETC_OR, OR),
    SET(SETC_EQI, EQ),
    SET(SETC_NEI, NE),
    SET(SETC_LTI, LT),
    SET(SETC_GEI, GE),
    SET(SETC_LTUI, LTU),
    SET(SETC_GEUI, GEU),
    SET(SETC_ANDI, AND),
    SET(SETC_ORI, OR),
    SET(HL_SETC_EQI, EQ),
    SET(HL_SETC_NEI, NE),
    SET(HL_SETC_LTI, LT),
    SET(HL_SETC_GEI, GE),
    SET(HL_SETC_LTUI, LTU),
    SET(HL_SETC_GEUI, GEU),
    SET(HL_SETC_ANDI, AND),
    SET(HL_SETC_ORI, OR),
    SET(C_SETC_EQ, EQ),
    SET(C_SETC_NE, NE),
    BY_NAME(J, .exec = exec_jump, .prepare = prepare_jump, .flags = OP_ENDS),
    BY_NAME(JR, .exec = exec_jump_register, .prepare = prepare_jump_register, .flags = OP_ENDS),
    BY_NAME(ADDTPC, .exec = exec_add_pc, .prepare = prepare_add_pc),
    BY_NAME(HL_ADDTPC, .exec = exec_add_pc, .prepare = prepare_add_pc),
};

const struct handler_table bru_handlers = {rows, sizeof rows / sizeof *rows};
