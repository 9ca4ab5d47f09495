/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the part of seq.md that the tables know: every record with its bytes, and the
 * enumerations of its fields.
 */
#include <stdio.h>
#include <string.h>

#include "encoder/encoder.h"

enum { BYTE = 8 };

static void print_generations(isa_revset revs)
{
    const char *separator = "";
    for (unsigned n = 0; n < ISA_REVISION_COUNT; n++)
        if (isa_revisions[n].set == ISA_SET_SEQ && isa_revisions[n].bit & revs) {
            printf("%s%s", separator, isa_revisions[n].name);
            separator = ", ";
        }
}

/* ---- records ---- */

static unsigned first_byte(const struct isa_field *f)
{
    unsigned lowest = f->pieces[0].lsb;
    for (unsigned n = 1; n < f->npieces; n++)
        if (f->pieces[n].lsb < lowest)
            lowest = f->pieces[n].lsb;
    return lowest / BYTE;
}

static void print_numbers(uint64_t set)
{
    const char *separator = "";
    for (unsigned n = 0; n < 64; n++) {
        unsigned last = n;
        if (!(set >> n & 1))
            continue;
        while (last < 63 && set >> (last + 1) & 1)
            last++;
        printf(last > n ? "%s%u–%u" : "%s%u", separator, n, last);
        separator = ", ";
        n = last;
    }
}

static void print_legal(const struct isa_form *form, unsigned field)
{
    const struct isa_field *f = &form->fields[field];
    if (f->enumeration)
        printf("%s", isa_enumerations[f->enumeration - 1].name);
    for (unsigned n = 0; n < form->nconstraints; n++) {
        const struct isa_constraint *c = &form->constraints[n];
        if (c->field != field || c->op != ISA_CONSTRAINT_IN)
            continue;
        printf(f->enumeration ? ": " : "");
        print_numbers(c->set);
    }
}

static void print_field(const struct isa_form *form, unsigned field)
{
    const struct isa_field *f = &form->fields[field];
    unsigned first = first_byte(f), bytes = f->width / BYTE * f->count;
    if (f->constant)
        return;
    printf("| %u", first);
    if (bytes > 1)
        printf("–%u", first + bytes - 1);
    printf(" | `%s`", isa_field_names[f->name]);
    if (f->count > 1)
        printf(" %u × %u", f->count, f->width / BYTE);
    printf(" | ");
    print_legal(form, field);
    printf(" |\n");
}

/* By their first byte, although rows may name them in another order. */
static void print_fields(const struct isa_form *form)
{
    printf("| bytes | field | legal |\n|---|---|---|\n");
    for (unsigned byte = 0; byte < ISA_MAX_LENGTH; byte++)
        for (unsigned i = 0; i < form->nfields; i++)
            if (first_byte(&form->fields[i]) == byte)
                print_field(form, i);
}

static uint64_t lowest_of(const struct isa_form *form, unsigned field, uint64_t otherwise)
{
    for (unsigned n = 0; n < form->nconstraints; n++) {
        const struct isa_constraint *c = &form->constraints[n];
        if (c->field == field && c->op == ISA_CONSTRAINT_IN && c->set)
            for (unsigned v = 0; v < 64; v++)
                if (c->set >> v & 1)
                    return v;
    }
    return otherwise;
}

static bool is_upper_half(const struct isa_field *f)
{
    const char *name = isa_field_names[f->name];
    size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, "_hi");
}

/* A simple record of the form, when its text says all of it: a 32-bit one where the dtype is free,
 * registers differ, the rest is the least that is legal. */
static void print_example(const struct isa_form *form, struct buffer *text)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_insn insn = {.form = form};
    isa_revset revs = form->revs & (isa_revset)(0 - (unsigned)form->revs); /* the lowest bit */
    struct isa_print_options options = {.target = {.seq = revs}};
    for (unsigned i = 0, reg = 1; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        bool is_register = f->enumeration == ISA_ENUM_SeqRegister + 1 && !is_upper_half(f);
        uint64_t otherwise = is_register                  ? reg++
                             : f->name == ISA_FIELD_dtype ? ISA_SeqDtype_INT32
                                                          : 0;
        insn.value[f->index] = lowest_of(form, i, otherwise);
    }
    isa_pack(&insn, bytes);
    if (!isa_canonical(&options.target, &insn, bytes, 0))
        return;
    text->size = 0;
    isa_print(&insn, &options, text);
    printf("\nExample: `%.*s`\n", (int)text->size, (const char *)text->data);
}

static void print_record(const struct isa_form *form, struct buffer *text)
{
    printf("\n### %s\n\nOpcode 0x%02x; ", isa_mnemonic_names[form->mnemonic],
           (unsigned)(form->match & 0xff));
    print_generations(form->revs);
    printf(".\n\n");
    print_fields(form);
    print_example(form, text);
}

/* ---- enumerations ---- */

static void print_member(const struct isa_enumeration *e, unsigned n)
{
    const struct isa_member *m = &e->members[n];
    printf("| 0x%02llx | %s", (unsigned long long)m->value, m->name);
    for (unsigned k = 0; k < e->count; k++)
        if (e->members[k].alias && e->members[k].value == m->value)
            printf(", %s", e->members[k].name);
    printf(" | ");
    print_generations(m->revs);
    printf(" |\n");
}

static void print_enumeration(const struct isa_enumeration *e)
{
    printf("\n### %s\n\n| code | name | generations |\n|---|---|---|\n", e->name);
    for (unsigned n = 0; n < e->count; n++)
        if (!e->members[n].alias)
            print_member(e, n);
}

/* Register names need no table. */
static bool is_tabled(unsigned enumeration)
{
    return isa_enumerations[enumeration].set == ISA_SET_SEQ &&
           enumeration != ISA_ENUM_SeqRegister && enumeration != ISA_ENUM_SeqData;
}

int main(void)
{
    struct mem heap = mem_default();
    struct buffer text;
    buffer_init(&text, &heap);
    printf(
        "\n## Layouts\n\n"
        "Byte 0 is the opcode, byte 1 the length: 16 words. Numbers are little-endian. Bytes that "
        "no\ntable names are zero.\n");
    for (unsigned n = 0; n < ISA_FORM_COUNT; n++)
        if (isa_forms[n].set == ISA_SET_SEQ)
            print_record(&isa_forms[n], &text);
    printf("\n## Enumerations\n");
    for (unsigned n = 0; n < ISA_ENUM_COUNT; n++)
        if (is_tabled(n))
            print_enumeration(&isa_enumerations[n]);
    buffer_free(&text);
    return ferror(stdout) || fflush(stdout) != 0;
}
