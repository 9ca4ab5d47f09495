/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over rows that compilers may vectorise. Included by sim/element_*.c only. */
#ifndef PTO_SIM_ELEMENT_LOOP_H
#define PTO_SIM_ELEMENT_LOOP_H

#include "sim/element.h"

/* A destination that is also a source is the same row exactly, so no turn of the loop reads what an
 * earlier one wrote. GCC at -O2 vectorises only what needs no remainder. */
#ifdef __clang__
/* clang checks for overlap at run time; its pragma would be a warning wherever it does not
 * vectorise, as at -O1 or with the sanitizers. */
#define ELEMENT_LOOP
#else
#pragma GCC optimize("O3")
#define ELEMENT_LOOP _Pragma("GCC ivdep")
#endif

/* Functions that are compiled for wider vectors too; the loader chooses. No fused multiply-add
 * among them: results do not depend on the host. Sanitizers are not ready when the loader asks. */
#if defined __x86_64__ && defined __GLIBC__ && !defined __clang__ &&                               \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define ELEMENT_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define ELEMENT_CLONES
#endif

/* Payloads are bytes that every type may look at. */
typedef int8_t row_s8 __attribute__((may_alias));
typedef int16_t row_s16 __attribute__((may_alias));
typedef int32_t row_s32 __attribute__((may_alias));
typedef int64_t row_s64 __attribute__((may_alias));
typedef uint8_t row_u8 __attribute__((may_alias));
typedef uint16_t row_u16 __attribute__((may_alias));
typedef uint32_t row_u32 __attribute__((may_alias));
typedef uint64_t row_u64 __attribute__((may_alias));
typedef float row_f32 __attribute__((may_alias));
typedef double row_f64 __attribute__((may_alias));

#endif
