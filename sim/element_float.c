/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that round, always to nearest even. FP32 and FP64 use the host's
 * units, which round correctly between element_begin and element_end; every
 * other format, and what the host has no unit for, goes through exact values.
 */
#include "sim/element_loop.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- any format, by exact values ---- */

static const struct element_control to_nearest = {ROUND_EVEN, false};

static struct float_value load(const struct element_type *t, const uint8_t *from, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, from + i * (t->bits / 8), t->bits / 8);
    return t->decode(t, bits);
}

static void store(const struct element_type *t, uint8_t *to, size_t i, struct float_value v,
                  unsigned *flags)
{
    uint64_t bits = t->encode(t, v, &to_nearest, flags);
    memcpy(to + i * (t->bits / 8), &bits, t->bits / 8);
}

typedef struct float_value binary_fn(struct float_value a, struct float_value b, unsigned *flags);
typedef struct float_value unary_fn(struct float_value a, unsigned *flags);

static struct float_value sum(struct float_value a, struct float_value b, unsigned *flags)
{
    return float_add(a, b, ROUND_EVEN, flags);
}

static struct float_value difference(struct float_value a, struct float_value b, unsigned *flags)
{
    return float_add(a, float_negate(b), ROUND_EVEN, flags);
}

static struct float_value modulo(struct float_value a, struct float_value b, unsigned *flags)
{
    return float_modulo(a, b, ROUND_EVEN, flags);
}

static struct float_value reciprocal(struct float_value a, unsigned *flags)
{
    return float_divide(float_from_integer(1, false), a, flags);
}

static void exact_binary(struct element_run *r, uint8_t *d, const uint8_t *a, const uint8_t *b,
                         size_t n, binary_fn *operation)
{
    const struct element_type *t = r->type;
    for (size_t i = 0; i < n; i++)
        store(t, d, i, operation(load(t, a, i), load(t, b, i), &r->flags), &r->flags);
}

/* The host's library may raise flags of its own on the way. */
static void exact_unary(struct element_run *r, uint8_t *d, const uint8_t *a, size_t n,
                        unary_fn *operation)
{
    const struct element_type *t = r->type;
    fenv_t before;
    fegetenv(&before);
    for (size_t i = 0; i < n; i++)
        store(t, d, i, operation(load(t, a, i), &r->flags), &r->flags);
    fesetenv(&before);
}

#define EXACT_BINARY(name, operation)                                                              \
    static void name##_exact(struct element_run *r, void *d, const void *a, const void *b,         \
                             size_t n)                                                             \
    {                                                                                              \
        exact_binary(r, d, a, b, n, operation);                                                    \
    }
#define EXACT_UNARY(name, operation)                                                               \
    static void name##_exact(struct element_run *r, void *d, const void *a, size_t n)              \
    {                                                                                              \
        exact_unary(r, d, a, n, operation);                                                        \
    }
EXACT_BINARY(add, sum)
EXACT_BINARY(sub, difference)
EXACT_BINARY(mul, float_multiply)
EXACT_BINARY(div, float_divide)
EXACT_BINARY(rem, modulo)
EXACT_UNARY(exp, float_exp)
EXACT_UNARY(log, float_log)
EXACT_UNARY(recip, reciprocal)
EXACT_UNARY(sqrt, float_sqrt)
EXACT_UNARY(rsqrt, float_rsqrt)

static void fused_exact(struct element_run *r, void *d, const void *a, const void *b, const void *c,
                        size_t n)
{
    const struct element_type *t = r->type;
    for (size_t i = 0; i < n; i++)
        store(t, d, i,
              float_fused(load(t, a, i), load(t, b, i), load(t, c, i), ROUND_EVEN, &r->flags),
              &r->flags);
}

/* ---- the host's formats ---- */

/* Produced NaNs are canonical. Whether 0 * infinity + NaN is invalid differs between hosts. */
#define HOST_BINARY(T, nan_text, name, operator)                                                   \
    ELEMENT_CLONES static void name##_##T(struct element_run *r, void *d, const void *a,           \
                                          const void *b, size_t n)                                 \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *left = a, *right = b;                                                       \
        (void)r;                                                                                   \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = left[i] operator right[i];                                                 \
            to[i] = x == x ? x : nan_text("");                                                     \
        }                                                                                          \
    }
#define HOST_UNARY(T, nan_text, LOOP, name, expression)                                            \
    static void name##_##T(struct element_run *r, void *d, const void *a, size_t n)                \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *from = a;                                                                   \
        (void)r;                                                                                   \
        LOOP for (size_t i = 0; i < n; i++)                                                        \
        {                                                                                          \
            const T x = from[i], y = expression;                                                   \
            to[i] = y == y ? y : nan_text("");                                                     \
        }                                                                                          \
    }
#define HOST_FORMAT(T, nan_text, root, fused_multiply_add)                                         \
    HOST_BINARY(T, nan_text, add, +)                                                               \
    HOST_BINARY(T, nan_text, sub, -)                                                               \
    HOST_BINARY(T, nan_text, mul, *)                                                               \
    HOST_BINARY(T, nan_text, div, /)                                                               \
    HOST_UNARY(T, nan_text, ELEMENT_LOOP, recip, 1 / x)                                            \
    HOST_UNARY(T, nan_text, , sqrt, root(x)) /* may set errno: no vectors */                       \
    static void fused_##T(struct element_run *r, void *d, const void *a, const void *b,            \
                          const void *c, size_t n)                                                 \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *left = a, *right = b, *addend = c;                                          \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = fused_multiply_add(left[i], right[i], addend[i]);                          \
            if (x == x)                                                                            \
                to[i] = x;                                                                         \
            else                                                                                   \
                fused_exact(r, to + i, left + i, right + i, addend + i, 1);                        \
        }                                                                                          \
    }

typedef float f32;
typedef double f64;
HOST_FORMAT(f32, __builtin_nanf, sqrtf, fmaf)
HOST_FORMAT(f64, __builtin_nan, sqrt, fma)

/* ---- FP32 functions, by the host's FP64 ones ---- */

typedef double host_fn(double x);

/* Where a host function serves: from `lowest` to `highest` it and the result are normal numbers. */
struct host_function {
    host_fn *function;
    unary_fn *exact;
    float lowest, highest;
};

/* The FP64 result is within a few of its last places. It rounds to FP32 as the true one does unless
 * one of those separates it from an FP32 number or from the middle of two: then, and outside the
 * range, the exact way decides. What is left is never exact. */
static void near_unary(struct element_run *r, void *d, const void *a, size_t n,
                       const struct host_function *f)
{
    enum { BELOW = 29, ERROR = 8 }; /* digits of FP64 behind FP32's last; places of doubt */
    row_f32 *to = d;
    const row_f32 *from = a;
    fenv_t before;
    fegetenv(&before);
    for (size_t i = 0; i < n; i++) {
        float x = from[i];
        bool inside = x >= f->lowest && x <= f->highest;
        double y = inside ? f->function(x) : 0;
        uint64_t bits;
        memcpy(&bits, &y, sizeof bits);
        uint64_t half = UINT64_C(1) << (BELOW - 1), rest = (bits + ERROR) & (half - 1);
        if (rest <= 2 * ERROR) { /* also 0: outside */
            store(r->type, d, i, f->exact(load(r->type, a, i), &r->flags), &r->flags);
            continue;
        }
        to[i] = (float)y;
        r->flags |= FLOAT_INEXACT;
    }
    fesetenv(&before);
}

static double host_rsqrt(double x)
{
    return 1 / sqrt(x);
}

#define NEAR_UNARY(name, function, exact, lowest, highest)                                         \
    static void name##_f32(struct element_run *r, void *d, const void *a, size_t n)                \
    {                                                                                              \
        static const struct host_function f = {function, exact, lowest, highest};                  \
        near_unary(r, d, a, n, &f);                                                                \
    }
NEAR_UNARY(exp, exp, float_exp, -87, 87)
NEAR_UNARY(log, log, float_log, FLT_MIN, FLT_MAX)
NEAR_UNARY(rsqrt, host_rsqrt, float_rsqrt, FLT_MIN, FLT_MAX)

/* ---- 16 bits, in FP32 ----
 *
 * FP32 has more than twice as many digits, and a second rounding to nearest then changes no sum,
 * product, quotient or root (Figueroa 1995). The same holds in the subnormals, where 16 bits less
 * of FP32 remain than an inexact result of BF16 needs.
 */

enum { BLOCK = 256 };

#define HALF_BINARY(name)                                                                          \
    static void name##_half(struct element_run *r, void *d, const void *a, const void *b,          \
                            size_t n)                                                              \
    {                                                                                              \
        half_binary(r, d, a, b, n, name##_f32);                                                    \
    }
static void half_binary(struct element_run *r, uint8_t *d, const uint8_t *a, const uint8_t *b,
                        size_t n, element_binary_fn *kernel)
{
    float left[BLOCK], right[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t count = n - done < BLOCK ? n - done : BLOCK;
        r->type->widen(r, left, a + 2 * done, count);
        r->type->widen(r, right, b + 2 * done, count);
        kernel(r, left, left, right, count);
        r->type->narrow(r, d + 2 * done, left, count);
    }
}

#define HALF_UNARY(name)                                                                           \
    static void name##_half(struct element_run *r, void *d, const void *a, size_t n)               \
    {                                                                                              \
        half_unary(r, d, a, n, name##_f32);                                                        \
    }
static void half_unary(struct element_run *r, uint8_t *d, const uint8_t *a, size_t n,
                       element_unary_fn *kernel)
{
    float values[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        size_t count = n - done < BLOCK ? n - done : BLOCK;
        r->type->widen(r, values, a + 2 * done, count);
        kernel(r, values, values, count);
        r->type->narrow(r, d + 2 * done, values, count);
    }
}

HALF_BINARY(add)
HALF_BINARY(sub)
HALF_BINARY(mul)
HALF_BINARY(div)
HALF_UNARY(recip)
HALF_UNARY(sqrt)

static void fused_half(struct element_run *r, void *d, const void *a, const void *b, const void *c,
                       size_t n)
{
    fused_exact(r, d, a, b, c, n); /* FP32 would round twice */
}

/* ---- tables ---- */

#define BY_BITS(W)                                                                                 \
    .compare = {element_eq_f##W, element_ne_f##W, element_lt_f##W,                                 \
                element_gt_f##W, element_le_f##W, element_ge_f##W}
#define KERNELS(W, suffix, functions)                                                              \
    {                                                                                              \
        .binary = {[ELEMENT_ADD] = add_##suffix,    [ELEMENT_SUB] = sub_##suffix,                  \
                   [ELEMENT_MUL] = mul_##suffix,    [ELEMENT_DIV] = div_##suffix,                  \
                   [ELEMENT_REM] = rem_exact,       [ELEMENT_MAX] = element_max_f##W,              \
                   [ELEMENT_MIN] = element_min_f##W},                                              \
        .unary = {[ELEMENT_ABS] = element_abs_f##W,   [ELEMENT_NEG] = element_neg_f##W,            \
                  [ELEMENT_RELU] = element_relu_f##W, [ELEMENT_EXP] = exp_##functions,             \
                  [ELEMENT_LOG] = log_##functions,    [ELEMENT_RECIP] = recip_##suffix,            \
                  [ELEMENT_SQRT] = sqrt_##suffix,     [ELEMENT_RSQRT] = rsqrt_##functions},        \
        BY_BITS(W), .fused = fused_##suffix,                                                       \
    }

const struct element_kernels element_float8 = KERNELS(8, exact, exact);
const struct element_kernels element_float16 = KERNELS(16, half, exact);
const struct element_kernels element_tf32 = KERNELS(32, exact, exact);
const struct element_kernels element_fp32 = KERNELS(32, f32, f32);
const struct element_kernels element_fp64 = KERNELS(64, f64, exact);
