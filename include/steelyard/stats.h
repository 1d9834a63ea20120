/* stats: fits, intervals and tests on plain arrays. The only user of GSL.
 *
 * Matrices are row-major doubles. Nothing here returns NaN or infinity: what can't be estimated has a
 * status other than SY_STAT_OK that names why, and its numbers are 0 and mean nothing. Every function is a
 * pure function of its arguments: no threads, no global state, the same bits on every run.
 * `level` is a confidence level such as 0.95. Covariances, errors and intervals use natural-log odds. */
#ifndef STEELYARD_STATS_H
#define STEELYARD_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sy_stat {
    SY_STAT_OK = 0,
    SY_STAT_BAD_DATA,          /* a number that is not finite, a negative weight, an outcome out of range */
    SY_STAT_TOO_FEW,           /* too few rows or clusters for what is asked */
    SY_STAT_ONE_OUTCOME,       /* every row has the same outcome */
    SY_STAT_SEPARATED,         /* outcomes are perfectly predicted: the estimate would be infinite */
    SY_STAT_CONSTANT,          /* the column never varies */
    SY_STAT_COLLINEAR,         /* the column is a linear combination of others */
    SY_STAT_NO_CONVERGENCE,    /* the maximum was not found */
    SY_STAT_NOT_IDENTIFIED,    /* the data do not tell the thresholds apart from a dropped column */
    SY_STAT_UNIT_NEAR_ZERO,    /* the unit's own interval reaches 0, so ratios to it mean nothing */
    SY_STAT_TOO_MANY_FAILURES, /* too many bootstrap replicates could not be fitted */
    SY_STAT_BOUNDARY,          /* the value lies on the edge of its range: no finite image or interval */
    SY_STAT_FLAT,              /* a surface that these data cannot tell from a level one */
    SY_STAT_NOT_CONCAVE,       /* a surface that does not surely bend down in every direction: no top */
    SY_STAT_COUNT
};
const char *sy_stat_name(enum sy_stat status); /* "ok", "too few", "separated", ...: for files */
const char *sy_stat_text(enum sy_stat status); /* one clause for a reader, no capital, no full stop */

/* A number with its standard error and interval. All four are finite when status is SY_STAT_OK, else 0. */
struct sy_estimate {
    enum sy_stat status;
    double value, error, low, high;
    size_t failures; /* bootstrap replicates that had no value; 0 for other methods */
};

/* ---- Proportional odds ---------------------------------------------------------------------------
 * logit P(outcome <= k) = theta_k - x'beta, so a positive beta favours high outcomes. */

struct sy_ordinal_data {
    size_t rows, columns, categories;
    const double *x;        /* rows x columns; may be NULL when columns is 0 */
    const int *outcome;     /* rows; 0 .. categories-1, ascending */
    const double *weight;   /* rows, >= 0, a row of weight 2 counts as two rows; NULL: all 1 */
    const int64_t *cluster; /* rows; equal numbers (any order, any values) share a cluster; NULL: none do */
};

struct sy_ordinal_options {
    double ridge;                  /* maximise log likelihood - ridge/2 * |beta|^2; 0: none */
    double clusters_per_parameter; /* fewer clusters than this times the parameters is SY_STAT_TOO_FEW */
    unsigned max_iterations;
    size_t clusters_per_column; /* a column that is not 0 in fewer clusters is SY_STAT_TOO_FEW: it is fitted,
                                   but no interval of it would hold what it says */
};
/* The defaults; also what NULL means. */
#define SY_ORDINAL_OPTIONS_INIT                                                                              \
    {                                                                                                        \
        0.0, 5.0, 60, 8                                                                                      \
    }

/* The parameters are ordered (theta_0 .. theta_{levels-2}, beta_0 .. beta_{columns-1}). Outcome categories
 * that never occur are left out of the fit: `levels` are those that do. A column whose column_status is not
 * SY_STAT_OK has beta 0 and zeros in the covariances; the other columns' numbers are sound without it. */
struct sy_ordinal_fit {
    enum sy_stat status; /* not OK: no estimate at all; column_status still says which columns are at fault */
    size_t rows, clusters;       /* of positive weight */
    size_t rows_set_aside;       /* perfectly predicted by separated columns, so silent about the others */
    size_t categories, columns;  /* as in the data */
    size_t levels;               /* categories that occur */
    size_t *level_category;      /* levels: the category of each, ascending */
    size_t parameters;           /* levels - 1 + columns */
    double *theta;               /* levels - 1, strictly ascending */
    double *beta;                /* columns */
    enum sy_stat *column_status; /* columns */
    bool thresholds_identified;  /* false when a dropped column is not centred on 0: then theta includes it */
    double *covariance;          /* parameters^2: inverse observed information */
    double *sandwich;            /* parameters^2: robust, by cluster, with the factor G/(G-1) */
    double *influence;           /* clusters (ascending id) x parameters: information^-1 * cluster's score */
    double log_likelihood;       /* without the ridge penalty */
    double null_log_likelihood;  /* of the thresholds alone */
    unsigned iterations;
};
/* Fits; always leaves *fit to be cleared; returns fit->status. options may be NULL. */
enum sy_stat sy_ordinal_fit(const struct sy_ordinal_data *data, const struct sy_ordinal_options *options,
                            struct sy_ordinal_fit *fit);
void sy_ordinal_clear(struct sy_ordinal_fit *fit);

/* A fit before there are data: what the parameters would be known to from `games` independent rows like those
 * of x, if theta (levels - 1, categories 0 .. levels - 1) and beta were true. Covariance and sandwich are the
 * inverse of the expected information; there is no influence, and no bootstrap to be had of it. Returns
 * fit->status; clear it whatever comes back. */
enum sy_stat sy_ordinal_expect(size_t rows, size_t columns, size_t levels, const double *x,
                               const double *theta, const double *beta, double games,
                               struct sy_ordinal_fit *fit);

/* P(category) for a row x (columns doubles; NULL: all 0) into probability[categories]. fit->status OK only.
 */
void sy_ordinal_probabilities(const struct sy_ordinal_fit *fit, const double *x, double *probability);

/* beta of a column, with the sandwich's Wald interval. */
struct sy_estimate sy_ordinal_beta(const struct sy_ordinal_fit *fit, size_t column, double level);

/* Expected score for a row x (NULL: all 0, equal material), category k being worth category_score[k] in
 * [0, 1]. Delta method from the sandwich; the interval is symmetric in the score's logit. */
struct sy_estimate sy_ordinal_score(const struct sy_ordinal_fit *fit, const double *category_score,
                                    const double *x, double level);

/* The first-move term w = -(mean of the thresholds), in logits. Depends on which categories occur. */
struct sy_estimate sy_ordinal_latent(const struct sy_ordinal_fit *fit, double level);

/* The advantage in logits that, given up, makes the expected score 1/2. Equals the above when outcomes are
 * loss, draw, win; unlike it, not upset by rare categories. */
struct sy_estimate sy_ordinal_advantage(const struct sy_ordinal_fit *fit, const double *category_score,
                                        double level);

/* ---- Bootstrap over clusters --------------------------------------------------------------------- */

/* Replicate r draws as many clusters as there are, with replacement, from the random stream (seed, r), and
 * refits; so replicates first .. first+count-1 may be computed anywhere, in any order, and concatenated. */
struct sy_bootstrap {
    size_t replicates, columns;
    double *beta;                /* replicates x columns */
    double *score;               /* replicates: expected score at x = 0; 0 when it has none */
    double *advantage;           /* replicates: as sy_ordinal_advantage */
    enum sy_stat *column_status; /* replicates x columns */
    enum sy_stat *score_status;  /* replicates */
    enum sy_stat *advantage_status;
    size_t failures; /* replicates with any status that is not OK where the fit's is */
};
/* `fit` must come from `data` and `options`. Returns fit->status; always leaves *out to be cleared. */
enum sy_stat sy_ordinal_bootstrap(const struct sy_ordinal_data *data,
                                  const struct sy_ordinal_options *options, const struct sy_ordinal_fit *fit,
                                  const double *category_score, uint64_t seed, size_t first, size_t count,
                                  struct sy_bootstrap *out);
void sy_bootstrap_clear(struct sy_bootstrap *bootstrap);

enum sy_bootstrap_interval { SY_PERCENTILE, SY_BCA }; /* BCa: acceleration from the influence values */

/* More failed replicates than this share of them, or fewer than 100 good ones, and there is no interval. */
#define SY_BOOTSTRAP_MAX_FAILURES 0.05

struct sy_estimate sy_bootstrap_beta(const struct sy_ordinal_fit *fit, const struct sy_bootstrap *bootstrap,
                                     size_t column, enum sy_bootstrap_interval kind, double level);
struct sy_estimate sy_bootstrap_score(const struct sy_ordinal_fit *fit, const struct sy_bootstrap *bootstrap,
                                      const double *category_score, enum sy_bootstrap_interval kind,
                                      double level);
struct sy_estimate sy_bootstrap_advantage(const struct sy_ordinal_fit *fit,
                                          const struct sy_bootstrap *bootstrap, const double *category_score,
                                          enum sy_bootstrap_interval kind, double level);

/* ---- Ratios (over'beta) / (under'beta) -----------------------------------------------------------
 * Each side is a linear combination of columns (columns doubles), so that the unit may be a piece, or a mean
 * of pieces. Refused with SY_STAT_UNIT_NEAR_ZERO when the unit's own interval at `level`, Wald's or the
 * bootstrap's, reaches 0. The two
 * sides being the same gives value 1, error 0. */
struct sy_ratio {
    const double *over, *under;
};
struct sy_estimate sy_ratio_fieller(const struct sy_ordinal_fit *fit, struct sy_ratio ratio, double level);
struct sy_estimate sy_ratio_bootstrap(const struct sy_ordinal_fit *fit, const struct sy_bootstrap *bootstrap,
                                      struct sy_ratio ratio, enum sy_bootstrap_interval kind, double level);
/* The commonest case: one column over another. */
struct sy_estimate sy_ratio_fieller_columns(const struct sy_ordinal_fit *fit, size_t column, size_t unit,
                                            double level);
struct sy_estimate sy_ratio_bootstrap_columns(const struct sy_ordinal_fit *fit,
                                              const struct sy_bootstrap *bootstrap, size_t column,
                                              size_t unit, enum sy_bootstrap_interval kind, double level);

/* ---- Tests ---------------------------------------------------------------------------------------- */

struct sy_chi_square {
    enum sy_stat status;
    double statistic, p;
    size_t freedom;
};
/* Wald test of hypothesis * estimate = target: hypothesis is count x size, target count (NULL: zeros),
 * covariance size x size. Rows of the hypothesis that are redundant are SY_STAT_COLLINEAR. */
struct sy_chi_square sy_wald_test(size_t size, const double *estimate, const double *covariance, size_t count,
                                  const double *hypothesis, const double *target);

/* Test of estimate = scale * suggested, scale free, size - 1 degrees of freedom, by generalised least
 * squares. Fills *scale (with its error), and where not NULL, per entry: z[size], the standardised departure
 * from scale * suggested, and p[size], its two-sided p value, not yet corrected for their number. */
struct sy_chi_square sy_proportional_test(size_t size, const double *estimate, const double *covariance,
                                          const double *suggested, double level, struct sy_estimate *scale,
                                          double *z, double *p);

/* Which entries depart from scale * suggested. The scale is the mean of the entries' own, estimate over
 * suggested, weighted by their precision alone: unlike generalised least squares, which may end outside all
 * of them when they are correlated, it always lies among them if `suggested` has one sign. Fills
 * weights[size], with scale = weights'estimate, and z and p as above, from the whole covariance. */
enum sy_stat sy_departures(size_t size, const double *estimate, const double *covariance,
                           const double *suggested, double level, struct sy_estimate *scale, double *weights,
                           double *z, double *p);

/* p of a Wald statistic whose covariance was estimated from so many clusters: F rather than chi-square, after
 * Hotelling. 1 when there are no more clusters than degrees of freedom. */
double sy_wald_p(double statistic, size_t freedom, size_t clusters);

double sy_normal_p(double z);                             /* two-sided */
double sy_normal_upper(double z);                         /* upper tail */
double sy_normal_quantile(double p);                      /* 0 < p < 1 */
double sy_chi_square_p(double statistic, double freedom); /* upper tail */

/* Holm's step-down correction: adjusted p values, in the order given. `adjusted` may be `p`. */
void sy_holm(size_t count, const double *p, double *adjusted);

/* ---- Shares, means, scores ------------------------------------------------------------------------- */

/* Wilson's interval for successes out of trials; error is the plain binomial one. */
struct sy_estimate sy_wilson(double successes, double trials, double level);

/* Weighted mean with an error robust to clusters (factor G/(G-1)) and Student's t on G - 1 degrees of
 * freedom. weight and cluster as in sy_ordinal_data. */
struct sy_estimate sy_mean(size_t count, const double *value, const double *weight, const int64_t *cluster,
                           double level);

/* Quantile of an ascending array by linear interpolation (Hyndman and Fan's type 7, R's default). count > 0.
 */
double sy_quantile_sorted(size_t count, const double *ascending, double p);
void sy_sort_doubles(size_t count, double *values);

/* 400 log10(s / (1 - s)). false (and 0) when s is not strictly between 0 and 1. */
bool sy_elo(double score, double *elo);
/* The same for an estimate and its interval's ends; SY_STAT_BOUNDARY when any of them has no image. */
struct sy_estimate sy_elo_estimate(struct sy_estimate score);

#endif
