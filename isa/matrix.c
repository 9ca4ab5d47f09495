/* SPDX-License-Identifier: BSD-3-Clause */
/* CUBE bundles: which operands follow from the operation, its types and B.FPATR. */
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

static bool has_operand(const struct isa_tileop *op, const char *what)
{
    for (unsigned i = 0; i < op->noperands; i++)
        if (op->operands[i].role == ISA_ROLE_SOURCE && !strcmp(op->operands[i].what, what))
            return true;
    return false;
}

static bool contains(uint32_t set, unsigned type)
{
    return type < 32 && (set >> type & 1);
}

static const struct isa_accumulator *accumulator_of(unsigned type)
{
    for (unsigned i = 0; i < ISA_ACCUMULATOR_COUNT; i++)
        if (contains(isa_accumulators[i].inputs, type))
            return &isa_accumulators[i];
    return NULL;
}

static const struct isa_prequant *prequant_of(unsigned mode)
{
    for (unsigned i = 0; i < ISA_PREQUANT_COUNT; i++)
        if (isa_prequants[i].mode == mode)
            return &isa_prequants[i];
    return NULL;
}

/* A side with its scales is Shared as a whole; TGEMV takes Local tiles only. */
static bool shared_sides(const struct isa_matrix_bundle *b, struct isa_matrix_schema *s)
{
    unsigned right = 1u + s->right_scale, both = right + 1u + s->left_scale;
    s->right_shared = b->nshared != 0;
    s->left_shared = b->nshared == both;
    return !b->nshared || (!s->gemv && (b->nshared == right || b->nshared == both));
}

static void count_operands(const struct isa_matrix_bundle *b, struct isa_matrix_schema *s)
{
    s->c_scale = b->fpatr.c_scale_en;
    s->takes_c_scale = s->accumulator && !s->gemv && s->accumulator_type == ISA_DataType_FP32;
    s->nmathematical = (uint8_t)(s->accumulator + s->bias + s->c_scale);
    if (!s->left_shared)
        s->nmathematical += (uint8_t)(1u + s->left_scale);
    if (!s->right_shared)
        s->nmathematical += (uint8_t)(1u + s->right_scale);
    s->quant_tile = s->prequant->source == ISA_FROM_VECTOR;
    s->quant_scalar = s->prequant->source == ISA_FROM_SCALAR;
    s->relu_tile = b->fpatr.relu_mode == ISA_ReluMode_PReLU;
    s->relu_scalar = b->fpatr.relu_mode == ISA_ReluMode_LReLU;
    s->nsources =
        (uint8_t)(s->nmathematical + b->fpatr.row_max_init + s->quant_tile + s->relu_tile);
    s->ndestinations = (uint8_t)(1 + b->fpatr.row_max_en + b->fpatr.group_max_en);
    s->nscalars = (uint8_t)(s->quant_scalar + s->relu_scalar);
}

enum isa_matrix_problem isa_matrix_schema(const struct isa_matrix_bundle *b,
                                          struct isa_matrix_schema *s)
{
    *s = (struct isa_matrix_schema){
        .accumulator = has_operand(b->op, "accumulator"),
        .bias = has_operand(b->op, "bias"),
        .mx = has_operand(b->op, "row-scale"),
        .gemv = has_operand(b->op, "left-vector"),
        .prequant = prequant_of(b->fpatr.pre_quant_mode),
    };
    const struct isa_accumulator *left = accumulator_of(b->left), *right = accumulator_of(b->right);
    if (!left || !contains(b->op->datatypes, b->left))
        return ISA_MATRIX_LEFT_TYPE;
    if (!right || !contains(b->op->datatypes, b->right))
        return ISA_MATRIX_RIGHT_TYPE;
    if (left != right)
        return ISA_MATRIX_CLASS;
    s->accumulator_type = left->type;
    s->left_scale = s->mx && contains(ISA_TYPES_mx_scaled, b->left);
    s->right_scale = s->mx && contains(ISA_TYPES_mx_scaled, b->right);
    if (!s->prequant)
        return ISA_MATRIX_MODE;
    if (!shared_sides(b, s))
        return ISA_MATRIX_SHARED;
    count_operands(b, s);
    return ISA_MATRIX_GOOD;
}

const char *isa_fpatr_problem(const struct isa_fpatr *f)
{
    if (f->row_max_init && !f->row_max_en)
        return "RowMaxInit without RowMaxEn";
    if (!f->group_max_en && f->group_n_code)
        return "GroupNCode without GroupMaxEn";
    if (f->group_max_en && !f->group_n_code)
        return "GroupMaxEn with GroupNCode 0";
    if (f->max_abs_en && !f->row_max_en && !f->group_max_en)
        return "MaxAbsEn without RowMaxEn or GroupMaxEn";
    return NULL;
}

/* The members are named for their width: N48. */
unsigned isa_group_width(unsigned code)
{
    const struct isa_member *m =
        isa_member_of_value(&isa_enumerations[ISA_ENUM_GroupNCode], code, UINT8_MAX);
    return m ? (unsigned)strtoul(m->name + 1, NULL, 10) : 0;
}
