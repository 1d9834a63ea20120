/* tt: the search's memory of positions (transposition table). Not locked: one table belongs to one engine. */
#ifndef STEELYARD_TT_H
#define STEELYARD_TT_H

#include "steelyard/position.h"

enum sy_bound { SY_BOUND_NONE, SY_BOUND_UPPER, SY_BOUND_LOWER, SY_BOUND_EXACT };

enum { SY_TT_WAYS = 4 };

/* Sixteen bytes, four to a cache line. */
struct sy_tt_entry {
    uint32_t check; /* the key's top half */
    sy_move move;   /* SY_NO_MOVE: none known */
    int16_t score;  /* wins count from this position, not from the root */
    int16_t eval;   /* static evaluation */
    uint8_t depth;
    uint8_t bound_age; /* bound in the two low bits, the search's number above */
    uint8_t game;      /* 0 in a fresh table; an entry of another game is an empty one */
    uint8_t check_low; /* eight more bits of the key */
};

struct sy_tt {
    struct sy_tt_entry (*buckets)[SY_TT_WAYS];
    uint64_t mask; /* buckets - 1 */
    uint8_t game, age;
};

/* The largest power of two of buckets that fits into `bytes`, at least one. Release with sy_tt_clear. */
void sy_tt_init(struct sy_tt *tt, size_t bytes);
void sy_tt_clear(struct sy_tt *tt);

/* Forgets everything, in constant time but for every 255th call. */
void sy_tt_forget(struct sy_tt *tt);

/* A new search of the same game begins: older entries are replaced first. */
void sy_tt_next_search(struct sy_tt *tt);

/* The entry of that key, NULL when it is not there. Valid until the next store. */
const struct sy_tt_entry *sy_tt_find(const struct sy_tt *tt, uint64_t key);

/* Keeps the known move when SY_NO_MOVE is given, and a deeper entry of the same position and search unless
 * the bound is exact. */
void sy_tt_store(struct sy_tt *tt, uint64_t key, sy_move move, int score, int eval, int depth,
                 enum sy_bound bound);

static inline enum sy_bound sy_tt_bound(const struct sy_tt_entry *entry)
{
    return (enum sy_bound)(entry->bound_age & 3U);
}

/* Starts loading the bucket of a key that will be looked up soon. */
static inline void sy_tt_prefetch(const struct sy_tt *tt, uint64_t key)
{
    __builtin_prefetch(tt->buckets[key & tt->mask]);
}

#endif
