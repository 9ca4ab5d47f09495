/* SPDX-License-Identifier: BSD-3-Clause */
/* Which definition a name means: strong, weak, common, hidden; archives; undefined; identities. */
#include "tests/link/linking.h"

#include <string.h>

/* An object whose .data holds 8 bytes `value` and names them. */
static struct object *defining(struct job *j, const char *name, uint8_t bind, char value)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    char bytes[8];

    memset(bytes, value, sizeof bytes);
    int data = build_section(o, ".data", OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, 8, bytes, 8);
    build_symbol(o, name, bind, data, 0);
    return o;
}

static struct object *common(struct job *j, const char *name, uint64_t align, uint64_t size)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);

    build_symbol(o, name, OBJ_GLOBAL, OBJ_COMMON, align);
    o->symbols.item[0].size = size;
    return o;
}

/* `.8byte name` in .rodata, for each name. */
static struct object *using_all(struct job *j, const char *const *names, uint8_t bind)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    uint8_t zeros[64] = {0};
    size_t n = 0;

    while (names[n])
        n++;
    int data = build_section(o, ".rodata", OBJ_PROGBITS, OBJ_ALLOC, 8, zeros, 8 * n);
    for (size_t i = 0; i < n; i++)
        build_reloc(o, data, 8 * i, 10, build_symbol(o, names[i], bind, OBJ_UNDEF, 0), 0);
    return o;
}

static struct object *using(struct job *j, const char *name)
{
    return using_all(j, (const char *const[]){name, NULL}, OBJ_GLOBAL);
}

/* The byte that `name` means in the result. */
static char meaning(struct linking *l, const char *name)
{
    struct object *o = linking_run(l);

    assert_string_equal(job_messages(l->job), "");
    char c = (char)*bytes_at(o, find_symbol(o, name)->value, 1);
    obj_destroy(o);
    return c;
}

/* ---- precedence ---- */

static void strong_wins_over_weak_in_any_order(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    for (int strong_first = 0; strong_first < 2; strong_first++) {
        struct linking l;

        linking_begin(&l, &j);
        if (strong_first)
            linking_add(&l, "s.o", defining(&j, "f", OBJ_GLOBAL, 's'));
        linking_add(&l, "w.o", defining(&j, "f", OBJ_WEAK, 'w'));
        if (!strong_first)
            linking_add(&l, "s.o", defining(&j, "f", OBJ_GLOBAL, 's'));
        assert_int_equal(meaning(&l, "f"), 's');
        linking_end(&l);
    }
    job_end(&j);
}

static void first_weak_wins(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "1.o", defining(&j, "f", OBJ_WEAK, '1'));
    linking_add(&l, "2.o", defining(&j, "f", OBJ_WEAK, '2'));
    assert_int_equal(meaning(&l, "f"), '1');
    linking_end(&l);
    job_end(&j);
}

static void two_strong_ones_are_an_error(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", defining(&j, "f", OBJ_GLOBAL, 'a'));
    linking_add(&l, "b.o", defining(&j, "f", OBJ_GLOBAL, 'b'));
    linking_add(&l, "c.o", defining(&j, "f", OBJ_GLOBAL, 'c'));
    linking_fails(&l, "error: b.o:(.data+0x0): duplicate definition of 'f' [duplicate-symbol]\n"
                      "note: a.o:(.data+0x0): first definition\n"
                      "error: c.o:(.data+0x0): duplicate definition of 'f' [duplicate-symbol]\n"
                      "note: a.o:(.data+0x0): first definition\n");
    linking_end(&l);
    job_end(&j);
}

static void locals_do_not_meet(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", defining(&j, "f", OBJ_LOCAL, 'a'));
    linking_add(&l, "b.o", defining(&j, "f", OBJ_GLOBAL, 'b'));
    linking_add(&l, "u.o", using(&j, "f"));
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    uint64_t f = word_at(o, find_section(o, ".rodata")->address, 8);
    assert_int_equal(*bytes_at(o, f, 1), 'b');
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void commons_merge(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", common(&j, "buffer", 4, 100));
    linking_add(&l, "b.o", common(&j, "buffer", 64, 10));
    linking_add(&l, "c.o", common(&j, "other", 1, 1));
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    const struct obj_section *bss = find_section(o, ".bss");
    assert_int_equal(bss->align, 64);
    assert_int_equal(bss->size, 101);
    assert_int_equal(find_symbol(o, "buffer")->value, bss->address);
    assert_int_equal(find_symbol(o, "buffer")->size, 100);
    assert_int_equal(find_symbol(o, "other")->value, bss->address + 100);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void common_between_strong_and_weak(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "c.o", common(&j, "f", 8, 8));
    linking_add(&l, "s.o", defining(&j, "f", OBJ_GLOBAL, 's'));
    assert_int_equal(meaning(&l, "f"), 's');
    linking_end(&l);

    linking_begin(&l, &j);
    linking_add(&l, "w.o", defining(&j, "f", OBJ_WEAK, 'w'));
    linking_add(&l, "c.o", common(&j, "f", 8, 8));
    struct object *o = linking_run(&l);
    assert_int_equal(find_symbol(o, "f")->value, find_section(o, ".bss")->address);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void hidden_symbols_become_local(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = defining(&j, "h", OBJ_GLOBAL, 'h');
    a->symbols.item[0].visibility = OBJ_HIDDEN;
    linking_add(&l, "a.o", a);
    linking_add(&l, "u.o", using(&j, "h")); /* hidden is visible to the other objects */
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(find_symbol(o, "h")->bind, OBJ_LOCAL);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* ---- undefined ---- */

static void each_undefined_symbol_once(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    /* user-needs E03: two undefined symbols, exactly two errors. */
    linking_begin(&l, &j);
    linking_add(&l, "a.o", using_all(&j, (const char *const[]){"x", "y", NULL}, OBJ_GLOBAL));
    linking_fails(&l, "error: a.o:(.rodata+0x0): undefined symbol 'x' [undefined-symbol]\n"
                      "error: a.o:(.rodata+0x8): undefined symbol 'y' [undefined-symbol]\n");
    linking_end(&l);

    linking_begin(&l, &j);
    linking_add(&l, "a.o", using_all(&j, (const char *const[]){"x", "x", NULL}, OBJ_GLOBAL));
    linking_add(&l, "b.o", using(&j, "x"));
    linking_fails(&l, "error: a.o:(.rodata+0x0): undefined symbol 'x' [undefined-symbol]\n"
                      "note: a.o:(.rodata+0x8): also used here\n"
                      "note: b.o:(.rodata+0x0): also used here\n");
    linking_add(&l, "c.o", using_all(&j, (const char *const[]){"x", "x", NULL}, OBJ_GLOBAL));
    linking_fails(&l, "error: a.o:(.rodata+0x0): undefined symbol 'x' [undefined-symbol]\n"
                      "note: a.o:(.rodata+0x8): also used here\n"
                      "note: b.o:(.rodata+0x0): also used here\n"
                      "note: and 2 more uses\n");
    linking_end(&l);
    job_end(&j);
}

static void undefined_weak_is_zero(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "a.o", using_all(&j, (const char *const[]){"w", NULL}, OBJ_WEAK));
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(word_at(o, find_section(o, ".rodata")->address, 8), 0);
    obj_destroy(o);
    /* One strong use makes it an error. */
    linking_add(&l, "b.o", using(&j, "w"));
    linking_fails(&l, "error: a.o:(.rodata+0x0): undefined symbol 'w' [undefined-symbol]\n"
                      "note: b.o:(.rodata+0x0): also used here\n");
    linking_end(&l);
    job_end(&j);
}

/* ---- archives ---- */

struct member {
    const char *name, *defines, *uses; /* uses: NULL or a name */
    uint8_t bind;
};

static struct buffer library(struct job *j, const struct member *members, size_t count)
{
    struct buffer content[8];
    struct ar_file files[8] = {0};

    for (size_t i = 0; i < count; i++) {
        struct object *o = defining(j, members[i].defines, members[i].bind, members[i].name[0]);

        if (members[i].uses)
            build_reloc(o, 0, 0, 10, build_symbol(o, members[i].uses, OBJ_GLOBAL, OBJ_UNDEF, 0), 0);
        content[i] = build_elf(j, o, false);
        files[i] = (struct ar_file){members[i].name, &content[i], members[i].defines};
    }
    struct buffer ar = ar_make(&j->mem, files, count, true);
    for (size_t i = 0; i < count; i++)
        buffer_free(&content[i]);
    return ar;
}

/* Which inputs took part, from -t. */
static const char *taken(struct linking *l)
{
    struct object *o;

    l->messages.size = 0;
    l->options.trace = true;
    o = linking_run(l);
    assert_string_equal(job_messages(l->job), "");
    assert_non_null(o);
    obj_destroy(o);
    buffer_extend(&l->messages, 1);
    return (const char *)l->messages.data;
}

static void members_come_when_needed(void **state)
{
    static const struct member members[] = {{"f.o", "f", "g", OBJ_GLOBAL},
                                            {"unused.o", "unused", "nowhere", OBJ_GLOBAL},
                                            {"g.o", "g", NULL, OBJ_GLOBAL},
                                            {"w.o", "w", NULL, OBJ_GLOBAL}};
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "main.o", using(&j, "f"));
    linking_add(&l, "weak.o", using_all(&j, (const char *const[]){"w", NULL}, OBJ_WEAK));
    linking_add_bytes(&l, "lib.a", library(&j, members, 4));
    /* A weak reference takes nothing; what a member needs is found in the same archive. */
    assert_string_equal(taken(&l), "main.o\nweak.o\nlib.a(f.o)\nlib.a(g.o)\n");
    linking_end(&l);
    job_end(&j);
}

static void an_archive_does_not_help_what_follows(void **state)
{
    static const struct member members[] = {{"f.o", "f", NULL, OBJ_GLOBAL}};
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add_bytes(&l, "lib.a", library(&j, members, 1));
    linking_add(&l, "main.o", using(&j, "f"));
    linking_fails(&l, "error: main.o:(.rodata+0x0): undefined symbol 'f' [undefined-symbol]\n");
    linking_end(&l);
    job_end(&j);
}

static void groups_are_searched_until_nothing_comes(void **state)
{
    /* main needs a1 of 1.a, that b1 of 2.a, that a2 of 1.a again. */
    static const struct member first[] = {{"a1.o", "a1", "b1", OBJ_GLOBAL},
                                          {"a2.o", "a2", NULL, OBJ_GLOBAL}};
    static const struct member second[] = {{"b1.o", "b1", "a2", OBJ_GLOBAL}};
    struct job j;
    (void)state;
    job_begin(&j);
    for (int group = 0; group < 2; group++) {
        struct linking l;

        linking_begin(&l, &j);
        linking_add(&l, "main.o", using(&j, "a1"));
        if (group)
            linking_mark(&l, LINK_GROUP_BEGIN);
        linking_add_bytes(&l, "1.a", library(&j, first, 2));
        linking_add_bytes(&l, "2.a", library(&j, second, 1));
        if (group) {
            linking_mark(&l, LINK_GROUP_END);
            assert_string_equal(taken(&l), "main.o\n1.a(a1.o)\n2.a(b1.o)\n1.a(a2.o)\n");
        } else {
            linking_fails(&l, "error: 2.a(b1.o):(.data+0x0): undefined symbol 'a2' "
                              "[undefined-symbol]\n");
        }
        linking_end(&l);
    }
    job_end(&j);
}

/* user-needs E06. */
static void whole_archives_do_not_hide_duplicates(void **state)
{
    static const struct member members[] = {{"f.o", "f", NULL, OBJ_GLOBAL},
                                            {"g.o", "g", NULL, OBJ_GLOBAL}};
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_mark(&l, LINK_WHOLE_BEGIN);
    linking_add_bytes(&l, "lib.a", library(&j, members, 2));
    linking_mark(&l, LINK_WHOLE_END);
    assert_string_equal(taken(&l), "lib.a(f.o)\nlib.a(g.o)\n");
    linking_add(&l, "main.o", defining(&j, "g", OBJ_GLOBAL, 'm'));
    linking_fails(&l, "error: main.o:(.data+0x0): duplicate definition of 'g' [duplicate-symbol]\n"
                      "note: lib.a(g.o):(.data+0x0): first definition\n");
    linking_end(&l);
    job_end(&j);
}

static void a_definition_keeps_the_archives_out(void **state)
{
    static const struct member members[] = {{"f.o", "f", NULL, OBJ_GLOBAL}};
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "main.o", defining(&j, "f", OBJ_WEAK, 'm'));
    linking_add(&l, "u.o", using(&j, "f"));
    linking_add_bytes(&l, "lib.a", library(&j, members, 1));
    assert_string_equal(taken(&l), "main.o\nu.o\n");
    linking_end(&l);
    job_end(&j);
}

static void entry_and_u_search_archives(void **state)
{
    static const struct member members[] = {{"s.o", "_start", NULL, OBJ_GLOBAL},
                                            {"u.o", "u", NULL, OBJ_GLOBAL},
                                            {"e.o", "e", NULL, OBJ_GLOBAL}};
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "main.o", defining(&j, "m", OBJ_GLOBAL, 'm'));
    linking_add_bytes(&l, "lib.a", library(&j, members, 3));
    assert_string_equal(taken(&l), "main.o\nlib.a(s.o)\n");
    l.options.entry = "e";
    l.options.undefined = (const char *const[]){"u", "nowhere", NULL};
    assert_string_equal(taken(&l), "main.o\nlib.a(u.o)\nlib.a(e.o)\n");
    linking_end(&l);
    job_end(&j);
}

/* ---- options about symbols ---- */

static void wrap(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    l.options.wraps = (const char *const[]){"f", NULL};
    linking_add(&l, "f.o", defining(&j, "f", OBJ_GLOBAL, 'f'));
    linking_add(&l, "w.o", defining(&j, "__wrap_f", OBJ_GLOBAL, 'w'));
    linking_add(&l, "u.o", using_all(&j, (const char *const[]){"f", "__real_f", NULL}, OBJ_GLOBAL));
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    uint64_t at = find_section(o, ".rodata")->address;
    assert_int_equal(*bytes_at(o, word_at(o, at, 8), 1), 'w');
    assert_int_equal(*bytes_at(o, word_at(o, at + 8, 8), 1), 'f');
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void trace_symbol(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    l.options.trace_symbols = (const char *const[]){"f", NULL};
    linking_add(&l, "u.o", using_all(&j, (const char *const[]){"f", "g", NULL}, OBJ_GLOBAL));
    linking_add(&l, "f.o", defining(&j, "f", OBJ_GLOBAL, 'f'));
    linking_add(&l, "g.o", defining(&j, "g", OBJ_GLOBAL, 'g'));
    struct object *o = linking_run(&l);
    buffer_extend(&l.messages, 1);
    assert_string_equal((char *)l.messages.data, "u.o: reference to f\nf.o: definition of f\n");
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void defsym(void **state)
{
    static const struct {
        const char *text;
        uint64_t value; /* relative to f when the text has it */
    } good[] = {{"x=0x123", 0x123},
                {"x=10", 10},
                {"x=010", 8},
                {"x=0b101+1-2", 4},
                {"x=-1", UINT64_MAX},
                {"x=f", 0},
                {"x=f+0x10-2", 0x0e},
                {"x=y", 7},
                {"x = (y<<4 | 3) * 2", 0xe6},
                {"x=1 + 2 * 3 == y ? 4K : 1M", 0x1000},
                {"x=DEFINED(g) ? 1 : DEFINED(f) ? 2 : 3", 2},
                {"f=0x44", 0}}; /* wins over the object */
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"x", "--defsym: error: unexpected end of the script; expected an assignment operator "
              "[script-syntax]\n"},
        {"x=1*", "--defsym: error: unexpected end of the script; expected an expression "
                 "[script-syntax]\n"},
        {"x=0xg", "--defsym: error: '0xg' is not a number of 64 bits (decimal, octal, 0x… or 0b…, "
                  "then perhaps K or M) [script-syntax]\n"},
        {"x=0x10000000000000000", "--defsym: error: '0x10000000000000000' is not a number of 64 "
                                  "bits (decimal, octal, 0x… or 0b…, then perhaps K or M) "
                                  "[script-syntax]\n"},
        {"x=nowhere", "--defsym: error: undefined symbol 'nowhere' [undefined-symbol]\n"},
        {"x=x", "--defsym: error: undefined symbol 'x' [undefined-symbol]\n"},
        {"x=1/(y-7)", "--defsym: error: division by zero [script-expression]\n"},
        {"y=1", "--defsym: error: the symbol 'y' has a --defsym already [duplicate-symbol]\n"},
    };
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "f.o", defining(&j, "f", OBJ_GLOBAL, 'f'));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        l.options.defsyms = (const char *const[]){"y=7", good[i].text, NULL};
        struct object *o = linking_run(&l);
        assert_string_equal(job_messages(&j), "");
        if (good[i].text[0] == 'f') {
            assert_int_equal(find_symbol(o, "f")->value, 0x44);
        } else {
            const struct obj_symbol *x = find_symbol(o, "x"), *f = find_symbol(o, "f");
            bool placed = !strncmp(good[i].text, "x=f", 3);

            assert_int_equal(x->section, placed ? f->section : OBJ_ABS);
            assert_int_equal(x->value - (placed ? f->value : 0), good[i].value);
        }
        obj_destroy(o);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        l.options.defsyms = (const char *const[]){"y=7", bad[i].text, NULL};
        linking_fails(&l, bad[i].message);
    }
    linking_end(&l);
    job_end(&j);
}

/* ---- identities ---- */

static struct object *marked(struct job *j, isa_revset pto, isa_revset seq, const char *extensions)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);

    build_words(o, seq ? ".seq" : ".text", 64);
    o->identity = (struct obj_identity){
        .has_pto = pto != 0, .pto = pto, .seq = seq, .extensions = extensions};
    return o;
}

static void identities_merge(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "data.o", defining(&j, "f", OBJ_GLOBAL, 'f'));
    linking_add(&l, "a.o", marked(&j, 1 << ISA_REV_0_58_3, 0, "tmov-convert"));
    linking_add(&l, "s.o", marked(&j, 0, 1 << ISA_GEN_MARIANA, ""));
    linking_add(&l, "b.o", marked(&j, 1 << ISA_REV_0_58_3, 0, "more,tmov-convert"));
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_true(o->identity.has_pto);
    assert_int_equal(o->identity.pto, 1 << ISA_REV_0_58_3);
    assert_int_equal(o->identity.seq, 1 << ISA_GEN_MARIANA);
    assert_string_equal(o->identity.extensions, "more,tmov-convert");
    /* One note of each kind, in memory. */
    const struct obj_section *isa = find_section(o, ".note.pto.isa");
    assert_int_equal(isa->size, 0xb8);
    assert_memory_equal(bytes_at(o, isa->address, 0xb8), isa->data, 0xb8);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

static void revisions_do_not_mix(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    linking_add(&l, "new.o", marked(&j, 1 << ISA_REV_0_58_3, 0, ""));
    linking_add(&l, "old.o", marked(&j, 1 << ISA_REV_0_58_2, 0, ""));
    linking_fails(
        &l, "old.o: error: cannot be linked with new.o: release-mismatch: release 0.58.2 against "
            "release 0.58.3, pto-isa-0.58.3-mode-function-v1, sha256 8a48b80e0448…; pto0.58.2 "
            "encodes B.IOT and B.IOS differently from later revisions and has no published "
            "identity, so it links with pto0.58.2 alone [identity-mismatch]\n");
    linking_end(&l);

    linking_begin(&l, &j);
    linking_add(&l, "1.o", marked(&j, 1 << ISA_REV_0_58_2, 0, ""));
    linking_add(&l, "2.o", marked(&j, 1 << ISA_REV_0_58_2, 0, ""));
    struct object *o = linking_run(&l);
    assert_int_equal(o->identity.pto, 1 << ISA_REV_0_58_2);
    assert_null(find_section(o, ".note.pto.isa"));
    assert_non_null(find_section(o, ".note.pto.ext"));
    obj_destroy(o);
    linking_end(&l);

    linking_begin(&l, &j);
    linking_add(&l, "p.o", marked(&j, 1 << ISA_REV_0_58_3, 0, ""));
    linking_add(&l, "c.o", marked(&j, 0, 1 << ISA_GEN_CAYMAN, ""));
    linking_add(&l, "m.o", marked(&j, 0, 1 << ISA_GEN_MARIANA, ""));
    linking_fails(&l, "m.o: error: cannot be linked with c.o: seq-generation-mismatch: mariana "
                      "against cayman [identity-mismatch]\n");
    linking_end(&l);
    job_end(&j);
}

static void one_object_has_tiles(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    for (int i = 0; i < 2; i++) {
        struct object *o = marked(&j, 1 << ISA_REV_0_58_3, 0, "");

        *vec_push(o->mem, &o->tiles) =
            (struct obj_tile){.name = i ? "b" : "a", .type = "t", .input = true};
        linking_add(&l, i ? "b.o" : "a.o", o);
        if (i == 0) {
            o = linking_run(&l);
            assert_int_equal(o->tiles.count, 1);
            assert_string_equal(o->tiles.item[0].name, "a");
            obj_destroy(o);
        }
    }
    linking_fails(&l,
                  "b.o: error: declares program tiles, and so does a.o; one object of a program "
                  "may [two-tile-tables]\n");
    linking_end(&l);
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strong_wins_over_weak_in_any_order),
        cmocka_unit_test(first_weak_wins),
        cmocka_unit_test(two_strong_ones_are_an_error),
        cmocka_unit_test(locals_do_not_meet),
        cmocka_unit_test(commons_merge),
        cmocka_unit_test(common_between_strong_and_weak),
        cmocka_unit_test(hidden_symbols_become_local),
        cmocka_unit_test(each_undefined_symbol_once),
        cmocka_unit_test(undefined_weak_is_zero),
        cmocka_unit_test(members_come_when_needed),
        cmocka_unit_test(an_archive_does_not_help_what_follows),
        cmocka_unit_test(groups_are_searched_until_nothing_comes),
        cmocka_unit_test(whole_archives_do_not_hide_duplicates),
        cmocka_unit_test(a_definition_keeps_the_archives_out),
        cmocka_unit_test(entry_and_u_search_archives),
        cmocka_unit_test(wrap),
        cmocka_unit_test(trace_symbol),
        cmocka_unit_test(defsym),
        cmocka_unit_test(identities_merge),
        cmocka_unit_test(revisions_do_not_mix),
        cmocka_unit_test(one_object_has_tiles),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
