/* uci_time: what `go` asks for, and how long it lets a move take. */
#ifndef STEELYARD_UCI_TIME_H
#define STEELYARD_UCI_TIME_H

#include "steelyard/base.h"

/* What `go` asks for. Times are in milliseconds. */
struct sy_uci_go {
    uint64_t nodes;
    unsigned depth;
    int64_t mate; /* end when a mate in so many moves is found; 0: not asked for */
    bool infinite, ponder;
    bool clocked;             /* a clock was given */
    int64_t left[2], gain[2]; /* clocks and increments of White and Black */
    int64_t moves_to_go;      /* 0: for the rest of the game */
    int64_t move_time;        /* 0: none */
};

/* How long a move may take, in seconds; 0: no limit. */
struct sy_uci_budget {
    double enough; /* beyond it no new iteration is begun */
    double most;   /* then the search is broken off */
};

/* overhead: milliseconds that a move loses on its way. Where there is a limit, `most` is at least a
 * millisecond; but for that, it never reaches into a reserve of fifty times the overhead, or half of a clock
 * that shows less than twice as much. */
struct sy_uci_budget sy_uci_budget_of(const struct sy_uci_go *go, unsigned side, int64_t overhead);

#endif
