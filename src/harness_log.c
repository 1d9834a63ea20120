/* harness_log: the lines of games.jsonl, written and read.
 *
 * A line is a function of what it records, so a line that was read is written again and compared: nothing
 * that the reader does not know can hide in it. It ends in the first 64 bits of the SHA-256 of all before
 * the check sum's own member. */
#include "harness_internal.h"
#include "steelyard/notation.h"
#include "steelyard/player.h"
#include "steelyard/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "steelyard-games-1";
enum { SUM_DIGITS = 16 };
static const char sum_key[] = ",\"check\":\"";
static const size_t tail_length = sizeof sum_key - 1 + SUM_DIGITS + 2; /* with the closing quote and brace */

uint64_t sy_shard_game(const struct sy_experiment *experiment, struct sy_shard shard, uint64_t number)
{
    const uint64_t total = sy_experiment_games(experiment);
    while (number < total && sy_experiment_pair(experiment, number) % shard.count != shard.index)
        number++;
    return number < total ? number : total;
}

uint64_t sy_shard_games(const struct sy_experiment *experiment, struct sy_shard shard)
{
    const uint64_t total = sy_experiment_games(experiment);
    uint64_t count = 0;
    if (shard.count == 1)
        return total;
    for (uint64_t n = 0; (n = sy_shard_game(experiment, shard, n)) < total; n++)
        count++;
    return count;
}

char *sy_path_in(const char *directory, const char *name)
{
    return sy_format("%s/%s", directory, name);
}

/* ---- writing ---- */

/* The object's text without its closing brace becomes a line with its check sum; releases the object. */
static char *close_line(struct sy_json *object)
{
    char hex[65];
    char *text = sy_json_text(object, false);
    const size_t length = strlen(text) - 1;
    sy_json_delete(object);
    sy_sha256(text, length, hex);
    char *line = sy_format("%.*s%s%.*s\"}\n", (int)length, text, sum_key, SUM_DIGITS, hex);
    free(text);
    return line;
}

char *sy_log_header_of(const struct sy_experiment *experiment, struct sy_shard shard, const char *program)
{
    struct sy_json *object = sy_json_new_object(), *arms = sy_json_new_array();
    sy_json_add_string(object, "format", format_name);
    sy_json_add_string(object, "program", program);
    sy_json_add_string(object, "experiment", experiment->digest);
    for (size_t i = 0; i < experiment->arm_count; i++) {
        struct sy_json *arm = sy_json_new_object();
        sy_json_add_string(arm, "label", experiment->arms[i].label);
        sy_json_add_string(arm, "name", experiment->arms[i].variant->name);
        sy_json_add_string(arm, "digest", experiment->arms[i].variant->digest);
        sy_json_append(arms, arm);
    }
    sy_json_add(object, "variants", arms);
    sy_json_add_u64(object, "seed", experiment->seed);
    sy_json_add_int(object, "games", (int64_t)sy_experiment_games(experiment));
    if (shard.count > 1) {
        struct sy_json *part = sy_json_new_array();
        sy_json_append(part, sy_json_new_int((int64_t)shard.index + 1));
        sy_json_append(part, sy_json_new_int(shard.count));
        sy_json_add(object, "shard", part);
    }
    return close_line(object);
}

char *sy_log_header(const struct sy_experiment *experiment, struct sy_shard shard)
{
    return sy_log_header_of(experiment, shard, sy_version);
}

static void add_drawn(struct sy_json *object, const char *key, const struct sy_arm *arm, const double *drawn)
{
    if (drawn == NULL)
        return;
    struct sy_json *values = sy_json_new_object();
    for (size_t i = 0; i < arm->draw_count; i++)
        sy_json_add_number(values, arm->draws[i].name, drawn[i]);
    sy_json_add(object, key, values);
}

static void add_moves(struct sy_json *object, const struct sy_variant *variant,
                      const struct sy_game_record *record)
{
    struct sy_text moves = SY_TEXT_INIT;
    sy_text_puts(&moves, "");
    for (unsigned i = 0; i < record->plies; i++) {
        char text[SY_MOVE_TEXT];
        if (i > 0)
            sy_text_puts(&moves, " ");
        sy_text_puts(&moves, sy_move_text(variant, record->moves[i], text));
    }
    sy_json_add_string(object, "moves", moves.bytes);
    sy_text_clear(&moves);
}

char *sy_log_line(const struct sy_experiment *experiment, const struct sy_game_record *record)
{
    const struct sy_arm *arm = &experiment->arms[record->arm];
    struct sy_json *object = sy_json_new_object();
    sy_json_add_int(object, "n", (int64_t)record->number);
    sy_json_add_int(object, "arm", record->arm);
    add_drawn(object, "white", arm, record->drawn[SY_WHITE]);
    add_drawn(object, "black", arm, record->drawn[SY_BLACK]);
    sy_json_add_string(object, "start", record->start);
    sy_json_add_int(object, "opening", record->opening);
    add_moves(object, arm->variant, record);
    sy_json_add(object, "result", record->finished ? sy_json_new_number(record->result) : sy_json_new_null());
    sy_json_add_string(object, "reason", record->reason);
    if (record->fault != NULL)
        sy_json_add_string(object, SY_REASON_VOID, record->fault);
    sy_json_add_int(object, "plies", record->plies);
    sy_json_add_int(object, "nodes", (int64_t)record->nodes);
    sy_json_add_number(object, "legal", record->legal);
    return close_line(object);
}

/* ---- reading ---- */

/* A log on its way in. */
struct reading {
    const char *name;
    const struct sy_experiment *experiment;
    struct sy_error *error;
    size_t line;   /* number of the line at hand, from 1 */
    uint64_t game; /* that it should hold; the header comes before any */
    const char *bytes;
    size_t length; /* of the line, without its newline */
};

/* "games.jsonl:3: game 1: ..." */
static enum sy_status fail_line(const struct reading *reading, const char *message)
{
    if (reading->line == 1)
        return sy_fail(reading->error, SY_BAD_INPUT, "%s:1: header: %s", reading->name, message);
    return sy_fail(reading->error, SY_BAD_INPUT, "%s:%zu: game %" PRIu64 ": %s", reading->name, reading->line,
                   reading->game, message);
}

static enum sy_status check_sum(const struct reading *reading)
{
    char hex[65];
    if (reading->length <= tail_length ||
        memcmp(reading->bytes + reading->length - tail_length, sum_key, sizeof sum_key - 1) != 0)
        return fail_line(reading, "not a whole line of a game log: the check sum at its end is missing");
    sy_sha256(reading->bytes, reading->length - tail_length, hex);
    if (memcmp(reading->bytes + reading->length - SUM_DIGITS - 2, hex, SUM_DIGITS) != 0)
        return fail_line(reading, "the line was changed after it was written: its check sum does not match");
    return SY_OK;
}

static enum sy_status read_line_json(const struct reading *reading, struct sy_json_doc **doc)
{
    enum sy_status status = check_sum(reading);
    if (status != SY_OK)
        return status;
    char *name = sy_format("%s, line %zu", reading->name, reading->line);
    status = sy_json_read(name, reading->bytes, reading->length, doc, reading->error);
    free(name);
    return status;
}

/* The line must be what the program would write. */
static enum sy_status compare_line(const struct reading *reading, char *written)
{
    const bool same =
        strlen(written) == reading->length + 1 && memcmp(written, reading->bytes, reading->length) == 0;
    free(written);
    return same ? SY_OK : fail_line(reading, "not a line that this program writes");
}

static enum sy_status read_shard(const struct sy_json_doc *doc, struct sy_shard *shard,
                                 struct sy_error *error)
{
    const struct sy_json *part;
    *shard = (struct sy_shard){0, 1};
    enum sy_status status = sy_json_get_array_or(doc, sy_json_root(doc), "shard", &part, error);
    if (status != SY_OK || part == NULL)
        return status;
    const struct sy_json *first = sy_json_first(part);
    const double index = first == NULL ? 0 : sy_json_number(first);
    const double count = sy_json_count(part) == 2 ? sy_json_number(sy_json_next(first)) : 0;
    if (!(index >= 1 && index <= count && count <= 1e6))
        return sy_json_fail(doc, part, error, "must be [PART, PARTS]");
    *shard = (struct sy_shard){(unsigned)index - 1, (unsigned)count};
    return SY_OK;
}

static enum sy_status read_header_of(const struct reading *reading, const struct sy_json_doc *doc,
                                     struct sy_game_log *log)
{
    const char *format, *program, *digest;
    const struct sy_json *root = sy_json_root(doc);
    enum sy_status status = sy_json_get_string(doc, root, "format", &format, reading->error);
    if (status == SY_OK && strcmp(format, format_name) != 0)
        return sy_json_fail(doc, root, reading->error, "format '%s'; this program reads '%s'", format,
                            format_name);
    if (status == SY_OK)
        status = sy_json_get_string(doc, root, "program", &program, reading->error);
    if (status == SY_OK)
        status = sy_json_get_string(doc, root, "experiment", &digest, reading->error);
    if (status == SY_OK && strcmp(digest, reading->experiment->digest) != 0)
        return fail_line(reading, "these are the games of another experiment");
    if (status == SY_OK)
        status = read_shard(doc, &log->shard, reading->error);
    if (status != SY_OK)
        return status;
    snprintf(log->program, sizeof log->program, "%s", program);
    return compare_line(reading, sy_log_header_of(reading->experiment, log->shard, log->program));
}

static enum sy_status read_header(const struct reading *reading, struct sy_game_log *log)
{
    struct sy_json_doc *doc;
    enum sy_status status = read_line_json(reading, &doc);
    if (status != SY_OK)
        return status;
    status = read_header_of(reading, doc, log);
    sy_json_free(doc);
    return status;
}

static enum sy_status read_drawn(const struct sy_json_doc *doc, const char *key, const struct sy_arm *arm,
                                 double **drawn, struct sy_error *error)
{
    const struct sy_json *object;
    if (arm->draw_count == 0)
        return SY_OK;
    enum sy_status status = sy_json_get_object(doc, sy_json_root(doc), key, &object, error);
    if (status != SY_OK)
        return status;
    *drawn = sy_alloc(arm->draw_count, sizeof **drawn);
    for (size_t i = 0; status == SY_OK && i < arm->draw_count; i++)
        status = sy_json_get_double(doc, object, arm->draws[i].name, arm->draws[i].low, arm->draws[i].high,
                                    &(*drawn)[i], error);
    return status;
}

/* Replays the moves from the start, so that every one is known to be legal. */
enum sy_status sy_log_moves(const struct sy_json_doc *doc, const struct sy_arm *arm, const char *text,
                            struct sy_game_record *record, struct sy_error *error)
{
    struct sy_position position;
    size_t capacity = 0;
    const struct sy_json *moves = sy_json_member(sy_json_root(doc), "moves");
    if (sy_fen_parse(arm->variant, record->start, &position, error) != SY_OK)
        return sy_json_fail(doc, sy_json_member(sy_json_root(doc), "start"), error, "%s", error->message);
    while (*text != '\0') {
        char word[SY_MOVE_TEXT];
        sy_move move;
        struct sy_undo undo;
        const size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
        if (sy_move_parse(&position, word, &move, error) != SY_OK)
            return sy_json_fail(doc, moves, error, "ply %u: %s", record->plies + 1, error->message);
        sy_make(&position, move, &undo);
        record->moves = sy_grow(record->moves, &capacity, record->plies + 1U, sizeof *record->moves);
        record->moves[record->plies++] = move;
        text += length + (text[length] == ' ');
    }
    return SY_OK;
}

/* A void game says what the program did; our own engine does nothing of the kind. */
static enum sy_status read_fault(const struct sy_json_doc *doc, const struct sy_arm *arm,
                                 struct sy_game_record *record, struct sy_error *error)
{
    const char *fault;
    if (arm->player == NULL)
        return sy_json_fail(doc, sy_json_root(doc), error, "void, but no other program plays in '%s'",
                            arm->label);
    enum sy_status status = sy_json_get_string(doc, sy_json_root(doc), SY_REASON_VOID, &fault, error);
    if (status == SY_OK)
        record->fault = sy_strdup(fault);
    return status;
}

static enum sy_status read_end(const struct sy_json_doc *doc, const struct sy_arm *arm,
                               struct sy_game_record *record, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc), *result = sy_json_member(root, "result");
    const char *reason;
    int64_t nodes = 0;
    enum sy_status status = sy_json_get_string(doc, root, "reason", &reason, error);
    if (status != SY_OK)
        return status;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    const bool is_void = strcmp(reason, SY_REASON_VOID) == 0;
    record->finished = !is_void && strcmp(reason, SY_REASON_UNFINISHED) != 0;
    if (is_void)
        status = read_fault(doc, arm, record, error);
    if (status == SY_OK && record->finished)
        status = sy_json_get_double(doc, root, "result", 0, 1, &record->result, error);
    else if (status == SY_OK && (result == NULL || sy_json_kind(result) != SY_JSON_NULL))
        status = sy_json_fail(doc, root, error, "the result of a game that is %s must be null", reason);
    if (status == SY_OK)
        status = sy_json_get_int(doc, root, "nodes", 0, INT64_MAX, &nodes, error);
    if (status == SY_OK)
        status = sy_json_get_double(doc, root, "legal", 0, SY_MAX_MOVES, &record->legal, error);
    record->nodes = (uint64_t)nodes;
    return status;
}

static enum sy_status read_record_of(const struct reading *reading, const struct sy_json_doc *doc,
                                     struct sy_game_record *record)
{
    const struct sy_experiment *experiment = reading->experiment;
    const struct sy_json *root = sy_json_root(doc);
    const char *start, *moves;
    int64_t number, opening = 0;
    enum sy_status status = sy_json_get_int(doc, root, "n", 0, INT64_MAX, &number, reading->error);
    if (status != SY_OK)
        return status;
    if ((uint64_t)number != record->number) {
        char *message = sy_format("game %" PRId64 " stands in its place", number);
        status = fail_line(reading, message);
        free(message);
        return status;
    }
    record->arm = sy_experiment_arm(experiment, record->number);
    record->pair = sy_experiment_pair(experiment, record->number);
    const struct sy_arm *arm = &experiment->arms[record->arm];
    status = read_drawn(doc, "white", arm, &record->drawn[SY_WHITE], reading->error);
    if (status == SY_OK)
        status = read_drawn(doc, "black", arm, &record->drawn[SY_BLACK], reading->error);
    if (status == SY_OK)
        status = sy_json_get_string(doc, root, "start", &start, reading->error);
    if (status == SY_OK)
        status = sy_json_get_string(doc, root, "moves", &moves, reading->error);
    if (status == SY_OK)
        status = sy_json_get_int(doc, root, "opening", 0, 100000, &opening, reading->error);
    record->opening = (unsigned)opening;
    if (status != SY_OK)
        return status;
    record->start = sy_strdup(start);
    status = sy_log_moves(doc, arm, moves, record, reading->error);
    if (status == SY_OK)
        status = read_end(doc, arm, record, reading->error);
    return status == SY_OK ? compare_line(reading, sy_log_line(experiment, record)) : status;
}

static enum sy_status read_record(const struct reading *reading, struct sy_game_record *record)
{
    struct sy_json_doc *doc;
    enum sy_status status = read_line_json(reading, &doc);
    if (status != SY_OK)
        return status;
    status = read_record_of(reading, doc, record);
    sy_json_free(doc);
    return status;
}

/* Reads the next game into a new record. */
static enum sy_status add_record(struct reading *reading, struct sy_game_log *log, size_t *capacity)
{
    const uint64_t after = log->count == 0 ? 0 : log->games[log->count - 1].number + 1;
    const uint64_t number = sy_shard_game(reading->experiment, log->shard, after);
    reading->game = number;
    if (number >= sy_experiment_games(reading->experiment))
        return fail_line(reading, "more games than the experiment has");
    log->games = sy_grow(log->games, capacity, log->count + 1, sizeof *log->games);
    struct sy_game_record *record = &log->games[log->count++];
    memset(record, 0, sizeof *record);
    record->number = number;
    return read_record(reading, record);
}

enum sy_status sy_log_parse(const char *name, const char *bytes, size_t length,
                            const struct sy_experiment *experiment, struct sy_game_log *log,
                            struct sy_error *error)
{
    struct sy_error own;
    struct reading reading = {name, experiment, error == NULL ? &own : error, 0, 0, bytes, 0};
    size_t capacity = 0;
    enum sy_status status = SY_OK;
    memset(log, 0, sizeof *log);
    for (const char *end;
         status == SY_OK && (end = memchr(reading.bytes, '\n', length - log->length)) != NULL;
         reading.bytes = end + 1) {
        reading.line++;
        reading.length = (size_t)(end - reading.bytes);
        status = reading.line == 1 ? read_header(&reading, log) : add_record(&reading, log, &capacity);
        log->length += reading.length + 1;
    }
    if (status == SY_OK && reading.line == 0)
        status = sy_fail(error, SY_BAD_INPUT, "%s: not a game log: it has no whole line", name);
    if (status != SY_OK) {
        sy_log_clear(log);
        return status;
    }
    log->cut = length - log->length;
    sy_sha256(bytes, log->length, log->digest);
    const uint64_t next = log->count == 0 ? 0 : log->games[log->count - 1].number + 1;
    log->complete = sy_shard_game(experiment, log->shard, next) == sy_experiment_games(experiment);
    return SY_OK;
}

enum sy_status sy_log_read(const char *directory, const struct sy_experiment *experiment,
                           struct sy_game_log *log, struct sy_error *error)
{
    char *path = sy_path_in(directory, SY_LOG_FILE), *bytes;
    size_t length;
    memset(log, 0, sizeof *log);
    enum sy_status status = sy_read_file(path, &bytes, &length, error);
    if (status == SY_OK) {
        status = sy_log_parse(path, bytes, length, experiment, log, error);
        free(bytes);
    }
    free(path);
    return status;
}

enum sy_status sy_log_experiment(const char *directory, struct sy_experiment **out, struct sy_error *error)
{
    char *path = sy_path_in(directory, SY_EXPERIMENT_FILE);
    enum sy_status status = sy_experiment_load(path, 0, out, error);
    free(path);
    return status;
}

void sy_log_drop_voids(const struct sy_experiment *experiment, struct sy_game_log *log)
{
    size_t kept = 0;
    log->arms = experiment->arm_count;
    log->voids = sy_alloc(experiment->arm_count, sizeof *log->voids);
    for (size_t i = 0; i < log->count; i++) {
        struct sy_game_record *game = &log->games[i];
        struct sy_voids *voids = &log->voids[game->arm];
        if (game->fault == NULL) {
            log->games[kept++] = *game;
            continue;
        }
        if (voids->games++ == 0) {
            voids->first = game->number;
            voids->fault = game->fault;
            game->fault = NULL;
        }
        sy_game_record_clear(game);
    }
    log->count = kept;
}

void sy_log_clear(struct sy_game_log *log)
{
    for (size_t i = 0; i < log->count; i++)
        sy_game_record_clear(&log->games[i]);
    for (size_t i = 0; i < log->arms; i++)
        free(log->voids[i].fault);
    free(log->voids);
    free(log->games);
    memset(log, 0, sizeof *log);
}
