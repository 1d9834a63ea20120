/* The engine: its set-up, the root of the tree, and iterative deepening with aspiration windows.
 *
 * Invariant: after sy_engine_new_game nothing that an earlier search left behind is ever read. */
#include "steelyard/search.h"

#include "search_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_TABLE = 64 << 10, LARGEST_TABLE = 64 << 20 };
enum { FIRST_ASPIRATION = 4, LOOK_UP = 1024 };

/* ---- set-up ---- */

size_t sy_engine_table_bytes(const struct sy_limits *limits)
{
    const uint64_t wanted = limits->nodes == 0 ? LARGEST_TABLE / 4 : limits->nodes * 32;
    size_t bytes = SMALLEST_TABLE;
    while (bytes < LARGEST_TABLE && bytes < wanted)
        bytes *= 2;
    return bytes;
}

struct sy_engine *sy_engine_create(const struct sy_variant *variant, size_t table_bytes)
{
    struct sy_engine *engine = sy_alloc_hot(sizeof *engine);
    struct sy_params params;
    engine->variant = variant;
    engine->eval = sy_eval_create(variant);
    sy_tt_init(&engine->tt, table_bytes);
    sy_params_default(variant, &params);
    sy_engine_set_params(engine, &params);
    return engine;
}

void sy_engine_free(struct sy_engine *engine)
{
    if (!engine)
        return;
    sy_tt_clear(&engine->tt);
    free(engine->eval);
    free(engine->keys);
    free(engine);
}

static int units(double pawns)
{
    return (int)lround(pawns * SY_PAWN);
}

/* Reductions grow with the product of two logarithms; harmonic numbers stand in for these, as sums and
 * quotients come out alike on every machine. */
static void set_reductions(struct sy_settings *set, double factor)
{
    double harmonic[SY_REDUCTIONS] = {0};
    for (int i = 1; i < SY_REDUCTIONS; i++)
        harmonic[i] = harmonic[i - 1] + 1.0 / i;
    for (int depth = 1; depth < SY_REDUCTIONS; depth++) {
        for (int tried = 1; tried < SY_REDUCTIONS; tried++) {
            const double plies = factor * (harmonic[depth] - 0.5) * (harmonic[tried] - 0.5);
            set->reduction[depth][tried] = (uint8_t)(plies > 100 ? 100 : plies);
        }
    }
}

void sy_engine_set_params(struct sy_engine *engine, const struct sy_params *params)
{
    struct sy_settings *set = &engine->set;
    const double *p = params->other;
    sy_eval_set_params(engine->eval, params);
    set->aspiration = units(p[SY_SEARCH_ASPIRATION]);
    set->check_extension = (int)lround(p[SY_SEARCH_CHECK_EXTENSION]);
    set->null_depth = (int)lround(p[SY_SEARCH_NULL_DEPTH]);
    set->null_reduction = (int)lround(p[SY_SEARCH_NULL_REDUCTION]);
    set->reverse_depth = (int)lround(p[SY_SEARCH_REVERSE_DEPTH]);
    set->reverse_margin = units(p[SY_SEARCH_REVERSE_MARGIN]);
    set->razor_margin = units(p[SY_SEARCH_RAZOR_MARGIN]);
    set->futility_depth = (int)lround(p[SY_SEARCH_FUTILITY_DEPTH]);
    set->futility_margin = units(p[SY_SEARCH_FUTILITY_MARGIN]);
    set->late_depth = (int)lround(p[SY_SEARCH_LATE_DEPTH]);
    set->late_moves = (int)lround(p[SY_SEARCH_LATE_MOVES]);
    set->exchange_margin = units(p[SY_SEARCH_EXCHANGE_MARGIN]);
    set->delta_margin = units(p[SY_SEARCH_DELTA_MARGIN]);
    set->quiet_checks = (int)lround(p[SY_SEARCH_QUIET_CHECKS]);
    set->quiet_exchange = units(p[SY_SEARCH_QUIET_EXCHANGE]);
    set->decided = units(p[SY_SEARCH_DECIDED]);
    set_reductions(set, p[SY_SEARCH_REDUCTION]);
    sy_rules_set(engine, p[SY_SEARCH_QUARTER_POINT]);
    sy_engine_new_game(engine, engine->eval->noise_seed);
}

void sy_engine_new_game(struct sy_engine *engine, uint64_t noise_seed)
{
    engine->eval->noise_seed = noise_seed;
    sy_tt_forget(&engine->tt);
    memset(engine->history, 0, sizeof engine->history);
    memset(engine->counter, 0, sizeof engine->counter);
    memset(engine->frames, 0, sizeof engine->frames);
}

/* ---- the root ---- */

static void load_keys(struct sy_engine *engine, const struct sy_history *history)
{
    const size_t before = history && history->count > 0 ? history->count - 1 : 0;
    memset(engine->seen, 0, sizeof engine->seen);
    engine->keys =
        sy_grow(engine->keys, &engine->key_capacity, before + 2 * SY_MAX_PLY, sizeof *engine->keys);
    engine->key_count = 0;
    const uint64_t key = engine->position.key;
    for (size_t i = 0; i < before; i++) {
        engine->position.key = history->keys[i];
        sy_rules_push_key(engine);
    }
    engine->position.key = key;
    engine->root_key = engine->key_count;
    sy_rules_push_key(engine);
}

/* Starts a line at the position. */
static void set_root(struct sy_engine *engine, const struct sy_position *position,
                     const struct sy_history *history)
{
    struct sy_frame *root = &engine->frames[0];
    engine->position = *position;
    sy_view_open(&engine->views[0], position, NULL);
    load_keys(engine, history);
    root->sum = sy_eval_sum_of(engine->eval, position);
    root->eval = SY_EVAL_UNKNOWN;
    root->since_pass = 0;
    root->key = sy_eval_key(engine->eval, position, &root->sum) ^ sy_rules_counter_key(engine, 0);
    engine->list_top = 0;
    engine->pv_length[0] = 0;
    engine->nodes = 0;
    engine->node_limit = engine->last_node = UINT64_MAX;
    engine->stopped = false;
    engine->iteration = 0;
}

/* Histories of the last search are a guess for this one: worth half. */
static void age_histories(struct sy_engine *engine)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned type = 0; type < engine->variant->types; type++)
            for (unsigned cell = 0; cell < engine->variant->cells; cell++)
                engine->history[side][type][cell] /= 2;
    for (unsigned ply = 0; ply <= SY_MAX_PLY; ply++)
        engine->frames[ply].killer[0] = engine->frames[ply].killer[1] = SY_NO_MOVE;
}

static void list_root_moves(struct sy_engine *engine)
{
    const struct sy_tt_entry *entry = sy_tt_find(&engine->tt, engine->frames[0].key);
    const sy_move hash =
        entry ? sy_eval_relative(engine->eval, engine->position.to_move, entry->move) : SY_NO_MOVE;
    struct sy_picker picker;
    engine->root_count = 0;
    sy_picker_begin(&picker, engine, 0, hash, SY_ALL_MOVES);
    for (sy_move move; (move = sy_picker_next(&picker, engine)) != SY_NO_MOVE;)
        engine->root_moves[engine->root_count++] = move;
    sy_picker_end(&picker, engine);
}

static void move_to_front(struct sy_engine *engine, unsigned index)
{
    const sy_move move = engine->root_moves[index];
    memmove(engine->root_moves + 1, engine->root_moves, index * sizeof move);
    engine->root_moves[0] = move;
}

static void extend_root_line(struct sy_engine *engine, sy_move move)
{
    engine->pv[0][0] = move;
    memcpy(engine->pv[0] + 1, engine->pv[1], engine->pv_length[1] * sizeof move);
    engine->pv_length[0] = engine->pv_length[1] + 1;
}

static int root_reduction(const struct sy_engine *engine, unsigned index, int depth, bool unreduced)
{
    const sy_move move = engine->root_moves[index];
    if (unreduced || depth < 3 || index < 3 || sy_move_victim(&engine->position, move) != SY_NO_PIECE ||
        sy_move_kind(move) == SY_MOVE_PROMOTION)
        return 0;
    const int reduction = sy_tree_reduction(engine, depth, index) - 1;
    return reduction < 0 ? 0 : reduction > depth - 2 ? depth - 2 : reduction;
}

static int root_move_score(struct sy_engine *engine, unsigned index, int depth, int alpha, int beta,
                           bool unreduced)
{
    const int reduction = root_reduction(engine, index, depth, unreduced);
    int score = 0;
    sy_tree_play(engine, 0, engine->root_moves[index]);
    if (index > 0) {
        score = -sy_tree_visit(engine, 1, depth - 1 - reduction, -alpha - 1, -alpha, true);
        if (score > alpha && reduction > 0 && !engine->stopped)
            score = -sy_tree_visit(engine, 1, depth - 1, -alpha - 1, -alpha, true);
    }
    if (!engine->stopped && (index == 0 || (score > alpha && score < beta)))
        score = -sy_tree_visit(engine, 1, depth - 1, -beta, -alpha, true);
    sy_tree_unplay(engine, 0);
    return score;
}

/* One iteration within a window. The first root move is always the best so far; the line in pv[0] is that
 * of the last move which raised alpha. */
static int search_root(struct sy_engine *engine, int depth, int alpha, int beta)
{
    const bool unreduced = sy_rules_in_danger(engine, 0) || sy_tree_is_decided(engine, 0, alpha);
    const int first_alpha = alpha;
    int best = -SY_INFINITE;
    for (unsigned i = 0; i < engine->root_count; i++) {
        if (sy_search_out_of_nodes(engine))
            return best;
        const sy_move move = engine->root_moves[i];
        const int score = root_move_score(engine, i, depth, alpha, beta, unreduced);
        if (engine->stopped)
            return best;
        if (score <= best)
            continue;
        best = score;
        if (score > alpha) {
            alpha = score;
            extend_root_line(engine, move);
            move_to_front(engine, i);
            if (score >= beta)
                break;
        }
    }
    const enum sy_bound bound = best >= beta         ? SY_BOUND_LOWER
                                : best > first_alpha ? SY_BOUND_EXACT
                                                     : SY_BOUND_UPPER;
    sy_tt_store(&engine->tt, engine->frames[0].key,
                sy_eval_relative(engine->eval, engine->position.to_move, engine->root_moves[0]), best,
                SY_EVAL_UNKNOWN, depth, bound);
    return best;
}

/* ---- onlookers ---- */

void sy_engine_watch(struct sy_engine *engine, const struct sy_watch *watch)
{
    engine->watch = watch ? *watch : (struct sy_watch){NULL, NULL, NULL};
}

static void set_node_limit(struct sy_engine *engine)
{
    const uint64_t left = engine->last_node - engine->nodes;
    engine->node_limit = engine->watch.stop && left > LOOK_UP ? engine->nodes + LOOK_UP : engine->last_node;
}

bool sy_search_must_end(struct sy_engine *engine)
{
    if (engine->nodes >= engine->last_node || engine->watch.stop(engine->watch.context))
        return true;
    set_node_limit(engine);
    return false;
}

static bool goes_on_after(struct sy_engine *engine, struct sy_search_result *result)
{
    result->nodes = engine->nodes;
    return !engine->watch.iteration || engine->watch.iteration(engine->watch.context, result);
}

/* ---- iterations ---- */

static int moves_to_mate(int score)
{
    if (score >= SY_WIN_SEEN)
        return (SY_WIN - score + 1) / 2;
    if (score <= -SY_WIN_SEEN)
        return -((SY_WIN + score + 1) / 2);
    return 0;
}

/* A win in n plies is 1000 pawns less n tenths of one. */
static double pawns(int score)
{
    if (score >= SY_WIN_SEEN)
        return 1000 - (SY_WIN - score) / 10.0;
    if (score <= -SY_WIN_SEEN)
        return -1000 + (SY_WIN + score) / 10.0;
    return score / (double)SY_PAWN;
}

static void note_score(int score, struct sy_search_result *result)
{
    result->score = pawns(score);
    result->mate = moves_to_mate(score);
}

static void note_line(const struct sy_engine *engine, struct sy_search_result *result)
{
    result->best = engine->pv[0][0];
    result->pv_length = engine->pv_length[0];
    memcpy(result->pv, engine->pv[0], engine->pv_length[0] * sizeof result->pv[0]);
}

/* Widens the window round the last score until the score is inside. When stopped, what is better than the
 * last iteration's move is taken over, and nothing else. */
static int search_iteration(struct sy_engine *engine, int depth, int last, struct sy_search_result *result)
{
    int width = engine->set.aspiration;
    const bool narrow = depth >= FIRST_ASPIRATION && last > -SY_WIN_SEEN && last < SY_WIN_SEEN;
    int alpha = narrow ? last - width : -SY_INFINITE, beta = narrow ? last + width : SY_INFINITE;
    for (;;) {
        engine->pv_length[0] = 0;
        const int score = search_root(engine, depth, alpha, beta);
        const bool raised = engine->pv_length[0] > 0;
        if (raised && score > -SY_INFINITE) {
            note_line(engine, result);
            note_score(score, result);
        }
        if (engine->stopped || (score > alpha && score < beta))
            return score;
        width = width > SY_INFINITE / 4 ? SY_INFINITE : width * 4;
        if (score <= alpha)
            alpha = score - width < -SY_INFINITE ? -SY_INFINITE : score - width;
        else
            beta = score + width > SY_INFINITE ? SY_INFINITE : score + width;
    }
}

static void iterate(struct sy_engine *engine, unsigned most, struct sy_search_result *result)
{
    int score = 0;
    for (unsigned depth = 1; depth <= most; depth++) {
        engine->iteration = depth;
        const int found = search_iteration(engine, (int)depth, score, result);
        if (engine->stopped)
            return;
        score = found;
        result->depth = depth;
        if (!goes_on_after(engine, result))
            return;
        /* A shorter win or a longer defence would have been found by now. */
        if (result->mate != 0 && SY_WIN - abs(score) <= (int)depth)
            return;
    }
}

static int evaluate_root(struct sy_engine *engine)
{
    bool whole;
    return sy_evaluate(engine->eval, &engine->position, &engine->views[0], &engine->frames[0].sum,
                       engine->frames[0].key, -SY_INFINITE, SY_INFINITE, &whole);
}

/* What a root move leads to, by rules and static evaluation alone. */
static int score_at_once(struct sy_engine *engine, sy_move move)
{
    int score;
    bool whole;
    struct sy_frame *frame = &engine->frames[1];
    struct sy_view *view = &engine->views[1];
    sy_tree_play(engine, 0, move);
    if (!sy_rules_ended(engine, 1, &score)) {
        sy_view_open(view, &engine->position, sy_view_follows(move) ? &engine->views[0] : NULL);
        score = sy_view_count(view, &engine->position) == 0
                    ? sy_rules_no_move(engine, 1)
                    : sy_evaluate(engine->eval, &engine->position, view, &frame->sum, frame->key,
                                  -SY_INFINITE, SY_INFINITE, &whole);
    }
    sy_tree_unplay(engine, 0);
    return -score;
}

static void take_greedily(struct sy_engine *engine, struct sy_search_result *result)
{
    int best = -SY_INFINITE;
    for (unsigned i = 0; i < engine->root_count; i++) {
        const int score = score_at_once(engine, engine->root_moves[i]);
        if (score > best) {
            best = score;
            result->best = result->pv[0] = engine->root_moves[i];
        }
    }
    note_score(best, result);
    result->pv_length = result->depth = 1;
    result->nodes = engine->nodes;
}

void sy_engine_search(struct sy_engine *engine, const struct sy_position *position,
                      const struct sy_history *history, const struct sy_limits *limits,
                      struct sy_search_result *result)
{
    memset(result, 0, sizeof *result);
    set_root(engine, position, history);
    engine->use_table = true;
    engine->last_node = limits->nodes ? limits->nodes : UINT64_MAX;
    set_node_limit(engine);
    sy_tt_next_search(&engine->tt);
    age_histories(engine);
    list_root_moves(engine);
    if (engine->root_count == 0) {
        note_score(sy_rules_no_move(engine, 0), result);
        return;
    }
    if (limits->greedy) {
        take_greedily(engine, result);
        return;
    }
    result->best = result->pv[0] = engine->root_moves[0];
    result->pv_length = 1;
    note_score(evaluate_root(engine), result);
    const unsigned deepest = SY_MAX_PLY - 1;
    iterate(engine, limits->depth > 0 && limits->depth < deepest ? limits->depth : deepest, result);
    result->nodes = engine->nodes;
}

double sy_engine_evaluate(struct sy_engine *engine, const struct sy_position *position)
{
    set_root(engine, position, NULL);
    return pawns(evaluate_root(engine));
}

double sy_engine_quiescence(struct sy_engine *engine, const struct sy_position *position)
{
    set_root(engine, position, NULL);
    engine->use_table = false;
    return pawns(sy_tree_quiesce(engine, 0, 0, -SY_INFINITE, SY_INFINITE, sy_rules_in_danger(engine, 0)));
}
