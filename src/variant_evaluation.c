/* variant_evaluation: what a variant file says about judging its positions: the engine's defaults for this
 * game, and tables per piece. `steelyard tune` writes it. Tables for White; Black has them mirrored. */
#include "steelyard/params.h"
#include "variant_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double worth_max = 50; /* pawns */

/* The numbers of an array that must have so many. */
static enum sy_status read_numbers(const struct sy_json_doc *doc, const struct sy_json *object,
                                   const char *key, size_t count, double *out, struct sy_error *error)
{
    const struct sy_json *list;
    enum sy_status status = sy_json_get_array(doc, object, key, &list, error);
    if (status == SY_OK && sy_json_count(list) != count)
        status = sy_json_fail(doc, list, error,
                              "has %zu numbers, not %zu: tune the changed game again, or take its evaluation "
                              "out with \"evaluation\": null",
                              sy_json_count(list), count);
    for (const struct sy_json *item = status ? NULL : sy_json_first(list); item; item = sy_json_next(item)) {
        const double number = sy_json_number(item);
        if (!(fabs(number) <= worth_max))
            return sy_json_fail(doc, item, error, "must be a number of pawns from %g to %g", -worth_max,
                                worth_max);
        *out++ = number;
    }
    return status;
}

struct place {
    const char *key;
    size_t count; /* numbers; 1: no array */
    double *phase[2];
};

static enum sy_status read_place(const struct sy_json_doc *doc, const struct sy_json *piece,
                                 const struct place *place, struct sy_error *error)
{
    static const char *const names[2] = {"full", "bare"};
    const struct sy_json *object;
    enum sy_status status = sy_json_get_object_or(doc, piece, place->key, &object, error);
    if (status || !object)
        return status;
    status = sy_json_check_keys(doc, object, "full|bare", error);
    for (unsigned i = 0; i < 2 && !status; i++)
        status =
            place->count == 1
                ? sy_json_get_double(doc, object, names[i], -worth_max, worth_max, place->phase[i], error)
                : read_numbers(doc, object, names[i], place->count, place->phase[i], error);
    return status;
}

static enum sy_status read_piece(const struct sy_variant *variant, const struct sy_json *piece,
                                 struct sy_tuned *tuned, struct sy_error *error)
{
    const struct sy_json_doc *doc = variant->doc;
    const unsigned type = sy_variant_type_named(variant, sy_json_key(piece));
    if (type == SY_NO_TYPE)
        return sy_json_fail(doc, piece, error, "the game has no piece called '%s'", sy_json_key(piece));
    const struct place places[] = {
        {"placement", variant->cells, {tuned->placement[0][type], tuned->placement[1][type]}},
        {"passed", variant->cells, {tuned->passed[0][type], tuned->passed[1][type]}},
        {"mobility", 1, {&tuned->mobility[0][type], &tuned->mobility[1][type]}},
        {"pair", 1, {&tuned->pair[0][type], &tuned->pair[1][type]}},
    };
    enum sy_status status = sy_json_check_keys(doc, piece, "placement|passed|mobility|pair", error);
    for (size_t i = 0; i < sizeof places / sizeof *places && !status; i++)
        status = read_place(doc, piece, &places[i], error);
    return status;
}

static enum sy_status read_engine(struct sy_variant *variant, const struct sy_json *engine,
                                  struct sy_tuned *tuned, struct sy_error *error)
{
    struct sy_params params;
    for (size_t i = 0; i < SY_MAX_PARAMS; i++)
        params.other[i] = NAN;
    for (const struct sy_json *item = engine ? sy_json_first(engine) : NULL; item; item = sy_json_next(item))
        if (strncmp(sy_json_key(item), "value.", strlen("value.")) == 0)
            return sy_json_fail(variant->doc, item, error, "piece values stand in \"values\"");
    if (engine) {
        const enum sy_status status = sy_params_read(variant, variant->doc, engine, &params, error);
        if (status)
            return status;
    }
    double *own = sy_variant_block(variant, SY_MAX_PARAMS, sizeof *own);
    memcpy(own, params.other, SY_MAX_PARAMS * sizeof *own);
    tuned->engine = own;
    return SY_OK;
}

enum sy_status sy_variant_read_evaluation(struct sy_variant *variant, struct sy_error *error)
{
    const struct sy_json_doc *doc = variant->doc;
    const struct sy_json *evaluation, *engine, *pieces;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "evaluation", &evaluation, error);
    if (status || !evaluation)
        return status;
    struct sy_tuned *tuned = sy_variant_block(variant, 1, sizeof *tuned);
    status = sy_json_check_keys(doc, evaluation, "about|engine|pieces", error);
    status = status ? status : sy_json_get_object_or(doc, evaluation, "engine", &engine, error);
    status = status ? status : sy_json_get_object_or(doc, evaluation, "pieces", &pieces, error);
    status = status ? status : read_engine(variant, engine, tuned, error);
    for (const struct sy_json *piece = !status && pieces ? sy_json_first(pieces) : NULL; piece && !status;
         piece = sy_json_next(piece))
        status = read_piece(variant, piece, tuned, error);
    variant->tuned = tuned;
    return status;
}
