/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole bundles: what no single line shows (pto-isa.md C.1, tile-ops.tsv).
 *
 * Each instruction leaves its mark in the section's struct bundle. The rules
 * are small functions in three tables: for a header command, for a body
 * instruction, and for the stop. A start that follows an open bundle stops it
 * first (C.1 item 1). What the rows of isa_tileops do not decide is accepted:
 * raw bytes make a bundle unknown, a mask of no PE suppresses all checks of the
 * operation (it is a strict no-op), and bindings of CUBE operations that
 * B.FPATR selects are not counted.
 */
#include "asm/assembler.h"

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

static const char *const command_names[COMMAND_COUNT] = {
    [COMMAND_CATR] = "B.CATR",       [COMMAND_DATR] = "B.DATR",
    [COMMAND_FPATR] = "B.FPATR",     [COMMAND_IOR] = "B.IOR",
    [COMMAND_HINT] = "B.HINT",       [COMMAND_LB0] = "B.DIM for LB0",
    [COMMAND_LB1] = "B.DIM for LB1", [COMMAND_LB2] = "B.DIM for LB2",
    [COMMAND_IOT] = "B.IOT",         [COMMAND_IOS] = "B.IOS",
    [COMMAND_SUBVIEW] = "B.SUBVIEW", [COMMAND_ASSEMBLE] = "B.ASSEMBLE",
};

static bool has_field(const struct isa_form *form, unsigned name)
{
    int n = isa_field_index(form, name);
    return n >= 0 && !form->fields[n].constant;
}

static const char *form_name(const struct isa_form *form)
{
    return isa_spellings[form->spelling].mnemonic;
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

static const char *bundle_name(const struct bundle *b)
{
    return b->op ? b->op->name : form_name(b->form);
}

static void note_start(struct assembler *as, const struct bundle *b)
{
    diag_note(as->diag, b->start, "the bundle of %s begins here", bundle_name(b));
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

/* Does another function of the same operation start here (TMOV.L2S.INSERT)? Its operands differ. */
static bool is_variant(const struct bundle *b)
{
    return b->form->tileop && strcmp(form_name(b->form), b->op->start) != 0;
}

static void list_datatypes(const struct isa_tileop *op, struct buffer *out)
{
    const struct isa_enumeration *types = &isa_enumerations[ISA_ENUM_DataType];
    const char *separator = "";
    for (unsigned n = 0; n < types->count; n++)
        if (!types->members[n].alias && (op->datatypes >> types->members[n].value & 1)) {
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
    list_datatypes(b->op, legal);
    diag_report(as->diag, DIAG_BUNDLE_DATATYPE, b->start, "%s does not take %s (legal: %.*s)",
                b->op->name, member ? member->name : "this type", (int)legal->size,
                (const char *)legal->data);
}

static void open_bundle(struct assembler *as, struct bundle *b, const struct isa_insn *insn,
                        struct loc loc)
{
    *b = (struct bundle){.state = BUNDLE_OPEN, .start = loc, .form = insn->form};
    b->op = start_operation(insn, as->target.pto);
    b->ios_need = b->op ? isa_tileop_ios(b->op, as->target.pto) : ISA_FORBIDDEN;
    check_datatype(as, b, insn);
    b->errors = diag_errors(as->diag);
}

/* ---- header commands ---- */

struct command {
    enum bundle_command kind;
    const struct isa_insn *insn;
    struct loc loc;
};

/* A rule returns false when it reported; the command is then not counted. */
typedef bool header_rule(struct assembler *as, const struct bundle *b, const struct command *c);

static bool rule_inside(struct assembler *as, const struct bundle *b, const struct command *c)
{
    if (b->state == BUNDLE_OPEN)
        return true;
    diag_report(as->diag, DIAG_BUNDLE_OUTSIDE, c->loc,
                "%s stands outside a bundle; it belongs between BSTART and BSTOP",
                form_name(c->insn->form));
    if (b->start.file)
        diag_note(as->diag, b->start, "the bundle before it ends here");
    return false;
}

static bool rule_before_body(struct assembler *as, const struct bundle *b, const struct command *c)
{
    if (!b->body.file)
        return true;
    diag_report(as->diag, DIAG_BUNDLE_BODY, c->loc, "%s must stand before the body of its bundle",
                form_name(c->insn->form));
    diag_note(as->diag, b->body, "the body begins here");
    note_start(as, b);
    return false;
}

static bool rule_once(struct assembler *as, const struct bundle *b, const struct command *c)
{
    if (c->kind >= COMMAND_IOT || !b->command[c->kind].file)
        return true;
    diag_report(as->diag, DIAG_BUNDLE_DUPLICATE, c->loc, "a bundle has at most one %s",
                command_names[c->kind]);
    diag_note(as->diag, b->command[c->kind], "the first one is here");
    note_start(as, b);
    return false;
}

static bool rule_fpatr_first(struct assembler *as, const struct bundle *b, const struct command *c)
{
    static const uint8_t bindings[] = {COMMAND_IOR, COMMAND_IOT, COMMAND_IOS};
    if (c->kind != COMMAND_FPATR)
        return true;
    for (size_t i = 0; i < sizeof bindings; i++)
        if (b->command[bindings[i]].file) {
            diag_report(as->diag, DIAG_BUNDLE_ORDER, c->loc,
                        "B.FPATR must stand before every B.IOR, B.IOT and B.IOS");
            diag_note(as->diag, b->command[bindings[i]], "%s stands here",
                      command_names[bindings[i]]);
            note_start(as, b);
            return false;
        }
    return true;
}

static bool rule_room(struct assembler *as, const struct bundle *b, const struct command *c)
{
    bool full = c->kind == COMMAND_IOT   ? b->niot == BUNDLE_MAX_IOT
                : c->kind == COMMAND_IOS ? b->nios == BUNDLE_MAX_IOS
                                         : false;
    if (full) {
        diag_report(as->diag, DIAG_BUNDLE_TOO_MANY, c->loc, "a bundle has at most %d %s",
                    c->kind == COMMAND_IOT ? BUNDLE_MAX_IOT : BUNDLE_MAX_IOS,
                    command_names[c->kind]);
        note_start(as, b);
    }
    return !full;
}

static bool rule_shared_distinct(struct assembler *as, const struct bundle *b,
                                 const struct command *c)
{
    if (c->kind != COMMAND_IOS)
        return true;
    uint64_t tile = isa_value(c->insn, ISA_FIELD_SharedTID, 0);
    for (unsigned n = 0; n < b->nios; n++)
        if (b->ios[n].shared == tile) {
            diag_report(as->diag, DIAG_BUNDLE_SHARED_TWICE, c->loc,
                        "Shared tile S%llu is bound twice", (unsigned long long)tile);
            diag_note(as->diag, b->ios[n].loc, "the first binding is here");
            note_start(as, b);
            return false;
        }
    return true;
}

/* ---- range modifiers of 0.58.5 (pto-spec asl/block/operands/B.SUBVIEW, B.ASSEMBLE) ---- */

enum range_role { RANGE_SOURCE0, RANGE_SOURCE1, RANGE_DESTINATION };

static bool is_modifier(const struct command *c)
{
    return c->kind == COMMAND_SUBVIEW || c->kind == COMMAND_ASSEMBLE;
}

static unsigned range_role(const struct command *c)
{
    return c->kind == COMMAND_ASSEMBLE ? RANGE_DESTINATION
                                       : (unsigned)isa_value(c->insn, ISA_FIELD_SrcSelect, 0);
}

/* The binding has no such tile; a mask of no PE discards the whole group. */
static const char *range_complaint(const struct tile_binding *group, const struct command *c)
{
    uint64_t parent = isa_value(c->insn, ISA_FIELD_ParentSizeCode, 0);
    if (!group->mask)
        return NULL;
    if (c->kind == COMMAND_ASSEMBLE && !group->destination)
        return "B.ASSEMBLE needs a destination in its B.IOT or B.IOS";
    if (c->kind == COMMAND_SUBVIEW && range_role(c) >= group->sources)
        return "B.SUBVIEW names a source that its B.IOT or B.IOS does not bind";
    if (c->kind == COMMAND_ASSEMBLE &&
        (isa_value(c->insn, ISA_FIELD_INIT, 0) != 0) != (parent != 0))
        return "B.ASSEMBLE has a size exactly when INIT is 1";
    return NULL;
}

static bool rule_range(struct assembler *as, const struct bundle *b, const struct command *c)
{
    if (!is_modifier(c))
        return true;
    const char *complaint = b->group ? range_complaint(b->group, c) : NULL;
    if (!b->group)
        diag_report(as->diag, DIAG_BUNDLE_ORDER, c->loc,
                    "%s must stand right behind its B.IOT or B.IOS", form_name(c->insn->form));
    else if (complaint)
        diag_report(as->diag, DIAG_BUNDLE_RANGE, c->loc, "%s", complaint);
    else if (b->group->mask && range_role(c) < b->next_role)
        diag_report(as->diag, DIAG_BUNDLE_ORDER, c->loc,
                    "the ranges of a B.IOT or B.IOS come in the order source 0, source 1, "
                    "destination, each at most once");
    else
        return true;
    if (b->group)
        diag_note(as->diag, b->group->loc, "its %s is here", form_name(b->group->form));
    note_start(as, b);
    return false;
}

static header_rule *const header_rules[] = {
    rule_inside, rule_before_body,     rule_once,  rule_fpatr_first,
    rule_room,   rule_shared_distinct, rule_range,
};

static void follow_group(struct bundle *b, const struct command *c)
{
    if (is_modifier(c)) {
        b->next_role = (uint8_t)(range_role(c) + 1);
        return;
    }
    b->group = c->kind == COMMAND_IOT   ? &b->iot[b->niot - 1]
               : c->kind == COMMAND_IOS ? &b->ios[b->nios - 1]
                                        : NULL;
    b->next_role = RANGE_SOURCE0;
}

static void bind_tile(const struct assembler *as, struct bundle *b, const struct command *c,
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
    } else {
        binding->destination =
            isa_value(c->insn, ISA_FIELD_SizeCode, isa_value(c->insn, ISA_FIELD_TSize, 0)) != 0;
        binding->sources = !binding->destination;
    }
}

static const struct {
    uint16_t field; /* ISA_FIELD_… */
    uint16_t bit;   /* ISA_DATR_… */
} datr_fields[] = {
    {ISA_FIELD_Layout, ISA_DATR_LAYOUT},
    {ISA_FIELD_DataType, ISA_DATR_DATATYPE},
    {ISA_FIELD_PadValueOrByteId, ISA_DATR_PAD},
    {ISA_FIELD_CMode, ISA_DATR_CMODE},
    {ISA_FIELD_RMode, ISA_DATR_RMODE},
    {ISA_FIELD_Sat, ISA_DATR_SAT},
    {ISA_FIELD_Canonicalize, ISA_DATR_CANONICALIZE},
};

static void record_datr(struct bundle *b, const struct isa_insn *insn)
{
    for (size_t i = 0; i < sizeof datr_fields / sizeof *datr_fields; i++)
        if (isa_value(insn, datr_fields[i].field, 0))
            b->datr_nonzero |= datr_fields[i].bit;
    /* DTYPE_NONE names no type: the CUBE layouts of TLOAD and TSTORE are written with it. */
    if (isa_value(insn, ISA_FIELD_DataType, 0) == ISA_DataType_DTYPE_NONE && b->op &&
        b->op->engine == ISA_ENGINE_TLSU)
        b->datr_nonzero &= (uint16_t)~ISA_DATR_DATATYPE;
}

static void record_ior(struct bundle *b, const struct isa_insn *insn)
{
    static const uint16_t sources[BUNDLE_SCALARS] = {ISA_FIELD_RegSrc0, ISA_FIELD_RegSrc1,
                                                     ISA_FIELD_RegSrc2};
    for (unsigned n = 0; n < BUNDLE_SCALARS; n++)
        b->scalar[n] = (uint8_t)isa_value(insn, sources[n], 0);
    b->scalar_destination = (uint8_t)isa_value(insn, ISA_FIELD_RegDst, 0);
}

static void header(struct assembler *as, struct bundle *b, const struct command *c,
                   bool explicit_last)
{
    unsigned before = diag_errors(as->diag);
    bool good = true;
    for (size_t i = 0; good && i < sizeof header_rules / sizeof *header_rules; i++)
        good = header_rules[i](as, b, c);
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
                form_name(form), what[need]);
    if (b->state == BUNDLE_OPEN)
        note_start(as, b);
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

/* ---- the stop ---- */

typedef void stop_rule(struct assembler *as, struct bundle *b, struct loc stop);

static void stop_masks(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    for (unsigned n = 1; n < b->niot; n++)
        if (b->iot[n].mask != b->iot[0].mask) {
            diag_report(as->diag, DIAG_BUNDLE_MASKS, b->iot[n].loc,
                        "all B.IOT of a bundle have the same PE mask");
            diag_note(as->diag, b->iot[0].loc, "the first B.IOT is here");
            note_start(as, b);
            return;
        }
}

static void set_last(const struct section *section, const struct tile_binding *binding)
{
    const struct isa_field *field =
        &binding->form->fields[isa_field_index(binding->form, ISA_FIELD_L)];
    isa_set_bits(field->pieces, field->npieces, 0, 1, section->bytes.data + binding->offset);
}

/* `last` stands on the final B.IOT and nowhere else; where none is written it is understood. */
static void stop_last(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    bool written = false;
    for (unsigned n = 0; n < b->niot; n++) {
        written |= b->iot[n].last;
        if (b->iot[n].last && n + 1 < b->niot) {
            diag_report(as->diag, DIAG_BUNDLE_LAST, b->iot[n].loc,
                        "only the final B.IOT of a bundle is the last one");
            diag_note(as->diag, b->iot[b->niot - 1].loc, "the final B.IOT is here");
            note_start(as, b);
        }
    }
    if (b->niot && !written)
        set_last(as->section, &b->iot[b->niot - 1]);
}

static stop_rule *const structure_rules[] = {stop_masks, stop_last};

static uint8_t command_need(const struct bundle *b, enum bundle_command kind)
{
    const struct isa_tileop *op = b->op;
    switch (kind) {
    case COMMAND_DATR:
        return op->datr;
    case COMMAND_FPATR:
        return op->fpatr;
    case COMMAND_IOR:
        return op->ior;
    case COMMAND_LB0:
    case COMMAND_LB1:
    case COMMAND_LB2:
        return op->lb[kind - COMMAND_LB0];
    case COMMAND_IOT:
        return op->iot;
    case COMMAND_IOS:
        return b->ios_need;
    default:
        return ISA_OPTIONAL;
    }
}

static void stop_commands(struct assembler *as, struct bundle *b, struct loc stop)
{
    for (unsigned kind = 0; kind < COMMAND_COUNT; kind++) {
        bool present = b->command[kind].file != 0;
        uint8_t need = command_need(b, kind);
        if (present && need == ISA_FORBIDDEN)
            diag_report(as->diag, DIAG_BUNDLE_FORBIDDEN, b->command[kind], "%s takes no %s",
                        b->op->name, command_names[kind]);
        else if (!present && need == ISA_REQUIRED)
            diag_report(as->diag, DIAG_BUNDLE_MISSING, stop, "%s needs a %s", b->op->name,
                        command_names[kind]);
        else
            continue;
        note_start(as, b);
    }
}

static unsigned count_sources(const struct bundle *b)
{
    unsigned count = 0;
    for (unsigned n = 0; n < b->niot; n++)
        count += b->iot[n].sources;
    for (unsigned n = 0; n < b->nios && b->ios_need != ISA_FORBIDDEN; n++)
        count += b->ios[n].sources;
    return count;
}

static unsigned count_destinations(const struct bundle *b)
{
    unsigned count = 0;
    for (unsigned n = 0; n < b->niot; n++)
        count += b->iot[n].destination;
    for (unsigned n = 0; n < b->nios && b->ios_need != ISA_FORBIDDEN; n++)
        count += b->ios[n].destination;
    return count;
}

/* Where the required B.IOT is missing, that says it all. */
static bool has_bindings(const struct bundle *b)
{
    return b->command[COMMAND_IOT].file || b->op->iot != ISA_REQUIRED;
}

static void stop_destinations(struct assembler *as, struct bundle *b, struct loc stop)
{
    unsigned count = count_destinations(b), wanted = b->op->ndestinations;
    if (count == wanted || !has_bindings(b) || (count > wanted && b->op->engine == ISA_ENGINE_CUBE))
        return;
    diag_report(as->diag, DIAG_BUNDLE_DESTINATIONS, stop, "%s has %u destination%s, not %u",
                b->op->name, wanted, wanted == 1 ? "" : "s", count);
    note_start(as, b);
}

static void stop_sources(struct assembler *as, struct bundle *b, struct loc stop)
{
    unsigned count = count_sources(b), wanted = b->op->nsources;
    if (count == wanted || !has_bindings(b) || b->op->engine == ISA_ENGINE_CUBE)
        return;
    diag_report(as->diag, DIAG_BUNDLE_SOURCES, stop, "%s has %u tile source%s, not %u", b->op->name,
                wanted, wanted == 1 ? "" : "s", count);
    note_start(as, b);
}

/* Three sources do not fit one B.IOT; the operation says how they are spread. */
static void stop_grouping(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    const uint8_t *groups = b->op->grouping;
    if (b->op->nsources <= 2 || b->op->engine == ISA_ENGINE_CUBE || b->nios ||
        count_sources(b) != b->op->nsources)
        return;
    for (unsigned n = 0; n < b->niot && groups[n]; n++)
        if (b->iot[n].sources != groups[n]) {
            diag_report(as->diag, DIAG_BUNDLE_GROUPING, b->iot[n].loc,
                        "B.IOT number %u of %s binds %u source%s, not %u", n + 1, b->op->name,
                        groups[n], groups[n] == 1 ? "" : "s", b->iot[n].sources);
            note_start(as, b);
            return;
        }
}

static void stop_datr(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    unsigned wrong = b->datr_nonzero & ~(unsigned)b->op->datr_fields;
    if (!b->command[COMMAND_DATR].file || b->op->datr == ISA_FORBIDDEN)
        return;
    for (size_t i = 0; i < sizeof datr_fields / sizeof *datr_fields; i++)
        if (wrong & datr_fields[i].bit) {
            diag_report(as->diag, DIAG_BUNDLE_DATR_FIELD, b->command[COMMAND_DATR],
                        "B.DATR field %s must be zero for %s",
                        isa_field_names[datr_fields[i].field], b->op->name);
            note_start(as, b);
        }
}

static const char *register_name(const struct assembler *as, unsigned code)
{
    const struct isa_member *member =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_GPR], code, as->target.pto);
    return member ? member->name : "a register";
}

static void warn_surplus(struct assembler *as, const struct bundle *b, unsigned code)
{
    unsigned taken = b->op->nscalars;
    diag_report(as->diag, DIAG_BUNDLE_SURPLUS_SCALAR, b->command[COMMAND_IOR],
                "%s consumes %s scalar%s, %s is surplus and the bundle will be rejected when it "
                "runs",
                b->op->name,
                taken == 0   ? "no"
                : taken == 1 ? "one"
                             : "two",
                taken == 1 ? "" : "s", register_name(as, code));
    note_start(as, b);
}

static void stop_scalars(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    if (!b->command[COMMAND_IOR].file || b->op->ior == ISA_FORBIDDEN ||
        b->op->engine == ISA_ENGINE_CUBE)
        return;
    for (unsigned n = b->op->nscalars; n < BUNDLE_SCALARS; n++)
        if (b->scalar[n]) {
            warn_surplus(as, b, b->scalar[n]);
            return;
        }
    if (b->scalar_destination)
        warn_surplus(as, b, b->scalar_destination);
}

static stop_rule *const operation_rules[] = {
    stop_commands, stop_sources, stop_destinations, stop_grouping, stop_datr, stop_scalars,
};

/* Dimension reduction works on VEC, SFU and TLSU only (C.1 item 4). */
static void stop_reduction(struct assembler *as, const struct bundle *b)
{
    if (!b->control_dr || (b->op && b->op->engine != ISA_ENGINE_CUBE))
        return;
    diag_report(as->diag, DIAG_BUNDLE_REDUCTION, b->command[COMMAND_CATR],
                "B.CATR dr is for VEC, SFU and TLSU operations, not for %s", bundle_name(b));
    note_start(as, b);
}

/* A PE mask of zero makes the bundle a strict no-op before all checks of its operation. */
static bool masked_out(const struct bundle *b)
{
    for (unsigned n = 0; n < b->niot; n++)
        if (!b->iot[n].mask)
            return true;
    for (unsigned n = 0; n < b->nios; n++)
        if (!b->ios[n].mask)
            return true;
    return false;
}

/* A line between that was wrong in itself may be the very command a rule would miss. */
static void close_bundle(struct assembler *as, struct bundle *b, struct loc stop)
{
    bool complete = b->errors == diag_errors(as->diag);
    for (size_t i = 0; i < sizeof structure_rules / sizeof *structure_rules; i++)
        structure_rules[i](as, b, stop);
    stop_reduction(as, b);
    bool judged = complete && b->op && !b->extension && !is_variant(b) && !masked_out(b);
    for (size_t i = 0; judged && i < sizeof operation_rules / sizeof *operation_rules; i++)
        operation_rules[i](as, b, stop);
}

static void stop(struct assembler *as, struct bundle *b, const struct isa_form *form,
                 struct loc loc)
{
    if (b->state == BUNDLE_OPEN)
        close_bundle(as, b, loc);
    else if (b->state == BUNDLE_CLOSED)
        diag_report(as->diag, DIAG_BUNDLE_NOT_OPEN, loc, "%s without a BSTART before it",
                    form_name(form));
    *b = (struct bundle){.state = BUNDLE_CLOSED, .start = loc};
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
    if (insn->form->klass == ISA_CLASS_ExecuteBundleStop) {
        stop(as, b, insn->form, loc);
        return;
    }
    if (b->state == BUNDLE_UNKNOWN)
        return;
    struct command c = {.kind = header_command(insn), .insn = insn, .loc = loc};
    if (c.kind == COMMAND_COUNT)
        body(as, b, insn->form, loc);
    else
        header(as, b, &c, explicit_last);
}

void asm_bundle_raw(struct assembler *as)
{
    as->section->bundle.state = BUNDLE_UNKNOWN;
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
                "the bundle of %s has no BSTOP before the end of section '%s'", bundle_name(b),
                section->name);
}
