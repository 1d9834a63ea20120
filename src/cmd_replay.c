/* cmd_replay: plays recorded games through the rules: JSONL, one game a line, or PGN.
 *
 * A game fails when a move is illegal, when the position reached is not the recorded one, or when the record
 * contradicts the rules: a mate that is none, or another result than the one the board shows. Draws by
 * counting do not end a recorded game, since players may overlook them; a captured royal does. */
#include "steelyard/cmd.h"
#include "steelyard/json.h"
#include "steelyard/movegen.h"
#include "steelyard/pgn.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct sy_variant *variant;
    size_t games, failed;
};

/* What a record says besides its moves; NULL or negative where it says nothing. */
struct record {
    const char *start, *final_fen, *result;
    double points; /* White's, from a numeric result */
    int mate;
};

static enum sy_status play_text(struct sy_position *position, const char *moves, struct sy_error *error)
{
    char *copy = sy_strdup(moves), *rest = NULL;
    enum sy_status status = SY_OK;
    unsigned ply = 0;
    for (char *word = strtok_r(copy, " ", &rest); word && !status; word = strtok_r(NULL, " ", &rest)) {
        struct sy_undo undo;
        sy_move move;
        ply++;
        status = sy_move_parse(position, word, &move, error);
        if (status) {
            sy_fail_within(error, status, "ply %u", ply);
        } else {
            sy_make(position, move, &undo);
        }
    }
    free(copy);
    return status;
}

/* The first `fields` fields of two position lines are the same. */
static bool same_fields(const char *a, const char *b, unsigned fields)
{
    for (unsigned i = 0; i < fields; i++) {
        const size_t one = strcspn(a, " "), two = strcspn(b, " ");
        if (one != two || strncmp(a, b, one) != 0) {
            return false;
        }
        a += one + (a[one] == ' ');
        b += two + (b[two] == ' ');
    }
    return true;
}

/* Records often leave the counters and the en passant cell at their neutral values: board, side and rights
 * must agree, and the en passant cell where the record has one. */
static enum sy_status check_final(const struct sy_position *position, const char *expected,
                                  struct sy_error *error)
{
    struct sy_position recorded;
    enum sy_status status = sy_fen_parse(position->variant, expected, &recorded, error);
    if (status) {
        return sy_fail_within(error, status, "final_fen");
    }
    char *reached = sy_fen(position);
    const unsigned fields = position->variant->fen_castling ? 3 : 2;
    if (!same_fields(reached, expected, fields) || (recorded.ep && recorded.ep != position->ep)) {
        status = sy_fail(error, SY_BAD_INPUT, "ends in '%s', not in the recorded '%s'", reached, expected);
    }
    free(reached);
    return status;
}

static double result_points(const char *result)
{
    static const struct {
        const char *text;
        double points;
    } known[] = {{"1-0", 1}, {"0-1", 0}, {"1/2-1/2", 0.5}, {"3/4-1/4", 0.75}, {"1/4-3/4", 0.25}};
    for (size_t i = 0; result && i < sizeof known / sizeof *known; i++) {
        if (strcmp(result, known[i].text) == 0) {
            return known[i].points;
        }
    }
    return -1;
}

static enum sy_status check_end(const struct sy_position *position, const struct record *record,
                                struct sy_error *error)
{
    char buffer[64];
    const struct sy_outcome outcome = sy_outcome_of(position, NULL, sy_count_legal(position));
    const bool mate = outcome.reason == SY_CHECKMATE;
    if (record->mate >= 0 && mate != (record->mate == 1)) {
        return sy_fail(error, SY_BAD_INPUT, "the record says it %s in mate and the rules say it %s",
                       record->mate ? "ends" : "does not end", mate ? "does" : "does not");
    }
    const double points = record->result ? result_points(record->result) : record->points;
    const bool decided = outcome.reason != SY_GOING_ON && outcome.reason != SY_NO_PROGRESS;
    if (decided && points >= 0 && points != outcome.white_points) {
        return sy_fail(error, SY_BAD_INPUT, "recorded as %.2f for White; %s makes it %.2f", points,
                       sy_reason_text(position->variant, outcome.reason, buffer), outcome.white_points);
    }
    return SY_OK;
}

static enum sy_status replay_record(const struct sy_variant *variant, const struct record *record,
                                    const char *moves, struct sy_error *error)
{
    struct sy_position position;
    enum sy_status status =
        sy_fen_parse(variant, record->start ? record->start : variant->start, &position, error);
    status = status ? status : play_text(&position, moves, error);
    status = status || !record->final_fen ? status : check_final(&position, record->final_fen, error);
    return status ? status : check_end(&position, record, error);
}

/* "moves": text or a list; the other members where present. */
static enum sy_status read_record(const struct sy_json_doc *doc, struct record *record, char **moves,
                                  struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc), *list = NULL, *result;
    struct sy_text text = SY_TEXT_INIT;
    *record = (struct record){.points = -1, .mate = -1};
    if (sy_json_kind(root) != SY_JSON_OBJECT) {
        return sy_json_fail(doc, root, error, "a game is a JSON object with \"moves\"");
    }
    list = sy_json_member(root, "moves");
    if (!list || (sy_json_kind(list) != SY_JSON_ARRAY && !sy_json_string(list))) {
        return sy_json_fail(doc, root, error, "needs \"moves\", a text or a list of moves");
    }
    enum sy_status status = sy_json_get_string_or(doc, root, "final_fen", &record->final_fen, error);
    status = status ? status : sy_json_get_string_or(doc, root, "fen", &record->start, error);
    status = status ? status : sy_json_get_string_or(doc, root, "start", &record->start, error);
    if (status) {
        return status;
    }
    result = sy_json_member(root, "result");
    if (result && sy_json_string(result)) {
        record->result = sy_json_string(result);
        if (result_points(record->result) < 0 && strcmp(record->result, "*") != 0) {
            return sy_json_fail(doc, result, error,
                                "must be 1-0, 0-1, 1/2-1/2, 3/4-1/4, 1/4-3/4, * or a number");
        }
    } else if (result && sy_json_kind(result) == SY_JSON_NUMBER) {
        record->points = sy_json_number(result);
    }
    const struct sy_json *mate = sy_json_member(root, "mate");
    record->mate = mate && sy_json_kind(mate) == SY_JSON_BOOL ? sy_json_true(mate) : -1;
    sy_text_puts(&text, sy_json_string(list) ? sy_json_string(list) : "");
    for (const struct sy_json *item = sy_json_string(list) ? NULL : sy_json_first(list); item;
         item = sy_json_next(item)) {
        sy_text_printf(&text, "%s ", sy_json_string(item) ? sy_json_string(item) : "?");
    }
    *moves = text.bytes;
    return SY_OK;
}

static void count_game(struct replay *replay, const char *label, enum sy_status status,
                       const struct sy_error *error)
{
    replay->games++;
    if (status) {
        replay->failed++;
        printf("%s: %s\n", label, error->message);
    }
}

static void replay_line(struct replay *replay, const char *path, size_t number, const char *line,
                        size_t length)
{
    struct sy_json_doc *doc = NULL;
    struct sy_error error;
    struct record record;
    char *moves = NULL;
    char *label = sy_format("%s:%zu", path, number);
    enum sy_status status = sy_json_read(label, line, length, &doc, &error);
    if (!status && number == 1 && sy_json_kind(sy_json_root(doc)) == SY_JSON_OBJECT &&
        sy_json_member(sy_json_root(doc), "format")) {
        sy_json_free(doc);
        free(label);
        return; /* the header of our own logs */
    }
    status = status ? status : read_record(doc, &record, &moves, &error);
    status = status ? status : replay_record(replay->variant, &record, moves, &error);
    count_game(replay, label, status, &error);
    free(moves);
    free(label);
    sy_json_free(doc);
}

static void replay_jsonl(struct replay *replay, const char *path, const char *text)
{
    size_t number = 0;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        number++;
        if (strspn(text, " \t\r") < length) {
            replay_line(replay, path, number, text, length);
        }
        text += length + (text[length] == '\n');
    }
}

static enum sy_status replay_pgn(struct replay *replay, const char *path, const char *text,
                                 struct sy_error *error)
{
    struct sy_pgn_game game;
    size_t line = 1;
    enum sy_status status;
    while ((status = sy_pgn_next(replay->variant, &text, &line, &game, error)) == SY_OK && game.found) {
        char *label = sy_format("%s:%zu", path, game.line);
        struct sy_error reason = game.error;
        enum sy_status played = game.status;
        const struct record record = {.result = game.result, .points = -1, .mate = -1};
        played = played ? played : check_end(&game.final, &record, &reason);
        count_game(replay, label, played, &reason);
        free(label);
        sy_pgn_clear(&game);
    }
    return status ? sy_fail_within(error, status, "%s", path) : SY_OK;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        return sy_cmd_bad_option(argv, option, error);
    }
    struct sy_variant *variant = NULL;
    char *text = NULL;
    size_t length;
    enum sy_status status = sy_cmd_arguments(argc, argv, 2, 2, "VARIANT and FILE", error);
    status = status ? status : sy_variant_load(argv[optind], NULL, &variant, error);
    status = status ? status : sy_read_file(argv[optind + 1], &text, &length, error);
    struct replay replay = {variant, 0, 0};
    if (!status && strlen(text) != length) {
        status = sy_fail(error, SY_BAD_INPUT, "%s: holds a zero byte; it is no text file", argv[optind + 1]);
    }
    if (!status && text[strspn(text, " \t\r\n")] == '{') {
        replay_jsonl(&replay, argv[optind + 1], text);
    } else if (!status) {
        status = replay_pgn(&replay, argv[optind + 1], text, error);
    }
    if (!status) {
        printf("%zu games, %zu failed\n", replay.games, replay.failed);
        status = sy_cmd_finish_output(error);
    }
    if (!status && replay.failed) {
        status = sy_fail(error, SY_FAILED, "%s: %zu of %zu games failed", argv[optind + 1], replay.failed,
                         replay.games);
    }
    free(text);
    sy_variant_free(variant);
    return status;
}

const struct sy_command sy_cmd_replay = {
    .name = "replay",
    .summary = "check recorded games against the rules",
    .help = "usage: steelyard replay VARIANT FILE\n"
            "\n"
            "FILE is JSONL (one object a line with \"moves\", and \"fen\", \"final_fen\", \"result\", "
            "\"mate\" where\n"
            "present) or PGN. Prints a line for each game that fails, then 'N games, M failed'.\n",
    .run = run,
};
