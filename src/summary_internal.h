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
    unsigned index;                     /* the arm's number */
    const struct sy_game_record *games; /* without the void ones */
    size_t count;
    const struct sy_voids *voids; /* those */
};

/* Did Steelyard's engine play these games, so that it is known what the players believed? */
bool sy_beliefs_known(const struct sy_arm_games *games);

/* The rows of the score model: material differences, White minus Black, a column for each kind of material
 * that can be weighed. The arrays are those of `data`. */
struct sy_design_rows {
    unsigned columns;
    unsigned material[SY_MAX_TYPES]; /* columns: index into the variant's materials */
    double whole;                    /* pieces that count for the phase, at the start of the game */
    size_t rows, games;              /* games that gave a row */
    size_t without_rows;             /* finished games in which no position was fit to be a row */
    double *x, *weight;
    double *full;  /* rows: such pieces on the board, of those at the start of the game */
    double *pairs; /* rows x columns: 1, 0 or -1: White, both or neither, Black has two or more of the kind */
    double *colours; /* the same: ... stands with the kind on as many colours as the file asks for */
    int *outcome;
    int64_t *cluster;
    size_t rows_varied[SY_MAX_TYPES], games_varied[SY_MAX_TYPES]; /* columns: not 0 in so many */
};
/* Clear *rows whatever comes back. */
SY_MUST_USE enum sy_status sy_design_build(const struct sy_arm_games *games, struct sy_design_rows *rows,
                                           struct sy_error *error);
void sy_design_clear(struct sy_design_rows *rows);

/* What values are counted in: a sum of weight * value over columns counts as `value`. */
struct sy_unit {
    const char *name;
    double weight[SY_MAX_TYPES]; /* columns */
    double value;
    size_t column; /* the one column that it is, or SIZE_MAX */
};

/* The fit of one arm. */
struct sy_weighing {
    struct sy_design_rows rows;
    struct sy_ordinal_data data;
    struct sy_ordinal_options options;
    struct sy_ordinal_fit fit;
    struct sy_bootstrap bootstrap;
    bool bootstrapped;
    struct sy_unit unit;
};
/* Clear *weighing whatever comes back. A fit that cannot be made is no failure: see fit.status. */
SY_MUST_USE enum sy_status sy_weigh(const struct sy_arm_games *games, struct sy_weighing *weighing,
                                    struct sy_error *error);
void sy_weighing_clear(struct sy_weighing *weighing);

/* One column as a measure that counts as `value`. */
struct sy_unit sy_unit_of(const struct sy_arm_games *games, const struct sy_weighing *weighing, size_t column,
                          double value);

/* What a table of values by material makes of the measure; NaN when it leaves a piece of it out. */
double sy_unit_sum(const struct sy_weighing *weighing, const struct sy_unit *measure,
                   const double *by_material);

/* Value of a column in a measure, by the default method: bootstrap (BCa) where the file asks for replicates,
 * else Fieller. */
struct sy_estimate sy_weighing_value(const struct sy_weighing *weighing, size_t column,
                                     const struct sy_unit *measure, double level);
struct sy_estimate sy_weighing_fieller(const struct sy_weighing *weighing, size_t column,
                                       const struct sy_unit *measure, double level);
struct sy_estimate sy_weighing_white(const struct sy_weighing *weighing, double level);

/* {"status", "reason" (unless ok), "value", "error", "low", "high"} */
struct sy_json *sy_estimate_json(struct sy_estimate estimate);

/* Every suggested table judged as a whole, whatever its unit; and what the engine believed. */
struct sy_json *sy_verdicts_json(const struct sy_arm_games *games, const struct sy_weighing *weighing);

/* What depends on how full the board is, and what pairs are worth beyond their pieces; null when nobody asks.
 */
struct sy_json *sy_phase_json(const struct sy_arm_games *games, const struct sy_weighing *weighing);
struct sy_json *sy_pairs_json(const struct sy_arm_games *games, const struct sy_weighing *weighing);

/* Which of the values that players drew for themselves win; NULL in designs where they draw none. */
struct sy_json *sy_surface_json(const struct sy_arm_games *games, const struct sy_weighing *weighing);

/* What an arm's "fit" says of that, and of phase and pairs, a sentence a line; "" when nothing. New strings.
 */
char *sy_surface_sentences(const struct sy_json *fit);
char *sy_terms_sentences(const struct sy_json *fit);

/* JSON of the fit: "values" of an arm. Sentences for the reader are appended to `warnings`. */
struct sy_json *sy_weighing_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                 struct sy_json *warnings);

/* Adds what is counted rather than fitted: games, White's score, outcomes, length, branching, ... */
void sy_games_json(const struct sy_arm_games *games, struct sy_json *arm, struct sy_json *warnings);

/* Appends the sentence to the list, after the arm's label when the experiment has several. */
void sy_warn(const struct sy_arm_games *games, struct sy_json *warnings, const char *format, ...)
    SY_PRINTF(3, 4);

#endif
