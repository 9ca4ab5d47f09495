/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raw text: what a first word begins, where a forgotten bracket ends, and
 * lines that are taken away unread (macro bodies, false conditionals).
 */
#include <string.h>

#include "grammar/context.h"
#include "isa/isa.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '$';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

static size_t word_length(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && is_word(*p))
        p++;
    return (size_t)(p - start);
}

static bool starts_with(const char *p, const char *end, const char *prefix)
{
    size_t len = strlen(prefix);
    return (size_t)(end - p) >= len && memcmp(p, prefix, len) == 0;
}

static bool is_one_of(const char *const *list, const char *text, size_t len)
{
    for (; *list != NULL; list++)
        if (equal_folded(*list, strlen(*list), text, len))
            return true;
    return false;
}

/* ---- words ---- */

/* Operations without operands, or whose operands need not start with `%`. */
static bool is_op_word(const char *text, size_t len)
{
    static const char *const words[] = {"module", "return", "call", NULL};
    static const char *const dialects[] = {"pto.",    "func.",   "scf.",     "arith.",
                                           "memref.", "vector.", "builtin.", "cf.",
                                           "tensor.", "affine.", "math.",    NULL};
    for (const char *const *d = dialects; *d != NULL; d++)
        if (len > strlen(*d) && starts_with(text, text + len, *d))
            return true;
    return is_one_of(words, text, len);
}

bool line_op_takes_region(const char *name, size_t len)
{
    static const char *const words[] = {"module",           "builtin.module",     "func.func",
                                        "pto.section.cube", "pto.section.vector", NULL};
    static const char *const without[] = {"scf.yield", "scf.condition", NULL};
    bool structured = len > strlen("scf.") && memcmp(name, "scf.", strlen("scf.")) == 0;
    /* Also of those that nobody knows: a region in a dictionary's place hides what is wrong. */
    return is_one_of(words, name, len) || (structured && !is_one_of(without, name, len));
}

bool line_directive_is_raw(const char *name)
{
    static const char *const words[] = {".macro", ".irp", ".irpc", ".ifb",
                                        ".ifnb",  ".ifc", ".ifnc", NULL};
    return is_one_of(words, name, strlen(name));
}

bool line_directive_names_section(const char *name)
{
    static const char *const words[] = {".section", ".pushsection", NULL};
    return is_one_of(words, name, strlen(name));
}

/* .text and .8byte, but no local label. */
static bool is_directive(const char *text, size_t len)
{
    return len > 1 && text[0] == '.' && is_word(text[1]) && text[1] != 'L' && text[1] != '.';
}

static bool is_ssa(const char *p, const char *end)
{
    return p + 1 < end && *p == '%' && is_word(p[1]) && !starts_with(p, end, "%tpcrel_");
}

/* `ins(`, as no other statement goes on. */
static bool is_dps(const char *p, const char *end)
{
    if (word_length(p, end) != 3 || !starts_with(p, end, "ins"))
        return false;
    p = skip_blanks(p + 3, end);
    return p < end && *p == '(';
}

/* What a word is wherever it stands, as one number that an interned name can keep: its class and
 * one, the size of the mnemonic at its start (ADD of add.fs), the index of the mnemonic. */
enum { TAG_CLASS = 0xff, TAG_SIZE_SHIFT = 8, TAG_MNEMONIC_SHIFT = 16 };

static uint32_t tag_of_word(const char *word, size_t len)
{
    size_t used;
    if (is_directive(word, len))
        return WORD_DIRECTIVE + 1;
    if (is_op_word(word, len))
        return WORD_OP + 1;
    const struct isa_mnemonic *m = isa_find_mnemonic_prefix(word, len, &used);
    if (m == NULL)
        return WORD_UNKNOWN + 1;
    return ((m->set == ISA_SET_SEQ ? WORD_SEQ : WORD_PTO) + 1) | (uint32_t)used << TAG_SIZE_SHIFT |
           (uint32_t)(m - isa_mnemonics) << TAG_MNEMONIC_SHIFT;
}

static uint32_t tag_of_name(const char *name)
{
    uint32_t *tag = intern_tag(name);
    if (*tag == 0)
        *tag = tag_of_word(name, intern_length(name));
    return *tag;
}

/* The class of a word with regard to what stands behind it. */
static enum word_class classify(uint32_t tag, const char *word, size_t len, const char *behind,
                                const char *end)
{
    enum word_class class = (tag & TAG_CLASS) - 1;
    const char *p = skip_blanks(behind, end);
    if (p < end && *p == '=' && !(p + 1 < end && p[1] == '='))
        return WORD_SET;
    if (class == WORD_DIRECTIVE) {
        bool declares = is_one_of((const char *const[]){".arg", ".const", NULL}, word, len);
        return declares && is_ssa(p, end) ? WORD_OP : WORD_DIRECTIVE;
    }
    if (class == WORD_UNKNOWN && (is_ssa(p, end) || is_dps(p, end)))
        return WORD_OP;
    return class;
}

enum word_class line_classify(const char *word, size_t len, const char *behind, const char *end)
{
    return classify(tag_of_word(word, len), word, len, behind, end);
}

enum word_class line_classify_name(const char *name, const char *behind, const char *end)
{
    return classify(tag_of_name(name), name, intern_length(name), behind, end);
}

const struct isa_mnemonic *line_mnemonic(const char *name, size_t *size)
{
    uint32_t tag = tag_of_name(name);
    *size = tag >> TAG_SIZE_SHIFT & 0xff;
    return &isa_mnemonics[tag >> TAG_MNEMONIC_SHIFT];
}

/* ---- brackets that were not closed ---- */

/* Blanks, line ends and comments. */
static const char *skip_space(const char *p, const char *end)
{
    for (;;) {
        while (p < end && (is_blank(*p) || is_line_end(*p)))
            p++;
        if (!starts_with(p, end, "//") && !(p < end && *p == '#'))
            return p;
        while (p < end && !is_line_end(*p))
            p++;
    }
}

/* %a, %b:2 = and then an operation; `%a = %b` is a binding inside brackets. */
static bool is_result_list(const char *p, const char *end)
{
    while (p < end && (is_word(*p) || is_blank(*p) || *p == '%' || *p == ',' || *p == ':'))
        p++;
    if (p == end || *p != '=')
        return false;
    p = skip_blanks(p + 1, end);
    return p < end && (is_letter(*p) || *p == '"');
}

static bool known_first_word(const char *text, size_t len, const char *behind, const char *end)
{
    switch (line_classify(text, len, behind, end)) {
    case WORD_DIRECTIVE:
    case WORD_OP:
    case WORD_PTO:
    case WORD_SEQ:
        return true;
    case WORD_SET:
    case WORD_UNKNOWN:
        break;
    }
    return false;
}

bool line_starts_statement(const char *text, const char *end, bool pto_as, bool braces)
{
    const char *p = skip_blanks(text, end);
    size_t len = word_length(p, end);
    if (p == end)
        return false;
    if (*p == '%')
        return is_result_list(p, end);
    if (*p == '}')
        return !braces;
    if (len == 0)
        return *p == '^';
    const char *behind = p + len;
    if (behind < end && *behind == ':' && (!pto_as || p == text))
        return true;
    if (!known_first_word(p, len, behind, end))
        return false;
    /* A key or an element of a dictionary or list may have the same name. */
    behind = skip_space(behind, end);
    return behind == end || strchr("=,})]>:", *behind) == NULL;
}

/* `!name =`, the definition of an alias. */
static bool is_alias(const char *p, const char *end)
{
    p = skip_blanks(p + 1 + word_length(p + 1, end), end);
    return p < end && *p == '=';
}

bool line_continues_op(const char *text, const char *end)
{
    const char *p = skip_space(text, end);
    size_t len = word_length(p, end);
    static const char *const words[] = {"attributes", "ins",   "iter_args", "offsets",
                                        "outs",       "sizes", "step",      "strides",
                                        "to",         "valid", NULL};
    if (p == end)
        return false;
    if (len > 0)
        return is_one_of(words, p, len);
    if (*p == '%')
        return !is_result_list(p, end);
    if (*p == '!')
        return !is_alias(p, end);
    return strchr(",:({[<)]>@", *p) != NULL || starts_with(p, end, "->");
}

bool line_names_value(const char *text, const char *end)
{
    const char *p = skip_space(text, end);
    return p < end && p > text && (*p == '%' ? !is_result_list(p, end) : *p == '[');
}

bool line_names_list(const char *text, const char *end)
{
    const char *p = skip_space(text, end);
    if (p == end || *p != ':')
        return false;
    p = skip_space(p + 1, end);
    return p < end && *p == '[';
}

bool line_names_offset(const char *text, const char *end)
{
    const char *p = skip_space(text, end);
    size_t len = word_length(p, end);
    return len > 0 && line_names_list(p + len, end);
}

/* ---- lines taken away unread ---- */

/* The end of the statement at p: its line end or `;`, outside strings and comments. */
static const char *statement_end(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && !is_line_end(*p) && *p != ';') {
        bool tile = *p == '#' && p > start && strchr("TUMNStumns", p[-1]) != NULL && p + 1 < end &&
                    p[1] >= '0' && p[1] <= '9';
        if (starts_with(p, end, "//") || (*p == '#' && !tile)) {
            while (p < end && !is_line_end(*p))
                p++;
            return p;
        }
        if (*p == '"') {
            for (p++; p < end && *p != '"' && !is_line_end(*p); p++)
                p += *p == '\\' && p + 1 < end && !is_line_end(p[1]);
            p += p < end && *p == '"';
        } else if (starts_with(p, end, "/*")) {
            for (p += 2; p < end && !starts_with(p, end, "*/"); p++)
                ;
            p = end - p >= 2 ? p + 2 : end;
        } else {
            p++;
        }
    }
    return p;
}

/* Behind the terminator at p. */
static const char *next_statement(const char *p, const char *end)
{
    if (starts_with(p, end, "\r\n"))
        return p + 2;
    return p < end ? p + 1 : end;
}

/* The first word of the statement at p, labels skipped. */
static const char *statement_word(const char *p, const char *end, size_t *len)
{
    for (;;) {
        p = skip_blanks(p, end);
        *len = word_length(p, end);
        if (*len == 0 || p + *len == end || p[*len] != ':')
            return p;
        p += *len + 1;
    }
}

static const char *find_word(const char *const *list, const char *text, size_t len)
{
    for (; *list != NULL; list++)
        if (equal_folded(*list, strlen(*list), text, len))
            return *list;
    return NULL;
}

static const char *last_word(const char *const *list)
{
    while (list[1] != NULL)
        list++;
    return *list;
}

/* Moves the scanner to the closing line at p, or behind it. */
static void take_lines(struct grammar *g, struct grammar_lines *out, const char *word,
                       const char *behind)
{
    scan_skip(g, out->size);
    out->end = scan_place(g);
    out->end.col += (uint32_t)(word - out->text - (ptrdiff_t)out->size);
    if (behind != NULL)
        scan_skip(g, (size_t)(behind - out->text) - out->size);
}

bool grammar_capture(struct grammar *g, const char *const *openers, const char *const *closers,
                     bool keep_closer, struct grammar_lines *out)
{
    const char *end = g->source->text + g->source->size;
    unsigned depth = 0;
    *out = (struct grammar_lines){.text = g->source->text + g->source->offset};
    out->loc = scan_place(g);
    for (const char *p = out->text; p < end;) {
        size_t len;
        const char *word = statement_word(p, end, &len);
        const char *behind = next_statement(statement_end(word, end), end);
        const char *closer = find_word(closers, word, len);
        if (closer != NULL && depth == 0) {
            out->size = (size_t)(p - out->text);
            out->closer = closer;
            take_lines(g, out, word, keep_closer ? NULL : behind);
            return true;
        }
        if (find_word(openers, word, len) != NULL)
            depth++;
        else if (closer != NULL && closer == last_word(closers))
            depth--;
        p = behind;
    }
    out->size = (size_t)(end - out->text);
    take_lines(g, out, end, NULL);
    return false;
}
