/* What is counted rather than fitted: how many games, how they ended and for whom, how long they were.
 *
 * Games cut off by the length cap have no result: they are in the counts, the lengths and the reasons, and
 * nowhere else. Void games are counted, and that is all. Means have errors that are robust to the pairs;
 * shares have Wilson's (1927) interval. */
#include "summary_internal.h"

#include "steelyard/player.h"
#include "steelyard/simulate.h"

#include <stdlib.h>
#include <string.h>

enum { NO_RESULT = SY_SCORE_CATEGORIES, OUTCOMES = SY_SCORE_CATEGORIES + 1, MOST_BINS = 40 };

/* Shares from which a warning is due. */
#define MANY_UNFINISHED 0.01
#define MANY_ADJUDICATED 0.1
#define FEW_DISTINCT 0.95

struct reason_count {
    const char *reason;
    size_t games, by_score[OUTCOMES];
};

static struct sy_json *number_or_null(bool known, double number)
{
    return known ? sy_json_new_number(number) : sy_json_new_null();
}

static int outcome_of(const struct sy_game_record *game)
{
    return game->finished ? sy_score_category(game->result) : NO_RESULT;
}

static size_t count_finished(const struct sy_arm_games *games)
{
    size_t finished = 0;
    for (size_t i = 0; i < games->count; i++) {
        finished += games->games[i].finished;
    }
    return finished;
}

/* Mean of value[] over `count` games, finished ones only or all. */
struct sample {
    double *value;
    int64_t *pair;
    size_t count;
};

static struct sample sample_create(const struct sy_arm_games *games, bool finished_only,
                                   double (*value)(const struct sy_game_record *))
{
    struct sample sample = {sy_alloc(games->count, sizeof(double)), sy_alloc(games->count, sizeof(int64_t)),
                            0};
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        if (game->finished || !finished_only) {
            sample.value[sample.count] = value(game);
            sample.pair[sample.count] = (int64_t)game->pair;
            sample.count++;
        }
    }
    return sample;
}

static void sample_clear(struct sample *sample)
{
    free(sample->value);
    free(sample->pair);
}

static struct sy_estimate mean_of(const struct sy_arm_games *games, bool finished_only,
                                  double (*value)(const struct sy_game_record *))
{
    struct sample sample = sample_create(games, finished_only, value);
    const struct sy_estimate mean =
        sy_mean(sample.count, sample.value, NULL, sample.pair, games->experiment->fit.confidence);
    sample_clear(&sample);
    return mean;
}

static double result_of(const struct sy_game_record *game)
{
    return game->result;
}

static double plies_of(const struct sy_game_record *game)
{
    return game->plies;
}

static double legal_of(const struct sy_game_record *game)
{
    return game->legal;
}

static double nodes_of(const struct sy_game_record *game)
{
    return (double)game->nodes;
}

static struct sy_json *count_json(const struct sy_arm_games *games, size_t finished)
{
    struct sy_json *json = sy_json_new_object();
    struct sy_json *left_out = sy_json_new_object();
    sy_json_add_int(json, "wanted", (int64_t)games->experiment->games_per_arm);
    sy_json_add_int(json, "played", (int64_t)(games->count + games->voids->games));
    sy_json_add_int(json, "finished", (int64_t)finished);
    sy_json_add_int(left_out, SY_REASON_UNFINISHED, (int64_t)(games->count - finished));
    if (games->arm->player != NULL) {
        sy_json_add_int(left_out, SY_REASON_VOID, (int64_t)games->voids->games);
    }
    sy_json_add(json, "left_out", left_out);
    return json;
}

/* White's score over all finished games, whatever they started from, and how many had a winner. */
static struct sy_json *white_json(const struct sy_arm_games *games, size_t finished)
{
    const struct sy_estimate score = mean_of(games, true, result_of);
    size_t decisive = 0;
    for (size_t i = 0; i < games->count; i++) {
        const int outcome = outcome_of(&games->games[i]);
        decisive += outcome == 0 || outcome == SY_SCORE_CATEGORIES - 1;
    }
    struct sy_json *json = sy_json_new_object();
    sy_json_add_int(json, "games", (int64_t)finished);
    sy_json_add(json, "score", sy_estimate_json(score));
    sy_json_add(json, "elo", sy_estimate_json(sy_elo_estimate(score)));
    sy_json_add(
        json, "decisive",
        sy_estimate_json(sy_wilson((double)decisive, (double)finished, games->experiment->fit.confidence)));
    return json;
}

static int compare_reasons(const void *a, const void *b)
{
    const struct reason_count *left = a;
    const struct reason_count *right = b;
    if (left->games != right->games) {
        return left->games > right->games ? -1 : 1;
    }
    return strcmp(left->reason, right->reason);
}

/* The commonest first. */
static struct reason_count *count_reasons(const struct sy_arm_games *games, size_t *count)
{
    struct reason_count *reasons = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        size_t at = 0;
        while (at < *count && strcmp(reasons[at].reason, game->reason) != 0) {
            at++;
        }
        if (at == *count) {
            reasons = sy_grow(reasons, &capacity, *count + 1, sizeof *reasons);
            reasons[(*count)++] = (struct reason_count){.reason = game->reason};
        }
        reasons[at].games++;
        reasons[at].by_score[outcome_of(game)]++;
    }
    if (*count > 0) {
        qsort(reasons, *count, sizeof *reasons, compare_reasons);
    }
    return reasons;
}

static struct sy_json *reasons_json(const struct sy_arm_games *games)
{
    size_t count = 0;
    struct reason_count *reasons = count_reasons(games, &count);
    struct sy_json *list = sy_json_new_array();
    for (size_t i = 0; i < count; i++) {
        struct sy_json *entry = sy_json_new_object();
        struct sy_json *by_score = sy_json_new_array();
        for (int outcome = 0; outcome < OUTCOMES; outcome++) {
            sy_json_append(by_score, sy_json_new_int((int64_t)reasons[i].by_score[outcome]));
        }
        sy_json_add_string(entry, "reason", reasons[i].reason);
        sy_json_add_int(entry, "games", (int64_t)reasons[i].games);
        sy_json_add(entry, "share",
                    sy_estimate_json(sy_wilson((double)reasons[i].games, (double)games->count,
                                               games->experiment->fit.confidence)));
        sy_json_add(entry, "by_score", by_score);
        sy_json_append(list, entry);
    }
    free(reasons);
    return list;
}

static struct sy_json *scores_json(const struct sy_arm_games *games, size_t finished)
{
    size_t count[OUTCOMES] = {0};
    for (size_t i = 0; i < games->count; i++) {
        count[outcome_of(&games->games[i])]++;
    }
    struct sy_json *list = sy_json_new_array();
    for (int k = 0; k < SY_SCORE_CATEGORIES; k++) {
        struct sy_json *entry = sy_json_new_object();
        sy_json_add_number(entry, "score", sy_category_score[k]);
        sy_json_add_int(entry, "games", (int64_t)count[k]);
        sy_json_add(entry, "share",
                    sy_estimate_json(
                        sy_wilson((double)count[k], (double)finished, games->experiment->fit.confidence)));
        sy_json_append(list, entry);
    }
    return list;
}

/* The smallest of 1, 2, 5, 10, 20, ... that needs at most MOST_BINS bins. */
static size_t bin_width(double longest)
{
    static const size_t step[] = {1, 2, 5};
    size_t width = 1;
    for (size_t i = 1, power = 1; longest / (double)width >= MOST_BINS; i++) {
        power *= i % 3 == 0 ? 10 : 1;
        width = power * step[i % 3];
    }
    return width;
}

/* Bin i holds lengths from i * width up to, not including, (i + 1) * width. */
static struct sy_json *histogram_json(size_t count, const double *ascending)
{
    const size_t width = bin_width(count > 0 ? ascending[count - 1] : 0.0);
    size_t bins[MOST_BINS] = {0};
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t bin = (size_t)ascending[i] / width;
        bins[bin]++;
        used = bin + 1;
    }
    struct sy_json *json = sy_json_new_object();
    struct sy_json *list = sy_json_new_array();
    for (size_t i = 0; i < used; i++) {
        sy_json_append(list, sy_json_new_int((int64_t)bins[i]));
    }
    sy_json_add_int(json, "width", (int64_t)width);
    sy_json_add(json, "games", list);
    return json;
}

static struct sy_json *length_json(const struct sy_arm_games *games)
{
    static const struct {
        const char *name;
        double p;
    } quantiles[] = {{"shortest", 0.0}, {"5 %", 0.05},  {"25 %", 0.25},  {"median", 0.5},
                     {"75 %", 0.75},    {"95 %", 0.95}, {"longest", 1.0}};
    struct sample sample = sample_create(games, false, plies_of);
    struct sy_json *json = sy_json_new_object();
    sy_json_add(json, "mean",
                sy_estimate_json(sy_mean(sample.count, sample.value, NULL, sample.pair,
                                         games->experiment->fit.confidence)));
    sy_sort_doubles(sample.count, sample.value);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        const double quantile =
            sample.count > 0 ? sy_quantile_sorted(sample.count, sample.value, quantiles[i].p) : 0.0;
        sy_json_add(json, quantiles[i].name, number_or_null(sample.count > 0, quantile));
    }
    sy_json_add(json, "histogram", histogram_json(sample.count, sample.value));
    sample_clear(&sample);
    return json;
}

static int compare_games(const void *a, const void *b)
{
    const struct sy_game_record *left = *(const struct sy_game_record *const *)a;
    const struct sy_game_record *right = *(const struct sy_game_record *const *)b;
    if (left->plies != right->plies) {
        return left->plies < right->plies ? -1 : 1;
    }
    const int starts = strcmp(left->start, right->start);
    if (starts != 0 || left->plies == 0) {
        return starts;
    }
    return memcmp(left->moves, right->moves, left->plies * sizeof *left->moves);
}

/* Games that differ in start or moves from all before them. */
static size_t count_distinct(const struct sy_arm_games *games)
{
    if (games->count == 0) {
        return 0;
    }
    const struct sy_game_record **order = sy_alloc(games->count, sizeof *order);
    for (size_t i = 0; i < games->count; i++) {
        order[i] = &games->games[i];
    }
    qsort(order, games->count, sizeof *order, compare_games);
    size_t distinct = 1;
    for (size_t i = 1; i < games->count; i++) {
        distinct += compare_games(&order[i - 1], &order[i]) != 0;
    }
    free(order);
    return distinct;
}

static struct sy_json *distinct_json(size_t distinct, size_t count)
{
    struct sy_json *json = sy_json_new_object();
    sy_json_add_int(json, "games", (int64_t)distinct);
    sy_json_add(json, "share", number_or_null(count > 0, (double)distinct / (double)(count ? count : 1)));
    return json;
}

static struct sy_json *nodes_json(const struct sy_arm_games *games)
{
    double nodes = 0.0;
    double searched = 0.0;
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        nodes += (double)game->nodes;
        searched += game->plies - (game->opening < game->plies ? game->opening : game->plies);
    }
    struct sy_json *json = sy_json_new_object();
    sy_json_add(json, "per_game", sy_estimate_json(mean_of(games, false, nodes_of)));
    sy_json_add(json, "per_move", number_or_null(searched > 0.0, searched > 0.0 ? nodes / searched : 0.0));
    return json;
}

static void warn_of_program(const struct sy_arm_games *games, struct sy_json *warnings)
{
    const struct sy_voids *voids = games->voids;
    sy_warn(games, warnings,
            "%s, another program, played: its moves are legal, but whether it would choose them again is not "
            "known",
            games->arm->player->name);
    if (voids->games > 0) {
        sy_warn(games, warnings, "%zu of %zu games are void and left out; the first, game %llu: %s",
                voids->games, games->count + voids->games, (unsigned long long)voids->first, voids->fault);
    }
}

static void add_warnings(const struct sy_arm_games *games, size_t finished, size_t distinct,
                         struct sy_json *warnings)
{
    const double count = (double)games->count;
    const size_t played = games->count + games->voids->games;
    const size_t unfinished = games->count - finished;
    size_t adjudicated = 0;
    for (size_t i = 0; i < games->count; i++) {
        adjudicated += strcmp(games->games[i].reason, SY_REASON_ADJUDICATED) == 0;
    }
    const bool simulated = games->count > 0 && strcmp(games->games[0].reason, SY_REASON_SIMULATED) == 0;
    if (games->arm->player != NULL && !simulated) {
        warn_of_program(games, warnings);
    }
    if (played < games->experiment->games_per_arm) {
        sy_warn(games, warnings, "%zu of the %llu games that were wanted are there", played,
                (unsigned long long)games->experiment->games_per_arm);
    }
    if (unfinished > 0 && games->experiment->design == SY_DESIGN_POSITIONS) {
        sy_warn(games, warnings, "%zu of %zu games have no result and are left out of the fit", unfinished,
                games->count);
    } else if (unfinished > 0 && (double)unfinished >= MANY_UNFINISHED * count) {
        sy_warn(games, warnings, "%zu of %zu games were cut off at %u plies and are left out of the fit",
                unfinished, games->count, games->experiment->adjudicate.plies);
    }
    if (adjudicated > 0 && (double)adjudicated >= MANY_ADJUDICATED * count) {
        sy_warn(games, warnings, "%zu of %zu games were ended by their score, not played out", adjudicated,
                games->count);
    }
    if (!simulated && (double)distinct < FEW_DISTINCT * count) {
        sy_warn(games, warnings, "only %zu of %zu games differ: intervals are too narrow", distinct,
                games->count);
    }
}

void sy_games_json(const struct sy_arm_games *games, struct sy_json *arm, struct sy_json *warnings)
{
    const size_t finished = count_finished(games);
    const size_t distinct = count_distinct(games);
    struct sy_json *outcomes = sy_json_new_object();
    sy_json_add(arm, "games", count_json(games, finished));
    sy_json_add(arm, "white", white_json(games, finished));
    sy_json_add(outcomes, "reasons", reasons_json(games));
    sy_json_add(outcomes, "scores", scores_json(games, finished));
    sy_json_add(arm, "outcomes", outcomes);
    sy_json_add(arm, "length", length_json(games));
    sy_json_add(arm, "branching", sy_estimate_json(mean_of(games, false, legal_of)));
    sy_json_add(arm, "distinct", distinct_json(distinct, games->count));
    sy_json_add(arm, "nodes", nodes_json(games));
    add_warnings(games, finished, distinct, warnings);
}
