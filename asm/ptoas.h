/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PTO-AS lowering: operations become bundles. The assembler hands over every
 * PTO-AS statement in source order; instructions come back through
 * asm_emit_insn, so that hand-written and lowered bundles meet the same checks.
 */
#ifndef PTO_ASM_PTOAS_H
#define PTO_ASM_PTOAS_H

#include "asm/assembler.h"

/* AST_OP, AST_REGION_ELSE, AST_REGION_BLOCK and AST_REGION_END. Errors are reported. */
void asm_ptoas_statement(struct assembler *as, const struct ast_stmt *stmt);

/* What stands in a loop or condition that is kept until its end can only be PTO-AS: false,
 * reported. */
bool asm_ptoas_allows(struct assembler *as, const struct ast_stmt *stmt);

/* Every instruction, hand-written or lowered: counts published tiles and branches. */
void asm_ptoas_note(struct assembler *as, const struct isa_insn *insn);

/* Behind the last statement of the file, before fixups are applied. */
void asm_ptoas_finish(struct assembler *as);
/* Releases what a run holds. */
void asm_ptoas_end(struct assembler *as);

#endif
