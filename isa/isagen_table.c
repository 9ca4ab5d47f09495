/* SPDX-License-Identifier: BSD-3-Clause */
/* The small tables: revisions, enumerations, kinds, relocations, names. */
#include "isa/isagen.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ALL_REVISIONS = 0xff };

uint8_t gen_block_set(struct gen *g, const struct gen_row *row)
{
    const char *name = g->blocks[row->block].arg[0];

    if (!strcmp(name, "SEQ"))
        return GEN_SEQ;
    if (strcmp(name, "PTO"))
        gen_error(g, row, "the block names no instruction set, 'PTO' or 'SEQ'");
    return GEN_PTO;
}

void gen_revision_row(struct gen *g, struct gen_row *row)
{
    uint8_t set = gen_block_set(g, row), bit = 0;

    for (size_t i = 0; i < g->nrevisions; i++) {
        bit += g->revisions[i].set == set;
        if (!strcmp(g->revisions[i].name, row->col[0]))
            gen_error(g, row, "revision '%s' is declared twice", row->col[0]);
    }
    g->revisions = gen_grow(g->revisions, g->nrevisions, sizeof *g->revisions);
    g->revisions[g->nrevisions++] = (struct gen_revision){
        .name = row->col[0],
        .release = row->col[1],
        .abi = strcmp(row->col[2], "-") ? row->col[2] : NULL,
        .sha256 = strcmp(row->col[3], "-") ? row->col[3] : NULL,
        .set = set,
        .bit = bit,
    };
    if (bit >= 8)
        gen_error(g, row, "more than eight revisions");
}

/* ---- enumerations ---- */

int gen_find_enum(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nenums; i++) {
        if (!strcmp(g->enums[i].name, name))
            return (int)i;
    }
    return -1;
}

const struct gen_member *gen_find_member(const struct gen_enum *e, const char *name)
{
    for (size_t i = 0; i < e->nmembers; i++) {
        if (!strcasecmp(e->members[i].name, name))
            return &e->members[i];
    }
    return NULL;
}

static void add_member(struct gen_enum *e, struct gen_member m)
{
    e->members = gen_grow(e->members, e->nmembers, sizeof *e->members);
    e->members[e->nmembers++] = m;
}

static void extend_enum(struct gen *g, const struct gen_row *row, struct gen_enum *e,
                        const char *base)
{
    int i = gen_find_enum(g, base);

    if (i < 0) {
        gen_error(g, row, "unknown enumeration '%s'", base);
        return;
    }
    for (size_t k = 0; k < g->enums[i].nmembers; k++)
        add_member(e, g->enums[i].members[k]);
}

static void enum_property(struct gen *g, const struct gen_row *row, struct gen_enum *e, char *word)
{
    char *rest = word;
    char *name = gen_split(&rest, ' ');

    if (!strcmp(name, "numeric")) {
        e->numeric = true;
    } else if (!strcmp(name, "SEQ")) {
        e->set = GEN_SEQ;
    } else if (!strcmp(name, "sysregs")) {
        e->sysregs = true;
    } else if (!strcmp(name, "extends") && rest) {
        extend_enum(g, row, e, rest);
    } else if (!strcmp(name, "tileops") && rest) {
        e->tileop_engines |= strstr(rest, "VEC") ? 1 : 0;
        e->tileop_engines |= strstr(rest, "SFU") ? 2 : 0;
    } else {
        gen_error(g, row, "unknown enumeration property '%s'", name);
    }
}

void gen_enum_open(struct gen *g, struct gen_block *block)
{
    struct gen_row row = {.file = block->file, .line = block->line};
    struct gen_enum e = {.name = block->arg[0], .what = block->arg[1]};
    char *rest = block->arg[2];

    if (gen_find_enum(g, e.name) >= 0)
        gen_error(g, &row, "enumeration '%s' is declared twice", e.name);
    for (char *word; (word = gen_split(&rest, ','));) {
        if (*word)
            enum_property(g, &row, &e, word);
    }
    g->enums = gen_grow(g->enums, g->nenums, sizeof *g->enums);
    block->object = (unsigned)g->nenums;
    g->enums[g->nenums++] = e;
}

/* One name of a member row; "S0..S255" stands for as many members. */
static void add_names(struct gen *g, const struct gen_row *row, struct gen_enum *e, char *name,
                      struct gen_member m)
{
    char *dots = strstr(name, "..");
    size_t stem = strcspn(name, "0123456789");
    uint32_t count = 1;

    if (dots && dots > name + stem) {
        stem = (size_t)(dots - name);
        while (stem && name[stem - 1] >= '0' && name[stem - 1] <= '9')
            stem--;
        count = (uint32_t)(strtoul(dots + 2 + stem, NULL, 10) - strtoul(name + stem, NULL, 10)) + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        char text[64];
        if (count > 1)
            snprintf(text, sizeof text, "%.*s%lu", (int)stem, name,
                     strtoul(name + stem, NULL, 10) + i);
        m.name = count > 1 ? gen_copy(text, strlen(text)) : name;
        if (gen_find_member(e, m.name))
            gen_error(g, row, "'%s' is declared twice in %s", m.name, e->name);
        add_member(e, m);
        m.value++;
    }
}

void gen_enum_row(struct gen *g, struct gen_row *row)
{
    struct gen_enum *e = &g->enums[g->blocks[row->block].object];
    struct gen_member m = {.revs = ALL_REVISIONS};
    char *names = row->col[0];
    int64_t value;

    if (!gen_number(row->col[1], &value) || value < 0 || value > UINT32_MAX) {
        gen_error(g, row, "'%s' is not a value", row->col[1]);
        return;
    }
    if (*row->col[2])
        m.revs = gen_revs(g, row, row->col[2], e->set);
    m.value = (uint32_t)value;
    for (size_t i = 0; i < e->nmembers; i++) {
        const struct gen_member *other = &e->members[i];
        if (other->value == m.value && other->revs & m.revs && !other->alias)
            gen_error(g, row, "value %u of %s already prints as '%s'", m.value, e->name,
                      other->name);
    }
    for (char *name; (name = gen_split(&names, ','));) {
        add_names(g, row, e, !strcmp(name, "\"\"") ? gen_copy("", 0) : name, m);
        m.alias = true;
    }
}

/* ---- relocations ---- */

static bool parse_bit(const char *text, bool high, unsigned *bit)
{
    int64_t n;
    bool byte = *text == 'B';

    if (!gen_number(text + byte, &n) || n < 0 || n > 4096)
        return false;
    *bit = byte ? (unsigned)(8 * n + (high ? 7 : 0)) : (unsigned)n;
    return true;
}

unsigned gen_pieces(struct gen *g, const struct gen_row *row, char *text, unsigned align,
                    struct gen_piece *out)
{
    unsigned n = 0, total = align;

    for (char *part; (part = gen_split(&text, ','));) {
        char *low = strstr(part, "..");
        unsigned hi, lo;
        if (low)
            *low = '\0';
        if (n == GEN_MAX_PIECES || !parse_bit(part, true, &hi) ||
            !parse_bit(low ? low + 2 : part, false, &lo) || hi < lo || hi - lo > 63) {
            gen_error(g, row, "'%s' is not a place", part);
            return 0;
        }
        out[n++] = (struct gen_piece){.lsb = (uint16_t)lo, .width = (uint8_t)(hi - lo + 1)};
    }
    for (unsigned i = n; i-- > 0;) {
        out[i].value_lsb = (uint8_t)total;
        total += out[i].width;
    }
    if (total > 64) {
        gen_error(g, row, "the field is %u bits wide; 64 is the limit", total);
        return 0;
    }
    return n;
}

static void reloc_range(struct gen_reloc *r, char sign)
{
    if (r->width >= 64) {
        r->min = INT64_MIN;
        r->max = INT64_MAX;
    } else if (r->width) {
        r->min = sign == 'u' ? 0 : -((int64_t)1 << (r->width - 1));
        r->max = ((int64_t)1 << (sign == 's' ? r->width - 1 : r->width)) - 1;
    }
}

static const char *reloc_base(const char *name)
{
    static const char *const bases[][2] = {
        {"none", "NONE"}, {"P", "P"}, {"P4", "P4"}, {"lo", "LO"}};

    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (!strcmp(bases[i][0], name))
            return bases[i][1];
    }
    return NULL;
}

void gen_reloc_row(struct gen *g, struct gen_row *row)
{
    struct gen_reloc r = {.name = row->col[0], .set = gen_block_set(g, row)};
    int64_t number, width, shift = 0, bytes;
    char *stored = row->col[3];
    char sign = *stored;
    char *drop = strstr(stored, ">>");

    if (drop) {
        *drop = '\0';
        drop += 2;
    }
    r.base = reloc_base(row->col[2]);
    if (!gen_number(row->col[1], &number) || !sign || !strchr("sux", sign) ||
        !gen_number(stored + 1, &width) || (drop && !gen_number(drop, &shift)) ||
        !gen_number(row->col[4], &bytes) || !r.base) {
        gen_error(g, row, "relocation '%s' has a bad number, base, value or length", r.name);
        return;
    }
    r.number = (uint16_t)number;
    r.is_signed = sign == 's';
    r.width = (uint8_t)width;
    r.shift = (uint8_t)shift;
    r.bytes = (uint8_t)bytes;
    r.page = !strcmp(row->col[6], "page");
    if (*row->col[5])
        r.npieces = (uint8_t)gen_pieces(g, row, row->col[5], 0, r.piece);
    unsigned total = 0;
    for (unsigned i = 0; i < r.npieces; i++) {
        total += r.piece[i].width;
        if (r.piece[i].lsb + r.piece[i].width > 8u * r.bytes)
            gen_error(g, row, "relocation '%s' has bits outside its %u bytes", r.name, r.bytes);
    }
    if (total != r.width)
        gen_error(g, row, "relocation '%s': %u bits of place for %u bits of value", r.name, total,
                  r.width);
    reloc_range(&r, sign);
    for (size_t i = 0; i < g->nrelocs; i++) {
        if (g->relocs[i].number == r.number)
            gen_error(g, row, "relocation number %u is used twice", r.number);
    }
    g->relocs = gen_grow(g->relocs, g->nrelocs, sizeof *g->relocs);
    g->relocs[g->nrelocs++] = r;
}

void gen_foreign_row(struct gen *g, struct gen_row *row)
{
    int64_t number;

    if (!gen_number(row->col[0], &number)) {
        gen_error(g, row, "'%s' is not a relocation number", row->col[0]);
        return;
    }
    for (size_t i = 0; i < g->nrelocs; i++) {
        if (g->relocs[i].number == number)
            gen_error(g, row, "relocation number %u is used twice", (unsigned)number);
    }
    g->foreign = gen_grow(g->foreign, g->nforeign, sizeof *g->foreign);
    g->foreign[g->nforeign++] = (struct gen_foreign){(uint16_t)number, row->col[1], row->col[2]};
}

/* ---- operand kinds and classes ---- */

int gen_find_kind(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nkinds; i++) {
        if (!strcmp(g->kinds[i].name, name))
            return (int)i;
    }
    return -1;
}

static int find_reloc(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nrelocs; i++) {
        if (!strcmp(g->relocs[i].name, name))
            return (int)i;
    }
    return -1;
}

void gen_kind_row(struct gen *g, struct gen_row *row)
{
    static const char *const bases[] = {"uint", "int", "enum", "pcrel", "float"};
    struct gen_kind k = {.name = row->col[0], .base = GEN_NONE};
    int enumeration = strcmp(row->col[2], "-") ? gen_find_enum(g, row->col[2]) : -1;
    int reloc = strcmp(row->col[3], "-") ? find_reloc(g, row->col[3]) : -1;

    for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (!strcmp(row->col[1], bases[i]))
            k.base = (uint8_t)i;
    }
    if (k.base == GEN_NONE)
        gen_error(g, row, "unknown base '%s' of kind '%s'", row->col[1], k.name);
    if (enumeration < 0 && (strcmp(row->col[2], "-") || k.base == GEN_ENUM))
        gen_error(g, row, "unknown enumeration '%s'", row->col[2]);
    if (reloc < 0 && (strcmp(row->col[3], "-") || k.base == GEN_PCREL))
        gen_error(g, row, "unknown relocation '%s'", row->col[3]);
    if (gen_find_kind(g, k.name) >= 0)
        gen_error(g, row, "kind '%s' is declared twice", k.name);
    k.enumeration = (uint8_t)(enumeration + 1);
    k.reloc = (uint8_t)(reloc + 1);
    k.binary4 = !strcmp(row->col[4], "binary4");
    g->kinds = gen_grow(g->kinds, g->nkinds, sizeof *g->kinds);
    g->kinds[g->nkinds++] = k;
}

int gen_find_class(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nclasses; i++) {
        if (!strcmp(g->classes[i], name))
            return (int)i;
    }
    return -1;
}

void gen_class_row(struct gen *g, struct gen_row *row)
{
    if (gen_find_class(g, row->col[0]) >= 0)
        gen_error(g, row, "class '%s' is declared twice", row->col[0]);
    gen_intern(&g->classes, &g->nclasses, row->col[0]);
}

/* ---- system registers, retired names, reviewed overlaps ---- */

void gen_sysreg_row(struct gen *g, struct gen_row *row)
{
    struct gen_sysreg r = {.name = row->col[0],
                           .scope = row->col[3],
                           .behavior = row->col[4],
                           .description = row->col[5]};
    int64_t address;

    if (!gen_number(row->col[1], &address) || address < 0 || address >= 1 << 24) {
        gen_error(g, row, "'%s' is not a system register address", row->col[1]);
        return;
    }
    r.address = (uint32_t)address;
    r.access = (uint8_t)((strcmp(row->col[2], "WO") ? 1 : 0) | (strcmp(row->col[2], "RO") ? 2 : 0));
    for (size_t i = 0; i < g->nsysregs; i++) {
        if (g->sysregs[i].address == r.address)
            gen_error(g, row, "address %#x is used twice", r.address);
    }
    g->sysregs = gen_grow(g->sysregs, g->nsysregs, sizeof *g->sysregs);
    g->sysregs[g->nsysregs++] = r;
}

void gen_retired_row(struct gen *g, struct gen_row *row)
{
    struct gen_retired r = {
        .row = row, .name = row->col[0], .message = row->col[1], .revs = ALL_REVISIONS};

    if (*row->col[2])
        r.revs = gen_revs(g, row, row->col[2], GEN_PTO);
    g->retired = gen_grow(g->retired, g->nretired, sizeof *g->retired);
    g->retired[g->nretired++] = r;
}

void gen_overlap_row(struct gen *g, struct gen_row *row)
{
    if (!*row->col[2])
        gen_error(g, row, "an exception needs its reason");
    g->overlaps = gen_grow(g->overlaps, g->noverlaps, sizeof *g->overlaps);
    g->overlaps[g->noverlaps++] =
        (struct gen_overlap){.row = row, .broad = row->col[0], .narrow = row->col[1]};
}
