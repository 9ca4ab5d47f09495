/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SEQ operands that cover several fields: waits and updates, moves,
 * assignments, register-or-immediate, comparisons, lists, names.
 * Text: docs/language.md; choices where no source speaks: docs/decisions.md.
 */
#include "encoder/match.h"
#include "encoder/seq.h"

#include <string.h>

static bool fail_seq(struct attempt *a, enum diag_code code, const struct slot *s,
                     const struct isa_operand *op, const char *message)
{
    fail(a, FAIL_SEQ, s, op);
    a->fail.code = code;
    a->fail.message = message;
    return false;
}

static const struct isa_enumeration *names_of(const struct attempt *a, unsigned field)
{
    return field == ISA_NO_FIELD ? NULL : field_enumeration(&a->form->fields[field]);
}

static const struct isa_member *find_register(const struct attempt *a, unsigned field,
                                              const struct ast_expr *expr)
{
    const struct isa_enumeration *e = names_of(a, field);
    return e ? find_member_expr(e, expr, a->revs) : NULL;
}

static bool pend(struct attempt *a, const struct isa_operand *op, unsigned field, unsigned element,
                 const struct slot *s, const struct ast_expr *expr)
{
    struct pending p = {.field = (uint8_t)field,
                        .element = (uint8_t)element,
                        .slot = (uint8_t)(s - a->slot),
                        .raw = true,
                        .operand = op,
                        .expr = expr};
    return add_pending(a, p);
}

/* ---- waits and updates ---- */

static struct slot *find_ext(struct attempt *a)
{
    for (unsigned i = 0; i < a->nslots; i++)
        if (a->slot[i].kind == SLOT_EXPR && name_equal(slot_name(&a->slot[i]), "ext"))
            return &a->slot[i];
    return NULL;
}

/* The first unused wait or update before, or behind, the word `ext`. */
static struct slot *find_event(struct attempt *a, const struct isa_operand *op)
{
    unsigned kind = op->form == ISA_OPERAND_SEQ_WAIT ? SLOT_WAIT : SLOT_UPDATE;
    struct slot *ext = find_ext(a), *end = a->slot + a->nslots;
    struct slot *first = a->slot, *last = ext ? ext : end;
    if (op->text) {
        first = ext ? ext : end;
        last = end;
    }
    for (struct slot *s = first; s < last; s++)
        if (s->kind == kind && !s->used) {
            if (op->text && !ext->used)
                slot_use(a, ext, op);
            return s;
        }
    return NULL;
}

static bool zero_or_one(const struct ast_expr *e)
{
    return e && e->op == AST_NUMBER && (e->number == 0 || e->number == 1);
}

/* The register enumeration of the set: the one that names MOVE's sources. */
static const struct isa_member *register_value(const struct attempt *a, const struct ast_expr *e)
{
    return e ? find_member_expr(&isa_enumerations[ISA_ENUM_SeqRegister], e, a->revs) : NULL;
}

/* (R5 + 16), the value of *_REG_OFFSET: its parts, or false. */
static bool register_and_offset(const struct attempt *a, const struct ast_expr *e,
                                const struct isa_member **reg, uint64_t *offset)
{
    if (!e || e->op != AST_ADD || e->right->op != AST_NUMBER)
        return false;
    *reg = register_value(a, e->left);
    *offset = (uint64_t)e->right->number;
    return *reg != NULL;
}

/* A mode that other generations have is named, so that the message can list them. */
static void name_elsewhere(struct attempt *a, const struct isa_enumeration *modes,
                           const struct seq_event *e)
{
    const struct isa_member *m = seq_event_mode(modes, e, (isa_revset) ~(isa_revset)0);
    a->fail.mode_names = m ? modes : NULL;
    a->fail.text = m ? m->name : NULL;
    a->fail.text_size = m ? strlen(m->name) : 0;
}

bool bind_seq_event(struct attempt *a, const struct isa_operand *op, bool *found)
{
    struct slot *s = find_event(a, op);
    *found = s != NULL;
    if (!s)
        return true;
    slot_use(a, s, op);
    const struct ast_operand *o = s->operand;
    const struct isa_member *reg = register_value(a, o->expr2);
    uint64_t offset = 0;
    bool has_offset = register_and_offset(a, o->expr2, &reg, &offset);
    struct seq_event e = {.update = op->form == ISA_OPERAND_SEQ_UPDATE,
                          .event = o->event,
                          .relation = o->relation,
                          .complete = o->complete,
                          .flip = o->flip,
                          .by_register = reg != NULL,
                          .offset = has_offset};
    if (offset > SEQ_OFFSET_MAX)
        return fail_seq(a, DIAG_FIELD_RANGE, s, op, "the offset of a wait is 0..0xffffff");
    if (e.event && e.update) {
        if (!zero_or_one(o->expr2))
            return fail_seq(a, DIAG_SEQ_EVENT, s, op, "an event is updated with = 1 or = 0");
        e.flip = o->expr2->number == 0;
    }
    const struct isa_member *mode = seq_event_mode(names_of(a, op->field[0]), &e, a->revs);
    if (!mode) {
        fail_seq(a, DIAG_SEQ_EVENT, s, op,
                 e.update ? "this update has no code in the generation"
                          : "this wait has no code in the generation");
        name_elsewhere(a, names_of(a, op->field[0]), &e);
        return false;
    }
    put_value(a, op->field[0], 0, mode->value);
    if (!pend(a, op, op->field[1], 0, s, o->expr))
        return false;
    if (!seq_event_has_value(&e))
        return true;
    struct pending value = {.field = op->field[2],
                            .slot = (uint8_t)(s - a->slot),
                            .raw = true,
                            .is_number = reg != NULL,
                            .number = reg ? (int64_t)(reg->value | offset << SEQ_OFFSET_LSB) : 0,
                            .operand = op,
                            .expr = o->expr2};
    return add_pending(a, value);
}

/* ---- MOVE ---- */

/* Register numbers from here on are halves of the program counter (docs/seq.md). */
enum { FIRST_READ_ONLY = 128 };

enum { MOVE_COUNT, MOVE_KIND, MOVE_SOURCE, MOVE_DESTINATION, MOVE_IMMEDIATE };

static const struct isa_member *assigned_register(const struct attempt *a, unsigned field,
                                                  const struct slot *s)
{
    const char *key = s->operand->text;
    const struct isa_enumeration *e = names_of(a, field);
    return e && key ? isa_find_member(e, key, strlen(key), a->revs) : NULL;
}

static bool moved_before(const struct attempt *a, const struct isa_operand *op, unsigned field,
                         unsigned count, uint64_t value)
{
    const struct isa_field *f = &a->form->fields[op->field[field]];
    for (unsigned i = 0; i < count; i++)
        if (a->out->insn.value[f->index + i] == value)
            return true;
    return false;
}

static bool bind_move(struct attempt *a, const struct isa_operand *op, unsigned k,
                      const struct slot *s, bool by_register)
{
    const struct isa_member *to = assigned_register(a, op->field[MOVE_DESTINATION], s);
    const struct isa_member *from = find_register(a, op->field[MOVE_SOURCE], s->operand->expr);
    if (!to)
        return fail_seq(a, DIAG_SEQ_MOVE, s, op, "a destination is R0..R63");
    if (k == a->form->fields[op->field[MOVE_DESTINATION]].count)
        return fail_seq(a, DIAG_SEQ_MOVE, s, op, "at most 8 moves fit one instruction");
    if (moved_before(a, op, MOVE_DESTINATION, k, to->value))
        return fail_seq(a, DIAG_SEQ_MOVE, s, op, "a register is the destination of two moves");
    if ((from != NULL) != by_register)
        return fail_seq(a, DIAG_SEQ_MOVE, s, op,
                        "registers and immediates cannot be mixed in one instruction");
    put_value(a, op->field[MOVE_DESTINATION], k, to->value);
    if (to->value >= FIRST_READ_ONLY && a->m->diag)
        diag_report(a->m->diag, DIAG_IGNORED_WRITE, s->operand->key_loc,
                    "%s: a write to %s is ignored", a->spelling->mnemonic, to->name);
    if (!from)
        return pend(a, op, op->field[MOVE_IMMEDIATE], k, s, s->operand->expr);
    put_value(a, op->field[MOVE_SOURCE], k, from->value);
    return true;
}

/* No register may be read and written by one instruction (docs/seq.md). */
static bool check_overlap(struct attempt *a, const struct isa_operand *op, unsigned count,
                          struct slot *const *slots)
{
    const struct isa_field *dst = &a->form->fields[op->field[MOVE_DESTINATION]];
    for (unsigned k = 0; k < count; k++)
        if (moved_before(a, op, MOVE_SOURCE, count, a->out->insn.value[dst->index + k]))
            return fail_seq(a, DIAG_SEQ_MOVE, slots[k], op,
                            "a register is both source and destination");
    return true;
}

static bool bind_moves(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    struct slot *slots[MAX_SLOTS];
    unsigned count = 0;
    bool by_register = find_register(a, op->field[MOVE_SOURCE], s->operand->expr) != NULL;
    for (; s && s->kind == SLOT_ASSIGN; s = slot_next(a, 0)) {
        slot_use(a, s, op);
        slots[count] = s;
        if (!bind_move(a, op, count++, s, by_register))
            return false;
    }
    put_value(a, op->field[MOVE_COUNT], 0, count);
    put_value(a, op->field[MOVE_KIND], 0, op->code[by_register ? 0 : 1]);
    return !by_register || check_overlap(a, op, count, slots);
}

/* ---- other operands ---- */

static bool bind_assign(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    const struct isa_member *to = assigned_register(a, op->field[0], s);
    const struct isa_member *what = find_register(a, op->field[1], s->operand->expr);
    slot_use(a, s, op);
    if (!to)
        return fail_seq(a, DIAG_OPERAND_NAME, s, op, "a destination is R0..R63");
    put_value(a, op->field[0], 0, to->value);
    if (!what) {
        fail(a, FAIL_MEMBER, s, op);
        a->fail.field = op->field[1];
        if (!a->fail.text)
            a->fail.kind = FAIL_CLASS;
        return false;
    }
    put_value(a, op->field[1], 0, what->value);
    return true;
}

static bool bind_register_or_immediate(struct attempt *a, const struct isa_operand *op,
                                       struct slot *s)
{
    const struct isa_member *reg = find_register(a, op->field[1], slot_expr(s));
    slot_use(a, s, op);
    put_value(a, op->field[0], 0, op->code[reg ? 0 : 1]);
    if (!reg)
        return pend(a, op, op->field[2], 0, s, slot_expr(s));
    put_value(a, op->field[1], 0, reg->value);
    return true;
}

/* All plain operands from here on; elements that are not written stay zero. */
static bool bind_list(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    const struct isa_field *f = &a->form->fields[op->field[0]];
    unsigned count = 0;
    for (; s; s = slot_next(a, (unsigned)(s - a->slot))) {
        if (s->kind != SLOT_EXPR)
            break;
        slot_use(a, s, op);
        if (count == f->count)
            return fail(a, FAIL_SURPLUS, s, op);
        if (!bind_field(a, op, op->field[0], count++, s, slot_expr(s)))
            return false;
    }
    if (op->field[1] != ISA_NO_FIELD)
        put_value(a, op->field[1], 0, count);
    return true;
}

/* A name as characters; the rest of the array stays zero. */
static bool bind_bytes(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    const struct isa_field *f = &a->form->fields[op->field[0]];
    const struct ast_expr *e = slot_expr(s);
    slot_use(a, s, op);
    if (e->op != AST_NAME && e->op != AST_QUOTED)
        return fail(a, FAIL_CLASS, s, op);
    size_t n = strlen(e->text);
    if (n >= f->count)
        return fail_seq(a, DIAG_FIELD_RANGE, s, op, "the name is too long for the record");
    for (size_t i = 0; i < n; i++)
        put_value(a, op->field[0], (unsigned)i, (uint8_t)e->text[i]);
    return true;
}

enum { COMPARE_OPERATION, COMPARE_REGISTER, COMPARE_IMMEDIATE, COMPARE_SECOND };

/* EQ R7, 0 | EQ R7, R8 | ALWAYS, which compares nothing. */
static bool bind_compare(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    const struct isa_enumeration *with_register = &isa_enumerations[op->enumeration - 1];
    const struct isa_member *immediate =
        find_register(a, op->field[COMPARE_OPERATION], slot_expr(s));
    const struct isa_member *registers = find_member_expr(with_register, slot_expr(s), a->revs);
    slot_use(a, s, op);
    if (!immediate)
        return fail(a, slot_name(s) ? FAIL_MEMBER : FAIL_CLASS, s, op);
    put_value(a, op->field[COMPARE_OPERATION], 0, immediate->value);
    if (!registers)
        return true;
    struct slot *first = slot_next(a, 0);
    const struct isa_member *r0 =
        first && first->kind == SLOT_EXPR
            ? find_register(a, op->field[COMPARE_REGISTER], slot_expr(first))
            : NULL;
    if (!r0)
        return fail_seq(a, first ? DIAG_OPERAND_CLASS : DIAG_OPERAND_MISSING, first, op,
                        "a comparison is 'EQ R7, 0' or 'EQ R7, R8'");
    slot_use(a, first, op);
    put_value(a, op->field[COMPARE_REGISTER], 0, r0->value);
    struct slot *second = slot_next(a, 0);
    if (!second || second->kind != SLOT_EXPR)
        return fail_seq(a, second ? DIAG_OPERAND_CLASS : DIAG_OPERAND_MISSING, second, op,
                        "a comparison is 'EQ R7, 0' or 'EQ R7, R8'");
    slot_use(a, second, op);
    const struct isa_member *r1 = find_register(a, op->field[COMPARE_SECOND], slot_expr(second));
    if (!r1)
        return pend(a, op, op->field[COMPARE_IMMEDIATE], 0, second, slot_expr(second));
    put_value(a, op->field[COMPARE_OPERATION], 0, registers->value);
    put_value(a, op->field[COMPARE_SECOND], 0, r1->value);
    return true;
}

bool bind_seq_operand(struct attempt *a, const struct isa_operand *op, struct slot *s)
{
    switch (op->form) {
    case ISA_OPERAND_SEQ_MOVES:
        return s->kind == SLOT_ASSIGN ? bind_moves(a, op, s) : fail(a, FAIL_CLASS, s, op);
    case ISA_OPERAND_SEQ_ASSIGN:
        return s->kind == SLOT_ASSIGN ? bind_assign(a, op, s) : fail(a, FAIL_CLASS, s, op);
    case ISA_OPERAND_SEQ_REG_OR_IMM:
        return s->kind == SLOT_EXPR ? bind_register_or_immediate(a, op, s)
                                    : fail(a, FAIL_CLASS, s, op);
    case ISA_OPERAND_SEQ_LIST:
        return bind_list(a, op, s);
    case ISA_OPERAND_SEQ_BYTES:
        return s->kind == SLOT_EXPR ? bind_bytes(a, op, s) : fail(a, FAIL_CLASS, s, op);
    case ISA_OPERAND_SEQ_COMPARE:
        return s->kind == SLOT_EXPR ? bind_compare(a, op, s) : fail(a, FAIL_CLASS, s, op);
    default:
        return fail(a, FAIL_CLASS, s, op);
    }
}
