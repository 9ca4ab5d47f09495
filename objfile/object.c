/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of an object, and the order of its line table. */
#include "objfile/internal.h"

#include <stdlib.h>
#include <string.h>

struct object *obj_create(struct mem *m, enum obj_file_kind kind)
{
    struct arena *arena = arena_create(m);
    struct object *o = arena_alloc(arena, sizeof *o);

    o->mem = m;
    o->arena = arena;
    o->kind = kind;
    o->name = "";
    o->identity.extensions = "";
    return o;
}

void obj_destroy(struct object *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->sections.count; i++)
        vec_free(o->mem, &o->sections.item[i].relocs);
    vec_free(o->mem, &o->sections);
    vec_free(o->mem, &o->symbols);
    vec_free(o->mem, &o->segments);
    vec_free(o->mem, &o->lines);
    vec_free(o->mem, &o->line_files);
    vec_free(o->mem, &o->tiles);
    arena_destroy(o->arena); /* the object itself lives there */
}

static void add_note(struct object *o, const char *name, const struct buffer *content)
{
    if (content->size == 0)
        return;
    *vec_push(o->mem, &o->sections) = (struct obj_section){
        .name = name,
        .type = OBJ_NOTE,
        .flags = OBJ_ALLOC,
        .align = 4,
        .size = content->size,
        .data = arena_copy(o->arena, content->data, content->size),
        .generated = true,
    };
}

void obj_add_notes(struct object *o)
{
    struct buffer content;

    buffer_init(&content, o->mem);
    identity_write_isa(&o->identity, &content);
    add_note(o, OBJ_NOTE_ISA, &content);
    content.size = 0;
    identity_write_ext(&o->identity, &content);
    add_note(o, OBJ_NOTE_EXT, &content);
    buffer_free(&content);
}

/* A run of rows with ascending addresses; runs of one program do not overlap. */
struct sequence {
    uint64_t start;
    size_t first, count;
};

static int compare_sequences(const void *a, const void *b)
{
    const struct sequence *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->first < y->first ? -1 : 1;
}

void obj_sort_lines(struct object *o)
{
    VEC(struct sequence) sequences = {0};
    size_t n = o->lines.count;

    for (size_t i = 0; i < n;) {
        struct sequence *s = vec_push(o->mem, &sequences);

        s->start = o->lines.item[i].address;
        s->first = i++;
        while (i < n && !o->lines.item[i - 1].end &&
               o->lines.item[i].address >= o->lines.item[i - 1].address)
            i++;
        s->count = i - s->first;
    }
    if (sequences.count > 1) {
        struct obj_line *sorted = mem_resize_array(o->mem, NULL, n, sizeof *sorted);
        size_t at = 0;

        qsort(sequences.item, sequences.count, sizeof *sequences.item, compare_sequences);
        for (size_t i = 0; i < sequences.count; i++) {
            const struct sequence *s = &sequences.item[i];

            memcpy(sorted + at, o->lines.item + s->first, s->count * sizeof *sorted);
            at += s->count;
        }
        memcpy(o->lines.item, sorted, n * sizeof *sorted);
        mem_resize(o->mem, sorted, 0);
    }
    vec_free(o->mem, &sequences);
}

const struct obj_line *obj_line_at(const struct object *o, uint64_t address)
{
    size_t low = 0, high = o->lines.count;

    /* The last row whose address is not above; where sequences touch, that is
     * the row that begins the second one. */
    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (o->lines.item[mid].address <= address)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0 || o->lines.item[low - 1].end)
        return NULL;
    return &o->lines.item[low - 1];
}
