/* What match's own files share. */
#ifndef STEELYARD_MATCH_INTERNAL_H
#define STEELYARD_MATCH_INTERNAL_H

#include "steelyard/game.h"
#include "steelyard/match.h"

#define SY_MATCH_FILE "match.json"

struct sy_match_game {
    uint64_t number;
    sy_move *moves;
    unsigned plies, opening; /* moves; how many of them are random */
    bool finished;
    double result;         /* White's score; 0 when there is none */
    char reason[64];       /* as in sy_game_record */
    char fault[256];       /* not "": the game is void, and this is why */
    uint64_t nodes[2];     /* White's and Black's */
    bool abandoned;        /* stopped on the way; counts for nothing */
    enum sy_status status; /* not SY_OK: the match cannot go on, see error */
    struct sy_error error;
};
void sy_match_game_free(struct sy_match_game *game); /* NULL ok */

/* The player, 0 or 1, that has this side in the game. */
static inline unsigned sy_match_seat(uint64_t number, unsigned side)
{
    return (unsigned)(number & 1U) ^ side;
}

/* Plays a game; a new one. Looks at *stop before every move. */
struct sy_match_game *sy_match_game_play(const struct sy_match *match, struct sy_player *const player[2],
                                         uint64_t number, const atomic_bool *stop);

/* ---- match_log ---- */

struct sy_match_log {
    int descriptor;              /* of games.jsonl, locked, for appending; -1: not open */
    bool begun;                  /* something was in it */
    struct sy_match_game **game; /* room for all of the match */
    uint64_t count;              /* of those that were read back */
};

/* Opens DIR/games.jsonl, and reads back and checks what it holds of this match. It may hold something only if
 * the match is to be resumed. What was read is there also when this fails. */
SY_MUST_USE enum sy_status sy_match_log_open(const struct sy_match *match,
                                             const struct sy_match_options *options, struct sy_match_log *log,
                                             struct sy_error *error);

/* ---- match_game ---- */

/* Its line in games.jsonl, a new string. */
char *sy_match_game_line(const struct sy_match *match, const struct sy_match_game *game);

#endif
