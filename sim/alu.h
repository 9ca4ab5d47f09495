/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer arithmetic that the dispatch loop and exec_alu.c share. */
#ifndef PTO_SIM_ALU_H
#define PTO_SIM_ALU_H

#include <stdint.h>

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

static inline uint64_t sext32(uint64_t value)
{
    return (uint64_t)(int64_t)(int32_t)value;
}

/* Signed division that wraps for the one quotient that does not fit. */
static inline uint64_t alu_quotient(uint64_t a, uint64_t b)
{
    if (b == 0)
        return 0;
    return b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
}

#define ALU(name, value)                                                                           \
    static inline uint64_t alu_##name(uint64_t a, uint64_t b)                                      \
    {                                                                                              \
        return value;                                                                              \
    }
#include "sim/alu.def"
#undef ALU

#endif
