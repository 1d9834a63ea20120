/* tune: what played games say about judging positions. For each variant the terms of the evaluation (eval.h)
 * are fitted to the scores of games: at quiet positions, F(k * evaluation) is the expected score of White (F
 * the logistic function; the method is P. Osterlund's "Texel tuning", 2014, as a penalised regression).
 * Every term is drawn towards what it was, so that what the games say little about stays. */
#ifndef STEELYARD_TUNE_H
#define STEELYARD_TUNE_H

#include "steelyard/experiment.h"
#include "steelyard/json.h"

struct sy_tune; /* opaque: the positions taken so far */

/* For games of this variant, which must outlive it; `params` is where the fit starts. `seed` draws the
 * positions. */
struct sy_tune *sy_tune_create(const struct sy_variant *variant, const struct sy_params *params,
                               uint64_t seed);
void sy_tune_free(struct sy_tune *tune); /* NULL ok */

/* Takes positions from the finished games of a run's arms that play the variant: the same rules, that is,
 * whatever title, values and evaluation the file has. Fails when there is no such arm. */
SY_MUST_USE enum sy_status sy_tune_add(struct sy_tune *tune, const char *directory, struct sy_error *error);

struct sy_tuning {
    size_t games, positions;  /* that were fitted; every tenth game is held out instead */
    double scale;             /* logits per pawn, before */
    double before, after;     /* log loss per position of the games held out */
    struct sy_json *document; /* the variant's file with new "values" and "evaluation"; yours to delete */
};
/* Fails when there are too few games to hold any out. */
SY_MUST_USE enum sy_status sy_tune_fit(const struct sy_tune *tune, struct sy_tuning *tuning,
                                       struct sy_error *error);

/* Cells that the pieces cannot tell apart: orbit[cell] is the first cell that some symmetry of all pieces'
 * moves takes to this one. Castling, which pieces start where, and what ends a game are not looked at. */
void sy_tune_orbits(const struct sy_variant *variant, uint8_t orbit[SY_MAX_CELLS]);

#endif
