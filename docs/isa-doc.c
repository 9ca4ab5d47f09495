/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints instructions.md: every form of PTO with its encoding and an example, and every tile
 * operation with what its bundle takes. All of it comes from the tables; an example is a word of
 * the form that decodes, in canonical text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder/encoder.h"

/* Headings of the families, in the order of the page. */
static const struct {
    const char *family, *title;
} families[] = {
    {"CMD", "Bundle commands"},
    {"BBD", "Bundle starts with a return address, and short starts"},
    {"ALU", "Integer arithmetic, logic, moves and bit fields"},
    {"AGU", "Loads, stores and prefetches"},
    {"AMO", "Atomic memory operations"},
    {"BRU", "Comparisons, jumps and conditions"},
    {"FSU", "Floating point"},
    {"SYS", "System"},
};

static const isa_revset standard = 1u << ISA_REV_0_58_3;

/* ---- encodings ---- */

struct span {
    unsigned lsb, width;
    const struct isa_field *field; /* NULL: constant */
};

static const struct isa_piece *piece_of(const struct isa_field *f, unsigned bit)
{
    for (unsigned k = 0; k < f->npieces && !f->constant; k++)
        if (bit >= f->pieces[k].lsb && bit < f->pieces[k].lsb + (unsigned)f->pieces[k].width)
            return &f->pieces[k];
    return NULL;
}

static const struct isa_field *field_at(const struct isa_form *form, unsigned bit,
                                        const struct isa_piece **piece)
{
    for (unsigned i = 0; i < form->nfields; i++)
        if ((*piece = piece_of(&form->fields[i], bit)))
            return &form->fields[i];
    return NULL;
}

/* The piece of a field, or the run of bits without one, whose highest bit is `top`. */
static struct span span_at(const struct isa_form *form, unsigned top)
{
    const struct isa_piece *piece;
    const struct isa_field *field = field_at(form, top, &piece);
    unsigned lsb = field ? piece->lsb : top;
    while (!field && lsb > 0 && !field_at(form, lsb - 1, &piece))
        lsb--;
    return (struct span){lsb, top - lsb + 1, field};
}

static void print_constant(const struct isa_form *form, struct span s)
{
    for (unsigned bit = s.lsb + s.width; bit-- > s.lsb;)
        putchar(form->mask >> bit & 1 ? (form->match >> bit & 1 ? '1' : '0') : 'x');
}

/* From the highest bit down: constants as digits, fields by name and width. */
static void print_encoding(const struct isa_form *form)
{
    for (unsigned top = form->length * 8u; top > 0;) {
        struct span s = span_at(form, top - 1);
        if (s.field)
            printf("%s:%u", isa_field_names[s.field->name], s.width);
        else
            print_constant(form, s);
        top = s.lsb;
        if (top > 0)
            putchar(' ');
    }
}

/* ---- examples ---- */

struct dice {
    uint64_t state;
};

/* splitmix64 */
static uint64_t dice_bits(struct dice *d)
{
    uint64_t z = (d->state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static bool is_register(const struct isa_field *f)
{
    switch (f->enumeration - 1) {
    case ISA_ENUM_GPR:
    case ISA_ENUM_ScalarSource:
    case ISA_ENUM_ScalarDestination:
        return true;
    default:
        return false;
    }
}

/* What a person would write: a0, a1 …; 1; of many names the second. */
static uint64_t plain_value(const struct isa_field *f, unsigned place, isa_revset revs)
{
    enum { FEW = 8 };
    if (is_register(f))
        return 2 + place;
    if (!f->enumeration)
        return (uint64_t)1 << f->align;
    const struct isa_enumeration *e = &isa_enumerations[f->enumeration - 1];
    unsigned skip = e->count > FEW;
    for (unsigned n = 0; n < e->count; n++)
        if (e->members[n].revs & revs && !e->members[n].alias && skip-- == 0)
            return e->members[n].value;
    return 0;
}

static uint64_t field_value(struct dice *d, const struct isa_field *f, unsigned attempt,
                            unsigned place, isa_revset revs)
{
    if (attempt == 0)
        return plain_value(f, place, revs);
    return attempt < 64 ? (dice_bits(d) % 8) << f->align : dice_bits(d);
}

static isa_revset revision_of(const struct isa_form *form)
{
    if (form->revs & standard)
        return standard;
    return form->revs & (isa_revset)(0 - (unsigned)form->revs); /* the lowest bit */
}

/* A canonical word of the form; false when none is found. */
static bool find_example(const struct isa_form *form, struct isa_insn *insn, uint8_t *bytes)
{
    enum { ATTEMPTS = 100000 };
    struct dice dice = {form->match};
    struct isa_target target = {.pto = revision_of(form), .seq = 1u << ISA_GEN_CAYMAN};
    for (unsigned n = 0; n < ATTEMPTS; n++) {
        struct isa_insn drawn = {.form = form};
        struct isa_why why;
        unsigned length;
        for (unsigned i = 0; i < form->nfields; i++)
            drawn.value[form->fields[i].index] =
                field_value(&dice, &form->fields[i], n, i, target.pto);
        isa_pack(&drawn, bytes);
        if (isa_decode(&target, bytes, form->length, insn, &length, &why) == ISA_DECODED &&
            insn->form == form && isa_canonical(&target, insn, bytes, 0))
            return true;
    }
    return false;
}

static void print_example(const struct isa_form *form, struct buffer *text)
{
    struct isa_insn insn;
    uint8_t bytes[ISA_MAX_LENGTH];
    if (!find_example(form, &insn, bytes)) {
        fprintf(stderr, "isa-doc: %s has no example\n", form->id);
        exit(1);
    }
    struct isa_print_options options = {.target = {.pto = revision_of(form)}};
    text->size = 0;
    isa_print(&insn, &options, text);
    printf("`%.*s` | `", (int)text->size, (const char *)text->data);
    for (unsigned i = 0; i < form->length; i++)
        printf("%s%02x", i ? " " : "", bytes[i]);
    printf("`");
}

/* ---- pages ---- */

static void print_revisions(isa_revset revs)
{
    const char *separator = "";
    for (unsigned n = 0; n < ISA_REVISION_COUNT; n++)
        if (isa_revisions[n].set == ISA_SET_PTO && isa_revisions[n].bit & revs) {
            printf("%s%s", separator, isa_revisions[n].name + strlen("pto"));
            separator = ", ";
        }
}

static void print_form(const struct isa_form *form, struct buffer *text)
{
    printf("| %s | ", isa_spellings[form->spelling].mnemonic);
    print_example(form, text);
    printf(" | `");
    print_encoding(form);
    printf("` | ");
    print_revisions(form->revs);
    printf(" |\n");
}

static void print_family(const char *family, const char *title, struct buffer *text)
{
    static const unsigned lengths[] = {2, 4, 6, 8};
    printf("\n## %s\n", title);
    for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        bool any = false;
        for (unsigned n = 0; n < ISA_FORM_COUNT; n++) {
            const struct isa_form *form = &isa_forms[n];
            if (strcmp(form->family, family) != 0 || form->length != lengths[l])
                continue;
            if (!any)
                printf("\n%u bits\n\n"
                       "| mnemonic | example | bytes | encoding | revisions "
                       "|\n|---|---|---|---|---|\n",
                       lengths[l] * 8);
            any = true;
            print_form(form, text);
        }
    }
}

static const char *need_text(unsigned need)
{
    static const char *const text[] = {"–", "may", "must"};
    return text[need];
}

static void print_types(uint32_t types)
{
    const struct isa_enumeration *e = &isa_enumerations[ISA_ENUM_DataType];
    const char *separator = "";
    for (unsigned n = 0; n < e->count; n++)
        if (!e->members[n].alias && types >> e->members[n].value & 1) {
            printf("%s%s", separator, e->members[n].name);
            separator = " ";
        }
}

static void print_datr(unsigned fields)
{
    static const char *const names[] = {"Layout", "DataType", "PadValue",    "CMode",
                                        "RMode",  "Sat",      "Canonicalize"};
    const char *separator = "";
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        if (fields >> n & 1) {
            printf("%s%s", separator, names[n]);
            separator = " ";
        }
    if (!fields)
        printf("–");
}

static void print_tile_operation(const struct isa_tileop *op)
{
    printf("| %s | `%s` | %u | %u | ", op->name, op->start, op->nsources, op->ndestinations);
    if (op->min_scalars < op->nscalars)
        printf("%u–", op->min_scalars);
    printf("%u | %s %s %s | ", op->nscalars, need_text(op->lb[0]), need_text(op->lb[1]),
           need_text(op->lb[2]));
    print_datr(op->datr_fields);
    printf(" | %s | ", need_text(op->fpatr));
    print_types(op->datatypes);
    printf(" | ");
    print_revisions(op->revs);
    printf(" |\n");
}

static const char head[] =
    "# Instructions\n"
    "\n"
    "Made from the tables of `isa/`. Bytes are in memory order. An encoding runs from the highest\n"
    "bit to bit 0: digits are fixed bits, `x` bits that no field owns, `name:4` is four bits of a\n"
    "field. A number beside a PC-relative operand is the field's value; write a label instead.\n"
    "`pto-objdump --encoding MNEMONIC` shows one instruction in full, `docs/language.md` the "
    "other\n"
    "spellings that are accepted. The records of SEQ are in `docs/seq.md`.\n";

static const char tile_head[] =
    "\n## Tile operations\n"
    "\n"
    "What a bundle of each operation takes: tiles read and written, scalars of B.IOR, the three\n"
    "dimensions LB0, LB1, LB2 (must, may or –), the fields of B.DATR that may be nonzero, B.FPATR, "
    "and\n"
    "the data types of the start.\n"
    "\n"
    "| operation | start | sources | destinations | scalars | LB0 LB1 LB2 | B.DATR | B.FPATR | "
    "types "
    "| revisions |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n";

int main(void)
{
    struct mem heap = mem_default();
    struct buffer text;
    buffer_init(&text, &heap);
    fputs(head, stdout);
    for (unsigned n = 0; n < sizeof families / sizeof *families; n++)
        print_family(families[n].family, families[n].title, &text);
    fputs(tile_head, stdout);
    for (unsigned n = 0; n < ISA_TILEOP_COUNT; n++)
        print_tile_operation(&isa_tileops[n]);
    buffer_free(&text);
    return ferror(stdout) || fflush(stdout) != 0;
}
