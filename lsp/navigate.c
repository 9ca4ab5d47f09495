/* SPDX-License-Identifier: BSD-3-Clause */
/* Where names are defined and used, by the words of the text. */
#include <string.h>

#include "grammar/format.h"
#include "lsp/server.h"

/* ---- walking over the words ---- */

struct walk {
    struct text_reader reader;
    struct text_token token, before, command;
    unsigned index; /* of the token in its statement, from 0 */
    bool assigned;  /* `=` stood in the statement */
    unsigned function;
};

static bool is(const struct text_token *t, const char *text)
{
    return equal_folded(t->at, t->size, text, strlen(text));
}

static bool walk_next(struct walk *w)
{
    bool ended = w->token.kind == TEXT_SEPARATOR || w->token.kind == TEXT_REGION_OPEN ||
                 w->token.kind == TEXT_REGION_END;
    w->before = w->token;
    w->assigned |= w->token.kind == TEXT_PUNCTUATION && w->token.size == 1 && *w->token.at == '=';
    do
        w->token = text_next(&w->reader);
    while (w->token.kind == TEXT_LINE_END || w->token.kind == TEXT_COMMENT);
    w->index++;
    if (w->token.first || w->token.kind == TEXT_LABEL || ended) {
        w->command = w->token.first ? w->token : (struct text_token){0};
        w->index = 0;
        w->assigned = false;
        w->before = (struct text_token){0};
        w->function += w->token.first && is(&w->token, "func.func");
    }
    return w->token.kind != TEXT_END;
}

static struct walk walk_document(const struct document *d)
{
    return (struct walk){.reader = text_read(document_text(d), d->text.size)};
}

/* ---- names ---- */

struct name {
    uint8_t kind; /* TEXT_SSA, TEXT_NUMBER (of a numeric label) or TEXT_WORD */
    const char *at;
    size_t size;
    unsigned function; /* of an SSA value */
    char direction;    /* of a numeric label: b, f, or : */
};

static bool is_number(const char *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (p[i] < '0' || p[i] > '9')
            return false;
    return size != 0;
}

/* False: the token names nothing. */
static bool name_of(const struct text_token *t, unsigned function, struct name *name)
{
    *name = (struct name){.kind = TEXT_WORD, .at = t->at, .size = t->size};
    switch (t->kind) {
    case TEXT_LABEL:
        name->size--;
        if (is_number(name->at, name->size)) {
            name->kind = TEXT_NUMBER;
            name->direction = ':';
        }
        break;
    case TEXT_NUMBER:
        name->kind = TEXT_NUMBER;
        name->direction = t->at[t->size - 1];
        name->size--;
        return strchr("bf", name->direction) && is_number(name->at, name->size);
    case TEXT_SSA: {
        const char *part = memchr(t->at, '#', t->size);
        name->kind = TEXT_SSA;
        name->function = function;
        name->size = part ? (size_t)(part - t->at) : t->size;
        return true;
    }
    case TEXT_SYMBOL:
        name->at++;
        name->size--;
        return name->size != 0;
    case TEXT_WORD:
        return true;
    default:
        return false;
    }
    if (name->size >= 2 && *name->at == '"') {
        name->at++;
        name->size -= 2;
    }
    return name->size != 0;
}

static bool same_name(const struct name *a, const struct name *b)
{
    return a->kind == b->kind && a->size == b->size && memcmp(a->at, b->at, a->size) == 0 &&
           a->function == b->function;
}

static bool next_is(const struct walk *w, const char *marks)
{
    struct text_reader ahead = w->reader;
    struct text_token t = text_next(&ahead);
    return t.size == 1 && t.kind == TEXT_PUNCTUATION && strchr(marks, *t.at);
}

/* Does the token define its name? */
static bool is_definition(const struct walk *w)
{
    static const char *const definers[] = {".set", ".equ", ".equiv", ".macro", ".comm", ".lcomm"};
    const struct text_token *t = &w->token;
    if (t->kind == TEXT_LABEL)
        return true;
    if (t->kind == TEXT_SSA) {
        bool result = w->command.kind == TEXT_SSA && !w->assigned;
        bool argument = is(&w->command, "func.func") || w->command.kind == TEXT_BLOCK;
        return result || next_is(w, argument ? ":=" : "=");
    }
    if (t->kind == TEXT_SYMBOL)
        return w->index == 1 && (is(&w->command, "func.func") || is(&w->command, "module"));
    if (t->kind != TEXT_WORD)
        return false;
    if (w->index == 0)
        return w->command.statement == TEXT_SET;
    for (size_t i = 0; i < sizeof definers / sizeof *definers; i++)
        if (w->index == 1 && is(&w->command, definers[i]))
            return true;
    return false;
}

static size_t offset_of(const struct document *d, const char *at)
{
    return (size_t)(at - document_text(d));
}

static bool contains(const struct document *d, const struct text_token *t, size_t offset)
{
    size_t begin = offset_of(d, t->at);
    return begin <= offset && offset <= begin + t->size;
}

/* The name at a place: the one that begins there rather than one that ends there. */
static bool name_at(const struct document *d, size_t offset, struct name *name)
{
    bool found = false;
    for (struct walk w = walk_document(d); walk_next(&w);) {
        struct name here;
        if (offset_of(d, w.token.at) > offset)
            break;
        if (contains(d, &w.token, offset) && name_of(&w.token, w.function, &here)) {
            *name = here;
            found = true;
        }
    }
    return found;
}

/* ---- the place, for hover and completion ---- */

static void follow(struct spot *spot, const struct text_token *t, const struct text_token *before)
{
    bool comma = t->size == 1 && *t->at == ',';
    spot->commas += comma;
    if (comma) {
        spot->destination = false;
        spot->key = (struct text_token){0};
    }
    if (t->size == 2 && *t->at == '-')
        spot->destination = true;
    if (t->size == 1 && *t->at == '=')
        spot->key = *before;
}

struct spot find_spot(const struct document *d, size_t offset, bool before)
{
    struct spot spot = {0};
    struct text_token last = {0};
    for (struct text_reader r = text_read(document_text(d), d->text.size);;) {
        struct text_token t = text_next(&r);
        size_t begin = offset_of(d, t.at), end = begin + t.size;
        if (t.kind == TEXT_END || (before ? begin >= offset : begin > offset))
            return spot;
        if (t.kind == TEXT_LINE_END || t.kind == TEXT_SEPARATOR) {
            if (end <= offset && r.fresh)
                spot = (struct spot){0};
            continue;
        }
        spot.token = (struct text_token){0};
        if (t.kind == TEXT_COMMENT) {
            spot.comment = end > offset || (end == offset && *t.at == '#');
            continue;
        }
        if (t.first)
            spot = (struct spot){.command = t};
        if (end >= offset && t.kind != TEXT_PUNCTUATION)
            spot.token = t;
        if (end > offset || (before && end == offset && t.kind != TEXT_PUNCTUATION))
            return spot;
        if (!t.first)
            follow(&spot, &t, &last);
        last = t;
    }
}

/* ---- definition ---- */

static json_t *text_location(const struct lsp *s, const struct document *d, const struct name *n)
{
    size_t begin = offset_of(d, n->at);
    return json_pack("{s:s, s:o}", "uri", d->uri, "range",
                     make_range(s, d, begin, begin + n->size));
}

/* The place in the text. Of values the nearest before, of 1f the nearest behind. */
static bool defined_in_text(const struct document *d, const struct name *name, size_t offset,
                            struct name *definition)
{
    bool found = false;
    for (struct walk w = walk_document(d); walk_next(&w);) {
        struct name here;
        bool behind = offset_of(d, w.token.at) > offset;
        bool nearest = name->kind == TEXT_SSA || name->direction == 'b' || name->direction == ':';
        if (!name_of(&w.token, w.function, &here) || !same_name(&here, name) || !is_definition(&w))
            continue;
        if (found && (!nearest || behind))
            break;
        if ((name->direction == 'f' && !behind) || (name->direction == 'b' && behind))
            continue;
        *definition = here;
        found = true;
    }
    return found;
}

/* Where .include and .incbin look; NULL: nowhere. */
static json_t *included_file(struct lsp *s, const struct document *d, const struct text_token *t)
{
    struct arena *a = arena_create(&s->mem);
    struct asm_options options = {.include_dirs = s->options.include_dirs,
                                  .directory = d->directory};
    const char *name = arena_string(a, t->at + 1, t->size - 2);
    const char *found = asm_find_include(a, &options, name);
    json_t *location = found ? make_location(s, found, (struct loc){.line = 1, .col = 1}) : NULL;
    arena_destroy(a);
    return location;
}

json_t *do_definition(struct request *r)
{
    struct document *d;
    size_t offset;
    struct name name, definition;
    if (!request_place(r, &d, &offset))
        return NULL;
    struct spot spot = find_spot(d, offset, false);
    bool file = is(&spot.command, ".include") || is(&spot.command, ".incbin");
    if (file && spot.token.kind == TEXT_STRING && spot.token.size > 2)
        return included_file(r->server, d, &spot.token);
    if (!name_at(d, offset, &name))
        return NULL;
    if (defined_in_text(d, &name, offset, &definition))
        return text_location(r->server, d, &definition);
    const struct definition *known =
        name.kind == TEXT_WORD ? find_definition(d, name.at, name.size) : NULL;
    return known ? make_location(r->server, known->file, known->loc) : NULL;
}

/* ---- references ---- */

/* What a request makes of each place that has the name it points to; NULL: the place is left out.
 */
typedef json_t *make_item(struct request *r, const struct document *d, const struct name *here,
                          bool is_definition);

static json_t *list_uses(struct request *r, make_item *make)
{
    struct document *d;
    size_t offset;
    struct name name, here;
    if (!request_place(r, &d, &offset))
        return NULL;
    json_t *list = json_array();
    if (!name_at(d, offset, &name))
        return list;
    for (struct walk w = walk_document(d); walk_next(&w);)
        if (name_of(&w.token, w.function, &here) && same_name(&here, &name)) {
            json_t *item = make(r, d, &here, is_definition(&w));
            if (item)
                json_array_append_new(list, item);
        }
    return list;
}

static json_t *reference(struct request *r, const struct document *d, const struct name *here,
                         bool is_definition)
{
    const json_t *context = json_object_get(r->params, "context");
    return !is_definition || json_is_true(json_object_get(context, "includeDeclaration"))
               ? text_location(r->server, d, here)
               : NULL;
}

json_t *do_references(struct request *r)
{
    return list_uses(r, reference);
}

static json_t *highlight(struct request *r, const struct document *d, const struct name *here,
                         bool is_definition)
{
    enum { KIND_READ = 2, KIND_WRITE = 3 };
    size_t begin = offset_of(d, here->at);
    return json_pack("{s:o, s:i}", "range", make_range(r->server, d, begin, begin + here->size),
                     "kind", is_definition ? (int)KIND_WRITE : (int)KIND_READ);
}

json_t *do_highlight(struct request *r)
{
    return list_uses(r, highlight);
}

/* ---- document symbols ---- */

enum symbol_kind_lsp { /* LSP 3.17, SymbolKind */
                       KIND_MODULE = 2,
                       KIND_METHOD = 6,
                       KIND_FUNCTION = 12,
                       KIND_VARIABLE = 13,
                       KIND_CONSTANT = 14,
};

static int kind_of(const struct walk *w)
{
    if (w->token.kind == TEXT_LABEL)
        return KIND_FUNCTION;
    if (is(&w->command, ".macro"))
        return KIND_METHOD;
    if (is(&w->command, ".comm") || is(&w->command, ".lcomm"))
        return KIND_VARIABLE;
    if (is(&w->command, "module"))
        return KIND_MODULE;
    return w->token.kind == TEXT_SYMBOL ? KIND_FUNCTION : KIND_CONSTANT;
}

json_t *do_symbols(struct request *r)
{
    struct document *d = request_document(r);
    if (!d)
        return NULL;
    json_t *list = json_array();
    for (struct walk w = walk_document(d); walk_next(&w);) {
        struct name n;
        if (!name_of(&w.token, w.function, &n) || n.kind != TEXT_WORD || !is_definition(&w))
            continue;
        const struct lsp *s = r->server;
        size_t begin = offset_of(d, n.at), line = document_place(d, ENCODING_UTF8, begin).line;
        json_array_append_new(
            list,
            json_pack("{s:s%, s:i, s:o, s:o}", "name", n.at, n.size, "kind", kind_of(&w), "range",
                      make_range(s, d, d->lines.item[line], document_line_end(d, line)),
                      "selectionRange", make_range(s, d, begin, begin + n.size)));
    }
    return list;
}

/* ---- layout ---- */

/* One edit: what differs between the ends that are the same. */
static json_t *make_edits(const struct lsp *s, const struct document *d, const struct buffer *made)
{
    const char *old = document_text(d), *new = (const char *)made->data;
    size_t head = 0, tail = 0, least = d->text.size < made->size ? d->text.size : made->size;
    if (made->size == d->text.size && (!made->size || memcmp(old, new, made->size) == 0))
        return json_array();
    while (head < least && old[head] == new[head])
        head++;
    while (head && old[head - 1] != '\n' && old[head - 1] != '\r')
        head--; /* whole lines */
    while (tail < least - head && old[d->text.size - 1 - tail] == new[made->size - 1 - tail])
        tail++;
    while (tail && old[d->text.size - tail - 1] != '\n')
        tail--;
    return json_pack("[{s:o, s:s%}]", "range", make_range(s, d, head, d->text.size - tail),
                     "newText", new + head, made->size - head - tail);
}

static json_t *format(struct request *r, struct document *d, struct format_range range)
{
    struct buffer made;
    buffer_init(&made, &r->server->mem);
    format_text(&made, document_text(d), d->text.size, range);
    json_t *edits = make_edits(r->server, d, &made);
    buffer_free(&made);
    return edits;
}

json_t *do_format(struct request *r)
{
    struct document *d = request_document(r);
    return d ? format(r, d, (struct format_range){0}) : NULL;
}

json_t *do_format_range(struct request *r)
{
    struct document *d = request_document(r);
    struct place begin, end;
    if (!d)
        return NULL;
    if (!read_range(json_object_get(r->params, "range"), &begin, &end))
        return refuse(r, ERROR_INVALID_PARAMS, "range is no range");
    bool whole = end.character == 0 && end.line > begin.line; /* up to the end of a line */
    size_t last = end.line + !whole;
    size_t most = d->lines.count;
    return format(r, d,
                  (struct format_range){(uint32_t)(begin.line < most ? begin.line + 1 : most + 1),
                                        (uint32_t)(last < most ? last : most)});
}
