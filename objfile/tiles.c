/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * .pto.tiles: the tiles a program expects or names, as NUL-terminated lines
 * that `readelf -p` shows (docs/elf.md). The first line is "pto-tiles 1 COUNT".
 */
#include "objfile/internal.h"

#include <stdlib.h>
#include <string.h>

enum { TILES_VERSION = 1, TILE_NUMBERS = 11 };

static const char hand_letters[] = "TUMN";

void tiles_write(const struct object *o, struct buffer *out)
{
    if (o->tiles.count == 0)
        return;
    buffer_printf(out, "pto-tiles %d %zu", TILES_VERSION, o->tiles.count);
    buffer_extend(out, 1);
    for (size_t i = 0; i < o->tiles.count; i++) {
        const struct obj_tile *t = &o->tiles.item[i];

        buffer_printf(out, "%s %s %c %u %u %u %u %u %u %u %u %u %u %u %s", t->input ? "in" : "out",
                      t->name, hand_letters[t->hand & 3], t->ordinal, t->dtype, t->blayout,
                      t->slayout, t->compact, t->fractal, t->rows, t->cols, t->v_rows, t->v_cols,
                      t->capacity, t->type);
        buffer_extend(out, 1);
    }
}

/* The next blank-separated word of a line, NULL at its end. */
static char *take_word(char **at)
{
    char *word = *at;

    if (!*word)
        return NULL;
    char *blank = strchr(word, ' ');
    if (blank)
        *blank = '\0';
    *at = blank ? blank + 1 : word + strlen(word);
    return word;
}

static bool take_number(char **at, uint64_t max, uint64_t *value)
{
    const char *word = take_word(at);
    char *end;

    if (!word || *word < '0' || *word > '9')
        return false;
    *value = strtoull(word, &end, 10); /* saturates, which is above every max */
    return *end == '\0' && *value <= max;
}

static bool parse_tile(struct obj_tile *t, char *line)
{
    static const uint64_t max[TILE_NUMBERS] = {UINT8_MAX,  31,         OBJ_COL_MAJOR, OBJ_NONE_BOX,
                                               2,          UINT16_MAX, UINT32_MAX,    UINT32_MAX,
                                               UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint64_t n[TILE_NUMBERS];
    const char *role = take_word(&line), *name = take_word(&line), *hand = take_word(&line);

    if (!role || (strcmp(role, "in") && strcmp(role, "out")))
        return false;
    if (!name || !*name || !hand || strlen(hand) != 1 || !strchr(hand_letters, *hand))
        return false;
    for (int i = 0; i < TILE_NUMBERS; i++)
        if (!take_number(&line, max[i], &n[i]))
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

const char *tiles_read(struct object *o, const uint8_t *data, size_t size)
{
    if (size == 0 || data[size - 1] != '\0')
        return "does not end with a NUL byte";
    char *at = arena_copy(o->arena, data, size), *end = at + size;
    char *line = at;
    uint64_t version, count;

    at += strlen(at) + 1;
    const char *magic = take_word(&line);
    if (!magic || strcmp(magic, "pto-tiles") || !take_number(&line, UINT32_MAX, &version) ||
        !take_number(&line, UINT32_MAX, &count) || *line)
        return "does not begin with \"pto-tiles VERSION COUNT\"";
    if (version != TILES_VERSION)
        return arena_printf(o->arena, "has version %llu, expected %d", (unsigned long long)version,
                            TILES_VERSION);
    while (at < end) {
        size_t length = strlen(at);
        struct obj_tile tile;

        if (!parse_tile(&tile, at))
            return arena_printf(o->arena, "has a malformed row %zu", o->tiles.count + 1);
        *vec_push(o->mem, &o->tiles) = tile;
        at += length + 1;
    }
    if (o->tiles.count != count)
        return arena_printf(o->arena, "has %zu rows, its first line says %llu", o->tiles.count,
                            (unsigned long long)count);
    return NULL;
}
