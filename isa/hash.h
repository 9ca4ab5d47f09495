/* SPDX-License-Identifier: BSD-3-Clause */
/* The hash of mnemonics, shared by isagen, which builds the table, and isa.c, which searches it. */
#ifndef PTO_ISA_HASH_H
#define PTO_ISA_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline char isa_to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* FNV-1a over the upper-case characters. */
static inline uint32_t isa_hash_name(const char *text, size_t len)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)isa_to_upper(text[i])) * 16777619u;
    return hash;
}

#endif
