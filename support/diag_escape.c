/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/diag_print.h"

/* Length of a well-formed sequence by its first byte, and the limits of its second byte, which
 * rule out overlong forms, surrogates and what lies beyond U+10FFFF (Unicode table 3-7). */
static const struct {
    unsigned char first, last, length, second_min, second_max;
} sequences[] = {
    {0x20, 0x7e, 1, 0, 0},       {'\t', '\t', 1, 0, 0},       {0xc2, 0xc2, 2, 0xa0, 0xbf},
    {0xc3, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
    {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf}, {0xf0, 0xf0, 4, 0x90, 0xbf},
    {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

static bool well_formed(const unsigned char *p, size_t length, unsigned min, unsigned max)
{
    if (length > 1 && (p[1] < min || p[1] > max))
        return false;
    for (size_t i = 2; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* U+0080 to U+009F are control characters too, so 0xc2 begins at 0xa0. */
size_t diag_printable(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        size_t length = sequences[i].length;
        if (p[0] >= sequences[i].first && p[0] <= sequences[i].last)
            return length <= len &&
                           well_formed(p, length, sequences[i].second_min, sequences[i].second_max)
                       ? length
                       : 0;
    }
    return 0;
}

void diag_put_escaped(FILE *out, const char *text, size_t len)
{
    while (len > 0) {
        size_t n = diag_printable(text, len);
        if (n == 0) {
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*text);
            n = 1;
        } else {
            fwrite(text, 1, n, out);
        }
        text += n;
        len -= n;
    }
}
