/* SPDX-License-Identifier: BSD-3-Clause */
/* asm_assemble in process: values, refusals, independence, exhaustion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "tests/support/failing_mem.h"

/* The first message of a run. */
struct first {
    char slug[40];
    unsigned line, errors;
};

static void keep_first(void *ctx, const struct diag_record *record)
{
    struct first *first = ctx;
    if (record->severity == DIAG_ERROR && first->errors++ == 0) {
        snprintf(first->slug, sizeof first->slug, "%s", diag_slug(record->code));
        first->line = record->loc.line;
    }
}

static struct object *assemble(struct mem *m, const struct asm_options *options, const char *text,
                               struct first *first)
{
    struct diag_options messages = {.sink = keep_first, .sink_ctx = first};
    struct diag *diag = diag_create(m, &messages);
    size_t size = strlen(text);
    char *copy = test_malloc(size + 2);
    memcpy(copy, text, size + 1);
    copy[size + 1] = '\0';
    *first = (struct first){0};
    struct object *object =
        asm_assemble(m, diag, options, &(struct asm_input){"test", copy, size}, 1);
    assert_int_equal(object != NULL, diag_errors(diag) == 0);
    diag_destroy(diag);
    test_free(copy);
    return object;
}

static const struct obj_section *section(const struct object *object, const char *name)
{
    for (size_t i = 0; i < object->sections.count; i++)
        if (strcmp(object->sections.item[i].name, name) == 0)
            return &object->sections.item[i];
    return NULL;
}

static const struct {
    const char *expr;
    int64_t value;
} values[] = {
    {"0", 0},
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 4 - 3", 3},
    {"100 / 7 / 2", 7},
    {"1 << 2 + 1", 8},
    {"1 | 2 & 3 ^ 1", 1 | ((2 & 3) ^ 1)},
    {"5 & 3 == 1", 5 & (3 == 1)},
    {"- -3", 3},
    {"~0 >> 1", -1},
    {"!3 + !0", 1},
    {"-9223372036854775807 - 1", INT64_MIN},
    {"9223372036854775807 + 1", INT64_MIN},
    {"-9223372036854775808 / -1", INT64_MIN},
    {"-9223372036854775808 % -1", 0},
    {"-7 / 2", -3},
    {"-7 % 2", -1},
    {"1 << 63", INT64_MIN},
    {"1 << 64", 0},
    {"1 << -1", 0},
    {"-1 >> 64", -1},
    {"1 < 2 && 2 < 3 || 1 / 0", 1},
    {"0 ? 1 / 0 : 2 ? 3 : 4", 3},
    {"later + 1", 42},
    {"end - start", 24},
    {"(end - start) / 8", 3},
    {"start < end", 1},
    {". - start", 8},
    {"1f - 1b", 16},
};

static void test_values(void **state)
{
    (void)state;
    struct mem m = mem_default();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[256];
        int64_t found = 0;
        struct first first;
        struct asm_options options = {0};
        snprintf(text, sizeof text,
                 ".data\nstart: 1: .zero 8\n.8byte %s\n1: .zero 8\nend:\n.set later, 41\n",
                 values[i].expr);
        struct object *object = assemble(&m, &options, text, &first);
        if (!object)
            fail_msg("%s: %s", values[i].expr, first.slug);
        const uint8_t *bytes = section(object, ".data")->data + 8;
        for (unsigned n = 0; n < 8; n++)
            found |= (int64_t)((uint64_t)bytes[n] << 8 * n);
        if (found != values[i].value)
            fail_msg("%s is %lld, not %lld", values[i].expr, (long long)found,
                     (long long)values[i].value);
        obj_destroy(object);
    }
}

static const struct {
    const char *text, *slug;
    unsigned line;
} refusals[] = {
    {"BSTART.TMOV U8\nC.B.DIMI sym, ->LB0\nB.IOT T#1, mask=1111, ->T<1>\nBSTOP", "no-relocation",
     2},
    {"BSTART.TLOAD U8\nB.DIM zero, K, ->LB0\nB.IOT mask=1111, ->T<1>\nBSTOP\n.set K, 131072",
     "field-range", 2},
    {"addi a0, %tpcrel_lo(x), ->a0", "tpcrel-unpaired", 1},
    {"addtpc %tpcrel_hi(x), ->a0\naddi a0, %tpcrel_lo(x + 4), ->a0", "tpcrel-unpaired", 2},
    {"addtpc %tpcrel_hi(x), ->a0\n.section .b,\"ax\"\naddi a0, %tpcrel_lo(x), ->a0",
     "tpcrel-unpaired", 3},
    {"addtpc x, ->a0", "no-relocation", 1},
    {"addi a0, x, ->a0", "no-relocation", 1},
    {"addtpc %tpcrel_lo(x), ->a0", "no-relocation", 1},
    {"j %tpcrel_hi(x)", "no-relocation", 1},
    {"addtpc %tpcrel_hi(5), ->a0", "no-relocation", 1},
    {"j x - y", "expression-relocatable", 1},
    {".data\nj x", "section-class", 2},
    {"jr a0, x", "no-relocation", 1},
    {".loc 1 2", "loc-file", 1},
    {".file 1 \"a\"\n.loc 1 0", "directive-operand", 2},
    {".option wrong", "directive-operand", 1},
    {".set a, 5 +", "syntax", 1},
    {".isa", "directive-count", 1},
    {".previous", "section-stack", 1},
    {".bite 1", "unknown-directive", 1},
    {".err", "user-error", 1},
    {".error \"text\"", "user-error", 1},
};

static void test_refusals(void **state)
{
    (void)state;
    struct mem m = mem_default();
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct first first;
        struct asm_options options = {0};
        struct object *object = assemble(&m, &options, refusals[i].text, &first);
        obj_destroy(object);
        if (object || strcmp(first.slug, refusals[i].slug) != 0 || first.line != refusals[i].line ||
            first.errors != 1)
            fail_msg("'%s': %u errors, first %s in line %u; expected %s in line %u",
                     refusals[i].text, first.errors, first.slug, first.line, refusals[i].slug,
                     refusals[i].line);
    }
}

/* Two revisions and two checks in one process do not know of each other. */
static void test_independent(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct first first;
    const char *text = "BSTART.GMOV U8\nB.IOT T#1, mask=1100, size=1, ->T\nBSTOP\n";
    static const uint8_t newer[] = {0x13, 0xda, 0x08, 0x00};
    static const uint8_t older[] = {0x13, 0x52, 0x0e, 0x00};
    struct asm_options old = {.march = 1u << ISA_REV_0_58_2}, none = {0};
    struct asm_options unchecked = {.no_bundle_check = true};
    struct object *a = assemble(&m, &old, text, &first);
    struct object *b = assemble(&m, &none, text, &first);
    struct object *c = assemble(&m, &unchecked, "B.IOT T#1, mask=1100, size=1, ->T\n", &first);
    struct object *d = assemble(&m, &none, "B.IOT T#1, mask=1100, size=1, ->T\n", &first);
    assert_memory_equal(section(a, ".text")->data + 4, older, 4);
    assert_memory_equal(section(b, ".text")->data + 4, newer, 4);
    assert_int_equal(a->identity.pto, 1u << ISA_REV_0_58_2);
    assert_int_equal(b->identity.pto, 1u << ISA_REV_0_58_3);
    assert_non_null(c);
    assert_null(d);
    obj_destroy(a);
    obj_destroy(b);
    obj_destroy(c);
}

static void test_identity(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct first first;
    struct asm_options options = {.mseq = 1u << ISA_GEN_MARIANA};
    struct object *data = assemble(&m, &options, ".data\n.byte 1\n", &first);
    struct object *seq = assemble(&m, &options, "HALT\n", &first);
    struct object *pto = assemble(&m, &options, "addi a0, 1, ->a0\n", &first);
    assert_false(data->identity.has_pto);
    assert_int_equal(data->identity.pto | data->identity.seq, 0);
    assert_false(seq->identity.has_pto);
    assert_int_equal(seq->identity.seq, 1u << ISA_GEN_MARIANA);
    assert_true(pto->identity.has_pto);
    assert_int_equal(pto->identity.seq, 0);
    obj_destroy(data);
    obj_destroy(seq);
    obj_destroy(pto);
}

static const struct obj_line expected_lines[] = {
    {.address = 0, .file = 0, .line = 3},
    {.address = 4, .file = 0, .line = 7}, /* the macro's call, not its body */
    {.address = 12, .file = 0, .line = 8},
    {.address = 16, .file = 0, .line = 8, .end = true},
};

static void check_lines(const struct object *object, const struct obj_line *expected, size_t count)
{
    assert_int_equal(object->lines.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct obj_line *line = &object->lines.item[i];
        assert_int_equal(line->address, expected[i].address);
        assert_int_equal(line->file, expected[i].file);
        assert_int_equal(line->line, expected[i].line);
        assert_int_equal(line->col, expected[i].col);
        assert_int_equal(line->end, expected[i].end);
    }
}

static void test_lines(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct first first;
    struct asm_options debug = {.debug = true}, none = {0};
    const char *text = "\t.text\n# comment\naddi a0, 1, ->a0\n.macro two\n"
                       "addi a0, 1, ->a0; addi a0, 2, ->a0\n.endm\ntwo\naddi a0, 3, ->a0\n";
    struct object *object = assemble(&m, &debug, text, &first);
    check_lines(object, expected_lines, 4);
    assert_int_equal(object->line_files.count, 1);
    assert_string_equal(object->line_files.item[0], "test");
    obj_destroy(object);
    object = assemble(&m, &none, text, &first);
    assert_int_equal(object->lines.count, 0);
    obj_destroy(object);
}

/* .loc makes the rows, with -g or without. */
static void test_loc(void **state)
{
    (void)state;
    static const struct obj_line expected[] = {
        {.address = 4, .file = 0, .line = 10, .col = 5},
        {.address = 12, .file = 1, .line = 20},
        {.address = 16, .file = 1, .line = 20, .end = true},
    };
    struct mem m = mem_default();
    struct first first;
    struct asm_options none = {0};
    struct object *object = assemble(&m, &none,
                                     ".file \"unit.c\"\n.file 1 \"a.c\"\n.file 2 \"b.c\"\n"
                                     "addi a0, 1, ->a0\n.loc 1 10 5\naddi a0, 1, ->a0\n"
                                     "addi a0, 1, ->a0\n.loc 2 20\naddi a0, 1, ->a0\n",
                                     &first);
    check_lines(object, expected, 3);
    assert_string_equal(object->line_files.item[0], "a.c");
    assert_string_equal(object->line_files.item[1], "b.c");
    assert_int_equal(object->symbols.item[0].type, OBJ_FILE);
    assert_string_equal(object->symbols.item[0].name, "unit.c");
    obj_destroy(object);
}

static const char symbol_source[] = ".text\n.globl f\n.type f, @function\n"
                                    "f: addi a0, 1, ->a0\n.size f, . - f\nlocal:\n.Lhidden: 1:\n"
                                    "j 1b\n.byte 1, 2\naddi a0, 1, ->a0\n"
                                    ".data\n.hidden h\n.weak h\nh: .8byte f, undefined, 2f\n2:\n"
                                    ".comm c, 24, 16\n.set number, 5\n.set alias, f + 4\n"
                                    ".globl unused\n.weak maybe\n.8byte maybe\n.lcomm room, 3\n";

enum { TEXT, DATA, BSS };

static const struct obj_symbol expected_symbols[] = {
    {.name = "f", .section = TEXT, .size = 4, .bind = OBJ_GLOBAL, .type = OBJ_FUNC},
    {.name = "local", .section = TEXT, .value = 4},
    {.name = "h", .section = DATA, .bind = OBJ_WEAK, .visibility = OBJ_HIDDEN},
    {.name = "c",
     .section = OBJ_COMMON,
     .value = 16,
     .size = 24,
     .bind = OBJ_GLOBAL,
     .type = OBJ_DATA},
    {.name = "number", .section = OBJ_ABS, .value = 5},
    {.name = "alias", .section = TEXT, .value = 4},
    {.name = "room", .section = BSS, .type = OBJ_DATA},
    {.name = "$x", .section = TEXT, .value = 0},
    {.name = "$d", .section = TEXT, .value = 8},
    {.name = "$x", .section = TEXT, .value = 10},
    {.name = "undefined", .section = OBJ_UNDEF, .bind = OBJ_GLOBAL},
    {.name = "", .section = DATA, .type = OBJ_SECTION_SYMBOL}, /* what 2f is relative to */
    {.name = "maybe", .section = OBJ_UNDEF, .bind = OBJ_WEAK},
};

static void test_symbols(void **state)
{
    (void)state;
    struct mem m = mem_default();
    struct first first;
    struct asm_options none = {0};
    size_t count = sizeof expected_symbols / sizeof *expected_symbols;
    struct object *object = assemble(&m, &none, symbol_source, &first);
    for (size_t i = 0; i < object->symbols.count && i < count; i++) {
        const struct obj_symbol *found = &object->symbols.item[i], *want = &expected_symbols[i];
        assert_string_equal(found->name, want->name);
        assert_int_equal(found->section, want->section);
        assert_int_equal(found->value, want->value);
        assert_int_equal(found->size, want->size);
        assert_int_equal(found->bind, want->bind);
        assert_int_equal(found->type, want->type);
        assert_int_equal(found->visibility, want->visibility);
    }
    assert_int_equal(object->symbols.count, count);
    obj_destroy(object);
}

/* Something of everything, the fallback included; relaxation with gaps; PTO-AS with a loop. */
static const char everything[] = ".macro m a, b=2\n.byte \\a, \\b\n.endm\n"
                                 ".data\nx: m 1\n.rept 3\n.8byte x, y + 4\n.endr\n"
                                 ".irp v, 1, 2\n.byte \\v\n.endr\n"
                                 ".set s, t\n.set t, 4\n.uleb128 300\n"
                                 ".asciz \"text\"\n.comm c, 8\n.lcomm l, 4\n.size x, . - x\n"
                                 ".text\n1: addtpc %tpcrel_hi(y), ->a0\n"
                                 "addi a0, %tpcrel_lo(y), ->a0\nj 1b\nj 2f\n.align 3\n2:\n"
                                 "BSTART.GMOV U8\nB.IOT T#1, mask=0101, size=1, ->T\n"
                                 "B.IOR a0\nBSTOP\n.if s == 4\n.warning \"w\"\n.endif\n"
                                 ".seq pool\nHALT\n\0";

static const char relaxed[] = "a: C.BSTART DIRECT, far\nBSTOP\n.balign 16\nBSTART COND, a\nBSTOP\n"
                              ".org a + 64\nb: C.BSTART COND, b\nsetret near, ->ra\nBSTOP\nnear:\n"
                              ".skip 5000\nfar: BSTOP\n.data\n.8byte far\n\0";
static const char kernel[] =
    "module {\nfunc.func @k(%a: !pto.ptr<f32>) {\n"
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    "%c4 = arith.constant 4 : index\n%c16 = arith.constant 16 : index\n"
    "%v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : "
    "!pto.tensor_view<?x?xf32>\n"
    "%t = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, "
    "blayout=row_major, slayout=none_box, fractal=512, pad=0>\n"
    "scf.for %i = %c0 to %c4 step %c1 {\n"
    "%p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : "
    "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>\n"
    "pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<loc=vec, "
    "dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, "
    "fractal=512, pad=0>)\n}\nreturn\n}\n}\n\0";

/* Conditions and loops that are kept, another shape of a tile, and three bundles of one operation.
 */
static const char flow[] =
    ".isa \"0.58.5\"\n!c = !pto.tile_buf<vec, 16x1xf32, blayout=col_major>\n"
    "!r = !pto.tile_buf<vec, 1x16xf32>\n!b = !pto.tile_buf<vec, 16x32xi8>\n"
    "!f = !pto.tile_buf<vec, 16x32xf32, valid=?x32>\n"
    "func.func @k(%x: f32, %n: index, %g: i1) {\n"
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    "%r = pto.alloc_tile : !r\n%b = pto.alloc_tile : !b\n%o = pto.alloc_tile valid_row = %n : !f\n"
    "pto.texpands ins(%x : f32) outs(%r : !r)\npto.texpands ins(%x : f32) outs(%o : !f)\n"
    "%c = pto.treshape %r : !r -> !c\n%t = pto.alloc_tile : !c\n"
    "%u, %m = scf.for %i = %c0 to %n step %c1 iter_args(%v = %c, %k = %c0) -> (!c, index) {\n"
    "%w = pto.alloc_tile : !c\npto.tadds ins(%v, %x : !c, f32) outs(%w : !c)\n"
    "scf.yield %w, %i : !c, index\n} loc(unknown)\n"
    "%s = scf.if %g -> (index) {\nscf.yield %m : index\n} else {\nscf.yield %c1 : index\n}\n"
    "%p:2 = scf.while (%a = %s, %d = %c0) : (index, index) -> (index, index) {\n"
    "%go = arith.cmpi slt, %a, %n : index\nscf.condition(%go) %a, %d : index, index\n} do {\n"
    "^bb0(%e: index, %h: index):\n%l = arith.ceildivsi %e, %n : index\n"
    "scf.yield %l, %e : index, index\n}\nreturn\n}\n\0";

/* Messages have a mem of their own: only the assembler's requests are refused. */
static void assemble_all(struct mem *m, void *ctx)
{
    const char *text = ctx;
    struct first first = {0};
    struct buffer listing, dependencies;
    struct mem plenty = mem_default();
    struct diag_options messages = {.sink = keep_first, .sink_ctx = &first};
    struct diag *diag = diag_create(&plenty, &messages);
    buffer_init(&listing, m);
    buffer_init(&dependencies, m);
    const char *defines[] = {"z=1", NULL};
    struct asm_options options = {.debug = true,
                                  .defines = defines,
                                  .listing = &listing,
                                  .list = ASM_LIST_SOURCE | ASM_LIST_SYMBOLS | ASM_LIST_MACROS |
                                          ASM_LIST_HIGH,
                                  .dependencies = &dependencies};
    struct object *object =
        asm_assemble(m, diag, &options, &(struct asm_input){"everything", text, strlen(text)}, 1);
    if (!object)
        assert_string_equal(first.slug, "out-of-memory");
    obj_destroy(object);
    buffer_free(&listing);
    buffer_free(&dependencies);
    diag_destroy(diag);
}

static void test_exhaustion(void **state)
{
    (void)state;
    static const char *const texts[] = {everything, relaxed, kernel, flow};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned long n = 1;
             failing_mem_run(n, assemble_all, (void *)(uintptr_t)texts[i]) != FAILING_MEM_DONE; n++)
            ;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_independent), cmocka_unit_test(test_identity),
        cmocka_unit_test(test_symbols),     cmocka_unit_test(test_lines),
        cmocka_unit_test(test_loc),         cmocka_unit_test(test_exhaustion),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
