/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of PTO-AS operations against the kinds that isa/ptoas-ops.isa gives them. */
#include "asm/verify.h"

#include <string.h>

static bool bad_attribute(struct assembler *as, const struct op_form *form,
                          const struct ast_attr *a, struct loc loc, const char *name,
                          const char *legal)
{
    const char *text = a->text != NULL ? a->text : a->spelling;
    diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, loc, "%s of %s cannot be %s (legal: %s)", name,
                form->stmt->op->name, text != NULL ? text : "this", legal);
    return false;
}

static bool check_integer(struct assembler *as, const struct op_form *form,
                          const struct ast_attr *a, struct loc loc, const char *name, unsigned kind)
{
    static const struct {
        int64_t min, max;
        const char *what;
    } ranges[] = {[ISA_OP_ATTR_I8] = {-128, 255, "an i8"},
                  [ISA_OP_ATTR_I32] = {INT32_MIN, UINT32_MAX, "an i32"},
                  [ISA_OP_ATTR_I64] = {INT64_MIN, INT64_MAX, "an i64"}};
    if (a->kind == AST_ATTR_INT && a->number >= ranges[kind].min && a->number <= ranges[kind].max)
        return true;
    return bad_attribute(as, form, a, loc, name, ranges[kind].what);
}

/* "a b" as "a, b", until the next scratch text. */
static const char *listed(struct assembler *as, const char *words)
{
    struct buffer *out = asm_scratch(as);
    for (; *words != '\0'; words++)
        buffer_printf(out, *words == ' ' ? ", " : "%c", *words);
    buffer_append(out, "", 1);
    return (const char *)out->data;
}

static bool names_enumeration(const struct ast_attr *a, const struct isa_op_enum *e)
{
    return a->name == NULL || isa_op_word(e->names, a->name);
}

static bool check_member(struct assembler *as, const struct op_form *form, const struct ast_attr *a,
                         struct loc loc, const char *name, const struct isa_op_enum *e)
{
    bool word = a->kind == AST_ATTR_ENUM || a->kind == AST_ATTR_STRING;
    if (word && names_enumeration(a, e) && isa_op_word(e->members, a->text))
        return true;
    return bad_attribute(as, form, a, loc, name, listed(as, e->members));
}

static bool is_ints(const struct ast_attr *a)
{
    if (a->kind == AST_ATTR_TYPE)
        return strncmp(a->text, "array<", 6) == 0;
    if (a->kind != AST_ATTR_ARRAY)
        return false;
    for (const struct ast_attr *e = a->list; e != NULL; e = e->next)
        if (e->kind != AST_ATTR_INT)
            return false;
    return true;
}

static bool is_bool(const struct ast_attr *a)
{
    return a->kind == AST_ATTR_ENUM &&
           (strcmp(a->text, "true") == 0 || strcmp(a->text, "false") == 0);
}

static bool check_attribute(struct assembler *as, const struct op_form *form,
                            const struct ast_attr *a, struct loc loc, const char *name,
                            unsigned kind)
{
    if (kind >= ISA_OP_ATTR_ENUM)
        return check_member(as, form, a, loc, name, &isa_op_enums[kind - ISA_OP_ATTR_ENUM]);
    switch ((enum isa_op_attr_kind)kind) {
    case ISA_OP_ATTR_I8:
    case ISA_OP_ATTR_I32:
    case ISA_OP_ATTR_I64:
        return check_integer(as, form, a, loc, name, kind);
    case ISA_OP_ATTR_BOOL:
        return is_bool(a) || bad_attribute(as, form, a, loc, name, "true, false");
    case ISA_OP_ATTR_STRING:
        return a->kind == AST_ATTR_STRING || bad_attribute(as, form, a, loc, name, "a string");
    case ISA_OP_ATTR_SYMBOL:
        return a->kind == AST_ATTR_SYMBOL || bad_attribute(as, form, a, loc, name, "an @symbol");
    case ISA_OP_ATTR_INTS:
        return is_ints(a) || bad_attribute(as, form, a, loc, name, "a list of integers");
    case ISA_OP_ATTR_TILE_CONFIG:
        return strcmp(a->name != NULL ? a->name : "", "pto.tile_buf_config") == 0 ||
               bad_attribute(as, form, a, loc, name, "#pto.tile_buf_config<...>");
    case ISA_OP_ATTR_ANY:
    case ISA_OP_ATTR_ENUM:
        break;
    }
    return true;
}

/* A literal operand as an attribute. */
static bool check_literal(struct assembler *as, const struct op_form *form,
                          const struct op_operand *o)
{
    const struct ast_value *v = o->value;
    const struct isa_op_value *row = &form->row->operands[o->index];
    struct ast_attr word = {.kind = v->kind == AST_VALUE_INT ? AST_ATTR_INT : AST_ATTR_ENUM,
                            .text = v->name,
                            .number = v->number,
                            .spelling = v->spelling};
    if (v->kind == AST_VALUE_SSA) {
        diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, v->loc, "%s of %s is an attribute, not %%%s",
                    row->name, form->stmt->op->name, v->name);
        return false;
    }
    return check_attribute(as, form, v->kind == AST_VALUE_ATTR ? v->attr : &word, v->loc, row->name,
                           row->kind);
}

/* Keys with a dot belong to a dialect and may stand everywhere. */
static bool is_free_key(const struct isa_op *row, const char *key)
{
    return strchr(key, '.') != NULL || strcmp(key, "operandSegmentSizes") == 0 ||
           strcmp(key, "resultSegmentSizes") == 0 ||
           (row->flags & (ISA_OP_FUNCTION | ISA_OP_MAY_SYMBOL)) != 0;
}

static bool unknown_attribute(struct assembler *as, const struct op_form *form,
                              const struct ast_attr *a)
{
    const struct isa_op *row = form->row;
    struct buffer *legal = asm_scratch(as);
    for (unsigned i = 0; i < row->nattrs; i++)
        buffer_printf(legal, "%s%s", i > 0 ? ", " : "", row->attrs[i].name);
    diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, a->loc, "%s has no attribute %s (legal: %.*s)",
                form->stmt->op->name, a->key, legal->size > 0 ? (int)legal->size : 4,
                legal->size > 0 ? (const char *)legal->data : "none");
    return false;
}

static bool check_given(struct assembler *as, const struct op_form *form, const struct ast_attr *a)
{
    const struct isa_op *row = form->row;
    int i = isa_op_attr(row, a->key);
    if (i >= 0)
        return check_attribute(as, form, a, a->loc, a->key, row->attrs[i].kind);
    i = form->style == OP_STYLE_GENERIC ? isa_op_operand(row, a->key) : -1;
    if (i >= 0 && row->operands[i].flags & ISA_OP_LITERAL)
        return check_attribute(as, form, a, a->loc, a->key, row->operands[i].kind);
    return is_free_key(row, a->key) || unknown_attribute(as, form, a);
}

static bool missing_attribute(struct assembler *as, const struct op_form *form, const char *name)
{
    diag_report(as->diag, DIAG_PTOAS_ATTRIBUTE, form->stmt->loc, "%s lacks attribute '%s'",
                form->stmt->op->name, name);
    return false;
}

bool ptoas_check_attributes(struct assembler *as, const struct op_form *form)
{
    const struct isa_op *row = form->row;
    for (unsigned i = 0; i < form->nattrs; i++)
        if (!check_given(as, form, form->attrs[i]))
            return false;
    for (unsigned i = 0; i < form->noperands; i++)
        if (row->operands[form->operands[i].index].flags & ISA_OP_LITERAL &&
            !check_literal(as, form, &form->operands[i]))
            return false;
    for (unsigned i = 0; i < row->nattrs; i++)
        if (!(row->attrs[i].flags & ISA_OP_OPTIONAL) && !ptoas_attr(form, row->attrs[i].name))
            return missing_attribute(as, form, row->attrs[i].name);
    return true;
}

const struct ast_attr *ptoas_attr(const struct op_form *form, const char *name)
{
    for (unsigned i = 0; i < form->nattrs; i++)
        if (strcmp(form->attrs[i]->key, name) == 0)
            return form->attrs[i];
    return NULL;
}

const char *ptoas_attr_member(const struct op_form *form, const char *name)
{
    const struct ast_attr *a = ptoas_attr(form, name);
    return a != NULL ? a->text : NULL;
}

bool ptoas_flag(const struct op_form *form, const char *name, bool otherwise)
{
    const struct ast_attr *a = ptoas_attr(form, name);
    if (a == NULL)
        return otherwise;
    return a->kind == AST_ATTR_INT ? a->number != 0 : strcmp(a->text, "true") == 0;
}
