/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated search tables that only isa.c reads. */
#ifndef PTO_ISA_TABLES_H
#define PTO_ISA_TABLES_H

#include <stdint.h>

/* Open-addressed by fold_hash: index into isa_mnemonics + 1, 0 = empty. */
extern const uint32_t isa_mnemonic_slot_count; /* a power of two */
extern const uint16_t isa_mnemonic_slots[];

/* By relocation number: index into isa_relocs + 1, 0 = none. */
extern const uint32_t isa_reloc_slot_count;
extern const uint16_t isa_reloc_slots[];

/* Bucket n of isa_bucket_forms is [start[n], start[n + 1]); n = (length / 2 - 1) * 128 + low7. */
extern const uint16_t isa_bucket_start[];
extern const uint16_t isa_bucket_forms[];
/* By opcode byte. */
extern const uint16_t isa_seq_bucket_start[];
extern const uint16_t isa_seq_bucket_forms[];

#endif
