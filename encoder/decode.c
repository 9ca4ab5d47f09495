/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes to field values. The low nibble of the first halfword gives the length
 * (no text of pto-spec states the rule; all forms obey it), except that
 * BSTART.CALL looks like two 16-bit instructions (ADR-0077). The form with most
 * mask bits wins, and its constraints are checked after the choice, so that a
 * word with a reserved value never falls through to a less specific form.
 */
#include "encoder/field.h"

enum { HALFWORD = 2, WORD = 4, LOW7 = 0x7f };

static uint64_t load(const uint8_t *bytes, unsigned n)
{
    uint64_t w = 0;
    for (unsigned i = 0; i < n && i < sizeof w; i++)
        w |= (uint64_t)bytes[i] << (8 * i);
    return w;
}

static bool form_matches(const struct isa_form *form, uint64_t word)
{
    return (word & form->mask) == form->match;
}

/* The first form of a length that has this word: the buckets are sorted by mask bits. */
static const struct isa_form *find_form(unsigned length, uint64_t word, isa_revset revs)
{
    size_t count;
    const uint16_t *bucket = isa_decode_bucket(length, (unsigned)(word & LOW7), &count);
    for (size_t i = 0; i < count; i++) {
        const struct isa_form *form = &isa_forms[bucket[i]];
        if ((form->revs & revs) && form_matches(form, word))
            return form;
    }
    return NULL;
}

/* Low nibble xxx0: 16 bits, except 1110: 48; xxx1: 32, except 1111: 64. */
static unsigned length_by_nibble(uint8_t first)
{
    if (first & 1)
        return (first & 0xf) == 0xf ? 8 : 4;
    return (first & 0xf) == 0xe ? 6 : 2;
}

/* A 32-bit form whose first halfword is a 16-bit instruction of its own: BSTART.CALL, that is
 * C.BSTART DIRECT followed by C.SETRET. */
static const struct isa_form *find_fused(const uint8_t *bytes, size_t n, isa_revset revs)
{
    return n >= WORD ? find_form(WORD, load(bytes, WORD), revs) : NULL;
}

unsigned isa_length(const uint8_t *bytes, size_t n)
{
    if (n < HALFWORD)
        return 0;
    unsigned length = length_by_nibble(bytes[0]);
    if (length == HALFWORD && find_fused(bytes, n, (isa_revset)~0u))
        return WORD;
    return length;
}

void extract_fields(const struct isa_form *form, const uint8_t *bytes, struct isa_insn *out)
{
    out->form = form;
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        bool is_signed = field_is_signed(f);
        for (unsigned k = 0; k < f->count; k++) {
            uint64_t v = isa_get_bits(f->pieces, f->npieces, k * f->stride, bytes);
            out->value[f->index + k] = is_signed ? sign_extend(v, f->width) : v;
        }
    }
}

static bool reserved_matches(const struct isa_reserved *r, const uint8_t *bytes, uint64_t word)
{
    if ((word & r->mask) != r->match)
        return false;
    for (unsigned i = 0; i < r->nconstraints; i++) {
        const struct isa_constraint *c = &r->constraints[i];
        const struct isa_field *f = &r->fields[c->field];
        uint64_t v = isa_get_bits(f->pieces, f->npieces, 0, bytes);
        bool in = v < 64 && (c->set >> v & 1);
        if (c->op == ISA_CONSTRAINT_IN ? !in : v == c->set)
            return false;
    }
    return true;
}

static const struct isa_reserved *find_reserved(const uint8_t *bytes, unsigned length,
                                                isa_revset revs)
{
    uint64_t word = load(bytes, length);
    for (unsigned i = 0; i < ISA_RESERVED_COUNT; i++) {
        const struct isa_reserved *r = &isa_reserved_encodings[i];
        if (r->length == length && (r->revs & revs) && reserved_matches(r, bytes, word))
            return r;
    }
    return NULL;
}

static const struct isa_constraint *check(const struct isa_insn *in, isa_revset revs,
                                          struct isa_why *why)
{
    const struct isa_constraint *c = insn_violates(in, revs);
    if (!c)
        return NULL;
    *why = (struct isa_why){.form = in->form,
                            .field = c->op == ISA_CONSTRAINT_FRAME ? c->field3 : c->field,
                            .constraint = c,
                            .revs = revs};
    why->value = in->value[in->form->fields[why->field].index];
    why->need = c->op == ISA_CONSTRAINT_FRAME ? frame_bytes(in, c) : 0;
    if (c->op == ISA_CONSTRAINT_MEMBER)
        why->value = composite_value(in, c->field, c->field2);
    return c;
}

static enum isa_decode_status reject(const uint8_t *bytes, unsigned length, isa_revset revs,
                                     enum isa_decode_status otherwise, struct isa_why *why)
{
    const struct isa_reserved *r = find_reserved(bytes, length, revs);
    if (!r)
        return otherwise;
    why->reserved = r;
    return ISA_RESERVED_ENCODING;
}

enum isa_decode_status isa_decode(const struct isa_target *target, const uint8_t *bytes, size_t n,
                                  struct isa_insn *out, unsigned *length, struct isa_why *why)
{
    isa_revset revs = target->pto;
    *why = (struct isa_why){.field = -1};
    *length = n < HALFWORD ? (unsigned)n : HALFWORD;
    if (n < HALFWORD)
        return ISA_TRUNCATED;
    unsigned len = length_by_nibble(bytes[0]);
    if (len > n)
        return ISA_TRUNCATED;
    const struct isa_form *form = len == HALFWORD ? find_fused(bytes, n, revs) : NULL;
    if (form)
        len = form->length;
    else
        form = find_form(len, load(bytes, len), revs);
    *length = len;
    if (!form)
        return reject(bytes, len, revs, ISA_UNALLOCATED, why);
    extract_fields(form, bytes, out);
    if (check(out, revs, why))
        return reject(bytes, len, revs, ISA_RESERVED_VALUE, why);
    return ISA_DECODED;
}

enum isa_decode_status isa_decode_seq(const struct isa_target *target, const uint8_t *bytes,
                                      size_t n, struct isa_insn *out, struct isa_why *why)
{
    enum isa_decode_status status = ISA_UNALLOCATED;
    *why = (struct isa_why){.field = -1};
    if (n < ISA_MAX_LENGTH)
        return ISA_TRUNCATED;
    uint64_t word = load(bytes, ISA_MAX_LENGTH);
    size_t count;
    const uint16_t *bucket = isa_seq_bucket(bytes[0], &count);
    for (size_t i = 0; i < count; i++) {
        const struct isa_form *form = &isa_forms[bucket[i]];
        if (!(form->revs & target->seq) || !form_matches(form, word))
            continue;
        extract_fields(form, bytes, out);
        if (!check(out, target->seq, why))
            return ISA_DECODED;
        status = ISA_RESERVED_VALUE;
    }
    return status;
}
