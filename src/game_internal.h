/* What game's own files share. */
#ifndef STEELYARD_GAME_INTERNAL_H
#define STEELYARD_GAME_INTERNAL_H

#include "steelyard/game.h"

/* What the random streams are for; a stream is keyed by the pair or by the game besides. The numbers are
 * part of what makes a run repeatable. */
enum sy_purpose {
    SY_PURPOSE_START = 1,          /* pair */
    SY_PURPOSE_PARAMETERS = 2,     /* pair */
    SY_PURPOSE_OPENING_LENGTH = 3, /* pair */
    SY_PURPOSE_OPENING_OF_PAIR = 4,
    SY_PURPOSE_OPENING_OF_GAME = 5,
    SY_PURPOSE_NOISE = 6, /* game */
    SY_PURPOSE_POOL = 7   /* arm */
};

/* Streams of the game or of its pair. They hang on the place inside the arm, so that raising "games" leaves
 * the games that were there as they are. */
struct sy_random sy_game_stream(const struct sy_experiment *experiment, uint64_t number,
                                enum sy_purpose purpose);
struct sy_random sy_pair_stream(const struct sy_experiment *experiment, uint64_t number,
                                enum sy_purpose purpose);

/* ---- uneven starts, imbalance design ---- */

/* The start of the game as the variant has it. */
SY_MUST_USE enum sy_status sy_game_whole(const struct sy_arm *arm, struct sy_position *position,
                                         struct sy_error *error);

/* Removes and exchanges pieces of both sides, as the experiment says. false when the sides are then believed
 * further apart than it allows. */
bool sy_game_unbalance(const struct sy_experiment *experiment, const struct sy_arm *arm,
                       struct sy_position *position, struct sy_random *random);

/* Completes the position; *second gets it with the armies exchanged. false when either cannot be played from.
 */
bool sy_game_uneven_pair(struct sy_position *first, struct sy_position *second);

/* A pair of starts by the arm's choice. false when none is found. */
bool sy_start_choice_draw(const struct sy_experiment *experiment, const struct sy_arm *arm,
                          const struct sy_position *whole, struct sy_random *random,
                          struct sy_position *first, struct sy_position *second);

/* Game `number` of the experiment's file, positions design. Clear *record whatever comes back. */
SY_MUST_USE enum sy_status sy_game_of_source(const struct sy_experiment *experiment, uint64_t number,
                                             struct sy_game_record *record, struct sy_error *error);

#endif
