/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * -a: each source line with the address and the bytes it made, then the
 * symbols. The bytes are those of the finished object, so the listing is
 * written behind the fixups. Lines of macros and includes count for the line
 * of the main file that called them.
 */
#include "asm/assembler.h"

#include <string.h>

enum { LIST_BYTES = 8 }; /* bytes in one line of the listing */

void asm_list_statement(struct assembler *as, struct loc loc, const struct section *before,
                        uint64_t offset, uint32_t points)
{
    struct section *section = as->section;
    if (!section)
        return;
    if (section != before) {
        offset = 0;
        points = 0;
    }
    uint64_t end = asm_offset(section);
    uint32_t end_points = (uint32_t)section->points.count;
    struct loc place = diag_root(as->diag, loc);
    if ((end == offset && points == end_points) || place.file != as->file)
        return;
    struct listing_row *row = vec_push(as->mem, &as->listing);
    *row = (struct listing_row){section, offset, end, points, end_points, place.line};
}

struct line_reader {
    const char *at, *end;
    uint32_t line;
};

/* The next source line without its line end; false at the end. */
static bool next_line(struct line_reader *r, const char **text, size_t *size)
{
    if (r->at >= r->end)
        return false;
    const char *p = r->at;
    while (p < r->end && *p != '\n' && *p != '\r')
        p++;
    *text = r->at;
    *size = (size_t)(p - r->at);
    if (p + 1 < r->end && p[0] == '\r' && p[1] == '\n')
        p++;
    r->at = p + 1;
    r->line++;
    return true;
}

static unsigned list_bytes(struct buffer *out, const struct listing_row *row, uint64_t done)
{
    const struct section *section = row->section;
    uint64_t left = row->end - row->offset - done;
    unsigned count = left < LIST_BYTES ? (unsigned)left : LIST_BYTES;
    buffer_printf(out, "%-6s %08llx ", section->name, (unsigned long long)(row->offset + done));
    for (unsigned n = 0; n < LIST_BYTES; n++)
        if (n >= count)
            buffer_append(out, "  ", 2);
        else if (section->type == OBJ_NOBITS)
            buffer_append(out, "??", 2);
        else
            buffer_printf(out, "%02x", section->bytes.data[row->offset + done + n]);
    return count;
}

/* `text` stands beside the first bytes of its line. */
static void list_row(struct buffer *out, const struct listing_row *row, uint32_t line,
                     const char *text, size_t size)
{
    buffer_printf(out, "%5u ", (unsigned)line);
    uint64_t done = list_bytes(out, row, 0);
    buffer_printf(out, "  %.*s\n", (int)size, text);
    while (done < row->end - row->offset) {
        buffer_printf(out, "%5s ", "");
        done += list_bytes(out, row, done);
        buffer_append(out, "\n", 1);
    }
}

static void list_source(struct assembler *as, const char *text, size_t size)
{
    struct buffer *out = as->options->listing;
    struct line_reader reader = {text, text + size, 0};
    const char *line;
    size_t length, n = 0;
    while (next_line(&reader, &line, &length)) {
        bool first = true;
        for (; n < as->listing.count && as->listing.item[n].line <= reader.line; n++) {
            if (as->listing.item[n].end == as->listing.item[n].offset)
                continue;
            list_row(out, &as->listing.item[n], reader.line, line, first ? length : 0);
            first = false;
        }
        if (first)
            buffer_printf(out, "%5u %*s  %.*s\n", (unsigned)reader.line, 16 + 2 * LIST_BYTES, "",
                          (int)length, line);
    }
}

static void list_symbols(struct assembler *as)
{
    struct buffer *out = as->options->listing;
    buffer_printf(out, "\nSymbols\n");
    for (size_t i = 0; i < as->object->symbols.count; i++) {
        const struct obj_symbol *s = &as->object->symbols.item[i];
        const char *place = s->section == OBJ_UNDEF    ? "*UND*"
                            : s->section == OBJ_ABS    ? "*ABS*"
                            : s->section == OBJ_COMMON ? "*COM*"
                                                       : as->sections.item[s->section]->name;
        if (s->name[0] && s->name[0] != '$')
            buffer_printf(out, "%-8s %016llx %s\n", place, (unsigned long long)s->value, s->name);
    }
}

void asm_list_finish(struct assembler *as, const char *text, size_t size)
{
    if (!as->options->listing)
        return;
    if (as->options->list_source)
        list_source(as, text, size);
    if (as->options->list_symbols)
        list_symbols(as);
}
