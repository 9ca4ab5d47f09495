/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --emit=bundles: each PTO-AS statement, as a comment, with the instructions
 * that it becomes below it, in the order of the code. What is printed
 * assembles to the same instructions.
 */
#include "asm/assembler.h"

#include <string.h>

void asm_show_statement(struct assembler *as, struct loc loc)
{
    if (as->options->bundles)
        *vec_push(as->mem, &as->lowered) = (struct lowered_row){.loc = loc};
}

void asm_show_insn(struct assembler *as, struct loc loc)
{
    *vec_push(as->mem, &as->lowered) =
        (struct lowered_row){.insn = true,
                             .section = as->section,
                             .offset = asm_offset(as->section),
                             .points = (uint32_t)as->section->points.count,
                             .loc = loc};
}

static const struct source *find_source(const struct assembler *as, uint32_t file)
{
    for (size_t i = 0; i < as->sources.count; i++)
        if (as->sources.item[i].file == file)
            return &as->sources.item[i];
    return NULL;
}

struct reader { /* statements come mostly in the order of their lines */
    uint32_t file, line;
    const char *at;
};

/* The lines of a statement, without the blanks in front. */
static void show_lines(struct assembler *as, struct loc loc, struct reader *r)
{
    const struct source *s = find_source(as, loc.file);
    if (r->file != loc.file || r->line > loc.line)
        *r = (struct reader){loc.file, 1, s != NULL ? s->text : ""};
    for (; *r->at != '\0' && r->line <= loc.end_line; r->line++) {
        const char *p = r->at;
        size_t length = strcspn(p, "\r\n"), blanks = strspn(p, " \t");
        if (r->line >= loc.line && blanks < length)
            buffer_printf(as->options->bundles, "// %s:%u: %.*s\n", s->name, (unsigned)r->line,
                          (int)(length - blanks), p + blanks);
        r->at = p + length + (p[length] == '\r' && p[length + 1] == '\n' ? 2 : p[length] != '\0');
    }
}

static void show_word(struct assembler *as, const struct lowered_row *row)
{
    const struct section *section = row->section;
    struct buffer *out = as->options->bundles;
    struct isa_print_options options = {.target = as->target};
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    uint64_t left = section->bytes.size - row->offset;
    const uint8_t *bytes = section->bytes.data + row->offset;
    enum isa_decode_status status = row->offset < section->bytes.size
                                        ? isa_decode(&as->target, bytes, left, &insn, &length, &why)
                                        : ISA_TRUNCATED;
    if (status == ISA_TRUNCATED) /* refused words */
        return;
    buffer_printf(out, "        ");
    if (status == ISA_DECODED) {
        isa_print(&insn, &options, out);
    } else { /* layout codes that the extension adds */
        buffer_printf(out, ".inst 0x");
        for (unsigned n = length; n-- > 0;)
            buffer_printf(out, "%02x", bytes[n]);
        buffer_printf(out, "  # ");
        isa_explain(status, &why, bytes, length, out);
    }
    buffer_printf(out, "\n");
}

void asm_show_finish(struct assembler *as)
{
    struct loc shown = {0};
    struct reader reader = {0};
    for (size_t i = 0; as->options->bundles && i < as->lowered.count; i++) {
        const struct lowered_row *row = &as->lowered.item[i];
        if (!row->insn || row->loc.file != shown.file || row->loc.line != shown.line)
            show_lines(as, row->loc, &reader);
        shown = row->loc;
        if (row->insn)
            show_word(as, row);
    }
}
