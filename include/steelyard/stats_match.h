/* stats_match: what a match between two players says: score, Elo, and the sequential test.
 *
 * The unit of observation is a pair: two games from one opening with colours exchanged, whose results are not
 * independent. A pair's score is the mean of its two games for the first player, from 0 to 1; equal scores
 * are counted together. Where games score 0, 1/2 or 1 there are five such levels, hence "pentanomial";
 * quarter points make nine. `score` ascends, `count` says how many pairs had each. */
#ifndef STEELYARD_STATS_MATCH_H
#define STEELYARD_STATS_MATCH_H

#include "steelyard/stats.h"

struct sy_pairs {
    size_t levels;
    const double *score;
    const uint64_t *count;
};

/* Mean m of the pairs and its error sqrt(v / N), v the sample variance (N - 1), N the pairs. The interval is
 * Wilson's with n = m (1 - m) / (v / N) trials, the number at which a proportion would be known as well, so
 * that it stays inside [0, 1] (E. Korn and B. Graubard, Survey Methodology 24 (1998), on effective sample
 * sizes). When all pairs scored alike v says nothing; then each counts as one trial. Needs a pair. */
struct sy_estimate sy_match_score(const struct sy_pairs *pairs, double level);

/* The Elo difference that expects the score: 400 log10(m / (1 - m)). What a score of 0 or 1 expects is beyond
 * all numbers: `has_value`, `has_low`, `has_high` say which of the three exist. */
struct sy_match_elo {
    bool has_value, has_low, has_high;
    double value, low, high;
};
struct sy_match_elo sy_match_elo(struct sy_estimate score);
double sy_expected_of_elo(double elo); /* 1 / (1 + 10^(-elo / 400)) */

/* Likelihood of superiority: the chance that the first player is the better one, Phi((m - 1/2) / error) with
 * nothing known before. False when the error is 0. */
bool sy_match_superiority(struct sy_estimate score, double *chance);

/* The generalised sequential probability ratio test: H0, the first player is stronger by elo0, against H1, by
 * elo1 (M. Van den Bergh, A Practical Introduction to the GSPRT, 2020; Wald 1945 for the bounds).
 *
 * With shares p_k of the levels a_k and s_j = sy_expected_of_elo(elo_j), the likeliest distribution with mean
 * s_j is p_k / (1 + t (a_k - s_j)), where t solves sum p_k (a_k - s_j) / (1 + t (a_k - s_j)) = 0; so
 *     LLR = N sum p_k log[(1 + t_0 (a_k - s_0)) / (1 + t_1 (a_k - s_1))].
 * A level that has not occurred counts as a thousandth of a pair, so that both distributions exist.
 * H0 is accepted at LLR <= log(beta / (1 - alpha)), H1 at LLR >= log((1 - beta) / alpha). */
struct sy_sprt {
    double elo0, elo1;  /* elo0 < elo1 */
    double alpha, beta; /* chances of accepting H1 where H0 is true, and the reverse; above 0, below 1/2 */
};
enum sy_sprt_verdict { SY_SPRT_OPEN, SY_SPRT_H0, SY_SPRT_H1 };
struct sy_sprt_state {
    enum sy_sprt_verdict verdict;
    double llr, lower, upper;
};
/* The levels must reach from below s_0 to above s_1, as those from 0 to 1 do. */
struct sy_sprt_state sy_sprt_state(const struct sy_sprt *test, const struct sy_pairs *pairs);

#endif
