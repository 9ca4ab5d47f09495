/* SPDX-License-Identifier: BSD-3-Clause */
/* Between what is known of a bundle (bundle.c) and what must hold (bundle_rule.c). */
#ifndef PTO_ASM_BUNDLE_H
#define PTO_ASM_BUNDLE_H

#include "asm/assembler.h"

struct bundle_line { /* one header command */
    enum bundle_command kind;
    const struct isa_insn *insn;
    struct loc loc;
};

/* B.SUBVIEW and B.ASSEMBLE (0.58.5) narrow a tile of the binding before them. */
enum asm_range_role { ASM_RANGE_SOURCE0, ASM_RANGE_SOURCE1, ASM_RANGE_DESTINATION };
bool asm_bundle_is_modifier(const struct bundle_line *line);
unsigned asm_bundle_range_role(const struct bundle_line *line);

enum { ASM_DATR_FIELDS = 7 };

struct datr_field {
    uint16_t field; /* ISA_FIELD_… */
    uint16_t bit;   /* ISA_DATR_… */
};
extern const struct datr_field asm_datr_fields[ASM_DATR_FIELDS];

const char *asm_bundle_name(const struct bundle *b);
/* A note at the bundle's first line. */
void asm_bundle_note(struct assembler *as, const struct bundle *b);

/* False: the command is wrong here (reported) and is not counted. */
bool asm_bundle_header_rules(struct assembler *as, const struct bundle *b,
                             const struct bundle_line *line);
/* `complete`: every line of the bundle was understood, so what is missing is missing. */
void asm_bundle_stop_rules(struct assembler *as, struct bundle *b, struct loc stop, bool complete);

/* The rules of a complete CUBE bundle (bundle_matrix.c); other operations have none of them. */
void asm_bundle_matrix_rules(struct assembler *as, struct bundle *b, struct loc stop);

/* ---- of bundle_rule.c ---- */

unsigned asm_bundle_local_sources(const struct bundle *b);
unsigned asm_bundle_destinations(const struct bundle *b);
/* B.IOR names registers beyond the `taken` ones that the operation consumes. */
void asm_bundle_surplus_rule(struct assembler *as, const struct bundle *b, unsigned taken);
/* A reader's list of the types in a set: "FP16, BF16". */
void asm_bundle_list_types(uint32_t set, struct buffer *out);

#endif
