/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Untrusted files: each class of damage has its message, and random damage
 * never crashes (user-needs A20, A21, F07). A row changes bytes of a good file.
 */
#include "tests/objfile/build.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* ---- good files ---- */

static const uint8_t code[16] = {0x15, 0, 0, 0, 0x15, 0, 0, 0, 1, 0, 0, 0};

/* Sections: 1 .text, 2 .bss, 3 .note.pto.isa, 4 .note.pto.ext, 5 .pto.tiles, 6 .rela.text,
 * 7 .symtab, 8 .strtab, 9 .shstrtab. Symbols: 1 local, 2 global, 3 common. */
static struct buffer good_object(struct job *j)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    int text = build_text(o, code, sizeof code);

    build_section(o, ".bss", OBJ_NOBITS, OBJ_ALLOC | OBJ_WRITE, 8, NULL, 64);
    build_symbol(o, "local", OBJ_LOCAL, text, 0);
    uint32_t global = build_symbol(o, "global", OBJ_GLOBAL, text, 4);
    build_symbol(o, "common", OBJ_GLOBAL, OBJ_COMMON, 8);
    build_reloc(o, text, 4, 4, global, 0);
    *vec_push(o->mem, &o->tiles) = (struct obj_tile){.name = "a", .type = "t", .input = true};
    o->identity =
        (struct obj_identity){.has_pto = true, .pto = 1 << ISA_REV_0_58_3, .extensions = ""};
    return build_elf(j, o, false);
}

enum { EXE_TEXT = 0x10000, EXE_DATA = 0x11000 };

/* Program headers: 0 text, 1 data. */
static struct buffer good_executable(struct job *j)
{
    struct object *o = obj_create(&j->mem, OBJ_EXECUTABLE);
    int text = build_text(o, code, sizeof code);

    o->sections.item[text].address = EXE_TEXT;
    *vec_push(o->mem, &o->segments) = (struct obj_segment){
        .address = EXE_TEXT, .file_size = 16, .memory_size = 16, .data = code, .flags = OBJ_EXEC};
    *vec_push(o->mem, &o->segments) = (struct obj_segment){
        .address = EXE_DATA, .file_size = 8, .memory_size = 32, .data = code, .flags = OBJ_WRITE};
    return build_elf(j, o, false);
}

/* ---- places in them ---- */

enum what { HEADER, SECTION, SYMBOL, RELOC, PROGRAM, CONTENT };

static size_t offset_of(const uint8_t *elf, enum what what, unsigned index)
{
    const Elf64_Ehdr *h = (const void *)elf;
    const Elf64_Shdr *s = (const void *)(elf + h->e_shoff);

    switch (what) {
    case HEADER:
        return 0;
    case SECTION:
        return h->e_shoff + index * sizeof *s;
    case SYMBOL:
        return s[7].sh_offset + index * sizeof(Elf64_Sym);
    case RELOC:
        return s[6].sh_offset + index * sizeof(Elf64_Rela);
    case PROGRAM:
        return h->e_phoff + index * sizeof(Elf64_Phdr);
    case CONTENT:
        return s[index].sh_offset;
    }
    return 0;
}

#define FIELD(type, name) offsetof(type, name), sizeof(((type *)0)->name)

struct damage {
    bool executable;
    enum what what;
    unsigned index;
    size_t offset, size;
    uint64_t value;
    const char *message; /* without "f: error: " and the newline; "": none */
};

static const struct damage damages[] = {
    {0, HEADER, 0, 0, 1, 0x7e, "not an ELF file [not-elf]"},
    {0, HEADER, 0, EI_CLASS, 1, 1, "wrong ELF class 1, expected 2 (64-bit) [bad-elf]"},
    {0, HEADER, 0, EI_DATA, 1, 2, "wrong byte order 2, expected 1 (little-endian) [bad-elf]"},
    {0, HEADER, 0, EI_VERSION, 1, 0, "unknown ELF version 0, expected 1 [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_machine), 0x105,
     "wrong e_machine 0x105, expected 0xE9 (233) [wrong-machine]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_type), ET_CORE,
     "wrong e_type 4, expected 1 (relocatable) or 2 (executable) [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_type), ET_DYN,
     "a shared object or position-independent executable; only relocatable objects and static "
     "executables are read [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_version), 2, "unknown e_version 2, expected 1 [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_ehsize), 63, "wrong e_ehsize 63, expected 64 [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_shentsize), 65,
     "wrong e_shentsize 65, expected 64 [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_shoff), 0, "10 sections, but no section headers [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_shoff), UINT64_MAX,
     "truncated: section headers at 0xffffffffffffffff end behind the file's SIZE bytes "
     "[truncated-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_shnum), 0xfeff,
     "truncated: section headers at SHOFF end behind the file's SIZE bytes [truncated-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_shstrndx), 10,
     "section name table 10 is not one of 10 sections [bad-elf]"},
    {0, HEADER, 0, FIELD(Elf64_Ehdr, e_shstrndx), 1,
     "section 1: name 0x1 is not in the string table [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_offset), UINT64_MAX - 3,
     "truncated: section 1 at 0xfffffffffffffffc of 0x10 bytes ends behind the file's SIZE bytes "
     "[truncated-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_size), UINT64_MAX,
     "truncated: section 1 at 0x40 of 0xffffffffffffffff bytes ends behind the file's SIZE bytes "
     "[truncated-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_addralign), 3,
     "section 1: alignment 0x3 is not a power of two [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_addralign), 0, ""},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_addralign), UINT64_C(1) << 63, ""},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_name), 0xffff,
     "section 1: name 0xffff is not in the string table [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_link), 10,
     "section 1: sh_link 10 is not one of 10 sections [bad-elf]"},
    {0, SECTION, 2, FIELD(Elf64_Shdr, sh_addr), UINT64_MAX - 62,
     "section 2: 0x40 bytes at address 0xffffffffffffffc1 pass the end of the address space "
     "[bad-elf]"},
    {0, SECTION, 2, FIELD(Elf64_Shdr, sh_addr), UINT64_MAX - 64, ""},
    {0, SECTION, 2, FIELD(Elf64_Shdr, sh_type), SHT_REL,
     "section .bss: REL relocations; this machine has RELA [bad-elf]"},
    {0, SECTION, 2, FIELD(Elf64_Shdr, sh_type), SHT_GROUP,
     "group .bss: 0x40 bytes of entries of 0, expected entries of 4 [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_flags), SHF_COMPRESSED,
     "section .text: compressed sections are not supported [bad-elf]"},
    {0, SECTION, 7, FIELD(Elf64_Shdr, sh_entsize), 16,
     "symbol table: 0x60 bytes of entries of 16, expected entries of 24 [bad-elf]"},
    {0, SECTION, 7, FIELD(Elf64_Shdr, sh_size), 95,
     "symbol table: 0x5f bytes of entries of 24, expected entries of 24 [bad-elf]"},
    {0, SECTION, 7, FIELD(Elf64_Shdr, sh_info), 5, "symbol table: 5 local symbols of 4 [bad-elf]"},
    {0, SECTION, 5, FIELD(Elf64_Shdr, sh_type), SHT_SYMTAB,
     "symbol table: 0x2d bytes of entries of 0, expected entries of 24 [bad-elf]"},
    {0, SYMBOL, 1, FIELD(Elf64_Sym, st_name), 0xffffff,
     "symbol 1: name 0xffffff is not in the string table [bad-elf]"},
    {0, SYMBOL, 1, FIELD(Elf64_Sym, st_shndx), 10,
     "symbol 'local': section 10 is not one of 10 sections [bad-elf]"},
    {0, SYMBOL, 1, FIELD(Elf64_Sym, st_shndx), SHN_XINDEX,
     "symbol 'local': section 65535 is not one of 10 sections [bad-elf]"},
    {0, SYMBOL, 1, FIELD(Elf64_Sym, st_value), 16, ""},
    {0, SYMBOL, 1, FIELD(Elf64_Sym, st_value), 17,
     "symbol 'local': offset 0x11 is behind the end of .text (0x10 bytes) [bad-elf]"},
    {0, SYMBOL, 2, FIELD(Elf64_Sym, st_info), 0xa0,
     "symbol 'global': unknown binding 10 [bad-elf]"},
    {0, SYMBOL, 3, FIELD(Elf64_Sym, st_value), 12,
     "common symbol 'common': alignment 0xc is not a power of two [bad-elf]"},
    {0, RELOC, 0, FIELD(Elf64_Rela, r_offset), 12, ""},
    {0, RELOC, 0, FIELD(Elf64_Rela, r_offset), 13,
     "relocation 4 at 0xd is not inside .text (0x10 bytes) [bad-elf]"},
    {0, RELOC, 0, FIELD(Elf64_Rela, r_offset), UINT64_MAX,
     "relocation 4 at 0xffffffffffffffff is not inside .text (0x10 bytes) [bad-elf]"},
    {0, RELOC, 0, FIELD(Elf64_Rela, r_info), ELF64_R_INFO(4, 4),
     "relocation at .text+0x4: symbol 4 is not one of 4 [bad-elf]"},
    {0, RELOC, 0, FIELD(Elf64_Rela, r_info), ELF64_R_INFO(2, 0xffff), ""}, /* pto-ld refuses it */
    {0, SECTION, 6, FIELD(Elf64_Shdr, sh_entsize), 23,
     "section .rela.text: 0x18 bytes of entries of 23, expected entries of 24 [bad-elf]"},
    {0, SECTION, 6, FIELD(Elf64_Shdr, sh_info), 7,
     "section .rela.text: relocates section 7, which cannot be relocated [bad-elf]"},
    {0, SECTION, 6, FIELD(Elf64_Shdr, sh_info), 10,
     "section .rela.text: relocates section 10, which cannot be relocated [bad-elf]"},
    {0, SECTION, 6, FIELD(Elf64_Shdr, sh_info), 2,
     "section .rela.text: relocates .bss, which has no bytes in the file [bad-elf]"},
    {0, SECTION, 6, FIELD(Elf64_Shdr, sh_link), 8,
     "section .rela.text: symbol table is section 8, expected 7 [bad-elf]"},

    {0, CONTENT, 3, 0, 4, 5, ".note.pto.isa has a note whose owner is not \"PTO\" [bad-note]"},
    {0, CONTENT, 3, 4, 4, 0xffffffff,
     ".note.pto.isa is truncated: descriptor of 4294967295 bytes in 184 [bad-note]"},
    {0, CONTENT, 3, 8, 4, 7, ".note.pto.isa has note type 7, expected 1 [bad-note]"},
    {0, CONTENT, 3, 17, 1, '\'',
     ".note.pto.isa is not the canonical descriptor "
     "{\"encoding_abi\":…,\"encoding_projection_sha256\":…,\"release\":…} [bad-note]"},
    {0, SECTION, 3, FIELD(Elf64_Shdr, sh_size), 15,
     ".note.pto.isa is truncated: 15 bytes where a note begins [bad-note]"},
    {0, SECTION, 3, FIELD(Elf64_Shdr, sh_size), 0, ".note.pto.isa is empty [bad-note]"},
    {0, CONTENT, 4, 40, 1, 'q',
     ".note.pto.ext names the unknown PTO revision \"qto0.58.3\" [bad-note]"},
    {0, CONTENT, 4, 48, 1, '5',
     ".note.pto.ext names pto0.58.5, but .note.pto.isa names release 0.58.3 [bad-note]"},
    {0, CONTENT, 5, 10, 1, '2', ".pto.tiles has version 2, expected 1 [bad-tiles]"},
    {0, CONTENT, 5, 0, 1, 'P',
     ".pto.tiles does not begin with \"pto-tiles VERSION COUNT\" [bad-tiles]"},
    {0, CONTENT, 5, 12, 1, '2', ".pto.tiles has 1 rows, its first line says 2 [bad-tiles]"},
    {0, CONTENT, 5, 14, 1, 'x', ".pto.tiles has a malformed row 1 [bad-tiles]"},
    {0, CONTENT, 5, 19, 1, 'X', ".pto.tiles has a malformed row 1 [bad-tiles]"},
    {0, SECTION, 5, FIELD(Elf64_Shdr, sh_size), 30,
     ".pto.tiles does not end with a NUL byte [bad-tiles]"},

    {1, HEADER, 0, FIELD(Elf64_Ehdr, e_phentsize), 55,
     "wrong e_phentsize 55, expected 56 [bad-elf]"},
    {1, HEADER, 0, FIELD(Elf64_Ehdr, e_phoff), 0x100000,
     "truncated: program headers at 0x100000 end behind the file's SIZE bytes [truncated-elf]"},
    {1, HEADER, 0, FIELD(Elf64_Ehdr, e_phnum), 0xffff,
     "truncated: program headers at 0x40 end behind the file's SIZE bytes [truncated-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_filesz), 33,
     "program header 1: file size 0x21 is above memory size 0x20 [bad-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_memsz), 7,
     "program header 1: file size 0x8 is above memory size 0x7 [bad-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_offset), UINT64_MAX,
     "truncated: program header 1: 0x8 bytes at 0xffffffffffffffff end behind the file's SIZE "
     "bytes [truncated-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_vaddr), UINT64_MAX - 30,
     "program header 1: 0x20 bytes at address 0xffffffffffffffe1 pass the end of the address "
     "space [bad-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_align), 3,
     "program header 1: alignment 0x3 is not a power of two [bad-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_vaddr), EXE_TEXT + 15,
     "load segments overlap: 0x10000-0x10010 and 0x1000f-0x1002f [bad-elf]"},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_vaddr), EXE_TEXT + 16, ""},
    {1, PROGRAM, 1, FIELD(Elf64_Phdr, p_memsz), UINT64_C(64) << 30, ""},
};

/* SIZE and SHOFF in a message stand for the file's own numbers. */
static void expand(char *to, size_t room, const char *message, const struct buffer *elf)
{
    const Elf64_Ehdr *h = (const void *)elf->data;
    size_t at = 0;

    for (const char *p = message; *p && at < room - 32;) {
        if (!strncmp(p, "SIZE", 4))
            at += (size_t)sprintf(to + at, "%zu", elf->size), p += 4;
        else if (!strncmp(p, "SHOFF", 5))
            at += (size_t)sprintf(to + at, "0x%llx", (unsigned long long)h->e_shoff), p += 5;
        else
            to[at++] = *p++;
    }
    to[at] = '\0';
}

static void each_damage_has_its_message(void **state)
{
    struct job j;
    char expected[1000], text[900];
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const struct damage *d = &damages[i];
        struct buffer elf = d->executable ? good_executable(&j) : good_object(&j);
        size_t at = offset_of(elf.data, d->what, d->index) + d->offset;

        expand(text, sizeof text, d->message, &elf);
        for (size_t k = 0; k < d->size; k++)
            elf.data[at + k] = (uint8_t)(d->value >> 8 * k);
        struct object *o = obj_read_elf(&j.mem, j.diag, "f", elf.data, elf.size);
        snprintf(expected, sizeof expected, *text ? "f: error: %s\n" : "%s", text);
        assert_string_equal(job_messages(&j), expected);
        assert_int_equal(o != NULL, !*text);
        obj_destroy(o);
        job_clear(&j);
        buffer_free(&elf);
    }
    job_end(&j);
}

/* ---- groups ---- */

static void add_group(struct object *o, uint32_t symbol, uint32_t member)
{
    struct obj_group *g = vec_push(o->mem, &o->groups);

    g->symbol = symbol;
    g->comdat = true;
    g->members = arena_array(o->arena, 1, sizeof *g->members);
    g->members[g->count++] = member;
}

/* Sections: 1 and 2 .group, 3 .text, 4 .text.f and 5 .text.g in the groups, 6 .about of .text.f,
 * then .symtab 7 and string tables. */
static struct buffer good_groups(struct job *j)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);

    build_text(o, code, sizeof code);
    int f = build_section(o, ".text.f", OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, 4, code, 8);
    int g = build_section(o, ".text.g", OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, 4, code, 8);
    int about = build_section(o, ".about", OBJ_PROGBITS, OBJ_ALLOC | OBJ_LINK_ORDER, 1, code, 1);

    o->sections.item[about].link = (uint32_t)f;
    add_group(o, build_symbol(o, "f", OBJ_GLOBAL, f, 0), (uint32_t)f);
    add_group(o, build_symbol(o, "g", OBJ_GLOBAL, g, 0), (uint32_t)g);
    return build_elf(j, o, false);
}

static const struct damage group_damages[] = {
    {0, HEADER, 0, EI_CLASS, 1, ELFCLASS64, ""},
    {0, CONTENT, 1, 0, 4, 2, "group .group: unknown flags 0x2 [bad-elf]"},
    {0, CONTENT, 1, 0, 4, 0, ""},
    {0, CONTENT, 1, 4, 4, 0, "group .group: member 0 is not one of COUNT sections [bad-elf]"},
    {0, CONTENT, 1, 4, 4, 0xffffffff,
     "group .group: member 4294967295 is not one of COUNT sections [bad-elf]"},
    {0, CONTENT, 2, 4, 4, 4,
     "section .text.f is in two groups, .group (1) and .group (2) [bad-elf]"},
    {0, CONTENT, 2, 4, 4, 3, ""},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_size), 0,
     "group .group: 0x0 bytes of entries of 4, expected entries of 4 [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_size), 7,
     "group .group: 0x7 bytes of entries of 4, expected entries of 4 [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_entsize), 8,
     "group .group: 0x8 bytes of entries of 8, expected entries of 4 [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_info), 0,
     "group .group: symbol 0 is not one of 3 [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_info), 3,
     "group .group: symbol 3 is not one of 3 [bad-elf]"},
    {0, SECTION, 1, FIELD(Elf64_Shdr, sh_link), 3,
     "group .group: symbol table is section 3, expected SYMTAB [bad-elf]"},
    {0, SECTION, 6, FIELD(Elf64_Shdr, sh_link), 1,
     "section .about: it follows section 1, which has no contents [bad-elf]"},
};

/* COUNT and SYMTAB stand for numbers of the file. */
static void expand_numbers(char *to, size_t room, const char *message, const struct buffer *elf)
{
    const Elf64_Ehdr *h = (const void *)elf->data;
    const char *const names[] = {"COUNT", "SYMTAB"};
    const unsigned values[] = {h->e_shnum, h->e_shnum - 3u};
    const char *hit = NULL;

    snprintf(to, room, "%s", message);
    for (int i = 0; i < 2; i++)
        if ((hit = strstr(message, names[i])))
            snprintf(to, room, "%.*s%u%s", (int)(hit - message), message, values[i],
                     hit + strlen(names[i]));
}

static void groups_are_checked(void **state)
{
    struct job j;
    char expected[300], text[200];
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof group_damages / sizeof *group_damages; i++) {
        const struct damage *d = &group_damages[i];
        struct buffer elf = good_groups(&j);
        size_t at = offset_of(elf.data, d->what, d->index) + d->offset;

        for (size_t k = 0; k < d->size; k++)
            elf.data[at + k] = (uint8_t)(d->value >> 8 * k);
        struct object *o = obj_read_elf(&j.mem, j.diag, "f", elf.data, elf.size);
        expand_numbers(text, sizeof text, d->message, &elf);
        snprintf(expected, sizeof expected, *text ? "f: error: %s\n" : "%s", text);
        assert_string_equal(job_messages(&j), expected);
        assert_int_equal(o != NULL, !*text);
        if (i == 0) {
            assert_int_equal(o->groups.count, 2);
            assert_true(o->groups.item[1].comdat);
            assert_string_equal(o->groups.item[1].signature, "g");
            assert_string_equal(o->sections.item[o->groups.item[1].members[0]].name, ".text.g");
            assert_string_equal(o->sections.item[find_section(o, ".about")->link].name, ".text.f");
        }
        obj_destroy(o);
        job_clear(&j);
        buffer_free(&elf);
    }
    job_end(&j);
}

/* Every prefix of a good file is refused with a report, and is read no further than it goes. */
static void every_prefix_is_refused(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    for (int executable = 0; executable < 2; executable++) {
        struct buffer elf = executable ? good_executable(&j) : good_object(&j);

        for (size_t size = 0; size < elf.size; size++) {
            uint8_t *copy = malloc(size + !size); /* exact, so that the sanitizer sees more */
            memcpy(copy, elf.data, size);
            assert_null(obj_read_elf(&j.mem, j.diag, "f", copy, size));
            assert_string_not_equal(job_messages(&j), "");
            job_clear(&j);
            free(copy);
        }
        buffer_free(&elf);
    }
    struct buffer elf = good_object(&j);
    assert_null(obj_read_elf(&j.mem, j.diag, "f", elf.data, 63));
    assert_string_equal(job_messages(&j),
                        "f: error: truncated: 63 bytes, an ELF header has 64 [truncated-elf]\n");
    buffer_free(&elf);
    job_end(&j);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13; /* xorshift32 */
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Reads, and when that succeeds writes: whatever passed the checks must be safe to use. */
static void use(struct job *j, const uint8_t *bytes, size_t size)
{
    struct object *o = obj_read_elf(&j->mem, j->diag, "f", bytes, size);

    if (o) {
        struct buffer elf;

        buffer_init(&elf, &j->mem);
        obj_write_elf(o, true, &elf);
        obj_line_at(o, 0x10004);
        buffer_free(&elf);
    }
    obj_destroy(o);
    job_clear(j);
}

static void random_damage_never_crashes(void **state)
{
    enum { ROUNDS = 30000, MOST_CHANGES = 8 };
    uint32_t seed = 0x5eed;
    struct job j;
    (void)state;
    job_begin(&j);
    struct buffer good[2] = {good_object(&j), good_executable(&j)};
    for (int round = 0; round < ROUNDS; round++) {
        const struct buffer *from = &good[round & 1];
        uint8_t *copy = malloc(from->size);

        memcpy(copy, from->data, from->size);
        for (uint32_t n = 1 + next_random(&seed) % MOST_CHANGES; n; n--) {
            uint32_t at = next_random(&seed) % from->size, how = next_random(&seed) % 4;

            copy[at] = how == 0   ? (uint8_t)next_random(&seed)
                       : how == 1 ? 0xff
                       : how == 2 ? 0
                                  : copy[at] ^ (uint8_t)(1 << next_random(&seed) % 8);
        }
        use(&j, copy, from->size);
        free(copy);
    }
    buffer_free(&good[0]);
    buffer_free(&good[1]);
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_damage_has_its_message),
        cmocka_unit_test(groups_are_checked),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(random_damage_never_crashes),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
