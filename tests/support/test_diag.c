/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "tests/support/failing_mem.h"

/* A diag that prints into memory. */
struct fixture {
    struct mem mem;
    struct diag *diag;
    FILE *out;
    char *text;
    size_t size;
};

static struct fixture *start(struct diag_options options)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->mem = mem_default();
    f->out = open_memstream(&f->text, &f->size);
    options.out = f->out;
    f->diag = diag_create(&f->mem, &options);
    return f;
}

static uint32_t add(struct fixture *f, const char *name, const char *text)
{
    return diag_add_source(f->diag, name, text, strlen(text), (struct loc){0}, DIAG_ROLE_FILE);
}

static void finish(struct fixture *f, const char *expected)
{
    diag_destroy(f->diag);
    fclose(f->out);
    assert_string_equal(f->text, expected);
    free(f->text);
    free(f);
}

static struct loc at(uint32_t file, uint32_t line, uint32_t col, uint32_t end_col)
{
    return (struct loc){file, line, col, line, end_col};
}

static void message_shows_line_and_range(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    uint32_t file = add(f, "a.pto", "first\n  add a0, a1\nlast");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 2, 7, 9), "found %s", "a0");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 3, 1, 1), "no range");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 6, 7), "behind the line");
    finish(f, "a.pto:2:7: error: found a0 [syntax]\n"
              "  add a0, a1\n"
              "      ^~\n"
              "a.pto:3:1: error: no range [syntax]\n"
              "last\n"
              "^\n"
              "a.pto:1:6: error: behind the line [syntax]\n"
              "first\n"
              "     ^\n");
}

static void range_over_lines_ends_with_the_first(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    uint32_t file = add(f, "a", "x (1, \n 2)\n");
    diag_report(f->diag, DIAG_SYNTAX, (struct loc){file, 1, 3, 2, 4}, "m");
    finish(f, "a:1:3: error: m [syntax]\nx (1, \n  ^~~\n");
}

static void line_ends_are_lf_crlf_and_cr(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    uint32_t file = add(f, "a", "one\r\ntwo\rthree\n\nfive");
    for (uint32_t line = 1; line <= 6; line++)
        diag_report(f->diag, DIAG_SYNTAX, at(file, line, 1, 2), "%u", (unsigned)line);
    finish(f, "a:1:1: error: 1 [syntax]\none\n^\n"
              "a:2:1: error: 2 [syntax]\ntwo\n^\n"
              "a:3:1: error: 3 [syntax]\nthree\n^\n"
              "a:4:1: error: 4 [syntax]\n\n^\n"
              "a:5:1: error: 5 [syntax]\nfive\n^\n"
              "a:6:1: error: 6 [syntax]\n");
}

static void caret_stands_below_tabs_and_utf8(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    uint32_t file = add(f, "a", "\t\xc3\xa9\tx\n\x1b[1mx\n\xff\xffz");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 5, 6), "tab");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 2, 5), "accent");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 2, 5, 6), "escape");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 3, 2, 4), "not UTF-8");
    finish(f, "a:1:5: error: tab [syntax]\n\t\xc3\xa9\tx\n\t \t^\n"
              "a:1:2: error: accent [syntax]\n\t\xc3\xa9\tx\n\t^~\n"
              "a:2:5: error: escape [syntax]\n\\x1b[1mx\n       ^\n"
              "a:3:2: error: not UTF-8 [syntax]\n\\xff\\xffz\n    ^~~~~\n");
}

static void long_line_is_cut_around_the_mark(void **state)
{
    (void)state;
    char text[1001], expected[1200];
    memset(text, 'a', 1000);
    text[1000] = '\0';
    text[500] = 'X';
    struct fixture *f = start((struct diag_options){0});
    uint32_t file = add(f, "a", text);
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 501, 502), "m");
    snprintf(expected, sizeof expected, "a:1:501: error: m [syntax]\n...%.200s...\n%83s^\n",
             text + 420, "");
    finish(f, expected);
}

static void message_without_a_place(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){.program = "pto-as"});
    diag_report(f->diag, DIAG_USAGE, (struct loc){0}, "no input");
    diag_note(f->diag, (struct loc){0}, "see --help");
    char name[] = "x.o";
    diag_report_file(f->diag, DIAG_CANNOT_READ, name, "%s", "is empty");
    name[0] = 'y'; /* the name is copied */
    finish(f, "pto-as: error: no input [usage]\n"
              "note: see --help\n"
              "x.o: error: is empty [cannot-read]\n");
}

static void notes_tell_the_include_and_macro_stack(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    uint32_t top = add(f, "top", "include b\n");
    uint32_t inc =
        diag_add_source(f->diag, "b", "call m\n", 7, at(top, 1, 9, 10), DIAG_ROLE_INCLUDE);
    uint32_t macro = diag_add_source(f->diag, "m", "body\n", 5, at(inc, 1, 1, 7), DIAG_ROLE_MACRO);
    diag_report(f->diag, DIAG_SYNTAX, at(macro, 1, 1, 5), "bad");
    diag_note(f->diag, at(top, 1, 1, 8), "other place");
    struct loc root = diag_root(f->diag, at(macro, 1, 1, 5));
    assert_int_equal(root.file, top);
    assert_int_equal(root.col, 9);
    assert_string_equal(diag_file_name(f->diag, inc), "b");
    assert_string_equal(diag_file_name(f->diag, 0), "");
    assert_string_equal(diag_file_name(f->diag, 99), "");
    finish(f, "m:1:1: error: bad [syntax]\nbody\n^~~~\n"
              "b:1:1: note: expanded from here\ncall m\n^~~~~~\n"
              "top:1:9: note: included from here\ninclude b\n        ^\n"
              "top:1:1: note: other place\ninclude b\n^~~~~~~\n");
}

static void deep_stack_is_shortened(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    struct loc place = {0};
    for (int i = 0; i <= 10; i++) {
        char *name = (char[]){(char)('a' + i), '\0'};
        const char *kept = strcpy((char *)calloc(1, 2), name);
        place = at(diag_add_source(f->diag, kept, "", 0, place, DIAG_ROLE_MACRO), 9, 1, 1);
    }
    diag_report(f->diag, DIAG_SYNTAX, place, "deep");
    const char *names[11];
    for (uint32_t i = 0; i <= 10; i++)
        names[i] = diag_file_name(f->diag, i + 1);
    finish(f, "k:9:1: error: deep [syntax]\n"
              "j:9:1: note: expanded from here\n"
              "i:9:1: note: expanded from here\n"
              "h:9:1: note: expanded from here\n"
              "g:9:1: note: expanded from here\n"
              "note: 2 levels are not shown\n"
              "d:9:1: note: expanded from here\n"
              "c:9:1: note: expanded from here\n"
              "b:9:1: note: expanded from here\n"
              "a:9:1: note: expanded from here\n");
    for (int i = 0; i <= 10; i++)
        free((void *)names[i]);
}

static void duplicates_are_dropped_with_their_notes(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){0});
    uint32_t file = add(f, "a", "");
    for (int i = 0; i < 3; i++) {
        diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 1, 1), "same");
        diag_note(f->diag, (struct loc){0}, "note");
    }
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 2, 2), "same");
    diag_report(f->diag, DIAG_UNKNOWN_MNEMONIC, at(file, 1, 2, 2), "same");
    assert_int_equal(diag_errors(f->diag), 3);
    finish(f, "a:1:1: error: same [syntax]\n\n^\n"
              "note: note\n"
              "a:1:2: error: same [syntax]\n\n^\n"
              "a:1:2: error: same [unknown-mnemonic]\n\n^\n");
}

static void errors_beyond_the_limit_are_counted(void **state)
{
    (void)state;
    static const struct {
        unsigned limit, reported;
        const char *last_line;
    } rows[] = {
        {2, 1, ""},
        {2, 2, ""},
        {2, 3, "note: 1 more error not shown (-fmax-errors=2)\n"},
        {2, 9, "note: 7 more errors not shown (-fmax-errors=2)\n"},
        {0, 9, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *f = start((struct diag_options){.max_errors = rows[i].limit});
        char expected[1000] = "";
        for (unsigned n = 0; n < rows[i].reported; n++) {
            diag_report(f->diag, DIAG_USAGE, (struct loc){0}, "e%u", n);
            diag_note(f->diag, (struct loc){0}, "n%u", n);
            if (rows[i].limit == 0 || n < rows[i].limit)
                snprintf(expected + strlen(expected), 100, "error: e%u [usage]\nnote: n%u\n", n, n);
        }
        strcat(expected, rows[i].last_line);
        assert_int_equal(diag_errors(f->diag), rows[i].reported);
        finish(f, expected);
    }
}

static enum diag_code a_warning(void)
{
    for (unsigned code = 0; code < DIAG_CODE_COUNT; code++) {
#define DIAG(id, slug, severity, summary, cure)                                                    \
    if (DIAG_##severity == DIAG_WARNING && code == DIAG_##id)                                      \
        return DIAG_##id;
#include "support/diag.def"
#undef DIAG
    }
    skip();
    return DIAG_CODE_COUNT;
}

static void warnings_can_be_fatal_or_silent(void **state)
{
    (void)state;
    enum diag_code code = a_warning();
    static const struct {
        bool fatal, none;
        unsigned errors, warnings;
        const char *word;
    } rows[] = {{false, false, 0, 1, "warning"},
                {true, false, 1, 0, "error"},
                {false, true, 0, 0, NULL},
                {true, true, 0, 0, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *f = start(
            (struct diag_options){.fatal_warnings = rows[i].fatal, .no_warnings = rows[i].none});
        char expected[100] = "";
        diag_report(f->diag, code, (struct loc){0}, "w");
        diag_note(f->diag, (struct loc){0}, "n");
        assert_int_equal(diag_errors(f->diag), rows[i].errors);
        assert_int_equal(diag_warnings(f->diag), rows[i].warnings);
        if (rows[i].word)
            snprintf(expected, sizeof expected, "%s: w [%s]\nnote: n\n", rows[i].word,
                     diag_slug(code));
        finish(f, expected);
    }
}

static void json_is_one_object_a_message(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){.format = DIAG_JSON});
    uint32_t file = add(f, "a\xff.pto", "add\n");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 1, 4), "found \"%s\"", "\x1b");
    diag_note(f->diag, at(file, 1, 2, 3), "here");
    diag_report(f->diag, DIAG_USAGE, (struct loc){0}, "two");
    finish(f, "{\"file\":\"a\\\\xff.pto\",\"line\":1,\"column\":1,\"endLine\":1,\"endColumn\":4,"
              "\"severity\":\"error\",\"code\":\"syntax\",\"message\":\"found \\\"\\\\x1b\\\"\","
              "\"notes\":[{\"file\":\"a\\\\xff.pto\",\"line\":1,\"column\":2,\"endLine\":1,"
              "\"endColumn\":3,\"severity\":\"note\",\"message\":\"here\"}]}\n"
              "{\"file\":\"\",\"line\":0,\"column\":0,\"endLine\":0,\"endColumn\":0,"
              "\"severity\":\"error\",\"code\":\"usage\",\"message\":\"two\",\"notes\":[]}\n");
}

static void collect(void *ctx, const struct diag_record *r)
{
    struct buffer *b = ctx;
    buffer_printf(b, "%d %s:%u %s;", (int)r->severity, r->file, (unsigned)r->loc.line, r->message);
}

static void sink_receives_messages_and_notes(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct buffer b;
    buffer_init(&b, &m);
    struct diag_options options = {.sink = collect, .sink_ctx = &b};
    struct diag *d = diag_create(&m, &options);
    uint32_t file = diag_add_source(d, "s", "", 0, (struct loc){0}, DIAG_ROLE_FILE);
    diag_report(d, DIAG_SYNTAX, at(file, 4, 1, 1), "a");
    diag_note(d, (struct loc){0}, "b");
    diag_flush(d);
    diag_flush(d);
    assert_int_equal(b.size, strlen("2 s:4 a;0 :0 b;"));
    assert_memory_equal(b.data, "2 s:4 a;0 :0 b;", b.size);
    diag_destroy(d);
    diag_destroy(NULL);
    buffer_free(&b);
}

static void colours_wrap_the_parts(void **state)
{
    (void)state;
    struct fixture *f = start((struct diag_options){.color = true});
    uint32_t file = add(f, "a", "x");
    diag_report(f->diag, DIAG_SYNTAX, at(file, 1, 1, 2), "m");
    finish(f, "\033[1ma:1:1: \033[1;31merror: \033[0mm [syntax]\nx\n\033[1;32m^\033[0m\n");
}

static void joined_ranges_run_from_first_to_last(void **state)
{
    (void)state;
    struct loc l = loc_join(at(1, 2, 3, 4), (struct loc){1, 5, 6, 7, 8});
    assert_int_equal(l.line, 2);
    assert_int_equal(l.col, 3);
    assert_int_equal(l.end_line, 7);
    assert_int_equal(l.end_col, 8);
    assert_int_equal(loc_join((struct loc){0}, at(1, 2, 3, 4)).line, 2);
    assert_int_equal(loc_join(at(1, 2, 3, 4), at(2, 9, 9, 9)).end_line, 2); /* other file */
}

/* Reports until memory runs out, then says so with the memory that is left: none. */
static void report_and_exhaust(struct mem *m, void *ctx)
{
    struct diag *volatile d = NULL;
    jmp_buf *outer = m->on_exhausted, here;
    m->on_exhausted = &here;
    if (setjmp(here) == 0) {
        struct diag_options options = {.out = ctx};
        d = diag_create(m, &options);
        uint32_t file = diag_add_source(d, "a", "text\n", 5, (struct loc){0}, DIAG_ROLE_FILE);
        for (unsigned i = 1; i < 200; i++) {
            diag_report(d, DIAG_SYNTAX, at(file, 1, i, i), "message %u", i);
            diag_note(d, at(file, 1, 1, 1), "note %u", i);
        }
    } else if (d) {
        diag_report(d, DIAG_OUT_OF_MEMORY, (struct loc){0}, "memory is exhausted");
        assert_true(diag_errors(d) > 0);
    }
    diag_destroy(d);
    m->on_exhausted = outer;
}

static void exhaustion_is_reported_without_memory(void **state)
{
    (void)state;
    unsigned long n = 1, said = 0;
    for (;; n++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        enum failing_mem_result result = failing_mem_run(n, report_and_exhaust, out);
        fclose(out);
        said += strstr(text, "error: memory is exhausted [out-of-memory]\n") != NULL;
        free(text);
        if (result == FAILING_MEM_DONE)
            break;
    }
    assert_in_range(n, 5, 1000);
    assert_in_range(n - said, 1, 6); /* only while the diag itself was made */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_shows_line_and_range),
        cmocka_unit_test(range_over_lines_ends_with_the_first),
        cmocka_unit_test(line_ends_are_lf_crlf_and_cr),
        cmocka_unit_test(caret_stands_below_tabs_and_utf8),
        cmocka_unit_test(long_line_is_cut_around_the_mark),
        cmocka_unit_test(message_without_a_place),
        cmocka_unit_test(notes_tell_the_include_and_macro_stack),
        cmocka_unit_test(deep_stack_is_shortened),
        cmocka_unit_test(duplicates_are_dropped_with_their_notes),
        cmocka_unit_test(errors_beyond_the_limit_are_counted),
        cmocka_unit_test(warnings_can_be_fatal_or_silent),
        cmocka_unit_test(json_is_one_object_a_message),
        cmocka_unit_test(sink_receives_messages_and_notes),
        cmocka_unit_test(colours_wrap_the_parts),
        cmocka_unit_test(joined_ranges_run_from_first_to_last),
        cmocka_unit_test(exhaustion_is_reported_without_memory),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
