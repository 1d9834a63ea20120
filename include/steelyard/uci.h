/* uci: the engine as a program that speaks the Universal Chess Interface (Huber and Meyer-Kahlen, 2006), for
 * any variant. */
#ifndef STEELYARD_UCI_H
#define STEELYARD_UCI_H

#include "steelyard/base.h"

#include <stdio.h>

/* Answers the commands that the descriptor `in` gives, until `quit` or the end of the input. `out` should be
 * fully buffered: it is flushed whenever somebody may wait for a line. Fails only when it cannot begin; what
 * is wrong with a command is said in an `info string` and changes nothing, but that a wrong `position` leaves
 * none, and `go` then answers `bestmove 0000`. */
SY_MUST_USE enum sy_status sy_uci_run(int in, FILE *out, struct sy_error *error);

#endif
