/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words to text to words, and text to words to text, of every form, encoding
 * variant and spelling in every revision. Values are drawn: all of a field up
 * to eight bits, the ends and random ones of wider fields.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/encoder/batch.h"
#include "tests/encoder/spell.h"

#include <string.h>

enum {
    DRAWS = 24,
    ROUNDS = 16,   /* through all values of a field, the other fields drawn anew */
    SPELLED = 200, /* texts of a spelling */
    SMALL_FIELD = 8,
    FRAME_BYTES = 0x100, /* 32 registers */
    PTO_REVISIONS = ISA_REV_0_58_5 + 1,
    SEQ_GENERATIONS = ISA_GEN_MAVERICK + 1,
    CANONICAL_WORDS = 2 * 1000 * 1000,
};

/* ---- values ---- */

static void randomise(struct dice *d, struct isa_insn *insn)
{
    const struct isa_form *form = insn->form;
    for (unsigned i = 0; i < form->nfields; i++)
        for (unsigned k = 0; k < form->fields[i].count; k++)
            insn->value[form->fields[i].index + k] = dice_bits(d);
}

static bool decode_any(const struct batch *b, const struct isa_form *form, const uint8_t *bytes,
                       struct isa_insn *out)
{
    struct isa_why why;
    unsigned length;
    return form->set == ISA_SET_SEQ
               ? isa_decode_seq(&b->target, bytes, form->length, out, &why) == ISA_DECODED
               : isa_decode(&b->target, bytes, form->length, out, &length, &why) == ISA_DECODED;
}

/* Packs the values (which may be out of range: fields take their low bits) and adds the word. */
static bool add_values(struct batch *b, const struct isa_insn *insn)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_insn decoded;
    isa_pack(insn, bytes);
    return decode_any(b, insn->form, bytes, &decoded) && batch_add(b, &decoded, bytes);
}

static uint64_t any_member(struct dice *d, const struct isa_enumeration *e, isa_revset revs)
{
    const struct isa_member *m;
    do
        m = &e->members[dice_below(d, e->count)];
    while (!(m->revs & revs));
    return m->value;
}

static uint64_t any_of_set(struct dice *d, uint64_t set)
{
    unsigned n = dice_below(d, 64);
    while (set && !(set >> n & 1))
        n = (n + 1) % 64;
    return n;
}

/* Turns values that no word may have into legal ones, so that most draws are canonical. */
static void tame(struct dice *d, struct isa_insn *insn, isa_revset revs)
{
    const struct isa_form *form = insn->form;
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        for (unsigned k = 0; f->enumeration && f->kind == ISA_KIND_ENUM && k < f->count; k++)
            insn->value[f->index + k] = any_member(d, &isa_enumerations[f->enumeration - 1], revs);
    }
    for (unsigned i = 0; i < form->nconstraints; i++) {
        const struct isa_constraint *c = &form->constraints[i];
        if (c->op == ISA_CONSTRAINT_IN)
            insn->value[form->fields[c->field].index] = any_of_set(d, c->set);
    }
}

/* Value n of those that a field is swept through. */
static uint64_t swept_value(struct dice *d, const struct isa_field *f, unsigned n)
{
    static const uint64_t edges[] = {0, 1, ~(uint64_t)0, ~(uint64_t)1};
    uint64_t sign = (uint64_t)1 << (f->width - 1);
    if (f->width <= SMALL_FIELD)
        return n;
    if (n < 4)
        return edges[n];
    return n < 6 ? sign - (n == 5) : dice_bits(d);
}

static unsigned sweep_steps(const struct isa_field *f)
{
    return f->constant ? 0 : f->width <= SMALL_FIELD ? 1u << f->width : DRAWS;
}

/* ---- canonical text ---- */

static unsigned draw_form(struct batch *b, struct dice *d, const struct isa_form *form)
{
    isa_revset revs = form->set == ISA_SET_SEQ ? b->target.seq : b->target.pto;
    unsigned rounds = form->set == ISA_SET_SEQ ? 1 : ROUNDS;
    struct isa_insn insn = {.form = form};
    unsigned canonical = add_values(b, &insn);
    for (unsigned i = 0; i < DRAWS; i++) {
        randomise(d, &insn);
        tame(d, &insn, revs);
        canonical += add_values(b, &insn);
    }
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        unsigned steps = sweep_steps(f);
        for (unsigned n = 0; n < rounds * steps; n++) {
            randomise(d, &insn);
            tame(d, &insn, revs);
            insn.value[f->index + dice_below(d, f->count)] = swept_value(d, f, n % steps);
            canonical += add_values(b, &insn);
        }
    }
    return canonical;
}

/* Arrays that say how much of them counts: a name ends with zero, moves by their number. */
static void tame_arrays(struct dice *d, struct isa_insn *insn)
{
    const struct isa_form *form = insn->form;
    int moves = isa_field_index(form, ISA_FIELD_num_mov);
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        uint64_t *v = &insn->value[f->index];
        uint64_t length = dice_below(d, f->count);
        if (f->name == ISA_FIELD_name)
            for (unsigned k = 0; k < f->count; k++)
                v[k] = k <= length && k + 1 < f->count ? 'a' + dice_below(d, 26) : 0;
        else if (moves >= 0 && f->count > 1)
            for (uint64_t k = insn->value[form->fields[moves].index]; k < f->count; k++)
                v[k] = 0;
    }
    bool immediate = moves >= 0 && isa_value(insn, ISA_FIELD_move_source, 0);
    int empty = isa_field_index(form, immediate ? ISA_FIELD_src_registers : ISA_FIELD_immediate);
    if (moves >= 0 && empty >= 0)
        memset(&insn->value[form->fields[empty].index], 0,
               form->fields[empty].count * sizeof insn->value[0]);
}

/* SEQ records leave so much unsaid that random payloads are rarely canonical: words of the
 * printable kind come from single fields over zero. */
static unsigned draw_record(struct batch *b, struct dice *d, const struct isa_form *form)
{
    unsigned canonical = 0;
    for (unsigned round = 0; round < DRAWS; round++) {
        struct isa_insn drawn = {.form = form}, insn;
        randomise(d, &drawn);
        tame(d, &drawn, b->target.seq);
        insn = drawn;
        for (unsigned i = 0; i < form->nfields; i++) {
            const struct isa_field *f = &form->fields[i];
            bool free_field = true;
            for (unsigned c = 0; c < form->nconstraints; c++)
                free_field = free_field && form->constraints[c].field != i;
            for (unsigned k = 0; free_field && k < f->count; k++)
                if (dice_below(d, 4))
                    insn.value[f->index + k] = 0;
        }
        tame_arrays(d, &insn);
        canonical += add_values(b, &insn);
        for (unsigned i = 0; i < form->nfields; i++) {
            struct isa_insn one = {.form = form};
            const struct isa_field *f = &form->fields[i];
            for (unsigned c = 0; c < form->nconstraints; c++) {
                unsigned v = form->fields[form->constraints[c].field].index;
                one.value[v] = drawn.value[v];
            }
            for (unsigned k = 0; k < f->count; k++)
                one.value[f->index + k] = drawn.value[f->index + k];
            canonical += add_values(b, &one);
        }
    }
    return canonical;
}

static void draw_set(struct batch *b, struct dice *d, enum isa_set set, unsigned bits)
{
    for (unsigned bit = 0; bit < bits; bit++) {
        b->target.pto = b->target.seq = (isa_revset)(1u << bit);
        for (unsigned i = 0; i < ISA_FORM_COUNT; i++) {
            const struct isa_form *form = &isa_forms[i];
            if (form->set != set || !(form->revs >> bit & 1))
                continue;
            unsigned canonical = draw_form(b, d, form);
            if (set == ISA_SET_SEQ)
                canonical += draw_record(b, d, form);
            if (!canonical) {
                print_error("%s: no drawn word is canonical\n", form->id);
                b->failures++;
            }
        }
        batch_flush(b);
    }
    print_message("# %llu words\n", (unsigned long long)b->words);
    assert_int_equal(b->failures, 0);
}

static void drawn_words(void **state)
{
    struct batch *b = *state;
    struct dice dice = {1};
    draw_set(b, &dice, ISA_SET_PTO, PTO_REVISIONS);
    assert_true(b->words >= CANONICAL_WORDS);
}

static void drawn_records(void **state)
{
    struct dice dice = {2};
    draw_set(*state, &dice, ISA_SET_SEQ, SEQ_GENERATIONS);
}

/* ---- any text ---- */

/* Frames must hold the registers that are drawn with them. */
static void widen_frame(struct isa_insn *insn)
{
    for (unsigned i = 0; i < insn->form->nconstraints; i++) {
        const struct isa_constraint *c = &insn->form->constraints[i];
        if (c->op == ISA_CONSTRAINT_FRAME)
            insn->value[insn->form->fields[c->field3].index] |= FRAME_BYTES;
    }
}

/* Values as a word holds them: only the field's bits, aligned. */
static void trim(struct isa_insn *insn)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    isa_pack(insn, bytes);
    for (unsigned i = 0; i < insn->form->nfields; i++) {
        const struct isa_field *f = &insn->form->fields[i];
        bool is_signed = f->kind == ISA_KIND_INT ||
                         (f->kind == ISA_KIND_PCREL && isa_relocs[f->reloc - 1].is_signed);
        uint64_t v = isa_get_bits(f->pieces, f->npieces, 0, bytes);
        uint64_t sign = (uint64_t)1 << (f->width - 1);
        insn->value[f->index] = is_signed ? (v ^ sign) - sign : v;
    }
}

static unsigned draw_spelling(struct batch *b, struct dice *d, const struct isa_spelling *sp)
{
    struct isa_insn insn = {.form = &isa_forms[sp->form]};
    unsigned said = 0;
    for (unsigned i = 0; i < SPELLED; i++) {
        randomise(d, &insn);
        tame(d, &insn, b->target.pto);
        widen_frame(&insn);
        trim(&insn);
        if (!spell_prepare(sp, b->target.pto, &insn) ||
            !spell(d, sp, b->target.pto, &insn, &b->source))
            continue;
        batch_add_text(b, &insn);
        said++;
    }
    return said;
}

static void drawn_texts(void **state)
{
    struct batch *b = *state;
    struct dice dice = {3};
    for (unsigned rev = 0; rev < PTO_REVISIONS; rev++) {
        b->target.pto = (isa_revset)(1u << rev);
        for (unsigned i = 0; i < ISA_SPELLING_COUNT; i++) {
            const struct isa_spelling *sp = &isa_spellings[i];
            if (isa_forms[sp->form].set != ISA_SET_PTO || !(sp->revs >> rev & 1))
                continue;
            if (!draw_spelling(b, &dice, sp)) {
                print_error("%s (%s): no drawn value can be said\n", sp->mnemonic,
                            isa_forms[sp->form].id);
                b->failures++;
            }
        }
        batch_flush(b);
    }
    print_message("# %llu words\n", (unsigned long long)b->words);
    assert_int_equal(b->failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(drawn_words, batch_set_up, batch_tear_down),
        cmocka_unit_test_setup_teardown(drawn_records, batch_set_up, batch_tear_down),
        cmocka_unit_test_setup_teardown(drawn_texts, batch_set_up, batch_tear_down),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
