/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Field values to the catalogue's text. A word is canonical when that text
 * says everything the word holds; both walk the same spelling.
 */
#include "encoder/print.h"

#include <string.h>

void print_text(struct printer *p, const char *text)
{
    buffer_text(p->out, text);
}

/* ---- values ---- */

static int64_t to_text(const struct isa_operand *op, uint64_t value)
{
    return (int64_t)value * (op->scale > 1 ? op->scale : 1) + op->bias;
}

/* Most of what a disassembly prints; several times faster than printf. */
void print_number(struct printer *p, bool is_signed, int64_t number)
{
    char digits[24];
    char *end = digits + sizeof digits, *at = end;
    bool negative = is_signed && number < 0;
    uint64_t rest = negative ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (negative)
        *--at = '-';
    buffer_append(p->out, at, (size_t)(end - at));
}

bool print_label(struct printer *p, unsigned field, unsigned element)
{
    return p->in->form->fields[field].reloc && p->options->label &&
           p->options->label(p->options->ctx, p->in, field, element, p->out);
}

void print_field(struct printer *p, const struct isa_operand *op, unsigned field, unsigned element)
{
    const struct isa_field *f = &p->in->form->fields[field];
    const struct isa_enumeration *e = field_enumeration(f);
    uint64_t value = printed_value(p, field, element);
    const struct isa_member *m =
        e && f->kind == ISA_KIND_ENUM ? isa_member_of_value(e, value, p->revs) : NULL;
    if (m) {
        print_text(p, m->name);
        return;
    }
    if (print_label(p, field, element))
        return;
    if (f->reloc && isa_relocs[f->reloc - 1].base == ISA_BASE_NONE && f->kind == ISA_KIND_UINT &&
        value) {
        buffer_printf(p->out, "0x%llx", (unsigned long long)value);
        return;
    }
    bool scaled = field == op->field[0];
    print_number(p, field_is_signed(f), scaled ? to_text(op, value) : (int64_t)value);
}

static const struct isa_member *composite_member(const struct printer *p,
                                                 const struct isa_operand *op)
{
    uint64_t value = composite_value(p->in, op->field[0], op->field[1]);
    return isa_member_of_value(&isa_enumerations[op->enumeration - 1], value, p->revs);
}

static bool is_composite(const struct isa_operand *op)
{
    return op->form == ISA_OPERAND_VALUE && op->field[1] != ISA_NO_FIELD;
}

static void print_composite(struct printer *p, const struct isa_operand *op)
{
    const struct isa_member *m = composite_member(p, op);
    if (m)
        print_text(p, m->name);
    else
        print_number(p, false, (int64_t)composite_value(p->in, op->field[0], op->field[1]));
}

static void print_modifier(struct printer *p, unsigned field)
{
    const struct isa_enumeration *e = field_enumeration(&p->in->form->fields[field]);
    uint64_t value = printed_value(p, field, 0);
    const struct isa_member *m = isa_member_of_value(e, value, p->revs);
    if (m) {
        print_text(p, m->name);
        return;
    }
    print_text(p, ".");
    print_number(p, false, (int64_t)value);
}

static void print_value(struct printer *p, const struct isa_operand *op)
{
    if (is_composite(op))
        print_composite(p, op);
    else
        print_field(p, op, op->field[0], 0);
    if (op->modifier != ISA_NO_FIELD)
        print_modifier(p, op->modifier);
    uint64_t shift = op->shift != ISA_NO_FIELD ? printed_value(p, op->shift, 0) : op->fixed_shift;
    if (shift) {
        print_text(p, "<<");
        print_number(p, false, (int64_t)shift);
    }
    if (op->size != ISA_NO_FIELD) {
        print_text(p, "<");
        print_number(p, false, (int64_t)printed_value(p, op->size, 0));
        print_text(p, ">");
    }
}

static void print_key(struct printer *p, const struct isa_operand *op)
{
    if (!(op->flags & ISA_OPERAND_KEYED))
        return;
    buffer_append(p->out, op->text, strcspn(op->text, "/"));
    print_text(p, "=");
}

static void print_operand(struct printer *p, const struct isa_operand *op)
{
    static const char *const punctuation[] = {
        [ISA_OPERAND_OPEN_BRACKET] = "[",
        [ISA_OPERAND_CLOSE_BRACKET] = "]",
        [ISA_OPERAND_OPEN_BRACE] = "{",
        [ISA_OPERAND_CLOSE_BRACE] = "}",
    };
    print_key(p, op);
    switch (op->form) {
    case ISA_OPERAND_LITERAL:
    case ISA_OPERAND_FLAG:
        print_text(p, op->text);
        break;
    case ISA_OPERAND_VALUE:
        print_value(p, op);
        break;
    case ISA_OPERAND_RANGE:
        print_field(p, op, op->field[0], 0);
        print_text(p, " ~ ");
        print_field(p, op, op->field[1], 0);
        break;
    case ISA_OPERAND_OPEN_BRACKET:
    case ISA_OPERAND_CLOSE_BRACKET:
    case ISA_OPERAND_OPEN_BRACE:
    case ISA_OPERAND_CLOSE_BRACE:
        print_text(p, punctuation[op->form]);
        break;
    default:
        print_seq_operand(p, op);
    }
}

/* ---- which operands are shown ---- */

static bool has_default(const struct printer *p, const struct isa_operand *op)
{
    if (op->field[0] == ISA_NO_FIELD)
        return true;
    uint64_t value = is_composite(op) ? composite_value(p->in, op->field[0], op->field[1])
                                      : printed_value(p, op->field[0], 0);
    return value == (uint64_t)op->dflt;
}

static bool shown_elsewhere(const struct printer *p, const struct isa_operand *op)
{
    for (unsigned i = 0; i < p->spelling->noperands; i++) {
        const struct isa_operand *other = &p->spelling->operands[i];
        if (other->form >= ISA_OPERAND_SEQ_WAIT && seq_operand_shows(p, other, op->field[0]))
            return true;
    }
    return false;
}

/* The aqrl of { aqrl, aq, rl }: both flags are set, and the single words then stay away. */
static bool flag_shown(const struct printer *p, const struct isa_operand *op)
{
    if (!printed_value(p, op->field[0], 0))
        return false;
    if (op->field[1] != ISA_NO_FIELD)
        return printed_value(p, op->field[1], 0);
    for (unsigned i = 0; i < p->spelling->noperands; i++) {
        const struct isa_operand *both = &p->spelling->operands[i];
        if (both->form == ISA_OPERAND_FLAG && both->field[1] != ISA_NO_FIELD &&
            (both->field[0] == op->field[0] || both->field[1] == op->field[0]) &&
            printed_value(p, both->field[0], 0) && printed_value(p, both->field[1], 0))
            return false;
    }
    return true;
}

/* TEMP of B.HINT alone: a hint that says nothing is written as nothing. */
static bool is_blank(const struct printer *p, const struct isa_operand *op)
{
    const struct isa_member *m = is_composite(op) ? composite_member(p, op) : NULL;
    return m && !m->name[0];
}

/* `later`: an operand behind this one is shown in a fixed place. */
static bool shown(const struct printer *p, const struct isa_operand *op, bool later)
{
    switch (op->form) {
    case ISA_OPERAND_FLAG:
        return flag_shown(p, op);
    case ISA_OPERAND_OPEN_BRACKET:
    case ISA_OPERAND_CLOSE_BRACKET:
        return !(op->flags & ISA_OPERAND_OPTIONAL);
    case ISA_OPERAND_VALUE:
        break;
    default:
        return op->form < ISA_OPERAND_SEQ_WAIT || seq_operand_shown(p, op);
    }
    if (op->field[0] == ISA_NO_FIELD || is_blank(p, op))
        return false;
    if (!(op->flags & ISA_OPERAND_HIDDEN))
        return true;
    if (op->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_DEST))
        return !has_default(p, op) && !shown_elsewhere(p, op);
    return later || !has_default(p, op);
}

/* Braces without contents are left out. */
static uint32_t drop_empty_braces(const struct printer *p, uint32_t set)
{
    unsigned n = p->spelling->noperands, open = n;
    for (unsigned i = 0; i < n; i++) {
        unsigned form = p->spelling->operands[i].form;
        if (form == ISA_OPERAND_OPEN_BRACE)
            open = i;
        else if (form == ISA_OPERAND_CLOSE_BRACE && open < n)
            set &= ~((uint32_t)1 << open | (uint32_t)1 << i);
        else if (set >> i & 1)
            open = n;
    }
    return set;
}

static uint32_t shown_operands(const struct printer *p)
{
    uint32_t set = 0;
    bool later = false;
    for (unsigned i = p->spelling->noperands; i-- > 0;) {
        const struct isa_operand *op = &p->spelling->operands[i];
        if (!shown(p, op, later))
            continue;
        set |= (uint32_t)1 << i;
        later = later || (op->form == ISA_OPERAND_VALUE &&
                          !(op->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_DEST)));
    }
    return drop_empty_braces(p, set);
}

/* ---- the whole text ---- */

static const struct isa_spelling *choose_spelling(const struct isa_insn *in, isa_revset revs)
{
    const struct isa_form *form = in->form;
    const struct isa_spelling *any = &isa_spellings[form->spelling];
    for (unsigned i = 0; i < form->nspellings; i++) {
        const struct isa_spelling *sp = &isa_spellings[form->spelling + i];
        bool fits = (sp->flags & ISA_SPELLING_PRINT) && (sp->revs & revs);
        for (unsigned k = 0; fits && k < sp->nconditions; k++)
            fits = constraint_holds(in, &sp->conditions[k], revs);
        for (unsigned k = 0; fits && k < sp->npresets; k++)
            fits = in->value[form->fields[sp->presets[k].field].index] ==
                   (uint64_t)sp->presets[k].value;
        if (fits)
            return sp;
    }
    return any;
}

static void print_suffix(struct printer *p)
{
    bool in_flags = false;
    for (unsigned i = 0; i < p->spelling->nsuffix; i++) {
        const struct isa_operand *part = &p->spelling->suffix[i];
        if (part->form == ISA_OPERAND_FLAG) {
            if (!printed_value(p, part->field[0], 0))
                continue;
            print_text(p, in_flags ? "" : ".");
            print_text(p, part->text);
            in_flags = true;
        } else if (!(part->flags & ISA_OPERAND_HIDDEN) || !has_default(p, part)) {
            print_text(p, part->text ? part->text : "");
            print_field(p, part, part->field[0], 0);
            in_flags = false;
        }
    }
}

/* SEQ text separates what is not a plain operand by a blank, as its vendor's listings do. */
static bool stands_apart(const struct isa_form *form, const struct isa_operand *op)
{
    return op->form == ISA_OPERAND_SEQ_WAIT || op->form == ISA_OPERAND_SEQ_UPDATE ||
           (form->set == ISA_SET_SEQ && (op->flags & ISA_OPERAND_KEYED));
}

static const char *separator(const struct isa_form *form, const struct isa_operand *before,
                             const struct isa_operand *op)
{
    if (!before || before->form == ISA_OPERAND_OPEN_BRACKET ||
        before->form == ISA_OPERAND_OPEN_BRACE || op->form == ISA_OPERAND_CLOSE_BRACKET ||
        op->form == ISA_OPERAND_CLOSE_BRACE)
        return "";
    if (stands_apart(form, before) || stands_apart(form, op) ||
        before->form == ISA_OPERAND_SEQ_ASSIGN)
        return " ";
    return ", ";
}

static void print_operands(struct printer *p)
{
    uint32_t set = shown_operands(p);
    const struct isa_operand *before = NULL;
    bool in_destinations = false;
    print_text(p, set ? " " : "");
    for (unsigned i = 0; i < p->spelling->noperands; i++) {
        const struct isa_operand *op = &p->spelling->operands[i];
        if (!(set >> i & 1))
            continue;
        print_text(p, separator(p->in->form, before, op));
        if ((op->flags & ISA_OPERAND_DEST) && !in_destinations) {
            print_text(p, "->");
            in_destinations = true;
        }
        print_operand(p, op);
        before = op;
    }
}

void isa_print(const struct isa_insn *in, const struct isa_print_options *options,
               struct buffer *out)
{
    isa_revset revs = target_revs(&options->target, in->form->set);
    struct printer p = {.in = in,
                        .options = options,
                        .spelling = choose_spelling(in, revs),
                        .revs = revs,
                        .out = out};
    print_text(&p, p.spelling->mnemonic);
    print_suffix(&p);
    print_operands(&p);
}

/* ---- canonical words ---- */

typedef uint64_t field_set;

/* The value has a name, or is a number that the text may give. */
static bool named(const struct printer *p, unsigned field)
{
    const struct isa_field *f = &p->in->form->fields[field];
    const struct isa_enumeration *e = field_enumeration(f);
    if (f->kind == ISA_KIND_PCREL)
        return (int64_t)printed_value(p, field, 0) % field_limits(f).step == 0;
    if (!e || f->kind != ISA_KIND_ENUM || e->numeric)
        return true;
    return isa_member_of_value(e, printed_value(p, field, 0), p->revs) != NULL;
}

static void cover(field_set *set, unsigned field)
{
    if (field != ISA_NO_FIELD)
        *set |= (field_set)1 << field;
}

/* Adds the operand's fields to `set`; false when their values have no text. */
static bool says_all(const struct printer *p, const struct isa_operand *op, field_set *set)
{
    for (unsigned k = 0; k < sizeof op->field; k++)
        cover(set, op->field[k]);
    cover(set, op->modifier);
    cover(set, op->shift);
    cover(set, op->size);
    if (op->form >= ISA_OPERAND_SEQ_WAIT)
        return seq_operand_says_all(p, op);
    if (op->form != ISA_OPERAND_VALUE && op->form != ISA_OPERAND_RANGE)
        return true;
    if (op->field[0] == ISA_NO_FIELD)
        return true;
    if (is_composite(op))
        return composite_member(p, op) != NULL;
    return named(p, op->field[0]) && (op->form != ISA_OPERAND_RANGE || named(p, op->field[1])) &&
           (op->modifier == ISA_NO_FIELD || named(p, op->modifier));
}

static bool text_says_all(const struct printer *p)
{
    const struct isa_form *form = p->in->form;
    const struct isa_spelling *sp = p->spelling;
    field_set set = 0;
    for (unsigned i = 0; i < sp->nsuffix; i++)
        if (!says_all(p, &sp->suffix[i], &set))
            return false;
    for (unsigned i = 0; i < sp->noperands; i++)
        if (!says_all(p, &sp->operands[i], &set))
            return false;
    for (unsigned i = 0; i < sp->npresets; i++)
        cover(&set, sp->presets[i].field);
    for (unsigned i = 0; i < form->nfields; i++)
        for (unsigned k = 0; k < form->fields[i].count; k++)
            if (!(set >> i & 1) && !form->fields[i].constant && printed_value(p, i, k))
                return false;
    return true;
}

bool isa_canonical(const struct isa_target *target, const struct isa_insn *in, const uint8_t *bytes,
                   uint64_t open)
{
    isa_revset revs = target_revs(target, in->form->set);
    struct printer p = {.in = in, .spelling = choose_spelling(in, revs), .revs = revs};
    uint8_t packed[ISA_MAX_LENGTH];
    if (!(p.spelling->flags & ISA_SPELLING_PRINT) || !text_says_all(&p))
        return false;
    isa_pack(in, packed);
    return !memcmp(packed, bytes, in->form->length) &&
           (in->form->set != ISA_SET_SEQ || !isa_seq_validate(target, bytes, open, NULL, NULL));
}
