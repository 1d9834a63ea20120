/* Maximises the proportional-odds likelihood of weighted patterns, and finds out when it has no maximum.
 *
 * With F the logistic function, a = theta_k - eta and b = theta_{k-1} - eta,
 *     P(k) = F(a) - F(b) = F(a) (1 - F(b)) (1 - exp(b - a)),
 * so that log P(k) is a sum of three concave terms without cancellation, the last of which depends on the
 * thresholds alone. Newton's method with step-halving on the exact Hessian then can't go wrong but by
 * running to infinity.
 *
 * It does so if and only if the data are separated: there is a direction d along which no pattern's a falls
 * and no pattern's b rises, not all of them standing still (A. Albert, J. Anderson, Biometrika 71 (1984);
 * for ordered outcomes S. Haberman in the discussion of P. McCullagh, J. R. Stat. Soc. B 42 (1980)). Along
 * such a direction the gain of a Newton step dies out while the step stays about one logit long; the step
 * itself is then tried as d, pattern by pattern. Patterns that move along d are predicted perfectly and say
 * nothing of the other directions, so they are set aside and the rest is fitted (the limiting conditional
 * model: C. Geyer, Electron. J. Stat. 3 (2009)). */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Still this long a step, in logits, with this small a gain to come, looks like separation. */
static const double separation_step = 0.05, separation_gain = 1e-6;
/* Relative to the largest: a move against the direction, and a move along it. */
static const double against_share = 1e-5, along_share = 1e-4;

void sy_solver_init(struct sy_solver *solver, const struct sy_patterns *patterns,
                    const struct sy_ordinal_options *options)
{
    size_t columns = patterns->columns, size = columns + patterns->categories;
    *solver = (struct sy_solver){
        .patterns = patterns, .ridge = options->ridge, .max_iterations = options->max_iterations};
    solver->weight = sy_alloc(patterns->patterns + 1, sizeof(double));
    solver->level_weight = sy_alloc(patterns->categories + 1, sizeof(double));
    solver->level_category = sy_alloc(patterns->categories + 1, sizeof(size_t));
    solver->category_level = sy_alloc(patterns->categories + 1, sizeof(size_t));
    solver->active = sy_alloc(columns + 1, sizeof(size_t));
    solver->column_status = sy_alloc(columns + 1, sizeof(enum sy_stat));
    solver->point = sy_alloc(size, sizeof(double));
    solver->gradient = sy_alloc(size, sizeof(double));
    solver->information = sy_alloc(size * size, sizeof(double));
    solver->step = sy_alloc(size, sizeof(double));
    solver->trial = sy_alloc(size, sizeof(double));
    solver->factor = sy_alloc(size * size, sizeof(double));
    solver->row = sy_alloc(columns + 1, sizeof(double));
    solver->correlation = sy_alloc(columns * columns + 1, sizeof(double));
    solver->centre = sy_alloc(columns + 1, sizeof(double));
    sy_stats_quiet_gsl();
}

void sy_solver_clear(struct sy_solver *solver)
{
    free(solver->weight);
    free(solver->level_weight);
    free(solver->level_category);
    free(solver->category_level);
    free(solver->active);
    free(solver->column_status);
    free(solver->point);
    free(solver->gradient);
    free(solver->information);
    free(solver->step);
    free(solver->trial);
    free(solver->factor);
    free(solver->row);
    free(solver->correlation);
    free(solver->centre);
    *solver = (struct sy_solver){0};
}

/* ---- Likelihood ---- */

/* F(a): its logarithm, 1 - F(a), and F(a)(1 - F(a)); accurate in both tails. */
struct logistic {
    double log_below, above, density;
};
static inline struct logistic logistic_at(double a)
{
    double e = exp(-fabs(a)), share = 1 / (1 + e);
    return (struct logistic){(a < 0 ? a : 0) - log1p(e), a < 0 ? share : e * share, e * share * share};
}

/* The part of the likelihood in the differences of thresholds; also starts the sums of derivatives. */
static double begin_sums(struct sy_solver *s, const double *point)
{
    size_t n = s->size;
    double sum = 0;
    memset(s->gradient, 0, n * sizeof(double));
    memset(s->information, 0, n * n * sizeof(double));
    for (size_t k = 1; k + 1 < s->levels; k++) {
        double gap = point[k] - point[k - 1], weight = s->level_weight[k], odds = 1 / expm1(gap);
        double curvature = weight * odds * (1 + odds);
        sum += weight * log(-expm1(-gap));
        s->gradient[k] += weight * odds;
        s->gradient[k - 1] -= weight * odds;
        s->information[k * n + k] += curvature;
        s->information[(k - 1) * n + k - 1] += curvature;
        s->information[k * n + k - 1] -= curvature;
    }
    return sum;
}

/* Adds a pattern to one threshold's sums, on the side where eta counts against it. */
static inline void add_threshold(struct sy_solver *s, size_t k, double slope, double curvature)
{
    size_t n = s->size, first = s->levels - 1;
    s->gradient[k] += slope;
    s->information[k * n + k] += curvature;
    for (size_t j = 0; j < s->active_count; j++)
        s->information[(first + j) * n + k] -= curvature * s->row[j];
}

static inline void add_coefficients(struct sy_solver *s, double slope, double curvature)
{
    size_t n = s->size, first = s->levels - 1;
    for (size_t i = 0; i < s->active_count; i++) {
        double *line = s->information + (first + i) * n + first, scaled = curvature * s->row[i];
        s->gradient[first + i] += slope * s->row[i];
        for (size_t j = 0; j <= i; j++)
            line[j] += scaled * s->row[j];
    }
}

/* Leaves the pattern's active columns in s->row. */
static inline double linear_predictor(const struct sy_solver *s, size_t pattern, const double *point)
{
    const double *z = s->patterns->z + pattern * s->patterns->columns, *b = point + s->levels - 1;
    double eta = 0;
    for (size_t j = 0; j < s->active_count; j++) {
        s->row[j] = z[s->active[j]];
        eta += b[j] * s->row[j];
    }
    return eta;
}

static double ridge_penalty(struct sy_solver *s, const double *point)
{
    size_t n = s->size;
    double penalty = 0;
    for (size_t j = 0; s->ridge > 0 && j < s->active_count; j++) {
        size_t at = s->levels - 1 + j;
        double strength = s->ridge / pow(s->patterns->scale[s->active[j]], 2);
        penalty += strength * point[at] * point[at] / 2;
        s->gradient[at] -= strength * point[at];
        s->information[at * n + at] += strength;
    }
    return penalty;
}

/* The penalised log likelihood at a point, and its derivatives. */
static double evaluate(struct sy_solver *s, const double *point)
{
    const struct sy_patterns *p = s->patterns;
    double sum = begin_sums(s, point);
    for (size_t u = 0; u < p->patterns; u++) {
        double weight = s->weight[u], slope = 0, curvature = 0;
        if (!(weight > 0))
            continue;
        size_t level = s->category_level[p->category[u]];
        double eta = linear_predictor(s, u, point);
        if (level + 1 < s->levels) {
            struct logistic at = logistic_at(point[level] - eta);
            sum += weight * at.log_below;
            slope -= weight * at.above;
            curvature += weight * at.density;
            add_threshold(s, level, weight * at.above, weight * at.density);
        }
        if (level > 0) {
            struct logistic at = logistic_at(eta - point[level - 1]);
            sum += weight * at.log_below;
            slope += weight * at.above;
            curvature += weight * at.density;
            add_threshold(s, level - 1, -weight * at.above, weight * at.density);
        }
        add_coefficients(s, slope, curvature);
    }
    s->log_likelihood = sum;
    return sum - ridge_penalty(s, point);
}

void sy_solver_score(const struct sy_solver *s, size_t pattern, double *score)
{
    size_t level = s->category_level[s->patterns->category[pattern]], first = s->levels - 1;
    double eta = linear_predictor(s, pattern, s->point), slope = 0;
    memset(score, 0, s->size * sizeof *score);
    if (level + 1 < s->levels) {
        double above = logistic_at(s->point[level] - eta).above;
        score[level] += above;
        slope -= above;
    }
    if (level > 0) {
        double above = logistic_at(eta - s->point[level - 1]).above;
        score[level - 1] -= above;
        slope += above;
    }
    if (level > 0 && level + 1 < s->levels) {
        double odds = 1 / expm1(s->point[level] - s->point[level - 1]);
        score[level] += odds;
        score[level - 1] -= odds;
    }
    for (size_t j = 0; j < s->active_count; j++)
        score[first + j] = slope * s->row[j];
}

/* ---- Newton's method ---- */

/* Cholesky factor of the information scaled to a unit diagonal, plus `damping`, left in s->factor. */
static bool factorise(const struct sy_solver *s, double damping)
{
    size_t n = s->size;
    for (size_t i = 0; i < n; i++)
        if (!(s->information[i * n + i] > 0))
            return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            s->factor[i * n + j] = s->factor[j * n + i] =
                s->information[i * n + j] / sqrt(s->information[i * n + i] * s->information[j * n + j]) +
                (i == j ? damping : 0);
    gsl_matrix_view factor = gsl_matrix_view_array(s->factor, n, n);
    return gsl_linalg_cholesky_decomp1(&factor.matrix) == GSL_SUCCESS;
}

/* Damping changes the path, not the maximum; it is needed only when the information is singular but for
 * rounding, far out along a separated direction. */
static bool find_step(struct sy_solver *s)
{
    size_t n = s->size;
    double damping = 0;
    while (!factorise(s, damping)) {
        damping = damping > 0 ? 100 * damping : 1e-12;
        if (damping > 1)
            return false;
    }
    for (size_t i = 0; i < n; i++)
        s->step[i] = s->gradient[i] / sqrt(s->information[i * n + i]);
    gsl_matrix_view factor = gsl_matrix_view_array(s->factor, n, n);
    gsl_vector_view step = gsl_vector_view_array(s->step, n);
    if (gsl_linalg_cholesky_svx(&factor.matrix, &step.vector) != GSL_SUCCESS)
        return false;
    for (size_t i = 0; i < n; i++)
        s->step[i] /= sqrt(s->information[i * n + i]);
    return true;
}

/* The most that the step moves any pattern's logits through one parameter. */
static double step_length(const struct sy_solver *s)
{
    double length = 0;
    for (size_t i = 0; i < s->size; i++) {
        bool threshold = i + 1 < s->levels;
        double reach = threshold ? 1 : s->patterns->reach[s->active[i + 1 - s->levels]];
        length = fmax(length, fabs(s->step[i]) * reach);
    }
    return length;
}

/* Tries the step at ever half its length until the thresholds ascend and the likelihood does not fall. */
static bool advance(struct sy_solver *s, double *objective)
{
    double share = 1;
    for (int halvings = 0; halvings < 50; halvings++, share /= 2) {
        bool ascending = true;
        for (size_t i = 0; i < s->size; i++) {
            s->trial[i] = s->point[i] + share * s->step[i];
            ascending = ascending && !(i > 0 && i + 1 < s->levels && s->trial[i] <= s->trial[i - 1]);
        }
        if (!ascending)
            continue;
        double reached = evaluate(s, s->trial);
        if (reached >= *objective - 1e-12 * (1 + fabs(*objective))) {
            memcpy(s->point, s->trial, s->size * sizeof(double));
            *objective = reached;
            return true;
        }
    }
    *objective = evaluate(s, s->point);
    return false;
}

/* What the step does to a pattern's logits: the least and the most of the moves that favour its outcome. */
struct moves {
    double least, most;
};
static struct moves pattern_moves(const struct sy_solver *s, size_t pattern)
{
    size_t level = s->category_level[s->patterns->category[pattern]];
    double eta = linear_predictor(s, pattern, s->step);
    double up = level + 1 < s->levels ? s->step[level] - eta : 0;
    double down = level > 0 ? eta - s->step[level - 1] : 0;
    if (level == 0)
        return (struct moves){up, up};
    if (level + 1 == s->levels)
        return (struct moves){down, down};
    return (struct moves){fmin(up, down), fmax(up, down)};
}

/* Whether the step is a direction of separation. If so, marks the columns in it and sets aside the patterns
 * that it predicts. *thresholds: it also moves thresholds apart, so that nothing is left to fit. */
static bool separates(struct sy_solver *s, bool *marked, bool *thresholds)
{
    double against = 0, along = 0;
    for (size_t u = 0; u < s->patterns->patterns; u++) {
        if (!(s->weight[u] > 0))
            continue;
        struct moves moves = pattern_moves(s, u);
        against = fmax(against, -moves.least);
        along = fmax(along, moves.most);
    }
    if (!(along > 0) || against > against_share * along)
        return false;
    *thresholds = false;
    for (size_t k = 1; k + 1 < s->levels; k++)
        *thresholds = *thresholds || fabs(s->step[k] - s->step[k - 1]) > along_share * along;
    for (size_t j = 0; j < s->active_count; j++)
        if (fabs(s->step[s->levels - 1 + j]) * s->patterns->reach[s->active[j]] > along_share * along)
            marked[s->active[j]] = true;
    for (size_t u = 0; u < s->patterns->patterns; u++)
        if (s->weight[u] > 0 && pattern_moves(s, u).most > along_share * along)
            s->weight[u] = 0;
    return true;
}

static void start_from_shares(struct sy_solver *s)
{
    double total = 0, below = 0;
    for (size_t k = 0; k < s->levels; k++)
        total += s->level_weight[k];
    memset(s->point, 0, s->size * sizeof(double));
    for (size_t k = 0; k + 1 < s->levels; k++) {
        below += s->level_weight[k];
        s->point[k] = log(below / (total - below));
    }
}

static void start_from(struct sy_solver *s, const double *start)
{
    for (size_t k = 0; k + 1 < s->levels; k++)
        s->point[k] = start[s->level_category[k]];
    for (size_t j = 0; j < s->active_count; j++)
        s->point[s->levels - 1 + j] = start[s->patterns->categories + s->active[j]];
}

/* Climbs from the point. SEPARATED when a direction of separation was found and its patterns set aside. */
static enum sy_stat climb(struct sy_solver *s, double tolerance, bool *marked, bool *thresholds)
{
    double objective = evaluate(s, s->point);
    for (unsigned i = 0; i < s->max_iterations; i++) {
        if (!find_step(s))
            return SY_STAT_NO_CONVERGENCE;
        double length = step_length(s), gain = 0;
        for (size_t j = 0; j < s->size; j++)
            gain += s->gradient[j] * s->step[j];
        if (!(s->ridge > 0) && length > separation_step && gain < separation_gain &&
            separates(s, marked, thresholds))
            return SY_STAT_SEPARATED;
        bool moved = advance(s, &objective);
        s->iterations++;
        /* With nearly collinear columns rounding alone can keep steps from becoming shorter. */
        bool rounding = gain < 1e-16 * (1 + fabs(objective)) && length < 1e-4;
        if (length < tolerance || rounding)
            return SY_STAT_OK;
        if (!moved)
            return SY_STAT_NO_CONVERGENCE;
    }
    return SY_STAT_NO_CONVERGENCE;
}

enum sy_stat sy_solver_maximise(struct sy_solver *solver, const double *start, double tolerance)
{
    size_t columns = solver->patterns->columns, levels = solver->levels;
    bool *marked = sy_alloc(columns + 1, sizeof *marked), thresholds = false;
    bool *before = sy_alloc(columns + 1, sizeof *before);
    enum sy_stat status;
    for (size_t j = 0; j < columns; j++)
        before[j] = solver->column_status[j] != SY_STAT_OK;
    solver->iterations = 0;
    if (start)
        start_from(solver, start);
    else
        start_from_shares(solver);
    while ((status = climb(solver, tolerance, marked, &thresholds)) == SY_STAT_SEPARATED && !thresholds) {
        sy_solver_find_levels(solver);
        if (solver->levels < levels)
            break;
        sy_solver_screen_columns(solver);
        start_from_shares(solver);
        /* What the patterns that are left can't tell, only the separated ones could have told. */
        for (size_t j = 0; j < columns; j++)
            marked[j] = marked[j] || (!before[j] && solver->column_status[j] != SY_STAT_OK);
    }
    for (size_t j = 0; j < columns; j++)
        if (marked[j])
            solver->column_status[j] = SY_STAT_SEPARATED;
    free(marked);
    free(before);
    return status;
}

bool sy_solver_invert(const struct sy_solver *solver, double *inverse)
{
    size_t n = solver->size;
    if (!factorise(solver, 0))
        return false;
    gsl_matrix_view factor = gsl_matrix_view_array(solver->factor, n, n);
    if (gsl_linalg_cholesky_invert(&factor.matrix) != GSL_SUCCESS)
        return false;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            inverse[i * n + j] = solver->factor[i * n + j] /
                                 sqrt(solver->information[i * n + i] * solver->information[j * n + j]);
            if (!isfinite(inverse[i * n + j]))
                return false;
        }
    }
    return true;
}
