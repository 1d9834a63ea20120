/* movegen: the legal moves of a position, attacks and checks.
 *
 * Legality is decided before a move is made: see view.h. */
#ifndef STEELYARD_MOVEGEN_H
#define STEELYARD_MOVEGEN_H

#include "steelyard/view.h"

enum { SY_MAX_MOVES = 1024 };

/* All legal moves, in an order fixed by the tables; returns their number. None when the game has ended by
 * a captured or bare royal. */
unsigned sy_generate(const struct sy_position *position, sy_move moves[SY_MAX_MOVES]);

/* Only those that capture (shots and en passant included) or promote. */
unsigned sy_generate_captures(const struct sy_position *position, sy_move moves[SY_MAX_MOVES]);

/* Only those that sy_generate_captures leaves out. */
unsigned sy_generate_quiets(const struct sy_position *position, sy_move moves[SY_MAX_MOVES]);

/* How many sy_generate would give, without writing them. */
unsigned sy_count_legal(const struct sy_position *position);

/* Whether the move, perhaps of another position, is legal here. */
bool sy_is_legal(const struct sy_position *position, sy_move move);

/* The same from a view that is open on the position. */
unsigned sy_view_moves(struct sy_view *view, const struct sy_position *position, sy_move moves[SY_MAX_MOVES]);
unsigned sy_view_count(struct sy_view *view, const struct sy_position *position);

/* The n-th legal move, 0 <= n < sy_view_count, in an order of its own; each move has one number. */
sy_move sy_view_nth(struct sy_view *view, const struct sy_position *position, unsigned n);

bool sy_view_is_legal(const struct sy_view *view, const struct sy_position *position, sy_move move);

/* In two parts: moves that capture (shots and en passant included) or promote, and all others. Plain moves of
 * the royal by check are not looked into, as most are never tried: ask sy_view_is_safe before playing one. */
unsigned sy_view_captures(struct sy_view *view, const struct sy_position *position,
                          sy_move moves[SY_MAX_MOVES]);
unsigned sy_view_quiets(struct sy_view *view, const struct sy_position *position,
                        sy_move moves[SY_MAX_MOVES]);

/* Of the quiet moves, only the plain ones whose target is in the set for the piece's type. */
unsigned sy_view_quiets_onto(struct sy_view *view, const struct sy_position *position,
                             const sy_set onto[SY_MAX_TYPES], sy_move moves[SY_MAX_MOVES]);

/* False when the move takes the royal where it could be captured; true for all other moves. */
bool sy_view_is_safe(const struct sy_view *view, const struct sy_position *position, sy_move move);

/* Does a piece of that code on `from` capture on `cell` at once or by the first line between the two, with
 * these cells occupied? Further lines (variant->extra) are not looked at. */
static inline bool sy_bears_upon(const struct sy_variant *variant, unsigned code, unsigned from,
                                 unsigned cell, sy_set occupied)
{
    const struct sy_piece *piece = &variant->piece[code];
    const struct sy_reverse *reverse = &piece->reverse[cell];
    const sy_set bit = sy_bit(from);
    const unsigned line = cell * variant->cells + from;
    if (reverse->leap & bit) {
        return true;
    }
    if (reverse->slide & bit && !(piece->slide_between[line] & occupied)) {
        return true;
    }
    return reverse->hop & bit && sy_count(piece->hop_between[line] & occupied) == piece->hop_over;
}

/* Could `side` capture on the cell, were an enemy there, with these cells occupied? Pins do not matter.
 * Pieces of `side` outside `occupied` are left out. */
bool sy_attacked(const struct sy_position *position, unsigned cell, unsigned side, sy_set occupied);

/* Is the side to move in check? False in games without a royal by check. */
bool sy_in_check(const struct sy_position *position);

/* Cells from which `side` attacks `cell` with these cells occupied (shots included). */
sy_set sy_attackers(const struct sy_position *position, unsigned cell, unsigned side, sy_set occupied);

/* Can the side to move legally take en passant? */
bool sy_can_take_en_passant(const struct sy_position *position);

/* Cells the piece on `cell` could capture on (whoever is there) and cells it could quietly move to,
 * legality aside. For evaluation and pictures. */
sy_set sy_capture_reach(const struct sy_position *position, unsigned cell);
sy_set sy_quiet_reach(const struct sy_position *position, unsigned cell);

/* Leaf count at a depth >= 0; the last ply is counted, not played. */
uint64_t sy_perft(struct sy_position *position, unsigned depth);

#endif
