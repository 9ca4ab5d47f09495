/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices and what B.FPATR does with them. Included by sim/tile_cube.c
 * and sim/cube_*.c only.
 *
 *   tile_cube.c      the bundle: legality, destinations, operands of every PE
 *   cube_multiply.c  the sum of products, in order
 *   cube_post.c      PreQuant modes, ReLU modes, row and group maxima
 *
 * Matrices stand row by row in 32-bit words without gaps: FP32 numbers, or
 * integers extended to 32 bits. Every input format is exact in that.
 */
#ifndef PTO_SIM_CUBE_H
#define PTO_SIM_CUBE_H

#include "isa/isa.h"
#include "sim/element.h"

enum { CUBE_SCALE_BLOCK = 32 }; /* K elements that share a block scale */

/* ---- c[m][n] = c[m][n] + a[m][0] * b[0][n] + a[m][1] * b[1][n] + …, in that order ---- */

struct cube_product {
    uint32_t m, n, k;
    uint32_t *a, *b, *c; /* m x k, k x n, m x n words */
    /* Exponents of two of every block of K, E8M0 codes; NULL: none. m x ceil(k / 32) and ceil(k /
     * 32) x n bytes. */
    const uint8_t *a_scale, *b_scale;
};

/* One fused multiply-add a term, rounded to nearest even; NaNs become canonical. Between
 * element_begin and element_end of `r`. Block scales multiply the inputs exactly; a and b are
 * overwritten by the scaled inputs. */
void cube_multiply_float(struct element_run *r, const struct cube_product *p);
/* Modulo 2^32. */
void cube_multiply_integer(const struct cube_product *p);

/* ---- B.FPATR (asl/arch/profile/matrix-postprocess.asl) ---- */

struct cube_post {
    const struct isa_prequant *mode;
    unsigned relu; /* ISA_ReluMode_… */
    const struct element_type *accumulator, *result;
    unsigned result_type; /* DataType code */
    struct element_control control;
    bool passes;    /* the accumulator is the result */
    unsigned flags; /* FLOAT_…, added up */
};

void cube_post_init(struct cube_post *p, const struct isa_matrix_schema *schema,
                    unsigned result_type, unsigned relu, struct element_control control);
/* `quant` and `relu` are the parameter words of the element's column. */
uint64_t cube_post_element(struct cube_post *p, uint32_t value, uint64_t quant, uint64_t relu);
/* Parameter words that the modes accept. */
bool cube_quant_word_is_legal(const struct isa_prequant *mode, uint64_t word);
bool cube_relu_word_is_legal(uint64_t word);

struct cube_maxima {
    const uint32_t *values; /* m rows of n */
    uint32_t m, n;
    bool absolute;
};
/* to[row] = the maximum of columns first .. first + count - 1; with `seed`, of seed[row] too, which
 * stands first. Between element_begin and element_end of `r`. `scratch`: 3 * m words. */
void cube_maximum(struct element_run *r, const struct cube_maxima *x, uint32_t first,
                  uint32_t count, const uint32_t *seed, uint32_t *to, uint32_t *scratch);

#endif
