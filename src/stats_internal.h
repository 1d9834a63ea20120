/* Private to stats: what the fit, its bootstrap and the intervals share. */
#ifndef STEELYARD_STATS_INTERNAL_H
#define STEELYARD_STATS_INTERNAL_H

#include "steelyard/stats.h"

/* The data with equal rows grouped: a pattern is an x and an outcome that occur. Patterns are sorted, so the
 * order of sums depends on the data alone. Columns are standardised: z = (x - mean) / scale. */
struct sy_patterns {
    size_t rows, columns, categories, patterns, clusters; /* rows and clusters of positive weight */
    double *z;                                            /* patterns x columns */
    double *mean, *scale;                                 /* columns; scale 1 where a column is constant */
    double *reach;                                        /* columns: largest |z| */
    size_t *category;                                     /* patterns */
    double *weight;                                       /* patterns */
    size_t *cluster_first;                                /* clusters + 1: rows sorted by cluster */
    size_t *row_pattern;                                  /* rows, in that order */
    double *row_weight;
};
enum sy_stat sy_patterns_init(struct sy_patterns *patterns, const struct sy_ordinal_data *data);
void sy_patterns_clear(struct sy_patterns *patterns);

/* One maximisation over weighted patterns, with its memory: reused for each bootstrap replicate. */
struct sy_solver {
    const struct sy_patterns *patterns;
    double ridge;
    unsigned max_iterations;
    double *weight;               /* patterns: of this sample; 0 where absent or set aside */
    double *level_weight;         /* levels */
    size_t levels;                /* categories that occur */
    size_t *level_category;       /* levels, ascending */
    size_t *category_level;       /* categories */
    size_t *active, active_count; /* the columns that are fitted, ascending */
    enum sy_stat *column_status;  /* columns */
    bool thresholds_identified;
    size_t size;   /* levels - 1 + active_count */
    double *point; /* size: thresholds, then coefficients, for the standardised columns */
    double log_likelihood;
    unsigned iterations;
    double *gradient, *information; /* at point; size, and size x size (lower triangle) */
    double *step, *trial, *factor;
    double *row; /* columns */
    double *correlation, *centre;
};
void sy_solver_init(struct sy_solver *solver, const struct sy_patterns *patterns,
                    const struct sy_ordinal_options *options);
void sy_solver_clear(struct sy_solver *solver);

/* Takes a sample's weights (patterns); finds the levels and which columns can be fitted. */
enum sy_stat sy_solver_screen(struct sy_solver *solver, const double *weight);

/* The two parts of a screen, for the weights that are in place. */
void sy_solver_find_levels(struct sy_solver *solver);
void sy_solver_screen_columns(struct sy_solver *solver);

/* After a screen that was OK: finds the maximum. Patterns that separated columns predict perfectly are set
 * aside (weight 0). `start` holds, by category, the threshold above it, and then by column the coefficient,
 * on the standardised scale; NULL starts from the levels' shares. `tolerance` bounds the last step, in
 * logits. */
enum sy_stat sy_solver_maximise(struct sy_solver *solver, const double *start, double tolerance);

/* Inverse of the information at the point (size x size, both triangles). false when it is not definite. */
bool sy_solver_invert(const struct sy_solver *solver, double *inverse);

/* The score (gradient) of one unit of weight of a pattern, into score[size]. */
void sy_solver_score(const struct sy_solver *solver, size_t pattern, double *score);

/* From the solver's parameters (size) to the fit's (levels - 1 + columns), for points and for differences of
 * points: in the data's units, with 0 for columns whose status is not OK. */
void sy_solver_to_raw(const struct sy_solver *solver, const double *from, double *to);

/* Expected score at eta, and its derivatives where not NULL, by eta and by theta[levels - 1]. */
double sy_expected_score(size_t levels, const double *theta, const double *worth, double eta, double *by_eta,
                         double *by_theta);
/* Minus the eta that makes the expected score 1/2. false when there is none. worth ascends. */
bool sy_even_advantage(size_t levels, const double *theta, const double *worth, double *advantage);

bool sy_all_finite(size_t count, const double *values);

void sy_stats_quiet_gsl(void); /* GSL reports by return value from now on; it never aborts */

#endif
