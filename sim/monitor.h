/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pto-sim --debug: a monitor that runs a program piece by piece
 * (docs/simulator.md lists its commands). Part of the program, not of libpto.
 */
#ifndef PTO_SIM_MONITOR_H
#define PTO_SIM_MONITOR_H

#include "sim/sim.h"

/* Takes commands from `script`, or from standard input when it is NULL, until they end. Nothing of
 * the program has run before. Wrong commands are reported; the first one ends a script. *end is how
 * far the program got: SIM_PAUSED when it had not ended. False: a command was wrong (and did not
 * come from a terminal), or the script cannot be read. The arena must outlive the diag. */
bool monitor_run(struct sim *s, struct arena *a, struct diag *d, const char *script,
                 enum sim_end *end);

#endif
