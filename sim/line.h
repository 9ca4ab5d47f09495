/* SPDX-License-Identifier: BSD-3-Clause */
/* One line from the terminal, with editing and history where configure found a library for it. */
#ifndef PTO_SIM_LINE_H
#define PTO_SIM_LINE_H

#include "support/mem.h"

/* Puts the line without its newline into `out`, NUL-terminated. False: end of input. */
bool line_read(const char *prompt, struct buffer *out);

#endif
