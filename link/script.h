/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linker scripts as a tree (-T; --defsym is one assignment of the same language). script.c reads
 * them, match.c finds the inputs of their patterns, expr.c computes, place.c gives addresses.
 * Everything lives in the arena of the link.
 */
#ifndef PTO_LINK_SCRIPT_H
#define PTO_LINK_SCRIPT_H

#include "link/link.h"

struct linker;
struct link_symbol;
struct out_section;
struct piece;

/* ---- expressions ---- */

enum expr_kind {
    EXPR_NUMBER,
    EXPR_NAME,
    EXPR_DOT,
    EXPR_UNARY,
    EXPR_BINARY,
    EXPR_CHOICE,
    EXPR_CALL
};

enum expr_op {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_SHL,
    OP_SHR,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_LAND,
    OP_LOR,
    OP_NEG,
    OP_NOT,
    OP_INVERT,
    OP_NONE /* `=` among the assignment operators */
};

enum expr_call {
    CALL_ABSOLUTE,
    CALL_ADDR,
    CALL_ALIGN, /* of `.` with one argument */
    CALL_ALIGNOF,
    CALL_ASSERT,
    CALL_CONSTANT,
    CALL_DEFINED,
    CALL_LENGTH,
    CALL_LOADADDR,
    CALL_LOG2CEIL,
    CALL_MAX,
    CALL_MIN,
    CALL_ORIGIN,
    CALL_RELRO_END,     /* DATA_SEGMENT_RELRO_END */
    CALL_SEGMENT_ALIGN, /* DATA_SEGMENT_ALIGN */
    CALL_SEGMENT_START,
    CALL_SIZEOF
};

struct expr {
    uint8_t kind;
    uint8_t op;     /* enum expr_op or enum expr_call */
    uint16_t depth; /* of the tree below */
    struct loc loc;
    uint64_t number;
    const char *name; /* symbol; section, region or text that a call names */
    const struct expr *arg[3];
};

/* ---- statements ---- */

enum statement_kind {
    STATEMENT_ASSIGN,
    STATEMENT_ASSERT,
    STATEMENT_SECTION,
    STATEMENT_INPUT,
    STATEMENT_DATA,
    STATEMENT_FILL
};

struct assignment {
    const char *name; /* "." is the location counter */
    const struct expr *value;
    bool provide, hidden;
    bool active;                /* PROVIDE: somebody needs it */
    struct link_symbol *symbol; /* NULL for "." */
};

enum sort_kind { SORT_NOTHING, SORT_NAME, SORT_ALIGNMENT, SORT_PRIORITY };

struct name_node {
    struct name_node *next;
    const char *name;
};
struct name_list {
    struct name_node *first, *last;
};

/* One name pattern of an input section description. */
struct pattern {
    struct pattern *next;
    const char *name;
    uint8_t sort, then;       /* enum sort_kind; `then` orders what `sort` leaves equal */
    struct name_list exclude; /* files */
};

/* Input sections that stand together: those of one or more patterns in the order of the inputs, or
 * those of one sorted pattern. */
struct input_rule {
    const char *file; /* pattern */
    bool sort_files;
    bool keep;
    struct name_list exclude; /* files */
    struct pattern *patterns, *last;
    struct section_rule *section; /* that it stands in */
    struct piece **pieces;        /* match.c, in the order of the result */
    size_t npieces;
};

struct statement {
    struct statement *next;
    uint8_t kind;
    uint8_t size; /* DATA: bytes */
    struct loc loc;
    union {
        struct assignment assign;
        const struct expr *value; /* ASSERT, DATA, FILL */
        struct section_rule *section;
        struct input_rule *input;
    };
    uint64_t offset, number; /* DATA and FILL, by place.c: where in the section, and the value */
};

struct statement_list {
    struct statement *first, *last;
};

struct fill {
    uint8_t *bytes; /* NULL: zeros */
    size_t size;
};

struct section_rule {
    const char *name;
    struct loc loc;
    const struct expr *address, *load, *align, *subalign; /* NULL: none */
    const char *region, *load_region;                     /* NULL: none */
    bool noload, discard;
    bool unallocated; /* INFO and its kin: takes no memory */
    const struct expr *fill_value;
    struct fill fill;
    struct statement_list body;
    struct section_rule *next;
    uint64_t flags; /* of the inputs that match */
    bool has_contents;
    struct out_section *out; /* NULL: /DISCARD/ */
};

struct region {
    struct region *next;
    const char *name;
    struct loc loc;
    const struct expr *origin, *length;
    uint64_t with, without; /* section flags (and SCRIPT_READONLY) of the attributes: `rx`, `!w` */
    /* place.c */
    uint64_t start, size, dot;
    uint64_t delta;                         /* load address - address of what was placed last */
    const struct section_rule *overflowing; /* the first that does not fit; NULL: none */
};

/* What `r` among the attributes of a region asks for: no OBJ_WRITE. */
#define SCRIPT_READONLY (UINT64_C(1) << 63)

struct script {
    bool has_sections; /* SECTIONS was seen: it decides the layout */
    const char *entry;
    struct statement_list statements;
    struct region *regions, *last_region;
    struct region_alias *aliases;
    struct name_list externs;
    struct section_rule *sections, *last_section;
};

/* REGION_ALIAS */
struct region_alias {
    struct region_alias *next;
    const char *name;
    struct region *region;
};

/* Reads options->script and options->defsyms; errors are left in l->diag. */
void script_read(struct linker *l);
struct region *script_find_region(const struct script *script, const char *name); /* or NULL */

/* ---- patterns (match.c) ---- */

bool script_glob(const char *pattern, const char *name); /* with * ? [a-z] [!a] and \ */
/* Notes which rule each input section of a unit belongs to; those of /DISCARD/ are discarded. */
struct unit;
void script_match_unit(struct linker *l, struct unit *u);
/* Lists the live input sections of all rules in order, and rules for what no rule matched. */
void script_collect(struct linker *l);

/* ---- addresses (place.c) ---- */

/* Of all sections by the script, and the values of its symbols and of --defsym. */
void script_place(struct linker *l);
/* Symbols of --defsym when there is no script: addresses are final. */
void script_define(struct linker *l);
/* Gaps and data statements of a section's contents. */
void script_fill(struct linker *l, const struct section_rule *rule, uint8_t *contents);

/* ---- values (expr.c) ---- */

enum value_kind {
    VALUE_NUMBER,
    VALUE_ABSOLUTE, /* an address */
    VALUE_RELATIVE, /* an address: a distance from the start of a section */
    VALUE_WRONG     /* reported */
};

struct value {
    uint8_t kind;
    bool distance; /* a NUMBER that came from two addresses: never counted from a section */
    uint64_t number;
    struct out_section *section; /* RELATIVE */
};

struct placing {
    struct linker *linker;
    bool report;                        /* the last round: errors are meant */
    unsigned round;                     /* from 1 */
    uint64_t digest;                    /* of the round's values so far */
    struct out_section *in;             /* whose body is placed, or NULL */
    uint64_t dot;                       /* an address */
    const struct link_symbol *assigned; /* by the statement that is evaluated, or NULL */
};

struct value expr_value(struct placing *p, const struct expr *e);
uint64_t expr_address(const struct value *v); /* as an address or number */
/* As a number; `otherwise` when it is NULL or wrong. */
uint64_t expr_number(struct placing *p, const struct expr *e, uint64_t otherwise);
/* Calls back for each symbol that the expression may need. */
void expr_walk_names(const struct expr *e, void (*visit)(void *ctx, const char *name), void *ctx);

#endif
