/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxation: a symbolic target gets the shortest form that reaches it, among
 * the forms that do the same (isa/relax.isa).
 *
 * During the pass such an instruction is emitted as it is written, and its
 * place becomes a point of the section; so does each .align and .org behind
 * one. Behind the last line all start in their shortest forms. A round lays
 * the section out and gives a longer form to each that does not reach; forms
 * never shrink again, so the rounds end. A chain of branches that each just
 * reach over the next one needs a round a branch: after MAX_ROUNDS the rest is
 * decided at once, by the distances with everything at its longest, which no
 * later choice can exceed. So the work is linear in the points, whatever they
 * are. Then all that was noted by emitted offsets is moved.
 */
#include "asm/assembler.h"

#include <string.h>

enum { MAX_ROUNDS = 64 };

/* ---- while lines are read ---- */

static const struct isa_form *shortest(const struct isa_form *form)
{
    while (form->shorter)
        form = &isa_forms[form->shorter - 1];
    return form;
}

static const struct isa_form *longest(const struct isa_form *form)
{
    while (form->longer)
        form = &isa_forms[form->longer - 1];
    return form;
}

/* Fixed bits of two forms of 2 bytes that a decoder takes for one instruction. */
static bool make_one_call(const struct isa_form *a, const struct isa_form *b)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_insn first = {.form = a}, second = {.form = b};
    isa_pack(&first, bytes);
    isa_pack(&second, bytes + 2);
    return isa_length(bytes, 4) == 4;
}

/* Would a decoder take the two for one instruction? C.BSTART DIRECT and C.SETRET are BSTART.CALL
 * (pto-isa.md A.1). */
static bool fuse(const struct isa_form *a, const struct isa_form *b)
{
    return a->length == 2 && b->length == 2 && isa_may_relax(a) && isa_may_relax(b) &&
           make_one_call(a, b);
}

static void hold_previous(struct section *section, enum hold hold)
{
    if (!section->previous_relaxable)
        return;
    struct point *point = &section->points.item[section->points.count - 1];
    if (point->hold < hold)
        point->hold = (uint8_t)hold;
}

/* Two instructions that would become one call when both were short stay two, and a call that is
 * written as two stays one. */
void asm_relax_follow(struct assembler *as, const struct isa_form *form)
{
    struct section *section = as->section;
    const struct isa_form *previous = section->previous;
    section->hold = HOLD_NOTHING;
    if (previous && fuse(shortest(previous), shortest(form)))
        section->hold = fuse(previous, form) ? HOLD_FORM : HOLD_LENGTH;
    hold_previous(section, section->hold);
    section->previous = form;
    section->previous_relaxable = false;
}

void asm_relax_raw(struct section *section)
{
    hold_previous(section, HOLD_LENGTH);
    section->previous = NULL;
    section->previous_relaxable = false;
}

void asm_relax_insn(struct assembler *as, const struct isa_form *form, uint64_t offset)
{
    struct section *section = as->section;
    if (as->norelax)
        return;
    struct point *point = vec_push(as->mem, &section->points);
    *point = (struct point){.kind = POINT_INSN,
                            .hold = section->hold,
                            .offset = offset,
                            .size = form->length,
                            .form = form,
                            .fixup = (uint32_t)(as->fixups.count - 1)};
    section->previous_relaxable = true;
}

void asm_relax_gap(struct assembler *as, enum point_kind kind, uint64_t size, const struct gap *gap)
{
    struct section *section = as->section;
    struct point *point = vec_push(as->mem, &section->points);
    *point = (struct point){.kind = (uint8_t)kind,
                            .offset = asm_offset(section),
                            .size = (uint32_t)size,
                            .gap = arena_copy(as->arena, gap, sizeof *gap)};
    section->previous_relaxable = false;
    if (size)
        buffer_extend(&section->bytes, (size_t)size);
}

/* ---- targets ---- */

static bool has_target(const struct point *point)
{
    return point->kind == POINT_INSN && point->hold != HOLD_FORM;
}

/* Only a place whose distance linking cannot change; `.` + 8 counts bytes that its writer knows. */
static bool may_choose(struct assembler *as, const struct point *point, const struct value *v)
{
    const struct fixup *f = &as->fixups.item[point->fixup];
    return point->hold != HOLD_FORM && v->kind == VALUE_PLACE && asm_is_near(f, v) && !v->minus &&
           !(v->symbol && v->symbol->here) && f->expr->op != AST_TPCREL_LO;
}

static void find_target(struct assembler *as, struct point *point)
{
    struct value v = asm_eval(as, asm_fixup_target(&as->fixups.item[point->fixup]));
    if (!may_choose(as, point, &v)) {
        point->hold = HOLD_FORM;
        return;
    }
    point->target = (uint64_t)v.number;
    point->target_points = v.points;
    if (point->hold == HOLD_NOTHING)
        point->form = shortest(point->form);
}

static void find_targets(struct assembler *as, struct section *section)
{
    for (size_t i = 0; i < section->points.count; i++)
        if (section->points.item[i].kind == POINT_INSN)
            find_target(as, &section->points.item[i]);
}

/* ---- layout ---- */

/* How far a place of the section has moved, in the latest layout. */
static int64_t shift_at(const struct section *section, uint32_t points)
{
    return points < section->points.count ? section->points.item[points].shift : section->shift;
}

static uint64_t align_size(const struct gap *gap, uint64_t place)
{
    uint64_t size = -place & (gap->align - 1);
    return gap->max && size > gap->max ? 0 : size;
}

/* May be negative: .org backwards. */
static int64_t org_size(const struct section *section, const struct gap *gap, uint64_t place)
{
    return (int64_t)(gap->target + (uint64_t)shift_at(section, gap->target_points) - place);
}

uint64_t asm_org_size(int64_t distance)
{
    return distance > 0 ? (uint64_t)distance : (uint64_t)-distance & 1;
}

static uint64_t point_size(const struct section *section, const struct point *point)
{
    uint64_t place = point->offset + (uint64_t)point->shift;
    if (point->kind == POINT_INSN)
        return point->form->length;
    if (point->kind == POINT_ALIGN)
        return align_size(point->gap, place);
    return asm_org_size(org_size(section, point->gap, place));
}

/* At most this much, whatever is chosen. The room of .org only shrinks as what is before it grows.
 */
static uint64_t widest_size(const struct section *section, const struct point *point)
{
    (void)section;
    if (point->kind == POINT_INSN)
        return has_target(point) ? longest(point->form)->length : point->form->length;
    if (point->kind == POINT_ALIGN)
        return point->gap->align - 1;
    return point->widest;
}

static void lay(struct section *section,
                uint64_t (*size_of)(const struct section *section, const struct point *point))
{
    int64_t shift = 0;
    for (size_t i = 0; i < section->points.count; i++) {
        struct point *point = &section->points.item[i];
        point->shift = shift;
        point->final = (uint32_t)size_of(section, point);
        shift += (int64_t)point->final - (int64_t)point->size;
    }
    section->shift = shift;
}

static int64_t distance(const struct section *section, const struct point *point)
{
    uint64_t place = point->offset + (uint64_t)point->shift;
    uint64_t target = point->target + (uint64_t)shift_at(section, point->target_points);
    if (isa_displacement_reloc(point->form)->base == ISA_BASE_P4)
        place &= ~UINT64_C(3);
    return (int64_t)(target - place);
}

/* Gives longer forms to what does not reach; false: all that can reach do. */
static bool grow(struct section *section, int64_t margin)
{
    bool grown = false;
    for (size_t i = 0; i < section->points.count; i++) {
        struct point *point = &section->points.item[i];
        if (!has_target(point))
            continue;
        int64_t far = distance(section, point);
        far += far < 0 ? -margin : margin;
        while (point->form->longer && !asm_in_reach(isa_displacement_reloc(point->form), far)) {
            point->form = &isa_forms[point->form->longer - 1];
            grown = true;
        }
    }
    return grown;
}

static void remember_widest(struct section *section)
{
    for (size_t i = 0; i < section->points.count; i++)
        section->points.item[i].widest = section->points.item[i].final;
}

/* `P & ~3` moves by up to 3 bytes with the length of what is before it. */
enum { ROUNDING = 4 };

static void choose_forms(struct section *section)
{
    lay(section, point_size);
    remember_widest(section);
    for (unsigned round = 0; grow(section, 0); round++) {
        if (round == MAX_ROUNDS) {
            lay(section, widest_size);
            grow(section, ROUNDING);
            lay(section, point_size);
            return;
        }
        lay(section, point_size);
    }
}

/* ---- what the layout makes of the gaps ---- */

static void check_gap(struct assembler *as, const struct section *section,
                      const struct point *point)
{
    const struct gap *gap = point->gap;
    uint64_t place = point->offset + (uint64_t)point->shift;
    if (point->kind == POINT_ORG && org_size(section, gap, place) < 0)
        diag_report(as->diag, DIAG_ORG_BACKWARDS, gap->loc,
                    ".org to 0x%llx, but section '%s' has reached 0x%llx",
                    (unsigned long long)(place + (uint64_t)org_size(section, gap, place)),
                    section->name, (unsigned long long)place);
    if (gap->bundle.file && point->final)
        asm_report_fill_in_bundle(as, point->final, gap->loc, gap->bundle);
}

static void fill_gap(const struct point *point, uint8_t *bytes)
{
    if (point->gap->code)
        asm_write_filler(bytes, point->final);
    else
        memset(bytes, point->gap->fill, point->final);
}

/* ---- moving what was noted ---- */

static void rewrite(struct assembler *as, struct section *section)
{
    struct buffer *out = asm_scratch(as); /* the assembler's, should memory run out */
    size_t from = 0;
    for (size_t i = 0; i < section->points.count; i++) {
        const struct point *point = &section->points.item[i];
        const uint8_t *old = section->bytes.data + point->offset;
        buffer_append(out, section->bytes.data + from, (size_t)point->offset - from);
        uint8_t *bytes = buffer_extend(out, point->final);
        if (point->kind == POINT_INSN)
            isa_reform(as->fixups.item[point->fixup].form, old, point->form, bytes);
        else if (point->final)
            fill_gap(point, bytes);
        from = (size_t)point->offset + point->size;
    }
    buffer_append(out, section->bytes.data + from, section->bytes.size - from);
    buffer_free(&section->bytes);
    section->bytes = *out;
    buffer_init(out, as->mem);
}

/* The fixups of relaxed instructions get the field and relocation of the new form. */
static void reform_fixups(struct assembler *as, const struct section *section)
{
    for (size_t i = 0; i < section->points.count; i++) {
        const struct point *point = &section->points.item[i];
        if (point->kind != POINT_INSN)
            continue;
        struct fixup *f = &as->fixups.item[point->fixup];
        if (f->form == point->form)
            continue;
        f->form = point->form;
        f->field = (uint8_t)isa_displacement(point->form);
        f->reloc = isa_displacement_reloc(point->form);
    }
}

static void move(uint64_t *offset, const struct section *section, uint32_t points)
{
    *offset += (uint64_t)shift_at(section, points);
}

static void move_value(struct value *v)
{
    if (v->kind == VALUE_PLACE)
        v->number += shift_at(v->section, v->points);
    if (v->minus)
        move(&v->minus_offset, v->minus, v->minus_points);
}

static void move_symbols(struct assembler *as)
{
    for (size_t i = 0; i < as->symbol_list.count; i++) {
        struct symbol *symbol = as->symbol_list.item[i];
        if (symbol->kind == SYMBOL_LABEL)
            move(&symbol->offset, symbol->section, symbol->points);
        else if (symbol->kind == SYMBOL_EQUATED)
            move_value(&symbol->value);
    }
}

/* An empty gap leaves two marks at one place: the second one counts. */
static void move_mappings(struct assembler *as)
{
    for (size_t i = 0; i < as->mappings.count; i++) {
        struct mapping *mapping = &as->mappings.item[i];
        struct section *section = mapping->section;
        move(&mapping->offset, section, mapping->points);
        if (section->last_mapping) {
            struct mapping *last = &as->mappings.item[section->last_mapping - 1];
            last->empty = last->offset == mapping->offset;
        }
        section->last_mapping = (uint32_t)i + 1;
    }
}

static void move_lines(struct section *section)
{
    for (size_t i = 0; i < section->lines.count; i++)
        move(&section->lines.item[i].row.address, section, section->lines.item[i].points);
}

static void move_listing(struct assembler *as)
{
    for (size_t i = 0; i < as->listing.count; i++) {
        struct listing_row *row = &as->listing.item[i];
        if (row->kind != LISTING_BYTES)
            continue;
        move(&row->offset, row->section, row->points);
        move(&row->end, row->section, row->end_points);
    }
}

static void move_lowered(struct assembler *as)
{
    for (size_t i = 0; i < as->lowered.count; i++) {
        struct lowered_row *row = &as->lowered.item[i];
        if (row->insn)
            move(&row->offset, row->section, row->points);
    }
}

static void move_fixups(struct assembler *as)
{
    for (size_t i = 0; i < as->fixups.count; i++) {
        struct fixup *f = &as->fixups.item[i];
        move(&f->offset, f->section, f->points);
    }
}

/* ---- the pass ---- */

/* False: a section became absurdly large (reported). */
static bool all_fit(struct assembler *as)
{
    bool fit = true;
    for (size_t i = 0; i < as->sections.count; i++) {
        const struct section *section = as->sections.item[i];
        as->section = as->sections.item[i];
        if (section->shift > 0)
            fit &= asm_fits(as, (uint64_t)section->shift, section->loc);
    }
    return fit;
}

static void settle_section(struct assembler *as, struct section *section)
{
    for (size_t i = 0; i < section->points.count; i++)
        if (section->points.item[i].kind != POINT_INSN)
            check_gap(as, section, &section->points.item[i]);
    move_lines(section);
    rewrite(as, section);
    reform_fixups(as, section);
}

void asm_layout(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++)
        find_targets(as, as->sections.item[i]);
    for (size_t i = 0; i < as->sections.count; i++)
        choose_forms(as->sections.item[i]);
    if (!all_fit(as)) {
        as->aborted = true;
        return;
    }
    move_symbols(as);
    move_mappings(as);
    move_listing(as);
    move_lowered(as);
    move_fixups(as);
    for (size_t i = 0; i < as->sections.count; i++)
        if (as->sections.item[i]->points.count)
            settle_section(as, as->sections.item[i]);
    as->laid_out = true;
    as->epoch++;
}
