/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/file.h"
#include "support/option.h"

/* Handlers write down that they ran. */
static void run_o(void *ctx, const char *argument)
{
    buffer_printf(ctx, "o(%s)", argument);
}

static void run_g(void *ctx, const char *argument)
{
    buffer_printf(ctx, "g(%s)", argument);
}

static void run_arg(void *ctx, const char *argument)
{
    buffer_printf(ctx, "arg(%s)", argument);
}

static void run_march(void *ctx, const char *argument)
{
    buffer_printf(ctx, "march(%s)", argument);
}

static void run_entry(void *ctx, const char *argument)
{
    buffer_printf(ctx, "entry(%s)", argument);
}

static void run_list(void *ctx, const char *argument)
{
    buffer_printf(ctx, "a(%s)", argument);
}

static void run_t(void *ctx, const char *argument)
{
    buffer_printf(ctx, "T(%s)", argument);
}

static void run_text(void *ctx, const char *argument)
{
    buffer_printf(ctx, "Ttext(%s)", argument);
}

static void take_operand(void *ctx, const char *word)
{
    buffer_printf(ctx, "[%s]", word);
}

static const struct option_row rows[] = {
    {"-o", OPTION_REQUIRED, "FILE", "output", run_o, 0},
    {"-g", OPTION_NONE, NULL, "debug", run_g, 0},
    {"-march", OPTION_REQUIRED, "NAME", "revision", run_march, 0},
    {"--entry", OPTION_REQUIRED, "SYM", "entry", run_entry, 0},
    {"-a", OPTION_GLUED, "[hls][=FILE]", "listing", run_list, 0},
    {"--arg", OPTION_NUMBERED, "VALUE", "argument N", run_arg, 0},
    {"-T", OPTION_REQUIRED, "FILE", "script", run_t, 0},
    {"-Ttext", OPTION_REQUIRED, "ADDRESS", "address", run_text, 0},
};

static struct option_table table = {
    .head = "head\n",
    .tail = "tail\n",
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
    .operand = take_operand,
};

/* Parses the blank-separated words of `line` and compares what ran, or the error. */
static void expect(const struct option_table *t, const char *line, const char *expected)
{
    struct mem m = mem_default();
    struct arena *a = arena_create(&m);
    struct buffer ran;
    buffer_init(&ran, &m);
    char *argv[20] = {(char *)"program"};
    int argc = 1;
    char *copy = arena_string(a, line, strlen(line));
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    const char *error = option_parse(t, a, argc, argv, &ran);
    buffer_append(&ran, "", 1);
    assert_string_equal(error ? error : (const char *)ran.data, expected);
    buffer_free(&ran);
    arena_destroy(a);
}

static void arguments_are_glued_or_next(void **state)
{
    (void)state;
    static const struct {
        const char *line, *expected;
    } cases[] = {
        {"", ""},
        {"a b", "[a][b]"},
        {"-o x", "o(x)"},
        {"-ox", "o(x)"},
        {"-o=x", "o(=x)"},
        {"-o -g", "o(-g)"},
        {"-o", "option '-o' needs an argument"},
        {"-g x", "g()[x]"},
        {"-gx", "unknown option '-gx'"},
        {"-march=x", "march(x)"},
        {"-march x", "march(x)"},
        {"-march=", "march()"},
        {"-march", "option '-march' needs an argument"},
        {"-marchx", "unknown option '-marchx'"},
        {"--march=x", "unknown option '--march=x'"},
        {"--entry=x", "entry(x)"},
        {"--entry x", "entry(x)"},
        {"-entry=x", "unknown option '-entry=x'"},
        {"-a", "a()"},
        {"-ahls=f", "a(hls=f)"},
        {"--arg0 x", "arg(0=x)"},
        {"--arg12=x", "arg(12=x)"},
        {"--arg1=", "arg(1=)"},
        {"--arg1 a=b", "arg(1=a=b)"},
        {"--arg1", "option '--arg1' needs an argument"},
        {"--arg x", "unknown option '--arg'"},
        {"--arg1x", "unknown option '--arg1x'"},
        {"-T x", "T(x)"},
        {"-Ttext=5", "Ttext(5)"},
        {"-Ttextual", "T(textual)"},
        {"-Ttext 5", "Ttext(5)"},
        {"- x", "[-][x]"},
        {"-- -g -- @x", "[-g][--][@x]"},
        {"a -z b", "unknown option '-z'"},
        {"@/none/x", "@/none/x: cannot read: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&table, cases[i].line, cases[i].expected);
}

static void longer_names_may_take_one_dash_or_two(void **state)
{
    (void)state;
    struct option_table t = table;
    t.any_dashes = true;
    expect(&t, "-entry=x --entry=y --march z", "entry(x)entry(y)march(z)");
    expect(&t, "--o x", "unknown option '--o'");
}

static void letters_may_be_joined(void **state)
{
    (void)state;
    struct option_table t = table;
    expect(&t, "-gg", "unknown option '-gg'");
    t.joined = true;
    expect(&t, "-gg x", "g()g()[x]");
    expect(&t, "-ggo x", "g()g()o(x)");
    expect(&t, "-gox", "unknown option '-gox'");
    expect(&t, "-gz", "unknown option '-gz'");
    expect(&t, "-go", "option '-go' needs an argument");
    expect(&t, "--gg", "unknown option '--gg'");
}

static void files_hold_words(void **state)
{
    (void)state;
    static const char text[] = " -o 'a b'\n\"c d\"\t-march=x\\ y '' -g";
    char name[] = "option.XXXXXX", line[40];
    int fd = mkstemp(name);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(line, sizeof line, "@%s z", name);
    expect(&table, line, "o(a b)[c d]march(x y)[]g()[z]");
    snprintf(line, sizeof line, "@%s", name);
    assert_null(file_write(name, line, strlen(line), 0666)); /* names itself */
    char expected[80];
    snprintf(expected, sizeof expected, "@%s: files are nested too deeply", name);
    expect(&table, line, expected);
    remove(name);
}

static void help_lists_the_rows(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct option_table t = table;
    t.rows = rows + 2;
    t.count = 4;
    option_help(&t, out);
    fclose(out);
    assert_string_equal(text, "head\n"
                              "  -march=NAME                     revision\n"
                              "  --entry=SYM                     entry\n"
                              "  -a[hls][=FILE]                  listing\n"
                              "  --argN=VALUE                    argument N\n"
                              "tail\n");
    free(text);
}

struct flags {
    bool all, deep, quiet;
};

static void flags_are_set(void **state)
{
    (void)state;
    static const struct option_row flag_rows[] = {
        {"-a", OPTION_NONE, NULL, "all", NULL, offsetof(struct flags, all)},
        {"--deep", OPTION_NONE, NULL, "deep", NULL, offsetof(struct flags, deep)},
        {"-q", OPTION_NONE, NULL, "quiet", NULL, offsetof(struct flags, quiet)},
    };
    const struct option_table t = {.rows = flag_rows, .count = 3, .joined = true};
    struct mem m = mem_default();
    struct arena *a = arena_create(&m);
    struct flags flags = {0};
    char *alone[] = {(char *)"program", (char *)"--deep"};
    assert_null(option_parse(&t, a, 2, alone, &flags));
    assert_true(flags.deep && !flags.all && !flags.quiet);
    char *joined[] = {(char *)"program", (char *)"-qa"};
    assert_null(option_parse(&t, a, 2, joined, &flags));
    assert_true(flags.all && flags.quiet);
    arena_destroy(a);
}

static void numbers_are_decimal_and_bounded(void **state)
{
    (void)state;
    unsigned long n;
    assert_true(option_number("0", 10, &n));
    assert_true(option_number("10", 10, &n));
    assert_int_equal(n, 10);
    assert_false(option_number("11", 10, &n));
    assert_false(option_number("", 10, &n));
    assert_false(option_number("-1", 10, &n));
    assert_false(option_number("1x", 10, &n));
    assert_false(option_number("99999999999999999999999", 10, &n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_glued_or_next),
        cmocka_unit_test(letters_may_be_joined),
        cmocka_unit_test(longer_names_may_take_one_dash_or_two),
        cmocka_unit_test(files_hold_words),
        cmocka_unit_test(help_lists_the_rows),
        cmocka_unit_test(flags_are_set),
        cmocka_unit_test(numbers_are_decimal_and_bounded),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
