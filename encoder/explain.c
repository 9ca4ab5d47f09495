/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a word does not decode, in one sentence. */
#include "encoder/field.h"

static void explain_value(const struct isa_why *why, struct buffer *out)
{
    const struct isa_form *form = why->form;
    const struct isa_constraint *c = why->constraint;
    const struct isa_field *f = form->fields;
    struct phrase legal = {0};
    if (why->field < 0 || !c)
        return;
    buffer_printf(out, "%s: ", form_mnemonic(form));
    switch (c->op) {
    case ISA_CONSTRAINT_NOT_BOTH:
        buffer_printf(out, "%s and %s exclude each other", field_name(&f[c->field]),
                      field_name(&f[c->field2]));
        break;
    case ISA_CONSTRAINT_FRAME:
        buffer_printf(out, "%lld bytes are too few for the registers, which need %lld",
                      (long long)why->value, (long long)why->need);
        break;
    case ISA_CONSTRAINT_MEMBER:
        if (c->field2 != ISA_NO_FIELD) {
            uint64_t low = why->value & (((uint64_t)1 << f[c->field2].width) - 1);
            buffer_printf(out, "%s %llu, %s %llu select no %s", field_name(&f[c->field]),
                          (unsigned long long)(why->value >> f[c->field2].width),
                          field_name(&f[c->field2]), (unsigned long long)low,
                          isa_enumerations[c->set].what);
            break;
        }
        phrase_members(&legal, &isa_enumerations[c->set], NULL, why->revs);
        buffer_printf(out, "%s %llu is reserved (legal: %s)", field_name(&f[why->field]),
                      (unsigned long long)why->value, legal.text);
        break;
    default:
        phrase_legal(&legal, form, NULL, (unsigned)why->field, why->revs);
        buffer_printf(out, "%s %lld is reserved (legal: %s)", field_name(&f[why->field]),
                      (long long)why->value, legal.text);
    }
}

void isa_explain(enum isa_decode_status status, const struct isa_why *why, const uint8_t *bytes,
                 unsigned length, struct buffer *out)
{
    switch (status) {
    case ISA_DECODED:
        break;
    case ISA_TRUNCATED:
        buffer_printf(out, "the instruction goes on behind the end of the section");
        break;
    case ISA_RESERVED_ENCODING:
        buffer_printf(out, "reserved for %s", why->reserved->name);
        break;
    case ISA_RESERVED_VALUE:
        explain_value(why, out);
        break;
    case ISA_UNALLOCATED:
        buffer_printf(out, "no instruction has the %s",
                      length == ISA_MAX_LENGTH ? "opcode 0x" : "word 0x");
        for (unsigned i = length == ISA_MAX_LENGTH ? 1 : length; i-- > 0;)
            buffer_printf(out, "%02x", bytes[i]);
        break;
    }
}
