/* summary.json: the numbers of every arm, and what is needed to judge and repeat them.
 *
 * Everything is recomputed from the experiment and the log; the text is a function of those and of the
 * program alone, so `verify` can compare it byte by byte. */
#include "summary_internal.h"

#include "steelyard/plot.h"
#include "steelyard/simulate.h"
#include "steelyard/version.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTED_DIGITS = 10 };

void sy_warn(const struct sy_arm_games *games, struct sy_json *warnings, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (games->experiment->arm_count > 1) {
        char *labelled = sy_format("%s: %s", games->arm->label, sentence);
        sy_json_append(warnings, sy_json_new_string(labelled));
        free(labelled);
    } else {
        sy_json_append(warnings, sy_json_new_string(sentence));
    }
}

static struct sy_arm_games games_of_arm(const struct sy_experiment *experiment, const struct sy_game_log *log,
                                        unsigned arm)
{
    size_t first = 0;
    while (first < log->count && log->games[first].arm < arm) {
        first++;
    }
    size_t end = first;
    while (end < log->count && log->games[end].arm == arm) {
        end++;
    }
    return (struct sy_arm_games){.experiment = experiment,
                                 .arm = &experiment->arms[arm],
                                 .index = arm,
                                 .games = log->games ? log->games + first : NULL,
                                 .count = end - first,
                                 .voids = &log->voids[arm]};
}

/* *white gets White's expected score at equal material. */
static enum sy_status arm_json(const struct sy_arm_games *games, struct sy_json *arms,
                               struct sy_json *warnings, struct sy_estimate *white, struct sy_error *error)
{
    struct sy_weighing weighing;
    const enum sy_status status = sy_weigh(games, &weighing, error);
    if (status == SY_OK) {
        const struct sy_variant *variant = games->arm->variant;
        struct sy_json *arm = sy_json_new_object();
        sy_json_add_string(arm, "label", games->arm->label);
        sy_json_add_string(arm, "variant", variant->name);
        sy_json_add_string(arm, "title", variant->title);
        sy_json_add_string(arm, "digest", variant->digest);
        sy_games_json(games, arm, warnings);
        sy_json_add(arm, "fit", sy_weighing_json(games, &weighing, warnings));
        sy_json_append(arms, arm);
        *white = sy_weighing_white(&weighing, games->experiment->fit.confidence);
    }
    sy_weighing_clear(&weighing);
    return status;
}

/* Arms are independent samples, so the variance of a difference is the sum of the variances. */
static struct sy_estimate difference(struct sy_estimate a, struct sy_estimate b, double level)
{
    struct sy_estimate result = {.status = a.status != SY_STAT_OK ? a.status : b.status};
    if (result.status == SY_STAT_OK) {
        const double z = sy_normal_quantile(0.5 + 0.5 * level);
        result.value = a.value - b.value;
        result.error = hypot(a.error, b.error);
        result.low = result.value - z * result.error;
        result.high = result.value + z * result.error;
    }
    return result;
}

static struct sy_json *comparison_json(const struct sy_experiment *experiment, size_t a, size_t b,
                                       struct sy_estimate estimate, double p, double adjusted)
{
    const bool tested = estimate.status == SY_STAT_OK && estimate.error > 0.0;
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "arm", experiment->arms[a].label);
    sy_json_add_string(json, "against", experiment->arms[b].label);
    sy_json_add(json, "difference", sy_estimate_json(estimate));
    sy_json_add(json, "p", tested ? sy_json_new_number(p) : sy_json_new_null());
    sy_json_add(json, "p_holm", tested ? sy_json_new_number(adjusted) : sy_json_new_null());
    return json;
}

/* White's expected score, every arm against every other, with Holm's (1979) correction for their number. An
 * untestable pair counts as one that found nothing. */
static struct sy_json *first_move_json(const struct sy_experiment *experiment,
                                       const struct sy_estimate *white)
{
    const size_t arms = experiment->arm_count;
    const size_t pairs = arms * (arms - 1) / 2;
    struct sy_json *list = sy_json_new_array();
    struct sy_estimate *estimates = sy_alloc(pairs, sizeof *estimates);
    double *p = sy_alloc(pairs, sizeof *p);
    double *adjusted = sy_alloc(pairs, sizeof *adjusted);
    size_t at = 0;
    for (size_t a = 0; a < arms; a++) {
        for (size_t b = a + 1; b < arms; b++, at++) {
            estimates[at] = difference(white[a], white[b], experiment->fit.confidence);
            p[at] = estimates[at].error > 0.0 ? sy_normal_p(estimates[at].value / estimates[at].error) : 1.0;
        }
    }
    if (pairs > 0) {
        sy_holm(pairs, p, adjusted);
    }
    at = 0;
    for (size_t a = 0; a < arms; a++) {
        for (size_t b = a + 1; b < arms; b++, at++) {
            sy_json_append(list, comparison_json(experiment, a, b, estimates[at], p[at], adjusted[at]));
        }
    }
    free(estimates);
    free(p);
    free(adjusted);
    return list;
}

/* Is White's score even, or surely within the margin of it? The first by a two-sided test, the second by two
 * one-sided ones (Schuirmann 1987); both corrected for the number of arms. An arm without a score counts as
 * one that found nothing. */
static struct sy_json *evenness_json(const struct sy_experiment *experiment, const struct sy_estimate *white)
{
    const size_t arms = experiment->arm_count;
    const double margin = experiment->fit.margin;
    struct sy_json *list = sy_json_new_array();
    double *p = sy_alloc(4 * arms, sizeof *p), *within = p + arms, *p_holm = p + 2 * arms,
           *within_holm = p + 3 * arms;
    for (size_t i = 0; i < arms; i++) {
        const bool known = white[i].status == SY_STAT_OK && white[i].error > 0.0;
        p[i] = known ? sy_normal_p((white[i].value - 0.5) / white[i].error) : 1.0;
        within[i] = known ? sy_normal_upper((margin - fabs(white[i].value - 0.5)) / white[i].error) : 1.0;
    }
    sy_holm(arms, p, p_holm);
    sy_holm(arms, within, within_holm);
    for (size_t i = 0; i < arms; i++) {
        const bool known = white[i].status == SY_STAT_OK && white[i].error > 0.0;
        const bool asked = known && margin > 0.0;
        struct sy_json *json = sy_json_new_object();
        sy_json_add_string(json, "arm", experiment->arms[i].label);
        sy_json_add(json, "p_even", known ? sy_json_new_number(p[i]) : sy_json_new_null());
        sy_json_add(json, "p_even_holm", known ? sy_json_new_number(p_holm[i]) : sy_json_new_null());
        sy_json_add(json, "margin", margin > 0.0 ? sy_json_new_number(margin) : sy_json_new_null());
        sy_json_add(json, "p_within", asked ? sy_json_new_number(within[i]) : sy_json_new_null());
        sy_json_add(json, "p_within_holm", asked ? sy_json_new_number(within_holm[i]) : sy_json_new_null());
        sy_json_add(json, "within",
                    asked ? sy_json_new_bool(within_holm[i] < 1.0 - experiment->fit.confidence)
                          : sy_json_new_null());
        sy_json_append(list, json);
    }
    free(p);
    return list;
}

static enum sy_status add_experiment(const struct sy_experiment *experiment, struct sy_json *summary,
                                     struct sy_error *error)
{
    struct sy_json_doc *doc = NULL;
    const char *text = experiment->canonical;
    const enum sy_status status = sy_json_read(SY_EXPERIMENT_FILE, text, strlen(text), &doc, error);
    if (status == SY_OK) {
        sy_json_add(summary, "experiment", sy_json_copy(sy_json_root(doc)));
    }
    sy_json_free(doc);
    return status;
}

static void add_origin(const struct sy_experiment *experiment, const struct sy_game_log *log,
                       struct sy_json *summary)
{
    struct sy_json *program = sy_json_new_object();
    sy_json_add_string(program, "version", sy_version);
    sy_json_add_string(program, "revision", sy_revision);
    sy_json_add_string(program, "games_played_by", log->program);
    sy_json_add(summary, "program", program);
    sy_json_add_string(summary, "title", experiment->title);
    sy_json_add_string(summary, "design", sy_design_name(experiment->design));
    sy_json_add_u64(summary, "seed", experiment->seed);
    sy_json_add_string(summary, "experiment_digest", experiment->digest);
    sy_json_add_string(summary, "games_digest", log->digest);
}

static void warn_of_log(const struct sy_game_log *log, struct sy_json *warnings)
{
    if (strstr(log->program, SY_SIMULATED)) {
        sy_json_append(warnings, sy_json_new_string("simulated: nobody played these games; their results are "
                                                    "drawn from a model with planted values"));
    }
    if (log->cut > 0) {
        sy_json_append(warnings,
                       sy_json_new_string("the log ends in half a line, which is left out: resume the run"));
    }
    if (log->shard.count > 1) {
        char *sentence =
            sy_format("only part %u of %u of the experiment's games", log->shard.index + 1, log->shard.count);
        sy_json_append(warnings, sy_json_new_string(sentence));
        free(sentence);
    }
}

/* The n-th significant digits of a sum of logarithms differ between machines from about the fifteenth on, as
 * their exp() and log() differ in the last bit. What is reported is rounded well before that. */
static double rounded(double number)
{
    char text[40];
    double back;
    snprintf(text, sizeof text, "%.*e", REPORTED_DIGITS - 1, number);
    return sy_parse_double(text, &back) ? back : number;
}

/* A copy with every number that is not whole rounded. */
static struct sy_json *rounded_copy(const struct sy_json *value)
{
    const bool object = sy_json_kind(value) == SY_JSON_OBJECT;
    if (sy_json_kind(value) == SY_JSON_NUMBER) {
        const double number = sy_json_number(value);
        return sy_json_new_number(floor(number) < number ? rounded(number) : number);
    }
    if (!object && sy_json_kind(value) != SY_JSON_ARRAY) {
        return sy_json_copy(value);
    }
    struct sy_json *copy = object ? sy_json_new_object() : sy_json_new_array();
    for (const struct sy_json *item = sy_json_first(value); item; item = sy_json_next(item)) {
        if (object) {
            sy_json_add(copy, sy_json_key(item), rounded_copy(item));
        } else {
            sy_json_append(copy, rounded_copy(item));
        }
    }
    return copy;
}

/* Adds the value's rounded copy; deletes the value. */
static void add_rounded(struct sy_json *object, const char *key, struct sy_json *value)
{
    sy_json_add(object, key, rounded_copy(value));
    sy_json_delete(value);
}

/* *summary is the caller's to delete, also when this fails. */
static enum sy_status build(const struct sy_experiment *experiment, const struct sy_game_log *log,
                            struct sy_json **summary, struct sy_error *error)
{
    struct sy_json *warnings = sy_json_new_array();
    struct sy_json *arms = sy_json_new_array();
    struct sy_estimate *white = sy_alloc(experiment->arm_count, sizeof *white);
    enum sy_status status = SY_OK;
    warn_of_log(log, warnings);
    for (unsigned i = 0; i < experiment->arm_count && status == SY_OK; i++) {
        const struct sy_arm_games games = games_of_arm(experiment, log, i);
        status = arm_json(&games, arms, warnings, &white[i], error);
    }
    *summary = sy_json_new_object();
    sy_json_add_string(*summary, "format", SY_SUMMARY_FORMAT);
    sy_json_add(*summary, "warnings", warnings);
    add_origin(experiment, log, *summary);
    add_rounded(*summary, "arms", arms);
    add_rounded(*summary, "first_move",
                status == SY_OK ? first_move_json(experiment, white) : sy_json_new_array());
    add_rounded(*summary, "evenness",
                status == SY_OK ? evenness_json(experiment, white) : sy_json_new_array());
    free(white);
    return status == SY_OK ? add_experiment(experiment, *summary, error) : status;
}

enum sy_status sy_summary_text(const char *directory, char **text, struct sy_error *error)
{
    struct sy_experiment *experiment = NULL;
    struct sy_game_log log = {0};
    struct sy_json *summary = NULL;
    enum sy_status status = sy_log_experiment(directory, &experiment, error);
    if (status == SY_OK) {
        status = sy_log_read(directory, experiment, &log, error);
    }
    if (status == SY_OK) {
        sy_log_drop_voids(experiment, &log);
        status = build(experiment, &log, &summary, error);
    }
    if (status == SY_OK) {
        char *json = sy_json_text(summary, true);
        *text = sy_format("%s\n", json);
        free(json);
    }
    sy_json_delete(summary);
    sy_log_clear(&log);
    sy_experiment_free(experiment);
    return status;
}

static enum sy_status draw(const char *directory, const struct sy_json *summary, struct sy_error *error)
{
    char *warning = NULL;
    const enum sy_status status = sy_plot_summary(directory, summary, &warning, error);
    if (warning) {
        fprintf(stderr, "steelyard: warning: %s\n", warning);
    }
    free(warning);
    return status;
}

enum sy_status sy_summary_run(const char *directory, bool plots, struct sy_error *error)
{
    char *text = NULL;
    struct sy_json_doc *doc = NULL;
    enum sy_status status = sy_summary_text(directory, &text, error);
    if (status != SY_OK) {
        return status;
    }
    char *path = sy_format("%s/%s", directory, SY_SUMMARY_FILE);
    status = sy_write_file(path, text, strlen(text), error);
    /* Table and pictures are made from what was written, so that they show the same numbers. */
    if (status == SY_OK) {
        status = sy_json_read(path, text, strlen(text), &doc, error);
    }
    if (status == SY_OK) {
        char *table = sy_summary_table(sy_json_root(doc));
        fputs(table, stdout);
        free(table);
        status = plots ? draw(directory, sy_json_root(doc), error) : SY_OK;
    }
    sy_json_free(doc);
    free(text);
    free(path);
    return status;
}
