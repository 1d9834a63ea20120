/* simulate: games without play. Starts are those that the experiment draws; results are drawn from a score
 * model with planted values, or from one that is wrong on purpose. Such games go through the same log and the
 * same fit as played ones, so that what comes out can be held against what was put in. */
#ifndef STEELYARD_SIMULATE_H
#define STEELYARD_SIMULATE_H

#include "steelyard/harness.h"
#include "steelyard/json.h"

#define SY_REASON_SIMULATED "simulated" /* how a simulated game ends, in the log */
#define SY_TRUTH_LOGITS 0.35            /* a unit, where nothing else is said */

#define SY_SIMULATED " simulated" /* after the version in the log's header */

/* How results hang on material. All but the first break the score model that is fitted. */
enum sy_truth_model {
    SY_TRUTH_SCORE,      /* proportional odds, as fitted */
    SY_TRUTH_MORE_DRAWS, /* draws pile up in even games: half the draw's width grows by amount * exp(-eta^2 /
                            2) */
    SY_TRUTH_PHASE,  /* with a share e of the pieces gone, every other value is 1 + amount * e times itself,
                        the others 1 - amount * e */
    SY_TRUTH_PAIRS,  /* two or more of a kind that starts in twos are worth amount * its value more */
    SY_TRUTH_TRIPLES /* three or more of a kind that starts in threes, likewise */
};

struct sy_truth {
    enum sy_truth_model model;
    double logit[SY_MAX_TYPES]; /* by material; 0 for royals */
    double edge;                /* White's, in logits */
    double draws;               /* share of draws between equals, 0 .. 1 */
    double amount;              /* of what is wrong */
    double full;                /* pieces on the board at the start of the game */
    bool starts_in_twos[SY_MAX_TYPES], starts_in_threes[SY_MAX_TYPES]; /* twos: 2 or 3 a side */
    /* Where players draw what they believe: each of them is this many logits weaker for every square of the
     * logarithm by which a believed value is off, 0: belief makes no difference; and what it is off from. */
    double believing;
    double best[SY_MAX_TYPES]; /* by material */
};

/* What an arm's engine believes, at so many logits a unit. */
void sy_truth_default(const struct sy_arm *arm, double logits_per_unit, struct sy_truth *truth);

/* A truth for each of the experiment's arms: from the file, or by default where path is NULL. *out is a new
 * array, set on success; free() it. */
SY_MUST_USE enum sy_status sy_truths_read(const struct sy_experiment *experiment, const char *path,
                                          struct sy_truth **out, struct sy_error *error);

/* Reads {"values": {...}, "logits_per_unit", "white", "draws", "model", "amount", "believing": {"curvature",
 * "values": {...}}}, all optional. */
SY_MUST_USE enum sy_status sy_truth_read(const struct sy_arm *arm, const char *path, struct sy_truth *truth,
                                         struct sy_error *error);
struct sy_json *sy_truth_json(const struct sy_arm *arm, const struct sy_truth *truth);

/* Pieces by material and side, as the model wants them. */
struct sy_material_count {
    double count[2][SY_MAX_TYPES];
};
struct sy_material_count sy_count_material(const struct sy_position *position);

/* White's result, 0, 1/2 or 1; and the expected score. */
double sy_truth_draw(const struct sy_truth *truth, const struct sy_material_count *material,
                     struct sy_random *random);
double sy_truth_score(const struct sy_truth *truth, const struct sy_material_count *material);

/* Writes DIR/experiment.json and DIR/games.jsonl, marked as simulated in the header and in every game. The
 * `parameters` design gets random games that change material, then leave it alone. truths: one an arm. */
SY_MUST_USE enum sy_status sy_simulate(const struct sy_experiment *experiment, const struct sy_truth *truths,
                                       const char *directory, struct sy_error *error);

#endif
