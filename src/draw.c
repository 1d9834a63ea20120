/* draw: a position as an SVG, from the ground up: cells, last move, check, pieces, names, marks of moves.
 *
 * Nothing is told by colour alone: tones of cells differ in lightness, White's pieces are white with black
 * lines and Black's the reverse, and every mark has a shape of its own. */
#include "steelyard/draw.h"

#include "draw_internal.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Tones of cells. Two neighbours in the list differ by about a sixth of the way from black to white. */
static const char *const tones_of_two[] = {"#cda873", "#f5ecd8"};
static const char *const tones_of_more[] = {"#e3caa0", "#f8f0de", "#c8a06a", "#b4874f"};
#define MARK_INK "#0a4d8c"
#define CHECK_INK "#b3261e"

static const char *tone(const struct sy_board *board, unsigned cell)
{
    const unsigned colour = board->colour[cell];
    if (board->colours <= 2) {
        return tones_of_two[board->colours == 1 ? 1 : colour];
    }
    /* Where corner steps join few cells or none, colours mean nothing. */
    const unsigned tones = sizeof tones_of_more / sizeof *tones_of_more;
    return board->colours <= tones ? tones_of_more[colour] : tones_of_two[1];
}

/* ---- words ---- */

static const char *side_name(unsigned side)
{
    return side == SY_WHITE ? "White" : "Black";
}

/* The royal that is in check, SY_NO_CELL when none is. */
static unsigned checked_cell(const struct sy_position *position)
{
    return sy_in_check(position) ? position->royal[position->to_move] : SY_NO_CELL;
}

static void describe_side(const struct sy_position *position, unsigned side, struct sy_text *text)
{
    sy_text_puts(text, side_name(side));
    const char *separator = ": ";
    for (unsigned type = 0; type < position->variant->types; type++) {
        for (sy_set left = sy_pieces(position, type, side); left;) {
            const unsigned cell = sy_pop(&left);
            sy_text_printf(text, "%s%s %s", separator, position->variant->type[type].name,
                           position->variant->board->name[cell]);
            separator = ", ";
        }
    }
    sy_text_puts(text, *separator == ':' ? ": nothing. " : ". ");
}

/* "Last move e2e4. Black to move, in check." */
static void add_status(const struct sy_position *position, const struct sy_drawing *drawing,
                       struct sy_text *text)
{
    char buffer[64];
    const struct sy_outcome outcome = sy_outcome_of(position, NULL, sy_count_legal(position));
    if (drawing->last != SY_NO_MOVE) {
        sy_text_printf(text, "Last move %s. ", sy_move_text(position->variant, drawing->last, buffer));
    }
    if (outcome.reason == SY_GOING_ON) {
        sy_text_printf(text, "%s to move%s.", side_name(position->to_move),
                       checked_cell(position) != SY_NO_CELL ? ", in check" : "");
    } else {
        sy_text_printf(text, "Over: %s, White scores %g.",
                       sy_reason_text(position->variant, outcome.reason, buffer), outcome.white_points);
    }
}

static void add_targets(const struct sy_position *position, unsigned cell, const sy_move *moves,
                        unsigned count, struct sy_text *text)
{
    sy_text_printf(text, " Moves of %s:", position->variant->board->name[cell]);
    for (unsigned i = 0; i < count; i++) {
        char move[SY_MOVE_TEXT];
        sy_text_printf(text, " %s", sy_move_text(position->variant, moves[i], move));
    }
    sy_text_puts(text, count ? "." : " none.");
}

/* ---- marks ---- */

/* A star with its first point upwards. */
static void add_star(struct sy_picture *picture, double x, double y, unsigned points, double outer,
                     double inner, const char *style)
{
    sy_text_puts(&picture->svg, "<path d=\"");
    for (unsigned i = 0; i < 2 * points; i++) {
        const double radius = i % 2 ? inner : outer, angle = PI / 2 - PI * i / points;
        sy_text_printf(&picture->svg, "%c%.2f %.2f", i ? 'L' : 'M', x + radius * cos(angle),
                       y - radius * sin(angle));
    }
    sy_text_printf(&picture->svg, "Z\" %s/>\n", style);
}

/* Two arrows, one each way. */
static void add_swap(struct sy_picture *picture, double x, double y, double size)
{
    static const char *const styles[] = {
        "fill=\"none\" stroke=\"#fff\" stroke-width=\"34\" stroke-linejoin=\"round\"",
        "fill=\"none\" stroke=\"" MARK_INK "\" stroke-width=\"16\""};
    for (unsigned i = 0; i < 2; i++) {
        sy_text_printf(&picture->svg,
                       "<path transform=\"translate(%.2f %.2f) scale(%.4f)\" "
                       "d=\"M-60-22H50M20-52L52-22L20 8M60 28H-50M-20-2L-52 28L-20 58\" %s/>\n",
                       x, y, size / 60, styles[i]);
    }
}

enum mark { MARK_QUIET, MARK_CAPTURE, MARK_SHOT, MARK_SWAP, MARKS };

static void add_mark(struct sy_picture *picture, enum mark mark, double x, double y, double radius)
{
    if (mark == MARK_QUIET) {
        sy_text_printf(&picture->svg,
                       "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"" MARK_INK
                       "\" stroke=\"#fff\" stroke-width=\"1.5\"/>\n",
                       x, y, 0.28 * radius);
    } else if (mark == MARK_CAPTURE) {
        sy_text_printf(&picture->svg,
                       "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"none\" stroke=\"#fff\" "
                       "stroke-width=\"5.5\"/>\n<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"none\" "
                       "stroke=\"" MARK_INK "\" stroke-width=\"3\"/>\n",
                       x, y, 0.88 * radius, x, y, 0.88 * radius);
    } else if (mark == MARK_SHOT) {
        add_star(picture, x, y, 5, 0.36 * radius, 0.15 * radius,
                 "fill=\"" MARK_INK "\" stroke=\"#fff\" stroke-width=\"1.5\"");
    } else {
        add_swap(picture, x, y, 0.42 * radius);
    }
}

static enum mark mark_of(const struct sy_position *position, sy_move move)
{
    switch (sy_move_kind(move)) {
    case SY_MOVE_SHOT:
        return MARK_SHOT;
    case SY_MOVE_SWAP:
        return MARK_SWAP;
    default:
        return sy_move_victim(position, move) == SY_NO_PIECE ? MARK_QUIET : MARK_CAPTURE;
    }
}

/* Stars and arrows stand high in the cell, beside the ring and the piece. Promotions to several pieces are
 * one mark. */
static void add_marks(struct sy_picture *picture, const struct sy_position *position, unsigned cell,
                      const sy_move *moves, unsigned count, bool used[MARKS])
{
    sy_set done[MARKS] = {0};
    sy_picture_cell(picture, cell, 0.92,
                    "fill=\"none\" stroke=\"" MARK_INK "\" stroke-width=\"3\" stroke-linejoin=\"round\"");
    for (unsigned i = 0; i < count; i++) {
        const enum mark mark = mark_of(position, moves[i]);
        const unsigned to = sy_move_to(moves[i]);
        if (sy_has(done[mark], to)) {
            continue;
        }
        done[mark] |= sy_bit(to);
        used[mark] = true;
        const double away = mark == MARK_SHOT || mark == MARK_SWAP ? 0.5 * picture->inner : 0;
        add_mark(picture, mark, picture->x[to] + away, picture->y[to] - away, picture->inner);
    }
}

static void add_key(struct sy_picture *picture, const bool used[MARKS], double y)
{
    static const char *const words[MARKS] = {"moves", "captures", "shoots", "changes places"};
    double x = picture->left + 10;
    for (unsigned mark = 0; mark < MARKS; mark++) {
        if (used[mark]) {
            add_mark(picture, (enum mark)mark, x, y, mark == MARK_CAPTURE ? 10 : 20);
            sy_picture_text(picture, x + 16, y + 4.5, 13, "start", "", words[mark]);
            x += 48 + 7.5 * (double)strlen(words[mark]);
        }
    }
}

static void add_last_move(struct sy_picture *picture, const struct sy_variant *variant, sy_move move)
{
    static const char left[] =
        "fill=\"none\" stroke=\"" MARK_INK "\" stroke-width=\"2.5\" stroke-dasharray=\"4 3\"",
                      reached[] = "fill=\"" MARK_INK "\" fill-opacity=\"0.16\" stroke=\"" MARK_INK
                                  "\" stroke-width=\"2.5\"";
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    const enum sy_move_kind kind = sy_move_kind(move);
    const bool shot = kind == SY_MOVE_SHOT;
    sy_picture_cell(picture, from, 0.92, shot || kind == SY_MOVE_SWAP ? reached : left);
    sy_picture_cell(picture, to, 0.92, shot ? left : reached);
    if (shot) {
        add_mark(picture, MARK_SHOT, picture->x[to], picture->y[to], 1.4 * picture->inner);
    }
    if (kind == SY_MOVE_CASTLE) {
        const struct sy_castling *castling = &variant->castling[sy_move_extra(move)];
        sy_picture_cell(picture, castling->rook_from, 0.92, left);
        sy_picture_cell(picture, castling->rook_to, 0.92, reached);
    }
}

/* ---- the picture ---- */

unsigned sy_draw_moves_of(const struct sy_position *position, unsigned cell, sy_move *moves)
{
    struct sy_position turn = *position;
    struct sy_undo undo;
    const unsigned piece = position->piece[cell];
    if (piece == SY_NO_PIECE) {
        return 0;
    }
    if (sy_piece_side(piece) != position->to_move) {
        sy_make_null(&turn, &undo);
    }
    const unsigned all = sy_generate(&turn, moves);
    unsigned count = 0;
    for (unsigned i = 0; i < all; i++) {
        if (sy_move_from(moves[i]) == cell) {
            moves[count++] = moves[i];
        }
    }
    return count;
}

static void add_board(struct sy_picture *picture)
{
    sy_picture_links(picture);
    for (unsigned cell = 0; cell < picture->board->cells; cell++) {
        char style[64];
        snprintf(style, sizeof style, "fill=\"%s\" stroke=\"#6f5536\"", tone(picture->board, cell));
        sy_picture_cell(picture, cell, 1, style);
    }
}

static void add_pieces(struct sy_picture *picture, const struct sy_position *position)
{
    /* Where names stand in the cells the pieces make room for them. */
    const bool named = !sy_is_square_board(picture->board);
    const double up = named ? 0.14 * picture->inner : 0;
    const unsigned checked = checked_cell(position);
    if (checked != SY_NO_CELL) {
        add_star(picture, picture->x[checked], picture->y[checked] - up, 14, 0.84 * picture->inner,
                 0.64 * picture->inner,
                 "fill=\"#f7c9c2\" stroke=\"" CHECK_INK "\" stroke-width=\"2.5\" stroke-linejoin=\"round\"");
    }
    for (sy_set left = sy_occupied(position); left;) {
        const unsigned cell = sy_pop(&left);
        sy_draw_piece(picture, position->variant, position->piece[cell], picture->x[cell],
                      picture->y[cell] - up, (named ? 0.76 : 0.86) * picture->inner);
    }
}

char *sy_draw_position(const struct sy_position *position, const struct sy_drawing *drawing)
{
    static const struct sy_drawing plain = {.moves_of = SY_NO_CELL};
    const struct sy_variant *variant = position->variant;
    drawing = drawing ? drawing : &plain;
    const char *title = drawing->title ? drawing->title : variant->title;
    const unsigned chosen = drawing->moves_of;
    sy_move moves[SY_MAX_MOVES];
    const unsigned count = chosen != SY_NO_CELL ? sy_draw_moves_of(position, chosen, moves) : 0;
    struct sy_text status = SY_TEXT_INIT, words = SY_TEXT_INIT;
    add_status(position, drawing, &status);
    describe_side(position, SY_WHITE, &words);
    describe_side(position, SY_BLACK, &words);
    sy_text_puts(&words, status.bytes);
    if (chosen != SY_NO_CELL) {
        add_targets(position, chosen, moves, count, &words);
    }
    struct sy_picture *picture = sy_alloc(1, sizeof *picture);
    sy_picture_begin(picture, variant->board, drawing->turned, title, words.bytes, count ? 52 : 28);
    add_board(picture);
    if (drawing->last != SY_NO_MOVE) {
        add_last_move(picture, variant, drawing->last);
    }
    add_pieces(picture, position);
    sy_picture_names(picture, SY_EMPTY_SET);
    sy_picture_text(picture, picture->left, picture->bottom + 20, 14, "start", "", status.bytes);
    if (count) {
        bool used[MARKS] = {false};
        add_marks(picture, position, chosen, moves, count, used);
        add_key(picture, used, picture->bottom + 41);
    }
    sy_text_clear(&status);
    sy_text_clear(&words);
    char *svg = sy_picture_end(picture);
    free(picture);
    return svg;
}
