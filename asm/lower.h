/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inside of PTO-AS lowering (asm/ptoas*.c): tile types, the values they
 * give to names, what TMOV may do, and how it is written in words.
 *
 * A tile value lives in a slot of its hand (DESIGN §2.6). Which slot is known
 * only behind the last statement, because every input tile of the file is
 * published before entry. So words that name a tile are emitted with an empty
 * field and filled in by asm_ptoas_finish.
 */
#ifndef PTO_ASM_LOWER_H
#define PTO_ASM_LOWER_H

#include "asm/ptoas.h"
#include "asm/verify.h"

/* ---- tile types (ptoas_type.c) ---- */

enum place { /* where a tile stands in the C++ model */
             PLACE_VEC,
             PLACE_MAT,
             PLACE_LEFT,
             PLACE_RIGHT,
             PLACE_ACC,
             PLACE_BIAS,
             PLACE_SCALING,
             PLACE_SCALE_LEFT,
             PLACE_SCALE_RIGHT,
             PLACE_COUNT,
             NO_PLACE = PLACE_COUNT
};

struct place_row {
    const char *name;
    uint8_t hand; /* ISA_TileHand_… */
};
extern const struct place_row ptoas_places[PLACE_COUNT];

struct element {
    const char *name; /* "f16" */
    uint8_t dtype;    /* ISA_DataType_… */
    uint8_t bits;     /* of one element */
};
const struct element *ptoas_element(const char *name); /* NULL: unknown */
const char *ptoas_element_name(unsigned dtype);        /* of a DataType that elements have */

/* Outer order, inner order: the names of the layouts in B.DATR. */
enum layout { LAYOUT_ND, LAYOUT_DN, LAYOUT_ZZ, LAYOUT_ZN, LAYOUT_NZ, LAYOUT_NN, LAYOUT_COUNT };
extern const char *const ptoas_layout_names[LAYOUT_COUNT];

enum { COMPACT_ROW_PLUS_ONE = 2 };
enum { SMALLEST_TILE = 128 }; /* bytes of size code 1; each further code doubles them */
enum { ISA_BOX = 512 }; /* the fractal whose boxes the ISA's own NZ has */

struct tile_type {
    enum place place;
    const struct element *element;
    uint32_t rows, cols;      /* physical */
    uint32_t v_rows, v_cols;  /* valid region; what it has at most where a register says */
    uint8_t row_reg, col_reg; /* of the valid rows and columns; 0: they are known */
    uint8_t blayout, slayout; /* enum obj_major */
    uint8_t compact;
    uint16_t fractal; /* bytes of a box */
    struct loc loc;
};

/* The tile type that `type` names. `place` is used when it has no loc (NO_PLACE: vec). What it
 * lacks, and what no tile can be, is reported: false. */
bool ptoas_tile_type(struct assembler *as, const struct ast_type *type, struct loc use,
                     enum place place, struct tile_type *out);
/* The parts of a type that say how a tile lies; a valid extent that is not known is taken for the
 * whole. False: something is missing or unknown, nothing is reported. */
bool ptoas_describe_tile(const struct assembler *as, const struct ast_type *type,
                         struct tile_type *out);
/* Lines of 32 bytes, and whole boxes. Unless `strict`, vec tiles, single rows and scale boxes may
 * have a part of a box, as in PTOAS; such a tile needs more memory than its elements, so it is not
 * lowered. False: reported. */
bool ptoas_tile_fits_layout(struct assembler *as, const struct tile_type *t, bool strict);
/* Valid rows or columns. */
struct extent {
    uint32_t most;
    uint8_t reg; /* 0: exactly `most`, else what is in the register */
};
struct extent ptoas_rows(const struct tile_type *t);
struct extent ptoas_cols(const struct tile_type *t);
bool ptoas_same_extent(struct extent a, struct extent b);
bool ptoas_is_open(const struct tile_type *t); /* an extent is in a register */
bool ptoas_same_type(const struct tile_type *a, const struct tile_type *b);
enum layout ptoas_layout(const struct tile_type *t);
/* Rows and columns of a box; 1, 1 without boxes. */
void ptoas_box(const struct tile_type *t, uint32_t *rows, uint32_t *cols);
uint64_t ptoas_tile_bytes(const struct tile_type *t);
uint64_t ptoas_row_bytes(const struct tile_type *t); /* cols * element size */
/* The smallest size code that holds the tile; 0: reported, none does. */
uint64_t ptoas_size_code(struct assembler *as, const struct tile_type *t, struct loc loc);
/* "!pto.tile_buf<loc=vec, dtype=f16, …>": the canonical text, in the arena. */
const char *ptoas_type_text(struct arena *a, const struct tile_type *t);

/* ---- values (ptoas_value.c) ---- */

/* How a value lies in its tile register, which the type need not tell: tile operations derive rows
 * from the capacity, and make what the ISA has no type for. */
struct tile_shape {
    uint32_t rows, cols; /* physical */
    uint8_t dtype;       /* ISA_DataType_… */
    uint8_t form;        /* enum tile_form */
};

enum tile_form {
    TILE_FORM_TYPE,      /* as the type's layout */
    TILE_FORM_PREDICATE, /* packed results of a comparison */
    TILE_FORM_ROWS,      /* row-major, whatever the type says; for the matrix unit only */
    TILE_FORM_CUBE,      /* cells of an operand or result of the matrix unit */
};

struct tile_value {
    const char *name;
    struct tile_type type;
    struct tile_shape shape;
    bool input;
    uint32_t ordinal; /* input: of publication; else: publications in the hand before it, inputs
                         not counted */
    bool certain;     /* no label stood between the entry and it */
    bool read;
    struct tile_value *copied; /* what this is a copy of, made where ways of control meet */
    struct loc loc;
};

/* A name: an SSA value, or a DPS buffer whose writes rebind it. */
struct tile_name {
    const char *name;
    struct tile_value *value; /* NULL: declared by alloc_tile, not written yet */
    struct loc loc;
    bool declared;         /* by alloc_tile or as an argument */
    struct tile_type type; /* of the declaration */
    bool result;           /* an SSA result: never rebound */
    /* A buffer at an address: the bytes that it shares with others hold what was written last. */
    bool placed;
    uint64_t address, bytes;
    const struct tile_name *lost_to; /* another buffer that was written over it; NULL: none */
    struct loc lost_at;
};

/* A word whose tile field waits for the slot. */
struct tile_use {
    struct section *section;
    uint64_t offset;
    const struct isa_form *form;
    unsigned field; /* ISA_FIELD_SrcTile… */
    const struct tile_value *value;
    uint32_t published; /* publications in the hand until then, inputs not counted */
    struct loc loc;
};

struct ptoas_region {
    uint8_t kind; /* enum region_kind of ptoas.c */
    const char *function;
    struct section *section;
    uint64_t start; /* offset of a function */
};

enum scalar_kind { SCALAR_INTEGER, SCALAR_REAL, SCALAR_REGISTER };

/* A number: a constant, or what a register holds. */
struct scalar {
    uint8_t kind;
    uint64_t number;  /* constants: sign-extended, i1 0 or 1; SCALAR_REAL: the bits in its type */
    double real;      /* SCALAR_REAL */
    uint64_t reg;     /* SCALAR_REGISTER */
    const char *type; /* "index", "f16"; of a pointer its own text */
};

struct flag { /* what set_flag or record_event names: "PIPE_MTE2 PIPE_V EVENT_ID0" */
    const char *name;
    unsigned set; /* times that nobody waited for yet */
    struct loc loc;
};

/* A name that goes out of sight with its region. */
struct binding {
    struct map *map;
    const char *name;
};

struct ptoas {
    int target;           /* 3 or 5 */
    const char *function; /* the latest, in the object's arena */
    struct map tiles;     /* name -> struct tile_name, of the function */
    struct map scalars;   /* name -> struct scalar, of the function */
    struct map refused;   /* names whose operation was refused: uses of them say nothing */
    struct map views;     /* name -> struct view, of the function */
    VEC(struct binding) bindings;
    VEC(struct tile_name *) placed; /* buffers at addresses, in sight */
    unsigned apart;                 /* buffers that have an address for their aliases only */
    uint32_t registers;      /* bit n: R[n] holds a number */
    uint32_t iterations;     /* of loops that are unrolled, so far */
    unsigned loops;          /* labels and names of kept control flow so far */
    bool kept;               /* the function has some */
    struct capture *capture; /* NULL: none is open */
    VEC(struct flag) flags;  /* of the function (ptoas_sync.c) */
    struct map inputs;       /* name -> struct tile_value, of the file */
    VEC(struct tile_value *) input_list;
    VEC(struct tile_value *) made;    /* with those that have no name */
    VEC(struct tile_value *) outputs; /* the others of them */
    VEC(struct tile_use) uses;
    VEC(struct ptoas_region) regions;
    uint32_t inputs_in[ISA_TileHand_MEMBERS];
    uint32_t base[ISA_TileHand_MEMBERS]; /* publications when the function began */
    unsigned labels;                     /* labels when it began */
    struct verifier *verifier;
};

/* Puts a name into one of the maps, until the region in which it is defined ends. */
void ptoas_bind(struct assembler *as, struct map *map, const char *name, void *what);
/* Ends the sight of names bound since there were `count` bindings. */
void ptoas_unbind(struct assembler *as, size_t count);
bool ptoas_is_refused(const struct assembler *as, const char *name);
bool ptoas_has_value(const struct assembler *as, const char *name);
/* The type of a name that has one. */
bool ptoas_known_type(const struct assembler *as, const char *name, struct tile_type *type);
/* The value read under a name; an unknown one becomes an input tile. NULL: reported. */
struct tile_value *ptoas_read(struct assembler *as, const struct ast_value *v,
                              const struct tile_type *type);
/* What the bundle emitted last has published, without a name that could be read. */
struct tile_value *ptoas_new_value(struct assembler *as, const char *name,
                                   const struct tile_type *type, const struct tile_shape *shape,
                                   struct loc loc);
/* Records that the destination of the bundle emitted last gives `name` a new value. */
void ptoas_write(struct assembler *as, const char *name, struct loc loc,
                 const struct tile_type *type, bool result);
/* The same of a value that does not lie as its type says. */
void ptoas_write_shaped(struct assembler *as, const char *name, struct loc loc,
                        const struct tile_type *type, bool result, const struct tile_shape *shape);
/* The bundle emitted last has copied the value of a name. */
void ptoas_republished(struct assembler *as, struct tile_name *n, struct loc loc);
/* A result name for a value that is there already. */
void ptoas_alias_tile(struct assembler *as, const char *name, struct tile_value *value,
                      struct loc loc);
/* May `name` be written with this type? False: reported. */
bool ptoas_may_write(struct assembler *as, const char *name, struct loc loc,
                     const struct tile_type *type, bool result);
struct tile_name *ptoas_declare(struct assembler *as, const char *name, struct loc loc,
                                const struct tile_type *type); /* NULL: reported */
/* The buffer lies at an address of its place. */
void ptoas_place(struct assembler *as, struct tile_name *n, uint64_t address);
/* It has the bytes of another one. */
void ptoas_place_as(struct assembler *as, struct tile_name *n, struct tile_name *of);
/* `insn` comes next and names the tile: sources resolve before its destination publishes. */
void ptoas_use_tile(struct assembler *as, const struct isa_insn *insn, unsigned field,
                    const struct tile_value *value, struct loc loc);
/* Forgets the names of a function. */
void ptoas_enter_function(struct assembler *as);
void ptoas_settle_tiles(struct assembler *as);

/* ---- numbers (ptoas_scalar.c) ---- */

bool ptoas_scalar(struct assembler *as, const struct op_operand *o, struct scalar *out);
/* A constant integer; `what` names it in the message. */
bool ptoas_constant(struct assembler *as, const struct op_operand *o, const char *what,
                    int64_t *number);
void ptoas_define_scalar(struct assembler *as, const char *name, const struct scalar *scalar);
/* The register that holds a scalar; a constant is loaded. False: reported. */
bool ptoas_scalar_register(struct assembler *as, const struct ast_value *v, uint64_t *reg);
/* The same: zero is the register zero, other constants go to `scratch`. */
uint64_t ptoas_in_register(struct assembler *as, const struct scalar *s, const char *scratch,
                           struct loc loc);
/* A register for a number of the current region. */
uint64_t ptoas_take_register(struct assembler *as, struct loc loc);
void ptoas_free_registers(struct assembler *as, uint32_t used);
bool ptoas_add(struct assembler *as, const struct scalar *a, const struct scalar *b, struct loc loc,
               struct scalar *out);
bool ptoas_multiply(struct assembler *as, const struct scalar *a, const struct scalar *b,
                    struct loc loc, struct scalar *out);
/* The bits of a number in an f16, bf16, f32 or f64. */
bool ptoas_real_bits(struct assembler *as, double real, const char *type, struct loc loc,
                     uint64_t *bits);
void ptoas_emit_binary(struct assembler *as, const char *mnemonic, uint64_t left, uint64_t right,
                       uint64_t to, struct loc loc);
void ptoas_emit_shift(struct assembler *as, const char *mnemonic, uint64_t reg, unsigned count,
                      struct loc loc);
unsigned ptoas_bits(const char *type); /* of a number in its type */
/* A constant, cut to its type. */
struct scalar ptoas_integer(uint64_t number, const char *type);
/* "index" for no type. */
const char *ptoas_type_name(const struct ast_type *t);
void ptoas_lower_constant(struct assembler *as, const struct op_form *form);
void ptoas_lower_binary(struct assembler *as, const struct op_form *form);

/* ---- comparisons, choices, casts (ptoas_choice.c) ---- */

bool ptoas_compare(struct assembler *as, const struct op_form *form, const struct scalar *a,
                   const struct scalar *b, struct scalar *out);
void ptoas_lower_cast(struct assembler *as, const struct op_form *form);
void ptoas_lower_select(struct assembler *as, const struct op_form *form);

/* ---- views of memory, transfers (ptoas_memory.c) ---- */

void ptoas_lower_addptr(struct assembler *as, const struct op_form *form);
void ptoas_lower_load_scalar(struct assembler *as, const struct op_form *form);
void ptoas_lower_store_scalar(struct assembler *as, const struct op_form *form);
void ptoas_lower_dimension(struct assembler *as, const struct op_form *form);
void ptoas_lower_make_view(struct assembler *as, const struct op_form *form);
/* pto.set_validshape: later uses of the buffer have the extents. */
void ptoas_lower_set_valid(struct assembler *as, const struct op_form *form);
/* The extents that are operands, of a type whose own are not known. False: reported. */
bool ptoas_take_extents(struct assembler *as, const struct op_form *form, struct tile_type *t);
void ptoas_lower_partition(struct assembler *as, const struct op_form *form);
void ptoas_lower_load(struct assembler *as, const struct op_form *form);
void ptoas_lower_store(struct assembler *as, const struct op_form *form);
void ptoas_lower_prefetch(struct assembler *as, const struct op_form *form);

/* ---- other shapes of the same bytes (ptoas_shape.c) ---- */

void ptoas_lower_reshape(struct assembler *as, const struct op_form *form);
/* Gives a name that another shape of its bytes was written over the new value in its own shape.
 * False: it has none, nothing is reported. */
bool ptoas_revive(struct assembler *as, struct tile_name *n, struct loc loc);

/* ---- tile operations (ptoas_tile.c) ---- */

/* A tile operand: its value is read. NULL: reported. */
struct tile_value *ptoas_tile(struct assembler *as, const struct op_operand *o);
/* The type that a destination has, and may it be written? */
bool ptoas_destination(struct assembler *as, const struct op_form *form, const struct op_operand *o,
                       struct tile_type *type);
void ptoas_write_destination(struct assembler *as, const struct op_form *form,
                             const struct op_operand *o, const struct tile_type *type,
                             const struct tile_shape *shape);
/* What tile operations make of a type: a power of two of rows for every data type. False: reported,
 * no tile operation takes it. */
bool ptoas_tile_shape(struct assembler *as, const struct tile_type *type, struct tile_shape *shape);
/* Bytes that a shape takes, and its size code. */
uint64_t ptoas_shape_code(const struct tile_shape *shape);
/* Does the value lie as tile operations take its type? False: reported. */
bool ptoas_check_shape(struct assembler *as, const struct tile_value *v, struct loc use);
/* The value of a name gets its type's valid region, which is not larger than its own. */
void ptoas_cut_tile(struct assembler *as, const struct op_form *form, struct tile_name *n);
bool ptoas_lower_tile(struct assembler *as, const struct op_form *form);

/* ---- matrix operations (ptoas_matrix.c) ---- */

bool ptoas_lower_matrix(struct assembler *as, const struct op_form *form);
/* Copies a result of the matrix unit out of its cells, to a row-major tile. */
struct tile_value *ptoas_from_cells(struct assembler *as, const struct tile_value *from,
                                    struct loc loc);
/* The open bundle uses codes of the extension tmov-convert (ptoas_tmov.c). */
void ptoas_mark_extension(struct assembler *as);

/* ---- control flow (ptoas_flow.c) ---- */

/* Statements of a loop or condition are kept until it ends. True: `stmt` was taken. */
bool ptoas_capture(struct assembler *as, const struct ast_stmt *stmt, const struct op_form *form);
void ptoas_drop_capture(struct assembler *as);
/* The statement was refused: uses of what it would have made say nothing. */
void ptoas_refuse_results(struct assembler *as, const struct ast_stmt *stmt);
/* Lowers one operation (ptoas.c). */
void ptoas_lower_op(struct assembler *as, const struct op_form *form);

/* ---- synchronisation (ptoas_sync.c) ---- */

bool ptoas_lower_sync(struct assembler *as, const struct op_form *form);
/* Behind a function: what was set and not waited for. */
void ptoas_check_flags(struct assembler *as);

/* ---- words (ptoas_emit.c) ---- */

void ptoas_emit_form(struct assembler *as, unsigned form, struct loc loc);
/* Starts an instruction of a form; set its fields with isa_set_value. */
struct isa_insn ptoas_insn(const struct assembler *as, unsigned form);
/* The BSTART of a tile operation. */
void ptoas_emit_start(struct assembler *as, const struct isa_tileop *op, unsigned dtype,
                      struct loc loc);
/* B.IOR with up to three registers. */
void ptoas_emit_ior(struct assembler *as, const uint64_t *regs, unsigned count, struct loc loc);
void ptoas_emit_dimension(struct assembler *as, unsigned counter, uint32_t value, struct loc loc);
void ptoas_emit_extent(struct assembler *as, unsigned counter, struct extent e, struct loc loc);
/* LB0 and LB1: the valid columns and rows. */
void ptoas_emit_valid(struct assembler *as, const struct tile_type *t, struct loc loc);
uint64_t ptoas_register(const struct assembler *as, const char *name); /* "a0" */
/* A 64-bit constant into a register (x3 is used too); its number. */
uint64_t ptoas_load_constant(struct assembler *as, uint64_t value, const char *reg, struct loc loc);

struct tile_binding_words {
    const struct tile_value *source[2]; /* NULL: none */
    const char *mask;                   /* "1111" */
    bool more;                          /* another B.IOT follows: no `last`, no destination */
    bool no_destination;
    uint8_t hand;
    uint64_t size_code;
};
void ptoas_emit_iot(struct assembler *as, const struct tile_binding_words *b, struct loc loc);

/* ---- TMOV (ptoas_tmov.c, ptoas_legal.c) ---- */

enum acc_mode { ACC_NONE = -1, ACC_VEC0, ACC_VEC1, ACC_SPLIT_M, ACC_SPLIT_N };

struct tmov {
    const struct ast_stmt *stmt;
    const struct ast_value *source, *destination, *third;
    const struct ast_type *destination_type;
    struct tile_type from, to, extra;
    bool has_fp, has_tmp, has_scalar;
    bool relu;
    int acc_mode;   /* enum acc_mode */
    int group_axis; /* of X to ZZ: 1, or 0 */
    bool result;
    const struct tile_value *cells; /* the source, copied out of the cells of the matrix unit */
    uint64_t quant_mode;            /* ISA_PreQuantMode_… */
};

void ptoas_lower_tmov(struct assembler *as, const struct ast_stmt *stmt);
bool ptoas_is_tmov(const char *name);
/* The same checks without lowering, for --check. False: reported. */
bool ptoas_verify_tmov(struct assembler *as, const struct ast_stmt *stmt);
/* May this target move so (pto-as.md C.2)? Chooses the quantisation mode (C.4). False: reported,
 * with what is legal. */
bool ptoas_check_tmov(struct assembler *as, struct tmov *t);

#endif
