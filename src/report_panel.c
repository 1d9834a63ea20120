/* The sections of a report that are computed from the games: the balance panel, and how the fit fits. */
#include "report_internal.h"

#include <stdlib.h>

enum { ARMS_BESIDE = 6 };

/* ---- the panel ---- */

/* Measures as rows, arms first .. end-1 as columns. */
static enum sy_status add_measures(struct sy_report *report, unsigned first, unsigned end,
                                   struct sy_error *error)
{
    const struct sy_experiment *experiment = report->run.experiment;
    char *name = first == 0 ? sy_strdup("balance") : sy_format("balance-%u", first / ARMS_BESIDE + 1);
    char *caption = sy_format("Each game counts once; %g %% intervals.", 100.0 * experiment->fit.confidence);
    struct sy_table table = sy_table_create(name, caption);
    free(caption);
    free(name);
    sy_table_column(&table, SY_COLUMN_TEXT, "measure");
    for (unsigned arm = first; arm < end; arm++) {
        sy_table_column(&table, SY_COLUMN_INTERVAL, "%s", experiment->arms[arm].label);
        sy_table_column(&table, SY_COLUMN_NUMBER, "games");
    }
    sy_table_column(&table, SY_COLUMN_TEXT, "in");
    for (int measure = 0; measure < SY_MEASURES; measure++) {
        const struct sy_measure_info *info = &sy_measure_info[measure];
        sy_table_text(&table, "%s", info->name);
        for (unsigned arm = first; arm < end; arm++) {
            sy_table_estimate(&table, report->panels[arm].measure[measure], info->scale, info->decimals);
            sy_table_number(&table, (double)report->panels[arm].games[measure], 1.0, 0);
        }
        sy_table_text(&table, "%s", info->unit);
    }
    return sy_page_close_table(&report->page, &table, error);
}

enum sy_status sy_page_definitions(struct sy_page *page, struct sy_error *error)
{
    struct sy_table table = sy_table_create("definitions", "What the measures are.");
    sy_table_column(&table, SY_COLUMN_TEXT, "measure");
    sy_table_column(&table, SY_COLUMN_TEXT, "definition");
    sy_table_column(&table, SY_COLUMN_TEXT, "source");
    for (int measure = 0; measure < SY_MEASURES; measure++) {
        sy_table_text(&table, "%s", sy_measure_info[measure].name);
        sy_table_text(&table, "%s", sy_measure_info[measure].definition);
        sy_table_text(&table, "%s", sy_measure_info[measure].source);
    }
    const enum sy_status status = sy_page_close_table(page, &table, error);
    sy_page_text(
        page, "note",
        "Browne 2008: Automatic generation and evaluation of recombination games, PhD thesis, Queensland "
        "University of Technology. Piette et al. 2021: General board game concepts, IEEE Conference on "
        "Games.");
    return status;
}

static enum sy_status add_survival(struct sy_report *report, struct sy_error *error)
{
    struct sy_text alternative = SY_TEXT_INIT;
    struct sy_table table = sy_table_create("survival", "");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_NUMBER, "of the game");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "surviving");
    sy_text_puts(&alternative, "Share of each kind's starting pieces still on the board, half-way and at the "
                               "end, in per cent.");
    for (unsigned arm = 0; arm < report->run.experiment->arm_count; arm++) {
        const struct sy_panel *panel = &report->panels[arm];
        sy_text_printf(&alternative, " %s:", report->run.experiment->arms[arm].label);
        for (size_t kind = 0; kind < panel->kinds; kind++) {
            const struct sy_survival *survival = &panel->survival[kind];
            for (unsigned tenth = 0; tenth < SY_TENTHS; tenth++) {
                sy_table_text(&table, "%s", report->run.experiment->arms[arm].label);
                sy_table_text(&table, "%s", survival->name);
                sy_table_number(&table, tenth / (SY_TENTHS - 1.0), 1.0, 1);
                sy_table_estimate(&table, survival->share[tenth], 100.0, 1);
            }
            sy_text_printf(&alternative, " %s ", survival->name);
            sy_add_decimal(&alternative, 100.0 * survival->share[SY_TENTHS / 2].value, 0);
            sy_text_puts(&alternative, " and ");
            sy_add_decimal(&alternative, 100.0 * survival->share[SY_TENTHS - 1].value, 0);
            sy_text_puts(&alternative, kind + 1 < panel->kinds ? "," : ".");
        }
    }
    enum sy_status status = sy_page_close_csv(&report->page, &table, error);
    if (status == SY_OK) {
        status = sy_page_picture(&report->page, report->run.directory, "survival", alternative.bytes,
                                 "How long pieces last: of those a game started with, the share still on the "
                                 "board as what they were; "
                                 "a promoted pawn has left its kind. Mean over games.",
                                 error);
    }
    sy_text_clear(&alternative);
    return status;
}

enum sy_status sy_report_panel(struct sy_report *report, struct sy_error *error)
{
    const struct sy_experiment *experiment = report->run.experiment;
    const unsigned arms = (unsigned)experiment->arm_count;
    sy_page_section(&report->page, "balance", "What kind of game it is");
    sy_page_text(
        &report->page, "note",
        "The logs hold moves, not the engine's scores. So leads, drama and the time of no return are told "
        "by material, at what Steelyard's engine believes pieces worth, at moments when nothing is being "
        "taken: "
        "an attack that costs material counts as being behind. %s",
        experiment->design == SY_DESIGN_IMBALANCE
            ? "Games of this experiment start from uneven armies, which makes leads early and large."
            : "");
    enum sy_status status = SY_OK;
    for (unsigned first = 0; first < arms && status == SY_OK; first += ARMS_BESIDE) {
        status = add_measures(report, first, first + ARMS_BESIDE < arms ? first + ARMS_BESIDE : arms, error);
    }
    if (status == SY_OK) {
        status = add_survival(report, error);
    }
    return status == SY_OK ? sy_page_definitions(&report->page, error) : status;
}

/* ---- the fit ---- */

static enum sy_status write_bins(struct sy_report *report, bool residuals, struct sy_error *error)
{
    struct sy_table table = sy_table_create(residuals ? "residuals" : "calibration", "");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_NUMBER, residuals ? "material difference" : "predicted score");
    sy_table_column(&table, SY_COLUMN_INTERVAL, residuals ? "observed less predicted" : "observed score");
    sy_table_column(&table, SY_COLUMN_NUMBER, "games");
    for (unsigned arm = 0; arm < report->run.experiment->arm_count; arm++) {
        const struct sy_fit_check *check = &report->checks[arm];
        const struct sy_bin *bins = residuals ? check->residual : check->calibration;
        const size_t count = residuals ? check->residuals : check->calibrations;
        for (size_t i = 0; i < count; i++) {
            sy_table_text(&table, "%s", report->run.experiment->arms[arm].label);
            sy_table_number(&table, bins[i].at, 1.0, 4);
            sy_table_estimate(&table, bins[i].observed, 1.0, 4);
            sy_table_number(&table, (double)bins[i].games, 1.0, 0);
        }
    }
    return sy_page_close_csv(&report->page, &table, error);
}

/* "A: 7 of 10 intervals hold the prediction." for every arm. */
static void describe_bins(const struct sy_report *report, bool residuals, struct sy_text *text)
{
    for (unsigned arm = 0; arm < report->run.experiment->arm_count; arm++) {
        const struct sy_fit_check *check = &report->checks[arm];
        const struct sy_bin *bins = residuals ? check->residual : check->calibration;
        const size_t count = residuals ? check->residuals : check->calibrations;
        size_t good = 0;
        for (size_t i = 0; i < count; i++) {
            const double predicted = residuals ? 0.0 : bins[i].at;
            good += bins[i].observed.low <= predicted && predicted <= bins[i].observed.high;
        }
        if (count > 0) {
            sy_text_printf(text, " %s: %zu of %zu intervals hold the prediction.",
                           report->run.experiment->arms[arm].label, good, count);
        }
    }
}

static enum sy_status add_fit_picture(struct sy_report *report, bool residuals, const char *caption,
                                      struct sy_error *error)
{
    struct sy_text alternative = SY_TEXT_INIT;
    sy_text_puts(&alternative, residuals ? "Observed less predicted score by White's lead in material."
                                         : "Observed against predicted score of White.");
    describe_bins(report, residuals, &alternative);
    enum sy_status status = write_bins(report, residuals, error);
    if (status == SY_OK) {
        status = sy_page_picture(&report->page, report->run.directory,
                                 residuals ? "residuals" : "calibration", alternative.bytes, caption, error);
    }
    sy_text_clear(&alternative);
    return status;
}

bool sy_report_has_fit(const struct sy_report *report)
{
    size_t bins = 0;
    for (unsigned arm = 0; arm < report->run.experiment->arm_count; arm++) {
        bins += report->checks[arm].calibrations + report->checks[arm].residuals;
    }
    return bins > 0;
}

enum sy_status sy_report_fit(struct sy_report *report, struct sy_error *error)
{
    if (!sy_report_has_fit(report)) {
        return SY_OK;
    }
    sy_page_section(&report->page, "fit", "How well the score model fits");
    sy_page_text(
        &report->page, "note",
        "The model adds up what the pieces are worth. Where dots lie off the line by more than their bars, "
        "adding up is too simple: a pair may be worth more than its parts, or a large lead less.");
    const enum sy_status status =
        add_fit_picture(report, false, "Tenths of the games by the score that the model predicts.", error);
    return status == SY_OK
               ? add_fit_picture(
                     report, true,
                     "What the model leaves over, by White's lead in material at the believed values.", error)
               : status;
}
