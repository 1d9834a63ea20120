/* Rounds of self-consistency in a report: what the engine believed in each, what was measured, and whether
 * the two came together; from one start or from several.
 *
 * Values are in points of the engine's own table, as iterate.json has them. Paths from different starts
 * differ in the size of a point, so that every later path is multiplied by the factor that brings its end
 * nearest to the first one's, in logarithms: what is compared is ratios. */
#include "report_internal.h"

#include "steelyard/iterate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- reading ---- */

static bool has_file(const char *directory, const char *name)
{
    char *path = sy_format("%s/%s", directory, name);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

bool sy_is_path(const char *directory)
{
    return has_file(directory, SY_ROUNDS_FILE) && !has_file(directory, SY_SUMMARY_FILE);
}

const struct sy_json *sy_path_rounds(const struct sy_path *path)
{
    return sy_json_member(sy_json_root(path->doc), "rounds");
}

const struct sy_json *sy_round_pieces(const struct sy_json *round)
{
    return sy_json_member(sy_json_member(round, "believed_and_measured"), "pieces");
}

static const struct sy_json *last_round(const struct sy_path *path)
{
    const struct sy_json *rounds = sy_path_rounds(path);
    return sy_read_item(rounds, sy_json_count(rounds) - 1);
}

static enum sy_status read_path(const char *directory, struct sy_path *path, struct sy_error *error)
{
    char *file = sy_format("%s/" SY_ROUNDS_FILE, directory);
    enum sy_status status = sy_json_read_file(file, &path->doc, error);
    path->scale = 1.0;
    if (status == SY_OK) {
        const struct sy_json *root = sy_json_root(path->doc);
        const char *last = sy_read_string(last_round(path), "directory");
        if (strncmp(sy_read_string(root, "format"), "steelyard-rounds-", 17) != 0 || !*last ||
            strchr(last, '/')) {
            status = sy_json_fail(path->doc, root, error, "holds no rounds that steelyard wrote");
        }
        path->last = sy_format("%s/%s", directory, last);
    }
    free(file);
    return status;
}

static const struct sy_json *find_piece(const struct sy_path *path, const char *name)
{
    const struct sy_json *piece = sy_json_first(sy_round_pieces(last_round(path)));
    while (piece && strcmp(sy_read_string(piece, "name"), name) != 0) {
        piece = sy_json_next(piece);
    }
    return piece;
}

static struct sy_estimate end_of(const struct sy_path *path, const char *name)
{
    struct sy_estimate end = sy_read_estimate(sy_json_member(find_piece(path, name), "measured"));
    end.value *= path->scale;
    end.error *= path->scale;
    end.low *= path->scale;
    end.high *= path->scale;
    return end;
}

/* The mean of the logarithms by which the first path's end lies above the other's. */
static double scale_to(const struct sy_path *first, const struct sy_path *other)
{
    double sum = 0.0;
    unsigned pieces = 0;
    const struct sy_json *piece = sy_json_first(sy_round_pieces(last_round(first)));
    for (; piece; piece = sy_json_next(piece)) {
        const char *name = sy_read_string(piece, "name");
        const double ratio = end_of(first, name).value / end_of(other, name).value;
        if (isfinite(ratio) && ratio > 0.0) {
            sum += log(ratio);
            pieces++;
        }
    }
    return pieces > 0 ? exp(sum / pieces) : 1.0;
}

enum sy_status sy_paths_open(struct sy_report *report, const char *const *directories, size_t count,
                             struct sy_error *error)
{
    enum sy_status status = SY_OK;
    report->path = sy_alloc(count, sizeof *report->path);
    for (size_t i = 0; i < count && status == SY_OK; i++) {
        if (!sy_is_path(directories[i])) {
            return sy_fail(error, SY_USAGE,
                           "%s has no rounds (" SY_ROUNDS_FILE
                           "): only paths from several starts are reported "
                           "together; `steelyard compare` puts runs side by side",
                           directories[i]);
        }
        status = read_path(directories[i], &report->path[report->paths++], error);
        if (status == SY_OK && i > 0) {
            report->path[i].scale = scale_to(&report->path[0], &report->path[i]);
        }
    }
    return status;
}

void sy_paths_clear(struct sy_report *report)
{
    for (size_t i = 0; i < report->paths; i++) {
        sy_json_free(report->path[i].doc);
        free(report->path[i].last);
    }
    free(report->path);
}

/* ---- do the paths end at the same place? ---- */

struct end {
    const char *name;
    struct sy_estimate first, other, apart;
    double p, p_holm;
};

/* Pieces with a measured value at both ends; their p values corrected for their number. */
static size_t compare_ends(const struct sy_path *first, const struct sy_path *other,
                           struct end ends[SY_MAX_TYPES])
{
    double p[SY_MAX_TYPES], adjusted[SY_MAX_TYPES];
    size_t count = 0;
    const struct sy_json *piece = sy_json_first(sy_round_pieces(last_round(first)));
    for (; piece && count < SY_MAX_TYPES; piece = sy_json_next(piece)) {
        struct end end = {.name = sy_read_string(piece, "name")};
        end.first = end_of(first, end.name);
        end.other = end_of(other, end.name);
        end.apart = sy_difference(end.other, end.first);
        if (end.apart.status == SY_STAT_OK && end.apart.error > 0.0) {
            p[count] = sy_normal_p(end.apart.value / end.apart.error);
            ends[count++] = end;
        }
    }
    sy_holm(count, p, adjusted);
    for (size_t i = 0; i < count; i++) {
        ends[i].p = p[i];
        ends[i].p_holm = adjusted[i];
    }
    return count;
}

/* Ends are apart when any piece's are. */
static bool ends_apart(const struct end *ends, size_t count, double level)
{
    bool apart = false;
    for (size_t i = 0; i < count; i++) {
        apart = apart || ends[i].p_holm < 1.0 - level;
    }
    return apart;
}

/* ---- sentences ---- */

static bool converged(const struct sy_path *path)
{
    return sy_json_true(sy_json_member(sy_json_root(path->doc), "converged"));
}

static char *start_name(const struct sy_report *report, size_t path)
{
    return report->paths > 1 ? sy_format("start %zu", path + 1) : sy_strdup("the start");
}

static void add_path_answer(struct sy_report *report, size_t index)
{
    const struct sy_path *path = &report->path[index];
    const size_t rounds = sy_json_count(sy_path_rounds(path));
    char *start = start_name(report, index);
    const double p = sy_read_number(sy_json_member(last_round(path), "believed_and_measured"), "p");
    if (!isfinite(p)) {
        sy_page_text(&report->page, "answer",
                     "Self-consistency from %s: round %zu has no joint test of believed and measured values.",
                     start, rounds);
    } else if (converged(path)) {
        sy_page_text(&report->page, "answer",
                     "Self-consistency from %s: in round %zu what the engine believed and what was measured "
                     "agree (p = %.2g), so that the path has converged.",
                     start, rounds, p);
    } else {
        sy_page_text(&report->page, "answer",
                     "Self-consistency from %s: after %zu rounds what the engine believed and what was "
                     "measured still differ (p = %.2g), so that the path has not converged.",
                     start, rounds, p);
    }
    free(start);
}

void sy_report_path_answers(struct sy_report *report)
{
    struct end ends[SY_MAX_TYPES];
    const double level = report->run.experiment->fit.confidence;
    for (size_t i = 0; i < report->paths; i++) {
        add_path_answer(report, i);
    }
    for (size_t i = 1; i < report->paths; i++) {
        const size_t count = compare_ends(&report->path[0], &report->path[i], ends);
        sy_page_text(&report->page, "answer", "Start %zu %s start 1.", i + 1,
                     count == 0                       ? "cannot be compared with"
                     : ends_apart(ends, count, level) ? "ends elsewhere than"
                                                      : "ends at the same place, within the intervals, as");
    }
}

/* ---- tables ---- */

static enum sy_status add_rounds(struct sy_report *report, struct sy_error *error)
{
    struct sy_table table = sy_table_create(
        "rounds",
        "Is what the engine believed what was measured? Wald's test of all pieces together, whatever "
        "their unit.");
    sy_table_column(&table, SY_COLUMN_TEXT, "from");
    sy_table_column(&table, SY_COLUMN_NUMBER, "round");
    sy_table_column(&table, SY_COLUMN_TEXT, "seed");
    sy_table_column(&table, SY_COLUMN_NUMBER, "chi-square");
    sy_table_column(&table, SY_COLUMN_NUMBER, "degrees of freedom");
    sy_table_column(&table, SY_COLUMN_NUMBER, "p");
    sy_table_column(&table, SY_COLUMN_TEXT, "believed and measured");
    for (size_t i = 0; i < report->paths; i++) {
        char *start = start_name(report, i);
        const struct sy_json *round = sy_json_first(sy_path_rounds(&report->path[i]));
        for (; round; round = sy_json_next(round)) {
            const struct sy_json *test = sy_json_member(round, "believed_and_measured");
            const double p = sy_read_number(test, "p");
            sy_table_text(&table, "%s", start);
            sy_table_number(&table, sy_read_number(round, "round"), 1.0, 0);
            sy_table_text(&table, "%s", sy_read_string(round, "seed"));
            sy_table_number(&table, sy_read_number(test, "wald"), 1.0, 1);
            sy_table_number(&table, sy_read_number(test, "freedom"), 1.0, 0);
            sy_table_p(&table, p);
            sy_table_text(&table, "%s",
                          !isfinite(p)                                   ? "no joint test"
                          : sy_json_true(sy_json_member(test, "agrees")) ? "agree"
                                                                         : "differ");
        }
        free(start);
    }
    return sy_page_close_table(&report->page, &table, error);
}

static void add_piece_rows(struct sy_table *table, const char *start, const struct sy_json *round)
{
    const struct sy_json *piece = sy_json_first(sy_round_pieces(round));
    for (; piece; piece = sy_json_next(piece)) {
        sy_table_text(table, "%s", start);
        sy_table_number(table, sy_read_number(round, "round"), 1.0, 0);
        sy_table_text(table, "%s", sy_read_string(piece, "name"));
        sy_table_number(table, sy_read_number(piece, "suggested"), 1.0, 3);
        sy_table_estimate(table, sy_read_estimate(sy_json_member(piece, "measured")), 1.0, 3);
        sy_table_text(table, "%s", sy_json_true(sy_json_member(piece, "departs")) ? "departs" : "");
    }
}

static enum sy_status add_path_table(struct sy_report *report, struct sy_error *error)
{
    struct sy_table table = sy_table_create(
        "path", "Each round's values in points of the table that the engine believed in it; measured with "
                "intervals. A piece departs when its own test says so, corrected after Holm.");
    sy_table_column(&table, SY_COLUMN_TEXT, "from");
    sy_table_column(&table, SY_COLUMN_NUMBER, "round");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_NUMBER, "believed");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "measured");
    sy_table_column(&table, SY_COLUMN_TEXT, "which");
    for (size_t i = 0; i < report->paths; i++) {
        char *start = start_name(report, i);
        const struct sy_json *round = sy_json_first(sy_path_rounds(&report->path[i]));
        for (; round; round = sy_json_next(round)) {
            add_piece_rows(&table, start, round);
        }
        free(start);
    }
    return sy_page_close_table(&report->page, &table, error);
}

static enum sy_status add_ends(struct sy_report *report, struct sy_error *error)
{
    struct end ends[SY_MAX_TYPES];
    struct sy_table table = sy_table_create(
        "ends",
        "Where the paths end, all in start 1's points; p that a piece ends at the same place, corrected "
        "after Holm for the number of pieces.");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "from start 1");
    sy_table_column(&table, SY_COLUMN_TEXT, "against");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "from there");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "difference");
    sy_table_column(&table, SY_COLUMN_NUMBER, "p");
    sy_table_column(&table, SY_COLUMN_NUMBER, "p corrected");
    for (size_t path = 1; path < report->paths; path++) {
        const size_t count = compare_ends(&report->path[0], &report->path[path], ends);
        for (size_t i = 0; i < count; i++) {
            sy_table_text(&table, "%s", ends[i].name);
            sy_table_estimate(&table, ends[i].first, 1.0, 2);
            sy_table_text(&table, "start %zu", path + 1);
            sy_table_estimate(&table, ends[i].other, 1.0, 2);
            sy_table_estimate(&table, ends[i].apart, 1.0, 2);
            sy_table_p(&table, ends[i].p);
            sy_table_p(&table, ends[i].p_holm);
        }
    }
    return sy_page_close_table(&report->page, &table, error);
}

/* ---- the section ---- */

static void describe_path(const struct sy_report *report, struct sy_text *text)
{
    sy_text_puts(text, "Believed and measured values, round by round.");
    for (size_t i = 0; i < report->paths; i++) {
        char *start = start_name(report, i);
        sy_text_printf(text, " From %s, %s, at the end:", start,
                       converged(&report->path[i]) ? "which converges" : "which does not converge");
        free(start);
        const struct sy_json *piece = sy_json_first(sy_round_pieces(last_round(&report->path[i])));
        for (; piece; piece = sy_json_next(piece)) {
            sy_text_printf(text, " %s ", sy_read_string(piece, "name"));
            sy_add_estimate(text, end_of(&report->path[i], sy_read_string(piece, "name")), 1.0, 2);
            sy_text_puts(text, sy_json_next(piece) ? "," : ".");
        }
    }
}

static void add_scales(struct sy_report *report)
{
    for (size_t i = 1; i < report->paths; i++) {
        sy_page_text(
            &report->page, "note",
            "The points of start %zu are multiplied by %.3g in picture and comparison, so that its end "
            "lies nearest to start 1's: a path fixes ratios, not the size of a point.",
            i + 1, report->path[i].scale);
    }
}

enum sy_status sy_report_rounds(struct sy_report *report, struct sy_error *error)
{
    struct sy_text alternative = SY_TEXT_INIT;
    if (report->paths == 0) {
        return SY_OK;
    }
    sy_page_section(&report->page, "rounds", "Self-consistency");
    sy_page_text(
        &report->page, "note",
        "Each round is played with what the round before has measured as what the engine believes, and "
        "with games of its own. An estimate far from what the engine believed is not to be trusted, "
        "since it did not trade as it should have. All other sections of this page are about the last "
        "round%s.",
        report->paths > 1 ? " of start 1" : "");
    enum sy_status status = add_rounds(report, error);
    if (status == SY_OK) {
        describe_path(report, &alternative);
        status = sy_page_picture(&report->page, report->run.directory, "path", alternative.bytes,
                                 "The path. Filled and with intervals: measured. Dashed: what the engine "
                                 "believed. At a converged end the two lie together.",
                                 error);
        sy_text_clear(&alternative);
    }
    add_scales(report);
    if (status == SY_OK && report->paths > 1) {
        status = add_ends(report, error);
    }
    return status == SY_OK ? add_path_table(report, error) : status;
}
