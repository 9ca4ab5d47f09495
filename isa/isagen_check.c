/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks that need all rows: encodings that overlap, names that both
 * instruction sets use, stale exceptions. Also puts spellings and mnemonics
 * into the order in which they are searched.
 */
#include "isa/isagen.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_ENUMERATED_WIDTH = 17, ENGINE_SFU = 1 };

bool gen_constraint_holds(const struct gen *g, const struct gen_constraint *c, uint64_t value,
                          uint8_t revs)
{
    if (!strcmp(c->op, "IN"))
        return value < 64 && c->set >> value & 1;
    if (!strcmp(c->op, "NE"))
        return value != c->set;
    if (c->member) {
        const struct gen_enum *e = &g->enums[c->set];
        for (size_t i = 0; i < e->nmembers; i++) {
            if (e->members[i].value == value && e->members[i].revs & revs)
                return true;
        }
        return false;
    }
    return true; /* relations between fields */
}

/* ---- overlap of encodings ---- */

/* One constrained value: the instruction bits it is read from, most significant first. */
struct slot {
    unsigned width;
    uint16_t bit[64];
};

static void add_slot_field(struct slot *slot, const struct gen_field *f)
{
    for (unsigned i = 0; i < f->npieces; i++) {
        for (unsigned k = f->piece[i].width; k-- > 0 && slot->width < 64;)
            slot->bit[slot->width++] = (uint16_t)(f->piece[i].lsb + k);
    }
}

static struct slot constraint_slot(const struct gen_pattern *p, const struct gen_constraint *c)
{
    struct slot slot = {0};

    add_slot_field(&slot, &p->fields[c->field[0]]);
    if (c->member && c->field[1] != GEN_NONE)
        add_slot_field(&slot, &p->fields[c->field[1]]);
    return slot;
}

static bool is_single(const struct gen_constraint *c)
{
    return !strcmp(c->op, "IN") || !strcmp(c->op, "NE") || c->member;
}

static bool same_slot(const struct slot *a, const struct slot *b)
{
    return a->width == b->width && !memcmp(a->bit, b->bit, a->width * sizeof *a->bit);
}

/* Do all constraints of p on exactly these bits allow the value? */
static bool slot_allows(const struct gen *g, const struct gen_pattern *p, const struct slot *slot,
                        uint64_t value, uint8_t rev)
{
    for (size_t i = 0; i < p->nconstraints; i++) {
        const struct gen_constraint *c = &p->constraints[i];
        if (!is_single(c))
            continue;
        struct slot other = constraint_slot(p, c);
        if (same_slot(slot, &other) && !gen_constraint_holds(g, c, value, rev))
            return false;
    }
    return true;
}

static bool fixed_bit(const struct gen_pattern *p, unsigned bit, unsigned *value)
{
    if (!(p->mask[bit / 64] >> bit % 64 & 1))
        return false;
    *value = p->match[bit / 64] >> bit % 64 & 1;
    return true;
}

/* Is there a value of these bits that fixed bits and constraints of both patterns allow? */
static bool slot_possible(const struct gen *g, const struct gen_pattern *a,
                          const struct gen_pattern *b, const struct slot *slot, uint8_t rev)
{
    uint64_t known = 0, fixed = 0;

    if (slot->width > MAX_ENUMERATED_WIDTH)
        return true;
    for (unsigned i = 0; i < slot->width; i++) {
        unsigned value;
        known <<= 1;
        fixed <<= 1;
        if (fixed_bit(a, slot->bit[i], &value) || fixed_bit(b, slot->bit[i], &value)) {
            known |= 1;
            fixed |= value;
        }
    }
    for (uint64_t v = 0; v >> slot->width == 0; v++) {
        if ((v & known) == fixed && slot_allows(g, a, slot, v, rev) &&
            slot_allows(g, b, slot, v, rev))
            return true;
    }
    return false;
}

static bool constraints_part(const struct gen *g, const struct gen_pattern *a,
                             const struct gen_pattern *b, uint8_t rev)
{
    for (size_t i = 0; i < a->nconstraints; i++) {
        if (!is_single(&a->constraints[i]))
            continue;
        struct slot slot = constraint_slot(a, &a->constraints[i]);
        if (!slot_possible(g, a, b, &slot, rev))
            return true;
    }
    return false;
}

static bool masks_overlap(const struct gen_pattern *a, const struct gen_pattern *b)
{
    if (a->set != b->set || a->bits != b->bits || !(a->revs & b->revs))
        return false;
    for (unsigned i = 0; i < GEN_WORDS; i++) {
        if ((a->match[i] ^ b->match[i]) & a->mask[i] & b->mask[i])
            return false;
    }
    return true;
}

/* The members of an enumeration depend on the revision, so each is tried by itself. */
static bool patterns_overlap(const struct gen *g, const struct gen_pattern *a,
                             const struct gen_pattern *b)
{
    if (!masks_overlap(a, b))
        return false;
    for (unsigned common = a->revs & b->revs; common; common &= common - 1) {
        uint8_t rev = (uint8_t)(common & -common);
        if (!constraints_part(g, a, b, rev) && !constraints_part(g, b, a, rev))
            return true;
    }
    return false;
}

static struct gen_overlap *find_overlap(struct gen *g, const char *a, const char *b)
{
    for (size_t i = 0; i < g->noverlaps; i++) {
        struct gen_overlap *o = &g->overlaps[i];
        if ((!strcmp(o->broad, a) && !strcmp(o->narrow, b)) ||
            (!strcmp(o->broad, b) && !strcmp(o->narrow, a)))
            return o;
    }
    return NULL;
}

/* Two forms whose masks overlap need a reviewed reason, and constraints that part them. */
static void check_form_pair(struct gen *g, const struct gen_form *a, const struct gen_form *b)
{
    if (!masks_overlap(&a->p, &b->p))
        return;
    struct gen_overlap *reviewed = find_overlap(g, a->id, b->id);
    if (patterns_overlap(g, &a->p, &b->p))
        gen_error(g, b->p.row, "form %s overlaps %s (%s:%u)", b->id, a->id, a->p.row->file,
                  a->p.row->line);
    else if (!reviewed)
        gen_error(g, b->p.row,
                  "form %s and %s (%s:%u) differ by constraints alone; %%overlaps has no reason",
                  b->id, a->id, a->p.row->file, a->p.row->line);
    if (reviewed)
        reviewed->found = true;
}

static void check_overlaps(struct gen *g)
{
    for (size_t i = 0; i < g->nforms; i++) {
        for (size_t k = 0; k < i; k++)
            check_form_pair(g, &g->forms[k], &g->forms[i]);
        for (size_t k = 0; k < g->nreserved; k++) {
            if (patterns_overlap(g, &g->forms[i].p, &g->reserved[k].p))
                gen_error(g, g->reserved[k].p.row, "reserved encoding %s overlaps form %s",
                          g->reserved[k].name, g->forms[i].id);
        }
    }
    for (size_t i = 0; i < g->noverlaps; i++) {
        if (!g->overlaps[i].found)
            gen_error(g, g->overlaps[i].row, "stale exception: %s and %s do not overlap",
                      g->overlaps[i].broad, g->overlaps[i].narrow);
    }
}

/* ---- names ---- */

/* A form that is in several revisions with one id gets a name for each. */
static void name_forms(struct gen *g)
{
    for (size_t i = 0; i < g->nforms; i++) {
        struct gen_form *f = &g->forms[i];
        bool shared = false;
        for (size_t k = 0; k < g->nforms; k++)
            shared |= k != i && !strcmp(g->forms[k].id, f->id);
        f->symbol = f->id;
        for (size_t k = 0; shared && k < g->nrevisions; k++) {
            const struct gen_revision *r = &g->revisions[k];
            if (r->set == f->p.set && f->p.revs >> r->bit & 1) {
                f->symbol = gen_join(gen_join(f->id, "_"), gen_identifier(r->release));
                break;
            }
        }
    }
}

/* The start of every TEPL operation also as one word: BSTART.TADD FP16. */
static void add_tepl_starts(struct gen *g)
{
    for (size_t form = 0; form < g->nforms; form++) {
        const struct gen_pattern *p = &g->forms[form].p;
        int mode = gen_find_field(p, "Mode", 4), function = gen_find_field(p, "Function", 8);
        if (mode < 0 || function < 0)
            continue;
        for (size_t i = 0; i < g->ntileops; i++) {
            const struct gen_tileop *op = &g->tileops[i];
            struct gen_spelling s = {.row = op->row, .form = form, .revs = op->revs & p->revs};
            if (op->engine > ENGINE_SFU || !s.revs)
                continue;
            s.mnemonic = gen_join("BSTART.", op->name);
            gen_syntax(g, p, &s, "{DataType}");
            s.presets = gen_grow(NULL, 0, sizeof *s.presets);
            s.presets[s.npresets++] = (struct gen_preset){(uint8_t)mode, op->mode};
            s.presets = gen_grow(s.presets, 1, sizeof *s.presets);
            s.presets[s.npresets++] = (struct gen_preset){(uint8_t)function, op->function};
            g->spellings = gen_grow(g->spellings, g->nspellings, sizeof *g->spellings);
            g->spellings[g->nspellings++] = s;
        }
    }
}

/* By form; among those of a form the printable ones of %spellings, its own, the rest. */
static unsigned spelling_rank(const struct gen_spelling *s)
{
    return s->own ? 1 : s->print ? 0 : 2;
}

static int compare_spellings(const void *a, const void *b)
{
    const struct gen_spelling *x = a, *y = b;

    if (x->form != y->form)
        return x->form < y->form ? -1 : 1;
    if (spelling_rank(x) != spelling_rank(y))
        return spelling_rank(x) < spelling_rank(y) ? -1 : 1;
    if (strcmp(x->row->file, y->row->file))
        return strcmp(x->row->file, y->row->file);
    return x->row->line < y->row->line ? -1 : x->row->line > y->row->line;
}

static struct gen_mnemonic *find_mnemonic(struct gen *g, const char *upper)
{
    for (size_t i = 0; i < g->nmnemonics; i++) {
        if (!strcmp(g->mnemonics[i].upper, upper))
            return &g->mnemonics[i];
    }
    return NULL;
}

static void add_mnemonic(struct gen *g, size_t spelling)
{
    const struct gen_spelling *s = &g->spellings[spelling];
    uint8_t set = g->forms[s->form].p.set;
    char *upper = gen_upper(s->mnemonic);
    struct gen_mnemonic *m = find_mnemonic(g, upper);

    if (!m) {
        g->mnemonics = gen_grow(g->mnemonics, g->nmnemonics, sizeof *g->mnemonics);
        m = &g->mnemonics[g->nmnemonics++];
        m->upper = upper;
        m->set = set;
    } else if (m->set != set) {
        gen_error(g, s->row, "mnemonic '%s' is used by both instruction sets", s->mnemonic);
    }
    m->spellings = gen_grow(m->spellings, m->nspellings, sizeof *m->spellings);
    m->spellings[m->nspellings++] = (uint16_t)spelling;
}

static int compare_mnemonics(const void *a, const void *b)
{
    const struct gen_mnemonic *x = a, *y = b;

    return strcmp(x->upper, y->upper);
}

static void check_retired(struct gen *g)
{
    for (size_t i = 0; i < g->nretired; i++) {
        const struct gen_mnemonic *m = find_mnemonic(g, gen_upper(g->retired[i].name));
        for (size_t k = 0; m && k < m->nspellings; k++) {
            if (g->spellings[m->spellings[k]].revs & g->retired[i].revs)
                gen_error(g, g->retired[i].row, "'%s' is retired and accepted in one revision",
                          g->retired[i].name);
        }
    }
}

void gen_check(struct gen *g)
{
    check_overlaps(g);
    if (!g->nforms)
        return;
    name_forms(g);
    add_tepl_starts(g);
    qsort(g->spellings, g->nspellings, sizeof *g->spellings, compare_spellings);
    for (size_t i = 0; i < g->nspellings; i++)
        add_mnemonic(g, i);
    qsort(g->mnemonics, g->nmnemonics, sizeof *g->mnemonics, compare_mnemonics);
    check_retired(g);
}
