/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tile operations: what a start selects, which commands its bundle takes and
 * which operands they carry. Rows are described in isa/README.md.
 */
#include "isa/isagen.h"

#include <string.h>
#include <strings.h>

enum { ENGINE_VEC, ENGINE_SFU, ENGINE_TLSU, ENGINE_CUBE, SELECTOR_MODE_SHIFT = 5, RINGS = 16 };

static const char *const engine_names[] = {"VEC", "SFU", "TLSU", "CUBE"};
static const char *const need_names[] = {"datr", "fpatr", "ior", "iot", "ios", "lb0", "lb1", "lb2"};
static const char *const datr_names[] = {"Layout", "DataType", "PadValueOrByteId", "CMode",
                                         "RMode",  "Sat",      "Canonicalize"};

int gen_find_tileop(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->ntileops; i++) {
        if (!strcmp(g->tileops[i].name, name))
            return (int)i;
    }
    return -1;
}

static int find_word(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(words[i], word))
            return (int)i;
    }
    return -1;
}

/* "datr? iot! lb0? ios?@0.58.5": a command that is not named is forbidden. */
static void parse_needs(struct gen *g, struct gen_row *row, struct gen_tileop *op)
{
    char *rest = row->col[4];

    for (unsigned i = 0; i < 8; i++)
        op->need[i] = "FORBIDDEN";
    op->ios_revs = op->revs;
    for (char *word; (word = gen_split(&rest, ' '));) {
        char *revs = word;
        word = gen_split(&revs, '@');
        size_t len = strlen(word);
        if (!len)
            continue;
        char mark = word[len - 1];
        word[len - 1] = '\0';
        if (revs && strcmp(word, "ios"))
            gen_error(g, row, "only ios may depend on the revision, not %s", word);
        else if (revs)
            op->ios_revs = gen_revs(g, row, revs, GEN_PTO);
        int need = find_word(need_names, 8, word);
        if (need < 0 || !strchr("?!", mark)) {
            gen_error(g, row, "unknown bundle command '%s%c'", word, mark);
            continue;
        }
        op->need[need] = mark == '!' ? "REQUIRED" : "OPTIONAL";
        op->min_scalars |= !strcmp(word, "ior") && mark == '!';
    }
}

/* A set of B.DATR fields: bit n = ISA_DATR_…. */
static unsigned datr_set(struct gen *g, const struct gen_row *row, char *rest)
{
    unsigned set = 0;

    for (char *word; (word = gen_split(&rest, ' '));) {
        int field = *word ? find_word(datr_names, 7, word) : -1;
        if (*word && field < 0)
            gen_error(g, row, "unknown B.DATR field '%s'", word);
        else if (*word)
            set |= 1u << field;
    }
    return set;
}

static uint32_t all_datatypes(const struct gen_enum *e)
{
    uint32_t set = 0;

    for (size_t i = 0; i < e->nmembers; i++) {
        if (strcmp(e->members[i].name, "DTYPE_NONE"))
            set |= 1u << e->members[i].value;
    }
    return set;
}

/* Data types that words name: members of DataType, sets of %datatypes, "*" = all that hold data. */
static uint32_t datatype_set(struct gen *g, const struct gen_row *row, char *rest)
{
    int index = gen_find_enum(g, "DataType");
    uint32_t set = 0;

    for (char *word; index >= 0 && (word = gen_split(&rest, ' '));) {
        const struct gen_enum *e = &g->enums[index];
        const struct gen_member *m = gen_find_member(e, word);
        size_t named = 0;
        while (named < g->ndatatypes && strcmp(g->datatypes[named].name, word))
            named++;
        if (m)
            set |= 1u << m->value;
        else if (named < g->ndatatypes)
            set |= g->datatypes[named].set;
        else if (!strcmp(word, "*"))
            set |= all_datatypes(e);
        else if (*word)
            gen_error(g, row, "unknown data type '%s'", word);
    }
    return set;
}

void gen_datatypes_row(struct gen *g, struct gen_row *row)
{
    uint32_t set = datatype_set(g, row, row->col[1]);

    g->datatypes = gen_grow(g->datatypes, g->ndatatypes, sizeof *g->datatypes);
    g->datatypes[g->ndatatypes++] = (struct gen_datatypes){.name = row->col[0], .set = set};
}

/* The value of an enumeration's member; 0 for "-", and after an error. */
static uint32_t member_value(struct gen *g, const struct gen_row *row, const char *enumeration,
                             const char *name)
{
    int index = gen_find_enum(g, enumeration);
    const struct gen_member *m =
        index >= 0 && *name ? gen_find_member(&g->enums[index], name) : NULL;

    if (!m)
        gen_error(g, row, "'%s' is not a %s", name, enumeration);
    return m ? m->value : 0;
}

void gen_accumulator_row(struct gen *g, struct gen_row *row)
{
    struct gen_accumulator a = {.inputs = datatype_set(g, row, row->col[0]),
                                .type = member_value(g, row, "DataType", row->col[1])};

    g->accumulators = gen_grow(g->accumulators, g->naccumulators, sizeof *g->accumulators);
    g->accumulators[g->naccumulators++] = a;
}

/* The word's place in `words`, in capitals: "NONE" is written "-". */
static const char *word_of(struct gen *g, const struct gen_row *row, const char *const *words,
                           const char *word)
{
    for (unsigned i = 0; words[i]; i++) {
        if (!strcasecmp(words[i], word))
            return words[i];
    }
    if (strcmp(word, "-"))
        gen_error(g, row, "'%s' is none of the words of this column", word);
    return "NONE";
}

void gen_prequant_row(struct gen *g, struct gen_row *row)
{
    static const char *const sources[] = {"SCALAR", "VECTOR", NULL};
    static const char *const parameters[] = {"SCALE", "SHIFT", NULL};
    bool same = !strcmp(row->col[2], "-");
    int64_t offset = 0;
    struct gen_prequant p = {
        .mode = member_value(g, row, "PreQuantMode", row->col[0]),
        .accumulators = datatype_set(g, row, row->col[1]),
        .result = member_value(g, row, "DataType", same ? "DTYPE_NONE" : row->col[2]),
        .source = word_of(g, row, sources, row->col[3]),
        .parameter = word_of(g, row, parameters, row->col[4]),
        .datr_fields = datr_set(g, row, row->col[6]),
        .rounding = *row->col[7] ? member_value(g, row, "RMode", row->col[7]) : 0,
    };

    if (!gen_number(row->col[5], &offset) || offset < 0 || offset > 17)
        gen_error(g, row, "'%s' is no number of offset bits (0 to 17)", row->col[5]);
    p.offset_bits = (unsigned)offset;
    g->prequants = gen_grow(g->prequants, g->nprequants, sizeof *g->prequants);
    g->prequants[g->nprequants++] = p;
}

static const char *operand_role(const char *field)
{
    static const char *const roles[][2] = {
        {"destination", "DESTINATION"}, {"source", "SOURCE"},
        {"natural", "DIMENSION"},       {"positive", "DIMENSION"},
        {"sort_width", "DIMENSION"},    {"byte_count", "DIMENSION"},
        {"comparison", "CONTROL"},      {"numeric_control", "CONTROL"},
        {"selected_byte", "CONTROL"},   {"address", "SCALAR"},
        {"scalar", "SCALAR"},           {"flag", "SCALAR"},
        {"diagonal", "SCALAR"}};

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (!strncmp(field, roles[i][0], strlen(roles[i][0])))
            return roles[i][1];
    }
    return NULL;
}

/* "destination0=destination; natural0@scalar=row-offset": the role follows from the field's name
 * unless it is written. */
static void parse_operands(struct gen *g, struct gen_row *row, struct gen_tileop *op)
{
    char *rest = row->col[9];

    for (char *item; (item = gen_split(&rest, ';'));) {
        char *what = item;
        char *field = gen_split(&what, '=');
        char *role = field;
        field = gen_split(&role, '@');
        struct gen_tile_operand o = {.field = field, .what = what ? gen_trim(what) : field};
        if (!*field)
            continue;
        o.role = role ? gen_upper(role) : operand_role(field);
        if (!o.role) {
            gen_error(g, row, "operand field '%s' has no role", field);
            continue;
        }
        op->nsources += !strcmp(o.role, "SOURCE");
        op->ndestinations += !strcmp(o.role, "DESTINATION");
        op->nscalars += !strcmp(o.role, "SCALAR");
        op->operands = gen_grow(op->operands, op->noperands, sizeof *op->operands);
        op->operands[op->noperands++] = o;
    }
}

/* "2 1": sources of each B.IOT in order. */
static void parse_grouping(struct gen *g, struct gen_row *row, struct gen_tileop *op)
{
    char *rest = row->col[7];
    unsigned n = 0;

    for (char *word; (word = gen_split(&rest, ' '));) {
        int64_t count;
        if (!*word)
            continue;
        if (!gen_number(word, &count) || count < 1 || count > 2 || n == 7)
            gen_error(g, row, "'%s' is not a number of sources of a B.IOT (1 or 2)", word);
        else
            op->grouping[n++] = (uint8_t)count;
    }
}

static void parse_selector(struct gen *g, struct gen_row *row, struct gen_tileop *op)
{
    int engine = find_word(engine_names, 4, row->col[1]);
    char *function = row->col[2];
    char *mode = gen_split(&function, '/');
    int64_t m = 0, f;

    if (!function) {
        function = mode;
        mode = NULL;
    }
    if (engine < 0 || !gen_number(function, &f) || f < 0 || f > 31 ||
        (mode && (!gen_number(mode, &m) || m < 0 || m > 3)) || (engine <= ENGINE_SFU) != !!mode) {
        gen_error(g, row, "'%s' is not an engine or its selector is bad", row->col[1]);
        return;
    }
    op->engine = (uint8_t)engine;
    op->mode = (uint8_t)m;
    op->function = (uint8_t)f;
    op->selector = (uint8_t)(m << SELECTOR_MODE_SHIFT | f);
}

static bool same_selector(const struct gen_tileop *a, const struct gen_tileop *b)
{
    bool tepl = a->engine <= ENGINE_SFU && b->engine <= ENGINE_SFU;

    return (tepl || a->engine == b->engine) && a->selector == b->selector && a->revs & b->revs;
}

void gen_tileop_row(struct gen *g, struct gen_row *row)
{
    struct gen_tileop op = {.row = row, .name = row->col[0], .start = row->col[3]};
    char *rest = row->col[8];

    op.family = gen_split(&rest, ';');
    op.revs = gen_revs(g, row,
                       gen_copy(g->blocks[row->block].arg[1], strlen(g->blocks[row->block].arg[1])),
                       GEN_PTO);
    for (char *word; (word = gen_split(&rest, ';'));) {
        if (!strcmp(word, "variant"))
            op.variant = true;
        else if (!strncmp(word, "revs ", 5))
            op.revs = gen_revs(g, row, word + 5, GEN_PTO);
        else
            gen_error(g, row, "unknown property '%s'", word);
    }
    parse_selector(g, row, &op);
    parse_operands(g, row, &op);
    parse_needs(g, row, &op);
    op.datr_fields = datr_set(g, row, row->col[5]);
    op.datatypes = datatype_set(g, row, row->col[6]);
    parse_grouping(g, row, &op);
    for (size_t i = 0; i < g->ntileops; i++) {
        if (!strcmp(g->tileops[i].name, op.name) && g->tileops[i].revs & op.revs)
            gen_error(g, row, "tile operation '%s' is declared twice", op.name);
        if (same_selector(&g->tileops[i], &op))
            gen_error(g, row, "'%s' has the selector of '%s'", op.name, g->tileops[i].name);
    }
    g->tileops = gen_grow(g->tileops, g->ntileops, sizeof *g->tileops);
    g->tileops[g->ntileops++] = op;
}

/* ---- enumerations made of other tables ---- */

static void add_member(struct gen_enum *e, const char *name, uint32_t value, uint8_t revs,
                       bool alias)
{
    e->members = gen_grow(e->members, e->nmembers, sizeof *e->members);
    e->members[e->nmembers++] = (struct gen_member){
        .name = gen_copy(name, strlen(name)), .value = value, .revs = revs, .alias = alias};
}

/* A register of a context family has one name a ring: ECSTATE_ACR0, ECSTATE_ACR1 …; ECSTATE_ACRn
 * and ECSTATE are ring 0. */
static void add_sysreg(struct gen_enum *e, const struct gen_sysreg *r)
{
    size_t len = strlen(r->name);
    char name[64];

    if (len < 5 || strcmp(r->name + len - 5, "_ACRn")) {
        add_member(e, r->name, r->address, 0xff, false);
        return;
    }
    for (uint32_t ring = 0; ring < RINGS; ring++) {
        snprintf(name, sizeof name, "%.*sACR%u", (int)len - 4, r->name, ring);
        add_member(e, name, ring << 12 | r->address, 0xff, false);
    }
    add_member(e, r->name, r->address, 0xff, true);
    snprintf(name, sizeof name, "%.*s", (int)len - 5, r->name);
    add_member(e, name, r->address, 0xff, true);
}

void gen_fill_enums(struct gen *g)
{
    for (size_t i = 0; i < g->nenums; i++) {
        struct gen_enum *e = &g->enums[i];
        for (size_t k = 0; k < g->ntileops; k++) {
            const struct gen_tileop *op = &g->tileops[k];
            if (op->engine <= ENGINE_SFU && e->tileop_engines >> op->engine & 1)
                add_member(e, op->name, op->selector, op->revs, false);
        }
        for (size_t k = 0; e->sysregs && k < g->nsysregs; k++)
            add_sysreg(e, &g->sysregs[k]);
    }
}
