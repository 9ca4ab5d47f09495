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
    const char *name; /* "lib.a(member.o)" */
    uint64_t offset;  /* of its header, as the symbol index has it */
    const uint8_t *bytes;
    size_t size;
    struct object *object; /* NULL: not read yet */
    bool failed;           /* read, and reported */
};

struct obj_archive {
    struct mem *mem;
    struct diag *diag;
    struct arena *arena;
    const char *name;
    VEC(struct member) members;
    struct intern *names;
    struct map index; /* interned symbol -> member + 1 */
};

static const char thin_magic[] = "!<thin>\n";

bool obj_is_archive(const uint8_t *bytes, size_t size)
{
    return size >= SARMAG && (!memcmp(bytes, ARMAG, SARMAG) || !memcmp(bytes, thin_magic, SARMAG));
}

static bool add_member(struct obj_archive *a, Elf *elf, const uint8_t *bytes, size_t size)
{
    const Elf_Arhdr *header = elf_getarhdr(elf);
    size_t member_size;
    const char *content = elf_rawfile(elf, &member_size);

    if (!header || !content || (const uint8_t *)content < bytes ||
        member_size > size - (size_t)((const uint8_t *)content - bytes))
        return false;
    if (header->ar_name[0] == '/')
        return true; /* the symbol index and the table of long names */
    size_t at = (size_t)((const uint8_t *)content - bytes);
    *vec_push(a->mem, &a->members) = (struct member){
        .name = arena_printf(a->arena, "%s(%s)", a->name, header->ar_name),
        .offset = at - sizeof(struct ar_hdr),
        .bytes = (const uint8_t *)content,
        .size = member_size,
    };
    return true;
}

static bool add_members(struct obj_archive *a, Elf *archive, const uint8_t *bytes, size_t size)
{
    Elf_Cmd command = ELF_C_READ;
    Elf *elf;
    bool ok = true;

    while (ok && command != ELF_C_NULL && (elf = elf_begin(-1, command, archive))) {
        ok = add_member(a, elf, bytes, size);
        command = elf_next(elf);
        elf_end(elf);
    }
    return ok && elf_errno() == 0;
}

static void index_symbol(struct obj_archive *a, const char *symbol, size_t member)
{
    void **slot = map_put(&a->index, intern_z(a->names, symbol));

    if (!*slot) /* the first member that defines it wins */
        *slot = (void *)(uintptr_t)(member + 1);
}

/* The archive's own index. False: it has none. */
static bool read_index(struct obj_archive *a, Elf *archive)
{
    size_t count;
    const Elf_Arsym *symbol = elf_getarsym(archive, &count);
    size_t member = 0;

    if (!symbol)
        return false;
    for (size_t i = 0; i < count && symbol[i].as_name; i++) {
        /* Index entries come in member order, so the search continues where it was. */
        size_t tries = 0;

        while (tries++ < a->members.count && a->members.item[member].offset != symbol[i].as_off)
            member = (member + 1) % a->members.count;
        if (tries <= a->members.count)
            index_symbol(a, symbol[i].as_name, member);
    }
    return true;
}

static void index_members(struct obj_archive *a)
{
    for (size_t i = 0; i < a->members.count; i++) {
        const struct object *o = obj_archive_member(a, i);

        for (size_t s = 0; o && s < o->symbols.count; s++)
            if (o->symbols.item[s].bind != OBJ_LOCAL && o->symbols.item[s].section != OBJ_UNDEF)
                index_symbol(a, o->symbols.item[s].name, i);
    }
}

static bool open_archive(struct obj_archive *a, const uint8_t *bytes, size_t size)
{
    elf_version(EV_CURRENT);
    elf_errno(); /* forget what earlier calls left */
    /* libelf takes a writable image but only reads it. */
    Elf *archive = elf_memory((char *)(uintptr_t)bytes, size);
    if (!archive || elf_kind(archive) != ELF_K_AR) {
        elf_end(archive);
        return false;
    }
    bool ok = add_members(a, archive, bytes, size);
    if (ok && !read_index(a, archive))
        index_members(a);
    elf_end(archive);
    return ok;
}

struct obj_archive *obj_archive_open(struct mem *m, struct diag *d, const char *name,
                                     const uint8_t *bytes, size_t size)
{
    struct arena *arena = arena_create(m);
    struct obj_archive *a = arena_alloc(arena, sizeof *a);

    a->mem = m;
    a->diag = d;
    a->arena = arena;
    a->name = arena_string(arena, name, strlen(name));
    a->names = intern_create(m);
    map_init(&a->index, m);
    if (size >= SARMAG && !memcmp(bytes, thin_magic, SARMAG)) {
        diag_report_file(d, DIAG_BAD_ARCHIVE, name,
                         "a thin archive holds no members; make it without 'T'");
    } else if (!open_archive(a, bytes, size)) {
        diag_report_file(d, DIAG_BAD_ARCHIVE, name, "malformed archive");
    } else {
        return a;
    }
    obj_archive_close(a);
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
