/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instruction sets as tables.
 *
 * The .isa files hold the facts, one row a form; `isa/isagen` checks them and
 * compiles them into isa_enum.h (numbers) and isa_tables.c (the tables
 * declared here). Assembler, disassembler, linker, simulator and the tables in
 * docs/ all read these tables; nothing else knows a mnemonic, mask, match,
 * field position or legal value. isa/README.md describes the row syntax.
 *
 * The tables know encodings and spellings of operands. They know nothing of
 * files, sections, ELF or execution. Everything here is constant data.
 */
#ifndef PTO_ISA_ISA_H
#define PTO_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Generated numbers, each a plain enum:
 *   ISA_FIELD_<name>     every field name (RegDst, SrcL, …), non-alphanumerics as '_'
 *   ISA_ENUM_<name>      every enumeration (DataType, Layout, …)
 *   ISA_<ENUM>_<member>  the value of each enumeration member that has an identifier name
 *                        (ISA_DataType_FP32 == 1, ISA_TileLayout_ND2NZ == 4)
 *   ISA_CLASS_<name>     semantic class of a form (ScalarBinary, ExecuteBundleStart, SeqMove, …)
 *   ISA_MNEM_<name>      every canonical mnemonic of a form, '.' as '_', upper case
 *   ISA_FORM_<form id>   index of a form in isa_forms[]
 *   ISA_RELOC_<name>     index of a relocation row in isa_relocs[]
 *   ISA_TILEOP_<name>    index of a tile operation in isa_tileops[]
 *   ISA_REV_<n>          revision bit numbers: ISA_REV_0_58_2 = 0, ISA_REV_0_58_3 = 1, …
 *   ISA_GEN_<name>       SEQ generation bit numbers: SUNDA 0, CAYMAN 1, MARIANA 2, MAVERICK 3
 *   ISA_SECTION …        nothing: sections are not this folder's business
 * and the counts ISA_FORM_COUNT, ISA_TILEOP_COUNT, ISA_REVISION_COUNT, ….
 */
#include "isa/isa_enum.h"

enum isa_set { ISA_SET_PTO, ISA_SET_SEQ };

/* A set of revisions (PTO) or generations (SEQ): bit n = ISA_REV_n / ISA_GEN_n. */
typedef uint8_t isa_revset;

/* What an assembler or decoder works for: exactly one bit in each. */
struct isa_target {
    isa_revset pto; /* 1 << ISA_REV_… */
    isa_revset seq; /* 1 << ISA_GEN_… */
};

struct isa_revision {
    const char *name;         /* "pto0.58.3", "cayman" : as -march= / -mseq= take it */
    const char *release;      /* "0.58.3" */
    const char *encoding_abi; /* identity of .note.pto.isa; NULL: none known */
    const char *projection_sha256;
    uint8_t set; /* enum isa_set */
    isa_revset bit;
};

/* ---- enumerations ---- */

struct isa_member {
    const char *name; /* canonical case; matched without case */
    uint32_t value;
    isa_revset revs; /* revisions (or generations) in which the name is known */
    uint8_t alias;   /* 1: accepted on input, never printed */
};

struct isa_enumeration {
    const char *name;                 /* "DataType" */
    const char *what;                 /* for messages: "data type" */
    const struct isa_member *members; /* printed ones first, then aliases */
    uint16_t count;
    uint8_t
        numeric; /* 1: a number is accepted as the code itself; and printed when no name has it */
    uint8_t set; /* enum isa_set: how to read isa_member.revs */
    uint16_t last_slot;    /* for isa_find_member: */
    const uint16_t *slots; /* index into members + 1 by hash of the name, 0 = empty */
};

/* ---- fields ---- */

/* `width` bits of the value from bit value_lsb stand at instruction bit lsb.
 * Bit n of an instruction is bit n%8 of byte n/8 in memory (both sets are
 * little-endian), n < 16, 32, 48, 64 or 512. */
struct isa_piece {
    uint16_t lsb;
    uint8_t value_lsb;
    uint8_t width;
};

enum isa_kind {
    ISA_KIND_UINT,  /* unsigned number; may also have an enumeration of names accepted on input */
    ISA_KIND_INT,   /* two's complement number */
    ISA_KIND_ENUM,  /* a member of `enumeration` */
    ISA_KIND_PCREL, /* displacement to a label by relocation row `reloc`; a plain number is the
                       field's own value (catalogue meaning) */
    ISA_KIND_FLOAT, /* IEEE binary32 or a number, by another field's type (SEQ immediates) */
};

struct isa_field {
    uint16_t name;   /* ISA_FIELD_… */
    uint8_t kind;    /* enum isa_kind */
    uint8_t width;   /* bits of one value, value_lsb of the lowest piece included:
                        FENTRY's uimm has width 15 although bits 0..2 are not stored */
    uint8_t align;   /* low bits of the value that are not stored and must be zero */
    uint8_t count;   /* array length, 1 for a plain field */
    uint8_t index;   /* of its first value in isa_insn.value[] */
    uint8_t npieces; /* pieces of element 0; element k lies k*stride bits higher */
    uint16_t stride;
    uint8_t enumeration;  /* ISA_ENUM_… + 1, 0 = none */
    uint8_t reloc;        /* ISA_RELOC_… + 1, 0 = none: the relocation for a symbolic value */
    uint8_t reloc_offset; /* its r_offset = instruction address + reloc_offset (2 for the return
                             label of BSTART.CALL), + k*stride/8 for element k of an array */
    uint8_t constant;     /* 1: wholly inside the form's mask; its value is fixed by match */
    const struct isa_piece *pieces;
};

/* ---- constraints: what mask and match do not say ---- */

enum isa_constraint_op {
    ISA_CONSTRAINT_IN,       /* field value (0..63) is in `set` */
    ISA_CONSTRAINT_NE,       /* field value != `value` */
    ISA_CONSTRAINT_NOT_BOTH, /* not (field && field2), e.g. HL.QMT s and r */
    ISA_CONSTRAINT_FRAME,    /* FENTRY family: value of `field3` >= 8 * registers in the ring
                                range field..field2 (2..23, wrapping) */
    ISA_CONSTRAINT_MEMBER,   /* the value of `field`, or of field:field2 (field2 the low bits) when
                                field2 is used, is a member of enumeration number `set` in the
                                target's revision; reserved tile selectors fail it */
};

struct isa_constraint {
    uint8_t op;
    uint8_t field, field2, field3; /* indexes into the form's fields, ISA_NO_FIELD = unused */
    uint64_t set; /* IN: bit n = value n allowed; NE: the value; MEMBER: ISA_ENUM_… */
};

/* ---- operand syntax ---- */

enum isa_operand_form {
    ISA_OPERAND_LITERAL,      /* the word `text`: DIRECT, t#1, sp! */
    ISA_OPERAND_VALUE,        /* field[0] by its kind; with field[1] too: one value whose low bits
                                 are field[1], by `enumeration` (BSTART.VEC TADD, BR.likely) */
    ISA_OPERAND_FLAG,         /* the word `text` sets field[0] to 1; absent = 0. A number 0 or 1
                                 in its position is accepted too. With field[1] the word sets both
                                 (aqrl); printed when both are 1, and the single words are not */
    ISA_OPERAND_RANGE,        /* `field[0] ~ field[1]` */
    ISA_OPERAND_OPEN_BRACKET, /* `[` … `]` is required and holds the operands up to the close;
                                 OPTIONAL: accepted, never printed (B.IOR) */
    ISA_OPERAND_CLOSE_BRACKET,
    ISA_OPERAND_OPEN_BRACE, /* `{` … `}`: printed, optional on input */
    ISA_OPERAND_CLOSE_BRACE,
    /* SEQ operands, each covering several fields of the record; isa/README.md has their text */
    ISA_OPERAND_SEQ_WAIT,   /* $S[i] REL v: field = mode, index, value. text "ext": one that stands
                               behind the word `ext` */
    ISA_OPERAND_SEQ_UPDATE, /* $S[i]++ …: field = mode, index, value; text as above */
    ISA_OPERAND_SEQ_MOVES,  /* R3 = 1, R4 = 2 | R3 = R1 …: field = num_mov, move_source, src, dst,
                               immediate; code = move_source of a register, of an immediate */
    ISA_OPERAND_SEQ_ASSIGN, /* R5 = OP: field = destination, operation */
    ISA_OPERAND_SEQ_REG_OR_IMM, /* field = source kind, register, immediate; code = the source kind
                                   of a register, of an immediate */
    ISA_OPERAND_SEQ_LIST,    /* all operands from here (to the closing bracket) fill array field[0];
                                field[1] = count, ISA_NO_FIELD: the rest of the array is zero */
    ISA_OPERAND_SEQ_BYTES,   /* a bare word stored as characters in array field[0] */
    ISA_OPERAND_SEQ_COMPARE, /* EQ R7, 0 | EQ R7, R8 | ALWAYS: field = operation, first register,
                                immediate, second register. The operation field's enumeration has
                                the codes for an immediate, `enumeration` those for a register */
};

enum {
    ISA_OPERAND_OPTIONAL = 1, /* may be absent: `dflt` then */
    ISA_OPERAND_DEST = 2,     /* written behind `->`; matched in any place */
    ISA_OPERAND_KEYED = 4,    /* written `text=value`; matched in any place */
    ISA_OPERAND_HIDDEN = 8,   /* optional operand that is not printed when it has its default and no
                                 later operand in a fixed place is printed. A HIDDEN KEYED operand is
                                 not printed either when another operand shows its field */
    ISA_OPERAND_BINARY4 = 16, /* four characters [01] are one binary number */
    ISA_OPERAND_EITHER =
        32, /* like KEYED, but the bare value in its place is accepted too, and printed */
    /* A KEYED VALUE without a field stands for bytes whose place no source gives: only `dflt` is
     * accepted, and it is never printed (block_id=0). */
};

enum { ISA_NO_FIELD = 0xff };

struct isa_operand {
    uint8_t form; /* enum isa_operand_form */
    uint8_t flags;
    uint8_t field[6];    /* indexes into the form's fields, ISA_NO_FIELD = unused */
    uint8_t modifier;    /* VALUE: field of the `.sw`-like suffix, ISA_NO_FIELD = none */
    uint8_t shift;       /* VALUE: field of `<<n` (absent = 0), ISA_NO_FIELD = none */
    uint8_t fixed_shift; /* VALUE: `<<n` is printed and may be omitted on input; 0 = none */
    uint8_t size;        /* VALUE: field written as `<size>` behind the value, ISA_NO_FIELD = none.
                            `size=` as an operand of its own is accepted for it */
    uint8_t enumeration; /* of a value made of two fields, or of SEQ_COMPARE: ISA_ENUM_… + 1 */
    uint8_t scale;       /* text = value * scale + bias; 0 and 1 = no scaling */
    int8_t bias;
    uint8_t code[2]; /* SEQ_MOVES, SEQ_REG_OR_IMM */
    int64_t dflt;
    const char *text; /* word; key, alternatives separated by '/', the first is printed; NULL */
};

/*
 * A suffix of the mnemonic: parts are matched left to right. FLAG parts are
 * letters or words without separator (`.aqrl`); VALUE parts are enumeration
 * names with `text` before them ("." or "2").
 */

enum {
    ISA_SPELLING_PRINT = 1, /* the disassembler may print it (first one whose conditions hold) */
};

struct isa_preset {
    uint8_t field;
    int64_t value;
};

struct isa_spelling {
    const char *mnemonic; /* as printed */
    uint16_t form;        /* index into isa_forms */
    uint8_t flags;
    isa_revset revs;
    uint8_t nsuffix, noperands, npresets, nconditions;
    const struct isa_operand *suffix;
    const struct isa_operand *operands;
    const struct isa_preset *presets;        /* values this spelling implies */
    const struct isa_constraint *conditions; /* must hold for it to be printed or matched */
};

/* ---- forms ---- */

enum isa_status {
    ISA_ACCEPTED,
    ISA_RESERVED_IN_PTO, /* assembles and decodes; execution raises IllegalInstruction (XB, ESAVE,
                            ERCOV) */
    ISA_PRINT_ONLY,      /* assembles and decodes; never executed (SEQ pseudo records) */
};

/* Memory access of an AGU form (catalogue column agu). size 0: not an AGU form. */
struct isa_agu {
    uint8_t action;       /* ISA_AguAction_…: Load, LoadPair, Store, StorePair, Prefetch */
    uint8_t address_kind; /* ISA_AguAddress_…: Immediate, Register, Compressed, PCRelative */
    uint8_t scale;        /* log2 of the offset scale */
    uint8_t size;         /* bytes of one access */
    uint8_t is_signed;
    uint8_t update;          /* ISA_AguUpdate_…: None, PreIndex, PostIndex */
    uint8_t returns_address; /* HL.PRF.A family */
};

struct isa_form {
    const char *id;       /* the catalogue's form id; stable across releases */
    uint64_t mask, match; /* over the first 8 bytes (all bytes for PTO) */
    uint16_t klass;       /* ISA_CLASS_… */
    uint16_t mnemonic;    /* ISA_MNEM_… of the canonical spelling */
    uint16_t spelling;    /* first of its spellings in isa_spellings[] */
    uint16_t tileop;      /* ISA_TILEOP_… + 1 that this start selects, 0 = none / by field */
    uint8_t nspellings;
    uint8_t length; /* bytes: 2, 4, 6, 8 or 64 */
    uint8_t set;    /* enum isa_set */
    uint8_t status; /* enum isa_status */
    isa_revset revs;
    uint8_t nvalues; /* values the fields need in isa_insn.value[] */
    uint8_t nfields, nconstraints;
    const struct isa_field *fields;
    const struct isa_constraint *constraints;
    struct isa_agu agu;
    const char *family; /* "ALU", "AGU", "CMD", "SEQ" … for documentation tables */
    uint8_t variant;    /* 1: encoding variant of a catalogue form, not counted among the 74 */
    /* Index + 1 of the form that does the same with the next shorter or longer reach, 0 = none.
     * Such a form has one field with a PC-relative relocation; the others are the same in both. */
    uint16_t shorter, longer;
};

enum { ISA_MAX_VALUES = 96, ISA_MAX_LENGTH = 64 };

/* ---- relocations ---- */

enum isa_reloc_base {
    ISA_BASE_NONE, /* S + A */
    ISA_BASE_P,    /* S + A - P, P = address of the field's own halfword group (r_offset) */
    ISA_BASE_P4,   /* S + A - (P & ~3) */
    ISA_BASE_LO,   /* the low part that pairs with a preceding HI (DESIGN §4) */
};

struct isa_reloc {
    const char *name; /* "R_LINX_B17_PCREL" */
    uint16_t number;  /* ELF relocation type */
    uint8_t set;
    uint8_t base;  /* enum isa_reloc_base */
    uint8_t shift; /* value >> shift is stored; the low bits must be zero, unless `page` */
    uint8_t page;  /* 1: HI20-like, the low `shift` bits are dropped (paired with a LO) */
    uint8_t bytes; /* length of the patched word */
    uint8_t is_signed;
    uint8_t width; /* bits of the stored value */
    uint8_t npieces;
    int64_t min, max; /* legal stored values */
    const struct isa_piece *pieces;
};

/* A relocation number that other tools use and this one refuses, with the reason. */
struct isa_foreign_reloc {
    uint16_t number;
    const char *name;
    const char *reason;
};

/* ---- tile operations ---- */

enum isa_engine { ISA_ENGINE_VEC, ISA_ENGINE_SFU, ISA_ENGINE_TLSU, ISA_ENGINE_CUBE };

enum isa_role { /* one operand of a tile operation, catalogue field names */
                ISA_ROLE_NONE,
                ISA_ROLE_DESTINATION, /* destination0, destination1 … in order */
                ISA_ROLE_SOURCE,      /* source0 … */
                ISA_ROLE_SCALAR,    /* B.IOR source slots in packed order (address, scalar, natural,
                                       flag …) */
                ISA_ROLE_DIMENSION, /* taken from LB0..LB2 */
                ISA_ROLE_CONTROL, /* taken from B.DATR (comparison, numeric_control, selected_byte)
                                   */
};

struct isa_tile_operand {
    const char *field; /* "source0" */
    const char *what;  /* "source-left" */
    uint8_t role;      /* enum isa_role */
};

/* How many and which commands a bundle of the operation takes. */
enum isa_need { ISA_FORBIDDEN, ISA_OPTIONAL, ISA_REQUIRED };

struct isa_tileop {
    const char *name;  /* catalogue name, "TMATMUL_MX_ACC" */
    const char *start; /* printed start, "BSTART.TMATMULMX.ACC" or "BSTART.VEC TADD" */
    uint8_t engine;    /* enum isa_engine */
    uint8_t mode, function;
    uint8_t selector; /* TEPL: mode << 5 | function */
    uint8_t nsources, ndestinations, nscalars;
    uint8_t min_scalars;                /* scalars that may not be omitted */
    uint8_t datr, fpatr, ior, iot, ios; /* enum isa_need */
    uint8_t lb[3];                      /* enum isa_need for LB0..LB2 */
    uint16_t datr_fields; /* B.DATR fields that may be nonzero: bit n = ISA_DATR_… */
    isa_revset revs;
    isa_revset ios_revs; /* `ios` holds in these, others forbid B.IOS: see isa_tileop_ios */
    uint32_t datatypes;  /* bit n = DataType code n is legal at BSTART */
    uint8_t noperands;
    const struct isa_tile_operand *operands;
    uint8_t grouping[8]; /* sources of each B.IOT in order, 0-terminated: TSEL 2,1 */
    const char *family;  /* "elementwise-tile-tile" */
    uint8_t variant;     /* 1: encoding variant of another operation, not counted among the 109 */
};

enum { /* bits of isa_tileop.datr_fields */
       ISA_DATR_LAYOUT = 1,
       ISA_DATR_DATATYPE = 2,
       ISA_DATR_PAD = 4,
       ISA_DATR_CMODE = 8,
       ISA_DATR_RMODE = 16,
       ISA_DATR_SAT = 32,
       ISA_DATR_CANONICALIZE = 64,
};

/* ---- CUBE operations ---- */

struct isa_accumulator { /* the type in which products are added up */
    uint32_t inputs;     /* bit n = DataType code n */
    uint8_t type;        /* DataType code */
};

enum isa_from { ISA_FROM_NONE, ISA_FROM_SCALAR, ISA_FROM_VECTOR };
enum isa_parameter { ISA_PARAMETER_NONE, ISA_PARAMETER_SCALE, ISA_PARAMETER_SHIFT };

struct isa_prequant { /* a PreQuantMode of B.FPATR */
    uint8_t mode;
    uint8_t result;        /* DataType code; DTYPE_NONE: the accumulator's */
    uint8_t source;        /* enum isa_from: B.IOR, or a tile with a word a column */
    uint8_t parameter;     /* enum isa_parameter */
    uint8_t offset_bits;   /* of the signed offset in the word; 0: none */
    uint8_t rounding;      /* RMode code where B.DATR may not choose */
    uint8_t datr_fields;   /* of RMode and Sat, those that may be nonzero: ISA_DATR_… */
    uint32_t accumulators; /* bit n = DataType code n */
};

struct isa_fpatr { /* B.FPATR; codes as encoded */
    bool present;
    uint8_t pre_quant_mode, relu_mode, group_n_code;
    bool row_max_en, group_max_en, row_max_init, max_abs_en, trans_a, trans_b;
    bool c_scale_en; /* 0.58.5 */
};

/* What a CUBE bundle says about its own operands. */
struct isa_matrix_bundle {
    const struct isa_tileop *op;
    unsigned left, right; /* DataType codes of the inputs */
    struct isa_fpatr fpatr;
    unsigned nshared; /* B.IOS */
};

/* Which operands follow from that. Local sources in stream order: accumulator, left, its scales,
 * right, its scales, bias, the scales of C, then the row maxima, quantisation and ReLU words that
 * B.FPATR asks for; a side that is Shared is not among them. Destinations: the result, row maxima,
 * group maxima. */
struct isa_matrix_schema {
    const struct isa_prequant *prequant;
    bool accumulator, bias, mx, gemv;
    bool left_scale, right_scale, left_shared, right_shared;
    bool quant_tile, relu_tile, quant_scalar, relu_scalar;
    bool c_scale, takes_c_scale; /* CScaleEn is set; it may be */
    uint8_t accumulator_type; /* DataType code */
    uint8_t nmathematical, nsources, ndestinations, nscalars;
};

enum isa_matrix_problem {
    ISA_MATRIX_GOOD,
    ISA_MATRIX_LEFT_TYPE, /* the operation does not take it */
    ISA_MATRIX_RIGHT_TYPE,
    ISA_MATRIX_CLASS,  /* floating, signed and unsigned inputs do not mix */
    ISA_MATRIX_SHARED, /* Shared tiles replace the right operands or both sides */
    ISA_MATRIX_MODE,   /* a reserved PreQuantMode */
};

/* The schema of a CUBE bundle (asl/tile/model/legality/matrix-functions.asl). Only with GOOD is
 * *schema complete. */
enum isa_matrix_problem isa_matrix_schema(const struct isa_matrix_bundle *b,
                                          struct isa_matrix_schema *schema);
/* The rule between its own fields that a B.FPATR breaks; NULL: none. */
const char *isa_fpatr_problem(const struct isa_fpatr *f);
/* Columns of one group of B.FPATR GroupNCode; 0: none. */
unsigned isa_group_width(unsigned code);

/* ---- encodings and names that must be refused ---- */

struct isa_reserved {
    const char *name; /* "BSTART.VPAR" */
    uint64_t mask, match;
    uint8_t length;
    isa_revset revs;
    uint8_t nfields, nconstraints; /* e.g. FIXUP: simm17 != 0 */
    const struct isa_field *fields;
    const struct isa_constraint *constraints;
};

struct isa_retired {
    const char *name;    /* "TFREE", "B.IOD", "C.B.IOS" */
    const char *message; /* "retired; …" : what to use instead, where the spec says so */
    isa_revset revs;
};

struct isa_sysreg {
    const char *name;
    uint32_t address;
    uint8_t access;       /* 1 read, 2 write, 3 both */
    const char *scope;    /* "base", "context-family" */
    const char *behavior; /* behaviour class of the catalogue */
    const char *description;
};

/* ---- the tables ---- */

extern const struct isa_revision isa_revisions[];
extern const struct isa_enumeration isa_enumerations[];
extern const struct isa_form isa_forms[];
extern const struct isa_spelling isa_spellings[];
extern const struct isa_reloc isa_relocs[];
extern const struct isa_foreign_reloc isa_foreign_relocs[];
extern const struct isa_tileop isa_tileops[];
extern const struct isa_accumulator isa_accumulators[];
extern const struct isa_prequant isa_prequants[];
extern const struct isa_reserved isa_reserved_encodings[];
extern const struct isa_retired isa_retired_names[];
extern const struct isa_sysreg isa_sysregs[];
extern const char *const isa_field_names[]; /* by ISA_FIELD_… */
extern const char *const isa_class_names[]; /* by ISA_CLASS_… */
extern const char *const isa_mnemonic_names[];

/* ---- look-ups (isa/isa.c) ---- */

/* All spellings of one mnemonic, a run of isa_mnemonic_index[]. */
struct isa_mnemonic {
    const char *name; /* upper case */
    uint16_t first, count;
    uint8_t set; /* enum isa_set; isagen refuses a name that both sets use */
};
extern const struct isa_mnemonic isa_mnemonics[]; /* sorted by name */
extern const uint16_t isa_mnemonic_index[];       /* indexes into isa_spellings[] */

/* Exact name, without case; NULL when there is none. Constant time. */
const struct isa_mnemonic *isa_find_mnemonic(const char *text, size_t len);
/* The longest prefix ending before a '.' (or the whole) that is a mnemonic; *used = its length. */
const struct isa_mnemonic *isa_find_mnemonic_prefix(const char *text, size_t len, size_t *used);

/* Member by name, without case, in any of `revs`; NULL when there is none. */
const struct isa_member *isa_find_member(const struct isa_enumeration *e, const char *text,
                                         size_t len, isa_revset revs);
/* The same for a caller that knows fold_hash of the name. */
const struct isa_member *isa_find_hashed_member(const struct isa_enumeration *e, uint32_t hash,
                                                const char *text, size_t len, isa_revset revs);
/* The printed member with this value, NULL when there is none. */
const struct isa_member *isa_member_of_value(const struct isa_enumeration *e, uint64_t value,
                                             isa_revset revs);

/* Field of a form by ISA_FIELD_…; its index in form->fields, or -1. */
int isa_field_index(const struct isa_form *form, unsigned name);
static inline bool isa_may_relax(const struct isa_form *form)
{
    return form->shorter || form->longer;
}
/* The one field with a PC-relative relocation of a form that has a shorter or longer sister. */
unsigned isa_displacement(const struct isa_form *form);
const struct isa_reloc *isa_displacement_reloc(const struct isa_form *form);

const struct isa_revision *isa_find_revision(const char *name,
                                             size_t len); /* "pto0.58.3", "0.58.3", "cayman" */
const struct isa_tileop *isa_find_tileop(const char *name, size_t len); /* without case */
/* The operation that a start word selects: engine + selector/function; NULL: reserved. */
const struct isa_tileop *isa_tileop_of(uint8_t engine, unsigned selector, isa_revset rev);
/* Whether a bundle of the operation takes B.IOS in a revision: enum isa_need. */
uint8_t isa_tileop_ios(const struct isa_tileop *op, isa_revset rev);
/* The form with the same id in a revision; NULL: the revision has none. */
const struct isa_form *isa_form_in(const struct isa_form *form, isa_revset rev);
const struct isa_reloc *isa_reloc_by_number(unsigned number);                 /* NULL: unknown */
const struct isa_foreign_reloc *isa_foreign_reloc_by_number(unsigned number); /* NULL: not known */
const struct isa_retired *isa_find_retired(const char *text, size_t len);

/* Candidates for decoding, most specific first: forms of `length` bytes whose
 * low seven bits can be `low7`. */
const uint16_t *isa_decode_bucket(unsigned length, unsigned low7, size_t *count);
/* SEQ: candidates by opcode byte. */
const uint16_t *isa_seq_bucket(unsigned opcode, size_t *count);

/* Value bits <-> instruction bits. `bytes` is the instruction in memory order. */
uint64_t isa_get_bits(const struct isa_piece *pieces, unsigned npieces, unsigned bit_offset,
                      const uint8_t *bytes); /* not sign-extended */
void isa_set_bits(const struct isa_piece *pieces, unsigned npieces, unsigned bit_offset,
                  uint64_t value, uint8_t *bytes);

#endif
