/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, their places, recovery, limits, and bytes that are no text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grammar/parse.h"

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))

/* One message a statement; what stands behind it is delivered. */
static void messages(void **state)
{
    static const struct parse_case cases[] = {
        {"add a0, , ->a2\nBSTOP",
         "! 1:9-10 syntax: unexpected ','; expected an operand\ninsn BSTOP\n"},
        {"add a0,; BSTOP",
         "! 1:8-8 syntax: unexpected end of the statement; expected an operand\ninsn BSTOP\n"},
        {"add a0, a1)\nBSTOP",
         "! 1:11-12 syntax: unexpected ')'; expected an operator, ',' or the end of the "
         "statement\ninsn BSTOP\n"},
        {"add a0 a1, ->a2", "! 1:8-10 syntax: expected ',' before this operand\n"},
        {"add a0, a1 ->a2", "! 1:12-16 syntax: expected ',' before this operand\n"},
        {"add a0, 1 + , ->a2", "! 1:13-14 syntax: unexpected ','; expected an operand\n"},
        {"add a0, (1 + 2, ->a2", "! 1:15-16 syntax: unexpected ','; expected an operator or ')'\n"},
        {"add a0 = ", "! 1:9-9 syntax: unexpected end of the statement; expected an operand\n"},
        {"add a0, a1, ->",
         "! 1:15-15 syntax: unexpected end of the statement; expected an operand\n"},
        {"sw a0, [a1, 4], ]", "! 1:17-18 syntax: unexpected ']'; expected an operand\n"},
        {"FENTRY [r10 ~ ], sp!, 8", "! 1:15-16 syntax: unexpected ']'; expected an operand\n"},
        {"addtpc %tpcrel_hi s, ->a1", "! 1:19-20 syntax: unexpected 's'; expected an operand\n"},
        {"B.IOT T#1, ->T<", "! 1:15-16 unclosed: '<' is not closed before the statement ends\n"},
        {"add %x, a1, ->a2", "! 1:5-7 syntax: '%x' is a PTO-AS value, which a machine instruction "
                             "does not take\n"},
        {"add @x, a1, ->a2",
         "! 1:5-7 syntax: '@x' is unknown here; expected @read, @complete, @set or @clear\n"},
        {"x = ", "! 1:4-4 syntax: unexpected end of the statement; expected an operand\n"},
        {"x = 1 2", "! 1:7-8 syntax: unexpected '2'; expected an operator or the end of the "
                    "statement\n"},
        {".word 1,\n.word 2",
         "! 1:9-9 syntax: unexpected end of the statement; expected an operand "
         "or ','\ndir .word | 2\n"},
        {".word @", "! 1:7-8 bad-character: stray '@'\n"},
        {"add a0, `, ->a2", "! 1:9-10 bad-character: stray '`'\n"},
        {"add a0, \\a, ->a2", "! 1:9-10 bad-character: stray '\\'\n"},
        {")", "! 1:1-2 syntax: unexpected ')'; expected a label, a directive, an instruction or an "
              "operation\n"},
        {"3 + 4\nBSTOP", "! 1:1-2 syntax: unexpected '3'; expected a label, a directive, an "
                         "instruction or an operation\ninsn BSTOP\n"},
        {"%a = \nBSTOP", "! 1:5-5 syntax: unexpected end of the statement; expected an operation\n"
                         "insn BSTOP\n"},
        {"%a = 3", "! 1:6-7 syntax: unexpected '3'; expected an operation\n"},
        {"%a", "! 1:1-3 syntax: unexpected '%a'; expected a label, a directive, an instruction or "
               "an operation\n"},
        {"pto.x ins(%a : ) outs(%b)\nBSTOP",
         "! 1:16-17 syntax: unexpected ')'; expected a type\ninsn BSTOP\n"},
        {"pto.x ins %a", "! 1:11-13 syntax: unexpected '%a'; expected '('\n"},
        {"pto.x %a,", "! 1:10-10 syntax: unexpected end of the statement; expected a value or "
                      "'['\n"},
        {"pto.x ~", "! 1:7-8 bad-character: stray '~'\n"},
    };
    CHECK(cases);
    (void)state;
}

/* A forgotten bracket costs its own statement only, and is reported where it opened. */
static void unclosed(void **state)
{
    static const struct parse_case cases[] = {
        {"sw a0, [a1, 4\nadd a0, a1, ->a2",
         "! 1:8-9 unclosed: '[' is not closed before the statement ends\n"
         "insn add | a0, a1, ->a2\n"},
        {"sw a0, [a1, 4; BSTOP",
         "! 1:8-9 unclosed: '[' is not closed before the statement ends\ninsn BSTOP\n"},
        {"sw a0, [a1, 4\n.word 1",
         "! 1:8-9 unclosed: '[' is not closed before the statement ends\ndir .word | 1\n"},
        {"sw a0, [a1, 4\nfoo: BSTOP",
         "! 1:8-9 unclosed: '[' is not closed before the statement ends\nlabel foo\n"
         "insn BSTOP\n"},
        {"sw a0, [a1, 4\n  .Lx:",
         "! 1:8-9 unclosed: '[' is not closed before the statement ends\nlabel .Lx\n"},
        {"sw a0, [a1, 4\n%a = pto.x",
         "! 1:8-9 unclosed: '[' is not closed before the statement ends\nop pto.x results(%a)\n"},
        {"sw a0, [a1, 4", "! 1:8-9 unclosed: '[' is not closed before the statement ends\n"},
        {"B.DATR {NORM, FP32\nBSTOP",
         "! 1:8-9 unclosed: '{' is not closed before the statement ends\ninsn BSTOP\n"},
        {"addi a0, (1 + (2\nBSTOP",
         "! 1:15-16 unclosed: '(' is not closed before the statement ends\ninsn BSTOP\n"},
        {"NOP $S[3\nNOP", "! 1:7-8 unclosed: '[' is not closed before the statement ends\n"
                          "insn NOP\n"},
        {"pto.x ins(%a : !pto.tile_buf<vec, 4x4xi8) outs(%b : i8)\npto.y",
         "! 1:41-42 syntax: unexpected ')'; expected ',' or '>'\nop pto.y\n"},
        {"pto.x ins(%a : i8\npto.y %b\nBSTOP",
         "! 1:10-11 unclosed: '(' is not closed before the statement ends\nop pto.y (%b)\n"
         "insn BSTOP\n"},
        {"pto.x {a = 1\n%b = pto.y\n",
         "! 1:7-8 unclosed: '{' is not closed before the statement ends\nop pto.y results(%b)\n"},
        {"module {\npto.x ins(%a\n}",
         "op module opens\n! 2:10-11 unclosed: '(' is not closed before the statement ends\n"
         "end \n"},
        /* names that only look like the start of a statement */
        {"sw a0, [a1,\n .Lx]", "insn sw | a0, [a1, .Lx]\n"},
        {"addi a0, (1 +\n foo), ->a0", "insn addi | a0, (+ 1 foo), ->a0\n"},
        {"pto.x {\n  pto.entry,\n  pto.arch = \"a5\",\n  return\n}",
         "op pto.x {pto.entry=unit, pto.arch='a5', return=unit}\n"},
        {"pto.x (%a = %b,\n %c = %d)", "op pto.x (%a=%b, %c=%d)\n"},
    };
    CHECK(cases);
    (void)state;
}

/* `count` times `open`, then `middle`, then `count` times `close`. */
static char *nested(const char *front, const char *open, const char *middle, const char *close,
                    size_t count)
{
    size_t size = strlen(front) + count * (strlen(open) + strlen(close)) + strlen(middle) + 1;
    char *text = malloc(size);
    strcpy(text, front);
    char *p = text + strlen(text);
    for (size_t i = 0; i < count; i++)
        p = stpcpy(p, open);
    p = stpcpy(p, middle);
    for (size_t i = 0; i < count; i++)
        p = stpcpy(p, close);
    return text;
}

static char *parse_nested(const char *front, const char *open, const char *middle,
                          const char *close, size_t count)
{
    char *text = nested(front, open, middle, close, count);
    char *got = parse_text(text, strlen(text), NULL);
    free(text);
    return got;
}

static void check_nested(const char *front, const char *open, const char *close, size_t count,
                         const char *expected)
{
    char *got = parse_nested(front, open, "1", close, count);
    if (expected != NULL)
        assert_string_equal(got, expected);
    else
        assert_null(strchr(got, '!'));
    free(got);
}

static void nesting(void **state)
{
    check_nested("x = ", "(", ")", 100, "set x 1\n");
    check_nested("x = ", "(", ")", 101,
                 "! 1:105-106 too-deep: brackets are nested deeper than 100\n");
    check_nested("x = ", "(", ")", 100000,
                 "! 1:105-106 too-deep: brackets are nested deeper than 100\n");
    check_nested("pto.x #a=", "#b<", ">", 100, NULL);
    check_nested("pto.x #a=", "#b<", ">", 101,
                 "! 1:310-313 too-deep: brackets are nested deeper than 100\n");
    check_nested("x = ", "-", "", 990, NULL);
    check_nested("x = ", "-", "", 100000,
                 "! 1:1001-1002 too-deep: the statement is nested too deeply\n");
    check_nested("x = ", "1+", "", 999, NULL);
    check_nested("x = ", "1+", "", 1000,
                 "! 1:5-2006 too-deep: the expression has more than 1000 levels\n");
    check_nested("x = ", "1?1:", "", 100000,
                 "! 1:1001-1002 too-deep: the statement is nested too deeply\n");
    (void)state;
}

/* An error too deep for the parser's stack still costs only its statement. */
static void deep_recovery(void **state)
{
    char *got = parse_nested("x = ", "-", "1\nBSTOP", "", 5000);
    assert_string_equal(got, "! 1:1001-1002 too-deep: the statement is nested too deeply\n"
                             "insn BSTOP\n");
    free(got);
    (void)state;
}

static void stray_bytes(void **state)
{
    static const struct {
        const char *source;
        size_t size;
        const char *expected;
    } cases[] = {
        {"\0\nBSTOP", 7, "! 1:1-2 bad-character: stray byte 0x00\ninsn BSTOP\n"},
        {"add a0,\0a1\nBSTOP", 16, "! 1:8-9 bad-character: stray byte 0x00\ninsn BSTOP\n"},
        {"frob a\0b", 8, "macro frob 'a'\n"},
        {".ascii \"a\0b\"", 12, "! 1:8-13 bad-string: the string contains a NUL byte; write \\0\n"},
        {"BSTOP # \0\xff\n", 11, "insn BSTOP\n"},
        {"pto.x \xc3\xa9", 8,
         "! 1:7-8 bad-character: stray byte 0xc3 (outside strings and comments the text is "
         "ASCII)\n"},
        {"\xff\xfe\x00", 3,
         "! 1:1-2 bad-character: stray byte 0xff (outside strings and comments the text is "
         "ASCII)\n"},
        {".ascii \"\xc3\xa9\xff\"", 12, "dir .ascii | string '\xc3\xa9\xff'\n"},
        {"BSTOP\n\xEF\xBB\xBF", 9,
         "insn BSTOP\n! 2:1-4 bad-character: stray byte 0xef (outside strings and comments the "
         "text is ASCII)\n"},
        {"BSTOP\x1a", 6, "! 1:6-7 bad-character: stray byte 0x1a\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = parse_text(cases[i].source, cases[i].size, NULL);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
    (void)state;
}

/* Every prefix of a text, and the text with one byte changed, ends without harm. */
static void damaged_texts(void **state)
{
    static const char text[] =
        "a: 1: addi a0, (1+'x')*%tpcrel_hi(s), ->{t} # c\nB.IOT T#1, mask=0101, <last>, ->T<8KB>\n"
        "MOVE.FP32 $S[1]>0 R[4] = 1.5 !$E[3]@set\n.ascii \"a\\n\" /* x */, 4\nfrob a \"b\"\n"
        "%a:2 = \"pto.x\"(%b) <{c = array<i32: 1>}> : (!pto.tile<vec, 4x?xi8>) -> ()\nmodule "
        "{\n}\n";
    for (size_t i = 0; i < sizeof text - 1; i++) {
        free(parse_text(text, i, NULL));
        for (const char *c = "\n;#\"'(<{%}\\\xff@$"; *c != '\0'; c++) {
            char damaged[sizeof text];
            memcpy(damaged, text, sizeof text);
            damaged[i] = *c;
            free(parse_text(damaged, sizeof text - 1, NULL));
        }
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),    cmocka_unit_test(unclosed),
        cmocka_unit_test(nesting),     cmocka_unit_test(deep_recovery),
        cmocka_unit_test(stray_bytes), cmocka_unit_test(damaged_texts),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
