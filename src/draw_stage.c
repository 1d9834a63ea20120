/* draw_stage: see its header. The pieces are drawn once and used by reference, so that a page with several
 * games stays small. */
#include "steelyard/draw_stage.h"

#include "draw_internal.h"

#include <stdlib.h>

static const struct sy_picture *lay_out(struct sy_picture *picture, const struct sy_variant *variant,
                                        const char *title, const char *description)
{
    sy_picture_begin(picture, variant->board, false, title, description, 0.0);
    return picture;
}

char *sy_draw_stage_pieces(const struct sy_variant *variant, const char *prefix)
{
    struct sy_picture *board = sy_alloc(1, sizeof *board);
    struct sy_picture *pieces = sy_alloc(1, sizeof *pieces);
    const double inner = lay_out(board, variant, "", "")->inner;
    const double radius = (sy_is_square_board(variant->board) ? 0.86 : 0.8) * inner;
    sy_text_puts(&pieces->svg,
                 "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"pieces\"><defs>\n");
    for (unsigned piece = 0; piece < 2 * variant->types; piece++) {
        sy_text_printf(&pieces->svg, "<g id=\"%s%u\">", prefix, piece);
        sy_draw_piece(pieces, variant, piece, 0.0, 0.0, radius);
        sy_text_puts(&pieces->svg, "</g>\n");
    }
    sy_text_puts(&pieces->svg, "</defs></svg>\n");
    char *svg = pieces->svg.bytes;
    sy_text_clear(&board->svg);
    free(board);
    free(pieces);
    return svg;
}

static void add_cell(struct sy_picture *picture, const struct sy_position *position, unsigned cell,
                     const char *prefix)
{
    const struct sy_board *board = picture->board;
    const double up = sy_is_square_board(board) ? 0.0 : 0.1 * picture->inner;
    char *style = sy_format("class=\"cell%s t%u\"", board->colours <= 2 ? " of2" : "",
                            board->colours == 1 ? 1U : board->colour[cell] % 4U);
    sy_text_printf(&picture->svg, "<g data-cell=\"%u\">", cell);
    sy_picture_cell(picture, cell, 1.0, style);
    sy_text_printf(&picture->svg, "<use x=\"%.2f\" y=\"%.2f\"", picture->x[cell], picture->y[cell] - up);
    if (position->piece[cell] != SY_NO_PIECE) {
        sy_text_printf(&picture->svg, " href=\"#%s%u\"", prefix, position->piece[cell]);
    }
    sy_text_puts(&picture->svg, "/></g>\n");
    free(style);
}

char *sy_draw_stage(const struct sy_position *position, const char *prefix, const char *title,
                    const char *description)
{
    struct sy_picture *picture = sy_alloc(1, sizeof *picture);
    lay_out(picture, position->variant, title, description);
    sy_picture_links(picture);
    for (unsigned cell = 0; cell < position->variant->cells; cell++) {
        add_cell(picture, position, cell, prefix);
    }
    sy_text_puts(&picture->svg, "<g class=\"names\">\n");
    sy_picture_names(picture, SY_EMPTY_SET);
    sy_text_puts(&picture->svg, "</g>\n");
    char *svg = sy_picture_end(picture);
    free(picture);
    return svg;
}
