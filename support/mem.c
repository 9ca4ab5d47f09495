/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *heap_resize(void *ctx, void *block, size_t size)
{
    (void)ctx;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

struct mem mem_default(void)
{
    return (struct mem){.resize = heap_resize};
}

/* A job that allocates without an entry point to return to is a fault of the
 * program, not of its input. */
_Noreturn void mem_give_up(struct mem *m)
{
    if (!m->on_exhausted)
        abort();
    longjmp(*m->on_exhausted, 1);
}

bool mem_attempt(struct mem *m, void (*job)(void *ctx), void *ctx)
{
    jmp_buf here, *outer = m->on_exhausted;
    m->on_exhausted = &here;
    if (setjmp(here)) {
        m->on_exhausted = outer;
        return false;
    }
    job(ctx);
    m->on_exhausted = outer;
    return true;
}

void *mem_resize(struct mem *m, void *block, size_t size)
{
    if (size > PTRDIFF_MAX)
        mem_give_up(m);
    void *p = m->resize(m->ctx, block, size);
    if (!p && size != 0)
        mem_give_up(m);
    return p;
}

void *mem_resize_array(struct mem *m, void *block, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        mem_give_up(m);
    return mem_resize(m, block, total);
}

/* Capacity that holds `need` elements and at least doubles, so that appending
 * n elements costs O(n). */
static size_t grown(struct mem *m, size_t capacity, size_t need, size_t least)
{
    size_t twice;
    if (need < capacity)
        mem_give_up(m); /* the sum that made `need` wrapped */
    if (__builtin_mul_overflow(capacity, 2, &twice))
        mem_give_up(m);
    if (twice < least)
        twice = least;
    return twice < need ? need : twice;
}

void buffer_init(struct buffer *b, struct mem *m)
{
    *b = (struct buffer){.mem = m};
}

void buffer_reserve(struct buffer *b, size_t more)
{
    if (more <= b->capacity - b->size)
        return;
    size_t capacity = grown(b->mem, b->capacity, b->size + more, 64);
    b->data = mem_resize(b->mem, b->data, capacity);
    b->capacity = capacity;
}

void *buffer_extend(struct buffer *b, size_t more)
{
    buffer_reserve(b, more);
    uint8_t *p = b->data ? b->data + b->size : NULL;
    if (more > 0)
        memset(p, 0, more);
    b->size += more;
    return p;
}

void buffer_append(struct buffer *b, const void *data, size_t size)
{
    if (size == 0)
        return;
    buffer_reserve(b, size);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

void buffer_printf(struct buffer *b, const char *fmt, ...)
{
    enum { MOSTLY_ENOUGH = 120 };
    va_list ap;
    buffer_reserve(b, MOSTLY_ENOUGH);
    size_t room = b->capacity - b->size;
    va_start(ap, fmt);
    int len = vsnprintf((char *)b->data + b->size, room, fmt, ap);
    va_end(ap);
    if (len <= 0)
        return;
    if ((size_t)len >= room) {
        buffer_reserve(b, (size_t)len + 1);
        va_start(ap, fmt);
        vsnprintf((char *)b->data + b->size, (size_t)len + 1, fmt, ap);
        va_end(ap);
    }
    b->size += (size_t)len;
}

void buffer_text(struct buffer *b, const char *text)
{
    buffer_append(b, text, strlen(text));
}

void buffer_hex(struct buffer *b, uint64_t value, unsigned width, char pad)
{
    enum { DIGITS = 16 };
    static const char digit[] = "0123456789abcdef";
    char text[DIGITS];
    unsigned at = DIGITS;
    do
        text[--at] = digit[value & 15];
    while (value >>= 4);
    while (at > 0 && DIGITS - at < width)
        text[--at] = pad;
    buffer_append(b, text + at, DIGITS - at);
}

void buffer_free(struct buffer *b)
{
    if (b->data)
        mem_resize(b->mem, b->data, 0);
    *b = (struct buffer){.mem = b->mem};
}

void vec_reserve_(struct mem *m, void **item, size_t count, size_t *capacity, size_t more,
                  size_t size)
{
    if (more <= *capacity - count)
        return;
    if (more > SIZE_MAX - count)
        mem_give_up(m);
    *item = mem_resize_array(m, *item, count + more, size);
    *capacity = count + more;
}

void *vec_push_(struct mem *m, void **item, size_t *count, size_t *capacity, size_t size)
{
    if (*count == *capacity) {
        size_t larger = grown(m, *capacity, *count + 1, 8);
        *item = mem_resize_array(m, *item, larger, size);
        *capacity = larger;
    }
    uint8_t *p = (uint8_t *)*item + *count * size;
    ++*count;
    return memset(p, 0, size);
}
