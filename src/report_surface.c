/* The section on which believed values win, for runs whose players drew theirs. Nothing is computed here. */
#include "report_internal.h"

#include <stdlib.h>
#include <string.h>

/* A paragraph for every line of the sentences. */
static void add_lines(struct sy_page *page, const char *sentences)
{
    while (*sentences) {
        const size_t length = strcspn(sentences, "\n");
        char *line = sy_format("%.*s.", (int)length, sentences);
        sy_page_text(page, "", "%s", line);
        free(line);
        sentences += length + (sentences[length] == '\n');
    }
}

static void add_rows(struct sy_table *table, const char *arm, const struct sy_json *surface)
{
    const struct sy_json *top = sy_json_first(sy_read_at(surface, "top", "pieces"));
    const struct sy_json *proportion = sy_json_first(sy_read_at(surface, "proportions", "pieces"));
    const struct sy_json *pieces = sy_json_member(surface, "pieces");
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece)) {
        sy_table_text(table, "%s", arm);
        sy_table_text(table, "%s", sy_read_string(piece, "name"));
        sy_table_number(table, sy_json_number(sy_json_first(sy_json_member(piece, "drawn"))), 1.0, 2);
        sy_table_number(table, sy_json_number(sy_read_item(sy_json_member(piece, "drawn"), 1)), 1.0, 2);
        sy_table_estimate(table, sy_read_estimate(sy_json_member(piece, "curvature")), 1.0, 3);
        sy_table_estimate(table, sy_read_estimate(sy_json_member(piece, "alone")), 1.0, 2);
        sy_table_estimate(table, sy_read_estimate(sy_json_member(top, "value")), 1.0, 2);
        sy_table_estimate(table, sy_read_estimate(sy_json_member(proportion, "value")), 1.0, 2);
        top = top ? sy_json_next(top) : NULL;
        proportion = proportion ? sy_json_next(proportion) : NULL;
    }
}

static struct sy_table begin_table(void)
{
    struct sy_table table = sy_table_create(
        "believed",
        "Values that players drew to believe, and which of them win: curvature in logits per square "
        "of the logarithm; best alone, as the engine counts; best together, in units.");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_NUMBER, "drawn from");
    sy_table_column(&table, SY_COLUMN_NUMBER, "to");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "curvature");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "best alone");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "all free");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "proportions");
    return table;
}

enum sy_status sy_report_surface(struct sy_report *report, struct sy_error *error)
{
    struct sy_table table = begin_table();
    bool any = false;
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        const struct sy_json *fit = sy_json_member(arm, "fit");
        if (sy_json_count(sy_json_member(fit, "surface")) == 0) {
            continue;
        }
        if (!any) {
            sy_page_section(&report->page, "believed", "Which believed values win");
        }
        any = true;
        char *sentences = sy_surface_sentences(fit);
        add_lines(&report->page, sentences);
        free(sentences);
        add_rows(&table, sy_read_string(arm, "label"), sy_json_member(fit, "surface"));
    }
    if (any) {
        return sy_page_close_table(&report->page, &table, error);
    }
    sy_table_clear(&table);
    return SY_OK;
}
