/* harness: plays an experiment's missing games on many threads and writes them in order.
 *
 * Workers take game numbers in order, play without a lock, and lay the finished line into a window of
 * slots; the calling thread alone writes, always the lowest line that is missing, so the log is at every
 * moment a beginning of the finished one. Each line is one write(2). A worker that is a window ahead of the
 * writer waits. Whatever stops a run, games that were handed out are still played and written, unless
 * writing itself has failed; then the log is cut back to its last whole line.
 *
 * The log is locked (fcntl) while a run writes to it. */
#include "harness_internal.h"
#include "steelyard/clock.h"
#include "steelyard/version.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 256 };
static const double tick = 0.25, sync_interval = 5; /* seconds */

struct slot {
    bool ready;
    uint64_t number;
    char *line;
    char *fault; /* of a void game */
    bool finished;
    double result;
    enum sy_status status;
    struct sy_error error;
};

struct pool {
    const struct sy_experiment *experiment;
    struct sy_shard shard;
    pthread_mutex_t mutex;
    pthread_cond_t room, done;
    /* Under the mutex: */
    uint64_t next;            /* game number to hand out */
    uint64_t handed, written; /* games handed out, written, in this run */
    unsigned active;          /* workers */
    bool stopping;
    struct slot slots[WINDOW]; /* game number `handed` goes to slot handed % WINDOW */
};

/* The log file, open for appending. */
struct sink {
    int descriptor;
    const char *path;
    off_t length; /* of the whole lines */
    bool unsynced;
    double synced_at;
};

/* ---- the log file ---- */

static enum sy_status fail_write(const struct sink *sink, struct sy_error *error)
{
    const int cause = errno;
    if (ftruncate(sink->descriptor, sink->length) != 0)
        return sy_fail(error, SY_FAILED,
                       "%s: cannot write: %s; its last line is broken, and --resume will "
                       "cut it off",
                       sink->path, strerror(cause));
    return sy_fail(error, SY_FAILED,
                   "%s: cannot write: %s; the games so far are kept: make room and go on "
                   "with --resume",
                   sink->path, strerror(cause));
}

static enum sy_status append(struct sink *sink, const char *line, struct sy_error *error)
{
    const size_t length = strlen(line);
    for (size_t done = 0; done < length;) {
        const ssize_t wrote = write(sink->descriptor, line + done, length - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return fail_write(sink, error);
        done += (size_t)wrote;
    }
    sink->length += (off_t)length;
    sink->unsynced = true;
    return SY_OK;
}

static enum sy_status sync_log(struct sink *sink, struct sy_error *error)
{
    sink->synced_at = sy_clock();
    if (!sink->unsynced)
        return SY_OK;
    sink->unsynced = false;
    return fsync(sink->descriptor) == 0 || errno == EINVAL ? SY_OK : fail_write(sink, error);
}

/* ---- workers ---- */

/* The mutex is held. Waits for room; false when there is nothing more to play. */
static bool take(struct pool *pool, uint64_t *number, struct slot **slot)
{
    const uint64_t total = sy_experiment_games(pool->experiment);
    while (!pool->stopping && pool->next < total && pool->handed - pool->written >= WINDOW)
        pthread_cond_wait(&pool->room, &pool->mutex);
    if (pool->stopping || pool->next >= total)
        return false;
    *number = pool->next;
    *slot = &pool->slots[pool->handed++ % WINDOW];
    pool->next = sy_shard_game(pool->experiment, pool->shard, pool->next + 1);
    return true;
}

/* The mutex is not held; the slot is the worker's until it is ready. */
static void play_into(struct sy_players *players, const struct sy_experiment *experiment, uint64_t number,
                      struct slot *slot)
{
    struct sy_game_record record;
    slot->number = number;
    slot->status = sy_game_play(players, number, &record, &slot->error);
    if (slot->status == SY_OK) {
        slot->line = sy_log_line(experiment, &record);
        slot->fault = record.fault;
        record.fault = NULL;
        slot->finished = record.finished;
        slot->result = record.result;
    }
    sy_game_record_clear(&record);
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    struct sy_players *players = sy_players_create(pool->experiment);
    uint64_t number;
    struct slot *slot;
    pthread_mutex_lock(&pool->mutex);
    while (take(pool, &number, &slot)) {
        pthread_mutex_unlock(&pool->mutex);
        play_into(players, pool->experiment, number, slot);
        pthread_mutex_lock(&pool->mutex);
        slot->ready = true;
        pthread_cond_signal(&pool->done);
    }
    pool->active--;
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
    sy_players_free(players);
    return NULL;
}

/* ---- the writer ---- */

/* What one run is made of, for the calling thread. */
struct run {
    const struct sy_run_options *options;
    struct pool pool;
    struct sink sink;
    struct sy_progress progress;
    bool tried; /* that the players can play */
    unsigned voids_in_row;
    char *gave_up; /* why no more games are begun though nothing has broken here; NULL: nothing of the kind */
    double started;
    enum sy_status status;
    struct sy_error *error;
};

static void report(struct run *run)
{
    run->progress.seconds = sy_clock() - run->started;
    if (run->options->progress != NULL)
        run->options->progress(run->options->context, &run->progress);
}

/* Counts a game that was written. Too many void ones in a row end the run. */
static void count_slot(struct run *run, const struct slot *slot)
{
    run->progress.games++;
    run->progress.finished += slot->finished;
    run->progress.white_points += slot->finished ? slot->result : 0;
    run->voids_in_row = slot->fault != NULL ? run->voids_in_row + 1 : 0;
    run->progress.voided += slot->fault != NULL;
    if (run->voids_in_row >= run->pool.experiment->failures && run->gave_up == NULL)
        run->gave_up = sy_format("%u games in a row were void; the last, game %" PRIu64
                                 ": %s; the games so far are kept: "
                                 "when that is mended, go on with --resume",
                                 run->voids_in_row, slot->number, slot->fault);
}

/* Writes the slot's line, unless something has failed already. The mutex is not held. */
static void write_slot(struct run *run, struct slot *slot)
{
    if (run->status == SY_OK && slot->status != SY_OK)
        run->status = sy_fail(run->error, slot->status, "%s", slot->error.message);
    if (run->status == SY_OK)
        run->status = append(&run->sink, slot->line, run->error);
    if (run->status == SY_OK && sy_clock() - run->sink.synced_at > sync_interval)
        run->status = sync_log(&run->sink, run->error);
    if (run->status == SY_OK)
        count_slot(run, slot);
    free(slot->line);
    free(slot->fault);
    slot->line = slot->fault = NULL;
}

/* The mutex is held. Waits a tick for a line; then looks at the stop flag and reports. */
static void wait_for_line(struct run *run)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(tick * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&run->pool.done, &run->pool.mutex, &until);
    if (run->options->stop != NULL && atomic_load(run->options->stop) != 0)
        run->pool.stopping = true;
}

/* Until every worker has ended and every line is written. */
static void write_in_order(struct run *run)
{
    struct pool *pool = &run->pool;
    double reported = sy_clock();
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        struct slot *slot = &pool->slots[pool->written % WINDOW];
        if (slot->ready) {
            pthread_mutex_unlock(&pool->mutex);
            write_slot(run, slot);
            pthread_mutex_lock(&pool->mutex);
            slot->ready = false;
            pool->written++;
        } else if (pool->active == 0) {
            break;
        } else {
            wait_for_line(run);
        }
        if (run->status != SY_OK || run->gave_up != NULL)
            pool->stopping = true;
        pthread_cond_broadcast(&pool->room);
        if (sy_clock() - reported >= tick) {
            pthread_mutex_unlock(&pool->mutex);
            report(run);
            reported = sy_clock();
            pthread_mutex_lock(&pool->mutex);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void init_pool(struct pool *pool)
{
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->room, NULL);
    sy_clock_condition(&pool->done);
}

static void clear_pool(struct pool *pool)
{
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->room);
    pthread_mutex_destroy(&pool->mutex);
}

static enum sy_status play_missing(struct run *run)
{
    const unsigned wanted = run->options->threads;
    pthread_t *threads = sy_alloc(wanted, sizeof *threads);
    unsigned count = 0;
    int failure = 0;
    init_pool(&run->pool);
    pthread_mutex_lock(&run->pool.mutex);
    while (count < wanted && (failure = pthread_create(&threads[count], NULL, work, &run->pool)) == 0)
        count++;
    run->pool.active = count;
    pthread_mutex_unlock(&run->pool.mutex);
    if (count == 0) {
        run->status = sy_fail(run->error, SY_FAILED, "cannot start a thread: %s", strerror(failure));
    } else {
        write_in_order(run);
        for (unsigned i = 0; i < count; i++)
            pthread_join(threads[i], NULL);
    }
    free(threads);
    clear_pool(&run->pool);
    if (run->status == SY_OK)
        run->status = sync_log(&run->sink, run->error);
    return run->status;
}

/* ---- opening the log ---- */

enum sy_status sy_log_lock(int descriptor, const char *path, struct sy_error *error)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN))
        return SY_OK;
    return sy_fail(error, SY_FAILED, "%s: another run is writing to it", path);
}

enum sy_status sy_log_bytes(int descriptor, const char *path, char **bytes, size_t *length,
                            struct sy_error *error)
{
    struct stat stat;
    if (fstat(descriptor, &stat) != 0 || !S_ISREG(stat.st_mode))
        return sy_fail(error, SY_FAILED, "%s: not a file", path);
    *bytes = sy_alloc((size_t)stat.st_size + 1, 1);
    *length = 0;
    while (*length < (size_t)stat.st_size) {
        const ssize_t got =
            pread(descriptor, *bytes + *length, (size_t)stat.st_size - *length, (off_t)*length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            free(*bytes);
            *bytes = NULL;
            return sy_fail(error, SY_FAILED, "%s: cannot read: %s", path, strerror(errno));
        }
        *length += (size_t)got;
    }
    return SY_OK;
}

/* A log that broke off before its first line was whole holds nothing. */
static bool is_unbegun(const struct run *run, const char *bytes, size_t length)
{
    char *header = sy_log_header(run->pool.experiment, run->options->shard);
    const bool unbegun = length < strlen(header) && memcmp(bytes, header, length) == 0;
    free(header);
    return unbegun;
}

/* Is this the log that the run would go on with? */
static enum sy_status check_continues(const struct run *run, const struct sy_game_log *log,
                                      struct sy_error *error)
{
    const struct sy_run_options *options = run->options;
    const char *directory = options->directory;
    if (log->shard.index != options->shard.index || log->shard.count != options->shard.count)
        return sy_fail(error, SY_FAILED, "%s: holds part %u of %u of this experiment, not part %u of %u",
                       directory, log->shard.index + 1, log->shard.count, options->shard.index + 1,
                       options->shard.count);
    if (!options->resume)
        return sy_fail(error, SY_FAILED,
                       "%s: holds %s of this experiment already (%zu games): %s with --resume, or choose "
                       "another directory with -o",
                       directory, log->complete ? "all" : "a part", log->count,
                       log->complete ? "fit them again" : "go on");
    if (!log->complete && strcmp(log->program, sy_version) != 0)
        return sy_fail(error, SY_FAILED,
                       "%s: begun by version %s, which may play otherwise than this one, %s", directory,
                       log->program, sy_version);
    return SY_OK;
}

static void count_logged(struct run *run, const struct sy_game_log *log)
{
    const struct sy_experiment *experiment = run->pool.experiment;
    const uint64_t after = log->count == 0 ? 0 : log->games[log->count - 1].number + 1;
    run->pool.next = sy_shard_game(experiment, run->pool.shard, after);
    run->progress.total = sy_shard_games(experiment, run->pool.shard);
    run->progress.games = run->progress.begun_with = log->count;
    for (size_t i = 0; i < log->count; i++) {
        run->progress.finished += log->games[i].finished;
        run->progress.white_points += log->games[i].result;
        run->progress.voided += log->games[i].fault != NULL;
    }
}

static void warn(const struct run *run, const char *message)
{
    if (run->options->warn != NULL)
        run->options->warn(run->options->context, message);
}

/* Cuts a half line off and brings the experiment's copy up to date, its title say. */
static enum sy_status tidy(struct run *run, const struct sy_game_log *log, struct sy_error *error)
{
    run->sink.length = (off_t)log->length;
    if (log->cut > 0) {
        if (ftruncate(run->sink.descriptor, run->sink.length) != 0)
            return sy_fail(error, SY_FAILED, "%s: cannot cut its half line off: %s", run->sink.path,
                           strerror(errno));
        char *message = sy_format("%s: ended in half a line; cut off", run->sink.path);
        warn(run, message);
        free(message);
    }
    return sy_log_refresh(run->pool.experiment, run->options->directory, error);
}

/* Whether the log's first line names this experiment. */
static bool is_of_experiment(const struct run *run, const char *bytes)
{
    const char *end = strchr(bytes, '\n');
    char *line = sy_format("%.*s", end == NULL ? 0 : (int)(end - bytes), bytes);
    char *member = sy_format("\"experiment\":\"%s\"", run->pool.experiment->digest);
    const bool same = strstr(line, member) != NULL;
    free(member);
    free(line);
    return same;
}

/* Game i of the log stands in line i + 2. */
static enum sy_status check_games(const struct run *run, const struct sy_game_log *log,
                                  struct sy_error *error)
{
    for (size_t i = 0; i < log->count; i++)
        if (sy_game_check(run->pool.experiment, &log->games[i], error) != SY_OK)
            return sy_fail_within(error, SY_BAD_INPUT, "%s:%zu", run->sink.path, i + 2);
    return SY_OK;
}

static enum sy_status continue_log(struct run *run, const char *bytes, size_t length, struct sy_error *error)
{
    struct sy_game_log log;
    if (!is_of_experiment(run, bytes))
        return sy_fail(error, SY_FAILED,
                       "%s: holds another experiment's run: choose another directory with -o",
                       run->options->directory);
    enum sy_status status = sy_log_parse(run->sink.path, bytes, length, run->pool.experiment, &log, error);
    if (status != SY_OK)
        return status;
    status = check_continues(run, &log, error);
    if (status == SY_OK)
        status = check_games(run, &log, error);
    if (status == SY_OK)
        status = tidy(run, &log, error);
    if (status == SY_OK)
        count_logged(run, &log);
    sy_log_clear(&log);
    return status;
}

static enum sy_status begin_log(struct run *run, struct sy_error *error)
{
    const struct sy_game_log none = {0};
    char *header = sy_log_header(run->pool.experiment, run->options->shard);
    enum sy_status status = ftruncate(run->sink.descriptor, 0) == 0 ? SY_OK : fail_write(&run->sink, error);
    if (status == SY_OK)
        status = append(&run->sink, header, error);
    free(header);
    count_logged(run, &none);
    return status;
}

/* Once a run, and before there is a directory: a program's wrong name or option leaves nothing behind. */
static enum sy_status try_players(struct run *run, struct sy_error *error)
{
    const bool tried = run->tried;
    run->tried = true;
    return tried ? SY_OK : sy_players_try(run->pool.experiment, error);
}

/* Opens, locks and reads the log, or begins one. */
static enum sy_status open_log(struct run *run, struct sy_error *error)
{
    char *bytes = NULL;
    size_t length = 0;
    struct sink *sink = &run->sink;
    sink->descriptor = open(sink->path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (sink->descriptor < 0 && errno == ENOENT) {
        enum sy_status status = try_players(run, error);
        if (status == SY_OK)
            status = sy_log_claim(run->pool.experiment, run->options->directory, error);
        if (status != SY_OK)
            return status;
        sink->descriptor = open(sink->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    }
    if (sink->descriptor < 0)
        return sy_fail(error, SY_FAILED, "%s: cannot open: %s", sink->path, strerror(errno));
    enum sy_status status = sy_log_lock(sink->descriptor, sink->path, error);
    if (status == SY_OK)
        status = sy_log_bytes(sink->descriptor, sink->path, &bytes, &length, error);
    if (status == SY_OK && is_unbegun(run, bytes, length)) {
        status = sy_log_claim(run->pool.experiment, run->options->directory, error);
        if (status == SY_OK)
            status = begin_log(run, error);
    } else if (status == SY_OK) {
        status = continue_log(run, bytes, length, error);
    }
    free(bytes);
    return status;
}

/* ---- timing ---- */

/* The runs that the file has, none when it is not there or not as it was written. A built array. */
static struct sy_json *earlier_runs(const char *path)
{
    struct sy_json_doc *doc;
    struct sy_json *runs = sy_json_new_array();
    if (sy_json_read_file(path, &doc, NULL) != SY_OK)
        return runs;
    const struct sy_json *list = sy_json_member(sy_json_root(doc), "runs");
    if (list != NULL && sy_json_kind(list) == SY_JSON_ARRAY)
        for (const struct sy_json *run = sy_json_first(list); run != NULL; run = sy_json_next(run))
            sy_json_append(runs, sy_json_copy(run));
    sy_json_free(doc);
    return runs;
}

static enum sy_status write_timing(const struct run *run, struct sy_error *error)
{
    char *path = sy_path_in(run->options->directory, SY_TIMING_FILE);
    struct sy_json *root = sy_json_new_object(), *runs = earlier_runs(path), *entry = sy_json_new_object();
    const double games = (double)(run->progress.games - run->progress.begun_with);
    sy_json_add_string(entry, "program", sy_version);
    sy_json_add_string(entry, "revision", sy_revision);
    sy_json_add_int(entry, "threads", run->options->threads);
    sy_json_add_number(entry, "games", games);
    sy_json_add_number(entry, "seconds", run->progress.seconds);
    sy_json_add_number(entry, "games_per_minute", games * 60 / run->progress.seconds);
    sy_json_append(runs, entry);
    sy_json_add(root, "runs", runs);
    char *text = sy_json_text(root, true), *line = sy_format("%s\n", text);
    enum sy_status status = sy_write_file(path, line, strlen(line), error);
    free(line);
    free(text);
    sy_json_delete(root);
    free(path);
    return status;
}

/* ---- whole ---- */

static enum sy_status say_stopped(const struct run *run, struct sy_error *error)
{
    return sy_fail(error, SY_FAILED, "stopped after %" PRIu64 " of %" PRIu64 " games: go on with --resume",
                   run->progress.games, run->progress.total);
}

static enum sy_status play_and_time(struct run *run, struct sy_error *error)
{
    run->started = run->sink.synced_at = sy_clock();
    if (run->progress.games == run->progress.total)
        return sync_log(&run->sink, error);
    enum sy_status status = try_players(run, error);
    if (status != SY_OK)
        return status;
    status = play_missing(run);
    report(run);
    if (status == SY_OK)
        status = write_timing(run, error);
    if (status == SY_OK && run->gave_up != NULL)
        status = sy_fail(error, SY_FAILED, "%s: %s", run->options->directory, run->gave_up);
    if (status == SY_OK && run->progress.games < run->progress.total)
        status = say_stopped(run, error);
    return status;
}

enum sy_status sy_run_games(const struct sy_experiment *experiment, const struct sy_run_options *options,
                            struct sy_progress *last, struct sy_error *error)
{
    struct run *run = sy_alloc(1, sizeof *run);
    char *path = sy_path_in(options->directory, SY_LOG_FILE);
    run->options = options;
    run->error = error;
    run->pool.experiment = experiment;
    run->pool.shard = options->shard;
    run->sink.path = path;
    enum sy_status status = open_log(run, error);
    if (status == SY_OK)
        status = play_and_time(run, error);
    if (run->sink.descriptor >= 0 && close(run->sink.descriptor) != 0 && status == SY_OK)
        status = sy_fail(error, SY_FAILED, "%s: cannot close: %s", path, strerror(errno));
    if (last != NULL)
        *last = run->progress;
    free(path);
    free(run->gave_up);
    free(run);
    return status;
}
