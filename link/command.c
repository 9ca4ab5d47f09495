/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options as GNU ld has them: a name of several letters may begin with one dash
 * or two, and its argument may be glued with `=` or be the next word.
 */
#include "link/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum argument {
    ARGUMENT_NONE,
    ARGUMENT_NEXT,     /* -o FILE, -oFILE; --entry SYM, --entry=SYM */
    ARGUMENT_EQUAL,    /* --oformat=NAME, --oformat NAME */
    ARGUMENT_OPTIONAL, /* --build-id, --build-id=NAME */
};

struct option {
    const char *name;
    enum argument argument;
    const char *value; /* what the argument is called in --help */
    const char *help;
    void (*run)(struct command *c, const char *argument);
};

enum { DEEPEST_NESTING = 10 };

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

static void run_output(struct command *c, const char *argument)
{
    c->output = argument;
}

static void run_entry(struct command *c, const char *argument)
{
    c->options.entry = argument;
}

static void run_library_dir(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->library_dirs) = argument;
}

static void run_library(struct command *c, const char *argument)
{
    add_input(c, LINK_LIBRARY, argument);
}

static void run_whole(struct command *c, const char *argument)
{
    add_input(c, LINK_WHOLE_BEGIN, argument);
}

static void run_no_whole(struct command *c, const char *argument)
{
    add_input(c, LINK_WHOLE_END, argument);
}

static void run_group(struct command *c, const char *argument)
{
    add_input(c, LINK_GROUP_BEGIN, argument);
}

static void run_end_group(struct command *c, const char *argument)
{
    add_input(c, LINK_GROUP_END, argument);
}

static void run_relocatable(struct command *c, const char *argument)
{
    (void)argument;
    c->options.relocatable = true;
}

static void run_gc(struct command *c, const char *argument)
{
    (void)argument;
    c->options.gc_sections = true;
}

static void run_no_gc(struct command *c, const char *argument)
{
    (void)argument;
    c->options.gc_sections = false;
}

static void run_print_gc(struct command *c, const char *argument)
{
    (void)argument;
    c->options.print_gc_sections = true;
}

static void run_strip_all(struct command *c, const char *argument)
{
    (void)argument;
    c->options.strip_all = true;
}

static void run_strip_debug(struct command *c, const char *argument)
{
    (void)argument;
    c->options.strip_debug = true;
}

static void run_discard_all(struct command *c, const char *argument)
{
    (void)argument;
    c->options.discard_locals = true;
}

static void run_emit_relocs(struct command *c, const char *argument)
{
    (void)argument;
    c->options.emit_relocs = true;
}

static void run_defsym(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->defsyms) = argument;
}

static void run_undefined(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->undefined) = argument;
}

static void run_wrap(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->wraps) = argument;
}

static void run_section_start(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->section_addresses) = argument;
}

/* As in GNU ld the address of -Ttext and its kin is hexadecimal, with or without 0x. */
static void place_section(struct command *c, const char *section, const char *address)
{
    bool prefixed = address[0] == '0' && (address[1] == 'x' || address[1] == 'X');

    *vec_push(c->mem, &c->section_addresses) =
        arena_printf(c->arena, "%s=%s%s", section, prefixed ? "" : "0x", address);
}

static void run_text(struct command *c, const char *argument)
{
    place_section(c, ".text", argument);
}

static void run_data(struct command *c, const char *argument)
{
    place_section(c, ".data", argument);
}

static void run_bss(struct command *c, const char *argument)
{
    place_section(c, ".bss", argument);
}

/* -T.SECTION=ADDRESS */
static void run_section_or_script(struct command *c, const char *argument)
{
    const char *equal = strchr(argument, '=');

    if (argument[0] == '.' && equal)
        place_section(c, arena_string(c->arena, argument, (size_t)(equal - argument)), equal + 1);
    else
        fail(c, arena_printf(c->arena,
                             "'-T %s': linker scripts are not read; place sections with -Ttext=, "
                             "-Tdata=, -Tbss= and --section-start=",
                             argument));
}

static void run_format(struct command *c, const char *argument)
{
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

static void run_build_id(struct command *c, const char *argument)
{
    if (*argument && strcmp(argument, "sha256") && strcmp(argument, "none"))
        fail(c, arena_printf(c->arena, "unknown build id '%s' (sha256 or none)", argument));
    c->options.build_id = strcmp(argument, "none") != 0;
}

static void run_map(struct command *c, const char *argument)
{
    c->map_file = argument;
}

static void run_print_map(struct command *c, const char *argument)
{
    (void)argument;
    c->print_map = true;
}

static void run_trace(struct command *c, const char *argument)
{
    (void)argument;
    c->options.trace = true;
}

static void run_trace_symbol(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->trace_symbols) = argument;
}

/* What these ask for is always so. */
static void run_accepted(struct command *c, const char *argument)
{
    (void)c;
    (void)argument;
}

static void run_max_errors(struct command *c, const char *argument)
{
    char *end;
    unsigned long n = strtoul(argument, &end, 10);

    if (!isdigit((unsigned char)*argument) || *end || n > 1000000)
        fail(c, arena_printf(c->arena, "-fmax-errors= takes a number up to 1000000, not '%s'",
                             argument));
    c->messages.max_errors = (unsigned)n;
}

static void run_diagnostics_format(struct command *c, const char *argument)
{
    if (!strcmp(argument, "json"))
        c->messages.format = DIAG_JSON;
    else if (!strcmp(argument, "text"))
        c->messages.format = DIAG_TEXT;
    else
        fail(c, arena_printf(c->arena, "unknown diagnostics format '%s' (text or json)", argument));
}

static void run_no_warn(struct command *c, const char *argument)
{
    (void)argument;
    c->messages.no_warnings = true;
}

static void run_fatal_warnings(struct command *c, const char *argument)
{
    (void)argument;
    c->messages.fatal_warnings = true;
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

static const struct option options[] = {
    {"-o", ARGUMENT_NEXT, "FILE", "write the result to FILE (default a.out)", run_output},
    {"-e", ARGUMENT_NEXT, "SYMBOL", "entry symbol or address (default _start, else the first code)",
     run_entry},
    {"--entry", ARGUMENT_EQUAL, "SYMBOL", "as -e", run_entry},
    {"-L", ARGUMENT_NEXT, "DIR", "look for the libraries of -l in DIR", run_library_dir},
    {"--library-path", ARGUMENT_EQUAL, "DIR", "as -L", run_library_dir},
    {"-l", ARGUMENT_NEXT, "NAME", "link libNAME.a; with -l:NAME the file NAME", run_library},
    {"--library", ARGUMENT_EQUAL, "NAME", "as -l", run_library},
    {"--whole-archive", ARGUMENT_NONE, NULL, "take all members of the archives that follow",
     run_whole},
    {"--no-whole-archive", ARGUMENT_NONE, NULL, "end of --whole-archive", run_no_whole},
    {"--start-group", ARGUMENT_NONE, NULL, "search the archives up to --end-group until none helps",
     run_group},
    {"-(", ARGUMENT_NONE, NULL, "as --start-group", run_group},
    {"--end-group", ARGUMENT_NONE, NULL, "end of --start-group", run_end_group},
    {"-)", ARGUMENT_NONE, NULL, "as --end-group", run_end_group},
    {"-r", ARGUMENT_NONE, NULL, "make one relocatable object", run_relocatable},
    {"--relocatable", ARGUMENT_NONE, NULL, "as -r", run_relocatable},
    {"--gc-sections", ARGUMENT_NONE, NULL, "discard sections that nothing reaches", run_gc},
    {"--no-gc-sections", ARGUMENT_NONE, NULL, "keep all sections (default)", run_no_gc},
    {"--print-gc-sections", ARGUMENT_NONE, NULL, "list what --gc-sections discards", run_print_gc},
    {"-s", ARGUMENT_NONE, NULL, "leave out symbols and the line table", run_strip_all},
    {"--strip-all", ARGUMENT_NONE, NULL, "as -s", run_strip_all},
    {"-S", ARGUMENT_NONE, NULL, "leave out the line table", run_strip_debug},
    {"--strip-debug", ARGUMENT_NONE, NULL, "as -S", run_strip_debug},
    {"-x", ARGUMENT_NONE, NULL, "leave out local symbols", run_discard_all},
    {"--discard-all", ARGUMENT_NONE, NULL, "as -x", run_discard_all},
    {"-q", ARGUMENT_NONE, NULL, "keep the relocations in the executable", run_emit_relocs},
    {"--emit-relocs", ARGUMENT_NONE, NULL, "as -q", run_emit_relocs},
    {"--defsym", ARGUMENT_EQUAL, "SYM=EXPR", "define SYM; EXPR: numbers and symbols with + and -",
     run_defsym},
    {"-u", ARGUMENT_NEXT, "SYMBOL", "search archives for SYMBOL", run_undefined},
    {"--undefined", ARGUMENT_EQUAL, "SYMBOL", "as -u", run_undefined},
    {"--wrap", ARGUMENT_EQUAL, "SYMBOL", "SYMBOL means __wrap_SYMBOL, __real_SYMBOL means SYMBOL",
     run_wrap},
    {"-Ttext", ARGUMENT_EQUAL, "ADDRESS", "hexadecimal address of .text (default 10000)", run_text},
    {"-Tdata", ARGUMENT_EQUAL, "ADDRESS", "address of .data", run_data},
    {"-Tbss", ARGUMENT_EQUAL, "ADDRESS", "address of .bss", run_bss},
    {"--section-start", ARGUMENT_EQUAL, "SECTION=ADDRESS", "address of a section (decimal, or 0x)",
     run_section_start},
    {"-T", ARGUMENT_NEXT, ".SECTION=ADDRESS", "address of a section (hexadecimal)",
     run_section_or_script},
    {"--oformat", ARGUMENT_EQUAL, "elf|binary|ihex|srec", "kind of file to write", run_format},
    {"--build-id", ARGUMENT_OPTIONAL, "=sha256|none", "add a note with the file's SHA-256",
     run_build_id},
    {"-Map", ARGUMENT_EQUAL, "FILE", "write a map of the result to FILE", run_map},
    {"-M", ARGUMENT_NONE, NULL, "print the map", run_print_map},
    {"--print-map", ARGUMENT_NONE, NULL, "as -M", run_print_map},
    {"-t", ARGUMENT_NONE, NULL, "list the objects that take part", run_trace},
    {"--trace", ARGUMENT_NONE, NULL, "as -t", run_trace},
    {"-y", ARGUMENT_NEXT, "SYMBOL", "list who defines and who uses SYMBOL", run_trace_symbol},
    {"--trace-symbol", ARGUMENT_EQUAL, "SYMBOL", "as -y", run_trace_symbol},
    {"-static", ARGUMENT_NONE, NULL, "accepted: every link is static", run_accepted},
    {"--no-undefined", ARGUMENT_NONE, NULL, "accepted: undefined symbols are always errors",
     run_accepted},
    {"-fmax-errors", ARGUMENT_EQUAL, "N", "print at most N errors (default 20, 0 is no limit)",
     run_max_errors},
    {"--diagnostics-format", ARGUMENT_EQUAL, "text|json", "how messages look",
     run_diagnostics_format},
    {"-w", ARGUMENT_NONE, NULL, "print no warnings, as --no-warnings", run_no_warn},
    {"--no-warnings", ARGUMENT_NONE, NULL, "print no warnings", run_no_warn},
    {"--fatal-warnings", ARGUMENT_NONE, NULL, "treat warnings as errors", run_fatal_warnings},
    {"--help", ARGUMENT_NONE, NULL, "print this text", run_help},
    {"--version", ARGUMENT_NONE, NULL, "print the version", run_version},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

/* ---- parsing ---- */

static const char *without_dashes(const char *text)
{
    return text + 1 + (text[1] == '-');
}

/* A name of several letters, with one dash or two. *argument: NULL when none is glued. */
static bool matches_long(const struct option *o, const char *word, const char **argument)
{
    const char *name = without_dashes(o->name), *text = without_dashes(word);
    size_t length = strlen(name);

    if (length == 1 || strncmp(text, name, length) || (text[length] && text[length] != '='))
        return false;
    *argument = text[length] ? text + length + 1 : NULL;
    return !*argument || o->argument != ARGUMENT_NONE;
}

/* One letter, with one dash. */
static bool matches_short(const struct option *o, const char *word, const char **argument)
{
    if (o->name[2] || word[1] != o->name[1])
        return false;
    *argument = word[2] ? word + 2 : NULL;
    return !*argument || o->argument == ARGUMENT_NEXT;
}

static const struct option *find_option(const char *word, const char **argument)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (matches_long(&options[i], word, argument))
            return &options[i];
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (matches_short(&options[i], word, argument))
            return &options[i];
    return NULL;
}

static void parse_words(struct command *c, size_t count, char **words);

/* Takes words[i]; returns the index of the last word used. */
static size_t parse_option(struct command *c, size_t i, size_t count, char **words)
{
    const char *argument;
    const struct option *o = find_option(words[i], &argument);

    if (!o) {
        fail(c, arena_printf(c->arena, "unknown option '%s'", words[i]));
        return i;
    }
    if (!argument && (o->argument == ARGUMENT_NEXT || o->argument == ARGUMENT_EQUAL)) {
        if (i + 1 >= count) {
            fail(c, arena_printf(c->arena, "option '%s' needs an argument", words[i]));
            return i;
        }
        argument = words[++i];
    }
    o->run(c, argument ? argument : "");
    return i;
}

/* Splits at blanks; '…', "…" and \c quote, as GNU tools read their @FILE. */
static char *take_word(char **at)
{
    char *from = *at, *to, *word, quote = '\0';

    while (isspace((unsigned char)*from))
        from++;
    if (!*from)
        return NULL;
    for (word = to = from; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && from[1])
            *to++ = *++from;
        else if (*from == quote)
            quote = '\0';
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else
            *to++ = *from;
    }
    *at = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static void parse_file(struct command *c, const char *name)
{
    VEC(char *) words = {0};
    const char *error;
    size_t size;

    if (c->nesting == DEEPEST_NESTING) {
        fail(c, arena_printf(c->arena, "@%s: files are nested too deeply", name));
        return;
    }
    char *text = file_read(c->arena, name, &size, &error), *word;
    if (!text) {
        fail(c, arena_printf(c->arena, "@%s: cannot read: %s", name, error));
        return;
    }
    while ((word = take_word(&text)))
        *vec_push(c->mem, &words) = word;
    c->nesting++;
    parse_words(c, words.count, words.item);
    c->nesting--;
    vec_free(c->mem, &words);
}

static void parse_words(struct command *c, size_t count, char **words)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i][0] == '@')
            parse_file(c, words[i] + 1);
        else if (words[i][0] == '-' && words[i][1])
            i = parse_option(c, i, count, words);
        else
            add_input(c, LINK_FILE, words[i]);
    }
}

static void check_combinations(struct command *c)
{
    const struct link_options *o = &c->options;

    if (!c->inputs.count && !c->help && !c->version)
        fail(c, "no input files");
    if (o->relocatable && c->format != FORMAT_ELF)
        fail(c, "-r makes an object, which has no image for --oformat");
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
    if (argc > 1)
        parse_words(c, (size_t)argc - 1, argv + 1);
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
    return !c->error;
}

void command_help(FILE *out)
{
    static const char *const between[] = {[ARGUMENT_NONE] = "",
                                          [ARGUMENT_NEXT] = " ",
                                          [ARGUMENT_EQUAL] = "=",
                                          [ARGUMENT_OPTIONAL] = ""};

    fprintf(out, "Usage: pto-ld [OPTION]... FILE...\n"
                 "Links PTO and SEQ objects and archives into one executable.\n\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &options[i];
        int width =
            fprintf(out, "  %s%s%s", o->name, between[o->argument], o->value ? o->value : "");

        fprintf(out, "%*s%s\n", width < 34 ? 34 - width : 2, "", o->help);
    }
    fprintf(out, "\n@FILE stands for the words in FILE. Long options may begin with one dash.\n"
                 "Exit status: 0 all is well, 1 errors (no result is left), 2 wrong usage.\n");
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
