/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of PTO-AS operations that concern several operands or a whole type:
 * element types and places by the limits of isa/ptoas-ops.isa, and the checks
 * that it names, one function each. A memref has no tile type to judge, so a
 * rule about tiles passes it, as in PTOAS.
 */
#include "asm/lower.h"
#include "asm/verify.h"

#include <string.h>

typedef bool op_check(struct assembler *as, const struct op_form *form);

static bool refuse(struct assembler *as, const struct op_form *form, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct assembler *as, const struct op_form *form, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *message = arena_vprintf(ptoas_statement_arena(as), fmt, ap);
    va_end(ap);
    diag_report(as->diag, DIAG_PTOAS_RULE, form->stmt->loc, "%s: %s", form->stmt->op->name,
                message);
    return false;
}

/* ---- tiles ---- */

static bool is_tile(const struct ast_type *t)
{
    return t != NULL && (t->kind == AST_TYPE_TILE_BUF || t->kind == AST_TYPE_TILE) &&
           t->dtype != NULL;
}

/* The type of an operand when it is a tile whose parts are known, else NULL. */
static const struct ast_type *tile_of(const struct op_form *form, const char *name, unsigned n)
{
    const struct op_operand *o = ptoas_operand(form, name, n);
    return o != NULL && is_tile(o->type) ? o->type : NULL;
}

static bool same_extent(int64_t a, int64_t b)
{
    return a == b || a == AST_DYNAMIC || b == AST_DYNAMIC;
}

static bool is_layout(const struct ast_type *t, const char *blayout, const char *slayout)
{
    return strcmp(t->blayout, blayout) == 0 && strcmp(t->slayout, slayout) == 0;
}

static const char *location(const struct ast_type *t)
{
    return t->location != NULL ? t->location : "vec";
}

static bool is_place(const struct ast_type *t, const char *place)
{
    return strcmp(location(t), place) == 0;
}

static bool check_side(struct assembler *as, const struct ast_type *t, const char *names[2],
                       int64_t valid, int64_t extent)
{
    if (valid <= extent)
        return true;
    diag_report(as->diag, DIAG_PTOAS_TYPE, t->loc, "%s=%lld is not in [1, %s=%lld]", names[0],
                (long long)valid, names[1], (long long)extent);
    return false;
}

/* No valid region goes beyond its tile. */
static bool check_valid(struct assembler *as, const struct ast_type *t)
{
    return !is_tile(t) ||
           (check_side(as, t, (const char *[]){"v_row", "rows"}, t->v_row, t->rows) &&
            check_side(as, t, (const char *[]){"v_col", "cols"}, t->v_col, t->cols));
}

static bool check_valid_regions(struct assembler *as, const struct op_form *form)
{
    for (unsigned i = 0; i < form->noperands; i++)
        if (form->operands[i].written && !check_valid(as, form->operands[i].type))
            return false;
    for (unsigned i = 0; i < form->nresults; i++)
        if (!check_valid(as, form->results[i].type))
            return false;
    return true;
}

/* ---- limits of the table ---- */

/* i32 of the table is ui32 and si32, too. */
static bool lists_element(const char *words, const char *dtype)
{
    const char *bits = dtype[0] == 'u' || dtype[0] == 's' ? dtype + 1 : dtype;
    return isa_op_word(words, bits);
}

static bool check_elements(struct assembler *as, const struct op_form *form,
                           const struct isa_op_limit *limit)
{
    const char *name = form->row->operands[limit->operand].name;
    const struct ast_type *t = tile_of(form, name, 0);
    if (t == NULL || lists_element(limit->words, t->dtype))
        return true;
    return refuse(as, form, "a%d takes no elements of %s for '%s' (legal: %s)", as->ptoas->target,
                  t->dtype, name, limit->words);
}

static const char *destination_name(const struct isa_op *row)
{
    for (unsigned i = 0; i < row->noperands; i++)
        if (row->operands[i].place == ISA_OP_OUTS)
            return row->operands[i].name;
    return row->operands[0].name;
}

static bool check_places(struct assembler *as, const struct op_form *form,
                         const struct isa_op_limit *limit)
{
    const struct ast_type *from = tile_of(form, form->row->operands[0].name, 0);
    const struct ast_type *to = tile_of(form, destination_name(form->row), 0);
    if (from == NULL || to == NULL)
        return true;
    const char *pair =
        arena_printf(ptoas_statement_arena(as), "%s:%s", location(from), location(to));
    if (isa_op_word(limit->words, pair))
        return true;
    return refuse(as, form, "a%d does not go from %s to %s (legal: %s)", as->ptoas->target,
                  location(from), location(to), limit->words);
}

static bool check_limits(struct assembler *as, const struct op_form *form)
{
    unsigned target = as->ptoas->target == 3 ? ISA_OP_A3 : ISA_OP_A5;
    for (unsigned i = 0; i < form->row->nlimits; i++) {
        const struct isa_op_limit *limit = &form->row->limits[i];
        if (!(limit->targets & target))
            continue;
        if (!(limit->operand == ISA_OP_PLACES ? check_places : check_elements)(as, form, limit))
            return false;
    }
    return true;
}

/* ---- buffers and addresses ---- */

static bool wrong_level(struct assembler *as, const struct op_form *form, const char *message)
{
    diag_report(as->diag, DIAG_PTOAS_LEVEL, form->stmt->loc, "%s %s", form->stmt->op->name,
                message);
    return false;
}

static bool check_address(struct assembler *as, const struct op_form *form)
{
    bool address = ptoas_operand(form, "addr", 0) != NULL;
    int level = as->options->level;
    if (level == 3 && !address)
        return wrong_level(as, form, "needs addr = ... at level 3");
    if ((level == 1 || level == 2) && address)
        return wrong_level(as, form, "takes addr = ... at level 3 only");
    return true;
}

static bool check_extent(struct assembler *as, const struct op_form *form, const char *operand,
                         const char *part, int64_t extent)
{
    bool given = ptoas_operand(form, operand, 0) != NULL;
    if (given == (extent == AST_DYNAMIC))
        return true;
    if (given)
        return refuse(as, form, "%s = ... does not go with %s=%lld in the type", operand, part,
                      (long long)extent);
    return refuse(as, form, "%s = ... is needed, because %s is ? in the type", operand, part);
}

static bool check_buffer(struct assembler *as, const struct op_form *form)
{
    struct tile_type tile;
    const struct ast_type *t = form->nresults > 0 ? form->results[0].type : NULL;
    if (!check_address(as, form))
        return false;
    if (!is_tile(t))
        return true;
    return check_extent(as, form, "valid_row", "v_row", t->v_row) &&
           check_extent(as, form, "valid_col", "v_col", t->v_col) &&
           (!ptoas_describe_tile(as, t, &tile) || ptoas_tile_fits_layout(as, &tile, false));
}

static bool check_level3(struct assembler *as, const struct op_form *form)
{
    return as->options->level == 0 || as->options->level == 3 ||
           wrong_level(as, form, "is for level 3 only");
}

/* ---- shapes ---- */

static bool check_same_shapes(struct assembler *as, const struct op_form *form)
{
    const struct ast_type *src = tile_of(form, "src", 0), *dst = tile_of(form, "dst", 0);
    if (src == NULL || dst == NULL)
        return true;
    if (src->rows != dst->rows || src->cols != dst->cols)
        return refuse(as, form,
                      "source and destination have the same shape: %lldx%lld is not "
                      "%lldx%lld",
                      (long long)src->rows, (long long)src->cols, (long long)dst->rows,
                      (long long)dst->cols);
    if (same_extent(src->v_row, dst->v_row) && same_extent(src->v_col, dst->v_col))
        return true;
    return refuse(as, form,
                  "source and destination have the same valid region: %lldx%lld is not "
                  "%lldx%lld",
                  (long long)src->v_row, (long long)src->v_col, (long long)dst->v_row,
                  (long long)dst->v_col);
}

/* The product, or -1 when an extent is not known. */
static int64_t count_elements(const int64_t *shape, unsigned rank)
{
    int64_t count = 1;
    for (unsigned i = 0; i < rank; i++)
        if (shape[i] < 0 || __builtin_mul_overflow(count, shape[i], &count))
            return -1;
    return count;
}

static bool check_stored_count(struct assembler *as, const struct op_form *form)
{
    const struct ast_type *src = tile_of(form, "src", 0);
    const struct op_operand *dst = ptoas_operand(form, "dst", 0);
    if (src == NULL || dst == NULL || dst->type == NULL ||
        dst->type->kind != AST_TYPE_PARTITION_VIEW || src->v_row < 0 || src->v_col < 0)
        return true;
    int64_t stored = count_elements((const int64_t[]){src->v_row, src->v_col}, 2);
    int64_t room = count_elements(dst->type->shape, dst->type->rank);
    if (room < 0 || room == stored)
        return true;
    return refuse(as, form, "the destination has %lld elements, the source %lld valid ones",
                  (long long)room, (long long)stored);
}

/* format 2: several sorted lists through a temporary tile */
static bool check_merge_buffer(struct assembler *as, const struct op_form *form)
{
    unsigned n = ptoas_operand_count(form, "srcs");
    const struct ast_type *tmp = n > 1 ? tile_of(form, "srcs", n - 1) : NULL;
    const struct ast_type *dst = tile_of(form, "dsts", 0);
    if (ptoas_operand(form, "executed", 0) == NULL || tmp == NULL || dst == NULL)
        return true;
    if (dst->rows != 1 || tmp->rows != 1)
        return refuse(as, form, "tmp and destination have one row, not %lld and %lld",
                      (long long)tmp->rows, (long long)dst->rows);
    if (tmp->cols >= dst->cols)
        return true;
    return refuse(as, form, "tmp needs the destination's %lld columns, it has %lld",
                  (long long)dst->cols, (long long)tmp->cols);
}

static bool check_popped_shape(struct assembler *as, const struct op_form *form)
{
    bool row = ptoas_operand(form, "valid_row", 0) != NULL;
    bool col = ptoas_operand(form, "valid_col", 0) != NULL;
    const struct ast_type *t = form->nresults > 0 ? form->results[0].type : NULL;
    if (row != col)
        return refuse(as, form, "valid row and valid column are given together");
    if (!row || t == NULL)
        return true;
    if (!is_tile(t))
        return refuse(as, form, "only a tile takes a valid row and column, not %s", t->text);
    if (t->v_row == AST_DYNAMIC && t->v_col == AST_DYNAMIC)
        return true;
    return refuse(as, form, "with a valid row and column the tile has valid=?x?, not %s", t->text);
}

/* ---- layouts, places, types ---- */

/* Between mat tiles nothing but the elements changes; a vec tile may grow and be padded. */
static bool check_filled(struct assembler *as, const struct op_form *form)
{
    const struct ast_type *src = tile_of(form, "src", 0), *dst = tile_of(form, "dst", 0);
    if (src == NULL || dst == NULL)
        return true;
    bool mat = is_place(src, "mat") && is_place(dst, "mat");
    if (mat && !ptoas_types_agree(as, src, dst))
        return refuse(as, form, "source and destination in mat have one type, not %s and %s",
                      src->text, dst->text);
    return dst->pad != 0 || refuse(as, form, "the destination needs a pad value other than null");
}

static bool check_extracted_layout(struct assembler *as, const struct op_form *form)
{
    const struct ast_type *src = tile_of(form, "src", 0), *dst = tile_of(form, "dst", 0);
    if (as->ptoas->target == 3 || src == NULL || dst == NULL || !is_place(src, "vec") ||
        !is_place(dst, "vec"))
        return true;
    if (is_layout(src, "row_major", "none_box") && is_layout(dst, "row_major", "none_box"))
        return true;
    return refuse(as, form, "a5 goes from vec to vec in ND only (row_major, none_box)");
}

/* The pairs of element types behind the pairs of places. */
static bool check_inserted_types(struct assembler *as, const struct op_form *form)
{
    static const struct {
        uint8_t target;
        const char *from, *source, *destinations; /* NULL: the source's own type */
    } rows[] = {
        {3, "acc", "f32", "f16 bf16"},
        {3, "vec", "i8 f16 bf16 f32", NULL},
        {5, "acc", "f32", "f16 bf16 f32"},
        {5, "acc", "i32", "i32"},
        {5, "vec", "i8 i32 f16 bf16 f32 f8E4M3 f8E4M3FN f8E5M2", NULL},
    };
    const struct ast_type *src = tile_of(form, "src", 0), *dst = tile_of(form, "dst", 0);
    if (src == NULL || dst == NULL)
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].target == as->ptoas->target && is_place(src, rows[i].from) &&
            lists_element(rows[i].source, src->dtype) &&
            (rows[i].destinations != NULL ? lists_element(rows[i].destinations, dst->dtype)
                                          : strcmp(src->dtype, dst->dtype) == 0))
            return true;
    return refuse(as, form, "a%d inserts no %s from %s into %s", as->ptoas->target, src->dtype,
                  location(src), dst->dtype);
}

static bool check_gather_compare(struct assembler *as, const struct op_form *form)
{
    const struct ast_type *src = tile_of(form, "src", 0);
    const char *mode = ptoas_attr_member(form, "cmpMode");
    bool equal = mode == NULL || strcmp(mode, "eq") == 0;
    if (ptoas_operand(form, "kValue", 0) == NULL || src == NULL)
        return true;
    if (!equal && strcmp(mode, "gt") != 0)
        return refuse(as, form, "the compare form takes cmpMode eq or gt, not %s", mode);
    const char *legal = as->ptoas->target == 5 ? "i16 i32 f16 f32"
                        : equal                ? "f16 f32 i32"
                                               : "f16 f32";
    if (lists_element(legal, src->dtype))
        return true;
    return refuse(as, form, "a%d compares no elements of %s here (legal: %s)", as->ptoas->target,
                  src->dtype, legal);
}

static bool check_quant_offset(struct assembler *as, const struct op_form *form)
{
    const char *type = ptoas_attr_member(form, "quant_type");
    bool offset = ptoas_operand(form, "offset", 0) != NULL;
    bool needed = type != NULL && strcmp(type, "INT8_ASYM") == 0;
    const struct ast_type *dst = tile_of(form, "dst", 0);
    if (dst != NULL && !lists_element("i8", dst->dtype))
        return refuse(as, form, "the destination has i8 or ui8 elements, not %s", dst->dtype);
    if (offset == needed)
        return true;
    return refuse(as, form, needed ? "INT8_ASYM needs an offset tile" : "%s takes no offset tile",
                  type);
}

static bool check_scale_place(struct assembler *as, const struct op_form *form)
{
    const struct ast_type *dst = tile_of(form, "dst", 0);
    if (dst == NULL || is_place(dst, "scaling") || is_place(dst, "scale_left") ||
        is_place(dst, "scale_right"))
        return true;
    return refuse(as, form, "the destination is a scaling tile, not %s", location(dst));
}

/* ---- memory between devices ---- */

/* A static view whose extents before the last are 1. */
static bool check_flat(struct assembler *as, const struct op_form *form, const char *name)
{
    const struct op_operand *o = ptoas_operand(form, name, 0);
    if (o == NULL || o->type == NULL || o->type->rank == 0)
        return true;
    for (unsigned i = 0; i < o->type->rank; i++) {
        if (o->type->shape[i] == AST_DYNAMIC)
            return refuse(as, form, "'%s' has a static shape", name);
        if (i + 1 < o->type->rank && o->type->shape[i] != 1)
            return refuse(as, form, "'%s' is flat memory: one row of adjacent elements, not %s",
                          name, o->type->text);
    }
    return true;
}

static bool check_flat_memory(struct assembler *as, const struct op_form *form)
{
    return check_flat(as, form, "dst") && check_flat(as, form, "src");
}

/* ---- pipes between kernels ---- */

static int64_t integer_attr(const struct op_form *form, const char *name, int64_t absent)
{
    const struct ast_attr *a = ptoas_attr(form, name);
    return a != NULL ? a->number : absent;
}

static bool check_pipe_init(struct assembler *as, const struct op_form *form)
{
    int64_t direction = integer_attr(form, "dir_mask", 0);
    int64_t slots = integer_attr(form, "local_slot_num", 1), most = direction == 3 ? 4 : 8;
    if (direction < 1 || direction > 3)
        return refuse(as, form, "dir_mask is 1, 2 or 3, not %lld", (long long)direction);
    if (integer_attr(form, "slot_size", 1) < 1)
        return refuse(as, form, "slot_size is at least 1");
    if (slots < 1 || slots > most)
        return refuse(as, form, "local_slot_num is in [1, %lld] for dir_mask = %lld, not %lld",
                      (long long)most, (long long)direction, (long long)slots);
    return true;
}

/* An entry that is a view has the shape of the memory behind the pipe. */
static bool check_pipe_entry(struct assembler *as, const struct op_form *form)
{
    const struct op_operand *entry = &form->operands[0];
    const struct op_operand *pipe = ptoas_operand(form, "pipe_handle", 0);
    const struct ast_type *slot = pipe != NULL && pipe->value->kind == AST_VALUE_SSA
                                      ? ptoas_origin_of(as, pipe->value->name)
                                      : NULL;
    const struct ast_type *t = entry->type;
    if (slot == NULL || t == NULL || t->kind != AST_TYPE_TENSOR_VIEW ||
        slot->kind != AST_TYPE_TENSOR_VIEW)
        return true;
    if (slot->rank != t->rank)
        return refuse(as, form, "the pipe's memory has %u dimensions, the entry %u", slot->rank,
                      t->rank);
    for (unsigned i = 0; i < t->rank; i++)
        if (!same_extent(slot->shape[i], t->shape[i]))
            return refuse(as, form, "dimension %u of the entry is %lld, of the pipe's memory %lld",
                          i, (long long)t->shape[i], (long long)slot->shape[i]);
    return true;
}

/* ---- functions ---- */

/* A function that the host starts returns nothing. (The only one of a module is one, too.) */
static bool check_entry(struct assembler *as, const struct op_form *form)
{
    if (ptoas_attr(form, "pto.entry") == NULL)
        return true;
    if (!form->stmt->op->opens_region)
        return refuse(as, form, "pto.entry is for a function with a body");
    return form->stmt->op->result_types == NULL ||
           refuse(as, form, "an entry function returns nothing");
}

/* ---- tmov ---- */

/* Lowering checks the move itself; here only --check does. */
static bool check_move(struct assembler *as, const struct op_form *form)
{
    for (unsigned i = 0; i < form->noperands; i++)
        if (form->operands[i].type != NULL && form->operands[i].type->kind == AST_TYPE_MEMREF)
            return true;
    return !as->options->check || ptoas_verify_tmov(as, form->stmt);
}

/* ---- all of them ---- */

static op_check *const checks[ISA_OP_CHECKS] = {
    [ISA_OP_CHECK_buffer] = check_buffer,
    [ISA_OP_CHECK_entry] = check_entry,
    [ISA_OP_CHECK_extracted_layout] = check_extracted_layout,
    [ISA_OP_CHECK_filled] = check_filled,
    [ISA_OP_CHECK_flat_memory] = check_flat_memory,
    [ISA_OP_CHECK_gather_compare] = check_gather_compare,
    [ISA_OP_CHECK_inserted_types] = check_inserted_types,
    [ISA_OP_CHECK_level3] = check_level3,
    [ISA_OP_CHECK_merge_buffer] = check_merge_buffer,
    [ISA_OP_CHECK_move] = check_move,
    [ISA_OP_CHECK_pipe_entry] = check_pipe_entry,
    [ISA_OP_CHECK_pipe_init] = check_pipe_init,
    [ISA_OP_CHECK_popped_shape] = check_popped_shape,
    [ISA_OP_CHECK_quant_offset] = check_quant_offset,
    [ISA_OP_CHECK_same_shapes] = check_same_shapes,
    [ISA_OP_CHECK_scale_place] = check_scale_place,
    [ISA_OP_CHECK_stored_count] = check_stored_count,
};

bool ptoas_check(struct assembler *as, const struct op_form *form)
{
    if (!check_valid_regions(as, form) || !check_limits(as, form))
        return false;
    for (unsigned i = 0; i < form->row->nchecks; i++)
        if (!checks[form->row->checks[i]](as, form))
            return false;
    return true;
}
