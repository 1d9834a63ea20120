/* What the proportional-odds model expects: probabilities, the score, and the advantage that evens it.
 *
 * With K levels worth s_k in ascending order and F the logistic function, the expected score is
 *     E(eta) = s_{K-1} - sum over k of (s_{k+1} - s_k) F(theta_k - eta),
 * which rises with eta from s_0 to s_{K-1}. */
#include "stats_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double sy_expected_score(size_t levels, const double *theta, const double *worth, double eta, double *by_eta,
                         double *by_theta)
{
    double expected = worth[levels - 1];
    if (by_eta)
        *by_eta = 0;
    for (size_t k = 0; k + 1 < levels; k++) {
        double gain = worth[k + 1] - worth[k], e = exp(-fabs(theta[k] - eta)), share = 1 / (1 + e);
        double density = e * share * share;
        expected -= gain * (theta[k] < eta ? e * share : share);
        if (by_eta)
            *by_eta += gain * density;
        if (by_theta)
            by_theta[k] = -gain * density;
    }
    return expected;
}

/* Bisection to neighbouring doubles: always finite, and the same on every machine but for exp's rounding. */
bool sy_even_advantage(size_t levels, const double *theta, const double *worth, double *advantage)
{
    if (!(worth[0] < 0.5 && worth[levels - 1] > 0.5))
        return false;
    double low = theta[0] - 50, high = theta[levels - 2] + 50;
    for (int i = 0; i < 200; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (sy_expected_score(levels, theta, worth, middle, NULL, NULL) < 0.5)
            low = middle;
        else
            high = middle;
    }
    *advantage = -(low + (high - low) / 2);
    return true;
}

void sy_ordinal_probabilities(const struct sy_ordinal_fit *fit, const double *x, double *probability)
{
    double eta = 0, below = 0;
    assert(fit->status == SY_STAT_OK);
    memset(probability, 0, fit->categories * sizeof *probability);
    for (size_t j = 0; x && j < fit->columns; j++)
        eta += x[j] * fit->beta[j];
    for (size_t k = 0; k < fit->levels; k++) {
        double up_to = k + 1 < fit->levels ? 1 / (1 + exp(eta - fit->theta[k])) : 1;
        probability[fit->level_category[k]] = up_to - below;
        below = up_to;
    }
}
