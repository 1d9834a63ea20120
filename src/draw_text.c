/* draw_text: boards in characters.
 *
 * Cells are plotted at their own places. A line is as high as the smallest step between two heights of cells,
 * and columns are as narrow as they can be without labels touching, but never so narrow that the board looks
 * squeezed (a character is taken to be half as wide as high). */
#include "draw_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 16 };

struct plot {
    const struct sy_board *board;
    bool turned;
    char label[SY_MAX_CELLS][LABEL];
    int column[SY_MAX_CELLS], line[SY_MAX_CELLS]; /* of a label's middle */
    int columns, lines;
};

/* The smallest difference that counts between any two of the numbers; `fallback` if there is none. */
static double smallest_step(const double *numbers, unsigned count, double least, double fallback)
{
    double smallest = INFINITY;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const double step = fabs(numbers[i] - numbers[j]);
            if (step > 1e-6) {
                smallest = fmin(smallest, step);
            }
        }
    }
    return isfinite(smallest) && smallest >= least ? smallest : fallback;
}

static int label_start(const struct plot *plot, unsigned cell)
{
    return plot->column[cell] - (int)(strlen(plot->label[cell]) - 1) / 2;
}

/* Are all labels a space apart? */
static bool fits(const struct plot *plot)
{
    for (unsigned a = 0; a < plot->board->cells; a++) {
        for (unsigned b = 0; b < plot->board->cells; b++) {
            const int start = label_start(plot, a), other = label_start(plot, b);
            if (a != b && plot->line[a] == plot->line[b] && start <= other &&
                other <= start + (int)strlen(plot->label[a])) {
                return false;
            }
        }
    }
    return true;
}

static void place(struct plot *plot, double columns, double lines)
{
    const struct sy_board *board = plot->board;
    const double sign = (plot->turned ? -1 : 1) * sy_draw_scale(board);
    double left = INFINITY, top = -INFINITY;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        left = fmin(left, sign * board->x[cell]);
        top = fmax(top, sign * board->y[cell]);
    }
    plot->columns = plot->lines = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        plot->column[cell] = (int)lround((sign * board->x[cell] - left) * columns) + LABEL / 4;
        plot->line[cell] = (int)lround((top - sign * board->y[cell]) * lines);
        plot->columns = plot->column[cell] >= plot->columns ? plot->column[cell] + 1 : plot->columns;
        plot->lines = plot->line[cell] >= plot->lines ? plot->line[cell] + 1 : plot->lines;
    }
}

static void lay_out(struct plot *plot)
{
    enum { WIDEST = 64 };
    const struct sy_board *board = plot->board;
    const double scale = sy_draw_scale(board);
    /* Where heights repeat, columns come at whole characters. */
    const double x_step = smallest_step(board->x, board->cells, 0.3 / scale, 0.5 / scale) * scale;
    const double lines = 1 / (smallest_step(board->y, board->cells, 0.45 / scale, 0.45 / scale) * scale);
    const int narrowest = (int)ceil(1.8 * lines * x_step);
    for (int wide = narrowest; wide < WIDEST; wide++) {
        place(plot, wide / x_step, lines);
        if (fits(plot)) {
            return;
        }
    }
    /* Cells in one place can't be told apart. */
    place(plot, narrowest / x_step, lines);
}

static char *print(const struct plot *plot)
{
    const int width = plot->columns + LABEL;
    char *row = sy_alloc((size_t)width + 1, 1);
    struct sy_text text = SY_TEXT_INIT;
    for (int line = 0; line < plot->lines; line++) {
        memset(row, ' ', (size_t)width);
        int end = 0;
        for (unsigned cell = 0; cell < plot->board->cells; cell++) {
            if (plot->line[cell] == line) {
                const int start = label_start(plot, cell), length = (int)strlen(plot->label[cell]);
                memcpy(row + start, plot->label[cell], (size_t)length);
                end = start + length > end ? start + length : end;
            }
        }
        sy_text_add(&text, row, (size_t)end);
        sy_text_puts(&text, "\n");
    }
    free(row);
    return text.bytes;
}

/* Adds labels of the rim to a square board's rows: the file below, the rank at the left. */
static char *with_rim(const struct plot *plot, char *rows)
{
    struct sy_text text = SY_TEXT_INIT;
    const char *row = rows;
    for (int line = 0; line < plot->lines; line++) {
        const size_t length = strcspn(row, "\n");
        const char *rank = "";
        for (unsigned cell = 0; cell < plot->board->cells; cell++) {
            rank = plot->line[cell] == line ? plot->board->name[cell] + 1 : rank;
        }
        sy_text_printf(&text, "%2s%.*s\n", rank, (int)length, row);
        row += length + 1;
    }
    char *files = sy_alloc((size_t)plot->columns + 1, 1);
    memset(files, ' ', (size_t)plot->columns);
    for (unsigned cell = 0; cell < plot->board->cells; cell++) {
        files[plot->column[cell]] = plot->board->name[cell][0];
    }
    sy_text_printf(&text, "  %s\n", files);
    free(files);
    free(rows);
    return text.bytes;
}

char *sy_draw_position_text(const struct sy_position *position, const struct sy_drawing *drawing)
{
    const struct sy_variant *variant = position->variant;
    const bool square = sy_is_square_board(variant->board);
    struct plot *plot = sy_alloc(1, sizeof *plot);
    plot->board = variant->board;
    plot->turned = drawing && drawing->turned;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const unsigned piece = position->piece[cell];
        if (piece == SY_NO_PIECE) {
            snprintf(plot->label[cell], LABEL, "%s", square ? "." : variant->board->name[cell]);
            continue;
        }
        const char upper = variant->type[sy_piece_type(piece)].letter;
        const bool white = sy_piece_side(piece) == SY_WHITE;
        const char letter = white ? upper : (char)tolower((unsigned char)upper);
        snprintf(plot->label[cell], LABEL, square ? "%c" : white ? "[%c]" : "(%c)", letter);
    }
    lay_out(plot);
    char *text = print(plot);
    text = square ? with_rim(plot, text) : text;
    free(plot);
    return text;
}

char *sy_draw_heat_text(const struct sy_variant *variant, const struct sy_heat *heat)
{
    struct plot *plot = sy_alloc(1, sizeof *plot);
    plot->board = variant->board;
    plot->turned = heat->turned;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        snprintf(plot->label[cell], LABEL, isfinite(heat->value[cell]) ? "%.4g" : "-", heat->value[cell]);
    }
    lay_out(plot);
    char *text = print(plot);
    text = sy_is_square_board(variant->board) ? with_rim(plot, text) : text;
    free(plot);
    return text;
}
