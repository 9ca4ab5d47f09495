/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Line tables as DWARF 5: one compilation unit, one line program with a
 * sequence for each run of rows, and .debug_rnglists that names the runs, so that
 * addr2line and debuggers find the unit by address.
 */
#include "objfile/dwarf_codes.h"
#include "objfile/internal.h"

#include <string.h>

const char *const dwarf_section_names[DWARF_SECTIONS] = {
    [DWARF_ABBREV] = ".debug_abbrev",
    [DWARF_INFO] = ".debug_info",
    [DWARF_LINE] = ".debug_line",
    [DWARF_RANGES] = ".debug_rnglists",
};

enum {
    DWARF_VERSION = 5,
    ADDRESS_SIZE = 8,
    LENGTH_SIZE = 4, /* the initial length of a 32-bit DWARF unit */
    RANGES_HEADER = 12,
    /* Special opcodes: line advance -5..8, the rest of the opcode space advances the address. */
    LINE_BASE = -5,
    LINE_RANGE = 14,
    OPCODE_BASE = 13,
    OPCODE_MAX = 255,
};

struct dwarf_writer {
    struct mem *mem;
    struct arena *scratch;
    const struct object *object;
    struct dwarf_output *out;
};

static struct buffer *content(struct dwarf_writer *w, enum dwarf_section s)
{
    return &w->out->content[s];
}

static void put_int(struct buffer *b, uint64_t value, unsigned bytes)
{
    uint8_t *p = buffer_extend(b, bytes);

    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static void put_uleb(struct buffer *b, uint64_t value)
{
    do {
        uint8_t byte = value & 0x7f;

        value >>= 7;
        put_int(b, byte | (value ? 0x80 : 0), 1);
    } while (value);
}

static void put_sleb(struct buffer *b, int64_t value)
{
    for (;;) {
        uint8_t byte = value & 0x7f;

        value >>= 7; /* arithmetic: the sign fills in */
        if ((value == 0 && !(byte & 0x40)) || (value == -1 && (byte & 0x40))) {
            put_int(b, byte, 1);
            return;
        }
        put_int(b, byte | 0x80, 1);
    }
}

static void put_string(struct buffer *b, const char *text)
{
    buffer_append(b, text, strlen(text) + 1);
}

static void patch_length(struct buffer *b, size_t at, size_t from)
{
    uint64_t length = b->size - from;

    for (unsigned i = 0; i < LENGTH_SIZE; i++)
        b->data[at + i] = (uint8_t)(length >> 8 * i);
}

/* A 64-bit address: final in an executable, else section + offset for the linker. */
static void put_address(struct dwarf_writer *w, enum dwarf_section where, int section,
                        uint64_t address)
{
    struct buffer *b = content(w, where);

    if (w->object->kind == OBJ_EXECUTABLE) {
        put_int(b, address, ADDRESS_SIZE);
        return;
    }
    *vec_push(w->mem, &w->out->fixups[where]) =
        (struct dwarf_fixup){.offset = b->size, .section = section, .addend = (int64_t)address};
    put_int(b, 0, ADDRESS_SIZE);
}

/* A 32-bit offset into another debug section. */
static void put_section_offset(struct dwarf_writer *w, enum dwarf_section where,
                               enum dwarf_section target, uint32_t offset)
{
    struct buffer *b = content(w, where);

    if (w->object->kind == OBJ_RELOCATABLE)
        *vec_push(w->mem, &w->out->fixups[where]) = (struct dwarf_fixup){
            .offset = b->size, .section = -1, .target = target, .addend = offset};
    put_int(b, w->object->kind == OBJ_RELOCATABLE ? 0 : offset, 4);
}

/* ---- .debug_abbrev and .debug_info ---- */

static const uint8_t unit_attributes[][2] = {
    {DW_AT_producer, DW_FORM_string}, {DW_AT_language, DW_FORM_data2},
    {DW_AT_name, DW_FORM_string},     {DW_AT_stmt_list, DW_FORM_sec_offset},
    {DW_AT_low_pc, DW_FORM_addr},     {DW_AT_ranges, DW_FORM_sec_offset},
};

enum { ABBREV_UNIT = 1 };

static void write_abbrev(struct dwarf_writer *w)
{
    struct buffer *b = content(w, DWARF_ABBREV);

    put_uleb(b, ABBREV_UNIT);
    put_uleb(b, DW_TAG_compile_unit);
    put_int(b, DW_CHILDREN_no, 1);
    for (size_t i = 0; i < sizeof unit_attributes / sizeof *unit_attributes; i++) {
        put_uleb(b, unit_attributes[i][0]);
        put_uleb(b, unit_attributes[i][1]);
    }
    put_int(b, 0, 2); /* end of attributes */
    put_int(b, 0, 1); /* end of abbreviations */
}

static void write_info(struct dwarf_writer *w)
{
    struct buffer *b = content(w, DWARF_INFO);

    put_int(b, 0, LENGTH_SIZE);
    put_int(b, DWARF_VERSION, 2);
    put_int(b, DW_UT_compile, 1);
    put_int(b, ADDRESS_SIZE, 1);
    put_section_offset(w, DWARF_INFO, DWARF_ABBREV, 0);
    put_uleb(b, ABBREV_UNIT);
    put_string(b, "pto-as");
    put_int(b, DW_LANG_Mips_Assembler, 2); /* the code that all assemblers use */
    put_string(b, w->object->line_files.count ? w->object->line_files.item[0] : "");
    put_section_offset(w, DWARF_INFO, DWARF_LINE, 0);
    put_int(b, 0, ADDRESS_SIZE); /* base of the ranges */
    put_section_offset(w, DWARF_INFO, DWARF_RANGES, RANGES_HEADER);
    patch_length(b, 0, LENGTH_SIZE);
}

/* ---- .debug_line ---- */

/* The state machine's registers (DWARF 5, 6.2.2). */
struct line_state {
    uint64_t address;
    uint32_t file, line, col;
};

static void extended_op(struct buffer *b, uint8_t op, size_t operand_bytes)
{
    put_int(b, 0, 1);
    put_uleb(b, operand_bytes + 1);
    put_int(b, op, 1);
}

/* Appends one row with the shortest opcodes. */
static void write_row(struct buffer *b, struct line_state *state, const struct obj_line *row)
{
    uint64_t advance = row->address - state->address;
    int64_t lines = (int64_t)row->line - state->line;

    if (state->file != row->file) {
        put_int(b, DW_LNS_set_file, 1);
        put_uleb(b, row->file);
    }
    if (state->col != row->col) {
        put_int(b, DW_LNS_set_column, 1);
        put_uleb(b, row->col);
    }
    if (lines < LINE_BASE || lines >= LINE_BASE + LINE_RANGE) {
        put_int(b, DW_LNS_advance_line, 1);
        put_sleb(b, lines);
        lines = 0;
    }
    uint64_t special = (uint64_t)(lines - LINE_BASE) + OPCODE_BASE;
    if (advance > (OPCODE_MAX - special) / LINE_RANGE) {
        put_int(b, DW_LNS_advance_pc, 1);
        put_uleb(b, advance);
        advance = 0;
    }
    put_int(b, special + advance * LINE_RANGE, 1);
    *state = (struct line_state){row->address, row->file, row->line, row->col};
}

/* One sequence: rows[0..count) in one section, ascending, and the address behind it. */
static void write_sequence(struct dwarf_writer *w, const struct obj_line *const *rows, size_t count,
                           uint64_t end)
{
    struct buffer *b = content(w, DWARF_LINE);
    /* The initial file is 1; readers differ in what that means when files count from 0. */
    struct line_state state = {.address = rows[0]->address, .file = UINT32_MAX, .line = 1};

    extended_op(b, DW_LNE_set_address, ADDRESS_SIZE);
    put_address(w, DWARF_LINE, rows[0]->section, rows[0]->address);
    for (size_t i = 0; i < count; i++)
        write_row(b, &state, rows[i]);
    put_int(b, DW_LNS_advance_pc, 1);
    put_uleb(b, end - state.address);
    extended_op(b, DW_LNE_end_sequence, 0);

    put_int(content(w, DWARF_RANGES), DW_RLE_start_end, 1);
    put_address(w, DWARF_RANGES, rows[0]->section, rows[0]->address);
    put_address(w, DWARF_RANGES, rows[0]->section, end);
}

/* End of a sequence that no row ends: the end of its section. */
static uint64_t section_end(const struct object *o, const struct obj_line *last)
{
    if (o->kind == OBJ_RELOCATABLE)
        return o->sections.item[last->section].size;
    for (size_t i = 0; i < o->sections.count; i++) {
        const struct obj_section *s = &o->sections.item[i];

        if ((s->flags & OBJ_ALLOC) && last->address - s->address < s->size)
            return s->address + s->size;
    }
    return last->address;
}

/* Splits the rows of one section into ascending sequences. */
static void write_rows(struct dwarf_writer *w, const struct obj_line *const *rows, size_t count)
{
    size_t first = 0;

    for (size_t i = 0; i < count; i++) {
        bool ends = rows[i]->end;
        bool breaks = i > first && rows[i]->address < rows[i - 1]->address;

        if (breaks || ends) {
            if (i > first)
                write_sequence(w, rows + first, i - first,
                               breaks ? rows[i - 1]->address : rows[i]->address);
            first = ends ? i + 1 : i;
        }
    }
    if (first < count)
        write_sequence(w, rows + first, count - first, section_end(w->object, rows[count - 1]));
}

/* Rows of all sections, grouped by section (the assembler may alternate between them). */
static void write_program(struct dwarf_writer *w)
{
    const struct object *o = w->object;
    size_t nsections = o->kind == OBJ_EXECUTABLE ? 1 : o->sections.count, total = o->lines.count;
    const struct obj_line **rows = arena_array(w->scratch, total + 1, sizeof *rows);
    size_t *start = arena_array(w->scratch, nsections + 2, sizeof *start);

    for (size_t i = 0; i < total; i++)
        start[(nsections == 1 ? 0 : o->lines.item[i].section) + 2]++;
    for (size_t s = 1; s < nsections + 2; s++)
        start[s] += start[s - 1];
    for (size_t i = 0; i < total; i++)
        rows[start[(nsections == 1 ? 0 : o->lines.item[i].section) + 1]++] = &o->lines.item[i];
    for (size_t s = 0; s < nsections; s++)
        if (start[s + 1] > start[s])
            write_rows(w, rows + start[s], start[s + 1] - start[s]);
}

/* One directory, the one of the compilation, which no file of ours names (the output does not
 * depend on it); file names as the user wrote them, counted from 0. */
static void write_names(struct buffer *b, const struct object *o)
{
    put_int(b, 1, 1); /* a directory has one attribute */
    put_uleb(b, DW_LNCT_path);
    put_uleb(b, DW_FORM_string);
    put_uleb(b, 1);
    put_string(b, ".");
    put_int(b, 2, 1); /* a file has two */
    put_uleb(b, DW_LNCT_path);
    put_uleb(b, DW_FORM_string);
    put_uleb(b, DW_LNCT_directory_index);
    put_uleb(b, DW_FORM_udata);
    put_uleb(b, o->line_files.count);
    for (size_t i = 0; i < o->line_files.count; i++) {
        put_string(b, o->line_files.item[i]);
        put_uleb(b, 0);
    }
}

static void write_ranges_header(struct dwarf_writer *w)
{
    struct buffer *b = content(w, DWARF_RANGES);

    put_int(b, 0, LENGTH_SIZE);
    put_int(b, DWARF_VERSION, 2);
    put_int(b, ADDRESS_SIZE, 1);
    put_int(b, 0, 1); /* no segment selectors */
    put_int(b, 0, 4); /* no table of offsets */
}

static void write_line(struct dwarf_writer *w)
{
    /* Operands of the standard opcodes 1..12 (DWARF 5, 6.2.4 item 11). */
    static const uint8_t operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    const struct object *o = w->object;
    struct buffer *b = content(w, DWARF_LINE);

    put_int(b, 0, LENGTH_SIZE);
    put_int(b, DWARF_VERSION, 2);
    put_int(b, ADDRESS_SIZE, 1);
    put_int(b, 0, 1); /* no segment selectors */
    size_t header_length = b->size;
    put_int(b, 0, 4);
    size_t header = b->size;
    put_int(b, 1, 1); /* minimum instruction length: data rows may be odd */
    put_int(b, 1, 1); /* operations an instruction */
    put_int(b, 1, 1); /* default is_stmt */
    put_int(b, (uint8_t)LINE_BASE, 1);
    put_int(b, LINE_RANGE, 1);
    put_int(b, OPCODE_BASE, 1);
    buffer_append(b, operands, sizeof operands);
    write_names(b, o);
    patch_length(b, header_length, header);
    write_program(w);
    patch_length(b, 0, LENGTH_SIZE);
}

void dwarf_write(const struct object *o, struct arena *scratch, struct dwarf_output *out)
{
    struct dwarf_writer w = {.mem = o->mem, .scratch = scratch, .object = o, .out = out};

    *out = (struct dwarf_output){0};
    for (int s = 0; s < DWARF_SECTIONS; s++)
        buffer_init(&out->content[s], o->mem);
    if (o->lines.count == 0)
        return;
    write_abbrev(&w);
    write_info(&w);
    write_ranges_header(&w);
    write_line(&w);
    put_int(content(&w, DWARF_RANGES), DW_RLE_end_of_list, 1);
    patch_length(content(&w, DWARF_RANGES), 0, LENGTH_SIZE);
}

void dwarf_output_free(struct mem *m, struct dwarf_output *out)
{
    for (int s = 0; s < DWARF_SECTIONS; s++) {
        buffer_free(&out->content[s]);
        vec_free(m, &out->fixups[s]);
    }
}
