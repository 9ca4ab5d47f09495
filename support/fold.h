/* SPDX-License-Identifier: BSD-3-Clause */
/* Text without regard to case (ASCII). isagen builds hash tables with it, so it stands alone. */
#ifndef PTO_SUPPORT_FOLD_H
#define PTO_SUPPORT_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline char fold_char(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* FNV-1a over the upper-case characters. */
static inline uint32_t fold_hash(const char *text, size_t len)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)fold_char(text[i])) * 16777619u;
    return hash;
}

/* True when the NUL-terminated `name` is `text`. */
static inline bool fold_equal_z(const char *name, const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && name[i] && fold_char(name[i]) == fold_char(text[i]))
        i++;
    return i == len && name[i] == '\0';
}

#endif
