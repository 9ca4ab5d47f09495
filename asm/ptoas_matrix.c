/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrix operations. The matrix unit takes its operands in cells of 128 bytes
 * (CUBE_M16 or CUBE_M32 for A, C and D, CUBE_N8 for B), which no type of PTO-AS
 * describes. So the operands are copied into cells in front of the operation,
 * by TMOV with the layout codes that TLOAD has for them (an extension,
 * docs/tmov.md), and the result stays in cells until it is moved or stored.
 */
#include "asm/lower.h"

#include <string.h>

enum { CELL_BYTES = 128, M16_ROWS = 16, M32_ROWS = 32, N8_COLS = 8 };

static const struct matrix_rule {
    const char *op;
    uint16_t tileop;
    const char *accumulator, *left, *right, *bias; /* operand names; NULL: none */
    bool scales;                                   /* a_scale, b_scale */
} rules[] = {
    {"pto.tgemv", ISA_TILEOP_TGEMV, NULL, "lhs", "rhs", NULL, false},
    {"pto.tgemv.acc", ISA_TILEOP_TGEMV_ACC, "acc_in", "lhs", "rhs", NULL, false},
    {"pto.tgemv.bias", ISA_TILEOP_TGEMV_BIAS, NULL, "a", "b", "bias", false},
    {"pto.tgemv.mx", ISA_TILEOP_TGEMV_MX, NULL, "a", "b", NULL, true},
    {"pto.tgemv.mx.acc", ISA_TILEOP_TGEMV_MX_ACC, "c_in", "a", "b", NULL, true},
    {"pto.tgemv.mx.bias", ISA_TILEOP_TGEMV_MX_BIAS, NULL, "a", "b", "bias", true},
    {"pto.tmatmul", ISA_TILEOP_TMATMUL, NULL, "lhs", "rhs", NULL, false},
    {"pto.tmatmul.acc", ISA_TILEOP_TMATMUL_ACC, "acc_in", "lhs", "rhs", NULL, false},
    {"pto.tmatmul.bias", ISA_TILEOP_TMATMUL_BIAS, NULL, "a", "b", "bias", false},
    {"pto.tmatmul.mx", ISA_TILEOP_TMATMUL_MX, NULL, "a", "b", NULL, true},
    {"pto.tmatmul.mx.acc", ISA_TILEOP_TMATMUL_MX_ACC, "c_in", "a", "b", NULL, true},
    {"pto.tmatmul.mx.bias", ISA_TILEOP_TMATMUL_MX_BIAS, NULL, "a", "b", "bias", true},
};

enum { MX_BLOCK = 32, MOST_SOURCES = 6 }; /* elements of K that share a scale */

struct matrix_lowering {
    const struct op_form *form;
    const struct isa_tileop *op;
    struct loc loc;
    struct tile_value *accumulator, *left, *left_scale, *right, *right_scale, *bias;
    const struct op_operand *destination;
    struct tile_type to;
    unsigned accumulator_type;
};

static bool refuse(struct assembler *as, const struct matrix_lowering *x, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct assembler *as, const struct matrix_lowering *x, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *why = arena_vprintf(as->arena, fmt, ap);
    va_end(ap);
    diag_report(as->diag, DIAG_PTOAS_SHAPE, x->loc, "%s: %s", x->form->row->name, why);
    return false;
}

/* ---- cells ---- */

static uint32_t cells(uint32_t count, uint32_t size)
{
    return (count + size - 1) / size;
}

/* The code that TLOAD has for the layout. */
static unsigned cell_layout(uint32_t m)
{
    return m <= M16_ROWS ? ISA_TileLayout_ND2M16 : ISA_TileLayout_ND2M32;
}

static struct tile_shape cell_shape(unsigned layout, uint32_t rows, uint32_t cols,
                                    const struct element *e)
{
    uint32_t bytes = e->bits / 8;
    struct tile_shape s = {.dtype = e->dtype, .form = TILE_FORM_CUBE};
    if (layout == ISA_TileLayout_ND2N8) {
        uint32_t cell_rows = CELL_BYTES / N8_COLS / bytes;
        s.rows = cells(rows, cell_rows) * cell_rows;
        s.cols = cells(cols, N8_COLS) * N8_COLS;
        return s;
    }
    s.rows = layout == ISA_TileLayout_ND2M16 ? M16_ROWS : M32_ROWS;
    uint32_t cell_cols = CELL_BYTES / s.rows / bytes;
    s.cols = cells(cols, cell_cols) * cell_cols;
    return s;
}

static uint64_t size_code(const struct tile_shape *s, const struct element *e)
{
    uint64_t bytes = (uint64_t)s->rows * s->cols * e->bits / 8, code = 1;
    while ((uint64_t)SMALLEST_TILE << (code - 1) < bytes)
        code++;
    return code;
}

static void emit_layout(struct assembler *as, unsigned layout, unsigned dtype, struct loc loc)
{
    struct isa_insn datr = ptoas_insn(as, ISA_FORM_b_datr_32_c161a042ff38);
    isa_set_value(&datr, ISA_FIELD_Layout, layout);
    isa_set_value(&datr, ISA_FIELD_DataType, dtype);
    asm_emit_insn(as, &datr, loc);
}

/* A TMOV of the whole valid region with a layout code: the copy is a value of its own. */
static struct tile_value *copy_tile(struct assembler *as, const struct tile_value *from,
                                    unsigned layout, const struct tile_shape *shape, struct loc loc)
{
    const struct element *e = from->type.element;
    unsigned hand = ptoas_places[from->type.place].hand;
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TMOV], e->dtype, loc);
    ptoas_mark_extension(as);
    emit_layout(as, layout, e->dtype, loc);
    ptoas_emit_valid(as, &from->type, loc);
    if (shape->form != TILE_FORM_CUBE)
        ptoas_emit_dimension(as, ISA_LoopCounter_LB2, shape->cols, loc);
    ptoas_emit_iot(as,
                   &(struct tile_binding_words){.source = {from},
                                                .mask = "1111",
                                                .hand = (uint8_t)hand,
                                                .size_code = size_code(shape, e)},
                   loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    return ptoas_new_value(as, from->name, &from->type, shape, loc);
}

static struct tile_value *to_cells(struct assembler *as, const struct tile_value *from,
                                   unsigned layout, struct loc loc)
{
    struct tile_shape shape =
        cell_shape(layout, from->type.v_rows, from->type.v_cols, from->type.element);
    return copy_tile(as, from, layout, &shape, loc);
}

struct tile_value *ptoas_from_cells(struct assembler *as, const struct tile_value *from,
                                    struct loc loc)
{
    struct tile_shape shape = {from->shape.rows, from->type.cols, from->shape.dtype,
                               TILE_FORM_TYPE};
    unsigned layout = from->shape.rows == M16_ROWS ? ISA_TileLayout_M162ND : ISA_TileLayout_M322ND;
    return copy_tile(as, from, layout, &shape, loc);
}

/* ---- operands ---- */

static struct tile_value *take(struct assembler *as, const struct matrix_lowering *x,
                               const char *name)
{
    const struct op_operand *o = ptoas_operand(x->form, name, 0);
    struct tile_value *v = ptoas_tile(as, o);
    if (v != NULL && v->shape.form == TILE_FORM_PREDICATE) {
        refuse(as, x, "%%%s holds results of a comparison", v->name);
        return NULL;
    }
    return v;
}

static bool take_operands(struct assembler *as, struct matrix_lowering *x,
                          const struct matrix_rule *r)
{
    x->left = take(as, x, r->left);
    x->right = x->left != NULL ? take(as, x, r->right) : NULL;
    if (x->right == NULL)
        return false;
    if (r->accumulator != NULL && (x->accumulator = take(as, x, r->accumulator)) == NULL)
        return false;
    if (r->bias != NULL && (x->bias = take(as, x, r->bias)) == NULL)
        return false;
    if (r->scales && ((x->left_scale = take(as, x, "a_scale")) == NULL ||
                      (x->right_scale = take(as, x, "b_scale")) == NULL))
        return false;
    if (x->accumulator != NULL && x->accumulator->shape.form != TILE_FORM_CUBE)
        return refuse(as, x,
                      "%%%s is no result of the matrix unit, whose cells an accumulator "
                      "must lie in",
                      x->accumulator->name);
    x->destination = ptoas_operand(x->form, "dst", 0);
    return ptoas_destination(as, x->form, x->destination, &x->to);
}

static bool check_extents(struct assembler *as, const struct matrix_lowering *x)
{
    const struct tile_type *a = &x->left->type, *b = &x->right->type, *d = &x->to;
    if (!ptoas_same_extent(ptoas_cols(a), ptoas_rows(b)) ||
        !ptoas_same_extent(ptoas_rows(a), ptoas_rows(d)) ||
        !ptoas_same_extent(ptoas_cols(b), ptoas_cols(d)))
        return refuse(as, x, "%u x %u times %u x %u gives no %u x %u (valid elements)", a->v_rows,
                      a->v_cols, b->v_rows, b->v_cols, d->v_rows, d->v_cols);
    if (a->v_rows > M32_ROWS)
        return refuse(as, x, "the matrix unit takes %d rows of the left operand at most, not %u",
                      M32_ROWS, a->v_rows);
    if (x->bias != NULL && (x->bias->type.v_rows != 1 ||
                            !ptoas_same_extent(ptoas_cols(&x->bias->type), ptoas_cols(d))))
        return refuse(as, x, "the bias has %u x %u elements, it needs 1 x %u", x->bias->type.v_rows,
                      x->bias->type.v_cols, d->v_cols);
    const struct tile_value *c = x->accumulator;
    if (c != NULL && (!ptoas_same_extent(ptoas_rows(&c->type), ptoas_rows(d)) ||
                      !ptoas_same_extent(ptoas_cols(&c->type), ptoas_cols(d))))
        return refuse(as, x, "the accumulator has %u x %u elements, the result %u x %u",
                      c->type.v_rows, c->type.v_cols, d->v_rows, d->v_cols);
    return true;
}

/* Scales are ordinary tiles, one element for 32 of K. */
static bool check_scale(struct assembler *as, const struct matrix_lowering *x,
                        const struct tile_value *v, uint32_t rows, uint32_t cols)
{
    if (v == NULL)
        return true;
    if (ptoas_is_open(&v->type) || ptoas_is_open(&x->left->type) || ptoas_is_open(&x->to))
        return refuse(as, x, "with scales, all extents must be known");
    if (ptoas_layout(&v->type) != LAYOUT_ND)
        return refuse(as, x, "the scales %%%s are not row-major, as the matrix unit takes them",
                      v->name);
    if (v->shape.dtype != ISA_DataType_E8M0 || v->type.v_rows != rows || v->type.v_cols != cols)
        return refuse(as, x, "the scales %%%s are %u x %u of %s, they must be %u x %u of e8m0",
                      v->name, v->type.v_rows, v->type.v_cols, ptoas_element_name(v->shape.dtype),
                      rows, cols);
    return true;
}

static bool check_scales(struct assembler *as, const struct matrix_lowering *x)
{
    uint32_t blocks = cells(x->left->type.v_cols, MX_BLOCK);
    return check_scale(as, x, x->left_scale, x->to.v_rows, blocks) &&
           check_scale(as, x, x->right_scale, blocks, x->to.v_cols);
}

static bool check_types(struct assembler *as, struct matrix_lowering *x)
{
    const struct isa_matrix_bundle bundle = {
        .op = x->op, .left = x->left->shape.dtype, .right = x->right->shape.dtype};
    struct isa_matrix_schema schema;
    const char *left = x->left->type.element->name, *right = x->right->type.element->name;
    if (x->left->type.element->bits < 8 || x->right->type.element->bits < 8 ||
        isa_matrix_schema(&bundle, &schema) != ISA_MATRIX_GOOD)
        return refuse(as, x, "%s does not multiply %s by %s", x->op->name, left, right);
    if (x->left_scale != NULL && (!schema.left_scale || !schema.right_scale))
        return refuse(as, x, "elements of %s and %s have no scales", left, right);
    x->accumulator_type = schema.accumulator_type;
    const char *wanted = ptoas_element_name(x->accumulator_type);
    if (x->to.element->dtype != x->accumulator_type)
        return refuse(as, x, "the product of %s and %s has elements of %s, not %s", left, right,
                      wanted, x->to.element->name);
    if (x->accumulator != NULL && x->accumulator->shape.dtype != x->accumulator_type)
        return refuse(as, x, "the accumulator has elements of %s, not %s",
                      x->accumulator->type.element->name, wanted);
    if (x->bias != NULL && x->bias->shape.dtype != x->accumulator_type)
        return refuse(as, x, "the bias has elements of %s, not %s", x->bias->type.element->name,
                      wanted);
    return true;
}

/* ---- words ---- */

/* Both operands may be the same tile. */
static void emit_bundle(struct assembler *as, const struct matrix_lowering *x,
                        const struct tile_value *const *source, unsigned count,
                        const struct tile_shape *shape)
{
    struct tile_binding_words b = {.mask = "1111",
                                   .hand = ptoas_places[x->to.place].hand,
                                   .size_code = size_code(shape, x->to.element)};
    ptoas_emit_start(as, x->op, x->left->shape.dtype, x->loc);
    if (x->right->shape.dtype != x->left->shape.dtype)
        emit_layout(as, ISA_TileLayout_NORM, x->right->shape.dtype, x->loc);
    ptoas_emit_form(as, ISA_FORM_b_fpatr_32_30c307e06d4a_0_58_2, x->loc);
    ptoas_emit_extent(as, ISA_LoopCounter_LB0, ptoas_rows(&x->to), x->loc);
    ptoas_emit_extent(as, ISA_LoopCounter_LB1, ptoas_cols(&x->to), x->loc);
    ptoas_emit_extent(as, ISA_LoopCounter_LB2, ptoas_cols(&x->left->type), x->loc);
    for (unsigned n = 0; n < count; n += 2) {
        b.source[0] = source[n];
        b.source[1] = n + 1 < count ? source[n + 1] : NULL;
        b.more = n + 2 < count;
        ptoas_emit_iot(as, &b, x->loc);
    }
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, x->loc);
}

static void multiply(struct assembler *as, const struct matrix_lowering *x)
{
    unsigned layout = cell_layout(x->to.v_rows);
    struct tile_shape shape = cell_shape(layout, x->to.v_rows, x->to.v_cols, x->to.element);
    const struct tile_value *source[MOST_SOURCES];
    unsigned count = 0;
    if (x->accumulator != NULL)
        source[count++] = x->accumulator;
    source[count++] = to_cells(as, x->left, layout, x->loc);
    if (x->left_scale != NULL)
        source[count++] = x->left_scale;
    source[count++] = to_cells(as, x->right, ISA_TileLayout_ND2N8, x->loc);
    if (x->right_scale != NULL)
        source[count++] = x->right_scale;
    if (x->bias != NULL)
        source[count++] = x->bias;
    emit_bundle(as, x, source, count, &shape);
    ptoas_write_destination(as, x->form, x->destination, &x->to, &shape);
}

static const struct matrix_rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].op, name) == 0)
            return &rules[i];
    return NULL;
}

bool ptoas_lower_matrix(struct assembler *as, const struct op_form *form)
{
    const struct matrix_rule *r = find_rule(form->row->name);
    struct matrix_lowering x = {.form = form, .loc = form->stmt->loc};
    if (r == NULL)
        return false;
    x.op = &isa_tileops[r->tileop];
    if (take_operands(as, &x, r) && check_extents(as, &x) && check_scales(as, &x) &&
        check_types(as, &x))
        multiply(as, &x);
    return true;
}
