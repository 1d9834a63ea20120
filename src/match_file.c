/* match_file: reading a match file.
 *
 * Variant, seed, openings and cutting off mean what they mean in an experiment, and are read by it. */
#include "steelyard/match.h"

#include <stdlib.h>
#include <string.h>

static const char keys[] = "title about design variant seed games nodes depth movetime hash engine players "
                           "opening adjudicate sprt confidence failures";
static const int64_t most_games = 1000000;

/* The file as an experiment of one arm without what only matches have. */
static struct sy_json_doc *opening_part(const struct sy_json_doc *doc)
{
    static const char *const left_out[] = {"movetime", "depth", "players", "sprt", "confidence", "failures"};
    struct sy_json *patch = sy_json_new_object();
    sy_json_add_string(patch, "design", sy_design_name(SY_DESIGN_FIRST_MOVE));
    sy_json_add_int(patch, "nodes", 1);
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        sy_json_add(patch, left_out[i], sy_json_new_null());
    struct sy_json_doc *part = sy_json_merge(sy_json_name(doc), sy_json_root(doc), patch);
    sy_json_delete(patch);
    return part;
}

static enum sy_status read_openings(struct sy_match *match, struct sy_error *error)
{
    enum sy_status status = sy_experiment_create(opening_part(match->doc), 0, &match->openings, error);
    if (status != SY_OK)
        return status;
    /* In that design, and without anything drawn, a pair shares its opening. */
    match->openings->design = SY_DESIGN_PARAMETERS;
    match->variant = match->openings->arms[0].variant;
    return SY_OK;
}

static enum sy_status read_design(const struct sy_json_doc *doc, struct sy_error *error)
{
    const char *design;
    enum sy_status status = sy_json_get_string(doc, sy_json_root(doc), "design", &design, error);
    if (status == SY_OK && strcmp(design, "match") != 0)
        status = sy_json_fail(doc, sy_json_member(sy_json_root(doc), "design"), error,
                              "a match file's design is 'match', not '%s'", design);
    return status;
}

static enum sy_status read_numbers(struct sy_match *match, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(match->doc);
    int64_t games = 0, failures = 5;
    match->confidence = 0.95;
    enum sy_status status = sy_json_get_int(match->doc, root, "games", 2, most_games, &games, error);
    if (status == SY_OK && games % 2 != 0)
        status = sy_json_fail(match->doc, sy_json_member(root, "games"), error,
                              "must be even, as games come in pairs");
    if (status == SY_OK)
        status = sy_json_get_int_or(match->doc, root, "failures", 1, most_games, &failures, error);
    if (status == SY_OK)
        status =
            sy_json_get_double_or(match->doc, root, "confidence", 0.5, 0.9999, &match->confidence, error);
    match->games = (uint64_t)games;
    match->failures = (unsigned)failures;
    return status;
}

static enum sy_status read_players(struct sy_match *match, struct sy_error *error)
{
    const struct sy_json_doc *doc = match->doc;
    const struct sy_json *players;
    unsigned count = 0;
    enum sy_status status = sy_json_get_object(doc, sy_json_root(doc), "players", &players, error);
    if (status == SY_OK && sy_json_count(players) != 2)
        status = sy_json_fail(doc, players, error, "must be two players by their names");
    if (status != SY_OK)
        return status;
    for (const struct sy_json *player = sy_json_first(players); status == SY_OK && player != NULL;
         player = sy_json_next(player), count++)
        status =
            sy_player_read(doc, player, sy_json_key(player), match->variant, &match->openings->arms[0].params,
                           sy_json_root(doc), &match->player[count], error);
    return status;
}

static enum sy_status read_sprt(struct sy_match *match, struct sy_error *error)
{
    const struct sy_json_doc *doc = match->doc;
    const struct sy_json *object;
    struct sy_sprt *test = &match->sprt;
    *test = (struct sy_sprt){.alpha = 0.05, .beta = 0.05};
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "sprt", &object, error);
    if (status != SY_OK || object == NULL)
        return status;
    match->sequential = true;
    status = sy_json_check_keys(doc, object, "elo0 elo1 alpha beta", error);
    if (status == SY_OK)
        status = sy_json_get_double(doc, object, "elo0", -1000, 1000, &test->elo0, error);
    if (status == SY_OK)
        status = sy_json_get_double(doc, object, "elo1", -1000, 1000, &test->elo1, error);
    if (status == SY_OK && !(test->elo0 < test->elo1))
        status = sy_json_fail(doc, object, error, "'elo0' must be below 'elo1'");
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "alpha", 1e-6, 0.49, &test->alpha, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "beta", 1e-6, 0.49, &test->beta, error);
    return status;
}

enum sy_status sy_match_load(const char *path, struct sy_match **out, struct sy_error *error)
{
    struct sy_json_doc *doc;
    enum sy_status status = sy_json_read_file(path, &doc, error);
    if (status != SY_OK)
        return status;
    struct sy_match *match = sy_alloc(1, sizeof *match);
    match->doc = doc;
    status = sy_json_check_keys(doc, sy_json_root(doc), keys, error);
    if (status == SY_OK)
        status = read_design(doc, error);
    if (status == SY_OK)
        status = read_numbers(match, error);
    if (status == SY_OK)
        status = read_sprt(match, error);
    if (status == SY_OK)
        status = read_openings(match, error);
    if (status == SY_OK)
        status = read_players(match, error);
    if (status == SY_OK)
        *out = match;
    else
        sy_match_free(match);
    return status;
}

void sy_match_free(struct sy_match *match)
{
    if (match == NULL)
        return;
    sy_player_spec_clear(&match->player[0]);
    sy_player_spec_clear(&match->player[1]);
    sy_experiment_free(match->openings);
    sy_json_free(match->doc);
    free(match);
}

bool sy_match_repeats(const struct sy_match *match)
{
    return sy_player_repeats(&match->player[0]) && sy_player_repeats(&match->player[1]);
}
