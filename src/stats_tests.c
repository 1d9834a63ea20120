/* Tests of linear hypotheses about estimates whose covariance is known.
 *
 * Both solve against a covariance matrix by its Cholesky factor, scaled to a unit diagonal so that units
 * don't matter. "estimate = scale * suggested" is fitted by generalised least squares; the residual sum of
 * squares is chi-square with size - 1 degrees of freedom, and equals the Wald test that all ratios are as
 * suggested, whichever is taken as the unit. */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

/* A pivot this small, of a matrix with unit diagonal, is a redundant row. */
static const double redundant_pivot = 1e-6;

struct factor {
    size_t size;
    double *lower, *scale;
};

static void factor_clear(struct factor *factor)
{
    free(factor->lower);
    free(factor->scale);
}

/* Always leaves *factor to be cleared. */
static enum sy_stat factor_init(struct factor *factor, size_t size, const double *matrix)
{
    *factor =
        (struct factor){size, sy_alloc(size * size + 1, sizeof(double)), sy_alloc(size + 1, sizeof(double))};
    sy_stats_quiet_gsl();
    for (size_t i = 0; i < size; i++) {
        if (!(matrix[i * size + i] > 0))
            return SY_STAT_COLLINEAR;
        factor->scale[i] = sqrt(matrix[i * size + i]);
    }
    for (size_t i = 0; i < size * size; i++)
        factor->lower[i] = matrix[i] / factor->scale[i / size] / factor->scale[i % size];
    gsl_matrix_view lower = gsl_matrix_view_array(factor->lower, size, size);
    if (gsl_linalg_cholesky_decomp1(&lower.matrix) != GSL_SUCCESS)
        return SY_STAT_COLLINEAR;
    for (size_t i = 0; i < size; i++)
        if (!(factor->lower[i * size + i] > redundant_pivot))
            return SY_STAT_COLLINEAR;
    return SY_STAT_OK;
}

/* L^-1 vector, so that inner products of results are a'V^-1 b. The caller frees. */
static double *whiten(const struct factor *factor, const double *vector)
{
    double *white = sy_alloc(factor->size + 1, sizeof *white);
    for (size_t i = 0; i < factor->size; i++) {
        white[i] = vector[i] / factor->scale[i];
        for (size_t j = 0; j < i; j++)
            white[i] -= factor->lower[i * factor->size + j] * white[j];
        white[i] /= factor->lower[i * factor->size + i];
    }
    return white;
}

static double inner(size_t size, const double *left, const double *right)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += left[i] * right[i];
    return sum;
}

/* out = hypothesis * covariance * hypothesis' */
static void project(size_t size, const double *covariance, size_t count, const double *hypothesis,
                    double *out)
{
    double *half = sy_alloc(size + 1, sizeof *half);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < size; j++) {
            half[j] = 0;
            for (size_t k = 0; k < size; k++)
                half[j] += hypothesis[i * size + k] * covariance[k * size + j];
        }
        for (size_t j = 0; j < count; j++)
            out[i * count + j] = inner(size, half, hypothesis + j * size);
    }
    free(half);
}

struct sy_chi_square sy_wald_test(size_t size, const double *estimate, const double *covariance, size_t count,
                                  const double *hypothesis, const double *target)
{
    struct sy_chi_square test = {.freedom = count};
    if (count == 0 || !sy_all_finite(size, estimate) || !sy_all_finite(size * size, covariance) ||
        !sy_all_finite(count * size, hypothesis) || (target && !sy_all_finite(count, target))) {
        test.status = count == 0 ? SY_STAT_TOO_FEW : SY_STAT_BAD_DATA;
        return test;
    }
    double *variance = sy_alloc(count * count, sizeof *variance), *gap = sy_alloc(count, sizeof *gap);
    struct factor factor;
    project(size, covariance, count, hypothesis, variance);
    for (size_t i = 0; i < count; i++)
        gap[i] = inner(size, hypothesis + i * size, estimate) - (target ? target[i] : 0);
    test.status = factor_init(&factor, count, variance);
    if (test.status == SY_STAT_OK) {
        double *white = whiten(&factor, gap);
        test.statistic = inner(count, white, white);
        test.p = sy_chi_square_p(test.statistic, (double)count);
        free(white);
    }
    factor_clear(&factor);
    free(variance);
    free(gap);
    return test;
}

static void departures(size_t size, const double *estimate, const double *covariance, const double *suggested,
                       struct sy_estimate scale, double *z, double *p)
{
    for (size_t i = 0; i < size; i++) {
        double own = covariance[i * size + i];
        double variance = own - suggested[i] * suggested[i] * scale.error * scale.error;
        double gap = estimate[i] - scale.value * suggested[i];
        /* With nothing else to set the scale, an entry can't depart from it. */
        double departure = variance > 1e-12 * own ? gap / sqrt(variance) : 0;
        if (z)
            z[i] = departure;
        if (p)
            p[i] = sy_normal_p(departure);
    }
}

static struct sy_chi_square refuse_test(enum sy_stat status, size_t size, struct sy_estimate *scale,
                                        double *z, double *p)
{
    *scale = (struct sy_estimate){.status = status};
    for (size_t i = 0; i < size; i++) {
        if (z)
            z[i] = 0;
        if (p)
            p[i] = 1;
    }
    return (struct sy_chi_square){.status = status, .freedom = size > 0 ? size - 1 : 0};
}

struct sy_chi_square sy_proportional_test(size_t size, const double *estimate, const double *covariance,
                                          const double *suggested, double level, struct sy_estimate *scale,
                                          double *z, double *p)
{
    if (size < 2)
        return refuse_test(SY_STAT_TOO_FEW, size, scale, z, p);
    if (!sy_all_finite(size, estimate) || !sy_all_finite(size * size, covariance) ||
        !sy_all_finite(size, suggested) || !(inner(size, suggested, suggested) > 0))
        return refuse_test(SY_STAT_BAD_DATA, size, scale, z, p);
    struct factor factor;
    enum sy_stat status = factor_init(&factor, size, covariance);
    struct sy_chi_square test = refuse_test(status, size, scale, z, p);
    if (status == SY_STAT_OK) {
        double *b = whiten(&factor, estimate), *s = whiten(&factor, suggested);
        double strength = inner(size, s, s), best = inner(size, s, b) / strength, error = 1 / sqrt(strength);
        double half = sy_normal_quantile((1 + level) / 2) * error;
        *scale = (struct sy_estimate){.value = best, .error = error, .low = best - half, .high = best + half};
        for (size_t i = 0; i < size; i++)
            test.statistic += (b[i] - best * s[i]) * (b[i] - best * s[i]);
        test.p = sy_chi_square_p(test.statistic, (double)(size - 1));
        departures(size, estimate, covariance, suggested, *scale, z, p);
        free(b);
        free(s);
    }
    factor_clear(&factor);
    return test;
}

/* The variance of vector'estimate. */
static double variance_of(size_t size, const double *covariance, const double *vector)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += vector[i] * inner(size, covariance + i * size, vector);
    return sum;
}

enum sy_stat sy_departures(size_t size, const double *estimate, const double *covariance,
                           const double *suggested, double level, struct sy_estimate *scale, double *weights,
                           double *z, double *p)
{
    *scale = (struct sy_estimate){.status = SY_STAT_BAD_DATA};
    if (!sy_all_finite(size, estimate) || !sy_all_finite(size * size, covariance) ||
        !sy_all_finite(size, suggested))
        return scale->status;
    double strength = 0;
    for (size_t i = 0; i < size; i++) {
        if (!(covariance[i * size + i] > 0))
            return scale->status = SY_STAT_COLLINEAR;
        weights[i] = suggested[i] / covariance[i * size + i];
        strength += weights[i] * suggested[i];
    }
    if (!(strength > 0))
        return scale->status;
    double *gap = sy_alloc(size + 1, sizeof *gap);
    for (size_t i = 0; i < size; i++)
        weights[i] /= strength;
    const double best = inner(size, weights, estimate), error = sqrt(variance_of(size, covariance, weights));
    const double half = sy_normal_quantile((1 + level) / 2) * error;
    *scale = (struct sy_estimate){.value = best, .error = error, .low = best - half, .high = best + half};
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++)
            gap[j] = (i == j) - suggested[i] * weights[j];
        const double variance = variance_of(size, covariance, gap);
        /* With nothing else to set the scale, an entry can't depart from it. */
        z[i] = variance > 1e-12 * covariance[i * size + i]
                   ? (estimate[i] - best * suggested[i]) / sqrt(variance)
                   : 0;
        p[i] = sy_normal_p(z[i]);
    }
    free(gap);
    return SY_STAT_OK;
}
