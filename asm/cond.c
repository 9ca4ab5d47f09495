/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .if and its family. A false branch is taken from the parser as raw lines, so
 * it need not be correct; the directive that ends it is parsed as usual. A
 * conditional closes in the source where it opened.
 */
#include "asm/directive.h"

#include <string.h>

const char *const asm_cond_openers[] = {
    ".if",   ".ifb",  ".ifc",  ".ifdef",  ".ifeq", ".ifeqs",    ".ifge",  ".ifgt", ".ifle",
    ".iflt", ".ifnb", ".ifnc", ".ifndef", ".ifne", ".ifnotdef", ".ifnes", NULL,
};
static const char *const closers[] = {".else", ".elseif", ".endif", NULL};

static struct condition *innermost(struct assembler *as, const struct ast_stmt *stmt)
{
    size_t count = as->conditions.count;
    struct condition *c = count ? &as->conditions.item[count - 1] : NULL;
    if (c && c->depth == grammar_depth(as->grammar))
        return c;
    diag_report(as->diag, DIAG_COND_STRAY, stmt->loc, "%s without .if", stmt->name);
    return NULL;
}

static void report_open(struct assembler *as, const struct condition *c)
{
    diag_report(as->diag, DIAG_COND_OPEN, c->loc, "this conditional has no .endif");
}

void asm_cond_leave(struct assembler *as, unsigned depth, bool report)
{
    while (as->conditions.count && as->conditions.item[as->conditions.count - 1].depth > depth) {
        if (report)
            report_open(as, &as->conditions.item[as->conditions.count - 1]);
        as->conditions.count--;
    }
}

static void skip_branch(struct assembler *as)
{
    struct grammar_lines lines;
    if (grammar_capture(as->grammar, asm_cond_openers, closers, true, &lines)) {
        if (as->options->listing)
            asm_list_skipped(as, lines.loc, lines.end);
        return;
    }
    report_open(as, &as->conditions.item[--as->conditions.count]);
}

/* ---- tests ---- */

static bool test_number(struct assembler *as, const struct ast_stmt *stmt, enum condition_test test)
{
    int64_t n;
    if (!asm_operand_number(as, stmt, 0, "the condition", 0, &n))
        return false;
    switch (test) {
    case TEST_EQ:
        return n == 0;
    case TEST_LT:
        return n < 0;
    case TEST_LE:
        return n <= 0;
    case TEST_GT:
        return n > 0;
    case TEST_GE:
        return n >= 0;
    default:
        return n != 0;
    }
}

static bool test_defined(struct assembler *as, const struct ast_stmt *stmt)
{
    const char *name = asm_operand_name(as, asm_operand(stmt, 0));
    const struct symbol *symbol = name ? map_get(&as->symbols, name) : NULL;
    return symbol && symbol->kind != SYMBOL_UNDEFINED;
}

/* The next argument of `.ifc a, b`: trimmed, one pair of quotes taken off. */
static const char *raw_argument(const char **at, const char *end, size_t *size)
{
    const char *p = *at;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    const char *start = p;
    if (p < end && (*p == '"' || *p == '\'')) {
        const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (close) {
            *size = (size_t)(close - p - 1);
            p = memchr(close, ',', (size_t)(end - close));
            *at = p ? p + 1 : end;
            return start + 1;
        }
    }
    p = memchr(start, ',', (size_t)(end - start));
    *at = p ? p + 1 : end;
    p = p ? p : end;
    while (p > start && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    *size = (size_t)(p - start);
    return start;
}

static bool test_same(struct assembler *as, const struct ast_stmt *stmt)
{
    if (stmt->operands) {
        const struct ast_operand *a = asm_operand_string(as, stmt, 0);
        const struct ast_operand *b = asm_operand_string(as, stmt, 1);
        return a && b && a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
    }
    size_t size_a, size_b;
    const char *at = stmt->raw, *end = at + stmt->raw_size;
    if (!at || !memchr(at, ',', stmt->raw_size)) {
        diag_report(as->diag, DIAG_DIRECTIVE_COUNT, stmt->loc, "%s takes two operands", stmt->name);
        return false;
    }
    const char *a = raw_argument(&at, end, &size_a);
    const char *b = raw_argument(&at, end, &size_b);
    return size_a == size_b && memcmp(a, b, size_a) == 0;
}

static bool test_blank(const struct ast_stmt *stmt)
{
    for (size_t i = 0; i < stmt->raw_size; i++)
        if (stmt->raw[i] != ' ' && stmt->raw[i] != '\t')
            return false;
    return true;
}

static bool holds(struct assembler *as, const struct ast_stmt *stmt, enum condition_test test)
{
    switch (test) {
    case TEST_DEFINED:
        return test_defined(as, stmt);
    case TEST_UNDEFINED:
        return !test_defined(as, stmt);
    case TEST_BLANK:
        return test_blank(stmt);
    case TEST_NOT_BLANK:
        return !test_blank(stmt);
    case TEST_SAME:
        return test_same(as, stmt);
    case TEST_DIFFERENT:
        return !test_same(as, stmt);
    default:
        return test_number(as, stmt, test);
    }
}

/* ---- directives ---- */

void asm_cond_if(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    struct condition *c = vec_push(as->mem, &as->conditions);
    c->loc = stmt->loc;
    c->depth = grammar_depth(as->grammar);
    c->taken = holds(as, stmt, row->arg);
    if (!c->taken)
        skip_branch(as);
}

static bool may_continue(struct assembler *as, const struct condition *c,
                         const struct ast_stmt *stmt)
{
    if (!c->has_else)
        return true;
    diag_report(as->diag, DIAG_COND_STRAY, stmt->loc, "%s behind .else", stmt->name);
    diag_note(as->diag, c->loc, "the conditional begins here");
    return false;
}

void asm_cond_elseif(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    struct condition *c = innermost(as, stmt);
    if (!c)
        return;
    bool skip = !may_continue(as, c, stmt) || c->taken || !holds(as, stmt, row->arg);
    c->taken = c->taken || !skip;
    if (skip)
        skip_branch(as);
}

void asm_cond_else(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    struct condition *c = innermost(as, stmt);
    if (!c)
        return;
    bool skip = !may_continue(as, c, stmt) || c->taken;
    c->has_else = true;
    c->taken = true;
    if (skip)
        skip_branch(as);
}

void asm_cond_endif(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    if (innermost(as, stmt))
        as->conditions.count--;
}
