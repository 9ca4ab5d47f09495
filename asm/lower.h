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

struct tile_type {
    enum place place;
    const struct element *element;
    uint32_t rows, cols;      /* physical */
    uint32_t v_rows, v_cols;  /* valid region */
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

struct tile_value {
    const char *name;
    struct tile_type type;
    bool input;
    uint32_t ordinal; /* input: of publication; else: publications in the hand before it, inputs
                         not counted */
    bool certain;     /* no label stood between the entry and it */
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

/* A scalar SSA value: an argument in a register or a constant. */
struct scalar_name {
    bool constant;
    uint64_t number; /* of a constant */
    uint64_t gpr;
};

struct ptoas {
    int target;           /* 3 or 5 */
    const char *function; /* the latest, in the object's arena */
    struct map tiles;     /* name -> struct tile_name, of the function */
    struct map scalars;   /* name -> struct scalar_name, of the function */
    struct map inputs;    /* name -> struct tile_value, of the file */
    VEC(struct tile_value *) input_list;
    VEC(struct tile_value *) outputs;
    VEC(struct tile_use) uses;
    VEC(struct ptoas_region) regions;
    uint32_t inputs_in[ISA_TileHand_MEMBERS];
    uint32_t base[ISA_TileHand_MEMBERS]; /* publications when the function began */
    unsigned labels;                     /* labels when it began */
    struct verifier *verifier;
};

bool ptoas_has_value(const struct assembler *as, const char *name);
/* The value read under a name; an unknown one becomes an input tile. NULL: reported. */
struct tile_value *ptoas_read(struct assembler *as, const struct ast_value *v,
                              const struct tile_type *type);
/* Records that the destination of the bundle emitted last gives `name` a new value. */
void ptoas_write(struct assembler *as, const char *name, struct loc loc,
                 const struct tile_type *type, bool result);
/* May `name` be written with this type? False: reported. */
bool ptoas_may_write(struct assembler *as, const char *name, struct loc loc,
                     const struct tile_type *type, bool result);
void ptoas_declare(struct assembler *as, const char *name, struct loc loc,
                   const struct tile_type *type);
/* `insn` comes next and names the tile: sources resolve before its destination publishes. */
void ptoas_use_tile(struct assembler *as, const struct isa_insn *insn, unsigned field,
                    const struct tile_value *value, struct loc loc);
/* Forgets the names of a function. */
void ptoas_enter_function(struct assembler *as);
void ptoas_settle_tiles(struct assembler *as);
/* The register that holds a scalar; a constant is loaded. False: reported. */
bool ptoas_scalar_register(struct assembler *as, const struct ast_value *v, uint64_t *reg);

/* ---- words (ptoas_emit.c) ---- */

void ptoas_emit_form(struct assembler *as, unsigned form, struct loc loc);
/* Starts an instruction of a form; set its fields with isa_set_value. */
struct isa_insn ptoas_insn(const struct assembler *as, unsigned form);
void ptoas_emit_dimension(struct assembler *as, unsigned counter, uint32_t value, struct loc loc);
uint64_t ptoas_register(const struct assembler *as, const char *name); /* "a0" */
/* A 64-bit constant into the scratch register x2 (x3 is used too); its number. */
uint64_t ptoas_load_constant(struct assembler *as, uint64_t value, struct loc loc);

struct tile_binding_words {
    const struct tile_value *source[2]; /* [1] NULL: none */
    const char *mask;                   /* "1111" */
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
    uint64_t quant_mode; /* ISA_PreQuantMode_… */
};

void ptoas_lower_tmov(struct assembler *as, const struct ast_stmt *stmt);
bool ptoas_is_tmov(const char *name);
/* The same checks without lowering, for --check. False: reported. */
bool ptoas_verify_tmov(struct assembler *as, const struct ast_stmt *stmt);
/* May this target move so (pto-as.md C.2)? Chooses the quantisation mode (C.4). False: reported,
 * with what is legal. */
bool ptoas_check_tmov(struct assembler *as, struct tmov *t);

#endif
