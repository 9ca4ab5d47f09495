/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as GNU objdump has them. */
#include "objdump/command.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "support/option.h"

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

static void run_all_headers(void *ctx, const char *argument)
{
    struct command *c = ctx;
    (void)argument;
    c->options.file_header = c->options.section_headers = true;
    c->options.symbols = c->options.relocs = true;
}

static void run_section(void *ctx, const char *argument)
{
    struct command *c = ctx;
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

static void run_start(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.start = address(c, argument);
}

static void run_stop(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.stop = address(c, argument);
}

static void run_adjust(void *ctx, const char *argument)
{
    struct command *c = ctx;
    bool negative = *argument == '-';
    uint64_t value = address(c, argument + negative);
    c->options.adjust = negative ? 0 - value : value;
}

static void run_revision(void *ctx, const char *argument)
{
    struct command *c = ctx;
    const struct isa_revision *r = isa_find_revision(argument, strlen(argument));
    if (!r)
        fail(c, "'%.80s' is no revision or generation that is known here", argument);
    else if (r->set == ISA_SET_PTO)
        c->options.target.pto = r->bit;
    else
        c->options.target.seq = r->bit;
}

static void run_format(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->options.raw = !strcmp(argument, "binary");
    if (c->options.raw)
        c->format = INPUT_BINARY;
    else if (!strcmp(argument, "elf") || !strcmp(argument, "elf64-pto"))
        c->format = INPUT_ELF;
    else
        fail(c, "unknown input format '%.80s' (elf or binary)", argument);
}

static void run_machine(void *ctx, const char *argument)
{
    struct command *c = ctx;
    c->raw_seq = !strcmp(argument, "seq");
    if (!c->raw_seq && strcmp(argument, "pto") != 0)
        fail(c, "unknown machine '%.80s' (pto or seq)", argument);
}

static void run_encoding(void *ctx, const char *argument)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->encodings) = argument;
}

static void run_diagnostics_format(void *ctx, const char *argument)
{
    struct command *c = ctx;
    if (!strcmp(argument, "json"))
        c->messages.format = DIAG_JSON;
    else if (strcmp(argument, "text") != 0)
        fail(c, "unknown diagnostics format '%.80s' (text or json)", argument);
}

static void add_input(void *ctx, const char *word)
{
    struct command *c = ctx;
    *vec_push(c->mem, &c->inputs) = word;
}

static const struct option_row rows[] = {
    {"-d", OPTION_NONE, NULL, "disassemble sections with code", NULL,
     offsetof(struct command, options.disassemble)},
    {"--disassemble", OPTION_NONE, NULL, "as -d", NULL,
     offsetof(struct command, options.disassemble)},
    {"--asm", OPTION_NONE, NULL, "with -d: as source text that assembles to the same bytes", NULL,
     offsetof(struct command, options.source)},
    {"-f", OPTION_NONE, NULL, "show kind, revision and entry of the file", NULL,
     offsetof(struct command, options.file_header)},
    {"--file-headers", OPTION_NONE, NULL, "as -f", NULL,
     offsetof(struct command, options.file_header)},
    {"-h", OPTION_NONE, NULL, "show the sections", NULL,
     offsetof(struct command, options.section_headers)},
    {"--section-headers", OPTION_NONE, NULL, "as -h", NULL,
     offsetof(struct command, options.section_headers)},
    {"-t", OPTION_NONE, NULL, "show the symbols", NULL, offsetof(struct command, options.symbols)},
    {"--syms", OPTION_NONE, NULL, "as -t", NULL, offsetof(struct command, options.symbols)},
    {"-r", OPTION_NONE, NULL, "show the relocations; with -d among the instructions", NULL,
     offsetof(struct command, options.relocs)},
    {"--reloc", OPTION_NONE, NULL, "as -r", NULL, offsetof(struct command, options.relocs)},
    {"-x", OPTION_NONE, NULL, "as -f -h -t -r", run_all_headers, 0},
    {"--all-headers", OPTION_NONE, NULL, "as -x", run_all_headers, 0},
    {"-s", OPTION_NONE, NULL, "show the bytes of the sections", NULL,
     offsetof(struct command, options.contents)},
    {"--full-contents", OPTION_NONE, NULL, "as -s", NULL,
     offsetof(struct command, options.contents)},
    {"-l", OPTION_NONE, NULL, "with -d: show source files and lines", NULL,
     offsetof(struct command, options.lines)},
    {"--line-numbers", OPTION_NONE, NULL, "as -l", NULL, offsetof(struct command, options.lines)},
    {"-j", OPTION_REQUIRED, "NAME", "only section NAME (may be repeated)", run_section, 0},
    {"--section", OPTION_REQUIRED, "NAME", "as -j", run_section, 0},
    {"--start-address", OPTION_REQUIRED, "ADDRESS", "leave out what lies below ADDRESS", run_start,
     0},
    {"--stop-address", OPTION_REQUIRED, "ADDRESS", "leave out what lies at or above ADDRESS",
     run_stop, 0},
    {"--adjust-vma", OPTION_REQUIRED, "OFFSET", "add OFFSET to all section addresses", run_adjust,
     0},
    {"-march", OPTION_REQUIRED, "REVISION", "decode as pto0.58.2, ..., whatever the file says",
     run_revision, 0},
    {"-mseq", OPTION_REQUIRED, "GENERATION", "decode SEQ records as sunda, cayman, ...",
     run_revision, 0},
    {"-M", OPTION_REQUIRED, "REVISION", "as -march= or -mseq=", run_revision, 0},
    {"-b", OPTION_REQUIRED, "elf|binary", "format of the files; binary: bytes without a header",
     run_format, 0},
    {"-m", OPTION_REQUIRED, "pto|seq", "what raw bytes are (default pto)", run_machine, 0},
    {"--encoding", OPTION_REQUIRED, "MNEMONIC", "show the bit fields of an instruction",
     run_encoding, 0},
    {"--wavejson", OPTION_NONE, NULL, "with --encoding: as WaveDrom JSON", NULL,
     offsetof(struct command, wavejson)},
    {"--validate", OPTION_NONE, NULL,
     "list every validity clause that a SEQ record violates; exit with 1 when there is one", NULL,
     offsetof(struct command, options.validate)},
    {"--strict", OPTION_NONE, NULL, "exit with 1 when a word in code is illegal", NULL,
     offsetof(struct command, strict)},
    {"--diagnostics-format", OPTION_REQUIRED, "text|json", "how messages look",
     run_diagnostics_format, 0},
    {"--help", OPTION_NONE, NULL, "print this text", NULL, offsetof(struct command, help)},
    {"--version", OPTION_NONE, NULL, "print the version", NULL, offsetof(struct command, version)},
};

static const struct option_table table = {
    .head = "Usage: pto-objdump OPTION... FILE...\n"
            "Show what is in PTO objects, programs and archives.\n\n",
    .tail = "",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .joined = true,
    .operand = add_input,
};

/* ---- parsing ---- */

static bool asks_something(const struct command *c)
{
    const struct objdump_options *o = &c->options;
    return o->disassemble || o->source || o->file_header || o->section_headers || o->symbols ||
           o->relocs || o->contents || o->validate;
}

static void check(struct command *c)
{
    if (c->help || c->version)
        return;
    if (!c->inputs.count && !c->encodings.count)
        fail(c, "no input files");
    else if (c->inputs.count && !asks_something(c))
        fail(c, "say what to show: -d, -d --asm, -f, -h, -t, -r, -x, -s, --validate or --encoding");
    else if (c->wavejson && !c->encodings.count)
        fail(c, "--wavejson belongs to --encoding");
}

bool command_parse(struct command *c, struct mem *m, int argc, char **argv)
{
    *c = (struct command){.mem = m, .arena = arena_create(m), .options.stop = UINT64_MAX};
    c->messages.program = "pto-objdump";
    const char *error = option_parse(&table, c->arena, argc, argv, c);
    if (error)
        fail(c, "%s", error);
    check(c);
    if (c->sections.count) {
        *vec_push(m, &c->sections) = NULL;
        c->options.sections = c->sections.item;
    }
    return !c->failed;
}

void command_help(FILE *out)
{
    option_help(&table, out);
}

void command_free(struct command *c)
{
    if (!c->mem)
        return;
    vec_free(c->mem, &c->inputs);
    vec_free(c->mem, &c->sections);
    vec_free(c->mem, &c->encodings);
    arena_destroy(c->arena);
}
