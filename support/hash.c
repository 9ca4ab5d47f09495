/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "support/fold.h"
#include "support/intern.h"

bool equal_folded(const char *a, size_t alen, const char *b, size_t blen)
{
    if (alen != blen)
        return false;
    for (size_t i = 0; i < alen; i++)
        if (fold_char(a[i]) != fold_char(b[i]))
            return false;
    return true;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

/* Names longer than this have no near neighbour. */
enum { LONGEST_NAME = 64 };

/* Levenshtein distance without regard to case, one row at a time. */
unsigned edit_distance(const char *a, size_t alen, const char *b, size_t blen, unsigned limit)
{
    if (alen > LONGEST_NAME || blen > LONGEST_NAME)
        return limit + 1;
    unsigned row[LONGEST_NAME + 1];
    for (unsigned j = 0; j <= blen; j++)
        row[j] = j;
    for (unsigned i = 1; i <= alen; i++) {
        unsigned diagonal = row[0], best = i;
        row[0] = i;
        for (unsigned j = 1; j <= blen; j++) {
            unsigned substitute = diagonal + (fold_char(a[i - 1]) != fold_char(b[j - 1]));
            diagonal = row[j];
            row[j] = min3(row[j] + 1, row[j - 1] + 1, substitute);
            best = best < row[j] ? best : row[j];
        }
        if (best > limit)
            return limit + 1;
    }
    return row[blen] > limit ? limit + 1 : row[blen];
}
