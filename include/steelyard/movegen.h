/* movegen: the legal moves of a position, attacks and checks.
 *
 * Legality is decided before a move is made: the lines on which an enemy piece could capture the royal
 * are found once a position, each with the number of pieces on it, and say where a piece may go so that the
 * number does not become the deadly one (0 for sliders, `over` for hoppers). */
#ifndef STEELYARD_MOVEGEN_H
#define STEELYARD_MOVEGEN_H

#include "steelyard/position.h"

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
