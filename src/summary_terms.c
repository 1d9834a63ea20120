/* Two fits beside the main one, on request: values that depend on how full the board is, and what two of a
 * kind are worth beyond twice one.
 *
 * Phase: each piece has a coefficient in each bin of fullness (pieces on the board over those at the start of
 * the game), the bins holding about as many rows each. Whether a piece's coefficient is the same in all bins
 * is a Wald test, corrected for the number of pieces (Holm). With a linear trend there are two coefficients
 * too, at the emptier and the fuller end of what was seen, a row counting for both by where it lies between;
 * then the test is that of a slope. Pairs: one more column for each kind asked for.
 * Both have the main fit's rows, weights and clusters; intervals are Wald's and Fieller's. */
#include "summary_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINS = 4 };

static struct sy_ordinal_data with_columns(const struct sy_weighing *weighing, const double *x,
                                           size_t columns)
{
    struct sy_ordinal_data data = weighing->data;
    data.x = x;
    data.columns = columns;
    return data;
}

static struct sy_estimate beta_of(const struct sy_ordinal_fit *fit, size_t column, double level)
{
    return fit->status == SY_STAT_OK ? sy_ordinal_beta(fit, column, level)
                                     : (struct sy_estimate){.status = fit->status};
}

/* A coefficient in units: `unit` holds the unit's weights by the fit's columns. */
static struct sy_estimate in_units(const struct sy_ordinal_fit *fit, size_t column, const double *unit,
                                   double counts_as, double level)
{
    double *over = sy_alloc(fit->columns + 1, sizeof *over);
    struct sy_estimate value = {.status = fit->status};
    over[column] = counts_as;
    if (fit->status == SY_STAT_OK) {
        value = sy_ratio_fieller(fit, (struct sy_ratio){over, unit}, level);
    }
    free(over);
    return value;
}

static void add_status(struct sy_json *json, const struct sy_ordinal_fit *fit)
{
    sy_json_add_string(json, "status", sy_stat_name(fit->status));
    if (fit->status != SY_STAT_OK) {
        sy_json_add_string(json, "reason", sy_stat_text(fit->status));
    }
}

/* ---- phase ---- */

struct phase {
    size_t bins, columns; /* columns: of the main fit; this one has bins times as many, bin by bin */
    bool linear;
    double edge[MOST_BINS - 1]; /* of bins */
    double end[2];              /* of the trend */
    double *x;
};

/* Edges at the quantiles, so that bins are about equally full of rows. The trend's ends leave a tenth of the
 * rows beyond either, or are the extremes where so many rows are alike. */
static void set_edges(const struct sy_design_rows *rows, struct phase *phase)
{
    double *sorted = sy_alloc(rows->rows + 1, sizeof *sorted);
    memcpy(sorted, rows->full, rows->rows * sizeof *sorted);
    sy_sort_doubles(rows->rows, sorted);
    for (size_t i = 0; i + 1 < phase->bins; i++) {
        phase->edge[i] = rows->rows > 0
                             ? sy_quantile_sorted(rows->rows, sorted, (double)(i + 1) / (double)phase->bins)
                             : 0.0;
    }
    if (phase->linear && rows->rows > 0) {
        phase->end[0] = sy_quantile_sorted(rows->rows, sorted, 0.1);
        phase->end[1] = sy_quantile_sorted(rows->rows, sorted, 0.9);
        if (!(phase->end[0] < phase->end[1])) {
            phase->end[0] = sorted[0];
            phase->end[1] = sorted[rows->rows - 1];
        }
    }
    free(sorted);
}

/* Bin 0 is the emptiest board. */
static size_t bin_of(const struct phase *phase, double full)
{
    size_t bin = 0;
    while (bin + 1 < phase->bins && full > phase->edge[bin]) {
        bin++;
    }
    return bin;
}

/* How far from the emptier end to the fuller; 0 where all boards are as full. */
static double place_of(const struct phase *phase, double full)
{
    const double width = phase->end[1] - phase->end[0];
    return width > 0.0 ? (full - phase->end[0]) / width : 0.0;
}

static void spread_row(const struct phase *phase, double full, const double *from, double *to)
{
    if (!phase->linear) {
        memcpy(to + bin_of(phase, full) * phase->columns, from, phase->columns * sizeof *to);
        return;
    }
    const double place = place_of(phase, full);
    for (size_t column = 0; column < phase->columns; column++) {
        to[column] = (1.0 - place) * from[column];
        to[phase->columns + column] = place * from[column];
    }
}

static void spread(const struct sy_design_rows *rows, struct phase *phase)
{
    const size_t width = phase->bins * phase->columns;
    phase->x = sy_alloc(rows->rows * width + 1, sizeof *phase->x);
    for (size_t row = 0; row < rows->rows; row++) {
        spread_row(phase, rows->full[row], rows->x + row * phase->columns, phase->x + row * width);
    }
}

/* Are the piece's coefficients the same in all bins? */
static struct sy_chi_square same_in_all(const struct sy_ordinal_fit *fit, const struct phase *phase,
                                        size_t column)
{
    double estimate[MOST_BINS], covariance[MOST_BINS * MOST_BINS];
    double hypothesis[(MOST_BINS - 1) * MOST_BINS] = {0.0};
    const size_t bins = phase->bins;
    for (size_t i = 0; i < bins; i++) {
        const size_t at = i * phase->columns + column;
        if (fit->status != SY_STAT_OK || fit->column_status[at] != SY_STAT_OK) {
            return (struct sy_chi_square){.status = fit->status != SY_STAT_OK ? fit->status
                                                                              : fit->column_status[at]};
        }
        estimate[i] = fit->beta[at];
        for (size_t j = 0; j < bins; j++) {
            covariance[i * bins + j] = fit->sandwich[(fit->levels - 1 + at) * fit->parameters + fit->levels -
                                                     1 + j * phase->columns + column];
        }
    }
    for (size_t i = 0; i + 1 < bins; i++) {
        hypothesis[i * bins + i] = 1.0;
        hypothesis[i * bins + i + 1] = -1.0;
    }
    struct sy_chi_square test = sy_wald_test(bins, estimate, covariance, bins - 1, hypothesis, NULL);
    test.p = test.status == SY_STAT_OK ? sy_wald_p(test.statistic, bins - 1, fit->clusters) : 1.0;
    return test;
}

static struct sy_json *bins_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                 const struct sy_ordinal_fit *fit, const struct phase *phase, size_t column)
{
    const double level = games->experiment->fit.confidence;
    struct sy_json *list = sy_json_new_array();
    double *unit = sy_alloc(phase->bins * phase->columns + 1, sizeof *unit);
    for (size_t bin = 0; bin < phase->bins; bin++) {
        const size_t first = bin * phase->columns;
        struct sy_json *json = sy_json_new_object();
        memset(unit, 0, phase->bins * phase->columns * sizeof *unit);
        memcpy(unit + first, weighing->unit.weight, phase->columns * sizeof *unit);
        sy_json_add(json, "logit", sy_estimate_json(beta_of(fit, first + column, level)));
        sy_json_add(json, "value",
                    sy_estimate_json(in_units(fit, first + column, unit, weighing->unit.value, level)));
        sy_json_append(list, json);
    }
    free(unit);
    return list;
}

/* Logits from an empty board to a full one. */
static struct sy_estimate slope_of(const struct sy_ordinal_fit *fit, const struct phase *phase, size_t column,
                                   double level)
{
    struct sy_estimate slope = {.status = fit->status};
    const size_t other = phase->columns + column;
    for (size_t i = 0; slope.status == SY_STAT_OK && i < 2; i++) {
        slope.status = fit->column_status[i == 0 ? column : other];
    }
    if (slope.status == SY_STAT_OK) {
        const double *v = fit->sandwich + (fit->levels - 1) * (fit->parameters + 1);
        const double width = phase->end[1] - phase->end[0];
        const double variance = v[column * (fit->parameters + 1)] + v[other * (fit->parameters + 1)] -
                                2.0 * v[column * fit->parameters + other];
        const double z = sy_normal_quantile(0.5 + 0.5 * level);
        slope.value = (fit->beta[other] - fit->beta[column]) / width;
        slope.error = sqrt(fmax(variance, 0.0)) / width;
        slope.low = slope.value - z * slope.error;
        slope.high = slope.value + z * slope.error;
    }
    return slope;
}

static struct sy_json *phase_materials(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                       const struct sy_ordinal_fit *fit, const struct phase *phase)
{
    double p[SY_MAX_TYPES], adjusted[SY_MAX_TYPES];
    bool tested[SY_MAX_TYPES];
    struct sy_json *list = sy_json_new_array();
    for (size_t column = 0; column < phase->columns; column++) {
        const struct sy_chi_square test = same_in_all(fit, phase, column);
        tested[column] = test.status == SY_STAT_OK;
        p[column] = tested[column] ? test.p : 1.0;
    }
    sy_holm(phase->columns, p, adjusted);
    for (size_t column = 0; column < phase->columns; column++) {
        struct sy_json *json = sy_json_new_object();
        sy_json_add_string(json, "name", games->arm->variant->material[weighing->rows.material[column]]);
        sy_json_add(json, "bins", bins_json(games, weighing, fit, phase, column));
        if (phase->linear) {
            sy_json_add(json, "slope",
                        sy_estimate_json(slope_of(fit, phase, column, games->experiment->fit.confidence)));
        }
        sy_json_add(json, "p", tested[column] ? sy_json_new_number(p[column]) : sy_json_new_null());
        sy_json_add(json, "p_holm",
                    tested[column] ? sy_json_new_number(adjusted[column]) : sy_json_new_null());
        sy_json_append(list, json);
    }
    return list;
}

struct sy_json *sy_phase_json(const struct sy_arm_games *games, const struct sy_weighing *weighing)
{
    const bool linear = games->experiment->fit.trend;
    struct phase phase = {.bins = linear ? 2 : games->experiment->fit.phase,
                          .columns = weighing->rows.columns,
                          .linear = linear};
    if (phase.bins == 0 || phase.columns == 0) {
        return sy_json_new_null();
    }
    struct sy_ordinal_fit fit;
    set_edges(&weighing->rows, &phase);
    spread(&weighing->rows, &phase);
    const struct sy_ordinal_data data = with_columns(weighing, phase.x, phase.bins * phase.columns);
    /* What it says is in the fit's own status. */
    (void)sy_ordinal_fit(&data, &weighing->options, &fit);
    struct sy_json *json = sy_json_new_object(), *places = sy_json_new_array();
    add_status(json, &fit);
    if (games->arm->phase_of != 0) {
        sy_json_add(json, "of", sy_arm_materials_json(games->arm, games->arm->phase_of));
    }
    for (size_t i = 0; i < (linear ? 2 : phase.bins - 1); i++) {
        sy_json_append(places, sy_json_new_number(linear ? phase.end[i] : phase.edge[i]));
    }
    sy_json_add(json, linear ? "ends" : "edges", places);
    sy_json_add(json, "materials", phase_materials(games, weighing, &fit, &phase));
    sy_ordinal_clear(&fit);
    free(phase.x);
    return json;
}

/* ---- pairs ---- */

/* The further columns: whether a kind is paired, or stands on enough colours. */
struct extras {
    size_t count;
    size_t column[2 * SY_MAX_TYPES];
    const double *from[2 * SY_MAX_TYPES]; /* rows x columns, of which that column is taken */
    unsigned colours[2 * SY_MAX_TYPES];   /* 0: two of a kind, whatever the colours */
};

static void add_extra(struct extras *extras, size_t column, const double *from, unsigned colours)
{
    extras->column[extras->count] = column;
    extras->from[extras->count] = from;
    extras->colours[extras->count++] = colours;
}

static struct extras extras_of(const struct sy_arm *arm, const struct sy_design_rows *rows)
{
    struct extras extras = {.count = 0};
    for (size_t column = 0; column < rows->columns; column++) {
        const unsigned material = rows->material[column];
        if (arm->pairs >> material & 1U) {
            add_extra(&extras, column, rows->pairs, 0);
        }
        if (arm->colours[material] > 0) {
            add_extra(&extras, column, rows->colours, arm->colours[material]);
        }
    }
    return extras;
}

/* The rows with a column more for each. The caller frees. */
static double *with_extras(const struct sy_design_rows *rows, const struct extras *extras)
{
    const size_t width = rows->columns + extras->count;
    double *x = sy_alloc(rows->rows * width + 1, sizeof *x);
    for (size_t row = 0; row < rows->rows; row++) {
        memcpy(x + row * width, rows->x + row * rows->columns, rows->columns * sizeof *x);
        for (size_t i = 0; i < extras->count; i++) {
            x[row * width + rows->columns + i] = extras->from[i][row * rows->columns + extras->column[i]];
        }
    }
    return x;
}

struct sy_json *sy_pairs_json(const struct sy_arm_games *games, const struct sy_weighing *weighing)
{
    const struct sy_design_rows *rows = &weighing->rows;
    const double level = games->experiment->fit.confidence;
    const struct extras extras = extras_of(games->arm, rows);
    if (extras.count == 0) {
        return sy_json_new_null();
    }
    double *x = with_extras(rows, &extras), unit[3 * SY_MAX_TYPES] = {0.0};
    const struct sy_ordinal_data data = with_columns(weighing, x, rows->columns + extras.count);
    struct sy_ordinal_fit fit;
    (void)sy_ordinal_fit(&data, &weighing->options, &fit);
    memcpy(unit, weighing->unit.weight, rows->columns * sizeof *unit);
    struct sy_json *json = sy_json_new_object(), *terms = sy_json_new_array();
    add_status(json, &fit);
    for (size_t i = 0; i < extras.count; i++) {
        const size_t column = rows->columns + i;
        struct sy_json *term = sy_json_new_object();
        sy_json_add_string(term, "name", games->arm->variant->material[rows->material[extras.column[i]]]);
        if (extras.colours[i] > 0) {
            sy_json_add_int(term, "colours", extras.colours[i]);
        }
        sy_json_add(term, "logit", sy_estimate_json(beta_of(&fit, column, level)));
        sy_json_add(term, "value",
                    sy_estimate_json(in_units(&fit, column, unit, weighing->unit.value, level)));
        sy_json_append(terms, term);
    }
    sy_json_add(json, "terms", terms);
    sy_ordinal_clear(&fit);
    free(x);
    return json;
}
