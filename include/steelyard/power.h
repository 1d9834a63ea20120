/* power: how narrow intervals will be, before any game is played. */
#ifndef STEELYARD_POWER_H
#define STEELYARD_POWER_H

#include "steelyard/simulate.h"

struct sy_power_options {
    size_t games_count;
    double games[16];  /* a row of the table each */
    double half_width; /* wanted for every value, in units; 0: nothing is wanted */
    unsigned starts;   /* that are drawn */
    const char *pilot; /* a run whose fit is taken as the truth, and whose intervals are shown beside what was
                          to be expected of them; NULL: the truths that are given */
};

/* A table for every arm as text, a new string. truths: one an arm; a pilot fills them in. */
SY_MUST_USE enum sy_status sy_power_table(const struct sy_experiment *experiment, struct sy_truth *truths,
                                          const struct sy_power_options *options, char **table,
                                          struct sy_error *error);

#endif
