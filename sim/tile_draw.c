/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tiles as pictures: a heat map of the valid region, and how a layout numbers
 * its elements. SVG is text; PNG is written without compression.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/element.h"
#include "sim/tile.h"
#include "support/decimal.h"

struct color {
    uint8_t red, green, blue;
};

/* ---- PNG (RFC 2083): 8-bit RGB, zlib data in stored blocks ---- */

enum { PNG_BLOCK = 65535, PNG_PIXELS = 1024, PNG_LARGEST_CELL = 16 };

struct raster {
    uint32_t width, height;
    const uint8_t *pixels; /* RGB, row by row */
};

static void put32(struct buffer *out, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                             (uint8_t)value};
    buffer_append(out, bytes, sizeof bytes);
}

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (UINT32_C(0xedb88320) & -(crc & 1));
    }
    return ~crc;
}

/* Type and data of a chunk stand from `start` on, behind room for its length. */
static void close_chunk(struct buffer *out, size_t start)
{
    enum { LENGTH = 4, TYPE = 4 };
    size_t size = out->size - start - LENGTH;
    uint32_t length = (uint32_t)(size - TYPE);
    for (unsigned i = 0; i < LENGTH; i++)
        out->data[start + i] = (uint8_t)(length >> (24 - 8 * i));
    put32(out, crc32_of(out->data + start + LENGTH, size));
}

static size_t open_chunk(struct buffer *out, const char *type)
{
    size_t start = out->size;
    put32(out, 0);
    buffer_append(out, type, strlen(type));
    return start;
}

/* Each line of pixels has a filter byte in front. */
static void put_lines(struct buffer *out, const struct raster *r)
{
    static const uint8_t no_filter = 0;
    for (uint32_t y = 0; y < r->height; y++) {
        buffer_append(out, &no_filter, 1);
        buffer_append(out, r->pixels + (size_t)y * r->width * 3, (size_t)r->width * 3);
    }
}

static uint32_t adler32_of(const uint8_t *data, size_t size)
{
    enum { MODULUS = 65521 };
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % MODULUS;
        b = (b + a) % MODULUS;
    }
    return b << 16 | a;
}

static void put_stored(struct buffer *out, const uint8_t *data, size_t size)
{
    static const uint8_t zlib_header[] = {0x78, 0x01};
    buffer_append(out, zlib_header, sizeof zlib_header);
    for (size_t done = 0; done < size; done += PNG_BLOCK) {
        size_t n = size - done < PNG_BLOCK ? size - done : PNG_BLOCK;
        const uint8_t head[] = {done + n == size, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)~n,
                                (uint8_t)(~n >> 8)};
        buffer_append(out, head, sizeof head);
        buffer_append(out, data + done, n);
    }
    put32(out, adler32_of(data, size));
}

static void write_png(struct sim *s, const struct raster *r, struct buffer *out)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t format[] = {8, 2, 0, 0, 0}; /* bits, RGB, methods, not interlaced */
    struct buffer lines;
    buffer_append(out, signature, sizeof signature);
    size_t chunk = open_chunk(out, "IHDR");
    put32(out, r->width);
    put32(out, r->height);
    buffer_append(out, format, sizeof format);
    close_chunk(out, chunk);
    buffer_init(&lines, s->mem);
    put_lines(&lines, r);
    chunk = open_chunk(out, "IDAT");
    put_stored(out, lines.data, lines.size);
    close_chunk(out, chunk);
    buffer_free(&lines);
    close_chunk(out, open_chunk(out, "IEND"));
}

/* ---- heat maps ---- */

struct heat {
    struct tile_info info;
    const struct tile_fragment *fragment;
    struct sim_map map;
    double low, high; /* of the finite values */
};

/* NAN: undefined, or no number. */
static double value_at(const struct heat *h, uint32_t row, uint32_t col)
{
    const struct element_type *t = element_type_of(h->info.dtype);
    if (!tile_fragment_is_defined(&h->info, h->fragment, row, col))
        return (double)NAN;
    if (h->info.storage == TILE_PREDICATE) {
        uint64_t bit = (uint64_t)row * h->info.cols + col;
        return h->fragment->bytes[bit / 8] >> (bit % 8) & 1;
    }
    uint64_t bits = sim_element_get(tile_format(&h->info), h->fragment->bytes,
                                    sim_map_index(&h->map, row, col));
    if (!t->bits)
        return (double)NAN;
    struct float_value v = t->decode(t, bits);
    return v.klass >= FLOAT_NAN ? (double)NAN : tile_value_of(v);
}

static void find_range(struct heat *h)
{
    h->low = (double)INFINITY;
    h->high = -(double)INFINITY;
    for (uint32_t row = 0; row < h->info.valid_rows; row++)
        for (uint32_t col = 0; col < h->info.valid_cols; col++) {
            double x = value_at(h, row, col);
            if (isfinite(x)) {
                h->low = x < h->low ? x : h->low;
                h->high = x > h->high ? x : h->high;
            }
        }
}

/* Dark blue over green to yellow; grey where there is no number. */
static struct color color_of(const struct heat *h, double x)
{
    static const struct color stops[] = {
        {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    if (isnan(x))
        return (struct color){190, 190, 190};
    double part = h->high > h->low ? (x - h->low) / (h->high - h->low) : 0.5;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    double place = part * LAST;
    unsigned i = place >= LAST ? LAST - 1 : (unsigned)place;
    double rest = place - i;
    const struct color a = stops[i], b = stops[i + 1];
    return (struct color){(uint8_t)lround(a.red + (b.red - a.red) * rest),
                          (uint8_t)lround(a.green + (b.green - a.green) * rest),
                          (uint8_t)lround(a.blue + (b.blue - a.blue) * rest)};
}

static void print_value(double x, struct buffer *out)
{
    char text[32];
    decimal_print(text, sizeof text, 6, x); /* as %g */
    buffer_printf(out, "%s", text);
}

static void heat_svg(const struct heat *h, const char *name, struct buffer *out)
{
    enum { CELL = 16, MARGIN = 24 };
    uint32_t rows = h->info.valid_rows, cols = h->info.valid_cols;
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                  "font-family=\"sans-serif\" font-size=\"12\">\n",
                  cols * CELL, rows * CELL + MARGIN);
    buffer_printf(out, "<text x=\"2\" y=\"16\">%s: %u x %u, ", name, rows, cols);
    print_value(h->low <= h->high ? h->low : 0.0, out);
    buffer_printf(out, " to ");
    print_value(h->low <= h->high ? h->high : 0.0, out);
    buffer_printf(out, "</text>\n");
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++) {
            double x = value_at(h, row, col);
            struct color c = color_of(h, x);
            buffer_printf(out,
                          "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" "
                          "fill=\"#%02x%02x%02x\"><title>(%u, %u) %s",
                          col * CELL, row * CELL + MARGIN, CELL, CELL, c.red, c.green, c.blue, row,
                          col, isnan(x) ? "no number" : "");
            if (!isnan(x))
                print_value(x, out);
            buffer_printf(out, "</title></rect>\n");
        }
    buffer_printf(out, "</svg>\n");
}

static void heat_png(struct sim *s, const struct heat *h, struct buffer *out)
{
    uint32_t rows = h->info.valid_rows, cols = h->info.valid_cols;
    uint32_t longest = rows > cols ? rows : cols, cell = longest ? PNG_PIXELS / longest : 1;
    cell = cell < 1 ? 1 : cell > PNG_LARGEST_CELL ? PNG_LARGEST_CELL : cell;
    struct raster r = {.width = cols * cell, .height = rows * cell};
    uint8_t *pixels = mem_resize(s->mem, NULL, (size_t)r.width * r.height * 3);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t col = 0; col < cols; col++) {
            struct color c = color_of(h, value_at(h, row, col));
            for (uint32_t i = 0; i < cell * cell; i++) {
                size_t y = row * cell + i / cell, x = col * cell + i % cell;
                memcpy(pixels + (y * r.width + x) * 3, &c, sizeof c);
            }
        }
    r.pixels = pixels;
    write_png(s, &r, out);
    mem_resize(s->mem, pixels, 0);
}

const char *sim_heatmap(struct sim *s, const char *name, enum sim_picture picture,
                        struct buffer *out)
{
    struct heat h;
    const char *problem = tile_find_fragment(s, name, &h.info, &h.fragment);
    if (problem)
        return problem;
    h.map = tile_map(&h.info);
    find_range(&h);
    if (picture == SIM_PNG)
        heat_png(s, &h, out);
    else
        heat_svg(&h, name, out);
    return NULL;
}

/* ---- layouts ---- */

/* A DataType, or PTO-AS's spelling of it: f16, i8. */
static bool find_type(const char *text, size_t length, uint8_t *dtype)
{
    const struct isa_enumeration *e = &isa_enumerations[ISA_ENUM_DataType];
    char name[16];
    int n = 0;
    if (length + 2 > sizeof name || !length)
        return false;
    if ((*text == 'f' || *text == 'F') && text[1] >= '0' && text[1] <= '9')
        n = snprintf(name, sizeof name, "FP%.*s", (int)length - 1, text + 1);
    else if (*text == 'i' || *text == 'I')
        n = snprintf(name, sizeof name, "S%.*s", (int)length - 1, text + 1);
    else
        n = snprintf(name, sizeof name, "%.*s", (int)length, text);
    const struct isa_member *m = isa_find_member(e, name, (size_t)n, UINT8_MAX);
    *dtype = m ? (uint8_t)m->value : 0;
    return m && sim_format_of(m->value)->klass != SIM_CLASS_NONE;
}

/* "NZ,f16,32x48" */
static const char *parse_layout(const char *text, struct tile_info *info)
{
    enum { LIMIT = 256 };
    enum sim_layout layout;
    const char *comma = strchr(text, ','), *second = comma ? strchr(comma + 1, ',') : NULL;
    char *end;
    if (!second)
        return "is written LAYOUT,TYPE,ROWSxCOLUMNS";
    if (!sim_layout_find(text, (size_t)(comma - text), &layout))
        return "the layout is none of ND DN ZN NZ ZZ NN M16 M32 N8";
    if (!find_type(comma + 1, (size_t)(second - comma - 1), &info->dtype))
        return "the type is no data type such as f16";
    unsigned long rows = strtoul(second + 1, &end, 10), cols = 0;
    if (*end == 'x' || *end == 'X')
        cols = strtoul(end + 1, &end, 10);
    if (*end || !rows || !cols || rows > LIMIT || cols > LIMIT)
        return "the shape is ROWSxCOLUMNS, each 1 to 256";
    info->rows = info->valid_rows = (uint32_t)rows;
    info->cols = info->valid_cols = (uint32_t)cols;
    info->capacity = UINT32_MAX;
    tile_info_set_layout(info, layout);
    return NULL;
}

static void draw_cell(const struct tile_info *info, const struct sim_map *map, uint32_t row,
                      uint32_t col, struct buffer *out)
{
    enum { CELL = 32, MARGIN = 24 };
    uint32_t box = row / info->box_rows + col / info->box_cols;
    buffer_printf(out,
                  "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                  "stroke=\"#888\"/><text x=\"%u\" y=\"%u\">%u</text>\n",
                  col * CELL, row * CELL + MARGIN, CELL, CELL, box % 2 ? "#dde8f6" : "#fff7e0",
                  col * CELL + CELL / 2, row * CELL + MARGIN + CELL / 2 + 4,
                  sim_map_index(map, row, col));
}

const char *sim_draw_layout(const char *text, struct buffer *out)
{
    enum { CELL = 32, MARGIN = 24 };
    struct tile_info info = {0};
    uint64_t needed;
    const char *problem = parse_layout(text, &info);
    if (problem)
        return problem;
    if (sim_layout_is_cube((enum sim_layout)info.layout) && !tile_info_set_cube(&info, &needed))
        return "the layout has no cells of this type, or fewer rows";
    if (info.rows % info.box_rows || info.cols % info.box_cols)
        return "the shape is not whole boxes of the layout";
    struct sim_map map = tile_map(&info);
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                  "font-family=\"sans-serif\" font-size=\"10\" text-anchor=\"middle\">\n",
                  info.cols * CELL, info.rows * CELL + MARGIN);
    buffer_printf(out,
                  "<text x=\"2\" y=\"16\" font-size=\"12\" text-anchor=\"start\">%s: boxes of %u x "
                  "%u</text>\n",
                  text, info.box_rows, info.box_cols);
    for (uint32_t row = 0; row < info.rows; row++)
        for (uint32_t col = 0; col < info.cols; col++)
            draw_cell(&info, &map, row, col, out);
    buffer_printf(out, "</svg>\n");
    return NULL;
}
