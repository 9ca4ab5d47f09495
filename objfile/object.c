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
    vec_free(o->mem, &o->groups);
    vec_free(o->mem, &o->segments);
    vec_free(o->mem, &o->lines);
    vec_free(o->mem, &o->line_files);
    vec_free(o->mem, &o->tiles);
    vec_free(o->mem, &o->args);
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

struct note_job {
    struct object *o;
    struct buffer content;
};

static void add_notes(void *ctx)
{
    struct note_job *job = ctx;

    identity_write_isa(&job->o->identity, &job->content);
    add_note(job->o, OBJ_NOTE_ISA, &job->content);
    job->content.size = 0;
    identity_write_ext(&job->o->identity, &job->content);
    add_note(job->o, OBJ_NOTE_EXT, &job->content);
}

void obj_add_notes(struct object *o)
{
    struct note_job job = {.o = o};

    buffer_init(&job.content, o->mem);
    bool done = mem_attempt(o->mem, add_notes, &job);
    buffer_free(&job.content);
    if (!done)
        mem_give_up(o->mem);
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

struct sort_job {
    struct object *o;
    VEC(struct sequence) sequences;
    struct obj_line *sorted;
};

static void find_sequences(struct sort_job *job)
{
    const struct obj_line *row = job->o->lines.item;
    size_t n = job->o->lines.count;

    for (size_t i = 0; i < n;) {
        struct sequence *s = vec_push(job->o->mem, &job->sequences);

        s->start = row[i].address;
        s->first = i++;
        while (i < n && !row[i - 1].end && row[i].address >= row[i - 1].address)
            i++;
        s->count = i - s->first;
    }
}

static void sort_lines(void *ctx)
{
    struct sort_job *job = ctx;
    struct object *o = job->o;
    size_t at = 0;

    find_sequences(job);
    if (job->sequences.count < 2)
        return;
    qsort(job->sequences.item, job->sequences.count, sizeof *job->sequences.item,
          compare_sequences);
    job->sorted = mem_resize_array(o->mem, NULL, o->lines.count, sizeof *job->sorted);
    for (size_t i = 0; i < job->sequences.count; i++) {
        const struct sequence *s = &job->sequences.item[i];

        memcpy(job->sorted + at, o->lines.item + s->first, s->count * sizeof *job->sorted);
        at += s->count;
    }
    memcpy(o->lines.item, job->sorted, at * sizeof *job->sorted);
}

void obj_sort_lines(struct object *o)
{
    struct sort_job job = {.o = o};
    bool done = mem_attempt(o->mem, sort_lines, &job);

    mem_resize(o->mem, job.sorted, 0);
    vec_free(o->mem, &job.sequences);
    if (!done)
        mem_give_up(o->mem);
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
