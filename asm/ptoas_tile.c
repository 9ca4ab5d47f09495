/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations that are one tile operation of the ISA (ptoas_lower.def).
 *
 * A tile operation derives physical rows from the capacity: rows =
 * capacity / (columns * element size), with a power of two of columns. To give
 * tiles of one shape the same rows whatever their type, a tile takes the least
 * power of two of rows that an 8-bit tile of 128 bytes can have. A tile with
 * one valid column has one column, as reductions make it.
 */
#include "asm/lower_tile.h"

#include <math.h>
#include <string.h>

static const struct tile_rule rules[] = {
#define LOWER(op, tileop, sources, scalars, rule)                                                  \
    {op, ISA_TILEOP_##tileop, sources, scalars, RULE_##rule},
#include "asm/ptoas_lower.def"
};

enum { LEAST_BYTES = SMALLEST_TILE, MOST_BYTES = 64 * 1024 };

bool ptoas_refuse_tile(struct assembler *as, const struct tile_lowering *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *why = arena_vprintf(as->arena, fmt, ap);
    va_end(ap);
    diag_report(as->diag, DIAG_PTOAS_SHAPE, t->loc, "%s: %s", t->form->row->name, why);
    return false;
}

/* ---- shapes ---- */

static bool is_power(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

bool ptoas_is_column(const struct tile_type *t)
{
    return t->v_cols == 1 && t->slayout == OBJ_NONE_BOX;
}

static const char *cannot_hold(const struct tile_type *t, const struct tile_shape *s)
{
    if (!ptoas_is_column(t) && ptoas_layout(t) != LAYOUT_ND)
        return "is not row-major; convert it with pto.tmov";
    if (!is_power(s->cols))
        return "has no power of two of columns";
    if (t->element->bits < 8)
        return "has packed elements, which pto.tmov alone takes";
    return (uint64_t)s->rows * s->cols * t->element->bits / 8 > MOST_BYTES
               ? "needs more than 64 KiB a PE"
               : NULL;
}

static struct tile_shape shape_of(const struct tile_type *t)
{
    struct tile_shape s = {1, ptoas_is_column(t) ? 1 : t->cols, t->element->dtype, TILE_FORM_TYPE};
    while (s.rows < t->rows || (uint64_t)s.rows * s.cols < LEAST_BYTES)
        s.rows *= 2;
    return s;
}

bool ptoas_tile_shape(struct assembler *as, const struct tile_type *type, struct tile_shape *shape)
{
    *shape = shape_of(type);
    const char *why = cannot_hold(type, shape);
    if (why == NULL)
        return true;
    diag_report(as->diag, DIAG_PTOAS_SHAPE, type->loc,
                "tile operations do not take the tile: %u x %u of %s %s", type->rows, type->cols,
                type->element->name, why);
    return false;
}

unsigned ptoas_dtype_bits(unsigned dtype)
{
    return ptoas_element(ptoas_element_name(dtype))->bits;
}

uint64_t ptoas_shape_code(const struct tile_shape *s)
{
    uint64_t bits = s->form == TILE_FORM_PREDICATE ? 1 : ptoas_dtype_bits(s->dtype), code = 1;
    while ((uint64_t)SMALLEST_TILE << (code - 1) < (uint64_t)s->rows * s->cols * bits / 8)
        code++;
    return code;
}

bool ptoas_check_shape(struct assembler *as, const struct tile_value *v, struct loc use)
{
    static const char *const forms[] = {
        [TILE_FORM_TYPE] = "numbers",
        [TILE_FORM_PREDICATE] = "results of a comparison",
        [TILE_FORM_ROWS] = "rows for the matrix unit",
        [TILE_FORM_CUBE] = "cells of the matrix unit",
    };
    struct tile_shape want = shape_of(&v->type);
    if (cannot_hold(&v->type, &want) != NULL)
        return ptoas_tile_shape(as, &v->type, &want);
    if (v->shape.form != TILE_FORM_TYPE)
        diag_report(as->diag, DIAG_PTOAS_SHAPE, use, "%%%s holds %s", v->name,
                    forms[v->shape.form]);
    else if (v->shape.dtype != v->type.element->dtype)
        diag_report(as->diag, DIAG_PTOAS_SHAPE, use, "%%%s holds elements of %s, not %s", v->name,
                    ptoas_element_name(v->shape.dtype), v->type.element->name);
    else if (v->shape.rows != want.rows || v->shape.cols != want.cols)
        diag_report(as->diag, DIAG_PTOAS_SHAPE, use,
                    "%%%s lies in %u x %u elements; tile operations take it in %u x %u", v->name,
                    v->shape.rows, v->shape.cols, want.rows, want.cols);
    else
        return true;
    diag_note(as->diag, v->loc, "it is made here");
    return false;
}

/* ---- operands ---- */

static bool operand_type(struct assembler *as, const struct op_operand *o, struct tile_type *type)
{
    return ptoas_known_type(as, o->value->name, type) ||
           ptoas_tile_type(as, o->type, o->value->loc, NO_PLACE, type);
}

struct tile_value *ptoas_tile(struct assembler *as, const struct op_operand *o)
{
    struct tile_type type;
    return operand_type(as, o, &type) ? ptoas_read(as, o->value, &type) : NULL;
}

bool ptoas_destination(struct assembler *as, const struct op_form *form, const struct op_operand *o,
                       struct tile_type *type)
{
    return operand_type(as, o, type) &&
           ptoas_may_write(as, o->value->name, o->value->loc, type, form->style == OP_STYLE_RESULT);
}

void ptoas_write_destination(struct assembler *as, const struct op_form *form,
                             const struct op_operand *o, const struct tile_type *type,
                             const struct tile_shape *shape)
{
    ptoas_write_shaped(as, o->value->name, o->value->loc, type, form->style == OP_STYLE_RESULT,
                       shape);
}

/* The next word of a list of operand names; NULL at its end. */
static const char *next_name(struct assembler *as, const char **list)
{
    size_t length = strcspn(*list, " ?");
    if (length == 0)
        return NULL;
    const char *name = arena_string(as->arena, *list, length);
    *list += length;
    *list += strspn(*list, "? ");
    return name;
}

/* NZ boxes as the ISA has them, which TEXTRACT reads as well. */
static bool is_nz(const struct tile_value *v)
{
    return v->shape.form == TILE_FORM_TYPE && ptoas_layout(&v->type) == LAYOUT_NZ &&
           v->type.fractal == ISA_BOX && v->type.compact == 0;
}

static bool may_be_source(struct assembler *as, const struct tile_lowering *t,
                          const struct tile_value *v, struct loc loc)
{
    if (t->rule->rule == RULE_SELECT && t->nsources == 0)
        return v->shape.form == TILE_FORM_PREDICATE ||
               ptoas_refuse_tile(as, t, "%%%s is no result of tcmp or tcmps", v->name);
    return (t->rule->rule == RULE_EXTRACT && is_nz(v)) || ptoas_check_shape(as, v, loc);
}

static bool take_source(struct assembler *as, struct tile_lowering *t, const char *name,
                        const struct tile_value *previous)
{
    const struct op_operand *o = ptoas_operand(t->form, name, 0);
    const struct tile_value *v = name[0] == '$' ? previous : ptoas_tile(as, o);
    if (v == NULL || !may_be_source(as, t, v, name[0] == '$' ? t->loc : o->value->loc))
        return false;
    t->source[t->nsources++] = v;
    return true;
}

static bool take_sources(struct assembler *as, struct tile_lowering *t,
                         const struct tile_value *previous)
{
    const char *list = t->rule->sources, *name;
    while ((name = next_name(as, &list)) != NULL)
        if (!take_source(as, t, name, previous))
            return false;
    return true;
}

bool ptoas_dtype_is_float(unsigned dtype)
{
    const char *name = ptoas_element_name(dtype);
    return name[0] == 'f' || name[0] == 'b';
}

static const char *const scratch[MOST_SCALARS] = {"x2", "x1", "x0"};

/* Offsets, diagonals: any integer. Other numbers have the type of the tile's elements. */
static bool is_element(struct assembler *as, const struct tile_lowering *t, const struct scalar *s)
{
    if (t->rule->rule == RULE_EXTRACT || t->rule->rule == RULE_INSERT ||
        t->rule->rule == RULE_TRIANGLE)
        return true;
    const struct element *e = ptoas_element(s->type);
    bool same = e != NULL && (e->dtype == t->dtype ||
                              (e->bits == ptoas_dtype_bits(t->dtype) &&
                               !ptoas_dtype_is_float(e->dtype) && !ptoas_dtype_is_float(t->dtype)));
    return same || ptoas_refuse_tile(as, t, "the number is %s, the tile has elements of %s",
                                     s->type, ptoas_element_name(t->dtype));
}

static bool take_scalar(struct assembler *as, struct tile_lowering *t, const struct op_operand *o)
{
    struct scalar s;
    if (!ptoas_scalar(as, o, &s) || !is_element(as, t, &s))
        return false;
    t->scalar[t->nscalars] = ptoas_in_register(as, &s, scratch[t->nscalars], o->value->loc);
    t->nscalars++;
    return true;
}

static void add_constant(struct assembler *as, struct tile_lowering *t, uint64_t number)
{
    const struct scalar s = {.kind = SCALAR_INTEGER, .type = "i64", .number = number};
    t->scalar[t->nscalars] = ptoas_in_register(as, &s, scratch[t->nscalars], t->loc);
    t->nscalars++;
}

/* The bits that a pad value of the type names; the largest and smallest are infinite where the
 * type has infinities. False: reported. */
static bool pad_bits(struct assembler *as, const struct tile_lowering *t, uint64_t *bits)
{
    enum { PAD_NULL, PAD_ZERO, PAD_MAX, PAD_MIN };
    const struct element *e = t->to.element;
    int64_t pad = t->destination->type->pad;
    uint64_t sign = UINT64_C(1) << (e->bits - 1), ones = sign | (sign - 1);
    bool real = ptoas_dtype_is_float(e->dtype);
    *bits = 0;
    if (pad == PAD_ZERO)
        return true;
    if (real && e->bits < 16)
        return ptoas_refuse_tile(as, t, "only the pad value 1, zero, is lowered for %s", e->name);
    if (real)
        return ptoas_real_bits(as, pad == PAD_MAX ? INFINITY : -INFINITY, e->name, t->loc, bits);
    bool is_unsigned = e->name[0] == 'u';
    if (pad == PAD_MAX)
        *bits = is_unsigned ? ones : ones ^ sign;
    else
        *bits = is_unsigned ? 0 : sign;
    return true;
}

static bool take_scalars(struct assembler *as, struct tile_lowering *t)
{
    const char *list = t->rule->scalars, *name;
    uint64_t pad;
    while ((name = next_name(as, &list)) != NULL)
        if (!take_scalar(as, t, ptoas_operand(t->form, name, 0)))
            return false;
    if (t->rule->rule == RULE_FILL) {
        if (!pad_bits(as, t, &pad))
            return false;
        add_constant(as, t, pad);
    }
    if (t->rule->rule == RULE_SEQUENCE && ptoas_flag(t->form, "descending", false))
        add_constant(as, t, 1);
    if (t->rule->rule == RULE_TRIANGLE && ptoas_flag(t->form, "upperOrLower", false))
        add_constant(as, t, 1);
    return true;
}

/* ---- destinations ---- */

/* Matrix operands are read in any layout, so a window of one stays row-major. */
static void choose_window(struct tile_lowering *t)
{
    t->shape = (struct tile_shape){1, t->to.cols, t->to.element->dtype, TILE_FORM_ROWS};
    while (t->shape.rows < t->to.rows || (uint64_t)t->shape.rows * t->shape.cols < LEAST_BYTES)
        t->shape.rows *= 2;
}

static bool is_matrix_operand(const struct tile_type *t)
{
    return t->place == PLACE_LEFT || t->place == PLACE_RIGHT;
}

static bool choose_shape(struct assembler *as, struct tile_lowering *t)
{
    if (t->rule->rule == RULE_COMPARE) { /* packed: its type only says how large it is */
        t->to.v_rows = t->source[0]->type.v_rows;
        t->to.v_cols = t->source[0]->type.v_cols;
        t->to.row_reg = t->source[0]->type.row_reg;
        t->to.col_reg = t->source[0]->type.col_reg;
        t->shape = t->source[0]->shape;
        t->shape.form = TILE_FORM_PREDICATE;
        return true;
    }
    if (t->rule->rule == RULE_EXTRACT && is_matrix_operand(&t->to) && is_power(t->to.cols)) {
        choose_window(t);
        return true;
    }
    if (!ptoas_tile_shape(as, &t->to, &t->shape))
        return false;
    if (ptoas_rule_is_index(t) || t->rule->rule == RULE_HISTOGRAM)
        t->shape.dtype = ISA_DataType_U32;
    return true;
}

/* What a bundle before the last one makes has the extents of the destination and the type of its
 * source, or of what it makes. */
static bool choose_destination(struct assembler *as, struct tile_lowering *t)
{
    t->destination = ptoas_operand(t->form, "dst", 0);
    if (!ptoas_destination(as, t->form, t->destination, &t->to))
        return false;
    t->written = t->to;
    if (!t->last && ptoas_rule_is_index(t))
        t->to.element = ptoas_element(ptoas_element_name(ISA_DataType_U32));
    else if (!t->last && t->nsources > 0 && t->rule->rule != RULE_DEQUANTISE)
        t->to.element = ptoas_element(ptoas_element_name(t->source[0]->shape.dtype));
    return choose_shape(as, t);
}

/* ---- lowering ---- */

/* The first row of an operation. Either operand of tdivs may be the tile. */
static const struct tile_rule *find_rule(const struct assembler *as, const struct op_form *form)
{
    const char *name = form->row->name;
    const struct op_operand *src = ptoas_operand(form, "src", 0);
    if (strcmp(name, "pto.tdivs") == 0 && src != NULL && src->value->kind == AST_VALUE_SSA &&
        map_get(&as->ptoas->scalars, src->value->name) != NULL)
        name = "pto.tdivs of a number";
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].op, name) == 0)
            return &rules[i];
    return NULL;
}

/* A row whose optional operand is not there, or that makes indexes signed where they are not. */
static bool is_left_out(struct assembler *as, const struct op_form *form, const struct tile_rule *r)
{
    const char *optional = strchr(r->sources, '?');
    struct tile_type type;
    if (r->rule == RULE_SIGNED)
        return operand_type(as, ptoas_operand(form, "dst", 0), &type) &&
               type.element->dtype != ISA_DataType_S32;
    if (optional == NULL)
        return false;
    const char *name = optional;
    while (name > r->sources && name[-1] != ' ')
        name--;
    return ptoas_operand(form, arena_string(as->arena, name, (size_t)(optional - name)), 0) == NULL;
}

static bool exists(struct assembler *as, const struct tile_lowering *t)
{
    if (t->op->revs & as->target.pto)
        return true;
    return ptoas_refuse_tile(as, t, "this revision has no %s", t->op->name);
}

/* Forms that have a name in PTO-AS but no tile operation. */
static bool is_lowered_form(struct assembler *as, const struct tile_lowering *t)
{
    if (strcmp(t->form->row->name, "pto.tgather") == 0 &&
        ptoas_operand(t->form, "indices", 0) == NULL)
        return ptoas_refuse_tile(
            as, t,
            "no tile operation gathers by a pattern or a comparison; only indices are "
            "lowered");
    return true;
}

/* One bundle. *value: what the bundle before it made, then what it makes. False: reported. */
static bool lower_step(struct assembler *as, struct tile_lowering *t,
                       const struct tile_value **value)
{
    t->op = &isa_tileops[t->rule->tileop];
    if (!exists(as, t) || !is_lowered_form(as, t) || !take_sources(as, t, *value) ||
        !choose_destination(as, t))
        return false;
    t->dtype = ptoas_rule_start_type(t);
    if (!ptoas_check_rule(as, t) || !take_scalars(as, t))
        return false;
    ptoas_emit_tile(as, t);
    if (t->last)
        ptoas_write_destination(as, t->form, t->destination, &t->written, &t->shape);
    else
        *value = ptoas_new_value(as, t->destination->value->name, &t->to, &t->shape, t->loc);
    return true;
}

enum { MOST_STEPS = 3 };

/* The rows of an operation that are not left out; their number. */
static unsigned choose_steps(struct assembler *as, const struct op_form *form,
                             const struct tile_rule *steps[MOST_STEPS])
{
    const struct tile_rule *first = find_rule(as, form);
    unsigned n = 0;
    for (const struct tile_rule *r = first;
         first != NULL && r < rules + sizeof rules / sizeof *rules && strcmp(r->op, first->op) == 0;
         r++)
        if (!is_left_out(as, form, r))
            steps[n++] = r;
    return n;
}

bool ptoas_lower_tile(struct assembler *as, const struct op_form *form)
{
    const struct tile_rule *steps[MOST_STEPS];
    const struct tile_value *value = NULL;
    unsigned count = choose_steps(as, form, steps);
    bool good = true;
    for (unsigned i = 0; i < count && good; i++) {
        struct tile_lowering t = {.form = form, .rule = steps[i], .loc = form->stmt->loc};
        t.last = i + 1 == count;
        good = lower_step(as, &t, &value);
    }
    return count > 0;
}

void ptoas_cut_tile(struct assembler *as, const struct op_form *form, struct tile_name *n)
{
    const struct tile_value *v = n->value;
    struct loc loc = form->stmt->loc;
    struct tile_shape shape = v->shape;
    if (!ptoas_check_shape(as, v, loc))
        return;
    if (!ptoas_is_open(&v->type) &&
        (n->type.v_rows > v->type.v_rows || n->type.v_cols > v->type.v_cols)) {
        diag_report(as->diag, DIAG_PTOAS_SHAPE, loc,
                    "%s: %%%s has %u x %u valid elements; those that are to be added are undefined",
                    form->row->name, n->name, v->type.v_rows, v->type.v_cols);
        return;
    }
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TEXTRACT], shape.dtype, loc);
    ptoas_emit_valid(as, &n->type, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB2, shape.cols, loc);
    ptoas_emit_iot(as,
                   &(struct tile_binding_words){.source = {v},
                                                .mask = "1111",
                                                .hand = ptoas_places[n->type.place].hand,
                                                .size_code = ptoas_shape_code(&shape)},
                   loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    ptoas_write_shaped(as, n->name, loc, &n->type, n->result, &shape);
}
