/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The syntax column: how operands and suffixes are written. One pass over the
 * text makes the operand descriptors that matching and printing walk.
 * isa/README.md defines the notation.
 */
#include "isa/isagen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* As in isa.h. */
enum { OPTIONAL = 1, DEST = 2, KEYED = 4, HIDDEN = 8, BINARY4 = 16, EITHER = 32 };

struct reader {
    struct gen *g;
    const struct gen_pattern *p;
    struct gen_spelling *s;
    const char *at;
    bool suffix;
};

static struct gen_operand blank_operand(const char *form)
{
    struct gen_operand o = {
        .form = form, .modifier = GEN_NONE, .shift = GEN_NONE, .size = GEN_NONE};

    memset(o.field, GEN_NONE, sizeof o.field);
    return o;
}

static void push(struct reader *r, struct gen_operand o)
{
    struct gen_operand **list = r->suffix ? &r->s->suffix : &r->s->operands;
    size_t *count = r->suffix ? &r->s->nsuffix : &r->s->noperands;

    *list = gen_grow(*list, *count, sizeof **list);
    (*list)[(*count)++] = o;
}

static bool accept(struct reader *r, const char *text)
{
    size_t len = strlen(text);

    if (strncmp(r->at, text, len))
        return false;
    r->at += len;
    return true;
}

static void bad_syntax(struct reader *r)
{
    gen_error(r->g, r->s->row, "the syntax cannot be read at '%s'", r->at);
    r->at += strlen(r->at);
}

static int64_t read_number(struct reader *r)
{
    char *end;
    int64_t n = strtoll(r->at, &end, 0);

    if (end == r->at)
        bad_syntax(r);
    else
        r->at = end;
    return n;
}

/* Length of a field name: letters, digits, '_', '/', '-' before a letter. */
static size_t name_length(const char *text)
{
    size_t n = 0;

    while (isalnum((unsigned char)text[n]) || strchr("_/", text[n] ? text[n] : ' ') ||
           (text[n] == '-' && isalpha((unsigned char)text[n + 1])))
        n++;
    return n;
}

static uint8_t read_field(struct reader *r)
{
    size_t len = name_length(r->at);
    int field = gen_find_field(r->p, r->at, len);

    if (field < 0)
        gen_error(r->g, r->s->row, "the syntax names '%.*s', which is not a field", (int)len,
                  r->at);
    else if (r->p->fields[field].constant)
        gen_error(r->g, r->s->row, "the syntax names constant field '%.*s'", (int)len, r->at);
    r->at += len;
    return field < 0 ? GEN_NONE : (uint8_t)field;
}

static uint8_t read_braced_field(struct reader *r)
{
    uint8_t field = GEN_NONE;

    if (!accept(r, "{")) {
        bad_syntax(r);
        return field;
    }
    field = read_field(r);
    if (!accept(r, "}"))
        bad_syntax(r);
    return field;
}

static uint8_t read_enumeration(struct reader *r)
{
    size_t len = name_length(r->at);
    int e = gen_find_enum(r->g, gen_copy(r->at, len));

    if (e < 0)
        gen_error(r->g, r->s->row, "unknown enumeration '%.*s' in the syntax", (int)len, r->at);
    r->at += len;
    return (uint8_t)(e + 1);
}

static bool is_binary4(const struct reader *r, uint8_t field)
{
    return field != GEN_NONE && r->p->fields[field].kind->binary4;
}

/* What may stand behind a value: .{modifier} <<{shift} <<2 <{size}> ~ {last}. */
static void read_decorations(struct reader *r, struct gen_operand *o)
{
    if (r->at[0] == '.' && r->at[1] == '{') {
        r->at++;
        o->modifier = read_braced_field(r);
    }
    if (accept(r, "<<")) {
        if (*r->at == '{')
            o->shift = read_braced_field(r);
        else
            o->fixed_shift = (uint8_t)read_number(r);
    }
    if (accept(r, "<")) {
        o->size = read_braced_field(r);
        if (!accept(r, ">"))
            bad_syntax(r);
        o->flags |= is_binary4(r, o->size) ? BINARY4 : 0;
    }
    if (accept(r, " ~ ")) {
        o->form = "RANGE";
        o->field[1] = read_braced_field(r);
    }
}

/* ?n: optional with a default; ??n: and hidden when it has it. */
static void read_default(struct reader *r, struct gen_operand *o)
{
    if (!accept(r, "?"))
        return;
    o->flags |= OPTIONAL;
    if (accept(r, "?"))
        o->flags |= HIDDEN;
    if (isdigit((unsigned char)*r->at) || *r->at == '-')
        o->dflt = read_number(r);
}

/* {Field}, {Field*4}, {Field+1}, {High:Low=Enumeration} and decorations. An empty {} stands for
 * bytes whose place is unknown. */
static void read_value(struct reader *r, struct gen_operand *o)
{
    r->at++;
    if (*r->at != '}')
        o->field[0] = read_field(r);
    if (accept(r, ":")) {
        o->field[1] = read_field(r);
        if (accept(r, "="))
            o->enumeration = read_enumeration(r);
    }
    if (accept(r, "*"))
        o->scale = (uint8_t)read_number(r);
    if (accept(r, "+"))
        o->bias = (int8_t)read_number(r);
    if (!accept(r, "}"))
        bad_syntax(r);
    o->flags |= is_binary4(r, o->field[0]) ? BINARY4 : 0;
    read_decorations(r, o);
}

/* @form(a, b:0:1, …): SEQ operands over several fields; numbers behind a field are codes. */
static void read_special(struct reader *r, struct gen_operand *o)
{
    size_t len = strcspn(r->at, "(");
    unsigned n = 0;

    o->form = gen_join("SEQ_", gen_upper(gen_copy(r->at, len)));
    r->at += len;
    if (!accept(r, "("))
        bad_syntax(r);
    while (*r->at && *r->at != ')') {
        if (accept(r, "\"ext\""))
            o->text = gen_copy("ext", 3);
        else if (accept(r, "="))
            o->enumeration = read_enumeration(r);
        else if (n < 6)
            o->field[n++] = read_field(r);
        else
            bad_syntax(r);
        for (unsigned i = 0; i < 2 && accept(r, ":"); i++)
            o->code[i] = (uint8_t)read_number(r);
        accept(r, ",");
        while (*r->at == ' ')
            r->at++;
    }
    if (!accept(r, ")"))
        bad_syntax(r);
}

/* A word: a literal, a flag `word:Field[:Field]`, or the key of a value. */
static void read_word(struct reader *r, struct gen_operand *o)
{
    size_t len = 0;

    while (isalnum((unsigned char)r->at[len]) || (r->at[len] && strchr("_.#!/", r->at[len])))
        len++;
    if (!len) {
        bad_syntax(r);
        return;
    }
    o->text = gen_copy(r->at, len);
    r->at += len;
    if (accept(r, "?={") || accept(r, "={")) {
        o->form = "VALUE";
        o->flags |= r->at[-3] == '?' ? EITHER : KEYED;
        r->at--;
        read_value(r, o);
    } else if (accept(r, ":")) {
        o->form = "FLAG";
        o->flags |= OPTIONAL;
        for (unsigned i = 0; i < 2 && (i == 0 || accept(r, ":")); i++)
            o->field[i] = read_field(r);
    } else {
        o->form = "LITERAL";
    }
}

static void read_operand(struct reader *r)
{
    struct gen_operand o = blank_operand("VALUE");

    if (accept(r, "->"))
        o.flags |= DEST;
    if (*r->at == '{')
        read_value(r, &o);
    else if (accept(r, "@"))
        read_special(r, &o);
    else
        read_word(r, &o);
    read_default(r, &o);
    push(r, o);
}

/* Brackets and braces are operands of their own; "[?" … "]?" are not printed. */
static bool read_bracket(struct reader *r)
{
    static const char *const brackets[][2] = {
        {"{{", "OPEN_BRACE"}, {"}}", "CLOSE_BRACE"}, {"[", "OPEN_BRACKET"}, {"]", "CLOSE_BRACKET"}};

    for (size_t i = 0; i < sizeof brackets / sizeof *brackets; i++) {
        if (accept(r, brackets[i][0])) {
            struct gen_operand o = blank_operand(brackets[i][1]);
            o.flags = accept(r, "?") ? OPTIONAL | HIDDEN : 0;
            push(r, o);
            return true;
        }
    }
    return false;
}

static void check_reuse(struct reader *r)
{
    uint8_t used[256] = {0};

    for (size_t i = 0; i < r->s->noperands; i++) {
        const struct gen_operand *o = &r->s->operands[i];
        uint8_t fields[] = {o->field[0], o->modifier, o->shift, o->size};
        if (strcmp(o->form, "VALUE"))
            continue;
        for (size_t k = 0; k < sizeof fields; k++) {
            if (fields[k] == GEN_NONE || o->flags & KEYED)
                continue;
            if (used[fields[k]]++)
                gen_error(r->g, r->s->row, "the syntax gives field %s twice",
                          r->p->fields[fields[k]].name);
        }
    }
}

static void read_operands(struct reader *r);

/* +NAME: the operands of a group. */
static void read_group(struct reader *r)
{
    size_t len = name_length(r->at);
    const struct gen_group *group = gen_find_group(r->g, gen_copy(r->at, len));

    if (!group)
        gen_error(r->g, r->s->row, "unknown group '%.*s'", (int)len, r->at);
    const char *behind = r->at + len;
    r->at = group ? group->row->col[4] : "";
    read_operands(r);
    r->at = behind;
}

static void read_operands(struct reader *r)
{
    for (;;) {
        while (*r->at == ' ' || *r->at == ',')
            r->at++;
        if (!*r->at)
            break;
        if (accept(r, "+"))
            read_group(r);
        else if (!read_bracket(r))
            read_operand(r);
    }
}

void gen_syntax(struct gen *g, const struct gen_pattern *p, struct gen_spelling *s,
                const char *text)
{
    struct reader r = {.g = g, .p = p, .s = s, .at = text};

    read_operands(&r);
    check_reuse(&r);
}

/* [.aq,rl,f:far]: flag words behind one dot. */
static void read_flag_suffix(struct reader *r)
{
    while (*r->at && *r->at != ']') {
        struct gen_operand o = blank_operand("FLAG");
        size_t len = strcspn(r->at, ",:]");
        o.text = gen_copy(r->at, len);
        o.flags = OPTIONAL;
        if (r->at[len] == ':') {
            r->at += len + 1;
            o.field[0] = read_field(r);
        } else {
            o.field[0] = read_field(r);
        }
        push(r, o);
        accept(r, ",");
    }
    if (!accept(r, "]"))
        bad_syntax(r);
}

void gen_mnemonic(struct gen *g, const struct gen_pattern *p, struct gen_spelling *s, char *text)
{
    size_t len = 0;

    while (text[len] && text[len] != '[' && text[len] != '{')
        len++;
    struct reader r = {.g = g, .p = p, .s = s, .at = text + len, .suffix = true};
    if (text[len] == '{' && len && text[len - 1] == '.')
        r.at = text + --len;
    s->mnemonic = gen_copy(text, len);
    while (*r.at) {
        if (accept(&r, "[.")) {
            read_flag_suffix(&r);
            continue;
        }
        struct gen_operand o = blank_operand("VALUE");
        size_t separator = strcspn(r.at, "{");
        o.text = gen_copy(r.at, separator);
        r.at += separator;
        o.field[0] = read_braced_field(&r);
        read_default(&r, &o);
        push(&r, o);
    }
}
