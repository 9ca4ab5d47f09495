/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contents: copies the input sections and applies their relocations. What a
 * relocation kind means (base, shift, range, bits) is a row of isa_relocs; here
 * is only the arithmetic that the rows speak of. S: address of the symbol, A:
 * addend, P: address of the relocated place.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A high part that a low part may pair with. Both count from the high part's P, so the pair has
 * one A - P_hi: the assembler writes A + (P_lo - P_hi) into the low part (DESIGN, 4). */
struct high_part {
    uint32_t symbol;
    uint64_t key; /* addend - offset */
    uint64_t offset;
};

struct relocation {
    struct linker *linker;
    const struct piece *piece;
    const struct obj_section *section;
    const struct obj_reloc *reloc;
    const struct isa_reloc *row;
    struct high_part last_high;    /* the last one that was applied */
    bool has_last, sorted;         /* `highs` is made when the last one is not the partner */
    const struct high_part *highs; /* of the section, sorted */
    size_t nhighs;
    const struct high_part *high; /* of the low part, else NULL */
};

static const char *place_of(const struct relocation *r)
{
    return link_place(r->linker, r->piece->unit, (int)r->piece->section, r->reloc->offset);
}

static void note_source(const struct relocation *r)
{
    link_note_source(r->linker, r->piece->unit, (int)r->piece->section, r->reloc->offset);
}

static const char *symbol_of(const struct relocation *r)
{
    return link_symbol_name(r->piece->unit, r->reloc->symbol);
}

/* ---- pairs ---- */

static int compare_highs(const void *a, const void *b)
{
    const struct high_part *x = a, *y = b;

    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct high_part part_of(const struct obj_reloc *reloc)
{
    return (struct high_part){reloc->symbol, (uint64_t)reloc->addend - reloc->offset,
                              reloc->offset};
}

static bool is_high(const struct obj_reloc *reloc)
{
    const struct isa_reloc *row = isa_reloc_by_number(reloc->type);

    return row && row->page;
}

/* The high parts of a section; pairing asks only whether one precedes. */
static void collect_highs(struct relocation *r)
{
    const struct obj_section *s = r->section;
    size_t count = 0;
    struct high_part *highs;

    for (size_t i = 0; i < s->relocs.count; i++)
        count += is_high(&s->relocs.item[i]);
    if (!count)
        return;
    highs = arena_array(r->linker->arena, count, sizeof *highs);
    for (size_t i = 0; i < s->relocs.count; i++) {
        const struct obj_reloc *reloc = &s->relocs.item[i];

        if (is_high(reloc))
            highs[r->nhighs++] = part_of(reloc);
    }
    qsort(highs, r->nhighs, sizeof *highs, compare_highs);
    r->highs = highs;
}

/* A high part of the same key that precedes, or NULL. All of them give the same address; mostly it
 * is the one just before. */
static const struct high_part *find_high_part(struct relocation *r)
{
    struct high_part low = part_of(r->reloc);

    if (r->has_last && r->last_high.symbol == low.symbol && r->last_high.key == low.key &&
        r->last_high.offset < low.offset)
        return &r->last_high;
    if (!r->sorted)
        collect_highs(r);
    r->sorted = true;
    size_t from = 0, to = r->nhighs;

    while (from < to) { /* the first one that does not precede */
        size_t mid = from + (to - from) / 2;

        if (compare_highs(&r->highs[mid], &low) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    const struct high_part *high = from > 0 ? &r->highs[from - 1] : NULL;
    return high && high->symbol == low.symbol && high->key == low.key ? high : NULL;
}

/* ---- values ---- */

/* S + A. In a merged section an addend to the section's start says which entry is meant. */
static uint64_t target_address(const struct relocation *r, uint64_t addend)
{
    const struct unit *u = r->piece->unit;
    const struct obj_symbol *s = &u->object->symbols.item[r->reloc->symbol];

    if (s->type == OBJ_SECTION_SYMBOL && s->section >= 0 && u->pieces[s->section].merged) {
        const struct piece *p = &u->pieces[s->section];

        return p->out ? p->out->address + link_piece_offset(p, s->value + addend) : 0;
    }
    return link_symbol_address(u, r->reloc->symbol) + addend;
}

/* The value that is shifted into the field, by the row's base. All arithmetic is modulo 2^64. */
static uint64_t value_of(const struct relocation *r)
{
    uint64_t section = r->piece->out->address + r->piece->offset;
    uint64_t place = section + r->reloc->offset;
    uint64_t addend = (uint64_t)r->reloc->addend;

    if (r->high) { /* both parts count from the place of the high one */
        place = section + r->high->offset;
        addend = r->high->key + r->high->offset;
    }
    uint64_t sum = target_address(r, addend);
    switch ((enum isa_reloc_base)r->row->base) {
    case ISA_BASE_NONE:
        return sum;
    case ISA_BASE_P:
        return sum - place;
    case ISA_BASE_P4:
        return sum - (place & ~UINT64_C(3));
    case ISA_BASE_LO:
        return (sum - place) & (uint64_t)r->row->max;
    }
    return sum;
}

static void report_range(const struct relocation *r, int64_t value)
{
    int64_t scale = INT64_C(1) << r->row->shift, dropped = r->row->page ? scale - 1 : 0;

    diag_report(r->linker->diag, DIAG_RELOC_RANGE, nowhere,
                "%s: %s against '%s' out of range: %" PRId64 " not in [%" PRId64 ", %" PRId64 "]",
                place_of(r), r->row->name, symbol_of(r), value, r->row->min * scale,
                r->row->max * scale + dropped);
    note_source(r);
}

/* The stored value; false: reported. */
static bool stored_value(const struct relocation *r, uint64_t *stored)
{
    int64_t value = (int64_t)value_of(r), scaled = value >> r->row->shift; /* arithmetic */
    uint64_t lost = (uint64_t)value & ((UINT64_C(1) << r->row->shift) - 1);

    *stored = (uint64_t)scaled;
    if (r->row->width == 64)
        return true;
    if (lost && !r->row->page) {
        diag_report(r->linker->diag, DIAG_RELOC_ALIGNMENT, nowhere,
                    "%s: %s against '%s': distance %" PRId64 " is not a multiple of %d",
                    place_of(r), r->row->name, symbol_of(r), value, 1 << r->row->shift);
        note_source(r);
        return false;
    }
    if (scaled < r->row->min || scaled > r->row->max) {
        report_range(r, value);
        return false;
    }
    return true;
}

/* ---- one relocation ---- */

static void report_unknown(const struct relocation *r)
{
    const struct isa_foreign_reloc *foreign = isa_foreign_reloc_by_number(r->reloc->type);

    if (foreign)
        diag_report(r->linker->diag, DIAG_FOREIGN_RELOC, nowhere,
                    "%s: %s (%u) against '%s' is refused: %s", place_of(r), foreign->name,
                    r->reloc->type, symbol_of(r), foreign->reason);
    else
        diag_report(r->linker->diag, DIAG_UNKNOWN_RELOC, nowhere,
                    "%s: unknown relocation number %u against '%s'", place_of(r), r->reloc->type,
                    symbol_of(r));
    note_source(r);
}

/* False: the symbol's section does not take part, which was reported. */
static bool check_target(const struct relocation *r)
{
    const struct link_symbol *global = r->piece->unit->globals[r->reloc->symbol];
    const struct piece *target;

    if (global && !global->lost)
        return true;
    target = link_symbol_piece(r->piece->unit, r->reloc->symbol);
    if (!target || target->out)
        return true;
    if (r->section->flags & OBJ_ALLOC) {
        diag_report(r->linker->diag, DIAG_DISCARDED_SECTION, nowhere,
                    "%s: %s against '%s' refers to %s, which was discarded%s", place_of(r),
                    r->row->name, symbol_of(r),
                    link_place(r->linker, target->unit, (int)target->section, 0),
                    link_discard_reason(r->linker, target));
        note_source(r);
    }
    return false; /* a remark about what is not there stays 0 */
}

static void apply(struct relocation *r)
{
    uint64_t stored;

    r->row = isa_reloc_by_number(r->reloc->type);
    if (!r->row) {
        report_unknown(r);
        return;
    }
    if (r->row->npieces == 0 || !check_target(r))
        return; /* R_LINX_NONE */
    r->high = r->row->base == ISA_BASE_LO ? find_high_part(r) : NULL;
    if (r->row->base == ISA_BASE_LO && !r->high) {
        diag_report(r->linker->diag, DIAG_LONE_LOW_PART, nowhere,
                    "%s: %s against '%s' has no high part of the same symbol and addend before it",
                    place_of(r), r->row->name, symbol_of(r));
        note_source(r);
        return;
    }
    if (r->row->page) {
        r->last_high = part_of(r->reloc);
        r->has_last = true;
    }
    if (stored_value(r, &stored))
        isa_set_bits(r->row->pieces, r->row->npieces, 0, stored,
                     r->piece->out->data + r->piece->offset + r->reloc->offset);
}

/* ---- sections ---- */

static void fill_piece(struct linker *l, const struct piece *p)
{
    struct relocation r = {.linker = l, .piece = p};

    r.section = &p->unit->object->sections.item[p->section];
    if (p->merged) {
        const uint8_t *data = link_merged_data(p);

        if (data && p->out->data)
            memcpy(p->out->data + p->offset, data, p->size);
        return;
    }
    if (!r.section->data || !p->out->data || !r.section->size)
        return;
    memcpy(p->out->data + p->offset, r.section->data, r.section->size);
    for (size_t i = 0; i < r.section->relocs.count; i++) {
        r.reloc = &r.section->relocs.item[i];
        apply(&r);
    }
}

void link_relocate(struct linker *l)
{
    for (size_t i = 0; i < l->sections.count; i++) {
        struct out_section *s = l->sections.item[i];

        if (!(s->flags & OBJ_ALLOC) && s->type != OBJ_NOBITS && s->size)
            s->data = arena_alloc(l->out->arena, s->size);
        if (s->rule && s->data)
            script_fill(l, s->rule, s->data);
        for (size_t k = 0; k < s->pieces.count; k++)
            fill_piece(l, s->pieces.item[k]);
    }
}
