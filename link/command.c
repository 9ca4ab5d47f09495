/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as GNU ld has them: a name of several letters may begin with one dash or two. */
#include "link/command.h"

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

static void run_relocatable(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.relocatable = true;
}

static void run_gc(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.gc_sections = true;
}

static void run_no_gc(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.gc_sections = false;
}

static void run_print_gc(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.print_gc_sections = true;
}

static void run_strip_all(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.strip_all = true;
}

static void run_strip_debug(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.strip_debug = true;
}

static void run_discard_all(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.discard_locals = true;
}

static void run_emit_relocs(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.emit_relocs = true;
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

static void run_memory_usage(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.print_memory_usage = true;
}

static void run_allow_multiple(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.allow_multiple = true;
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

static void run_print_map(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->print_map = true;
}

static void run_trace(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.trace = true;
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

static void run_no_warn(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->messages.no_warnings = true;
}

static void run_fatal_warnings(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->messages.fatal_warnings = true;
}

static void run_help(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->help = true;
}

static void run_verbose(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->verbose = true;
}

static void run_keyword(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "muldefs"))
        c->options.allow_multiple = true;
}

static void run_version(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->version = true;
}

/* What these would change has no part in this machine. */
static void run_no_shared(void *ctx, const char *argument)
{
    (void)argument;
    fail(ctx, "shared objects and position-independent executables are not made: every link is "
              "static");
}

static const struct option_row options[] = {
    {"-o", OPTION_REQUIRED, "FILE", "write the result to FILE (default a.out)", run_output},
    {"--output", OPTION_REQUIRED, "FILE", "as -o", run_output},
    {"-e", OPTION_REQUIRED, "SYMBOL",
     "entry symbol or address (default _start, else the first code)", run_entry},
    {"--entry", OPTION_REQUIRED, "SYMBOL", "as -e", run_entry},
    {"-L", OPTION_REQUIRED, "DIR", "look for the libraries of -l in DIR", run_library_dir},
    {"--library-path", OPTION_REQUIRED, "DIR", "as -L", run_library_dir},
    {"-l", OPTION_REQUIRED, "NAME", "link libNAME.a; with -l:NAME the file NAME", run_library},
    {"--library", OPTION_REQUIRED, "NAME", "as -l", run_library},
    {"--whole-archive", OPTION_NONE, NULL, "take all members of the archives that follow",
     run_whole},
    {"--no-whole-archive", OPTION_NONE, NULL, "end of --whole-archive", run_no_whole},
    {"--start-group", OPTION_NONE, NULL, "search the archives up to --end-group until none helps",
     run_group},
    {"-(", OPTION_NONE, NULL, "as --start-group", run_group},
    {"--end-group", OPTION_NONE, NULL, "end of --start-group", run_end_group},
    {"-)", OPTION_NONE, NULL, "as --end-group", run_end_group},
    {"-r", OPTION_NONE, NULL, "make one relocatable object", run_relocatable},
    {"-i", OPTION_NONE, NULL, "as -r", run_relocatable},
    {"--relocatable", OPTION_NONE, NULL, "as -r", run_relocatable},
    {"--gc-sections", OPTION_NONE, NULL, "discard sections that nothing reaches", run_gc},
    {"--no-gc-sections", OPTION_NONE, NULL, "keep all sections (default)", run_no_gc},
    {"--print-gc-sections", OPTION_NONE, NULL, "list what --gc-sections discards", run_print_gc},
    {"-s", OPTION_NONE, NULL, "leave out symbols and the line table", run_strip_all},
    {"--strip-all", OPTION_NONE, NULL, "as -s", run_strip_all},
    {"-S", OPTION_NONE, NULL, "leave out the line table", run_strip_debug},
    {"--strip-debug", OPTION_NONE, NULL, "as -S", run_strip_debug},
    {"-x", OPTION_NONE, NULL, "leave out local symbols", run_discard_all},
    {"-X", OPTION_NONE, NULL, "accepted: objects have no symbols of the assembler", run_accepted},
    {"--discard-locals", OPTION_NONE, NULL, "as -X", run_accepted},
    {"--discard-all", OPTION_NONE, NULL, "as -x", run_discard_all},
    {"-q", OPTION_NONE, NULL, "keep the relocations in the executable", run_emit_relocs},
    {"--emit-relocs", OPTION_NONE, NULL, "as -q", run_emit_relocs},
    {"--defsym", OPTION_REQUIRED, "SYM=EXPR", "define SYM by an expression as in linker scripts",
     run_defsym},
    {"-z", OPTION_REQUIRED, "KEYWORD", "muldefs, or ignored", run_keyword},
    {"--allow-multiple-definition", OPTION_NONE, NULL,
     "of several definitions of a symbol the first counts", run_allow_multiple},
    {"-u", OPTION_REQUIRED, "SYMBOL", "search archives for SYMBOL", run_undefined},
    {"--undefined", OPTION_REQUIRED, "SYMBOL", "as -u", run_undefined},
    {"--wrap", OPTION_REQUIRED, "SYMBOL", "SYMBOL means __wrap_SYMBOL, __real_SYMBOL means SYMBOL",
     run_wrap},
    {"-Ttext", OPTION_REQUIRED, "ADDRESS", "hexadecimal address of .text (default 10000)",
     run_text},
    {"-Tdata", OPTION_REQUIRED, "ADDRESS", "address of .data", run_data},
    {"-Tbss", OPTION_REQUIRED, "ADDRESS", "address of .bss", run_bss},
    {"--section-start", OPTION_REQUIRED, "SECTION=ADDRESS", "address of a section (decimal, or 0x)",
     run_section_start},
    {"-T", OPTION_REQUIRED, "SCRIPT", "linker script; .SECTION=ADDRESS: a hexadecimal address",
     run_section_or_script},
    {"--script", OPTION_REQUIRED, "SCRIPT", "as -T", run_script},
    {"--orphan-handling", OPTION_REQUIRED, "place|warn|error|discard",
     "what to do with sections that the script does not mention", run_orphans},
    {"--oformat", OPTION_REQUIRED, "elf|binary|ihex|srec", "kind of file to write", run_format},
    {"--build-id", OPTION_GLUED, "[=sha256|none]", "add a note with the file's SHA-256",
     run_build_id},
    {"-Map", OPTION_REQUIRED, "FILE", "write a map of the result to FILE", run_map},
    {"-M", OPTION_NONE, NULL, "print the map", run_print_map},
    {"--print-memory-usage", OPTION_NONE, NULL, "print how full the script's regions are",
     run_memory_usage},
    {"--print-map", OPTION_NONE, NULL, "as -M", run_print_map},
    {"-t", OPTION_NONE, NULL, "list the objects that take part", run_trace},
    {"--trace", OPTION_NONE, NULL, "as -t", run_trace},
    {"-y", OPTION_REQUIRED, "SYMBOL", "list who defines and who uses SYMBOL", run_trace_symbol},
    {"--trace-symbol", OPTION_REQUIRED, "SYMBOL", "as -y", run_trace_symbol},
    {"-static", OPTION_NONE, NULL, "accepted: every link is static", run_accepted},
    {"-Bstatic", OPTION_NONE, NULL, "as -static", run_accepted},
    {"-nostdlib", OPTION_NONE, NULL, "accepted: only the directories of -L are searched",
     run_accepted},
    {"--no-dynamic-linker", OPTION_NONE, NULL, "accepted: there is none", run_accepted},
    {"-EL", OPTION_NONE, NULL, "accepted: the machine is little-endian", run_accepted},
    {"-m", OPTION_REQUIRED, "EMULATION", "accepted: there is one", run_accepted},
    {"-O", OPTION_GLUED, "LEVEL", "accepted: equal strings are always merged", run_accepted},
    {"-shared", OPTION_NONE, NULL, "refused", run_no_shared},
    {"-pie", OPTION_NONE, NULL, "refused", run_no_shared},
    {"--no-undefined", OPTION_NONE, NULL, "accepted: undefined symbols are always errors",
     run_accepted},
    {"-fmax-errors", OPTION_REQUIRED, "N", "print at most N errors (default 20, 0 is no limit)",
     run_max_errors},
    {"--diagnostics-format", OPTION_REQUIRED, "text|json", "how messages look",
     run_diagnostics_format},
    {"-w", OPTION_NONE, NULL, "print no warnings, as --no-warnings", run_no_warn},
    {"--no-warnings", OPTION_NONE, NULL, "print no warnings", run_no_warn},
    {"--fatal-warnings", OPTION_NONE, NULL, "treat warnings as errors", run_fatal_warnings},
    {"--help", OPTION_NONE, NULL, "print this text", run_help},
    {"-v", OPTION_NONE, NULL, "print the version, and go on when there are inputs", run_verbose},
    {"--version", OPTION_NONE, NULL, "print the version", run_version},
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
