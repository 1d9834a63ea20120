/* Tests of stats_match: values worked out by hand, or with an independent program where a root is to be
 * found. */
#include "steelyard/stats_match.h"

#include <CUnit/CUnit.h>
#include <math.h>

void test_stats_match_suite(void);

static const double five[] = {0, 0.25, 0.5, 0.75, 1};

static bool near(double value, double expected)
{
    return fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected));
}

static struct sy_pairs pairs_of(const uint64_t count[5])
{
    return (struct sy_pairs){5, five, count};
}

/* Mean 127.5/240, variance 14.1525/239 from the sums of squares, 1010.14 effective trials. */
static void test_score(void)
{
    const struct sy_pairs pairs = pairs_of((const uint64_t[]){10, 50, 100, 60, 20});
    const struct sy_estimate score = sy_match_score(&pairs, 0.95);
    CU_ASSERT_EQUAL(score.status, SY_STAT_OK);
    CU_ASSERT(near(score.value, 0.53125));
    CU_ASSERT(near(score.error, 0.015701087406487634));
    CU_ASSERT(near(score.low, 0.500416163561833));
    CU_ASSERT(near(score.high, 0.561847055361958));
}

static void test_score_seen_from_the_other_side(void)
{
    const struct sy_pairs pairs = pairs_of((const uint64_t[]){10, 50, 100, 60, 20});
    const struct sy_pairs turned = pairs_of((const uint64_t[]){20, 60, 100, 50, 10});
    const struct sy_estimate one = sy_match_score(&pairs, 0.95), other = sy_match_score(&turned, 0.95);
    CU_ASSERT(near(one.value + other.value, 1));
    CU_ASSERT(near(one.low + other.high, 1));
    CU_ASSERT(near(one.error, other.error));
}

/* Without variance every pair is one trial: Wilson's interval of 10 out of 10 begins at 10 / (10 + z^2). */
static void test_score_without_variance(void)
{
    const struct sy_pairs all = pairs_of((const uint64_t[]){0, 0, 0, 0, 10});
    const struct sy_pairs none = pairs_of((const uint64_t[]){0, 0, 0, 0, 0});
    const struct sy_estimate score = sy_match_score(&all, 0.95);
    double chance;
    CU_ASSERT(near(score.value, 1));
    CU_ASSERT(near(score.high, 1));
    CU_ASSERT(near(score.low, 10 / (10 + 1.959963984540054 * 1.959963984540054)));
    CU_ASSERT_FALSE(sy_match_superiority(score, &chance));
    CU_ASSERT_EQUAL(sy_match_score(&none, 0.95).status, SY_STAT_TOO_FEW);
}

static void test_elo(void)
{
    const struct sy_match_elo elo = sy_match_elo((struct sy_estimate){.value = 0.75, .low = 0.5, .high = 1});
    CU_ASSERT(elo.has_value && elo.has_low && !elo.has_high);
    CU_ASSERT(near(elo.value, 400 * log10(3)));
    CU_ASSERT(near(elo.low, 0));
    CU_ASSERT(near(sy_expected_of_elo(400 * log10(3)), 0.75));
    CU_ASSERT(near(sy_expected_of_elo(0), 0.5));
}

static void test_superiority(void)
{
    const struct sy_pairs pairs = pairs_of((const uint64_t[]){10, 50, 100, 60, 20});
    const struct sy_pairs turned = pairs_of((const uint64_t[]){20, 60, 100, 50, 10});
    double chance, reverse;
    CU_ASSERT(sy_match_superiority(sy_match_score(&pairs, 0.95), &chance));
    CU_ASSERT(near(chance, 0.9767214917959561));
    CU_ASSERT(sy_match_superiority(sy_match_score(&turned, 0.95), &reverse));
    CU_ASSERT(near(chance + reverse, 1));
}

/* With two levels the mean is the whole distribution, so LLR = 30 log(s1/s0) + 20 log((1-s1)/(1-s0)). */
static void test_sprt_of_two_levels(void)
{
    static const double two[] = {0, 1};
    const struct sy_pairs pairs = {2, two, (const uint64_t[]){20, 30}};
    const struct sy_sprt test = {0, 50, 0.05, 0.05};
    const double s1 = sy_expected_of_elo(50);
    const struct sy_sprt_state state = sy_sprt_state(&test, &pairs);
    CU_ASSERT(near(state.llr, 30 * log(s1 / 0.5) + 20 * log((1 - s1) / 0.5)));
    CU_ASSERT(near(state.llr, 0.9231295806064943));
    CU_ASSERT(near(state.lower, log(0.05 / 0.95)));
    CU_ASSERT(near(state.upper, log(0.95 / 0.05)));
    CU_ASSERT_EQUAL(state.verdict, SY_SPRT_OPEN);
}

static void test_sprt_of_five_levels(void)
{
    const struct sy_pairs pairs = pairs_of((const uint64_t[]){10, 50, 100, 60, 20});
    const struct sy_sprt ten = {0, 10, 0.05, 0.05}, five_elo = {0, 5, 0.05, 0.05};
    CU_ASSERT(near(sy_sprt_state(&ten, &pairs).llr, 1.4026131322558935));
    CU_ASSERT(near(sy_sprt_state(&five_elo, &pairs).llr, 0.8051307446564181));
}

/* A level that has not occurred counts as a thousandth of a pair. */
static void test_sprt_with_a_level_unseen(void)
{
    const struct sy_pairs pairs = pairs_of((const uint64_t[]){0, 3, 20, 9, 1});
    const struct sy_sprt test = {-5, 5, 0.05, 0.05};
    CU_ASSERT(near(sy_sprt_state(&test, &pairs).llr, 0.9470625797642144));
}

static void test_sprt_verdicts(void)
{
    const struct sy_pairs none = pairs_of((const uint64_t[]){0, 0, 0, 0, 0});
    const struct sy_pairs even = pairs_of((const uint64_t[]){100, 800, 3000, 800, 100});
    const struct sy_pairs ahead = pairs_of((const uint64_t[]){80, 700, 3000, 900, 120});
    const struct sy_sprt test = {0, 10, 0.05, 0.05};
    CU_ASSERT_EQUAL(sy_sprt_state(&test, &none).verdict, SY_SPRT_OPEN);
    CU_ASSERT(near(sy_sprt_state(&test, &none).llr, 0));
    CU_ASSERT_EQUAL(sy_sprt_state(&test, &even).verdict, SY_SPRT_H0);
    CU_ASSERT_EQUAL(sy_sprt_state(&test, &ahead).verdict, SY_SPRT_H1);
}

/* Exchanging players and hypotheses turns the ratio round. */
static void test_sprt_symmetry(void)
{
    const struct sy_pairs pairs = pairs_of((const uint64_t[]){10, 50, 100, 60, 20});
    const struct sy_pairs turned = pairs_of((const uint64_t[]){20, 60, 100, 50, 10});
    const struct sy_sprt test = {2, 10, 0.05, 0.05}, mirrored = {-10, -2, 0.05, 0.05};
    CU_ASSERT(near(sy_sprt_state(&test, &pairs).llr, -sy_sprt_state(&mirrored, &turned).llr));
}

void test_stats_match_suite(void)
{
    CU_pSuite suite = CU_add_suite("stats_match", NULL, NULL);
    CU_add_test(suite, "score and interval", test_score);
    CU_add_test(suite, "score from the other side", test_score_seen_from_the_other_side);
    CU_add_test(suite, "score without variance", test_score_without_variance);
    CU_add_test(suite, "Elo", test_elo);
    CU_add_test(suite, "superiority", test_superiority);
    CU_add_test(suite, "sequential test of two levels", test_sprt_of_two_levels);
    CU_add_test(suite, "sequential test of five levels", test_sprt_of_five_levels);
    CU_add_test(suite, "sequential test with a level unseen", test_sprt_with_a_level_unseen);
    CU_add_test(suite, "sequential test: verdicts", test_sprt_verdicts);
    CU_add_test(suite, "sequential test: symmetry", test_sprt_symmetry);
}
