/* The fit of an evaluation's terms to games, and the variant file that it makes. */
#include "tune_internal.h"

#include <math.h>
#include <stdlib.h>

/* The prior in logits. */
struct prior {
    double *spread;
    struct sy_logit_tie *tie;
};

static struct prior prior_of(const struct sy_tune *tune, double scale)
{
    struct prior prior = {sy_alloc(tune->columns, sizeof *prior.spread),
                          sy_alloc(tune->ties + 1, sizeof *prior.tie)};
    for (size_t j = 0; j < tune->columns; j++)
        prior.spread[j] = scale * tune->spread[j];
    for (size_t i = 0; i < tune->ties; i++) {
        prior.tie[i] = tune->tie[i];
        prior.tie[i].spread *= scale;
    }
    return prior;
}

static struct sy_logit_data data_of(const struct sy_tune *tune, const struct sy_tune_sample *sample,
                                    double scale, const struct prior *prior)
{
    return (struct sy_logit_data){.rows = sample->rows,
                                  .columns = tune->columns,
                                  .ties = tune->ties,
                                  .row = sample->row,
                                  .term = sample->term,
                                  .offset_scale = scale,
                                  .spread = prior->spread,
                                  .tie = prior->tie};
}

/* Logits per pawn of the evaluation as it was. */
static enum sy_stat find_scale(const struct sy_tune_sample *sample, double *constant, double *scale)
{
    static const double spread = 100;
    struct sy_logit_row *row = sy_alloc(sample->rows + 1, sizeof *row);
    struct sy_logit_term *term = sy_alloc(sample->rows + 1, sizeof *term);
    for (size_t i = 0; i < sample->rows; i++) {
        row[i] = (struct sy_logit_row){i, 1, 0, sample->row[i].y, sample->row[i].weight};
        term[i] = (struct sy_logit_term){0, (float)sample->row[i].offset};
    }
    const struct sy_logit_data data = {
        .rows = sample->rows, .columns = 1, .row = row, .term = term, .spread = &spread};
    const enum sy_stat status = sy_logit_fit(&data, constant, scale);
    free(row);
    free(term);
    return status;
}

static struct sy_json *phases(double full, double bare)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add_number(object, "full", round(full * 100) / 100);
    sy_json_add_number(object, "bare", round(bare * 100) / 100);
    return object;
}

/* Null, which takes out what the file has, when every number is nothing. */
static struct sy_json *table(const struct sy_tune *tune, const double *worth, enum sy_eval_term_kind kind,
                             unsigned type)
{
    static const char *const names[2] = {"full", "bare"};
    struct sy_json *object = sy_json_new_object();
    double largest = 0;
    for (unsigned phase = 0; phase < 2; phase++) {
        struct sy_json *list = sy_json_new_array();
        for (unsigned cell = 0; cell < tune->variant->cells; cell++) {
            const double number = round(worth[sy_tune_term(tune, kind, phase, type, cell)] * 100) / 100 + 0.0;
            sy_json_append(list, sy_json_new_number(number));
            largest = fmax(largest, fabs(number));
        }
        sy_json_add(object, names[phase], list);
    }
    if (largest > 0)
        return object;
    sy_json_delete(object);
    return sy_json_new_null();
}

static struct sy_json *piece_of(const struct sy_tune *tune, const double *worth, unsigned type)
{
    static const struct {
        const char *key;
        enum sy_eval_term_kind kind;
    } single[] = {{"mobility", SY_TERM_MOBILITY}, {"pair", SY_TERM_PAIR}},
      tables[] = {{"placement", SY_TERM_PLACEMENT}, {"passed", SY_TERM_PASSED}};
    struct sy_json *piece = sy_json_new_object();
    for (size_t i = 0; i < 2; i++) {
        const double full = worth[sy_tune_term(tune, single[i].kind, 0, type, 0)];
        const double bare = worth[sy_tune_term(tune, single[i].kind, 1, type, 0)];
        const bool some = fmax(fabs(full), fabs(bare)) >= 0.005;
        sy_json_add(piece, single[i].key, some ? phases(full, bare) : sy_json_new_null());
    }
    for (size_t i = 0; i < 2; i++) {
        sy_json_add(piece, tables[i].key, table(tune, worth, tables[i].kind, type));
    }
    return piece;
}

static struct sy_json *document_of(const struct sy_tune *tune, const double *worth, const char *about)
{
    const struct sy_variant *variant = tune->variant;
    struct sy_json *patch = sy_json_new_object(), *values = sy_json_new_object();
    struct sy_json *evaluation = sy_json_new_object(), *engine = sy_json_new_object();
    struct sy_json *pieces = sy_json_new_object();
    for (unsigned i = 0; i < variant->materials; i++)
        if (!variant->material_royal[i])
            sy_json_add_number(values, variant->material[i],
                               fmax(0, round(worth[sy_tune_term(tune, SY_TERM_VALUE, 0, i, 0)] * 100) / 100));
    for (unsigned i = SY_EVAL_MOBILITY; i <= SY_EVAL_TEMPO; i++) {
        const struct sy_param_info *info = sy_param_info(i);
        const double number = round(worth[sy_tune_term(tune, SY_TERM_PARAM, 0, i, 0)] * 1000) / 1000 + 0.0;
        if (i == SY_EVAL_TABLES)
            sy_json_add(engine, info->name, sy_json_new_null()); /* the new tables count in full */
        else
            sy_json_add_number(engine, info->name, fmin(info->max, fmax(info->min, number)));
    }
    for (unsigned type = 0; type < variant->types; type++)
        sy_json_add(pieces, variant->type[type].name, piece_of(tune, worth, type));
    sy_json_add_string(evaluation, "about", about);
    sy_json_add(evaluation, "engine", engine);
    sy_json_add(evaluation, "pieces", pieces);
    sy_json_add(patch, "values", values);
    sy_json_add(patch, "evaluation", evaluation);
    struct sy_json_doc *merged = sy_json_merge(variant->name, sy_json_root(variant->doc), patch);
    struct sy_json *document = sy_json_copy(sy_json_root(merged));
    sy_json_free(merged);
    sy_json_delete(patch);
    return document;
}

static double *worth_after(const struct sy_tune *tune, double scale, const double *b)
{
    double *worth = sy_alloc(tune->terms, sizeof *worth);
    for (size_t i = 0; i < tune->terms; i++)
        worth[i] = tune->before[i] + (tune->column[i] == SY_NO_COLUMN ? 0 : b[tune->column[i]] / scale);
    return worth;
}

/* The mean of what a type's pieces add by where they stand and how far they can go. */
static double mean_standing(const struct sy_tune *tune, const struct sy_params *params, const double *worth,
                            unsigned type)
{
    const unsigned piece = sy_piece_code(type, SY_WHITE);
    double sum = 0, pieces = 0;
    for (unsigned cell = 0; cell < tune->variant->cells; cell++) {
        double geometry[2];
        sy_eval_geometry(tune->eval, params, piece, cell, &geometry[0], &geometry[1]);
        for (unsigned phase = 0; phase < 2; phase++) {
            const size_t term = sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, cell);
            sum += tune->exposure[term] * (worth[term] + geometry[phase]);
            pieces += tune->exposure[term];
        }
    }
    for (unsigned phase = 0; phase < 2; phase++) {
        const size_t term = sy_tune_term(tune, SY_TERM_MOBILITY, phase, type, 0);
        sum += tune->exposure[term] * (worth[term] + params->other[SY_EVAL_MOBILITY + phase]);
    }
    return pieces > 0 ? sum / pieces : 0;
}

/* Gives the mean of what a type's pieces add by their standing to the value, and takes it off the placement:
 * a value is what a piece is worth on the whole, which exchanges go by. */
static void centre(const struct sy_tune *tune, double *worth)
{
    const struct sy_variant *variant = tune->variant;
    struct sy_params params = *tune->params;
    double shift[SY_MAX_TYPES] = {0}, weight[SY_MAX_TYPES] = {0};
    for (unsigned i = 0; i < SY_PARAM_COUNT; i++)
        params.other[i] = worth[sy_tune_term(tune, SY_TERM_PARAM, 0, i, 0)];
    for (unsigned type = 0; type < variant->types; type++) {
        const unsigned material = variant->type[type].material;
        if (variant->material_royal[material])
            continue;
        const double mean = mean_standing(tune, &params, worth, type);
        double pieces = 0;
        for (unsigned cell = 0; cell < variant->cells; cell++)
            for (unsigned phase = 0; phase < 2; phase++)
                pieces += tune->exposure[sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, cell)];
        shift[material] += pieces * mean;
        weight[material] += pieces;
    }
    for (unsigned type = 0; type < variant->types; type++) {
        const unsigned material = variant->type[type].material;
        for (unsigned cell = 0; weight[material] > 0 && cell < variant->cells; cell++)
            for (unsigned phase = 0; phase < 2; phase++)
                worth[sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, cell)] -=
                    shift[material] / weight[material];
    }
    for (unsigned i = 0; i < variant->materials; i++)
        if (weight[i] > 0)
            worth[sy_tune_term(tune, SY_TERM_VALUE, 0, i, 0)] += shift[i] / weight[i];
}

enum sy_status sy_tune_fit(const struct sy_tune *tune, struct sy_tuning *tuning, struct sy_error *error)
{
    double constant, scale;
    const struct sy_tune_sample *sample = &tune->fitted;
    *tuning = (struct sy_tuning){.games = sample->games, .positions = sample->rows};
    if (sample->games < 100 || tune->held.games < 10)
        return sy_fail(error, SY_BAD_INPUT, "%zu games with quiet positions are too few to tune by",
                       sample->games + tune->held.games);
    enum sy_stat status = find_scale(sample, &constant, &scale);
    if (status != SY_STAT_OK || !(scale > 0))
        return sy_fail(error, SY_FAILED, "the evaluation as it is says nothing about these games' results");
    double *b = sy_alloc(tune->columns, sizeof *b);
    const struct prior prior = prior_of(tune, scale);
    const struct sy_logit_data data = data_of(tune, sample, scale, &prior);
    const struct sy_logit_data held = data_of(tune, &tune->held, scale, &prior);
    tuning->scale = scale;
    tuning->before = sy_logit_loss(&held, constant, b);
    status = sy_logit_fit(&data, &constant, b);
    if (status == SY_STAT_OK) {
        tuning->after = sy_logit_loss(&held, constant, b);
        double *worth = worth_after(tune, scale, b);
        centre(tune, worth);
        char *about = sy_format("Tuned by %zu positions of %zu games.", sample->rows, sample->games);
        tuning->document = document_of(tune, worth, about);
        free(about);
        free(worth);
    }
    free(b);
    free(prior.spread);
    free(prior.tie);
    return status == SY_STAT_OK ? SY_OK : sy_fail(error, SY_FAILED, "the fit did not converge");
}
