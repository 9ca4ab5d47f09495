/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomics and the 64-byte DMA copy (asl/scalar/model/amo/semantics.asl). PEs
 * take turns between runs of instructions, so a single instruction is atomic
 * as it stands; aq, rl and far order and place accesses that are in order
 * already.
 */
#include "sim/alu.h"
#include "sim/block.h"
#include "sim/decode.h"
#include "sim/memory.h"

enum atomic {
    ATOMIC_SWAP,
    ATOMIC_ADD,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_SMIN,
    ATOMIC_SMAX,
    ATOMIC_UMIN,
    ATOMIC_UMAX
};

/* op->aux: operation in the low bits, log2 of the access size above. */
enum { ATOMIC_MASK = 0xf, ATOMIC_SIZE_SHIFT = 4, LINE = 64 };

static void prepare_atomic(struct op *op, const struct isa_insn *insn)
{
    prepare_operands(op, insn);
    op->size = (uint8_t)(1u << (op->aux >> ATOMIC_SIZE_SHIFT));
    op->aux &= ATOMIC_MASK;
}

static uint64_t sign_extended(uint64_t value, unsigned size)
{
    unsigned unused = 64 - 8 * size;
    return (uint64_t)((int64_t)(value << unused) >> unused);
}

static uint64_t low_bytes(uint64_t value, unsigned size)
{
    return value & UINT64_MAX >> (64 - 8 * size);
}

/* Loaded words are sign-extended, bytes and halfwords are not. */
static uint64_t returned(uint64_t value, unsigned size)
{
    return size == 4 ? sext32(value) : value;
}

static uint64_t combined(enum atomic operation, uint64_t old, uint64_t operand, unsigned size)
{
    int64_t signed_old = (int64_t)sign_extended(old, size);
    int64_t signed_operand = (int64_t)sign_extended(operand, size);
    switch (operation) {
    case ATOMIC_ADD:
        return old + operand;
    case ATOMIC_AND:
        return old & operand;
    case ATOMIC_OR:
        return old | operand;
    case ATOMIC_XOR:
        return old ^ operand;
    case ATOMIC_SMIN:
        return signed_old < signed_operand ? old : operand;
    case ATOMIC_SMAX:
        return signed_old > signed_operand ? old : operand;
    case ATOMIC_UMIN:
        return alu_minu(old, operand);
    case ATOMIC_UMAX:
        return alu_maxu(old, operand);
    default:
        return operand;
    }
}

static bool probe_both(struct pe *pe, const struct op *op, uint64_t address)
{
    return data_probe(pe, op, address, op->size, op->size, MEM_READ) &&
           data_probe(pe, op, address, op->size, op->size, MEM_WRITE);
}

/* Forms without a destination discard the old value. */
static enum exec_status exec_read_modify_write(struct pe *pe, const struct op *op)
{
    uint64_t address = pe->reg[op->ra];
    if (!probe_both(pe, op, address))
        return EXEC_FAULT;
    uint64_t old = data_load(pe, address, op->size);
    uint64_t operand = low_bytes(pe->reg[op->rb], op->size);
    data_store(pe, address, op->size, combined(op->aux, old, operand, op->size));
    put(pe, op->rd, returned(old, op->size));
    return data_stored(pe, op);
}

static enum exec_status exec_compare_and_swap(struct pe *pe, const struct op *op)
{
    uint64_t address = pe->reg[op->ra];
    if (!probe_both(pe, op, address))
        return EXEC_FAULT;
    uint64_t old = data_load(pe, address, op->size);
    if (old == low_bytes(pe->reg[op->rb], op->size))
        data_store(pe, address, op->size, pe->reg[op->rc]);
    put(pe, op->rd, returned(old, op->size));
    return data_stored(pe, op);
}

/* No store is cached while a reservation stands, so that each one is seen. */
static void reserve(struct pe *pe, uint64_t address, unsigned size)
{
    pe->reserved = true;
    pe->reservation_address = address;
    pe->reservation_size = (uint8_t)size;
    pe->sim->memory->reservations = true;
    memory_drop_caches(pe->sim);
}

static enum exec_status exec_load_reserved(struct pe *pe, const struct op *op)
{
    uint64_t address = pe->reg[op->ra];
    if (!data_probe(pe, op, address, op->size, op->size, MEM_READ))
        return EXEC_FAULT;
    uint64_t value = data_load(pe, address, op->size);
    reserve(pe, address, op->size);
    put(pe, op->rd, returned(value, op->size));
    return EXEC_NEXT;
}

/* A miss is free of checks; a hit gives up the reservation even when the store then faults. */
static enum exec_status exec_store_conditional(struct pe *pe, const struct op *op)
{
    uint64_t address = pe->reg[op->rb], value = pe->reg[op->ra];
    bool hit = pe->reserved && (pe->reservation_address ^ address) < LINE &&
               pe->reservation_address / LINE == address / LINE;
    pe->reserved = false;
    if (hit) {
        if (!data_probe(pe, op, address, op->size, op->size, MEM_WRITE))
            return EXEC_FAULT;
        data_store(pe, address, op->size, value);
    }
    put(pe, op->rd, !hit);
    return data_stored(pe, op);
}

static enum exec_status exec_dma(struct pe *pe, const struct op *op)
{
    uint64_t from = pe->reg[op->ra], to = pe->reg[op->rb];
    if (!data_probe(pe, op, from, LINE, 1, MEM_READ) || !data_probe(pe, op, to, LINE, 1, MEM_WRITE))
        return EXEC_FAULT;
    uint8_t bytes[LINE];
    mem_read(pe->sim, from, bytes, sizeof bytes);
    mem_write(pe->sim, to, bytes, sizeof bytes);
    return data_stored(pe, op);
}

#define ATOMIC(name, handler, operation, size_log2)                                                \
    BY_NAME(name, .exec = exec_##handler, .prepare = prepare_atomic,                               \
            .argument = operation | size_log2 << ATOMIC_SIZE_SHIFT)
#define FOUR_SIZES(prefix, handler, operation)                                                     \
    ATOMIC(prefix##B, handler, operation, 0), ATOMIC(prefix##H, handler, operation, 1),            \
        ATOMIC(prefix##W, handler, operation, 2), ATOMIC(prefix##D, handler, operation, 3)
#define MODIFY(name)                                                                               \
    ATOMIC(LW_##name, read_modify_write, ATOMIC_##name, 2),                                        \
        ATOMIC(LD_##name, read_modify_write, ATOMIC_##name, 3),                                    \
        ATOMIC(SW_##name, read_modify_write, ATOMIC_##name, 2),                                    \
        ATOMIC(SD_##name, read_modify_write, ATOMIC_##name, 3)

static const struct handler rows[] = {
    MODIFY(ADD),
    MODIFY(AND),
    MODIFY(OR),
    MODIFY(XOR),
    MODIFY(SMIN),
    MODIFY(SMAX),
    MODIFY(UMIN),
    MODIFY(UMAX),
    FOUR_SIZES(SWAP, read_modify_write, ATOMIC_SWAP),
    FOUR_SIZES(CAS, compare_and_swap, 0),
    FOUR_SIZES(HL_CAS, compare_and_swap, 0),
    FOUR_SIZES(LR_, load_reserved, 0),
    FOUR_SIZES(SC_, store_conditional, 0),
    BY_NAME(DMA, .exec = exec_dma, .prepare = prepare_operands),
};

const struct handler_table amo_handlers = {rows, sizeof rows / sizeof *rows};
