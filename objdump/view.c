/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding things in one section of an object. */
#include "objdump/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DELETE = 0x7f };

bool is_mapping_symbol(const struct obj_symbol *s)
{
    return s->name[0] == '$' && s->name[1] && strchr("xqd", s->name[1]) &&
           (!s->name[2] || s->name[2] == '.');
}

static uint8_t content_of(const struct obj_symbol *s)
{
    return s->name[1] == 'x'   ? OBJ_CONTENT_CODE
           : s->name[1] == 'q' ? OBJ_CONTENT_SEQ
                               : OBJ_CONTENT_DATA;
}

const char *section_name(const struct object *o, int section)
{
    switch (section) {
    case OBJ_UNDEF:
        return "*UND*";
    case OBJ_ABS:
        return "*ABS*";
    case OBJ_COMMON:
        return "*COM*";
    }
    return o->sections.item[section].name;
}

const char *relocation_name(uint32_t type)
{
    const struct isa_reloc *r = isa_reloc_by_number(type);
    const struct isa_foreign_reloc *f = isa_foreign_reloc_by_number(type);
    return r ? r->name : f ? f->name : "*unknown*";
}

bool view_wants(const struct view *v, const struct obj_section *s)
{
    const char *const *names = v->options->sections;
    if (!names)
        return true;
    while (*names && strcmp(*names, s->name) != 0)
        names++;
    return *names != NULL;
}

static uint64_t section_address(const struct view *v)
{
    return v->object->kind == OBJ_EXECUTABLE ? v->section->address : 0;
}

uint64_t view_offset(const struct view *v, const struct obj_symbol *s)
{
    return s->value - section_address(v);
}

uint64_t view_address(const struct view *v, uint64_t offset)
{
    return section_address(v) + v->options->adjust + offset;
}

struct region view_window(const struct view *v)
{
    uint64_t base = view_address(v, 0), size = v->section->size;
    uint64_t start = v->options->start, stop = v->options->stop;
    struct region r = {.start = start > base ? start - base : 0, .end = size};
    if (stop < base)
        r.end = 0;
    else if (stop - base < size)
        r.end = stop - base;
    if (r.start > r.end)
        r.start = r.end;
    return r;
}

/* ---- symbols and regions ---- */

/* Names that say more come first: global before local, functions before plain labels. */
static int preference(const struct obj_symbol *s)
{
    return (s->bind == OBJ_GLOBAL ? 4 : s->bind == OBJ_WEAK ? 2 : 0) + (s->type == OBJ_FUNC);
}

static int by_value(const void *pa, const void *pb)
{
    const struct obj_symbol *a = *(const struct obj_symbol *const *)pa;
    const struct obj_symbol *b = *(const struct obj_symbol *const *)pb;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    if (preference(a) != preference(b))
        return preference(b) - preference(a);
    return a < b ? -1 : a > b; /* table order */
}

static void sort_symbols(const struct obj_symbol **item, size_t count)
{
    if (count)
        qsort(item, count, sizeof(*item), by_value);
}

/* What the section holds where no mapping symbol says otherwise. */
static uint8_t default_content(const struct obj_section *s)
{
    if (!(s->flags & OBJ_EXEC))
        return OBJ_CONTENT_DATA;
    bool seq = !strcmp(s->name, ".seq") || !strncmp(s->name, ".seq.", 5);
    return seq ? OBJ_CONTENT_SEQ : OBJ_CONTENT_CODE;
}

static void add_region(struct view *v, uint64_t start, uint8_t content)
{
    if (v->regions.count) {
        struct region *last = &v->regions.item[v->regions.count - 1];
        if (last->start == start) {
            last->content = content;
            return;
        }
        last->end = start;
    }
    *vec_push(v->mem, &v->regions) =
        (struct region){.start = start, .end = v->section->size, .content = content};
}

static void find_regions(struct view *v, const struct obj_symbol **maps, size_t count)
{
    add_region(v, 0, default_content(v->section));
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = view_offset(v, maps[i]);
        if (offset < v->section->size)
            add_region(v, offset, content_of(maps[i]));
    }
}

static int by_offset(const void *pa, const void *pb)
{
    const struct obj_reloc *a = *(const struct obj_reloc *const *)pa;
    const struct obj_reloc *b = *(const struct obj_reloc *const *)pb;
    return a->offset != b->offset ? (a->offset < b->offset ? -1 : 1) : a < b ? -1 : a > b;
}

static int by_address(const void *pa, const void *pb)
{
    const struct obj_line *a = *(const struct obj_line *const *)pa;
    const struct obj_line *b = *(const struct obj_line *const *)pb;
    return a->address != b->address ? (a->address < b->address ? -1 : 1) : a < b ? -1 : a > b;
}

static void collect_relocs_and_lines(struct view *v)
{
    v->relocs.count = v->lines.count = 0;
    for (size_t i = 0; i < v->section->relocs.count; i++)
        *vec_push(v->mem, &v->relocs) = &v->section->relocs.item[i];
    for (size_t i = 0; i < v->object->lines.count; i++)
        if (v->object->lines.item[i].section == v->index)
            *vec_push(v->mem, &v->lines) = &v->object->lines.item[i];
    if (v->relocs.count)
        qsort(v->relocs.item, v->relocs.count, sizeof(*v->relocs.item), by_offset);
    if (v->lines.count)
        qsort(v->lines.item, v->lines.count, sizeof(*v->lines.item), by_address);
}

void view_open(struct view *v, int index)
{
    VEC(const struct obj_symbol *) maps = {0};
    v->index = index;
    v->section = &v->object->sections.item[index];
    v->symbols.count = v->regions.count = 0;
    for (size_t i = 0; i < v->object->symbols.count; i++) {
        const struct obj_symbol *s = &v->object->symbols.item[i];
        if (s->section != index || s->type == OBJ_SECTION_SYMBOL || !s->name[0])
            continue;
        if (is_mapping_symbol(s))
            *vec_push(v->mem, &maps) = s;
        else
            *vec_push(v->mem, &v->symbols) = s;
    }
    sort_symbols(maps.item, maps.count);
    sort_symbols(v->symbols.item, v->symbols.count);
    find_regions(v, maps.item, maps.count);
    collect_relocs_and_lines(v);
    vec_free(v->mem, &maps);
}

void view_close(struct view *v)
{
    vec_free(v->mem, &v->symbols);
    vec_free(v->mem, &v->regions);
    vec_free(v->mem, &v->relocs);
    vec_free(v->mem, &v->lines);
    v->targets = mem_resize(v->mem, v->targets, 0);
    v->starts = mem_resize(v->mem, v->starts, 0);
}

const struct obj_symbol *view_symbol_before(const struct view *v, uint64_t offset)
{
    size_t low = 0, high = v->symbols.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (view_offset(v, v->symbols.item[middle]) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    uint64_t value = v->symbols.item[low - 1]->value;
    while (low > 1 && v->symbols.item[low - 2]->value == value) /* the preferred name of equals */
        low--;
    return v->symbols.item[low - 1];
}

size_t view_first_reloc(const struct view *v, uint64_t offset)
{
    size_t low = 0, high = v->relocs.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->relocs.item[middle]->offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct obj_reloc *view_reloc(const struct view *v, uint64_t offset)
{
    size_t i = view_first_reloc(v, offset);
    return i < v->relocs.count && v->relocs.item[i]->offset == offset ? v->relocs.item[i] : NULL;
}

const struct obj_line *view_line(const struct view *v, uint64_t offset)
{
    size_t low = 0, high = v->lines.count;
    if (v->object->kind == OBJ_EXECUTABLE)
        return obj_line_at(v->object, v->section->address + offset);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->lines.item[middle]->address <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low && !v->lines.item[low - 1]->end ? v->lines.item[low - 1] : NULL;
}

const struct obj_reloc *view_field_reloc(const struct view *v, const struct isa_insn *in,
                                         unsigned field, unsigned element, uint64_t offset)
{
    const struct isa_field *f = &in->form->fields[field];
    const struct obj_reloc *r = view_reloc(v, offset + f->reloc_offset + element * f->stride / 8);
    return r && f->reloc && isa_relocs[f->reloc - 1].number == r->type ? r : NULL;
}

void view_drain(struct view *v)
{
    enum { MUCH = 1 << 16 };
    if (v->options->drain && v->out->size >= MUCH)
        v->options->drain(v->options->drain_ctx, v->out);
}

bool view_canonical(const struct view *v, const struct isa_insn *in, uint64_t offset)
{
    uint64_t open = 0;
    bool relocated = in->form->set == ISA_SET_SEQ && v->relocs.count;
    for (unsigned i = 0; relocated && i < in->form->nfields; i++)
        for (unsigned k = 0; k < in->form->fields[i].count; k++)
            if (view_field_reloc(v, in, i, k, offset))
                open |= UINT64_C(1) << i;
    return isa_canonical(&v->target, in, v->section->data + offset, open);
}

void print_quoted(struct buffer *out, const char *text)
{
    buffer_printf(out, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p == '"' || *p == '\\')
            buffer_printf(out, "\\%c", *p);
        else if (*p < ' ' || *p == DELETE)
            buffer_printf(out, "\\%03o", *p);
        else
            buffer_append(out, p, 1);
    buffer_printf(out, "\"");
}

/* The addend of a low part counts from its own place; the text repeats the high part's. */
static int64_t low_addend(const struct view *v, const struct obj_reloc *low)
{
    const struct obj_reloc *best = NULL;
    for (size_t i = 0; i < v->section->relocs.count; i++) {
        const struct obj_reloc *r = &v->section->relocs.item[i];
        const struct isa_reloc *row = isa_reloc_by_number(r->type);
        int64_t distance = (int64_t)(low->offset - r->offset);
        if (row && row->page && r->symbol == low->symbol && r->offset < low->offset &&
            r->addend + distance == low->addend)
            best = r;
    }
    return best ? best->addend : low->addend;
}

static bool is_plain_name(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && !strchr("_.$", name[0]))
        return false;
    for (const char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("_.$", *p))
            return false;
    return true;
}

/* Register names are reserved in operands; such a symbol is quoted. */
void print_name(struct buffer *out, const char *name)
{
    size_t n = strlen(name);
    bool is_register =
        isa_find_member(&isa_enumerations[ISA_ENUM_ScalarSource], name, n, (isa_revset)~0u) ||
        isa_find_member(&isa_enumerations[ISA_ENUM_SeqRegister], name, n, (isa_revset)~0u);
    if (is_plain_name(name) && !is_register)
        buffer_append(out, name, n);
    else
        print_quoted(out, name);
}

static void print_base(const struct view *v, const struct obj_symbol *s, struct buffer *out)
{
    if (!s)
        buffer_printf(out, "0");
    else if (s->type != OBJ_SECTION_SYMBOL)
        print_name(out, s->name);
    else if (v->options->source)
        buffer_printf(out, ".Lsection%d", s->section);
    else
        buffer_printf(out, "%s", section_name(v->object, s->section));
}

void print_relocated(const struct view *v, const struct obj_reloc *r, struct buffer *out)
{
    const struct object *o = v->object;
    const struct obj_symbol *s = r->symbol < o->symbols.count ? &o->symbols.item[r->symbol] : NULL;
    const struct isa_reloc *row = isa_reloc_by_number(r->type);
    bool low = row && row->base == ISA_BASE_LO, high = row && row->page;
    int64_t addend = low ? low_addend(v, r) : r->addend;
    buffer_printf(out, "%s", low ? "%tpcrel_lo(" : high ? "%tpcrel_hi(" : "");
    print_base(v, s, out);
    if (addend)
        buffer_printf(out, "%+lld", (long long)addend);
    buffer_printf(out, "%s", low || high ? ")" : "");
}

/* ---- instructions ---- */

enum isa_decode_status view_decode(const struct view *v, const struct region *r, uint64_t offset,
                                   struct isa_insn *insn, unsigned *length, struct isa_why *why)
{
    const uint8_t *bytes = v->section->data + offset;
    size_t left = r->end - offset;
    if (r->content == OBJ_CONTENT_CODE)
        return isa_decode(&v->target, bytes, left, insn, length, why);
    *length = left < ISA_MAX_LENGTH ? (unsigned)left : ISA_MAX_LENGTH;
    return isa_decode_seq(&v->target, bytes, left, insn, why);
}

bool view_target(const struct view *v, const struct isa_insn *in, unsigned field, uint64_t offset,
                 int64_t *target)
{
    const struct isa_field *f = &in->form->fields[field];
    const struct isa_reloc *r = f->reloc ? &isa_relocs[f->reloc - 1] : NULL;
    if (!r || f->kind != ISA_KIND_PCREL)
        return false;
    uint64_t place = view_address(v, offset) + f->reloc_offset;
    if (r->base == ISA_BASE_P4)
        place &= ~(uint64_t)3;
    uint64_t distance = in->value[f->index] << r->shift;
    *target = (int64_t)(place + distance - view_address(v, 0));
    return true;
}
