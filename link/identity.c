/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One identity for the result. Objects of different ISA releases or SEQ
 * generations do not link, since their words mean different things.
 */
#include "link/linker.h"

#include <stdlib.h>
#include <string.h>

/* Who decided so far; NULL: nobody. */
struct deciders {
    const struct unit *pto, *seq, *tiles;
};

/* False: reported. */
static bool check_against(struct linker *l, const struct unit *u, const struct unit *first)
{
    struct buffer *why = &l->text;

    why->size = 0;
    if (!first || obj_identity_compatible(&u->object->identity, &first->object->identity, why))
        return true;
    diag_report_file(l->diag, DIAG_IDENTITY_MISMATCH, u->name, "cannot be linked with %s: %.*s",
                     first->name, (int)why->size, (const char *)why->data);
    return false;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The union of two comma lists, sorted. */
static const char *merge_extensions(struct linker *l, const char *a, const char *b)
{
    char *text = arena_printf(l->arena, "%s,%s", a, b), *rest = text, *word;
    char **words = arena_array(l->arena, strlen(text) + 1, sizeof *words);
    const char *merged = "";
    size_t n = 0;

    while ((word = strsep(&rest, ",")))
        if (*word)
            words[n++] = word;
    qsort(words, n, sizeof *words, compare_words);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(words[i], words[i - 1]))
            merged = arena_printf(l->arena, "%s%s%s", merged, *merged ? "," : "", words[i]);
    return merged;
}

static void merge_unit(struct linker *l, const struct unit *u, struct deciders *first)
{
    const struct obj_identity *id = &u->object->identity;

    if (!check_against(l, u, first->pto) ||
        (first->seq != first->pto && !check_against(l, u, first->seq)))
        return;
    if (id->has_pto && !first->pto) {
        const char *extensions = l->identity.extensions;
        isa_revset seq = l->identity.seq;

        l->identity = *id;
        l->identity.extensions = extensions;
        l->identity.seq = seq;
        first->pto = u;
    }
    if (id->seq && !first->seq) {
        l->identity.seq = id->seq;
        first->seq = u;
    }
    if (id->extensions && *id->extensions)
        l->identity.extensions = merge_extensions(l, l->identity.extensions, id->extensions);
}

static void merge_tiles(struct linker *l, const struct unit *u, struct deciders *first)
{
    if (u->object->tiles.count == 0)
        return;
    if (!first->tiles) {
        first->tiles = u;
        return;
    }
    diag_report_file(l->diag, DIAG_TWO_TILE_TABLES, u->name,
                     "declares program tiles, and so does %s; one object of a program may",
                     first->tiles->name);
}

void link_merge_identities(struct linker *l)
{
    struct deciders first = {0};

    l->identity.extensions = "";
    for (size_t i = 0; i < l->units.count; i++) {
        merge_unit(l, l->units.item[i], &first);
        merge_tiles(l, l->units.item[i], &first);
    }
}
