/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every data type of tiles against MPFR: what each encoding means, and what each number becomes in
 * every rounding mode, saturated or not, with its status. Formats up to 16 bits are compared
 * exhaustively, wider ones at their boundaries and at random numbers.
 *
 * MPFR serves as exact arithmetic: a number is divided by the unit that the format has at its
 * magnitude, and the quotient rounded to a whole number. HiF8's numbers are a table written from
 * its definition; E8M0 rounds MPFR's logarithm (spec: hardware-conformance-profile.json,
 * data_types, b_datr, conversion, tcvt_e8m0).
 *
 * TILE_FORMATS_ALL in the environment converts all encodings of the 16-bit types to every type, in
 * every mode, by TCVT (some minutes); without it each combination takes a share of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#include <cmocka.h>

#ifdef HAVE_MPFR

#define MPFR_USE_INTMAX_T 1
#include <mpfr.h>

#include "sim/element.h"
#include "sim/pe.h"
#include "tests/sim/tile_bench.h"

#define T(name) ISA_DataType_##name

enum { NV = 1, OF = 4, UF = 8, NX = 16, STATUS = 32 };
enum { PRECISION = 320 };

/* ---- formats ---- */

enum kind { FLOATING, HIF8, SCALE, SIGNED, UNSIGNED };
enum specials { INFINITY_AND_NAN, ONE_NAN, FINITE };

struct format { /* floating: (1 + f / 2^fraction) * 2^(e - bias) */
    const char *name;
    uint8_t dtype, bits;
    enum kind kind;
    enum specials specials;
    unsigned exponent, fraction;
    int bias;
    unsigned shift; /* zero bits below the fraction */
};

static const struct format formats[] = {
    {"FP64", T(FP64), 64, FLOATING, INFINITY_AND_NAN, 11, 52, 1023, 0},
    {"FP32", T(FP32), 32, FLOATING, INFINITY_AND_NAN, 8, 23, 127, 0},
    {"TF32", T(TF32), 32, FLOATING, INFINITY_AND_NAN, 8, 10, 127, 13},
    {"HF32", T(HF32), 32, FLOATING, INFINITY_AND_NAN, 8, 11, 127, 12},
    {"FP16", T(FP16), 16, FLOATING, INFINITY_AND_NAN, 5, 10, 15, 0},
    {"BF16", T(BF16), 16, FLOATING, INFINITY_AND_NAN, 8, 7, 127, 0},
    {"HiF8", T(HiF8), 8, HIF8, INFINITY_AND_NAN, 0, 0, 0, 0},
    {"E4M3", T(E4M3), 8, FLOATING, ONE_NAN, 4, 3, 7, 0},
    {"E5M2", T(E5M2), 8, FLOATING, INFINITY_AND_NAN, 5, 2, 15, 0},
    {"E3M2", T(E3M2), 8, FLOATING, FINITE, 3, 2, 3, 0},
    {"E2M3", T(E2M3), 8, FLOATING, FINITE, 2, 3, 1, 0},
    {"E2M1", T(E2M1X2), 4, FLOATING, FINITE, 2, 1, 1, 0},
    {"E1M2", T(E1M2X2), 4, FLOATING, FINITE, 1, 2, 1, 0},
    {"HiF4", T(HiF4X2), 4, FLOATING, FINITE, 1, 2, 1, 0},
    {"E8M0", T(E8M0), 8, SCALE, ONE_NAN, 0, 0, 0, 0},
    {"S64", T(S64), 64, SIGNED, FINITE, 0, 0, 0, 0},
    {"S32", T(S32), 32, SIGNED, FINITE, 0, 0, 0, 0},
    {"S16", T(S16), 16, SIGNED, FINITE, 0, 0, 0, 0},
    {"S8", T(S8), 8, SIGNED, FINITE, 0, 0, 0, 0},
    {"S4", T(S4X2), 4, SIGNED, FINITE, 0, 0, 0, 0},
    {"U64", T(U64), 64, UNSIGNED, FINITE, 0, 0, 0, 0},
    {"U32", T(U32), 32, UNSIGNED, FINITE, 0, 0, 0, 0},
    {"U16", T(U16), 16, UNSIGNED, FINITE, 0, 0, 0, 0},
    {"U8", T(U8), 8, UNSIGNED, FINITE, 0, 0, 0, 0},
    {"U4", T(U4X2), 4, UNSIGNED, FINITE, 0, 0, 0, 0},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static bool is_integer(const struct format *f)
{
    return f->kind == SIGNED || f->kind == UNSIGNED;
}

static uint64_t sign_bit(const struct format *f)
{
    return f->kind == HIF8 ? 0x80 : UINT64_C(1) << (f->exponent + f->fraction + f->shift);
}

static uint64_t infinity_of(const struct format *f)
{
    return f->kind == HIF8 ? 0x6f : ones(f->exponent) << (f->fraction + f->shift);
}

static uint64_t nan_of(const struct format *f)
{
    if (f->kind == HIF8)
        return 0x80;
    if (f->kind == SCALE)
        return 0xff;
    if (f->specials == INFINITY_AND_NAN)
        return infinity_of(f) | UINT64_C(1) << (f->fraction - 1 + f->shift);
    return ones(f->exponent + f->fraction);
}

static uint64_t largest_of(const struct format *f)
{
    if (f->kind == HIF8)
        return 0x6e;
    uint64_t last = UINT64_C(1) << f->shift;
    return f->specials == INFINITY_AND_NAN ? infinity_of(f) - last
           : f->specials == ONE_NAN        ? nan_of(f) - last
                                           : ones(f->exponent + f->fraction);
}

/* ---- HiF8 by its definition ---- */

/* Codes from `first` on: 2^exponent times 1, 1 + 2^-digits, … A zero bit after the prefix is a
 * positive exponent. Ascending magnitudes. */
struct hif8_row {
    uint8_t first;
    int8_t exponent;
    uint8_t digits;
};
static const struct hif8_row hif8_rows[] = {
    {0x01, -22, 0}, {0x02, -21, 0}, {0x03, -20, 0}, {0x04, -19, 0}, {0x05, -18, 0}, {0x06, -17, 0},
    {0x07, -16, 0}, {0x7e, -15, 1}, {0x7c, -14, 1}, {0x7a, -13, 1}, {0x78, -12, 1}, {0x76, -11, 1},
    {0x74, -10, 1}, {0x72, -9, 1},  {0x70, -8, 1},  {0x5c, -7, 2},  {0x58, -6, 2},  {0x54, -5, 2},
    {0x50, -4, 2},  {0x38, -3, 3},  {0x30, -2, 3},  {0x18, -1, 3},  {0x08, 0, 3},   {0x10, 1, 3},
    {0x20, 2, 3},   {0x28, 3, 3},   {0x40, 4, 2},   {0x44, 5, 2},   {0x48, 6, 2},   {0x4c, 7, 2},
    {0x60, 8, 1},   {0x62, 9, 1},   {0x64, 10, 1},  {0x66, 11, 1},  {0x68, 12, 1},  {0x6a, 13, 1},
    {0x6c, 14, 1},  {0x6e, 15, 1},
};
enum {
    HIF8_ROWS = sizeof hif8_rows / sizeof *hif8_rows,
    HIF8_LOWEST = -22,
    HIF8_NORMAL = -15,
    HIF8_HIGHEST = 15,
};

static const struct hif8_row *hif8_row_of(int exponent)
{
    int i = exponent < HIF8_LOWEST    ? 0
            : exponent > HIF8_HIGHEST ? HIF8_ROWS - 1
                                      : exponent - HIF8_LOWEST;
    return &hif8_rows[i];
}

/* ---- encodings to numbers ---- */

enum number_class { NUMBER, QUIET, SIGNALING };

static void decode_hif8(mpfr_t v, unsigned code)
{
    unsigned magnitude = code & 0x7f;
    mpfr_set_zero(v, 1);
    for (int i = 0; i < HIF8_ROWS; i++) {
        const struct hif8_row *row = &hif8_rows[i];
        unsigned step = magnitude - row->first;
        if (magnitude >= row->first && step < 1u << row->digits)
            mpfr_set_ui_2exp(v, (1u << row->digits) + step, row->exponent - row->digits, MPFR_RNDN);
    }
    if (magnitude == 0x6f)
        mpfr_set_inf(v, 1);
    mpfr_setsign(v, v, (code & 0x80) != 0, MPFR_RNDN);
}

static enum number_class decode_floating(mpfr_t v, const struct format *f, uint64_t code)
{
    uint64_t magnitude = code & (sign_bit(f) - 1);
    uint64_t fraction = magnitude >> f->shift & ones(f->fraction);
    int exponent = (int)(magnitude >> (f->fraction + f->shift));
    bool highest = (uint64_t)exponent == ones(f->exponent);
    if (f->specials == INFINITY_AND_NAN && highest && fraction)
        return fraction >> (f->fraction - 1) ? QUIET : SIGNALING;
    if (f->specials == ONE_NAN && magnitude == nan_of(f))
        return QUIET;
    if (f->specials == INFINITY_AND_NAN && highest)
        mpfr_set_inf(v, 1);
    else
        mpfr_set_uj_2exp(v, exponent ? fraction | UINT64_C(1) << f->fraction : fraction,
                         (exponent ? exponent : 1) - f->bias - (int)f->fraction, MPFR_RNDN);
    mpfr_setsign(v, v, (code & sign_bit(f)) != 0, MPFR_RNDN);
    return NUMBER;
}

static enum number_class decode(mpfr_t v, const struct format *f, uint64_t code)
{
    code &= ones(f->bits);
    switch (f->kind) {
    case HIF8:
        decode_hif8(v, (unsigned)code);
        return code == 0x80 ? QUIET : NUMBER;
    case SCALE:
        mpfr_set_ui_2exp(v, 1, (int)code - 127, MPFR_RNDN);
        return code == 0xff ? QUIET : NUMBER;
    case SIGNED:
        if (code >> (f->bits - 1)) { /* minus two's complement */
            mpfr_set_uj(v, code ^ ones(f->bits), MPFR_RNDN);
            mpfr_add_ui(v, v, 1, MPFR_RNDN);
            mpfr_neg(v, v, MPFR_RNDN);
            return NUMBER;
        }
        mpfr_set_uj(v, code, MPFR_RNDN);
        return NUMBER;
    case UNSIGNED:
        mpfr_set_uj(v, code, MPFR_RNDN);
        return NUMBER;
    default:
        return decode_floating(v, f, code);
    }
}

/* Does the carrier hold bits that the format has not? */
static bool is_encoding(const struct format *f, uint64_t code)
{
    if (f->kind != FLOATING)
        return true;
    return !(code & ~(sign_bit(f) | (sign_bit(f) - 1))) && !(code & ones(f->shift));
}

/* ---- numbers to encodings ---- */

struct result {
    uint64_t bits;
    unsigned flags;
};

/* To a whole number. */
static void round_whole(mpfr_t v, const mpfr_t x, enum rounding mode)
{
    static const mpfr_rnd_t known[] = {[ROUND_EVEN] = MPFR_RNDN,
                                       [ROUND_ZERO] = MPFR_RNDZ,
                                       [ROUND_DOWN] = MPFR_RNDD,
                                       [ROUND_UP] = MPFR_RNDU};
    MPFR_DECL_INIT(half, PRECISION);
    switch (mode) {
    case ROUND_AWAY:
        mpfr_round(v, x);
        return;
    case ROUND_ODD:
        mpfr_trunc(v, x);
        if (!mpfr_integer_p(x)) {
            mpfr_div_2ui(half, v, 1, MPFR_RNDN);
            if (mpfr_integer_p(half))
                mpfr_rint(v, x, MPFR_RNDA);
        }
        return;
    case ROUND_TIES_UP:
        mpfr_set_d(half, 0.5, MPFR_RNDN);
        mpfr_add(half, half, x, MPFR_RNDN);
        mpfr_floor(v, half);
        mpfr_setsign(v, v, mpfr_signbit(x), MPFR_RNDN); /* a zero keeps its sign */
        return;
    default:
        mpfr_rint(v, x, known[mode]);
    }
}

/* To a multiple of 2^unit; true when something was lost. */
static bool round_to(mpfr_t v, const mpfr_t x, int unit, enum rounding mode)
{
    MPFR_DECL_INIT(scaled, PRECISION);
    mpfr_mul_2si(scaled, x, -unit, MPFR_RNDN);
    round_whole(v, scaled, mode);
    bool lost = !mpfr_equal_p(v, scaled);
    mpfr_mul_2si(v, v, unit, MPFR_RNDN);
    return lost;
}

static int exponent_of(const mpfr_t x)
{
    return (int)mpfr_get_exp(x) - 1;
}

static int lowest_normal(const struct format *f)
{
    return f->kind == HIF8 ? HIF8_NORMAL : 1 - f->bias;
}

static int unit_of(const struct format *f, int exponent)
{
    if (f->kind == HIF8) {
        const struct hif8_row *row = hif8_row_of(exponent);
        return row->exponent > exponent ? HIF8_LOWEST : exponent - row->digits;
    }
    int lowest = lowest_normal(f);
    return (exponent < lowest ? lowest : exponent) - (int)f->fraction;
}

/* The code of a magnitude that the format has. */
static uint64_t code_of(const struct format *f, const mpfr_t v)
{
    if (mpfr_zero_p(v))
        return 0;
    int exponent = exponent_of(v), unit = unit_of(f, exponent);
    MPFR_DECL_INIT(scaled, 64);
    mpfr_mul_2si(scaled, v, -unit, MPFR_RNDN);
    mpfr_abs(scaled, scaled, MPFR_RNDN);
    uint64_t whole = mpfr_get_uj(scaled, MPFR_RNDN);
    if (f->kind == HIF8)
        return hif8_row_of(exponent)->first + whole - (UINT64_C(1) << (exponent - unit));
    int lowest = lowest_normal(f);
    uint64_t above = exponent < lowest ? 0 : (uint64_t)(exponent - lowest);
    return ((above << f->fraction) + whole) << f->shift;
}

static struct result overflow(const struct format *f, bool sign, enum rounding mode, bool saturate)
{
    bool stays = saturate || f->specials == FINITE || mode == ROUND_ZERO || mode == ROUND_ODD ||
                 (mode == ROUND_DOWN && !sign) || (mode == ROUND_UP && sign);
    if (!stays && f->specials == ONE_NAN)
        return (struct result){nan_of(f), OF | NX};
    return (struct result){(stays ? largest_of(f) : infinity_of(f)) | (sign ? sign_bit(f) : 0),
                           OF | NX};
}

static struct result infinite(const struct format *f, bool sign, bool saturate)
{
    if (f->specials == ONE_NAN && !saturate)
        return (struct result){nan_of(f), 0};
    bool stays = saturate || f->specials == FINITE;
    return (struct result){(stays ? largest_of(f) : infinity_of(f)) | (sign ? sign_bit(f) : 0), 0};
}

/* Tininess is detected after rounding: to the digits of the lowest normal numbers, with any
 * exponent. */
static bool is_tiny(const struct format *f, const mpfr_t x, enum rounding mode)
{
    int exponent = exponent_of(x), lowest = lowest_normal(f);
    if (exponent >= lowest)
        return false;
    MPFR_DECL_INIT(v, PRECISION);
    round_to(v, x, exponent - (lowest - unit_of(f, lowest)), mode);
    bool tiny = exponent_of(v) < lowest;
    return tiny;
}

static struct result encode_floating(const struct format *f, const mpfr_t x, enum rounding mode,
                                     bool saturate)
{
    bool sign = mpfr_signbit(x) != 0;
    if (mpfr_inf_p(x))
        return infinite(f, sign, saturate);
    struct result r = {sign ? sign_bit(f) : 0, 0};
    if (!mpfr_zero_p(x)) {
        MPFR_DECL_INIT(v, PRECISION);
        MPFR_DECL_INIT(largest, PRECISION);
        bool lost = round_to(v, x, unit_of(f, exponent_of(x)), mode);
        decode(largest, f, largest_of(f));
        if (mpfr_cmpabs(v, largest) > 0)
            r = overflow(f, sign, mode, saturate);
        else
            r = (struct result){r.bits | code_of(f, v), !lost                 ? 0
                                                        : is_tiny(f, x, mode) ? UF | NX
                                                                              : NX};
    }
    if (f->kind == HIF8 && r.bits == 0x80) /* it has one zero */
        r.bits = 0;
    return r;
}

static struct result encode_integer(const struct format *f, const mpfr_t x, enum rounding mode,
                                    bool saturate)
{
    bool is_signed = f->kind == SIGNED;
    uint64_t least = is_signed ? UINT64_C(1) << (f->bits - 1) : 0, most = ones(f->bits) ^ least;
    MPFR_DECL_INIT(v, PRECISION);
    MPFR_DECL_INIT(low, PRECISION);
    MPFR_DECL_INIT(high, PRECISION);
    decode(low, f, least);
    decode(high, f, most);
    bool infinite = mpfr_inf_p(x), lost = !infinite && round_to(v, x, 0, mode);
    if (infinite)
        mpfr_set(v, x, MPFR_RNDN);
    bool below = mpfr_less_p(v, low), above = mpfr_greater_p(v, high);
    struct result r;
    if ((below || above) && saturate)
        r = (struct result){below ? least : most, OF | NX};
    else if (below || above)
        r = (struct result){is_signed ? least : most, NV};
    else
        r = (struct result){mpfr_sgn(v) < 0 ? (uint64_t)mpfr_get_sj(v, MPFR_RNDN) & ones(f->bits)
                                            : mpfr_get_uj(v, MPFR_RNDN),
                            lost ? NX : 0};
    return r;
}

/* The logarithm of what is no power of two is irrational: it lies on no tie. */
static struct result encode_scale(const mpfr_t x, enum rounding mode, bool saturate)
{
    if (mpfr_signbit(x) || mpfr_zero_p(x))
        return (struct result){0xff, NV};
    MPFR_DECL_INIT(lowest, PRECISION);
    MPFR_DECL_INIT(highest, PRECISION);
    mpfr_set_ui_2exp(lowest, 1, -127, MPFR_RNDN);
    mpfr_set_ui_2exp(highest, 1, 127, MPFR_RNDN);
    struct result r = {0xff, 0};
    if (mpfr_greater_p(x, highest)) {
        r = (struct result){saturate ? 0xfe : 0xff, OF | NX};
    } else if (mpfr_less_p(x, lowest)) {
        r = (struct result){saturate ? 0 : 0xff, UF | NX};
    } else {
        bool lost = mpfr_log2(lowest, x, MPFR_RNDN) != 0;
        round_whole(highest, lowest, mode);
        r = (struct result){(uint64_t)(mpfr_get_si(highest, MPFR_RNDN) + 127), lost ? NX : 0};
    }
    return r;
}

static struct result encode_nan(const struct format *f, bool signaling, bool saturate)
{
    uint64_t least = f->kind == SIGNED ? UINT64_C(1) << (f->bits - 1) : ones(f->bits);
    if (is_integer(f))
        return (struct result){saturate ? 0 : least, NV};
    if (f->specials == FINITE)
        return (struct result){largest_of(f), NV};
    return (struct result){nan_of(f), signaling || f->kind == SCALE ? NV : 0};
}

static struct result encode(const struct format *f, enum number_class klass, const mpfr_t x,
                            enum rounding mode, bool saturate)
{
    if (klass != NUMBER)
        return encode_nan(f, klass == SIGNALING, saturate);
    if (is_integer(f))
        return encode_integer(f, x, mode, saturate);
    return f->kind == SCALE ? encode_scale(x, mode, saturate)
                            : encode_floating(f, x, mode, saturate);
}

/* ---- what the simulator says, of MPFR's numbers ---- */

static const struct element_type *type_of(const struct format *f)
{
    return element_type_of(f->dtype);
}

static struct float_value to_value(enum number_class klass, const mpfr_t x)
{
    struct float_value v = {.klass = FLOAT_FINITE};
    if (klass != NUMBER)
        return (struct float_value){.klass = klass == SIGNALING ? FLOAT_SIGNALING : FLOAT_NAN};
    v.sign = mpfr_signbit(x) != 0;
    if (mpfr_inf_p(x) || mpfr_zero_p(x)) {
        v.klass = mpfr_inf_p(x) ? FLOAT_INFINITE : FLOAT_ZERO;
        return v;
    }
    MPFR_DECL_INIT(high, PRECISION);
    MPFR_DECL_INIT(low, PRECISION);
    v.exponent = exponent_of(x);
    mpfr_abs(low, x, MPFR_RNDN);
    mpfr_mul_2si(low, low, 63 - v.exponent, MPFR_RNDN);
    mpfr_floor(high, low);
    mpfr_sub(low, low, high, MPFR_RNDN);
    mpfr_mul_2si(low, low, 63, MPFR_RNDN);
    assert_true(mpfr_integer_p(low));
    v.significand = (uint128)mpfr_get_uj(high, MPFR_RNDN) << 63 | mpfr_get_uj(low, MPFR_RNDN);
    return v;
}

static bool same_value(struct float_value a, struct float_value b)
{
    if (a.klass != b.klass)
        return false;
    if (a.klass >= FLOAT_NAN)
        return true;
    return a.sign == b.sign && (a.klass != FLOAT_FINITE ||
                                (a.exponent == b.exponent && a.significand == b.significand));
}

/* ---- decoding ---- */

static void check_decode(const struct format *f, uint64_t code)
{
    MPFR_DECL_INIT(x, PRECISION);
    if (is_encoding(f, code)) {
        enum number_class klass = decode(x, f, code);
        struct float_value expected = to_value(klass, x),
                           got = type_of(f)->decode(type_of(f), code);
        if (f->kind == HIF8 && expected.klass == FLOAT_ZERO)
            expected.sign = false;
        if (!same_value(got, expected))
            fail_msg("%s 0x%llx: class %d, exponent %d", f->name, (unsigned long long)code,
                     got.klass, got.exponent);
    }
}

static uint64_t random64(uint64_t *seed)
{
    uint64_t x = *seed += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Of a wide format: every exponent with the fractions at the ends and in the middle; every power of
 * two of an integer, and its neighbours. Then random codes. */
enum { SHAPES = 6, RANDOM_CODES = 4000 };

static uint64_t wide_count(const struct format *f)
{
    return SHAPES * (is_integer(f) ? f->bits : UINT64_C(2) << f->exponent) + RANDOM_CODES;
}

static uint64_t wide_code(const struct format *f, uint64_t i)
{
    uint64_t seed = i * 31 + f->dtype, shape = i % SHAPES;
    if (i >= wide_count(f) - RANDOM_CODES)
        return random64(&seed) & ones(f->bits) & ~ones(f->shift);
    if (is_integer(f)) {
        uint64_t power = UINT64_C(1) << (i / SHAPES), near = power + shape % 3 - 1;
        return (shape < 3 ? near : -near) & ones(f->bits);
    }
    uint64_t all = ones(f->fraction), half = UINT64_C(1) << (f->fraction - 1);
    uint64_t fractions[SHAPES] = {0, 1, half - 1, half, half + 1, all};
    return (i / SHAPES << f->fraction | fractions[shape]) << f->shift;
}

static void test_decode(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *f = &formats[i];
        for (uint64_t n = 0; f->bits <= 16 && n <= ones(f->bits); n++)
            check_decode(f, n);
        for (uint64_t n = 0; f->bits > 16 && n < wide_count(f); n++)
            check_decode(f, wide_code(f, n));
    }
}

/* ---- encoding ---- */

static void check_encode(const struct format *f, enum number_class klass, const mpfr_t x)
{
    const struct element_type *t = type_of(f);
    struct float_value v = to_value(klass, x);
    for (int mode = ROUND_EVEN; mode <= ROUND_TIES_UP; mode++) {
        struct result r = {0, 0};
        for (int sat = 0; sat < 2; sat++) {
            struct element_control c = {(enum rounding)mode, sat};
            unsigned flags = 0;
            uint64_t bits = t->encode(t, v, &c, &flags);
            if (!sat || r.flags & ~(unsigned)NX || v.klass != FLOAT_FINITE) /* else the same */
                r = encode(f, klass, x, (enum rounding)mode, sat);
            if (bits != r.bits || flags != r.flags)
                fail_msg("%s of %a, mode %d, sat %d: 0x%llx flags %x, expected 0x%llx flags %x",
                         f->name, mpfr_get_d(x, MPFR_RNDN), mode, sat, (unsigned long long)bits,
                         flags, (unsigned long long)r.bits, r.flags);
        }
    }
}

/* A number and what stands just beside it, of both signs. */
static void check_around(const struct format *f, const mpfr_t x)
{
    enum { DIGITS = 127 }; /* of struct float_value */
    MPFR_DECL_INIT(beside, DIGITS);
    for (int where = 0; where < 6; where++) {
        mpfr_set(beside, x, MPFR_RNDN);
        if (where % 3 == 1)
            mpfr_nextabove(beside);
        if (where % 3 == 2)
            mpfr_nextbelow(beside);
        mpfr_setsign(beside, beside, where < 3 ? mpfr_signbit(x) : !mpfr_signbit(x), MPFR_RNDN);
        if (!mpfr_zero_p(x) || where % 3 == 0)
            check_encode(f, NUMBER, beside);
    }
}

/* A code's number, the middle between it and the next larger one, and what stands beside them. */
static void check_step(const struct format *f, uint64_t code)
{
    MPFR_DECL_INIT(x, PRECISION);
    MPFR_DECL_INIT(next, PRECISION);
    enum number_class klass = is_encoding(f, code) ? decode(x, f, code) : QUIET;
    if (klass == NUMBER && mpfr_number_p(x)) {
        check_around(f, x);
        int unit = is_integer(f)      ? 0
                   : f->kind == SCALE ? exponent_of(x)
                   : mpfr_zero_p(x)   ? unit_of(f, -2000)
                                      : unit_of(f, exponent_of(x));
        mpfr_set_ui_2exp(next, 1, unit - 1, MPFR_RNDN); /* half a unit */
        mpfr_add(x, x, next, MPFR_RNDN);
        check_around(f, x);
    }
}

/* Far beyond both ends, and any digits at any exponent around the format's. */
static void check_random(const struct format *f, unsigned count)
{
    uint64_t seed = f->dtype;
    int low = is_integer(f)      ? -3
              : f->kind == SCALE ? -130
              : f->kind == HIF8  ? -26
                                 : unit_of(f, -2000) - 3;
    int high = is_integer(f)      ? f->bits + 2
               : f->kind == SCALE ? 130
               : f->kind == HIF8  ? 18
                                  : f->bias + 3;
    MPFR_DECL_INIT(x, 127);
    for (unsigned i = 0; i < count; i++) {
        uint64_t random = random64(&seed);
        int exponent = low + (int)(random % (unsigned)(high - low + 1));
        mpfr_set_uj_2exp(x, random64(&seed) | UINT64_C(1) << 63, exponent - 63, MPFR_RNDN);
        if (random >> 63)
            mpfr_neg(x, x, MPFR_RNDN);
        check_encode(f, NUMBER, x);
    }
    mpfr_set_inf(x, 1);
    check_encode(f, NUMBER, x);
    mpfr_set_inf(x, -1);
    check_encode(f, NUMBER, x);
    check_encode(f, QUIET, x);
    check_encode(f, SIGNALING, x);
}

static void test_encode_narrow(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *f = &formats[i];
        if (f->bits > 16)
            continue;
        for (uint64_t code = 0; code <= ones(f->bits); code++)
            if (is_integer(f) || f->kind == SCALE || !(code & sign_bit(f)))
                check_step(f, code);
        check_random(f, 2000);
    }
}

static void test_encode_wide(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *f = &formats[i];
        if (f->bits <= 16)
            continue;
        for (uint64_t n = 0; n < wide_count(f); n += f->bits == 64 && !is_integer(f) ? 3 : 1)
            check_step(f, wide_code(f, n));
        check_random(f, 4000);
    }
}

/* ---- TCVT, every type to every type ---- */

enum { ELEMENTS = BENCH_ROWS * BENCH_COLS };

static const uint8_t bundle_modes[] =
    {/* B.DATR RMode; NONE is to even, or toward zero to integers */
     ROUND_EVEN, ROUND_EVEN, ROUND_ZERO, ROUND_DOWN,
     ROUND_UP,   ROUND_AWAY, ROUND_ODD,  ROUND_TIES_UP};

struct conversion {
    const struct format *from, *to;
    uint8_t rmode;
    bool saturate;
    enum sim_profile profile;
};

/* Integers keep their low bits or are limited, and report nothing. */
static struct result convert_integer(const struct conversion *c, const mpfr_t x, uint64_t code)
{
    if (!c->saturate) {
        bool negative = c->from->kind == SIGNED && code >> (c->from->bits - 1) & 1;
        return (struct result){(code | (negative ? ~ones(c->from->bits) : 0)) & ones(c->to->bits),
                               0};
    }
    return (struct result){encode_integer(c->to, x, ROUND_EVEN, true).bits, 0};
}

static struct result convert(const struct conversion *c, uint64_t code)
{
    bool truncates = !c->rmode && !is_integer(c->from) && is_integer(c->to);
    MPFR_DECL_INIT(x, PRECISION);
    enum number_class klass = decode(x, c->from, code);
    if (c->from->kind == HIF8 && mpfr_zero_p(x))
        mpfr_set_zero(x, 1);
    struct result r =
        is_integer(c->from) && is_integer(c->to)
            ? convert_integer(c, x, code)
            : encode(c->to, klass, x,
                     truncates ? ROUND_ZERO : (enum rounding)bundle_modes[c->rmode], c->saturate);
    return r;
}

static void start_conversion(struct bench *t, const struct conversion *c, const uint64_t *codes)
{
    t->s.options.profile = c->profile;
    struct tile *tile =
        bench_start_conversion(t, "TCVT", c->from->dtype, c->to->dtype, BENCH_ROWS, BENCH_COLS);
    for (unsigned i = 0; i < ELEMENTS; i++)
        sim_element_set(sim_format_of(c->from->dtype), tile->pe[0].bytes, i, codes[i]);
    t->b.datr.rmode = c->rmode;
    t->b.datr.sat = c->saturate;
}

static void check_conversion(const struct conversion *c, const uint64_t *codes)
{
    struct bench t;
    bench_open(&t);
    start_conversion(&t, c, codes);
    bench_runs(&t);
    unsigned flags = 0;
    for (unsigned i = 0; i < ELEMENTS; i++) {
        struct result r = convert(c, codes[i]);
        uint64_t got = bench_element(&t, TILE_HAND_SLOTS, 0, i / BENCH_COLS, i % BENCH_COLS);
        flags |= r.flags;
        if (got != r.bits)
            fail_msg("%s 0x%llx to %s, mode %u, sat %d: 0x%llx, expected 0x%llx", c->from->name,
                     (unsigned long long)codes[i], c->to->name, c->rmode, c->saturate,
                     (unsigned long long)got, (unsigned long long)r.bits);
    }
    unsigned status = (unsigned)(t.s.pes[0].core_state >> STATUS) & 31;
    if (status != flags)
        fail_msg("%s 0x%llx.. to %s, mode %u, sat %d: status %x, expected %x", c->from->name,
                 (unsigned long long)codes[0], c->to->name, c->rmode, c->saturate, status, flags);
    bench_close(&t);
}

static uint64_t code_count(const struct format *f)
{
    return f->bits > 16 ? wide_count(f) : ones(f->bits) + 1;
}

/* Codes of the source from the n-th on; a code that is no encoding becomes 0. */
static void take_codes(const struct format *f, uint64_t n, uint64_t *codes)
{
    for (unsigned i = 0; i < ELEMENTS; i++, n++) {
        uint64_t code = f->bits > 16 ? wide_code(f, n % code_count(f)) : n & ones(f->bits);
        codes[i] = is_encoding(f, code) ? code : 0;
    }
}

/* Passes over the source's codes: all of them for the narrow types, else a share for each
 * combination, which starts elsewhere each time. */
static void check_pair(const struct format *from, const struct format *to, bool all)
{
    uint64_t codes[ELEMENTS], passes = (code_count(from) + ELEMENTS - 1) / ELEMENTS;
    static uint64_t start;
    for (unsigned combination = 0; combination < 32; combination++) {
        struct conversion c = {from, to, combination & 7, combination >> 3 & 1,
                               combination & 16 ? SIM_PROFILE_PTO_V0 : SIM_PROFILE_IEEE};
        for (uint64_t pass = 0; pass < (all ? passes : 1); pass++) {
            take_codes(from, (start + pass) % passes * ELEMENTS, codes);
            check_conversion(&c, codes);
        }
        start += 7;
    }
}

static void test_conversions(void **state)
{
    (void)state;
    bool all = getenv("TILE_FORMATS_ALL") != NULL;
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t k = 0; k < FORMATS; k++) {
            uint8_t from = formats[i].dtype;
            if (formats[k].kind != SCALE || from == T(FP16) || from == T(BF16) || from == T(FP32))
                check_pair(&formats[i], &formats[k], all);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_encode_narrow),
        cmocka_unit_test(test_encode_wide),
        cmocka_unit_test(test_conversions),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_free_cache();
    return status;
}

#else

int main(void)
{
    puts("1..0 # SKIP MPFR was not found by configure");
    return 0;
}

#endif
