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

static const char *reason(uint8_t discard)
{
    static const char *const texts[] = {[DISCARD_NOT] = "",
                                        [DISCARD_GROUP] = " (group of an earlier object)",
                                        [DISCARD_FOLLOWS] = " (follows a discarded section)",
                                        [DISCARD_EXCLUDE] = " (SHF_EXCLUDE)",
                                        [DISCARD_SCRIPT] = " (by the script)"};

    return texts[discard];
}

static void write_discarded(const struct linker *l, struct buffer *out)
{
    bool any = false;

    for (size_t i = 0; i < l->units.count; i++) {
        const struct unit *u = l->units.item[i];

        for (size_t s = 0; s < u->object->sections.count; s++) {
            const struct obj_section *section = &u->object->sections.item[s];

            if (u->pieces[s].live || !section->size || section->generated)
                continue;
            if (!any)
                buffer_printf(out, "\nDiscarded sections\n\n");
            any = true;
            buffer_printf(out, "  %-24s %10" PRIx64 " %s%s\n", section->name, section->size,
                          u->name, reason(u->pieces[s].discard));
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
    buffer_printf(out, "%16" PRIx64 " %10" PRIx64 " %5" PRIx64 " %s", s->address, s->size, s->align,
                  s->name);
    if (s->load_delta && s->type != OBJ_NOBITS)
        buffer_printf(out, " loaded at %" PRIx64, s->address + s->load_delta);
    buffer_printf(out, "\n");
    for (size_t i = 0; i < s->pieces.count; i++) {
        const struct piece *p = s->pieces.item[i];
        const struct obj_section *in = &p->unit->object->sections.item[p->section];

        if (p->size == 0)
            continue;
        buffer_printf(out, "%16" PRIx64 " %10" PRIx64 " %5" PRIx64 "   %s:(%s)\n",
                      s->address + p->offset, p->size, in->align, p->unit->name, in->name);
        write_symbols(l, p, out);
    }
}

static void write_specials(const struct linker *l, struct buffer *out)
{
    struct named_address *list = arena_array(l->arena, l->order.count + 1, sizeof *list);
    size_t n = 0;

    for (size_t i = 0; i < l->order.count; i++) {
        const struct link_symbol *s = l->order.item[i];

        if (s->state == LINK_SPECIAL)
            list[n++] = (struct named_address){s->value, s->name};
    }
    if (n)
        buffer_printf(out, "\nSymbols of the linker, of --defsym and of the script\n\n");
    write_sorted(list, n, out);
}

/* Why each member of an archive takes part. */
static void write_members(const struct linker *l, struct buffer *out)
{
    bool any = false;

    for (size_t i = 0; i < l->units.count; i++) {
        const struct unit *u = l->units.item[i];

        if (!u->archive)
            continue;
        if (!any)
            buffer_printf(out, "\nMembers of archives\n\n");
        any = true;
        if (!u->wanted_for)
            buffer_printf(out, "  %s (--whole-archive)\n", u->name);
        else
            buffer_printf(out, "  %s for '%s' of %s\n", u->name, u->wanted_for,
                          u->wanted_by ? u->wanted_by : "the command line");
    }
}

static void write_regions(const struct linker *l, struct buffer *out)
{
    if (l->script.regions)
        buffer_printf(out, "\nMemory regions\n\n%16s %16s %16s %s\n", "Origin", "Length", "Used",
                      "Name");
    for (const struct region *m = l->script.regions; m; m = m->next)
        buffer_printf(out, "%16" PRIx64 " %16" PRIx64 " %16" PRIx64 " %s\n", m->start, m->size,
                      m->dot - m->start, m->name);
}

void link_write_memory_usage(const struct linker *l, struct buffer *out)
{
    buffer_printf(out, "Memory region         Used Size  Region Size  %%age Used\n");
    for (const struct region *m = l->script.regions; m; m = m->next)
        buffer_printf(out, "%16s: %12" PRIu64 " B %10" PRIu64 " B %9.2f%%\n", m->name,
                      m->dot - m->start, m->size,
                      m->size ? 100.0 * (double)(m->dot - m->start) / (double)m->size : 0.0);
}

void link_write_map(const struct linker *l)
{
    struct buffer *out = l->options->map;

    buffer_printf(out, "Objects\n\n");
    for (size_t i = 0; i < l->units.count; i++)
        if (!l->units.item[i]->made)
            buffer_printf(out, "  %s\n", l->units.item[i]->name);
    write_members(l, out);
    write_discarded(l, out);
    write_regions(l, out);
    buffer_printf(out, "\nEntry %" PRIx64 "\n\n", l->out->entry);
    buffer_printf(out, "%16s %10s %5s %s\n", "Address", "Size", "Align", "Section, input, symbol");
    for (size_t i = 0; i < l->sections.count; i++)
        if (l->sections.item[i]->index >= 0)
            write_section(l, l->sections.item[i], out);
    write_specials(l, out);
}
