/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Equal strings and constants stand in the result once (SHF_MERGE). Input sections of one output
 * section with the same flags, entry size and alignment are cut into entries; the first of them
 * carries the different entries of all, the others become empty, and what pointed into them is sent
 * to the entry's new place.
 */
#include "link/linker.h"

#include <string.h>

struct merged {
    const struct out_section *out;
    uint64_t flags, entsize, align;
    struct piece *carrier;
    struct buffer data;
    struct map offsets; /* interned entry -> offset + 1 */
};

static const struct obj_section *content(const struct piece *p)
{
    return &p->unit->object->sections.item[p->section];
}

/* Whether an entry of strings begins at the place: entsize zero bytes. */
static bool is_end(const uint8_t *at, uint64_t entsize)
{
    for (uint64_t i = 0; i < entsize; i++)
        if (at[i])
            return false;
    return true;
}

static bool is_mergeable(const struct linker *l, const struct obj_section *s)
{
    const uint64_t seen = OBJ_MERGE | OBJ_WRITE;

    return (s->flags & seen) == OBJ_MERGE && s->data && s->size && s->entsize &&
           s->size % s->entsize == 0 && s->relocs.count == 0 && !l->options->relocatable &&
           !l->options->emit_relocs &&
           (!(s->flags & OBJ_STRINGS) || is_end(s->data + s->size - s->entsize, s->entsize));
}

static struct merged *merged_for(struct linker *l, struct piece *p, const struct out_section *out)
{
    const struct obj_section *s = content(p);
    struct merged *m;

    for (size_t i = l->merged.count; i-- > 0;) { /* a handful for each output section */
        m = l->merged.item[i];
        if (m->out == out && m->flags == s->flags && m->entsize == s->entsize &&
            m->align == s->align)
            return m;
    }
    m = arena_alloc(l->arena, sizeof *m);
    *m = (struct merged){
        .out = out, .flags = s->flags, .entsize = s->entsize, .align = s->align, .carrier = p};
    buffer_init(&m->data, l->mem);
    map_init(&m->offsets, l->mem);
    *vec_push(l->mem, &l->merged) = m;
    return m;
}

static uint64_t entry_size(const struct obj_section *s, uint64_t at)
{
    uint64_t end = at;

    if (!(s->flags & OBJ_STRINGS))
        return s->entsize;
    if (s->entsize == 1)
        return (uint64_t)((const uint8_t *)memchr(s->data + at, 0, s->size - at) - s->data) + 1 -
               at;
    while (!is_end(s->data + end, s->entsize))
        end += s->entsize;
    return end + s->entsize - at;
}

static uint64_t place_entry(struct linker *l, struct merged *m, const uint8_t *entry, size_t size)
{
    void **slot = map_put(&m->offsets, intern(l->entries, (const char *)entry, size));

    if (!*slot) {
        size_t gap = (size_t)(-m->data.size & (m->align - 1));

        buffer_extend(&m->data, gap);
        *slot = (void *)(uintptr_t)(m->data.size + 1);
        buffer_append(&m->data, entry, size);
    }
    return (uintptr_t)*slot - 1;
}

static size_t count_entries(const struct obj_section *s)
{
    size_t n = 0;

    for (uint64_t at = 0; at < s->size; at += entry_size(s, at))
        n++;
    return n;
}

/* Makes `p` one of the merged sections of `out` if it may be. */
void link_add_merged(struct linker *l, struct piece *p, struct out_section *out)
{
    const struct obj_section *s = content(p);
    size_t n = 0;

    if (!is_mergeable(l, s))
        return;
    p->merged = merged_for(l, p, out);
    p->fragments = arena_array(l->arena, count_entries(s), sizeof *p->fragments);
    for (uint64_t at = 0, size; at < s->size; at += size) {
        size = entry_size(s, at);
        p->fragments[n++] =
            (struct fragment){at, place_entry(l, p->merged, s->data + at, (size_t)size)};
    }
    p->nfragments = n;
    p->size = 0;
}

void link_finish_merged(struct linker *l)
{
    for (size_t i = 0; i < l->merged.count; i++)
        l->merged.item[i]->carrier->size = l->merged.item[i]->data.size;
}

/* The contents of all, for the one that carries them; NULL for the others. */
const uint8_t *link_merged_data(const struct piece *p)
{
    return p->merged->carrier == p ? p->merged->data.data : NULL;
}

static const struct fragment *find_fragment(const struct piece *p, uint64_t offset)
{
    size_t low = 0, high = p->nfragments;

    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;

        if (p->fragments[mid].in <= offset)
            low = mid;
        else
            high = mid;
    }
    return &p->fragments[low];
}

uint64_t link_piece_offset(const struct piece *p, uint64_t offset)
{
    if (!p->merged)
        return p->offset + offset;
    const struct fragment *f = find_fragment(p, offset);
    return p->merged->carrier->offset + f->out + (offset - f->in);
}

void link_free_merged(struct linker *l)
{
    for (size_t i = 0; i < l->merged.count; i++) {
        buffer_free(&l->merged.item[i]->data);
        map_free(&l->merged.item[i]->offsets);
    }
    vec_free(l->mem, &l->merged);
}
