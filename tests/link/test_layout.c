/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections, addresses, segments, what the linker defines, and what the options leave out. */
#include "tests/link/linking.h"

#include <string.h>

#include "tests/support/failing_mem.h"

static int data_section(struct object *o, const char *name, const char *text)
{
    return build_section(o, name, OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, 1, text, strlen(text));
}

static int bss_section(struct object *o, const char *name, uint64_t align, uint64_t size)
{
    return build_section(o, name, OBJ_NOBITS, OBJ_ALLOC | OBJ_WRITE, align, NULL, size);
}

static struct object *object(struct job *j)
{
    return obj_create(&j->mem, OBJ_RELOCATABLE);
}

static void assert_section(const struct object *o, const char *name, uint64_t address,
                           uint64_t size)
{
    const struct obj_section *s = find_section(o, name);

    if (!s)
        fail_msg("no section %s", name);
    assert_int_equal(s->address, address);
    assert_int_equal(s->size, size);
}

/* ---- merging and addresses ---- */

static void families_share_a_section(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = object(&j);
    data_section(a, ".data.x", "xx");
    build_words(a, ".text.f", 6);
    build_section(a, ".rodata.str1.1", OBJ_PROGBITS, OBJ_ALLOC | OBJ_MERGE | OBJ_STRINGS, 1, "s",
                  2);
    build_words(a, ".text", 4);
    bss_section(a, ".bss.y", 16, 8);
    data_section(a, ".dataset", "d"); /* no member of the family */
    build_words(a, ".seq.act", 64);
    build_words(a, ".seq", 64);
    build_section(a, ".comment", OBJ_PROGBITS, 0, 1, "c1", 3);
    linking_add(&l, "a.o", a);
    struct object *b = object(&j);
    build_words(b, ".text", 4);
    build_section(b, ".comment", OBJ_PROGBITS, 0, 1, "c2", 3);
    linking_add(&l, "b.o", b);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    /* Code: .text.f 6, then .text aligned to 4, then b's; SEQ streams keep their own names. */
    assert_section(o, ".text", 0x10000, 16);
    assert_section(o, ".seq.act", 0x10010, 64);
    assert_section(o, ".seq", 0x10050, 64);
    assert_section(o, ".note.pto.ext", 0x11000, find_section(o, ".note.pto.ext")->size);
    assert_int_equal(find_section(o, ".rodata")->flags, OBJ_ALLOC);
    assert_section(o, ".data", 0x12000, 2);
    assert_section(o, ".dataset", 0x12002, 1);
    assert_section(o, ".bss", 0x12010, 8);
    const struct obj_section *comment = find_section(o, ".comment");
    assert_int_equal(comment->address, 0);
    assert_memory_equal(comment->data, "c1\0c2", 6);
    assert_int_equal(o->entry, 0x10000);
    assert_int_equal(o->segments.count, 3);
    assert_int_equal(o->segments.item[0].flags, OBJ_EXEC);
    assert_int_equal(o->segments.item[1].flags, 0);
    assert_int_equal(o->segments.item[2].flags, OBJ_WRITE);
    assert_int_equal(o->segments.item[2].file_size, 3);
    assert_int_equal(o->segments.item[2].memory_size, 0x18);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static struct object *text_data_bss(struct job *j)
{
    struct object *o = object(j);

    build_words(o, ".text", 8);
    data_section(o, ".data", "dddd");
    bss_section(o, ".bss", 8, 32);
    return o;
}

static void address_options(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", text_data_bss(&j));
    /* user-needs E05: zero is an address. */
    l.options.section_addresses =
        (const char *const[]){".text=0", ".data=0x80000000", ".bss=0b1111000", NULL};
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_section(o, ".text", 0, 8);
    assert_section(o, ".data", 0x80000000, 4);
    assert_section(o, ".bss", 120, 32);
    assert_int_equal(o->entry, 0);
    obj_destroy(o);

    /* What follows in the same kind of memory moves along. */
    l.options.section_addresses = (const char *const[]){".data=0x80000000", NULL};
    o = linking_run(&l);
    assert_section(o, ".bss", 0x80000008, 32);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void address_errors(void **state)
{
    static const struct {
        const char *option[3];
        const char *message;
    } rows[] = {
        {{".text=0x10002", NULL, NULL},
         "error: address 0x10002 of .text is not a multiple of its alignment 0x4 [bad-address]\n"},
        {{".text=0x10000", ".data=0x10007", NULL},
         "error: .text (0x10000-0x10008) and .data (0x10007-0x1000b) overlap [sections-overlap]\n"},
        {{".text=x", NULL, NULL}, "error: .text=x: expected SECTION=ADDRESS [usage]\n"},
        {{"=1", NULL, NULL}, "error: =1: expected SECTION=ADDRESS [usage]\n"},
        {{".bss=0xffffffffffffffe8", NULL, NULL},
         "error: .bss: 0x20 bytes aligned to 0x8 do not fit behind address 0xffffffffffffffe8 "
         "[no-room]\n"},
    };
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", text_data_bss(&j));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        l.options.section_addresses = rows[i].option;
        linking_fails(&l, rows[i].message);
    }
    /* The legal neighbours. */
    l.options.section_addresses = (const char *const[]){".text=0x10000", ".data=0x10008", NULL};
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    obj_destroy(o);
    l.options.section_addresses = (const char *const[]){".bss=0xffffffffffffffd8", NULL};
    o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    obj_destroy(o);
    l.options.section_addresses = (const char *const[]){".dat=1", NULL};
    o = linking_run(&l);
    assert_string_equal(job_messages(&j),
                        "warning: .dat=1: no input has this section [no-such-section]\n");
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* user-needs E04: absurd alignments end at once, and cost no file space. */
static void huge_alignments(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = text_data_bss(&j);
    a->sections.item[1].align = UINT64_C(1) << 40;
    linking_add(&l, "a.o", a);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_section(o, ".data", UINT64_C(1) << 40, 4);
    struct buffer elf = build_elf(&j, o, false);
    assert_true(elf.size < 32768);
    buffer_free(&elf);

    a = text_data_bss(&j);
    a->sections.item[1].align = UINT64_C(1) << 40;
    linking_add(&l, "b.o", a); /* 1 TiB between the two */
    linking_fails(&l, "error: .data: 0x10000000004 bytes of contents; at most 0x100000000 are "
                      "supported [no-room]\n");
    linking_end(&l);

    linking_begin(&l, &j);
    a = text_data_bss(&j);
    a->sections.item[2].align = UINT64_C(1) << 63;
    linking_add(&l, "a.o", a);
    a = text_data_bss(&j);
    a->sections.item[2].align = UINT64_C(1) << 63;
    linking_add(&l, "b.o", a);
    a = text_data_bss(&j);
    a->sections.item[2].align = UINT64_C(1) << 63;
    linking_add(&l, "c.o", a);
    linking_fails(&l, "error: c.o:(.bss+0x0): 0x20 bytes aligned to 0x8000000000000000 do not fit "
                      "behind 0x8000000000000020 bytes of .bss [no-room]\n");
    linking_end(&l);
    job_end(&j);
}

static void empty_sections_stay_for_their_symbols(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = text_data_bss(&j);
    build_section(a, ".empty", OBJ_PROGBITS, OBJ_ALLOC, 1, "", 0);
    int named = build_section(a, ".named", OBJ_PROGBITS, OBJ_ALLOC, 1, "", 0);
    build_symbol(a, "here", OBJ_GLOBAL, named, 0);
    linking_add(&l, "a.o", a);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_null(find_section(o, ".empty"));
    assert_int_equal(find_section(o, ".named")->address, find_symbol(o, "here")->value);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* Zero bytes between two inputs' code would read as C.BSTOP. */
static void padding_in_code_is_data(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = object(&j), *b = object(&j);
    build_symbol(a, "$x", OBJ_LOCAL, build_words(a, ".text", 2), 0);
    int text = build_words(b, ".text", 4);
    build_symbol(b, "f", OBJ_GLOBAL, text, 0);
    linking_add(&l, "a.o", a);
    linking_add(&l, "b.o", b);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(find_symbol(o, "f")->value, 0x10004);
    assert_int_equal(find_symbol(o, "$d")->value, 0x10002);
    const struct obj_symbol *code = find_symbol(o, "$d") + 1;
    assert_string_equal(code->name, "$x");
    assert_int_equal(code->value, 0x10004);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* ---- entry ---- */

static void entry_rules(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = object(&j);
    build_words(a, ".seq", 64);
    linking_add(&l, "s.o", a);
    struct object *o = linking_run(&l);
    assert_int_equal(o->entry, 0x10000); /* only SEQ code: its start */
    obj_destroy(o);

    a = object(&j);
    int text = build_words(a, ".text", 16);
    build_symbol(a, "other", OBJ_GLOBAL, text, 8);
    linking_add(&l, "t.o", a);
    o = linking_run(&l);
    assert_int_equal(o->entry, find_section(o, ".text")->address);
    obj_destroy(o);

    a = object(&j);
    text = build_words(a, ".text", 16);
    build_symbol(a, "_start", OBJ_GLOBAL, text, 4);
    linking_add(&l, "c.o", a);
    o = linking_run(&l);
    assert_int_equal(o->entry, find_symbol(o, "_start")->value);
    obj_destroy(o);

    l.options.entry = "other";
    o = linking_run(&l);
    assert_int_equal(o->entry, find_symbol(o, "other")->value);
    obj_destroy(o);
    l.options.entry = "0x12345";
    o = linking_run(&l);
    assert_int_equal(o->entry, 0x12345);
    obj_destroy(o);
    l.options.entry = "nowhere";
    linking_fails(&l, "error: entry symbol 'nowhere' of -e is not defined by any input "
                      "[no-entry]\n");
    linking_end(&l);
    job_end(&j);
}

/* ---- what the linker defines ---- */

static void linker_defined_symbols(void **state)
{
    static const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"__executable_start", 0x10000},
        {"_etext", 0x10008},
        {"etext", 0x10008},
        {"_edata", 0x13004},
        {"edata", 0x13004},
        {"__bss_start", 0x13008},
        {"__bss_end", 0x13028},
        {"_end", 0x13028},
        {"end", 0x13028},
        {"__start_table", 0x12000},
        {"__stop_table", 0x12005},
        {"__init_array_start", 0},
        {"__init_array_end", 0},
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    l.options.section_addresses = (const char *const[]){"table=0x12000", NULL};
    struct object *a = text_data_bss(&j);
    build_section(a, "table", OBJ_PROGBITS, OBJ_ALLOC, 1, "abcde", 5);
    int uses =
        build_section(a, ".uses", OBJ_PROGBITS, 0, 1, arena_alloc(a->arena, 8 * COUNT), 8 * COUNT);
    for (size_t i = 0; i < COUNT; i++)
        build_reloc(a, uses, 8 * i, 10, build_symbol(a, rows[i].name, OBJ_GLOBAL, OBJ_UNDEF, 0), 0);
    linking_add(&l, "a.o", a);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t value;

        memcpy(&value, find_section(o, ".uses")->data + 8 * i, 8);
        if (value != rows[i].value)
            fail_msg("%s: 0x%llx, expected 0x%llx", rows[i].name, (unsigned long long)value,
                     (unsigned long long)rows[i].value);
        assert_int_equal(find_symbol(o, rows[i].name)->value, rows[i].value);
    }
    obj_destroy(o);

    /* An object's own definition is left alone, and what nobody uses is not defined. */
    linking_end(&l);
    linking_begin(&l, &j);
    a = text_data_bss(&j);
    build_symbol(a, "end", OBJ_GLOBAL, 0, 4);
    linking_add(&l, "a.o", a);
    o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(find_symbol(o, "end")->value, 0x10004);
    for (size_t i = 0; i < o->symbols.count; i++)
        assert_string_not_equal(o->symbols.item[i].name, "_end");
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* ---- --gc-sections ---- */

static void gc_keeps_what_is_reached(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = object(&j);
    int start = build_words(a, ".text.start", 4);
    int used = build_words(a, ".text.used", 4);
    int dead = build_words(a, ".text.dead", 4);
    int kept = build_words(a, ".text.kept", 4);
    int table = build_section(a, "table", OBJ_PROGBITS, OBJ_ALLOC, 1, "t", 1);
    build_words(a, ".seq.pe", 64);
    a->sections.item[kept].flags |= OBJ_GNU_RETAIN;
    build_symbol(a, "_start", OBJ_GLOBAL, start, 0);
    uint32_t f = build_symbol(a, "used", OBJ_LOCAL, used, 0);
    build_symbol(a, "dead", OBJ_GLOBAL, dead, 0);
    uint32_t bound = build_symbol(a, "__start_table", OBJ_GLOBAL, OBJ_UNDEF, 0);
    uint32_t nowhere = build_symbol(a, "nowhere", OBJ_GLOBAL, OBJ_UNDEF, 0);
    build_reloc(a, start, 0, 4, f, 0);
    build_reloc(a, used, 0, 11, bound, 0);
    build_reloc(a, dead, 0, 11, nowhere, 0); /* nobody reaches it, so it is no error */
    linking_add(&l, "a.o", a);
    linking_fails(&l, "error: a.o:(.text.dead+0x0): undefined symbol 'nowhere' "
                      "[undefined-symbol]\n");
    l.options.gc_sections = l.options.print_gc_sections = true;
    l.options.map = &l.map;
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(find_section(o, ".text")->size, 12);
    assert_non_null(find_section(o, ".seq.pe"));
    assert_non_null(find_section(o, "table"));
    for (size_t i = 0; i < o->symbols.count; i++)
        assert_string_not_equal(o->symbols.item[i].name, "dead");
    buffer_extend(&l.messages, 1);
    assert_string_equal((char *)l.messages.data, "a.o:(.text.dead): section is not used\n");
    buffer_extend(&l.map, 1);
    assert_non_null(strstr((char *)l.map.data, "\nDiscarded sections\n\n"
                                               "  .text.dead                        4 a.o\n"));
    (void)table;
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* ---- -r, -q, -s, -S, -x ---- */

static struct object *with_local_call(struct job *j, const char *calls, uint32_t line)
{
    struct object *o = object(j);
    int text = build_words(o, ".text", 8);

    *vec_push(o->mem, &o->line_files) = "dir/a.pto";
    *vec_push(o->mem, &o->lines) = (struct obj_line){.section = text, .address = 0, .line = line};
    *vec_push(o->mem, &o->lines) = (struct obj_line){.section = text, .address = 8, .end = true};
    build_symbol(o, "$x", OBJ_LOCAL, text, 0);
    build_symbol(o, "local", OBJ_LOCAL, text, 4);
    uint32_t section = build_symbol(o, "", OBJ_LOCAL, text, 0);
    o->symbols.item[section].type = OBJ_SECTION_SYMBOL;
    build_reloc(o, text, 0, 4, section, 4);
    build_reloc(o, text, 4, 22, build_symbol(o, calls, OBJ_GLOBAL, OBJ_UNDEF, 0), 0);
    o->identity =
        (struct obj_identity){.has_pto = true, .pto = 1 << ISA_REV_0_58_3, .extensions = ""};
    return o;
}

/* Linking in two steps gives the same program as in one. */
static void relocatable_output_links_like_its_inputs(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    struct buffer images[2];
    for (int steps = 0; steps < 2; steps++) {
        linking_begin(&l, &j);
        struct object *a = with_local_call(&j, "f", 10), *b = with_local_call(&j, "g", 20);
        build_symbol(a, "g", OBJ_GLOBAL, 0, 4);
        build_symbol(b, "f", OBJ_WEAK, 0, 4);
        uint32_t c = build_symbol(b, "common", OBJ_GLOBAL, OBJ_COMMON, 8);
        b->symbols.item[c].size = 8;
        linking_add(&l, "a.o", a);
        linking_add(&l, "b.o", b);
        if (steps) {
            l.options.relocatable = true;
            struct object *r = linking_run(&l);
            assert_string_equal(job_messages(&j), "");
            assert_int_equal(r->kind, OBJ_RELOCATABLE);
            assert_int_equal(find_symbol(r, "common")->section, OBJ_COMMON);
            assert_int_equal(find_symbol(r, "f")->bind, OBJ_WEAK);
            assert_int_equal(find_section(r, ".text")->size, 16);
            /* a section symbol's addend moves by the 8 bytes before b's code */
            assert_int_equal(find_section(r, ".text")->relocs.item[2].addend, 8 + 4);
            linking_end(&l);
            linking_begin(&l, &j);
            linking_add(&l, "r.o", r);
        }
        struct object *o = linking_run(&l);
        assert_string_equal(job_messages(&j), "");
        assert_int_equal(obj_line_at(o, 0x10007)->line, 10);
        assert_int_equal(obj_line_at(o, 0x10008)->line, 20);
        assert_string_equal(o->line_files.item[obj_line_at(o, 0x10008)->file], "dir/a.pto");
        l.options.strip_all = true;
        obj_destroy(o);
        images[steps] = build_elf(&j, linking_run(&l), true);
        linking_end(&l);
    }
    assert_int_equal(images[0].size, images[1].size);
    assert_memory_equal(images[0].data, images[1].data, images[0].size);
    buffer_free(&images[0]);
    buffer_free(&images[1]);
    job_end(&j);
}

static void emitted_relocs_name_the_place(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = with_local_call(&j, "g", 1);
    build_symbol(a, "g", OBJ_GLOBAL, 0, 4);
    linking_add(&l, "a.o", a);
    l.options.emit_relocs = true;
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    const struct obj_section *text = find_section(o, ".text");
    assert_int_equal(text->relocs.count, 2);
    assert_int_equal(text->relocs.item[0].type, 4);
    assert_int_equal(text->relocs.item[0].addend, 4);
    assert_int_equal(o->symbols.item[text->relocs.item[0].symbol].type, OBJ_SECTION_SYMBOL);
    assert_string_equal(o->symbols.item[text->relocs.item[1].symbol].name, "g");
    assert_int_equal(word_at(o, 0x10000, 4), 4u / 2 << 15); /* applied as well */
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void stripping(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = with_local_call(&j, "g", 1);
    build_symbol(a, "g", OBJ_GLOBAL, 0, 4);
    linking_add(&l, "a.o", a);
    l.options.discard_locals = true;
    struct object *o = linking_run(&l);
    assert_int_equal(o->symbols.count, 2); /* $x says what the bytes are, so it stays */
    find_symbol(o, "$x");
    find_symbol(o, "g");
    assert_int_equal(o->lines.count, 2);
    obj_destroy(o);
    l.options.strip_debug = true;
    o = linking_run(&l);
    assert_int_equal(o->lines.count, 0);
    assert_int_equal(o->symbols.count, 2);
    obj_destroy(o);
    l.options.strip_all = true;
    o = linking_run(&l);
    assert_int_equal(o->symbols.count, 0);
    struct buffer elf = build_elf(&j, o, false);
    o = obj_read_elf(&j.mem, j.diag, "a", elf.data, elf.size);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(o->entry, 0x10000);
    obj_destroy(o);
    buffer_free(&elf);
    linking_end(&l);
    job_end(&j);
}

/* ---- the file as a whole ---- */

/* SHA-256 of "" and "abc" (FIPS 180-4), and the digest of a file with a zero digest. */
void sha256(const void *data, size_t size, uint8_t digest[32]);

static void build_id(void **state)
{
    static const uint8_t abc[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                    0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                    0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    static const uint8_t empty[4] = {0xe3, 0xb0, 0xc4, 0x42};
    uint8_t digest[32];
    struct job j;
    struct linking l;
    (void)state;
    sha256("abc", 3, digest);
    assert_memory_equal(digest, abc, 32);
    sha256("", 0, digest);
    assert_memory_equal(digest, empty, 4);

    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", text_data_bss(&j));
    l.options.build_id = true;
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    const struct obj_section *note = find_section(o, ".note.gnu.build-id");
    assert_int_equal(note->size, 48);
    assert_memory_equal(note->data, "\4\0\0\0\40\0\0\0\3\0\0\0GNU", 16);
    uint8_t *in_note = (uint8_t *)(uintptr_t)note->data + 16, found[32];
    memcpy(found, in_note, 32);
    memset(in_note, 0, 32);
    struct buffer elf = build_elf(&j, o, true);
    sha256(elf.data, elf.size, digest);
    assert_memory_equal(found, digest, 32);
    buffer_free(&elf);
    linking_end(&l);
    job_end(&j);
}

static void map_names_everything(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    l.options.map = &l.map;
    l.options.defsyms = (const char *const[]){"limit=0x99", NULL};
    struct object *a = text_data_bss(&j);
    build_symbol(a, "second", OBJ_GLOBAL, 0, 4);
    build_symbol(a, "first", OBJ_GLOBAL, 0, 0);
    linking_add(&l, "a.o", a);
    obj_destroy(linking_run(&l));
    buffer_extend(&l.map, 1);
    static const char head[] = "Objects\n"
                               "\n"
                               "  a.o\n"
                               "\n"
                               "Entry 10000\n"
                               "\n"
                               "         Address       Size Align Section, input, symbol\n"
                               "           10000          8     4 .text\n"
                               "           10000          8     4   a.o:(.text)\n"
                               "           10000                      first\n"
                               "           10004                      second\n";
    static const char tail[] = "           12000          4     1 .data\n"
                               "           12000          4     1   a.o:(.data)\n"
                               "           12008         20     8 .bss\n"
                               "           12008         20     8   a.o:(.bss)\n"
                               "\n"
                               "Symbols of the linker, of --defsym and of the script\n"
                               "\n"
                               "              99                      limit\n";
    const char *map = (const char *)l.map.data;
    assert_memory_equal(map, head, strlen(head));
    assert_string_equal(map + strlen(map) - strlen(tail), tail);
    linking_end(&l);
    job_end(&j);
}

static void inputs_that_do_not_link(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_fails(&l, "error: no input files [link-input]\n");
    struct object *a = obj_create(&j.mem, OBJ_EXECUTABLE);
    linking_add(&l, "program", a);
    linking_fails(&l, "program: error: an executable cannot be linked again; use the objects it "
                      "was made of [link-input]\n");
    linking_end(&l);

    linking_begin(&l, &j);
    l.inputs[0] = (struct link_input){.kind = LINK_FILE, .name = "/nonexistent.o"};
    l.inputs[1] = (struct link_input){.kind = LINK_LIBRARY, .name = "none"};
    l.options.ninputs = 2;
    linking_fails(&l,
                  "/nonexistent.o: error: cannot read: No such file or directory "
                  "[cannot-read]\n"
                  "error: cannot find -lnone: no libnone.a in any directory, as no -L was given "
                  "[library-not-found]\n");
    l.options.library_dirs = (const char *const[]){"/nonexistent", NULL};
    l.inputs[1].name = ":exact.a";
    linking_fails(&l, "/nonexistent.o: error: cannot read: No such file or directory "
                      "[cannot-read]\n"
                      "error: cannot find -l:exact.a: no exact.a in the directories of -L "
                      "[library-not-found]\n");
    linking_end(&l);
    job_end(&j);
}

/* ---- running out of memory ---- */

struct small_link {
    const struct link_input *inputs;
    size_t count;
};

static void ignore(void *ctx, const struct diag_record *record)
{
    (void)ctx;
    (void)record;
}

static void link_and_write(struct mem *m, void *ctx)
{
    const struct small_link *s = ctx;
    struct link_options options = {
        .inputs = s->inputs, .ninputs = s->count, .build_id = true, .gc_sections = true};
    jmp_buf here, *outer = m->on_exhausted;
    struct diag *volatile diag = NULL;
    struct object *volatile o = NULL;
    struct buffer out;

    buffer_init(&out, m);
    options.map = &out;
    m->on_exhausted = &here;
    if (setjmp(here) == 0) {
        diag = diag_create(m, &(struct diag_options){.sink = ignore});
        o = link_run(m, diag, &options);
        if (o)
            obj_write_elf(o, true, &out);
    }
    m->on_exhausted = outer;
    buffer_free(&out);
    obj_destroy(o);
    diag_destroy(diag);
}

static void exhaustion_leaks_nothing(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = with_local_call(&j, "g", 1), *g = with_local_call(&j, "end", 2);
    uint32_t c = build_symbol(a, "common", OBJ_GLOBAL, OBJ_COMMON, 8);
    a->symbols.item[c].size = 8;
    build_symbol(g, "g", OBJ_GLOBAL, 0, 0);
    linking_add(&l, "a.o", a);
    struct buffer member = build_elf(&j, g, true);
    linking_add_bytes(&l, "lib.a",
                      ar_make(&j.mem, &(struct ar_file){"g.o", &member, "g"}, 1, false));
    struct small_link s = {l.inputs, l.count};
    unsigned long n = 1;
    while (failing_mem_run(n, link_and_write, &s) != FAILING_MEM_DONE)
        n++;
    assert_true(n > 20);
    buffer_free(&member);
    linking_end(&l);
    job_end(&j);
}

/* What the reader lets pass must be safe to link. */
static void damaged_inputs_never_crash(void **state)
{
    enum { ROUNDS = 6000, MOST_CHANGES = 6 };
    struct job j;
    uint32_t seed = 0x11b;
    (void)state;
    job_begin(&j);
    struct object *a = with_local_call(&j, "g", 1);
    bss_section(a, ".bss", 8, 32);
    build_symbol(a, "common", OBJ_GLOBAL, OBJ_COMMON, 8);
    build_symbol(a, "g", OBJ_GLOBAL, 0, 4);
    build_reloc(a, 0, 0, 192, 1, 0);
    build_reloc(a, 0, 4, 193, 1, 4);
    struct buffer good = build_elf(&j, a, true);
    for (int round = 0; round < ROUNDS; round++) {
        struct linking l;
        struct buffer damaged;

        linking_begin(&l, &j);
        buffer_init(&damaged, &j.mem);
        buffer_append(&damaged, good.data, good.size);
        for (int n = 0; n < 1 + round % MOST_CHANGES; n++) {
            seed = seed * 1664525 + 1013904223;
            damaged.data[(seed >> 8) % good.size] ^= (uint8_t)(1 << (seed & 7));
        }
        linking_add_bytes(&l, "a.o", damaged);
        l.options.gc_sections = round & 1;
        l.options.emit_relocs = round & 2;
        l.options.relocatable = !l.options.gc_sections && (round & 4);
        l.options.map = &l.map;
        struct object *o = linking_run(&l);
        if (o) {
            struct buffer elf = build_elf(&j, o, true);
            buffer_free(&elf);
        }
        linking_end(&l);
        job_clear(&j);
    }
    buffer_free(&good);
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_share_a_section),
        cmocka_unit_test(address_options),
        cmocka_unit_test(address_errors),
        cmocka_unit_test(huge_alignments),
        cmocka_unit_test(empty_sections_stay_for_their_symbols),
        cmocka_unit_test(padding_in_code_is_data),
        cmocka_unit_test(entry_rules),
        cmocka_unit_test(linker_defined_symbols),
        cmocka_unit_test(gc_keeps_what_is_reached),
        cmocka_unit_test(relocatable_output_links_like_its_inputs),
        cmocka_unit_test(emitted_relocs_name_the_place),
        cmocka_unit_test(stripping),
        cmocka_unit_test(build_id),
        cmocka_unit_test(map_names_everything),
        cmocka_unit_test(inputs_that_do_not_link),
        cmocka_unit_test(exhaustion_leaks_nothing),
        cmocka_unit_test(damaged_inputs_never_crash),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
