/* harness_directory: what may be written where, and joining the runs of shards.
 *
 * A directory belongs to one experiment. The experiment's copy is written before the log, so a copy alone
 * is a run that has not begun; any other file of a run that cannot be accounted for is left as it is. */
#include "harness_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exists_in(const char *directory, const char *name)
{
    char *path = sy_path_in(directory, name);
    const bool exists = access(path, F_OK) == 0;
    free(path);
    return exists;
}

/* Sets *same to whether DIR/experiment.json is this experiment's copy to the byte. */
static enum sy_status compare_copy(const struct sy_experiment *experiment, const char *path, bool *same,
                                   struct sy_error *error)
{
    char *bytes;
    size_t length;
    enum sy_status status = sy_read_file(path, &bytes, &length, error);
    if (status != SY_OK)
        return status;
    *same = length == strlen(experiment->canonical) && memcmp(bytes, experiment->canonical, length) == 0;
    free(bytes);
    return SY_OK;
}

static enum sy_status claim(const struct sy_experiment *experiment, const char *directory, const char *path,
                            struct sy_error *error)
{
    bool same = false;
    enum sy_status status = sy_make_directory(directory, error);
    if (status != SY_OK)
        return status;
    if (exists_in(directory, SY_EXPERIMENT_FILE)) {
        status = compare_copy(experiment, path, &same, error);
        if (status == SY_OK && !same)
            status = sy_fail(error, SY_FAILED,
                             "%s: holds another experiment: choose another directory with -o", path);
        return status;
    }
    if (exists_in(directory, "summary.json"))
        return sy_fail(error, SY_FAILED,
                       "%s: holds a summary of games that are not there: choose another directory with -o",
                       directory);
    return sy_write_file(path, experiment->canonical, strlen(experiment->canonical), error);
}

enum sy_status sy_log_claim(const struct sy_experiment *experiment, const char *directory,
                            struct sy_error *error)
{
    char *path = sy_path_in(directory, SY_EXPERIMENT_FILE);
    enum sy_status status = claim(experiment, directory, path, error);
    free(path);
    return status;
}

enum sy_status sy_log_refresh(const struct sy_experiment *experiment, const char *directory,
                              struct sy_error *error)
{
    char *path = sy_path_in(directory, SY_EXPERIMENT_FILE);
    bool same = false;
    enum sy_status status = SY_OK;
    if (compare_copy(experiment, path, &same, NULL) != SY_OK || !same)
        status = sy_write_file(path, experiment->canonical, strlen(experiment->canonical), error);
    free(path);
    return status;
}

/* ---- merging ---- */

struct part {
    const char *directory;
    struct sy_game_log log;
    size_t next; /* the first game not yet taken */
};

static enum sy_status read_part(const struct sy_experiment *experiment, struct part *part,
                                struct sy_error *error)
{
    struct sy_experiment *own;
    enum sy_status status = sy_log_experiment(part->directory, &own, error);
    if (status != SY_OK)
        return status;
    const bool same = strcmp(own->digest, experiment->digest) == 0;
    sy_experiment_free(own);
    if (!same)
        return sy_fail(error, SY_BAD_INPUT, "%s: holds another experiment", part->directory);
    return sy_log_read(part->directory, experiment, &part->log, error);
}

/* The record of game `number`, which must be the next one of exactly one part. */
static enum sy_status take_game(struct part *parts, size_t count, uint64_t number,
                                const struct sy_game_record **record, struct sy_error *error)
{
    const struct part *holder = NULL;
    for (size_t i = 0; i < count; i++) {
        struct part *part = &parts[i];
        if (part->next == part->log.count || part->log.games[part->next].number != number)
            continue;
        if (holder != NULL)
            return sy_fail(error, SY_BAD_INPUT, "game %" PRIu64 " is in %s and in %s", number,
                           holder->directory, part->directory);
        holder = part;
        *record = &part->log.games[part->next++];
    }
    return holder != NULL
               ? SY_OK
               : sy_fail(error, SY_BAD_INPUT,
                         "game %" PRIu64 " is missing: a part is not given or not finished", number);
}

static enum sy_status join(const struct sy_experiment *experiment, struct part *parts, size_t count,
                           struct sy_text *text, struct sy_error *error)
{
    char *header = sy_log_header_of(experiment, (struct sy_shard){0, 1}, parts[0].log.program);
    sy_text_puts(text, header);
    free(header);
    for (size_t i = 1; i < count; i++)
        if (strcmp(parts[i].log.program, parts[0].log.program) != 0)
            return sy_fail(error, SY_BAD_INPUT, "%s: played by version %s, %s by version %s",
                           parts[i].directory, parts[i].log.program, parts[0].directory,
                           parts[0].log.program);
    for (uint64_t n = 0; n < sy_experiment_games(experiment); n++) {
        const struct sy_game_record *record = NULL;
        enum sy_status status = take_game(parts, count, n, &record, error);
        if (status != SY_OK)
            return status;
        char *line = sy_log_line(experiment, record);
        sy_text_puts(text, line);
        free(line);
    }
    return SY_OK;
}

static enum sy_status write_merged(const struct sy_experiment *experiment, const char *directory,
                                   const struct sy_text *text, struct sy_error *error)
{
    if (exists_in(directory, SY_LOG_FILE))
        return sy_fail(error, SY_FAILED, "%s: holds a run already: choose another directory with -o",
                       directory);
    enum sy_status status = sy_log_claim(experiment, directory, error);
    if (status != SY_OK)
        return status;
    char *path = sy_path_in(directory, SY_LOG_FILE);
    status = sy_write_file(path, text->bytes, text->length, error);
    free(path);
    return status;
}

enum sy_status sy_log_merge(const char *directory, const char *const *parts, size_t count,
                            struct sy_error *error)
{
    struct sy_experiment *experiment;
    enum sy_status status = sy_log_experiment(parts[0], &experiment, error);
    if (status != SY_OK)
        return status;
    struct part *read = sy_alloc(count, sizeof *read);
    for (size_t i = 0; status == SY_OK && i < count; i++) {
        read[i].directory = parts[i];
        status = read_part(experiment, &read[i], error);
    }
    struct sy_text text = SY_TEXT_INIT;
    if (status == SY_OK)
        status = join(experiment, read, count, &text, error);
    if (status == SY_OK)
        status = write_merged(experiment, directory, &text, error);
    sy_text_clear(&text);
    for (size_t i = 0; i < count; i++)
        sy_log_clear(&read[i].log);
    free(read);
    sy_experiment_free(experiment);
    return status;
}
