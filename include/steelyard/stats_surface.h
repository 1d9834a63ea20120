/* stats_surface: a quadratic surface q(u) = b'u + u'A u in `size` coordinates, and its top.
 *
 * It is fitted as a linear model, with sy_surface_terms(size) columns: b, then A row by row from the
 * diagonal on. Which fit it was does not matter here: only the terms' estimates and their covariance. */
#ifndef STEELYARD_STATS_SURFACE_H
#define STEELYARD_STATS_SURFACE_H

#include "steelyard/stats.h"

enum { SY_SURFACE_MOST = 16 }; /* coordinates */

size_t sy_surface_terms(size_t size);

/* The column of A's diagonal element. */
size_t sy_surface_diagonal(size_t size, size_t coordinate);

/* The row of a comparison: the columns of `one` less those of `other`, so that row'terms is q(one) -
 * q(other).
 */
void sy_surface_row(size_t size, const double *one, const double *other, double *row);

struct sy_surface_estimate {
    size_t size, clusters;
    const double *terms, *covariance; /* sy_surface_terms(size), and squared */
};

/* p of the hypothesis that no term differs from 0: Wald's test, by F. 1 where it cannot be made. */
double sy_surface_flat_p(const struct sy_surface_estimate *estimate);

/* Where the surface is highest, as far as it can be told. */
struct sy_surface {
    enum sy_stat status; /* SY_STAT_FLAT, SY_STAT_NOT_CONCAVE, ...: there is no top that could be believed */
    double p_flat;       /* of the hypothesis that no term differs from 0 */
    double concave;      /* share of the draws that bend down in every direction */
    double weakest;      /* largest eigenvalue of A in the directions that are free: below 0 when it is
                            concave */
    size_t size, draws, tops; /* draws, and those that have a top */
    double top[SY_SURFACE_MOST];
    double *covariance; /* size^2: of the top, by the delta method */
    double *drawn;      /* tops x size: each draw's top */
};

/* With `level_sum`, the top among the u whose sum is 0: the best proportions at the same mean. `level` is a
 * confidence level: the surface is flat unless a Wald test rejects that at 1 - level, and is not concave
 * unless at least that share of draws from the estimates' distribution is. Always leaves *surface to be
 * cleared; returns its status. */
enum sy_stat sy_surface_find(const struct sy_surface_estimate *estimate, bool level_sum, double level,
                             uint64_t seed, struct sy_surface *surface);
void sy_surface_clear(struct sy_surface *surface);

/* A function of the top: error by the delta method, interval from the draws' quantiles, those without a top
 * counting half below and half above everything. */
struct sy_estimate sy_surface_value(const struct sy_surface *surface,
                                    double (*function)(const double *u, const void *context),
                                    const void *context, double level);

#endif
