/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One parse: the stack of sources, and the loop that takes a statement from
 * the parser and hands it over.
 */
#include <string.h>

#include "grammar/context.h"
#include "grammar/parser.h"

static struct grammar *new_grammar(const struct grammar_options *options)
{
    struct grammar *g = mem_resize(options->mem, NULL, sizeof *g);
    memset(g, 0, sizeof *g);
    g->mem = options->mem;
    g->names = options->names;
    g->diag = options->diag;
    g->statement = options->statement;
    g->ctx = options->ctx;
    map_init(&g->aliases, g->mem);
    return g;
}

void grammar_destroy(struct grammar *g)
{
    if (g == NULL)
        return;
    block_free_all(g);
    vec_free(g->mem, &g->regions);
    vec_free(g->mem, &g->lines);
    map_free(&g->aliases);
    arena_destroy(g->arena);
    arena_destroy(g->file_arena);
    mem_resize(g->mem, g, 0);
}

/* The caller cannot destroy what it has not been given. */
struct grammar *grammar_create(const struct grammar_options *options)
{
    struct grammar *g = new_grammar(options);
    jmp_buf exhausted, *outer = g->mem->on_exhausted;
    g->mem->on_exhausted = &exhausted;
    if (setjmp(exhausted) == 0) {
        g->arena = arena_create(g->mem);
        g->file_arena = arena_create(g->mem);
        scan_create(g);
        g->mem->on_exhausted = outer;
        return g;
    }
    g->mem->on_exhausted = outer;
    grammar_destroy(g);
    longjmp(*outer, 1);
}

/* ---- sources ---- */

static void open_source(struct grammar *g, uint32_t file, const char *text, size_t size)
{
    struct source *s = block_resize(g, NULL, sizeof *s);
    *s = (struct source){.text = text, .size = (uint32_t)size, .file = file, .line = 1};
    s->copy = block_resize(g, NULL, size + 2);
    memcpy(s->copy, text, size + 2);
    scan_open(g, s);
    s->outer = g->source;
    g->source = s;
    g->depth++;
}

static void close_source(struct grammar *g)
{
    struct source *s = g->source;
    g->source = s->outer;
    g->depth--;
    if (g->source != NULL)
        scan_resume(g);
    scan_close(g, s);
    block_resize(g, s->copy, 0);
    block_resize(g, s, 0);
}

/* Offsets are 32 bits wide; a text near that size is an accident. */
static bool is_too_big(struct grammar *g, uint32_t file, size_t size)
{
    if (size < UINT32_MAX / 2)
        return false;
    diag_report(g->diag, DIAG_SYNTAX, (struct loc){.file = file},
                "the source has %zu bytes, more than %u", size, UINT32_MAX / 2);
    return true;
}

bool grammar_push(struct grammar *g, uint32_t file, const char *text, size_t size)
{
    if (g->depth >= GRAMMAR_MAX_SOURCES || is_too_big(g, file, size))
        return false;
    open_source(g, file, text, size);
    return true;
}

unsigned grammar_depth(const struct grammar *g)
{
    return g->depth;
}

void grammar_pop(struct grammar *g)
{
    struct source *s = g->source;
    scan_skip(g, s->size - s->offset);
}

/* ---- statements ---- */

enum outcome { STATEMENT, BROKEN, SOURCE_END };

static enum outcome parse_statement(struct grammar *g)
{
    arena_reset(g->arena);
    g->stmt = NULL;
    scan_statement(g);
    if (grammar_yyparse(g) != 0)
        scan_skip_statement(g);
    scan_end_line(g);
    if (g->stmt != NULL && !g->failed)
        return STATEMENT;
    return g->at_end ? SOURCE_END : BROKEN;
}

static void check_regions(struct grammar *g)
{
    for (size_t i = 0; i < g->regions.count; i++)
        if (!g->regions.item[i].dropped)
            diag_report(g->diag, DIAG_UNCLOSED, g->regions.item[i].loc,
                        "the region of this operation is not closed by '}'");
    g->regions.count = 0;
}

/* Reads on until the sources above `floor` are used up. */
static bool run(struct grammar *g, unsigned floor)
{
    while (g->depth > floor) {
        switch (parse_statement(g)) {
        case STATEMENT:
            if (!g->statement(g->ctx, g, g->stmt))
                return false;
            break;
        case BROKEN:
            break;
        case SOURCE_END:
            close_source(g);
            break;
        }
    }
    return true;
}

bool grammar_parse(struct grammar *g, uint32_t file, const char *text, size_t size)
{
    unsigned floor = g->depth;
    if (is_too_big(g, file, size))
        return true;
    open_source(g, file, text, size);
    bool complete = run(g, floor);
    if (complete)
        check_regions(g);
    while (g->depth > floor)
        close_source(g);
    return complete;
}

/* ---- pieces ---- */

static bool parse_piece(struct grammar *g, uint32_t file, const char *text, size_t size,
                        void (*start)(struct grammar *g))
{
    if (is_too_big(g, file, size))
        return false;
    open_source(g, file, text, size);
    start(g);
    g->expr = NULL;
    g->type = NULL;
    bool parsed = grammar_yyparse(g) == 0 && !g->failed;
    close_source(g);
    return parsed;
}

const struct ast_expr *grammar_parse_expr(struct grammar *g, uint32_t file, const char *text,
                                          size_t size)
{
    return parse_piece(g, file, text, size, scan_expression) ? g->expr : NULL;
}

const struct ast_type *grammar_parse_type(struct grammar *g, uint32_t file, const char *text,
                                          size_t size)
{
    return parse_piece(g, file, text, size, scan_type) ? g->type : NULL;
}
