/* SPDX-License-Identifier: BSD-3-Clause */
/* What scanner, parser and builders of linker scripts share. */
#ifndef PTO_LINK_SCRIPT_READER_H
#define PTO_LINK_SCRIPT_READER_H

#include "link/linker.h"

/* How the next characters are read: `-` is part of a file's name and an operator in an expression.
 */
enum script_mode { MODE_WORDS, MODE_EXPR, MODE_NEXT_SAME /* of a bracket: as outside */ };
/* What encloses them. */
enum script_place { PLACE_TOP, PLACE_SECTIONS, PLACE_BODY, PLACE_MEMORY, PLACE_PAREN };

struct script_level {
    uint8_t mode, place;
    struct loc loc; /* of the bracket */
};

struct script_source {
    struct script_source *outer;
    uint32_t file, line, col;
    const char *path; /* NULL: not a file */
    const char *text;
    size_t offset; /* of the next character */
    void *buffer;  /* the scanner's */
};

/* How a symbol is assigned; bits. */
enum { SCRIPT_PROVIDE = 1, SCRIPT_HIDDEN = 2 };

enum { SCRIPT_DEPTH = 64, SCRIPT_LEVELS = 256 }; /* INCLUDEs; brackets, which bison's stack bears */

struct script_reader {
    struct linker *linker;
    struct diag *diag;
    struct arena *arena;
    struct script *script;
    void *scanner;
    struct script_source *source;
    unsigned depth; /* of INCLUDE */
    struct script_level levels[SCRIPT_LEVELS];
    unsigned nlevels;
    const char *token; /* text of the latest one */
    size_t token_size;
    int start_token;            /* a token to begin with, then 0 */
    uint8_t next_mode;          /* of the parenthesis that follows a function's name */
    uint8_t next_place;         /* of the brace that follows */
    bool tail;                  /* behind `}` of an output section: `=` is a fill value */
    bool fill;                  /* behind that `=` */
    bool tail_name;             /* there, behind `>` or `:`: a word is a name */
    struct statement *assigned; /* the result of --defsym */
};

/* A function of expressions. */
struct call_row {
    const char *name;
    uint8_t call;        /* enum expr_call */
    bool named;          /* its first argument is a name */
    uint8_t least, most; /* values behind it */
};

/* ---- scanner (script_scanner.l) ---- */

void script_scan_open(struct script_reader *r);
void script_scan_close(struct script_reader *r);
/* Reads the text, which ends with a NUL, then goes on where it was before. */
void script_scan_push(struct script_reader *r, uint32_t file, const char *path, const char *text,
                      size_t size);
/* Memory for the scanner: of the arena. */
void *script_block(struct script_reader *r, void *block, size_t size);
bool script_number_value(const char *text, size_t size, uint64_t *value);

/* ---- nodes (script.c) ---- */

struct expr *script_number(struct script_reader *r, struct loc loc, uint64_t number);
struct expr *script_name(struct script_reader *r, struct loc loc, const char *name);
struct expr *script_operator(struct script_reader *r, struct loc loc, enum expr_kind kind,
                             enum expr_op op, const struct expr *a, const struct expr *b,
                             const struct expr *c);
struct expr *script_call(struct script_reader *r, struct loc loc, const struct call_row *call,
                         const char *name, const struct expr *a, const struct expr *b);

struct statement_list script_append(struct statement_list list, struct statement_list more);
struct statement_list script_assign(struct script_reader *r, struct loc loc, const char *name,
                                    enum expr_op op, const struct expr *value);
struct statement_list script_provide(struct script_reader *r, struct loc loc, int how,
                                     const char *name, const struct expr *value);
struct statement_list script_value(struct script_reader *r, struct loc loc,
                                   enum statement_kind kind, unsigned size,
                                   const struct expr *value);
struct statement_list script_section(struct script_reader *r, struct loc loc, const char *name,
                                     struct section_rule *attributes);
/* `files` names the file pattern; a rule for each run of patterns. */
struct statement_list script_input(struct script_reader *r, struct loc loc,
                                   const struct input_rule *files, struct pattern *patterns);
struct statement_list script_keep(struct statement_list list);
struct input_rule *script_files(struct script_reader *r, const char *name, bool sorted);
struct pattern *script_pattern(struct script_reader *r, const char *name);
struct pattern *script_sorted(struct pattern *list, int sort);
struct pattern *script_excluded(struct pattern *pattern, struct name_list files);
struct pattern *script_join(struct pattern *list, struct pattern *more);
struct name_list script_names(struct script_reader *r, struct name_list list, const char *name);

struct section_rule *script_attributes(struct script_reader *r);
void script_section_type(struct script_reader *r, struct loc loc, struct section_rule *to,
                         const char *word);
void script_fill_digits(struct script_reader *r, struct loc loc, struct section_rule *to,
                        const char *digits);
void script_phdr(struct script_reader *r, struct loc loc);
void script_region_new(struct script_reader *r, struct loc loc, const char *name,
                       const char *attributes, const struct expr *origin,
                       const struct expr *length);
void script_region_alias(struct script_reader *r, struct loc loc, const char *alias,
                         const char *name);
void script_entry(struct script_reader *r, const char *name);
void script_extern(struct script_reader *r, struct name_list names);
/* INPUT and GROUP: files that take part behind those of the command line. */
void script_inputs(struct script_reader *r, struct name_list names, bool group);
void script_search_dir(struct script_reader *r, const char *dir);
void script_include(struct script_reader *r, struct loc loc, const char *name);

#endif
