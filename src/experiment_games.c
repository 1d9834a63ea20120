/* experiment_games: the games of a file, for the positions design.
 *
 * JSONL, one object a line with "moves" and "result", or PGN. Every game must be legal and is taken over as a
 * game record; one without a result stays in the log as unfinished. How players end a game is their affair:
 * unless the rules give the same result, the reason is "agreement or resignation". In PGN, letters for
 * pieces other than the variant's are replaced before the text is parsed. */
#include "experiment_internal.h"
#include "game_internal.h"
#include "steelyard/movegen.h"
#include "steelyard/pgn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BY_THE_PLAYERS "agreement or resignation"

struct sy_game_source {
    size_t count, capacity;
    struct sy_game_record *games;
};

void sy_game_source_free(struct sy_game_source *source)
{
    if (source == NULL)
        return;
    for (size_t i = 0; i < source->count; i++)
        sy_game_record_clear(&source->games[i]);
    free(source->games);
    free(source);
}

/* ---- results ---- */

/* White's points; negative when there is no result, NaN when it is none of these. */
static double points_of(const char *result)
{
    static const struct {
        const char *text;
        double points;
    } known[] = {{"1-0", 1}, {"0-1", 0}, {"1/2-1/2", 0.5}, {"3/4-1/4", 0.75}, {"1/4-3/4", 0.25}, {"*", -1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(result, known[i].text) == 0)
            return known[i].points;
    return NAN;
}

/* The rules' reason where the rules give this result, else the players'. */
static void end_record(struct sy_game_record *record, const struct sy_position *last,
                       const struct sy_history *history, double points)
{
    char buffer[64];
    const struct sy_outcome outcome = sy_outcome_of(last, history, sy_count_legal(last));
    const bool by_the_rules =
        outcome.reason != SY_GOING_ON && !(outcome.white_points < points || outcome.white_points > points);
    const char *reason = points < 0     ? SY_REASON_UNFINISHED
                         : by_the_rules ? sy_reason_text(last->variant, outcome.reason, buffer)
                                        : BY_THE_PLAYERS;
    record->finished = points >= 0;
    record->result = points >= 0 ? points : 0;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
}

/* Plays the moves, checking each; fills plies, the mean number of choices and the last position. */
static enum sy_status replay(struct sy_game_record *record, struct sy_position *position,
                             const sy_move *moves, size_t count, double points, struct sy_error *error)
{
    uint64_t choices = 0;
    struct sy_history history = {NULL, 0, 0};
    if (count > 60000)
        return sy_fail(error, SY_BAD_INPUT, "has more than 60000 moves");
    record->start = sy_fen(position);
    record->moves = sy_alloc(count + 1, sizeof *record->moves);
    sy_history_push(&history, position->key);
    for (size_t i = 0; i < count; i++) {
        struct sy_undo undo;
        choices += sy_count_legal(position);
        sy_make(position, moves[i], &undo);
        sy_history_push(&history, position->key);
        record->moves[record->plies++] = moves[i];
    }
    record->legal = count == 0 ? 0 : floor((double)choices / (double)count * 100 + 0.5) / 100;
    end_record(record, position, &history, points);
    sy_history_clear(&history);
    return SY_OK;
}

static struct sy_game_record *add_record(struct sy_game_source *source)
{
    source->games = sy_grow(source->games, &source->capacity, source->count + 1, sizeof *source->games);
    struct sy_game_record *record = &source->games[source->count];
    memset(record, 0, sizeof *record);
    record->number = record->pair = source->count++;
    return record;
}

/* ---- JSONL ---- */

/* The words of "moves", text or list, as one text. A new string, NULL when it is neither. */
static char *moves_text(const struct sy_json *moves)
{
    struct sy_text text = SY_TEXT_INIT;
    if (moves == NULL || (sy_json_kind(moves) != SY_JSON_ARRAY && sy_json_string(moves) == NULL))
        return NULL;
    sy_text_puts(&text, sy_json_string(moves) == NULL ? "" : sy_json_string(moves));
    if (sy_json_kind(moves) == SY_JSON_ARRAY)
        for (const struct sy_json *move = sy_json_first(moves); move != NULL; move = sy_json_next(move))
            sy_text_printf(&text, "%s ", sy_json_string(move) == NULL ? "?" : sy_json_string(move));
    return text.bytes;
}

static enum sy_status read_result(const struct sy_json_doc *doc, double *points, struct sy_error *error)
{
    const struct sy_json *result = sy_json_member(sy_json_root(doc), "result");
    const char *text = result == NULL ? "*" : sy_json_string(result);
    const bool null = result != NULL && sy_json_kind(result) == SY_JSON_NULL;
    *points = null ? -1 : text != NULL ? points_of(text) : sy_json_number(result);
    const double quarters = 4 * *points;
    if (isfinite(*points) && (*points < 0 || (*points <= 1 && !(floor(quarters) < quarters))) &&
        *points >= -1)
        return SY_OK;
    return sy_json_fail(doc, result, error,
                        "must be 1-0, 0-1, 1/2-1/2, 3/4-1/4, 1/4-3/4, * or White's points in quarters");
}

static enum sy_status parse_moves(const struct sy_position *start, char *text, sy_move **moves, size_t *count,
                                  struct sy_error *error)
{
    struct sy_position position = *start;
    size_t capacity = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        struct sy_undo undo;
        sy_move move;
        enum sy_status status = sy_move_parse(&position, word, &move, error);
        if (status != SY_OK)
            return sy_fail_within(error, status, "ply %zu", *count + 1);
        sy_make(&position, move, &undo);
        *moves = sy_grow(*moves, &capacity, *count + 1, sizeof **moves);
        (*moves)[(*count)++] = move;
    }
    return SY_OK;
}

static enum sy_status read_object(struct sy_game_source *source, const struct sy_variant *variant,
                                  const struct sy_json_doc *doc, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc);
    const char *fen = variant->start;
    struct sy_position start;
    double points = -1;
    sy_move *moves = NULL;
    size_t count = 0;
    char *text = moves_text(sy_json_member(root, "moves"));
    enum sy_status status = text == NULL
                                ? sy_json_fail(doc, root, error, "needs 'moves', a text or a list of moves")
                                : sy_json_get_string_or(doc, root, "fen", &fen, error);
    if (status == SY_OK)
        status = sy_json_get_string_or(doc, root, "start", &fen, error);
    if (status == SY_OK)
        status = read_result(doc, &points, error);
    if (status == SY_OK)
        status = sy_fen_parse(variant, fen, &start, error);
    if (status == SY_OK)
        status = parse_moves(&start, text, &moves, &count, error);
    if (status == SY_OK)
        status = replay(add_record(source), &start, moves, count, points, error);
    free(moves);
    free(text);
    return status;
}

struct log_arms {
    size_t count;
    bool *taken; /* for each arm */
};

static bool is_text(const struct sy_json *value, const char *text)
{
    return sy_json_string(value) != NULL && strcmp(sy_json_string(value), text) == 0;
}

/* Of a run's log with several arms, those games are taken whose rules are this variant's, or of them those of
 * the arm that is named. */
static bool is_wanted(const struct sy_json *arm, const struct sy_variant *variant, const char *label)
{
    return is_text(sy_json_member(arm, "digest"), variant->digest) &&
           (label == NULL || is_text(sy_json_member(arm, "label"), label));
}

static enum sy_status read_header(const struct sy_json_doc *doc, const struct sy_variant *variant,
                                  const char *label, struct log_arms *arms, struct sy_error *error)
{
    const struct sy_json *list = sy_json_member(sy_json_root(doc), "variants");
    size_t taken = 0;
    arms->taken = sy_alloc(sy_json_count(list) + 1, sizeof *arms->taken);
    for (const struct sy_json *arm = sy_json_first(list); arm != NULL; arm = sy_json_next(arm))
        taken += arms->taken[arms->count++] = is_wanted(arm, variant, label);
    if (taken > 0 || (arms->count < 2 && label == NULL))
        return SY_OK;
    return label == NULL ? sy_json_fail(doc, list, error, "has no arm with the rules of '%s'", variant->name)
                         : sy_json_fail(doc, list, error, "has no arm '%s' with the rules of '%s'", label,
                                        variant->name);
}

static bool is_taken(const struct log_arms *arms, const struct sy_json *game)
{
    const double arm = sy_json_number(sy_json_member(game, "arm"));
    return arms->count < 2 || (arm >= 0 && arm < (double)arms->count && arms->taken[(size_t)arm]);
}

static enum sy_status read_line(struct sy_game_source *source, const struct sy_variant *variant,
                                const char *label, const struct sy_json_doc *doc, bool first,
                                struct log_arms *arms, struct sy_error *error)
{
    if (first && sy_json_member(sy_json_root(doc), "format") != NULL)
        return read_header(doc, variant, label, arms, error);
    if (first && label != NULL)
        return sy_json_fail(doc, sy_json_root(doc), error, "is no run's log, so that it has no arm '%s'",
                            label);
    return is_taken(arms, sy_json_root(doc)) ? read_object(source, variant, doc, error) : SY_OK;
}

static enum sy_status read_jsonl(struct sy_game_source *source, const struct sy_variant *variant,
                                 const char *label, const char *path, const char *text,
                                 struct sy_error *error)
{
    enum sy_status status = SY_OK;
    struct log_arms arms = {0, NULL};
    for (size_t line = 1; status == SY_OK && *text != '\0'; line++) {
        const size_t length = strcspn(text, "\n");
        struct sy_json_doc *doc = NULL;
        if (strspn(text, " \t\r") < length) {
            char *name = sy_format("%s:%zu", path, line);
            status = sy_json_read(name, text, length, &doc, error);
            if (status == SY_OK)
                status = read_line(source, variant, label, doc, line == 1, &arms, error);
            if (status != SY_OK && strncmp(error->message, name, strlen(name)) != 0)
                sy_fail_within(error, status, "%s", name);
            sy_json_free(doc);
            free(name);
        }
        text += length + (text[length] == '\n');
    }
    free(arms.taken);
    return status;
}

/* ---- PGN ---- */

/* The variant's letter for one of the file's at `text`, and how many bytes the file's has; 0 when none. */
static size_t foreign_letter(const struct sy_json *letters, const char *text, char *letter)
{
    for (const struct sy_json *entry = sy_json_first(letters); entry != NULL; entry = sy_json_next(entry)) {
        const size_t length = strlen(sy_json_key(entry));
        if (strncmp(text, sy_json_key(entry), length) == 0) {
            *letter = sy_json_string(entry)[0];
            return length;
        }
    }
    return 0;
}

/* The text with foreign letters replaced, outside tags and comments. A new string. */
static char *translate(const char *text, const struct sy_json *letters)
{
    struct sy_text out = SY_TEXT_INIT;
    char closing = '\0';
    sy_text_puts(&out, "");
    while (*text != '\0') {
        char letter = *text;
        size_t length = 0;
        if (closing != '\0')
            closing = *text == closing ? '\0' : closing;
        else if (*text == '[' || *text == '{' || *text == ';')
            closing = *text == '[' ? ']' : *text == '{' ? '}' : '\n';
        else
            length = foreign_letter(letters, text, &letter);
        sy_text_add(&out, &letter, 1);
        text += length > 0 ? length : 1;
    }
    return out.bytes;
}

static enum sy_status read_pgn(struct sy_game_source *source, const struct sy_variant *variant,
                               const char *path, const char *text, struct sy_error *error)
{
    struct sy_pgn_game game;
    size_t line = 1;
    enum sy_status status;
    while ((status = sy_pgn_next(variant, &text, &line, &game, error)) == SY_OK && game.found) {
        status = game.status;
        if (status != SY_OK)
            sy_fail(error, status, "%s", game.error.message);
        else
            status = replay(add_record(source), &game.start, game.moves, game.count, points_of(game.result),
                            error);
        if (status != SY_OK)
            sy_fail_within(error, status, "%s:%zu", path, game.line);
        sy_pgn_clear(&game);
        if (status != SY_OK)
            return status;
    }
    return status == SY_OK ? SY_OK : sy_fail_within(error, status, "%s", path);
}

/* ---- whole ---- */

static enum sy_status check_letters(const struct sy_json_doc *doc, const struct sy_json *letters,
                                    const struct sy_variant *variant, struct sy_error *error)
{
    for (const struct sy_json *entry = sy_json_first(letters); entry != NULL; entry = sy_json_next(entry)) {
        const char *letter = sy_json_string(entry);
        if (sy_json_key(entry)[0] == '\0' || letter == NULL || strlen(letter) != 1 ||
            sy_variant_type(variant, letter[0]) == SY_NO_TYPE)
            return sy_json_fail(doc, entry, error, "must be the letter of a piece of the variant");
    }
    return SY_OK;
}

static enum sy_status read_games(struct sy_experiment *experiment, const char *path, struct sy_error *error)
{
    const struct sy_variant *variant = experiment->arms[0].variant;
    char *text;
    size_t length;
    enum sy_status status = sy_read_file(path, &text, &length, error);
    if (status != SY_OK)
        return status;
    struct sy_game_source *source = experiment->positions.games = sy_alloc(1, sizeof *source);
    sy_sha256(text, length, experiment->positions.digest);
    if (strlen(text) != length) {
        status = sy_fail(error, SY_BAD_INPUT, "%s: holds a zero byte; it is no text file", path);
    } else if (text[strspn(text, " \t\r\n")] == '{') {
        status = read_jsonl(source, variant, experiment->positions.arm, path, text, error);
    } else if (experiment->positions.arm != NULL) {
        status = sy_fail(error, SY_BAD_INPUT, "%s: is no run's log, so that it has no arm '%s'", path,
                         experiment->positions.arm);
    } else if (experiment->positions.letters == NULL) {
        status = read_pgn(source, variant, path, text, error);
    } else {
        char *translated = translate(text, sy_json_root(experiment->positions.letters));
        status = read_pgn(source, variant, path, translated, error);
        free(translated);
    }
    free(text);
    return status != SY_OK || source->count > 0
               ? status
               : sy_fail(error, SY_BAD_INPUT, "%s: there are no games in it", path);
}

static enum sy_status read_source(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                  uint64_t games, struct sy_error *error)
{
    char *path = sy_experiment_path(doc, experiment->positions.file);
    enum sy_status status = read_games(experiment, path, error);
    if (status == SY_OK) {
        const uint64_t there = experiment->positions.games->count;
        experiment->games_per_arm = games > 0 && games < there ? games : there;
    }
    free(path);
    return status;
}

enum sy_status sy_experiment_read_positions(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                            uint64_t games, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc), *letters = NULL;
    const char *file = NULL, *arm = NULL, *digest = NULL;
    enum sy_status status = sy_json_get_string(doc, root, "games_file", &file, error);
    if (status == SY_OK)
        status = sy_json_get_string_or(doc, root, "games_arm", &arm, error);
    if (status == SY_OK)
        status = sy_json_get_string_or(doc, root, "games_digest", &digest, error);
    if (status == SY_OK)
        status = sy_json_get_object_or(doc, root, "letters", &letters, error);
    if (status == SY_OK && experiment->arm_count != 1)
        status = sy_json_fail(doc, root, error, "the positions design has one variant");
    if (status == SY_OK && letters != NULL)
        status = check_letters(doc, letters, experiment->arms[0].variant, error);
    if (status != SY_OK)
        return status;
    if (letters != NULL) {
        struct sy_json *empty = sy_json_new_object();
        experiment->positions.letters = sy_json_merge("letters", letters, empty);
        sy_json_delete(empty);
    }
    experiment->positions.file = sy_strdup(file);
    experiment->positions.arm = arm == NULL ? NULL : sy_strdup(arm);
    if (digest == NULL)
        return read_source(experiment, doc, games, error);
    if (strlen(digest) != 64 || games == 0)
        return sy_json_fail(doc, sy_json_member(root, "games_digest"), error,
                            "stands in a run's own copy, with 'games'; leave it out");
    strcpy(experiment->positions.digest, digest);
    return SY_OK;
}

/* A record of its own, as if it had been played. */
enum sy_status sy_game_of_source(const struct sy_experiment *experiment, uint64_t number,
                                 struct sy_game_record *record, struct sy_error *error)
{
    const struct sy_game_source *source = experiment->positions.games;
    memset(record, 0, sizeof *record);
    if (source == NULL)
        return sy_fail(error, SY_FAILED,
                       "the games come from '%s', which a run's copy does not read: use the experiment's own "
                       "file",
                       experiment->positions.file);
    *record = source->games[number];
    record->start = sy_strdup(record->start);
    record->moves = sy_alloc(record->plies + 1U, sizeof *record->moves);
    memcpy(record->moves, source->games[number].moves, record->plies * sizeof *record->moves);
    return SY_OK;
}
