/* SPDX-License-Identifier: BSD-3-Clause */
/* The public header: everything a program can do with libpto alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto.h"

struct messages {
    char text[2000];
    unsigned errors;
};

static void collect(void *ctx, const struct pto_message *m)
{
    struct messages *all = ctx;
    size_t used = strlen(all->text);
    all->errors += m->severity == PTO_ERROR;
    snprintf(all->text + used, sizeof all->text - used, "%s:%u:%u %s [%s]\n", m->file, m->line,
             m->column, m->text, m->code);
}

static struct pto *create(struct messages *all)
{
    *all = (struct messages){0};
    struct pto *p = pto_create(&(struct pto_options){.message = collect, .message_ctx = all});
    assert_non_null(p);
    return p;
}

static struct pto_object *assemble(struct pto *p, const char *name, const char *text)
{
    return pto_assemble(p, name, text, strlen(text));
}

/* Two objects: one calls for a word that the other defines. */
static const char main_source[] = "        .globl _start\n"
                                  "_start: addtpc %tpcrel_hi(word), ->a0\n"
                                  "        addi a0, %tpcrel_lo(word), ->a0\n"
                                  "        lwi [a0, 0], ->a1\n"
                                  "        addi a1, 1, ->a2\n"
                                  "        BSTART.STD RET\n"
                                  "        BSTOP\n";
static const char data_source[] = "        .data\n"
                                  "        .globl word\n"
                                  "word:   .4byte 41\n";

static struct pto_object *build(struct pto *p)
{
    struct pto_object *code = assemble(p, "main.pto", main_source);
    struct pto_object *data = code ? assemble(p, "data.pto", data_source) : NULL;
    struct pto_object *program =
        data ? pto_link(p, (const struct pto_object *[]){code, data}, 2, NULL) : NULL;
    pto_object_destroy(code);
    pto_object_destroy(data);
    return program;
}

static void text_becomes_a_result(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    struct pto_object *program = build(p);
    assert_non_null(program);
    struct pto_sim *s = pto_sim_create(p, program, NULL);
    assert_non_null(s);
    assert_int_equal(pto_sim_run(s), PTO_ENDED);
    uint64_t value = 0, address = 0;
    uint32_t word = 0;
    for (int pe = 0; pe < 4; pe++) {
        char name[] = "pe0.a2";
        name[2] = (char)('0' + pe);
        assert_true(pto_sim_get_register(s, name, &value));
        assert_int_equal(value, 42);
    }
    assert_true(pto_sim_get_register(s, "a0", &address));
    assert_true(pto_sim_read_memory(s, address, &word, sizeof word));
    assert_int_equal(word, 41);
    assert_false(pto_sim_get_register(s, "q7", &value));
    assert_non_null(strstr(pto_sim_state(s), "{"));
    assert_int_equal(all.errors, 0);
    pto_sim_destroy(s);
    pto_object_destroy(program);
    pto_destroy(p);
}

static void state_set_before_the_run_is_used(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    struct pto_object *o = assemble(p, "a.pto",
                                    "        .globl _start\n"
                                    "_start: add a0, a1, ->a2\n"
                                    "        BSTART.STD RET\n"
                                    "        BSTOP\n");
    assert_non_null(o);
    struct pto_object *program = pto_link(p, (const struct pto_object *[]){o}, 1, "_start");
    assert_non_null(program);
    struct pto_sim *s = pto_sim_create(p, program, &(struct pto_sim_options){.pes = 1});
    uint64_t value = 0;
    assert_true(pto_sim_set_register(s, "a0", 40));
    assert_true(pto_sim_set_register(s, "pe0.a1", 2));
    assert_false(pto_sim_set_register(s, "q7", 0));
    assert_int_equal(pto_sim_run(s), PTO_ENDED);
    assert_true(pto_sim_get_register(s, "a2", &value));
    assert_int_equal(value, 42);
    pto_sim_destroy(s);
    pto_object_destroy(program);
    pto_object_destroy(o);
    pto_destroy(p);
}

static void elf_image_reads_back(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    struct pto_object *program = build(p);
    size_t size = 0, again_size = 0;
    const void *elf = pto_object_elf(program, &size);
    char *copy = malloc(size);
    memcpy(copy, elf, size);
    struct pto_object *again = pto_read(p, "copy", copy, size);
    assert_non_null(again);
    memset(copy, 0, size); /* the image is not needed any more */
    free(copy);
    const void *again_elf = pto_object_elf(again, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(again_elf, elf, size);
    struct pto_sim *s = pto_sim_create(p, again, NULL);
    assert_int_equal(pto_sim_run(s), PTO_ENDED);
    pto_sim_destroy(s);
    assert_null(pto_read(p, "text", "not an ELF file", 15));
    assert_true(all.errors > 0);
    pto_object_destroy(again);
    pto_object_destroy(program);
    pto_destroy(p);
}

static void errors_arrive_with_their_place(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    assert_null(assemble(p, "bad.pto", "  addi zero, 4095, ->a0\n  addi zero, 4096, ->a0\n"));
    assert_int_equal(all.errors, 1);
    assert_non_null(strstr(all.text, "bad.pto:2:14 "));
    all = (struct messages){0};
    struct pto_object *o = assemble(p, "main.pto", main_source);
    assert_null(pto_link(p, (const struct pto_object *[]){o}, 1, NULL));
    assert_non_null(strstr(all.text, "word"));
    assert_null(pto_link(p, (const struct pto_object *[]){o, NULL}, 2, NULL));
    assert_null(pto_sim_create(p, NULL, NULL));
    pto_object_destroy(o);
    pto_destroy(p);
}

static void fault_is_reported(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    struct pto_object *o = assemble(p, "a.pto", "lwi [a0, 0], ->a1\n");
    struct pto_object *program = pto_link(p, (const struct pto_object *[]){o}, 1, NULL);
    struct pto_sim *s = pto_sim_create(p, program, NULL);
    assert_non_null(s);
    assert_true(pto_sim_set_register(s, "a0", 2));
    assert_int_equal(pto_sim_run(s), PTO_FAULT);
    assert_non_null(strstr(pto_sim_report(s), "DataAlign"));
    pto_sim_destroy(s);
    pto_object_destroy(program);
    pto_object_destroy(o);
    pto_destroy(p);
}

/* The word of the seed for BSTART.GMOV U8, and what B.IOT with SizeCode 15 is (issue A01). */
static void words_are_decoded(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    static const unsigned char gmov[] = {0x81, 0x11, 0xd1, 0xd8};
    static const unsigned char reserved[] = {0x13, 0xe8, 0x0f, 0x00};
    char text[200];
    size_t length = 0;
    assert_int_equal(pto_decode(p, PTO_SET_PTO, gmov, 4, &length, text, sizeof text), PTO_DECODED);
    assert_int_equal(length, 4);
    assert_string_equal(text, "BSTART.GMOV U8");
    assert_int_equal(pto_decode(p, PTO_SET_PTO, gmov, 4, &length, text, 7), PTO_DECODED);
    assert_string_equal(text, "BSTART");
    assert_int_equal(pto_decode(p, PTO_SET_PTO, reserved, 4, &length, text, sizeof text), PTO_RAW);
    assert_int_equal(length, 4);
    assert_non_null(strstr(text, "SizeCode"));
    assert_int_equal(pto_decode(p, PTO_SET_PTO, gmov, 3, &length, text, sizeof text),
                     PTO_TRUNCATED);
    assert_int_equal(pto_decode(p, PTO_SET_PTO, gmov, 0, &length, text, sizeof text),
                     PTO_TRUNCATED);
    assert_int_equal(pto_decode(p, PTO_SET_SEQ, gmov, 4, &length, text, sizeof text),
                     PTO_TRUNCATED);
    pto_destroy(p);
}

static void raw_text_assembles_to_the_same_bytes(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    static const unsigned char reserved[] = {0x13, 0xe8, 0x0f, 0x00};
    char text[200];
    size_t length, size;
    pto_decode(p, PTO_SET_PTO, reserved, 4, &length, text, sizeof text);
    struct pto_object *o = assemble(p, "raw.pto", text);
    assert_non_null(o);
    const unsigned char *elf = pto_object_elf(o, &size);
    assert_non_null(memmem(elf, size, reserved, sizeof reserved));
    pto_object_destroy(o);
    pto_destroy(p);
}

static void unknown_revisions_are_refused(void **state)
{
    (void)state;
    struct messages all = {0};
    struct pto_options options = {.message = collect, .message_ctx = &all, .march = "pto0.58.9"};
    assert_null(pto_create(&options));
    assert_non_null(strstr(all.text, "unknown revision 'pto0.58.9'"));
    options.march = "cayman"; /* a generation is no revision */
    assert_null(pto_create(&options));
    options.march = "pto0.58.2";
    options.mseq = "mariana";
    struct pto *p = pto_create(&options);
    assert_non_null(p);
    pto_destroy(p);
}

static void contexts_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct messages one, two;
    struct pto *p = create(&one), *q = create(&two);
    struct pto_object *a = build(p), *b = build(q);
    struct pto_sim *s = pto_sim_create(p, a, NULL), *t = pto_sim_create(q, b, NULL);
    assert_int_equal(pto_sim_run(s), PTO_ENDED);
    assert_null(assemble(q, "bad", "nonsense\n"));
    uint64_t value;
    assert_true(pto_sim_get_register(s, "a2", &value));
    assert_int_equal(value, 42);
    assert_true(pto_sim_get_register(t, "a2", &value));
    assert_int_equal(value, 0);
    assert_int_equal(one.errors, 0);
    assert_int_equal(two.errors, 1);
    pto_sim_destroy(s);
    pto_sim_destroy(t);
    pto_object_destroy(a);
    pto_object_destroy(b);
    pto_destroy(p);
    pto_destroy(q);
}

static void sections_and_symbols_are_found_by_name(void **state)
{
    (void)state;
    struct messages all;
    struct pto *p = create(&all);
    struct pto_object *o = assemble(p, "a.pto",
                                    "        .data\n"
                                    "        .byte 1\n"
                                    "here:   .byte 2, 3\n"
                                    "        .globl far\n"
                                    "        .8byte far\n"
                                    "        .set five, 5\n"
                                    "        .bss\n"
                                    "        .space 4\n");
    uint64_t value = 9;
    size_t size = 0;
    const unsigned char *data = pto_object_section(o, ".data", &value, &size);
    assert_non_null(data);
    assert_int_equal(size, 11);
    assert_memory_equal(data, "\1\2\3", 3);
    assert_int_equal(value, 0);
    assert_true(pto_object_symbol(o, "here", &value));
    assert_int_equal(value, 1);
    assert_true(pto_object_symbol(o, "five", &value));
    assert_int_equal(value, 5);
    assert_false(pto_object_symbol(o, "far", &value)); /* used, not defined */
    assert_false(pto_object_symbol(o, "fiv", &value));
    assert_null(pto_object_section(o, ".bss", &value, &size)); /* no contents */
    assert_null(pto_object_section(o, ".dat", &value, &size));
    pto_object_destroy(o);
    struct pto_object *program = build(p);
    uint64_t address;
    assert_non_null(pto_object_section(program, ".data", &address, &size));
    assert_int_equal(size, 4);
    assert_true(pto_object_symbol(program, "word", &value));
    assert_int_equal(value, address);
    pto_object_destroy(program);
    pto_destroy(p);
}

static void options_of_the_assembler_hold(void **state)
{
    (void)state;
    struct messages all = {0};
    struct pto_options options = {
        .message = collect,
        .message_ctx = &all,
        .defines = (const char *const[]){"one=1", "two=one+1", NULL},
        .include_dirs = (const char *const[]){"/nonexistent", NULL},
        .target = "a4",
    };
    assert_null(pto_create(&options));
    assert_non_null(strstr(all.text, "unknown target 'a4' (a3 or a5)"));
    options.target = "a3";
    options.debug = true;
    struct pto *p = pto_create(&options);
    struct pto_object *o = assemble(p, "a.pto", ".data\n.byte two\n.text\naddi zero, 1, ->a0\n");
    uint64_t address;
    size_t size;
    const unsigned char *data = pto_object_section(o, ".data", &address, &size);
    assert_int_equal(data[0], 2);
    assert_non_null(pto_object_section(o, ".debug_line", &address, &size));
    pto_object_destroy(o);
    assert_null(assemble(p, "b.pto", ".include \"absent.inc\"\n"));
    assert_non_null(strstr(all.text, "cannot read 'absent.inc'"));
    pto_destroy(p);
}

/* ---- memory that ends ---- */

struct heap {
    unsigned long requests, fail_at;
    long live;
};

static void *limited_resize(void *ctx, void *block, size_t size)
{
    struct heap *h = ctx;
    if (size == 0) {
        h->live -= block != NULL;
        free(block);
        return NULL;
    }
    if (++h->requests >= h->fail_at)
        return NULL;
    void *p = realloc(block, size);
    h->live += p && !block;
    return p;
}

/* False when memory ran out on the way. */
static bool run_all(struct heap *h, struct messages *all)
{
    struct pto *p = pto_create(&(struct pto_options){
        .message = collect, .message_ctx = all, .resize = limited_resize, .resize_ctx = h});
    struct pto_object *program = p ? build(p) : NULL;
    struct pto_sim *s = program ? pto_sim_create(p, program, NULL) : NULL;
    bool good = s && pto_sim_run(s) == PTO_ENDED && pto_sim_state(s) != NULL;
    pto_sim_destroy(s);
    pto_object_destroy(program);
    pto_destroy(p);
    return good;
}

static void exhaustion_anywhere_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    unsigned long n = 1;
    for (;; n++) {
        struct heap h = {.fail_at = n};
        struct messages all = {0};
        bool good = run_all(&h, &all);
        if (h.live != 0)
            fail_msg("%ld blocks left when request %lu failed", h.live, n);
        if (good)
            break;
        if (n > 3) /* the first requests make the context that could report */
            assert_non_null(strstr(all.text, "[out-of-memory]"));
    }
    assert_in_range(n, 10, 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_becomes_a_result),
        cmocka_unit_test(state_set_before_the_run_is_used),
        cmocka_unit_test(elf_image_reads_back),
        cmocka_unit_test(errors_arrive_with_their_place),
        cmocka_unit_test(fault_is_reported),
        cmocka_unit_test(words_are_decoded),
        cmocka_unit_test(raw_text_assembles_to_the_same_bytes),
        cmocka_unit_test(unknown_revisions_are_refused),
        cmocka_unit_test(sections_and_symbols_are_found_by_name),
        cmocka_unit_test(options_of_the_assembler_hold),
        cmocka_unit_test(contexts_do_not_disturb_each_other),
        cmocka_unit_test(exhaustion_anywhere_is_an_error_and_leaks_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
