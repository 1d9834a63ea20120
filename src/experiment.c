/* experiment: the keys of an experiment file outside its arms, and the numbering of games.
 *
 * Everything that a game depends on is resolved here, once, so that playing it cannot meet a wrong value. */
#include "experiment_internal.h"
#include "steelyard/fen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char keys[] =
    "title about design variant variants seed games nodes depth hash engine randomise "
    "opening imbalance adjudicate fit games_file games_arm games_digest letters iterate until player "
    "failures";
static const int64_t most_games = 100000000;
static const unsigned most_plies = 5000; /* of a game */

static const char *const design_names[] = {"imbalance", "parameters", "first-move", "positions"};

const char *sy_design_name(enum sy_design design)
{
    return design_names[design];
}

/* ---- small readers ---- */

static enum sy_status read_design(const struct sy_json_doc *doc, enum sy_design *design,
                                  struct sy_error *error)
{
    const char *name;
    enum sy_status status = sy_json_get_string(doc, sy_json_root(doc), "design", &name, error);
    if (status != SY_OK)
        return status;
    for (int i = 0; i <= SY_DESIGN_POSITIONS; i++)
        if (strcmp(name, design_names[i]) == 0) {
            *design = (enum sy_design)i;
            return SY_OK;
        }
    return sy_json_fail(doc, sy_json_member(sy_json_root(doc), "design"), error,
                        "unknown design '%s': must be imbalance, parameters, first-move or positions%s", name,
                        strcmp(name, "match") == 0 ? "; `steelyard match` plays this file" : "");
}

/* [LOW, HIGH], or one number for both. Absent: *range stays as it is. */
static enum sy_status read_range(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                                 unsigned most, struct sy_range *range, struct sy_error *error)
{
    const struct sy_json *value = sy_json_member(object, key);
    if (value == NULL)
        return SY_OK;
    double ends[2] = {0, 0};
    size_t count = 0;
    if (sy_json_kind(value) == SY_JSON_NUMBER) {
        ends[0] = ends[1] = sy_json_number(value);
        count = 2;
    } else if (sy_json_kind(value) == SY_JSON_ARRAY && sy_json_count(value) == 2) {
        for (const struct sy_json *end = sy_json_first(value); end != NULL; end = sy_json_next(end))
            ends[count++] = sy_json_number(end);
    }
    bool good = count == 2 && ends[0] >= 0 && ends[0] <= ends[1] && ends[1] <= most &&
                ends[0] == floor(ends[0]) && ends[1] == floor(ends[1]);
    if (!good)
        return sy_json_fail(doc, value, error,
                            "must be a whole number, or [LOW, HIGH] with LOW not above HIGH, from 0 to %u",
                            most);
    range->low = (unsigned)ends[0];
    range->high = (unsigned)ends[1];
    return SY_OK;
}

/* A whole number into an unsigned; absent: *out stays as it is. */
static enum sy_status read_unsigned(const struct sy_json_doc *doc, const struct sy_json *object,
                                    const char *key, unsigned min, unsigned max, unsigned *out,
                                    struct sy_error *error)
{
    int64_t number = *out;
    enum sy_status status = sy_json_get_int_or(doc, object, key, min, max, &number, error);
    *out = (unsigned)number;
    return status;
}

/* ---- sections ---- */

static enum sy_status read_basics(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                  uint64_t games, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(doc);
    const char *title = "", *about = "";
    int64_t number = 0;
    enum sy_status status = sy_json_check_keys(doc, root, keys, error);
    if (status == SY_OK)
        status = sy_json_get_string_or(doc, root, "title", &title, error);
    if (status == SY_OK)
        status = sy_json_get_string_or(doc, root, "about", &about, error);
    if (status == SY_OK)
        status = read_design(doc, &experiment->design, error);
    if (status == SY_OK)
        status = sy_json_get_u64(doc, root, "seed", &experiment->seed, error);
    if (status == SY_OK && experiment->design == SY_DESIGN_POSITIONS)
        status = sy_json_get_int_or(doc, root, "games", 1, most_games, &number, error);
    else if (status == SY_OK)
        status = sy_json_get_int(doc, root, "games", 1, most_games, &number, error);
    experiment->title = sy_strdup(title);
    experiment->about = sy_strdup(about);
    experiment->games_per_arm = games != 0 ? games : (uint64_t)number;
    return status;
}

static enum sy_status read_opening(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                   struct sy_error *error)
{
    const struct sy_json *opening;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "opening", &opening, error);
    if (status != SY_OK || opening == NULL)
        return status;
    status = sy_json_check_keys(doc, opening, "plies twins limit", error);
    if (status == SY_OK)
        status = read_range(doc, opening, "plies", 200, &experiment->opening, error);
    if (status == SY_OK)
        status = sy_json_get_bool_or(doc, opening, "twins", &experiment->twins, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, opening, "limit", 0.01, 1000, &experiment->opening_limit, error);
    if (status == SY_OK && experiment->opening_limit > 0 && experiment->design == SY_DESIGN_IMBALANCE)
        status = sy_json_fail(doc, sy_json_member(opening, "limit"), error,
                              "the imbalance design has uneven starts on purpose; its 'limit' stands under "
                              "'imbalance'");
    if (status == SY_OK && experiment->twins &&
        (experiment->design != SY_DESIGN_FIRST_MOVE || experiment->opening.high == 0))
        status = sy_json_fail(doc, sy_json_member(opening, "twins"), error,
                              "twins need the first-move design and random 'plies'");
    return status;
}

static enum sy_status read_adjudicate(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                      struct sy_error *error)
{
    const struct sy_json *object;
    experiment->adjudicate.plies = 400;
    experiment->adjudicate.plies_in_row = 8;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "adjudicate", &object, error);
    if (status != SY_OK || object == NULL)
        return status;
    status = sy_json_check_keys(doc, object, "plies score for", error);
    if (status == SY_OK)
        status = read_unsigned(doc, object, "plies", 1, most_plies, &experiment->adjudicate.plies, error);
    if (status == SY_OK)
        status =
            sy_json_get_double_or(doc, object, "score", 0.01, 1000, &experiment->adjudicate.score, error);
    if (status == SY_OK)
        status =
            read_unsigned(doc, object, "for", 2, most_plies, &experiment->adjudicate.plies_in_row, error);
    if (status == SY_OK && experiment->opening.high >= experiment->adjudicate.plies)
        status = sy_json_fail(doc, object, error, "'plies' must exceed the opening's %u random plies",
                              experiment->opening.high);
    return status;
}

/* How many failures of another program in a row are too many. */
static enum sy_status read_failures(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                    struct sy_error *error)
{
    const struct sy_json *value = sy_json_member(sy_json_root(doc), "failures");
    experiment->failures = 5;
    if (value != NULL && !sy_experiment_has_program(experiment))
        return sy_json_fail(
            doc, value, error,
            "is for a 'player' that is another program; Steelyard's own engine does not fail");
    return read_unsigned(doc, sy_json_root(doc), "failures", 1, 1000000, &experiment->failures, error);
}

/* The materials listed under "kinds"; all that are not royal when there is no list. */
static enum sy_status read_kinds(struct sy_arm *arm, const struct sy_json_doc *doc,
                                 const struct sy_json *list, struct sy_error *error)
{
    if (list == NULL) {
        for (unsigned i = 0; i < arm->variant->materials; i++)
            if (!arm->variant->material_royal[i])
                arm->kinds |= 1U << i;
        return SY_OK;
    }
    if (sy_json_count(list) == 0)
        return sy_json_fail(doc, list, error, "must name a kind of piece");
    for (const struct sy_json *item = sy_json_first(list); item != NULL; item = sy_json_next(item)) {
        unsigned material = 0;
        enum sy_status status = sy_arm_material(arm, doc, item, &material, error);
        if (status != SY_OK)
            return status;
        arm->kinds |= 1U << material;
    }
    return SY_OK;
}

/* "criterion": "D" or "A", with "logits"; finds the starts that it chooses. */
static enum sy_status read_criterion(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                     const struct sy_json *object, struct sy_error *error)
{
    const struct sy_json *value = sy_json_member(object, "criterion"),
                         *logits = sy_json_member(object, "logits");
    const char *word = NULL;
    enum sy_status status = sy_json_get_string_or(doc, object, "criterion", &word, error);
    if (status == SY_OK && word == NULL && logits != NULL)
        status = sy_json_fail(doc, logits, error, "is for a 'criterion', and there is none");
    if (status != SY_OK || word == NULL)
        return status;
    if (strcmp(word, "D") != 0 && strcmp(word, "A") != 0)
        return sy_json_fail(doc, value, error, "must be \"D\" or \"A\"");
    experiment->imbalance.criterion = word[0];
    experiment->imbalance.logits = 0.35;
    status = sy_json_get_double_or(doc, object, "logits", 0.001, 10, &experiment->imbalance.logits, error);
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++) {
        struct sy_arm *arm = &experiment->arms[i];
        status = sy_start_choice_create(experiment, arm, &arm->choice, error);
        if (status == SY_BAD_INPUT && error != NULL)
            status = sy_json_fail(doc, value, error, "%s", error->message);
    }
    return status;
}

static enum sy_status read_imbalance(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                     struct sy_error *error)
{
    const struct sy_json *object, *list = NULL;
    if (experiment->design != SY_DESIGN_IMBALANCE)
        return SY_OK;
    enum sy_status status = sy_json_get_object(doc, sy_json_root(doc), "imbalance", &object, error);
    if (status != SY_OK)
        return status;
    experiment->imbalance.limit = 1000;
    status = sy_json_check_keys(doc, object, "remove exchange kinds limit criterion logits", error);
    if (status == SY_OK)
        status = read_range(doc, object, "remove", 32, &experiment->imbalance.remove, error);
    if (status == SY_OK)
        status = read_range(doc, object, "exchange", 32, &experiment->imbalance.exchange, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "limit", 0, 1000, &experiment->imbalance.limit, error);
    if (status == SY_OK)
        status = sy_json_get_array_or(doc, object, "kinds", &list, error);
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++)
        status = read_kinds(&experiment->arms[i], doc, list, error);
    if (status == SY_OK && experiment->imbalance.remove.high + experiment->imbalance.exchange.high == 0)
        status = sy_json_fail(doc, object, error, "nothing would be removed or exchanged");
    return status == SY_OK ? read_criterion(experiment, doc, object, error) : status;
}

static enum sy_status read_randomise(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                     struct sy_error *error)
{
    const struct sy_json *object;
    if (experiment->design != SY_DESIGN_PARAMETERS)
        return SY_OK;
    enum sy_status status = sy_json_get_object(doc, sy_json_root(doc), "randomise", &object, error);
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++)
        status = sy_arm_read_draws(&experiment->arms[i], doc, object, error);
    if (status == SY_OK) {
        struct sy_json *empty = sy_json_new_object();
        experiment->randomise = sy_json_merge("randomise", object, empty);
        sy_json_delete(empty);
    }
    return status;
}

/* "unit": a material, the mean army, or {"piece": either, "value": what one counts as}. */
static enum sy_status read_unit(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                const struct sy_json *fit, struct sy_error *error)
{
    const struct sy_json *unit = sy_json_member(fit, "unit");
    const char *name = NULL;
    enum sy_status status = SY_OK;
    if (unit == NULL)
        return SY_OK;
    if (sy_json_kind(unit) == SY_JSON_OBJECT) {
        status = sy_json_check_keys(doc, unit, "piece value", error);
        if (status == SY_OK)
            status = sy_json_get_double(doc, unit, "value", 0.001, 1000, &experiment->fit.unit_value, error);
        if (status == SY_OK)
            status = sy_json_get_string(doc, unit, "piece", &name, error);
        unit = sy_json_member(unit, "piece");
    } else {
        status = sy_json_get_string(doc, fit, "unit", &name, error);
    }
    for (size_t i = 0; status == SY_OK && strcmp(name, SY_UNIT_ARMY) != 0 && i < experiment->arm_count; i++)
        status = sy_arm_material(&experiment->arms[i], doc, unit, &experiment->arms[i].unit_material, error);
    if (status == SY_OK)
        experiment->fit.unit = sy_strdup(name);
    return status;
}

/* {"piece": "bishop", "colours": 3}: more for standing on so many of the board's colours. */
static enum sy_status read_colours(struct sy_arm *arm, const struct sy_json_doc *doc,
                                   const struct sy_json *item, struct sy_error *error)
{
    unsigned material = 0;
    int64_t colours = 0;
    enum sy_status status = sy_json_check_keys(doc, item, "piece colours", error);
    if (status == SY_OK)
        status = sy_json_get_int(doc, item, "colours", 2, 8, &colours, error);
    if (status == SY_OK && sy_json_member(item, "piece") == NULL)
        status = sy_json_fail(doc, item, error, "missing 'piece': which is to stand on so many colours");
    if (status == SY_OK)
        status = sy_arm_material(arm, doc, sy_json_member(item, "piece"), &material, error);
    if (status == SY_OK && colours > arm->variant->board->colours)
        status = sy_json_fail(doc, sy_json_member(item, "colours"), error, "the board of '%s' has %u colours",
                              arm->label, arm->variant->board->colours);
    if (status == SY_OK)
        arm->colours[material] = (uint8_t)colours;
    return status;
}

/* "pairs": materials, two of which may be worth more than twice one; every arm must have them. */
static enum sy_status read_pairs(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                 const struct sy_json *fit, struct sy_error *error)
{
    const struct sy_json *list = NULL;
    enum sy_status status = sy_json_get_array_or(doc, fit, "pairs", &list, error);
    for (const struct sy_json *item = list == NULL ? NULL : sy_json_first(list);
         status == SY_OK && item != NULL; item = sy_json_next(item))
        for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++) {
            struct sy_arm *arm = &experiment->arms[i];
            unsigned material = 0;
            if (sy_json_kind(item) == SY_JSON_OBJECT) {
                status = read_colours(arm, doc, item, error);
                continue;
            }
            status = sy_arm_material(arm, doc, item, &material, error);
            arm->pairs |= 1U << material;
        }
    return status;
}

/* Does the arm's start have any of them? */
static enum sy_status check_phase_of(const struct sy_arm *arm, const struct sy_json_doc *doc,
                                     const struct sy_json *list, struct sy_error *error)
{
    struct sy_position start;
    enum sy_status status = sy_fen_parse(arm->variant, arm->variant->start, &start, error);
    if (status == SY_OK && sy_count(sy_arm_phase_pieces(arm, &start)) == 0)
        status = sy_json_fail(doc, list, error, "the start of '%s' has none of these", arm->label);
    return status;
}

/* "phase_of": the materials that are counted for it, instead of all pieces. */
static enum sy_status read_phase_of(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                    const struct sy_json *fit, struct sy_error *error)
{
    const struct sy_json *list = NULL;
    enum sy_status status = sy_json_get_array_or(doc, fit, "phase_of", &list, error);
    if (status != SY_OK || list == NULL)
        return status;
    if (experiment->fit.phase == 0 && !experiment->fit.trend)
        return sy_json_fail(doc, list, error, "says what 'phase' counts, which is not there");
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++) {
        struct sy_arm *arm = &experiment->arms[i];
        for (const struct sy_json *item = sy_json_first(list); status == SY_OK && item != NULL;
             item = sy_json_next(item)) {
            unsigned material = 0;
            status = sy_arm_material(arm, doc, item, &material, error);
            arm->phase_of |= 1U << material;
        }
        if (status == SY_OK && arm->phase_of == 0)
            status = sy_json_fail(doc, list, error, "must name a piece");
        if (status == SY_OK)
            status = check_phase_of(arm, doc, list, error);
    }
    return status;
}

/* "phase": a number of bins, or "linear". */
static enum sy_status read_phase(struct sy_fit_options *fit, const struct sy_json_doc *doc,
                                 const struct sy_json *object, struct sy_error *error)
{
    const struct sy_json *value = sy_json_member(object, "phase");
    const char *word = sy_json_string(value);
    if (word == NULL)
        return read_unsigned(doc, object, "phase", 2, 4, &fit->phase, error);
    fit->trend = strcmp(word, "linear") == 0;
    return fit->trend ? SY_OK
                      : sy_json_fail(doc, value, error, "must be 2 to 4, a number of bins, or \"linear\"");
}

static enum sy_status read_fit(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                               struct sy_error *error)
{
    struct sy_fit_options *fit = &experiment->fit;
    const struct sy_json *object;
    fit->unit_value = 1;
    fit->confidence = 0.95;
    fit->bootstrap = 1000;
    fit->samples = 6;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "fit", &object, error);
    if (status != SY_OK || object == NULL)
        return status;
    status = sy_json_check_keys(doc, object,
                                "unit confidence bootstrap samples ridge margin phase phase_of pairs", error);
    if (status == SY_OK)
        status = read_unit(experiment, doc, object, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "confidence", 0.5, 0.9999, &fit->confidence, error);
    if (status == SY_OK)
        status = read_unsigned(doc, object, "bootstrap", 0, 1000000, &fit->bootstrap, error);
    if (status == SY_OK)
        status = read_unsigned(doc, object, "samples", 1, 1000, &fit->samples, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "ridge", 0, 1e6, &fit->ridge, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "margin", 0.0001, 0.5, &fit->margin, error);
    if (status == SY_OK)
        status = read_phase(fit, doc, object, error);
    if (status == SY_OK)
        status = read_phase_of(experiment, doc, object, error);
    if (status == SY_OK)
        status = read_pairs(experiment, doc, object, error);
    return status;
}

static enum sy_status read_iterate(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                   struct sy_error *error)
{
    const struct sy_json *object;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "iterate", &object, error);
    if (status != SY_OK || object == NULL)
        return status;
    int64_t rounds = 0;
    status = sy_json_check_keys(doc, object, "rounds", error);
    if (status == SY_OK)
        status = sy_json_get_int(doc, object, "rounds", 1, 100, &rounds, error);
    if (status == SY_OK && (experiment->arm_count != 1 || (experiment->design != SY_DESIGN_IMBALANCE &&
                                                           experiment->design != SY_DESIGN_PARAMETERS)))
        status = sy_json_fail(doc, object, error,
                              "rounds need the imbalance or parameters design and a single variant");
    if (status == SY_OK && experiment->arms[0].player != NULL)
        status =
            sy_json_fail(doc, object, error,
                         "rounds change what Steelyard's own engine believes, but another program plays");
    experiment->iterate = (unsigned)rounds;
    return status;
}

/* Looks after a quarter, a half, and all of the games, unless the file lists others; the last is always all.
 */
static enum sy_status read_looks(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                 const struct sy_json *object, struct sy_error *error)
{
    const struct sy_json *list = NULL;
    const uint64_t games = experiment->games_per_arm;
    enum sy_status status = sy_json_get_array_or(doc, object, "looks", &list, error);
    if (status != SY_OK)
        return status;
    if (list == NULL) {
        const uint64_t usual[] = {games / 4 / 2 * 2, games / 2 / 2 * 2};
        for (size_t i = 0; i < 2; i++)
            if (usual[i] > 0)
                experiment->until.looks[experiment->until.count++] = usual[i];
    }
    for (const struct sy_json *item = list == NULL ? NULL : sy_json_first(list); item != NULL;
         item = sy_json_next(item)) {
        const double look = sy_json_number(item);
        const size_t count = experiment->until.count;
        const double before = count == 0 ? 0 : (double)experiment->until.looks[count - 1];
        if (!(look > before && look <= (double)most_games && look <= floor(look)) ||
            count + 1 == SY_MAX_LOOKS)
            return sy_json_fail(doc, item, error, "looks are at most %d ascending numbers of games",
                                SY_MAX_LOOKS - 1);
        if (look < (double)games)
            experiment->until.looks[experiment->until.count++] = (uint64_t)look;
    }
    experiment->until.looks[experiment->until.count++] = games;
    return SY_OK;
}

static enum sy_status read_until(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                 struct sy_error *error)
{
    const struct sy_json *object;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "until", &object, error);
    if (status != SY_OK || object == NULL)
        return status;
    status = sy_json_check_keys(doc, object, "half_width looks", error);
    if (status == SY_OK)
        status =
            sy_json_get_double(doc, object, "half_width", 1e-6, 1000, &experiment->until.half_width, error);
    if (status == SY_OK &&
        (experiment->arm_count != 1 || experiment->design == SY_DESIGN_POSITIONS || experiment->iterate > 0))
        status = sy_json_fail(doc, object, error,
                              "needs a single variant whose games are played, and no 'iterate'");
    return status == SY_OK ? read_looks(experiment, doc, object, error) : status;
}

/* ---- what does not fit together ---- */

static enum sy_status check_design_keys(const struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                        struct sy_error *error)
{
    static const struct {
        const char *key;
        enum sy_design design;
    } owned[] = {{"imbalance", SY_DESIGN_IMBALANCE},  {"randomise", SY_DESIGN_PARAMETERS},
                 {"games_file", SY_DESIGN_POSITIONS}, {"games_digest", SY_DESIGN_POSITIONS},
                 {"games_arm", SY_DESIGN_POSITIONS},  {"letters", SY_DESIGN_POSITIONS}};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) {
        const struct sy_json *value = sy_json_member(sy_json_root(doc), owned[i].key);
        if (value != NULL && experiment->design != owned[i].design)
            return sy_json_fail(doc, value, error, "belongs to the %s design; this one is '%s'",
                                sy_design_name(owned[i].design), sy_design_name(experiment->design));
    }
    return SY_OK;
}

/* Without drawn starts, drawn parameters, random plies or noise all games of an arm are the same one. */
static enum sy_status check_variety(const struct sy_experiment *experiment, const struct sy_json_doc *doc,
                                    struct sy_error *error)
{
    if (experiment->design != SY_DESIGN_FIRST_MOVE || experiment->opening.high > 0 ||
        experiment->games_per_arm == 1)
        return SY_OK;
    for (size_t i = 0; i < experiment->arm_count; i++) {
        const struct sy_arm *arm = &experiment->arms[i];
        struct sy_params params = arm->params;
        double min, max;
        const double *noise = sy_params_find(arm->variant, &params, "eval.noise", &min, &max);
        if (noise == NULL || *noise <= 0)
            return sy_json_fail(doc, sy_json_root(doc), error,
                                "all games of '%s' would be the same: give 'opening' random plies or "
                                "the engine some 'eval.noise'",
                                arm->label);
    }
    return SY_OK;
}

/* ---- whole ---- */

static enum sy_status read_all(struct sy_experiment *experiment, const struct sy_json_doc *doc,
                               uint64_t games, struct sy_error *error)
{
    enum sy_status status = read_basics(experiment, doc, games, error);
    if (status == SY_OK)
        status = check_design_keys(experiment, doc, error);
    if (status == SY_OK)
        status = sy_experiment_read_arms(experiment, doc, error);
    if (status == SY_OK)
        status = read_opening(experiment, doc, error);
    if (status == SY_OK)
        status = read_adjudicate(experiment, doc, error);
    if (status == SY_OK)
        status = read_failures(experiment, doc, error);
    if (status == SY_OK)
        status = read_imbalance(experiment, doc, error);
    if (status == SY_OK)
        status = read_randomise(experiment, doc, error);
    if (status == SY_OK)
        status = read_fit(experiment, doc, error);
    if (status == SY_OK && experiment->design == SY_DESIGN_POSITIONS)
        status = sy_experiment_read_positions(experiment, doc, experiment->games_per_arm, error);
    if (status == SY_OK)
        status = read_iterate(experiment, doc, error);
    if (status == SY_OK)
        status = read_until(experiment, doc, error);
    if (status == SY_OK)
        status = check_variety(experiment, doc, error);
    return status;
}

enum sy_status sy_experiment_create(struct sy_json_doc *doc, uint64_t games, struct sy_experiment **out,
                                    struct sy_error *error)
{
    struct sy_experiment *experiment = sy_alloc(1, sizeof *experiment);
    enum sy_status status = read_all(experiment, doc, games, error);
    sy_json_free(doc);
    if (status != SY_OK) {
        sy_experiment_free(experiment);
        return status;
    }
    sy_experiment_write_canonical(experiment);
    *out = experiment;
    return SY_OK;
}

enum sy_status sy_experiment_load(const char *path, uint64_t games, struct sy_experiment **out,
                                  struct sy_error *error)
{
    struct sy_json_doc *doc;
    enum sy_status status = sy_json_read_file(path, &doc, error);
    return status == SY_OK ? sy_experiment_create(doc, games, out, error) : status;
}

void sy_experiment_free(struct sy_experiment *experiment)
{
    if (experiment == NULL)
        return;
    for (size_t i = 0; i < experiment->arm_count; i++)
        sy_arm_clear(&experiment->arms[i]);
    free(experiment->arms);
    sy_json_free(experiment->randomise);
    free(experiment->positions.file);
    free(experiment->positions.arm);
    sy_json_free(experiment->positions.letters);
    sy_game_source_free(experiment->positions.games);
    free(experiment->title);
    free(experiment->about);
    free(experiment->fit.unit);
    free(experiment->canonical);
    free(experiment);
}

bool sy_experiment_has_program(const struct sy_experiment *experiment)
{
    for (size_t i = 0; i < experiment->arm_count; i++)
        if (experiment->arms[i].player != NULL)
            return true;
    return false;
}

/* ---- numbering ---- */

uint64_t sy_experiment_games(const struct sy_experiment *experiment)
{
    return experiment->arm_count * experiment->games_per_arm;
}

unsigned sy_experiment_arm(const struct sy_experiment *experiment, uint64_t number)
{
    return (unsigned)(number / experiment->games_per_arm);
}

/* Games from elsewhere come singly. */
uint64_t sy_experiment_pair(const struct sy_experiment *experiment, uint64_t number)
{
    if (experiment->design == SY_DESIGN_POSITIONS)
        return number;
    const uint64_t pairs_per_arm = (experiment->games_per_arm + 1) / 2;
    const uint64_t arm = number / experiment->games_per_arm, game = number % experiment->games_per_arm;
    return arm * pairs_per_arm + game / 2;
}
