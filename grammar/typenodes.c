/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types and attributes of PTO-AS. The inside of < > is a list of fields,
 * whatever stands before it; here the fields become what the name in front
 * says. Tile types have four spellings: all keys in any order, location and
 * shape first with keys behind, by position, and with the prefix left out.
 */
#include <stddef.h>
#include <string.h>

#include "grammar/context.h"

/* ---- attributes ---- */

struct ast_attr *ast_attr(struct grammar *g, struct span at, int kind, const char *text)
{
    struct ast_attr *a = arena_alloc(g->arena, sizeof *a);
    a->kind = (uint8_t)kind;
    a->loc = span_loc(g, at);
    a->text = text;
    return a;
}

struct ast_attr *ast_attr_key(struct ast_attr *attr, const char *key)
{
    attr->key = key;
    return attr;
}

struct ast_attr *ast_attr_named(struct ast_attr *attr, const char *name)
{
    attr->name = name;
    return attr;
}

struct ast_attr *ast_attr_of_type(struct grammar *g, struct span at, struct ast_type *type)
{
    struct ast_attr *a = ast_attr(g, at, AST_ATTR_TYPE, type->text);
    a->type = type;
    return a;
}

struct ast_attr *ast_attr_list(struct grammar *g, struct span at, int kind, struct attr_list list)
{
    struct ast_attr *a = ast_attr(g, at, kind, NULL);
    a->list = list.first;
    return a;
}

struct ast_attr *ast_attr_typed(struct ast_attr *attr, struct ast_type *type)
{
    attr->suffix = type;
    if (attr->kind != AST_ATTR_TYPE)
        attr->type = type;
    return attr;
}

struct ast_attr *ast_unknown_extent(struct grammar *g, struct span at)
{
    struct ast_attr *a = ast_attr(g, at, AST_ATTR_INT, intern_z(g->names, "?"));
    a->number = AST_DYNAMIC;
    return a;
}

struct attr_list ast_attrs(struct ast_attr *first)
{
    return (struct attr_list){first, first};
}

struct attr_list ast_append_attr(struct attr_list list, struct ast_attr *a)
{
    list.last->next = a;
    return (struct attr_list){list.first, a};
}

static bool is_bare_word(const struct ast_attr *a)
{
    return a->kind == AST_ATTR_ENUM && a->key == NULL;
}

static struct ast_attr *spelled(struct grammar *g, struct span at, int kind, const char *text,
                                const char *name)
{
    struct ast_attr *a = ast_attr_named(ast_attr(g, at, kind, text), name);
    a->spelling = lex_squeezed(g, at);
    return a;
}

/* #pto<cmp eq> and #pto.cmp<eq> both are the member eq of cmp; #pto.name has no fields. */
struct ast_attr *ast_hash_attr(struct grammar *g, struct span at, const char *name,
                               struct attr_list fields)
{
    const struct ast_attr *f = fields.first;
    const char *dot = strrchr(name, '.');
    if (f == NULL)
        return spelled(g, at, AST_ATTR_ENUM, name, NULL);
    if (f->next != NULL || !is_bare_word(f))
        return spelled(g, at, AST_ATTR_RAW, lex_squeezed(g, at), name);
    if (f->name == NULL && dot != NULL)
        return spelled(g, at, AST_ATTR_ENUM, f->text, intern_z(g->names, dot + 1));
    return spelled(g, at, AST_ATTR_ENUM, f->text, f->name);
}

struct ast_attr *ast_attr_alias(struct grammar *g, struct span at, const char *name)
{
    struct ast_attr *a = arena_copy(g->arena, map_get(&g->aliases, name), sizeof *a);
    a->loc = span_loc(g, at);
    a->alias = name;
    return a;
}

static struct ast_stmt *alias_stmt(struct grammar *g, struct span at, int kind, const char *name,
                                   struct span name_at)
{
    struct ast_stmt *s = arena_alloc(g->arena, sizeof *s);
    s->kind = (uint8_t)kind;
    s->loc = span_loc(g, at);
    s->name = name;
    s->name_size = intern_length(name);
    s->name_loc = span_loc(g, name_at);
    g->stmt = s;
    return s;
}

static void define_alias(struct grammar *g, const char *name, struct span name_at, void *node)
{
    if (map_get(&g->aliases, name) != NULL)
        grammar_error(g, DIAG_SYNTAX, span_loc(g, name_at), "the alias %s is defined twice", name);
    else
        *map_put(&g->aliases, name) = node;
}

void ast_name_attr(struct grammar *g, struct span at, const char *name, struct span name_at,
                   struct ast_attr *attr)
{
    define_alias(g, name, name_at, ast_copy_attrs(g->file_arena, attr));
    alias_stmt(g, at, AST_ATTR_ALIAS, name, name_at)->attr = attr;
}

void ast_type_alias(struct grammar *g, struct span at, const char *name, struct span name_at,
                    struct ast_type *type)
{
    define_alias(g, name, name_at, ast_copy_type(g->file_arena, type));
    alias_stmt(g, at, AST_TYPE_ALIAS, name, name_at)->type = type;
}

/* ---- plain types ---- */

static struct ast_type *type_node(struct grammar *g, struct loc loc, int kind, const char *text)
{
    struct ast_type *t = arena_alloc(g->arena, sizeof *t);
    t->kind = (uint8_t)kind;
    t->loc = loc;
    t->text = text;
    return t;
}

struct ast_type *ast_type_word(struct grammar *g, struct loc loc, const char *word)
{
    const struct ast_type *alias = word[0] == '!' ? map_get(&g->aliases, word) : NULL;
    if (alias == NULL)
        return type_node(g, loc, AST_TYPE_OPAQUE, word);
    struct ast_type *t = arena_copy(g->arena, alias, sizeof *t);
    t->loc = loc;
    t->alias = word;
    return t;
}

struct type_list ast_types(struct ast_type *first)
{
    return (struct type_list){.first = first, .last = first};
}

struct ast_type *ast_type_with_attrs(struct ast_type *t, struct ast_attr *attrs)
{
    t->with_attrs = true;
    t->attrs = attrs;
    return t;
}

struct type_list ast_append_type(struct type_list list, struct ast_type *t)
{
    list.last->next = t;
    list.last = t;
    return list;
}

struct ast_attr *ast_dim(struct grammar *g, struct span at, int64_t extent)
{
    struct ast_attr *a = ast_attr(g, at, AST_ATTR_INT, NULL);
    a->number = extent;
    return a;
}

/* 4x?xf32: the extents, and what stands behind the last x. */
struct ast_attr *ast_shaped(struct grammar *g, struct span at, struct attr_list dims,
                            struct ast_attr *last)
{
    struct ast_type *t = type_node(g, span_loc(g, at), AST_TYPE_OPAQUE, lex_squeezed(g, at));
    bool extent = last->kind == AST_ATTR_INT;
    unsigned rank = extent;
    for (const struct ast_attr *d = dims.first; d != NULL; d = d->next)
        rank++;
    int64_t *shape = arena_array(g->arena, rank, sizeof *shape), *out = shape;
    for (const struct ast_attr *d = dims.first; d != NULL; d = d->next)
        *out++ = d->number;
    if (extent)
        *out = last->number;
    else
        t->element =
            last->kind == AST_ATTR_TYPE ? last->type : ast_type_word(g, last->loc, last->text);
    t->rank = rank;
    t->shape = shape;
    return ast_attr_of_type(g, at, t);
}

/* ---- tile types ---- */

struct word_value {
    const char *word; /* without case */
    int64_t number;
    const char *canonical;
};

static const struct word_value location_words[] = {{"vec", 0, "vec"},
                                                   {"mat", 0, "mat"},
                                                   {"left", 0, "left"},
                                                   {"right", 0, "right"},
                                                   {"acc", 0, "acc"},
                                                   {"bias", 0, "bias"},
                                                   {"scaling", 0, "scaling"},
                                                   {"scale", 0, "scaling"},
                                                   {"scale_left", 0, "scale_left"},
                                                   {"scaleleft", 0, "scale_left"},
                                                   {"scale_right", 0, "scale_right"},
                                                   {"scaleright", 0, "scale_right"},
                                                   {NULL, 0, NULL}};
static const struct word_value blayout_words[] = {{"row_major", 0, "row_major"},
                                                  {"RowMajor", 0, "row_major"},
                                                  {"col_major", 0, "col_major"},
                                                  {"ColMajor", 0, "col_major"},
                                                  {NULL, 0, NULL}};
static const struct word_value slayout_words[] = {{"none_box", 0, "none_box"},
                                                  {"NoneBox", 0, "none_box"},
                                                  {"row_major", 0, "row_major"},
                                                  {"RowMajor", 0, "row_major"},
                                                  {"col_major", 0, "col_major"},
                                                  {"ColMajor", 0, "col_major"},
                                                  {NULL, 0, NULL}};
static const struct word_value fractal_words[] = {{"16", 16, NULL},    {"32", 32, NULL},
                                                  {"512", 512, NULL},  {"1024", 1024, NULL},
                                                  {"None", 512, NULL}, {NULL, 0, NULL}};
static const struct word_value pad_words[] = {
    {"0", 0, NULL},    {"1", 1, NULL},    {"2", 2, NULL},   {"3", 3, NULL},   {"Null", 0, NULL},
    {"None", 0, NULL}, {"Zero", 1, NULL}, {"Max", 2, NULL}, {"Min", 3, NULL}, {NULL, 0, NULL}};
static const struct word_value compact_words[] = {
    {"0", 0, NULL},          {"1", 1, NULL},      {"2", 2, NULL},
    {"Null", 0, NULL},       {"Normal", 1, NULL}, {"row_plus_one", 2, NULL},
    {"RowPlusOne", 2, NULL}, {NULL, 0, NULL}};

enum part_kind { PART_WORD, PART_NUMBER, PART_EXTENT, PART_DTYPE, PART_VALID };

/* In the order of the spelling by position. */
static const struct tile_part {
    const char *key;
    unsigned bit;
    enum part_kind kind;
    bool positional;
    size_t offset; /* in struct ast_type */
    const struct word_value *words;
} tile_parts[] = {
    {"loc", AST_TILE_LOC, PART_WORD, true, offsetof(struct ast_type, location), location_words},
    {"dtype", AST_TILE_DTYPE, PART_DTYPE, true, offsetof(struct ast_type, dtype), NULL},
    {"rows", AST_TILE_ROWS, PART_EXTENT, true, offsetof(struct ast_type, rows), NULL},
    {"cols", AST_TILE_COLS, PART_EXTENT, true, offsetof(struct ast_type, cols), NULL},
    {"blayout", AST_TILE_BLAYOUT, PART_WORD, true, offsetof(struct ast_type, blayout),
     blayout_words},
    {"slayout", AST_TILE_SLAYOUT, PART_WORD, true, offsetof(struct ast_type, slayout),
     slayout_words},
    {"fractal", AST_TILE_FRACTAL, PART_NUMBER, true, offsetof(struct ast_type, fractal),
     fractal_words},
    {"pad", AST_TILE_PAD, PART_NUMBER, true, offsetof(struct ast_type, pad), pad_words},
    {"compact", AST_TILE_COMPACT, PART_NUMBER, true, offsetof(struct ast_type, compact),
     compact_words},
    {"v_row", AST_TILE_VROW, PART_EXTENT, false, offsetof(struct ast_type, v_row), NULL},
    {"v_col", AST_TILE_VCOL, PART_EXTENT, false, offsetof(struct ast_type, v_col), NULL},
    {"valid", AST_TILE_VROW | AST_TILE_VCOL, PART_VALID, false, 0, NULL},
};
enum { TILE_PARTS = sizeof tile_parts / sizeof *tile_parts };

static const struct tile_part *find_part(const char *key)
{
    for (size_t i = 0; i < TILE_PARTS; i++)
        if (strcmp(tile_parts[i].key, key) == 0)
            return &tile_parts[i];
    return NULL;
}

static const struct word_value *find_word(const struct word_value *words, const char *text)
{
    for (; text != NULL && words->word != NULL; words++)
        if (equal_folded(words->word, strlen(words->word), text, strlen(text)))
            return words;
    return NULL;
}

/* "vec, mat, left": the canonical words of a list, once each. */
static const char *legal_words(struct grammar *g, const struct word_value *words)
{
    const char *list = "", *last = "";
    for (; words->word != NULL; words++) {
        const char *word = words->canonical != NULL ? words->canonical : words->word;
        if (strcmp(word, last) != 0)
            list = arena_printf(g->arena, "%s%s%s", list, *list != '\0' ? ", " : "", word);
        last = word;
    }
    return list;
}

static void set_text(struct ast_type *t, const struct tile_part *part, const char *text)
{
    memcpy((char *)t + part->offset, &text, sizeof text);
}

static void set_number(struct ast_type *t, const struct tile_part *part, int64_t number)
{
    memcpy((char *)t + part->offset, &number, sizeof number);
}

static void bad_part(struct grammar *g, const struct ast_attr *f, const struct tile_part *part,
                     const char *legal)
{
    grammar_error(g, DIAG_BAD_TYPE, f->loc, "unknown %s%s%s in a tile type (legal: %s)", part->key,
                  f->text != NULL ? " " : "", f->text != NULL ? f->text : "", legal);
}

static void set_word(struct grammar *g, struct ast_type *t, const struct tile_part *part,
                     const struct ast_attr *f)
{
    const struct word_value *w = find_word(part->words, f->text);
    if (w == NULL)
        bad_part(g, f, part, legal_words(g, part->words));
    else if (part->kind == PART_NUMBER)
        set_number(t, part, w->number);
    else
        set_text(t, part, intern_z(g->names, w->canonical));
}

static bool is_dynamic_word(const struct ast_attr *f)
{
    return f->kind == AST_ATTR_ENUM && strcmp(f->text, "dyn") == 0;
}

static void set_extent(struct grammar *g, struct ast_type *t, const struct tile_part *part,
                       const struct ast_attr *f)
{
    bool valid = (part->bit & (AST_TILE_VROW | AST_TILE_VCOL)) != 0;
    bool number = f->kind == AST_ATTR_INT && f->number >= 0;
    bool dynamic = (f->kind == AST_ATTR_INT && f->number == AST_DYNAMIC) || is_dynamic_word(f);
    if (number || (valid && dynamic))
        set_number(t, part, number ? f->number : AST_DYNAMIC);
    else
        bad_part(g, f, part, valid ? "?, -1 and numbers from 0 on" : "numbers from 0 on");
}

static void set_dtype(struct grammar *g, struct ast_type *t, const struct ast_attr *f)
{
    if (f->kind == AST_ATTR_ENUM || (f->kind == AST_ATTR_TYPE && f->type->rank == 0))
        t->dtype = f->text;
    else
        bad_part(g, f, find_part("dtype"), "f32, f16, bf16, i8, ui8, …");
}

static void set_valid(struct grammar *g, struct ast_type *t, const struct ast_attr *f)
{
    if (f->kind != AST_ATTR_TYPE || f->type->rank != 2 || f->type->element != NULL) {
        bad_part(g, f, find_part("valid"), "ROWSxCOLS");
        return;
    }
    t->v_row = f->type->shape[0];
    t->v_col = f->type->shape[1];
}

static void set_part(struct grammar *g, struct ast_type *t, const struct tile_part *part,
                     const struct ast_attr *f)
{
    if ((t->written & part->bit) != 0)
        grammar_error(g, DIAG_BAD_TYPE, f->loc, "%s is given twice in one tile type", part->key);
    t->written |= part->bit;
    switch (part->kind) {
    case PART_WORD:
    case PART_NUMBER:
        set_word(g, t, part, f);
        break;
    case PART_EXTENT:
        set_extent(g, t, part, f);
        break;
    case PART_DTYPE:
        set_dtype(g, t, f);
        break;
    case PART_VALID:
        set_valid(g, t, f);
        break;
    }
}

/* 32x48xf16 */
static void set_shape(struct grammar *g, struct ast_type *t, const struct ast_attr *f)
{
    const struct ast_type *shape = f->type;
    if (shape->rank != 2 || shape->element == NULL) {
        grammar_error(g, DIAG_BAD_TYPE, f->loc,
                      "the shape of a tile is ROWSxCOLSxTYPE, with two extents");
        return;
    }
    struct ast_attr rows = {.kind = AST_ATTR_INT, .loc = f->loc, .number = shape->shape[0]};
    struct ast_attr cols = {.kind = AST_ATTR_INT, .loc = f->loc, .number = shape->shape[1]};
    struct ast_attr type = {.kind = AST_ATTR_ENUM, .loc = f->loc, .text = shape->element->text};
    set_part(g, t, find_part("rows"), &rows);
    set_part(g, t, find_part("cols"), &cols);
    set_part(g, t, find_part("dtype"), &type);
}

/* The next part by position: the first that is not written; a location is recognised by name. */
static void set_positional(struct grammar *g, struct ast_type *t, const struct ast_attr *f)
{
    for (size_t i = 0; i < TILE_PARTS; i++) {
        const struct tile_part *part = &tile_parts[i];
        bool skipped = part->bit == AST_TILE_LOC && find_word(location_words, f->text) == NULL;
        if (part->positional && (t->written & part->bit) == 0 && !skipped) {
            set_part(g, t, part, f);
            return;
        }
    }
    grammar_error(g, DIAG_BAD_TYPE, f->loc, "a tile type has no further part");
}

static void set_keyed(struct grammar *g, struct ast_type *t, const struct ast_attr *f)
{
    const struct tile_part *part = find_part(f->key);
    if (part == NULL)
        grammar_error(g, DIAG_BAD_TYPE, f->loc,
                      "unknown key %s in a tile type (legal: loc, dtype, rows, cols, v_row, v_col, "
                      "valid, blayout, slayout, fractal, pad, compact)",
                      f->key);
    else
        set_part(g, t, part, f);
}

static struct ast_type *tile_type(struct grammar *g, struct ast_type *t, struct attr_list fields)
{
    t->blayout = intern_z(g->names, "row_major");
    t->slayout = intern_z(g->names, "none_box");
    t->fractal = 512;
    for (const struct ast_attr *f = fields.first; f != NULL; f = f->next) {
        if (f->key != NULL)
            set_keyed(g, t, f);
        else if (f->kind == AST_ATTR_TYPE && f->type->rank > 0)
            set_shape(g, t, f);
        else
            set_positional(g, t, f);
    }
    if ((t->written & AST_TILE_VROW) == 0)
        t->v_row = t->rows;
    if ((t->written & AST_TILE_VCOL) == 0)
        t->v_col = t->cols;
    return t;
}

/* ---- types with fields ---- */

static int kind_of_name(const char *name)
{
    static const struct {
        const char *name;
        int kind;
    } names[] = {{"!pto.tile", AST_TYPE_TILE},
                 {"!pto.tile_buf", AST_TYPE_TILE_BUF},
                 {"!pto.tensor_view", AST_TYPE_TENSOR_VIEW},
                 {"!pto.partition_tensor_view", AST_TYPE_PARTITION_VIEW},
                 {"!pto.ptr", AST_TYPE_PTR},
                 {"memref", AST_TYPE_MEMREF},
                 {"vector", AST_TYPE_VECTOR}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].kind;
    return AST_TYPE_OPAQUE;
}

/* <loc=vec, …> is a tile whose prefix was left out. */
static bool is_bare_tile(const struct ast_attr *first)
{
    return first->key != NULL ? find_part(first->key) != NULL
                              : is_bare_word(first) && find_word(location_words, first->text);
}

static struct ast_type *element_type(struct grammar *g, const struct ast_attr *f)
{
    if (f->kind == AST_ATTR_TYPE)
        return f->type;
    return ast_type_word(g, f->loc, f->text);
}

static void set_shaped_parts(struct grammar *g, struct ast_type *t, const struct ast_attr *first)
{
    if (first->kind == AST_ATTR_TYPE && first->type->rank > 0) {
        t->rank = first->type->rank;
        t->shape = first->type->shape;
        t->element = first->type->element;
    } else {
        t->element = element_type(g, first);
    }
}

struct ast_type *ast_type_of(struct grammar *g, struct span at, const char *name,
                             struct attr_list fields)
{
    const struct ast_attr *first = fields.first;
    struct ast_type *t = type_node(g, span_loc(g, at), AST_TYPE_OPAQUE, lex_squeezed(g, at));
    t->bare = name == NULL;
    if (name != NULL)
        t->kind = (uint8_t)kind_of_name(name);
    else if (is_bare_tile(first))
        t->kind = AST_TYPE_TILE_BUF;
    if (first->kind == AST_ATTR_RAW && first->next == NULL && strcmp(first->text, "...") == 0)
        t->kind = AST_TYPE_PLACEHOLDER;
    switch (t->kind) {
    case AST_TYPE_TILE:
    case AST_TYPE_TILE_BUF:
        return tile_type(g, t, fields);
    case AST_TYPE_TENSOR_VIEW:
    case AST_TYPE_PARTITION_VIEW:
    case AST_TYPE_PTR:
    case AST_TYPE_MEMREF:
    case AST_TYPE_VECTOR:
        set_shaped_parts(g, t, first);
        return t;
    default:
        return t;
    }
}

/* < … > where a value stands: properties, an enumeration member, or a type. */
struct ast_attr *ast_angle_attr(struct grammar *g, struct span at, struct attr_list fields)
{
    struct ast_attr *first = fields.first;
    if (first->next == NULL && first->kind == AST_ATTR_DICT)
        return first;
    if (first->next == NULL && is_bare_word(first))
        return spelled(g, at, AST_ATTR_ENUM, first->text, first->name);
    return ast_attr_of_type(g, at, ast_type_of(g, at, NULL, fields));
}
