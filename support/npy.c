/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A .npy file is a magic string, a version, a header length and a Python
 * dictionary of three entries, padded, then the elements:
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 */
#include "support/npy.h"

#include <string.h>

static const char MAGIC[] = "\x93NUMPY";

enum {
    MAGIC_SIZE = 6,
    PREFIX_V1 = 10, /* magic, two version bytes, 16-bit length */
    PREFIX_V2 = 12, /* 32-bit length */
    HEADER_ALIGN = 64
};

struct header {
    struct npy *array;
    bool big_endian, fortran;
    bool has_descr, has_order, has_shape;
};

struct cursor {
    const char *at, *end;
    struct arena *arena;
};

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t'))
        c->at++;
}

static bool take(struct cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(struct cursor *c, const char *word)
{
    size_t len = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < len || memcmp(c->at, word, len) != 0)
        return false;
    c->at += len;
    return true;
}

static bool take_string(struct cursor *c, const char **text, size_t *len)
{
    skip_blanks(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    char quote = *c->at++;
    *text = c->at;
    while (c->at < c->end && *c->at != quote)
        c->at++;
    *len = (size_t)(c->at - *text);
    return take(c, quote);
}

static bool take_number(struct cursor *c, uint64_t *number)
{
    skip_blanks(c);
    const char *start = c->at;
    *number = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(*number, 10u, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*c->at - '0'), number))
            return false;
    return c->at > start;
}

/* The element types that tiles and registers know (numpy's array-protocol letters). */
static bool known_type(char kind, uint64_t itemsize)
{
    switch (kind) {
    case 'f':
        return itemsize == 2 || itemsize == 4 || itemsize == 8;
    case 'i':
    case 'u':
        return itemsize == 1 || itemsize == 2 || itemsize == 4 || itemsize == 8;
    case 'b':
        return itemsize == 1;
    case 'V':
        return itemsize >= 1 && itemsize <= 8;
    default:
        return false;
    }
}

static const char *parse_descr(struct cursor *c, struct header *h)
{
    const char *text;
    size_t len;
    if (!take_string(c, &text, &len))
        return "the header's 'descr' is not one element type (record types are not supported)";
    struct cursor type = {text, text + len, c->arena};
    char order = '|';
    if (len > 0 && strchr("<>=|", *text))
        order = *type.at++;
    char kind = type.at < type.end ? *type.at++ : '\0';
    uint64_t itemsize;
    if (!take_number(&type, &itemsize) || type.at != type.end || !known_type(kind, itemsize))
        return arena_printf(c->arena,
                            "element type '%.*s' is not supported (f2 f4 f8, i1 to i8, u1 to u8, "
                            "b1, V1 to V8)",
                            (int)(len > 32 ? 32 : len), text);
    h->array->kind = kind;
    h->array->itemsize = (unsigned)itemsize;
    h->big_endian = order == '>' && kind != 'V';
    h->has_descr = true;
    return NULL;
}

static const char *parse_order(struct cursor *c, struct header *h)
{
    h->fortran = take_word(c, "True");
    if (!h->fortran && !take_word(c, "False"))
        return "the header's 'fortran_order' is neither True nor False";
    h->has_order = true;
    return NULL;
}

static const char *parse_shape(struct cursor *c, struct header *h)
{
    static const char bad[] = "the header's 'shape' is not a tuple of sizes";
    if (!take(c, '('))
        return bad;
    h->array->rank = 0;
    while (!take(c, ')')) {
        if (h->array->rank == NPY_MAX_RANK)
            return arena_printf(c->arena, "more than %d dimensions", NPY_MAX_RANK);
        if (!take_number(c, &h->array->shape[h->array->rank]))
            return bad;
        h->array->rank++;
        if (!take(c, ',')) {
            if (!take(c, ')'))
                return bad;
            break;
        }
    }
    h->has_shape = true;
    return NULL;
}

static const struct {
    const char *key;
    const char *(*parse)(struct cursor *c, struct header *h);
} entries[] = {
    {"descr", parse_descr},
    {"fortran_order", parse_order},
    {"shape", parse_shape},
};

static const char *parse_entry(struct cursor *c, struct header *h)
{
    const char *key;
    size_t len;
    if (!take_string(c, &key, &len) || !take(c, ':'))
        return "the header is not a dictionary";
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strlen(entries[i].key) == len && memcmp(entries[i].key, key, len) == 0)
            return entries[i].parse(c, h);
    return arena_printf(c->arena, "the header has an unknown entry '%.*s'",
                        (int)(len > 32 ? 32 : len), key);
}

static const char *parse_header(struct cursor *c, struct header *h)
{
    static const char bad[] = "the header is not a dictionary";
    if (!take(c, '{'))
        return bad;
    while (!take(c, '}')) {
        const char *error = parse_entry(c, h);
        if (error)
            return error;
        if (!take(c, ',')) {
            if (!take(c, '}'))
                return bad;
            break;
        }
    }
    skip_blanks(c);
    if (c->at != c->end)
        return "the header has text behind its dictionary";
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return "the header lacks 'descr', 'fortran_order' or 'shape'";
    return NULL;
}

/* Elements in all; false on overflow of the byte count. */
static bool count_bytes(const struct npy *array, uint64_t *bytes)
{
    uint64_t n = array->itemsize;
    bool empty = false;
    for (unsigned i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0)
            empty = true;
        else if (__builtin_mul_overflow(n, array->shape[i], &n))
            return false;
    }
    *bytes = empty ? 0 : n;
    return true;
}

static void copy_element(uint8_t *to, const uint8_t *from, unsigned itemsize, bool swap)
{
    for (unsigned i = 0; i < itemsize; i++)
        to[i] = from[swap ? itemsize - 1 - i : i];
}

/* Next index in C order, and the offset of its element, in elements, by the file's strides. */
static uint64_t next_index(const struct npy *array, const uint64_t *stride, uint64_t *index,
                           uint64_t offset)
{
    for (unsigned i = array->rank; i-- > 0;) {
        offset += stride[i];
        if (++index[i] < array->shape[i])
            return offset;
        offset -= stride[i] * array->shape[i];
        index[i] = 0;
    }
    return offset;
}

/* Brings the elements into C order and little-endian bytes. */
static const uint8_t *normalise(struct arena *a, const struct header *h, const uint8_t *data)
{
    const struct npy *array = h->array;
    uint64_t stride[NPY_MAX_RANK], index[NPY_MAX_RANK] = {0}, n = 1, offset = 0;
    for (unsigned i = 0; i < array->rank; i++) {
        unsigned axis = h->fortran ? i : array->rank - 1 - i;
        stride[axis] = n;
        n *= array->shape[axis];
    }
    uint8_t *out = arena_alloc(a, array->size);
    for (size_t at = 0; at < array->size; at += array->itemsize) {
        copy_element(out + at, data + offset * array->itemsize, array->itemsize, h->big_endian);
        offset = next_index(array, stride, index, offset);
    }
    return out;
}

/* Finds the header text; NULL or the reason. */
static const char *find_header(const uint8_t *bytes, size_t size, size_t *start, size_t *len)
{
    if (size < PREFIX_V1 || memcmp(bytes, MAGIC, MAGIC_SIZE) != 0)
        return "not a .npy file";
    unsigned major = bytes[6];
    if (major < 1 || major > 3)
        return "unknown .npy format version (1, 2 and 3 are known)";
    *start = major == 1 ? PREFIX_V1 : PREFIX_V2;
    *len = bytes[8] | (size_t)bytes[9] << 8;
    if (major > 1) {
        if (size < PREFIX_V2)
            return "the file ends within its header";
        *len |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    }
    return *len > size - *start ? "the file ends within its header" : NULL;
}

const char *npy_parse(struct arena *a, const uint8_t *bytes, size_t size, struct npy *out)
{
    size_t start, len;
    const char *error = find_header(bytes, size, &start, &len);
    if (error)
        return error;
    *out = (struct npy){0};
    struct header h = {.array = out};
    const char *text = (const char *)bytes + start;
    struct cursor c = {text, text + len, a};
    if ((error = parse_header(&c, &h)))
        return error;
    uint64_t need, have = size - start - len;
    if (!count_bytes(out, &need))
        return "the shape is too large";
    if (need != have)
        return arena_printf(a, "the shape needs %llu bytes of data, the file has %llu",
                            (unsigned long long)need, (unsigned long long)have);
    const uint8_t *data = bytes + start + len;
    out->size = (size_t)need;
    out->data = h.fortran || h.big_endian ? normalise(a, &h, data) : data;
    return NULL;
}

void npy_write(struct buffer *out, const struct npy *array)
{
    size_t begin = out->size;
    buffer_append(out, MAGIC, MAGIC_SIZE);
    buffer_append(out, "\1\0\0\0", 4); /* version 1.0; the length follows below */
    bool no_order = array->itemsize == 1 || array->kind == 'V';
    buffer_printf(out, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
                  no_order ? '|' : '<', array->kind, array->itemsize);
    for (unsigned i = 0; i < array->rank; i++)
        buffer_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)array->shape[i]);
    buffer_printf(out, "%s), }", array->rank == 1 ? "," : "");
    while ((out->size - begin + 1) % HEADER_ALIGN != 0)
        buffer_append(out, " ", 1);
    buffer_append(out, "\n", 1);
    size_t len = out->size - begin - PREFIX_V1;
    out->data[begin + 8] = (uint8_t)len;
    out->data[begin + 9] = (uint8_t)(len >> 8);
    buffer_append(out, array->data, array->size);
}
