/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalar floating point against MPFR: every FSU instruction, both formats, all
 * rounding modes, result and flags, over all pairs and triples of special
 * operands and over random ones. FSU_RANDOM in the environment gives the number
 * of random operand sets for each combination (default some thousands).
 *
 * MPFR rounds once with the exponent range wide open. The result is tiny when
 * that lies below the normal numbers (tininess after rounding); then the range
 * of the format is set and mpfr_subnormalize rounds the exact value again, from
 * the ternary value.
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

#include "sim/decode.h"
#include "sim/pe.h"

enum { NV = 1, DZ = 2, OF = 4, UF = 8, NX = 16 };
enum { STATE_FLAGS = 32, STATE_ROUNDING = 37, ALL_FLAGS = 31 };
enum { SRC_L = 2, SRC_R = 3, SRC_A = 4, DESTINATION = 5 };
enum { DEFAULT_RANDOM = 6000, MODES = 4 };

/* CORE_STATE[39:37] = 0..3 */
static const mpfr_rnd_t modes[MODES] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};

/* ---- formats ---- */

enum specials { INFINITY_AND_NAN, ONE_NAN, FINITE };

struct format { /* value = (1 + f / 2^fraction) * 2^(e - bias) */
    const char *name;
    unsigned exponent, fraction;
    int bias;
    enum specials specials;
    unsigned shift; /* zero bits below the fraction in the destination */
};

static const struct format formats[] = {
    /* By DstType; the first two are the sources, too. Code 2 has 19 bits, code 3 is in 32. */
    [0] = {"fd", 11, 52, 1023, INFINITY_AND_NAN, 0},
    [1] = {"fs", 8, 23, 127, INFINITY_AND_NAN, 0},
    [2] = {"fp19", 8, 10, 127, INFINITY_AND_NAN, 0},
    [3] = {"hf32", 8, 11, 127, INFINITY_AND_NAN, 12},
    [4] = {"fp16", 5, 10, 15, INFINITY_AND_NAN, 0},
    [5] = {"bf16", 8, 7, 127, INFINITY_AND_NAN, 0},
    [7] = {"e4m3", 4, 3, 7, ONE_NAN, 0},
    [8] = {"e5m2", 5, 2, 15, INFINITY_AND_NAN, 0},
    [9] = {"e3m2", 3, 2, 3, FINITE, 0},
    [10] = {"e2m3", 2, 3, 1, FINITE, 0},
    [11] = {"e2m1", 2, 1, 1, FINITE, 0},
    [12] = {"e1m2", 1, 2, 1, FINITE, 0},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t sign_bit(const struct format *f)
{
    return UINT64_C(1) << (f->exponent + f->fraction);
}

static uint64_t infinity_of(const struct format *f)
{
    return ones(f->exponent) << f->fraction;
}

/* The canonical NaN of the hardware profile; the largest number where there is none. */
static uint64_t nan_of(const struct format *f)
{
    if (f->specials == INFINITY_AND_NAN)
        return infinity_of(f) | UINT64_C(1) << (f->fraction - 1);
    return ones(f->exponent + f->fraction);
}

static uint64_t largest_of(const struct format *f)
{
    return f->specials == INFINITY_AND_NAN ? infinity_of(f) - 1
           : f->specials == ONE_NAN        ? nan_of(f) - 1
                                           : nan_of(f);
}

static bool is_nan_bits(const struct format *f, uint64_t bits)
{
    return (bits & ~sign_bit(f)) > infinity_of(f);
}

static bool is_signaling_bits(const struct format *f, uint64_t bits)
{
    return is_nan_bits(f, bits) && !(bits >> (f->fraction - 1) & 1);
}

static bool is_infinite_bits(const struct format *f, uint64_t bits)
{
    return (bits & ~sign_bit(f)) == infinity_of(f);
}

static bool is_zero_bits(const struct format *f, uint64_t bits)
{
    return !(bits & ~sign_bit(f));
}

/* Exactly; of NaNs only that they are. */
static void value_of(mpfr_t v, const struct format *f, uint64_t bits)
{
    uint64_t fraction = bits & ones(f->fraction);
    int exponent = (int)(bits >> f->fraction & ones(f->exponent));
    int sign = bits & sign_bit(f) ? -1 : 1;
    if (is_nan_bits(f, bits))
        mpfr_set_nan(v);
    else if (is_infinite_bits(f, bits))
        mpfr_set_inf(v, sign);
    else if (is_zero_bits(f, bits))
        mpfr_set_zero(v, sign);
    else {
        uint64_t whole = exponent ? fraction | UINT64_C(1) << f->fraction : fraction;
        mpfr_set_uj_2exp(v, whole, (exponent ? exponent : 1) - f->bias - (int)f->fraction,
                         MPFR_RNDN);
        mpfr_setsign(v, v, sign < 0, MPFR_RNDN);
    }
}

static uint64_t magnitude_of(const struct format *f, const mpfr_t v)
{
    if (mpfr_inf_p(v))
        return infinity_of(f);
    if (mpfr_zero_p(v))
        return 0;
    int lowest = 1 - f->bias, exponent = (int)mpfr_get_exp(v) - 1;
    int unit = (exponent < lowest ? lowest : exponent) - (int)f->fraction;
    mpfr_t scaled;
    mpfr_init2(scaled, 64);
    mpfr_mul_2si(scaled, v, -unit, MPFR_RNDN);
    mpfr_abs(scaled, scaled, MPFR_RNDN);
    uint64_t whole = mpfr_get_uj(scaled, MPFR_RNDN);
    mpfr_clear(scaled);
    uint64_t biased = exponent < lowest ? 0 : (uint64_t)(exponent - lowest);
    return (biased << f->fraction) + whole;
}

static uint64_t signed_bits(const struct format *f, uint64_t magnitude, bool sign)
{
    return (magnitude | (sign ? sign_bit(f) : 0)) << f->shift;
}

/* ---- what MPFR says ---- */

struct result {
    uint64_t bits;
    unsigned flags;
};

static struct result nan_result(const struct format *f, unsigned flags)
{
    return (struct result){nan_of(f) << f->shift, flags};
}

static struct result overflow(const struct format *f, bool sign, mpfr_rnd_t mode)
{
    bool stays = f->specials == FINITE || mode == MPFR_RNDZ || (mode == MPFR_RNDD && !sign) ||
                 (mode == MPFR_RNDU && sign);
    if (!stays && f->specials == ONE_NAN)
        return nan_result(f, OF | NX);
    return (struct result){signed_bits(f, stays ? largest_of(f) : infinity_of(f), sign), OF | NX};
}

/* `v` was rounded to the precision of the format with any exponent, with this ternary value. */
static struct result to_format(const struct format *f, mpfr_t v, int ternary, mpfr_rnd_t mode)
{
    unsigned flags = 0;
    bool sign = mpfr_signbit(v) != 0;
    if (mpfr_inf_p(v) && ternary) /* beyond even MPFR's range, as zero with a ternary value is */
        return overflow(f, sign, mode);
    if (mpfr_zero_p(v) && ternary)
        return (struct result){signed_bits(f, 0, sign), UF | NX};
    if (mpfr_inf_p(v) && f->specials == ONE_NAN)
        return nan_result(f, 0);
    if (mpfr_inf_p(v) && f->specials == FINITE)
        return (struct result){signed_bits(f, largest_of(f), sign), 0};
    if (mpfr_regular_p(v)) {
        bool tiny = mpfr_get_exp(v) < 2 - f->bias;
        mpfr_exp_t lowest = mpfr_get_emin();
        mpfr_set_emin(2 - f->bias - (int)f->fraction);
        ternary = mpfr_check_range(v, ternary, mode);
        ternary = mpfr_subnormalize(v, ternary, mode);
        mpfr_set_emin(lowest);
        flags = ternary ? NX | (tiny ? UF : 0) : 0;
    }
    if (mpfr_regular_p(v) && (mpfr_get_exp(v) > (mpfr_exp_t)ones(f->exponent) + 1 - f->bias ||
                              magnitude_of(f, v) > largest_of(f)))
        return overflow(f, sign, mode);
    return (struct result){signed_bits(f, magnitude_of(f, v), sign), flags};
}

/* ---- operations ---- */

struct operands {
    uint64_t bits[3]; /* SrcL, SrcR, SrcA */
};

struct run {
    const struct format *f; /* of the sources */
    const struct format *to;
    mpfr_rnd_t mode;
    mpfr_t source[3], v; /* v: precision of the destination */
};

typedef struct result (*reference_fn)(struct run *r, const struct operands *o);

static unsigned signaling(const struct run *r, const struct operands *o, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (is_signaling_bits(r->f, o->bits[i]))
            return NV;
    return 0;
}

static bool any_nan(const struct run *r, const struct operands *o, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (is_nan_bits(r->f, o->bits[i]))
            return true;
    return false;
}

/* A NaN that no operand was is an invalid operation. */
static struct result finish(struct run *r, const struct operands *o, unsigned n, int ternary)
{
    if (any_nan(r, o, n))
        return nan_result(r->to, signaling(r, o, n));
    if (mpfr_nan_p(r->v))
        return nan_result(r->to, NV);
    return to_format(r->to, r->v, ternary, r->mode);
}

#define BINARY(name, function)                                                                     \
    static struct result name(struct run *r, const struct operands *o)                             \
    {                                                                                              \
        return finish(r, o, 2, function(r->v, r->source[0], r->source[1], r->mode));               \
    }
BINARY(ref_add, mpfr_add)
BINARY(ref_sub, mpfr_sub)
BINARY(ref_mul, mpfr_mul)

static struct result ref_div(struct run *r, const struct operands *o)
{
    struct result result = finish(r, o, 2, mpfr_div(r->v, r->source[0], r->source[1], r->mode));
    if (mpfr_zero_p(r->source[1]) && mpfr_regular_p(r->source[0]))
        result.flags |= DZ;
    return result;
}

static struct result ref_recip(struct run *r, const struct operands *o)
{
    struct result result = finish(r, o, 1, mpfr_ui_div(r->v, 1, r->source[0], r->mode));
    if (mpfr_zero_p(r->source[0]))
        result.flags |= DZ;
    return result;
}

static struct result ref_sqrt(struct run *r, const struct operands *o)
{
    return finish(r, o, 1, mpfr_sqrt(r->v, r->source[0], r->mode));
}

static struct result ref_exp(struct run *r, const struct operands *o)
{
    return finish(r, o, 1, mpfr_exp(r->v, r->source[0], r->mode));
}

static struct result ref_abs(struct run *r, const struct operands *o)
{
    return (struct result){o->bits[0] & ~sign_bit(r->f), 0};
}

static struct result fused(struct run *r, const struct operands *o, bool product, bool addend)
{
    bool invalid_product =
        mpfr_nan_p(r->source[2]) &&
        ((is_zero_bits(r->f, o->bits[0]) && is_infinite_bits(r->f, o->bits[1])) ||
         (is_zero_bits(r->f, o->bits[1]) && is_infinite_bits(r->f, o->bits[0])));
    if (invalid_product)
        return nan_result(r->to, NV);
    if (product)
        mpfr_neg(r->source[0], r->source[0], MPFR_RNDN);
    if (addend)
        mpfr_neg(r->source[2], r->source[2], MPFR_RNDN);
    return finish(r, o, 3, mpfr_fma(r->v, r->source[0], r->source[1], r->source[2], r->mode));
}

static struct result ref_madd(struct run *r, const struct operands *o)
{
    return fused(r, o, false, false);
}

static struct result ref_msub(struct run *r, const struct operands *o)
{
    return fused(r, o, false, true);
}

static struct result ref_nmadd(struct run *r, const struct operands *o)
{
    return fused(r, o, true, true);
}

static struct result ref_nmsub(struct run *r, const struct operands *o)
{
    return fused(r, o, true, false);
}

static struct result min_max(struct run *r, const struct operands *o, bool greater)
{
    bool left_nan = is_nan_bits(r->f, o->bits[0]), right_nan = is_nan_bits(r->f, o->bits[1]);
    unsigned flags = signaling(r, o, 2);
    if (left_nan && right_nan)
        return nan_result(r->f, flags);
    if (left_nan || right_nan)
        return (struct result){o->bits[left_nan], flags};
    bool less = mpfr_less_p(r->source[0], r->source[1]) ||
                (mpfr_equal_p(r->source[0], r->source[1]) && mpfr_signbit(r->source[0]));
    return (struct result){o->bits[less == greater], flags};
}

static struct result ref_min(struct run *r, const struct operands *o)
{
    return min_max(r, o, false);
}

static struct result ref_max(struct run *r, const struct operands *o)
{
    return min_max(r, o, true);
}

#define COMPARE(name, answer, signals)                                                             \
    static struct result name(struct run *r, const struct operands *o)                             \
    {                                                                                              \
        mpfr_ptr a = r->source[0], b = r->source[1];                                               \
        unsigned flags = (signals) && any_nan(r, o, 2) ? NV : signaling(r, o, 2);                  \
        return (struct result){(answer) != 0, flags};                                              \
    }
COMPARE(ref_eq, mpfr_equal_p(a, b), false)
COMPARE(ref_ne, !mpfr_equal_p(a, b), false)
COMPARE(ref_lt, mpfr_less_p(a, b), false)
COMPARE(ref_ge, mpfr_greaterequal_p(a, b), false)
COMPARE(ref_eqs, mpfr_equal_p(a, b), true)
COMPARE(ref_nes, !mpfr_equal_p(a, b), true)
COMPARE(ref_lts, mpfr_less_p(a, b), true)
COMPARE(ref_ges, mpfr_greaterequal_p(a, b), true)

static struct result ref_cvt(struct run *r, const struct operands *o)
{
    int ternary = mpfr_set(r->v, r->source[0], r->mode);
    if (any_nan(r, o, 1) && r->to->specials == FINITE)
        return nan_result(r->to, NV);
    return finish(r, o, 1, ternary);
}

static struct result ref_scvtf(struct run *r, const struct operands *o)
{
    int64_t value = r->f == &formats[0] ? (int64_t)o->bits[0] : (int32_t)o->bits[0];
    return to_format(r->to, r->v, mpfr_set_sj(r->v, value, r->mode), r->mode);
}

static struct result ref_ucvtf(struct run *r, const struct operands *o)
{
    uint64_t value = r->f == &formats[0] ? o->bits[0] : (uint32_t)o->bits[0];
    return to_format(r->to, r->v, mpfr_set_uj(r->v, value, r->mode), r->mode);
}

/* ---- to integers ---- */

struct integer { /* by DstType */
    unsigned bits;
    bool is_signed;
};
static const struct integer integers[] = {
    {64, false}, {32, false}, {16, false}, {8, false}, {4, false},
    {2, false},  {1, false},  {1, false},  {64, true}, {32, true},
    {16, true},  {8, true},   {4, true},   {2, true},  {1, true},
};
enum { INTEGERS = sizeof integers / sizeof *integers };

typedef int (*integer_fn)(mpfr_t to, const mpfr_t from);

static int to_even(mpfr_t to, const mpfr_t from)
{
    return mpfr_rint(to, from, MPFR_RNDN);
}

static int to_away(mpfr_t to, const mpfr_t from)
{
    return mpfr_round(to, from);
}

static int to_floor(mpfr_t to, const mpfr_t from)
{
    return mpfr_floor(to, from);
}

static int to_ceiling(mpfr_t to, const mpfr_t from)
{
    return mpfr_ceil(to, from);
}

static int to_zero(mpfr_t to, const mpfr_t from)
{
    return mpfr_trunc(to, from);
}

static struct result ref_integer(struct run *r, const struct integer *i, integer_fn round)
{
    uint64_t lowest = i->is_signed ? ~ones(i->bits - 1) : 0;
    uint64_t highest = i->is_signed ? ones(i->bits - 1) : ones(i->bits);
    struct result invalid = {i->is_signed ? lowest : highest, NV};
    mpfr_t whole;
    if (mpfr_nan_p(r->source[0]) || mpfr_inf_p(r->source[0]))
        return invalid;
    mpfr_init2(whole, 64);
    round(whole, r->source[0]);
    bool fits =
        i->is_signed ? mpfr_fits_intmax_p(whole, MPFR_RNDN) : mpfr_fits_uintmax_p(whole, MPFR_RNDN);
    struct result result = {0, mpfr_equal_p(whole, r->source[0]) ? 0 : NX};
    if (fits && i->is_signed) {
        int64_t value = mpfr_get_sj(whole, MPFR_RNDN);
        fits = value >= (int64_t)lowest && value <= (int64_t)highest;
        result.bits = (uint64_t)value;
    } else if (fits) {
        result.bits = mpfr_get_uj(whole, MPFR_RNDN);
        fits = result.bits <= highest;
    }
    mpfr_clear(whole);
    return fits ? result : invalid;
}

/* ---- rows ---- */

enum kind { FLOATING, CONVERSION, FROM_INTEGER, TO_INTEGER };

struct row {
    const char *name;
    uint16_t mnemonic;
    enum kind kind;
    unsigned sources;
    reference_fn reference;
    integer_fn round;
};

#define F(mnemonic, n, ...)                                                                        \
    {                                                                                              \
#mnemonic, ISA_MNEM_##mnemonic, FLOATING, n, __VA_ARGS__                                   \
    }
#define I(mnemonic, function)                                                                      \
    {                                                                                              \
#mnemonic, ISA_MNEM_##mnemonic, TO_INTEGER, 1, NULL, function                              \
    }
static const struct row rows[] = {
    F(FABS, 1, ref_abs, NULL),
    F(FADD, 2, ref_add, NULL),
    F(FSUB, 2, ref_sub, NULL),
    F(FMUL, 2, ref_mul, NULL),
    F(FDIV, 2, ref_div, NULL),
    F(FSQRT, 1, ref_sqrt, NULL),
    F(FRECIP, 1, ref_recip, NULL),
    F(FEXP, 1, ref_exp, NULL),
    F(FMADD, 3, ref_madd, NULL),
    F(FMSUB, 3, ref_msub, NULL),
    F(FNMADD, 3, ref_nmadd, NULL),
    F(FNMSUB, 3, ref_nmsub, NULL),
    F(FMIN, 2, ref_min, NULL),
    F(FMAX, 2, ref_max, NULL),
    F(FEQ, 2, ref_eq, NULL),
    F(FNE, 2, ref_ne, NULL),
    F(FLT, 2, ref_lt, NULL),
    F(FGE, 2, ref_ge, NULL),
    F(FEQS, 2, ref_eqs, NULL),
    F(FNES, 2, ref_nes, NULL),
    F(FLTS, 2, ref_lts, NULL),
    F(FGES, 2, ref_ges, NULL),
    {"FCVT", ISA_MNEM_FCVT, CONVERSION, 1, ref_cvt, NULL},
    {"SCVTF", ISA_MNEM_SCVTF, FROM_INTEGER, 1, ref_scvtf, NULL},
    {"UCVTF", ISA_MNEM_UCVTF, FROM_INTEGER, 1, ref_ucvtf, NULL},
    I(FCVTA, to_away),
    I(FCVTM, to_floor),
    I(FCVTN, to_even),
    I(FCVTP, to_ceiling),
    I(FCVTZ, to_zero),
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- running one instruction ---- */

struct machine {
    struct mem mem;
    struct diag *diag;
    struct sim *sim;
};

struct combination {
    const struct row *row;
    const struct handler *handler;
    struct isa_insn insn;
    struct op op;
    unsigned source_type, destination_type, mode;
};

static void create_machine(struct machine *m)
{
    m->mem = mem_default();
    m->diag = diag_create(&m->mem, &(struct diag_options){0});
    m->sim = machine_create(&m->mem, m->diag, &(struct sim_options){.pes = 1});
}

static void destroy_machine(struct machine *m)
{
    sim_destroy(m->sim);
    diag_destroy(m->diag);
}

static void prepare(struct combination *c)
{
    for (size_t i = 0; i < fsu_handlers.count; i++)
        if (fsu_handlers.rows[i].mnemonic == c->row->mnemonic)
            c->handler = &fsu_handlers.rows[i];
    for (size_t i = 0; i < ISA_FORM_COUNT; i++)
        if (isa_forms[i].mnemonic == c->row->mnemonic)
            c->insn.form = &isa_forms[i];
    assert_non_null(c->handler);
    isa_set_value(&c->insn, ISA_FIELD_SrcL, SRC_L);
    isa_set_value(&c->insn, ISA_FIELD_SrcR, SRC_R);
    isa_set_value(&c->insn, ISA_FIELD_SrcA, SRC_A);
    isa_set_value(&c->insn, ISA_FIELD_RegDst, DESTINATION);
    isa_set_value(&c->insn, ISA_FIELD_SrcType, c->source_type);
    isa_set_value(&c->insn, ISA_FIELD_DstType, c->destination_type);
    c->op = (struct op){.insn = &c->insn, .aux = c->handler->argument, .length = 4};
    c->handler->prepare(&c->op, &c->insn);
}

static struct result execute(struct pe *pe, const struct combination *c, const struct operands *o)
{
    for (unsigned i = 0; i < 3; i++)
        pe->reg[SRC_L + i] = o->bits[i];
    pe->core_state = (uint64_t)c->mode << STATE_ROUNDING;
    assert_int_equal(c->handler->exec(pe, &c->op), EXEC_NEXT);
    return (struct result){pe->reg[DESTINATION], pe->core_state >> STATE_FLAGS & ALL_FLAGS};
}

/* ---- comparing ---- */

static struct result refer(struct run *r, const struct combination *c, const struct operands *o)
{
    for (unsigned i = 0; i < c->row->sources && c->row->kind != FROM_INTEGER; i++)
        value_of(r->source[i], r->f, o->bits[i]);
    if (c->row->kind == TO_INTEGER)
        return ref_integer(r, &integers[c->destination_type], c->row->round);
    return c->row->reference(r, o);
}

static bool check(struct machine *m, struct run *r, const struct combination *c,
                  const struct operands *o)
{
    struct result have = execute(m->sim->pes, c, o), want = refer(r, c, o);
    if (want.bits == have.bits && want.flags == have.flags)
        return true;
    print_error(
        "%s SrcType %u DstType %u mode %u: 0x%llx 0x%llx 0x%llx gives 0x%llx flags %02x, MPFR "
        "0x%llx flags %02x\n",
        c->row->name, c->source_type, c->destination_type, c->mode, (unsigned long long)o->bits[0],
        (unsigned long long)o->bits[1], (unsigned long long)o->bits[2],
        (unsigned long long)have.bits, have.flags, (unsigned long long)want.bits, want.flags);
    return false;
}

/* ---- operands ---- */

/* xorshift: the same operands in every run. */
static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

enum { SPECIALS = 28 };

static unsigned list_specials(const struct format *f, uint64_t *list)
{
    uint64_t one = (uint64_t)f->bias << f->fraction, quiet = UINT64_C(1) << (f->fraction - 1);
    uint64_t normal = UINT64_C(1) << f->fraction;
    const uint64_t positive[] = {
        0,
        1,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        one + normal / 2,                     /* 1.5 */
        one + (uint64_t)f->fraction * normal, /* 2^fraction */
        infinity_of(f) - 1,
        infinity_of(f),
        infinity_of(f) + quiet + 5,
        infinity_of(f) + 1,
    };
    unsigned n = 0;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
        list[n++] = positive[i];
        list[n++] = positive[i] | sign_bit(f);
    }
    return n;
}

/* Half of the operands are at an edge of the format, or have an exponent near that of `other`. */
static uint64_t random_float(uint64_t *x, const struct format *f, uint64_t other)
{
    uint64_t bits = next(x), choice = next(x), highest = ones(f->exponent);
    uint64_t edges[] = {0,
                        1,
                        2,
                        f->fraction,
                        (uint64_t)f->bias - 1,
                        (uint64_t)f->bias,
                        (uint64_t)f->bias + 1,
                        (uint64_t)f->bias + f->fraction,
                        highest - 1,
                        highest};
    uint64_t mantissas[] = {0,
                            1,
                            ones(f->fraction),
                            ones(f->fraction) - 1,
                            UINT64_C(1) << (f->fraction - 1),
                            next(x) & next(x)};
    uint64_t fraction = choice & 1 ? bits : mantissas[(choice >> 1) % 6];
    uint64_t exponent = bits >> (f->fraction % 32 + 8) & highest;
    if ((choice >> 8 & 3) == 0)
        exponent = edges[(choice >> 10) % 10];
    if ((choice >> 8 & 3) == 1)
        exponent = (other >> f->fraction) +
                   (choice >> 9 & 1 ? (choice >> 10) % 16 - 6 : (choice >> 10) % 128 - 64);
    return (choice >> 40 & 1 ? sign_bit(f) : 0) | (exponent & highest) << f->fraction |
           (fraction & ones(f->fraction));
}

static uint64_t random_integer(uint64_t *x)
{
    uint64_t bits = next(x) >> (next(x) & 63), choice = next(x);
    return choice & 1 ? bits : choice & 2 ? -bits : UINT64_C(1) << (choice >> 8 & 63);
}

/* ---- a combination of instruction, formats and mode ---- */

static unsigned long random_count(void)
{
    const char *text = getenv("FSU_RANDOM");
    return text ? strtoul(text, NULL, 10) : DEFAULT_RANDOM;
}

static unsigned check_specials(struct machine *m, struct run *r, const struct combination *c)
{
    uint64_t list[SPECIALS];
    unsigned wrong = 0, n = list_specials(r->f, list), k = c->row->sources;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < (k > 1 ? n : 1); j++)
            for (unsigned l = 0; l < (k > 2 ? n : 1); l++) {
                struct operands o = {{list[i], list[j], list[l]}};
                wrong += !check(m, r, c, &o);
            }
    return wrong;
}

static unsigned check_random(struct machine *m, struct run *r, const struct combination *c)
{
    uint64_t x = 88172645463325252ull ^ (uint64_t)c->row->mnemonic << 20 ^ c->destination_type << 8;
    unsigned wrong = 0;
    for (unsigned long n = random_count(); n > 0 && wrong < 10; n--) {
        struct operands o = {{0}};
        uint64_t other = (uint64_t)r->f->bias << r->f->fraction; /* 1 */
        for (unsigned i = 0; i < c->row->sources; i++) {
            o.bits[i] =
                c->row->kind == FROM_INTEGER ? random_integer(&x) : random_float(&x, r->f, other);
            other = o.bits[i];
        }
        wrong += !check(m, r, c, &o);
    }
    return wrong;
}

static unsigned check_combination(struct machine *m, struct combination *c)
{
    enum { EXACT = 64 };
    struct run r = {.f = &formats[c->source_type], .mode = modes[c->mode % MODES]};
    bool converts = c->row->kind == CONVERSION || c->row->kind == FROM_INTEGER;
    r.to = converts ? &formats[c->destination_type] : r.f;
    prepare(c);
    for (unsigned i = 0; i < 3; i++)
        mpfr_init2(r.source[i], EXACT);
    mpfr_init2(r.v, r.to->fraction + 1);
    unsigned wrong = check_specials(m, &r, c) + check_random(m, &r, c);
    for (unsigned i = 0; i < 3; i++)
        mpfr_clear(r.source[i]);
    mpfr_clear(r.v);
    return wrong;
}

static unsigned check_row(struct machine *m, const struct row *row)
{
    bool converts = row->kind == CONVERSION || row->kind == FROM_INTEGER;
    unsigned types = converts ? FORMATS : row->kind == TO_INTEGER ? INTEGERS : 1, wrong = 0;
    for (unsigned source = 0; source < 2; source++)
        for (unsigned type = 0; type < types; type++)
            for (unsigned mode = 0; mode < MODES && !(converts && !formats[type].name); mode++) {
                struct combination c = {
                    .row = row, .source_type = source, .destination_type = type, .mode = mode};
                wrong += check_combination(m, &c);
            }
    return wrong;
}

static void test_row(void **state)
{
    const struct row *row = *state;
    struct machine m;
    create_machine(&m);
    unsigned wrong = check_row(&m, row);
    destroy_machine(&m);
    mpfr_free_cache();
    assert_int_equal(wrong, 0);
}

/* Codes 4 to 7 of the rounding mode act as 0. */
static void test_modes(void **state)
{
    (void)state;
    struct machine m;
    unsigned wrong = 0;
    create_machine(&m);
    for (unsigned mode = MODES; mode < 2 * MODES; mode++) {
        struct combination c = {.row = &rows[1], .source_type = 1, .mode = mode};
        struct run r = {.f = &formats[1], .to = &formats[1], .mode = MPFR_RNDN};
        prepare(&c);
        for (unsigned i = 0; i < 3; i++)
            mpfr_init2(r.source[i], 64);
        mpfr_init2(r.v, r.to->fraction + 1);
        wrong += check_specials(&m, &r, &c);
        for (unsigned i = 0; i < 3; i++)
            mpfr_clear(r.source[i]);
        mpfr_clear(r.v);
    }
    destroy_machine(&m);
    mpfr_free_cache();
    assert_int_equal(wrong, 0);
}

int main(void)
{
    struct CMUnitTest tests[ROWS + 1] = {0};
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){.name = rows[i].name,
                                       .test_func = test_row,
                                       .initial_state = (void *)(uintptr_t)&rows[i]};
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(test_modes);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("1..0 # SKIP MPFR was not found by configure");
    return 0;
}

#endif
