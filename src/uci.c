/* uci: the conversation.
 *
 * One thread reads and answers commands, another searches. The first alone touches the session, but for
 * what is under the mutex, and the engine while a search is on. Every command but isready, stop,
 * ponderhit and quit first ends a search that is still on. Each line goes out in one piece, at once. */
#include "steelyard/uci.h"

#include "steelyard/clock.h"
#include "steelyard/notation.h"
#include "steelyard/search.h"
#include "steelyard/shipped.h"
#include "steelyard/version.h"
#include "uci_internal.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEFAULT_HASH = 16, MOST_HASH = 65536, DEFAULT_OVERHEAD = 10, MOST_OVERHEAD = 5000 };
static const int64_t most_seed = INT32_MAX;

struct session {
    FILE *out;
    struct sy_variant *variant;
    struct sy_params params;
    int64_t hash, overhead, seed; /* MiB; milliseconds; of the evaluation's noise */
    struct sy_engine *engine;     /* NULL until it is needed */
    bool placed;                  /* there is a position */
    struct sy_position position;
    struct sy_history history;
    /* The search that is on, or was. */
    bool searching; /* its thread is to be joined */
    pthread_t thread;
    struct sy_limits limits;
    struct sy_uci_budget budget;
    double begun;
    bool forced;       /* there is one legal move */
    uint64_t reported; /* nodes in the last info line */
    sy_move last_best; /* of the iteration before */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex: */
    bool stop, waits; /* waits: infinite or pondering, no answer before stop or ponderhit */
    double clock_from;
};

static void say(struct session *session, const char *format, ...) SY_PRINTF(2, 3);

static void say(struct session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(session->out, format, arguments);
    va_end(arguments);
    fflush(session->out);
}

static void complain(struct session *session, const struct sy_error *error)
{
    say(session, "info string error: %s\n", error->message);
}

/* ---- searching ---- */

static bool must_stop(void *context)
{
    struct session *session = context;
    pthread_mutex_lock(&session->mutex);
    const bool late = !session->waits && session->budget.most > 0 &&
                      sy_clock() - session->clock_from >= session->budget.most;
    const bool stop = session->stop || late;
    pthread_mutex_unlock(&session->mutex);
    return stop;
}

static void report(struct session *session, const struct sy_search_result *result)
{
    const double seconds = sy_clock() - session->begun;
    struct sy_text line = SY_TEXT_INIT;
    sy_text_printf(&line, "info depth %u score ", result->depth);
    if (result->mate != 0)
        sy_text_printf(&line, "mate %d", result->mate);
    else
        sy_text_printf(&line, "cp %ld", lround(result->score * 100));
    sy_text_printf(&line, " nodes %" PRIu64 " nps %.0f time %.0f pv", result->nodes,
                   seconds > 0 ? (double)result->nodes / seconds : 0, seconds * 1000);
    for (unsigned i = 0; i < result->pv_length; i++) {
        char text[SY_MOVE_TEXT];
        sy_text_printf(&line, " %s", sy_move_text(session->variant, result->pv[i], text));
    }
    say(session, "%s\n", line.bytes);
    sy_text_clear(&line);
    session->reported = result->nodes;
}

/* Is there time for one more iteration? A change of mind is worth some more. */
static bool goes_on(void *context, const struct sy_search_result *result)
{
    struct session *session = context;
    const double settled = 0.6;
    report(session, result);
    pthread_mutex_lock(&session->mutex);
    const bool waits = session->waits;
    const double spent = sy_clock() - session->clock_from;
    pthread_mutex_unlock(&session->mutex);
    const double share = result->best == session->last_best ? settled : 1;
    session->last_best = result->best;
    if (waits || session->budget.enough <= 0)
        return true;
    return !session->forced && spent < share * session->budget.enough;
}

static void *search(void *argument)
{
    struct session *session = argument;
    struct sy_search_result result;
    char text[SY_MOVE_TEXT];
    sy_engine_search(session->engine, &session->position, &session->history, &session->limits, &result);
    if (result.nodes != session->reported)
        report(session, &result);
    pthread_mutex_lock(&session->mutex);
    while (session->waits && !session->stop)
        pthread_cond_wait(&session->changed, &session->mutex);
    pthread_mutex_unlock(&session->mutex);
    say(session, "bestmove %s\n", sy_move_text(session->variant, result.best, text));
    return NULL;
}

/* Ends the search, if one is on; it answers first. */
static void end_search(struct session *session)
{
    if (!session->searching)
        return;
    pthread_mutex_lock(&session->mutex);
    session->stop = true;
    pthread_cond_signal(&session->changed);
    pthread_mutex_unlock(&session->mutex);
    pthread_join(session->thread, NULL);
    session->searching = false;
}

static void ready_engine(struct session *session)
{
    const struct sy_watch watch = {must_stop, goes_on, session};
    if (session->engine != NULL)
        return;
    session->engine = sy_engine_create(session->variant, (size_t)session->hash << 20);
    sy_engine_set_params(session->engine, &session->params);
    sy_engine_new_game(session->engine, (uint64_t)session->seed);
    sy_engine_watch(session->engine, &watch);
}

static void drop_engine(struct session *session)
{
    sy_engine_free(session->engine);
    session->engine = NULL;
}

static void start_search(struct session *session, const struct sy_uci_go *go, unsigned legal)
{
    ready_engine(session);
    session->limits = (struct sy_limits){.nodes = go->nodes, .depth = go->depth};
    session->budget = sy_uci_budget_of(go, session->position.to_move, session->overhead);
    session->forced = legal == 1;
    session->last_best = SY_NO_MOVE;
    session->reported = 0;
    session->stop = false;
    session->waits = go->infinite || go->ponder;
    session->begun = session->clock_from = sy_clock();
    if (pthread_create(&session->thread, NULL, search, session) == 0)
        session->searching = true;
    else
        say(session, "info string error: cannot start a thread\nbestmove 0000\n");
}

static void go(struct session *session, struct sy_uci_words *words)
{
    struct sy_uci_go request;
    struct sy_error error;
    if (sy_uci_read_go(words, &request, &error) != SY_OK)
        complain(session, &error);
    const unsigned legal = session->placed ? sy_count_legal(&session->position) : 0;
    if (legal > 0) {
        start_search(session, &request, legal);
        return;
    }
    say(session, "info string %s\nbestmove 0000\n",
        session->placed ? "there is no legal move" : "no position");
}

static void ponder_hit(struct session *session)
{
    pthread_mutex_lock(&session->mutex);
    session->waits = false;
    session->clock_from = sy_clock();
    pthread_cond_signal(&session->changed);
    pthread_mutex_unlock(&session->mutex);
}

/* ---- positions ---- */

static enum sy_status place(struct session *session, const char *fen, struct sy_error *error)
{
    session->history.count = 0;
    enum sy_status status = sy_fen_parse(session->variant, fen, &session->position, error);
    session->placed = status == SY_OK;
    if (status == SY_OK)
        sy_history_push(&session->history, session->position.key);
    return status;
}

static enum sy_status play(struct session *session, const char *text, struct sy_error *error)
{
    struct sy_undo undo;
    sy_move move;
    enum sy_status status = sy_move_parse(&session->position, text, &move, error);
    if (status != SY_OK)
        return status;
    sy_make(&session->position, move, &undo);
    sy_history_push(&session->history, session->position.key);
    return SY_OK;
}

static void set_position(struct session *session, struct sy_uci_words *words)
{
    struct sy_error error;
    enum sy_status status;
    const char *kind = sy_uci_word(words);
    if (kind != NULL && strcmp(kind, "startpos") == 0) {
        status = place(session, session->variant->start, &error);
        sy_uci_word(words); /* "moves" */
    } else if (kind != NULL && strcmp(kind, "fen") == 0) {
        char *fen = sy_uci_join(words, "moves");
        status = place(session, fen, &error);
        free(fen);
    } else {
        status = sy_fail(&error, SY_BAD_INPUT, "position: must be 'startpos' or 'fen', not '%s'",
                         kind != NULL ? kind : "");
    }
    for (const char *move; status == SY_OK && (move = sy_uci_word(words)) != NULL;)
        status = play(session, move, &error);
    session->placed = status == SY_OK;
    if (status != SY_OK)
        complain(session, &error);
}

/* ---- options ---- */

static enum sy_status set_variant(struct session *session, const char *name, struct sy_error *error)
{
    struct sy_variant *variant;
    struct sy_params params;
    enum sy_status status = sy_variant_load(name, NULL, &variant, error);
    if (status != SY_OK)
        return status;
    drop_engine(session);
    sy_params_default(variant, &params);
    if (session->variant != NULL)
        memcpy(params.other, session->params.other, sizeof params.other);
    sy_variant_free(session->variant);
    session->variant = variant;
    session->params = params;
    return place(session, variant->start, error);
}

static enum sy_status set_number(struct session *session, const char *name, const char *value, int64_t least,
                                 int64_t most, int64_t *number, struct sy_error *error)
{
    if (!sy_parse_i64(value, least, most, number))
        return sy_fail(error, SY_BAD_INPUT,
                       "%s must be a whole number from %" PRId64 " to %" PRId64 ", not '%s'", name, least,
                       most, value);
    drop_engine(session);
    return SY_OK;
}

static enum sy_status set_param(struct session *session, const char *name, const char *value,
                                struct sy_error *error)
{
    char *assignment = sy_format("%s=%s", name, value);
    enum sy_status status = sy_params_assign(session->variant, assignment, &session->params, error);
    free(assignment);
    if (status == SY_OK)
        drop_engine(session);
    return status;
}

static enum sy_status set_named(struct session *session, const char *name, const char *value,
                                struct sy_error *error)
{
    int64_t threads;
    if (strcasecmp(name, "Hash") == 0)
        return set_number(session, name, value, 1, MOST_HASH, &session->hash, error);
    if (strcasecmp(name, "Threads") == 0)
        return set_number(session, name, value, 1, 1, &threads, error);
    if (strcasecmp(name, "Move Overhead") == 0)
        return set_number(session, name, value, 0, MOST_OVERHEAD, &session->overhead, error);
    if (strcasecmp(name, "Seed") == 0)
        return set_number(session, name, value, 0, most_seed, &session->seed, error);
    if (strcasecmp(name, "UCI_Variant") == 0)
        return set_variant(session, value, error);
    if (strcasecmp(name, "Clear Hash") == 0)
        drop_engine(session);
    else if (strchr(name, '.') != NULL)
        return set_param(session, name, value, error);
    else
        return sy_fail(error, SY_BAD_INPUT, "no option is called '%s'", name);
    return SY_OK;
}

static void set_option(struct session *session, struct sy_uci_words *words)
{
    struct sy_error error;
    const char *word = sy_uci_word(words);
    if (word == NULL || strcmp(word, "name") != 0) {
        sy_fail(&error, SY_BAD_INPUT, "setoption: must go on with 'name'");
        complain(session, &error);
        return;
    }
    char *name = sy_uci_join(words, "value"), *value = sy_uci_join(words, NULL);
    if (set_named(session, name, value, &error) != SY_OK)
        complain(session, &error);
    free(name);
    free(value);
}

static void offer_params(struct session *session)
{
    char number[32];
    struct sy_params params;
    sy_params_default(session->variant, &params);
    for (unsigned i = 0; i < session->variant->materials; i++) {
        if (session->variant->material_royal[i])
            continue;
        sy_double_text(params.value[i], number);
        say(session, "option name value.%s type string default %s\n", session->variant->material[i], number);
    }
    for (size_t i = 0; i < sy_param_count(); i++) {
        sy_double_text(params.other[i], number);
        say(session, "option name %s type string default %s\n", sy_param_info(i)->name, number);
    }
}

static void introduce(struct session *session)
{
    say(session, "id name Steelyard %s\nid author the authors of Steelyard\n", sy_version);
    say(session, "option name Hash type spin default %d min 1 max %d\n", DEFAULT_HASH, MOST_HASH);
    say(session, "option name Threads type spin default 1 min 1 max 1\n");
    say(session, "option name Move Overhead type spin default %d min 0 max %d\n", DEFAULT_OVERHEAD,
        MOST_OVERHEAD);
    say(session, "option name Clear Hash type button\n");
    say(session, "option name Seed type spin default 0 min 0 max %" PRId64 "\n", most_seed);
    struct sy_text line = SY_TEXT_INIT;
    sy_text_printf(&line, "option name UCI_Variant type combo default %s", session->variant->name);
    for (size_t i = 0; i < sy_shipped_variant_count; i++)
        sy_text_printf(&line, " var %s", sy_shipped_variants[i].name);
    say(session, "%s\n", line.bytes);
    sy_text_clear(&line);
    offer_params(session);
    say(session, "uciok\n");
}

/* ---- commands ---- */

static void new_game(struct session *session)
{
    if (session->engine != NULL)
        sy_engine_new_game(session->engine, (uint64_t)session->seed);
}

/* False when the conversation is over. */
static bool obey(struct session *session, struct sy_uci_words *words)
{
    const char *command = sy_uci_word(words);
    if (command == NULL)
        return true;
    if (strcmp(command, "quit") == 0)
        return false;
    if (strcmp(command, "isready") == 0) {
        ready_engine(session);
        say(session, "readyok\n");
        return true;
    }
    if (strcmp(command, "ponderhit") == 0) {
        ponder_hit(session);
        return true;
    }
    end_search(session);
    if (strcmp(command, "uci") == 0)
        introduce(session);
    else if (strcmp(command, "ucinewgame") == 0)
        new_game(session);
    else if (strcmp(command, "setoption") == 0)
        set_option(session, words);
    else if (strcmp(command, "position") == 0)
        set_position(session, words);
    else if (strcmp(command, "go") == 0)
        go(session, words);
    else if (strcmp(command, "stop") != 0 && strcmp(command, "debug") != 0 &&
             strcmp(command, "register") != 0)
        say(session, "info string error: unknown command '%s'\n", command);
    return true;
}

static enum sy_status begin(struct session *session, FILE *out, struct sy_error *error)
{
    /* What the protocol means when nobody names a variant, or else the first there is. */
    const char *name = sy_shipped_variants[0].name;
    for (size_t i = 0; i < sy_shipped_variant_count; i++)
        if (strcmp(sy_shipped_variants[i].name, "chess") == 0)
            name = sy_shipped_variants[i].name;
    memset(session, 0, sizeof *session);
    session->out = out;
    session->hash = DEFAULT_HASH;
    session->overhead = DEFAULT_OVERHEAD;
    pthread_mutex_init(&session->mutex, NULL);
    pthread_cond_init(&session->changed, NULL);
    return set_variant(session, name, error);
}

static void end(struct session *session)
{
    end_search(session);
    drop_engine(session);
    sy_variant_free(session->variant);
    sy_history_clear(&session->history);
    pthread_cond_destroy(&session->changed);
    pthread_mutex_destroy(&session->mutex);
}

enum sy_status sy_uci_run(FILE *in, FILE *out, struct sy_error *error)
{
    struct session session;
    struct sy_uci_words *words = sy_alloc(1, sizeof *words);
    char *line = NULL;
    size_t capacity = 0;
    enum sy_status status = begin(&session, out, error);
    while (status == SY_OK && getline(&line, &capacity, in) >= 0) {
        sy_uci_split(line, words);
        if (!obey(&session, words))
            break;
    }
    end(&session);
    free(line);
    free(words);
    return status;
}
