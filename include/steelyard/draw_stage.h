/* draw_stage: a board in a page whose pieces a script can move, in the looks of draw.
 *
 * Every cell is a group with the attribute data-cell, its number; the first thing in it is the cell's
 * outline, and a <use> in it shows the piece: href="#PREFIXn", n being the piece's code, or no href on an
 * empty cell. Outlines have the classes "cell" and "t0", "t1", ... by the cell's colour, "of2" on boards of
 * up to two, and take their fill from the page. The prefix must be fit for an id. */
#ifndef STEELYARD_DRAW_STAGE_H
#define STEELYARD_DRAW_STAGE_H

#include "steelyard/position.h"

/* Definitions of all pieces of the variant, an <svg> that shows nothing; once a page and prefix. */
char *sy_draw_stage_pieces(const struct sy_variant *variant, const char *prefix);

/* The board with this position on it, an <svg>; title and description are plain text. Both return new
 * strings. */
char *sy_draw_stage(const struct sy_position *position, const char *prefix, const char *title,
                    const char *description);

#endif
