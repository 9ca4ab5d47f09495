/* SPDX-License-Identifier: BSD-3-Clause */
/* A failed try as a message: what was found, what was expected, what is legal. */
#include "encoder/match.h"

#include <string.h>

/* A try that got as far as checking values beats every try that failed by shape. */
static unsigned rank(const struct attempt *a, enum failure_kind kind)
{
    bool settled = kind >= FAIL_RANGE || kind == FAIL_REPORTED || kind == FAIL_REGISTER;
    return a->nused + (settled ? MAX_SLOTS : 0);
}

bool fail_expr(struct attempt *a, enum failure_kind kind, const struct slot *s,
               const struct isa_operand *op, const struct ast_expr *expr)
{
    const struct slot *last = a->nslots ? &a->slot[a->nslots - 1] : NULL;
    a->fail = (struct failure){.kind = (uint8_t)kind,
                               .operand_number = s      ? s->number
                                                 : last ? last->number + 1
                                                        : 1,
                               .slot_kind = s ? s->kind : SLOT_OTHER,
                               .rank = rank(a, kind),
                               .loc = expr ? expr->loc
                                      : s  ? s->loc
                                           : a->stmt->name_loc,
                               .spelling = a->spelling,
                               .operand = op,
                               .form = a->form,
                               .field = op && op->field[0] != ISA_NO_FIELD ? op->field[0] : -1};
    if (expr && (expr->op == AST_NAME || expr->op == AST_QUOTED || expr->op == AST_NUMBER))
        a->fail.text = expr->text;
    a->fail.text_size = a->fail.text ? strlen(a->fail.text) : 0;
    return false;
}

bool fail(struct attempt *a, enum failure_kind kind, const struct slot *s,
          const struct isa_operand *op)
{
    return fail_expr(a, kind, s, op, s ? slot_expr(s) : NULL);
}

/* ---- what is expected ---- */

static const struct isa_enumeration *operand_enumeration(const struct failure *f)
{
    if (f->operand && f->operand->enumeration)
        return &isa_enumerations[f->operand->enumeration - 1];
    return f->field >= 0 ? field_enumeration(&f->form->fields[f->field]) : NULL;
}

/* The first of the alternatives "PadValue/ByteId". */
static int key_length(const char *key)
{
    return (int)strcspn(key, "/");
}

static const char *article(const char *noun)
{
    return strchr("aeiouAEIOU", noun[0]) ? "an" : "a";
}

static void add_value_class(struct phrase *p, const struct failure *f)
{
    const struct isa_enumeration *e = operand_enumeration(f);
    const struct isa_field *field = f->field >= 0 ? &f->form->fields[f->field] : NULL;
    if (field && field->kind == ISA_KIND_PCREL)
        phrase_add(p, "a label or number (%s)", field_name(field));
    else if (e && (f->operand->enumeration || field->kind == ISA_KIND_ENUM))
        phrase_add(p, "%s %s", article(e->what), e->what);
    else
        phrase_add(p, "a number (%s)", field ? field_name(field) : "");
}

static void add_expected(struct phrase *p, const struct failure *f)
{
    const struct isa_operand *op = f->operand;
    if (op->flags & ISA_OPERAND_DEST)
        phrase_add(p, "'->' and ");
    if (op->flags & ISA_OPERAND_KEYED)
        phrase_add(p, "'%.*s=' and ", key_length(op->text), op->text);
    switch (op->form) {
    case ISA_OPERAND_LITERAL:
    case ISA_OPERAND_FLAG:
        phrase_add(p, "'%s'", op->text);
        break;
    case ISA_OPERAND_OPEN_BRACKET:
        phrase_add(p, "'['");
        break;
    case ISA_OPERAND_CLOSE_BRACKET:
        phrase_add(p, "']'");
        break;
    case ISA_OPERAND_RANGE:
        phrase_add(p, "a range 'first ~ last'");
        break;
    case ISA_OPERAND_SEQ_MOVES:
        phrase_add(p, "moves 'R<n> = value'");
        break;
    case ISA_OPERAND_SEQ_ASSIGN:
        phrase_add(p, "'R<n> = OPERATION'");
        break;
    case ISA_OPERAND_SEQ_COMPARE:
        phrase_add(p, "a comparison");
        break;
    default:
        add_value_class(p, f);
    }
}

static const char *slot_what(const struct failure *f)
{
    static const char *const what[] = {
        [SLOT_EXPR] = "an expression", [SLOT_RANGE] = "a range", [SLOT_DEST] = "a destination",
        [SLOT_ASSIGN] = "a key=value", [SLOT_WAIT] = "a wait",   [SLOT_UPDATE] = "an update",
        [SLOT_OPEN] = "a '['",         [SLOT_CLOSE] = "the ']'", [SLOT_OTHER] = "a string",
    };
    return what[f->slot_kind];
}

static bool listed_last(const struct phrase *p, const char *word)
{
    size_t n = strlen(word);
    return p->size >= n && !memcmp(p->text + p->size - n, word, n);
}

/* Every word that a spelling of the mnemonic takes in place `index`. */
static void add_words(struct phrase *p, const struct isa_mnemonic *m, unsigned index,
                      const struct failure *f, isa_revset revs)
{
    for (unsigned i = 0; i < m->count; i++) {
        const struct isa_spelling *sp = &isa_spellings[isa_mnemonic_index[m->first + i]];
        const struct isa_operand *op = index < sp->noperands ? &sp->operands[index] : NULL;
        if (!(sp->revs & revs) || !op || op->form != ISA_OPERAND_LITERAL ||
            op->flags != f->operand->flags || listed_last(p, op->text))
            continue;
        phrase_comma(p);
        phrase_add(p, "%s", op->text);
    }
}

/* ---- messages ---- */

struct report {
    const struct attempt *a;
    const struct failure *f;
    const struct isa_mnemonic *mnemonic;
    const char *name; /* of the instruction */
    struct phrase legal;
};

static void say_missing(struct report *r)
{
    add_expected(&r->legal, r->f);
    diag_report(r->a->m->diag, DIAG_OPERAND_MISSING, r->f->loc,
                "%s: operand %u is missing: expected %s", r->name, r->f->operand_number,
                r->legal.text);
}

static void say_size(struct report *r)
{
    phrase_legal(&r->legal, r->f->form, r->f->spelling, r->f->operand->size, r->a->revs);
    diag_report(r->a->m->diag, DIAG_OPERAND_MISSING, r->f->loc,
                "%s: operand %u needs a size, as in ->%.*s<1> or size=1 (legal: %s)", r->name,
                r->f->operand_number, (int)r->f->text_size, r->f->text ? r->f->text : "",
                r->legal.text);
}

static void say_surplus(struct report *r)
{
    diag_report(r->a->m->diag, DIAG_OPERAND_SURPLUS, r->f->loc, "%s: operand %u is one too many",
                r->name, r->f->operand_number);
}

static void say_duplicate(struct report *r)
{
    const struct isa_operand *op = r->f->operand;
    diag_report(r->a->m->diag, DIAG_OPERAND_DUPLICATE, r->f->loc, "%s: %.*s is given twice",
                r->name, op->text ? key_length(op->text) : 4, op->text ? op->text : "size");
}

static void say_literal(struct report *r)
{
    unsigned index = (unsigned)(r->f->operand - r->f->spelling->operands);
    add_words(&r->legal, r->mnemonic, index, r->f, r->a->revs);
    if (r->f->text)
        diag_report(r->a->m->diag, DIAG_OPERAND_NAME, r->f->loc,
                    "%s: operand %u is '%.*s'; expected %s", r->name, r->f->operand_number,
                    (int)r->f->text_size, r->f->text, r->legal.text);
    else
        diag_report(r->a->m->diag, DIAG_OPERAND_CLASS, r->f->loc,
                    "%s: operand %u is %s; expected %s", r->name, r->f->operand_number,
                    slot_what(r->f), r->legal.text);
}

/* `BSTART.VEC TDIV`: the operation exists, on another engine. */
static bool say_other_engine(struct report *r)
{
    const struct isa_tileop *op = isa_find_tileop(r->f->text, r->f->text_size);
    if (!op || !(op->revs & r->a->revs) || !r->f->operand->enumeration)
        return false;
    diag_report(r->a->m->diag, DIAG_WRONG_ENGINE, r->f->loc, "%s: %s starts as %s", r->name,
                op->name, op->start);
    return true;
}

static bool say_retired(struct report *r)
{
    const struct isa_retired *old = isa_find_retired(r->f->text, r->f->text_size);
    if (!old || !(old->revs & r->a->revs))
        return false;
    diag_report(r->a->m->diag, DIAG_RETIRED, r->f->loc, "%s: %s: %s", r->name, old->name,
                old->message);
    return true;
}

/* A member that only other revisions or generations have. */
static bool say_elsewhere(struct report *r, const struct isa_enumeration *e, const char *name,
                          size_t size)
{
    const isa_revset any = (isa_revset) ~(isa_revset)0;
    const struct isa_member *m = e ? isa_find_member(e, name, size, any) : NULL;
    struct phrase here = {0}, there = {0};
    if (!m || e->set != ISA_SET_SEQ || m->revs & r->a->revs)
        return false;
    phrase_revisions(&here, e->set, r->a->revs);
    phrase_revisions(&there, e->set, m->revs);
    diag_report(r->a->m->diag, DIAG_NOT_IN_REVISION, r->f->loc,
                "%s: %s %s is not known for %s (known for %s)", r->name, e->what, m->name,
                here.text, there.text);
    return true;
}

static void say_member(struct report *r)
{
    const struct isa_enumeration *e = operand_enumeration(r->f);
    if (say_other_engine(r) || say_retired(r) || say_elsewhere(r, e, r->f->text, r->f->text_size))
        return;
    phrase_members(&r->legal, e, NULL, r->a->revs);
    diag_report(r->a->m->diag, DIAG_OPERAND_NAME, r->f->loc,
                "%s: operand %u: '%.*s' is not %s %s (legal: %s)", r->name, r->f->operand_number,
                (int)r->f->text_size, r->f->text, article(e->what), e->what, r->legal.text);
}

static void say_class(struct report *r)
{
    bool misplaced = r->f->slot_kind == SLOT_DEST && !(r->f->operand->flags & ISA_OPERAND_DEST);
    bool named = r->f->text && !misplaced;
    add_expected(&r->legal, r->f);
    if (named)
        diag_report(r->a->m->diag, DIAG_OPERAND_CLASS, r->f->loc,
                    "%s: operand %u is '%.*s'; expected %s", r->name, r->f->operand_number,
                    (int)r->f->text_size, r->f->text, r->legal.text);
    else
        diag_report(r->a->m->diag, DIAG_OPERAND_CLASS, r->f->loc,
                    "%s: operand %u is %s; expected %s", r->name, r->f->operand_number,
                    slot_what(r->f), r->legal.text);
}

static void say_register(struct report *r)
{
    add_value_class(&r->legal, r->f);
    diag_report(r->a->m->diag, DIAG_OPERAND_CLASS, r->f->loc,
                "%s: operand %u: '%.*s' is a register; expected %s; quote a symbol of that name",
                r->name, r->f->operand_number, (int)r->f->text_size, r->f->text, r->legal.text);
}

static void add_suffix_part(struct phrase *p, const struct isa_spelling *sp,
                            const struct isa_operand *part, isa_revset revs)
{
    const struct isa_form *form = &isa_forms[sp->form];
    phrase_comma(p);
    if (part->form == ISA_OPERAND_FLAG)
        phrase_add(p, "%s", part->text);
    else
        phrase_legal(p, form, sp, part->field[0], revs);
}

static void say_suffix(struct report *r)
{
    const struct isa_spelling *sp = r->f->spelling;
    for (unsigned i = 0; i < sp->nsuffix && r->f->text_size; i++)
        if (sp->suffix[i].form != ISA_OPERAND_FLAG &&
            say_elsewhere(r, field_enumeration(&r->f->form->fields[sp->suffix[i].field[0]]),
                          r->f->text + 1, r->f->text_size - 1))
            return;
    for (unsigned i = 0; i < sp->nsuffix; i++)
        add_suffix_part(&r->legal, sp, &sp->suffix[i], r->a->revs);
    if (r->f->text_size)
        diag_report(r->a->m->diag, DIAG_UNKNOWN_SUFFIX, r->f->loc,
                    "%s: unknown suffix '%.*s'%s%s%s", r->name, (int)r->f->text_size, r->f->text,
                    sp->nsuffix ? " (legal: " : "", r->legal.text, sp->nsuffix ? ")" : "");
    else
        diag_report(r->a->m->diag, DIAG_UNKNOWN_SUFFIX, r->f->loc, "%s needs a suffix (legal: %s)",
                    r->name, r->legal.text);
}

static void say_key(struct report *r)
{
    const struct isa_spelling *sp = r->f->spelling;
    const char *key = "";
    struct loc at = r->f->loc;
    for (unsigned i = 0; i < sp->noperands; i++) {
        const struct isa_operand *op = &sp->operands[i];
        if (!(op->flags & (ISA_OPERAND_KEYED | ISA_OPERAND_EITHER)) && op->size == ISA_NO_FIELD)
            continue;
        phrase_comma(&r->legal);
        phrase_add(&r->legal, "%.*s", op->text ? key_length(op->text) : 4,
                   op->text ? op->text : "size");
    }
    for (unsigned i = 0; i < r->a->nslots; i++)
        if (r->a->slot[i].kind == SLOT_ASSIGN && r->a->slot[i].number == r->f->operand_number) {
            key = r->a->slot[i].operand->text;
            at = r->a->slot[i].operand->key_loc;
        }
    diag_report(r->a->m->diag, DIAG_UNKNOWN_KEY, at, "%s takes no '%s='%s%s%s", r->name, key,
                r->legal.size ? " (legal: " : "", r->legal.text, r->legal.size ? ")" : "");
}

static void say_fixed(struct report *r)
{
    diag_report(r->a->m->diag, DIAG_UNKNOWN_KEY, r->f->loc,
                "%s: only %s=%lld is accepted: no source says where the value stands", r->name,
                r->f->operand->text, (long long)r->f->value);
}

static void say_range(struct report *r)
{
    const struct isa_field *f = &r->f->form->fields[r->f->field];
    diag_report(r->a->m->diag, DIAG_FIELD_RANGE, r->f->loc, "%s: %lld is not in [%lld, %lld] (%s)",
                r->name, (long long)r->f->value, (long long)r->f->min, (long long)r->f->max,
                field_name(f));
}

static void say_step(struct report *r)
{
    const struct isa_field *f = &r->f->form->fields[r->f->field];
    diag_report(r->a->m->diag, DIAG_FIELD_STEP, r->f->loc,
                "%s: %lld is not a multiple of %lld (%s)", r->name, (long long)r->f->value,
                (long long)r->f->step, field_name(f));
}

static void say_shift(struct report *r)
{
    diag_report(r->a->m->diag, DIAG_FIELD_RANGE, r->f->loc, "%s: the shift is always <<%lld",
                r->name, (long long)r->f->min);
}

static void say_mask(struct report *r)
{
    const struct isa_enumeration *e = operand_enumeration(r->f);
    phrase_members(&r->legal, e, NULL, r->a->revs);
    struct phrase rev = {0};
    phrase_revisions(&rev, e->set, r->a->revs);
    diag_report(r->a->m->diag, DIAG_MASK, r->f->loc, "%s: %s '%.*s' has no code in %s (legal: %s)",
                r->name, e->what, (int)r->f->text_size, r->f->text ? r->f->text : "", rev.text,
                r->legal.text);
}

static void say_reserved(struct report *r)
{
    const struct isa_form *form = r->f->form;
    const struct isa_enumeration *e = field_enumeration(&form->fields[r->f->field]);
    const struct isa_member *m = e ? isa_member_of_value(e, (uint64_t)r->f->value, r->a->revs) : 0;
    phrase_legal(&r->legal, form, r->f->spelling, (unsigned)r->f->field, r->a->revs);
    const char *name = field_name(&form->fields[r->f->field]);
    if (m && !e->numeric)
        diag_report(r->a->m->diag, DIAG_RESERVED_VALUE, r->f->loc,
                    "%s: %s %s is not allowed (legal: %s)", r->name, name, m->name, r->legal.text);
    else
        diag_report(r->a->m->diag, DIAG_RESERVED_VALUE, r->f->loc,
                    "%s: %s %lld is reserved (legal: %s)", r->name, name, (long long)r->f->value,
                    r->legal.text);
}

/* A value that a more specific form has taken out: `addtpc 0, ->ra` would be a setret. */
static void say_owned(struct report *r)
{
    const struct isa_form *form = r->f->form;
    const struct isa_field *f = &form->fields[r->f->field];
    const struct isa_enumeration *e = field_enumeration(f);
    const struct isa_member *m = e ? isa_member_of_value(e, (uint64_t)r->f->value, r->a->revs) : 0;
    diag_report(r->a->m->diag, DIAG_OWNED_WORD, r->f->loc, "%s: %s cannot be %s: that word is '%s'",
                r->name, field_name(f), m ? m->name : "", form_mnemonic(r->f->owner));
}

static void say_both(struct report *r)
{
    const struct isa_constraint *c = r->f->constraint;
    const struct isa_field *f = r->f->form->fields;
    diag_report(r->a->m->diag, DIAG_EXCLUSIVE_FLAGS, r->f->loc, "%s: %s and %s exclude each other",
                r->name, field_name(&f[c->field]), field_name(&f[c->field2]));
}

static void say_frame(struct report *r)
{
    diag_report(r->a->m->diag, DIAG_FRAME_SIZE, r->f->loc,
                "%s: %lld bytes are too few for the registers, which need %lld", r->name,
                (long long)r->f->value, (long long)r->f->min);
}

static void say_selector(struct report *r)
{
    const struct isa_constraint *c = r->f->constraint;
    const struct isa_field *f = r->f->form->fields;
    struct phrase rev = {0};
    phrase_revisions(&rev, r->f->form->set, r->a->revs);
    diag_report(r->a->m->diag, DIAG_RESERVED_VALUE, r->f->loc,
                "%s: %s %lld, %s %lld select no %s of %s", r->name, field_name(&f[c->field]),
                (long long)r->f->value, field_name(&f[c->field2]), (long long)r->f->min,
                isa_enumerations[c->set].what, rev.text);
}

static void say_seq(struct report *r)
{
    if (r->f->text && r->f->mode_names &&
        say_elsewhere(r, r->f->mode_names, r->f->text, r->f->text_size))
        return;
    diag_report(r->a->m->diag, r->f->code, r->f->loc, "%s: %s", r->name, r->f->message);
}

static void say_many(struct report *r)
{
    diag_report(r->a->m->diag, DIAG_MANY_SYMBOLS, r->f->loc,
                "%s: more than %d operands depend on symbols", r->name, ISA_MAX_FIXUPS);
}

void failure_report(const struct attempt *a, const struct failure *f,
                    const struct isa_mnemonic *mnemonic)
{
    static void (*const say[])(struct report *) = {
        [FAIL_SIZE] = say_size,        [FAIL_MISSING] = say_missing,
        [FAIL_SURPLUS] = say_surplus,  [FAIL_DUPLICATE] = say_duplicate,
        [FAIL_LITERAL] = say_literal,  [FAIL_MEMBER] = say_member,
        [FAIL_CLASS] = say_class,      [FAIL_REGISTER] = say_register,
        [FAIL_SUFFIX] = say_suffix,    [FAIL_KEY] = say_key,
        [FAIL_FIXED] = say_fixed,      [FAIL_RANGE] = say_range,
        [FAIL_STEP] = say_step,        [FAIL_SHIFT] = say_shift,
        [FAIL_MASK] = say_mask,        [FAIL_RESERVED] = say_reserved,
        [FAIL_OWNED] = say_owned,      [FAIL_BOTH] = say_both,
        [FAIL_FRAME] = say_frame,      [FAIL_SELECTOR] = say_selector,
        [FAIL_MANY_FIXUPS] = say_many, [FAIL_SEQ] = say_seq,
    };
    struct report r = {.a = a, .f = f, .mnemonic = mnemonic, .name = f->spelling->mnemonic};
    if (a->m->diag && f->kind < sizeof say / sizeof *say && say[f->kind])
        say[f->kind](&r);
}
