/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which slot is which operand of the spelling. Keys, flags and destinations
 * are found wherever they stand; the rest is taken in order, optional operands
 * that do not fit their slot being skipped.
 */
#include "encoder/match.h"

enum { MAX_OPERANDS = 32 };

/* Operands of the spelling already bound, by bit. */
typedef uint32_t operand_set;

/* ---- anywhere ---- */

static bool bind_key(struct attempt *a, const struct isa_operand *op, bool *found)
{
    struct slot *s = slot_find_key(a, op->text);
    *found = s != NULL;
    if (!s)
        return true;
    slot_use(a, s, op);
    struct slot *again = slot_find_key(a, op->text);
    if (again)
        return fail(a, FAIL_DUPLICATE, again, op);
    return bind_value(a, op, s, s->operand->expr);
}

/* A word may set two flags: aqrl. */
static void set_flag(struct attempt *a, const struct isa_operand *op, uint64_t value)
{
    put_value(a, op->field[0], 0, value);
    if (op->field[1] != ISA_NO_FIELD)
        put_value(a, op->field[1], 0, value);
}

static bool bind_flag(struct attempt *a, const struct isa_operand *op, bool *found)
{
    struct slot *s = slot_find_name(a, op->text);
    *found = s != NULL;
    if (!s)
        return true;
    slot_use(a, s, op);
    set_flag(a, op, 1);
    if (a->form->fields[op->field[0]].name == ISA_FIELD_L)
        a->out->explicit_last = true;
    struct slot *again = slot_find_name(a, op->text);
    return again ? fail(a, FAIL_DUPLICATE, again, op) : true;
}

static struct slot *find_destination(struct attempt *a)
{
    for (unsigned i = 0; i < a->nslots; i++)
        if (!a->slot[i].used && a->slot[i].kind == SLOT_DEST)
            return &a->slot[i];
    return NULL;
}

static bool bind_destination_size(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    const struct ast_expr *size = s->kind == SLOT_DEST ? s->operand->expr2 : NULL;
    if (op->size == ISA_NO_FIELD)
        return size ? fail_expr(a, FAIL_CLASS, s, op, size) : true;
    struct slot *key = slot_find_key(a, "size");
    if (!key)
        return size ? bind_size(a, op, s, size) : fail(a, FAIL_SIZE, s, op);
    slot_use(a, key, op);
    if (size)
        return fail(a, FAIL_DUPLICATE, key, op);
    return bind_size(a, op, key, key->operand->expr);
}

static bool bind_destination(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    if (op->form == ISA_OPERAND_LITERAL && !name_equal(slot_name(s), op->text))
        return fail(a, FAIL_LITERAL, s, op);
    slot_use(a, s, op);
    if (!bind_destination_size(a, op, s))
        return false;
    return op->form == ISA_OPERAND_LITERAL || bind_value(a, op, s, slot_expr(s));
}

/* The other of a pair follows its destination, with an arrow of its own or without: `->a2, a3`. */
static bool bind_second(struct attempt *a, const struct isa_operand *op, struct slot *first,
                        bool *found)
{
    struct slot *s = find_destination(a), *next = first + 1;
    if (!s && next < a->slot + a->nslots && !next->used && next->kind == SLOT_EXPR)
        s = next;
    *found = s != NULL;
    if (!s)
        return true;
    slot_use(a, s, op);
    return bind_value(a, op, s, slot_expr(s));
}

static bool is_second(const struct isa_spelling *sp, unsigned i)
{
    return i + 1 < sp->noperands && sp->operands[i + 1].form == ISA_OPERAND_VALUE &&
           !sp->operands[i + 1].flags;
}

static bool bind_destinations(struct attempt *a, operand_set *done)
{
    const struct isa_spelling *sp = a->spelling;
    for (unsigned i = 0; i < sp->noperands; i++) {
        struct slot *s = sp->operands[i].flags & ISA_OPERAND_DEST ? find_destination(a) : NULL;
        if (!s)
            continue;
        if (!bind_destination(a, &sp->operands[i], s))
            return false;
        *done |= (operand_set)1 << i;
        if (is_second(sp, i)) {
            bool found;
            if (!bind_second(a, &sp->operands[i + 1], s, &found))
                return false;
            *done |= found ? (operand_set)2 << i : 0;
        }
    }
    return true;
}

/* Keys, flags and events first: a flag may stand between a destination and its second. */
static bool bind_anywhere(struct attempt *a, operand_set *done)
{
    const struct isa_spelling *sp = a->spelling;
    for (unsigned i = 0; i < sp->noperands; i++) {
        const struct isa_operand *op = &sp->operands[i];
        bool found = false, ok = true;
        if (op->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_EITHER))
            ok = bind_key(a, op, &found);
        else if (op->form == ISA_OPERAND_FLAG)
            ok = bind_flag(a, op, &found);
        else if (op->form == ISA_OPERAND_SEQ_WAIT || op->form == ISA_OPERAND_SEQ_UPDATE)
            ok = bind_seq_event(a, op, &found);
        if (!ok)
            return false;
        if (found)
            *done |= (operand_set)1 << i;
    }
    return bind_destinations(a, done);
}

/* ---- in order ---- */

static bool is_digit(const struct slot *s)
{
    const struct ast_expr *e = slot_expr(s);
    return s->kind == SLOT_EXPR && e->op == AST_NUMBER && (e->number == 0 || e->number == 1);
}

/* True when the slot can be this operand at all; optional operands are skipped otherwise. */
static bool slot_fits(const struct attempt *a, const struct isa_operand *op, const struct slot *s)
{
    switch (op->form) {
    case ISA_OPERAND_OPEN_BRACKET:
        return s->kind == SLOT_OPEN;
    case ISA_OPERAND_CLOSE_BRACKET:
        return s->kind == SLOT_CLOSE;
    case ISA_OPERAND_LITERAL:
        return name_equal(slot_name(s), op->text);
    case ISA_OPERAND_FLAG:
        return is_digit(s);
    case ISA_OPERAND_RANGE:
        return s->kind == SLOT_RANGE;
    case ISA_OPERAND_VALUE:
        return s->kind == SLOT_EXPR && value_fits(a, op, slot_expr(s));
    default:
        return s->kind == SLOT_EXPR || s->kind == SLOT_ASSIGN;
    }
}

static bool bind_range(struct attempt *a, const struct isa_operand *op, const struct slot *s)
{
    return bind_field(a, op, op->field[0], 0, s, s->operand->expr) &&
           bind_field(a, op, op->field[1], 0, s, s->operand->expr2);
}

static enum failure_kind mismatch(const struct isa_operand *op, const struct slot *s)
{
    if (s->kind == SLOT_ASSIGN)
        return FAIL_KEY;
    return op->form == ISA_OPERAND_LITERAL ? FAIL_LITERAL : FAIL_CLASS;
}

static bool bind_in_place(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    if (op->form == ISA_OPERAND_VALUE ? s->kind != SLOT_EXPR : !slot_fits(a, op, s))
        return fail(a, mismatch(op, s), s, op);
    if (op->form >= ISA_OPERAND_SEQ_MOVES)
        return bind_seq_operand(a, op, s);
    slot_use(a, s, op);
    switch (op->form) {
    case ISA_OPERAND_VALUE:
        return bind_value(a, op, s, slot_expr(s));
    case ISA_OPERAND_RANGE:
        return bind_range(a, op, s);
    case ISA_OPERAND_FLAG:
        set_flag(a, op, (uint64_t)slot_expr(s)->number);
        return true;
    case ISA_OPERAND_LITERAL:
    case ISA_OPERAND_OPEN_BRACKET:
    case ISA_OPERAND_CLOSE_BRACKET:
        return true;
    default:
        return true;
    }
}

static bool bind_in_order(struct attempt *a, operand_set *done)
{
    const struct isa_spelling *sp = a->spelling;
    for (unsigned i = 0; i < sp->noperands; i++) {
        const struct isa_operand *op = &sp->operands[i];
        bool optional = op->flags & ISA_OPERAND_OPTIONAL || op->form == ISA_OPERAND_FLAG;
        bool placeless = op->flags & (ISA_OPERAND_DEST | ISA_OPERAND_KEYED) ||
                         op->form == ISA_OPERAND_SEQ_WAIT || op->form == ISA_OPERAND_SEQ_UPDATE;
        if ((*done >> i & 1) || op->form == ISA_OPERAND_OPEN_BRACE ||
            op->form == ISA_OPERAND_CLOSE_BRACE)
            continue;
        struct slot *s = placeless ? NULL : slot_next(a, 0);
        if (op->form == ISA_OPERAND_SEQ_LIST) { /* may be empty */
            if (!bind_seq_operand(a, op, s))
                return false;
        } else if (s && (!optional || slot_fits(a, op, s))) {
            if (!bind_in_place(a, op, s))
                return false;
            *done |= (operand_set)1 << i;
        } else if (optional) {
            bind_defaults(a, op);
        } else {
            return fail(a, FAIL_MISSING, NULL, op);
        }
    }
    return true;
}

/* What a surplus slot might have been meant for: the first optional operand that was skipped. */
static bool fail_surplus(struct attempt *a, struct slot *s, operand_set done)
{
    const struct isa_spelling *sp = a->spelling;
    if (s->kind == SLOT_ASSIGN)
        return fail(a, FAIL_KEY, s, NULL);
    for (unsigned i = 0; s->kind == SLOT_EXPR && i < sp->noperands; i++) {
        const struct isa_operand *op = &sp->operands[i];
        bool skipped = !(done >> i & 1) && op->form == ISA_OPERAND_VALUE &&
                       (op->flags & ISA_OPERAND_OPTIONAL) &&
                       !(op->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_DEST));
        if (skipped)
            return fail(a, slot_name(s) && operand_names(a, op) ? FAIL_MEMBER : FAIL_CLASS, s, op);
    }
    return fail(a, FAIL_SURPLUS, s, NULL);
}

bool bind_operands(struct attempt *a)
{
    operand_set done = 0;
    if (a->spelling->noperands > MAX_OPERANDS)
        return fail(a, FAIL_SURPLUS, NULL, NULL);
    if (!bind_anywhere(a, &done) || !bind_in_order(a, &done))
        return false;
    struct slot *rest = slot_next(a, 0);
    return rest ? fail_surplus(a, rest, done) : true;
}
