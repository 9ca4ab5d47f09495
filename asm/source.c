/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source texts: files, includes, expansions. When a file is assembled a second
 * time for another revision, its texts come in the same order and keep their
 * numbers, so that messages of the first run are not repeated.
 */
#include "asm/assembler.h"

#include <string.h>

static bool same_source(const struct source *s, const char *name, const char *text, size_t size,
                        struct loc parent, enum diag_role role)
{
    return s->role == role && s->size == size && s->parent.file == parent.file &&
           s->parent.line == parent.line && s->parent.col == parent.col &&
           strcmp(s->name, name) == 0 && memcmp(s->text, text, size) == 0;
}

uint32_t asm_add_source(struct assembler *as, const char *name, const char *text, size_t size,
                        struct loc parent, enum diag_role role)
{
    size_t n = as->sources_used++;
    if (n < as->sources.count) {
        struct source *known = &as->sources.item[n];
        if (same_source(known, name, text, size, parent, role))
            return known->file;
        as->sources.count = n;
    }
    struct source *s = vec_push(as->mem, &as->sources);
    s->name = arena_string(as->arena, name, strlen(name));
    s->role = role;
    s->parent = parent;
    s->text = text;
    s->size = size;
    s->file = diag_add_source(as->diag, s->name, text, size, parent, role);
    return s->file;
}

/* File numbers of diag are handed out in order, so the search from the end is short. */
const struct source *asm_find_source(const struct assembler *as, uint32_t file)
{
    size_t low = 0, high = as->sources.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (as->sources.item[middle].file < file)
            low = middle + 1;
        else
            high = middle;
    }
    return low < as->sources.count && as->sources.item[low].file == file ? &as->sources.item[low]
                                                                         : NULL;
}

enum diag_role asm_source_role(const struct assembler *as, uint32_t file)
{
    const struct source *s = asm_find_source(as, file);
    return s ? s->role : DIAG_ROLE_FILE;
}

struct loc asm_debug_place(const struct assembler *as, struct loc loc)
{
    const struct source *s;
    while ((s = asm_find_source(as, loc.file)) && s->role == DIAG_ROLE_MACRO)
        loc = s->parent;
    return loc;
}

/* Is the text that is read at `loc` within a file of that name? */
static bool includes_itself(const struct assembler *as, const char *name, struct loc loc)
{
    const struct source *s;
    for (; (s = asm_find_source(as, loc.file)); loc = s->parent)
        if (s->role != DIAG_ROLE_MACRO && strcmp(s->name, name) == 0)
            return true;
    return false;
}

uint32_t asm_push_text(struct assembler *as, const char *name, const char *text, size_t size,
                       struct loc loc, enum diag_role role)
{
    uint32_t file = asm_add_source(as, name, text, size, loc, role);
    if (grammar_push(as->grammar, file, text, size)) {
        if (as->options->listing)
            asm_list_source(as, file);
        return file;
    }
    bool cycle = role == DIAG_ROLE_INCLUDE && includes_itself(as, name, loc);
    diag_report(as->diag, DIAG_NESTING, loc, "includes and macro calls nest deeper than %u%s%s%s",
                grammar_depth(as->grammar), cycle ? ": '" : "", cycle ? name : "",
                cycle ? "' includes itself" : "");
    as->aborted = true;
    return file;
}
