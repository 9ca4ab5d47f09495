/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to handlers, and their results to the client. */
#include "lsp/server.h"

#include <string.h>

#include "config.h"

json_t *refuse(struct request *r, enum error_code code, const char *reason)
{
    r->error = code;
    r->reason = reason;
    return NULL;
}

/* ---- parameters and results ---- */

struct document *find_document(const struct lsp *s, const char *uri)
{
    for (size_t i = 0; uri && i < s->documents.count; i++)
        if (strcmp(s->documents.item[i]->uri, uri) == 0)
            return s->documents.item[i];
    return NULL;
}

struct document *find_document_by_path(const struct lsp *s, const char *path)
{
    for (size_t i = 0; i < s->documents.count; i++)
        if (strcmp(s->documents.item[i]->name, path) == 0)
            return s->documents.item[i];
    return NULL;
}

struct document *request_document(struct request *r)
{
    const char *uri =
        json_string_value(json_object_get(json_object_get(r->params, "textDocument"), "uri"));
    struct document *d = find_document(r->server, uri);
    if (!uri)
        refuse(r, ERROR_INVALID_PARAMS, "textDocument.uri is missing");
    else if (!d)
        refuse(r, ERROR_INVALID_PARAMS, "the document is not open");
    return d;
}

bool read_place(json_t *position, struct place *place)
{
    const json_t *line = json_object_get(position, "line");
    const json_t *character = json_object_get(position, "character");
    if (!json_is_integer(line) || !json_is_integer(character) || json_integer_value(line) < 0 ||
        json_integer_value(character) < 0)
        return false;
    *place =
        (struct place){(size_t)json_integer_value(line), (size_t)json_integer_value(character)};
    return true;
}

bool read_range(json_t *range, struct place *begin, struct place *end)
{
    return read_place(json_object_get(range, "start"), begin) &&
           read_place(json_object_get(range, "end"), end);
}

bool request_place(struct request *r, struct document **d, size_t *offset)
{
    struct place place;
    *d = request_document(r);
    if (!*d)
        return false;
    if (!read_place(json_object_get(r->params, "position"), &place)) {
        refuse(r, ERROR_INVALID_PARAMS, "position is no position");
        return false;
    }
    *offset = document_offset(*d, r->server->encoding, place);
    return true;
}

static json_t *make_position(const struct lsp *s, const struct document *d, size_t offset)
{
    struct place p = document_place(d, s->encoding, offset);
    return json_pack("{s:I, s:I}", "line", (json_int_t)p.line, "character",
                     (json_int_t)p.character);
}

json_t *make_range(const struct lsp *s, const struct document *d, size_t begin, size_t end)
{
    return json_pack("{s:o, s:o}", "start", make_position(s, d, begin), "end",
                     make_position(s, d, end));
}

void notify(struct lsp *s, const char *method, json_t *params)
{
    stream_write(
        s, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* ---- life cycle ---- */

static bool offers_utf8(const json_t *params)
{
    json_t *list = json_object_get(
        json_object_get(json_object_get(params, "capabilities"), "general"), "positionEncodings");
    size_t i;
    json_t *name;
    json_array_foreach(list, i, name)
    {
        if (json_is_string(name) && strcmp(json_string_value(name), "utf-8") == 0)
            return true;
    }
    return false;
}

static json_t *do_initialize(struct request *r)
{
    struct lsp *s = r->server;
    if (!json_is_object(r->params))
        return refuse(r, ERROR_INVALID_PARAMS, "initialize needs an object");
    s->phase = PHASE_RUNNING;
    s->encoding = offers_utf8(r->params) ? ENCODING_UTF8 : ENCODING_UTF16;
    return json_pack(
        "{s:{s:s, s:{s:b, s:i, s:b}, s:b, s:{s:[s,s,s,s]}, s:b, s:b, s:b, s:b, s:b, s:b}, "
        "s:{s:s, s:s}}",
        "capabilities", "positionEncoding", s->encoding == ENCODING_UTF8 ? "utf-8" : "utf-16",
        "textDocumentSync", "openClose", 1, "change", 2, "save", 1, "hoverProvider", 1,
        "completionProvider", "triggerCharacters", ".", "%", "=", ">", "definitionProvider", 1,
        "referencesProvider", 1, "documentHighlightProvider", 1, "documentSymbolProvider", 1,
        "documentFormattingProvider", 1, "documentRangeFormattingProvider", 1, "serverInfo", "name",
        "pto-lsp", "version", PACKAGE_VERSION);
}

static json_t *do_shutdown(struct request *r)
{
    r->server->phase = PHASE_SHUT_DOWN;
    return json_null();
}

static json_t *do_exit(struct request *r)
{
    r->server->ended = true;
    r->server->status = r->server->phase == PHASE_SHUT_DOWN ? 0 : 1;
    return NULL;
}

static json_t *do_nothing(struct request *r)
{
    (void)r;
    return NULL;
}

/* ---- dispatch ---- */

static const struct method {
    const char *name;
    json_t *(*run)(struct request *r); /* of a notification: the result is NULL */
    bool request;
} methods[] = {
    {"$/cancelRequest", do_nothing, false},
    {"$/setTrace", do_nothing, false},
    {"exit", do_exit, false},
    {"initialize", do_initialize, true},
    {"initialized", do_nothing, false},
    {"shutdown", do_shutdown, true},
    {"textDocument/completion", do_complete, true},
    {"textDocument/definition", do_definition, true},
    {"textDocument/didChange", do_change, false},
    {"textDocument/didClose", do_close, false},
    {"textDocument/didOpen", do_open, false},
    {"textDocument/didSave", do_save, false},
    {"textDocument/documentHighlight", do_highlight, true},
    {"textDocument/documentSymbol", do_symbols, true},
    {"textDocument/formatting", do_format, true},
    {"textDocument/hover", do_hover, true},
    {"textDocument/rangeFormatting", do_format_range, true},
    {"textDocument/references", do_references, true},
};

static const struct method *find_method(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

static void answer(struct lsp *s, json_t *id, const char *key, json_t *value)
{
    stream_write(s, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, key, value));
}

static void answer_error(struct lsp *s, json_t *id, enum error_code code, const char *reason)
{
    json_t *none = json_null();
    answer(s, id ? id : none, "error",
           json_pack("{s:i, s:s}", "code", (int)code, "message", reason));
}

/* May the method be called now? */
static bool in_phase(const struct lsp *s, const char *name, struct request *r)
{
    bool initialize = strcmp(name, "initialize") == 0;
    if (strcmp(name, "exit") == 0)
        return true;
    if (s->phase == PHASE_NEW && !initialize)
        refuse(r, ERROR_NOT_INITIALIZED, "initialize comes first");
    else if (s->phase == PHASE_RUNNING && initialize)
        refuse(r, ERROR_INVALID_REQUEST, "initialize was called before");
    else if (s->phase == PHASE_SHUT_DOWN)
        refuse(r, ERROR_INVALID_REQUEST, "the server is shut down");
    return !r->error;
}

static json_t *call(struct request *r, const char *name, bool request)
{
    const struct method *m = find_method(name);
    if (!in_phase(r->server, name, r))
        return NULL;
    if (m && m->request != request)
        return refuse(r, ERROR_INVALID_REQUEST,
                      request ? "this is a notification, without an id"
                              : "this is a request, and needs an id");
    if (!m)
        return refuse(r, ERROR_METHOD_NOT_FOUND, "there is no such method");
    return m->run(r);
}

static void log_failure(struct lsp *s, const char *name, const struct request *r)
{
    enum { TYPE_WARNING = 2 };
    if (strncmp(name, "$/", 2) == 0 || r->error == ERROR_METHOD_NOT_FOUND ||
        s->phase != PHASE_RUNNING)
        return;
    char text[160];
    snprintf(text, sizeof text, "%.60s: %s", name, r->reason);
    notify(s, "window/logMessage",
           json_pack("{s:i, s:s}", "type", (int)TYPE_WARNING, "message", text));
}

static bool is_id(const json_t *id)
{
    return json_is_string(id) || json_is_integer(id);
}

static void handle(struct lsp *s, struct waiting *w)
{
    json_t *id = json_object_get(w->message, "id");
    const json_t *version = json_object_get(w->message, "jsonrpc");
    json_t *params = json_object_get(w->message, "params");
    const char *name = json_string_value(json_object_get(w->message, "method"));
    struct request r = {.server = s, .params = params};
    if (!w->message) {
        answer_error(s, NULL, ERROR_PARSE, "the message is no JSON");
        return;
    }
    bool response = !name && id &&
                    (json_object_get(w->message, "result") || json_object_get(w->message, "error"));
    if (response)
        return; /* nothing was asked */
    bool good = json_is_string(version) && strcmp(json_string_value(version), "2.0") == 0 && name &&
                (!id || is_id(id)) && (!params || json_is_object(params) || json_is_array(params));
    if (!good) {
        answer_error(s, is_id(id) ? id : NULL, ERROR_INVALID_REQUEST, "the message is no request");
        return;
    }
    if (w->cancelled) {
        answer_error(s, id, ERROR_CANCELLED, "the request was cancelled");
        return;
    }
    if (id)
        publish_due(s);
    json_t *result = call(&r, name, id != NULL);
    if (id && r.error)
        answer_error(s, id, r.error, r.reason);
    else if (id)
        answer(s, id, "result", result ? result : json_null());
    else if (r.error)
        log_failure(s, name, &r);
}

/* ---- the door ---- */

struct lsp *lsp_create(const struct lsp_options *options)
{
    struct mem heap = mem_default();
    struct lsp *s = heap.resize(heap.ctx, NULL, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct lsp){.mem = heap, .options = *options};
    buffer_init(&s->input, &s->mem);
    return s;
}

void lsp_destroy(struct lsp *s)
{
    if (!s)
        return;
    for (; s->next < s->queue.count; s->next++)
        json_decref(s->queue.item[s->next].message);
    for (size_t i = 0; i < s->documents.count; i++)
        document_close(s->documents.item[i]);
    vec_free(&s->mem, &s->documents);
    vec_free(&s->mem, &s->queue);
    buffer_free(&s->input);
    s->mem.resize(s->mem.ctx, s, 0);
}

struct feeding {
    struct lsp *server;
    const void *bytes;
    size_t size;
};

static void feed(void *ctx)
{
    const struct feeding *f = ctx;
    buffer_append(&f->server->input, f->bytes, f->size);
    stream_read(f->server);
}

bool lsp_feed(struct lsp *s, const void *bytes, size_t size)
{
    return mem_attempt(&s->mem, feed, &(struct feeding){s, bytes, size});
}

static void step(void *ctx)
{
    struct lsp *s = ctx;
    handle(s, &s->queue.item[s->next]);
}

bool lsp_step(struct lsp *s, struct buffer *out)
{
    s->out = out;
    if (s->ended)
        return false;
    if (s->next == s->queue.count) {
        if (s->broken)
            stream_give_up(s);
        return false;
    }
    if (!mem_attempt(&s->mem, step, s)) {
        s->ended = true;
        s->status = 1;
    }
    json_decref(s->queue.item[s->next].message);
    s->next++;
    if (s->next == s->queue.count)
        s->next = s->queue.count = 0;
    return true;
}

static void publish(void *ctx)
{
    publish_due(ctx);
}

void lsp_idle(struct lsp *s, struct buffer *out)
{
    s->out = out;
    if (!mem_attempt(&s->mem, publish, s)) {
        s->ended = true;
        s->status = 1;
    }
}

bool lsp_ended(const struct lsp *s, int *status)
{
    *status = s->status;
    return s->ended;
}

int lsp_end_of_input(const struct lsp *s)
{
    return s->phase == PHASE_SHUT_DOWN ? 0 : 1;
}
