/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/diag_print.h"

#include <string.h>

static const struct {
    const char *word, *color;
} severities[] = {
    [DIAG_NOTE] = {"note", "\033[1;36m"},
    [DIAG_WARNING] = {"warning", "\033[1;35m"},
    [DIAG_ERROR] = {"error", "\033[1;31m"},
};

static const char COLOR_CARET[] = "\033[1;32m", COLOR_BOLD[] = "\033[1m", COLOR_OFF[] = "\033[0m";

/* The part of a source line that is shown, and the range marked in it. */
struct excerpt {
    const char *text;
    size_t len;
    size_t mark, mark_len; /* bytes of text; mark_len 0: a lone caret */
    bool cut_before, cut_behind;
};

static void put_color(const struct diag_options *o, const char *color)
{
    if (o->color)
        fputs(color, o->out);
}

/* Characters that terminals do not show in one column, in order (Unicode 15, East Asian Width W and
 * F, and marks that stand on the character before them; blocks where all of a block are alike). */
static const struct {
    uint32_t first, last;
    size_t width;
} unusual[] = {
    {0x0300, 0x036f, 0},   {0x1100, 0x115f, 2},   {0x200b, 0x200f, 0}, {0x20d0, 0x20f0, 0},
    {0x2e80, 0x303e, 2},   {0x3041, 0x33ff, 2},   {0x3400, 0x4dbf, 2}, {0x4e00, 0xa4cf, 2},
    {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0}, {0xfe20, 0xfe2f, 0},
    {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2},
    {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
};

/* The code point of a well-formed character of n bytes. */
static uint32_t code_point(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    uint32_t code = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | (p[i] & 0x3fu);
    return code;
}

static size_t character_width(const char *text, size_t bytes)
{
    uint32_t code = code_point(text, bytes);
    for (size_t i = 0; i < sizeof unusual / sizeof *unusual && unusual[i].first <= code; i++)
        if (code <= unusual[i].last)
            return unusual[i].width;
    return 1;
}

/* Columns that diag_put_escaped uses for these bytes. */
static size_t columns(const char *text, size_t len)
{
    enum { ESCAPE_WIDTH = 4 };
    size_t n = 0;
    while (len > 0) {
        size_t bytes = diag_printable(text, len);
        n += bytes ? character_width(text, bytes) : ESCAPE_WIDTH;
        bytes += !bytes;
        text += bytes;
        len -= bytes;
    }
    return n;
}

static size_t without_trailing_blanks(const char *text, size_t len)
{
    while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    return len;
}

static struct excerpt mark_range(const char *text, size_t len, const struct loc *loc)
{
    size_t from = loc->col ? loc->col - 1 : 0;
    if (from > len)
        from = len;
    size_t to = without_trailing_blanks(text, len);
    if (loc->end_line <= loc->line)
        to = loc->end_col > loc->col ? loc->end_col - 1 : from;
    if (to > len)
        to = len;
    return (struct excerpt){text, len, from, to > from ? to - from : 0, false, false};
}

/* Shows a long line around the mark, cut between characters. */
static struct excerpt shorten(struct excerpt e)
{
    enum { LONGEST = 200, CONTEXT = 80 };
    if (e.len <= LONGEST)
        return e;
    size_t from = e.mark > CONTEXT ? e.mark - CONTEXT : 0;
    while (from < e.mark && ((unsigned char)e.text[from] & 0xc0) == 0x80)
        from++;
    e.text += from;
    e.len -= from;
    e.mark -= from;
    e.cut_before = from > 0;
    if (e.len > LONGEST) {
        e.cut_behind = true;
        e.len = LONGEST;
        while (e.len > e.mark && ((unsigned char)e.text[e.len] & 0xc0) == 0x80)
            e.len--;
    }
    if (e.mark_len > e.len - e.mark)
        e.mark_len = e.len - e.mark;
    return e;
}

static void print_caret_line(const struct diag_options *o, const struct excerpt *e)
{
    if (e->cut_before)
        fputs("   ", o->out);
    for (size_t i = 0; i < e->mark;) {
        size_t bytes = diag_printable(e->text + i, e->len - i);
        bytes += !bytes;
        if (e->text[i] == '\t')
            fputc('\t', o->out);
        else
            fprintf(o->out, "%*s", (int)columns(e->text + i, bytes), "");
        i += bytes;
    }
    put_color(o, COLOR_CARET);
    fputc('^', o->out);
    for (size_t n = columns(e->text + e->mark, e->mark_len); n > 1; n--)
        fputc('~', o->out);
    put_color(o, COLOR_OFF);
    fputc('\n', o->out);
}

static void print_source_line(const struct diag_options *o, const struct diag_sources *sources,
                              const struct loc *loc)
{
    struct diag_source *s = diag_source_at(sources, loc->file);
    const char *text;
    size_t len;
    if (!s || loc->line == 0 || !diag_source_line(s, loc->line, &text, &len))
        return;
    struct excerpt e = shorten(mark_range(text, len, loc));
    if (e.cut_before)
        fputs("...", o->out);
    diag_put_escaped(o->out, e.text, e.len);
    fputs(e.cut_behind ? "...\n" : "\n", o->out);
    print_caret_line(o, &e);
}

static void print_place(const struct diag_options *o, const struct diag_record *r)
{
    if (r->file[0]) {
        diag_put_escaped(o->out, r->file, strlen(r->file));
        if (r->loc.line)
            fprintf(o->out, ":%u:%u", (unsigned)r->loc.line, (unsigned)r->loc.col);
        fputs(": ", o->out);
    } else if (o->program && r->severity != DIAG_NOTE) {
        fprintf(o->out, "%s: ", o->program);
    }
}

static void print_record(const struct diag_options *o, const struct diag_sources *sources,
                         const struct diag_record *r)
{
    put_color(o, COLOR_BOLD);
    print_place(o, r);
    put_color(o, severities[r->severity].color);
    fprintf(o->out, "%s: ", severities[r->severity].word);
    put_color(o, COLOR_OFF);
    diag_put_escaped(o->out, r->message, strlen(r->message));
    if (r->severity != DIAG_NOTE)
        fprintf(o->out, " [%s]", diag_slug(r->code));
    fputc('\n', o->out);
    print_source_line(o, sources, &r->loc);
}

void diag_print_text(const struct diag_options *o, const struct diag_sources *sources,
                     const struct diag_message *m)
{
    print_record(o, sources, &m->record);
    for (size_t i = 0; i < m->notes.count; i++)
        print_record(o, sources, &m->notes.item[i]);
}
