/* random: keyed streams of random numbers.
 *
 * Everything here uses integer arithmetic and exact or correctly rounded operations only, never log, exp
 * or cos, whose last bit depends on the machine's C library: a game must come out the same everywhere.
 *
 * Sources: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47 (2021),
 * for xoshiro256**; G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014, for SplitMix64; C. Karney, "Sampling exactly from the normal distribution", ACM TOMS 42 (2016). */
#include "steelyard/base.h"

#include <assert.h>

static const uint64_t golden_gamma = UINT64_C(0x9e3779b97f4a7c15);

uint64_t sy_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

struct sy_random sy_random_stream(uint64_t seed, uint64_t stream, uint64_t purpose)
{
    /* Mixed after each part, so that neighbouring keys share nothing. */
    uint64_t key = sy_mix64(seed + golden_gamma);
    key = sy_mix64(key + stream + golden_gamma);
    key = sy_mix64(key + purpose + golden_gamma);
    struct sy_random random;
    /* Four successive outputs of SplitMix64 are never all zero, as xoshiro's state must not be. */
    for (int i = 0; i < 4; i++) {
        key += golden_gamma;
        random.state[i] = sy_mix64(key);
    }
    return random;
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t sy_random_u64(struct sy_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t sy_random_below(struct sy_random *random, uint64_t bound)
{
    assert(bound > 0);
    /* The lowest 2^64 mod bound numbers are one share too many. */
    uint64_t surplus = (0 - bound) % bound, drawn;
    do
        drawn = sy_random_u64(random);
    while (drawn < surplus);
    return drawn % bound;
}

double sy_random_unit(struct sy_random *random)
{
    return (double)(sy_random_u64(random) >> 11) * 0x1p-53;
}

/* True with probability exp(-p), 0 <= p <= 1 (von Neumann): the run p > u1 > u2 > ... has length n or
 * more with probability p^n/n!, so it has even length with probability exp(-p). */
static bool happens_exp(struct sy_random *random, double p)
{
    for (bool even = true;; even = !even) {
        double drawn = sy_random_unit(random);
        if (drawn >= p)
            return even;
        p = drawn;
    }
}

/* Karney's algorithm N: |x| = k + fraction, where k is drawn from exp(-k^2/2) and the fraction is
 * accepted with exp(-fraction (2k + fraction)/2). */
double sy_random_normal(struct sy_random *random)
{
    for (;;) {
        int k = 0;
        while (happens_exp(random, 0.5))
            k++;
        bool accepted = true;
        for (int i = 0; accepted && i < k * (k - 1); i++)
            accepted = happens_exp(random, 0.5);
        double fraction = sy_random_unit(random);
        double share = fraction * (2 * k + fraction) / (2 * (k + 1));
        for (int i = 0; accepted && i <= k; i++)
            accepted = happens_exp(random, share);
        if (accepted)
            return sy_random_u64(random) >> 63 ? -(k + fraction) : k + fraction;
    }
}
