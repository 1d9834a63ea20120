/* iterate: rounds of one experiment, each played with the values that the round before has measured, until
 * what the engine believes and what is measured agree. */
#ifndef STEELYARD_ITERATE_H
#define STEELYARD_ITERATE_H

#include "steelyard/experiment.h"

#define SY_ROUNDS_FILE "iterate.json"

/* Plays the experiment of a round, and fits it, in a directory. */
struct sy_round_player {
    enum sy_status (*play)(void *context, const struct sy_experiment *round, const char *directory,
                           struct sy_error *error);
    void *context;
};

/* Rounds 1 .. experiment->iterate in DIR/round-N, each a run of its own: round 1 is the experiment as it is,
 * a later one has the next seed and the new values. Stops when they agree. Writes DIR/iterate.json and, if
 * gnuplot is there, the picture DIR/path.svg; *table gets the rounds as text, a new string. */
SY_MUST_USE enum sy_status sy_iterate(const struct sy_experiment *experiment, const char *directory,
                                      const struct sy_round_player *player, char **table,
                                      struct sy_error *error);

#endif
