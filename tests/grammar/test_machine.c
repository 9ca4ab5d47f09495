/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine instructions, SEQ statements, directives, expressions and lexical rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grammar/parse.h"

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))

static void statements(void **state)
{
    static const struct parse_case cases[] = {
        {"", ""},
        {"\n \t\n;;\n", ""},
        {"foo:", "label foo\n"},
        {".Lx: 1: 22: bar:add zero,zero,->a0",
         "label .Lx\nlocal 1\nlocal 22\nlabel bar\ninsn add | zero, zero, ->a0\n"},
        {"\"a b\": .word 1", "label a b\ndir .word | 1\n"},
        {"x = 3", "set x 3\n"},
        {". = . + 4", "set . (+ . 4)\n"},
        {"\"a0\" = 3", "set a0 3\n"},
        {"add = 3", "set add 3\n"},
        {"BSTOP", "insn BSTOP\n"},
        {"bstop; BSTOP;", "insn bstop\ninsn BSTOP\n"},
        {".TEXT", "dir .text ''\n"},
        /* a first word that no table knows keeps its text */
        {"frob", "macro frob ''\n"},
        {"frob  a, b ,c  ", "macro frob 'a, b ,c'\n"},
        {"frob a # b", "macro frob 'a'\n"},
        {"frob a // b", "macro frob 'a'\n"},
        {"frob a /* ; */ b; nop2", "macro frob 'a /* ; */ b'\nmacro nop2 ''\n"},
        {"frob \"x;#\" ';' '#' T#1 a/b ' \\@", "macro frob '\"x;#\" ';' '#' T#1 a/b ' \\@'\n"},
        {"B.NOSUCH 1", "macro B.NOSUCH '1'\n"},
        {".macro m a, b=3 # c\n", "dir .macro 'm a, b=3'\n"},
        {".ifc a,\"b;\"\n", "dir .ifc 'a,\"b;\"'\n"},
    };
    CHECK(cases);
    (void)state;
}

static void operands(void **state)
{
    static const struct parse_case cases[] = {
        {"add a0, a1, ->a2", "insn add | a0, a1, ->a2\n"},
        {"add t#1, u#1.neg<<1, ->u", "insn add | t#1, (<< u#1.neg 1), ->u\n"},
        {"add zero, a0.sw, ->{t}", "insn add | zero, a0.sw, ->t\n"},
        {"casb.aqrl [t#1], u#1, a0, ->u", "insn casb.aqrl | [t#1], u#1, a0, ->u\n"},
        {"hl.ccat a0, a1, 127, ->t, t", "insn hl.ccat | a0, a1, 127, ->t, t\n"},
        {"sw a0, [a1, a2.uw<<2]", "insn sw | a0, [a1, (<< a2.uw 2)]\n"},
        {"FENTRY [r10 ~ r11], sp!, 8", "insn FENTRY | [r10 ~ r11], sp!, 8\n"},
        {"B.IOT T#1, mask=0101, size=1, ->T", "insn B.IOT | T#1, mask=101, size=1, ->T\n"},
        {"B.IOT t#1, mask=1111, last, ->u<8KB>", "insn B.IOT | t#1, mask=1111, last, ->u<8KB>\n"},
        {"B.IOT T#1, size=8KB, ->T", "insn B.IOT | T#1, size=8KB, ->T\n"},
        {"B.IOT T#1, mask=1111, <last>, ->T0<TSize+1>",
         "insn B.IOT | T#1, mask=1111, last, ->T0<(+ TSize 1)>\n"},
        {"B.IOT T#1, < Last >, ->T<(a>b)>", "insn B.IOT | T#1, last, ->T<(> a b)>\n"},
        {"B.IOS mask=1111, ->S255<0001>", "insn B.IOS | mask=1111, ->S255<1>\n"},
        {"B.IOS S#1, mask=1000", "insn B.IOS | S#1, mask=1000\n"},
        {"B.DATR {ND2M16, DTYPE_NONE, Null, EQ, Default, 0, 0}",
         "insn B.DATR | {ND2M16, DTYPE_NONE, Null, EQ, Default, 0, 0}\n"},
        {"B.DATR U32, ByteId=0", "insn B.DATR | U32, ByteId=0\n"},
        {"B.DIM LB0=16", "insn B.DIM | LB0=16\n"},
        {"B.DIM a0, 16, ->LB0", "insn B.DIM | a0, 16, ->LB0\n"},
        {"B.HINT {BR.likely, TEMP.hot, 64}", "insn B.HINT | {BR.likely, TEMP.hot, 64}\n"},
        {"BSTART.STD COND, 1f", "insn BSTART.STD | COND, 1f\n"},
        {"addtpc %tpcrel_hi(s+4), ->a1", "insn addtpc | (hi (+ s 4)), ->a1\n"},
        {"addi a1, %tpcrel_lo(s), ->a1", "insn addi | a1, (lo s), ->a1\n"},
        {"j \"a0\"", "insn j | \"a0\"\n"},
        /* a line end inside brackets is a blank */
        {"sw a0, [a1,\n  4]\nBSTOP", "insn sw | a0, [a1, 4]\ninsn BSTOP\n"},
        {"addi a0, (1 + # one\n2), ->a0", "insn addi | a0, (+ 1 2), ->a0\n"},
    };
    CHECK(cases);
    (void)state;
}

static void seq(void **state)
{
    static const struct parse_case cases[] = {
        {"MOVE.UINT32  R3 = 0xdeadbeef", "insn MOVE.UINT32 | R3=3735928559\n"},
        {"MOVE.FP32 $S[11]>0 R4 = 1.5, R5 = -0.25 $S[22]++@complete",
         "insn MOVE.FP32 | wait $S[11]>0 R4=1.5, R5=(neg 0.25) update $S[22]++ complete\n"},
        {"MOVE.INT32 R6 = R1, R[7] = PC.LO", "insn MOVE.INT32 | R6=R1, R7=PC.LO\n"},
        {"MOVE.INT32 R6 = R[1]", "insn MOVE.INT32 | R6=([] R 1)\n"},
        {"ALU_OP.INT32 R5 = ADD R4, 1", "insn ALU_OP.INT32 | R5=ADD R4, 1\n"},
        {"COMPARE_BRANCH.INT32 EQ R7, 0, done", "insn COMPARE_BRANCH.INT32 | EQ R7, 0, done\n"},
        {"EVENT_SEMAPHORE $S[11]>0;", "insn EVENT_SEMAPHORE | wait $S[11]>0\n"},
        {"EVENT_SEMAPHORE ext $S[9]+=1@complete",
         "insn EVENT_SEMAPHORE | ext update $S[9]+=1 complete\n"},
        {"NOP $S[1]>=R4 $S[2]==3 $S[3]!=4 $S[4]<5 $S[5]<=6",
         "insn NOP | wait $S[1]>=R4 wait $S[2]==3 wait $S[3]!=4 wait $S[4]<5 wait $S[5]<=6\n"},
        {"NOP $S[6]-- $S[7]-=2 $S[8]=R3@complete $s[9]++@read",
         "insn NOP | update $S[6]-- update $S[7]-=2 update $S[8]=R3 complete update $S[9]++\n"},
        {"NOP $E[3] !$E[4] $E[5]@clear !$E[6]@set $E[7]=1@complete",
         "insn NOP | wait $E[3]== wait $E[4]!= wait $E[5]== flip wait $E[6]!= flip "
         "update $E[7]=1 complete\n"},
        {"NOP $S[1]>0,debug_hint=2", "insn NOP | wait $S[1]>0, debug_hint=2\n"},
        /* ++ elsewhere is two signs */
        {"MOVE.INT32 R1 = 3++4, R2 = 5--6",
         "insn MOVE.INT32 | R1=(+ 3 (plus 4)), R2=(- 5 (neg 6))\n"},
        {"NOP $E[3]++",
         "! 1:5-12 syntax: an event is set ($E[1]=1) or cleared ($E[1]=0), not counted\n"},
        {"NOP $S[3]", "! 1:5-10 syntax: a semaphore needs a comparison ($S[1]>0) or an update "
                      "($S[1]++)\n"},
        {"NOP $S[3]++@last", "! 1:12-17 syntax: '@last' is unknown here; expected @read, "
                             "@complete, @set or @clear\n"},
        {"MOVE.INT32 R[x] = 1",
         "! 1:14-15 syntax: the index of an assigned register is a number\n"},
    };
    CHECK(cases);
    (void)state;
}

static void directives(void **state)
{
    static const struct parse_case cases[] = {
        {".word 1, a+1, ., 1b", "dir .word | 1, (+ a 1), ., 1b\n"},
        {".ascii \"a\\tb\\x41\\101\\\"\", \"\"", "dir .ascii | string 'a\tbAA\"', string ''\n"},
        {".quad \"s\"+1", "dir .quad | (+ \"s\" 1)\n"},
        {".quad (\"s\")", "dir .quad | \"s\"\n"},
        {".section .note.GNU-stack,\"ax\",@progbits",
         "dir .section | .note.GNU-stack, string 'ax', @progbits\n"},
        {".section .text.a%b", "dir .section | (% .text.a b)\n"},
        {".type f, %function", "dir .type | f, @function\n"},
        {".type f, @object", "dir .type | f, @object\n"},
        {".word a%b, a % b", "dir .word | (% a b), (% a b)\n"},
        {".p2align 4,,15", "dir .p2align | 4, , 15\n"},
        {".file 1 \"x.c\"", "dir .file | 1 string 'x.c'\n"},
        {".loc 1 2 3", "dir .loc | 1 2 3\n"},
        {".set x, 1", "dir .set | x, 1\n"},
        {".globl", "dir .globl ''\n"},
    };
    CHECK(cases);
    (void)state;
}

static void expressions(void **state)
{
    static const struct parse_case cases[] = {
        {"1+2*3", "(+ 1 (* 2 3))"},
        {"(1+2)*3", "(* (+ 1 2) 3)"},
        {"8-4-2", "(- (- 8 4) 2)"},
        {"8/4/2%3", "(% (/ (/ 8 4) 2) 3)"},
        {"1<<2+3", "(<< 1 (+ 2 3))"},
        {"1<2<<3", "(< 1 (<< 2 3))"},
        {"a==b<c", "(== a (< b c))"},
        {"a&b==c", "(& a (== b c))"},
        {"a^b&c", "(^ a (& b c))"},
        {"a|b^c", "(| a (^ b c))"},
        {"a&&b|c", "(&& a (| b c))"},
        {"a||b&&c", "(|| a (&& b c))"},
        {"a?b:c?d:e", "(?: a b (?: c d e))"},
        {"a||b?1:2", "(?: (|| a b) 1 2)"},
        {"-a*b", "(* (neg a) b)"},
        {"- -~!+a", "(neg (neg (~ (! (plus a)))))"},
        {"a>>b>=c!=d", "(!= (>= (>> a b) c) d)"},
        {"a<=b>c", "(> (<= a b) c)"},
        {"R[1+2]", "([] R (+ 1 2))"},
        {"%tpcrel_hi(a)>>1", "(>> (hi a) 1)"},
        {"a%%tpcrel_lo(b)", "(% a (lo b))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = parse_piece_text(cases[i].source, false);
        assert_string_equal(got, cases[i].expected);
        free(got);
    }
    (void)state;
}

static void numbers(void **state)
{
    static const char legal[] = "decimal, 0x, 0b and 0o digits, 1.5e-3, 'c')\n";
    static const struct parse_case good[] = {
        {".8byte 0, 10, 0101, 08", "dir .8byte | 0, 10, 101, 8\n"},
        {".8byte 0x1F, 0Xff, 0b101, 0B1, 0o17, 0O7", "dir .8byte | 31, 255, 5, 1, 15, 7\n"},
        {".8byte 18446744073709551615, 0xffffffffffffffff", "dir .8byte | -1, -1\n"},
        {".8byte 9223372036854775807", "dir .8byte | 9223372036854775807\n"},
        {".double 1.5, .5, 1., 1e3, 1.5e-3, 2E+2",
         "dir .double | 1.5, 0.5, 1, 1000, 0.0015, 200\n"},
        {".byte 'a', '\\n', '\\'', '\\\\', '\\x41', '\\101', ';', '#', '\"'",
         "dir .byte | 97, 10, 39, 92, 65, 65, 59, 35, 34\n"},
        {"j 0b; j 1b; j 12f", "insn j | 0b\ninsn j | 1b\ninsn j | 12f\n"},
        {".byte 0b1", "dir .byte | 1\n"},
    };
    static const char *const bad[][2] = {
        {".byte 0x", "1:7-9 bad-number: '0x' is no number ("},
        {".byte 0b2", "1:7-10 bad-number: '0b2' is no number ("},
        {".byte 0o8", "1:7-10 bad-number: '0o8' is no number ("},
        {".byte 12a", "1:7-10 bad-number: '12a' is no number ("},
        {".byte 1.5x", "1:7-11 bad-number: '1.5x' is no number ("},
    };
    static const struct parse_case beyond[] = {
        {".8byte 18446744073709551616",
         "! 1:8-28 bad-number: '18446744073709551616' does not fit in 64 bits\n"},
        {".8byte 0x10000000000000000",
         "! 1:8-27 bad-number: '0x10000000000000000' does not fit in 64 bits\n"},
        {".double 1e999", "! 1:9-14 bad-number: '1e999' does not fit in a double\n"},
        {".byte 128B", "! 1:7-11 bad-number: the size '128B' may stand only in "
                       "'-> tile<size>' or behind 'size='\n"},
        {".byte 'ab'", "! 1:7-8 bad-character: stray '''\n"},
        {".byte '", "! 1:7-8 bad-character: stray '''\n"},
        {".byte '\\q'",
         "! 1:7-11 bad-string: unknown escape '\\q' (known: \\b \\f \\n \\r \\t \\\\ "
         "\\\" \\' \\ooo \\xhh)\n"},
    };
    CHECK(good);
    CHECK(beyond);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[200];
        snprintf(expected, sizeof expected, "! %s%s", bad[i][1], legal);
        check_cases(&(struct parse_case){bad[i][0], expected}, 1);
    }
    (void)state;
}

/* mask=0101 and <0001> are read by their spelling. */
static bool spelling_hook(struct buffer *out, struct grammar *g, const struct ast_stmt *stmt)
{
    (void)g;
    for (const struct ast_operand *o = stmt->operands; o != NULL; o = o->next)
        buffer_printf(out, "%s;", (o->expr2 != NULL ? o->expr2 : o->expr)->text);
    return true;
}

static void number_spelling(void **state)
{
    static const char source[] = "B.IOT 0x0A, 010, mask=0101, ->T<0001>";
    char *got = parse_text(source, strlen(source), spelling_hook);
    assert_string_equal(got, "insn B.IOT | 10, 10, mask=101, ->T<1>\n0x0A;010;0101;0001;");
    free(got);
    (void)state;
}

static void comments(void **state)
{
    static const struct parse_case cases[] = {
        {"# don't \"\nBSTOP # \"x", "insn BSTOP\n"},
        {"// it's\nBSTOP // '", "insn BSTOP\n"},
        {"/* a\n\"b */ BSTOP /**/; BSTOP /* ' */", "insn BSTOP\ninsn BSTOP\n"},
        {"add a0, /* x\n */ a1, ->a2", "insn add | a0, a1, ->a2\n"},
        {"#1 \"file\"\n", ""},
        {"add a0#, a1", "insn add | a0\n"},
        {"add T#1", "insn add | T#1\n"},
        {"add T# 1", "insn add | T\n"},
        {"add x#1", "insn add | x\n"},
        {"add T# 1\nadd V#1", "insn add | T\ninsn add | V\n"},
        {".ascii \"# // /* ;\"", "dir .ascii | string '# // /* ;'\n"},
        {"BSTOP /* x", "! 1:7-9 unclosed: the comment has no closing */\n"},
        {".ascii \"x\nBSTOP", "! 1:8-10 bad-string: the string has no closing quote\ninsn BSTOP\n"},
        {".ascii \"x\\\"\nBSTOP",
         "! 1:8-12 bad-string: the string has no closing quote\ninsn BSTOP\n"},
    };
    CHECK(cases);
    (void)state;
}

/* LF, CRLF, CR and a byte order mark give the same statements and places. */
static void line_ends(void **state)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    static const char *const marks[] = {"", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < 6; i++) {
        char source[200];
        const char *e = ends[i % 3];
        snprintf(source, sizeof source, "%sa:%sadd a0, ->%s%s/*%s*/ add a0 a1%s", marks[i / 3], e,
                 e, e, e, e);
        char *got = parse_text(source, strlen(source), NULL);
        assert_string_equal(
            got, "label a\n"
                 "! 2:11-11 syntax: unexpected end of the statement; expected an operand\n"
                 "! 5:11-13 syntax: expected ',' before this operand\n");
        free(got);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements),
        cmocka_unit_test(operands),
        cmocka_unit_test(seq),
        cmocka_unit_test(directives),
        cmocka_unit_test(expressions),
        cmocka_unit_test(numbers),
        cmocka_unit_test(number_spelling),
        cmocka_unit_test(comments),
        cmocka_unit_test(line_ends),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
