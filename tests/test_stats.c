/* Tests of stats: reference fits made with R (tests/reference/ordinal.R), planted values, and data on which a
 * careless fit would return nonsense. */
#include "stats_data.h"
#include "steelyard/stats.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_stats_suite(void);

static bool near(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance * fmax(1, fabs(expected));
}

static bool all_finite(size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static bool estimate_is_sane(struct sy_estimate e)
{
    bool finite = isfinite(e.value) && isfinite(e.error) && isfinite(e.low) && isfinite(e.high);
    if (e.status != SY_STAT_OK)
        return finite && fabs(e.value) + fabs(e.error) + fabs(e.low) + fabs(e.high) <= 0;
    return finite && e.error >= 0 && e.low <= e.high;
}

static bool fit_is_finite(const struct sy_ordinal_fit *fit)
{
    size_t m = fit->parameters;
    if (fit->status != SY_STAT_OK)
        return m == 0;
    return all_finite(fit->levels - 1, fit->theta) && all_finite(fit->columns, fit->beta) &&
           all_finite(m * m, fit->covariance) && all_finite(m * m, fit->sandwich) &&
           all_finite(fit->clusters * m, fit->influence) && isfinite(fit->log_likelihood) &&
           isfinite(fit->null_log_likelihood);
}

/* ---- Reference fits ---- */

enum { most_rows = 400, most_columns = 8, most_values = 200 };

struct table {
    struct sy_ordinal_data data;
    double x[most_rows * most_columns], weight[most_rows];
    int outcome[most_rows];
    int64_t cluster[most_rows];
};

static FILE *open_reference(const char *name, const char *kind)
{
    char path[100];
    snprintf(path, sizeof path, "tests/reference/%s_%s.csv", name, kind);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return file;
}

/* Columns: outcome, weight, cluster, then the design's. */
static void read_table(const char *name, struct table *table)
{
    char line[500];
    FILE *file = open_reference(name, "data");
    *table = (struct table){.data = {.categories = 5}};
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        size_t i = table->data.rows++, j = 0;
        char *at = line;
        CU_ASSERT_FATAL(i < most_rows);
        table->outcome[i] = (int)strtol(at, &at, 10);
        table->weight[i] = strtod(at + 1, &at);
        table->cluster[i] = strtoll(at + 1, &at, 10);
        for (; *at == ','; j++)
            table->x[i * table->data.columns + j] = strtod(at + 1, &at);
        CU_ASSERT_FATAL(i == 0 || j == table->data.columns);
        table->data.columns = j;
    }
    fclose(file);
    table->data.x = table->x;
    table->data.weight = table->weight;
    table->data.cluster = table->cluster;
    table->data.outcome = table->outcome;
}

static size_t read_values(const char *name, const char *quantity, double *values)
{
    char line[200];
    size_t count = 0, length = strlen(quantity);
    FILE *file = open_reference(name, "fit");
    while (fgets(line, sizeof line, file))
        if (strncmp(line, quantity, length) == 0 && line[length] == ',' && count < most_values)
            values[count++] = strtod(line + length + 1, NULL);
    fclose(file);
    return count;
}

static void check_matrix(const char *name, const char *quantity, size_t size, const double *matrix)
{
    double expected[most_values];
    CU_ASSERT_EQUAL_FATAL(read_values(name, quantity, expected), size * size);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            double scale = sqrt(expected[i * size + i] * expected[j * size + j]);
            CU_ASSERT_DOUBLE_EQUAL(matrix[i * size + j], expected[i * size + j], 1e-6 * scale);
        }
}

static void check_reference(const char *name, size_t columns)
{
    static struct table table;
    struct sy_ordinal_fit fit;
    double expected[most_values];
    read_table(name, &table);
    CU_ASSERT_EQUAL_FATAL(table.data.columns, columns);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&table.data, &(struct sy_ordinal_options){0, 2, 60, 0}, &fit),
                          SY_STAT_OK);
    CU_ASSERT_EQUAL_FATAL(read_values(name, "estimate", expected), fit.parameters);
    for (size_t k = 0; k + 1 < fit.levels; k++)
        CU_ASSERT(near(fit.theta[k], expected[k], 1e-7));
    for (size_t j = 0; j < columns; j++)
        CU_ASSERT(near(fit.beta[j], expected[fit.levels - 1 + j], 1e-7));
    CU_ASSERT_EQUAL(read_values(name, "log likelihood", expected), 1);
    CU_ASSERT(near(fit.log_likelihood, expected[0], 1e-9));
    check_matrix(name, "covariance", fit.parameters, fit.covariance);
    check_matrix(name, "sandwich", fit.parameters, fit.sandwich);
    CU_ASSERT(fit_is_finite(&fit));
    sy_ordinal_clear(&fit);
}

static void test_reference_games(void)
{
    check_reference("games", 5);
}

static void test_reference_positions(void)
{
    check_reference("positions", 3);
}

/* The estimates that Venables and Ripley print for these data, to their four digits. */
static void test_reference_housing(void)
{
    static struct table table;
    const double printed[6] = {0.5664, 1.2888, -0.5724, -0.3662, -1.0910, 0.3603};
    struct sy_ordinal_fit fit;
    check_reference("housing", 6);
    read_table("housing", &table);
    table.data.cluster = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&table.data, NULL, &fit), SY_STAT_OK);
    for (size_t j = 0; j < 6; j++)
        CU_ASSERT_DOUBLE_EQUAL(fit.beta[j], printed[j], 6e-5);
    CU_ASSERT_DOUBLE_EQUAL(-2 * fit.log_likelihood, 3479.149, 6e-4);
    sy_ordinal_clear(&fit);
}

/* ---- What must not matter ---- */

static const double plain_beta[3] = {0.4, 0.7, 1.6}, plain_theta[2] = {-0.8, 0.5};
static const struct planted plain = {150, 2, 3, 3, plain_beta, plain_theta, 0, 0.5};

/* Rows in another order, other names for clusters: the same estimates. */
static void test_order_of_rows(void)
{
    struct simulated s = simulate(&plain, 7, 0), t = simulate(&plain, 7, 0);
    struct sy_ordinal_fit one, two;
    size_t n = s.data.rows;
    for (size_t i = 0; i < n; i++) {
        size_t from = (i * 7 + 3) % n; /* 7 and n = 300 have no common divisor */
        t.outcome[i] = s.outcome[from];
        t.cluster[i] = -1000 * s.cluster[from];
        memcpy(t.x + 3 * i, s.x + 3 * from, 3 * sizeof(double));
    }
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&t.data, NULL, &two), SY_STAT_OK);
    CU_ASSERT_EQUAL(memcmp(one.beta, two.beta, 3 * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(one.covariance, two.covariance, 25 * sizeof(double)), 0);
    for (size_t i = 0; i < 25; i++)
        CU_ASSERT_DOUBLE_EQUAL(one.sandwich[i], two.sandwich[i], 1e-13);
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    simulated_clear(&s);
    simulated_clear(&t);
}

/* x -> shift + scale x, however wild, turns beta into beta / scale and moves the thresholds. */
static void test_units_of_columns(void)
{
    const double scale[3] = {1e-6, 1e5, -3}, shift[3] = {50, 1e6, -0.1};
    struct simulated s = simulate(&plain, 8, 0);
    struct sy_ordinal_fit one, two;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    for (size_t i = 0; i < 3 * s.data.rows; i++)
        s.x[i] = shift[i % 3] + scale[i % 3] * s.x[i];
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &two), SY_STAT_OK);
    double moved = 0;
    for (size_t j = 0; j < 3; j++) {
        CU_ASSERT(near(two.beta[j] * scale[j] / one.beta[j], 1, 1e-8));
        double variance = two.sandwich[(2 + j) * 5 + 2 + j] * scale[j] * scale[j];
        CU_ASSERT(near(variance / one.sandwich[(2 + j) * 5 + 2 + j], 1, 1e-8));
        moved += two.beta[j] * shift[j];
    }
    CU_ASSERT(near(two.theta[0] - moved, one.theta[0], 1e-8));
    CU_ASSERT(near(two.log_likelihood, one.log_likelihood, 1e-12));
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    simulated_clear(&s);
}

/* Outcomes and columns reversed: the mirror image. */
static void test_mirror(void)
{
    struct simulated s = simulate(&plain, 9, 0);
    struct sy_ordinal_fit one, two;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    for (size_t i = 0; i < 3 * s.data.rows; i++)
        s.x[i] = -s.x[i];
    for (size_t i = 0; i < s.data.rows; i++)
        s.outcome[i] = 2 - s.outcome[i];
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &two), SY_STAT_OK);
    for (size_t j = 0; j < 3; j++)
        CU_ASSERT(near(two.beta[j], one.beta[j], 1e-9));
    CU_ASSERT(near(two.theta[0], -one.theta[1], 1e-9));
    double score = sy_ordinal_score(&one, three_scores, NULL, 0.95).value;
    CU_ASSERT(near(sy_ordinal_score(&two, three_scores, NULL, 0.95).value, 1 - score, 1e-9));
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    simulated_clear(&s);
}

/* A weight is a number of copies; rows of weight 0 are not there. */
static void test_weights(void)
{
    struct simulated s = simulate(&plain, 10, 0), copies = simulate(&plain, 10, 0);
    struct sy_ordinal_fit one, two;
    size_t n = s.data.rows;
    double *weight = sy_alloc(n, sizeof *weight);
    for (size_t i = 0; i < n / 2; i++) {
        weight[i] = 2;
        copies.outcome[n / 2 + i] = copies.outcome[i];
        copies.cluster[n / 2 + i] = copies.cluster[i];
        memcpy(copies.x + 3 * (n / 2 + i), copies.x + 3 * i, 3 * sizeof(double));
    }
    s.data.weight = weight;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&copies.data, NULL, &two), SY_STAT_OK);
    CU_ASSERT_EQUAL(one.rows, n / 2);
    CU_ASSERT_EQUAL(one.clusters, two.clusters);
    for (size_t i = 0; i < 25; i++) {
        CU_ASSERT_DOUBLE_EQUAL(one.sandwich[i], two.sandwich[i], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(one.covariance[i], two.covariance[i], 1e-12);
    }
    CU_ASSERT(near(one.log_likelihood, two.log_likelihood, 1e-12));
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    free(weight);
    simulated_clear(&s);
    simulated_clear(&copies);
}

/* Categories that never occur leave the fit as it is, and keep their worth. */
static void test_empty_categories(void)
{
    struct simulated s = simulate(&plain, 11, 0);
    struct sy_ordinal_fit one, two;
    double p[5];
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    for (size_t i = 0; i < s.data.rows; i++)
        s.outcome[i] *= 2;
    s.data.categories = 5;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &two), SY_STAT_OK);
    CU_ASSERT_EQUAL(two.levels, 3);
    CU_ASSERT_EQUAL(two.level_category[1], 2);
    CU_ASSERT_EQUAL(memcmp(one.sandwich, two.sandwich, 25 * sizeof(double)), 0);
    struct sy_estimate a = sy_ordinal_score(&one, three_scores, NULL, 0.95);
    struct sy_estimate b = sy_ordinal_score(&two, five_scores, NULL, 0.95);
    CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
    sy_ordinal_probabilities(&two, NULL, p);
    CU_ASSERT(!(p[1] > 0) && !(p[3] > 0));
    CU_ASSERT_DOUBLE_EQUAL(p[0] + p[2] + p[4], 1, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(0.5 * p[2] + p[4], a.value, 1e-14);
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    simulated_clear(&s);
}

/* Every row four times over within its cluster tells nothing new: the robust errors know it. */
static void test_copies_in_a_cluster(void)
{
    struct simulated s = simulate(&plain, 12, 0);
    struct sy_ordinal_fit one, four;
    double *weight = sy_alloc(s.data.rows, sizeof *weight);
    for (size_t i = 0; i < s.data.rows; i++)
        weight[i] = 4;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    s.data.weight = weight;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &four), SY_STAT_OK);
    for (size_t i = 0; i < 25; i++) {
        CU_ASSERT_DOUBLE_EQUAL(four.sandwich[i], one.sandwich[i], 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(four.covariance[i], one.covariance[i] / 4, 1e-12);
    }
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&four);
    free(weight);
    simulated_clear(&s);
}

/* ---- Planted values ---- */

static bool covers(struct sy_estimate estimate, double truth)
{
    return estimate.status == SY_STAT_OK && estimate.low <= truth && truth <= estimate.high;
}

/* 95 % intervals over 400 data sets: 380 covered, 4.36 is the standard deviation, and 3.5 of them is allowed
 * (the seed is fixed, so that the test always gives the same answer). */
static void test_coverage(void)
{
    const unsigned sets = 400, least = 365, most = 395;
    unsigned beta = 0, score = 0, advantage = 0, ratio = 0;
    struct planted planted = plain;
    double truth = 0.5 / (1 + exp(-0.8)) + 0.5 / (1 + exp(0.5));
    planted.dependence = 0;
    for (unsigned i = 0; i < sets; i++) {
        struct simulated s = simulate(&planted, 13, i);
        struct sy_ordinal_fit fit;
        CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
        beta += covers(sy_ordinal_beta(&fit, 2, 0.95), 1.6);
        score += covers(sy_ordinal_score(&fit, three_scores, NULL, 0.95), truth);
        advantage += covers(sy_ordinal_advantage(&fit, three_scores, 0.95), 0.15);
        ratio += covers(sy_ratio_fieller_columns(&fit, 2, 1, 0.95), 1.6 / 0.7);
        sy_ordinal_clear(&fit);
        simulated_clear(&s);
    }
    CU_ASSERT(beta >= least && beta <= most);
    CU_ASSERT(score >= least && score <= most);
    CU_ASSERT(advantage >= least && advantage <= most);
    CU_ASSERT(ratio >= least && ratio <= most);
}

/* The interval of a score elsewhere than at 0, and the delta method against numerical derivatives. */
static void test_score_error(void)
{
    struct simulated s = simulate(&plain, 14, 0);
    struct sy_ordinal_fit fit;
    const double x[3] = {1, -1, 1};
    double gradient[5], variance = 0, step = 1e-5;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    struct sy_estimate score = sy_ordinal_score(&fit, three_scores, x, 0.9);
    for (size_t i = 0; i < 5; i++) {
        double *at = i < 2 ? fit.theta + i : fit.beta + i - 2, kept = *at;
        *at = kept + step;
        gradient[i] = sy_ordinal_score(&fit, three_scores, x, 0.9).value;
        *at = kept - step;
        gradient[i] = (gradient[i] - sy_ordinal_score(&fit, three_scores, x, 0.9).value) / (2 * step);
        *at = kept;
    }
    for (size_t i = 0; i < 25; i++)
        variance += gradient[i / 5] * gradient[i % 5] * fit.sandwich[i];
    CU_ASSERT_DOUBLE_EQUAL(score.error, sqrt(variance), 1e-8);
    double logit = log(score.value / (1 - score.value)), low = log(score.low / (1 - score.low));
    CU_ASSERT_DOUBLE_EQUAL(logit - low, 1.6448536269514722 * score.error / (score.value * (1 - score.value)),
                           1e-10);
    struct sy_estimate latent = sy_ordinal_latent(&fit, 0.95);
    struct sy_estimate advantage = sy_ordinal_advantage(&fit, three_scores, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(latent.value, -(fit.theta[0] + fit.theta[1]) / 2, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(advantage.value, latent.value, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(advantage.error, latent.error, 1e-12);
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* ---- Data without a plain answer ---- */

static enum sy_stat fit_status(const struct sy_ordinal_data *data)
{
    struct sy_ordinal_fit fit;
    enum sy_stat status = sy_ordinal_fit(data, NULL, &fit);
    CU_ASSERT(fit_is_finite(&fit));
    CU_ASSERT(estimate_is_sane(sy_ordinal_score(&fit, three_scores, NULL, 0.95)));
    CU_ASSERT(estimate_is_sane(sy_ordinal_latent(&fit, 0.95)));
    for (size_t j = 0; j < data->columns; j++)
        CU_ASSERT(estimate_is_sane(sy_ordinal_beta(&fit, j, 0.95)));
    sy_ordinal_clear(&fit);
    return status;
}

static void test_too_little(void)
{
    struct simulated s = simulate(&plain, 15, 0);
    struct sy_ordinal_data data = s.data;
    double *none = sy_alloc(data.rows, sizeof *none);
    data.rows = 0;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_TOO_FEW);
    data.rows = 1;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_ONE_OUTCOME);
    data.rows = 8;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_TOO_FEW);
    data.rows = s.data.rows;
    data.weight = none;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_TOO_FEW);
    data.weight = NULL;
    for (size_t i = 0; i < data.rows; i++)
        s.cluster[i] = 5;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_TOO_FEW);
    data.cluster = NULL;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_OK);
    for (size_t i = 0; i < data.rows; i++)
        s.outcome[i] = 2;
    CU_ASSERT_EQUAL(fit_status(&data), SY_STAT_ONE_OUTCOME);
    free(none);
    simulated_clear(&s);
}

static void test_bad_data(void)
{
    struct simulated s = simulate(&plain, 16, 0);
    double *weight = sy_alloc(s.data.rows, sizeof *weight);
    s.x[17] = NAN;
    CU_ASSERT_EQUAL(fit_status(&s.data), SY_STAT_BAD_DATA);
    s.x[17] = INFINITY;
    CU_ASSERT_EQUAL(fit_status(&s.data), SY_STAT_BAD_DATA);
    s.x[17] = 0;
    s.outcome[3] = 3;
    CU_ASSERT_EQUAL(fit_status(&s.data), SY_STAT_BAD_DATA);
    s.outcome[3] = -1;
    CU_ASSERT_EQUAL(fit_status(&s.data), SY_STAT_BAD_DATA);
    s.outcome[3] = 0;
    weight[0] = -1;
    s.data.weight = weight;
    CU_ASSERT_EQUAL(fit_status(&s.data), SY_STAT_BAD_DATA);
    free(weight);
    simulated_clear(&s);
}

static void test_no_columns(void)
{
    struct simulated s = simulate(&plain, 17, 0);
    struct sy_ordinal_fit fit;
    size_t counts[3] = {0};
    s.data.columns = 0;
    s.data.x = NULL;
    for (size_t i = 0; i < s.data.rows; i++)
        counts[s.outcome[i]]++;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    double mean = (0.5 * (double)counts[1] + (double)counts[2]) / (double)s.data.rows;
    CU_ASSERT(near(sy_ordinal_score(&fit, three_scores, NULL, 0.95).value, mean, 1e-12));
    CU_ASSERT(near(fit.log_likelihood, fit.null_log_likelihood, 1e-12));
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* Widens the data by columns computed from the first three; `make` fills the rest of a row. */
static void widen(struct simulated *s, size_t columns, void (*make)(double *row, size_t number, int *outcome))
{
    double *x = sy_alloc(s->data.rows * columns, sizeof *x);
    for (size_t i = 0; i < s->data.rows; i++) {
        memcpy(x + i * columns, s->x + i * s->data.columns, s->data.columns * sizeof *x);
        make(x + i * columns, i, &s->outcome[i]);
    }
    free(s->x);
    s->data.x = s->x = x;
    s->data.columns = columns;
}

static void add_zeros(double *row, size_t number, int *outcome)
{
    (void)number, (void)outcome;
    row[3] = 0;
}

static void add_ones(double *row, size_t number, int *outcome)
{
    (void)number, (void)outcome;
    row[3] = 1;
}

static void add_copy(double *row, size_t number, int *outcome)
{
    (void)number, (void)outcome;
    row[3] = 2 * row[1];
}

static void add_combination(double *row, size_t number, int *outcome)
{
    (void)number, (void)outcome;
    row[3] = 3 - row[1] + 1e-7 * row[2];
    row[4] = row[0];
}

/* Fits the first three columns alone, and again with others added; the sound columns must not notice. */
static void check_added(uint64_t seed, size_t columns, void (*make)(double *, size_t, int *),
                        const enum sy_stat *expected, bool thresholds)
{
    struct simulated s = simulate(&plain, seed, 0);
    struct sy_ordinal_fit one, two;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    widen(&s, columns, make);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &two), SY_STAT_OK);
    for (size_t j = 0; j < columns; j++) {
        CU_ASSERT_EQUAL(two.column_status[j], expected[j]);
        struct sy_estimate beta = sy_ordinal_beta(&two, j, 0.95);
        CU_ASSERT_EQUAL(beta.status, expected[j]);
        CU_ASSERT(estimate_is_sane(beta));
        if (expected[j] == SY_STAT_OK) {
            CU_ASSERT(near(beta.value, sy_ordinal_beta(&one, j, 0.95).value, 1e-7));
            CU_ASSERT(near(beta.error, sy_ordinal_beta(&one, j, 0.95).error, 1e-7));
        }
    }
    CU_ASSERT_EQUAL(two.thresholds_identified, thresholds);
    struct sy_estimate score = sy_ordinal_score(&two, three_scores, NULL, 0.95);
    CU_ASSERT_EQUAL(score.status, thresholds ? SY_STAT_OK : SY_STAT_NOT_IDENTIFIED);
    if (thresholds)
        CU_ASSERT(near(score.high, sy_ordinal_score(&one, three_scores, NULL, 0.95).high, 1e-7));
    CU_ASSERT(fit_is_finite(&two));
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    simulated_clear(&s);
}

static void test_constant_columns(void)
{
    const enum sy_stat expected[4] = {SY_STAT_OK, SY_STAT_OK, SY_STAT_OK, SY_STAT_CONSTANT};
    check_added(18, 4, add_zeros, expected, true);
    check_added(18, 4, add_ones, expected, false);
}

static void test_collinear_columns(void)
{
    const enum sy_stat copy[4] = {SY_STAT_OK, SY_STAT_COLLINEAR, SY_STAT_OK, SY_STAT_COLLINEAR};
    const enum sy_stat both[5] = {SY_STAT_COLLINEAR, SY_STAT_COLLINEAR, SY_STAT_OK, SY_STAT_COLLINEAR,
                                  SY_STAT_COLLINEAR};
    check_added(19, 4, add_copy, copy, true);
    check_added(20, 5, add_combination, both, false);
}

static void add_certain_win(double *row, size_t number, int *outcome)
{
    row[3] = number % 12 == 0 ? 1 : number % 12 == 1 ? -1 : 0;
    if (row[3] > 0)
        *outcome = 2;
    if (row[3] < 0)
        *outcome = 0;
}

/* A piece up that always wins: no value for it, and the others as without those rows. */
static void test_separated_column(void)
{
    struct simulated s = simulate(&plain, 21, 0);
    struct sy_ordinal_fit one, two;
    widen(&s, 4, add_certain_win);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &one), SY_STAT_OK);
    CU_ASSERT_EQUAL(one.rows_set_aside, 50);
    CU_ASSERT_EQUAL(one.column_status[3], SY_STAT_SEPARATED);
    double *weight = sy_alloc(s.data.rows, sizeof *weight);
    for (size_t i = 0; i < s.data.rows; i++)
        weight[i] = fabs(s.x[4 * i + 3]) > 0 ? 0 : 1;
    s.data.weight = weight;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &two), SY_STAT_OK);
    CU_ASSERT_EQUAL(two.column_status[3], SY_STAT_CONSTANT);
    for (size_t j = 0; j < 3; j++) {
        CU_ASSERT_EQUAL(one.column_status[j], SY_STAT_OK);
        CU_ASSERT(near(one.beta[j], two.beta[j], 1e-8));
    }
    CU_ASSERT(near(sy_ordinal_score(&one, three_scores, NULL, 0.95).value,
                   sy_ordinal_score(&two, three_scores, NULL, 0.95).value, 1e-8));
    CU_ASSERT_EQUAL(sy_ratio_fieller_columns(&one, 3, 0, 0.95).status, SY_STAT_SEPARATED);
    CU_ASSERT(fit_is_finite(&one));
    sy_ordinal_clear(&one);
    sy_ordinal_clear(&two);
    free(weight);
    simulated_clear(&s);
}

static void add_rarely_certain(double *row, size_t number, int *outcome)
{
    row[3] = number == 5 || number == 90 ? 1 : 0;
    if (row[3] > 0)
        *outcome = 2;
}

static void decide_all(double *row, size_t number, int *outcome)
{
    (void)number;
    double eta = row[0] + row[1] + row[2] + 0.1;
    row[3] = 0;
    *outcome = eta > 1 ? 2 : eta > -1 ? 1 : 0;
}

static void decide_half(double *row, size_t number, int *outcome)
{
    row[3] = number % 2 ? 1 : -1;
    *outcome = row[3] > 0 ? 2 : *outcome;
}

static void test_separation(void)
{
    struct simulated s = simulate(&plain, 22, 0);
    struct sy_ordinal_fit fit;
    widen(&s, 4, add_rarely_certain);
    CU_ASSERT_EQUAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    CU_ASSERT_EQUAL(fit.column_status[3], SY_STAT_SEPARATED);
    CU_ASSERT_EQUAL(fit.column_status[2], SY_STAT_OK);
    CU_ASSERT_EQUAL(fit.rows_set_aside, 2);
    CU_ASSERT(fit.thresholds_identified);
    sy_ordinal_clear(&fit);
    widen(&s, 4, decide_half);
    CU_ASSERT_EQUAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    CU_ASSERT_EQUAL(fit.column_status[3], SY_STAT_SEPARATED);
    CU_ASSERT_EQUAL(fit.column_status[0], SY_STAT_OK);
    CU_ASSERT_FALSE(fit.thresholds_identified);
    sy_ordinal_clear(&fit);
    widen(&s, 4, decide_all);
    CU_ASSERT_EQUAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_SEPARATED);
    CU_ASSERT_EQUAL(fit.column_status[0], SY_STAT_SEPARATED);
    CU_ASSERT_EQUAL(fit.column_status[3], SY_STAT_CONSTANT);
    CU_ASSERT(fit_is_finite(&fit));
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* A ridge gives every column a value, and pulls towards 0. */
static void test_ridge(void)
{
    struct simulated s = simulate(&plain, 23, 0);
    struct sy_ordinal_fit free_fit, fit;
    const struct sy_ordinal_options options = {2, 5, 60, 0};
    widen(&s, 4, add_certain_win);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &free_fit), SY_STAT_OK);
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, &options, &fit), SY_STAT_OK);
    for (size_t j = 0; j < 4; j++)
        CU_ASSERT_EQUAL(fit.column_status[j], SY_STAT_OK);
    CU_ASSERT(fit.beta[3] > 1 && fit.beta[3] < 5);
    CU_ASSERT(fit.beta[2] > 0 && fit.beta[2] < free_fit.beta[2]);
    CU_ASSERT(fit_is_finite(&fit));
    sy_ordinal_clear(&free_fit);
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* Small random data with every kind of trouble: all is finite, and each status is explained. */
static void test_nothing_is_nan(void)
{
    unsigned seen[SY_STAT_COUNT] = {0};
    for (unsigned i = 0; i < 600; i++) {
        struct sy_random random = sy_random_stream(24, i, 2);
        struct planted planted = plain;
        struct sy_ordinal_fit fit;
        struct sy_bootstrap bootstrap;
        planted.clusters = 1 + sy_random_below(&random, 40);
        planted.rare = sy_random_below(&random, 2) ? 0.1 : 0;
        struct simulated s = simulate(&planted, 24, i);
        double strength = exp(3 * sy_random_normal(&random));
        for (size_t k = 0; k < s.data.rows * 3; k++)
            s.x[k] = k % 3 == 1 && sy_random_below(&random, 2) ? s.x[k - 1] : s.x[k] * strength;
        sy_ordinal_fit(&s.data, &(struct sy_ordinal_options){0, 1, 60, 0}, &fit);
        seen[fit.status]++;
        CU_ASSERT(fit_is_finite(&fit));
        sy_ordinal_bootstrap(&s.data, NULL, &fit, three_scores, 24, 0, 120, &bootstrap);
        CU_ASSERT(all_finite(bootstrap.replicates * 3, bootstrap.beta));
        CU_ASSERT(all_finite(bootstrap.replicates, bootstrap.score));
        for (size_t j = 0; j < 3; j++) {
            seen[sy_ordinal_beta(&fit, j, 0.95).status]++;
            CU_ASSERT(estimate_is_sane(sy_ordinal_beta(&fit, j, 0.95)));
            CU_ASSERT(estimate_is_sane(sy_bootstrap_beta(&fit, &bootstrap, j, SY_BCA, 0.95)));
            struct sy_estimate ratio = sy_ratio_bootstrap_columns(&fit, &bootstrap, j, 0, SY_PERCENTILE, 0.9);
            CU_ASSERT(estimate_is_sane(ratio));
            seen[ratio.status]++;
            CU_ASSERT(estimate_is_sane(sy_ratio_fieller_columns(&fit, j, 0, 0.9)));
        }
        CU_ASSERT(estimate_is_sane(sy_bootstrap_score(&fit, &bootstrap, three_scores, SY_BCA, 0.95)));
        CU_ASSERT(estimate_is_sane(sy_elo_estimate(sy_ordinal_score(&fit, three_scores, NULL, 0.95))));
        CU_ASSERT(estimate_is_sane(sy_ordinal_advantage(&fit, three_scores, 0.95)));
        sy_bootstrap_clear(&bootstrap);
        sy_ordinal_clear(&fit);
        simulated_clear(&s);
    }
    CU_ASSERT(seen[SY_STAT_OK] > 50 && seen[SY_STAT_SEPARATED] > 50 && seen[SY_STAT_TOO_FEW] > 10);
    CU_ASSERT(seen[SY_STAT_UNIT_NEAR_ZERO] > 10 && seen[SY_STAT_TOO_MANY_FAILURES] > 10);
    CU_ASSERT_EQUAL(seen[SY_STAT_NO_CONVERGENCE], 0);
    for (int status = 0; status < SY_STAT_COUNT; status++) {
        CU_ASSERT(strlen(sy_stat_name((enum sy_stat)status)) > 1);
        CU_ASSERT(strlen(sy_stat_text((enum sy_stat)status)) > 5);
    }
}

/* ---- Bootstrap and ratios ---- */

static const double game_beta[5] = {0.5, 0.8, 1.2, 1.8, 0.7}, game_theta[4] = {-1.2, -1, 0.8, 1};
static const struct planted games = {400, 3, 5, 5, game_beta, game_theta, 0, 0.6};

static void test_bootstrap_slices(void)
{
    struct simulated s = simulate(&games, 25, 0);
    struct sy_ordinal_fit fit;
    struct sy_bootstrap all, part;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    CU_ASSERT_EQUAL(sy_ordinal_bootstrap(&s.data, NULL, &fit, five_scores, 3, 0, 20, &all), SY_STAT_OK);
    CU_ASSERT_EQUAL(sy_ordinal_bootstrap(&s.data, NULL, &fit, five_scores, 3, 12, 8, &part), SY_STAT_OK);
    CU_ASSERT_EQUAL(memcmp(all.beta + 12 * 5, part.beta, 8 * 5 * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(all.score + 12, part.score, 8 * sizeof(double)), 0);
    CU_ASSERT(fabs(all.beta[0] - all.beta[5]) > 1e-6);
    sy_bootstrap_clear(&part);
    sy_ordinal_bootstrap(&s.data, NULL, &fit, five_scores, 4, 0, 20, &part);
    CU_ASSERT(fabs(all.beta[0] - part.beta[0]) > 1e-6);
    CU_ASSERT_EQUAL(sy_bootstrap_beta(&fit, &part, 0, SY_PERCENTILE, 0.95).status, SY_STAT_TOO_FEW);
    sy_bootstrap_clear(&all);
    sy_bootstrap_clear(&part);
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* 1,000 replicates know their standard error to 2.2 %; the robust one must agree.
 */
static void test_bootstrap_errors(void)
{
    struct simulated s = simulate(&games, 26, 0);
    struct sy_ordinal_fit fit;
    struct sy_bootstrap bootstrap;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    sy_ordinal_bootstrap(&s.data, NULL, &fit, five_scores, 1, 0, 1000, &bootstrap);
    CU_ASSERT_EQUAL(bootstrap.failures, 0);
    for (size_t j = 0; j < 5; j++) {
        struct sy_estimate robust = sy_ordinal_beta(&fit, j, 0.95);
        struct sy_estimate resampled = sy_bootstrap_beta(&fit, &bootstrap, j, SY_PERCENTILE, 0.95);
        struct sy_estimate corrected = sy_bootstrap_beta(&fit, &bootstrap, j, SY_BCA, 0.95);
        CU_ASSERT_DOUBLE_EQUAL(resampled.error / robust.error, 1, 0.1);
        CU_ASSERT_DOUBLE_EQUAL(resampled.low, robust.low, 0.5 * robust.error);
        CU_ASSERT_DOUBLE_EQUAL(corrected.high, robust.high, 0.5 * robust.error);
        struct sy_estimate fieller = sy_ratio_fieller_columns(&fit, j, 3, 0.95);
        struct sy_estimate ratio = sy_ratio_bootstrap_columns(&fit, &bootstrap, j, 3, SY_PERCENTILE, 0.95);
        CU_ASSERT_EQUAL(ratio.status, SY_STAT_OK);
        CU_ASSERT_DOUBLE_EQUAL(ratio.low, fieller.low, 0.3 * fieller.error + 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ratio.high, fieller.high, 0.3 * fieller.error + 1e-12);
    }
    struct sy_estimate score = sy_ordinal_score(&fit, five_scores, NULL, 0.95);
    struct sy_estimate again = sy_bootstrap_score(&fit, &bootstrap, five_scores, SY_PERCENTILE, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(again.error / score.error, 1, 0.1);
    /* Rows of one cluster are alike, so that the plain errors are too small. */
    for (size_t i = 0; i < fit.parameters; i++)
        CU_ASSERT(fit.sandwich[i * (fit.parameters + 1)] > 1.2 * fit.covariance[i * (fit.parameters + 1)]);
    struct sy_estimate even = sy_bootstrap_advantage(&fit, &bootstrap, five_scores, SY_BCA, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(even.error / sy_ordinal_advantage(&fit, five_scores, 0.95).error, 1, 0.1);
    sy_bootstrap_clear(&bootstrap);
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

static void test_bootstrap_failures(void)
{
    const double beta[3] = {0.4, 0.7, 2.5}, theta[2] = {-0.8, 0.5};
    struct planted planted = {200, 1, 3, 3, beta, theta, 0.04, 0};
    unsigned too_many = 0;
    for (unsigned i = 0; i < 10; i++) {
        struct simulated s = simulate(&planted, 27, i);
        struct sy_ordinal_fit fit;
        struct sy_bootstrap bootstrap;
        CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
        sy_ordinal_bootstrap(&s.data, NULL, &fit, three_scores, 1, 0, 200, &bootstrap);
        struct sy_estimate sound = sy_bootstrap_beta(&fit, &bootstrap, 1, SY_PERCENTILE, 0.95);
        struct sy_estimate rare = sy_bootstrap_beta(&fit, &bootstrap, 2, SY_PERCENTILE, 0.95);
        CU_ASSERT_EQUAL(sound.status, SY_STAT_OK);
        CU_ASSERT_EQUAL(sound.failures, 0);
        CU_ASSERT(rare.status == fit.column_status[2] || rare.status == SY_STAT_TOO_MANY_FAILURES);
        CU_ASSERT(rare.status != SY_STAT_TOO_MANY_FAILURES || rare.failures > 10);
        too_many += rare.status == SY_STAT_TOO_MANY_FAILURES;
        sy_bootstrap_clear(&bootstrap);
        sy_ordinal_clear(&fit);
        simulated_clear(&s);
    }
    CU_ASSERT(too_many > 0);
}

static void test_ratio_refused(void)
{
    const double beta[3] = {0.02, 0.7, 1.6}, theta[2] = {-0.8, 0.5};
    struct planted planted = plain;
    planted.beta = beta;
    planted.theta = theta;
    struct simulated s = simulate(&planted, 28, 0);
    struct sy_ordinal_fit fit;
    struct sy_bootstrap bootstrap;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    sy_ordinal_bootstrap(&s.data, NULL, &fit, three_scores, 1, 0, 200, &bootstrap);
    for (size_t j = 0; j < 3; j++) {
        CU_ASSERT_EQUAL(sy_ratio_fieller_columns(&fit, j, 0, 0.95).status, SY_STAT_UNIT_NEAR_ZERO);
        CU_ASSERT_EQUAL(sy_ratio_bootstrap_columns(&fit, &bootstrap, j, 0, SY_BCA, 0.95).status,
                        SY_STAT_UNIT_NEAR_ZERO);
    }
    sy_bootstrap_clear(&bootstrap);
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* Fieller's interval is where the test of over - r under = 0 turns; a unit to itself is 1. */
static void test_ratio_fieller(void)
{
    struct simulated s = simulate(&plain, 29, 0);
    struct sy_ordinal_fit fit;
    const double over[3] = {0, 1, 1}, under[3] = {1, 0.5, 0};
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    struct sy_estimate ratio = sy_ratio_fieller(&fit, (struct sy_ratio){over, under}, 0.95);
    CU_ASSERT_EQUAL_FATAL(ratio.status, SY_STAT_OK);
    CU_ASSERT(near(ratio.value, (fit.beta[1] + fit.beta[2]) / (fit.beta[0] + fit.beta[1] / 2), 1e-12));
    for (int side = 0; side < 2; side++) {
        double r = side ? ratio.high : ratio.low, hypothesis[5] = {0, 0, -r, 1 - 0.5 * r, 1}, estimate[5];
        memcpy(estimate, fit.theta, 2 * sizeof(double));
        memcpy(estimate + 2, fit.beta, 3 * sizeof(double));
        struct sy_chi_square test = sy_wald_test(5, estimate, fit.sandwich, 1, hypothesis, NULL);
        CU_ASSERT_DOUBLE_EQUAL(test.p, 0.05, 1e-9);
    }
    ratio = sy_ratio_fieller_columns(&fit, 1, 1, 0.95);
    CU_ASSERT(ratio.status == SY_STAT_OK && near(ratio.low, 1, 0) && near(ratio.high, 1, 0));
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* ---- Tests of hypotheses, and the small classics (expected numbers from R) ---- */

static void test_wald(void)
{
    const double b[3] = {1.1, 2.9, 5.2}, v[9] = {0.04, 0.01, 0, 0.01, 0.09, 0.02, 0, 0.02, 0.16};
    const double suggested[3] = {1, 3, 5}, ratios[6] = {-3, 1, 0, -5, 0, 1};
    const double twice[6] = {-3, 1, 0, -6, 2, 0}, target = 1;
    double z[3], p[3];
    struct sy_estimate scale;
    struct sy_chi_square wald = sy_wald_test(3, b, v, 2, ratios, NULL);
    struct sy_chi_square all = sy_proportional_test(3, b, v, suggested, 0.95, &scale, z, p);
    CU_ASSERT_EQUAL(wald.status, SY_STAT_OK);
    CU_ASSERT_EQUAL(wald.freedom, 2);
    CU_ASSERT_DOUBLE_EQUAL(wald.statistic, all.statistic, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(wald.p, exp(-wald.statistic / 2), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(sy_chi_square_p(7.5, 3), 0.057558451972636406, 1e-14);
    CU_ASSERT(covers(scale, 1));
    CU_ASSERT_DOUBLE_EQUAL(p[0], sy_normal_p(z[0]), 1e-15);
    CU_ASSERT_EQUAL(sy_wald_test(3, b, v, 2, twice, NULL).status, SY_STAT_COLLINEAR);
    wald = sy_wald_test(3, b, v, 1, (const double[3]){1, 0, 0}, &target);
    CU_ASSERT_DOUBLE_EQUAL(wald.statistic, 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(wald.p, sy_normal_p(0.5), 1e-12);
    CU_ASSERT_EQUAL(sy_proportional_test(1, b, v, suggested, 0.95, &scale, z, p).status, SY_STAT_TOO_FEW);
    CU_ASSERT_EQUAL(sy_proportional_test(3, b, (const double[9]){0}, suggested, 0.95, &scale, z, p).status,
                    SY_STAT_COLLINEAR);
    CU_ASSERT(estimate_is_sane(scale) && near(p[2], 1, 0));
}

/* Uncorrelated entries of error 1: the scale is least squares', and a departure shows where it is. */
static void test_proportional(void)
{
    const double b[4] = {10, 20, 30, 46}, s[4] = {1, 2, 3, 4};
    double v[16] = {0}, z[4], p[4];
    struct sy_estimate scale;
    for (size_t i = 0; i < 4; i++)
        v[i * 5] = 1;
    struct sy_chi_square test = sy_proportional_test(4, b, v, s, 0.95, &scale, z, p);
    CU_ASSERT_DOUBLE_EQUAL(scale.value, (10 + 40 + 90 + 184) / 30.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scale.error, 1 / sqrt(30), 1e-12);
    CU_ASSERT_EQUAL(test.freedom, 3);
    CU_ASSERT_DOUBLE_EQUAL(test.statistic, 100 + 400 + 900 + 2116 - 324 * 324 / 30.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(z[3], (46 - 4 * 10.8) / sqrt(1 - 16 / 30.0), 1e-9);
    CU_ASSERT(z[2] < 0 && p[3] < p[0]);
}

/* Two entries of variance 1 and 4, correlation 0.95: least squares with the whole covariance would put the
 * scale outside of both ratios; the weighted mean stays between them. */
static void test_departures(void)
{
    const double b[2] = {1, 3}, s[2] = {1, 2}, v[4] = {1, 1.9, 1.9, 4};
    struct sy_estimate scale;
    double weights[2], z[2], p[2];
    CU_ASSERT_EQUAL(sy_departures(2, b, v, s, 0.95, &scale, weights, z, p), SY_STAT_OK);
    CU_ASSERT_DOUBLE_EQUAL(scale.value, (1 * 1 + 3 * 2 / 4.0) / 2, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scale.value, weights[0] * b[0] + weights[1] * b[1], 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(scale.error, sqrt((1 + 2 * 0.95 + 1) / 4), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(z[0], -z[1], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(z[1], (3 - 2.5) / sqrt(1 + 1 - 1.9), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(p[0], sy_normal_p(z[0]), 1e-15);
    CU_ASSERT_EQUAL(sy_departures(2, b, (const double[4]){0}, s, 0.95, &scale, weights, z, p),
                    SY_STAT_COLLINEAR);
    CU_ASSERT_EQUAL(sy_departures(2, b, v, (const double[2]){0}, 0.95, &scale, weights, z, p),
                    SY_STAT_BAD_DATA);
}

/* With one degree of freedom F is the square of Student's t: R's 2 * pt(-2.5, 19), and the limit. */
static void test_wald_p(void)
{
    CU_ASSERT_DOUBLE_EQUAL(sy_wald_p(6.25, 1, 20), 0.021740411168, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(sy_wald_p(9, 3, 100000000), sy_chi_square_p(9, 3), 1e-6);
    CU_ASSERT_EQUAL(sy_wald_p(9, 3, 3), 1);
}

static const double expected_beta[3] = {0.6, -0.4, 1}, expected_theta[2] = {-0.8, 0.5};

/* What the expected information says of a design is what a large fit of it finds. */
static void test_expected(void)
{
    const struct planted planted = {6000, 1, 3, 3, expected_beta, expected_theta, 0, 0};
    struct simulated s = simulate(&planted, 31, 0);
    struct sy_ordinal_fit fit, expected;
    CU_ASSERT_EQUAL_FATAL(sy_ordinal_fit(&s.data, NULL, &fit), SY_STAT_OK);
    CU_ASSERT_EQUAL(
        sy_ordinal_expect(s.data.rows, 3, 3, s.data.x, expected_theta, expected_beta, 6000, &expected),
        SY_STAT_OK);
    for (size_t i = 0; i < fit.parameters; i++)
        CU_ASSERT_DOUBLE_EQUAL(
            sqrt(expected.covariance[i * fit.parameters + i] / fit.covariance[i * fit.parameters + i]), 1,
            0.05);
    sy_ordinal_clear(&expected);
    for (size_t i = 0; i < s.data.rows; i++)
        s.x[3 * i + 1] = 2 * s.x[3 * i];
    CU_ASSERT_EQUAL(
        sy_ordinal_expect(s.data.rows, 3, 3, s.data.x, expected_theta, expected_beta, 6000, &expected),
        SY_STAT_OK);
    CU_ASSERT_EQUAL(expected.column_status[1], SY_STAT_COLLINEAR);
    CU_ASSERT_EQUAL(sy_ordinal_beta(&expected, 0, 0.95).status, SY_STAT_OK);
    CU_ASSERT_EQUAL(sy_ordinal_beta(&expected, 1, 0.95).status, SY_STAT_COLLINEAR);
    sy_ordinal_clear(&expected);
    sy_ordinal_clear(&fit);
    simulated_clear(&s);
}

/* A column that speaks in seven clusters gets no interval; in eight it does. The others do not change. */
static void test_rare_column(void)
{
    const struct planted planted = {200, 2, 3, 3, expected_beta, expected_theta, 0, 0};
    for (size_t clusters = 7; clusters <= 8; clusters++) {
        struct simulated s = simulate(&planted, 33, 0);
        struct sy_ordinal_fit fit, unguarded;
        for (size_t i = 0; i < s.data.rows; i++)
            s.x[3 * i + 2] = i < 2 * clusters ? (i % 4 < 2 ? 1 : -1) : 0;
        sy_ordinal_fit(&s.data, NULL, &fit);
        sy_ordinal_fit(&s.data, &(struct sy_ordinal_options){0, 5, 60, 0}, &unguarded);
        CU_ASSERT_EQUAL_FATAL(fit.status, SY_STAT_OK);
        CU_ASSERT_EQUAL(unguarded.column_status[2], SY_STAT_OK);
        CU_ASSERT_EQUAL(fit.column_status[2], clusters < 8 ? SY_STAT_TOO_FEW : SY_STAT_OK);
        CU_ASSERT_EQUAL(sy_ordinal_beta(&fit, 2, 0.95).status, fit.column_status[2]);
        CU_ASSERT_EQUAL(fit.beta[0], unguarded.beta[0]);
        CU_ASSERT_EQUAL(sy_ordinal_beta(&fit, 0, 0.95).error, sy_ordinal_beta(&unguarded, 0, 0.95).error);
        sy_ordinal_clear(&fit);
        sy_ordinal_clear(&unguarded);
        simulated_clear(&s);
    }
}

static void test_wilson(void)
{
    struct sy_estimate share = sy_wilson(10, 50, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(share.low, 0.11243750015776113, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(share.high, 0.33037105932225413, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(share.value, 0.2, 1e-15);
    share = sy_wilson(0, 20, 0.95);
    CU_ASSERT(share.status == SY_STAT_OK && share.low <= 0 && share.high > 0.1 && share.high < 0.2);
    share = sy_wilson(20, 20, 0.95);
    CU_ASSERT(share.status == SY_STAT_OK && share.high >= 1 && share.low > 0.8);
    CU_ASSERT_EQUAL(sy_elo_estimate(share).status, SY_STAT_BOUNDARY);
    CU_ASSERT_EQUAL(sy_wilson(0, 0, 0.95).status, SY_STAT_TOO_FEW);
    CU_ASSERT_EQUAL(sy_wilson(3, 2, 0.95).status, SY_STAT_BAD_DATA);
    CU_ASSERT_EQUAL(sy_wilson(NAN, 2, 0.95).status, SY_STAT_BAD_DATA);
}

static void test_mean(void)
{
    const double x[8] = {3, 1, 4, 1, 5, 9, 2, 6}, w[8] = {1, 2, 1, 1, 3, 1, 1, 2}, none[8] = {0};
    const int64_t g[8] = {7, 7, -2, -2, -2, 0, 4, 4};
    struct sy_estimate mean = sy_mean(8, x, NULL, NULL, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(mean.low, 1.5773000431592450, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(mean.high, 6.1726999568407548, 1e-12);
    mean = sy_mean(8, x, NULL, g, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(mean.error, 0.94682858797144465, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(mean.low, 0.86176885847328588, 1e-12);
    mean = sy_mean(8, x, w, g, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(mean.value, 4, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(mean.error, 0.84983658559879738, 1e-12);
    CU_ASSERT_EQUAL(sy_mean(0, x, NULL, NULL, 0.95).status, SY_STAT_TOO_FEW);
    CU_ASSERT_EQUAL(sy_mean(1, x, NULL, NULL, 0.95).status, SY_STAT_TOO_FEW);
    CU_ASSERT_EQUAL(sy_mean(2, x, NULL, g, 0.95).status, SY_STAT_TOO_FEW);
    CU_ASSERT(estimate_is_sane(sy_mean(8, x, none, g, 0.95)));
    CU_ASSERT_EQUAL(sy_mean(1, (const double[1]){NAN}, NULL, NULL, 0.95).status, SY_STAT_BAD_DATA);
}

static void test_small_helpers(void)
{
    const double ordered[5] = {1, 2, 4, 8, 16}, p[5] = {0.01, 0.04, 0.03, 0.005, 0.8};
    const double corrected[5] = {0.04, 0.09, 0.09, 0.025, 0.8};
    double adjusted[5], elo;
    CU_ASSERT_DOUBLE_EQUAL(sy_quantile_sorted(5, ordered, 0.1), 1.4, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(sy_quantile_sorted(5, ordered, 0.83), 10.56, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(sy_quantile_sorted(5, ordered, 1), 16, 0);
    CU_ASSERT_DOUBLE_EQUAL(sy_quantile_sorted(1, ordered, 0.3), 1, 0);
    sy_holm(5, p, adjusted);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_DOUBLE_EQUAL(adjusted[i], corrected[i], 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(sy_normal_p(-1.959963984540054), 0.05, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(sy_normal_quantile(0.975), 1.959963984540054, 1e-12);
    CU_ASSERT(sy_elo(0.75, &elo) && near(elo, 190.84850188786498, 1e-12));
    CU_ASSERT_FALSE(sy_elo(0, &elo));
    CU_ASSERT_FALSE(sy_elo(1, &elo));
    struct sy_estimate score = {.value = 0.55, .error = 0.01, .low = 0.53, .high = 0.57};
    struct sy_estimate edge = sy_elo_estimate(score);
    CU_ASSERT_DOUBLE_EQUAL(edge.value, 34.860, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(edge.error, (400 * log10(0.5501 / 0.4499) - edge.value) / 0.0001 * 0.01, 1e-2);
    CU_ASSERT(edge.low < edge.value && edge.value < edge.high);
    CU_ASSERT_EQUAL(sy_elo_estimate((struct sy_estimate){.status = SY_STAT_TOO_FEW}).status, SY_STAT_TOO_FEW);
}

void test_stats_suite(void)
{
    CU_pSuite suite = CU_add_suite("stats", NULL, NULL);
    CU_add_test(suite, "reference fit: games", test_reference_games);
    CU_add_test(suite, "reference fit: positions", test_reference_positions);
    CU_add_test(suite, "reference fit: housing, as published", test_reference_housing);
    CU_add_test(suite, "order of rows and names of clusters do not matter", test_order_of_rows);
    CU_add_test(suite, "units of columns do not matter", test_units_of_columns);
    CU_add_test(suite, "mirrored data give the mirrored fit", test_mirror);
    CU_add_test(suite, "a weight is a number of copies", test_weights);
    CU_add_test(suite, "empty categories", test_empty_categories);
    CU_add_test(suite, "copies within a cluster", test_copies_in_a_cluster);
    CU_add_test(suite, "planted values are covered", test_coverage);
    CU_add_test(suite, "errors of the score and the advantage", test_score_error);
    CU_add_test(suite, "too little data", test_too_little);
    CU_add_test(suite, "bad data", test_bad_data);
    CU_add_test(suite, "no columns", test_no_columns);
    CU_add_test(suite, "constant columns", test_constant_columns);
    CU_add_test(suite, "collinear columns", test_collinear_columns);
    CU_add_test(suite, "a separated column", test_separated_column);
    CU_add_test(suite, "kinds of separation", test_separation);
    CU_add_test(suite, "ridge", test_ridge);
    CU_add_test(suite, "nothing is NaN", test_nothing_is_nan);
    CU_add_test(suite, "bootstrap: slices and seeds", test_bootstrap_slices);
    CU_add_test(suite, "bootstrap: errors agree with the sandwich", test_bootstrap_errors);
    CU_add_test(suite, "bootstrap: failures are counted", test_bootstrap_failures);
    CU_add_test(suite, "ratios to a unit near 0 are refused", test_ratio_refused);
    CU_add_test(suite, "Fieller's interval", test_ratio_fieller);
    CU_add_test(suite, "Wald tests", test_wald);
    CU_add_test(suite, "test of a suggested table", test_proportional);
    CU_add_test(suite, "which entries of a table depart", test_departures);
    CU_add_test(suite, "p of a Wald test with few clusters", test_wald_p);
    CU_add_test(suite, "expected information", test_expected);
    CU_add_test(suite, "a column with too few clusters", test_rare_column);
    CU_add_test(suite, "Wilson", test_wilson);
    CU_add_test(suite, "mean", test_mean);
    CU_add_test(suite, "quantiles, Holm, Elo", test_small_helpers);
}
