/* Shared by the parts of the evaluation. */
#ifndef STEELYARD_EVAL_INTERNAL_H
#define STEELYARD_EVAL_INTERNAL_H

#include "steelyard/eval.h"

static inline sy_set sy_eval_of_types(const struct sy_position *position, uint32_t types)
{
    sy_set set = SY_EMPTY_SET;
    for (; types; types &= types - 1)
        set |= position->type[__builtin_ctz(types)];
    return set;
}

struct sy_faults {
    int doubled, isolated; /* pawns */
};
struct sy_faults sy_eval_faults(const struct sy_eval *eval, const struct sy_position *position,
                                unsigned side);

/* The formation of the position's pawns, which are each side's `pawns`. Good until the next call. */
const struct sy_eval_formation *sy_eval_formation_of(struct sy_eval *eval, const struct sy_position *position,
                                                     const sy_set pawns[2]);

#endif
