/* SPDX-License-Identifier: BSD-3-Clause */
/* pto-ld: objects and archives to an executable. */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "link/command.h"

enum status { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

struct tool {
    struct mem mem;
    struct command command;
    struct diag *diag;
    struct buffer image, map, messages;
};

static bool write_file(struct tool *t, const char *path, const struct buffer *b, unsigned mode)
{
    const char *error = file_write(path, b->data, b->size, mode);

    if (error)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, path, "cannot write: %s", error);
    return !error;
}

static void print(const struct buffer *b)
{
    if (b->size)
        fwrite(b->data, 1, b->size, stdout);
}

static const char *write_image(const struct object *o, enum output_format format,
                               struct buffer *out)
{
    switch (format) {
    case FORMAT_ELF:
        obj_write_elf(o, o->lines.count > 0, out);
        break;
    case FORMAT_BINARY:
        return obj_write_binary(o, out);
    case FORMAT_IHEX:
        return obj_write_ihex(o, out);
    case FORMAT_SREC:
        return obj_write_srec(o, out);
    }
    return NULL;
}

static bool write_outputs(struct tool *t, const struct object *o)
{
    const struct command *c = &t->command;
    bool runs = c->format == FORMAT_ELF && !c->options.relocatable;
    const char *error = write_image(o, c->format, &t->image);

    if (error) {
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, c->output, "cannot write: %s", error);
        return false;
    }
    return write_file(t, c->output, &t->image, runs ? 0777 : 0666) &&
           (!c->map_file || write_file(t, c->map_file, &t->map, 0666));
}

/* False: reported. An input is never overwritten. */
static bool check_outputs(struct tool *t)
{
    const struct command *c = &t->command;
    const char *const outputs[] = {c->output, c->map_file};

    for (size_t k = 0; c->options.script && k < sizeof outputs / sizeof *outputs; k++)
        if (outputs[k] && file_is_same(c->options.script, outputs[k])) {
            diag_report_file(t->diag, DIAG_USAGE, outputs[k], "input and output are the same file");
            return false;
        }
    for (size_t i = 0; i < c->inputs.count; i++)
        for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
            if (c->inputs.item[i].kind == LINK_FILE && outputs[k] &&
                file_is_same(c->inputs.item[i].name, outputs[k])) {
                diag_report_file(t->diag, DIAG_USAGE, outputs[k],
                                 "input and output are the same file");
                return false;
            }
    return true;
}

static bool link_all(struct tool *t)
{
    struct command *c = &t->command;

    if (!check_outputs(t))
        return false;
    c->options.messages = &t->messages;
    if (c->map_file || c->print_map)
        c->options.map = &t->map;
    struct object *o = link_run(&t->mem, t->diag, &c->options);
    print(&t->messages);
    if (c->print_map)
        print(&t->map);
    bool good = o && write_outputs(t, o);
    obj_destroy(o);
    if (!good)
        file_discard(c->output);
    return good;
}

static enum status run(struct tool *t, int argc, char **argv)
{
    struct command *c = &t->command;
    bool good = command_parse(c, &t->mem, argc, argv);

    t->diag = diag_create(&t->mem, &c->messages);
    if (!good) {
        diag_report(t->diag, DIAG_USAGE, (struct loc){0}, "%s", c->error);
        return STATUS_USAGE;
    }
    if (c->help)
        command_help(stdout);
    else if (c->version || c->verbose)
        printf("pto-ld (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    if (!c->help && !c->version && (c->inputs.count || !c->verbose))
        return link_all(t) ? STATUS_OK : STATUS_FAILED;
    return STATUS_OK;
}

static enum status guarded(struct tool *t, int argc, char **argv)
{
    jmp_buf exhausted;

    t->mem.on_exhausted = &exhausted;
    if (setjmp(exhausted)) {
        if (t->diag)
            diag_report(t->diag, DIAG_OUT_OF_MEMORY, (struct loc){0}, "memory is exhausted");
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

    buffer_init(&t.image, &t.mem);
    buffer_init(&t.map, &t.mem);
    buffer_init(&t.messages, &t.mem);
    enum status status = finish_output(&t, guarded(&t, argc, argv));
    diag_destroy(t.diag);
    buffer_free(&t.image);
    buffer_free(&t.map);
    buffer_free(&t.messages);
    command_free(&t.command);
    return status;
}
