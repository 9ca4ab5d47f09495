/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decimal numbers whose point is a point, whatever locale the host program
 * has chosen. Threads do not disturb each other.
 */
#ifndef PTO_SUPPORT_DECIMAL_H
#define PTO_SUPPORT_DECIMAL_H

#include <stddef.h>

/* strtof and strtod in the C locale; `end` may be NULL. */
float decimal_to_float(const char *text, char **end);
double decimal_to_double(const char *text, char **end);
/* As printf's "%.<digits>g" in the C locale. */
void decimal_print(char *text, size_t size, int digits, double value);

#endif
