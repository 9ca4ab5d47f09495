/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes of PTO-AS operations. All operations share one shape: results, name,
 * then operands, groups, attributes and types in any order. What an operation
 * really takes is for its lowering to say.
 */
#include <stdlib.h>
#include <string.h>

#include "grammar/context.h"

/* ---- values ---- */

struct ast_value *ast_value(struct grammar *g, struct span at, int kind, const char *name)
{
    struct ast_value *v = arena_alloc(g->arena, sizeof *v);
    v->kind = (uint8_t)kind;
    v->loc = span_loc(g, at);
    v->name = name;
    v->parts = 1;
    return v;
}

struct ast_value *ast_attr_value(struct grammar *g, struct span at, struct ast_attr *attr)
{
    struct ast_value *v = ast_value(g, at, AST_VALUE_ATTR, NULL);
    v->attr = attr;
    return v;
}

struct ast_value *ast_literal_value(struct grammar *g, struct span at, struct ast_attr *literal)
{
    if (literal->kind == AST_ATTR_STRING)
        return ast_attr_value(g, at, literal);
    int kind = literal->kind == AST_ATTR_INT ? AST_VALUE_INT : AST_VALUE_FLOAT;
    struct ast_value *v = ast_value(g, at, kind, NULL);
    v->number = literal->number;
    v->real = literal->real;
    v->spelling = literal->spelling;
    return v;
}

struct ast_value *ast_bound(struct grammar *g, struct ast_value *name, struct ast_value *bound,
                            struct span at)
{
    name->bound = bound;
    name->loc = span_loc(g, at);
    return name;
}

struct ast_value *ast_index(struct grammar *g, struct ast_value *base, struct value_list index,
                            struct span at)
{
    base->index = index.first;
    base->loc = span_loc(g, at);
    return base;
}

struct ast_value *ast_call(struct grammar *g, struct span at, const char *name,
                           struct value_list list)
{
    struct ast_value *v = ast_value(g, at, AST_VALUE_CALL, name);
    v->list = list.first;
    return v;
}

struct ast_value *ast_list(struct grammar *g, struct span at, struct value_list list)
{
    struct ast_value *v = ast_value(g, at, AST_VALUE_LIST, NULL);
    v->list = list.first;
    return v;
}

/* key = value: the value under a name */
struct ast_value *ast_keyed(struct grammar *g, struct ast_value *value, const char *key,
                            struct span at)
{
    value->key = key;
    value->loc = span_loc(g, at);
    return value;
}

struct ast_value *ast_with_attrs(struct grammar *g, struct ast_value *value, struct ast_attr *attrs,
                                 struct span at)
{
    value->attr = attrs;
    value->loc = span_loc(g, at);
    return value;
}

struct ast_value *ast_with_attrs_behind(struct grammar *g, struct ast_value *value,
                                        struct ast_attr *attrs, struct span at)
{
    value->attr_behind_type = true;
    return ast_with_attrs(g, value, attrs, at);
}

/* %x!loc=vec */
struct ast_value *ast_modified(struct grammar *g, struct span at, const char *text)
{
    size_t name = strcspn(text, "!"), key = strcspn(text, "=");
    struct ast_value *v = ast_value(g, at, AST_VALUE_SSA, intern(g->names, text + 1, name - 1));
    struct ast_attr *a = ast_attr(g, at, AST_ATTR_ENUM, intern_z(g->names, text + key + 1));
    v->modifier = ast_attr_key(a, intern(g->names, text + name + 1, key - name - 1));
    return v;
}

struct ast_value *ast_typed_value(struct ast_value *value, struct ast_type *type)
{
    value->type = type;
    return value;
}

struct value_list ast_values(struct ast_value *first)
{
    return (struct value_list){first, first};
}

struct value_list ast_append_value(struct value_list list, struct ast_value *v)
{
    list.last->next = v;
    return (struct value_list){list.first, v};
}

/* ---- types of values ---- */

/* What stands in a list behind its ':'? A type was read as a value there. */
static struct ast_type *type_of_item(struct grammar *g, const struct ast_value *v)
{
    if (v->type != NULL || v->key != NULL)
        return NULL;
    if (v->kind == AST_VALUE_ATTR && v->attr->kind == AST_ATTR_TYPE)
        return v->attr->type;
    return v->kind == AST_VALUE_WORD ? ast_type_word(g, v->loc, v->name) : NULL;
}

static bool takes_type(const struct ast_value *v, bool literals)
{
    return v->kind == AST_VALUE_SSA ||
           (literals && (v->kind == AST_VALUE_INT || v->kind == AST_VALUE_FLOAT));
}

/* Values that want a type of their own, those inside buf(…) and group(…) too. */
static unsigned count_values(const struct ast_value *v, const struct ast_value *end, bool literals)
{
    unsigned n = 0;
    for (; v != end; v = v->next)
        n += v->kind == AST_VALUE_CALL ? count_values(v->list, NULL, literals)
                                       : takes_type(v, literals);
    return n;
}

static struct ast_type *give_types(struct ast_value *v, const struct ast_value *end,
                                   struct ast_type *t, bool literals)
{
    for (; v != end; v = v->next) {
        if (v->kind == AST_VALUE_CALL) {
            t = give_types(v->list, NULL, t, literals);
        } else if (takes_type(v, literals) && t != NULL) {
            v->type = t;
            t = t->next;
        }
    }
    return t;
}

/* Hands the types to the values [v, end) in order; true when the counts agree. */
static bool zip_types(struct ast_value *v, const struct ast_value *end, struct ast_type *types)
{
    unsigned n = ast_count_types(types);
    bool literals = count_values(v, end, false) != n;
    if (literals && count_values(v, end, true) != n)
        return false;
    give_types(v, end, types, literals);
    return true;
}

static void zip_group(struct grammar *g, struct ast_value *first, const struct ast_value *end,
                      struct type_list types)
{
    if (zip_types(first, end, types.first))
        return;
    unsigned values = count_values(first, end, false), n = ast_count_types(types.first);
    grammar_error(g, DIAG_TYPE_COUNT, types.first->loc, "%u type%s for %u value%s", n,
                  n == 1 ? "" : "s", values, values == 1 ? "" : "s");
}

/*
 * (%a, %b : T, U) was read as the values a, b : T and U, and (%a : T, %b : U)
 * as a : T and b : U. Each run of values up to a ':' shares the type behind it
 * and those that follow. The items that were types leave the list.
 */
struct value_list ast_associate_types(struct grammar *g, struct value_list args)
{
    struct value_list kept = {NULL, NULL};
    struct ast_value *v = args.first, *first = NULL;
    while (v != NULL) {
        struct ast_value *next = v->next;
        v->next = NULL;
        first = first != NULL ? first : v;
        kept = kept.first != NULL ? ast_append_value(kept, v) : ast_values(v);
        if (v->type != NULL) {
            struct type_list types = ast_types(v->type);
            struct ast_type *more;
            v->type = NULL;
            for (; next != NULL && (more = type_of_item(g, next)) != NULL; next = next->next)
                types = ast_append_type(types, more);
            v->run_types = types.first;
            zip_group(g, first, NULL, types);
            first = NULL;
        }
        v = next;
    }
    return kept;
}

/* ---- operations ---- */

/* The names of `%a:2, %b =`. */
static struct ast_value *results_of(struct grammar *g, const char *text, struct span at)
{
    struct value_list list = {NULL, NULL};
    for (const char *p = strchr(text, '%'); p != NULL; p = strchr(p, '%')) {
        struct span place = at;
        size_t len = strcspn(++p, ":,= \t\f\v");
        place.begin += (uint32_t)(p - 1 - text);
        place.end = place.begin + (uint32_t)len + 1;
        struct ast_value *v = ast_value(g, place, AST_VALUE_SSA, intern(g->names, p, len));
        if (p[len] == ':')
            v->parts = (unsigned)strtoul(p + len + 1, NULL, 10);
        list = list.first != NULL ? ast_append_value(list, v) : ast_values(v);
    }
    return list.first;
}

void ast_begin_op(struct grammar *g, const char *results, struct span results_at, const char *name,
                  struct span name_at, bool generic)
{
    struct ast_op *op = arena_alloc(g->arena, sizeof *op);
    op->name = name;
    op->name_loc = span_loc(g, name_at);
    op->generic = generic;
    if (results != NULL)
        op->results = results_of(g, results, results_at);
    g->op = op;
    g->plain = (struct value_list){NULL, NULL};
    g->parts = (struct part_list){NULL, NULL};
    g->comma = false;
}

/* ---- parts ---- */

static struct ast_part *add_part(struct grammar *g, int kind)
{
    struct ast_part *part = arena_alloc(g->arena, sizeof *part);
    part->kind = (uint8_t)kind;
    part->comma = g->comma;
    g->comma = false;
    if (g->parts.last != NULL)
        g->parts.last->next = part;
    else
        g->op->parts = part;
    g->parts.last = part;
    return part;
}

static struct ast_group *add_group(struct grammar *g, int kind, int form, const char *name,
                                   struct loc loc)
{
    struct ast_group *group = arena_alloc(g->arena, sizeof *group), **end = &g->op->groups;
    group->kind = (uint8_t)kind;
    group->form = (uint8_t)form;
    group->name = name;
    group->loc = loc;
    while (*end != NULL)
        end = &(*end)->next;
    *end = group;
    add_part(g, AST_PART_GROUP)->group = group;
    return group;
}

/* Values that stand bare, one behind the other, are one group. */
void ast_op_close_items(struct grammar *g)
{
    if (g->plain.first == NULL)
        return;
    struct loc loc = loc_join(g->plain.first->loc, g->plain.last->loc);
    bool comma = g->comma;
    g->comma = g->plain_comma;
    add_group(g, AST_GROUP_PLAIN, AST_FORM_BARE, NULL, loc)->values = g->plain.first;
    g->plain = (struct value_list){NULL, NULL};
    g->comma = comma;
}

void ast_op_comma(struct grammar *g)
{
    g->comma = true;
}

void ast_op_group(struct grammar *g, int kind, struct span at, struct value_list values)
{
    ast_op_close_items(g);
    add_group(g, kind, AST_FORM_PARENS, NULL, span_loc(g, at))->values = values.first;
}

void ast_op_named(struct grammar *g, int form, bool brackets, const char *name, struct span at,
                  struct value_list values)
{
    ast_op_close_items(g);
    struct ast_group *group = add_group(g, AST_GROUP_NAMED, form, name, span_loc(g, at));
    group->values = values.first;
    group->brackets = brackets;
}

/* <{ … }>, the properties of the generic form. */
static bool is_properties(const struct ast_value *v)
{
    return v->kind == AST_VALUE_ATTR && v->attr->kind == AST_ATTR_DICT;
}

static bool is_symbol_name(const struct grammar *g, const struct ast_value *v)
{
    return v->kind == AST_VALUE_SYMBOL && g->op->symbol == NULL && v->index == NULL;
}

/* iter_args(…), but no successor ^bb1(…). */
static bool is_named_call(const struct ast_value *v)
{
    return v->kind == AST_VALUE_CALL && v->name[0] != '^';
}

void ast_op_item(struct grammar *g, struct ast_value *value)
{
    if (is_properties(value)) {
        ast_op_attrs(g, AST_PART_PROPERTIES, (struct attr_list){value->attr->list, NULL});
    } else if (is_symbol_name(g, value)) {
        ast_op_close_items(g);
        g->op->symbol = value->name;
        add_part(g, AST_PART_SYMBOL);
    } else if (is_named_call(value)) {
        ast_op_close_items(g);
        add_group(g, AST_GROUP_NAMED, AST_FORM_PARENS, value->name, value->loc)->values =
            value->list;
    } else if (g->plain.first == NULL) {
        g->plain = ast_values(value);
        g->plain_comma = g->comma;
        g->comma = false;
    } else {
        g->plain = ast_append_value(g->plain, value);
        g->comma = false;
    }
}

static unsigned count_attrs(const struct ast_attr *a)
{
    unsigned n = 0;
    for (; a != NULL; a = a->next)
        n++;
    return n;
}

void ast_op_attrs(struct grammar *g, int kind, struct attr_list attrs)
{
    ast_op_close_items(g);
    struct ast_part *part = add_part(g, kind);
    struct ast_attr **end = &g->op->attrs;
    part->attrs = attrs.first;
    part->count = count_attrs(attrs.first);
    while (*end != NULL)
        end = &(*end)->next;
    *end = attrs.first;
}

void ast_op_types(struct grammar *g, int kind, struct type_list types)
{
    ast_op_close_items(g);
    struct ast_part *part = add_part(g, kind);
    struct ast_type **end = kind == AST_PART_TYPES ? &g->op->operand_types : &g->op->result_types;
    part->types = types.first;
    part->count = ast_count_types(types.first);
    part->parens = g->type_parens;
    while (*end != NULL)
        end = &(*end)->next;
    *end = types.first;
}

/* %a, %b : T, U with the types outside brackets; one type serves all values. */
static void associate_op_types(struct ast_op *op)
{
    struct ast_group *group = op->groups;
    while (group != NULL && group->kind != AST_GROUP_PLAIN)
        group = group->next;
    if (group == NULL || op->operand_types == NULL)
        return;
    if (zip_types(group->values, NULL, op->operand_types) || op->operand_types->next != NULL)
        return;
    for (struct ast_value *v = group->values; v != NULL; v = v->next)
        if (takes_type(v, true))
            v->type = op->operand_types;
}

/* `tadd %dst, %a, %b : (T, T, T)` of the first PTO-AS, and its declarations. */
static bool is_destination_first(const struct ast_op *op)
{
    if (op->name[0] == '.')
        return true;
    return op->results == NULL && op->symbol == NULL && op->result_types == NULL &&
           op->operand_types != NULL && op->operand_types->next != NULL &&
           strchr(op->name, '.') == NULL && strcmp(op->name, "return") != 0;
}

void ast_finish_op(struct grammar *g, struct span at, bool opens_region)
{
    struct ast_op *op = g->op;
    struct ast_stmt *s = arena_alloc(g->arena, sizeof *s);
    ast_op_close_items(g);
    associate_op_types(op);
    op->opens_region = opens_region;
    op->destination_first = is_destination_first(op);
    s->kind = AST_OP;
    s->loc = span_loc(g, at);
    s->name = op->name;
    s->name_size = intern_length(op->name);
    s->name_loc = op->name_loc;
    s->op = op;
    g->stmt = s;
    if (opens_region)
        *vec_push(g->mem, &g->regions) = (struct region){span_loc(g, at), g->failed};
}

void ast_drop_region(struct grammar *g, struct span at)
{
    *vec_push(g->mem, &g->regions) = (struct region){span_loc(g, at), true};
}

void ast_op_location(struct grammar *g, const char *text)
{
    ast_op_close_items(g);
    add_part(g, AST_PART_LOCATION)->text = text;
}

void ast_end_with_attributes(struct grammar *g, struct span at, struct span brace)
{
    struct ast_op *op = g->op;
    ast_op_close_items(g);
    for (const struct ast_part *p = op->parts; p != NULL; p = p->next)
        if (p->kind != AST_PART_ATTRS && p->kind != AST_PART_ATTRIBUTES &&
            p->kind != AST_PART_LOCATION) {
            grammar_error(g, DIAG_SYNTAX, span_loc(g, brace),
                          "only attributes and a location may stand behind the '}' of a region");
            break;
        }
    g->stmt = NULL;
    ast_region_end(g, at, AST_REGION_END, NULL);
    if (g->stmt != NULL)
        g->stmt->op = op;
}

void ast_block_label(struct grammar *g, struct span at, const char *name, struct span name_at,
                     struct value_list args)
{
    ast_begin_op(g, NULL, at, name, name_at, false);
    if (args.first != NULL)
        ast_op_group(g, AST_GROUP_PLAIN, at, args);
    ast_finish_op(g, at, false);
    g->stmt->kind = AST_REGION_BLOCK;
}
