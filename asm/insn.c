/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions: matching, the revision rule, packing.
 *
 * A PE mask that only pto0.58.2 can encode decides the revision of the whole
 * file when the user named none (DESIGN §2.2): the run stops, and the text is
 * assembled once more for that revision. In the second run a line that fits
 * only a later revision is the one error that names both lines.
 */
#include "asm/ptoas.h"

#include <string.h>

static const isa_revset default_revision = 1u << ISA_REV_0_58_3;
static const isa_revset fallback_revision = 1u << ISA_REV_0_58_2;
static const isa_revset default_generation = 1u << ISA_GEN_CAYMAN;

struct isa_target asm_default_target(const struct assembler *as)
{
    const struct asm_options *options = as->options;
    isa_revset pto = as->revision.fallback ? fallback_revision : default_revision;
    return (struct isa_target){.pto = options->march ? options->march : pto,
                               .seq = options->mseq ? options->mseq : default_generation};
}

/* ---- matching ---- */

static enum isa_operand_value_kind eval_operand(void *ctx, const struct ast_expr *expr,
                                                int64_t *number)
{
    if (expr->op == AST_TPCREL_HI || expr->op == AST_TPCREL_LO)
        return ISA_VALUE_SYMBOLIC;
    struct value v = asm_eval(ctx, expr);
    *number = v.number;
    if (v.kind == VALUE_ERROR)
        return ISA_VALUE_ERROR;
    return v.kind == VALUE_ABSOLUTE ? ISA_VALUE_CONSTANT : ISA_VALUE_SYMBOLIC;
}

static bool match_for(struct assembler *as, const struct ast_stmt *stmt, struct isa_target target,
                      struct diag *diag, struct isa_match *match)
{
    struct isa_matcher matcher = {.target = target, .diag = diag, .eval = eval_operand, .ctx = as};
    match->mask_only_0582 = false;
    return isa_match(&matcher, stmt, match);
}

/* The other revisions of PTO in which the line is right, 0: none. */
static isa_revset other_revisions(struct assembler *as, const struct ast_stmt *stmt)
{
    isa_revset fits = 0;
    struct isa_match match;
    for (unsigned n = 0; n < ISA_REVISION_COUNT; n++) {
        const struct isa_revision *revision = &isa_revisions[n];
        struct isa_target target = {.pto = revision->bit, .seq = as->target.seq};
        if (revision->set == ISA_SET_PTO && revision->bit != as->target.pto &&
            match_for(as, stmt, target, NULL, &match))
            fits |= revision->bit;
    }
    return fits;
}

static const char *revision_name(isa_revset bit)
{
    for (unsigned n = 0; n < ISA_REVISION_COUNT; n++)
        if (isa_revisions[n].set == ISA_SET_PTO && (isa_revisions[n].bit & bit))
            return isa_revisions[n].name;
    return "";
}

/* ---- the revision rule ---- */

static void list_masks(struct assembler *as, struct buffer *out)
{
    const struct isa_enumeration *masks = &isa_enumerations[ISA_ENUM_PEMode];
    const char *separator = "";
    for (unsigned n = 0; n < masks->count; n++)
        if ((masks->members[n].revs & as->target.pto) && !masks->members[n].alias) {
            buffer_printf(out, "%s%s", separator, masks->members[n].name);
            separator = ", ";
        }
}

static void report_mask(struct assembler *as, const struct isa_match *match)
{
    struct buffer *masks = asm_scratch(as);
    list_masks(as, masks);
    diag_report(as->diag, DIAG_MASK_UNENCODABLE, match->mask_loc,
                "PE mask %s cannot be encoded in %s (encodable: %.*s)", match->mask_text,
                revision_name(as->target.pto), (int)masks->size, (const char *)masks->data);
    if (as->revision.named)
        diag_note(as->diag, as->revision.named_at, "%s was named explicitly; %s can encode it",
                  revision_name(as->target.pto), revision_name(fallback_revision));
    else
        diag_note(as->diag, as->first_ptoas,
                  "a file with PTO-AS statements does not fall back to %s",
                  revision_name(fallback_revision));
}

/* False: the run stops and the next one is for the revision that has the mask. */
static bool mask_fallback(struct assembler *as, const struct isa_match *match)
{
    struct revision_choice *choice = &as->revision;
    if (choice->named || as->first_ptoas.file) {
        report_mask(as, match);
        return true;
    }
    choice->restart = true;
    choice->mask_loc = match->mask_loc;
    choice->mask = intern_z(as->names, match->mask_text);
    diag_report(as->diag, DIAG_REVISION_FALLBACK, match->mask_loc,
                "PE mask %s exists only in %s; the whole file is assembled for that revision",
                match->mask_text, revision_name(fallback_revision));
    return false;
}

/* In the second run: false when the line fits only a later revision (reported; the run is over). */
static bool fits_fallback(struct assembler *as, const struct ast_stmt *stmt)
{
    struct isa_match match;
    if (match_for(as, stmt, as->target, NULL, &match))
        return true;
    isa_revset fits = other_revisions(as, stmt);
    if (!fits)
        return true;
    diag_report(as->diag, DIAG_REVISION_CONFLICT, stmt->loc,
                "'%.*s' needs %s, but PE mask %s exists only in %s", (int)stmt->name_size,
                stmt->name, revision_name(fits), as->revision.mask,
                revision_name(fallback_revision));
    diag_note(as->diag, as->revision.mask_loc, "the mask is used here");
    as->aborted = true;
    return false;
}

/* ---- emission ---- */

const char *asm_form_name(const struct isa_form *form)
{
    return isa_spellings[form->spelling].mnemonic;
}

static bool check_section(struct assembler *as, enum section_class class, struct loc loc)
{
    struct section *section = as->section;
    if (section->class == CLASS_ANY && (section->flags & OBJ_EXEC)) {
        section->class = class;
        section->class_loc = loc;
    }
    if (section->class == class)
        return true;
    if (!(section->flags & OBJ_EXEC))
        diag_report(as->diag, DIAG_SECTION_CLASS, loc,
                    "an instruction cannot stand in section '%s', which is not executable",
                    section->name);
    else
        diag_report(as->diag, DIAG_SECTION_CLASS, loc,
                    "a %s instruction cannot stand in section '%s' of %s instructions",
                    class == CLASS_SEQ ? "SEQ" : "PTO", section->name,
                    class == CLASS_SEQ ? "PTO" : "SEQ");
    if (section->class_loc.file)
        diag_note(as->diag, section->class_loc, "the section's first instruction is here");
    return false;
}

/* Alignment of an instruction in bytes: PTO parcels are halfwords, SEQ words stand alone. */
static unsigned insn_align(const struct isa_form *form)
{
    return form->set == ISA_SET_SEQ ? form->length : 2;
}

static bool check_alignment(struct assembler *as, const struct isa_form *form, struct loc loc)
{
    unsigned align = insn_align(form);
    if (asm_offset(as->section) % align == 0)
        return true;
    diag_report(as->diag, DIAG_INSN_MISALIGNED, loc,
                "offset 0x%llx of section '%s' is not a multiple of %u; use .balign %u",
                (unsigned long long)asm_offset(as->section), as->section->name, align, align);
    return false;
}

void asm_note_insn(struct assembler *as, enum isa_set set, struct loc loc)
{
    struct obj_identity *identity = &as->object->identity;
    if (set == ISA_SET_SEQ) {
        identity->seq = as->target.seq;
    } else {
        identity->has_pto = true;
        identity->pto = as->target.pto;
    }
    if (!as->first_insn.file)
        as->first_insn = loc;
}

/* PCR addresses count from P & ~3, so PTO code keeps its place modulo 4 when it is moved. */
static unsigned section_align(const struct isa_form *form)
{
    return form->set == ISA_SET_SEQ ? form->length : 4;
}

struct record_check {
    struct assembler *as;
    struct loc loc;
    const char *name;
};

static void report_clause(void *ctx, const char *clause, const char *text)
{
    struct record_check *c = ctx;
    diag_report(c->as->diag, DIAG_RESERVED_VALUE, c->loc, "%s: %s (%s)", c->name, text, clause);
}

bool asm_record_valid(struct assembler *as, const struct isa_form *form, const uint8_t *bytes,
                      uint64_t open, struct loc loc)
{
    struct record_check c = {as, loc, isa_mnemonic_names[form->mnemonic]};
    return !isa_seq_validate(&as->target, bytes, open, report_clause, &c);
}

/* A record that waits for symbols is judged when their values are there (asm_apply_fixups). */
static bool valid_by_itself(struct assembler *as, const struct isa_match *match, struct loc loc)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    if (match->insn.form->set != ISA_SET_SEQ || match->nfixups)
        return true;
    isa_pack(&match->insn, bytes);
    return asm_record_valid(as, match->insn.form, bytes, 0, loc);
}

/* False: reported, nothing was emitted. */
static bool emit(struct assembler *as, const struct isa_insn *insn, bool explicit_last,
                 struct loc loc)
{
    const struct isa_form *form = insn->form;
    enum section_class class = form->set == ISA_SET_SEQ ? CLASS_SEQ : CLASS_PTO;
    asm_settle(as, class);
    if (!check_section(as, class, loc) || !check_alignment(as, form, loc))
        return false;
    asm_note_insn(as, form->set, loc);
    if (class == CLASS_PTO) {
        asm_bundle_insn(as, insn, explicit_last, loc);
        asm_ptoas_note(as, insn);
    }
    asm_line_row(as, loc);
    asm_raise_align(as->section, section_align(form));
    asm_relax_follow(as, form);
    isa_pack(insn, asm_extend(as, class == CLASS_SEQ ? OBJ_CONTENT_SEQ : OBJ_CONTENT_CODE,
                              form->length, loc));
    return true;
}

void asm_emit_insn(struct assembler *as, const struct isa_insn *insn, struct loc loc)
{
    if (as->options->bundles) {
        asm_settle(as, insn->form->set == ISA_SET_SEQ ? CLASS_SEQ : CLASS_PTO);
        asm_show_insn(as, loc);
    }
    emit(as, insn, false, loc);
}

static void add_fixups(struct assembler *as, const struct isa_match *match, uint64_t offset)
{
    for (unsigned n = 0; n < match->nfixups; n++) {
        const struct isa_fixup *from = &match->fixup[n];
        struct fixup fixup = {
            .section = as->section,
            .offset = offset,
            .expr = asm_capture(as, from->expr),
            .form = match->insn.form,
            .reloc = from->reloc,
            .loc = from->expr->loc,
            .field = from->field,
            .element = from->element,
            .scale = from->operand_scale,
            .bias = from->operand_bias,
        };
        asm_add_fixup(as, &fixup);
        if (isa_may_relax(match->insn.form))
            asm_relax_insn(as, match->insn.form, offset);
    }
}

bool asm_insn(struct assembler *as, const struct ast_stmt *stmt)
{
    struct isa_match match;
    /* `.` in an operand is a place in the section that the instruction goes to */
    asm_settle(as, stmt->mnemonic->set == ISA_SET_SEQ ? CLASS_SEQ : CLASS_PTO);
    if (as->revision.fallback && !fits_fallback(as, stmt))
        return false;
    if (!match_for(as, stmt, as->target, as->diag, &match))
        return match.mask_only_0582 ? mask_fallback(as, &match) : true;
    if (!valid_by_itself(as, &match, stmt->loc))
        return true;
    if (emit(as, &match.insn, match.explicit_last, stmt->loc))
        add_fixups(as, &match, asm_offset(as->section) - match.insn.form->length);
    return true;
}

/* ---- alignment fill ---- */

static unsigned write_filler(uint8_t *bytes, const char *mnemonic)
{
    const struct isa_mnemonic *found = isa_find_mnemonic(mnemonic, strlen(mnemonic));
    const struct isa_spelling *spelling = &isa_spellings[isa_mnemonic_index[found->first]];
    struct isa_insn insn = {.form = &isa_forms[spelling->form]};
    isa_pack(&insn, bytes);
    return insn.form->length;
}

/* Zero bytes would run as C.BSTOP, so code is filled with instructions that do nothing:
 * `addi zero, 0, ->zero` and `c.movr zero, ->zero`, all of whose fields are zero. */
void asm_write_filler(uint8_t *bytes, uint64_t count)
{
    uint64_t done = count < 4 ? 0 : write_filler(bytes, "ADDI");
    for (; count - done >= 4; done += 4)
        memcpy(bytes + done, bytes, 4);
    if (done < count)
        write_filler(bytes + done, "C.MOVR");
}

void asm_report_fill_in_bundle(struct assembler *as, uint64_t count, struct loc loc,
                               struct loc bundle)
{
    diag_report(as->diag, DIAG_ALIGN_IN_BUNDLE, loc,
                "alignment would put %llu bytes of fill into an open bundle",
                (unsigned long long)count);
    diag_note(as->diag, bundle, "the bundle begins here");
}

bool asm_fill_is_odd(struct assembler *as, uint64_t count, struct loc loc)
{
    if (count % 2 == 0)
        return false;
    diag_report(as->diag, DIAG_ALIGN_ODD, loc,
                "code cannot be filled with %llu byte%s: instructions are halfwords",
                (unsigned long long)count, count == 1 ? "" : "s");
    return true;
}

void asm_fill_code(struct assembler *as, uint64_t count, struct loc loc)
{
    if (!count || asm_fill_is_odd(as, count, loc))
        return;
    if (as->section->bundle.state == BUNDLE_OPEN)
        asm_report_fill_in_bundle(as, count, loc, as->section->bundle.start);
    else
        asm_write_filler(asm_extend(as, OBJ_CONTENT_CODE, (size_t)count, loc), count);
}
