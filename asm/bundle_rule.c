/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of bundles (pto-isa.md C.1, tile-ops.tsv): small functions in three
 * tables, for a header command, for every stop, and for the stop of a tile
 * operation. What the rows of isa_tileops do not decide is accepted: a mask of
 * no PE suppresses all checks of the operation (it is a strict no-op). What
 * B.FPATR and the types of a CUBE operation decide is in bundle_matrix.c.
 */
#include "asm/bundle.h"

#include <string.h>

static const char *const command_names[COMMAND_COUNT] = {
    [COMMAND_CATR] = "B.CATR",       [COMMAND_DATR] = "B.DATR",
    [COMMAND_FPATR] = "B.FPATR",     [COMMAND_IOR] = "B.IOR",
    [COMMAND_HINT] = "B.HINT",       [COMMAND_LB0] = "B.DIM for LB0",
    [COMMAND_LB1] = "B.DIM for LB1", [COMMAND_LB2] = "B.DIM for LB2",
    [COMMAND_IOT] = "B.IOT",         [COMMAND_IOS] = "B.IOS",
    [COMMAND_SUBVIEW] = "B.SUBVIEW", [COMMAND_ASSEMBLE] = "B.ASSEMBLE",
};

const char *asm_bundle_name(const struct bundle *b)
{
    return b->op ? b->op->name : asm_form_name(b->form);
}

void asm_bundle_note(struct assembler *as, const struct bundle *b)
{
    diag_note(as->diag, b->start, "the bundle of %s begins here", asm_bundle_name(b));
}

/* ---- header commands ---- */

/* A rule returns false when it reported; the command is then not counted. */
typedef bool header_rule(struct assembler *as, const struct bundle *b, const struct bundle_line *c);

static bool rule_inside(struct assembler *as, const struct bundle *b, const struct bundle_line *c)
{
    if (b->state == BUNDLE_OPEN)
        return true;
    diag_report(as->diag, DIAG_BUNDLE_OUTSIDE, c->loc,
                "%s stands outside a bundle; it belongs between BSTART and BSTOP",
                asm_form_name(c->insn->form));
    if (b->start.file)
        diag_note(as->diag, b->start, "the bundle before it ends here");
    return false;
}

static bool rule_before_body(struct assembler *as, const struct bundle *b,
                             const struct bundle_line *c)
{
    if (!b->body.file)
        return true;
    diag_report(as->diag, DIAG_BUNDLE_BODY, c->loc, "%s must stand before the body of its bundle",
                asm_form_name(c->insn->form));
    diag_note(as->diag, b->body, "the body begins here");
    asm_bundle_note(as, b);
    return false;
}

static bool rule_once(struct assembler *as, const struct bundle *b, const struct bundle_line *c)
{
    if (c->kind >= COMMAND_IOT || !b->command[c->kind].file)
        return true;
    diag_report(as->diag, DIAG_BUNDLE_DUPLICATE, c->loc, "a bundle has at most one %s",
                command_names[c->kind]);
    diag_note(as->diag, b->command[c->kind], "the first one is here");
    asm_bundle_note(as, b);
    return false;
}

static bool rule_fpatr_first(struct assembler *as, const struct bundle *b,
                             const struct bundle_line *c)
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
            asm_bundle_note(as, b);
            return false;
        }
    return true;
}

static bool rule_room(struct assembler *as, const struct bundle *b, const struct bundle_line *c)
{
    bool full = c->kind == COMMAND_IOT   ? b->niot == BUNDLE_MAX_IOT
                : c->kind == COMMAND_IOS ? b->nios == BUNDLE_MAX_IOS
                                         : false;
    if (full) {
        diag_report(as->diag, DIAG_BUNDLE_TOO_MANY, c->loc, "a bundle has at most %d %s",
                    c->kind == COMMAND_IOT ? BUNDLE_MAX_IOT : BUNDLE_MAX_IOS,
                    command_names[c->kind]);
        asm_bundle_note(as, b);
    }
    return !full;
}

static bool rule_shared_distinct(struct assembler *as, const struct bundle *b,
                                 const struct bundle_line *c)
{
    if (c->kind != COMMAND_IOS)
        return true;
    uint64_t tile = isa_value(c->insn, ISA_FIELD_SharedTID, 0);
    for (unsigned n = 0; n < b->nios; n++)
        if (b->ios[n].shared == tile) {
            diag_report(as->diag, DIAG_BUNDLE_SHARED_TWICE, c->loc,
                        "Shared tile S%llu is bound twice", (unsigned long long)tile);
            diag_note(as->diag, b->ios[n].loc, "the first binding is here");
            asm_bundle_note(as, b);
            return false;
        }
    return true;
}

/* ---- range modifiers of 0.58.5 (pto-spec asl/block/operands/B.SUBVIEW, B.ASSEMBLE) ---- */

bool asm_bundle_is_modifier(const struct bundle_line *c)
{
    return c->kind == COMMAND_SUBVIEW || c->kind == COMMAND_ASSEMBLE;
}

unsigned asm_bundle_range_role(const struct bundle_line *c)
{
    return c->kind == COMMAND_ASSEMBLE ? ASM_RANGE_DESTINATION
                                       : (unsigned)isa_value(c->insn, ISA_FIELD_SrcSelect, 0);
}

/* The binding has no such tile; a mask of no PE discards the whole group. */
static const char *range_complaint(const struct tile_binding *group, const struct bundle_line *c)
{
    uint64_t parent = isa_value(c->insn, ISA_FIELD_ParentSizeCode, 0);
    if (!group->mask)
        return NULL;
    if (c->kind == COMMAND_ASSEMBLE && !group->destination)
        return "B.ASSEMBLE needs a destination in its B.IOT or B.IOS";
    if (c->kind == COMMAND_SUBVIEW && asm_bundle_range_role(c) >= group->sources)
        return "B.SUBVIEW names a source that its B.IOT or B.IOS does not bind";
    if (c->kind == COMMAND_ASSEMBLE &&
        (isa_value(c->insn, ISA_FIELD_INIT, 0) != 0) != (parent != 0))
        return "B.ASSEMBLE has a size exactly when INIT is 1";
    return NULL;
}

static bool rule_range(struct assembler *as, const struct bundle *b, const struct bundle_line *c)
{
    if (!asm_bundle_is_modifier(c))
        return true;
    const char *complaint = b->group ? range_complaint(b->group, c) : NULL;
    if (!b->group)
        diag_report(as->diag, DIAG_BUNDLE_ORDER, c->loc,
                    "%s must stand right behind its B.IOT or B.IOS", asm_form_name(c->insn->form));
    else if (complaint)
        diag_report(as->diag, DIAG_BUNDLE_RANGE, c->loc, "%s", complaint);
    else if (b->group->mask && asm_bundle_range_role(c) < b->next_role)
        diag_report(as->diag, DIAG_BUNDLE_ORDER, c->loc,
                    "the ranges of a B.IOT or B.IOS come in the order source 0, source 1, "
                    "destination, each at most once");
    else
        return true;
    if (b->group)
        diag_note(as->diag, b->group->loc, "its %s is here", asm_form_name(b->group->form));
    asm_bundle_note(as, b);
    return false;
}

static header_rule *const header_rules[] = {
    rule_inside, rule_before_body,     rule_once,  rule_fpatr_first,
    rule_room,   rule_shared_distinct, rule_range,
};

bool asm_bundle_header_rules(struct assembler *as, const struct bundle *b,
                             const struct bundle_line *c)
{
    bool good = true;
    for (size_t i = 0; good && i < sizeof header_rules / sizeof *header_rules; i++)
        good = header_rules[i](as, b, c);
    return good;
}

const struct datr_field asm_datr_fields[ASM_DATR_FIELDS] = {
    {ISA_FIELD_Layout, ISA_DATR_LAYOUT},
    {ISA_FIELD_DataType, ISA_DATR_DATATYPE},
    {ISA_FIELD_PadValueOrByteId, ISA_DATR_PAD},
    {ISA_FIELD_CMode, ISA_DATR_CMODE},
    {ISA_FIELD_RMode, ISA_DATR_RMODE},
    {ISA_FIELD_Sat, ISA_DATR_SAT},
    {ISA_FIELD_Canonicalize, ISA_DATR_CANONICALIZE},
};

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
            asm_bundle_note(as, b);
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
            asm_bundle_note(as, b);
        }
    }
    if (b->niot && !written)
        set_last(as->section, &b->iot[b->niot - 1]);
}

/* Dimension reduction works on VEC, SFU and TLSU only (C.1 item 4). */
static void stop_reduction(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    if (!b->control_dr || (b->op && b->op->engine != ISA_ENGINE_CUBE))
        return;
    diag_report(as->diag, DIAG_BUNDLE_REDUCTION, b->command[COMMAND_CATR],
                "B.CATR dr is for VEC, SFU and TLSU operations, not for %s", asm_bundle_name(b));
    asm_bundle_note(as, b);
}

static stop_rule *const structure_rules[] = {stop_masks, stop_last, stop_reduction};

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
        asm_bundle_note(as, b);
    }
}

unsigned asm_bundle_local_sources(const struct bundle *b)
{
    unsigned count = 0;
    for (unsigned n = 0; n < b->niot; n++)
        count += b->iot[n].sources;
    return count;
}

static unsigned count_sources(const struct bundle *b)
{
    unsigned count = asm_bundle_local_sources(b);
    for (unsigned n = 0; n < b->nios && b->ios_need != ISA_FORBIDDEN; n++)
        count += b->ios[n].sources;
    return count;
}

unsigned asm_bundle_destinations(const struct bundle *b)
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
    unsigned count = asm_bundle_destinations(b), wanted = b->op->ndestinations;
    if (count == wanted || !has_bindings(b) || b->op->engine == ISA_ENGINE_CUBE)
        return;
    diag_report(as->diag, DIAG_BUNDLE_DESTINATIONS, stop, "%s has %u destination%s, not %u",
                b->op->name, wanted, wanted == 1 ? "" : "s", count);
    asm_bundle_note(as, b);
}

static void stop_sources(struct assembler *as, struct bundle *b, struct loc stop)
{
    unsigned count = count_sources(b), wanted = b->op->nsources;
    if (count == wanted || !has_bindings(b) || b->op->engine == ISA_ENGINE_CUBE)
        return;
    diag_report(as->diag, DIAG_BUNDLE_SOURCES, stop, "%s has %u tile source%s, not %u", b->op->name,
                wanted, wanted == 1 ? "" : "s", count);
    asm_bundle_note(as, b);
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
            asm_bundle_note(as, b);
            return;
        }
}

static void stop_datr(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    unsigned wrong = b->datr_nonzero & ~(unsigned)b->op->datr_fields;
    if (!b->command[COMMAND_DATR].file || b->op->datr == ISA_FORBIDDEN)
        return;
    for (size_t i = 0; i < ASM_DATR_FIELDS; i++)
        if (wrong & asm_datr_fields[i].bit) {
            diag_report(as->diag, DIAG_BUNDLE_DATR_FIELD, b->command[COMMAND_DATR],
                        "B.DATR field %s must be zero for %s",
                        isa_field_names[asm_datr_fields[i].field], b->op->name);
            asm_bundle_note(as, b);
        }
}

static const char *register_name(const struct assembler *as, unsigned code)
{
    const struct isa_member *member =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_GPR], code, as->target.pto);
    return member ? member->name : "a register";
}

static void warn_surplus(struct assembler *as, const struct bundle *b, unsigned taken,
                         unsigned code)
{
    diag_report(as->diag, DIAG_BUNDLE_SURPLUS_SCALAR, b->command[COMMAND_IOR],
                "%s consumes %s scalar%s, %s is surplus and the bundle will be rejected when it "
                "runs",
                b->op->name,
                taken == 0   ? "no"
                : taken == 1 ? "one"
                             : "two",
                taken == 1 ? "" : "s", register_name(as, code));
    asm_bundle_note(as, b);
}

void asm_bundle_surplus_rule(struct assembler *as, const struct bundle *b, unsigned taken)
{
    if (!b->command[COMMAND_IOR].file)
        return;
    for (unsigned n = taken; n < BUNDLE_SCALARS; n++)
        if (b->scalar[n]) {
            warn_surplus(as, b, taken, b->scalar[n]);
            return;
        }
    if (b->scalar_destination)
        warn_surplus(as, b, taken, b->scalar_destination);
}

static void stop_scalars(struct assembler *as, struct bundle *b, struct loc stop)
{
    (void)stop;
    if (b->op->ior != ISA_FORBIDDEN && b->op->engine != ISA_ENGINE_CUBE)
        asm_bundle_surplus_rule(as, b, b->op->nscalars);
}

static stop_rule *const operation_rules[] = {
    stop_commands, stop_sources, stop_destinations,       stop_grouping,
    stop_datr,     stop_scalars, asm_bundle_matrix_rules,
};

/* Does another function of the same operation start here (TMOV.L2S.INSERT)? Its operands differ. */
static bool is_variant(const struct bundle *b)
{
    return b->form->tileop && strcmp(asm_form_name(b->form), b->op->start) != 0;
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

void asm_bundle_stop_rules(struct assembler *as, struct bundle *b, struct loc stop, bool complete)
{
    for (size_t i = 0; i < sizeof structure_rules / sizeof *structure_rules; i++)
        structure_rules[i](as, b, stop);
    bool judged = complete && b->op && !b->extension && !is_variant(b) && !masked_out(b);
    for (size_t i = 0; judged && i < sizeof operation_rules / sizeof *operation_rules; i++)
        operation_rules[i](as, b, stop);
}
