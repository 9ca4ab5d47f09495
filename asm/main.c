/* SPDX-License-Identifier: BSD-3-Clause */
/* pto-as: source files to objects. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/command.h"
#include "asm/make_rule.h"
#include "config.h"
#include "grammar/format.h"
#include "support/file.h"

enum status { STATUS_OK, STATUS_FAILED, STATUS_USAGE };

struct tool {
    struct mem mem;
    struct command command;
    struct diag *diag;
    struct arena *arena;
    struct buffer image, listing, dependencies, rule;
    int argc;
    char **argv;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What becomes one object. */
struct job {
    const char *const *inputs;
    size_t count;
    const char *output; /* "-": standard output */
};

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

static const char *shown_name(const char *input)
{
    return is_standard(input) ? "<stdin>" : input;
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

/* Without a directory to put them into, several inputs are one object. */
static bool is_one_object(const struct tool *t)
{
    return t->command.output && !is_directory(t->command.output);
}

static const char *output_name(struct tool *t, const char *input)
{
    const char *output = t->command.output;
    bool directory = output && is_directory(output);
    if (output && !directory)
        return output;
    const char *name = is_standard(input) ? "a.out" : with_suffix(t->arena, base_name(input), ".o");
    return directory ? arena_printf(t->arena, "%s/%s", output, name) : name;
}

static bool write_file(struct tool *t, const char *path, const struct buffer *b)
{
    const char *error = file_write(path, b->data, b->size, 0666);
    if (error)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, path, "cannot write: %s", error);
    return !error;
}

/* False: reported. Standard input is no file that make knows. */
static bool list_prerequisites(struct tool *t, const struct job *job, const char **list,
                               size_t *count, size_t *given)
{
    *count = 0;
    for (size_t i = 0; i < job->count; i++)
        if (!is_standard(job->inputs[i]))
            list[(*count)++] = job->inputs[i];
    *given = *count;
    for (size_t at = 0; at < t->dependencies.size; at += strlen(list[*count - 1]) + 1)
        list[(*count)++] = (const char *)t->dependencies.data + at;
    for (size_t i = 0; i < *count; i++)
        if (!make_can_name(list[i])) {
            diag_report_file(t->diag, DIAG_CANNOT_WRITE, list[i],
                             "a rule for make cannot have a name with a line end");
            return false;
        }
    return true;
}

static bool write_dependencies(struct tool *t, const struct job *job)
{
    struct command *c = &t->command;
    size_t count, given;
    const char **list =
        arena_array(t->arena, job->count + t->dependencies.size / 2 + 1, sizeof *list);
    if (!list_prerequisites(t, job, list, &count, &given))
        return false;
    struct buffer *targets = &c->dependency_targets;
    if (!targets->size)
        make_quote(targets, job->output, true);
    buffer_append(targets, "", 1);
    t->rule.size = 0;
    make_write_rule(&t->rule, (const char *)targets->data, list, count, given, c->phony);
    targets->size = c->has_targets ? targets->size - 1 : 0;
    return write_file(
        t, c->dependency_file ? c->dependency_file : with_suffix(t->arena, job->output, ".d"),
        &t->rule);
}

static bool write_outputs(struct tool *t, const struct object *object, const struct job *job)
{
    struct command *c = &t->command;
    t->image.size = 0;
    obj_write_elf(object, object->lines.count != 0, &t->image);
    return write_file(t, job->output, &t->image) &&
           (!c->listing || write_file(t, c->listing_file ? c->listing_file : "-", &t->listing)) &&
           (!c->dependencies || write_dependencies(t, job));
}

/* False: reported. */
static bool read_inputs(struct tool *t, const struct job *job, struct asm_input *inputs)
{
    for (size_t i = 0; i < job->count; i++) {
        const char *error;
        struct asm_input *in = &inputs[i];
        in->name = shown_name(job->inputs[i]);
        in->text = file_read(t->arena, job->inputs[i], &in->size, &error);
        if (!in->text) {
            diag_report_file(t->diag, DIAG_CANNOT_READ, in->name, "cannot read: %s", error);
            return false;
        }
    }
    return true;
}

/* Nothing is printed after an error. */
static bool print(struct tool *t, const struct asm_input *inputs, size_t count)
{
    const char *output = t->command.output;
    t->image.size = 0;
    for (size_t i = 0; i < count; i++)
        if (!asm_print(&t->mem, t->diag, inputs[i].name, inputs[i].text, inputs[i].size, &t->image))
            return false;
    return write_file(t, output ? output : "-", &t->image);
}

static bool is_same_text(const struct buffer *b, const struct asm_input *in)
{
    return b->size == in->size && (!in->size || memcmp(b->data, in->text, in->size) == 0);
}

/* Over the input, whose permissions stay. */
static bool write_in_place(struct tool *t, const char *path)
{
    struct stat before;
    bool known = stat(path, &before) == 0;
    bool good = write_file(t, path, &t->image);
    if (good && known && chmod(path, before.st_mode & 07777) != 0)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, path, "cannot keep the permissions");
    return good;
}

/* False: reported. */
static bool format(struct tool *t, const struct job *job, const struct asm_input *inputs)
{
    struct command *c = &t->command;
    t->image.size = 0;
    for (size_t i = 0; i < job->count; i++) {
        size_t begin = t->image.size;
        format_text(&t->image, inputs[i].text, inputs[i].size, (struct format_range){0});
        if (!c->check && !c->in_place)
            continue;
        struct buffer made = {.data = t->image.data + begin, .size = t->image.size - begin};
        bool same = is_same_text(&made, &inputs[i]);
        if (c->in_place)
            return same || write_in_place(t, job->inputs[i]);
        if (!same)
            diag_report_file(t->diag, DIAG_NOT_FORMATTED, inputs[i].name,
                             "--format would change the file");
    }
    if (c->check)
        return diag_errors(t->diag) == 0;
    return write_file(t, c->output ? c->output : "-", &t->image);
}

/* -ag */
static void list_general(struct tool *t, const struct job *job)
{
    struct buffer *out = &t->listing;
    buffer_printf(out, "pto-as (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    for (size_t i = 0; i < job->count; i++)
        buffer_printf(out, "input: %s\n", shown_name(job->inputs[i]));
    buffer_printf(out, "output: %s\n", job->output);
    for (int i = 1; i < t->argc; i++)
        buffer_printf(out, i == 1 ? "options: %s" : " %s", t->argv[i]);
    buffer_printf(out, "\n\n");
}

/* False: reported. */
static bool assemble(struct tool *t, const struct job *job)
{
    struct command *c = &t->command;
    struct asm_input *inputs = arena_array(t->arena, job->count, sizeof *inputs);
    if (!read_inputs(t, job, inputs))
        return false;
    if (c->format)
        return format(t, job, inputs);
    if (c->print)
        return print(t, inputs, job->count);
    t->image.size = t->listing.size = t->dependencies.size = 0;
    if (c->list_general)
        list_general(t, job);
    struct object *object = asm_assemble(&t->mem, t->diag, &c->options, inputs, job->count);
    if (!object)
        return false;
    bool good = c->bundles ? write_file(t, c->output ? c->output : "-", &t->image)
                           : c->check || write_outputs(t, object, job);
    obj_destroy(object);
    return good;
}

/* False: reported. A source is never overwritten. */
static bool check_outputs(struct tool *t, const struct job *job)
{
    const char *const outputs[] = {job->output, t->command.listing_file,
                                   t->command.dependency_file};
    for (size_t n = 0; n < job->count; n++)
        for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
            if (outputs[i] && file_is_same(job->inputs[n], outputs[i])) {
                diag_report_file(t->diag, DIAG_USAGE, outputs[i],
                                 "input and output are the same file");
                return false;
            }
    return true;
}

/* What the job writes instead of an object goes to FILE only with -o FILE. */
static void discard_output(const struct tool *t, const struct job *job)
{
    const struct command *c = &t->command;
    const char *output = c->check ? NULL : c->print || c->bundles ? c->output : job->output;
    if (output && !is_standard(output))
        file_discard(output);
}

static bool run_job(struct tool *t, const struct job *job)
{
    if (t->command.format)
        return assemble(t, job);
    if (!check_outputs(t, job))
        return false;
    bool good = assemble(t, job);
    if (!good)
        discard_output(t, job);
    return good;
}

static bool assemble_all(struct tool *t)
{
    bool good = true;
    struct command *c = &t->command;
    if (is_one_object(t))
        return run_job(t, &(struct job){c->inputs.item, c->inputs.count, c->output});
    for (size_t i = 0; i < c->inputs.count; i++) {
        const char *const *input = &c->inputs.item[i];
        good &= run_job(t, &(struct job){input, 1, output_name(t, *input)});
    }
    return good;
}

/* Options that do not go together; NULL: none. */
static const char *find_conflict(const struct tool *t)
{
    const struct command *c = &t->command;
    bool one = c->inputs.count == 1 || is_one_object(t);
    bool to_stdout = c->output && is_standard(c->output);
    if (!one && c->dependency_file)
        return "-MF names one file for the rules of several objects; -MD writes each its own";
    if (!one && c->has_targets)
        return "-MT and -MQ name one target for several objects";
    if (!one && c->listing && c->listing_file)
        return "-a…=FILE names one file for the listings of several objects";
    if (to_stdout && c->listing && (!c->listing_file || is_standard(c->listing_file)))
        return "object and listing would both go to standard output";
    if (to_stdout && c->dependencies && !c->dependency_file)
        return "-MD needs -MF FILE when the object goes to standard output";
    return NULL;
}

static void connect(struct tool *t)
{
    struct command *c = &t->command;
    c->options.bundles = c->bundles ? &t->image : NULL;
    c->options.listing = c->listing ? &t->listing : NULL;
    c->options.dependencies = c->dependencies ? &t->dependencies : NULL;
}

static enum status run(struct tool *t)
{
    struct command *c = &t->command;
    t->arena = arena_create(&t->mem);
    bool good = command_parse(c, &t->mem, t->arena, t->argc, t->argv);
    t->diag = diag_create(&t->mem, &c->messages);
    connect(t);
    const char *wrong = good ? find_conflict(t) : c->error;
    if (wrong) {
        diag_report(t->diag, DIAG_USAGE, (struct loc){0}, "%s", wrong);
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

static enum status guarded(struct tool *t)
{
    jmp_buf exhausted;
    t->mem.on_exhausted = &exhausted;
    if (setjmp(exhausted)) {
        if (t->diag)
            diag_report_file(t->diag, DIAG_OUT_OF_MEMORY, "pto-as", "memory is exhausted");
        return STATUS_FAILED;
    }
    return run(t);
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
    struct tool t = {.mem = mem_default(), .argc = argc, .argv = argv};
    buffer_init(&t.image, &t.mem);
    buffer_init(&t.listing, &t.mem);
    buffer_init(&t.dependencies, &t.mem);
    buffer_init(&t.rule, &t.mem);
    enum status status = finish_output(&t, guarded(&t));
    diag_destroy(t.diag);
    buffer_free(&t.image);
    buffer_free(&t.listing);
    buffer_free(&t.dependencies);
    buffer_free(&t.rule);
    command_free(&t.command);
    arena_destroy(t.arena);
    return status;
}
