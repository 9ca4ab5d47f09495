/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of nodes that outlive their statement, and questions about nodes. */
#include "grammar/ast.h"

#include <string.h>

struct ast_expr *ast_copy_expr(struct arena *a, const struct ast_expr *e)
{
    if (e == NULL)
        return NULL;
    struct ast_expr *copy = arena_copy(a, e, sizeof *e);
    copy->left = ast_copy_expr(a, e->left);
    copy->right = ast_copy_expr(a, e->right);
    copy->third = ast_copy_expr(a, e->third);
    return copy;
}

struct ast_operand *ast_copy_operands(struct arena *a, const struct ast_operand *o)
{
    struct ast_operand *first = NULL, **end = &first;
    for (; o != NULL; o = o->next) {
        struct ast_operand *copy = arena_copy(a, o, sizeof *o);
        copy->expr = ast_copy_expr(a, o->expr);
        copy->expr2 = ast_copy_expr(a, o->expr2);
        copy->list = ast_copy_operands(a, o->list);
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    return first;
}

struct ast_type *ast_copy_type(struct arena *a, const struct ast_type *t)
{
    struct ast_type *first = NULL, **end = &first;
    for (; t != NULL; t = t->next) {
        struct ast_type *copy = arena_copy(a, t, sizeof *t);
        if (t->rank > 0)
            copy->shape = arena_copy(a, t->shape, t->rank * sizeof *t->shape);
        copy->element = ast_copy_type(a, t->element);
        copy->params = ast_copy_type(a, t->params);
        copy->results = ast_copy_type(a, t->results);
        copy->attrs = ast_copy_attrs(a, t->attrs);
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    return first;
}

struct ast_attr *ast_copy_attrs(struct arena *a, const struct ast_attr *attrs)
{
    struct ast_attr *first = NULL, **end = &first;
    for (; attrs != NULL; attrs = attrs->next) {
        struct ast_attr *copy = arena_copy(a, attrs, sizeof *attrs);
        copy->type = ast_copy_type(a, attrs->type);
        copy->suffix = ast_copy_type(a, attrs->suffix);
        copy->list = ast_copy_attrs(a, attrs->list);
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    return first;
}

/* The type of a value is one of a list; the copy of the value has it alone. */
static struct ast_type *copy_one_type(struct arena *a, const struct ast_type *t)
{
    if (t == NULL)
        return NULL;
    struct ast_type alone = *t;
    alone.next = NULL;
    return ast_copy_type(a, &alone);
}

struct ast_value *ast_copy_values(struct arena *a, const struct ast_value *v)
{
    struct ast_value *first = NULL, **end = &first;
    for (; v != NULL; v = v->next) {
        struct ast_value *copy = arena_copy(a, v, sizeof *v);
        copy->type = copy_one_type(a, v->type);
        copy->run_types = NULL;
        copy->attr = ast_copy_attrs(a, v->attr);
        copy->modifier = ast_copy_attrs(a, v->modifier);
        copy->index = ast_copy_values(a, v->index);
        copy->bound = ast_copy_values(a, v->bound);
        copy->list = ast_copy_values(a, v->list);
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    return first;
}

static struct ast_group *copy_groups(struct arena *a, const struct ast_group *g)
{
    struct ast_group *first = NULL, **end = &first;
    for (; g != NULL; g = g->next) {
        struct ast_group *copy = arena_copy(a, g, sizeof *g);
        copy->values = ast_copy_values(a, g->values);
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    return first;
}

struct ast_op *ast_copy_op(struct arena *a, const struct ast_op *op)
{
    if (op == NULL)
        return NULL;
    struct ast_op *copy = arena_copy(a, op, sizeof *op);
    copy->results = ast_copy_values(a, op->results);
    copy->groups = copy_groups(a, op->groups);
    copy->parts = NULL;
    copy->attrs = ast_copy_attrs(a, op->attrs);
    copy->operand_types = ast_copy_type(a, op->operand_types);
    copy->result_types = ast_copy_type(a, op->result_types);
    return copy;
}

struct ast_stmt *ast_copy_stmt(struct arena *a, const struct ast_stmt *stmt)
{
    struct ast_stmt *copy = arena_copy(a, stmt, sizeof *stmt);
    copy->expr = ast_copy_expr(a, stmt->expr);
    copy->operands = ast_copy_operands(a, stmt->operands);
    copy->op = ast_copy_op(a, stmt->op);
    copy->type = ast_copy_type(a, stmt->type);
    copy->attr = ast_copy_attrs(a, stmt->attr);
    return copy;
}

const struct ast_group *ast_find_group(const struct ast_op *op, enum ast_group_kind kind,
                                       const char *name)
{
    const struct ast_group *g = op->groups;
    while (g != NULL && (g->kind != kind || (name != NULL && strcmp(g->name, name) != 0)))
        g = g->next;
    return g;
}

const struct ast_attr *ast_find_attr(const struct ast_attr *attrs, const char *key)
{
    while (attrs != NULL && (attrs->key == NULL || strcmp(attrs->key, key) != 0))
        attrs = attrs->next;
    return attrs;
}

unsigned ast_count_values(const struct ast_value *v)
{
    unsigned n = 0;
    for (; v != NULL; v = v->next)
        n++;
    return n;
}

unsigned ast_count_types(const struct ast_type *t)
{
    unsigned n = 0;
    for (; t != NULL; t = t->next)
        n++;
    return n;
}
