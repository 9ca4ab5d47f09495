/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forms, reserved encodings, shared groups and extra spellings: fixed bits,
 * fields, constraints and properties. Every bit of an instruction is claimed at
 * most once: by a fixed run or by a field. A field that lies wholly on fixed
 * bits is a constant; one that lies partly on them is refused.
 */
#include "isa/isagen.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool get_bit(const uint64_t *words, unsigned bit)
{
    return words[bit / 64] >> bit % 64 & 1;
}

static void set_bit(uint64_t *words, unsigned bit)
{
    words[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* ---- fixed bits ---- */

static void add_fixed_run(struct gen *g, struct gen_pattern *p, char *text)
{
    struct gen_piece run[GEN_MAX_PIECES];
    char *value_text = strchr(text, '=');
    int64_t value;

    if (!value_text) {
        gen_error(g, p->row, "'%s' fixes no value", text);
        return;
    }
    *value_text++ = '\0';
    if (gen_pieces(g, p->row, text, 0, run) != 1)
        return;
    if (!gen_number(value_text, &value)) {
        gen_error(g, p->row, "'%s' is not a number", value_text);
        return;
    }
    if (run->lsb + run->width > p->bits) {
        gen_error(g, p->row, "fixed bits %u..%u are outside the %u bits of the word",
                  run->lsb + run->width - 1u, run->lsb, p->bits);
        return;
    }
    if (run->width < 64 && (uint64_t)value >> run->width)
        gen_error(g, p->row, "match %s has bits outside the mask %u..%u", value_text,
                  run->lsb + run->width - 1u, run->lsb);
    for (unsigned i = 0; i < run->width; i++) {
        unsigned bit = run->lsb + i;
        if (get_bit(p->mask, bit))
            gen_error(g, p->row, "bit %u is fixed twice", bit);
        set_bit(p->mask, bit);
        if ((uint64_t)value >> i & 1)
            set_bit(p->match, bit);
    }
}

static void add_fixed(struct gen *g, struct gen_pattern *p, const char *text)
{
    char *rest = gen_copy(text, strlen(text));

    for (char *run; (run = gen_split(&rest, ' '));) {
        if (*run)
            add_fixed_run(g, p, run);
    }
}

/* ---- fields ---- */

int gen_find_field(const struct gen_pattern *p, const char *name, size_t len)
{
    for (size_t i = 0; i < p->nfields; i++) {
        if (strlen(p->fields[i].name) == len && !memcmp(p->fields[i].name, name, len))
            return (int)i;
    }
    return -1;
}

/* Claims the bits of all elements; tells whether the field is constant. */
static void claim_bits(struct gen *g, struct gen_pattern *p, struct gen_field *f)
{
    unsigned fixed = 0, total = 0;

    for (unsigned element = 0; element < f->count; element++) {
        for (unsigned i = 0; i < f->npieces; i++) {
            for (unsigned k = 0; k < f->piece[i].width; k++) {
                unsigned bit = f->piece[i].lsb + k + element * f->stride;
                if (bit >= p->bits) {
                    gen_error(g, p->row, "field %s has bit %u outside the %u bits of the word",
                              f->name, bit, p->bits);
                    return;
                }
                if (get_bit(p->claimed, bit)) {
                    gen_error(g, p->row, "field %s overlaps another field at bit %u", f->name, bit);
                    return;
                }
                set_bit(p->claimed, bit);
                fixed += get_bit(p->mask, bit);
                total++;
            }
        }
    }
    if (fixed && fixed < total)
        gen_error(g, p->row, "field %s is partly inside the mask", f->name);
    f->constant = fixed && fixed == total;
}

/* The relocation's pieces must be the field's, some whole bytes further on; it may cover only the
 * low bits of a contiguous field. */
static void place_reloc(struct gen *g, const struct gen_pattern *p, struct gen_field *f)
{
    const struct gen_reloc *r = f->kind->reloc ? &g->relocs[f->kind->reloc - 1] : NULL;

    if (!r || !r->npieces || !f->npieces)
        return;
    int distance = f->piece[0].lsb - r->piece[0].lsb;
    bool same = distance >= 0 && distance % 8 == 0 && distance / 8 < 64 &&
                (f->npieces == r->npieces || (r->npieces == 1 && f->npieces == 1));
    for (unsigned i = 0; same && i < r->npieces; i++) {
        same = f->piece[i].lsb - r->piece[i].lsb == distance &&
               (r->npieces == 1 ? f->piece[i].width >= r->piece[i].width
                                : f->piece[i].width == r->piece[i].width);
    }
    if (!same)
        gen_error(g, p->row, "field %s does not lie where %s patches", f->name, r->name);
    else
        f->reloc_offset = (uint8_t)(distance / 8);
}

/* Takes a number out of the text behind a mark ("u<<3", "reg[8]"); `absent` when there is none. */
static unsigned take_number(char *text, const char *mark, unsigned absent)
{
    char *at = strstr(text, mark);
    int64_t number;

    if (!at)
        return absent;
    *at = '\0';
    at += strlen(mark);
    at[strcspn(at, "]")] = '\0';
    return gen_number(at, &number) && number > 0 && number <= 64 ? (unsigned)number : absent;
}

static void push_field(struct gen *g, struct gen_pattern *p, struct gen_field f)
{
    if (gen_find_field(p, f.name, strlen(f.name)) >= 0)
        gen_error(g, p->row, "field %s is declared twice", f.name);
    f.width = (uint8_t)(f.piece[0].value_lsb + f.piece[0].width);
    f.stride = f.count > 1 ? f.piece[0].width : 0;
    f.index = (uint8_t)p->nvalues;
    f.name_index = gen_intern(&g->field_names, &g->nfield_names, f.name);
    p->nvalues += f.count;
    claim_bits(g, p, &f);
    place_reloc(g, p, &f);
    p->fields = gen_grow(p->fields, p->nfields, sizeof *p->fields);
    p->fields[p->nfields++] = f;
}

/* "uimm17:u@11..7,31..20", "src:reg[8]@B16", "uimm:u<<3@11..7,31..25" */
static void add_field(struct gen *g, struct gen_pattern *p, char *text)
{
    struct gen_field f = {.name = text};
    char *place = strchr(text, '@');
    char *kind = strchr(text, ':');

    if (!place || !kind || kind > place) {
        gen_error(g, p->row, "'%s' is not NAME:KIND@PLACE", text);
        return;
    }
    *place++ = '\0';
    *kind++ = '\0';
    f.align = (uint8_t)take_number(kind, "<<", 0);
    f.count = (uint8_t)take_number(kind, "[", 1);
    int k = gen_find_kind(g, kind);
    if (k < 0) {
        gen_error(g, p->row, "unknown kind '%s' of field %s", kind, f.name);
        return;
    }
    f.kind = &g->kinds[k];
    f.npieces = (uint8_t)gen_pieces(g, p->row, place, f.align, f.piece);
    if (f.npieces)
        push_field(g, p, f);
}

static void add_fields(struct gen *g, struct gen_pattern *p, const char *text)
{
    char *rest = gen_copy(text, strlen(text));

    for (char *field; (field = gen_split(&rest, ' '));) {
        if (*field && *field != '+')
            add_field(g, p, field);
    }
}

/* ---- groups ---- */

void gen_group_row(struct gen *g, struct gen_row *row)
{
    g->groups = gen_grow(g->groups, g->ngroups, sizeof *g->groups);
    g->groups[g->ngroups++] = (struct gen_group){.row = row, .name = row->col[0]};
}

const struct gen_group *gen_find_group(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->ngroups; i++) {
        if (!strcmp(g->groups[i].name, name))
            return &g->groups[i];
    }
    return NULL;
}

/* ---- constraints ---- */

/* "0..14,16..20,31" as a set of values below 64 that fit the field. */
static uint64_t value_set(struct gen *g, const struct gen_pattern *p, const struct gen_row *row,
                          int field, char *list)
{
    uint64_t set = 0;
    unsigned width = p->fields[field].width;
    int64_t limit = width >= 6 ? 63 : ((int64_t)1 << width) - 1;

    for (char *item; (item = gen_split(&list, ','));) {
        char *dots = strstr(item, "..");
        int64_t lo, hi;
        if (dots)
            *dots = '\0';
        if (!gen_number(item, &lo) || !gen_number(dots ? dots + 2 : item, &hi) || lo > hi ||
            lo < 0) {
            gen_error(g, row, "'%s' is not a range of values", item);
        } else if (hi > limit) {
            gen_error(g, row, "value %lld does not fit field %s in a constraint", (long long)hi,
                      p->fields[field].name);
        } else {
            for (int64_t v = lo; v <= hi; v++)
                set |= (uint64_t)1 << v;
        }
    }
    return set;
}

static bool constraint_field(struct gen *g, const struct gen_pattern *p, const struct gen_row *row,
                             const char *name, uint8_t *field)
{
    int i = gen_find_field(p, name, strlen(name));

    if (i < 0)
        gen_error(g, row, "constraint on unknown field '%s'", name);
    *field = (uint8_t)(i < 0 ? 0 : i);
    return i >= 0;
}

/* "frame SrcBegin ~ SrcEnd in uimm" */
static bool parse_frame(struct gen *g, const struct gen_pattern *p, const struct gen_row *row,
                        char *rest, struct gen_constraint *c)
{
    char *first = gen_split(&rest, '~');
    char *last = rest ? gen_split(&rest, ' ') : NULL;

    if (last && !*last)
        last = gen_split(&rest, ' ');
    char *in = rest ? gen_split(&rest, ' ') : NULL;
    if (!in || strcmp(in, "in") || !rest) {
        gen_error(g, row, "a frame constraint is 'frame FIRST ~ LAST in SIZE'");
        return false;
    }
    c->op = "FRAME";
    return constraint_field(g, p, row, first, &c->field[0]) &&
           constraint_field(g, p, row, last, &c->field[1]) &&
           constraint_field(g, p, row, gen_trim(rest), &c->field[2]);
}

/* "s and r" */
static bool parse_not_both(struct gen *g, const struct gen_pattern *p, const struct gen_row *row,
                           char *rest, struct gen_constraint *c)
{
    char *first = gen_split(&rest, ' ');
    char *and = gen_split(&rest, ' ');

    c->op = "NOT_BOTH";
    if (!and || strcmp(and, "and") || !rest) {
        gen_error(g, row, "a constraint of two flags is 'not A and B'");
        return false;
    }
    return constraint_field(g, p, row, first, &c->field[0]) &&
           constraint_field(g, p, row, gen_trim(rest), &c->field[1]);
}

/* "Field in 0..23", "High:Low in Enumeration", "Field != 3" */
static bool parse_relation(struct gen *g, const struct gen_pattern *p, const struct gen_row *row,
                           char *name, char *rest, struct gen_constraint *c)
{
    char *op = gen_split(&rest, ' ');
    char *low = strchr(name, ':');
    int64_t value;

    if (low)
        *low++ = '\0';
    if (!rest || (strcmp(op, "in") && strcmp(op, "!="))) {
        gen_error(g, row, "'%s %s' is not a constraint", name, op ? op : "");
        return false;
    }
    if (!constraint_field(g, p, row, name, &c->field[0]) ||
        (low && !constraint_field(g, p, row, low, &c->field[1])))
        return false;
    rest = gen_trim(rest);
    if (!strcmp(op, "!=")) {
        c->op = "NE";
        if (!gen_number(rest, &value))
            gen_error(g, row, "'%s' is not a value", rest);
        c->set = (uint64_t)value;
        return true;
    }
    if (isalpha((unsigned char)*rest)) {
        int e = gen_find_enum(g, rest);
        c->op = "MEMBER";
        c->member = true;
        c->set = (uint64_t)e;
        if (e < 0)
            gen_error(g, row, "unknown enumeration '%s' in a constraint", rest);
        return e >= 0;
    }
    c->op = "IN";
    c->set = value_set(g, p, row, c->field[0], rest);
    return true;
}

struct gen_constraint *gen_constraints(struct gen *g, const struct gen_pattern *p,
                                       const struct gen_row *row, const char *text,
                                       struct gen_constraint *list, size_t *count)
{
    char *rest = gen_copy(text, strlen(text));

    for (char *item; (item = gen_split(&rest, ';'));) {
        struct gen_constraint c = {.field = {GEN_NONE, GEN_NONE, GEN_NONE}};
        char *tail = item;
        char *word = gen_split(&tail, ' ');
        bool good;
        if (!*word)
            continue;
        if (!strcmp(word, "frame") && tail)
            good = parse_frame(g, p, row, tail, &c);
        else if (!strcmp(word, "not") && tail)
            good = parse_not_both(g, p, row, tail, &c);
        else
            good = parse_relation(g, p, row, word, tail, &c);
        if (!good)
            continue;
        list = gen_grow(list, *count, sizeof *list);
        list[(*count)++] = c;
    }
    return list;
}

/* Groups that the fields column names as +NAME give fixed bits, fields and constraints. */
static void add_groups(struct gen *g, struct gen_pattern *p, const char *fields)
{
    char *rest = gen_copy(fields, strlen(fields));

    for (char *word; (word = gen_split(&rest, ' '));) {
        if (*word != '+')
            continue;
        const struct gen_group *group = gen_find_group(g, word + 1);
        if (!group) {
            gen_error(g, p->row, "unknown group '%s'", word + 1);
            continue;
        }
        add_fixed(g, p, group->row->col[1]);
        add_fields(g, p, group->row->col[2]);
        p->constraints =
            gen_constraints(g, p, p->row, group->row->col[3], p->constraints, &p->nconstraints);
    }
}

/* The value of a constant field must satisfy its constraint. */
static void check_constants(struct gen *g, const struct gen_pattern *p)
{
    for (size_t i = 0; i < p->nconstraints; i++) {
        const struct gen_constraint *c = &p->constraints[i];
        const struct gen_field *f = &p->fields[c->field[0]];
        uint64_t value = 0;
        if (!f->constant || (strcmp(c->op, "IN") && strcmp(c->op, "NE")))
            continue;
        for (unsigned k = 0; k < f->npieces; k++) {
            for (unsigned b = 0; b < f->piece[k].width; b++)
                value |= (uint64_t)get_bit(p->match, f->piece[k].lsb + b)
                         << (f->piece[k].value_lsb + b);
        }
        if (!gen_constraint_holds(g, c, value, p->revs))
            gen_error(g, p->row, "constant field %s = %llu violates its constraint", f->name,
                      (unsigned long long)value);
    }
}

/* ---- rows ---- */

static bool start_pattern(struct gen *g, struct gen_row *row, struct gen_pattern *p,
                          const char *bits, const char *revs)
{
    int64_t n;

    p->row = row;
    p->set = gen_block_set(g, row);
    p->revs = gen_revs(g, row, gen_copy(revs, strlen(revs)), p->set);
    if (!gen_number(bits, &n) || (n != 16 && n != 32 && n != 48 && n != 64 && n != 512) ||
        (n == 512) != (p->set == GEN_SEQ)) {
        gen_error(g, row, "'%s' bits is not a length of the instruction set", bits);
        return false;
    }
    p->bits = (unsigned)n;
    return true;
}

static void fill_pattern(struct gen *g, struct gen_pattern *p, const char *fixed,
                         const char *fields, const char *constraints)
{
    add_groups(g, p, fields);
    add_fixed(g, p, fixed);
    add_fields(g, p, fields);
    p->constraints = gen_constraints(g, p, p->row, constraints, p->constraints, &p->nconstraints);
    check_constants(g, p);
}

static unsigned enum_word(struct gen *g, const struct gen_row *row, const char *enumeration,
                          const char *word)
{
    int e = gen_find_enum(g, enumeration);
    const struct gen_member *m = e < 0 ? NULL : gen_find_member(&g->enums[e], word);

    if (!m)
        gen_error(g, row, "'%s' is not a member of %s", word, enumeration);
    return m ? m->value : 0;
}

/* "Load Immediate 2 4 signed PostIndex address" */
static void parse_agu(struct gen *g, const struct gen_row *row, char *rest, struct gen_agu *agu)
{
    char *word[7] = {0};
    int64_t scale, size;

    for (unsigned i = 0; i < 7; i++)
        word[i] = rest ? gen_split(&rest, ' ') : NULL;
    if (!word[4] || !gen_number(word[2], &scale) || !gen_number(word[3], &size)) {
        gen_error(g, row, "agu is ACTION ADDRESS SCALE SIZE signed|unsigned [UPDATE] [address]");
        return;
    }
    agu->action = enum_word(g, row, "AguAction", word[0]);
    agu->kind = enum_word(g, row, "AguAddress", word[1]);
    agu->scale = (unsigned)scale;
    agu->size = (unsigned)size;
    agu->is_signed = !strcmp(word[4], "signed");
    for (unsigned i = 5; i < 7 && word[i]; i++) {
        if (!strcmp(word[i], "address"))
            agu->address = 1;
        else
            agu->update = enum_word(g, row, "AguUpdate", word[i]);
    }
}

/* "RegSrc=0; uimm17=0" */
static void parse_presets(struct gen *g, const struct gen_pattern *p, struct gen_spelling *s,
                          char *rest)
{
    for (char *item; (item = gen_split(&rest, ';'));) {
        char *value_text = item;
        char *name = gen_split(&value_text, '=');
        int field = gen_find_field(p, name, strlen(name));
        int64_t value;
        if (!*name)
            continue;
        if (field < 0 || !value_text || !gen_number(value_text, &value)) {
            gen_error(g, s->row, "'%s' does not give a value to a field", name);
            continue;
        }
        s->presets = gen_grow(s->presets, s->npresets, sizeof *s->presets);
        s->presets[s->npresets++] = (struct gen_preset){(uint8_t)field, value};
    }
}

static void form_property(struct gen *g, struct gen_form *f, struct gen_spelling *own, char *text)
{
    const struct gen_row *row = f->p.row;
    char *rest = text;
    char *word = gen_split(&rest, ' ');

    if (!strcmp(word, "agu") && rest) {
        parse_agu(g, row, rest, &f->agu);
    } else if (!strcmp(word, "tileop") && rest) {
        int op = gen_find_tileop(g, rest);
        if (op < 0)
            gen_error(g, row, "unknown tile operation '%s'", rest);
        f->tileop = (unsigned)(op + 1);
    } else if (!strcmp(word, "status") && rest && !strcmp(rest, "reserved-in-pto")) {
        f->status = "ISA_RESERVED_IN_PTO";
    } else if (!strcmp(word, "status") && rest && !strcmp(rest, "print-only")) {
        f->status = "ISA_PRINT_ONLY";
    } else if (!strcmp(word, "variant") && !rest) {
        f->variant = true;
    } else if (!strcmp(word, "noprint") && !rest) {
        own->print = false;
    } else if (!strcmp(word, "when") && rest) {
        own->conditions = gen_constraints(g, &f->p, row, rest, own->conditions, &own->nconditions);
    } else if (!strcmp(word, "set") && rest) {
        parse_presets(g, &f->p, own, rest);
    } else if (strcmp(word, "revs")) {
        gen_error(g, row, "unknown property '%s'", word);
    }
}

/* Value of the property "revs" in a property column, or the default. */
static const char *property_revs(const char *properties, const char *dflt)
{
    char *rest = gen_copy(properties, strlen(properties));

    for (char *item; (item = gen_split(&rest, ';'));) {
        if (!strncmp(item, "revs ", 5))
            return item + 5;
    }
    return dflt;
}

static void check_id(struct gen *g, const struct gen_form *f)
{
    for (size_t i = 0; i < g->nforms; i++) {
        if (!strcmp(g->forms[i].id, f->id) && g->forms[i].p.revs & f->p.revs)
            gen_error(g, f->p.row, "form id '%s' is used twice in one revision", f->id);
    }
}

void gen_form_row(struct gen *g, struct gen_row *row)
{
    const struct gen_block *block = &g->blocks[row->block];
    struct gen_form f = {.id = row->col[7], .family = block->arg[1], .status = "ISA_ACCEPTED"};
    struct gen_spelling own = {.row = row, .own = true, .print = true, .form = g->nforms};
    char *rest = row->col[8];
    int klass = gen_find_class(g, row->col[6]);

    if (!start_pattern(g, row, &f.p, row->col[1], property_revs(row->col[8], block->arg[2])))
        return;
    fill_pattern(g, &f.p, row->col[3], row->col[4], row->col[5]);
    if (klass < 0)
        gen_error(g, row, "unknown class '%s'", row->col[6]);
    if (!gen_is_identifier(f.id))
        gen_error(g, row, "'%s' is not a form id", f.id);
    check_id(g, &f);
    f.klass = (unsigned)(klass < 0 ? 0 : klass);
    for (char *item; (item = gen_split(&rest, ';'));) {
        if (*item)
            form_property(g, &f, &own, item);
    }
    gen_mnemonic(g, &f.p, &own, row->col[0]);
    gen_syntax(g, &f.p, &own, row->col[2]);
    f.mnemonic = gen_intern(&g->mnemonic_names, &g->nmnemonic_names,
                            gen_identifier(gen_upper(own.mnemonic)));
    own.revs = f.p.revs;
    g->forms = gen_grow(g->forms, g->nforms, sizeof *g->forms);
    g->forms[g->nforms++] = f;
    g->spellings = gen_grow(g->spellings, g->nspellings, sizeof *g->spellings);
    g->spellings[g->nspellings++] = own;
}

void gen_reserved_row(struct gen *g, struct gen_row *row)
{
    struct gen_reserved r = {.name = row->col[0]};
    const char *revs = *row->col[5] ? row->col[5] : g->blocks[row->block].arg[1];

    if (!start_pattern(g, row, &r.p, row->col[1], revs))
        return;
    fill_pattern(g, &r.p, row->col[2], row->col[3], row->col[4]);
    g->reserved = gen_grow(g->reserved, g->nreserved, sizeof *g->reserved);
    g->reserved[g->nreserved++] = r;
}

/* ---- extra spellings ---- */

static int find_form(const struct gen *g, const char *id, uint8_t revs)
{
    for (size_t i = 0; i < g->nforms; i++) {
        if (!strcmp(g->forms[i].id, id) && (!revs || g->forms[i].p.revs & revs))
            return (int)i;
    }
    return -1;
}

void gen_spelling_row(struct gen *g, struct gen_row *row)
{
    const char *revs_text = property_revs(row->col[5], "");
    uint8_t revs =
        *revs_text ? gen_revs(g, row, gen_copy(revs_text, strlen(revs_text)), GEN_PTO) : 0;
    int form = find_form(g, row->col[1], revs);
    struct gen_spelling s = {.row = row};
    char *rest = row->col[5];

    if (form < 0) {
        gen_error(g, row, "unknown form '%s'", row->col[1]);
        return;
    }
    const struct gen_pattern *p = &g->forms[form].p;
    s.form = (size_t)form;
    s.revs = revs ? (uint8_t)(revs & p->revs) : p->revs;
    gen_mnemonic(g, p, &s, row->col[0]);
    gen_syntax(g, p, &s, row->col[2]);
    parse_presets(g, p, &s, row->col[3]);
    s.conditions = gen_constraints(g, p, row, row->col[4], s.conditions, &s.nconditions);
    for (char *item; (item = gen_split(&rest, ';'));) {
        if (!strcmp(item, "print"))
            s.print = true;
        else if (*item && strncmp(item, "revs ", 5))
            gen_error(g, row, "unknown property '%s'", item);
    }
    g->spellings = gen_grow(g->spellings, g->nspellings, sizeof *g->spellings);
    g->spellings[g->nspellings++] = s;
}
