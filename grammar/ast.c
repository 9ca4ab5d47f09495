/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of nodes that outlive their statement. */
#include "grammar/ast.h"

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
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    return first;
}
