/* The sections of a report that stand in summary.json: values, first move, endings and lengths, and how it
 * was made. Nothing is computed here. */
#include "report_internal.h"

#include "steelyard/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double level_of(const struct sy_report *report)
{
    return 100.0 * report->run.experiment->fit.confidence;
}

static enum sy_status add_picture(struct sy_report *report, const char *name, struct sy_text *alternative,
                                  const char *caption, struct sy_error *error)
{
    const enum sy_status status =
        sy_page_picture(&report->page, report->run.directory, name, alternative->bytes, caption, error);
    sy_text_clear(alternative);
    return status;
}

/* ---- the first move ---- */

static char *limits_text(const struct sy_limits *limits)
{
    if (limits->nodes > 0 && limits->depth > 0) {
        return sy_format("depth %u, %llu nodes", limits->depth, (unsigned long long)limits->nodes);
    }
    if (limits->depth > 0) {
        return sy_format("depth %u", limits->depth);
    }
    return limits->nodes > 0 ? sy_format("%llu nodes", (unsigned long long)limits->nodes)
                             : sy_strdup("no search");
}

/* Who plays, unless it is our own engine, and how far it searches a move. A new string. */
static char *search_text(const struct sy_arm *arm)
{
    char *limits = limits_text(&arm->limits);
    if (!arm->player) {
        return limits;
    }
    char *text = sy_format("%s, %s", arm->player->name, limits);
    free(limits);
    return text;
}

static void add_first_move_row(struct sy_table *table, const struct sy_report *report, unsigned index)
{
    const struct sy_json *arm = sy_run_arm_summary(&report->run, index);
    const struct sy_json *white = sy_json_member(arm, "white");
    const struct sy_json *fitted = sy_read_at(arm, "fit", "white");
    char *limits = search_text(&report->run.experiment->arms[index]);
    sy_table_text(table, "%s", sy_read_string(arm, "label"));
    sy_table_text(table, "%s", limits);
    sy_table_number(table, sy_read_number(white, "games"), 1.0, 0);
    if (report->run.experiment->design != SY_DESIGN_FIRST_MOVE) {
        sy_table_estimate(table, sy_read_estimate(sy_json_member(fitted, "score")), 100.0, 1);
    }
    sy_table_estimate(table, sy_read_estimate(sy_json_member(white, "score")), 100.0, 1);
    sy_table_estimate(table, sy_read_estimate(sy_json_member(fitted, "elo")), 1.0, 0);
    sy_table_estimate(table, sy_read_estimate(sy_json_member(white, "decisive")), 100.0, 1);
    free(limits);
}

static enum sy_status add_comparisons(struct sy_report *report, struct sy_error *error)
{
    const struct sy_json *pairs = sy_json_member(report->run.summary, "first_move");
    struct sy_table table = sy_table_create(
        "first-move-compared", "Differences in White's score; p corrected after Holm for their number.");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "less");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "difference, %% of a point");
    sy_table_column(&table, SY_COLUMN_NUMBER, "p");
    sy_table_column(&table, SY_COLUMN_NUMBER, "p corrected");
    for (const struct sy_json *pair = sy_json_first(pairs); pair; pair = sy_json_next(pair)) {
        sy_table_text(&table, "%s", sy_read_string(pair, "arm"));
        sy_table_text(&table, "%s", sy_read_string(pair, "against"));
        sy_table_estimate(&table, sy_read_estimate(sy_json_member(pair, "difference")), 100.0, 1);
        sy_table_p(&table, sy_read_number(pair, "p"));
        sy_table_p(&table, sy_read_number(pair, "p_holm"));
    }
    return sy_page_close_table(&report->page, &table, error);
}

/* White's score against search effort. */
static enum sy_status add_ladder(struct sy_report *report, struct sy_error *error)
{
    struct sy_text alternative = SY_TEXT_INIT;
    sy_text_printf(
        &alternative,
        "White's score against what a move is searched, %zu arms; the numbers are in the table above.",
        report->rungs);
    return add_picture(report, "ladder", &alternative,
                       "White's score by strength of play. An edge that moves with strength is a fact about "
                       "the engine, one that stays is a fact about the game.",
                       error);
}

enum sy_status sy_report_first_move(struct sy_report *report, struct sy_error *error)
{
    const bool fitted = report->run.experiment->design != SY_DESIGN_FIRST_MOVE;
    struct sy_text alternative = SY_TEXT_INIT;
    char *caption = sy_format(
        "White's score in finished games, with %g %% intervals; a draw is half a point.", level_of(report));
    struct sy_table table = sy_table_create("first-move", caption);
    free(caption);
    sy_page_section(&report->page, "first-move", "The first move");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "search a move");
    sy_table_column(&table, SY_COLUMN_NUMBER, "games");
    if (fitted) {
        sy_table_column(&table, SY_COLUMN_INTERVAL, "at equal material, %%");
    }
    sy_table_column(&table, SY_COLUMN_INTERVAL, fitted ? "whatever the start, %%" : "White scores, %%");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "the same in Elo");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "games with a winner, %%");
    sy_text_printf(&alternative, "White's score%s, in per cent:", fitted ? " at equal material" : "");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        add_first_move_row(&table, report, i);
        sy_text_printf(&alternative, "%s %s ", i > 0 ? ";" : "", sy_read_string(arm, "label"));
        const struct sy_json *score = fitted ? sy_json_member(sy_read_at(arm, "fit", "white"), "score")
                                             : sy_read_at(arm, "white", "score");
        sy_add_estimate(&alternative, sy_read_estimate(score), 100.0, 1);
    }
    enum sy_status status = sy_page_close_table(&report->page, &table, error);
    if (status == SY_OK) {
        status = add_picture(report, "white", &alternative,
                             "White's score; on the dashed line neither side is favoured.", error);
    }
    if (status == SY_OK && report->rungs > 0) {
        status = add_ladder(report, error);
    }
    if (status == SY_OK && sy_json_count(sy_json_member(report->run.summary, "first_move")) > 0) {
        status = add_comparisons(report, error);
    }
    return status;
}

/* ---- endings and lengths ---- */

static enum sy_status add_reasons(struct sy_report *report, struct sy_text *alternative,
                                  struct sy_error *error)
{
    static const char *const scores[] = {"White wins", "scores 3/4", "draws",
                                         "scores 1/4", "Black wins", "no result"};
    char *caption = sy_format("How games end, out of all games, with %g %% intervals.", level_of(report));
    struct sy_table table = sy_table_create("endings", caption);
    free(caption);
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "ended by");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "share, %%");
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        sy_table_column(&table, SY_COLUMN_NUMBER, "%s", scores[i]);
    }
    sy_text_puts(alternative, "Shares of games by how they end, in per cent.");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        sy_text_printf(alternative, " %s:", sy_read_string(arm, "label"));
        const struct sy_json *reason = sy_json_first(sy_read_at(arm, "outcomes", "reasons"));
        for (; reason; reason = sy_json_next(reason)) {
            const struct sy_json *by_score = sy_json_member(reason, "by_score");
            sy_table_text(&table, "%s", sy_read_string(arm, "label"));
            sy_table_text(&table, "%s", sy_read_string(reason, "reason"));
            sy_table_estimate(&table, sy_read_estimate(sy_json_member(reason, "share")), 100.0, 1);
            /* The summary counts from Black's win up. */
            for (size_t k = 0; k < 6; k++) {
                sy_table_number(&table, sy_json_number(sy_read_item(by_score, k < 5 ? 4 - k : 5)), 1.0, 0);
            }
            sy_text_printf(alternative, " %s ", sy_read_string(reason, "reason"));
            sy_add_decimal(alternative, 100.0 * sy_json_number(sy_read_at(reason, "share", "value")), 1);
            sy_text_puts(alternative, sy_json_next(reason) ? "," : ".");
        }
    }
    return sy_page_close_table(&report->page, &table, error);
}

static enum sy_status add_lengths(struct sy_report *report, struct sy_text *alternative,
                                  struct sy_error *error)
{
    static const char *const quantiles[] = {"shortest", "5 %", "25 %", "median", "75 %", "95 %", "longest"};
    struct sy_table table = sy_table_create(
        "lengths", "Lengths in plies, of all games; a cut-off game counts as long as it was.");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "mean");
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        sy_table_column(&table, SY_COLUMN_NUMBER, "%s", quantiles[i]);
    }
    sy_table_column(&table, SY_COLUMN_NUMBER, "distinct games, %%");
    sy_text_puts(alternative, "Histogram of the lengths of games in plies.");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        const struct sy_json *length = sy_json_member(arm, "length");
        sy_table_text(&table, "%s", sy_read_string(arm, "label"));
        sy_table_estimate(&table, sy_read_estimate(sy_json_member(length, "mean")), 1.0, 1);
        for (size_t k = 0; k < sizeof quantiles / sizeof *quantiles; k++) {
            sy_table_number(&table, sy_read_number(length, quantiles[k]), 1.0, 0);
        }
        sy_table_number(&table, sy_json_number(sy_read_at(arm, "distinct", "share")), 100.0, 1);
        sy_text_printf(alternative, " %s: median ", sy_read_string(arm, "label"));
        sy_add_decimal(alternative, sy_read_number(length, "median"), 0);
        sy_text_puts(alternative, ", middle 90 % from ");
        sy_add_decimal(alternative, sy_read_number(length, "5 %"), 0);
        sy_text_puts(alternative, " to ");
        sy_add_decimal(alternative, sy_read_number(length, "95 %"), 0);
        sy_text_puts(alternative, ".");
    }
    return sy_page_close_table(&report->page, &table, error);
}

enum sy_status sy_report_endings(struct sy_report *report, struct sy_error *error)
{
    struct sy_text alternative = SY_TEXT_INIT;
    sy_page_section(&report->page, "endings", "How games end, and when");
    enum sy_status status = add_reasons(report, &alternative, error);
    if (status == SY_OK) {
        status = add_picture(report, "outcomes", &alternative,
                             "Shares of all games by what ended them and who won.", error);
    }
    if (status == SY_OK) {
        status = add_lengths(report, &alternative, error);
    }
    if (status == SY_OK) {
        status = add_picture(report, "lengths", &alternative, "How long games are.", error);
    }
    sy_text_clear(&alternative);
    return status;
}

/* ---- how it was made ---- */

static void add_fact(struct sy_table *table, const char *what, const char *is)
{
    sy_table_text(table, "%s", what);
    sy_table_text(table, "%s", is);
}

static void add_arm_facts(struct sy_table *table, const struct sy_report *report, unsigned index)
{
    const struct sy_json *arm = sy_run_arm_summary(&report->run, index);
    char *limits = search_text(&report->run.experiment->arms[index]);
    char *what = sy_format("rules of %s", sy_read_string(arm, "label"));
    char *is = sy_format("%s, SHA-256 %s; %s a move", sy_read_string(arm, "title"),
                         sy_read_string(arm, "digest"), limits);
    add_fact(table, what, is);
    free(is);
    free(what);
    free(limits);
}

static bool other_programs(const struct sy_report *report)
{
    bool other = false;
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        other = other || report->run.experiment->arms[i].player != NULL;
    }
    return other;
}

/* How to make the run again, and how to check that it is the same. */
static void add_repetition(struct sy_report *report)
{
    struct sy_page *page = &report->page;
    const bool rounds = report->paths > 0;
    const char *last = rounds ? strrchr(report->path[0].last, '/') + 1 : NULL;
    char *check = sy_format(
        "steelyard verify %s                       # replays every game, repeats the fit\n"
        "steelyard run %s%sexperiment.json -o again   # makes them all again\n"
        "cmp %s%sgames.jsonl again/games.jsonl\n",
        rounds ? last : ".", rounds ? last : "", rounds ? "/" : "", rounds ? last : "", rounds ? "/" : "");
    sy_page_text(page, "", "The games were made, and this page written, by");
    sy_page_code(page, "steelyard run experiment.json -o DIR\nsteelyard report DIR\n");
    if (rounds) {
        sy_page_text(
            page, "",
            "Every round is a run of its own, with its experiment.json, in a folder beside this page; what "
            "follows is the last one's.");
    }
    if (other_programs(report)) {
        sy_page_text(
            page, "",
            "Another program played some of these games, so that playing them again may not give the "
            "same. Here is how to check that those at hand follow the rules, and to play new ones:");
    } else {
        sy_page_text(page, "",
                     "%sThe same program plays the same games, to the byte, on any machine and any number of "
                     "threads. Here is how to check that:",
                     rounds ? "" : "The experiment.json lies beside this page. ");
    }
    sy_page_code(page, check);
    free(check);
}

enum sy_status sy_report_made(struct sy_report *report, struct sy_error *error)
{
    const struct sy_json *summary = report->run.summary;
    const struct sy_json *program = sy_json_member(summary, "program");
    struct sy_table table = sy_table_create("made", "What these numbers are made of.");
    char *version =
        sy_format("steelyard %s, revision %s; games played by version %s", sy_read_string(program, "version"),
                  sy_read_string(program, "revision"), sy_read_string(program, "games_played_by"));
    sy_page_section(&report->page, "made", "How it was made, and how to repeat it");
    sy_table_column(&table, SY_COLUMN_TEXT, "what");
    sy_table_column(&table, SY_COLUMN_TEXT, "is");
    add_fact(&table, "design", sy_read_string(summary, "design"));
    add_fact(&table, "seed", sy_read_string(summary, "seed"));
    add_fact(&table, "program", version);
    free(version);
    add_fact(&table, "experiment, SHA-256", sy_read_string(summary, "experiment_digest"));
    add_fact(&table, "games, SHA-256", sy_read_string(summary, "games_digest"));
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        add_arm_facts(&table, report, i);
    }
    const enum sy_status status = sy_page_close_table(&report->page, &table, error);
    add_repetition(report);
    sy_page_text(
        &report->page, "",
        "Every table of this page is a CSV in tables/, with all digits; every chart's data and script are in "
        "plots/, and the numbers of the boards in tables/maps.csv.");
    sy_page_folded(&report->page, "The experiment in full", report->run.experiment->canonical);
    return status;
}
