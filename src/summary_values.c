/* A fit as JSON: the piece values with all that supports them, and the sentences that warn of what they
 * cannot carry. A piece without a value has the reason that comes first: its own column's, then the whole
 * fit's, then the unit's. */
#include "summary_internal.h"

#include <math.h>

/* Believed and measured further apart than this factor, and outside the interval, is worth a warning. */
#define FAR_APART 1.25

/* A unit known to fewer standard errors than this widens the intervals of what is known much better. */
#define LOOSE_UNIT 10.0

static const char *material_name(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                 size_t column)
{
    return games->arm->variant->material[weighing->rows.material[column]];
}

/* Elo points for a logit, as the Elo scale has it: 400 log10 of the odds. */
static double elo_of_logit(double logit)
{
    return 400.0 * logit / log(10.0);
}

static struct sy_estimate value_of(const struct sy_weighing *weighing, size_t column, double level)
{
    return sy_weighing_value(weighing, column, &weighing->unit, level);
}

static struct sy_json *logit_json(const struct sy_weighing *weighing, size_t column, double level)
{
    struct sy_estimate beta = {.status = weighing->fit.status};
    if (beta.status == SY_STAT_OK) {
        beta = sy_ordinal_beta(&weighing->fit, column, level);
    }
    struct sy_json *json = sy_estimate_json(beta);
    const bool known = beta.status == SY_STAT_OK && beta.error > 0.0;
    sy_json_add(json, "z", known ? sy_json_new_number(beta.value / beta.error) : sy_json_new_null());
    return json;
}

static struct sy_json *elo_json(const struct sy_weighing *weighing, size_t column, double level)
{
    struct sy_estimate beta = {.status = weighing->fit.status};
    if (beta.status == SY_STAT_OK) {
        beta = sy_ordinal_beta(&weighing->fit, column, level);
    }
    beta.value = elo_of_logit(beta.value);
    beta.error = elo_of_logit(beta.error);
    beta.low = elo_of_logit(beta.low);
    beta.high = elo_of_logit(beta.high);
    return sy_estimate_json(beta);
}

/* What a table by material says of a column, in a measure; NaN where it says nothing. */
static double table_value(const struct sy_weighing *weighing, size_t column, const struct sy_unit *measure,
                          const double *by_material)
{
    return measure->value * by_material[weighing->rows.material[column]] /
           sy_unit_sum(weighing, measure, by_material);
}

bool sy_beliefs_known(const struct sy_arm_games *games)
{
    return games->arm->player == NULL && games->experiment->design != SY_DESIGN_POSITIONS;
}

/* What the engine believed while it played; NaN where nobody knows. */
static double believed_value(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                             size_t column, const struct sy_unit *measure)
{
    return sy_beliefs_known(games) ? table_value(weighing, column, measure, games->arm->params.value) : NAN;
}

/* What each suggested table says of the material, in the same measure; null where it says nothing. */
static struct sy_json *suggestions_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                        size_t column, const struct sy_unit *measure,
                                        struct sy_estimate value)
{
    const struct sy_variant *variant = games->arm->variant;
    struct sy_json *list = sy_json_new_array();
    for (unsigned i = 0; i < variant->suggestions; i++) {
        const struct sy_suggested *table = &variant->suggested[i];
        const double suggested = table_value(weighing, column, measure, table->value);
        const bool judged = isfinite(suggested) && value.status == SY_STAT_OK;
        struct sy_json *entry = sy_json_new_object();
        sy_json_add_string(entry, "by", table->by);
        sy_json_add_number(entry, "value", suggested);
        sy_json_add(entry, "inside",
                    judged ? sy_json_new_bool(value.low <= suggested && suggested <= value.high)
                           : sy_json_new_null());
        sy_json_append(list, entry);
    }
    return list;
}

static struct sy_json *material_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                     size_t column, const struct sy_unit *measure)
{
    const double level = games->experiment->fit.confidence;
    const unsigned material = weighing->rows.material[column];
    const struct sy_estimate value = sy_weighing_value(weighing, column, measure, level);
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "name", games->arm->variant->material[material]);
    sy_json_add_bool(json, "unit", column == measure->column);
    sy_json_add(json, "value", sy_estimate_json(value));
    sy_json_add(json, "fieller", sy_estimate_json(sy_weighing_fieller(weighing, column, measure, level)));
    sy_json_add(json, "logit", logit_json(weighing, column, level));
    sy_json_add(json, "elo", elo_json(weighing, column, level));
    sy_json_add_int(json, "games", (int64_t)weighing->rows.games_varied[column]);
    sy_json_add_int(json, "rows", (int64_t)weighing->rows.rows_varied[column]);
    sy_json_add_number(json, "believed", believed_value(games, weighing, column, measure));
    sy_json_add(json, "suggested", suggestions_json(games, weighing, column, measure, value));
    return json;
}

static struct sy_json *materials_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                      const struct sy_unit *measure)
{
    struct sy_json *list = sy_json_new_array();
    for (size_t column = 0; column < weighing->rows.columns; column++) {
        sy_json_append(list, material_json(games, weighing, column, measure));
    }
    return list;
}

/* How many standard errors the column's logit is from 0; 0 when it is not known. */
static double firmness(const struct sy_weighing *weighing, size_t column, double level)
{
    const struct sy_estimate beta = sy_ordinal_beta(&weighing->fit, column, level);
    return beta.status == SY_STAT_OK && beta.error > 0.0 && beta.low > 0.0 ? beta.value / beta.error : 0.0;
}

/* The column that is known best; the number of columns when none is distinguishable from nothing. */
static size_t firmest_column(const struct sy_weighing *weighing, double level)
{
    size_t firmest = weighing->rows.columns;
    double highest = 0.0;
    for (size_t column = 0; column < weighing->rows.columns; column++) {
        if (firmness(weighing, column, level) > highest) {
            highest = firmness(weighing, column, level);
            firmest = column;
        }
    }
    return firmest;
}

/* Is the unit itself known so badly that it widens every interval? */
static bool unit_is_loose(const struct sy_weighing *weighing, size_t firmest, double level)
{
    const size_t unit = weighing->unit.column;
    if (unit >= weighing->rows.columns || unit == firmest) {
        return false;
    }
    return value_of(weighing, unit, level).status != SY_STAT_OK ||
           (firmness(weighing, unit, level) < LOOSE_UNIT &&
            2.0 * firmness(weighing, unit, level) < firmness(weighing, firmest, level));
}

/* What a piece counts as when it measures the others: what the first suggested table says, so that the two
 * can be read side by side; without one, what the engine believed. */
static double customary_value(const struct sy_arm_games *games, unsigned material)
{
    const struct sy_variant *variant = games->arm->variant;
    const double suggested = variant->suggestions ? variant->suggested[0].value[material] : NAN;
    return suggested > 0 ? suggested : games->arm->params.value[material];
}

/* Where the unit is too weak to count in, the same table in the measure of the piece that is known best; null
 * where there is no need or no such piece. */
static struct sy_json *alternative_json(const struct sy_arm_games *games, const struct sy_weighing *weighing)
{
    const double level = games->experiment->fit.confidence;
    if (weighing->fit.status != SY_STAT_OK) {
        return sy_json_new_null();
    }
    const size_t column = firmest_column(weighing, level);
    if (column == weighing->rows.columns || !unit_is_loose(weighing, column, level)) {
        return sy_json_new_null();
    }
    const double counts = customary_value(games, weighing->rows.material[column]);
    const struct sy_unit measure = sy_unit_of(games, weighing, column, counts);
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "unit", measure.name);
    sy_json_add_number(json, "counts_as", measure.value);
    sy_json_add_bool(json, "main", value_of(weighing, weighing->unit.column, level).status != SY_STAT_OK);
    sy_json_add(json, "materials", materials_json(games, weighing, &measure));
    return json;
}

static void add_cell(struct sy_json *row, struct sy_estimate estimate, double number)
{
    sy_json_append(row, estimate.status == SY_STAT_OK ? sy_json_new_number(number) : sy_json_new_null());
}

/* Row by row, what each kind is worth in units of each other. */
static struct sy_json *ratios_json(const struct sy_arm_games *games, const struct sy_weighing *weighing)
{
    struct sy_json *json = sy_json_new_object();
    struct sy_json *names = sy_json_new_array();
    struct sy_json *value = sy_json_new_array();
    struct sy_json *low = sy_json_new_array();
    struct sy_json *high = sy_json_new_array();
    for (size_t over = 0; over < weighing->rows.columns; over++) {
        struct sy_json *values = sy_json_new_array();
        struct sy_json *lows = sy_json_new_array();
        struct sy_json *highs = sy_json_new_array();
        for (size_t under = 0; under < weighing->rows.columns; under++) {
            const struct sy_unit measure = sy_unit_of(games, weighing, under, 1.0);
            const struct sy_estimate ratio =
                sy_weighing_value(weighing, over, &measure, games->experiment->fit.confidence);
            add_cell(values, ratio, ratio.value);
            add_cell(lows, ratio, ratio.low);
            add_cell(highs, ratio, ratio.high);
        }
        sy_json_append(names, sy_json_new_string(material_name(games, weighing, over)));
        sy_json_append(value, values);
        sy_json_append(low, lows);
        sy_json_append(high, highs);
    }
    sy_json_add(json, "names", names);
    sy_json_add(json, "value", value);
    sy_json_add(json, "low", low);
    sy_json_add(json, "high", high);
    return json;
}

/* The first-move term, as the fit sees it at equal material. */
static struct sy_json *white_json(const struct sy_weighing *weighing, double level)
{
    const struct sy_estimate score = sy_weighing_white(weighing, level);
    struct sy_estimate advantage = {.status = weighing->fit.status};
    if (advantage.status == SY_STAT_OK) {
        advantage = sy_ordinal_advantage(&weighing->fit, sy_category_score, level);
    }
    struct sy_json *json = sy_json_new_object();
    sy_json_add(json, "score", sy_estimate_json(score));
    sy_json_add(json, "elo", sy_estimate_json(sy_elo_estimate(score)));
    sy_json_add(json, "advantage", sy_estimate_json(advantage));
    return json;
}

static void add_fit_numbers(struct sy_json *json, const struct sy_ordinal_fit *fit)
{
    const bool known = fit->status == SY_STAT_OK;
    struct sy_json *categories = sy_json_new_array();
    struct sy_json *thresholds = sy_json_new_array();
    for (size_t i = 0; known && i < fit->levels; i++) {
        sy_json_append(categories, sy_json_new_number(sy_category_score[fit->level_category[i]]));
    }
    for (size_t i = 0; known && i + 1 < fit->levels; i++) {
        sy_json_append(thresholds, sy_json_new_number(fit->theta[i]));
    }
    sy_json_add(json, "scores", categories);
    sy_json_add(json, "thresholds", thresholds);
    sy_json_add(json, "log_likelihood", known ? sy_json_new_number(fit->log_likelihood) : sy_json_new_null());
    sy_json_add(json, "null_log_likelihood",
                known ? sy_json_new_number(fit->null_log_likelihood) : sy_json_new_null());
}

static void warn_of_status(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                           enum sy_stat status, struct sy_json *warnings)
{
    struct sy_text names = SY_TEXT_INIT;
    for (size_t column = 0; column < weighing->rows.columns; column++) {
        if (value_of(weighing, column, games->experiment->fit.confidence).status == status) {
            sy_text_printf(&names, "%s%s", names.length ? ", " : "", material_name(games, weighing, column));
        }
    }
    if (names.length > 0) {
        sy_warn(games, warnings, "no value for %s: %s", names.bytes, sy_stat_text(status));
    }
    sy_text_clear(&names);
}

static void warn_of_beliefs(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                            struct sy_json *warnings)
{
    struct sy_text far = SY_TEXT_INIT;
    for (size_t column = 0; column < weighing->rows.columns; column++) {
        const struct sy_estimate value = value_of(weighing, column, games->experiment->fit.confidence);
        const double believed = believed_value(games, weighing, column, &weighing->unit);
        if (value.status == SY_STAT_OK && isfinite(believed) &&
            !(value.low <= believed && believed <= value.high) &&
            !(value.value < believed * FAR_APART && believed < value.value * FAR_APART)) {
            sy_text_printf(&far, "%s%s %.2f (believed %.2f)", far.length ? ", " : "",
                           material_name(games, weighing, column), value.value, believed);
        }
    }
    if (far.length > 0) {
        sy_warn(games, warnings, "far from what the engine believed while playing: %s", far.bytes);
    }
    sy_text_clear(&far);
}

static void add_warnings(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                         struct sy_json *warnings)
{
    const struct sy_ordinal_fit *fit = &weighing->fit;
    if (fit->status != SY_STAT_OK) {
        sy_warn(games, warnings, "no fit: %s", sy_stat_text(fit->status));
        return;
    }
    for (int status = SY_STAT_OK + 1; status < SY_STAT_COUNT; status++) {
        warn_of_status(games, weighing, (enum sy_stat)status, warnings);
    }
    warn_of_beliefs(games, weighing, warnings);
    if (!fit->thresholds_identified) {
        sy_warn(games, warnings,
                "White's score at equal material includes that of the pieces left out of the fit");
    }
    if (fit->rows_set_aside > 0) {
        sy_warn(games, warnings, "%zu of %zu rows say nothing beyond the pieces that decide them",
                fit->rows_set_aside, fit->rows);
    }
    if (weighing->rows.without_rows > 0) {
        sy_warn(games, warnings, "%zu finished games had no quiet position to sample",
                weighing->rows.without_rows);
    }
}

struct sy_json *sy_weighing_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                 struct sy_json *warnings)
{
    const struct sy_fit_options *options = &games->experiment->fit;
    const struct sy_ordinal_fit *fit = &weighing->fit;
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "status", sy_stat_name(fit->status));
    if (fit->status != SY_STAT_OK) {
        sy_json_add_string(json, "reason", sy_stat_text(fit->status));
    }
    sy_json_add_string(json, "unit", weighing->unit.name);
    sy_json_add_number(json, "counts_as", weighing->unit.value);
    sy_json_add_number(json, "confidence", options->confidence);
    sy_json_add_string(json, "interval",
                       !weighing->bootstrapped                            ? "Fieller"
                       : games->experiment->design == SY_DESIGN_POSITIONS ? "bootstrap over games, BCa"
                                                                          : "bootstrap over pairs, BCa");
    sy_json_add_int(json, "replicates", weighing->bootstrapped ? (int64_t)weighing->bootstrap.replicates : 0);
    sy_json_add_int(json, "failed_replicates",
                    weighing->bootstrapped ? (int64_t)weighing->bootstrap.failures : 0);
    sy_json_add_int(json, "games", (int64_t)weighing->rows.games);
    sy_json_add_int(json, "games_without_rows", (int64_t)weighing->rows.without_rows);
    sy_json_add_int(json, "rows", (int64_t)weighing->rows.rows);
    sy_json_add_int(json, "rows_set_aside", (int64_t)fit->rows_set_aside);
    sy_json_add_int(json, "clusters", (int64_t)fit->clusters);
    add_fit_numbers(json, fit);
    sy_json_add(json, "materials", materials_json(games, weighing, &weighing->unit));
    sy_json_add(json, "alternative", alternative_json(games, weighing));
    sy_json_add(json, "ratios", ratios_json(games, weighing));
    sy_json_add(json, "verdicts", sy_verdicts_json(games, weighing));
    sy_json_add(json, "phase", sy_phase_json(games, weighing));
    sy_json_add(json, "pairs", sy_pairs_json(games, weighing));
    struct sy_json *surface = sy_surface_json(games, weighing);
    if (surface) {
        sy_json_add(json, "surface", surface);
    }
    sy_json_add(json, "white", white_json(weighing, options->confidence));
    add_warnings(games, weighing, warnings);
    return json;
}
