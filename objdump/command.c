/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as GNU objdump has them: letters may be joined (-dr), long names take `=` or a word. */
#include "objdump/command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct option {
    char letter; /* 0: none */
    const char *name;
    const char *value; /* what the argument is called; NULL: it takes none */
    const char *help;
    void (*run)(struct command *c, const char *argument);
};

static void fail(struct command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(struct command *c, const char *format, ...)
{
    va_list ap;
    if (c->failed)
        return;
    c->failed = true;
    va_start(ap, format);
    vsnprintf(c->error, sizeof c->error, format, ap);
    va_end(ap);
}

/* ---- what each option does ---- */

static void run_disassemble(struct command *c, const char *argument)
{
    (void)argument;
    c->options.disassemble = true;
}

static void run_source(struct command *c, const char *argument)
{
    (void)argument;
    c->options.source = true;
}

static void run_file_header(struct command *c, const char *argument)
{
    (void)argument;
    c->options.file_header = true;
}

static void run_section_headers(struct command *c, const char *argument)
{
    (void)argument;
    c->options.section_headers = true;
}

static void run_symbols(struct command *c, const char *argument)
{
    (void)argument;
    c->options.symbols = true;
}

static void run_relocs(struct command *c, const char *argument)
{
    (void)argument;
    c->options.relocs = true;
}

static void run_all_headers(struct command *c, const char *argument)
{
    run_file_header(c, argument);
    run_section_headers(c, argument);
    run_symbols(c, argument);
    run_relocs(c, argument);
}

static void run_contents(struct command *c, const char *argument)
{
    (void)argument;
    c->options.contents = true;
}

static void run_lines(struct command *c, const char *argument)
{
    (void)argument;
    c->options.lines = true;
}

static void run_section(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->sections) = argument;
}

static uint64_t address(struct command *c, const char *argument)
{
    char *end;
    unsigned long long value = strtoull(argument, &end, 0);
    if (end == argument || *end || *argument == '-')
        fail(c, "'%.80s' is not an address", argument);
    return value;
}

static void run_start(struct command *c, const char *argument)
{
    c->options.start = address(c, argument);
}

static void run_stop(struct command *c, const char *argument)
{
    c->options.stop = address(c, argument);
}

static void run_adjust(struct command *c, const char *argument)
{
    bool negative = *argument == '-';
    uint64_t value = address(c, argument + negative);
    c->options.adjust = negative ? 0 - value : value;
}

static void run_revision(struct command *c, const char *argument)
{
    const struct isa_revision *r = isa_find_revision(argument, strlen(argument));
    if (!r)
        fail(c, "'%.80s' is no revision or generation that is known here", argument);
    else if (r->set == ISA_SET_PTO)
        c->options.target.pto = r->bit;
    else
        c->options.target.seq = r->bit;
}

static void run_format(struct command *c, const char *argument)
{
    c->options.raw = !strcmp(argument, "binary");
    if (c->options.raw)
        c->format = INPUT_BINARY;
    else if (!strcmp(argument, "elf") || !strcmp(argument, "elf64-pto"))
        c->format = INPUT_ELF;
    else
        fail(c, "unknown input format '%.80s' (elf or binary)", argument);
}

static void run_machine(struct command *c, const char *argument)
{
    c->raw_seq = !strcmp(argument, "seq");
    if (!c->raw_seq && strcmp(argument, "pto") != 0)
        fail(c, "unknown machine '%.80s' (pto or seq)", argument);
}

static void run_encoding(struct command *c, const char *argument)
{
    *vec_push(c->mem, &c->encodings) = argument;
}

static void run_wavejson(struct command *c, const char *argument)
{
    (void)argument;
    c->wavejson = true;
}

static void run_strict(struct command *c, const char *argument)
{
    (void)argument;
    c->strict = true;
}

static void run_diagnostics_format(struct command *c, const char *argument)
{
    if (!strcmp(argument, "json"))
        c->messages.format = DIAG_JSON;
    else if (strcmp(argument, "text") != 0)
        fail(c, "unknown diagnostics format '%.80s' (text or json)", argument);
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
    {'d', "--disassemble", NULL, "disassemble sections with code", run_disassemble},
    {0, "--asm", NULL, "with -d: as source text that assembles to the same bytes", run_source},
    {'f', "--file-headers", NULL, "show kind, revision and entry of the file", run_file_header},
    {'h', "--section-headers", NULL, "show the sections", run_section_headers},
    {'t', "--syms", NULL, "show the symbols", run_symbols},
    {'r', "--reloc", NULL, "show the relocations; with -d among the instructions", run_relocs},
    {'x', "--all-headers", NULL, "as -f -h -t -r", run_all_headers},
    {'s', "--full-contents", NULL, "show the bytes of the sections", run_contents},
    {'l', "--line-numbers", NULL, "with -d: show source files and lines", run_lines},
    {'j', "--section", "NAME", "only section NAME (may be repeated)", run_section},
    {0, "--start-address", "ADDRESS", "leave out what lies below ADDRESS", run_start},
    {0, "--stop-address", "ADDRESS", "leave out what lies at or above ADDRESS", run_stop},
    {0, "--adjust-vma", "OFFSET", "add OFFSET to all section addresses", run_adjust},
    {'M', "--disassembler-options", "REVISION", "as -march=", run_revision},
    {0, "-march", "REVISION",
     "decode as REVISION (pto0.58.2, pto0.58.3, …), whatever the file says", run_revision},
    {0, "-mseq", "GENERATION", "decode SEQ records as GENERATION (sunda, cayman, …)", run_revision},
    {'b', "--target", "elf|binary", "format of the files; binary is bytes without a header",
     run_format},
    {'m', "--architecture", "pto|seq", "what raw bytes are (default pto)", run_machine},
    {0, "--encoding", "MNEMONIC", "show the bit fields of an instruction", run_encoding},
    {0, "--wavejson", NULL, "with --encoding: as WaveDrom JSON", run_wavejson},
    {0, "--strict", NULL, "exit with 1 when a word in code is illegal", run_strict},
    {0, "--diagnostics-format", "text|json", "how messages look", run_diagnostics_format},
    {0, "--help", NULL, "print this text", run_help},
    {0, "--version", NULL, "print the version", run_version},
};

enum { OPTION_COUNT = sizeof options / sizeof *options, HELP_COLUMN = 30 };

/* ---- parsing ---- */

static const struct option *find_long(const char *word, const char **argument)
{
    size_t n = strcspn(word, "=");
    *argument = word[n] ? word + n + 1 : NULL;
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (strlen(options[i].name) == n && !memcmp(options[i].name, word, n))
            return &options[i];
    return NULL;
}

static const struct option *find_letter(char letter)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (options[i].letter == letter)
            return &options[i];
    return NULL;
}

/* Runs an option; *next is the word that may be its argument. */
static void run_option(struct command *c, const struct option *o, const char *argument,
                       char ***next)
{
    if (o->value && !argument && **next)
        argument = *(*next)++;
    if (o->value && !argument)
        fail(c, "%s needs an argument (%s)", o->name, o->value);
    else if (!o->value && argument)
        fail(c, "%s takes no argument", o->name);
    else
        o->run(c, argument);
}

static void parse_letters(struct command *c, const char *word, char ***next)
{
    for (const char *p = word + 1; *p && !c->failed; p++) {
        const struct option *o = find_letter(*p);
        if (!o) {
            fail(c, "unknown option '-%c'; see --help", *p);
            return;
        }
        const char *glued = o->value && p[1] ? p + 1 : NULL;
        run_option(c, o, glued, next);
        if (glued)
            return;
    }
}

static void parse_word(struct command *c, const char *word, char ***next)
{
    const char *argument;
    const struct option *o = find_long(word, &argument);
    if (word[0] != '-' || !word[1])
        *vec_push(c->mem, &c->inputs) = word;
    else if (o)
        run_option(c, o, argument, next);
    else if (word[1] == '-')
        fail(c, "unknown option '%.80s'; see --help", word);
    else
        parse_letters(c, word, next);
}

static bool asks_something(const struct command *c)
{
    const struct objdump_options *o = &c->options;
    return o->disassemble || o->source || o->file_header || o->section_headers || o->symbols ||
           o->relocs || o->contents;
}

static void check(struct command *c)
{
    if (c->help || c->version)
        return;
    if (!c->inputs.count && !c->encodings.count)
        fail(c, "no input files");
    else if (c->inputs.count && !asks_something(c))
        fail(c, "say what to show: -d, -d --asm, -f, -h, -t, -r, -x, -s or --encoding");
    else if (c->wavejson && !c->encodings.count)
        fail(c, "--wavejson belongs to --encoding");
}

bool command_parse(struct command *c, struct mem *m, int argc, char **argv)
{
    (void)argc;
    *c = (struct command){.mem = m, .options.stop = UINT64_MAX};
    char **next = argv + 1;
    while (*next && !c->failed) {
        const char *word = *next++;
        if (!strcmp(word, "--"))
            while (*next)
                *vec_push(m, &c->inputs) = *next++;
        else
            parse_word(c, word, &next);
    }
    check(c);
    if (c->sections.count) {
        *vec_push(m, &c->sections) = NULL;
        c->options.sections = c->sections.item;
    }
    return !c->failed;
}

void command_help(FILE *out)
{
    fprintf(out, "Usage: pto-objdump OPTION... FILE...\n"
                 "Show what is in PTO objects, programs and archives.\n\n");
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const struct option *o = &options[i];
        int n = o->letter ? fprintf(out, "  -%c, %s", o->letter, o->name)
                          : fprintf(out, "  %s", o->name);
        if (o->value)
            n += fprintf(out, "=%s", o->value);
        if (n >= HELP_COLUMN)
            fprintf(out, "\n%*s%s\n", HELP_COLUMN, "", o->help);
        else
            fprintf(out, "%*s%s\n", HELP_COLUMN - n, "", o->help);
    }
}

void command_free(struct command *c)
{
    if (!c->mem)
        return;
    vec_free(c->mem, &c->inputs);
    vec_free(c->mem, &c->sections);
    vec_free(c->mem, &c->encodings);
}
