/* Positions for tests that want many. */
#ifndef STEELYARD_RANDOM_POSITION_H
#define STEELYARD_RANDOM_POSITION_H

#include <CUnit/CUnit.h>

#include "steelyard/fen.h"
#include "steelyard/movegen.h"
#include "steelyard/outcome.h"

static inline bool goes_on(const struct sy_position *position)
{
    return sy_outcome_of(position, NULL, sy_count_legal(position)).reason == SY_GOING_ON;
}

/* A position after up to `most` random moves in which the game goes on. */
static inline struct sy_position random_position(const struct sy_variant *variant, struct sy_random *random,
                                                 unsigned most)
{
    sy_move moves[SY_MAX_MOVES];
    struct sy_undo undo;
    struct sy_position position;
    do {
        CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, NULL), SY_OK);
        for (uint64_t plies = sy_random_below(random, most + 1); plies > 0 && goes_on(&position); plies--) {
            const unsigned count = sy_generate(&position, moves);
            sy_make(&position, moves[sy_random_below(random, count)], &undo);
        }
    } while (!goes_on(&position));
    return position;
}

#endif
