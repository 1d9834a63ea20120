/* outcome: what ends a game and how it scores, as the variant's file says. */
#ifndef STEELYARD_OUTCOME_H
#define STEELYARD_OUTCOME_H

#include "steelyard/position.h"

enum sy_reason {
    SY_GOING_ON,
    SY_CHECKMATE,
    SY_STALEMATE,
    SY_ROYAL_CAPTURED,
    SY_BARE_ROYAL,
    SY_REPETITION,
    SY_NO_PROGRESS,
    SY_INSUFFICIENT,
    SY_REASONS
};

struct sy_outcome {
    enum sy_reason reason;
    double white_points; /* 0, 1/4, 1/2, 3/4 or 1; meaningless while going on */
};

/* The keys of the positions a game has passed through, the present one last. Grows on the heap: push only
 * outside the search (which reserves first). */
struct sy_history {
    uint64_t *keys;
    size_t count, capacity;
};
void sy_history_push(struct sy_history *history, uint64_t key);
void sy_history_clear(struct sy_history *history);

/* How often the last key has occurred, itself included, with the same side to move. The whole game counts: a
 * move that resets the clock need not be one that can't be undone. */
unsigned sy_history_occurrences(const struct sy_history *history);

/* The outcome of the position reached; `legal` is the number of legal moves in it, history may be NULL
 * (then repetition is not looked for). Checkmate and stalemate come before the counting rules. */
struct sy_outcome sy_outcome_of(const struct sy_position *position, const struct sy_history *history,
                                unsigned legal);

/* Only what the board shows without counting moves: captured royal, bare royal, insufficient material. */
struct sy_outcome sy_outcome_material(const struct sy_position *position);

/* "checkmate", "stalemate", "<piece> captured", "bare <piece>", "repetition", "fifty moves" (or "no progress"
 * where the limit is another), "insufficient material"; NULL while going on. Lives as long as the program
 * or variant. */
const char *sy_reason_text(const struct sy_variant *variant, enum sy_reason reason, char buffer[64]);

#endif
