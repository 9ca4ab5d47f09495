/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * -a: each source line with the address and the bytes it made, then the
 * symbols. The bytes are those of the finished object, so the listing is
 * written behind the fixups from rows that were noted on the way. Texts that a
 * line reads (includes; with ASM_LIST_MACROS what macros become) follow that
 * line, marked by a '>' for each level.
 */
#include "asm/assembler.h"

#include <string.h>

#include "support/file.h"

enum { LIST_BYTES = 8 }; /* bytes in one line of the listing */

/* ---- noting ---- */

/* Without ASM_LIST_MACROS the lines of macros count for the call. */
static struct loc listed_place(const struct assembler *as, struct loc loc)
{
    return as->options->list & ASM_LIST_MACROS ? loc : asm_debug_place(as, loc);
}

/* NULL: the place is in no text (the command line). */
static struct listing_row *note(struct assembler *as, enum listing_kind kind, struct loc loc)
{
    loc = listed_place(as, loc);
    if (!asm_find_source(as, loc.file))
        return NULL;
    struct listing_row *row = vec_push(as->mem, &as->listing);
    *row = (struct listing_row){.kind = kind, .file = loc.file, .line = loc.line};
    return row;
}

/* Does the statement go on with the bytes of the one before, in the same line? */
static bool joins(struct assembler *as, const struct listing_row *next)
{
    struct listing_row *last = as->listing.count ? &as->listing.item[as->listing.count - 1] : NULL;
    if (!last || last->kind != LISTING_BYTES || last->section != next->section ||
        last->file != next->file || last->line != next->line || last->end != next->offset ||
        last->end_points != next->points)
        return false;
    last->end = next->end;
    last->end_points = next->end_points;
    return true;
}

void asm_list_statement(struct assembler *as, struct loc loc, const struct section *before,
                        uint64_t offset, uint32_t points)
{
    struct section *section = as->section;
    if (!section)
        return;
    if (section != before) {
        offset = 0;
        points = 0;
    }
    struct loc place = listed_place(as, loc);
    struct listing_row row = {
        .kind = LISTING_BYTES,
        .file = place.file,
        .line = place.line,
        .section = section,
        .offset = offset,
        .end = asm_offset(section),
        .points = points,
        .end_points = (uint32_t)section->points.count,
    };
    if ((row.end == offset && row.end_points == points) || !asm_find_source(as, place.file) ||
        joins(as, &row))
        return;
    *vec_push(as->mem, &as->listing) = row;
}

void asm_list_source(struct assembler *as, uint32_t file)
{
    if (asm_source_role(as, file) != DIAG_ROLE_MACRO || as->options->list & ASM_LIST_MACROS)
        note(as, LISTING_SOURCE, (struct loc){.file = file, .line = 1});
}

void asm_list_skipped(struct assembler *as, struct loc first, struct loc behind)
{
    struct listing_row *row = NULL;
    if (as->options->list & ASM_LIST_NO_FALSE && behind.line > first.line &&
        (as->options->list & ASM_LIST_MACROS || asm_source_role(as, first.file) != DIAG_ROLE_MACRO))
        row = note(as, LISTING_SKIPPED, first);
    if (row)
        row->last = behind.line - 1;
}

/* Nothing behind .exitm comes of this expansion. */
void asm_list_left(struct assembler *as, struct loc loc)
{
    struct listing_row *row = NULL;
    if (as->options->list & ASM_LIST_MACROS)
        row = note(as, LISTING_SKIPPED, loc);
    if (row) {
        row->line++;
        row->last = UINT32_MAX;
    }
}

/* A repetition's own lines come before what they become. */
void asm_list_captured(struct assembler *as, struct loc end)
{
    if (as->options->list & ASM_LIST_MACROS)
        note(as, LISTING_READ, end);
}

void asm_list_debug(struct assembler *as, struct loc loc)
{
    if (as->options->list & ASM_LIST_NO_DEBUG)
        note(as, LISTING_DEBUG, loc);
}

void asm_list_high(struct assembler *as, struct loc loc, uint32_t file, uint32_t line)
{
    struct listing_row *row =
        as->options->list & ASM_LIST_HIGH ? note(as, LISTING_HIGH, loc) : NULL;
    if (row) {
        row->high = file;
        row->last = line;
    }
}

/* ---- source lines ---- */

struct line_reader {
    const char *at, *end;
    uint32_t line; /* the last one that was read */
};

/* The next source line without its line end; false at the end. */
static bool next_line(struct line_reader *r, const char **text, size_t *size)
{
    if (r->at >= r->end)
        return false;
    const char *p = r->at;
    while (p < r->end && *p != '\n' && *p != '\r')
        p++;
    *text = r->at;
    *size = (size_t)(p - r->at);
    if (p + 1 < r->end && p[0] == '\r' && p[1] == '\n')
        p++;
    r->at = p + 1;
    r->line++;
    return true;
}

struct listed { /* a text in the course of being listed */
    struct line_reader reader;
    uint32_t file;
};

struct high { /* a file that .loc names */
    const char **lines;
    size_t count; /* 0: cannot be read */
    bool opened;
};

struct lister {
    struct assembler *as;
    struct buffer *out;
    struct listed *stack; /* the main text first */
    size_t depth;
    struct high *high; /* by line file */
    uint32_t high_file, high_line;
};

static struct listed *top(struct lister *l)
{
    return &l->stack[l->depth - 1];
}

static void put_text(struct lister *l, const char *text, size_t size)
{
    for (size_t n = 1; n < l->depth; n++)
        buffer_append(l->out, ">", 1);
    buffer_printf(l->out, "%s%.*s\n", l->depth > 1 ? " " : "", (int)size, text);
}

/* Lists the lines before `line`, which have made nothing; false: the text ends there. */
static bool advance(struct lister *l, uint32_t line)
{
    const char *text;
    size_t size;
    while (top(l)->reader.line + 1 < line) {
        if (!next_line(&top(l)->reader, &text, &size))
            return false;
        buffer_printf(l->out, "%5u %*s  ", (unsigned)top(l)->reader.line, 16 + 2 * LIST_BYTES, "");
        put_text(l, text, size);
    }
    return true;
}

static void leave(struct lister *l)
{
    advance(l, UINT32_MAX);
    l->depth--;
}

static bool is_open(const struct lister *l, uint32_t file)
{
    for (size_t n = 0; n < l->depth; n++)
        if (l->stack[n].file == file)
            return true;
    return false;
}

/* Makes `file` the text on top: leaves the ones that it did not come from, and lists the line that
 * reads it. */
static void enter(struct lister *l, uint32_t file)
{
    const struct source *s = asm_find_source(l->as, file);
    while (l->depth && !is_open(l, file) && top(l)->file != s->parent.file)
        leave(l);
    if (is_open(l, file)) {
        while (top(l)->file != file)
            leave(l);
        return;
    }
    if (l->depth)
        advance(l, s->parent.line + 1);
    l->stack[l->depth++] = (struct listed){.reader = {s->text, s->text + s->size, 0}, .file = file};
}

/* ---- rows ---- */

static unsigned list_bytes(struct buffer *out, const struct listing_row *row, uint64_t done)
{
    const struct section *section = row->section;
    uint64_t left = row->end - row->offset - done;
    unsigned count = left < LIST_BYTES ? (unsigned)left : LIST_BYTES;
    buffer_printf(out, "%-6s %08llx ", section->name, (unsigned long long)(row->offset + done));
    for (unsigned n = 0; n < LIST_BYTES; n++)
        if (n >= count)
            buffer_append(out, "  ", 2);
        else if (section->type == OBJ_NOBITS)
            buffer_append(out, "??", 2);
        else
            buffer_printf(out, "%02x", section->bytes.data[row->offset + done + n]);
    return count;
}

/* The text stands beside the first bytes of its line. */
static void list_row(struct lister *l, const struct listing_row *row)
{
    const char *text = "";
    size_t size = 0;
    if (row->end == row->offset)
        return;
    advance(l, row->line);
    bool first = top(l)->reader.line < row->line && next_line(&top(l)->reader, &text, &size);
    buffer_printf(l->out, "%5u ", (unsigned)row->line);
    uint64_t done = list_bytes(l->out, row, 0);
    buffer_append(l->out, "  ", 2);
    if (first)
        put_text(l, text, size);
    else
        buffer_append(l->out, "\n", 1);
    while (done < row->end - row->offset) {
        buffer_printf(l->out, "%5s ", "");
        done += list_bytes(l->out, row, done);
        buffer_append(l->out, "\n", 1);
    }
}

/* Passes over lines that are not to be seen. */
static void drop_lines(struct lister *l, uint32_t first, uint32_t last)
{
    const char *text;
    size_t size;
    advance(l, first);
    while (top(l)->reader.line < last && next_line(&top(l)->reader, &text, &size))
        continue;
}

/* Lines as strings, in a copy of the text. */
static void index_lines(struct arena *a, struct high *h, const char *text, size_t size)
{
    const char *line;
    struct line_reader r = {text, text + size, 0};
    while (next_line(&r, &line, &size))
        h->count++;
    h->lines = arena_array(a, h->count + 1, sizeof *h->lines);
    r = (struct line_reader){text, r.end, 0};
    while (next_line(&r, &line, &size))
        h->lines[r.line - 1] = arena_string(a, line, size);
}

static struct high *open_high(struct lister *l, uint32_t file)
{
    const char *error, *text;
    size_t size;
    struct high *h = &l->high[file];
    if (!h->opened &&
        (text = file_read(l->as->arena, l->as->object->line_files.item[file], &size, &error)))
        index_lines(l->as->arena, h, text, size);
    h->opened = true;
    return h;
}

/* The line that the compiler translated, once for all that it became; a file that is not there
 * shows nothing. */
static void list_high(struct lister *l, const struct listing_row *row)
{
    advance(l, row->line + 1);
    if (l->high_file == row->high && l->high_line == row->last)
        return;
    l->high_file = row->high;
    l->high_line = row->last;
    struct high *h = open_high(l, row->high);
    if (row->last <= h->count)
        buffer_printf(l->out, "%5u:%s **** %s\n", (unsigned)row->last,
                      l->as->object->line_files.item[row->high], h->lines[row->last - 1]);
}

static void list_source(struct assembler *as)
{
    struct lister l = {
        .as = as,
        .out = as->options->listing,
        .stack = arena_array(as->arena, GRAMMAR_MAX_SOURCES + 1, sizeof *l.stack),
        .high = arena_array(as->arena, as->object->line_files.count + 1, sizeof *l.high),
    };
    for (size_t n = 0; n < as->listing.count; n++) {
        const struct listing_row *row = &as->listing.item[n];
        enter(&l, row->file);
        if (row->kind == LISTING_BYTES)
            list_row(&l, row);
        else if (row->kind == LISTING_READ)
            advance(&l, row->line + 1);
        else if (row->kind == LISTING_SKIPPED)
            drop_lines(&l, row->line, row->last);
        else if (row->kind == LISTING_DEBUG)
            drop_lines(&l, row->line, row->line);
        else if (row->kind == LISTING_HIGH)
            list_high(&l, row);
    }
    while (l.depth)
        leave(&l);
}

static void list_symbols(struct assembler *as)
{
    struct buffer *out = as->options->listing;
    buffer_printf(out, "\nSymbols\n");
    for (size_t i = 0; i < as->object->symbols.count; i++) {
        const struct obj_symbol *s = &as->object->symbols.item[i];
        const char *place = s->section == OBJ_UNDEF    ? "*UND*"
                            : s->section == OBJ_ABS    ? "*ABS*"
                            : s->section == OBJ_COMMON ? "*COM*"
                                                       : as->sections.item[s->section]->name;
        if (s->name[0] && s->name[0] != '$')
            buffer_printf(out, "%-8s %016llx %s\n", place, (unsigned long long)s->value, s->name);
    }
}

void asm_list_finish(struct assembler *as)
{
    if (!as->options->listing)
        return;
    if (as->options->list & ASM_LIST_SOURCE)
        list_source(as);
    if (as->options->list & ASM_LIST_SYMBOLS)
        list_symbols(as);
}
