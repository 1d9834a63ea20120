/* uci: the conversation.
 *
 * One thread does everything: a search asks for the next line each time it may be broken off, so that nothing
 * is shared, no wake-up can be lost, and a move costs none. A command that changes what a search works on
 * ends it and is obeyed when it has answered. Output is gathered and goes out in whole lines: after each
 * command, with the best move, and during a search when some time has passed, so that a hasty move takes one
 * write. */
#include "steelyard/uci.h"

#include "steelyard/clock.h"
#include "steelyard/notation.h"
#include "steelyard/reader.h"
#include "steelyard/search.h"
#include "steelyard/shipped.h"
#include "steelyard/version.h"
#include "uci_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEFAULT_HASH = 16, MOST_HASH = 65536, DEFAULT_OVERHEAD = 10, MOST_OVERHEAD = 5000 };
static const int64_t most_seed = INT32_MAX;
static const double longest_hold = 0.02; /* seconds: lines of a search may be held back so long */

struct session;

struct command {
    const char *name;
    void (*obey)(struct session *session, struct sy_uci_words *words);
    bool ends_search;
};

struct session {
    FILE *out;
    double flushed; /* when the output last went out */
    struct sy_reader in;
    double heard; /* when the line that is obeyed was read */
    bool over;    /* the conversation is */
    struct sy_variant *variant;
    struct sy_params params;
    int64_t hash, overhead, seed; /* MiB; milliseconds; of the evaluation's noise */
    struct sy_engine *engine;     /* NULL until it is needed */
    bool placed;                  /* there is a position */
    struct sy_position position;
    struct sy_history history;
    /* The search that is on, or was. */
    bool searching;
    bool stop;
    bool waits;   /* infinite or pondering: no answer before stop or ponderhit */
    bool limited; /* it ends by itself */
    int64_t mate;
    struct sy_uci_budget budget;
    double begun, clock_from;
    bool forced;       /* there is one legal move */
    uint64_t reported; /* nodes in the last info line */
    sy_move last_best; /* of the iteration before */
    /* What ended it, to be obeyed after its answer; NULL: nothing. */
    const struct command *later;
    struct sy_uci_words later_words;
};

static void say(struct session *session, const char *format, ...) SY_PRINTF(2, 3);

static void say(struct session *session, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(session->out, format, arguments);
    va_end(arguments);
}

static void flush(struct session *session)
{
    fflush(session->out);
    session->flushed = sy_clock();
}

static void complain(struct session *session, const struct sy_error *error)
{
    say(session, "info string error: %s\n", error->message);
}

/* ---- listening ---- */

static void attend(struct session *session, struct sy_uci_words words);

/* Obeys the next line; waits for it until the deadline. After the end of the input only a search that ends by
 * itself goes on. */
static void listen(struct session *session, double deadline)
{
    char *line = sy_reader_next(&session->in, deadline);
    if (line != NULL) {
        session->heard = sy_clock();
        attend(session, (struct sy_uci_words){line});
    } else if (session->in.ended) {
        session->over = true;
        session->stop = session->stop || session->waits || !session->limited;
    }
}

/* ---- searching ---- */

static bool must_stop(void *context)
{
    struct session *session = context;
    const double now = sy_clock();
    if (now - session->flushed > longest_hold)
        flush(session);
    if (!session->stop)
        listen(session, 0);
    const bool late =
        !session->waits && session->budget.most > 0 && now - session->clock_from >= session->budget.most;
    return session->stop || late;
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
    const double spent = sy_clock() - session->clock_from;
    const double share = result->best == session->last_best ? settled : 1;
    session->last_best = result->best;
    if (session->mate > 0 && result->mate > 0 && result->mate <= session->mate)
        return false;
    if (session->waits || session->budget.enough <= 0)
        return true;
    return !session->forced && spent < share * session->budget.enough;
}

static void answer(struct session *session, const struct sy_search_result *result)
{
    char best[SY_MOVE_TEXT], next[SY_MOVE_TEXT];
    say(session, "bestmove %s", sy_move_text(session->variant, result->best, best));
    if (result->pv_length > 1 && result->pv[0] == result->best)
        say(session, " ponder %s", sy_move_text(session->variant, result->pv[1], next));
    say(session, "\n");
    flush(session);
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

static void search(struct session *session, const struct sy_uci_go *go, unsigned legal)
{
    struct sy_search_result result;
    const struct sy_limits limits = {.nodes = go->nodes, .depth = go->depth};
    ready_engine(session);
    session->budget = sy_uci_budget_of(go, session->position.to_move, session->overhead);
    session->mate = go->mate;
    session->forced = legal == 1;
    session->last_best = SY_NO_MOVE;
    session->reported = 0;
    session->waits = go->infinite || go->ponder;
    session->limited = go->nodes > 0 || go->depth > 0 || session->budget.most > 0;
    session->begun = session->clock_from = session->heard;
    session->stop = false;
    session->searching = true;
    sy_engine_search(session->engine, &session->position, &session->history, &limits, &result);
    if (result.nodes != session->reported)
        report(session, &result);
    while (session->waits && !session->stop) {
        flush(session);
        listen(session, INFINITY);
    }
    session->searching = false;
    answer(session, &result);
}

static void go(struct session *session, struct sy_uci_words *words)
{
    struct sy_uci_go request;
    struct sy_error error;
    if (sy_uci_read_go(words, &request, &error) != SY_OK)
        complain(session, &error);
    const unsigned legal = session->placed ? sy_count_legal(&session->position) : 0;
    if (legal > 0) {
        search(session, &request, legal);
        return;
    }
    say(session, "info string %s\nbestmove 0000\n",
        session->placed ? "there is no legal move" : "no position");
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
    if (strcasecmp(name, "Ponder") == 0)
        return SY_OK; /* it does when it is told to */
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

static void introduce(struct session *session, struct sy_uci_words *words)
{
    (void)words;
    say(session, "id name Steelyard %s\nid author the authors of Steelyard\n", sy_version);
    say(session, "option name Hash type spin default %d min 1 max %d\n", DEFAULT_HASH, MOST_HASH);
    say(session, "option name Threads type spin default 1 min 1 max 1\n");
    say(session, "option name Move Overhead type spin default %d min 0 max %d\n", DEFAULT_OVERHEAD,
        MOST_OVERHEAD);
    say(session, "option name Ponder type check default false\n");
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

static void be_ready(struct session *session, struct sy_uci_words *words)
{
    (void)words;
    ready_engine(session);
    say(session, "readyok\n");
}

static void ponder_hit(struct session *session, struct sy_uci_words *words)
{
    (void)words;
    session->waits = false;
    session->clock_from = session->heard;
}

static void stop(struct session *session, struct sy_uci_words *words)
{
    (void)words;
    session->stop = true;
}

static void quit(struct session *session, struct sy_uci_words *words)
{
    (void)words;
    session->over = session->stop = true;
}

static void new_game(struct session *session, struct sy_uci_words *words)
{
    (void)words;
    if (session->engine != NULL)
        sy_engine_new_game(session->engine, (uint64_t)session->seed);
}

static void ignore(struct session *session, struct sy_uci_words *words)
{
    (void)session;
    (void)words;
}

static const struct command commands[] = {
    {"go", go, true},
    {"position", set_position, true},
    {"isready", be_ready, false},
    {"stop", stop, false},
    {"ponderhit", ponder_hit, false},
    {"ucinewgame", new_game, true},
    {"setoption", set_option, true},
    {"uci", introduce, false},
    {"quit", quit, false},
    {"debug", ignore, false},
    {"register", ignore, false},
};

static const struct command *command_of(const char *word)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(word, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* Obeys a line, or lays it aside when it is to end a search first. Words before the command are passed over,
 * as the protocol has it. */
static void attend(struct session *session, struct sy_uci_words words)
{
    struct sy_error error;
    const struct command *command = NULL;
    const char *first = NULL;
    for (const char *word; command == NULL && (word = sy_uci_word(&words)) != NULL;) {
        first = first != NULL ? first : word;
        command = command_of(word);
    }
    if (first == NULL)
        return;
    if (command == NULL) {
        sy_fail(&error, SY_BAD_INPUT, "unknown command '%s'", first);
        complain(session, &error);
    } else if (command->ends_search && session->searching) {
        session->later = command;
        session->later_words = words;
        session->stop = true;
        return;
    } else {
        command->obey(session, &words);
    }
    flush(session);
}

/* What was laid aside. It was heard when it came: a clock in it runs since then. */
static void catch_up(struct session *session)
{
    while (session->later != NULL && !session->over) {
        const struct command *command = session->later;
        session->later = NULL;
        command->obey(session, &session->later_words);
        flush(session);
    }
}

static enum sy_status begin(struct session *session, int in, FILE *out, struct sy_error *error)
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
    sy_reader_init(&session->in, in);
    return set_variant(session, name, error);
}

static void end(struct session *session)
{
    sy_reader_clear(&session->in);
    drop_engine(session);
    sy_variant_free(session->variant);
    sy_history_clear(&session->history);
}

enum sy_status sy_uci_run(int in, FILE *out, struct sy_error *error)
{
    struct session session;
    enum sy_status status = begin(&session, in, out, error);
    while (status == SY_OK && !session.over) {
        listen(&session, INFINITY);
        catch_up(&session);
    }
    end(&session);
    return status;
}
