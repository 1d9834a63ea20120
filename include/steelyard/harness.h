/* harness: an experiment's games on many threads, and the log they go into.
 *
 * games.jsonl has a header line and then a game a line in the order of numbers. Its bytes are a function of
 * the experiment and the program's version alone, and of the other program's choices where one plays. Every
 * line closes with a check sum, so that a change made later does not pass unseen. */
#ifndef STEELYARD_HARNESS_H
#define STEELYARD_HARNESS_H

#include "steelyard/game.h"

#include <stdatomic.h>

#define SY_LOG_FILE "games.jsonl"
#define SY_EXPERIMENT_FILE "experiment.json"
#define SY_TIMING_FILE "timing.json"

/* Part index of count, from 0; a run on its own is 0 of 1. Pair p belongs to part p mod count. */
struct sy_shard {
    unsigned index, count;
};

/* ---- the log ---- */

/* The void games of an arm. */
struct sy_voids {
    size_t games;
    uint64_t first; /* the number of the first one */
    char *fault;    /* and what happened in it; NULL when there is none */
};

struct sy_game_log {
    size_t count;
    struct sy_game_record *games; /* ascending numbers */
    char digest[65];              /* SHA-256 of the whole lines, header included */
    size_t length;                /* bytes of the whole lines */
    size_t cut;                   /* bytes of the half line after them, 0 when there is none */
    struct sy_shard shard;
    size_t arms;            /* of voids; 0 until sy_log_drop_voids */
    struct sy_voids *voids; /* by arm */
    bool complete;          /* all games of the experiment, or of the shard, are there */
    char program[32];       /* version that played them */
};

/* Reads DIR/games.jsonl, which must be of this experiment, and replays each game's moves so that all are
 * known to be legal. Errors give the line. A half line at the end is left out and counted in `cut`. */
SY_MUST_USE enum sy_status sy_log_read(const char *directory, const struct sy_experiment *experiment,
                                       struct sy_game_log *log, struct sy_error *error);
void sy_log_clear(struct sy_game_log *log); /* frees and zeroes */

/* Takes the void games, of which nothing is to be learnt, out of the games and counts them by arm. */
void sy_log_drop_voids(const struct sy_experiment *experiment, struct sy_game_log *log);

/* The experiment that DIR/experiment.json holds. */
SY_MUST_USE enum sy_status sy_log_experiment(const char *directory, struct sy_experiment **out,
                                             struct sy_error *error);

/* The lines, newline included; new strings. */
char *sy_log_header(const struct sy_experiment *experiment, struct sy_shard shard);
char *sy_log_line(const struct sy_experiment *experiment, const struct sy_game_record *record);

/* Joins the runs in `count` directories into a new one, as if they had been one run. All games must be there
 * exactly once. */
SY_MUST_USE enum sy_status sy_log_merge(const char *directory, const char *const *parts, size_t count,
                                        struct sy_error *error);

/* ---- running ---- */

struct sy_progress {
    uint64_t games, total; /* in the log, and in the log when done */
    uint64_t begun_with;   /* in the log before this run */
    uint64_t finished;     /* games with a result */
    uint64_t voided;       /* games in which another program failed */
    double white_points;   /* their sum */
    double seconds;        /* of this run */
};

struct sy_run_options {
    const char *directory;
    unsigned threads;
    struct sy_shard shard; /* {0, 1} for all */
    bool resume;
    const atomic_int *stop; /* NULL, or becomes nonzero when the run is to end early */
    /* Called about four times a second and at the end, by the calling thread. NULL ok. */
    void (*progress)(void *context, const struct sy_progress *progress);
    /* Told what the user should know though nothing failed. NULL ok. */
    void (*warn)(void *context, const char *message);
    void *context;
};

/* Plays what is missing. SY_FAILED when stopped early, when too many games in a row were void, or when a line
 * could not be written; the log then ends in a whole line and can be resumed. *last (may be NULL) gets the
 * final numbers. */
SY_MUST_USE enum sy_status sy_run_games(const struct sy_experiment *experiment,
                                        const struct sy_run_options *options, struct sy_progress *last,
                                        struct sy_error *error);

#endif
