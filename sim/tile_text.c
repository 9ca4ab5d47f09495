/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles for a reader: a list, and a window on the values of one. */
#include <math.h>
#include <stdlib.h>

#include "sim/element.h"
#include "sim/tile.h"
#include "support/decimal.h"

enum { SHOWN_ROWS = 16, SHOWN_COLS = 16 };

static void print_info(const struct tile_info *info, struct buffer *out)
{
    const char *type = info->storage == TILE_PREDICATE ? "predicate" : sim_format_name(info->dtype);
    buffer_printf(out, "%s %s, %u x %u valid of %u x %u, %u bytes a PE", type,
                  sim_layout_name((enum sim_layout)info->layout), info->valid_rows,
                  info->valid_cols, info->rows, info->cols, info->capacity);
}

static void print_mask(uint8_t mask, struct buffer *out)
{
    buffer_printf(out, ", mask ");
    for (unsigned pe = 0; pe < SIM_PES; pe++)
        buffer_printf(out, "%d", (mask & pe_bit(pe)) != 0);
}

static void print_line(struct tile_name name, const struct tile_info *info, uint8_t mask,
                       struct buffer *out)
{
    buffer_printf(out, "%-5s ", name.text);
    print_info(info, out);
    print_mask(mask, out);
    buffer_printf(out, "\n");
}

void tile_print_list(const struct sim *s, bool shared, struct buffer *out)
{
    const struct tiles *t = s->tiles;
    size_t before = out->size;
    for (unsigned i = 0; !shared && i < TILE_SLOTS; i++)
        if (t->local[i].allocated)
            print_line(tile_slot_name(i), &t->local[i].info, t->local[i].mask, out);
    for (unsigned i = 0; shared && i < TILE_SHARED; i++)
        if (t->shared[i].valid)
            print_line(tile_shared_name(i), &t->shared[i].info, t->shared[i].mask, out);
    if (out->size == before)
        buffer_printf(out, "no %s tile is written\n", shared ? "Shared" : "Local");
}

/* ---- values ---- */

double tile_value_of(struct float_value v)
{
    enum { POINT = 126 };
    double magnitude = ldexp((double)v.significand, v.exponent - POINT);
    if (v.klass == FLOAT_ZERO)
        magnitude = 0;
    if (v.klass == FLOAT_INFINITE)
        magnitude = INFINITY;
    return v.sign ? -magnitude : magnitude;
}

/* The shortest text that reads back as the same number of the width. */
static void print_float(struct float_value v, unsigned bits, struct buffer *out)
{
    enum { DIGITS = 17 };
    char text[40] = "nan";
    if (v.klass != FLOAT_NAN && v.klass != FLOAT_SIGNALING) {
        double x = tile_value_of(v);
        for (int digits = 1; digits <= DIGITS; digits++) {
            decimal_print(text, sizeof text, digits, x);
            double back = bits == 64 ? decimal_to_double(text, NULL) : (double)decimal_to_float(text, NULL);
            if (back == x)
                break;
        }
    }
    buffer_printf(out, "%s", text);
}

static void print_element(const struct tile_info *info, const struct tile_fragment *f, uint32_t row,
                          uint32_t col, struct buffer *out)
{
    const struct sim_format *format = tile_format(info);
    const struct element_type *type = element_type_of(info->dtype);
    struct sim_map map = tile_map(info);
    if (!tile_fragment_is_defined(info, f, row, col)) {
        buffer_printf(out, "?");
        return;
    }
    if (info->storage == TILE_PREDICATE) {
        uint64_t bit = (uint64_t)row * info->cols + col;
        buffer_printf(out, "%d", f->bytes[bit / 8] >> (bit % 8) & 1);
        return;
    }
    uint64_t value = sim_element_get(format, f->bytes, sim_map_index(&map, row, col));
    unsigned unused = 64u - format->bits;
    if (format->klass == SIM_CLASS_SIGNED)
        buffer_printf(out, "%lld", (long long)((int64_t)(value << unused) >> unused));
    else if (format->klass == SIM_CLASS_UNSIGNED)
        buffer_printf(out, "%llu", (unsigned long long)value);
    else if (type->bits)
        print_float(type->decode(type, value), type->bits, out);
    else
        buffer_printf(out, "0x%llx", (unsigned long long)value);
}

static uint32_t shown(uint32_t first, uint32_t end, uint32_t limit)
{
    uint32_t rest = first < end ? end - first : 0;
    return rest < limit ? rest : limit;
}

/* A window of at most `most_rows` x `most_cols` elements from (row, col) on. */
static const char *print_window(const struct sim *s, const char *name, uint32_t row, uint32_t col,
                                uint32_t most_rows, uint32_t most_cols, struct buffer *out)
{
    struct tile_info info;
    const struct tile_fragment *f;
    const char *problem = tile_find_fragment(s, name, &info, &f);
    if (problem)
        return problem;
    if (row >= info.valid_rows || col >= info.valid_cols)
        return "the element is outside the tile's valid region";
    uint32_t rows = shown(row, info.valid_rows, most_rows);
    uint32_t cols = shown(col, info.valid_cols, most_cols);
    print_info(&info, out);
    buffer_printf(out, "\n");
    for (uint32_t r = row; r < row + rows; r++) {
        buffer_printf(out, "[%u,%u]", r, col);
        for (uint32_t c = col; c < col + cols; c++) {
            buffer_printf(out, " ");
            print_element(&info, f, r, c, out);
        }
        buffer_printf(out, "%s\n", col + cols < info.valid_cols ? " ..." : "");
    }
    if (row + rows < info.valid_rows)
        buffer_printf(out, "...\n");
    return NULL;
}

const char *tile_print(const struct sim *s, const char *name, uint32_t row, uint32_t col,
                       struct buffer *out)
{
    return print_window(s, name, row, col, SHOWN_ROWS, SHOWN_COLS, out);
}

const char *sim_show_tile(const struct sim *s, const char *name, struct buffer *out)
{
    return print_window(s, name, 0, 0, UINT32_MAX, UINT32_MAX, out);
}
