/* SPDX-License-Identifier: BSD-3-Clause */
#include "grammar/text.h"

#include <string.h>

#include "grammar/context.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '.' || c == '$';
}

static size_t word_length(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && is_word(*p))
        p++;
    return (size_t)(p - start);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

static char byte_at(const char *p, const char *end)
{
    return p < end ? *p : '\0';
}

size_t text_line_end(const char *p, const char *end)
{
    if (p == end || !is_line_end(*p))
        return 0;
    return *p == '\r' && byte_at(p + 1, end) == '\n' ? 2 : 1;
}

static size_t rest_of_line(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && !is_line_end(*p))
        p++;
    return (size_t)(p - start);
}

struct text_reader text_read(const char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf"; /* UTF-8 byte order mark */
    struct text_reader r = {.at = text, .end = text + size, .fresh = true};
    if (size >= 3 && memcmp(text, mark, 3) == 0)
        r.at += 3;
    return r;
}

/* ---- sizes of tokens ---- */

/* Up to the closing quote, or the end of the line. */
static size_t string_size(const char *p, const char *end)
{
    const char *start = p++;
    while (p < end && !is_line_end(*p) && *p != *start)
        p += *p == '\\' && p + 1 < end && !is_line_end(p[1]) ? 2 : 1;
    return (size_t)(p - start) + (p < end && *p == *start);
}

/* 'c' and '\n'; a quote that no character and quote follow is 1 byte. */
static size_t character_size(const char *p, const char *end)
{
    size_t size = string_size(p, end);
    bool closed = size > 2 && p[size - 1] == '\'';
    return closed && (p[1] == '\\' || size == 3) ? size : 1;
}

static size_t block_comment_size(const char *p, const char *end)
{
    const char *q = p + 2;
    while (q + 1 < end && !(q[0] == '*' && q[1] == '/'))
        q++;
    return q + 1 < end ? (size_t)(q + 2 - p) : (size_t)(end - p);
}

/* A name, T#1 with it, and sp! without the mark. */
static size_t name_size(const char *p, const char *end)
{
    size_t size = word_length(p, end);
    if (size == 1 && strchr("TUMNStumns", *p) && byte_at(p + 1, end) == '#' &&
        is_digit(byte_at(p + 2, end))) {
        size = 2;
        while (is_digit(byte_at(p + size, end)) || byte_at(p + size, end) == '.' ||
               (size > 3 && is_letter(byte_at(p + size, end))))
            size++;
    }
    return size;
}

/* %name with #2 behind it. */
static size_t value_size(const char *p, const char *end)
{
    size_t size = 1 + word_length(p + 1, end);
    if (byte_at(p + size, end) == '#' && is_digit(byte_at(p + size + 1, end)))
        for (size++; is_digit(byte_at(p + size, end));)
            size++;
    return size;
}

/* #name of an attribute in PTO-AS; 0: a comment. */
static size_t attribute_size(const struct text_reader *r, const char *p)
{
    size_t size = 1 + word_length(p + 1, r->end);
    if (size == 1 || is_digit(p[1]))
        return 0;
    char next = byte_at(skip_blanks(p + size, r->end), r->end);
    bool named = byte_at(p + size, r->end) == '<' || byte_at(p + size, r->end) == '=' ||
                 memchr(p, '.', size);
    return named || (r->nopen && next && strchr(",})]>:", next)) ? size : 0;
}

/* `#name = #other<`, which defines an attribute. */
static bool defines_attribute(const char *p, const char *end)
{
    size_t size = word_length(p + 1, end);
    p = skip_blanks(p + 1 + size, end);
    if (!size || byte_at(p, end) != '=')
        return false;
    p = skip_blanks(p + 1, end);
    bool hash = byte_at(p, end) == '#';
    p += hash;
    size_t value = word_length(p, end);
    bool dotted = memchr(p, '.', value) != NULL;
    return value && (byte_at(p + value, end) == '<' || (hash && dotted));
}

/* ---- statements ---- */

static enum text_class class_of_word(const char *p, size_t size, const char *end)
{
    char directive[16];
    switch (line_classify(p, size, p + size, end)) {
    case WORD_SET:
        return TEXT_SET;
    case WORD_DIRECTIVE:
        for (size_t n = 0; n < sizeof directive; n++)
            directive[n] = n < size ? p[n] : '\0';
        directive[sizeof directive - 1] = '\0';
        return line_directive_is_raw(directive) ? TEXT_RAW_DIRECTIVE : TEXT_DIRECTIVE;
    case WORD_OP:
        return TEXT_OP;
    case WORD_PTO:
        return TEXT_PTO;
    case WORD_SEQ:
        return TEXT_SEQ;
    case WORD_UNKNOWN:
        break;
    }
    return TEXT_UNKNOWN;
}

static enum text_class class_of(const char *p, const char *end)
{
    size_t size = word_length(p, end);
    if (size)
        return class_of_word(p, size, end);
    if (*p == '"') {
        char next = byte_at(skip_blanks(p + string_size(p, end), end), end);
        return next == '(' ? TEXT_OP : next == '=' ? TEXT_SET : TEXT_UNKNOWN;
    }
    return strchr("%^!#}", *p) ? TEXT_OP : TEXT_UNKNOWN;
}

static void begin_statement(struct text_reader *r)
{
    r->statement = TEXT_NO_STATEMENT;
    r->fresh = true;
    r->continues = r->region = r->attributes = false;
    r->nopen = 0;
    r->previous = TEXT_END;
    r->last = '\0';
}

/* Does the statement go on behind a line end, at `p`? */
static bool goes_on(const struct text_reader *r, const char *p)
{
    bool op = r->statement == TEXT_OP;
    if (r->nopen) {
        char innermost = r->open[(r->nopen < TEXT_MAX_OPEN ? r->nopen : TEXT_MAX_OPEN) - 1];
        return !line_starts_statement(p, r->end, op, innermost == '{');
    }
    if (!op || r->fresh)
        return false;
    if (r->previous == TEXT_PUNCTUATION && r->last && strchr(",=>", r->last))
        return true;
    return line_continues_op(p, r->end);
}

/* ---- tokens ---- */

static size_t label_size(const char *p, const char *end)
{
    size_t size = *p == '"' ? string_size(p, end) : word_length(p, end);
    return size && byte_at(p + size, end) == ':' ? size + 1 : 0;
}

static size_t comment_size(const struct text_reader *r, const char *p)
{
    bool op = r->statement == TEXT_OP && !r->fresh;
    if (*p == '/' && byte_at(p + 1, r->end) == '*')
        return block_comment_size(p, r->end);
    bool line = *p == '#' || (*p == '/' && byte_at(p + 1, r->end) == '/');
    if (!line || (*p == '#' && op && attribute_size(r, p)) ||
        (*p == '#' && r->fresh && defines_attribute(p, r->end)))
        return 0;
    return rest_of_line(p, r->end);
}

static size_t open_bracket(struct text_reader *r, char c, uint8_t *kind)
{
    if (c == '{' && r->region && r->nopen == 0 && !r->attributes) {
        *kind = TEXT_REGION_OPEN;
        return 1;
    }
    if (r->nopen < TEXT_MAX_OPEN)
        r->open[r->nopen] = c;
    r->nopen++;
    *kind = TEXT_OPEN;
    return 1;
}

static size_t close_bracket(struct text_reader *r, char c, uint8_t *kind)
{
    if (c == '}' && r->nopen == 0 && (r->statement == TEXT_OP || r->fresh)) {
        *kind = TEXT_REGION_END;
        return 1;
    }
    r->nopen -= r->nopen > 0;
    *kind = TEXT_CLOSE;
    return 1;
}

static size_t marked_word(const struct text_reader *r, const char *p, uint8_t *kind)
{
    bool op = r->statement == TEXT_OP;
    size_t word = word_length(p + 1, r->end);
    *kind = TEXT_PUNCTUATION;
    if (*p == '\\') {
        *kind = TEXT_WORD;
        return byte_at(p + 1, r->end) == '@' ? 2 : 1 + word;
    }
    if (!word)
        return 1;
    if (*p == '%' && (op || (word > 7 && memcmp(p + 1, "tpcrel_", 7) == 0))) {
        *kind = op ? TEXT_SSA : TEXT_WORD;
        return op ? value_size(p, r->end) : 1 + word;
    }
    if (*p == '@') {
        *kind = TEXT_SYMBOL;
        return 1 + word;
    }
    if (op && *p == '#') {
        *kind = TEXT_ATTRIBUTE;
        return 1 + word;
    }
    if (op && (*p == '!' || *p == '^')) {
        *kind = *p == '!' ? TEXT_TYPE : TEXT_BLOCK;
        return 1 + word;
    }
    return 1;
}

static size_t plain_token(struct text_reader *r, const char *p, uint8_t *kind)
{
    *kind = TEXT_STRING;
    if (*p == '"')
        return string_size(p, r->end);
    if (*p == '\'' && character_size(p, r->end) > 1)
        return character_size(p, r->end);
    *kind = TEXT_NUMBER;
    if (is_digit(*p))
        return word_length(p, r->end);
    *kind = TEXT_WORD;
    if (is_word(*p))
        return name_size(p, r->end);
    if (strchr("([{", *p) && *p)
        return open_bracket(r, *p, kind);
    if (strchr(")]}", *p) && *p)
        return close_bracket(r, *p, kind);
    if (strchr("%@!^#\\", *p) && *p)
        return marked_word(r, p, kind);
    *kind = TEXT_PUNCTUATION;
    return *p == '-' && byte_at(p + 1, r->end) == '>' ? 2 : 1;
}

/* Blanks or a line end or `;` before a first word, or one behind it. */
static bool separator(struct text_reader *r, struct text_token *t)
{
    t->size = text_line_end(t->at, r->end);
    t->kind = t->size ? TEXT_LINE_END : TEXT_SEPARATOR;
    if (!t->size && *t->at != ';')
        return false;
    t->size += !t->size;
    if (t->kind == TEXT_SEPARATOR || r->fresh || !goes_on(r, t->at + t->size))
        begin_statement(r);
    else
        r->continues = true;
    return true;
}

/* `else {` behind a region. */
static bool opens_other_region(const char *p, const char *end)
{
    p = skip_blanks(p + word_length(p, end), end);
    if (byte_at(p, end) != '{')
        return false;
    p = skip_blanks(p + 1, end);
    return p == end || is_line_end(*p) || *p == '/' || *p == '#';
}

static void note_first_word(struct text_reader *r, struct text_token *t)
{
    size_t quoted = *t->at == '"';
    const char *name = t->at + quoted;
    r->statement = class_of(t->at, r->end);
    t->first = true;
    r->fresh = false;
    r->region = r->statement == TEXT_OP && line_op_takes_region(name, word_length(name, r->end));
    if (r->statement == TEXT_UNKNOWN && opens_other_region(t->at, r->end)) {
        r->statement = TEXT_OP;
        r->region = true;
    }
}

static void note_token(struct text_reader *r, const struct text_token *t)
{
    size_t quoted = *t->at == '"' && t->size > 2;
    if (!t->first && r->statement == TEXT_OP && (t->kind == TEXT_WORD || quoted) && !r->nopen)
        r->region |= line_op_takes_region(t->at + quoted, t->size - 2 * quoted);
    r->attributes = t->size == 10 && memcmp(t->at, "attributes", 10) == 0;
    r->previous = t->kind;
    r->last = t->size == 2 ? '>' : *t->at == '>' ? '\0' : *t->at; /* -> ends no statement, > may */
}

struct text_token text_next(struct text_reader *r)
{
    struct text_token t = {.at = skip_blanks(r->at, r->end)};
    t.blank = t.at > r->at;
    t.continues = r->continues;
    t.statement = r->statement;
    r->at = t.at;
    if (t.at == r->end)
        return t;
    if (separator(r, &t)) {
        r->at = t.at + t.size;
        return t;
    }
    if ((t.size = comment_size(r, t.at))) {
        t.kind = TEXT_COMMENT;
    } else if (r->fresh && (t.size = label_size(t.at, r->end))) {
        t.kind = TEXT_LABEL;
    } else {
        if (r->fresh)
            note_first_word(r, &t);
        t.statement = r->statement;
        t.size = plain_token(r, t.at, &t.kind);
        note_token(r, &t);
        if (t.kind == TEXT_REGION_OPEN || t.kind == TEXT_REGION_END)
            begin_statement(r);
    }
    r->at = t.at + t.size;
    return t;
}
