/* player: who makes the moves of a game: the engine itself, or a process that speaks UCI or xboard's
 * protocol.
 *
 * A process may crash, hang, or answer with an illegal move. Then the call fails with SY_FAILED and one
 * sentence that names the player and says what happened, and the process is ended; the next game starts a
 * new one. A player belongs to one thread. */
#ifndef STEELYARD_PLAYER_H
#define STEELYARD_PLAYER_H

#include "steelyard/params.h"
#include "steelyard/search.h"

enum sy_player_kind { SY_PLAYER_OWN, SY_PLAYER_UCI, SY_PLAYER_XBOARD };

struct sy_player_option {
    char *name, *value;
};

struct sy_player_spec {
    char *name;
    enum sy_player_kind kind;
    struct sy_params params; /* of our own engine */
    size_t table_bytes;
    char **command;                   /* of a process: words, NULL after the last; no shell sees them */
    struct sy_player_option *options; /* set in this order */
    size_t option_count;
    struct sy_limits limits; /* a move */
    unsigned move_time;      /* milliseconds a move, 0: no limit; not repeatable */
    double patience;         /* seconds for an answer, beyond the move's time */
};

/* Reads a player of a file: an object whose keys experiments/README.md describes. `params` are those that
 * its own come on top of; `defaults` has the limits of players that give none. Clear *spec whatever comes
 * back. */
SY_MUST_USE enum sy_status sy_player_read(const struct sy_json_doc *doc, const struct sy_json *object,
                                          const char *name, const struct sy_variant *variant,
                                          const struct sy_params *params, const struct sy_json *defaults,
                                          struct sy_player_spec *spec, struct sy_error *error);

/* The player of an experiment: another program, named after its file, limited by nodes or depth and never by
 * time. `limits` are the experiment's, for a program that gives none. */
SY_MUST_USE enum sy_status sy_player_read_program(const struct sy_json_doc *doc, const struct sy_json *object,
                                                  const struct sy_variant *variant,
                                                  const struct sy_limits *limits, struct sy_player_spec *spec,
                                                  struct sy_error *error);
void sy_player_spec_clear(struct sy_player_spec *spec); /* frees and zeroes */

/* A program's spec as the file that would read back to it, a built value. */
struct sy_json *sy_player_json(const struct sy_player_spec *spec);

/* Whether the same game is played at every repetition: our own engine, limited by nodes or depth. */
bool sy_player_repeats(const struct sy_player_spec *spec);

/* A game so far, by moves that were legal. */
struct sy_player_game {
    const char *start; /* FEN; NULL: the variant's own start */
    const sy_move *moves;
    unsigned plies;
    const struct sy_position *position; /* after them */
    const struct sy_history *history;   /* of the whole game, the position's key last */
};

struct sy_choice {
    sy_move move; /* legal */
    bool scored;
    double score; /* pawns for the side to move; a forced win is beyond +-900 */
    uint64_t nodes;
};

struct sy_player; /* opaque */

/* Both must outlive the player. Starts nothing yet. */
struct sy_player *sy_player_create(const struct sy_player_spec *spec, const struct sy_variant *variant);
void sy_player_free(struct sy_player *player); /* NULL ok; ends its process */

/* Starts a program and ends it again, so that one that cannot play, or not from other starts than its own,
 * shows before there is a game. */
SY_MUST_USE enum sy_status sy_player_try(const struct sy_player_spec *spec, const struct sy_variant *variant,
                                         bool other_starts, struct sy_error *error);

/* A new game begins; starts the process if none is running. The seed is of our own engine's noise. */
SY_MUST_USE enum sy_status sy_player_new_game(struct sy_player *player, uint64_t noise_seed,
                                              struct sy_error *error);

/* The move of the side to move, which must have one. */
SY_MUST_USE enum sy_status sy_player_choose(struct sy_player *player, const struct sy_player_game *game,
                                            struct sy_choice *choice, struct sy_error *error);

#endif
