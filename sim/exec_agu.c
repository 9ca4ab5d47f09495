/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads, stores, pairs, prefetches (asl/scalar/model/dispatch/agu.asl). */
#include "sim/block.h"
#include "sim/decode.h"

enum { AGU_SIGNED = 1, AGU_POST_INDEX = 2 }; /* bits of op->aux */

/* ---- addresses ----
 * ra = base, rb with modifier and shift plus imm = offset, rc = stored value. A PC-relative base
 * is part of imm. size = bytes of one access. */

static void use_source(struct op *op, uint8_t *cell, uint8_t selector)
{
    *cell = selector;
    if (selector >= REG_T)
        op->queue_need |= 1u << selector;
}

static bool has_field(const struct isa_insn *insn, unsigned field)
{
    return isa_field_index(insn->form, field) >= 0;
}

static bool is_store(const struct isa_agu *agu)
{
    return agu->action == ISA_AguAction_Store || agu->action == ISA_AguAction_StorePair;
}

/* SrcRType of addresses: 0 none, 1 sw, 2 uw, 3 neg. */
static void prepare_offset(struct op *op, const struct isa_insn *insn)
{
    static const uint8_t of_type[] = {RIGHT_NONE, RIGHT_SW, RIGHT_UW, RIGHT_NEG};
    const struct isa_agu *agu = &insn->form->agu;
    if (agu->address_kind != ISA_AguAddress_Register) {
        op->rb = REG_ZERO;
        op->imm <<= agu->scale;
        op->shift = 0;
        return;
    }
    op->modifier = of_type[field_unsigned(insn, ISA_FIELD_SrcRType) & 3];
    if (!has_field(insn, ISA_FIELD_shamt))
        op->shift = agu->scale;
}

/* Immediate stores have their base in SrcR and the value in SrcL or SrcD. */
static void prepare_base(struct op *op, const struct isa_insn *insn)
{
    const struct isa_agu *agu = &insn->form->agu;
    if (agu->address_kind == ISA_AguAddress_PCRelative) {
        op->ra = REG_ZERO;
        op->imm += op->pc & ~UINT64_C(3);
    } else if (is_store(agu) && agu->address_kind == ISA_AguAddress_Immediate) {
        op->ra = (uint8_t)field_unsigned(insn, ISA_FIELD_SrcR);
    }
}

static void prepare_value(struct op *op, const struct isa_insn *insn)
{
    const struct isa_agu *agu = &insn->form->agu;
    if (!is_store(agu))
        return;
    if (has_field(insn, ISA_FIELD_SrcD))
        use_source(op, &op->rc, (uint8_t)field_unsigned(insn, ISA_FIELD_SrcD));
    else if (agu->address_kind == ISA_AguAddress_Compressed)
        use_source(op, &op->rc, REG_T);
    else
        use_source(op, &op->rc, (uint8_t)field_unsigned(insn, ISA_FIELD_SrcL));
    if (has_field(insn, ISA_FIELD_SrcD1))
        use_source(op, &op->rd1, (uint8_t)field_unsigned(insn, ISA_FIELD_SrcD1));
}

static void prepare_access(struct op *op, const struct isa_insn *insn)
{
    const struct isa_agu *agu = &insn->form->agu;
    prepare_operands(op, insn);
    prepare_value(op, insn);
    prepare_offset(op, insn);
    prepare_base(op, insn);
    op->size = agu->size;
    op->aux = (agu->is_signed ? AGU_SIGNED : 0) |
              (agu->update == ISA_AguUpdate_PostIndex ? AGU_POST_INDEX : 0);
    if (agu->action == ISA_AguAction_Load && agu->address_kind == ISA_AguAddress_Compressed)
        op->rd = REG_PUSH_T;
}

/* The loop's case for a plain access: its size and sign, no modifier, no update of the base. */
static uint8_t case_of_load(const struct op *op)
{
    static const uint8_t cases[2][9] = {
        {[1] = LABEL_LOAD_U1, [2] = LABEL_LOAD_U2, [4] = LABEL_LOAD_U4, [8] = LABEL_LOAD_U8},
        {[1] = LABEL_LOAD_S1, [2] = LABEL_LOAD_S2, [4] = LABEL_LOAD_S4, [8] = LABEL_LOAD_U8},
    };
    return op->modifier ? LABEL_CALL : cases[op->aux & AGU_SIGNED][op->size];
}

static uint8_t case_of_store(const struct op *op)
{
    static const uint8_t cases[9] = {
        [1] = LABEL_STORE_1, [2] = LABEL_STORE_2, [4] = LABEL_STORE_4, [8] = LABEL_STORE_8};
    return op->modifier ? LABEL_CALL : cases[op->size];
}

/* ---- handlers ---- */

static uint64_t extended(const struct op *op, uint64_t value)
{
    unsigned unused = 64 - 8u * op->size;
    return op->aux & AGU_SIGNED ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static uint64_t base_plus_offset(const struct pe *pe, const struct op *op)
{
    return pe->reg[op->ra] + right_operand(pe, op);
}

static uint64_t accessed(const struct pe *pe, const struct op *op)
{
    return op->aux & AGU_POST_INDEX ? pe->reg[op->ra] : base_plus_offset(pe, op);
}

static enum exec_status exec_load(struct pe *pe, const struct op *op)
{
    uint64_t address = base_plus_offset(pe, op);
    if (!data_probe(pe, op, address, op->size, op->size, MEM_READ))
        return EXEC_FAULT;
    put(pe, op->rd, extended(op, data_load(pe, address, op->size)));
    return EXEC_NEXT;
}

static enum exec_status exec_load_update(struct pe *pe, const struct op *op)
{
    uint64_t updated = base_plus_offset(pe, op), address = accessed(pe, op);
    if (!data_probe(pe, op, address, op->size, op->size, MEM_READ))
        return EXEC_FAULT;
    put(pe, op->rd, extended(op, data_load(pe, address, op->size)));
    put(pe, op->rd1, updated);
    return EXEC_NEXT;
}

static enum exec_status exec_load_pair(struct pe *pe, const struct op *op)
{
    uint64_t address = base_plus_offset(pe, op), second = address + op->size;
    if (!data_probe(pe, op, address, op->size, op->size, MEM_READ) ||
        !data_probe(pe, op, second, op->size, op->size, MEM_READ))
        return EXEC_FAULT;
    uint64_t a = data_load(pe, address, op->size), b = data_load(pe, second, op->size);
    put(pe, op->rd, extended(op, a));
    put(pe, op->rd1, extended(op, b));
    return EXEC_NEXT;
}

static enum exec_status exec_store(struct pe *pe, const struct op *op)
{
    uint64_t address = base_plus_offset(pe, op);
    if (!data_probe(pe, op, address, op->size, op->size, MEM_WRITE))
        return EXEC_FAULT;
    data_store(pe, address, op->size, pe->reg[op->rc]);
    return data_stored(pe, op);
}

static enum exec_status exec_store_update(struct pe *pe, const struct op *op)
{
    uint64_t updated = base_plus_offset(pe, op), address = accessed(pe, op);
    if (!data_probe(pe, op, address, op->size, op->size, MEM_WRITE))
        return EXEC_FAULT;
    data_store(pe, address, op->size, pe->reg[op->rc]);
    put(pe, op->rd, updated);
    return data_stored(pe, op);
}

/* rd1 is the second value's cell. */
static enum exec_status exec_store_pair(struct pe *pe, const struct op *op)
{
    uint64_t address = base_plus_offset(pe, op), second = address + op->size;
    if (!data_probe(pe, op, address, op->size, op->size, MEM_WRITE) ||
        !data_probe(pe, op, second, op->size, op->size, MEM_WRITE))
        return EXEC_FAULT;
    data_store(pe, address, op->size, pe->reg[op->rc]);
    data_store(pe, second, op->size, pe->reg[op->rd1]);
    return data_stored(pe, op);
}

/* A prefetch has no architectural effect on memory, not even a check of its address. */
static enum exec_status exec_prefetch(struct pe *pe, const struct op *op)
{
    (void)pe, (void)op;
    return EXEC_NEXT;
}

static enum exec_status exec_prefetch_address(struct pe *pe, const struct op *op)
{
    put(pe, op->rd, base_plus_offset(pe, op));
    return EXEC_NEXT;
}

/* ---- variants of one class ---- */

static void prepare_load(struct op *op, const struct isa_insn *insn)
{
    prepare_access(op, insn);
    if (insn->form->agu.update != ISA_AguUpdate_None)
        op->exec = exec_load_update;
    else
        op->label = case_of_load(op);
}

static void prepare_store(struct op *op, const struct isa_insn *insn)
{
    prepare_access(op, insn);
    if (insn->form->agu.update != ISA_AguUpdate_None)
        op->exec = exec_store_update;
    else
        op->label = case_of_store(op);
}

static void prepare_prefetch(struct op *op, const struct isa_insn *insn)
{
    prepare_access(op, insn);
    if (insn->form->agu.returns_address)
        op->exec = exec_prefetch_address;
}

static const struct handler rows[] = {
    BY_CLASS(ExecuteScalarLoad, .exec = exec_load, .prepare = prepare_load),
    BY_CLASS(ExecuteScalarLoadPair, .exec = exec_load_pair, .prepare = prepare_access),
    BY_CLASS(ExecuteScalarStore, .exec = exec_store, .prepare = prepare_store),
    BY_CLASS(ExecuteScalarStorePair, .exec = exec_store_pair, .prepare = prepare_access),
    BY_CLASS(ScalarPrefetch, .exec = exec_prefetch, .prepare = prepare_prefetch),
};

const struct handler_table agu_handlers = {rows, sizeof rows / sizeof *rows};
