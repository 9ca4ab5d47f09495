/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The operations of PTO-AS as a table, from isa/ptoas-ops.isa: operands and
 * results with their kinds, attributes, the types that are written, regions,
 * terminators and targets. The verifier (asm/ptoas_verify.c) and the lowering
 * read it; what an operation means is not here.
 */
#ifndef PTO_ISA_OPS_H
#define PTO_ISA_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa_enum.h"

/* A kind of value: the types that it has. */
struct isa_op_kind {
    const char *name;      /* "tile" */
    const char *what;      /* "a tile" */
    const char *spellings; /* separated by blanks: `f32`, `i#` (digits), `memref<` (any parameters),
                              `*` (every type) */
};

struct isa_op_enum {
    const char *names;   /* "sync_op_type pipe_event_type" */
    const char *members; /* separated by blanks */
};

enum isa_op_attr_kind {
    ISA_OP_ATTR_ANY,
    ISA_OP_ATTR_I8,
    ISA_OP_ATTR_I32,
    ISA_OP_ATTR_I64,
    ISA_OP_ATTR_BOOL,
    ISA_OP_ATTR_STRING,
    ISA_OP_ATTR_SYMBOL,
    ISA_OP_ATTR_INTS,
    ISA_OP_ATTR_TILE_CONFIG,
    ISA_OP_ATTR_ENUM, /* + index into isa_op_enums */
};

/* Where an operand stands: bare, in ( ) or in [ ]; in ins( ), in outs( ); behind its group's name.
 */
enum isa_op_place { ISA_OP_LIST, ISA_OP_INS, ISA_OP_OUTS, ISA_OP_NAMED };

enum {
    ISA_OP_OPTIONAL = 1, /* may be missing */
    ISA_OP_VARIADIC = 2, /* any number, with OPTIONAL also none */
    ISA_OP_LITERAL = 4,  /* an attribute in the place of an operand: no value, no operand of the
                            generic form */
};

struct isa_op_value {
    const char *name;
    const char *group; /* ISA_OP_NAMED: "valid_row" of valid_row = %r */
    uint8_t place;     /* enum isa_op_place */
    uint8_t kind;      /* ISA_OP_KIND_…; of literals and attributes enum isa_op_attr_kind */
    uint8_t flags;
};

enum {
    ISA_OP_REGION = 1,     /* has a region */
    ISA_OP_MAY_REGION = 2, /* or is a declaration */
    ISA_OP_SYMBOL = 4,     /* @name */
    ISA_OP_MAY_SYMBOL = 8,
    ISA_OP_TERMINATOR = 16, /* ends a block */
    ISA_OP_FUNCTION = 32, /* its arguments are defined in its region, which sees nothing outside */
    ISA_OP_CALL = 64,     /* @name is a function */
    ISA_OP_SUCCESSORS = 128, /* names blocks */
    ISA_OP_LOOP = 256,       /* scf.for: the counter and iter_args are defined in its region */
    ISA_OP_WHILE = 512,      /* scf.while: the bound names are defined in its first region */
    ISA_OP_ELSE = 1024,      /* may have a second region behind `else` */
    ISA_OP_DO = 2048,        /* has a second region behind `do` */
    ISA_OP_DECLARES = 4096,  /* .arg, .const: what stands behind the name is defined */
};

enum { ISA_OP_A3 = 1, ISA_OP_A5 = 2 };
enum { ISA_OP_RESULT_BIT = 24 }; /* in `types` */

enum { ISA_OP_PLACES = 255 }; /* in isa_op_limit.operand */

/* The element types of an operand that is a tile, or the places between which a tile goes. */
struct isa_op_limit {
    const char *words; /* "i32 f16": i32 stands for ui32 too; "acc:mat vec:vec" */
    uint8_t targets;
    uint8_t operand; /* index; ISA_OP_PLACES */
};

struct isa_op {
    const char *name;    /* "pto.tadd" */
    const char *ends;    /* REGION: the terminator of its blocks; NULL none */
    const char *parents; /* operations in which it may stand directly, by blanks; NULL any */
    const struct isa_op_value *operands, *results, *attrs;
    /* Each type behind ':' (types_before of them) and behind '->' or 'to' (the rest) is that of the
     * operands with bit 1 << n and of the results with bit 1 << (ISA_OP_RESULT_BIT + n). */
    const uint32_t *types;
    const uint8_t *order; /* operands in the generic form, by index; NULL: as they stand */
    const struct isa_op_limit *limits;
    const uint8_t *checks; /* ISA_OP_CHECK_…: rules beyond this table */
    uint8_t noperands, nresults, nattrs, ntypes, types_before;
    uint8_t optional_types; /* bit n: types[n] may be left out */
    uint8_t nchecks, nlimits;
    uint8_t targets; /* ISA_OP_A3 | ISA_OP_A5 */
    uint16_t flags;
};

extern const struct isa_op isa_ops[]; /* ISA_OP_COUNT, sorted by name */
extern const struct isa_op_kind isa_op_kinds[];
extern const struct isa_op_enum isa_op_enums[];

/* By name; "pto." may be missing (tadd, tmov.m2l). NULL: unknown. */
const struct isa_op *isa_find_op(const char *name);
/* Index of an operand, result or attribute by name, -1 when there is none. */
int isa_op_operand(const struct isa_op *op, const char *name);
int isa_op_result(const struct isa_op *op, const char *name);
int isa_op_attr(const struct isa_op *op, const char *name);
/* Is `word` in a list that is separated by blanks? */
bool isa_op_word(const char *list, const char *word);

#endif
