/* draw: boards as pictures (SVG, and PNG through rsvg-convert) and as text for a terminal.
 *
 * Every picture is drawn from the board's own cells and coordinates, so any variant can be drawn. An SVG has
 * a white ground, a <title> and a <desc> that says in words what it shows, no ids, no style sheet and no
 * date: the same call gives the same bytes, and several can stand in one page. */
#ifndef STEELYARD_DRAW_H
#define STEELYARD_DRAW_H

#include "steelyard/position.h"

enum { SY_MAX_CORNERS = 24 };

/* A cell's outline in the board's coordinates, clockwise (y upwards). */
struct sy_polygon {
    unsigned corners;
    double x[SY_MAX_CORNERS], y[SY_MAX_CORNERS];
};

/* Neighbouring cells share the corners between them, except on a written-out board, where cells are discs. */
void sy_draw_cell(const struct sy_board *board, unsigned cell, struct sy_polygon *out);

/* What to show with a position. All zero but `moves_of` is plain. */
struct sy_drawing {
    const char *title; /* NULL: the variant's title */
    sy_move last;      /* the move that led here, SY_NO_MOVE for none */
    unsigned moves_of; /* mark where the piece on this cell can go; SY_NO_CELL for none */
    bool turned;       /* half a turn, Black below */
};

/* The position as an SVG; a new string. drawing: NULL is plain. */
char *sy_draw_position(const struct sy_position *position, const struct sy_drawing *drawing);

/* The moves the piece on the cell has, were it its side's turn; returns their number (sy_generate's limit).
 */
unsigned sy_draw_moves_of(const struct sy_position *position, unsigned cell, sy_move *moves);

/* A number for each cell, drawn as colour and figure. */
struct sy_heat {
    const char *title;          /* above the picture; NULL: the variant's title */
    const char *measure;        /* what the numbers are, with their unit, below the legend */
    double value[SY_MAX_CELLS]; /* NaN: none for this cell (drawn white, no figure) */
    double low, high;           /* ends of the scale, for pictures to be compared; both 0: the numbers' own */
    bool turned;
};
char *sy_draw_heat(const struct sy_variant *variant, const struct sy_heat *heat); /* SVG; a new string */

/* For each cell, how many cells a white piece of the type can go to from it on the empty board. */
void sy_draw_mobility(const struct sy_variant *variant, unsigned type, double value[SY_MAX_CELLS]);

/* The same two as text, each line ending in a newline; new strings. White's pieces are in brackets, [K], and
 * Black's in parentheses, (k); square boards have letters alone. The cell's name stands where there is no
 * piece (on square boards a dot, names at the rim). */
char *sy_draw_position_text(const struct sy_position *position, const struct sy_drawing *drawing);
char *sy_draw_heat_text(const struct sy_variant *variant, const struct sy_heat *heat);

/* Writes an SVG as a PNG `width` pixels wide. Needs rsvg-convert (Debian: librsvg2-bin) at run time. */
SY_MUST_USE enum sy_status sy_draw_png(const char *svg, const char *path, unsigned width,
                                       struct sy_error *error);

/* The same in two steps, so that several can be under way. Every one that was begun must be ended, which
 * frees it. */
struct sy_png; /* opaque */
struct sy_png *sy_png_begin(const char *svg, const char *path, unsigned width);
SY_MUST_USE enum sy_status sy_png_end(struct sy_png *png, struct sy_error *error);

#endif
