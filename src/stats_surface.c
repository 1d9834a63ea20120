/* The top of a quadratic surface whose terms are estimates.
 *
 * The gradient b + 2 A u is 0 at u = -A^-1 b / 2, a ratio of estimates, whose distribution is not normal
 * where A is poorly known. So intervals come from draws of the terms from their asymptotic normal
 * distribution, each with its own top (I. Krinsky, A. L. Robb, Rev. Econ. Stat. 68 (1986)). A draw that does
 * not bend down in every direction has none; it counts as beyond both ends of every interval, half each, so
 * that intervals grow without bound as the surface becomes doubtful, and end when more draws are without a
 * top than the intervals leave out.
 *
 * "At the same mean" is the top in the subspace where the coordinates add up to 0: the same with P'b and
 * P'AP, the columns of P spanning it. Surfaces: G. E. P. Box, K. B. Wilson, J. R. Stat. Soc. B 13 (1951). */
#include "steelyard/stats_surface.h"
#include "stats_internal.h"
#include "steelyard/base.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 10000, PURPOSE_SURFACE = 0x73757266 };

/* A pivot this small, of a matrix with unit diagonal, is a redundant term. */
static const double redundant_pivot = 1e-9;

size_t sy_surface_terms(size_t size)
{
    return size + size * (size + 1) / 2;
}

static size_t term_of(size_t size, size_t i, size_t j)
{
    const size_t low = i < j ? i : j, high = i < j ? j : i;
    return size + low * size - low * (low + 1) / 2 + high;
}

size_t sy_surface_diagonal(size_t size, size_t coordinate)
{
    return term_of(size, coordinate, coordinate);
}

void sy_surface_row(size_t size, const double *one, const double *other, double *row)
{
    for (size_t i = 0; i < size; i++) {
        row[i] = one[i] - other[i];
        for (size_t j = i; j < size; j++)
            row[term_of(size, i, j)] = (i == j ? 1 : 2) * (one[i] * one[j] - other[i] * other[j]);
    }
}

/* ---- one surface ---- */

/* Columns of P, `freedom` of them: all directions, or Helmert's, whose coordinates add up to 0. */
struct frame {
    size_t size, freedom;
    double column[SY_SURFACE_MOST][SY_SURFACE_MOST];
};

static struct frame frame_of(size_t size, bool level_sum)
{
    struct frame frame = {.size = size, .freedom = level_sum ? size - 1 : size};
    for (size_t c = 0; c < frame.freedom; c++)
        for (size_t i = 0; i < size; i++) {
            const double n = (double)(c + 1);
            if (!level_sum)
                frame.column[c][i] = i == c;
            else
                frame.column[c][i] = i <= c ? 1 / sqrt(n * (n + 1)) : i == c + 1 ? -n / sqrt(n * (n + 1)) : 0;
        }
    return frame;
}

/* out = P' matrix, the matrix having frame->size rows of `columns`. */
static void project(const struct frame *frame, const double *matrix, size_t columns, double *out)
{
    for (size_t c = 0; c < frame->freedom; c++)
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t i = 0; i < frame->size; i++)
                sum += frame->column[c][i] * matrix[i * columns + j];
            out[c * columns + j] = sum;
        }
}

/* P'AP, freedom x freedom. */
static void bend(const struct frame *frame, const double *terms, double *matrix)
{
    double half[SY_SURFACE_MOST * SY_SURFACE_MOST];
    for (size_t i = 0; i < frame->size; i++)
        for (size_t d = 0; d < frame->freedom; d++) {
            double sum = 0;
            for (size_t j = 0; j < frame->size; j++)
                sum += terms[term_of(frame->size, i, j)] * frame->column[d][j];
            half[i * frame->freedom + d] = sum;
        }
    project(frame, half, frame->freedom, matrix);
}

/* The inverse of -P'AP, in place of P'AP. false when the surface does not bend down everywhere. */
static bool invert_bend(const struct frame *frame, const double *terms, double *matrix)
{
    const size_t n = frame->freedom;
    bend(frame, terms, matrix);
    for (size_t i = 0; i < n * n; i++)
        matrix[i] = -matrix[i];
    gsl_matrix_view view = gsl_matrix_view_array(matrix, n, n);
    return gsl_linalg_cholesky_decomp1(&view.matrix) == GSL_SUCCESS &&
           gsl_linalg_cholesky_invert(&view.matrix) == GSL_SUCCESS;
}

/* K vector, K = -P (P'AP)^-1 P' / 2, which takes the gradient at 0 to where it vanishes. */
static void lever(const struct frame *frame, const double *inverse, const double *vector, double *out)
{
    double along[SY_SURFACE_MOST];
    const size_t n = frame->freedom;
    project(frame, vector, 1, along);
    memset(out, 0, frame->size * sizeof *out);
    for (size_t c = 0; c < n; c++) {
        double sum = 0;
        for (size_t d = 0; d < n; d++)
            sum += inverse[c * n + d] * along[d] / 2;
        for (size_t i = 0; i < frame->size; i++)
            out[i] += frame->column[c][i] * sum;
    }
}

/* inverse: room for freedom x freedom. */
static bool find_top(const struct frame *frame, const double *terms, double *inverse, double *top)
{
    if (!invert_bend(frame, terms, inverse))
        return false;
    lever(frame, inverse, terms, top);
    return true;
}

static double weakest_bend(const struct frame *frame, const double *terms)
{
    double matrix[SY_SURFACE_MOST * SY_SURFACE_MOST], value[SY_SURFACE_MOST];
    const size_t n = frame->freedom;
    bend(frame, terms, matrix);
    gsl_matrix_view view = gsl_matrix_view_array(matrix, n, n);
    gsl_vector_view values = gsl_vector_view_array(value, n);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(n);
    const bool good = work != NULL && gsl_eigen_symm(&view.matrix, &values.vector, work) == GSL_SUCCESS;
    double largest = good ? value[0] : 0;
    for (size_t i = 1; good && i < n; i++)
        largest = fmax(largest, value[i]);
    gsl_eigen_symm_free(work);
    return largest;
}

/* ---- errors ---- */

/* What the top moves by when a term does, terms x size: K times what the gradient there moves by. */
static void top_by_terms(const struct frame *frame, const double *inverse, const double *top, double *moves)
{
    const size_t size = frame->size;
    double gradient[SY_SURFACE_MOST] = {0};
    for (size_t i = 0; i < size; i++) {
        gradient[i] = 1;
        lever(frame, inverse, gradient, moves + i * size);
        gradient[i] = 0;
        for (size_t j = i; j < size; j++) {
            gradient[i] = 2 * top[j];
            gradient[j] = 2 * top[i];
            lever(frame, inverse, gradient, moves + term_of(size, i, j) * size);
            gradient[i] = gradient[j] = 0;
        }
    }
}

static void set_covariance(const struct sy_surface_estimate *estimate, const struct frame *frame,
                           const double *inverse, struct sy_surface *surface)
{
    const size_t size = surface->size, terms = sy_surface_terms(size);
    double *moves = sy_alloc(terms * size, sizeof *moves);
    top_by_terms(frame, inverse, surface->top, moves);
    for (size_t s = 0; s < terms; s++)
        for (size_t t = 0; t < terms; t++)
            for (size_t i = 0; i < size; i++)
                for (size_t j = 0; j < size; j++)
                    surface->covariance[i * size + j] +=
                        moves[s * size + i] * estimate->covariance[s * terms + t] * moves[t * size + j];
    free(moves);
}

/* The covariance's Cholesky factor into lower (terms^2). */
static bool factor(size_t terms, const double *covariance, double *lower)
{
    double *scale = sy_alloc(terms + 1, sizeof *scale);
    bool good = true;
    for (size_t i = 0; i < terms; i++) {
        good = good && covariance[i * terms + i] > 0;
        scale[i] = good ? sqrt(covariance[i * terms + i]) : 1;
    }
    for (size_t i = 0; good && i < terms * terms; i++)
        lower[i] = covariance[i] / scale[i / terms] / scale[i % terms];
    gsl_matrix_view view = gsl_matrix_view_array(lower, terms, terms);
    good = good && gsl_linalg_cholesky_decomp1(&view.matrix) == GSL_SUCCESS;
    for (size_t i = 0; good && i < terms; i++)
        good = lower[i * terms + i] > redundant_pivot;
    for (size_t i = 0; good && i < terms * terms; i++)
        lower[i] *= scale[i / terms];
    free(scale);
    return good;
}

static void draw_tops(const struct sy_surface_estimate *estimate, const struct frame *frame,
                      const double *lower, uint64_t seed, struct sy_surface *surface)
{
    const size_t size = surface->size, terms = sy_surface_terms(size);
    double *normal = sy_alloc(terms, sizeof *normal), *drawn = sy_alloc(terms, sizeof *drawn);
    double inverse[SY_SURFACE_MOST * SY_SURFACE_MOST];
    struct sy_random random = sy_random_stream(seed, frame->freedom, PURPOSE_SURFACE);
    surface->draws = DRAWS;
    surface->drawn = sy_alloc(DRAWS * size, sizeof *surface->drawn);
    for (size_t draw = 0; draw < DRAWS; draw++) {
        for (size_t t = 0; t < terms; t++)
            normal[t] = sy_random_normal(&random);
        for (size_t t = 0; t < terms; t++) {
            drawn[t] = estimate->terms[t];
            for (size_t s = 0; s <= t; s++)
                drawn[t] += lower[t * terms + s] * normal[s];
        }
        if (find_top(frame, drawn, inverse, surface->drawn + surface->tops * size))
            surface->tops++;
    }
    surface->concave = (double)surface->tops / DRAWS;
    free(normal);
    free(drawn);
}

double sy_surface_flat_p(const struct sy_surface_estimate *estimate)
{
    const size_t terms = sy_surface_terms(estimate->size);
    double *identity = sy_alloc(terms * terms, sizeof *identity);
    for (size_t i = 0; i < terms; i++)
        identity[i * terms + i] = 1;
    const struct sy_chi_square test =
        sy_wald_test(terms, estimate->terms, estimate->covariance, terms, identity, NULL);
    free(identity);
    return test.status == SY_STAT_OK ? sy_wald_p(test.statistic, terms, estimate->clusters) : 1;
}

enum sy_stat sy_surface_find(const struct sy_surface_estimate *estimate, bool level_sum, double level,
                             uint64_t seed, struct sy_surface *surface)
{
    const size_t size = estimate->size, terms = sy_surface_terms(size);
    *surface = (struct sy_surface){.size = size, .status = SY_STAT_TOO_FEW};
    if (size < 1 + (size_t)level_sum || size > SY_SURFACE_MOST)
        return surface->status;
    surface->covariance = sy_alloc(size * size, sizeof *surface->covariance);
    if (!sy_all_finite(terms, estimate->terms) || !sy_all_finite(terms * terms, estimate->covariance))
        return surface->status = SY_STAT_BAD_DATA;
    const struct frame frame = frame_of(size, level_sum);
    double inverse[SY_SURFACE_MOST * SY_SURFACE_MOST], *lower = sy_alloc(terms * terms, sizeof *lower);
    sy_stats_quiet_gsl();
    surface->status = SY_STAT_COLLINEAR;
    if (factor(terms, estimate->covariance, lower)) {
        surface->weakest = weakest_bend(&frame, estimate->terms);
        draw_tops(estimate, &frame, lower, seed, surface);
        const bool concave =
            find_top(&frame, estimate->terms, inverse, surface->top) && surface->concave >= level;
        surface->status = sy_surface_flat_p(estimate) >= 1 - level ? SY_STAT_FLAT
                          : !concave                               ? SY_STAT_NOT_CONCAVE
                                                                   : SY_STAT_OK;
    }
    if (surface->status == SY_STAT_OK)
        set_covariance(estimate, &frame, inverse, surface);
    free(lower);
    return surface->status;
}

void sy_surface_clear(struct sy_surface *surface)
{
    free(surface->covariance);
    free(surface->drawn);
    *surface = (struct sy_surface){.status = SY_STAT_OK};
}

/* ---- functions of the top ---- */

static double delta_error(const struct sy_surface *surface, double (*function)(const double *, const void *),
                          const void *context)
{
    const double step = 1e-5;
    double slope[SY_SURFACE_MOST], u[SY_SURFACE_MOST], variance = 0;
    memcpy(u, surface->top, sizeof u);
    for (size_t i = 0; i < surface->size; i++) {
        u[i] = surface->top[i] + step;
        slope[i] = function(u, context);
        u[i] = surface->top[i] - step;
        slope[i] = (slope[i] - function(u, context)) / (2 * step);
        u[i] = surface->top[i];
    }
    for (size_t i = 0; i < surface->size; i++)
        for (size_t j = 0; j < surface->size; j++)
            variance += slope[i] * surface->covariance[i * surface->size + j] * slope[j];
    return sqrt(fmax(variance, 0));
}

struct sy_estimate sy_surface_value(const struct sy_surface *surface,
                                    double (*function)(const double *, const void *), const void *context,
                                    double level)
{
    struct sy_estimate estimate = {.status = surface->status};
    if (surface->status != SY_STAT_OK)
        return estimate;
    const size_t tops = surface->tops;
    double *value = sy_alloc(tops, sizeof *value);
    for (size_t i = 0; i < tops; i++)
        value[i] = function(surface->drawn + i * surface->size, context);
    estimate.value = function(surface->top, context);
    estimate.error = delta_error(surface, function, context);
    /* A draw may have its top so far off that an exponential of it is no number. */
    if (!sy_all_finite(tops, value) || !isfinite(estimate.value) || !isfinite(estimate.error)) {
        free(value);
        return (struct sy_estimate){.status = SY_STAT_NOT_CONCAVE};
    }
    sy_sort_doubles(tops, value);
    const double without = (double)(surface->draws - tops), left_out = (1 - level) * (double)surface->draws;
    const double below = fmax((left_out - without) / 2, 0) / (double)tops;
    estimate.low = sy_quantile_sorted(tops, value, below);
    estimate.high = sy_quantile_sorted(tops, value, 1 - below);
    free(value);
    return estimate;
}
