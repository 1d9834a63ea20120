/* Simulated data for the tests of stats. */
#ifndef TESTS_STATS_DATA_H
#define TESTS_STATS_DATA_H

#include "steelyard/base.h"
#include "steelyard/stats.h"

struct planted {
    size_t clusters, rows_per_cluster, columns, categories;
    const double *beta, *theta; /* columns, categories - 1 */
    double rare;                /* share of rows in which the last column is not 0; 0: as the others */
    /* Correlation of a cluster's latent normal scores, and chance that a column keeps the value that it had
     * in the cluster's row before. The model stays exact row by row. */
    double dependence;
};

/* Owns its arrays: columns take the values -1, 0 and 1, or for odd columns -2 .. 2. */
struct simulated {
    struct sy_ordinal_data data;
    double *x;
    int *outcome;
    int64_t *cluster;
};
struct simulated simulate(const struct planted *planted, uint64_t seed, uint64_t number);
void simulated_clear(struct simulated *simulated);

extern const double three_scores[3]; /* 0, 1/2, 1 */
extern const double five_scores[5];  /* quarters */

#endif
