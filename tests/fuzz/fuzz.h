/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One fuzz target: what libFuzzer and AFL++ call with each input, and what
 * replay.c calls with each file of the corpus under `make check`.
 */
#ifndef PTO_TESTS_FUZZ_H
#define PTO_TESTS_FUZZ_H

#include "support/support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Memory that a job may hold at one time. An input that asks for more ends in the job's own
 * out-of-memory path instead of the machine's.
 */
struct budget {
    struct mem mem;
    size_t used, limit;
    long live; /* blocks */
};

void budget_init(struct budget *b, size_t limit);

/* Runs job(ctx). False when memory ran out in it; both ways out are good ones. */
bool budget_run(struct budget *b, void (*job)(void *ctx), void *ctx);

/* Where the messages of a job go. NULL when there is no memory for it. */
struct diag *budget_diag(struct budget *b,
                         void (*sink)(void *ctx, const struct diag_record *record), void *sink_ctx);

/* Aborts when not all blocks are freed. */
void budget_check(const struct budget *b);

/* Aborts with the message; how a target reports a broken promise. */
_Noreturn void fuzz_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define fuzz_require(condition)                                                                    \
    ((condition) ? (void)0 : fuzz_fail("%s:%d: %s", __FILE__, __LINE__, #condition))

#endif
