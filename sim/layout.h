/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where element (row, column) of a tile stands in its payload.
 *
 * Every layout is one formula with other numbers: the tile is cut into boxes of
 * box_rows x box_cols elements, and the index is a sum of four products (box
 * row, box column, row in the box, column in the box). Sources: pto-isa
 * asl/tile/model/definedness/elements.asl (RowMajor, ColumnMajor, ZN, NZ),
 * asl/tile/model/shape/cube-cell.asl (CUBE), docs/tmov.md (boxes of PTO-AS).
 * The capital letter orders the boxes, the small one the elements in a box.
 */
#ifndef PTO_SIM_LAYOUT_H
#define PTO_SIM_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/format.h"

enum sim_layout {
#define LAYOUT(id, ...) SIM_##id,
#include "sim/layout.def"
#undef LAYOUT
    SIM_LAYOUT_COUNT
};

enum { SIM_CUBE_CELL_BYTES = 128 };

/* index = row/box_rows * box_row + col/box_cols * box_col + row%box_rows * row + col%box_cols * col
 */
struct sim_map {
    uint32_t box_rows, box_cols;
    uint32_t box_row, box_col, row, col; /* strides in elements */
    bool swap_quads; /* CUBE_M16 of four-bit elements: column groups 1 and 2 of a cell change place
                      */
};

/* The names as the conformance vectors spell them: "RowMajor", "CUBE_M16". */
const char *sim_layout_name(enum sim_layout layout);
/* By the short name, in any case: "nz", "M16". False: none has it. */
bool sim_layout_find(const char *text, size_t length, enum sim_layout *layout);
bool sim_layout_is_cube(enum sim_layout layout);
bool sim_layout_is_boxed(enum sim_layout layout);         /* ZN, NZ, ZZ, NN */
bool sim_layout_boxes_go_across(enum sim_layout layout);  /* of these ZN, ZZ */
bool sim_layout_is_column_inside(enum sim_layout layout); /* ZN, NN, CUBE_N8 */

/* The box that the ISA gives a boxed layout: 16 rows of 32 bytes. 1x1 for the others. */
void sim_layout_box(enum sim_layout layout, const struct sim_format *f, uint32_t *rows,
                    uint32_t *cols);
/* The box of a PTO-AS fractal of 512, 1024, 32 or 16 bytes (`columns_inside`: the small letter is
 * n). False: no such box for this element width. */
bool sim_layout_fractal_box(unsigned fractal, bool columns_inside, const struct sim_format *f,
                            uint32_t *rows, uint32_t *cols);

/* CUBE cells: rows and columns of one 128-byte cell; false for a type that has none. */
bool sim_cube_cell(enum sim_layout layout, const struct sim_format *f, uint32_t *rows,
                   uint32_t *cols);

/* The map of a tile of rows x cols physical elements. For CUBE layouts rows and cols are the
 * storage extents (whole cells). */
struct sim_map sim_map_of(enum sim_layout layout, const struct sim_format *f, uint32_t box_rows,
                          uint32_t box_cols, uint32_t rows, uint32_t cols);

static inline uint32_t sim_map_index(const struct sim_map *m, uint32_t row, uint32_t col)
{
    uint32_t in_col = col % m->box_cols;
    if (m->swap_quads && in_col / 4 % 3) /* groups 1 and 2 of 0..3 */
        in_col ^= 12;
    return row / m->box_rows * m->box_row + col / m->box_cols * m->box_col +
           row % m->box_rows * m->row + in_col * m->col;
}

/* True when elements col, col+1, … of one row stand one behind the other over the whole row. */
bool sim_map_row_is_contiguous(const struct sim_map *m);

#endif
