/* SPDX-License-Identifier: BSD-3-Clause */
#include "lsp/document.h"

#include <ctype.h>
#include <string.h>

#include "grammar/text.h"

enum { END_PADDING = 2 };

/* ---- URIs ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *path_of_uri(struct mem *m, const char *uri)
{
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, strlen(scheme)) != 0)
        return NULL;
    const char *p = strchr(uri + strlen(scheme), '/'); /* behind the host */
    if (!p)
        return NULL;
    char *path = mem_resize(m, NULL, strlen(p) + 1), *out = path;
    for (; *p; p++) {
        bool escape = *p == '%' && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0;
        int byte = escape ? hex_digit(p[1]) * 16 + hex_digit(p[2]) : *p;
        if (byte)
            *out++ = (char)byte;
        p += escape ? 2 : 0;
    }
    *out = '\0';
    return path;
}

json_t *uri_of_path(const char *path)
{
    struct mem heap = mem_default();
    struct buffer b;
    if (path[0] != '/')
        return json_string(path);
    jmp_buf exhausted;
    heap.on_exhausted = &exhausted;
    if (setjmp(exhausted))
        return NULL;
    buffer_init(&b, &heap);
    buffer_text(&b, "file://");
    for (const char *p = path; *p; p++)
        if (isalnum((unsigned char)*p) || strchr("/-._~", *p))
            buffer_append(&b, p, 1);
        else
            buffer_printf(&b, "%%%02X", (unsigned)(unsigned char)*p);
    json_t *uri = json_stringn((const char *)b.data, b.size);
    buffer_free(&b);
    return uri;
}

/* ---- text ---- */

static char *copy_string(struct mem *m, const char *text, size_t size)
{
    char *copy = mem_resize(m, NULL, size + 1);
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

const char *document_text(const struct document *d)
{
    return (const char *)d->text.data;
}

static void find_lines(struct document *d)
{
    const char *text = document_text(d), *end = text + d->text.size;
    d->lines.count = 0;
    *vec_push(d->mem, &d->lines) = 0;
    for (const char *p = text; p < end;) {
        size_t size = text_line_end(p, end);
        p += size ? size : 1;
        if (size)
            *vec_push(d->mem, &d->lines) = (size_t)(p - text);
    }
}

void document_replace(struct document *d, size_t begin, size_t end, const char *text, size_t size)
{
    size_t behind = d->text.size - end;
    buffer_reserve(&d->text, size + END_PADDING);
    memmove(d->text.data + begin + size, d->text.data + end, behind);
    if (size)
        memcpy(d->text.data + begin, text, size);
    d->text.size = begin + size + behind;
    memset(d->text.data + d->text.size, 0, END_PADDING);
    find_lines(d);
    d->due = true;
}

struct document *document_open(struct mem *m, const char *uri, json_int_t version, const char *text,
                               size_t size)
{
    struct document *d = mem_resize(m, NULL, sizeof *d);
    *d = (struct document){.mem = m, .version = version};
    buffer_init(&d->text, m);
    d->uri = copy_string(m, uri, strlen(uri));
    d->name = path_of_uri(m, uri);
    if (d->name) {
        const char *slash = strrchr(d->name, '/');
        d->directory = copy_string(m, d->name, (size_t)(slash - d->name));
    } else {
        d->name = copy_string(m, uri, strlen(uri));
    }
    d->arena = arena_create(m);
    document_replace(d, 0, 0, text, size);
    return d;
}

void document_close(struct document *d)
{
    buffer_free(&d->text);
    vec_free(d->mem, &d->lines);
    vec_free(d->mem, &d->definitions);
    vec_free(d->mem, &d->includes);
    arena_destroy(d->arena);
    mem_resize(d->mem, d->uri, 0);
    mem_resize(d->mem, d->name, 0);
    mem_resize(d->mem, d->directory, 0);
    mem_resize(d->mem, d, 0);
}

/* ---- places ---- */

size_t document_line_end(const struct document *d, size_t line)
{
    size_t end = line + 1 < d->lines.count ? d->lines.item[line + 1] : d->text.size;
    const char *text = document_text(d);
    if (line + 1 < d->lines.count)
        end -= end >= 2 && text[end - 1] == '\n' && text[end - 2] == '\r' ? 2 : 1;
    return end;
}

/* Bytes of the UTF-8 character; the text is valid, as JSON has it. */
static size_t character_bytes(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static size_t units(enum encoding e, size_t bytes)
{
    return e == ENCODING_UTF8 ? bytes : bytes == 4 ? 2 : 1;
}

size_t document_offset(const struct document *d, enum encoding e, struct place place)
{
    if (place.line >= d->lines.count)
        return d->text.size;
    size_t at = d->lines.item[place.line], end = document_line_end(d, place.line);
    for (size_t passed = 0; at < end;) {
        size_t bytes = character_bytes(d->text.data[at]);
        passed += units(e, bytes);
        if (passed > place.character)
            break; /* within a character: its beginning */
        at += bytes;
    }
    return at < end ? at : end;
}

struct place document_place(const struct document *d, enum encoding e, size_t offset)
{
    size_t low = 0, high = d->lines.count;
    if (offset > d->text.size)
        offset = d->text.size;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (d->lines.item[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    struct place place = {low, 0};
    for (size_t at = d->lines.item[low]; at < offset;) {
        size_t bytes = character_bytes(d->text.data[at]);
        place.character += units(e, bytes);
        at += bytes;
    }
    return place;
}

size_t document_byte(const struct document *d, uint32_t line, uint32_t col)
{
    static const char mark[] = "\xef\xbb\xbf"; /* the assembler does not count it */
    if (line == 0 || line > d->lines.count)
        return line == 0 ? 0 : d->text.size;
    size_t at = d->lines.item[line - 1], end = document_line_end(d, line - 1);
    if (line == 1 && d->text.size >= 3 && memcmp(d->text.data, mark, 3) == 0)
        at += 3;
    at += col ? col - 1 : 0;
    return at < end ? at : end;
}
