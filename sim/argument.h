/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of the entry function, bound to arrays and numbers (docs/simulator.md). */
#ifndef PTO_SIM_ARGUMENT_H
#define PTO_SIM_ARGUMENT_H

#include "sim/sim.h"

enum { SIM_ARGUMENTS = 8 }; /* registers a0 to a7 */

struct argument {
    const char *name; /* of its register, "a0" */
    bool bound;       /* the register holds something */
    bool array;       /* `address` and `bytes` are its room in memory */
    uint64_t address;
    uint64_t bytes;
    struct npy output; /* type and shape that it is written back with; no data */
};

struct arguments {
    struct argument item[SIM_ARGUMENTS];
    uint64_t next; /* where the next array goes */
};

#endif
