/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mem that counts its blocks and refuses the n-th request. With it a test
 * shows that a job survives exhaustion at every point and leaks nothing:
 *
 *   for (unsigned long n = 1; failing_mem_run(n, job, ctx) != FAILING_MEM_DONE; n++)
 *       ;
 */
#ifndef PTO_TESTS_FAILING_MEM_H
#define PTO_TESTS_FAILING_MEM_H

#include "support/mem.h"

struct failing_mem {
    struct mem mem;
    unsigned long requests; /* allocations and enlargements so far */
    unsigned long fail_at;  /* from this request on every one fails; 0: never */
    long live;              /* blocks not yet freed */
};

void failing_mem_init(struct failing_mem *f, unsigned long fail_at);

enum failing_mem_result {
    FAILING_MEM_DONE,      /* the job ended without meeting the refused request */
    FAILING_MEM_EXHAUSTED, /* it met it, and left by on_exhausted or by itself */
};

/* Runs job once with a mem whose fail_at-th request fails. A job that has cleaning up to do sets
 * mem->on_exhausted itself, as the entry points of libpto do. Asserts (cmocka) that no block is
 * left. */
enum failing_mem_result failing_mem_run(unsigned long fail_at,
                                        void (*job)(struct mem *mem, void *ctx), void *ctx);

#endif
