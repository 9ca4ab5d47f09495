/* SPDX-License-Identifier: BSD-3-Clause */
/* System registers by address (asl/scalar/model/sys/registers.asl, arch/system-registers). */
#ifndef PTO_SIM_SYSREG_H
#define PTO_SIM_SYSREG_H

#include "sim/pe.h"

/* The row of a 24-bit address, banked by ring for the 0xfxx registers; NULL: none. */
const struct isa_sysreg *sysreg_find(uint64_t address);
/* "CORE_STATE", "EVBASE_ACR1": the 24-bit address. False: no such register. */
bool sysreg_address(const char *name, uint64_t *address);
/* Does the ring of this PE have the access? */
bool sysreg_readable(const struct pe *pe, uint64_t address);
bool sysreg_writable(const struct pe *pe, uint64_t address);
/* Makes an interrupt (0..63) of a ring pending. Is it enabled there? */
bool sysreg_pend(struct pe *pe, unsigned ring, unsigned id);
/* For a permitted access. */
uint64_t sysreg_read(struct pe *pe, uint64_t address);
void sysreg_write(struct pe *pe, uint64_t address, uint64_t value);

#endif
