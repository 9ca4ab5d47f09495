/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles of conformance vectors (docs/conformance.md), and the tiles of a state
 * as JSON. A vector's tile has one payload for all PEs of its mask.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/tile.h"

/* ---- reading a TILE of a vector ---- */

struct tile_spec {
    struct tile_info info;
    uint8_t mask, init_mask;
    const json_t *elements;
};

static uint64_t number_of(const json_t *v, uint64_t absent)
{
    if (json_is_integer(v))
        return (uint64_t)json_integer_value(v);
    return json_is_string(v) ? strtoull(json_string_value(v), NULL, 0) : absent;
}

static uint64_t member(const json_t *object, const char *key, uint64_t absent)
{
    return number_of(json_object_get(object, key), absent);
}

static const char *text_member(const json_t *object, const char *key, const char *absent)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : absent;
}

static uint8_t mask_of(const char *text)
{
    return (uint8_t)(strtoul(text, NULL, 2) & SIM_ALL_PES);
}

static bool layout_of_name(const char *name, uint8_t *layout)
{
    for (unsigned i = 0; i < SIM_LAYOUT_COUNT; i++)
        if (strcmp(sim_layout_name((enum sim_layout)i), name) == 0) {
            *layout = (uint8_t)i;
            return true;
        }
    return false;
}

static bool set_shape(struct tile_info *info, const json_t *tile)
{
    uint64_t needed;
    uint32_t valid_cols = (uint32_t)member(tile, "valid_columns", 0);
    info->cols = (uint32_t)member(tile, "columns", valid_cols);
    info->rows = (uint32_t)member(tile, "rows", 0);
    info->valid_cols = (uint32_t)member(tile, "valid_columns", info->cols);
    if (info->storage == TILE_PREDICATE) {
        info->valid_rows = (uint32_t)member(tile, "valid_rows", info->rows);
        tile_info_set_layout(info, SIM_ROW_MAJOR);
        return info->rows && info->cols;
    }
    tile_info_set_layout(info, (enum sim_layout)info->layout);
    if (sim_layout_is_cube((enum sim_layout)info->layout)) {
        info->valid_rows = (uint32_t)member(tile, "valid_rows", info->rows);
        return tile_info_set_cube(info, &needed);
    }
    uint32_t least = info->rows;
    info->rows = tile_derived_rows(info->capacity, info->cols, tile_format(info));
    info->valid_rows = (uint32_t)member(tile, "valid_rows", least ? least : info->rows);
    info->matrix = strcmp(text_member(tile, "location", "Any"), "Matrix") == 0;
    return info->rows != 0;
}

static bool read_spec(const json_t *tile, struct tile_spec *spec)
{
    *spec = (struct tile_spec){.info = {.capacity = (uint32_t)member(tile, "capacity", 0)}};
    const char *dtype = text_member(tile, "dtype", "U8"), *kind = text_member(tile, "kind", "");
    const struct isa_member *m = isa_find_member(&isa_enumerations[ISA_ENUM_DataType], dtype,
                                                 strlen(dtype), 1u << ISA_REV_0_58_3);
    spec->mask = mask_of(text_member(tile, "mask", "1111"));
    spec->init_mask = mask_of(text_member(tile, "init_mask", text_member(tile, "mask", "1111")));
    spec->elements = json_object_get(tile, "elements");
    if (!m || !spec->info.capacity ||
        !layout_of_name(text_member(tile, "layout", "RowMajor"), &spec->info.layout))
        return false;
    spec->info.dtype = (uint8_t)m->value;
    spec->info.storage = strcmp(kind, "predicate") == 0 ? TILE_PREDICATE : TILE_NUMERIC;
    return set_shape(&spec->info, tile);
}

static void put_element(const struct tile_info *info, struct tile_fragment *f, uint64_t element,
                        uint64_t value)
{
    if (info->storage == TILE_PREDICATE) {
        uint8_t bit = (uint8_t)(1u << (element % 8));
        f->bytes[element / 8] = (uint8_t)((f->bytes[element / 8] & ~bit) | (value & 1 ? bit : 0));
    } else {
        sim_element_set(tile_format(info), f->bytes, element, value);
    }
    tile_fragment_mark(f, element, true);
}

static uint64_t get_element(const struct tile_info *info, const struct tile_fragment *f,
                            uint64_t element)
{
    if (info->storage == TILE_PREDICATE)
        return f->bytes[element / 8] >> (element % 8) & 1;
    return sim_element_get(tile_format(info), f->bytes, element);
}

static uint64_t element_index(const struct tile_info *info, uint32_t row, uint32_t col)
{
    struct sim_map map = tile_map(info);
    return info->storage == TILE_PREDICATE ? (uint64_t)row * info->cols + col
                                           : sim_map_index(&map, row, col);
}

/* A fragment with the vector's elements; a completely given valid region becomes one flag. */
static void fill_fragment(struct sim *s, const struct tile_spec *spec, struct tile_fragment *f)
{
    size_t row, col, given = 0;
    const json_t *line, *cell;
    const struct tile_info *info = &spec->info;
    tile_fragment_create(s, f, info->capacity);
    tile_fragment_use_bits(s, info, f);
    json_array_foreach(spec->elements, row, line) json_array_foreach(line, col, cell)
    {
        if (json_is_null(cell) || row >= info->rows || col >= info->cols)
            continue;
        given += row < info->valid_rows && col < info->valid_cols;
        put_element(info, f, element_index(info, (uint32_t)row, (uint32_t)col), number_of(cell, 0));
    }
    if (info->storage == TILE_NUMERIC && given == (size_t)info->valid_rows * info->valid_cols)
        f->defined = TILE_VALID_DEFINED;
}

const char *tile_vector_load(struct sim *s, const json_t *input, struct arena *a)
{
    const char *key;
    json_t *tile;
    struct tile_spec spec;
    json_object_foreach(json_object_get(input, "tiles"), key, tile)
    {
        unsigned long slot = strtoul(key, NULL, 10);
        if (slot >= TILE_SLOTS || !read_spec(tile, &spec))
            return arena_printf(a, "input tile %s is not possible", key);
        struct tile t = {.mask = spec.mask, .info = spec.info};
        for (unsigned pe = 0; pe < SIM_PES; pe++)
            if (spec.mask & pe_bit(pe))
                fill_fragment(s, &spec, &t.pe[pe]);
        tile_attach(s, (unsigned)slot, &t);
    }
    json_object_foreach(json_object_get(input, "shared"), key, tile)
    {
        unsigned long id = strtoul(key, NULL, 10);
        if (id >= TILE_SHARED || !read_spec(tile, &spec))
            return arena_printf(a, "input Shared tile %s is not possible", key);
        struct shared_tile *t = &s->tiles->shared[id];
        tile_fragment_free(s, &t->payload);
        *t = (struct shared_tile){.valid = true,
                                  .published = true,
                                  .contents_defined = true,
                                  .mask = spec.init_mask,
                                  .init_mask = spec.init_mask,
                                  .info = spec.info};
        fill_fragment(s, &spec, &t->payload);
        tile_fragment_use_bits(s, &spec.info, &t->payload);
    }
    return NULL;
}

/* ---- comparing ---- */

struct comparison {
    struct arena *arena;
    const char *name; /* "tile 3" */
    const struct tile_info *info;
    const struct tile_fragment *fragment;
    bool values; /* compare elements, not only whether they are defined */
};

static const char *compare_number(const struct comparison *c, const json_t *expect, const char *key,
                                  uint64_t found)
{
    const json_t *v = json_object_get(expect, key);
    if (!v || number_of(v, 0) == found)
        return NULL;
    return arena_printf(c->arena, "%s: %s is %llu, expected %llu", c->name, key,
                        (unsigned long long)found, (unsigned long long)number_of(v, 0));
}

static const char *compare_text(const struct comparison *c, const json_t *expect, const char *key,
                                const char *found)
{
    const char *want = text_member(expect, key, NULL);
    if (!want || strcmp(want, found) == 0)
        return NULL;
    return arena_printf(c->arena, "%s: %s is %s, expected %s", c->name, key, found, want);
}

static const char *compare_descriptor(const struct comparison *c, const json_t *expect)
{
    const struct tile_info *t = c->info;
    const struct {
        const char *key;
        uint64_t found;
    } numbers[] = {
        {"rows", t->rows},
        {"columns", t->cols},
        {"valid_rows", t->valid_rows},
        {"valid_columns", t->valid_cols},
        {"capacity", t->capacity},
    };
    const struct {
        const char *key, *found;
    } texts[] = {
        {"dtype", sim_format_name(t->dtype)},
        {"layout", sim_layout_name((enum sim_layout)t->layout)},
        {"storage", t->storage == TILE_PREDICATE ? "Predicate" : "Numeric"},
        {"location", t->matrix ? "Matrix" : "Any"},
    };
    const char *error = NULL;
    for (size_t i = 0; !error && i < sizeof numbers / sizeof *numbers; i++)
        error = compare_number(c, expect, numbers[i].key, numbers[i].found);
    for (size_t i = 0; !error && i < sizeof texts / sizeof *texts; i++)
        error = compare_text(c, expect, texts[i].key, texts[i].found);
    return error;
}

static const char *compare_mask(const struct comparison *c, const json_t *expect, const char *key,
                                uint8_t mask)
{
    char text[SIM_PES + 1] = {0};
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        text[pe] = mask & pe_bit(pe) ? '1' : '0';
    return compare_text(c, expect, key, text);
}

static bool element_defined(const struct comparison *c, uint64_t element, const uint8_t *valid)
{
    switch (c->fragment->defined) {
    case TILE_ALL_DEFINED:
        return true;
    case TILE_VALID_DEFINED:
        return valid[element / 8] >> (element % 8) & 1;
    case TILE_BITS_DEFINED:
        return tile_fragment_marked(c->fragment, element);
    default:
        return false;
    }
}

/* Storage elements of the valid region, as bits. */
static uint8_t *valid_elements(const struct comparison *c)
{
    const struct tile_info *info = c->info;
    uint8_t *bits = arena_alloc(c->arena, (size_t)tile_capacity_elements(info) / 8 + 1);
    for (uint32_t row = 0; row < info->valid_rows; row++)
        for (uint32_t col = 0; col < info->valid_cols; col++) {
            uint64_t e = element_index(info, row, col);
            bits[e / 8] |= (uint8_t)(1u << (e % 8));
        }
    return bits;
}

/* Runs [index, digits] in ascending order; elements in no run are undefined. */
static const char *compare_elements(const struct comparison *c, const json_t *expect)
{
    unsigned digits = (unsigned)member(expect, "digits", 1);
    const uint8_t *valid = valid_elements(c);
    uint64_t limit = tile_capacity_elements(c->info), next = 0;
    size_t i;
    const json_t *run;
    json_array_foreach(json_object_get(expect, "elements"), i, run)
    {
        uint64_t index = number_of(json_array_get(run, 0), 0);
        const char *text = json_string_value(json_array_get(run, 1));
        for (; next < index && next < limit; next++)
            if (element_defined(c, next, valid))
                return arena_printf(c->arena, "%s: element %llu is defined, expected undefined",
                                    c->name, (unsigned long long)next);
        for (; text && *text && next < limit; text += digits, next++) {
            char one[17] = {0};
            memcpy(one, text, digits < 16 ? digits : 16);
            uint64_t want = strtoull(one, NULL, 16),
                     found = get_element(c->info, c->fragment, next);
            if (!element_defined(c, next, valid))
                return arena_printf(c->arena, "%s: element %llu is undefined, expected 0x%s",
                                    c->name, (unsigned long long)next, one);
            if (c->values && found != want)
                return arena_printf(c->arena, "%s: element %llu is 0x%llx, expected 0x%s", c->name,
                                    (unsigned long long)next, (unsigned long long)found, one);
        }
    }
    for (; next < limit; next++)
        if (element_defined(c, next, valid))
            return arena_printf(c->arena, "%s: element %llu is defined, expected undefined",
                                c->name, (unsigned long long)next);
    return NULL;
}

static const struct tile_fragment *any_fragment(const struct tile *t)
{
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (t->pe[pe].bytes)
            return &t->pe[pe];
    return &t->pe[0];
}

static const char *compare_local(struct sim *s, const char *key, const json_t *expect, bool values,
                                 struct arena *a)
{
    unsigned long slot = strtoul(key, NULL, 10);
    const struct tile *t = slot < TILE_SLOTS ? &s->tiles->local[slot] : NULL;
    struct comparison c = {.arena = a, .values = values, .name = arena_printf(a, "tile %s", key)};
    if (!t || !t->allocated)
        return arena_printf(a, "%s is not allocated", c.name);
    c.info = &t->info;
    c.fragment = any_fragment(t);
    const char *error = compare_descriptor(&c, expect);
    if (!error)
        error = compare_mask(&c, expect, "mask", t->mask);
    return error ? error : compare_elements(&c, expect);
}

static const char *compare_unchanged(struct sim *s, unsigned slot, const json_t *input,
                                     struct arena *a)
{
    const json_t *tile =
        json_object_get(json_object_get(input, "tiles"), arena_printf(a, "%u", slot));
    const struct tile *t = slot < TILE_SLOTS ? &s->tiles->local[slot] : NULL;
    struct tile_spec spec;
    if (!tile || !t || !t->allocated || !read_spec(tile, &spec))
        return arena_printf(a, "tile %u is not as in the input", slot);
    if (!tile_info_equal(&t->info, &spec.info) || t->mask != spec.mask)
        return arena_printf(a, "tile %u: its descriptor changed", slot);
    struct tile_fragment old;
    const struct tile_fragment *now = any_fragment(t);
    fill_fragment(s, &spec, &old);
    bool same = old.defined == now->defined &&
                memcmp(old.bytes, now->bytes, spec.info.capacity) == 0 &&
                (old.defined != TILE_BITS_DEFINED ||
                 memcmp(old.bits, now->bits, (size_t)tile_capacity_elements(&spec.info) / 8) == 0);
    tile_fragment_free(s, &old);
    return same ? NULL : arena_printf(a, "tile %u: its elements changed", slot);
}

static const char *compare_shared(struct sim *s, const char *key, const json_t *expect, bool values,
                                  struct arena *a)
{
    unsigned long id = strtoul(key, NULL, 10);
    const struct shared_tile *t = id < TILE_SHARED ? &s->tiles->shared[id] : NULL;
    struct comparison c = {
        .arena = a, .values = values, .name = arena_printf(a, "Shared tile %s", key)};
    if (!t || !t->valid)
        return arena_printf(a, "%s is not allocated", c.name);
    c.info = &t->info;
    c.fragment = &t->payload;
    const char *error = compare_descriptor(&c, expect);
    if (!error)
        error = compare_mask(&c, expect, "mask", t->mask);
    if (!error)
        error = compare_mask(&c, expect, "init_mask", t->init_mask);
    if (!error && t->published != json_is_true(json_object_get(expect, "published")))
        error = arena_printf(a, "%s: published is %d", c.name, t->published);
    if (!error && t->contents_defined != json_is_true(json_object_get(expect, "contents_defined")))
        error = arena_printf(a, "%s: contents_defined is %d", c.name, t->contents_defined);
    return error ? error : compare_elements(&c, expect);
}

const char *tile_vector_compare(struct sim *s, const json_t *input, const json_t *expect,
                                bool values, struct arena *a)
{
    uint64_t named = 0;
    const char *key, *error = NULL;
    json_t *tile;
    size_t i;
    json_object_foreach(json_object_get(expect, "tiles"), key, tile)
    {
        named |= UINT64_C(1) << (strtoul(key, NULL, 10) % TILE_SLOTS);
        if (!error)
            error = compare_local(s, key, tile, values, a);
    }
    json_array_foreach(json_object_get(expect, "tiles_unchanged"), i, tile)
    {
        unsigned slot = (unsigned)number_of(tile, 0);
        named |= UINT64_C(1) << (slot % TILE_SLOTS);
        if (!error)
            error = compare_unchanged(s, slot, input, a);
    }
    for (unsigned slot = 0; !error && slot < TILE_SLOTS; slot++)
        if (s->tiles->local[slot].allocated && !(named >> slot & 1))
            error = arena_printf(a, "tile %u is allocated, expected free", slot);
    const json_t *shared = json_object_get(expect, "shared");
    json_object_foreach((json_t *)shared, key, tile) if (!error) error =
        compare_shared(s, key, tile, values, a);
    for (unsigned id = 0; !error && id < TILE_SHARED; id++)
        if (s->tiles->shared[id].valid && !json_object_get(shared, arena_printf(a, "%u", id)))
            error = arena_printf(a, "Shared tile %u is allocated, expected free", id);
    return error;
}

/* ---- JSON of a state ---- */

static json_t *mask_json(uint8_t mask)
{
    char text[SIM_PES + 1] = {0};
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        text[pe] = mask & pe_bit(pe) ? '1' : '0';
    return json_string(text);
}

static json_t *info_json(const struct tile_info *t, uint8_t mask)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o}", "dtype", sim_format_name(t->dtype),
        "layout", sim_layout_name((enum sim_layout)t->layout), "storage",
        t->storage == TILE_PREDICATE ? "Predicate" : "Numeric", "location",
        t->matrix ? "Matrix" : "Any", "rows", (json_int_t)t->rows, "columns", (json_int_t)t->cols,
        "valid_rows", (json_int_t)t->valid_rows, "valid_columns", (json_int_t)t->valid_cols,
        "capacity", (json_int_t)t->capacity, "mask", mask_json(mask));
}

/* Rows of the valid region; a number's bits in hexadecimal, null where nothing was written. */
static json_t *elements_json(const struct tile_info *info, const struct tile_fragment *f)
{
    json_t *rows = json_array();
    int digits = info->storage == TILE_PREDICATE ? 1 : (tile_format(info)->bits + 3) / 4;
    for (uint32_t row = 0; row < info->valid_rows; row++) {
        json_t *line = json_array();
        for (uint32_t col = 0; col < info->valid_cols; col++) {
            uint64_t value = get_element(info, f, element_index(info, row, col));
            json_array_append_new(line,
                                  tile_fragment_is_defined(info, f, row, col)
                                      ? json_sprintf("%0*llx", digits, (unsigned long long)value)
                                      : json_null());
        }
        json_array_append_new(rows, line);
    }
    return rows;
}

static json_t *local_json(const struct tile *t)
{
    json_t *o = info_json(&t->info, t->mask), *pes = json_object();
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if (t->mask & pe_bit(pe)) {
            char name[] = {'p', 'e', (char)('0' + pe), 0};
            json_object_set_new(pes, name, elements_json(&t->info, &t->pe[pe]));
        }
    json_object_set_new(o, "elements", pes);
    return o;
}

static json_t *shared_json(const struct shared_tile *t)
{
    json_t *o = info_json(&t->info, t->mask);
    json_object_set_new(o, "init_mask", mask_json(t->init_mask));
    json_object_set_new(o, "published", json_boolean(t->published));
    json_object_set_new(o, "elements", elements_json(&t->info, &t->payload));
    return o;
}

json_t *tile_json(const struct sim *s)
{
    json_t *local = json_object(), *shared = json_object();
    for (unsigned i = 0; i < TILE_SLOTS; i++)
        if (s->tiles->local[i].allocated)
            json_object_set_new(local, tile_slot_name(i).text, local_json(&s->tiles->local[i]));
    for (unsigned i = 0; i < TILE_SHARED; i++)
        if (s->tiles->shared[i].valid)
            json_object_set_new(shared, tile_shared_name(i).text,
                                shared_json(&s->tiles->shared[i]));
    return json_pack("{s:o, s:o}", "local", local, "shared", shared);
}
