/* Long tests of stats: coverage over 1,000 simulated experiments each, and separation against an independent
 * criterion. With 1,000 experiments, 95 % has a standard deviation of 0.7 %. */
#include "stats_data.h"
#include "steelyard/stats.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>

void long_stats_suite(void);

enum { experiments = 1000, replicates = 400 };

/* How often an interval held the truth, and how often there was none. */
struct tally {
    unsigned covered, refused;
};

static void count(struct tally *tally, struct sy_estimate estimate, double truth)
{
    if (estimate.status != SY_STAT_OK)
        tally->refused++;
    else
        tally->covered += estimate.low <= truth && truth <= estimate.high;
}

/* Of the intervals given, 93 to 97 % must cover. */
static void check(const char *design, const char *what, struct tally tally, unsigned most_refused)
{
    double given = experiments - tally.refused, share = 100 * tally.covered / given;
    printf("    %-28s %-12s covered %5.1f %%, refused %u\n", design, what, share, tally.refused);
    CU_ASSERT(tally.refused <= most_refused);
    CU_ASSERT(share >= 93 && share <= 97);
}

static double true_score(const struct planted *planted, const double *scores)
{
    double score = scores[planted->categories - 1];
    for (size_t k = 0; k + 1 < planted->categories; k++)
        score -= (scores[k + 1] - scores[k]) / (1 + exp(-planted->theta[k]));
    return score;
}

/* Coefficients, the ratio of the last column to column 1, and the score. */
static void check_design(const char *design, const struct planted *planted, uint64_t seed,
                         unsigned most_refused)
{
    struct tally first = {0, 0}, last = {0, 0}, ratio = {0, 0}, score = {0, 0};
    const double *scores = planted->categories == 5 ? five_scores : three_scores;
    size_t end = planted->columns - 1;
    for (unsigned i = 0; i < experiments; i++) {
        struct simulated s = simulate(planted, seed, i);
        struct sy_ordinal_fit fit;
        sy_ordinal_fit(&s.data, NULL, &fit);
        count(&first, sy_ordinal_beta(&fit, 0, 0.95), planted->beta[0]);
        count(&last, sy_ordinal_beta(&fit, end, 0.95), planted->beta[end]);
        count(&ratio, sy_ratio_fieller_columns(&fit, end, 1, 0.95), planted->beta[end] / planted->beta[1]);
        count(&score, sy_ordinal_score(&fit, scores, NULL, 0.95), true_score(planted, scores));
        sy_ordinal_clear(&fit);
        simulated_clear(&s);
    }
    check(design, "first", first, 0);
    check(design, "last", last, most_refused);
    check(design, "Fieller", ratio, most_refused);
    check(design, "score", score, 0);
}

static const double beta3[3] = {0.4, 0.7, 1.6}, beta5[5] = {0.3, 0.4, 1, 1.5, 2.5};
static const double wide[2] = {-2.1, 2.3}, narrow[2] = {-0.15, 0.05}, middling[2] = {-0.8, 0.5};
static const double quarters[4] = {-1.2, -0.8, 0.6, 0.9};

static void long_small(void)
{
    check_design("200 games", &(struct planted){200, 1, 3, 3, beta3, middling, 0, 0}, 101, 0);
}

static void long_draws(void)
{
    check_design("1000 games, 5 % draws", &(struct planted){1000, 1, 3, 3, beta3, narrow, 0, 0}, 102, 0);
    check_design("1000 games, 80 % draws", &(struct planted){1000, 1, 3, 3, beta3, wide, 0, 0}, 103, 0);
}

static void long_positions(void)
{
    check_design("250 games, 8 positions each", &(struct planted){250, 8, 5, 5, beta5, quarters, 0, 0.6}, 104,
                 0);
}

/* A piece in 4 % of 1,000 games. Where it always wins there is no interval. */
static void long_rare(void)
{
    check_design("1000 games, a rare piece", &(struct planted){1000, 1, 3, 3, beta3, middling, 0.04, 0}, 105,
                 20);
}

static void long_bootstrap(void)
{
    const struct planted planted = {200, 2, 3, 3, beta3, middling, 0, 0.6};
    struct tally percentile = {0, 0}, bca = {0, 0}, score = {0, 0};
    for (unsigned i = 0; i < experiments; i++) {
        struct simulated s = simulate(&planted, 106, i);
        struct sy_ordinal_fit fit;
        struct sy_bootstrap boot;
        sy_ordinal_fit(&s.data, NULL, &fit);
        sy_ordinal_bootstrap(&s.data, NULL, &fit, three_scores, i, 0, replicates, &boot);
        count(&percentile, sy_ratio_bootstrap_columns(&fit, &boot, 2, 1, SY_PERCENTILE, 0.95), 1.6 / 0.7);
        count(&bca, sy_ratio_bootstrap_columns(&fit, &boot, 2, 1, SY_BCA, 0.95), 1.6 / 0.7);
        count(&score, sy_bootstrap_score(&fit, &boot, three_scores, SY_PERCENTILE, 0.95),
              true_score(&planted, three_scores));
        sy_bootstrap_clear(&boot);
        sy_ordinal_clear(&fit);
        simulated_clear(&s);
    }
    check("200 pairs of games", "percentile", percentile, 5);
    check("200 pairs of games", "BCa", bca, 5);
    check("200 pairs of games", "score", score, 0);
}

/* Under a vanishing ridge a separated column's coefficient grows without end, as the ridge's logarithm does;
 * the sound ones settle. So the verdicts can be checked without looking for directions. */
static void long_separation(void)
{
    const struct sy_ordinal_options options[3] = {{0, 1, 60, 0}, {1e-4, 1, 200, 0}, {1e-8, 1, 200, 0}};
    unsigned separated = 0, sound = 0;
    for (unsigned i = 0; i < 3000; i++) {
        struct planted planted = {20 + i % 20, 1, 3, 3, beta5 + 2, middling, i % 2 ? 0.1 : 0, 0};
        struct simulated s = simulate(&planted, 107, i);
        struct sy_ordinal_fit fit[3];
        for (int k = 0; k < 3; k++)
            sy_ordinal_fit(&s.data, &options[k], &fit[k]);
        double most_growth = 0;
        bool any = false;
        for (size_t j = 0; j < 3 && fit[1].status == SY_STAT_OK && fit[2].status == SY_STAT_OK; j++) {
            double growth = fabs(fit[2].beta[j] - fit[1].beta[j]);
            most_growth = fmax(most_growth, growth);
            any = any || fit[0].column_status[j] == SY_STAT_SEPARATED;
            if (fit[0].status != SY_STAT_OK || fit[0].column_status[j] != SY_STAT_OK)
                continue;
            CU_ASSERT(growth < 0.5);
            CU_ASSERT_DOUBLE_EQUAL(fit[2].beta[j], fit[0].beta[j], 0.01);
            sound++;
        }
        CU_ASSERT(any ? most_growth > 2 : most_growth < 0.5);
        separated += any;
        for (int k = 0; k < 3; k++)
            sy_ordinal_clear(&fit[k]);
        simulated_clear(&s);
    }
    printf("    separation: %u data sets separated, %u columns sound\n", separated, sound);
    CU_ASSERT(separated > 300 && sound > 6000);
}

void long_stats_suite(void)
{
    CU_pSuite suite = CU_add_suite("stats (long)", NULL, NULL);
    CU_add_test(suite, "coverage: few games", long_small);
    CU_add_test(suite, "coverage: few and many draws", long_draws);
    CU_add_test(suite, "coverage: positions clustered by game", long_positions);
    CU_add_test(suite, "coverage: a rare piece", long_rare);
    CU_add_test(suite, "coverage: bootstrap", long_bootstrap);
    CU_add_test(suite, "separation against a vanishing ridge", long_separation);
}
