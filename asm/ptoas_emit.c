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

void ptoas_emit_dimension(struct assembler *as, unsigned counter, uint32_t value, struct loc loc)
{
    static const uint16_t forms[] = {
        [ISA_LoopCounter_LB0] = ISA_FORM_b_dim_32_27602ab68929,
        [ISA_LoopCounter_LB1] = ISA_FORM_b_dim_32_4191099a5f4d,
        [ISA_LoopCounter_LB2] = ISA_FORM_b_dim_32_1caa1aa2944a,
    };
    struct isa_insn insn = ptoas_insn(as, forms[counter]);
    isa_set_value(&insn, ISA_FIELD_uimm17, value);
    asm_emit_insn(as, &insn, loc);
}

/* ---- B.IOT ---- */

/* The form with one or two sources and a destination. */
static unsigned iot_form(bool two_sources)
{
    return two_sources ? ISA_FORM_b_iot_32_8b8bce6bffe8_0_58_3
                       : ISA_FORM_b_iot_32_10db6db84f5d_0_58_3;
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
    struct isa_insn insn = ptoas_insn(as, iot_form(b->source[1] != NULL));
    set_mask(&insn, as->target.pto, b->mask);
    isa_set_value(&insn, ISA_FIELD_L, 1);
    isa_set_value(&insn, ISA_FIELD_DstTile, b->hand);
    set_size(as, &insn, b->size_code, loc);
    static const uint16_t fields[] = {ISA_FIELD_SrcTile0, ISA_FIELD_SrcTile1};
    for (size_t i = 0; i < 2 && b->source[i] != NULL; i++)
        ptoas_use_tile(as, &insn, fields[i], b->source[i], loc);
    asm_emit_insn(as, &insn, loc);
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

uint64_t ptoas_load_constant(struct assembler *as, uint64_t value, struct loc loc)
{
    uint64_t low = ptoas_register(as, "x2"), high = ptoas_register(as, "x3");
    load_low(as, value & UINT32_MAX, low, loc);
    if (value >> 32 == 0)
        return low;
    load_low(as, value >> 32, high, loc);
    struct isa_insn shift = ptoas_insn(as, ISA_FORM_slli_32_b43ca2454e3a);
    isa_set_value(&shift, ISA_FIELD_SrcL, high);
    isa_set_value(&shift, ISA_FIELD_shamt, 32);
    isa_set_value(&shift, ISA_FIELD_RegDst, high);
    asm_emit_insn(as, &shift, loc);
    struct isa_insn join = ptoas_insn(as, ISA_FORM_or_32_a7fb80e78831);
    isa_set_value(&join, ISA_FIELD_SrcL, low);
    isa_set_value(&join, ISA_FIELD_SrcR, high);
    isa_set_value(&join, ISA_FIELD_SrcRType, member(ISA_ENUM_ModifierLogic, "", as->target.pto));
    isa_set_value(&join, ISA_FIELD_RegDst, low);
    asm_emit_insn(as, &join, loc);
    return low;
}
