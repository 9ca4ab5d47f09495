/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/intern.h"

#include <string.h>

#include "support/fold.h"

/* Stands before the text of each interned string. */
struct entry {
    size_t len;
    uint32_t hash; /* spellings that differ in case share it, as names of the tables do */
    uint32_t tag;
    char text[];
};

struct intern {
    struct mem *mem;
    struct arena *arena;
    struct entry **slot; /* open addressing, linear probing */
    size_t count, capacity;
};

struct intern *intern_create(struct mem *m)
{
    struct arena *a = arena_create(m);
    struct intern *t = arena_alloc(a, sizeof *t);
    t->mem = m;
    t->arena = a;
    return t;
}

/* At most three quarters of the slots are used. */
static bool crowded(size_t count, size_t capacity)
{
    return count >= capacity - capacity / 4;
}

static void intern_grow(struct intern *t)
{
    size_t capacity = t->capacity ? t->capacity * 2 : 64;
    struct entry **slot = arena_array(t->arena, capacity, sizeof *slot);
    for (size_t i = 0; i < t->capacity; i++) {
        struct entry *e = t->slot[i];
        if (!e)
            continue;
        size_t k = e->hash & (capacity - 1);
        while (slot[k])
            k = (k + 1) & (capacity - 1);
        slot[k] = e;
    }
    t->slot = slot;
    t->capacity = capacity;
}

const char *intern(struct intern *t, const char *text, size_t len)
{
    if (crowded(t->count, t->capacity))
        intern_grow(t);
    uint32_t hash = fold_hash(text, len);
    size_t i = hash & (t->capacity - 1);
    for (struct entry *e; (e = t->slot[i]); i = (i + 1) & (t->capacity - 1))
        if (e->hash == hash && e->len == len && memcmp(e->text, text, len) == 0)
            return e->text;
    struct entry *e = arena_alloc(t->arena, sizeof *e + len + 1);
    e->len = len;
    e->hash = hash;
    if (len > 0)
        memcpy(e->text, text, len);
    t->slot[i] = e;
    t->count++;
    return e->text;
}

const char *intern_z(struct intern *t, const char *text)
{
    return intern(t, text, strlen(text));
}

static struct entry *entry_of(const char *interned)
{
    return (struct entry *)(uintptr_t)(interned - offsetof(struct entry, text));
}

size_t intern_length(const char *interned)
{
    return entry_of(interned)->len;
}

uint32_t intern_hash(const char *interned)
{
    return entry_of(interned)->hash;
}

uint32_t *intern_tag(const char *interned)
{
    return &entry_of(interned)->tag;
}

size_t intern_count(const struct intern *t)
{
    return t->count;
}

void intern_destroy(struct intern *t)
{
    if (t)
        arena_destroy(t->arena);
}
