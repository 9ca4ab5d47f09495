/* SPDX-License-Identifier: BSD-3-Clause */
#include "asm/command.h"

#include <stdlib.h>
#include <string.h>

enum argument {
    ARGUMENT_NONE,
    ARGUMENT_NEXT,     /* -o FILE, -oFILE; --defsym X, --defsym=X */
    ARGUMENT_EQUAL,    /* -march=NAME */
    ARGUMENT_OPTIONAL, /* letters or =FILE glued to it: -ahls=FILE */
};

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

static void run_output(struct command *c, const char *argument)
{
    c->output = argument;
}

static void run_include(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->include_dirs) = argument;
}

static void run_define(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->defines) = argument;
}

static void run_debug(struct command *c, const char *argument)
{
    (void)argument;
    c->options.debug = true;
}

static isa_revset revision(struct command *c, const char *name, enum isa_set set)
{
    const struct isa_revision *r = isa_find_revision(name, strlen(name));
    if (r && r->set == set)
        return r->bit;
    fail(c, set == ISA_SET_PTO ? "unknown revision '%s'" : "unknown SEQ generation '%s'", name);
    return 0;
}

static void run_march(struct command *c, const char *argument)
{
    c->options.march = revision(c, argument, ISA_SET_PTO);
}

static void run_mseq(struct command *c, const char *argument)
{
    c->options.mseq = revision(c, argument, ISA_SET_SEQ);
}

static void run_target(struct command *c, const char *argument)
{
    c->options.target = strcmp(argument, "a3") == 0 ? 3 : strcmp(argument, "a5") == 0 ? 5 : 0;
    if (!c->options.target)
        fail(c, "unknown target '%s' (a3 or a5)", argument);
}

static void run_no_bundle_check(struct command *c, const char *argument)
{
    (void)argument;
    c->options.no_bundle_check = true;
}

static void run_max_errors(struct command *c, const char *argument)
{
    char *end;
    unsigned long n = strtoul(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end || n > 1000000)
        fail(c, "-fmax-errors= takes a number up to 1000000, not '%s'", argument);
    c->messages.max_errors = (unsigned)n;
}

static void run_format(struct command *c, const char *argument)
{
    if (strcmp(argument, "json") == 0)
        c->messages.format = DIAG_JSON;
    else if (strcmp(argument, "text") == 0)
        c->messages.format = DIAG_TEXT;
    else
        fail(c, "unknown diagnostics format '%s' (text or json)", argument);
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

static void run_check(struct command *c, const char *argument)
{
    (void)argument;
    c->check = true;
}

/* -a[hls][=FILE]: h and l the source, s the symbols, nothing both. */
static void run_listing(struct command *c, const char *argument)
{
    const char *file = strchr(argument, '=');
    size_t letters = file ? (size_t)(file - argument) : strlen(argument);
    if (strspn(argument, "hls") < letters)
        fail(c, "unknown listing option '-a%s'", argument);
    c->listing = true;
    c->list_source |= !letters || memchr(argument, 'l', letters) || memchr(argument, 'h', letters);
    c->list_symbols |= !letters || memchr(argument, 's', letters);
    if (file)
        c->listing_file = file + 1;
}

static void run_dependencies(struct command *c, const char *argument)
{
    (void)argument;
    c->dependencies = true;
}

static void run_dependency_file(struct command *c, const char *argument)
{
    c->dependencies = true;
    c->dependency_file = argument;
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

static void run_verbose(struct command *c, const char *argument)
{
    (void)argument;
    c->verbose = true;
}

static const struct option options[] = {
    {"-o", ARGUMENT_NEXT, "FILE", "write the object to FILE, or into it when it is a directory",
     run_output},
    {"-I", ARGUMENT_NEXT, "DIR", "look for .include and .incbin files in DIR too", run_include},
    {"-D", ARGUMENT_NEXT, "SYM=VALUE", "define a symbol, as --defsym", run_define},
    {"--defsym", ARGUMENT_NEXT, "SYM=VALUE", "define a symbol before the first line", run_define},
    {"-g", ARGUMENT_NONE, NULL, "write a line table", run_debug},
    {"-march", ARGUMENT_EQUAL, "NAME", "PTO revision: pto0.58.2, pto0.58.3 (default), pto0.58.5",
     run_march},
    {"-mseq", ARGUMENT_EQUAL, "NAME", "SEQ generation: sunda, cayman (default), mariana, maverick",
     run_mseq},
    {"--target", ARGUMENT_EQUAL, "a3|a5", "legality rules of PTO-AS", run_target},
    {"-mno-bundle-check", ARGUMENT_NONE, NULL, "check lines, but not whole bundles",
     run_no_bundle_check},
    {"-fmax-errors", ARGUMENT_EQUAL, "N", "print at most N errors (default 20, 0 is no limit)",
     run_max_errors},
    {"--diagnostics-format", ARGUMENT_EQUAL, "text|json", "how messages look", run_format},
    {"-W", ARGUMENT_NONE, NULL, "print no warnings, as --no-warn", run_no_warn},
    {"--no-warn", ARGUMENT_NONE, NULL, "print no warnings", run_no_warn},
    {"--fatal-warnings", ARGUMENT_NONE, NULL, "treat warnings as errors", run_fatal_warnings},
    {"--check", ARGUMENT_NONE, NULL, "check the source and write nothing", run_check},
    {"-MD", ARGUMENT_NONE, NULL, "write the files read as a rule for make, into OBJECT.d",
     run_dependencies},
    {"-MF", ARGUMENT_NEXT, "FILE", "as -MD, into FILE", run_dependency_file},
    {"--help", ARGUMENT_NONE, NULL, "print this text", run_help},
    {"--version", ARGUMENT_NONE, NULL, "print the version", run_version},
    {"-v", ARGUMENT_NONE, NULL, "print the version and go on", run_verbose},
    {"-a", ARGUMENT_OPTIONAL, "[hls][=FILE]", "write a listing: h and l the source, s the symbols",
     run_listing},
};

enum { OPTION_COUNT = sizeof options / sizeof *options };

/* The argument that is glued to the option, NULL when the option is another one. */
static const char *glued(const struct option *o, const char *arg)
{
    size_t size = strlen(o->name);
    if (strncmp(arg, o->name, size) != 0)
        return NULL;
    if (arg[size] == '\0' || o->argument == ARGUMENT_OPTIONAL)
        return arg + size;
    if (arg[size] == '=' && (o->argument == ARGUMENT_EQUAL || o->name[1] == '-'))
        return o->argument == ARGUMENT_NONE ? NULL : arg + size + 1;
    return o->argument == ARGUMENT_NEXT && o->name[1] != '-' ? arg + size : NULL;
}

static const struct option *find_option(const char *arg, const char **argument)
{
    for (unsigned n = 0; n < OPTION_COUNT; n++)
        if ((*argument = glued(&options[n], arg)) != NULL &&
            (options[n].argument != ARGUMENT_NONE || !**argument))
            return &options[n];
    return NULL;
}

/* Takes argv[i]; returns the index of the last word used. */
static int parse_option(struct command *c, int i, int argc, char **argv)
{
    const char *argument;
    const struct option *o = find_option(argv[i], &argument);
    if (!o) {
        fail(c, "unknown option '%s'", argv[i]);
        return i;
    }
    if (o->argument == ARGUMENT_NEXT && !*argument) {
        if (i + 1 >= argc) {
            fail(c, "option '%s' needs an argument", argv[i]);
            return i;
        }
        argument = argv[++i];
    } else if (o->argument == ARGUMENT_EQUAL && !*argument) {
        fail(c, "option '%s=' needs an argument", o->name);
        return i;
    }
    o->run(c, argument);
    return i;
}

bool command_parse(struct command *c, struct mem *m, int argc, char **argv)
{
    bool options_end = false;
    *c = (struct command){.mem = m};
    c->messages.program = "pto-as";
    c->messages.max_errors = 20;
    for (int i = 1; i < argc; i++)
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = true;
        else if (options_end || argv[i][0] != '-' || argv[i][1] == '\0')
            *vec_push(m, &c->inputs) = argv[i];
        else
            i = parse_option(c, i, argc, argv);
    if (!c->inputs.count && !c->help && !c->version)
        fail(c, "no input files%s", "");
    vec_push(m, &c->include_dirs);
    vec_push(m, &c->defines);
    c->options.include_dirs = c->include_dirs.item;
    c->options.defines = c->defines.item;
    return !c->failed;
}

void command_help(FILE *out)
{
    fprintf(out, "Usage: pto-as [OPTION]... FILE...\n"
                 "Assembles PTO, SEQ and PTO-AS source; FILE '-' is standard input.\n\n");
    for (unsigned n = 0; n < OPTION_COUNT; n++) {
        const struct option *o = &options[n];
        static const char *const between[] = {[ARGUMENT_NONE] = "",
                                              [ARGUMENT_NEXT] = " ",
                                              [ARGUMENT_EQUAL] = "=",
                                              [ARGUMENT_OPTIONAL] = ""};
        int width =
            fprintf(out, "  %s%s%s", o->name, between[o->argument], o->value ? o->value : "");
        fprintf(out, "%*s%s\n", width < 32 ? 32 - width : 2, "", o->help);
    }
    fprintf(out, "\nSeveral files need -o DIRECTORY or no -o (then FILE.o in the working "
                 "directory).\nExit status: 0 all is well, 1 errors (no object is left), 2 wrong "
                 "usage.\n");
}

void command_free(struct command *c)
{
    vec_free(c->mem, &c->inputs);
    vec_free(c->mem, &c->include_dirs);
    vec_free(c->mem, &c->defines);
}
