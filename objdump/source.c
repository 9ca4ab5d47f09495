/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --asm: source text that assembles to the same sections. Canonical words are
 * written as instructions, all others as `.inst` with what they mean or why
 * they mean nothing. Branches inside a section go to labels; places that only
 * a branch names get labels of their own (.L<section>_<offset>).
 */
#include "objdump/view.h"

#include <string.h>

enum { BYTES_A_LINE = 16, ZEROS_WORTH_A_LINE = 16 };

/* ---- labels ---- */

static bool bit(const uint8_t *set, uint64_t n)
{
    return set[n / 8] >> n % 8 & 1;
}

static void set_bit(uint8_t *set, uint64_t n)
{
    set[n / 8] |= (uint8_t)(1u << n % 8);
}

static uint8_t *make_set(struct view *v)
{
    size_t size = v->section->size / 8 + 1;
    uint8_t *set = mem_resize(v->mem, NULL, size);
    memset(set, 0, size);
    return set;
}

static bool can_be_labelled(const struct view *v, int64_t target)
{
    return target >= 0 && (uint64_t)target <= v->section->size && bit(v->starts, (uint64_t)target);
}

/* Lines begin at instructions, and anywhere among data. */
static void mark_starts(struct view *v)
{
    for (size_t i = 0; i < v->regions.count; i++) {
        const struct region *r = &v->regions.item[i];
        for (uint64_t at = r->start; at < r->end;) {
            struct isa_insn insn;
            struct isa_why why;
            unsigned length = 1;
            set_bit(v->starts, at);
            if (r->content != OBJ_CONTENT_DATA)
                view_decode(v, r, at, &insn, &length, &why);
            at += length;
        }
    }
    set_bit(v->starts, v->section->size);
}

/* A local symbol at the place can stand for it; a global one would get a relocation. */
static const struct obj_symbol *local_symbol(const struct view *v, uint64_t offset)
{
    size_t low = 0, high = v->symbols.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (view_offset(v, v->symbols.item[middle]) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < v->symbols.count && view_offset(v, v->symbols.item[low]) == offset; low++)
        if (v->symbols.item[low]->bind == OBJ_LOCAL)
            return v->symbols.item[low];
    return NULL;
}

static void mark_targets_of(struct view *v, const struct isa_insn *insn, uint64_t at)
{
    for (unsigned f = 0; f < insn->form->nfields; f++) {
        int64_t target;
        if (!view_field_reloc(v, insn, f, 0, at) && view_target(v, insn, f, at, &target) &&
            can_be_labelled(v, target) && !local_symbol(v, (uint64_t)target))
            set_bit(v->targets, (uint64_t)target);
    }
}

static void mark_targets(struct view *v)
{
    for (size_t i = 0; i < v->regions.count; i++) {
        const struct region *r = &v->regions.item[i];
        for (uint64_t at = r->start; r->content != OBJ_CONTENT_DATA && at < r->end;) {
            struct isa_insn insn;
            struct isa_why why;
            unsigned length;
            if (view_decode(v, r, at, &insn, &length, &why) == ISA_DECODED)
                mark_targets_of(v, &insn, at);
            at += length;
        }
    }
}

static void print_label_name(const struct view *v, uint64_t offset, struct buffer *out)
{
    buffer_printf(out, ".L%d_%llx", v->index, (unsigned long long)offset);
}

struct label_context {
    struct view *view;
    uint64_t offset;
};

/* Resolved displacements go to labels of this text. */
static bool print_label(void *ctx, const struct isa_insn *in, unsigned field, unsigned element,
                        struct buffer *out)
{
    struct label_context *c = ctx;
    int64_t target;
    const struct obj_reloc *r = view_field_reloc(c->view, in, field, element, c->offset);
    if (r) {
        print_relocated(c->view, r, out);
        return true;
    }
    if (!view_target(c->view, in, field, c->offset, &target) || !can_be_labelled(c->view, target))
        return false;
    const struct obj_symbol *s = local_symbol(c->view, (uint64_t)target);
    if (s)
        print_name(out, s->name);
    else
        print_label_name(c->view, (uint64_t)target, out);
    return true;
}

/* ---- symbols ---- */

static void print_directive(struct view *v, const char *directive, const struct obj_symbol *s)
{
    buffer_printf(v->out, "\t%s\t", directive);
    print_name(v->out, s->name);
    buffer_printf(v->out, "\n");
}

static void print_attributes(struct view *v, const struct obj_symbol *s)
{
    static const char *const visibility[] = {NULL, ".internal", ".hidden", ".protected"};
    if (s->bind == OBJ_GLOBAL)
        print_directive(v, ".globl", s);
    else if (s->bind == OBJ_WEAK)
        print_directive(v, ".weak", s);
    if (s->visibility && s->visibility < 4)
        print_directive(v, visibility[s->visibility], s);
    if (s->type == OBJ_FUNC || s->type == OBJ_DATA) {
        buffer_printf(v->out, "\t.type\t");
        print_name(v->out, s->name);
        buffer_printf(v->out, ", @%s\n", s->type == OBJ_FUNC ? "function" : "object");
    }
    if (s->size && s->section >= 0) {
        buffer_printf(v->out, "\t.size\t");
        print_name(v->out, s->name);
        buffer_printf(v->out, ", %llu\n", (unsigned long long)s->size);
    }
}

/* Labels of an offset; *next counts through the sorted symbols. */
static void print_labels(struct view *v, uint64_t offset, size_t *next)
{
    for (; *next < v->symbols.count && view_offset(v, v->symbols.item[*next]) <= offset; ++*next) {
        const struct obj_symbol *s = v->symbols.item[*next];
        print_attributes(v, s);
        print_name(v->out, s->name);
        buffer_printf(v->out, ":\n");
    }
    if (v->targets && bit(v->targets, offset)) {
        print_label_name(v, offset, v->out);
        buffer_printf(v->out, ":\n");
    }
}

static void print_absolute(struct view *v, const struct obj_symbol *s)
{
    print_attributes(v, s);
    buffer_printf(v->out, "\t.set\t");
    print_name(v->out, s->name);
    buffer_printf(v->out, ", 0x%llx\n", (unsigned long long)s->value);
}

static void print_common(struct view *v, const struct obj_symbol *s)
{
    buffer_printf(v->out, "\t.comm\t");
    print_name(v->out, s->name);
    buffer_printf(v->out, ", %llu, %llu\n", (unsigned long long)s->size,
                  (unsigned long long)s->value);
}

static void print_other_symbols(struct view *v)
{
    for (size_t i = 0; i < v->object->symbols.count; i++) {
        const struct obj_symbol *s = &v->object->symbols.item[i];
        if (!s->name[0] || s->type == OBJ_FILE || s->type == OBJ_SECTION_SYMBOL)
            continue;
        if (s->section == OBJ_ABS)
            print_absolute(v, s);
        else if (s->section == OBJ_COMMON)
            print_common(v, s);
        else if (s->section == OBJ_UNDEF && (s->bind == OBJ_WEAK || s->visibility))
            print_attributes(v, s);
        else if (s->section == OBJ_UNDEF)
            print_directive(v, ".globl", s);
    }
}

/* ---- contents ---- */

static const char *data_directive(const struct isa_reloc *r)
{
    return r->bytes == 8 ? ".8byte" : ".4byte";
}

/* A relocated datum; 0 when there is none here that text can say. */
static unsigned print_relocated_datum(struct view *v, uint64_t at)
{
    const struct obj_reloc *r = view_reloc(v, at);
    const struct isa_reloc *row = r ? isa_reloc_by_number(r->type) : NULL;
    if (!row || (row->bytes != 4 && row->bytes != 8) || at + row->bytes > v->section->size)
        return 0;
    buffer_printf(v->out, "\t%s\t", data_directive(row));
    print_relocated(v, r, v->out);
    buffer_printf(v->out, row->base == ISA_BASE_P ? " - .\n" : "\n");
    return row->bytes;
}

/* Bytes up to the next label or relocation. */
static uint64_t data_end(const struct view *v, uint64_t at, uint64_t end, size_t next)
{
    if (next < v->symbols.count && view_offset(v, v->symbols.item[next]) < end)
        end = view_offset(v, v->symbols.item[next]);
    for (uint64_t i = at + 1; v->targets && i < end; i++)
        if (bit(v->targets, i))
            end = i;
    size_t i = view_first_reloc(v, at + 1);
    if (i < v->relocs.count && v->relocs.item[i]->offset < end)
        end = v->relocs.item[i]->offset;
    return end;
}

static void print_bytes(struct view *v, uint64_t at, uint64_t end)
{
    const uint8_t *data = v->section->data;
    while (at < end) {
        uint64_t zeros = 0;
        while (at + zeros < end && !data[at + zeros])
            zeros++;
        if (zeros >= ZEROS_WORTH_A_LINE) {
            buffer_printf(v->out, "\t.zero\t%llu\n", (unsigned long long)zeros);
            at += zeros;
            continue;
        }
        uint64_t stop = end - at < BYTES_A_LINE ? end : at + BYTES_A_LINE;
        buffer_printf(v->out, "\t.byte\t");
        for (uint64_t i = at; i < stop; i++)
            buffer_printf(v->out, "%s0x%02x", i > at ? ", " : "", data[i]);
        buffer_printf(v->out, "\n");
        at = stop;
    }
}

static uint64_t print_data(struct view *v, uint64_t at, uint64_t end, size_t next)
{
    unsigned relocated = print_relocated_datum(v, at);
    if (relocated)
        return at + relocated;
    uint64_t stop = data_end(v, at, end, next);
    print_bytes(v, at, stop);
    return stop;
}

static void print_raw(struct view *v, const uint8_t *bytes, unsigned length, bool record)
{
    buffer_printf(v->out, record ? "\t.inst\t" : "\t.inst\t0x");
    for (unsigned i = 0; record && i < length; i++)
        buffer_printf(v->out, "%s0x%02x", i ? ", " : "", bytes[i]);
    for (unsigned i = length; !record && i-- > 0;)
        buffer_printf(v->out, "%02x", bytes[i]);
}

static unsigned print_instruction(struct view *v, const struct region *r, uint64_t at)
{
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    const uint8_t *bytes = v->section->data + at;
    struct label_context context = {v, at};
    struct isa_print_options plain = {.target = v->target};
    struct isa_print_options labelled = {
        .target = v->target, .label = print_label, .ctx = &context};
    enum isa_decode_status status = view_decode(v, r, at, &insn, &length, &why);
    if (status == ISA_TRUNCATED) {
        v->illegal = true;
        print_bytes(v, at, at + length);
        return length;
    }
    if (status == ISA_DECODED && view_canonical(v, &insn, at)) {
        buffer_printf(v->out, "\t");
        isa_print(&insn, &labelled, v->out);
        buffer_printf(v->out, "\n");
        return length;
    }
    print_raw(v, bytes, length, r->content == OBJ_CONTENT_SEQ);
    buffer_printf(v->out, "\t# ");
    if (status == ISA_DECODED)
        isa_print(&insn, &plain, v->out);
    else
        isa_explain(status, &why, bytes, length, v->out);
    buffer_printf(v->out, "\n");
    v->illegal = v->illegal || status != ISA_DECODED;
    return length;
}

static void print_nobits(struct view *v)
{
    size_t next = 0;
    for (uint64_t at = 0; at < v->section->size;) {
        print_labels(v, at, &next);
        uint64_t end = v->section->size;
        if (next < v->symbols.count && view_offset(v, v->symbols.item[next]) < end)
            end = view_offset(v, v->symbols.item[next]);
        buffer_printf(v->out, "\t.zero\t%llu\n", (unsigned long long)(end - at));
        at = end;
    }
    print_labels(v, v->section->size, &next);
}

static void print_contents(struct view *v)
{
    size_t next = 0;
    v->starts = make_set(v);
    v->targets = make_set(v);
    mark_starts(v);
    mark_targets(v);
    for (size_t i = 0; i < v->regions.count; i++) {
        const struct region *r = &v->regions.item[i];
        for (uint64_t at = r->start; at < r->end;) {
            view_drain(v);
            print_labels(v, at, &next);
            if (r->content == OBJ_CONTENT_DATA)
                at = print_data(v, at, r->end, next);
            else
                at += print_instruction(v, r, at);
        }
    }
    print_labels(v, v->section->size, &next);
}

/* ---- sections ---- */

static void print_section_directive(struct view *v)
{
    const struct obj_section *s = v->section;
    const struct {
        uint64_t flag;
        char letter;
    } letters[] = {{OBJ_ALLOC, 'a'}, {OBJ_WRITE, 'w'},   {OBJ_EXEC, 'x'},
                   {OBJ_MERGE, 'M'}, {OBJ_STRINGS, 'S'}, {OBJ_GNU_RETAIN, 'R'}};
    buffer_printf(v->out, "\n\t.section\t%s,\"", s->name);
    for (unsigned i = 0; i < sizeof letters / sizeof *letters; i++)
        if (s->flags & letters[i].flag)
            buffer_printf(v->out, "%c", letters[i].letter);
    buffer_printf(v->out, "\",@%s",
                  s->type == OBJ_NOBITS ? "nobits"
                  : s->type == OBJ_NOTE ? "note"
                                        : "progbits");
    if (s->flags & OBJ_MERGE)
        buffer_printf(v->out, ",%llu", (unsigned long long)s->entsize);
    buffer_printf(v->out, "\n");
    if (v->object->kind == OBJ_EXECUTABLE)
        buffer_printf(v->out, "\t# address 0x%llx\n", (unsigned long long)s->address);
    if (s->align > 1)
        buffer_printf(v->out, "\t.balign\t%llu\n", (unsigned long long)s->align);
    buffer_printf(v->out, ".Lsection%d:\n", v->index);
}

/* What the assembler and the linker make themselves is left out. */
static bool is_made_by_tools(const struct obj_section *s)
{
    static const char *const prefixes[] = {".note.pto.", ".note.gnu.build-id", ".debug_"};
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(s->name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static void print_preamble(struct view *v)
{
    const struct isa_revision *pto = NULL, *seq = NULL;
    for (unsigned i = 0; i < ISA_REVISION_COUNT; i++) {
        const struct isa_revision *r = &isa_revisions[i];
        if (r->set == ISA_SET_PTO && r->bit == v->target.pto)
            pto = r;
        if (r->set == ISA_SET_SEQ && r->bit == v->target.seq)
            seq = r;
    }
    const char *extensions = v->object->identity.extensions;
    buffer_printf(v->out, "\t.option nobundle\n\t.option norelax\n");
    if (extensions && extensions[0]) /* a mark that only PTO-AS statements set */
        buffer_printf(v->out, "\t# extensions: %s\n", extensions);
    if (pto)
        buffer_printf(v->out, "\t.isa\t\"%s\"\n", pto->release ? pto->release : pto->name);
    if (seq && v->object->identity.seq)
        buffer_printf(v->out, "\t.isa\t\"%s\"\n", seq->name);
}

void print_source(struct view *v)
{
    print_preamble(v);
    print_other_symbols(v);
    for (size_t i = 0; i < v->object->sections.count; i++) {
        const struct obj_section *s = &v->object->sections.item[i];
        if (is_made_by_tools(s) || !view_wants(v, s))
            continue;
        view_open(v, (int)i);
        print_section_directive(v);
        if (s->type == OBJ_NOBITS)
            print_nobits(v);
        else
            print_contents(v);
        view_close(v);
    }
}
