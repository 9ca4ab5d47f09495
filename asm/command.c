/* SPDX-License-Identifier: BSD-3-Clause */
#include "asm/command.h"

#include <stddef.h>
#include <string.h>

#include "asm/make_rule.h"
#include "support/option.h"

static void fail(struct command *c, const char *fmt, const char *text)
{
    if (!c->failed)
        snprintf(c->error, sizeof c->error, fmt, text);
    c->failed = true;
}

static void run_output(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->output = argument;
}

static void run_include(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->include_dirs) = argument;
}

static void run_define(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->defines) = argument;
}

static isa_revset revision(struct command *c, const char *name, enum isa_set set)
{
    const struct isa_revision *r = isa_find_revision(name, strlen(name));
    if (r && r->set == set)
        return r->bit;
    if (!c->failed) {
        char legal[80];
        isa_list_revisions(set, legal, sizeof legal);
        snprintf(c->error, sizeof c->error, "unknown %s '%.40s' (%s)",
                 set == ISA_SET_PTO ? "revision" : "SEQ generation", name, legal);
    }
    c->failed = true;
    return 0;
}

static void run_march(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.march = revision(c, argument, ISA_SET_PTO);
}

static void run_mseq(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.mseq = revision(c, argument, ISA_SET_SEQ);
}

static void run_target(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.target = asm_find_target(argument);
    if (!c->options.target)
        fail(c, "unknown target '%s' (a3 or a5)", argument);
}

static void run_level(void *ctx, const char *argument)
{
    struct command *c = ctx;
    const char *digit = strncmp(argument, "level", 5) == 0 ? argument + 5 : argument;
    c->options.level = *digit >= '1' && *digit <= '3' && digit[1] == '\0' ? *digit - '0' : 0;
    if (!c->options.level)
        fail(c, "unknown level '%s' (1, 2 or 3)", argument);
}

static void run_max_errors(void *ctx, const char *argument)
{
    struct command *c = ctx;
    unsigned long n = 0;
    if (!option_number(argument, 1000000, &n))
        fail(c, "-fmax-errors= takes a number up to 1000000, not '%s'", argument);
    c->messages.max_errors = (unsigned)n;
}

static void run_format(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (strcmp(argument, "json") == 0)
        c->messages.format = DIAG_JSON;
    else if (strcmp(argument, "text") == 0)
        c->messages.format = DIAG_TEXT;
    else
        fail(c, "unknown diagnostics format '%s' (text or json)", argument);
}

static void run_check(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->check = c->options.check = true;
}

static void run_emit(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->bundles = strcmp(argument, "bundles") == 0;
    if (!c->bundles && strcmp(argument, "object") != 0)
        fail(c, "--emit= is object or bundles, not '%s'", argument);
}

enum { LIST_GENERAL = 1u << 16 }; /* beside ASM_LIST_… */

/* The letters of GNU as; a listing is never divided into pages, so that n takes nothing away. */
static const struct {
    char letter;
    unsigned list;
} listing_letters[] = {
    {'c', ASM_LIST_NO_FALSE},
    {'d', ASM_LIST_NO_DEBUG},
    {'g', LIST_GENERAL},
    {'h', ASM_LIST_SOURCE | ASM_LIST_HIGH},
    {'l', ASM_LIST_SOURCE},
    {'m', ASM_LIST_SOURCE | ASM_LIST_MACROS},
    {'n', 0},
    {'s', ASM_LIST_SYMBOLS},
};

static bool listing_letter(char letter, unsigned *list)
{
    for (size_t i = 0; i < sizeof listing_letters / sizeof *listing_letters; i++)
        if (listing_letters[i].letter == letter) {
            *list |= listing_letters[i].list;
            return true;
        }
    return false;
}

/* -a[LETTERS][=FILE]; without letters as -ahls. */
static void run_listing(void *ctx, const char *argument)
{
    struct command *c = ctx;
    const char *at = *argument && *argument != '=' ? argument : "hls";
    unsigned list = 0;
    for (; *at && *at != '='; at++)
        if (!listing_letter(*at, &list))
            fail(c, "unknown listing option '-a%s'", argument);
    const char *file = strchr(argument, '=');
    c->listing = true;
    c->list_general |= (list & LIST_GENERAL) != 0;
    c->options.list |= list & ~LIST_GENERAL;
    if (file)
        c->listing_file = file + 1;
}

static void run_dependency_file(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->dependencies = true;
    c->dependency_file = argument;
}

static void add_target(struct command *c, const char *target, bool quote)
{
    struct buffer *b = &c->dependency_targets;
    c->has_targets = true;
    if (b->size)
        buffer_append(b, " ", 1);
    if (quote)
        make_quote(b, target, true);
    else
        buffer_append(b, target, strlen(target));
}

static void run_dependency_target(void *ctx, const char *argument)
{
    add_target(ctx, argument, false);
}

static void run_quoted_target(void *ctx, const char *argument)
{
    add_target(ctx, argument, true);
}

static void run_prefix_map(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strchr(argument, '='))
        fail(c, "--debug-prefix-map= takes OLD=NEW, not '%s'", argument);
    *vec_push(c->mem, &c->prefix_maps) = argument;
}

static void run_warn(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->messages.no_warnings = c->messages.fatal_warnings = false;
}

static void run_operand(void *ctx, const char *word)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->inputs) = word;
}

static const struct option_row rows[] = {
    {"-o", OPTION_REQUIRED, "FILE", "write the object to FILE, or into it when it is a directory",
     run_output, 0},
    {"-I", OPTION_REQUIRED, "DIR", "look for .include and .incbin files in DIR too", run_include,
     0},
    {"-D", OPTION_REQUIRED, "SYM=VALUE", "define a symbol, as --defsym", run_define, 0},
    {"--defsym", OPTION_REQUIRED, "SYM=VALUE", "define a symbol before the first line", run_define,
     0},
    {"-g", OPTION_NONE, NULL, "write a line table", NULL, offsetof(struct command, options.debug)},
    {"--gdwarf-5", OPTION_NONE, NULL, "as -g", NULL, offsetof(struct command, options.debug)},
    {"--debug-prefix-map", OPTION_REQUIRED, "OLD=NEW",
     "write NEW for OLD at the start of file names in the line table", run_prefix_map, 0},
    {"-L", OPTION_NONE, NULL, "keep local labels (.L…) as symbols, as --keep-locals", NULL,
     offsetof(struct command, options.keep_locals)},
    {"--keep-locals", OPTION_NONE, NULL, "keep local labels (.L…) as symbols", NULL,
     offsetof(struct command, options.keep_locals)},
    {"--strip-local-absolute", OPTION_NONE, NULL, "keep no local symbols that are numbers", NULL,
     offsetof(struct command, options.strip_local_absolute)},
    {"-march", OPTION_REQUIRED, "NAME", "PTO revision: pto0.58.2, pto0.58.3 (default), pto0.58.5",
     run_march, 0},
    {"-mseq", OPTION_REQUIRED, "NAME", "SEQ generation: sunda, cayman (default), mariana, maverick",
     run_mseq, 0},
    {"--target", OPTION_REQUIRED, "a3|a5", "legality rules of PTO-AS", run_target, 0},
    {"--level", OPTION_REQUIRED, "1|2|3", "level of PTO-AS: 2 without, 3 with addresses of buffers",
     run_level, 0},
    {"-mno-bundle-check", OPTION_NONE, NULL, "check lines, but not whole bundles", NULL,
     offsetof(struct command, options.no_bundle_check)},
    {"-mno-relax", OPTION_NONE, NULL, "keep every form as it is written, whatever its target needs",
     NULL, offsetof(struct command, options.no_relax)},
    {"-fmax-errors", OPTION_REQUIRED, "N", "print at most N errors (default 20, 0 is no limit)",
     run_max_errors, 0},
    {"--diagnostics-format", OPTION_REQUIRED, "text|json", "how messages look", run_format, 0},
    {"-W", OPTION_NONE, NULL, "print no warnings, as --no-warn", NULL,
     offsetof(struct command, messages.no_warnings)},
    {"--no-warn", OPTION_NONE, NULL, "print no warnings", NULL,
     offsetof(struct command, messages.no_warnings)},
    {"--warn", OPTION_NONE, NULL, "print warnings, and as such, whatever stands before", run_warn,
     0},
    {"--fatal-warnings", OPTION_NONE, NULL, "treat warnings as errors", NULL,
     offsetof(struct command, messages.fatal_warnings)},
    {"--check", OPTION_NONE, NULL, "check the source and write nothing", run_check, 0},
    {"--emit", OPTION_REQUIRED, "object|bundles",
     "bundles: print what each PTO-AS statement becomes, to FILE with -o FILE", run_emit, 0},
    {"--print", OPTION_NONE, NULL, "print the source in canonical text, to FILE with -o FILE", NULL,
     offsetof(struct command, print)},
    {"--format", OPTION_NONE, NULL,
     "print the source laid out anew; with --check only say whether that changes it", NULL,
     offsetof(struct command, format)},
    {"-i", OPTION_NONE, NULL, "with --format: write it over the input", NULL,
     offsetof(struct command, in_place)},
    {"-MD", OPTION_NONE, NULL, "write the files read as a rule for make, into OBJECT.d", NULL,
     offsetof(struct command, dependencies)},
    {"-MF", OPTION_REQUIRED, "FILE", "as -MD, into FILE", run_dependency_file, 0},
    {"-MT", OPTION_REQUIRED, "TARGET", "what the rule makes, as it stands there; may be repeated",
     run_dependency_target, 0},
    {"-MQ", OPTION_REQUIRED, "TARGET", "as -MT, quoted for make", run_quoted_target, 0},
    {"-MP", OPTION_NONE, NULL, "add an empty rule for each file that was included", NULL,
     offsetof(struct command, phony)},
    {"--MD", OPTION_REQUIRED, "FILE", "as -MF", run_dependency_file, 0},
    {"-a", OPTION_GLUED, "[cdghlmns][=FILE]",
     "write a listing: l source, m macros, h lines of .loc, s symbols, g options (default hls)",
     run_listing, 0},
    {"--help", OPTION_NONE, NULL, "print this text", NULL, offsetof(struct command, help)},
    {"--version", OPTION_NONE, NULL, "print the version", NULL, offsetof(struct command, version)},
    {"-v", OPTION_NONE, NULL, "print the version and go on", NULL,
     offsetof(struct command, verbose)},
};

static const struct option_table table = {
    .head = "Usage: pto-as [OPTION]... FILE...\n"
            "Assembles PTO, SEQ and PTO-AS source; FILE '-' is standard input.\n",
    .tail = "With -o FILE several files are assembled one behind the other to one object; with -o\n"
            "DIRECTORY, or without -o in the working directory, each to its own FILE.o.\n"
            "Exit status: 0 all is well, 1 errors (no object is left), 2 wrong usage.\n",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operand = run_operand,
};

static void check_format(struct command *c)
{
    if (c->in_place && !c->format)
        fail(c, "-i belongs to --format%s", "");
    if (c->in_place && (c->check || c->output))
        fail(c, "-i and %s exclude each other", c->check ? "--check" : "-o");
    for (size_t i = 0; c->in_place && i < c->inputs.count; i++)
        if (strcmp(c->inputs.item[i], "-") == 0)
            fail(c, "-i needs a file to write%s", "");
}

bool command_parse(struct command *c, struct mem *m, struct arena *a, int argc, char **argv)
{
    *c = (struct command){.mem = m};
    c->messages.program = "pto-as";
    c->messages.max_errors = 20;
    buffer_init(&c->dependency_targets, m);
    const char *wrong = option_parse(&table, a, argc, argv, c);
    if (wrong)
        fail(c, "%s", wrong);
    if (!c->inputs.count && !c->help && !c->version)
        fail(c, "no input files%s", "");
    check_format(c);
    vec_push(m, &c->include_dirs);
    vec_push(m, &c->defines);
    if (c->prefix_maps.count)
        vec_push(m, &c->prefix_maps);
    c->options.prefix_maps = c->prefix_maps.item;
    c->options.include_dirs = c->include_dirs.item;
    c->options.defines = c->defines.item;
    return !c->failed;
}

void command_help(FILE *out)
{
    option_help(&table, out);
}

void command_free(struct command *c)
{
    vec_free(c->mem, &c->inputs);
    vec_free(c->mem, &c->include_dirs);
    vec_free(c->mem, &c->defines);
    vec_free(c->mem, &c->prefix_maps);
    buffer_free(&c->dependency_targets);
}
