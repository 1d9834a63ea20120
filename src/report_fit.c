/* How well the score model fits: predicted against observed scores, and what is left over by material
 * difference.
 *
 * Predictions come from the thresholds and logits that summary.json holds, rows from the same design as the
 * fit; nothing is fitted anew. A piece without an estimate counts nothing, as it did in the fit. */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALIBRATION_BINS = 10, FEWEST_GAMES = 10 };

struct model {
    size_t levels;
    double threshold[SY_SCORE_CATEGORIES], score[SY_SCORE_CATEGORIES], logit[SY_MAX_TYPES];
};

/* A row with what the model says of it. */
struct judged {
    size_t row;
    double predicted, difference; /* material, in units as the engine believed */
};

static bool read_model(const struct sy_json *fit, struct model *model)
{
    memset(model, 0, sizeof *model);
    const struct sy_json *score = sy_json_first(sy_json_member(fit, "scores"));
    for (; score && model->levels < SY_SCORE_CATEGORIES; score = sy_json_next(score)) {
        model->score[model->levels++] = sy_json_number(score);
    }
    size_t thresholds = 0;
    const struct sy_json *threshold = sy_json_first(sy_json_member(fit, "thresholds"));
    for (; threshold && thresholds < SY_SCORE_CATEGORIES; threshold = sy_json_next(threshold)) {
        model->threshold[thresholds++] = sy_json_number(threshold);
    }
    size_t column = 0;
    const struct sy_json *material = sy_json_first(sy_json_member(fit, "materials"));
    for (; material && column < SY_MAX_TYPES; material = sy_json_next(material)) {
        const double logit = sy_json_number(sy_read_at(material, "logit", "value"));
        model->logit[column++] = isfinite(logit) ? logit : 0.0;
    }
    return column > 0 && model->levels > 1 && thresholds == model->levels - 1;
}

static double predict(const struct model *model, const double *x, size_t columns)
{
    double strength = 0.0;
    for (size_t column = 0; column < columns; column++) {
        strength += x[column] * model->logit[column];
    }
    double score = 0.0;
    double below = 0.0;
    for (size_t level = 0; level < model->levels; level++) {
        const double up_to =
            level + 1 < model->levels ? 1.0 / (1.0 + exp(strength - model->threshold[level])) : 1.0;
        score += (up_to - below) * model->score[level];
        below = up_to;
    }
    return score;
}

static struct judged *judge(const struct sy_arm_games *games, const struct model *model,
                            const struct sy_design_rows *rows)
{
    struct judged *judged = sy_alloc(rows->rows + 1, sizeof *judged);
    const double unit = games->arm->params.value[games->arm->unit_material];
    for (size_t row = 0; row < rows->rows; row++) {
        const double *x = rows->x + row * rows->columns;
        judged[row] = (struct judged){.row = row, .predicted = predict(model, x, rows->columns)};
        for (size_t column = 0; column < rows->columns; column++) {
            judged[row].difference += x[column] * games->arm->params.value[rows->material[column]];
        }
        judged[row].difference /= unit > 0.0 ? unit : 1.0;
    }
    return judged;
}

static int compare_rows(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int by_prediction(const void *a, const void *b)
{
    const struct judged *left = a;
    const struct judged *right = b;
    if (left->predicted != right->predicted) {
        return left->predicted < right->predicted ? -1 : 1;
    }
    return compare_rows(left->row, right->row);
}

static int by_difference(const void *a, const void *b)
{
    const struct judged *left = a;
    const struct judged *right = b;
    if (left->difference != right->difference) {
        return left->difference < right->difference ? -1 : 1;
    }
    return compare_rows(left->row, right->row);
}

/* The mean over rows first .. end-1 of the score, less the predicted one if asked for. */
static struct sy_bin make_bin(const struct sy_design_rows *rows, const struct judged *judged, size_t first,
                              size_t end, bool residual, double level)
{
    const size_t count = end - first;
    double *value = sy_alloc(count + 1, sizeof *value);
    double *weight = sy_alloc(count + 1, sizeof *weight);
    int64_t *cluster = sy_alloc(count + 1, sizeof *cluster);
    double total = 0.0;
    struct sy_bin bin = {.at = 0.0};
    for (size_t i = 0; i < count; i++) {
        const struct judged *one = &judged[first + i];
        value[i] = sy_category_score[rows->outcome[one->row]] - (residual ? one->predicted : 0.0);
        weight[i] = rows->weight[one->row];
        cluster[i] = rows->cluster[one->row];
        total += weight[i];
        bin.at += weight[i] * (residual ? one->difference : one->predicted);
    }
    bin.at /= total;
    bin.games = (size_t)lround(total);
    bin.observed = sy_mean(count, value, weight, cluster, level);
    free(value);
    free(weight);
    free(cluster);
    return bin;
}

static void calibrate(const struct sy_design_rows *rows, struct judged *judged, double level,
                      struct sy_fit_check *check)
{
    qsort(judged, rows->rows, sizeof *judged, by_prediction);
    const size_t bins =
        rows->games / FEWEST_GAMES < CALIBRATION_BINS ? rows->games / FEWEST_GAMES : (size_t)CALIBRATION_BINS;
    for (size_t bin = 0; bin < bins; bin++) {
        const size_t first = bin * rows->rows / bins;
        const size_t end = (bin + 1) * rows->rows / bins;
        const struct sy_bin made = make_bin(rows, judged, first, end, false, level);
        if (made.observed.status == SY_STAT_OK) {
            check->calibration[check->calibrations++] = made;
        }
    }
}

/* The end of the bin that begins with that row: bins are `width` units wide, one of them around 0. */
static size_t end_of_bin(const struct judged *judged, size_t rows, size_t first, double width)
{
    const double here = floor(judged[first].difference / width + 0.5);
    size_t end = first + 1;
    while (end < rows && floor(judged[end].difference / width + 0.5) <= here) {
        end++;
    }
    return end;
}

/* The least whole width with which all bins of enough rows have room. */
static double bin_width(const struct judged *judged, size_t rows)
{
    for (double width = 1.0;; width += 1.0) {
        size_t bins = 0;
        for (size_t first = 0, end; first < rows; first = end) {
            end = end_of_bin(judged, rows, first, width);
            bins += end - first >= FEWEST_GAMES;
        }
        if (bins <= SY_MOST_BINS) {
            return width;
        }
    }
}

/* Bins of so many whole units of difference, those that enough games have. */
static void find_residuals(const struct sy_design_rows *rows, struct judged *judged, double level,
                           struct sy_fit_check *check)
{
    qsort(judged, rows->rows, sizeof *judged, by_difference);
    const double width = bin_width(judged, rows->rows);
    for (size_t first = 0, end; first < rows->rows; first = end) {
        end = end_of_bin(judged, rows->rows, first, width);
        const struct sy_bin bin = make_bin(rows, judged, first, end, true, level);
        if (bin.games >= FEWEST_GAMES && bin.observed.status == SY_STAT_OK) {
            check->residual[check->residuals++] = bin;
        }
    }
}

enum sy_status sy_fit_check_compute(const struct sy_arm_games *games, const struct sy_json *arm,
                                    struct sy_fit_check *check, struct sy_error *error)
{
    const struct sy_json *fit = sy_json_member(arm, "fit");
    struct sy_design_rows rows = {0};
    struct model model;
    memset(check, 0, sizeof *check);
    if (strcmp(sy_read_string(fit, "status"), "ok") != 0 || !read_model(fit, &model)) {
        return SY_OK;
    }
    const enum sy_status status = sy_design_build(games, &rows, error);
    if (status == SY_OK && rows.columns == sy_json_count(sy_json_member(fit, "materials"))) {
        struct judged *judged = judge(games, &model, &rows);
        calibrate(&rows, judged, games->experiment->fit.confidence, check);
        find_residuals(&rows, judged, games->experiment->fit.confidence, check);
        free(judged);
    }
    sy_design_clear(&rows);
    return status;
}
