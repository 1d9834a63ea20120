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
    enum sy_status status = SY_OK;
    for (unsigned arm = 0; arm < arms && status == SY_OK; arm++) {
        const struct sy_arm_games games = sy_run_arm(&report->run, arm);
        const struct sy_json *summary = sy_run_arm_summary(&report->run, arm);
        status = sy_panel_compute(&games, summary, &report->panels[arm], error);
        if (status == SY_OK) {
            status = sy_fit_check_compute(&games, summary, &report->checks[arm], error);
        }
    }
    return status;
}

static void add_contents(struct sy_report *report)
{
    static const char *const links[][2] = {{"values", "Values"},   {"first-move", "First move"},
                                           {"endings", "Endings"}, {"balance", "What kind of game"},
                                           {"games", "Games"},     {"made", "How it was made"}};
    const bool values = report->run.experiment->design != SY_DESIGN_FIRST_MOVE;
    sy_text_puts(&report->page.html, "<nav>");
    for (size_t i = values ? 0 : 1; i < sizeof links / sizeof *links; i++) {
        sy_text_printf(&report->page.html, "<a href=\"#%s\">%s</a> ", links[i][0], links[i][1]);
    }
    sy_text_puts(&report->page.html, "</nav>\n");
}

static enum sy_status compose(struct sy_report *report, struct sy_error *error)
{
    static enum sy_status (*const sections[])(struct sy_report *, struct sy_error *) = {
        sy_report_values, sy_report_first_move, sy_report_endings, sy_report_panel,
        sy_report_fit,    sy_report_further,    sy_report_games,   sy_report_made};
    enum sy_status status = SY_OK;
    sy_page_begin(&report->page, title_of(&report->run), report->run.experiment->about);
    sy_report_answers(&report->page, &report->run);
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

enum sy_status sy_report_write(const char *directory, char **warning, struct sy_error *error)
{
    struct sy_report report = {.page = {SY_TEXT_INIT, SY_TEXT_INIT, NULL}};
    *warning = NULL;
    enum sy_status status = sy_run_open(directory, &report.run, error);
    if (status == SY_OK) {
        status = measure(&report, error);
    }
    if (status == SY_OK) {
        status = sy_plot_summary(directory, report.run.summary, warning, error);
    }
    if (status == SY_OK) {
        status = sy_plot_report(&report.run, report.panels, report.checks, error);
    }
    if (status == SY_OK) {
        report.page.tables = sy_format("%s/tables", directory);
        status = sy_make_directory(report.page.tables, error);
    }
    if (status == SY_OK) {
        status = compose(&report, error);
    }
    if (status == SY_OK) {
        status = write_file(directory, "report.md", &report.page.markdown, error);
    }
    if (status == SY_OK) {
        status = write_file(directory, "report.html", &report.page.html, error);
    }
    sy_page_clear(&report.page);
    free(report.panels);
    free(report.checks);
    sy_run_clear(&report.run);
    return status;
}
