/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of expressions, operands and statements. */
#include <string.h>

#include "grammar/context.h"

void grammar_error(struct grammar *g, enum diag_code code, struct loc loc, const char *fmt, ...)
{
    va_list ap;
    if (g->failed)
        return;
    g->failed = true;
    va_start(ap, fmt);
    diag_vreport(g->diag, code, loc, fmt, ap);
    va_end(ap);
}

/* ---- expressions ---- */

static struct ast_expr *expr(struct grammar *g, struct span at, int op)
{
    struct ast_expr *e = arena_alloc(g->arena, sizeof *e);
    e->op = (uint8_t)op;
    e->loc = span_loc(g, at);
    e->depth = 1;
    return e;
}

struct ast_expr *ast_name(struct grammar *g, struct span at, const char *text)
{
    struct ast_expr *e = expr(g, at, AST_NAME);
    e->text = text;
    return e;
}

struct ast_expr *ast_dot(struct grammar *g, struct span at)
{
    return expr(g, at, AST_DOT);
}

static unsigned depth_of(const struct ast_expr *e)
{
    return e != NULL ? e->depth : 0;
}

/* Who walks a tree recurses, so its depth is bounded. */
static void set_depth(struct grammar *g, struct ast_expr *e)
{
    unsigned depth = depth_of(e->left);
    if (depth_of(e->right) > depth)
        depth = depth_of(e->right);
    if (depth_of(e->third) > depth)
        depth = depth_of(e->third);
    if (depth >= GRAMMAR_MAX_DEPTH)
        grammar_error(g, DIAG_TOO_DEEP, e->loc, "the expression has more than %d levels",
                      GRAMMAR_MAX_DEPTH);
    e->depth = (uint16_t)(depth < GRAMMAR_MAX_DEPTH ? depth + 1 : depth);
}

struct ast_expr *ast_cond(struct grammar *g, struct span at, struct ast_expr *c,
                          struct ast_expr *yes, struct ast_expr *no)
{
    struct ast_expr *e = expr(g, at, AST_COND);
    e->left = c;
    e->right = yes;
    e->third = no;
    set_depth(g, e);
    return e;
}

struct ast_expr *ast_binary(struct grammar *g, struct span at, int op, struct ast_expr *l,
                            struct ast_expr *r)
{
    struct ast_expr *e = expr(g, at, op);
    e->left = l;
    e->right = r;
    set_depth(g, e);
    return e;
}

struct ast_expr *ast_unary(struct grammar *g, struct span at, int op, struct ast_expr *operand)
{
    return ast_binary(g, at, op, operand, NULL);
}

struct ast_expr *ast_parenthesised(struct grammar *g, struct span at, struct ast_expr *e)
{
    e->parenthesised = true;
    e->loc = span_loc(g, at);
    return e;
}

/* ---- operands ---- */

struct ast_operand *ast_operand(struct grammar *g, struct span at, int kind, struct ast_expr *e,
                                struct ast_expr *e2)
{
    struct ast_operand *o = arena_alloc(g->arena, sizeof *o);
    o->kind = (uint8_t)kind;
    o->loc = span_loc(g, at);
    o->expr = e;
    o->expr2 = e2;
    return o;
}

/* A quoted word alone is a string to a directive and a symbol to an instruction. */
struct ast_operand *ast_value_operand(struct grammar *g, struct ast_expr *e)
{
    struct ast_operand *o = arena_alloc(g->arena, sizeof *o);
    o->kind = AST_OPERAND_EXPR;
    o->loc = e->loc;
    o->expr = e;
    if (g->mode == MODE_DIRECTIVE && e->op == AST_QUOTED && !e->parenthesised) {
        o->kind = AST_OPERAND_STRING;
        o->text = e->text;
        o->size = (size_t)e->number;
    }
    return o;
}

/* R[3] = names R3. */
static const char *indexed_key(struct grammar *g, const char *key, const struct ast_expr *index)
{
    if (index->op != AST_NUMBER) {
        grammar_error(g, DIAG_SYNTAX, index->loc, "the index of an assigned register is a number");
        return key;
    }
    return intern_z(g->names, arena_printf(g->arena, "%s%lld", key, (long long)index->number));
}

struct ast_operand *ast_assign(struct grammar *g, struct span at, struct span key_at,
                               const char *key, struct ast_expr *index, struct ast_expr *value)
{
    struct ast_operand *o = ast_operand(g, at, AST_OPERAND_ASSIGN, value, NULL);
    o->text = index != NULL ? indexed_key(g, key, index) : key;
    o->key_loc = span_loc(g, key_at);
    return o;
}

struct ast_operand *ast_bracket(struct grammar *g, struct span at, int kind,
                                struct operand_list list)
{
    struct ast_operand *o = ast_operand(g, at, kind, NULL, NULL);
    o->list = list.first;
    return o;
}

struct ast_operand *ast_typed(struct grammar *g, struct span at, const char *text)
{
    struct ast_operand *o = ast_operand(g, at, AST_OPERAND_TYPED, NULL, NULL);
    o->text = text;
    return o;
}

struct ast_operand *ast_wait(struct grammar *g, struct span at, bool event, struct ast_expr *index,
                             int relation, struct ast_expr *value, bool flip)
{
    struct ast_operand *o = ast_operand(g, at, AST_OPERAND_WAIT, index, value);
    o->event = event;
    o->relation = (uint8_t)relation;
    o->flip = flip;
    if (!event && value == NULL)
        grammar_error(g, DIAG_SYNTAX, span_loc(g, at),
                      "a semaphore needs a comparison ($S[1]>0) or an update ($S[1]++)");
    return o;
}

struct ast_operand *ast_update(struct grammar *g, struct span at, bool event,
                               struct ast_expr *index, int update, struct ast_expr *value,
                               bool complete)
{
    struct ast_operand *o = ast_operand(g, at, AST_OPERAND_UPDATE, index, value);
    o->event = event;
    o->relation = (uint8_t)update;
    o->complete = complete;
    if (event && update != AST_UPDATE_SET)
        grammar_error(g, DIAG_SYNTAX, span_loc(g, at),
                      "an event is set ($E[1]=1) or cleared ($E[1]=0), not counted");
    return o;
}

struct ast_operand *ast_arrow(struct grammar *g, struct span at, struct ast_operand *destination)
{
    destination->loc = span_loc(g, at);
    return destination;
}

struct operand_list ast_operands(struct ast_operand *first)
{
    return (struct operand_list){first, first};
}

static struct operand_list append(struct operand_list list, struct ast_operand *o)
{
    list.last->next = o;
    return (struct operand_list){list.first, o};
}

struct operand_list ast_append_operand(struct operand_list list, struct ast_operand *o)
{
    o->comma = true;
    return append(list, o);
}

struct operand_list ast_append_empty(struct grammar *g, struct operand_list list, struct span at)
{
    return ast_append_operand(list, ast_operand(g, at, AST_OPERAND_EXPR, NULL, NULL));
}

struct operand_list ast_append_adjacent(struct grammar *g, struct operand_list list,
                                        struct ast_operand *o)
{
    if (g->mode == MODE_PTO)
        grammar_error(g, DIAG_SYNTAX, o->loc, "expected ',' before this operand");
    return append(list, o);
}

/* ---- statements ---- */

static struct ast_stmt *stmt(struct grammar *g, struct span at, int kind, const char *name,
                             struct span name_at)
{
    struct ast_stmt *s = arena_alloc(g->arena, sizeof *s);
    s->kind = (uint8_t)kind;
    s->loc = span_loc(g, at);
    s->name = name;
    s->name_size = name != NULL ? intern_length(name) : 0;
    s->name_loc = span_loc(g, name_at);
    g->stmt = s;
    return s;
}

void ast_label(struct grammar *g, struct span at, const char *name)
{
    at.end--;
    stmt(g, at, AST_LABEL, name, at);
}

void ast_local_label(struct grammar *g, struct span at, int64_t number)
{
    stmt(g, at, AST_LOCAL_LABEL, NULL, at)->number = number;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/* The text behind the first word, up to the end of the last operand. */
static void set_raw(struct grammar *g, struct ast_stmt *s, struct span raw)
{
    const char *text = g->source->text;
    while (raw.begin < raw.end && is_blank(text[raw.begin]))
        raw.begin++;
    while (raw.begin < raw.end && is_blank(text[raw.end - 1]))
        raw.end--;
    s->raw = text + raw.begin;
    s->raw_size = raw.end - raw.begin;
    s->raw_loc = span_loc(g, raw);
}

void ast_set(struct grammar *g, struct span at, const char *name, struct span name_at,
             struct ast_expr *value, struct span value_at)
{
    struct ast_stmt *s = stmt(g, at, AST_SET, name, name_at);
    s->expr = value;
    set_raw(g, s, value_at);
}

void ast_command(struct grammar *g, struct span at, int kind, const char *name, struct span name_at,
                 struct operand_list operands, struct span operands_at)
{
    struct ast_stmt *s = stmt(g, at, kind, name, name_at);
    s->operands = operands.first;
    if (kind == AST_INSN)
        s->mnemonic = line_mnemonic(name, &s->mnemonic_size);
    set_raw(g, s, operands_at);
}

void ast_raw_command(struct grammar *g, struct span at, int kind, const char *name,
                     struct span name_at, struct span raw)
{
    set_raw(g, stmt(g, at, kind, name, name_at), raw);
}

/* The word in `} else {`. */
static const char *region_word(struct grammar *g, const char *text)
{
    if (text == NULL)
        return NULL;
    text += strspn(text, "} \t\f\v\r\n");
    return intern(g->names, text, strcspn(text, "{ \t\f\v\r\n"));
}

void ast_region_end(struct grammar *g, struct span at, int kind, const char *text)
{
    const char *name = region_word(g, text);
    if (g->regions.count == 0) {
        grammar_error(g, DIAG_SYNTAX, span_loc(g, at), "'}' closes no region");
        return;
    }
    struct region *open = &g->regions.item[g->regions.count - 1];
    bool dropped = open->dropped;
    if (kind == AST_REGION_END)
        g->regions.count--;
    if (!dropped)
        stmt(g, at, kind, name, at);
}
