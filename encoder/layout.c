/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoding of a form as a table of bit ranges, or as WaveDrom JSON. */
#include "encoder/field.h"

#include <string.h>

enum { WAVE_FONT_SIZE = 13, WAVE_HSPACE = 900, LANE_BITS = 32, MASK_BITS = 64 };
enum { NAME_COLUMN = 24, BITS_COLUMN = 9 }; /* widths of the table's columns */

/* One run of bits that belong together. */
struct run {
    unsigned lsb, width;
    const struct isa_field *field; /* NULL: constant or unassigned */
    const struct isa_piece *piece;
    unsigned element;
    bool constant;
};

static bool bit_fixed(const struct isa_form *form, unsigned bit)
{
    return bit < MASK_BITS && (form->mask >> bit & 1);
}

static bool find_piece(const struct isa_form *form, unsigned bit, struct run *r)
{
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        for (unsigned k = 0; !f->constant && k < f->count; k++)
            for (unsigned p = 0; p < f->npieces; p++)
                if (f->pieces[p].lsb + k * f->stride == bit) {
                    *r = (struct run){.lsb = bit,
                                      .width = f->pieces[p].width,
                                      .field = f,
                                      .piece = &f->pieces[p],
                                      .element = k};
                    return true;
                }
    }
    return false;
}

static struct run run_at(const struct isa_form *form, unsigned bit)
{
    struct run r;
    if (find_piece(form, bit, &r))
        return r;
    bool fixed = bit_fixed(form, bit);
    r = (struct run){.lsb = bit, .constant = fixed};
    unsigned bits = form->length * 8u, end = bit;
    struct run other;
    do
        end++;
    while (end < bits && bit_fixed(form, end) == fixed && !find_piece(form, end, &other));
    r.width = end - bit;
    return r;
}

static void add_constant(const struct isa_form *form, const struct run *r, struct buffer *out)
{
    buffer_printf(out, "%u'b", r->width);
    for (unsigned i = r->width; i-- > 0;)
        buffer_printf(out, "%u", (unsigned)(form->match >> (r->lsb + i) & 1));
}

static void add_field(const struct run *r, struct buffer *out)
{
    const struct isa_field *f = r->field;
    buffer_printf(out, "%s", field_name(f));
    if (f->count > 1)
        buffer_printf(out, "(%u)", r->element);
    if (f->npieces > 1 || f->align)
        buffer_printf(out, "[%u:%u]", r->piece->value_lsb + r->piece->width - 1u,
                      r->piece->value_lsb);
}

static void add_name(const struct isa_form *form, const struct run *r, struct buffer *out)
{
    if (r->field)
        add_field(r, out);
    else if (r->constant)
        add_constant(form, r, out);
    else
        buffer_printf(out, "-");
}

/* The value that the spelling itself gives to a field (TADD's Function), or NULL. */
static const struct isa_preset *find_preset(const struct isa_spelling *sp, const struct run *r)
{
    const struct isa_field *fields = isa_forms[sp->form].fields;
    for (unsigned i = 0; i < sp->npresets && r->field; i++)
        if (&fields[sp->presets[i].field] == r->field)
            return &sp->presets[i];
    return NULL;
}

static void add_preset(const struct isa_preset *preset, const struct run *r, struct buffer *out)
{
    buffer_printf(out, "%u'b", r->width);
    for (unsigned i = r->width; i-- > 0;)
        buffer_printf(out, "%u",
                      (unsigned)((uint64_t)preset->value >> (r->piece->value_lsb + i) & 1));
}

static void print_row(const struct isa_spelling *sp, const struct run *r, struct buffer *out)
{
    const struct isa_form *form = &isa_forms[sp->form];
    const struct isa_preset *preset = find_preset(sp, r);
    unsigned msb = r->lsb + r->width - 1;
    size_t start = out->size;
    if (r->field)
        add_field(r, out);
    else
        buffer_printf(out, r->constant ? "Constant" : "Unassigned");
    buffer_printf(out, "%*s",
                  out->size - start < NAME_COLUMN ? (int)(NAME_COLUMN - (out->size - start)) : 1,
                  "");
    start = out->size;
    if (msb == r->lsb)
        buffer_printf(out, "%u", msb);
    else
        buffer_printf(out, "%u:%u", msb, r->lsb);
    buffer_printf(out, "%*s", (int)(BITS_COLUMN - (out->size - start)), "");
    if (preset)
        add_preset(preset, r, out);
    else if (r->constant)
        add_constant(form, r, out);
    else
        buffer_printf(out, r->field ? "variable" : "ignored");
    buffer_printf(out, "\n");
}

/* Most significant bits first, as the catalogue's tables read. */
static void print_table(const struct isa_spelling *sp, struct buffer *out)
{
    const struct isa_form *form = &isa_forms[sp->form];
    struct run runs[ISA_MAX_LENGTH * 8];
    unsigned n = 0, bits = form->length * 8u;
    for (unsigned bit = 0; bit < bits; bit += runs[n++].width)
        runs[n] = run_at(form, bit);
    while (n-- > 0)
        print_row(sp, &runs[n], out);
}

static void print_wave(const struct isa_form *form, struct buffer *out)
{
    unsigned bits = form->length * 8u;
    buffer_printf(out, "{\n\"reg\": [\n");
    for (unsigned bit = 0; bit < bits;) {
        struct run r = run_at(form, bit);
        buffer_printf(out, "{\n\"bits\": %u,\n\"name\": \"", r.width);
        add_name(form, &r, out);
        bit += r.width;
        buffer_printf(out, "\"\n}%s\n", bit < bits ? "," : "");
    }
    unsigned lanes = bits > MASK_BITS ? bits / LANE_BITS : 1;
    buffer_printf(out,
                  "],\n\"config\": {\n\"bits\": %u,\n\"fontsize\": %d,\n\"hspace\": %d,\n"
                  "\"lanes\": %u,\n\"offset\": 0\n}\n}\n",
                  bits, WAVE_FONT_SIZE, WAVE_HSPACE, lanes);
}

void isa_print_encoding(const struct isa_spelling *sp, bool wavejson, struct buffer *out)
{
    if (wavejson)
        print_wave(&isa_forms[sp->form], out);
    else
        print_table(sp, out);
}
