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

/* The moves of a line, played from the record's start into the record; fails at an illegal one. */
SY_MUST_USE enum sy_status sy_log_moves(const struct sy_json_doc *doc, const struct sy_arm *arm,
                                        const char *text, struct sy_game_record *record,
                                        struct sy_error *error);

/* An exclusive lock on an open log, gone with the process. A file system without locks is used without. */
SY_MUST_USE enum sy_status sy_log_lock(int descriptor, const char *path, struct sy_error *error);

/* All of a locked log, a new string: closing another descriptor of it would drop the lock. */
SY_MUST_USE enum sy_status sy_log_bytes(int descriptor, const char *path, char **bytes, size_t *length,
                                        struct sy_error *error);

/* DIR/name, a new string. */
char *sy_path_in(const char *directory, const char *name);

/* Fails when DIR holds files of a run that is not this experiment's, or a run of it that has begun. */
SY_MUST_USE enum sy_status sy_log_claim(const struct sy_experiment *experiment, const char *directory,
                                        struct sy_error *error);

/* Brings DIR's copy of the experiment, whose games are known to be there, up to date: its title, say. */
SY_MUST_USE enum sy_status sy_log_refresh(const struct sy_experiment *experiment, const char *directory,
                                          struct sy_error *error);

#endif
