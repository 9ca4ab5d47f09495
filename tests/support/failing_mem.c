/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/support/failing_mem.h"

static void *failing_resize(void *ctx, void *block, size_t size)
{
    struct failing_mem *f = ctx;
    if (size == 0) {
        f->live -= block != NULL;
        free(block);
        return NULL;
    }
    f->requests++;
    if (f->fail_at != 0 && f->requests >= f->fail_at)
        return NULL;
    void *p = realloc(block, size);
    f->live += p && !block;
    return p;
}

void failing_mem_init(struct failing_mem *f, unsigned long fail_at)
{
    *f = (struct failing_mem){.fail_at = fail_at};
    f->mem.resize = failing_resize;
    f->mem.ctx = f;
}

enum failing_mem_result failing_mem_run(unsigned long fail_at,
                                        void (*job)(struct mem *mem, void *ctx), void *ctx)
{
    struct failing_mem f;
    jmp_buf exhausted;
    failing_mem_init(&f, fail_at);
    f.mem.on_exhausted = &exhausted;
    if (setjmp(exhausted) == 0)
        job(&f.mem, ctx);
    assert_int_equal(f.live, 0);
    return fail_at != 0 && f.requests >= fail_at ? FAILING_MEM_EXHAUSTED : FAILING_MEM_DONE;
}
