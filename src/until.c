/* until: looks after fixed numbers of games.
 *
 * With K looks each interval has confidence 1 - (1 - c)/K, so that, by Bonferroni's inequality, the intervals
 * of all looks hold together with at least c, and so do those of the look at which the play stops, however
 * that was chosen. A game hangs on its number and not on how many there are, so a look's games are the first
 * games of the next: their lines are taken over under the next look's header. */
#include "steelyard/until.h"

#include "harness_internal.h"
#include "summary_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct looks {
    const struct sy_experiment *experiment;
    const char *directory;
    struct sy_json *list;
    struct sy_text table;
    bool narrow;
};

static enum sy_status make_look(const struct looks *looks, size_t index, struct sy_experiment **out,
                                struct sy_error *error)
{
    const struct sy_experiment *experiment = looks->experiment;
    const double missed = (1 - experiment->fit.confidence) / (double)experiment->until.count;
    struct sy_json_doc *doc;
    const enum sy_status status =
        sy_json_read(SY_LOOKS_FILE, experiment->canonical, strlen(experiment->canonical), &doc, error);
    if (status != SY_OK)
        return status;
    struct sy_json *patch = sy_json_new_object(), *fit = sy_json_new_object();
    sy_json_add_number(fit, "confidence", fmin(1 - missed, 0.9999));
    sy_json_add(patch, "until", sy_json_new_null());
    sy_json_add(patch, "fit", fit);
    sy_json_add_int(patch, "games", (int64_t)experiment->until.looks[index]);
    struct sy_json_doc *look = sy_json_merge("a look of the experiment", sy_json_root(doc), patch);
    sy_json_delete(patch);
    sy_json_free(doc);
    return sy_experiment_create(look, 0, out, error);
}

/* The log of the look before under this one's header, unless this one has begun. */
static enum sy_status take_over(const struct sy_experiment *look, const char *before, const char *directory,
                                struct sy_error *error)
{
    char *path = sy_path_in(directory, SY_LOG_FILE);
    struct sy_experiment *earlier = NULL;
    struct sy_game_log log = {0};
    struct sy_text text = SY_TEXT_INIT;
    enum sy_status status = SY_OK;
    if (access(path, F_OK) != 0) {
        status = sy_log_experiment(before, &earlier, error);
        if (status == SY_OK)
            status = sy_log_read(before, earlier, &log, error);
        char *line = sy_log_header_of(look, (struct sy_shard){0, 1}, log.program);
        sy_text_puts(&text, line);
        free(line);
        for (size_t i = 0; status == SY_OK && i < log.count; i++) {
            line = sy_log_line(look, &log.games[i]);
            sy_text_puts(&text, line);
            free(line);
        }
        if (status == SY_OK)
            status = sy_log_claim(look, directory, error);
        if (status == SY_OK)
            status = sy_write_file(path, text.bytes, text.length, error);
    }
    sy_text_clear(&text);
    sy_log_clear(&log);
    sy_experiment_free(earlier);
    free(path);
    return status;
}

/* ---- how narrow ---- */

static double half_width_of(const struct sy_json *estimate)
{
    const double half = (sy_read_number(estimate, "high") - sy_read_number(estimate, "low")) / 2;
    return isfinite(half) ? half : INFINITY;
}

/* The widest half width that counts: infinite when a value that should be known is not. A piece that never
 * varies will not be known after more games either, and the unit has no width. */
static double widest(const struct sy_experiment *experiment, const struct sy_json *summary)
{
    const struct sy_json *fit = sy_json_member(sy_json_first(sy_json_member(summary, "arms")), "fit");
    const struct sy_json *alternative = sy_json_member(fit, "alternative");
    const bool other = sy_json_count(alternative) > 0; /* the unit is weak, so that nothing is sharp in it */
    const struct sy_json *materials = sy_json_member(other ? alternative : fit, "materials");
    double most = 0;
    if (experiment->design == SY_DESIGN_FIRST_MOVE)
        return half_width_of(sy_json_member(sy_json_member(fit, "white"), "score"));
    for (const struct sy_json *m = sy_json_first(materials); m != NULL; m = sy_json_next(m)) {
        const struct sy_json *value = sy_json_member(m, "value");
        if (strcmp(sy_read_string(value, "status"), "constant") != 0 &&
            !sy_json_true(sy_json_member(m, "unit")))
            most = fmax(most, half_width_of(value));
    }
    return most;
}

static void note(struct looks *looks, size_t index, const char *name, const struct sy_json *summary)
{
    const double most = widest(looks->experiment, summary);
    struct sy_json *json = sy_json_new_object();
    looks->narrow = most <= looks->experiment->until.half_width;
    sy_json_add_int(json, "games", (int64_t)looks->experiment->until.looks[index]);
    sy_json_add_string(json, "directory", name);
    sy_json_add_string(json, "games_digest", sy_read_string(summary, "games_digest"));
    sy_json_add_number(json, "widest", most); /* null when a value is not known */
    sy_json_add_bool(json, "narrow", looks->narrow);
    sy_json_append(looks->list, json);
    sy_text_printf(&looks->table,
                   "after %llu games: ", (unsigned long long)looks->experiment->until.looks[index]);
    if (isfinite(most))
        sy_text_printf(&looks->table, "widest half width %.4g, %s\n", most,
                       looks->narrow ? "narrow enough" : "too wide");
    else
        sy_text_puts(&looks->table, "not all values are known\n");
}

static enum sy_status play_look(struct looks *looks, size_t index, const struct sy_round_player *player,
                                struct sy_error *error)
{
    struct sy_experiment *look = NULL;
    struct sy_json_doc *summary = NULL;
    char *name = sy_format("look-%zu", index + 1), *directory = sy_format("%s/%s", looks->directory, name);
    char *before = sy_format("%s/look-%zu", looks->directory, index);
    char *path = sy_format("%s/summary.json", directory);
    enum sy_status status = make_look(looks, index, &look, error);
    if (status == SY_OK && index > 0)
        status = take_over(look, before, directory, error);
    if (status == SY_OK)
        status = player->play(player->context, look, directory, error);
    if (status == SY_OK)
        status = sy_json_read_file(path, &summary, error);
    if (status == SY_OK)
        note(looks, index, name, sy_json_root(summary));
    sy_json_free(summary);
    sy_experiment_free(look);
    free(path);
    free(before);
    free(directory);
    free(name);
    return status;
}

/* Takes the list of looks over. */
static enum sy_status write_looks(struct looks *looks, struct sy_error *error)
{
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "format", "steelyard-looks-1");
    sy_json_add_string(json, "title", looks->experiment->title);
    sy_json_add_number(json, "half_width", looks->experiment->until.half_width);
    sy_json_add_number(json, "confidence", looks->experiment->fit.confidence);
    sy_json_add_bool(json, "reached", looks->narrow);
    sy_json_add(json, "looks", looks->list);
    looks->list = NULL;
    char *text = sy_json_text(json, true), *line = sy_format("%s\n", text);
    char *path = sy_path_in(looks->directory, SY_LOOKS_FILE);
    const enum sy_status status = sy_write_file(path, line, strlen(line), error);
    sy_json_delete(json);
    free(path);
    free(line);
    free(text);
    return status;
}

enum sy_status sy_until(const struct sy_experiment *experiment, const char *directory,
                        const struct sy_round_player *player, char **table, struct sy_error *error)
{
    struct looks looks = {experiment, directory, sy_json_new_array(), SY_TEXT_INIT, false};
    enum sy_status status = SY_OK;
    for (size_t i = 0; status == SY_OK && i < experiment->until.count && !looks.narrow; i++)
        status = play_look(&looks, i, player, error);
    if (status == SY_OK)
        status = write_looks(&looks, error);
    sy_json_delete(looks.list);
    if (status == SY_OK)
        *table = looks.table.bytes;
    else
        sy_text_clear(&looks.table);
    return status;
}
