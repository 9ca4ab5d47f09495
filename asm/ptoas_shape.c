/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pto.treshape, pto.bitcast, and buffers at one address that have several
 * types: other shapes of the same bytes. No tile operation changes a shape and
 * leaves the elements where they are; a store and a load do. They go through
 * memory below each PE's stack pointer, which nothing else uses there.
 */
#include "asm/lower.h"

enum { MOST_SCRATCH = 4096 }; /* bytes below sp */

/* Are the valid elements all there are, one behind the other? */
static bool is_whole(const struct tile_type *t)
{
    bool rows = t->v_rows == t->rows, cols = t->v_cols == t->cols;
    return rows && cols && !ptoas_is_open(t) && t->slayout == OBJ_NONE_BOX &&
           (t->blayout == OBJ_ROW_MAJOR || t->cols == 1) && t->element->bits >= 8;
}

static void emit_transfer(struct assembler *as, unsigned tileop, const struct tile_type *t,
                          const struct tile_shape *shape, struct loc loc)
{
    ptoas_emit_start(as, &isa_tileops[tileop], shape->dtype, loc);
    ptoas_emit_valid(as, t, loc);
    ptoas_emit_dimension(as, ISA_LoopCounter_LB2, shape->cols, loc);
}

/* The bytes from row to row in x2. */
static void load_stride(struct assembler *as, const struct tile_type *t, struct loc loc)
{
    ptoas_load_constant(as, (uint64_t)t->v_cols * t->element->bits / 8, "x2", loc);
}

static void copy_through_memory(struct assembler *as, const struct tile_value *from,
                                const struct tile_type *to, const struct tile_shape *shape,
                                struct loc loc)
{
    uint64_t regs[] = {ptoas_register(as, "x1"), ptoas_register(as, "x2")};
    uint64_t bytes = ptoas_load_constant(as, ptoas_tile_bytes(to), "x1", loc);
    ptoas_emit_binary(as, "SUB", ptoas_register(as, "sp"), bytes, regs[0], loc);
    load_stride(as, &from->type, loc);
    emit_transfer(as, ISA_TILEOP_TSTORE, &from->type, &from->shape, loc);
    ptoas_emit_iot(
        as, &(struct tile_binding_words){.source = {from}, .mask = "1111", .no_destination = true},
        loc);
    ptoas_emit_ior(as, regs, 2, loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
    load_stride(as, to, loc);
    emit_transfer(as, ISA_TILEOP_TLOAD, to, shape, loc);
    ptoas_emit_ior(as, regs, 2, loc);
    ptoas_emit_iot(as,
                   &(struct tile_binding_words){.mask = "1111",
                                                .hand = ptoas_places[to->place].hand,
                                                .size_code = ptoas_shape_code(shape)},
                   loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, loc);
}

bool ptoas_revive(struct assembler *as, struct tile_name *n, struct loc loc)
{
    const struct tile_name *other = n->lost_to;
    struct tile_shape shape;
    if (other == NULL || other->value == NULL || other->address != n->address ||
        !is_whole(&n->type) || !is_whole(&other->type) ||
        ptoas_tile_bytes(&n->type) > MOST_SCRATCH ||
        ptoas_tile_bytes(&n->type) != ptoas_tile_bytes(&other->type) ||
        !ptoas_tile_shape(as, &n->type, &shape) || !ptoas_check_shape(as, other->value, loc))
        return false;
    copy_through_memory(as, other->value, &n->type, &shape, loc);
    n->value = ptoas_new_value(as, n->name, &n->type, &shape, loc);
    n->lost_to = NULL;
    return true;
}

void ptoas_lower_reshape(struct assembler *as, const struct op_form *form)
{
    const struct ast_value *source = ptoas_operand(form, "src", 0)->value;
    const struct ast_value *result = form->results[0].value;
    struct tile_name *of = map_get(&as->ptoas->tiles, source->name);
    struct tile_type type;
    if (of == NULL || !of->declared) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, source->loc,
                    "only buffers that pto.alloc_tile makes have other shapes");
        return;
    }
    if (!ptoas_tile_type(as, form->results[0].type, form->stmt->loc, NO_PLACE, &type))
        return;
    if (!is_whole(&type) || !is_whole(&of->type) || type.place != of->type.place ||
        ptoas_tile_bytes(&type) != ptoas_tile_bytes(&of->type) ||
        ptoas_tile_bytes(&type) > MOST_SCRATCH) {
        diag_report(as->diag, DIAG_PTOAS_SHAPE, form->stmt->loc,
                    "%s: both shapes must be of one place, row-major or one column, valid as a "
                    "whole, and of the same bytes, at most %d",
                    form->row->name, MOST_SCRATCH);
        return;
    }
    struct tile_name *n = ptoas_declare(as, result->name, result->loc, &type);
    if (n != NULL)
        ptoas_place_as(as, n, of);
}
