/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/diag_source.h"

uint32_t diag_sources_add(struct diag_sources *s, const char *name, const char *text, size_t size,
                          struct loc parent, enum diag_role role)
{
    struct diag_source *source = vec_push(s->mem, &s->list);
    *source = (struct diag_source){
        .name = name, .text = text, .size = size, .parent = parent, .role = role, .line = 1};
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

struct line {
    const char *text;
    size_t len;
};

static size_t common_begin(struct line a, struct line b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.text[n] == b.text[n])
        n++;
    return n;
}

static size_t common_end(struct line a, struct line b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.text[a.len - 1 - n] == b.text[b.len - 1 - n])
        n++;
    return n;
}

/* Columns of the parts that are the same in both lines; those between are where they begin to
 * differ. */
static uint32_t written_col(struct line expanded, struct line written, uint32_t col)
{
    size_t begin = common_begin(expanded, written), end = common_end(expanded, written);
    if (col <= begin + 1)
        return col;
    if (expanded.len + 1 - col < end)
        return (uint32_t)(written.len + col - expanded.len);
    return (uint32_t)begin + 1;
}

static bool look_up(const struct diag_sources *s, uint32_t file, uint32_t number, struct line *line)
{
    struct diag_source *source = diag_source_at(s, file);
    return source && diag_source_line(source, number, &line->text, &line->len);
}

struct loc diag_written_place(const struct diag_sources *s, struct loc loc)
{
    const struct diag_source *source;
    while ((source = diag_source_at(s, loc.file)) && source->body.file && source->body_lines) {
        struct loc place = loc;
        struct line expanded, written;
        uint32_t lines = source->body_lines;
        place.file = source->body.file;
        place.line = source->body.line + (loc.line - 1) % lines;
        place.end_line = place.line;
        if (!look_up(s, loc.file, loc.line, &expanded) ||
            !look_up(s, place.file, place.line, &written))
            return loc;
        place.col = written_col(expanded, written, loc.col);
        place.end_col = written_col(expanded, written, loc.end_col);
        if (place.end_col < place.col || loc.end_line != loc.line)
            place.end_col = place.col;
        loc = place;
    }
    return loc;
}
