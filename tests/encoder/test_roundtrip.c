/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * as(print(w)) = w for canonical words, whatever the word: all halfwords, drawn
 * field values of every form in every revision, and random words. Lines are
 * assembled in batches, as one source.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "encoder/encoder.h"
#include "grammar/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 2000, RANDOM_WORDS = 200000, DRAWS = 24, SMALL_FIELD = 8 };

struct word {
    uint8_t bytes[ISA_MAX_LENGTH];
    uint8_t length;
};

struct batch {
    struct mem mem;
    struct intern *names;
    struct diag *diag;
    struct grammar *grammar;
    struct isa_target target;
    struct buffer source;
    struct word words[BATCH];
    unsigned count, next, failures;
    char message[256];
};

static uint64_t random_bits(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15; /* splitmix64: the same words every time */
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* ---- one source of many lines ---- */

static enum isa_operand_value_kind eval(void *ctx, const struct ast_expr *e, int64_t *number)
{
    (void)ctx;
    if (e->op == AST_NEG && e->left->op == AST_NUMBER) {
        *number = (int64_t)(0 - (uint64_t)e->left->number);
        return ISA_VALUE_CONSTANT;
    }
    *number = e->op == AST_NUMBER ? e->number : 0;
    return e->op == AST_NUMBER ? ISA_VALUE_CONSTANT : ISA_VALUE_SYMBOLIC;
}

static void line_of(const struct batch *b, unsigned n, char *out, size_t size)
{
    const char *p = (const char *)b->source.data;
    while (n--)
        p = strchr(p, '\n') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(p, "\n"), p);
}

static void complain(struct batch *b, const char *what)
{
    char line[600];
    if (b->failures++ > 10)
        return;
    line_of(b, b->next, line, sizeof line);
    print_error("%s: %s (%s)\n", line, what, b->message);
}

static bool check_statement(void *ctx, struct grammar *g, const struct ast_stmt *stmt)
{
    struct batch *b = ctx;
    struct isa_match match;
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_matcher m = {.target = b->target, .diag = b->diag, .eval = eval};
    (void)g;
    if (b->next >= b->count)
        return false;
    const struct word *w = &b->words[b->next];
    b->message[0] = '\0';
    if (stmt->kind != AST_INSN || !isa_match(&m, stmt, &match)) {
        diag_flush(b->diag);
        complain(b, "does not match");
    } else {
        isa_pack(&match.insn, bytes);
        if (match.insn.form->length != w->length || memcmp(bytes, w->bytes, w->length) != 0 ||
            match.nfixups)
            complain(b, "gives another word");
    }
    b->next++;
    return true;
}

static void flush(struct batch *b)
{
    size_t size = b->source.size;
    buffer_append(&b->source, "\0", 2);
    b->next = 0;
    uint32_t file = diag_add_source(b->diag, "batch", (char *)b->source.data, size, (struct loc){0},
                                    DIAG_ROLE_FILE);
    grammar_parse(b->grammar, file, (char *)b->source.data, size);
    if (b->next != b->count)
        complain(b, "is not one statement");
    b->source.size = 0;
    b->count = 0;
}

/* Adds the word's text; false when the word is not canonical. */
static bool add(struct batch *b, const struct isa_insn *insn, const uint8_t *bytes)
{
    struct isa_print_options options = {.target = b->target};
    if (!isa_canonical(&b->target, insn, bytes))
        return false;
    struct word *w = &b->words[b->count++];
    w->length = insn->form->length;
    memcpy(w->bytes, bytes, w->length);
    isa_print(insn, &options, &b->source);
    buffer_append(&b->source, "\n", 1);
    if (b->count == BATCH)
        flush(b);
    return true;
}

static void keep_message(void *ctx, const struct diag_record *record)
{
    struct batch *b = ctx;
    if (record->severity == DIAG_ERROR && !b->message[0])
        snprintf(b->message, sizeof b->message, "%s", record->message);
}

static int set_up(void **state)
{
    static jmp_buf exhausted;
    struct batch *b = calloc(1, sizeof *b);
    struct diag_options diag = {.sink = keep_message, .sink_ctx = b};
    b->mem = mem_default();
    b->mem.on_exhausted = &exhausted;
    if (setjmp(exhausted))
        return -1;
    b->names = intern_create(&b->mem);
    b->diag = diag_create(&b->mem, &diag);
    struct grammar_options options = {
        .mem = &b->mem, .names = b->names, .diag = b->diag, .statement = check_statement, .ctx = b};
    b->grammar = grammar_create(&options);
    buffer_init(&b->source, &b->mem);
    b->target = (struct isa_target){.pto = 1 << ISA_REV_0_58_3, .seq = 1 << ISA_GEN_CAYMAN};
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct batch *b = *state;
    grammar_destroy(b->grammar);
    diag_destroy(b->diag);
    intern_destroy(b->names);
    buffer_free(&b->source);
    free(b);
    return 0;
}

/* ---- words ---- */

static bool add_pto(struct batch *b, const uint8_t *bytes, size_t n)
{
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    return isa_decode(&b->target, bytes, n, &insn, &length, &why) == ISA_DECODED &&
           add(b, &insn, bytes);
}

static void store(uint8_t *bytes, uint64_t word, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

static void every_halfword(void **state)
{
    struct batch *b = *state;
    for (unsigned rev = 0; rev <= ISA_REV_0_58_5; rev++) {
        b->target.pto = (isa_revset)(1u << rev);
        for (uint32_t w = 0; w <= 0xffff; w++) {
            uint8_t bytes[2];
            store(bytes, w, 2);
            add_pto(b, bytes, 2);
        }
        flush(b);
    }
    assert_int_equal(b->failures, 0);
}

/* Uniform words are nearly all unallocated; most draw a form first and fill its free bits. */
static void random_words(void **state)
{
    struct batch *b = *state;
    unsigned canonical = 0;
    for (unsigned rev = 0; rev <= ISA_REV_0_58_5; rev++) {
        b->target.pto = (isa_revset)(1u << rev);
        for (unsigned i = 0; i < RANDOM_WORDS / 2; i++) {
            uint64_t word = random_bits();
            uint8_t bytes[8];
            const struct isa_form *form = &isa_forms[random_bits() % ISA_FORM_COUNT];
            if (i % 8 && form->set == ISA_SET_PTO)
                word = (word & ~form->mask) | form->match;
            store(bytes, word, sizeof bytes);
            canonical += add_pto(b, bytes, sizeof bytes);
        }
        flush(b);
    }
    assert_int_equal(b->failures, 0);
    assert_true(canonical > RANDOM_WORDS / 8);
}

/* ---- values of forms ---- */

static void randomise(struct isa_insn *insn)
{
    const struct isa_form *form = insn->form;
    for (unsigned i = 0; i < form->nfields; i++)
        for (unsigned k = 0; k < form->fields[i].count; k++)
            insn->value[form->fields[i].index + k] = random_bits();
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
    return decode_any(b, insn->form, bytes, &decoded) && add(b, &decoded, bytes);
}

/* Turns values that no word may have into legal ones, so that most draws are canonical. */
static void tame(struct isa_insn *insn, isa_revset revs)
{
    const struct isa_form *form = insn->form;
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        const struct isa_enumeration *e =
            f->enumeration ? &isa_enumerations[f->enumeration - 1] : NULL;
        for (unsigned k = 0; k < f->count; k++) {
            uint64_t *v = &insn->value[f->index + k];
            if (e && f->kind == ISA_KIND_ENUM) {
                const struct isa_member *m;
                do
                    m = &e->members[random_bits() % e->count];
                while (!(m->revs & revs));
                *v = m->value;
            }
        }
    }
    for (unsigned i = 0; i < form->nconstraints; i++) {
        const struct isa_constraint *c = &form->constraints[i];
        uint64_t *v = &insn->value[form->fields[c->field].index];
        if (c->op == ISA_CONSTRAINT_IN) {
            unsigned n = (unsigned)(random_bits() % 64);
            while (c->set && !(c->set >> n & 1))
                n = (n + 1) % 64;
            *v = n;
        }
    }
}

static unsigned draw_form(struct batch *b, const struct isa_form *form)
{
    isa_revset revs = form->set == ISA_SET_SEQ ? b->target.seq : b->target.pto;
    struct isa_insn insn = {.form = form};
    unsigned canonical = add_values(b, &insn);
    for (unsigned i = 0; i < DRAWS; i++) {
        randomise(&insn);
        tame(&insn, revs);
        canonical += add_values(b, &insn);
    }
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        if (f->constant)
            continue;
        unsigned steps = f->width <= SMALL_FIELD ? 1u << f->width : DRAWS;
        for (unsigned n = 0; n < steps; n++) {
            static const uint64_t edges[] = {0, 1, ~(uint64_t)0, ~(uint64_t)1};
            uint64_t sign = (uint64_t)1 << (f->width - 1);
            randomise(&insn);
            tame(&insn, revs);
            uint64_t *v = &insn.value[f->index + random_bits() % f->count];
            if (f->width <= SMALL_FIELD)
                *v = n;
            else if (n < 4)
                *v = edges[n];
            else
                *v = n < 6 ? sign - (n == 5) : random_bits();
            canonical += add_values(b, &insn);
        }
    }
    return canonical;
}

/* Arrays that say how much of them counts: a name ends with zero, moves by their number. */
static void tame_arrays(struct isa_insn *insn)
{
    const struct isa_form *form = insn->form;
    int moves = isa_field_index(form, ISA_FIELD_num_mov);
    for (unsigned i = 0; i < form->nfields; i++) {
        const struct isa_field *f = &form->fields[i];
        uint64_t *v = &insn->value[f->index];
        uint64_t length = random_bits() % f->count;
        if (f->name == ISA_FIELD_name)
            for (unsigned k = 0; k < f->count; k++)
                v[k] = k <= length && k + 1 < f->count ? 'a' + random_bits() % 26 : 0;
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
static unsigned draw_record(struct batch *b, const struct isa_form *form)
{
    unsigned canonical = 0;
    for (unsigned round = 0; round < DRAWS; round++) {
        struct isa_insn drawn = {.form = form}, insn;
        randomise(&drawn);
        tame(&drawn, b->target.seq);
        insn = drawn;
        for (unsigned i = 0; i < form->nfields; i++) {
            const struct isa_field *f = &form->fields[i];
            bool free_field = true;
            for (unsigned c = 0; c < form->nconstraints; c++)
                free_field = free_field && form->constraints[c].field != i;
            for (unsigned k = 0; free_field && k < f->count; k++)
                if (random_bits() % 4)
                    insn.value[f->index + k] = 0;
        }
        tame_arrays(&insn);
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

static void drawn_values(void **state)
{
    struct batch *b = *state;
    for (unsigned bit = 0; bit <= ISA_GEN_MAVERICK; bit++) {
        b->target.pto = (isa_revset)(1u << (bit % (ISA_REV_0_58_5 + 1)));
        b->target.seq = (isa_revset)(1u << bit);
        for (unsigned i = 0; i < ISA_FORM_COUNT; i++) {
            const struct isa_form *form = &isa_forms[i];
            bool seq = form->set == ISA_SET_SEQ;
            if (seq ? !(form->revs & b->target.seq)
                    : !(form->revs & b->target.pto) || bit > ISA_REV_0_58_5)
                continue;
            unsigned canonical = draw_form(b, form);
            if (seq)
                canonical += draw_record(b, form);
            if (!canonical) {
                print_error("%s: no drawn word is canonical\n", form->id);
                b->failures++;
            }
        }
        flush(b);
    }
    assert_int_equal(b->failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_halfword, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drawn_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_words, set_up, tear_down),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
