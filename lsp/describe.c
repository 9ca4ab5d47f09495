/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables say of a word, as Markdown. */
#include <ctype.h>
#include <string.h>

#include "encoder/encoder.h"
#include "isa/ops.h"
#include "lsp/server.h"

enum { MOST_FORMS = 8, MOST_NAMES = 24 };

/* "ScalarBinary" as "scalar binary". */
static void add_words(struct buffer *out, const char *name)
{
    for (const char *p = name; *p; p++) {
        bool begins = isupper((unsigned char)*p) && p > name && islower((unsigned char)p[-1]);
        bool alone = isupper((unsigned char)*p) && isupper((unsigned char)p[1]);
        buffer_printf(out, "%s%c", begins ? " " : "", alone ? *p : tolower((unsigned char)*p));
    }
}

static void add_revisions(struct buffer *out, enum isa_set set, isa_revset revs)
{
    const char *separator = "";
    for (unsigned n = 0; n < ISA_REVISION_COUNT; n++)
        if (isa_revisions[n].set == set && isa_revisions[n].bit & revs) {
            buffer_printf(out, "%s%s", separator, isa_revisions[n].name);
            separator = ", ";
        }
}

/* ---- instructions ---- */

static const char *field_name_of(const struct isa_form *form, uint8_t field)
{
    return field == ISA_NO_FIELD ? "" : isa_field_names[form->fields[field].name];
}

static void add_value(struct buffer *out, const struct isa_form *form, const struct isa_operand *o)
{
    buffer_text(out, o->field[0] == ISA_NO_FIELD ? "value" : field_name_of(form, o->field[0]));
    if (o->shift != ISA_NO_FIELD)
        buffer_printf(out, "<<%s", field_name_of(form, o->shift));
    if (o->size != ISA_NO_FIELD)
        buffer_printf(out, "<%s>", field_name_of(form, o->size));
}

static void add_operand(struct buffer *out, const struct isa_form *form,
                        const struct isa_operand *o)
{
    size_t key = o->text ? strcspn(o->text, "/") : 0;
    if (o->flags & ISA_OPERAND_DEST)
        buffer_text(out, "->");
    if (o->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_EITHER) && o->text)
        buffer_printf(out, "%.*s=", (int)key, o->text);
    switch (o->form) {
    case ISA_OPERAND_LITERAL:
    case ISA_OPERAND_FLAG:
        buffer_printf(out, "%.*s", (int)key, o->text ? o->text : "");
        return;
    case ISA_OPERAND_RANGE:
        buffer_printf(out, "%s ~ %s", field_name_of(form, o->field[0]),
                      field_name_of(form, o->field[1]));
        return;
    case ISA_OPERAND_SEQ_WAIT:
        buffer_text(out, "$S[index]>value");
        return;
    case ISA_OPERAND_SEQ_UPDATE:
        buffer_text(out, "$S[index]++");
        return;
    case ISA_OPERAND_SEQ_MOVES:
        buffer_text(out, "R = value …");
        return;
    case ISA_OPERAND_SEQ_ASSIGN:
        buffer_printf(out, "R = %s", field_name_of(form, o->field[1]));
        return;
    case ISA_OPERAND_SEQ_REG_OR_IMM:
        buffer_text(out, "register or number");
        return;
    case ISA_OPERAND_SEQ_COMPARE:
        buffer_printf(out, "%s R, value", field_name_of(form, o->field[0]));
        return;
    default:
        add_value(out, form, o);
        return;
    }
}

static const char *bracket_of(const struct isa_operand *o)
{
    static const char *const brackets[] = {[ISA_OPERAND_OPEN_BRACKET] = "[",
                                           [ISA_OPERAND_CLOSE_BRACKET] = "]",
                                           [ISA_OPERAND_OPEN_BRACE] = "{",
                                           [ISA_OPERAND_CLOSE_BRACE] = "}"};
    return o->form < sizeof brackets / sizeof *brackets ? brackets[o->form] : NULL;
}

void describe_syntax(struct buffer *out, const struct isa_spelling *s)
{
    const struct isa_form *form = &isa_forms[s->form];
    const char *separator = " ";
    buffer_text(out, s->mnemonic);
    for (unsigned i = 0; i < s->noperands; i++) {
        const struct isa_operand *o = &s->operands[i];
        const char *bracket = bracket_of(o);
        bool closes = bracket && strchr("]}", *bracket);
        if (!closes)
            buffer_text(out, separator);
        if (bracket) {
            buffer_text(out, bracket);
            separator = closes ? ", " : "";
            continue;
        }
        add_operand(out, form, o);
        if (o->flags & ISA_OPERAND_OPTIONAL)
            buffer_text(out, "?");
        separator = ", ";
    }
}

static void add_members(struct buffer *out, const struct isa_enumeration *e, isa_revset revs)
{
    unsigned shown = 0;
    for (unsigned n = 0; n < e->count; n++) {
        if (e->members[n].alias || !(e->members[n].revs & revs))
            continue;
        if (shown == MOST_NAMES) {
            buffer_text(out, " …");
            return;
        }
        buffer_printf(out, "%s%s", shown++ ? " " : "", e->members[n].name);
    }
}

static const struct isa_operand *operand_of(const struct isa_spelling *s, unsigned field)
{
    for (unsigned i = 0; i < s->noperands; i++)
        if (s->operands[i].form == ISA_OPERAND_VALUE && s->operands[i].field[0] == field)
            return &s->operands[i];
    return NULL;
}

static void add_numbers(struct buffer *out, const struct isa_field *f, const struct isa_operand *o)
{
    unsigned bits = f->width < 63 ? f->width : 63;
    bool sign = f->kind == ISA_KIND_INT || f->kind == ISA_KIND_PCREL;
    int64_t step = (int64_t)1 << f->align;
    int64_t high = ((int64_t)1 << (sign ? bits - 1 : bits)) - step;
    int64_t low = sign ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t scale = o && o->scale > 1 && bits < 40 ? o->scale : 1, bias = o ? o->bias : 0;
    buffer_printf(out, "%s%lld to %lld", f->kind == ISA_KIND_PCREL ? "a label, or " : "",
                  (long long)(low * scale + bias), (long long)(high * scale + bias));
    if (scale * step > 1)
        buffer_printf(out, " in steps of %lld", (long long)(scale * step));
}

static void add_field(struct buffer *out, const struct isa_spelling *s, unsigned field)
{
    const struct isa_form *form = &isa_forms[s->form];
    const struct isa_field *f = &form->fields[field];
    if (f->constant)
        return;
    buffer_printf(out, "- `%s`: ", isa_field_names[f->name]);
    if (f->enumeration)
        add_members(out, &isa_enumerations[f->enumeration - 1], form->revs);
    else if (f->kind == ISA_KIND_FLOAT)
        buffer_text(out, "a number of the record's type");
    else
        add_numbers(out, f, operand_of(s, field));
    buffer_text(out, "\n");
}

static void add_form(struct buffer *out, const struct isa_spelling *s)
{
    const struct isa_form *form = &isa_forms[s->form];
    buffer_printf(out, "\n%u bits, ", form->length * 8u);
    add_revisions(out, form->set, form->revs);
    buffer_text(out, "\n\n");
    for (unsigned i = 0; i < form->nfields; i++)
        add_field(out, s, i);
    if (form->set != ISA_SET_PTO)
        return; /* 64 bytes are a table of their own */
    buffer_text(out, "\n```\n");
    isa_print_encoding(s, false, out);
    buffer_text(out, "```\n");
}

bool describe_mnemonic(struct buffer *out, const char *name, size_t size)
{
    size_t used;
    const struct isa_mnemonic *m = isa_find_mnemonic_prefix(name, size, &used);
    if (!m)
        return false;
    const struct isa_spelling *first = &isa_spellings[isa_mnemonic_index[m->first]];
    const struct isa_form *form = &isa_forms[first->form];
    buffer_printf(out, "**%s**: ", first->mnemonic);
    add_words(out, isa_class_names[form->klass]);
    buffer_text(out, "\n\n```\n");
    for (unsigned n = 0; n < m->count && n < MOST_FORMS; n++) {
        describe_syntax(out, &isa_spellings[isa_mnemonic_index[m->first + n]]);
        buffer_text(out, "\n");
    }
    if (m->count > MOST_FORMS)
        buffer_printf(out, "… and %u more\n", m->count - MOST_FORMS);
    buffer_text(out, "```\n");
    add_form(out, first);
    return true;
}

/* ---- tile operations ---- */

static const char *const needs[] = {
    [ISA_FORBIDDEN] = "no", [ISA_OPTIONAL] = "may", [ISA_REQUIRED] = "must"};

bool describe_tile_operation(struct buffer *out, const char *name, size_t size)
{
    const struct isa_tileop *op = isa_find_tileop(name, size);
    if (!op)
        return false;
    buffer_printf(out, "**%s**: %s\n\nStart `%s`, ", op->name, op->family, op->start);
    add_revisions(out, ISA_SET_PTO, op->revs);
    buffer_text(out, "\n\n");
    for (unsigned n = 0; n < op->noperands; n++)
        buffer_printf(out, "- `%s`: %s\n", op->operands[n].field, op->operands[n].what);
    buffer_printf(out,
                  "- LB0 %s, LB1 %s, LB2 %s, B.DATR %s, B.FPATR %s\n- types: ", needs[op->lb[0]],
                  needs[op->lb[1]], needs[op->lb[2]], needs[op->datr], needs[op->fpatr]);
    const struct isa_enumeration *e = &isa_enumerations[ISA_ENUM_DataType];
    const char *separator = "";
    for (unsigned n = 0; n < e->count; n++)
        if (!e->members[n].alias && op->datatypes >> e->members[n].value & 1) {
            buffer_printf(out, "%s%s", separator, e->members[n].name);
            separator = " ";
        }
    buffer_text(out, "\n");
    return true;
}

/* ---- operations of PTO-AS ---- */

static void add_values(struct buffer *out, const char *what, const struct isa_op_value *list,
                       unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        buffer_printf(out, "- %s `%s`: %s%s%s\n", what, list[n].name,
                      list[n].flags & ISA_OP_LITERAL ? "an attribute"
                                                     : isa_op_kinds[list[n].kind].what,
                      list[n].flags & ISA_OP_OPTIONAL ? ", optional" : "",
                      list[n].flags & ISA_OP_VARIADIC ? ", any number" : "");
}

bool describe_op(struct buffer *out, const char *name, size_t size)
{
    char text[64];
    if (size >= sizeof text)
        return false;
    memcpy(text, name, size);
    text[size] = '\0';
    const struct isa_op *op = isa_find_op(text);
    if (!op)
        return false;
    buffer_printf(out, "**%s**: operation of PTO-AS for %s\n\n", op->name,
                  op->targets == ISA_OP_A3   ? "a3"
                  : op->targets == ISA_OP_A5 ? "a5"
                                             : "a3 and a5");
    add_values(out, "operand", op->operands, op->noperands);
    add_values(out, "result", op->results, op->nresults);
    for (unsigned n = 0; n < op->nattrs; n++)
        buffer_printf(out, "- attribute `%s`%s\n", op->attrs[n].name,
                      op->attrs[n].flags & ISA_OP_OPTIONAL ? ", optional" : "");
    return true;
}

/* ---- names of enumerations: registers, types, layouts … ---- */

bool describe_member(struct buffer *out, const char *name, size_t size)
{
    bool any = false;
    for (unsigned n = 0; n < ISA_ENUM_COUNT; n++) {
        const struct isa_enumeration *e = &isa_enumerations[n];
        const struct isa_member *m = isa_find_member(e, name, size, 0xff);
        if (!m)
            continue;
        if (!any)
            buffer_printf(out, "**%s**\n\n", m->name);
        buffer_printf(out, "- %s, code %u (%s)\n", e->what, (unsigned)m->value, e->name);
        any = true;
    }
    return any;
}

/* ---- directives ---- */

static const struct {
    const char *names; /* separated by blanks */
    const char *text;
} directives[] = {
    {".align .p2align", "EXPONENT[, FILL[, MOST]]: go to the next multiple of 2^EXPONENT bytes"},
    {".ascii", "\"TEXT\", …: the bytes of strings"},
    {".asciz .string", "\"TEXT\", …: the bytes of strings, each with a zero byte"},
    {".balign", "BYTES[, FILL[, MOST]]: go to the next multiple of BYTES"},
    {".bss .data .rodata .text", "go to this section"},
    {".byte", "NUMBER, …: integers of 8 bits"},
    {".2byte .half .hword .short", "NUMBER, …: integers of 16 bits"},
    {".4byte .long .word", "NUMBER, …: integers of 32 bits"},
    {".8byte .dword .quad", "NUMBER, …: integers of 64 bits"},
    {".octa", "NUMBER, …: integers of 128 bits"},
    {".comm", "SYMBOL, SIZE[, ALIGN]: a common block"},
    {".lcomm", "SYMBOL, SIZE[, ALIGN]: a local block in .bss"},
    {".double", "REAL, …: reals of 64 bits"},
    {".float .single", "REAL, …: reals of 32 bits"},
    {".if .ifne", "EXPRESSION: assemble what follows when it is not zero"},
    {".ifeq .ifge .ifgt .ifle .iflt",
     "EXPRESSION: assemble what follows when it compares so with 0"},
    {".ifb .ifnb", "TEXT: assemble what follows when the text is blank, is not"},
    {".ifc .ifnc", "TEXT, TEXT: assemble what follows when the texts are the same, differ"},
    {".ifeqs .ifnes",
     "\"TEXT\", \"TEXT\": assemble what follows when the strings are the same, differ"},
    {".ifdef", "SYMBOL: assemble what follows when the symbol is defined"},
    {".ifndef .ifnotdef", "SYMBOL: assemble what follows when the symbol is not defined"},
    {".elseif", "EXPRESSION: another branch of .if"},
    {".else", "the last branch of .if"},
    {".endif", "ends .if"},
    {".end", "ends the source"},
    {".macro", "NAME [PARAMETER[=VALUE|:req|:vararg]]…: defines a macro up to .endm"},
    {".endm", "ends .macro"},
    {".exitm", "leaves the macro"},
    {".purgem", "NAME: forgets a macro"},
    {".rept", "COUNT: repeats the lines up to .endr"},
    {".irp", "NAME, VALUE, …: repeats the lines up to .endr for each value"},
    {".irpc", "NAME, CHARACTERS: repeats the lines up to .endr for each character"},
    {".endr", "ends .rept, .irp and .irpc"},
    {".equ .set", "SYMBOL, EXPRESSION: gives the symbol a value, which may change"},
    {".equiv", "SYMBOL, EXPRESSION: gives the symbol its one value"},
    {".err", "an error"},
    {".error", "[\"TEXT\"]: an error with this message"},
    {".warning", "[\"TEXT\"]: a warning with this message"},
    {".print", "\"TEXT\": a message"},
    {".file", "[NUMBER] \"NAME\": a file of the line table, or the object's source"},
    {".loc", "FILE LINE [COLUMN]: the place of the next instruction in the line table"},
    {".ident", "\"TEXT\": a string in .comment"},
    {".fill", "COUNT[, SIZE[, VALUE]]: a value of SIZE bytes COUNT times"},
    {".skip .space .zero", "BYTES[, FILL]: so many bytes"},
    {".org", "OFFSET[, FILL]: goes forward to an offset of the section"},
    {".global .globl", "SYMBOL, …: other objects see the symbol"},
    {".local", "SYMBOL, …: no other object sees the symbol"},
    {".weak", "SYMBOL, …: a definition elsewhere wins, and none is no error"},
    {".hidden .internal .protected", "SYMBOL, …: the visibility of the symbol"},
    {".type", "SYMBOL, @function|@object|…: the type of the symbol"},
    {".size", "SYMBOL, EXPRESSION: the size of the symbol"},
    {".include", "\"FILE\": the lines of a file"},
    {".incbin", "\"FILE\"[, SKIP[, COUNT]]: the bytes of a file"},
    {".inst", "NUMBER or BYTES: an instruction as it is encoded"},
    {".isa", "\"REVISION\": the revision of PTO or generation of SEQ"},
    {".option", "nobundle|bundle|norelax|relax: how the assembler goes on"},
    {".section", "NAME[, \"FLAGS\"[, @TYPE[, …]]]: go to a section"},
    {".pushsection", "NAME[, \"FLAGS\"[, @TYPE]]: go to a section until .popsection"},
    {".popsection", "go back to where .pushsection stood"},
    {".previous", "go to the section before this one"},
    {".seq", "[act|dve|pe|pool|sp]: go to the section of SEQ, or of one of its engines"},
    {".sleb128 .uleb128", "NUMBER, …: integers in LEB128"},
};

const char *directive_text(const char *name)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (isa_op_word(directives[i].names, name))
            return directives[i].text;
    return NULL;
}

bool describe_directive(struct buffer *out, const char *name, size_t size)
{
    const char *known;
    for (size_t n = 0; (known = asm_directive_name(n)); n++)
        if (equal_folded(known, strlen(known), name, size)) {
            const char *text = directive_text(known);
            buffer_printf(out, "**%s** %s\n", known, text ? text : "");
            return true;
        }
    return false;
}
