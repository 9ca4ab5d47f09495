/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IEEE 754 arithmetic in integers: every operation rounds an exact value once,
 * in any rounding mode, and says what happened. The host's floating-point
 * environment plays no part. Formats are rows; a value is unpacked into sign,
 * exponent and a 127-bit significand.
 */
#ifndef PTO_SIM_FLOAT_H
#define PTO_SIM_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/alu.h"

enum rounding {
    ROUND_EVEN,    /* nearest, ties to even */
    ROUND_ZERO,    /* toward zero */
    ROUND_DOWN,    /* toward negative infinity */
    ROUND_UP,      /* toward positive infinity */
    ROUND_AWAY,    /* nearest, ties away from zero */
    ROUND_ODD,     /* inexact results get an odd last digit */
    ROUND_TIES_UP, /* nearest, ties toward positive infinity */
};

enum { /* bits as CORE_STATE holds them from bit 32 on */
       FLOAT_INVALID = 1,
       FLOAT_DIVIDE_BY_ZERO = 2,
       FLOAT_OVERFLOW = 4,
       FLOAT_UNDERFLOW = 8, /* tininess is detected after rounding */
       FLOAT_INEXACT = 16,
};

enum float_class { FLOAT_ZERO, FLOAT_FINITE, FLOAT_INFINITE, FLOAT_NAN, FLOAT_SIGNALING };

struct float_value {
    enum float_class klass;
    bool sign;
    int exponent;        /* value = significand / 2^126 * 2^exponent */
    uint128 significand; /* FINITE: bit 126 is set; bit 0 also stands for all that is lost below */
};

enum float_specials {                /* what the highest exponent means */
                      SPECIALS_IEEE, /* infinity and NaN */
                      SPECIALS_NAN,  /* one NaN, all ones; no infinity (E4M3) */
                      SPECIALS_NONE, /* finite only (E3M2, E2M1, …) */
};

struct float_format {
    uint8_t exponent_bits, fraction_bits;
    uint8_t specials; /* enum float_specials */
    uint8_t shift;    /* zero bits below the fraction (HF32 in its 32-bit carrier) */
};

extern const struct float_format float_fp64, float_fp32;

struct float_value float_unpack(const struct float_format *f, uint64_t bits);
/* Rounds to the format. NaNs become canonical; flags are added to *flags. */
uint64_t float_pack(const struct float_format *f, struct float_value v, enum rounding mode,
                    unsigned *flags);
uint64_t float_canonical_nan(const struct float_format *f);

/* Exact up to the sticky bit; round with float_pack. NaN operands give NaN, signaling ones INVALID.
 */
struct float_value float_add(struct float_value a, struct float_value b, enum rounding mode,
                             unsigned *flags);
struct float_value float_multiply(struct float_value a, struct float_value b, unsigned *flags);
struct float_value float_divide(struct float_value a, struct float_value b, unsigned *flags);
struct float_value float_sqrt(struct float_value a, unsigned *flags);
/* a * b + c, one rounding. */
struct float_value float_fused(struct float_value a, struct float_value b, struct float_value c,
                               enum rounding mode, unsigned *flags);
/* e^a: within 1 ulp of FP64, so that narrower formats round correctly. */
struct float_value float_exp(struct float_value a, unsigned *flags);
/* ln a and 1/sqrt(a), to the same accuracy. */
struct float_value float_log(struct float_value a, unsigned *flags);
struct float_value float_rsqrt(struct float_value a, unsigned *flags);
/* a - floor(a / b) * b, exact before its one rounding; a zero has the sign of b. */
struct float_value float_modulo(struct float_value a, struct float_value b, enum rounding mode,
                                unsigned *flags);
struct float_value float_negate(struct float_value a);

struct float_value float_from_integer(uint64_t value, bool is_signed);
/* To an integer of `bits` bits (1..64), zero- or sign-extended. Invalid operands give the minimum
 * of a signed type, the maximum of an unsigned one, with INVALID. */
uint64_t float_to_integer(struct float_value v, unsigned bits, bool is_signed, enum rounding mode,
                          unsigned *flags);

/* -1, 0, 1, or 2 when an operand is a NaN. */
int float_compare(struct float_value a, struct float_value b);

#endif
