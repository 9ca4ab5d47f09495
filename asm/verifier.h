/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of PTO-AS verification: what ptoas_verify.c and ptoas_block.c share. */
#ifndef PTO_ASM_VERIFIER_H
#define PTO_ASM_VERIFIER_H

#include "asm/lower.h"
#include "asm/verify.h"

struct definition {
    const char *name;
    const struct ast_type *types; /* one for each part; NULL: not known */
    unsigned parts;
    const struct isa_op *op;       /* NULL: an argument */
    const struct ast_type *origin; /* of its first operand, of operations without own type */
    struct loc loc;
    uint32_t block; /* number of the block, see struct region */
    size_t index;   /* in verifier.order */
    bool broken;    /* by an operation in error: a second definition is no news */
    void *shadowed; /* of the same name outside the function; NULL none */
};

/* A function, for calls. */
struct function {
    const struct ast_type *params, *results;
    unsigned nparams;
    struct loc loc;
};

struct call {
    const char *symbol;
    const struct ast_type *types;
    unsigned arguments, results;
    struct loc loc;
};

enum part { PART_BODY, PART_SECOND }; /* of an operation with two regions */

struct region {
    const struct isa_op *row; /* NULL: unknown operation */
    struct loc loc;           /* of its name */
    size_t mark;              /* names that were defined before it */
    uint8_t part;
    bool terminated;                 /* the block has its terminator */
    bool empty;                      /* nothing stands in the block yet */
    bool has_blocks;                 /* labels */
    uint32_t block;                  /* number of the current block */
    size_t blocks;                   /* of the first of its blocks in verifier.blocks */
    const struct ast_value *results; /* of the operation, defined behind its region */
    const struct ast_type *types;    /* of the results, or of a function's results */
    unsigned ntypes;
    bool types_known;
    size_t outside; /* of a function: verifier.visible around it */
};

struct block {
    const char *label; /* NULL: the first of its region */
    struct loc loc;
    size_t edges, nedges; /* its successors in verifier.edges */
};

struct edge {
    const char *label;
    struct loc loc;
};

/* A name that was not defined, or in another block, when it was used. */
struct later_use {
    const char *name;
    struct loc loc;
    uint32_t block;
    const struct definition *definition; /* NULL: none yet */
};

struct verifier {
    struct arena *arena;     /* of the function: definitions, types */
    struct arena *form;      /* of the statement */
    struct map names;        /* name -> struct definition */
    VEC(const char *) order; /* the names that are defined, oldest first */
    size_t visible;          /* of order: what stands before is outside the function */
    VEC(struct region) regions;
    VEC(struct block) blocks;
    VEC(struct edge) edges;
    VEC(struct later_use) later;
    struct map functions; /* symbol -> struct function */
    VEC(struct call) calls;
    unsigned functions_open, graphs_open; /* regions that are functions, that have labels */
    unsigned bodies;                      /* functions with a body, of the module */
    struct loc non_void; /* the last of them that returns something; file 0: none */
};

/* The region that is open; NULL: none. */
struct region *ptoas_innermost(struct verifier *v);
/* The definition of a name that is visible here, and which part of it %x#1 is. NULL: none. */
const struct definition *ptoas_find_definition(struct assembler *as, const char *name,
                                               unsigned *part);

/* ---- ptoas_block.c ---- */

/* A block of the region that is open; its number. `label` is NULL for the first. */
uint32_t ptoas_open_block(struct assembler *as, const char *label, struct loc loc);
/* The successors of a terminator, of the current block. */
void ptoas_add_edges(struct assembler *as, const struct ast_op *op);
/* At the end of a region with labels: each remembered use stands where its definition reaches on
 * every way. Reports what does not, unknown labels and labels that stand twice. */
void ptoas_check_dominance(struct assembler *as, const struct region *r);

#endif
