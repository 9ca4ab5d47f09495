/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/intern.h"

void map_init(struct map *t, struct mem *m)
{
    *t = (struct map){.mem = m};
}

/* Pointers differ in their middle bits; the multiplication spreads them (Fibonacci hashing). */
static size_t slot_of(const void *key, size_t capacity)
{
    uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 32) & (capacity - 1);
}

/* The slot that holds `key`, or the empty one where it belongs. */
static size_t find(const struct map *t, const void *key)
{
    size_t i = slot_of(key, t->capacity);
    while (t->key[i] && t->key[i] != key)
        i = (i + 1) & (t->capacity - 1);
    return i;
}

static void map_grow(struct map *t)
{
    struct map larger = {.mem = t->mem, .count = t->count};
    size_t capacity = t->capacity ? t->capacity * 2 : 16;
    /* Keys and values share one block, so that exhaustion leaves nothing behind. */
    const void **block = mem_resize_array(t->mem, NULL, capacity, 2 * sizeof *block);
    larger.capacity = capacity;
    larger.key = block;
    larger.value = (void **)(block + capacity);
    for (size_t i = 0; i < capacity; i++) {
        larger.key[i] = NULL;
        larger.value[i] = NULL;
    }
    for (size_t i = 0; i < t->capacity; i++) {
        if (!t->key[i])
            continue;
        size_t k = find(&larger, t->key[i]);
        larger.key[k] = t->key[i];
        larger.value[k] = t->value[i];
    }
    map_free(t);
    *t = larger;
}

void **map_put(struct map *t, const void *key)
{
    if (t->count >= t->capacity - t->capacity / 4)
        map_grow(t);
    size_t i = find(t, key);
    if (!t->key[i]) {
        t->key[i] = key;
        t->count++;
    }
    return &t->value[i];
}

void *map_get(const struct map *t, const void *key)
{
    return t->capacity ? t->value[find(t, key)] : NULL;
}

void map_free(struct map *t)
{
    if (t->key)
        mem_resize(t->mem, (void *)t->key, 0);
    *t = (struct map){.mem = t->mem};
}
