/* cmd_moves: plays moves from a position and says where that leads, as one JSON object. */
#include "steelyard/cmd.h"
#include "steelyard/json.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct sy_json *legal_list(const struct sy_position *position, const sy_move *moves, unsigned count)
{
    char texts[SY_MAX_MOVES][SY_MOVE_TEXT];
    char *sorted[SY_MAX_MOVES];
    for (unsigned i = 0; i < count; i++) {
        sorted[i] = sy_move_text(position->variant, moves[i], texts[i]);
    }
    qsort(sorted, count, sizeof *sorted, by_text);
    struct sy_json *list = sy_json_new_array();
    for (unsigned i = 0; i < count; i++) {
        sy_json_append(list, sy_json_new_string(sorted[i]));
    }
    return list;
}

static struct sy_json *describe(const struct sy_position *position, const struct sy_history *history)
{
    sy_move moves[SY_MAX_MOVES];
    char buffer[64];
    const unsigned count = sy_generate(position, moves);
    const struct sy_outcome outcome = sy_outcome_of(position, history, count);
    struct sy_json *out = sy_json_new_object();
    char *fen = sy_fen(position);
    sy_json_add_string(out, "fen", fen);
    free(fen);
    sy_json_add(out, "legal", legal_list(position, moves, count));
    sy_json_add_bool(out, "check", sy_in_check(position));
    if (outcome.reason == SY_GOING_ON) {
        sy_json_add(out, "over", sy_json_new_null());
    } else {
        struct sy_json *over = sy_json_new_object();
        sy_json_add_string(over, "reason", sy_reason_text(position->variant, outcome.reason, buffer));
        sy_json_add_number(over, "white_points", outcome.white_points);
        sy_json_add(out, "over", over);
    }
    return out;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{"fen", required_argument, NULL, 'f'}, {NULL, 0, NULL, 0}};
    const char *fen = NULL;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (option != 'f') {
            return sy_cmd_bad_option(argv, option, error);
        }
        fen = optarg;
    }
    struct sy_variant *variant = NULL;
    struct sy_position position;
    struct sy_history history = {NULL, 0, 0};
    enum sy_status status = sy_cmd_arguments(argc, argv, 1, argc, "VARIANT and moves", error);
    status = status ? status : sy_variant_load(argv[optind], NULL, &variant, error);
    status = status ? status : sy_fen_parse(variant, fen ? fen : variant->start, &position, error);
    status =
        status ? status : sy_moves_play(&position, &history, argv + optind + 1, argc - optind - 1, error);
    if (!status) {
        struct sy_json *out = describe(&position, &history);
        char *text = sy_json_text(out, false);
        puts(text);
        free(text);
        sy_json_delete(out);
        status = sy_cmd_finish_output(error);
    }
    sy_history_clear(&history);
    sy_variant_free(variant);
    return status;
}

const struct sy_command sy_cmd_moves = {
    .name = "moves",
    .summary = "play moves and list the legal ones",
    .help =
        "usage: steelyard moves VARIANT [--fen FEN] [MOVE ...]\n"
        "\n"
        "Plays the moves from the variant's start (or FEN) and prints one JSON object: fen, legal (sorted),\n"
        "check, over (null, or reason and white_points). Moves are written FROMTO, a promotion letter\n"
        "appended; FROM*TO is a shot, FROM~TO a swap.\n",
    .run = run,
};
