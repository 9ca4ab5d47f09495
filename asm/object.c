/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of an assembly: what was learned becomes a struct object. From
 * asm_finish on nothing is defined any more, so what is still unknown is
 * external or an error.
 */
#include "asm/ptoas.h"

#include <string.h>

/* ---- symbols ---- */

static bool is_assembler_local(const struct symbol *symbol)
{
    return symbol->generated || strncmp(symbol->name, ".L", 2) == 0;
}

/* Whether a defined symbol is one of the object even if nothing there refers to it. */
static bool is_exported(const struct assembler *as, const struct symbol *symbol)
{
    return !is_assembler_local(symbol) || (as->options->keep_locals && !symbol->generated);
}

static void set_place(struct obj_symbol *out, const struct symbol *symbol, const struct value *v)
{
    switch (symbol->kind) {
    case SYMBOL_LABEL:
        out->section = (int)symbol->section->index;
        out->value = symbol->offset;
        break;
    case SYMBOL_COMMON:
        out->section = OBJ_COMMON;
        out->value = symbol->align;
        out->size = symbol->size;
        break;
    case SYMBOL_EQUATED:
        out->section = v->kind == VALUE_PLACE ? (int)v->section->index : OBJ_ABS;
        out->value = (uint64_t)v->number;
        break;
    default:
        out->section = OBJ_UNDEF;
        break;
    }
}

uint32_t asm_export_symbol(struct assembler *as, struct symbol *symbol)
{
    if (symbol->exported)
        return symbol->index;
    struct value v = symbol->value;
    bool undefined = symbol->kind == SYMBOL_UNDEFINED;
    symbol->exported = true;
    symbol->index = (uint32_t)as->object->symbols.count;
    struct obj_symbol *out = vec_push(as->mem, &as->object->symbols);
    out->name = symbol->type == OBJ_SECTION_SYMBOL
                    ? ""
                    : arena_string(as->object->arena, symbol->name, strlen(symbol->name));
    out->bind = undefined && symbol->bind == OBJ_LOCAL ? OBJ_GLOBAL : symbol->bind;
    out->type = symbol->type;
    out->visibility = symbol->visibility;
    set_place(out, symbol, &v);
    return symbol->index;
}

static void set_size(struct assembler *as, const struct symbol *symbol)
{
    struct value v = asm_eval(as, symbol->size_expr);
    if (v.kind == VALUE_ABSOLUTE)
        as->object->symbols.item[symbol->index].size = (uint64_t)v.number;
    else if (v.kind != VALUE_ERROR)
        diag_report(as->diag, DIAG_NOT_CONSTANT, symbol->size_expr->loc,
                    "the size of '%s' must be a number", symbol->name);
}

/* A .set symbol that names an external place has no row of its own. */
static bool settle_equated(struct assembler *as, struct symbol *symbol)
{
    struct value v = asm_symbol_value(as, symbol, symbol->definition);
    symbol->value = v;
    if (v.kind == VALUE_ABSOLUTE || (v.kind == VALUE_PLACE && !v.minus))
        return true;
    if (v.kind != VALUE_ERROR && (symbol->bound || v.minus))
        diag_report(as->diag, DIAG_SYMBOL_ALIAS, symbol->definition,
                    "'%s' cannot be a symbol of the object: its value is not a number or a place "
                    "in this file",
                    symbol->name);
    return false;
}

static bool is_stripped(const struct assembler *as, const struct symbol *symbol)
{
    return as->options->strip_local_absolute && symbol->bind == OBJ_LOCAL &&
           symbol->kind == SYMBOL_EQUATED && symbol->value.kind == VALUE_ABSOLUTE;
}

static void export_defined(struct assembler *as)
{
    for (size_t i = 0; i < as->symbol_list.count; i++) {
        struct symbol *symbol = as->symbol_list.item[i];
        if (symbol->kind == SYMBOL_UNDEFINED || !is_exported(as, symbol) ||
            (symbol->kind == SYMBOL_EQUATED && !settle_equated(as, symbol)) ||
            is_stripped(as, symbol))
            continue;
        asm_export_symbol(as, symbol);
        if (symbol->size_expr)
            set_size(as, symbol);
    }
}

static void check_undefined(struct assembler *as)
{
    for (size_t i = 0; i < as->symbol_list.count; i++) {
        struct symbol *symbol = as->symbol_list.item[i];
        if (symbol->kind != SYMBOL_UNDEFINED || !symbol->referenced)
            continue;
        bool local = is_assembler_local(symbol) || (symbol->bound && symbol->bind == OBJ_LOCAL);
        if (local)
            diag_report(as->diag, DIAG_SYMBOL_UNDEFINED, symbol->use,
                        "local symbol '%s' is not defined", symbol->name);
    }
}

/* ---- sections ---- */

static void export_sections(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++) {
        const struct section *section = as->sections.item[i];
        struct obj_section *out = vec_push(as->mem, &as->object->sections);
        out->name = arena_string(as->object->arena, section->name, strlen(section->name));
        out->type = section->type;
        out->flags = section->flags;
        out->align = section->align;
        out->entsize = section->entsize;
        out->size = asm_offset(section);
    }
}

/* ---- groups ---- */

/* The name of a group need not be a symbol of the file. */
static uint32_t signature_symbol(struct assembler *as, const char *name)
{
    struct symbol *symbol = map_get(&as->symbols, name);
    if (symbol && symbol->kind != SYMBOL_UNDEFINED && !is_assembler_local(symbol))
        return asm_export_symbol(as, symbol);
    struct obj_symbol *out = vec_push(as->mem, &as->object->symbols);
    out->name = arena_string(as->object->arena, name, strlen(name));
    out->section = OBJ_ABS;
    return (uint32_t)as->object->symbols.count - 1;
}

/* The number of the group + 1 stands behind its name in `groups`. */
static struct obj_group *group_of(struct assembler *as, struct map *groups,
                                  const struct section *section)
{
    void **slot = map_put(groups, section->group);
    if (!*slot) {
        struct obj_group *made = vec_push(as->mem, &as->object->groups);
        made->comdat = section->comdat;
        made->symbol = signature_symbol(as, section->group);
        made->signature = as->object->symbols.item[made->symbol].name;
        *slot = (void *)(uintptr_t)as->object->groups.count;
    }
    return &as->object->groups.item[(uintptr_t)*slot - 1];
}

static void count_members(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++)
        if (as->sections.item[i]->group)
            group_of(as, &as->groups, as->sections.item[i])->count++;
    for (size_t i = 0; i < as->object->groups.count; i++) {
        struct obj_group *g = &as->object->groups.item[i];
        g->members = arena_array(as->object->arena, g->count, sizeof *g->members);
        g->count = 0;
    }
}

static void export_groups(struct assembler *as)
{
    count_members(as);
    for (size_t i = 0; i < as->sections.count; i++) {
        const struct section *section = as->sections.item[i];
        struct obj_group *g = section->group ? group_of(as, &as->groups, section) : NULL;
        if (g)
            g->members[g->count++] = section->index;
    }
}

/* SHF_LINK_ORDER names a symbol of the section, or the section. */
static void export_links(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++) {
        const struct section *section = as->sections.item[i];
        if (!section->linked)
            continue;
        const struct symbol *symbol = map_get(&as->symbols, section->linked);
        const struct section *to = map_get(&as->section_names, section->linked);
        if (symbol && symbol->kind == SYMBOL_LABEL)
            to = symbol->section;
        if (to)
            as->object->sections.item[i].link = to->index;
        else
            diag_report(as->diag, DIAG_SYMBOL_UNDEFINED, section->loc,
                        "section '%s' follows '%s', which is no label and no section of this file",
                        section->name, section->linked);
    }
}

/* Contents are final: fixups have been applied. */
static void export_contents(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++) {
        const struct section *section = as->sections.item[i];
        if (section->type != OBJ_NOBITS)
            as->object->sections.item[i].data =
                section->bytes.size
                    ? arena_copy(as->object->arena, section->bytes.data, section->bytes.size)
                    : arena_alloc(as->object->arena, 1);
    }
}

static void export_mappings(struct assembler *as)
{
    static const char *const names[] = {
        [OBJ_CONTENT_CODE] = "$x", [OBJ_CONTENT_SEQ] = "$q", [OBJ_CONTENT_DATA] = "$d"};
    for (size_t i = 0; i < as->mappings.count; i++) {
        const struct mapping *mapping = &as->mappings.item[i];
        if (mapping->empty)
            continue;
        struct obj_symbol *out = vec_push(as->mem, &as->object->symbols);
        out->name = names[mapping->content];
        out->section = (int)mapping->section->index;
        out->value = mapping->offset;
    }
}

static void export_file(struct assembler *as)
{
    if (!as->file_symbol)
        return;
    struct obj_symbol *out = vec_push(as->mem, &as->object->symbols);
    out->name = arena_string(as->object->arena, as->file_symbol, strlen(as->file_symbol));
    out->type = OBJ_FILE;
    out->section = OBJ_ABS;
}

/* ---- the passes ---- */

static void end_bundles(struct assembler *as)
{
    for (size_t i = 0; i < as->sections.count; i++)
        asm_bundle_end(as, as->sections.item[i]);
}

void asm_finish(struct assembler *as)
{
    if (as->first_ptoas.file)
        asm_ptoas_finish(as);
    if (as->pending.count)
        asm_settle(as, CLASS_ANY);
    end_bundles(as);
    as->final = true; /* no symbol comes after this, and bytes only by asm_layout */
    as->epoch++;
    asm_layout(as);
    if (as->aborted)
        return;
    export_file(as);
    export_sections(as);
    export_defined(as);
    export_groups(as);
    export_links(as);
    export_mappings(as);
    asm_apply_fixups(as);
    check_undefined(as);
    export_contents(as);
    asm_line_finish(as);
}
