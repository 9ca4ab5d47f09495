/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "lsp/server.h"

static void add_symbol(struct buffer *out, const struct definition *d)
{
    static const char *const kinds[] = {[ASM_LABEL] = "label",
                                        [ASM_VALUE] = "symbol",
                                        [ASM_COMMON] = "common block",
                                        [ASM_MACRO] = "macro"};
    const char *slash = strrchr(d->file, '/');
    buffer_printf(out, "**%s**: %s", d->name, kinds[d->kind]);
    if (d->known && d->section)
        buffer_printf(out, ", `%s` + 0x%llx", d->section, (unsigned long long)d->value);
    else if (d->known && d->kind == ASM_COMMON)
        buffer_printf(out, " of %llu bytes", (unsigned long long)d->value);
    else if (d->known)
        buffer_printf(out, " = %lld (0x%llx)", (long long)d->value, (unsigned long long)d->value);
    buffer_printf(out, ", defined in %s:%u\n", slash ? slash + 1 : d->file, d->loc.line);
}

/* The line that makes the value. */
static void add_value(struct buffer *out, const struct document *d, const char *name, size_t size)
{
    for (size_t n = 0; n < d->lines.count; n++) {
        const char *line = document_text(d) + d->lines.item[n];
        size_t length = document_line_end(d, n) - d->lines.item[n];
        const char *at = memmem(line, length, name, size);
        char next = at && at + size < line + length ? at[size] : '\n';
        if (at && !strchr("_.$", next) && !(next >= '0' && next <= '9') &&
            !((next | 32) >= 'a' && (next | 32) <= 'z')) {
            for (; length && (*line == ' ' || *line == '\t'); length--)
                line++;
            buffer_printf(out, "```\n%.*s\n```\n", (int)length, line);
            return;
        }
    }
}

/* The same number as people also write it. */
static void add_number(struct buffer *out, const struct text_token *t)
{
    char text[24], *end;
    if (t->size >= sizeof text)
        return;
    memcpy(text, t->at, t->size);
    text[t->size] = '\0';
    bool binary = text[0] == '0' && (text[1] | 32) == 'b',
         octal = text[0] == '0' && (text[1] | 32) == 'o';
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    unsigned long long n = strtoull(text + (binary || octal ? 2 : 0), &end,
                                    binary  ? 2
                                    : octal ? 8
                                    : hex   ? 16
                                            : 10);
    if (*end == '\0')
        buffer_printf(out, "%llu = 0x%llx\n", n, n);
}

static void describe(struct buffer *out, const struct document *d, const struct spot *spot)
{
    const struct text_token *t = &spot->token;
    size_t size = t->kind == TEXT_LABEL ? t->size - 1 : t->size;
    const char *at = t->at;
    if (t->kind == TEXT_SSA) {
        const char *part = memchr(at, '#', size);
        add_value(out, d, at, part ? (size_t)(part - at) : size);
        return;
    }
    if (t->kind == TEXT_NUMBER) {
        add_number(out, t);
        return;
    }
    if (t->kind == TEXT_SYMBOL) {
        at++;
        size--;
    } else if (t->kind != TEXT_WORD && t->kind != TEXT_LABEL) {
        return;
    }
    const struct definition *known = find_definition(d, at, size);
    bool first = spot->command.kind && t->at == spot->command.at;
    bool pto = spot->command.statement == TEXT_OP;
    if (pto && describe_op(out, at, size))
        return;
    if (first && (describe_directive(out, at, size) || describe_mnemonic(out, at, size)))
        return;
    if (known)
        add_symbol(out, known);
    else if (!describe_tile_operation(out, at, size) && !describe_member(out, at, size) && first)
        describe_op(out, at, size);
}

json_t *do_hover(struct request *r)
{
    struct document *d;
    size_t offset;
    struct buffer text;
    if (!request_place(r, &d, &offset))
        return NULL;
    struct spot spot = find_spot(d, offset, false);
    if (!spot.token.kind || spot.comment)
        return NULL;
    buffer_init(&text, &r->server->mem);
    describe(&text, d, &spot);
    json_t *hover = NULL;
    size_t begin = (size_t)(spot.token.at - document_text(d));
    if (text.size)
        hover = json_pack("{s:{s:s, s:s%}, s:o}", "contents", "kind", "markdown", "value",
                          (const char *)text.data, text.size, "range",
                          make_range(r->server, d, begin, begin + spot.token.size));
    buffer_free(&text);
    return hover;
}
