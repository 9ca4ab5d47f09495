/* SPDX-License-Identifier: BSD-3-Clause */
/* Every message of isa_match, word for word, beside a neighbour that is legal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/encoder/harness.h"

#include <stdio.h>
#include <string.h>

struct row {
    const char *text;
    const char *message; /* "" = accepted in silence */
};

static const struct row pto_0583[] = {
    /* names */
    {"ad a0, a1, ->a2", "unknown-mnemonic: unknown mnemonic 'ad'; did you mean add, and, ld?"},
    {"BSTART.TMOVE U8",
     "unknown-mnemonic: unknown mnemonic 'BSTART.TMOVE'; did you mean BSTART.TMOV, BSTART.GMOV, "
     "BSTART.TCVT?"},
    {"qqqqqq a0", "unknown-mnemonic: unknown mnemonic 'qqqqqq'"},
    {"C.B.IOS S#0", "retired: C.B.IOS: deleted; write the 32-bit B.IOS"},
    {"B.EQ a0, a1, x", "reserved-name: B.EQ is a reserved encoding of pto0.58.3"},
    {"HL.BSTART.STD DIRECT, x", "reserved-name: HL.BSTART.STD is a reserved encoding of pto0.58.3"},
    {"l.bstart.fp COND, x", "reserved-name: L.BSTART.FP is a reserved encoding of pto0.58.3"},
    {"HL.BSTART.CALL x, y, ->ra",
     "reserved-name: HL.BSTART.CALL is a reserved encoding of pto0.58.3"},
    {"BSTART.VPAR", "reserved-name: BSTART.VPAR is a reserved encoding of pto0.58.3"},
    {"BSTART.VEC TFREE, FP16", "retired: BSTART.VEC: TFREE: deleted tile operation"},
    {"BSTART.VEC TDIV, FP16", "wrong-engine: BSTART.VEC: TDIV starts as BSTART.SFU TDIV"},
    {"BSTART.SFU TDIV, FP16", ""},
    {"lr.w.ql [a0], ->a1", "unknown-suffix: lr.w: unknown suffix '.ql' (legal: aq, rl, f)"},
    {"lr.w.rlaq [a0], ->a1", "unknown-suffix: lr.w: unknown suffix 'aq' (legal: aq, rl, f)"},
    {"lr.w.aqrl [a0], ->a1", ""},
    {"fadd a0, a1, ->a2", "unknown-suffix: fadd needs a suffix (legal: fd, fs)"},
    {"fadd.fh a0, a1, ->a2", "unknown-suffix: fadd: unknown suffix '.fh' (legal: fd, fs)"},
    {"fadd.fs a0, a1, ->a2", ""},
    {"hl.prf.l4 [a0, a1]", "unknown-suffix: hl.prf: unknown suffix '.l4' (legal: l1..l3)"},
    {"hl.prf.l3 [a0, a1]", ""},

    {"B.SUBVIEW 0, a0, 0, 0",
     "not-in-revision: B.SUBVIEW is not known for pto0.58.3 (known for pto0.58.5)"},

    /* count and class of operands */
    {"add a0, a1",
     "operand-missing: add: operand 3 is missing: expected '->' and a scalar destination"},
    {"add a0, ->a2", "operand-missing: add: operand 3 is missing: expected a scalar source"},
    {"add a0, a1, ->a2, a3", "operand-surplus: add: operand 4 is one too many"},
    {"add a0, a1, ->a2", ""},
    {"B.IOS", "operand-missing: B.IOS: operand 1 is missing: expected a Shared tile"},
    {"lwi [a0], ->a1", "operand-class: lwi: operand 1 is the ']'; expected a number (simm12)"},
    {"lwi a0, 4, ->a1", "operand-class: lwi: operand 1 is 'a0'; expected '['"},
    {"lwi [a0, 4], ->a1", ""},
    {"add a0, 5, ->a2", "operand-class: add: operand 2 is '5'; expected a scalar source"},
    {"add a0, a1+a2, ->a2",
     "operand-class: add: operand 2 is an expression; expected a scalar source"},
    {"addi a0, a1, ->a2",
     "operand-class: addi: operand 2: 'a1' is a register; expected a number (uimm12); quote a "
     "symbol of that name"},
    {"addi a0, 1, ->a2", ""},
    {"FENTRY [ra], sp!, 8",
     "operand-class: FENTRY: operand 1 is 'ra'; expected a range 'first ~ last'"},
    {"FENTRY [ra ~ ra], sp!, 8", ""},
    {"add a0, a1, ->a2<3>", "operand-class: add: operand 3 is '3'; expected '->' and a scalar "
                            "destination"},

    /* names of operands */
    {"add a0, foo, ->a2",
     "operand-name: add: operand 2: 'foo' is not a scalar source (legal: zero, sp, a0..a7, ra, "
     "s0..s8, x0..x3, t#1..t#4, u#1..u#4)"},
    {"add a0, t#4, ->a2", ""},
    {"add a0, t#5, ->a2",
     "operand-name: add: operand 2: 't#5' is not a scalar source (legal: zero, sp, a0..a7, ra, "
     "s0..s8, x0..x3, t#1..t#4, u#1..u#4)"},
    {"add a0, r23, ->a2", ""},
    {"add a0, r24, ->a2",
     "operand-name: add: operand 2: 'r24' is not a scalar source (legal: zero, sp, a0..a7, ra, "
     "s0..s8, x0..x3, t#1..t#4, u#1..u#4)"},
    {"B.IOR t#1",
     "operand-name: B.IOR: operand 1: 't#1' is not a general register (legal: zero, sp, a0..a7, "
     "ra, s0..s8, x0..x3)"},
    {"B.IOT T#16, mask=1111", ""},
    {"B.IOT T#17, mask=1111",
     "operand-name: B.IOT: operand 1: 'T#17' is not a Local tile (legal: T#1..T#16, U#1..U#16, "
     "M#1..M#16, N#1..N#16)"},
    {"B.IOS S255, mask=1111", ""},
    {"B.IOS S256, mask=1111",
     "operand-name: B.IOS: operand 1: 'S256' is not a Shared tile (legal: S0..S255)"},
    {"BSTART.STD CONX, x",
     "operand-name: BSTART.STD: operand 1 is 'CONX'; expected FALL, DIRECT, COND, IND, RET"},
    {"BSTART.STD COND, x", ""},
    {"B.DIM a0, 1, ->LB3", "operand-name: B.DIM: operand 3 is 'LB3'; expected LB0, LB1, LB2"},
    {"C.B.DIMI 1, ->LB3",
     "operand-name: C.B.DIMI: operand 2: 'LB3' is not a loop bound (legal: LB0..LB2)"},
    {"B.DATR {NORM, FP31}",
     "operand-name: B.DATR: operand 2: 'FP31' is not a data type (legal: FP64, FP32, TF32, HF32, "
     "FP16, BF16, HiF8, E4M3, E5M2, E3M2, E2M3, E2M1X2, E1M2X2, E8M0, HiF4X2, S64, S32, S16, S8, "
     "S4X2, U64, U32, U16, U8, U4X2, DTYPE_NONE)"},
    {"B.FPATR S8Vector, None, 0, 0, 0, 0, 0",
     "operand-name: B.FPATR: operand 1: 'S8Vector' is not a quantisation mode (legal: NoQuant, "
     "F322F16, VREQ8, REQ8, VDEQF16, DEQF16, VSHIFTS322S16, SHIFTS322S16, F322BF16, REQ4, VREQ4, "
     "DEQS16, VDEQS16, VQF322B8_PRE, QF322B8_PRE, QF322HIF8_PRE, QF322FP8_PRE, QF322F32_PRE, "
     "VQF322HIF8_PRE, QF322F16_PRE, VQF322F16_PRE, QF322BF16_PRE, QS322BF16_PRE, VQF322BF16_PRE, "
     "VQF322FP8_PRE, VQF322F32_PRE, VQS322BF16_PRE)"},
    {"B.FPATR VREQ8, None, 0, 0, 0, 0, 0", ""},

    {"B.IOR 31", "operand-class: B.IOR: operand 1 is '31'; expected a general register"},
    {"B.IOR zero, t",
     "operand-name: B.IOR: operand 2: 't' is not a general register (legal: zero, sp, a0..a7, ra, "
     "s0..s8, x0..x3)"},

    /* keys, sizes, flags */
    {"B.IOT T#1, mask=1111, ->T<big>",
     "operand-name: B.IOT: operand 3: 'big' is not a size (legal: 128B, 256B, 512B, 1KB, 2KB, "
     "4KB, 8KB, 16KB, 32KB, 64KB)"},
    {"B.IOT T#1, mask=1111, ->T<8KB>", ""},
    {"B.IOT T#1, mask=1111, foo=3", "unknown-key: B.IOT takes no 'foo=' (legal: mask, size)"},
    {"B.IOT T#1, mask=1111, mask=1000", "operand-duplicate: B.IOT: mask is given twice"},
    {"B.IOT T#1, mask=1111, last, last", "operand-duplicate: B.IOT: last is given twice"},
    {"B.IOT T#1, mask=1111, size=1, ->T<1>", "operand-duplicate: B.IOT: size is given twice"},
    {"B.IOT T#1, mask=1111, size=1, ->T", ""},
    {"B.IOT T#1, mask=1111, ->T", "operand-missing: B.IOT: operand 3 needs a size, as in ->T<1> "
                                  "or size=1 (legal: 1..10)"},
    {"B.IOT T#1", "operand-missing: B.IOT: operand 2 is missing: expected 'mask=' and a PE mask"},

    /* numbers */
    {"addi a0, 4095, ->a1", ""},
    {"addi a0, 4096, ->a1", "field-range: addi: 4096 is not in [0, 4095] (uimm12)"},
    {"addi a0, -1, ->a1", "field-range: addi: -1 is not in [0, 4095] (uimm12)"},
    {"lwi [a0, 8188], ->a1", ""},
    {"lwi [a0, 8192], ->a1", "field-range: lwi: 8192 is not in [-8192, 8188] (simm12)"},
    {"lwi [a0, -8192], ->a1", ""},
    {"lwi [a0, -8193], ->a1", "field-range: lwi: -8193 is not in [-8192, 8188] (simm12)"},
    {"lwi [a0, 6], ->a1", "field-step: lwi: 6 is not a multiple of 4 (simm12)"},
    {"FENTRY [ra ~ s3], sp!, 44", "field-step: FENTRY: 44 is not a multiple of 8 (uimm)"},
    {"FENTRY [ra ~ s3], sp!, 40", ""},
    {"FENTRY [ra ~ s3], sp!, 32",
     "frame-size: FENTRY: 32 bytes are too few for the registers, which need 40"},
    {"add a0, a1<<31, ->a2", ""},
    {"add a0, a1<<32, ->a2", "field-range: add: 32 is not in [0, 31] (shamt)"},
    {"sw a0, [a1, a2<<2]", ""},
    {"sw a0, [a1, a2<<3]", "field-range: sw: the shift is always <<2"},
    {"bxs a0, 0, 64, ->a1", ""},
    {"bxs a0, 0, 65, ->a1", "field-range: bxs: 65 is not in [1, 64] (imml)"},
    {"bxs a0, 0, 0, ->a1", "field-range: bxs: 0 is not in [1, 64] (imml)"},

    /* reserved values */
    {"BSTART.GMOV DTYPE_NONE",
     "reserved-value: BSTART.GMOV: DataType DTYPE_NONE is not allowed (legal: FP64, FP32, TF32, "
     "HF32, FP16, BF16, HiF8, E4M3, E5M2, E3M2, E2M3, E2M1X2, E1M2X2, E8M0, HiF4X2, S64, S32, "
     "S16, S8, S4X2, U64, U32, U16, U8, U4X2)"},
    {"BSTART.TMOV DTYPE_NONE", ""},
    {"FENTRY [zero ~ a1], sp!, 64",
     "reserved-value: FENTRY: SrcBegin zero is not allowed (legal: a0..a7, ra, s0..s8, x0..x3)"},
    {"FRET.STK [s0 ~ s1], sp!, 64",
     "reserved-value: FRET.STK: DstBegin s0 is not allowed (legal: ra)"},
    {"FRET.STK [ra ~ s1], sp!, 64", ""},
    {"C.BSTART.STD COND",
     "reserved-value: C.BSTART.STD: BrType COND is not allowed (legal: FALL, IND, RET)"},
    {"B.IOT T#1, T#2, mask=1111, ->T<0>",
     "reserved-value: B.IOT: SizeCode 0 is reserved (legal: 1..10)"},
    {"B.IOT T#1, T#2, mask=1111, ->T<10>", ""},
    {"B.IOT T#1, T#2, mask=1111, ->T<11>",
     "reserved-value: B.IOT: SizeCode 11 is reserved (legal: 1..10)"},
    {"B.IOT T#1, T#2, mask=1111, ->T<16>", "field-range: B.IOT: 16 is not in [0, 15] (SizeCode)"},
    {"B.IOS mask=1111, ->S1<12>", ""},
    {"B.IOS mask=1111, ->S1<13>", "reserved-value: B.IOS: SizeCode 13 is reserved (legal: 1..12)"},
    {"B.IOS mask=1111, ->S1<0>", "reserved-value: B.IOS: SizeCode 0 is reserved (legal: 1..12)"},
    {"BSTART.TEPL 0, 14, FP16", "reserved-value: BSTART.TEPL: Mode 0, Function 14 select no tile "
                                "operation of pto0.58.3"},
    {"hl.qmt.sr a0, ->a1", "exclusive-flags: hl.qmt: s and r exclude each other"},
    {"hl.qmt.er a0, ->a1", ""},
    {"addtpc 0, ->ra", "owned-word: addtpc: RegDst cannot be ra: that word is 'setret'"},
    {"c.movi 1, ->ra", "owned-word: c.movi: RegDst cannot be ra: that word is 'c.setret'"},
    {"hl.addtpc 0, ->ra", "owned-word: hl.addtpc: RegDst cannot be ra: that word is 'hl.setret'"},
    {"addtpc 0, ->s0", ""},

    /* masks: what 0.58.2 could encode is left to the caller */
    {"B.IOT T#1, mask=11111, ->T<1>",
     "operand-class: B.IOT: operand 2 is '11111'; expected 'mask=' and a PE mask"},
    {"B.IOT T#1, mask=15, ->T<1>",
     "operand-class: B.IOT: operand 2 is '15'; expected 'mask=' and a PE mask"},
    {"B.IOT T#1, mask=1110, ->T<1>", ""},

    /* SEQ */
    {"MOVE.UINT32 R63 = 1", ""},
    {"MOVE.UINT32 R64 = 1", "seq-move: MOVE: a destination is R0..R63"},
    {"MOVE.UINT32 R1 = R64",
     "operand-name: MOVE: no such register; there are R0..R63, PC.LO and PC.HI"},
    {"MOVE.FP16 R1 = 1",
     "reserved-value: MOVE: dtype FP16 is not allowed (legal: INT32, UINT32, FP32)"},
    {"MOVE.UINT32", "operand-missing: MOVE: operand 1 is missing: expected moves 'R<n> = value'"},
    {"MOVE R1 = 1", "unknown-suffix: MOVE needs a suffix (legal: INT32, UINT32, FP32)"},
    {"MOVE.UINT32 R1=1, R2=2, R3=3, R4=4, R5=5, R6=6, R7=7, R8=8", ""},
    {"MOVE.UINT32 R1=1, R2=2, R3=3, R4=4, R5=5, R6=6, R7=7, R8=8, R9=9",
     "seq-move: MOVE: at most 8 moves fit one instruction"},
    {"MOVE.UINT32 R1=1, R1=2", "seq-move: MOVE: a register is the destination of two moves"},
    {"MOVE.UINT32 R1=R2, R2=R3", "seq-move: MOVE: a register is both source and destination"},
    {"MOVE.UINT32 R1=R2, R3=R2", ""},
    {"MOVE.UINT32 R1=1, R2=R3",
     "seq-move: MOVE: registers and immediates cannot be mixed in one instruction"},
    {"MOVE.UINT32 PC.HI = 1", "ignored-write: MOVE: a write to PC.HI is ignored"},
    {"MOVE.INT32 R1 = 2147483647", ""},
    {"MOVE.INT32 R1 = 2147483648",
     "field-range: MOVE: 2147483648 is not in [-2147483648, 2147483647] (immediate)"},
    {"MOVE.INT32 R1 = -2147483648", ""},
    {"MOVE.INT32 R1 = -2147483649",
     "field-range: MOVE: -2147483649 is not in [-2147483648, 2147483647] (immediate)"},
    {"MOVE.UINT32 R1 = 4294967295", ""},
    {"MOVE.UINT32 R1 = 4294967296",
     "field-range: MOVE: 4294967296 is not in [0, 4294967295] (immediate)"},
    {"MOVE.UINT32 R1 = -1", "field-range: MOVE: -1 is not in [0, 4294967295] (immediate)"},
    {"MOVE.UINT32 R1 = 1.5",
     "operand-class: MOVE: a number with a fraction or exponent, inf and nan need dtype FP32"},
    {"MOVE.FP32 R1 = 3.4028235e38", ""},
    {"MOVE.FP32 R1 = 3.4028236e38",
     "field-range: MOVE: the number is too large for FP32; write infinity as 0x7f800000"},
    {"ALU_OP.INT32 R6 = SQUARE4 R4",
     "operand-name: ALU_OP: operand 1: 'SQUARE4' is not an ALU operation (legal: BYPASS, "
     "BITWISE_NOT, ARITH_SHIFT_LEFT, ARITH_SHIFT_RIGHT, ADD, SUBTRACT, MULT, DIVIDE, MAX, MIN, "
     "BITWISE_AND, BITWISE_OR, BITWISE_XOR, LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR, "
     "LOGICAL_SHIFT_LEFT, LOGICAL_SHIFT_RIGHT, IS_EQ, IS_GT, IS_GE, IS_LE, IS_LT, ABSOLUTE_DIFF, "
     "IS_NE, ABSOLUTE_VALUE, POW, MOD, CRC32, RSQRT, ADD_INT, MULT_INT, SUBTRACT_INT, DIVIDE_INT, "
     "MOD_INT, IS_EQUAL_INT, IS_NE_INT, ABS_MAX_INT, ABS_MIN_INT, ABS_DIFF_INT, ABS_VALUE_INT, "
     "MAX_INT, MIN_INT, IS_GT_INT, IS_GE_INT, IS_LE_INT, IS_LT_INT, MAX_UINT, MIN_UINT, "
     "IS_GT_UINT, IS_GE_UINT, IS_LE_UINT, IS_LT_UINT, MULT_UINT, DIVIDE_UINT, MOD_UINT, AMAX_INT, "
     "AMIN_INT, AMAX_UINT, AMIN_UINT)"},
    {"COMPARE_BRANCH.INT32 EQ R7, 0, 65",
     "field-step: COMPARE_BRANCH: 65 is not a multiple of 64 (br_immediate)"},
    {"COMPARE_BRANCH.INT32 EQ R7, 0, 64", ""},
    {"COMPARE_BRANCH.INT32 EQ 7, 0, 64",
     "operand-class: COMPARE_BRANCH: a comparison is 'EQ R7, 0' or 'EQ R7, R8'"},
    {"EVENT_SEMAPHORE $S[255]>0", ""},
    {"EVENT_SEMAPHORE $S[256]>0",
     "field-range: EVENT_SEMAPHORE: 256 is not in [0, 255] (wait_idx)"},
    {"EVENT_SEMAPHORE $S[1]!=0",
     "seq-event: EVENT_SEMAPHORE: this wait has no code in the generation"},
    {"EVENT_SEMAPHORE $S[1]>5 $S[2]+=4", "seq-event: EVENT_SEMAPHORE: the wait threshold and the "
                                         "update value share one word and differ"},
    {"EVENT_SEMAPHORE $S[1]>4 $S[2]+=4", ""},
    {"EVENT_SEMAPHORE $S[1]>0 $S[2]+=4",
     "seq-shared-word: EVENT_SEMAPHORE: the wait threshold and the update value share one word: "
     "both are 4"},
    {"PSEUDO_DMA_TRIGGER q block_id=0", ""},
    {"PSEUDO_DMA_TRIGGER q block_id=1",
     "unknown-key: PSEUDO_DMA_TRIGGER: only block_id=0 is accepted: no source says where the value "
     "stands"},
    {"TEST_EVENT_SEM.READ_SEM [1], [R0]", "not-in-revision: TEST_EVENT_SEM.READ_SEM is not known "
                                          "for cayman (known for mariana, maverick)"},
    {"ALU_OP.INT32 R6 = SQUARE R4, 0",
     "not-in-revision: ALU_OP: ALU operation SQUARE is not known for cayman (known for mariana, "
     "maverick)"},
};

static const struct row pto_0582[] = {
    {"B.IOT T#1, mask=0101, ->T<7>", ""},
    {"B.IOT T#1, mask=0101, ->T<8>", "field-range: B.IOT: 8 is not in [0, 7] (TSize)"},
    {"B.IOT T#1, mask=0101, ->T<0>", "reserved-value: B.IOT: TSize 0 is reserved (legal: 1..7)"},
    {"B.IOT ->u<16KB>, mask=1111",
     "reserved-value: B.IOT: TSize 16KB is not allowed (legal: 1..7)"},
};

static const struct row maverick[] = {
    {"EVENT_SEMAPHORE $E[3]",
     "not-in-revision: EVENT_SEMAPHORE: wait mode EVT_SET is not known for maverick (known for "
     "sunda, cayman, mariana)"},
    {"EVENT_SEMAPHORE $S[3]>R4", ""},
    {"ALU_OP.INT32 R6 = SQUARE R4, 0", ""},
};

static const struct row pto_0585[] = {
    {"BSTART.TMOV.L2S.INSERT U8",
     "retired: BSTART.TMOV.L2S.INSERT: deleted in 0.58.5; BSTART.TMOV takes a B.IOS destination, "
     "and B.ASSEMBLE gives its range"},
    {"BSTART.VEC TTRANS, FP16", "retired: BSTART.VEC: TTRANS: tile operation deleted in 0.58.5"},
    {"BSTART.SFU TPACK, U32", ""},
    {"hl.prf.l1 [a0, a1.neg]", ""}, /* docs/decisions.md */
    {"B.IOS S63, mask=1111", ""},
    {"B.IOS S64, mask=1111",
     "operand-name: B.IOS: operand 1: 'S64' is not a Shared tile (legal: S0..S63)"},
};

static void check(const char *revision, const struct row *rows, size_t count)
{
    struct harness *h = harness_create();
    unsigned failures = 0;
    harness_target(h, revision);
    for (size_t i = 0; i < count; i++) {
        bool matched = harness_match(h, rows[i].text);
        const char *message = harness_message(h);
        size_t n = strlen(rows[i].message);
        bool prefix = n > 2 && rows[i].message[n - 1] == ' ';
        bool silent = !n || strstr(rows[i].message, "ignored-write") == rows[i].message ||
                      strstr(rows[i].message, "seq-shared-word") == rows[i].message;
        if ((prefix ? strncmp(message, rows[i].message, n) : strcmp(message, rows[i].message)) ||
            matched != silent) {
            print_error("%s\n  says     %s\n  expected %s\n", rows[i].text, message,
                        rows[i].message);
            failures++;
        }
    }
    harness_destroy(h);
    assert_int_equal(failures, 0);
}

#define CHECK(revision, rows) check(revision, rows, sizeof rows / sizeof *(rows))

static void messages_of_0583(void **state)
{
    (void)state;
    CHECK("pto0.58.3", pto_0583);
}

static void messages_of_0582(void **state)
{
    (void)state;
    CHECK("pto0.58.2", pto_0582);
}

static void messages_of_0585(void **state)
{
    (void)state;
    CHECK("pto0.58.5", pto_0585);
}

static void messages_of_maverick(void **state)
{
    (void)state;
    CHECK("maverick", maverick);
}

/* A mask without a code, in a statement that fits 0.58.2, is the caller's decision. */
static void masks_are_left_to_the_caller(void **state)
{
    struct harness *h = harness_create();
    (void)state;
    assert_false(harness_match(h, "B.IOT T#1, mask=0101, size=1, ->T"));
    assert_string_equal(harness_message(h), "");
    const struct isa_match *match = harness_result(h);
    assert_true(match->mask_only_0582);
    assert_string_equal(match->mask_text, "0101");
    assert_int_equal(match->mask_loc.col, 17);
    /* 64 KB has no code in 0.58.2: no revision fits, so the mask is reported. */
    assert_false(harness_match(h, "B.IOT T#1, mask=0101, ->T<10>"));
    assert_false(harness_result(h)->mask_only_0582);
    assert_string_equal(harness_message(h), "mask: B.IOT: PE mask '0101' has no code in pto0.58.3 "
                                            "(legal: 0000, 1000, 0100, 0010, 0001, 1100, 1110, "
                                            "1111)");
    harness_destroy(h);
}

/* Symbolic operands wait; a field without a relocation is the assembler's to refuse. */
static void symbols_become_fixups(void **state)
{
    static const struct {
        const char *text, *field, *reloc;
        unsigned scale;
    } rows[] = {
        {"BSTART.STD COND, x", "simm17", "R_LINX_B17_PCREL", 0},
        {"BSTART DIRECT, x+4", "simm25", "R_LINX_B25_PCREL", 0},
        {"C.B.DIMI x, ->LB0", "imm8", NULL, 0},
        {"lwi [a0, x], ->a1", "simm12", NULL, 4},
        {"addtpc %tpcrel_hi(x), ->a0", "imm20", "R_PTO_PCREL_HI20", 0},
        {"COMPARE_BRANCH.INT32 ALWAYS, x", "br_immediate", "R_SEQ_REL32", 0},
        {"MOVE.UINT32 R1 = 1, R2 = x", "immediate", "R_SEQ_ABS32", 0},
    };
    struct harness *h = harness_create();
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!harness_match(h, rows[i].text))
            fail_msg("%s: %s", rows[i].text, harness_message(h));
        const struct isa_match *m = harness_result(h);
        assert_int_equal(m->nfixups, 1);
        const struct isa_fixup *f = &m->fixup[0];
        assert_string_equal(isa_field_names[m->insn.form->fields[f->field].name], rows[i].field);
        assert_string_equal(f->reloc ? f->reloc->name : "none",
                            rows[i].reloc ? rows[i].reloc : "none");
        assert_true(f->operand_scale == rows[i].scale || (!rows[i].scale && f->operand_scale <= 1));
        assert_int_equal(f->element, strstr(rows[i].text, "R2") ? 1 : 0);
    }
    harness_destroy(h);
}

/* ---- names that are refused ---- */

static void expect_message(struct harness *h, const char *text, const char *begins)
{
    if (harness_match(h, text) || strncmp(harness_message(h), begins, strlen(begins)) != 0)
        fail_msg("%s says '%s', not '%s'", text, harness_message(h), begins);
}

/* deleted_names and rejected_names of the 0.58.3 catalogue, and what 0.58.5 deleted. */
static void deleted_operations_are_named(void **state)
{
    static const char *const always[] = {
        "ACCCVT",  "TADDC",   "TADDSC",   "TALLOC",      "TAXPY",  "TDEINTERLEAVE", "TFMOD",
        "TFMODS",  "TFREE",   "TGATHERB", "TINTERLEAVE", "TLRELU", "TPARTARGMAX",   "TPARTARGMIN",
        "TPOP",    "TPRELU",  "TPUSH",    "TRESHAPE",    "TSUBC",  "TSUBSC",        "TRANDOM",
        "TSORT32", "TEXRACT", "TFILL",    "TPOW",        "TPOWS",
    };
    static const char *const since_0585[] = {"TFILLPAD", "TPARTADD", "TPARTMAX",
                                             "TPARTMIN", "TPARTMUL", "TTRANS"};
    static const char *const revisions[] = {"pto0.58.2", "pto0.58.3", "pto0.58.5"};
    static const char *const texts[] = {"%s", "BSTART.%s FP16", "BSTART.VEC %s, FP16",
                                        "BSTART.SFU %s, FP16"};
    struct harness *h = harness_create();
    char text[80], begins[80];
    (void)state;
    assert_int_equal(sizeof always / sizeof *always, 22 + 4);
    for (unsigned r = 0; r < 3; r++) {
        harness_target(h, revisions[r]);
        for (unsigned i = 0; i < 26 + (r == 2 ? 6 : 0); i++) {
            const char *name = i < 26 ? always[i] : since_0585[i - 26];
            for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++) {
                snprintf(text, sizeof text, texts[t], name);
                snprintf(begins, sizeof begins, "retired: %s%s: ",
                         t == 2   ? "BSTART.VEC: "
                         : t == 3 ? "BSTART.SFU: "
                                  : "",
                         name);
                expect_message(h, text, begins);
            }
        }
    }
    harness_target(h, "pto0.58.3");
    for (unsigned i = 0; i < 6; i++) {
        snprintf(text, sizeof text, "BSTART.SFU %s, FP16", since_0585[i]);
        assert_true(harness_match(h, text));
    }
    harness_destroy(h);
}

static void deleted_commands_name_what_replaced_them(void **state)
{
    static const struct row rows[] = {
        {"B.IOD T#1", "retired: B.IOD: deleted; B.IOS has its encoding now, B.IOT binds Local "
                      "tiles"},
        {"C.B.IOS S1", "retired: C.B.IOS: deleted; write the 32-bit B.IOS"},
        {"BSTART.PAR TADD, FP16",
         "retired: BSTART.PAR: deleted; a tile operation starts with BSTART.VEC, BSTART.SFU or its "
         "own BSTART"},
        {"BSTART.TLSU TLOAD, FP16",
         "retired: BSTART.TLSU: a family name without an encoding; each operation has its own "
         "start, such as BSTART.TLOAD"},
        {"BSTART.TMA TLOAD, FP16",
         "retired: BSTART.TMA: an older name of the TLSU family; each operation has its own start, "
         "such as BSTART.TLOAD"},
        {"BSTART.CUBE TMATMUL, FP16",
         "retired: BSTART.CUBE: a family name without an encoding; each operation has its own "
         "start, such as BSTART.TMATMUL"},
        {"BSTART.FIXP", "retired: BSTART.FIXP: deleted; B.FPATR in a CUBE bundle carries the "
                        "post-processing"},
    };
    static const char *const revisions[] = {"pto0.58.2", "pto0.58.3", "pto0.58.5"};
    (void)state;
    for (unsigned r = 0; r < 3; r++)
        CHECK(revisions[r], rows);
}

/* A name that can be typed; the others ("V.*") stand for many. */
static bool is_word(const char *name)
{
    return !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.")];
}

/* The first word of a reserved encoding that its constraints leave to it. */
static uint64_t reserved_word(const struct isa_reserved *r)
{
    uint8_t bytes[8];
    uint64_t word = r->match;
    for (unsigned i = 0; i < r->nconstraints; i++) {
        const struct isa_field *f = &r->fields[r->constraints[i].field];
        assert_int_equal(r->constraints[i].op, ISA_CONSTRAINT_NE);
        for (unsigned k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(word >> (8 * k));
        isa_set_bits(f->pieces, f->npieces, 0, r->constraints[i].set + 1, bytes);
        word = 0;
        for (unsigned k = 0; k < sizeof bytes; k++)
            word |= (uint64_t)bytes[k] << (8 * k);
    }
    return word;
}

static void reserved_encodings_are_named(void **state)
{
    struct harness *h = harness_create();
    unsigned typed = 0, decoded = 0;
    (void)state;
    for (unsigned bit = 0; bit < ISA_REVISION_COUNT; bit++) {
        if (isa_revisions[bit].set != ISA_SET_PTO)
            continue;
        harness_target(h, isa_revisions[bit].name);
        for (unsigned i = 0; i < ISA_RESERVED_COUNT; i++) {
            const struct isa_reserved *r = &isa_reserved_encodings[i];
            uint64_t word = reserved_word(r);
            uint8_t bytes[8];
            char text[80];
            if (!(r->revs & isa_revisions[bit].bit))
                continue;
            snprintf(text, sizeof text, "reserved-name: %s is a reserved encoding of %s", r->name,
                     isa_revisions[bit].name);
            if (is_word(r->name)) {
                expect_message(h, r->name, text);
                typed++;
            }
            for (unsigned k = 0; k < sizeof bytes; k++)
                bytes[k] = (uint8_t)(word >> (8 * k));
            /* HL.BSTART.CALL is BSTART DIRECT with a C.SETRET behind it: by the rule of lengths
             * those two legal instructions are what its bytes say. */
            if (isa_length(bytes, r->length) != r->length) {
                assert_string_equal(r->name, "HL.BSTART.CALL");
                continue;
            }
            snprintf(text, sizeof text, "reserved: reserved for %s", r->name);
            assert_string_equal(harness_disassemble(h, bytes, r->length, false), text);
            decoded++;
        }
    }
    harness_destroy(h);
    assert_int_equal(typed, 39 + 39 + 39); /* all but V.* and selectors */
    assert_int_equal(decoded, 39 + 39 + 45);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_0583),
        cmocka_unit_test(messages_of_0582),
        cmocka_unit_test(messages_of_0585),
        cmocka_unit_test(messages_of_maverick),
        cmocka_unit_test(masks_are_left_to_the_caller),
        cmocka_unit_test(symbols_become_fixups),
        cmocka_unit_test(deleted_operations_are_named),
        cmocka_unit_test(deleted_commands_name_what_replaced_them),
        cmocka_unit_test(reserved_encodings_are_named),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
