/* draw_pieces: what pieces look like. A handful of pieces that everybody knows have shapes, drawn for this
 * program; any other is its letter in a disc, small for a pawn-like piece and crowned for a royal. Pieces of
 * several types that count as one material show their letters, since a shape would hide which is which.
 *
 * Shapes are drawn in a box of 100 by 100 round 0, 0, y downwards. */
#include "draw_internal.h"

#include <string.h>

struct shape {
    const char *name; /* of the piece */
    const char *path;
};

#define BASE "M-27 38V32Q-27 25-20 25H20Q27 25 27 32V38Z"
static const struct shape shapes[] = {
    {"pawn", BASE "M-17 25C-12 16-7 8-6-3H6C7 8 12 16 17 25Z"
                  "M-12-3A4 4 0 0 1-8-9H8A4 4 0 0 1 12-3Z"
                  "M0-36A13.5 13.5 0 0 1 0-9A13.5 13.5 0 0 1 0-36Z"},
    {"rook", BASE "M-16 25L-13-8H13L16 25Z"
                  "M-22-8V-34H-12V-26H-5V-34H5V-26H12V-34H22V-8Z"},
    {"bishop", BASE "M-17 25C-11 19-9 14-9 8H9C9 14 11 19 17 25Z"
                    "M-12 8C-21-4-15-20 0-33C15-20 21-4 12 8Z"
                    "M4-20L-3-7"
                    "M0-42A5 5 0 0 1 0-32A5 5 0 0 1 0-42Z"},
    {"knight", BASE "M-19 25C-18 10-4 4-5-6C-10-1-15 0-20 7C-26 11-33 4-29-3C-25-10-22-16-19-23L-16-39"
                    "L-7-31C13-32 27-12 22 25Z"
                    "M-15-16L-10-19M8-22C15-13 17-3 16 10"},
    {"queen", BASE "M-20 25L-31-18L-15 4L-15-28L-4 2L0-33L4 2L15-28L15 4L31-18L20 25ZM-20 15H20"
                   "M-31-27A4.5 4.5 0 0 1-31-18A4.5 4.5 0 0 1-31-27Z"
                   "M-15-37A4.5 4.5 0 0 1-15-28A4.5 4.5 0 0 1-15-37Z"
                   "M0-42A4.5 4.5 0 0 1 0-33A4.5 4.5 0 0 1 0-42Z"
                   "M15-37A4.5 4.5 0 0 1 15-28A4.5 4.5 0 0 1 15-37Z"
                   "M31-27A4.5 4.5 0 0 1 31-18A4.5 4.5 0 0 1 31-27Z"},
    {"king", BASE "M-4-44H4V-38H10V-31H4V-22H-4V-31H-10V-38H-4Z"
                  "M-18 25L-27 2C-32-17-10-25 0-10C10-25 32-17 27 2L18 25Z"
                  "M-20 15H20M0-10V6"},
};
#define CROWN "M-15-20L-21-42L-8-33L0-46L8-33L21-42L15-20Z"

struct ink {
    const char *fill, *line;
};
static const struct ink inks[] = {{"#fff", "#111"}, {"#111", "#fff"}};

static const char *shape_of(const struct sy_variant *variant, unsigned type)
{
    const unsigned material = variant->type[type].material;
    for (unsigned other = 0; other < variant->types; other++) {
        if (other != type && variant->type[other].material == material) {
            return NULL;
        }
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(variant->type[type].name, shapes[i].name) == 0) {
            return shapes[i].path;
        }
    }
    return NULL;
}

static void add_token(struct sy_picture *picture, const struct sy_type *type, const struct ink *ink)
{
    const bool royal = type->royalty != SY_COMMON;
    const double radius = royal ? 29 : type->progress ? 28 : 36, y = royal ? 8 : 0;
    const char letter[] = {type->letter, '\0'};
    if (royal) {
        sy_text_puts(&picture->svg, "<path d=\"" CROWN "\"/>");
    }
    sy_text_printf(&picture->svg, "<circle cy=\"%.0f\" r=\"%.0f\"/>", y, radius);
    sy_text_printf(
        &picture->svg,
        "<text y=\"%.1f\" font-size=\"%.0f\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"%s\" "
        "stroke=\"none\">",
        y + 0.44 * radius, 1.22 * radius, ink->line);
    sy_picture_escape(&picture->svg, letter);
    sy_text_puts(&picture->svg, "</text>");
}

void sy_draw_piece(struct sy_picture *picture, const struct sy_variant *variant, unsigned piece, double x,
                   double y, double radius)
{
    const unsigned type = sy_piece_type(piece), side = sy_piece_side(piece);
    const struct ink *ink = &inks[side];
    const char *path = shape_of(variant, type);
    sy_text_printf(&picture->svg,
                   "<g transform=\"translate(%.2f %.2f) scale(%.4f)\" fill=\"%s\" stroke=\"%s\" "
                   "stroke-width=\"%d\" stroke-linejoin=\"round\">",
                   x, y, radius / 44, ink->fill, ink->line, side == SY_WHITE ? 4 : 3);
    if (path) {
        sy_text_printf(&picture->svg, "<path d=\"%s\"/>", path);
    } else {
        add_token(picture, &variant->type[type], ink);
    }
    sy_text_puts(&picture->svg, "</g>\n");
}
