/* stats_match: score, Elo and sequential test of a match, from the counts of its pairs' scores.
 *
 * Formulas and sources are in the header. */
#include "steelyard/stats_match.h"

#include "steelyard/base.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double unseen = 1e-3; /* pairs, at a level that has not occurred */

static double pairs_counted(const struct sy_pairs *pairs)
{
    double sum = 0;
    for (size_t k = 0; k < pairs->levels; k++)
        sum += (double)pairs->count[k];
    return sum;
}

/* ---- score and Elo ---- */

struct sy_estimate sy_match_score(const struct sy_pairs *pairs, double level)
{
    const double number = pairs_counted(pairs);
    double sum = 0, squares = 0;
    if (number < 1)
        return (struct sy_estimate){.status = SY_STAT_TOO_FEW};
    for (size_t k = 0; k < pairs->levels; k++)
        sum += (double)pairs->count[k] * pairs->score[k];
    const double mean = sum / number;
    for (size_t k = 0; k < pairs->levels; k++)
        squares += (double)pairs->count[k] * (pairs->score[k] - mean) * (pairs->score[k] - mean);
    const bool varies = number > 1 && squares > 1e-12 * number;
    const double square_error = varies ? squares / (number - 1) / number : 0;
    const double trials = varies ? mean * (1 - mean) / square_error : number;
    struct sy_estimate estimate = sy_wilson(mean * trials, trials, level);
    estimate.value = mean;
    estimate.error = sqrt(square_error);
    return estimate;
}

struct sy_match_elo sy_match_elo(struct sy_estimate score)
{
    struct sy_match_elo elo = {0};
    if (score.status != SY_STAT_OK)
        return elo;
    elo.has_value = sy_elo(score.value, &elo.value);
    elo.has_low = sy_elo(score.low, &elo.low);
    elo.has_high = sy_elo(score.high, &elo.high);
    return elo;
}

double sy_expected_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

bool sy_match_superiority(struct sy_estimate score, double *chance)
{
    *chance = 0;
    if (score.status != SY_STAT_OK || !(score.error > 0))
        return false;
    const double tail = sy_normal_p((score.value - 0.5) / score.error) / 2;
    *chance = score.value > 0.5 ? 1 - tail : tail;
    return true;
}

/* ---- the sequential test ---- */

/* The sum that is to be 0; it falls as t rises. */
static double slope_at(size_t levels, const double *share, const double *score, double mean, double t)
{
    double sum = 0;
    for (size_t k = 0; k < levels; k++)
        sum += share[k] * (score[k] - mean) / (1 + t * (score[k] - mean));
    return sum;
}

/* The t of the likeliest distribution with this mean, by bisection between the poles. */
static double tilt(size_t levels, const double *share, const double *score, double mean)
{
    double low = -1 / (score[levels - 1] - mean), high = 1 / (mean - score[0]);
    for (int i = 0; i < 200; i++) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (slope_at(levels, share, score, mean, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

static double log_likelihood_ratio(const struct sy_pairs *pairs, double mean0, double mean1)
{
    double *share = sy_alloc(pairs->levels, sizeof *share);
    double number = 0, sum = 0;
    for (size_t k = 0; k < pairs->levels; k++) {
        share[k] = pairs->count[k] > 0 ? (double)pairs->count[k] : unseen;
        number += share[k];
    }
    for (size_t k = 0; k < pairs->levels; k++)
        share[k] /= number;
    const double t0 = tilt(pairs->levels, share, pairs->score, mean0);
    const double t1 = tilt(pairs->levels, share, pairs->score, mean1);
    for (size_t k = 0; k < pairs->levels; k++)
        sum += share[k] * log((1 + t0 * (pairs->score[k] - mean0)) / (1 + t1 * (pairs->score[k] - mean1)));
    free(share);
    return number * sum;
}

struct sy_sprt_state sy_sprt_state(const struct sy_sprt *test, const struct sy_pairs *pairs)
{
    struct sy_sprt_state state = {.lower = log(test->beta / (1 - test->alpha)),
                                  .upper = log((1 - test->beta) / test->alpha)};
    const double mean0 = sy_expected_of_elo(test->elo0), mean1 = sy_expected_of_elo(test->elo1);
    assert(mean0 > pairs->score[0] && mean1 < pairs->score[pairs->levels - 1]);
    if (pairs_counted(pairs) < 1)
        return state;
    state.llr = log_likelihood_ratio(pairs, mean0, mean1);
    state.verdict = state.llr <= state.lower   ? SY_SPRT_H0
                    : state.llr >= state.upper ? SY_SPRT_H1
                                               : SY_SPRT_OPEN;
    return state;
}
