/* SPDX-License-Identifier: BSD-3-Clause */
/* The operands of a statement as a flat list. */
#include "encoder/match.h"

#include <string.h>

static const uint8_t slot_kinds[] = {
    [AST_OPERAND_EXPR] = SLOT_EXPR,     [AST_OPERAND_STRING] = SLOT_OTHER,
    [AST_OPERAND_RANGE] = SLOT_RANGE,   [AST_OPERAND_DEST] = SLOT_DEST,
    [AST_OPERAND_ASSIGN] = SLOT_ASSIGN, [AST_OPERAND_WAIT] = SLOT_WAIT,
    [AST_OPERAND_UPDATE] = SLOT_UPDATE, [AST_OPERAND_TYPED] = SLOT_OTHER,
};

static bool add_slot(struct attempt *a, enum slot_kind kind, const struct ast_operand *operand,
                     unsigned number)
{
    if (a->nslots == MAX_SLOTS) {
        if (a->m->diag)
            diag_report(a->m->diag, DIAG_OPERAND_SURPLUS, operand->loc,
                        "more than %d operands; no instruction takes so many", MAX_SLOTS);
        return false;
    }
    a->slot[a->nslots++] = (struct slot){
        .kind = (uint8_t)kind, .number = (uint8_t)number, .operand = operand, .loc = operand->loc};
    return true;
}

/* Braces only group; brackets matter (`[base, offset]`). */
static bool flatten(struct attempt *a, const struct ast_operand *list, unsigned *number)
{
    for (const struct ast_operand *o = list; o; o = o->next) {
        bool ok = true;
        if (o->kind == AST_OPERAND_BRACE)
            ok = flatten(a, o->list, number);
        else if (o->kind == AST_OPERAND_BRACKET)
            ok = add_slot(a, SLOT_OPEN, o, *number + 1) && flatten(a, o->list, number) &&
                 add_slot(a, SLOT_CLOSE, o, *number);
        else
            ok = add_slot(a, slot_kinds[o->kind], o, ++*number);
        if (!ok)
            return false;
    }
    return true;
}

bool slots_collect(struct attempt *a)
{
    unsigned number = 0;
    return flatten(a, a->stmt->operands, &number);
}

const struct ast_expr *slot_expr(const struct slot *s)
{
    return s->kind == SLOT_OPEN || s->kind == SLOT_CLOSE ? NULL : s->operand->expr;
}

const char *slot_name(const struct slot *s)
{
    const struct ast_expr *e = s->kind == SLOT_EXPR || s->kind == SLOT_DEST ? slot_expr(s) : NULL;
    return e && e->op == AST_NAME ? e->text : NULL;
}

bool name_equal(const char *text, const char *name)
{
    return text && equal_folded(text, strlen(text), name, strlen(name));
}

struct slot *slot_find_name(struct attempt *a, const char *name)
{
    for (unsigned i = 0; i < a->nslots; i++)
        if (!a->slot[i].used && a->slot[i].kind == SLOT_EXPR &&
            name_equal(slot_name(&a->slot[i]), name))
            return &a->slot[i];
    return NULL;
}

/* `keys` are alternatives separated by '/'. */
static bool key_equal(const char *text, const char *keys)
{
    for (size_t n; *keys; keys += n + (keys[n] == '/')) {
        n = strcspn(keys, "/");
        if (equal_folded(text, strlen(text), keys, n))
            return true;
    }
    return false;
}

struct slot *slot_find_key(struct attempt *a, const char *keys)
{
    for (unsigned i = 0; i < a->nslots; i++)
        if (!a->slot[i].used && a->slot[i].kind == SLOT_ASSIGN &&
            key_equal(a->slot[i].operand->text, keys))
            return &a->slot[i];
    return NULL;
}

struct slot *slot_next(struct attempt *a, unsigned from)
{
    for (unsigned i = from; i < a->nslots; i++)
        if (!a->slot[i].used)
            return &a->slot[i];
    return NULL;
}

void slot_use(struct attempt *a, struct slot *s, const struct isa_operand *op)
{
    s->used = true;
    a->bound[s - a->slot] = op;
    a->nused++;
}
