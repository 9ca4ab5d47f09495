/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUBE bundles (asl/block/model/dispatch/cube-tmatmul.asl): the types, B.IOS and
 * B.FPATR say together which operands there are. What stands in registers is
 * not judged.
 */
#include "asm/bundle.h"

struct matrix_check {
    struct assembler *as;
    struct bundle *b;
    struct loc stop;
    struct isa_matrix_schema schema;
};

static const char *type_name(const struct matrix_check *m, unsigned type)
{
    const struct isa_member *member =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_DataType], type, m->as->target.pto);
    return member ? member->name : "this type";
}

static unsigned right_type(const struct bundle *b)
{
    return b->datr_type == ISA_DataType_DTYPE_NONE ? b->type : b->datr_type;
}

static const char *mode_name(const struct matrix_check *m)
{
    const struct isa_member *member = isa_member_of_value(
        &isa_enumerations[ISA_ENUM_PreQuantMode], m->b->fpatr.pre_quant_mode, m->as->target.pto);
    return member ? member->name : "this mode";
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

/* ---- what decides about the operands ---- */

static void report_right_type(struct matrix_check *m)
{
    struct buffer *legal = asm_scratch(m->as);
    asm_bundle_list_types(m->b->op->datatypes, legal);
    diag_report(m->as->diag, DIAG_BUNDLE_DATATYPE, m->b->command[COMMAND_DATR],
                "%s does not take %s as its right input (legal: %.*s)", m->b->op->name,
                type_name(m, right_type(m->b)), (int)legal->size, (const char *)legal->data);
    asm_bundle_note(m->as, m->b);
}

static void report_class(struct matrix_check *m)
{
    diag_report(m->as->diag, DIAG_BUNDLE_DATATYPE, m->b->command[COMMAND_DATR],
                "%s does not multiply %s by %s: both are floating, both signed or both unsigned",
                m->b->op->name, type_name(m, m->b->type), type_name(m, right_type(m->b)));
    asm_bundle_note(m->as, m->b);
}

static void report_shared(struct matrix_check *m)
{
    const struct bundle *b = m->b;
    unsigned right = 1u + m->schema.right_scale, both = right + 1u + m->schema.left_scale;
    diag_report(m->as->diag, DIAG_BUNDLE_SOURCES, b->ios[0].loc,
                "%s with %u B.IOS: %u for a Shared right side, %u for both sides", b->op->name,
                b->nios, right, both);
    asm_bundle_note(m->as, b);
}

/* False: the operands are not known. */
static bool decide_operands(struct matrix_check *m)
{
    const struct bundle *b = m->b;
    const struct isa_matrix_bundle bundle = {
        .op = b->op,
        .left = b->type,
        .right = right_type(b),
        .fpatr = b->fpatr,
        .nshared = b->nios,
    };
    switch (isa_matrix_schema(&bundle, &m->schema)) {
    case ISA_MATRIX_GOOD:
        return true;
    case ISA_MATRIX_RIGHT_TYPE:
        report_right_type(m);
        return false;
    case ISA_MATRIX_CLASS:
        report_class(m);
        return false;
    case ISA_MATRIX_SHARED:
        if (b->ios_need != ISA_FORBIDDEN) /* else stop_commands said it */
            report_shared(m);
        return false;
    default: /* the left type was reported at the start */
        return false;
    }
}

/* ---- the rules ---- */

typedef void matrix_rule(struct matrix_check *m);

static void rule_sources(struct matrix_check *m)
{
    const struct isa_matrix_schema *s = &m->schema;
    unsigned count = asm_bundle_local_sources(m->b), rest = s->nsources - s->nmathematical;
    if (count == s->nsources || !m->b->niot)
        return;
    diag_report(m->as->diag, DIAG_BUNDLE_SOURCES, m->stop,
                "%s has %u tile source%s here, not %u: %u of the product and %u of B.FPATR",
                m->b->op->name, s->nsources, plural(s->nsources), count, s->nmathematical, rest);
    asm_bundle_note(m->as, m->b);
}

static void rule_destinations(struct matrix_check *m)
{
    unsigned count = asm_bundle_destinations(m->b), wanted = m->schema.ndestinations;
    if (count == wanted || !m->b->niot)
        return;
    diag_report(m->as->diag, DIAG_BUNDLE_DESTINATIONS, m->stop, "%s has %u destination%s%s, not %u",
                m->b->op->name, wanted, plural(wanted), wanted > 1 ? " with this B.FPATR" : "",
                count);
    asm_bundle_note(m->as, m->b);
}

/* A missing B.IOR reads as zero, which is no scale. */
static void rule_scalars(struct matrix_check *m)
{
    bool scale = m->schema.quant_scalar && m->schema.prequant->parameter == ISA_PARAMETER_SCALE;
    asm_bundle_surplus_rule(m->as, m->b, m->schema.nscalars);
    if (!scale || (m->b->command[COMMAND_IOR].file && m->b->scalar[0]))
        return;
    diag_report(m->as->diag, DIAG_BUNDLE_MISSING, m->stop,
                "%s needs a B.IOR with the scale of PreQuantMode %s", m->b->op->name, mode_name(m));
    asm_bundle_note(m->as, m->b);
}

static void fpatr_error(struct matrix_check *m, const char *what, const char *why)
{
    diag_report(m->as->diag, DIAG_BUNDLE_FPATR, m->b->command[COMMAND_FPATR], "%s%s", what, why);
    asm_bundle_note(m->as, m->b);
}

static void rule_fpatr(struct matrix_check *m)
{
    const struct isa_fpatr *f = &m->b->fpatr;
    const char *problem = isa_fpatr_problem(f);
    if (problem)
        fpatr_error(m, "B.FPATR has ", problem);
    if (f->trans_a && !m->schema.left_shared)
        fpatr_error(m, "B.FPATR TransA", " needs a Shared left input");
    if (f->trans_b && !m->schema.right_shared)
        fpatr_error(m, "B.FPATR TransB", " needs a Shared right input");
    if (m->schema.c_scale && !m->schema.takes_c_scale)
        fpatr_error(m, "B.FPATR CScaleEn",
                    " scales the accumulator of TMATMUL.ACC and TMATMULMX.ACC in FP32 only");
}

static void rule_accumulator_type(struct matrix_check *m)
{
    unsigned type = m->schema.accumulator_type;
    if (m->schema.prequant->accumulators >> type & 1)
        return;
    diag_report(m->as->diag, DIAG_BUNDLE_FPATR, m->b->command[COMMAND_FPATR],
                "PreQuantMode %s does not convert %s, in which %s adds up its products",
                mode_name(m), type_name(m, type), m->b->op->name);
    asm_bundle_note(m->as, m->b);
}

/* RMode and Sat belong to the conversion that B.FPATR selects. */
static void rule_conversion(struct matrix_check *m)
{
    unsigned wrong = m->b->datr_nonzero & (ISA_DATR_RMODE | ISA_DATR_SAT) &
                     ~(unsigned)m->schema.prequant->datr_fields;
    for (size_t i = 0; i < ASM_DATR_FIELDS; i++)
        if (wrong & asm_datr_fields[i].bit) {
            diag_report(m->as->diag, DIAG_BUNDLE_DATR_FIELD, m->b->command[COMMAND_DATR],
                        "B.DATR field %s must be zero for %s with PreQuantMode %s",
                        isa_field_names[asm_datr_fields[i].field], m->b->op->name, mode_name(m));
            asm_bundle_note(m->as, m->b);
        }
}

static void dimension_error(struct matrix_check *m, unsigned n, const char *must)
{
    diag_report(m->as->diag, DIAG_BUNDLE_DIMENSION, m->b->command[COMMAND_LB0 + n],
                "%c of %s, LB%u, is %d: it must be %s", "MNK"[n], m -> b -> op -> name, n,
                (int)m -> b -> dimension[n], must);
    asm_bundle_note(m->as, m->b);
}

static void rule_dimensions(struct matrix_check *m)
{
    for (unsigned n = 0; n < 3; n++) {
        int32_t value = m->b->dimension[n];
        if (value < 0)
            continue;
        if (!value)
            dimension_error(m, n, "positive");
        else if (!n && m->schema.gemv && value != 1)
            dimension_error(m, n, "1, a vector has one row");
        else if (m->b->nios && (value & (value - 1)))
            dimension_error(m, n, "a power of two, since an input is Shared");
    }
}

/* PTO-CUBE-ACCUMULATOR-OUTPUT-001 compares the codes as they stand in the words. */
static void rule_alias(struct matrix_check *m)
{
    const struct tile_binding *source = NULL, *result = NULL;
    for (unsigned n = m->b->niot; n > 0; n--) {
        if (m->b->iot[n - 1].sources)
            source = &m->b->iot[n - 1];
        if (m->b->iot[n - 1].destination)
            result = &m->b->iot[n - 1];
    }
    if (!m->schema.accumulator || !source || !result || source->source0 != result->hand)
        return;
    diag_report(m->as->diag, DIAG_BUNDLE_ALIAS, source->loc,
                "%s: the accumulator's code %u is the code of the result's hand; they must differ",
                m->b->op->name, source->source0);
    diag_note(m->as->diag, result->loc, "the result is bound here");
    asm_bundle_note(m->as, m->b);
}

static matrix_rule *const matrix_rules[] = {
    rule_sources,          rule_destinations, rule_scalars,    rule_fpatr,
    rule_accumulator_type, rule_conversion,   rule_dimensions, rule_alias,
};

void asm_bundle_matrix_rules(struct assembler *as, struct bundle *b, struct loc stop)
{
    struct matrix_check m = {.as = as, .b = b, .stop = stop};
    if (b->op->engine != ISA_ENGINE_CUBE || !b->fpatr.present || !decide_operands(&m))
        return;
    for (size_t i = 0; i < sizeof matrix_rules / sizeof *matrix_rules; i++)
        matrix_rules[i](&m);
}
