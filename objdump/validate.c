/* SPDX-License-Identifier: BSD-3-Clause */
/* --validate: every clause that a SEQ record violates, with its offset. */
#include "objdump/view.h"

struct place {
    struct view *view;
    uint64_t offset;
};

static void say(void *ctx, const char *clause, const char *text)
{
    struct place *p = ctx;
    struct view *v = p->view;
    buffer_printf(v->out, "%8llx: ", (unsigned long long)view_address(v, p->offset));
    struct isa_insn in;
    if (p->offset + ISA_MAX_LENGTH <= v->section->size &&
        isa_seq_extract(&v->target, v->section->data + p->offset, &in))
        buffer_printf(v->out, "%s: ", isa_mnemonic_names[in.form->mnemonic]);
    buffer_printf(v->out, "%s [%s]\n", text, clause);
    v->illegal = true;
}

/* Records of the region, from `start` on; *records and *clauses count. */
static void validate_region(struct view *v, const struct region *r, uint64_t stop,
                            unsigned long long *records, unsigned long long *clauses)
{
    for (uint64_t at = r->start; at < r->end && at < stop; at += ISA_MAX_LENGTH) {
        struct place p = {v, at};
        ++*records;
        if (r->end - at < ISA_MAX_LENGTH) {
            say(&p, "stream", "the stream is not a multiple of 64 bytes");
            ++*clauses;
            return;
        }
        *clauses += isa_seq_validate(&v->target, v->section->data + at, 0, say, &p);
    }
}

/* The runtime's last check. Sections of relocatable objects are pieces, and the bytes of a raw file
 * may be: only programs hold whole streams. */
static unsigned validate_end(struct view *v, uint64_t stop)
{
    const struct region *last = &v->regions.item[v->regions.count - 1];
    struct place p = {v, v->section->size - ISA_MAX_LENGTH};
    if (v->options->raw || v->object->kind != OBJ_EXECUTABLE || last->content != OBJ_CONTENT_SEQ ||
        stop < v->section->size || last->end - last->start < ISA_MAX_LENGTH ||
        isa_seq_terminates(&v->target, v->section->data + p.offset))
        return 0;
    say(&p, "is_opcode_halt", "the last record of the stream is no HALT");
    return 1;
}

static void validate_section(struct view *v)
{
    struct region window = view_window(v);
    unsigned long long records = 0, clauses = 0;
    size_t before = v->out->size;
    buffer_printf(v->out, "\nValidity of section %s:\n\n", v->section->name);
    for (size_t i = 0; i < v->regions.count; i++) {
        struct region r = v->regions.item[i];
        if (r.content != OBJ_CONTENT_SEQ)
            continue;
        r.start = r.start > window.start ? r.start : window.start;
        validate_region(v, &r, window.end, &records, &clauses);
    }
    if (records)
        clauses += validate_end(v, window.end);
    if (records)
        buffer_printf(v->out, "%llu record%s, %llu clause%s violated\n", records,
                      records == 1 ? "" : "s", clauses, clauses == 1 ? "" : "s");
    else
        v->out->size = before; /* nothing for SEQ in this section */
}

void validate(struct view *v)
{
    for (size_t i = 0; i < v->object->sections.count; i++) {
        const struct obj_section *s = &v->object->sections.item[i];
        if (!(s->flags & OBJ_EXEC) || s->type == OBJ_NOBITS || !view_wants(v, s))
            continue;
        view_open(v, (int)i);
        validate_section(v);
        view_close(v);
    }
}
