/* SPDX-License-Identifier: BSD-3-Clause */
/* Every member of an object survives writing and reading; equal objects are equal bytes. */
#include "tests/objfile/build.h"

#include <elf.h>
#include <string.h>

static const uint8_t code[16] = {0x15, 0, 0, 0, 0x15, 0, 0, 0, 1, 0, 0, 0};

static struct object *sample(struct job *j)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    int text = build_text(o, code, sizeof code);
    int data = build_section(o, ".data", OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, 16, "abcdefgh", 8);
    int bss = build_section(o, ".bss", OBJ_NOBITS, OBJ_ALLOC | OBJ_WRITE, 64, NULL, 4096);
    int strings = build_section(o, ".rodata.str", OBJ_PROGBITS,
                                OBJ_ALLOC | OBJ_MERGE | OBJ_STRINGS | OBJ_GNU_RETAIN, 1, "x", 2);

    o->sections.item[strings].entsize = 1;
    uint32_t main = build_symbol(o, "main", OBJ_GLOBAL, text, 4);
    o->symbols.item[main].type = OBJ_FUNC;
    o->symbols.item[main].size = 12;
    build_symbol(o, "a.pto", OBJ_LOCAL, OBJ_ABS, 0);
    o->symbols.item[1].type = OBJ_FILE;
    build_symbol(o, "$x", OBJ_LOCAL, text, 0);
    build_symbol(o, ".data", OBJ_LOCAL, data, 0);
    o->symbols.item[3].type = OBJ_SECTION_SYMBOL;
    uint32_t puts = build_symbol(o, "puts", OBJ_GLOBAL, OBJ_UNDEF, 0);
    build_symbol(o, "weak", OBJ_WEAK, bss, 8);
    o->symbols.item[5].visibility = OBJ_HIDDEN;
    build_symbol(o, "common", OBJ_GLOBAL, OBJ_COMMON, 32);
    o->symbols.item[6].size = 100;
    build_symbol(o, "limit", OBJ_GLOBAL, OBJ_ABS, UINT64_MAX);
    build_reloc(o, text, 4, 4 /* B17 */, puts, -6);
    build_reloc(o, data, 0, 10 /* 64 */, 3, INT64_MIN);

    *vec_push(o->mem, &o->line_files) = "dir/a.pto";
    *vec_push(o->mem, &o->line_files) = "b.inc";
    *vec_push(o->mem, &o->lines) = (struct obj_line){.section = text, .address = 0, .line = 1};
    *vec_push(o->mem, &o->lines) =
        (struct obj_line){.section = text, .address = 4, .file = 1, .line = 70000, .col = 129};
    *vec_push(o->mem, &o->lines) =
        (struct obj_line){.section = text, .address = 8, .file = 0, .line = 2, .col = 1};
    *vec_push(o->mem, &o->lines) = (struct obj_line){.section = text, .address = 16, .end = true};
    *vec_push(o->mem, &o->tiles) = (struct obj_tile){.name = "mat",
                                                     .type = "!pto.tile<mat, 16x32xf16>",
                                                     .hand = 2,
                                                     .ordinal = 3,
                                                     .input = true,
                                                     .dtype = 4,
                                                     .blayout = OBJ_COL_MAJOR,
                                                     .slayout = OBJ_NONE_BOX,
                                                     .compact = 2,
                                                     .fractal = 512,
                                                     .rows = 16,
                                                     .cols = 32,
                                                     .v_rows = 15,
                                                     .v_cols = UINT32_MAX,
                                                     .capacity = 1024};
    *vec_push(o->mem, &o->tiles) = (struct obj_tile){.name = "left", .type = "", .hand = 1};
    o->identity = (struct obj_identity){.has_pto = true,
                                        .pto = 1 << ISA_REV_0_58_3,
                                        .seq = 1 << ISA_GEN_CAYMAN,
                                        .extensions = "tmov-convert"};
    return o;
}

static void assert_same_section(const struct obj_section *a, const struct obj_section *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->align, b->align);
    assert_int_equal(a->entsize, b->entsize);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->data == NULL, b->data == NULL);
    if (a->data)
        assert_memory_equal(a->data, b->data, a->size);
    assert_int_equal(a->relocs.count, b->relocs.count);
}

static void assert_same_symbol(const struct obj_symbol *a, const struct obj_symbol *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->value, b->value);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->section, b->section);
    assert_int_equal(a->bind, b->bind);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->visibility, b->visibility);
}

static void members_survive(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    struct object *a = sample(&j);
    struct buffer elf = build_elf(&j, sample(&j), true);
    struct object *b = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);

    assert_string_equal(job_messages(&j), "");
    assert_non_null(b);
    assert_int_equal(b->kind, OBJ_RELOCATABLE);
    assert_string_equal(b->name, "a.o");
    for (size_t i = 0; i < a->sections.count; i++)
        assert_same_section(&a->sections.item[i], &b->sections.item[i]);
    for (size_t i = a->sections.count; i < b->sections.count; i++)
        assert_true(b->sections.item[i].generated);
    for (size_t i = 0; i < a->symbols.count; i++)
        if (a->symbols.item[i].type != OBJ_SECTION_SYMBOL)
            assert_same_symbol(&a->symbols.item[i], find_symbol(b, a->symbols.item[i].name));

    const struct obj_reloc *r = b->sections.item[0].relocs.item;
    assert_int_equal(r->offset, 4);
    assert_int_equal(r->type, 4);
    assert_int_equal(r->addend, -6);
    assert_string_equal(b->symbols.item[r->symbol].name, "puts");
    r = b->sections.item[1].relocs.item;
    assert_true(r->addend == INT64_MIN);
    assert_string_equal(b->symbols.item[r->symbol].name, ".data");

    assert_int_equal(b->lines.count, a->lines.count);
    for (size_t i = 0; i < a->lines.count; i++) {
        const struct obj_line *x = &a->lines.item[i], *y = &b->lines.item[i];

        assert_int_equal(x->section, y->section);
        assert_int_equal(x->address, y->address);
        assert_int_equal(x->end, y->end);
        if (!x->end) {
            assert_int_equal(x->file, y->file);
            assert_int_equal(x->line, y->line);
            assert_int_equal(x->col, y->col);
        }
    }
    assert_string_equal(b->line_files.item[0], "dir/a.pto");
    assert_string_equal(b->line_files.item[1], "b.inc");

    assert_int_equal(b->tiles.count, 2);
    const struct obj_tile *t = b->tiles.item;
    assert_string_equal(t->name, "mat");
    assert_string_equal(t->type, "!pto.tile<mat, 16x32xf16>");
    assert_true(t->hand == 2 && t->ordinal == 3 && t->input && t->dtype == 4 &&
                t->blayout == OBJ_COL_MAJOR && t->slayout == OBJ_NONE_BOX && t->compact == 2 &&
                t->fractal == 512 && t->rows == 16 && t->cols == 32 && t->v_rows == 15 &&
                t->v_cols == UINT32_MAX && t->capacity == 1024);
    assert_string_equal(t[1].name, "left");
    assert_string_equal(t[1].type, "");
    assert_false(t[1].input);

    assert_true(b->identity.has_pto);
    assert_int_equal(b->identity.pto, 1 << ISA_REV_0_58_3);
    assert_int_equal(b->identity.seq, 1 << ISA_GEN_CAYMAN);
    assert_string_equal(b->identity.extensions, "tmov-convert");
    assert_string_equal(b->identity.release, "0.58.3");
    obj_destroy(a);
    obj_destroy(b);
    buffer_free(&elf);
    job_end(&j);
}

static void equal_objects_are_equal_bytes(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    struct buffer a = build_elf(&j, sample(&j), true), b = build_elf(&j, sample(&j), true);

    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    /* What was read and written again is the same file, too. */
    struct object *o = obj_read_elf(&j.mem, j.diag, "a.o", a.data, a.size);
    struct buffer again = build_elf(&j, o, true);
    assert_int_equal(a.size, again.size);
    assert_memory_equal(a.data, again.data, a.size);
    buffer_free(&a);
    buffer_free(&b);
    buffer_free(&again);
    job_end(&j);
}

static void header_is_the_ecosystems(void **state)
{
    struct job j;
    Elf64_Ehdr h;
    (void)state;
    job_begin(&j);
    struct buffer elf = build_elf(&j, sample(&j), false);

    memcpy(&h, elf.data, sizeof h);
    assert_memory_equal(h.e_ident, "\177ELF\2\1\1\0", 8); /* 64 bits, little-endian */
    assert_int_equal(h.e_type, ET_REL);
    assert_int_equal(h.e_machine, 0xE9);
    assert_int_equal(h.e_flags, 0);
    buffer_free(&elf);
    job_end(&j);
}

static void locals_stand_before_globals(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    struct buffer elf = build_elf(&j, sample(&j), false);
    const Elf64_Ehdr *h = (const void *)elf.data;
    const Elf64_Shdr *s = (const void *)(elf.data + h->e_shoff);

    while (s->sh_type != SHT_SYMTAB)
        s++;
    const Elf64_Sym *symbols = (const void *)(elf.data + s->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *symbols; i++)
        assert_int_equal(ELF64_ST_BIND(symbols[i].st_info) == STB_LOCAL, i < s->sh_info);
    buffer_free(&elf);
    job_end(&j);
}

static void executable_survives(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    struct object *o = obj_create(&j.mem, OBJ_EXECUTABLE);
    int text = build_text(o, code, sizeof code);
    int bss = build_section(o, ".bss", OBJ_NOBITS, OBJ_ALLOC | OBJ_WRITE, 8, NULL, 64);

    o->entry = 0x10004;
    o->sections.item[text].address = 0x10000;
    o->sections.item[bss].address = UINT64_C(0x123456789000);
    /* 64 GiB of memory cost nothing (user-needs A21). */
    o->sections.item[bss].size = UINT64_C(64) << 30;
    *vec_push(o->mem, &o->segments) = (struct obj_segment){.address = 0x10000,
                                                           .file_size = sizeof code,
                                                           .memory_size = sizeof code,
                                                           .align = 4096,
                                                           .data = code,
                                                           .flags = OBJ_EXEC};
    *vec_push(o->mem, &o->segments) =
        (struct obj_segment){.address = UINT64_C(0x123456789000),
                             .memory_size = o->sections.item[bss].size,
                             .align = 4096,
                             .flags = OBJ_WRITE};
    build_symbol(o, "_start", OBJ_GLOBAL, text, 0x10004);
    build_reloc(o, text, 8, 4, 0, 0); /* as -q leaves it */
    struct buffer elf = build_elf(&j, o, false);
    assert_true(elf.size < 16384);

    o = obj_read_elf(&j.mem, j.diag, "a", elf.data, elf.size);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(o->kind, OBJ_EXECUTABLE);
    assert_int_equal(o->entry, 0x10004);
    assert_int_equal(o->segments.count, 2);
    assert_memory_equal(o->segments.item[0].data, code, sizeof code);
    assert_int_equal(o->segments.item[0].flags, OBJ_EXEC);
    assert_true(o->segments.item[1].memory_size == UINT64_C(64) << 30);
    assert_int_equal(o->segments.item[1].file_size, 0);
    assert_int_equal(find_symbol(o, "_start")->value, 0x10004);
    assert_int_equal(o->sections.item[0].relocs.item[0].offset, 8);
    obj_destroy(o);
    buffer_free(&elf);
    job_end(&j);
}

/* ELF numbers sections in 16 bits; beyond, the null section and .symtab_shndx hold the numbers. */
static void seventy_thousand_sections(void **state)
{
    enum { COUNT = 70000 };
    struct job j;
    (void)state;
    job_begin(&j);
    struct object *o = obj_create(&j.mem, OBJ_RELOCATABLE);

    for (int i = 0; i < COUNT; i++)
        build_text(o, code, 4);
    build_symbol(o, "first", OBJ_GLOBAL, 0, 0);
    build_symbol(o, "last", OBJ_GLOBAL, COUNT - 1, 2);
    build_symbol(o, "absolute", OBJ_GLOBAL, OBJ_ABS, 7);
    struct buffer elf = build_elf(&j, o, false);
    o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(find_symbol(o, "first")->section, 0);
    assert_int_equal(find_symbol(o, "last")->section, COUNT - 1);
    assert_int_equal(find_symbol(o, "absolute")->section, OBJ_ABS);
    obj_destroy(o);
    buffer_free(&elf);
    job_end(&j);
}

/* Code without any note counts as PTO code of an unknown release; other objects link with any. */
static void code_without_notes_is_marked(void **state)
{
    static const struct {
        const char *section;
        bool has_pto;
    } rows[] = {{".text", true}, {".seq", false}, {".seq.act", false}, {".data", false}};
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct object *o = obj_create(&j.mem, OBJ_RELOCATABLE);
        bool exec = rows[i].section[1] != 'd';

        build_section(o, rows[i].section, OBJ_PROGBITS, OBJ_ALLOC | (exec ? OBJ_EXEC : OBJ_WRITE),
                      4, code, sizeof code);
        struct buffer elf = build_elf(&j, o, false);
        Elf64_Ehdr *h = (void *)elf.data;
        Elf64_Shdr *s = (void *)(elf.data + h->e_shoff);
        while (s->sh_type != SHT_NOTE)
            s++;
        o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
        assert_false(o->identity.has_pto); /* our note says: no PTO instructions */
        obj_destroy(o);
        s->sh_type = SHT_NULL; /* and now there is no note */
        o = obj_read_elf(&j.mem, j.diag, "a.o", elf.data, elf.size);
        assert_int_equal(o->identity.has_pto, rows[i].has_pto);
        obj_destroy(o);
        buffer_free(&elf);
    }
    assert_string_equal(job_messages(&j), "");
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_survive),
        cmocka_unit_test(equal_objects_are_equal_bytes),
        cmocka_unit_test(header_is_the_ecosystems),
        cmocka_unit_test(locals_stand_before_globals),
        cmocka_unit_test(executable_survives),
        cmocka_unit_test(seventy_thousand_sections),
        cmocka_unit_test(code_without_notes_is_marked),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
