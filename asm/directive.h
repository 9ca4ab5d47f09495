/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directives: one row each, found by name. A handler sees its row, so that
 * .byte and .8byte are one function with different sizes.
 */
#ifndef PTO_ASM_DIRECTIVE_H
#define PTO_ASM_DIRECTIVE_H

#include "asm/assembler.h"

enum { DIRECTIVE_ANY = 255 }; /* no limit of operands */

struct directive {
    const char *name;
    void (*run)(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row);
    uint8_t min, max; /* operands; a raw directive (macro arguments) has 0, 0 */
    uint16_t arg;     /* bytes of a datum, a binding … as the handler says */
};

/* Operand n counted from 0, NULL when absent or left empty (`.p2align 4,,15`). */
const struct ast_operand *asm_operand(const struct ast_stmt *stmt, unsigned n);
/* A number that must be known now; `dflt` when the operand is absent. False: reported. */
bool asm_operand_number(struct assembler *as, const struct ast_stmt *stmt, unsigned n,
                        const char *what, int64_t dflt, int64_t *number);
/* A symbol name. NULL: reported. */
const char *asm_operand_name(struct assembler *as, const struct ast_operand *operand);
/* A string operand. NULL: reported. */
const struct ast_operand *asm_operand_string(struct assembler *as, const struct ast_stmt *stmt,
                                             unsigned n);
void asm_bad_operand(struct assembler *as, const struct ast_operand *operand, const char *expected);

typedef void asm_directive_handler(struct assembler *as, const struct ast_stmt *stmt,
                                   const struct directive *row);

/* data.c */
asm_directive_handler asm_data_numbers, asm_data_floats, asm_data_strings, asm_data_skip,
    asm_data_fill, asm_data_org, asm_data_align, asm_data_leb128, asm_data_inst;

/* cond.c; arg: enum condition_test */
enum condition_test {
    TEST_NE,
    TEST_EQ,
    TEST_LT,
    TEST_LE,
    TEST_GT,
    TEST_GE,
    TEST_DEFINED,
    TEST_UNDEFINED,
    TEST_BLANK,
    TEST_NOT_BLANK,
    TEST_SAME,
    TEST_DIFFERENT
};
asm_directive_handler asm_cond_if, asm_cond_elseif, asm_cond_else, asm_cond_endif;
extern const char *const asm_cond_openers[]; /* for grammar_capture */

/* macro.c */
asm_directive_handler asm_macro_define, asm_macro_end, asm_macro_exit, asm_macro_purge,
    asm_macro_rept, asm_macro_irp, asm_macro_irpc;
extern const char *const asm_macro_openers[], *const asm_macro_closers[];
extern const char *const asm_loop_openers[], *const asm_loop_closers[];

/* include.c */
asm_directive_handler asm_include, asm_incbin;

/* line.c */
asm_directive_handler asm_line_file, asm_line_loc;

#endif
