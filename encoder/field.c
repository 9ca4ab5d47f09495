/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges and constraints of fields, and the lists of legal values in messages. */
#include "encoder/field.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_RING_REGISTER = 2, RING_REGISTERS = 22, REGISTER_BYTES = 8 };

struct limits field_limits(const struct isa_field *f)
{
    bool is_signed = field_is_signed(f);
    struct limits l = {.step = (int64_t)1 << f->align, .scale = 1};
    if (f->kind == ISA_KIND_PCREL && f->reloc && isa_relocs[f->reloc - 1].bytes == ISA_MAX_LENGTH)
        l.step = ISA_MAX_LENGTH; /* SEQ branches go from record to record */
    if (f->width >= 64) {
        l.min = INT64_MIN;
        l.max = INT64_MAX;
        return l;
    }
    int64_t span = (int64_t)1 << (f->width - is_signed);
    l.min = is_signed ? -span : 0;
    l.max = span - l.step;
    return l;
}

struct limits text_limits(const struct isa_field *f, unsigned scale, int bias)
{
    struct limits l = field_limits(f);
    if (scale > 1) { /* scaled fields are narrow: no overflow */
        l.scale = scale;
        l.min *= l.scale;
        l.max *= l.scale;
        l.step *= l.scale;
    }
    if (bias) {
        l.bias = bias;
        l.min += bias;
        l.max += bias;
    }
    return l;
}

static bool in_set(uint64_t set, uint64_t value)
{
    return value < 64 && (set >> value & 1);
}

/* Registers first..last of the callee ring R2..R23, which wraps (pto-spec
 * asl/block/model/lifecycle). */
int64_t frame_bytes(const struct isa_insn *in, const struct isa_constraint *c)
{
    const struct isa_field *f = in->form->fields;
    int64_t first = (int64_t)in->value[f[c->field].index];
    int64_t last = (int64_t)in->value[f[c->field2].index];
    int64_t count = last - first + 1;
    if (count <= 0)
        count += RING_REGISTERS;
    return count * REGISTER_BYTES;
}

uint64_t composite_value(const struct isa_insn *in, unsigned high, unsigned low)
{
    const struct isa_field *f = in->form->fields;
    uint64_t value = in->value[f[high].index];
    return low == ISA_NO_FIELD ? value : value << f[low].width | in->value[f[low].index];
}

bool constraint_holds(const struct isa_insn *in, const struct isa_constraint *c, isa_revset revs)
{
    const struct isa_field *f = in->form->fields;
    uint64_t value = in->value[f[c->field].index];
    switch (c->op) {
    case ISA_CONSTRAINT_IN:
        return in_set(c->set, value);
    case ISA_CONSTRAINT_NE:
        return value != c->set;
    case ISA_CONSTRAINT_NOT_BOTH:
        return !(value && in->value[f[c->field2].index]);
    case ISA_CONSTRAINT_FRAME:
        return (int64_t)in->value[f[c->field3].index] >= frame_bytes(in, c);
    case ISA_CONSTRAINT_MEMBER:
        return isa_member_of_value(&isa_enumerations[c->set],
                                   composite_value(in, c->field, c->field2), revs) != NULL;
    }
    return true;
}

const struct isa_constraint *insn_violates(const struct isa_insn *in, isa_revset revs)
{
    for (unsigned i = 0; i < in->form->nconstraints; i++)
        if (!constraint_holds(in, &in->form->constraints[i], revs))
            return &in->form->constraints[i];
    return NULL;
}

bool constraint_reads(const struct isa_constraint *c, unsigned field)
{
    return c->field == field || c->field2 == field || c->field3 == field;
}

/* The printed form of the mnemonic's identifier: `B.IOT` for B_IOT. */
static bool spells(const char *mnemonic, const char *identifier)
{
    for (; *mnemonic && *identifier; mnemonic++, identifier++)
        if (toupper((unsigned char)*mnemonic) != *identifier && isalnum((unsigned char)*identifier))
            return false;
    return !*mnemonic && !*identifier;
}

const char *form_mnemonic(const struct isa_form *form)
{
    for (unsigned i = 0; i < form->nspellings; i++) {
        const struct isa_spelling *sp = &isa_spellings[form->spelling + i];
        if (spells(sp->mnemonic, isa_mnemonic_names[form->mnemonic]))
            return sp->mnemonic;
    }
    return isa_spellings[form->spelling].mnemonic;
}

/* ---- phrases ---- */

void phrase_add(struct phrase *p, const char *fmt, ...)
{
    static const char cut[] = "...";
    size_t room = sizeof p->text - p->size;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(p->text + p->size, room, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    if ((size_t)n < room) {
        p->size += (size_t)n;
        return;
    }
    p->size = sizeof p->text - 1;
    memcpy(p->text + sizeof p->text - sizeof cut, cut, sizeof cut);
}

void phrase_comma(struct phrase *p)
{
    if (p->size)
        phrase_add(p, ", ");
}

static void add_span(struct phrase *p, int64_t first, int64_t last)
{
    phrase_comma(p);
    phrase_add(p, "%lld", (long long)first);
    if (first != last)
        phrase_add(p, "%s%lld", first + 1 == last ? ", " : "..", (long long)last);
}

void phrase_numbers(struct phrase *p, uint64_t set)
{
    for (unsigned i = 0; i < 64; i++) {
        if (!in_set(set, i))
            continue;
        unsigned first = i;
        while (in_set(set, i + 1))
            i++;
        add_span(p, first, i);
    }
}

/* "a12" -> prefix length 1, number 12. False when the name does not end in a number. */
static bool split_number(const char *name, size_t *prefix, unsigned *number)
{
    size_t n = strlen(name), i = n;
    while (i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9')
        i--;
    if (i == n || i == 0 || n - i > 4)
        return false;
    *prefix = i;
    *number = 0;
    for (size_t k = i; k < n; k++)
        *number = *number * 10 + (unsigned)(name[k] - '0');
    return true;
}

static bool follows(const struct isa_member *a, const struct isa_member *b)
{
    size_t pa, pb;
    unsigned na, nb;
    return split_number(a->name, &pa, &na) && split_number(b->name, &pb, &nb) && pa == pb &&
           !memcmp(a->name, b->name, pa) && na + 1 == nb && a->value + 1 == b->value;
}

static bool listed(const struct isa_member *m, const uint64_t *set, isa_revset revs)
{
    return !m->alias && m->name[0] && (m->revs & revs) && (!set || in_set(*set, m->value));
}

/* The next member to list behind `m`, or NULL. */
static const struct isa_member *next_listed(const struct isa_enumeration *e,
                                            const struct isa_member *m, const uint64_t *set,
                                            isa_revset revs)
{
    for (m = m ? m + 1 : e->members; m < e->members + e->count; m++)
        if (listed(m, set, revs))
            return m;
    return NULL;
}

void phrase_members(struct phrase *p, const struct isa_enumeration *e, const uint64_t *set,
                    isa_revset revs)
{
    const struct isa_member *first = next_listed(e, NULL, set, revs);
    while (first) {
        const struct isa_member *last = first, *next = next_listed(e, first, set, revs);
        while (next && follows(last, next)) {
            last = next;
            next = next_listed(e, last, set, revs);
        }
        phrase_comma(p);
        phrase_add(p, "%s", first->name);
        if (first != last)
            phrase_add(p, "%s%s", last->value == first->value + 1 ? ", " : "..", last->name);
        first = next;
    }
}

/* Narrows `set` to what the constraints on one field allow. True when there is one. */
static bool restrict_set(uint64_t *set, const struct isa_constraint *c, unsigned count,
                         unsigned field)
{
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        if (c[i].field != field)
            continue;
        if (c[i].op == ISA_CONSTRAINT_IN)
            *set &= c[i].set;
        else if (c[i].op == ISA_CONSTRAINT_NE && c[i].set < 64)
            *set &= ~((uint64_t)1 << c[i].set);
        else
            continue;
        any = true;
    }
    return any;
}

void phrase_legal(struct phrase *p, const struct isa_form *form,
                  const struct isa_spelling *spelling, unsigned field, isa_revset revs)
{
    const struct isa_field *f = &form->fields[field];
    const struct isa_enumeration *e = field_enumeration(f);
    struct limits l = field_limits(f);
    uint64_t set = f->width < 6 ? ((uint64_t)1 << (1u << f->width)) - 1 : ~(uint64_t)0;
    bool bounded = restrict_set(&set, form->constraints, form->nconstraints, field);
    if (spelling && restrict_set(&set, spelling->conditions, spelling->nconditions, field))
        bounded = true;
    if (e && f->kind == ISA_KIND_ENUM && !e->numeric)
        phrase_members(p, e, bounded ? &set : NULL, revs);
    else if (bounded)
        phrase_numbers(p, set);
    else
        add_span(p, l.min, l.max);
}

void phrase_revisions(struct phrase *p, unsigned set, isa_revset revs)
{
    for (unsigned i = 0; i < ISA_REVISION_COUNT; i++)
        if (isa_revisions[i].set == set && (isa_revisions[i].bit & revs)) {
            phrase_comma(p);
            phrase_add(p, "%s", isa_revisions[i].name);
        }
}

void isa_list_revisions(enum isa_set set, char *text, size_t size)
{
    struct phrase p = {0};
    phrase_revisions(&p, set, (isa_revset)~0u);
    snprintf(text, size, "%s", p.text);
}
