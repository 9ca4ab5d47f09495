/* SPDX-License-Identifier: BSD-3-Clause */
/* The canonical text of statements (print.h), from the parts in their order. */
#include "grammar/print.h"

#include <string.h>

enum { INDENT = 2 };

/* ---- texts ---- */

/* A squeezed text with a blank behind each ',' and ':' and around each '->', outside strings. */
static void put_spaced(struct buffer *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"') {
            const char *start = p;
            for (p++; *p != '"' && *p != '\0'; p++)
                p += *p == '\\' && p[1] != '\0';
            buffer_append(out, start, (size_t)(p - start) + (*p == '"'));
            p -= *p == '\0';
        } else if (p[0] == '-' && p[1] == '>') {
            buffer_printf(out, " -> ");
            p++;
        } else {
            buffer_append(out, p, 1);
            if (*p == ',' || *p == ':')
                buffer_append(out, " ", 1);
        }
    }
}

static bool is_word(const char *text)
{
    return *text != '\0' && (*text < '0' || *text > '9') &&
           text[strspn(
               text, "0123456789_.$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

static void put_quoted(struct buffer *out, const char *text)
{
    buffer_printf(out, "\"");
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            buffer_printf(out, "\\%03o", c);
        else
            buffer_append(out, text, 1);
    }
    buffer_printf(out, "\"");
}

static void put_name(struct buffer *out, const char *text)
{
    if (is_word(text))
        buffer_printf(out, "%s", text);
    else
        put_quoted(out, text);
}

/* ---- types ---- */

static void put_extent(struct buffer *out, int64_t extent)
{
    if (extent == AST_DYNAMIC)
        buffer_printf(out, "?");
    else
        buffer_printf(out, "%lld", (long long)extent);
}

/* The cube's and the accumulator's tiles have defaults of their own, so what was written stays. */
static bool has_plain_defaults(const struct ast_type *t)
{
    return t->location == NULL || strcmp(t->location, "vec") == 0 ||
           strcmp(t->location, "mat") == 0;
}

static bool shows(const struct ast_type *t, unsigned part, bool is_default)
{
    return (t->written & part) != 0 && !(is_default && has_plain_defaults(t));
}

/* A tile with a part missing has no compact spelling. */
static bool is_whole(const struct ast_type *t)
{
    const unsigned needed = AST_TILE_DTYPE | AST_TILE_ROWS | AST_TILE_COLS;
    return (t->written & needed) == needed;
}

static void put_tile(struct buffer *out, const struct ast_type *t)
{
    const char *prefix = t->kind == AST_TYPE_TILE ? "!pto.tile" : "!pto.tile_buf";
    buffer_printf(out, "%s<", t->bare ? "" : prefix);
    if (t->location != NULL)
        buffer_printf(out, t->bare ? "loc=%s, " : "%s, ", t->location);
    buffer_printf(out, "%lldx%lldx%s", (long long)t->rows, (long long)t->cols, t->dtype);
    if (t->v_row != t->rows || t->v_col != t->cols) {
        buffer_printf(out, ", valid=");
        put_extent(out, t->v_row);
        buffer_printf(out, "x");
        put_extent(out, t->v_col);
    }
    if (shows(t, AST_TILE_BLAYOUT, strcmp(t->blayout, "row_major") == 0))
        buffer_printf(out, ", blayout=%s", t->blayout);
    if (shows(t, AST_TILE_SLAYOUT, strcmp(t->slayout, "none_box") == 0))
        buffer_printf(out, ", slayout=%s", t->slayout);
    if (shows(t, AST_TILE_FRACTAL, t->fractal == 512))
        buffer_printf(out, ", fractal=%lld", (long long)t->fractal);
    if (shows(t, AST_TILE_PAD, t->pad == 0))
        buffer_printf(out, ", pad=%lld", (long long)t->pad);
    if (shows(t, AST_TILE_COMPACT, t->compact == 0))
        buffer_printf(out, ", compact=%lld", (long long)t->compact);
    buffer_printf(out, ">");
}

void print_type(struct buffer *out, const struct ast_type *t)
{
    bool tile = t->kind == AST_TYPE_TILE || t->kind == AST_TYPE_TILE_BUF;
    if (t->alias != NULL)
        buffer_printf(out, "%s", t->alias);
    else if (tile && is_whole(t))
        put_tile(out, t);
    else
        put_spaced(out, t->text);
}

static unsigned count_entries(const struct ast_attr *a);
static void put_entries(struct buffer *out, const struct ast_attr *a, unsigned count);

static void put_types(struct buffer *out, const struct ast_type *t, unsigned count, bool parens)
{
    buffer_printf(out, parens ? "(" : "");
    for (unsigned i = 0; i < count; i++, t = t->next) {
        buffer_printf(out, i > 0 ? ", " : "");
        print_type(out, t);
        if (t->with_attrs) {
            buffer_printf(out, " {");
            put_entries(out, t->attrs, count_entries(t->attrs));
            buffer_printf(out, "}");
        }
    }
    buffer_printf(out, parens ? ")" : "");
}

/* ---- attributes ---- */

static unsigned count_entries(const struct ast_attr *a)
{
    unsigned n = 0;
    for (; a != NULL; a = a->next)
        n++;
    return n;
}

static void put_entries(struct buffer *out, const struct ast_attr *a, unsigned count)
{
    for (unsigned i = 0; i < count && a != NULL; i++, a = a->next) {
        buffer_printf(out, i > 0 ? ", " : "");
        put_name(out, a->key);
        if (a->kind == AST_ATTR_UNIT)
            continue;
        buffer_printf(out, " = ");
        print_attr(out, a);
    }
}

static void put_elements(struct buffer *out, const struct ast_attr *a)
{
    buffer_printf(out, "[");
    for (const struct ast_attr *first = a; a != NULL; a = a->next) {
        buffer_printf(out, a != first ? ", " : "");
        print_attr(out, a);
    }
    buffer_printf(out, "]");
}

static void put_attr_value(struct buffer *out, const struct ast_attr *a)
{
    if (a->alias != NULL)
        buffer_printf(out, "%s", a->alias);
    else if (a->spelling != NULL)
        put_spaced(out, a->spelling);
    else if (a->kind == AST_ATTR_TYPE)
        print_type(out, a->type);
    else if (a->kind == AST_ATTR_ARRAY)
        put_elements(out, a->list);
    else if (a->kind == AST_ATTR_SYMBOL)
        buffer_printf(out, "@%s", a->text);
    else if (a->kind != AST_ATTR_DICT)
        put_spaced(out, a->text);
}

void print_attr(struct buffer *out, const struct ast_attr *a)
{
    if (a->kind == AST_ATTR_DICT && a->alias == NULL) {
        buffer_printf(out, "{");
        put_entries(out, a->list, UINT32_MAX);
        buffer_printf(out, "}");
    } else {
        put_attr_value(out, a);
    }
    if (a->suffix != NULL) {
        buffer_printf(out, " : ");
        print_type(out, a->suffix);
    }
}

/* ---- values ---- */

static void put_values(struct buffer *out, const struct ast_value *v);

static void put_list(struct buffer *out, const char *brackets, const struct ast_value *v)
{
    buffer_append(out, brackets, 1);
    put_values(out, v);
    buffer_append(out, brackets + 1, 1);
}

static void put_symbol(struct buffer *out, const char *name)
{
    buffer_printf(out, "@");
    put_name(out, name);
}

static void put_kind(struct buffer *out, const struct ast_value *v)
{
    switch ((enum ast_value_kind)v->kind) {
    case AST_VALUE_SSA:
        buffer_printf(out, "%%%s", v->name);
        break;
    case AST_VALUE_INT:
    case AST_VALUE_FLOAT:
        buffer_printf(out, "%s", v->spelling);
        break;
    case AST_VALUE_SYMBOL:
        put_symbol(out, v->name);
        break;
    case AST_VALUE_WORD:
        buffer_printf(out, "%s", v->name);
        break;
    case AST_VALUE_ATTR:
        print_attr(out, v->attr);
        break;
    case AST_VALUE_CALL:
        buffer_printf(out, "%s", v->name);
        put_list(out, "()", v->list);
        break;
    case AST_VALUE_LIST:
        put_list(out, "[]", v->list);
        break;
    }
}

static void put_dictionary(struct buffer *out, const struct ast_value *v)
{
    if (v->attr == NULL || v->kind == AST_VALUE_ATTR)
        return;
    buffer_printf(out, " {");
    put_entries(out, v->attr, UINT32_MAX);
    buffer_printf(out, "}");
}

static void put_value(struct buffer *out, const struct ast_value *v)
{
    if (v->key != NULL)
        buffer_printf(out, "%s = ", v->key);
    put_kind(out, v);
    if (v->modifier != NULL)
        buffer_printf(out, "!%s=%s", v->modifier->key, v->modifier->text);
    if (v->index != NULL)
        put_list(out, "[]", v->index);
    if (v->bound != NULL) {
        buffer_printf(out, " = ");
        put_value(out, v->bound);
    }
    if (!v->attr_behind_type)
        put_dictionary(out, v);
    if (v->run_types != NULL) {
        buffer_printf(out, " : ");
        put_types(out, v->run_types, ast_count_types(v->run_types), false);
    }
    if (v->attr_behind_type)
        put_dictionary(out, v);
}

static void put_values(struct buffer *out, const struct ast_value *v)
{
    for (const struct ast_value *first = v; v != NULL; v = v->next) {
        buffer_printf(out, v != first ? ", " : "");
        put_value(out, v);
    }
}

/* ---- parts of an operation ---- */

static void put_named(struct buffer *out, const struct ast_group *g)
{
    static const char *const marks[] = {[AST_FORM_BARE] = " ",
                                        [AST_FORM_PARENS] = "",
                                        [AST_FORM_EQUALS] = " = ",
                                        [AST_FORM_COLON] = ": "};
    buffer_printf(out, "%s%s", g->name, marks[g->form]);
    if (g->form == AST_FORM_PARENS)
        put_list(out, "()", g->values);
    else if (g->brackets)
        put_list(out, "[]", g->values);
    else
        put_values(out, g->values);
}

static void put_group(struct buffer *out, const struct ast_group *g)
{
    switch ((enum ast_group_kind)g->kind) {
    case AST_GROUP_INS:
        buffer_printf(out, "ins");
        put_list(out, "()", g->values);
        break;
    case AST_GROUP_OUTS:
        buffer_printf(out, "outs");
        put_list(out, "()", g->values);
        break;
    case AST_GROUP_NAMED:
        put_named(out, g);
        break;
    case AST_GROUP_PLAIN:
        if (g->form == AST_FORM_PARENS)
            put_list(out, "()", g->values);
        else
            put_values(out, g->values);
        break;
    }
}

static void put_braced(struct buffer *out, const char *open, const struct ast_part *p,
                       const char *close)
{
    buffer_printf(out, "%s", open);
    put_entries(out, p->attrs, p->count);
    buffer_printf(out, "%s", close);
}

static void put_part(struct buffer *out, const struct ast_op *op, const struct ast_part *p)
{
    switch ((enum ast_part_kind)p->kind) {
    case AST_PART_GROUP:
        put_group(out, p->group);
        break;
    case AST_PART_SYMBOL:
        put_symbol(out, op->symbol);
        break;
    case AST_PART_TYPES:
        buffer_printf(out, ": ");
        put_types(out, p->types, p->count, p->parens);
        break;
    case AST_PART_RESULT_TYPES:
        buffer_printf(out, "-> ");
        put_types(out, p->types, p->count, p->parens);
        break;
    case AST_PART_OUTS_TYPES:
        buffer_printf(out, "outs : ");
        put_types(out, p->types, p->count, p->parens);
        break;
    case AST_PART_TO_TYPE:
        buffer_printf(out, "to ");
        put_types(out, p->types, p->count, p->parens);
        break;
    case AST_PART_ATTRS:
        put_braced(out, "{", p, "}");
        break;
    case AST_PART_ATTRIBUTES:
        put_braced(out, "attributes {", p, "}");
        break;
    case AST_PART_PROPERTIES:
        put_braced(out, "<{", p, "}>");
        break;
    case AST_PART_LOCATION:
        buffer_printf(out, "%s", p->text);
        break;
    case AST_PART_HASH:
        buffer_printf(out, "#%s=", p->attrs->key);
        print_attr(out, p->attrs);
        break;
    }
}

/* (…) and […] stand directly behind the name of the operation or its symbol. */
static bool is_glued(const struct ast_part *p, const struct ast_part *before)
{
    if (p->kind != AST_PART_GROUP || p->group->kind != AST_GROUP_PLAIN ||
        (before != NULL && before->kind != AST_PART_SYMBOL))
        return false;
    if (p->group->form == AST_FORM_PARENS)
        return true;
    return before == NULL && p->group->values->kind == AST_VALUE_LIST;
}

static void put_results(struct buffer *out, const struct ast_value *v)
{
    for (; v != NULL; v = v->next) {
        buffer_printf(out, "%%%s", v->name);
        if (v->parts != 1)
            buffer_printf(out, ":%u", v->parts);
        buffer_printf(out, v->next != NULL ? ", " : " = ");
    }
}

static void put_op(struct buffer *out, const struct ast_op *op)
{
    const struct ast_part *before = NULL;
    put_results(out, op->results);
    if (op->generic)
        put_quoted(out, op->name);
    else
        buffer_printf(out, "%s", op->name);
    for (const struct ast_part *p = op->parts; p != NULL; before = p, p = p->next) {
        if (p->comma)
            buffer_printf(out, ", ");
        else if (!is_glued(p, before))
            buffer_printf(out, " ");
        put_part(out, op, p);
    }
    buffer_printf(out, op->opens_region ? " {" : "");
}

static void put_block(struct buffer *out, const struct ast_op *op)
{
    buffer_printf(out, "%s", op->name);
    if (op->groups != NULL)
        put_list(out, "()", op->groups->values);
    buffer_printf(out, ":");
}

/* ---- statements ---- */

static void put_text(struct buffer *out, const struct ast_stmt *s, const char *between)
{
    put_name(out, s->name);
    if (s->raw_size > 0)
        buffer_printf(out, "%s%.*s", between, (int)s->raw_size, s->raw);
}

static void put_stmt(struct buffer *out, const struct ast_stmt *s)
{
    switch ((enum ast_stmt_kind)s->kind) {
    case AST_LABEL:
        put_name(out, s->name);
        buffer_printf(out, ":");
        break;
    case AST_LOCAL_LABEL:
        buffer_printf(out, "%lld:", (long long)s->number);
        break;
    case AST_SET:
        put_text(out, s, " = ");
        break;
    case AST_DIRECTIVE:
    case AST_INSN:
    case AST_MACRO_CALL:
        put_text(out, s, " ");
        break;
    case AST_OP:
        put_op(out, s->op);
        break;
    case AST_REGION_ELSE:
        buffer_printf(out, "} %s {", s->name);
        break;
    case AST_REGION_BLOCK:
        put_block(out, s->op);
        break;
    case AST_REGION_END:
        buffer_printf(out, "}");
        for (const struct ast_part *p = s->op != NULL ? s->op->parts : NULL; p != NULL;
             p = p->next) {
            buffer_printf(out, " ");
            put_part(out, s->op, p);
        }
        break;
    case AST_TYPE_ALIAS:
        buffer_printf(out, "%s = ", s->name);
        print_type(out, s->type);
        break;
    case AST_ATTR_ALIAS:
        buffer_printf(out, "%s = ", s->name);
        print_attr(out, s->attr);
        break;
    }
}

void print_stmt(struct buffer *out, const struct ast_stmt *s, unsigned depth)
{
    bool closes =
        s->kind == AST_REGION_END || s->kind == AST_REGION_ELSE || s->kind == AST_REGION_BLOCK;
    unsigned columns = (depth - (closes && depth > 0)) * INDENT;
    buffer_printf(out, "%*s", (int)columns, "");
    put_stmt(out, s);
    buffer_append(out, "\n", 1);
}
