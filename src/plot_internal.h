/* What the files of plot share. */
#ifndef STEELYARD_PLOT_INTERNAL_H
#define STEELYARD_PLOT_INTERNAL_H

#include "steelyard/plot.h"

/* The parts of the scripts that are the same for every experiment: what all load, and what follows the
 * variables of each. */
extern const char sy_plot_style[], sy_plot_values[], sy_plot_white[], sy_plot_outcomes[], sy_plot_lengths[];

/* Adds text in single quotes, where gnuplot interprets nothing; control characters become spaces. */
void sy_plot_quote(struct sy_text *script, const char *text);

/* The absolute path of gnuplot, as PATH finds it; NULL when there is none. A new string. */
char *sy_gnuplot_find(void);

/* Runs `gnuplot script` in the folder, without a shell. Its first complaint is in the error. */
SY_MUST_USE enum sy_status sy_gnuplot_run(const char *gnuplot, const char *folder, const char *script,
                                          struct sy_error *error);

#endif
