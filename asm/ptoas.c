/* SPDX-License-Identifier: BSD-3-Clause */
/* PTO-AS operations of this assembler: none are lowered. */
#include "asm/ptoas.h"

void asm_ptoas_statement(struct assembler *as, const struct ast_stmt *stmt)
{
    if (stmt->kind == AST_OP)
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, stmt->loc,
                    "PTO-AS operation '%s' is not supported", stmt->op->name);
}

void asm_ptoas_finish(struct assembler *as)
{
    (void)as;
}
