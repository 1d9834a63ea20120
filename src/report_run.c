/* A run's directory, read for a report: summary, experiment and games must belong together. */
#include "report_internal.h"

#include <stdlib.h>
#include <string.h>

static enum sy_status check(const struct sy_run *run, struct sy_error *error)
{
    if (strncmp(sy_read_string(run->summary, "format"), "steelyard-summary-", 18) != 0) {
        return sy_json_fail(run->doc, run->summary, error, "is not a summary that steelyard wrote");
    }
    if (strcmp(sy_read_string(run->summary, "games_digest"), run->log.digest) != 0 ||
        sy_json_count(sy_json_member(run->summary, "arms")) != run->experiment->arm_count) {
        return sy_fail(error, SY_BAD_INPUT,
                       "%s/" SY_SUMMARY_FILE " is not of the games beside it: run `steelyard fit %s` first",
                       run->directory, run->directory);
    }
    return SY_OK;
}

enum sy_status sy_run_open(const char *directory, struct sy_run *run, struct sy_error *error)
{
    memset(run, 0, sizeof *run);
    run->directory = directory;
    char *path = sy_format("%s/" SY_SUMMARY_FILE, directory);
    enum sy_status status = sy_json_read_file(path, &run->doc, error);
    free(path);
    if (status == SY_OK) {
        run->summary = sy_json_root(run->doc);
        status = sy_log_experiment(directory, &run->experiment, error);
    }
    if (status == SY_OK) {
        status = sy_log_read(directory, run->experiment, &run->log, error);
    }
    if (status == SY_OK) {
        sy_log_drop_voids(run->experiment, &run->log);
        status = check(run, error);
    }
    return status;
}

void sy_run_clear(struct sy_run *run)
{
    sy_log_clear(&run->log);
    sy_experiment_free(run->experiment);
    sy_json_free(run->doc);
    memset(run, 0, sizeof *run);
}

/* The log is in the order of numbers, and numbers go arm by arm. */
struct sy_arm_games sy_run_arm(const struct sy_run *run, unsigned arm)
{
    size_t first = 0;
    while (first < run->log.count && run->log.games[first].arm < arm) {
        first++;
    }
    size_t end = first;
    while (end < run->log.count && run->log.games[end].arm == arm) {
        end++;
    }
    return (struct sy_arm_games){.experiment = run->experiment,
                                 .arm = &run->experiment->arms[arm],
                                 .index = arm,
                                 .games = run->log.games ? run->log.games + first : NULL,
                                 .count = end - first,
                                 .voids = &run->log.voids[arm]};
}

const struct sy_json *sy_run_arm_summary(const struct sy_run *run, unsigned arm)
{
    return sy_read_item(sy_json_member(run->summary, "arms"), arm);
}
