/* pgn: games in Portable Game Notation (Edwards 1994), movetext in standard algebraic notation with the
 * variant's own letters and cell names, or as from-to pairs. */
#ifndef STEELYARD_PGN_H
#define STEELYARD_PGN_H

#include "steelyard/notation.h"

struct sy_pgn_game {
    bool found;     /* false at the end of the text; nothing to clear then */
    size_t line;    /* where the game begins */
    char result[8]; /* "1-0", "0-1", "1/2-1/2", "3/4-1/4", "1/4-3/4", "*" */
    sy_move *moves;
    size_t count;
    struct sy_position start, final;
    enum sy_status status; /* not SY_OK when a tag or move is wrong: then error says which */
    struct sy_error error;
};

/* Reads the next game at *text (NUL-terminated) and moves *text and *line past it. Tags FEN gives the start.
 * Comments, variations, move numbers, NAGs and the suffixes + # ! ? are skipped. A game with a bad move is
 * found, with its status; only text that is no PGN at all fails. */
SY_MUST_USE enum sy_status sy_pgn_next(const struct sy_variant *variant, const char **text, size_t *line,
                                       struct sy_pgn_game *game, struct sy_error *error);
void sy_pgn_clear(struct sy_pgn_game *game);

#endif
