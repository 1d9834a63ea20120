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
    SY_PURPOSE_NOISE = 6 /* game */
};

/* Streams of the game or of its pair. They hang on the place inside the arm, so that raising "games" leaves
 * the games that were there as they are. */
struct sy_random sy_game_stream(const struct sy_experiment *experiment, uint64_t number,
                                enum sy_purpose purpose);
struct sy_random sy_pair_stream(const struct sy_experiment *experiment, uint64_t number,
                                enum sy_purpose purpose);

/* Game `number` of the experiment's file, positions design. Clear *record whatever comes back. */
SY_MUST_USE enum sy_status sy_game_of_source(const struct sy_experiment *experiment, uint64_t number,
                                             struct sy_game_record *record, struct sy_error *error);

#endif
