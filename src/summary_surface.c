/* Which believed values win: a quadratic surface over the logarithms of the values that the players of the
 * `parameters` design drew, its top, and what the games can tell of it.
 *
 * A row is a finished game: q(White's u) - q(Black's u), u the logarithm of a drawn value over the middle of
 * its range. The fit is the score model (proportional odds), with errors by pair; least squares of White's
 * score on the same rows stands beside it, since where the top lies should not hang on the link. Tops are of
 * two kinds: all values free, and at the same mean of the logarithms, that is, in the best proportions.
 * `alone` is each value's best when the others are at the middle of their ranges (Fieller). */
#include "summary_internal.h"

#include "steelyard/stats_least.h"
#include "steelyard/stats_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An interval that exceeds the range that was drawn by this factor is none. */
#define FAR_BEYOND 10.0

enum { PURPOSE_TOPS = 0x746f7073 };

/* The values that are drawn, and how many games tell of them. */
struct drawn {
    size_t size;
    size_t column[SY_SURFACE_MOST]; /* of the main fit */
    size_t draw[SY_SURFACE_MOST];   /* of the arm */
    double middle[SY_SURFACE_MOST];
    bool all; /* is every piece's value drawn? */
    size_t rows, terms;
    double *x, *score;
    int *outcome;
    int64_t *cluster;
};

/* ---- rows ---- */

static void choose_draws(const struct sy_arm *arm, const struct sy_design_rows *rows, struct drawn *drawn)
{
    for (size_t column = 0; column < rows->columns; column++) {
        const char *material = arm->variant->material[rows->material[column]];
        for (size_t i = 0; i < arm->draw_count && drawn->size < SY_SURFACE_MOST; i++) {
            const struct sy_draw *draw = &arm->draws[i];
            if (strncmp(draw->name, "value.", 6) == 0 && strcmp(draw->name + 6, material) == 0 &&
                draw->low > 0.0) {
                drawn->column[drawn->size] = column;
                drawn->draw[drawn->size] = i;
                drawn->middle[drawn->size++] = sqrt(draw->low * draw->high);
            }
        }
    }
    drawn->all = drawn->size == rows->columns;
    drawn->terms = sy_surface_terms(drawn->size);
}

static void add_row(const struct sy_game_record *game, struct drawn *drawn)
{
    double u[2][SY_SURFACE_MOST];
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < drawn->size; i++) {
            u[side][i] = log(game->drawn[side][drawn->draw[i]] / drawn->middle[i]);
        }
    }
    sy_surface_row(drawn->size, u[SY_WHITE], u[SY_BLACK], drawn->x + drawn->rows * drawn->terms);
    drawn->score[drawn->rows] = game->result;
    drawn->outcome[drawn->rows] = sy_score_category(game->result);
    drawn->cluster[drawn->rows++] = (int64_t)game->pair;
}

static void collect(const struct sy_arm_games *games, const struct sy_design_rows *rows, struct drawn *drawn)
{
    memset(drawn, 0, sizeof *drawn);
    if (games->experiment->design == SY_DESIGN_PARAMETERS) {
        choose_draws(games->arm, rows, drawn);
    }
    drawn->x = sy_alloc(games->count * drawn->terms + 1, sizeof *drawn->x);
    drawn->score = sy_alloc(games->count + 1, sizeof *drawn->score);
    drawn->outcome = sy_alloc(games->count + 1, sizeof *drawn->outcome);
    drawn->cluster = sy_alloc(games->count + 1, sizeof *drawn->cluster);
    for (size_t i = 0; drawn->size > 0 && i < games->count; i++) {
        if (games->games[i].finished) {
            add_row(&games->games[i], drawn);
        }
    }
}

static void drawn_clear(struct drawn *drawn)
{
    free(drawn->x);
    free(drawn->score);
    free(drawn->outcome);
    free(drawn->cluster);
}

/* ---- functions of a top ---- */

/* Whose value at a top, and what it is measured by. */
struct wanted {
    const struct sy_arm_games *games;
    const struct sy_weighing *weighing;
    const struct drawn *drawn;
    size_t at; /* coordinate */
};

static double engine_value(const double *u, const void *context)
{
    const struct wanted *wanted = context;
    return wanted->drawn->middle[wanted->at] * exp(u[wanted->at]);
}

/* In units: those values that are not drawn are what every player believes. */
static double unit_value(const double *u, const void *context)
{
    const struct wanted *wanted = context;
    double value[SY_MAX_TYPES];
    memcpy(value, wanted->games->arm->params.value, sizeof value);
    for (size_t i = 0; i < wanted->drawn->size; i++) {
        value[wanted->weighing->rows.material[wanted->drawn->column[i]]] =
            wanted->drawn->middle[i] * exp(u[i]);
    }
    return wanted->weighing->unit.value * engine_value(u, context) /
           sy_unit_sum(wanted->weighing, &wanted->weighing->unit, value);
}

static double mean_factor(const double *u, const void *context)
{
    const struct wanted *wanted = context;
    double sum = 0.0;
    for (size_t i = 0; i < wanted->drawn->size; i++) {
        sum += u[i];
    }
    return exp(sum / (double)wanted->drawn->size);
}

/* ---- tops as JSON ---- */

static const struct sy_draw *draw_of(const struct wanted *wanted)
{
    return &wanted->games->arm->draws[wanted->drawn->draw[wanted->at]];
}

/* An interval that goes so far beyond what was drawn has no bound that these games could give. */
static struct sy_estimate bounded(const struct wanted *wanted, struct sy_estimate engine)
{
    const struct sy_draw *draw = draw_of(wanted);
    const bool wild = !(engine.low * FAR_BEYOND >= draw->low && engine.high <= draw->high * FAR_BEYOND &&
                        isfinite(engine.error));
    return engine.status == SY_STAT_OK && wild ? (struct sy_estimate){.status = SY_STAT_NOT_CONCAVE} : engine;
}

static const char *name_of(const struct wanted *wanted)
{
    const unsigned material = wanted->weighing->rows.material[wanted->drawn->column[wanted->at]];
    return wanted->games->arm->variant->material[material];
}

static void add_status(struct sy_json *json, enum sy_stat status)
{
    sy_json_add_string(json, "status", sy_stat_name(status));
    if (status != SY_STAT_OK) {
        sy_json_add_string(json, "reason", sy_stat_text(status));
    }
}

static struct sy_json *number_if(bool known, double number)
{
    return known ? sy_json_new_number(number) : sy_json_new_null();
}

static struct sy_json *top_values_json(const struct sy_surface *surface, struct wanted wanted, double level)
{
    struct sy_json *list = sy_json_new_array();
    for (wanted.at = 0; wanted.at < wanted.drawn->size; wanted.at++) {
        const struct sy_draw *draw = draw_of(&wanted);
        const struct sy_estimate engine =
            bounded(&wanted, sy_surface_value(surface, engine_value, &wanted, level));
        const struct sy_estimate value =
            engine.status == SY_STAT_OK ? sy_surface_value(surface, unit_value, &wanted, level) : engine;
        struct sy_json *piece = sy_json_new_object();
        sy_json_add_string(piece, "name", name_of(&wanted));
        sy_json_add(piece, "value", sy_estimate_json(value));
        sy_json_add(piece, "engine", sy_estimate_json(engine));
        sy_json_add(piece, "inside",
                    engine.status == SY_STAT_OK
                        ? sy_json_new_bool(draw->low <= engine.value && engine.value <= draw->high)
                        : sy_json_new_null());
        sy_json_append(list, piece);
    }
    return list;
}

/* One kind of top of one fit; status: the fit's. */
static struct sy_json *top_json(enum sy_stat status, const struct sy_surface_estimate *estimate,
                                bool same_mean, const struct wanted *wanted)
{
    const struct sy_experiment *experiment = wanted->games->experiment;
    const double level = experiment->fit.confidence;
    struct sy_surface surface = {.status = status};
    const uint64_t seed = sy_mix64(experiment->seed ^ sy_mix64(PURPOSE_TOPS + wanted->games->index));
    if (status == SY_STAT_OK) {
        status = sy_surface_find(estimate, same_mean, level, seed, &surface);
    }
    struct sy_json *json = sy_json_new_object();
    add_status(json, status);
    sy_json_add(json, "concave", number_if(surface.draws > 0, surface.concave));
    sy_json_add(json, "weakest_curvature", number_if(surface.draws > 0, surface.weakest));
    if (!same_mean) {
        sy_json_add(json, "scale", sy_estimate_json(sy_surface_value(&surface, mean_factor, wanted, level)));
    }
    sy_json_add(json, "pieces", top_values_json(&surface, *wanted, level));
    sy_surface_clear(&surface);
    return json;
}

static void add_tops(struct sy_json *json, enum sy_stat status, const struct sy_surface_estimate *estimate,
                     const struct wanted *wanted)
{
    sy_json_add(json, "top", top_json(status, estimate, false, wanted));
    sy_json_add(json, "proportions",
                wanted->drawn->all && wanted->drawn->size > 1 ? top_json(status, estimate, true, wanted)
                                                              : sy_json_new_null());
}

/* ---- each value by itself ---- */

/* exp of an estimate, times `factor`. */
static struct sy_estimate exponential(struct sy_estimate estimate, double factor)
{
    if (estimate.status == SY_STAT_OK) {
        estimate.value = factor * exp(estimate.value);
        estimate.error *= estimate.value;
        estimate.low = factor * exp(estimate.low);
        estimate.high = factor * exp(estimate.high);
    }
    return estimate;
}

static struct sy_estimate alone(const struct sy_ordinal_fit *fit, const struct wanted *wanted, double level)
{
    const struct drawn *drawn = wanted->drawn;
    const size_t diagonal = sy_surface_diagonal(drawn->size, wanted->at);
    const struct sy_estimate bend = sy_ordinal_beta(fit, diagonal, level);
    if (bend.status != SY_STAT_OK) {
        return (struct sy_estimate){.status = bend.status};
    }
    if (!(bend.high < 0.0)) {
        return (struct sy_estimate){.status = SY_STAT_NOT_CONCAVE};
    }
    double *over = sy_alloc(2 * drawn->terms, sizeof *over), *under = over + drawn->terms;
    over[wanted->at] = -1.0;
    under[diagonal] = 2.0;
    const struct sy_estimate top = sy_ratio_fieller(fit, (struct sy_ratio){over, under}, level);
    free(over);
    return bounded(wanted, exponential(top, drawn->middle[wanted->at]));
}

static struct sy_estimate beta_of(const struct sy_ordinal_fit *fit, size_t column, double level)
{
    return fit->status == SY_STAT_OK ? sy_ordinal_beta(fit, column, level)
                                     : (struct sy_estimate){.status = fit->status};
}

static struct sy_json *pieces_json(const struct sy_ordinal_fit *fit, enum sy_stat status,
                                   struct wanted wanted)
{
    const double level = wanted.games->experiment->fit.confidence;
    struct sy_json *list = sy_json_new_array();
    for (wanted.at = 0; wanted.at < wanted.drawn->size; wanted.at++) {
        const struct sy_draw *draw = draw_of(&wanted);
        struct sy_json *piece = sy_json_new_object(), *range = sy_json_new_array();
        sy_json_append(range, sy_json_new_number(draw->low));
        sy_json_append(range, sy_json_new_number(draw->high));
        sy_json_add_string(piece, "name", name_of(&wanted));
        sy_json_add(piece, "drawn", range);
        sy_json_add(piece, "slope", sy_estimate_json(beta_of(fit, wanted.at, level)));
        sy_json_add(
            piece, "curvature",
            sy_estimate_json(beta_of(fit, sy_surface_diagonal(wanted.drawn->size, wanted.at), level)));
        sy_json_add(piece, "alone",
                    sy_estimate_json(status == SY_STAT_OK ? alone(fit, &wanted, level)
                                                          : (struct sy_estimate){.status = status}));
        sy_json_append(list, piece);
    }
    return list;
}

/* ---- the two fits ---- */

/* The block of a covariance that belongs to the terms, which come last. The caller frees. */
static double *terms_block(const double *covariance, size_t parameters, size_t terms)
{
    double *block = sy_alloc(terms * terms + 1, sizeof *block);
    const size_t first = parameters - terms;
    for (size_t i = 0; i < terms; i++) {
        memcpy(block + i * terms, covariance + (first + i) * parameters + first, terms * sizeof *block);
    }
    return block;
}

/* A fit stands only with all of its terms. */
static enum sy_stat whole_status(const struct sy_ordinal_fit *fit)
{
    enum sy_stat status = fit->status;
    for (size_t i = 0; status == SY_STAT_OK && i < fit->columns; i++) {
        status = fit->column_status[i];
    }
    return status;
}

static struct sy_json *least_squares_json(const struct wanted *wanted)
{
    const struct drawn *drawn = wanted->drawn;
    const struct sy_least_data data = {drawn->rows, drawn->terms, drawn->x, drawn->score, drawn->cluster};
    struct sy_least_fit fit;
    const enum sy_stat status = sy_least_squares(&data, &fit);
    double *covariance = terms_block(fit.sandwich, fit.parameters, drawn->terms);
    const struct sy_surface_estimate estimate = {drawn->size, fit.clusters, fit.beta + 1, covariance};
    struct sy_json *json = sy_json_new_object();
    add_status(json, status);
    sy_json_add(json, "r_squared", number_if(status == SY_STAT_OK, fit.r_squared));
    add_tops(json, status, &estimate, wanted);
    free(covariance);
    sy_least_clear(&fit);
    return json;
}

static struct sy_json *surface_json(const struct wanted *wanted)
{
    const struct drawn *drawn = wanted->drawn;
    const struct sy_ordinal_data data = {.rows = drawn->rows,
                                         .columns = drawn->terms,
                                         .categories = SY_SCORE_CATEGORIES,
                                         .x = drawn->x,
                                         .outcome = drawn->outcome,
                                         .cluster = drawn->cluster};
    struct sy_ordinal_fit fit;
    (void)sy_ordinal_fit(&data, NULL, &fit);
    const enum sy_stat status = whole_status(&fit);
    const bool known = status == SY_STAT_OK;
    double *covariance = known ? terms_block(fit.sandwich, fit.parameters, drawn->terms) : NULL;
    const struct sy_surface_estimate estimate = {drawn->size, fit.clusters, fit.beta, covariance};
    const double p_flat = known ? sy_surface_flat_p(&estimate) : 1.0;
    const bool flat = known && p_flat >= 1.0 - wanted->games->experiment->fit.confidence;
    struct sy_json *json = sy_json_new_object();
    add_status(json, status);
    sy_json_add_int(json, "games", (int64_t)drawn->rows);
    sy_json_add_int(json, "clusters", (int64_t)fit.clusters);
    sy_json_add_int(json, "terms", (int64_t)drawn->terms);
    sy_json_add(json, "p_flat", number_if(known, p_flat));
    sy_json_add(json, "pieces", pieces_json(&fit, flat ? SY_STAT_FLAT : status, *wanted));
    add_tops(json, status, &estimate, wanted);
    sy_json_add(json, "least_squares", least_squares_json(wanted));
    free(covariance);
    sy_ordinal_clear(&fit);
    return json;
}

struct sy_json *sy_surface_json(const struct sy_arm_games *games, const struct sy_weighing *weighing)
{
    struct drawn drawn;
    collect(games, &weighing->rows, &drawn);
    const struct wanted wanted = {games, weighing, &drawn, 0};
    struct sy_json *json = drawn.size > 0 ? surface_json(&wanted) : NULL;
    drawn_clear(&drawn);
    return json;
}
