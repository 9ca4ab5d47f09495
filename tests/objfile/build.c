/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/objfile/build.h"

#include <stdlib.h>
#include <string.h>

static void on_message(void *ctx, const struct diag_record *r)
{
    static const char *const words[] = {
        [DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
    struct buffer *b = ctx;

    buffer_printf(b, "%s%s%s: %s", r->file, *r->file ? ": " : "", words[r->severity], r->message);
    if (r->severity != DIAG_NOTE)
        buffer_printf(b, " [%s]", diag_slug(r->code));
    buffer_printf(b, "\n");
}

static void begin(struct job *j)
{
    if (!j->messages.mem)
        buffer_init(&j->messages, &j->mem);
    j->diag =
        diag_create(&j->mem, &(struct diag_options){.sink = on_message, .sink_ctx = &j->messages});
}

void job_begin(struct job *j)
{
    *j = (struct job){.mem = mem_default()};
    j->mem.on_exhausted = &j->exhausted;
    if (setjmp(j->exhausted))
        abort(); /* a test has memory enough */
    begin(j);
}

void job_begin_with(struct job *j, struct mem *m)
{
    *j = (struct job){.mem = *m};
    begin(j);
}

void job_end(struct job *j)
{
    diag_destroy(j->diag);
    buffer_free(&j->messages);
}

const char *job_messages(struct job *j)
{
    diag_flush(j->diag);
    buffer_reserve(&j->messages, 1);
    j->messages.data[j->messages.size] = '\0';
    return (const char *)j->messages.data;
}

void job_clear(struct job *j)
{
    diag_destroy(j->diag); /* it would not repeat a message */
    j->messages.size = 0;
    begin(j);
}

int build_section(struct object *o, const char *name, uint32_t type, uint64_t flags, uint64_t align,
                  const void *data, size_t size)
{
    *vec_push(o->mem, &o->sections) =
        (struct obj_section){.name = name,
                             .type = type,
                             .flags = flags,
                             .align = align,
                             .size = size,
                             .data = data ? arena_copy(o->arena, data, size) : NULL};
    return (int)o->sections.count - 1;
}

int build_text(struct object *o, const void *data, size_t size)
{
    return build_section(o, ".text", OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, 4, data, size);
}

int build_words(struct object *o, const char *name, size_t size)
{
    return build_section(o, name, OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, 4,
                         arena_alloc(o->arena, size + 1), size);
}

uint32_t build_symbol(struct object *o, const char *name, uint8_t bind, int section, uint64_t value)
{
    *vec_push(o->mem, &o->symbols) =
        (struct obj_symbol){.name = name, .bind = bind, .section = section, .value = value};
    return (uint32_t)o->symbols.count - 1;
}

void build_reloc(struct object *o, int section, uint64_t offset, uint32_t type, uint32_t symbol,
                 int64_t addend)
{
    *vec_push(o->mem, &o->sections.item[section].relocs) =
        (struct obj_reloc){.offset = offset, .symbol = symbol, .type = type, .addend = addend};
}

struct buffer build_elf(struct job *j, struct object *o, bool debug)
{
    struct buffer elf;

    buffer_init(&elf, &j->mem);
    obj_write_elf(o, debug, &elf);
    obj_destroy(o);
    return elf;
}

const struct obj_symbol *find_symbol(const struct object *o, const char *name)
{
    for (size_t i = 0; i < o->symbols.count; i++)
        if (!strcmp(o->symbols.item[i].name, name))
            return &o->symbols.item[i];
    fail_msg("no symbol %s", name);
    return NULL;
}

const struct obj_section *find_section(const struct object *o, const char *name)
{
    for (size_t i = 0; i < o->sections.count; i++)
        if (!strcmp(o->sections.item[i].name, name))
            return &o->sections.item[i];
    return NULL;
}
