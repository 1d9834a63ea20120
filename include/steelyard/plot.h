/* plot: pictures of a summary. Each is a gnuplot script NAME.gp and its data NAME.dat in DIR/plots, which a
 * reader can edit and run again there (`gnuplot NAME.gp`), and what they make: NAME.png and NAME.svg. */
#ifndef STEELYARD_PLOT_H
#define STEELYARD_PLOT_H

#include "steelyard/json.h"

/* Writes scripts and data from a summary (the root of summary.json) and runs gnuplot on them. A picture for
 * which there are no numbers is left out. Without gnuplot on PATH, *warning gets a sentence (a new string)
 * and the rest is done; else it gets NULL. */
SY_MUST_USE enum sy_status sy_plot_summary(const char *directory, const struct sy_json *summary,
                                           char **warning, struct sy_error *error);

#endif
