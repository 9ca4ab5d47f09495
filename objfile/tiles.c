/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .pto.tiles: the tiles a program expects or names, as NUL-terminated lines
 * that `readelf -p` shows (docs/elf.md). The first line is "pto-tiles 1 COUNT".
 */
#include "objfile/internal.h"

#include <string.h>

enum { TILE_NUMBERS = 11 };

static const char hand_letters[] = "TUMN";

static bool read_tile(struct object *o, char *line);
static const struct line_format format = {"pto-tiles", read_tile};

void tiles_write(const struct object *o, struct buffer *out)
{
    if (o->tiles.count == 0)
        return;
    lines_begin(&format, o->tiles.count, out);
    for (size_t i = 0; i < o->tiles.count; i++) {
        const struct obj_tile *t = &o->tiles.item[i];

        buffer_printf(out, "%s %s %c %u %u %u %u %u %u %u %u %u %u %u %s", t->input ? "in" : "out",
                      t->name, hand_letters[t->hand & 3], t->ordinal, t->dtype, t->blayout,
                      t->slayout, t->compact, t->fractal, t->rows, t->cols, t->v_rows, t->v_cols,
                      t->capacity, t->type);
        buffer_extend(out, 1);
    }
}

static bool parse_tile(struct obj_tile *t, char *line)
{
    static const uint64_t max[TILE_NUMBERS] = {UINT8_MAX,  31,         OBJ_COL_MAJOR, OBJ_NONE_BOX,
                                               2,          UINT16_MAX, UINT32_MAX,    UINT32_MAX,
                                               UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint64_t n[TILE_NUMBERS];
    const char *role = line_take_word(&line), *name = line_take_word(&line),
               *hand = line_take_word(&line);

    if (!role || (strcmp(role, "in") && strcmp(role, "out")))
        return false;
    if (!name || !*name || !hand || strlen(hand) != 1 || !strchr(hand_letters, *hand))
        return false;
    for (int i = 0; i < TILE_NUMBERS; i++)
        if (!line_take_number(&line, max[i], &n[i]))
            return false;
    *t = (struct obj_tile){
        .name = name,
        .type = line,
        .hand = (uint8_t)(strchr(hand_letters, *hand) - hand_letters),
        .ordinal = (uint8_t)n[0],
        .input = role[0] == 'i',
        .dtype = (uint8_t)n[1],
        .blayout = (uint8_t)n[2],
        .slayout = (uint8_t)n[3],
        .compact = (uint8_t)n[4],
        .fractal = (uint16_t)n[5],
        .rows = (uint32_t)n[6],
        .cols = (uint32_t)n[7],
        .v_rows = (uint32_t)n[8],
        .v_cols = (uint32_t)n[9],
        .capacity = (uint32_t)n[10],
    };
    return true;
}

static bool read_tile(struct object *o, char *line)
{
    struct obj_tile tile;
    if (!parse_tile(&tile, line))
        return false;
    *vec_push(o->mem, &o->tiles) = tile;
    return true;
}

const char *tiles_read(struct object *o, const uint8_t *data, size_t size)
{
    return lines_read(o, &format, data, size);
}
