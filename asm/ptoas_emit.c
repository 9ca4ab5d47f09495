/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of lowered operations, all from the tables of isa/. */
#include "asm/lower.h"

#include <string.h>

struct isa_insn ptoas_insn(const struct assembler *as, unsigned form)
{
    struct isa_insn insn;
    memset(&insn, 0, sizeof insn);
    insn.form = isa_form_in(&isa_forms[form], as->target.pto);
    return insn;
}

void ptoas_emit_form(struct assembler *as, unsigned form, struct loc loc)
{
    struct isa_insn insn = ptoas_insn(as, form);
    asm_emit_insn(as, &insn, loc);
}

static void emit_dimension(struct assembler *as, unsigned counter, uint64_t reg, uint32_t value,
                           struct loc loc)
{
    static const uint16_t forms[] = {
        [ISA_LoopCounter_LB0] = ISA_FORM_b_dim_32_27602ab68929,
        [ISA_LoopCounter_LB1] = ISA_FORM_b_dim_32_4191099a5f4d,
        [ISA_LoopCounter_LB2] = ISA_FORM_b_dim_32_1caa1aa2944a,
    };
    struct isa_insn insn = ptoas_insn(as, forms[counter]);
    isa_set_value(&insn, ISA_FIELD_RegSrc, reg);
    isa_set_value(&insn, ISA_FIELD_uimm17, value);
    asm_emit_insn(as, &insn, loc);
}

void ptoas_emit_dimension(struct assembler *as, unsigned counter, uint32_t value, struct loc loc)
{
    emit_dimension(as, counter, ptoas_register(as, "zero"), value, loc);
}

void ptoas_emit_extent(struct assembler *as, unsigned counter, struct extent e, struct loc loc)
{
    if (e.reg != 0)
        emit_dimension(as, counter, e.reg, 0, loc);
    else
        ptoas_emit_dimension(as, counter, e.most, loc);
}

void ptoas_emit_valid(struct assembler *as, const struct tile_type *t, struct loc loc)
{
    ptoas_emit_extent(as, ISA_LoopCounter_LB0, ptoas_cols(t), loc);
    ptoas_emit_extent(as, ISA_LoopCounter_LB1, ptoas_rows(t), loc);
}

/* ---- B.IOT ---- */

/* By sources and destination. */
static unsigned iot_form(unsigned sources, bool destination)
{
    static const uint16_t forms[3][2] = {
        {0, ISA_FORM_b_iot_32_efa0fe3fe49a_0_58_3},
        {ISA_FORM_b_iot_32_c11eb189dd83_0_58_3, ISA_FORM_b_iot_32_10db6db84f5d_0_58_3},
        {ISA_FORM_b_iot_32_2c07e7177fad_0_58_3, ISA_FORM_b_iot_32_8b8bce6bffe8_0_58_3},
    };
    return forms[sources][destination];
}

static void set_mask(struct isa_insn *insn, isa_revset revs, const char *mask)
{
    static const struct {
        unsigned field, enumeration;
    } fields[] = {{ISA_FIELD_PEMode, ISA_ENUM_PEMode}, {ISA_FIELD_PE_MASK, ISA_ENUM_PEMask}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct isa_member *m =
            isa_find_member(&isa_enumerations[fields[i].enumeration], mask, strlen(mask), revs);
        if (m != NULL)
            isa_set_value(insn, fields[i].field, m->value);
    }
}

/* 0.58.2 has fewer sizes. */
static void set_size(struct assembler *as, struct isa_insn *insn, uint64_t code, struct loc loc)
{
    bool old = isa_field_index(insn->form, ISA_FIELD_SizeCode) < 0;
    unsigned field = old ? ISA_FIELD_TSize : ISA_FIELD_SizeCode;
    const struct isa_field *f = &insn->form->fields[isa_field_index(insn->form, field)];
    if (code >> f->width != 0)
        diag_report(as->diag, DIAG_PTOAS_TYPE, loc,
                    "a tile of %llu bytes has no size code in this revision",
                    (unsigned long long)SMALLEST_TILE << (code - 1));
    else
        isa_set_value(insn, field, code);
}

void ptoas_emit_iot(struct assembler *as, const struct tile_binding_words *b, struct loc loc)
{
    bool destination = !b->more && !b->no_destination;
    unsigned sources = (b->source[0] != NULL) + (b->source[1] != NULL);
    struct isa_insn insn = ptoas_insn(as, iot_form(sources, destination));
    set_mask(&insn, as->target.pto, b->mask);
    isa_set_value(&insn, ISA_FIELD_L, !b->more);
    if (destination) {
        isa_set_value(&insn, ISA_FIELD_DstTile, b->hand);
        set_size(as, &insn, b->size_code, loc);
    }
    static const uint16_t fields[] = {ISA_FIELD_SrcTile0, ISA_FIELD_SrcTile1};
    for (size_t i = 0; i < 2 && b->source[i] != NULL; i++)
        ptoas_use_tile(as, &insn, fields[i], b->source[i], loc);
    asm_emit_insn(as, &insn, loc);
}

/* ---- other commands ---- */

void ptoas_emit_start(struct assembler *as, const struct isa_tileop *op, unsigned dtype,
                      struct loc loc)
{
    bool selected = op->engine == ISA_ENGINE_VEC || op->engine == ISA_ENGINE_SFU;
    struct isa_insn insn;
    if (selected) {
        insn = ptoas_insn(as, ISA_FORM_bstart_tepl_32_d022db6dacb3);
        isa_set_value(&insn, ISA_FIELD_Mode, op->mode);
        isa_set_value(&insn, ISA_FIELD_Function, op->function);
    } else {
        const struct isa_mnemonic *m = isa_find_mnemonic(op->start, strlen(op->start));
        insn = ptoas_insn(as, isa_spellings[isa_mnemonic_index[m->first]].form);
    }
    isa_set_value(&insn, ISA_FIELD_DataType, dtype);
    asm_emit_insn(as, &insn, loc);
}

void ptoas_emit_ior(struct assembler *as, const uint64_t *regs, unsigned count, struct loc loc)
{
    static const uint16_t fields[] = {ISA_FIELD_RegSrc0, ISA_FIELD_RegSrc1, ISA_FIELD_RegSrc2};
    struct isa_insn ior = ptoas_insn(as, ISA_FORM_b_ior_32_c3ea71404eb3);
    for (unsigned i = 0; i < count; i++)
        isa_set_value(&ior, fields[i], regs[i]);
    asm_emit_insn(as, &ior, loc);
}

/* ---- constants ---- */

static uint64_t member(unsigned enumeration, const char *name, isa_revset revs)
{
    const struct isa_member *m =
        isa_find_member(&isa_enumerations[enumeration], name, strlen(name), revs);
    return m != NULL ? m->value : 0;
}

uint64_t ptoas_register(const struct assembler *as, const char *name)
{
    return member(ISA_ENUM_GPR, name, as->target.pto);
}

static void load_low(struct assembler *as, uint64_t number, uint64_t reg, struct loc loc)
{
    struct isa_insn insn = ptoas_insn(as, ISA_FORM_hl_liu_48_9dd207ce3aea);
    isa_set_value(&insn, ISA_FIELD_uimm32, number);
    isa_set_value(&insn, ISA_FIELD_RegDst, reg);
    asm_emit_insn(as, &insn, loc);
}

uint64_t ptoas_load_constant(struct assembler *as, uint64_t value, const char *reg, struct loc loc)
{
    uint64_t low = ptoas_register(as, reg), high = ptoas_register(as, "x3");
    load_low(as, value & UINT32_MAX, low, loc);
    if (value >> 32 == 0)
        return low;
    load_low(as, value >> 32, high, loc);
    ptoas_emit_shift(as, "SLLI", high, 32, loc);
    ptoas_emit_binary(as, "OR", low, high, low, loc);
    return low;
}
