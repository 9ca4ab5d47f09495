/* SPDX-License-Identifier: BSD-3-Clause */
/* One statement against all spellings of its mnemonic. */
#include "encoder/match.h"

#include <string.h>

enum { MAX_SUGGESTIONS = 3 };

/* ---- checks on settled values ---- */

static bool awaits(const struct attempt *a, const struct isa_constraint *c)
{
    for (unsigned i = 0; i < a->out->nfixups; i++)
        if (constraint_reads(c, a->out->fixup[i].field))
            return true;
    return false;
}

/* The form that a refused value turns the word into, or NULL. */
static const struct isa_form *owner_of(const struct attempt *a)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_insn in;
    struct isa_why why;
    unsigned length;
    if (a->form->set != ISA_SET_PTO)
        return NULL;
    isa_pack(&a->out->insn, bytes);
    bool decoded =
        isa_decode(&a->m->target, bytes, a->form->length, &in, &length, &why) == ISA_DECODED;
    return decoded ? in.form : NULL;
}

static const struct isa_operand *operand_of_field(const struct isa_spelling *sp, unsigned field)
{
    for (unsigned i = 0; i < sp->noperands; i++) {
        const struct isa_operand *op = &sp->operands[i];
        if (op->field[0] == field || op->size == field || op->shift == field ||
            ((op->form == ISA_OPERAND_RANGE || op->enumeration) && op->field[1] == field))
            return op;
    }
    return NULL;
}

static bool fail_constraint(struct attempt *a, const struct isa_constraint *c)
{
    static const uint8_t kinds[] = {
        [ISA_CONSTRAINT_IN] = FAIL_RESERVED,     [ISA_CONSTRAINT_NE] = FAIL_RESERVED,
        [ISA_CONSTRAINT_NOT_BOTH] = FAIL_BOTH,   [ISA_CONSTRAINT_FRAME] = FAIL_FRAME,
        [ISA_CONSTRAINT_MEMBER] = FAIL_RESERVED,
    };
    const struct isa_insn *in = &a->out->insn;
    const struct isa_field *f = a->form->fields;
    unsigned field = c->op == ISA_CONSTRAINT_FRAME ? c->field3 : c->field;
    const struct isa_operand *op = operand_of_field(a->spelling, field);
    const struct slot *at = NULL;
    for (unsigned i = 0; i < a->nslots; i++)
        if (op && a->slot[i].operand && a->bound[i] == op)
            at = &a->slot[i];
    const struct isa_form *owner = c->op == ISA_CONSTRAINT_NE ? owner_of(a) : NULL;
    fail(a, owner ? FAIL_OWNED : kinds[c->op], at, op);
    a->fail.field = (int)field;
    a->fail.constraint = c;
    a->fail.owner = owner;
    a->fail.value = (int64_t)in->value[f[field].index];
    if (c->op == ISA_CONSTRAINT_FRAME)
        a->fail.min = frame_bytes(in, c);
    if (c->op == ISA_CONSTRAINT_MEMBER && c->field2 != ISA_NO_FIELD) {
        a->fail.kind = FAIL_SELECTOR;
        a->fail.min = (int64_t)in->value[f[c->field2].index];
    }
    return false;
}

static bool check_constraints(struct attempt *a, const struct isa_constraint *c, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!awaits(a, &c[i]) && !constraint_holds(&a->out->insn, &c[i], a->revs))
            return fail_constraint(a, &c[i]);
    }
    return true;
}

/* ---- one spelling ---- */

static bool in_suffix(const struct isa_spelling *sp, unsigned field)
{
    for (unsigned i = 0; i < sp->nsuffix; i++)
        if (sp->suffix[i].field[0] == field)
            return true;
    return false;
}

/* Conditions on suffix letters choose the spelling before its operands are looked at. */
static bool suffix_chooses(const struct attempt *a)
{
    const struct isa_spelling *sp = a->spelling;
    for (unsigned i = 0; i < sp->nconditions; i++)
        if (in_suffix(sp, sp->conditions[i].field) &&
            !constraint_holds(&a->out->insn, &sp->conditions[i], a->revs))
            return false;
    return true;
}

/* A field inside the fixed bits (B.FPATR's Func) holds what match says. */
static uint64_t constant_value(const struct isa_form *form, const struct isa_field *f)
{
    uint8_t bytes[sizeof form->match];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(form->match >> (8 * i));
    return isa_get_bits(f->pieces, f->npieces, 0, bytes);
}

static void begin(struct attempt *a, const struct isa_spelling *sp)
{
    a->spelling = sp;
    a->form = &isa_forms[sp->form];
    a->nused = a->npending = 0;
    a->fail.kind = FAIL_NONE;
    for (unsigned i = 0; i < a->nslots; i++) {
        a->slot[i].used = false;
        a->bound[i] = NULL;
    }
    struct isa_match *out = a->out;
    out->spelling = sp;
    out->nfixups = 0;
    out->explicit_last = out->mask_only_0582 = false;
    out->insn.form = a->form;
    memset(out->insn.value, 0, a->form->nvalues * sizeof out->insn.value[0]);
    for (unsigned i = 0; i < a->form->nfields; i++)
        if (a->form->fields[i].constant)
            put_value(a, i, 0, constant_value(a->form, &a->form->fields[i]));
    for (unsigned i = 0; i < sp->npresets; i++)
        put_value(a, sp->presets[i].field, 0, (uint64_t)sp->presets[i].value);
}

static bool bind_spelling(struct attempt *a, const struct isa_spelling *sp, size_t used)
{
    const struct ast_stmt *stmt = a->stmt;
    begin(a, sp);
    return bind_suffix(a, stmt->name + used, stmt->name_size - used) && suffix_chooses(a) &&
           bind_operands(a);
}

static bool settle(struct attempt *a)
{
    const struct isa_spelling *sp = a->spelling;
    return evaluate_pending(a) &&
           check_constraints(a, a->form->constraints, a->form->nconstraints) &&
           check_constraints(a, sp->conditions, sp->nconditions);
}

/* ---- all spellings ---- */

/* The try that got furthest; among tries that only miss operands, the one that misses least. */
static bool is_better(const struct failure *f, const struct failure *best)
{
    if (best->kind == FAIL_NONE || f->rank != best->rank)
        return best->kind == FAIL_NONE || f->rank > best->rank;
    return f->kind == FAIL_MISSING && best->kind == FAIL_MISSING &&
           f->spelling->noperands < best->spelling->noperands;
}

static void keep_best(struct attempt *a)
{
    if (a->fail.kind != FAIL_NONE && is_better(&a->fail, &a->best))
        a->best = a->fail;
}

/* A name may bind as a symbol in one spelling and as a word of the next (TRACE.begin of B.HINT). */
static bool has_symbols(const struct attempt *a)
{
    for (unsigned i = 0; i < a->npending; i++)
        if (a->pending[i].expr && a->pending[i].expr->op == AST_NAME)
            return true;
    return false;
}

static bool try_all(struct attempt *a, const struct isa_mnemonic *m, size_t used)
{
    const struct isa_spelling *symbolic = NULL;
    a->best.kind = a->fail.kind = FAIL_NONE;
    for (unsigned i = 0; i < m->count; i++) {
        const struct isa_spelling *sp = &isa_spellings[isa_mnemonic_index[m->first + i]];
        if (!(sp->revs & a->revs))
            continue;
        bool bound = bind_spelling(a, sp, used);
        if (bound && m->count > 1 && has_symbols(a)) {
            symbolic = symbolic ? symbolic : sp;
            continue;
        }
        if (bound && settle(a))
            return true;
        keep_best(a);
    }
    if (symbolic && bind_spelling(a, symbolic, used) && settle(a))
        return true;
    keep_best(a);
    return false;
}

static void attempt_init(struct attempt *a, const struct isa_matcher *m,
                         const struct ast_stmt *stmt, unsigned set, struct isa_match *out)
{
    a->m = m;
    a->stmt = stmt;
    a->revs = target_revs(&m->target, set);
    a->nslots = 0;
    a->out = out;
}

/* The mask has no code here, but the whole statement fits revision 0.58.2 (docs/language.md). */
static bool fits_0582(struct attempt *a, const struct isa_mnemonic *mnemonic, size_t used)
{
    const struct isa_matcher *user = a->m;
    struct isa_matcher quiet = *user;
    struct failure best = a->best;
    isa_revset revs = a->revs;
    quiet.diag = NULL;
    quiet.target.pto = 1 << ISA_REV_0_58_2;
    a->m = &quiet;
    a->revs = quiet.target.pto;
    bool fits = try_all(a, mnemonic, used);
    a->m = user;
    a->revs = revs;
    a->best = best;
    if (!fits)
        return false;
    a->out->mask_only_0582 = true;
    a->out->mask_loc = best.loc;
    a->out->mask_text = best.text;
    return true;
}

/* A retired mnemonic, or the start of a retired operation (BSTART.TFREE). */
static const struct isa_retired *find_retired(const char *name, size_t len, isa_revset revs)
{
    const char *dot = memchr(name, '.', len);
    const struct isa_retired *old = isa_find_retired(name, len);
    if (!old && dot)
        old = isa_find_retired(dot + 1, len - (size_t)(dot + 1 - name));
    return old && old->revs & revs ? old : NULL;
}

/* The name, or what is written before the transition word: HL.BSTART.STD DIRECT, label is
 * HL.BSTART.STD.DIRECT. */
static bool is_reserved_name(const struct isa_reserved *r, const char *name, size_t len)
{
    size_t size = strlen(r->name);
    bool whole = size == len || (size > len && r->name[len] == '.' && memchr(name, '.', len));
    return whole && equal_folded(name, len, r->name, len);
}

/* Retired names and reserved encodings. */
static bool report_refused(const struct isa_matcher *m, const char *name, size_t len,
                           struct loc loc)
{
    const struct isa_retired *old = find_retired(name, len, m->target.pto);
    if (old) {
        diag_report(m->diag, DIAG_RETIRED, loc, "%s: %s", old->name, old->message);
        return true;
    }
    for (unsigned i = 0; i < ISA_RESERVED_COUNT; i++) {
        const struct isa_reserved *r = &isa_reserved_encodings[i];
        if (!(r->revs & m->target.pto) || !is_reserved_name(r, name, len))
            continue;
        struct phrase rev = {0};
        phrase_revisions(&rev, ISA_SET_PTO, m->target.pto);
        diag_report(m->diag, DIAG_RESERVED_NAME, loc, "%.*s is a reserved encoding of %s", (int)len,
                    r->name, rev.text);
        return true;
    }
    return false;
}

static void report_revision(const struct isa_matcher *m, const struct ast_stmt *stmt,
                            const struct isa_mnemonic *mnemonic)
{
    if (m->diag && report_refused(m, stmt->name, stmt->name_size, stmt->name_loc))
        return;
    isa_revset known = 0, revs = target_revs(&m->target, mnemonic->set);
    for (unsigned i = 0; i < mnemonic->count; i++)
        known |= isa_spellings[isa_mnemonic_index[mnemonic->first + i]].revs;
    struct phrase want = {0}, have = {0};
    phrase_revisions(&want, mnemonic->set, revs);
    phrase_revisions(&have, mnemonic->set, known);
    if (m->diag)
        diag_report(m->diag, DIAG_NOT_IN_REVISION, stmt->name_loc,
                    "%.*s is not known for %s (known for %s)", (int)stmt->name_size, stmt->name,
                    want.text, have.text);
}

bool isa_match(const struct isa_matcher *m, const struct ast_stmt *stmt, struct isa_match *out)
{
    struct attempt a;
    const struct isa_mnemonic *mnemonic = stmt->mnemonic;
    size_t used = stmt->mnemonic_size;
    out->mask_only_0582 = false;
    attempt_init(&a, m, stmt, mnemonic->set, out);
    if (!slots_collect(&a))
        return false;
    if (try_all(&a, mnemonic, used))
        return true;
    if (a.best.kind == FAIL_NONE)
        report_revision(m, stmt, mnemonic);
    else if (a.best.kind == FAIL_SUFFIX && !a.best.spelling->nsuffix)
        isa_report_unknown(m, stmt->name, stmt->name_size, stmt->name_loc);
    else if (a.best.kind != FAIL_MASK || !(a.revs & 1 << ISA_REV_0_58_3) ||
             !fits_0582(&a, mnemonic, used))
        failure_report(&a, &a.best, mnemonic);
    return false;
}

/* ---- names that are no mnemonic ---- */

struct suggestion {
    unsigned distance;
    const char *name;
};

/* Keeps the nearest few, nearest first, in table order among equals. */
static void suggest(struct suggestion *best, unsigned distance, const char *name)
{
    unsigned i = MAX_SUGGESTIONS;
    while (i > 0 && (!best[i - 1].name || distance < best[i - 1].distance)) {
        if (i < MAX_SUGGESTIONS)
            best[i] = best[i - 1];
        i--;
    }
    if (i < MAX_SUGGESTIONS)
        best[i] = (struct suggestion){distance, name};
}

static unsigned suggestion_limit(size_t len)
{
    return len < 4 ? 1 : len < 8 ? 2 : 3;
}

static void phrase_suggestions(struct phrase *p, const struct isa_matcher *m, const char *name,
                               size_t len)
{
    struct suggestion best[MAX_SUGGESTIONS] = {{0}};
    unsigned limit = suggestion_limit(len);
    for (unsigned i = 0; i < ISA_MNEMONIC_COUNT; i++) {
        const struct isa_mnemonic *c = &isa_mnemonics[i];
        const struct isa_spelling *sp = &isa_spellings[isa_mnemonic_index[c->first]];
        unsigned d = edit_distance(name, len, c->name, strlen(c->name), limit);
        if (d <= limit && (sp->revs & target_revs(&m->target, c->set)))
            suggest(best, d, sp->mnemonic);
    }
    for (unsigned i = 0; i < MAX_SUGGESTIONS && best[i].name; i++) {
        phrase_comma(p);
        phrase_add(p, "%s", best[i].name);
    }
}

void isa_report_unknown(const struct isa_matcher *m, const char *name, size_t len, struct loc loc)
{
    struct phrase near = {0};
    if (!m->diag || report_refused(m, name, len, loc))
        return;
    phrase_suggestions(&near, m, name, len);
    diag_report(m->diag, DIAG_UNKNOWN_MNEMONIC, loc, "unknown mnemonic '%.*s'%s%s%s", (int)len,
                name, near.size ? "; did you mean " : "", near.text, near.size ? "?" : "");
}
