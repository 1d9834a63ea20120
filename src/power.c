/* power: expected intervals of a design.
 *
 * The design's own starts are drawn, the score model's parameters are assumed, and the expected information
 * of those starts gives the covariance that N games would. Intervals are then Fieller's, as the fit's own.
 * Where starts are chosen by a criterion, the same number of games without it stands below for comparison.
 * Games are taken as independent given their start, which pairs are but for what the start does not say. */
#include "steelyard/power.h"
#include "steelyard/stats.h"
#include "summary_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double most_games = 1e8;
static const double category_score[3] = {0, 0.5, 1};

/* An arm's starts as rows, and what is assumed of it. */
struct plan {
    const struct sy_arm *arm;
    size_t rows, columns, levels, unit;
    unsigned material[SY_MAX_TYPES];
    double *x, theta[2], beta[SY_MAX_TYPES], level;
    double counts_as;
};

static void assume(const struct sy_truth *truth, struct plan *plan)
{
    const double share = (1 + truth->draws) / 2;
    const double half = truth->draws > 0 ? log(share / (1 - share)) : 0;
    plan->levels = truth->draws > 0 ? 3 : 2;
    plan->theta[0] = -half - truth->edge;
    plan->theta[1] = half - truth->edge;
    for (size_t j = 0; j < plan->columns; j++)
        plan->beta[j] = truth->logit[plan->material[j]];
}

static enum sy_status draw_rows(const struct sy_experiment *experiment, size_t index, struct plan *plan,
                                struct sy_error *error)
{
    const uint64_t first = index * experiment->games_per_arm;
    plan->x = sy_alloc(plan->rows * plan->columns + 1, sizeof *plan->x);
    for (size_t i = 0; plan->columns > 0 && i < plan->rows; i++) {
        struct sy_game_start start;
        const enum sy_status status = sy_game_draw(experiment, first + i, &start, error);
        if (status == SY_OK) {
            const struct sy_material_count count = sy_count_material(&start.position);
            for (size_t j = 0; j < plan->columns; j++)
                plan->x[i * plan->columns + j] =
                    count.count[SY_WHITE][plan->material[j]] - count.count[SY_BLACK][plan->material[j]];
        }
        sy_game_start_clear(&start);
        if (status != SY_OK)
            return status;
    }
    return SY_OK;
}

/* Always leaves plan->x to be freed. */
static enum sy_status plan_init(const struct sy_experiment *experiment, size_t index,
                                const struct sy_truth *truth, unsigned starts, struct plan *plan,
                                struct sy_error *error)
{
    const struct sy_arm *arm = &experiment->arms[index];
    *plan = (struct plan){
        .arm = arm,
        .level = experiment->fit.confidence,
        .counts_as = experiment->fit.unit_value,
        .rows = (size_t)(starts < experiment->games_per_arm ? starts : experiment->games_per_arm)};
    for (unsigned i = 0; experiment->design == SY_DESIGN_IMBALANCE && i < arm->variant->materials; i++)
        if (!arm->variant->material_royal[i])
            plan->material[plan->columns++] = i;
    for (size_t j = 0; j < plan->columns; j++)
        if (plan->material[j] == arm->unit_material)
            plan->unit = j;
    assume(truth, plan);
    return draw_rows(experiment, index, plan, error);
}

static struct sy_estimate value_at(const struct plan *plan, const struct sy_ordinal_fit *fit, size_t column)
{
    struct sy_estimate value = sy_ratio_fieller_columns(fit, column, plan->unit, plan->level);
    value.low *= plan->counts_as;
    value.high *= plan->counts_as;
    return value;
}

static void expect(const struct plan *plan, double games, struct sy_ordinal_fit *fit)
{
    /* The caller looks at the estimates' own statuses. */
    (void)sy_ordinal_expect(plan->rows, plan->columns, plan->levels, plan->x, plan->theta, plan->beta, games,
                            fit);
}

/* Is every value that can be had at all known to within the half width? */
static bool narrow_enough(const struct plan *plan, double games, double half_width)
{
    struct sy_ordinal_fit fit;
    bool narrow = true;
    expect(plan, games, &fit);
    for (size_t j = 0; fit.status == SY_STAT_OK && j < plan->columns; j++) {
        const struct sy_estimate value = value_at(plan, &fit, j);
        if (fit.column_status[j] == SY_STAT_OK)
            narrow = narrow && value.status == SY_STAT_OK && value.high - value.low <= 2 * half_width;
    }
    narrow = narrow && fit.status == SY_STAT_OK;
    sy_ordinal_clear(&fit);
    return narrow;
}

/* To one game in a thousand; 0 when not even most_games would do. */
static double games_for(const struct plan *plan, double half_width)
{
    double low = 10, high = most_games;
    if (!narrow_enough(plan, high, half_width))
        return 0;
    while (high > low * 1.001) {
        const double middle = sqrt(low * high);
        *(narrow_enough(plan, middle, half_width) ? &high : &low) = middle;
    }
    return ceil(high);
}

/* ---- a pilot ---- */

static const struct sy_json *arm_named(const struct sy_json *summary, const char *label)
{
    const struct sy_json *arm = sy_json_first(sy_json_member(summary, "arms"));
    while (arm != NULL && strcmp(sy_read_string(arm, "label"), label) != 0)
        arm = sy_json_next(arm);
    return arm;
}

static const struct sy_json *material_named(const struct sy_json *arm, const char *name)
{
    const struct sy_json *material = sy_json_first(sy_read_at(arm, "fit", "materials"));
    while (material != NULL && strcmp(sy_read_string(material, "name"), name) != 0)
        material = sy_json_next(material);
    return material;
}

/* The pilot's fit as the truth, with its outer thresholds for a loss and a win. */
static enum sy_status take_pilot(const struct sy_arm *arm, const struct sy_json *summary,
                                 struct sy_truth *truth, struct sy_error *error)
{
    const struct sy_json *pilot = arm_named(summary, arm->label);
    const struct sy_json *thresholds = sy_read_at(pilot, "fit", "thresholds");
    const size_t count = sy_json_count(thresholds);
    if (count == 0)
        return sy_fail(error, SY_BAD_INPUT, "the pilot has no fit of '%s'", arm->label);
    const double low = sy_json_number(sy_json_first(thresholds));
    const double high = sy_json_number(sy_read_item(thresholds, count - 1));
    truth->edge = -(low + high) / 2;
    truth->draws = 2 / (1 + exp(-(high - low) / 2)) - 1;
    for (unsigned i = 0; i < arm->variant->materials; i++) {
        const struct sy_json *material = material_named(pilot, arm->variant->material[i]);
        const double logit = sy_json_number(sy_read_at(material, "logit", "value"));
        truth->logit[i] = isfinite(logit) ? logit : truth->logit[i];
    }
    return SY_OK;
}

/* ---- the table ---- */

static void add_half(struct sy_text *out, struct sy_estimate estimate)
{
    if (estimate.status == SY_STAT_OK)
        sy_text_printf(out, "  %8.3f", (estimate.high - estimate.low) / 2);
    else
        sy_text_printf(out, "  %8s", "-");
}

/* label: NULL for the number of games. */
static void add_row(struct sy_text *out, const struct plan *plan, double games, const char *label)
{
    struct sy_ordinal_fit fit;
    expect(plan, games, &fit);
    if (label == NULL)
        sy_text_printf(out, "%-12.0f", games);
    else
        sy_text_printf(out, "%-12s", label);
    for (size_t j = 0; j < plan->columns; j++)
        add_half(out, j == plan->unit ? sy_ordinal_beta(&fit, j, plan->level) : value_at(plan, &fit, j));
    struct sy_estimate white = {.status = fit.status};
    if (fit.status == SY_STAT_OK)
        white = sy_ordinal_score(&fit, plan->levels == 3 ? category_score : (const double[]){0, 1}, NULL,
                                 plan->level);
    white.low *= 100;
    white.high *= 100;
    add_half(out, white);
    sy_text_puts(out, "\n");
    sy_ordinal_clear(&fit);
}

/* What came out, under what was to be expected of as many games. */
static void add_pilot(struct sy_text *out, const struct plan *plan, const struct sy_json *pilot)
{
    const double games = sy_json_number(sy_read_at(pilot, "fit", "games"));
    if (!(games > 0))
        return;
    add_row(out, plan, games, NULL);
    sy_text_printf(out, "%-12s", "came out");
    for (size_t j = 0; j < plan->columns; j++) {
        const struct sy_json *material =
            material_named(pilot, plan->arm->variant->material[plan->material[j]]);
        const struct sy_json *value = sy_json_member(material, j == plan->unit ? "logit" : "value");
        const double half = (sy_read_number(value, "high") - sy_read_number(value, "low")) / 2;
        add_half(out, (struct sy_estimate){.status = isfinite(half) ? SY_STAT_OK : SY_STAT_TOO_FEW,
                                           .high = 2 * (isfinite(half) ? half : 0)});
    }
    const struct sy_json *white = sy_json_member(sy_read_at(pilot, "fit", "white"), "score");
    const double half = 100 * (sy_read_number(white, "high") - sy_read_number(white, "low")) / 2;
    add_half(out, (struct sy_estimate){.status = isfinite(half) ? SY_STAT_OK : SY_STAT_TOO_FEW,
                                       .high = 2 * (isfinite(half) ? half : 0)});
    sy_text_puts(out, "\n");
}

static void add_heading(struct sy_text *out, const struct plan *plan, const struct sy_truth *truth)
{
    sy_text_printf(out, "%s: half widths of %g %% intervals", plan->arm->label, 100 * plan->level);
    if (plan->columns > 0)
        sy_text_printf(out, ", in units of one %s (its own: logits)",
                       plan->arm->variant->material[plan->arm->unit_material]);
    sy_text_printf(out, "\nassumed: White %+.3f logits, %.0f %% draws between equals", truth->edge,
                   100 * truth->draws);
    if (plan->columns > 0)
        sy_text_printf(out, ", one %s %.3f logits", plan->arm->variant->material[plan->arm->unit_material],
                       plan->beta[plan->unit]);
    sy_text_printf(out, "\n\n%-12s", "games");
    for (size_t j = 0; j < plan->columns; j++)
        sy_text_printf(out, "  %8.8s", plan->arm->variant->material[plan->material[j]]);
    sy_text_printf(out, "  %8s\n", "White, %");
}

static void add_wanted(struct sy_text *out, const struct plan *plan, double half_width)
{
    const double games = games_for(plan, half_width);
    if (games > 0)
        sy_text_printf(out, "every value to within %g: %.0f games\n", half_width, games);
    else
        sy_text_printf(out, "every value to within %g: not with %.0g games\n", half_width, most_games);
}

/* The same experiment with its starts drawn evenly. */
static enum sy_status plan_plainly(const struct sy_experiment *experiment, size_t index,
                                   const struct sy_truth *truth, unsigned starts, struct plan *plan,
                                   struct sy_error *error)
{
    struct sy_experiment even = *experiment;
    even.arms = sy_alloc(experiment->arm_count, sizeof *even.arms);
    memcpy(even.arms, experiment->arms, experiment->arm_count * sizeof *even.arms);
    for (size_t i = 0; i < even.arm_count; i++)
        even.arms[i].choice = NULL;
    const enum sy_status status = plan_init(&even, index, truth, starts, plan, error);
    plan->arm = &experiment->arms[index];
    free(even.arms);
    return status;
}

static enum sy_status add_arm(const struct sy_experiment *experiment, size_t index, struct sy_truth *truth,
                              const struct sy_power_options *options, const struct sy_json *summary,
                              struct sy_text *out, struct sy_error *error)
{
    const struct sy_arm *arm = &experiment->arms[index];
    struct plan plan = {.x = NULL}, plain = {.x = NULL};
    const bool chosen = arm->choice != NULL;
    enum sy_status status = summary == NULL ? SY_OK : take_pilot(arm, summary, truth, error);
    if (status == SY_OK)
        status = plan_init(experiment, index, truth, options->starts, &plan, error);
    if (status == SY_OK && chosen)
        status = plan_plainly(experiment, index, truth, options->starts, &plain, error);
    if (status == SY_OK) {
        sy_text_puts(out, index > 0 ? "\n" : "");
        add_heading(out, &plan, truth);
        for (size_t i = 0; i < options->games_count; i++) {
            add_row(out, &plan, options->games[i], NULL);
            if (chosen)
                add_row(out, &plain, options->games[i], "drawn evenly");
        }
        if (summary != NULL)
            add_pilot(out, &plan, arm_named(summary, arm->label));
        if (options->half_width > 0 && plan.columns > 0)
            add_wanted(out, &plan, options->half_width);
    }
    free(plan.x);
    free(plain.x);
    return status;
}

enum sy_status sy_power_table(const struct sy_experiment *experiment, struct sy_truth *truths,
                              const struct sy_power_options *options, char **table, struct sy_error *error)
{
    struct sy_text out = SY_TEXT_INIT;
    struct sy_json_doc *doc = NULL;
    enum sy_status status = SY_OK;
    if (experiment->design != SY_DESIGN_IMBALANCE && experiment->design != SY_DESIGN_FIRST_MOVE)
        return sy_fail(
            error, SY_BAD_INPUT,
            "the rows of the %s design come out of games, so that nothing is known before they are "
            "played",
            sy_design_name(experiment->design));
    if (options->pilot != NULL) {
        char *path = sy_format("%s/summary.json", options->pilot);
        status = sy_json_read_file(path, &doc, error);
        free(path);
    }
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++)
        status =
            add_arm(experiment, i, &truths[i], options, doc == NULL ? NULL : sy_json_root(doc), &out, error);
    sy_json_free(doc);
    if (status == SY_OK)
        *table = out.bytes;
    else
        sy_text_clear(&out);
    return status;
}
