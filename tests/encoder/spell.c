/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/encoder/spell.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ITEMS = 32, ITEM = 160 };

struct item {
    char text[ITEM];
    size_t size;
    bool floats; /* may stand in any place */
};

struct speller {
    struct dice *dice;
    const struct isa_spelling *sp;
    const struct isa_insn *in;
    isa_revset revs;
    struct item item[MAX_ITEMS];
    unsigned nitems;
    bool fails;
};

static bool coin(struct speller *s)
{
    return dice_bits(s->dice) >> 63;
}

static void put(struct speller *s, struct item *it, const char *text)
{
    size_t n = strlen(text);
    if (it->size + n >= sizeof it->text) {
        s->fails = true;
        return;
    }
    memcpy(it->text + it->size, text, n + 1);
    it->size += n;
}

static struct item *new_item(struct speller *s, bool floats)
{
    if (s->nitems == MAX_ITEMS) {
        s->fails = true;
        return &s->item[0];
    }
    struct item *it = &s->item[s->nitems++];
    it->size = 0;
    it->text[0] = '\0';
    it->floats = floats;
    return it;
}

static uint64_t value_of(const struct speller *s, unsigned field)
{
    return s->in->value[s->in->form->fields[field].index];
}

/* ---- values ---- */

/* Letters in another case; the x of 0x stays. */
static void put_word(struct speller *s, struct item *it, const char *word)
{
    char text[ITEM];
    unsigned way = dice_below(s->dice, 3);
    size_t n = strlen(word);
    if (n >= sizeof text) {
        s->fails = true;
        return;
    }
    for (size_t i = 0; i <= n; i++) {
        unsigned char c = (unsigned char)word[i];
        text[i] = (char)(way == 0 ? c : way == 1 ? toupper(c) : tolower(c));
    }
    put(s, it, text);
}

static void put_number(struct speller *s, struct item *it, int64_t number)
{
    char text[80];
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    const char *sign = number < 0 ? "-" : "";
    switch (dice_below(s->dice, 4)) {
    case 0:
        snprintf(text, sizeof text, "%s0x%llx", sign, (unsigned long long)size);
        break;
    case 1:
        snprintf(text, sizeof text, "%s0o%llo", sign, (unsigned long long)size);
        break;
    default:
        snprintf(text, sizeof text, "%s%llu", sign, (unsigned long long)size);
    }
    put(s, it, text);
}

/* One of the names of a value; NULL: none. */
static const char *any_name(struct speller *s, const struct isa_enumeration *e, uint64_t value)
{
    const char *chosen = NULL;
    unsigned seen = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const struct isa_member *m = &e->members[i];
        if (m->value == value && m->revs & s->revs && m->name[0] &&
            dice_below(s->dice, ++seen) == 0)
            chosen = m->name;
    }
    return chosen;
}

static const struct isa_enumeration *names_of(const struct isa_field *f)
{
    return f->enumeration ? &isa_enumerations[f->enumeration - 1] : NULL;
}

static void put_field(struct speller *s, struct item *it, const struct isa_operand *op,
                      unsigned field)
{
    const struct isa_field *f = &s->in->form->fields[field];
    const struct isa_enumeration *e = names_of(f);
    uint64_t value = value_of(s, field);
    const char *name = e ? any_name(s, e, value) : NULL;
    bool numeric = f->kind != ISA_KIND_ENUM || e->numeric;
    if (name && (!numeric || coin(s)))
        put_word(s, it, name);
    else if (numeric && field == op->field[0])
        put_number(s, it, (int64_t)value * (op->scale > 1 ? op->scale : 1) + op->bias);
    else if (numeric)
        put_number(s, it, (int64_t)value);
    else
        s->fails = true;
}

static void put_composite(struct speller *s, struct item *it, const struct isa_operand *op)
{
    unsigned width = s->in->form->fields[op->field[1]].width;
    uint64_t value = value_of(s, op->field[0]) << width | value_of(s, op->field[1]);
    const char *name = any_name(s, &isa_enumerations[op->enumeration - 1], value);
    if (name)
        put_word(s, it, name);
    else
        s->fails = true;
}

/* A modifier without a name of its own must be the one that is written as nothing. */
static void put_modifier(struct speller *s, struct item *it, unsigned field)
{
    const struct isa_enumeration *e = names_of(&s->in->form->fields[field]);
    uint64_t value = value_of(s, field);
    const struct isa_member *m = isa_member_of_value(e, value, s->revs);
    const char *name = any_name(s, e, value);
    if (!m)
        s->fails = true;
    else if (name) {
        put(s, it, name[0] == '.' ? "" : ".");
        put_word(s, it, name);
    }
}

static void put_shift(struct speller *s, struct item *it, const struct isa_operand *op)
{
    char text[32];
    uint64_t shift = op->shift != ISA_NO_FIELD ? value_of(s, op->shift) : op->fixed_shift;
    bool silent = op->shift != ISA_NO_FIELD ? !shift : true;
    if (silent && (op->shift == ISA_NO_FIELD ? !op->fixed_shift || coin(s) : coin(s)))
        return;
    snprintf(text, sizeof text, "<<%llu", (unsigned long long)shift);
    put(s, it, text);
}

static void size_text(struct speller *s, const struct isa_operand *op, struct item *out)
{
    const struct isa_field *f = &s->in->form->fields[op->size];
    uint64_t value = value_of(s, op->size);
    const char *name = any_name(s, names_of(f), value);
    char digits[8];
    out->size = 0;
    if (name && coin(s)) {
        put(s, out, name);
        return;
    }
    if (op->flags & ISA_OPERAND_BINARY4 && coin(s))
        snprintf(digits, sizeof digits, "%u%u%u%u", (unsigned)(value >> 3 & 1),
                 (unsigned)(value >> 2 & 1), (unsigned)(value >> 1 & 1), (unsigned)(value & 1));
    else
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    put(s, out, digits);
}

/* `T<7>`, or `T` and a floating `size=7`. */
static void put_size(struct speller *s, struct item *it, const struct isa_operand *op)
{
    struct item size = {.size = 0};
    size_text(s, op, &size);
    if (coin(s)) {
        put(s, it, "<");
        put(s, it, size.text);
        put(s, it, ">");
        return;
    }
    struct item *key = new_item(s, true);
    put(s, key, "size=");
    put(s, key, size.text);
}

static void put_value(struct speller *s, struct item *it, const struct isa_operand *op)
{
    if (op->field[0] == ISA_NO_FIELD) {
        put_number(s, it, op->dflt);
        return;
    }
    if (op->field[1] != ISA_NO_FIELD)
        put_composite(s, it, op);
    else
        put_field(s, it, op, op->field[0]);
    if (op->modifier != ISA_NO_FIELD)
        put_modifier(s, it, op->modifier);
    put_shift(s, it, op);
    if (op->size != ISA_NO_FIELD)
        put_size(s, it, op);
}

/* ---- operands ---- */

static bool has_default(const struct speller *s, const struct isa_operand *op)
{
    uint64_t value;
    if (op->field[0] == ISA_NO_FIELD)
        return true;
    value = value_of(s, op->field[0]);
    if (op->form == ISA_OPERAND_VALUE && op->field[1] != ISA_NO_FIELD)
        value = value << s->in->form->fields[op->field[1]].width | value_of(s, op->field[1]);
    if (op->modifier != ISA_NO_FIELD || op->shift != ISA_NO_FIELD)
        return false;
    return value == (uint64_t)op->dflt;
}

/* One of the words before `=`, separated by '/'. */
static void put_key(struct speller *s, struct item *it, const char *keys)
{
    char word[ITEM];
    size_t n = strcspn(keys, "/");
    while (keys[n] == '/' && coin(s)) {
        keys += n + 1;
        n = strcspn(keys, "/");
    }
    snprintf(word, sizeof word, "%.*s=", (int)n, keys);
    put_word(s, it, word);
}

static bool is_flag_set(const struct speller *s, const struct isa_operand *op)
{
    return value_of(s, op->field[0]) && (op->field[1] == ISA_NO_FIELD || value_of(s, op->field[1]));
}

/* aqrl and aq are two words of one flag: exactly one word may say each. */
static bool said_by_both(const struct speller *s, const struct isa_operand *op)
{
    for (unsigned i = 0; i < s->sp->noperands; i++) {
        const struct isa_operand *both = &s->sp->operands[i];
        if (both->form == ISA_OPERAND_FLAG && both->field[1] != ISA_NO_FIELD && both != op &&
            (both->field[0] == op->field[0] || both->field[1] == op->field[0]) &&
            is_flag_set(s, both))
            return true;
    }
    return false;
}

static bool is_omissible(const struct speller *s, const struct isa_operand *op)
{
    return op->flags & ISA_OPERAND_OPTIONAL &&
           (op->form == ISA_OPERAND_LITERAL || has_default(s, op));
}

static bool has_fixed_place(const struct isa_operand *op)
{
    return !(op->flags & (ISA_OPERAND_DEST | ISA_OPERAND_KEYED)) &&
           (op->form == ISA_OPERAND_VALUE || op->form == ISA_OPERAND_LITERAL ||
            op->form == ISA_OPERAND_RANGE);
}

/* Which operands are left out. In a fixed place only the last ones may be. */
static uint32_t omitted(struct speller *s)
{
    uint32_t set = 0;
    bool later = false;
    for (unsigned i = s->sp->noperands; i-- > 0;) {
        const struct isa_operand *op = &s->sp->operands[i];
        bool fixed = has_fixed_place(op);
        if (is_omissible(s, op) && !(fixed && later) && coin(s))
            set |= (uint32_t)1 << i;
        else
            later = later || fixed;
    }
    return set;
}

static void put_operand(struct speller *s, struct item *it, const struct isa_operand *op)
{
    if (op->flags & ISA_OPERAND_KEYED || (op->flags & ISA_OPERAND_EITHER && it->floats))
        put_key(s, it, op->text);
    switch (op->form) {
    case ISA_OPERAND_LITERAL:
        put_word(s, it, op->text);
        break;
    case ISA_OPERAND_FLAG:
        put(s, it, "");
        put_word(s, it, op->text);
        break;
    case ISA_OPERAND_RANGE:
        put_field(s, it, op, op->field[0]);
        put(s, it, coin(s) ? " ~ " : "~");
        put_field(s, it, op, op->field[1]);
        break;
    default:
        put_value(s, it, op);
    }
}

static bool opens(const struct isa_operand *op)
{
    return op->form == ISA_OPERAND_OPEN_BRACKET || op->form == ISA_OPERAND_OPEN_BRACE;
}

static bool closes(const struct isa_operand *op)
{
    return op->form == ISA_OPERAND_CLOSE_BRACKET || op->form == ISA_OPERAND_CLOSE_BRACE;
}

static bool is_skipped(const struct speller *s, unsigned i, uint32_t omit)
{
    const struct isa_operand *op = &s->sp->operands[i];
    return omit >> i & 1 ||
           (op->form == ISA_OPERAND_FLAG && (!is_flag_set(s, op) || said_by_both(s, op)));
}

/* Everything between brackets or braces is one item; optional ones may have none. */
static unsigned put_group(struct speller *s, unsigned i, uint32_t omit)
{
    const struct isa_operand *open = &s->sp->operands[i];
    bool bracket = open->form == ISA_OPERAND_OPEN_BRACKET, first = true;
    bool shown = bracket ? !(open->flags & ISA_OPERAND_OPTIONAL) || coin(s) : coin(s);
    struct item *it = new_item(s, false);
    put(s, it, !shown ? "" : bracket ? "[" : "{");
    for (i++; !closes(&s->sp->operands[i]); i++) {
        const struct isa_operand *op = &s->sp->operands[i];
        if (is_skipped(s, i, omit))
            continue;
        put(s, it, first ? "" : ", ");
        if (op->flags & ISA_OPERAND_EITHER && coin(s))
            put_key(s, it, op->text);
        put_operand(s, it, op);
        first = false;
    }
    put(s, it, !shown ? "" : bracket ? "]" : "}");
    if (first) /* nothing inside */
        s->nitems--;
    return i;
}

/* The second of two destinations follows the first, with an arrow or without. */
static bool is_second(const struct isa_spelling *sp, unsigned i)
{
    return i > 0 && sp->operands[i - 1].flags & ISA_OPERAND_DEST &&
           sp->operands[i].form == ISA_OPERAND_VALUE && !sp->operands[i].flags;
}

static void collect(struct speller *s)
{
    uint32_t omit = omitted(s);
    struct item *destination = NULL;
    for (unsigned i = 0; i < s->sp->noperands; i++) {
        const struct isa_operand *op = &s->sp->operands[i];
        if (opens(op)) {
            i = put_group(s, i, omit);
            continue;
        }
        if (is_skipped(s, i, omit))
            continue;
        bool second = destination && is_second(s->sp, i);
        bool floats = op->flags & (ISA_OPERAND_DEST | ISA_OPERAND_KEYED) ||
                      op->form == ISA_OPERAND_FLAG || (op->flags & ISA_OPERAND_EITHER && coin(s));
        struct item *it = second ? destination : new_item(s, floats);
        if (second)
            put(s, it, coin(s) ? ", " : ", ->");
        else if (op->flags & ISA_OPERAND_DEST)
            put(s, it, coin(s) ? "->" : "-> ");
        put_operand(s, it, op);
        destination = op->flags & ISA_OPERAND_DEST ? it : NULL;
    }
}

/* ---- the line ---- */

static void put_suffix(struct speller *s, struct item *it)
{
    bool in_flags = false;
    for (unsigned i = 0; i < s->sp->nsuffix; i++) {
        const struct isa_operand *part = &s->sp->suffix[i];
        if (part->form == ISA_OPERAND_FLAG) {
            if (!value_of(s, part->field[0]))
                continue;
            put(s, it, in_flags ? "" : ".");
            put_word(s, it, part->text);
            in_flags = true;
        } else if (!is_omissible(s, part) || coin(s)) {
            put_word(s, it, part->text ? part->text : "");
            put_field(s, it, part, part->field[0]);
            in_flags = false;
        }
    }
}

/* Floating items change places with their neighbours. */
static void shuffle(struct speller *s)
{
    for (unsigned i = 0; i < s->nitems; i++) {
        unsigned k = dice_below(s->dice, s->nitems);
        struct item moved = s->item[i];
        if (!moved.floats || coin(s))
            continue;
        for (; i < k && i + 1 < s->nitems; i++)
            s->item[i] = s->item[i + 1];
        s->item[i] = moved;
    }
}

bool spell(struct dice *d, const struct isa_spelling *sp, isa_revset revs,
           const struct isa_insn *in, struct buffer *out)
{
    static const char *const commas[] = {", ", ",", " ,\t"};
    struct speller s = {.dice = d, .sp = sp, .in = in, .revs = revs};
    struct item name = {.size = 0};
    put_word(&s, &name, sp->mnemonic);
    put_suffix(&s, &name);
    collect(&s);
    if (s.fails)
        return false;
    shuffle(&s);
    buffer_append(out, name.text, name.size);
    for (unsigned i = 0; i < s.nitems; i++) {
        const char *before = i ? commas[dice_below(d, 3)] : coin(&s) ? " " : "\t";
        buffer_append(out, before, strlen(before));
        buffer_append(out, s.item[i].text, s.item[i].size);
    }
    return true;
}

/* ---- values that the spelling can say ---- */

static void cover(uint64_t *set, const struct isa_operand *op)
{
    for (unsigned k = 0; k < sizeof op->field; k++)
        if (op->field[k] != ISA_NO_FIELD)
            *set |= (uint64_t)1 << op->field[k];
    if (op->modifier != ISA_NO_FIELD)
        *set |= (uint64_t)1 << op->modifier;
    if (op->shift != ISA_NO_FIELD)
        *set |= (uint64_t)1 << op->shift;
    if (op->size != ISA_NO_FIELD)
        *set |= (uint64_t)1 << op->size;
}

static bool holds(const struct isa_insn *in, const struct isa_constraint *c, isa_revset revs)
{
    const struct isa_field *f = in->form->fields;
    uint64_t value = in->value[f[c->field].index];
    switch (c->op) {
    case ISA_CONSTRAINT_IN:
        return value < 64 && c->set >> value & 1;
    case ISA_CONSTRAINT_NE:
        return value != c->set;
    case ISA_CONSTRAINT_NOT_BOTH:
        return !(value && in->value[f[c->field2].index]);
    case ISA_CONSTRAINT_MEMBER:
        if (c->field2 != ISA_NO_FIELD)
            value = value << f[c->field2].width | in->value[f[c->field2].index];
        return isa_member_of_value(&isa_enumerations[c->set], value, revs) != NULL;
    default:
        return true; /* frames are large enough as drawn */
    }
}

bool spell_prepare(const struct isa_spelling *sp, isa_revset revs, struct isa_insn *in)
{
    const struct isa_form *form = in->form;
    uint8_t match[sizeof form->match];
    uint64_t said = 0;
    store_word(match, form->match, sizeof match);
    for (unsigned i = 0; i < sp->nsuffix; i++)
        cover(&said, &sp->suffix[i]);
    for (unsigned i = 0; i < sp->noperands; i++)
        cover(&said, &sp->operands[i]);
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        if (f->constant)
            in->value[f->index] = isa_get_bits(f->pieces, f->npieces, 0, match);
        else if (!(said >> i & 1))
            in->value[f->index] = 0;
    }
    for (unsigned i = 0; i < sp->npresets; i++)
        in->value[form->fields[sp->presets[i].field].index] = (uint64_t)sp->presets[i].value;
    for (unsigned i = 0; i < form->nconstraints; i++)
        if (!holds(in, &form->constraints[i], revs))
            return false;
    for (unsigned i = 0; i < sp->nconditions; i++)
        if (!holds(in, &sp->conditions[i], revs))
            return false;
    return true;
}
