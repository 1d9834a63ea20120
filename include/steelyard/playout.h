/* playout: games of random legal moves to their real end. The cheapest measure of a game's rules, and a
 * benchmark of the move generator. */
#ifndef STEELYARD_PLAYOUT_H
#define STEELYARD_PLAYOUT_H

#include "steelyard/base.h"
#include "steelyard/movegen.h"
#include "steelyard/outcome.h"

struct sy_playout {
    struct sy_outcome outcome; /* SY_GOING_ON when the plies ran out */
    unsigned plies;
};

struct sy_playouts; /* what playouts need in memory; belongs to one thread */

struct sy_playouts *sy_playouts_create(void);
void sy_playouts_free(struct sy_playouts *playouts); /* NULL ok */

/* Plays from the start, every legal move being as likely as any other, until the rules end the game or
 * most_plies have been played. */
struct sy_playout sy_playouts_play(struct sy_playouts *playouts, const struct sy_position *start,
                                   struct sy_random *random, unsigned most_plies);

#endif
