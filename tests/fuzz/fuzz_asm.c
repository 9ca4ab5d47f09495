/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Assembler text. Promises: an object or at least one error, never both or neither (running out of
 * the memory budget is an error); every message has a place within the text; an object can be read
 * back; all memory is freed. The first byte chooses revision and target.
 */
#include <string.h>

#include "pto.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY_LIMIT = 192 << 20 };

static const char *const revisions[] = {NULL, "pto0.58.2", "pto0.58.3", "pto0.58.5"};
static const char *const generations[] = {NULL, "sunda", "mariana", "maverick"};

struct told {
    unsigned errors, lines;
};

static void count_message(void *ctx, const struct pto_message *m)
{
    struct told *t = ctx;
    t->errors += m->severity == PTO_ERROR;
    fuzz_require(m->severity == PTO_NOTE || *m->code);
    fuzz_require(*m->text);
    if (!strcmp(m->file, "fuzz.pto"))
        fuzz_require(m->line <= t->lines);
}

/* LF, CRLF and CR end lines; a last line without an end counts. */
static unsigned count_lines(const char *text, size_t size)
{
    unsigned lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n' || text[i] == '\r';
    return lines;
}

static void *resize(void *ctx, void *block, size_t size)
{
    struct budget *b = ctx;
    return b->mem.resize(b->mem.ctx, block, size);
}

static void check(struct pto *p, const struct told *told, const char *text, size_t size)
{
    struct pto_object *o = pto_assemble(p, "fuzz.pto", text, size);
    fuzz_require((o != NULL) == (told->errors == 0));
    if (o) {
        size_t length;
        const void *elf = pto_object_elf(o, &length);
        struct pto_object *again = pto_read(p, "fuzz.o", elf, length);
        fuzz_require(again || told->errors); /* the budget may not hold it twice */
        pto_object_destroy(again);
    }
    pto_object_destroy(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    struct budget budget;
    struct told told = {.lines = count_lines(text, size - 1)};
    struct pto_options options = {
        .march = revisions[data[0] & 3],
        .mseq = generations[data[0] >> 2 & 3],
        .message = count_message,
        .message_ctx = &told,
        .resize = resize,
        .resize_ctx = &budget,
    };
    budget_init(&budget, MEMORY_LIMIT);
    struct pto *p = pto_create(&options);
    if (p)
        check(p, &told, text, size - 1);
    pto_destroy(p);
    budget_check(&budget);
    return 0;
}
