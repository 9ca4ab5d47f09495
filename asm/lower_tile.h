/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One bundle of a tile operation on its way (ptoas_lower.def): ptoas_tile.c
 * takes the operands, ptoas_rule.c judges them, ptoas_word.c writes them.
 */
#ifndef PTO_ASM_LOWER_TILE_H
#define PTO_ASM_LOWER_TILE_H

#include "asm/lower.h"

enum shape_rule {
    RULE_ALIKE,          /* all have the destination's shape and type */
    RULE_COMPARE,        /* the destination holds predicates of the sources' shape */
    RULE_SELECT,         /* the first source holds predicates */
    RULE_CONVERT,        /* another type */
    RULE_REDUCE_ROWS,    /* the destination is one column */
    RULE_REDUCE_COLUMNS, /* one row */
    RULE_INDEX_ROWS,     /* one column of U32 */
    RULE_INDEX_COLUMNS,  /* one row of U32 */
    RULE_EXPAND_COLUMN,  /* the last source is one column */
    RULE_EXPAND_ROW,     /* one row */
    RULE_TRANSPOSE,
    RULE_SIGNED,     /* indexes of U32 become S32 where the destination says so */
    RULE_CONCAT,     /* columns add up */
    RULE_EXTRACT,    /* a window of the source */
    RULE_INSERT,     /* the first source is the destination's old value */
    RULE_FILL,       /* the destination goes on with its pad value */
    RULE_PICK,       /* columns, the last source holds row numbers */
    RULE_UNION,      /* one of the sources is as large as the destination */
    RULE_SEQUENCE,   /* one row, from a number on */
    RULE_TRIANGLE,   /* of ones, from a diagonal on */
    RULE_HISTOGRAM,  /* the last source holds bytes that filter */
    RULE_QUANTISE,   /* FP32 to S8 or U8, multiplied by one */
    RULE_DEQUANTISE, /* back */
};

struct tile_rule {
    const char *op;
    uint16_t tileop;
    const char *sources, *scalars; /* operand names */
    uint8_t rule;
};

enum { MOST_SOURCES = 3, MOST_SCALARS = 3 };

struct tile_lowering {
    const struct op_form *form;
    const struct tile_rule *rule;
    const struct isa_tileop *op;
    struct loc loc;
    bool last; /* it makes the destination */
    const struct tile_value *source[MOST_SOURCES];
    unsigned nsources;
    uint64_t scalar[MOST_SCALARS];
    unsigned nscalars;
    const struct op_operand *destination;
    struct tile_type to, written; /* what is computed, what the destination is declared as */
    struct tile_shape shape;      /* of the destination */
    unsigned dtype;               /* of BSTART */
};

/* Reports why the operation is not lowered; false. */
bool ptoas_refuse_tile(struct assembler *as, const struct tile_lowering *t, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

bool ptoas_is_column(const struct tile_type *t);
unsigned ptoas_dtype_bits(unsigned dtype);
bool ptoas_dtype_is_float(unsigned dtype);

/* Do the operands satisfy the rule? False: reported. */
bool ptoas_check_rule(struct assembler *as, const struct tile_lowering *t);
bool ptoas_rule_is_index(const struct tile_lowering *t);
/* The type of BSTART. */
unsigned ptoas_rule_start_type(const struct tile_lowering *t);
/* May the destination have another type than the sources? */
bool ptoas_rule_may_differ(const struct tile_lowering *t);

/* The words of the bundle. */
void ptoas_emit_tile(struct assembler *as, const struct tile_lowering *t);

#endif
