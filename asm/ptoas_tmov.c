/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * TMOV in all its spellings to one bundle (DESIGN §2.3):
 *   BSTART.TMOV T, attributes, B.DIM LB0 = valid columns, LB1 = valid rows,
 *   LB2 = columns, B.IOT source, mask, last, ->hand<size>, BSTOP.
 * A copy that 0.58 knows is that and nothing more. Whatever converts says so in
 * B.DATR and B.FPATR and marks the object with the extension tmov-convert.
 */
#include "asm/lower.h"

#include <string.h>

/* ---- spellings ---- */

static const struct spelling {
    const char *name; /* without pto. */
    enum place from, to;
} spellings[] = {
    {"tmov", NO_PLACE, NO_PLACE},           {"tmov.fp", NO_PLACE, NO_PLACE},
    {"tmov.s2d", NO_PLACE, NO_PLACE},       {"tmov.m2l", PLACE_MAT, PLACE_LEFT},
    {"tmov.m2r", PLACE_MAT, PLACE_RIGHT},   {"tmov.m2b", PLACE_MAT, PLACE_BIAS},
    {"tmov.m2s", PLACE_MAT, PLACE_SCALING}, {"tmov.a2v", PLACE_ACC, PLACE_VEC},
    {"tmov.a2m", PLACE_ACC, PLACE_MAT},     {"tmov.v2v", PLACE_VEC, PLACE_VEC},
    {"tmov.v2m", PLACE_VEC, PLACE_MAT},
};

static const struct spelling *find_spelling(const char *name)
{
    if (strncmp(name, "pto.", 4) == 0)
        name += 4;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcmp(spellings[i].name, name) == 0)
            return &spellings[i];
    return NULL;
}

bool ptoas_is_tmov(const char *name)
{
    if (strncmp(name, "pto.", 4) == 0)
        name += 4;
    return strncmp(name, "tmov", 4) == 0 && (name[4] == '\0' || name[4] == '.');
}

static bool report_spelling(struct assembler *as, const struct ast_stmt *stmt)
{
    struct buffer *legal = asm_scratch(as);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        buffer_printf(legal, "%s%s", i ? ", " : "", spellings[i].name);
    diag_report(as->diag, DIAG_PTOAS_FORM, stmt->op->name_loc,
                "there is no operation '%s' (known: %.*s, with or without pto.)", stmt->op->name,
                (int)legal->size, (const char *)legal->data);
    return false;
}

/* m2s also names the scale tiles of the cube unit. */
static bool place_agrees(enum place said, enum place is)
{
    return said == NO_PLACE || said == is ||
           (said == PLACE_SCALING && (is == PLACE_SCALE_LEFT || is == PLACE_SCALE_RIGHT));
}

static bool check_places(struct assembler *as, const struct tmov *t, const struct spelling *s)
{
    if (place_agrees(s->from, t->from.place) && place_agrees(s->to, t->to.place))
        return true;
    diag_report(as->diag, DIAG_PTOAS_MOVE, t->stmt->loc, "%s moves %s to %s, not %s to %s",
                t->stmt->op->name, ptoas_places[s->from].name, ptoas_places[s->to].name,
                ptoas_places[t->from.place].name, ptoas_places[t->to.place].name);
    return false;
}

/* ---- operands ---- */

static const struct ast_group *find_group(const struct ast_op *op, int kind)
{
    const struct ast_group *g = op->groups;
    while (g != NULL && g->kind != kind)
        g = g->next;
    return g;
}

static unsigned count_groups(const struct ast_op *op)
{
    unsigned n = 0;
    for (const struct ast_group *g = op->groups; g != NULL; g = g->next)
        n++;
    return n;
}

static unsigned count_values(const struct ast_value *v)
{
    unsigned n = 0;
    for (; v != NULL; v = v->next)
        n++;
    return n;
}

static bool bad_form(struct assembler *as, const struct ast_stmt *stmt)
{
    diag_report(as->diag, DIAG_PTOAS_FORM, stmt->loc,
                "%s has one of the forms '%%d = %s %%s [, %%x] : T [, X] -> D', "
                "'pto.tmov ins(%%s : T [, %%x : X]) outs(%%d : D)' and "
                "'\"pto.tmov\"(%%s, %%d [, %%x]) : (T, D [, X]) -> ()'",
                stmt->op->name, stmt->op->name);
    return false;
}

static bool are_values(const struct ast_value *v)
{
    for (; v != NULL; v = v->next)
        if (v->kind != AST_VALUE_SSA || v->index != NULL || v->bound != NULL || v->attr != NULL)
            return false;
    return true;
}

/* %d = tmov %s, %x : T, X -> D */
static bool take_ssa(struct assembler *as, struct tmov *t)
{
    const struct ast_op *op = t->stmt->op;
    const struct ast_group *g = find_group(op, AST_GROUP_PLAIN);
    unsigned n = g != NULL ? count_values(g->values) : 0;
    if (count_groups(op) != 1 || n < 1 || n > 2 || !are_values(g->values) ||
        op->results->next != NULL || op->results->parts != 1)
        return bad_form(as, t->stmt);
    t->source = g->values;
    t->third = g->values->next;
    t->destination = op->results;
    t->destination_type = op->result_types;
    t->result = true;
    return true;
}

static bool take_dps(struct assembler *as, struct tmov *t)
{
    const struct ast_op *op = t->stmt->op;
    const struct ast_group *ins = find_group(op, AST_GROUP_INS);
    const struct ast_group *outs = find_group(op, AST_GROUP_OUTS);
    unsigned n = ins != NULL ? count_values(ins->values) : 0;
    if (count_groups(op) != 2 || outs == NULL || n < 1 || n > 2 || !are_values(ins->values) ||
        count_values(outs->values) != 1 || !are_values(outs->values) || op->results != NULL)
        return bad_form(as, t->stmt);
    t->source = ins->values;
    t->third = ins->values->next;
    t->destination = outs->values;
    t->destination_type = outs->values->type;
    return true;
}

static bool take_generic(struct assembler *as, struct tmov *t)
{
    const struct ast_op *op = t->stmt->op;
    const struct ast_group *g = find_group(op, AST_GROUP_PLAIN);
    unsigned n = g != NULL ? count_values(g->values) : 0;
    if (count_groups(op) != 1 || n < 2 || n > 3 || !are_values(g->values) || op->results != NULL)
        return bad_form(as, t->stmt);
    t->source = g->values;
    t->destination = g->values->next;
    t->destination_type = g->values->next->type;
    t->third = g->values->next->next;
    return true;
}

static bool take_operands(struct assembler *as, struct tmov *t)
{
    const struct ast_op *op = t->stmt->op;
    if (op->generic)
        return take_generic(as, t);
    return op->results != NULL ? take_ssa(as, t) : take_dps(as, t);
}

/* ---- the third operand: fp, tmp or a scalar ---- */

static bool is_scalar_type(const struct ast_type *type)
{
    return type != NULL && type->kind == AST_TYPE_OPAQUE &&
           (strcmp(type->text, "i64") == 0 || strcmp(type->text, "ui64") == 0);
}

static bool take_third(struct assembler *as, struct tmov *t, const struct spelling *s)
{
    bool needs_fp = strcmp(s->name, "tmov.fp") == 0;
    if (t->third == NULL) {
        if (needs_fp)
            return bad_form(as, t->stmt);
        return true;
    }
    t->has_scalar = is_scalar_type(t->third->type) && !needs_fp;
    if (t->has_scalar)
        return true;
    enum place place = needs_fp ? PLACE_SCALING : NO_PLACE;
    if (!ptoas_tile_type(as, t->third->type, t->third->loc, place, &t->extra))
        return false;
    t->has_fp = t->extra.place == PLACE_SCALING;
    t->has_tmp = !t->has_fp;
    return true;
}

/* ---- attributes ---- */

static bool bad_attribute(struct assembler *as, const struct ast_attr *a, const char *legal)
{
    diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, a->loc, "%s cannot be %s (legal: %s)", a->key,
                a->text != NULL ? a->text : "this", legal);
    return false;
}

static bool take_relu(struct assembler *as, struct tmov *t, const struct ast_attr *a)
{
    t->relu = a->text != NULL && strcmp(a->text, "normal_relu") == 0;
    return t->relu || (a->text != NULL && strcmp(a->text, "no_relu") == 0) ||
           bad_attribute(as, a, "no_relu, normal_relu");
}

static bool take_acc_mode(struct assembler *as, struct tmov *t, const struct ast_attr *a)
{
    static const char *const modes[] = {
        [ACC_VEC0] = "single_mode_vec0",
        [ACC_VEC1] = "single_mode_vec1",
        [ACC_SPLIT_M] = "dual_mode_split_m",
        [ACC_SPLIT_N] = "dual_mode_split_n",
    };
    for (int m = ACC_VEC0; m <= ACC_SPLIT_N; m++)
        if (a->text != NULL && strcmp(a->text, modes[m]) == 0)
            t->acc_mode = m;
    return t->acc_mode != ACC_NONE ||
           bad_attribute(as, a,
                         "single_mode_vec0, single_mode_vec1, dual_mode_split_m, "
                         "dual_mode_split_n");
}

static bool take_axis(struct assembler *as, struct tmov *t, const struct ast_attr *a)
{
    if (!t->has_tmp) {
        diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, a->loc,
                    "grpAxis belongs to the X to ZZ form, with a tmp tile as third operand");
        return false;
    }
    t->group_axis = a->text != NULL && strcmp(a->text, "axis0") == 0 ? 0 : 1;
    return t->group_axis == 0 || (a->text != NULL && strcmp(a->text, "axis1") == 0) ||
           bad_attribute(as, a, "axis0, axis1");
}

/* The counts of the generic form; the operands' types tell the same. */
static bool take_segments(struct assembler *as, struct tmov *t, const struct ast_attr *a)
{
    (void)as;
    (void)t;
    (void)a;
    return true;
}

static bool take_attributes(struct assembler *as, struct tmov *t)
{
    static const struct {
        const char *key;
        bool (*take)(struct assembler *as, struct tmov *t, const struct ast_attr *a);
    } rows[] = {{"reluPreMode", take_relu},
                {"accToVecMode", take_acc_mode},
                {"grpAxis", take_axis},
                {"operandSegmentSizes", take_segments}};
    for (const struct ast_attr *a = t->stmt->op->attrs; a != NULL; a = a->next) {
        size_t i = 0;
        while (i < sizeof rows / sizeof *rows && strcmp(rows[i].key, a->key) != 0)
            i++;
        if (i == sizeof rows / sizeof *rows) {
            diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, a->loc,
                        "tmov has no attribute %s (legal: reluPreMode, accToVecMode, grpAxis)",
                        a->key);
            return false;
        }
        if (!rows[i].take(as, t, a))
            return false;
    }
    return true;
}

/* ---- what a bundle can carry ---- */

/* The seed's mat destination of the X to ZZ form is spelled NZ and means ZZ. */
static void normalise_exponents(struct tmov *t)
{
    if (!t->has_tmp || t->to.element->bits != 8 || t->to.slayout != OBJ_ROW_MAJOR)
        return;
    t->to.blayout = OBJ_ROW_MAJOR;
    t->to.fractal = 32;
}

static bool is_transposed(const struct tmov *t)
{
    return t->has_tmp && t->group_axis == 0;
}

/* The layout code of B.DATR: NORM within one layout. */
static bool layout_code(struct assembler *as, const struct tmov *t, uint64_t *code)
{
    enum layout from = is_transposed(t) ? LAYOUT_DN : ptoas_layout(&t->from);
    enum layout to = ptoas_layout(&t->to);
    static const unsigned enumerations[] = {ISA_ENUM_TileLayout, ISA_ENUM_TmovLayout};
    char name[sizeof "ND2NZ"];
    *code = ISA_TileLayout_NORM;
    if (from == to)
        return true;
    memcpy(stpcpy(stpcpy(name, ptoas_layout_names[from]), "2"), ptoas_layout_names[to], 3);
    for (size_t i = 0; i < sizeof enumerations / sizeof *enumerations; i++) {
        const struct isa_member *m =
            isa_find_member(&isa_enumerations[enumerations[i]], name, strlen(name), as->target.pto);
        if (m != NULL) {
            *code = m->value;
            return true;
        }
    }
    diag_report(as->diag, DIAG_PTOAS_MOVE, t->stmt->loc, "no layout code converts %s to %s",
                ptoas_layout_names[from], ptoas_layout_names[to]);
    return false;
}

/* The destination's rows are the source's: no field carries them. */
static bool check_rows(struct assembler *as, const struct tmov *t)
{
    uint32_t rows = is_transposed(t) ? t->from.cols : t->from.rows;
    bool half =
        t->acc_mode == ACC_SPLIT_M && ptoas_layout(&t->to) == LAYOUT_ND && t->to.rows * 2 == rows;
    if (t->to.rows == rows || half)
        return true;
    diag_report(as->diag, DIAG_PTOAS_MOVE, t->stmt->loc,
                "the destination has %u rows; a TMOV gives it the source's %u", t->to.rows, rows);
    return false;
}

static bool check_valid_region(struct assembler *as, const struct tmov *t)
{
    uint32_t rows = is_transposed(t) ? t->from.v_cols : t->from.v_rows;
    uint32_t cols = is_transposed(t) ? t->from.v_rows : t->from.v_cols;
    uint32_t split_rows = t->acc_mode == ACC_SPLIT_M ? 2 : 1;
    uint32_t split_cols = t->acc_mode == ACC_SPLIT_N ? 2 : 1;
    bool open = ptoas_is_open(&t->from) || ptoas_is_open(&t->to);
    bool same = ptoas_same_extent(ptoas_rows(&t->from), ptoas_rows(&t->to)) &&
                ptoas_same_extent(ptoas_cols(&t->from), ptoas_cols(&t->to));
    if (open && (!same || is_transposed(t) || split_rows * split_cols != 1)) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, t->destination->loc,
                    "valid extents in registers are lowered only where source and destination "
                    "have the same");
        return false;
    }
    if (t->to.v_rows * split_rows <= rows && t->to.v_cols * split_cols <= cols)
        return true;
    diag_report(as->diag, DIAG_PTOAS_MOVE, t->stmt->loc,
                "the destination takes %ux%u valid elements, the source has %ux%u",
                t->to.v_rows * split_rows, t->to.v_cols * split_cols, rows, cols);
    return false;
}

/* 0.58: power-of-two columns, rows = capacity / (columns * size). */
static bool is_plain_shape(const struct tile_type *t, uint64_t size_code)
{
    return (t->cols & (t->cols - 1)) == 0 && ptoas_tile_bytes(t) == (uint64_t)SMALLEST_TILE
                                                                        << (size_code - 1);
}

static bool is_plain_copy(const struct tmov *t, uint64_t size_code)
{
    struct tile_type to = t->to;
    to.place = t->from.place;
    return ptoas_same_type(&t->from, &to) && ptoas_layout(&to) == LAYOUT_ND && to.compact == 0 &&
           is_plain_shape(&to, size_code) && t->third == NULL && !t->relu &&
           t->acc_mode == ACC_NONE && t->quant_mode == ISA_PreQuantMode_NoQuant;
}

/* ---- words ---- */

static uint64_t fractal_code(uint16_t fractal)
{
    static const uint16_t fractals[] = {512, 1024, 32, 16};
    uint64_t code = 0;
    while (fractals[code] != fractal)
        code++;
    return code;
}

static void emit_attributes(struct assembler *as, const struct tmov *t, uint64_t layout)
{
    struct isa_insn datr = ptoas_insn(as, ISA_FORM_b_datr_32_c161a042ff38);
    isa_set_value(&datr, ISA_FIELD_Layout, layout);
    isa_set_value(&datr, ISA_FIELD_DataType, t->to.element->dtype);
    isa_set_value(&datr, ISA_FIELD_PadValueOrByteId, fractal_code(t->to.fractal));
    isa_set_value(&datr, ISA_FIELD_CMode, t->acc_mode == ACC_NONE ? 0 : (uint64_t)t->acc_mode);
    isa_set_value(&datr, ISA_FIELD_Canonicalize, t->to.compact == COMPACT_ROW_PLUS_ONE);
    asm_emit_insn(as, &datr, t->stmt->loc);
    if (t->quant_mode == ISA_PreQuantMode_NoQuant && !t->relu)
        return;
    struct isa_insn fpatr = ptoas_insn(as, ISA_FORM_b_fpatr_32_30c307e06d4a_0_58_2);
    isa_set_value(&fpatr, ISA_FIELD_PreQuantMode, t->quant_mode);
    isa_set_value(&fpatr, ISA_FIELD_ReluMode, t->relu ? ISA_ReluMode_ReLU : ISA_ReluMode_None);
    asm_emit_insn(as, &fpatr, t->stmt->loc);
}

static void emit_scalar(struct assembler *as, uint64_t reg, struct loc loc)
{
    struct isa_insn ior = ptoas_insn(as, ISA_FORM_b_ior_32_c3ea71404eb3);
    isa_set_value(&ior, ISA_FIELD_RegSrc0, reg);
    asm_emit_insn(as, &ior, loc);
}

void ptoas_mark_extension(struct assembler *as)
{
    asm_bundle_extension(as);
    as->object->identity.extensions = "tmov-convert";
}

struct tmov_words {
    uint64_t layout, size_code, scalar;
    const struct tile_value *source, *extra;
};

static void emit_bundle(struct assembler *as, const struct tmov *t, const struct tmov_words *w)
{
    static const char *const masks[] = {
        [ACC_VEC0] = "1000", [ACC_VEC1] = "0100", [ACC_SPLIT_M] = "1100", [ACC_SPLIT_N] = "1100"};
    struct loc loc = t->stmt->loc;
    struct isa_insn start = ptoas_insn(as, ISA_FORM_bstart_tmov_32_211446509efb);
    isa_set_value(&start, ISA_FIELD_DataType, t->from.element->dtype);
    asm_emit_insn(as, &start, loc);
    if (!is_plain_copy(t, w->size_code)) {
        ptoas_mark_extension(as);
        emit_attributes(as, t, w->layout);
    }
    ptoas_emit_valid(as, &t->to, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB2, t->to.cols, loc);
    if (t->has_scalar)
        emit_scalar(as, w->scalar, loc);
    ptoas_emit_iot(as,
                   &(struct tile_binding_words){
                       .source = {w->source, w->extra},
                       .mask = t->acc_mode == ACC_NONE ? "1111" : masks[t->acc_mode],
                       .hand = ptoas_places[t->to.place].hand,
                       .size_code = w->size_code,
                   },
                   loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
}

/* ---- lowering ---- */

/* An extent that the type leaves open is that of the buffer. */
static bool tile_type(struct assembler *as, const struct ast_value *v, const struct ast_type *type,
                      enum place place, struct tile_type *out)
{
    bool open = type != NULL && (type->v_row == AST_DYNAMIC || type->v_col == AST_DYNAMIC);
    return (open && ptoas_known_type(as, v->name, out)) ||
           ptoas_tile_type(as, type, v->loc, place, out);
}

static bool take_types(struct assembler *as, struct tmov *t, const struct spelling *s)
{
    return tile_type(as, t->source, t->source->type, s->from, &t->from) &&
           tile_type(as, t->destination, t->destination_type, s->to, &t->to);
}

static bool check_shape(struct assembler *as, const struct tmov *t, const struct tile_value *v)
{
    const struct tile_shape *s = &v->shape;
    bool plain = s->form == TILE_FORM_TYPE && s->dtype == t->from.element->dtype;
    if (plain && s->rows == t->from.rows && s->cols == t->from.cols)
        return true;
    if (!plain)
        diag_report(as->diag, DIAG_PTOAS_SHAPE, t->source->loc,
                    "%%%s does not lie as its type says: it holds %s", v->name,
                    s->form == TILE_FORM_PREDICATE ? "results of a comparison" : "indexes");
    else
        diag_report(as->diag, DIAG_PTOAS_SHAPE, t->source->loc,
                    "%%%s lies in %u x %u elements, not in the %u x %u of its type; a TMOV that "
                    "converts needs a power of two of rows and 128 elements or more",
                    v->name, s->rows, s->cols, t->from.rows, t->from.cols);
    diag_note(as->diag, v->loc, "it is made here");
    return false;
}

/* A result of the matrix unit is first copied out of its cells, to a row-major tile. */
static bool leave_cells(struct assembler *as, struct tmov *t)
{
    if (!ptoas_has_value(as, t->source->name)) /* find_words makes an input tile of it */
        return true;
    struct tile_value *v = ptoas_read(as, t->source, &t->from);
    if (v == NULL)
        return false;
    if (v->shape.form != TILE_FORM_CUBE)
        return check_shape(as, t, v);
    if (v->shape.rows != t->from.rows) {
        diag_report(as->diag, DIAG_PTOAS_SHAPE, t->source->loc,
                    "%%%s has %u rows; a result of the matrix unit is moved in tiles of %u rows",
                    v->name, t->from.rows, v->shape.rows);
        return false;
    }
    t->cells = ptoas_from_cells(as, v, t->stmt->loc);
    t->from.blayout = OBJ_ROW_MAJOR;
    t->from.slayout = OBJ_NONE_BOX;
    return true;
}

static bool find_words(struct assembler *as, const struct tmov *t, struct tmov_words *w)
{
    struct tile_type stored = t->to;
    stored.rows = is_transposed(t) ? t->from.cols : t->from.rows;
    *w = (struct tmov_words){.size_code = ptoas_size_code(as, &stored, t->destination->loc)};
    if (w->size_code == 0 || !layout_code(as, t, &w->layout))
        return false;
    w->source = t->cells != NULL ? t->cells : ptoas_read(as, t->source, &t->from);
    /* A tmp is scratch and never read: without a value of its own the source stands for it. */
    if (t->has_tmp && !ptoas_has_value(as, t->third->name))
        w->extra = w->source;
    else if (t->has_fp || t->has_tmp)
        w->extra = ptoas_read(as, t->third, &t->extra);
    return w->source != NULL && (w->extra != NULL || !(t->has_fp || t->has_tmp)) &&
           ptoas_may_write(as, t->destination->name, t->destination->loc, &t->to, t->result) &&
           (!t->has_scalar || ptoas_scalar_register(as, t->third, &w->scalar));
}

static bool take_tmov(struct assembler *as, const struct ast_stmt *stmt, struct tmov *t)
{
    const struct spelling *s = find_spelling(stmt->op->name);
    *t = (struct tmov){.stmt = stmt, .acc_mode = ACC_NONE, .group_axis = 1};
    if (s == NULL)
        return report_spelling(as, stmt);
    if (!take_operands(as, t) || !take_types(as, t, s) || !take_third(as, t, s) ||
        !take_attributes(as, t) || !check_places(as, t, s))
        return false;
    normalise_exponents(t);
    return ptoas_check_tmov(as, t);
}

bool ptoas_verify_tmov(struct assembler *as, const struct ast_stmt *stmt)
{
    struct tmov t;
    return take_tmov(as, stmt, &t);
}

void ptoas_lower_tmov(struct assembler *as, const struct ast_stmt *stmt)
{
    struct tmov t;
    struct tmov_words words;
    if (!take_tmov(as, stmt, &t) || !check_rows(as, &t) || !check_valid_region(as, &t) ||
        !leave_cells(as, &t) || !find_words(as, &t, &words))
        return;
    emit_bundle(as, &t, &words);
    ptoas_write(as, t.destination->name, t.destination->loc, &t.to, t.result);
}
