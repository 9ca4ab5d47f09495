/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directives that put bytes: numbers, floats, strings, fill, alignment, raw
 * instructions.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/directive.h"
#include "support/decimal.h"

enum { MAX_ALIGN_EXPONENT = 30, MAX_FILL_SIZE = 8 };

/* Data among code: what they mean for an open bundle cannot be judged. */
static void begin_data(struct assembler *as)
{
    asm_settle(as, CLASS_ANY);
    if (as->section->flags & OBJ_EXEC)
        asm_bundle_raw(as);
}

/* `count` data of `size` bytes; zeroes may stand in sections without contents. */
static void fill_pattern(struct assembler *as, uint64_t count, unsigned size, int64_t value,
                         struct loc loc)
{
    uint64_t total = size && count > UINT64_MAX / size ? UINT64_MAX : count * size;
    if (value == 0) {
        asm_reserve(as, total, loc);
        return;
    }
    if (as->section->type == OBJ_NOBITS)
        count = count != 0;
    else if (!asm_fits(as, total, loc))
        return;
    for (uint64_t n = 0; n < count; n++)
        asm_store(as, asm_extend(as, OBJ_CONTENT_DATA, size, loc), size, value, loc);
}

/* ---- numbers ---- */

static void put_number(struct assembler *as, const struct ast_expr *expr, unsigned size)
{
    struct value v = asm_eval(as, expr);
    struct fixup fixup = {.section = as->section,
                          .offset = asm_offset(as->section),
                          .loc = expr->loc,
                          .size = (uint8_t)size};
    if (v.kind != VALUE_ABSOLUTE && v.kind != VALUE_ERROR)
        fixup.expr = asm_capture(as, expr);
    uint8_t *bytes = asm_extend(as, OBJ_CONTENT_DATA, size, expr->loc);
    if (v.kind == VALUE_ABSOLUTE)
        asm_store(as, bytes, size, v.number, expr->loc);
    else if (fixup.expr && as->section->type != OBJ_NOBITS)
        asm_add_fixup(as, &fixup);
}

void asm_data_numbers(struct assembler *as, const struct ast_stmt *stmt,
                      const struct directive *row)
{
    begin_data(as);
    for (const struct ast_operand *o = stmt->operands; o; o = o->next)
        if (o->kind == AST_OPERAND_EXPR && o->expr)
            put_number(as, o->expr, row->arg);
        else
            asm_bad_operand(as, o, "a number or an address");
}

/* ---- floating point ---- */

/* The text as the nearest number of `size` bytes; decimal digits are rounded once. */
static bool float_bits(const char *text, bool negative, unsigned size, uint64_t *bits)
{
    bool overflow;
    if (size == 4) {
        float f = decimal_to_float(text, NULL);
        uint32_t word;
        overflow = isinf(f) && (text[0] >= '0' && text[0] <= '9');
        f = negative ? -f : f;
        memcpy(&word, &f, sizeof word);
        *bits = word;
    } else {
        double f = decimal_to_double(text, NULL);
        overflow = isinf(f) && (text[0] >= '0' && text[0] <= '9');
        f = negative ? -f : f;
        memcpy(bits, &f, sizeof f);
    }
    return !overflow;
}

static bool is_float_word(const char *text)
{
    size_t size = strlen(text);
    return equal_folded(text, size, "inf", 3) || equal_folded(text, size, "infinity", 8) ||
           equal_folded(text, size, "nan", 3);
}

/* A literal under signs. NULL when it is not one. */
static const char *float_text(struct assembler *as, const struct ast_expr *e, bool *negative)
{
    while (e->op == AST_NEG || e->op == AST_PLUS) {
        *negative ^= e->op == AST_NEG;
        e = e->left;
    }
    if (e->op == AST_FLOAT || (e->op == AST_NAME && is_float_word(e->text)))
        return e->text;
    if (e->op == AST_NUMBER)
        return arena_printf(as->arena, "%llu", (unsigned long long)e->number);
    return NULL;
}

static void put_float(struct assembler *as, const struct ast_operand *o, unsigned size)
{
    bool negative = false;
    uint64_t bits = 0;
    const char *text =
        o->kind == AST_OPERAND_EXPR && o->expr ? float_text(as, o->expr, &negative) : NULL;
    if (!text)
        asm_bad_operand(as, o, "a floating-point number");
    else if (!float_bits(text, negative, size, &bits))
        diag_report(as->diag, DIAG_DATA_RANGE, o->loc, "%s is too large for %u bytes", text, size);
    uint8_t *bytes = asm_extend(as, OBJ_CONTENT_DATA, size, o->loc);
    for (unsigned n = 0; n < size; n++)
        bytes[n] = (uint8_t)(bits >> 8 * n);
}

void asm_data_floats(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    begin_data(as);
    for (const struct ast_operand *o = stmt->operands; o; o = o->next)
        put_float(as, o, row->arg);
}

/* ---- strings ---- */

/* arg: NUL bytes behind each string. */
void asm_data_strings(struct assembler *as, const struct ast_stmt *stmt,
                      const struct directive *row)
{
    begin_data(as);
    for (const struct ast_operand *o = stmt->operands; o; o = o->next) {
        if (o->kind != AST_OPERAND_STRING) {
            asm_bad_operand(as, o, "a string in quotes");
            continue;
        }
        if (o->size + row->arg)
            memcpy(asm_extend(as, OBJ_CONTENT_DATA, o->size + row->arg, o->loc), o->text, o->size);
    }
}

/* ---- LEB128 ---- */

static void put_leb128(struct assembler *as, int64_t number, bool is_signed, struct loc loc)
{
    bool more = true;
    while (more) {
        uint8_t group = number & 0x7f;
        number = is_signed ? number >> 7 : (int64_t)((uint64_t)number >> 7);
        more = is_signed ? !((number == 0 && group < 0x40) || (number == -1 && group >= 0x40))
                         : number != 0;
        *asm_extend(as, OBJ_CONTENT_DATA, 1, loc) = (uint8_t)(group | (more ? 0x80 : 0));
    }
}

void asm_data_leb128(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    begin_data(as);
    for (const struct ast_operand *o = stmt->operands; o; o = o->next) {
        int64_t number;
        if (o->kind != AST_OPERAND_EXPR || !o->expr)
            asm_bad_operand(as, o, "a number");
        else if (!asm_eval_number(as, o->expr, "a LEB128 number", &number))
            continue;
        else if (!row->arg && number < 0)
            diag_report(as->diag, DIAG_DATA_RANGE, o->loc, "%lld is negative; use .sleb128",
                        (long long)number);
        else
            put_leb128(as, number, row->arg, o->loc);
    }
}

/* ---- space ---- */

static bool not_negative(struct assembler *as, const char *what, int64_t number, struct loc loc)
{
    if (number >= 0)
        return true;
    diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, loc, "%s %lld is negative", what,
                (long long)number);
    return false;
}

/* `count` bytes of value `fill`; zeroes need no contents. */
static void put_space(struct assembler *as, uint64_t count, int64_t fill, struct loc loc)
{
    if (as->section->flags & OBJ_EXEC && count)
        asm_bundle_raw(as);
    fill_pattern(as, count, 1, fill, loc);
}

void asm_data_skip(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    int64_t count, fill;
    asm_settle(as, CLASS_ANY);
    if (asm_operand_number(as, stmt, 0, "the size", 0, &count) &&
        asm_operand_number(as, stmt, 1, "the fill", 0, &fill) &&
        not_negative(as, row->name, count, stmt->loc))
        put_space(as, (uint64_t)count, fill, stmt->loc);
}

/* .fill COUNT [, SIZE [, VALUE]] */
void asm_data_fill(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    int64_t count, size, value;
    begin_data(as);
    if (!asm_operand_number(as, stmt, 0, "the count", 0, &count) ||
        !asm_operand_number(as, stmt, 1, "the size", 1, &size) ||
        !asm_operand_number(as, stmt, 2, "the value", 0, &value) ||
        !not_negative(as, row->name, count, stmt->loc))
        return;
    if (size < 0 || size > MAX_FILL_SIZE) {
        diag_report(as->diag, DIAG_DIRECTIVE_OPERAND, stmt->loc,
                    ".fill size %lld is not in [0, %d]", (long long)size, MAX_FILL_SIZE);
        return;
    }
    if (size)
        fill_pattern(as, (uint64_t)count, (unsigned)size, value, stmt->loc);
}

/* The byte that fills; out of range is reported. */
static uint8_t fill_byte(struct assembler *as, int64_t fill, struct loc loc)
{
    uint8_t byte;
    asm_store(as, &byte, 1, fill, loc);
    return byte;
}

/* .org behind instructions whose forms are chosen later: only then is it known how far it is. */
static void open_org(struct assembler *as, const struct value *v, int64_t fill, struct loc loc)
{
    struct gap gap = {.loc = loc,
                      .target = (uint64_t)v->number,
                      .target_points = v->points,
                      .fill = fill_byte(as, fill, loc)};
    uint64_t here = asm_offset(as->section);
    uint64_t size = asm_org_size(v->number - (int64_t)here);
    if (!asm_fits(as, size, loc))
        return;
    asm_bundle_raw(as);
    asm_note_content(as, OBJ_CONTENT_DATA);
    asm_relax_gap(as, POINT_ORG, size, &gap);
}

/* .org PLACE [, FILL]: only forward. */
void asm_data_org(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    int64_t fill;
    asm_settle(as, CLASS_ANY);
    const struct ast_operand *o = asm_operand(stmt, 0);
    if (!o || o->kind != AST_OPERAND_EXPR || !asm_operand_number(as, stmt, 1, "the fill", 0, &fill))
        return;
    struct value v = asm_eval(as, o->expr);
    int64_t here = (int64_t)asm_offset(as->section);
    if (v.kind == VALUE_ERROR)
        return;
    if (v.kind != VALUE_ABSOLUTE && (v.kind != VALUE_PLACE || v.section != as->section))
        diag_report(as->diag, DIAG_NOT_CONSTANT, o->loc,
                    ".org needs an offset that is known here, in the current section");
    else if (as->section->points.count)
        open_org(as, &v, fill, o->loc);
    else if (v.number < here)
        diag_report(as->diag, DIAG_ORG_BACKWARDS, o->loc,
                    ".org to 0x%llx, but section '%s' has reached 0x%llx",
                    (unsigned long long)v.number, as->section->name, (unsigned long long)here);
    else
        put_space(as, (uint64_t)(v.number - here), fill, stmt->loc);
}

/* ---- alignment ---- */

/* False: reported. */
static bool align_value(struct assembler *as, const struct ast_stmt *stmt, bool bytes,
                        uint64_t *align)
{
    int64_t n;
    if (!asm_operand_number(as, stmt, 0, "the alignment", 0, &n))
        return false;
    int64_t limit = bytes ? INT64_C(1) << MAX_ALIGN_EXPONENT : MAX_ALIGN_EXPONENT;
    if (n < 0 || n > limit || (bytes && (n & (n - 1)))) {
        diag_report(as->diag, DIAG_ALIGN_VALUE, stmt->loc,
                    bytes ? "alignment %lld is not a power of two up to %lld"
                          : "alignment exponent %lld is not in [0, %lld]",
                    (long long)n, (long long)limit);
        return false;
    }
    *align = !bytes ? UINT64_C(1) << n : n ? (uint64_t)n : 1;
    return true;
}

/* Alignment behind instructions whose forms are chosen later. Their lengths are even, so an odd
 * pad stays odd. */
static void open_code_align(struct assembler *as, struct gap *gap, uint64_t pad)
{
    if (asm_fill_is_odd(as, pad, gap->loc) || !asm_fits(as, pad, gap->loc))
        return;
    gap->code = true;
    if (as->section->bundle.state == BUNDLE_OPEN)
        gap->bundle = as->section->bundle.start;
    asm_note_content(as, OBJ_CONTENT_CODE);
    asm_relax_gap(as, POINT_ALIGN, pad, gap);
}

static void open_data_align(struct assembler *as, struct gap *gap, uint64_t pad, int64_t fill)
{
    gap->fill = fill_byte(as, fill, gap->loc);
    if (!asm_fits(as, pad, gap->loc))
        return;
    asm_bundle_raw(as);
    asm_note_content(as, OBJ_CONTENT_DATA);
    asm_relax_gap(as, POINT_ALIGN, pad, gap);
}

/* .align and .p2align (exponent), .balign (arg 1, bytes): N [, FILL [, MAX]]. */
void asm_data_align(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    uint64_t align;
    int64_t fill, max;
    asm_settle(as, CLASS_ANY);
    if (!align_value(as, stmt, row->arg, &align) ||
        !asm_operand_number(as, stmt, 1, "the fill", 0, &fill) ||
        !asm_operand_number(as, stmt, 2, "the limit", INT64_MAX, &max))
        return;
    uint64_t pad = -asm_offset(as->section) & (align - 1);
    bool open = as->section->points.count != 0;
    if (!open && max > 0 && pad > (uint64_t)max)
        return;
    asm_raise_align(as->section, align);
    bool code = (as->section->flags & OBJ_EXEC) && as->section->class != CLASS_SEQ &&
                (!asm_operand(stmt, 1) || as->section->bundle.state == BUNDLE_OPEN);
    struct gap gap = {.loc = stmt->loc, .align = align, .max = max > 0 ? (uint64_t)max : 0};
    if (open && code)
        open_code_align(as, &gap, pad);
    else if (open)
        open_data_align(as, &gap, pad, fill);
    else if (code)
        asm_fill_code(as, pad, stmt->loc);
    else
        put_space(as, pad, fill, stmt->loc);
}

/* ---- raw instructions ---- */

/* One number: an instruction of the length its low bits say. */
static void inst_number(struct assembler *as, const struct ast_operand *o)
{
    int64_t number;
    uint8_t bytes[8];
    if (!asm_eval_number(as, o->expr, "a raw instruction", &number))
        return;
    for (unsigned n = 0; n < sizeof bytes; n++)
        bytes[n] = (uint8_t)((uint64_t)number >> 8 * n);
    unsigned length = isa_length(bytes, sizeof bytes);
    if (length < sizeof bytes && (uint64_t)number >> 8 * length) {
        diag_report(as->diag, DIAG_INST_LENGTH, o->loc,
                    "0x%llx does not fit the %u bytes that its low bits call for",
                    (unsigned long long)number, length);
        return;
    }
    memcpy(asm_extend(as, OBJ_CONTENT_CODE, length, o->loc), bytes, length);
}

/* A list of bytes in memory order; whole parcels, so that what follows stays aligned. */
static void inst_bytes(struct assembler *as, const struct ast_stmt *stmt, unsigned unit)
{
    struct buffer *bytes = asm_scratch(as);
    bool good = true;
    for (const struct ast_operand *o = stmt->operands; o; o = o->next) {
        int64_t number;
        if (o->kind != AST_OPERAND_EXPR || !o->expr) {
            asm_bad_operand(as, o, "a byte");
            good = false;
        } else if (!asm_eval_number(as, o->expr, "a byte", &number))
            good = false;
        else
            asm_store(as, buffer_extend(bytes, 1), 1, number, o->loc);
    }
    if (good && bytes->size % unit)
        diag_report(as->diag, DIAG_INST_LENGTH, stmt->loc,
                    "%zu byte%s: an instruction here has a multiple of %u", bytes->size,
                    bytes->size == 1 ? "" : "s", unit);
    else if (good)
        memcpy(
            asm_extend(as, unit == 2 ? OBJ_CONTENT_CODE : OBJ_CONTENT_SEQ, bytes->size, stmt->loc),
            bytes->data, bytes->size);
}

void asm_data_inst(struct assembler *as, const struct ast_stmt *stmt, const struct directive *row)
{
    (void)row;
    if (!as->section_named)
        asm_settle(as, as->section ? CLASS_ANY : CLASS_PTO);
    asm_line_row(as, stmt->loc);
    asm_note_insn(as, as->section->class == CLASS_SEQ ? ISA_SET_SEQ : ISA_SET_PTO, stmt->loc);
    if (as->section->class == CLASS_SEQ) {
        inst_bytes(as, stmt, ISA_MAX_LENGTH);
        return;
    }
    asm_bundle_raw(as);
    asm_raise_align(as->section, 4);
    if (stmt->operands->next)
        inst_bytes(as, stmt, 2);
    else if (stmt->operands->kind == AST_OPERAND_EXPR && stmt->operands->expr)
        inst_number(as, stmt->operands);
    else
        asm_bad_operand(as, stmt->operands, "a number or a list of bytes");
}
