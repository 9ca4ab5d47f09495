/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verification of PTO-AS (asm/ptoas_form.c, ptoas_verify.c, ptoas_check.c): an
 * operation against its row of isa/ptoas-ops.isa, names against their
 * definitions, regions against what they need, and the rules that concern
 * several operands. Statement by statement, in source order, before lowering.
 */
#ifndef PTO_ASM_VERIFY_H
#define PTO_ASM_VERIFY_H

#include "asm/assembler.h"
#include "isa/ops.h"

/* ---- an operation by its row ---- */

struct op_operand {
    const struct ast_value *value; /* of %i = %lower: %lower */
    const struct ast_type *type;   /* as written, else of the definition; NULL: not known */
    uint8_t index;                 /* into row->operands */
    bool written;                  /* the type stands in this statement */
    bool result;                   /* OP_STYLE_RESULT: a destination, written as a result */
};

struct op_result {
    const struct ast_value *value;
    const struct ast_type *type; /* NULL: not known */
};

/* How the operands of an operation with ins( ) and outs( ) were written. */
enum op_style {
    OP_STYLE_TABLE,   /* as the row has it */
    OP_STYLE_RESULT,  /* %d = pto.tadd %a, %b : T, T -> T: the result is the destination */
    OP_STYLE_GENERIC, /* "pto.tadd"(%a, %b, %d) : (T, T, T) -> () */
    OP_STYLE_DESTINATION_FIRST, /* tadd %d, %a, %b : (T, T, T) */
};

struct op_form {
    const struct ast_stmt *stmt;
    const struct isa_op *row;
    enum op_style style;
    struct op_operand *operands; /* with the literals; in the order of the text */
    unsigned noperands;
    /* One for each name of the result list and part of it (%a:2); RESULT: those are no results of
     * the row but its outs operands. */
    struct op_result *results;
    unsigned nresults;
    const struct ast_attr **attrs; /* all of them, wherever they stood */
    unsigned nattrs;
};

/* Sorts the parts of an operation by its row. What is missing, surplus, in a wrong place or of the
 * wrong kind is reported: false. The form lives in `a`; types that only a definition tells are
 * looked up with ptoas_type_of. */
bool ptoas_form(struct assembler *as, struct arena *a, const struct ast_stmt *stmt,
                struct op_form *form);
/* The operand of a name (the n-th when there are several); NULL: not there. */
const struct op_operand *ptoas_operand(const struct op_form *form, const char *name, unsigned n);
unsigned ptoas_operand_count(const struct op_form *form, const char *name);
const struct ast_attr *ptoas_attr(const struct op_form *form, const char *name);
/* The member that an attribute names ("normal_relu"), NULL when it is not there. */
const char *ptoas_attr_member(const struct op_form *form, const char *name);
/* A boolean attribute (true, false, or a number); `otherwise` when it is not there. */
bool ptoas_flag(const struct op_form *form, const char *name, bool otherwise);

/* The attributes and literal operands of a form. */
bool ptoas_check_attributes(struct assembler *as, const struct op_form *form);

/* Do a type and a kind of isa_op_kinds agree? */
bool ptoas_type_is(const struct ast_type *type, unsigned kind);
/* The same type, whatever the spelling? `left` tiles follow the target. */
bool ptoas_types_agree(const struct assembler *as, const struct ast_type *a,
                       const struct ast_type *b);

/* ---- names and regions ---- */

/* Verifies one statement (AST_OP, AST_REGION_…) and remembers what it defines. False: reported;
 * `form` is set when true for AST_OP. */
bool ptoas_verify(struct assembler *as, const struct ast_stmt *stmt, struct op_form *form);
/* Behind the last statement: calls of functions that do not exist. */
void ptoas_verify_end(struct assembler *as);
/* Releases what verification holds. */
void ptoas_verify_free(struct assembler *as);
/* The type of a name that is visible here; NULL: none, or not known. */
const struct ast_type *ptoas_type_of(struct assembler *as, const char *name);
/* The type of the first operand of the operation that defines a name; NULL: none, or not known. */
const struct ast_type *ptoas_origin_of(struct assembler *as, const char *name);
/* For what lives as long as a statement's verification. */
struct arena *ptoas_statement_arena(struct assembler *as);
/* The row of the operation that defines a name, NULL: an argument or none. */
const struct isa_op *ptoas_defined_by(struct assembler *as, const char *name);

/* ---- rules of operations ---- */

/* The checks that the row names, and tile types. False: reported. */
bool ptoas_check(struct assembler *as, const struct op_form *form);

#endif
