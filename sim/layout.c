/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/layout.h"

#include <string.h>
#include <strings.h>

enum { FRACTAL_ROWS = 16, FRACTAL_ROW_BITS = 256, MX_PAIR = 2 };

enum kind { PLAIN, BOXED, CELLS };
enum order { ACROSS, DOWN, ONE_HIGH };

struct layout {
    const char *name, *brief;
    uint8_t kind, boxes, inside; /* enum kind, enum order, enum order */
    uint8_t cell_rows, cell_cols;
    bool swaps_nibbles;
};

static const struct layout layouts[SIM_LAYOUT_COUNT] = {
#define LAYOUT(id, ...) [SIM_##id] = {__VA_ARGS__},
#include "sim/layout.def"
#undef LAYOUT
};

const char *sim_layout_name(enum sim_layout layout)
{
    return layout < SIM_LAYOUT_COUNT ? layouts[layout].name : "?";
}

bool sim_layout_find(const char *text, size_t length, enum sim_layout *layout)
{
    for (unsigned i = 0; i < SIM_LAYOUT_COUNT; i++)
        if (strlen(layouts[i].brief) == length && !strncasecmp(layouts[i].brief, text, length)) {
            *layout = (enum sim_layout)i;
            return true;
        }
    return false;
}

bool sim_layout_is_cube(enum sim_layout layout)
{
    return layouts[layout].kind == CELLS;
}

bool sim_layout_is_boxed(enum sim_layout layout)
{
    return layouts[layout].kind == BOXED;
}

bool sim_layout_boxes_go_across(enum sim_layout layout)
{
    return layouts[layout].kind == BOXED && layouts[layout].boxes == ACROSS;
}

bool sim_layout_is_column_inside(enum sim_layout layout)
{
    return layouts[layout].inside == DOWN;
}

void sim_layout_box(enum sim_layout layout, const struct sim_format *f, uint32_t *rows,
                    uint32_t *cols)
{
    if (sim_layout_is_boxed(layout)) {
        *rows = FRACTAL_ROWS;
        *cols = FRACTAL_ROW_BITS / f->bits;
    } else if (!sim_cube_cell(layout, f, rows, cols)) {
        *rows = *cols = 1;
    }
}

bool sim_layout_fractal_box(unsigned fractal, bool columns_inside, const struct sim_format *f,
                            uint32_t *rows, uint32_t *cols)
{
    uint32_t outer = FRACTAL_ROWS, inner;
    switch (fractal) {
    case 512:
        inner = FRACTAL_ROW_BITS / f->bits;
        break;
    case 1024:
        inner = FRACTAL_ROWS;
        break;
    case 32:
        inner = MX_PAIR;
        break;
    case 16:
        inner = 1;
        break;
    default:
        return false;
    }
    *rows = columns_inside ? inner : outer;
    *cols = columns_inside ? outer : inner;
    return true;
}

bool sim_cube_cell(enum sim_layout layout, const struct sim_format *f, uint32_t *rows,
                   uint32_t *cols)
{
    if (!sim_layout_is_cube(layout) || f->bits == 64 || !f->bits)
        return false;
    uint32_t elements = SIM_CUBE_CELL_BYTES * 8 / f->bits;
    const struct layout *l = &layouts[layout];
    *rows = l->cell_rows ? l->cell_rows : elements / l->cell_cols;
    *cols = elements / *rows;
    return true;
}

struct sim_map sim_map_of(enum sim_layout layout, const struct sim_format *f, uint32_t box_rows,
                          uint32_t box_cols, uint32_t rows, uint32_t cols)
{
    struct sim_map m = {.box_rows = box_rows, .box_cols = box_cols};
    uint32_t box = box_rows * box_cols;
    const struct layout *l = &layouts[layout];
    m.box_row = l->boxes == ACROSS ? cols * box_rows : l->boxes == DOWN ? box : 0;
    m.box_col = l->boxes == DOWN ? rows * box_cols : box;
    m.row = l->inside == DOWN ? 1 : box_cols;
    m.col = l->inside == DOWN ? box_rows : 1;
    m.swap_quads = l->swaps_nibbles && f->bits == 4;
    return m;
}

bool sim_map_row_is_contiguous(const struct sim_map *m)
{
    return !m->swap_quads && m->col == 1 && m->box_col == m->box_cols;
}
