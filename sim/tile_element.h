/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the VEC and SFU operations share. Included by sim/tile_{element,reduce,expand,cvt}.c.
 *
 * All but TCVT work on row-major tiles of whole-byte elements: a row of the
 * valid region is contiguous. An operation checks (tile_check_…), reserves its
 * destination, checks what depends on it, and then passes over every PE's
 * fragment; a pass cannot fail.
 */
#ifndef PTO_SIM_TILE_ELEMENT_H
#define PTO_SIM_TILE_ELEMENT_H

#include "sim/element.h"
#include "sim/tile.h"

/* One PE's fragments. */
struct element_pass {
    struct element_run run;
    const struct tile_op *op;
    const struct tile_info *info;      /* of the destination */
    struct tile_fragment *destination; /* of PE `pe` */
    const struct tile_fragment *source[3];
    uint64_t scalar[2]; /* B.IOR, as the PE reads it */
    unsigned function;  /* enum element_…, of the operation's row */
    uint8_t *scratch;   /* `scratch_bytes` of vector_pass */
};

/* Runs `body` for every PE, with kernels of `type`; then the valid region is defined, padding
 * written, and status recorded. `records`: whether pto-v0 records status too. */
struct vector_pass {
    void (*body)(struct element_pass *p);
    unsigned type; /* DataType */
    unsigned function;
    size_t scratch_bytes;
    bool records;
    enum sim_pad pad;
};
void tile_vector_pass(struct tile_op *op, const struct vector_pass *v);

/* Row `row` of a row-major fragment. */
static inline uint8_t *tile_row(const struct tile_info *info, const struct tile_fragment *f,
                                uint32_t row)
{
    return f->bytes + (size_t)row * info->cols * (tile_format(info)->bits / 8);
}

/* Shape that the dimensions give: LB0 valid columns, LB1 or 1 valid rows, LB2 or LB0 columns. */
struct tile_shape tile_vector_shape(const struct tile_op *op);
/* Value of B.IOR slot n in PE pe; conformance runs read the committing PE's. */
uint64_t tile_vector_scalar(const struct tile_op *op, unsigned pe, unsigned slot);

/* Source n: allocated, defined, numeric, row-major. */
bool tile_check_operand(struct tile_op *op, unsigned n);
/* The same, with this type, valid encodings, and the shape of the dimensions. */
bool tile_check_shaped_operand(struct tile_op *op, unsigned n, unsigned dtype,
                               struct tile_shape shape);
/* What a B.DATR RMode code means. */
enum rounding tile_rounding(unsigned rmode);
/* RMode and Sat of B.DATR. NONE truncates where `truncates` (floats to integers) and otherwise
 * rounds to nearest even (asl/block/model/dispatch/numeric-control.asl). */
struct element_control tile_conversion_control(const struct tile_op *op, bool truncates);

/* The operation takes elements of this type. */
bool tile_check_type(struct tile_op *op, unsigned dtype);
/* Encodings that a format forbids do not occur in source n. */
bool tile_check_encodings(struct tile_op *op, unsigned n);
bool tile_check_no_zero(struct tile_op *op, unsigned n); /* divisors */
/* B.IOR must be absent. */
bool tile_check_no_scalars(struct tile_op *op);
/* B.IOT as the row groups sources, dimensions present and not zero. */
bool tile_check_dimensions(struct tile_op *op);
/* B.IOT binds the sources as the operation's row groups them, the destination in the last. */
bool tile_check_grouping(struct tile_op *op);

#endif
