/* The section of a report on what the pieces are worth, as summary.json has it. Nothing is computed here. */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool several(const struct sy_report *report)
{
    return report->run.experiment->arm_count > 1;
}

void sy_add_unit(struct sy_text *text, const struct sy_json *fit)
{
    const double counts = sy_read_number(fit, "counts_as");
    const char *name = sy_read_string(fit, "unit");
    for (const struct sy_json *m = sy_json_first(sy_json_member(fit, "materials")); m; m = sy_json_next(m)) {
        if (strcmp(sy_read_string(m, "name"), name) == 0 && (counts == 1.0 || !isfinite(counts))) {
            sy_text_printf(text, "%ss", name);
            return;
        }
    }
    sy_text_printf(text, "points (%s = %.4g)", name, isfinite(counts) ? counts : 1.0);
}

/* ---- the table ---- */

static void add_value_row(struct sy_table *table, const struct sy_json *material, size_t suggestions)
{
    const struct sy_estimate value = sy_read_estimate(sy_json_member(material, "value"));
    const bool unit = sy_json_true(sy_json_member(material, "unit"));
    sy_table_text(table, "%s%s", sy_read_string(material, "name"), unit ? " (the unit)" : "");
    if (unit && value.status == SY_STAT_OK) {
        sy_table_number(table, value.value, 1.0, 2);
    } else {
        sy_table_estimate(table, value, 1.0, 2);
    }
    for (size_t i = 0; i < suggestions; i++) {
        const struct sy_json *suggestion = sy_read_item(sy_json_member(material, "suggested"), i);
        const struct sy_json *inside = sy_json_member(suggestion, "inside");
        const bool judged = inside && sy_json_kind(inside) == SY_JSON_BOOL && !unit;
        sy_table_number(table, sy_read_number(suggestion, "value"), 1.0, 2);
        sy_table_text(table, "%s", !judged ? "" : sy_json_true(inside) ? "inside" : "outside");
    }
    sy_table_number(table, sy_read_number(material, "believed"), 1.0, 2);
    sy_table_estimate(table, sy_read_estimate(sy_json_member(material, "logit")), 1.0, 3);
    sy_table_number(table, sy_read_number(material, "games"), 1.0, 0);
}

static enum sy_status add_value_table(struct sy_report *report, const struct sy_json *arm,
                                      const struct sy_json *materials, const char *name, const char *caption,
                                      struct sy_error *error)
{
    struct sy_table table = sy_table_create(name, caption);
    const struct sy_json *suggested = sy_json_member(sy_json_first(materials), "suggested");
    const size_t suggestions = sy_json_count(suggested) < 4 ? sy_json_count(suggested) : 4;
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "measured, %g %%",
                    100.0 * sy_json_number(sy_read_at(arm, "fit", "confidence")));
    for (size_t i = 0; i < suggestions; i++) {
        sy_table_column(&table, SY_COLUMN_NUMBER, "%s", sy_read_string(sy_read_item(suggested, i), "by"));
        sy_table_column(&table, SY_COLUMN_TEXT, "which is");
    }
    sy_table_column(&table, SY_COLUMN_NUMBER, "engine believed");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "logits");
    sy_table_column(&table, SY_COLUMN_NUMBER, "games that differed in it");
    for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
        add_value_row(&table, m, suggestions);
    }
    return sy_page_close_table(&report->page, &table, error);
}

static enum sy_status add_arm_values(struct sy_report *report, unsigned index, struct sy_error *error)
{
    const struct sy_json *arm = sy_run_arm_summary(&report->run, index);
    const struct sy_json *fit = sy_json_member(arm, "fit");
    const struct sy_json *alternative = sy_json_member(fit, "alternative");
    char *number = several(report) ? sy_format("-%u", index + 1) : sy_strdup("");
    char *name = sy_format("values%s", number);
    char *caption =
        sy_format("%s: values in %ss, from %.0f games; intervals: %s.", sy_read_string(arm, "label"),
                  sy_read_string(fit, "unit"), sy_read_number(fit, "games"), sy_read_string(fit, "interval"));
    enum sy_status status =
        add_value_table(report, arm, sy_json_member(fit, "materials"), name, caption, error);
    free(name);
    free(caption);
    if (status == SY_OK && sy_json_count(sy_json_member(alternative, "materials")) > 0) {
        name = sy_format("values%s-alternative", number);
        caption = sy_format("%s: the same, counting one %s as %.4g.", sy_read_string(arm, "label"),
                            sy_read_string(alternative, "unit"), sy_read_number(alternative, "counts_as"));
        status = add_value_table(report, arm, sy_json_member(alternative, "materials"), name, caption, error);
        free(name);
        free(caption);
    }
    free(number);
    return status;
}

static void add_ratio_rows(struct sy_table *table, const struct sy_json *arm)
{
    const struct sy_json *ratios = sy_read_at(arm, "fit", "ratios");
    const struct sy_json *names = sy_json_member(ratios, "names");
    const size_t count = sy_json_count(names);
    for (size_t at = 0; at < count * count; at++) {
        const size_t over = at / count;
        const size_t under = at % count;
        const char *keys[] = {"value", "low", "high"};
        double number[3];
        for (size_t i = 0; i < 3; i++) {
            number[i] =
                sy_json_number(sy_read_item(sy_read_item(sy_json_member(ratios, keys[i]), over), under));
        }
        struct sy_estimate ratio = {.value = number[0], .low = number[1], .high = number[2]};
        ratio.status = isfinite(number[0]) ? SY_STAT_OK : SY_STAT_BAD_DATA;
        if (over != under) {
            sy_table_text(table, "%s", sy_read_string(arm, "label"));
            sy_table_text(table, "%s", sy_json_string(sy_read_item(names, over)));
            sy_table_text(table, "%s", sy_json_string(sy_read_item(names, under)));
            sy_table_estimate(table, ratio, 1.0, 2);
        }
    }
}

static enum sy_status write_ratios(struct sy_report *report, struct sy_error *error)
{
    struct sy_table table = sy_table_create("ratios", "");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_TEXT, "in units of");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "value");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        add_ratio_rows(&table, sy_run_arm_summary(&report->run, i));
    }
    return sy_page_close_csv(&report->page, &table, error);
}

/* ---- tables as a whole, pairs, phase ---- */

static void add_verdict(struct sy_report *report, const struct sy_json *arm, const struct sy_json *verdict)
{
    const struct sy_json *agrees = sy_json_member(verdict, "agrees");
    if (!agrees || sy_json_kind(agrees) != SY_JSON_BOOL) {
        return;
    }
    struct sy_text apart = SY_TEXT_INIT;
    const struct sy_json *piece = sy_json_first(sy_json_member(verdict, "pieces"));
    for (; piece; piece = sy_json_next(piece)) {
        if (sy_json_true(sy_json_member(piece, "departs"))) {
            sy_text_printf(&apart, "%s%s", apart.length > 0 ? ", " : ": most of all ",
                           sy_read_string(piece, "name"));
        }
    }
    const double p = sy_read_number(verdict, "p");
    sy_page_text(&report->page, "note",
                 "%s: taken together, and whatever their unit, the values of %s %s those measured (Wald's "
                 "chi-square %.1f with %.0f degrees of freedom, p %s %.4f)%s.",
                 sy_read_string(arm, "label"), sy_read_string(verdict, "by"),
                 sy_json_true(agrees) ? "are in keeping with" : "depart from",
                 sy_read_number(verdict, "wald"), sy_read_number(verdict, "freedom"), p < 0.0001 ? "<" : "=",
                 fmax(0.0001, p), apart.bytes ? apart.bytes : "");
    sy_text_clear(&apart);
}

static void add_verdicts(struct sy_report *report, const struct sy_json *arm)
{
    const struct sy_json *verdicts = sy_read_at(arm, "fit", "verdicts");
    const struct sy_json *verdict = sy_json_first(sy_json_member(verdicts, "suggested"));
    for (; verdict; verdict = sy_json_next(verdict)) {
        add_verdict(report, arm, verdict);
    }
    add_verdict(report, arm, sy_json_member(verdicts, "believed"));
}

/* What two of a kind are worth beyond twice one. */
static enum sy_status add_pairs(struct sy_report *report, struct sy_error *error)
{
    struct sy_table table =
        sy_table_create("pairs", "What two or more of a kind are worth beyond their number.");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "pair of");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "worth more by");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "logits");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        const struct sy_json *term = sy_json_first(sy_json_member(sy_read_at(arm, "fit", "pairs"), "terms"));
        for (; term; term = sy_json_next(term)) {
            sy_table_text(&table, "%s", sy_read_string(arm, "label"));
            sy_table_text(&table, "%s", sy_read_string(term, "name"));
            sy_table_estimate(&table, sy_read_estimate(sy_json_member(term, "value")), 1.0, 2);
            sy_table_estimate(&table, sy_read_estimate(sy_json_member(term, "logit")), 1.0, 3);
        }
    }
    if (table.cells > 0) {
        return sy_page_close_table(&report->page, &table, error);
    }
    sy_table_clear(&table);
    return SY_OK;
}

static void add_phase_rows(struct sy_table *table, const struct sy_json *arm)
{
    const struct sy_json *m = sy_json_first(sy_json_member(sy_read_at(arm, "fit", "phase"), "materials"));
    for (; m; m = sy_json_next(m)) {
        size_t number = 0;
        const struct sy_json *bin = sy_json_first(sy_json_member(m, "bins"));
        for (; bin; bin = sy_json_next(bin)) {
            sy_table_text(table, "%s", sy_read_string(arm, "label"));
            sy_table_text(table, "%s", sy_read_string(m, "name"));
            sy_table_number(table, (double)++number, 1.0, 0);
            sy_table_estimate(table, sy_read_estimate(sy_json_member(bin, "value")), 1.0, 2);
            sy_table_p(table, sy_read_number(m, "p_holm"));
        }
    }
}

/* Values by how full the board is. */
static enum sy_status add_phase(struct sy_report *report, struct sy_error *error)
{
    struct sy_table table = sy_table_create(
        "phase",
        "Values by how many pieces are left (all, or of the kinds that the fit counts), 1 the fewest; "
        "p that it makes no difference, corrected after Holm.");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_NUMBER, "fullness");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "value");
    sy_table_column(&table, SY_COLUMN_NUMBER, "p corrected");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        add_phase_rows(&table, sy_run_arm_summary(&report->run, i));
    }
    if (table.cells > 0) {
        return sy_page_close_table(&report->page, &table, error);
    }
    sy_table_clear(&table);
    return SY_OK;
}

/* ---- the section ---- */

static void describe_values(struct sy_text *text, const struct sy_report *report)
{
    sy_text_puts(text, "Measured values with their intervals beside suggested ones.");
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        sy_text_printf(text, " %s:", sy_read_string(arm, "label"));
        const struct sy_json *m = sy_json_first(sy_read_at(arm, "fit", "materials"));
        for (; m; m = sy_json_next(m)) {
            sy_text_printf(text, " %s ", sy_read_string(m, "name"));
            sy_add_estimate(text, sy_read_estimate(sy_json_member(m, "value")), 1.0, 2);
            sy_text_puts(text, sy_json_next(m) ? "," : ".");
        }
    }
}

enum sy_status sy_report_values(struct sy_report *report, struct sy_error *error)
{
    struct sy_text alternative = SY_TEXT_INIT;
    if (report->run.experiment->design == SY_DESIGN_FIRST_MOVE) {
        return SY_OK;
    }
    sy_page_section(&report->page, "values", "What the pieces are worth");
    enum sy_status status = SY_OK;
    for (unsigned i = 0; i < report->run.experiment->arm_count && status == SY_OK; i++) {
        status = add_arm_values(report, i, error);
    }
    if (status == SY_OK) {
        describe_values(&alternative, report);
        status =
            sy_page_picture(&report->page, report->run.directory, "values", alternative.bytes,
                            "Dots and bars: measured, with interval. Open shapes: suggested. Crosses: what "
                            "the engine believed while it played.",
                            error);
        sy_text_clear(&alternative);
    }
    for (unsigned i = 0; i < report->run.experiment->arm_count && status == SY_OK; i++) {
        add_verdicts(report, sy_run_arm_summary(&report->run, i));
    }
    if (status == SY_OK) {
        status = add_pairs(report, error);
    }
    if (status == SY_OK) {
        status = add_phase(report, error);
    }
    return status == SY_OK ? write_ratios(report, error) : status;
}
