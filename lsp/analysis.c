/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A document is assembled from memory, as are the files it includes that are
 * open; its messages become diagnostics, its definitions stay for other
 * requests. What lies in another file is shown at the line that leads there.
 */
#include "lsp/server.h"

#include <string.h>

enum severity { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2, SEVERITY_INFORMATION = 3 };

struct analysis {
    struct lsp *server;
    struct document *document;
    struct diag *diag;
    json_t *list;
};

/* ---- places ---- */

static json_t *byte_range(const struct lsp *s, const struct document *d, struct loc loc)
{
    size_t begin = document_byte(d, loc.line, loc.col);
    size_t end = loc.end_line ? document_byte(d, loc.end_line, loc.end_col) : begin;
    return make_range(s, d, begin, end > begin ? end : begin);
}

/* A file that is not open, for the columns of its lines. Invalid UTF-8 counts as bytes. */
static json_t *range_on_disk(struct lsp *s, const char *path, struct loc loc)
{
    size_t size;
    const char *error;
    struct arena *a = arena_create(&s->mem);
    const char *text = path[0] == '/' ? file_read(a, path, &size, &error) : NULL;
    struct document *d = document_open(&s->mem, path, 0, text ? text : "", text ? size : 0);
    json_t *range = byte_range(s, d, loc);
    document_close(d);
    arena_destroy(a);
    return range;
}

json_t *make_location(struct lsp *s, const char *file, struct loc loc)
{
    const struct document *d = find_document_by_path(s, file);
    return json_pack("{s:o, s:o}", "uri", d ? json_string(d->uri) : uri_of_path(file), "range",
                     d ? byte_range(s, d, loc) : range_on_disk(s, file, loc));
}

/* ---- messages ---- */

static void add_related(struct analysis *a, json_t *diagnostic, const struct diag_record *r)
{
    json_t *list = json_object_get(diagnostic, "relatedInformation");
    if (!list) {
        list = json_array();
        json_object_set_new(diagnostic, "relatedInformation", list);
    }
    json_array_append_new(list, json_pack("{s:o, s:s}", "location",
                                          make_location(a->server, r->file, r->loc), "message",
                                          r->message));
}

static void add_note(struct analysis *a, const struct diag_record *r)
{
    json_t *last = json_array_get(a->list, json_array_size(a->list) - 1);
    if (r->loc.file) {
        add_related(a, last, r);
        return;
    }
    const char *before = json_string_value(json_object_get(last, "message"));
    json_object_set_new(last, "message", json_sprintf("%s\n%s", before ? before : "", r->message));
}

static void receive(void *ctx, const struct diag_record *r)
{
    static const enum severity severities[] = {[DIAG_NOTE] = SEVERITY_INFORMATION,
                                               [DIAG_WARNING] = SEVERITY_WARNING,
                                               [DIAG_ERROR] = SEVERITY_ERROR};
    struct analysis *a = ctx;
    bool note = r->severity == DIAG_NOTE && r->code != DIAG_USER_NOTE;
    if (note && json_array_size(a->list)) {
        add_note(a, r);
        return;
    }
    bool here = !r->loc.file || strcmp(r->file, a->document->name) == 0;
    struct loc loc = here ? r->loc : diag_root(a->diag, r->loc);
    json_t *d =
        json_pack("{s:o, s:i, s:s, s:s, s:s}", "range", byte_range(a->server, a->document, loc),
                  "severity", (int)severities[r->severity], "code", diag_slug(r->code), "source",
                  "pto-as", "message", r->message);
    json_array_append_new(a->list, d);
    if (!here)
        add_related(a, d, r);
}

/* ---- assembly ---- */

static void keep_definition(void *ctx, const struct asm_definition *from)
{
    const struct analysis *a = ctx;
    struct document *d = a->document;
    struct definition *to = vec_push(d->mem, &d->definitions);
    *to = (struct definition){
        .kind = from->kind, .known = from->known, .value = from->value, .loc = from->loc};
    to->name = arena_string(d->arena, from->name, strlen(from->name));
    to->file = arena_string(d->arena, from->file, strlen(from->file));
    if (from->section)
        to->section = arena_string(d->arena, from->section, strlen(from->section));
}

static const char *read_open(void *ctx, const char *path, size_t *size)
{
    const struct analysis *a = ctx;
    const struct document *d = find_document_by_path(a->server, path);
    *vec_push(a->document->mem, &a->document->includes) =
        arena_string(a->document->arena, path, strlen(path));
    if (d)
        *size = d->text.size;
    return d ? document_text(d) : NULL;
}

static void assemble(struct analysis *a)
{
    struct lsp *s = a->server;
    struct document *d = a->document;
    struct diag_options messages = {.sink = receive, .sink_ctx = a};
    struct asm_observer observer = {keep_definition, read_open, a};
    struct asm_options options = {.march = s->options.march,
                                  .mseq = s->options.mseq,
                                  .target = s->options.target,
                                  .include_dirs = s->options.include_dirs,
                                  .directory = d->directory,
                                  .observer = &observer};
    d->definitions.count = d->includes.count = 0;
    arena_reset(d->arena);
    a->diag = diag_create(&s->mem, &messages);
    struct asm_input input = {.name = d->name, .text = document_text(d), .size = d->text.size};
    obj_destroy(asm_assemble(&s->mem, a->diag, &options, &input, 1));
    diag_destroy(a->diag);
}

void publish_due(struct lsp *s)
{
    for (size_t i = 0; i < s->documents.count; i++) {
        struct document *d = s->documents.item[i];
        if (!d->due)
            continue;
        struct analysis a = {.server = s, .document = d, .list = json_array()};
        d->due = false;
        assemble(&a);
        notify(s, "textDocument/publishDiagnostics",
               json_pack("{s:s, s:I, s:o}", "uri", d->uri, "version", d->version, "diagnostics",
                         a.list));
    }
}

/* The last of several .set of a name is what the object has. */
const struct definition *find_definition(const struct document *d, const char *name, size_t size)
{
    for (size_t i = 0; i < d->definitions.count; i++) {
        const struct definition *known = &d->definitions.item[i];
        if (strlen(known->name) == size && memcmp(known->name, name, size) == 0)
            return known;
    }
    return NULL;
}
