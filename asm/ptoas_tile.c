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
#include "asm/lower.h"

#include <string.h>

enum shape_rule {
    RULE_ALIKE,          /* all have the destination's shape and type */
    RULE_COMPARE,        /* the destination holds predicates of the sources' shape */
    RULE_SELECT,         /* the first source holds predicates */
    RULE_CONVERT,        /* another type */
    RULE_REDUCE_ROWS,    /* the destination is one column */
    RULE_REDUCE_COLUMNS, /* one row */
    RULE_INDEX_ROWS,     /* one column of U32 */
    RULE_INDEX_COLUMNS,  /* one row of U32 */
    RULE_EXPAND_COLUMN,  /* the last source is one column */
    RULE_EXPAND_ROW,     /* one row */
    RULE_TRANSPOSE,
};

static const struct tile_rule {
    const char *op;
    uint16_t tileop;
    const char *sources, *scalars; /* operand names */
    uint8_t rule;
} rules[] = {
#define LOWER(op, tileop, sources, scalars, rule)                                                  \
    {op, ISA_TILEOP_##tileop, sources, scalars, RULE_##rule},
#include "asm/ptoas_lower.def"
#undef LOWER
};

enum { MOST_SOURCES = 3, MOST_SCALARS = 3, LEAST_BYTES = SMALLEST_TILE, MOST_BYTES = 64 * 1024 };

struct tile_lowering {
    const struct op_form *form;
    const struct tile_rule *rule;
    const struct isa_tileop *op;
    struct loc loc;
    const struct tile_value *source[MOST_SOURCES];
    const struct op_operand *operand[MOST_SOURCES];
    unsigned nsources;
    uint64_t scalar[MOST_SCALARS];
    unsigned nscalars;
    const struct op_operand *destination;
    struct tile_type to, written; /* what is computed, what the destination is declared as */
    struct tile_shape shape;      /* of the destination */
    unsigned dtype;               /* of BSTART */
};

static bool refuse(struct assembler *as, const struct tile_lowering *t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct assembler *as, const struct tile_lowering *t, const char *fmt, ...)
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

static bool is_column(const struct tile_type *t)
{
    return t->v_cols == 1 && t->slayout == OBJ_NONE_BOX;
}

static const char *cannot_hold(const struct tile_type *t, const struct tile_shape *s)
{
    if (!is_column(t) && ptoas_layout(t) != LAYOUT_ND)
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
    struct tile_shape s = {1, is_column(t) ? 1 : t->cols, t->element->dtype, TILE_FORM_TYPE};
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

static unsigned dtype_bits(unsigned dtype)
{
    return ptoas_element(ptoas_element_name(dtype))->bits;
}

uint64_t ptoas_shape_code(const struct tile_shape *s)
{
    uint64_t bits = s->form == TILE_FORM_PREDICATE ? 1 : dtype_bits(s->dtype), code = 1;
    while ((uint64_t)SMALLEST_TILE << (code - 1) < (uint64_t)s->rows * s->cols * bits / 8)
        code++;
    return code;
}

bool ptoas_check_shape(struct assembler *as, const struct tile_value *v, struct loc use)
{
    static const char *const forms[] = {"numbers", "results of a comparison",
                                        "cells of the matrix unit"};
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
    size_t length = strcspn(*list, " ");
    if (length == 0)
        return NULL;
    const char *name = arena_string(as->arena, *list, length);
    *list += length + ((*list)[length] == ' ');
    return name;
}

static bool take_sources(struct assembler *as, struct tile_lowering *t)
{
    const char *list = t->rule->sources, *name;
    while ((name = next_name(as, &list)) != NULL) {
        const struct op_operand *o = ptoas_operand(t->form, name, 0);
        bool predicates = t->rule->rule == RULE_SELECT && t->nsources == 0;
        struct tile_value *v = ptoas_tile(as, o);
        if (v == NULL || (!predicates && !ptoas_check_shape(as, v, o->value->loc)))
            return false;
        if (predicates && v->shape.form != TILE_FORM_PREDICATE)
            return refuse(as, t, "%%%s is no result of tcmp or tcmps", v->name);
        t->operand[t->nsources] = o;
        t->source[t->nsources++] = v;
    }
    return true;
}

static bool is_float(unsigned dtype)
{
    const char *name = ptoas_element_name(dtype);
    return name[0] == 'f' || name[0] == 'b';
}

/* The number in the type of the tile's elements. */
static bool take_scalar(struct assembler *as, struct tile_lowering *t, const struct op_operand *o)
{
    static const char *const scratch[MOST_SCALARS] = {"x2", "x1", "x0"};
    struct scalar s;
    if (o->value->kind == AST_VALUE_SSA && map_get(&as->ptoas->tiles, o->value->name) != NULL)
        return refuse(as, t, "a number divided by a tile is no tile operation");
    if (!ptoas_scalar(as, o, &s))
        return false;
    const struct element *e = ptoas_element(s.type);
    bool same = e != NULL && (e->dtype == t->dtype || (e->bits == dtype_bits(t->dtype) &&
                                                       !is_float(e->dtype) && !is_float(t->dtype)));
    if (!same)
        return refuse(as, t, "the number is %s, the tile has elements of %s", s.type,
                      ptoas_element_name(t->dtype));
    t->scalar[t->nscalars] = ptoas_in_register(as, &s, scratch[t->nscalars], o->value->loc);
    t->nscalars++;
    return true;
}

static bool take_scalars(struct assembler *as, struct tile_lowering *t)
{
    const char *list = t->rule->scalars, *name;
    while ((name = next_name(as, &list)) != NULL)
        if (!take_scalar(as, t, ptoas_operand(t->form, name, 0)))
            return false;
    return true;
}

/* ---- rules ---- */

/* How source n must look: valid rows and columns. */
static void wanted_extent(const struct tile_lowering *t, unsigned n, uint32_t *rows, uint32_t *cols)
{
    bool last = n + 1 == t->nsources;
    *rows = t->to.v_rows;
    *cols = t->to.v_cols;
    if (t->rule->rule == RULE_EXPAND_COLUMN && last)
        *cols = 1;
    if (t->rule->rule == RULE_EXPAND_ROW && last)
        *rows = 1;
    if (t->rule->rule == RULE_TRANSPOSE) {
        *rows = t->to.v_cols;
        *cols = t->to.v_rows;
    }
    if (t->rule->rule == RULE_REDUCE_ROWS || t->rule->rule == RULE_INDEX_ROWS)
        *cols = t->source[0]->type.v_cols;
    if (t->rule->rule == RULE_REDUCE_COLUMNS || t->rule->rule == RULE_INDEX_COLUMNS)
        *rows = t->source[0]->type.v_rows;
}

static bool check_extents(struct assembler *as, const struct tile_lowering *t)
{
    uint32_t rows, cols;
    for (unsigned n = 0; n < t->nsources; n++) {
        const struct tile_type *from = &t->source[n]->type;
        bool predicates = t->source[n]->shape.form == TILE_FORM_PREDICATE;
        wanted_extent(t, n, &rows, &cols);
        if (!predicates && (from->v_rows != rows || from->v_cols != cols))
            return refuse(as, t, "%%%s has %u x %u valid elements, it needs %u x %u",
                          t->source[n]->name, from->v_rows, from->v_cols, rows, cols);
    }
    return true;
}

/* Sources beside each other have the same columns, so that one LB2 is for all. */
static bool check_columns(struct assembler *as, const struct tile_lowering *t)
{
    bool column = t->rule->rule == RULE_EXPAND_COLUMN || t->rule->rule == RULE_REDUCE_ROWS ||
                  t->rule->rule == RULE_INDEX_ROWS || t->rule->rule == RULE_TRANSPOSE;
    bool row = t->rule->rule == RULE_EXPAND_ROW || t->rule->rule == RULE_REDUCE_COLUMNS ||
               t->rule->rule == RULE_INDEX_COLUMNS;
    for (unsigned n = 0; n < t->nsources; n++) {
        const struct tile_shape *s = &t->source[n]->shape;
        bool broadcast = (column || row) && n + 1 == t->nsources;
        if (s->cols != t->shape.cols && !(broadcast && column))
            return refuse(as, t, "%%%s has %u physical columns, the destination has %u",
                          t->source[n]->name, s->cols, t->shape.cols);
        if (s->rows != t->shape.rows && !broadcast)
            return refuse(as, t, "%%%s has %u physical rows, the destination has %u",
                          t->source[n]->name, s->rows, t->shape.rows);
    }
    return true;
}

static bool is_index(const struct tile_lowering *t)
{
    return t->rule->rule == RULE_INDEX_ROWS || t->rule->rule == RULE_INDEX_COLUMNS;
}

/* EXPDIF may widen to FP32. */
static bool may_differ(const struct tile_lowering *t)
{
    bool difference = t->op == &isa_tileops[ISA_TILEOP_TROWEXPANDEXPDIF] ||
                      t->op == &isa_tileops[ISA_TILEOP_TCOLEXPANDEXPDIF];
    return t->rule->rule == RULE_COMPARE || t->rule->rule == RULE_CONVERT ||
           (difference && t->to.element->dtype == ISA_DataType_FP32);
}

static bool check_types(struct assembler *as, const struct tile_lowering *t)
{
    for (unsigned n = t->rule->rule == RULE_SELECT; n < t->nsources; n++)
        if (t->source[n]->shape.dtype != t->dtype)
            return refuse(as, t, "%%%s has elements of %s, not %s", t->source[n]->name,
                          ptoas_element_name(t->source[n]->shape.dtype),
                          ptoas_element_name(t->dtype));
    unsigned dtype = t->to.element->dtype;
    if (is_index(t) && dtype != ISA_DataType_U32 && dtype != ISA_DataType_S32)
        return refuse(as, t, "indexes are ui32 or i32, not %s", t->to.element->name);
    if (!is_index(t) && !may_differ(t) && dtype != t->dtype)
        return refuse(as, t, "the destination has elements of %s, the sources of %s",
                      t->to.element->name, ptoas_element_name(t->dtype));
    if (!(t->op->datatypes >> t->dtype & 1))
        return refuse(as, t, "%s does not compute with %s", t->op->name,
                      ptoas_element_name(t->dtype));
    return true;
}

static bool choose_destination(struct assembler *as, struct tile_lowering *t)
{
    t->destination = ptoas_operand(t->form, "dst", 0);
    if (!ptoas_destination(as, t->form, t->destination, &t->to))
        return false;
    t->written = t->to;
    if (t->rule->rule == RULE_COMPARE) { /* packed: its type only says how large it is */
        t->to.v_rows = t->source[0]->type.v_rows;
        t->to.v_cols = t->source[0]->type.v_cols;
        t->shape = t->source[0]->shape;
        t->shape.form = TILE_FORM_PREDICATE;
        return true;
    }
    if (!ptoas_tile_shape(as, &t->to, &t->shape))
        return false;
    if (is_index(t))
        t->shape.dtype = ISA_DataType_U32;
    return true;
}

/* The type of BSTART: of the first source that holds numbers. */
static unsigned start_type(const struct tile_lowering *t)
{
    unsigned first = t->rule->rule == RULE_SELECT;
    return t->nsources > first ? t->source[first]->shape.dtype : t->to.element->dtype;
}

/* ---- B.DATR ---- */

static bool set_member(struct assembler *as, const struct tile_lowering *t, struct isa_insn *datr,
                       unsigned field, unsigned enumeration, const char *name)
{
    const struct isa_member *m =
        isa_find_member(&isa_enumerations[enumeration], name, strlen(name), as->target.pto);
    if (m == NULL)
        return refuse(as, t, "%s is no mode of %s", name, t->op->name);
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

/* B.DATR where the operation has an attribute. */
static bool emit_attributes(struct assembler *as, const struct tile_lowering *t)
{
    struct isa_insn datr = ptoas_insn(as, ISA_FORM_b_datr_32_c161a042ff38);
    isa_set_value(&datr, ISA_FIELD_PadValueOrByteId, ISA_PadValue_Null);
    if (t->rule->rule == RULE_COMPARE) {
        const char *mode = ptoas_attr_member(t->form, "cmpMode");
        if (!set_member(as, t, &datr, ISA_FIELD_CMode, ISA_ENUM_CMode, mode ? mode : "eq"))
            return false;
    } else if (t->rule->rule == RULE_CONVERT) {
        if (!set_rounding(as, t, &datr))
            return false;
    } else if (may_differ(t) && t->to.element->dtype != t->dtype) {
        isa_set_value(&datr, ISA_FIELD_DataType, t->to.element->dtype);
    } else {
        return true;
    }
    asm_emit_insn(as, &datr, t->loc);
    return true;
}

/* ---- words ---- */

/* Reductions have the dimensions of their source, all others those of their destination. */
static void emit_dimensions(struct assembler *as, const struct tile_lowering *t)
{
    bool reduces = t->rule->rule >= RULE_REDUCE_ROWS && t->rule->rule <= RULE_INDEX_COLUMNS;
    const struct tile_type *type = reduces ? &t->source[0]->type : &t->to;
    const struct tile_shape *shape = reduces ? &t->source[0]->shape : &t->shape;
    ptoas_emit_dimension(as, ISA_LoopCounter_LB0, type->v_cols, t->loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB1, type->v_rows, t->loc);
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

static void emit_bundle(struct assembler *as, const struct tile_lowering *t)
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

static const struct tile_rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].op, name) == 0)
            return &rules[i];
    return NULL;
}

static bool exists(struct assembler *as, const struct tile_lowering *t)
{
    if (t->op->revs & as->target.pto)
        return true;
    return refuse(as, t, "this revision has no %s", t->op->name);
}

bool ptoas_lower_tile(struct assembler *as, const struct op_form *form)
{
    const struct tile_rule *rule = find_rule(form->row->name);
    struct tile_lowering t = {.form = form, .rule = rule, .loc = form->stmt->loc};
    if (rule == NULL)
        return false;
    t.op = &isa_tileops[rule->tileop];
    if (!exists(as, &t) || !take_sources(as, &t) || !choose_destination(as, &t))
        return true;
    t.dtype = start_type(&t);
    if (!check_types(as, &t) || !check_extents(as, &t) || !check_columns(as, &t) ||
        !take_scalars(as, &t))
        return true;
    emit_bundle(as, &t);
    ptoas_write_destination(as, form, t.destination, &t.written, &t.shape);
    return true;
}
