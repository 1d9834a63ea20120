/* The fit of one arm and what follows from it, by stats.
 *
 * Clusters are colour-swapped pairs: the two games share a draw. Intervals of values are bootstrapped over
 * pairs, with bias correction and acceleration (Efron 1987); Fieller's (1954) stands beside them as a check
 * that makes no use of resampling. Method: McCullagh 1980 for the score model, Liang and Zeger 1986 for
 * errors by cluster. */
#include "summary_internal.h"

#include <string.h>

enum { BOOTSTRAP_KEY = 0x626f6f74 };

static size_t unit_column(const struct sy_arm *arm, const struct sy_design_rows *rows)
{
    size_t column = 0;
    while (column < rows->columns && rows->material[column] != arm->unit_material) {
        column++;
    }
    return column;
}

enum sy_status sy_weigh(const struct sy_arm_games *games, struct sy_weighing *weighing,
                        struct sy_error *error)
{
    memset(weighing, 0, sizeof *weighing);
    struct sy_design_rows *rows = &weighing->rows;
    const enum sy_status status = sy_design_build(games, rows, error);
    if (status != SY_OK) {
        return status;
    }
    weighing->unit = unit_column(games->arm, rows);
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

struct sy_estimate sy_weighing_ratio(const struct sy_weighing *weighing, size_t column, size_t unit,
                                     double level)
{
    const struct sy_ordinal_fit *fit = &weighing->fit;
    if (fit->status != SY_STAT_OK) {
        return no_estimate(fit->status);
    }
    return weighing->bootstrapped
               ? sy_ratio_bootstrap_columns(fit, &weighing->bootstrap, column, unit, SY_BCA, level)
               : sy_ratio_fieller_columns(fit, column, unit, level);
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
