/* Tests of least squares, against certified and published values, and of the top of a quadratic surface. */
#include "steelyard/base.h"
#include "steelyard/stats_least.h"
#include "steelyard/stats_surface.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_surface_suite(void);

/* ---- least squares ---- */

enum { LONGLEY_ROWS = 16, LONGLEY_COLUMNS = 6 };

static void read_longley(double *y, double *x)
{
    char line[200];
    size_t row = 0;
    FILE *file = fopen("tests/data/longley.csv", "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *at = line;
        if (line[0] == '#')
            continue;
        CU_ASSERT_FATAL(row < LONGLEY_ROWS);
        y[row] = strtod(at, &at);
        for (size_t j = 0; j < LONGLEY_COLUMNS; j++)
            x[row * LONGLEY_COLUMNS + j] = strtod(at + 1, &at);
        row++;
    }
    fclose(file);
    CU_ASSERT_EQUAL_FATAL(row, LONGLEY_ROWS);
}

static bool near(double number, double expected, double relative)
{
    const bool good = fabs(number - expected) <= relative * fabs(expected);
    if (!good)
        printf("    %.15g, not %.15g\n", number, expected);
    return good;
}

/* Certified by NIST to 15 digits, estimates and their errors. Those robust to heteroscedasticity, every row a
 * cluster, are SAS's HC0, published to five decimals, times our 16/15. */
static void test_longley(void)
{
    static const double certified[][3] = {{-3482258.63459582, 890420.383607373, 832212},
                                          {15.0618722713733, 84.9149257747669, 51.22035},
                                          {-0.358191792925910e-01, 0.334910077722432e-01, 0.02458},
                                          {-2.02022980381683, 0.488399681651699, 0.38324},
                                          {-1.03322686717359, 0.214274163161675, 0.14625},
                                          {-0.511041056535807e-01, 0.226073200069370, 0.15821},
                                          {1829.15146461355, 455.478499142212, 428.38438}};
    double y[LONGLEY_ROWS], x[LONGLEY_ROWS * LONGLEY_COLUMNS];
    struct sy_least_fit fit;
    read_longley(y, x);
    const struct sy_least_data data = {LONGLEY_ROWS, LONGLEY_COLUMNS, x, y, NULL};
    CU_ASSERT_EQUAL_FATAL(sy_least_squares(&data, &fit), SY_STAT_OK);
    CU_ASSERT_EQUAL(fit.parameters, 7);
    CU_ASSERT_EQUAL(fit.clusters, LONGLEY_ROWS);
    for (size_t i = 0; i < 7; i++) {
        CU_ASSERT(near(fit.beta[i], certified[i][0], 1e-9));
        CU_ASSERT(near(sqrt(fit.covariance[8 * i]), certified[i][1], 1e-9));
        CU_ASSERT(near(sqrt(fit.sandwich[8 * i] * 15 / 16), certified[i][2], 3e-4));
    }
    CU_ASSERT(near(fit.residual_deviation, 304.854073561965, 1e-9));
    CU_ASSERT(near(fit.sum_of_squares, 836424.055505915, 1e-9));
    CU_ASSERT(near(fit.r_squared, 0.995479004577296, 1e-12));
    sy_least_clear(&fit);
}

/* Two copies of every row in one cluster: estimates and robust errors are as with one. */
static void test_copies(void)
{
    double y[2 * LONGLEY_ROWS], x[2 * LONGLEY_ROWS * LONGLEY_COLUMNS];
    int64_t cluster[2 * LONGLEY_ROWS];
    struct sy_least_fit once, twice;
    read_longley(y, x);
    memcpy(y + LONGLEY_ROWS, y, LONGLEY_ROWS * sizeof *y);
    memcpy(x + LONGLEY_ROWS * LONGLEY_COLUMNS, x, LONGLEY_ROWS * LONGLEY_COLUMNS * sizeof *x);
    for (size_t i = 0; i < 2 * LONGLEY_ROWS; i++)
        cluster[i] = -(int64_t)(i % LONGLEY_ROWS);
    CU_ASSERT_EQUAL(
        sy_least_squares(&(struct sy_least_data){LONGLEY_ROWS, LONGLEY_COLUMNS, x, y, NULL}, &once),
        SY_STAT_OK);
    CU_ASSERT_EQUAL(
        sy_least_squares(&(struct sy_least_data){2 * LONGLEY_ROWS, LONGLEY_COLUMNS, x, y, cluster}, &twice),
        SY_STAT_OK);
    CU_ASSERT_EQUAL(twice.clusters, LONGLEY_ROWS);
    for (size_t i = 0; i < 7; i++) {
        CU_ASSERT(near(twice.beta[i], once.beta[i], 1e-7));
        CU_ASSERT(near(twice.sandwich[8 * i], once.sandwich[8 * i], 1e-7));
    }
    sy_least_clear(&once);
    sy_least_clear(&twice);
}

static void test_least_refused(void)
{
    double x[] = {1, 2, 2, 4, 3, 6, 4, 8, 5, 10}, y[] = {1, 3, 2, 5, 4};
    struct sy_least_fit fit;
    CU_ASSERT_EQUAL(sy_least_squares(&(struct sy_least_data){5, 2, x, y, NULL}, &fit), SY_STAT_COLLINEAR);
    sy_least_clear(&fit);
    CU_ASSERT_EQUAL(sy_least_squares(&(struct sy_least_data){3, 2, x, y, NULL}, &fit), SY_STAT_TOO_FEW);
    sy_least_clear(&fit);
    x[3] = NAN;
    CU_ASSERT_EQUAL(sy_least_squares(&(struct sy_least_data){5, 2, x, y, NULL}, &fit), SY_STAT_BAD_DATA);
    sy_least_clear(&fit);
}

/* ---- surfaces ---- */

enum { SIZE = 3, TERMS = 9 };

/* A bends down by 2, 3 and 4 along the axes, with two directions that hang together. */
static const double hill[TERMS] = {0.4, -0.6, 0.2, -2, 0.5, 0, -3, -0.4, -4};

static double height(const double *terms, const double *u)
{
    const double a[SIZE][SIZE] = {
        {terms[3], terms[4], terms[5]}, {terms[4], terms[6], terms[7]}, {terms[5], terms[7], terms[8]}};
    double sum = 0;
    for (size_t i = 0; i < SIZE; i++) {
        sum += terms[i] * u[i];
        for (size_t j = 0; j < SIZE; j++)
            sum += u[i] * a[i][j] * u[j];
    }
    return sum;
}

static void set_variance(double *covariance, double variance)
{
    memset(covariance, 0, TERMS * TERMS * sizeof *covariance);
    for (size_t i = 0; i < TERMS; i++)
        covariance[i * TERMS + i] = variance;
}

static void test_rows(void)
{
    const double one[SIZE] = {0.3, -0.7, 0.1}, other[SIZE] = {-0.2, 0.5, 0.6};
    double row[TERMS], product = 0;
    CU_ASSERT_EQUAL(sy_surface_terms(SIZE), TERMS);
    CU_ASSERT_EQUAL(sy_surface_diagonal(SIZE, 0), 3);
    CU_ASSERT_EQUAL(sy_surface_diagonal(SIZE, 1), 6);
    CU_ASSERT_EQUAL(sy_surface_diagonal(SIZE, 2), 8);
    sy_surface_row(SIZE, one, other, row);
    for (size_t i = 0; i < TERMS; i++)
        product += row[i] * hill[i];
    CU_ASSERT_DOUBLE_EQUAL(product, height(hill, one) - height(hill, other), 1e-14);
}

static double coordinate(const double *u, const void *context)
{
    return u[*(const size_t *)context];
}

/* The top is above all that lies around it; at the same mean, above all around it of that mean. */
static void test_top(void)
{
    static const double step[][SIZE] = {{1, -1, 0}, {0, 1, -1}, {1, 0, -1}, {1, 1, 1}};
    double covariance[TERMS * TERMS];
    set_variance(covariance, 1e-6);
    const struct sy_surface_estimate estimate = {SIZE, 1000, hill, covariance};
    for (int same_mean = 0; same_mean < 2; same_mean++) {
        struct sy_surface surface;
        CU_ASSERT_EQUAL_FATAL(sy_surface_find(&estimate, same_mean, 0.95, 1, &surface), SY_STAT_OK);
        CU_ASSERT_EQUAL(surface.concave, 1);
        CU_ASSERT(surface.weakest < -1.5 && surface.weakest > -4);
        for (size_t i = 0; i < (same_mean ? 3U : 4U); i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double beside[SIZE];
                for (size_t j = 0; j < SIZE; j++)
                    beside[j] = surface.top[j] + sign * 0.01 * step[i][j];
                CU_ASSERT(height(hill, beside) < height(hill, surface.top));
            }
        if (same_mean)
            CU_ASSERT_DOUBLE_EQUAL(surface.top[0] + surface.top[1] + surface.top[2], 0, 1e-12);
        for (size_t i = 0; i < SIZE; i++) {
            /* So well known a top is normal: its error gives its interval. */
            const struct sy_estimate top = sy_surface_value(&surface, coordinate, &i, 0.95);
            CU_ASSERT_EQUAL(top.status, SY_STAT_OK);
            CU_ASSERT_DOUBLE_EQUAL(top.error, sqrt(surface.covariance[i * (SIZE + 1)]), 1e-9);
            CU_ASSERT_DOUBLE_EQUAL((top.high - top.low) / (2 * 1.96 * top.error), 1, 0.05);
        }
        sy_surface_clear(&surface);
    }
}

/* Of one coordinate the top is a ratio, so its interval is Fieller's: g^2 - 2ghr + h^2r^2 <= z^2 var. */
static void test_against_fieller(void)
{
    const double terms[2] = {0.5, -1}, covariance[4] = {0.02, 0, 0, 0.06}, z = 1.959964;
    const struct sy_surface_estimate estimate = {1, 1000, terms, covariance};
    struct sy_surface surface;
    CU_ASSERT_EQUAL_FATAL(sy_surface_find(&estimate, false, 0.95, 3, &surface), SY_STAT_OK);
    const struct sy_estimate top = sy_surface_value(&surface, coordinate, &(size_t){0}, 0.95);
    /* b + 2 a u = 0 is not rejected: (b + 2 a u)^2 <= z^2 (var b + 4 u^2 var a). */
    for (int end = 0; end < 2; end++) {
        const double u = end == 0 ? top.low : top.high;
        const double gap = fabs(terms[0] + 2 * terms[1] * u);
        CU_ASSERT_DOUBLE_EQUAL(gap / sqrt(covariance[0] + 4 * u * u * covariance[3]), z, 0.15);
    }
    CU_ASSERT_DOUBLE_EQUAL(top.value, 0.25, 1e-12);
    sy_surface_clear(&surface);
}

static enum sy_stat status_of(const double *terms, double variance, bool same_mean)
{
    double covariance[TERMS * TERMS];
    struct sy_surface surface;
    set_variance(covariance, variance);
    const struct sy_surface_estimate estimate = {SIZE, 1000, terms, covariance};
    const enum sy_stat status = sy_surface_find(&estimate, same_mean, 0.95, 2, &surface);
    CU_ASSERT_EQUAL(sy_surface_value(&surface, coordinate, &(size_t){0}, 0.95).status, status);
    sy_surface_clear(&surface);
    return status;
}

static void test_no_top(void)
{
    double saddle[TERMS], trough[TERMS], broken[TERMS];
    memcpy(saddle, hill, sizeof saddle);
    saddle[3] = 2;
    /* Level where all coordinates grow together, and only there: no top, but one at the same mean. */
    memset(trough, 0, sizeof trough);
    trough[0] = 0.3;
    trough[1] = -0.3;
    trough[3] = trough[6] = trough[8] = -2;
    trough[4] = trough[5] = trough[7] = 1;
    memcpy(broken, hill, sizeof broken);
    broken[2] = INFINITY;
    CU_ASSERT_EQUAL(status_of(hill, 0.01, false), SY_STAT_OK);
    CU_ASSERT_EQUAL(status_of(hill, 9, false), SY_STAT_FLAT);
    CU_ASSERT_EQUAL(status_of(hill, 1.5, false), SY_STAT_NOT_CONCAVE);
    CU_ASSERT_EQUAL(status_of(saddle, 0.0001, false), SY_STAT_NOT_CONCAVE);
    CU_ASSERT_EQUAL(status_of(trough, 0.001, false), SY_STAT_NOT_CONCAVE);
    CU_ASSERT_EQUAL(status_of(trough, 0.001, true), SY_STAT_OK);
    CU_ASSERT_EQUAL(status_of(broken, 0.01, false), SY_STAT_BAD_DATA);
    CU_ASSERT_EQUAL(status_of(hill, 0, false), SY_STAT_COLLINEAR);
}

/* Draws without a top count as beyond both ends. */
static void test_doubtful(void)
{
    const double terms[2] = {3, -1}, covariance[4] = {0.02, 0, 0, 0.31};
    const struct sy_surface_estimate estimate = {1, 1000, terms, covariance};
    struct sy_surface surface;
    CU_ASSERT_EQUAL_FATAL(sy_surface_find(&estimate, false, 0.95, 3, &surface), SY_STAT_OK);
    CU_ASSERT(surface.concave > 0.955 && surface.concave < 0.975); /* P(a < 0), a ~ N(-1, 0.31), is 0.964 */
    const struct sy_estimate top = sy_surface_value(&surface, coordinate, &(size_t){0}, 0.95);
    size_t above = 0;
    for (size_t i = 0; i < surface.tops; i++)
        above += surface.drawn[i] > top.high;
    const double without = (double)(surface.draws - surface.tops);
    CU_ASSERT_DOUBLE_EQUAL((double)above + without / 2, 0.025 * (double)surface.draws, 2);
    CU_ASSERT(top.low < top.value && top.value < top.high);
    sy_surface_clear(&surface);
}

void test_surface_suite(void)
{
    CU_pSuite suite = CU_add_suite("surface", NULL, NULL);
    CU_add_test(suite, "least squares: Longley's data, as certified", test_longley);
    CU_add_test(suite, "least squares: copies within a cluster", test_copies);
    CU_add_test(suite, "least squares: what is refused", test_least_refused);
    CU_add_test(suite, "rows of a surface", test_rows);
    CU_add_test(suite, "the top of a surface", test_top);
    CU_add_test(suite, "in one direction the top's interval is Fieller's", test_against_fieller);
    CU_add_test(suite, "surfaces without a top", test_no_top);
    CU_add_test(suite, "a doubtful top has a wide interval", test_doubtful);
}
