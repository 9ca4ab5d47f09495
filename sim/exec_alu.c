/* SPDX-License-Identifier: BSD-3-Clause */
/* The integer family ALU (asl/scalar/model/dispatch/alu.asl). */
#include "sim/alu.h"
#include "sim/block.h"
#include "sim/decode.h"

enum { HALFWORD = 2, TYPE_NONE = 3 };

enum alu_operation {
#define ALU(name, value) OP_##name,
#include "sim/alu.def"
#undef ALU
};

static uint64_t (*const operation[])(uint64_t, uint64_t) = {
#define ALU(name, value) alu_##name,
#include "sim/alu.def"
#undef ALU
};

/* ---- two operands ---- */

static enum exec_status exec_binary(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, operation[op->aux](pe->reg[op->ra], right_operand(pe, op)));
    return EXEC_NEXT;
}

/* SrcRType of arithmetic and logical forms: 0 sw, 1 uw, 2 neg or not, 3 none. */
static void set_modifier(struct op *op, const struct isa_insn *insn, uint8_t third)
{
    const uint8_t of_type[] = {RIGHT_SW, RIGHT_UW, third, RIGHT_NONE};
    if (isa_field_index(insn->form, ISA_FIELD_SrcRType) >= 0)
        op->modifier = of_type[field_unsigned(insn, ISA_FIELD_SrcRType) & TYPE_NONE];
    if (op->modifier)
        op->label = LABEL_CALL;
}

static void prepare_arithmetic(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    set_modifier(op, insn, RIGHT_NEG);
}

static void prepare_logical(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    set_modifier(op, insn, RIGHT_NOT);
}

/* The shift amount is the right operand itself. */
static void prepare_shift(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->imm = op->shift;
    op->shift = 0;
}

/* Compressed forms push their result to T. */
static void prepare_compressed(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->rd = REG_PUSH_T;
}

static void prepare_compressed_shift(struct op *op, const struct isa_insn *insn)
{
    prepare_compressed(op, insn);
    op->ra = REG_T;
    op->queue_need = 1u << REG_T;
}

/* ---- constants and moves ---- */

static enum exec_status exec_constant(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, op->imm);
    return EXEC_NEXT;
}

static enum exec_status exec_move(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, pe->reg[op->ra]);
    return EXEC_NEXT;
}

static void prepare_lui(struct op *op, const struct isa_insn *insn)
{
    enum { LUI_SHIFT = 12 };
    prepare_operands(op, insn);
    op->imm = field_signed(insn, ISA_FIELD_imm20) << LUI_SHIFT;
}

static void prepare_long_upper(struct op *op, const struct isa_insn *insn)
{
    enum { UPPER_SHIFT = 32 };
    prepare_operands(op, insn);
    op->imm = field_unsigned(insn, ISA_FIELD_imm) << UPPER_SHIFT;
}

/* ---- extension: aux = width, bit 7 = signed ---- */

enum { EXTEND_SIGNED = 0x80 };

static enum exec_status exec_extend(struct pe *pe, const struct op *op)
{
    unsigned unused = 64 - (op->aux & (EXTEND_SIGNED - 1u));
    uint64_t value = pe->reg[op->ra] << unused;
    put(pe, op->rd,
        op->aux & EXTEND_SIGNED ? (uint64_t)((int64_t)value >> unused) : value >> unused);
    return EXEC_NEXT;
}

/* ---- bit fields: size = width 1..64, shift = offset ---- */

static uint64_t rotate_right(uint64_t value, unsigned amount)
{
    return amount ? value >> amount | value << (64 - amount) : value;
}

static uint64_t mask_of_width(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

static uint64_t extract(const struct pe *pe, const struct op *op)
{
    return rotate_right(pe->reg[op->ra], op->shift) & mask_of_width(op->size);
}

static void prepare_bitfield(struct op *op, const struct isa_insn *insn)
{
    bool reverse = isa_field_index(insn->form, ISA_FIELD_immr) >= 0;
    prepare_operands(op, insn);
    op->size = (uint8_t)(field_unsigned(insn, ISA_FIELD_imml) + 1);
    op->shift = (uint8_t)field_unsigned(insn, reverse ? ISA_FIELD_immr : ISA_FIELD_imms);
}

static enum exec_status exec_extract_unsigned(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, extract(pe, op));
    return EXEC_NEXT;
}

static enum exec_status exec_extract_signed(struct pe *pe, const struct op *op)
{
    unsigned unused = 64u - op->size;
    put(pe, op->rd, (uint64_t)((int64_t)(extract(pe, op) << unused) >> unused));
    return EXEC_NEXT;
}

static enum exec_status exec_count_ones(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, (uint64_t)__builtin_popcountll(extract(pe, op)));
    return EXEC_NEXT;
}

static enum exec_status exec_count_leading(struct pe *pe, const struct op *op)
{
    uint64_t field = extract(pe, op);
    put(pe, op->rd, field ? (uint64_t)__builtin_clzll(field) - (64u - op->size) : op->size);
    return EXEC_NEXT;
}

static enum exec_status exec_count_trailing(struct pe *pe, const struct op *op)
{
    uint64_t field = extract(pe, op);
    put(pe, op->rd, field ? (uint64_t)__builtin_ctzll(field) : op->size);
    return EXEC_NEXT;
}

/* BIC and BIS: aux 1 sets. */
static enum exec_status exec_modify(struct pe *pe, const struct op *op)
{
    uint64_t mask = rotate_right(mask_of_width(op->size), (64u - op->shift) & 63);
    uint64_t value = pe->reg[op->ra];
    put(pe, op->rd, op->aux ? value | mask : value & ~mask);
    return EXEC_NEXT;
}

/* A width that is no whole number of bytes gives 0. */
static enum exec_status exec_reverse(struct pe *pe, const struct op *op)
{
    bool whole = op->size % 8 == 0;
    put(pe, op->rd, whole ? __builtin_bswap64(extract(pe, op)) >> (64u - op->size) : 0);
    return EXEC_NEXT;
}

/* HL.BFI: bits immr … imms of SrcL, cyclically, from the low bits of SrcR. */
static void prepare_insert(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    unsigned first = (unsigned)field_unsigned(insn, ISA_FIELD_immr);
    unsigned last = (unsigned)field_unsigned(insn, ISA_FIELD_imms);
    op->aux = (uint8_t)first;
    op->size = (uint8_t)(((last - first) & 63) + 1);
}

static enum exec_status exec_insert(struct pe *pe, const struct op *op)
{
    unsigned left = (64u - op->aux) & 63;
    uint64_t mask = mask_of_width(op->size);
    uint64_t value = pe->reg[op->ra] & ~rotate_right(mask, left);
    put(pe, op->rd, value | rotate_right(pe->reg[op->rb] & mask, left));
    return EXEC_NEXT;
}

/* ---- three operands ---- */

static enum exec_status exec_multiply_add(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, pe->reg[op->rc] + pe->reg[op->ra] * pe->reg[op->rb]);
    return EXEC_NEXT;
}

static enum exec_status exec_multiply_add_w(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, sext32(pe->reg[op->rc] + pe->reg[op->ra] * pe->reg[op->rb]));
    return EXEC_NEXT;
}

/* HL.MIADD, HL.MISUB: aux 1 subtracts. */
static enum exec_status exec_multiply_immediate(struct pe *pe, const struct op *op)
{
    uint64_t product = pe->reg[op->rb] * op->imm;
    put(pe, op->rd, op->aux ? pe->reg[op->ra] - product : pe->reg[op->ra] + product);
    return EXEC_NEXT;
}

static void prepare_select(struct op *op, const struct isa_insn *insn)
{
    enum { SELECT_NEGATE = 3 };
    prepare_operands(op, insn);
    if (field_unsigned(insn, ISA_FIELD_SrcRType) == SELECT_NEGATE)
        op->modifier = RIGHT_NEG;
}

static enum exec_status exec_select(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, pe->reg[op->rc] ? pe->reg[op->ra] : right_operand(pe, op));
    return EXEC_NEXT;
}

/* ---- two results: the first destination is written first ---- */

static enum exec_status put_pair(struct pe *pe, const struct op *op, uint64_t first,
                                 uint64_t second)
{
    put(pe, op->rd, first);
    put(pe, op->rd1, second);
    return EXEC_NEXT;
}

static int128 wide(uint64_t value)
{
    return (int64_t)value;
}

static enum exec_status exec_multiply_wide(struct pe *pe, const struct op *op)
{
    uint128 p = (uint128)(wide(pe->reg[op->ra]) * wide(pe->reg[op->rb]));
    return put_pair(pe, op, (uint64_t)p, (uint64_t)(p >> 64));
}

static enum exec_status exec_multiply_wide_unsigned(struct pe *pe, const struct op *op)
{
    uint128 p = (uint128)pe->reg[op->ra] * pe->reg[op->rb];
    return put_pair(pe, op, (uint64_t)p, (uint64_t)(p >> 64));
}

static enum exec_status exec_multiply_add_wide(struct pe *pe, const struct op *op)
{
    uint128 p =
        (uint128)(wide(pe->reg[op->ra]) * wide(pe->reg[op->rb])) + (uint128)wide(pe->reg[op->rc]);
    return put_pair(pe, op, (uint64_t)p, (uint64_t)(p >> 64));
}

static enum exec_status exec_multiply_add_wide_w(struct pe *pe, const struct op *op)
{
    uint64_t p = sext32(pe->reg[op->ra]) * sext32(pe->reg[op->rb]) + sext32(pe->reg[op->rc]);
    return put_pair(pe, op, sext32(p), sext32(p >> 32));
}

/* HL.DIV and HL.REM families: aux = the first result's operation, size = the second's. */
static void prepare_divide(struct op *op, const struct isa_insn *insn)
{
    static const uint8_t partner[] = {
        [OP_div] = OP_rem,   [OP_divu] = OP_remu,   [OP_rem] = OP_div,   [OP_remu] = OP_divu,
        [OP_divw] = OP_remw, [OP_divuw] = OP_remuw, [OP_remw] = OP_divw, [OP_remuw] = OP_divuw,
    };
    prepare_operands(op, insn);
    op->size = partner[op->aux];
}

static enum exec_status exec_divide(struct pe *pe, const struct op *op)
{
    uint64_t a = pe->reg[op->ra], b = pe->reg[op->rb];
    return put_pair(pe, op, operation[op->aux](a, b), operation[op->size](a, b));
}

static enum exec_status exec_concatenate(struct pe *pe, const struct op *op)
{
    uint128 both = (uint128)pe->reg[op->ra] << 64 | pe->reg[op->rb];
    both >>= op->shift;
    return put_pair(pe, op, (uint64_t)both, (uint64_t)(both >> 64));
}

static enum exec_status exec_concatenate_w(struct pe *pe, const struct op *op)
{
    uint64_t both = pe->reg[op->ra] << 32 | (uint32_t)pe->reg[op->rb];
    both = op->shift < 64 ? both >> op->shift : 0;
    return put_pair(pe, op, sext32(both), sext32(both >> 32));
}

/* ---- block state ---- */

static enum exec_status exec_set_target(struct pe *pe, const struct op *op)
{
    pe->block.bpcn = pe->reg[op->ra];
    pe->block.target_set = true;
    return EXEC_NEXT;
}

/* C.SETRET, SETRET, HL.SETRET: ra and the hidden return address, forward from the instruction. */
static void prepare_return(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->imm = op->pc + op->imm * HALFWORD;
}

static enum exec_status exec_set_return(struct pe *pe, const struct op *op)
{
    pe->reg[REG_RA] = op->imm;
    pe->return_address = op->imm;
    return EXEC_NEXT;
}

/* ---- the table ---- */

#define BINARY(name, how, what)                                                                    \
    BY_NAME(name, .exec = exec_binary, .prepare = prepare_##how, .argument = OP_##what,            \
            .label = LABEL_ALU_##what)
#define CONSTANT(name, how) BY_NAME(name, .exec = exec_constant, .prepare = prepare_##how)
#define EXTEND(name, how)                                                                          \
    BY_NAME(name, .exec = exec_extend, .prepare = prepare_compressed, .argument = how)
#define BITFIELD(name, how, value)                                                                 \
    BY_NAME(name, .exec = exec_##how, .prepare = prepare_bitfield, .argument = value)
#define OPERANDS(name, how, value)                                                                 \
    BY_NAME(name, .exec = exec_##how, .prepare = prepare_operands, .argument = value)
#define DIVIDE(name, what)                                                                         \
    BY_NAME(name, .exec = exec_divide, .prepare = prepare_divide, .argument = OP_##what)

static const struct handler rows[] = {
    BINARY(ADD, arithmetic, add),
    BINARY(SUB, arithmetic, sub),
    BINARY(AND, logical, and),
    BINARY(OR, logical, or),
    BINARY(XOR, logical, xor),
    BINARY(ADDI, arithmetic, add),
    BINARY(SUBI, arithmetic, sub),
    BINARY(ANDI, logical, and),
    BINARY(ORI, logical, or),
    BINARY(XORI, logical, xor),
    BINARY(HL_ADDI, arithmetic, add),
    BINARY(HL_SUBI, arithmetic, sub),
    BINARY(HL_ANDI, logical, and),
    BINARY(HL_ORI, logical, or),
    BINARY(HL_XORI, logical, xor),
    BINARY(SLL, arithmetic, sll),
    BINARY(SRL, arithmetic, srl),
    BINARY(SRA, arithmetic, sra),
    BINARY(SLLI, shift, sll),
    BINARY(SRLI, shift, srl),
    BINARY(SRAI, shift, sra),
    BINARY(C_ADD, compressed, add),
    BINARY(C_SUB, compressed, sub),
    BINARY(C_AND, compressed, and),
    BINARY(C_OR, compressed, or),
    BINARY(C_ADDI, compressed, add),
    BINARY(C_SLLI, compressed_shift, sll),
    BINARY(C_SRLI, compressed_shift, srl),
    BINARY(ADDW, arithmetic, addw),
    BINARY(SUBW, arithmetic, subw),
    BINARY(ANDW, logical, andw),
    BINARY(ORW, logical, orw),
    BINARY(XORW, logical, xorw),
    BINARY(ADDIW, arithmetic, addw),
    BINARY(SUBIW, arithmetic, subw),
    BINARY(ANDIW, logical, andw),
    BINARY(ORIW, logical, orw),
    BINARY(XORIW, logical, xorw),
    BINARY(HL_ADDIW, arithmetic, addw),
    BINARY(HL_SUBIW, arithmetic, subw),
    BINARY(HL_ANDIW, logical, andw),
    BINARY(HL_ORIW, logical, orw),
    BINARY(HL_XORIW, logical, xorw),
    BINARY(SLLW, arithmetic, sllw),
    BINARY(SRLW, arithmetic, srlw),
    BINARY(SRAW, arithmetic, sraw),
    BINARY(SLLIW, shift, sllw),
    BINARY(SRLIW, shift, srlw),
    BINARY(SRAIW, shift, sraw),
    BINARY(MIN, arithmetic, min),
    BINARY(MINU, arithmetic, minu),
    BINARY(MAX, arithmetic, max),
    BINARY(MAXU, arithmetic, maxu),
    BINARY(DIV, arithmetic, div),
    BINARY(DIVU, arithmetic, divu),
    BINARY(DIVW, arithmetic, divw),
    BINARY(DIVUW, arithmetic, divuw),
    BINARY(REM, arithmetic, rem),
    BINARY(REMU, arithmetic, remu),
    BINARY(REMW, arithmetic, remw),
    BINARY(REMUW, arithmetic, remuw),
    BINARY(MUL, arithmetic, mul),
    BINARY(MULU, arithmetic, mul),
    BINARY(MULW, arithmetic, mulw),
    BINARY(MULUW, arithmetic, mulw),
    OPERANDS(MADD, multiply_add, 0),
    OPERANDS(MADDW, multiply_add_w, 0),
    OPERANDS(HL_MIADD, multiply_immediate, 0),
    OPERANDS(HL_MISUB, multiply_immediate, 1),
    OPERANDS(HL_MUL, multiply_wide, 0),
    OPERANDS(HL_MULU, multiply_wide_unsigned, 0),
    OPERANDS(HL_MADD, multiply_add_wide, 0),
    OPERANDS(HL_MADDW, multiply_add_wide_w, 0),
    DIVIDE(HL_DIV, div),
    DIVIDE(HL_DIVU, divu),
    DIVIDE(HL_DIVW, divw),
    DIVIDE(HL_DIVUW, divuw),
    DIVIDE(HL_REM, rem),
    DIVIDE(HL_REMU, remu),
    DIVIDE(HL_REMW, remw),
    DIVIDE(HL_REMUW, remuw),
    OPERANDS(HL_CCAT, concatenate, 0),
    OPERANDS(HL_CCATW, concatenate_w, 0),
    BY_NAME(CSEL, .exec = exec_select, .prepare = prepare_select),
    BITFIELD(BXU, extract_unsigned, 0),
    BITFIELD(BXS, extract_signed, 0),
    BITFIELD(BCNT, count_ones, 0),
    BITFIELD(CLZ, count_leading, 0),
    BITFIELD(CTZ, count_trailing, 0),
    BITFIELD(BIC, modify, 0),
    BITFIELD(BIS, modify, 1),
    BITFIELD(REV, reverse, 0),
    BY_NAME(HL_BFI, .exec = exec_insert, .prepare = prepare_insert),
    CONSTANT(LUI, lui),
    CONSTANT(HL_LUI, long_upper),
    CONSTANT(HL_LIS, operands),
    CONSTANT(HL_LIU, operands),
    CONSTANT(C_MOVI, operands),
    BY_NAME(C_MOVR, .exec = exec_move, .prepare = prepare_operands, .label = LABEL_MOVE),
    EXTEND(C_SEXT_B, 8 | EXTEND_SIGNED),
    EXTEND(C_SEXT_H, 16 | EXTEND_SIGNED),
    EXTEND(C_SEXT_W, 32 | EXTEND_SIGNED),
    EXTEND(C_ZEXT_B, 8),
    EXTEND(C_ZEXT_H, 16),
    EXTEND(C_ZEXT_W, 32),
    BY_NAME(C_SETC_TGT, .exec = exec_set_target, .prepare = prepare_operands,
            .rule = RULE_TARGET_ONE),
    BY_NAME(C_SETRET, .exec = exec_set_return, .prepare = prepare_return),
    BY_NAME(SETRET, .exec = exec_set_return, .prepare = prepare_return),
    BY_NAME(HL_SETRET, .exec = exec_set_return, .prepare = prepare_return),
};

const struct handler_table alu_handlers = {rows, sizeof rows / sizeof *rows};
