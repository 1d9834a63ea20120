/* playout: random games.
 *
 * A move is chosen by its number, so that the moves need only be counted; the view of one ply takes over from
 * the view before. Keys that have surely not occurred are known by a filter: slots count keys by some of
 * their bits, so that the history is searched for the others alone. */
#include "steelyard/playout.h"

#include <stdlib.h>
#include <string.h>

enum { FILTER = 1 << 12 };

struct sy_playouts {
    struct sy_view views[2];
    struct sy_history history;
    uint16_t seen[FILTER];
};

struct sy_playouts *sy_playouts_create(void)
{
    return sy_alloc_hot(sizeof(struct sy_playouts));
}

void sy_playouts_free(struct sy_playouts *playouts)
{
    if (playouts) {
        sy_history_clear(&playouts->history);
        free(playouts);
    }
}

static bool note_key(struct sy_playouts *playouts, uint64_t key)
{
    sy_history_push(&playouts->history, key);
    return ++playouts->seen[(key >> 20) % FILTER] > 1;
}

struct sy_playout sy_playouts_play(struct sy_playouts *playouts, const struct sy_position *start,
                                   struct sy_random *random, unsigned most_plies)
{
    struct sy_position position = *start;
    struct sy_playout playout = {.plies = 0};
    playouts->history.count = 0;
    memset(playouts->seen, 0, sizeof playouts->seen);
    bool recurs = note_key(playouts, position.key);
    sy_view_open(&playouts->views[0], &position, NULL);
    for (;; playout.plies++) {
        struct sy_view *view = &playouts->views[playout.plies % 2],
                       *next = &playouts->views[1 - playout.plies % 2];
        const unsigned legal = sy_view_count(view, &position);
        playout.outcome = sy_outcome_of(&position, recurs ? &playouts->history : NULL, legal);
        if (playout.outcome.reason != SY_GOING_ON || playout.plies == most_plies) {
            return playout;
        }
        const sy_move move = sy_view_nth(view, &position, (unsigned)sy_random_below(random, legal));
        struct sy_undo undo;
        sy_view_know(view, &position, view->us ^ 1U);
        sy_make(&position, move, &undo);
        recurs = note_key(playouts, position.key);
        sy_view_open(next, &position, sy_view_follows(move) ? view : NULL);
    }
}
