/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of asm/ share: the state of one assembly.
 *
 * One pass over the statements fills sections with bytes and notes fixups;
 * asm_finish then settles what was not known at its line. Every struct lives in
 * `arena`, except section contents and the tables, which grow. Nothing is freed
 * singly. Offsets count the bytes as they were emitted until asm_layout has
 * chosen the forms of relaxable instructions (relax.c).
 */
#ifndef PTO_ASM_ASSEMBLER_H
#define PTO_ASM_ASSEMBLER_H

#include "asm/asm.h"
#include "grammar/grammar.h"

/* ---- values (expr.c) ---- */

enum value_kind {
    VALUE_ERROR,    /* already reported */
    VALUE_ABSOLUTE, /* number */
    VALUE_PLACE,    /* section + number; `symbol` is the label it came from, or NULL for `.` */
    VALUE_EXTERNAL, /* symbol + number, the symbol is not defined in this file (or is common) */
    VALUE_LATER,    /* needs something that is not defined yet */
};

struct value {
    uint8_t kind;
    int64_t number;
    struct section *section;
    struct symbol *symbol;
    /* PLACE and EXTERNAL: the place (minus, minus_offset) is subtracted; NULL: nothing is. */
    struct section *minus;
    uint64_t minus_offset;
    /* Points (relax.c) of the section before the place: the difference of two places is known
     * before asm_layout only when as many stand before both. LATER: `section` is where they stand.
     */
    uint32_t points, minus_points;
};

struct assembler;
struct value asm_eval(struct assembler *as, const struct ast_expr *expr);
/* A number that must be known now: .fill count, .if. False: reported. `what` names it. */
bool asm_eval_number(struct assembler *as, const struct ast_expr *expr, const char *what,
                     int64_t *number);
/* False: reported, the name of `size` bytes holds a NUL. */
bool asm_name_is_whole(struct assembler *as, const char *text, size_t size, struct loc loc);
/* A copy for later: `.`, 1b, 1f and .set symbols keep the meaning they have here. */
const struct ast_expr *asm_capture(struct assembler *as, const struct ast_expr *expr);

/* ---- symbols (symbol.c) ---- */

enum symbol_kind {
    SYMBOL_UNDEFINED,
    SYMBOL_PENDING, /* a label waiting for its section (see asm_settle) */
    SYMBOL_LABEL,   /* section + offset */
    SYMBOL_EQUATED, /* .set: value, or expr when it was not known at its line */
    SYMBOL_COMMON,  /* size, align */
};

struct symbol {
    const char *name;      /* interned, except for generated symbols */
    struct loc definition; /* of the label, .set or .comm; {0} while undefined */
    struct loc use;        /* first use, for messages about undefined symbols */
    uint8_t kind;          /* enum symbol_kind */
    uint8_t bind;          /* enum obj_bind */
    uint8_t type;          /* enum obj_symbol_type */
    uint8_t visibility;    /* enum obj_visibility */
    bool bound;            /* .globl, .weak or .local named it */
    bool redefinable;      /* .set and `=`, not .equiv */
    bool referenced;
    bool is_register; /* spelled like a register: only "quoted" uses are the symbol */
    bool generated;   /* numeric labels and places: not in the object */
    bool resolving;   /* guards against .set a, b / .set b, a */
    bool exported;    /* has a row in the object: `index` */
    bool here;        /* a `.` of an operand */
    uint32_t index;
    uint32_t points; /* LABEL: of the section before it */
    struct section *section;
    uint64_t offset;
    struct value value;
    const struct ast_expr *expr;
    uint32_t later_at;       /* EQUATED: in this as->epoch it was not known */
    struct symbol *snapshot; /* EQUATED: the value of this definition, for captured expressions */
    const struct ast_expr *size_expr; /* .size */
    uint64_t size, align;             /* common */
};

/* The symbol of an interned name, made when it is new. */
struct symbol *asm_symbol(struct assembler *as, const char *name);
/* Redefinition is reported, and a register's name that is not quoted. */
void asm_define_label(struct assembler *as, const char *name, struct loc loc, bool quoted);
void asm_define_local_label(struct assembler *as, int64_t number, struct loc loc);
void asm_equate(struct assembler *as, const char *name, struct loc name_loc,
                const struct ast_expr *expr, bool redefinable);
void asm_define_common(struct assembler *as, const char *name, struct loc loc, uint64_t size,
                       uint64_t align);
/* 1b and 1f. NULL: reported. */
struct symbol *asm_local_label(struct assembler *as, const struct ast_expr *expr);
/* Makes it a label of the current place. */
void asm_place_symbol(struct assembler *as, struct symbol *symbol);
/* A generated symbol that keeps the value which a .set symbol has now. */
struct symbol *asm_snapshot(struct assembler *as, struct symbol *symbol);
/* A generated symbol for the location counter. */
struct symbol *asm_here(struct assembler *as, struct loc loc);
/* Symbols named in messages, the register names included, in all name spaces. */
bool asm_is_register(const char *name, size_t size);
struct value asm_symbol_value(struct assembler *as, struct symbol *symbol, struct loc use);

/* ---- whole bundles (bundle.c) ---- */

enum bundle_state {
    BUNDLE_CLOSED,
    BUNDLE_OPEN,
    BUNDLE_UNKNOWN, /* behind raw bytes or under .option nobundle: nothing is judged */
};

enum bundle_command {
    COMMAND_CATR,
    COMMAND_DATR,
    COMMAND_FPATR,
    COMMAND_IOR,
    COMMAND_HINT,
    COMMAND_LB0,
    COMMAND_LB1,
    COMMAND_LB2,
    COMMAND_IOT,
    COMMAND_IOS,
    COMMAND_SUBVIEW,
    COMMAND_ASSEMBLE,
    COMMAND_COUNT
};

enum { BUNDLE_MAX_IOT = 16, BUNDLE_MAX_IOS = 4 }; /* pto-isa.md C.1 item 2 */
enum { BUNDLE_SCALARS = 3 };                      /* source slots of B.IOR */

struct tile_binding { /* one B.IOT or B.IOS */
    struct loc loc;
    uint64_t offset; /* of its word in the section */
    const struct isa_form *form;
    uint64_t mask;
    uint64_t shared;          /* B.IOS: tile number */
    uint8_t sources, source0; /* source0: code of the first */
    uint8_t hand;             /* code of the destination's */
    bool destination, last;
};

enum { BUNDLE_NO_DIMENSION = -1, BUNDLE_SOME_DIMENSION = -2 }; /* not written; by a register */

struct bundle {
    uint8_t state;    /* enum bundle_state */
    struct loc start; /* BSTART; the stop when closed, for notes */
    const struct isa_form *form;
    const struct isa_tileop *op; /* NULL: a scalar block */
    unsigned errors; /* diag_errors but for those of the bundle's own rules; see close_bundle */
    bool extension;  /* codes beyond the revision: op's schema does not apply */
    bool unjudged;   /* raw bytes inside */
    bool unchecked;  /* .option nobundle was on somewhere inside */
    struct loc body; /* first scalar instruction; {0} none */
    bool transfers;  /* the latest body instruction never falls through */
    struct loc command[COMMAND_COUNT]; /* first of its kind; {0} none */
    struct tile_binding iot[BUNDLE_MAX_IOT], ios[BUNDLE_MAX_IOS];
    unsigned niot, nios;
    uint8_t ios_need;                 /* enum isa_need of B.IOS in this revision */
    const struct tile_binding *group; /* B.IOT or B.IOS that range modifiers may still follow */
    uint8_t next_role;                /* enum range_role that the next one may have */
    uint16_t datr_nonzero;            /* ISA_DATR_… of fields that are not zero */
    bool control_dr;                  /* B.CATR dr */
    uint8_t type, datr_type;          /* DataType codes of the start and of B.DATR */
    struct isa_fpatr fpatr;
    int32_t dimension[3]; /* LB0..LB2 by B.DIM; BUNDLE_NO_DIMENSION, BUNDLE_SOME_DIMENSION */
    uint8_t scalar[BUNDLE_SCALARS], scalar_destination; /* B.IOR; 0 is the register zero */
};

/* Runs the rules for one instruction at the end of the current section, before it is emitted. */
void asm_bundle_insn(struct assembler *as, const struct isa_insn *insn, bool explicit_last,
                     struct loc loc);
/* Raw bytes at the current place: what they do to a bundle is unknown. */
void asm_bundle_raw(struct assembler *as);
/* .option bundle and nobundle. */
void asm_bundle_checks(struct assembler *as, bool on);
/* A bundle that is still open at the end of its section. */
void asm_bundle_end(struct assembler *as, struct section *section);
/* The open bundle uses codes beyond its revision (DESIGN §2.3): only structural rules apply. The
 * caller names the extension in object.identity.extensions. */
void asm_bundle_extension(struct assembler *as);

/* ---- sections (section.c) ---- */

enum section_class { CLASS_ANY, CLASS_PTO, CLASS_SEQ, CLASS_COUNT };

struct section {
    const char *name; /* interned */
    uint32_t type;    /* enum obj_section_type or a number of the user's */
    uint64_t flags;   /* OBJ_WRITE … */
    uint64_t align, entsize;
    struct loc loc;  /* where it was named first */
    uint32_t index;  /* in object.sections */
    uint8_t class;   /* enum section_class: instructions it holds so far */
    uint8_t content; /* enum obj_content + 1 of the latest bytes, 0 none */
    struct loc class_loc;
    uint64_t size;        /* NOBITS */
    struct buffer bytes;  /* others */
    struct symbol *label; /* section symbol */
    const char *group;    /* signature of its group; NULL: none */
    bool comdat;
    const char
        *linked; /* with OBJ_LINK_ORDER: a symbol in the section that it follows, or its name */
    VEC(struct line_row) lines;
    struct bundle bundle;
    VEC(struct point) points;
    int64_t shift;                   /* final size - emitted size */
    const struct isa_form *previous; /* form of the latest instruction; NULL: none, or raw bytes */
    bool previous_relaxable;         /* it is the last of `points` */
    uint8_t hold;                    /* enum hold of the next point */
    uint32_t last_mapping;           /* index + 1 while mappings are settled */
};

struct line_row {
    struct obj_line row;
    uint32_t points;
};

struct mapping { /* from here on, `content`: $x, $q or $d */
    struct section *section;
    uint64_t offset;
    uint32_t points;
    uint8_t content; /* enum obj_content */
    bool empty;      /* the next one of the section is at the same place */
};

struct section_key { /* what .section says */
    const char *name;
    uint32_t type;
    uint64_t flags, entsize;
    bool has_flags, has_type;
    const char *group, *linked; /* as in struct section */
    bool comdat;
};

/* The section, made when it is new; attributes that contradict an earlier line are reported. */
struct section *asm_section(struct assembler *as, const struct section_key *key, struct loc loc);
/* Makes it current because the source names it. */
void asm_enter_section(struct assembler *as, struct section *section);
void asm_push_section(struct assembler *as);
bool asm_pop_section(struct assembler *as);
/* Decides the home section when the source has named none, and places waiting labels there. */
void asm_settle(struct assembler *as, enum section_class class);
uint64_t asm_offset(const struct section *section);
/* From here on the current section holds `content`. */
void asm_note_content(struct assembler *as, enum obj_content content);
/* `size` zeroed bytes of content at the end of the current section, to be filled at once (they move
 * when the section grows). Never NULL: what a section cannot hold is reported and goes nowhere. */
uint8_t *asm_extend(struct assembler *as, enum obj_content content, size_t size, struct loc loc);
/* False: the section would become absurdly large (reported). */
bool asm_fits(struct assembler *as, uint64_t size, struct loc loc);
/* `size` zero bytes, in NOBITS sections too. False: reported. */
bool asm_reserve(struct assembler *as, uint64_t size, struct loc loc);
void asm_raise_align(struct section *section, uint64_t align);

/* ---- instructions (insn.c) ---- */

/* The mnemonic as it is written. */
const char *asm_form_name(const struct isa_form *form);

/* One AST_INSN. False stops the parse (the file is assembled again for another revision). */
bool asm_insn(struct assembler *as, const struct ast_stmt *stmt);
/* Reports the clauses that a SEQ record violates; `open` as for isa_seq_validate. */
bool asm_record_valid(struct assembler *as, const struct isa_form *form, const uint8_t *bytes,
                      uint64_t open, struct loc loc);
/* Packs one matched instruction at the current place, with all checks of its bundle. */
void asm_emit_insn(struct assembler *as, const struct isa_insn *insn, struct loc loc);
/* What an object with an instruction at `loc` says about itself. */
void asm_note_insn(struct assembler *as, enum isa_set set, struct loc loc);
/* Alignment fill of `count` bytes of code; odd counts and open bundles are reported. */
void asm_fill_code(struct assembler *as, uint64_t count, struct loc loc);
/* True: reported, the count is odd. */
bool asm_fill_is_odd(struct assembler *as, uint64_t count, struct loc loc);
/* The fill into `bytes`, an even count, without checks. */
void asm_write_filler(uint8_t *bytes, uint64_t count);
void asm_report_fill_in_bundle(struct assembler *as, uint64_t count, struct loc loc,
                               struct loc bundle);

/* ---- fixups (reloc.c) ---- */

struct fixup {
    struct section *section;
    uint64_t offset;               /* of the instruction or datum */
    const struct ast_expr *expr;   /* captured */
    const struct isa_form *form;   /* NULL: data of `size` bytes */
    const struct isa_reloc *reloc; /* NULL: only a number will do */
    struct loc loc;
    uint32_t points; /* of the section before it */
    uint8_t field, scale, size;
    uint8_t element; /* of an array field */
    int8_t bias;
};

void asm_add_fixup(struct assembler *as, const struct fixup *fixup);
/* Index of the symbol's row in the object, made when it is new (object.c). */
uint32_t asm_export_symbol(struct assembler *as, struct symbol *symbol);
/* All fixups become bytes or relocations of the object. */
void asm_apply_fixups(struct assembler *as);
/* True when the target of a fixup is a local place of its section: linking cannot change the
 * distance. */
bool asm_is_near(const struct fixup *f, const struct value *v);
/* The operand's symbol without %tpcrel_hi or %tpcrel_lo. */
const struct ast_expr *asm_fixup_target(const struct fixup *f);
/* Does the relocation reach `distance` bytes? */
bool asm_in_reach(const struct isa_reloc *row, int64_t distance);
/* Stores a number in `size` bytes; out of range is reported. */
void asm_store(struct assembler *as, uint8_t *bytes, unsigned size, int64_t number, struct loc loc);

/* ---- relaxation (relax.c) ---- */

enum point_kind { POINT_INSN, POINT_ALIGN, POINT_ORG };

enum hold { HOLD_NOTHING, HOLD_LENGTH, HOLD_FORM }; /* not shorter than written; as written */

struct gap { /* of .align or .org behind an instruction whose length is not settled */
    struct loc loc;
    uint64_t align, max; /* POINT_ALIGN; max 0: no limit */
    uint64_t target;     /* POINT_ORG: offset, with target_points before it */
    uint32_t target_points;
    uint8_t fill;
    bool code;         /* filled with instructions */
    struct loc bundle; /* of the bundle that is open here; {0}: none */
};

/* A place whose size is settled behind the last line. */
struct point {
    uint64_t offset; /* as emitted */
    int64_t shift;   /* of its offset, in the latest layout */
    uint32_t size;   /* as emitted */
    uint32_t final;  /* in the latest layout */
    uint32_t widest; /* POINT_ORG: in the first one */
    uint8_t kind;    /* enum point_kind */
    uint8_t hold;    /* enum hold */
    uint32_t target_points;
    uint32_t fixup; /* POINT_INSN: index in as->fixups */
    uint64_t target;
    const struct isa_form *form; /* chosen so far */
    const struct gap *gap;
};

/* An instruction is about to be emitted. */
void asm_relax_follow(struct assembler *as, const struct isa_form *form);
/* The instruction of the latest fixup stands at `offset` of the current section. */
void asm_relax_insn(struct assembler *as, const struct isa_form *form, uint64_t offset);
/* Raw bytes at the current place. */
void asm_relax_raw(struct section *section);
/* Bytes that .org puts; backwards, an odd byte, so that what follows does not change its parity. */
uint64_t asm_org_size(int64_t distance);
/* Emits `size` bytes of fill at the end of the current section, for now. */
void asm_relax_gap(struct assembler *as, enum point_kind kind, uint64_t size,
                   const struct gap *gap);
/* Chooses all forms; from here on all offsets are final. */
void asm_layout(struct assembler *as);

/* ---- directives, macros, conditionals ---- */

void asm_init_directives(struct assembler *as);
void asm_directive(struct assembler *as, const struct ast_stmt *stmt);
/* True when the statement called a macro. */
bool asm_macro_call(struct assembler *as, const struct ast_stmt *stmt);

struct condition {
    struct loc loc;
    unsigned depth; /* grammar_depth where .if stood */
    bool taken;     /* some branch was assembled */
    bool has_else;
};

/* Forgets conditionals of sources deeper than `depth`. */
void asm_cond_leave(struct assembler *as, unsigned depth, bool report);

/* ---- sources (source.c) ---- */

struct source { /* a text that was registered with diag */
    const char *name;
    uint32_t file;
    enum diag_role role;
    struct loc parent;
    const char *text;
    size_t size;
};

uint32_t asm_add_source(struct assembler *as, const char *name, const char *text, size_t size,
                        struct loc parent, enum diag_role role);
const struct source *asm_find_source(const struct assembler *as, uint32_t file); /* NULL: none */
enum diag_role asm_source_role(const struct assembler *as, uint32_t file);
/* The place outside all macros: what a debugger shows. */
struct loc asm_debug_place(const struct assembler *as, struct loc loc);
/* Parses `text` before the rest of the source; too deep is reported at `loc`. Its number in diag.
 */
uint32_t asm_push_text(struct assembler *as, const char *name, const char *text, size_t size,
                       struct loc loc, enum diag_role role);

/* ---- what tools learn (observe.c) ---- */

void asm_observe_definitions(struct assembler *as);
void asm_observe_macros(struct assembler *as, const struct asm_observer *observer); /* macro.c */

/* ---- line table, listing, object ---- */

/* A row for an instruction at the current place. */
void asm_line_row(struct assembler *as, struct loc loc);
void asm_line_finish(struct assembler *as);
/* The statement at `loc` began with the section at `offset` behind `points` (NULL: no section
 * yet). */
void asm_list_statement(struct assembler *as, struct loc loc, const struct section *section,
                        uint64_t offset, uint32_t points);
void asm_list_source(struct assembler *as, uint32_t file);
void asm_list_skipped(struct assembler *as, struct loc first, struct loc behind);
void asm_list_left(struct assembler *as, struct loc loc);
void asm_list_captured(struct assembler *as, struct loc end);
void asm_list_debug(struct assembler *as, struct loc loc);
void asm_list_high(struct assembler *as, struct loc loc, uint32_t file, uint32_t line);
void asm_list_finish(struct assembler *as);
/* A PTO-AS statement is lowered; an instruction comes of it (ptoas_show.c). */
void asm_show_statement(struct assembler *as, struct loc loc);
void asm_show_insn(struct assembler *as, struct loc loc);
void asm_show_finish(struct assembler *as);
/* Behind the last statement: settles everything and fills as->object. */
void asm_finish(struct assembler *as);

/* An empty buffer, good until the next call. */
struct buffer *asm_scratch(struct assembler *as);
struct isa_target asm_default_target(const struct assembler *as);

struct macro;
struct section_frame {
    struct section *section, *previous;
};

enum listing_kind {
    LISTING_BYTES,   /* of the statement in the line */
    LISTING_SOURCE,  /* the line reads another text, `file` of `line` is where that begins */
    LISTING_READ,    /* the lines up to this one have been taken in */
    LISTING_SKIPPED, /* lines up to `last` are in a branch that was not taken */
    LISTING_DEBUG,   /* the line is for debuggers */
    LISTING_HIGH,    /* line `last` of line file `high` is what follows */
};

struct listing_row { /* in the order of the assembly */
    enum listing_kind kind;
    uint32_t file, line; /* of the source text */
    uint32_t last, high;
    struct section *section;
    uint64_t offset, end;
    uint32_t points, end_points; /* of the section before them */
};

struct lowered_row { /* --emit=bundles: a PTO-AS statement, or an instruction made of it */
    bool insn;
    struct section *section; /* of an instruction */
    uint64_t offset;
    uint32_t points; /* of the section before it */
    struct loc loc;  /* of the statement */
};

/* What -D, .isa and a mask that only one revision has say about the revision. */
struct revision_choice {
    bool named;          /* by option or .isa */
    struct loc named_at; /* .isa; {0}: the option */
    bool fallback;       /* this run is the second, for pto0.58.2 */
    bool restart;        /* the run stops; the next is the second */
    struct loc mask_loc; /* the line that asked for it */
    const char *mask;
};

struct assembler {
    struct mem *mem;
    struct diag *diag;
    const struct asm_options *options;
    struct arena *arena;
    struct intern *names;
    struct grammar *grammar;
    struct object *object;
    const char *name;

    struct isa_target target;
    struct revision_choice revision;
    struct loc first_insn; /* {0}: none yet */
    struct loc first_pto, first_seq, first_ptoas;
    bool aborted;           /* what follows cannot be judged; the object is lost */
    bool stopped;           /* .end */
    bool final;             /* after the last statement: what is undefined stays so */
    bool laid_out;          /* asm_layout is done */
    unsigned resolving;     /* .set symbols whose values are being found */
    uint32_t epoch;         /* grows when a value may have become known */
    bool nobundle;          /* .option nobundle or -mno-bundle-check */
    bool norelax;           /* .option norelax or -mno-relax */
    unsigned errors_before; /* diag_errors when the run began */

    struct section *section; /* current; NULL until the first is chosen */
    struct section *previous;
    bool section_named;
    struct section *home[CLASS_COUNT]; /* of a class while no section is named; NULL: not used */
    VEC(struct section *) sections;
    struct map section_names; /* name (and group) -> struct section */
    struct map groups;        /* signature -> number in object.groups + 1 */
    VEC(struct section_frame) section_stack;
    VEC(struct mapping) mappings;

    struct map symbols; /* name -> struct symbol */
    VEC(struct symbol *) symbol_list;
    VEC(struct symbol *) pending; /* labels waiting for asm_settle */
    struct map local_labels;      /* number + 1 -> struct local_label */

    VEC(struct fixup) fixups;
    VEC(struct condition) conditions;
    VEC(struct source) sources;
    size_t sources_used;   /* of `sources` in this run */
    struct map directives; /* name -> row + 1 */
    struct map macros;     /* name -> struct macro */
    size_t expanded;       /* bytes of all expansions */
    uint32_t file;         /* the main source */
    unsigned macro_calls;  /* \@ */

    struct map line_files;      /* name -> index + 1 in object.line_files */
    VEC(uint32_t) file_numbers; /* .file N "name": index + 1 in object.line_files */
    const char *file_symbol;    /* .file "name"; NULL */
    bool loc_used;              /* .loc makes all rows from here on */
    struct obj_line loc_row;    /* .loc for the next instruction; line 0: none */
    struct map dependencies;    /* files in options->dependencies, by name */
    VEC(struct listing_row) listing;
    VEC(struct lowered_row) lowered;
    struct buffer scratch; /* see asm_scratch */
    struct map highs;      /* %tpcrel_hi by what it points to (reloc.c) */

    struct ptoas *ptoas;                      /* NULL: no PTO-AS statement yet */
    uint32_t published[ISA_TileHand_MEMBERS]; /* tile destinations of all bundles so far */
    unsigned labels, branches;                /* so far: what makes slots uncertain */
};

#endif
