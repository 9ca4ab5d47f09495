/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * -d: address, bytes in memory order, text. Mapping symbols say what is code;
 * a word without meaning is shown as data with the reason, and decoding goes
 * on behind it.
 */
#include "objdump/view.h"

#include <string.h>

enum { BYTES_SHOWN = 8, RECORD_BYTES_SHOWN = 16, DATA_UNIT = 4 };

/* ---- operands that name places ---- */

struct label_context {
    struct view *view;
    uint64_t offset; /* of the instruction */
};

static void print_place(struct view *v, struct buffer *out, int64_t target)
{
    buffer_text(out, "0x");
    buffer_hex(out, view_address(v, (uint64_t)target), 0, ' ');
    const struct obj_symbol *s = target >= 0 && (uint64_t)target <= v->section->size
                                     ? view_symbol_before(v, (uint64_t)target)
                                     : NULL;
    if (!s)
        return;
    uint64_t behind = (uint64_t)target - view_offset(v, s);
    buffer_printf(out, behind ? " <%s+0x%llx>" : " <%s>", s->name, (unsigned long long)behind);
}

/* Relocated fields hold nothing yet: what comes there is shown. */
static bool print_label(void *ctx, const struct isa_insn *in, unsigned field, unsigned element,
                        struct buffer *out)
{
    struct label_context *c = ctx;
    int64_t target;
    const struct obj_reloc *r = view_field_reloc(c->view, in, field, element, c->offset);
    if (r)
        print_relocated(c->view, r, out);
    else if (view_target(c->view, in, field, c->offset, &target))
        print_place(c->view, out, target);
    else
        return false;
    return true;
}

/* ---- lines ---- */

/* `width` 0: no padding behind the last byte. */
static void print_bytes(struct view *v, uint64_t offset, unsigned n, unsigned width)
{
    static const char blanks[] = "                                                ";
    for (unsigned i = 0; i < n; i++) {
        buffer_text(v->out, i ? " " : "");
        buffer_hex(v->out, v->section->data[offset + i], 2, '0');
    }
    if (n < width)
        buffer_append(v->out, blanks, (size_t)3 * (width - n));
}

static void print_address(struct view *v, uint64_t offset)
{
    buffer_hex(v->out, view_address(v, offset), 8, ' ');
    buffer_text(v->out, ":\t");
}

/* The part before the text: address and bytes. Further bytes of a record follow on own lines. */
static void begin_line(struct view *v, uint64_t offset, unsigned length)
{
    unsigned width = length > BYTES_SHOWN ? RECORD_BYTES_SHOWN : BYTES_SHOWN;
    print_address(v, offset);
    print_bytes(v, offset, length < width ? length : width, width);
    buffer_text(v->out, "\t");
}

static void end_line(struct view *v, uint64_t offset, unsigned length)
{
    buffer_text(v->out, "\n");
    for (unsigned at = RECORD_BYTES_SHOWN; length > BYTES_SHOWN && at < length;
         at += RECORD_BYTES_SHOWN) {
        unsigned n = length - at < RECORD_BYTES_SHOWN ? length - at : RECORD_BYTES_SHOWN;
        print_address(v, offset + at);
        print_bytes(v, offset + at, n, 0);
        buffer_text(v->out, "\n");
    }
}

static void print_directive(struct view *v, uint64_t offset, unsigned n)
{
    const uint8_t *p = v->section->data + offset;
    if (n == 2 || n == 4 || n == 8) {
        buffer_printf(v->out, ".%ubyte\t0x", n);
        for (unsigned i = n; i-- > 0;)
            buffer_printf(v->out, "%02x", p[i]);
        return;
    }
    buffer_printf(v->out, ".byte\t");
    for (unsigned i = 0; i < n; i++)
        buffer_printf(v->out, "%s0x%02x", i ? ", " : "", p[i]);
}

static void print_relocs_at(struct view *v, uint64_t offset, unsigned length)
{
    if (!v->options->relocs)
        return;
    for (size_t i = view_first_reloc(v, offset); i < v->relocs.count; i++) {
        const struct obj_reloc *r = v->relocs.item[i];
        if (r->offset >= offset + length)
            break;
        buffer_printf(v->out, "\t\t\t%llx: %s\t", (unsigned long long)view_address(v, r->offset),
                      relocation_name(r->type));
        print_symbol_sum(v, r);
        buffer_printf(v->out, "\n");
    }
}

static void print_data(struct view *v, uint64_t offset, unsigned length)
{
    begin_line(v, offset, length);
    print_directive(v, offset, length);
    end_line(v, offset, length);
    print_relocs_at(v, offset, length);
}

static unsigned print_instruction(struct view *v, const struct region *r, uint64_t offset)
{
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    const uint8_t *bytes = v->section->data + offset;
    struct label_context context = {v, offset};
    struct isa_print_options print = {.target = v->target, .label = print_label, .ctx = &context};
    enum isa_decode_status status = view_decode(v, r, offset, &insn, &length, &why);
    begin_line(v, offset, length);
    if (status == ISA_DECODED) {
        isa_print(&insn, &print, v->out);
        if (!view_canonical(v, &insn, offset))
            buffer_printf(v->out, "\t# not canonical");
    } else {
        v->illegal = true;
        if (length <= BYTES_SHOWN)
            print_directive(v, offset, length);
        else
            buffer_printf(v->out, ".inst");
        buffer_printf(v->out, "\t# ");
        isa_explain(status, &why, bytes, length, v->out);
    }
    end_line(v, offset, length);
    print_relocs_at(v, offset, length);
    return length;
}

/* ---- sections ---- */

static void print_line_number(struct view *v, uint64_t offset, const struct obj_line **last)
{
    const struct obj_line *l = v->options->lines ? view_line(v, offset) : NULL;
    if (!l || l == *last || (*last && l->line == (*last)->line && l->file == (*last)->file))
        return;
    *last = l;
    if (l->file < v->object->line_files.count)
        buffer_printf(v->out, "%s:%u\n", v->object->line_files.item[l->file], l->line);
}

/* Headings of the symbols at this offset; *next counts through the sorted symbols. */
static void print_headings(struct view *v, uint64_t offset, size_t *next)
{
    while (*next < v->symbols.count && view_offset(v, v->symbols.item[*next]) < offset)
        ++*next;
    for (; *next < v->symbols.count && view_offset(v, v->symbols.item[*next]) == offset; ++*next)
        buffer_printf(v->out, "\n%016llx <%s>:\n", (unsigned long long)view_address(v, offset),
                      v->symbols.item[*next]->name);
}

/* Data go on to the next symbol, in units of a word on word boundaries. */
static unsigned data_length(const struct view *v, uint64_t offset, uint64_t end, size_t next)
{
    uint64_t limit = end;
    if (next < v->symbols.count && view_offset(v, v->symbols.item[next]) < limit)
        limit = view_offset(v, v->symbols.item[next]);
    uint64_t left = limit - offset;
    if (offset % DATA_UNIT == 0 && left >= DATA_UNIT)
        return DATA_UNIT;
    uint64_t odd = DATA_UNIT - offset % DATA_UNIT;
    return (unsigned)(left < odd ? left : odd);
}

/* An instruction that begins before `stop` is shown whole. */
static void disassemble_region(struct view *v, const struct region *r, uint64_t stop, size_t *next,
                               const struct obj_line **line)
{
    uint64_t at = r->start;
    while (at < r->end && at < stop) {
        view_drain(v);
        print_headings(v, at, next);
        if (r->content == OBJ_CONTENT_DATA) {
            unsigned n = data_length(v, at, r->end < stop ? r->end : stop, *next);
            print_data(v, at, n);
            at += n;
        } else {
            print_line_number(v, at, line);
            at += print_instruction(v, r, at);
        }
    }
}

static void disassemble_section(struct view *v)
{
    struct region window = view_window(v);
    size_t next = 0;
    const struct obj_line *line = NULL;
    if (window.start >= window.end)
        return;
    buffer_printf(v->out, "\nDisassembly of section %s:\n", v->section->name);
    if (!v->symbols.count || view_offset(v, v->symbols.item[0]) > window.start)
        buffer_printf(v->out, "\n%016llx <%s>:\n",
                      (unsigned long long)view_address(v, window.start), v->section->name);
    for (size_t i = 0; i < v->regions.count; i++) {
        struct region r = v->regions.item[i];
        r.start = r.start > window.start ? r.start : window.start;
        disassemble_region(v, &r, window.end, &next, &line);
    }
}

void disassemble(struct view *v)
{
    for (size_t i = 0; i < v->object->sections.count; i++) {
        const struct obj_section *s = &v->object->sections.item[i];
        if (!(s->flags & OBJ_EXEC) || s->type == OBJ_NOBITS || !view_wants(v, s))
            continue;
        view_open(v, (int)i);
        disassemble_section(v);
        view_close(v);
    }
    buffer_printf(v->out, "\n");
}
