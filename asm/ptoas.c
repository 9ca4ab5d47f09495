/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTO-AS statements: modules, functions, buffers, constants, and the
 * operations that become bundles. What is not lowered is refused by name.
 */
#include "asm/lower.h"
#include "asm/verify.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEFAULT_TARGET = 5 };

/* ---- state ---- */

static void begin(struct assembler *as)
{
    struct ptoas *p = arena_alloc(as->arena, sizeof *p);
    p->target = as->options->target != 0 ? as->options->target : DEFAULT_TARGET;
    map_init(&p->tiles, as->mem);
    map_init(&p->scalars, as->mem);
    map_init(&p->inputs, as->mem);
    map_init(&p->views, as->mem);
    map_init(&p->refused, as->mem);
    as->ptoas = p;
}

void asm_ptoas_end(struct assembler *as)
{
    struct ptoas *p = as->ptoas;
    if (p == NULL)
        return;
    ptoas_verify_free(as);
    map_free(&p->tiles);
    map_free(&p->scalars);
    map_free(&p->inputs);
    map_free(&p->views);
    map_free(&p->refused);
    ptoas_drop_capture(as);
    vec_free(as->mem, &p->bindings);
    vec_free(as->mem, &p->placed);
    vec_free(as->mem, &p->flags);
    vec_free(as->mem, &p->input_list);
    vec_free(as->mem, &p->made);
    vec_free(as->mem, &p->outputs);
    vec_free(as->mem, &p->uses);
    vec_free(as->mem, &p->regions);
    as->ptoas = NULL;
}

static const struct {
    const char *op, *why;
} refusals[] = {
#define REFUSE(op, why) {op, why},
#include "asm/ptoas_lower.def"
};

static void unsupported(struct assembler *as, const struct op_form *form)
{
    const char *why = "docs/pto-as-operations.md lists those that are";
    if (form->row->flags & ISA_OP_TERMINATOR && strncmp(form->row->name, "scf.", 4) == 0)
        return; /* the operation of its region was refused */
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (strcmp(refusals[i].op, form->row->name) == 0)
            why = refusals[i].why;
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, form->stmt->op->name_loc,
                "PTO-AS operation '%s' is not lowered: %s", form->stmt->op->name, why);
}

/* ---- regions ---- */

enum region_kind { REGION_PLAIN, REGION_FUNCTION };

static struct ptoas_region *open_region(struct assembler *as, enum region_kind kind)
{
    struct ptoas_region *r = vec_push(as->mem, &as->ptoas->regions);
    r->kind = (uint8_t)kind;
    return r;
}

static void close_region(struct assembler *as)
{
    struct ptoas *p = as->ptoas;
    if (p->regions.count == 0)
        return;
    struct ptoas_region r = p->regions.item[--p->regions.count];
    if (r.kind != REGION_FUNCTION || r.function == NULL) /* NULL: refused */
        return;
    if (r.section == as->section)
        asm_symbol(as, r.function)->size = asm_offset(as->section) - r.start;
    ptoas_check_flags(as);
    ptoas_enter_function(as);
}

/* ---- operations ---- */

static void lower_module(struct assembler *as, const struct op_form *form)
{
    const struct ast_stmt *stmt = form->stmt;
    for (const struct ast_attr *a = stmt->op->attrs; a != NULL; a = a->next)
        if (strcmp(a->key, "pto.target_arch") == 0 && a->text != NULL && as->options->target == 0)
            as->ptoas->target = strcasecmp(a->text, "a5") == 0 ? 5 : 3;
}

static bool is_tile(const struct ast_type *type)
{
    return type->kind == AST_TYPE_TILE || type->kind == AST_TYPE_TILE_BUF ||
           type->kind == AST_TYPE_PLACEHOLDER;
}

static bool is_pointer(const struct ast_type *type)
{
    return type->kind == AST_TYPE_PTR || type->kind == AST_TYPE_MEMREF;
}

/* "index" and i1 are as wide as a register, and a byte. */
static bool scalar_dtype(const char *name, uint8_t *dtype)
{
    const struct element *e = ptoas_element(name);
    if (e == NULL && strcmp(name, "index") != 0 && strcmp(name, "i1") != 0)
        return false;
    *dtype = e != NULL ? e->dtype : name[1] == '1' ? ISA_DataType_U8 : ISA_DataType_S64;
    return true;
}

/* A memref says its shape; what a function makes of a pointer, its views say. */
static void record_shape(const struct ast_type *type, struct obj_arg *arg)
{
    bool known = type->rank <= OBJ_MAX_RANK;
    for (unsigned d = 0; d < type->rank; d++)
        known = known && type->shape[d] > 0 && type->shape[d] <= UINT32_MAX;
    for (unsigned d = 0; known && d < type->rank; d++)
        arg->shape[arg->rank++] = (uint32_t)type->shape[d];
}

static bool record_argument(struct assembler *as, const struct ast_value *v, unsigned index)
{
    struct arena *arena = as->object->arena;
    const struct ast_type *type = v->type;
    struct obj_arg arg = {.index = (uint8_t)index, .pointer = is_pointer(type)};
    const struct ast_type *element = arg.pointer ? type->element : type;
    if (element == NULL || !scalar_dtype(element->text, &arg.dtype)) {
        diag_report(as->diag, DIAG_PTOAS_TYPE, type->loc,
                    "an argument is a pointer, a number or a tile, not '%s'", type->text);
        return false;
    }
    arg.function = as->ptoas->function;
    arg.name = arena_string(arena, v->name, strlen(v->name));
    arg.type = arena_string(arena, type->text, strlen(type->text));
    if (arg.pointer)
        record_shape(type, &arg);
    *vec_push(as->mem, &as->object->args) = arg;
    return true;
}

/* Pointers and numbers arrive in a0, a1, …; tile arguments are input tiles or buffers. */
static void define_arguments(struct assembler *as, const struct ast_value *v)
{
    static const char *const registers[] = {"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"};
    size_t n = 0;
    for (; v != NULL; v = v->next) {
        if (v->kind != AST_VALUE_SSA || v->type == NULL) {
            diag_report(as->diag, DIAG_PTOAS_FORM, v->loc,
                        "an argument has a name and a type: %%a : i64");
            continue;
        }
        if (is_tile(v->type))
            continue;
        if (n == sizeof registers / sizeof *registers) {
            diag_report(as->diag, DIAG_PTOAS_FORM, v->loc,
                        "a function has at most %zu arguments besides tiles", n);
            return;
        }
        if (!record_argument(as, v, (unsigned)n))
            continue;
        struct scalar s = {.kind = SCALAR_REGISTER, .type = v->type->text};
        s.reg = ptoas_register(as, registers[n++]);
        as->ptoas->registers |= UINT32_C(1) << s.reg;
        ptoas_define_scalar(as, v->name, &s);
    }
}

/* `private` stands before the name. */
static bool is_visibility(const struct ast_value *v)
{
    return v != NULL && v->kind == AST_VALUE_WORD && v->next == NULL &&
           (strcmp(v->name, "private") == 0 || strcmp(v->name, "public") == 0 ||
            strcmp(v->name, "nested") == 0);
}

static void lower_function(struct assembler *as, const struct op_form *form)
{
    const struct ast_stmt *stmt = form->stmt;
    const struct ast_op *op = stmt->op;
    if (op->symbol == NULL) {
        diag_report(as->diag, DIAG_PTOAS_FORM, stmt->loc, "a function has a name: func.func @f()");
        return;
    }
    if (!op->opens_region)
        return; /* a declaration */
    asm_settle(as, CLASS_PTO);
    asm_define_label(as, op->symbol, op->name_loc, true);
    struct symbol *symbol = asm_symbol(as, op->symbol);
    symbol->bind = OBJ_GLOBAL;
    symbol->bound = true;
    symbol->type = OBJ_FUNC;
    ptoas_enter_function(as);
    as->ptoas->function = arena_string(as->object->arena, op->symbol, strlen(op->symbol));
    for (const struct ast_group *g = op->groups; g != NULL; g = g->next)
        if (!is_visibility(g->values))
            define_arguments(as, g->values);
    struct ptoas_region *r = &as->ptoas->regions.item[as->ptoas->regions.count - 1];
    r->function = op->symbol;
    r->section = as->section;
    r->start = asm_offset(as->section);
}

/* A return block: control goes to the return address (pto-isa.md C.2). */
static void lower_return(struct assembler *as, const struct op_form *form)
{
    const struct ast_stmt *stmt = form->stmt;
    if (stmt->op->groups != NULL) {
        diag_report(as->diag, DIAG_PTOAS_FORM, stmt->loc, "returned values are not lowered");
        return;
    }
    ptoas_emit_form(as, ISA_FORM_bstart_std_32_816dfa76cc4a, stmt->loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, stmt->loc);
}

/* Local buffers are moved in blocks of 32 bytes; a machine stops at an address between them. */
static bool aligned_address(struct assembler *as, const struct op_operand *addr, int64_t address)
{
    enum { BLOCK = 32 };
    if (address % BLOCK == 0)
        return true;
    diag_report(as->diag, DIAG_PTOAS_RULE, addr->value->loc,
                "addr %lld is not a multiple of %d bytes", (long long)address, BLOCK);
    return false;
}

static void lower_alloc(struct assembler *as, const struct op_form *form)
{
    struct tile_type type;
    const struct op_operand *addr = ptoas_operand(form, "addr", 0);
    struct ast_type written = *form->results[0].type;
    int64_t address = 0;
    if (written.v_row == AST_DYNAMIC)
        written.v_row = written.rows;
    if (written.v_col == AST_DYNAMIC)
        written.v_col = written.cols;
    if (!ptoas_tile_type(as, &written, form->stmt->op->name_loc, NO_PLACE, &type) ||
        !ptoas_take_extents(as, form, &type) ||
        (addr != NULL &&
         (!ptoas_constant(as, addr, "addr", &address) || !aligned_address(as, addr, address))))
        return;
    struct tile_name *n =
        ptoas_declare(as, form->results[0].value->name, form->results[0].value->loc, &type);
    if (n != NULL && addr != NULL)
        ptoas_place(as, n, (uint64_t)address);
}

static void lower_nothing(struct assembler *as, const struct op_form *form)
{
    (void)as;
    (void)form;
}

/* All PEs run the function alike: one block of one part. */
static void lower_identity(struct assembler *as, const struct op_form *form)
{
    size_t length = strlen(form->row->name);
    bool count = length > 4 && strcmp(form->row->name + length - 4, "_num") == 0;
    const struct scalar s = {.kind = SCALAR_INTEGER, .type = "i64", .number = count};
    ptoas_define_scalar(as, form->results[0].value->name, &s);
}

static void lower_tmov(struct assembler *as, const struct op_form *form)
{
    ptoas_lower_tmov(as, form->stmt);
}

static const struct {
    const char *name;
    void (*lower)(struct assembler *as, const struct op_form *form);
    uint8_t region;
} operations[] = {
    {"arith.constant", ptoas_lower_constant, REGION_PLAIN},
    {"arith.extsi", ptoas_lower_cast, REGION_PLAIN},
    {"arith.extui", ptoas_lower_cast, REGION_PLAIN},
    {"arith.index_cast", ptoas_lower_cast, REGION_PLAIN},
    {"arith.index_castui", ptoas_lower_cast, REGION_PLAIN},
    {"arith.select", ptoas_lower_select, REGION_PLAIN},
    {"arith.trunci", ptoas_lower_cast, REGION_PLAIN},
    {"builtin.module", lower_module, REGION_PLAIN},
    {"func.func", lower_function, REGION_FUNCTION},
    {"func.return", lower_return, REGION_PLAIN},
    {"module", lower_module, REGION_PLAIN},
    {"pto.addptr", ptoas_lower_addptr, REGION_PLAIN},
    {"pto.alloc_tile", lower_alloc, REGION_PLAIN},
    {"pto.bitcast", ptoas_lower_reshape, REGION_PLAIN},
    {"pto.get_block_idx", lower_identity, REGION_PLAIN},
    {"pto.get_block_num", lower_identity, REGION_PLAIN},
    {"pto.get_subblock_idx", lower_identity, REGION_PLAIN},
    {"pto.get_subblock_num", lower_identity, REGION_PLAIN},
    {"pto.get_tensor_view_dim", ptoas_lower_dimension, REGION_PLAIN},
    {"pto.load_scalar", ptoas_lower_load_scalar, REGION_PLAIN},
    {"pto.make_tensor_view", ptoas_lower_make_view, REGION_PLAIN},
    {"pto.partition_view", ptoas_lower_partition, REGION_PLAIN},
    {"pto.section.cube", lower_nothing, REGION_PLAIN},
    {"pto.section.vector", lower_nothing, REGION_PLAIN},
    {"pto.set_validshape", ptoas_lower_set_valid, REGION_PLAIN},
    {"pto.store_scalar", ptoas_lower_store_scalar, REGION_PLAIN},
    {"pto.tload", ptoas_lower_load, REGION_PLAIN},
    {"pto.tprefetch", ptoas_lower_prefetch, REGION_PLAIN},
    {"pto.treshape", ptoas_lower_reshape, REGION_PLAIN},
    {"pto.tstore", ptoas_lower_store, REGION_PLAIN},
    {"return", lower_return, REGION_PLAIN},
};

static bool lower_listed(struct assembler *as, const struct op_form *form)
{
    size_t i = 0;
    while (i < sizeof operations / sizeof *operations &&
           strcmp(operations[i].name, form->row->name) != 0)
        i++;
    bool known = i < sizeof operations / sizeof *operations;
    if (form->stmt->op->opens_region)
        open_region(as, known ? (enum region_kind)operations[i].region : REGION_PLAIN);
    if (known)
        operations[i].lower(as, form);
    return known;
}

/* arith.addi, arith.cmpf, …: two operands of one type. */
static bool is_binary(const struct op_form *form)
{
    return strncmp(form->row->name, "arith.", strlen("arith.")) == 0 &&
           ptoas_operand(form, "lhs", 0) != NULL && form->nresults == 1;
}

/* What only computes a value that has no name computes nothing. */
static bool is_unused(const struct op_form *form)
{
    return form->row->nresults == 1 && form->row->flags == 0 && form->nresults == 0 &&
           ptoas_operand(form, "dst", 0) == NULL && ptoas_operand(form, "op_type", 0) == NULL;
}

/* What a rule looks for is there. */
static bool is_complete(struct assembler *as, const struct op_form *form)
{
    for (unsigned n = 0; n < form->row->noperands; n++) {
        const struct isa_op_value *o = &form->row->operands[n];
        if ((o->flags & ISA_OP_OPTIONAL) || ptoas_operand(form, o->name, 0) != NULL)
            continue;
        diag_report(as->diag, DIAG_PTOAS_FORM, form->stmt->loc, "%s lacks operand '%s'",
                    form->row->name, o->name);
        return false;
    }
    return true;
}

static void refuse_names(struct assembler *as, const struct op_form *form)
{
    const struct op_operand *dst = ptoas_operand(form, "dst", 0);
    if (dst != NULL && dst->value != NULL && dst->value->kind == AST_VALUE_SSA)
        *map_put(&as->ptoas->refused, dst->value->name) = as;
    for (unsigned i = 0; i < form->nresults; i++)
        *map_put(&as->ptoas->refused, form->results[i].value->name) = as;
}

void ptoas_refuse_results(struct assembler *as, const struct ast_stmt *stmt)
{
    const struct ast_group *outs =
        stmt->kind == AST_OP ? ast_find_group(stmt->op, AST_GROUP_OUTS, NULL) : NULL;
    if (stmt->kind != AST_OP)
        return;
    for (const struct ast_value *v = stmt->op->results; v != NULL; v = v->next)
        *map_put(&as->ptoas->refused, v->name) = as;
    for (const struct ast_value *v = outs != NULL ? outs->values : NULL; v != NULL; v = v->next)
        if (v->kind == AST_VALUE_SSA)
            *map_put(&as->ptoas->refused, v->name) = as;
}

static void lower_one(struct assembler *as, const struct op_form *form)
{
    asm_show_statement(as, form->stmt->loc);
    if (ptoas_is_tmov(form->stmt->op->name)) {
        lower_tmov(as, form); /* has checks of its own */
        return;
    }
    if (is_unused(form) || !is_complete(as, form))
        return;
    if (is_binary(form))
        ptoas_lower_binary(as, form);
    else if (!lower_listed(as, form) && !ptoas_lower_sync(as, form) &&
             !ptoas_lower_tile(as, form) && !ptoas_lower_matrix(as, form))
        unsupported(as, form);
}

static bool is_module(const struct isa_op *row)
{
    return row->flags & ISA_OP_MAY_SYMBOL;
}

void ptoas_lower_op(struct assembler *as, const struct op_form *form)
{
    unsigned errors = diag_errors(as->diag);
    lower_one(as, form);
    if (diag_errors(as->diag) != errors)
        refuse_names(as, form);
}

void asm_ptoas_statement(struct assembler *as, const struct ast_stmt *stmt)
{
    struct op_form form;
    if (as->ptoas == NULL)
        begin(as);
    bool good = ptoas_verify(as, stmt, &form);
    if (as->options->check) {
        if (good && stmt->kind == AST_OP && is_module(form.row))
            lower_module(as, &form);
        return;
    }
    if (ptoas_capture(as, stmt, good ? &form : NULL))
        return;
    switch (stmt->kind) {
    case AST_OP:
        if (good) {
            ptoas_lower_op(as, &form);
            break;
        }
        ptoas_refuse_results(as, stmt);
        if (stmt->op->opens_region)
            open_region(as, REGION_PLAIN);
        break;
    case AST_REGION_END:
        close_region(as);
        break;
    case AST_REGION_BLOCK:
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->loc, "block labels are not lowered");
        break;
    default: /* the operation that has the other region was refused */
        break;
    }
}

void asm_ptoas_finish(struct assembler *as)
{
    if (as->ptoas == NULL)
        return;
    ptoas_verify_end(as);
    ptoas_settle_tiles(as);
}
