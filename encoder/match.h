/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matching one statement against one spelling. Internal to encoder/.
 *
 * The statement's operands become a flat list of slots. A spelling is tried in
 * two steps. Binding gives every operand of the spelling its slot and resolves
 * what is a name (registers, enumerations, literals, flags, keys); it is what
 * tells spellings of one mnemonic apart. Evaluation then asks the caller for
 * the numbers and checks ranges and constraints. A failed try leaves one
 * `struct failure`; the one that got furthest is reported.
 */
#ifndef PTO_ENCODER_MATCH_H
#define PTO_ENCODER_MATCH_H

#include "encoder/field.h"

enum slot_kind {
    SLOT_EXPR,
    SLOT_RANGE,
    SLOT_DEST,
    SLOT_ASSIGN,
    SLOT_WAIT,
    SLOT_UPDATE,
    SLOT_OPEN,  /* `[` */
    SLOT_CLOSE, /* `]` */
    SLOT_OTHER, /* strings, @type */
};

struct slot {
    uint8_t kind;   /* enum slot_kind */
    bool used;      /* by an operand of the spelling being tried */
    uint8_t number; /* of the operand in the source, from 1 */
    const struct ast_operand *operand;
    struct loc loc;
};

enum { MAX_SLOTS = 96, MAX_PENDING = 80 };

enum failure_kind {
    FAIL_NONE,
    FAIL_REPORTED,    /* the caller or this folder said it already */
    FAIL_MISSING,     /* operand absent */
    FAIL_SIZE,        /* destination without a size */
    FAIL_SURPLUS,     /* a slot that nothing takes */
    FAIL_DUPLICATE,   /* key or size given twice */
    FAIL_LITERAL,     /* another word expected */
    FAIL_MEMBER,      /* name not in the enumeration */
    FAIL_CLASS,       /* number, bracket, range … where something else is expected */
    FAIL_REGISTER,    /* a register where a number or symbol is expected */
    FAIL_SUFFIX,      /* rest of the mnemonic */
    FAIL_FIXED,       /* a key that takes one value only */
    FAIL_KEY,         /* key=value that the instruction does not have */
    FAIL_SEQ,         /* a rule of SEQ operands: code and message say it */
    FAIL_RANGE,       /* number outside the field */
    FAIL_STEP,        /* number not a multiple */
    FAIL_SHIFT,       /* `<<n` differs from the fixed shift */
    FAIL_MASK,        /* not four binary digits, or no code in this revision */
    FAIL_RESERVED,    /* constraint */
    FAIL_OWNED,       /* the word belongs to another form */
    FAIL_BOTH,        /* two flags that exclude each other */
    FAIL_FRAME,       /* frame too small for its registers */
    FAIL_SELECTOR,    /* no tile operation has this mode and function */
    FAIL_MANY_FIXUPS, /* more symbolic operands than a match can carry */
};

struct failure {
    uint8_t kind; /* enum failure_kind */
    uint8_t operand_number;
    uint8_t slot_kind; /* of what was found, when there was something */
    unsigned rank;     /* how far the try got */
    struct loc loc;
    const struct isa_spelling *spelling;
    const struct isa_operand *operand;
    const struct isa_form *form;
    int field; /* of the form, -1 none */
    const struct isa_constraint *constraint;
    const char *text; /* what was found: a name, or NULL; not NUL-terminated */
    size_t text_size;
    int64_t value; /* what was found, in units of the text */
    int64_t min, max, step;
    const struct isa_form *owner;             /* OWNED: the form that has the word */
    enum diag_code code;                      /* SEQ */
    const char *message;                      /* SEQ: static text */
    const struct isa_enumeration *mode_names; /* SEQ: `text` is one of these somewhere, or NULL */
};

/* A number to evaluate once the spelling is settled. */
struct pending {
    uint8_t field, element, slot;
    bool raw;       /* value is stored as it is: no scale or bias */
    bool shared;    /* an earlier one of the statement has the same field (SEQ events) */
    bool is_number; /* `number` is the value; expr is only its place */
    int64_t number;
    const struct isa_operand *operand;
    const struct ast_expr *expr;
};

struct attempt {
    const struct isa_matcher *m;
    const struct ast_stmt *stmt;
    isa_revset revs; /* the one bit of the target that counts for this mnemonic */
    unsigned nslots, nused, npending;
    struct slot slot[MAX_SLOTS];
    const struct isa_operand *bound[MAX_SLOTS]; /* which operand took the slot */
    struct pending pending[MAX_PENDING];
    const struct isa_spelling *spelling;
    const struct isa_form *form;
    struct isa_match *out;
    struct failure fail; /* of the spelling being tried */
    struct failure best; /* of all spellings */
};

/* ---- slots (slot.c) ---- */

/* Flattens the statement's operands. False: there are more than MAX_SLOTS (reported). */
bool slots_collect(struct attempt *a);
const struct ast_expr *slot_expr(const struct slot *s);
/* The name an operand consists of, or NULL. */
const char *slot_name(const struct slot *s);
struct slot *slot_find_name(struct attempt *a, const char *name);
struct slot *slot_find_key(struct attempt *a, const char *key);
struct slot *slot_next(struct attempt *a, unsigned from); /* first unused one from there, or NULL */
void slot_use(struct attempt *a, struct slot *s, const struct isa_operand *op);
bool name_equal(const char *text, const char *name); /* without case; text may be NULL */

/* ---- values (value.c) ---- */

/* Each returns false and sets a->fail when it cannot. */

/* Takes `expr` as the value of op->field[which]. */
bool bind_value(struct attempt *a, const struct isa_operand *op, const struct slot *s,
                const struct ast_expr *expr);
bool bind_field(struct attempt *a, const struct isa_operand *op, unsigned field, unsigned element,
                const struct slot *s, const struct ast_expr *expr);
bool bind_size(struct attempt *a, const struct isa_operand *op, const struct slot *s,
               const struct ast_expr *expr);
void bind_defaults(struct attempt *a, const struct isa_operand *op); /* op is absent */
/* True when `expr` may be an optional operand's value; else the operand is skipped. */
bool value_fits(const struct attempt *a, const struct isa_operand *op, const struct ast_expr *expr);
/* The enumeration that an operand's names come from, or NULL. */
const struct isa_enumeration *operand_names(const struct attempt *a, const struct isa_operand *op);
bool add_pending(struct attempt *a, struct pending p);
bool evaluate_pending(struct attempt *a);
/* Checks a number in units of the text and stores it. */
bool store_number(struct attempt *a, const struct pending *p, int64_t number);
void put_value(struct attempt *a, unsigned field, unsigned element, uint64_t value);
const struct isa_member *find_member_expr(const struct isa_enumeration *e,
                                          const struct ast_expr *expr, isa_revset revs);

/* ---- operands (operand.c), suffixes (suffix.c), SEQ operands (seq_match.c) ---- */

bool bind_operands(struct attempt *a);
bool bind_suffix(struct attempt *a, const char *rest, size_t size);
/* An operand of one of the SEQ forms, at the first unused slot `s` (NULL: none left). */
bool bind_seq_operand(struct attempt *a, const struct isa_operand *op, struct slot *s);
/* A wait or update, wherever it stands; *found is false when there is none. */
bool bind_seq_event(struct attempt *a, const struct isa_operand *op, bool *found);

/* ---- failures (failure.c) ---- */

/* Sets a->fail; the rank is by what was matched so far. Returns false. */
bool fail(struct attempt *a, enum failure_kind kind, const struct slot *s,
          const struct isa_operand *op);
bool fail_expr(struct attempt *a, enum failure_kind kind, const struct slot *s,
               const struct isa_operand *op, const struct ast_expr *expr);
void failure_report(const struct attempt *a, const struct failure *f,
                    const struct isa_mnemonic *mnemonic);

#endif
