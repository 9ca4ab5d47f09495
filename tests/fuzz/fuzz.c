/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/* The size of a block stands in front of it, in a piece as wide as malloc's alignment. */
enum { HEADER = 16 };

static void *budget_resize(void *ctx, void *block, size_t size)
{
    struct budget *b = ctx;
    size_t *old = block ? (size_t *)(void *)((char *)block - HEADER) : NULL;
    size_t before = old ? *old : 0;
    if (size == 0) {
        b->used -= before;
        b->live -= old != NULL;
        free(old);
        return NULL;
    }
    if (size > b->limit || b->used - before > b->limit - size)
        return NULL;
    size_t *grown = realloc(old, size + HEADER);
    if (!grown)
        return NULL;
    *grown = size;
    b->used += size - before;
    b->live += old == NULL;
    return (char *)grown + HEADER;
}

void budget_init(struct budget *b, size_t limit)
{
    *b = (struct budget){.limit = limit};
    b->mem = (struct mem){.resize = budget_resize, .ctx = b};
}

bool budget_run(struct budget *b, void (*job)(void *ctx), void *ctx)
{
    return mem_attempt(&b->mem, job, ctx);
}

struct opening {
    struct mem *mem;
    struct diag_options options;
    struct diag *diag;
};

static void open_diag(void *ctx)
{
    struct opening *o = ctx;
    o->diag = diag_create(o->mem, &o->options);
}

struct diag *budget_diag(struct budget *b,
                         void (*sink)(void *ctx, const struct diag_record *record), void *sink_ctx)
{
    struct opening o = {.mem = &b->mem, .options = {.sink = sink, .sink_ctx = sink_ctx}};
    budget_run(b, open_diag, &o);
    return o.diag;
}

void budget_check(const struct budget *b)
{
    if (b->live != 0)
        fuzz_fail("%ld blocks with %zu bytes were not freed", b->live, b->used);
}

void fuzz_fail(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    abort();
}
