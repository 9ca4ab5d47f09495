/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One assembly: statements in, an object out. The text is run once; a second
 * time when a PE mask decided for another revision (insn.c).
 */
#include "asm/ptoas.h"

#include <string.h>

/* What outlives a run, so that the second run can say what the first found. */
struct job {
    struct mem *mem;
    struct diag *diag;
    const struct asm_options *options;
    const struct asm_input *inputs;
    size_t ninputs;
    struct assembler as;
    struct arena *arena;
    struct intern *names;
};

struct buffer *asm_scratch(struct assembler *as)
{
    as->scratch.size = 0;
    return &as->scratch;
}

/* ---- statements ---- */

static void unknown_word(struct assembler *as, const struct ast_stmt *stmt)
{
    struct isa_matcher matcher = {.target = as->target, .diag = as->diag};
    isa_report_unknown(&matcher, stmt->name, stmt->name_size, stmt->name_loc);
}

static void ptoas(struct assembler *as, const struct ast_stmt *stmt)
{
    if (!as->first_ptoas.file)
        as->first_ptoas = stmt->loc;
    if (as->revision.fallback) {
        as->aborted = true;
        diag_report(as->diag, DIAG_REVISION_CONFLICT, stmt->loc,
                    "a file with PTO-AS statements cannot use PE mask %s of an older revision",
                    as->revision.mask);
        diag_note(as->diag, as->revision.mask_loc, "the mask is used here");
        return;
    }
    asm_ptoas_statement(as, stmt);
}

/* A quoted name takes more room in the source than its text. */
static bool is_quoted(const struct ast_stmt *stmt)
{
    return stmt->name_loc.end_col - stmt->name_loc.col > stmt->name_size;
}

static bool dispatch(struct assembler *as, const struct ast_stmt *stmt)
{
    switch (stmt->kind) {
    case AST_LABEL:
        as->labels++;
        asm_define_label(as, stmt->name, stmt->name_loc, is_quoted(stmt));
        return true;
    case AST_LOCAL_LABEL:
        as->labels++;
        asm_define_local_label(as, stmt->number, stmt->loc);
        return true;
    case AST_SET:
        asm_equate(as, stmt->name, stmt->name_loc, stmt->expr, true);
        return true;
    case AST_DIRECTIVE:
        asm_directive(as, stmt);
        return true;
    case AST_INSN:
        return asm_insn(as, stmt);
    case AST_TYPE_ALIAS: /* the parser has put them in place */
    case AST_ATTR_ALIAS:
        return true;
    case AST_MACRO_CALL:
        if (!asm_macro_call(as, stmt))
            unknown_word(as, stmt);
        return true;
    default:
        ptoas(as, stmt);
        return true;
    }
}

/* Statements with a place in the code. */
static bool has_place(const struct ast_stmt *stmt)
{
    return stmt->kind == AST_LABEL || stmt->kind == AST_LOCAL_LABEL ||
           stmt->kind == AST_DIRECTIVE || stmt->kind == AST_INSN;
}

static bool on_statement(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct assembler *as = ctx;
    as->grammar = g;
    if (as->conditions.count)
        asm_cond_leave(as, grammar_depth(g), true);
    const struct section *section = as->section;
    uint64_t offset = section ? asm_offset(section) : 0;
    uint32_t points = section ? (uint32_t)section->points.count : 0;
    bool go_on = (has_place(stmt) && !asm_ptoas_allows(as, stmt)) || dispatch(as, stmt);
    if (as->options->listing)
        asm_list_statement(as, stmt->loc, section, offset, points);
    return go_on && !as->stopped && !as->aborted;
}

/* ---- a run ---- */

static void init_run(struct assembler *as, const struct job *job)
{
    struct mem *m = job->mem;
    const struct asm_options *options = job->options;
    const char *name = job->inputs[0].name;
    as->mem = m;
    as->diag = job->diag;
    as->errors_before = diag_errors(job->diag);
    as->options = options;
    as->arena = job->arena;
    as->names = job->names;
    as->name = name;
    as->target = asm_default_target(as);
    as->revision.named = options->march != 0;
    as->nobundle = options->no_bundle_check;
    as->norelax = options->no_relax;
    as->object = obj_create(m, OBJ_RELOCATABLE);
    as->object->name = arena_string(as->object->arena, name, strlen(name));
    as->object->identity.extensions = "";
    buffer_init(&as->scratch, m);
    map_init(&as->symbols, m);
    map_init(&as->section_names, m);
    map_init(&as->groups, m);
    map_init(&as->local_labels, m);
    map_init(&as->directives, m);
    map_init(&as->macros, m);
    map_init(&as->line_files, m);
    map_init(&as->highs, m);
    map_init(&as->dependencies, m);
    if (options->dependencies)
        options->dependencies->size = 0;
    asm_init_directives(as);
}

static void end_run(struct assembler *as)
{
    asm_ptoas_end(as);
    for (size_t i = 0; i < as->sections.count; i++) {
        buffer_free(&as->sections.item[i]->bytes);
        vec_free(as->mem, &as->sections.item[i]->lines);
        vec_free(as->mem, &as->sections.item[i]->points);
    }
    vec_free(as->mem, &as->sections);
    vec_free(as->mem, &as->section_stack);
    vec_free(as->mem, &as->mappings);
    vec_free(as->mem, &as->symbol_list);
    vec_free(as->mem, &as->pending);
    vec_free(as->mem, &as->fixups);
    vec_free(as->mem, &as->conditions);
    vec_free(as->mem, &as->file_numbers);
    vec_free(as->mem, &as->listing);
    vec_free(as->mem, &as->lowered);
    buffer_free(&as->scratch);
    map_free(&as->symbols);
    map_free(&as->section_names);
    map_free(&as->groups);
    map_free(&as->local_labels);
    map_free(&as->directives);
    map_free(&as->macros);
    map_free(&as->line_files);
    map_free(&as->highs);
    map_free(&as->dependencies);
    grammar_destroy(as->grammar);
    as->grammar = NULL;
}

/* Prepares for the run that assembles everything for the revision which has the mask. */
static void restart(struct assembler *as)
{
    struct assembler next = {.sources = as->sources, .revision = as->revision};
    next.revision.restart = false;
    next.revision.fallback = true;
    end_run(as);
    obj_destroy(as->object);
    *as = next;
}

static bool is_symbol_name(const char *text, size_t size)
{
    static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.$";
    for (size_t i = 0; i < size; i++)
        if (!strchr(first, text[i]) && (i == 0 || text[i] < '0' || text[i] > '9'))
            return false;
    return size != 0;
}

/* --defsym NAME=EXPRESSION, as if the file began with NAME = EXPRESSION; the value must be known
 * there. */
static void define_symbol(struct assembler *as, const char *text)
{
    static const char where[] = "<command line>";
    const char *equal = strchr(text, '=');
    const char *value = equal ? equal + 1 : "1";
    size_t size = strlen(value), name_size = equal ? (size_t)(equal - text) : strlen(text);
    if (!is_symbol_name(text, name_size) || !size) {
        diag_report_file(as->diag, DIAG_USAGE, where,
                         size ? "--defsym %s: '%.*s' is no name of a symbol"
                              : "--defsym %s: a value is missing behind '%.*s='",
                         text, (int)name_size, text);
        return;
    }
    char *copy = arena_alloc(as->arena, size + 2);
    memcpy(copy, value, size);
    uint32_t file = asm_add_source(as, where, copy, size, (struct loc){0}, DIAG_ROLE_FILE);
    struct loc loc = {file, 1, 1, 1, 1};
    const struct ast_expr *expr = grammar_parse_expr(as->grammar, file, copy, size);
    int64_t number;
    if (expr && asm_eval_number(as, expr, "the value of --defsym", &number))
        asm_equate(as, intern(as->names, text, name_size), loc, expr, true);
}

/* .end ends its file, and no conditional is open behind one. */
static void run_input(struct assembler *as, const struct asm_input *in)
{
    uint32_t file =
        asm_add_source(as, in->name, in->text, in->size, (struct loc){0}, DIAG_ROLE_FILE);
    as->stopped = false;
    if (as->options->listing)
        asm_list_source(as, file);
    grammar_parse(as->grammar, file, in->text, in->size);
    if (!as->aborted && !as->revision.restart)
        asm_cond_leave(as, 0, true);
}

static void run(struct assembler *as, const struct job *job)
{
    struct grammar_options options = {
        .mem = as->mem, .names = as->names, .diag = as->diag, .statement = on_statement, .ctx = as};
    as->grammar = grammar_create(&options);
    const char *const *define = as->options->defines;
    for (; define && *define; define++)
        define_symbol(as, *define);
    for (size_t i = 0; i < job->ninputs && !as->revision.restart && !as->aborted; i++)
        run_input(as, &job->inputs[i]);
    if (!as->revision.restart && !as->aborted)
        asm_finish(as);
}

/* Everything that may run out of memory; the caller owns the job and frees it. */
static bool run_job(struct job *job)
{
    struct mem *m = job->mem;
    jmp_buf here, *outer = m->on_exhausted;
    m->on_exhausted = &here;
    if (setjmp(here)) {
        m->on_exhausted = outer;
        diag_report_file(job->diag, DIAG_OUT_OF_MEMORY, job->inputs[0].name, "memory is exhausted");
        return false;
    }
    job->arena = arena_create(m);
    job->names = intern_create(m);
    init_run(&job->as, job);
    run(&job->as, job);
    if (job->as.revision.restart) {
        restart(&job->as);
        init_run(&job->as, job);
        run(&job->as, job);
    }
    asm_observe_definitions(&job->as);
    if (!job->as.aborted) {
        asm_list_finish(&job->as);
        asm_show_finish(&job->as);
    }
    m->on_exhausted = outer;
    return true;
}

int asm_find_target(const char *name)
{
    return strcmp(name, "a3") == 0 ? 3 : strcmp(name, "a5") == 0 ? 5 : 0;
}

struct object *asm_assemble(struct mem *m, struct diag *diag, const struct asm_options *options,
                            const struct asm_input *inputs, size_t count)
{
    struct job job = {
        .mem = m, .diag = diag, .options = options, .inputs = inputs, .ninputs = count};
    unsigned errors = diag_errors(diag);
    bool finished = run_job(&job);
    struct object *object = job.as.object;
    if (job.as.mem)
        end_run(&job.as);
    vec_free(m, &job.as.sources);
    diag_flush(diag); /* sources end here, and nothing may print from them later */
    if (!finished || diag_errors(diag) != errors) {
        obj_destroy(object);
        object = NULL;
    }
    intern_destroy(job.names);
    arena_destroy(job.arena);
    return object;
}
