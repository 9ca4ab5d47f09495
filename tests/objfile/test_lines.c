/* SPDX-License-Identifier: BSD-3-Clause */
/* Line tables: written and read again, those of other tools (DWARF 3 and 5), and damaged ones. */
#include "tests/objfile/build.h"

#include <string.h>

static void row(struct object *o, int section, uint64_t address, uint32_t line, uint32_t col)
{
    *vec_push(o->mem, &o->lines) =
        (struct obj_line){.section = section, .address = address, .line = line, .col = col};
}

static void end(struct object *o, int section, uint64_t address)
{
    *vec_push(o->mem, &o->lines) =
        (struct obj_line){.section = section, .address = address, .end = true};
}

static void assert_row(const struct object *o, size_t index, int section, uint64_t address,
                       uint32_t line, bool is_end)
{
    const struct obj_line *l = &o->lines.item[index];

    assert_true(index < o->lines.count);
    assert_int_equal(l->section, section);
    assert_int_equal(l->address, address);
    assert_int_equal(l->end, is_end);
    if (!is_end)
        assert_int_equal(l->line, line);
}

static struct object *reread(struct job *j, struct object *o, struct buffer *elf)
{
    *elf = build_elf(j, o, true);
    return obj_read_elf(&j->mem, j->diag, "a.o", elf->data, elf->size);
}

/* Deltas on both sides of what one special opcode holds (-5..8 lines), and far ones. */
static void every_delta_survives(void **state)
{
    static const struct {
        uint64_t address;
        uint32_t line;
    } rows[] = {{0, 100},    {2, 95},     {4, 89},         {6, 97},  {8, 106},
                {10, 106},   {26, 106},   {42, 107},       {300, 1}, {302, 4000000000},
                {70000, 12}, {70000, 13}, {0x40000000, 14}};
    enum { COUNT = sizeof rows / sizeof *rows };
    struct job j;
    struct buffer elf;
    (void)state;
    job_begin(&j);
    struct object *o = obj_create(&j.mem, OBJ_RELOCATABLE);
    int bss = build_section(o, ".text", OBJ_NOBITS, OBJ_ALLOC | OBJ_EXEC, 2, NULL, 0x40000002);
    *vec_push(o->mem, &o->line_files) = "a.pto";
    for (int i = 0; i < COUNT; i++)
        row(o, bss, rows[i].address, rows[i].line, (uint32_t)i % 3);
    end(o, bss, 0x40000002);
    o = reread(&j, o, &elf);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(o->lines.count, COUNT + 1);
    for (size_t i = 0; i < COUNT; i++) {
        assert_row(o, i, 0, rows[i].address, rows[i].line, false);
        assert_int_equal(o->lines.item[i].col, i % 3);
    }
    assert_row(o, COUNT, 0, 0x40000002, 0, true);
    obj_destroy(o);
    buffer_free(&elf);
    job_end(&j);
}

/* The assembler may alternate between sections, go back, and leave the end open. */
static void rows_are_grouped_and_ended(void **state)
{
    struct job j;
    struct buffer elf;
    (void)state;
    job_begin(&j);
    struct object *o = obj_create(&j.mem, OBJ_RELOCATABLE);
    build_words(o, ".text", 16);
    build_words(o, ".text.b", 8);
    *vec_push(o->mem, &o->line_files) = "a.pto";
    row(o, 1, 0, 10, 1);
    row(o, 0, 8, 1, 1);
    row(o, 1, 4, 11, 1);
    row(o, 0, 12, 2, 1);
    row(o, 0, 0, 3, 1); /* goes back */
    end(o, 0, 4);
    o = reread(&j, o, &elf);
    assert_int_equal(o->lines.count, 8);
    assert_row(o, 0, 0, 8, 1, false);
    assert_row(o, 1, 0, 12, 2, false);
    assert_row(o, 2, 0, 12, 0, true);
    assert_row(o, 3, 0, 0, 3, false);
    assert_row(o, 4, 0, 4, 0, true);
    assert_row(o, 5, 1, 0, 10, false);
    assert_row(o, 6, 1, 4, 11, false);
    assert_row(o, 7, 1, 8, 0, true); /* the end of its section */
    obj_destroy(o);
    buffer_free(&elf);
    job_end(&j);
}

static void lookup_is_exact_at_borders(void **state)
{
    static const struct {
        uint64_t address;
        uint32_t line; /* 0: none */
    } rows[] = {{0, 0},      {0xfff, 0},  {0x1000, 1}, {0x1003, 1},    {0x1004, 3},
                {0x1007, 3}, {0x1008, 4}, {0x100b, 4}, {0x100c, 0},    {0x1fff, 0},
                {0x2000, 9}, {0x2001, 9}, {0x2002, 0}, {UINT64_MAX, 0}};
    struct job j;
    (void)state;
    job_begin(&j);
    struct object *o = obj_create(&j.mem, OBJ_EXECUTABLE);
    assert_null(obj_line_at(o, 0));
    row(o, 0, 0x2000, 9, 0);
    end(o, 0, 0x2002);
    row(o, 0, 0x1000, 1, 0);
    row(o, 0, 0x1004, 2, 0);
    row(o, 0, 0x1004, 3, 0); /* the last one at an address counts */
    end(o, 0, 0x1008);
    row(o, 0, 0x1008, 4, 0); /* a sequence that touches the one before */
    end(o, 0, 0x100c);
    obj_sort_lines(o);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct obj_line *l = obj_line_at(o, rows[i].address);

        assert_int_equal(l ? l->line : 0, rows[i].line);
    }
    obj_destroy(o);
    job_end(&j);
}

/* ---- tables of another assembler (GNU as), two sections, lines 3..6 and 8 or so ---- */

static const uint8_t dwarf3[] = {
    0x48, 0x00, 0x00, 0x00, 0x03, 0x00, 0x1e, 0x00, 0x00, 0x00, 0x01, 0x01, 0xfb, 0x0e, 0x0d, 0x00,
    0x01, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x6c, 0x69, 0x6e, 0x65,
    0x73, 0x2e, 0x73, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x15, 0x21, 0x21, 0x02, 0x01, 0x00, 0x01, 0x01, 0x00, 0x09, 0x02, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1a, 0x02, 0x01, 0x00, 0x01, 0x01};
enum { DWARF3_ADDRESS = 0x2b, DWARF3_ADDRESS_2 = 0x3e };

static const uint8_t dwarf5[] = {
    0x56, 0x00, 0x00, 0x00, 0x05, 0x00, 0x08, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x01, 0x01, 0x01,
    0xfb, 0x0e, 0x0d, 0x00, 0x01, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x01,
    0x01, 0x01, 0x1f, 0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x01, 0x1f, 0x02, 0x0f, 0x02, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x02, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x15, 0x21, 0x21, 0x02, 0x01, 0x00, 0x01, 0x01, 0x00, 0x09,
    0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x1a, 0x02, 0x01, 0x00, 0x01, 0x01};
enum { DWARF5_DIR = 0x22, DWARF5_NAME = 0x2c, DWARF5_NAME_2 = 0x31 };
enum { DWARF5_ADDRESS = 0x39, DWARF5_ADDRESS_2 = 0x4c };
static const char dwarf5_strings[] = "src\0lines.s";

static int debug_section(struct object *o, const char *name, const void *data, size_t size)
{
    return build_section(o, name, OBJ_PROGBITS, 0, 1, data, size);
}

static struct object *with_code(struct job *j, uint32_t symbols[2])
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);

    build_words(o, ".text", 3);
    build_words(o, ".text.g", 1);
    for (int i = 0; i < 2; i++) {
        symbols[i] = build_symbol(o, "", OBJ_LOCAL, i, 0);
        o->symbols.item[symbols[i]].type = OBJ_SECTION_SYMBOL;
    }
    return o;
}

static void assert_foreign_rows(const struct object *o)
{
    assert_non_null(o);
    assert_int_equal(o->lines.count, 6);
    assert_row(o, 0, 0, 0, 4, false);
    assert_row(o, 1, 0, 1, 5, false);
    assert_row(o, 2, 0, 2, 6, false);
    assert_row(o, 3, 0, 3, 0, true);
    assert_row(o, 4, 1, 0, 9, false);
    assert_row(o, 5, 1, 1, 0, true);
    assert_int_equal(o->line_files.count, 1);
    assert_string_equal(o->line_files.item[o->lines.item[0].file], "lines.s");
}

static void reads_dwarf_3(void **state)
{
    struct job j;
    uint32_t symbols[2];
    (void)state;
    job_begin(&j);
    struct object *o = with_code(&j, symbols);
    int line = debug_section(o, ".debug_line", dwarf3, sizeof dwarf3);
    build_reloc(o, line, DWARF3_ADDRESS, 10, symbols[0], 0);
    build_reloc(o, line, DWARF3_ADDRESS_2, 10, symbols[1], 0);
    struct buffer elf = build_elf(&j, o, false);
    o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
    assert_string_equal(job_messages(&j), "");
    assert_foreign_rows(o);
    obj_destroy(o);
    buffer_free(&elf);
    job_end(&j);
}

static void reads_dwarf_5(void **state)
{
    struct job j;
    uint32_t symbols[2];
    (void)state;
    job_begin(&j);
    struct object *o = with_code(&j, symbols);
    int line = debug_section(o, ".debug_line", dwarf5, sizeof dwarf5);
    int strings = debug_section(o, ".debug_line_str", dwarf5_strings, sizeof dwarf5_strings);
    uint32_t text = build_symbol(o, "", OBJ_LOCAL, strings, 0);
    o->symbols.item[text].type = OBJ_SECTION_SYMBOL;
    build_reloc(o, line, DWARF5_ADDRESS_2, 10, symbols[1], 0); /* order does not matter */
    build_reloc(o, line, DWARF5_DIR, 11, text, 0);
    build_reloc(o, line, DWARF5_NAME, 11, text, 4);
    build_reloc(o, line, DWARF5_NAME_2, 11, text, 4);
    build_reloc(o, line, DWARF5_ADDRESS, 10, symbols[0], 0);
    struct buffer elf = build_elf(&j, o, false);
    o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
    assert_string_equal(job_messages(&j), "");
    assert_foreign_rows(o);
    obj_destroy(o);
    buffer_free(&elf);
    job_end(&j);
}

/* ---- damage costs the lines, not the object ---- */

static void damaged_tables_are_ignored(void **state)
{
    static const struct {
        size_t offset;
        uint8_t value;
        const char *why;
    } rows[] = {
        {0, 0x49, "a unit ends behind the section"},
        {4, 1, "a unit's header is malformed or its version is not known"},
        {4, 6, "a unit's header is malformed or its version is not known"},
        {9, 1, "a unit's header is malformed or its version is not known"},  /* header_length */
        {13, 0, "a unit's header is malformed or its version is not known"}, /* line_range */
        {14, 0, "a unit's header is malformed or its version is not known"}, /* opcode_base */
        {0x29, 0x7f, "a line program is malformed"},                         /* operation length */
        {0x33, 4, "a line program is malformed"}, /* set_file 33: no such file */
    };
    struct job j;
    char expected[200];
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t symbols[2];
        uint8_t damaged[sizeof dwarf3];
        struct object *o = with_code(&j, symbols);

        memcpy(damaged, dwarf3, sizeof damaged);
        damaged[rows[i].offset] = rows[i].value;
        int line = debug_section(o, ".debug_line", damaged, sizeof damaged);
        build_reloc(o, line, DWARF3_ADDRESS, 10, symbols[0], 0);
        build_reloc(o, line, DWARF3_ADDRESS_2, 10, symbols[1], 0);
        struct buffer elf = build_elf(&j, o, false);
        o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
        snprintf(expected, sizeof expected,
                 "a.o: warning: .debug_line ignored: %s [bad-line-table]\n", rows[i].why);
        assert_string_equal(job_messages(&j), expected);
        assert_non_null(o);
        assert_int_equal(o->lines.count, 0);
        obj_destroy(o);
        buffer_free(&elf);
        job_clear(&j);
    }
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_delta_survives),
        cmocka_unit_test(rows_are_grouped_and_ended),
        cmocka_unit_test(lookup_is_exact_at_borders),
        cmocka_unit_test(reads_dwarf_3),
        cmocka_unit_test(reads_dwarf_5),
        cmocka_unit_test(damaged_tables_are_ignored),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
