/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An object as ELF bytes. libelf translates each structure to the file's byte
 * order; the layout is ours: header, program headers, contents in section
 * order, relocations, symbols, strings, section headers. Nothing depends on
 * time, place or addresses of this process.
 */
#include "objfile/internal.h"

#include <libelf.h>
#include <string.h>

enum { PAGE = 4096, WORD_ALIGN = 8, NOTE_ALIGN = 4 };

/* A section of the file; index 0 is the null section. */
struct out_section {
    const char *name;
    Elf64_Shdr header;
    const uint8_t *data;
    const struct obj_section *source; /* the object's section; NULL for made ones */
    const struct dwarf_fixup *fixups; /* of a made debug section */
    size_t nfixups;
    uint32_t symbol;               /* its section symbol, 0 = none */
    uint32_t relocates;            /* RELA: file section whose relocations these are */
    const struct obj_group *group; /* a GROUP section; NULL: another */
};

struct writer {
    const struct object *o;
    struct mem *mem;
    struct arena *scratch;
    struct buffer *out;
    bool with_lines;
    VEC(struct out_section) sections;
    VEC(Elf64_Phdr) segments;
    uint32_t *section_map; /* object section -> file section, 0 = not written */
    uint32_t *symbol_map;  /* object symbol -> file symbol */
    uint32_t *group_of;    /* object section -> file section of its group, 0 = none */
    uint32_t debug[DWARF_SECTIONS];
    struct dwarf_output dwarf;
    struct buffer isa_note, ext_note, tiles, args;
    struct strtab strings, names;
    struct buffer symbols, symbol_sections; /* .symtab, .symtab_shndx in file order */
    uint32_t nsymbols, first_global;
    uint32_t symtab, shstrtab; /* file sections */
    bool extended;             /* a symbol's section number needs .symtab_shndx */
    uint64_t headers_at;       /* file offset of the section headers */
};

/* Translates one host structure to file order at `to`. */
static void to_file(void *to, const void *from, size_t size, Elf_Type type)
{
    Elf_Data src = {
        .d_buf = (void *)(uintptr_t)from, .d_type = type, .d_version = EV_CURRENT, .d_size = size};
    Elf_Data dst = {.d_buf = to, .d_type = type, .d_version = EV_CURRENT, .d_size = size};

    elf64_xlatetof(&dst, &src, ELFDATA2LSB);
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return align > 1 ? (value + align - 1) & -align : value;
}

/* ---- sections ---- */

static uint32_t add_section(struct writer *w, struct out_section section)
{
    *vec_push(w->mem, &w->sections) = section;
    return (uint32_t)w->sections.count - 1;
}

/* A section that the writer makes; absent when it has no content. Returns its number or 0. */
static uint32_t add_made(struct writer *w, const char *name, Elf64_Shdr header,
                         const struct buffer *content)
{
    header.sh_size = content->size;
    if (content->size == 0)
        return 0;
    return add_section(w,
                       (struct out_section){.name = name, .header = header, .data = content->data});
}

static bool is_written(const struct object *o, const struct obj_section *s)
{
    /* The notes of an executable have addresses and are written as they are. */
    return !s->generated || (o->kind == OBJ_EXECUTABLE && (s->flags & OBJ_ALLOC));
}

static void add_object_sections(struct writer *w)
{
    const struct object *o = w->o;

    for (size_t i = 0; i < o->sections.count; i++) {
        const struct obj_section *s = &o->sections.item[i];
        Elf64_Shdr header = {.sh_type = s->type,
                             .sh_flags = s->flags,
                             .sh_addr = s->address,
                             .sh_size = s->size,
                             .sh_addralign = s->align ? s->align : 1,
                             .sh_entsize = s->entsize};

        if (is_written(o, s))
            w->section_map[i] = add_section(
                w, (struct out_section){
                       .name = s->name, .header = header, .data = s->data, .source = s});
    }
}

/* Groups stand before their members (gABI); what is in them is known later. */
static void add_groups(struct writer *w)
{
    w->group_of = arena_array(w->scratch, w->o->sections.count + 1, sizeof *w->group_of);
    for (size_t i = 0; i < w->o->groups.count; i++) {
        const struct obj_group *g = &w->o->groups.item[i];
        uint32_t number =
            add_section(w, (struct out_section){.name = ".group",
                                                .header = {.sh_type = SHT_GROUP,
                                                           .sh_size = sizeof(Elf64_Word),
                                                           .sh_addralign = sizeof(Elf64_Word),
                                                           .sh_entsize = sizeof(Elf64_Word)},
                                                .group = g});

        for (size_t k = 0; k < g->count; k++)
            w->group_of[g->members[k]] = number;
    }
}

/* The file section of the group that a section, or what it relocates, belongs to; 0: none. */
static uint32_t group_of(const struct writer *w, const struct out_section *s)
{
    const struct obj_section *of = s->relocates ? w->sections.item[s->relocates].source : s->source;

    return of ? w->group_of[of - w->o->sections.item] : 0;
}

/* Members are known by number, relocation sections too: groups get their sizes. */
static void fill_groups(struct writer *w)
{
    for (uint32_t i = 1; i < w->sections.count; i++) {
        struct out_section *s = &w->sections.item[i];
        uint32_t group = group_of(w, s);

        if (group) {
            s->header.sh_flags |= SHF_GROUP;
            w->sections.item[group].header.sh_size += sizeof(Elf64_Word);
        }
        if (s->source && (s->source->flags & OBJ_LINK_ORDER))
            s->header.sh_link = w->section_map[s->source->link];
    }
}

static void emit_word(uint8_t *to, Elf64_Word word)
{
    to_file(to, &word, sizeof word, ELF_T_WORD);
}

/* The flags of each group, then its members. */
static void emit_groups(const struct writer *w, uint8_t *image)
{
    uint64_t *next = arena_array(w->scratch, w->sections.count, sizeof *next);

    for (uint32_t i = 1; i < w->sections.count; i++) {
        const struct out_section *s = &w->sections.item[i];
        uint32_t group = group_of(w, s);

        if (s->group) {
            emit_word(image + s->header.sh_offset, s->group->comdat ? GRP_COMDAT : 0);
            next[i] = s->header.sh_offset + sizeof(Elf64_Word);
        } else if (group) {
            emit_word(image + next[group], i);
            next[group] += sizeof(Elf64_Word);
        }
    }
}

static void add_made_sections(struct writer *w)
{
    const Elf64_Shdr note = {
        .sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC, .sh_addralign = NOTE_ALIGN};
    const Elf64_Shdr plain = {.sh_type = SHT_PROGBITS, .sh_addralign = 1};

    if (w->o->kind == OBJ_RELOCATABLE) {
        identity_write_isa(&w->o->identity, &w->isa_note);
        identity_write_ext(&w->o->identity, &w->ext_note);
        add_made(w, OBJ_NOTE_ISA, note, &w->isa_note);
        add_made(w, OBJ_NOTE_EXT, note, &w->ext_note);
    }
    tiles_write(w->o, &w->tiles);
    add_made(w, OBJ_TILES, plain, &w->tiles);
    args_write(w->o, &w->args);
    add_made(w, OBJ_ARGS, plain, &w->args);
    for (int s = 0; s < DWARF_SECTIONS; s++) {
        w->debug[s] = add_made(w, dwarf_section_names[s], plain, &w->dwarf.content[s]);
        if (w->debug[s]) {
            w->sections.item[w->debug[s]].fixups = w->dwarf.fixups[s].item;
            w->sections.item[w->debug[s]].nfixups = w->dwarf.fixups[s].count;
        }
    }
}

/* ---- symbols ---- */

/* Appends a symbol in file section `section`, or with the special number in symbol.st_shndx when
 * `section` is 0. */
static uint32_t add_symbol(struct writer *w, const char *name, Elf64_Sym symbol, uint32_t section)
{
    uint32_t extended = 0;

    symbol.st_name = strtab_add(&w->strings, name);
    if (section >= SHN_LORESERVE) {
        extended = section;
        symbol.st_shndx = SHN_XINDEX;
        w->extended = true;
    } else if (section) {
        symbol.st_shndx = (Elf64_Section)section;
    }
    to_file(buffer_extend(&w->symbols, sizeof symbol), &symbol, sizeof symbol, ELF_T_SYM);
    to_file(buffer_extend(&w->symbol_sections, sizeof extended), &extended, sizeof extended,
            ELF_T_WORD);
    return w->nsymbols++;
}

static Elf64_Section special_section(int section)
{
    return section == OBJ_ABS ? SHN_ABS : section == OBJ_COMMON ? SHN_COMMON : SHN_UNDEF;
}

static void add_object_symbol(struct writer *w, size_t index)
{
    const struct obj_symbol *s = &w->o->symbols.item[index];
    uint32_t section = s->section >= 0 ? w->section_map[s->section] : 0;
    bool of_section = s->type == OBJ_SECTION_SYMBOL;

    if (s->section >= 0 && !section)
        return; /* of a section that is made anew, whose symbols are too */
    Elf64_Sym symbol = {.st_info = ELF64_ST_INFO(s->bind, s->type),
                        .st_other = s->visibility,
                        .st_shndx = section ? 0 : special_section(s->section),
                        .st_value = s->value,
                        .st_size = s->size};

    w->symbol_map[index] = add_symbol(w, of_section ? "" : s->name, symbol, section);
    if (of_section && section)
        w->sections.item[section].symbol = w->symbol_map[index];
}

static uint32_t fixup_target(const struct writer *w, const struct dwarf_fixup *f)
{
    return f->section >= 0 ? w->section_map[f->section] : w->debug[f->target];
}

/* Section symbols that the debug sections' relocations need and the object does not have. */
static void add_section_symbols(struct writer *w)
{
    const Elf64_Sym symbol = {.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION)};
    bool *needed = arena_array(w->scratch, w->sections.count, sizeof *needed);

    for (size_t i = 0; i < w->sections.count; i++)
        for (size_t f = 0; f < w->sections.item[i].nfixups; f++)
            needed[fixup_target(w, &w->sections.item[i].fixups[f])] = true;
    for (uint32_t i = 1; i < w->sections.count; i++)
        if (needed[i] && !w->sections.item[i].symbol)
            w->sections.item[i].symbol = add_symbol(w, "", symbol, i);
}

static void add_symbols(struct writer *w)
{
    const struct object *o = w->o;

    add_symbol(w, "", (Elf64_Sym){0}, 0);
    for (size_t i = 0; i < o->symbols.count; i++)
        if (o->symbols.item[i].bind == OBJ_LOCAL)
            add_object_symbol(w, i);
    add_section_symbols(w);
    w->first_global = w->nsymbols;
    for (size_t i = 0; i < o->symbols.count; i++)
        if (o->symbols.item[i].bind != OBJ_LOCAL)
            add_object_symbol(w, i);
}

/* ---- tables ---- */

static void add_relas(struct writer *w)
{
    size_t nsections = w->sections.count;

    for (uint32_t i = 1; i < nsections; i++) {
        const struct out_section *s = &w->sections.item[i];
        size_t count = s->source ? s->source->relocs.count : s->nfixups;

        if (count == 0)
            continue;
        add_section(w, (struct out_section){
                           .name = arena_printf(w->scratch, ".rela%s", s->name),
                           .header = {.sh_type = SHT_RELA,
                                      .sh_flags = SHF_INFO_LINK,
                                      .sh_info = i,
                                      .sh_size = count * sizeof(Elf64_Rela),
                                      .sh_addralign = WORD_ALIGN,
                                      .sh_entsize = sizeof(Elf64_Rela)},
                           .relocates = i,
                       });
    }
}

static void add_tables(struct writer *w)
{
    const Elf64_Shdr symtab = {.sh_type = SHT_SYMTAB,
                               .sh_info = w->first_global,
                               .sh_addralign = WORD_ALIGN,
                               .sh_entsize = sizeof(Elf64_Sym)};
    const Elf64_Shdr strings = {.sh_type = SHT_STRTAB, .sh_addralign = 1};

    if (w->nsymbols > 1) {
        w->symtab = add_made(w, ".symtab", symtab, &w->symbols);
        if (w->extended) {
            Elf64_Shdr shndx = {.sh_type = SHT_SYMTAB_SHNDX,
                                .sh_link = w->symtab,
                                .sh_addralign = sizeof(Elf64_Word),
                                .sh_entsize = sizeof(Elf64_Word)};
            add_made(w, ".symtab_shndx", shndx, &w->symbol_sections);
        }
        uint32_t strtab = add_made(w, ".strtab", strings, &w->strings.bytes);
        w->sections.item[w->symtab].header.sh_link = strtab;
    }
    for (size_t i = 1; i < w->sections.count; i++) {
        struct out_section *s = &w->sections.item[i];

        s->header.sh_name = strtab_add(&w->names, s->name);
        if (s->relocates || s->group)
            s->header.sh_link = w->symtab;
        if (s->group)
            s->header.sh_info = w->symbol_map[s->group->symbol];
    }
    uint32_t own_name = strtab_add(&w->names, ".shstrtab");
    w->shstrtab = add_made(w, ".shstrtab", strings, &w->names.bytes);
    w->sections.item[w->shstrtab].header.sh_name = own_name;
}

/* ---- layout ---- */

static bool is_note(const struct out_section *s)
{
    return s->header.sh_type == SHT_NOTE && (s->header.sh_flags & SHF_ALLOC);
}

/* A PT_NOTE covers a run of neighbouring note sections. */
static size_t count_note_runs(const struct writer *w)
{
    size_t runs = 0;

    for (size_t i = 1; i < w->sections.count; i++)
        runs += is_note(&w->sections.item[i]) && !is_note(&w->sections.item[i - 1]);
    return runs;
}

/* File offset of an executable's section inside a segment; false: in none. */
static bool place_in_segment(const struct writer *w, Elf64_Shdr *header)
{
    for (size_t i = 0; i < w->o->segments.count; i++) {
        const Elf64_Phdr *p = &w->segments.item[i];
        uint64_t delta = header->sh_addr - p->p_vaddr;

        if (delta > p->p_memsz || header->sh_size > p->p_memsz - delta)
            continue;
        if (header->sh_type == SHT_NOBITS)
            delta = delta < p->p_filesz ? delta : p->p_filesz;
        else if (delta > p->p_filesz || header->sh_size > p->p_filesz - delta)
            continue;
        header->sh_offset = p->p_offset + delta;
        return true;
    }
    return false;
}

static uint64_t layout_segments(struct writer *w, uint64_t at)
{
    const struct object *o = w->o;

    for (size_t i = 0; i < o->segments.count; i++) {
        const struct obj_segment *s = &o->segments.item[i];

        at += (s->address - at) % PAGE; /* loaders may map pages */
        *vec_push(w->mem, &w->segments) = (Elf64_Phdr){
            .p_type = PT_LOAD,
            .p_flags = PF_R | (s->flags & OBJ_WRITE ? PF_W : 0) | (s->flags & OBJ_EXEC ? PF_X : 0),
            .p_offset = at,
            .p_vaddr = s->address,
            .p_paddr = s->address + s->load_delta,
            .p_filesz = s->file_size,
            .p_memsz = s->memory_size,
            .p_align = PAGE};
        at += s->file_size;
    }
    return at;
}

static void layout_note_segments(struct writer *w)
{
    for (size_t i = 1; i < w->sections.count; i++) {
        const Elf64_Shdr *h = &w->sections.item[i].header;

        if (!is_note(&w->sections.item[i]))
            continue;
        if (!is_note(&w->sections.item[i - 1]))
            *vec_push(w->mem, &w->segments) = (Elf64_Phdr){.p_type = PT_NOTE,
                                                           .p_flags = PF_R,
                                                           .p_offset = h->sh_offset,
                                                           .p_vaddr = h->sh_addr,
                                                           .p_paddr = h->sh_addr,
                                                           .p_align = NOTE_ALIGN};
        Elf64_Phdr *p = &w->segments.item[w->segments.count - 1];
        p->p_filesz = p->p_memsz = h->sh_offset + h->sh_size - p->p_offset;
    }
}

static void layout(struct writer *w)
{
    bool executable = w->o->kind == OBJ_EXECUTABLE;
    size_t nsegments = executable ? w->o->segments.count + count_note_runs(w) : 0;
    uint64_t at = sizeof(Elf64_Ehdr) + nsegments * sizeof(Elf64_Phdr);

    if (executable)
        at = layout_segments(w, at);
    for (size_t i = 1; i < w->sections.count; i++) {
        Elf64_Shdr *h = &w->sections.item[i].header;

        if (executable && (h->sh_flags & SHF_ALLOC) && place_in_segment(w, h))
            continue;
        at = align_up(at, h->sh_addralign < PAGE ? h->sh_addralign : PAGE);
        h->sh_offset = at;
        if (h->sh_type != SHT_NOBITS)
            at += h->sh_size;
    }
    if (executable)
        layout_note_segments(w);
    w->headers_at = align_up(at, WORD_ALIGN);
}

/* ---- bytes ---- */

static void emit_rela(uint8_t *at, uint64_t offset, uint32_t symbol, uint32_t type, int64_t addend)
{
    Elf64_Rela rela = {
        .r_offset = offset, .r_info = ELF64_R_INFO(symbol, type), .r_addend = addend};

    to_file(at, &rela, sizeof rela, ELF_T_RELA);
}

static void emit_relas(const struct writer *w, const struct out_section *s, uint8_t *at)
{
    for (size_t i = 0; s->source && i < s->source->relocs.count; i++, at += sizeof(Elf64_Rela)) {
        const struct obj_reloc *r = &s->source->relocs.item[i];

        emit_rela(at, s->header.sh_addr + r->offset, w->symbol_map[r->symbol], r->type, r->addend);
    }
    for (size_t i = 0; i < s->nfixups; i++, at += sizeof(Elf64_Rela)) {
        const struct dwarf_fixup *f = &s->fixups[i];
        unsigned row = f->section >= 0 ? ISA_RELOC_R_LINX_64 : ISA_RELOC_R_LINX_32;

        emit_rela(at, f->offset, w->sections.item[fixup_target(w, f)].symbol,
                  isa_relocs[row].number, f->addend);
    }
}

static void emit_header(const struct writer *w, uint8_t *image)
{
    size_t nsections = w->sections.count;
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = w->o->kind == OBJ_EXECUTABLE ? ET_EXEC : ET_REL,
        .e_machine = OBJ_MACHINE,
        .e_version = EV_CURRENT,
        .e_entry = w->o->entry,
        .e_phoff = w->segments.count ? sizeof header : 0,
        .e_shoff = w->headers_at,
        .e_ehsize = sizeof header,
        .e_phentsize = w->segments.count ? sizeof(Elf64_Phdr) : 0,
        .e_phnum = (Elf64_Half)w->segments.count,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = nsections < SHN_LORESERVE ? (Elf64_Half)nsections : 0,
        .e_shstrndx = w->shstrtab < SHN_LORESERVE ? (Elf64_Half)w->shstrtab : SHN_XINDEX,
    };

    to_file(image, &header, sizeof header, ELF_T_EHDR);
}

static void emit(struct writer *w)
{
    size_t headers = w->sections.count * sizeof(Elf64_Shdr);
    uint8_t *image = buffer_extend(w->out, w->headers_at + headers);
    Elf64_Shdr *null = &w->sections.item[0].header;

    if (w->sections.count >= SHN_LORESERVE) /* numbers that do not fit the ELF header */
        null->sh_size = w->sections.count;
    if (w->shstrtab >= SHN_LORESERVE)
        null->sh_link = w->shstrtab;
    emit_header(w, image);
    for (size_t i = 0; i < w->segments.count; i++)
        to_file(image + sizeof(Elf64_Ehdr) + i * sizeof(Elf64_Phdr), &w->segments.item[i],
                sizeof(Elf64_Phdr), ELF_T_PHDR);
    for (size_t i = 0; i < w->o->segments.count; i++)
        if (w->o->segments.item[i].file_size)
            memcpy(image + w->segments.item[i].p_offset, w->o->segments.item[i].data,
                   w->o->segments.item[i].file_size);
    emit_groups(w, image);
    for (size_t i = 0; i < w->sections.count; i++) {
        const struct out_section *s = &w->sections.item[i];

        if (s->relocates)
            emit_relas(w, &w->sections.item[s->relocates], image + s->header.sh_offset);
        else if (s->data && s->header.sh_type != SHT_NOBITS && s->header.sh_size)
            memcpy(image + s->header.sh_offset, s->data, s->header.sh_size);
        to_file(image + w->headers_at + i * sizeof(Elf64_Shdr), &s->header, sizeof s->header,
                ELF_T_SHDR);
    }
}

static void write_all(void *ctx)
{
    struct writer *w = ctx;
    const struct object *o = w->o;

    w->scratch = arena_create(w->mem);
    strtab_init(&w->strings, w->mem);
    strtab_init(&w->names, w->mem);
    w->section_map = arena_array(w->scratch, o->sections.count + 1, sizeof *w->section_map);
    w->symbol_map = arena_array(w->scratch, o->symbols.count + 1, sizeof *w->symbol_map);
    if (w->with_lines)
        dwarf_write(o, w->scratch, &w->dwarf);
    add_section(w, (struct out_section){.name = ""});
    add_groups(w);
    add_object_sections(w);
    add_made_sections(w);
    add_symbols(w);
    add_relas(w);
    fill_groups(w);
    add_tables(w);
    layout(w);
    emit(w);
}

void obj_write_elf(const struct object *o, bool debug, struct buffer *out)
{
    struct mem *m = out->mem;
    struct writer w = {.o = o, .mem = m, .out = out, .with_lines = debug};
    struct buffer *buffers[] = {&w.isa_note, &w.ext_note, &w.tiles,
                                &w.args,     &w.symbols,  &w.symbol_sections};

    elf_version(EV_CURRENT);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_init(buffers[i], m);
    bool done = mem_attempt(m, write_all, &w);
    dwarf_output_free(m, &w.dwarf);
    strtab_free(&w.strings);
    strtab_free(&w.names);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_free(buffers[i]);
    vec_free(m, &w.sections);
    vec_free(m, &w.segments);
    arena_destroy(w.scratch);
    if (!done)
        mem_give_up(m);
}
