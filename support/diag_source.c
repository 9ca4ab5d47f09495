/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/diag_source.h"

uint32_t diag_sources_add(struct diag_sources *s, const char *name, const char *text, size_t size,
                          struct loc parent, enum diag_role role)
{
    struct diag_source *source = vec_push(s->mem, &s->list);
    *source = (struct diag_source){name, text, size, parent, role, 1, 0};
    return (uint32_t)s->list.count;
}

void diag_sources_free(struct diag_sources *s)
{
    vec_free(s->mem, &s->list);
}

struct diag_source *diag_source_at(const struct diag_sources *s, uint32_t file)
{
    return file > 0 && file <= s->list.count ? &s->list.item[file - 1] : NULL;
}

static size_t line_length(const struct diag_source *s, size_t from)
{
    size_t end = from;
    while (end < s->size && s->text[end] != '\n' && s->text[end] != '\r')
        end++;
    return end - from;
}

/* Moves to the next line; false at the end of the text. */
static bool advance(struct diag_source *s)
{
    size_t at = s->offset + line_length(s, s->offset);
    if (at == s->size)
        return false;
    bool crlf = s->text[at] == '\r' && at + 1 < s->size && s->text[at + 1] == '\n';
    s->offset = at + (crlf ? 2 : 1);
    s->line++;
    return true;
}

bool diag_source_line(struct diag_source *s, uint32_t line, const char **text, size_t *len)
{
    if (line < s->line) {
        s->line = 1;
        s->offset = 0;
    }
    while (s->line < line)
        if (!advance(s))
            return false;
    *text = s->text + s->offset;
    *len = line_length(s, s->offset);
    return true;
}
