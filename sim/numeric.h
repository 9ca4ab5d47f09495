/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions between floating formats, bit for bit: round to nearest, ties to
 * even, subnormals kept, whatever the host's rounding mode is.
 */
#ifndef PTO_SIM_NUMERIC_H
#define PTO_SIM_NUMERIC_H

#include <stdint.h>

/* binary32 to a format of `exponent` exponent bits and `fraction` fraction bits with infinities
 * (FP16: 5, 10; BF16: 8, 7). Overflow gives infinity, a NaN the canonical quiet NaN. */
uint32_t numeric_narrow(uint32_t binary32, unsigned exponent, unsigned fraction);
/* The exact way back. */
uint32_t numeric_widen(uint32_t bits, unsigned exponent, unsigned fraction);

uint16_t numeric_fp16(float x);
uint16_t numeric_bf16(float x);
float numeric_from_bits(uint32_t binary32);
uint32_t numeric_to_bits(float x);

/* Nearest integer, ties to even, of a value within the range of int32_t; 0 for a NaN. */
int32_t numeric_round_even(float x);

#endif
