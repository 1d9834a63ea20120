/* board: a board's topology, compiled from its description to neighbours, steps and lines.
 *
 * Every board is the same structure to the rest of the program. From a cell lead up to SY_MAX_SLOTS
 * numbered ways out, its slots: first the edges, clockwise, then (same number, same order) the corners,
 * corner i lying between edge i and edge i+1. Going out by a slot one arrives at next_cell, and a series of
 * steps goes on from there by next_slot; SY_NO_SLOT ends it. On a plane board the slot stays the same all
 * along a line; on a radial one it need not, so lines are always walked, never computed from differences.
 *
 * Cells are numbered so that on plane boards every straight line runs through rising or falling numbers,
 * which the slide tables use. */
#ifndef STEELYARD_BOARD_H
#define STEELYARD_BOARD_H

#include "steelyard/json.h"
#include "steelyard/set.h"

enum { SY_MAX_SLOTS = 16, SY_NO_SLOT = 255, SY_MAX_DIRECTIONS = 48, SY_CELL_NAME = 8, SY_MAX_ROWS = 64 };

/* A named direction set, such as "forward": for each side (0 White, 1 Black) and cell the slots it means. */
struct sy_directions {
    char name[24];
    uint16_t slots[2][SY_MAX_CELLS];
};

struct sy_board {
    char kind[12];  /* "square", "hexagon", "radial", "cells" */
    unsigned cells; /* 1..128 */
    unsigned edges; /* edges of a cell, 4 or 6; on a written-out board the number of directions */
    unsigned slots; /* edges and corners */
    char name[SY_MAX_CELLS][SY_CELL_NAME];
    uint8_t next_cell[SY_MAX_CELLS][SY_MAX_SLOTS]; /* SY_NO_CELL off the board */
    uint8_t next_slot[SY_MAX_CELLS][SY_MAX_SLOTS]; /* SY_NO_SLOT where a series ends */
    uint8_t distance[SY_MAX_CELLS][SY_MAX_CELLS];  /* edge steps, 255 when out of reach */
    uint8_t colour[SY_MAX_CELLS];                  /* 0.. : cells joined by corner steps share one */
    unsigned colours;
    /* The order in which a FEN lists cells: rows, top or outermost first. Row r is
     * order[row_start[r]] .. order[row_start[r + 1] - 1]. */
    unsigned rows;
    uint8_t row_start[SY_MAX_ROWS + 1];
    uint8_t order[SY_MAX_CELLS];
    /* Symmetries of the board that exchange the two sides; SY_NO_CELL in [0] when the board lacks it. */
    uint8_t flip[SY_MAX_CELLS]; /* upside down, left stays left */
    uint8_t turn[SY_MAX_CELLS]; /* half a turn */
    /* Centres for drawing, in units of the distance between neighbours, y upwards. */
    double x[SY_MAX_CELLS], y[SY_MAX_CELLS];
    unsigned direction_count;
    struct sy_directions directions[SY_MAX_DIRECTIONS];
};

/* Compiles the description (a variant file's "board" object). On success *out is a new board; free() it.
 * The forms are described in experiments/README.md. */
SY_MUST_USE enum sy_status sy_board_create(const struct sy_json_doc *doc, const struct sy_json *description,
                                           struct sy_board **out, struct sy_error *error);

/* The cell of that name (length bytes), SY_NO_CELL when there is none. */
unsigned sy_board_cell(const struct sy_board *board, const char *name, size_t length);

/* The named direction set, NULL when the board has none of that name. */
const struct sy_directions *sy_board_directions(const struct sy_board *board, const char *name);

/* All direction names, comma-separated, for messages; a new string. */
char *sy_board_direction_names(const struct sy_board *board);

/* Cells whose names match a glob pattern (fnmatch): "a*" a file, "?2" a rank, "?z?" a track. */
sy_set sy_board_match(const struct sy_board *board, const char *pattern);

#endif
