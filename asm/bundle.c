/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole bundles: what no single line shows (pto-isa.md C.1, tile-ops.tsv).
 *
 * Each instruction leaves its mark in the section's struct bundle, which the
 * rules (bundle_rule.c) read. A start that follows an open bundle stops it first
 * (C.1 item 1). Raw bytes make a bundle unknown: nothing is said about it.
 */
#include "asm/bundle.h"

#include <string.h>

/* ---- what an instruction is ---- */

static const struct {
    uint16_t klass;  /* ISA_CLASS_… */
    uint8_t command; /* enum bundle_command */
} header_classes[] = {
    {ISA_CLASS_SetBundleControlAttributes, COMMAND_CATR},
    {ISA_CLASS_SetBundleDataAttributes, COMMAND_DATR},
    {ISA_CLASS_SetBundleFixedPointAttributes, COMMAND_FPATR},
    {ISA_CLASS_BindBundleScalarIO, COMMAND_IOR},
    {ISA_CLASS_SetBundleHint, COMMAND_HINT},
    {ISA_CLASS_SetBundleDimension, COMMAND_LB0},
    {ISA_CLASS_BindBundleTileIO, COMMAND_IOT},
    {ISA_CLASS_BindBundleSharedIO, COMMAND_IOS},
    {ISA_CLASS_ApplyBundleSubview, COMMAND_SUBVIEW},
    {ISA_CLASS_ApplyBundleAssemble, COMMAND_ASSEMBLE},
};

static bool has_field(const struct isa_form *form, unsigned name)
{
    int n = isa_field_index(form, name);
    return n >= 0 && !form->fields[n].constant;
}

/* Does the form's own spelling have this word as an operand (`COND`, `->LB0`)? */
static const struct isa_operand *literal_operand(const struct isa_form *form, const char *word)
{
    const struct isa_spelling *spelling = &isa_spellings[form->spelling];
    for (unsigned n = 0; n < spelling->noperands; n++) {
        const struct isa_operand *o = &spelling->operands[n];
        if (o->form == ISA_OPERAND_LITERAL && o->text && strcmp(o->text, word) == 0)
            return o;
    }
    return NULL;
}

/* LBn of B.DIM (a form each) and C.B.DIMI (a field). */
static unsigned dimension(const struct isa_insn *insn)
{
    const struct isa_enumeration *counters = &isa_enumerations[ISA_ENUM_LoopCounter];
    uint64_t coded = isa_value(insn, ISA_FIELD_LoopNest, counters->count);
    for (unsigned n = 0; n < counters->count; n++)
        if (coded == counters->members[n].value ||
            literal_operand(insn->form, counters->members[n].name))
            return counters->members[n].value;
    return 0;
}

/* COMMAND_COUNT when it is no header command. */
static enum bundle_command header_command(const struct isa_insn *insn)
{
    for (size_t i = 0; i < sizeof header_classes / sizeof *header_classes; i++)
        if (header_classes[i].klass == insn->form->klass) {
            enum bundle_command command = header_classes[i].command;
            return command == COMMAND_LB0 ? COMMAND_LB0 + dimension(insn) : command;
        }
    return COMMAND_COUNT;
}

/* B.HINT TRACE opens an empty block (ASL block/model/dispatch/commands). */
static bool is_start(const struct isa_form *form)
{
    return form->klass == ISA_CLASS_ExecuteBundleStart ||
           (form->klass == ISA_CLASS_SetBundleHint && has_field(form, ISA_FIELD_B_E));
}

/* ---- starting ---- */

static const struct isa_tileop *start_operation(const struct isa_insn *insn, isa_revset revision)
{
    if (insn->form->tileop)
        return &isa_tileops[insn->form->tileop - 1];
    int function = isa_field_index(insn->form, ISA_FIELD_Function);
    if (function < 0)
        return NULL;
    uint64_t selector = isa_value(insn, ISA_FIELD_Mode, 0) << insn->form->fields[function].width |
                        isa_value(insn, ISA_FIELD_Function, 0);
    const struct isa_tileop *op = isa_tileop_of(ISA_ENGINE_VEC, (unsigned)selector, revision);
    return op ? op : isa_tileop_of(ISA_ENGINE_SFU, (unsigned)selector, revision);
}

void asm_bundle_list_types(uint32_t set, struct buffer *out)
{
    const struct isa_enumeration *types = &isa_enumerations[ISA_ENUM_DataType];
    const char *separator = "";
    for (unsigned n = 0; n < types->count; n++)
        if (!types->members[n].alias && (set >> types->members[n].value & 1)) {
            buffer_printf(out, "%s%s", separator, types->members[n].name);
            separator = ", ";
        }
}

static void check_datatype(struct assembler *as, const struct bundle *b,
                           const struct isa_insn *insn)
{
    uint64_t type = isa_value(insn, ISA_FIELD_DataType, 0);
    if (!b->op || !b->op->datatypes || (b->op->datatypes >> type & 1))
        return;
    const struct isa_member *member =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_DataType], type, as->target.pto);
    struct buffer *legal = asm_scratch(as);
    asm_bundle_list_types(b->op->datatypes, legal);
    diag_report(as->diag, DIAG_BUNDLE_DATATYPE, b->start, "%s does not take %s (legal: %.*s)",
                b->op->name, member ? member->name : "this type", (int)legal->size,
                (const char *)legal->data);
}

static void open_bundle(struct assembler *as, struct bundle *b, const struct isa_insn *insn,
                        struct loc loc)
{
    *b = (struct bundle){.state = BUNDLE_OPEN,
                         .start = loc,
                         .form = insn->form,
                         .type = (uint8_t)isa_value(insn, ISA_FIELD_DataType, 0),
                         .datr_type = ISA_DataType_DTYPE_NONE};
    for (unsigned n = 0; n < sizeof b->dimension / sizeof *b->dimension; n++)
        b->dimension[n] = BUNDLE_NO_DIMENSION;
    b->op = start_operation(insn, as->target.pto);
    b->ios_need = b->op ? isa_tileop_ios(b->op, as->target.pto) : ISA_FORBIDDEN;
    check_datatype(as, b, insn);
    b->errors = diag_errors(as->diag);
}

/* ---- header commands ---- */

static void follow_group(struct bundle *b, const struct bundle_line *c)
{
    if (asm_bundle_is_modifier(c)) {
        b->next_role = (uint8_t)(asm_bundle_range_role(c) + 1);
        return;
    }
    b->group = c->kind == COMMAND_IOT   ? &b->iot[b->niot - 1]
               : c->kind == COMMAND_IOS ? &b->ios[b->nios - 1]
                                        : NULL;
    b->next_role = ASM_RANGE_SOURCE0;
}

static void bind_tile(const struct assembler *as, struct bundle *b, const struct bundle_line *c,
                      bool explicit_last)
{
    const struct isa_form *form = c->insn->form;
    struct tile_binding *binding = c->kind == COMMAND_IOT ? &b->iot[b->niot++] : &b->ios[b->nios++];
    *binding = (struct tile_binding){
        .loc = c->loc,
        .offset = asm_offset(as->section),
        .form = form,
        .mask = isa_value(c->insn, ISA_FIELD_PEMode, isa_value(c->insn, ISA_FIELD_PE_MASK, 0)),
        .shared = isa_value(c->insn, ISA_FIELD_SharedTID, 0),
        .last = explicit_last || isa_value(c->insn, ISA_FIELD_L, 0),
    };
    if (c->kind == COMMAND_IOT) {
        binding->sources =
            (uint8_t)(has_field(form, ISA_FIELD_SrcTile0) + has_field(form, ISA_FIELD_SrcTile1));
        binding->destination = has_field(form, ISA_FIELD_DstTile);
        binding->source0 = (uint8_t)isa_value(c->insn, ISA_FIELD_SrcTile0,
                                              isa_value(c->insn, ISA_FIELD_SrcTile1, 0));
        binding->hand = (uint8_t)isa_value(c->insn, ISA_FIELD_DstTile, 0);
    } else {
        binding->destination =
            isa_value(c->insn, ISA_FIELD_SizeCode, isa_value(c->insn, ISA_FIELD_TSize, 0)) != 0;
        binding->sources = !binding->destination;
    }
}

static void record_datr(struct bundle *b, const struct isa_insn *insn)
{
    for (size_t i = 0; i < ASM_DATR_FIELDS; i++)
        if (isa_value(insn, asm_datr_fields[i].field, 0))
            b->datr_nonzero |= asm_datr_fields[i].bit;
    b->datr_type = (uint8_t)isa_value(insn, ISA_FIELD_DataType, ISA_DataType_DTYPE_NONE);
    /* DTYPE_NONE names no type: the CUBE layouts of TLOAD and TSTORE are written with it. */
    if (isa_value(insn, ISA_FIELD_DataType, 0) == ISA_DataType_DTYPE_NONE && b->op &&
        b->op->engine == ISA_ENGINE_TLSU)
        b->datr_nonzero &= (uint16_t)~ISA_DATR_DATATYPE;
}

static void record_fpatr(struct bundle *b, const struct isa_insn *insn)
{
    b->fpatr = (struct isa_fpatr){
        .present = true,
        .pre_quant_mode = (uint8_t)isa_value(insn, ISA_FIELD_PreQuantMode, 0),
        .relu_mode = (uint8_t)isa_value(insn, ISA_FIELD_ReluMode, 0),
        .group_n_code = (uint8_t)isa_value(insn, ISA_FIELD_GroupNCode, 0),
        .row_max_en = isa_value(insn, ISA_FIELD_RowMaxEn, 0),
        .group_max_en = isa_value(insn, ISA_FIELD_GroupMaxEn, 0),
        .row_max_init = isa_value(insn, ISA_FIELD_RowMaxInit, 0),
        .max_abs_en = isa_value(insn, ISA_FIELD_MaxAbsEn, 0),
        .trans_a = isa_value(insn, ISA_FIELD_TransA, 0),
        .trans_b = isa_value(insn, ISA_FIELD_TransB, 0),
        .c_scale_en = isa_value(insn, ISA_FIELD_CScaleEn, 0),
    };
}

static void record_dimension(struct bundle *b, const struct bundle_line *c)
{
    enum { LB_MASK = 0xffff };
    uint64_t value = isa_value(c->insn, ISA_FIELD_uimm17, isa_value(c->insn, ISA_FIELD_imm8, 0));
    b->dimension[c->kind - COMMAND_LB0] = isa_value(c->insn, ISA_FIELD_RegSrc, 0)
                                              ? BUNDLE_SOME_DIMENSION
                                              : (int32_t)(value & LB_MASK);
}

static void record_ior(struct bundle *b, const struct isa_insn *insn)
{
    static const uint16_t sources[BUNDLE_SCALARS] = {ISA_FIELD_RegSrc0, ISA_FIELD_RegSrc1,
                                                     ISA_FIELD_RegSrc2};
    for (unsigned n = 0; n < BUNDLE_SCALARS; n++)
        b->scalar[n] = (uint8_t)isa_value(insn, sources[n], 0);
    b->scalar_destination = (uint8_t)isa_value(insn, ISA_FIELD_RegDst, 0);
}

static void header(struct assembler *as, struct bundle *b, const struct bundle_line *c,
                   bool explicit_last)
{
    unsigned before = diag_errors(as->diag);
    bool good = asm_bundle_header_rules(as, b, c);
    b->errors += diag_errors(as->diag) - before;
    if (!b->command[c->kind].file) /* a misplaced command is not missing as well */
        b->command[c->kind] = c->loc;
    if (!good)
        return;
    if (c->kind == COMMAND_IOT || c->kind == COMMAND_IOS)
        bind_tile(as, b, c, explicit_last);
    else if (c->kind == COMMAND_DATR)
        record_datr(b, c->insn);
    else if (c->kind == COMMAND_IOR)
        record_ior(b, c->insn);
    else if (c->kind == COMMAND_FPATR)
        record_fpatr(b, c->insn);
    else if (c->kind >= COMMAND_LB0 && c->kind <= COMMAND_LB2)
        record_dimension(b, c);
    else if (c->kind == COMMAND_CATR)
        b->control_dr = isa_value(c->insn, ISA_FIELD_DR, 0);
    follow_group(b, c);
}

/* ---- body ---- */

/* ASL scalar/model/sys/semantics: what runs only in the body of a block, and of which. */
enum block_need { NEED_NONE, NEED_BLOCK, NEED_COND, NEED_SYS };

static enum block_need block_need(const struct isa_form *form)
{
    switch (form->klass) {
    case ISA_CLASS_ExecuteSetCommit:
    case ISA_CLASS_ExecuteSetCommitLogical:
        return NEED_COND;
    case ISA_CLASS_SetCommitTarget:
    case ISA_CLASS_ExecuteLocalStateRegisterGet:
        return NEED_BLOCK;
    default:
        return strcmp(form->family, "SYS") == 0 ? NEED_SYS : NEED_NONE;
    }
}

static bool block_provides(const struct isa_form *start, enum block_need need)
{
    switch (need) {
    case NEED_COND:
        return literal_operand(start, "COND") != NULL;
    case NEED_SYS:
        return start->mnemonic == ISA_MNEM_BSTART_SYS || start->mnemonic == ISA_MNEM_C_BSTART_SYS;
    default:
        return true;
    }
}

static void check_body(struct assembler *as, const struct bundle *b, const struct isa_form *form,
                       struct loc loc)
{
    static const char *const what[] = {
        [NEED_BLOCK] = "a block",
        [NEED_COND] = "a COND block",
        [NEED_SYS] = "a SYS block",
    };
    enum block_need need = block_need(form);
    if (need == NEED_NONE || (b->state == BUNDLE_OPEN && block_provides(b->form, need)))
        return;
    diag_report(as->diag, DIAG_BUNDLE_NEEDS_BLOCK, loc, "%s runs only in the body of %s",
                asm_form_name(form), what[need]);
    if (b->state == BUNDLE_OPEN)
        asm_bundle_note(as, b);
}

/* Control never reaches what follows, so the block needs no stop behind it. */
static bool never_falls_through(const struct isa_form *form)
{
    switch (form->klass) {
    case ISA_CLASS_ExecuteFrameReturnAddress:
    case ISA_CLASS_ExecuteFrameReturnStack:
    case ISA_CLASS_JumpRegister:
    case ISA_CLASS_JumpRelative:
    case ISA_CLASS_SoftwareBreakpoint:
        return true;
    default:
        return false;
    }
}

static void body(struct assembler *as, struct bundle *b, const struct isa_form *form,
                 struct loc loc)
{
    unsigned before = diag_errors(as->diag);
    check_body(as, b, form, loc);
    b->errors += diag_errors(as->diag) - before;
    if (!b->body.file)
        b->body = loc;
    b->transfers = never_falls_through(form);
    b->group = NULL;
}

/* A line between that was wrong in itself may be the very command a rule would miss. */
static void close_bundle(struct assembler *as, struct bundle *b, struct loc stop)
{
    asm_bundle_stop_rules(as, b, stop, b->errors == diag_errors(as->diag));
}

static void stop(struct assembler *as, struct bundle *b, const struct isa_form *form,
                 struct loc loc)
{
    if (b->state == BUNDLE_OPEN)
        close_bundle(as, b, loc);
    else if (b->state == BUNDLE_CLOSED)
        diag_report(as->diag, DIAG_BUNDLE_NOT_OPEN, loc, "%s without a BSTART before it",
                    asm_form_name(form));
    *b = (struct bundle){.state = BUNDLE_CLOSED, .start = loc, .errors = diag_errors(as->diag)};
}

/* ---- entry points ---- */

void asm_bundle_insn(struct assembler *as, const struct isa_insn *insn, bool explicit_last,
                     struct loc loc)
{
    struct bundle *b = &as->section->bundle;
    if (as->nobundle)
        return;
    if (is_start(insn->form)) {
        if (b->state == BUNDLE_OPEN)
            close_bundle(as, b, loc);
        open_bundle(as, b, insn, loc);
        return;
    }
    /* The line that was wrong in itself may have been the start. */
    if (b->state == BUNDLE_CLOSED && b->errors != diag_errors(as->diag))
        b->state = BUNDLE_UNKNOWN;
    if (insn->form->klass == ISA_CLASS_ExecuteBundleStop) {
        stop(as, b, insn->form, loc);
        return;
    }
    if (b->state == BUNDLE_UNKNOWN)
        return;
    struct bundle_line c = {.kind = header_command(insn), .insn = insn, .loc = loc};
    if (c.kind == COMMAND_COUNT)
        body(as, b, insn->form, loc);
    else
        header(as, b, &c, explicit_last);
}

void asm_bundle_raw(struct assembler *as)
{
    as->section->bundle.state = BUNDLE_UNKNOWN;
    asm_relax_raw(as->section);
}

void asm_bundle_extension(struct assembler *as)
{
    as->section->bundle.extension = true;
}

void asm_bundle_checks(struct assembler *as, bool on)
{
    as->nobundle = !on || as->options->no_bundle_check;
    for (size_t i = 0; i < as->sections.count; i++)
        as->sections.item[i]->bundle.state = BUNDLE_UNKNOWN;
}

void asm_bundle_end(struct assembler *as, struct section *section)
{
    const struct bundle *b = &section->bundle;
    if (b->state != BUNDLE_OPEN || (!b->op && b->transfers))
        return;
    diag_report(as->diag, DIAG_BUNDLE_UNTERMINATED, b->start,
                "the bundle of %s has no BSTOP before the end of section '%s'", asm_bundle_name(b),
                section->name);
}
