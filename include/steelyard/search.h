/* search: the engine. Iterative deepening alpha-beta, deterministic: limited by nodes or depth, never by
 * time; the same variant, parameters, noise seed, position, history and limits give the same result on
 * every machine. An engine belongs to one thread. */
#ifndef STEELYARD_SEARCH_H
#define STEELYARD_SEARCH_H

#include "steelyard/movegen.h"
#include "steelyard/outcome.h"
#include "steelyard/params.h"

enum { SY_MAX_PLY = 128 }; /* deepest line searched */

struct sy_engine; /* opaque: hash table, history tables, stacks */

struct sy_limits {
    uint64_t
        nodes; /* 0: no limit. A search ends at this count at the latest, with a legal move all the same */
    unsigned depth; /* plies, 0: no limit; quiescence and extensions come on top */
    bool greedy; /* no search: the move after which the static evaluation is best. The least of opponents */
};

struct sy_search_result {
    sy_move best;   /* SY_NO_MOVE only when there is no legal move */
    double score;   /* pawns, for the side to move; a found win is beyond +-900 */
    int mate;       /* moves (not plies) to a forced win (> 0) or loss (< 0) found; 0 none */
    unsigned depth; /* last completed iteration */
    uint64_t nodes; /* positions visited, quiescence included */
    unsigned pv_length;
    sy_move pv[SY_MAX_PLY];
};

/* Enough hash table for searches within those limits: the entries of a few searches at 16 bytes each, and
 * little enough to be cheap to clear and to stay near the processor. */
size_t sy_engine_table_bytes(const struct sy_limits *limits);

/* table_bytes: hash table size, rounded down to a power of two. The variant must outlive the engine. */
struct sy_engine *sy_engine_create(const struct sy_variant *variant, size_t table_bytes);
void sy_engine_free(struct sy_engine *engine); /* NULL ok */

/* Parameters from now on; also forgets everything learnt (hash, histories). */
void sy_engine_set_params(struct sy_engine *engine, const struct sy_params *params);

/* Forgets everything learnt and sets the noise: evaluations get a pseudo-random term, a function of
 * (seed, position), normal with standard deviation eval.noise pawns. */
void sy_engine_new_game(struct sy_engine *engine, uint64_t noise_seed);

/* history: keys of the game so far, position's own last; NULL when there is none. The position must not be
 * over by its board alone. */
void sy_engine_search(struct sy_engine *engine, const struct sy_position *position,
                      const struct sy_history *history, const struct sy_limits *limits,
                      struct sy_search_result *result);

/* Who looks on while an engine searches: players with a clock, never experiments. Both are called on the
 * thread that searches; either may be NULL. */
struct sy_watch {
    /* Asked about every thousand nodes: true ends the search as its node limit would. */
    bool (*stop)(void *context);
    /* An iteration is complete, the result so far; false ends the search. */
    bool (*iteration)(void *context, const struct sy_search_result *result);
    void *context;
};

/* Copies *watch; NULL: nobody looks on any more. What is found within given limits does not change. */
void sy_engine_watch(struct sy_engine *engine, const struct sy_watch *watch);

/* Static evaluation in pawns for the side to move (no search), for tests and reports. */
double sy_engine_evaluate(struct sy_engine *engine, const struct sy_position *position);

/* Quiescence value in pawns for the side to move. */
double sy_engine_quiescence(struct sy_engine *engine, const struct sy_position *position);

#endif
