/* experiment_text: an experiment written out with nothing left implicit.
 *
 * Reading the text back gives the same text. The digest leaves out what does not touch the games, so that
 * a title may be mended, or the same games fitted otherwise, without a run becoming a stranger's. */
#include "experiment_internal.h"
#include "steelyard/player.h"

#include <stdlib.h>
#include <string.h>

static struct sy_json *range_json(struct sy_range range)
{
    struct sy_json *array = sy_json_new_array();
    sy_json_append(array, sy_json_new_int(range.low));
    sy_json_append(array, sy_json_new_int(range.high));
    return array;
}

static void add_own_player(struct sy_json *object, const struct sy_arm *arm)
{
    if (arm->limits.nodes != 0)
        sy_json_add_int(object, "nodes", (int64_t)arm->limits.nodes);
    if (arm->limits.depth != 0)
        sy_json_add_int(object, "depth", arm->limits.depth);
    sy_json_add_int(object, "hash", (int64_t)(arm->table_bytes / 1024));
    sy_json_add(object, "engine", sy_json_copy(sy_json_root(arm->engine)));
}

static struct sy_json *arm_json(const struct sy_arm *arm)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add_string(object, "label", arm->label);
    sy_json_add_string(object, "variant", arm->variant->name);
    if (arm->player != NULL)
        sy_json_add(object, "player", sy_player_json(arm->player));
    else
        add_own_player(object, arm);
    sy_json_add(object, "rules", sy_json_copy(sy_json_root(arm->variant->doc)));
    return object;
}

struct sy_json *sy_arm_materials_json(const struct sy_arm *arm, uint32_t materials)
{
    struct sy_json *list = sy_json_new_array();
    for (unsigned i = 0; i < arm->variant->materials; i++)
        if (materials >> i & 1U)
            sy_json_append(list, sy_json_new_string(arm->variant->material[i]));
    return list;
}

/* Every arm has the same materials named, since every one must know them; the first stands for all unless
 * none were named and arms differ, so the list is written only when it leaves something out. */
static void add_kinds(struct sy_json *object, const struct sy_arm *arm)
{
    bool all = true;
    for (unsigned i = 0; i < arm->variant->materials; i++)
        all = all && (arm->kinds >> i & 1U || arm->variant->material_royal[i]);
    if (!all)
        sy_json_add(object, "kinds", sy_arm_materials_json(arm, arm->kinds));
}

static struct sy_json *imbalance_json(const struct sy_experiment *experiment)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add(object, "remove", range_json(experiment->imbalance.remove));
    sy_json_add(object, "exchange", range_json(experiment->imbalance.exchange));
    add_kinds(object, &experiment->arms[0]);
    sy_json_add_number(object, "limit", experiment->imbalance.limit);
    if (experiment->imbalance.criterion != 0) {
        sy_json_add_string(object, "criterion", experiment->imbalance.criterion == 'A' ? "A" : "D");
        sy_json_add_number(object, "logits", experiment->imbalance.logits);
    }
    return object;
}

static struct sy_json *adjudicate_json(const struct sy_experiment *experiment)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add_int(object, "plies", experiment->adjudicate.plies);
    if (experiment->adjudicate.score > 0)
        sy_json_add_number(object, "score", experiment->adjudicate.score);
    sy_json_add_int(object, "for", experiment->adjudicate.plies_in_row);
    return object;
}

static struct sy_json *unit_json(const struct sy_fit_options *fit)
{
    if (!(fit->unit_value < 1 || fit->unit_value > 1))
        return sy_json_new_string(fit->unit);
    struct sy_json *object = sy_json_new_object();
    sy_json_add_string(object, "piece", fit->unit);
    sy_json_add_number(object, "value", fit->unit_value);
    return object;
}

static struct sy_json *pairs_json(const struct sy_arm *arm)
{
    struct sy_json *list = sy_arm_materials_json(arm, arm->pairs);
    for (unsigned i = 0; i < arm->variant->materials; i++)
        if (arm->colours[i] > 0) {
            struct sy_json *object = sy_json_new_object();
            sy_json_add_string(object, "piece", arm->variant->material[i]);
            sy_json_add_int(object, "colours", arm->colours[i]);
            sy_json_append(list, object);
        }
    return list;
}

/* What nobody asked for is not there, so that older copies stay as they are. */
static struct sy_json *fit_json(const struct sy_experiment *experiment)
{
    const struct sy_fit_options *fit = &experiment->fit;
    struct sy_json *object = sy_json_new_object();
    if (fit->unit != NULL)
        sy_json_add(object, "unit", unit_json(fit));
    sy_json_add_number(object, "confidence", fit->confidence);
    sy_json_add_int(object, "bootstrap", fit->bootstrap);
    sy_json_add_int(object, "samples", fit->samples);
    sy_json_add_number(object, "ridge", fit->ridge);
    if (fit->margin > 0)
        sy_json_add_number(object, "margin", fit->margin);
    if (fit->phase > 0)
        sy_json_add_int(object, "phase", fit->phase);
    if (fit->trend)
        sy_json_add_string(object, "phase", "linear");
    if (experiment->arms[0].phase_of != 0)
        sy_json_add(object, "phase_of",
                    sy_arm_materials_json(&experiment->arms[0], experiment->arms[0].phase_of));
    struct sy_json *pairs = pairs_json(&experiment->arms[0]);
    if (sy_json_count(pairs) > 0)
        sy_json_add(object, "pairs", pairs);
    else
        sy_json_delete(pairs);
    return object;
}

/* What decides the games. */
static void add_games(struct sy_json *object, const struct sy_experiment *experiment)
{
    sy_json_add_string(object, "design", sy_design_name(experiment->design));
    sy_json_add_u64(object, "seed", experiment->seed);
    sy_json_add_int(object, "games", (int64_t)experiment->games_per_arm);
    struct sy_json *opening = sy_json_new_object();
    sy_json_add(opening, "plies", range_json(experiment->opening));
    if (experiment->twins)
        sy_json_add_bool(opening, "twins", true);
    if (experiment->opening_limit > 0)
        sy_json_add_number(opening, "limit", experiment->opening_limit);
    sy_json_add(object, "opening", opening);
    if (experiment->design == SY_DESIGN_IMBALANCE)
        sy_json_add(object, "imbalance", imbalance_json(experiment));
    if (experiment->design == SY_DESIGN_POSITIONS) {
        sy_json_add_string(object, "games_file", experiment->positions.file);
        if (experiment->positions.arm != NULL)
            sy_json_add_string(object, "games_arm", experiment->positions.arm);
        sy_json_add_string(object, "games_digest", experiment->positions.digest);
    }
    if (experiment->positions.letters != NULL)
        sy_json_add(object, "letters", sy_json_copy(sy_json_root(experiment->positions.letters)));
    if (experiment->randomise != NULL)
        sy_json_add(object, "randomise", sy_json_copy(sy_json_root(experiment->randomise)));
    sy_json_add(object, "adjudicate", adjudicate_json(experiment));
}

static struct sy_json *until_json(const struct sy_experiment *experiment)
{
    struct sy_json *object = sy_json_new_object(), *looks = sy_json_new_array();
    sy_json_add_number(object, "half_width", experiment->until.half_width);
    for (size_t i = 0; i + 1 < experiment->until.count; i++)
        sy_json_append(looks, sy_json_new_int((int64_t)experiment->until.looks[i]));
    sy_json_add(object, "looks", looks);
    return object;
}

static void add_arms(struct sy_json *object, const struct sy_experiment *experiment)
{
    struct sy_json *arms = sy_json_new_array();
    for (size_t i = 0; i < experiment->arm_count; i++)
        sy_json_append(arms, arm_json(&experiment->arms[i]));
    sy_json_add(object, "variants", arms);
}

void sy_experiment_write_canonical(struct sy_experiment *experiment)
{
    struct sy_json *deciding = sy_json_new_object();
    add_games(deciding, experiment);
    add_arms(deciding, experiment);
    char *bytes = sy_json_text(deciding, false);
    sy_sha256(bytes, strlen(bytes), experiment->digest);
    free(bytes);
    sy_json_delete(deciding);

    struct sy_json *whole = sy_json_new_object();
    sy_json_add_string(whole, "title", experiment->title);
    sy_json_add_string(whole, "about", experiment->about);
    add_games(whole, experiment);
    sy_json_add(whole, "fit", fit_json(experiment));
    if (sy_experiment_has_program(experiment))
        sy_json_add_int(whole, "failures", experiment->failures);
    if (experiment->until.half_width > 0)
        sy_json_add(whole, "until", until_json(experiment));
    if (experiment->iterate > 0) {
        struct sy_json *iterate = sy_json_new_object();
        sy_json_add_int(iterate, "rounds", experiment->iterate);
        sy_json_add(whole, "iterate", iterate);
    }
    add_arms(whole, experiment);
    bytes = sy_json_text(whole, true);
    experiment->canonical = sy_format("%s\n", bytes);
    free(bytes);
    sy_json_delete(whole);
}
