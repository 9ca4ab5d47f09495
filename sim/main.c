/* SPDX-License-Identifier: BSD-3-Clause */
/* pto-sim: runs a linked program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "sim/command.h"
#include "sim/monitor.h"
#include "support/decimal.h"
#include "support/option.h"

enum status { STATUS_OK, STATUS_DIFFERS, STATUS_USAGE, STATUS_FAULT };

struct tool {
    struct mem mem;
    struct arena *arena;
    struct command command;
    struct diag *diag;
    struct object *object;
    struct sim *sim;
    FILE *trace;
    struct buffer text;
};

static char *read_input(struct tool *t, const char *path, size_t *size)
{
    const char *error;
    char *bytes = file_read(t->arena, path, size, &error);
    if (!bytes)
        diag_report_file(t->diag, DIAG_CANNOT_READ, path, "cannot read: %s", error);
    return bytes;
}

static bool write_output(struct tool *t, const char *path)
{
    const char *error = file_write(path, t->text.data, t->text.size, 0666);
    if (error)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, path, "cannot write: %s", error);
    return !error;
}

static bool unknown(struct tool *t, const char *option, const char *name, const char *why)
{
    diag_report(t->diag, DIAG_SIM_UNKNOWN_NAME, (struct loc){0}, "%s %s: %s", option, name, why);
    return false;
}

/* ---- state in ---- */

static bool set_register(struct tool *t, const struct assignment *a)
{
    char *end;
    bool negative = a->value[0] == '-';
    errno = 0;
    uint64_t value = negative ? (uint64_t)strtoll(a->value, &end, 0) : strtoull(a->value, &end, 0);
    bool number = end != a->value && !*end;
    if (number && errno == ERANGE)
        return unknown(t, "--set", a->name, "the value does not fit in 64 bits");
    if (!number && !sim_find_address(t->sim, a->value, &value))
        return unknown(t, "--set", a->name, "the value is neither a number nor a symbol");
    return sim_set_register(t->sim, a->name, value) ||
           unknown(t, "--set", a->name, "no such register, or one that cannot hold the value");
}

static bool load_memory(struct tool *t, const struct assignment *a)
{
    uint64_t address;
    size_t size;
    if (!sim_find_address(t->sim, a->name, &address))
        return unknown(t, "--mem", a->name, "neither a number nor a symbol of the program");
    char *bytes = read_input(t, a->value, &size);
    if (!bytes)
        return false;
    return sim_write_memory(t->sim, address, bytes, size) ||
           unknown(t, "--mem", a->name, "the file does not fit the program's memory there");
}

/* The path without ":raw", or NULL when it has none. */
static const char *raw_path(struct tool *t, const char *value)
{
    size_t length = strlen(value);
    bool raw = length > 4 && !strcmp(value + length - 4, ":raw");
    return raw ? arena_string(t->arena, value, length - 4) : NULL;
}

static bool load_tile(struct tool *t, const struct assignment *a)
{
    size_t size;
    struct npy array;
    const char *raw = raw_path(t, a->value), *problem = NULL;
    char *bytes = read_input(t, raw ? raw : a->value, &size);
    if (!bytes)
        return false;
    if (raw)
        problem = sim_load_tile_raw(t->sim, a->name, (uint8_t *)bytes, size);
    else if (!(problem = npy_parse(t->arena, (uint8_t *)bytes, size, &array)))
        problem = sim_load_tile(t->sim, a->name, &array);
    return !problem || unknown(t, "--tile", a->name, problem);
}

/* ---- arguments ---- */

static bool bad_argument(struct tool *t, const char *option, const char *number, const char *why)
{
    diag_report(t->diag, DIAG_SIM_ARGUMENT, (struct loc){0}, "%s%s: %s", option, number, why);
    return false;
}

static bool argument_number(struct tool *t, const char *option, const char *text, unsigned *n)
{
    enum { MOST = 7 };
    unsigned long number;
    if (!option_number(text, MOST, &number))
        return bad_argument(t, option, text, "arguments are numbered 0 to 7");
    *n = (unsigned)number;
    return true;
}

static bool is_number(const char *text)
{
    char *end;
    decimal_to_double(text, &end);
    return end != text && *end == '\0';
}

static bool bind_argument(struct tool *t, const struct assignment *a)
{
    unsigned n;
    size_t size;
    struct npy array;
    const char *problem;
    if (!argument_number(t, "--arg", a->name, &n))
        return false;
    if (!sim_argument_is_pointer(t->sim, n) && is_number(a->value)) {
        problem = sim_bind_scalar(t->sim, n, a->value);
        return !problem || bad_argument(t, "--arg", a->name, problem);
    }
    char *bytes = read_input(t, a->value, &size);
    if (!bytes)
        return false;
    problem = npy_parse(t->arena, (uint8_t *)bytes, size, &array);
    if (!problem)
        problem = sim_bind_array(t->sim, n, &array);
    return !problem || bad_argument(t, "--arg", a->name, problem);
}

/* FILE:TYPE is split at the last colon. */
static const char *output_path(struct tool *t, const char *value, const char **type)
{
    const char *colon = strrchr(value, ':');
    bool typed = colon && colon != value && strchr(colon, ',') && !strchr(colon, '/');
    *type = typed ? colon + 1 : NULL;
    return typed ? arena_string(t->arena, value, (size_t)(colon - value)) : value;
}

static bool bind_output(struct tool *t, const struct assignment *a)
{
    unsigned n;
    const char *type;
    if (!argument_number(t, "--out ", a->name, &n))
        return false;
    output_path(t, a->value, &type);
    const char *problem = sim_bind_output(t->sim, n, type);
    return !problem || bad_argument(t, "--out ", a->name, problem);
}

static bool write_argument(struct tool *t, const struct assignment *a)
{
    unsigned n;
    const char *type, *path = output_path(t, a->value, &type);
    struct npy array;
    if (!argument_number(t, "--out ", a->name, &n))
        return false;
    const char *problem = sim_read_argument(t->sim, n, t->arena, &array);
    if (problem)
        return bad_argument(t, "--out ", a->name, problem);
    t->text.size = 0;
    npy_write(&t->text, &array);
    return write_output(t, path);
}

/* ---- state out ---- */

static bool dump_memory(struct tool *t, const struct assignment *a)
{
    const char *comma = strrchr(a->name, ',');
    char *end = NULL;
    uint64_t address, length = comma ? strtoull(comma + 1, &end, 0) : 0;
    if (!comma || end == comma + 1 || *end)
        return unknown(t, "--dump-mem", a->name, "is written ADDR,LEN=FILE");
    const char *name = arena_string(t->arena, a->name, (size_t)(comma - a->name));
    if (!sim_find_address(t->sim, name, &address))
        return unknown(t, "--dump-mem", name, "neither a number nor a symbol of the program");
    if (length > UINT32_MAX)
        return unknown(t, "--dump-mem", a->name, "the length is more than 4 GiB");
    t->text.size = 0;
    if (!sim_read_memory(t->sim, address, buffer_extend(&t->text, length), length))
        return unknown(t, "--dump-mem", a->name, "the range is not mapped");
    return write_output(t, a->value);
}

static bool dump_tile(struct tool *t, const struct assignment *a)
{
    struct npy array;
    const char *raw = raw_path(t, a->value), *problem;
    t->text.size = 0;
    if (raw)
        problem = sim_dump_tile_raw(t->sim, a->name, &t->text);
    else if (!(problem = sim_dump_tile(t->sim, a->name, t->arena, &array)))
        npy_write(&t->text, &array);
    if (problem)
        return unknown(t, "--dump-tile", a->name, problem);
    return write_output(t, raw ? raw : a->value);
}

static bool show_tiles(struct tool *t)
{
    bool good = true;
    for (size_t i = 0; i < t->command.shown.count; i++) {
        const char *name = t->command.shown.item[i];
        t->text.size = 0;
        const char *problem = sim_show_tile(t->sim, name, &t->text);
        if (problem)
            good = unknown(t, "--show-tile", name, problem);
        else
            printf("%s: %.*s", name, (int)t->text.size, (const char *)t->text.data);
    }
    return good;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length > n && !strcmp(text + length - n, end);
}

static bool draw_heatmap(struct tool *t, const struct assignment *a)
{
    bool png = ends_with(a->value, ".png");
    if (!png && !ends_with(a->value, ".svg"))
        return unknown(t, "--heatmap", a->name, "the file ends in .png or .svg");
    t->text.size = 0;
    const char *problem = sim_heatmap(t->sim, a->name, png ? SIM_PNG : SIM_SVG, &t->text);
    return problem ? unknown(t, "--heatmap", a->name, problem) : write_output(t, a->value);
}

static enum status draw_layout(struct tool *t)
{
    t->text.size = 0;
    const char *problem = sim_draw_layout(t->command.layout, &t->text);
    if (problem)
        unknown(t, "--layout", t->command.layout, problem);
    return !problem && write_output(t, t->command.svg) ? STATUS_OK : STATUS_USAGE;
}

static bool each(struct tool *t, const struct assignments *all,
                 bool (*run)(struct tool *, const struct assignment *))
{
    bool good = true;
    for (size_t i = 0; i < all->list.count; i++)
        good &= run(t, &all->list.item[i]);
    return good;
}

static bool bind_arguments(struct tool *t)
{
    struct command *c = &t->command;
    if (c->args_in.list.count + c->args_out.list.count == 0)
        return true;
    if (!each(t, &c->args_in, bind_argument) || !each(t, &c->args_out, bind_output))
        return false;
    const char *problem = sim_check_arguments(t->sim);
    return !problem || bad_argument(t, "--arg", "", problem);
}

static bool dump_state(struct tool *t)
{
    t->text.size = 0;
    if (!t->command.state_file)
        return true;
    sim_state_json(t->sim, &t->text);
    return write_output(t, t->command.state_file);
}

static enum status check_expectation(struct tool *t)
{
    size_t size;
    const char *path = t->command.expect_file, *problem;
    char *text = read_input(t, path, &size);
    if (!text)
        return STATUS_USAGE;
    switch (sim_expect(t->sim, text, size, t->arena, &problem)) {
    case SIM_MET:
        return STATUS_OK;
    case SIM_DIFFERS:
        diag_report_file(t->diag, DIAG_SIM_EXPECTATION, path, "%s", problem);
        return STATUS_DIFFERS;
    case SIM_UNREADABLE:
        diag_report_file(t->diag, DIAG_SIM_BAD_STATE, path, "%s", problem);
    }
    return STATUS_USAGE;
}

/* ---- running ---- */

static bool open_trace(struct tool *t)
{
    struct command *c = &t->command;
    c->options.debug = c->debug_lines ? stdout : NULL;
    if (!c->trace)
        return true;
    bool standard = !strcmp(c->trace_file, "-");
    t->trace = standard ? NULL : fopen(c->trace_file, "w");
    c->options.trace = standard ? stdout : t->trace;
    if (!c->options.trace)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, c->trace_file, "cannot write");
    return c->options.trace;
}

static bool load_program(struct tool *t)
{
    size_t size;
    const char *path = t->command.program;
    char *bytes = read_input(t, path, &size);
    if (!bytes)
        return false;
    t->object = obj_read_elf(&t->mem, t->diag, path, (uint8_t *)bytes, size);
    if (!t->object || !open_trace(t))
        return false;
    t->sim = sim_create(&t->mem, t->diag, &t->command.options, t->object);
    return t->sim;
}

static void print_end(struct tool *t, enum sim_end end)
{
    fflush(t->command.options.trace);
    sim_print_breaks(t->sim, stdout);
    if (end == SIM_ENDED)
        return;
    t->text.size = 0;
    sim_report(t->sim, &t->text);
    fflush(stdout);
    fwrite(t->text.data, 1, t->text.size, stderr);
}

/* Plainly or under the monitor, which tells the end itself. False: a wrong command. */
static bool run_to_end(struct tool *t, enum sim_end *end)
{
    struct command *c = &t->command;
    if (c->monitor)
        return monitor_run(t->sim, t->arena, t->diag, c->script, end);
    *end = sim_run(t->sim);
    print_end(t, *end);
    return true;
}

static enum status run_program(struct tool *t)
{
    struct command *c = &t->command;
    enum sim_end end;
    if (!load_program(t) || !each(t, &c->set, set_register) || !each(t, &c->mem_in, load_memory) ||
        !each(t, &c->tile_in, load_tile) || !bind_arguments(t))
        return STATUS_USAGE;
    bool commanded = run_to_end(t, &end);
    bool written = each(t, &c->mem_out, dump_memory);
    written &= each(t, &c->tile_out, dump_tile);
    written &= each(t, &c->heat_out, draw_heatmap);
    written &= show_tiles(t);
    written &= each(t, &c->args_out, write_argument);
    written &= dump_state(t);
    enum status expected = c->expect_file ? check_expectation(t) : STATUS_OK;
    if (end != SIM_ENDED && end != SIM_PAUSED)
        return STATUS_FAULT;
    return written && commanded ? expected : STATUS_USAGE;
}

static enum status run_vectors(struct tool *t)
{
    size_t size;
    const char *path = t->command.vectors;
    char *text = read_input(t, path, &size);
    if (!text)
        return STATUS_USAGE;
    long failures = sim_conformance(&t->mem, t->diag, path, text, size, stdout);
    return failures < 0 ? STATUS_USAGE : failures ? STATUS_DIFFERS : STATUS_OK;
}

static enum status list_unimplemented(struct tool *t)
{
    sim_list_unimplemented(&t->mem, t->diag, &t->text);
    fwrite(t->text.data, 1, t->text.size, stdout);
    return STATUS_OK;
}

static enum status run(struct tool *t, int argc, char **argv)
{
    struct command *c = &t->command;
    t->arena = arena_create(&t->mem);
    bool good = command_parse(c, &t->mem, t->arena, argc, argv);
    t->diag = diag_create(&t->mem, &c->messages);
    if (!good) {
        diag_report(t->diag, DIAG_USAGE, (struct loc){0}, "%s", c->error);
        return STATUS_USAGE;
    }
    if (c->help)
        command_help(stdout);
    else if (c->version)
        printf("pto-sim (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
    if (c->help || c->version)
        return STATUS_OK;
    if (c->list_unimplemented)
        return list_unimplemented(t);
    if (c->layout)
        return draw_layout(t);
    return c->vectors ? run_vectors(t) : run_program(t);
}

static enum status guarded(struct tool *t, int argc, char **argv)
{
    jmp_buf exhausted;
    t->mem.on_exhausted = &exhausted;
    if (setjmp(exhausted)) {
        if (t->diag)
            diag_report_file(t->diag, DIAG_OUT_OF_MEMORY, "pto-sim", "memory is exhausted");
        return STATUS_USAGE;
    }
    return run(t, argc, argv);
}

/* What was printed may have met a full disk only now. */
static enum status finish_output(struct tool *t, enum status status)
{
    const char *error = file_finish_stdout();
    if (error && t->diag)
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, "<stdout>", "cannot write: %s", error);
    bool traced = !t->trace || !ferror(t->trace);
    if ((t->trace && fclose(t->trace) != 0) || !traced) {
        error = "cannot write";
        diag_report_file(t->diag, DIAG_CANNOT_WRITE, t->command.trace_file, "%s", error);
    }
    return error && status == STATUS_OK ? STATUS_USAGE : status;
}

int main(int argc, char **argv)
{
    struct tool t = {.mem = mem_default()};
    buffer_init(&t.text, &t.mem);
    enum status status = finish_output(&t, guarded(&t, argc, argv));
    sim_destroy(t.sim);
    obj_destroy(t.object);
    diag_destroy(t.diag);
    command_free(&t.command);
    buffer_free(&t.text);
    arena_destroy(t.arena);
    return status;
}
