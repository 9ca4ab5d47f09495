/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An arena is a list of chunks, each larger than the one before up to a limit.
 * arena_reset goes back to the first chunk and walks the list again. The first
 * chunk comes with the arena, so that an owner which lives in its own arena
 * needs one allocation: when it fails, nothing is left behind.
 */
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/mem.h"

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

struct chunk {
    struct chunk *next;
    size_t size; /* bytes of data */
    alignas(max_align_t) uint8_t data[];
};

static void use_chunk(struct arena *a, struct chunk *c)
{
    a->current = c;
    a->free = c->data;
    a->end = c->data + c->size;
}

struct arena *arena_create(struct mem *m)
{
    struct arena *a = mem_resize(m, NULL, sizeof *a + sizeof *a->first + FIRST_CHUNK);
    a->mem = m;
    a->first = (struct chunk *)(a + 1);
    *a->first = (struct chunk){.size = FIRST_CHUNK};
    use_chunk(a, a->first);
    return a;
}

struct mem *arena_mem(const struct arena *a)
{
    return a->mem;
}

static struct chunk *chunk_create(struct arena *a, size_t least)
{
    size_t size = a->current->size < LARGEST_CHUNK / 2 ? a->current->size * 2 : LARGEST_CHUNK;
    if (size < least)
        size = least;
    size_t total;
    if (__builtin_add_overflow(size, sizeof(struct chunk), &total))
        total = SIZE_MAX;
    struct chunk *c = mem_resize(a->mem, NULL, total);
    *c = (struct chunk){.size = size};
    return c;
}

/* Makes `current` a chunk with `size` free bytes at its start. */
static void next_chunk(struct arena *a, size_t size)
{
    struct chunk *next = a->current->next;
    if (!next || next->size < size) {
        struct chunk *c = chunk_create(a, size);
        c->next = next;
        a->current->next = c;
        next = c;
    }
    use_chunk(a, next);
}

static void *take(struct arena *a, size_t size, size_t align)
{
    uint8_t *p = a->free + (-(uintptr_t)a->free & (align - 1));
    if (p > a->end || size > (size_t)(a->end - p)) {
        next_chunk(a, size);
        p = a->free;
    }
    a->free = p + size;
    return p;
}

void *arena_take(struct arena *a, size_t size)
{
    return take(a, size, alignof(max_align_t));
}

static size_t product(size_t count, size_t size)
{
    size_t total;
    return __builtin_mul_overflow(count, size, &total) ? SIZE_MAX /* refused by mem_resize */
                                                       : total;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    return arena_alloc(a, product(count, size));
}

void *arena_raw_array(struct arena *a, size_t count, size_t size)
{
    return take(a, product(count, size), alignof(max_align_t));
}

void *arena_copy(struct arena *a, const void *data, size_t size)
{
    void *p = take(a, size, alignof(max_align_t));
    return size > 0 ? memcpy(p, data, size) : p;
}

char *arena_string(struct arena *a, const char *text, size_t len)
{
    char *p = take(a, len + 1, 1);
    if (len > 0)
        memcpy(p, text, len);
    p[len] = '\0';
    return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *p = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return p;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (len < 0)
        return arena_string(a, "", 0);
    char *p = take(a, (size_t)len + 1, 1);
    vsnprintf(p, (size_t)len + 1, fmt, ap);
    return p;
}

void arena_reset(struct arena *a)
{
    use_chunk(a, a->first);
}

void arena_destroy(struct arena *a)
{
    if (!a)
        return;
    struct mem *m = a->mem;
    for (struct chunk *c = a->first->next, *next; c; c = next) {
        next = c->next;
        mem_resize(m, c, 0);
    }
    mem_resize(m, a, 0);
}
