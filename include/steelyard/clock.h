/* clock: time that only goes forward, for players with a clock, timeouts and progress; games of an experiment
 * never look at it. */
#ifndef STEELYARD_CLOCK_H
#define STEELYARD_CLOCK_H

double sy_clock(void); /* seconds since some fixed moment */

#endif
