/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes isa_enum.h and isa_tables.c. Small arrays (pieces, fields, operands …)
 * are pooled: a run that is already there is used again.
 */
#include "isa/isagen.h"
#include "support/fold.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET_BITS = 7, BUCKETS = 1 << BUCKET_BITS, LENGTHS = 4, OPCODES = 256 };

/* ---- pools ---- */

struct pool {
    const char *type, *name;
    char **items; /* initialisers */
    size_t count;
};

static char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static char *format(const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        exit(EXIT_FAILURE);
    va_start(ap, fmt);
    vfprintf(f, fmt, ap);
    va_end(ap);
    fclose(f);
    return text;
}

/* C string literal or NULL. */
static char *quoted(const char *text)
{
    if (!text)
        return format("NULL");
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    if (!f)
        exit(EXIT_FAILURE);
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        fputc(*text, f);
    }
    fputc('"', f);
    fclose(f);
    return out;
}

static bool run_at(const struct pool *pool, size_t at, char **run, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(pool->items[at + i], run[i]))
            return false;
    }
    return true;
}

/* Reference to a run of initialisers in the pool ("pieces + 12"), NULL for an empty one. */
static char *pool_run(struct pool *pool, char **run, size_t count)
{
    if (!count)
        return format("NULL");
    for (size_t at = 0; at + count <= pool->count; at++) {
        if (run_at(pool, at, run, count))
            return format("%s + %zu", pool->name, at);
    }
    for (size_t i = 0; i < count; i++) {
        pool->items = gen_grow(pool->items, pool->count, sizeof *pool->items);
        pool->items[pool->count++] = run[i];
    }
    return format("%s + %zu", pool->name, pool->count - count);
}

static void write_pool(const struct pool *pool, FILE *out)
{
    fprintf(out, "static const struct %s %s[] = {\n", pool->type, pool->name);
    for (size_t i = 0; i < pool->count; i++)
        fprintf(out, "    %s,\n", pool->items[i]);
    fputs("};\n\n", out);
}

struct pools {
    struct pool pieces, fields, constraints, operands, presets, tile_operands;
};

static char *pieces_run(struct pools *pools, const struct gen_piece *piece, size_t count)
{
    char *run[GEN_MAX_PIECES];

    for (size_t i = 0; i < count; i++)
        run[i] = format("{%u, %u, %u}", piece[i].lsb, piece[i].value_lsb, piece[i].width);
    return pool_run(&pools->pieces, run, count);
}

static char *fields_run(struct pools *pools, const struct gen_pattern *p)
{
    static const char *const kinds[] = {"UINT", "INT", "ENUM", "PCREL", "FLOAT"};
    char **run = NULL;

    for (size_t i = 0; i < p->nfields; i++) {
        const struct gen_field *f = &p->fields[i];
        char *name = gen_identifier(f->name);
        run = gen_grow(run, i, sizeof *run);
        run[i] = format("{ISA_FIELD_%s, ISA_KIND_%s, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %s}",
                        name, kinds[f->kind->base], f->width, f->align, f->count, f->index,
                        f->npieces, f->stride, f->kind->enumeration, f->kind->reloc,
                        f->reloc_offset, f->constant, pieces_run(pools, f->piece, f->npieces));
    }
    return pool_run(&pools->fields, run, p->nfields);
}

static char *constraints_run(struct pools *pools, const struct gen_constraint *c, size_t count)
{
    char **run = NULL;

    for (size_t i = 0; i < count; i++) {
        run = gen_grow(run, i, sizeof *run);
        run[i] = format("{ISA_CONSTRAINT_%s, %u, %u, %u, UINT64_C(%#" PRIx64 ")}", c[i].op,
                        c[i].field[0], c[i].field[1], c[i].field[2], c[i].set);
    }
    return pool_run(&pools->constraints, run, count);
}

static char *operands_run(struct pools *pools, const struct gen_operand *o, size_t count)
{
    char **run = NULL;

    for (size_t i = 0; i < count; i++) {
        run = gen_grow(run, i, sizeof *run);
        run[i] =
            format("{ISA_OPERAND_%s, %u, {%u, %u, %u, %u, %u, %u}, %u, %u, %u, %u, %u, %u, %d, "
                   "{%u, %u}, %" PRId64 ", %s}",
                   o[i].form, o[i].flags, o[i].field[0], o[i].field[1], o[i].field[2],
                   o[i].field[3], o[i].field[4], o[i].field[5], o[i].modifier, o[i].shift,
                   o[i].fixed_shift, o[i].size, o[i].enumeration, o[i].scale, o[i].bias,
                   o[i].code[0], o[i].code[1], o[i].dflt, quoted(o[i].text));
    }
    return pool_run(&pools->operands, run, count);
}

static char *presets_run(struct pools *pools, const struct gen_spelling *s)
{
    char **run = NULL;

    for (size_t i = 0; i < s->npresets; i++) {
        run = gen_grow(run, i, sizeof *run);
        run[i] = format("{%u, %" PRId64 "}", s->presets[i].field, s->presets[i].value);
    }
    return pool_run(&pools->presets, run, s->npresets);
}

/* ---- isa_enum.h ---- */

static void write_names(FILE *out, const char *prefix, char *const *names, size_t count)
{
    fputs("enum {\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "    ISA_%s_%s = %zu,\n", prefix, gen_identifier(names[i]), i);
    fprintf(out, "    ISA_%s_COUNT = %zu,\n};\n\n", prefix, count);
}

static void write_members(const struct gen_enum *e, FILE *out)
{
    fputs("enum {\n", out);
    for (size_t i = 0; i < e->nmembers; i++) {
        const struct gen_member *m = &e->members[i];
        char *name = gen_identifier(m->name);
        if (*name && !strcmp(name, m->name))
            fprintf(out, "    ISA_%s_%s = %" PRIu32 "u,\n", e->name, name, m->value);
    }
    fprintf(out, "    ISA_%s_MEMBERS = %zu,\n};\n\n", e->name, e->nmembers);
}

static void write_revision_numbers(const struct gen *g, FILE *out)
{
    fputs("enum {\n", out);
    for (size_t i = 0; i < g->nrevisions; i++) {
        const struct gen_revision *r = &g->revisions[i];
        fprintf(out, "    ISA_%s_%s = %u,\n", r->set == GEN_SEQ ? "GEN" : "REV",
                gen_identifier(gen_upper(r->set == GEN_SEQ ? r->name : r->release)), r->bit);
    }
    fprintf(out, "    ISA_REVISION_COUNT = %zu,\n};\n\n", g->nrevisions);
}

void gen_emit_header(const struct gen *g, FILE *out)
{
    fputs("/* Made by isagen from the rows in isa/; do not edit. */\n"
          "#ifndef PTO_ISA_ISA_ENUM_H\n#define PTO_ISA_ISA_ENUM_H\n\n",
          out);
    write_revision_numbers(g, out);
    write_names(out, "FIELD", g->field_names, g->nfield_names);
    write_names(out, "CLASS", g->classes, g->nclasses);
    write_names(out, "MNEM", g->mnemonic_names, g->nmnemonic_names);
    fputs("enum {\n", out);
    for (size_t i = 0; i < g->nenums; i++)
        fprintf(out, "    ISA_ENUM_%s = %zu,\n", g->enums[i].name, i);
    fprintf(out, "    ISA_ENUM_COUNT = %zu,\n};\n\n", g->nenums);
    for (size_t i = 0; i < g->nenums; i++)
        write_members(&g->enums[i], out);
    fputs("enum {\n", out);
    for (size_t i = 0; i < g->nforms; i++)
        fprintf(out, "    ISA_FORM_%s = %zu,\n", g->forms[i].symbol, i);
    fprintf(out, "    ISA_FORM_COUNT = %zu,\n};\n\n", g->nforms);
    fputs("enum {\n", out);
    for (size_t i = 0; i < g->nrelocs; i++)
        fprintf(out, "    ISA_RELOC_%s = %zu,\n", g->relocs[i].name, i);
    fprintf(out, "    ISA_RELOC_COUNT = %zu,\n};\n\n", g->nrelocs);
    fputs("enum {\n", out);
    for (size_t i = 0; i < g->ntileops; i++)
        fprintf(out, "    ISA_TILEOP_%s = %zu,\n", gen_identifier(g->tileops[i].name), i);
    fprintf(out, "    ISA_TILEOP_COUNT = %zu,\n};\n\n", g->ntileops);
    fputs("enum { /* sets of data types: bit n = DataType code n */\n", out);
    for (size_t i = 0; i < g->ndatatypes; i++)
        fprintf(out, "    ISA_TYPES_%s = %#" PRIx32 ",\n", g->datatypes[i].name,
                g->datatypes[i].set);
    fprintf(out, "    ISA_ACCUMULATOR_COUNT = %zu,\n    ISA_PREQUANT_COUNT = %zu,\n};\n\n",
            g->naccumulators, g->nprequants);
    gen_emit_op_header(g, out);
    fprintf(out,
            "enum {\n    ISA_FOREIGN_RELOC_COUNT = %zu,\n    ISA_RESERVED_COUNT = %zu,\n"
            "    ISA_RETIRED_COUNT = %zu,\n    ISA_SYSREG_COUNT = %zu,\n"
            "    ISA_SPELLING_COUNT = %zu,\n    ISA_MNEMONIC_COUNT = %zu,\n};\n\n#endif\n",
            g->nforeign, g->nreserved, g->nretired, g->nsysregs, g->nspellings, g->nmnemonics);
}

/* ---- isa_tables.c ---- */

static void write_revisions(const struct gen *g, FILE *out)
{
    fputs("const struct isa_revision isa_revisions[] = {\n", out);
    for (size_t i = 0; i < g->nrevisions; i++) {
        const struct gen_revision *r = &g->revisions[i];
        fprintf(out, "    {%s, %s, %s, %s, %u, %u},\n", quoted(r->name), quoted(r->release),
                quoted(r->abi), quoted(r->sha256), r->set, 1u << r->bit);
    }
    fputs("};\n\n", out);
}

/* Printed members first, so that the value of a dense enumeration is its index. */
static void write_member_rows(const struct gen_enum *e, bool alias, FILE *out)
{
    for (size_t i = 0; i < e->nmembers; i++) {
        const struct gen_member *m = &e->members[i];
        if (m->alias == alias)
            fprintf(out, "    {%s, %" PRIu32 "u, %u, %u},\n", quoted(m->name), m->value, m->revs,
                    m->alias);
    }
}

/* A hash table of index + 1, linear probing. Names come in the order of their rows, so that the
 * first of two with one name is found first. */
static size_t write_slots(const char *table, const char *const *names, size_t count, FILE *out)
{
    size_t size = 1;

    while (size < 2 * count)
        size *= 2;
    uint16_t *slots = calloc(size, sizeof *slots);
    if (!slots)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; i++) {
        size_t slot = fold_hash(names[i], strlen(names[i])) & (size - 1);
        while (slots[slot])
            slot = (slot + 1) & (size - 1);
        slots[slot] = (uint16_t)(i + 1);
    }
    fprintf(out, "%s[] = {\n", table);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "    %u,\n", slots[i]);
    fputs("};\n\n", out);
    free(slots);
    return size;
}

static size_t write_member_slots(const struct gen_enum *e, FILE *out)
{
    const char **names = calloc(e->nmembers + 1, sizeof *names);
    size_t count = 0;

    if (!names)
        exit(EXIT_FAILURE);
    for (unsigned alias = 0; alias < 2; alias++) {
        for (size_t i = 0; i < e->nmembers; i++) {
            if (e->members[i].alias == alias)
                names[count++] = e->members[i].name;
        }
    }
    size_t size = write_slots(gen_join("static const uint16_t slots_", e->name), names, count, out);
    free(names);
    return size;
}

static void write_enumerations(const struct gen *g, FILE *out)
{
    size_t *slots = calloc(g->nenums + 1, sizeof *slots);

    if (!slots)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < g->nenums; i++) {
        const struct gen_enum *e = &g->enums[i];
        fprintf(out, "static const struct isa_member members_%s[] = {\n", e->name);
        write_member_rows(e, false, out);
        write_member_rows(e, true, out);
        fputs("};\n\n", out);
        slots[i] = write_member_slots(e, out);
    }
    fputs("const struct isa_enumeration isa_enumerations[] = {\n", out);
    for (size_t i = 0; i < g->nenums; i++) {
        const struct gen_enum *e = &g->enums[i];
        fprintf(out, "    {%s, %s, members_%s, %zu, %u, %u, %zu, slots_%s},\n", quoted(e->name),
                quoted(e->what), e->name, e->nmembers, e->numeric, e->set, slots[i] - 1, e->name);
    }
    fputs("};\n\n", out);
    free(slots);
}

/* By number: index + 1, 0 = none. */
static void write_reloc_slots(const struct gen *g, FILE *out)
{
    unsigned last = 0;
    for (size_t i = 0; i < g->nrelocs; i++)
        last = g->relocs[i].number > last ? g->relocs[i].number : last;
    fprintf(out,
            "const uint32_t isa_reloc_slot_count = %u;\nconst uint16_t isa_reloc_slots[] = {\n",
            last + 1);
    for (unsigned number = 0; number <= last; number++) {
        size_t i = 0;
        while (i < g->nrelocs && g->relocs[i].number != number)
            i++;
        fprintf(out, "%zu,%s", i < g->nrelocs ? i + 1 : 0, number % 16 == 15 ? "\n" : " ");
    }
    fputs("};\n\n", out);
}

static void write_relocs(const struct gen *g, struct pools *pools, FILE *out)
{
    write_reloc_slots(g, out);
    fputs("const struct isa_reloc isa_relocs[] = {\n", out);
    for (size_t i = 0; i < g->nrelocs; i++) {
        const struct gen_reloc *r = &g->relocs[i];
        fprintf(out,
                "    {%s, %u, %u, ISA_BASE_%s, %u, %u, %u, %u, %u, %u, INT64_C(%" PRId64
                ")%s, INT64_C(%" PRId64 "), %s},\n",
                quoted(r->name), r->number, r->set, r->base, r->shift, r->page, r->bytes,
                r->is_signed, r->width, r->npieces, r->min == INT64_MIN ? -INT64_MAX : r->min,
                r->min == INT64_MIN ? " - 1" : "", r->max, pieces_run(pools, r->piece, r->npieces));
    }
    fputs("};\n\nconst struct isa_foreign_reloc isa_foreign_relocs[] = {\n", out);
    for (size_t i = 0; i < g->nforeign; i++)
        fprintf(out, "    {%u, %s, %s},\n", g->foreign[i].number, quoted(g->foreign[i].name),
                quoted(g->foreign[i].reason));
    fputs("};\n\n", out);
}

static size_t first_spelling(const struct gen *g, size_t form, size_t *count)
{
    size_t first = 0;

    while (g->spellings[first].form != form)
        first++;
    for (*count = 0; first + *count < g->nspellings && g->spellings[first + *count].form == form;)
        ++*count;
    return first;
}

static void write_forms(const struct gen *g, struct pools *pools, FILE *out)
{
    fputs("const struct isa_form isa_forms[] = {\n", out);
    for (size_t i = 0; i < g->nforms; i++) {
        const struct gen_form *f = &g->forms[i];
        size_t nspellings, first = first_spelling(g, i, &nspellings);
        fprintf(out,
                "    {%s, UINT64_C(%#" PRIx64 "), UINT64_C(%#" PRIx64
                "), %u, %u, %zu, %u, %zu, %u, %u, %s, %u, %u, %zu, %zu, %s, %s, "
                "{%u, %u, %u, %u, %u, %u, %u}, %s, %u, %u, %u},\n",
                quoted(f->id), f->p.mask[0], f->p.match[0], f->klass, f->mnemonic, first, f->tileop,
                nspellings, f->p.bits / 8, f->p.set, f->status, f->p.revs, f->p.nvalues,
                f->p.nfields, f->p.nconstraints, fields_run(pools, &f->p),
                constraints_run(pools, f->p.constraints, f->p.nconstraints), f->agu.action,
                f->agu.kind, f->agu.scale, f->agu.size, f->agu.is_signed, f->agu.update,
                f->agu.address, quoted(f->family), f->variant, f->shorter, f->longer);
    }
    fputs("};\n\n", out);
}

static void write_spellings(const struct gen *g, struct pools *pools, FILE *out)
{
    fputs("const struct isa_spelling isa_spellings[] = {\n", out);
    for (size_t i = 0; i < g->nspellings; i++) {
        const struct gen_spelling *s = &g->spellings[i];
        fprintf(out, "    {%s, %zu, %u, %u, %zu, %zu, %zu, %zu, %s, %s, %s, %s},\n",
                quoted(s->mnemonic), s->form, s->print, s->revs, s->nsuffix, s->noperands,
                s->npresets, s->nconditions, operands_run(pools, s->suffix, s->nsuffix),
                operands_run(pools, s->operands, s->noperands), presets_run(pools, s),
                constraints_run(pools, s->conditions, s->nconditions));
    }
    fputs("};\n\n", out);
}

static char *tile_operands_run(struct pools *pools, const struct gen_tileop *op)
{
    char **run = NULL;

    for (size_t i = 0; i < op->noperands; i++) {
        run = gen_grow(run, i, sizeof *run);
        run[i] = format("{%s, %s, ISA_ROLE_%s}", quoted(op->operands[i].field),
                        quoted(op->operands[i].what), op->operands[i].role);
    }
    return pool_run(&pools->tile_operands, run, op->noperands);
}

static void write_tileops(const struct gen *g, struct pools *pools, FILE *out)
{
    fputs("const struct isa_tileop isa_tileops[] = {\n", out);
    for (size_t i = 0; i < g->ntileops; i++) {
        const struct gen_tileop *op = &g->tileops[i];
        fprintf(out,
                "    {%s, %s, %u, %u, %u, %u, %u, %u, %u, %u, ISA_%s, ISA_%s, ISA_%s, ISA_%s, "
                "ISA_%s, {ISA_%s, ISA_%s, ISA_%s}, %u, %u, %u, UINT32_C(%#" PRIx32 "), %zu, %s, {",
                quoted(op->name), quoted(op->start), op->engine, op->mode, op->function,
                op->selector, op->nsources, op->ndestinations, op->nscalars, op->min_scalars,
                op->need[0], op->need[1], op->need[2], op->need[3], op->need[4], op->need[5],
                op->need[6], op->need[7], op->datr_fields, op->revs, op->ios_revs, op->datatypes,
                op->noperands, tile_operands_run(pools, op));
        for (unsigned k = 0; k < 8; k++)
            fprintf(out, "%s%u", k ? ", " : "", op->grouping[k]);
        fprintf(out, "}, %s, %u},\n", quoted(op->family), op->variant);
    }
    fputs("};\n\n", out);
}

static void write_matrix(const struct gen *g, FILE *out)
{
    fputs("const struct isa_accumulator isa_accumulators[] = {\n", out);
    for (size_t i = 0; i < g->naccumulators; i++)
        fprintf(out, "    {UINT32_C(%#" PRIx32 "), %" PRIu32 "},\n", g->accumulators[i].inputs,
                g->accumulators[i].type);
    fputs("};\n\nconst struct isa_prequant isa_prequants[] = {\n", out);
    for (size_t i = 0; i < g->nprequants; i++) {
        const struct gen_prequant *p = &g->prequants[i];
        fprintf(out,
                "    {%" PRIu32 ", %" PRIu32 ", ISA_FROM_%s, ISA_PARAMETER_%s, %u, %" PRIu32
                ", %u, UINT32_C(%#" PRIx32 ")},\n",
                p->mode, p->result, p->source, p->parameter, p->offset_bits, p->rounding,
                p->datr_fields, p->accumulators);
    }
    fputs("};\n\n", out);
}

static void write_reserved(const struct gen *g, struct pools *pools, FILE *out)
{
    fputs("const struct isa_reserved isa_reserved_encodings[] = {\n", out);
    for (size_t i = 0; i < g->nreserved; i++) {
        const struct gen_reserved *r = &g->reserved[i];
        fprintf(out,
                "    {%s, UINT64_C(%#" PRIx64 "), UINT64_C(%#" PRIx64
                "), %u, %u, %zu, %zu, %s, %s},\n",
                quoted(r->name), r->p.mask[0], r->p.match[0], r->p.bits / 8, r->p.revs,
                r->p.nfields, r->p.nconstraints, fields_run(pools, &r->p),
                constraints_run(pools, r->p.constraints, r->p.nconstraints));
    }
    fputs("};\n\n", out);
}

static void write_retired(const struct gen *g, FILE *out)
{
    fputs("const struct isa_retired isa_retired_names[] = {\n", out);
    for (size_t i = 0; i < g->nretired; i++)
        fprintf(out, "    {%s, %s, %u},\n", quoted(g->retired[i].name),
                quoted(g->retired[i].message), g->retired[i].revs);
    fputs("};\n\n", out);
}

static void write_sysregs(const struct gen *g, FILE *out)
{
    fputs("const struct isa_sysreg isa_sysregs[] = {\n", out);
    for (size_t i = 0; i < g->nsysregs; i++) {
        const struct gen_sysreg *r = &g->sysregs[i];
        fprintf(out, "    {%s, %#x, %u, %s, %s, %s},\n", quoted(r->name), r->address, r->access,
                quoted(r->scope), quoted(r->behavior), quoted(r->description));
    }
    fputs("};\n\n", out);
}

static void write_strings(FILE *out, const char *name, char *const *strings, size_t count)
{
    fprintf(out, "const char *const %s[] = {\n", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "    %s,\n", quoted(strings[i]));
    fputs("};\n\n", out);
}

/* Sorted mnemonics, the spellings of each, and a hash table. */
static void write_mnemonics(const struct gen *g, FILE *out)
{
    const char **names = calloc(g->nmnemonics + 1, sizeof *names);
    size_t first = 0;

    if (!names)
        exit(EXIT_FAILURE);
    fputs("const struct isa_mnemonic isa_mnemonics[] = {\n", out);
    for (size_t i = 0; i < g->nmnemonics; i++) {
        const struct gen_mnemonic *m = &g->mnemonics[i];
        names[i] = m->upper;
        fprintf(out, "    {%s, %zu, %zu, %u},\n", quoted(m->upper), first, m->nspellings, m->set);
        first += m->nspellings;
    }
    fputs("};\n\nconst uint16_t isa_mnemonic_index[] = {\n", out);
    for (size_t i = 0; i < g->nmnemonics; i++) {
        for (size_t k = 0; k < g->mnemonics[i].nspellings; k++)
            fprintf(out, "    %u,\n", g->mnemonics[i].spellings[k]);
    }
    fputs("};\n\n", out);
    size_t size = write_slots("const uint16_t isa_mnemonic_slots", names, g->nmnemonics, out);
    fprintf(out, "const uint32_t isa_mnemonic_slot_count = %zu;\n\n", size);
    free(names);
}

/* ---- decoding buckets ---- */

static unsigned mask_bits(const struct gen_form *f)
{
    unsigned n = 0;

    for (unsigned i = 0; i < GEN_WORDS; i++)
        n += (unsigned)__builtin_popcountll(f->p.mask[i]);
    return n;
}

/* More fixed bits first, then by id, as the specification orders decoding. */
static int compare_specificity(const void *a, const void *b)
{
    const struct gen_form *x = *(const struct gen_form *const *)a;
    const struct gen_form *y = *(const struct gen_form *const *)b;

    if (mask_bits(x) != mask_bits(y))
        return mask_bits(x) > mask_bits(y) ? -1 : 1;
    return strcmp(x->id, y->id);
}

static void write_bucket_tables(const char *name, const size_t *start, size_t buckets,
                                const uint16_t *forms, FILE *out)
{
    fprintf(out, "const uint16_t isa_%s_start[] = {\n", name);
    for (size_t i = 0; i <= buckets; i++)
        fprintf(out, "    %zu,\n", start[i]);
    fprintf(out, "};\n\nconst uint16_t isa_%s_forms[] = {\n", name);
    for (size_t i = 0; i < start[buckets]; i++)
        fprintf(out, "    %u,\n", forms[i]);
    fputs("    0,\n};\n\n", out);
}

/* Forms of one length whose low `bits` bits can have each value. */
static size_t fill_buckets(const struct gen *g, const struct gen_form **sorted, unsigned length,
                           unsigned bits, size_t *start, uint16_t **forms, size_t count)
{
    for (unsigned low = 0; low >> bits == 0; low++) {
        start[low] = count;
        for (size_t i = 0; i < g->nforms; i++) {
            const struct gen_form *f = sorted[i];
            uint64_t mask = f->p.mask[0] & (((uint64_t)1 << bits) - 1);
            if (f->p.bits != 8 * length || (low & mask) != (f->p.match[0] & mask))
                continue;
            *forms = gen_grow(*forms, count, sizeof **forms);
            (*forms)[count++] = (uint16_t)(f - g->forms);
        }
    }
    return count;
}

static void write_buckets(const struct gen *g, FILE *out)
{
    static const unsigned lengths[LENGTHS] = {2, 4, 6, 8};
    const struct gen_form **sorted = NULL;
    size_t start[LENGTHS * BUCKETS + 1], seq_start[OPCODES + 1], count = 0;
    uint16_t *forms = NULL, *seq_forms = NULL;

    for (size_t i = 0; i < g->nforms; i++) {
        sorted = gen_grow(sorted, i, sizeof *sorted);
        sorted[i] = &g->forms[i];
    }
    qsort(sorted, g->nforms, sizeof *sorted, compare_specificity);
    for (unsigned i = 0; i < LENGTHS; i++)
        count =
            fill_buckets(g, sorted, lengths[i], BUCKET_BITS, start + i * BUCKETS, &forms, count);
    start[LENGTHS * BUCKETS] = count;
    write_bucket_tables("bucket", start, LENGTHS * BUCKETS, forms, out);
    seq_start[OPCODES] = fill_buckets(g, sorted, 64, 8, seq_start, &seq_forms, 0);
    write_bucket_tables("seq_bucket", seq_start, OPCODES, seq_forms, out);
}

void gen_emit_tables(const struct gen *g, FILE *out)
{
    struct pools pools = {
        .pieces = {.type = "isa_piece", .name = "pieces"},
        .fields = {.type = "isa_field", .name = "fields"},
        .constraints = {.type = "isa_constraint", .name = "constraints"},
        .operands = {.type = "isa_operand", .name = "operands"},
        .presets = {.type = "isa_preset", .name = "presets"},
        .tile_operands = {.type = "isa_tile_operand", .name = "tile_operands"},
    };
    char *text = NULL;
    size_t size = 0;
    FILE *body = open_memstream(&text, &size);

    if (!body)
        exit(EXIT_FAILURE);
    write_relocs(g, &pools, body);
    write_forms(g, &pools, body);
    write_spellings(g, &pools, body);
    write_tileops(g, &pools, body);
    write_matrix(g, body);
    write_reserved(g, &pools, body);
    fclose(body);

    fputs("/* Made by isagen from the rows in isa/; do not edit. */\n"
          "#include \"isa/isa.h\"\n#include \"isa/ops.h\"\n#include \"isa/tables.h\"\n\n",
          out);
    write_revisions(g, out);
    write_enumerations(g, out);
    write_pool(&pools.pieces, out);
    write_pool(&pools.fields, out);
    write_pool(&pools.constraints, out);
    write_pool(&pools.operands, out);
    write_pool(&pools.presets, out);
    write_pool(&pools.tile_operands, out);
    fputs(text, out);
    write_retired(g, out);
    write_sysregs(g, out);
    write_strings(out, "isa_field_names", g->field_names, g->nfield_names);
    write_strings(out, "isa_class_names", g->classes, g->nclasses);
    write_strings(out, "isa_mnemonic_names", g->mnemonic_names, g->nmnemonic_names);
    write_mnemonics(g, out);
    write_buckets(g, out);
    gen_emit_ops(g, out);
    free(text);
}
