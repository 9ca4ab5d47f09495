/* SPDX-License-Identifier: BSD-3-Clause */
/* Searching the generated tables, and moving value bits into and out of instructions. */
#include "isa/isa.h"

#include "isa/tables.h"
#include "support/fold.h"

#include <string.h>

/* ---- mnemonics ---- */

const struct isa_mnemonic *isa_find_mnemonic(const char *text, size_t len)
{
    uint32_t last = isa_mnemonic_slot_count - 1;

    for (uint32_t slot = fold_hash(text, len) & last; isa_mnemonic_slots[slot];
         slot = (slot + 1) & last) {
        const struct isa_mnemonic *m = &isa_mnemonics[isa_mnemonic_slots[slot] - 1];
        if (fold_equal_z(m->name, text, len))
            return m;
    }
    return NULL;
}

const struct isa_mnemonic *isa_find_mnemonic_prefix(const char *text, size_t len, size_t *used)
{
    for (size_t n = len; n; n--) {
        if (n < len && text[n] != '.')
            continue;
        const struct isa_mnemonic *m = isa_find_mnemonic(text, n);
        if (m) {
            *used = n;
            return m;
        }
    }
    *used = 0;
    return NULL;
}

/* ---- enumerations and names ---- */

const struct isa_member *isa_find_member(const struct isa_enumeration *e, const char *text,
                                         size_t len, isa_revset revs)
{
    return isa_find_hashed_member(e, fold_hash(text, len), text, len, revs);
}

const struct isa_member *isa_find_hashed_member(const struct isa_enumeration *e, uint32_t hash,
                                                const char *text, size_t len, isa_revset revs)
{
    for (uint32_t slot = hash & e->last_slot; e->slots[slot]; slot = (slot + 1) & e->last_slot) {
        const struct isa_member *m = &e->members[e->slots[slot] - 1];
        if (m->revs & revs && fold_equal_z(m->name, text, len))
            return m;
    }
    return NULL;
}

const struct isa_member *isa_member_of_value(const struct isa_enumeration *e, uint64_t value,
                                             isa_revset revs)
{
    /* Printed members come first: a dense enumeration is indexed by its values. */
    size_t first = value < e->count && e->members[value].value == value ? (size_t)value : 0;

    for (size_t i = first; i < e->count && !e->members[i].alias; i++) {
        const struct isa_member *m = &e->members[i];
        if (m->value == value && m->revs & revs)
            return m;
    }
    return NULL;
}

int isa_field_index(const struct isa_form *form, unsigned name)
{
    for (int i = 0; i < form->nfields; i++) {
        if (form->fields[i].name == name)
            return i;
    }
    return -1;
}

unsigned isa_displacement(const struct isa_form *form)
{
    unsigned n = 0;
    while (n + 1 < form->nfields && !form->fields[n].reloc)
        n++;
    return n;
}

const struct isa_reloc *isa_displacement_reloc(const struct isa_form *form)
{
    return &isa_relocs[form->fields[isa_displacement(form)].reloc - 1];
}

const struct isa_revision *isa_find_revision(const char *name, size_t len)
{
    for (size_t i = 0; i < ISA_REVISION_COUNT; i++) {
        const struct isa_revision *r = &isa_revisions[i];
        if (fold_equal_z(r->name, name, len) || fold_equal_z(r->release, name, len))
            return r;
    }
    return NULL;
}

const struct isa_tileop *isa_find_tileop(const char *name, size_t len)
{
    for (size_t i = 0; i < ISA_TILEOP_COUNT; i++) {
        if (fold_equal_z(isa_tileops[i].name, name, len))
            return &isa_tileops[i];
    }
    return NULL;
}

/* VEC and SFU share one selector space. */
static bool same_space(unsigned a, unsigned b)
{
    return a == b || (a <= ISA_ENGINE_SFU && b <= ISA_ENGINE_SFU);
}

const struct isa_tileop *isa_tileop_of(uint8_t engine, unsigned selector, isa_revset rev)
{
    for (size_t i = 0; i < ISA_TILEOP_COUNT; i++) {
        const struct isa_tileop *op = &isa_tileops[i];
        if (op->selector == selector && op->revs & rev && same_space(op->engine, engine))
            return op;
    }
    return NULL;
}

uint8_t isa_tileop_ios(const struct isa_tileop *op, isa_revset rev)
{
    return op->ios_revs & rev ? op->ios : ISA_FORBIDDEN;
}

const struct isa_form *isa_form_in(const struct isa_form *form, isa_revset rev)
{
    if (form->revs & rev)
        return form;
    for (size_t i = 0; i < ISA_FORM_COUNT; i++) {
        if (isa_forms[i].revs & rev && isa_forms[i].set == form->set &&
            !strcmp(isa_forms[i].id, form->id))
            return &isa_forms[i];
    }
    return NULL;
}

const struct isa_reloc *isa_reloc_by_number(unsigned number)
{
    unsigned slot = number < isa_reloc_slot_count ? isa_reloc_slots[number] : 0;
    return slot ? &isa_relocs[slot - 1] : NULL;
}

const struct isa_foreign_reloc *isa_foreign_reloc_by_number(unsigned number)
{
    for (size_t i = 0; i < ISA_FOREIGN_RELOC_COUNT; i++) {
        if (isa_foreign_relocs[i].number == number)
            return &isa_foreign_relocs[i];
    }
    return NULL;
}

const struct isa_retired *isa_find_retired(const char *text, size_t len)
{
    for (size_t i = 0; i < ISA_RETIRED_COUNT; i++) {
        if (fold_equal_z(isa_retired_names[i].name, text, len))
            return &isa_retired_names[i];
    }
    return NULL;
}

/* ---- decoding ---- */

enum { LOW7_BUCKETS = 128, MAX_PTO_LENGTH = 8, OPCODES = 256 };

const uint16_t *isa_decode_bucket(unsigned length, unsigned low7, size_t *count)
{
    *count = 0;
    if (length < 2 || length > MAX_PTO_LENGTH || length % 2 || low7 >= LOW7_BUCKETS)
        return NULL;
    unsigned bucket = (length / 2 - 1) * LOW7_BUCKETS + low7;
    *count = isa_bucket_start[bucket + 1] - isa_bucket_start[bucket];
    return isa_bucket_forms + isa_bucket_start[bucket];
}

const uint16_t *isa_seq_bucket(unsigned opcode, size_t *count)
{
    *count = 0;
    if (opcode >= OPCODES)
        return NULL;
    *count = isa_seq_bucket_start[opcode + 1] - isa_seq_bucket_start[opcode];
    return isa_seq_bucket_forms + isa_seq_bucket_start[opcode];
}

/* ---- bits ---- */

/* The bits of a piece that stand in one byte. */
struct run {
    unsigned shift, width, mask;
};

static struct run run_of(unsigned bit, unsigned left)
{
    unsigned shift = bit % 8, room = 8 - shift, width = left < room ? left : room;

    return (struct run){shift, width, (1u << width) - 1};
}

uint64_t isa_get_bits(const struct isa_piece *pieces, unsigned npieces, unsigned bit_offset,
                      const uint8_t *bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < npieces; i++) {
        unsigned bit = pieces[i].lsb + bit_offset, to = pieces[i].value_lsb;
        for (unsigned left = pieces[i].width; left;) {
            struct run r = run_of(bit, left);
            value |= (uint64_t)(bytes[bit / 8] >> r.shift & r.mask) << to;
            bit += r.width;
            to += r.width;
            left -= r.width;
        }
    }
    return value;
}

void isa_set_bits(const struct isa_piece *pieces, unsigned npieces, unsigned bit_offset,
                  uint64_t value, uint8_t *bytes)
{
    for (unsigned i = 0; i < npieces; i++) {
        unsigned bit = pieces[i].lsb + bit_offset, from = pieces[i].value_lsb;
        for (unsigned left = pieces[i].width; left;) {
            struct run r = run_of(bit, left);
            uint8_t kept = (uint8_t)(bytes[bit / 8] & ~(r.mask << r.shift));
            bytes[bit / 8] = (uint8_t)(kept | (value >> from & r.mask) << r.shift);
            bit += r.width;
            from += r.width;
            left -= r.width;
        }
    }
}
