/* Other runs of the same games beside this one: the values that another design gives. Designs ask different
 * things; where their answers surely differ the page says so first of all. Read from summary.json alone. */
#include "report_internal.h"

#include <stdlib.h>
#include <string.h>

void sy_beside_clear(struct sy_report *report)
{
    for (size_t i = 0; i < report->besides; i++) {
        sy_json_free(report->beside[i].doc);
    }
    free(report->beside);
}

/* ---- pairs of arms ---- */

static const struct sy_json *arms_of(const struct sy_beside *beside)
{
    return sy_json_first(sy_json_member(sy_json_root(beside->doc), "arms"));
}

static const char *design_of(const struct sy_beside *beside)
{
    return sy_read_string(sy_json_root(beside->doc), "design");
}

/* By the same rules, with values counted in the same unit? */
static bool answers_to(const struct sy_json *arm, const struct sy_json *other)
{
    return strcmp(sy_read_string(arm, "digest"), sy_read_string(other, "digest")) == 0 &&
           sy_json_count(sy_read_at(arm, "fit", "materials")) > 0 && sy_same_unit(arm, other);
}

/* What one piece is worth here and there. */
struct pair {
    const char *arm, *name;
    const struct sy_beside *beside;
    struct sy_estimate here, there, apart;
};

typedef void take_pair(void *context, const struct pair *pair);

static void each_piece(const struct sy_json *arm, const struct sy_json *other, const struct sy_beside *beside,
                       take_pair *take, void *context)
{
    const struct sy_json *material = sy_json_first(sy_read_at(arm, "fit", "materials"));
    for (; material; material = sy_json_next(material)) {
        const char *name = sy_read_string(material, "name");
        const struct sy_json *others = sy_find_material(other, name);
        if (!others || sy_json_true(sy_json_member(material, "unit"))) {
            continue;
        }
        struct pair pair = {.arm = sy_read_string(arm, "label"),
                            .name = name,
                            .beside = beside,
                            .here = sy_read_estimate(sy_json_member(material, "value")),
                            .there = sy_read_estimate(sy_json_member(others, "value"))};
        pair.apart = sy_difference(pair.here, pair.there);
        take(context, &pair);
    }
}

/* All pieces of all arms of this run against those of the same rules and unit in the others. */
static void each_pair(const struct sy_report *report, take_pair *take, void *context)
{
    for (unsigned i = 0; i < report->run.experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(&report->run, i);
        for (size_t k = 0; k < report->besides; k++) {
            for (const struct sy_json *other = arms_of(&report->beside[k]); other;
                 other = sy_json_next(other)) {
                if (answers_to(arm, other)) {
                    each_piece(arm, other, &report->beside[k], take, context);
                }
            }
        }
    }
}

/* ---- opening ---- */

static void count_pair(void *context, const struct pair *pair)
{
    (void)pair;
    ++*(size_t *)context;
}

enum sy_status sy_beside_open(struct sy_report *report, const char *const *directories, size_t count,
                              struct sy_error *error)
{
    enum sy_status status = SY_OK;
    report->beside = sy_alloc(count + 1, sizeof *report->beside);
    for (size_t i = 0; i < count && status == SY_OK; i++) {
        struct sy_beside *beside = &report->beside[report->besides];
        char *path = sy_format("%s/summary.json", directories[i]);
        beside->directory = directories[i];
        status = sy_is_path(directories[i]) ? sy_fail(error, SY_USAGE,
                                                      "%s has rounds, %s has none: rounds are reported "
                                                      "with rounds, runs with runs",
                                                      directories[i], report->run.directory)
                                            : sy_json_read_file(path, &beside->doc, error);
        report->besides += status == SY_OK;
        free(path);
    }
    size_t pairs = 0;
    each_pair(report, count_pair, &pairs);
    if (status == SY_OK && report->besides > 0 && pairs == 0) {
        status = sy_fail(error, SY_USAGE, "%s weighs no game of %s by the same rules and in the same unit",
                         directories[0], report->run.directory);
    }
    return status;
}

static bool is_apart(const struct pair *pair)
{
    return pair->apart.status == SY_STAT_OK && (pair->apart.low > 0 || pair->apart.high < 0);
}

/* ---- the warning ---- */

static void add_disagreement(void *context, const struct pair *pair)
{
    struct sy_text *text = context;
    if (is_apart(pair)) {
        sy_text_printf(text, "%s%s %.2f here and %.2f by %s", text->length > 0 ? ", " : "", pair->name,
                       pair->here.value, pair->there.value, design_of(pair->beside));
    }
}

char *sy_beside_warning(const struct sy_report *report)
{
    struct sy_text text = SY_TEXT_INIT;
    each_pair(report, add_disagreement, &text);
    char *warning = text.length > 0
                        ? sy_format("the designs disagree: %s. They ask different things: see \"Beside other "
                                    "designs\"",
                                    text.bytes)
                        : NULL;
    sy_text_clear(&text);
    return warning;
}

/* ---- the section ---- */

static const struct meaning {
    const char *design, *words;
} meanings[] = {
    {"imbalance",
     "imbalance: what taking the piece away at the start does, other things being equal by chance."},
    {"parameters",
     "parameters: how much having the piece at a quiet moment goes with winning, between players who "
     "believe different values; who wins for other reasons also keeps his pieces."},
    {"positions", "positions: how much having the piece at a quiet moment goes with winning, in games from "
                  "elsewhere; who wins for other reasons also keeps his pieces."},
};

static void add_meanings(struct sy_report *report)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        bool there = strcmp(sy_design_name(report->run.experiment->design), meanings[i].design) == 0;
        for (size_t k = 0; k < report->besides; k++) {
            there = there || strcmp(design_of(&report->beside[k]), meanings[i].design) == 0;
        }
        if (there) {
            sy_page_text(&report->page, "", "%s", meanings[i].words);
        }
    }
}

static void add_row(void *context, const struct pair *pair)
{
    struct sy_table *table = context;
    sy_table_text(table, "%s", pair->arm);
    sy_table_text(table, "%s", pair->name);
    sy_table_estimate(table, pair->here, 1.0, 2);
    sy_table_text(table, "%s", design_of(pair->beside));
    sy_table_estimate(table, pair->there, 1.0, 2);
    sy_table_estimate(table, pair->apart, 1.0, 2);
    sy_table_text(table, "%s", !is_apart(pair) ? "" : pair->apart.low > 0 ? "more here" : "less here");
}

enum sy_status sy_report_beside(struct sy_report *report, struct sy_error *error)
{
    if (report->besides == 0) {
        return SY_OK;
    }
    sy_page_section(&report->page, "beside", "Beside other designs");
    add_meanings(report);
    char *caption = sy_format("Values here (%s) and in other runs, with %g %% intervals, and the difference.",
                              sy_design_name(report->run.experiment->design),
                              100.0 * report->run.experiment->fit.confidence);
    struct sy_table table = sy_table_create("beside", caption);
    free(caption);
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_TEXT, "piece");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "here");
    sy_table_column(&table, SY_COLUMN_TEXT, "design");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "there");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "difference");
    sy_table_column(&table, SY_COLUMN_TEXT, "which is");
    each_pair(report, add_row, &table);
    return sy_page_close_table(&report->page, &table, error);
}
