/* SPDX-License-Identifier: BSD-3-Clause */
/* SEQ operands as text (docs/language.md, after the vendor's listing style). */
#include "encoder/print.h"
#include "encoder/seq.h"
#include "support/decimal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODE, INDEX, VALUE };
enum { MOVE_COUNT, MOVE_KIND, MOVE_SOURCE, MOVE_DESTINATION, MOVE_IMMEDIATE };
enum { COMPARE_OPERATION, COMPARE_REGISTER, COMPARE_IMMEDIATE, COMPARE_SECOND };
enum { FIRST_PRINTABLE = ' ', LAST_PRINTABLE = '~', FLOAT_DIGITS = 9, FLOAT_TEXT = 32 };
enum { SHORT_NAME = 3 };

static const uint32_t EXPONENT_BITS = 0x7f800000;

static const struct isa_member *member_of(const struct printer *p, unsigned field, unsigned element)
{
    const struct isa_enumeration *e = field_enumeration(&p->in->form->fields[field]);
    return e ? isa_member_of_value(e, printed_value(p, field, element), p->revs) : NULL;
}

/* ---- waits and updates ---- */

static bool event_of(const struct printer *p, const struct isa_operand *op, struct seq_event *e)
{
    const struct isa_enumeration *modes = field_enumeration(&p->in->form->fields[op->field[MODE]]);
    return seq_event_of_mode(modes, printed_value(p, op->field[MODE], 0),
                             op->form == ISA_OPERAND_SEQ_UPDATE, p->revs, e);
}

static bool is_event(const struct isa_operand *op)
{
    return op->form == ISA_OPERAND_SEQ_WAIT || op->form == ISA_OPERAND_SEQ_UPDATE;
}

/* The register that a value names; NULL: none. */
static const struct isa_member *event_register(const struct printer *p, const struct seq_event *e,
                                               uint64_t value)
{
    if (!e->by_register)
        return NULL;
    return isa_member_of_value(&isa_enumerations[ISA_ENUM_SeqRegister],
                               e->offset ? value & SEQ_BASE_REGISTER : value, p->revs);
}

static void print_event_value(struct printer *p, const struct isa_operand *op,
                              const struct seq_event *e)
{
    uint64_t value = printed_value(p, op->field[VALUE], 0);
    const struct isa_member *reg = event_register(p, e, value);
    if (reg && e->offset)
        buffer_printf(p->out, "(%s+%llu)", reg->name,
                      (unsigned long long)(value >> SEQ_OFFSET_LSB));
    else if (reg)
        print_text(p, reg->name);
    else
        buffer_printf(p->out, "%llu", (unsigned long long)value);
}

static void print_wait(struct printer *p, const struct isa_operand *op, const struct seq_event *e)
{
    static const char *const relations[] = {
        [AST_REL_EQ] = "==", [AST_REL_NE] = "!=", [AST_REL_LT] = "<",
        [AST_REL_LE] = "<=", [AST_REL_GT] = ">",  [AST_REL_GE] = ">=",
    };
    bool clear = e->event && e->relation != AST_REL_EQ;
    buffer_printf(p->out, "%s$%c[%llu]", clear ? "!" : "", e->event ? 'E' : 'S',
                  (unsigned long long)printed_value(p, op->field[INDEX], 0));
    if (e->flip)
        print_text(p, clear ? "@set" : "@clear");
    if (e->event)
        return;
    print_text(p, relations[e->relation]);
    print_event_value(p, op, e);
}

static void print_update(struct printer *p, const struct isa_operand *op, const struct seq_event *e)
{
    static const char *const operators[] = {
        [AST_UPDATE_INC] = "++", [AST_UPDATE_DEC] = "--", [AST_UPDATE_ADD] = "+=",
        [AST_UPDATE_SUB] = "-=", [AST_UPDATE_SET] = "=",
    };
    buffer_printf(p->out, "$%c[%llu]%s", e->event ? 'E' : 'S',
                  (unsigned long long)printed_value(p, op->field[INDEX], 0),
                  operators[e->relation]);
    if (e->event)
        print_text(p, e->flip ? "0" : "1");
    else if (seq_event_has_value(e))
        print_event_value(p, op, e);
    print_text(p, e->complete ? "@complete" : "");
}

/* `ext` stands once, before the first of the extended block. */
static bool first_ext(const struct printer *p, const struct isa_operand *op)
{
    for (const struct isa_operand *o = p->spelling->operands; o < op; o++)
        if (is_event(o) && o->text && seq_operand_shown(p, o))
            return false;
    return true;
}

static void print_event(struct printer *p, const struct isa_operand *op)
{
    struct seq_event e;
    if (op->text && first_ext(p, op))
        buffer_printf(p->out, "%s ", op->text);
    if (!event_of(p, op, &e))
        buffer_printf(p->out, "$mode%llu",
                      (unsigned long long)printed_value(p, op->field[MODE], 0));
    else if (e.update)
        print_update(p, op, &e);
    else
        print_wait(p, op, &e);
}

/* ---- typed immediates ---- */

/* The shortest decimal that reads back as the same bits; raw bits for what has none. */
static void print_float(struct printer *p, uint32_t bits)
{
    char text[FLOAT_TEXT];
    float value;
    memcpy(&value, &bits, sizeof value);
    if ((bits & EXPONENT_BITS) == EXPONENT_BITS) {
        buffer_printf(p->out, "0x%x", (unsigned)bits);
        return;
    }
    for (int digits = 1; digits <= FLOAT_DIGITS; digits++) {
        decimal_print(text, sizeof text, digits, (double)value);
        if (decimal_to_float(text, NULL) == value)
            break;
    }
    print_text(p, text);
    if (!strpbrk(text, ".e"))
        print_text(p, ".0");
}

/* An immediate may hold bits above its type, which its text would not give back. */
static bool immediate_fits(const struct printer *p, unsigned field, unsigned element)
{
    struct seq_type t = seq_type_of(p->in, p->revs);
    bool typed = p->in->form->fields[field].kind == ISA_KIND_FLOAT;
    return !typed || printed_value(p, field, element) <= seq_type_mask(&t);
}

static void print_immediate(struct printer *p, unsigned field, unsigned element)
{
    struct seq_type t = seq_type_of(p->in, p->revs);
    uint64_t value = printed_value(p, field, element);
    bool fits = immediate_fits(p, field, element), is_signed = t.is_signed && fits;
    if (print_label(p, field, element))
        return;
    if (t.is_float && t.bits == 32 && fits)
        print_float(p, (uint32_t)value);
    else
        print_number(p, is_signed, (int64_t)(is_signed ? sign_extend(value, t.bits) : value));
}

/* ---- operands ---- */

static bool by_register(const struct printer *p, const struct isa_operand *op, unsigned kind_field)
{
    return printed_value(p, op->field[kind_field], 0) == op->code[0];
}

static uint64_t move_count(const struct printer *p, const struct isa_operand *op)
{
    uint64_t count = printed_value(p, op->field[MOVE_COUNT], 0);
    unsigned slots = p->in->form->fields[op->field[MOVE_DESTINATION]].count;
    return count < slots ? count : slots;
}

static void print_moves(struct printer *p, const struct isa_operand *op)
{
    bool registers = by_register(p, op, MOVE_KIND);
    for (unsigned k = 0; k < move_count(p, op); k++) {
        print_text(p, k ? ", " : "");
        print_field(p, op, op->field[MOVE_DESTINATION], k);
        print_text(p, " = ");
        if (registers)
            print_field(p, op, op->field[MOVE_SOURCE], k);
        else
            print_immediate(p, op->field[MOVE_IMMEDIATE], k);
    }
}

static const struct isa_member *comparison(const struct printer *p, const struct isa_operand *op,
                                           bool *registers)
{
    const struct isa_member *m = member_of(p, op->field[COMPARE_OPERATION], 0);
    *registers = !m;
    if (m)
        return m;
    return isa_member_of_value(&isa_enumerations[op->enumeration - 1],
                               printed_value(p, op->field[COMPARE_OPERATION], 0), p->revs);
}

/* ALWAYS compares nothing: its name has no counterpart among register comparisons. */
static bool compares(const struct printer *p, const struct isa_operand *op,
                     const struct isa_member *m)
{
    const struct isa_enumeration *e = &isa_enumerations[op->enumeration - 1];
    return m && isa_find_member(e, m->name, strlen(m->name), p->revs);
}

static void print_compare(struct printer *p, const struct isa_operand *op)
{
    bool registers;
    const struct isa_member *m = comparison(p, op, &registers);
    if (m)
        print_text(p, m->name);
    else
        print_field(p, op, op->field[COMPARE_OPERATION], 0);
    if (!compares(p, op, m))
        return;
    print_text(p, " ");
    print_field(p, op, op->field[COMPARE_REGISTER], 0);
    print_text(p, ", ");
    if (registers)
        print_field(p, op, op->field[COMPARE_SECOND], 0);
    else
        print_immediate(p, op->field[COMPARE_IMMEDIATE], 0);
}

/* A list without a count field is printed up to its last element that is not zero, but never empty.
 */
static unsigned list_count(const struct printer *p, const struct isa_operand *op)
{
    const struct isa_field *f = &p->in->form->fields[op->field[0]];
    if (op->field[1] == ISA_NO_FIELD) {
        unsigned n = f->count;
        while (n > 1 && !printed_value(p, op->field[0], n - 1))
            n--;
        return n;
    }
    uint64_t count = printed_value(p, op->field[1], 0);
    return count < f->count ? (unsigned)count : f->count;
}

static void print_list(struct printer *p, const struct isa_operand *op)
{
    for (unsigned k = 0; k < list_count(p, op); k++) {
        print_text(p, k ? ", " : "");
        print_field(p, op, op->field[0], k);
    }
}

/* Length of the name in an array of characters; *plain: it needs no quotes. */
static unsigned name_length(const struct printer *p, const struct isa_operand *op, bool *plain)
{
    const struct isa_field *f = &p->in->form->fields[op->field[0]];
    unsigned n = 0;
    *plain = true;
    while (n < f->count && printed_value(p, op->field[0], n)) {
        int c = (int)printed_value(p, op->field[0], n++);
        *plain = *plain && (isalpha(c) || c == '_' || (n > 1 && isdigit(c)));
    }
    return n;
}

/* A short plain name might be a word of the language (ext, R1). */
static void print_bytes(struct printer *p, const struct isa_operand *op)
{
    bool plain;
    unsigned n = name_length(p, op, &plain);
    const char *quote = plain && n > SHORT_NAME ? "" : "\"";
    print_text(p, quote);
    for (unsigned k = 0; k < n; k++) {
        int c = (int)printed_value(p, op->field[0], k);
        buffer_printf(p->out, "%c", c >= FIRST_PRINTABLE && c <= LAST_PRINTABLE ? c : '?');
    }
    print_text(p, quote);
}

void print_seq_operand(struct printer *p, const struct isa_operand *op)
{
    switch (op->form) {
    case ISA_OPERAND_SEQ_WAIT:
    case ISA_OPERAND_SEQ_UPDATE:
        print_event(p, op);
        break;
    case ISA_OPERAND_SEQ_MOVES:
        print_moves(p, op);
        break;
    case ISA_OPERAND_SEQ_ASSIGN:
        print_field(p, op, op->field[0], 0);
        print_text(p, " = ");
        print_field(p, op, op->field[1], 0);
        break;
    case ISA_OPERAND_SEQ_REG_OR_IMM:
        if (by_register(p, op, 0))
            print_field(p, op, op->field[1], 0);
        else if (p->in->form->fields[op->field[2]].kind == ISA_KIND_PCREL)
            print_field(p, op, op->field[2], 0);
        else
            print_immediate(p, op->field[2], 0);
        break;
    case ISA_OPERAND_SEQ_LIST:
        print_list(p, op);
        break;
    case ISA_OPERAND_SEQ_BYTES:
        print_bytes(p, op);
        break;
    case ISA_OPERAND_SEQ_COMPARE:
        print_compare(p, op);
        break;
    default:
        break;
    }
}

bool seq_operand_shown(const struct printer *p, const struct isa_operand *op)
{
    if (is_event(op))
        return printed_value(p, op->field[MODE], 0) != 0;
    if (op->form == ISA_OPERAND_SEQ_BYTES)
        return printed_value(p, op->field[0], 0) != 0;
    if (op->form == ISA_OPERAND_SEQ_LIST)
        return list_count(p, op) != 0;
    return true;
}

bool seq_operand_shows(const struct printer *p, const struct isa_operand *op, unsigned field)
{
    struct seq_event e;
    return is_event(op) && field == op->field[VALUE] && seq_operand_shown(p, op) &&
           event_of(p, op, &e) && seq_event_has_value(&e);
}

/* ---- what the text leaves out must be zero ---- */

static bool zero_from(const struct printer *p, unsigned field, unsigned first)
{
    const struct isa_field *f = &p->in->form->fields[field];
    for (unsigned k = first; k < f->count; k++)
        if (printed_value(p, field, k))
            return false;
    return true;
}

static bool event_says_all(const struct printer *p, const struct isa_operand *op)
{
    struct seq_event e;
    if (!seq_operand_shown(p, op))
        return zero_from(p, op->field[INDEX], 0);
    if (!event_of(p, op, &e))
        return false;
    return !e.by_register || event_register(p, &e, printed_value(p, op->field[VALUE], 0));
}

static bool appears(const struct printer *p, unsigned field, unsigned count, uint64_t value)
{
    for (unsigned k = 0; k < count; k++)
        if (printed_value(p, field, k) == value)
            return true;
    return false;
}

/* Destinations are distinct and none of them is a source, or the text would be refused. */
static bool moves_say_all(const struct printer *p, const struct isa_operand *op)
{
    unsigned count = (unsigned)move_count(p, op);
    unsigned to = op->field[MOVE_DESTINATION], from = op->field[MOVE_SOURCE];
    bool registers = by_register(p, op, MOVE_KIND);
    for (unsigned k = 0; k < count; k++) {
        uint64_t value = printed_value(p, to, k);
        if (!member_of(p, to, k) || appears(p, to, k, value) ||
            (registers && (!member_of(p, from, k) || appears(p, from, count, value))))
            return false;
    }
    return zero_from(p, to, count) && zero_from(p, from, registers ? count : 0) &&
           zero_from(p, op->field[MOVE_IMMEDIATE], registers ? 0 : count);
}

static bool compare_says_all(const struct printer *p, const struct isa_operand *op)
{
    bool registers;
    const struct isa_member *m = comparison(p, op, &registers);
    if (!m)
        return false;
    bool any = compares(p, op, m);
    return (any ? member_of(p, op->field[COMPARE_REGISTER], 0) != NULL
                : zero_from(p, op->field[COMPARE_REGISTER], 0)) &&
           (any && registers ? member_of(p, op->field[COMPARE_SECOND], 0) != NULL
                             : zero_from(p, op->field[COMPARE_SECOND], 0)) &&
           ((any && !registers) || zero_from(p, op->field[COMPARE_IMMEDIATE], 0)) &&
           immediate_fits(p, op->field[COMPARE_IMMEDIATE], 0);
}

static bool register_or_immediate_says_all(const struct printer *p, const struct isa_operand *op)
{
    if (by_register(p, op, 0))
        return member_of(p, op->field[1], 0) && zero_from(p, op->field[2], 0);
    const struct isa_field *f = &p->in->form->fields[op->field[2]];
    return printed_value(p, op->field[0], 0) == op->code[1] && zero_from(p, op->field[1], 0) &&
           (int64_t)printed_value(p, op->field[2], 0) % field_limits(f).step == 0 &&
           immediate_fits(p, op->field[2], 0);
}

static bool list_says_all(const struct printer *p, const struct isa_operand *op)
{
    const struct isa_field *f = &p->in->form->fields[op->field[0]];
    const struct isa_enumeration *e = field_enumeration(f);
    for (unsigned k = 0; e && !e->numeric && k < list_count(p, op); k++)
        if (!member_of(p, op->field[0], k))
            return false;
    return zero_from(p, op->field[0], list_count(p, op));
}

static bool bytes_say_all(const struct printer *p, const struct isa_operand *op)
{
    bool plain;
    unsigned n = name_length(p, op, &plain);
    for (unsigned k = 0; k < n; k++) {
        uint64_t c = printed_value(p, op->field[0], k);
        if (c < FIRST_PRINTABLE || c > LAST_PRINTABLE || c == '"' || c == '\\')
            return false;
    }
    return n > 0 && n < p->in->form->fields[op->field[0]].count && zero_from(p, op->field[0], n);
}

bool seq_operand_says_all(const struct printer *p, const struct isa_operand *op)
{
    switch (op->form) {
    case ISA_OPERAND_SEQ_WAIT:
    case ISA_OPERAND_SEQ_UPDATE:
        return event_says_all(p, op);
    case ISA_OPERAND_SEQ_MOVES:
        return moves_say_all(p, op);
    case ISA_OPERAND_SEQ_ASSIGN:
        return member_of(p, op->field[0], 0) && member_of(p, op->field[1], 0);
    case ISA_OPERAND_SEQ_REG_OR_IMM:
        return register_or_immediate_says_all(p, op);
    case ISA_OPERAND_SEQ_LIST:
        return list_says_all(p, op);
    case ISA_OPERAND_SEQ_BYTES:
        return bytes_say_all(p, op);
    case ISA_OPERAND_SEQ_COMPARE:
        return compare_says_all(p, op);
    default:
        return true;
    }
}
