/* What a design will tell, before it is played: the expected (Fisher) information of the proportional-odds
 * model, I = mean over rows of sum over categories of (grad p_k)(grad p_k)' / p_k, at parameters taken as
 * true. Columns that never vary, and those that hang together with others, are found as the information's
 * null space and left out. Source: P. McCullagh, J. R. Stat. Soc. B 42 (1980). */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot this small, of a matrix with unit diagonal, belongs to a column that the others determine. */
static const double redundant_pivot = 1e-6;

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Adds one row's information; gradient has room for one probability's. */
static void add_row(const struct sy_ordinal_fit *fit, const double *x, double *gradient, double *information)
{
    const size_t m = fit->parameters, cuts = fit->levels - 1;
    double eta = 0, below = 0, density_below = 0;
    for (size_t j = 0; j < fit->columns; j++)
        eta += x[j] * fit->beta[j];
    for (size_t k = 0; k <= cuts; k++) {
        const double above = k < cuts ? logistic(fit->theta[k] - eta) : 1;
        const double density = above * (1 - above), p = above - below;
        memset(gradient, 0, m * sizeof *gradient);
        if (k < cuts)
            gradient[k] = density;
        if (k > 0)
            gradient[k - 1] = -density_below;
        for (size_t j = 0; j < fit->columns; j++)
            gradient[cuts + j] = (density_below - density) * x[j];
        for (size_t i = 0; p > 0 && i < m; i++)
            for (size_t j = 0; j < m; j++)
                information[i * m + j] += gradient[i] * gradient[j] / p;
        below = above;
        density_below = density;
    }
}

/* Cholesky by hand, dropping what has no pivot left: marks it in `kept`. */
static void find_kept(size_t m, const double *information, bool *kept)
{
    double *lower = sy_alloc(m * m + 1, sizeof *lower);
    for (size_t i = 0; i < m; i++) {
        const double scale = information[i * m + i];
        double left = scale;
        for (size_t j = 0; j < i; j++) {
            double sum = information[i * m + j];
            for (size_t k = 0; k < j; k++)
                sum -= lower[i * m + k] * lower[j * m + k];
            lower[i * m + j] = kept[j] ? sum / lower[j * m + j] : 0;
            left -= lower[i * m + j] * lower[i * m + j];
        }
        kept[i] = scale > 0 && left > redundant_pivot * scale;
        lower[i * m + i] = kept[i] ? sqrt(left) : 1;
    }
    free(lower);
}

/* The inverse on the parameters that are kept, over `games`; zeros elsewhere. */
static enum sy_stat invert_kept(size_t m, const double *information, const bool *kept, double games,
                                double *inverse)
{
    size_t index[64], size = 0;
    for (size_t i = 0; i < m && size < 64; i++)
        if (kept[i])
            index[size++] = i;
    double *part = sy_alloc(size * size + 1, sizeof *part);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            part[i * size + j] = information[index[i] * m + index[j]];
    gsl_matrix_view view = gsl_matrix_view_array(part, size, size);
    sy_stats_quiet_gsl();
    const bool good = gsl_linalg_cholesky_decomp1(&view.matrix) == GSL_SUCCESS &&
                      gsl_linalg_cholesky_invert(&view.matrix) == GSL_SUCCESS;
    for (size_t i = 0; good && i < size; i++)
        for (size_t j = 0; j < size; j++)
            inverse[index[i] * m + index[j]] = part[i * size + j] / games;
    free(part);
    return good ? SY_STAT_OK : SY_STAT_COLLINEAR;
}

static void start_fit(size_t rows, size_t columns, size_t levels, const double *theta, const double *beta,
                      double games, struct sy_ordinal_fit *fit)
{
    const size_t m = levels - 1 + columns;
    *fit = (struct sy_ordinal_fit){.rows = rows,
                                   .clusters = (size_t)games,
                                   .categories = levels,
                                   .columns = columns,
                                   .levels = levels,
                                   .parameters = m,
                                   .thresholds_identified = true};
    fit->level_category = sy_alloc(levels, sizeof *fit->level_category);
    fit->theta = sy_alloc(levels, sizeof *fit->theta);
    fit->beta = sy_alloc(columns + 1, sizeof *fit->beta);
    fit->column_status = sy_alloc(columns + 1, sizeof *fit->column_status);
    fit->covariance = sy_alloc(m * m + 1, sizeof *fit->covariance);
    fit->sandwich = sy_alloc(m * m + 1, sizeof *fit->sandwich);
    for (size_t k = 0; k < levels; k++)
        fit->level_category[k] = k;
    memcpy(fit->theta, theta, (levels - 1) * sizeof *theta);
    if (columns > 0)
        memcpy(fit->beta, beta, columns * sizeof *beta);
}

enum sy_stat sy_ordinal_expect(size_t rows, size_t columns, size_t levels, const double *x,
                               const double *theta, const double *beta, double games,
                               struct sy_ordinal_fit *fit)
{
    start_fit(rows, columns, levels, theta, beta, games, fit);
    const size_t m = fit->parameters;
    if (rows == 0 || m > 64 || !(games > 0))
        return fit->status = SY_STAT_TOO_FEW;
    double *information = sy_alloc(m * m + 1, sizeof *information),
           *gradient = sy_alloc(m + 1, sizeof(double));
    bool *kept = sy_alloc(m + 1, sizeof *kept);
    for (size_t i = 0; i < rows; i++)
        add_row(fit, x + i * columns, gradient, information);
    for (size_t i = 0; i < m * m; i++)
        information[i] /= (double)rows;
    find_kept(m, information, kept);
    fit->status = invert_kept(m, information, kept, games, fit->covariance);
    memcpy(fit->sandwich, fit->covariance, m * m * sizeof *fit->sandwich);
    for (size_t j = 0; j < columns; j++)
        if (!kept[levels - 1 + j]) {
            const bool constant = !(information[(levels - 1 + j) * m + levels - 1 + j] > 0);
            fit->column_status[j] = constant ? SY_STAT_CONSTANT : SY_STAT_COLLINEAR;
            fit->beta[j] = 0;
        }
    free(kept);
    free(gradient);
    free(information);
    return fit->status;
}
