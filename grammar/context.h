/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inside of grammar/: what scanner, parser and node builders share. One
 * struct grammar is one parse; the parser is called once a statement, so that
 * sources may be pushed and lines taken away between statements, and nothing
 * of bison's survives a statement.
 */
#ifndef PTO_GRAMMAR_CONTEXT_H
#define PTO_GRAMMAR_CONTEXT_H

#include "grammar/grammar.h"

enum {
    GRAMMAR_MAX_NESTING = 100, /* open brackets in one statement */
    GRAMMAR_MAX_DEPTH = 1000,  /* depth of an expression tree; evaluators recurse */
};

/* A range as byte offsets of the current source. */
struct span {
    uint32_t begin, end;
};

struct source {
    const char *text; /* the caller's */
    uint32_t size;
    char *copy; /* the scanner needs writable text */
    void *buffer;
    uint32_t file;
    uint32_t offset, line; /* of the next byte to scan */
    uint32_t line_begin;   /* offset of that line */
    struct source *outer;
};

struct bracket {
    char open; /* ( [ { <, and S for the [ of a semaphore */
    struct span at;
};

struct region {
    struct loc loc;
    bool dropped; /* its opening statement was in error: drop its closing too */
};

/* Kinds of statement that change how the rest of it is scanned. */
enum stmt_mode { MODE_PTO, MODE_SEQ, MODE_DIRECTIVE, MODE_RAW, MODE_OP };

struct operand_list {
    struct ast_operand *first, *last;
};
struct value_list {
    struct ast_value *first, *last;
};
struct attr_list {
    struct ast_attr *first, *last;
};
struct type_list {
    struct ast_type *first, *last;
};

struct part_list {
    struct ast_part *first, *last;
};

struct block; /* memory of flex and of sources, in a list, so that a jump leaks nothing */

struct grammar {
    struct mem *mem;
    struct block *blocks;
    struct intern *names;
    struct diag *diag;
    bool (*statement)(void *ctx, struct grammar *g, const struct ast_stmt *stmt);
    void *ctx;

    struct arena *arena; /* nodes of the current statement */
    void *scanner;       /* flex's state */
    struct source *source;
    unsigned depth; /* sources on the stack */
    VEC(struct region) regions;
    struct arena *file_arena; /* what lives as long as the grammar: aliases */
    struct map aliases;       /* "!name" -> struct ast_type, "#name" -> struct ast_attr */

    /* the statement being parsed */
    int start;           /* token to give the parser before the text's own; 0 none */
    bool failed;         /* an error was reported; the statement is not delivered */
    VEC(uint32_t) lines; /* where its lines before the current one begin */
    bool at_end;         /* the scanner stands at the end of the source */
    bool line_ended;     /* a line end ended it; counted when the statement is complete */
    enum stmt_mode mode;
    struct bracket open[GRAMMAR_MAX_NESTING];
    unsigned nopen;

    /* the scanner: its state, and what it looks back at */
    int state;
    int comment_return; /* state behind a comment */
    struct loc comment_loc;
    int previous; /* last token, 0 at the start of a statement */
    uint32_t previous_end;
    int before_previous;
    const char *name;  /* text of the last NAME */
    bool sem_closed;   /* the last ] closed $S[ ] */
    bool takes_region; /* the operation may end in a region */
    bool block_label;  /* the statement is ^bb0: */

    /* results */
    struct ast_stmt *stmt;
    struct ast_op *op; /* under construction */
    struct value_list plain;
    struct part_list parts; /* of op */
    bool comma;             /* the next item of the operation has a comma before it */
    bool plain_comma;       /* so had the first of `plain` */
    bool type_parens;       /* the types just read stood in ( ) */
    const struct ast_expr *expr;
    const struct ast_type *type;
};

/* ---- block.c ---- */

/* Like realloc; size 0 frees. What is left dies with the grammar. */
void *block_resize(struct grammar *g, void *memory, size_t size);
void block_free_all(struct grammar *g);

/* ---- scanner.l ---- */

void scan_create(struct grammar *g);
void scan_open(struct grammar *g, struct source *s); /* makes s the current source */
void scan_resume(struct grammar *g);                 /* continues g->source */
void scan_close(struct grammar *g, struct source *s);
void scan_statement(struct grammar *g);          /* the next token starts a statement */
void scan_expression(struct grammar *g);         /* the source is one expression */
void scan_type(struct grammar *g);               /* the source is one type */
void scan_skip(struct grammar *g, size_t count); /* over raw text */
struct loc scan_place(struct grammar *g);        /* of the next byte */
struct loc scan_earlier_loc(const struct grammar *g, struct span at);

/* `at` is of the current statement. */
static inline struct loc span_loc(const struct grammar *g, struct span at)
{
    const struct source *s = g->source;
    uint32_t before = s->line_begin - 1; /* col is 1 at line_begin */
    if (at.begin < s->line_begin)
        return scan_earlier_loc(g, at);
    return (struct loc){s->file, s->line, at.begin - before, s->line, at.end - before};
}
void scan_end_line(struct grammar *g);       /* counts the line end of the statement */
void scan_skip_statement(struct grammar *g); /* to behind the end of a broken statement */

/* ---- lexeme.c: values of tokens ---- */

struct ast_expr *lex_number(struct grammar *g, const struct span *at, const char *text, size_t len);
struct ast_expr *lex_float(struct grammar *g, const struct span *at, const char *text, size_t len);
struct ast_expr *lex_char(struct grammar *g, const struct span *at, const char *text, size_t len);
struct ast_expr *lex_string(struct grammar *g, const struct span *at, const char *text, size_t len);
/* The name in quotes, escapes resolved; interned. */
const char *lex_quoted_name(struct grammar *g, const struct span *at, const char *text, size_t len);
struct ast_expr *lex_local(struct grammar *g, const struct span *at, const char *text, size_t len);
struct ast_attr *lex_integer(struct grammar *g, const struct span *at, const char *text,
                             size_t len);
struct ast_attr *lex_real(struct grammar *g, const struct span *at, const char *text, size_t len);
struct ast_attr *lex_text(struct grammar *g, const struct span *at, const char *text, size_t len);
int64_t lex_dimension(struct grammar *g, const struct span *at, const char *text, size_t len);
/* The text of a span without needless blanks and comments, interned. */
const char *lex_squeezed(struct grammar *g, struct span at);
const char *lex_lower(struct grammar *g, const char *text, size_t len); /* interned */
/* Reports a byte that starts no token. */
void lex_bad_character(struct grammar *g, struct span at, const char *text);

/* ---- lines.c: raw text ---- */

/* What the first word of a statement begins. */
enum word_class {
    WORD_SET,
    WORD_DIRECTIVE,
    WORD_OP,
    WORD_PTO,
    WORD_SEQ,
    WORD_UNKNOWN,
};
/* Classifies the first word of a statement; the rest is [behind, end). */
enum word_class line_classify(const char *word, size_t len, const char *behind, const char *end);
enum word_class line_classify_name(const char *name, const char *behind, const char *end); /* interned */
/* The mnemonic that an interned word of class WORD_PTO or WORD_SEQ begins with. */
const struct isa_mnemonic *line_mnemonic(const char *name, size_t *size);
/* Inside brackets: does the line at `text` start a new statement all the same? `pto_as`: the
 * statement is PTO-AS; `braces`: its innermost bracket is `{`. */
bool line_starts_statement(const char *text, const char *end, bool pto_as, bool braces);
/* Can the line at `text` only be the continuation of a PTO-AS operation? */
bool line_continues_op(const char *text, const char *end);
bool line_op_takes_region(const char *name, size_t len);
/* Behind a word of PTO-AS: does a value or [ follow, so that the word names it? */
bool line_names_value(const char *text, const char *end);
/* Does `: [` follow? And `offset:`, so that `to` is no conversion? */
bool line_names_list(const char *text, const char *end);
bool line_names_offset(const char *text, const char *end);
/* Directives whose operands only their reader understands (.macro a, b=1). */
bool line_directive_is_raw(const char *name);
bool line_directive_names_section(const char *name);

/* ---- nodes.c: expressions, operands, statements ---- */

/* Reports once a statement; later errors of the same statement are echoes. */
void grammar_error(struct grammar *g, enum diag_code code, struct loc loc, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

struct ast_expr *ast_name(struct grammar *g, struct span at, const char *text);
struct ast_expr *ast_dot(struct grammar *g, struct span at);
struct ast_expr *ast_unary(struct grammar *g, struct span at, int op, struct ast_expr *e);
struct ast_expr *ast_binary(struct grammar *g, struct span at, int op, struct ast_expr *l,
                            struct ast_expr *r);
struct ast_expr *ast_cond(struct grammar *g, struct span at, struct ast_expr *c,
                          struct ast_expr *yes, struct ast_expr *no);
struct ast_expr *ast_parenthesised(struct grammar *g, struct span at, struct ast_expr *e);

struct ast_operand *ast_operand(struct grammar *g, struct span at, int kind, struct ast_expr *e,
                                struct ast_expr *e2);
struct ast_operand *ast_value_operand(struct grammar *g, struct ast_expr *e);
struct ast_operand *ast_assign(struct grammar *g, struct span at, struct span key_at,
                               const char *key, struct ast_expr *index, struct ast_expr *value);
struct ast_operand *ast_bracket(struct grammar *g, struct span at, int kind,
                                struct operand_list list);
struct ast_operand *ast_typed(struct grammar *g, struct span at, const char *text);
struct ast_operand *ast_wait(struct grammar *g, struct span at, bool event, struct ast_expr *index,
                             int relation, struct ast_expr *value, bool flip);
struct ast_operand *ast_update(struct grammar *g, struct span at, bool event,
                               struct ast_expr *index, int update, struct ast_expr *value,
                               bool complete);
/* The range of a destination includes its arrow. */
struct ast_operand *ast_arrow(struct grammar *g, struct span at, struct ast_operand *destination);
struct operand_list ast_operands(struct ast_operand *first);
struct operand_list ast_append_operand(struct operand_list list, struct ast_operand *o);
struct operand_list ast_append_empty(struct grammar *g, struct operand_list list, struct span at);
/* A blank instead of a comma: only SEQ and directives have that. */
struct operand_list ast_append_adjacent(struct grammar *g, struct operand_list list,
                                        struct ast_operand *o);

void ast_label(struct grammar *g, struct span at, const char *name);
void ast_local_label(struct grammar *g, struct span at, int64_t number);
void ast_set(struct grammar *g, struct span at, const char *name, struct span name_at,
             struct ast_expr *value, struct span value_at);
void ast_command(struct grammar *g, struct span at, int kind, const char *name, struct span name_at,
                 struct operand_list operands, struct span operands_at);
void ast_raw_command(struct grammar *g, struct span at, int kind, const char *name,
                     struct span name_at, struct span raw);
/* `text` is `} else {`, NULL for the end. */
void ast_region_end(struct grammar *g, struct span at, int kind, const char *text);

/* ---- opnodes.c: PTO-AS operations ---- */

void ast_begin_op(struct grammar *g, const char *results, struct span results_at, const char *name,
                  struct span name_at, bool generic);
void ast_op_item(struct grammar *g, struct ast_value *value);
void ast_op_close_items(struct grammar *g);
void ast_op_comma(struct grammar *g);
void ast_op_group(struct grammar *g, int kind, struct span at, struct value_list values);
/* A group under a name: step %c, sizes [%a], offset: [%a]. */
void ast_op_named(struct grammar *g, int form, bool brackets, const char *name, struct span at,
                  struct value_list values);
void ast_op_attrs(struct grammar *g, int part, struct attr_list attrs);
void ast_op_types(struct grammar *g, int part, struct type_list types);
void ast_finish_op(struct grammar *g, struct span at, bool opens_region);
void ast_drop_region(struct grammar *g, struct span at);
void ast_op_location(struct grammar *g, const char *text);
/* `}` and what stands behind it: attributes of the operation, a location. */
void ast_end_with_attributes(struct grammar *g, struct span at, struct span brace);
void ast_block_label(struct grammar *g, struct span at, const char *name, struct span name_at,
                     struct value_list args);

struct ast_value *ast_value(struct grammar *g, struct span at, int kind, const char *name);
struct ast_value *ast_literal_value(struct grammar *g, struct span at, struct ast_attr *literal);
struct ast_value *ast_attr_value(struct grammar *g, struct span at, struct ast_attr *attr);
struct ast_value *ast_bound(struct grammar *g, struct ast_value *name, struct ast_value *bound,
                            struct span at);
struct ast_value *ast_index(struct grammar *g, struct ast_value *base, struct value_list index,
                            struct span at);
struct ast_value *ast_call(struct grammar *g, struct span at, const char *name,
                           struct value_list list);
struct ast_value *ast_list(struct grammar *g, struct span at, struct value_list list);
struct ast_value *ast_keyed(struct grammar *g, struct ast_value *value, const char *key,
                            struct span at);
struct ast_value *ast_with_attrs(struct grammar *g, struct ast_value *value, struct ast_attr *attrs,
                                 struct span at);
struct ast_value *ast_with_attrs_behind(struct grammar *g, struct ast_value *value,
                                        struct ast_attr *attrs, struct span at);
/* %x!loc=vec */
struct ast_value *ast_modified(struct grammar *g, struct span at, const char *text);
struct ast_value *ast_typed_value(struct ast_value *value, struct ast_type *type);
struct value_list ast_values(struct ast_value *first);
struct value_list ast_append_value(struct value_list list, struct ast_value *v);
/* (%a, %b : T, U) and (%a : T, %b : U) to values with types. */
struct value_list ast_associate_types(struct grammar *g, struct value_list args);

struct ast_attr *ast_attr(struct grammar *g, struct span at, int kind, const char *text);
struct ast_attr *ast_attr_key(struct ast_attr *attr, const char *key);
struct ast_attr *ast_attr_named(struct ast_attr *attr, const char *name);
struct ast_attr *ast_unknown_extent(struct grammar *g, struct span at);
struct ast_attr *ast_angle_attr(struct grammar *g, struct span at, struct attr_list fields);
/* The attribute of a #name alias. */
struct ast_attr *ast_attr_alias(struct grammar *g, struct span at, const char *name);
struct ast_attr *ast_attr_of_type(struct grammar *g, struct span at, struct ast_type *type);
struct ast_attr *ast_attr_list(struct grammar *g, struct span at, int kind, struct attr_list list);
struct ast_attr *ast_attr_typed(struct ast_attr *number, struct ast_type *type);
struct ast_attr *ast_hash_attr(struct grammar *g, struct span at, const char *name,
                               struct attr_list fields);
struct attr_list ast_attrs(struct ast_attr *first);
struct attr_list ast_append_attr(struct attr_list list, struct ast_attr *a);

/* ---- typenodes.c: types ---- */

struct ast_type *ast_type_word(struct grammar *g, struct loc loc, const char *word);
/* `name` is "!pto.tile_buf", "memref" …, NULL when the prefix was left out. */
struct ast_type *ast_type_of(struct grammar *g, struct span at, const char *name,
                             struct attr_list fields);
struct ast_attr *ast_shaped(struct grammar *g, struct span at, struct attr_list dims,
                            struct ast_attr *last);
struct ast_attr *ast_dim(struct grammar *g, struct span at, int64_t extent);
struct type_list ast_types(struct ast_type *first);
struct ast_type *ast_type_with_attrs(struct ast_type *t, struct ast_attr *attrs);
struct type_list ast_append_type(struct type_list list, struct ast_type *t);
void ast_type_alias(struct grammar *g, struct span at, const char *name, struct span name_at,
                    struct ast_type *type);
void ast_name_attr(struct grammar *g, struct span at, const char *name, struct span name_at,
                   struct ast_attr *attr);

#endif
