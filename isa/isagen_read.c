/* SPDX-License-Identifier: BSD-3-Clause */
/* Text helpers of isagen: memory, strings, numbers, revision lists, messages. */
#include "isa/isagen.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void *gen_check_memory(void *p)
{
    if (!p) {
        fputs("isagen: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

void *gen_grow(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) == 0) /* capacity is the next power of two */
        items = gen_check_memory(realloc(items, (count ? 2 * count : 1) * size));
    memset((char *)items + count * size, 0, size);
    return items;
}

char *gen_copy(const char *text, size_t len)
{
    char *copy = gen_check_memory(malloc(len + 1));

    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

char *gen_join(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    char *joined = gen_check_memory(malloc(n + m + 1));

    memcpy(joined, a, n);
    memcpy(joined + n, b, m + 1);
    return joined;
}

char *gen_upper(const char *text)
{
    char *copy = gen_copy(text, strlen(text));

    for (char *c = copy; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return copy;
}

char *gen_identifier(const char *text)
{
    char *copy = gen_copy(text, strlen(text));

    for (char *c = copy; *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '_';
    }
    return copy;
}

bool gen_is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text))
        return false;
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    }
    return true;
}

char *gen_trim(char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    for (char *end = text + strlen(text); end > text && strchr(" \t\r", end[-1]); end--)
        end[-1] = '\0';
    return text;
}

char *gen_split(char **rest, char separator)
{
    char *part = *rest;

    if (!part)
        return NULL;
    char *end = strchr(part, separator);
    if (end)
        *end++ = '\0';
    *rest = end;
    return gen_trim(part);
}

bool gen_number(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    const char *digits = text + negative;
    int base = 10;
    char *end;

    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'b')) {
        base = digits[1] == 'x' ? 16 : 2;
        digits += 2;
    }
    if (!isxdigit((unsigned char)*digits))
        return false;
    errno = 0;
    uint64_t n = strtoull(digits, &end, base);
    if (*end || errno)
        return false;
    *value = negative ? -(int64_t)n : (int64_t)n;
    return true;
}

void gen_error(struct gen *g, const struct gen_row *row, const char *format, ...)
{
    va_list ap;

    g->errors++;
    fprintf(stderr, "%s:%u: ", row->file, row->line);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
}

static const struct gen_revision *find_revision(const struct gen *g, const char *name, uint8_t set)
{
    for (size_t i = 0; i < g->nrevisions; i++) {
        const struct gen_revision *r = &g->revisions[i];
        if (r->set == set && (!strcmp(r->name, name) || !strcmp(r->release, name)))
            return r;
    }
    return NULL;
}

uint8_t gen_revs(struct gen *g, const struct gen_row *row, char *list, uint8_t set)
{
    unsigned revs = 0;

    for (char *item; (item = gen_split(&list, ','));) {
        char *last = strstr(item, "..");
        if (last) {
            *last = '\0';
            last += 2;
        }
        const struct gen_revision *from = find_revision(g, item, set);
        const struct gen_revision *to = last ? find_revision(g, last, set) : from;
        if (!from || !to) {
            gen_error(g, row, "unknown revision '%s'", from ? last : item);
            continue;
        }
        for (unsigned bit = from->bit; bit <= to->bit; bit++)
            revs |= 1u << bit;
    }
    return (uint8_t)revs;
}

unsigned gen_intern(char ***names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (!strcmp((*names)[i], name))
            return (unsigned)i;
    }
    *names = gen_grow(*names, *count, sizeof **names);
    (*names)[*count] = gen_copy(name, strlen(name));
    return (unsigned)(*count)++;
}
