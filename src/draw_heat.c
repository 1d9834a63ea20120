/* draw_heat: numbers on the cells of a board, as colour and figures.
 *
 * The colours run from light to dark with even steps of lightness, so that they read in grey and whichever
 * colours the eye tells apart; the figures say the rest. */
#include "draw_internal.h"
#include "steelyard/movegen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STOPS = 5, BARS = 42, LEGEND = 78 };
static const unsigned char ramp[STOPS][3] = {
    {255, 246, 219}, {248, 203, 122}, {224, 130, 72}, {158, 59, 84}, {61, 19, 72}};
/* From here on figures are white. */
#define DARK 0.58

struct range {
    double low, high;
};

static struct range range_of(const struct sy_heat *heat, unsigned cells)
{
    if (heat->low < heat->high) {
        return (struct range){heat->low, heat->high};
    }
    struct range range = {INFINITY, -INFINITY};
    for (unsigned cell = 0; cell < cells; cell++) {
        if (isfinite(heat->value[cell])) {
            range.low = fmin(range.low, heat->value[cell]);
            range.high = fmax(range.high, heat->value[cell]);
        }
    }
    return range.low <= range.high ? range : (struct range){0, 0};
}

/* 0 at the low end, 1 at the high one; the middle when all numbers are the same. */
static double share(const struct range *range, double value)
{
    return range->high > range->low ? (value - range->low) / (range->high - range->low) : 0.5;
}

static void colour_at(double place, char text[8])
{
    const double scaled = fmin(fmax(place, 0), 1) * (STOPS - 1);
    const unsigned stop = (unsigned)fmin(floor(scaled), STOPS - 2);
    unsigned channel[3];
    for (unsigned i = 0; i < 3; i++) {
        channel[i] = (unsigned)lround(ramp[stop][i] + (scaled - stop) * (ramp[stop + 1][i] - ramp[stop][i]));
    }
    snprintf(text, 8, "#%02x%02x%02x", channel[0] & 255U, channel[1] & 255U, channel[2] & 255U);
}

static bool is_whole(const struct sy_heat *heat, unsigned cells)
{
    bool whole = true;
    for (unsigned cell = 0; cell < cells; cell++) {
        whole = whole && (!isfinite(heat->value[cell]) || heat->value[cell] == floor(heat->value[cell]));
    }
    return whole;
}

/* Decimals that show a hundredth or so of the scale; none when all numbers are whole. */
static int decimals(const struct sy_heat *heat, unsigned cells, const struct range *range)
{
    const double width = range->high > range->low ? range->high - range->low : 1;
    return is_whole(heat, cells) ? 0 : (int)fmin(fmax(1 - floor(log10(width)), 0), 9);
}

static void figure(double value, int places, char text[32])
{
    snprintf(text, 32, fabs(value) < 1e7 ? "%.*f" : "%.*e", places, value);
}

/* 1, 2 or 5 times a power of ten, so that there are at most six ticks between the ends. */
static double tick_step(const struct range *range)
{
    static const double leading[] = {1, 2, 5};
    const double least = range->high > range->low ? (range->high - range->low) / 6 : 1;
    const double power = pow(10, floor(log10(least)));
    for (unsigned i = 0; i < 3; i++) {
        if (leading[i] * power >= least) {
            return leading[i] * power;
        }
    }
    return 10 * power;
}

static void add_tick(struct sy_picture *picture, const struct range *range, double value, double left,
                     double across, double y, int places)
{
    char text[32];
    const double x = left + share(range, value) * across;
    figure(value, places, text);
    sy_text_printf(&picture->svg, "<path d=\"M%.2f %.2fv5\" stroke=\"#444\"/>\n", x, y);
    sy_picture_text(picture, x, y + 19, 13, "middle", "", text);
}

static void add_legend(struct sy_picture *picture, const struct sy_heat *heat, const struct range *range,
                       int places)
{
    const double across = fmin(picture->right - picture->left, 420), top = picture->bottom + 14;
    const double left = (picture->width - across) / 2, bar = across / BARS;
    char text[32];
    for (unsigned i = 0; i < BARS; i++) {
        colour_at((i + 0.5) / BARS, text);
        /* A little wider than its place, or renderers leave hairs of white between two. */
        sy_text_printf(&picture->svg, "<path d=\"M%.1f %.1fh%.1fv14h-%.1fz\" fill=\"%s\"/>\n", left + i * bar,
                       top, i + 1 < BARS ? bar + 0.5 : bar, i + 1 < BARS ? bar + 0.5 : bar, text);
    }
    sy_text_printf(
        &picture->svg,
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"14\" fill=\"none\" stroke=\"#444\"/>\n", left,
        top, across);
    const double step = fmax(tick_step(range), pow(10, -places));
    add_tick(picture, range, range->low, left, across, top + 14, places);
    for (double tick = step * ceil(range->low / step + 0.4); tick < range->high - 0.4 * step; tick += step) {
        add_tick(picture, range, tick, left, across, top + 14, places);
    }
    if (range->high > range->low) {
        add_tick(picture, range, range->high, left, across, top + 14, places);
    }
    sy_picture_text(picture, picture->width / 2, top + 53, 14, "middle", "", heat->measure);
}

static void describe(const struct sy_board *board, const struct sy_heat *heat, int places,
                     struct sy_text *words)
{
    char text[32];
    sy_text_printf(words, "%s:", heat->measure);
    for (unsigned i = 0; i < board->cells; i++) {
        const unsigned cell = board->order[i];
        if (isfinite(heat->value[cell])) {
            figure(heat->value[cell], places, text);
            sy_text_printf(words, " %s %s", board->name[cell], text);
        }
    }
}

/* All figures have the size that fits the longest. Numbers that are not whole have two digits at least. */
static void add_figures(struct sy_picture *picture, const struct sy_heat *heat, int places, sy_set dark)
{
    char text[SY_MAX_CELLS][32];
    size_t longest = 1;
    const bool mixed = places == 0 && !is_whole(heat, picture->board->cells);
    for (unsigned cell = 0; cell < picture->board->cells; cell++) {
        text[cell][0] = '\0';
        if (isfinite(heat->value[cell])) {
            figure(heat->value[cell], mixed && heat->value[cell] < 9.95 ? 1 : places, text[cell]);
            longest = strlen(text[cell]) > longest ? strlen(text[cell]) : longest;
        }
    }
    const double size = fmin(0.72 * picture->inner, 2.6 * picture->inner / (double)longest);
    const double raised = sy_is_square_board(picture->board) ? 0 : 0.1 * picture->inner;
    sy_text_printf(&picture->svg, "<g text-anchor=\"middle\" font-size=\"%.2f\">\n", size);
    for (unsigned cell = 0; cell < picture->board->cells; cell++) {
        if (*text[cell]) {
            sy_picture_text(picture, picture->x[cell], picture->y[cell] + 0.36 * size - raised, 0.0, "",
                            sy_has(dark, cell) ? "fill=\"#fff\"" : "", text[cell]);
        }
    }
    sy_text_puts(&picture->svg, "</g>\n");
}

char *sy_draw_heat(const struct sy_variant *variant, const struct sy_heat *heat)
{
    const struct sy_board *board = variant->board;
    const struct range range = range_of(heat, board->cells);
    const int places = decimals(heat, board->cells, &range);
    const char *title = heat->title ? heat->title : variant->title;
    struct sy_text words = SY_TEXT_INIT;
    describe(board, heat, places, &words);
    struct sy_picture *picture = sy_alloc(1, sizeof *picture);
    sy_picture_begin(picture, board, heat->turned, title, words.bytes, LEGEND);
    sy_text_clear(&words);
    sy_picture_links(picture);
    sy_set dark = SY_EMPTY_SET;
    sy_text_puts(&picture->svg, "<g stroke=\"#6f5536\">\n");
    for (unsigned cell = 0; cell < board->cells; cell++) {
        char colour[8] = "#fff", style[24];
        if (isfinite(heat->value[cell])) {
            const double place = share(&range, heat->value[cell]);
            colour_at(place, colour);
            dark |= place >= DARK ? sy_bit(cell) : SY_EMPTY_SET;
        }
        snprintf(style, sizeof style, "fill=\"%s\"", colour);
        sy_picture_cell(picture, cell, 1, style);
    }
    sy_text_puts(&picture->svg, "</g>\n");
    add_figures(picture, heat, places, dark);
    sy_picture_names(picture, dark);
    add_legend(picture, heat, &range, places);
    char *svg = sy_picture_end(picture);
    free(picture);
    return svg;
}

void sy_draw_mobility(const struct sy_variant *variant, unsigned type, double value[SY_MAX_CELLS])
{
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        struct sy_position position;
        sy_position_clear(&position, variant);
        sy_position_put(&position, cell, sy_piece_code(type, SY_WHITE));
        value[cell] = sy_count(sy_quiet_reach(&position, cell));
    }
}
