/* Newton's method for a penalised logistic regression on sparse rows; see the header for the model.
 *
 * The prior makes the negative Hessian positive definite but for the constant, which no row may leave
 * undetermined: there is no fit without rows. */
#include "steelyard/stats_logit.h"

#include "stats_internal.h"
#include "steelyard/base.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 50, MAX_HALVINGS = 30 };

static const double enough = 1e-9; /* gain of a step, in log likelihood per row, that ends the search */

struct work {
    const struct sy_logit_data *data;
    size_t size; /* columns, then the constant */
    double *point, *trial;
    gsl_matrix *information;
    gsl_vector *gradient, *step;
};

static double predict(const struct sy_logit_data *data, const struct sy_logit_row *row, const double *point)
{
    double eta = data->offset_scale * row->offset + point[data->columns];
    for (size_t i = row->first; i < row->first + row->terms; i++)
        eta += data->term[i].amount * point[data->term[i].column];
    return eta;
}

/* weight * -(y log F + (1 - y) log (1 - F)), accurate in both tails. */
static double loss_of(const struct sy_logit_data *data, size_t row, const double *point)
{
    const double eta = predict(data, &data->row[row], point), y = data->row[row].y;
    return data->row[row].weight * (log1p(exp(-fabs(eta))) + (eta > 0 ? (1 - y) * eta : -y * eta));
}

static double objective(const struct work *work, const double *point)
{
    const struct sy_logit_data *data = work->data;
    double sum = 0;
    for (size_t row = 0; row < data->rows; row++)
        sum -= loss_of(data, row, point);
    for (size_t j = 0; j < data->columns; j++)
        sum -= pow(point[j] / data->spread[j], 2) / 2;
    for (size_t i = 0; i < data->ties; i++)
        sum -= pow((point[data->tie[i].a] - point[data->tie[i].b]) / data->tie[i].spread, 2) / 2;
    return sum;
}

/* The lower triangle of the information, and the gradient, at the point. */
static void differentiate(struct work *work)
{
    const struct sy_logit_data *data = work->data;
    const size_t constant = data->columns;
    gsl_matrix_set_zero(work->information);
    gsl_vector_set_zero(work->gradient);
    double *gradient = work->gradient->data;
    for (size_t row = 0; row < data->rows; row++) {
        const struct sy_logit_row *at = &data->row[row];
        const double share = 1 / (1 + exp(-predict(data, at, work->point)));
        const double slope = at->weight * (at->y - share), curvature = at->weight * share * (1 - share);
        double *last = gsl_matrix_ptr(work->information, constant, 0);
        for (size_t i = at->first; i < at->first + at->terms; i++) {
            const struct sy_logit_term a = data->term[i];
            double *line = gsl_matrix_ptr(work->information, a.column, 0);
            const double scaled = curvature * a.amount;
            /* Terms ascend, so the columns up to this one are the triangle. */
            for (size_t k = at->first; k <= i; k++)
                line[data->term[k].column] += scaled * data->term[k].amount;
            gradient[a.column] += slope * a.amount;
            last[a.column] += scaled;
        }
        gradient[constant] += slope;
        last[constant] += curvature;
    }
    for (size_t j = 0; j < data->columns; j++) {
        const double strength = 1 / (data->spread[j] * data->spread[j]);
        gradient[j] -= strength * work->point[j];
        *gsl_matrix_ptr(work->information, j, j) += strength;
    }
    for (size_t i = 0; i < data->ties; i++) {
        const size_t a = data->tie[i].a, b = data->tie[i].b;
        const double strength = 1 / (data->tie[i].spread * data->tie[i].spread);
        const double pull = strength * (work->point[a] - work->point[b]);
        gradient[a] -= pull;
        gradient[b] += pull;
        *gsl_matrix_ptr(work->information, a, a) += strength;
        *gsl_matrix_ptr(work->information, b, b) += strength;
        *gsl_matrix_ptr(work->information, a > b ? a : b, a > b ? b : a) -= strength;
    }
}

/* One step up; false when it gains nothing worth while. */
static bool climb(struct work *work, double *height, enum sy_stat *status)
{
    differentiate(work);
    if (gsl_linalg_cholesky_decomp1(work->information) != GSL_SUCCESS ||
        gsl_linalg_cholesky_solve(work->information, work->gradient, work->step) != GSL_SUCCESS) {
        *status = SY_STAT_COLLINEAR;
        return false;
    }
    double length = 1;
    for (int halving = 0; halving < MAX_HALVINGS; halving++, length /= 2) {
        for (size_t j = 0; j < work->size; j++)
            work->trial[j] = work->point[j] + length * gsl_vector_get(work->step, j);
        const double reached = objective(work, work->trial);
        if (reached >= *height) {
            const double gain = reached - *height;
            memcpy(work->point, work->trial, work->size * sizeof *work->point);
            *height = reached;
            return gain > enough * (double)work->data->rows;
        }
    }
    return false;
}

enum sy_stat sy_logit_fit(const struct sy_logit_data *data, double *constant, double *b)
{
    const size_t size = data->columns + 1;
    enum sy_stat status = data->rows > 0 ? SY_STAT_OK : SY_STAT_TOO_FEW;
    *constant = 0;
    memset(b, 0, data->columns * sizeof *b);
    if (status != SY_STAT_OK)
        return status;
    sy_stats_quiet_gsl();
    struct work work = {.data = data,
                        .size = size,
                        .point = sy_alloc(size, sizeof(double)),
                        .trial = sy_alloc(size, sizeof(double)),
                        .information = gsl_matrix_alloc(size, size),
                        .gradient = gsl_vector_alloc(size),
                        .step = gsl_vector_alloc(size)};
    double height = objective(&work, work.point);
    for (int step = 0; step < MAX_STEPS && climb(&work, &height, &status); step++)
        ;
    if (status == SY_STAT_OK && !sy_all_finite(size, work.point))
        status = SY_STAT_NO_CONVERGENCE;
    if (status == SY_STAT_OK) {
        memcpy(b, work.point, data->columns * sizeof *b);
        *constant = work.point[data->columns];
    }
    gsl_matrix_free(work.information);
    gsl_vector_free(work.gradient);
    gsl_vector_free(work.step);
    free(work.point);
    free(work.trial);
    return status;
}

double sy_logit_loss(const struct sy_logit_data *data, double constant, const double *b)
{
    double loss = 0, weight = 0;
    double *point = sy_alloc(data->columns + 1, sizeof *point);
    memcpy(point, b, data->columns * sizeof *point);
    point[data->columns] = constant;
    for (size_t row = 0; row < data->rows; row++) {
        loss += loss_of(data, row, point);
        weight += data->row[row].weight;
    }
    free(point);
    return weight > 0 ? loss / weight : 0;
}
