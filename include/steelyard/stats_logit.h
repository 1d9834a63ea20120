/* stats_logit: a logistic regression of scores on many terms, each drawn towards what was thought of it
 * before.
 *
 * Rows are sparse. A row's score y, from 0 to 1, has the expectation F(offset + constant + sum of x_j b_j), F
 * the logistic function; the fit maximises
 *     sum of weight (y log F + (1 - y) log (1 - F))
 *     - sum of (b_j / spread_j)^2 / 2  -  sum over ties of ((b_i - b_j) / spread)^2 / 2,
 * the log likelihood with a normal prior for every b_j (ridge regression: S. le Cessie, J. van Houwelingen,
 * Appl. Stat. 41 (1992)) under which neighbours are alike (a Gaussian Markov random field: H. Rue, L. Held,
 * 2005). It is strictly concave; Newton's method with halved steps finds its maximum. */
#ifndef STEELYARD_STATS_LOGIT_H
#define STEELYARD_STATS_LOGIT_H

#include "steelyard/stats.h"

struct sy_logit_term {
    uint16_t column;
    float amount;
};

struct sy_logit_row {
    size_t first, terms; /* term[first .. first + terms - 1], by ascending columns, no column twice */
    double offset, y, weight;
};

/* Two columns that are thought to be alike. */
struct sy_logit_tie {
    uint16_t a, b;
    double spread; /* standard deviation of the difference, > 0 */
};

struct sy_logit_data {
    size_t rows, columns, ties;
    const struct sy_logit_row *row;
    const struct sy_logit_term *term;
    double offset_scale;  /* every offset is taken times this */
    const double *spread; /* columns: the prior's standard deviation, > 0 */
    const struct sy_logit_tie *tie;
};

/* b[columns], and the constant, which has no prior. When the status is not OK they are all 0. */
enum sy_stat sy_logit_fit(const struct sy_logit_data *data, double *constant, double *b);

/* Mean of weight * -(y log F + (1 - y) log (1 - F)) over the sum of weights; 0 when there are no rows. */
double sy_logit_loss(const struct sy_logit_data *data, double constant, const double *b);

#endif
