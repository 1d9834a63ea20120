/* summary: what a directory's games say. Reads DIR/experiment.json and DIR/games.jsonl, fits the score model,
 * and writes the numbers with all that is needed to judge and to repeat them.
 *
 * summary.json is a function of those two files, the program's version and its revision alone: no time, no
 * path, no thread count is in it. Estimates are rounded to 10 significant digits, so that another machine's
 * exp() gives the same bytes. results/summary.schema.json is its JSON Schema.
 * An estimate is {"status", "value", "error", "low", "high"}; where it cannot be given, "status" names why
 * ("separated", "constant", ...), "reason" says it in words, and the numbers are null. Its members:
 *   format, warnings (sentences, what matters first to a reader), program, title, design, seed, digests;
 *   arms: for each label, variant, title, digest of the rules, and
 *     games: wanted, played, finished, and left_out by reason;
 *     white: White's score by count of all finished games, Elo, share of games with a winner;
 *     outcomes: reasons (by_score: games in which White scored 0, 1/4, 1/2, 3/4, 1, and without a result) and
 *       scores, with Wilson's intervals;
 *     length in plies, branching, distinct games, nodes: over all games, the unfinished ones included;
 *     fit: the score model: rows, clusters, thresholds, likelihoods;
 *       materials: for each kind its value in the unit by bootstrap and by Fieller, its logit, games and rows
 *       in which it varied, what the engine believed, what tables suggest and whether that is inside;
 *       alternative: null, or where the unit is weak, the same counted in the piece known best;
 *       ratios: each kind in units of each other;
 *       verdicts: each suggested table, and the engine's belief, judged as a whole and in any unit;
 *       phase, pairs: null, or what was asked for beside the main fit;
 *       white: the score at equal material, Elo, and advantage in logits;
 *   first_move: the arms' scores at equal material compared, all pairs, p corrected after Holm;
 *   evenness: for each arm, whether that score is even, or surely within the margin asked for;
 *   experiment: the experiment in full, rules included. */
#ifndef STEELYARD_SUMMARY_H
#define STEELYARD_SUMMARY_H

#include "steelyard/json.h"

/* Recomputes everything; *text gets the bytes that summary.json should hold (a new string). */
SY_MUST_USE enum sy_status sy_summary_text(const char *directory, char **text, struct sy_error *error);

/* Writes DIR/summary.json, and, when `plots`, DIR/plots; prints the table to stdout. Pictures that cannot be
 * drawn for want of gnuplot are a warning on stderr, not a failure. */
SY_MUST_USE enum sy_status sy_summary_run(const char *directory, bool plots, struct sy_error *error);

/* The table for a terminal, at most 100 columns, of a summary (the root of summary.json); a new string. */
char *sy_summary_table(const struct sy_json *summary);

#endif
