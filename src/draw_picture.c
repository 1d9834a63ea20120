/* draw_picture: the frame of a picture and its parts that positions and heat maps share.
 *
 * The board's coordinates become pixels once, at the beginning; everything after that is drawn in pixels. */
#include "draw_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FONT "font-family=\"DejaVu Sans,Verdana,Helvetica,Arial,sans-serif\""
enum { MARGIN = 16, RIM = 20, TITLE_SIZE = 17, NARROWEST = 300 };

/* ---- text ---- */

/* XML 1.0 has no control characters but tab and line ends, and not U+FFFE or U+FFFF. */
static bool is_xml(const char *bytes, size_t length)
{
    const unsigned char first = (unsigned char)bytes[0];
    return length > 0 && !(length == 1 && (first < 0x20 || first == 0x7f)) &&
           !(length == 3 && memcmp(bytes, "\xef\xbf", 2) == 0 && (unsigned char)bytes[2] >= 0xbe);
}

void sy_picture_escape(struct sy_text *text, const char *string)
{
    for (const char *end = string + strlen(string); string < end;) {
        const size_t length = sy_utf8_length(string, (size_t)(end - string));
        switch (*string) {
        case '&':
            sy_text_puts(text, "&amp;");
            break;
        case '<':
            sy_text_puts(text, "&lt;");
            break;
        case '>':
            sy_text_puts(text, "&gt;");
            break;
        case '"':
            sy_text_puts(text, "&quot;");
            break;
        default:
            sy_text_add(text, is_xml(string, length) ? string : "?", is_xml(string, length) ? length : 1);
        }
        string += length ? length : 1;
    }
}

void sy_picture_text(struct sy_picture *picture, double x, double y, double size, const char *anchor,
                     const char *style, const char *string)
{
    sy_text_printf(&picture->svg, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
    if (size > 0.0) {
        sy_text_printf(&picture->svg, " font-size=\"%.2f\"", size);
    }
    if (*anchor) {
        sy_text_printf(&picture->svg, " text-anchor=\"%s\"", anchor);
    }
    sy_text_printf(&picture->svg, "%s%s>", *style ? " " : "", style);
    sy_picture_escape(&picture->svg, string);
    sy_text_puts(&picture->svg, "</text>\n");
}

/* ---- layout ---- */

static void place_cells(struct sy_picture *picture, bool turned)
{
    const struct sy_board *board = picture->board;
    const double x_scale = (turned ? -1 : 1) * SY_DRAW_UNIT * sy_draw_scale(board);
    picture->left = picture->top = INFINITY;
    picture->right = picture->bottom = -INFINITY;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        struct sy_polygon *outline = &picture->outline[cell];
        sy_draw_cell(board, cell, outline);
        picture->x[cell] = x_scale * board->x[cell];
        picture->y[cell] = -x_scale * board->y[cell];
        for (unsigned i = 0; i < outline->corners; i++) {
            outline->x[i] *= x_scale;
            outline->y[i] *= -x_scale;
            picture->left = fmin(picture->left, outline->x[i]);
            picture->right = fmax(picture->right, outline->x[i]);
            picture->top = fmin(picture->top, outline->y[i]);
            picture->bottom = fmax(picture->bottom, outline->y[i]);
        }
    }
}

static void shift_cells(struct sy_picture *picture, double dx, double dy)
{
    for (unsigned cell = 0; cell < picture->board->cells; cell++) {
        struct sy_polygon *outline = &picture->outline[cell];
        picture->x[cell] += dx;
        picture->y[cell] += dy;
        for (unsigned i = 0; i < outline->corners; i++) {
            outline->x[i] += dx;
            outline->y[i] += dy;
        }
    }
    picture->left += dx;
    picture->right += dx;
    picture->top += dy;
    picture->bottom += dy;
}

/* The distance from a cell's centre to its nearest edge. */
static double inner_radius(const struct sy_picture *picture, unsigned cell)
{
    const struct sy_polygon *outline = &picture->outline[cell];
    double nearest = INFINITY;
    for (unsigned i = 0; i < outline->corners; i++) {
        const unsigned j = (i + 1) % outline->corners;
        const double dx = outline->x[j] - outline->x[i], dy = outline->y[j] - outline->y[i];
        const double cross =
            dx * (picture->y[cell] - outline->y[i]) - dy * (picture->x[cell] - outline->x[i]);
        nearest = fmin(nearest, fabs(cross) / hypot(dx, dy));
    }
    return nearest;
}

static void lay_out(struct sy_picture *picture, bool turned, const char *title, double below)
{
    place_cells(picture, turned);
    picture->inner = INFINITY;
    for (unsigned cell = 0; cell < picture->board->cells; cell++) {
        picture->inner = fmin(picture->inner, inner_radius(picture, cell));
    }
    const double rim = sy_is_square_board(picture->board) ? RIM : 0;
    const double across = picture->right - picture->left, up = picture->bottom - picture->top;
    /* Letters are on average less than two thirds as wide as high. */
    const double words = 0.66 * TITLE_SIZE * (double)strlen(title);
    const double room = fmax(across + 2 * rim, fmax(NARROWEST, words));
    picture->width = ceil(room + 2 * MARGIN);
    picture->height = ceil(MARGIN + TITLE_SIZE + 12 + up + rim + below + MARGIN);
    shift_cells(picture, (picture->width - across) / 2 - picture->left,
                MARGIN + TITLE_SIZE + 12 - picture->top);
    picture->bottom += rim;
}

void sy_picture_begin(struct sy_picture *picture, const struct sy_board *board, bool turned,
                      const char *title, const char *description, double below)
{
    picture->board = board;
    lay_out(picture, turned, title, below);
    struct sy_text *svg = &picture->svg;
    sy_text_printf(svg,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
                   "viewBox=\"0 0 %.0f %.0f\" fill=\"#1b1b1b\" " FONT ">\n<title>",
                   picture->width, picture->height, picture->width, picture->height);
    sy_picture_escape(svg, title);
    sy_text_puts(svg, "</title>\n<desc>");
    sy_picture_escape(svg, description);
    sy_text_printf(svg, "</desc>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", picture->width,
                   picture->height);
    sy_picture_text(picture, picture->width / 2, MARGIN + TITLE_SIZE - 4, TITLE_SIZE, "middle",
                    "font-weight=\"bold\"", title);
}

char *sy_picture_end(struct sy_picture *picture)
{
    sy_text_puts(&picture->svg, "</svg>\n");
    return picture->svg.bytes;
}

/* ---- cells ---- */

void sy_picture_cell(struct sy_picture *picture, unsigned cell, double factor, const char *style)
{
    const struct sy_polygon *outline = &picture->outline[cell];
    sy_text_puts(&picture->svg, "<polygon points=\"");
    for (unsigned i = 0; i < outline->corners; i++) {
        const double x = picture->x[cell], y = picture->y[cell];
        sy_text_printf(&picture->svg, "%s%.1f,%.1f", i ? " " : "", x + factor * (outline->x[i] - x),
                       y + factor * (outline->y[i] - y));
    }
    sy_text_printf(&picture->svg, "\"%s%s/>\n", *style ? " " : "", style);
}

void sy_picture_links(struct sy_picture *picture)
{
    const struct sy_board *board = picture->board;
    if (strcmp(board->kind, "cells") != 0) {
        return;
    }
    sy_text_puts(&picture->svg, "<path fill=\"none\" stroke=\"#6f5536\" stroke-width=\"2\" d=\"");
    for (unsigned cell = 0; cell < board->cells; cell++) {
        for (unsigned slot = 0; slot < board->slots; slot++) {
            const unsigned next = board->next_cell[cell][slot];
            if (next != SY_NO_CELL) {
                sy_text_printf(&picture->svg, "M%.2f %.2fL%.2f %.2f", picture->x[cell], picture->y[cell],
                               picture->x[next], picture->y[next]);
            }
        }
    }
    sy_text_puts(&picture->svg, "\"/>\n");
}

/* The file's letter below its lowest cell and the rank's number left of its first one, as the board lies. */
static void name_rim(struct sy_picture *picture)
{
    const struct sy_board *board = picture->board;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        const struct sy_polygon *outline = &picture->outline[cell];
        const double low = fmax(outline->y[0], outline->y[2]), left = fmin(outline->x[0], outline->x[2]);
        const char file[] = {board->name[cell][0], '\0'};
        if (low > picture->bottom - RIM - 1) {
            sy_picture_text(picture, picture->x[cell], low + 15, 13, "middle", "", file);
        }
        if (left < picture->left + 1) {
            sy_picture_text(picture, left - 11, picture->y[cell] + 4.5, 13, "middle", "",
                            board->name[cell] + 1);
        }
    }
}

void sy_picture_names(struct sy_picture *picture, sy_set white_ink)
{
    const struct sy_board *board = picture->board;
    if (sy_is_square_board(board)) {
        name_rim(picture);
        return;
    }
    size_t letters = 1;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        letters = strlen(board->name[cell]) > letters ? strlen(board->name[cell]) : letters;
    }
    sy_text_printf(&picture->svg, "<g text-anchor=\"middle\" font-size=\"%.2f\" fill=\"#4a3a22\">\n",
                   fmin(0.34 * picture->inner, 1.6 * picture->inner / (double)letters));
    for (unsigned cell = 0; cell < board->cells; cell++) {
        sy_picture_text(picture, picture->x[cell], picture->y[cell] + 0.88 * picture->inner, 0.0, "",
                        sy_has(white_ink, cell) ? "fill=\"#fff\"" : "", board->name[cell]);
    }
    sy_text_puts(&picture->svg, "</g>\n");
}
