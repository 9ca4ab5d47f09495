/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections of NUL-terminated lines that `readelf -p` shows: .pto.tiles and .pto.args. */
#include "objfile/internal.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_VERSION = 1 };

char *line_take_word(char **at)
{
    char *word = *at;

    if (!*word)
        return NULL;
    char *blank = strchr(word, ' ');
    if (blank)
        *blank = '\0';
    *at = blank ? blank + 1 : word + strlen(word);
    return word;
}

bool line_take_number(char **at, uint64_t max, uint64_t *value)
{
    const char *word = line_take_word(at);
    char *end;

    if (!word || *word < '0' || *word > '9')
        return false;
    *value = strtoull(word, &end, 10); /* saturates, which is above every max */
    return *end == '\0' && *value <= max;
}

void lines_begin(const struct line_format *format, size_t count, struct buffer *out)
{
    buffer_printf(out, "%s %d %zu", format->magic, LINES_VERSION, count);
    buffer_extend(out, 1);
}

const char *lines_read(struct object *o, const struct line_format *format, const uint8_t *data,
                       size_t size)
{
    if (size == 0 || data[size - 1] != '\0')
        return "does not end with a NUL byte";
    char *at = arena_copy(o->arena, data, size), *end = at + size;
    char *line = at;
    uint64_t version, count, rows = 0;

    at += strlen(at) + 1;
    const char *magic = line_take_word(&line);
    if (!magic || strcmp(magic, format->magic) || !line_take_number(&line, UINT32_MAX, &version) ||
        !line_take_number(&line, UINT32_MAX, &count) || *line)
        return arena_printf(o->arena, "does not begin with \"%s VERSION COUNT\"", format->magic);
    if (version != LINES_VERSION)
        return arena_printf(o->arena, "has version %llu, expected %d", (unsigned long long)version,
                            LINES_VERSION);
    for (; at < end; rows++) {
        size_t length = strlen(at);

        if (!format->row(o, at))
            return arena_printf(o->arena, "has a malformed row %llu", (unsigned long long)rows + 1);
        at += length + 1;
    }
    if (rows != count)
        return arena_printf(o->arena, "has %llu rows, its first line says %llu",
                            (unsigned long long)rows, (unsigned long long)count);
    return NULL;
}
