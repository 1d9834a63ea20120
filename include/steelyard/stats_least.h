/* stats_least: least squares with a constant, classic errors and errors robust to clusters. The rules of
 * stats.h hold: nothing is NaN, what cannot be estimated has a status. */
#ifndef STEELYARD_STATS_LEAST_H
#define STEELYARD_STATS_LEAST_H

#include "steelyard/stats.h"

struct sy_least_data {
    size_t rows, columns;
    const double *x, *y;    /* rows x columns, without the constant; rows */
    const int64_t *cluster; /* rows; NULL: every row is its own */
};

/* The parameters are the constant, then the columns. */
struct sy_least_fit {
    enum sy_stat status; /* not OK: no estimate at all */
    size_t rows, clusters, parameters;
    double *beta;              /* parameters */
    double *covariance;        /* parameters^2: s^2 (X'X)^-1 */
    double *sandwich;          /* parameters^2: robust, by cluster, with the factor G/(G-1) */
    double sum_of_squares;     /* of the residuals */
    double residual_deviation; /* s: root of that over rows - parameters */
    double r_squared;          /* 0 when y never varies */
};
/* Fits; always leaves *fit to be cleared; returns fit->status. */
enum sy_stat sy_least_squares(const struct sy_least_data *data, struct sy_least_fit *fit);
void sy_least_clear(struct sy_least_fit *fit);

#endif
