/* SPDX-License-Identifier: BSD-3-Clause */
/* pto-as: source files to objects. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/command.h"
#include "config.h"

enum status { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

struct tool {
    struct mem mem;
    struct command command;
    struct diag *diag;
    struct arena *arena;
    struct buffer image, listing, dependencies;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* NAME with its last suffix replaced. */
static const char *with_suffix(struct arena *a, const char *name, const char *suffix)
{
    const char *dot = strrchr(base_name(name), '.');
    size_t stem = dot && dot != base_name(name) ? (size_t)(dot - name) : strlen(name);
    return arena_printf(a, "%.*s%s", (int)stem, name, suffix);
}

static const char *output_name(struct tool *t, const char *input)
{
    const char *output = t->command.output;
    bool directory = output && is_directory(output);
    if (output && !directory)
        return output;
    const char *name =
        strcmp(input, "-") == 0 ? "a.out" : with_suffix(t->arena, base_name(input), ".o");
    return directory ? arena_printf(t->arena, "%s/%s", output, name) : name;
}

static bool write_file(struct tool *t, const char *path, const struct buffer *b)
{
    const char *error = file_write(path, b->data, b->size, 0666);
    if (error)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, path, "cannot write: %s", error);
    return !error;
}

static bool write_dependencies(struct tool *t, const char *input, const char *output)
{
    struct command *c = &t->command;
    struct buffer rule;
    buffer_init(&rule, &t->mem);
    buffer_printf(&rule, "%s: %s", output, input);
    for (size_t at = 0; at < t->dependencies.size;) {
        const char *name = (const char *)t->dependencies.data + at;
        buffer_printf(&rule, " %s", name);
        at += strlen(name) + 1;
    }
    buffer_append(&rule, "\n", 1);
    bool good = write_file(
        t, c->dependency_file ? c->dependency_file : with_suffix(t->arena, output, ".d"), &rule);
    buffer_free(&rule);
    return good;
}

static bool write_outputs(struct tool *t, const struct object *object, const char *input,
                          const char *output)
{
    struct command *c = &t->command;
    t->image.size = 0;
    obj_write_elf(object, object->lines.count != 0, &t->image);
    return write_file(t, output, &t->image) &&
           (!c->listing || write_file(t, c->listing_file ? c->listing_file : "-", &t->listing)) &&
           (!c->dependencies || write_dependencies(t, input, output));
}

/* Nothing is printed after an error. */
static bool print(struct tool *t, const char *name, const char *text, size_t size)
{
    const char *output = t->command.output;
    t->image.size = 0;
    return asm_print(&t->mem, t->diag, name, text, size, &t->image) &&
           write_file(t, output ? output : "-", &t->image);
}

/* False: reported. */
static bool assemble(struct tool *t, const char *input, const char *output)
{
    size_t size;
    const char *error;
    const char *name = strcmp(input, "-") == 0 ? "<stdin>" : input;
    char *text = file_read(t->arena, input, &size, &error);
    if (!text) {
        diag_report_file(t->diag, DIAG_CANNOT_READ, name, "cannot read: %s", error);
        return false;
    }
    t->listing.size = t->dependencies.size = 0;
    if (t->command.print)
        return print(t, name, text, size);
    t->image.size = 0;
    struct object *object = asm_assemble(&t->mem, t->diag, &t->command.options, name, text, size);
    if (!object)
        return false;
    bool good = t->command.bundles
                    ? write_file(t, t->command.output ? t->command.output : "-", &t->image)
                    : t->command.check || write_outputs(t, object, input, output);
    obj_destroy(object);
    return good;
}

/* False: reported. A source is never overwritten. */
static bool check_outputs(struct tool *t, const char *input, const char *output)
{
    const char *const outputs[] = {output, t->command.listing_file, t->command.dependency_file};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (outputs[i] && file_is_same(input, outputs[i])) {
            diag_report_file(t->diag, DIAG_USAGE, outputs[i], "input and output are the same file");
            return false;
        }
    return true;
}

static bool assemble_all(struct tool *t)
{
    bool good = true;
    struct command *c = &t->command;
    for (size_t i = 0; i < c->inputs.count; i++) {
        const char *input = c->inputs.item[i], *output = output_name(t, input);
        if (!check_outputs(t, input, output)) {
            good = false;
        } else if (!assemble(t, input, output)) {
            if (!c->check)
                file_discard(output);
            good = false;
        }
    }
    return good;
}

static void connect(struct tool *t)
{
    struct command *c = &t->command;
    c->options.list_source = c->list_source;
    c->options.list_symbols = c->list_symbols;
    c->options.bundles = c->bundles ? &t->image : NULL;
    c->options.listing = c->listing ? &t->listing : NULL;
    c->options.dependencies = c->dependencies ? &t->dependencies : NULL;
}

static enum status run(struct tool *t, int argc, char **argv)
{
    struct command *c = &t->command;
    t->arena = arena_create(&t->mem);
    bool good = command_parse(c, &t->mem, t->arena, argc, argv);
    t->diag = diag_create(&t->mem, &c->messages);
    connect(t);
    if (good && c->inputs.count > 1 && c->output && !is_directory(c->output)) {
        diag_report(t->diag, DIAG_USAGE, (struct loc){0},
                    "several input files need -o DIRECTORY, and '%s' is none", c->output);
        return STATUS_USAGE;
    }
    if (!good) {
        diag_report(t->diag, DIAG_USAGE, (struct loc){0}, "%s", c->error);
        return STATUS_USAGE;
    }
    if (c->help)
        command_help(stdout);
    else if (c->version || c->verbose)
        fprintf(c->version ? stdout : stderr, "pto-as (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    if (c->help || c->version)
        return STATUS_OK;
    return assemble_all(t) ? STATUS_OK : STATUS_FAILED;
}

static enum status guarded(struct tool *t, int argc, char **argv)
{
    jmp_buf exhausted;
    t->mem.on_exhausted = &exhausted;
    if (setjmp(exhausted)) {
        if (t->diag)
            diag_report_file(t->diag, DIAG_OUT_OF_MEMORY, "pto-as", "memory is exhausted");
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
    buffer_init(&t.listing, &t.mem);
    buffer_init(&t.dependencies, &t.mem);
    enum status status = finish_output(&t, guarded(&t, argc, argv));
    diag_destroy(t.diag);
    buffer_free(&t.image);
    buffer_free(&t.listing);
    buffer_free(&t.dependencies);
    command_free(&t.command);
    arena_destroy(t.arena);
    return status;
}
