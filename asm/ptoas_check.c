/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of PTO-AS operations that concern several operands or a whole type:
 * the checks that isa/ptoas-ops.isa names, one function each.
 */
#include "asm/verify.h"

bool ptoas_check(struct assembler *as, const struct op_form *form)
{
    (void)as;
    (void)form;
    return true;
}
