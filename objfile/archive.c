/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Archives (ar), over libelf. Members are read on first use. An archive
 * without a symbol index gets one from its members' symbols.
 */
#include "objfile/internal.h"

#include <ar.h>
#include <libelf.h>
#include <string.h>

struct member {
    const char *name;   /* "lib.a(member.o)" */
    const char *member; /* "member.o" */
    uint64_t offset;    /* of its header, as the symbol index has it */
    const uint8_t *bytes;
    size_t size;
    struct object *object; /* NULL: not read yet */
    bool failed;           /* read, and reported */
};

struct obj_archive {
    struct mem *mem;
    struct diag *diag;
    struct arena *arena;
    const char *name; /* the caller's */
    const uint8_t *bytes;
    size_t size;
    Elf *elf, *member; /* while it is opened */
    bool good;         /* opened to the end */
    bool reported;
    VEC(struct member) members;
    struct intern *names;
    struct map index; /* interned symbol -> member + 1 */
};

static const char thin_magic[] = "!<thin>\n";

bool obj_is_archive(const uint8_t *bytes, size_t size)
{
    return size >= SARMAG && (!memcmp(bytes, ARMAG, SARMAG) || !memcmp(bytes, thin_magic, SARMAG));
}

static bool add_member(struct obj_archive *a, Elf *elf)
{
    const Elf_Arhdr *header = elf_getarhdr(elf);
    size_t member_size;
    const char *content = elf_rawfile(elf, &member_size);

    if (!header || !content || (const uint8_t *)content < a->bytes ||
        member_size > a->size - (size_t)((const uint8_t *)content - a->bytes))
        return false;
    if (header->ar_name[0] == '/')
        return true; /* the symbol index and the table of long names */
    size_t at = (size_t)((const uint8_t *)content - a->bytes);
    *vec_push(a->mem, &a->members) = (struct member){
        .name = arena_printf(a->arena, "%s(%s)", a->name, header->ar_name),
        .member = arena_string(a->arena, header->ar_name, strlen(header->ar_name)),
        .offset = at - sizeof(struct ar_hdr),
        .bytes = (const uint8_t *)content,
        .size = member_size,
    };
    return true;
}

static bool add_members(struct obj_archive *a)
{
    /* This command makes libelf take members from the image; others read a file. */
    Elf_Cmd command = ELF_C_READ_MMAP;
    bool ok = true;

    while (ok && command != ELF_C_NULL && (a->member = elf_begin(-1, command, a->elf))) {
        ok = add_member(a, a->member);
        command = elf_next(a->member);
        elf_end(a->member);
        a->member = NULL;
    }
    return ok && (command == ELF_C_NULL || a->size == SARMAG);
}

static void index_symbol(struct obj_archive *a, const char *symbol, size_t member)
{
    void **slot = map_put(&a->index, intern_z(a->names, symbol));

    if (!*slot) /* the first member that defines it wins */
        *slot = (void *)(uintptr_t)(member + 1);
}

/* The member whose header stands at `offset`, or -1. Members are in the order of the file. */
static long member_at(const struct obj_archive *a, uint64_t offset)
{
    size_t from = 0, to = a->members.count;

    while (from < to) {
        size_t mid = from + (to - from) / 2;

        if (a->members.item[mid].offset < offset)
            from = mid + 1;
        else
            to = mid;
    }
    return from < a->members.count && a->members.item[from].offset == offset ? (long)from : -1;
}

/* The archive's own index. False: reported. A symbol whose member is lost would seem undefined. */
static bool read_index(struct obj_archive *a, const Elf_Arsym *symbol, size_t count)
{
    for (size_t i = 0; i < count && symbol[i].as_name; i++) {
        long member = member_at(a, symbol[i].as_off);

        if (member < 0) {
            diag_report_file(a->diag, DIAG_BAD_ARCHIVE, a->name,
                             "the symbol index has '%s' at offset 0x%llx, where no member begins",
                             symbol[i].as_name, (unsigned long long)symbol[i].as_off);
            a->reported = true;
            return false;
        }
        index_symbol(a, symbol[i].as_name, (size_t)member);
    }
    return true;
}

static bool index_members(struct obj_archive *a)
{
    for (size_t i = 0; i < a->members.count; i++) {
        const struct object *o = obj_archive_member(a, i);

        for (size_t s = 0; o && s < o->symbols.count; s++)
            if (o->symbols.item[s].bind != OBJ_LOCAL && o->symbols.item[s].section != OBJ_UNDEF)
                index_symbol(a, o->symbols.item[s].name, i);
    }
    return true;
}

static void read_archive(struct obj_archive *a)
{
    size_t count;

    if (!add_members(a))
        return;
    const Elf_Arsym *symbols = elf_getarsym(a->elf, &count);
    a->good = symbols ? read_index(a, symbols, count) : index_members(a);
}

static void open_archive(void *ctx)
{
    struct obj_archive *a = ctx;

    a->names = intern_create(a->mem);
    if (a->size >= SARMAG && !memcmp(a->bytes, thin_magic, SARMAG)) {
        diag_report_file(a->diag, DIAG_BAD_ARCHIVE, a->name,
                         "a thin archive holds no members; make it without 'T'");
        return;
    }
    /* libelf takes a writable image but only reads it. */
    a->elf = elf_memory((char *)(uintptr_t)a->bytes, a->size);
    if (a->elf && elf_kind(a->elf) == ELF_K_AR)
        read_archive(a);
    if (!a->good && !a->reported)
        diag_report_file(a->diag, DIAG_BAD_ARCHIVE, a->name, "malformed archive");
}

struct obj_archive *obj_archive_open(struct mem *m, struct diag *d, const char *name,
                                     const uint8_t *bytes, size_t size)
{
    struct arena *arena = arena_create(m);
    struct obj_archive *a = arena_alloc(arena, sizeof *a); /* fits the first chunk */

    *a = (struct obj_archive){
        .mem = m, .diag = d, .arena = arena, .name = name, .bytes = bytes, .size = size};
    map_init(&a->index, m);
    elf_version(EV_CURRENT);
    bool done = mem_attempt(m, open_archive, a);
    elf_end(a->member);
    elf_end(a->elf);
    a->elf = a->member = NULL;
    if (done && a->good)
        return a;
    obj_archive_close(a);
    if (!done)
        mem_give_up(m);
    return NULL;
}

size_t obj_archive_count(const struct obj_archive *a)
{
    return a->members.count;
}

struct object *obj_archive_member(struct obj_archive *a, size_t index)
{
    struct member *member = &a->members.item[index];

    if (!member->object && !member->failed) {
        member->object = obj_read_elf(a->mem, a->diag, member->name, member->bytes, member->size);
        member->failed = !member->object;
    }
    return member->object;
}

const char *obj_archive_member_name(const struct obj_archive *a, size_t index)
{
    return a->members.item[index].member;
}

long obj_archive_find(const struct obj_archive *a, const char *symbol)
{
    const char *key = intern_z(a->names, symbol);

    return (long)(uintptr_t)map_get(&a->index, key) - 1;
}

void obj_archive_close(struct obj_archive *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->members.count; i++)
        obj_destroy(a->members.item[i].object);
    vec_free(a->mem, &a->members);
    map_free(&a->index);
    intern_destroy(a->names);
    arena_destroy(a->arena);
}
