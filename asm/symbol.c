/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symbols: labels, .set values, common blocks, numeric labels.
 *
 * Names are interned, so the table is keyed by pointer. A name has one
 * definition; only .set and `=` may change theirs. Numeric labels and captured
 * places are generated symbols with a pointer of their own.
 */
#include "asm/assembler.h"

#include <string.h>

/* A value that is not known yet may use another one, and so on. */
enum { MAX_RESOLVING = 1000 };

static struct symbol *new_symbol(struct assembler *as, const char *name)
{
    struct symbol *symbol = arena_alloc(as->arena, sizeof *symbol);
    symbol->name = name;
    *map_put(&as->symbols, name) = symbol;
    *vec_push(as->mem, &as->symbol_list) = symbol;
    return symbol;
}

struct symbol *asm_symbol(struct assembler *as, const char *name)
{
    struct symbol *symbol = map_get(&as->symbols, name);
    if (symbol)
        return symbol;
    symbol = new_symbol(as, name);
    symbol->is_register = asm_is_register(name, intern_length(name));
    return symbol;
}

static bool redefined(struct assembler *as, const struct symbol *symbol, struct loc loc)
{
    if (symbol->kind == SYMBOL_UNDEFINED)
        return false;
    diag_report(as->diag, DIAG_SYMBOL_REDEFINED, loc, "symbol '%s' is already defined",
                symbol->name);
    diag_note(as->diag, symbol->definition, "the first definition is here");
    return true;
}

/* False: reported. */
static bool may_define(struct assembler *as, const struct symbol *symbol, struct loc loc)
{
    if (!symbol->is_register)
        return true;
    diag_report(as->diag, DIAG_SYMBOL_RESERVED, loc,
                "'%s' is a register; write \"%s\" for a symbol of that name", symbol->name,
                symbol->name);
    return false;
}

void asm_place_symbol(struct assembler *as, struct symbol *symbol)
{
    symbol->kind = SYMBOL_LABEL;
    symbol->section = as->section;
    symbol->offset = asm_offset(as->section);
    symbol->points = (uint32_t)as->section->points.count;
}

static void place_label(struct assembler *as, struct symbol *symbol, struct loc loc)
{
    symbol->definition = loc;
    as->epoch++;
    if (!as->section_named) {
        symbol->kind = SYMBOL_PENDING;
        *vec_push(as->mem, &as->pending) = symbol;
        return;
    }
    asm_place_symbol(as, symbol);
}

void asm_define_label(struct assembler *as, const char *name, struct loc loc, bool quoted)
{
    struct symbol *symbol = asm_symbol(as, name);
    if ((quoted || may_define(as, symbol, loc)) && !redefined(as, symbol, loc))
        place_label(as, symbol, loc);
}

void asm_define_common(struct assembler *as, const char *name, struct loc loc, uint64_t size,
                       uint64_t align)
{
    struct symbol *symbol = asm_symbol(as, name);
    if (!may_define(as, symbol, loc))
        return;
    if (symbol->kind == SYMBOL_COMMON) {
        symbol->size = size > symbol->size ? size : symbol->size;
        symbol->align = align > symbol->align ? align : symbol->align;
        return;
    }
    if (redefined(as, symbol, loc))
        return;
    symbol->definition = loc;
    as->epoch++;
    symbol->kind = SYMBOL_COMMON;
    symbol->size = size;
    symbol->align = align;
    symbol->type = OBJ_DATA;
    if (!symbol->bound)
        symbol->bind = OBJ_GLOBAL;
}

void asm_equate(struct assembler *as, const char *name, struct loc name_loc,
                const struct ast_expr *expr, bool redefinable)
{
    struct symbol *symbol = asm_symbol(as, name);
    if (!may_define(as, symbol, name_loc))
        return;
    bool again = symbol->kind == SYMBOL_EQUATED && symbol->redefinable && redefinable;
    if (!again && redefined(as, symbol, name_loc))
        return;
    struct value v = asm_eval(as, expr);
    symbol->definition = name_loc;
    symbol->kind = SYMBOL_EQUATED;
    symbol->redefinable = redefinable;
    symbol->snapshot = NULL;
    symbol->later_at = 0;
    as->epoch++;
    symbol->value = v.kind == VALUE_ERROR ? (struct value){.kind = VALUE_ABSOLUTE} : v;
    symbol->expr = v.kind == VALUE_LATER ? asm_capture(as, expr) : NULL;
}

/* ---- values ---- */

/* False: reported. */
static bool may_resolve(struct assembler *as, const struct symbol *symbol)
{
    if (symbol->resolving)
        diag_report(as->diag, DIAG_SYMBOL_CYCLE, symbol->definition,
                    "the value of '%s' depends on itself", symbol->name);
    else if (as->resolving == MAX_RESOLVING)
        diag_report(as->diag, DIAG_EXPRESSION_DEPTH, symbol->definition,
                    "the value of '%s' depends on more than %d others", symbol->name,
                    MAX_RESOLVING);
    else
        return true;
    return false;
}

static struct value equated_value(struct assembler *as, struct symbol *symbol)
{
    if (!symbol->expr)
        return symbol->value;
    if (symbol->later_at == as->epoch && symbol->value.kind == VALUE_LATER)
        return symbol->value;
    if (!may_resolve(as, symbol))
        return (struct value){.kind = VALUE_ERROR};
    symbol->resolving = true;
    as->resolving++;
    struct value v = asm_eval(as, symbol->expr);
    as->resolving--;
    symbol->resolving = false;
    symbol->value = v;
    symbol->later_at = as->epoch;
    if (v.kind != VALUE_LATER)
        symbol->expr = NULL;
    return v;
}

struct value asm_symbol_value(struct assembler *as, struct symbol *symbol, struct loc use)
{
    if (!symbol->referenced) {
        symbol->referenced = true;
        symbol->use = use;
    }
    if (symbol->kind == SYMBOL_PENDING)
        asm_settle(as, CLASS_ANY);
    switch (symbol->kind) {
    case SYMBOL_LABEL:
        return (struct value){.kind = VALUE_PLACE,
                              .section = symbol->section,
                              .symbol = symbol,
                              .number = (int64_t)symbol->offset,
                              .points = symbol->points};
    case SYMBOL_EQUATED:
        return equated_value(as, symbol);
    case SYMBOL_COMMON:
        return (struct value){.kind = VALUE_EXTERNAL, .symbol = symbol};
    default:
        return (struct value){.kind = as->final ? VALUE_EXTERNAL : VALUE_LATER, .symbol = symbol};
    }
}

/* ---- numeric labels and places ---- */

struct local_label {
    struct symbol *last; /* what Nb means */
    struct symbol *next; /* what Nf means, once it was used */
};

static struct symbol *generate(struct assembler *as, const char *name)
{
    struct symbol *symbol = new_symbol(as, name);
    symbol->generated = true;
    return symbol;
}

static struct local_label *local_label(struct assembler *as, int64_t number)
{
    void **slot = map_put(&as->local_labels, (const void *)((uintptr_t)number + 1));
    if (!*slot)
        *slot = arena_alloc(as->arena, sizeof(struct local_label));
    return *slot;
}

static struct symbol *next_local(struct assembler *as, struct local_label *label, int64_t number)
{
    if (!label->next)
        label->next = generate(as, arena_printf(as->arena, "%lldf", (long long)number));
    return label->next;
}

void asm_define_local_label(struct assembler *as, int64_t number, struct loc loc)
{
    struct local_label *label = local_label(as, number);
    label->last = next_local(as, label, number);
    label->next = NULL;
    place_label(as, label->last, loc);
}

struct symbol *asm_local_label(struct assembler *as, const struct ast_expr *expr)
{
    struct local_label *label = local_label(as, expr->number);
    if (expr->forward)
        return next_local(as, label, expr->number);
    if (!label->last)
        diag_report(as->diag, DIAG_SYMBOL_UNDEFINED, expr->loc,
                    "there is no label '%lld:' before this line", (long long)expr->number);
    return label->last;
}

struct symbol *asm_snapshot(struct assembler *as, struct symbol *symbol)
{
    if (symbol->snapshot)
        return symbol->snapshot;
    struct symbol *copy = generate(as, arena_string(as->arena, symbol->name, strlen(symbol->name)));
    copy->kind = SYMBOL_EQUATED;
    copy->definition = symbol->definition;
    copy->value = symbol->value;
    copy->expr = symbol->expr;
    symbol->snapshot = copy;
    return copy;
}

struct symbol *asm_here(struct assembler *as, struct loc loc)
{
    asm_settle(as, CLASS_ANY);
    struct symbol *symbol = generate(as, arena_string(as->arena, ".", 1));
    symbol->definition = loc;
    symbol->here = true;
    asm_place_symbol(as, symbol);
    return symbol;
}

/* ---- register names ---- */

bool asm_is_register(const char *name, size_t size)
{
    const isa_revset all = (isa_revset)~0u;
    return isa_find_member(&isa_enumerations[ISA_ENUM_GPR], name, size, all) != NULL;
}
