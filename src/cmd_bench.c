/* cmd_bench: a fixed amount of work for every variant, and how fast it was done.
 *
 * Positions come from seeded random play, so they are the same everywhere. The play signature hashes every
 * search's best move, score, depth and node count: it changes when play changes, and for no other reason. */
#include "steelyard/clock.h"
#include "steelyard/cmd.h"
#include "steelyard/notation.h"
#include "steelyard/playout.h"
#include "steelyard/search.h"
#include "steelyard/shipped.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum {
    POSITIONS = 128,
    MIN_PLIES = 8,
    MORE_PLIES = 16,
    DEFAULT_NODES = 5000,
    PERFT_LEAVES = 4000000, /* the first depth with so many is the one that is timed */
    PERFT_DEEPEST = 12,
    PLAYOUTS = 2000,     /* a batch; batches are repeated */
    MOST_PLIES = 100000, /* of a playout */
    BENCH_STREAM = 0x62656e63
};
static const double least_seconds = 1.0; /* repeated for at least so long; the best time counts */

struct request {
    bool perft, search, playouts;
    uint64_t nodes;
};

struct totals {
    uint64_t nodes, signature;
    double seconds;
};

static void bench_perft(const struct sy_variant *variant, struct sy_position *start)
{
    uint64_t leaves = 0;
    unsigned depth = 0;
    double best = INFINITY, spent = 0;
    while (leaves < PERFT_LEAVES && depth < PERFT_DEEPEST)
        leaves = sy_perft(start, ++depth);
    while (spent < least_seconds) {
        const double began = sy_clock();
        leaves = sy_perft(start, depth);
        const double seconds = sy_clock() - began;
        spent += seconds;
        best = seconds < best ? seconds : best;
    }
    printf("%-10s perft %2u %12" PRIu64 " leaves %8.3f s %12.0f leaves/s\n", variant->name, depth, leaves,
           best, (double)leaves / best);
}

struct batch {
    unsigned cut; /* games that the rules did not end */
    uint64_t plies;
    double white_points;
};

static struct batch play_out(struct sy_playouts *playouts, const struct sy_position *start)
{
    struct batch batch = {0, 0, 0};
    for (uint64_t game = 0; game < PLAYOUTS; game++) {
        struct sy_random random = sy_random_stream(0, game, BENCH_STREAM);
        const struct sy_playout played = sy_playouts_play(playouts, start, &random, MOST_PLIES);
        batch.plies += played.plies;
        batch.cut += played.outcome.reason == SY_GOING_ON;
        batch.white_points += played.outcome.reason == SY_GOING_ON ? 0.5 : played.outcome.white_points;
    }
    return batch;
}

static void bench_playouts(const struct sy_variant *variant, const struct sy_position *start)
{
    struct sy_playouts *playouts = sy_playouts_create();
    struct batch batch = {0, 0, 0};
    double best = INFINITY, spent = 0;
    while (spent < least_seconds) {
        const double began = sy_clock();
        batch = play_out(playouts, start);
        const double seconds = sy_clock() - began;
        spent += seconds;
        best = seconds < best ? seconds : best;
    }
    sy_playouts_free(playouts);
    printf("%-10s playouts %11d games  %8.3f s %12.0f games/s    %.1f plies a game, White %.1f %%, %u cut\n",
           variant->name, PLAYOUTS, best, PLAYOUTS / best, (double)batch.plies / PLAYOUTS,
           100 * batch.white_points / PLAYOUTS, batch.cut);
}

/* Does any royal stand where it is attacked? Then the search would soon be over. */
static bool is_royal_attacked(const struct sy_position *position)
{
    for (unsigned type = 0; type < position->variant->types; type++) {
        if (position->variant->type[type].royalty == SY_COMMON)
            continue;
        for (sy_set left = position->type[type]; left;) {
            const unsigned cell = sy_pop(&left);
            const unsigned enemy = sy_piece_side(position->piece[cell]) ^ 1U;
            if (sy_attacked(position, cell, enemy, sy_occupied(position)))
                return true;
        }
    }
    return false;
}

/* Plays random moves; false when the position reached is no middle game to search. */
static bool play_randomly(struct sy_random *random, struct sy_position *position)
{
    sy_move moves[SY_MAX_MOVES];
    struct sy_undo undo;
    for (uint64_t plies = MIN_PLIES + sy_random_below(random, MORE_PLIES + 1); plies > 0; plies--) {
        const unsigned count = sy_generate(position, moves);
        if (sy_outcome_of(position, NULL, count).reason != SY_GOING_ON)
            return false;
        sy_make(position, moves[sy_random_below(random, count)], &undo);
    }
    return sy_outcome_of(position, NULL, sy_count_legal(position)).reason == SY_GOING_ON &&
           !is_royal_attacked(position);
}

static void middle_game(const struct sy_position *start, uint64_t number, struct sy_position *position)
{
    struct sy_random random = sy_random_stream(0, number, BENCH_STREAM);
    do {
        *position = *start;
    } while (!play_randomly(&random, position));
}

static uint64_t mix_in(uint64_t signature, const struct sy_search_result *result)
{
    const uint64_t parts[] = {result->best, (uint64_t)(int64_t)lround(result->score * 100), result->depth,
                              result->nodes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        signature = sy_mix64(signature ^ parts[i]);
    return signature;
}

static struct totals bench_search(const struct sy_variant *variant, const struct sy_position *start,
                                  uint64_t nodes)
{
    struct totals totals = {0, 0, 0};
    const struct sy_limits limits = {.nodes = nodes};
    struct sy_engine *engine = sy_engine_create(variant, sy_engine_table_bytes(&limits));
    for (uint64_t i = 0; i < POSITIONS; i++) {
        struct sy_position position;
        struct sy_search_result result;
        middle_game(start, i, &position);
        sy_engine_new_game(engine, 0);
        const double began = sy_clock();
        sy_engine_search(engine, &position, NULL, &limits, &result);
        totals.seconds += sy_clock() - began;
        totals.nodes += result.nodes;
        totals.signature = mix_in(totals.signature, &result);
    }
    sy_engine_free(engine);
    printf("%-10s search   %12" PRIu64 " nodes  %8.3f s %12.0f nodes/s   %016" PRIx64 "\n", variant->name,
           totals.nodes, totals.seconds, (double)totals.nodes / totals.seconds, totals.signature);
    return totals;
}

static enum sy_status bench_variant(const char *name, const struct request *request, struct totals *sum,
                                    struct sy_error *error)
{
    struct sy_variant *variant = NULL;
    struct sy_position start;
    enum sy_status status = sy_variant_load(name, NULL, &variant, error);
    status = status ? status : sy_fen_parse(variant, variant->start, &start, error);
    if (!status && request->perft)
        bench_perft(variant, &start);
    if (!status && request->playouts)
        bench_playouts(variant, &start);
    if (!status && request->search) {
        const struct totals totals = bench_search(variant, &start, request->nodes);
        sum->nodes += totals.nodes;
        sum->seconds += totals.seconds;
        sum->signature = sy_mix64(sum->signature ^ totals.signature);
    }
    sy_variant_free(variant);
    return status ? status : sy_cmd_finish_output(error);
}

static enum sy_status read_options(int argc, char **argv, struct request *request, struct sy_error *error)
{
    static const struct option options[] = {{"perft", no_argument, NULL, 'p'},
                                            {"search", no_argument, NULL, 's'},
                                            {"playouts", no_argument, NULL, 'r'},
                                            {"nodes", required_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case 'p':
            request->perft = true;
            break;
        case 's':
            request->search = true;
            break;
        case 'r':
            request->playouts = true;
            break;
        case 'n':
            if (!sy_parse_u64(optarg, &request->nodes) || request->nodes == 0)
                return sy_fail(error, SY_USAGE, "bench: nodes '%s' must be a whole number from 1 on", optarg);
            break;
        default:
            return sy_cmd_bad_option(argv, option, error);
        }
    }
    if (!request->perft && !request->search && !request->playouts)
        request->perft = request->search = request->playouts = true;
    return SY_OK;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct request request = {.nodes = DEFAULT_NODES};
    struct totals sum = {0, 0, 0};
    enum sy_status status = read_options(argc, argv, &request, error);
    for (int i = optind; !status && i < argc; i++)
        status = bench_variant(argv[i], &request, &sum, error);
    for (size_t i = 0; !status && optind == argc && i < sy_shipped_variant_count; i++)
        status = bench_variant(sy_shipped_variants[i].name, &request, &sum, error);
    if (status || !request.search)
        return status;
    printf("%-10s search   %12" PRIu64 " nodes  %8.3f s %12.0f nodes/s   %016" PRIx64 "\n", "all", sum.nodes,
           sum.seconds, (double)sum.nodes / sum.seconds, sum.signature);
    return sy_cmd_finish_output(error);
}

const struct sy_command sy_cmd_bench = {
    .name = "bench",
    .summary = "measure speed, and sign how the engine plays",
    .help =
        "usage: steelyard bench [VARIANT ...] [--perft] [--search] [--playouts] [--nodes N]\n"
        "\n"
        "Does a fixed amount of work for each VARIANT (all shipped ones when none is named), on one core:\n"
        "counts legal move sequences, plays random games to their end, and searches 128 middle-game "
        "positions.\n"
        "Prints speeds, and for searches a signature that changes only when play changes.\n"
        "  --perft, --search, --playouts   only these; all three when none is given\n"
        "  --nodes N                       so many positions a search (5000)\n",
    .run = run,
};
