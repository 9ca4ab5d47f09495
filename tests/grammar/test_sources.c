/* SPDX-License-Identifier: BSD-3-Clause */
/* Sources pushed and dropped, lines taken away, copies of nodes, and running out of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grammar/dump.h"
#include "tests/grammar/parse.h"
#include "tests/support/failing_mem.h"

static void check(const char *source, parse_hook hook, const char *expected)
{
    char *got = parse_text(source, strlen(source), hook);
    assert_string_equal(got, expected);
    free(got);
}

static bool is_named(const struct ast_stmt *stmt, const char *name)
{
    return stmt->name != NULL && strcmp(stmt->name, name) == 0;
}

/* ---- pushed sources ---- */

static bool push_hook(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt)
{
    static const char body[] = "inner: BSTOP\nleave\nadd a0, a1, ->a2\0";
    if (is_named(stmt, "insert"))
        assert_true(grammar_push(g, 1, body, sizeof body - 2));
    if (is_named(stmt, "leave")) {
        buffer_printf(out, "depth %u\n", grammar_depth(g));
        grammar_pop(g);
    }
    return !is_named(stmt, "stop");
}

static void pushing(void **state)
{
    check("insert; frob\nBSTOP", push_hook,
          "macro insert ''\nlabel inner\ninsn BSTOP\nmacro leave ''\ndepth 2\nmacro frob ''\n"
          "insn BSTOP\n");
    check("insert", push_hook,
          "macro insert ''\nlabel inner\ninsn BSTOP\nmacro leave ''\ndepth 2\n");
    check("BSTOP\nstop\nBSTOP", push_hook, "insn BSTOP\nmacro stop ''\n");
    (void)state;
}

static bool endless_hook(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt)
{
    static const char body[] = "again\0";
    (void)stmt;
    out->size = 0;
    if (grammar_push(g, 1, body, sizeof body - 2))
        return true;
    buffer_printf(out, "depth %u\n", grammar_depth(g));
    return false;
}

static void pushing_too_deep(void **state)
{
    check("again", endless_hook, "depth 200\n");
    (void)state;
}

/* ---- captured lines ---- */

static bool capture(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt, bool keep)
{
    static const char *const openers[] = {".macro", NULL};
    static const char *const closers[] = {".else", ".endm", NULL};
    struct grammar_lines lines;
    if (!is_named(stmt, ".macro"))
        return true;
    bool closed = grammar_capture(g, openers, closers, keep, &lines);
    buffer_printf(out, "%s '%.*s' %u:%u %u:%u\n", closed ? lines.closer : "open", (int)lines.size,
                  lines.text, lines.loc.line, lines.loc.col, lines.end.line, lines.end.col);
    return true;
}

static bool capture_hook(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt)
{
    return capture(out, g, stmt, false);
}

static bool keep_hook(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt)
{
    return capture(out, g, stmt, true);
}

static void capturing(void **state)
{
    check(".macro m\n  add ( ; \"\n.endm\nBSTOP", capture_hook,
          "dir .macro 'm'\n.endm '  add ( ; \"\n' 2:1 3:1\ninsn BSTOP\n");
    check(".macro m; frob; .endm; BSTOP", capture_hook,
          "dir .macro 'm'\n.endm ' frob;' 1:10 1:17\ninsn BSTOP\n");
    check(".macro m\n.macro n\n.endm\n .ENDM # x\nBSTOP", capture_hook,
          "dir .macro 'm'\n.endm '.macro n\n.endm\n' 2:1 4:2\ninsn BSTOP\n");
    check(".macro m\nx: .macro n\ny: .endm\n.else\nBSTOP", capture_hook,
          "dir .macro 'm'\n.else 'x: .macro n\ny: .endm\n' 2:1 4:1\ninsn BSTOP\n");
    check(".macro m\n.macro n\n.else\n.endm\n.endm", capture_hook,
          "dir .macro 'm'\n.endm '.macro n\n.else\n.endm\n' 2:1 5:1\n");
    check(".macro m\r\n# .endm\r\n\"; .endm\"\r\n/*\r\n.endm */\r\n.endm\r\nBSTOP", capture_hook,
          "dir .macro 'm'\n.endm '# .endm\r\n\"; .endm\"\r\n/*\r\n.endm */\r\n' 2:1 6:1\n"
          "insn BSTOP\n");
    check(".macro m\nT#1 .endm\n.endm", capture_hook,
          "dir .macro 'm'\n.endm 'T#1 .endm\n' 2:1 3:1\n");
    check(".macro m\n.endmx\n", capture_hook, "dir .macro 'm'\nopen '.endmx\n' 2:1 3:1\n");
    check(".macro m", capture_hook, "dir .macro 'm'\nopen '' 1:9 1:9\n");
    /* the closing line can be left to be read; errors behind it have their own lines */
    check(".macro m\nfrob\n.endm 1 2)\n", keep_hook,
          "dir .macro 'm'\n.endm 'frob\n' 2:1 3:1\n"
          "! 3:10-11 syntax: unexpected ')'; expected an operator, ',' or the end of the "
          "statement\n");
    (void)state;
}

/* ---- pieces ---- */

static void piece_errors(void **state)
{
    static const struct {
        const char *text;
        bool type;
        const char *expected;
    } cases[] = {
        {"1 +", false, "! 1:4-4 syntax: unexpected end of the statement; expected an operand\n"},
        {"", false, "! 1:1-1 syntax: unexpected end of the statement; expected an operand\n"},
        {"1; 2", false, "1"},
        {"", true, "! 1:1-1 syntax: unexpected end of the statement; expected a type\n"},
        {"f32 f32", true, "! 1:5-8 syntax: unexpected 'f32'; expected the end of the statement\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = parse_piece_text(cases[i].text, cases[i].type);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
    (void)state;
}

/* ---- copies ---- */

struct kept {
    struct arena *arena;
    struct ast_operand *operands;
    struct ast_expr *expr;
    struct ast_type *type;
};

static bool keep_nodes(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct kept *kept = ctx;
    (void)g;
    if (stmt->operands != NULL)
        kept->operands = ast_copy_operands(kept->arena, stmt->operands);
    if (stmt->expr != NULL)
        kept->expr = ast_copy_expr(kept->arena, stmt->expr);
    if (stmt->op != NULL)
        kept->type = ast_copy_type(kept->arena, stmt->op->operand_types);
    return true;
}

static const char copied_text[] =
    "add [a, {1}], ->t<2>\nx = a ? -b : c[1]\npto.x : !pto.ptr<4x?xf32>, i8\n"
    "frob; frob; frob\n\0";

static void copies(void **state)
{
    struct mem mem = mem_default();
    struct kept kept = {.arena = arena_create(&mem)};
    struct intern *names = intern_create(&mem);
    struct diag *diag = diag_create(&mem, &(struct diag_options){0});
    struct grammar *g = grammar_create(&(struct grammar_options){
        .mem = &mem, .names = names, .diag = diag, .statement = keep_nodes, .ctx = &kept});
    struct buffer out;
    buffer_init(&out, &mem);
    assert_true(grammar_parse(g, 0, copied_text, sizeof copied_text - 2));
    grammar_destroy(g);
    struct ast_stmt stmt = {.kind = AST_INSN, .name = "i", .operands = kept.operands};
    dump_stmt(&out, &stmt);
    dump_expr(&out, kept.expr);
    dump_type(&out, kept.type);
    dump_type(&out, kept.type->next);
    buffer_append(&out, "", 1);
    assert_string_equal((char *)out.data, "insn i | [a, {1}], ->t<2>\n(?: a (neg b) ([] c 1))"
                                          "!pto.ptr<4x?xf32>{4x?xf32}i8");
    buffer_free(&out);
    diag_destroy(diag);
    intern_destroy(names);
    arena_destroy(kept.arena);
    (void)state;
}

/* ---- memory ---- */

static bool take_lines(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    static const char body[] = "BSTOP\0";
    static const char *const openers[] = {NULL}, *const closers[] = {".endr", NULL};
    struct grammar_lines lines;
    (void)ctx;
    if (is_named(stmt, ".rept")) {
        grammar_capture(g, openers, closers, false, &lines);
        grammar_push(g, 1, body, sizeof body - 2);
    }
    return true;
}

/* Leaves the grammar by a jump wherever memory runs out, as the assembler does. */
static void parse_job(struct mem *mem, void *ctx)
{
    static const char text[] = ".rept 2\nadd a0\n.endr\n%a = pto.x %b : !pto.tile<vec, 4x4xi8>\n"
                               "module {\n}\n\0";
    struct mem heap = mem_default();
    struct intern *names = intern_create(&heap);
    struct diag *diag = diag_create(&heap, &(struct diag_options){0});
    struct grammar *volatile g = NULL;
    jmp_buf exhausted;
    (void)ctx;
    mem->on_exhausted = &exhausted;
    if (setjmp(exhausted) == 0) {
        g = grammar_create(&(struct grammar_options){
            .mem = mem, .names = names, .diag = diag, .statement = take_lines});
        grammar_parse(g, 0, text, sizeof text - 2);
    }
    grammar_destroy(g);
    diag_destroy(diag);
    intern_destroy(names);
}

static void exhaustion(void **state)
{
    unsigned long n = 1;
    while (failing_mem_run(n, parse_job, NULL) != FAILING_MEM_DONE)
        n++;
    assert_true(n > 10);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushing),   cmocka_unit_test(pushing_too_deep),
        cmocka_unit_test(capturing), cmocka_unit_test(piece_errors),
        cmocka_unit_test(copies),    cmocka_unit_test(exhaustion),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
