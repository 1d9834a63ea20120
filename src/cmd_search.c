/* cmd_search: searches one position and prints what was found as one JSON object. */
#include "steelyard/cmd.h"
#include "steelyard/json.h"
#include "steelyard/notation.h"
#include "steelyard/search.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEFAULT_HASH = 16, MOST_HASH = 65536, MAX_ASSIGNMENTS = 128 };

struct request {
    const char *fen;
    struct sy_limits limits;
    int64_t hash; /* MiB */
    uint64_t noise_seed;
    const char *assignments[MAX_ASSIGNMENTS];
    size_t assignment_count;
};

static enum sy_status read_depth(const char *text, struct request *request, struct sy_error *error)
{
    int64_t depth;
    if (!sy_parse_i64(text, 1, SY_MAX_PLY - 1, &depth))
        return sy_fail(error, SY_USAGE, "search: depth '%s' must be a whole number from 1 to %d", text,
                       SY_MAX_PLY - 1);
    request->limits.depth = (unsigned)depth;
    return SY_OK;
}

static enum sy_status read_option(int option, char **argv, struct request *request, struct sy_error *error)
{
    switch (option) {
    case 'f':
        request->fen = optarg;
        return SY_OK;
    case 'd':
        return read_depth(optarg, request, error);
    case 'n':
        if (!sy_parse_u64(optarg, &request->limits.nodes) || request->limits.nodes == 0)
            return sy_fail(error, SY_USAGE, "search: nodes '%s' must be a whole number from 1 on", optarg);
        return SY_OK;
    case 'h':
        if (!sy_parse_i64(optarg, 1, MOST_HASH, &request->hash))
            return sy_fail(error, SY_USAGE, "search: hash '%s' must be a whole number of MiB from 1 to %d",
                           optarg, MOST_HASH);
        return SY_OK;
    case 's':
        if (!sy_parse_u64(optarg, &request->noise_seed))
            return sy_fail(error, SY_USAGE, "search: seed '%s' must be a whole number", optarg);
        return SY_OK;
    case 'p':
        if (request->assignment_count == MAX_ASSIGNMENTS)
            return sy_fail(error, SY_USAGE, "search: more than %d parameters", MAX_ASSIGNMENTS);
        request->assignments[request->assignment_count++] = optarg;
        return SY_OK;
    default:
        return sy_cmd_bad_option(argv, option, error);
    }
}

static enum sy_status read_options(int argc, char **argv, struct request *request, struct sy_error *error)
{
    static const struct option options[] = {{"fen", required_argument, NULL, 'f'},
                                            {"depth", required_argument, NULL, 'd'},
                                            {"nodes", required_argument, NULL, 'n'},
                                            {"hash", required_argument, NULL, 'h'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"param", required_argument, NULL, 'p'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        const enum sy_status status = read_option(option, argv, request, error);
        if (status)
            return status;
    }
    if (!request->limits.depth && !request->limits.nodes)
        return sy_fail(error, SY_USAGE, "search: say how far, with --depth or --nodes");
    return sy_cmd_arguments(argc, argv, 1, argc, "VARIANT and moves", error);
}

static enum sy_status check_going_on(const struct sy_position *position, const struct sy_history *history,
                                     struct sy_error *error)
{
    char buffer[64];
    const struct sy_outcome outcome = sy_outcome_of(position, history, sy_count_legal(position));
    if (outcome.reason != SY_GOING_ON)
        return sy_fail(error, SY_BAD_INPUT, "search: the game is over: %s",
                       sy_reason_text(position->variant, outcome.reason, buffer));
    return SY_OK;
}

static enum sy_status set_params(const struct sy_variant *variant, const struct request *request,
                                 struct sy_engine *engine, struct sy_error *error)
{
    struct sy_params params;
    sy_params_default(variant, &params);
    for (size_t i = 0; i < request->assignment_count; i++) {
        const enum sy_status status = sy_params_assign(variant, request->assignments[i], &params, error);
        if (status)
            return status;
    }
    sy_engine_set_params(engine, &params);
    sy_engine_new_game(engine, request->noise_seed);
    return SY_OK;
}

static void print_result(const struct sy_variant *variant, const struct sy_search_result *result,
                         double seconds)
{
    char text[SY_MOVE_TEXT];
    struct sy_json *out = sy_json_new_object(), *pv = sy_json_new_array();
    sy_json_add_string(out, "bestmove", sy_move_text(variant, result->best, text));
    sy_json_add_number(out, "score", result->score);
    sy_json_add(out, "mate", result->mate ? sy_json_new_int(result->mate) : sy_json_new_null());
    sy_json_add_int(out, "depth", result->depth);
    sy_json_add_int(out, "nodes", (int64_t)result->nodes);
    sy_json_add_number(out, "seconds", seconds);
    for (unsigned i = 0; i < result->pv_length; i++)
        sy_json_append(pv, sy_json_new_string(sy_move_text(variant, result->pv[i], text)));
    sy_json_add(out, "pv", pv);
    char *line = sy_json_text(out, false);
    puts(line);
    free(line);
    sy_json_delete(out);
}

static double seconds_between(const struct timespec *start, const struct timespec *end)
{
    return (double)(end->tv_sec - start->tv_sec) + 1e-9 * (double)(end->tv_nsec - start->tv_nsec);
}

static void search(struct sy_engine *engine, const struct sy_position *position,
                   const struct sy_history *history, const struct request *request)
{
    struct timespec start, end;
    struct sy_search_result result;
    clock_gettime(CLOCK_MONOTONIC, &start);
    sy_engine_search(engine, position, history, &request->limits, &result);
    clock_gettime(CLOCK_MONOTONIC, &end);
    print_result(position->variant, &result, seconds_between(&start, &end));
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct request request = {.hash = DEFAULT_HASH};
    struct sy_variant *variant = NULL;
    struct sy_engine *engine = NULL;
    struct sy_position position;
    struct sy_history history = {NULL, 0, 0};
    enum sy_status status = read_options(argc, argv, &request, error);
    status = status ? status : sy_variant_load(argv[optind], NULL, &variant, error);
    status =
        status ? status : sy_fen_parse(variant, request.fen ? request.fen : variant->start, &position, error);
    status =
        status ? status : sy_moves_play(&position, &history, argv + optind + 1, argc - optind - 1, error);
    status = status ? status : check_going_on(&position, &history, error);
    if (!status) {
        engine = sy_engine_create(variant, (size_t)request.hash << 20);
        status = set_params(variant, &request, engine, error);
    }
    if (!status) {
        search(engine, &position, &history, &request);
        status = sy_cmd_finish_output(error);
    }
    sy_engine_free(engine);
    sy_history_clear(&history);
    sy_variant_free(variant);
    return status;
}

const struct sy_command sy_cmd_search = {
    .name = "search",
    .summary = "find the best move of a position",
    .help =
        "usage: steelyard search VARIANT [--fen FEN] [MOVE ...] (--depth D | --nodes N)\n"
        "\n"
        "Plays the moves from the variant's start (or FEN), searches, and prints one JSON object: bestmove,\n"
        "score (in pawns, for the side to move), mate (null, or moves to a forced win, negative for a\n"
        "loss), depth, nodes, seconds, pv. The same request always gives the same answer, but for seconds.\n"
        "  --depth D          so many plies\n"
        "  --nodes N          so many positions at most\n"
        "  --hash MIB         memory for positions already searched (16)\n"
        "  --param NAME=X     an engine parameter: value.<material> or as experiments/README.md lists them\n"
        "  --seed N           of the evaluation's noise, when eval.noise is not 0\n",
    .run = run,
};
