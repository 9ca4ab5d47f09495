/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames: headers, an empty line, as many bytes of JSON as Content-Length says. */
#include <string.h>
#include <strings.h>

#include "lsp/server.h"

enum { MOST_HEADER = 4096, MOST_CONTENT = 64 << 20 };

void stream_write(struct lsp *s, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text)
        return;
    buffer_printf(s->out, "Content-Length: %zu\r\n\r\n", strlen(text));
    buffer_text(s->out, text);
    free(text);
}

void stream_give_up(struct lsp *s)
{
    stream_write(s, json_pack("{s:s, s:n, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", "error", "code",
                              (int)ERROR_PARSE, "message", s->broken));
    s->ended = true;
    s->status = 1;
}

/* The number in a header line; false: it is not a number in range. */
static bool read_length(const char *at, const char *end, size_t *length)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (at < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    bool good = at < end;
    for (*length = 0; at < end && good; at++) {
        good = *at >= '0' && *at <= '9' && *length <= MOST_CONTENT;
        *length = *length * 10 + (size_t)(*at - '0');
    }
    return good && *length <= MOST_CONTENT;
}

static const char *read_headers(const char *at, const char *end, size_t *length)
{
    static const char name[] = "Content-Length:";
    bool found = false;
    while (at < end) {
        const char *line_end = memmem(at, (size_t)(end - at), "\r\n", 2);
        if (!line_end)
            line_end = end;
        if ((size_t)(line_end - at) >= strlen(name) && strncasecmp(at, name, strlen(name)) == 0) {
            if (!read_length(at + strlen(name), line_end, length))
                return "Content-Length is no number up to 67108864";
            found = true;
        } else if (!memchr(at, ':', (size_t)(line_end - at))) {
            return "a header has no colon";
        }
        at = line_end + 2;
    }
    return found ? NULL : "there is no Content-Length";
}

/* A cancelled request that still waits is answered with an error in its turn. */
static void cancel(struct lsp *s, const json_t *message)
{
    const json_t *method = json_object_get(message, "method");
    const json_t *id = json_object_get(json_object_get(message, "params"), "id");
    if (!json_is_string(method) || strcmp(json_string_value(method), "$/cancelRequest") != 0)
        return;
    for (size_t i = s->next; id && i < s->queue.count; i++) {
        const json_t *other = s->queue.item[i].message;
        if (json_object_get(other, "method") && json_equal(json_object_get(other, "id"), id))
            s->queue.item[i].cancelled = true;
    }
}

static void take_message(struct lsp *s, const char *text, size_t size)
{
    json_t *message = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    cancel(s, message);
    vec_push(&s->mem, &s->queue)->message = message;
}

/* The bytes of the frame at the beginning of the input; 0: not complete. */
static size_t take_frame(struct lsp *s, const char *at, size_t size)
{
    const char *header_end = memmem(at, size < MOST_HEADER ? size : MOST_HEADER, "\r\n\r\n", 4);
    size_t length = 0;
    if (!header_end) {
        if (size >= MOST_HEADER)
            s->broken = "the headers do not end";
        return 0;
    }
    s->broken = read_headers(at, header_end, &length);
    if (s->broken)
        return 0;
    const char *content = header_end + 4;
    if ((size_t)(at + size - content) < length)
        return 0;
    take_message(s, content, length);
    return (size_t)(content - at) + length;
}

void stream_read(struct lsp *s)
{
    size_t used = 0, frame;
    do {
        frame = s->broken || used == s->input.size
                    ? 0
                    : take_frame(s, (const char *)s->input.data + used, s->input.size - used);
        used += frame;
    } while (frame);
    if (used) {
        memmove(s->input.data, s->input.data + used, s->input.size - used);
        s->input.size -= used;
    }
}
