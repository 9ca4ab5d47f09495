/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of outside origin: from text, to text, and by form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/encoder/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, COLUMNS = 4, TEPL_WORD = 0x00019181 };

static int set_up(void **state)
{
    *state = harness_create();
    return 0;
}

static int tear_down(void **state)
{
    harness_destroy(*state);
    return 0;
}

/* ---- tables in files ---- */

typedef void row_check(struct harness *h, char **column, unsigned columns);

static void each_row(struct harness *h, const char *name, row_check *check, unsigned expected)
{
    char path[LINE], line[LINE];
    unsigned rows = 0;
    snprintf(path, sizeof path, "%s/tests/data/%s", SRCDIR, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *column[COLUMNS] = {0}, *rest = line;
        unsigned n = 0;
        if (*line == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        while (n < COLUMNS && (column[n] = strsep(&rest, "\t")))
            n++;
        check(h, column, n);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, expected);
}

static void check_form(struct harness *h, char **column, unsigned columns)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_insn insn;
    struct isa_why why;
    unsigned length;
    struct isa_target target = harness_current(h);
    size_t n = unhex(column[1], bytes, sizeof bytes);
    assert_int_equal(columns, 2);
    /* The tests decode by form alone; all-zero words of tile commands break constraints. */
    enum isa_decode_status status = isa_decode(&target, bytes, n, &insn, &length, &why);
    const struct isa_form *form = status == ISA_DECODED ? insn.form : why.form;
    if (!form || strcmp(form->id, column[0]) != 0)
        fail_msg("%s: %s is not %s", column[1], form ? form->id : "nothing", column[0]);
    assert_int_equal(length, n);
}

static void forms_of_the_specification_tests(void **state)
{
    each_row(*state, "decode.tsv", check_form, 545);
}

static void check_tile_start(struct harness *h, char **column, unsigned columns)
{
    char line[LINE], hex[9];
    uint32_t word = __builtin_bswap32((uint32_t)strtoul(column[1], NULL, 16));
    assert_int_equal(columns, 3);
    snprintf(line, sizeof line, "%.*s FP64", (int)(strstr(column[2], "DataType") - column[2] - 1),
             column[2]);
    snprintf(hex, sizeof hex, "%08x", (unsigned)word);
    assert_string_equal(harness_assemble(h, line), hex);
    char bare[LINE]; /* the operation's name alone is a start, too */
    const char *comma = strchr(line, ',');
    const char *name = comma ? strchr(line, ' ') + 1 : line;
    snprintf(bare, sizeof bare, "%s%.*s FP64", comma ? "BSTART." : "",
             (int)(comma ? comma - name : (long)strcspn(name, " ")), name);
    assert_string_equal(harness_assemble(h, bare), hex);
    uint8_t bytes[4];
    unhex(hex, bytes, sizeof bytes);
    assert_string_equal(harness_disassemble(h, bytes, sizeof bytes, false), line);
}

static void tile_starts(void **state)
{
    each_row(*state, "tile-words.tsv", check_tile_start, 109);
}

static void check_totality(struct harness *h, char **column, unsigned columns)
{
    uint32_t word = (uint32_t)strtoul(column[0], NULL, 16);
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                        (uint8_t)(word >> 24)};
    const char *text = harness_disassemble(h, bytes, sizeof bytes, false);
    bool accepted = strncmp(text, "reserved: ", 10) != 0;
    assert_int_equal(columns, 4);
    if (accepted != !strcmp(column[1], "accepted"))
        fail_msg("%s is not %s: %s", column[0], column[1], text);
    if (accepted) {
        assert_non_null(strstr(text, column[2]));
        assert_non_null(strstr(text, column[3]));
    }
}

static void totality_vectors(void **state)
{
    each_row(*state, "totality.tsv", check_totality, 26);
}

/* Encoding totality evidence of pto-spec 0.58.3: 2175 of the 4096 words are accepted, 128 have
 * DataType 31, 1793 are reserved. */
static void tile_start_space(void **state)
{
    struct harness *h = *state;
    unsigned accepted = 0;
    for (uint32_t selector = 0; selector < 128; selector++)
        for (uint32_t type = 0; type < 32; type++) {
            uint32_t word = TEPL_WORD | selector << 20 | type << 27;
            uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                                (uint8_t)(word >> 24)};
            bool reserved = !strncmp(harness_disassemble(h, bytes, 4, false), "reserved: ", 10);
            accepted += !reserved;
            assert_true(type != 31 || reserved);
        }
    assert_int_equal(accepted, 2175);
}

/* ---- SEQ ---- */

struct seq_text {
    const char *name, *text, *printed;
};

/* Text by docs/language.md for the words of seq.tsv; `printed` where the canonical text differs. */
static const struct seq_text seq_texts[] = {
    {"G1", "EVENT_SEMAPHORE $S[11]>0;", "EVENT_SEMAPHORE $S[11]>0"},
    {"G2",
     "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
     "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;",
     "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
     "output_tensor_id=4 num_elements=32 dtype=FP32 op=ADD"},
    {"G3", "PSEUDO_DMA_TRIGGER q_gradient_in", NULL},
    {"G4", "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;",
     "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out"},
    {"D1", "ALU_OP.INT32 R5 = ADD R4, 1", NULL},
    {"D2", "alu_op.int32 r5 = sub r4, 3", "ALU_OP.INT32 R5 = SUBTRACT R4, 3"},
    {"D3", "ALU_OP.INT32 R6 = ADD R4, R5", NULL},
    {"D4", "COMPARE_BRANCH.INT32 EQ R7, 0, 0x80 debug_hint=2",
     "COMPARE_BRANCH.INT32 EQ R7, 0, 128 debug_hint=2"},
    {"D5", "COMPARE_BRANCH.INT32 GT R7, 16, -64 debug_hint=2", NULL},
    {"D6", "EVENT_SEMAPHORE ext $S[9]+=1@complete", NULL},
    {"D7", "EVENT_SEMAPHORE ext $S[9]==5 $S[9]++@complete sem_update_value=1", NULL},
    {"D8", "DRAIN count=1", NULL},
    {"D9", "MOVE.UINT32 R3 = 0xdeadbeef", "MOVE.UINT32 R3 = 3735928559"},
    {"D10", "MOVE.UINT32 R[3] = R1, R4 = R[2]", "MOVE.UINT32 R3 = R1, R4 = R2"},
    {"D11", "EVENT_SEMAPHORE_RANGE_CLEAR 8, 15", NULL},
    {"D12", "SET_ORDERING_MODE STRONG", NULL},
};

static void check_seq(struct harness *h, char **column, unsigned columns)
{
    uint8_t bytes[ISA_MAX_LENGTH];
    struct isa_target target = harness_current(h);
    struct isa_insn insn;
    struct isa_why why;
    assert_int_equal(columns, 4);
    for (unsigned i = 0; i < sizeof seq_texts / sizeof *seq_texts; i++) {
        const struct seq_text *t = &seq_texts[i];
        if (strcmp(t->name, column[0]) != 0)
            continue;
        assert_string_equal(harness_assemble(h, t->text), column[3]);
        assert_int_equal(unhex(column[3], bytes, sizeof bytes), ISA_MAX_LENGTH);
        assert_string_equal(harness_disassemble(h, bytes, sizeof bytes, true),
                            t->printed ? t->printed : t->text);
        assert_int_equal(isa_decode_seq(&target, bytes, sizeof bytes, &insn, &why), ISA_DECODED);
        assert_true(isa_canonical(&target, &insn, bytes, 0));
        return;
    }
    fail_msg("no text for %s", column[0]);
}

static void seq_words(void **state)
{
    each_row(*state, "seq.tsv", check_seq, 16);
}

/* ALU_OP R5 = ADD R4, immediate: any dtype is printed, also INVALID and those without integers;
 * what does not fit the type is shown whole. */
static void seq_immediates_of_every_dtype(void **state)
{
    static const struct {
        const char *generation;
        uint8_t dtype;
        const char *immediate; /* little-endian */
        const char *text;
    } rows[] = {
        {"cayman", 0x00, "feffffffffffffff", "ALU_OP.INVALID R5 = ADD R4, 18446744073709551614"},
        {"cayman", 0x00, "0500000000000000", "ALU_OP.INVALID R5 = ADD R4, 5"},
        {"cayman", 0x01, "feffffffffffffff", "ALU_OP.UINT64 R5 = ADD R4, 18446744073709551614"},
        {"cayman", 0x02, "fe00000000000000", "ALU_OP.INT8 R5 = ADD R4, -2"},
        {"cayman", 0x02, "8000000000000000", "ALU_OP.INT8 R5 = ADD R4, -128"},
        {"cayman", 0x02, "7f00000000000000", "ALU_OP.INT8 R5 = ADD R4, 127"},
        {"cayman", 0x02, "0001000000000000", "ALU_OP.INT8 R5 = ADD R4, 256"},
        {"cayman", 0x03, "ff00000000000000", "ALU_OP.UINT8 R5 = ADD R4, 255"},
        {"cayman", 0x04, "0080000000000000", "ALU_OP.INT16 R5 = ADD R4, -32768"},
        {"cayman", 0x06, "0080000000000000", "ALU_OP.BFLOAT16 R5 = ADD R4, 32768"},
        {"cayman", 0x08, "ffffffff00000000", "ALU_OP.INT32 R5 = ADD R4, -1"},
        {"cayman", 0x08, "0000000001000000", "ALU_OP.INT32 R5 = ADD R4, 4294967296"},
        {"cayman", 0x0a, "0000c03f00000000", "ALU_OP.FP32 R5 = ADD R4, 1.5"},
        {"cayman", 0x0a, "0000c07f00000000", "ALU_OP.FP32 R5 = ADD R4, 0x7fc00000"},
        {"cayman", 0x0a, "0000c03f01000000", "ALU_OP.FP32 R5 = ADD R4, 5364514816"},
        {"cayman", 0x0c, "ffffffffffffffff", "ALU_OP.INT64 R5 = ADD R4, -1"},
        {"maverick", 0x12, "0f00000000000000", "ALU_OP.INT4 R5 = ADD R4, -1"},
        {"maverick", 0x13, "0f00000000000000", "ALU_OP.SFP8_E8 R5 = ADD R4, 15"},
        {"maverick", 0x19, "0f00000000000000", "ALU_OP.CPTC1 R5 = ADD R4, 15"},
    };
    struct harness *h = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[ISA_MAX_LENGTH] = {0xa8, 0x10,     [12] = 4, rows[i].dtype,
                                         1,    [16] = 4, [20] = 5};
        assert_int_equal(unhex(rows[i].immediate, bytes + 24, 8), 8);
        harness_target(h, rows[i].generation);
        assert_string_equal(harness_disassemble(h, bytes, sizeof bytes, true), rows[i].text);
    }
    harness_target(h, "cayman");
}

static void seq_addresses_are_hexadecimal(void **state)
{
    struct harness *h = *state;
    uint8_t bytes[ISA_MAX_LENGTH] = {0xaa, 0x10, [12] = 8, 0, 1, 1, 0, 0x20, 0x01};
    harness_target(h, "cayman");
    assert_string_equal(harness_disassemble(h, bytes, sizeof bytes, true),
                        "TENSOR_LOAD.INT32 0x12000, [R0] num_elem0=1 num_elem1=1 step_elem0=0");
    bytes[17] = bytes[18] = 0;
    assert_string_equal(harness_disassemble(h, bytes, sizeof bytes, true),
                        "TENSOR_LOAD.INT32 0, [R0] num_elem0=1 num_elem1=1 step_elem0=0");
}

/* ---- single words ---- */

struct word_row {
    const char *revision, *text, *hex, *printed; /* printed NULL: as written */
    const char *why;
};

static const struct word_row words[] = {
    {"pto0.58.3", "BSTART.GMOV U8", "8111d1d8", NULL, "seed"},
    {"pto0.58.2", "B.IOT T#1, mask=0101, size=1, ->T, last", "13d20a00",
     "B.IOT T#1, mask=0101, last, ->T<1>", "seed, 0.58.2"},
    {"pto0.58.3", "B.IOT T#1, mask=1100, size=1, last, ->T", "13da0800",
     "B.IOT T#1, mask=1100, last, ->T<1>", "seed with an encodable mask"},
    {"pto0.58.3", "B.IOR zero, a0", "13002000", NULL, "seed; zero is an operand (A06)"},
    {"pto0.58.3", "B.IOR a0, zero, a1", "13000118", NULL, "A13"},
    {"pto0.58.3", "BSTOP", "01000000", NULL, "seed"},
    {"pto0.58.3", "C.BSTOP", "0000", NULL, "F03: not C.BSTART.STD"},
    {"pto0.58.3", "setret 0, ->ra", "07050000", NULL, "A06: the word of addtpc ->ra"},
    {"pto0.58.3", "B.DIM zero, 65537, ->LB0", "43081000", NULL, "A23: split immediate"},
    {"pto0.58.3", "C.BSTART.STD FALL", "0008", NULL, "A27"},
    {"pto0.58.3", "add a0, a1, ->a2", "05023106", NULL, "SrcRType 3 is no modifier"},
    {"pto0.58.3", "ADD R2, R3, ->R4", "05023106", "add a0, a1, ->a2", "aliases, any case"},
    {"pto0.58.3", "csel t#1, u#1, a0, ->u", "770f2ec0", NULL, "SrcRType 0 is no modifier"},
    {"pto0.58.3", "add t#1, u#1.neg<<1, ->u", "050fcc0d", NULL, "modifier and shift"},
    {"pto0.58.3", "bxs a0, 60, 8, ->a1", "e70171f0" /* imml = 7 */, NULL, "biased width"},
    {"pto0.58.3", "lr.w.aqrl [t#1], ->u", "0b0f0c26", NULL, "suffix letters"},
    {"pto0.58.3", "fcvt.fs2fd t#1, ->u", "6b0f0c02", NULL, "suffix types"},
    {"pto0.58.3", "fcvtz.fd2sd a0, ->a1", "eb510140", NULL,
     "integer types are a namespace of their own"},
    {"pto0.58.3", "hl.qmt.ies a0, a1, ->a2", "0e007d02311a", NULL, "letters i, e, s"},
    {"pto0.58.3", "sw a0, [a1, a2]", "49a04110", "sw a0, [a1, a2<<2]",
     "fixed shift may be left out"},
    {"pto0.58.3", "lwi [a0, -8], ->a1", "9921e1ff", NULL, "offsets are bytes"},
    {"pto0.58.3", "lwi.u [a0, -7], ->a1", "a92191ff", NULL, "unscaled offsets, too"},
    {"pto0.58.3", "lw.pcr [-8], ->a1", "b921ffff", NULL, "displacement in bytes"},
    {"pto0.58.3", "hl.ccat a0, a1, 127, ->t, t", "0ef8dd1f31fe", NULL, "two destinations"},
    {"pto0.58.3", "hl.ccat a0, a1, 127, ->t, ->t", "0ef8dd1f31fe", "hl.ccat a0, a1, 127, ->t, t",
     "two destinations, two arrows"},
    {"pto0.58.3", "B.IOS S1, mask=1000", "13121000", NULL, "Shared source"},
    {"pto0.58.3", "B.IOS mask=1111, ->S255<0001>", "139ef00f", "B.IOS mask=1111, ->S255<1>",
     "binary size"},
    {"pto0.58.3", "B.IOS mask=1111, ->S#7<256KB>", "131e7600", "B.IOS mask=1111, ->S7<12>",
     "size in bytes"},
    {"pto0.58.3", "B.IOT mask=1111, <last>, ->u<8KB>", "93ee0b00", "B.IOT mask=1111, last, ->U<7>",
     "size in bytes, last in angles"},
    {"pto0.58.3", "B.IOT ->U<1>, last, t#16, mask=1111", NULL,
     "B.IOT T#16, mask=1111, last, ->U<1>", "destination and last anywhere"},
    {"pto0.58.3", "B.IOR [a0, a1, x3], ->x0", "130a31b8", "B.IOR a0, a1, x3, ->x0",
     "bracketed list"},
    {"pto0.58.3", "B.DIM LB1=16", "43100001", "B.DIM zero, 16, ->LB1", "keyed bound"},
    {"pto0.58.3", "B.DIM LB2, 16", "43200001", "B.DIM zero, 16, ->LB2", "bound first"},
    {"pto0.58.3", "B.DATR U32, ByteId=0", "23109001", "B.DATR {NORM, U32, Zero, EQ, Default, 0, 0}",
     "names find their place"},
    {"pto0.58.3", "B.DATR NORM, FP32, Zero, cmode1, rmode2, sat, canonicalize", "23101126",
     "B.DATR {NORM, FP32, Zero, NE, RTZ, 1, 1}", "options by keyword"},
    {"pto0.58.3", "B.DATR {ND2M16, DTYPE_NONE, Null, None, Default, 0, 0}", "231bf019",
     "B.DATR {ND2M16, DTYPE_NONE, Null, EQ, Default, 0, 0}", "None is EQ"},
    {"pto0.58.3", "B.CATR {trap, aq, rl, dr}", "23800904", "B.CATR {trap, aqrl, dr}", "two words"},
    {"pto0.58.3", "B.CATR", "23000000", NULL, "no attribute"},
    {"pto0.58.3", "B.HINT {BR.likely, TEMP.hot, 64}", "33800704", NULL, "hints"},
    {"pto0.58.3", "B.HINT TEMP.hot", "33000600", "B.HINT {TEMP.hot, 0}", "no branch hint"},
    {"pto0.58.3", "B.HINT TRACE.end", "33900000", NULL, "the other form"},
    {"pto0.58.3", "BSTART.TEPL 0, 0, FP16", "81910120", "BSTART.VEC TADD, FP16", "never printed"},
    {"pto0.58.3", "BSTART.TMOV.L2S.INSERT DTYPE_NONE", "811191f8", NULL, "variant"},
    {"pto0.58.3", "FENTRY [ra ~ s3], sp!, 64", "4100e510", NULL, "range"},
    {"pto0.58.3", "FENTRY [x2 ~ a1], sp!, 32", "41003b08", NULL, "the ring wraps: x2 x3 a0 a1"},
    {"pto0.58.3", "BSTART.CALL 3, 1, ->ra", "32005650", NULL, "raw fields of the fused call"},
    {"pto0.58.3", "c.break 3", "ecc0", NULL, "the mnemonic's other name"},
    {"pto0.58.3", "c.ebreak 3", "ecc0", "c.break 3", "the form's own name"},
};

static void check_word(struct harness *h, const struct word_row *row)
{
    uint8_t bytes[8];
    char hex[2 * sizeof bytes + 1];
    harness_target(h, row->revision);
    snprintf(hex, sizeof hex, "%s", harness_assemble(h, row->text));
    if (!strcmp(hex, "error"))
        fail_msg("%s: %s (%s)", row->text, harness_message(h), row->why);
    assert_string_equal(harness_message(h), "");
    if (row->hex && strcmp(hex, row->hex) != 0)
        fail_msg("%s: %s, not %s (%s)", row->text, hex, row->hex, row->why);
    size_t n = unhex(hex, bytes, sizeof bytes);
    const char *text = harness_disassemble(h, bytes, n, false);
    if (strcmp(text, row->printed ? row->printed : row->text) != 0)
        fail_msg("%s prints as %s (%s)", row->text, text, row->why);
}

static void single_words(void **state)
{
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        check_word(*state, &words[i]);
}

/* ---- other spellings ---- */

/* DESIGN §2.1 and what other tools of the ecosystem write (spec/linx-toolchain.md §1); the
 * canonical text prints from the common word. */
static const struct {
    const char *text, *canonical;
} alternates[] = {
    {"ADD A0, A1, ->A2", "add a0, a1, ->a2"},
    {"add r2, r3, ->r4", "add a0, a1, ->a2"},
    {"add r0, r1, ->r10", "add zero, sp, ->ra"},
    {"add r11, r19, ->r20", "add s0, s8, ->x0"},
    {"add T#1, U#4, ->T", "add t#1, u#4, ->t"},
    {"hl.qpush.HE a0, a1, ->a2", "hl.qpush.he a0, a1, ->a2"},
    {"HL.QMT.IES a0, a1, ->a2", "hl.qmt.ies a0, a1, ->a2"},
    {"FCVT.FD2FS a0, ->a1", "fcvt.fd2fs a0, ->a1"},
    {"hl.prf.L2 [a0, a1]", "hl.prf.l2 [a0, a1]"},
    {"hl.ccat a0, a1, 127, ->a2, ->a3", "hl.ccat a0, a1, 127, ->a2, a3"},
    {"add ->a2, a0, a1", "add a0, a1, ->a2"},
    {"add a0, a1<<0, ->a2", "add a0, a1, ->a2"},
    {"setret 4", "setret 4, ->ra"},
    {"hl.setret 4", "hl.setret 4, ->ra"},
    {"c.setret 4", "c.setret 4, ->ra"},
    {"sw a0, [a1, a2]", "sw a0, [a1, a2<<2]"},
    {"sd a0, [a1, a2.uw]", "sd a0, [a1, a2.uw<<3]"},
    {"hl.sw.po a0, [a1, a2], ->a3", "hl.sw.po a0, [a1, a2<<2], ->a3"},
    {"lwi [a0, 0x10], ->a1", "lwi [a0, 16], ->a1"},
    {"lwi [a0, -0b100], ->a1", "lwi [a0, -4], ->a1"},
    {"b.iot t#1, mask=1111, last", "B.IOT T#1, mask=1111, last"},
    {"B.IOT m#16, N#2, mask=0001", "B.IOT M#16, N#2, mask=0001"},
    {"B.IOT T#1, mask=1111, ->U<7>, last", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, mask=1111, <last>, ->U<7>", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, last, mask=1111, ->U<7>", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT mask=1111, ->u<7>, T#1, last", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, mask=1111, last, ->u<8KB>", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, mask=1111, last, size=7, ->U", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, mask=1111, last, size=8KB, ->U", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, mask=1111, last, ->U, size=0111", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT T#1, mask=1111, last, ->U<0111>", "B.IOT T#1, mask=1111, last, ->U<7>"},
    {"B.IOT mask=1111, ->T<128B>", "B.IOT mask=1111, ->T<1>"},
    {"B.IOT mask=1111, ->T<1010>", "B.IOT mask=1111, ->T<10>"},
    {"B.IOT mask=1111, ->T<64KB>", "B.IOT mask=1111, ->T<10>"},
    {"B.IOS s#1, mask=1000", "B.IOS S1, mask=1000"},
    {"B.IOS mask=1111, ->S255<256KB>", "B.IOS mask=1111, ->S255<12>"},
    {"B.IOS mask=1111, size=128KB, ->S3", "B.IOS mask=1111, ->S3<11>"},
    {"B.IOS mask=1111, ->S255<0001>", "B.IOS mask=1111, ->S255<1>"},
    {"B.IOR [zero, sp, a0], ->x3", "B.IOR zero, sp, a0, ->x3"},
    {"B.IOR [s0]", "B.IOR s0"},
    {"B.IOR [s0, zero, zero], ->zero", "B.IOR s0"},
    {"B.IOR a0, a1, zero, ->zero", "B.IOR a0, a1"},
    {"B.IOR ->x3, a0", "B.IOR a0, ->x3"},
    {"B.DIM LB0=16", "B.DIM zero, 16, ->LB0"},
    {"B.DIM lb1=0x10", "B.DIM zero, 16, ->LB1"},
    {"B.DIM LB2, 64", "B.DIM zero, 64, ->LB2"},
    {"B.DIM ->LB0, a0, 16", "B.DIM a0, 16, ->LB0"},
    {"c.b.dimi 64, ->lb0", "C.B.DIMI 64, ->LB0"},
    {"B.CATR trap, atomic, aqrl, far, dr", "B.CATR {trap, atomic, aqrl, far, dr}"},
    {"B.CATR {dr, rl, aq, far}", "B.CATR {aqrl, far, dr}"},
    {"B.DATR NORM, FP16, Zero", "B.DATR {NORM, FP16, Zero, EQ, Default, 0, 0}"},
    {"B.DATR NORM, FP16, Zero, cmode2, rmode3, sat, canonicalize",
     "B.DATR {NORM, FP16, Zero, LT, RTM, 1, 1}"},
    {"B.DATR {NORM, FP16, Zero, None, NONE, 0, 0}", "B.DATR {NORM, FP16, Zero, EQ, Default, 0, 0}"},
    {"B.DATR NORMAL, fp16, null", "B.DATR {NORM, FP16, Null, EQ, Default, 0, 0}"},
    {"B.DATR CANON, fp16", "B.DATR {NORM, FP16, Null, EQ, Default, 0, 0}"},
    {"B.DATR NORM.normal, FP16", "B.DATR {NORM, FP16, Null, EQ, Default, 0, 0}"},
    {"B.DATR ND2NZ.canon, FP16", "B.DATR {ND2NZ, FP16, Null, EQ, Default, 0, 0}"},
    {"B.DATR Layout4, FP16", "B.DATR {ND2NZ, FP16, Null, EQ, Default, 0, 0}"},
    {"B.DATR layout30, FP16", "B.DATR {NZ2ZN, FP16, Null, EQ, Default, 0, 0}"},
    {"B.DATR RMode=RDN, Layout=ND2NZ, DataType=FP16", "B.DATR {ND2NZ, FP16, Null, EQ, RTM, 0, 0}"},
    {"B.DATR U32, ByteId=2", "B.DATR {NORM, U32, Min, EQ, Default, 0, 0}"},
    {"B.DATR RUP", "B.DATR {NORM, FP64, Null, EQ, RTP, 0, 0}"},
    {"B.DATR", "B.DATR {NORM, FP64, Null, EQ, Default, 0, 0}"},
    {"B.FPATR 3, 1, 2, 0, 0, 0, 0", "B.FPATR REQ8, ReLU, 2, 0, 0, 0, 0, 0, 0"},
    {"B.FPATR req8, relu, N16, 0, 0, 0, 0", "B.FPATR REQ8, ReLU, 2, 0, 0, 0, 0, 0, 0"},
    {"B.HINT BR.likely, temp.hot, 64", "B.HINT {BR.likely, TEMP.hot, 64}"},
    {"B.HINT {BR.unlikely}", "B.HINT {BR.unlikely, TEMP.none, 0}"},
    {"BSTART.TADD FP16", "BSTART.VEC TADD, FP16"},
    {"bstart.vec tadd, fp16", "BSTART.VEC TADD, FP16"},
    {"BSTART.TEPL 0, 0, FP16", "BSTART.VEC TADD, FP16"},
    {"BSTART.TDIV FP16", "BSTART.SFU TDIV, FP16"},
    {"BSTART.TEPL 0, 3, FP16", "BSTART.SFU TDIV, FP16"},
    {"bstart.tmov.l2s.insert u8", "BSTART.TMOV.L2S.INSERT U8"},
    {"bstart.tload fp16", "BSTART.TLOAD FP16"},
    {"FENTRY [r10 ~ r10], sp!, 8", "FENTRY [ra ~ ra], sp!, 8"},
    {"ssrget 0xc00, ->a0", "ssrget CYCLE, ->a0"},
};

static void alternates_give_the_canonical_bytes(void **state)
{
    struct harness *h = *state;
    harness_target(h, "pto0.58.3");
    for (unsigned i = 0; i < sizeof alternates / sizeof *alternates; i++) {
        uint8_t bytes[8];
        char hex[2 * sizeof bytes + 1];
        snprintf(hex, sizeof hex, "%s", harness_assemble(h, alternates[i].canonical));
        if (strcmp(harness_assemble(h, alternates[i].text), hex) != 0 || !strcmp(hex, "error"))
            fail_msg("%s is not %s (%s)", alternates[i].text, hex, harness_message(h));
        size_t n = unhex(hex, bytes, sizeof bytes);
        assert_string_equal(harness_disassemble(h, bytes, n, false), alternates[i].canonical);
    }
}

/* ---- refused words ---- */

struct refused_row {
    const char *revision, *hex, *text;
};

static const struct refused_row refused[] = {
    {"pto0.58.3", "13e80f00", "reserved: B.IOT: SizeCode 15 is reserved (legal: 1..10)"}, /* A01 */
    {"pto0.58.3", "8111c1c9", "reserved: no instruction has the word 0xc9c11181"},        /* A11 */
    {"pto0.58.3", "81110200", "reserved: reserved for BSTART.VPAR"},
    {"pto0.58.3", "01900000", "reserved: reserved for BSTART.STD.FIXUP"},
    {"pto0.58.3", "8191e1c0",
     "reserved: BSTART.TEPL: Mode 0, Function 14 select no tile operation"},
    {"pto0.58.3", "81110178",
     "reserved: BSTART.TLOAD: DataType 15 is reserved (legal: FP64, FP32, TF32, HF32, FP16, BF16, "
     "HiF8, E4M3, E5M2, E3M2, E2M3, E2M1X2, E1M2X2, E8M0, HiF4X2, S64, S32, S16, S8, S4X2, U64, "
     "U32, U16, U8, U4X2)"},
    {"pto0.58.3", "fcff", "reserved: C.B.DIMI: LoopNest 3 is reserved (legal: LB0..LB2)"},
    {"pto0.58.3", "0e0001100000", "reserved: reserved for HL.BSTART.STD.FALL"},
    {"pto0.58.3", "0f00000002000000", "reserved: no instruction has the word 0x000000020000000f"},
    {"pto0.58.3", "13e8", "reserved: the instruction goes on behind the end of the section"},
    {"pto0.58.3", "0e00000000", "reserved: the instruction goes on behind the end of the section"},
};

static void refused_words(void **state)
{
    struct harness *h = *state;
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        uint8_t bytes[8];
        size_t n = unhex(refused[i].hex, bytes, sizeof bytes);
        harness_target(h, refused[i].revision);
        assert_string_equal(harness_disassemble(h, bytes, n, false), refused[i].text);
    }
}

/* One word, two revisions: 0.58.2's fields read otherwise in 0.58.3 (words of the LinxISA LLVM
 * tests). */
static void revisions_read_words_apart(void **state)
{
    struct harness *h = *state;
    uint8_t bytes[4];
    unhex("93d20900", bytes, sizeof bytes);
    harness_target(h, "pto0.58.2");
    assert_string_equal(harness_disassemble(h, bytes, 4, false),
                        "B.IOT T#1, mask=0011, last, ->U<1>");
    harness_target(h, "pto0.58.3");
    assert_string_equal(harness_disassemble(h, bytes, 4, false),
                        "B.IOT T#1, mask=1000, last, ->U<3>");
}

static void lengths(void **state)
{
    static const struct {
        const char *hex;
        unsigned length;
    } rows[] = {
        {"01000000", 4},
        {"0000", 2},
        {"0e0000000000", 6},
        {"0f00000001000000", 8},
        {"32005650", 4},
        /* BSTART.CALL: fused */ {"3200", 2}, /* its first halfword alone */
        {"32000000", 2},
        {"01", 0},
        {"", 0},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[8];
        size_t n = unhex(rows[i].hex, bytes, sizeof bytes);
        assert_int_equal(isa_length(bytes, n), rows[i].length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_the_specification_tests),
        cmocka_unit_test(tile_starts),
        cmocka_unit_test(totality_vectors),
        cmocka_unit_test(tile_start_space),
        cmocka_unit_test(seq_words),
        cmocka_unit_test(seq_immediates_of_every_dtype),
        cmocka_unit_test(seq_addresses_are_hexadecimal),
        cmocka_unit_test(single_words),
        cmocka_unit_test(alternates_give_the_canonical_bytes),
        cmocka_unit_test(refused_words),
        cmocka_unit_test(revisions_read_words_apart),
        cmocka_unit_test(lengths),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
