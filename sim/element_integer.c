/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels without rounding. Integers wrap to their width, shift counts count
 * modulo it, signed remainders have the divisor's sign (pto-isa
 * asl/tile/model/execution/elementwise.asl). Divisors are not zero: the
 * operations refuse such tiles.
 *
 * Floats of any carrier order by their bits: a key that counts from the most
 * negative number up, so that -0 stands below +0 (asl/arch/features/minmax-profile.asl).
 */
#include "sim/element_loop.h"

/* ---- integers ---- */

/* Operations that need a branch or a wider type, once for each sign. */
static inline uint64_t wide_quotient(int64_t x, int64_t y)
{
    return y == -1 ? -(uint64_t)x : (uint64_t)(x / y);
}

static inline uint64_t floor_remainder(int64_t x, int64_t y)
{
    if (y == -1)
        return 0;
    int64_t rest = x % y;
    return (uint64_t)(rest && (rest < 0) != (y < 0) ? rest + y : rest);
}

/* x, y: elements; ux, uy: their bits; 1u* keeps narrow products out of signed int. */
#define BINARY(T, name, expression)                                                                \
    static void name##_##T(struct element_run *r, void *d, const void *a, const void *b, size_t n) \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *left = a, *right = b;                                                       \
        (void)r;                                                                                   \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = left[i], y = right[i];                                                     \
            to[i] = (T)(expression);                                                               \
        }                                                                                          \
    }
#define UNARY(T, name, expression)                                                                 \
    static void name##_##T(struct element_run *r, void *d, const void *a, size_t n)                \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *from = a;                                                                   \
        (void)r;                                                                                   \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = from[i];                                                                   \
            to[i] = (T)(expression);                                                               \
        }                                                                                          \
    }
#define COMPARE(T, name, relation)                                                                 \
    static void name##_##T(struct element_run *r, uint8_t *d, const void *a, const void *b,        \
                           size_t n)                                                               \
    {                                                                                              \
        const row_##T *left = a, *right = b;                                                       \
        (void)r;                                                                                   \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++)                                                             \
            d[i] = left[i] relation right[i];                                                      \
    }

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* T: the type, U: its unsigned twin. */
#define COMMON(T, U)                                                                               \
    BINARY(T, add, 1u * (U)x + (U)y)                                                               \
    BINARY(T, sub, 1u * (U)x - (U)y)                                                               \
    BINARY(T, mul, 1u * (U)x * (U)y)                                                               \
    BINARY(T, max, x >= y ? x : y)                                                                 \
    BINARY(T, min, x <= y ? x : y)                                                                 \
    BINARY(T, and, x &y)                                                                           \
    BINARY(T, or, x | y)                                                                           \
    BINARY(T, xor, x ^ y)                                                                          \
    BINARY(T, shl, 1u * (U)x << ((U)y & (sizeof(T) * 8 - 1)))                                      \
    BINARY(T, shr, x >> ((U)y & (sizeof(T) * 8 - 1)))                                              \
    UNARY(T, not, ~x)                                                                              \
    UNARY(T, neg, 0u - (U)x)                                                                       \
    COMPARE(T, eq, ==)                                                                             \
    COMPARE(T, ne, !=)                                                                             \
    COMPARE(T, lt, <)                                                                              \
    COMPARE(T, gt, >)                                                                              \
    COMPARE(T, le, <=)                                                                             \
    COMPARE(T, ge, >=)                                                                             \
    static void fused_##T(struct element_run *r, void *d, const void *a, const void *b,            \
                          const void *c, size_t n)                                                 \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *left = a, *right = b, *addend = c;                                          \
        (void)r;                                                                                   \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++)                                                             \
            to[i] = (T)(1u * (U)left[i] * (U)right[i] + (U)addend[i]);                             \
    }                                                                                              \
    const struct element_kernels element_##T = {                                                   \
        .binary = {add_##T, sub_##T, mul_##T, div_##T, rem_##T, max_##T, min_##T, and_##T, or_##T, \
                   xor_##T, shl_##T, shr_##T},                                                     \
        .unary = {[ELEMENT_ABS] = abs_##T,                                                         \
                  [ELEMENT_NOT] = not_##T,                                                         \
                  [ELEMENT_NEG] = neg_##T,                                                         \
                  [ELEMENT_RELU] = relu_##T},                                                      \
        .compare = {eq_##T, ne_##T, lt_##T, gt_##T, le_##T, ge_##T},                               \
        .fused = fused_##T,                                                                        \
    };
#define SIGNED(T, U)                                                                               \
    BINARY(T, div, wide_quotient(x, y))                                                            \
    BINARY(T, rem, floor_remainder(x, y))                                                          \
    UNARY(T, abs, x < 0 ? 0u - (U)x : (U)x)                                                        \
    UNARY(T, relu, x < 0 ? 0 : x)                                                                  \
    COMMON(T, U)
#define UNSIGNED(T)                                                                                \
    BINARY(T, div, x / y)                                                                          \
    BINARY(T, rem, x % y)                                                                          \
    UNARY(T, abs, x)                                                                               \
    UNARY(T, relu, x)                                                                              \
    COMMON(T, T)

SIGNED(s8, u8)
SIGNED(s16, u16)
SIGNED(s32, u32)
SIGNED(s64, u64)
UNSIGNED(u8)
UNSIGNED(u16)
UNSIGNED(u32)
UNSIGNED(u64)

/* ---- floats by their bits ---- */

/* A signed key in number order. */
#define KEY(S, x)       ((S)((x)&sign ? (x) ^ magnitude : (x)))
#define IS_NAN(x)       (((x)&magnitude) > limit)
#define IS_SIGNALING(x) (IS_NAN(x) & (quiet != 0) & !((x)&quiet))

#define CARRIER(U)                                                                                 \
    const struct element_type *t = r->type;                                                        \
    const U sign = (U)t->sign, magnitude = (U)(sign - 1), limit = (U)t->limit,                     \
            quiet = (U)t->quiet, nan = (U)t->nan;                                                  \
    U invalid = 0;

/* One NaN gives the other operand, two the canonical one. */
#define FLOAT_EXTREME(W, U, S, name, relation)                                                     \
    void element_##name##_f##W(struct element_run *r, void *d, const void *a, const void *b,       \
                               size_t n)                                                           \
    {                                                                                              \
        CARRIER(U)                                                                                 \
        row_##U *to = d;                                                                           \
        const row_##U *left = a, *right = b;                                                       \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const U x = left[i], y = right[i];                                                     \
            U pick = KEY(S, x) relation KEY(S, y) ? x : y;                                         \
            pick = IS_NAN(y) ? x : pick;                                                           \
            pick = IS_NAN(x) ? (IS_NAN(y) ? nan : y) : pick;                                       \
            invalid |= (U)(IS_SIGNALING(x) | IS_SIGNALING(y));                                     \
            to[i] = pick;                                                                          \
        }                                                                                          \
        r->flags |= invalid ? FLOAT_INVALID : 0;                                                   \
    }

/* -0 equals +0; a NaN is unordered with everything, and NE. */
#define FLOAT_COMPARE(W, U, S, name, ordered, unordered)                                           \
    void element_##name##_f##W(struct element_run *r, uint8_t *d, const void *a, const void *b,    \
                               size_t n)                                                           \
    {                                                                                              \
        CARRIER(U)                                                                                 \
        (void)nan;                                                                                 \
        const row_##U *left = a, *right = b;                                                       \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const U x = left[i], y = right[i];                                                     \
            const S p = (x & magnitude) ? KEY(S, x) : 0, q = (y & magnitude) ? KEY(S, y) : 0;      \
            invalid |= (U)(IS_SIGNALING(x) | IS_SIGNALING(y));                                     \
            d[i] = (IS_NAN(x) | IS_NAN(y)) ? unordered : p ordered q;                              \
        }                                                                                          \
        r->flags |= invalid ? FLOAT_INVALID : 0;                                                   \
    }

#define FLOAT_UNARY(W, U, S, name, expression)                                                     \
    void element_##name##_f##W(struct element_run *r, void *d, const void *a, size_t n)            \
    {                                                                                              \
        CARRIER(U)                                                                                 \
        row_##U *to = d;                                                                           \
        const row_##U *from = a;                                                                   \
        (void)magnitude, (void)limit, (void)quiet, (void)nan;                                      \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const U x = from[i];                                                                   \
            to[i] = (U)(expression);                                                               \
        }                                                                                          \
        r->flags |= invalid ? FLOAT_INVALID : 0;                                                   \
    }

#define FLOATS(W, U, S)                                                                            \
    FLOAT_EXTREME(W, U, S, max, >=)                                                                \
    FLOAT_EXTREME(W, U, S, min, <=)                                                                \
    FLOAT_COMPARE(W, U, S, eq, ==, 0)                                                              \
    FLOAT_COMPARE(W, U, S, ne, !=, 1)                                                              \
    FLOAT_COMPARE(W, U, S, lt, <, 0)                                                               \
    FLOAT_COMPARE(W, U, S, gt, >, 0)                                                               \
    FLOAT_COMPARE(W, U, S, le, <=, 0)                                                              \
    FLOAT_COMPARE(W, U, S, ge, >=, 0)                                                              \
    FLOAT_UNARY(W, U, S, abs, x &magnitude)                                                        \
    FLOAT_UNARY(W, U, S, neg, x ^ sign)                                                            \
    FLOAT_UNARY(W, U, S, relu, (invalid |= (U)IS_SIGNALING(x), IS_NAN(x) ? nan : x & sign ? 0 : x))

FLOATS(8, u8, s8)
FLOATS(16, u16, s16)
FLOATS(32, u32, s32)
FLOATS(64, u64, s64)
