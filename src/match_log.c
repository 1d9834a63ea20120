/* match_log: the games of a match that was begun, read back so that it can go on.
 *
 * A line is believed only if it follows from the match file as far as that decides it (openings, rules, ends)
 * and is to the byte what would be written for the same game. Scores are not in it, so an adjudication is
 * believed where there could have been one. */
#include "match_internal.h"

#include "harness_internal.h"
#include "steelyard/fen.h"
#include "steelyard/version.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- of which match ---- */

/* What decides the games of a match file, a new string. */
static char *deciding_text(const struct sy_json *match)
{
    static const char *const left_out[] = {"title", "about", "confidence", "failures"};
    struct sy_json *patch = sy_json_new_object();
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        sy_json_add(patch, left_out[i], sy_json_new_null());
    struct sy_json_doc *part = sy_json_merge("match", match, patch);
    char *text = sy_json_text(sy_json_root(part), false);
    sy_json_delete(patch);
    sy_json_free(part);
    return text;
}

static bool is_same(const struct sy_match *match, const struct sy_json *other, const char *rules)
{
    if (sy_json_kind(other) != SY_JSON_OBJECT || strcmp(rules, match->variant->digest) != 0)
        return false;
    char *ours = deciding_text(sy_json_root(match->doc)), *theirs = deciding_text(other);
    const bool same = strcmp(ours, theirs) == 0;
    free(ours);
    free(theirs);
    return same;
}

/* Fails unless DIR/match.json is of this match and of this version of the program. */
static enum sy_status check_match(const struct sy_match *match, const char *directory, struct sy_error *error)
{
    struct sy_json_doc *doc;
    const struct sy_json *other;
    const char *rules, *program;
    char *path = sy_path_in(directory, SY_MATCH_FILE);
    enum sy_status status = sy_json_read_file(path, &doc, error);
    free(path);
    if (status != SY_OK)
        return status;
    const struct sy_json *root = sy_json_root(doc);
    status = sy_json_get_object(doc, root, "match", &other, error);
    if (status == SY_OK)
        status = sy_json_get_string(doc, root, "rules_sha256", &rules, error);
    if (status == SY_OK)
        status = sy_json_get_string(doc, root, "program", &program, error);
    if (status == SY_OK && !is_same(match, other, rules))
        status =
            sy_fail(error, SY_FAILED, "%s: holds another match: choose another directory with -o", directory);
    if (status == SY_OK && strcmp(program, sy_version) != 0)
        status =
            sy_fail(error, SY_FAILED, "%s: begun by version %s, which may play otherwise than this one, %s",
                    directory, program, sy_version);
    sy_json_free(doc);
    return status;
}

/* ---- games ---- */

static enum sy_status read_end(const struct sy_json_doc *doc, struct sy_game_record *record,
                               struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc);
    const char *reason = SY_REASON_VOID, *fault = NULL;
    enum sy_status status = sy_json_get_string_or(doc, root, SY_REASON_VOID, &fault, error);
    if (status == SY_OK && fault == NULL)
        status = sy_json_get_string(doc, root, "reason", &reason, error);
    if (status != SY_OK)
        return status;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    record->fault = fault == NULL ? NULL : sy_strdup(fault);
    record->finished = fault == NULL && strcmp(reason, SY_REASON_UNFINISHED) != 0;
    return record->finished ? sy_json_get_double(doc, root, "result", 0, 1, &record->result, error) : SY_OK;
}

/* The game as an experiment's, which knows how to check it. */
static enum sy_status read_record(const struct sy_match *match, const struct sy_json_doc *doc,
                                  struct sy_game_record *record, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc);
    struct sy_position start;
    const char *moves;
    int64_t opening = 0;
    record->legal = NAN;
    record->pair = sy_experiment_pair(match->openings, record->number);
    enum sy_status status = sy_json_get_string(doc, root, "moves", &moves, error);
    if (status == SY_OK)
        status = sy_json_get_int(doc, root, "opening", 0, 100000, &opening, error);
    if (status == SY_OK)
        status = sy_fen_parse(match->variant, match->variant->start, &start, error);
    if (status != SY_OK)
        return status;
    record->opening = (unsigned)opening;
    record->start = sy_fen(&start);
    status = sy_log_moves(doc, &match->openings->arms[0], moves, record, error);
    if (status == SY_OK)
        status = read_end(doc, record, error);
    return status == SY_OK ? sy_game_check(match->openings, record, error) : status;
}

static enum sy_status read_nodes(const struct sy_json_doc *doc, struct sy_match_game *game,
                                 struct sy_error *error)
{
    const struct sy_json *nodes;
    enum sy_status status = sy_json_get_array(doc, sy_json_root(doc), "nodes", &nodes, error);
    if (status != SY_OK)
        return status;
    const struct sy_json *item = sy_json_first(nodes);
    for (unsigned side = 0; side < 2; side++, item = item == NULL ? NULL : sy_json_next(item)) {
        const double number = item == NULL ? -1 : sy_json_number(item);
        if (!(number >= 0 && number < 0x1p53))
            return sy_json_fail(doc, nodes, error, "must be two numbers of nodes");
        game->nodes[side] = (uint64_t)number;
    }
    return SY_OK;
}

/* Takes the record's moves over. */
static struct sy_match_game *game_of(struct sy_game_record *record)
{
    struct sy_match_game *game = sy_alloc(1, sizeof *game);
    game->number = record->number;
    game->moves = record->moves;
    game->plies = record->plies;
    game->opening = record->opening;
    game->finished = record->finished;
    game->result = record->result;
    memcpy(game->reason, record->reason, sizeof game->reason);
    snprintf(game->fault, sizeof game->fault, "%s", record->fault == NULL ? "" : record->fault);
    record->moves = NULL;
    return game;
}

/* The line must be what the program would write. */
static enum sy_status compare_line(const struct sy_match *match, const struct sy_match_game *game,
                                   const char *line, size_t length, struct sy_error *error)
{
    char *written = sy_match_game_line(match, game);
    const bool same = strlen(written) == length + 1 && memcmp(written, line, length) == 0;
    free(written);
    return same ? SY_OK : sy_fail(error, SY_BAD_INPUT, "not a line that this match writes");
}

static enum sy_status read_game(const struct sy_match *match, uint64_t number, const char *line,
                                size_t length, struct sy_match_game **out, struct sy_error *error)
{
    struct sy_json_doc *doc;
    struct sy_game_record record = {.number = number};
    enum sy_status status = sy_json_read("line", line, length, &doc, error);
    if (status != SY_OK)
        return status;
    status = read_record(match, doc, &record, error);
    if (status == SY_OK) {
        *out = game_of(&record);
        status = read_nodes(doc, *out, error);
    }
    if (status == SY_OK)
        status = compare_line(match, *out, line, length, error);
    sy_game_record_clear(&record);
    sy_json_free(doc);
    return status;
}

/* The games of the whole lines; *length becomes theirs. */
static enum sy_status read_games(const struct sy_match *match, const char *name, const char *bytes,
                                 size_t *length, struct sy_match_log *log, struct sy_error *error)
{
    const char *at = bytes;
    for (const char *end; (end = memchr(at, '\n', *length - (size_t)(at - bytes))) != NULL; at = end + 1) {
        struct sy_match_game *game = NULL;
        enum sy_status status = log->count == match->games
                                    ? sy_fail(error, SY_BAD_INPUT, "more games than the match has")
                                    : read_game(match, log->count, at, (size_t)(end - at), &game, error);
        if (status != SY_OK) {
            sy_match_game_free(game);
            return sy_fail_within(error, SY_BAD_INPUT, "%s:%llu", name, (unsigned long long)log->count + 1);
        }
        log->game[log->count++] = game;
    }
    *length = (size_t)(at - bytes);
    return SY_OK;
}

/* ---- opening ---- */

static enum sy_status cut(int descriptor, const char *path, size_t length,
                          const struct sy_match_options *options, struct sy_error *error)
{
    if (ftruncate(descriptor, (off_t)length) != 0)
        return sy_fail(error, SY_FAILED, "%s: cannot cut its half line off: %s", path, strerror(errno));
    char *message = sy_format("%s: ended in half a line; cut off", path);
    if (options->warn != NULL)
        options->warn(options->context, message);
    free(message);
    return SY_OK;
}

static enum sy_status continue_log(const struct sy_match *match, const struct sy_match_options *options,
                                   const char *path, struct sy_match_log *log, struct sy_error *error)
{
    char *bytes = NULL;
    size_t length = 0;
    enum sy_status status = sy_log_bytes(log->descriptor, path, &bytes, &length, error);
    log->begun = length > 0;
    size_t whole = length;
    if (status == SY_OK && length > 0 && !options->resume)
        status =
            sy_fail(error, SY_FAILED,
                    "%s: is there already: go on with --resume, or choose another directory with -o", path);
    if (status == SY_OK && length > 0)
        status = check_match(match, options->directory, error);
    if (status == SY_OK)
        status = read_games(match, path, bytes, &whole, log, error);
    if (status == SY_OK && whole < length)
        status = cut(log->descriptor, path, whole, options, error);
    free(bytes);
    return status;
}

enum sy_status sy_match_log_open(const struct sy_match *match, const struct sy_match_options *options,
                                 struct sy_match_log *log, struct sy_error *error)
{
    char *path = sy_path_in(options->directory, SY_LOG_FILE);
    enum sy_status status = sy_make_directory(options->directory, error);
    if (status == SY_OK) {
        log->descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (log->descriptor < 0)
            status = sy_fail(error, SY_FAILED, "%s: cannot open: %s", path, strerror(errno));
    }
    if (status == SY_OK)
        status = sy_log_lock(log->descriptor, path, error);
    if (status == SY_OK)
        status = continue_log(match, options, path, log, error);
    free(path);
    return status;
}
