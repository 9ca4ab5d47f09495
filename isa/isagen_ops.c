/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations of PTO-AS: %op-kinds, %op-enums and %ops to tables (isa.h). */
#include "isa/isagen.h"

#include <stdlib.h>
#include <string.h>

/* ---- kinds and enumerations ---- */

static int find_kind(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nop_kinds; i++) {
        if (!strcmp(g->op_kinds[i].name, name))
            return (int)i;
    }
    return -1;
}

/* The spellings of a kind, those of &other kinds in place of their names. */
static char *spellings(struct gen *g, const struct gen_row *row, char *text)
{
    char *all = gen_copy("", 0);

    for (char *word; (word = gen_split(&text, ' '));) {
        int other = *word == '&' ? find_kind(g, word + 1) : -1;
        if (!*word)
            continue;
        if (*word == '&' && other < 0)
            gen_error(g, row, "unknown kind '%s'", word + 1);
        if (*all)
            all = gen_join(all, " ");
        all = gen_join(all, other >= 0 ? g->op_kinds[other].what[1] : word);
    }
    return all;
}

void gen_op_kind_row(struct gen *g, struct gen_row *row)
{
    struct gen_op_name kind = {.name = row->col[0], .what = {row->col[1]}};

    if (find_kind(g, kind.name) >= 0)
        gen_error(g, row, "kind '%s' is declared twice", kind.name);
    kind.what[1] = spellings(g, row, row->col[2]);
    if (!*kind.what[1])
        gen_error(g, row, "kind '%s' has no spelling", kind.name);
    g->op_kinds = gen_grow(g->op_kinds, g->nop_kinds, sizeof *g->op_kinds);
    g->op_kinds[g->nop_kinds++] = kind;
}

static bool has_word(const char *list, const char *word)
{
    size_t len = strlen(word);

    for (const char *p = list; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n == len && !memcmp(p, word, n))
            return true;
        p += n;
    }
    return false;
}

static int find_enum(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nop_enums; i++) {
        if (has_word(g->op_enums[i].name, name))
            return (int)i;
    }
    return -1;
}

void gen_op_enum_row(struct gen *g, struct gen_row *row)
{
    struct gen_op_name e = {.name = row->col[0], .what = {row->col[1]}};

    if (!*e.what[0])
        gen_error(g, row, "enumeration '%s' has no member", e.name);
    g->op_enums = gen_grow(g->op_enums, g->nop_enums, sizeof *g->op_enums);
    g->op_enums[g->nop_enums++] = e;
}

/* ---- values ---- */

/* In the order of enum isa_op_attr_kind. */
static const char *const attr_kinds[] = {
    "any", "i8", "i32", "i64", "bool", "string", "symbol", "ints", "tile_buf_config"};
enum { ATTR_KINDS = sizeof attr_kinds / sizeof *attr_kinds };

static int find_attr_kind(const struct gen *g, const char *name)
{
    for (int i = 0; i < ATTR_KINDS; i++) {
        if (!strcmp(attr_kinds[i], name))
            return i;
    }
    int e = find_enum(g, name);
    return e < 0 ? -1 : ATTR_KINDS + e;
}

/* name:kind, name:#kind of an attribute, with ? optional, * any number, + at least one. */
static bool read_value(struct gen *g, const struct gen_row *row, char *text, bool attribute,
                       struct gen_op_value *v)
{
    char *kind = strchr(text, ':');

    if (!kind) {
        gen_error(g, row, "'%s' is not name:kind", text);
        return false;
    }
    *kind++ = '\0';
    v->name = text;
    if (*kind == '#') {
        attribute = true;
        v->flags |= GEN_OP_LITERAL;
        kind++;
    }
    char *last = kind + strlen(kind) - 1;
    if (last > kind && strchr("?*+", *last)) {
        v->flags |=
            *last == '?' ? GEN_OP_OPTIONAL : GEN_OP_VARIADIC | (*last == '*' ? GEN_OP_OPTIONAL : 0);
        *last = '\0';
    }
    int k = attribute ? find_attr_kind(g, kind) : find_kind(g, kind);
    if (k < 0)
        gen_error(g, row, "unknown kind '%s' of '%s'", kind, text);
    v->kind = (uint8_t)k;
    return k >= 0;
}

static struct gen_op_value *add_value(struct gen_op_value **list, size_t *count)
{
    *list = gen_grow(*list, *count, sizeof **list);
    return &(*list)[(*count)++];
}

static void read_values(struct gen *g, const struct gen_row *row, char *text, char separator,
                        bool attribute, struct gen_op_value **list, size_t *count)
{
    for (char *word; (word = gen_split(&text, separator));) {
        struct gen_op_value v = {0};
        if (*word && read_value(g, row, word, attribute, &v))
            *add_value(list, count) = v;
    }
}

/* ins a:tile b:tile; outs c:tile; list d:index; addr= e:i64? */
static void read_operands(struct gen *g, const struct gen_row *row, struct gen_op *op, char *text)
{
    static const char *const places[] = {"list", "ins", "outs"};

    for (char *group; (group = gen_split(&text, ';'));) {
        char *rest = group, *label = gen_split(&rest, ' ');
        uint8_t place = 0;
        size_t first = op->noperands, len = strlen(label);
        if (!*label)
            continue;
        while (place < 3 && strcmp(places[place], label))
            place++;
        if (place == 3 && label[len - 1] != '=') {
            gen_error(g, row, "unknown place '%s'", label);
            continue;
        }
        read_values(g, row, rest, ' ', false, &op->operands, &op->noperands);
        for (size_t i = first; i < op->noperands; i++) {
            op->operands[i].place = place;
            op->operands[i].group = place == 3 ? gen_copy(label, len - 1) : NULL;
        }
    }
}

/* ---- types ---- */

enum { RESULT_BIT = 24 }; /* operand n is bit n, result n this bit + n */

static uint32_t bit_of(struct gen *g, const struct gen_row *row, const struct gen_op *op,
                       const char *name)
{
    for (size_t i = 0; i < op->noperands; i++) {
        if (!strcmp(op->operands[i].name, name))
            return 1u << i;
    }
    for (size_t i = 0; i < op->nresults; i++) {
        if (!strcmp(op->results[i].name, name))
            return 1u << (RESULT_BIT + i);
    }
    gen_error(g, row, "'%s' is neither an operand nor a result", name);
    return 0;
}

/* a b=c -> d: each type names those that have it; a? may be left out. */
static void read_types(struct gen *g, const struct gen_row *row, struct gen_op *op, char *text)
{
    for (char *word; (word = gen_split(&text, ' '));) {
        size_t len = strlen(word);
        uint32_t set = 0;
        if (!strcmp(word, "->")) {
            op->arrow = true;
            op->types_before = op->ntypes;
        }
        if (!*word || !strcmp(word, "->"))
            continue;
        if (word[len - 1] == '?') {
            op->optional_types |= 1u << op->ntypes;
            word[len - 1] = '\0';
        }
        for (char *name; (name = gen_split(&word, '='));)
            set |= bit_of(g, row, op, name);
        op->types = gen_grow(op->types, op->ntypes, sizeof *op->types);
        op->types[op->ntypes++] = set;
    }
    if (!op->arrow)
        op->types_before = op->ntypes;
}

/* ---- properties ---- */

static const struct {
    const char *word, *symbol;
} flags[] = {
    {"region", "ISA_OP_REGION"},
    {"region?", "ISA_OP_MAY_REGION"},
    {"symbol", "ISA_OP_SYMBOL"},
    {"symbol?", "ISA_OP_MAY_SYMBOL"},
    {"terminator", "ISA_OP_TERMINATOR"},
    {"function", "ISA_OP_FUNCTION"},
    {"call", "ISA_OP_CALL"},
    {"successors", "ISA_OP_SUCCESSORS"},
    {"loop", "ISA_OP_LOOP"},
    {"while", "ISA_OP_WHILE"},
    {"else", "ISA_OP_ELSE"},
    {"do", "ISA_OP_DO"},
    {"declares", "ISA_OP_DECLARES"},
};

static void read_order(struct gen *g, const struct gen_row *row, struct gen_op *op, char *text)
{
    for (char *name; (name = gen_split(&text, ' '));) {
        uint32_t bit = bit_of(g, row, op, name);
        unsigned n = 0;
        while (bit >> n > 1)
            n++;
        op->order = gen_grow(op->order, op->norder, sizeof *op->order);
        op->order[op->norder++] = (uint8_t)n;
    }
    if (op->norder != op->noperands)
        gen_error(g, row, "the order names %zu of %zu operands", op->norder, op->noperands);
}

static void read_checks(struct gen *g, struct gen_op *op, char *text)
{
    for (char *name; (name = gen_split(&text, ' '));) {
        op->checks = gen_grow(op->checks, op->nchecks, sizeof *op->checks);
        op->checks[op->nchecks++] = (uint8_t)gen_intern(&g->op_checks, &g->nop_checks, name);
    }
}

/* elements [a3|a5] OPERAND TYPE …; places [a3|a5] FROM:TO … */
static void read_limit(struct gen *g, const struct gen_row *row, struct gen_op *op, char *text,
                       bool places)
{
    struct gen_op_limit limit = {.targets = 3, .operand = GEN_NONE};
    char *rest = text, *word = gen_split(&rest, ' ');

    if (!strcmp(word, "a3") || !strcmp(word, "a5")) {
        limit.targets = word[1] == '5' ? 2 : 1;
        text = rest;
        word = gen_split(&rest, ' ');
    }
    if (!places) {
        for (size_t i = 0; i < op->noperands; i++) {
            if (!strcmp(op->operands[i].name, word))
                limit.operand = (uint8_t)i;
        }
        if (limit.operand == GEN_NONE)
            gen_error(g, row, "'%s' is no operand", word);
        text = rest;
    } else {
        word[strlen(word)] = rest ? ' ' : '\0'; /* splitting ended it */
    }
    if (!text || !*text)
        gen_error(g, row, "a limit names nothing");
    limit.words = text;
    op->limits = gen_grow(op->limits, op->nlimits, sizeof *op->limits);
    op->limits[op->nlimits++] = limit;
}

static void read_property(struct gen *g, const struct gen_row *row, struct gen_op *op, char *text)
{
    char *rest = text, *word = gen_split(&rest, ' ');

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!strcmp(flags[i].word, word)) {
            op->flags = gen_join(gen_join(op->flags, " | "), flags[i].symbol);
            return;
        }
    }
    if (!strcmp(word, "a5") || !strcmp(word, "a3"))
        op->targets = word[1] == '5' ? 2 : 1;
    else if (!strcmp(word, "order") && rest)
        read_order(g, row, op, rest);
    else if ((!strcmp(word, "elements") || !strcmp(word, "places")) && rest)
        read_limit(g, row, op, rest, *word == 'p');
    else if (!strcmp(word, "check") && rest)
        read_checks(g, op, rest);
    else if (!strcmp(word, "ends") && rest)
        op->ends = rest;
    else if (!strcmp(word, "in") && rest)
        op->parents = rest;
    else if (*word)
        gen_error(g, row, "unknown property '%s'", word);
}

static const struct gen_op *find_op(const struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->nops; i++) {
        if (!strcmp(g->ops[i].name, name))
            return &g->ops[i];
    }
    return NULL;
}

void gen_op_row(struct gen *g, struct gen_row *row)
{
    struct gen_op op = {.name = row->col[0], .flags = gen_copy("0", 1), .targets = 3};

    if (find_op(g, op.name))
        gen_error(g, row, "operation '%s' is declared twice", op.name);
    read_operands(g, row, &op, row->col[1]);
    read_values(g, row, row->col[2], ' ', false, &op.results, &op.nresults);
    if (op.noperands > RESULT_BIT || op.nresults > 32 - RESULT_BIT)
        gen_error(g, row, "operation '%s' has too many values", op.name);
    read_types(g, row, &op, row->col[3]);
    read_values(g, row, row->col[4], ';', true, &op.attrs, &op.nattrs);
    char *rest = row->col[5];
    for (char *property; (property = gen_split(&rest, ';'));)
        read_property(g, row, &op, property);
    g->ops = gen_grow(g->ops, g->nops, sizeof *g->ops);
    g->ops[g->nops++] = op;
}

static int compare_ops(const void *a, const void *b)
{
    return strcmp(((const struct gen_op *)a)->name, ((const struct gen_op *)b)->name);
}

void gen_sort_ops(struct gen *g)
{
    if (g->nops)
        qsort(g->ops, g->nops, sizeof *g->ops, compare_ops);
}

/* ---- output ---- */

void gen_emit_op_header(const struct gen *g, FILE *out)
{
    fputs("enum isa_op_kinds {\n", out);
    for (size_t i = 0; i < g->nop_kinds; i++)
        fprintf(out, "    ISA_OP_KIND_%s,\n", g->op_kinds[i].name);
    fputs("    ISA_OP_KINDS\n};\n\nenum isa_op_enums {\n", out);
    for (size_t i = 0; i < g->nop_enums; i++)
        fprintf(out, "    ISA_OP_ENUM_%.*s,\n", (int)strcspn(g->op_enums[i].name, " "),
                g->op_enums[i].name);
    fputs("    ISA_OP_ENUMS\n};\n\nenum isa_op_checks {\n", out);
    for (size_t i = 0; i < g->nop_checks; i++)
        fprintf(out, "    ISA_OP_CHECK_%s,\n", g->op_checks[i]);
    fprintf(out, "    ISA_OP_CHECKS\n};\n\nenum { ISA_OP_COUNT = %zu };\n\n", g->nops);
}

static void put_text(FILE *out, const char *text)
{
    if (text)
        fprintf(out, "\"%s\"", text);
    else
        fputs("0", out);
}

static void put_values(const struct gen_op_value *v, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    {\"%s\", ", v[i].name);
        put_text(out, v[i].group);
        fprintf(out, ", %u, %u, %u},\n", v[i].place, v[i].kind, v[i].flags);
    }
}

/* Operands, results and attributes of an operation follow each other in one table. */
static void write_values(const struct gen *g, FILE *out)
{
    fputs("static const struct isa_op_value op_values[] = {\n", out);
    for (size_t i = 0; i < g->nops; i++) {
        put_values(g->ops[i].operands, g->ops[i].noperands, out);
        put_values(g->ops[i].results, g->ops[i].nresults, out);
        put_values(g->ops[i].attrs, g->ops[i].nattrs, out);
    }
    fputs("    {0, 0, 0, 0, 0},\n};\n\n", out);
}

static void write_numbers(const struct gen *g, FILE *out)
{
    fputs("static const uint32_t op_types[] = {", out);
    for (size_t i = 0; i < g->nops; i++) {
        for (size_t k = 0; k < g->ops[i].ntypes; k++)
            fprintf(out, "%#x, ", g->ops[i].types[k]);
    }
    fputs("0};\nstatic const uint8_t op_bytes[] = {", out);
    for (size_t i = 0; i < g->nops; i++) {
        for (size_t k = 0; k < g->ops[i].norder; k++)
            fprintf(out, "%u, ", g->ops[i].order[k]);
        for (size_t k = 0; k < g->ops[i].nchecks; k++)
            fprintf(out, "%u, ", g->ops[i].checks[k]);
    }
    fputs("0};\n\n", out);
}

static void write_limits(const struct gen *g, FILE *out)
{
    fputs("static const struct isa_op_limit op_limits[] = {\n", out);
    for (size_t i = 0; i < g->nops; i++) {
        for (size_t k = 0; k < g->ops[i].nlimits; k++) {
            const struct gen_op_limit *l = &g->ops[i].limits[k];
            fprintf(out, "    {\"%s\", %u, %u},\n", l->words, l->targets, l->operand);
        }
    }
    fputs("    {0, 0, 0},\n};\n\n", out);
}

static void write_ops(const struct gen *g, FILE *out)
{
    size_t value = 0, type = 0, byte = 0, limit = 0;

    fputs("const struct isa_op isa_ops[] = {\n", out);
    for (size_t i = 0; i < g->nops; i++) {
        const struct gen_op *op = &g->ops[i];
        fprintf(out, "    {\"%s\", ", op->name);
        put_text(out, op->ends);
        fputs(", ", out);
        put_text(out, op->parents);
        fprintf(out, ", op_values + %zu, op_values + %zu, op_values + %zu, op_types + %zu, ", value,
                value + op->noperands, value + op->noperands + op->nresults, type);
        if (op->norder)
            fprintf(out, "op_bytes + %zu, ", byte);
        else
            fputs("0, ", out);
        fprintf(
            out,
            "op_limits + %zu, op_bytes + %zu, %zu, %zu, %zu, %zu, %zu, %#x, %zu, %zu, %u, %s},\n",
            limit, byte + op->norder, op->noperands, op->nresults, op->nattrs, op->ntypes,
            op->types_before, op->optional_types, op->nchecks, op->nlimits, op->targets, op->flags);
        value += op->noperands + op->nresults + op->nattrs;
        type += op->ntypes;
        limit += op->nlimits;
        byte += op->norder + op->nchecks;
    }
    fputs("};\n\n", out);
}

void gen_emit_ops(const struct gen *g, FILE *out)
{
    fputs("const struct isa_op_kind isa_op_kinds[] = {\n", out);
    for (size_t i = 0; i < g->nop_kinds; i++)
        fprintf(out, "    {\"%s\", \"%s\", \"%s\"},\n", g->op_kinds[i].name, g->op_kinds[i].what[0],
                g->op_kinds[i].what[1]);
    fputs("};\n\nconst struct isa_op_enum isa_op_enums[] = {\n", out);
    for (size_t i = 0; i < g->nop_enums; i++)
        fprintf(out, "    {\"%s\", \"%s\"},\n", g->op_enums[i].name, g->op_enums[i].what[0]);
    fputs("};\n\n", out);
    write_values(g, out);
    write_numbers(g, out);
    write_limits(g, out);
    write_ops(g, out);
}
