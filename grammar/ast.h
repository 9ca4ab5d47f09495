/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a source file says, statement by statement, before anyone knows what it
 * means. All nodes live in the parser's statement arena and are valid only
 * during the statement callback; keep what must live longer with ast_copy_*.
 * Names are interned. Every node has its source range.
 */
#ifndef PTO_GRAMMAR_AST_H
#define PTO_GRAMMAR_AST_H

#include "support/support.h"

/* ---- expressions ---- */

enum ast_expr_op {
    AST_NUMBER,    /* number; `text` is how it was written ("0101", "0x10", "'c'") */
    AST_FLOAT,     /* real, `text` as written */
    AST_NAME,      /* identifier: symbol, register, enumeration member, flag. Dots belong to it
                      (a0.neg, BR.likely, PC.LO); `t#1`, `S#0`, `sp!` are names too */
    AST_QUOTED,    /* "name": a symbol even when it is spelled like a register */
    AST_INDEX,     /* a[b]: R[3], a = left, b = right */
    AST_DOT,       /* . */
    AST_LOCAL,     /* 1b, 1f: number, `forward` */
    AST_TPCREL_HI, /* %tpcrel_hi(left) */
    AST_TPCREL_LO,
    AST_NEG,
    AST_NOT /* ~ */,
    AST_LNOT /* ! */,
    AST_PLUS,
    AST_MUL,
    AST_DIV,
    AST_MOD,
    AST_ADD,
    AST_SUB,
    AST_SHL,
    AST_SHR,
    AST_LT,
    AST_LE,
    AST_GT,
    AST_GE,
    AST_EQ,
    AST_NE,
    AST_AND,
    AST_XOR,
    AST_OR,
    AST_LAND,
    AST_LOR,
    AST_COND, /* left ? right : third */
};

struct ast_expr {
    uint8_t op; /* enum ast_expr_op */
    bool forward;
    bool parenthesised;
    uint16_t depth; /* of the tree, at most 1000: who walks it may recurse */
    struct loc loc;
    union {
        int64_t number; /* AST_NUMBER (two's complement of the 64 bits), AST_LOCAL; AST_QUOTED: its
                           size in bytes, as it may hold NUL */
        double real;
    };
    const char *text; /* AST_NUMBER, AST_FLOAT: spelling; AST_NAME, AST_QUOTED: the name */
    struct ast_expr *left, *right, *third;
};

/* ---- operands of machine instructions (PTO and SEQ) and directives ---- */

enum ast_operand_kind {
    AST_OPERAND_EXPR,   /* expr */
    AST_OPERAND_STRING, /* "…" after escapes: text, size (directives; an AST_QUOTED name elsewhere)
                         */
    AST_OPERAND_BRACKET, /* [ list ] */
    AST_OPERAND_BRACE,   /* { list } */
    AST_OPERAND_RANGE,   /* expr ~ expr2 */
    AST_OPERAND_DEST,    /* -> expr [ <size> ] */
    AST_OPERAND_ASSIGN,  /* name = expr: key=value, mask=0101, R3 = 1, LB0=16 */
    AST_OPERAND_WAIT,    /* $S[index] REL value  ($E[index] for events) */
    AST_OPERAND_UPDATE,  /* $S[index]++ / -- / += / -= / = value, @read (default) | @complete */
    AST_OPERAND_TYPED,   /* @progbits, %function: text */
};

enum ast_relation { AST_REL_EQ, AST_REL_NE, AST_REL_LT, AST_REL_LE, AST_REL_GT, AST_REL_GE };
enum ast_update { AST_UPDATE_INC, AST_UPDATE_DEC, AST_UPDATE_ADD, AST_UPDATE_SUB, AST_UPDATE_SET };

struct ast_operand {
    uint8_t kind;     /* enum ast_operand_kind */
    uint8_t relation; /* WAIT: enum ast_relation; UPDATE: enum ast_update */
    bool complete;    /* UPDATE: @complete */
    bool event;       /* WAIT, UPDATE: $E instead of $S. $E[3] waits until it is set (EQ), !$E[3]
                         until it is clear (NE), both without value; UPDATE: SET to 1 or 0 */
    bool flip;        /* WAIT on an event: change it when the wait ends: $E[3]@clear, !$E[3]@set */
    bool comma;       /* a comma stood before it (SEQ allows blanks instead) */
    struct loc loc;
    const char *text;         /* ASSIGN: key; STRING; TYPED; interned except STRING */
    size_t size;              /* STRING: bytes */
    struct loc key_loc;       /* ASSIGN */
    struct ast_expr *expr;    /* EXPR (NULL: left out, `.p2align 4,,15`), RANGE first, DEST, ASSIGN
                                 value, WAIT/UPDATE index */
    struct ast_expr *expr2;   /* RANGE last, DEST size (NULL none), WAIT/UPDATE value (NULL none) */
    struct ast_operand *list; /* BRACKET, BRACE: first child */
    struct ast_operand *next;
};

/* ---- PTO-AS ---- */

enum ast_type_kind {
    AST_TYPE_OPAQUE,   /* scalar or any other type; text = canonical spelling without blanks */
    AST_TYPE_TILE,     /* !pto.tile<…> */
    AST_TYPE_TILE_BUF, /* !pto.tile_buf<…>, and `<loc=…>` with the prefix left out */
    AST_TYPE_TENSOR_VIEW,
    AST_TYPE_PARTITION_VIEW,
    AST_TYPE_PTR,
    AST_TYPE_MEMREF,
    AST_TYPE_VECTOR,
    AST_TYPE_FUNCTION,    /* (inputs) -> (results): params, results */
    AST_TYPE_PLACEHOLDER, /* `<...>` as documentation writes it: a type error for every user */
};

enum { AST_DYNAMIC = -1 }; /* `?` or -1 as an extent */

/* Parts of a tile type. A part that was not written has its bit clear in `written`. */
enum {
    AST_TILE_LOC = 1,
    AST_TILE_DTYPE = 2,
    AST_TILE_ROWS = 4,
    AST_TILE_COLS = 8,
    AST_TILE_VROW = 16,
    AST_TILE_VCOL = 32,
    AST_TILE_BLAYOUT = 64,
    AST_TILE_SLAYOUT = 128,
    AST_TILE_FRACTAL = 256,
    AST_TILE_PAD = 512,
    AST_TILE_COMPACT = 1024,
};

struct ast_type {
    uint8_t kind; /* enum ast_type_kind */
    struct loc loc;
    const char *text;  /* as written, needless blanks and comments removed, interned */
    const char *alias; /* "!name" when an alias stood for it, else NULL */
    bool bare;         /* the prefix was left out: <loc=vec, …>, <f32> */
    /* tiles */
    unsigned written;
    const char *location;             /* "vec", "mat", "left", … lower case */
    const char *dtype;                /* "f16", "bf16", "ui8", "f8E4M3FN" … as written */
    int64_t rows, cols, v_row, v_col; /* AST_DYNAMIC; v_* = rows/cols when not written */
    const char *blayout, *slayout; /* "row_major", "col_major", "none_box" (aliases normalised) */
    int64_t fractal, pad, compact;
    /* shaped types other than tiles */
    unsigned rank;
    const int64_t *shape;
    const struct ast_type *element;
    /* function types */
    struct ast_type *params, *results;
    bool with_attrs; /* a dictionary stood behind it: -> (T {a = 1}, U) */
    struct ast_attr *attrs;
    struct ast_type *next;
};

enum ast_attr_kind {
    AST_ATTR_UNIT,
    AST_ATTR_INT,
    AST_ATTR_FLOAT,
    AST_ATTR_STRING,
    AST_ATTR_SYMBOL /* @f */,
    AST_ATTR_ENUM /* #pto<name value>, #pto.name<value>, bare word */,
    AST_ATTR_TYPE,
    AST_ATTR_ARRAY,
    AST_ATTR_DICT,
    AST_ATTR_RAW
};

struct ast_attr {
    uint8_t kind;
    struct loc loc;
    const char *key;      /* NULL inside arrays */
    const char *text;     /* STRING, SYMBOL, RAW; ENUM: the value ("normal_relu") */
    const char *name;     /* ENUM: the enumeration ("relu_pre_mode"), NULL for a bare word */
    const char *spelling; /* as written without needless blanks; NULL for lists, units, types */
    const char *alias;    /* "#name" when an alias stood for it, else NULL */
    int64_t number;
    double real;
    struct ast_type *type;   /* TYPE, or the `: type` of a number */
    struct ast_type *suffix; /* the `: type` behind any value; NULL none */
    struct ast_attr *list;   /* ARRAY, DICT */
    struct ast_attr *next;
};

enum ast_value_kind {
    AST_VALUE_SSA /* %x */,
    AST_VALUE_INT,
    AST_VALUE_FLOAT,
    AST_VALUE_SYMBOL /* @f */,
    AST_VALUE_WORD /* bare identifier */,
    AST_VALUE_ATTR,
    AST_VALUE_CALL /* ident(list) */,
    AST_VALUE_LIST /* [list] */
};

struct ast_value {
    uint8_t kind; /* enum ast_value_kind */
    struct loc loc;
    const char *name;     /* SSA without '%', with '#n' for a part of a multi-result */
    const char *spelling; /* INT, FLOAT: as written */
    int64_t number;
    double real;
    unsigned parts; /* result `%a:2`: 2, else 1 */
    struct ast_type
        *type; /* after re-association of grouped type lists; NULL when none was written */
    /* The type list written behind this value, for the values since the list before; NULL none. */
    struct ast_type *run_types;
    struct ast_attr *attr;     /* ATTR; SSA: the dictionary behind it */
    bool attr_behind_type;     /* it stood behind the type */
    struct ast_attr *modifier; /* %x!loc=vec: the attribute loc */
    const char *key;           /* key = value, NULL none */
    struct ast_value *index;   /* %x[%i, %j] */
    struct ast_value *bound;   /* %x = value, in iter_args and scf.for */
    struct ast_value *list;    /* CALL, LIST */
    struct ast_value *next;
};

enum ast_group_kind {
    AST_GROUP_INS,
    AST_GROUP_OUTS,
    AST_GROUP_PLAIN,
    AST_GROUP_NAMED /* sizes = […] … */
};

enum ast_group_form {
    AST_FORM_BARE,   /* %a, %b; NAMED: step %c, sizes [%a, %b] */
    AST_FORM_PARENS, /* (%a, %b); NAMED: iter_args(%a = %b) */
    AST_FORM_EQUALS, /* NAMED: addr = %a, sizes = [%a, %b] */
    AST_FORM_COLON,  /* NAMED: offset: [%a] */
};

struct ast_group {
    uint8_t kind;
    uint8_t form;     /* enum ast_group_form */
    bool brackets;    /* NAMED: the values stood in [ ] */
    const char *name; /* NAMED */
    struct loc loc;
    struct ast_value *values;
    struct ast_group *next;
};

/*
 * What stands behind the name of an operation, in the order in which it was
 * written. The lists of struct ast_op hold the same nodes by their meaning; the
 * parts are for who writes the operation again (grammar/print.h).
 */
enum ast_part_kind {
    AST_PART_GROUP,
    AST_PART_SYMBOL,       /* op->symbol */
    AST_PART_TYPES,        /* : T, U */
    AST_PART_RESULT_TYPES, /* -> T, U */
    AST_PART_OUTS_TYPES,   /* outs : T */
    AST_PART_TO_TYPE,      /* to T */
    AST_PART_ATTRS,        /* { … } */
    AST_PART_ATTRIBUTES,   /* attributes { … } */
    AST_PART_PROPERTIES,   /* <{ … }> */
    AST_PART_HASH,         /* #key=value */
    AST_PART_LOCATION,     /* loc( … ), which is kept and means nothing */
};

struct ast_part {
    uint8_t kind;   /* enum ast_part_kind */
    bool comma;     /* a comma stood before it */
    bool parens;    /* types: in ( ) */
    unsigned count; /* of types or attributes; the lists go on with those of later parts */
    struct ast_group *group;
    struct ast_type *types;
    struct ast_attr *attrs;
    const char *text; /* of a location */
    struct ast_part *next;
};

struct ast_op {
    const char *name; /* "pto.tmov", "tmov.m2l", "func.func", "scf.for", "module", "return" */
    struct loc name_loc;
    const char *symbol; /* func.func @f, module @m; NULL */
    struct ast_value *results;
    struct ast_group *groups;
    struct ast_part *parts;
    struct ast_attr *attrs;                        /* merged, in order */
    struct ast_type *operand_types, *result_types; /* after ':' and '->' */
    bool generic;                                  /* "pto.tmov"(…) form */
    bool opens_region;      /* `{` ended the statement; an AST_REGION_END closes it */
    bool destination_first; /* .arg/.const era form */
};

/* ---- statements ---- */

enum ast_stmt_kind {
    AST_LABEL,        /* name: */
    AST_LOCAL_LABEL,  /* 1: */
    AST_SET,          /* name = expr */
    AST_DIRECTIVE,    /* .name operands */
    AST_INSN,         /* mnemonic operands, PTO or SEQ */
    AST_OP,           /* PTO-AS operation */
    AST_REGION_ELSE,  /* `} else {` */
    AST_REGION_BLOCK, /* ^bb0(%a : index): block label with arguments, op holds them */
    AST_REGION_END,   /* `}`; op holds the attributes behind it, NULL: none */
    AST_MACRO_CALL,   /* a first word that no table knows: macro or unknown mnemonic; `raw` is the
                         text behind it, unparsed, for macro arguments */
    AST_TYPE_ALIAS,   /* !name = type. The parser resolves aliases; nobody else needs to */
    AST_ATTR_ALIAS,   /* #name = attr */
};

struct isa_mnemonic;

struct ast_stmt {
    uint8_t kind;
    struct loc loc;   /* the whole statement */
    const char *name; /* label, symbol, directive (with the dot, lower case), mnemonic as written */
    size_t name_size;
    struct loc name_loc;
    const struct isa_mnemonic *mnemonic; /* INSN: what its name begins with */
    size_t mnemonic_size;                /* INSN: bytes of the name that are the mnemonic */
    int64_t number;                      /* LOCAL_LABEL */
    struct ast_expr *expr;               /* SET */
    struct ast_operand *operands;        /* DIRECTIVE, INSN */
    struct ast_op *op;
    struct ast_type *type; /* TYPE_ALIAS */
    struct ast_attr *attr; /* ATTR_ALIAS */
    /* The text behind the first word, blanks trimmed, not NUL-terminated; points into the source.
     * MACRO_CALL and the directives .macro .irp .irpc .ifb .ifnb .ifc .ifnc have only this; other
     * directives, instructions and SET (the value) have it too. */
    const char *raw;
    size_t raw_size;
    struct loc raw_loc;
};

/* Deep copies into `a`. */
struct ast_expr *ast_copy_expr(struct arena *a, const struct ast_expr *e);
struct ast_operand *ast_copy_operands(struct arena *a, const struct ast_operand *o);
struct ast_type *ast_copy_type(struct arena *a, const struct ast_type *t);
struct ast_attr *ast_copy_attrs(struct arena *a, const struct ast_attr *attrs);
struct ast_value *ast_copy_values(struct arena *a, const struct ast_value *v);
/* With everything but `parts`, which stay empty: the copy is for its meaning, not for printing. */
struct ast_op *ast_copy_op(struct arena *a, const struct ast_op *op);
/* `raw` still points into the source, which lives as long as the grammar. */
struct ast_stmt *ast_copy_stmt(struct arena *a, const struct ast_stmt *stmt);

/* ---- questions ---- */

/* The group of a kind (and name, when it is NAMED), or NULL. */
const struct ast_group *ast_find_group(const struct ast_op *op, enum ast_group_kind kind,
                                       const char *name);
/* The attribute of a key, or NULL. */
const struct ast_attr *ast_find_attr(const struct ast_attr *attrs, const char *key);
unsigned ast_count_values(const struct ast_value *v);
unsigned ast_count_types(const struct ast_type *t);

#endif
