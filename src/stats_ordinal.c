/* The proportional-odds fit: checks, maximum, covariances.
 *
 * The sandwich (H. White, Econometrica 50 (1982); K.-Y. Liang, S. Zeger, Biometrika 73 (1986)) is
 *     G/(G-1) * sum over clusters g of l_g l_g',  l_g = A^-1 s_g,
 * A the observed information and s_g the sum of the scores of cluster g's rows; G/(G-1) is the factor of
 * R's sandwich::vcovCL. The l_g are also the clusters' influence on the estimates. */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double fit_tolerance = 1e-8;

void sy_solver_to_raw(const struct sy_solver *s, const double *from, double *to)
{
    const struct sy_patterns *p = s->patterns;
    size_t first = s->levels - 1;
    double offset = 0;
    memset(to, 0, (first + p->columns) * sizeof *to);
    for (size_t j = 0; j < s->active_count; j++) {
        size_t column = s->active[j];
        double raw = from[first + j] / p->scale[column];
        offset += raw * p->mean[column];
        if (s->column_status[column] == SY_STAT_OK)
            to[first + column] = raw;
    }
    for (size_t k = 0; k < first; k++)
        to[k] = from[k] + offset;
}

/* covariance = J inverse J', J being sy_solver_to_raw. */
static void fill_covariance(const struct sy_solver *s, const double *inverse, struct sy_ordinal_fit *fit)
{
    size_t n = s->size, m = fit->parameters;
    double *half = sy_alloc(n * m, sizeof *half), *column = sy_alloc(n, sizeof *column);
    for (size_t i = 0; i < n; i++)
        sy_solver_to_raw(s, inverse + i * n, half + i * m);
    double *line = sy_alloc(m, sizeof *line);
    for (size_t j = 0; j < m; j++) {
        for (size_t i = 0; i < n; i++)
            column[i] = half[i * m + j];
        sy_solver_to_raw(s, column, line);
        for (size_t i = 0; i < m; i++)
            fit->covariance[i * m + j] = line[i];
    }
    free(half);
    free(column);
    free(line);
}

/* A ridge is part of what each cluster's score must balance, in equal shares. */
static void start_cluster(const struct sy_solver *s, size_t clusters, double *score)
{
    const struct sy_patterns *p = s->patterns;
    memset(score, 0, s->size * sizeof *score);
    for (size_t j = 0; s->ridge > 0 && j < s->active_count; j++) {
        size_t at = s->levels - 1 + j;
        score[at] = -s->ridge * s->point[at] / pow(p->scale[s->active[j]], 2) / (double)clusters;
    }
}

static void fill_influence(const struct sy_solver *s, const double *inverse, struct sy_ordinal_fit *fit)
{
    const struct sy_patterns *p = s->patterns;
    size_t n = s->size, m = fit->parameters;
    double *by_pattern = sy_alloc(p->patterns * n, sizeof *by_pattern);
    double *score = sy_alloc(n, sizeof *score), *change = sy_alloc(n, sizeof *change);
    for (size_t u = 0; u < p->patterns; u++)
        if (s->weight[u] > 0)
            sy_solver_score(s, u, by_pattern + u * n);
    for (size_t g = 0; g < p->clusters; g++) {
        start_cluster(s, p->clusters, score);
        for (size_t r = p->cluster_first[g]; r < p->cluster_first[g + 1]; r++)
            for (size_t i = 0; i < n; i++)
                score[i] += p->row_weight[r] * by_pattern[p->row_pattern[r] * n + i];
        for (size_t i = 0; i < n; i++) {
            change[i] = 0;
            for (size_t j = 0; j < n; j++)
                change[i] += inverse[i * n + j] * score[j];
        }
        sy_solver_to_raw(s, change, fit->influence + g * m);
    }
    free(by_pattern);
    free(score);
    free(change);
}

static void fill_sandwich(struct sy_ordinal_fit *fit)
{
    size_t m = fit->parameters;
    double groups = (double)fit->clusters, factor = groups / (groups - 1);
    for (size_t g = 0; g < fit->clusters; g++) {
        const double *l = fit->influence + g * m;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++)
                fit->sandwich[i * m + j] += l[i] * l[j];
    }
    for (size_t i = 0; i < m * m; i++)
        fit->sandwich[i] *= factor;
}

static double null_log_likelihood(const struct sy_solver *s)
{
    double total = 0, sum = 0;
    for (size_t k = 0; k < s->levels; k++)
        total += s->level_weight[k];
    for (size_t k = 0; k < s->levels; k++)
        sum += s->level_weight[k] * log(s->level_weight[k] / total);
    return sum;
}

static size_t rows_set_aside(const struct sy_solver *s)
{
    size_t count = 0;
    for (size_t r = 0; r < s->patterns->rows; r++)
        count += !(s->weight[s->patterns->row_pattern[r]] > 0);
    return count;
}

static size_t clusters_left(const struct sy_solver *s)
{
    const struct sy_patterns *p = s->patterns;
    size_t count = 0;
    for (size_t g = 0; g < p->clusters; g++) {
        bool left = false;
        for (size_t r = p->cluster_first[g]; r < p->cluster_first[g + 1]; r++)
            left = left || s->weight[p->row_pattern[r]] > 0;
        count += left;
    }
    return count;
}

static bool enough_clusters(const struct sy_solver *s, const struct sy_ordinal_options *options)
{
    double clusters = (double)clusters_left(s), parameters = (double)s->size;
    return clusters > parameters && clusters >= options->clusters_per_parameter * parameters;
}

static enum sy_stat fill_fit(const struct sy_solver *s, struct sy_ordinal_fit *fit)
{
    size_t n = s->size, m = s->levels - 1 + fit->columns;
    double *inverse = sy_alloc(n * n, sizeof *inverse);
    if (!sy_solver_invert(s, inverse)) {
        free(inverse);
        return SY_STAT_NO_CONVERGENCE;
    }
    fit->levels = s->levels;
    fit->parameters = m;
    fit->covariance = sy_alloc(m * m, sizeof(double));
    fit->sandwich = sy_alloc(m * m, sizeof(double));
    fit->influence = sy_alloc(fit->clusters * m, sizeof(double));
    memcpy(fit->level_category, s->level_category, s->levels * sizeof(size_t));
    double *raw = sy_alloc(m, sizeof *raw);
    sy_solver_to_raw(s, s->point, raw);
    memcpy(fit->theta, raw, (s->levels - 1) * sizeof *raw);
    memcpy(fit->beta, raw + s->levels - 1, fit->columns * sizeof *raw);
    free(raw);
    fill_covariance(s, inverse, fit);
    fill_influence(s, inverse, fit);
    fill_sandwich(fit);
    fit->log_likelihood = s->log_likelihood;
    fit->null_log_likelihood = null_log_likelihood(s);
    fit->thresholds_identified = s->thresholds_identified;
    fit->rows_set_aside = rows_set_aside(s);
    free(inverse);
    return SY_STAT_OK;
}

/* In how many clusters the column is not 0. */
static size_t clusters_with(const struct sy_patterns *p, size_t column)
{
    size_t count = 0;
    for (size_t g = 0; g < p->clusters; g++) {
        bool with = false;
        for (size_t r = p->cluster_first[g]; r < p->cluster_first[g + 1] && !with; r++)
            with = fabs(p->z[p->row_pattern[r] * p->columns + column] + p->mean[column] / p->scale[column]) >
                   1e-9;
        count += with;
    }
    return count;
}

/* Withholds the columns that too few clusters tell of: their errors would be far too small. */
static void withhold_rare(const struct sy_patterns *p, const struct sy_ordinal_options *options,
                          struct sy_ordinal_fit *fit)
{
    const size_t m = fit->parameters;
    for (size_t column = 0; column < fit->columns; column++) {
        const size_t at = fit->levels - 1 + column;
        if (fit->column_status[column] != SY_STAT_OK ||
            clusters_with(p, column) >= options->clusters_per_column)
            continue;
        fit->column_status[column] = SY_STAT_TOO_FEW;
        fit->beta[column] = 0;
        for (size_t i = 0; i < m; i++) {
            fit->covariance[at * m + i] = fit->covariance[i * m + at] = 0;
            fit->sandwich[at * m + i] = fit->sandwich[i * m + at] = 0;
        }
        for (size_t g = 0; g < fit->clusters; g++)
            fit->influence[g * m + at] = 0;
    }
}

static enum sy_stat fit_patterns(const struct sy_patterns *p, const struct sy_ordinal_options *options,
                                 struct sy_ordinal_fit *fit)
{
    struct sy_solver solver;
    sy_solver_init(&solver, p, options);
    enum sy_stat status = sy_solver_screen(&solver, p->weight);
    if (status == SY_STAT_OK && !enough_clusters(&solver, options))
        status = SY_STAT_TOO_FEW;
    if (status == SY_STAT_OK)
        status = sy_solver_maximise(&solver, NULL, fit_tolerance);
    if (status == SY_STAT_OK && !enough_clusters(&solver, options))
        status = SY_STAT_TOO_FEW;
    if (status == SY_STAT_OK)
        status = fill_fit(&solver, fit);
    if (p->rows > 0)
        memcpy(fit->column_status, solver.column_status, fit->columns * sizeof(enum sy_stat));
    if (status == SY_STAT_OK)
        withhold_rare(p, options, fit);
    fit->iterations = solver.iterations;
    sy_solver_clear(&solver);
    return status;
}

enum sy_stat sy_ordinal_fit(const struct sy_ordinal_data *data, const struct sy_ordinal_options *options,
                            struct sy_ordinal_fit *fit)
{
    const struct sy_ordinal_options defaults = SY_ORDINAL_OPTIONS_INIT;
    struct sy_patterns patterns;
    *fit = (struct sy_ordinal_fit){.categories = data->categories, .columns = data->columns};
    fit->level_category = sy_alloc(data->categories + 1, sizeof(size_t));
    fit->theta = sy_alloc(data->categories + 1, sizeof(double));
    fit->beta = sy_alloc(data->columns + 1, sizeof(double));
    fit->column_status = sy_alloc(data->columns + 1, sizeof(enum sy_stat));
    fit->status = sy_patterns_init(&patterns, data);
    fit->rows = patterns.rows;
    fit->clusters = patterns.clusters;
    if (fit->status == SY_STAT_OK)
        fit->status = fit_patterns(&patterns, options ? options : &defaults, fit);
    sy_patterns_clear(&patterns);
    return fit->status;
}

void sy_ordinal_clear(struct sy_ordinal_fit *fit)
{
    free(fit->level_category);
    free(fit->theta);
    free(fit->beta);
    free(fit->column_status);
    free(fit->covariance);
    free(fit->sandwich);
    free(fit->influence);
    *fit = (struct sy_ordinal_fit){0};
}
