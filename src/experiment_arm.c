/* experiment_arm: the arms of an experiment: variants with their patches, engine settings and draws. */
#include "experiment_internal.h"
#include "steelyard/player.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char arm_keys[] = "label variant rules patch engine nodes depth hash player";

/* ---- the variant ---- */

/* "sunset" is a shipped name; "sunset.json" and "my/sunset" are paths. */
static bool is_path(const char *variant)
{
    const char *colon = strrchr(variant, ':');
    const size_t length = colon == NULL ? strlen(variant) : (size_t)(colon - variant);
    return memchr(variant, '/', length) != NULL ||
           (length >= 5 && strncmp(variant + length - 5, ".json", 5) == 0);
}

char *sy_experiment_path(const struct sy_json_doc *doc, const char *path)
{
    const char *slash = strrchr(sy_json_name(doc), '/');
    if (path[0] == '/' || slash == NULL)
        return sy_strdup(path);
    return sy_format("%.*s/%s", (int)(slash - sy_json_name(doc)), sy_json_name(doc), path);
}

/* A new string. */
static char *resolve(const struct sy_json_doc *doc, const char *variant)
{
    return is_path(variant) ? sy_experiment_path(doc, variant) : sy_strdup(variant);
}

/* The label of an arm without one: the variant as named, without directories and ".json". A new string. */
static char *default_label(const char *variant)
{
    if (!is_path(variant))
        return sy_strdup(variant);
    const char *slash = strrchr(variant, '/');
    const char *base = slash == NULL ? variant : slash + 1;
    const char *suffix = strstr(base, ".json");
    if (suffix == NULL)
        return sy_strdup(base);
    return sy_format("%.*s%s", (int)(suffix - base), base, suffix + strlen(".json"));
}

/* Rules written out in the experiment itself, as in the copy that a run keeps. */
static enum sy_status compile_rules(struct sy_arm *arm, const struct sy_json_doc *doc,
                                    const struct sy_json *rules, const char *name, struct sy_error *error)
{
    char *source = sy_format("%s: the rules of '%s'", sy_json_name(doc), arm->label);
    struct sy_json *empty = sy_json_new_object();
    struct sy_json_doc *copy = sy_json_merge(source, rules, empty);
    sy_json_delete(empty);
    free(source);
    return sy_variant_compile(name, copy, &arm->variant, error);
}

static enum sy_status load_variant(struct sy_arm *arm, const struct sy_json_doc *doc,
                                   const struct sy_json *entry, const char *name, struct sy_error *error)
{
    const struct sy_json *patch = NULL, *rules = NULL;
    if (sy_json_kind(entry) == SY_JSON_OBJECT) {
        enum sy_status status = sy_json_get_object_or(doc, entry, "patch", &patch, error);
        if (status == SY_OK)
            status = sy_json_get_object_or(doc, entry, "rules", &rules, error);
        if (status == SY_OK && patch != NULL && rules != NULL)
            status = sy_json_fail(doc, patch, error, "'rules' are complete, so there is nothing to patch");
        if (status != SY_OK)
            return status;
    }
    if (rules != NULL)
        return compile_rules(arm, doc, rules, name, error);
    char *variant = resolve(doc, name);
    enum sy_status status = sy_variant_load(variant, patch, &arm->variant, error);
    free(variant);
    if (status == SY_BAD_INPUT && error != NULL)
        status = sy_json_fail(doc, entry, error, "%s", error->message);
    return status;
}

/* ---- engines ---- */

/* Objects of parameters; absent ones change nothing. Keeps both together for the canonical copy. */
static enum sy_status read_engine(struct sy_arm *arm, const struct sy_json_doc *doc,
                                  const struct sy_json *entry, struct sy_error *error)
{
    const struct sy_json *given[2] = {NULL, NULL};
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "engine", &given[0], error);
    if (status == SY_OK && sy_json_kind(entry) == SY_JSON_OBJECT)
        status = sy_json_get_object_or(doc, entry, "engine", &given[1], error);
    sy_params_default(arm->variant, &arm->params);
    struct sy_json *empty = sy_json_new_object();
    arm->engine = sy_json_merge("engine", empty, empty);
    for (int i = 0; status == SY_OK && i < 2; i++) {
        if (given[i] == NULL)
            continue;
        status = sy_params_read(arm->variant, doc, given[i], &arm->params, error);
        struct sy_json_doc *both = sy_json_merge("engine", sy_json_root(arm->engine), given[i]);
        sy_json_free(arm->engine);
        arm->engine = both;
    }
    sy_json_delete(empty);
    return status;
}

/* Nodes, depth and hash stand in the root, in the arm, or in both; the arm's count then. */
static enum sy_status read_limits_of(struct sy_arm *arm, const struct sy_json_doc *doc,
                                     const struct sy_json *object, int64_t *kibibytes, struct sy_error *error)
{
    int64_t nodes = (int64_t)arm->limits.nodes, depth = arm->limits.depth;
    enum sy_status status = sy_json_get_int_or(doc, object, "nodes", 1, 1000000000000, &nodes, error);
    if (status == SY_OK)
        status = sy_json_get_int_or(doc, object, "depth", 1, SY_MAX_PLY / 2, &depth, error);
    if (status == SY_OK)
        status = sy_json_get_int_or(doc, object, "hash", 1, 1 << 24, kibibytes, error);
    arm->limits.nodes = (uint64_t)nodes;
    arm->limits.depth = (unsigned)depth;
    return status;
}

static enum sy_status read_limits(struct sy_arm *arm, const struct sy_json_doc *doc,
                                  const struct sy_json *entry, struct sy_error *error)
{
    int64_t kibibytes = 0;
    enum sy_status status = read_limits_of(arm, doc, sy_json_root(doc), &kibibytes, error);
    if (status == SY_OK && sy_json_kind(entry) == SY_JSON_OBJECT)
        status = read_limits_of(arm, doc, entry, &kibibytes, error);
    arm->table_bytes = kibibytes ? (size_t)kibibytes * 1024 : sy_engine_table_bytes(&arm->limits);
    return status;
}

static enum sy_status need_limits(const struct sy_arm *arm, const struct sy_json_doc *doc,
                                  struct sy_error *error)
{
    return arm->limits.nodes != 0 || arm->limits.depth != 0
               ? SY_OK
               : sy_json_fail(doc, sy_json_root(doc), error,
                              "missing 'nodes' or 'depth': how far a move is searched");
}

/* ---- other programs ---- */

/* What sets our own engine, and what a player of another kind cannot have: NULL when the object has none of
 * it. */
static const struct sy_json *own_setting(const struct sy_json *object)
{
    const struct sy_json *engine = sy_json_member(object, "engine");
    return engine != NULL && sy_json_count(engine) > 0 ? engine : sy_json_member(object, "hash");
}

static enum sy_status check_player_fits(const struct sy_arm *arm, enum sy_design design,
                                        const struct sy_json_doc *doc, const struct sy_json *entry,
                                        const struct sy_json *player, struct sy_error *error)
{
    const struct sy_json *setting = own_setting(entry);
    if (design == SY_DESIGN_POSITIONS)
        return sy_json_fail(doc, player, error, "nothing is played in the positions design");
    if (design == SY_DESIGN_PARAMETERS)
        return sy_json_fail(doc, player, error,
                            "the parameters design draws parameters of Steelyard's own engine, which another "
                            "program has not: use the imbalance design");
    if (setting == NULL)
        setting = own_setting(sy_json_root(doc));
    if (setting != NULL)
        return sy_json_fail(doc, setting, error,
                            "is for Steelyard's own engine, but another program plays '%s', which has "
                            "'options'; where both play, put it into the arms of our own",
                            arm->label);
    return SY_OK;
}

/* The arm's "player", or the root's, as given for all arms. */
static enum sy_status read_player(struct sy_arm *arm, enum sy_design design, const struct sy_json_doc *doc,
                                  const struct sy_json *entry, struct sy_error *error)
{
    const struct sy_json *player = sy_json_member(entry, "player");
    if (player == NULL)
        player = sy_json_member(sy_json_root(doc), "player");
    if (player == NULL)
        return SY_OK;
    enum sy_status status = check_player_fits(arm, design, doc, entry, player, error);
    if (status != SY_OK)
        return status;
    arm->player = sy_alloc(1, sizeof *arm->player);
    status = sy_player_read_program(doc, player, arm->variant, &arm->limits, arm->player, error);
    arm->limits = arm->player->limits;
    return status;
}

/* ---- draws ---- */

/* The last member of "randomise" whose pattern matches the parameter; NULL when none does. */
static const struct sy_json *entry_for(const struct sy_json *randomise, const char *name)
{
    const struct sy_json *found = NULL;
    for (const struct sy_json *entry = sy_json_first(randomise); entry != NULL; entry = sy_json_next(entry))
        if (fnmatch(sy_json_key(entry), name, 0) == 0)
            found = entry;
    return found;
}

/* Two ascending numbers. */
static enum sy_status read_pair(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                                double pair[2], struct sy_error *error)
{
    const struct sy_json *array;
    enum sy_status status = sy_json_get_array(doc, object, key, &array, error);
    if (status != SY_OK)
        return status;
    size_t count = 0;
    for (const struct sy_json *end = sy_json_first(array); end != NULL; end = sy_json_next(end), count++)
        if (count < 2)
            pair[count] = sy_json_number(end);
    if (count != 2 || !(pair[0] < pair[1]))
        return sy_json_fail(doc, array, error, "must be two numbers, the lower one first");
    return SY_OK;
}

static enum sy_status read_draw(struct sy_arm *arm, const struct sy_json_doc *doc,
                                const struct sy_json *entry, const char *name, struct sy_error *error)
{
    struct sy_draw *draw = &arm->draws[arm->draw_count];
    double min = 0, max = 0, pair[2] = {0, 0};
    enum sy_status status = sy_json_check_keys(doc, entry, "factor range", error);
    if (status != SY_OK)
        return status;
    draw->log_uniform = sy_json_member(entry, "factor") != NULL;
    if (draw->log_uniform && sy_json_member(entry, "range") != NULL)
        return sy_json_fail(doc, entry, error, "give 'factor' or 'range', not both");
    status = read_pair(doc, entry, draw->log_uniform ? "factor" : "range", pair, error);
    if (status != SY_OK)
        return status;
    snprintf(draw->name, sizeof draw->name, "%s", name);
    draw->base = *sy_params_find(arm->variant, &arm->params, name, &min, &max);
    if (draw->log_uniform && !(draw->base > 0 && pair[0] > 0))
        return sy_json_fail(doc, entry, error, "a factor on %s, which is %g: both must be above 0", name,
                            draw->base);
    draw->low = draw->log_uniform ? draw->base * pair[0] : pair[0];
    draw->high = draw->log_uniform ? draw->base * pair[1] : pair[1];
    if (draw->low < min || draw->high > max)
        return sy_json_fail(doc, entry, error, "%s would be from %g to %g; it may be from %g to %g", name,
                            draw->low, draw->high, min, max);
    arm->draw_count++;
    return SY_OK;
}

/* All parameters of the arm's players, one a call; NULL after the last. The name may be in `buffer`. */
static const char *parameter_name(const struct sy_variant *variant, size_t index, char buffer[48])
{
    if (index < variant->materials) {
        snprintf(buffer, 48, "value.%s", variant->material[index]);
        return variant->material_royal[index] ? "" : buffer;
    }
    index -= variant->materials;
    return index < sy_param_count() ? sy_param_info(index)->name : NULL;
}

/* A pattern that matches no parameter is a slip of the pen. */
static enum sy_status check_patterns(const struct sy_arm *arm, const struct sy_json_doc *doc,
                                     const struct sy_json *randomise, struct sy_error *error)
{
    const char *names[SY_MAX_TYPES + SY_MAX_PARAMS];
    char buffers[SY_MAX_TYPES + SY_MAX_PARAMS + 1][48];
    size_t count = 0;
    const char *name;
    for (size_t i = 0; (name = parameter_name(arm->variant, i, buffers[count])) != NULL; i++)
        if (name[0] != '\0')
            names[count++] = name;
    for (const struct sy_json *entry = sy_json_first(randomise); entry != NULL; entry = sy_json_next(entry)) {
        bool matched = false;
        for (size_t i = 0; i < count && !matched; i++)
            matched = fnmatch(sy_json_key(entry), names[i], 0) == 0;
        if (matched)
            continue;
        const char *near = sy_nearest_word(sy_json_key(entry), names, count);
        return sy_json_fail(doc, entry, error, "'%s' matches no parameter of '%s'%s%s%s", sy_json_key(entry),
                            arm->label, near == NULL ? "" : ": did you mean '", near == NULL ? "" : near,
                            near == NULL ? "" : "'?");
    }
    return SY_OK;
}

enum sy_status sy_arm_read_draws(struct sy_arm *arm, const struct sy_json_doc *doc,
                                 const struct sy_json *randomise, struct sy_error *error)
{
    if (sy_json_count(randomise) == 0)
        return sy_json_fail(doc, randomise, error, "must name a parameter to draw");
    enum sy_status status = check_patterns(arm, doc, randomise, error);
    arm->draws = sy_alloc(SY_MAX_TYPES + SY_MAX_PARAMS, sizeof *arm->draws);
    char buffer[48];
    const char *name;
    for (size_t i = 0; status == SY_OK && (name = parameter_name(arm->variant, i, buffer)) != NULL; i++) {
        const struct sy_json *entry = name[0] == '\0' ? NULL : entry_for(randomise, name);
        if (entry != NULL)
            status = read_draw(arm, doc, entry, name, error);
    }
    return status;
}

/* ---- materials ---- */

sy_set sy_arm_phase_pieces(const struct sy_arm *arm, const struct sy_position *position)
{
    sy_set pieces = SY_EMPTY_SET;
    if (arm->phase_of == 0)
        return sy_occupied(position);
    for (unsigned type = 0; type < arm->variant->types; type++)
        if (arm->phase_of >> arm->variant->type[type].material & 1U)
            pieces |= position->type[type];
    return pieces;
}

enum sy_status sy_arm_material(const struct sy_arm *arm, const struct sy_json_doc *doc,
                               const struct sy_json *value, unsigned *material, struct sy_error *error)
{
    const struct sy_variant *variant = arm->variant;
    const char *name = sy_json_string(value);
    struct sy_text known = SY_TEXT_INIT;
    for (unsigned i = 0; i < variant->materials; i++) {
        if (variant->material_royal[i])
            continue;
        if (name != NULL && strcmp(name, variant->material[i]) == 0) {
            *material = i;
            sy_text_clear(&known);
            return SY_OK;
        }
        sy_text_printf(&known, "%s%s", known.length > 0 ? ", " : "", variant->material[i]);
    }
    char *shown = sy_json_describe(value);
    enum sy_status status =
        sy_json_fail(doc, value, error, "%s is no kind of piece of '%s' that has a value: it has %s", shown,
                     arm->label, known.length > 0 ? known.bytes : "none");
    free(shown);
    sy_text_clear(&known);
    return status;
}

/* ---- whole arms ---- */

static enum sy_status check_label(const struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                  const struct sy_json *entry, const char *label, struct sy_error *error)
{
    for (size_t i = 0; i < experiment->arm_count; i++)
        if (strcmp(experiment->arms[i].label, label) == 0)
            return sy_json_fail(doc, entry, error, "a second '%s': give one of them another 'label'", label);
    return SY_OK;
}

static enum sy_status read_names(struct sy_arm *arm, const struct sy_json_doc *doc,
                                 const struct sy_json *entry, const char **variant, struct sy_error *error)
{
    const char *label = NULL;
    *variant = sy_json_string(entry);
    if (*variant == NULL) {
        if (sy_json_kind(entry) != SY_JSON_OBJECT)
            return sy_json_fail(doc, entry, error, "must be a variant's name, or an object with a 'variant'");
        enum sy_status status = sy_json_check_keys(doc, entry, arm_keys, error);
        if (status == SY_OK)
            status = sy_json_get_string(doc, entry, "variant", variant, error);
        if (status == SY_OK)
            status = sy_json_get_string_or(doc, entry, "label", &label, error);
        if (status != SY_OK)
            return status;
    }
    arm->label = label == NULL ? default_label(*variant) : sy_strdup(label);
    return SY_OK;
}

/* Counts the arm in as soon as it owns anything, so that freeing the experiment clears it. */
static enum sy_status read_arm(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                               const struct sy_json *entry, struct sy_error *error)
{
    struct sy_arm *arm = &experiment->arms[experiment->arm_count];
    const char *variant = NULL;
    enum sy_status status = read_names(arm, doc, entry, &variant, error);
    if (status == SY_OK)
        status = check_label(experiment, doc, entry, arm->label, error);
    experiment->arm_count++;
    if (status == SY_OK)
        status = load_variant(arm, doc, entry, variant, error);
    if (status == SY_OK)
        status = read_engine(arm, doc, entry, error);
    if (status == SY_OK)
        status = read_limits(arm, doc, entry, error);
    if (status == SY_OK)
        status = read_player(arm, experiment->design, doc, entry, error);
    if (status == SY_OK && arm->player == NULL && experiment->design != SY_DESIGN_POSITIONS)
        status = need_limits(arm, doc, error);
    if (status == SY_OK)
        arm->unit_material = arm->variant->unit_material;
    return status;
}

enum sy_status sy_experiment_read_arms(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                       struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc);
    const struct sy_json *list = sy_json_member(root, "variants"), *one = sy_json_member(root, "variant");
    if ((list == NULL) == (one == NULL))
        return sy_json_fail(doc, root, error, "give 'variants', a list, or 'variant', a single one");
    if (one != NULL) {
        experiment->arms = sy_alloc(1, sizeof *experiment->arms);
        return read_arm(experiment, doc, one, error);
    }
    enum sy_status status = sy_json_get_array(doc, root, "variants", &list, error);
    if (status == SY_OK && sy_json_count(list) == 0)
        status = sy_json_fail(doc, list, error, "must name a variant");
    if (status != SY_OK)
        return status;
    experiment->arms = sy_alloc(sy_json_count(list), sizeof *experiment->arms);
    for (const struct sy_json *entry = sy_json_first(list); status == SY_OK && entry != NULL;
         entry = sy_json_next(entry))
        status = read_arm(experiment, doc, entry, error);
    return status;
}

void sy_arm_clear(struct sy_arm *arm)
{
    free(arm->label);
    sy_variant_free(arm->variant);
    free(arm->draws);
    sy_start_choice_free(arm->choice);
    sy_json_free(arm->engine);
    if (arm->player != NULL)
        sy_player_spec_clear(arm->player);
    free(arm->player);
}
