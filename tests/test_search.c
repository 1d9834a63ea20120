/* Tests of params, eval, tt, see and search. */
#include <CUnit/CUnit.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steelyard/eval.h"
#include "steelyard/notation.h"
#include "steelyard/search.h"
#include "steelyard/see.h"
#include "steelyard/shipped.h"
#include "steelyard/tt.h"

#include "random_position.h"

enum { TABLE = 1 << 20, TEST_STREAM = 0x74657374 };

/* ---- helpers ---- */

static struct sy_variant *load(const char *name)
{
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    if (sy_variant_load(name, NULL, &variant, &error) != SY_OK)
        CU_FAIL_FATAL(error.message);
    return variant;
}

static struct sy_position position_of(const struct sy_variant *variant, const char *fen)
{
    struct sy_position position;
    struct sy_error error = {""};
    if (sy_fen_parse(variant, fen, &position, &error) != SY_OK)
        CU_FAIL_FATAL(error.message);
    return position;
}

static sy_move move_of(const struct sy_position *position, const char *text)
{
    sy_move move = SY_NO_MOVE;
    struct sy_error error = {""};
    if (sy_move_parse(position, text, &move, &error) != SY_OK)
        CU_FAIL_FATAL(error.message);
    return move;
}

/* The points that the side to move gets from playing the move, when it ends the game at once; else -1. */
static double points_at_once(const struct sy_position *before, sy_move move)
{
    struct sy_position position = *before;
    struct sy_undo undo;
    sy_make(&position, move, &undo);
    const struct sy_outcome outcome = sy_outcome_of(&position, NULL, sy_count_legal(&position));
    if (outcome.reason == SY_GOING_ON)
        return -1;
    return before->to_move == SY_WHITE ? outcome.white_points : 1 - outcome.white_points;
}

static bool can_win_at_once(const struct sy_position *position)
{
    sy_move moves[SY_MAX_MOVES];
    const unsigned count = sy_generate(position, moves);
    for (unsigned i = 0; i < count; i++)
        if (points_at_once(position, moves[i]) >= 1)
            return true;
    return false;
}

static bool loses_at_once(const struct sy_position *position, sy_move move)
{
    struct sy_position after = *position;
    struct sy_undo undo;
    if (points_at_once(position, move) >= 0)
        return false;
    sy_make(&after, move, &undo);
    return can_win_at_once(&after);
}

static struct sy_search_result search_depth(struct sy_engine *engine, const struct sy_position *position,
                                            unsigned depth)
{
    struct sy_search_result result;
    sy_engine_new_game(engine, 0);
    sy_engine_search(engine, position, NULL, &(struct sy_limits){.depth = depth}, &result);
    return result;
}

static struct sy_search_result search_nodes(struct sy_engine *engine, const struct sy_position *position,
                                            uint64_t nodes)
{
    struct sy_search_result result;
    sy_engine_search(engine, position, NULL, &(struct sy_limits){.nodes = nodes}, &result);
    return result;
}

static bool same_results(const struct sy_search_result *a, const struct sy_search_result *b)
{
    return a->best == b->best && !(a->score < b->score) && !(a->score > b->score) && a->nodes == b->nodes &&
           a->depth == b->depth && a->pv_length == b->pv_length &&
           memcmp(a->pv, b->pv, a->pv_length * sizeof a->pv[0]) == 0;
}

typedef void variant_test(const struct sy_variant *variant, struct sy_engine *engine,
                          struct sy_random *random);

static void for_each_variant(variant_test *test)
{
    for (size_t i = 0; i < sy_shipped_variant_count; i++) {
        struct sy_variant *variant = load(sy_shipped_variants[i].name);
        struct sy_engine *engine = sy_engine_create(variant, TABLE);
        struct sy_random random = sy_random_stream(1, i, TEST_STREAM);
        test(variant, engine, &random);
        sy_engine_free(engine);
        sy_variant_free(variant);
    }
}

/* ---- params ---- */

static void params_have_names_and_ranges(void)
{
    struct sy_variant *variant = load("chess");
    struct sy_params params;
    sy_params_default(variant, &params);
    for (size_t i = 0; i < sy_param_count(); i++) {
        const struct sy_param_info *info = sy_param_info(i);
        double min = 0, max = 0;
        CU_ASSERT_FATAL(info->name != NULL && info->about != NULL);
        CU_ASSERT(info->min <= info->fallback && info->fallback <= info->max);
        CU_ASSERT_PTR_EQUAL(sy_params_find(variant, &params, info->name, &min, &max), &params.other[i]);
        CU_ASSERT_EQUAL(min, info->min);
        CU_ASSERT_EQUAL(max, info->max);
        for (size_t j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(info->name, sy_param_info(j)->name);
    }
    double min, max;
    CU_ASSERT_PTR_NULL(sy_params_find(variant, &params, "value.king", &min, &max));
    CU_ASSERT_PTR_NULL(sy_params_find(variant, &params, "eval.nothing", &min, &max));
    const double *queen = sy_params_find(variant, &params, "value.queen", &min, &max);
    CU_ASSERT_PTR_NOT_NULL_FATAL(queen);
    CU_ASSERT(*queen > 5 && max >= 100);
    sy_variant_free(variant);
}

static enum sy_status read_text(const struct sy_variant *variant, const char *text, struct sy_params *params,
                                struct sy_error *error)
{
    struct sy_json_doc *doc = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_json_read("test", text, strlen(text), &doc, error), SY_OK);
    const enum sy_status status = sy_params_read(variant, doc, sy_json_root(doc), params, error);
    sy_json_free(doc);
    return status;
}

static void params_are_read_and_checked(void)
{
    struct sy_variant *variant = load("chess");
    struct sy_params params;
    struct sy_error error = {""};
    sy_params_default(variant, &params);
    CU_ASSERT_EQUAL(read_text(variant, "{\"value.queen\": 7.25, \"eval.tempo\": 0.5}", &params, &error),
                    SY_OK);
    double min, max;
    CU_ASSERT_EQUAL(*sy_params_find(variant, &params, "value.queen", &min, &max), 7.25);
    CU_ASSERT_EQUAL(params.other[SY_EVAL_TEMPO], 0.5);
    CU_ASSERT_EQUAL(read_text(variant, "{\"eval.temp\": 1}", &params, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "eval.tempo"));
    CU_ASSERT_EQUAL(read_text(variant, "{\"value.queen\": -1}", &params, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "value.queen"));
    CU_ASSERT_EQUAL(sy_params_assign(variant, "value.rook=4.5", &params, &error), SY_OK);
    CU_ASSERT_EQUAL(*sy_params_find(variant, &params, "value.rook", &min, &max), 4.5);
    CU_ASSERT_EQUAL(sy_params_assign(variant, "value.rook=1000", &params, &error), SY_USAGE);
    CU_ASSERT_EQUAL(sy_params_assign(variant, "value.rok=1", &params, &error), SY_USAGE);
    CU_ASSERT_EQUAL(sy_params_assign(variant, "value.rook", &params, &error), SY_USAGE);
    sy_variant_free(variant);
}

/* ---- tt ---- */

static void table_finds_what_was_stored(void)
{
    struct sy_tt tt;
    sy_tt_init(&tt, 1 << 16);
    CU_ASSERT_EQUAL(tt.mask, (1 << 16) / 64 - 1);
    CU_ASSERT_PTR_NULL(sy_tt_find(&tt, 0));
    for (uint64_t i = 0; i < 100; i++)
        sy_tt_store(&tt, sy_mix64(i), (sy_move)(i + 1), (int)i - 50, -(int)i, (int)i % 20, SY_BOUND_LOWER);
    for (uint64_t i = 0; i < 100; i++) {
        const struct sy_tt_entry *entry = sy_tt_find(&tt, sy_mix64(i));
        CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
        CU_ASSERT_EQUAL(entry->move, i + 1);
        CU_ASSERT_EQUAL(entry->score, (int)i - 50);
        CU_ASSERT_EQUAL(entry->eval, -(int)i);
        CU_ASSERT_EQUAL(entry->depth, i % 20);
        CU_ASSERT_EQUAL(sy_tt_bound(entry), SY_BOUND_LOWER);
    }
    CU_ASSERT_PTR_NULL(sy_tt_find(&tt, sy_mix64(1000)));
    sy_tt_clear(&tt);
    sy_tt_init(&tt, 100);
    CU_ASSERT_EQUAL(tt.mask, 0);
    sy_tt_clear(&tt);
}

static void table_replaces_the_least_worth(void)
{
    struct sy_tt tt;
    sy_tt_init(&tt, 64);
    for (uint64_t i = 1; i <= SY_TT_WAYS; i++)
        sy_tt_store(&tt, i << 32, (sy_move)i, 0, 0, (int)(10 - i), SY_BOUND_EXACT);
    sy_tt_store(&tt, (uint64_t)9 << 32, 9, 0, 0, 1, SY_BOUND_EXACT);
    CU_ASSERT_PTR_NULL(sy_tt_find(&tt, (uint64_t)4 << 32)); /* the shallowest went */
    CU_ASSERT_PTR_NOT_NULL(sy_tt_find(&tt, (uint64_t)1 << 32));
    for (int i = 0; i < 3; i++)
        sy_tt_next_search(&tt);
    sy_tt_store(&tt, (uint64_t)9 << 32, 9, 0, 0, 1, SY_BOUND_EXACT); /* belongs to this search now */
    for (uint64_t i = 20; i < 23; i++)
        sy_tt_store(&tt, i << 32, 1, 0, 0, 1, SY_BOUND_EXACT);
    CU_ASSERT_PTR_NULL(sy_tt_find(&tt, (uint64_t)1 << 32)); /* deep, but of old searches */
    CU_ASSERT_PTR_NOT_NULL(sy_tt_find(&tt, (uint64_t)9 << 32));
    /* The same position: a shallow bound does not displace a deep one, but a better move is kept. */
    sy_tt_forget(&tt);
    sy_tt_store(&tt, 7, 70, 5, 0, 12, SY_BOUND_EXACT);
    sy_tt_store(&tt, 7, 71, 6, 0, 3, SY_BOUND_UPPER);
    CU_ASSERT_EQUAL(sy_tt_find(&tt, 7)->depth, 12);
    CU_ASSERT_EQUAL(sy_tt_find(&tt, 7)->move, 71);
    sy_tt_store(&tt, 7, SY_NO_MOVE, 6, 0, 13, SY_BOUND_UPPER);
    CU_ASSERT_EQUAL(sy_tt_find(&tt, 7)->depth, 13);
    CU_ASSERT_EQUAL(sy_tt_find(&tt, 7)->move, 71);
    sy_tt_clear(&tt);
}

static void table_forgets(void)
{
    struct sy_tt tt;
    sy_tt_init(&tt, 1 << 12);
    for (int game = 0; game < 600; game++) {
        CU_ASSERT_PTR_NULL_FATAL(sy_tt_find(&tt, 7));
        sy_tt_store(&tt, 7, 70, 5, 0, 12, SY_BOUND_EXACT);
        CU_ASSERT_PTR_NOT_NULL_FATAL(sy_tt_find(&tt, 7));
        sy_tt_forget(&tt);
    }
    sy_tt_clear(&tt);
}

/* ---- see ---- */

static int exchange(const char *name, const char *fen, const char *move, const char *letters,
                    const int *letter_value)
{
    struct sy_variant *variant = load(name);
    const struct sy_position position = position_of(variant, fen);
    int value[SY_MAX_TYPES] = {0};
    for (unsigned i = 0; letters[i]; i++)
        value[sy_variant_type(variant, letters[i])] = letter_value[i];
    const int gain = sy_see(&position, move_of(&position, move), value);
    sy_variant_free(variant);
    return gain;
}

static int chess_exchange(const char *fen, const char *move)
{
    static const int values[] = {100, 300, 310, 500, 900, 20000};
    return exchange("chess", fen, move, "PNBRQK", values);
}

static void exchanges_in_chess(void)
{
    CU_ASSERT_EQUAL(chess_exchange("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"), 100);
    CU_ASSERT_EQUAL(chess_exchange("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5"), -200);
    /* Both defended and attacked through a rook; the king may not take while the cell stays covered. */
    CU_ASSERT_EQUAL(chess_exchange("3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5"), 100);
    CU_ASSERT_EQUAL(chess_exchange("8/8/3k4/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5"), 100);
    CU_ASSERT_EQUAL(chess_exchange("8/8/3k4/3p4/8/8/3R4/6K1 w - - 0 1", "d2d5"), -400);
    CU_ASSERT_EQUAL(chess_exchange("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6"), 100);
    CU_ASSERT_EQUAL(chess_exchange("4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6"), 0);
    CU_ASSERT_EQUAL(chess_exchange("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), 800);
    CU_ASSERT_EQUAL(chess_exchange("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q"), 1300);
    CU_ASSERT_EQUAL(chess_exchange("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), -500 + 500);
    CU_ASSERT_EQUAL(chess_exchange("1r2k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), -500);
}

static int panal_exchange(const char *fen, const char *move)
{
    static const int values[] = {100, 300, 400, 20000, 20000};
    return exchange("panal", fen, move, "SHGPM", values);
}

static void exchanges_with_hops_and_shots(void)
{
    /* Row 5: a5 c5 e5 g5 i5 k5 m5 o5 q5. The white Gunne on a5 captures over c5 what stands on i5. */
    static const char alone[] = "3mp/6/7/8/GS2h4/8/7/6/3MP w - 0 1";
    static const char covered[] = "3mp/6/7/8/GS2h1s1g/8/7/6/3MP w - 0 1";
    static const char masked[] = "3mp/6/7/8/GS2h1ssg/8/7/6/3MP w - 0 1";
    CU_ASSERT_EQUAL(panal_exchange(alone, "a5*i5"), 300);
    CU_ASSERT_EQUAL(panal_exchange(alone, "a5i5"), 300);
    CU_ASSERT_EQUAL(panal_exchange(covered, "a5*i5"), 300); /* nothing to take back */
    CU_ASSERT_EQUAL(panal_exchange(covered, "a5i5"), 300 - 400);
    CU_ASSERT_EQUAL(panal_exchange(masked, "a5i5"), 300); /* two between: the hop back is no hop */
    /* A Horseman takes a Soldier that a Gunne covers, but leaves the line over which it does. */
    CU_ASSERT_EQUAL(panal_exchange("3mp/6/7/8/2H1s1g2/8/7/6/3MP w - 0 1", "e5i5"), 100);
    /* The Gunne that takes back by a shot cannot be taken, though a second Horseman covers the cell. */
    CU_ASSERT_EQUAL(panal_exchange("3mp/6/7/8/2H1s1s1g/8/4H2/6/3MP w - 0 1", "e5i5"), 100 - 300);
}

/* ---- eval ---- */

static void check_sums(const struct sy_variant *variant, struct sy_engine *engine, struct sy_random *random)
{
    (void)engine;
    struct sy_eval *eval = sy_eval_create(variant);
    CU_ASSERT(eval->symmetric);
    for (unsigned i = 0; i < 30; i++) {
        const struct sy_position position = random_position(variant, random, 80);
        const struct sy_eval_sum sum = sy_eval_sum_of(eval, &position);
        sy_move moves[SY_MAX_MOVES];
        const unsigned count = sy_generate(&position, moves);
        for (unsigned k = 0; k < count; k++) {
            struct sy_position after = position;
            struct sy_undo undo;
            const struct sy_eval_sum kept = sy_eval_sum_after(eval, &position, &sum, moves[k]);
            sy_make(&after, moves[k], &undo);
            const struct sy_eval_sum fresh = sy_eval_sum_of(eval, &after);
            CU_ASSERT(kept.key == fresh.key && kept.full == fresh.full && kept.bare == fresh.bare);
            const sy_move relative = sy_eval_relative(eval, position.to_move, moves[k]);
            CU_ASSERT_EQUAL(sy_eval_relative(eval, position.to_move, relative), moves[k]);
        }
    }
    free(eval);
}

static void sums_follow_moves(void)
{
    for_each_variant(check_sums);
}

static void check_symmetry(const struct sy_variant *variant, struct sy_engine *engine,
                           struct sy_random *random)
{
    struct sy_params params;
    sy_params_default(variant, &params);
    for (unsigned i = 0; i < 40; i++) {
        const struct sy_position position = random_position(variant, random, 80);
        struct sy_position mirror;
        sy_position_mirror(&position, &mirror);
        params.other[SY_EVAL_NOISE] = i % 2;
        sy_engine_set_params(engine, &params);
        CU_ASSERT_EQUAL(sy_engine_evaluate(engine, &position), sy_engine_evaluate(engine, &mirror));
        CU_ASSERT_EQUAL(sy_engine_quiescence(engine, &position), sy_engine_quiescence(engine, &mirror));
        sy_engine_new_game(engine, i);
        const struct sy_search_result here = search_nodes(engine, &position, 800);
        sy_engine_new_game(engine, i);
        const struct sy_search_result there = search_nodes(engine, &mirror, 800);
        CU_ASSERT_EQUAL(here.score, there.score);
        CU_ASSERT_EQUAL(here.nodes, there.nodes);
        CU_ASSERT_EQUAL(here.depth, there.depth);
        CU_ASSERT_EQUAL(variant->mirror[sy_move_from(here.best)], sy_move_from(there.best));
        CU_ASSERT_EQUAL(variant->mirror[sy_move_to(here.best)], sy_move_to(there.best));
    }
}

static void mirrored_positions_are_alike(void)
{
    for_each_variant(check_symmetry);
}

static const char *best_move(const struct sy_variant *variant, struct sy_engine *engine, const char *fen,
                             char text[SY_MOVE_TEXT])
{
    const struct sy_position position = position_of(variant, fen);
    return sy_move_text(variant, search_depth(engine, &position, 4).best, text);
}

/* White's pawns promote two ranks sooner: nothing may then be taken from the mirror. */
static void unequal_sides_are_told_apart(void)
{
    static const char text[] = "{\"zones\": {\"last rank\": {\"white\": [\"?6\", \"?7\", \"?8\"]}}}";
    struct sy_json_doc *patch = NULL;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    char move[SY_MOVE_TEXT];
    CU_ASSERT_EQUAL_FATAL(sy_json_read("patch", text, strlen(text), &patch, &error), SY_OK);
    CU_ASSERT_EQUAL_FATAL(sy_variant_load("chess", sy_json_root(patch), &variant, &error), SY_OK);
    struct sy_eval *eval = sy_eval_create(variant);
    CU_ASSERT_FALSE(eval->symmetric);
    free(eval);
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    CU_ASSERT_STRING_EQUAL(best_move(variant, engine, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", move), "a1a8");
    CU_ASSERT_STRING_EQUAL(best_move(variant, engine, "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", move), "a8a1");
    CU_ASSERT_STRING_EQUAL(best_move(variant, engine, "8/8/8/4P2k/8/4p3/8/K7 w - - 0 1", move), "e5e6q");
    const struct sy_position racing = position_of(variant, "8/8/8/4P2k/4p3/8/8/K7 b - - 0 1");
    CU_ASSERT(search_depth(engine, &racing, 4).score < -4);
    sy_engine_free(engine);
    sy_variant_free(variant);
    sy_json_free(patch);
}

static void noise_is_normal_and_seeded(void)
{
    struct sy_variant *variant = load("glinski");
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    const struct sy_position start = position_of(variant, variant->start);
    struct sy_params params;
    const double plain = sy_engine_evaluate(engine, &start);
    sy_params_default(variant, &params);
    params.other[SY_EVAL_NOISE] = 0.5;
    sy_engine_set_params(engine, &params);
    double sum = 0, squares = 0;
    enum { SEEDS = 2000 };
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        sy_engine_new_game(engine, seed);
        const double noise = sy_engine_evaluate(engine, &start) - plain;
        CU_ASSERT_EQUAL(noise, sy_engine_evaluate(engine, &start) - plain);
        sum += noise;
        squares += noise * noise;
    }
    CU_ASSERT(fabs(sum / SEEDS) < 0.05);
    CU_ASSERT(fabs(sqrt(squares / SEEDS) - 0.5) < 0.04);
    sy_engine_free(engine);
    sy_variant_free(variant);
}

/* ---- search: what it finds ---- */

static bool is_key(const struct sy_json *problem, const char *move)
{
    for (const struct sy_json *key = sy_json_first(sy_json_member(problem, "keys")); key;
         key = sy_json_next(key))
        if (strcmp(sy_json_string(key), move) == 0)
            return true;
    return false;
}

static void solve(const char *line, size_t length)
{
    struct sy_json_doc *doc = NULL;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_json_read("problem", line, length, &doc, &error), SY_OK);
    const struct sy_json *problem = sy_json_root(doc);
    const int mate = (int)sy_json_number(sy_json_member(problem, "mate_in"));
    struct sy_variant *variant = load(sy_json_string(sy_json_member(problem, "variant")));
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    const struct sy_position position = position_of(variant, sy_json_string(sy_json_member(problem, "fen")));
    const struct sy_search_result result = search_nodes(engine, &position, 200000);
    char text[SY_MOVE_TEXT];
    CU_ASSERT_EQUAL(result.mate, mate);
    CU_ASSERT(is_key(problem, sy_move_text(variant, result.best, text)));
    sy_engine_free(engine);
    sy_variant_free(variant);
    sy_json_free(doc);
}

static void problems_are_solved(void)
{
    char *text = NULL;
    size_t length = 0;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_read_file("tests/data/problems.jsonl", &text, &length, &error), SY_OK);
    for (char *line = text, *end; *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        solve(line, (size_t)(end - line));
        if (!*end)
            break;
    }
    free(text);
}

enum { TACTICS = 8 };

struct tactics {
    struct sy_engine *engine;
    unsigned wins, dangers;
};

static void check_win(struct tactics *tactics, const struct sy_position *position)
{
    const struct sy_search_result result = search_depth(tactics->engine, position, 3);
    CU_ASSERT_EQUAL(result.mate, 1);
    CU_ASSERT_EQUAL(points_at_once(position, result.best), 1);
    tactics->wins++;
}

/* Some moves lose at once, but not all. */
static void check_danger(struct tactics *tactics, const struct sy_position *position)
{
    sy_move moves[SY_MAX_MOVES];
    const unsigned count = sy_generate(position, moves);
    unsigned losing = 0;
    for (unsigned k = 0; k < count; k++)
        losing += loses_at_once(position, moves[k]);
    if (losing == 0 || losing == count)
        return;
    const struct sy_search_result result = search_depth(tactics->engine, position, 3);
    CU_ASSERT_FALSE(loses_at_once(position, result.best));
    tactics->dangers++;
}

/* Wins on the spot are taken, and what loses on the spot is avoided where anything else can be played:
 * mates, royals to be taken, bare kings, whatever the variant's rules. */
static void check_tactics(const struct sy_variant *variant, struct sy_engine *engine,
                          struct sy_random *random)
{
    struct tactics tactics = {engine, 0, 0};
    for (unsigned game = 0; game < 100 && (tactics.wins < TACTICS || tactics.dangers < TACTICS); game++) {
        struct sy_position position = position_of(variant, variant->start);
        for (unsigned ply = 0; ply < 200 && goes_on(&position); ply++) {
            sy_move moves[SY_MAX_MOVES];
            struct sy_undo undo;
            if (tactics.wins < TACTICS && can_win_at_once(&position))
                check_win(&tactics, &position);
            else if (tactics.dangers < TACTICS && ply % 10 == 9 && !can_win_at_once(&position))
                check_danger(&tactics, &position);
            const unsigned count = sy_generate(&position, moves);
            sy_make(&position, moves[sy_random_below(random, count)], &undo);
        }
    }
    CU_ASSERT_EQUAL(tactics.wins, TACTICS);
    CU_ASSERT_EQUAL(tactics.dangers, TACTICS);
}

static void wins_are_taken_and_losses_avoided(void)
{
    for_each_variant(check_tactics);
}

/* Places the pieces of a FEN-like list ("KNk") on random cells; false when that gives no position. */
static bool scatter(const struct sy_variant *variant, const char *letters, struct sy_random *random,
                    struct sy_position *position)
{
    sy_position_clear(position, variant);
    for (const char *letter = letters; *letter; letter++) {
        const unsigned cell = (unsigned)sy_random_below(random, variant->cells);
        const unsigned side = *letter >= 'a' ? SY_BLACK : SY_WHITE;
        if (position->piece[cell] != SY_NO_PIECE)
            return false;
        sy_position_put(position, cell, sy_piece_code(sy_variant_type(variant, *letter), side));
    }
    return sy_position_finish(position, NULL) == SY_OK;
}

/* The number of legal moves that end the game with these points for the mover. */
static unsigned count_ending(const struct sy_position *position, double points)
{
    sy_move moves[SY_MAX_MOVES];
    const unsigned count = sy_generate(position, moves);
    unsigned ending = 0;
    for (unsigned i = 0; i < count; i++)
        ending += fabs(points_at_once(position, moves[i]) - points) < 1e-9;
    return ending;
}

/* King and knight cannot win, so three quarters of the point are worth having. */
static void stalemate_is_preferred_to_a_draw(void)
{
    struct sy_variant *variant = load("glinski");
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    struct sy_random random = sy_random_stream(2, 0, TEST_STREAM);
    unsigned found = 0;
    for (unsigned i = 0; i < 100000 && found < 10; i++) {
        struct sy_position position;
        if (!scatter(variant, "KNk", &random, &position) || !goes_on(&position) ||
            count_ending(&position, 0.75) == 0 || count_ending(&position, 1) > 0)
            continue;
        found++;
        position.halfmove = 90; /* the draw by lack of progress is near */
        const struct sy_search_result result = search_depth(engine, &position, 4);
        CU_ASSERT(points_at_once(&position, result.best) > 0.7 || result.mate > 0);
        CU_ASSERT(result.score >= 2);
    }
    CU_ASSERT_EQUAL(found, 10);
    sy_engine_free(engine);
    sy_variant_free(variant);
}

static void stalemate_wins_where_the_rules_say_so(void)
{
    struct sy_variant *variant = load("sunflower");
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    struct sy_random random = sy_random_stream(3, 0, TEST_STREAM);
    unsigned found = 0;
    for (unsigned i = 0; i < 2000000 && found < 3; i++) {
        struct sy_position position, after;
        if (!scatter(variant, "KQRac", &random, &position) && !scatter(variant, "KQRak", &random, &position))
            continue;
        if (position.royal[SY_BLACK] == SY_NO_CELL || !goes_on(&position) || count_ending(&position, 1) == 0)
            continue;
        sy_move moves[SY_MAX_MOVES];
        struct sy_undo undo;
        bool mates = false, stalemates = false;
        const unsigned count = sy_generate(&position, moves);
        for (unsigned k = 0; k < count; k++) {
            after = position;
            sy_make(&after, moves[k], &undo);
            const enum sy_reason reason = sy_outcome_of(&after, NULL, sy_count_legal(&after)).reason;
            stalemates = stalemates || reason == SY_STALEMATE;
            mates = mates || reason == SY_CHECKMATE || reason == SY_BARE_ROYAL;
        }
        if (mates || !stalemates)
            continue;
        found++;
        const struct sy_search_result result = search_depth(engine, &position, 3);
        CU_ASSERT_EQUAL(result.mate, 1);
        CU_ASSERT_EQUAL(points_at_once(&position, result.best), 1);
    }
    CU_ASSERT_EQUAL(found, 3);
    sy_engine_free(engine);
    sy_variant_free(variant);
}

/* A history in which the position after the move has been there twice. */
static struct sy_history twice_after(struct sy_position *position, sy_move move)
{
    struct sy_history history = {NULL, 0, 0};
    struct sy_position after = *position;
    struct sy_undo undo;
    sy_make(&after, move, &undo);
    position->halfmove = 20;
    sy_history_push(&history, after.key);
    sy_history_push(&history, 1);
    sy_history_push(&history, after.key);
    sy_history_push(&history, position->key);
    return history;
}

static void repetition_that_loses_is_avoided(void)
{
    struct sy_variant *variant = load("sunflower");
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    struct sy_random random = sy_random_stream(4, 0, TEST_STREAM);
    unsigned tried = 0;
    for (unsigned i = 0; i < 100 && tried < 10; i++) {
        struct sy_position position = random_position(variant, &random, 40);
        const struct sy_search_result free_to = search_depth(engine, &position, 4);
        const unsigned mover = position.piece[sy_move_from(free_to.best)];
        if (sy_move_victim(&position, free_to.best) != SY_NO_PIECE || free_to.mate != 0 ||
            variant->type[sy_piece_type(mover)].progress)
            continue;
        tried++;
        struct sy_history history = twice_after(&position, free_to.best);
        struct sy_search_result result;
        sy_engine_new_game(engine, 0);
        sy_engine_search(engine, &position, &history, &(struct sy_limits){.depth = 4}, &result);
        CU_ASSERT_NOT_EQUAL(result.best, free_to.best);
        CU_ASSERT_EQUAL(result.mate, 0);
        sy_history_clear(&history);
    }
    CU_ASSERT_EQUAL(tried, 10);
    sy_engine_free(engine);
    sy_variant_free(variant);
}

static void repetition_that_draws_is_sought_when_losing(void)
{
    struct sy_variant *variant = load("chess");
    struct sy_engine *engine = sy_engine_create(variant, TABLE);
    struct sy_position position = position_of(variant, "4k3/8/8/8/8/4n3/PPPPPPPP/RNBQKBNR b KQ - 20 40");
    const sy_move back = move_of(&position, "e3g4");
    CU_ASSERT(search_depth(engine, &position, 4).score < -5);
    struct sy_history history = twice_after(&position, back);
    struct sy_search_result result;
    sy_engine_new_game(engine, 0);
    sy_engine_search(engine, &position, &history, &(struct sy_limits){.depth = 4}, &result);
    CU_ASSERT_EQUAL(result.best, back);
    CU_ASSERT_EQUAL(result.score, 0);
    sy_history_clear(&history);
    sy_engine_free(engine);
    sy_variant_free(variant);
}

/* ---- search: what it promises ---- */

static void check_determinism(const struct sy_variant *variant, struct sy_engine *engine,
                              struct sy_random *random)
{
    struct sy_engine *other = sy_engine_create(variant, TABLE);
    for (unsigned i = 0; i < 4; i++) {
        const struct sy_position position = random_position(variant, random, 60);
        const struct sy_position distraction = random_position(variant, random, 60);
        sy_engine_new_game(engine, 9);
        const struct sy_search_result first = search_nodes(engine, &position, 5000);
        search_nodes(engine, &distraction, 3000);
        sy_engine_quiescence(engine, &distraction);
        sy_engine_new_game(engine, 9);
        sy_engine_quiescence(engine, &position);
        const struct sy_search_result second = search_nodes(engine, &position, 5000);
        sy_engine_new_game(other, 9);
        const struct sy_search_result third = search_nodes(other, &position, 5000);
        CU_ASSERT(same_results(&first, &second));
        CU_ASSERT(same_results(&first, &third));
    }
    sy_engine_free(other);
}

static void searches_repeat_exactly(void)
{
    for_each_variant(check_determinism);
}

static void check_limits(const struct sy_variant *variant, struct sy_engine *engine, struct sy_random *random)
{
    static const uint64_t limits[] = {1, 2, 7, 50, 333, 2000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const struct sy_position position = random_position(variant, random, 60);
        const struct sy_search_result result = search_nodes(engine, &position, limits[i]);
        CU_ASSERT(result.nodes <= limits[i]);
        CU_ASSERT(result.nodes == limits[i] || result.mate != 0);
        CU_ASSERT(sy_is_legal(&position, result.best));
        CU_ASSERT_FATAL(result.pv_length >= 1);
        CU_ASSERT_EQUAL(result.pv[0], result.best);
        struct sy_position line = position;
        for (unsigned k = 0; k < result.pv_length; k++) {
            struct sy_undo undo;
            CU_ASSERT_FATAL(sy_is_legal(&line, result.pv[k]));
            sy_make(&line, result.pv[k], &undo);
        }
    }
    const struct sy_position start = position_of(variant, variant->start);
    CU_ASSERT_EQUAL(search_depth(engine, &start, 3).depth, 3);
}

static void limits_are_kept(void)
{
    for_each_variant(check_limits);
}

/* The move after which the position looks best, without looking further. */
static sy_move greedy(struct sy_engine *engine, const struct sy_position *position)
{
    sy_move moves[SY_MAX_MOVES], best = SY_NO_MOVE;
    double best_score = -INFINITY;
    const unsigned count = sy_generate(position, moves);
    for (unsigned i = 0; i < count; i++) {
        struct sy_position after = *position;
        struct sy_undo undo;
        sy_make(&after, moves[i], &undo);
        const double points = points_at_once(position, moves[i]);
        const double score = points >= 0 ? 1000 * (points - 0.5) : -sy_engine_evaluate(engine, &after);
        if (score > best_score) {
            best_score = score;
            best = moves[i];
        }
    }
    return best;
}

/* The searcher's points; half when the game is not over after 300 plies. */
static double play_against_greed(struct sy_engine *engine, const struct sy_variant *variant,
                                 unsigned searcher)
{
    struct sy_position position = position_of(variant, variant->start);
    struct sy_history history = {NULL, 0, 0};
    struct sy_outcome outcome = {SY_GOING_ON, 0.5};
    sy_history_push(&history, position.key);
    for (unsigned ply = 0; ply < 300; ply++) {
        struct sy_search_result result;
        struct sy_undo undo;
        outcome = sy_outcome_of(&position, &history, sy_count_legal(&position));
        if (outcome.reason != SY_GOING_ON)
            break;
        sy_engine_search(engine, &position, &history, &(struct sy_limits){.nodes = 500}, &result);
        sy_make(&position, position.to_move == searcher ? result.best : greedy(engine, &position), &undo);
        sy_history_push(&history, position.key);
    }
    sy_history_clear(&history);
    if (outcome.reason == SY_GOING_ON)
        return 0.5;
    return searcher == SY_WHITE ? outcome.white_points : 1 - outcome.white_points;
}

static void check_greed(const struct sy_variant *variant, struct sy_engine *engine, struct sy_random *random)
{
    (void)random;
    double points = 0;
    for (unsigned searcher = 0; searcher < 2; searcher++) {
        sy_engine_new_game(engine, 0);
        points += play_against_greed(engine, variant, searcher);
    }
    CU_ASSERT_EQUAL(points, 2);
}

/* What the greedy player takes is worth no less than what the definition takes. */
static void check_greedy_limit(const struct sy_variant *variant, struct sy_engine *engine,
                               struct sy_random *random)
{
    for (unsigned i = 0; i < 20; i++) {
        const struct sy_position position = random_position(variant, random, 60);
        struct sy_search_result result;
        struct sy_position after[2] = {position, position};
        struct sy_undo undo;
        sy_engine_search(engine, &position, NULL, &(struct sy_limits){.greedy = true}, &result);
        const sy_move best = greedy(engine, &position);
        CU_ASSERT_EQUAL(points_at_once(&position, result.best), points_at_once(&position, best));
        sy_make(&after[0], result.best, &undo);
        sy_make(&after[1], best, &undo);
        if (points_at_once(&position, best) < 0)
            CU_ASSERT_EQUAL(sy_engine_evaluate(engine, &after[0]), sy_engine_evaluate(engine, &after[1]));
        CU_ASSERT_EQUAL(result.nodes, sy_count_legal(&position));
    }
}

static void greed_is_one_ply(void)
{
    for_each_variant(check_greedy_limit);
}

static void search_beats_greed(void)
{
    for_each_variant(check_greed);
}

void test_search_suite(void)
{
    CU_pSuite suite = CU_add_suite("search", NULL, NULL);
    CU_add_test(suite, "parameters have names and ranges", params_have_names_and_ranges);
    CU_add_test(suite, "parameters are read and checked", params_are_read_and_checked);
    CU_add_test(suite, "the table finds what was stored", table_finds_what_was_stored);
    CU_add_test(suite, "the table replaces the least worth", table_replaces_the_least_worth);
    CU_add_test(suite, "the table forgets", table_forgets);
    CU_add_test(suite, "exchanges in chess", exchanges_in_chess);
    CU_add_test(suite, "exchanges with hops and shots", exchanges_with_hops_and_shots);
    CU_add_test(suite, "sums follow moves", sums_follow_moves);
    CU_add_test(suite, "mirrored positions are alike", mirrored_positions_are_alike);
    CU_add_test(suite, "unequal sides are told apart", unequal_sides_are_told_apart);
    CU_add_test(suite, "noise is normal and seeded", noise_is_normal_and_seeded);
    CU_add_test(suite, "problems are solved", problems_are_solved);
    CU_add_test(suite, "wins are taken and losses avoided", wins_are_taken_and_losses_avoided);
    CU_add_test(suite, "stalemate is preferred to a draw", stalemate_is_preferred_to_a_draw);
    CU_add_test(suite, "stalemate wins where the rules say so", stalemate_wins_where_the_rules_say_so);
    CU_add_test(suite, "a repetition that loses is avoided", repetition_that_loses_is_avoided);
    CU_add_test(suite, "a repetition that draws is sought when losing",
                repetition_that_draws_is_sought_when_losing);
    CU_add_test(suite, "searches repeat exactly", searches_repeat_exactly);
    CU_add_test(suite, "limits are kept", limits_are_kept);
    CU_add_test(suite, "greed is one ply", greed_is_one_ply);
    CU_add_test(suite, "search beats greed", search_beats_greed);
}
