/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The map file: which objects took part, what was discarded, and where every
 * section, input section and symbol ended up.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct named_address {
    uint64_t address;
    const char *name;
};

static int compare_addresses(const void *a, const void *b)
{
    const struct named_address *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void write_sorted(struct named_address *list, size_t n, struct buffer *out)
{
    qsort(list, n, sizeof *list, compare_addresses);
    for (size_t i = 0; i < n; i++)
        buffer_printf(out, "%16" PRIx64 "%22s%s\n", list[i].address, "", list[i].name);
}

static void write_discarded(const struct linker *l, struct buffer *out)
{
    bool any = false;

    for (size_t i = 0; i < l->units.count; i++) {
        const struct unit *u = l->units.item[i];

        for (size_t s = 0; s < u->object->sections.count; s++) {
            const struct obj_section *section = &u->object->sections.item[s];

            if (u->pieces[s].live || !section->size)
                continue;
            if (!any)
                buffer_printf(out, "\nDiscarded sections\n\n");
            any = true;
            buffer_printf(out, "  %-24s %10" PRIx64 " %s\n", section->name, section->size, u->name);
        }
    }
}

/* The global symbols of one input section. */
static void write_symbols(const struct linker *l, const struct piece *p, struct buffer *out)
{
    const struct object *o = p->unit->object;
    struct named_address *list = arena_array(l->arena, o->symbols.count + 1, sizeof *list);
    size_t n = 0;

    for (uint32_t i = 0; i < o->symbols.count; i++) {
        const struct link_symbol *s = p->unit->globals[i];

        if (s && s->state == LINK_DEFINED && s->unit == p->unit && s->index == i &&
            link_symbol_piece(p->unit, i) == p)
            list[n++] = (struct named_address){link_global_address(s), s->name};
    }
    write_sorted(list, n, out);
}

static void write_section(const struct linker *l, const struct out_section *s, struct buffer *out)
{
    buffer_printf(out, "%16" PRIx64 " %10" PRIx64 " %5" PRIx64 " %s\n", s->address, s->size,
                  s->align, s->name);
    for (size_t i = 0; i < s->pieces.count; i++) {
        const struct piece *p = s->pieces.item[i];
        const struct obj_section *in = &p->unit->object->sections.item[p->section];

        if (in->size == 0)
            continue;
        buffer_printf(out, "%16" PRIx64 " %10" PRIx64 " %5" PRIx64 "   %s:(%s)\n",
                      s->address + p->offset, in->size, in->align, p->unit->name, in->name);
        write_symbols(l, p, out);
    }
}

static void write_specials(const struct linker *l, struct buffer *out)
{
    struct named_address *list = arena_array(l->arena, l->specials.count + 1, sizeof *list);

    for (size_t i = 0; i < l->specials.count; i++) {
        const struct link_symbol *s = l->specials.item[i].symbol;

        list[i] = (struct named_address){s->value, s->name};
    }
    if (l->specials.count)
        buffer_printf(out, "\nSymbols of the linker and of --defsym\n\n");
    write_sorted(list, l->specials.count, out);
}

void link_write_map(const struct linker *l)
{
    struct buffer *out = l->options->map;

    buffer_printf(out, "Objects\n\n");
    for (size_t i = 0; i < l->units.count; i++)
        if (!l->units.item[i]->made)
            buffer_printf(out, "  %s\n", l->units.item[i]->name);
    write_discarded(l, out);
    buffer_printf(out, "\nEntry %" PRIx64 "\n\n", l->out->entry);
    buffer_printf(out, "%16s %10s %5s %s\n", "Address", "Size", "Align", "Section, input, symbol");
    for (size_t i = 0; i < l->sections.count; i++)
        if (l->sections.item[i]->index >= 0)
            write_section(l, l->sections.item[i], out);
    write_specials(l, out);
}
