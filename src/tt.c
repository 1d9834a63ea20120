/* The transposition table: buckets of four entries, one cache line each.
 *
 * Invariant: what a search finds here depends only on what was stored since sy_tt_forget, never on earlier
 * games: entries of another game count as empty both when looking up and when replacing. */
#include "steelyard/tt.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, AGES = 64 };

_Static_assert(sizeof(struct sy_tt_entry) * SY_TT_WAYS == LINE, "a bucket is a cache line");

void sy_tt_init(struct sy_tt *tt, size_t bytes)
{
    uint64_t buckets = 1;
    while (buckets <= bytes / LINE / 2)
        buckets *= 2;
    tt->buckets = sy_alloc_hot(buckets * LINE);
    tt->mask = buckets - 1;
    tt->game = 1;
    tt->age = 0;
}

void sy_tt_clear(struct sy_tt *tt)
{
    free(tt->buckets);
    tt->buckets = NULL;
}

void sy_tt_forget(struct sy_tt *tt)
{
    tt->age = 0;
    if (tt->game == UINT8_MAX) {
        memset(tt->buckets, 0, (tt->mask + 1) * LINE);
        tt->game = 0;
    }
    tt->game++;
}

void sy_tt_next_search(struct sy_tt *tt)
{
    tt->age = (uint8_t)((tt->age + 1U) % AGES);
}

static bool is_entry_of(const struct sy_tt *tt, const struct sy_tt_entry *entry, uint64_t key)
{
    return entry->check == (uint32_t)(key >> 32) && entry->check_low == (uint8_t)(key >> 24) &&
           entry->game == tt->game;
}

const struct sy_tt_entry *sy_tt_find(const struct sy_tt *tt, uint64_t key)
{
    const struct sy_tt_entry *bucket = tt->buckets[key & tt->mask];
    for (unsigned i = 0; i < SY_TT_WAYS; i++)
        if (is_entry_of(tt, &bucket[i], key))
            return &bucket[i];
    return NULL;
}

/* The lower, the sooner replaced. */
static int worth(const struct sy_tt *tt, const struct sy_tt_entry *entry)
{
    if (entry->game != tt->game)
        return -AGES * 256;
    const int searches_ago = (tt->age - (entry->bound_age >> 2)) & (AGES - 1);
    return entry->depth - 8 * searches_ago;
}

void sy_tt_store(struct sy_tt *tt, uint64_t key, sy_move move, int score, int eval, int depth,
                 enum sy_bound bound)
{
    struct sy_tt_entry *bucket = tt->buckets[key & tt->mask], *entry = bucket;
    for (unsigned i = 0; i < SY_TT_WAYS; i++) {
        if (is_entry_of(tt, &bucket[i], key)) {
            entry = &bucket[i];
            if (move == SY_NO_MOVE)
                move = entry->move;
            if (bound != SY_BOUND_EXACT && entry->bound_age >> 2 == tt->age && depth + 2 < entry->depth) {
                entry->move = move;
                return;
            }
            break;
        }
        if (worth(tt, &bucket[i]) < worth(tt, entry))
            entry = &bucket[i];
    }
    *entry = (struct sy_tt_entry){.check = (uint32_t)(key >> 32),
                                  .move = move,
                                  .score = (int16_t)score,
                                  .eval = (int16_t)eval,
                                  .depth = (uint8_t)(depth > 0 ? depth : 0),
                                  .bound_age = (uint8_t)((unsigned)bound | (unsigned)tt->age << 2),
                                  .game = tt->game,
                                  .check_low = (uint8_t)(key >> 24)};
}
