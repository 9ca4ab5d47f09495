/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names and regions of PTO-AS: every name is defined once, before its use and
 * where the use can see it; a use has the type of the definition; blocks end in
 * their terminator and yield what their operation gives.
 *
 * A tile that nothing defines is an input of the file, and a destination that
 * nothing declares is a buffer (DESIGN 2.3), unless a level was chosen: then a
 * function uses only what it defines. Outside functions nothing is required.
 */
#include "asm/lower.h"
#include "asm/verifier.h"

#include <string.h>

/* ---- state ---- */

static struct verifier *begin(struct assembler *as)
{
    struct verifier *v = arena_alloc(as->arena, sizeof *v);
    as->ptoas->verifier = v;
    map_init(&v->names, as->mem);
    map_init(&v->functions, as->mem);
    v->arena = arena_create(as->mem);
    v->form = arena_create(as->mem);
    return v;
}

void ptoas_verify_free(struct assembler *as)
{
    struct verifier *v = as->ptoas->verifier;
    if (v == NULL)
        return;
    arena_destroy(v->arena);
    arena_destroy(v->form);
    map_free(&v->names);
    map_free(&v->functions);
    vec_free(as->mem, &v->order);
    vec_free(as->mem, &v->regions);
    vec_free(as->mem, &v->blocks);
    vec_free(as->mem, &v->edges);
    vec_free(as->mem, &v->later);
    vec_free(as->mem, &v->calls);
    as->ptoas->verifier = NULL;
}

struct region *ptoas_innermost(struct verifier *v)
{
    return v->regions.count > 0 ? &v->regions.item[v->regions.count - 1] : NULL;
}

static bool in_function(const struct verifier *v)
{
    return v->functions_open > 0;
}

/* ---- definitions ---- */

/* %x#1 is part 1 of %x. */
static const char *base_name(struct assembler *as, const char *name, unsigned *part)
{
    const char *hash = strchr(name, '#');
    *part = 0;
    if (hash == NULL)
        return name;
    for (const char *p = hash + 1; *p != '\0' && *part < 100000; p++)
        *part = *part * 10 + (unsigned)(*p - '0');
    return intern(as->names, name, (size_t)(hash - name));
}

const struct definition *ptoas_find_definition(struct assembler *as, const char *name,
                                               unsigned *part)
{
    const struct verifier *v = as->ptoas->verifier;
    const struct definition *d = map_get(&v->names, base_name(as, name, part));
    return d != NULL && d->index >= v->visible ? d : NULL;
}

const struct ast_type *ptoas_type_of(struct assembler *as, const char *name)
{
    unsigned part;
    if (as->ptoas == NULL || as->ptoas->verifier == NULL)
        return NULL;
    const struct definition *d = ptoas_find_definition(as, name, &part);
    const struct ast_type *t = d != NULL ? d->types : NULL;
    for (; t != NULL && part > 0; part--)
        t = t->next;
    return t;
}

const struct isa_op *ptoas_defined_by(struct assembler *as, const char *name)
{
    unsigned part;
    if (as->ptoas->verifier == NULL)
        return NULL;
    const struct definition *d = ptoas_find_definition(as, name, &part);
    return d != NULL ? d->op : NULL;
}

const struct ast_type *ptoas_origin_of(struct assembler *as, const char *name)
{
    unsigned part;
    const struct definition *d = ptoas_find_definition(as, name, &part);
    return d != NULL ? d->origin : NULL;
}

struct arena *ptoas_statement_arena(struct assembler *as)
{
    return as->ptoas->verifier->form;
}

static const struct ast_type *copy_type(struct verifier *v, const struct ast_type *type)
{
    if (type == NULL)
        return NULL;
    struct ast_type alone = *type;
    alone.next = NULL;
    return ast_copy_type(v->arena, &alone);
}

/* `types` live as long as the function. */
static bool define(struct assembler *as, const struct ast_value *name, unsigned parts,
                   const struct ast_type *types, const struct isa_op *op)
{
    struct verifier *v = as->ptoas->verifier;
    const struct region *r = ptoas_innermost(v);
    struct definition *old = map_get(&v->names, name->name);
    if (old != NULL && old->index >= v->visible && old->broken) {
        old->types = types;
        return true;
    }
    if (old != NULL && old->index >= v->visible) {
        diag_report(as->diag, DIAG_PTOAS_REDEFINED, name->loc, "%%%s is defined twice", name->name);
        diag_note(as->diag, old->loc, "the first definition is here");
        return false;
    }
    struct definition *d = arena_alloc(v->arena, sizeof *d);
    *d = (struct definition){.name = name->name,
                             .types = types,
                             .parts = parts,
                             .op = op,
                             .loc = name->loc,
                             .block = r != NULL ? r->block : 0,
                             .index = v->order.count,
                             .shadowed = old};
    *map_put(&v->names, name->name) = d;
    *vec_push(as->mem, &v->order) = name->name;
    return true;
}

static void forget(struct verifier *v, size_t mark)
{
    while (v->order.count > mark) {
        void **slot = map_put(&v->names, v->order.item[--v->order.count]);
        *slot = ((const struct definition *)*slot)->shadowed;
    }
}

/* The results of a statement, each with its types. */
static bool define_results(struct assembler *as, const struct op_form *form)
{
    struct verifier *v = as->ptoas->verifier;
    bool good = true;
    for (unsigned i = 0; i < form->nresults;) {
        const struct ast_value *name = form->results[i].value;
        struct ast_type *first = NULL, **end = &first;
        bool known = true;
        for (unsigned part = 0; part < name->parts; part++, i++) {
            known &= form->results[i].type != NULL;
            if (!known)
                continue;
            *end = (struct ast_type *)copy_type(v, form->results[i].type);
            end = &(*end)->next;
        }
        good &= define(as, name, name->parts, known ? first : NULL, form->row);
        struct definition *d = map_get(&v->names, name->name);
        if (known && ptoas_type_is(first, ISA_OP_KIND_pipe_value) && form->noperands > 0)
            d->origin = copy_type(v, form->operands[0].type);
    }
    return good;
}

/* ---- uses ---- */

static void remember_use(struct assembler *as, const struct ast_value *use,
                         const struct definition *d)
{
    struct verifier *v = as->ptoas->verifier;
    const struct region *r = ptoas_innermost(v);
    *vec_push(as->mem, &v->later) = (struct later_use){use->name, use->loc, r->block, d};
}

/* Is a region with several blocks open? Then a name may be defined further down. */
static bool may_be_later(const struct verifier *v)
{
    return v->graphs_open > 0;
}

static bool undefined(struct assembler *as, const struct ast_value *use)
{
    diag_report(as->diag, DIAG_PTOAS_UNDEFINED, use->loc, "%%%s is not defined here", use->name);
    return false;
}

static bool check_part(struct assembler *as, const struct ast_value *use,
                       const struct definition *d, unsigned part)
{
    if (part < d->parts)
        return true;
    diag_report(as->diag, DIAG_PTOAS_UNDEFINED, use->loc, "%%%s has %u part%s", d->name, d->parts,
                d->parts == 1 ? "" : "s");
    return false;
}

static bool check_type(struct assembler *as, const struct op_operand *o, const struct definition *d)
{
    const struct ast_type *defined = ptoas_type_of(as, o->value->name);
    if (!o->written || defined == NULL || ptoas_types_agree(as, o->type, defined))
        return true;
    diag_report(as->diag, DIAG_PTOAS_TYPE_MISMATCH, o->type->loc,
                "%%%s has type %s here, but %s where it is defined", o->value->name, o->type->text,
                defined->text);
    diag_note(as->diag, d->loc, "it is defined here");
    return false;
}

/* A tile that nothing defines, where its type is written. */
static bool may_be_input(const struct assembler *as, const struct op_form *form,
                         const struct op_operand *o)
{
    unsigned kind = form->row->operands[o->index].kind;
    bool outside = !in_function(as->ptoas->verifier);
    bool tile =
        kind == ISA_OP_KIND_dps && o->type != NULL && ptoas_type_is(o->type, ISA_OP_KIND_tile);
    return outside || (tile && as->options->level == 0);
}

static bool check_use(struct assembler *as, const struct op_form *form, const struct op_operand *o)
{
    struct verifier *v = as->ptoas->verifier;
    const struct ast_value *use = o->value;
    unsigned part;
    if (use->kind != AST_VALUE_SSA || o->result)
        return true;
    const struct definition *d = ptoas_find_definition(as, use->name, &part);
    if (d == NULL && may_be_input(as, form, o))
        return true;
    if (d == NULL && !may_be_later(v))
        return undefined(as, use);
    if (d == NULL || (may_be_later(v) && d->block != ptoas_innermost(v)->block))
        remember_use(as, use, d);
    return d == NULL || (check_part(as, use, d, part) && check_type(as, o, d));
}

static bool check_uses(struct assembler *as, const struct op_form *form)
{
    bool good = true;
    for (unsigned i = 0; i < form->noperands; i++)
        good &= check_use(as, form, &form->operands[i]);
    return good;
}

/* ---- regions ---- */

/* scf.for %i = %lower … iter_args(%a = %init): the names on the left. */
static bool define_bound(struct assembler *as, const struct ast_value *values,
                         const struct ast_type *types)
{
    struct verifier *v = as->ptoas->verifier;
    bool good = true;
    for (; values != NULL; values = values->next) {
        if (values->bound == NULL)
            continue;
        const struct ast_type *type =
            types != NULL ? types : ptoas_type_of(as, values->bound->name);
        good &= define(as, values, 1, copy_type(v, type), NULL);
        types = types != NULL ? types->next : NULL;
    }
    return good;
}

static bool define_loop(struct assembler *as, const struct ast_op *op)
{
    const struct ast_group *counter = ast_find_group(op, AST_GROUP_PLAIN, NULL);
    const struct ast_group *args = ast_find_group(op, AST_GROUP_NAMED, "iter_args");
    static const struct ast_type index = {.kind = AST_TYPE_OPAQUE, .text = "index"};
    bool good = define_bound(as, counter != NULL ? counter->values : NULL,
                             op->operand_types != NULL ? op->operand_types : &index);
    return (args == NULL || define_bound(as, args->values, op->result_types)) && good;
}

static bool is_visibility(const struct ast_value *v)
{
    return v != NULL && v->kind == AST_VALUE_WORD && v->next == NULL &&
           (strcmp(v->name, "private") == 0 || strcmp(v->name, "public") == 0 ||
            strcmp(v->name, "nested") == 0);
}

static const struct ast_value *arguments_of(const struct ast_op *op)
{
    const struct ast_group *g = op->groups;
    while (g != NULL && (g->kind != AST_GROUP_PLAIN || is_visibility(g->values)))
        g = g->next;
    return g != NULL ? g->values : NULL;
}

static bool define_arguments(struct assembler *as, const struct ast_value *a, const char *what)
{
    bool good = true;
    for (; a != NULL; a = a->next) {
        if (a->kind != AST_VALUE_SSA || a->type == NULL) {
            diag_report(as->diag, DIAG_PTOAS_FORM, a->loc,
                        "an argument of a %s has a name and a type: %%a : i64", what);
            good = false;
        } else {
            good &= define(as, a, 1, copy_type(as->ptoas->verifier, a->type), NULL);
        }
    }
    return good;
}

static bool define_region_names(struct assembler *as, const struct op_form *form)
{
    const struct ast_op *op = form->stmt->op;
    const struct ast_group *bound = ast_find_group(op, AST_GROUP_PLAIN, NULL);
    if (form->row->flags & ISA_OP_FUNCTION)
        return define_arguments(as, arguments_of(op), "function");
    if (form->row->flags & ISA_OP_LOOP)
        return define_loop(as, op);
    if (form->row->flags & ISA_OP_WHILE)
        return define_bound(as, bound != NULL ? bound->values : NULL, op->operand_types);
    return true;
}

static struct region *open_region(struct assembler *as, const struct ast_stmt *stmt,
                                  const struct isa_op *row)
{
    struct verifier *v = as->ptoas->verifier;
    uint32_t block = ptoas_open_block(as, NULL, stmt->loc);
    struct region *r = vec_push(as->mem, &v->regions);
    *r = (struct region){.row = row,
                         .loc = stmt->op->name_loc,
                         .mark = v->order.count,
                         .empty = true,
                         .block = block,
                         .blocks = block};
    return r;
}

static bool enter(struct assembler *as, const struct op_form *form)
{
    struct verifier *v = as->ptoas->verifier;
    const struct ast_op *op = form->stmt->op;
    struct region *r = open_region(as, form->stmt, form->row);
    r->results = ast_copy_values(v->arena, op->results);
    r->types = ast_copy_type(v->arena, op->result_types);
    r->ntypes = ast_count_types(op->result_types);
    r->types_known = true;
    if (form->row->flags & ISA_OP_FUNCTION) {
        r->outside = v->visible;
        v->visible = v->order.count;
        v->functions_open++;
    }
    return define_region_names(as, form);
}

/* ---- terminators ---- */

static bool yields(struct assembler *as, const struct op_form *form, const struct region *r)
{
    unsigned given = form->noperands;
    const struct ast_type *t = r->types;
    if (!r->types_known)
        return true;
    if (given != r->ntypes) {
        diag_report(as->diag, DIAG_PTOAS_TERMINATOR, form->stmt->loc,
                    "%s gives %u value%s; %s has %u result%s", form->stmt->op->name, given,
                    given == 1 ? "" : "s", r->row->name, r->ntypes, r->ntypes == 1 ? "" : "s");
        diag_note(as->diag, r->loc, "it belongs to this operation");
        return false;
    }
    for (unsigned i = 0; i < given; i++, t = t->next) {
        const struct op_operand *o = &form->operands[i];
        if (o->type == NULL || ptoas_types_agree(as, o->type, t))
            continue;
        diag_report(as->diag, DIAG_PTOAS_TERMINATOR, o->value->loc,
                    "result %u of %s has type %s, not %s", i, r->row->name, t->text, o->type->text);
        return false;
    }
    return true;
}

/* The region whose results a terminator gives: of return the function. */
static bool check_yield(struct assembler *as, const struct op_form *form, const struct region *r)
{
    const char *name = form->row->name;
    if (strcmp(name, "scf.yield") == 0)
        return (r->row->flags & ISA_OP_WHILE) || yields(as, form, r);
    if (strcmp(name, "return") == 0 || strcmp(name, "func.return") == 0)
        return yields(as, form, r);
    return true;
}

static bool check_parent(struct assembler *as, const struct op_form *form)
{
    const struct region *r = ptoas_innermost(as->ptoas->verifier);
    const char *parents = form->row->parents;
    if (parents == NULL || (r != NULL && (r->row == NULL || isa_op_word(parents, r->row->name))))
        return true;
    if (r == NULL) /* a file may be the body of a function */
        return true;
    diag_report(as->diag, DIAG_PTOAS_REGION, form->stmt->op->name_loc, "%s stands in %s, not in %s",
                form->row->name, parents, r->row->name);
    return false;
}

static bool check_position(struct assembler *as, const struct op_form *form)
{
    struct region *r = ptoas_innermost(as->ptoas->verifier);
    if (r == NULL)
        return true;
    r->empty = false;
    if (r->terminated) {
        diag_report(as->diag, DIAG_PTOAS_TERMINATOR, form->stmt->loc,
                    "%s stands behind the terminator of its block", form->row->name);
        return false;
    }
    r->terminated = form->row->flags & ISA_OP_TERMINATOR;
    if (form->row->flags & ISA_OP_SUCCESSORS)
        ptoas_add_edges(as, form->stmt->op);
    return !r->terminated || r->row == NULL || check_yield(as, form, r);
}

/* Does the block that ends at loc have its terminator? Without results it may be left out. */
static void check_end(struct assembler *as, const struct region *r, struct loc loc)
{
    bool function = r->row->flags & ISA_OP_FUNCTION;
    bool first_of_while = (r->row->flags & ISA_OP_WHILE) && r->part == PART_BODY;
    bool optional = !function && !first_of_while &&
                    (r->row->ends == NULL ||
                     (r->ntypes == 0 && !r->has_blocks && !(r->row->flags & ISA_OP_WHILE)));
    if (r->terminated || optional)
        return;
    diag_report(as->diag, DIAG_PTOAS_TERMINATOR, loc, "the block of %s ends without %s",
                r->row->name,
                function         ? "return"
                : first_of_while ? "scf.condition"
                                 : r->row->ends);
    diag_note(as->diag, r->loc, "it belongs to this operation");
}

/* ---- functions and calls ---- */

static void note_function(struct assembler *as, const struct op_form *form)
{
    struct verifier *v = as->ptoas->verifier;
    const struct ast_op *op = form->stmt->op;
    struct function *f;
    if (op->symbol == NULL)
        return;
    if ((f = map_get(&v->functions, op->symbol)) != NULL) {
        diag_report(as->diag, DIAG_PTOAS_REDEFINED, op->name_loc, "@%s is defined twice",
                    op->symbol);
        diag_note(as->diag, f->loc, "the first definition is here");
        return;
    }
    f = arena_alloc(as->arena, sizeof *f);
    f->nparams = ast_count_values(arguments_of(op));
    f->results = ast_copy_type(as->arena, op->result_types);
    f->loc = op->name_loc;
    *map_put(&v->functions, op->symbol) = f;
    v->bodies += op->opens_region;
    if (op->opens_region && op->result_types != NULL)
        v->non_void = op->name_loc;
}

/* The only function of a module is its entry. */
static void check_only_function(struct assembler *as)
{
    struct verifier *v = as->ptoas->verifier;
    if (v->bodies == 1 && v->non_void.file != 0)
        diag_report(as->diag, DIAG_PTOAS_RULE, v->non_void,
                    "the only function of a module is its entry, which returns nothing");
    v->bodies = 0;
    v->non_void = (struct loc){0};
}

static void note_call(struct assembler *as, const struct op_form *form)
{
    struct verifier *v = as->ptoas->verifier;
    const struct ast_op *op = form->stmt->op;
    *vec_push(as->mem, &v->calls) = (struct call){.symbol = op->symbol,
                                                  .arguments = form->noperands,
                                                  .results = ast_count_types(op->result_types),
                                                  .loc = form->stmt->loc};
}

static void check_call(struct assembler *as, const struct call *call)
{
    const struct function *f = map_get(&as->ptoas->verifier->functions, call->symbol);
    if (f == NULL)
        diag_report(as->diag, DIAG_PTOAS_UNDEFINED, call->loc, "there is no function @%s",
                    call->symbol);
    else if (f->nparams != call->arguments)
        diag_report(as->diag, DIAG_PTOAS_OPERANDS, call->loc, "@%s takes %u argument%s, not %u",
                    call->symbol, f->nparams, f->nparams == 1 ? "" : "s", call->arguments);
    else if (ast_count_types(f->results) != call->results)
        diag_report(as->diag, DIAG_PTOAS_OPERANDS, call->loc, "@%s has %u result%s, not %u",
                    call->symbol, ast_count_types(f->results),
                    ast_count_types(f->results) == 1 ? "" : "s", call->results);
}

void ptoas_verify_end(struct assembler *as)
{
    struct verifier *v = as->ptoas->verifier;
    if (v == NULL)
        return;
    check_only_function(as);
    for (size_t i = 0; i < v->calls.count; i++)
        check_call(as, &v->calls.item[i]);
}

/* ---- statements ---- */

/* .arg %a : T and .const %c = 4 : T */
static bool define_declared(struct assembler *as, const struct op_form *form)
{
    const struct ast_op *op = form->stmt->op;
    bool good = true;
    for (const struct ast_group *g = op->groups; g != NULL; g = g->next)
        for (const struct ast_value *v = g->values; v != NULL; v = v->next)
            if (v->kind == AST_VALUE_SSA)
                good &= define(as, v, 1, copy_type(as->ptoas->verifier, op->operand_types), NULL);
    return good;
}

static bool check_target(struct assembler *as, const struct op_form *form)
{
    unsigned bit = as->ptoas->target == 3 ? ISA_OP_A3 : ISA_OP_A5;
    if (form->row->targets & bit)
        return true;
    diag_report(as->diag, DIAG_PTOAS_TARGET, form->stmt->op->name_loc, "%s is for a%d only",
                form->row->name, form->row->targets == ISA_OP_A5 ? 5 : 3);
    return false;
}

static bool check_shape(struct assembler *as, const struct op_form *form)
{
    const struct ast_op *op = form->stmt->op;
    unsigned flags = form->row->flags;
    if (!op->opens_region && flags & ISA_OP_REGION)
        diag_report(as->diag, DIAG_PTOAS_REGION, form->stmt->loc, "%s needs a region { ... }",
                    form->row->name);
    else if (op->symbol == NULL && flags & ISA_OP_SYMBOL)
        diag_report(as->diag, DIAG_PTOAS_FORM, form->stmt->loc, "%s needs a name: %s @f",
                    form->row->name, form->row->name);
    else if (op->symbol != NULL && !(flags & (ISA_OP_SYMBOL | ISA_OP_MAY_SYMBOL)))
        diag_report(as->diag, DIAG_PTOAS_OPERANDS, form->stmt->loc, "%s takes no @%s",
                    form->row->name, op->symbol);
    else
        return true;
    return false;
}

static bool is_free(const struct verifier *v, const char *name)
{
    const struct definition *d = map_get(&v->names, name);
    return d == NULL || d->index < v->visible;
}

/* The names that a broken operation would have defined are known all the same. */
static void define_unknown(struct assembler *as, const struct ast_op *op)
{
    struct verifier *v = as->ptoas->verifier;
    for (const struct ast_value *r = op->results; r != NULL; r = r->next)
        if (is_free(v, r->name)) {
            define(as, r, r->parts, NULL, NULL);
            ((struct definition *)map_get(&v->names, r->name))->broken = true;
        }
}

static void enter_broken(struct assembler *as, const struct ast_stmt *stmt)
{
    struct region *r = open_region(as, stmt, isa_find_op(stmt->op->name));
    r->results = ast_copy_values(as->ptoas->verifier->arena, stmt->op->results);
}

static bool verify_op(struct assembler *as, const struct ast_stmt *stmt, struct op_form *form)
{
    struct verifier *v = as->ptoas->verifier;
    arena_reset(v->form);
    bool formed = ptoas_form(as, v->form, stmt, form) && check_shape(as, form);
    bool good = formed && check_target(as, form) && check_parent(as, form);
    good = good && check_position(as, form);
    good = formed && check_uses(as, form) && good;
    if (form->row != NULL && form->row->flags & ISA_OP_FUNCTION)
        note_function(as, form);
    if (good && form->row->flags & ISA_OP_CALL)
        note_call(as, form);
    good = good && ptoas_check(as, form);
    if (stmt->op->opens_region) {
        if (formed)
            return enter(as, form) && good;
        enter_broken(as, stmt);
        return false;
    }
    if (good && form->row->flags & ISA_OP_DECLARES)
        return define_declared(as, form);
    if (good)
        return define_results(as, form);
    define_unknown(as, stmt->op);
    return false;
}

/* ^bb0(%a : index): */
static bool verify_block(struct assembler *as, const struct ast_stmt *stmt)
{
    struct verifier *v = as->ptoas->verifier;
    struct region *r = ptoas_innermost(v);
    if (r == NULL || r->row == NULL)
        return r != NULL;
    bool had_blocks = r->has_blocks;
    if (!r->empty || r->has_blocks) {
        if (!r->terminated)
            diag_report(as->diag, DIAG_PTOAS_TERMINATOR, stmt->loc,
                        "the block before %s has no terminator", stmt->op->name);
        r->has_blocks = true;
        r->block = ptoas_open_block(as, stmt->op->name, stmt->loc);
    } else {
        v->blocks.item[r->block].label = stmt->op->name;
    }
    r->has_blocks |= (r->row->flags & ISA_OP_FUNCTION) != 0;
    v->graphs_open += r->has_blocks && !had_blocks;
    r->terminated = false;
    r->empty = false;
    return define_arguments(as, stmt->op->groups != NULL ? stmt->op->groups->values : NULL,
                            "block");
}

/* } else {, } do { */
static bool verify_else(struct assembler *as, const struct ast_stmt *stmt)
{
    struct verifier *v = as->ptoas->verifier;
    struct region *r = ptoas_innermost(v);
    if (r == NULL || r->row == NULL)
        return r != NULL;
    unsigned wanted = strcmp(stmt->name, "else") == 0 ? ISA_OP_ELSE
                      : strcmp(stmt->name, "do") == 0 ? ISA_OP_DO
                                                      : 0;
    if (!(r->row->flags & wanted) || r->part != PART_BODY) {
        diag_report(as->diag, DIAG_PTOAS_REGION, stmt->loc, "%s has no region '%s' here",
                    r->row->name, stmt->name);
        return false;
    }
    check_end(as, r, stmt->loc);
    forget(v, r->mark);
    r->part = PART_SECOND;
    r->terminated = false;
    r->empty = true;
    r->block = ptoas_open_block(as, NULL, stmt->loc);
    return true;
}

static void check_parts(struct assembler *as, const struct region *r, struct loc loc)
{
    if (r->part == PART_BODY && r->row->flags & ISA_OP_DO)
        diag_report(as->diag, DIAG_PTOAS_REGION, loc, "%s needs a second region: } do {",
                    r->row->name);
    if (r->part == PART_BODY && r->row->flags & ISA_OP_ELSE && r->ntypes > 0)
        diag_report(as->diag, DIAG_PTOAS_REGION, loc, "%s with results needs } else {",
                    r->row->name);
}

static void define_region_results(struct assembler *as, const struct region *r)
{
    const struct ast_type *t = r->types;
    for (const struct ast_value *v = r->results; v != NULL; v = v->next) {
        define(as, v, v->parts, t, r->row);
        for (unsigned i = 0; i < v->parts && t != NULL; i++)
            t = t->next;
    }
}

static bool verify_end(struct assembler *as, const struct ast_stmt *stmt)
{
    struct verifier *v = as->ptoas->verifier;
    if (v->regions.count == 0)
        return true;
    struct region r = v->regions.item[v->regions.count - 1];
    bool function = r.row != NULL && r.row->flags & ISA_OP_FUNCTION;
    if (r.row != NULL && r.types_known) {
        check_end(as, &r, stmt->loc);
        check_parts(as, &r, stmt->loc);
    }
    if (r.row != NULL && r.row->flags & ISA_OP_MAY_SYMBOL)
        check_only_function(as);
    if (r.has_blocks && function)
        ptoas_check_dominance(as, &r);
    v->regions.count--;
    forget(v, r.mark);
    if (function && r.types_known) {
        v->visible = r.outside;
        v->functions_open--;
    }
    v->graphs_open -= r.has_blocks;
    if (!function)
        define_region_results(as, &r);
    if (!in_function(v)) {
        v->blocks.count = v->edges.count = v->later.count = 0;
        if (v->order.count == 0)
            arena_reset(v->arena);
    }
    return true;
}

bool ptoas_verify(struct assembler *as, const struct ast_stmt *stmt, struct op_form *form)
{
    if (as->ptoas->verifier == NULL)
        begin(as);
    switch (stmt->kind) {
    case AST_OP:
        return verify_op(as, stmt, form);
    case AST_REGION_BLOCK:
        return verify_block(as, stmt);
    case AST_REGION_ELSE:
        return verify_else(as, stmt);
    default:
        return verify_end(as, stmt);
    }
}
