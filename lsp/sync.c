/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents come, change and go. */
#include "lsp/server.h"

#include <string.h>

/* Others that include the file must be assembled anew. */
static void touch_includers(struct lsp *s, const char *path)
{
    for (size_t i = 0; i < s->documents.count; i++) {
        struct document *d = s->documents.item[i];
        for (size_t n = 0; n < d->includes.count && !d->due; n++)
            d->due = strcmp(d->includes.item[n], path) == 0;
    }
}

json_t *do_open(struct request *r)
{
    struct lsp *s = r->server;
    const json_t *item = json_object_get(r->params, "textDocument");
    const char *uri = json_string_value(json_object_get(item, "uri"));
    const json_t *text = json_object_get(item, "text");
    if (!uri || !json_is_string(text))
        return refuse(r, ERROR_INVALID_PARAMS, "textDocument has no uri or no text");
    json_int_t version = json_integer_value(json_object_get(item, "version"));
    struct document *d = find_document(s, uri);
    if (d) {
        d->version = version;
        document_replace(d, 0, d->text.size, json_string_value(text), json_string_length(text));
        touch_includers(s, d->name);
        return NULL;
    }
    struct document **slot = vec_push(&s->mem, &s->documents);
    s->documents.count--; /* until there is one */
    *slot = document_open(&s->mem, uri, version, json_string_value(text), json_string_length(text));
    s->documents.count++;
    touch_includers(s, (*slot)->name);
    return NULL;
}

/* False: the change is none. */
static bool apply(struct lsp *s, struct document *d, json_t *change)
{
    json_t *range = json_object_get(change, "range");
    const json_t *text = json_object_get(change, "text");
    struct place first, last;
    if (!json_is_string(text) || (range && !read_range(range, &first, &last)))
        return false;
    size_t begin = range ? document_offset(d, s->encoding, first) : 0;
    size_t end = range ? document_offset(d, s->encoding, last) : d->text.size;
    if (begin > end)
        return false;
    document_replace(d, begin, end, json_string_value(text), json_string_length(text));
    return true;
}

json_t *do_change(struct request *r)
{
    struct document *d = request_document(r);
    json_t *changes = json_object_get(r->params, "contentChanges");
    const json_t *version = json_object_get(json_object_get(r->params, "textDocument"), "version");
    size_t i;
    json_t *change;
    if (!d)
        return NULL;
    if (!json_is_array(changes))
        return refuse(r, ERROR_INVALID_PARAMS, "contentChanges is missing");
    if (json_is_integer(version))
        d->version = json_integer_value(version);
    json_array_foreach(changes, i, change)
    {
        if (!apply(r->server, d, change))
            return refuse(r, ERROR_INVALID_PARAMS, "a change is none");
    }
    touch_includers(r->server, d->name);
    return NULL;
}

/* What others include is now what is on disk. */
json_t *do_close(struct request *r)
{
    struct lsp *s = r->server;
    struct document *d = request_document(r);
    if (!d)
        return NULL;
    notify(s, "textDocument/publishDiagnostics",
           json_pack("{s:s, s:[]}", "uri", d->uri, "diagnostics"));
    size_t n = 0;
    for (size_t i = 0; i < s->documents.count; i++)
        if (s->documents.item[i] != d)
            s->documents.item[n++] = s->documents.item[i];
    s->documents.count = n;
    touch_includers(s, d->name);
    document_close(d);
    return NULL;
}

/* Files that it includes may have been written too. */
json_t *do_save(struct request *r)
{
    struct document *d = request_document(r);
    if (d) {
        d->due |= d->includes.count != 0;
        touch_includers(r->server, d->name);
    }
    return NULL;
}
