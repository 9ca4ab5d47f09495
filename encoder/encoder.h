/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands to words and back, by the tables of isa/.
 *
 * isa_match    mnemonic + operands + target  ->  form and field values, or the
 *              best diagnostic (which operand, what was found, what is legal)
 * isa_pack     form and field values -> bytes
 * isa_decode   bytes -> form and field values, or why not
 * isa_print    form and field values -> text that isa_match takes back
 *
 * A word is canonical when packing its printable fields gives the same bytes.
 * For every word w: assembling isa_print(w) gives w; words that are legal but
 * not canonical print as `.inst`. Knows no files, sections or execution.
 */
#ifndef PTO_ENCODER_ENCODER_H
#define PTO_ENCODER_ENCODER_H

#include "grammar/ast.h"
#include "isa/isa.h"

/* A decoded or matched instruction. Only form->nvalues values are meaningful.
 * Signed fields hold their sign-extended value as uint64_t. */
struct isa_insn {
    const struct isa_form *form;
    uint64_t value[ISA_MAX_VALUES];
};

/* Value of the first element of a field by ISA_FIELD_…; `absent` when the form lacks it. */
uint64_t isa_value(const struct isa_insn *in, unsigned field, uint64_t absent);
bool isa_set_value(struct isa_insn *in, unsigned field, uint64_t value); /* false: no such field */

/* ---- matching ---- */

/* What an expression is worth while matching. */
enum isa_operand_value_kind {
    ISA_VALUE_CONSTANT, /* number is final */
    ISA_VALUE_SYMBOLIC, /* needs a relocation or a later pass: the field stays 0 and a fixup is made
                         */
    ISA_VALUE_ERROR,    /* already reported */
};

struct isa_matcher {
    struct isa_target target;
    struct diag *diag; /* NULL: report nothing (used to try alternatives) */
    /* Evaluates an expression; called only for operands that are numbers. */
    enum isa_operand_value_kind (*eval)(void *ctx, const struct ast_expr *expr, int64_t *number);
    void *ctx;
};

struct isa_fixup {
    uint8_t field;         /* index into form->fields */
    uint8_t operand_scale; /* text value = field value * scale + bias */
    int8_t operand_bias;
    const struct isa_reloc
        *reloc; /* NULL: the field takes no relocation, only a value known later */
    const struct ast_expr *expr;
    uint8_t element; /* of an array field; its bits stand element * stride higher */
};

enum { ISA_MAX_FIXUPS = 8 };

struct isa_match {
    struct isa_insn insn;
    const struct isa_spelling *spelling;
    uint8_t nfixups;
    struct isa_fixup fixup[ISA_MAX_FIXUPS];
    bool explicit_last;  /* the word `last` was written (B.IOT) */
    bool mask_only_0582; /* mask=… exists only in pto0.58.2; see "Revisions" in docs/language.md.
                            The error was not reported */
    struct loc mask_loc;
    const char *mask_text;
};

/* Matches one AST_INSN statement. False: reported (or, with mask_only_0582, left to the caller). */
bool isa_match(const struct isa_matcher *m, const struct ast_stmt *stmt, struct isa_match *out);

/* Reports a name that is no mnemonic: retired, a reserved encoding, or unknown (with the nearest
 * names). isa_match calls it; so does whoever finds such a name elsewhere. */
void isa_report_unknown(const struct isa_matcher *m, const char *name, size_t len, struct loc loc);

/* Stores a value that became known later into a field of packed bytes, with the range, alignment
 * and constraint checks of isa_match. False: reported at loc with the legal range. */
bool isa_patch(const struct isa_form *form, unsigned field, int64_t text_value, unsigned scale,
               int bias, uint8_t *bytes, struct diag *diag, struct loc loc);
/* The same for a fixup of isa_match, whatever its field (array elements, typed immediates). */
bool isa_patch_fixup(const struct isa_form *form, const struct isa_fixup *fixup, int64_t text_value,
                     uint8_t *bytes, struct diag *diag, struct loc loc);

/* ---- packing and decoding ---- */

/* Writes form->length bytes. Values must be in range (isa_match guarantees it). */
void isa_pack(const struct isa_insn *in, uint8_t *bytes);

/* Packs the instruction in `bytes`, of form `from`, as its shorter or longer sister `to`; the
 * displacement becomes zero. */
void isa_reform(const struct isa_form *from, const uint8_t *bytes, const struct isa_form *to,
                uint8_t *out);

enum isa_decode_status {
    ISA_DECODED,
    ISA_TRUNCATED,         /* fewer than the length's bytes are there */
    ISA_RESERVED_ENCODING, /* one of isa_reserved_encodings: why.reserved */
    ISA_RESERVED_VALUE, /* a form matches, but a constraint fails: why.form, why.field, why.value */
    ISA_UNALLOCATED,    /* no form has this word */
};

struct isa_why {
    const struct isa_form *form;
    int field;
    uint64_t value; /* of the field, or of both fields of a MEMBER constraint */
    const struct isa_reserved *reserved;
    const struct isa_constraint *constraint; /* the one that fails */
    int64_t need;                            /* FRAME: bytes that the registers need */
    isa_revset revs;                         /* what the word was decoded for */
};

/* Length in bytes by the first halfwords (encoder/decode.c); 0 when n < 2. The fused
 * BSTART.CALL is recognised when n >= 4. */
unsigned isa_length(const uint8_t *bytes, size_t n);

/* Reads no byte past bytes[n-1]. *length is the bytes to skip whatever the status (2 when unknown).
 */
enum isa_decode_status isa_decode(const struct isa_target *target, const uint8_t *bytes, size_t n,
                                  struct isa_insn *out, unsigned *length, struct isa_why *why);
enum isa_decode_status isa_decode_seq(const struct isa_target *target, const uint8_t *bytes,
                                      size_t n, struct isa_insn *out, struct isa_why *why);

/* True when assembling the text of `in` gives `bytes` again: the text tells all fields, and a SEQ
 * record violates no clause (`open` as for isa_seq_validate). */
bool isa_canonical(const struct isa_target *target, const struct isa_insn *in, const uint8_t *bytes,
                   uint64_t open);

/* Names of the revisions of a set into `text`, cut at `size`: "pto0.58.2, pto0.58.3". */
void isa_list_revisions(enum isa_set set, char *text, size_t size);

/* One sentence on a failed decode: "B.IOT: SizeCode 15 is reserved (legal: 1..10)". */
void isa_explain(enum isa_decode_status status, const struct isa_why *why, const uint8_t *bytes,
                 unsigned length, struct buffer *out);

/* ---- validity of SEQ records ---- */

/* ADDR8, the start address of a tensor access: what the highest byte says (SeqAddress). */
enum { SEQ_MARKER_LSB = 56, SEQ_MARKER_MASK = 0xfc };

/* One violated clause: a published predicate or assertion where it has one, else a field's name.
 * Both texts live as long as the call. */
typedef void isa_seq_report(void *ctx, const char *clause, const char *text);
/* Reports every clause that the record's 64 bytes violate and returns their number. Bytes that no
 * public source names are not judged, nor are the fields whose bits are set in `open`, counted as
 * in the form's row: relocations will fill them. `report` may be NULL. */
unsigned isa_seq_validate(const struct isa_target *target, const uint8_t *bytes, uint64_t open,
                          isa_seq_report *report, void *ctx);
/* True when a stream may end behind the record (the runtime's check of the last one). */
bool isa_seq_terminates(const struct isa_target *target, const uint8_t *bytes);
/* The form of the opcode in the target's generation, and all field values, unchecked. False: the
 * generation has no such opcode. */
bool isa_seq_extract(const struct isa_target *target, const uint8_t *bytes, struct isa_insn *out);

/* ---- printing ---- */

struct isa_print_options {
    struct isa_target target;
    /* Optional: text for an operand that can take a relocation, instead of its number ("loop",
     * "0x1000a <f>"). `element` counts in array fields. Returns false to print the number. */
    bool (*label)(void *ctx, const struct isa_insn *in, unsigned field, unsigned element,
                  struct buffer *out);
    void *ctx;
};

/* Appends the canonical text, no newline. */
void isa_print(const struct isa_insn *in, const struct isa_print_options *options,
               struct buffer *out);

/* Appends the encoding of a form as a table (bit range, field or constant, with the values that the
 * spelling gives to fields), or as WaveDrom JSON. */
void isa_print_encoding(const struct isa_spelling *sp, bool wavejson, struct buffer *out);

#endif
