/* clock: CLOCK_MONOTONIC in seconds. */
#include "steelyard/clock.h"

#include <time.h>

double sy_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
