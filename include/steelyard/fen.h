/* fen: positions as one line of text, in the manner of the Forsyth-Edwards notation.
 *
 * Board, side to move, castling rights (only in games that castle), en passant cells, halfmove clock and
 * fullmove number. The board's rows come top or outermost first, "/" between them; a number is a run of
 * empty cells and may have two digits; White's letters are upper case. */
#ifndef STEELYARD_FEN_H
#define STEELYARD_FEN_H

#include "steelyard/position.h"

/* Reads a line; both counters may be left out together. Errors name the field, the row and the cell. */
SY_MUST_USE enum sy_status sy_fen_parse(const struct sy_variant *variant, const char *fen,
                                        struct sy_position *position, struct sy_error *error);

/* The line of a position; a new string. */
char *sy_fen(const struct sy_position *position);

#endif
