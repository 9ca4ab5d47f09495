/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inside of isagen, the generator that checks the .isa files and compiles them
 * into isa_enum.h and isa_tables.c. It runs once at build time, so memory is
 * never given back; strings point into the files it has read.
 *
 * Passes: read all files into rows; interpret the rows block kind by block kind;
 * check what needs all rows (overlaps, names); write. Every pass reports all
 * bad rows it finds as `file:line: message`; nothing is written after an error.
 */
#ifndef PTO_ISA_ISAGEN_H
#define PTO_ISA_ISAGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { GEN_WORDS = 8, GEN_MAX_PIECES = 8, GEN_MAX_COLUMNS = 12, GEN_NONE = 0xff };

enum gen_set { GEN_PTO, GEN_SEQ };

/* ---- rows ---- */

struct gen_block {
    const char *file;
    unsigned line;
    unsigned kind; /* index into the block kinds of isagen.c */
    char *arg[GEN_MAX_COLUMNS];
    unsigned nargs;
    unsigned object; /* what opening the block made (enumeration index) */
};

struct gen_row {
    const char *file;
    unsigned line;
    unsigned block;
    char *col[GEN_MAX_COLUMNS]; /* absent ones are "" */
    unsigned ncols;
};

/* ---- the model ---- */

struct gen_revision {
    char *name, *release, *abi, *sha256;
    uint8_t set, bit;
};

struct gen_member {
    char *name;
    uint32_t value;
    uint8_t revs;
    bool alias;
};

struct gen_enum {
    char *name, *what;
    struct gen_member *members;
    size_t nmembers;
    bool numeric, sysregs;
    uint8_t set;
    uint8_t tileop_engines; /* bit n = ISA engine n: filled from the tile operations */
};

enum gen_base { GEN_UINT, GEN_INT, GEN_ENUM, GEN_PCREL, GEN_FLOAT };

struct gen_kind {
    char *name;
    uint8_t base;        /* enum gen_base */
    uint8_t enumeration; /* index + 1 */
    uint8_t reloc;       /* index + 1 */
    bool binary4;
};

struct gen_piece {
    uint16_t lsb;
    uint8_t value_lsb, width;
};

struct gen_reloc {
    char *name;
    uint16_t number;
    uint8_t set;
    const char *base;
    uint8_t shift, bytes, width, npieces;
    bool page, is_signed;
    int64_t min, max;
    struct gen_piece piece[GEN_MAX_PIECES];
};

struct gen_foreign {
    uint16_t number;
    char *name, *reason;
};

struct gen_field {
    char *name;
    unsigned name_index;
    const struct gen_kind *kind; /* into gen.kinds, which is complete by then */
    uint8_t width, align, count, index, npieces, reloc_offset;
    uint16_t stride;
    bool constant;
    struct gen_piece piece[GEN_MAX_PIECES]; /* most significant first, of element 0 */
};

struct gen_constraint {
    const char *op; /* "IN", "NE", … as in ISA_CONSTRAINT_… */
    uint8_t field[3];
    uint64_t set;
    bool member; /* set is an enumeration index */
};

struct gen_operand {
    const char *form; /* "LITERAL", … as in ISA_OPERAND_… */
    uint8_t flags;
    uint8_t field[6];
    uint8_t modifier, shift, fixed_shift, size;
    uint8_t enumeration; /* index + 1 */
    uint8_t scale;
    int8_t bias;
    uint8_t code[2];
    int64_t dflt;
    char *text;
};

struct gen_preset {
    uint8_t field;
    int64_t value;
};

/* Bits, fields and constraints: what forms and reserved encodings share. */
struct gen_pattern {
    const struct gen_row *row;
    unsigned bits;
    uint8_t set, revs;
    uint64_t mask[GEN_WORDS], match[GEN_WORDS];
    uint64_t claimed[GEN_WORDS]; /* by fields */
    struct gen_field *fields;
    size_t nfields;
    unsigned nvalues;
    struct gen_constraint *constraints;
    size_t nconstraints;
};

struct gen_spelling {
    const struct gen_row *row;
    char *mnemonic;
    size_t form;
    bool print, own;
    uint8_t revs;
    struct gen_operand *suffix, *operands;
    size_t nsuffix, noperands;
    struct gen_preset *presets;
    size_t npresets;
    struct gen_constraint *conditions;
    size_t nconditions;
};

struct gen_agu {
    unsigned action, kind, scale, size, is_signed, update, address;
};

struct gen_form {
    struct gen_pattern p;
    char *id, *symbol, *family;
    unsigned klass, mnemonic;
    unsigned tileop; /* index + 1 */
    const char *status;
    bool variant;
    unsigned shorter, longer; /* form index + 1, 0: none (%relax) */
    struct gen_agu agu;
};

struct gen_reserved {
    struct gen_pattern p;
    char *name;
};

/* Fixed bits, fields, constraints and operands that several records share. */
struct gen_group {
    const struct gen_row *row;
    char *name;
};

struct gen_tile_operand {
    char *field, *what;
    const char *role;
};

struct gen_tileop {
    const struct gen_row *row;
    char *name, *start, *family;
    uint8_t engine, mode, function, selector, revs;
    bool variant;
    uint8_t nsources, ndestinations, nscalars, min_scalars;
    const char *need[8]; /* datr fpatr ior iot ios lb0 lb1 lb2 */
    uint8_t ios_revs;
    unsigned datr_fields;
    uint32_t datatypes;
    struct gen_tile_operand *operands;
    size_t noperands;
    uint8_t grouping[8];
};

struct gen_datatypes {
    char *name;
    uint32_t set; /* bit n = DataType code n */
};

struct gen_accumulator {
    uint32_t inputs; /* bit n = DataType code n */
    uint32_t type;
};

struct gen_prequant {
    const char *source, *parameter; /* "NONE", "SCALAR", "VECTOR"; "NONE", "SCALE", "SHIFT" */
    uint32_t mode, accumulators, result, rounding;
    unsigned offset_bits, datr_fields;
};

struct gen_retired {
    const struct gen_row *row;
    char *name, *message;
    uint8_t revs;
};

struct gen_sysreg {
    char *name, *scope, *behavior, *description;
    uint32_t address;
    uint8_t access;
};

/* A kind of value (what: words, spellings) or an enumeration (members) of PTO-AS. */
struct gen_op_name {
    char *name, *what[2];
};

enum { GEN_OP_OPTIONAL = 1, GEN_OP_VARIADIC = 2, GEN_OP_LITERAL = 4 };

/* An operand, a result or an attribute of an operation of PTO-AS. */
struct gen_op_value {
    char *name, *group;
    uint8_t place, kind, flags;
};

struct gen_op {
    char *name, *flags, *ends, *parents;
    struct gen_op_value *operands, *results, *attrs;
    size_t noperands, nresults, nattrs;
    uint32_t *types;
    size_t ntypes, types_before;
    bool arrow;
    unsigned optional_types; /* bit n: types[n] */
    uint8_t *order, *checks;
    size_t norder, nchecks;
    struct gen_op_limit {
        char *words;
        uint8_t targets, operand;
    } * limits; /* `elements` and, with operand GEN_NONE, `places` */
    size_t nlimits;
    unsigned targets;
};

struct gen_overlap {
    const struct gen_row *row;
    char *broad, *narrow;
    bool found;
};

struct gen_mnemonic {
    char *upper;
    uint8_t set;
    uint16_t *spellings; /* indexes into gen.spellings */
    size_t nspellings;
};

struct gen {
    unsigned errors;
    struct gen_block *blocks;
    size_t nblocks;
    struct gen_row *rows;
    size_t nrows;

    struct gen_revision *revisions;
    size_t nrevisions;
    struct gen_enum *enums;
    size_t nenums;
    struct gen_kind *kinds;
    size_t nkinds;
    struct gen_reloc *relocs;
    size_t nrelocs;
    struct gen_foreign *foreign;
    size_t nforeign;
    char **classes;
    size_t nclasses;
    char **field_names;
    size_t nfield_names;
    char **mnemonic_names; /* of forms: ISA_MNEM_… */
    size_t nmnemonic_names;
    struct gen_group *groups;
    size_t ngroups;
    struct gen_form *forms;
    size_t nforms;
    struct gen_spelling *spellings;
    size_t nspellings;
    struct gen_mnemonic *mnemonics; /* sorted */
    size_t nmnemonics;
    struct gen_reserved *reserved;
    size_t nreserved;
    struct gen_datatypes *datatypes;
    size_t ndatatypes;
    struct gen_tileop *tileops;
    size_t ntileops;
    struct gen_accumulator *accumulators;
    size_t naccumulators;
    struct gen_prequant *prequants;
    size_t nprequants;
    struct gen_retired *retired;
    size_t nretired;
    struct gen_sysreg *sysregs;
    size_t nsysregs;
    struct gen_overlap *overlaps;
    size_t noverlaps;
    struct gen_op_name *op_kinds, *op_enums;
    size_t nop_kinds, nop_enums;
    struct gen_op *ops; /* of PTO-AS, sorted by name */
    size_t nops;
    char **op_checks;
    size_t nop_checks;
};

/* ---- isagen_read.c: text ---- */

/* Room for one more zeroed item behind `count`; the result replaces `items`. */
void *gen_grow(void *items, size_t count, size_t size);
char *gen_copy(const char *text, size_t len);
char *gen_join(const char *a, const char *b);
char *gen_upper(const char *text);
char *gen_identifier(const char *text); /* non-alphanumerics become '_' */
bool gen_is_identifier(const char *text);
char *gen_trim(char *text);
/* Next part of *rest up to a separator, trimmed, NUL-terminated in place; NULL at the end. */
char *gen_split(char **rest, char separator);
/* Whole text is one number (decimal, 0x, 0b, '-'); false otherwise. */
bool gen_number(const char *text, int64_t *value);
void gen_error(struct gen *g, const struct gen_row *row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The revisions of `set` that a list like "0.58.2, cayman.., mariana..maverick" names. */
uint8_t gen_revs(struct gen *g, const struct gen_row *row, char *list, uint8_t set);
/* Index of a name in an array of strings, added when missing. */
unsigned gen_intern(char ***names, size_t *count, const char *name);

/* ---- isagen_table.c: everything but forms ---- */

void gen_revision_row(struct gen *g, struct gen_row *row);
void gen_enum_open(struct gen *g, struct gen_block *block);
void gen_enum_row(struct gen *g, struct gen_row *row);
void gen_kind_row(struct gen *g, struct gen_row *row);
void gen_reloc_row(struct gen *g, struct gen_row *row);
void gen_foreign_row(struct gen *g, struct gen_row *row);
void gen_class_row(struct gen *g, struct gen_row *row);
void gen_sysreg_row(struct gen *g, struct gen_row *row);
void gen_retired_row(struct gen *g, struct gen_row *row);
void gen_overlap_row(struct gen *g, struct gen_row *row);
int gen_find_enum(const struct gen *g, const char *name); /* -1: none */
int gen_find_kind(const struct gen *g, const char *name);
int gen_find_class(const struct gen *g, const char *name);
const struct gen_member *gen_find_member(const struct gen_enum *e, const char *name);
/* Pieces of "11..7,31..20", most significant first; low value bit `align`. 0: reported. */
unsigned gen_pieces(struct gen *g, const struct gen_row *row, char *text, unsigned align,
                    struct gen_piece *out);
/* Set named by the first argument of a block, PTO when there is none. */
uint8_t gen_block_set(struct gen *g, const struct gen_row *row);

/* ---- isagen_tile.c ---- */

void gen_datatypes_row(struct gen *g, struct gen_row *row);
void gen_accumulator_row(struct gen *g, struct gen_row *row);
void gen_prequant_row(struct gen *g, struct gen_row *row);
void gen_tileop_row(struct gen *g, struct gen_row *row);
int gen_find_tileop(const struct gen *g, const char *name);
/* Fills the enumerations that are made of tile operations and system registers. */
void gen_fill_enums(struct gen *g);

/* ---- isagen_form.c ---- */

void gen_group_row(struct gen *g, struct gen_row *row);
void gen_form_row(struct gen *g, struct gen_row *row);
void gen_reserved_row(struct gen *g, struct gen_row *row);
void gen_spelling_row(struct gen *g, struct gen_row *row);
int gen_find_field(const struct gen_pattern *p, const char *name, size_t len);
/* Appends the constraints of "RegSrc in 0..23; not s and r" to a list. */
struct gen_constraint *gen_constraints(struct gen *g, const struct gen_pattern *p,
                                       const struct gen_row *row, const char *text,
                                       struct gen_constraint *list, size_t *count);
const struct gen_group *gen_find_group(const struct gen *g, const char *name);

/* ---- isagen_syntax.c ---- */

/* Mnemonic column: base name and suffix parts. */
void gen_mnemonic(struct gen *g, const struct gen_pattern *p, struct gen_spelling *s, char *text);
/* Syntax column. */
void gen_syntax(struct gen *g, const struct gen_pattern *p, struct gen_spelling *s,
                const char *text);

/* ---- isagen_relax.c ---- */

void gen_relax_row(struct gen *g, struct gen_row *row);

/* ---- isagen_check.c ---- */

/* Checks that need all rows, and the order of spellings and mnemonics. */
void gen_check(struct gen *g);
/* In any of the revisions. */
bool gen_constraint_holds(const struct gen *g, const struct gen_constraint *c, uint64_t value,
                          uint8_t revs);

/* ---- isagen_ops.c ---- */

void gen_op_kind_row(struct gen *g, struct gen_row *row);
void gen_op_enum_row(struct gen *g, struct gen_row *row);
void gen_op_row(struct gen *g, struct gen_row *row);
void gen_sort_ops(struct gen *g);
void gen_emit_op_header(const struct gen *g, FILE *out);
void gen_emit_ops(const struct gen *g, FILE *out);

/* ---- isagen_emit.c ---- */

void gen_emit_header(const struct gen *g, FILE *out);
void gen_emit_tables(const struct gen *g, FILE *out);

#endif
