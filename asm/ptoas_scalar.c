/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of PTO-AS: constants are folded, the rest is computed in registers.
 * Registers of a region's numbers are free again behind it. Integers stand
 * sign-extended to 64 bits, i1 as 0 or 1, floats as their bits.
 */
#include "asm/lower.h"

#include <math.h>
#include <string.h>

#include "support/real.h"

enum { REGISTER_BITS = 64 };

/* ---- registers ---- */

/* What a function may use besides its arguments; x0 to x3 hold constants on their way. */
static const char *const pool[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
                                   "a7", "a6", "a5", "a4", "a3", "a2", "a1", "a0"};

void ptoas_free_registers(struct assembler *as, uint32_t used)
{
    as->ptoas->registers = used;
}

uint64_t ptoas_take_register(struct assembler *as, struct loc loc)
{
    struct ptoas *p = as->ptoas;
    for (size_t i = 0; i < sizeof pool / sizeof *pool; i++) {
        uint64_t reg = ptoas_register(as, pool[i]);
        if (!(p->registers >> reg & 1)) {
            p->registers |= UINT32_C(1) << reg;
            return reg;
        }
    }
    diag_report(as->diag, DIAG_PTOAS_VALUE, loc,
                "more than %zu numbers that are not constants are needed at once",
                sizeof pool / sizeof *pool);
    return ptoas_register(as, "x0");
}

/* ---- words ---- */

/* The only form of a mnemonic that computes with registers. */
static struct isa_insn named_insn(const struct assembler *as, const char *mnemonic)
{
    const struct isa_mnemonic *m = isa_find_mnemonic(mnemonic, strlen(mnemonic));
    return ptoas_insn(as, isa_spellings[isa_mnemonic_index[m->first]].form);
}

void ptoas_emit_binary(struct assembler *as, const char *mnemonic, uint64_t left, uint64_t right,
                       uint64_t to, struct loc loc)
{
    struct isa_insn insn = named_insn(as, mnemonic);
    int modifier = isa_field_index(insn.form, ISA_FIELD_SrcRType);
    isa_set_value(&insn, ISA_FIELD_SrcL, left);
    isa_set_value(&insn, ISA_FIELD_SrcR, right);
    isa_set_value(&insn, ISA_FIELD_RegDst, to);
    if (modifier >= 0) { /* none */
        unsigned enumeration = insn.form->fields[modifier].enumeration - 1u;
        const struct isa_member *m =
            isa_find_member(&isa_enumerations[enumeration], "", 0, as->target.pto);
        isa_set_value(&insn, ISA_FIELD_SrcRType, m->value);
    }
    asm_emit_insn(as, &insn, loc);
}

void ptoas_emit_shift(struct assembler *as, const char *mnemonic, uint64_t reg, unsigned count,
                      struct loc loc)
{
    struct isa_insn insn = named_insn(as, mnemonic);
    isa_set_value(&insn, ISA_FIELD_SrcL, reg);
    isa_set_value(&insn, ISA_FIELD_shamt, count);
    isa_set_value(&insn, ISA_FIELD_RegDst, reg);
    asm_emit_insn(as, &insn, loc);
}

uint64_t ptoas_in_register(struct assembler *as, const struct scalar *s, const char *scratch,
                           struct loc loc)
{
    if (s->kind == SCALAR_REGISTER)
        return s->reg;
    if (s->number == 0)
        return ptoas_register(as, "zero");
    return ptoas_load_constant(as, s->number, scratch, loc);
}

/* ---- types ---- */

unsigned ptoas_bits(const char *type)
{
    const struct element *e = ptoas_element(type);
    return e != NULL ? e->bits : strcmp(type, "i1") == 0 ? 1 : REGISTER_BITS;
}

static int64_t extended(uint64_t number, unsigned bits)
{
    return bits == 1 ? (int64_t)(number & 1)
                     : (int64_t)(number << (REGISTER_BITS - bits)) >> (REGISTER_BITS - bits);
}

struct scalar ptoas_integer(uint64_t number, const char *type)
{
    return (struct scalar){.kind = SCALAR_INTEGER,
                           .type = type,
                           .number = (uint64_t)extended(number, ptoas_bits(type))};
}

bool ptoas_real_bits(struct assembler *as, double real, const char *type, struct loc loc,
                     uint64_t *bits)
{
    static const struct {
        const char *name;
        unsigned exponent, fraction;
    } formats[] = {{"f16", 5, 10}, {"bf16", 8, 7}, {"f32", 8, 23}, {"f64", 11, 52}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, type) == 0) {
            *bits = real_round(real, formats[i].exponent, formats[i].fraction);
            return true;
        }
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, loc, "constants of type %s are not lowered",
                type);
    return false;
}

/* ---- names ---- */

void ptoas_define_scalar(struct assembler *as, const char *name, const struct scalar *scalar)
{
    ptoas_bind(as, &as->ptoas->scalars, name, arena_copy(as->arena, scalar, sizeof *scalar));
}

static bool find_scalar(struct assembler *as, const struct ast_value *v, struct scalar *out)
{
    const struct scalar *s =
        v->kind == AST_VALUE_SSA ? map_get(&as->ptoas->scalars, v->name) : NULL;
    if (v->kind == AST_VALUE_INT)
        *out = ptoas_integer((uint64_t)v->number, "index");
    else if (s != NULL)
        *out = *s;
    else if (v->kind != AST_VALUE_SSA || !ptoas_is_refused(as, v->name))
        diag_report(as->diag, DIAG_PTOAS_VALUE, v->loc,
                    "%%%s is neither a constant nor an argument of the function", v->name);
    return s != NULL || v->kind == AST_VALUE_INT;
}

bool ptoas_scalar(struct assembler *as, const struct op_operand *o, struct scalar *out)
{
    return find_scalar(as, o->value, out);
}

bool ptoas_scalar_register(struct assembler *as, const struct ast_value *v, uint64_t *reg)
{
    struct scalar s;
    if (!find_scalar(as, v, &s))
        return false;
    *reg = s.kind == SCALAR_REGISTER ? s.reg : ptoas_load_constant(as, s.number, "x2", v->loc);
    return true;
}

bool ptoas_constant(struct assembler *as, const struct op_operand *o, const char *what,
                    int64_t *number)
{
    struct scalar s;
    if (!ptoas_scalar(as, o, &s))
        return false;
    if (s.kind == SCALAR_INTEGER) {
        *number = (int64_t)s.number;
        return true;
    }
    diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, o->value->loc,
                "%s must be a constant to be lowered", what);
    return false;
}

/* ---- constants ---- */

const char *ptoas_type_name(const struct ast_type *t)
{
    return t != NULL ? t->text : "index";
}

static bool constant_value(struct assembler *as, const struct ast_value *v, const char *type,
                           struct scalar *out)
{
    const struct element *e = ptoas_element(type);
    bool is_float = e != NULL && (type[0] == 'f' || type[0] == 'b');
    bool word = v->kind == AST_VALUE_WORD;
    if (is_float && (v->kind == AST_VALUE_FLOAT || v->kind == AST_VALUE_INT)) {
        double real = v->kind == AST_VALUE_FLOAT ? v->real : (double)v->number;
        *out = (struct scalar){.kind = SCALAR_REAL, .type = type, .real = real};
        return ptoas_real_bits(as, real, type, v->loc, &out->number);
    }
    if (!is_float && v->kind == AST_VALUE_INT) {
        *out = ptoas_integer((uint64_t)v->number, type);
        return true;
    }
    if (word && (strcmp(v->name, "true") == 0 || strcmp(v->name, "false") == 0)) {
        *out = ptoas_integer(v->name[0] == 't', "i1");
        return true;
    }
    diag_report(as->diag, DIAG_PTOAS_FORM, v->loc,
                "only numbers, true and false are lowered as constants: "
                "%%c = arith.constant 3 : i64");
    return false;
}

void ptoas_lower_constant(struct assembler *as, const struct op_form *form)
{
    const struct op_operand *o = ptoas_operand(form, "value", 0);
    struct scalar s;
    if (form->nresults == 1 &&
        constant_value(as, o->value, ptoas_type_name(form->results[0].type), &s))
        ptoas_define_scalar(as, form->results[0].value->name, &s);
}

/* ---- integer arithmetic ---- */

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t ceil_divide(int64_t a, int64_t b)
{
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

enum fold {
    FOLD_ADD,
    FOLD_SUB,
    FOLD_MUL,
    FOLD_DIV,
    FOLD_DIVU,
    FOLD_REM,
    FOLD_REMU,
    FOLD_FLOOR,
    FOLD_CEIL,
    FOLD_CEILU,
    FOLD_AND,
    FOLD_OR,
    FOLD_XOR,
    FOLD_SHL,
    FOLD_SHR,
    FOLD_SHRU,
    FOLD_MIN,
    FOLD_MAX,
    FOLD_MINU,
    FOLD_MAXU,
};

/* Words that compute it in registers; "": round_quotient. Numbers are sign-extended, which keeps
 * their order, so minimum and maximum have one word. */
static const struct arithmetic {
    const char *op, *wide, *narrow; /* 64 bits, 32 bits */
    uint8_t fold;
    bool divides, shifts;
} arithmetic[] = {
    {"arith.addi", "ADD", "ADDW", FOLD_ADD, false, false},
    {"arith.subi", "SUB", "SUBW", FOLD_SUB, false, false},
    {"arith.muli", "MUL", "MULW", FOLD_MUL, false, false},
    {"arith.divsi", "DIV", "DIVW", FOLD_DIV, true, false},
    {"arith.divui", "DIVU", "DIVUW", FOLD_DIVU, true, false},
    {"arith.remsi", "REM", "REMW", FOLD_REM, true, false},
    {"arith.remui", "REMU", "REMUW", FOLD_REMU, true, false},
    {"arith.floordivsi", "", "", FOLD_FLOOR, true, false},
    {"arith.ceildivsi", "", "", FOLD_CEIL, true, false},
    {"arith.ceildivui", "", "", FOLD_CEILU, true, false},
    {"arith.andi", "AND", "ANDW", FOLD_AND, false, false},
    {"arith.ori", "OR", "ORW", FOLD_OR, false, false},
    {"arith.xori", "XOR", "XORW", FOLD_XOR, false, false},
    {"arith.shli", "SLL", "SLLW", FOLD_SHL, false, true},
    {"arith.shrsi", "SRA", "SRAW", FOLD_SHR, false, true},
    {"arith.shrui", "SRL", "SRLW", FOLD_SHRU, false, true},
    {"arith.minsi", "MIN", "MIN", FOLD_MIN, false, false},
    {"arith.maxsi", "MAX", "MAX", FOLD_MAX, false, false},
    {"arith.minui", "MINU", "MINU", FOLD_MINU, false, false},
    {"arith.maxui", "MAXU", "MAXU", FOLD_MAXU, false, false},
};

/* Operands are extended; the caller has checked divisors and shift counts. */
static uint64_t fold_integer(enum fold fold, uint64_t a, uint64_t b, unsigned bits)
{
    uint64_t mask = bits == REGISTER_BITS ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    uint64_t ua = a & mask, ub = b & mask;
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    bool overflow = sb == -1; /* INT64_MIN / -1 */
    switch (fold) {
    case FOLD_ADD:
        return a + b;
    case FOLD_SUB:
        return a - b;
    case FOLD_MUL:
        return a * b;
    case FOLD_DIV:
        return overflow ? -a : (uint64_t)(sa / sb);
    case FOLD_DIVU:
        return ua / ub;
    case FOLD_REM:
        return overflow ? 0 : (uint64_t)(sa % sb);
    case FOLD_REMU:
        return ua % ub;
    case FOLD_FLOOR:
        return overflow ? -a : (uint64_t)floor_divide(sa, sb);
    case FOLD_CEIL:
        return overflow ? -a : (uint64_t)ceil_divide(sa, sb);
    case FOLD_CEILU:
        return ua / ub + (ua % ub != 0);
    case FOLD_AND:
        return a & b;
    case FOLD_OR:
        return a | b;
    case FOLD_XOR:
        return a ^ b;
    case FOLD_SHL:
        return a << ub;
    case FOLD_SHR:
        return (uint64_t)(sa >> ub);
    case FOLD_SHRU:
        return ua >> ub;
    case FOLD_MIN:
        return sa < sb ? a : b;
    case FOLD_MAX:
        return sa > sb ? a : b;
    case FOLD_MINU:
        return ua < ub ? a : b;
    case FOLD_MAXU:
        return ua > ub ? a : b;
    }
    return 0;
}

static bool may_fold(struct assembler *as, const struct arithmetic *row, const struct scalar *b,
                     struct loc loc)
{
    unsigned bits = ptoas_bits(b->type);
    if (row->divides && b->number == 0) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, loc, "the divisor is zero");
        return false;
    }
    if (row->shifts && b->number >= bits) {
        diag_report(as->diag, DIAG_PTOAS_VALUE, loc, "a shift by %lld is not in [0, %u]",
                    (long long)b->number, bits - 1);
        return false;
    }
    return true;
}

/* A quotient, and what its remainder makes of it: one less when the signs differ (floor), one more
 * when they do not (ceil). Extended 32-bit numbers divide as 64-bit ones do, but for unsigned. */
static void round_quotient(struct assembler *as, const struct arithmetic *row, bool narrow,
                           uint64_t left, uint64_t right, uint64_t to, struct loc loc)
{
    bool is_unsigned = row->fold == FOLD_CEILU, floor = row->fold == FOLD_FLOOR;
    uint64_t rest = ptoas_register(as, "x0"), sign = ptoas_register(as, "x1");
    uint64_t zero = ptoas_register(as, "zero");
    ptoas_emit_binary(as, !is_unsigned ? "REM" : narrow ? "REMUW" : "REMU", left, right, rest, loc);
    if (!is_unsigned) {
        ptoas_emit_binary(as, "XOR", rest, right, sign, loc);
        ptoas_emit_binary(as, floor ? "CMP.LT" : "CMP.GE", sign, zero, sign, loc);
    }
    ptoas_emit_binary(as, "CMP.NE", rest, zero, rest, loc);
    if (!is_unsigned)
        ptoas_emit_binary(as, "AND", rest, sign, rest, loc);
    ptoas_emit_binary(as, !is_unsigned ? "DIV" : narrow ? "DIVUW" : "DIVU", left, right, to, loc);
    const char *step = floor ? "SUB" : narrow ? "ADDW" : "ADD";
    ptoas_emit_binary(as, step, to, rest, to, loc);
}

static bool compute(struct assembler *as, const struct arithmetic *row, const struct scalar *a,
                    const struct scalar *b, struct loc loc, struct scalar *out)
{
    unsigned bits = ptoas_bits(a->type);
    const char *mnemonic = bits == REGISTER_BITS ? row->wide : bits == 32 ? row->narrow : NULL;
    if (mnemonic == NULL) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, loc,
                    "%s of %s in registers is not lowered, only of index, i64 and i32", row->op,
                    a->type);
        return false;
    }
    uint64_t left = ptoas_in_register(as, a, "x2", loc);
    uint64_t right = ptoas_in_register(as, b, "x2", loc);
    *out = (struct scalar){.kind = SCALAR_REGISTER, .type = a->type};
    out->reg = ptoas_take_register(as, loc);
    if (mnemonic[0] == '\0')
        round_quotient(as, row, bits == 32, left, right, out->reg, loc);
    else
        ptoas_emit_binary(as, mnemonic, left, right, out->reg, loc);
    return true;
}

/* x + 0, x - 0, x * 1 and 0 + x, 1 * x. */
static bool is_neutral(const struct arithmetic *row, const struct scalar *s, bool right)
{
    bool sum = row->fold == FOLD_ADD || (right && row->fold == FOLD_SUB);
    return s->kind == SCALAR_INTEGER &&
           ((sum && s->number == 0) || (row->fold == FOLD_MUL && s->number == 1));
}

static bool is_zero(const struct scalar *s)
{
    return s->kind == SCALAR_INTEGER && s->number == 0;
}

static bool arithmetic_of(struct assembler *as, const struct arithmetic *row,
                          const struct scalar *a, const struct scalar *b, struct loc loc,
                          struct scalar *out)
{
    if (b->kind == SCALAR_INTEGER && !may_fold(as, row, b, loc))
        return false;
    if (a->kind == SCALAR_INTEGER && b->kind == SCALAR_INTEGER) {
        *out = ptoas_integer(
            fold_integer((enum fold)row->fold, a->number, b->number, ptoas_bits(a->type)), a->type);
        return true;
    }
    if (row->fold == FOLD_MUL && (is_zero(a) || is_zero(b))) {
        *out = ptoas_integer(0, a->type);
        return true;
    }
    if (is_neutral(row, b, true)) {
        *out = *a;
        return true;
    }
    if (is_neutral(row, a, false)) {
        *out = *b;
        return true;
    }
    return compute(as, row, a, b, loc, out);
}

bool ptoas_add(struct assembler *as, const struct scalar *a, const struct scalar *b, struct loc loc,
               struct scalar *out)
{
    return arithmetic_of(as, &arithmetic[FOLD_ADD], a, b, loc, out);
}

bool ptoas_multiply(struct assembler *as, const struct scalar *a, const struct scalar *b,
                    struct loc loc, struct scalar *out)
{
    return arithmetic_of(as, &arithmetic[FOLD_MUL], a, b, loc, out);
}

/* ---- floating point, of constants ---- */

static bool fold_real(struct assembler *as, const struct op_form *form, const struct scalar *a,
                      const struct scalar *b, struct scalar *out)
{
    static const char operations[][sizeof "arith.addf"] = {"arith.addf", "arith.subf", "arith.mulf",
                                                           "arith.divf"};
    struct loc loc = form->stmt->loc;
    size_t n = 0;
    while (n < 4 && strcmp(operations[n], form->row->name) != 0)
        n++;
    if (n == 4 || a->kind != SCALAR_REAL || b->kind != SCALAR_REAL) {
        diag_report(as->diag, DIAG_PTOAS_UNSUPPORTED, form->stmt->op->name_loc,
                    "%s is not lowered but for constants", form->row->name);
        return false;
    }
    const double results[] = {a->real + b->real, a->real - b->real, a->real * b->real,
                              a->real / b->real};
    *out = (struct scalar){.kind = SCALAR_REAL, .type = a->type, .real = results[n]};
    return ptoas_real_bits(as, results[n], a->type, loc, &out->number);
}

/* ---- lowering ---- */

static const struct arithmetic *find_arithmetic(const char *name)
{
    for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++)
        if (strcmp(arithmetic[i].op, name) == 0)
            return &arithmetic[i];
    return NULL;
}

void ptoas_lower_binary(struct assembler *as, const struct op_form *form)
{
    const struct arithmetic *row = find_arithmetic(form->row->name);
    struct scalar a, b, result;
    if (!ptoas_scalar(as, ptoas_operand(form, "lhs", 0), &a) ||
        !ptoas_scalar(as, ptoas_operand(form, "rhs", 0), &b))
        return;
    bool good = row != NULL ? arithmetic_of(as, row, &a, &b, form->stmt->loc, &result)
                : strcmp(form->row->name, "arith.cmpi") == 0
                    ? ptoas_compare(as, form, &a, &b, &result)
                    : fold_real(as, form, &a, &b, &result);
    if (good)
        ptoas_define_scalar(as, form->results[0].value->name, &result);
}
