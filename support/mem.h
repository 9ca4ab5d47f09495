/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory: where it comes from and what happens when there is none left.
 *
 * Every job (assemble, link, simulate) owns one `struct mem`. Arenas, tables
 * and buffers draw from it. Running out of memory has one path: mem_resize
 * jumps to `on_exhausted`, the job's entry point, which reports
 * DIAG_OUT_OF_MEMORY and fails. Code between never tests for NULL.
 */
#ifndef PTO_SUPPORT_MEM_H
#define PTO_SUPPORT_MEM_H

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct mem {
    /* Like realloc; size 0 frees and returns NULL. NULL means exhausted. */
    void *(*resize)(void *ctx, void *block, size_t size);
    void *ctx;
    jmp_buf *on_exhausted; /* set by the job's entry point before any allocation */
};

/* A mem over the C library's heap; `on_exhausted` is left for the caller. */
struct mem mem_default(void);

/* Never returns NULL for size > 0. mem_resize(m, p, 0) frees. */
void *mem_resize(struct mem *m, void *block, size_t size);

/* count * size with the overflow check; jumps to on_exhausted on overflow. */
void *mem_resize_array(struct mem *m, void *block, size_t count, size_t size);

/* Runs job(ctx); false when memory ran out in it. Then the caller releases what the job has made
 * by then (ctx knows it), and reports, or goes on to the outer on_exhausted with mem_give_up. */
bool mem_attempt(struct mem *m, void (*job)(void *ctx), void *ctx);
_Noreturn void mem_give_up(struct mem *m);

/*
 * Arena: memory that is released all at once. Blocks are aligned for any
 * object. arena_alloc returns zeroed memory and never NULL; nodes have a size
 * that is known where they are made, so it is inline. The members are private.
 */
struct chunk;
struct arena {
    alignas(max_align_t) struct mem *mem;
    uint8_t *free, *end;           /* of the current chunk */
    struct chunk *first, *current; /* the first one lies behind this struct */
};
void *arena_take(struct arena *a, size_t size); /* aligned, with whatever it holds */

struct arena *arena_create(struct mem *m);
static inline void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
/* As arena_array, but with whatever the memory holds: for what is written at once. */
void *arena_raw_array(struct arena *a, size_t count, size_t size);
void *arena_copy(struct arena *a, const void *data, size_t size);
char *arena_string(struct arena *a, const char *text, size_t len); /* NUL-terminated copy */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
struct mem *arena_mem(const struct arena *a); /* where it draws from */
void arena_reset(struct arena *a);            /* forget all blocks, keep the memory for reuse */
void arena_destroy(struct arena *a);          /* NULL is allowed */

static inline void *arena_alloc(struct arena *a, size_t size)
{
    uint8_t *p = a->free + (-(uintptr_t)a->free & (alignof(max_align_t) - 1));
    if (p > a->end || size > (size_t)(a->end - p))
        p = arena_take(a, size);
    else
        a->free = p + size;
    return memset(p, 0, size);
}

/* A growable byte buffer. Zero-initialise with a mem, release with buffer_free. */
struct buffer {
    struct mem *mem;
    uint8_t *data;
    size_t size, capacity;
};
void buffer_init(struct buffer *b, struct mem *m);
void buffer_reserve(struct buffer *b, size_t more); /* room for `more` bytes behind size */
void *buffer_extend(struct buffer *b, size_t more); /* size += more; zeroed; pointer to it */
void buffer_append(struct buffer *b, const void *data, size_t size);
void buffer_printf(struct buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What a disassembly is made of; several times faster than buffer_printf. Hexadecimal digits are
 * filled up with `pad` to `width`, at most 16. */
void buffer_text(struct buffer *b, const char *text);
void buffer_hex(struct buffer *b, uint64_t value, unsigned width, char pad);
void buffer_free(struct buffer *b);

/*
 * A growable array of one element type: VEC(struct x) v; vec_push(m, &v) gives
 * a zeroed new last element. Plain macros over three members, no hidden state.
 */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *item;                                                                                \
        size_t count, capacity;                                                                    \
    }
void *vec_push_(struct mem *m, void **item, size_t *count, size_t *capacity, size_t size);
#define vec_push(m, v)                                                                             \
    ((__typeof__((v)->item))vec_push_((m), (void **)&(v)->item, &(v)->count, &(v)->capacity,       \
                                      sizeof *(v)->item))
/* Room for `more` elements behind the last, so that many pushes move nothing. */
void vec_reserve_(struct mem *m, void **item, size_t count, size_t *capacity, size_t more,
                  size_t size);
#define vec_reserve(m, v, more)                                                                    \
    vec_reserve_((m), (void **)&(v)->item, (v)->count, &(v)->capacity, (more), sizeof *(v)->item)
#define vec_free(m, v)                                                                             \
    (mem_resize((m), (v)->item, 0), (v)->item = NULL, (v)->count = (v)->capacity = 0)

#endif
