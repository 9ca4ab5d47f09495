/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linker scripts: the input lays out a fixed object with code, data, SEQ records and common
 * symbols. Promises: a program or at least one error, never both or neither (running out of the
 * memory budget is an error); every message has a place within the script; the program can be
 * written and read back; all memory is freed.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "link/link.h"
#include "pto.h"
#include "tests/fuzz/fuzz.h"

enum { MEMORY_LIMIT = 192 << 20, PATH_SIZE = 64 };

static const char source[] = "\t.globl _start\n_start:\tC.BSTART DIRECT, f\n\tC.BSTOP\n"
                             "\t.section .text.f,\"ax\"\nf:\tC.BSTART.STD RET\n\tC.BSTOP\n"
                             "\t.data\n\t.globl d\nd:\t.8byte f\n\t.4byte s - ., 0\n"
                             "\t.section .rodata.str,\"aMS\",@progbits,1\ns:\t.asciz \"text\"\n"
                             "\t.bss\nb:\t.zero 24\n\t.comm c, 16, 8\n"
                             "\t.section keep,\"a\"\n\t.4byte 7\n"
                             "\t.seq\n\tMOVE.UINT32 R1 = d\n\tHALT\n";

struct step {
    struct mem *mem;
    struct diag *diag;
    const char *script;
    const uint8_t *object;
    size_t size;
    struct object *linked, *again;
    struct buffer text, map;
};

struct told {
    const char *script;
    unsigned errors, lines;
};

static void count_error(void *ctx, const struct diag_record *r)
{
    struct told *t = ctx;
    t->errors += r->severity == DIAG_ERROR;
    if (r->file && !strcmp(r->file, t->script))
        fuzz_require(r->loc.line <= t->lines);
}

static void link_it(void *ctx)
{
    struct step *s = ctx;
    const struct link_input input = {
        .kind = LINK_FILE, .name = "fuzz.o", .bytes = s->object, .size = s->size};
    struct link_options options = {.script = s->script,
                                   .inputs = &input,
                                   .ninputs = 1,
                                   .map = &s->map,
                                   .messages = &s->map,
                                   .print_memory_usage = true};
    s->linked = link_run(s->mem, s->diag, &options);
    if (!s->linked)
        return;
    obj_write_elf(s->linked, false, &s->text);
    s->again = obj_read_elf(s->mem, s->diag, "linked", s->text.data, s->text.size);
}

static void run(const char *script, unsigned lines, const uint8_t *object, size_t size)
{
    struct budget budget;
    struct told told = {.script = script, .lines = lines};
    budget_init(&budget, MEMORY_LIMIT);
    struct diag *diag = budget_diag(&budget, count_error, &told);
    struct step s = {
        .mem = &budget.mem, .diag = diag, .script = script, .object = object, .size = size};
    buffer_init(&s.text, &budget.mem);
    buffer_init(&s.map, &budget.mem);
    bool done = budget_run(&budget, link_it, &s);
    fuzz_require(!done || (s.linked != NULL) == (told.errors == 0));
    fuzz_require(!done || !s.linked || s.again);
    obj_destroy(s.linked);
    obj_destroy(s.again);
    buffer_free(&s.text);
    buffer_free(&s.map);
    diag_destroy(diag);
    budget_check(&budget);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_SIZE];
    unsigned lines = 1;
    size_t object_size;
    FILE *file = tmpfile();
    struct pto *p = pto_create(NULL);
    struct pto_object *object = pto_assemble(p, "fuzz.pto", source, strlen(source));
    const void *elf = pto_object_elf(object, &object_size);
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r';
    fuzz_require(file && fwrite(data, 1, size, file) == size && !fflush(file));
    /* The linker opens scripts by name. */
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    run(path, lines, elf, object_size);
    fclose(file);
    pto_object_destroy(object);
    pto_destroy(p);
    return 0;
}
