/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one field may hold, and how to say so. Internal to encoder/.
 */
#ifndef PTO_ENCODER_FIELD_H
#define PTO_ENCODER_FIELD_H

#include "encoder/encoder.h"

/* Legal numbers of a field by its kind and width alone, without constraints. */
struct limits {
    int64_t min, max;
    int64_t step;        /* numbers less the bias are multiples of it */
    int64_t scale, bias; /* number = field value * scale + bias */
};
struct limits field_limits(const struct isa_field *f);
/* The same in units of the text; scale 0 is 1. */
struct limits text_limits(const struct isa_field *f, unsigned scale, int bias);

static inline const struct isa_enumeration *field_enumeration(const struct isa_field *f)
{
    return f->enumeration ? &isa_enumerations[f->enumeration - 1] : NULL;
}

static inline bool field_is_signed(const struct isa_field *f)
{
    return f->kind == ISA_KIND_INT ||
           (f->kind == ISA_KIND_PCREL && f->reloc && isa_relocs[f->reloc - 1].is_signed);
}

/* width 1..64 */
static inline uint64_t sign_extend(uint64_t value, unsigned width)
{
    uint64_t sign = (uint64_t)1 << (width - 1);
    return (value ^ sign) - sign;
}

static inline const char *field_name(const struct isa_field *f)
{
    return isa_field_names[f->name];
}

/* Its own mnemonic, in the printed case. */
const char *form_mnemonic(const struct isa_form *form);

/* The revisions that count for a form: the target's bit of its instruction set. */
static inline isa_revset target_revs(const struct isa_target *t, unsigned set)
{
    return set == ISA_SET_PTO ? t->pto : t->seq;
}

/* The first constraint of the form that these values break, or NULL. */
const struct isa_constraint *insn_violates(const struct isa_insn *in, isa_revset revs);
bool constraint_holds(const struct isa_insn *in, const struct isa_constraint *c, isa_revset revs);
/* One value over two fields, `low` (may be ISA_NO_FIELD) its low bits. */
uint64_t composite_value(const struct isa_insn *in, unsigned high, unsigned low);
/* True when the constraint looks at the field. */
bool constraint_reads(const struct isa_constraint *c, unsigned field);
/* FRAME: bytes that the register ring of the values needs. */
int64_t frame_bytes(const struct isa_insn *in, const struct isa_constraint *c);

/* All field values of a word that has the form. */
void extract_fields(const struct isa_form *form, const uint8_t *bytes, struct isa_insn *out);

/*
 * A short text built from table data for a message (never user text). It is
 * cut with "..." when it does not fit.
 */
struct phrase {
    size_t size;
    char text[1000];
};
void phrase_add(struct phrase *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds ", " unless the phrase is empty. */
void phrase_comma(struct phrase *p);
/* Adds the legal values of a field: names where it has them ("T, U, M, N",
 * "a0..a7"), else numbers ("0..5, 12"), restricted by the constraints of the
 * form and the conditions of the spelling (may be NULL). */
void phrase_legal(struct phrase *p, const struct isa_form *form,
                  const struct isa_spelling *spelling, unsigned field, isa_revset revs);
/* Adds the names of an enumeration that are known in `revs`, restricted to `set` (see
 * isa_constraint.set) when it is not NULL. */
void phrase_members(struct phrase *p, const struct isa_enumeration *e, const uint64_t *set,
                    isa_revset revs);
/* Adds "1..10, 12" for the bits of a set. */
void phrase_numbers(struct phrase *p, uint64_t set);
/* Adds the names of a set of revisions: "pto0.58.2, pto0.58.3". */
void phrase_revisions(struct phrase *p, unsigned set, isa_revset revs);

#endif
