/* What the files of summary share: an arm's games, the design made of them, and its fit. */
#ifndef STEELYARD_SUMMARY_INTERNAL_H
#define STEELYARD_SUMMARY_INTERNAL_H

#include "steelyard/harness.h"
#include "steelyard/stats.h"
#include "steelyard/summary.h"

#define SY_SUMMARY_FORMAT "steelyard-summary-1"
#define SY_SUMMARY_FILE "summary.json"

/* Scores are counted in quarter points: category k is White scoring k/4. */
enum { SY_SCORE_CATEGORIES = 5 };
extern const double sy_category_score[SY_SCORE_CATEGORIES];
int sy_score_category(double result);

/* One arm's games as the log has them. */
struct sy_arm_games {
    const struct sy_experiment *experiment;
    const struct sy_arm *arm;
    unsigned index; /* the arm's number */
    const struct sy_game_record *games;
    size_t count;
};

/* The rows of the score model: material differences, White minus Black, a column for each kind of material
 * that can be weighed. The arrays are those of `data`. */
struct sy_design_rows {
    unsigned columns;
    unsigned material[SY_MAX_TYPES]; /* columns: index into the variant's materials */
    size_t rows, games;              /* games that gave a row */
    size_t without_rows;             /* finished games in which no position was fit to be a row */
    double *x, *weight;
    int *outcome;
    int64_t *cluster;
    size_t rows_varied[SY_MAX_TYPES], games_varied[SY_MAX_TYPES]; /* columns: not 0 in so many */
};
/* Clear *rows whatever comes back. */
SY_MUST_USE enum sy_status sy_design_build(const struct sy_arm_games *games, struct sy_design_rows *rows,
                                           struct sy_error *error);
void sy_design_clear(struct sy_design_rows *rows);

/* The fit of one arm. */
struct sy_weighing {
    struct sy_design_rows rows;
    struct sy_ordinal_data data;
    struct sy_ordinal_options options;
    struct sy_ordinal_fit fit;
    struct sy_bootstrap bootstrap;
    bool bootstrapped;
    size_t unit; /* the unit's column; columns when it has none */
};
/* Clear *weighing whatever comes back. A fit that cannot be made is no failure: see fit.status. */
SY_MUST_USE enum sy_status sy_weigh(const struct sy_arm_games *games, struct sy_weighing *weighing,
                                    struct sy_error *error);
void sy_weighing_clear(struct sy_weighing *weighing);

/* Value of a column in units of another, by the default method: bootstrap (BCa) where the file asks for
 * replicates, else Fieller. */
struct sy_estimate sy_weighing_ratio(const struct sy_weighing *weighing, size_t column, size_t unit,
                                     double level);
struct sy_estimate sy_weighing_white(const struct sy_weighing *weighing, double level);

/* {"status", "reason" (unless ok), "value", "error", "low", "high"} */
struct sy_json *sy_estimate_json(struct sy_estimate estimate);

/* JSON of the fit: "values" of an arm. Sentences for the reader are appended to `warnings`. */
struct sy_json *sy_weighing_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                 struct sy_json *warnings);

/* Adds what is counted rather than fitted: games, White's score, outcomes, length, branching, ... */
void sy_games_json(const struct sy_arm_games *games, struct sy_json *arm, struct sy_json *warnings);

/* Appends the sentence to the list, after the arm's label when the experiment has several. */
void sy_warn(const struct sy_arm_games *games, struct sy_json *warnings, const char *format, ...)
    SY_PRINTF(3, 4);

#endif
