/* The question of an experiment and its answer, as sentences made from summary.json. */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *article(const char *noun)
{
    return strchr("aeiouAEIOU", noun[0]) ? "an" : "a";
}

/* "A, B and C" of the arms' member `key`. */
static void add_arms(struct sy_text *text, const struct sy_json *summary, const char *key)
{
    const struct sy_json *arm = sy_json_first(sy_json_member(summary, "arms"));
    for (bool first = true; arm; first = false) {
        const struct sy_json *next = sy_json_next(arm);
        sy_text_printf(text, "%s%s", first ? "" : next ? ", " : " and ", sy_read_string(arm, key));
        arm = next;
    }
}

static void add_question(struct sy_page *page, const struct sy_run *run)
{
    struct sy_text text = SY_TEXT_INIT;
    const bool several = run->experiment->arm_count > 1;
    sy_text_puts(&text, run->experiment->design == SY_DESIGN_FIRST_MOVE
                            ? "Is White favoured in "
                            : "What is each piece worth, and is White favoured, in ");
    add_arms(&text, run->summary, several ? "label" : "title");
    sy_page_text(page, "question", "%s?", text.bytes);
    sy_text_clear(&text);
}

/* ---- values ---- */

static bool is_known(const struct sy_json *material)
{
    return isfinite(sy_json_number(sy_read_at(material, "value", "value")));
}

static size_t count_known(const struct sy_json *materials)
{
    size_t count = 0;
    for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
        count += is_known(m) && !sy_json_true(sy_json_member(m, "unit"));
    }
    return count;
}

static void add_value(struct sy_text *text, const struct sy_json *material, const char *unit, double level,
                      bool first)
{
    const char *name = sy_read_string(material, "name");
    const struct sy_estimate value = sy_read_estimate(sy_json_member(material, "value"));
    sy_text_printf(text, first ? "%s %s is worth " : ", %s %s ", article(name), name);
    sy_add_decimal(text, value.value, 2);
    if (first && *unit) {
        sy_text_printf(text, " %s", unit);
    }
    sy_text_puts(text, " (");
    sy_add_decimal(text, value.low, 2);
    sy_text_puts(text, " to ");
    sy_add_decimal(text, value.high, 2);
    if (first) {
        sy_text_printf(text, " at %g %%", 100.0 * level);
    }
    sy_text_puts(text, ")");
}

/* What lies outside of the intervals in one of the tables that somebody suggested. */
static void add_outside(struct sy_text *text, const struct sy_json *materials, size_t table)
{
    const char *by = "";
    size_t judged = 0;
    size_t outside = 0;
    struct sy_text list = SY_TEXT_INIT;
    for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
        const struct sy_json *suggestion = sy_read_item(sy_json_member(m, "suggested"), table);
        const struct sy_json *inside = sy_json_member(suggestion, "inside");
        by = sy_read_string(suggestion, "by");
        if (!inside || sy_json_kind(inside) != SY_JSON_BOOL || sy_json_true(sy_json_member(m, "unit"))) {
            continue;
        }
        judged++;
        if (!sy_json_true(inside)) {
            sy_text_puts(&list, outside++ > 0 ? ", " : "");
            sy_add_decimal(&list, sy_read_number(suggestion, "value"), 2);
            sy_text_printf(&list, " for the %s", sy_read_string(m, "name"));
        }
    }
    if (outside > 0) {
        sy_text_printf(text, "; of the values of %s, %s %s outside", by, list.bytes,
                       outside == 1 ? "lies" : "lie");
    } else if (judged > 0) {
        sy_text_printf(text, "; the values of %s all lie inside", by);
    }
    sy_text_clear(&list);
}

static void add_known_values(struct sy_text *text, const struct sy_json *materials, const char *unit,
                             double level)
{
    bool first = true;
    for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
        if (is_known(m) && !sy_json_true(sy_json_member(m, "unit"))) {
            add_value(text, m, unit, level, first);
            first = false;
        }
    }
    const size_t tables = sy_json_count(sy_json_member(sy_json_first(materials), "suggested"));
    for (size_t table = 0; table < tables; table++) {
        add_outside(text, materials, table);
    }
    sy_text_puts(text, ". ");
}

/* Why there is nothing to say of any piece. */
static const char *reason_of(const struct sy_json *fit)
{
    const char *reason = sy_read_string(fit, "reason");
    for (const struct sy_json *m = sy_json_first(sy_json_member(fit, "materials")); m && !*reason;
         m = sy_json_next(m)) {
        reason = sy_read_string(sy_json_member(m, "value"), "reason");
    }
    return *reason ? reason : "nothing but the unit was there to be weighed";
}

static void add_values(struct sy_text *text, const struct sy_json *fit)
{
    const struct sy_json *materials = sy_json_member(fit, "materials");
    const struct sy_json *alternative = sy_json_member(fit, "alternative");
    const double level = sy_read_number(fit, "confidence");
    const size_t begin = text->length;
    struct sy_text unit = SY_TEXT_INIT;
    sy_add_unit(&unit, fit);
    if (count_known(materials) > 0) {
        add_known_values(text, materials, unit.bytes, level);
    } else if (count_known(sy_json_member(alternative, "materials")) > 0) {
        sy_text_printf(text, "Values in %s are not to be had, for %s; counting one %s as ", unit.bytes,
                       reason_of(fit), sy_read_string(alternative, "unit"));
        sy_add_decimal(text, sy_read_number(alternative, "counts_as"), 2);
        sy_text_puts(text, ", ");
        add_known_values(text, sy_json_member(alternative, "materials"), "", level);
    } else {
        sy_text_printf(text, "These games do not tell what the pieces are worth: %s. ", reason_of(fit));
    }
    sy_text_clear(&unit);
    if (text->bytes[begin] == 'a') {
        text->bytes[begin] = 'A';
    }
}

/* ---- White ---- */

static void add_white(struct sy_text *text, const struct sy_json *arm, bool fitted, double level)
{
    const struct sy_json *json =
        fitted ? sy_json_member(sy_read_at(arm, "fit", "white"), "score") : sy_read_at(arm, "white", "score");
    const struct sy_estimate score = sy_read_estimate(json);
    const double games = fitted ? sy_json_number(sy_read_at(arm, "fit", "games"))
                                : sy_json_number(sy_read_at(arm, "white", "games"));
    if (score.status != SY_STAT_OK) {
        sy_text_puts(text, "They do not tell either whether White is favoured.");
        return;
    }
    sy_text_puts(text, "White scores ");
    sy_add_decimal(text, 100.0 * score.value, 1);
    sy_text_printf(text, " %%%s (", fitted ? " at equal material" : "");
    sy_add_decimal(text, 100.0 * score.low, 1);
    sy_text_puts(text, " to ");
    sy_add_decimal(text, 100.0 * score.high, 1);
    sy_text_printf(text, " at %g %%, from %.0f games), ", 100.0 * level, games);
    sy_text_puts(text, score.low > 0.5    ? "so White is favoured."
                       : score.high < 0.5 ? "so Black is favoured."
                                          : "too close to one half to say which side is favoured.");
}

static void add_course(struct sy_text *text, const struct sy_json *arm)
{
    const double decisive = sy_read_number(sy_read_at(arm, "white", "decisive"), "value");
    const double median = sy_json_number(sy_read_at(arm, "length", "median"));
    if (isfinite(decisive) && isfinite(median)) {
        sy_text_puts(text, " Of the finished games ");
        sy_add_decimal(text, 100.0 * decisive, 1);
        sy_text_printf(text, " %% have a winner, and half of all games are over within %.0f plies.", median);
    }
}

void sy_report_answers(struct sy_report *report)
{
    struct sy_page *page = &report->page;
    const struct sy_run *run = &report->run;
    const bool several = run->experiment->arm_count > 1;
    const bool values = run->experiment->design != SY_DESIGN_FIRST_MOVE;
    add_question(page, run);
    for (unsigned i = 0; i < run->experiment->arm_count; i++) {
        const struct sy_json *arm = sy_run_arm_summary(run, i);
        struct sy_text text = SY_TEXT_INIT;
        if (values) {
            add_values(&text, sy_json_member(arm, "fit"));
        }
        add_white(&text, arm, values, run->experiment->fit.confidence);
        if (!values) {
            add_course(&text, arm);
        }
        sy_page_text(page, "answer", "%s%s%s", several ? sy_read_string(arm, "label") : "",
                     several ? ": " : "", text.bytes);
        sy_text_clear(&text);
    }
    sy_report_path_answers(report);
    char *disagreement = sy_beside_warning(report);
    sy_page_warnings(page, sy_json_member(run->summary, "warnings"), disagreement);
    free(disagreement);
}
