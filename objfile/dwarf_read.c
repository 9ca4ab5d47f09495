/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads .debug_line, DWARF 2 to 5, into rows. The input is untrusted: every
 * read goes through a cursor that cannot leave its unit, and a malformed table
 * is dropped as a whole with a reason.
 */
#include "objfile/dwarf_codes.h"
#include "objfile/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- bytes ---- */

struct cursor {
    const uint8_t *base, *at, *end; /* base: start of the section */
    bool bad;                       /* a read went past the end; all further reads give 0 */
};

static size_t left(const struct cursor *c)
{
    return c->bad ? 0 : (size_t)(c->end - c->at);
}

static uint64_t take_int(struct cursor *c, unsigned bytes)
{
    uint64_t value = 0;

    if (left(c) < bytes) {
        c->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)c->at[i] << 8 * i;
    c->at += bytes;
    return value;
}

static uint64_t take_leb(struct cursor *c, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = (uint8_t)take_int(c, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (!c->bad && (byte & 0x80));
    if (is_signed && shift < 64 && (byte & 0x40))
        value |= ~UINT64_C(0) << shift;
    return value;
}

static void skip(struct cursor *c, uint64_t bytes)
{
    if (left(c) < bytes)
        c->bad = true;
    else
        c->at += bytes;
}

static const char *take_string(struct cursor *c)
{
    const uint8_t *start = c->at, *nul = left(c) ? memchr(start, 0, left(c)) : NULL;

    if (!nul) {
        c->bad = true;
        return "";
    }
    c->at = nul + 1;
    return (const char *)start;
}

/* ---- one unit ---- */

struct line_reader {
    struct object *object;
    const struct dwarf_input *in;
    const char *why;          /* what is wrong with the table; NULL: nothing so far */
    struct obj_reloc *relocs; /* of .debug_line, by offset */
    size_t nrelocs;
    struct intern *names;
    struct map known_files; /* interned path -> index in object.line_files + 1 */
    struct cursor c;        /* over the current unit */

    unsigned version, offset_size, address_size;
    unsigned min_length, line_range, opcode_base;
    int line_base;
    uint8_t operands[256]; /* of standard opcodes */
    VEC(const char *) directories;
    VEC(uint32_t) files; /* the unit's file table, as indexes into object.line_files */
    uint32_t first_file; /* index of the first entry: 1 before DWARF 5, else 0 */
};

static int compare_offsets(const void *a, const void *b)
{
    const struct obj_reloc *x = a, *y = b;

    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The relocation at the cursor, NULL when there is none. */
static const struct obj_reloc *reloc_here(const struct line_reader *r)
{
    struct obj_reloc key = {.offset = (uint64_t)(r->c.at - r->c.base)};

    return r->nrelocs ? bsearch(&key, r->relocs, r->nrelocs, sizeof key, compare_offsets) : NULL;
}

static const char *string_at(const struct obj_section *s, uint64_t offset)
{
    if (offset >= s->size || !memchr(s->data + offset, 0, s->size - offset))
        return NULL;
    return (const char *)s->data + offset;
}

/* An offset into a string section; a relocatable object has it in a relocation's addend. */
static const char *take_indirect(struct line_reader *r, const struct obj_section *strings)
{
    const struct obj_reloc *reloc = reloc_here(r);
    uint64_t offset = take_int(&r->c, r->offset_size);

    if (reloc)
        offset = (uint64_t)reloc->addend + r->object->symbols.item[reloc->symbol].value;
    const char *text = string_at(strings, offset);
    if (!text)
        r->c.bad = true;
    return text ? text : "";
}

/* One attribute of a DWARF 5 directory or file entry. */
static void take_form(struct line_reader *r, uint64_t form, const char **text, uint64_t *number)
{
    struct cursor *c = &r->c;

    switch (form) {
    case DW_FORM_string:
        *text = take_string(c);
        return;
    case DW_FORM_line_strp:
        *text = take_indirect(r, &r->in->line_str);
        return;
    case DW_FORM_strp:
        *text = take_indirect(r, &r->in->str);
        return;
    case DW_FORM_udata:
        *number = take_leb(c, false);
        return;
    case DW_FORM_data1:
        *number = take_int(c, 1);
        return;
    case DW_FORM_data2:
        *number = take_int(c, 2);
        return;
    case DW_FORM_data4:
        *number = take_int(c, 4);
        return;
    case DW_FORM_data8:
        *number = take_int(c, 8);
        return;
    case DW_FORM_data16:
        skip(c, 16);
        return;
    case DW_FORM_block:
        skip(c, take_leb(c, false));
        return;
    case DW_FORM_block1:
        skip(c, take_int(c, 1));
        return;
    case DW_FORM_block2:
        skip(c, take_int(c, 2));
        return;
    case DW_FORM_block4:
        skip(c, take_int(c, 4));
        return;
    default:
        c->bad = true;
    }
}

static void add_directory(struct line_reader *r, const char *name)
{
    *vec_push(r->object->mem, &r->directories) = name;
}

/* Adds a file of the unit; the object's table has each path once. */
static void add_file(struct line_reader *r, const char *name, uint64_t directory)
{
    struct object *o = r->object;
    uint64_t first_directory = r->version >= 5 ? 0 : 1; /* 0 is the unknown compilation directory */
    uint64_t index = directory - first_directory;
    const char *dir = index < r->directories.count ? r->directories.item[index] : "";
    bool plain = !*dir || !strcmp(dir, ".") || name[0] == '/' || (r->version >= 5 && index == 0);
    const char *path = plain ? name : arena_printf(o->arena, "%s/%s", dir, name);
    void **slot = map_put(&r->known_files, intern_z(r->names, path));

    if (!*slot) {
        *vec_push(o->mem, &o->line_files) = path;
        *slot = (void *)(uintptr_t)o->line_files.count;
    }
    *vec_push(o->mem, &r->files) = (uint32_t)((uintptr_t)*slot - 1);
}

static void read_tables_v4(struct line_reader *r)
{
    const char *name;

    while (name = take_string(&r->c), *name)
        add_directory(r, name);
    while (name = take_string(&r->c), *name) {
        uint64_t directory = take_leb(&r->c, false);

        take_leb(&r->c, false); /* time */
        take_leb(&r->c, false); /* length */
        add_file(r, name, directory);
    }
}

/* A DWARF 5 entry table: formats, then entries of those formats. */
static void read_table_v5(struct line_reader *r, bool files)
{
    enum { MAX_FORMATS = 255 };
    uint64_t type[MAX_FORMATS], form[MAX_FORMATS];
    unsigned nformats = (unsigned)take_int(&r->c, 1);

    for (unsigned i = 0; i < nformats; i++) {
        type[i] = take_leb(&r->c, false);
        form[i] = take_leb(&r->c, false);
    }
    uint64_t count = take_leb(&r->c, false);
    for (uint64_t n = 0; n < count && !r->c.bad; n++) {
        const char *path = "";
        uint64_t directory = 0;

        if (nformats == 0)
            r->c.bad = true; /* entries without bytes would never end */
        for (unsigned i = 0; i < nformats; i++) {
            const char *text = "";
            uint64_t number = 0;

            take_form(r, form[i], &text, &number);
            if (type[i] == DW_LNCT_path)
                path = text;
            else if (type[i] == DW_LNCT_directory_index)
                directory = number;
        }
        if (r->c.bad)
            return;
        if (files)
            add_file(r, path, directory);
        else
            add_directory(r, path);
    }
}

/* Everything before the program. False: malformed or a version that is not known. */
static bool read_header(struct line_reader *r)
{
    struct cursor *c = &r->c;

    r->version = (unsigned)take_int(c, 2);
    if (r->version < 2 || r->version > 5)
        return false;
    r->address_size = 8;
    if (r->version >= 5) {
        r->address_size = (unsigned)take_int(c, 1);
        take_int(c, 1); /* segment selector size */
    }
    uint64_t header_length = take_int(c, r->offset_size);
    if (c->bad || header_length > left(c))
        return false;
    const uint8_t *program = c->at + header_length;
    r->min_length = (unsigned)take_int(c, 1);
    if (r->version >= 4)
        take_int(c, 1); /* operations an instruction */
    take_int(c, 1);     /* default is_stmt */
    r->line_base = (int8_t)take_int(c, 1);
    r->line_range = (unsigned)take_int(c, 1);
    r->opcode_base = (unsigned)take_int(c, 1);
    if (r->line_range == 0 || r->opcode_base == 0 || r->address_size != 8)
        return false;
    for (unsigned i = 1; i < r->opcode_base; i++)
        r->operands[i] = (uint8_t)take_int(c, 1);
    r->first_file = r->version >= 5 ? 0 : 1;
    if (r->version >= 5) {
        read_table_v5(r, false);
        read_table_v5(r, true);
    } else {
        read_tables_v4(r);
    }
    if (c->bad || c->at > program)
        return false;
    c->at = program;
    return true;
}

/* ---- the line program ---- */

struct line_registers {
    int section; /* relocatable: -1 until the address is set */
    uint64_t address;
    uint64_t file, line, col;
};

static const struct line_registers initial_registers = {.section = -1, .file = 1, .line = 1};

static void emit_row(struct line_reader *r, const struct line_registers *reg, bool end)
{
    struct object *o = r->object;
    uint64_t file = reg->file - r->first_file;

    if (o->kind == OBJ_RELOCATABLE && reg->section < 0)
        return; /* a sequence whose section is unknown tells nothing */
    if (file >= r->files.count && !end) {
        r->c.bad = true;
        return;
    }
    *vec_push(o->mem, &o->lines) = (struct obj_line){
        .section = reg->section,
        .address = reg->address,
        .file = file < r->files.count ? r->files.item[file] : 0,
        .line = (uint32_t)reg->line,
        .col = (uint32_t)reg->col,
        .end = end,
    };
}

static void set_address(struct line_reader *r, struct line_registers *reg)
{
    struct object *o = r->object;
    const struct obj_reloc *reloc = reloc_here(r);

    reg->address = take_int(&r->c, r->address_size);
    if (o->kind == OBJ_EXECUTABLE || !reloc)
        return;
    const struct obj_symbol *symbol = &o->symbols.item[reloc->symbol];
    reg->section = symbol->section >= 0 ? symbol->section : -1;
    reg->address = symbol->value + (uint64_t)reloc->addend;
}

static void extended_op(struct line_reader *r, struct line_registers *reg)
{
    struct cursor *c = &r->c;
    uint64_t length = take_leb(c, false);

    if (length == 0 || length > left(c)) {
        c->bad = true;
        return;
    }
    const uint8_t *next = c->at + length;
    unsigned op = (unsigned)take_int(c, 1);
    if (op == DW_LNE_end_sequence) {
        emit_row(r, reg, true);
        *reg = initial_registers;
    } else if (op == DW_LNE_set_address && length == 1 + r->address_size) {
        set_address(r, reg);
    }
    c->at = next; /* unknown operations are skipped */
}

static void standard_op(struct line_reader *r, struct line_registers *reg, unsigned op)
{
    struct cursor *c = &r->c;

    switch (op) {
    case DW_LNS_copy:
        emit_row(r, reg, false);
        return;
    case DW_LNS_advance_pc:
        reg->address += take_leb(c, false) * r->min_length;
        return;
    case DW_LNS_advance_line:
        reg->line += take_leb(c, true);
        return;
    case DW_LNS_set_file:
        reg->file = take_leb(c, false);
        return;
    case DW_LNS_set_column:
        reg->col = take_leb(c, false);
        return;
    case DW_LNS_const_add_pc:
        reg->address += (255 - r->opcode_base) / r->line_range * r->min_length;
        return;
    case DW_LNS_fixed_advance_pc:
        reg->address += take_int(c, 2);
        return;
    default:
        for (unsigned i = 0; i < r->operands[op]; i++)
            take_leb(c, false);
    }
}

static void run_program(struct line_reader *r)
{
    struct line_registers reg = initial_registers;

    while (left(&r->c)) {
        unsigned op = (unsigned)take_int(&r->c, 1);

        if (op >= r->opcode_base) {
            unsigned special = op - r->opcode_base;

            reg.address += special / r->line_range * r->min_length;
            reg.line += (uint64_t)(r->line_base + (int64_t)(special % r->line_range));
            emit_row(r, &reg, false);
        } else if (op == 0) {
            extended_op(r, &reg);
        } else {
            standard_op(r, &reg, op);
        }
    }
}

/* Reads one unit and advances `section` behind it. */
static const char *read_unit(struct line_reader *r, struct cursor *section)
{
    uint64_t length = take_int(section, 4);

    r->offset_size = 4;
    if (length == 0xffffffff) { /* 64-bit DWARF */
        length = take_int(section, 8);
        r->offset_size = 8;
    }
    if (section->bad || length > left(section))
        return "a unit ends behind the section";
    r->c = (struct cursor){.base = section->base, .at = section->at, .end = section->at + length};
    section->at += length;
    r->directories.count = r->files.count = 0;
    if (!read_header(r))
        return "a unit's header is malformed or its version is not known";
    run_program(r);
    return r->c.bad ? "a line program is malformed" : NULL;
}

static void read_units(void *ctx)
{
    struct line_reader *r = ctx;
    const struct obj_section *line = &r->in->line;
    struct cursor section = {.base = line->data, .at = line->data};

    section.end = section.at + line->size;
    r->nrelocs = line->relocs.count;
    r->relocs = arena_array(r->object->arena, r->nrelocs + 1, sizeof *r->relocs);
    for (size_t i = 0; i < r->nrelocs; i++)
        r->relocs[i] = line->relocs.item[i];
    qsort(r->relocs, r->nrelocs, sizeof *r->relocs, compare_offsets);
    r->names = intern_create(r->object->mem);
    while (!r->why && left(&section))
        r->why = read_unit(r, &section);
}

const char *dwarf_read(struct object *o, const struct dwarf_input *in)
{
    struct line_reader r = {.object = o, .in = in};
    size_t lines = o->lines.count, files = o->line_files.count;

    map_init(&r.known_files, o->mem);
    bool done = mem_attempt(o->mem, read_units, &r);
    map_free(&r.known_files);
    intern_destroy(r.names);
    vec_free(o->mem, &r.directories);
    vec_free(o->mem, &r.files);
    if (!done)
        mem_give_up(o->mem);
    if (r.why) {
        o->lines.count = lines;
        o->line_files.count = files;
    }
    return r.why;
}
