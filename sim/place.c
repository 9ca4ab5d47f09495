/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an address is, for a reader: source line, symbol, the line's text; and the way back. */
#include "sim/machine.h"

#include <string.h>

#include "support/file.h"

void sim_place(const struct sim *s, uint64_t address, struct buffer *out)
{
    const struct obj_line *row = s->program ? obj_line_at(s->program, address) : NULL;
    if (row)
        buffer_printf(out, "%s:%u", s->program->line_files.item[row->file], row->line);
}

/* ---- symbols ---- */

static bool is_place(const struct obj_symbol *y)
{
    return y->section >= 0 && y->name && y->name[0] && y->name[0] != '$' && y->name[0] != '.' &&
           y->type != OBJ_SECTION_SYMBOL && y->type != OBJ_FILE;
}

static bool in_section(const struct sim *s, int section, uint64_t address)
{
    const struct obj_section *c = &s->program->sections.item[section];
    return address >= c->address && address - c->address < c->size;
}

void sim_symbol(const struct sim *s, uint64_t address, struct buffer *out)
{
    const struct obj_symbol *best = NULL;
    for (size_t i = 0; s->program && i < s->program->symbols.count; i++) {
        const struct obj_symbol *y = &s->program->symbols.item[i];
        if (is_place(y) && y->value <= address && in_section(s, y->section, address) &&
            (!best || y->value > best->value))
            best = y;
    }
    if (best)
        buffer_printf(out, "%s", best->name);
    if (best && best->value != address)
        buffer_printf(out, "+%llu", (unsigned long long)(address - best->value));
}

/* ---- source lines ---- */

struct source_file {
    const char *text, *why; /* both NULL: not looked for yet */
    const char **line;      /* starts of the lines, and the end of the text */
    uint32_t count;
};

static void split_lines(struct arena *a, struct source_file *f, size_t size)
{
    const char *end = f->text + size;
    uint32_t count = 0;
    for (const char *p = f->text; p < end; p++)
        count += *p == '\n';
    f->line = arena_array(a, (size_t)count + 2, sizeof *f->line);
    for (const char *p = f->text; p < end; f->count++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        f->line[f->count] = p;
        p = newline ? newline + 1 : end;
    }
    f->line[f->count] = end;
}

static const struct source_file *source_file(struct sim *s, uint32_t number)
{
    size_t size;
    if (!s->sources)
        s->sources = arena_array(s->arena, s->program->line_files.count, sizeof *s->sources);
    struct source_file *f = &s->sources[number];
    if (f->text || f->why)
        return f;
    f->text = file_read(s->arena, s->program->line_files.item[number], &size, &f->why);
    if (f->text)
        split_lines(s->arena, f, size);
    return f;
}

const char *sim_source_line(struct sim *s, uint32_t file, uint32_t line, size_t *length,
                            const char **why)
{
    const struct source_file *f = source_file(s, file);
    *why = f->why;
    if (!f->text || line == 0 || line > f->count)
        return NULL;
    const char *start = f->line[line - 1], *end = f->line[line];
    while (end > start && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    *length = (size_t)(end - start);
    return start;
}

static bool is_file(const char *recorded, const char *name, size_t length)
{
    size_t n = strlen(recorded);
    if (n < length || memcmp(recorded + n - length, name, length))
        return false;
    return n == length || recorded[n - length - 1] == '/';
}

bool sim_find_line(const struct sim *s, const char *file, size_t length, uint32_t line,
                   uint64_t *address)
{
    const struct obj_line *best = NULL;
    for (size_t i = 0; s->program && i < s->program->lines.count; i++) {
        const struct obj_line *row = &s->program->lines.item[i];
        if (row->end || row->line < line ||
            !is_file(s->program->line_files.item[row->file], file, length))
            continue;
        if (!best || row->line < best->line ||
            (row->line == best->line && row->address < best->address))
            best = row;
    }
    if (best)
        *address = best->address;
    return best;
}
