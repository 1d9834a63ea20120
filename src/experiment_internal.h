/* What experiment's own files share. */
#ifndef STEELYARD_EXPERIMENT_INTERNAL_H
#define STEELYARD_EXPERIMENT_INTERNAL_H

#include "steelyard/experiment.h"

/* Reads "variants" or "variant", and what of the root's keys every arm takes over. The design is known. */
SY_MUST_USE enum sy_status sy_experiment_read_arms(struct sy_experiment *experiment,
                                                   const struct sy_json_doc *doc, struct sy_error *error);
void sy_arm_clear(struct sy_arm *arm);

/* The parameters that an arm's players draw, from the root's "randomise". */
SY_MUST_USE enum sy_status sy_arm_read_draws(struct sy_arm *arm, const struct sy_json_doc *doc,
                                             const struct sy_json *randomise, struct sy_error *error);

/* The material of that name that is not royal; fails naming the value and what there is. */
SY_MUST_USE enum sy_status sy_arm_material(const struct sy_arm *arm, const struct sy_json_doc *doc,
                                           const struct sy_json *value, unsigned *material,
                                           struct sy_error *error);

/* Fills canonical and digest of an otherwise complete experiment. */
void sy_experiment_write_canonical(struct sy_experiment *experiment);

#endif
