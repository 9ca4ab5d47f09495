/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that round, always to nearest even. FP32 and FP64 use the host's
 * units, which round correctly between element_begin and element_end; every
 * other format, and what the host has no unit for, goes through exact values.
 */
#include "sim/element_loop.h"

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
    static void name##_##T(struct element_run *r, void *d, const void *a, const void *b, size_t n) \
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
#define HOST_UNARY(T, nan_text, name, expression)                                                  \
    static void name##_##T(struct element_run *r, void *d, const void *a, size_t n)                \
    {                                                                                              \
        row_##T *to = d;                                                                           \
        const row_##T *from = a;                                                                   \
        (void)r;                                                                                   \
        ELEMENT_LOOP                                                                               \
        for (size_t i = 0; i < n; i++) {                                                           \
            const T x = from[i], y = expression;                                                   \
            to[i] = y == y ? y : nan_text("");                                                     \
        }                                                                                          \
    }
#define HOST_FORMAT(T, nan_text, root, fused_multiply_add)                                         \
    HOST_BINARY(T, nan_text, add, +)                                                               \
    HOST_BINARY(T, nan_text, sub, -)                                                               \
    HOST_BINARY(T, nan_text, mul, *)                                                               \
    HOST_BINARY(T, nan_text, div, /)                                                               \
    HOST_UNARY(T, nan_text, recip, 1 / x)                                                          \
    HOST_UNARY(T, nan_text, sqrt, root(x))                                                         \
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

/* ---- tables ---- */

#define BY_BITS(W)                                                                                 \
    .compare = {element_eq_f##W, element_ne_f##W, element_lt_f##W,                                 \
                element_gt_f##W, element_le_f##W, element_ge_f##W}
#define KERNELS(W, suffix)                                                                         \
    {                                                                                              \
        .binary = {[ELEMENT_ADD] = add_##suffix,    [ELEMENT_SUB] = sub_##suffix,                  \
                   [ELEMENT_MUL] = mul_##suffix,    [ELEMENT_DIV] = div_##suffix,                  \
                   [ELEMENT_REM] = rem_exact,       [ELEMENT_MAX] = element_max_f##W,              \
                   [ELEMENT_MIN] = element_min_f##W},                                              \
        .unary = {[ELEMENT_ABS] = element_abs_f##W,   [ELEMENT_NEG] = element_neg_f##W,            \
                  [ELEMENT_RELU] = element_relu_f##W, [ELEMENT_EXP] = exp_exact,                   \
                  [ELEMENT_LOG] = log_exact,          [ELEMENT_RECIP] = recip_##suffix,            \
                  [ELEMENT_SQRT] = sqrt_##suffix,     [ELEMENT_RSQRT] = rsqrt_exact},              \
        BY_BITS(W), .fused = fused_##suffix,                                                       \
    }

const struct element_kernels element_float8 = KERNELS(8, exact);
const struct element_kernels element_float16 = KERNELS(16, exact);
const struct element_kernels element_tf32 = KERNELS(32, exact);
const struct element_kernels element_fp32 = KERNELS(32, f32);
const struct element_kernels element_fp64 = KERNELS(64, f64);
