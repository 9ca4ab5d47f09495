/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interned strings and hash maps. Two equal strings of one table are the same
 * pointer, so names compare by pointer. Strings live as long as the table.
 */
#ifndef PTO_SUPPORT_INTERN_H
#define PTO_SUPPORT_INTERN_H

#include "support/mem.h"

struct intern;
struct intern *intern_create(struct mem *m);
const char *intern(struct intern *t, const char *text, size_t len); /* NUL-terminated */
const char *intern_z(struct intern *t, const char *text);           /* text is NUL-terminated */
size_t intern_length(const char *interned);                         /* without strlen */
uint32_t intern_hash(const char *interned);                         /* fold_hash of it */
uint32_t *
intern_tag(const char *interned); /* for the table's owner: what the word is; 0 at first */
size_t intern_count(const struct intern *t); /* different strings so far */
void intern_destroy(struct intern *t);

/*
 * Pointer-keyed map (keys are interned names or any stable pointer). map_put
 * returns the address of the value slot, NULL-valued when the key is new.
 */
struct map {
    struct mem *mem;
    const void **key;
    void **value;
    size_t count, capacity;
};
void map_init(struct map *t, struct mem *m);
void **map_put(struct map *t, const void *key);
void *map_get(const struct map *t, const void *key); /* NULL when absent */
void map_free(struct map *t);

/* Compare ASCII without case; true when equal. */
bool equal_folded(const char *a, size_t alen, const char *b, size_t blen);
/* Edit distance with a limit (returns limit + 1 when greater), for "did you mean". */
unsigned edit_distance(const char *a, size_t alen, const char *b, size_t blen, unsigned limit);

#endif
