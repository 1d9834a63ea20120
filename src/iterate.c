/* iterate: self-consistent values.
 *
 * A round's measured values are taken in the points of the table that the engine believed (summary.json,
 * verdicts.believed), so that no unit is needed and their scale against the rest of the evaluation stays.
 * The rounds agree when the joint test does not tell believed from measured values. A piece without a
 * measured value keeps the one it had. */
#include "steelyard/iterate.h"

#include "plot_internal.h"
#include "summary_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double lowest_value = 0.05, highest_value = 100; /* that an engine is given */

struct rounds {
    const struct sy_experiment *experiment;
    const char *directory;
    double value[SY_MAX_TYPES];               /* of the round at hand, by material */
    struct sy_json *list;                     /* the rounds so far */
    struct sy_text table, data[SY_MAX_TYPES]; /* data: by material, for the picture */
    bool agree, stuck;
};

/* ---- a round's experiment ---- */

static struct sy_json *engine_of(const struct rounds *rounds)
{
    const struct sy_variant *variant = rounds->experiment->arms[0].variant;
    struct sy_json *engine = sy_json_new_object();
    for (unsigned i = 0; i < variant->materials; i++)
        if (!variant->material_royal[i]) {
            char *name = sy_format("value.%s", variant->material[i]);
            sy_json_add_number(engine, name, rounds->value[i]);
            free(name);
        }
    return engine;
}

/* The only arm with the round's values, as a list of one. */
static struct sy_json *variants_of(const struct rounds *rounds, const struct sy_json *root)
{
    struct sy_json *patch = sy_json_new_object(), *variants = sy_json_new_array();
    sy_json_add(patch, "engine", engine_of(rounds));
    struct sy_json_doc *arm = sy_json_merge("arm", sy_json_first(sy_json_member(root, "variants")), patch);
    sy_json_append(variants, sy_json_copy(sy_json_root(arm)));
    sy_json_free(arm);
    sy_json_delete(patch);
    return variants;
}

static enum sy_status make_round(const struct rounds *rounds, unsigned number, struct sy_experiment **out,
                                 struct sy_error *error)
{
    const char *text = rounds->experiment->canonical;
    struct sy_json_doc *doc;
    const enum sy_status status = sy_json_read(SY_ROUNDS_FILE, text, strlen(text), &doc, error);
    if (status != SY_OK)
        return status;
    struct sy_json *patch = sy_json_new_object();
    sy_json_add(patch, "iterate", sy_json_new_null());
    if (number > 1) {
        sy_json_add_u64(patch, "seed", rounds->experiment->seed + number - 1);
        sy_json_add(patch, "variants", variants_of(rounds, sy_json_root(doc)));
    }
    struct sy_json_doc *round = sy_json_merge("a round of the experiment", sy_json_root(doc), patch);
    sy_json_delete(patch);
    sy_json_free(doc);
    return sy_experiment_create(round, 0, out, error);
}

/* ---- what it says ---- */

static unsigned material_named(const struct sy_variant *variant, const char *name)
{
    unsigned i = 0;
    while (i < variant->materials && strcmp(variant->material[i], name) != 0)
        i++;
    return i;
}

static void take_piece(struct rounds *rounds, unsigned number, const struct sy_json *piece)
{
    const struct sy_json *measured = sy_json_member(piece, "measured");
    const unsigned material =
        material_named(rounds->experiment->arms[0].variant, sy_read_string(piece, "name"));
    const double value = sy_read_number(measured, "value"), believed = sy_read_number(piece, "suggested");
    if (!isfinite(value) || material >= rounds->experiment->arms[0].variant->materials)
        return;
    sy_text_printf(&rounds->data[material], "%u %.6g %.6g %.6g %.6g\n", number, believed, value,
                   sy_read_number(measured, "low"), sy_read_number(measured, "high"));
    sy_text_printf(&rounds->table, "  %-14s %8.3f  %8.3f  %.3f to %.3f\n", sy_read_string(piece, "name"),
                   believed, value, sy_read_number(measured, "low"), sy_read_number(measured, "high"));
    rounds->value[material] = fmin(fmax(floor(value * 1000 + 0.5) / 1000, lowest_value), highest_value);
}

static void take_summary(struct rounds *rounds, unsigned number, const char *name,
                         const struct sy_json *summary)
{
    const struct sy_json *fit = sy_json_member(sy_json_first(sy_json_member(summary, "arms")), "fit");
    const struct sy_json *verdict = sy_read_at(fit, "verdicts", "believed");
    struct sy_json *round = sy_json_new_object();
    rounds->agree = sy_json_true(sy_json_member(verdict, "agrees"));
    rounds->stuck = !isfinite(sy_read_number(verdict, "p"));
    sy_json_add_int(round, "round", number);
    sy_json_add_string(round, "directory", name);
    sy_json_add_string(round, "seed", sy_read_string(summary, "seed"));
    sy_json_add_string(round, "games_digest", sy_read_string(summary, "games_digest"));
    sy_json_add(round, "believed_and_measured", verdict == NULL ? sy_json_new_null() : sy_json_copy(verdict));
    sy_json_append(rounds->list, round);
    sy_text_printf(&rounds->table, "round %u: %s", number,
                   rounds->stuck   ? "no joint test\n"
                   : rounds->agree ? "believed and measured values agree"
                                   : "believed and measured values differ");
    if (!rounds->stuck)
        sy_text_printf(&rounds->table, " (p %.2g)\n  %-14s %8s  %8s  interval\n",
                       sy_read_number(verdict, "p"), "piece", "believed", "measured");
    const struct sy_json *pieces = sy_json_member(verdict, "pieces");
    for (const struct sy_json *piece = sy_json_first(pieces); piece != NULL; piece = sy_json_next(piece))
        take_piece(rounds, number, piece);
}

static enum sy_status play_round(struct rounds *rounds, unsigned number, const struct sy_round_player *player,
                                 struct sy_error *error)
{
    struct sy_experiment *round = NULL;
    struct sy_json_doc *summary = NULL;
    char *name = sy_format("round-%u", number), *directory = sy_format("%s/%s", rounds->directory, name);
    char *path = sy_format("%s/summary.json", directory);
    enum sy_status status = make_round(rounds, number, &round, error);
    if (status == SY_OK)
        status = player->play(player->context, round, directory, error);
    if (status == SY_OK)
        status = sy_json_read_file(path, &summary, error);
    if (status == SY_OK)
        take_summary(rounds, number, name, sy_json_root(summary));
    sy_json_free(summary);
    sy_experiment_free(round);
    free(path);
    free(directory);
    free(name);
    return status;
}

/* ---- the report ---- */

static enum sy_status write_in(const struct rounds *rounds, const char *name, const char *text,
                               struct sy_error *error)
{
    char *path = sy_format("%s/%s", rounds->directory, name);
    const enum sy_status status = sy_write_file(path, text, strlen(text), error);
    free(path);
    return status;
}

/* A name as a gnuplot title: whatever could end the text is left out. */
static void add_title(struct sy_text *script, const char *name)
{
    sy_text_puts(script, " title \"");
    for (; *name != '\0'; name++)
        if (*name != '"' && *name != '\\' && *name != '`' && (unsigned char)*name >= ' ')
            sy_text_add(script, name, 1);
    sy_text_puts(script, "\"");
}

/* Believed values dashed, measured ones with their intervals, round by round. */
static enum sy_status draw_path(struct rounds *rounds, struct sy_error *error)
{
    const struct sy_variant *variant = rounds->experiment->arms[0].variant;
    struct sy_text script = SY_TEXT_INIT, data = SY_TEXT_INIT;
    unsigned index = 0;
    sy_text_puts(&script,
                 "set terminal svg size 800,500 noenhanced\nset output 'path.svg'\nset xlabel 'round'\n"
                 "set ylabel 'value, in points of what the engine believed'\nset xtics 1\n"
                 "set key outside right\nset offsets 0.2, 0.2, 0, 0\nset yrange [0:*]\nplot ");
    sy_text_puts(&data, "# round believed measured low high\n");
    for (unsigned i = 0; i < variant->materials; i++) {
        if (rounds->data[i].length == 0)
            continue;
        sy_text_printf(&script, "%s'path.dat' index %u using 1:3:4:5 with yerrorlines lc %u",
                       index > 0 ? ", " : "", index, index + 1);
        add_title(&script, variant->material[i]);
        sy_text_printf(&script, ", 'path.dat' index %u using 1:2 with linespoints lc %u dt 2 notitle", index,
                       index + 1);
        sy_text_printf(&data, "%s\n\n", rounds->data[i].bytes);
        index++;
    }
    sy_text_puts(&script, "\n");
    char *gnuplot = sy_gnuplot_find();
    enum sy_status status = index == 0 ? SY_OK : write_in(rounds, "path.dat", data.bytes, error);
    if (status == SY_OK && index > 0)
        status = write_in(rounds, "path.gp", script.bytes, error);
    if (status == SY_OK && index > 0 && gnuplot != NULL)
        status = sy_gnuplot_run(gnuplot, rounds->directory, "path.gp", error);
    free(gnuplot);
    sy_text_clear(&script);
    sy_text_clear(&data);
    return status;
}

/* Takes the list of rounds over. */
static enum sy_status write_rounds(struct rounds *rounds, struct sy_error *error)
{
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "format", "steelyard-rounds-1");
    sy_json_add_string(json, "title", rounds->experiment->title);
    sy_json_add_string(json, "experiment_digest", rounds->experiment->digest);
    sy_json_add_bool(json, "converged", rounds->agree);
    sy_json_add(json, "rounds", rounds->list);
    char *text = sy_json_text(json, true), *line = sy_format("%s\n", text);
    sy_json_delete(json);
    const enum sy_status status = write_in(rounds, SY_ROUNDS_FILE, line, error);
    free(line);
    free(text);
    return status;
}

enum sy_status sy_iterate(const struct sy_experiment *experiment, const char *directory,
                          const struct sy_round_player *player, char **table, struct sy_error *error)
{
    struct rounds *rounds = sy_alloc(1, sizeof *rounds);
    enum sy_status status = SY_OK;
    rounds->experiment = experiment;
    rounds->directory = directory;
    rounds->list = sy_json_new_array();
    memcpy(rounds->value, experiment->arms[0].params.value, sizeof rounds->value);
    for (unsigned i = 1; status == SY_OK && i <= experiment->iterate && !rounds->agree && !rounds->stuck; i++)
        status = play_round(rounds, i, player, error);
    if (status == SY_OK) {
        status = write_rounds(rounds, error);
        rounds->list = NULL;
    }
    if (status == SY_OK)
        status = draw_path(rounds, error);
    sy_json_delete(rounds->list);
    if (status == SY_OK)
        *table = rounds->table.bytes;
    else
        sy_text_clear(&rounds->table);
    for (unsigned i = 0; i < SY_MAX_TYPES; i++)
        sy_text_clear(&rounds->data[i]);
    free(rounds);
    return status;
}
