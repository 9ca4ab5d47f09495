/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TCVT between any two types and layouts; TQUANT and TDEQUANT. Values are exact
 * in between, so every result is rounded once.
 */
#include "sim/tile_element.h"

#include <string.h>

/* ---- rounding ---- */

/* B.DATR RMode: NONE RNE RTZ RDN RUP RNA RTO RHB. */
static const uint8_t rounding_modes[] = {ROUND_EVEN, ROUND_EVEN, ROUND_ZERO, ROUND_DOWN,
                                         ROUND_UP,   ROUND_AWAY, ROUND_ODD,  ROUND_TIES_UP};

enum rounding tile_rounding(unsigned rmode)
{
    return (enum rounding)rounding_modes[rmode % sizeof rounding_modes];
}

struct element_control tile_conversion_control(const struct tile_op *op, bool truncates)
{
    const struct bundle_datr *d = &op->b->datr;
    struct element_control c = {ROUND_EVEN, d->present && d->sat};
    if (d->present && d->rmode)
        c.rounding = tile_rounding(d->rmode);
    else if (truncates)
        c.rounding = ROUND_ZERO;
    return c;
}

/* ---- TCVT ---- */

static bool pair_is_supported(unsigned from, unsigned to)
{
    return to != ISA_DataType_E8M0 || from == ISA_DataType_FP16 || from == ISA_DataType_BF16 ||
           from == ISA_DataType_FP32;
}

/* asl/block/model/dispatch/tcvt-schema.asl */
bool tile_check_cvt(struct tile_op *op)
{
    unsigned dtype;
    if (!tile_check_vector(op) || !tile_check_no_scalars(op) ||
        !tile_check_source(op, 0, op->mask) || !tile_check_encodings(op, 0) ||
        !tile_effective_type(op, &dtype))
        return false;
    const struct tile_info *from = &op->source[0]->info;
    if (from->storage != TILE_NUMERIC || from->dtype != op->b->data_type)
        return tile_fault(op, FAULT_TILE_LEGALITY, "source %s holds %s, the bundle's type is %s",
                          tile_slot_name(op->slot[0]).text,
                          from->storage == TILE_NUMERIC ? sim_format_name(from->dtype)
                                                        : "predicates",
                          sim_format_name(op->b->data_type));
    if (!pair_is_supported(from->dtype, dtype))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "%s does not convert to E8M0, only FP16, BF16 and FP32 do",
                          sim_format_name(from->dtype));
    if (op->b->datr.present && op->b->datr.canonicalize)
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "B.DATR Canonicalize takes a Matrix source, %s is an ordinary tile",
                          tile_slot_name(op->slot[0]).text);
    if (from->layout != tile_source_layout(op))
        return tile_fault(op, FAULT_TILE_LEGALITY, "the bundle's source layout is %s, %s is %s",
                          sim_layout_name(tile_source_layout(op)), tile_slot_name(op->slot[0]).text,
                          sim_layout_name(from->layout));
    return true;
}

static bool check_cvt_shape(struct tile_op *op)
{
    const struct tile_info *d = &op->destination[0].tile.info, *f = &op->source[0]->info;
    if (!tile_indexable(d))
        return tile_fault(op, FAULT_TILE_LEGALITY,
                          "the destination's %u x %u elements are no whole boxes of %s", d->rows,
                          d->cols, sim_layout_name(d->layout));
    if (d->rows == f->rows && d->cols == f->cols && d->valid_rows == f->valid_rows &&
        d->valid_cols == f->valid_cols)
        return true;
    return tile_fault(op, FAULT_TILE_LEGALITY,
                      "the destination has %u x %u of %u x %u elements, the source %s %u x %u of "
                      "%u x %u",
                      d->valid_rows, d->valid_cols, d->rows, d->cols,
                      tile_slot_name(op->slot[0]).text, f->valid_rows, f->valid_cols, f->rows,
                      f->cols);
}

/* Between integers nothing is invalid: without saturation the low bits stay. */
static uint64_t convert_integer(const struct element_type *from, const struct element_type *to,
                                const struct element_control *c, uint64_t bits)
{
    unsigned above = 64 - from->bits, ignored = 0;
    if (c->saturate)
        return to->encode(to, from->decode(from, bits), c, &ignored);
    bits <<= above;
    bits = from->is_signed ? (uint64_t)((int64_t)bits >> above) : bits >> above;
    return bits & UINT64_MAX >> (64 - to->bits);
}

/* ---- FP32 to FP16 and BF16, and back, a row at a time ---- */

/* Both sides stand row by row, and the rounding is to nearest even without limits. */
static bool rows_convert(const struct element_pass *p, const struct element_control *c)
{
    const struct tile_info *source = &p->op->source[0]->info;
    const struct element_type *fp32 = element_type_of(ISA_DataType_FP32);
    const struct element_type *to = p->run.type, *from = element_type_of(source->dtype);
    return ((from == fp32 && to->narrow) || (to == fp32 && from->widen)) &&
           c->rounding == ROUND_EVEN && !c->saturate && source->layout == SIM_ROW_MAJOR &&
           p->info->layout == SIM_ROW_MAJOR;
}

static void cvt_rows(struct element_pass *p)
{
    const struct tile_info *source = &p->op->source[0]->info;
    const struct element_type *from = element_type_of(source->dtype);
    uint32_t n = p->info->valid_cols;
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        uint8_t *to = tile_row(p->info, p->destination, row);
        const uint8_t *values = tile_row(source, p->source[0], row);
        if (p->run.type->narrow) {
            p->run.type->narrow(&p->run, to, values, n);
        } else {
            from->widen(&p->run, to, values, n);
            element_canonical_fp32(&p->run, to, to, n);
        }
    }
}

/* ---- anything else, an element at a time ---- */

static void cvt_elements(struct element_pass *p, const struct element_control *c)
{
    const struct tile_info *source = &p->op->source[0]->info;
    const struct element_type *to = p->run.type, *from = element_type_of(source->dtype);
    const struct sim_format *to_format = tile_format(p->info), *from_format = tile_format(source);
    struct sim_map to_map = tile_map(p->info), from_map = tile_map(source);
    bool integers = !from->is_float && !to->is_float;
    for (uint32_t row = 0; row < p->info->valid_rows; row++)
        for (uint32_t col = 0; col < p->info->valid_cols; col++) {
            uint64_t bits = sim_element_get(from_format, p->source[0]->bytes,
                                            sim_map_index(&from_map, row, col));
            bits = integers ? convert_integer(from, to, c, bits)
                            : to->encode(to, from->decode(from, bits), c, &p->run.flags);
            sim_element_set(to_format, p->destination->bytes, sim_map_index(&to_map, row, col),
                            bits);
        }
}

static void cvt_body(struct element_pass *p)
{
    const struct element_type *from = element_type_of(p->op->source[0]->info.dtype);
    struct element_control c =
        tile_conversion_control(p->op, from->is_float && !p->run.type->is_float);
    if (rows_convert(p, &c))
        cvt_rows(p);
    else
        cvt_elements(p, &c);
}

bool tile_run_cvt(struct tile_op *op)
{
    unsigned dtype;
    if (!tile_effective_type(op, &dtype) ||
        !tile_reserve(op, tile_vector_shape(op), dtype, tile_destination_layout(op)) ||
        !check_cvt_shape(op))
        return false;
    tile_vector_pass(
        op, &(struct vector_pass){
                .body = cvt_body, .type = dtype, .records = true, .pad = tile_pad_value(op)});
    return true;
}

/* ---- TQUANT, TDEQUANT (asl/block/model/dispatch/quantization-schema.asl) ---- */

enum { SCALE_ONE = 0x3f800000 };

static unsigned quantized_type(const struct tile_op *op)
{
    return tile_is(op, ISA_TILEOP_TQUANT) ? op->b->datr.data_type : op->b->data_type;
}

static bool check_parameters(struct tile_op *op)
{
    const struct element_type *fp32 = element_type_of(ISA_DataType_FP32);
    const struct element_type *t = element_type_of(quantized_type(op));
    unsigned above = 64 - t->bits;
    for (unsigned pe = 0; op->b->ior_present && pe < SIM_PES; pe++) {
        uint64_t bits = tile_vector_scalar(op, pe, 0), zero = tile_vector_scalar(op, pe, 1);
        struct float_value scale = fp32->decode(fp32, bits);
        if (!(op->mask & pe_bit(pe)))
            continue;
        if (scale.klass != FLOAT_FINITE || scale.sign)
            return tile_fault(op, FAULT_TILE_LEGALITY,
                              "the scale 0x%llx of PE%u is no positive finite FP32 number",
                              (unsigned long long)(uint32_t)bits, pe);
        uint64_t low = zero << above;
        low = t->is_signed ? (uint64_t)((int64_t)low >> above) : low >> above;
        if (low != zero)
            return tile_fault(op, FAULT_TILE_LEGALITY, "the zero point 0x%llx of PE%u is no %s",
                              (unsigned long long)zero, pe, sim_format_name(quantized_type(op)));
    }
    return true;
}

bool tile_check_quantize(struct tile_op *op)
{
    const struct bundle_datr *d = &op->b->datr;
    bool quantizes = tile_is(op, ISA_TILEOP_TQUANT);
    if (!d->present)
        return tile_fault(op, FAULT_TILE_LEGALITY, "B.DATR with the destination's type is missing");
    if (!tile_check_vector(op))
        return false;
    unsigned small = quantized_type(op), wide = quantizes ? op->b->data_type : d->data_type;
    if (wide != ISA_DataType_FP32 || (small != ISA_DataType_S8 && small != ISA_DataType_U8))
        return tile_fault(op, FAULT_TILE_LEGALITY, "%s to %s: it converts %s",
                          sim_format_name(op->b->data_type), sim_format_name(d->data_type),
                          quantizes ? "FP32 to S8 or U8" : "S8 or U8 to FP32");
    return check_parameters(op) &&
           tile_check_shaped_operand(op, 0, op->b->data_type, tile_vector_shape(op));
}

/* round(x * scale + zero point), exact until it is rounded; wrapped, or limited with Sat. */
static uint64_t quantize(const struct element_type *t, struct float_value x,
                         struct float_value scale, struct float_value zero,
                         const struct element_control *c, unsigned *flags)
{
    enum { WHOLE = 60 }; /* from here on the product is a multiple of 2^12 */
    uint64_t mask = UINT64_MAX >> (64 - t->bits);
    uint64_t lowest = t->is_signed ? UINT64_C(1) << (t->bits - 1) : 0, highest = mask ^ lowest;
    if (x.klass >= FLOAT_NAN) {
        *flags |= FLOAT_INVALID;
        return 0;
    }
    if (x.klass == FLOAT_INFINITE) {
        *flags |= FLOAT_OVERFLOW | FLOAT_INEXACT;
        return x.sign ? lowest : highest;
    }
    struct float_value product = float_multiply(x, scale, flags);
    bool large = product.klass == FLOAT_FINITE && product.exponent >= WHOLE;
    if (large && c->saturate)
        return product.sign ? lowest : highest;
    if (large)
        product = zero;
    else
        product = float_add(product, zero, c->rounding, flags);
    int64_t whole = (int64_t)float_to_integer(product, 64, true, c->rounding, flags);
    int64_t least = t->is_signed ? -(int64_t)lowest : 0;
    if (c->saturate && whole < least)
        return lowest;
    if (c->saturate && whole > (int64_t)highest)
        return highest;
    return (uint64_t)whole & mask;
}

/* Without a B.IOR the scale is 1 and the zero point 0. */
static uint64_t scale_bits(const struct element_pass *p)
{
    return p->op->b->ior_present ? p->scalar[0] : SCALE_ONE;
}

static void quantize_body(struct element_pass *p)
{
    const struct element_type *to = p->run.type, *from = element_type_of(ISA_DataType_FP32);
    struct element_control c = tile_conversion_control(p->op, false);
    struct float_value scale = from->decode(from, scale_bits(p));
    struct float_value zero = to->decode(to, p->scalar[1]);
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        uint8_t *d = tile_row(p->info, p->destination, row);
        const uint8_t *s = tile_row(&p->op->source[0]->info, p->source[0], row);
        for (size_t i = 0; i < p->info->valid_cols; i++) {
            uint32_t bits;
            memcpy(&bits, s + i * sizeof bits, sizeof bits);
            d[i] = (uint8_t)quantize(to, from->decode(from, bits), scale, zero, &c, &p->run.flags);
        }
    }
}

/* (x - zero point) * scale; too large is infinite in every rounding mode. */
static void dequantize_body(struct element_pass *p)
{
    const struct element_type *to = p->run.type,
                              *from = element_type_of(p->op->source[0]->info.dtype);
    struct element_control c = tile_conversion_control(p->op, false);
    struct float_value scale = to->decode(to, scale_bits(p));
    struct float_value zero = float_negate(from->decode(from, p->scalar[1]));
    for (uint32_t row = 0; row < p->info->valid_rows; row++) {
        uint8_t *d = tile_row(p->info, p->destination, row);
        const uint8_t *s = tile_row(&p->op->source[0]->info, p->source[0], row);
        for (size_t i = 0; i < p->info->valid_cols; i++) {
            unsigned flags = 0;
            struct float_value x = float_add(from->decode(from, s[i]), zero, ROUND_EVEN, &flags);
            x = float_multiply(x, scale, &flags);
            if (x.klass == FLOAT_ZERO)
                x.sign = false;
            uint32_t bits = (uint32_t)to->encode(to, x, &c, &flags);
            if (flags & FLOAT_OVERFLOW)
                bits = (uint32_t)(to->limit | (x.sign ? to->sign : 0));
            memcpy(d + i * sizeof bits, &bits, sizeof bits);
            p->run.flags |= flags;
        }
    }
}

bool tile_run_quantize(struct tile_op *op)
{
    unsigned dtype = op->b->datr.data_type;
    if (!tile_reserve(op, tile_vector_shape(op), dtype, SIM_ROW_MAJOR))
        return false;
    tile_vector_pass(op,
                     &(struct vector_pass){.body = tile_is(op, ISA_TILEOP_TQUANT) ? quantize_body
                                                                                  : dequantize_body,
                                           .type = dtype,
                                           .records = true,
                                           .pad = SIM_PAD_NULL});
    return true;
}
