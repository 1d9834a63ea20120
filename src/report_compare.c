/* Runs side by side. Arms of different games are independent, so the difference of two numbers has an
 * interval made of theirs: each end is as far from the difference as the root of the sum of squares of the
 * two distances it comes from (Newcombe 1998 for shares; Zou and Donner 2008 in general). It needs no
 * symmetry, and serves means, shares and ratios alike. */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One arm of one of the runs. */
struct side {
    const struct sy_run *run;
    unsigned arm;
    const struct sy_json *summary;
    struct sy_panel panel;
    char *label;
};

struct sides {
    struct sy_run *runs;
    size_t run_count, count;
    struct side *side;
};

/* ---- reading ---- */

static enum sy_status check_comparable(const struct sides *sides, struct sy_error *error)
{
    for (size_t i = 1; i < sides->run_count; i++) {
        const struct sy_run *run = &sides->runs[i];
        if (run->experiment->fit.confidence != sides->runs[0].experiment->fit.confidence) {
            return sy_fail(error, SY_FAILED, "%s and %s differ in the confidence level of their intervals",
                           sides->runs[0].directory, run->directory);
        }
        for (size_t other = 0; other < i; other++) {
            if (strcmp(run->log.digest, sides->runs[other].log.digest) == 0) {
                return sy_fail(error, SY_USAGE, "%s and %s hold the same games", sides->runs[other].directory,
                               run->directory);
            }
        }
    }
    return SY_OK;
}

static void name_sides(struct sides *sides)
{
    for (size_t i = 0; i < sides->count; i++) {
        bool unique = true;
        const char *label = sy_read_string(sides->side[i].summary, "label");
        for (size_t other = 0; other < sides->count; other++) {
            unique =
                unique && (other == i || strcmp(label, sy_read_string(sides->side[other].summary, "label")));
        }
        sides->side[i].label =
            unique ? sy_strdup(label) : sy_format("%s in %s", label, sides->side[i].run->directory);
    }
}

static enum sy_status add_arms(struct sides *sides, const struct sy_run *run, struct sy_error *error)
{
    enum sy_status status = SY_OK;
    for (unsigned arm = 0; arm < run->experiment->arm_count && status == SY_OK; arm++) {
        const struct sy_arm_games games = sy_run_arm(run, arm);
        sides->side = sy_realloc(sides->side, sides->count + 1, sizeof *sides->side);
        struct side *side = &sides->side[sides->count++];
        *side = (struct side){.run = run, .arm = arm, .summary = sy_run_arm_summary(run, arm)};
        status = sy_panel_compute(&games, side->summary, &side->panel, error);
    }
    return status;
}

static enum sy_status read_sides(struct sides *sides, const char *const *directories, size_t count,
                                 struct sy_error *error)
{
    sides->runs = sy_alloc(count, sizeof *sides->runs);
    enum sy_status status = SY_OK;
    for (size_t i = 0; i < count && status == SY_OK; i++) {
        status = sy_run_open(directories[i], &sides->runs[sides->run_count++], error);
    }
    if (status == SY_OK) {
        status = check_comparable(sides, error);
    }
    for (size_t i = 0; i < count && status == SY_OK; i++) {
        status = add_arms(sides, &sides->runs[i], error);
    }
    if (status == SY_OK) {
        name_sides(sides);
        if (sides->count < 2) {
            status = sy_fail(error, SY_USAGE, "%s has one arm: name another run to compare it with",
                             directories[0]);
        }
    }
    return status;
}

static void clear_sides(struct sides *sides)
{
    for (size_t i = 0; i < sides->count; i++) {
        free(sides->side[i].label);
    }
    for (size_t i = 0; i < sides->run_count; i++) {
        sy_run_clear(&sides->runs[i]);
    }
    free(sides->side);
    free(sides->runs);
}

/* ---- differences ---- */

struct sy_estimate sy_difference(struct sy_estimate a, struct sy_estimate b)
{
    if (a.status != SY_STAT_OK || b.status != SY_STAT_OK) {
        return (struct sy_estimate){.status = a.status != SY_STAT_OK ? a.status : b.status};
    }
    return (struct sy_estimate){.value = a.value - b.value,
                                .error = hypot(a.error, b.error),
                                .low = a.value - b.value - hypot(a.value - a.low, b.high - b.value),
                                .high = a.value - b.value + hypot(a.high - a.value, b.value - b.low)};
}

/* One thing that is compared. */
struct subject {
    const char *name, *unit;
    double scale;
    int decimals;
};

static void add_row(struct sy_table *table, const struct subject *subject, const char *label,
                    struct sy_estimate estimate, const struct sy_estimate *base)
{
    sy_table_text(table, "%s", subject->name);
    sy_table_text(table, "%s", label);
    sy_table_estimate(table, estimate, subject->scale, subject->decimals);
    if (base) {
        const struct sy_estimate apart = sy_difference(estimate, *base);
        const bool known = apart.status == SY_STAT_OK;
        sy_table_estimate(table, apart, subject->scale, subject->decimals);
        sy_table_text(table, "%s", !known ? "" : apart.low > 0.0 ? "more" : apart.high < 0.0 ? "less" : "");
    } else {
        sy_table_text(table, "%s", "");
        sy_table_text(table, "%s", "");
    }
    sy_table_text(table, "%s", subject->unit);
}

static struct sy_estimate white_of(const struct side *side)
{
    return sy_read_estimate(sy_json_member(sy_read_at(side->summary, "fit", "white"), "score"));
}

const struct sy_json *sy_find_material(const struct sy_json *arm, const char *name)
{
    const struct sy_json *material = sy_json_first(sy_read_at(arm, "fit", "materials"));
    while (material && strcmp(sy_read_string(material, "name"), name) != 0) {
        material = sy_json_next(material);
    }
    return material;
}

static const char *unit_of(const struct sy_json *arm)
{
    return sy_read_string(sy_json_member(arm, "fit"), "unit");
}

bool sy_same_unit(const struct sy_json *a, const struct sy_json *b)
{
    const double one = sy_json_number(sy_read_at(a, "fit", "counts_as"));
    const double other = sy_json_number(sy_read_at(b, "fit", "counts_as"));
    return strcmp(unit_of(a), unit_of(b)) == 0 && !(one < other) && !(one > other);
}

/* The value of a piece in the arms that have it, against the first of those that count in the same unit. */
static void add_value(struct sy_table *table, const struct sides *sides, size_t first, const char *name)
{
    const struct subject subject = {name, unit_of(sides->side[first].summary), 1.0, 2};
    struct sy_estimate base = {0};
    bool begun = false;
    for (size_t i = first; i < sides->count; i++) {
        const struct sy_json *material = sy_find_material(sides->side[i].summary, name);
        if (!material || !sy_same_unit(sides->side[i].summary, sides->side[first].summary)) {
            continue;
        }
        const struct sy_estimate value = sy_read_estimate(sy_json_member(material, "value"));
        add_row(table, &subject, sides->side[i].label, value, begun ? &base : NULL);
        base = begun ? base : value;
        begun = true;
    }
}

/* Is this the first side that has a piece of the name, counted in the same unit? */
static bool is_first(const struct sides *sides, size_t at, const char *name)
{
    for (size_t i = 0; i < at; i++) {
        if (sy_find_material(sides->side[i].summary, name) &&
            sy_same_unit(sides->side[i].summary, sides->side[at].summary)) {
            return false;
        }
    }
    return true;
}

static void add_values(struct sy_table *table, const struct sides *sides)
{
    for (size_t i = 0; i < sides->count; i++) {
        const struct sy_json *m = sy_json_first(sy_read_at(sides->side[i].summary, "fit", "materials"));
        for (; m; m = sy_json_next(m)) {
            const char *name = sy_read_string(m, "name");
            if (!sy_json_true(sy_json_member(m, "unit")) && is_first(sides, i, name)) {
                add_value(table, sides, i, name);
            }
        }
    }
}

static void add_white(struct sy_table *table, const struct sides *sides)
{
    const struct subject subject = {"White's score at equal material", "%", 100.0, 1};
    const struct sy_estimate base = white_of(&sides->side[0]);
    for (size_t i = 0; i < sides->count; i++) {
        add_row(table, &subject, sides->side[i].label, white_of(&sides->side[i]), i > 0 ? &base : NULL);
    }
}

static void add_measures(struct sy_table *table, const struct sides *sides)
{
    for (int measure = 0; measure < SY_MEASURES; measure++) {
        const struct sy_measure_info *info = &sy_measure_info[measure];
        const struct subject subject = {info->name, info->unit, info->scale, info->decimals};
        const struct sy_estimate base = sides->side[0].panel.measure[measure];
        for (size_t i = 0; i < sides->count; i++) {
            add_row(table, &subject, sides->side[i].label, sides->side[i].panel.measure[measure],
                    i > 0 ? &base : NULL);
        }
    }
}

static struct sy_table make_table(const struct sides *sides)
{
    char *caption =
        sy_format("%g %% intervals, each of its own number; differences are from the first arm of the group.",
                  100.0 * sides->runs[0].experiment->fit.confidence);
    struct sy_table table = sy_table_create("comparison", caption);
    free(caption);
    sy_table_column(&table, SY_COLUMN_TEXT, "what");
    sy_table_column(&table, SY_COLUMN_TEXT, "arm");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "value");
    sy_table_column(&table, SY_COLUMN_INTERVAL, "difference");
    sy_table_column(&table, SY_COLUMN_TEXT, "is");
    sy_table_column(&table, SY_COLUMN_TEXT, "in");
    add_values(&table, sides);
    add_white(&table, sides);
    add_measures(&table, sides);
    return table;
}

/* ---- output ---- */

static enum sy_status write_page(struct sy_page *page, const struct sides *sides,
                                 const struct sy_table *table, struct sy_error *error)
{
    sy_page_begin(page, "Side by side", "");
    for (size_t i = 0; i < sides->count; i++) {
        const struct side *side = &sides->side[i];
        sy_page_text(page, "", "%s: %s, %.0f games (%s), SHA-256 of the games %s", side->label,
                     sy_read_string(side->summary, "title"),
                     sy_json_number(sy_read_at(side->summary, "games", "played")),
                     sy_design_name(side->run->experiment->design), side->run->log.digest);
    }
    enum sy_status status = sy_page_table(page, table, error);
    if (status == SY_OK) {
        status = sy_page_definitions(page, error);
    }
    sy_page_end(page, "Written by steelyard from the runs' summary.json and games.jsonl.");
    return status;
}

enum sy_status sy_compare(const char *const *directories, size_t count, struct sy_comparison *comparison,
                          struct sy_error *error)
{
    struct sides sides = {0};
    memset(comparison, 0, sizeof *comparison);
    enum sy_status status = read_sides(&sides, directories, count, error);
    if (status == SY_OK) {
        struct sy_table table = make_table(&sides);
        struct sy_page page = {SY_TEXT_INIT, SY_TEXT_INIT, NULL};
        struct sy_text text = SY_TEXT_INIT, csv = SY_TEXT_INIT;
        status = write_page(&page, &sides, &table, error);
        sy_table_plain(&table, &text);
        sy_table_csv(&table, &csv);
        *comparison = (struct sy_comparison){text.bytes, page.html.bytes, page.markdown.bytes, csv.bytes};
        sy_table_clear(&table);
    }
    clear_sides(&sides);
    return status;
}

void sy_comparison_clear(struct sy_comparison *comparison)
{
    free(comparison->text);
    free(comparison->html);
    free(comparison->markdown);
    free(comparison->csv);
    memset(comparison, 0, sizeof *comparison);
}
