/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both sides of every limit. For each form and each operand with a number, the
 * lowest and highest value that width and sign allow are written, and one step
 * beyond each; the text comes from isa_print, which prints whatever a field
 * holds. What must happen follows from the row alone: width, sign, alignment
 * and constraints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/encoder/harness.h"

#include <string.h>

struct sweep {
    struct harness *h;
    struct isa_target target;
    struct mem mem;
    struct buffer text;
    unsigned checks, failures;
};

static const struct isa_enumeration *names_of(const struct isa_field *f)
{
    return f->kind == ISA_KIND_ENUM ? &isa_enumerations[f->enumeration - 1] : NULL;
}

static bool allows(const struct isa_constraint *c, uint64_t value)
{
    bool in = value < 64 && (c->set >> value & 1);
    return c->op == ISA_CONSTRAINT_IN ? in : c->op != ISA_CONSTRAINT_NE || value != c->set;
}

static bool allowed(const struct isa_form *form, const struct isa_spelling *sp, unsigned field,
                    uint64_t value)
{
    for (unsigned i = 0; i < form->nconstraints; i++)
        if (form->constraints[i].field == field && !allows(&form->constraints[i], value))
            return false;
    for (unsigned i = 0; i < sp->nconditions; i++)
        if (sp->conditions[i].field == field && !allows(&sp->conditions[i], value))
            return false;
    return true;
}

/* A legal instruction: the lowest allowed value everywhere. */
static void legal(struct isa_insn *in, const struct isa_spelling *sp, isa_revset revs)
{
    const struct isa_form *form = &isa_forms[sp->form];
    in->form = form;
    memset(in->value, 0, sizeof in->value);
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        const struct isa_enumeration *e = names_of(f);
        for (uint64_t v = 0; v < 64; v++)
            if (allowed(form, sp, i, v) && (!e || isa_member_of_value(e, v, revs))) {
                for (unsigned k = 0; k < f->count; k++)
                    in->value[f->index + k] = v;
                break;
            }
    }
    for (unsigned i = 0; i < sp->npresets; i++)
        in->value[form->fields[sp->presets[i].field].index] = (uint64_t)sp->presets[i].value;
    for (unsigned i = 0; i < form->nconstraints; i++) {
        const struct isa_constraint *c = &form->constraints[i];
        if (c->op == ISA_CONSTRAINT_FRAME) /* all registers fit */
            in->value[form->fields[c->field3].index] = 22 * 8;
    }
}

static const char *print(struct sweep *s, const struct isa_insn *in)
{
    struct isa_print_options options = {.target = s->target};
    s->text.size = 0;
    isa_print(in, &options, &s->text);
    buffer_append(&s->text, "", 1);
    return (const char *)s->text.data;
}

/* A number that does not fit says so; a name that does not exist may be refused by the grammar. */
static bool is_refusal(const char *message, bool named)
{
    static const char *const codes[] = {
        "field-range: ", "field-step: ", "reserved-value: ", "owned-word: "};
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!strncmp(message, codes[i], strlen(codes[i])))
            return true;
    return named && *message;
}

static void check(struct sweep *s, const struct isa_spelling *sp, const struct isa_insn *in,
                  bool named, bool accepted)
{
    const char *text = print(s, in);
    bool matched = harness_match(s->h, text);
    const char *message = harness_message(s->h);
    s->checks++;
    if (matched && !accepted && harness_result(s->h)->spelling != sp)
        return; /* the text means something else: B.HINT 2 */
    if (matched == accepted && (accepted ? !*message : is_refusal(message, named)))
        return;
    if (s->failures++ < 20)
        print_error("%s: %s, should be %s\n", text, matched ? "accepted" : message,
                    accepted ? "accepted" : "refused");
}

/* The operand that prints the field alone; NULL: none does. */
static const struct isa_operand *shown_by(const struct isa_spelling *sp, unsigned field)
{
    for (unsigned i = 0; i < sp->noperands; i++) {
        const struct isa_operand *op = &sp->operands[i];
        bool plain = op->form == ISA_OPERAND_VALUE && !op->enumeration;
        if ((plain && op->field[0] == field) ||
            (op->form == ISA_OPERAND_VALUE && (op->size == field || op->shift == field)))
            return op;
        if (op->form == ISA_OPERAND_RANGE && (op->field[0] == field || op->field[1] == field))
            return op;
    }
    return NULL;
}

static bool frame_reads(const struct isa_form *form, unsigned field)
{
    for (unsigned i = 0; i < form->nconstraints; i++)
        if (form->constraints[i].op == ISA_CONSTRAINT_FRAME && form->constraints[i].field3 == field)
            return true;
    return false;
}

static void sweep_field(struct sweep *s, const struct isa_spelling *sp, unsigned field,
                        isa_revset revs)
{
    const struct isa_form *form = &isa_forms[sp->form];
    const struct isa_field *f = &form->fields[field];
    const struct isa_enumeration *e = names_of(f);
    bool is_signed = f->kind == ISA_KIND_INT ||
                     (f->kind == ISA_KIND_PCREL && isa_relocs[f->reloc - 1].is_signed);
    bool record = f->kind == ISA_KIND_PCREL && isa_relocs[f->reloc - 1].bytes == ISA_MAX_LENGTH;
    int64_t step = record ? ISA_MAX_LENGTH : (int64_t)1 << f->align;
    int64_t span = f->width < 63 ? (int64_t)1 << (f->width - is_signed) : 0;
    int64_t min = is_signed ? -span : 0, max = span - step;
    if (!span || frame_reads(form, field))
        return;
    const int64_t values[] = {min - step, min, max, max + step};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        struct isa_insn in;
        bool inside = values[i] >= min && values[i] <= max;
        legal(&in, sp, revs);
        in.value[f->index] = (uint64_t)values[i];
        bool named = !e || e->numeric || isa_member_of_value(e, in.value[f->index], revs);
        check(s, sp, &in, e != NULL,
              inside && named && allowed(form, sp, field, in.value[f->index]));
    }
    if (step > 1) {
        struct isa_insn in;
        legal(&in, sp, revs);
        in.value[f->index] = (uint64_t)(max - 1);
        check(s, sp, &in, false, false);
    }
}

static bool is_first_choice(struct sweep *s, const struct isa_spelling *sp, isa_revset revs)
{
    struct isa_insn in;
    legal(&in, sp, revs);
    bool plain = true;
    for (unsigned i = 0; i < sp->nconditions; i++)
        plain = plain && sp->conditions[i].op != ISA_CONSTRAINT_MEMBER;
    return plain && harness_match(s->h, print(s, &in)) && harness_result(s->h)->spelling == sp;
}

static void sweep_form(struct sweep *s, const struct isa_form *form, isa_revset revs)
{
    for (unsigned i = 0; i < form->nspellings; i++) {
        const struct isa_spelling *sp = &isa_spellings[form->spelling + i];
        if (!(sp->flags & ISA_SPELLING_PRINT) || !(sp->revs & revs) ||
            !is_first_choice(s, sp, revs))
            continue;
        for (unsigned f = 0; f < form->nfields; f++)
            if (!form->fields[f].constant && form->fields[f].count == 1 && shown_by(sp, f))
                sweep_field(s, sp, f, revs);
    }
}

static void sweep_set(const char *revision, unsigned set, unsigned least)
{
    jmp_buf exhausted;
    struct sweep s = {.h = harness_create(), .mem = mem_default()};
    s.mem.on_exhausted = &exhausted;
    assert_int_equal(setjmp(exhausted), 0);
    buffer_init(&s.text, &s.mem);
    harness_target(s.h, revision);
    s.target = harness_current(s.h);
    isa_revset revs = set == ISA_SET_PTO ? s.target.pto : s.target.seq;
    for (unsigned i = 0; i < ISA_FORM_COUNT; i++)
        if (isa_forms[i].set == set && (isa_forms[i].revs & revs))
            sweep_form(&s, &isa_forms[i], revs);
    buffer_free(&s.text);
    harness_destroy(s.h);
    assert_int_equal(s.failures, 0);
    assert_true(s.checks >= least);
}

static void limits_of_0583(void **state)
{
    (void)state;
    sweep_set("pto0.58.3", ISA_SET_PTO, 5000);
}

static void limits_of_0582(void **state)
{
    (void)state;
    sweep_set("pto0.58.2", ISA_SET_PTO, 5000);
}

static void limits_of_0585(void **state)
{
    (void)state;
    sweep_set("pto0.58.5", ISA_SET_PTO, 5000);
}

static void limits_of_seq(void **state)
{
    (void)state;
    sweep_set("maverick", ISA_SET_SEQ, 200);
}

/* isa_patch checks what isa_match would have: range, unit and constraints. */
static void patched_values(void **state)
{
    static const struct {
        const char *text, *hex;
        int64_t value;
        const char *message;
    } rows[] = {
        {"C.B.DIMI x, ->LB0", "fc3f", 255, ""},
        {"C.B.DIMI x, ->LB0", NULL, 256, "field-range: C.B.DIMI: 256 is not in [0, 255] (imm8)"},
        {"lwi [a0, x], ->a1", "9921f17f", 8188, ""},
        {"lwi [a0, x], ->a1", NULL, 8190,
         "field-range: lwi: 8190 is not in [-8192, 8188] (simm12)"},
        {"lwi [a0, x], ->a1", NULL, 6, "field-step: lwi: 6 is not a multiple of 4 (simm12)"},
        {"FENTRY [ra ~ s3], sp!, x", "4100e50a", 40, ""},
        {"FENTRY [ra ~ s3], sp!, x", NULL, 32,
         "reserved-value: FENTRY: uimm 32 is not allowed (legal: at least 40)"},
        {"acre x", NULL, 2, "reserved-value: acre: RRA_Type 2 is not allowed (legal: 0, 1)"},
    };
    struct harness *h = harness_create();
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[ISA_MAX_LENGTH], expected[ISA_MAX_LENGTH];
        assert_true(harness_match(h, rows[i].text));
        assert_int_equal(harness_result(h)->nfixups, 1);
        isa_pack(&harness_result(h)->insn, bytes);
        bool good = harness_patch(h, rows[i].value, bytes);
        assert_string_equal(harness_message(h), rows[i].message);
        assert_int_equal(good, rows[i].hex != NULL);
        if (rows[i].hex)
            assert_memory_equal(bytes, expected, unhex(rows[i].hex, expected, sizeof expected));
    }
    harness_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_0583), cmocka_unit_test(limits_of_0582),
        cmocka_unit_test(limits_of_0585), cmocka_unit_test(limits_of_seq),
        cmocka_unit_test(patched_values),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
