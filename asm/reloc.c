/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fixups: what the line could not know. Behind the last line each becomes a
 * number in its field, checked like a literal, or a relocation.
 *
 * A PC-relative distance is settled here when the target is a local symbol of
 * the same section; a global symbol may be replaced at link time and keeps its
 * relocation, as do other sections and undefined symbols.
 */
#include "asm/assembler.h"

#include <string.h>

void asm_add_fixup(struct assembler *as, const struct fixup *fixup)
{
    struct fixup *added = vec_push(as->mem, &as->fixups);
    *added = *fixup;
    added->points = (uint32_t)fixup->section->points.count;
}

void asm_store(struct assembler *as, uint8_t *bytes, unsigned size, int64_t number, struct loc loc)
{
    unsigned bits = 8 * size;
    int64_t min = size < 8 ? -(INT64_C(1) << (bits - 1)) : INT64_MIN;
    int64_t max = size < 8 ? (INT64_C(1) << bits) - 1 : INT64_MAX;
    if (number < min || number > max)
        diag_report(as->diag, DIAG_DATA_RANGE, loc,
                    "%lld is not in [%lld, %lld], the range of a %u-byte datum", (long long)number,
                    (long long)min, (long long)max, size);
    for (unsigned n = 0; n < size && n < 8; n++)
        bytes[n] = (uint8_t)((uint64_t)number >> 8 * n);
    for (unsigned n = 8; n < size; n++)
        bytes[n] = number < 0 ? 0xff : 0;
}

static uint8_t *fixup_bytes(const struct fixup *f)
{
    return f->section->bytes.data + f->offset;
}

/* ---- relocations ---- */

/* Local labels of the assembler (.L, 1:, places) are named by their section. */
static bool named_in_object(const struct symbol *symbol)
{
    return symbol && !symbol->generated &&
           (symbol->bind != OBJ_LOCAL || strncmp(symbol->name, ".L", 2) != 0);
}

static void add_reloc(struct assembler *as, const struct fixup *f, const struct value *v,
                      const struct isa_reloc *row, uint64_t offset, int64_t addend)
{
    struct symbol *symbol = v->symbol;
    if (v->kind == VALUE_PLACE && !named_in_object(symbol))
        symbol = v->section->label;
    else if (v->kind == VALUE_PLACE)
        addend -= (int64_t)symbol->offset;
    struct obj_section *section = &as->object->sections.item[f->section->index];
    struct obj_reloc *reloc = vec_push(as->mem, &section->relocs);
    reloc->offset = offset;
    reloc->symbol = asm_export_symbol(as, symbol);
    reloc->type = row->number;
    reloc->addend = addend;
}

bool asm_is_near(const struct fixup *f, const struct value *v)
{
    return v->kind == VALUE_PLACE && v->section == f->section &&
           (!v->symbol || v->symbol->generated || v->symbol->bind == OBJ_LOCAL);
}

static const char *target_name(const struct value *v)
{
    return v->symbol && !v->symbol->generated ? v->symbol->name : "the target";
}

bool asm_in_reach(const struct isa_reloc *row, int64_t distance)
{
    return distance >> row->shift >= row->min && distance >> row->shift <= row->max;
}

/* A longer form that reaches the distance, when relaxation was off for the instruction. */
static void hint_longer(struct assembler *as, const struct fixup *f, int64_t distance)
{
    for (const struct isa_form *form = f->form; form->longer;) {
        form = &isa_forms[form->longer - 1];
        if (asm_in_reach(isa_displacement_reloc(form), distance)) {
            diag_note(as->diag, f->loc, "%s reaches that far", asm_form_name(form));
            return;
        }
    }
}

static void report_reach(struct assembler *as, const struct fixup *f, const struct value *v,
                         int64_t distance)
{
    const struct isa_reloc *row = f->reloc;
    int64_t unit = INT64_C(1) << row->shift;
    diag_report(as->diag, DIAG_TARGET_RANGE, f->loc,
                "%s is %lld bytes away; %s reaches only [%lld, %lld]", target_name(v),
                (long long)distance, asm_form_name(f->form), (long long)(row->min * unit),
                (long long)(row->max * unit));
    hint_longer(as, f, distance);
}

/* The number a row stores for a distance in bytes; false: reported. */
static bool stored_value(struct assembler *as, const struct fixup *f, const struct value *v,
                         int64_t distance, int64_t *stored)
{
    const struct isa_reloc *row = f->reloc;
    int64_t unit = INT64_C(1) << row->shift;
    *stored = distance >> row->shift;
    if (!row->page && distance % unit != 0)
        diag_report(as->diag, DIAG_TARGET_MISALIGNED, f->loc,
                    "%s is %lld bytes away, which is not a multiple of %lld", target_name(v),
                    (long long)distance, (long long)unit);
    else if (!asm_in_reach(row, distance))
        report_reach(as, f, v, distance);
    else
        return true;
    return false;
}

static void store(struct assembler *as, const struct fixup *f, int64_t number, unsigned scale,
                  int bias)
{
    struct isa_fixup fixup = {.field = f->field,
                              .element = f->element,
                              .operand_scale = (uint8_t)scale,
                              .operand_bias = (int8_t)bias};
    isa_patch_fixup(f->form, &fixup, number, fixup_bytes(f), as->diag, f->loc);
}

static void patch(struct assembler *as, const struct fixup *f, int64_t stored)
{
    store(as, f, stored, 1, 0);
}

/* Of the field's own bits, counted from the section's start. */
static uint64_t field_place(const struct fixup *f)
{
    const struct isa_field *field = &f->form->fields[f->field];
    return f->offset + field->reloc_offset + f->element * field->stride / 8;
}

/* ---- %tpcrel_hi and %tpcrel_lo ---- */

/* The high parts seen so far, newest first, by what they point to. */
struct high {
    const struct section *section;
    int64_t addend;
    uint64_t offset;
    struct high *older;
};

static const void *high_key(const struct value *v)
{
    return v->symbol ? (const void *)v->symbol : (const void *)v->section;
}

static void note_high(struct assembler *as, const struct fixup *f, const struct value *v)
{
    void **slot = map_put(&as->highs, high_key(v));
    struct high *high = arena_alloc(as->arena, sizeof *high);
    high->section = f->section;
    high->addend = v->number;
    high->offset = f->offset;
    high->older = *slot;
    *slot = high;
}

static const struct high *find_high(const struct assembler *as, const struct fixup *f,
                                    const struct value *v)
{
    const struct high *high = map_get(&as->highs, high_key(v));
    while (high && (high->section != f->section || high->addend != v->number))
        high = high->older;
    return high;
}

static void apply_high(struct assembler *as, const struct fixup *f, const struct value *v)
{
    int64_t stored;
    note_high(as, f, v);
    if (!asm_is_near(f, v))
        add_reloc(as, f, v, f->reloc, f->offset, v->number);
    else if (stored_value(as, f, v, v->number - (int64_t)f->offset, &stored))
        patch(as, f, stored);
}

/* The low part counts from the instruction with the high part, not from its own place. */
static void apply_low(struct assembler *as, const struct fixup *f, const struct value *v)
{
    const struct high *high = find_high(as, f, v);
    if (!high) {
        diag_report(as->diag, DIAG_TPCREL_UNPAIRED, f->loc,
                    "no %%tpcrel_hi of the same symbol and addend stands before this %%tpcrel_lo");
        return;
    }
    int64_t back = (int64_t)(f->offset - high->offset);
    if (asm_is_near(f, v))
        patch(as, f, (v->number - (int64_t)high->offset) & ((INT64_C(1) << f->reloc->width) - 1));
    else
        add_reloc(as, f, v, f->reloc, f->offset, v->number + back);
}

/* ---- instructions ---- */

static void apply_distance(struct assembler *as, const struct fixup *f, const struct value *v)
{
    int64_t stored;
    uint64_t place = field_place(f);
    if (!asm_is_near(f, v) || f->reloc->base == ISA_BASE_NONE)
        add_reloc(as, f, v, f->reloc, place, v->number);
    else {
        if (f->reloc->base == ISA_BASE_P4)
            place &= ~UINT64_C(3);
        if (stored_value(as, f, v, v->number - (int64_t)place, &stored))
            patch(as, f, stored);
    }
}

static void refuse_symbol(struct assembler *as, const struct fixup *f, const struct value *v)
{
    const char *field = isa_field_names[f->form->fields[f->field].name];
    diag_report(as->diag, DIAG_NO_RELOCATION, f->loc,
                "field %s of %s needs a number; there is no relocation for '%s'", field,
                asm_form_name(f->form), target_name(v));
}

/* Is the row the one that the operand's spelling asks for: hi, lo or a plain symbol? */
static bool row_fits(const struct fixup *f)
{
    if (!f->reloc)
        return false;
    bool low = f->reloc->base == ISA_BASE_LO;
    switch (f->expr->op) {
    case AST_TPCREL_HI:
        return f->reloc->page;
    case AST_TPCREL_LO:
        return low;
    default:
        return !low && !f->reloc->page;
    }
}

static bool has_modifier(const struct ast_expr *e)
{
    return e->op == AST_TPCREL_HI || e->op == AST_TPCREL_LO;
}

const struct ast_expr *asm_fixup_target(const struct fixup *f)
{
    return has_modifier(f->expr) ? f->expr->left : f->expr;
}

static void refuse_spelling(struct assembler *as, const struct fixup *f, const struct value *v)
{
    if (f->reloc && !has_modifier(f->expr))
        diag_report(as->diag, DIAG_NO_RELOCATION, f->loc, "write %%tpcrel_%s(%s) for this field",
                    f->reloc->page ? "hi" : "lo", target_name(v));
    else if (has_modifier(f->expr))
        diag_report(as->diag, DIAG_NO_RELOCATION, f->loc,
                    "%%tpcrel_%s does not belong to field %s of %s",
                    f->expr->op == AST_TPCREL_HI ? "hi" : "lo",
                    isa_field_names[f->form->fields[f->field].name], asm_form_name(f->form));
    else
        refuse_symbol(as, f, v);
}

static void apply_insn(struct assembler *as, const struct fixup *f)
{
    bool modified = has_modifier(f->expr);
    struct value v = asm_eval(as, asm_fixup_target(f));
    if (v.kind == VALUE_ERROR)
        return;
    if (v.kind == VALUE_ABSOLUTE && !modified)
        store(as, f, v.number, f->scale, f->bias);
    else if (v.kind == VALUE_ABSOLUTE)
        diag_report(as->diag, DIAG_NO_RELOCATION, f->loc,
                    "%%tpcrel_hi and %%tpcrel_lo need a symbol, not a number");
    else if (v.minus || !row_fits(f))
        refuse_spelling(as, f, &v);
    else if (f->expr->op == AST_TPCREL_HI)
        apply_high(as, f, &v);
    else if (f->expr->op == AST_TPCREL_LO)
        apply_low(as, f, &v);
    else
        apply_distance(as, f, &v);
}

/* ---- data ---- */

static const struct isa_reloc *data_row(const struct fixup *f, const struct value *v)
{
    if (v->minus)
        return f->size == 4 && v->minus == f->section ? &isa_relocs[ISA_RELOC_R_LINX_32_PCREL]
                                                      : NULL;
    return f->size == 8   ? &isa_relocs[ISA_RELOC_R_LINX_64]
           : f->size == 4 ? &isa_relocs[ISA_RELOC_R_LINX_32]
                          : NULL;
}

static void apply_data(struct assembler *as, const struct fixup *f)
{
    struct value v = asm_eval(as, f->expr);
    if (v.kind == VALUE_ERROR)
        return;
    if (v.kind == VALUE_ABSOLUTE) {
        asm_store(as, fixup_bytes(f), f->size, v.number, f->loc);
        return;
    }
    const struct isa_reloc *row = data_row(f, &v);
    if (!row && v.minus)
        diag_report(as->diag, DIAG_NO_RELOCATION, f->loc,
                    "there is no relocation for this difference: only a 4-byte datum can hold the "
                    "distance of a symbol from its own section");
    else if (!row)
        diag_report(as->diag, DIAG_NO_RELOCATION, f->loc,
                    "there is no %u-byte relocation for '%s': only 4 and 8 bytes hold an address",
                    f->size, target_name(&v));
    else
        add_reloc(as, f, &v, row, f->offset,
                  v.minus ? v.number + (int64_t)(f->offset - v.minus_offset) : v.number);
}

static size_t count_relocs(const struct assembler *as, const struct fixup *f)
{
    return as->object->sections.item[f->section->index].relocs.count;
}

/* All fixups of one SEQ record, whose clauses may join several of them; the number of fixups. */
static size_t apply_record(struct assembler *as, const struct fixup *first, size_t left)
{
    uint64_t open = 0;
    unsigned errors = diag_errors(as->diag);
    size_t n = 0;
    for (; n < left && first[n].section == first->section && first[n].offset == first->offset;
         n++) {
        const struct fixup *f = &first[n];
        size_t before = count_relocs(as, f);
        apply_insn(as, f);
        if (count_relocs(as, f) > before)
            open |= UINT64_C(1) << f->field;
    }
    if (diag_errors(as->diag) == errors)
        asm_record_valid(as, first->form, fixup_bytes(first), open, first->loc);
    return n;
}

void asm_apply_fixups(struct assembler *as)
{
    for (size_t i = 0; i < as->fixups.count;) {
        const struct fixup *f = &as->fixups.item[i];
        if (f->form && f->form->set == ISA_SET_SEQ) {
            i += apply_record(as, f, as->fixups.count - i);
            continue;
        }
        if (f->form)
            apply_insn(as, f);
        else
            apply_data(as, f);
        i++;
    }
}
