/* experiment_text: an experiment written out with nothing left implicit.
 *
 * Reading the text back gives the same text. The digest leaves out what does not touch the games, so that
 * a title may be mended, or the same games fitted otherwise, without a run becoming a stranger's. */
#include "experiment_internal.h"

#include <stdlib.h>
#include <string.h>

static struct sy_json *range_json(struct sy_range range)
{
    struct sy_json *array = sy_json_new_array();
    sy_json_append(array, sy_json_new_int(range.low));
    sy_json_append(array, sy_json_new_int(range.high));
    return array;
}

static struct sy_json *arm_json(const struct sy_arm *arm)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add_string(object, "label", arm->label);
    sy_json_add_string(object, "variant", arm->variant->name);
    if (arm->limits.nodes != 0)
        sy_json_add_int(object, "nodes", (int64_t)arm->limits.nodes);
    if (arm->limits.depth != 0)
        sy_json_add_int(object, "depth", arm->limits.depth);
    sy_json_add_int(object, "hash", (int64_t)(arm->table_bytes / 1024));
    sy_json_add(object, "engine", sy_json_copy(sy_json_root(arm->engine)));
    sy_json_add(object, "rules", sy_json_copy(sy_json_root(arm->variant->doc)));
    return object;
}

/* Every arm has the same materials named, since every one must know them; the first stands for all unless
 * none were named and arms differ, so the list is written only when it leaves something out. */
static void add_kinds(struct sy_json *object, const struct sy_arm *arm)
{
    struct sy_json *list = sy_json_new_array();
    bool all = true;
    for (unsigned i = 0; i < arm->variant->materials; i++) {
        if (arm->kinds >> i & 1U)
            sy_json_append(list, sy_json_new_string(arm->variant->material[i]));
        else if (!arm->variant->material_royal[i])
            all = false;
    }
    if (all)
        sy_json_delete(list);
    else
        sy_json_add(object, "kinds", list);
}

static struct sy_json *imbalance_json(const struct sy_experiment *experiment)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add(object, "remove", range_json(experiment->imbalance.remove));
    sy_json_add(object, "exchange", range_json(experiment->imbalance.exchange));
    add_kinds(object, &experiment->arms[0]);
    sy_json_add_number(object, "limit", experiment->imbalance.limit);
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

static struct sy_json *fit_json(const struct sy_fit_options *fit)
{
    struct sy_json *object = sy_json_new_object();
    if (fit->unit != NULL)
        sy_json_add_string(object, "unit", fit->unit);
    sy_json_add_number(object, "confidence", fit->confidence);
    sy_json_add_int(object, "bootstrap", fit->bootstrap);
    sy_json_add_int(object, "samples", fit->samples);
    sy_json_add_number(object, "ridge", fit->ridge);
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
    sy_json_add(object, "opening", opening);
    if (experiment->design == SY_DESIGN_IMBALANCE)
        sy_json_add(object, "imbalance", imbalance_json(experiment));
    if (experiment->randomise != NULL)
        sy_json_add(object, "randomise", sy_json_copy(sy_json_root(experiment->randomise)));
    sy_json_add(object, "adjudicate", adjudicate_json(experiment));
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
    sy_json_add(whole, "fit", fit_json(&experiment->fit));
    add_arms(whole, experiment);
    bytes = sy_json_text(whole, true);
    experiment->canonical = sy_format("%s\n", bytes);
    free(bytes);
    sy_json_delete(whole);
}
