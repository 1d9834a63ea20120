/* game: one game of an experiment, played or checked. A game is a function of the experiment and its number
 * alone: whatever it draws comes from streams keyed by seed, arm and number, and both players start with
 * nothing learnt. */
#ifndef STEELYARD_GAME_H
#define STEELYARD_GAME_H

#include "steelyard/experiment.h"

/* How games end besides by the variant's own rules. */
#define SY_REASON_ADJUDICATED "adjudicated" /* both players agreed on the winner long enough */
#define SY_REASON_UNFINISHED "unfinished"   /* the length cap: no result */
#define SY_REASON_VOID "void"               /* another program failed: no result */

struct sy_game_record {
    uint64_t number;
    unsigned arm;
    uint64_t pair;    /* numbered through all arms: the cluster */
    double *drawn[2]; /* White's and Black's values of arm->draws, in that order; NULL when none */
    char *start;      /* FEN */
    unsigned opening; /* how many of the moves are random */
    sy_move *moves;   /* legal, from the start position on */
    unsigned plies;   /* number of moves */
    bool finished;    /* false: no result, reason "unfinished" or "void" */
    double result;    /* White's score: 0, 1/4, 1/2, 3/4 or 1; 0 when not finished */
    char reason[64];  /* sy_reason_text's, or one of the three above */
    char *fault;      /* of a void game: what the program did; else NULL */
    uint64_t nodes;   /* of both players */
    double legal;     /* mean number of legal moves where a move was made, to two decimals; NaN: not known */
};
void sy_game_record_clear(struct sy_game_record *record); /* frees and zeroes */

/* Whether and how a game ends before its next move: the variant's own endings are asked first, then the score
 * on which both players agree, then the length cap. `legal` is the number of legal moves, `lead` as
 * sy_game_lead keeps it. False: it goes on, and *end is untouched. */
struct sy_game_end {
    bool finished;
    double result;   /* White's score; 0 when unfinished */
    char reason[64]; /* as in the record */
};
bool sy_game_ends(const struct sy_experiment *experiment, const struct sy_position *position,
                  const struct sy_history *history, unsigned plies, unsigned legal, int lead,
                  struct sy_game_end *end);

/* How many plies in a row White (> 0) or Black (< 0) has been winning by the mover's own account, after one
 * more ply with this score (pawns, White's view). */
int sy_game_lead(const struct sy_experiment *experiment, int lead, double white_score);

/* What a game starts from, drawn without playing it. */
struct sy_game_start {
    struct sy_position position;
    double *drawn[2]; /* as in the record */
    sy_move *opening; /* random moves */
    unsigned opening_plies;
};
/* Fails when the experiment is such that no acceptable start is found. Clear *start whatever comes back. */
SY_MUST_USE enum sy_status sy_game_draw(const struct sy_experiment *experiment, uint64_t number,
                                        struct sy_game_start *start, struct sy_error *error);
void sy_game_start_clear(struct sy_game_start *start);

/* A player's complete parameters in a game; drawn is the record's (or start's) for that side, or NULL. */
void sy_game_params(const struct sy_arm *arm, const double *drawn, struct sy_params *params);

/* Two engines, or two processes of another program, for whatever arm is played; belongs to one thread. The
 * experiment must outlive it. */
struct sy_players; /* opaque */
struct sy_players *sy_players_create(const struct sy_experiment *experiment);
void sy_players_free(struct sy_players *players); /* NULL ok */

/* Starts every arm's other program once, so that one that cannot play is an error and not a void game. */
SY_MUST_USE enum sy_status sy_players_try(const struct sy_experiment *experiment, struct sy_error *error);

/* Plays game `number`; in the positions design, takes it from the file. What another program fails in is
 * told by the record. Clear *record whatever comes back. */
SY_MUST_USE enum sy_status sy_game_play(struct sy_players *players, uint64_t number,
                                        struct sy_game_record *record, struct sy_error *error);

/* Checks a record without its players: that start, draws and opening are what the experiment draws, that
 * every move is legal, that the game went on till the last one, and that reason, result and counts follow.
 * Fails with SY_FAILED and "game N: ..." . */
SY_MUST_USE enum sy_status sy_game_check(const struct sy_experiment *experiment,
                                         const struct sy_game_record *record, struct sy_error *error);

#endif
