/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TENSOR_LOAD and TENSOR_STORE: up to 32 elements between memory and the
 * registers (or immediates) that the record lists, the first dimension
 * innermost. A stride counts elements (docs/seq.md).
 */
#include <string.h>

#include "sim/seq.h"

enum { ELEMENTS = 32, DATA_OFFSET = 32, WINDOW_SHIFT = 24, REGISTER_BITS = 8 };

struct access {
    unsigned count, size; /* elements; bytes of one */
    bool is_signed, wide;
    uint64_t address[ELEMENTS];
};

static const struct {
    uint8_t dtype, size;
    bool is_signed;
} types[] = {
    {ISA_SeqDtype_UINT8, 1, false},  {ISA_SeqDtype_INT8, 1, true},
    {ISA_SeqDtype_UINT16, 2, false}, {ISA_SeqDtype_INT16, 2, true},
    {ISA_SeqDtype_UINT32, 4, false}, {ISA_SeqDtype_INT32, 4, true},
    {ISA_SeqDtype_FP32, 4, false},   {ISA_SeqDtype_UINT64, 8, false},
};

static void set_type(struct seq_op *op, struct access *a)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].dtype == seq_field(op, ISA_FIELD_dtype)) {
            a->size = types[i].size;
            a->is_signed = types[i].is_signed;
        }
    a->wide = a->size == sizeof(uint64_t);
}

/* ADDR8: an address, or the registers that hold one. */
static bool find_start(struct seq_op *op, uint64_t *start)
{
    uint64_t operand = seq_field64(op, ISA_FIELD_start_addr);
    unsigned marker = (unsigned)(operand >> SEQ_MARKER_LSB) & SEQ_MARKER_MASK;
    if (marker == ISA_SeqAddress_IMMEDIATE) {
        *start = operand;
        return true;
    }
    if (marker != ISA_SeqAddress_ADDR_REG)
        return seq_fault(op, "address form 0x%02x is not publicly specified", marker);
    unsigned low = operand & 0xff, high = operand >> REGISTER_BITS & 0xff;
    if (!seq_is_register(low) || !seq_is_register(high))
        return seq_fault(op, "the address registers %u, %u cannot be read", low, high);
    *start = seq_read(op, low) | (uint64_t)seq_read(op, high) << 32;
    return true;
}

/* Every element's address; all are mapped and in one aligned window of 16 MB. */
static bool find_elements(struct seq_op *op, struct access *a, enum mem_access access)
{
    uint64_t start = 0;
    unsigned inner = seq_field(op, ISA_FIELD_num_elem0);
    int64_t step0 = (int32_t)seq_field(op, ISA_FIELD_step_elem0);
    int64_t step1 = (int32_t)seq_field(op, ISA_FIELD_step_elem1);
    if (!find_start(op, &start))
        return false;
    a->count = inner * seq_field(op, ISA_FIELD_num_elem1);
    for (unsigned k = 0; k < a->count; k++) {
        int64_t distance = (step0 * (k % inner) + step1 * (k / inner)) * a->size;
        a->address[k] = start + (uint64_t)distance;
        if ((a->address[k] ^ a->address[0]) >> WINDOW_SHIFT ||
            ((a->address[k] + a->size - 1) ^ a->address[0]) >> WINDOW_SHIFT)
            return seq_fault(op,
                             "elements at 0x%llx and 0x%llx are not in one aligned 16 MB window",
                             (unsigned long long)a->address[0], (unsigned long long)a->address[k]);
        if (!seq_memory(op, a->address[k], a->size, access))
            return false;
    }
    return true;
}

static uint64_t extended(const struct access *a, uint64_t value)
{
    unsigned unused = 64 - 8 * a->size;
    return a->is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

static void load(struct seq_op *op, const struct access *a)
{
    for (unsigned k = 0; k < a->count; k++) {
        uint64_t value = 0;
        uint8_t bytes[sizeof value];
        unsigned reg = seq_element(op, ISA_FIELD_data, k);
        mem_read(op->s, a->address[k], bytes, a->size);
        for (unsigned i = 0; i < a->size; i++)
            value |= (uint64_t)bytes[i] << (8 * i);
        value = extended(a, value);
        seq_write(op, reg, (uint32_t)value);
        if (a->wide)
            seq_write(op, reg + 1, (uint32_t)(value >> 32));
    }
}

static void store(struct seq_op *op, const struct access *a)
{
    bool registers = seq_field(op, ISA_FIELD_src_datasrc) == ISA_SeqDataSource_REGISTER;
    for (unsigned k = 0; k < a->count; k++) {
        uint8_t bytes[sizeof(uint64_t)];
        unsigned reg = seq_element(op, ISA_FIELD_data, k);
        uint64_t value = registers ? seq_read(op, reg) : 0;
        if (registers && a->wide)
            value |= (uint64_t)seq_read(op, reg + 1) << 32;
        for (unsigned i = 0; i < a->size; i++)
            bytes[i] = (uint8_t)(value >> (8 * i));
        mem_write(op->s, a->address[k], registers ? bytes : op->bytes + DATA_OFFSET + k * a->size,
                  a->size);
    }
}

bool seq_run_tensor(struct seq_op *op)
{
    struct access a = {0};
    bool loads = op->insn.form->mnemonic == ISA_MNEM_TENSOR_LOAD;
    set_type(op, &a);
    if (!find_elements(op, &a, loads ? MEM_READ : MEM_WRITE))
        return false;
    sim_debug(op->s, loads ? "S: TensorLoad" : "S: TensorStore");
    if (loads)
        load(op, &a);
    else
        store(op, &a);
    return true;
}
