/* notation: moves as text (positions: fen.h). */
#ifndef STEELYARD_NOTATION_H
#define STEELYARD_NOTATION_H

#include "steelyard/fen.h"
#include "steelyard/outcome.h"

enum { SY_MOVE_TEXT = 24 };

/* FROMTO, a promotion letter in lower case appended; FROM*TO a shot; FROM~TO a swap. Returns text. */
char *sy_move_text(const struct sy_variant *variant, sy_move move, char text[SY_MOVE_TEXT]);

/* The legal move so written; the error says what is wrong with it (no such cell, nothing there, the other
 * side's piece, leaves the king in check, ...). */
SY_MUST_USE enum sy_status sy_move_parse(const struct sy_position *position, const char *text, sy_move *move,
                                         struct sy_error *error);

/* Plays moves so written from a position and notes the keys of all positions, its own first, in the history.
 * Stops at the first that is illegal; the error names its number. */
SY_MUST_USE enum sy_status sy_moves_play(struct sy_position *position, struct sy_history *history,
                                         char *const *moves, int count, struct sy_error *error);

#endif
