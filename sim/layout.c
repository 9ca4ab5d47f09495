/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/layout.h"

enum { FRACTAL_ROWS = 16, FRACTAL_ROW_BITS = 256, MX_PAIR = 2 };

static const char *const names[SIM_LAYOUT_COUNT] = {
    [SIM_ROW_MAJOR] = "RowMajor",
    [SIM_COLUMN_MAJOR] = "ColumnMajor",
    [SIM_ZN] = "ZN",
    [SIM_NZ] = "NZ",
    [SIM_ZZ] = "ZZ",
    [SIM_NN] = "NN",
    [SIM_CUBE_M16] = "CUBE_M16",
    [SIM_CUBE_M32] = "CUBE_M32",
    [SIM_CUBE_N8] = "CUBE_N8",
};

const char *sim_layout_name(enum sim_layout layout)
{
    return layout < SIM_LAYOUT_COUNT ? names[layout] : "?";
}

bool sim_layout_is_cube(enum sim_layout layout)
{
    return layout == SIM_CUBE_M16 || layout == SIM_CUBE_M32 || layout == SIM_CUBE_N8;
}

bool sim_layout_is_boxed(enum sim_layout layout)
{
    return layout == SIM_ZN || layout == SIM_NZ || layout == SIM_ZZ || layout == SIM_NN;
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
    switch (layout) {
    case SIM_CUBE_M16:
        *rows = 16;
        break;
    case SIM_CUBE_M32:
        *rows = 32;
        break;
    default:
        *rows = elements / 8;
        break;
    }
    *cols = elements / *rows;
    return true;
}

struct sim_map sim_map_of(enum sim_layout layout, const struct sim_format *f, uint32_t box_rows,
                          uint32_t box_cols, uint32_t rows, uint32_t cols)
{
    struct sim_map m = {.box_rows = box_rows, .box_cols = box_cols};
    uint32_t box = box_rows * box_cols;
    switch (layout) {
    case SIM_COLUMN_MAJOR:
        m.box_row = 1, m.box_col = rows;
        break;
    case SIM_ZZ:
    case SIM_ZN:
        m.box_row = cols * box_rows, m.box_col = box;
        break;
    case SIM_NZ:
    case SIM_NN:
    case SIM_CUBE_N8:
        m.box_row = box, m.box_col = rows * box_cols;
        break;
    case SIM_CUBE_M16:
    case SIM_CUBE_M32:
        m.box_row = 0, m.box_col = box; /* one cell high */
        break;
    default:
        m.box_row = cols, m.box_col = 1;
        break;
    }
    bool columns_inside = layout == SIM_ZN || layout == SIM_NN || layout == SIM_CUBE_N8;
    m.row = columns_inside ? 1 : box_cols;
    m.col = columns_inside ? box_rows : 1;
    m.swap_quads = layout == SIM_CUBE_M16 && f->bits == 4;
    return m;
}

bool sim_map_row_is_contiguous(const struct sim_map *m)
{
    return !m->swap_quads && m->col == 1 && m->box_col == m->box_cols;
}
