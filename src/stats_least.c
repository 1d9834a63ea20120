/* Least squares by GSL's singular value decomposition, which holds up where columns nearly hang together;
 * what rounding could not tell from a combination of other columns is refused. Errors by cluster: K.-Y.
 * Liang, S. L. Zeger, Biometrika 73 (1986). The tests hold it against the certified values of NIST. */
#include "steelyard/stats_least.h"
#include "stats_internal.h"
#include "steelyard/base.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A singular value this small beside the largest, of columns scaled to the same size, counts as none. */
static const double redundant_singular = 1e-10;

struct labelled {
    int64_t cluster;
    size_t row;
};

static int by_cluster(const void *left, const void *right)
{
    const struct labelled *a = left, *b = right;
    if (a->cluster != b->cluster)
        return a->cluster < b->cluster ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* The rows in the order of their clusters. The caller frees. */
static struct labelled *sort_rows(const struct sy_least_data *data)
{
    struct labelled *order = sy_alloc(data->rows + 1, sizeof *order);
    for (size_t i = 0; i < data->rows; i++)
        order[i] = (struct labelled){data->cluster ? data->cluster[i] : (int64_t)i, i};
    qsort(order, data->rows, sizeof *order, by_cluster);
    return order;
}

/* Adds score score' to the lower triangle, and zeroes the score. */
static void close_cluster(size_t size, double *score, double *meat)
{
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j <= i; j++)
            meat[i * size + j] += score[i] * score[j];
    memset(score, 0, size * sizeof *score);
}

/* Sum over clusters of the outer products of their scores; counts the clusters. The caller frees. */
static double *sum_scores(const struct sy_least_data *data, const gsl_matrix *x, struct sy_least_fit *fit)
{
    const size_t size = fit->parameters;
    struct labelled *order = sort_rows(data);
    double *score = sy_alloc(size, sizeof *score), *meat = sy_alloc(size * size, sizeof *meat);
    for (size_t n = 0; n < data->rows; n++) {
        const size_t row = order[n].row;
        double residual = data->y[row];
        for (size_t j = 0; j < size; j++)
            residual -= gsl_matrix_get(x, row, j) * fit->beta[j];
        for (size_t j = 0; j < size; j++)
            score[j] += residual * gsl_matrix_get(x, row, j);
        if (n + 1 == data->rows || order[n + 1].cluster != order[n].cluster) {
            close_cluster(size, score, meat);
            fit->clusters++;
        }
    }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++)
            meat[j * size + i] = meat[i * size + j];
    free(order);
    free(score);
    return meat;
}

/* out = left * right, all size x size. */
static void multiply(size_t size, const double *left, const double *right, double *out)
{
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            out[i * size + j] = 0;
            for (size_t k = 0; k < size; k++)
                out[i * size + j] += left[i * size + k] * right[k * size + j];
        }
}

static void set_sandwich(const struct sy_least_data *data, const gsl_matrix *x, const double *inverse,
                         struct sy_least_fit *fit)
{
    const size_t size = fit->parameters;
    double *meat = sum_scores(data, x, fit), *half = sy_alloc(size * size, sizeof *half);
    multiply(size, inverse, meat, half);
    multiply(size, half, inverse, fit->sandwich);
    const double groups = (double)fit->clusters;
    for (size_t i = 0; i < size * size && fit->clusters > 1; i++)
        fit->sandwich[i] *= groups / (groups - 1);
    free(meat);
    free(half);
}

static void set_errors(const struct sy_least_data *data, const double *inverse, struct sy_least_fit *fit)
{
    const size_t size = fit->parameters;
    double mean = 0, total = 0;
    for (size_t i = 0; i < data->rows; i++)
        mean += data->y[i] / (double)data->rows;
    for (size_t i = 0; i < data->rows; i++)
        total += (data->y[i] - mean) * (data->y[i] - mean);
    const double variance = fit->sum_of_squares / (double)(data->rows - size);
    fit->residual_deviation = sqrt(variance);
    fit->r_squared = total > 0 ? 1 - fit->sum_of_squares / total : 0;
    for (size_t i = 0; i < size * size; i++)
        fit->covariance[i] = variance * inverse[i];
}

static gsl_matrix *with_constant(const struct sy_least_data *data)
{
    gsl_matrix *x = gsl_matrix_alloc(data->rows, data->columns + 1);
    for (size_t i = 0; x != NULL && i < data->rows; i++) {
        gsl_matrix_set(x, i, 0, 1);
        for (size_t j = 0; j < data->columns; j++)
            gsl_matrix_set(x, i, j + 1, data->x[i * data->columns + j]);
    }
    return x;
}

static enum sy_stat solve(const struct sy_least_data *data, struct sy_least_fit *fit)
{
    const size_t size = fit->parameters;
    double *ones = sy_alloc(data->rows, sizeof *ones), *inverse = sy_alloc(size * size, sizeof *inverse);
    for (size_t i = 0; i < data->rows; i++)
        ones[i] = 1;
    gsl_matrix *x = with_constant(data);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(data->rows, size);
    const gsl_vector_const_view y = gsl_vector_const_view_array(data->y, data->rows),
                                weight = gsl_vector_const_view_array(ones, data->rows);
    gsl_vector_view beta = gsl_vector_view_array(fit->beta, size);
    gsl_matrix_view covariance = gsl_matrix_view_array(inverse, size, size);
    enum sy_stat status = SY_STAT_NO_CONVERGENCE;
    /* With weights given, GSL's covariance is the inverse itself, not yet times the residual variance. */
    if (x != NULL && work != NULL &&
        gsl_multifit_wlinear(x, &weight.vector, &y.vector, &beta.vector, &covariance.matrix,
                             &fit->sum_of_squares, work) == GSL_SUCCESS)
        status = gsl_multifit_linear_rank(redundant_singular, work) < size ? SY_STAT_COLLINEAR : SY_STAT_OK;
    if (status == SY_STAT_OK) {
        set_errors(data, inverse, fit);
        set_sandwich(data, x, inverse, fit);
    }
    gsl_multifit_linear_free(work);
    gsl_matrix_free(x);
    free(ones);
    free(inverse);
    return status;
}

enum sy_stat sy_least_squares(const struct sy_least_data *data, struct sy_least_fit *fit)
{
    const size_t size = data->columns + 1;
    *fit = (struct sy_least_fit){.rows = data->rows,
                                 .parameters = size,
                                 .beta = sy_alloc(size, sizeof(double)),
                                 .covariance = sy_alloc(size * size, sizeof(double)),
                                 .sandwich = sy_alloc(size * size, sizeof(double))};
    sy_stats_quiet_gsl();
    if (data->rows <= size)
        return fit->status = SY_STAT_TOO_FEW;
    if (!sy_all_finite(data->rows * data->columns, data->x) || !sy_all_finite(data->rows, data->y))
        return fit->status = SY_STAT_BAD_DATA;
    return fit->status = solve(data, fit);
}

void sy_least_clear(struct sy_least_fit *fit)
{
    free(fit->beta);
    free(fit->covariance);
    free(fit->sandwich);
    *fit = (struct sy_least_fit){.status = SY_STAT_OK};
}
