/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any word at all: it is refused with a reason, or legal but not canonical
 * (`.inst` shows it), or printed as text that assembles to the same bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/encoder/batch.h"

#include <string.h>

enum { RANDOM_WORDS = 10 * 1000 * 1000, MAX_WORD = 8, PTO_REVISIONS = ISA_REV_0_58_5 + 1 };

struct tally {
    uint64_t refused, hidden, printed;
};

/* The reason names what it should. */
static bool has_reason(enum isa_decode_status status, const struct isa_why *why)
{
    switch (status) {
    case ISA_RESERVED_ENCODING:
        return why->reserved != NULL;
    case ISA_RESERVED_VALUE:
        return why->form && why->constraint && why->field >= 0 && why->field < why->form->nfields;
    default:
        return status == ISA_UNALLOCATED;
    }
}

static void check_word(struct batch *b, uint64_t word, unsigned n, struct tally *tally)
{
    uint8_t bytes[MAX_WORD];
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    store_word(bytes, word, n);
    enum isa_decode_status status = isa_decode(&b->target, bytes, n, &insn, &length, &why);
    if (length == 0 || length > n)
        fail_msg("%016llx has the length %u of %u", (unsigned long long)word, length, n);
    if (status != ISA_DECODED) {
        if (!has_reason(status, &why))
            fail_msg("%016llx is refused without a reason", (unsigned long long)word);
        tally->refused++;
    } else if (insn.form->length != length) {
        fail_msg("%016llx is %u bytes of %s", (unsigned long long)word, length, insn.form->id);
    } else if (batch_add(b, &insn, bytes)) {
        tally->printed++;
    } else {
        tally->hidden++;
    }
}

static void every_halfword(void **state)
{
    struct batch *b = *state;
    struct tally tally = {0};
    for (unsigned rev = 0; rev < PTO_REVISIONS; rev++) {
        b->target.pto = (isa_revset)(1u << rev);
        for (uint32_t w = 0; w <= UINT16_MAX; w++) {
            uint8_t bytes[2];
            store_word(bytes, w, sizeof bytes);
            if (isa_length(bytes, sizeof bytes) == sizeof bytes)
                check_word(b, w, sizeof bytes, &tally);
        }
        batch_flush(b);
    }
    assert_int_equal(b->failures, 0);
    assert_true(tally.printed > 0 && tally.refused > 0 && tally.hidden > 0);
}

/* A longer instruction that ends too early is seen before anything behind it is read. */
static void halfwords_of_longer_instructions(void **state)
{
    struct batch *b = *state;
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    for (uint32_t w = 0; w <= UINT16_MAX; w++) {
        uint8_t bytes[2];
        store_word(bytes, w, sizeof bytes);
        if (isa_length(bytes, sizeof bytes) != sizeof bytes)
            assert_int_equal(isa_decode(&b->target, bytes, sizeof bytes, &insn, &length, &why),
                             ISA_TRUNCATED);
    }
}

/* The low bits that make a word 32, 48 or 64 bits long (spec/pto-isa.md A.1), or a 16-bit
 * instruction with another behind it, which may be a fused BSTART.CALL. */
static uint64_t of_length(struct dice *d, unsigned *n)
{
    static const struct {
        uint8_t bytes, low, mask;
    } kinds[] = {{4, 1, 1}, {4, 1, 1}, {6, 0xe, 0xf}, {8, 0xf, 0xf}, {4, 2, 0xf}};
    uint64_t word = dice_bits(d);
    unsigned k = dice_below(d, sizeof kinds / sizeof *kinds);
    *n = kinds[k].bytes;
    return (word & ~(uint64_t)kinds[k].mask) | kinds[k].low;
}

/* Words of all bits alike, words of a form with its other bits drawn, and words one bit away. */
static uint64_t draw(struct dice *d, unsigned *n)
{
    uint64_t word = of_length(d, n);
    unsigned kind = dice_below(d, 4);
    const struct isa_form *form = &isa_forms[dice_below(d, ISA_FORM_COUNT)];
    if (kind < 2 || form->set != ISA_SET_PTO)
        return word;
    *n = form->length;
    word = (word & ~form->mask) | form->match;
    return kind == 2 ? word : word ^ (uint64_t)1 << dice_below(d, 8 * form->length);
}

static void random_words(void **state)
{
    struct batch *b = *state;
    struct tally tally = {0};
    struct dice dice = {0x0585};
    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        unsigned n, rev = i / (RANDOM_WORDS / PTO_REVISIONS + 1);
        if (b->target.pto != 1u << rev)
            batch_flush(b);
        b->target.pto = (isa_revset)(1u << rev);
        uint64_t word = draw(&dice, &n);
        uint8_t bytes[MAX_WORD];
        store_word(bytes, word, n);
        if (isa_length(bytes, n) <= n)
            check_word(b, word, n, &tally);
    }
    batch_flush(b);
    print_message("# %llu refused, %llu as .inst, %llu as text\n",
                  (unsigned long long)tally.refused, (unsigned long long)tally.hidden,
                  (unsigned long long)tally.printed);
    assert_int_equal(b->failures, 0);
    assert_int_equal(b->words, tally.printed);
    assert_true(tally.printed > RANDOM_WORDS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_halfword, batch_set_up, batch_tear_down),
        cmocka_unit_test_setup_teardown(halfwords_of_longer_instructions, batch_set_up,
                                        batch_tear_down),
        cmocka_unit_test_setup_teardown(random_words, batch_set_up, batch_tear_down),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
