/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instruction words. Promises: what is decoded prints as text that assembles to the same bytes, and
 * so does every other word as `.inst`. The first byte chooses revision, generation and instruction
 * set, the rest is the code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objfile/objfile.h"
#include "pto.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_CODE = 4096 };

static const char *const revisions[] = {"pto0.58.3", "pto0.58.2", "pto0.58.5", "pto0.58.3"};
static const char *const generations[] = {"cayman", "sunda", "mariana", "maverick"};

static void show_message(void *ctx, const struct pto_message *m)
{
    (void)ctx;
    fprintf(stderr, "%s:%u:%u: %s [%s]\n", m->file, m->line, m->column, m->text, m->code);
}

/* The text of all words; *used is how many bytes they take, without a last word that is cut off. */
static void disassemble(struct pto *p, enum pto_set set, const uint8_t *code, size_t size,
                        struct buffer *source, size_t *used)
{
    char text[4096]; /* 64 bytes as .inst, and what they mean */
    *used = 0;
    while (*used < size) {
        size_t length = 0;
        enum pto_decode kind =
            pto_decode(p, set, code + *used, size - *used, &length, text, sizeof text);
        if (kind == PTO_TRUNCATED)
            return;
        fuzz_require(length > 0 && length <= size - *used);
        fuzz_require(strlen(text) < sizeof text - 1);
        fuzz_require(kind == PTO_DECODED || !strncmp(text, ".inst ", 6));
        buffer_printf(source, "%s\n", text);
        *used += length;
    }
}

static void compare(struct pto *p, const char *section, const struct buffer *source,
                    const uint8_t *code, size_t size)
{
    struct pto_object *o = pto_assemble(p, "decoded", (const char *)source->data, source->size);
    fuzz_require(o);
    size_t length;
    const void *elf = pto_object_elf(o, &length);
    struct mem heap = mem_default();
    struct diag *diag = diag_create(&heap, &(struct diag_options){0});
    struct object *object = obj_read_elf(&heap, diag, "decoded", elf, length);
    fuzz_require(object);
    const struct obj_section *found = NULL;
    for (size_t i = 0; i < object->sections.count; i++)
        if (!strcmp(object->sections.item[i].name, section))
            found = &object->sections.item[i];
    if (size > 0) {
        fuzz_require(found && found->size == size);
        fuzz_require(!memcmp(found->data, code, size));
    }
    obj_destroy(object);
    diag_destroy(diag);
    pto_object_destroy(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > MOST_CODE)
        return 0;
    bool seq = data[0] & 1;
    struct pto *p = pto_create(&(struct pto_options){.march = revisions[data[0] >> 1 & 3],
                                                     .mseq = generations[data[0] >> 3 & 3],
                                                     .message = show_message});
    struct mem heap = mem_default();
    struct buffer source;
    size_t used;
    fuzz_require(p);
    buffer_init(&source, &heap);
    buffer_printf(&source, seq ? ".section .seq\n" : ".text\n.option nobundle\n");
    disassemble(p, seq ? PTO_SET_SEQ : PTO_SET_PTO, data + 1, size - 1, &source, &used);
    compare(p, seq ? ".seq" : ".text", &source, data + 1, used);
    buffer_free(&source);
    pto_destroy(p);
    return 0;
}
