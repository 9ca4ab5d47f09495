/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grammar/dump.h"
#include "tests/grammar/parse.h"

struct run {
    struct mem mem;
    struct diag *diag;
    struct intern *names;
    struct grammar *grammar;
    struct buffer out;
    parse_hook hook;
};

static bool on_statement(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct run *run = ctx;
    diag_flush(run->diag); /* messages are held back for their notes */
    dump_stmt(&run->out, stmt);
    return run->hook == NULL || run->hook(&run->out, g, stmt);
}

static void on_message(void *ctx, const struct diag_record *r)
{
    struct run *run = ctx;
    buffer_printf(&run->out, "! %u:%u-", r->loc.line, r->loc.col);
    if (r->loc.end_line != r->loc.line)
        buffer_printf(&run->out, "%u:", r->loc.end_line);
    buffer_printf(&run->out, "%u %s: %s\n", r->loc.end_col, diag_slug(r->code), r->message);
}

static void begin(struct run *run, parse_hook hook)
{
    memset(run, 0, sizeof *run);
    run->mem = mem_default();
    run->hook = hook;
    buffer_init(&run->out, &run->mem);
    run->diag = diag_create(&run->mem, &(struct diag_options){.sink = on_message, .sink_ctx = run});
    run->names = intern_create(&run->mem);
    run->grammar = grammar_create(&(struct grammar_options){
        .mem = &run->mem,
        .names = run->names,
        .diag = run->diag,
        .statement = on_statement,
        .ctx = run,
    });
}

static char *finish(struct run *run)
{
    diag_flush(run->diag);
    grammar_destroy(run->grammar);
    diag_destroy(run->diag);
    intern_destroy(run->names);
    buffer_append(&run->out, "", 1);
    char *result = malloc(run->out.size);
    memcpy(result, run->out.data, run->out.size);
    buffer_free(&run->out);
    return result;
}

/* The text as file_read leaves it: two NUL bytes behind, and nothing else to read by accident. */
static char *padded(const char *text, size_t size)
{
    char *copy = malloc(size + 2);
    memcpy(copy, text, size);
    copy[size] = copy[size + 1] = '\0';
    return copy;
}

static uint32_t add_text(struct run *run, const char *text, size_t size)
{
    return diag_add_source(run->diag, "t", text, size, (struct loc){0}, DIAG_ROLE_FILE);
}

char *parse_text(const char *text, size_t size, parse_hook hook)
{
    struct run run;
    char *source = padded(text, size);
    begin(&run, hook);
    grammar_parse(run.grammar, add_text(&run, source, size), source, size);
    char *result = finish(&run);
    free(source);
    return result;
}

char *parse_piece_text(const char *text, bool type)
{
    struct run run;
    char *source = padded(text, strlen(text));
    begin(&run, NULL);
    uint32_t file = add_text(&run, source, strlen(text));
    if (type) {
        const struct ast_type *t = grammar_parse_type(run.grammar, file, source, strlen(text));
        if (t != NULL)
            dump_type(&run.out, t);
    } else {
        const struct ast_expr *e = grammar_parse_expr(run.grammar, file, source, strlen(text));
        if (e != NULL)
            dump_expr(&run.out, e);
    }
    char *result = finish(&run);
    free(source);
    return result;
}

void check_cases(const struct parse_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *got = parse_text(cases[i].source, strlen(cases[i].source), NULL);
        if (strcmp(got, cases[i].expected) != 0)
            print_error("source:\n%s\n", cases[i].source);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
}
