/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of tokens: numbers, characters, strings. */
#include <stdlib.h>
#include <string.h>

#include "grammar/context.h"
#include "support/decimal.h"

static struct ast_expr *leaf(struct grammar *g, const struct span *at, int op, const char *text,
                             size_t len)
{
    struct ast_expr *e = arena_alloc(g->arena, sizeof *e);
    e->op = (uint8_t)op;
    e->loc = span_loc(g, *at);
    e->depth = 1;
    e->text = intern(g->names, text, len);
    return e;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static unsigned base_of(const char *text, size_t len)
{
    if (len < 2 || text[0] != '0')
        return 10;
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'b':
    case 'B':
        return 2;
    case 'o':
    case 'O':
        return 8;
    default:
        return 10;
    }
}

enum digits { DIGITS_GOOD, DIGITS_MALFORMED, DIGITS_OVERFLOW };

static enum digits read_digits(const char *text, size_t len, uint64_t *value)
{
    unsigned base = base_of(text, len);
    size_t i = base == 10 ? 0 : 2;
    enum digits result = i < len ? DIGITS_GOOD : DIGITS_MALFORMED;
    for (*value = 0; i < len; i++) {
        unsigned digit = (unsigned)digit_value(text[i]);
        if (digit >= base)
            return DIGITS_MALFORMED;
        if (*value > (UINT64_MAX - digit) / base)
            result = DIGITS_OVERFLOW;
        *value = *value * base + digit;
    }
    return result;
}

/* The value of an unsigned number; 0 when it was reported. */
static uint64_t number(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    uint64_t value;
    switch (read_digits(text, len, &value)) {
    case DIGITS_GOOD:
        return value;
    case DIGITS_MALFORMED:
        grammar_error(g, DIAG_BAD_NUMBER, span_loc(g, *at),
                      "'%.*s' is no number (decimal, 0x, 0b and 0o digits, 1.5e-3, 'c')", (int)len,
                      text);
        return 0;
    case DIGITS_OVERFLOW:
        grammar_error(g, DIAG_BAD_NUMBER, span_loc(g, *at), "'%.*s' does not fit in 64 bits",
                      (int)len, text);
        return 0;
    }
    return 0;
}

struct ast_expr *lex_number(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    struct ast_expr *e = leaf(g, at, AST_NUMBER, text, len);
    e->number = (int64_t)number(g, at, text, len);
    return e;
}

static double real(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    double value = decimal_to_double(intern(g->names, text, len), NULL);
    if (value - value != 0)
        grammar_error(g, DIAG_BAD_NUMBER, span_loc(g, *at), "'%.*s' does not fit in a double",
                      (int)len, text);
    return value;
}

struct ast_expr *lex_float(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    struct ast_expr *e = leaf(g, at, AST_FLOAT, text, len);
    e->real = real(g, at, text, len);
    return e;
}

struct ast_expr *lex_local(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    struct ast_expr *e = leaf(g, at, AST_LOCAL, text, len);
    char last = text[len - 1];
    if (last != 'b' && last != 'f')
        grammar_error(g, DIAG_BAD_NUMBER, span_loc(g, *at),
                      "the size '%.*s' may stand only in '-> tile<size>' or behind 'size='",
                      (int)len, text);
    else
        e->number = (int64_t)number(g, at, text, len - 1);
    e->forward = last == 'f';
    return e;
}

/* ---- escapes ---- */

static int simple_escape(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case '\\':
    case '"':
    case '\'':
        return c;
    default:
        return -1;
    }
}

/* GNU as: \ooo takes up to three digits, \x takes all and keeps the last two. */
static const char *numeric_escape(const char *p, const char *end, int *byte)
{
    unsigned base = *p == 'x' || *p == 'X' ? 16 : 8;
    const char *stop = base == 8 && end - p > 3 ? p + 3 : end;
    unsigned value = 0;
    if (base == 16)
        p++;
    const char *start = p;
    while (p < stop && (unsigned)digit_value(*p) < base)
        value = (value * base + (unsigned)digit_value(*p++)) & 0xff;
    *byte = p > start ? (int)value : -1;
    return p;
}

/* The byte at p, escapes resolved; the place behind it. */
static const char *unescape(struct grammar *g, const struct span *at, const char *p,
                            const char *end, int *byte)
{
    if (*p != '\\') {
        *byte = (unsigned char)*p;
        return p + 1;
    }
    const char *escape = p++;
    *byte = simple_escape(*p);
    if (*byte >= 0)
        return p + 1;
    const char *behind = numeric_escape(p, end, byte);
    if (*byte >= 0)
        return behind;
    grammar_error(g, DIAG_BAD_STRING, span_loc(g, *at),
                  "unknown escape '%.2s' (known: \\b \\f \\n \\r \\t \\\\ \\\" \\' \\ooo \\xhh)",
                  escape);
    *byte = 0;
    return p + 1;
}

/* The inside of quotes to bytes in the arena. */
static char *unquote(struct grammar *g, const struct span *at, const char *text, size_t len,
                     size_t *size)
{
    char *out = arena_alloc(g->arena, len);
    const char *p = text + 1, *end = text + len - 1;
    *size = 0;
    while (p < end) {
        int byte;
        if (*p == 0)
            grammar_error(g, DIAG_BAD_STRING, span_loc(g, *at),
                          "the string contains a NUL byte; write \\0");
        p = unescape(g, at, p, end, &byte);
        out[(*size)++] = (char)byte;
    }
    return out;
}

struct ast_expr *lex_char(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    struct ast_expr *e = leaf(g, at, AST_NUMBER, text, len);
    size_t size;
    const char *bytes = unquote(g, at, text, len, &size);
    if (size != 1)
        grammar_error(g, DIAG_BAD_NUMBER, span_loc(g, *at), "a character constant holds one byte");
    e->number = (unsigned char)bytes[0];
    return e;
}

struct ast_expr *lex_string(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    size_t size;
    const char *bytes = unquote(g, at, text, len, &size);
    struct ast_expr *e = leaf(g, at, AST_QUOTED, bytes, size);
    e->number = (int64_t)size;
    return e;
}

const char *lex_quoted_name(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    size_t size;
    const char *bytes = unquote(g, at, text, len, &size);
    if (memchr(bytes, '\0', size))
        grammar_error(g, DIAG_BAD_STRING, span_loc(g, *at),
                      "the name of a symbol holds no NUL byte");
    return intern(g->names, bytes, size);
}

/* ---- PTO-AS ---- */

static int64_t signed_number(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    bool negative = text[0] == '-';
    uint64_t value = number(g, at, text + negative, len - negative);
    return (int64_t)(negative ? -value : value);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '.' || c == '$';
}

/* Behind the blanks and comments at p. */
static const char *skip_gap(const char *p, const char *end)
{
    for (;;) {
        while (p < end && is_space(*p))
            p++;
        if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n' && *p != '\r')
                p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            const char *close = strstr(p + 2, "*/");
            p = close != NULL && close + 2 <= end ? close + 2 : end;
        } else {
            return p;
        }
    }
}

/* Behind the quoted string at p. */
static const char *skip_quoted(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
}

/* Only between two words a blank says something. */
const char *lex_squeezed(struct grammar *g, struct span at)
{
    const char *text = g->source->text + at.begin, *end = g->source->text + at.end;
    char *out = arena_alloc(g->arena, (size_t)(end - text) + 1);
    size_t len = 0;
    for (const char *p = text; p < end;) {
        const char *behind = skip_gap(p, end);
        if (behind != p && behind < end && len > 0 && is_word(out[len - 1]) && is_word(*behind))
            out[len++] = ' ';
        p = behind;
        const char *next = p == end ? end : *p == '"' ? skip_quoted(p, end) : p + 1;
        memcpy(out + len, p, (size_t)(next - p));
        len += (size_t)(next - p);
        p = next;
    }
    return intern(g->names, out, len);
}

struct ast_attr *lex_integer(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    struct ast_attr *a = ast_attr(g, *at, AST_ATTR_INT, intern(g->names, text, len));
    a->spelling = a->text;
    a->number = signed_number(g, at, text, len);
    return a;
}

struct ast_attr *lex_real(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    struct ast_attr *a = ast_attr(g, *at, AST_ATTR_FLOAT, intern(g->names, text, len));
    a->spelling = a->text;
    a->real = real(g, at, text, len);
    return a;
}

struct ast_attr *lex_text(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    size_t size;
    const char *bytes = unquote(g, at, text, len, &size);
    struct ast_attr *a = ast_attr(g, *at, AST_ATTR_STRING, intern(g->names, bytes, size));
    a->spelling = intern(g->names, text, len);
    return a;
}

int64_t lex_dimension(struct grammar *g, const struct span *at, const char *text, size_t len)
{
    return text[0] == '?' ? AST_DYNAMIC : signed_number(g, at, text, len);
}

const char *lex_lower(struct grammar *g, const char *text, size_t len)
{
    char *lower = arena_string(g->arena, text, len);
    for (char *p = lower; *p != '\0'; p++)
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    return intern(g->names, lower, len);
}

void lex_bad_character(struct grammar *g, struct span at, const char *text)
{
    unsigned char c = (unsigned char)*text;
    if (c >= 0x21 && c < 0x7f)
        grammar_error(g, DIAG_BAD_CHARACTER, span_loc(g, at), "stray '%c'", c);
    else
        grammar_error(g, DIAG_BAD_CHARACTER, span_loc(g, at), "stray byte 0x%02x%s", c,
                      c >= 0x80 ? " (outside strings and comments the text is ASCII)" : "");
}
