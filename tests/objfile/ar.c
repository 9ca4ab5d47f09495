/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/objfile/ar.h"

#include <stdio.h>
#include <string.h>

enum { HEADER = 60, SHORT_NAME = 15 };

static void header(struct buffer *out, const char *name, size_t size)
{
    buffer_printf(out, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644, size);
}

static void pad(struct buffer *out)
{
    if (out->size & 1)
        buffer_printf(out, "\n");
}

static void big_endian(struct buffer *out, uint32_t value)
{
    uint8_t bytes[] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                       (uint8_t)value};

    buffer_append(out, bytes, sizeof bytes);
}

/* Sizes with padding, so that the offsets of members are known before they are written. */
static size_t even(size_t size)
{
    return size + (size & 1);
}

struct buffer ar_make(struct mem *m, const struct ar_file *files, size_t count, bool index)
{
    struct buffer out, long_names;
    size_t index_size = 4, at = 8;

    buffer_init(&out, m);
    buffer_init(&long_names, m);
    for (size_t i = 0; i < count; i++) {
        index_size += 4 + strlen(files[i].symbol) + 1;
        if (strlen(files[i].name) > SHORT_NAME)
            buffer_printf(&long_names, "%s/\n", files[i].name);
    }
    at += index ? HEADER + even(index_size) : 0;
    at += long_names.size ? HEADER + even(long_names.size) : 0;

    buffer_printf(&out, "!<arch>\n");
    if (index) {
        header(&out, "/", index_size);
        big_endian(&out, (uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            big_endian(&out, (uint32_t)at);
            at += HEADER + even(files[i].content->size);
        }
        for (size_t i = 0; i < count; i++)
            buffer_append(&out, files[i].symbol, strlen(files[i].symbol) + 1);
        pad(&out);
    }
    if (long_names.size) {
        header(&out, "//", long_names.size);
        buffer_append(&out, long_names.data, long_names.size);
        pad(&out);
    }
    size_t long_name = 0;
    for (size_t i = 0; i < count; i++) {
        char name[32];

        if (strlen(files[i].name) > SHORT_NAME) {
            snprintf(name, sizeof name, "/%zu", long_name);
            long_name += strlen(files[i].name) + 2;
        } else {
            snprintf(name, sizeof name, "%s/", files[i].name);
        }
        header(&out, name, files[i].content->size);
        buffer_append(&out, files[i].content->data, files[i].content->size);
        pad(&out);
    }
    buffer_free(&long_names);
    return out;
}
