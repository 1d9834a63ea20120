/* coverage: a simulation study of the intervals.
 *
 * A pool of pairs of starts is drawn by the design once; every simulated experiment draws its pairs from the
 * pool, with replacement, and its results from the truth. With several positions a game, the result comes
 * first in effect: a position is kept with the probability that it leads to the game's result, so that each
 * row by itself obeys the score model exactly while the rows of a game hang together through their result and
 * through positions that persist. That is what clustered errors are for: errors by row would be far too
 * small.
 *
 * Where the truth breaks the score model, the fit estimates the values that the model would have on endless
 * data; they are taken from one large simulated experiment, and coverage is of them. Their distance from what
 * was planted is reported beside it. */
#include "steelyard/coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PURPOSE_COVERAGE = 0x636f7665,
    CATEGORIES = 5,
    LARGE = 400000,  /* games from which the limit of a wrong model is taken */
    PERSISTENCE = 70 /* percent of positions that are the one before */
};
static const double category_score[CATEGORIES] = {0, 0.25, 0.5, 0.75, 1};
static const double rare_share = 0.02;

/* ---- starts ---- */

struct pool {
    const struct sy_arm *arm;
    size_t columns, pairs;
    unsigned material[SY_MAX_TYPES]; /* columns */
    struct sy_material_count *first; /* pairs: the first game's start; the second has the armies exchanged */
    size_t rare;                     /* column */
    size_t *with, *without;          /* pairs in which that column differs, and in which not */
    size_t with_count, without_count;
};

static double column_of(const struct pool *pool, const struct sy_material_count *start, size_t column)
{
    const unsigned material = pool->material[column];
    return start->count[SY_WHITE][material] - start->count[SY_BLACK][material];
}

static void sort_out(struct pool *pool)
{
    size_t fewest = SIZE_MAX;
    for (size_t column = 0; column < pool->columns; column++) {
        size_t count = 0;
        for (size_t i = 0; i < pool->pairs; i++) {
            const double x = column_of(pool, &pool->first[i], column);
            count += x < 0 || x > 0;
        }
        if (count < fewest) {
            fewest = count;
            pool->rare = column;
        }
    }
    for (size_t i = 0; i < pool->pairs; i++) {
        const double x = column_of(pool, &pool->first[i], pool->rare);
        if (x < 0 || x > 0)
            pool->with[pool->with_count++] = i;
        else
            pool->without[pool->without_count++] = i;
    }
}

static void pool_clear(struct pool *pool)
{
    free(pool->first);
    free(pool->with);
    free(pool->without);
}

/* Always leaves *pool to be cleared. */
static enum sy_status pool_init(const struct sy_experiment *experiment, size_t pairs, struct pool *pool,
                                struct sy_error *error)
{
    const struct sy_arm *arm = &experiment->arms[0];
    const size_t there = (size_t)(experiment->games_per_arm / 2);
    *pool = (struct pool){.arm = arm, .pairs = pairs < there ? pairs : there};
    pool->first = sy_alloc(pool->pairs + 1, sizeof *pool->first);
    pool->with = sy_alloc(pool->pairs + 1, sizeof *pool->with);
    pool->without = sy_alloc(pool->pairs + 1, sizeof *pool->without);
    for (unsigned i = 0; i < arm->variant->materials; i++)
        if (arm->kinds >> i & 1U)
            pool->material[pool->columns++] = i;
    enum sy_status status = SY_OK;
    for (size_t i = 0; status == SY_OK && i < pool->pairs; i++) {
        struct sy_game_start start;
        status = sy_game_draw(experiment, 2 * i, &start, error);
        if (status == SY_OK)
            pool->first[i] = sy_count_material(&start.position);
        sy_game_start_clear(&start);
    }
    if (status == SY_OK)
        sort_out(pool);
    return status;
}

/* The pair's first start, or its second: the armies exchanged. */
static struct sy_material_count start_of(const struct pool *pool, size_t pair, bool swapped)
{
    struct sy_material_count start = pool->first[pair];
    if (swapped) {
        const struct sy_material_count first = start;
        memcpy(start.count[SY_WHITE], first.count[SY_BLACK], sizeof start.count[SY_WHITE]);
        memcpy(start.count[SY_BLACK], first.count[SY_WHITE], sizeof start.count[SY_BLACK]);
    }
    return start;
}

static size_t draw_pair(const struct pool *pool, bool rare, struct sy_random *random)
{
    if (!rare || pool->with_count == 0 || pool->without_count == 0)
        return (size_t)sy_random_below(random, pool->pairs);
    return sy_random_unit(random) < rare_share ? pool->with[sy_random_below(random, pool->with_count)]
                                               : pool->without[sy_random_below(random, pool->without_count)];
}

/* ---- one simulated experiment ---- */

struct scenario {
    const struct pool *pool;
    struct sy_truth truth;
    unsigned games, positions;
    bool rare;
    uint64_t key; /* of its random streams */
};

struct sample {
    size_t rows;
    double *x, *weight;
    int *outcome;
    int64_t *cluster;
};

static void sample_init(struct sample *sample, const struct pool *pool, size_t games, unsigned positions)
{
    const size_t most = games * positions;
    *sample = (struct sample){0, sy_alloc(most * pool->columns + 1, sizeof(double)),
                              sy_alloc(most + 1, sizeof(double)), sy_alloc(most + 1, sizeof(int)),
                              sy_alloc(most + 1, sizeof(int64_t))};
}

static void sample_clear(struct sample *sample)
{
    free(sample->x);
    free(sample->weight);
    free(sample->outcome);
    free(sample->cluster);
}

static void add_row(const struct scenario *scenario, struct sample *sample,
                    const struct sy_material_count *start, double result, int64_t pair)
{
    const struct pool *pool = scenario->pool;
    for (size_t column = 0; column < pool->columns; column++)
        sample->x[sample->rows * pool->columns + column] = column_of(pool, start, column);
    sample->weight[sample->rows] = 1.0 / scenario->positions;
    sample->outcome[sample->rows] = (int)lround(4 * result);
    sample->cluster[sample->rows++] = pair;
}

/* A start that led to the result: drawn until one does. */
static struct sy_material_count start_with(const struct scenario *scenario, double result,
                                           struct sy_random *random)
{
    for (;;) {
        const size_t pair = draw_pair(scenario->pool, scenario->rare, random);
        const bool swapped = sy_random_below(random, 2) == 1;
        const struct sy_material_count start = start_of(scenario->pool, pair, swapped);
        const double drawn = sy_truth_draw(&scenario->truth, &start, random);
        if (!(drawn < result || drawn > result))
            return start;
    }
}

static void add_game(const struct scenario *scenario, struct sample *sample, struct sy_material_count start,
                     int64_t pair, struct sy_random *random)
{
    const double result = sy_truth_draw(&scenario->truth, &start, random);
    add_row(scenario, sample, &start, result, pair);
    for (unsigned i = 1; i < scenario->positions; i++) {
        if (sy_random_below(random, 100) >= PERSISTENCE)
            start = start_with(scenario, result, random);
        add_row(scenario, sample, &start, result, pair);
    }
}

static void fill(const struct scenario *scenario, size_t games, uint64_t number, struct sample *sample)
{
    struct sy_random random = sy_random_stream(scenario->key, number, PURPOSE_COVERAGE);
    sample->rows = 0;
    for (size_t pair = 0; pair < games / 2; pair++) {
        const size_t index = draw_pair(scenario->pool, scenario->rare, &random);
        for (int second = 0; second < 2; second++)
            add_game(scenario, sample, start_of(scenario->pool, index, second == 1), (int64_t)pair, &random);
    }
}

static struct sy_ordinal_data data_of(const struct scenario *scenario, const struct sample *sample)
{
    return (struct sy_ordinal_data){.rows = sample->rows,
                                    .columns = scenario->pool->columns,
                                    .categories = CATEGORIES,
                                    .x = sample->x,
                                    .outcome = sample->outcome,
                                    .weight = sample->weight,
                                    .cluster = sample->cluster};
}

/* ---- counting ---- */

struct tally {
    unsigned covered, given;
    double width; /* sum of half widths */
};

/* By piece, and for White; what is held against what. */
struct counts {
    struct tally logit[SY_MAX_TYPES], fieller[SY_MAX_TYPES], bootstrap[SY_MAX_TYPES], white;
    struct tally verdict; /* covered: not rejected */
    double logit_target[SY_MAX_TYPES], white_target;
    size_t unit;
};

static void count(struct tally *tally, struct sy_estimate estimate, double target)
{
    if (estimate.status != SY_STAT_OK)
        return;
    tally->given++;
    tally->covered += estimate.low <= target && target <= estimate.high;
    tally->width += (estimate.high - estimate.low) / 2;
}

/* The joint test of the target's own values, scale free: it should reject one time in twenty. */
static void count_verdict(const struct sy_ordinal_fit *fit, struct counts *counts, double level)
{
    double covariance[SY_MAX_TYPES * SY_MAX_TYPES];
    struct sy_estimate scale;
    for (size_t i = 0; i < fit->columns; i++) {
        if (fit->column_status[i] != SY_STAT_OK)
            return;
        for (size_t j = 0; j < fit->columns; j++)
            covariance[i * fit->columns + j] =
                fit->sandwich[(fit->levels - 1 + i) * fit->parameters + fit->levels - 1 + j];
    }
    const struct sy_chi_square test = sy_proportional_test(fit->columns, fit->beta, covariance,
                                                           counts->logit_target, level, &scale, NULL, NULL);
    if (test.status == SY_STAT_OK) {
        counts->verdict.given++;
        counts->verdict.covered += sy_wald_p(test.statistic, test.freedom, fit->clusters) >= 1 - level;
    }
}

static void count_fit(const struct scenario *scenario, const struct sample *sample,
                      const struct sy_coverage_options *options, uint64_t number, struct counts *counts)
{
    const struct sy_ordinal_data data = data_of(scenario, sample);
    struct sy_ordinal_fit fit;
    struct sy_bootstrap bootstrap;
    const enum sy_stat status = sy_ordinal_fit(&data, NULL, &fit);
    if (status == SY_STAT_OK && options->bootstrap > 0)
        (void)sy_ordinal_bootstrap(&data, NULL, &fit, category_score, sy_mix64(scenario->key + number), 0,
                                   options->bootstrap, &bootstrap);
    for (size_t j = 0; status == SY_STAT_OK && j < scenario->pool->columns; j++) {
        const double ratio = counts->logit_target[j] / counts->logit_target[counts->unit];
        count(&counts->logit[j], sy_ordinal_beta(&fit, j, options->level), counts->logit_target[j]);
        if (j == counts->unit)
            continue;
        count(&counts->fieller[j], sy_ratio_fieller_columns(&fit, j, counts->unit, options->level), ratio);
        if (options->bootstrap > 0)
            count(&counts->bootstrap[j],
                  sy_ratio_bootstrap_columns(&fit, &bootstrap, j, counts->unit, SY_BCA, options->level),
                  ratio);
    }
    if (status == SY_STAT_OK) {
        count(&counts->white, sy_ordinal_score(&fit, category_score, NULL, options->level),
              counts->white_target);
        count_verdict(&fit, counts, options->level);
        if (options->bootstrap > 0)
            sy_bootstrap_clear(&bootstrap);
    }
    sy_ordinal_clear(&fit);
}

/* What the fit tends to: the planted values, or, for a wrong model, those of one large experiment. */
static bool find_targets(const struct scenario *scenario, struct counts *counts)
{
    const struct pool *pool = scenario->pool;
    const struct sy_material_count even = pool->first[0];
    struct sy_material_count equal = even;
    memcpy(equal.count[SY_BLACK], even.count[SY_WHITE], sizeof equal.count[SY_BLACK]);
    for (size_t j = 0; j < pool->columns; j++) {
        counts->logit_target[j] = scenario->truth.logit[pool->material[j]];
        if (pool->material[j] == pool->arm->unit_material)
            counts->unit = j;
    }
    counts->white_target = sy_truth_score(&scenario->truth, &equal);
    if (scenario->truth.model == SY_TRUTH_SCORE)
        return true;
    struct sample sample;
    struct sy_ordinal_fit fit;
    sample_init(&sample, pool, LARGE, 1);
    fill(scenario, LARGE, UINT64_MAX, &sample);
    const struct sy_ordinal_data data = data_of(scenario, &sample);
    const bool good = sy_ordinal_fit(&data, NULL, &fit) == SY_STAT_OK;
    for (size_t j = 0; good && j < pool->columns; j++)
        counts->logit_target[j] = fit.beta[j];
    if (good)
        counts->white_target = sy_ordinal_score(&fit, category_score, NULL, 0.95).value;
    sy_ordinal_clear(&fit);
    sample_clear(&sample);
    return good;
}

/* ---- the report ---- */

static void add_share(struct sy_json *json, const char *key, unsigned count, unsigned of)
{
    sy_json_add(json, key, of > 0 ? sy_json_new_number((double)count / of) : sy_json_new_null());
}

static struct sy_json *tally_json(const struct tally *tally, unsigned experiments)
{
    struct sy_json *json = sy_json_new_object();
    add_share(json, "coverage", tally->covered, tally->given);
    add_share(json, "given", tally->given, experiments);
    sy_json_add(json, "half_width",
                tally->given > 0 ? sy_json_new_number(tally->width / tally->given) : sy_json_new_null());
    return json;
}

static struct sy_json *piece_json(const struct scenario *scenario, const struct sy_coverage_options *options,
                                  const struct counts *counts, size_t column)
{
    const struct pool *pool = scenario->pool;
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "name", pool->arm->variant->material[pool->material[column]]);
    sy_json_add_number(json, "planted", scenario->truth.logit[pool->material[column]]);
    sy_json_add_number(json, "target", counts->logit_target[column]);
    sy_json_add(json, "logit", tally_json(&counts->logit[column], options->experiments));
    if (column != counts->unit) {
        sy_json_add(json, "fieller", tally_json(&counts->fieller[column], options->experiments));
        if (options->bootstrap > 0)
            sy_json_add(json, "bootstrap", tally_json(&counts->bootstrap[column], options->experiments));
    }
    return json;
}

static struct sy_json *row_json(const struct scenario *scenario, const struct sy_coverage_options *options,
                                const struct counts *counts)
{
    struct sy_json *json = sy_json_new_object(), *pieces = sy_json_new_array();
    sy_json_add_int(json, "games", scenario->games);
    sy_json_add_int(json, "positions", scenario->positions);
    sy_json_add_bool(json, "rare", scenario->rare);
    sy_json_add(json, "truth", sy_truth_json(scenario->pool->arm, &scenario->truth));
    for (size_t column = 0; column < scenario->pool->columns; column++)
        sy_json_append(pieces, piece_json(scenario, options, counts, column));
    sy_json_add(json, "pieces", pieces);
    sy_json_add(json, "white", tally_json(&counts->white, options->experiments));
    struct sy_json *verdict = sy_json_new_object();
    add_share(verdict, "rejected", counts->verdict.given - counts->verdict.covered, counts->verdict.given);
    add_share(verdict, "given", counts->verdict.given, options->experiments);
    sy_json_add(json, "verdict", verdict);
    return json;
}

static struct sy_json *run_scenario(const struct scenario *scenario,
                                    const struct sy_coverage_options *options)
{
    struct counts counts = {.unit = 0};
    struct sample sample;
    if (!find_targets(scenario, &counts))
        return NULL;
    sample_init(&sample, scenario->pool, scenario->games, scenario->positions);
    for (uint64_t i = 0; i < options->experiments; i++) {
        fill(scenario, scenario->games, i, &sample);
        count_fit(scenario, &sample, options, i, &counts);
    }
    sample_clear(&sample);
    return row_json(scenario, options, &counts);
}

/* ---- the study ---- */

struct study {
    const struct pool *pool;
    const struct sy_truth *truth;
    const struct sy_coverage_options *options;
    void (*progress)(const struct sy_json *row);
    struct sy_json *rows;
    uint64_t scenarios;
};

static void add_scenario(struct study *study, unsigned games, double draws, unsigned positions, bool rare,
                         enum sy_truth_model model)
{
    struct scenario scenario = {.pool = study->pool,
                                .truth = *study->truth,
                                .games = games,
                                .positions = positions,
                                .rare = rare,
                                .key = sy_mix64(study->options->seed + sy_mix64(++study->scenarios))};
    scenario.truth.draws = draws;
    scenario.truth.model = model;
    struct sy_json *row = run_scenario(&scenario, study->options);
    if (row == NULL)
        return;
    sy_json_append(study->rows, row);
    if (study->progress != NULL)
        study->progress(row);
}

static void add_grid(struct study *study)
{
    const struct sy_coverage_options *options = study->options;
    const double usual = options->draws[options->draws_count / 2];
    for (size_t p = 0; p < options->positions_count; p++)
        for (size_t d = 0; d < options->draws_count; d++)
            for (size_t g = 0; g < options->games_count; g++)
                add_scenario(study, options->games[g], options->draws[d], options->positions[p], false,
                             SY_TRUTH_SCORE);
    for (size_t g = 0; options->rare && g < options->games_count; g++)
        add_scenario(study, options->games[g], usual, 1, true, SY_TRUTH_SCORE);
    for (int model = SY_TRUTH_MORE_DRAWS; options->wrong && model <= SY_TRUTH_PAIRS; model++)
        for (size_t g = 0; g < options->games_count; g++)
            add_scenario(study, options->games[g], usual, 1, false, (enum sy_truth_model)model);
}

enum sy_status sy_coverage_study(const struct sy_experiment *experiment, const struct sy_truth *truth,
                                 const struct sy_coverage_options *options,
                                 void (*progress)(const struct sy_json *row), struct sy_json **study,
                                 struct sy_error *error)
{
    struct pool pool;
    if (experiment->design != SY_DESIGN_IMBALANCE)
        return sy_fail(error, SY_BAD_INPUT, "a coverage study needs an experiment of the imbalance design");
    enum sy_status status = pool_init(experiment, options->pool, &pool, error);
    if (status == SY_OK && pool.pairs < 100)
        status = sy_fail(error, SY_BAD_INPUT,
                         "the experiment has only %zu pairs of games: too few to draw from", pool.pairs);
    if (status == SY_OK) {
        struct study work = {&pool, truth, options, progress, sy_json_new_array(), 0};
        add_grid(&work);
        *study = sy_json_new_object();
        sy_json_add_string(*study, "format", "steelyard-coverage-1");
        sy_json_add_string(*study, "variant", experiment->arms[0].variant->name);
        sy_json_add_string(*study, "experiment_digest", experiment->digest);
        sy_json_add_u64(*study, "seed", options->seed);
        sy_json_add_int(*study, "experiments", options->experiments);
        sy_json_add_int(*study, "bootstrap", options->bootstrap);
        sy_json_add_number(*study, "confidence", options->level);
        sy_json_add(*study, "rows", work.rows);
    }
    pool_clear(&pool);
    return status;
}

/* ---- the table ---- */

/* Lowest, mean and highest of a member's coverage over the pieces. */
static void add_pieces(struct sy_text *out, const struct sy_json *pieces, const char *kind)
{
    double low = 1, high = 0, sum = 0, given = 0;
    unsigned pieces_counted = 0, all = 0;
    for (const struct sy_json *piece = sy_json_first(pieces); piece != NULL; piece = sy_json_next(piece)) {
        const struct sy_json *tally = sy_json_member(piece, kind);
        const double coverage = sy_json_number(sy_json_member(tally, "coverage"));
        if (tally == NULL)
            continue;
        all++;
        given += sy_json_number(sy_json_member(tally, "given"));
        if (isfinite(coverage)) {
            low = fmin(low, coverage);
            high = fmax(high, coverage);
            sum += coverage;
            pieces_counted++;
        }
    }
    if (pieces_counted == 0)
        sy_text_printf(out, "  %21s", "-");
    else
        sy_text_printf(out, "  %4.1f %4.1f %4.1f (%3.0f)", 100 * low, 100 * sum / pieces_counted, 100 * high,
                       100 * given / all);
}

char *sy_coverage_table(const struct sy_json *study)
{
    struct sy_text out = SY_TEXT_INIT;
    const double experiments = sy_json_number(sy_json_member(study, "experiments"));
    sy_text_printf(&out,
                   "Coverage of %g %% intervals in %.0f simulated experiments a row, in percent:\n"
                   "lowest, mean, highest over the pieces (and how often an interval was given)\n\n"
                   "%-7s %3s %5s %-10s  %-21s  %-21s  %-21s %5s %5s\n",
                   100 * sy_json_number(sy_json_member(study, "confidence")), experiments, "games", "pos",
                   "draws", "truth", "logits", "ratios, Fieller", "ratios, bootstrap", "White", "joint");
    const struct sy_json *rows = sy_json_member(study, "rows");
    for (const struct sy_json *row = sy_json_first(rows); row != NULL; row = sy_json_next(row)) {
        const struct sy_json *truth = sy_json_member(row, "truth"), *pieces = sy_json_member(row, "pieces");
        const char *model = sy_json_true(sy_json_member(row, "rare"))
                                ? "rare piece"
                                : sy_json_string(sy_json_member(truth, "model"));
        sy_text_printf(&out, "%-7.0f %3.0f %4.0f%% %-10s", sy_json_number(sy_json_member(row, "games")),
                       sy_json_number(sy_json_member(row, "positions")),
                       100 * sy_json_number(sy_json_member(truth, "draws")), model);
        add_pieces(&out, pieces, "logit");
        add_pieces(&out, pieces, "fieller");
        add_pieces(&out, pieces, "bootstrap");
        sy_text_printf(&out, " %5.1f %5.1f\n",
                       100 * sy_json_number(sy_json_member(sy_json_member(row, "white"), "coverage")),
                       100 * sy_json_number(sy_json_member(sy_json_member(row, "verdict"), "rejected")));
    }
    sy_text_puts(&out, "\njoint: how often the planted table itself is rejected, in percent\n");
    return out.bytes;
}
