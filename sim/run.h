/* SPDX-License-Identifier: BSD-3-Clause */
/* Running PEs: the dispatch loop and the turn of each PE. */
#ifndef PTO_SIM_RUN_H
#define PTO_SIM_RUN_H

#include "sim/pe.h"

enum turn {
    TURN_OVER,    /* the budget is used up, or the watch paused the run */
    TURN_STOPPED, /* pe->state says why */
    TURN_FAULT,   /* sim->fault is set, pe->pc is its instruction; no trap was taken */
    TURN_NOWHERE, /* pe->pc is not executable (vectors README 5.3); nothing recorded */
};

/* Runs at most *budget instructions of a PE and subtracts those that ran, a faulting one
 * included. */
enum turn pe_turn(struct pe *pe, uint64_t *budget);

#endif
