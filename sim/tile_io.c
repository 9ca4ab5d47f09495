/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles by name: loading and dumping in logical order (.npy) or as they lie (raw bytes). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/tile.h"

/* ---- names ---- */

struct tile_ref {
    int pe; /* -1: all */
    bool shared;
    unsigned index;                /* slot, or number of the Shared tile */
    const struct obj_tile *record; /* NULL: named by register */
};

/* A buffer that is written in place is an input and an output of one name. */
static const struct obj_tile *find_record(const struct sim *s, const char *name, bool input)
{
    const struct obj_tile *found = NULL;
    for (size_t i = 0; s->program && i < s->program->tiles.count; i++) {
        const struct obj_tile *t = &s->program->tiles.item[i];
        if (strcmp(t->name, name) == 0 && (!found || t->input == input))
            found = t;
    }
    return found;
}

static const struct obj_tile *record_of_slot(const struct sim *s, unsigned slot)
{
    for (size_t i = 0; s->program && i < s->program->tiles.count; i++) {
        const struct obj_tile *t = &s->program->tiles.item[i];
        if (t->input && slot == (unsigned)t->hand % TILE_HANDS * TILE_HAND_SLOTS + t->ordinal)
            return t;
    }
    return NULL;
}

/* Digits up to the end of the text; false for anything else or a value above `limit`. */
static bool parse_number(const char *text, unsigned limit, unsigned *value)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    unsigned long n = strtoul(text, &end, 10);
    *value = (unsigned)n;
    return !*end && n <= limit;
}

static bool parse_register(const char *name, struct tile_ref *ref)
{
    static const char hands[] = "TUMN";
    const char *hand = *name ? strchr(hands, toupper((unsigned char)*name)) : NULL;
    unsigned n;
    if (hand && name[1] == '#' && parse_number(name + 2, TILE_HAND_SLOTS, &n) && n) {
        ref->index = (unsigned)(hand - hands) * TILE_HAND_SLOTS + n - 1;
        return true;
    }
    if (toupper((unsigned char)*name) == 'S' && parse_number(name + 1, TILE_SHARED - 1, &n)) {
        ref->shared = true;
        ref->index = n;
        return true;
    }
    return false;
}

static const char *resolve(const struct sim *s, const char *name, bool input, struct tile_ref *ref)
{
    *ref = (struct tile_ref){.pe = -1};
    if (strncmp(name, "pe", 2) == 0 && isdigit((unsigned char)name[2]) && name[3] == '.') {
        ref->pe = name[2] - '0';
        if (ref->pe >= SIM_PES)
            return "there are PEs 0 to 3";
        name += 4;
    }
    if (*name == '%')
        name++;
    ref->record = find_record(s, name, input);
    if (ref->record) {
        if (ref->record->ordinal >= TILE_HAND_SLOTS)
            return "the program's record of the tile names no slot";
        ref->index = ref->record->hand % TILE_HANDS * TILE_HAND_SLOTS + ref->record->ordinal;
        return NULL;
    }
    if (!parse_register(name, ref))
        return "no tile has this name: it is neither in the program's .pto.tiles nor of the form "
               "T#1, U#1, M#1, N#1 (1..16) or S0 (0..255)";
    if (ref->shared)
        return NULL;
    if (!input) { /* T#1 is the newest where tiles are named by age */
        int slot = tile_source_slot(s, ref->index);
        if (slot < 0)
            return "the tile was never written";
        ref->index = (unsigned)slot;
    }
    ref->record = record_of_slot(s, ref->index);
    return NULL;
}

/* ---- descriptors ---- */

static enum sim_layout layout_of_majors(unsigned blayout, unsigned slayout)
{
    static const uint8_t layouts[2][3] = {
        [OBJ_ROW_MAJOR] =
            {[OBJ_ROW_MAJOR] = SIM_ZZ, [OBJ_COL_MAJOR] = SIM_ZN, [OBJ_NONE_BOX] = SIM_ROW_MAJOR},
        [OBJ_COL_MAJOR] =
            {[OBJ_ROW_MAJOR] = SIM_NZ, [OBJ_COL_MAJOR] = SIM_NN, [OBJ_NONE_BOX] = SIM_COLUMN_MAJOR},
    };
    return (enum sim_layout)layouts[blayout % 2][slayout % 3];
}

static uint32_t smallest_capacity(uint64_t bytes)
{
    for (uint32_t c = TILE_CELL_BYTES; c <= TILE_LOCAL_LIMIT; c *= 2)
        if (bytes <= c)
            return c;
    return 0;
}

static const char *info_of_record(const struct obj_tile *t, struct tile_info *info)
{
    *info = (struct tile_info){.dtype = t->dtype,
                               .compact = t->compact,
                               .rows = t->rows,
                               .cols = t->cols,
                               .valid_rows = t->v_rows,
                               .valid_cols = t->v_cols,
                               .capacity = t->capacity};
    const struct sim_format *f = tile_format(info);
    if (f->klass == SIM_CLASS_NONE || !t->rows || !t->cols || t->rows > TILE_MAX_DIMENSION ||
        t->cols > TILE_MAX_DIMENSION || t->v_rows > t->rows || t->v_cols > t->cols ||
        t->compact > 2)
        return "the program's record of the tile has an impossible shape or type";
    uint32_t rows = 1, cols = 1;
    info->layout = layout_of_majors(t->blayout, t->slayout);
    if (t->slayout != OBJ_NONE_BOX &&
        !sim_layout_fractal_box(t->fractal, t->slayout == OBJ_COL_MAJOR, f, &rows, &cols))
        return "the program's record of the tile has an unknown fractal";
    info->box_rows = (uint16_t)rows;
    info->box_cols = (uint16_t)cols;
    uint64_t bytes = sim_format_bytes(f, tile_storage_elements(info));
    if (!info->capacity)
        info->capacity = smallest_capacity(bytes);
    if (!info->capacity || info->capacity > TILE_LOCAL_LIMIT || info->capacity % TILE_CELL_BYTES ||
        bytes > info->capacity)
        return "the tile does not fit 64 KiB a PE or its recorded capacity";
    return NULL;
}

struct npy_type {
    char kind;
    uint8_t itemsize, dtype;
};
static const struct npy_type npy_types[] = {
    {'f', 8, ISA_DataType_FP64}, {'f', 4, ISA_DataType_FP32}, {'f', 2, ISA_DataType_FP16},
    {'V', 2, ISA_DataType_BF16}, {'i', 8, ISA_DataType_S64},  {'i', 4, ISA_DataType_S32},
    {'i', 2, ISA_DataType_S16},  {'i', 1, ISA_DataType_S8},   {'u', 8, ISA_DataType_U64},
    {'u', 4, ISA_DataType_U32},  {'u', 2, ISA_DataType_U16},  {'u', 1, ISA_DataType_U8},
    {'b', 1, ISA_DataType_U8},
};

static bool shape_of(const struct npy *a, uint64_t *rows, uint64_t *cols)
{
    *rows = *cols = 1;
    if (a->rank > 2)
        return false;
    if (a->rank)
        *cols = a->shape[a->rank - 1];
    if (a->rank == 2)
        *rows = a->shape[0];
    return *rows && *cols && *rows <= TILE_MAX_DIMENSION && *cols <= TILE_MAX_DIMENSION;
}

/* A register that the program says nothing of takes type and shape from the file. */
static const char *info_of_array(const struct npy *a, struct tile_info *info)
{
    uint64_t rows, cols;
    *info = (struct tile_info){.dtype = ISA_DataType_DTYPE_NONE};
    for (size_t i = 0; i < sizeof npy_types / sizeof *npy_types; i++)
        if (npy_types[i].kind == a->kind && npy_types[i].itemsize == a->itemsize)
            info->dtype = npy_types[i].dtype;
    if (info->dtype == ISA_DataType_DTYPE_NONE)
        return "no tile type has elements like this array's";
    if (!shape_of(a, &rows, &cols))
        return "the array must have one or two dimensions of 1 to 65535";
    const struct sim_format *f = tile_format(info);
    info->valid_rows = (uint32_t)rows;
    info->valid_cols = (uint32_t)cols;
    for (info->cols = 1; info->cols < cols;)
        info->cols *= 2;
    info->capacity = smallest_capacity(sim_format_bytes(f, rows * info->cols));
    info->rows = info->capacity ? tile_derived_rows(info->capacity, info->cols, f) : 0;
    tile_info_set_layout(info, SIM_ROW_MAJOR);
    return info->rows ? NULL : "the array does not fit a tile of 64 KiB a PE";
}

/* ---- loading ---- */

static const char *allocate(struct sim *s, const struct tile_ref *ref, const struct tile_info *info)
{
    struct tile *old = &s->tiles->local[ref->index];
    if (old->allocated && tile_info_equal(&old->info, info))
        return NULL;
    if (old->allocated)
        return "the tile is already loaded with another type or shape";
    if (tile_pool_used(s) + (uint64_t)SIM_PES * info->capacity > TILE_POOL_BYTES)
        return "the tile pool of 256 KiB is full";
    struct tile t = {.mask = SIM_ALL_PES, .info = *info};
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        tile_fragment_create(s, &t.pe[pe], info->capacity);
    tile_attach(s, ref->index, &t);
    return NULL;
}

static uint64_t array_element(const struct npy *a, uint64_t index)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < a->itemsize; i++)
        value |= (uint64_t)a->data[index * a->itemsize + i] << (8 * i);
    return value;
}

static void fill(const struct tile_info *info, const struct npy *a, uint64_t rows, uint64_t cols,
                 struct tile_fragment *f)
{
    struct sim_map map = tile_map(info);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++)
            sim_element_set(tile_format(info), f->bytes, sim_map_index(&map, row, col),
                            array_element(a, row * cols + col));
    f->defined = rows == info->rows && cols == info->cols ? TILE_ALL_DEFINED : TILE_VALID_DEFINED;
}

const char *sim_load_tile(struct sim *s, const char *name, const struct npy *array)
{
    struct tile_ref ref;
    struct tile_info info;
    uint64_t rows, cols;
    const char *error = resolve(s, name, true, &ref);
    if (error)
        return error;
    if (ref.shared)
        return "a Shared tile cannot be loaded by name; a program writes it";
    error = ref.record ? info_of_record(ref.record, &info) : info_of_array(array, &info);
    if (error)
        return error;
    if (!sim_format_takes(tile_format(&info), array->kind, array->itemsize))
        return arena_printf(s->arena, "the array has elements '%c%u', the tile is %s", array->kind,
                            array->itemsize, sim_format_name(info.dtype));
    bool valid =
        shape_of(array, &rows, &cols) && rows == info.valid_rows && cols == info.valid_cols;
    if (!valid && (rows != info.rows || cols != info.cols))
        return arena_printf(
            s->arena,
            "the array is %llu x %llu, the tile has %u x %u valid elements (%u x %u "
            "physical)",
            (unsigned long long)rows, (unsigned long long)cols, info.valid_rows, info.valid_cols,
            info.rows, info.cols);
    error = allocate(s, &ref, &info);
    for (unsigned pe = 0; !error && pe < SIM_PES; pe++)
        if (ref.pe < 0 || ref.pe == (int)pe)
            fill(&info, array, rows, cols, &s->tiles->local[ref.index].pe[pe]);
    return error;
}

const char *sim_load_tile_raw(struct sim *s, const char *name, const uint8_t *bytes, size_t size)
{
    struct tile_ref ref;
    struct tile_info info;
    const char *error = resolve(s, name, true, &ref);
    if (error)
        return error;
    if (ref.shared)
        return "a Shared tile cannot be loaded by name; a program writes it";
    if (!ref.record)
        return "the program does not record this tile's type; load it from a .npy file";
    error = info_of_record(ref.record, &info);
    if (error)
        return error;
    uint64_t expected = sim_format_bytes(tile_format(&info), tile_storage_elements(&info));
    if (size != expected)
        return arena_printf(s->arena, "the file has %zu bytes, the tile %llu", size,
                            (unsigned long long)expected);
    error = allocate(s, &ref, &info);
    for (unsigned pe = 0; !error && pe < SIM_PES; pe++)
        if (ref.pe < 0 || ref.pe == (int)pe) {
            struct tile_fragment *f = &s->tiles->local[ref.index].pe[pe];
            memcpy(f->bytes, bytes, size);
            f->defined = TILE_ALL_DEFINED;
        }
    return error;
}

const char *tile_before_run(struct sim *s)
{
    for (size_t i = 0; s->program && i < s->program->tiles.count; i++) {
        const struct obj_tile *t = &s->program->tiles.item[i];
        unsigned slot = t->hand % TILE_HANDS * TILE_HAND_SLOTS + t->ordinal % TILE_HAND_SLOTS;
        if (t->input && !s->tiles->local[slot].allocated)
            return arena_printf(s->arena,
                                "the program expects tile %s (%s, %s): load it with --tile "
                                "%s=FILE.npy",
                                t->name, tile_slot_name(slot).text, t->type, t->name);
    }
    tile_order_by_slot(s);
    return NULL;
}

/* ---- dumping ---- */

const char *tile_find_fragment(const struct sim *s, const char *name, struct tile_info *info,
                               const struct tile_fragment **fragment)
{
    struct tile_ref ref;
    const char *error = resolve(s, name, false, &ref);
    if (error)
        return error;
    if (ref.shared) {
        const struct shared_tile *t = &s->tiles->shared[ref.index];
        *info = t->info;
        *fragment = &t->payload;
        return t->valid ? NULL : "the Shared tile was never written";
    }
    const struct tile *t = &s->tiles->local[ref.index];
    if (!t->allocated)
        return "the tile was never written";
    *info = t->info;
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        if ((t->mask & pe_bit(pe)) && (ref.pe < 0 || ref.pe == (int)pe)) {
            *fragment = &t->pe[pe];
            return NULL;
        }
    return "the tile has no part in this PE";
}

static uint64_t read_element(const struct sim *s, const struct tile_info *info,
                             const struct tile_fragment *f, const struct sim_map *map, uint32_t row,
                             uint32_t col)
{
    if (!tile_fragment_is_defined(info, f, row, col))
        return s->options.undefined_byte * UINT64_C(0x0101010101010101);
    if (info->storage == TILE_PREDICATE) {
        uint64_t bit = (uint64_t)row * info->cols + col;
        return f->bytes[bit / 8] >> (bit % 8) & 1;
    }
    return sim_element_get(tile_format(info), f->bytes, sim_map_index(map, row, col));
}

const char *sim_dump_tile(struct sim *s, const char *name, struct arena *a, struct npy *out)
{
    struct tile_info info;
    const struct tile_fragment *f;
    const char *error = tile_find_fragment(s, name, &info, &f);
    if (error)
        return error;
    const struct sim_format *format = tile_format(&info);
    struct sim_map map = tile_map(&info);
    *out = (struct npy){.kind = format->npy_kind,
                        .itemsize = sim_format_access_bytes(format),
                        .rank = 2,
                        .shape = {info.valid_rows, info.valid_cols}};
    out->size = (size_t)info.valid_rows * info.valid_cols * out->itemsize;
    uint8_t *data = arena_alloc(a, out->size ? out->size : 1);
    uint8_t *p = data;
    for (uint32_t row = 0; row < info.valid_rows; row++)
        for (uint32_t col = 0; col < info.valid_cols; col++) {
            uint64_t value = read_element(s, &info, f, &map, row, col);
            if (format->bits < 8) {
                value &= 0xf;
                if (format->klass == SIM_CLASS_SIGNED && (value & 8))
                    value |= 0xf0;
            }
            for (unsigned i = 0; i < out->itemsize; i++)
                *p++ = (uint8_t)(value >> (8 * i));
        }
    out->data = data;
    return NULL;
}

const char *sim_dump_tile_raw(struct sim *s, const char *name, struct buffer *out)
{
    struct tile_info info;
    const struct tile_fragment *f;
    const char *error = tile_find_fragment(s, name, &info, &f);
    if (error)
        return error;
    const struct sim_format *format = tile_format(&info);
    uint64_t size = info.storage == TILE_PREDICATE
                        ? ((uint64_t)info.rows * info.cols + 7) / 8
                        : sim_format_bytes(format, tile_storage_elements(&info));
    if (f->defined == TILE_ALL_DEFINED || info.storage == TILE_PREDICATE) {
        buffer_append(out, f->bytes, (size_t)size);
        return NULL;
    }
    struct sim_map map = tile_map(&info);
    uint8_t *bytes = buffer_extend(out, (size_t)size);
    memset(bytes, s->options.undefined_byte, (size_t)size);
    for (uint32_t row = 0; row < info.rows; row++)
        for (uint32_t col = 0; col < info.cols; col++)
            if (tile_fragment_is_defined(&info, f, row, col))
                sim_element_set(format, bytes, sim_map_index(&map, row, col),
                                read_element(s, &info, f, &map, row, col));
    return NULL;
}
