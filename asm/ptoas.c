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
    vec_free(as->mem, &p->input_list);
    vec_free(as->mem, &p->outputs);
    vec_free(as->mem, &p->uses);
    vec_free(as->mem, &p->regions);
    as->ptoas = NULL;
}

static void unsupported(struct assembler *as, const struct ast_stmt *stmt)
{
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->op->name_loc,
                "PTO-AS operation '%s' is not lowered (lowered: tmov and its family, "
                "pto.alloc_tile, arith.constant, module, func.func, return)",
                stmt->op->name);
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
    ptoas_enter_function(as);
}

/* ---- scalars ---- */

static void define_scalar(struct assembler *as, const struct ast_value *v,
                          const struct scalar_name *scalar)
{
    struct scalar_name *s = arena_copy(as->arena, scalar, sizeof *scalar);
    *map_put(&as->ptoas->scalars, v->name) = s;
}

bool ptoas_scalar_register(struct assembler *as, const struct ast_value *v, uint64_t *reg)
{
    const struct scalar_name *s = map_get(&as->ptoas->scalars, v->name);
    if (s == NULL) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, v->loc,
                    "%%%s is neither a constant nor an argument of the function", v->name);
        return false;
    }
    *reg = s->constant ? ptoas_load_constant(as, s->number, v->loc) : s->gpr;
    return true;
}

static void lower_constant(struct assembler *as, const struct ast_stmt *stmt)
{
    const struct ast_op *op = stmt->op;
    const struct ast_value *v = op->groups != NULL ? op->groups->values : NULL;
    if (op->results == NULL || op->results->next != NULL || v == NULL || v->next != NULL ||
        v->kind != AST_VALUE_INT) {
        diag_report(as->diag, DIAG_PTOAS_FORM, stmt->loc,
                    "only integer constants are lowered: %%c = arith.constant 3 : i64");
        return;
    }
    define_scalar(as, op->results,
                  &(struct scalar_name){.constant = true, .number = (uint64_t)v->number});
}

/* ---- operations ---- */

static void lower_module(struct assembler *as, const struct ast_stmt *stmt)
{
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
        define_scalar(as, v, &(struct scalar_name){.gpr = ptoas_register(as, registers[n++])});
    }
}

/* `private` stands before the name. */
static bool is_visibility(const struct ast_value *v)
{
    return v != NULL && v->kind == AST_VALUE_WORD && v->next == NULL &&
           (strcmp(v->name, "private") == 0 || strcmp(v->name, "public") == 0 ||
            strcmp(v->name, "nested") == 0);
}

static void lower_function(struct assembler *as, const struct ast_stmt *stmt)
{
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
static void lower_return(struct assembler *as, const struct ast_stmt *stmt)
{
    if (stmt->op->groups != NULL) {
        diag_report(as->diag, DIAG_PTOAS_FORM, stmt->loc, "returned values are not lowered");
        return;
    }
    ptoas_emit_form(as, ISA_FORM_bstart_std_32_816dfa76cc4a, stmt->loc);
    ptoas_emit_form(as, ISA_FORM_bstop_32_d25b09fdd59c, stmt->loc);
}

static void lower_alloc(struct assembler *as, const struct ast_stmt *stmt)
{
    const struct ast_op *op = stmt->op;
    struct tile_type type;
    if (op->results == NULL || op->results->next != NULL) {
        diag_report(as->diag, DIAG_PTOAS_FORM, stmt->loc,
                    "a buffer has one name: %%t = pto.alloc_tile : !pto.tile_buf<...>");
        return;
    }
    for (const struct ast_group *g = op->groups; g != NULL; g = g->next) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, g->loc,
                    "pto.alloc_tile with '%s' is not lowered; tiles have no addresses here",
                    g->name != NULL ? g->name : "operands");
        return;
    }
    if (ptoas_tile_type(as, op->operand_types, op->name_loc, NO_PLACE, &type))
        ptoas_declare(as, op->results->name, op->results->loc, &type);
}

static void lower_nothing(struct assembler *as, const struct ast_stmt *stmt)
{
    (void)as;
    (void)stmt;
}

static const struct {
    const char *name;
    void (*lower)(struct assembler *as, const struct ast_stmt *stmt);
    uint8_t region;
} operations[] = {
    {"arith.constant", lower_constant, REGION_PLAIN},
    {"builtin.module", lower_module, REGION_PLAIN},
    {"func.func", lower_function, REGION_FUNCTION},
    {"func.return", lower_return, REGION_PLAIN},
    {"module", lower_module, REGION_PLAIN},
    {"pto.alloc_tile", lower_alloc, REGION_PLAIN},
    {"pto.section.cube", lower_nothing, REGION_PLAIN},
    {"pto.section.vector", lower_nothing, REGION_PLAIN},
    {"return", lower_return, REGION_PLAIN},
};

static void lower(struct assembler *as, const struct ast_stmt *stmt)
{
    const char *name = stmt->op->name;
    size_t i = 0;
    while (i < sizeof operations / sizeof *operations && strcmp(operations[i].name, name) != 0)
        i++;
    bool known = i < sizeof operations / sizeof *operations;
    if (stmt->op->opens_region)
        open_region(as, known ? (enum region_kind)operations[i].region : REGION_PLAIN);
    if (known)
        operations[i].lower(as, stmt);
    else if (ptoas_is_tmov(name))
        ptoas_lower_tmov(as, stmt);
    else
        unsupported(as, stmt);
}

static bool is_module(const struct isa_op *row)
{
    return row->flags & ISA_OP_MAY_SYMBOL;
}

void asm_ptoas_statement(struct assembler *as, const struct ast_stmt *stmt)
{
    struct op_form form;
    if (as->ptoas == NULL)
        begin(as);
    bool good = ptoas_verify(as, stmt, &form);
    if (as->options->check) {
        if (good && stmt->kind == AST_OP && is_module(form.row))
            lower_module(as, stmt);
        return;
    }
    switch (stmt->kind) {
    case AST_OP:
        if (good)
            lower(as, stmt);
        else if (stmt->op->opens_region)
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
