/* SPDX-License-Identifier: BSD-3-Clause */
/* --trace: one line an instruction. Does nothing when options.trace is NULL. */
#ifndef PTO_SIM_TRACE_H
#define PTO_SIM_TRACE_H

#include "sim/pe.h"

void trace_create(struct sim *s);
void trace_destroy(struct sim *s);
void trace_before(struct pe *pe, const struct op *op);
void trace_after(struct pe *pe, const struct op *op, enum exec_status status);
/* An engine has executed the record at `pc`; its registers before and after. */
void trace_record(struct sim *s, const char *engine, uint64_t pc, const uint32_t *before,
                  const uint32_t *after, unsigned count);
/* Guest memory is about to be written. */
void trace_write(struct sim *s, uint64_t address, const void *data, size_t size);
/* The operation of a bundle has run for the PEs of b->ready. */
void trace_bundle(struct sim *s, const struct bundle *b);

#endif
