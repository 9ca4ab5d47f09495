/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a tile operation: BSTART, B.DATR, B.DIM, B.IOT, B.IOR, BSTOP. */
#include "asm/lower_tile.h"

#include <string.h>

/* ---- B.DATR ---- */

static bool set_member(struct assembler *as, const struct tile_lowering *t, struct isa_insn *datr,
                       unsigned field, unsigned enumeration, const char *name)
{
    const struct isa_member *m =
        isa_find_member(&isa_enumerations[enumeration], name, strlen(name), as->target.pto);
    if (m == NULL)
        return ptoas_refuse_tile(as, t, "%s is no mode of %s", name, t->op->name);
    isa_set_value(datr, field, m->value);
    return true;
}

static bool set_rounding(struct assembler *as, const struct tile_lowering *t, struct isa_insn *datr)
{
    static const char *const modes[][2] = {
        {"NONE", "Default"}, {"RINT", "RNE"}, {"CAST_RINT", "RNE"}, {"ROUND", "RNA"},
        {"FLOOR", "RTM"},    {"CEIL", "RTP"}, {"TRUNC", "RTZ"},     {"ODD", "RTO"}};
    const char *mode = ptoas_attr_member(t->form, "rmode");
    const char *saturation = ptoas_attr_member(t->form, "sat_mode");
    isa_set_value(datr, ISA_FIELD_DataType, t->to.element->dtype);
    isa_set_value(datr, ISA_FIELD_Sat, saturation != NULL && strcmp(saturation, "ON") == 0);
    size_t i = 0;
    while (i + 1 < sizeof modes / sizeof *modes && (mode == NULL || strcmp(modes[i][0], mode) != 0))
        i++;
    return set_member(as, t, datr, ISA_FIELD_RMode, ISA_ENUM_RMode,
                      mode == NULL ? "RNE" : modes[i][1]);
}

/* The byte of ui16 elements that a histogram counts. */
static unsigned histogram_byte(const struct tile_lowering *t)
{
    return ptoas_flag(t->form, "isMSB", true) ? 1 : 0;
}

/* Results nearest to what they stand for, and limited to the type. */
static bool set_quantisation(struct assembler *as, const struct tile_lowering *t,
                             struct isa_insn *datr)
{
    isa_set_value(datr, ISA_FIELD_PadValueOrByteId, 0);
    isa_set_value(datr, ISA_FIELD_DataType, t->to.element->dtype);
    isa_set_value(datr, ISA_FIELD_Sat, t->rule->rule == RULE_QUANTISE);
    return set_member(as, t, datr, ISA_FIELD_RMode, ISA_ENUM_RMode, "RNE");
}

static bool set_attributes(struct assembler *as, const struct tile_lowering *t,
                           struct isa_insn *datr)
{
    const char *mode = ptoas_attr_member(t->form, "cmpMode");
    switch (t->rule->rule) {
    case RULE_COMPARE:
        return set_member(as, t, datr, ISA_FIELD_CMode, ISA_ENUM_CMode, mode ? mode : "eq");
    case RULE_CONVERT:
        return set_rounding(as, t, datr);
    case RULE_QUANTISE:
    case RULE_DEQUANTISE:
        return set_quantisation(as, t, datr);
    case RULE_HISTOGRAM:
        isa_set_value(datr, ISA_FIELD_PadValueOrByteId, histogram_byte(t));
        isa_set_value(datr, ISA_FIELD_DataType, ISA_DataType_U32);
        return true;
    default:
        isa_set_value(datr, ISA_FIELD_DataType, t->to.element->dtype);
        return t->rule->rule != RULE_SIGNED ||
               set_member(as, t, datr, ISA_FIELD_RMode, ISA_ENUM_RMode, "RNE");
    }
}

static bool has_attributes(const struct tile_lowering *t)
{
    switch (t->rule->rule) {
    case RULE_COMPARE:
    case RULE_CONVERT:
    case RULE_SIGNED:
    case RULE_HISTOGRAM:
    case RULE_QUANTISE:
    case RULE_DEQUANTISE:
        return true;
    default:
        return ptoas_rule_may_differ(t) && t->to.element->dtype != t->dtype;
    }
}

/* B.DATR where the operation has an attribute. */
static bool emit_attributes(struct assembler *as, const struct tile_lowering *t)
{
    struct isa_insn datr = ptoas_insn(as, ISA_FORM_b_datr_32_c161a042ff38);
    isa_set_value(&datr, ISA_FIELD_PadValueOrByteId, ISA_PadValue_Null);
    if (!has_attributes(t))
        return true;
    if (!set_attributes(as, t, &datr))
        return false;
    asm_emit_insn(as, &datr, t->loc);
    return true;
}

/* ---- words ---- */

/* Reductions have the dimensions of their source, all others those of their destination. */
static void emit_dimensions(struct assembler *as, const struct tile_lowering *t)
{
    bool reduces = t->rule->rule >= RULE_REDUCE_ROWS && t->rule->rule <= RULE_INDEX_COLUMNS;
    if (t->rule->rule == RULE_HISTOGRAM)
        return; /* its source says all */
    const struct tile_type *type = reduces ? &t->source[0]->type : &t->to;
    const struct tile_shape *shape = reduces ? &t->source[0]->shape : &t->shape;
    ptoas_emit_valid(as, type, t->loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB2, shape->cols, t->loc);
}

static void emit_tiles(struct assembler *as, const struct tile_lowering *t)
{
    struct tile_binding_words b = {.mask = "1111",
                                   .hand = ptoas_places[t->to.place].hand,
                                   .size_code = ptoas_shape_code(&t->shape)};
    unsigned n = 0, group = 0;
    do {
        unsigned count = t->op->grouping[group++];
        for (unsigned i = 0; i < 2; i++)
            b.source[i] = i < count ? t->source[n++] : NULL;
        b.more = n < t->nsources;
        ptoas_emit_iot(as, &b, t->loc);
    } while (n < t->nsources);
}

void ptoas_emit_tile(struct assembler *as, const struct tile_lowering *t)
{
    ptoas_emit_start(as, t->op, t->dtype, t->loc);
    if (!emit_attributes(as, t))
        return;
    emit_dimensions(as, t);
    emit_tiles(as, t);
    if (t->nscalars)
        ptoas_emit_ior(as, t->scalar, t->nscalars, t->loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, t->loc);
}
