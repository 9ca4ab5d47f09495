/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions as tools learn them, behind the last line. */
#include "asm/assembler.h"

static void set_value(struct asm_definition *d, const struct symbol *symbol)
{
    const struct value *v = &symbol->value;
    switch (symbol->kind) {
    case SYMBOL_LABEL:
        d->section = symbol->section->name;
        d->known = true;
        d->value = symbol->offset;
        break;
    case SYMBOL_EQUATED:
        d->kind = ASM_VALUE;
        d->known = v->kind == VALUE_ABSOLUTE || (v->kind == VALUE_PLACE && !v->minus);
        d->section = v->kind == VALUE_PLACE && !v->minus ? v->section->name : NULL;
        d->value = (uint64_t)v->number;
        break;
    case SYMBOL_COMMON:
        d->kind = ASM_COMMON;
        d->known = true;
        d->value = symbol->size;
        break;
    default:
        break;
    }
}

void asm_observe_definitions(struct assembler *as)
{
    const struct asm_observer *observer = as->options->observer;
    if (!observer || !observer->definition)
        return;
    for (size_t i = 0; i < as->symbol_list.count; i++) {
        const struct symbol *symbol = as->symbol_list.item[i];
        if (symbol->kind == SYMBOL_UNDEFINED || symbol->generated)
            continue;
        struct asm_definition d = {.kind = ASM_LABEL, .name = symbol->name};
        d.loc = asm_debug_place(as, symbol->definition);
        d.file = diag_file_name(as->diag, d.loc.file);
        set_value(&d, symbol);
        observer->definition(observer->ctx, &d);
    }
    asm_observe_macros(as, observer);
}
