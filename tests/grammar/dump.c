/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/grammar/dump.h"

static const char *const operators[] = {
    [AST_MUL] = "*",   [AST_DIV] = "/",     [AST_MOD] = "%",        [AST_ADD] = "+",
    [AST_SUB] = "-",   [AST_SHL] = "<<",    [AST_SHR] = ">>",       [AST_LT] = "<",
    [AST_LE] = "<=",   [AST_GT] = ">",      [AST_GE] = ">=",        [AST_EQ] = "==",
    [AST_NE] = "!=",   [AST_AND] = "&",     [AST_XOR] = "^",        [AST_OR] = "|",
    [AST_LAND] = "&&", [AST_LOR] = "||",    [AST_NEG] = "neg",      [AST_NOT] = "~",
    [AST_LNOT] = "!",  [AST_PLUS] = "plus", [AST_TPCREL_HI] = "hi", [AST_TPCREL_LO] = "lo",
    [AST_COND] = "?:", [AST_INDEX] = "[]"};

/* Operators in front: (+ a (* b c)). Numbers as value, with their spelling when it differs. */
void dump_expr(struct buffer *out, const struct ast_expr *e)
{
    switch (e->op) {
    case AST_NUMBER:
        buffer_printf(out, "%lld", (long long)e->number);
        return;
    case AST_FLOAT:
        buffer_printf(out, "%g", e->real);
        return;
    case AST_NAME:
        buffer_printf(out, "%s", e->text);
        return;
    case AST_QUOTED:
        buffer_printf(out, "\"%s\"", e->text);
        return;
    case AST_DOT:
        buffer_printf(out, ".");
        return;
    case AST_LOCAL:
        buffer_printf(out, "%lld%c", (long long)e->number, e->forward ? 'f' : 'b');
        return;
    default:
        break;
    }
    buffer_printf(out, "(%s ", operators[e->op]);
    dump_expr(out, e->left);
    if (e->right != NULL) {
        buffer_printf(out, " ");
        dump_expr(out, e->right);
    }
    if (e->third != NULL) {
        buffer_printf(out, " ");
        dump_expr(out, e->third);
    }
    buffer_printf(out, ")");
}

static void dump_operands(struct buffer *out, const struct ast_operand *o);

static void dump_semaphore(struct buffer *out, const struct ast_operand *o)
{
    static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const updates[] = {"++", "--", "+=", "-=", "="};
    bool wait = o->kind == AST_OPERAND_WAIT;
    buffer_printf(out, "%s $%c[", wait ? "wait" : "update", o->event ? 'E' : 'S');
    dump_expr(out, o->expr);
    buffer_printf(out, "]%s", wait ? relations[o->relation] : updates[o->relation]);
    if (o->expr2 != NULL)
        dump_expr(out, o->expr2);
    buffer_printf(out, "%s%s", o->flip ? " flip" : "", o->complete ? " complete" : "");
}

static void dump_operand(struct buffer *out, const struct ast_operand *o)
{
    switch (o->kind) {
    case AST_OPERAND_EXPR:
        if (o->expr != NULL)
            dump_expr(out, o->expr);
        break;
    case AST_OPERAND_STRING:
        buffer_printf(out, "string '%.*s'", (int)o->size, o->text);
        break;
    case AST_OPERAND_BRACKET:
        buffer_printf(out, "[");
        dump_operands(out, o->list);
        buffer_printf(out, "]");
        break;
    case AST_OPERAND_BRACE:
        buffer_printf(out, "{");
        dump_operands(out, o->list);
        buffer_printf(out, "}");
        break;
    case AST_OPERAND_RANGE:
        dump_expr(out, o->expr);
        buffer_printf(out, " ~ ");
        dump_expr(out, o->expr2);
        break;
    case AST_OPERAND_DEST:
        buffer_printf(out, "->");
        dump_expr(out, o->expr);
        if (o->expr2 != NULL) {
            buffer_printf(out, "<");
            dump_expr(out, o->expr2);
            buffer_printf(out, ">");
        }
        break;
    case AST_OPERAND_ASSIGN:
        buffer_printf(out, "%s=", o->text);
        dump_expr(out, o->expr);
        break;
    case AST_OPERAND_TYPED:
        buffer_printf(out, "@%s", o->text);
        break;
    default:
        dump_semaphore(out, o);
        break;
    }
}

static void dump_operands(struct buffer *out, const struct ast_operand *o)
{
    for (const struct ast_operand *first = o; o != NULL; o = o->next) {
        if (o != first)
            buffer_printf(out, o->comma ? ", " : " ");
        dump_operand(out, o);
    }
}

/* ---- PTO-AS ---- */

static void dump_extent(struct buffer *out, int64_t extent)
{
    if (extent == AST_DYNAMIC)
        buffer_printf(out, "?");
    else
        buffer_printf(out, "%lld", (long long)extent);
}

static void dump_tile(struct buffer *out, const struct ast_type *t)
{
    buffer_printf(out, "%s(%s ", t->kind == AST_TYPE_TILE ? "tile" : "buf",
                  t->location != NULL ? t->location : "-");
    dump_extent(out, t->rows);
    buffer_printf(out, "x");
    dump_extent(out, t->cols);
    buffer_printf(out, "x%s valid ", t->dtype != NULL ? t->dtype : "-");
    dump_extent(out, t->v_row);
    buffer_printf(out, "x");
    dump_extent(out, t->v_col);
    buffer_printf(out, " %s/%s %lld %lld %lld)", t->blayout, t->slayout, (long long)t->fractal,
                  (long long)t->pad, (long long)t->compact);
}

void dump_type(struct buffer *out, const struct ast_type *t)
{
    if (t->kind == AST_TYPE_TILE || t->kind == AST_TYPE_TILE_BUF) {
        dump_tile(out, t);
        return;
    }
    buffer_printf(out, "%s", t->kind == AST_TYPE_PLACEHOLDER ? "placeholder" : t->text);
    if (t->rank > 0 || t->element != NULL) {
        buffer_printf(out, "{");
        for (unsigned i = 0; i < t->rank; i++) {
            dump_extent(out, t->shape[i]);
            buffer_printf(out, "x");
        }
        if (t->element != NULL)
            dump_type(out, t->element);
        buffer_printf(out, "}");
    }
}

static void dump_types(struct buffer *out, const char *what, const struct ast_type *t)
{
    if (t != NULL)
        buffer_printf(out, " %s", what);
    for (; t != NULL; t = t->next) {
        buffer_printf(out, " ");
        dump_type(out, t);
    }
}

static void dump_attrs(struct buffer *out, const struct ast_attr *a);

static void dump_attr(struct buffer *out, const struct ast_attr *a)
{
    if (a->key != NULL)
        buffer_printf(out, "%s=", a->key);
    switch (a->kind) {
    case AST_ATTR_UNIT:
        buffer_printf(out, "unit");
        break;
    case AST_ATTR_INT:
        buffer_printf(out, "%lld", (long long)a->number);
        break;
    case AST_ATTR_FLOAT:
        buffer_printf(out, "%g", a->real);
        break;
    case AST_ATTR_STRING:
        buffer_printf(out, "'%s'", a->text);
        break;
    case AST_ATTR_SYMBOL:
        buffer_printf(out, "@%s", a->text);
        break;
    case AST_ATTR_ENUM:
        buffer_printf(out, "%s%s%s", a->name != NULL ? a->name : "", a->name != NULL ? ":" : "",
                      a->text);
        break;
    case AST_ATTR_TYPE:
        dump_type(out, a->type);
        break;
    case AST_ATTR_ARRAY:
        buffer_printf(out, "[");
        dump_attrs(out, a->list);
        buffer_printf(out, "]");
        break;
    case AST_ATTR_DICT:
        buffer_printf(out, "{");
        dump_attrs(out, a->list);
        buffer_printf(out, "}");
        break;
    default:
        buffer_printf(out, "raw %s", a->text);
        break;
    }
    if (a->kind != AST_ATTR_TYPE && a->type != NULL) {
        buffer_printf(out, ":");
        dump_type(out, a->type);
    }
}

static void dump_attrs(struct buffer *out, const struct ast_attr *a)
{
    for (const struct ast_attr *first = a; a != NULL; a = a->next) {
        buffer_printf(out, a != first ? ", " : "");
        dump_attr(out, a);
    }
}

static void dump_values(struct buffer *out, const struct ast_value *v);

static void dump_value(struct buffer *out, const struct ast_value *v)
{
    if (v->key != NULL)
        buffer_printf(out, "%s=", v->key);
    switch (v->kind) {
    case AST_VALUE_SSA:
        buffer_printf(out, "%%%s", v->name);
        break;
    case AST_VALUE_INT:
        buffer_printf(out, "%lld", (long long)v->number);
        break;
    case AST_VALUE_FLOAT:
        buffer_printf(out, "%g", v->real);
        break;
    case AST_VALUE_SYMBOL:
        buffer_printf(out, "@%s", v->name);
        break;
    case AST_VALUE_WORD:
        buffer_printf(out, "%s", v->name);
        break;
    case AST_VALUE_ATTR:
        dump_attr(out, v->attr);
        break;
    default:
        buffer_printf(out, "%s(", v->name != NULL ? v->name : "list");
        dump_values(out, v->list);
        buffer_printf(out, ")");
        break;
    }
    if (v->index != NULL) {
        buffer_printf(out, "[");
        dump_values(out, v->index);
        buffer_printf(out, "]");
    }
    if (v->bound != NULL) {
        buffer_printf(out, "=");
        dump_value(out, v->bound);
    }
    if (v->kind != AST_VALUE_ATTR && v->attr != NULL) {
        buffer_printf(out, "{");
        dump_attrs(out, v->attr);
        buffer_printf(out, "}");
    }
    if (v->parts != 1)
        buffer_printf(out, " x%u", v->parts);
    if (v->type != NULL) {
        buffer_printf(out, ":");
        dump_type(out, v->type);
    }
}

static void dump_values(struct buffer *out, const struct ast_value *v)
{
    for (const struct ast_value *first = v; v != NULL; v = v->next) {
        buffer_printf(out, v != first ? ", " : "");
        dump_value(out, v);
    }
}

static void dump_op(struct buffer *out, const struct ast_op *op)
{
    static const char *const kinds[] = {"ins", "outs", "", "="};
    buffer_printf(out, "%s%s", op->name, op->generic ? " generic" : "");
    if (op->symbol != NULL)
        buffer_printf(out, " @%s", op->symbol);
    if (op->results != NULL) {
        buffer_printf(out, " results(");
        dump_values(out, op->results);
        buffer_printf(out, ")");
    }
    for (const struct ast_group *group = op->groups; group != NULL; group = group->next) {
        buffer_printf(out, " %s%s(", group->name != NULL ? group->name : "", kinds[group->kind]);
        dump_values(out, group->values);
        buffer_printf(out, ")");
    }
    if (op->attrs != NULL) {
        buffer_printf(out, " {");
        dump_attrs(out, op->attrs);
        buffer_printf(out, "}");
    }
    dump_types(out, "takes", op->operand_types);
    dump_types(out, "gives", op->result_types);
    buffer_printf(out, "%s%s", op->destination_first ? " destination-first" : "",
                  op->opens_region ? " opens" : "");
}

void dump_stmt(struct buffer *out, const struct ast_stmt *s)
{
    static const char *const kinds[] = {"label", "local", "set",   "dir", "insn",
                                        "op",    "else",  "block", "end", "macro",
                                        "type-alias", "attr-alias"};
    buffer_printf(out, "%s ", kinds[s->kind]);
    if (s->kind == AST_LOCAL_LABEL)
        buffer_printf(out, "%lld", (long long)s->number);
    else if (s->op != NULL)
        dump_op(out, s->op);
    else
        buffer_printf(out, "%s", s->name != NULL ? s->name : "");
    if (s->expr != NULL) {
        buffer_printf(out, " ");
        dump_expr(out, s->expr);
    }
    if (s->operands != NULL) {
        buffer_printf(out, " | ");
        dump_operands(out, s->operands);
    } else if (s->kind == AST_MACRO_CALL || s->kind == AST_DIRECTIVE) {
        buffer_printf(out, " '%.*s'", (int)s->raw_size, s->raw);
    }
    buffer_printf(out, "\n");
}
