/* SPDX-License-Identifier: BSD-3-Clause */
/* File header, section headers, symbols, relocations and contents, laid out like GNU objdump's. */
#include "objdump/view.h"

#include <ctype.h>
#include <string.h>

enum { DUMP_WIDTH = 16, DUMP_GROUP = 4 };

static const char *revision_name(unsigned set, isa_revset bit)
{
    for (unsigned i = 0; i < ISA_REVISION_COUNT; i++)
        if (isa_revisions[i].set == set && isa_revisions[i].bit == bit)
            return isa_revisions[i].name;
    return "unknown";
}

static void print_file_header(struct view *v)
{
    const struct object *o = v->object;
    const struct obj_identity *id = &o->identity;
    buffer_printf(v->out, "architecture: pto, machine %d\n", OBJ_MACHINE);
    buffer_printf(v->out, "type: %s\n",
                  o->kind == OBJ_EXECUTABLE ? "executable" : "relocatable object");
    if (id->pto)
        buffer_printf(v->out, "revision: %s\n", revision_name(ISA_SET_PTO, id->pto));
    if (id->release)
        buffer_printf(v->out, "identity: release %s, %s, %s\n", id->release,
                      id->encoding_abi ? id->encoding_abi : "",
                      id->projection_sha256 ? id->projection_sha256 : "");
    if (id->seq)
        buffer_printf(v->out, "generation: %s\n", revision_name(ISA_SET_SEQ, id->seq));
    if (id->extensions && id->extensions[0])
        buffer_printf(v->out, "extensions: %s\n", id->extensions);
    if (o->kind == OBJ_EXECUTABLE)
        buffer_printf(v->out, "start address 0x%016llx\n", (unsigned long long)o->entry);
    buffer_printf(v->out, "\n");
}

/* ---- sections ---- */

static unsigned log2_of(uint64_t align)
{
    unsigned n = 0;
    while (align > 1) {
        align >>= 1;
        n++;
    }
    return n;
}

static void print_flags(struct view *v, const struct obj_section *s)
{
    const char *separator = "";
    const struct {
        bool on;
        const char *name;
    } flags[] = {
        {s->type != OBJ_NOBITS, "CONTENTS"},
        {s->flags & OBJ_ALLOC, "ALLOC"},
        {(s->flags & OBJ_ALLOC) && s->type != OBJ_NOBITS, "LOAD"},
        {s->relocs.count != 0, "RELOC"},
        {!(s->flags & OBJ_WRITE) && s->type != OBJ_NOBITS, "READONLY"},
        {s->flags & OBJ_EXEC, "CODE"},
        {!(s->flags & OBJ_EXEC) && (s->flags & OBJ_ALLOC) && s->type != OBJ_NOBITS, "DATA"},
        {s->flags & OBJ_MERGE, "MERGE"},
        {s->flags & OBJ_STRINGS, "STRINGS"},
    };
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].on) {
            buffer_printf(v->out, "%s%s", separator, flags[i].name);
            separator = ", ";
        }
    buffer_printf(v->out, "\n");
}

static void print_section_headers(struct view *v)
{
    const struct object *o = v->object;
    buffer_printf(v->out, "Sections:\nIdx Name          Size      VMA               Algn  Flags\n");
    for (size_t i = 0; i < o->sections.count; i++) {
        const struct obj_section *s = &o->sections.item[i];
        if (!view_wants(v, s))
            continue;
        buffer_printf(v->out, "%3zu %-13s %08llx  %016llx  2**%-2u ", i, s->name,
                      (unsigned long long)s->size,
                      (unsigned long long)(s->address + v->options->adjust), log2_of(s->align));
        print_flags(v, s);
    }
    buffer_printf(v->out, "\n");
}

/* ---- symbols ---- */

static char bind_letter(const struct obj_symbol *s)
{
    if (s->section == OBJ_UNDEF || s->section == OBJ_COMMON)
        return ' ';
    return s->bind == OBJ_LOCAL ? 'l' : s->bind == OBJ_WEAK ? ' ' : 'g';
}

static char type_letter(const struct obj_symbol *s)
{
    switch (s->type) {
    case OBJ_FUNC:
        return 'F';
    case OBJ_DATA:
        return 'O';
    case OBJ_FILE:
        return 'f';
    default:
        return ' ';
    }
}

static void print_symbol(struct view *v, const struct obj_symbol *s)
{
    static const char *const visibility[] = {"", ".internal ", ".hidden ", ".protected "};
    bool debugging = s->type == OBJ_SECTION_SYMBOL || s->type == OBJ_FILE;
    const char *name =
        s->type == OBJ_SECTION_SYMBOL ? section_name(v->object, s->section) : s->name;
    buffer_printf(v->out, "%016llx %c%c    %c%c %s\t%016llx %s%s\n",
                  (unsigned long long)(s->value + (s->section >= 0 ? v->options->adjust : 0)),
                  bind_letter(s), s->bind == OBJ_WEAK ? 'w' : ' ', debugging ? 'd' : ' ',
                  type_letter(s), section_name(v->object, s->section), (unsigned long long)s->size,
                  s->visibility < 4 ? visibility[s->visibility] : "", name);
}

static void print_symbols(struct view *v)
{
    buffer_printf(v->out, "SYMBOL TABLE:\n");
    if (!v->object->symbols.count)
        buffer_printf(v->out, "no symbols\n");
    for (size_t i = 0; i < v->object->symbols.count; i++) {
        const struct obj_symbol *s = &v->object->symbols.item[i];
        if (s->name[0] || s->type == OBJ_SECTION_SYMBOL)
            print_symbol(v, s);
    }
    buffer_printf(v->out, "\n");
}

/* ---- relocations ---- */

void print_symbol_sum(struct view *v, const struct obj_reloc *r)
{
    const struct object *o = v->object;
    const struct obj_symbol *s = r->symbol < o->symbols.count ? &o->symbols.item[r->symbol] : NULL;
    const char *name = !s                              ? "*ABS*"
                       : s->type == OBJ_SECTION_SYMBOL ? section_name(o, s->section)
                       : s->name[0]                    ? s->name
                                                       : "*ABS*";
    buffer_printf(v->out, "%s", name);
    uint64_t magnitude = r->addend < 0 ? 0 - (uint64_t)r->addend : (uint64_t)r->addend;
    if (r->addend)
        buffer_printf(v->out, "%c0x%llx", r->addend < 0 ? '-' : '+', (unsigned long long)magnitude);
}

static void print_relocs(struct view *v)
{
    bool any = false;
    for (size_t i = 0; i < v->object->sections.count; i++) {
        const struct obj_section *s = &v->object->sections.item[i];
        if (!s->relocs.count || !view_wants(v, s))
            continue;
        any = true;
        buffer_printf(v->out, "RELOCATION RECORDS FOR [%s]:\n%-16s %-24s VALUE\n", s->name,
                      "OFFSET", "TYPE");
        for (size_t k = 0; k < s->relocs.count; k++) {
            const struct obj_reloc *r = &s->relocs.item[k];
            buffer_printf(v->out, "%016llx %-24s ", (unsigned long long)r->offset,
                          relocation_name(r->type));
            print_symbol_sum(v, r);
            buffer_printf(v->out, "\n");
        }
        buffer_printf(v->out, "\n");
    }
    if (!any)
        buffer_printf(v->out, "no relocations\n\n");
}

/* ---- contents ---- */

static void print_row(struct view *v, uint64_t offset, uint64_t end)
{
    const uint8_t *data = v->section->data;
    buffer_printf(v->out, " %04llx", (unsigned long long)view_address(v, offset));
    for (uint64_t i = offset; i < offset + DUMP_WIDTH; i++) {
        const char *gap = (i - offset) % DUMP_GROUP ? "" : " ";
        if (i < end)
            buffer_printf(v->out, "%s%02x", gap, data[i]);
        else
            buffer_printf(v->out, "%s  ", gap);
    }
    buffer_printf(v->out, "  ");
    for (uint64_t i = offset; i < offset + DUMP_WIDTH && i < end; i++)
        buffer_printf(v->out, "%c", isprint(data[i]) ? data[i] : '.');
    buffer_printf(v->out, "\n");
}

static void print_contents(struct view *v)
{
    for (size_t i = 0; i < v->object->sections.count; i++) {
        const struct obj_section *s = &v->object->sections.item[i];
        if (s->type == OBJ_NOBITS || !s->size || !view_wants(v, s))
            continue;
        view_open(v, (int)i);
        struct region w = view_window(v);
        if (w.start < w.end)
            buffer_printf(v->out, "Contents of section %s:\n", s->name);
        for (uint64_t at = w.start; at < w.end; at += DUMP_WIDTH) {
            view_drain(v);
            print_row(v, at, w.end);
        }
        view_close(v);
    }
    buffer_printf(v->out, "\n");
}

void print_headers(struct view *v)
{
    if (v->options->file_header)
        print_file_header(v);
    if (v->options->section_headers)
        print_section_headers(v);
    if (v->options->symbols)
        print_symbols(v);
    if (v->options->relocs && !v->options->disassemble)
        print_relocs(v);
    if (v->options->contents)
        print_contents(v);
}
