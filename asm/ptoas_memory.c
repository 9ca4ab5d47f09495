/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views of memory, and the transfers between them and tiles. A view is an
 * address with sizes and strides in elements; TLOAD and TSTORE take an address
 * and the bytes from row to row, so all but the last two dimensions must be of
 * size 1 or lie one behind the other.
 */
#include "asm/lower.h"

#include <string.h>

/* What is added to an address: elements that are known when the program runs. */
struct step {
    struct scalar count, stride;
};

struct view {
    struct scalar base; /* an address; the first element lies `first` and all steps behind it */
    struct scalar first;
    struct step steps[OBJ_MAX_RANK];
    unsigned nsteps;
    const struct element *element;
    unsigned rank;
    struct scalar size[OBJ_MAX_RANK], stride[OBJ_MAX_RANK]; /* in elements */
    struct loc loc;
};

static bool refuse(struct assembler *as, const struct op_form *form, const char *why)
{
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, form->stmt->loc, "%s: %s", form->row->name, why);
    return false;
}

static bool is_constant(const struct scalar *s, uint64_t number)
{
    return s->kind == SCALAR_INTEGER && s->number == number;
}

/* ---- pointers and views ---- */

static const struct element *element_of(struct assembler *as, const struct op_form *form,
                                        const struct ast_type *type)
{
    const struct element *e =
        type != NULL && type->element != NULL ? ptoas_element(type->element->text) : NULL;
    if (e == NULL || e->bits < 8) {
        refuse(as, form, "the elements must have a known type of 8 bits or more");
        return NULL;
    }
    return e;
}

static struct scalar constant(uint64_t number)
{
    return (struct scalar){.kind = SCALAR_INTEGER, .type = "index", .number = number};
}

/* Of what an address took only the register of the result stays in use. */
static void keep_register(struct assembler *as, uint32_t before, const struct scalar *base)
{
    ptoas_free_registers(as, base->kind == SCALAR_REGISTER ? before | UINT32_C(1) << base->reg
                                                           : before);
}

/* base + offset * size of an element */
static bool advance(struct assembler *as, struct scalar *base, const struct scalar *offset,
                    const struct element *e, struct loc loc)
{
    struct scalar bytes, size = constant(e->bits / 8), wide = *offset;
    wide.type = "index";
    return ptoas_multiply(as, &wide, &size, loc, &bytes) && ptoas_add(as, base, &bytes, loc, base);
}

void ptoas_lower_addptr(struct assembler *as, const struct op_form *form)
{
    const struct op_operand *ptr = ptoas_operand(form, "ptr", 0);
    const struct element *e = element_of(as, form, ptr->type);
    struct scalar base, offset;
    uint32_t registers = as->ptoas->registers;
    if (e == NULL || !ptoas_scalar(as, ptr, &base) ||
        !ptoas_scalar(as, ptoas_operand(form, "offset", 0), &offset) ||
        !advance(as, &base, &offset, e, form->stmt->loc))
        return;
    keep_register(as, registers, &base);
    ptoas_define_scalar(as, form->results[0].value->name, &base);
}

/* ---- single numbers ---- */

/* By the bytes of an element. Loaded integers are extended by their sign, as all numbers are. */
static const struct access {
    unsigned bytes;
    uint16_t load, store;
} accesses[] = {
    {1, ISA_FORM_lbi_32_9af2cdbeb38f, ISA_FORM_sbi_32_f3c6b796f0d9},
    {2, ISA_FORM_lhi_32_46a45ec7074d, ISA_FORM_shi_32_21351c202204},
    {4, ISA_FORM_lwi_32_7085c98058fa, ISA_FORM_swi_32_147e55489c41},
    {8, ISA_FORM_ldi_32_d82a643f7a2b, ISA_FORM_sdi_32_fab563230a66},
};

static const struct access *access_of(const struct element *e)
{
    const struct access *a = accesses;
    while (a->bytes < e->bits / 8)
        a++;
    return a;
}

/* Where the number lies; its element. NULL: reported. */
static const struct element *address_of(struct assembler *as, const struct op_form *form,
                                        struct scalar *base)
{
    const struct op_operand *ptr = ptoas_operand(form, "ptr", 0);
    const struct element *e = element_of(as, form, ptr->type);
    struct scalar offset;
    if (e == NULL || !ptoas_scalar(as, ptr, base) ||
        !ptoas_scalar(as, ptoas_operand(form, "offset", 0), &offset) ||
        !advance(as, base, &offset, e, form->stmt->loc))
        return NULL;
    return e;
}

void ptoas_lower_load_scalar(struct assembler *as, const struct op_form *form)
{
    struct scalar base, number = {.kind = SCALAR_REGISTER};
    uint32_t registers = as->ptoas->registers;
    const struct element *e = address_of(as, form, &base);
    if (e == NULL)
        return;
    ptoas_free_registers(as, registers);
    number.type = ptoas_operand(form, "ptr", 0)->type->element->text;
    number.reg = ptoas_take_register(as, form->stmt->loc);
    struct isa_insn load = ptoas_insn(as, access_of(e)->load);
    isa_set_value(&load, ISA_FIELD_SrcL, base.reg);
    isa_set_value(&load, ISA_FIELD_RegDst, number.reg);
    asm_emit_insn(as, &load, form->stmt->loc);
    ptoas_define_scalar(as, form->results[0].value->name, &number);
}

void ptoas_lower_store_scalar(struct assembler *as, const struct op_form *form)
{
    struct scalar base, value;
    uint32_t registers = as->ptoas->registers;
    const struct element *e = address_of(as, form, &base);
    if (e == NULL || !ptoas_scalar(as, ptoas_operand(form, "value", 0), &value))
        return;
    struct isa_insn store = ptoas_insn(as, access_of(e)->store);
    isa_set_value(&store, ISA_FIELD_SrcL, ptoas_in_register(as, &value, "x2", form->stmt->loc));
    isa_set_value(&store, ISA_FIELD_SrcR, base.reg);
    asm_emit_insn(as, &store, form->stmt->loc);
    ptoas_free_registers(as, registers);
}

/* ---- views ---- */

/* The function's record says the shape in which it views an argument. */
static void record_view(struct assembler *as, const char *name, const struct view *v)
{
    for (size_t i = as->object->args.count; i-- > 0;) {
        struct obj_arg *a = &as->object->args.item[i];
        if (a->function != as->ptoas->function)
            return;
        if (strcmp(a->name, name) != 0 || a->rank != 0)
            continue;
        for (unsigned d = 0; d < v->rank; d++)
            if (v->size[d].kind != SCALAR_INTEGER || v->size[d].number > UINT32_MAX)
                return;
        for (unsigned d = 0; d < v->rank; d++)
            a->shape[a->rank++] = (uint32_t)v->size[d].number;
        return;
    }
}

static bool take_list(struct assembler *as, const struct op_form *form, const char *name,
                      unsigned rank, struct scalar *out)
{
    if (ptoas_operand_count(form, name) != rank)
        return refuse(as, form, "the lists must have one number for each dimension");
    for (unsigned d = 0; d < rank; d++)
        if (!ptoas_scalar(as, ptoas_operand(form, name, d), &out[d]))
            return false;
    return true;
}

static void define_view(struct assembler *as, const struct op_form *form, const struct view *v)
{
    ptoas_bind(as, &as->ptoas->views, form->results[0].value->name,
               arena_copy(as->arena, v, sizeof *v));
}

void ptoas_lower_make_view(struct assembler *as, const struct op_form *form)
{
    const struct op_operand *ptr = ptoas_operand(form, "ptr", 0);
    struct view v = {
        .loc = form->stmt->loc, .rank = ptoas_operand_count(form, "shape"), .first = constant(0)};
    const char *layout = ptoas_attr_member(form, "layout");
    v.element = element_of(as, form, ptr->type);
    if (v.element == NULL || !ptoas_scalar(as, ptr, &v.base))
        return;
    if (v.rank == 0 || v.rank > OBJ_MAX_RANK) {
        refuse(as, form, "a view has one to five dimensions");
        return;
    }
    if (layout != NULL && strcmp(layout, "nz") == 0) { /* dn has its strides as nd has */
        refuse(as, form, "views of layout nz are not lowered");
        return;
    }
    if (!take_list(as, form, "shape", v.rank, v.size) ||
        !take_list(as, form, "strides", v.rank, v.stride))
        return;
    record_view(as, ptr->value->name, &v);
    define_view(as, form, &v);
}

static const struct view *find_view(struct assembler *as, const struct op_operand *o)
{
    const struct view *v = map_get(&as->ptoas->views, o->value->name);
    if (v == NULL && !ptoas_is_refused(as, o->value->name))
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, o->value->loc,
                    "%%%s is no view of a pointer; only those are lowered", o->value->name);
    return v;
}

static bool is_inside(struct assembler *as, const struct op_form *form, const struct view *of,
                      const struct scalar *offset, const struct scalar *size, unsigned d)
{
    bool known = of->size[d].kind == SCALAR_INTEGER && offset->kind == SCALAR_INTEGER &&
                 size->kind == SCALAR_INTEGER;
    int64_t from = (int64_t)offset->number, count = (int64_t)size->number;
    int64_t room = (int64_t)of->size[d].number;
    if (!known || (from >= 0 && count >= 0 && from <= room && count <= room - from))
        return true;
    diag_report(as->diag, DIAG_PTOAS_VALUE, form->stmt->loc,
                "elements %lld to %lld of dimension %u are not in the view's %lld", (long long)from,
                (long long)(from + count), d, (long long)room);
    diag_note(as->diag, of->loc, "the view is made here");
    return false;
}

void ptoas_lower_dimension(struct assembler *as, const struct op_form *form)
{
    const struct view *v = find_view(as, ptoas_operand(form, "tensor_view", 0));
    int64_t d;
    if (v == NULL ||
        !ptoas_constant(as, ptoas_operand(form, "dim_index", 0), "the dimension's number", &d))
        return;
    if (d < 0 || d >= (int64_t)v->rank)
        diag_report(as->diag, DIAG_PTOAS_VALUE, form->stmt->loc,
                    "dimension %lld is not in the view's %u", (long long)d, v->rank);
    else
        ptoas_define_scalar(as, form->results[0].value->name, &v->size[d]);
}

/* Addresses are computed where they are used, so that a view takes no register. */
static bool step_over(struct assembler *as, struct view *v, const struct scalar *count,
                      const struct scalar *stride, struct loc loc)
{
    struct scalar elements;
    if (count->kind == SCALAR_INTEGER && (count->number == 0 || stride->kind == SCALAR_INTEGER))
        return ptoas_multiply(as, count, stride, loc, &elements) &&
               ptoas_add(as, &v->first, &elements, loc, &v->first);
    v->steps[v->nsteps++] = (struct step){*count, *stride};
    return true;
}

void ptoas_lower_partition(struct assembler *as, const struct op_form *form)
{
    const struct view *of = find_view(as, ptoas_operand(form, "source", 0));
    struct scalar offset[OBJ_MAX_RANK];
    if (of == NULL)
        return;
    struct view v = *of;
    v.loc = form->stmt->loc;
    if (of->nsteps != 0) {
        refuse(as, form, "a part of a part is lowered with constant offsets only");
        return;
    }
    if (!take_list(as, form, "offsets", v.rank, offset) ||
        !take_list(as, form, "sizes", v.rank, v.size))
        return;
    for (unsigned d = 0; d < v.rank; d++)
        if (!is_inside(as, form, of, &offset[d], &v.size[d], d) ||
            !step_over(as, &v, &offset[d], &v.stride[d], v.loc))
            return;
    define_view(as, form, &v);
}

/* The address of the first element. */
static bool view_address(struct assembler *as, const struct view *v, struct loc loc,
                         struct scalar *address)
{
    struct scalar total = v->first, elements;
    for (unsigned i = 0; i < v->nsteps; i++)
        if (!ptoas_multiply(as, &v->steps[i].count, &v->steps[i].stride, loc, &elements) ||
            !ptoas_add(as, &total, &elements, loc, &total))
            return false;
    *address = v->base;
    return advance(as, address, &total, v->element, loc);
}

/* ---- rectangles ---- */

/* What TLOAD and TSTORE move. */
struct rectangle {
    struct scalar rows, cols;
    struct scalar stride; /* elements from row to row */
};

/* Is dimension d one behind the other with the rows below it? */
static bool goes_on(const struct view *v, unsigned d, const struct rectangle *r)
{
    return is_constant(&v->size[d], 1) ||
           (v->size[d].kind == SCALAR_INTEGER && v->stride[d].kind == SCALAR_INTEGER &&
            r->rows.kind == SCALAR_INTEGER && r->stride.kind == SCALAR_INTEGER &&
            v->stride[d].number == r->rows.number * r->stride.number);
}

static bool rectangle_of(struct assembler *as, const struct op_form *form, const struct view *v,
                         struct rectangle *r)
{
    unsigned last = v->rank - 1;
    *r = (struct rectangle){.rows = constant(1), .cols = v->size[last], .stride = v->size[last]};
    if (v->rank > 1) {
        r->rows = v->size[last - 1];
        r->stride = v->stride[last - 1];
    }
    if (!is_constant(&v->stride[last], 1) && !is_constant(&r->cols, 1))
        return refuse(as, form, "the elements of a row must lie one behind the other (stride 1)");
    for (unsigned d = last; d-- > 1;) {
        if (!goes_on(v, d - 1, r))
            return refuse(as, form,
                          "the outer dimensions of the view must have size 1, or lie one "
                          "behind the other");
        if (v->size[d - 1].kind == SCALAR_INTEGER && v->size[d - 1].number != 1)
            r->rows.number *= v->size[d - 1].number;
    }
    return true;
}

/* The tile's extents count where either side is known only when the program runs. */
static bool same_region(struct assembler *as, const struct op_form *form, const struct rectangle *r,
                        const struct tile_type *t)
{
    bool rows = r->rows.kind != SCALAR_INTEGER || t->row_reg != 0 || r->rows.number == t->v_rows;
    bool cols = r->cols.kind != SCALAR_INTEGER || t->col_reg != 0 || r->cols.number == t->v_cols;
    if (rows && cols)
        return true;
    diag_report(as->diag, DIAG_PTOAS_SHAPE, form->stmt->loc,
                "%s: the view has %lld x %lld elements, the tile %u x %u valid ones",
                form->row->name, (long long)r->rows.number, (long long)r->cols.number, t->v_rows,
                t->v_cols);
    return false;
}

static bool same_element(struct assembler *as, const struct op_form *form, const struct view *v,
                         unsigned dtype)
{
    if (v->element->dtype == dtype)
        return true;
    diag_report(as->diag, DIAG_PTOAS_SHAPE, form->stmt->loc,
                "%s: the view has elements of %s, the tile of %s", form->row->name,
                v->element->name, ptoas_element_name(dtype));
    return false;
}

/* Registers of the address and of the bytes from row to row; the latter may take x2. */
static bool address_registers(struct assembler *as, const struct view *v, const struct rectangle *r,
                              struct loc loc, uint64_t regs[2])
{
    struct scalar bytes, address, size = constant(v->element->bits / 8);
    if (!view_address(as, v, loc, &address) || !ptoas_multiply(as, &r->stride, &size, loc, &bytes))
        return false;
    regs[0] = ptoas_in_register(as, &address, "x1", loc);
    regs[1] = ptoas_in_register(as, &bytes, "x2", loc);
    return true;
}

/* ---- TLOAD, TSTORE ---- */

/* Transfers of cells alone take a pad value, others want the field zero. */
static void emit_layout(struct assembler *as, unsigned layout, unsigned pad, struct loc loc)
{
    struct isa_insn datr = ptoas_insn(as, ISA_FORM_b_datr_32_c161a042ff38);
    isa_set_value(&datr, ISA_FIELD_Layout, layout);
    isa_set_value(&datr, ISA_FIELD_PadValueOrByteId, pad);
    isa_set_value(&datr, ISA_FIELD_DataType, ISA_DataType_DTYPE_NONE);
    asm_emit_insn(as, &datr, loc);
}

static void emit_dimensions(struct assembler *as, const struct tile_type *t, uint32_t cols,
                            struct loc loc)
{
    ptoas_emit_valid(as, t, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB2, cols, loc);
}

/* NZ tiles are made by TLOAD itself. */
static bool load_shape(struct assembler *as, const struct op_form *form, const struct tile_type *t,
                       struct tile_shape *shape, bool *nz)
{
    *nz = ptoas_layout(t) == LAYOUT_NZ && t->fractal == ISA_BOX && t->compact == 0;
    if (!*nz)
        return ptoas_tile_shape(as, t, shape);
    *shape = (struct tile_shape){t->rows, t->cols, t->element->dtype, TILE_FORM_TYPE};
    if (((t->rows & (t->rows - 1)) | (t->cols & (t->cols - 1))) == 0 &&
        ptoas_tile_bytes(t) >= SMALLEST_TILE)
        return true;
    diag_report(as->diag, DIAG_PTOAS_SHAPE, t->loc,
                "%s: an NZ tile needs a power of two of rows and of columns, not %u x %u",
                form->row->name, t->rows, t->cols);
    return false;
}

/* An attribute that asks for more than the transfer. The view itself says its layout. */
static bool has_effect(const struct op_form *form)
{
    static const char *const nothing[] = {"nd",          "dn",      "PadNull", "unspecified",
                                          "atomic_none", "no_relu", "false"};
    for (unsigned i = 0; i < form->nattrs; i++) {
        const char *text = form->attrs[i]->text;
        size_t k = 0;
        while (k < sizeof nothing / sizeof *nothing &&
               (text == NULL || strcmp(text, nothing[k]) != 0))
            k++;
        if (k == sizeof nothing / sizeof *nothing)
            return true;
    }
    return false;
}

void ptoas_lower_load(struct assembler *as, const struct op_form *form)
{
    const struct view *v = find_view(as, ptoas_operand(form, "src", 0));
    const struct op_operand *dst = ptoas_operand(form, "dst", 0);
    struct loc loc = form->stmt->loc;
    struct rectangle r;
    struct tile_type to;
    struct tile_shape shape;
    uint64_t regs[2];
    bool nz;
    if (v == NULL || !rectangle_of(as, form, v, &r) || !ptoas_destination(as, form, dst, &to) ||
        !load_shape(as, form, &to, &shape, &nz) || !same_region(as, form, &r, &to) ||
        !same_element(as, form, v, to.element->dtype))
        return;
    if (has_effect(form) || ptoas_operand(form, "pad_value", 0) != NULL ||
        ptoas_operand(form, "left_padding_num", 0) != NULL ||
        ptoas_operand(form, "right_padding_num", 0) != NULL ||
        ptoas_operand(form, "init_condition", 0) != NULL) {
        refuse(as, form, "padding and its attributes are not lowered");
        return;
    }
    uint32_t registers = as->ptoas->registers;
    if (!address_registers(as, v, &r, loc, regs))
        return;
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TLOAD], shape.dtype, loc);
    if (nz)
        emit_layout(as, ISA_TileLayout_ND2NZ, 0, loc);
    emit_dimensions(as, &to, shape.cols, loc);
    ptoas_emit_ior(as, regs, 2, loc);
    ptoas_emit_iot(as,
                   &(struct tile_binding_words){.mask = "1111",
                                                .hand = ptoas_places[to.place].hand,
                                                .size_code = ptoas_shape_code(&shape)},
                   loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    ptoas_free_registers(as, registers);
    ptoas_write_destination(as, form, dst, &to, &shape);
}

static bool store_layout(struct assembler *as, const struct op_form *form,
                         const struct tile_value *t, struct loc use, unsigned *layout)
{
    *layout = ISA_TileLayout_NORM;
    if (t->shape.form == TILE_FORM_CUBE) {
        *layout = t->shape.rows <= 16 ? ISA_TileLayout_M162ND : ISA_TileLayout_M322ND;
        return true;
    }
    if (ptoas_layout(&t->type) == LAYOUT_NZ && t->type.fractal == ISA_BOX && t->type.compact == 0 &&
        t->shape.form == TILE_FORM_TYPE) {
        *layout = ISA_TileLayout_NZ2ND;
        return true;
    }
    (void)form;
    bool any = t->shape.form == TILE_FORM_TYPE && ptoas_layout(&t->type) == LAYOUT_ND;
    return any || ptoas_check_shape(as, t, use);
}

void ptoas_lower_store(struct assembler *as, const struct op_form *form)
{
    const struct op_operand *src = ptoas_operand(form, "src", 0);
    const struct view *v = find_view(as, ptoas_operand(form, "dst", 0));
    struct loc loc = form->stmt->loc;
    struct rectangle r;
    uint64_t regs[2];
    unsigned layout;
    const struct tile_value *t = v != NULL ? ptoas_tile(as, src) : NULL;
    if (t == NULL || !store_layout(as, form, t, src->value->loc, &layout) ||
        !rectangle_of(as, form, v, &r) || !same_region(as, form, &r, &t->type) ||
        !same_element(as, form, v, t->shape.dtype))
        return;
    if (ptoas_operand(form, "preQuantScalar", 0) != NULL || has_effect(form)) {
        refuse(as, form,
               "attributes and quantisation are not lowered; convert with pto.tmov first");
        return;
    }
    uint32_t registers = as->ptoas->registers;
    if (!address_registers(as, v, &r, loc, regs))
        return;
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TSTORE], t->shape.dtype, loc);
    if (layout != ISA_TileLayout_NORM)
        emit_layout(as, layout, t->shape.form == TILE_FORM_CUBE ? ISA_PadValue_Null : 0, loc);
    ptoas_emit_valid(as, &t->type, loc);
    if (t->shape.form != TILE_FORM_CUBE)
        ptoas_emit_dimension(as, ISA_LoopCounter_LB2, t->shape.cols, loc);
    ptoas_emit_iot(
        as, &(struct tile_binding_words){.source = {t}, .mask = "1111", .no_destination = true},
        loc);
    ptoas_emit_ior(as, regs, 2, loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    ptoas_free_registers(as, registers);
}

static void emit_count(struct assembler *as, unsigned counter, const struct scalar *s,
                       struct loc loc)
{
    bool known = s->kind != SCALAR_REGISTER;
    struct extent e = {known ? (uint32_t)s->number : 0, known ? 0 : (uint8_t)s->reg};
    ptoas_emit_extent(as, counter, e, loc);
}

/* The destination only says where the data will be wanted. The stride counts elements. */
void ptoas_lower_prefetch(struct assembler *as, const struct op_form *form)
{
    const struct view *v = find_view(as, ptoas_operand(form, "src", 0));
    struct loc loc = form->stmt->loc;
    struct rectangle r;
    struct scalar address;
    uint32_t registers = as->ptoas->registers;
    if (v == NULL || !rectangle_of(as, form, v, &r) || !view_address(as, v, loc, &address))
        return;
    uint64_t regs[] = {ptoas_in_register(as, &address, "x1", loc),
                       ptoas_in_register(as, &r.stride, "x2", loc)};
    ptoas_emit_start(as, &isa_tileops[ISA_TILEOP_TPREFETCH], v->element->dtype, loc);
    emit_count(as, ISA_LoopCounter_LB0, &r.cols, loc);
    emit_count(as, ISA_LoopCounter_LB1, &r.rows, loc);
    ptoas_emit_ior(as, regs, 2, loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    ptoas_free_registers(as, registers);
}
