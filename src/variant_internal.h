/* Shared by the parts of the variant loader. */
#ifndef STEELYARD_VARIANT_INTERNAL_H
#define STEELYARD_VARIANT_INTERNAL_H

#include "steelyard/variant.h"

/* Memory that lives as long as the variant. */
void *sy_variant_block(struct sy_variant *variant, size_t count, size_t size);

/* SY_NO_TYPE when there is none; name may be NULL. */
unsigned sy_variant_type_named(const struct sy_variant *variant, const char *name);

/* A zone: the name of one in "zones", a list of glob patterns, or {"white": LIST, "black": LIST}. An empty
 * zone is an error. */
SY_MUST_USE enum sy_status sy_variant_zone(const struct sy_variant *variant, const struct sy_json *value,
                                           sy_set zone[2], struct sy_error *error);

/* Compiles the "moves" of every piece into variant->piece. */
SY_MUST_USE enum sy_status sy_variant_compile_moves(struct sy_variant *variant, const struct sy_json *pieces,
                                                    struct sy_error *error);

/* Finds the types that may have several moves to one cell; moves and promotions have been read. */
void sy_variant_find_manifold(struct sy_variant *variant);

/* Reads "evaluation", if there is one, into variant->tuned; the pieces have been read. */
SY_MUST_USE enum sy_status sy_variant_read_evaluation(struct sy_variant *variant, struct sy_error *error);

/* Piece values guessed from mobility on a half-empty board, in units of variant->unit_material. */
void sy_variant_guess_values(struct sy_variant *variant);

#endif
