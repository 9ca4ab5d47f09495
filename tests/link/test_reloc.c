/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relocations: bits, ranges and messages of every kind. The expected bits and
 * intervals are typed here from the relocation table of the specification, not
 * taken from isa_relocs.
 */
#include "tests/link/linking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 0x100000, PLACE = BASE + 10 }; /* P & 3 is 2: P and P & ~3 differ */

struct kind {
    unsigned number;
    const char *name;
    char base; /* 0: S+A, P: S+A-P, 4: S+A-(P&~3) */
    unsigned bytes;
    const char *pieces; /* "insn_high:insn_low=value_low", … */
    unsigned shift;     /* of what is stored */
    unsigned step;      /* granule of the value; 0: any value is cut */
    int64_t low, high;  /* of the value in bytes */
};

static const struct kind kinds[] = {
    {1, "R_LINX_B12_PCREL", 'P', 4, "31:25=0 11:7=7", 1, 2, -4096, 4094},
    {2, "R_LINX_J22_PCREL", 'P', 4, "31:15=0 11:7=17", 1, 2, -4194304, 4194302},
    {3, "R_LINX_CBSTART12_PCREL", 'P', 2, "15:4=0", 1, 2, -4096, 4094},
    {4, "R_LINX_B17_PCREL", 'P', 4, "31:15=0", 1, 2, -131072, 131070},
    {5, "R_LINX_HL_BSTART30_PCREL", 'P', 6, "47:31=0 15:4=17", 1, 2, -536870912, 536870910},
    {6, "R_LINX_CSETRET5_PCREL", 'P', 2, "10:6=0", 1, 2, 0, 62},
    {7, "R_LINX_SETRET20_PCREL", 'P', 4, "31:12=0", 1, 2, 0, 2097150},
    {8, "R_LINX_HL_SETRET32_PCREL", 'P', 6, "47:28=0 15:4=20", 1, 2, 0, 8589934590},
    {11, "R_LINX_32", '0', 4, "31:0=0", 0, 1, -2147483648, 4294967295},
    {22, "R_LINX_B25_PCREL", 'P', 4, "31:7=0", 1, 2, -33554432, 33554430},
    {25, "R_LINX_32_PCREL", 'P', 4, "31:0=0", 0, 1, -2147483648, 2147483647},
    {192, "R_PTO_PCREL_HI20", 'P', 4, "31:12=0", 12, 0, -2147483648, 2147483647},
    {194, "R_PTO_HL_PCREL_HI32", 'P', 6, "47:28=0 15:4=20", 12, 0, -8796093022208, 8796093022207},
    {195, "R_PTO_PCR17_LOAD", '4', 4, "31:15=0", 2, 4, -262144, 262140},
    {196, "R_PTO_PCR17_STORE", '4', 4, "31:20=0 11:7=12", 2, 4, -262144, 262140},
    {197, "R_PTO_HL_PCR29_LOAD", '4', 6, "47:31=0 15:4=17", 2, 4, -1073741824, 1073741820},
    {198, "R_PTO_HL_PCR29_STORE", '4', 6, "47:36=0 27:23=12 15:4=17", 2, 4, -1073741824,
     1073741820},
    {225, "R_SEQ_ABS32", '0', 4, "31:0=0", 0, 1, -2147483648, 4294967295},
};

/* The bits of the word that hold `value`, and in *mask which bits they are. */
static uint64_t place_bits(const char *pieces, uint64_t value, uint64_t *mask)
{
    uint64_t word = 0;

    *mask = 0;
    for (const char *p = pieces; *p; p += *p == ' ') {
        char *end;
        unsigned high = (unsigned)strtoul(p, &end, 10);
        unsigned low = (unsigned)strtoul(end + 1, &end, 10);
        unsigned from = (unsigned)strtoul(end + 1, &end, 10);
        uint64_t bits = (high - low == 63 ? 0 : UINT64_C(1) << (high - low + 1)) - 1;

        word |= (value >> from & bits) << low;
        *mask |= bits << low;
        p = end;
    }
    return word;
}

static uint64_t base_of(const struct kind *k)
{
    return k->base == '0' ? 0 : k->base == 'P' ? PLACE : PLACE & ~UINT64_C(3);
}

/* One object: 10 bytes, the word, and an absolute symbol at base + value. */
static void prepare(struct linking *l, struct job *j, const struct kind *k, int64_t value)
{
    static const uint8_t pattern[32] = {0};
    static const char *const addresses[] = {".text=0x100000", NULL};

    linking_begin(l, j);
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    int text = build_text(o, pattern, sizeof pattern);
    /* Half of the distance in the addend: S and A count alike. */
    uint32_t target =
        build_symbol(o, "target", OBJ_GLOBAL, OBJ_ABS, base_of(k) + (uint64_t)value - 1000);
    build_reloc(o, text, PLACE - BASE, k->number, target, 1000);
    l->options.section_addresses = addresses;
    linking_add(l, "file.o", o);
}

static void assert_links(struct job *j, const struct kind *k, int64_t value)
{
    struct linking l;
    uint64_t mask, stored = place_bits(k->pieces, (uint64_t)(value >> k->shift), &mask);

    prepare(&l, j, k, value);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(j), "");
    uint64_t word = word_at(o, PLACE, k->bytes);
    if (word != stored)
        fail_msg("%s, value %" PRId64 ": word %" PRIx64 ", expected %" PRIx64, k->name, value, word,
                 stored);
    assert_int_equal(word & ~mask, 0);
    assert_int_equal(word_at(o, PLACE - 2, 2) | word_at(o, PLACE + k->bytes, 2), 0);
    obj_destroy(o);
    linking_end(&l);
}

static void assert_out_of_range(struct job *j, const struct kind *k, int64_t value)
{
    struct linking l;
    char message[300];

    snprintf(message, sizeof message,
             "error: file.o:(.text+0xa): %s against 'target' out of range: %" PRId64
             " not in [%" PRId64 ", %" PRId64 "] [reloc-range]\n",
             k->name, value, k->low, k->high);
    prepare(&l, j, k, value);
    linking_fails(&l, message);
    linking_end(&l);
}

static void every_kind_at_both_limits(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        int64_t step = k->step ? k->step : 1;

        assert_out_of_range(&j, k, k->low - step);
        assert_links(&j, k, k->low);
        assert_links(&j, k, k->low + step);
        assert_links(&j, k, k->high - step);
        assert_links(&j, k, k->high);
        assert_out_of_range(&j, k, k->high + step);
        assert_links(&j, k, 12 * step);
    }
    job_end(&j);
}

static void misaligned_targets_are_refused(void **state)
{
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];
        struct linking l;
        char message[300];

        for (unsigned odd = 1; odd < k->step; odd++) {
            snprintf(message, sizeof message,
                     "error: file.o:(.text+0xa): %s against 'target': distance %u is not a "
                     "multiple of %u [reloc-alignment]\n",
                     k->name, 8 + odd, k->step);
            prepare(&l, &j, k, 8 + odd);
            linking_fails(&l, message);
            linking_end(&l);
        }
    }
    job_end(&j);
}

static void sixty_four_bits_take_anything(void **state)
{
    static const unsigned numbers[] = {10 /* R_LINX_64 */, 224 /* R_SEQ_ABS64 */};
    static const int64_t values[] = {0, 1, -1, INT64_MIN, INT64_MAX};
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t n = 0; n < 2; n++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            const struct kind k = {numbers[n], "", '0', 8, "63:0=0", 0, 1, 0, 0};
            struct linking l;

            prepare(&l, &j, &k, values[v]);
            struct object *o = linking_run(&l);
            assert_true(word_at(o, PLACE, 8) == (uint64_t)values[v]);
            obj_destroy(o);
            linking_end(&l);
        }
    job_end(&j);
}

/* COMPARE_BRANCH: bytes from the record's own address, in bits 415..384 of the 64-byte word. */
static void seq_branch(void **state)
{
    static const struct {
        int64_t distance;
        bool fits;
    } rows[] = {{-2147483649, false},
                {-2147483648, true},
                {-64, true},
                {2147483647, true},
                {2147483648, false}};
    static const uint8_t record[128];
    static const char *const addresses[] = {".seq=0x100000000", NULL};
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t place = 0x100000040;
        struct linking l;

        linking_begin(&l, &j);
        struct object *o = obj_create(&j.mem, OBJ_RELOCATABLE);
        int seq = build_section(o, ".seq", OBJ_PROGBITS, OBJ_ALLOC | OBJ_EXEC, 64, record, 128);
        uint32_t target =
            build_symbol(o, "done", OBJ_GLOBAL, OBJ_ABS, place + (uint64_t)rows[i].distance);
        build_reloc(o, seq, 64, 226, target, 0);
        l.options.section_addresses = addresses;
        linking_add(&l, "s.o", o);
        if (rows[i].fits) {
            o = linking_run(&l);
            assert_int_equal(word_at(o, place + 48, 4), (uint32_t)rows[i].distance);
            assert_int_equal(word_at(o, place + 40, 8) | word_at(o, place + 52, 8), 0);
            obj_destroy(o);
        } else {
            char message[200];

            snprintf(message, sizeof message,
                     "error: s.o:(.seq+0x40): R_SEQ_REL32 against 'done' out of range: %" PRId64
                     " not in [-2147483648, 2147483647] [reloc-range]\n",
                     rows[i].distance);
            linking_fails(&l, message);
        }
        linking_end(&l);
    }
    job_end(&j);
}

/* ---- pairs ---- */

/* addtpc at P and addi behind it; the low part's addend is A + (P_lo - P_hi). */
static struct object *pair(struct job *j, uint64_t target, int64_t low_addend)
{
    struct object *o = obj_create(&j->mem, OBJ_RELOCATABLE);
    int text = build_words(o, ".text", 16);
    uint32_t t = build_symbol(o, "t", OBJ_GLOBAL, OBJ_ABS, target);

    build_reloc(o, text, 4, 192, t, 0);
    build_reloc(o, text, 8, 193, t, low_addend);
    return o;
}

/* user-needs A04: P = 0x11004; addtpc adds hi << 12 to the exact address, addi adds lo. */
static void high_and_low_give_the_exact_address(void **state)
{
    static const struct {
        int64_t distance;
        int64_t high;
        unsigned low;
    } rows[] = {{0x4003, 4, 3},
                {0x4900, 4, 0x900},
                {0x7ff, 0, 0x7ff},
                {0x800, 0, 0x800},
                {-1, -1, 0xfff},
                {-0x801, -1, 0x7ff},
                {0, 0, 0},
                {0xfff, 0, 0xfff},
                {0x1000, 1, 0},
                {-0x1000, -1, 0},
                {-0x1001, -2, 0xfff},
                {0x7fffffff, 0x7ffff, 0xfff},
                {-0x80000000LL, -0x80000, 0}};
    static const char *const addresses[] = {".text=0x11000", NULL};
    const uint64_t place = 0x11004;
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct linking l;

        linking_begin(&l, &j);
        l.options.section_addresses = addresses;
        linking_add(&l, "a.o", pair(&j, place + (uint64_t)rows[i].distance, 4));
        struct object *o = linking_run(&l);
        assert_string_equal(job_messages(&j), "");
        int64_t high = (int32_t)word_at(o, place, 4) >> 12;
        unsigned low = (unsigned)word_at(o, place + 4, 4) >> 20;
        assert_int_equal(high, rows[i].high);
        assert_int_equal(low, rows[i].low);
        assert_true(place + ((uint64_t)high << 12) + low == place + (uint64_t)rows[i].distance);
        obj_destroy(o);
        linking_end(&l);
    }
    job_end(&j);
}

/* user-needs E01 with this machine's limits: the high part is signed, the low part is not. */
static void high_part_limits(void **state)
{
    static const char *const addresses[] = {".text=0x11000", NULL};
    static const struct {
        int64_t distance;
        const char *message;
    } rows[] = {{0x80000000LL, "error: a.o:(.text+0x4): R_PTO_PCREL_HI20 against 't' out of range: "
                               "2147483648 not in [-2147483648, 2147483647] [reloc-range]\n"},
                {-0x80000001LL,
                 "error: a.o:(.text+0x4): R_PTO_PCREL_HI20 against 't' out of range: "
                 "-2147483649 not in [-2147483648, 2147483647] [reloc-range]\n"}};
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < 2; i++) {
        struct linking l;

        linking_begin(&l, &j);
        l.options.section_addresses = addresses;
        linking_add(&l, "a.o", pair(&j, 0x11004 + (uint64_t)rows[i].distance, 4));
        linking_fails(&l, rows[i].message);
        linking_end(&l);
    }
    job_end(&j);
}

static void low_part_needs_its_high_part(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    /* Another addend: t+4 is not t. */
    linking_begin(&l, &j);
    linking_add(&l, "a.o", pair(&j, 0x20000, 8));
    linking_fails(&l, "error: a.o:(.text+0x8): R_PTO_PCREL_LO12 against 't' has no high part of "
                      "the same symbol and addend before it [lone-low-part]\n");
    linking_end(&l);

    /* The high part stands behind it. */
    linking_begin(&l, &j);
    struct object *o = obj_create(&j.mem, OBJ_RELOCATABLE);
    int text = build_words(o, ".text", 16);
    uint32_t t = build_symbol(o, "t", OBJ_GLOBAL, OBJ_ABS, 0x20000);
    build_reloc(o, text, 8, 192, t, 0);
    build_reloc(o, text, 4, 193, t, -4);
    linking_add(&l, "a.o", o);
    linking_fails(&l, "error: a.o:(.text+0x4): R_PTO_PCREL_LO12 against 't' has no high part of "
                      "the same symbol and addend before it [lone-low-part]\n");
    linking_end(&l);

    /* One high part serves several low parts, whatever stands between. */
    linking_begin(&l, &j);
    o = obj_create(&j.mem, OBJ_RELOCATABLE);
    text = build_words(o, ".text", 0x2000);
    t = build_symbol(o, "t", OBJ_GLOBAL, OBJ_ABS, 0x12345678);
    uint32_t other = build_symbol(o, "other", OBJ_GLOBAL, OBJ_ABS, 0x20000);
    build_reloc(o, text, 0, 194, t, 0); /* the 48-bit form */
    build_reloc(o, text, 8, 192, other, 0);
    build_reloc(o, text, 0x1000, 193, t, 0x1000);
    build_reloc(o, text, 0x1ffc, 193, t, 0x1ffc);
    linking_add(&l, "a.o", o);
    o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(word_at(o, 0x11000, 4) >> 20, 0x678); /* 0x12345678 - 0x10000 */
    assert_int_equal(word_at(o, 0x11ffc, 4) >> 20, 0x678);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* ---- kinds that are refused ---- */

static void foreign_and_unknown_numbers(void **state)
{
    /* LLVM's 15 and 17-21 compute something else than PTO; 9, 12.. are dynamic. */
    static const unsigned foreign[] = {15, 17, 18, 19, 20, 21, 9, 12, 16, 23, 26, 32};
    static const unsigned unknown[] = {27, 33, 191, 199, 227, 255, 256, 0xffffffff};
    struct job j;
    (void)state;
    job_begin(&j);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const struct isa_foreign_reloc *f = isa_foreign_reloc_by_number(foreign[i]);
        const struct kind k = {.number = foreign[i]};
        struct linking l;
        char message[400];

        assert_non_null(f);
        snprintf(message, sizeof message,
                 "error: file.o:(.text+0xa): %s (%u) against 'target' is refused: %s "
                 "[foreign-reloc]\n",
                 f->name, foreign[i], f->reason);
        prepare(&l, &j, &k, 0);
        linking_fails(&l, message);
        linking_end(&l);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const struct kind k = {.number = unknown[i]};
        struct linking l;
        char message[200];

        snprintf(message, sizeof message,
                 "error: file.o:(.text+0xa): unknown relocation number %u against 'target' "
                 "[unknown-reloc]\n",
                 unknown[i]);
        prepare(&l, &j, &k, 0);
        linking_fails(&l, message);
        linking_end(&l);
    }
    job_end(&j);
}

static void none_changes_nothing(void **state)
{
    struct job j;
    struct linking l;
    const struct kind k = {.number = 0};
    (void)state;
    job_begin(&j);
    prepare(&l, &j, &k, 12345);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    assert_int_equal(word_at(o, PLACE, 8), 0);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

/* user-needs E08: `.8byte sym+8` is S+8, with the symbol in the same object, in another, or a
 * section symbol, and whatever the field held. */
static void addends_count_everywhere(void **state)
{
    struct job j;
    struct linking l;
    (void)state;
    job_begin(&j);
    linking_begin(&l, &j);
    struct object *a = obj_create(&j.mem, OBJ_RELOCATABLE);
    int data = build_section(a, ".data", OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, 8,
                             "\377\377\377\377\377\377\377\377........--------", 24);
    uint32_t here = build_symbol(a, "here", OBJ_LOCAL, data, 16);
    uint32_t section = build_symbol(a, "", OBJ_LOCAL, data, 0);
    a->symbols.item[section].type = OBJ_SECTION_SYMBOL;
    uint32_t there = build_symbol(a, "there", OBJ_GLOBAL, OBJ_UNDEF, 0);
    build_reloc(a, data, 0, 10, there, 8);
    build_reloc(a, data, 8, 10, here, 8);
    build_reloc(a, data, 16, 10, section, 8);
    struct object *b = obj_create(&j.mem, OBJ_RELOCATABLE);
    int more = build_section(b, ".data", OBJ_PROGBITS, OBJ_ALLOC | OBJ_WRITE, 8, "12345678", 8);
    build_symbol(b, "there", OBJ_GLOBAL, more, 4);
    linking_add(&l, "b.o", b);
    linking_add(&l, "a.o", a);
    struct object *o = linking_run(&l);
    assert_string_equal(job_messages(&j), "");
    uint64_t start = find_section(o, ".data")->address; /* b.o's 8 bytes, then a.o's */
    assert_int_equal(word_at(o, start + 8, 8), start + 4 + 8);
    assert_int_equal(word_at(o, start + 16, 8), start + 8 + 16 + 8);
    assert_int_equal(word_at(o, start + 24, 8), start + 8 + 8);
    obj_destroy(o);
    linking_end(&l);
    job_end(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_at_both_limits),
        cmocka_unit_test(misaligned_targets_are_refused),
        cmocka_unit_test(sixty_four_bits_take_anything),
        cmocka_unit_test(seq_branch),
        cmocka_unit_test(high_and_low_give_the_exact_address),
        cmocka_unit_test(high_part_limits),
        cmocka_unit_test(low_part_needs_its_high_part),
        cmocka_unit_test(foreign_and_unknown_numbers),
        cmocka_unit_test(none_changes_nothing),
        cmocka_unit_test(addends_count_everywhere),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
