/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of products in K order. Columns are independent, so loops over them may
 * be vectorised; K is unrolled into a chain of operations, never reassociated.
 */
#include "sim/cube.h"

#include <string.h>

#include "sim/element_loop.h"

enum {
    COLUMNS = 512, /* of a block whose accumulators stay in the first cache */
    STEPS = 4,     /* of K between two looks at an accumulator */
    CANONICAL_NAN = 0x7fc00000,
    E8M0_BIAS = 127,
    E8M0_NAN = 0xff,
};

/* ---- the loops ---- */

/* A strip of columns: two rows of c, and all rows of b. */
struct strip {
    size_t columns, steps, b_stride;
    const void *a[2], *b;
    void *c[2];
};

/* Rows may alias everything, so what a loop needs of *s is read before it. */
#define DEFINE_STRIP(T, fused)                                                                     \
    static inline                                                                                  \
        __attribute__((always_inline)) void add_four_##T(const struct strip *s, size_t step)       \
    {                                                                                              \
        const size_t n = s->columns, stride = s->b_stride;                                         \
        const row_##T *b0 = (const row_##T *)s->b + step * stride, *b1 = b0 + stride,              \
                      *b2 = b1 + stride, *b3 = b2 + stride;                                        \
        const row_##T *x = (const row_##T *)s->a[0] + step, *y = (const row_##T *)s->a[1] + step;  \
        const T x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];                                        \
        const T y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3];                                        \
        row_##T *c0 = s->c[0], *c1 = s->c[1];                                                      \
        ELEMENT_LOOP                                                                               \
        for (size_t j = 0; j < n; j++) {                                                           \
            c0[j] = fused(x3, b3[j], fused(x2, b2[j], fused(x1, b1[j], fused(x0, b0[j], c0[j])))); \
            c1[j] = fused(y3, b3[j], fused(y2, b2[j], fused(y1, b1[j], fused(y0, b0[j], c1[j])))); \
        }                                                                                          \
    }                                                                                              \
    static inline __attribute__((always_inline)) void add_one_##T(const struct strip *s,           \
                                                                  unsigned row, size_t step)       \
    {                                                                                              \
        const size_t n = s->columns;                                                               \
        const row_##T *b = (const row_##T *)s->b + step * s->b_stride;                             \
        const T x = ((const row_##T *)s->a[row])[step];                                            \
        row_##T *c = s->c[row];                                                                    \
        ELEMENT_LOOP                                                                               \
        for (size_t j = 0; j < n; j++)                                                             \
            c[j] = fused(x, b[j], c[j]);                                                           \
    }                                                                                              \
    static inline                                                                                  \
        __attribute__((always_inline)) void add_strip_##T(const struct strip *s, bool two)         \
    {                                                                                              \
        size_t step = 0;                                                                           \
        for (; two && step + STEPS <= s->steps; step += STEPS)                                     \
            add_four_##T(s, step);                                                                 \
        for (; step < s->steps; step++) {                                                          \
            add_one_##T(s, 0, step);                                                               \
            if (two)                                                                               \
                add_one_##T(s, 1, step);                                                           \
        }                                                                                          \
    }

typedef float f32;
typedef uint32_t u32;
#define ADD_MODULO(x, y, z) ((x) * (y) + (z))
DEFINE_STRIP(f32, __builtin_fmaf)
DEFINE_STRIP(u32, ADD_MODULO)

typedef void strip_fn(const struct strip *s, bool two);
struct strips {
    strip_fn *f32, *u32;
};

/* The same operations, with what this machine has. */
#define STRIPS(machine, attributes)                                                                \
    attributes static void f32_##machine(const struct strip *s, bool two)                          \
    {                                                                                              \
        add_strip_f32(s, two);                                                                     \
    }                                                                                              \
    attributes static void u32_##machine(const struct strip *s, bool two)                          \
    {                                                                                              \
        add_strip_u32(s, two);                                                                     \
    }
STRIPS(any, )
#if defined(__x86_64__)
STRIPS(avx2, __attribute__((target("avx2,fma"))))
STRIPS(avx512, __attribute__((target("avx512f,avx512vl,avx512dq,avx2,fma"))))
#endif

static struct strips choose_strips(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return (struct strips){f32_avx512, u32_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (struct strips){f32_avx2, u32_avx2};
#endif
    return (struct strips){f32_any, u32_any};
}

static void canonicalize(uint32_t *c, size_t n)
{
    enum { MAGNITUDE = 0x7fffffff, INFINITE = 0x7f800000 };
    ELEMENT_LOOP
    for (size_t i = 0; i < n; i++)
        c[i] = (c[i] & MAGNITUDE) > INFINITE ? CANONICAL_NAN : c[i];
}

static void multiply(const struct cube_product *p, strip_fn *strip)
{
    for (uint32_t first = 0; first < p->n; first += COLUMNS) {
        uint32_t columns = p->n - first < COLUMNS ? p->n - first : COLUMNS;
        for (uint32_t row = 0; row < p->m; row += 2) {
            uint32_t next = row + 1 < p->m ? row + 1 : row;
            strip(&(struct strip){.columns = columns,
                                  .steps = p->k,
                                  .b_stride = p->n,
                                  .a = {p->a + (size_t)row * p->k, p->a + (size_t)next * p->k},
                                  .b = p->b + first,
                                  .c = {p->c + (size_t)row * p->n + first,
                                        p->c + (size_t)next * p->n + first}},
                  next != row);
        }
    }
}

/* ---- block scales ---- */

static uint8_t a_scale_at(const struct cube_product *p, uint32_t row, uint32_t step)
{
    uint32_t blocks = (p->k + CUBE_SCALE_BLOCK - 1) / CUBE_SCALE_BLOCK;
    return p->a_scale[(size_t)row * blocks + step / CUBE_SCALE_BLOCK];
}

static uint8_t b_scale_at(const struct cube_product *p, uint32_t step, uint32_t col)
{
    return p->b_scale[(size_t)(step / CUBE_SCALE_BLOCK) * p->n + col];
}

static float power_of_two(uint8_t code)
{
    enum { FRACTION = 23, HALF_LOWEST = 0x400000 };
    uint32_t bits = code ? (uint32_t)code << FRACTION : HALF_LOWEST; /* 2^(code - 127) */
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* False: the product has no place in FP32. NaNs stay as they are. */
static bool scaled(uint32_t bits, uint8_t code, uint32_t *result)
{
    float x, y;
    memcpy(&x, &bits, sizeof x);
    *result = x == x ? CANONICAL_NAN : bits;
    if (code == E8M0_NAN || x != x)
        return true;
    y = x * power_of_two(code);
    memcpy(result, &y, sizeof y);
    return (double)y == (double)x * (double)power_of_two(code);
}

typedef uint8_t scale_fn(const struct cube_product *p, uint32_t row, uint32_t col);

/* False: some scaled input has no place in FP32, and nothing may be overwritten. */
static bool all_fit(const struct cube_product *p, const uint32_t *x, uint32_t rows, uint32_t cols,
                    scale_fn *scale)
{
    uint32_t ignored;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            if (!scaled(x[(size_t)row * cols + col], scale(p, row, col), &ignored))
                return false;
    return true;
}

static void scale_all(const struct cube_product *p, uint32_t *x, uint32_t rows, uint32_t cols,
                      scale_fn *scale)
{
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++) {
            uint32_t *at = &x[(size_t)row * cols + col];
            scaled(*at, scale(p, row, col), at);
        }
}

static struct float_value exact_input(uint32_t bits, int scale)
{
    struct float_value v = float_unpack(&float_fp32, bits);
    if (scale == E8M0_NAN)
        v = (struct float_value){.klass = FLOAT_NAN};
    else if (scale >= 0)
        v.exponent += scale - E8M0_BIAS;
    return v;
}

/* For scaled inputs beyond FP32, whose products need not be. */
static void multiply_exactly(struct element_run *r, const struct cube_product *p)
{
    for (uint32_t row = 0; row < p->m; row++)
        for (uint32_t col = 0; col < p->n; col++) {
            uint32_t *c = &p->c[(size_t)row * p->n + col];
            for (uint32_t step = 0; step < p->k; step++) {
                struct float_value a = exact_input(p->a[(size_t)row * p->k + step],
                                                   p->a_scale ? a_scale_at(p, row, step) : -1);
                struct float_value b = exact_input(p->b[(size_t)step * p->n + col],
                                                   p->b_scale ? b_scale_at(p, step, col) : -1);
                struct float_value sum =
                    float_fused(a, b, float_unpack(&float_fp32, *c), ROUND_EVEN, &r->flags);
                *c = (uint32_t)float_pack(&float_fp32, sum, ROUND_EVEN, &r->flags);
            }
        }
}

void cube_multiply_float(struct element_run *r, const struct cube_product *p)
{
    if ((p->a_scale && !all_fit(p, p->a, p->m, p->k, a_scale_at)) ||
        (p->b_scale && !all_fit(p, p->b, p->k, p->n, b_scale_at))) {
        multiply_exactly(r, p);
    } else {
        if (p->a_scale)
            scale_all(p, p->a, p->m, p->k, a_scale_at);
        if (p->b_scale)
            scale_all(p, p->b, p->k, p->n, b_scale_at);
        feclearexcept(FE_ALL_EXCEPT);
        multiply(p, choose_strips().f32);
    }
    canonicalize(p->c, (size_t)p->m * p->n);
}

/* ---- integers ---- */

void cube_multiply_integer(const struct cube_product *p)
{
    multiply(p, choose_strips().u32);
}
