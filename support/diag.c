/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last message is held back until the next one, so that its notes belong
 * to it: JSON nests them, and a duplicate takes its notes with it.
 */
#include "support/diag.h"

#include <string.h>

#include "support/diag_print.h"

struct diag {
    struct mem *mem;
    struct diag_options options;
    struct diag_sources sources;
    struct intern *seen;   /* place and text of each message */
    struct arena *scratch; /* the held message; reset when it is printed */
    struct diag_message held;
    struct loc held_at; /* its place, in a macro's text */
    bool holding;       /* `held` waits to be printed */
    bool dropped;       /* the last message was not printed: drop its notes */
    unsigned errors, warnings, hidden;
};

static const struct {
    const char *slug;
    enum diag_severity severity;
} codes[DIAG_CODE_COUNT] = {
#define DIAG(id, slug, severity, summary, cure) {slug, DIAG_##severity},
#include "support/diag.def"
#undef DIAG
};

const char *diag_slug(enum diag_code code)
{
    return codes[code].slug;
}

struct diag *diag_create(struct mem *m, const struct diag_options *options)
{
    struct diag *d = mem_resize(m, NULL, sizeof *d);
    *d = (struct diag){.mem = m};
    if (options)
        d->options = *options;
    if (!d->options.out)
        d->options.out = stderr;
    d->sources.mem = m;
    return d;
}

void diag_destroy(struct diag *d)
{
    if (!d)
        return;
    diag_flush(d);
    diag_sources_free(&d->sources);
    intern_destroy(d->seen);
    arena_destroy(d->scratch);
    mem_resize(d->mem, d, 0);
}

uint32_t diag_add_source(struct diag *d, const char *name, const char *text, size_t size,
                         struct loc parent, enum diag_role role)
{
    return diag_sources_add(&d->sources, name, text, size, parent, role);
}

void diag_set_body(struct diag *d, uint32_t file, struct loc body, uint32_t lines)
{
    struct diag_source *s = diag_source_at(&d->sources, file);
    s->body = body;
    s->body_lines = lines;
}

const char *diag_file_name(const struct diag *d, uint32_t file)
{
    const struct diag_source *s = diag_source_at(&d->sources, file);
    return s ? s->name : "";
}

struct loc diag_root(const struct diag *d, struct loc loc)
{
    const struct diag_source *s;
    while ((s = diag_source_at(&d->sources, loc.file)) && s->parent.file != 0)
        loc = s->parent;
    return loc;
}

struct loc loc_join(struct loc a, struct loc b)
{
    if (a.file == 0)
        return b;
    if (b.file == a.file) {
        a.end_line = b.end_line;
        a.end_col = b.end_col;
    }
    return a;
}

static void send_to_sink(const struct diag *d, const struct diag_message *m)
{
    d->options.sink(d->options.sink_ctx, &m->record);
    for (size_t i = 0; i < m->notes.count; i++)
        d->options.sink(d->options.sink_ctx, &m->notes.item[i]);
}

static void deliver(struct diag *d, const struct diag_message *m)
{
    if (d->options.sink)
        send_to_sink(d, m);
    else if (d->options.format == DIAG_JSON)
        diag_print_json(&d->options, m);
    else
        diag_print_text(&d->options, &d->sources, m);
}

static void release_held(struct diag *d)
{
    if (d->holding) {
        d->holding = false;
        deliver(d, &d->held);
        vec_free(d->mem, &d->held.notes);
    }
    if (d->scratch)
        arena_reset(d->scratch);
}

/* Made at the first message: each is one allocation that diag_destroy knows of. */
static void prepare_storage(struct diag *d)
{
    if (!d->scratch)
        d->scratch = arena_create(d->mem);
    if (!d->seen)
        d->seen = intern_create(d->mem);
}

static void report_hidden(struct diag *d)
{
    if (d->hidden == 0)
        return;
    char text[80];
    snprintf(text, sizeof text, "%u more error%s not shown (-fmax-errors=%u)", d->hidden,
             d->hidden == 1 ? "" : "s", d->options.max_errors);
    struct diag_message m = {
        .record = {DIAG_NOTE, DIAG_MORE_ERRORS, "", {0}, text},
    };
    d->hidden = 0;
    deliver(d, &m);
}

void diag_flush(struct diag *d)
{
    release_held(d);
    report_hidden(d);
    if (!d->options.sink)
        fflush(d->options.out);
}

/* True the first time this text is reported at this place. */
static bool is_new(struct diag *d, const struct diag_record *r)
{
    size_t before = intern_count(d->seen);
    const char *key =
        arena_printf(d->scratch, "%d:%u:%u:%u:%s:%s", (int)r->code, (unsigned)r->loc.file,
                     (unsigned)r->loc.line, (unsigned)r->loc.col, r->file, r->message);
    intern_z(d->seen, key);
    return intern_count(d->seen) != before;
}

/* Memory is exhausted, so this message allocates nothing. */
static void report_exhaustion(struct diag *d, const char *file, struct loc loc, const char *fmt,
                              va_list ap)
{
    char text[256];
    vsnprintf(text, sizeof text, fmt, ap);
    release_held(d);
    d->errors++;
    struct diag_message m = {
        .record = {DIAG_ERROR, DIAG_OUT_OF_MEMORY, file, loc, text},
    };
    deliver(d, &m);
}

static void report(struct diag *d, enum diag_code code, const char *file, struct loc loc,
                   const char *fmt, va_list ap)
{
    if (code == DIAG_OUT_OF_MEMORY) {
        report_exhaustion(d, file, loc, fmt, ap);
        return;
    }
    release_held(d);
    prepare_storage(d);
    d->dropped = true;
    enum diag_severity severity = codes[code].severity;
    if (severity == DIAG_WARNING && d->options.no_warnings)
        return;
    if (severity == DIAG_WARNING && d->options.fatal_warnings)
        severity = DIAG_ERROR;
    struct diag_record record = {severity, code, file, loc, arena_vprintf(d->scratch, fmt, ap)};
    if (!is_new(d, &record))
        return;
    if (severity == DIAG_WARNING)
        d->warnings++;
    else if (severity == DIAG_ERROR)
        d->errors++;
    if (severity == DIAG_ERROR && d->options.max_errors && d->errors > d->options.max_errors) {
        d->hidden++;
        return;
    }
    d->dropped = false;
    d->held_at = loc;
    if (loc.file) {
        record.loc = diag_written_place(&d->sources, loc);
        record.file = diag_file_name(d, record.loc.file);
    }
    d->held = (struct diag_message){.record = record};
    d->holding = true;
}

/* The include and macro stack of a message, innermost first. */
static void add_origin_notes(struct diag *d)
{
    enum { SHOWN_AT_EACH_END = 4 };
    unsigned depth = 0;
    const struct diag_source *s;
    for (struct loc l = d->held_at;
         (s = diag_source_at(&d->sources, l.file)) && s->parent.file != 0; l = s->parent)
        depth++;
    unsigned i = 0;
    for (struct loc l = d->held_at; i < depth; l = s->parent, i++) {
        s = diag_source_at(&d->sources, l.file);
        if (i == SHOWN_AT_EACH_END && depth > 2 * SHOWN_AT_EACH_END)
            diag_note(d, (struct loc){0}, "%u levels are not shown", depth - 2 * SHOWN_AT_EACH_END);
        if (i < SHOWN_AT_EACH_END || i + SHOWN_AT_EACH_END >= depth)
            diag_note(d, s->parent,
                      s->role == DIAG_ROLE_MACRO ? "expanded from here" : "included from here");
    }
}

void diag_vreport(struct diag *d, enum diag_code code, struct loc loc, const char *fmt, va_list ap)
{
    report(d, code, diag_file_name(d, loc.file), loc, fmt, ap);
    if (d->holding)
        add_origin_notes(d);
}

void diag_report(struct diag *d, enum diag_code code, struct loc loc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diag_vreport(d, code, loc, fmt, ap);
    va_end(ap);
}

void diag_note(struct diag *d, struct loc loc, const char *fmt, ...)
{
    if (d->dropped || !d->holding)
        return;
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(d->scratch, fmt, ap);
    va_end(ap);
    struct diag_record *note = vec_push(d->mem, &d->held.notes);
    loc = diag_written_place(&d->sources, loc);
    *note = (struct diag_record){DIAG_NOTE, d->held.record.code, diag_file_name(d, loc.file), loc,
                                 text};
}

void diag_report_file(struct diag *d, enum diag_code code, const char *name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(d, code, name, (struct loc){0}, fmt, ap);
    va_end(ap);
    /* The caller's string may not live until the message is printed. */
    if (d->holding && d->held.record.file == name)
        d->held.record.file = arena_string(d->scratch, name, strlen(name));
}

unsigned diag_errors(const struct diag *d)
{
    return d->errors;
}

unsigned diag_warnings(const struct diag *d)
{
    return d->warnings;
}
