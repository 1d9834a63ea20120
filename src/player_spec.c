/* player_spec: players as files describe them. */
#include "steelyard/player.h"

#include <stdlib.h>
#include <string.h>

static const double default_patience = 30; /* seconds */

/* ---- limits ---- */

static bool has_limit(const struct sy_json *object)
{
    return sy_json_member(object, "nodes") != NULL || sy_json_member(object, "depth") != NULL ||
           sy_json_member(object, "movetime") != NULL;
}

/* The player's own limits, or else the defaults, all of them. */
static enum sy_status read_limits(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const struct sy_json *defaults, struct sy_player_spec *spec,
                                  struct sy_error *error)
{
    const struct sy_json *from = has_limit(object) ? object : defaults;
    int64_t nodes = 0, depth = 0, move_time = 0;
    if (spec->limits.greedy)
        return has_limit(object)
                   ? sy_json_fail(doc, object, error, "a greedy player does not search: leave out the limit")
                   : SY_OK;
    if (!has_limit(from))
        return sy_json_fail(doc, object, error,
                            "missing 'nodes', 'depth' or 'movetime': how far a move is searched");
    enum sy_status status = sy_json_get_int_or(doc, from, "nodes", 1, 1000000000000, &nodes, error);
    if (status == SY_OK)
        status = sy_json_get_int_or(doc, from, "depth", 1, SY_MAX_PLY / 2, &depth, error);
    if (status == SY_OK)
        status = sy_json_get_int_or(doc, from, "movetime", 1, 3600000, &move_time, error);
    spec->limits = (struct sy_limits){.nodes = (uint64_t)nodes, .depth = (unsigned)depth};
    spec->move_time = (unsigned)move_time;
    if (status == SY_OK && spec->kind == SY_PLAYER_XBOARD && nodes > 0)
        status =
            sy_json_fail(doc, object, error,
                         "xboard's protocol knows no limit of nodes: give 'depth', or in a match 'movetime'");
    return status;
}

/* ---- processes ---- */

static enum sy_status read_command(const struct sy_json_doc *doc, const struct sy_json *object,
                                   const char *key, struct sy_player_spec *spec, struct sy_error *error)
{
    const struct sy_json *words;
    enum sy_status status = sy_json_get_array(doc, object, key, &words, error);
    if (status != SY_OK)
        return status;
    if (sy_json_count(words) == 0)
        return sy_json_fail(doc, words, error, "must be a program and its arguments");
    spec->command = sy_alloc(sy_json_count(words) + 1, sizeof *spec->command);
    size_t count = 0;
    for (const struct sy_json *word = sy_json_first(words); word != NULL; word = sy_json_next(word)) {
        if (sy_json_string(word) == NULL)
            return sy_json_fail(doc, word, error, "must be a string");
        spec->command[count++] = sy_strdup(sy_json_string(word));
    }
    return SY_OK;
}

/* An option's value as the protocols write it; NULL for what no option can be. A new string. */
static char *option_text(const struct sy_json *value, bool uci)
{
    char number[32];
    switch (sy_json_kind(value)) {
    case SY_JSON_STRING:
        return sy_strdup(sy_json_string(value));
    case SY_JSON_NUMBER:
        sy_double_text(sy_json_number(value), number);
        return sy_strdup(number);
    case SY_JSON_BOOL:
        if (uci)
            return sy_strdup(sy_json_true(value) ? "true" : "false");
        return sy_strdup(sy_json_true(value) ? "1" : "0");
    default:
        return NULL;
    }
}

static enum sy_status read_options(const struct sy_json_doc *doc, const struct sy_json *object,
                                   struct sy_player_spec *spec, struct sy_error *error)
{
    const struct sy_json *options;
    enum sy_status status = sy_json_get_object_or(doc, object, "options", &options, error);
    if (status != SY_OK || options == NULL)
        return status;
    spec->options = sy_alloc(sy_json_count(options) + 1, sizeof *spec->options);
    for (const struct sy_json *member = sy_json_first(options); member != NULL;
         member = sy_json_next(member)) {
        char *value = option_text(member, spec->kind == SY_PLAYER_UCI);
        if (value == NULL || strpbrk(value, "\r\n") != NULL || strpbrk(sy_json_key(member), "\r\n") != NULL) {
            free(value);
            return sy_json_fail(doc, member, error, "must be a string of one line, a number, true or false");
        }
        spec->options[spec->option_count++] =
            (struct sy_player_option){sy_strdup(sy_json_key(member)), value};
    }
    return SY_OK;
}

static enum sy_status read_process(const struct sy_json_doc *doc, const struct sy_json *object,
                                   struct sy_player_spec *spec, struct sy_error *error)
{
    const char *kind = spec->kind == SY_PLAYER_UCI ? "uci" : "xboard";
    char *keys = sy_format("%s options nodes depth movetime patience", kind);
    enum sy_status status = sy_json_check_keys(doc, object, keys, error);
    free(keys);
    if (status == SY_OK)
        status = read_command(doc, object, kind, spec, error);
    if (status == SY_OK)
        status = read_options(doc, object, spec, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, object, "patience", 0.01, 86400, &spec->patience, error);
    return status;
}

/* ---- our own engine ---- */

static enum sy_status read_own(const struct sy_json_doc *doc, const struct sy_json *object,
                               const struct sy_variant *variant, struct sy_player_spec *spec,
                               struct sy_error *error)
{
    const struct sy_json *engine;
    enum sy_status status = sy_json_check_keys(doc, object, "engine nodes depth movetime hash greedy", error);
    if (status == SY_OK)
        status = sy_json_get_bool_or(doc, object, "greedy", &spec->limits.greedy, error);
    if (status == SY_OK)
        status = sy_json_get_object_or(doc, object, "engine", &engine, error);
    if (status == SY_OK && engine != NULL)
        status = sy_params_read(variant, doc, engine, &spec->params, error);
    return status;
}

static enum sy_status read_table(const struct sy_json_doc *doc, const struct sy_json *object,
                                 const struct sy_json *defaults, struct sy_player_spec *spec,
                                 struct sy_error *error)
{
    int64_t kibibytes = (int64_t)(sy_engine_table_bytes(&spec->limits) / 1024);
    enum sy_status status = sy_json_get_int_or(doc, defaults, "hash", 1, 1 << 24, &kibibytes, error);
    if (status == SY_OK)
        status = sy_json_get_int_or(doc, object, "hash", 1, 1 << 24, &kibibytes, error);
    spec->table_bytes = (size_t)kibibytes * 1024;
    return status;
}

/* ---- whole ---- */

enum sy_status sy_player_read(const struct sy_json_doc *doc, const struct sy_json *object, const char *name,
                              const struct sy_variant *variant, const struct sy_params *params,
                              const struct sy_json *defaults, struct sy_player_spec *spec,
                              struct sy_error *error)
{
    memset(spec, 0, sizeof *spec);
    spec->name = sy_strdup(name);
    spec->params = *params;
    spec->patience = default_patience;
    spec->kind = sy_json_member(object, "uci") != NULL      ? SY_PLAYER_UCI
                 : sy_json_member(object, "xboard") != NULL ? SY_PLAYER_XBOARD
                                                            : SY_PLAYER_OWN;
    enum sy_status status = spec->kind == SY_PLAYER_OWN ? read_own(doc, object, variant, spec, error)
                                                        : read_process(doc, object, spec, error);
    if (status == SY_OK)
        status = read_limits(doc, object, defaults, spec, error);
    if (status == SY_OK && spec->kind == SY_PLAYER_OWN)
        status = read_table(doc, object, defaults, spec, error);
    return status;
}

/* ---- players of experiments ---- */

static void add_limits(struct sy_json *object, const struct sy_limits *limits)
{
    if (limits->nodes != 0)
        sy_json_add_int(object, "nodes", (int64_t)limits->nodes);
    if (limits->depth != 0)
        sy_json_add_int(object, "depth", limits->depth);
}

static enum sy_status check_program(const struct sy_json_doc *doc, const struct sy_json *object,
                                    const struct sy_json *limits, struct sy_error *error)
{
    const struct sy_json *time = sy_json_member(object, "movetime");
    if (sy_json_member(object, "uci") == NULL && sy_json_member(object, "xboard") == NULL)
        return sy_json_fail(doc, object, error,
                            "must be another program: give its 'uci' or 'xboard'; Steelyard's own engine "
                            "plays where there is no 'player'");
    if (time != NULL)
        return sy_json_fail(doc, time, error,
                            "an experiment's moves are limited by 'nodes' or 'depth', never by time");
    if (!has_limit(object) && !has_limit(limits))
        return sy_json_fail(doc, object, error, "missing 'nodes' or 'depth': how far a move is searched");
    return SY_OK;
}

enum sy_status sy_player_read_program(const struct sy_json_doc *doc, const struct sy_json *object,
                                      const struct sy_variant *variant, const struct sy_limits *limits,
                                      struct sy_player_spec *spec, struct sy_error *error)
{
    struct sy_params params;
    struct sy_json *defaults = sy_json_new_object();
    add_limits(defaults, limits);
    sy_params_default(variant, &params);
    memset(spec, 0, sizeof *spec);
    enum sy_status status = check_program(doc, object, defaults, error);
    if (status == SY_OK)
        status = sy_player_read(doc, object, "program", variant, &params, defaults, spec, error);
    if (status == SY_OK) {
        const char *slash = strrchr(spec->command[0], '/');
        free(spec->name);
        spec->name = sy_strdup(slash == NULL ? spec->command[0] : slash + 1);
    }
    sy_json_delete(defaults);
    return status;
}

struct sy_json *sy_player_json(const struct sy_player_spec *spec)
{
    struct sy_json *object = sy_json_new_object(), *words = sy_json_new_array(),
                   *options = sy_json_new_object();
    for (char **word = spec->command; *word != NULL; word++)
        sy_json_append(words, sy_json_new_string(*word));
    sy_json_add(object, spec->kind == SY_PLAYER_UCI ? "uci" : "xboard", words);
    for (size_t i = 0; i < spec->option_count; i++)
        sy_json_add_string(options, spec->options[i].name, spec->options[i].value);
    sy_json_add(object, "options", options);
    add_limits(object, &spec->limits);
    sy_json_add_number(object, "patience", spec->patience);
    return object;
}

/* ---- all ---- */

void sy_player_spec_clear(struct sy_player_spec *spec)
{
    for (char **word = spec->command; word != NULL && *word != NULL; word++)
        free(*word);
    for (size_t i = 0; i < spec->option_count; i++) {
        free(spec->options[i].name);
        free(spec->options[i].value);
    }
    free(spec->command);
    free(spec->options);
    free(spec->name);
    memset(spec, 0, sizeof *spec);
}

bool sy_player_repeats(const struct sy_player_spec *spec)
{
    return spec->kind == SY_PLAYER_OWN && spec->move_time == 0;
}
