/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary floating-point formats of other widths than the host's. */
#ifndef PTO_SUPPORT_REAL_H
#define PTO_SUPPORT_REAL_H

#include <stdint.h>

/* The bits of `x` in an IEEE format of `exponent` and `fraction` bits, at most those of a double:
 * to nearest, ties to even, subnormals kept; overflow gives infinity, a NaN the quiet one. */
uint64_t real_round(double x, unsigned exponent, unsigned fraction);

#endif
