/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Addresses, and the segments that follow from them. Each kind of memory (R-X,
 * R--, RW-) begins on a page of its own; -Ttext= and its kin move a section and
 * what follows it in the same kind.
 */
#include "link/linker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, TEXT_BASE = 0x10000 };

/* ---- addresses ---- */

bool link_fixed_address(const struct linker *l, const char *section, uint64_t *address)
{
    const char *const *option = l->options->section_addresses;
    size_t length = strlen(section);
    bool found = false;

    for (; option && *option; option++)
        if (!strncmp(*option, section, length) && (*option)[length] == '=')
            found = link_parse_number(*option + length + 1, address);
    return found;
}

static void check_address_options(struct linker *l)
{
    const char *const *option = l->options->section_addresses;
    uint64_t address;

    for (; option && *option; option++) {
        const char *equal = strrchr(*option, '=');

        if (!equal || equal == *option || !link_parse_number(equal + 1, &address))
            diag_report(l->diag, DIAG_USAGE, nowhere, "%s: expected SECTION=ADDRESS", *option);
        else if (!link_find_section(l, arena_string(l->arena, *option, (size_t)(equal - *option))))
            diag_report(l->diag, DIAG_NO_SUCH_SECTION, nowhere, "%s: no input has this section",
                        *option);
    }
}

static uint64_t permissions(const struct out_section *s)
{
    return s->flags & (OBJ_WRITE | OBJ_EXEC);
}

static bool is_loaded(const struct out_section *s)
{
    return (s->flags & OBJ_ALLOC) && (s->size || s->has_symbols);
}

/* Places one section at or behind *dot. False: reported. */
static bool place(struct linker *l, struct out_section *s, uint64_t *dot)
{
    uint64_t fixed;

    if (link_fixed_address(l, s->name, &fixed)) {
        if (fixed & (s->align - 1)) {
            diag_report(l->diag, DIAG_BAD_ADDRESS, nowhere,
                        "address 0x%" PRIx64 " of %s is not a multiple of its alignment 0x%" PRIx64,
                        fixed, s->name, s->align);
            return false;
        }
        *dot = fixed;
    }
    uint64_t address = (*dot + s->align - 1) & -s->align;
    if (address < *dot || address + s->size < address) {
        diag_report(l->diag, DIAG_NO_ROOM, nowhere,
                    "%s: 0x%" PRIx64 " bytes aligned to 0x%" PRIx64
                    " do not fit behind address 0x%" PRIx64,
                    s->name, s->size, s->align, *dot);
        return false;
    }
    s->address = address;
    *dot = address + s->size;
    return true;
}

static bool assign_addresses(struct linker *l)
{
    const struct out_section *previous = NULL;
    uint64_t dot = TEXT_BASE;

    for (size_t i = 0; i < l->sections.count; i++) {
        struct out_section *s = l->sections.item[i];

        if (!is_loaded(s))
            continue;
        if (previous && permissions(s) != permissions(previous))
            dot = (dot + PAGE - 1) & -(uint64_t)PAGE;
        if (!place(l, s, &dot))
            return false;
        previous = s;
    }
    return true;
}

/* ---- segments ---- */

static int compare_sections(const void *a, const void *b)
{
    const struct out_section *x = *(struct out_section *const *)a;
    const struct out_section *y = *(struct out_section *const *)b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return 0; /* empty ones are left out before: no two stand at one address, or they overlap */
}

/* The loaded sections with bytes, by address. */
static struct out_section **sections_by_address(struct linker *l, size_t *count)
{
    struct out_section **list = arena_array(l->arena, l->sections.count + 1, sizeof *list);

    *count = 0;
    for (size_t i = 0; i < l->sections.count; i++)
        if ((l->sections.item[i]->flags & OBJ_ALLOC) && l->sections.item[i]->size)
            list[(*count)++] = l->sections.item[i];
    qsort(list, *count, sizeof *list, compare_sections);
    return list;
}

static bool check_overlap(struct linker *l, struct out_section *const *list, size_t count)
{
    bool ok = true;

    for (size_t i = 1; i < count; i++) {
        const struct out_section *a = list[i - 1], *b = list[i];

        if (b->address - a->address >= a->size)
            continue;
        diag_report(l->diag, DIAG_SECTIONS_OVERLAP, nowhere,
                    "%s (0x%" PRIx64 "-0x%" PRIx64 ") and %s (0x%" PRIx64 "-0x%" PRIx64 ") overlap",
                    a->name, a->address, a->address + a->size, b->name, b->address,
                    b->address + b->size);
        ok = false;
    }
    return ok;
}

/* Whether `s` continues the segment that ends with `previous`. */
static bool continues(const struct out_section *previous, const struct out_section *s)
{
    uint64_t gap = s->address - (previous->address + previous->size);

    return permissions(previous) == permissions(s) && gap < PAGE &&
           previous->load_delta == s->load_delta &&
           !(previous->type == OBJ_NOBITS && s->type != OBJ_NOBITS);
}

static void add_segment(struct linker *l, struct out_section *const *list, size_t count)
{
    const struct out_section *last = list[count - 1];
    struct obj_segment segment = {.address = list[0]->address,
                                  .memory_size = last->address + last->size - list[0]->address,
                                  .align = PAGE,
                                  .load_delta = list[0]->load_delta,
                                  .flags = (uint32_t)permissions(list[0])};

    for (size_t i = 0; i < count; i++)
        if (list[i]->type != OBJ_NOBITS)
            segment.file_size = list[i]->address + list[i]->size - segment.address;
    uint8_t *data = segment.file_size ? arena_alloc(l->out->arena, segment.file_size) : NULL;
    segment.data = data;
    *vec_push(l->out->mem, &l->out->segments) = segment;
    for (size_t i = 0; i < count; i++)
        if (list[i]->type != OBJ_NOBITS)
            list[i]->data = data + (list[i]->address - segment.address);
}

static void make_segments(struct linker *l, struct out_section *const *list, size_t count)
{
    for (size_t first = 0, i = 1; first < count; i++)
        if (i == count || !continues(list[i - 1], list[i])) {
            add_segment(l, list + first, i - first);
            first = i;
        }
}

/* Contents in memory at the same addresses before the program runs. */
static int compare_load_addresses(const void *a, const void *b)
{
    const struct out_section *x = *(struct out_section *const *)a;
    const struct out_section *y = *(struct out_section *const *)b;
    uint64_t first = x->address + x->load_delta, second = y->address + y->load_delta;

    return first < second ? -1 : first > second;
}

static bool check_load_overlap(struct linker *l, struct out_section *const *sections, size_t count)
{
    struct out_section **list = arena_array(l->arena, count + 1, sizeof *list);
    size_t n = 0;
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        if (sections[i]->type != OBJ_NOBITS)
            list[n++] = sections[i];
    qsort(list, n, sizeof *list, compare_load_addresses);
    for (size_t i = 1; i < n; i++) {
        const struct out_section *a = list[i - 1], *b = list[i];
        uint64_t first = a->address + a->load_delta, second = b->address + b->load_delta;

        if (second - first >= a->size)
            continue;
        ok = false;
        diag_report(l->diag, DIAG_SECTIONS_OVERLAP, nowhere,
                    "%s (0x%" PRIx64 "-0x%" PRIx64 ") and %s (0x%" PRIx64 "-0x%" PRIx64
                    ") are loaded at the same addresses",
                    a->name, first, first + a->size, b->name, second, second + b->size);
    }
    return ok;
}

void link_layout(struct linker *l)
{
    size_t count;

    check_address_options(l);
    if (l->script.has_sections)
        script_place(l);
    else if (!assign_addresses(l))
        return;
    else
        script_define(l);
    struct out_section **list = sections_by_address(l, &count);
    link_settle_symbols(l);
    if (check_overlap(l, list, count) && check_load_overlap(l, list, count))
        make_segments(l, list, count);
}
