/* see: static exchange evaluation. */
#ifndef STEELYARD_SEE_H
#define STEELYARD_SEE_H

#include "steelyard/movegen.h"

/* What the mover gains when both sides go on capturing on the move's target with their least valuable
 * pieces as long as it pays, in the units of value[] (per type; give royals more than all else together). */
int sy_see(const struct sy_position *position, sy_move move, const int value[SY_MAX_TYPES]);

/* sy_see >= least, found with fewer looks. */
bool sy_see_reaches(const struct sy_position *position, sy_move move, const int value[SY_MAX_TYPES],
                    int least);

#endif
