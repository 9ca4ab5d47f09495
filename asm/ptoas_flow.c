/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scf.for, scf.if and scf.while. Their statements are kept until the operation
 * ends, and then lowered once for every iteration, or once when they are kept
 * as branches (ptoas_kept.c).
 */
#include "asm/lower_flow.h"

#include <string.h>

enum { MOST_UNROLLED = 64, MOST_ITERATIONS = 1 << 16 }; /* of one loop, of a file */

struct level {
    struct node *op;
    struct node **end; /* where the next statement goes */
};

struct capture {
    VEC(struct level) levels;
};

static bool is_captured(const char *name)
{
    return strcmp(name, "scf.for") == 0 || strcmp(name, "scf.if") == 0 ||
           strcmp(name, "scf.while") == 0;
}

/* ---- capture ---- */

/* The node of a statement; what was refused before is kept for its regions only. */
static struct node *new_node(struct assembler *as, const struct ast_stmt *stmt, bool good)
{
    struct node *n = arena_alloc(as->arena, sizeof *n);
    struct ast_stmt *copy = ast_copy_stmt(as->arena, stmt);
    n->good = good && ptoas_form(as, as->arena, copy, &n->form);
    n->form.stmt = copy;
    return n;
}

/* The arguments of the region's only block. */
static struct node *label_node(struct assembler *as, const struct ast_stmt *stmt)
{
    struct node *n = arena_alloc(as->arena, sizeof *n);
    n->form.stmt = ast_copy_stmt(as->arena, stmt);
    n->arguments = n->form.stmt->op->groups != NULL ? n->form.stmt->op->groups->values : NULL;
    return n;
}

static void append(struct level *top, struct node *n)
{
    *top->end = n;
    top->end = &n->next;
}

static void open_level(struct assembler *as, struct capture *c, struct node *n)
{
    *vec_push(as->mem, &c->levels) = (struct level){n, &n->body};
}

static void lower_structured(struct assembler *as, const struct node *n);

static void end_capture(struct assembler *as, struct capture *c)
{
    struct node *root = c->levels.item[0].op;
    vec_free(as->mem, &c->levels);
    as->ptoas->capture = NULL;
    lower_structured(as, root);
}

bool ptoas_capture(struct assembler *as, const struct ast_stmt *stmt, const struct op_form *form)
{
    struct ptoas *p = as->ptoas;
    struct capture *c = p->capture;
    bool begins =
        c == NULL && stmt->kind == AST_OP && stmt->op->opens_region && is_captured(stmt->op->name);
    if (begins)
        c = p->capture = arena_alloc(as->arena, sizeof *c);
    if (c == NULL)
        return false;
    struct level *top = c->levels.count ? &c->levels.item[c->levels.count - 1] : NULL;
    if (stmt->kind == AST_OP) {
        struct node *n = new_node(as, stmt, form != NULL);
        if (top != NULL)
            append(top, n);
        if (stmt->op->opens_region)
            open_level(as, c, n);
    } else if (stmt->kind == AST_REGION_ELSE) {
        top->end = &top->op->otherwise;
    } else if (stmt->kind == AST_REGION_END) {
        c->levels.count--;
        if (c->levels.count == 0)
            end_capture(as, c);
    } else if (top->end == &top->op->body || top->end == &top->op->otherwise) {
        append(top, label_node(as, stmt));
    } else {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->loc,
                    "a region of several blocks is not lowered");
    }
    return true;
}

bool asm_ptoas_allows(struct assembler *as, const struct ast_stmt *stmt)
{
    if (as->ptoas == NULL || as->ptoas->capture == NULL)
        return true;
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->loc,
                "a loop or condition of PTO-AS holds operations of PTO-AS only");
    return false;
}

void ptoas_drop_capture(struct assembler *as)
{
    if (as->ptoas->capture != NULL)
        vec_free(as->mem, &as->ptoas->capture->levels);
    as->ptoas->capture = NULL;
}

/* ---- blocks ---- */

void ptoas_lower_block(struct assembler *as, const struct node *n)
{
    for (; n != NULL; n = n->next) {
        if (!n->good)
            ptoas_refuse_results(as, n->form.stmt);
        if (!n->good || (n->form.row->flags & ISA_OP_TERMINATOR))
            continue;
        if (is_captured(n->form.row->name))
            lower_structured(as, n);
        else
            ptoas_lower_op(as, &n->form);
    }
}

const struct op_form *ptoas_terminator(const struct node *block, const char *name)
{
    while (block != NULL && block->next != NULL)
        block = block->next;
    return block != NULL && block->good && strcmp(block->form.row->name, name) == 0 ? &block->form
                                                                                    : NULL;
}

bool ptoas_meaning(struct assembler *as, const struct ast_value *v, struct meaning *out)
{
    struct tile_name *t = map_get(&as->ptoas->tiles, v->name);
    const struct scalar *s = map_get(&as->ptoas->scalars, v->name);
    if (t != NULL && t->value == NULL)
        ptoas_revive(as, t, v->loc);
    *out = (struct meaning){.tile = t != NULL ? t->value : NULL};
    if (s != NULL)
        out->scalar = *s;
    if (out->tile != NULL && ptoas_is_open(&out->tile->type)) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, v->loc,
                    "%%%s has valid extents that are in registers; it is not carried", v->name);
        return false;
    }
    out->view = map_get(&as->ptoas->views, v->name);
    if (out->tile != NULL || out->view != NULL || s != NULL)
        return true;
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, v->loc,
                "%%%s is neither a written tile nor a number or view; nothing else is carried",
                v->name);
    return false;
}

void ptoas_give_meaning(struct assembler *as, const char *name, struct loc loc,
                        const struct meaning *m)
{
    if (m->tile != NULL)
        ptoas_alias_tile(as, name, m->tile, loc);
    else if (m->view != NULL)
        ptoas_bind(as, &as->ptoas->views, name, m->view);
    else
        ptoas_define_scalar(as, name, &m->scalar);
}

bool ptoas_terminated(struct assembler *as, const struct node *block, const char *terminator,
                      unsigned count, struct meaning *out)
{
    const struct op_form *y = ptoas_terminator(block, terminator);
    for (unsigned i = 0; i < count; i++) {
        const struct op_operand *o = y != NULL ? ptoas_operand(y, "values", i) : NULL;
        if (o == NULL || !ptoas_meaning(as, o->value, &out[i]))
            return false;
    }
    return true;
}

/* %a:2 is used as %a#0 and %a#1. */
static const char *part_name(struct assembler *as, const struct op_form *form, unsigned i)
{
    const struct ast_value *v = form->results[i].value;
    unsigned part = 0;
    if (v->parts == 1)
        return v->name;
    while (part < i && form->results[i - part - 1].value == v)
        part++;
    if (part == 0)
        return v->name;
    return intern_z(as->names, arena_printf(as->arena, "%s#%u", v->name, part));
}

void ptoas_define_results(struct assembler *as, const struct op_form *form, const struct meaning *m)
{
    for (unsigned i = 0; i < form->nresults; i++) {
        const struct ast_value *v = form->results[i].value;
        const char *name = part_name(as, form, i);
        ptoas_give_meaning(as, name, v->loc, &m[i]);
        if (v->parts > 1 && name == v->name)
            ptoas_give_meaning(as, intern_z(as->names, arena_printf(as->arena, "%s#0", name)),
                               v->loc, &m[i]);
    }
}

struct scope ptoas_open_scope(const struct assembler *as)
{
    return (struct scope){as->ptoas->bindings.count, as->ptoas->registers};
}

void ptoas_close_scope(struct assembler *as, struct scope s)
{
    ptoas_unbind(as, s.bindings);
    ptoas_free_registers(as, s.registers);
}

/* ---- scf.if ---- */

/* Registers of what leaves a region stay in use. */
static void keep_registers(struct scope *scope, const struct meaning *m, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (m[i].tile == NULL && m[i].view == NULL && m[i].scalar.kind == SCALAR_REGISTER)
            scope->registers |= UINT32_C(1) << m[i].scalar.reg;
}

static void lower_if(struct assembler *as, const struct node *n)
{
    struct scalar condition;
    unsigned count = n->form.nresults;
    if (!ptoas_scalar(as, ptoas_operand(&n->form, "condition", 0), &condition))
        return;
    if (condition.kind != SCALAR_INTEGER) {
        if (ptoas_may_keep(as, n, "a condition that is not constant"))
            ptoas_keep_if(as, n, &condition);
        return;
    }
    const struct node *block = condition.number ? n->body : n->otherwise;
    struct meaning *results = arena_array(as->arena, count + 1u, sizeof *results);
    struct scope scope = ptoas_open_scope(as);
    ptoas_lower_block(as, block);
    bool good = ptoas_terminated(as, block, "scf.yield", count, results);
    if (good)
        keep_registers(&scope, results, count);
    ptoas_close_scope(as, scope);
    if (good)
        ptoas_define_results(as, &n->form, results);
}

/* ---- scf.for ---- */

static bool take_carried(struct assembler *as, struct loop *l)
{
    const struct op_form *f = &l->node->form;
    const struct ast_group *g = ast_find_group(f->stmt->op, AST_GROUP_NAMED, "iter_args");
    const struct ast_value *v = g != NULL ? g->values : NULL;
    l->carried = ptoas_operand_count(f, "inits");
    l->names = arena_array(as->arena, l->carried + 1u, sizeof *l->names);
    l->values = arena_array(as->arena, l->carried + 1u, sizeof *l->values);
    for (unsigned i = 0; i < l->carried; i++, v = v->next) {
        if (v == NULL || !ptoas_meaning(as, ptoas_operand(f, "inits", i)->value, &l->values[i]))
            return false;
        l->names[i] = v;
    }
    return true;
}

static const struct ast_value *find_counter(const struct op_form *f)
{
    for (const struct ast_group *g = f->stmt->op->groups; g != NULL; g = g->next)
        if (g->kind == AST_GROUP_PLAIN && g->values != NULL && g->values->bound != NULL)
            return g->values;
    return NULL;
}

static bool take_loop(struct assembler *as, const struct node *n, struct loop *l)
{
    *l = (struct loop){.node = n, .counter = find_counter(&n->form)};
    if (l->counter == NULL || !ptoas_scalar(as, ptoas_operand(&n->form, "lower", 0), &l->lower) ||
        !ptoas_scalar(as, ptoas_operand(&n->form, "upper", 0), &l->upper) ||
        !ptoas_scalar(as, ptoas_operand(&n->form, "step", 0), &l->step))
        return false;
    l->type = l->lower.type;
    if (l->step.kind == SCALAR_INTEGER && (int64_t)l->step.number < 1) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, n->form.stmt->loc,
                    "the step of scf.for is %lld, it must be 1 or more", (long long)l->step.number);
        return false;
    }
    return take_carried(as, l);
}

static bool is_constant(const struct loop *l)
{
    return l->lower.kind == SCALAR_INTEGER && l->upper.kind == SCALAR_INTEGER &&
           l->step.kind == SCALAR_INTEGER;
}

static uint64_t iterations(const struct loop *l)
{
    int64_t from = (int64_t)l->lower.number, to = (int64_t)l->upper.number;
    if (from >= to)
        return 0;
    return ((uint64_t)to - (uint64_t)from - 1) / l->step.number + 1;
}

/* One time through the body. False: the yielded values are not known. */
static bool lower_iteration(struct assembler *as, struct loop *l, const struct scalar *counter)
{
    struct scope scope = ptoas_open_scope(as);
    ptoas_define_scalar(as, l->counter->name, counter);
    for (unsigned i = 0; i < l->carried; i++)
        ptoas_give_meaning(as, l->names[i]->name, l->names[i]->loc, &l->values[i]);
    ptoas_lower_block(as, l->node->body);
    bool good = ptoas_terminated(as, l->node->body, "scf.yield", l->carried, l->values);
    if (good)
        keep_registers(&scope, l->values, l->carried);
    ptoas_close_scope(as, scope);
    return good;
}

static void unroll(struct assembler *as, struct loop *l, uint64_t count)
{
    unsigned errors = diag_errors(as->diag);
    for (uint64_t n = 0; n < count; n++) {
        struct scalar counter = l->lower;
        if (++as->ptoas->iterations > MOST_ITERATIONS) {
            diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, l->node->form.stmt->loc,
                        "the loops of the file are unrolled to more than %d iterations",
                        MOST_ITERATIONS);
            return;
        }
        counter.number += n * l->step.number;
        if (!lower_iteration(as, l, &counter) || diag_errors(as->diag) != errors)
            return; /* the next iterations would say the same */
    }
    ptoas_define_results(as, &l->node->form, l->values);
}

static void lower_for(struct assembler *as, const struct node *n)
{
    struct loop l;
    if (!take_loop(as, n, &l))
        return;
    uint64_t count = is_constant(&l) ? iterations(&l) : UINT64_MAX;
    if (count <= MOST_UNROLLED)
        unroll(as, &l, count);
    else if (ptoas_may_keep(
                 as, n,
                 arena_printf(as->arena,
                              "a loop with bounds that are not constant, or of more than "
                              "%d iterations,",
                              MOST_UNROLLED)))
        ptoas_keep_for(as, &l, !is_constant(&l));
}

static void lower_structured(struct assembler *as, const struct node *n)
{
    if (!n->good) {
        ptoas_refuse_results(as, n->form.stmt);
        return;
    }
    asm_show_statement(as, n->form.stmt->loc);
    if (strcmp(n->form.row->name, "scf.if") == 0)
        lower_if(as, n);
    else if (strcmp(n->form.row->name, "scf.for") == 0)
        lower_for(as, n);
    else if (ptoas_may_keep(as, n, "scf.while"))
        ptoas_keep_while(as, n);
}
