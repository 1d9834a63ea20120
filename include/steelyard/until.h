/* until: an experiment that is played on until every interval is narrow enough, looking only after fixed
 * numbers of games, so that where it stops hangs on the games alone. */
#ifndef STEELYARD_UNTIL_H
#define STEELYARD_UNTIL_H

#include "steelyard/iterate.h"

#define SY_LOOKS_FILE "until.json"

/* Look k is a whole run of its own in DIR/look-k, with so many games, of which those of the look before are
 * taken over; its confidence is raised to 1 - (1 - confidence) / looks. The player must go on with a log that
 * is there. Writes DIR/until.json; *table gets the looks as text, a new string. */
SY_MUST_USE enum sy_status sy_until(const struct sy_experiment *experiment, const char *directory,
                                    const struct sy_round_player *player, char **table,
                                    struct sy_error *error);

#endif
