/* coverage: how often the intervals of the fit hold what was planted, over many simulated experiments. */
#ifndef STEELYARD_COVERAGE_H
#define STEELYARD_COVERAGE_H

#include "steelyard/simulate.h"
#include "steelyard/stats.h"

enum { SY_COVERAGE_MOST = 16 }; /* longest list below */

struct sy_coverage_options {
    uint64_t seed;
    unsigned experiments; /* a row of the study */
    unsigned pool;        /* pairs of starts that are drawn, and then drawn from */
    unsigned bootstrap;   /* replicates; 0: no bootstrap intervals */
    double level;
    size_t games_count, draws_count, positions_count;
    unsigned games[SY_COVERAGE_MOST];     /* an experiment; even */
    double draws[SY_COVERAGE_MOST];       /* share between equals */
    unsigned positions[SY_COVERAGE_MOST]; /* rows a game */
    bool rare;                            /* also with the rarest piece in 2 % of games */
    bool wrong;                           /* also from the models that are wrong on purpose */
};

/* The study of the first arm's design, which must be `imbalance`, as a JSON document that the caller deletes.
 * progress (NULL ok) is called after every row. */
SY_MUST_USE enum sy_status sy_coverage_study(const struct sy_experiment *experiment,
                                             const struct sy_truth *truth,
                                             const struct sy_coverage_options *options,
                                             void (*progress)(const struct sy_json *row),
                                             struct sy_json **study, struct sy_error *error);

/* The study as a table of at most 100 columns; a new string. */
char *sy_coverage_table(const struct sy_json *study);

#endif
