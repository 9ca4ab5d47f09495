/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as GNU ld has them: a name of several letters may begin with one dash or two. */
#include "link/command.h"

#include <stddef.h>
#include <string.h>

static void fail(struct command *c, const char *why)
{
    if (!c->error)
        c->error = why;
}

static void add_input(struct command *c, enum link_input_kind kind, const char *name)
{
    *vec_push(c->mem, &c->inputs) = (struct link_input){.kind = (uint8_t)kind, .name = name};
}

/* ---- what each option does ---- */

static void run_output(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->output = argument;
}

static void run_entry(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.entry = argument;
}

static void run_library_dir(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->library_dirs) = argument;
}

static void run_library(void *ctx, const char *argument)
{
    struct command *c = ctx;
    add_input(c, LINK_LIBRARY, argument);
}

static void run_whole(void *ctx, const char *argument)
{
    struct command *c = ctx;
    add_input(c, LINK_WHOLE_BEGIN, argument);
}

static void run_no_whole(void *ctx, const char *argument)
{
    struct command *c = ctx;
    add_input(c, LINK_WHOLE_END, argument);
}

static void run_group(void *ctx, const char *argument)
{
    struct command *c = ctx;
    add_input(c, LINK_GROUP_BEGIN, argument);
}

static void run_end_group(void *ctx, const char *argument)
{
    struct command *c = ctx;
    add_input(c, LINK_GROUP_END, argument);
}

static void run_no_gc(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.gc_sections = false;
}

static void run_defsym(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->defsyms) = argument;
}

static void run_undefined(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->undefined) = argument;
}

static void run_wrap(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->wraps) = argument;
}

static void run_section_start(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->section_addresses) = argument;
}

/* As in GNU ld the address of -Ttext and its kin is hexadecimal, with or without 0x. */
static void place_section(struct command *c, const char *section, const char *address)
{
    bool prefixed = address[0] == '0' && (address[1] == 'x' || address[1] == 'X');

    *vec_push(c->mem, &c->section_addresses) =
        arena_printf(c->arena, "%s=%s%s", section, prefixed ? "" : "0x", address);
}

static void run_text(void *ctx, const char *argument)
{
    struct command *c = ctx;
    place_section(c, ".text", argument);
}

static void run_data(void *ctx, const char *argument)
{
    struct command *c = ctx;
    place_section(c, ".data", argument);
}

static void run_bss(void *ctx, const char *argument)
{
    struct command *c = ctx;
    place_section(c, ".bss", argument);
}

static void run_script(void *ctx, const char *argument)
{
    struct command *c = ctx;

    if (c->options.script)
        fail(c, arena_printf(c->arena, "two linker scripts, '%s' and '%s'; one may INCLUDE another",
                             c->options.script, argument));
    c->options.script = argument;
}

/* -T.SECTION=ADDRESS, else -TFILE */
static void run_section_or_script(void *ctx, const char *argument)
{
    struct command *c = ctx;
    const char *equal = strchr(argument, '=');

    if (argument[0] == '.' && equal)
        place_section(c, arena_string(c->arena, argument, (size_t)(equal - argument)), equal + 1);
    else
        run_script(c, argument);
}

static void run_orphans(void *ctx, const char *argument)
{
    static const char *const names[] = {[ORPHANS_PLACE] = "place",
                                        [ORPHANS_WARN] = "warn",
                                        [ORPHANS_REFUSE] = "error",
                                        [ORPHANS_DISCARD] = "discard"};
    struct command *c = ctx;

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(argument, names[i])) {
            c->options.orphans = (enum orphan_handling)i;
            return;
        }
    fail(c, arena_printf(c->arena, "unknown orphan handling '%s' (place, warn, error or discard)",
                         argument));
}

static void run_format(void *ctx, const char *argument)
{
    struct command *c = ctx;
    static const char *const names[] = {[FORMAT_ELF] = "elf",
                                        [FORMAT_BINARY] = "binary",
                                        [FORMAT_IHEX] = "ihex",
                                        [FORMAT_SREC] = "srec"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(argument, names[i])) {
            c->format = (enum output_format)i;
            return;
        }
    fail(c, arena_printf(c->arena, "unknown output format '%s' (elf, binary, ihex or srec)",
                         argument));
}

static void run_build_id(void *ctx, const char *argument)
{
    struct command *c = ctx;

    if (*argument && strcmp(argument, "=sha256") && strcmp(argument, "=none"))
        fail(c, arena_printf(c->arena, "unknown build id '%s' (sha256 or none)",
                             argument + (*argument == '=')));
    c->options.build_id = strcmp(argument, "=none") != 0;
}

static void run_map(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->map_file = argument;
}

static void run_trace_symbol(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->trace_symbols) = argument;
}

/* What these ask for is always so. */
static void run_accepted(void *ctx, const char *argument)
{
    (void)ctx;
    (void)argument;
}

static void run_max_errors(void *ctx, const char *argument)
{
    enum { MOST = 1000000 };
    struct command *c = ctx;
    unsigned long n;

    if (!option_number(argument, MOST, &n))
        fail(c, arena_printf(c->arena, "-fmax-errors= takes a number up to %d, not '%s'", MOST,
                             argument));
    c->messages.max_errors = (unsigned)n;
}

static void run_diagnostics_format(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "json"))
        c->messages.format = DIAG_JSON;
    else if (!strcmp(argument, "text"))
        c->messages.format = DIAG_TEXT;
    else
        fail(c, arena_printf(c->arena, "unknown diagnostics format '%s' (text or json)", argument));
}

static void run_keyword(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "muldefs"))
        c->options.allow_multiple = true;
}

/* What these would change has no part in this machine. */
static void run_no_shared(void *ctx, const char *argument)
{
    (void)argument;
    fail(ctx, "shared objects and position-independent executables are not made: every link is "
              "static");
}

static const struct option_row options[] = {
    {"-o", OPTION_REQUIRED, "FILE", "write the result to FILE (default a.out)", run_output, 0},
    {"--output", OPTION_REQUIRED, "FILE", "as -o", run_output, 0},
    {"-e", OPTION_REQUIRED, "SYMBOL",
     "entry symbol or address (default _start, else the first code)", run_entry, 0},
    {"--entry", OPTION_REQUIRED, "SYMBOL", "as -e", run_entry, 0},
    {"-L", OPTION_REQUIRED, "DIR", "look for the libraries of -l in DIR", run_library_dir, 0},
    {"--library-path", OPTION_REQUIRED, "DIR", "as -L", run_library_dir, 0},
    {"-l", OPTION_REQUIRED, "NAME", "link libNAME.a; with -l:NAME the file NAME", run_library, 0},
    {"--library", OPTION_REQUIRED, "NAME", "as -l", run_library, 0},
    {"--whole-archive", OPTION_NONE, NULL, "take all members of the archives that follow",
     run_whole, 0},
    {"--no-whole-archive", OPTION_NONE, NULL, "end of --whole-archive", run_no_whole, 0},
    {"--start-group", OPTION_NONE, NULL, "search the archives up to --end-group until none helps",
     run_group, 0},
    {"-(", OPTION_NONE, NULL, "as --start-group", run_group, 0},
    {"--end-group", OPTION_NONE, NULL, "end of --start-group", run_end_group, 0},
    {"-)", OPTION_NONE, NULL, "as --end-group", run_end_group, 0},
    {"-r", OPTION_NONE, NULL, "make one relocatable object", NULL,
     offsetof(struct command, options.relocatable)},
    {"-i", OPTION_NONE, NULL, "as -r", NULL, offsetof(struct command, options.relocatable)},
    {"--relocatable", OPTION_NONE, NULL, "as -r", NULL,
     offsetof(struct command, options.relocatable)},
    {"--gc-sections", OPTION_NONE, NULL, "discard sections that nothing reaches", NULL,
     offsetof(struct command, options.gc_sections)},
    {"--no-gc-sections", OPTION_NONE, NULL, "keep all sections (default)", run_no_gc, 0},
    {"--print-gc-sections", OPTION_NONE, NULL, "list what --gc-sections discards", NULL,
     offsetof(struct command, options.print_gc_sections)},
    {"-s", OPTION_NONE, NULL, "leave out symbols and the line table", NULL,
     offsetof(struct command, options.strip_all)},
    {"--strip-all", OPTION_NONE, NULL, "as -s", NULL, offsetof(struct command, options.strip_all)},
    {"-S", OPTION_NONE, NULL, "leave out the line table", NULL,
     offsetof(struct command, options.strip_debug)},
    {"--strip-debug", OPTION_NONE, NULL, "as -S", NULL,
     offsetof(struct command, options.strip_debug)},
    {"-x", OPTION_NONE, NULL, "leave out local symbols", NULL,
     offsetof(struct command, options.discard_locals)},
    {"-X", OPTION_NONE, NULL, "accepted: objects have no symbols of the assembler", run_accepted,
     0},
    {"--discard-locals", OPTION_NONE, NULL, "as -X", run_accepted, 0},
    {"--discard-all", OPTION_NONE, NULL, "as -x", NULL,
     offsetof(struct command, options.discard_locals)},
    {"-q", OPTION_NONE, NULL, "keep the relocations in the executable", NULL,
     offsetof(struct command, options.emit_relocs)},
    {"--emit-relocs", OPTION_NONE, NULL, "as -q", NULL,
     offsetof(struct command, options.emit_relocs)},
    {"--defsym", OPTION_REQUIRED, "SYM=EXPR", "define SYM by an expression as in linker scripts",
     run_defsym, 0},
    {"-z", OPTION_REQUIRED, "KEYWORD", "muldefs, or ignored", run_keyword, 0},
    {"--allow-multiple-definition", OPTION_NONE, NULL,
     "of several definitions of a symbol the first counts", NULL,
     offsetof(struct command, options.allow_multiple)},
    {"-u", OPTION_REQUIRED, "SYMBOL", "search archives for SYMBOL", run_undefined, 0},
    {"--undefined", OPTION_REQUIRED, "SYMBOL", "as -u", run_undefined, 0},
    {"--wrap", OPTION_REQUIRED, "SYMBOL", "SYMBOL means __wrap_SYMBOL, __real_SYMBOL means SYMBOL",
     run_wrap, 0},
    {"-Ttext", OPTION_REQUIRED, "ADDRESS", "hexadecimal address of .text (default 10000)", run_text,
     0},
    {"-Tdata", OPTION_REQUIRED, "ADDRESS", "address of .data", run_data, 0},
    {"-Tbss", OPTION_REQUIRED, "ADDRESS", "address of .bss", run_bss, 0},
    {"--section-start", OPTION_REQUIRED, "SECTION=ADDRESS", "address of a section (decimal, or 0x)",
     run_section_start, 0},
    {"-T", OPTION_REQUIRED, "SCRIPT", "linker script; .SECTION=ADDRESS: a hexadecimal address",
     run_section_or_script, 0},
    {"--script", OPTION_REQUIRED, "SCRIPT", "as -T", run_script, 0},
    {"--orphan-handling", OPTION_REQUIRED, "place|warn|error|discard",
     "what to do with sections that the script does not mention", run_orphans, 0},
    {"--oformat", OPTION_REQUIRED, "elf|binary|ihex|srec", "kind of file to write", run_format, 0},
    {"--build-id", OPTION_GLUED, "[=sha256|none]", "add a note with the file's SHA-256",
     run_build_id, 0},
    {"-Map", OPTION_REQUIRED, "FILE", "write a map of the result to FILE", run_map, 0},
    {"-M", OPTION_NONE, NULL, "print the map", NULL, offsetof(struct command, print_map)},
    {"--print-memory-usage", OPTION_NONE, NULL, "print how full the script's regions are", NULL,
     offsetof(struct command, options.print_memory_usage)},
    {"--print-map", OPTION_NONE, NULL, "as -M", NULL, offsetof(struct command, print_map)},
    {"-t", OPTION_NONE, NULL, "list the objects that take part", NULL,
     offsetof(struct command, options.trace)},
    {"--trace", OPTION_NONE, NULL, "as -t", NULL, offsetof(struct command, options.trace)},
    {"-y", OPTION_REQUIRED, "SYMBOL", "list who defines and who uses SYMBOL", run_trace_symbol, 0},
    {"--trace-symbol", OPTION_REQUIRED, "SYMBOL", "as -y", run_trace_symbol, 0},
    {"-static", OPTION_NONE, NULL, "accepted: every link is static", run_accepted, 0},
    {"-Bstatic", OPTION_NONE, NULL, "as -static", run_accepted, 0},
    {"-nostdlib", OPTION_NONE, NULL, "accepted: only the directories of -L are searched",
     run_accepted, 0},
    {"--no-dynamic-linker", OPTION_NONE, NULL, "accepted: there is none", run_accepted, 0},
    {"-EL", OPTION_NONE, NULL, "accepted: the machine is little-endian", run_accepted, 0},
    {"-m", OPTION_REQUIRED, "EMULATION", "accepted: there is one", run_accepted, 0},
    {"-O", OPTION_GLUED, "LEVEL", "accepted: equal strings are always merged", run_accepted, 0},
    {"-shared", OPTION_NONE, NULL, "refused", run_no_shared, 0},
    {"-pie", OPTION_NONE, NULL, "refused", run_no_shared, 0},
    {"--no-undefined", OPTION_NONE, NULL, "accepted: undefined symbols are always errors",
     run_accepted, 0},
    {"-fmax-errors", OPTION_REQUIRED, "N", "print at most N errors (default 20, 0 is no limit)",
     run_max_errors, 0},
    {"--diagnostics-format", OPTION_REQUIRED, "text|json", "how messages look",
     run_diagnostics_format, 0},
    {"-w", OPTION_NONE, NULL, "print no warnings, as --no-warnings", NULL,
     offsetof(struct command, messages.no_warnings)},
    {"--no-warnings", OPTION_NONE, NULL, "print no warnings", NULL,
     offsetof(struct command, messages.no_warnings)},
    {"--fatal-warnings", OPTION_NONE, NULL, "treat warnings as errors", NULL,
     offsetof(struct command, messages.fatal_warnings)},
    {"--help", OPTION_NONE, NULL, "print this text", NULL, offsetof(struct command, help)},
    {"-v", OPTION_NONE, NULL, "print the version, and go on when there are inputs", NULL,
     offsetof(struct command, verbose)},
    {"--version", OPTION_NONE, NULL, "print the version", NULL, offsetof(struct command, version)},
};

static void take_input(void *ctx, const char *name)
{
    add_input(ctx, LINK_FILE, name);
}

static const struct option_table table = {
    .head = "Usage: pto-ld [OPTION]... FILE...\n"
            "Links PTO and SEQ objects and archives into one executable.\n\n",
    .tail = "\n@FILE stands for the words in FILE. Long options may begin with one dash.\n"
            "Exit status: 0 all is well, 1 errors (no result is left), 2 wrong usage.\n",
    .rows = options,
    .count = sizeof options / sizeof *options,
    .any_dashes = true,
    .operand = take_input,
};

static void check_combinations(struct command *c)
{
    const struct link_options *o = &c->options;

    if (!c->inputs.count && !o->script && !c->help && !c->version && !c->verbose)
        fail(c, "no input files");
    if (o->relocatable && c->format != FORMAT_ELF)
        fail(c, "-r makes an object, which has no image for --oformat");
    if (o->relocatable && o->script)
        fail(c, "-r and -T exclude each other: an object has no addresses");
    if (o->relocatable && o->gc_sections)
        fail(c, "-r and --gc-sections exclude each other: an object has no entry");
    if (o->emit_relocs && o->strip_all)
        fail(c, "-q and -s exclude each other: relocations refer to symbols");
}

bool command_parse(struct command *c, struct mem *m, int argc, char **argv)
{
    *c = (struct command){.mem = m, .output = "a.out"};
    c->arena = arena_create(m);
    c->messages.program = "pto-ld";
    c->messages.max_errors = 20;
    const char *problem = option_parse(&table, c->arena, argc, argv, c);
    if (problem)
        fail(c, problem);
    check_combinations(c);
    vec_push(m, &c->library_dirs);
    vec_push(m, &c->defsyms);
    vec_push(m, &c->section_addresses);
    vec_push(m, &c->trace_symbols);
    vec_push(m, &c->wraps);
    vec_push(m, &c->undefined);
    c->options.inputs = c->inputs.item;
    c->options.ninputs = c->inputs.count;
    c->options.library_dirs = c->library_dirs.item;
    c->options.defsyms = c->defsyms.item;
    c->options.section_addresses = c->section_addresses.item;
    c->options.trace_symbols = c->trace_symbols.item;
    c->options.wraps = c->wraps.item;
    c->options.undefined = c->undefined.item;
    c->options.runs = c->format == FORMAT_ELF;
    return !c->error;
}

void command_help(FILE *out)
{
    option_help(&table, out);
}

void command_free(struct command *c)
{
    vec_free(c->mem, &c->inputs);
    vec_free(c->mem, &c->library_dirs);
    vec_free(c->mem, &c->defsyms);
    vec_free(c->mem, &c->section_addresses);
    vec_free(c->mem, &c->trace_symbols);
    vec_free(c->mem, &c->wraps);
    vec_free(c->mem, &c->undefined);
    arena_destroy(c->arena);
}
