/* Names of statuses, and the small classics: shares, means, quantiles, corrections for many tests.
 *
 * Sources: E. Wilson, JASA 22 (1927); S. Holm, Scand. J. Stat. 6 (1979); R. Hyndman, Y. Fan, Am. Stat. 50
 * (1996). Distribution functions are GSL's. */
#include "steelyard/stats.h"
#include "stats_internal.h"
#include "steelyard/base.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static const struct {
    const char *name, *text;
} statuses[SY_STAT_COUNT] = {
    [SY_STAT_OK] = {"ok", "estimated"},
    [SY_STAT_BAD_DATA] = {"bad data", "a number is not finite or is out of its range"},
    [SY_STAT_TOO_FEW] = {"too few", "too few independent observations for the number of parameters"},
    [SY_STAT_ONE_OUTCOME] = {"one outcome", "every outcome is the same"},
    [SY_STAT_SEPARATED] = {"separated",
                           "outcomes are perfectly predicted, so that no finite value fits best"},
    [SY_STAT_CONSTANT] = {"constant", "it never varies"},
    [SY_STAT_COLLINEAR] = {"collinear", "it varies only together with others, so they can't be told apart"},
    [SY_STAT_NO_CONVERGENCE] = {"no convergence", "the likelihood's maximum was not found"},
    [SY_STAT_NOT_IDENTIFIED] = {"not identified",
                                "a column that never varies is mixed up with the thresholds"},
    [SY_STAT_UNIT_NEAR_ZERO] = {"unit near zero", "the unit's own interval reaches 0"},
    [SY_STAT_TOO_MANY_FAILURES] = {"too many failures", "too many bootstrap replicates could not be fitted"},
    [SY_STAT_BOUNDARY] = {"boundary", "it lies on the edge of its range"},
    [SY_STAT_FLAT] = {"flat", "what was drawn makes no difference that these games could tell"},
    [SY_STAT_NOT_CONCAVE] = {"not concave", "the surface does not surely bend down in every direction"},
};

const char *sy_stat_name(enum sy_stat status)
{
    assert(status < SY_STAT_COUNT);
    return statuses[status].name;
}

const char *sy_stat_text(enum sy_stat status)
{
    assert(status < SY_STAT_COUNT);
    return statuses[status].text;
}

static void turn_handler_off(void)
{
    gsl_set_error_handler_off();
}

/* The handler is one per process, so it is switched off once, for good: nothing else here uses GSL, and each
 * of its results is checked. */
void sy_stats_quiet_gsl(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, turn_handler_off);
}

bool sy_all_finite(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

double sy_normal_p(double z)
{
    return 2 * gsl_cdf_ugaussian_Q(fabs(z));
}

double sy_normal_upper(double z)
{
    return gsl_cdf_ugaussian_Q(z);
}

double sy_normal_quantile(double p)
{
    assert(p > 0 && p < 1);
    return gsl_cdf_ugaussian_Pinv(p);
}

double sy_chi_square_p(double statistic, double freedom)
{
    sy_stats_quiet_gsl();
    return gsl_cdf_chisq_Q(fmax(statistic, 0), freedom);
}

double sy_wald_p(double statistic, size_t freedom, size_t clusters)
{
    if (freedom == 0 || clusters <= freedom)
        return 1;
    const double q = (double)freedom, left = (double)(clusters - freedom);
    sy_stats_quiet_gsl();
    return gsl_cdf_fdist_Q(fmax(statistic, 0) * left / (q * (double)(clusters - 1)), q, left);
}

struct ranked {
    double p;
    size_t index;
};

static int by_p(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->p < b->p || a->p > b->p)
        return a->p < b->p ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

void sy_holm(size_t count, const double *p, double *adjusted)
{
    struct ranked *ranked = sy_alloc(count + 1, sizeof *ranked);
    double running = 0;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){p[i], i};
    qsort(ranked, count, sizeof *ranked, by_p);
    for (size_t i = 0; i < count; i++) {
        running = fmax(running, fmin(1, (double)(count - i) * ranked[i].p));
        adjusted[ranked[i].index] = running;
    }
    free(ranked);
}

struct sy_estimate sy_wilson(double successes, double trials, double level)
{
    assert(level > 0 && level < 1);
    if (!(isfinite(trials) && successes >= 0 && successes <= trials))
        return (struct sy_estimate){.status = SY_STAT_BAD_DATA};
    if (!(trials > 0))
        return (struct sy_estimate){.status = SY_STAT_TOO_FEW};
    double share = successes / trials, z = sy_normal_quantile((1 + level) / 2), zz = z * z / trials;
    double centre = (share + zz / 2) / (1 + zz);
    double half = z * sqrt(share * (1 - share) / trials + zz / (4 * trials)) / (1 + zz);
    /* At 0 and 1 the end is the share itself; rounding must not move it. */
    return (struct sy_estimate){.value = share,
                                .error = sqrt(share * (1 - share) / trials),
                                .low = successes > 0 ? fmax(0, centre - half) : 0,
                                .high = successes < trials ? fmin(1, centre + half) : 1};
}

struct member {
    int64_t cluster;
    size_t row;
};

static int by_member(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->cluster != b->cluster)
        return a->cluster < b->cluster ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* The variance of the weighted mean, from clusters' sums; counts the clusters. */
static double mean_variance(const struct member *members, size_t count, const double *value,
                            const double *weight, double mean, double total, size_t *clusters)
{
    double squares = 0, sum = 0;
    *clusters = 0;
    for (size_t i = 0; i < count; i++) {
        size_t row = members[i].row;
        sum += (weight ? weight[row] : 1) * (value[row] - mean) / total;
        if (i + 1 == count || members[i + 1].cluster != members[i].cluster) {
            squares += sum * sum;
            sum = 0;
            ++*clusters;
        }
    }
    return *clusters > 1 ? squares * (double)*clusters / (double)(*clusters - 1) : 0;
}

struct sy_estimate sy_mean(size_t count, const double *value, const double *weight, const int64_t *cluster,
                           double level)
{
    assert(level > 0 && level < 1);
    struct member *members = sy_alloc(count + 1, sizeof *members);
    struct sy_estimate estimate = {.status = SY_STAT_OK};
    size_t kept = 0, clusters;
    double total = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        double w = weight ? weight[i] : 1;
        if (!(isfinite(value[i]) && isfinite(w) && w >= 0))
            estimate.status = SY_STAT_BAD_DATA;
        if (!(w > 0))
            continue;
        members[kept++] = (struct member){cluster ? cluster[i] : (int64_t)i, i};
        total += w;
        sum += w * value[i];
    }
    if (estimate.status == SY_STAT_OK) {
        qsort(members, kept, sizeof *members, by_member);
        double mean = kept > 0 ? sum / total : 0;
        double variance = mean_variance(members, kept, value, weight, mean, total, &clusters);
        estimate.status = clusters > 1 ? SY_STAT_OK : SY_STAT_TOO_FEW;
        if (estimate.status == SY_STAT_OK) {
            double error = sqrt(variance);
            double half = error * gsl_cdf_tdist_Pinv((1 + level) / 2, (double)(clusters - 1));
            estimate =
                (struct sy_estimate){.value = mean, .error = error, .low = mean - half, .high = mean + half};
        }
    }
    free(members);
    return estimate;
}

double sy_quantile_sorted(size_t count, const double *ascending, double p)
{
    assert(count > 0 && p >= 0 && p <= 1);
    double position = (double)(count - 1) * p;
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return ascending[count - 1];
    return ascending[below] + (position - (double)below) * (ascending[below + 1] - ascending[below]);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

void sy_sort_doubles(size_t count, double *values)
{
    qsort(values, count, sizeof *values, by_value);
}

bool sy_elo(double score, double *elo)
{
    bool inside = score > 0 && score < 1;
    *elo = inside ? 400 * log10(score / (1 - score)) : 0;
    return inside;
}

struct sy_estimate sy_elo_estimate(struct sy_estimate score)
{
    struct sy_estimate elo = {.failures = score.failures};
    if (score.status != SY_STAT_OK)
        return (struct sy_estimate){.status = score.status, .failures = score.failures};
    bool inside = sy_elo(score.value, &elo.value);
    inside = sy_elo(score.low, &elo.low) && inside;
    inside = sy_elo(score.high, &elo.high) && inside;
    if (!inside)
        return (struct sy_estimate){.status = SY_STAT_BOUNDARY, .failures = score.failures};
    elo.error = 400 / log(10) * score.error / (score.value * (1 - score.value));
    return elo;
}
