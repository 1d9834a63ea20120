/* clock: time that only goes forward, for players with a clock, timeouts and progress; games of an experiment
 * never look at it. */
#ifndef STEELYARD_CLOCK_H
#define STEELYARD_CLOCK_H

#include <pthread.h>

double sy_clock(void); /* seconds since some fixed moment */

/* A condition whose timed waits go by that clock. */
void sy_clock_condition(pthread_cond_t *condition);

#endif
