/* What harness's own files share. */
#ifndef STEELYARD_HARNESS_INTERNAL_H
#define STEELYARD_HARNESS_INTERNAL_H

#include "steelyard/harness.h"

/* Reads a log from its bytes; `name` is the file in messages. */
SY_MUST_USE enum sy_status sy_log_parse(const char *name, const char *bytes, size_t length,
                                        const struct sy_experiment *experiment, struct sy_game_log *log,
                                        struct sy_error *error);

/* The header as the program of another version wrote it. */
char *sy_log_header_of(const struct sy_experiment *experiment, struct sy_shard shard, const char *program);

/* The shard's first game with this number or a higher one; sy_experiment_games() when there is none. */
uint64_t sy_shard_game(const struct sy_experiment *experiment, struct sy_shard shard, uint64_t number);
uint64_t sy_shard_games(const struct sy_experiment *experiment, struct sy_shard shard);

/* DIR/name, a new string. */
char *sy_path_in(const char *directory, const char *name);

/* Fails when DIR holds files of a run that is not this experiment's, or a run of it that has begun. */
SY_MUST_USE enum sy_status sy_log_claim(const struct sy_experiment *experiment, const char *directory,
                                        struct sy_error *error);

/* Brings DIR's copy of the experiment, whose games are known to be there, up to date: its title, say. */
SY_MUST_USE enum sy_status sy_log_refresh(const struct sy_experiment *experiment, const char *directory,
                                          struct sy_error *error);

#endif
