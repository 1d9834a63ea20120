/* report: a run's directory as a page for people, and runs side by side.
 *
 * What summary.json holds is shown as it stands there; what needs the games themselves (the balance panel,
 * the games to step through) is computed from games.jsonl. The files are a function of those two alone. */
#ifndef STEELYARD_REPORT_H
#define STEELYARD_REPORT_H

#include "steelyard/base.h"

/* Writes DIR/report.html, DIR/report.md, DIR/tables and the pictures in DIR/plots, DIR being the first of the
 * directories. Where it holds a run, the others hold runs of the same game by other designs, set beside it;
 * where it holds rounds of self-consistency, rounds from other starts. Where pictures could not be drawn,
 * *warning gets a sentence (a new string), else NULL; the page is written without them. */
SY_MUST_USE enum sy_status sy_report_write(const char *const *directories, size_t count, char **warning,
                                           struct sy_error *error);

/* Runs side by side: every arm of every directory, each against the first. New strings: `text` for a
 * terminal, `html` a whole page, `markdown`, `csv`. */
struct sy_comparison {
    char *text, *html, *markdown, *csv;
};
SY_MUST_USE enum sy_status sy_compare(const char *const *directories, size_t count,
                                      struct sy_comparison *comparison, struct sy_error *error);
void sy_comparison_clear(struct sy_comparison *comparison);

#endif
