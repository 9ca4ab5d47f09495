/* SPDX-License-Identifier: BSD-3-Clause */
/* String tables of an ELF file under construction. */
#include "objfile/internal.h"

void strtab_init(struct strtab *t, struct mem *m)
{
    buffer_init(&t->bytes, m);
    buffer_extend(&t->bytes, 1);
    t->names = intern_create(m);
    map_init(&t->offsets, m);
}

uint32_t strtab_add(struct strtab *t, const char *name)
{
    if (!name || !*name)
        return 0;
    const char *key = intern_z(t->names, name);
    void **slot = map_put(&t->offsets, key);

    if (!*slot) {
        *slot = (void *)(uintptr_t)(t->bytes.size + 1);
        buffer_append(&t->bytes, key, intern_length(key) + 1);
    }
    return (uint32_t)((uintptr_t)*slot - 1);
}

void strtab_free(struct strtab *t)
{
    map_free(&t->offsets);
    intern_destroy(t->names);
    buffer_free(&t->bytes);
}
