/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/command.h"

#include <stdlib.h>
#include <string.h>

enum argument { ARGUMENT_NONE, ARGUMENT_REQUIRED, ARGUMENT_OPTIONAL };

struct option {
    const char *name;
    enum argument argument;
    const char *value; /* what the argument is called in --help */
    const char *help;
    void (*run)(struct command *c, const char *argument);
};

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

static void run_set(struct command *c, const char *argument)
{
    assign(c, &c->set, "--set", argument);
}

static void run_mem(struct command *c, const char *argument)
{
    assign(c, &c->mem_in, "--mem", argument);
}

static void run_tile(struct command *c, const char *argument)
{
    assign(c, &c->tile_in, "--tile", argument);
}

static void run_dump_mem(struct command *c, const char *argument)
{
    assign(c, &c->mem_out, "--dump-mem", argument);
}

static void run_dump_tile(struct command *c, const char *argument)
{
    assign(c, &c->tile_out, "--dump-tile", argument);
}

static void run_state_json(struct command *c, const char *argument)
{
    c->state_file = argument;
}

static void run_expect(struct command *c, const char *argument)
{
    c->expect_file = argument;
}

/* --trace=seq asks for the sequencer's own lines only. */
static void run_trace(struct command *c, const char *argument)
{
    if (argument && !strcmp(argument, "seq")) {
        c->debug_lines = true;
        return;
    }
    c->trace = true;
    c->trace_file = argument ? argument : "-";
}

static void run_debug_lines(struct command *c, const char *argument)
{
    (void)argument;
    c->debug_lines = true;
}

static void run_profile(struct command *c, const char *argument)
{
    if (!strcmp(argument, "ieee"))
        c->options.profile = SIM_PROFILE_IEEE;
    else if (!strcmp(argument, "pto-v0"))
        c->options.profile = SIM_PROFILE_PTO_V0;
    else
        fail(c, "unknown profile '%s' (ieee or pto-v0)", argument);
}

static void run_strict(struct command *c, const char *argument)
{
    (void)argument;
    c->options.strict = true;
}

static void run_pes(struct command *c, const char *argument)
{
    c->options.pes = (unsigned)strtoul(argument, NULL, 10);
    if (strcmp(argument, "1") && strcmp(argument, "4"))
        fail(c, "--pes= is 1 or 4, not '%s'", argument);
}

static void run_max_insns(struct command *c, const char *argument)
{
    c->options.max_insns = number(c, "--max-insns", argument);
}

static void run_max_mem(struct command *c, const char *argument)
{
    c->options.max_memory = number(c, "--max-mem", argument);
}

static void run_undefined_byte(struct command *c, const char *argument)
{
    uint64_t byte = number(c, "--undefined-byte", argument);
    if (byte > UINT8_MAX)
        fail(c, "--undefined-byte is 0 to 255, not '%s'", argument);
    c->options.undefined_byte = (uint8_t)byte;
}

static void run_schedule(struct command *c, const char *argument)
{
    c->options.schedule_seed = number(c, "--schedule", argument);
}

static void run_conformance(struct command *c, const char *argument)
{
    c->vectors = argument;
}

static void run_list_unimplemented(struct command *c, const char *argument)
{
    (void)argument;
    c->list_unimplemented = true;
}

static void run_format(struct command *c, const char *argument)
{
    if (!strcmp(argument, "json"))
        c->messages.format = DIAG_JSON;
    else if (strcmp(argument, "text"))
        fail(c, "unknown diagnostics format '%s' (text or json)", argument);
}

static void run_help(struct command *c, const char *argument)
{
    (void)argument;
    c->help = true;
}

static void run_version(struct command *c, const char *argument)
{
    (void)argument;
    c->version = true;
}

/* ---- the table ---- */

static const struct option options[] = {
    {"--set", ARGUMENT_REQUIRED, "REG=VALUE",
     "set a register before the run: a0=5 on all PEs, pe1.a0=5, pc, t#1, pool.R3", run_set},
    {"--mem", ARGUMENT_REQUIRED, "ADDR=FILE",
     "copy a file into memory; ADDR is a number or a symbol, with +N", run_mem},
    {"--tile", ARGUMENT_REQUIRED, "NAME=FILE",
     "load a tile from FILE.npy in logical order, or from FILE:raw; pe1.NAME for one PE", run_tile},
    {"--dump-mem", ARGUMENT_REQUIRED, "ADDR,LEN=FILE", "write memory to a file after the run",
     run_dump_mem},
    {"--dump-tile", ARGUMENT_REQUIRED, "NAME=FILE",
     "write a tile to FILE.npy, or its bytes to FILE:raw, after the run", run_dump_tile},
    {"--state-json", ARGUMENT_REQUIRED, "FILE", "write the state after the run as JSON",
     run_state_json},
    {"--expect", ARGUMENT_REQUIRED, "FILE",
     "compare the state with the members of a JSON file; status 1 when it differs", run_expect},
    {"--trace", ARGUMENT_OPTIONAL, "FILE",
     "print each instruction and what it changed; --trace=seq as --debug-lines", run_trace},
    {"--debug-lines", ARGUMENT_NONE, NULL, "print the sequencer's 'S: ' lines", run_debug_lines},
    {"--profile", ARGUMENT_REQUIRED, "ieee|pto-v0",
     "numeric and control profile (default ieee); pto-v0 follows the executable model",
     run_profile},
    {"--strict", ARGUMENT_NONE, NULL, "reject extensions as the plain ISA does", run_strict},
    {"--pes", ARGUMENT_REQUIRED, "1|4", "how many PEs run the program (default 4)", run_pes},
    {"--max-insns", ARGUMENT_REQUIRED, "N", "stop after N instructions of all PEs and engines",
     run_max_insns},
    {"--max-mem", ARGUMENT_REQUIRED, "SIZE",
     "guest memory that may be touched (default 1G); K, M, G are accepted", run_max_mem},
    {"--undefined-byte", ARGUMENT_REQUIRED, "N",
     "what never-written tile bytes read as in dumps (default 0)", run_undefined_byte},
    {"--schedule", ARGUMENT_REQUIRED, "SEED",
     "take turns among the PEs in lengths drawn from SEED (default: equal turns)", run_schedule},
    {"--conformance", ARGUMENT_REQUIRED, "FILE",
     "run the vectors of a .jsonl file instead of a program; status 1 when one fails",
     run_conformance},
    {"--list-unimplemented", ARGUMENT_NONE, NULL, "list the forms that are not executed",
     run_list_unimplemented},
    {"--diagnostics-format", ARGUMENT_REQUIRED, "text|json", "how messages look", run_format},
    {"--help", ARGUMENT_NONE, NULL, "print this text", run_help},
    {"--version", ARGUMENT_NONE, NULL, "print the version", run_version},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

static const struct option *find_option(const char *arg, size_t length)
{
    for (unsigned n = 0; n < OPTION_COUNT; n++)
        if (strlen(options[n].name) == length && !memcmp(options[n].name, arg, length))
            return &options[n];
    return NULL;
}

/* --name=argument or, when one is required, --name argument. Returns the last index used. */
static int parse_option(struct command *c, int i, int argc, char **argv)
{
    const char *equal = strchr(argv[i], '=');
    size_t length = equal ? (size_t)(equal - argv[i]) : strlen(argv[i]);
    const char *argument = equal ? equal + 1 : NULL;
    const struct option *o = find_option(argv[i], length);
    if (!o)
        fail(c, "unknown option '%s'", argv[i]);
    else if (o->argument == ARGUMENT_NONE && equal)
        fail(c, "option '%s' takes no argument", o->name);
    else if (o->argument == ARGUMENT_REQUIRED && !equal && i + 1 < argc)
        argument = argv[++i];
    if (o && o->argument == ARGUMENT_REQUIRED && (!argument || !*argument))
        fail(c, "option '%s' needs an argument", o->name);
    if (!c->failed)
        o->run(c, argument);
    return i;
}

static void take_program(struct command *c, const char *name)
{
    if (c->program)
        fail(c, "one program at a time: '%s' is the second", name);
    c->program = name;
}

bool command_parse(struct command *c, struct mem *m, struct arena *a, int argc, char **argv)
{
    bool options_end = false;
    *c = (struct command){.mem = m, .arena = a};
    c->messages.program = "pto-sim";
    for (int i = 1; i < argc && !c->failed; i++)
        if (!options_end && !strcmp(argv[i], "--"))
            options_end = true;
        else if (options_end || argv[i][0] != '-' || !argv[i][1])
            take_program(c, argv[i]);
        else
            i = parse_option(c, i, argc, argv);
    bool needs_program = !c->help && !c->version && !c->vectors && !c->list_unimplemented;
    if (needs_program && !c->program)
        fail(c, "no program%s", "");
    if (c->program && c->vectors)
        fail(c, "--conformance runs no program, so '%s' is surplus", c->program);
    return !c->failed;
}

void command_help(FILE *out)
{
    enum { COLUMN = 32 };
    fprintf(out, "Usage: pto-sim PROGRAM [OPTION...]\nRun a PTO or SEQ program.\n\nOptions:\n");
    for (unsigned n = 0; n < OPTION_COUNT; n++) {
        const struct option *o = &options[n];
        const char *open = o->argument == ARGUMENT_OPTIONAL ? "[=" : o->value ? "=" : "";
        const char *close = o->argument == ARGUMENT_OPTIONAL ? "]" : "";
        int width = fprintf(out, "  %s%s%s%s", o->name, open, o->value ? o->value : "", close);
        fprintf(out, "%*s%s\n", width < COLUMN ? COLUMN - width : 1, "", o->help);
    }
}

void command_free(struct command *c)
{
    struct assignments *const all[] = {&c->set, &c->mem_in, &c->tile_in, &c->mem_out, &c->tile_out};
    for (size_t i = 0; c->mem && i < sizeof all / sizeof *all; i++)
        vec_free(c->mem, &all[i]->list);
}
