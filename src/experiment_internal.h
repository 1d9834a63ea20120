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

/* The keys of the positions design; reads the games unless the document has their digest, which marks it as a
 * run's copy. games: how many of them, 0 for all. Sets games_per_arm. The arms are read. */
SY_MUST_USE enum sy_status sy_experiment_read_positions(struct sy_experiment *experiment,
                                                        const struct sy_json_doc *doc, uint64_t games,
                                                        struct sy_error *error);
void sy_game_source_free(struct sy_game_source *source); /* NULL ok */

/* Which starts of the imbalance design the arm's games are to have, by the experiment's criterion. */
SY_MUST_USE enum sy_status sy_start_choice_create(const struct sy_experiment *experiment,
                                                  const struct sy_arm *arm, struct sy_start_choice **out,
                                                  struct sy_error *error);
void sy_start_choice_free(struct sy_start_choice *choice); /* NULL ok */

/* The path of a file that the document names: relative to it. A new string. */
char *sy_experiment_path(const struct sy_json_doc *doc, const char *path);

/* Fills canonical and digest of an otherwise complete experiment. */
void sy_experiment_write_canonical(struct sy_experiment *experiment);

#endif
