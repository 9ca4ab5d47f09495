/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops and conditions on their way: what ptoas_flow.c keeps of their
 * statements, and ptoas_kept.c lowers to branches.
 */
#ifndef PTO_ASM_LOWER_FLOW_H
#define PTO_ASM_LOWER_FLOW_H

#include "asm/lower.h"

struct node {
    struct op_form form;
    bool good;                         /* verified, and with a form */
    const struct ast_value *arguments; /* of a block's label, which has no form */
    struct node *body, *otherwise;     /* `otherwise`: behind else, or do */
    struct node *next;
};

/* What a name stands for when it is yielded. */
struct meaning {
    struct tile_value *tile; /* else NULL */
    void *view;              /* of memory, else NULL: a number */
    struct scalar scalar;
};

/* False: reported. */
bool ptoas_meaning(struct assembler *as, const struct ast_value *v, struct meaning *out);
void ptoas_give_meaning(struct assembler *as, const char *name, struct loc loc,
                        const struct meaning *m);
void ptoas_define_results(struct assembler *as, const struct op_form *form,
                          const struct meaning *m);
void ptoas_lower_block(struct assembler *as, const struct node *n);
/* The meanings of the values that a block's terminator names, from operand `first` of the list on.
 * False: reported. */
bool ptoas_terminated(struct assembler *as, const struct node *block, const char *terminator,
                      unsigned count, struct meaning *out);
/* The operation that ends a block; NULL: it was refused. */
const struct op_form *ptoas_terminator(const struct node *block, const char *name);

/* A region: its names and registers are gone behind it. */
struct scope {
    size_t bindings;
    uint32_t registers;
};
struct scope ptoas_open_scope(const struct assembler *as);
void ptoas_close_scope(struct assembler *as, struct scope s);

struct loop {
    const struct node *node;
    const struct ast_value *counter;
    const char *type;
    struct scalar lower, upper, step;
    unsigned carried;
    const struct ast_value **names; /* of iter_args in the body */
    struct meaning *values;
};

/* ---- kept as branches (ptoas_kept.c) ---- */

bool ptoas_may_keep(struct assembler *as, const struct node *n, const char *why);
void ptoas_keep_for(struct assembler *as, struct loop *l, bool guarded);
void ptoas_keep_if(struct assembler *as, const struct node *n, const struct scalar *condition);
void ptoas_keep_while(struct assembler *as, const struct node *n);

#endif
