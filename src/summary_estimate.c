/* The fit of one arm and what follows from it, by stats.
 *
 * Clusters are colour-swapped pairs: the two games share a draw. Intervals of values are bootstrapped over
 * pairs, with bias correction and acceleration (Efron 1987); Fieller's (1954) stands beside them as a check
 * that makes no use of resampling. Method: McCullagh 1980 for the score model, Liang and Zeger 1986 for
 * errors by cluster. */
#include "summary_internal.h"

#include "steelyard/notation.h"

#include <string.h>

enum { BOOTSTRAP_KEY = 0x626f6f74 };

struct sy_unit sy_unit_of(const struct sy_arm_games *games, const struct sy_weighing *weighing, size_t column,
                          double value)
{
    struct sy_unit measure = {.name = games->arm->variant->material[weighing->rows.material[column]],
                              .value = value,
                              .column = column};
    measure.weight[column] = 1.0;
    return measure;
}

/* The mean piece of both armies at the start of the game. */
static enum sy_status measure_army(const struct sy_arm_games *games, const struct sy_design_rows *rows,
                                   double value, struct sy_unit *measure, struct sy_error *error)
{
    const struct sy_variant *variant = games->arm->variant;
    struct sy_position position;
    double pieces = 0.0;
    *measure = (struct sy_unit){.name = SY_UNIT_ARMY, .value = value, .column = SIZE_MAX};
    const enum sy_status status = sy_fen_parse(variant, variant->start, &position, error);
    for (unsigned type = 0; status == SY_OK && type < variant->types; type++) {
        for (size_t column = 0; column < rows->columns; column++) {
            if (rows->material[column] == variant->type[type].material) {
                measure->weight[column] += sy_count(position.type[type]);
                pieces += sy_count(position.type[type]);
            }
        }
    }
    for (size_t column = 0; column < rows->columns && pieces > 0.0; column++) {
        measure->weight[column] /= pieces;
    }
    return status;
}

static enum sy_status set_unit(const struct sy_arm_games *games, struct sy_weighing *weighing,
                               struct sy_error *error)
{
    const struct sy_fit_options *options = &games->experiment->fit;
    if (options->unit && strcmp(options->unit, SY_UNIT_ARMY) == 0) {
        return measure_army(games, &weighing->rows, options->unit_value, &weighing->unit, error);
    }
    weighing->unit = (struct sy_unit){.name = games->arm->variant->material[games->arm->unit_material],
                                      .value = options->unit_value,
                                      .column = SIZE_MAX};
    for (size_t column = 0; column < weighing->rows.columns; column++) {
        if (weighing->rows.material[column] == games->arm->unit_material) {
            weighing->unit = sy_unit_of(games, weighing, column, options->unit_value);
        }
    }
    return SY_OK;
}

double sy_unit_sum(const struct sy_weighing *weighing, const struct sy_unit *measure,
                   const double *by_material)
{
    double sum = 0.0;
    for (size_t column = 0; column < weighing->rows.columns; column++) {
        if (measure->weight[column] > 0.0 || measure->weight[column] < 0.0) {
            sum += measure->weight[column] * by_material[weighing->rows.material[column]];
        }
    }
    return sum;
}

enum sy_status sy_weigh(const struct sy_arm_games *games, struct sy_weighing *weighing,
                        struct sy_error *error)
{
    memset(weighing, 0, sizeof *weighing);
    struct sy_design_rows *rows = &weighing->rows;
    enum sy_status status = sy_design_build(games, rows, error);
    if (status == SY_OK) {
        status = set_unit(games, weighing, error);
    }
    if (status != SY_OK) {
        return status;
    }
    weighing->data = (struct sy_ordinal_data){.rows = rows->rows,
                                              .columns = rows->columns,
                                              .categories = SY_SCORE_CATEGORIES,
                                              .x = rows->x,
                                              .outcome = rows->outcome,
                                              .weight = rows->weight,
                                              .cluster = rows->cluster};
    weighing->options = (struct sy_ordinal_options)SY_ORDINAL_OPTIONS_INIT;
    weighing->options.ridge = games->experiment->fit.ridge;
    if (sy_ordinal_fit(&weighing->data, &weighing->options, &weighing->fit) == SY_STAT_OK &&
        rows->columns > 0 && games->experiment->fit.bootstrap > 0) {
        const uint64_t seed =
            sy_mix64(games->experiment->seed ^ sy_mix64(BOOTSTRAP_KEY + (uint64_t)games->index));
        weighing->bootstrapped =
            sy_ordinal_bootstrap(&weighing->data, &weighing->options, &weighing->fit, sy_category_score, seed,
                                 0, games->experiment->fit.bootstrap, &weighing->bootstrap) == SY_STAT_OK;
    }
    return SY_OK;
}

void sy_weighing_clear(struct sy_weighing *weighing)
{
    sy_bootstrap_clear(&weighing->bootstrap);
    sy_ordinal_clear(&weighing->fit);
    sy_design_clear(&weighing->rows);
}

static struct sy_estimate no_estimate(enum sy_stat status)
{
    return (struct sy_estimate){.status = status};
}

static struct sy_estimate scaled(struct sy_estimate estimate, double factor)
{
    estimate.value *= factor;
    estimate.error *= factor;
    estimate.low *= factor;
    estimate.high *= factor;
    return estimate;
}

/* A piece's own trouble comes before that of the whole fit and of the unit. */
static struct sy_estimate value_by(const struct sy_weighing *weighing, size_t column,
                                   const struct sy_unit *measure, double level, bool resampled)
{
    const struct sy_ordinal_fit *fit = &weighing->fit;
    if (fit->column_status && fit->column_status[column] != SY_STAT_OK) {
        return no_estimate(fit->column_status[column]);
    }
    if (fit->status != SY_STAT_OK) {
        return no_estimate(fit->status);
    }
    double over[SY_MAX_TYPES] = {0.0};
    over[column] = 1.0;
    const struct sy_ratio ratio = {over, measure->weight};
    return scaled(resampled ? sy_ratio_bootstrap(fit, &weighing->bootstrap, ratio, SY_BCA, level)
                            : sy_ratio_fieller(fit, ratio, level),
                  measure->value);
}

struct sy_estimate sy_weighing_value(const struct sy_weighing *weighing, size_t column,
                                     const struct sy_unit *measure, double level)
{
    return value_by(weighing, column, measure, level, weighing->bootstrapped);
}

struct sy_estimate sy_weighing_fieller(const struct sy_weighing *weighing, size_t column,
                                       const struct sy_unit *measure, double level)
{
    return value_by(weighing, column, measure, level, false);
}

struct sy_estimate sy_weighing_white(const struct sy_weighing *weighing, double level)
{
    return weighing->fit.status == SY_STAT_OK
               ? sy_ordinal_score(&weighing->fit, sy_category_score, NULL, level)
               : no_estimate(weighing->fit.status);
}

struct sy_json *sy_estimate_json(struct sy_estimate estimate)
{
    const bool known = estimate.status == SY_STAT_OK;
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "status", sy_stat_name(estimate.status));
    if (!known) {
        sy_json_add_string(json, "reason", sy_stat_text(estimate.status));
    }
    sy_json_add(json, "value", known ? sy_json_new_number(estimate.value) : sy_json_new_null());
    sy_json_add(json, "error", known ? sy_json_new_number(estimate.error) : sy_json_new_null());
    sy_json_add(json, "low", known ? sy_json_new_number(estimate.low) : sy_json_new_null());
    sy_json_add(json, "high", known ? sy_json_new_number(estimate.high) : sy_json_new_null());
    return json;
}
