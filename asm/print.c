/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pto-as --print: the source in canonical text, without being assembled. Text
 * that only its expansion can parse (macro bodies, repetitions, conditionals)
 * is copied.
 */
#include "grammar/print.h"
#include "asm/directive.h"
#include "grammar/grammar.h"

#include <string.h>

struct job {
    struct mem *mem;
    struct diag *diag;
    struct intern *names;
    struct grammar *grammar;
    struct buffer *out;
    unsigned depth; /* regions that are open */
};

/* Directives that take the lines behind them, by what closes these. */
static const char *const conditional_closers[] = {".endif", NULL};

static const struct capture {
    const char *const *openers, *const *closers;
} captures[] = {{asm_cond_openers, conditional_closers},
                {asm_macro_openers, asm_macro_closers},
                {asm_loop_openers, asm_loop_closers}};

static const struct capture *find_capture(const char *name)
{
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++)
        for (const char *const *opener = captures[i].openers; *opener != NULL; opener++)
            if (strcmp(*opener, name) == 0)
                return &captures[i];
    return NULL;
}

static void copy_lines(struct job *job, const struct ast_stmt *stmt, const struct capture *capture)
{
    struct grammar_lines lines;
    if (!grammar_capture(job->grammar, capture->openers, capture->closers, true, &lines)) {
        diag_report(job->diag, DIAG_UNCLOSED, stmt->loc, "%s without %s", stmt->name,
                    capture->closers[0]);
        return;
    }
    buffer_append(job->out, lines.text, lines.size);
}

static bool print(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct job *job = ctx;
    job->grammar = g;
    print_stmt(job->out, stmt, job->depth);
    if (stmt->kind == AST_OP && stmt->op->opens_region)
        job->depth++;
    else if (stmt->kind == AST_REGION_END && job->depth > 0)
        job->depth--;
    const struct capture *capture = stmt->kind == AST_DIRECTIVE ? find_capture(stmt->name) : NULL;
    if (capture != NULL)
        copy_lines(job, stmt, capture);
    return true;
}

struct input {
    struct job *job;
    const char *name, *text;
    size_t size;
};

static void run(void *ctx)
{
    const struct input *in = ctx;
    struct job *job = in->job;
    struct grammar_options options = {
        .mem = job->mem, .diag = job->diag, .statement = print, .ctx = job};
    options.names = job->names = intern_create(job->mem);
    job->grammar = grammar_create(&options);
    uint32_t file =
        diag_add_source(job->diag, in->name, in->text, in->size, (struct loc){0}, DIAG_ROLE_FILE);
    grammar_parse(job->grammar, file, in->text, in->size);
}

bool asm_print(struct mem *m, struct diag *diag, const char *name, const char *text, size_t size,
               struct buffer *out)
{
    struct job job = {.mem = m, .diag = diag, .out = out};
    unsigned errors = diag_errors(diag);
    bool finished = mem_attempt(m, run, &(struct input){&job, name, text, size});
    grammar_destroy(job.grammar);
    if (job.names != NULL)
        intern_destroy(job.names);
    diag_flush(diag);
    if (!finished)
        mem_give_up(m);
    return diag_errors(diag) == errors;
}
