/* Long tests of the search: its strength, its symmetry and its determinism over many positions. */
#include <CUnit/CUnit.h>

#include <stdio.h>
#include <stdlib.h>

#include "steelyard/notation.h"
#include "steelyard/search.h"
#include "steelyard/shipped.h"

enum { TABLE = 1 << 20, LONG_STREAM = 0x6c6f6e67, OPENING_PLIES = 6, LONGEST_GAME = 400, PAIRS = 20 };

struct player {
    struct sy_engine *engine;
    uint64_t nodes;
};

static struct sy_variant *load(const char *name)
{
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    if (sy_variant_load(name, NULL, &variant, &error) != SY_OK)
        CU_FAIL_FATAL(error.message);
    return variant;
}

static struct sy_outcome outcome_now(const struct sy_position *position, const struct sy_history *history)
{
    return sy_outcome_of(position, history, sy_count_legal(position));
}

/* A start after random moves in which neither side has won more than it would in any opening. */
static struct sy_position opening(const struct sy_variant *variant, struct sy_engine *engine, uint64_t number)
{
    struct sy_random random = sy_random_stream(5, number, LONG_STREAM);
    sy_move moves[SY_MAX_MOVES];
    struct sy_undo undo;
    for (;;) {
        struct sy_position position;
        CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, NULL), SY_OK);
        for (unsigned ply = 0; ply < OPENING_PLIES; ply++) {
            const unsigned count = sy_generate(&position, moves);
            if (count == 0)
                break;
            sy_make(&position, moves[sy_random_below(&random, count)], &undo);
        }
        if (outcome_now(&position, NULL).reason != SY_GOING_ON)
            continue;
        const double score = sy_engine_quiescence(engine, &position);
        if (score < 1 && score > -1)
            return position;
    }
}

/* White's points; half for a game that does not end. */
static double play(const struct sy_position *start, const struct player players[2])
{
    struct sy_position position = *start;
    struct sy_history history = {NULL, 0, 0};
    struct sy_outcome outcome = {SY_GOING_ON, 0.5};
    sy_history_push(&history, position.key);
    for (unsigned side = 0; side < 2; side++)
        sy_engine_new_game(players[side].engine, 0);
    for (unsigned ply = 0; ply < LONGEST_GAME; ply++) {
        struct sy_search_result result;
        struct sy_undo undo;
        outcome = outcome_now(&position, &history);
        if (outcome.reason != SY_GOING_ON)
            break;
        const struct player *player = &players[position.to_move];
        sy_engine_search(player->engine, &position, &history, &(struct sy_limits){.nodes = player->nodes},
                         &result);
        sy_make(&position, result.best, &undo);
        sy_history_push(&history, position.key);
    }
    sy_history_clear(&history);
    return outcome.reason == SY_GOING_ON ? 0.5 : outcome.white_points;
}

/* The share of points that 1000 nodes a move win from 250, in pairs of games with colours exchanged. */
static double strength(const struct sy_variant *variant)
{
    struct player strong = {sy_engine_create(variant, TABLE), 1000};
    struct player weak = {sy_engine_create(variant, TABLE), 250};
    double points = 0;
    for (uint64_t pair = 0; pair < PAIRS; pair++) {
        const struct sy_position start = opening(variant, strong.engine, pair);
        points += play(&start, (struct player[2]){strong, weak});
        points += 1 - play(&start, (struct player[2]){weak, strong});
    }
    sy_engine_free(strong.engine);
    sy_engine_free(weak.engine);
    return points / (2 * PAIRS);
}

static void more_nodes_win(void)
{
    for (size_t i = 0; i < sy_shipped_variant_count; i++) {
        struct sy_variant *variant = load(sy_shipped_variants[i].name);
        const double share = strength(variant);
        printf("%s: 1000 nodes score %.3f against 250\n", variant->name, share);
        CU_ASSERT(share >= 0.75);
        sy_variant_free(variant);
    }
}

static bool are_alike(const struct sy_search_result *a, const struct sy_search_result *b)
{
    return a->best == b->best && a->nodes == b->nodes && a->depth == b->depth && !(a->score < b->score) &&
           !(a->score > b->score);
}

static void long_searches_repeat_and_mirror(void)
{
    const struct sy_limits limits = {.nodes = 100000};
    for (size_t i = 0; i < sy_shipped_variant_count; i++) {
        struct sy_variant *variant = load(sy_shipped_variants[i].name);
        struct sy_engine *engine = sy_engine_create(variant, TABLE);
        for (uint64_t k = 0; k < 5; k++) {
            struct sy_search_result first, again, mirrored;
            struct sy_position mirror;
            const struct sy_position position = opening(variant, engine, 100 + k);
            sy_position_mirror(&position, &mirror);
            sy_engine_new_game(engine, k);
            sy_engine_search(engine, &position, NULL, &limits, &first);
            sy_engine_new_game(engine, k);
            sy_engine_search(engine, &mirror, NULL, &limits, &mirrored);
            sy_engine_new_game(engine, k);
            sy_engine_search(engine, &position, NULL, &limits, &again);
            CU_ASSERT(are_alike(&first, &again));
            CU_ASSERT_EQUAL(first.nodes, mirrored.nodes);
            CU_ASSERT_EQUAL(first.score, mirrored.score);
            CU_ASSERT_EQUAL(variant->mirror[sy_move_to(first.best)], sy_move_to(mirrored.best));
        }
        sy_engine_free(engine);
        sy_variant_free(variant);
    }
}

void long_search_suite(void)
{
    CU_pSuite suite = CU_add_suite("search", NULL, NULL);
    CU_add_test(suite, "more nodes win", more_nodes_win);
    CU_add_test(suite, "long searches repeat and mirror", long_searches_repeat_and_mirror);
}
