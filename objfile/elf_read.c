/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ELF bytes to an object. The file is untrusted: every offset, size, count,
 * index and string is checked here, once, so that the rest of the toolchain can
 * rely on it. libelf translates the structures from the file's byte order.
 */
#include "objfile/internal.h"

#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct mem *mem;
    struct diag *diag;
    struct arena *scratch;
    const char *name;
    const uint8_t *bytes;
    uint64_t size;
    struct object *o;
    Elf64_Ehdr header;
    uint64_t nsections;
    Elf64_Shdr *sections;
    const char **names;   /* of the file's sections */
    int *section_map;     /* file section -> object section, -1 = not kept */
    uint32_t symtab;      /* file section, 0 = none */
    uint64_t nsymbols;    /* the null symbol included */
    uint64_t shndx_table; /* file section of the extended section numbers, 0 = none */
    uint32_t *symbol_map; /* file symbol -> object symbol */
    bool good;            /* read to the end */
};

/* Reports against the file and is false. */
#define REFUSE(r, code, ...)                                                                       \
    (diag_report_file((r)->diag, DIAG_##code, (r)->name, __VA_ARGS__), false)

static bool in_file(const struct reader *r, uint64_t offset, uint64_t size)
{
    return offset <= r->size && size <= r->size - offset;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static void from_file(void *to, const uint8_t *from, size_t size, Elf_Type type)
{
    Elf_Data src = {
        .d_buf = (void *)(uintptr_t)from, .d_type = type, .d_version = EV_CURRENT, .d_size = size};
    Elf_Data dst = {.d_buf = to, .d_type = type, .d_version = EV_CURRENT, .d_size = size};

    elf64_xlatetom(&dst, &src, ELFDATA2LSB);
}

/* ---- the ELF header ---- */

static bool check_ident(struct reader *r)
{
    const uint8_t *id = r->bytes;

    if (r->size < SELFMAG || memcmp(id, ELFMAG, SELFMAG))
        return REFUSE(r, NOT_ELF, "not an ELF file");
    if (r->size < sizeof(Elf64_Ehdr))
        return REFUSE(r, TRUNCATED_ELF, "truncated: %" PRIu64 " bytes, an ELF header has %zu",
                      r->size, sizeof(Elf64_Ehdr));
    if (id[EI_CLASS] != ELFCLASS64)
        return REFUSE(r, BAD_ELF, "wrong ELF class %d, expected %d (64-bit)", id[EI_CLASS],
                      ELFCLASS64);
    if (id[EI_DATA] != ELFDATA2LSB)
        return REFUSE(r, BAD_ELF, "wrong byte order %d, expected %d (little-endian)", id[EI_DATA],
                      ELFDATA2LSB);
    if (id[EI_VERSION] != EV_CURRENT)
        return REFUSE(r, BAD_ELF, "unknown ELF version %d, expected %d", id[EI_VERSION],
                      EV_CURRENT);
    return true;
}

static bool check_header(struct reader *r)
{
    Elf64_Ehdr *h = &r->header;

    from_file(h, r->bytes, sizeof *h, ELF_T_EHDR);
    if (h->e_machine != OBJ_MACHINE)
        return REFUSE(r, WRONG_MACHINE, "wrong e_machine 0x%X, expected 0x%X (%d)", h->e_machine,
                      OBJ_MACHINE, OBJ_MACHINE);
    if (h->e_type == ET_DYN)
        return REFUSE(r, BAD_ELF,
                      "a shared object or position-independent executable; only "
                      "relocatable objects and static executables are read");
    if (h->e_type != ET_REL && h->e_type != ET_EXEC)
        return REFUSE(r, BAD_ELF, "wrong e_type %d, expected %d (relocatable) or %d (executable)",
                      h->e_type, ET_REL, ET_EXEC);
    if (h->e_version != EV_CURRENT)
        return REFUSE(r, BAD_ELF, "unknown e_version %u, expected %d", h->e_version, EV_CURRENT);
    if (h->e_ehsize != sizeof *h)
        return REFUSE(r, BAD_ELF, "wrong e_ehsize %d, expected %zu", h->e_ehsize, sizeof *h);
    if (h->e_shoff && h->e_shentsize != sizeof(Elf64_Shdr))
        return REFUSE(r, BAD_ELF, "wrong e_shentsize %d, expected %zu", h->e_shentsize,
                      sizeof(Elf64_Shdr));
    if (h->e_phnum && h->e_phentsize != sizeof(Elf64_Phdr))
        return REFUSE(r, BAD_ELF, "wrong e_phentsize %d, expected %zu", h->e_phentsize,
                      sizeof(Elf64_Phdr));
    r->o->kind = h->e_type == ET_EXEC ? OBJ_EXECUTABLE : OBJ_RELOCATABLE;
    r->o->entry = h->e_entry;
    return true;
}

/* ---- section headers ---- */

static void read_section_header(const struct reader *r, uint64_t index, Elf64_Shdr *out)
{
    from_file(out, r->bytes + r->header.e_shoff + index * sizeof *out, sizeof *out, ELF_T_SHDR);
}

/* Section count and name table; both may stand in the null section (gABI, e_shnum, e_shstrndx). */
static bool find_sections(struct reader *r, uint64_t *name_table)
{
    uint64_t at = r->header.e_shoff, count = r->header.e_shnum;
    Elf64_Shdr null;

    *name_table = r->header.e_shstrndx;
    if (at == 0)
        return count == 0 ||
               REFUSE(r, BAD_ELF, "%" PRIu64 " sections, but no section headers", count);
    if (!in_file(r, at, sizeof null))
        return REFUSE(r, TRUNCATED_ELF,
                      "truncated: section headers at 0x%" PRIx64 " end behind the file's %" PRIu64
                      " bytes",
                      at, r->size);
    read_section_header(r, 0, &null);
    if (count == 0)
        count = null.sh_size;
    if (*name_table == SHN_XINDEX)
        *name_table = null.sh_link;
    if (count > (r->size - at) / sizeof null)
        return REFUSE(r, TRUNCATED_ELF,
                      "truncated: section headers at 0x%" PRIx64 " end behind the file's %" PRIu64
                      " bytes",
                      at, r->size);
    if (count && *name_table >= count)
        return REFUSE(r, BAD_ELF,
                      "section name table %" PRIu64 " is not one of %" PRIu64 " sections",
                      *name_table, count);
    r->nsections = count;
    return true;
}

static bool check_section(struct reader *r, uint64_t index)
{
    const Elf64_Shdr *s = &r->sections[index];

    if (s->sh_type == SHT_NULL)
        return true;
    if (s->sh_type != SHT_NOBITS && !in_file(r, s->sh_offset, s->sh_size))
        return REFUSE(r, TRUNCATED_ELF,
                      "truncated: section %" PRIu64 " at 0x%" PRIx64 " of 0x%" PRIx64
                      " bytes ends behind the file's %" PRIu64 " bytes",
                      index, s->sh_offset, s->sh_size, r->size);
    if (s->sh_addralign > 1 && !is_power_of_two(s->sh_addralign))
        return REFUSE(r, BAD_ELF,
                      "section %" PRIu64 ": alignment 0x%" PRIx64 " is not a power of two", index,
                      s->sh_addralign);
    if (s->sh_addr + s->sh_size < s->sh_addr)
        return REFUSE(r, BAD_ELF,
                      "section %" PRIu64 ": 0x%" PRIx64 " bytes at address 0x%" PRIx64
                      " pass the end of the address space",
                      index, s->sh_size, s->sh_addr);
    if (s->sh_link >= r->nsections)
        return REFUSE(r, BAD_ELF,
                      "section %" PRIu64 ": sh_link %u is not one of %" PRIu64 " sections", index,
                      s->sh_link, r->nsections);
    return true;
}

/* A string of a table section, or NULL when it does not end inside. */
static const char *string_at(const struct reader *r, uint64_t table, uint64_t offset)
{
    const Elf64_Shdr *s = &r->sections[table];

    if (s->sh_type != SHT_STRTAB || offset >= s->sh_size)
        return offset == 0 ? "" : NULL;
    const char *text = (const char *)r->bytes + s->sh_offset + offset;
    return memchr(text, 0, s->sh_size - offset) ? text : NULL;
}

static bool read_section_headers(struct reader *r)
{
    uint64_t name_table;

    if (!find_sections(r, &name_table))
        return false;
    r->sections = arena_array(r->scratch, r->nsections + 1, sizeof *r->sections);
    r->names = arena_array(r->scratch, r->nsections + 1, sizeof *r->names);
    r->section_map = arena_array(r->scratch, r->nsections + 1, sizeof *r->section_map);
    for (uint64_t i = 0; i < r->nsections; i++) {
        read_section_header(r, i, &r->sections[i]);
        if (i && !check_section(r, i))
            return false;
    }
    for (uint64_t i = 0; i < r->nsections; i++) {
        r->names[i] = i ? string_at(r, name_table, r->sections[i].sh_name) : "";
        if (!r->names[i])
            return REFUSE(r, BAD_ELF, "section %" PRIu64 ": name 0x%x is not in the string table",
                          i, r->sections[i].sh_name);
    }
    return true;
}

/* ---- sections ---- */

static bool is_debug(const char *name)
{
    return !strncmp(name, ".debug_", strlen(".debug_"));
}

/* Content that lives in identity, tiles, args and lines. */
static bool is_generated(const char *name)
{
    return is_debug(name) || !strcmp(name, OBJ_NOTE_ISA) || !strcmp(name, OBJ_NOTE_EXT) ||
           !strcmp(name, OBJ_TILES) || !strcmp(name, OBJ_ARGS);
}

static bool is_kept(const Elf64_Shdr *s)
{
    enum { SHT_LLVM_ADDRSIG_TYPE = 0x6fff4c03 }; /* symbol indexes that linking makes wrong */

    switch (s->sh_type) {
    case SHT_NULL:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_RELA:
    case SHT_REL:
    case SHT_GROUP:
    case SHT_SYMTAB_SHNDX:
    case SHT_LLVM_ADDRSIG_TYPE:
        return false;
    default:
        return true;
    }
}

static bool add_sections(struct reader *r)
{
    r->section_map[0] = -1; /* the null section, whatever its header says */
    for (uint64_t i = 1; i < r->nsections; i++) {
        const Elf64_Shdr *s = &r->sections[i];

        r->section_map[i] = -1;
        if (s->sh_type == SHT_REL)
            return REFUSE(r, BAD_ELF, "section %s: REL relocations; this machine has RELA",
                          r->names[i]);
        if (s->sh_flags & SHF_COMPRESSED)
            return REFUSE(r, BAD_ELF, "section %s: compressed sections are not supported",
                          r->names[i]);
        if (!is_kept(s))
            continue;
        r->section_map[i] = (int)r->o->sections.count;
        *vec_push(r->mem, &r->o->sections) = (struct obj_section){
            .name = r->names[i],
            .type = s->sh_type,
            .flags = s->sh_flags & ~(uint64_t)SHF_GROUP, /* o->groups says it */
            .align = s->sh_addralign ? s->sh_addralign : 1,
            .entsize = s->sh_entsize,
            .address = s->sh_addr,
            .size = s->sh_size,
            .data = s->sh_type == SHT_NOBITS ? NULL : r->bytes + s->sh_offset,
            .generated = is_generated(r->names[i]),
        };
    }
    return true;
}

/* The sections that SHF_LINK_ORDER names, when all are known. */
static bool read_links(struct reader *r)
{
    for (uint64_t i = 1; i < r->nsections; i++) {
        const Elf64_Shdr *s = &r->sections[i];

        if (r->section_map[i] < 0 || !(s->sh_flags & SHF_LINK_ORDER))
            continue;
        if (r->o->kind == OBJ_EXECUTABLE)
            continue;
        if (r->section_map[s->sh_link] < 0)
            return REFUSE(r, BAD_ELF, "section %s: it follows section %u, which has no contents",
                          r->names[i], s->sh_link);
        r->o->sections.item[r->section_map[i]].link = (uint32_t)r->section_map[s->sh_link];
    }
    return true;
}

/* ---- symbols ---- */

static bool find_symbol_table(struct reader *r)
{
    for (uint32_t i = 1; i < r->nsections; i++) {
        const Elf64_Shdr *s = &r->sections[i];

        if (s->sh_type == SHT_SYMTAB_SHNDX)
            r->shndx_table = i;
        if (s->sh_type != SHT_SYMTAB)
            continue;
        if (r->symtab)
            return REFUSE(r, BAD_ELF, "two symbol tables: sections %u and %u", r->symtab, i);
        if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_size % sizeof(Elf64_Sym))
            return REFUSE(r, BAD_ELF,
                          "symbol table: 0x%" PRIx64 " bytes of entries of %" PRIu64
                          ", expected entries of %zu",
                          s->sh_size, s->sh_entsize, sizeof(Elf64_Sym));
        r->symtab = i;
        r->nsymbols = s->sh_size / sizeof(Elf64_Sym);
        if (s->sh_info > r->nsymbols)
            return REFUSE(r, BAD_ELF, "symbol table: %u local symbols of %" PRIu64, s->sh_info,
                          r->nsymbols);
    }
    if (r->shndx_table && r->sections[r->shndx_table].sh_size / sizeof(Elf64_Word) < r->nsymbols)
        return REFUSE(r, BAD_ELF, "section %s is too short for %" PRIu64 " symbols",
                      r->names[r->shndx_table], r->nsymbols);
    return true;
}

/* The object section of a symbol, or OBJ_UNDEF and its kin. False: not a section. */
static bool symbol_section(struct reader *r, uint64_t index, const Elf64_Sym *s, int *section)
{
    uint64_t number = s->st_shndx;

    switch (s->st_shndx) {
    case SHN_UNDEF:
        *section = OBJ_UNDEF;
        return true;
    case SHN_ABS:
        *section = OBJ_ABS;
        return true;
    case SHN_COMMON:
        *section = OBJ_COMMON;
        return true;
    case SHN_XINDEX:
        if (r->shndx_table) {
            Elf64_Word extended;

            from_file(&extended,
                      r->bytes + r->sections[r->shndx_table].sh_offset + index * sizeof extended,
                      sizeof extended, ELF_T_WORD);
            number = extended;
        }
        break;
    default:
        break;
    }
    if (number >= r->nsections)
        return false;
    *section = r->section_map[number];
    if (*section < 0)
        *section = OBJ_ABS; /* of a group or table section: nothing refers to it */
    return true;
}

static bool check_symbol(struct reader *r, const struct obj_symbol *s)
{
    if (s->bind > OBJ_WEAK)
        return REFUSE(r, BAD_ELF, "symbol '%s': unknown binding %d", s->name, s->bind);
    if (s->section == OBJ_COMMON && !is_power_of_two(s->value))
        return REFUSE(r, BAD_ELF,
                      "common symbol '%s': alignment 0x%" PRIx64 " is not a power of two", s->name,
                      s->value);
    if (s->section >= 0 && r->o->kind == OBJ_RELOCATABLE) {
        const struct obj_section *in = &r->o->sections.item[s->section];

        if (s->value > in->size)
            return REFUSE(r, BAD_ELF,
                          "symbol '%s': offset 0x%" PRIx64 " is behind the end of %s (0x%" PRIx64
                          " bytes)",
                          s->name, s->value, in->name, in->size);
    }
    return true;
}

static bool read_symbol(struct reader *r, uint64_t index)
{
    const Elf64_Shdr *table = &r->sections[r->symtab];
    struct obj_symbol symbol;
    Elf64_Sym s;

    from_file(&s, r->bytes + table->sh_offset + index * sizeof s, sizeof s, ELF_T_SYM);
    const char *name = string_at(r, table->sh_link, s.st_name);
    if (!name)
        return REFUSE(r, BAD_ELF, "symbol %" PRIu64 ": name 0x%x is not in the string table", index,
                      s.st_name);
    symbol = (struct obj_symbol){.name = name,
                                 .value = s.st_value,
                                 .size = s.st_size,
                                 .bind = ELF64_ST_BIND(s.st_info),
                                 .type = ELF64_ST_TYPE(s.st_info),
                                 .visibility = ELF64_ST_VISIBILITY(s.st_other)};
    if (!symbol_section(r, index, &s, &symbol.section))
        return REFUSE(r, BAD_ELF, "symbol '%s': section %d is not one of %" PRIu64 " sections",
                      name, s.st_shndx, r->nsections);
    if (symbol.type == OBJ_SECTION_SYMBOL && symbol.section >= 0)
        symbol.name = r->o->sections.item[symbol.section].name;
    if (!check_symbol(r, &symbol))
        return false;
    r->symbol_map[index] = (uint32_t)r->o->symbols.count;
    *vec_push(r->mem, &r->o->symbols) = symbol;
    return true;
}

static bool read_symbols(struct reader *r)
{
    if (!find_symbol_table(r))
        return false;
    r->symbol_map = arena_array(r->scratch, r->nsymbols + 1, sizeof *r->symbol_map);
    r->symbol_map[0] = UINT32_MAX; /* see null_symbol */
    vec_reserve(r->mem, &r->o->symbols, r->nsymbols);
    for (uint64_t i = 1; i < r->nsymbols; i++)
        if (!read_symbol(r, i))
            return false;
    return true;
}

/* ---- relocations ---- */

/* The null symbol may be a relocation's: its value is 0. It gets a place in the object on demand.
 */
static uint32_t null_symbol(struct reader *r)
{
    if (r->symbol_map[0] == UINT32_MAX) {
        *vec_push(r->mem, &r->o->symbols) =
            (struct obj_symbol){.name = "", .section = OBJ_ABS, .bind = OBJ_LOCAL};
        r->symbol_map[0] = (uint32_t)r->o->symbols.count - 1;
    }
    return r->symbol_map[0];
}

static bool read_reloc(struct reader *r, struct obj_section *target, const uint8_t *at)
{
    Elf64_Rela rela;

    from_file(&rela, at, sizeof rela, ELF_T_RELA);
    uint64_t symbol = ELF64_R_SYM(rela.r_info), offset = rela.r_offset;
    uint32_t type = ELF64_R_TYPE(rela.r_info);
    const struct isa_reloc *row = isa_reloc_by_number(type);
    uint64_t bytes = row ? row->bytes : 0;

    if (r->o->kind == OBJ_EXECUTABLE)
        offset -= target->address;
    if (offset > target->size || bytes > target->size - offset)
        return REFUSE(r, BAD_ELF,
                      "relocation %u at 0x%" PRIx64 " is not inside %s (0x%" PRIx64 " bytes)", type,
                      offset, target->name, target->size);
    if (symbol >= r->nsymbols)
        return REFUSE(r, BAD_ELF,
                      "relocation at %s+0x%" PRIx64 ": symbol %" PRIu64 " is not one of %" PRIu64,
                      target->name, offset, symbol, r->nsymbols);
    *vec_push(r->mem, &target->relocs) =
        (struct obj_reloc){.offset = offset,
                           .symbol = symbol ? r->symbol_map[symbol] : null_symbol(r),
                           .type = type,
                           .addend = rela.r_addend};
    return true;
}

static bool read_rela_section(struct reader *r, uint64_t index)
{
    const Elf64_Shdr *s = &r->sections[index];
    const char *name = r->names[index];

    if (r->o->kind == OBJ_EXECUTABLE && s->sh_info == 0)
        return true; /* dynamic relocations of a foreign executable: it is already linked */
    if (s->sh_entsize != sizeof(Elf64_Rela) || s->sh_size % sizeof(Elf64_Rela))
        return REFUSE(r, BAD_ELF,
                      "section %s: 0x%" PRIx64 " bytes of entries of %" PRIu64
                      ", expected entries of %zu",
                      name, s->sh_size, s->sh_entsize, sizeof(Elf64_Rela));
    if (s->sh_info >= r->nsections || r->section_map[s->sh_info] < 0)
        return REFUSE(r, BAD_ELF, "section %s: relocates section %u, which cannot be relocated",
                      name, s->sh_info);
    if (!r->symtab || s->sh_link != r->symtab)
        return REFUSE(r, BAD_ELF, "section %s: symbol table is section %u, expected %u", name,
                      s->sh_link, r->symtab);
    struct obj_section *target = &r->o->sections.item[r->section_map[s->sh_info]];
    if (!target->data && s->sh_size)
        return REFUSE(r, BAD_ELF, "section %s: relocates %s, which has no bytes in the file", name,
                      target->name);
    vec_reserve(r->mem, &target->relocs, s->sh_size / sizeof(Elf64_Rela));
    for (uint64_t at = 0; at < s->sh_size; at += sizeof(Elf64_Rela))
        if (!read_reloc(r, target, r->bytes + s->sh_offset + at))
            return false;
    return true;
}

static bool read_relocs(struct reader *r)
{
    for (uint64_t i = 1; i < r->nsections; i++)
        if (r->sections[i].sh_type == SHT_RELA && !read_rela_section(r, i))
            return false;
    return true;
}

/* ---- groups ---- */

static const char *group_signature(const struct reader *r, uint32_t symbol)
{
    return r->o->symbols.item[symbol].name; /* of a section symbol: the section's */
}

static Elf64_Word word_at(const struct reader *r, uint64_t at)
{
    Elf64_Word word;

    from_file(&word, r->bytes + at, sizeof word, ELF_T_WORD);
    return word;
}

static bool check_group(struct reader *r, uint64_t index)
{
    const Elf64_Shdr *s = &r->sections[index];
    const char *name = r->names[index];

    if (s->sh_entsize != sizeof(Elf64_Word) || s->sh_size % sizeof(Elf64_Word) || !s->sh_size)
        return REFUSE(r, BAD_ELF,
                      "group %s: 0x%" PRIx64 " bytes of entries of %" PRIu64
                      ", expected entries of %zu",
                      name, s->sh_size, s->sh_entsize, sizeof(Elf64_Word));
    if (!r->symtab || s->sh_link != r->symtab)
        return REFUSE(r, BAD_ELF, "group %s: symbol table is section %u, expected %u", name,
                      s->sh_link, r->symtab);
    if (s->sh_info == 0 || s->sh_info >= r->nsymbols)
        return REFUSE(r, BAD_ELF, "group %s: symbol %u is not one of %" PRIu64, name, s->sh_info,
                      r->nsymbols);
    if (word_at(r, s->sh_offset) & ~(Elf64_Word)GRP_COMDAT)
        return REFUSE(r, BAD_ELF, "group %s: unknown flags 0x%x", name, word_at(r, s->sh_offset));
    return true;
}

/* `owner` has the group of each section of the file, 0: none. */
static bool read_member(struct reader *r, uint64_t group, Elf64_Word member, uint32_t *owner,
                        struct obj_group *g)
{
    if (member == 0 || member >= r->nsections)
        return REFUSE(r, BAD_ELF, "group %s: member %u is not one of %" PRIu64 " sections",
                      r->names[group], member, r->nsections);
    if (owner[member])
        return REFUSE(r, BAD_ELF, "section %s is in two groups, %s (%u) and %s (%" PRIu64 ")",
                      r->names[member], r->names[owner[member]], owner[member], r->names[group],
                      group);
    owner[member] = (uint32_t)group;
    if (r->section_map[member] >= 0) /* relocations go with what they relocate */
        g->members[g->count++] = (uint32_t)r->section_map[member];
    return true;
}

static bool read_group(struct reader *r, uint64_t index, uint32_t *owner)
{
    const Elf64_Shdr *s = &r->sections[index];
    struct obj_group g = {0};

    if (!check_group(r, index))
        return false;
    g.symbol = r->symbol_map[s->sh_info];
    g.signature = group_signature(r, g.symbol);
    g.comdat = word_at(r, s->sh_offset) & GRP_COMDAT;
    g.members = arena_array(r->o->arena, s->sh_size / sizeof(Elf64_Word), sizeof *g.members);
    for (uint64_t at = sizeof(Elf64_Word); at < s->sh_size; at += sizeof(Elf64_Word))
        if (!read_member(r, index, word_at(r, s->sh_offset + at), owner, &g))
            return false;
    *vec_push(r->mem, &r->o->groups) = g;
    return true;
}

static bool read_groups(struct reader *r)
{
    uint32_t *owner = arena_array(r->scratch, r->nsections + 1, sizeof *owner);

    for (uint64_t i = 1; r->o->kind == OBJ_RELOCATABLE && i < r->nsections; i++)
        if (r->sections[i].sh_type == SHT_GROUP && !read_group(r, i, owner))
            return false;
    return true;
}

/* ---- program headers ---- */

static bool check_segment(struct reader *r, unsigned index, const Elf64_Phdr *p)
{
    if (p->p_filesz > p->p_memsz)
        return REFUSE(r, BAD_ELF,
                      "program header %u: file size 0x%" PRIx64 " is above memory size 0x%" PRIx64,
                      index, p->p_filesz, p->p_memsz);
    if (!in_file(r, p->p_offset, p->p_filesz))
        return REFUSE(r, TRUNCATED_ELF,
                      "truncated: program header %u: 0x%" PRIx64 " bytes at 0x%" PRIx64
                      " end behind the file's %" PRIu64 " bytes",
                      index, p->p_filesz, p->p_offset, r->size);
    if (p->p_vaddr + p->p_memsz < p->p_vaddr)
        return REFUSE(r, BAD_ELF,
                      "program header %u: 0x%" PRIx64 " bytes at address 0x%" PRIx64
                      " pass the end of the address space",
                      index, p->p_memsz, p->p_vaddr);
    if (p->p_align > 1 && !is_power_of_two(p->p_align))
        return REFUSE(r, BAD_ELF,
                      "program header %u: alignment 0x%" PRIx64 " is not a power of two", index,
                      p->p_align);
    return true;
}

static int compare_addresses(const void *a, const void *b)
{
    const struct obj_segment *x = a, *y = b;

    return x->address < y->address ? -1 : x->address > y->address;
}

static bool check_overlap(struct reader *r)
{
    struct object *o = r->o;

    if (o->segments.count > 1)
        qsort(o->segments.item, o->segments.count, sizeof *o->segments.item, compare_addresses);
    for (size_t i = 1; i < o->segments.count; i++) {
        const struct obj_segment *a = &o->segments.item[i - 1], *b = a + 1;

        if (b->address - a->address < a->memory_size)
            return REFUSE(
                r, BAD_ELF,
                "load segments overlap: 0x%" PRIx64 "-0x%" PRIx64 " and 0x%" PRIx64 "-0x%" PRIx64,
                a->address, a->address + a->memory_size, b->address, b->address + b->memory_size);
    }
    return true;
}

static bool read_segments(struct reader *r)
{
    const Elf64_Ehdr *h = &r->header;

    if (r->o->kind != OBJ_EXECUTABLE)
        return true;
    if (h->e_phnum && !in_file(r, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)))
        return REFUSE(r, TRUNCATED_ELF,
                      "truncated: program headers at 0x%" PRIx64 " end behind the file's %" PRIu64
                      " bytes",
                      h->e_phoff, r->size);
    for (unsigned i = 0; i < h->e_phnum; i++) {
        Elf64_Phdr p;

        from_file(&p, r->bytes + h->e_phoff + i * sizeof p, sizeof p, ELF_T_PHDR);
        if (p.p_type != PT_LOAD)
            continue;
        if (!check_segment(r, i, &p))
            return false;
        if (p.p_memsz == 0)
            continue;
        *vec_push(r->mem, &r->o->segments) = (struct obj_segment){
            .address = p.p_vaddr,
            .file_size = p.p_filesz,
            .memory_size = p.p_memsz,
            .align = p.p_align ? p.p_align : 1,
            .load_delta = p.p_paddr - p.p_vaddr,
            .data = r->bytes + p.p_offset,
            .flags = (p.p_flags & PF_W ? OBJ_WRITE : 0) | (p.p_flags & PF_X ? OBJ_EXEC : 0),
        };
    }
    return check_overlap(r);
}

/* ---- notes, tiles, arguments and lines ---- */

static const struct obj_section *find_section(const struct object *o, const char *name)
{
    for (size_t i = 0; i < o->sections.count; i++)
        if (!strcmp(o->sections.item[i].name, name) && o->sections.item[i].data)
            return &o->sections.item[i];
    return NULL;
}

/* Code without any note is PTO code of an unknown release. */
static bool has_unmarked_code(const struct object *o)
{
    for (size_t i = 0; i < o->sections.count; i++) {
        const struct obj_section *s = &o->sections.item[i];

        if ((s->flags & OBJ_EXEC) && s->size && strncmp(s->name, ".seq", strlen(".seq")))
            return true;
    }
    return false;
}

static bool read_identity(struct reader *r)
{
    struct object *o = r->o;
    const struct obj_section *isa = find_section(o, OBJ_NOTE_ISA);
    const struct obj_section *ext = find_section(o, OBJ_NOTE_EXT);
    const char *why;

    if (isa && (why = identity_read_isa(o->arena, isa->data, isa->size, &o->identity)))
        return REFUSE(r, BAD_NOTE, OBJ_NOTE_ISA " %s", why);
    if (ext && (why = identity_read_ext(o->arena, ext->data, ext->size, &o->identity)))
        return REFUSE(r, BAD_NOTE, OBJ_NOTE_EXT " %s", why);
    if (!isa && !ext)
        o->identity.has_pto = has_unmarked_code(o);
    return true;
}

static bool read_tiles(struct reader *r)
{
    const struct obj_section *s = find_section(r->o, OBJ_TILES);
    const char *why = s ? tiles_read(r->o, s->data, s->size) : NULL;

    return !why || REFUSE(r, BAD_TILES, OBJ_TILES " %s", why);
}

static bool read_args(struct reader *r)
{
    const struct obj_section *s = find_section(r->o, OBJ_ARGS);
    const char *why = s ? args_read(r->o, s->data, s->size) : NULL;

    return !why || REFUSE(r, BAD_ARGS, OBJ_ARGS " %s", why);
}

/* A line table that cannot be read costs the lines, not the object. */
static void read_lines(struct reader *r)
{
    const struct obj_section *line = find_section(r->o, ".debug_line");
    const struct obj_section *str = find_section(r->o, ".debug_str");
    const struct obj_section *line_str = find_section(r->o, ".debug_line_str");
    struct dwarf_input in = {0};

    if (!line)
        return;
    in.line = *line;
    if (str)
        in.str = *str;
    if (line_str)
        in.line_str = *line_str;
    const char *why = dwarf_read(r->o, &in);
    if (why)
        diag_report_file(r->diag, DIAG_BAD_LINE_TABLE, r->name, ".debug_line ignored: %s", why);
    if (r->o->kind == OBJ_EXECUTABLE)
        obj_sort_lines(r->o);
}

static void read_all(void *ctx)
{
    struct reader *r = ctx;

    r->o = obj_create(r->mem, OBJ_RELOCATABLE);
    r->o->name = arena_string(r->o->arena, r->name, strlen(r->name));
    r->scratch = arena_create(r->mem);
    if (!check_ident(r) || !check_header(r) || !read_section_headers(r) || !add_sections(r) ||
        !read_links(r) || !read_symbols(r) || !read_relocs(r) || !read_groups(r) ||
        !read_segments(r) || !read_identity(r) || !read_tiles(r) || !read_args(r))
        return;
    read_lines(r);
    r->good = true;
}

struct object *obj_read_elf(struct mem *m, struct diag *d, const char *name, const uint8_t *bytes,
                            size_t size)
{
    struct reader r = {.mem = m, .diag = d, .name = name, .bytes = bytes, .size = size};

    elf_version(EV_CURRENT);
    bool done = mem_attempt(m, read_all, &r);
    arena_destroy(r.scratch);
    if (!r.good)
        obj_destroy(r.o);
    if (!done)
        mem_give_up(m);
    return r.good ? r.o : NULL;
}
