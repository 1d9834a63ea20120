/* match: plays a match's games on many threads and counts them in order.
 *
 * Workers take numbers in order and lay finished games down by number; the calling thread alone counts and
 * writes, always the lowest game that is missing, a pair at a time for the statistics. Whatever ends the
 * match, the games beyond that point are given up and leave no trace, so that neither the number of threads
 * nor their pace can show. */
#include "match_internal.h"
#include "steelyard/clock.h"
#include "steelyard/harness.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double tick = 0.25; /* seconds */
static const char resume_hint[] = "; the games so far are kept: go on with --resume";

struct pool {
    const struct sy_match *match;
    atomic_bool stop; /* give up what is being played */
    pthread_mutex_t mutex;
    pthread_cond_t done;
    /* Under the mutex: */
    uint64_t next;               /* game to hand out */
    struct sy_match_game **game; /* by number; NULL until it is finished */
};

/* ---- workers ---- */

static bool take(struct pool *pool, uint64_t *number)
{
    pthread_mutex_lock(&pool->mutex);
    const bool more = !atomic_load(&pool->stop) && pool->next < pool->match->games;
    *number = more ? pool->next++ : 0;
    pthread_mutex_unlock(&pool->mutex);
    return more;
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    struct sy_player *player[2];
    uint64_t number;
    for (int i = 0; i < 2; i++)
        player[i] = sy_player_create(&pool->match->player[i], pool->match->variant);
    while (take(pool, &number)) {
        struct sy_match_game *game = sy_match_game_play(pool->match, player, number, &pool->stop);
        pthread_mutex_lock(&pool->mutex);
        pool->game[number] = game;
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->mutex);
    }
    sy_player_free(player[0]);
    sy_player_free(player[1]);
    return NULL;
}

/* ---- counting ---- */

/* A match in the making, for the calling thread. */
struct count {
    const struct sy_match *match;
    const struct sy_match_options *options;
    struct sy_match_result *result;
    struct sy_digest *digest;
    struct sy_match_log log;
    unsigned voids_in_row; /* of those played now */
    double started, reported;
};

static void count_reason(struct sy_match_result *result, const char *text)
{
    for (size_t i = 0; i < result->reason_count; i++) {
        if (strcmp(result->reasons[i].text, text) == 0) {
            result->reasons[i].games++;
            return;
        }
    }
    if (result->reason_count == SY_MATCH_REASONS)
        return;
    struct sy_match_reason *reason = &result->reasons[result->reason_count++];
    snprintf(reason->text, sizeof reason->text, "%s", text);
    reason->games = 1;
}

static enum sy_status write_line(const struct count *count, const char *line, struct sy_error *error)
{
    for (size_t left = strlen(line); left > 0;) {
        const ssize_t wrote = write(count->log.descriptor, line, left);
        if (wrote < 0 && errno != EINTR)
            return sy_fail(error, SY_FAILED, "%s/" SY_LOG_FILE ": cannot write: %s",
                           count->options->directory, strerror(errno));
        line += wrote > 0 ? wrote : 0;
        left -= wrote > 0 ? (size_t)wrote : 0;
    }
    return SY_OK;
}

static enum sy_status count_void(struct count *count, const struct sy_match_game *game, bool logged,
                                 struct sy_error *error)
{
    struct sy_match_result *result = count->result;
    result->voided++;
    count_reason(result, SY_REASON_VOID);
    snprintf(result->last_void, sizeof result->last_void, "game %llu: %.220s",
             (unsigned long long)game->number, game->fault);
    if (logged || ++count->voids_in_row < count->match->failures)
        return SY_OK;
    return sy_fail(error, SY_FAILED, "%u games in a row were void; the last, %s%s", count->voids_in_row,
                   result->last_void, count->options->directory == NULL ? "" : resume_hint);
}

static enum sy_status count_game(struct count *count, const struct sy_match_game *game,
                                 struct sy_error *error)
{
    struct sy_match_result *result = count->result;
    const bool logged = game->number < count->log.count;
    enum sy_status status = SY_OK;
    char *line = sy_match_game_line(count->match, game);
    sy_digest_add(count->digest, line, strlen(line));
    if (!logged && count->log.descriptor >= 0)
        status = write_line(count, line, error);
    free(line);
    if (status != SY_OK)
        return status;
    result->played++;
    if (game->fault[0] != '\0')
        return count_void(count, game, logged, error);
    count->voids_in_row = 0;
    result->unfinished += !game->finished;
    count_reason(result, game->reason);
    return SY_OK;
}

/* Player 0's score. */
static double score_of(const struct sy_match_game *game)
{
    return sy_match_seat(game->number, SY_WHITE) == 0 ? game->result : 1 - game->result;
}

static void count_pair(struct count *count, const struct sy_match_game *const game[2])
{
    struct sy_match_result *result = count->result;
    struct sy_pairs_room room;
    double sum = 0;
    if (!game[0]->finished || !game[1]->finished)
        return;
    for (int i = 0; i < 2; i++) {
        const double score = score_of(game[i]);
        sum += score;
        result->won += score > 0.5;
        result->lost += score < 0.5;
        result->drawn += !(score > 0.5) && !(score < 0.5);
        result->white_points += game[i]->result;
    }
    result->pairs[lround(4 * sum)]++;
    if (count->match->sequential) {
        const struct sy_pairs pairs = sy_match_pairs(result, &room);
        result->sprt = sy_sprt_state(&count->match->sprt, &pairs);
    }
}

/* The mutex is held: waits until the game is there; false when the match is to be stopped. */
static bool await(struct pool *pool, struct count *count, uint64_t number)
{
    while (pool->game[number] == NULL) {
        struct timespec until;
        if (count->options->stop != NULL && atomic_load(count->options->stop) != 0)
            return false;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (long)(tick * 1e9);
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&pool->done, &pool->mutex, &until);
        if (count->options->progress != NULL && sy_clock() - count->reported >= tick) {
            pthread_mutex_unlock(&pool->mutex);
            count->reported = sy_clock();
            count->options->progress(count->options->context, count->result,
                                     count->reported - count->started);
            pthread_mutex_lock(&pool->mutex);
        }
    }
    return true;
}

static void release(struct pool *pool, uint64_t number)
{
    sy_match_game_free(pool->game[number]);
    pool->game[number] = NULL;
}

static enum sy_status count_all(struct pool *pool, struct count *count, struct sy_error *error)
{
    const struct sy_match_game *pair[2] = {NULL, NULL};
    for (uint64_t number = 0; number < count->match->games; number++) {
        pthread_mutex_lock(&pool->mutex);
        const bool there = await(pool, count, number);
        const struct sy_match_game *game = pool->game[number];
        pthread_mutex_unlock(&pool->mutex);
        if (!there)
            return sy_fail(error, SY_FAILED, "stopped after %llu games%s", (unsigned long long)number,
                           count->options->directory == NULL ? "" : resume_hint);
        enum sy_status status = game->status == SY_OK
                                    ? count_game(count, game, error)
                                    : sy_fail(error, game->status, "%s", game->error.message);
        if (status != SY_OK)
            return status;
        pair[number % 2] = game;
        if (number % 2 == 0)
            continue;
        count_pair(count, pair);
        release(pool, number - 1);
        release(pool, number);
        if (count->result->sprt.verdict != SY_SPRT_OPEN)
            break;
    }
    return SY_OK;
}

/* ---- running ---- */

/* So that a player that cannot play is an error and not a void game. */
static enum sy_status try_players(const struct sy_match *match, struct sy_error *error)
{
    enum sy_status status = SY_OK;
    for (int i = 0; status == SY_OK && i < 2; i++)
        status = sy_player_try(&match->player[i], match->variant, false, error);
    return status;
}

/* The games of the log are as good as played. */
static void init_pool(struct pool *pool, const struct sy_match *match, const struct sy_match_log *log)
{
    memset(pool, 0, sizeof *pool);
    pool->match = match;
    atomic_init(&pool->stop, false);
    pool->game = log->game;
    pool->next = log->count;
    pthread_mutex_init(&pool->mutex, NULL);
    sy_clock_condition(&pool->done);
}

static void clear_pool(struct pool *pool)
{
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->mutex);
}

static enum sy_status play_all(struct count *count, struct sy_error *error)
{
    const unsigned wanted = count->options->threads;
    struct pool pool;
    pthread_t *threads = sy_alloc(wanted, sizeof *threads);
    unsigned started = 0;
    int failure = 0;
    init_pool(&pool, count->match, &count->log);
    while (started < wanted && (failure = pthread_create(&threads[started], NULL, work, &pool)) == 0)
        started++;
    enum sy_status status = started > 0
                                ? count_all(&pool, count, error)
                                : sy_fail(error, SY_FAILED, "cannot start a thread: %s", strerror(failure));
    atomic_store(&pool.stop, true);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    clear_pool(&pool);
    return status;
}

/* ---- the directory ---- */

static enum sy_status write_result(const struct count *count, struct sy_error *error)
{
    char *path = sy_format("%s/" SY_MATCH_FILE, count->options->directory);
    char *text = sy_match_json(count->match, count->result);
    enum sy_status status = sy_write_file(path, text, strlen(text), error);
    free(text);
    free(path);
    return status;
}

/* match.json comes before the first game, so that whatever interrupts the match, its games have a name. */
static enum sy_status open_log(struct count *count, struct sy_error *error)
{
    if (count->options->directory == NULL)
        return SY_OK;
    enum sy_status status = sy_match_log_open(count->match, count->options, &count->log, error);
    return status == SY_OK && !count->log.begun ? write_result(count, error) : status;
}

static enum sy_status close_log(struct count *count, struct sy_error *error)
{
    struct sy_match_log *log = &count->log;
    for (uint64_t i = 0; i < count->match->games; i++)
        sy_match_game_free(log->game[i]);
    free(log->game);
    if (log->descriptor < 0 || close(log->descriptor) == 0)
        return SY_OK;
    return sy_fail(error, SY_FAILED, "%s/" SY_LOG_FILE ": cannot close: %s", count->options->directory,
                   strerror(errno));
}

/* What was counted is written after a failure too. */
static enum sy_status play_and_write(struct count *count, struct sy_error *error)
{
    struct sy_error second;
    count->digest = sy_digest_create();
    const enum sy_status status = play_all(count, error);
    sy_digest_finish(count->digest, count->result->digest);
    if (count->log.descriptor < 0)
        return status;
    const enum sy_status written = write_result(count, status == SY_OK ? error : &second);
    return status == SY_OK ? written : status;
}

enum sy_status sy_match_play(const struct sy_match *match, const struct sy_match_options *options,
                             struct sy_match_result *result, struct sy_error *error)
{
    struct count count = {.match = match, .options = options, .result = result, .started = sy_clock()};
    struct sy_error second;
    memset(result, 0, sizeof *result);
    count.log.descriptor = -1;
    count.log.game = sy_alloc(match->games, sizeof *count.log.game);
    enum sy_status status = try_players(match, error);
    if (status == SY_OK)
        status = open_log(&count, error);
    if (status == SY_OK)
        status = play_and_write(&count, error);
    const enum sy_status closed = close_log(&count, status == SY_OK ? error : &second);
    return status == SY_OK ? closed : status; /* the failure that came first */
}
