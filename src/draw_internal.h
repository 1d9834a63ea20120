/* What the files of draw share. */
#ifndef STEELYARD_DRAW_INTERNAL_H
#define STEELYARD_DRAW_INTERNAL_H

#include "steelyard/draw.h"

/* Pixels between the centres of neighbours. */
#define SY_DRAW_UNIT 60.0

/* What the board's coordinates are multiplied with so that neighbours are one apart: a written-out board may
 * have any unit, the others have this one. Very uneven boards stay of bounded size instead. */
double sy_draw_scale(const struct sy_board *board);

/* A picture under way: text so far, and where the board's coordinates lie on it (y downwards there). */
struct sy_picture {
    struct sy_text svg;
    const struct sy_board *board;
    struct sy_polygon outline[SY_MAX_CELLS]; /* in pixels */
    double x[SY_MAX_CELLS], y[SY_MAX_CELLS]; /* centres, in pixels */
    double inner;                            /* the largest radius of a disc that fits into every cell */
    double left, top, right, bottom;         /* the board's extent */
    double width, height;
};

/* Lays the board out with the title above and `below` pixels under it, and begins the SVG. */
void sy_picture_begin(struct sy_picture *picture, const struct sy_board *board, bool turned,
                      const char *title, const char *description, double below);
/* Ends it and gives up its text. */
char *sy_picture_end(struct sy_picture *picture);

/* Text with everything escaped that XML wants escaped; what XML cannot carry becomes '?'. */
void sy_picture_escape(struct sy_text *text, const char *string);

/* One cell's outline, its corners drawn in towards the centre by the factor; `style` is attributes. */
void sy_picture_cell(struct sy_picture *picture, unsigned cell, double factor, const char *style);
/* A line of text; anchor "start", "middle" or "end"; style: further attributes, may be "". With size 0 or
 * anchor
 * "" the group that it stands in says it. */
void sy_picture_text(struct sy_picture *picture, double x, double y, double size, const char *anchor,
                     const char *style, const char *string);
/* Names of cells: at the rim of square boards, else low in each cell; white on the cells of the set. */
void sy_picture_names(struct sy_picture *picture, sy_set white_ink);
/* On written-out boards: lines between the cells that a step joins. */
void sy_picture_links(struct sy_picture *picture);

/* A piece centred on x, y that fits into a disc of that radius. */
void sy_draw_piece(struct sy_picture *picture, const struct sy_variant *variant, unsigned piece, double x,
                   double y, double radius);

static inline bool sy_is_square_board(const struct sy_board *board)
{
    return board->kind[0] == 's';
}

#endif
