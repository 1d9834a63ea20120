/* The report of a run: reads it, measures it, draws it, writes the page. The files are replaced one by one,
 * each whole, the page last. */
#include "report_internal.h"

#include "steelyard/plot.h"

#include <stdlib.h>
#include <string.h>

static const char *title_of(const struct sy_run *run)
{
    return *run->experiment->title ? run->experiment->title : run->experiment->arms[0].variant->title;
}

static enum sy_status measure(struct sy_report *report, struct sy_error *error)
{
    const size_t arms = report->run.experiment->arm_count;
    report->panels = sy_alloc(arms, sizeof *report->panels);
    report->checks = sy_alloc(arms, sizeof *report->checks);
    report->places = sy_alloc(arms, sizeof *report->places);
    enum sy_status status = SY_OK;
    for (unsigned arm = 0; arm < arms && status == SY_OK; arm++) {
        const struct sy_arm_games games = sy_run_arm(&report->run, arm);
        const struct sy_json *summary = sy_run_arm_summary(&report->run, arm);
        status = sy_panel_compute(&games, summary, &report->panels[arm], error);
        if (status == SY_OK) {
            status = sy_fit_check_compute(&games, summary, &report->checks[arm], error);
        }
        if (status == SY_OK) {
            status = sy_places_compute(&games, &report->places[arm], error);
        }
    }
    return status;
}

static void add_contents(struct sy_report *report)
{
    const bool values = report->run.experiment->design != SY_DESIGN_FIRST_MOVE;
    const struct {
        bool there;
        const char *id, *words;
    } links[] = {{report->paths > 0, "rounds", "Self-consistency"},
                 {values, "values", "Values"},
                 {report->besides > 0, "beside", "Beside other designs"},
                 {true, "first-move", "First move"},
                 {true, "endings", "Endings"},
                 {true, "balance", "What kind of game"},
                 {true, "maps", "Where it happens"},
                 {sy_report_has_fit(report), "fit", "How well the model fits"},
                 {true, "games", "Games"},
                 {true, "made", "How it was made"}};
    sy_text_puts(&report->page.html, "<nav>");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        if (links[i].there) {
            sy_text_printf(&report->page.html, "<a href=\"#%s\">%s</a> ", links[i].id, links[i].words);
        }
    }
    sy_text_puts(&report->page.html, "</nav>\n");
}

static enum sy_status compose(struct sy_report *report, struct sy_error *error)
{
    static enum sy_status (*const sections[])(struct sy_report *, struct sy_error *) = {
        sy_report_rounds,     sy_report_values,  sy_report_beside, sy_report_surface,
        sy_report_first_move, sy_report_endings, sy_report_panel,  sy_report_maps,
        sy_report_fit,        sy_report_further, sy_report_games,  sy_report_made};
    enum sy_status status = SY_OK;
    sy_page_begin(&report->page, title_of(&report->run), report->run.experiment->about);
    sy_report_answers(report);
    add_contents(report);
    for (size_t i = 0; i < sizeof sections / sizeof *sections && status == SY_OK; i++) {
        status = sections[i](report, error);
    }
    sy_page_end(&report->page, "Written by steelyard from summary.json and games.jsonl.");
    return status;
}

static enum sy_status write_file(const char *directory, const char *name, const struct sy_text *text,
                                 struct sy_error *error)
{
    char *path = sy_format("%s/%s", directory, name);
    const enum sy_status status = sy_write_file(path, text->bytes, text->length, error);
    free(path);
    return status;
}

/* The run that the page is about: the one in the directory, or the last round of a path. */
static enum sy_status open_run(struct sy_report *report, const char *const *directories, size_t count,
                               struct sy_error *error)
{
    if (!sy_is_path(directories[0])) {
        const enum sy_status status = sy_run_open(directories[0], &report->run, error);
        return status == SY_OK ? sy_beside_open(report, directories + 1, count - 1, error) : status;
    }
    enum sy_status status = sy_paths_open(report, directories, count, error);
    if (status == SY_OK) {
        status = sy_run_open(report->path[0].last, &report->run, error);
        report->run.directory = directories[0];
    }
    return status;
}

static enum sy_status draw(struct sy_report *report, char **warning, struct sy_error *error)
{
    const struct sy_run *run = &report->run;
    enum sy_status status = sy_plot_summary(run->directory, run->summary, warning, error);
    if (status == SY_OK) {
        status = sy_plot_report(run, report->panels, report->checks, error);
    }
    if (status == SY_OK && report->paths > 0) {
        status = sy_plot_paths(run, report->path, report->paths, error);
    }
    return status == SY_OK ? sy_plot_ladder(run, &report->rungs, error) : status;
}

static void clear(struct sy_report *report)
{
    sy_page_clear(&report->page);
    sy_paths_clear(report);
    sy_beside_clear(report);
    free(report->panels);
    free(report->checks);
    free(report->places);
    free(report->no_png);
    sy_run_clear(&report->run);
}

/* Adds the second sentence to the first; both may be NULL. */
static void join_warnings(char **warning, const char *more)
{
    if (more) {
        char *both = *warning ? sy_format("%s; %s", *warning, more) : sy_strdup(more);
        free(*warning);
        *warning = both;
    }
}

enum sy_status sy_report_write(const char *const *directories, size_t count, char **warning,
                               struct sy_error *error)
{
    struct sy_report report = {.page = {SY_TEXT_INIT, SY_TEXT_INIT, NULL}};
    *warning = NULL;
    enum sy_status status = open_run(&report, directories, count, error);
    if (status == SY_OK) {
        status = measure(&report, error);
    }
    if (status == SY_OK) {
        status = draw(&report, warning, error);
    }
    if (status == SY_OK) {
        report.page.tables = sy_format("%s/tables", directories[0]);
        status = sy_make_directory(report.page.tables, error);
    }
    if (status == SY_OK) {
        status = compose(&report, error);
    }
    if (status == SY_OK) {
        status = write_file(directories[0], "report.md", &report.page.markdown, error);
    }
    if (status == SY_OK) {
        status = write_file(directories[0], "report.html", &report.page.html, error);
    }
    join_warnings(warning, report.no_png);
    clear(&report);
    return status;
}
