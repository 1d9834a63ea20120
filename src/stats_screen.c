/* Finds which outcome levels occur in a weighted sample, and which columns can be fitted to it.
 *
 * Collinear columns are found by sweeping their correlation matrix with the largest pivot first (J.
 * Goodnight, "A tutorial on the SWEEP operator", Am. Stat. 33 (1979)): a column without a pivot left is a
 * combination of swept ones, with the coefficients that the sweep leaves. All columns of a combination are
 * marked, but only those without a pivot leave the fit, so that the other columns' estimates are what they
 * should be. */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column whose variance is this small a share unexplained by others is their combination. */
static const double collinear_share = 1e-9;
/* In a combination of standardised columns, a coefficient below this is rounding. */
static const double coefficient_share = 1e-4;

void sy_solver_find_levels(struct sy_solver *s)
{
    const struct sy_patterns *p = s->patterns;
    double *by_category = s->trial;
    memset(by_category, 0, p->categories * sizeof *by_category);
    for (size_t u = 0; u < p->patterns; u++)
        by_category[p->category[u]] += s->weight[u];
    s->levels = 0;
    for (size_t k = 0; k < p->categories; k++) {
        s->category_level[k] = s->levels;
        if (by_category[k] > 0) {
            s->level_weight[s->levels] = by_category[k];
            s->level_category[s->levels++] = k;
        }
    }
}

static bool varies(const struct sy_solver *s, size_t column)
{
    const struct sy_patterns *p = s->patterns;
    bool seen = false;
    double first = 0;
    for (size_t u = 0; u < p->patterns; u++) {
        double z = p->z[u * p->columns + column];
        if (!(s->weight[u] > 0))
            continue;
        if (seen && (z < first || z > first))
            return true;
        first = z;
        seen = true;
    }
    return false;
}

/* Fills the correlations of the active columns, their standard deviations (s->row), and all columns' means.
 */
static void correlate(struct sy_solver *s)
{
    const struct sy_patterns *p = s->patterns;
    size_t q = s->active_count;
    double total = 0;
    memset(s->centre, 0, p->columns * sizeof(double));
    for (size_t u = 0; u < p->patterns; u++) {
        total += s->weight[u];
        for (size_t j = 0; j < p->columns; j++)
            s->centre[j] += s->weight[u] * p->z[u * p->columns + j];
    }
    for (size_t j = 0; j < p->columns; j++)
        s->centre[j] /= total;
    memset(s->correlation, 0, q * q * sizeof(double));
    for (size_t u = 0; u < p->patterns; u++) {
        if (!(s->weight[u] > 0))
            continue;
        for (size_t i = 0; i < q; i++)
            s->row[i] = p->z[u * p->columns + s->active[i]] - s->centre[s->active[i]];
        for (size_t i = 0; i < q; i++)
            for (size_t j = 0; j <= i; j++)
                s->correlation[i * q + j] += s->weight[u] * s->row[i] * s->row[j];
    }
    for (size_t i = 0; i < q; i++)
        s->row[i] = sqrt(s->correlation[i * q + i]);
    for (size_t i = 0; i < q; i++)
        for (size_t j = 0; j <= i; j++)
            s->correlation[j * q + i] = s->correlation[i * q + j] /= s->row[i] * s->row[j];
    for (size_t i = 0; i < q; i++)
        s->row[i] /= sqrt(total);
}

static void sweep(double *a, size_t size, size_t pivot)
{
    double d = a[pivot * size + pivot];
    for (size_t i = 0; i < size; i++) {
        if (i == pivot)
            continue;
        double share = a[i * size + pivot] / d;
        for (size_t j = 0; j < size; j++)
            if (j != pivot)
                a[i * size + j] -= share * a[pivot * size + j];
    }
    for (size_t i = 0; i < size; i++) {
        if (i != pivot) {
            a[pivot * size + i] /= d;
            a[i * size + pivot] /= -d;
        }
    }
    a[pivot * size + pivot] = 1 / d;
}

/* The mean of the raw column in standard deviations (of this sample, left in s->row by active index). */
static double raw_mean(const struct sy_solver *s, size_t index)
{
    const struct sy_patterns *p = s->patterns;
    size_t column = s->active[index];
    return (p->mean[column] / p->scale[column] + s->centre[column]) / s->row[index];
}

/* Active column `index` is the combination of swept columns that its entries in the swept matrix give. */
static void mark_combination(struct sy_solver *s, const bool *swept, size_t index)
{
    size_t q = s->active_count;
    double offset = raw_mean(s, index), terms = fabs(offset);
    s->column_status[s->active[index]] = SY_STAT_COLLINEAR;
    for (size_t k = 0; k < q; k++) {
        double coefficient = s->correlation[k * q + index];
        if (!swept[k] || fabs(coefficient) < coefficient_share)
            continue;
        s->column_status[s->active[k]] = SY_STAT_COLLINEAR;
        offset -= coefficient * raw_mean(s, k);
        terms += fabs(coefficient * raw_mean(s, k));
    }
    if (fabs(offset) > coefficient_share * (1 + terms))
        s->thresholds_identified = false;
}

/* Takes out of the active columns those that are combinations of the rest. */
static void drop_collinear(struct sy_solver *s)
{
    size_t q = s->active_count, kept = 0;
    if (q == 0)
        return;
    correlate(s);
    bool *swept = sy_alloc(q, sizeof *swept);
    for (;;) {
        size_t best = q;
        for (size_t i = 0; i < q; i++)
            if (!swept[i] && s->correlation[i * q + i] > collinear_share &&
                (best == q || s->correlation[i * q + i] > s->correlation[best * q + best]))
                best = i;
        if (best == q)
            break;
        sweep(s->correlation, q, best);
        swept[best] = true;
    }
    for (size_t i = 0; i < q; i++)
        if (!swept[i])
            mark_combination(s, swept, i);
    for (size_t i = 0; i < q; i++)
        if (swept[i])
            s->active[kept++] = s->active[i];
    s->active_count = kept;
    free(swept);
}

/* A ridge makes collinear columns estimable, each with its share. */
void sy_solver_screen_columns(struct sy_solver *s)
{
    const struct sy_patterns *p = s->patterns;
    s->active_count = 0;
    s->thresholds_identified = true;
    for (size_t j = 0; j < p->columns; j++) {
        if (varies(s, j)) {
            s->column_status[j] = SY_STAT_OK;
            s->active[s->active_count++] = j;
            continue;
        }
        s->column_status[j] = SY_STAT_CONSTANT;
        for (size_t u = 0; u < p->patterns; u++)
            if (s->weight[u] > 0 && fabs(p->mean[j] + p->scale[j] * p->z[u * p->columns + j]) >
                                        1e-9 * (fabs(p->mean[j]) + p->scale[j]))
                s->thresholds_identified = false;
    }
    if (!(s->ridge > 0))
        drop_collinear(s);
    s->size = s->levels - 1 + s->active_count;
}

enum sy_stat sy_solver_screen(struct sy_solver *solver, const double *weight)
{
    memcpy(solver->weight, weight, solver->patterns->patterns * sizeof *weight);
    sy_solver_find_levels(solver);
    if (solver->levels == 0)
        return SY_STAT_TOO_FEW;
    sy_solver_screen_columns(solver);
    return solver->levels == 1 ? SY_STAT_ONE_OUTCOME : SY_STAT_OK;
}
