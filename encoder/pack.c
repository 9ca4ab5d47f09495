/* SPDX-License-Identifier: BSD-3-Clause */
/* Field values to bytes. */
#include "encoder/field.h"
#include "encoder/seq.h"

#include <string.h>

uint64_t isa_value(const struct isa_insn *in, unsigned field, uint64_t absent)
{
    int i = isa_field_index(in->form, field);
    return i < 0 ? absent : in->value[in->form->fields[i].index];
}

bool isa_set_value(struct isa_insn *in, unsigned field, uint64_t value)
{
    int i = isa_field_index(in->form, field);
    if (i < 0)
        return false;
    in->value[in->form->fields[i].index] = value;
    return true;
}

static void store_word(uint64_t word, unsigned length, uint8_t *bytes)
{
    for (unsigned i = 0; i < length && i < sizeof word; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* Forms of at most 8 bytes have no arrays. */
static void pack_word(const struct isa_insn *in, uint8_t *bytes)
{
    const struct isa_form *form = in->form;
    uint64_t word = form->match;
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        for (unsigned k = 0; k < f->npieces && !f->constant; k++) {
            const struct isa_piece *p = &f->pieces[k];
            uint64_t mask = ((uint64_t)1 << p->width) - 1;
            uint64_t bits = in->value[f->index] >> p->value_lsb & mask;
            word = (word & ~(mask << p->lsb)) | bits << p->lsb;
        }
    }
    store_word(word, form->length, bytes);
}

static void pack_record(const struct isa_insn *in, uint8_t *bytes)
{
    const struct isa_form *form = in->form;
    memset(bytes, 0, form->length);
    store_word(form->match, form->length, bytes);
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        if (f->constant)
            continue;
        for (unsigned k = 0; k < f->count; k++)
            isa_set_bits(f->pieces, f->npieces, k * f->stride, in->value[f->index + k], bytes);
    }
}

void isa_pack(const struct isa_insn *in, uint8_t *bytes)
{
    if (in->form->length <= sizeof in->form->match)
        pack_word(in, bytes);
    else
        pack_record(in, bytes);
}

void isa_reform(const struct isa_form *from, const uint8_t *bytes, const struct isa_form *to,
                uint8_t *out)
{
    struct isa_insn old, in = {.form = to};
    unsigned displacement = isa_displacement(to);
    extract_fields(from, bytes, &old);
    for (unsigned i = 0; i < to->nfields; i++)
        if (i != displacement)
            in.value[to->fields[i].index] = isa_value(&old, to->fields[i].name, 0);
    isa_pack(&in, out);
}

/* ---- values that become known later ---- */

static bool in_range(const struct isa_form *form, unsigned field, int64_t number,
                     const struct limits *l, struct diag *diag, struct loc loc)
{
    const char *name = field_name(&form->fields[field]);
    if (number < l->min || number > l->max) {
        diag_report(diag, DIAG_FIELD_RANGE, loc, "%s: %lld is not in [%lld, %lld] (%s)",
                    form_mnemonic(form), (long long)number, (long long)l->min, (long long)l->max,
                    name);
        return false;
    }
    if ((number - l->bias) % l->step) {
        diag_report(diag, DIAG_FIELD_STEP, loc, "%s: %lld is not a multiple of %lld (%s)",
                    form_mnemonic(form), (long long)number, (long long)l->step, name);
        return false;
    }
    return true;
}

static bool allowed(const struct isa_insn *in, unsigned field, int64_t number, struct diag *diag,
                    struct loc loc)
{
    const struct isa_form *form = in->form;
    for (unsigned i = 0; i < form->nconstraints; i++) {
        const struct isa_constraint *c = &form->constraints[i];
        if (!constraint_reads(c, field) || constraint_holds(in, c, form->revs))
            continue;
        struct phrase legal = {0};
        if (c->op == ISA_CONSTRAINT_FRAME)
            phrase_add(&legal, "at least %lld", (long long)frame_bytes(in, c));
        else
            phrase_legal(&legal, form, NULL, field, form->revs);
        diag_report(diag, DIAG_RESERVED_VALUE, loc, "%s: %s %lld is not allowed (legal: %s)",
                    form_mnemonic(form), field_name(&form->fields[field]), (long long)number,
                    legal.text);
        return false;
    }
    return true;
}

bool isa_patch(const struct isa_form *form, unsigned field, int64_t text_value, unsigned scale,
               int bias, uint8_t *bytes, struct diag *diag, struct loc loc)
{
    struct isa_fixup fixup = {
        .field = (uint8_t)field, .operand_scale = (uint8_t)scale, .operand_bias = (int8_t)bias};
    return isa_patch_fixup(form, &fixup, text_value, bytes, diag, loc);
}

bool isa_patch_fixup(const struct isa_form *form, const struct isa_fixup *fixup, int64_t text_value,
                     uint8_t *bytes, struct diag *diag, struct loc loc)
{
    const struct isa_field *f = &form->fields[fixup->field];
    struct limits l = text_limits(f, fixup->operand_scale, fixup->operand_bias);
    struct isa_insn in;
    extract_fields(form, bytes, &in);
    if (f->kind == ISA_KIND_FLOAT) {
        struct seq_type t = seq_type_of(&in, form->revs);
        l = seq_type_limits(&t);
    }
    if (!in_range(form, fixup->field, text_value, &l, diag, loc))
        return false;
    uint64_t value = (uint64_t)((text_value - l.bias) / l.scale);
    in.value[f->index + fixup->element] = value;
    if (!allowed(&in, fixup->field, text_value, diag, loc))
        return false;
    isa_set_bits(f->pieces, f->npieces, fixup->element * f->stride, value, bytes);
    return true;
}
