/* Intervals for what a fit says: coefficients, ratios, the expected score, the first-move term.
 *
 * Each quantity is a function of the fit's parameters; its gradient gives the delta method's error from the
 * sandwich, and its influence by cluster for BCa's acceleration. Sources: E. Fieller, J. R. Stat. Soc. B 16
 * (1954), for ratios; B. Efron, JASA 82 (1987), for BCa. */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t fewest_replicates = 100;

/* A quantity, its gradient by the fit's parameters, and where it can't be had, why. */
struct quantity {
    enum sy_stat status;
    double value;
    double *gradient;
};

static struct sy_estimate refuse(enum sy_stat status)
{
    return (struct sy_estimate){.status = status};
}

static double two_sided_z(double level)
{
    assert(level > 0 && level < 1);
    return sy_normal_quantile((1 + level) / 2);
}

static struct quantity start_quantity(const struct sy_ordinal_fit *fit)
{
    struct quantity q = {.status = fit->status};
    q.gradient = sy_alloc(fit->parameters + 1, sizeof *q.gradient);
    return q;
}

static double covariance_of(const struct sy_ordinal_fit *fit, const double *left, const double *right)
{
    size_t m = fit->parameters;
    double sum = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            sum += left[i] * fit->sandwich[i * m + j] * right[j];
    return sum;
}

static double error_of(const struct sy_ordinal_fit *fit, const struct quantity *q)
{
    return sqrt(fmax(covariance_of(fit, q->gradient, q->gradient), 0));
}

static struct sy_estimate wald(const struct sy_ordinal_fit *fit, const struct quantity *q, double level)
{
    if (q->status != SY_STAT_OK)
        return refuse(q->status);
    double error = error_of(fit, q), z = two_sided_z(level);
    return (struct sy_estimate){
        .value = q->value, .error = error, .low = q->value - z * error, .high = q->value + z * error};
}

/* ---- Quantities ---- */

static struct quantity combination(const struct sy_ordinal_fit *fit, const double *weights)
{
    struct quantity q = start_quantity(fit);
    for (size_t j = 0; q.status == SY_STAT_OK && j < fit->columns; j++) {
        if (weights[j] < 0 || weights[j] > 0) {
            q.status = fit->column_status[j];
            q.value += weights[j] * fit->beta[j];
            q.gradient[fit->levels - 1 + j] = weights[j];
        }
    }
    return q;
}

static double *unit_vector(size_t size, size_t at)
{
    double *vector = sy_alloc(size + 1, sizeof *vector);
    assert(at < size);
    vector[at] = 1;
    return vector;
}

/* The worths of the levels, checked; NULL when they don't ascend within [0, 1]. */
static double *level_worths(const struct sy_ordinal_fit *fit, const double *category_score)
{
    double *worth = sy_alloc(fit->levels + 1, sizeof *worth);
    for (size_t k = 0; k < fit->levels; k++) {
        worth[k] = category_score[fit->level_category[k]];
        if (!(worth[k] >= 0 && worth[k] <= 1) || (k > 0 && worth[k] < worth[k - 1])) {
            free(worth);
            return NULL;
        }
    }
    return worth;
}

static struct quantity expected_score(const struct sy_ordinal_fit *fit, const double *category_score,
                                      const double *x)
{
    struct quantity q = start_quantity(fit);
    double *worth = NULL, eta = 0, by_eta;
    if (q.status == SY_STAT_OK && !fit->thresholds_identified)
        q.status = SY_STAT_NOT_IDENTIFIED;
    if (q.status == SY_STAT_OK && !(worth = level_worths(fit, category_score)))
        q.status = SY_STAT_BAD_DATA;
    for (size_t j = 0; x && q.status == SY_STAT_OK && j < fit->columns; j++) {
        eta += x[j] * fit->beta[j];
        if (x[j] < 0 || x[j] > 0)
            q.status = fit->column_status[j];
    }
    if (q.status == SY_STAT_OK) {
        q.value = sy_expected_score(fit->levels, fit->theta, worth, eta, &by_eta, q.gradient);
        for (size_t j = 0; x && j < fit->columns; j++)
            q.gradient[fit->levels - 1 + j] = by_eta * x[j];
        if (!(q.value > 0 && q.value < 1))
            q.status = SY_STAT_BOUNDARY;
    }
    free(worth);
    return q;
}

static struct quantity latent(const struct sy_ordinal_fit *fit)
{
    struct quantity q = start_quantity(fit);
    if (q.status == SY_STAT_OK && !fit->thresholds_identified)
        q.status = SY_STAT_NOT_IDENTIFIED;
    for (size_t k = 0; q.status == SY_STAT_OK && k + 1 < fit->levels; k++) {
        q.gradient[k] = -1 / (double)(fit->levels - 1);
        q.value += q.gradient[k] * fit->theta[k];
    }
    return q;
}

static struct quantity even_advantage(const struct sy_ordinal_fit *fit, const double *category_score)
{
    struct quantity q = start_quantity(fit);
    double *worth = NULL, by_eta = 0;
    if (q.status == SY_STAT_OK && !fit->thresholds_identified)
        q.status = SY_STAT_NOT_IDENTIFIED;
    if (q.status == SY_STAT_OK && !(worth = level_worths(fit, category_score)))
        q.status = SY_STAT_BAD_DATA;
    if (q.status == SY_STAT_OK && !sy_even_advantage(fit->levels, fit->theta, worth, &q.value))
        q.status = SY_STAT_BOUNDARY;
    if (q.status == SY_STAT_OK) {
        sy_expected_score(fit->levels, fit->theta, worth, -q.value, &by_eta, q.gradient);
        if (!(by_eta > 0))
            q.status = SY_STAT_BOUNDARY;
        for (size_t k = 0; q.status == SY_STAT_OK && k + 1 < fit->levels; k++)
            q.gradient[k] /= by_eta;
    }
    free(worth);
    return q;
}

/* ---- Delta-method intervals ---- */

struct sy_estimate sy_ordinal_beta(const struct sy_ordinal_fit *fit, size_t column, double level)
{
    double *weights = unit_vector(fit->columns, column);
    struct quantity q = combination(fit, weights);
    struct sy_estimate estimate = wald(fit, &q, level);
    free(q.gradient);
    free(weights);
    return estimate;
}

struct sy_estimate sy_ordinal_score(const struct sy_ordinal_fit *fit, const double *category_score,
                                    const double *x, double level)
{
    struct quantity q = expected_score(fit, category_score, x);
    struct sy_estimate estimate = refuse(q.status);
    if (q.status == SY_STAT_OK) {
        double error = error_of(fit, &q), logit = log(q.value / (1 - q.value));
        double half = two_sided_z(level) * error / (q.value * (1 - q.value));
        estimate = (struct sy_estimate){.value = q.value,
                                        .error = error,
                                        .low = 1 / (1 + exp(half - logit)),
                                        .high = 1 / (1 + exp(-half - logit))};
    }
    free(q.gradient);
    return estimate;
}

struct sy_estimate sy_ordinal_latent(const struct sy_ordinal_fit *fit, double level)
{
    struct quantity q = latent(fit);
    struct sy_estimate estimate = wald(fit, &q, level);
    free(q.gradient);
    return estimate;
}

struct sy_estimate sy_ordinal_advantage(const struct sy_ordinal_fit *fit, const double *category_score,
                                        double level)
{
    struct quantity q = even_advantage(fit, category_score);
    struct sy_estimate estimate = wald(fit, &q, level);
    free(q.gradient);
    return estimate;
}

/* ---- Bootstrap intervals ---- */

/* Replicate values of one quantity: `value` holds the `good` ones first. */
struct sample {
    double *value;
    size_t good, failures;
};

static struct sample start_sample(const struct sy_bootstrap *bootstrap)
{
    return (struct sample){.value = sy_alloc(bootstrap->replicates + 1, sizeof(double))};
}

static void add_value(struct sample *sample, enum sy_stat status, double value)
{
    if (status == SY_STAT_OK && isfinite(value))
        sample->value[sample->good++] = value;
    else
        sample->failures++;
}

static double spread(const struct sample *sample)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < sample->good; i++)
        sum += sample->value[i];
    double mean = sum / (double)sample->good;
    for (size_t i = 0; i < sample->good; i++)
        squares += (sample->value[i] - mean) * (sample->value[i] - mean);
    return sqrt(squares / (double)(sample->good - 1));
}

/* Sum of cubes over the power 3/2 of the sum of squares of the clusters' influence on the quantity, over 6.
 */
static double acceleration(const struct sy_ordinal_fit *fit, const double *gradient)
{
    double squares = 0, cubes = 0;
    for (size_t g = 0; g < fit->clusters; g++) {
        double influence = 0;
        for (size_t i = 0; i < fit->parameters; i++)
            influence += gradient[i] * fit->influence[g * fit->parameters + i];
        squares += influence * influence;
        cubes += influence * influence * influence;
    }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* Which quantile of the replicates is BCa's end for the normal quantile z. */
static bool bca_tail(double bias, double speed, double z, double *tail)
{
    double divisor = 1 - speed * (bias + z);
    if (!(divisor > 0))
        return false;
    *tail = gsl_cdf_ugaussian_P(bias + (bias + z) / divisor);
    return true;
}

static bool bca_tails(const struct sy_ordinal_fit *fit, const struct quantity *q, const struct sample *sample,
                      double z, double *low, double *high)
{
    double below = 0;
    for (size_t i = 0; i < sample->good; i++)
        below += sample->value[i] < q->value ? 1 : sample->value[i] > q->value ? 0 : 0.5;
    double share = below / (double)sample->good;
    if (!(share > 0 && share < 1))
        return false;
    double bias = sy_normal_quantile(share), speed = acceleration(fit, q->gradient);
    return bca_tail(bias, speed, -z, low) && bca_tail(bias, speed, z, high);
}

/* Sorts the sample. */
static struct sy_estimate resampled(const struct sy_ordinal_fit *fit, const struct quantity *q,
                                    struct sample *sample, enum sy_bootstrap_interval kind, double level)
{
    double low = (1 - level) / 2, high = (1 + level) / 2;
    double all = (double)(sample->good + sample->failures);
    struct sy_estimate estimate = {.status = q->status, .failures = sample->failures};
    if (q->status != SY_STAT_OK)
        return estimate;
    if ((double)sample->failures > SY_BOOTSTRAP_MAX_FAILURES * all)
        estimate.status = SY_STAT_TOO_MANY_FAILURES;
    else if (sample->good < fewest_replicates)
        estimate.status = SY_STAT_TOO_FEW;
    else if (kind == SY_BCA && !bca_tails(fit, q, sample, two_sided_z(level), &low, &high))
        estimate.status = SY_STAT_BOUNDARY;
    if (estimate.status != SY_STAT_OK)
        return estimate;
    sy_sort_doubles(sample->good, sample->value);
    estimate.value = q->value;
    estimate.error = spread(sample);
    estimate.low = sy_quantile_sorted(sample->good, sample->value, low);
    estimate.high = sy_quantile_sorted(sample->good, sample->value, high);
    return estimate;
}

static enum sy_stat replicate_combination(const struct sy_bootstrap *bootstrap, size_t replicate,
                                          const double *weights, double *value)
{
    *value = 0;
    for (size_t j = 0; j < bootstrap->columns; j++) {
        size_t at = replicate * bootstrap->columns + j;
        if (!(weights[j] < 0 || weights[j] > 0))
            continue;
        if (bootstrap->column_status[at] != SY_STAT_OK)
            return bootstrap->column_status[at];
        *value += weights[j] * bootstrap->beta[at];
    }
    return SY_STAT_OK;
}

static struct sy_estimate resampled_combination(const struct sy_ordinal_fit *fit,
                                                const struct sy_bootstrap *bootstrap, const double *weights,
                                                enum sy_bootstrap_interval kind, double level)
{
    struct quantity q = combination(fit, weights);
    struct sample sample = start_sample(bootstrap);
    for (size_t i = 0; i < bootstrap->replicates; i++) {
        double value;
        enum sy_stat status = replicate_combination(bootstrap, i, weights, &value);
        add_value(&sample, status, value);
    }
    struct sy_estimate estimate = resampled(fit, &q, &sample, kind, level);
    free(sample.value);
    free(q.gradient);
    return estimate;
}

struct sy_estimate sy_bootstrap_beta(const struct sy_ordinal_fit *fit, const struct sy_bootstrap *bootstrap,
                                     size_t column, enum sy_bootstrap_interval kind, double level)
{
    double *weights = unit_vector(fit->columns, column);
    struct sy_estimate estimate = resampled_combination(fit, bootstrap, weights, kind, level);
    free(weights);
    return estimate;
}

/* Takes q's gradient. */
static struct sy_estimate resampled_values(const struct sy_ordinal_fit *fit, struct quantity q, size_t count,
                                           const double *values, const enum sy_stat *statuses,
                                           enum sy_bootstrap_interval kind, double level)
{
    struct sample sample = {.value = sy_alloc(count + 1, sizeof(double))};
    for (size_t i = 0; i < count; i++)
        add_value(&sample, statuses[i], values[i]);
    struct sy_estimate estimate = resampled(fit, &q, &sample, kind, level);
    free(sample.value);
    free(q.gradient);
    return estimate;
}

struct sy_estimate sy_bootstrap_score(const struct sy_ordinal_fit *fit, const struct sy_bootstrap *bootstrap,
                                      const double *category_score, enum sy_bootstrap_interval kind,
                                      double level)
{
    return resampled_values(fit, expected_score(fit, category_score, NULL), bootstrap->replicates,
                            bootstrap->score, bootstrap->score_status, kind, level);
}

struct sy_estimate sy_bootstrap_advantage(const struct sy_ordinal_fit *fit,
                                          const struct sy_bootstrap *bootstrap, const double *category_score,
                                          enum sy_bootstrap_interval kind, double level)
{
    return resampled_values(fit, even_advantage(fit, category_score), bootstrap->replicates,
                            bootstrap->advantage, bootstrap->advantage_status, kind, level);
}

/* ---- Ratios ---- */

static bool reaches_zero(struct sy_estimate estimate)
{
    return estimate.status == SY_STAT_OK && estimate.low <= 0 && estimate.high >= 0;
}

static bool same_sides(const struct sy_ordinal_fit *fit, struct sy_ratio ratio)
{
    for (size_t j = 0; j < fit->columns; j++)
        if (ratio.over[j] < ratio.under[j] || ratio.over[j] > ratio.under[j])
            return false;
    return true;
}

/* The ratio with its gradient, refused when the unit's Wald interval reaches 0. The two sides go to *over and
 * *under, whose gradients the caller frees. */
static struct quantity ratio_quantity(const struct sy_ordinal_fit *fit, struct sy_ratio ratio, double level,
                                      struct quantity *over, struct quantity *under)
{
    struct quantity q = start_quantity(fit);
    *over = combination(fit, ratio.over);
    *under = combination(fit, ratio.under);
    q.status = over->status != SY_STAT_OK ? over->status : under->status;
    if (q.status == SY_STAT_OK && reaches_zero(wald(fit, under, level)))
        q.status = SY_STAT_UNIT_NEAR_ZERO;
    if (q.status == SY_STAT_OK) {
        q.value = over->value / under->value;
        for (size_t i = 0; i < fit->parameters; i++)
            q.gradient[i] = (over->gradient[i] - q.value * under->gradient[i]) / under->value;
    }
    return q;
}

/* The ratios r for which over - r under is within z errors of 0: the roots of a r^2 - 2 b r + c. */
static struct sy_estimate fieller(const struct sy_ordinal_fit *fit, const struct quantity *q,
                                  const struct quantity *over, const struct quantity *under, double z)
{
    double a = under->value * under->value - z * z * covariance_of(fit, under->gradient, under->gradient);
    double b = over->value * under->value - z * z * covariance_of(fit, over->gradient, under->gradient);
    double c = over->value * over->value - z * z * covariance_of(fit, over->gradient, over->gradient);
    if (!(a > 0))
        return refuse(SY_STAT_UNIT_NEAR_ZERO);
    double root = sqrt(fmax(b * b - a * c, 0));
    return (struct sy_estimate){
        .value = q->value, .error = error_of(fit, q), .low = (b - root) / a, .high = (b + root) / a};
}

struct sy_estimate sy_ratio_fieller(const struct sy_ordinal_fit *fit, struct sy_ratio ratio, double level)
{
    struct quantity over, under, q = ratio_quantity(fit, ratio, level, &over, &under);
    struct sy_estimate estimate = refuse(q.status);
    if (q.status == SY_STAT_OK && same_sides(fit, ratio))
        estimate = (struct sy_estimate){.value = 1, .low = 1, .high = 1};
    else if (q.status == SY_STAT_OK)
        estimate = fieller(fit, &q, &over, &under, two_sided_z(level));
    free(q.gradient);
    free(over.gradient);
    free(under.gradient);
    return estimate;
}

static struct sample sample_ratio(const struct sy_bootstrap *bootstrap, struct sy_ratio ratio)
{
    struct sample sample = start_sample(bootstrap);
    for (size_t i = 0; i < bootstrap->replicates; i++) {
        double over, under;
        enum sy_stat status = replicate_combination(bootstrap, i, ratio.over, &over);
        if (status == SY_STAT_OK)
            status = replicate_combination(bootstrap, i, ratio.under, &under);
        add_value(&sample, status, status == SY_STAT_OK ? over / under : 0);
    }
    return sample;
}

struct sy_estimate sy_ratio_bootstrap(const struct sy_ordinal_fit *fit, const struct sy_bootstrap *bootstrap,
                                      struct sy_ratio ratio, enum sy_bootstrap_interval kind, double level)
{
    struct quantity over, under, q = ratio_quantity(fit, ratio, level, &over, &under);
    struct sample sample = sample_ratio(bootstrap, ratio);
    if (q.status == SY_STAT_OK &&
        reaches_zero(resampled_combination(fit, bootstrap, ratio.under, SY_PERCENTILE, level)))
        q.status = SY_STAT_UNIT_NEAR_ZERO;
    struct sy_estimate estimate = {.failures = sample.failures, .value = 1, .low = 1, .high = 1};
    if (q.status != SY_STAT_OK || !same_sides(fit, ratio))
        estimate = resampled(fit, &q, &sample, kind, level);
    free(sample.value);
    free(q.gradient);
    free(over.gradient);
    free(under.gradient);
    return estimate;
}

struct sy_estimate sy_ratio_fieller_columns(const struct sy_ordinal_fit *fit, size_t column, size_t unit,
                                            double level)
{
    double *over = unit_vector(fit->columns, column), *under = unit_vector(fit->columns, unit);
    struct sy_estimate estimate = sy_ratio_fieller(fit, (struct sy_ratio){over, under}, level);
    free(over);
    free(under);
    return estimate;
}

struct sy_estimate sy_ratio_bootstrap_columns(const struct sy_ordinal_fit *fit,
                                              const struct sy_bootstrap *bootstrap, size_t column,
                                              size_t unit, enum sy_bootstrap_interval kind, double level)
{
    double *over = unit_vector(fit->columns, column), *under = unit_vector(fit->columns, unit);
    struct sy_estimate estimate =
        sy_ratio_bootstrap(fit, bootstrap, (struct sy_ratio){over, under}, kind, level);
    free(over);
    free(under);
    return estimate;
}
