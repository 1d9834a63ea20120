/* player_spec: players as files describe them. */
#include "steelyard/player.h"

#include <stdlib.h>
#include <string.h>

static const double default_patience = 30; /* seconds */

/* A table that holds a few moves' nodes at some 16 bytes an entry, and that is cheap to clear. */
static int64_t default_kibibytes(const struct sy_player_spec *spec)
{
    const uint64_t wanted = spec->limits.nodes == 0 ? 16384 : spec->limits.nodes / 16;
    int64_t kibibytes = 64;
    while (kibibytes < 65536 && (uint64_t)kibibytes < wanted)
        kibibytes *= 2;
    return kibibytes;
}

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
        status = sy_json_fail(doc, object, error,
                              "xboard's protocol knows no limit of nodes: give 'movetime' or 'depth'");
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
    enum sy_status status = sy_json_check_keys(doc, object, "engine nodes depth movetime hash", error);
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
    int64_t kibibytes = default_kibibytes(spec);
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
