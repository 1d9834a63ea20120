/* How often the intervals of a surface's top hold the planted one, over simulated experiments: pairs of games
 * between players who drew three values each, results from the proportional-odds model. Where the surface is
 * doubtful many experiments give no top, and those that give one have wide intervals. */
#include "steelyard/base.h"
#include "steelyard/stats_least.h"
#include "steelyard/stats_surface.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void long_surface_suite(void);

enum { EXPERIMENTS = 400, SIZE = 3, TERMS = 9 };

static const double planted_top[SIZE] = {0.1, -0.2, 0.25};
static const double half_range = 0.693147;

struct sample {
    size_t rows;
    double *x, *score;
    int *outcome;
    int64_t *cluster;
};

static double height(double bend, const double *u)
{
    double sum = 0;
    for (size_t i = 0; i < SIZE; i++)
        sum -= bend * (u[i] - planted_top[i]) * (u[i] - planted_top[i]);
    return sum;
}

/* The second game of a pair has the players' sides exchanged. */
static void draw(struct sample *sample, size_t pairs, double bend, uint64_t number)
{
    struct sy_random random = sy_random_stream(41, number, pairs);
    sample->rows = 2 * pairs;
    for (size_t i = 0; i < pairs; i++) {
        double u[2][SIZE];
        for (size_t side = 0; side < 2; side++)
            for (size_t j = 0; j < SIZE; j++)
                u[side][j] = half_range * (2 * sy_random_unit(&random) - 1);
        for (size_t game = 0; game < 2; game++) {
            const size_t row = 2 * i + game;
            const double eta = 0.1 + height(bend, u[game]) - height(bend, u[1 - game]);
            const double chance = sy_random_unit(&random);
            sample->outcome[row] = (chance > 1 / (1 + exp(0.6 + eta))) + (chance > 1 / (1 + exp(-0.6 + eta)));
            sample->score[row] = sample->outcome[row] / 2.0;
            sample->cluster[row] = (int64_t)i;
            sy_surface_row(SIZE, u[game], u[1 - game], sample->x + row * TERMS);
        }
    }
}

static double coordinate(const double *u, const void *context)
{
    return u[*(const size_t *)context];
}

struct tally {
    unsigned given, covered, held;
    double width;
};

static void count(struct tally *tally, size_t parameters, const double *beta, const double *sandwich,
                  size_t clusters, uint64_t number)
{
    double covariance[TERMS * TERMS];
    struct sy_surface surface;
    const size_t first = parameters - TERMS;
    for (size_t i = 0; i < TERMS; i++)
        memcpy(covariance + i * TERMS, sandwich + (first + i) * parameters + first,
               TERMS * sizeof *covariance);
    const struct sy_surface_estimate estimate = {SIZE, clusters, beta, covariance};
    if (sy_surface_find(&estimate, false, 0.95, number, &surface) == SY_STAT_OK) {
        tally->given++;
        for (size_t i = 0; i < SIZE; i++) {
            const struct sy_estimate top = sy_surface_value(&surface, coordinate, &i, 0.95);
            tally->covered += top.low <= planted_top[i] && planted_top[i] <= top.high;
            tally->width += (top.high - top.low) / 2;
        }
    }
    sy_surface_clear(&surface);
}

static void check(const char *fit, size_t pairs, double bend, struct tally tally, double least, double most)
{
    const double share = 100.0 * tally.covered / (SIZE * fmax(tally.given, 1));
    printf("    %-14s %5zu pairs, curvature %.1f: a top in %5.1f %%, covered %5.1f %%, half width %.3f\n",
           fit, pairs, bend, 100.0 * tally.given / EXPERIMENTS, share,
           tally.width / (SIZE * fmax(tally.given, 1)));
    CU_ASSERT(share >= least && share <= most);
}

static void check_size(size_t pairs, double bend, double least_given, double least, double most)
{
    struct tally ordinal = {0}, squares = {0};
    struct sample sample = {.x = sy_alloc(2 * pairs * TERMS, sizeof(double)),
                            .score = sy_alloc(2 * pairs, sizeof(double)),
                            .outcome = sy_alloc(2 * pairs, sizeof(int)),
                            .cluster = sy_alloc(2 * pairs, sizeof(int64_t))};
    for (uint64_t i = 0; i < EXPERIMENTS; i++) {
        draw(&sample, pairs, bend, i);
        const struct sy_ordinal_data data = {.rows = sample.rows,
                                             .columns = TERMS,
                                             .categories = 3,
                                             .x = sample.x,
                                             .outcome = sample.outcome,
                                             .cluster = sample.cluster};
        struct sy_ordinal_fit fit;
        struct sy_least_fit least_fit;
        if (sy_ordinal_fit(&data, NULL, &fit) == SY_STAT_OK)
            count(&ordinal, fit.parameters, fit.beta, fit.sandwich, fit.clusters, i);
        if (sy_least_squares(
                &(struct sy_least_data){sample.rows, TERMS, sample.x, sample.score, sample.cluster},
                &least_fit) == SY_STAT_OK)
            count(&squares, least_fit.parameters, least_fit.beta + 1, least_fit.sandwich, least_fit.clusters,
                  i);
        sy_ordinal_clear(&fit);
        sy_least_clear(&least_fit);
    }
    CU_ASSERT(ordinal.given >= least_given * EXPERIMENTS);
    check("score model", pairs, bend, ordinal, least, most);
    check("least squares", pairs, bend, squares, least, most);
    free(sample.x);
    free(sample.score);
    free(sample.outcome);
    free(sample.cluster);
}

static void long_sharp(void)
{
    check_size(500, 2, 0.9, 92, 98.5);
    check_size(2000, 1, 0.95, 92, 98.5);
}

/* Not one top in twenty where there is nothing to find. */
static void long_doubtful(void)
{
    check_size(500, 1, 0.1, 92, 100);
}

void long_surface_suite(void)
{
    CU_pSuite suite = CU_add_suite("surface (long)", NULL, NULL);
    CU_add_test(suite, "coverage: a sharp top", long_sharp);
    CU_add_test(suite, "coverage: a doubtful top", long_doubtful);
}
