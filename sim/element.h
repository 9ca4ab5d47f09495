/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arithmetic on elements of tiles, a row at a time.
 *
 * A data type is one row: its size and padding, its floating format, the kernels for its carrier,
 * and how any of its elements becomes an exact value and back. Operations look the row up once a
 * tile; no loop over elements asks for a type.
 *
 *   element.c          the table; exact values of every format
 *   element_integer.c  kernels of integers, and what floats do by their bits
 *   element_half.c     rows of FP16 and BF16 as FP32
 *   element_float.c    kernels that round: FP32 and FP64 on the host's units in
 *                      the default environment, the rest by sim/float.h
 *
 * Rows are in the tile's byte order (little-endian) and `n` elements long. A
 * destination is another row than the sources, or exactly one of them.
 */
#ifndef PTO_SIM_ELEMENT_H
#define PTO_SIM_ELEMENT_H

#include <fenv.h>
#include <stddef.h>

#include "sim/float.h"
#include "sim/format.h"

enum element_binary {
    ELEMENT_ADD,
    ELEMENT_SUB,
    ELEMENT_MUL,
    ELEMENT_DIV,
    ELEMENT_REM,
    ELEMENT_MAX,
    ELEMENT_MIN,
    ELEMENT_AND,
    ELEMENT_OR,
    ELEMENT_XOR,
    ELEMENT_SHL,
    ELEMENT_SHR,
    ELEMENT_BINARY_COUNT
};

enum element_unary {
    ELEMENT_ABS,
    ELEMENT_NOT,
    ELEMENT_NEG,
    ELEMENT_RELU,
    ELEMENT_EXP,
    ELEMENT_LOG,
    ELEMENT_RECIP,
    ELEMENT_SQRT,
    ELEMENT_RSQRT,
    ELEMENT_UNARY_COUNT
};

enum { ELEMENT_COMPARISONS = 6 }; /* by B.DATR CMode: EQ NE LT GT LE GE */

struct element_type;

/* One pass over one PE's fragment. */
struct element_run {
    const struct element_type *type;
    unsigned flags; /* FLOAT_…, added up */
    fenv_t host;    /* the caller's environment */
};

typedef void element_binary_fn(struct element_run *r, void *d, const void *a, const void *b,
                               size_t n);
typedef void element_unary_fn(struct element_run *r, void *d, const void *a, size_t n);
typedef void element_fused_fn(struct element_run *r, void *d, const void *a, const void *b,
                              const void *c, size_t n); /* a * b + c */
/* d[i] becomes 0 or 1. */
typedef void element_compare_fn(struct element_run *r, uint8_t *d, const void *a, const void *b,
                                size_t n);

struct element_kernels {
    element_binary_fn *binary[ELEMENT_BINARY_COUNT]; /* NULL: not for this type */
    element_unary_fn *unary[ELEMENT_UNARY_COUNT];
    element_compare_fn *compare[ELEMENT_COMPARISONS];
    element_fused_fn *fused;
};

struct element_control { /* of a conversion */
    enum rounding rounding;
    bool saturate;
};

struct element_type {
    struct sim_format format; /* what loads, stores and files ask of it */
    uint8_t bits;             /* as in the format */
    bool is_float, is_signed;
    int8_t scale;          /* the format's numbers are 2^scale times too large */
    uint64_t reserved;     /* bits that a valid encoding has clear */
    struct float_format f; /* of floats that it can describe */
    /* What floats do by their bits: the sign; the largest magnitude that is no NaN; the bit that a
     * quiet NaN has set (0: no signaling NaNs). */
    uint64_t sign, limit, quiet;
    uint64_t nan, one; /* canonical NaN; 1 */
    const struct element_kernels *kernels;
    /* Any encoding to its exact value, and the rounded way back. Bits above the element are not
     * looked at. */
    struct float_value (*decode)(const struct element_type *t, uint64_t bits);
    uint64_t (*encode)(const struct element_type *t, struct float_value v,
                       const struct element_control *c, unsigned *flags);
    /* FP16, BF16: rows to FP32, exactly, NaNs as they are; and back, to nearest even. */
    element_unary_fn *widen, *narrow;
};

element_unary_fn element_widen_fp16, element_narrow_fp16, element_widen_bf16, element_narrow_bf16;
/* FP32: NaNs become canonical, signaling ones report. */
element_unary_fn element_canonical_fp32;

/* The row of a DataType code; bits 0 for a code without a type. */
const struct element_type *element_type_of(unsigned dtype);

extern const struct element_kernels element_s8, element_s16, element_s32, element_s64, element_u8,
    element_u16, element_u32, element_u64; /* element_integer.c */
extern const struct element_kernels element_float8, element_float16, element_tf32, element_fp32,
    element_fp64; /* element_float.c */

/* What floats of a carrier do by their bits alone, entered in the tables of element_float.c. */
#define ELEMENT_CARRIER_KERNELS(W)                                                                 \
    element_binary_fn element_max_f##W, element_min_f##W;                                          \
    element_unary_fn element_abs_f##W, element_neg_f##W, element_relu_f##W;                        \
    element_compare_fn element_eq_f##W, element_ne_f##W, element_lt_f##W, element_gt_f##W,         \
        element_le_f##W, element_ge_f##W;
ELEMENT_CARRIER_KERNELS(8)
ELEMENT_CARRIER_KERNELS(16)
ELEMENT_CARRIER_KERNELS(32)
ELEMENT_CARRIER_KERNELS(64)
#undef ELEMENT_CARRIER_KERNELS

/* Between these two the host rounds to nearest, keeps subnormals and does not trap; what it reports
 * is added to r->flags, and the caller's environment comes back. Nothing in between may leave. */
void element_begin(struct element_run *r, const struct element_type *type);
void element_end(struct element_run *r);

/* n copies of an element of `bytes` bytes. */
void element_fill(void *d, unsigned bytes, uint64_t value, size_t n);

#endif
