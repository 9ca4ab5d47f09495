/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/command.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/option.h"

static void fail(struct command *c, const char *fmt, const char *text)
{
    if (!c->failed)
        snprintf(c->error, sizeof c->error, fmt, text);
    c->failed = true;
}

/* ---- arguments ---- */

/* A number with an optional K, M or G. */
static uint64_t number(struct command *c, const char *option, const char *text)
{
    static const char units[] = "KMG";
    char *end;
    uint64_t value = strtoull(text, &end, 0);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    bool good = *text >= '0' && *text <= '9' && (unit ? end[1] == 0 : *end == 0) &&
                value << shift >> shift == value;
    if (!good)
        fail(c, "%s takes a number", option);
    return value << shift;
}

/* NAME=VALUE, split at the first '='. */
static void assign(struct command *c, struct assignments *to, const char *option, const char *text)
{
    const char *equal = strchr(text, '=');
    if (!equal || equal == text || !equal[1]) {
        fail(c, "%s is written NAME=VALUE", option);
        return;
    }
    struct assignment *a = vec_push(c->mem, &to->list);
    a->name = arena_string(c->arena, text, (size_t)(equal - text));
    a->value = equal + 1;
}

static void run_set(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->set, "--set", argument);
}

static void run_mem(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->mem_in, "--mem", argument);
}

static void run_tile(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->tile_in, "--tile", argument);
}

static void run_dump_mem(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->mem_out, "--dump-mem", argument);
}

static void run_dump_tile(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->tile_out, "--dump-tile", argument);
}

static void run_show_tile(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *(const char **)vec_push(c->mem, &c->shown) = argument;
}

static void run_heatmap(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->heat_out, "--heatmap", argument);
}

static void run_layout(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->layout = argument;
}

static void run_svg(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->svg = argument;
}

static void run_arg(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->args_in, "--arg", argument);
}

static void run_out(void *ctx, const char *argument)
{
    struct command *c = ctx;
    assign(c, &c->args_out, "--out", argument);
}

static void run_state_json(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->state_file = argument;
}

static void run_expect(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->expect_file = argument;
}

/* --trace, --trace=FILE; --trace=seq asks for the sequencer's own lines only. */
static void run_trace(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "=seq")) {
        c->debug_lines = true;
        return;
    }
    if (*argument && (*argument != '=' || !argument[1]))
        fail(c, "unknown option '--trace%s'", argument);
    c->trace = true;
    c->trace_file = *argument ? argument + 1 : "-";
}

static void run_monitor(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->monitor = true;
    if (*argument)
        c->script = argument;
}

static void run_quant(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.quant = strcmp(argument, "cpusim") ? SIM_QUANT_HW : SIM_QUANT_CPUSIM;
    if (strcmp(argument, "cpusim") && strcmp(argument, "hw"))
        fail(c, "unknown quantisation '%s' (hw or cpusim)", argument);
}

static void run_profile(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "ieee"))
        c->options.profile = SIM_PROFILE_IEEE;
    else if (!strcmp(argument, "pto-v0"))
        c->options.profile = SIM_PROFILE_PTO_V0;
    else
        fail(c, "unknown profile '%s' (ieee or pto-v0)", argument);
}

static void run_pes(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.pes = (unsigned)strtoul(argument, NULL, 10);
    if (strcmp(argument, "1") && strcmp(argument, "4"))
        fail(c, "--pes= is 1 or 4, not '%s'", argument);
}

static void run_max_insns(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.max_insns = number(c, "--max-insns", argument);
}

static void run_max_mem(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.max_memory = number(c, "--max-mem", argument);
}

static void run_undefined_byte(void *ctx, const char *argument)
{
    struct command *c = ctx;
    uint64_t byte = number(c, "--undefined-byte", argument);
    if (byte > UINT8_MAX)
        fail(c, "--undefined-byte is 0 to 255, not '%s'", argument);
    c->options.undefined_byte = (uint8_t)byte;
}

static void run_schedule(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.schedule_seed = number(c, "--schedule", argument);
}

static void run_conformance(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->vectors = argument;
}

static void run_format(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "json"))
        c->messages.format = DIAG_JSON;
    else if (strcmp(argument, "text"))
        fail(c, "unknown diagnostics format '%s' (text or json)", argument);
}

/* ---- the table ---- */

static const struct option_row options[] = {
    {"--set", OPTION_REQUIRED, "REG=VALUE",
     "set a register before the run: a0=5 on all PEs, pe1.a0=5, pe1.pc=SYMBOL, t#1, pool.R3",
     run_set, 0},
    {"--arg", OPTION_NUMBERED, "VALUE",
     "argument N of the entry function: a .npy file for a pointer, or a number", run_arg, 0},
    {"--out", OPTION_REQUIRED, "N=FILE[:TYPE]",
     "write the array of pointer argument N to a .npy file after the run; TYPE as f4,32x32",
     run_out, 0},
    {"--mem", OPTION_REQUIRED, "ADDR=FILE",
     "copy a file into memory; ADDR is a number or a symbol, with +N", run_mem, 0},
    {"--tile", OPTION_REQUIRED, "NAME=FILE",
     "load a tile from FILE.npy in logical order, or from FILE:raw; pe1.NAME for one PE", run_tile,
     0},
    {"--dump-mem", OPTION_REQUIRED, "ADDR,LEN=FILE", "write memory to a file after the run",
     run_dump_mem, 0},
    {"--dump-tile", OPTION_REQUIRED, "NAME=FILE",
     "write a tile to FILE.npy, or its bytes to FILE:raw, after the run", run_dump_tile, 0},
    {"--show-tile", OPTION_REQUIRED, "NAME",
     "print a tile's shape, layout and values after the run", run_show_tile, 0},
    {"--heatmap", OPTION_REQUIRED, "NAME=FILE",
     "draw a tile's values into FILE.png or FILE.svg after the run", run_heatmap, 0},
    {"--layout", OPTION_REQUIRED, "SPEC",
     "draw how a layout numbers its elements, as NZ,f16,32x48, into the file of --svg", run_layout,
     0},
    {"--svg", OPTION_REQUIRED, "FILE", "the picture of --layout", run_svg, 0},
    {"--state-json", OPTION_REQUIRED, "FILE", "write the state after the run as JSON",
     run_state_json, 0},
    {"--expect", OPTION_REQUIRED, "FILE",
     "compare the state with the members of a JSON file; status 1 when it differs", run_expect, 0},
    {"--trace", OPTION_GLUED, "[=FILE]",
     "print each instruction and what it changed; --trace=seq as --debug-lines", run_trace, 0},
    {"--debug", OPTION_NONE, NULL, "run the program under the monitor, which reads commands",
     run_monitor, 0},
    {"-x", OPTION_REQUIRED, "FILE", "the same with the commands of a file", run_monitor, 0},
    {"--debug-lines", OPTION_NONE, NULL, "print the sequencer's 'S: ' lines", NULL,
     offsetof(struct command, debug_lines)},
    {"--profile", OPTION_REQUIRED, "ieee|pto-v0",
     "numeric and control profile (default ieee); pto-v0 follows the executable model", run_profile,
     0},
    {"--quant", OPTION_REQUIRED, "hw|cpusim",
     "formulas of a quantising TMOV: the hardware's (default) or those of the C++ model", run_quant,
     0},
    {"--strict", OPTION_NONE, NULL, "reject extensions as the plain ISA does", NULL,
     offsetof(struct command, options.strict)},
    {"--pes", OPTION_REQUIRED, "1|4", "how many PEs run the program (default 4)", run_pes, 0},
    {"--max-insns", OPTION_REQUIRED, "N", "stop after N instructions of all PEs and engines",
     run_max_insns, 0},
    {"--max-mem", OPTION_REQUIRED, "SIZE",
     "guest memory that may be touched (default 1G); K, M, G are accepted", run_max_mem, 0},
    {"--undefined-byte", OPTION_REQUIRED, "N",
     "what never-written tile bytes read as in dumps (default 0)", run_undefined_byte, 0},
    {"--schedule", OPTION_REQUIRED, "SEED",
     "take turns among the PEs in lengths drawn from SEED (default: equal turns)", run_schedule, 0},
    {"--conformance", OPTION_REQUIRED, "FILE",
     "run the vectors of a .jsonl file instead of a program; status 1 when one fails",
     run_conformance, 0},
    {"--list-unimplemented", OPTION_NONE, NULL, "list the forms that are not executed", NULL,
     offsetof(struct command, list_unimplemented)},
    {"--diagnostics-format", OPTION_REQUIRED, "text|json", "how messages look", run_format, 0},
    {"--help", OPTION_NONE, NULL, "print this text", NULL, offsetof(struct command, help)},
    {"--version", OPTION_NONE, NULL, "print the version", NULL, offsetof(struct command, version)},
};

static void take_program(void *ctx, const char *name)
{
    struct command *c = ctx;
    if (c->program)
        fail(c, "one program at a time: '%s' is the second", name);
    c->program = name;
}

static const struct option_table table = {
    .head = "Usage: pto-sim PROGRAM [OPTION...]\nRun a PTO or SEQ program.\n\nOptions:\n",
    .tail = "",
    .rows = options,
    .count = sizeof options / sizeof *options,
    .operand = take_program,
};

static void check_whole(struct command *c)
{
    bool needs_program =
        !c->help && !c->version && !c->vectors && !c->list_unimplemented && !c->layout;
    if (needs_program && !c->program)
        fail(c, "no program%s", "");
    if (c->program && c->vectors)
        fail(c, "--conformance runs no program, so '%s' is surplus", c->program);
    if (c->program && c->layout)
        fail(c, "--layout runs no program, so '%s' is surplus", c->program);
    if ((c->layout != NULL) != (c->svg != NULL))
        fail(c, "--layout and --svg belong together%s", "");
    if (c->monitor && c->vectors)
        fail(c, "--debug takes a program, not --conformance%s", "");
}

bool command_parse(struct command *c, struct mem *m, struct arena *a, int argc, char **argv)
{
    *c = (struct command){.mem = m, .arena = a, .messages = {.program = "pto-sim"}};
    const char *problem = option_parse(&table, a, argc, argv, c);
    if (problem)
        fail(c, "%s", problem);
    check_whole(c);
    return !c->failed;
}

void command_help(FILE *out)
{
    option_help(&table, out);
}

void command_free(struct command *c)
{
    struct assignments *const all[] = {&c->set,      &c->mem_in,   &c->tile_in, &c->mem_out,
                                       &c->tile_out, &c->heat_out, &c->args_in, &c->args_out};
    for (size_t i = 0; c->mem && i < sizeof all / sizeof *all; i++)
        vec_free(c->mem, &all[i]->list);
    if (c->mem)
        vec_free(c->mem, &c->shown);
}
