/* SPDX-License-Identifier: BSD-3-Clause */
/* pto-objdump: objects, programs and archives as text. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "objdump/command.h"

enum status { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

struct tool {
    struct mem mem;
    struct command command;
    struct diag *diag;
    struct arena *arena;
    struct buffer text;
    bool illegal;
    bool lost; /* standard output does not take what it was given */
};

static void drain(void *ctx, struct buffer *text)
{
    struct tool *t = ctx;
    t->lost = fwrite(text->data, 1, text->size, stdout) != text->size || t->lost;
    text->size = 0;
}

/* False: standard output is gone. */
static bool print(struct tool *t)
{
    drain(t, &t->text);
    return !t->lost;
}

static bool dump_object(struct tool *t, const struct object *o)
{
    t->command.options.drain = drain;
    t->command.options.drain_ctx = t;
    if (!objdump_object(&t->mem, &t->command.options, o, &t->text))
        t->illegal = true;
    return print(t);
}

static bool dump_archive(struct tool *t, const char *name, const uint8_t *bytes, size_t size)
{
    struct obj_archive *a = obj_archive_open(&t->mem, t->diag, name, bytes, size);
    bool good = a != NULL;
    if (!a)
        return false;
    buffer_printf(&t->text, "In archive %s:\n", name);
    for (size_t i = 0; i < obj_archive_count(a); i++) {
        struct object *o = obj_archive_member(a, i);
        good = o && dump_object(t, o) && good;
    }
    obj_archive_close(a);
    return good;
}

/* False: reported. */
static bool dump_file(struct tool *t, const char *name)
{
    size_t size;
    const char *error;
    const uint8_t *bytes = (const uint8_t *)file_read(t->arena, name, &size, &error);
    if (!bytes) {
        diag_report_file(t->diag, DIAG_CANNOT_READ, name, "cannot read: %s", error);
        return false;
    }
    if (t->command.format == INPUT_ELF && obj_is_archive(bytes, size))
        return dump_archive(t, name, bytes, size);
    struct object *o = t->command.format == INPUT_BINARY
                           ? objdump_raw(&t->mem, name, t->command.raw_seq, bytes, size)
                           : obj_read_elf(&t->mem, t->diag, name, bytes, size);
    bool good = o && dump_object(t, o);
    obj_destroy(o);
    return good;
}

static bool dump_all(struct tool *t)
{
    struct command *c = &t->command;
    struct isa_target target = c->options.target;
    bool good = true;
    if (!target.pto)
        target.pto = 1 << ISA_REV_0_58_3;
    if (!target.seq)
        target.seq = 1 << ISA_GEN_CAYMAN;
    for (size_t i = 0; i < c->encodings.count; i++)
        good = objdump_encoding(t->diag, target, c->encodings.item[i], c->wavejson, &t->text) &&
               print(t) && good;
    for (size_t i = 0; i < c->inputs.count; i++)
        good = dump_file(t, c->inputs.item[i]) && good;
    return good && !((c->strict || c->options.validate) && t->illegal);
}

static enum status run(struct tool *t, int argc, char **argv)
{
    struct command *c = &t->command;
    bool good = command_parse(c, &t->mem, argc, argv);
    t->diag = diag_create(&t->mem, &c->messages);
    t->arena = arena_create(&t->mem);
    if (!good) {
        diag_report(t->diag, DIAG_USAGE, (struct loc){0}, "%s", c->error);
        return STATUS_USAGE;
    }
    if (c->help)
        command_help(stdout);
    else if (c->version)
        printf("pto-objdump (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    else
        return dump_all(t) ? STATUS_OK : STATUS_FAILED;
    return STATUS_OK;
}

static enum status guarded(struct tool *t, int argc, char **argv)
{
    jmp_buf exhausted;
    t->mem.on_exhausted = &exhausted;
    if (setjmp(exhausted)) {
        if (t->diag)
            diag_report_file(t->diag, DIAG_OUT_OF_MEMORY, "pto-objdump", "memory is exhausted");
        return STATUS_FAILED;
    }
    return run(t, argc, argv);
}

/* What was printed may have met a full disk only now. */
static enum status finish_output(struct tool *t, enum status status)
{
    const char *error = file_finish_stdout();
    if (error && t->diag)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, "<stdout>", "cannot write: %s", error);
    return error && status == STATUS_OK ? STATUS_FAILED : status;
}

int main(int argc, char **argv)
{
    struct tool t = {.mem = mem_default()};
    buffer_init(&t.text, &t.mem);
    enum status status = finish_output(&t, guarded(&t, argc, argv));
    diag_destroy(t.diag);
    buffer_free(&t.text);
    command_free(&t.command);
    arena_destroy(t.arena);
    return status;
}
