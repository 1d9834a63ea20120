/* simulate: results drawn from a model, and a log of them.
 *
 * With half the draw's width c, P(White loses) = F(-c - eta), P(White does not win) = F(c - eta), F the
 * logistic function: two thresholds, the proportional-odds model for losses, draws and wins. A simulated
 * game has no moves but those that its design needs, so it replays as any log does; `verify` refuses it,
 * since no game goes on from its last move. */
#include "steelyard/simulate.h"

#include "harness_internal.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"
#include "steelyard/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PURPOSE_RESULT = 0x73696d75, PLIES_CHANGING = 40, PLIES_QUIET = 16 };

static const char *const model_names[] = {"score", "more draws", "phase", "pairs", "triples"};
enum { MODELS = sizeof model_names / sizeof *model_names };

/* ---- the truth ---- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Share of a side's pieces of the material at the start of the game. */
static void count_start(const struct sy_arm *arm, struct sy_truth *truth)
{
    const struct sy_variant *variant = arm->variant;
    struct sy_position position;
    struct sy_error error;
    /* The variant was checked when it was loaded, its start included. */
    if (sy_fen_parse(variant, variant->start, &position, &error) != SY_OK)
        return;
    const struct sy_material_count start = sy_count_material(&position);
    for (unsigned i = 0; i < variant->materials; i++) {
        truth->full += start.count[SY_WHITE][i] + start.count[SY_BLACK][i];
        truth->starts_in_threes[i] = start.count[SY_WHITE][i] == 3 && !variant->material_royal[i];
        truth->starts_in_twos[i] =
            start.count[SY_WHITE][i] >= 2 && start.count[SY_WHITE][i] < 4 && !variant->material_royal[i];
    }
}

void sy_truth_default(const struct sy_arm *arm, double logits_per_unit, struct sy_truth *truth)
{
    *truth = (struct sy_truth){.draws = 0.3, .edge = 0.1, .amount = 0.5};
    for (unsigned i = 0; i < arm->variant->materials; i++)
        if (!arm->variant->material_royal[i])
            truth->logit[i] = logits_per_unit * arm->params.value[i] / arm->params.value[arm->unit_material];
    memcpy(truth->best, arm->params.value, sizeof truth->best);
    count_start(arm, truth);
}

static enum sy_status read_model(const struct sy_json_doc *doc, struct sy_truth *truth,
                                 struct sy_error *error)
{
    const char *name = model_names[truth->model];
    enum sy_status status = sy_json_get_string_or(doc, sy_json_root(doc), "model", &name, error);
    for (int i = 0; status == SY_OK && i < MODELS; i++)
        if (strcmp(name, model_names[i]) == 0) {
            truth->model = (enum sy_truth_model)i;
            return SY_OK;
        }
    return status != SY_OK ? status
                           : sy_json_fail(doc, sy_json_member(sy_json_root(doc), "model"), error,
                                          "must be 'score', 'more draws', 'phase', 'pairs' or 'triples'");
}

/* "values" of the object, by material, each times `scale`; those that are not there stay as they are. */
static enum sy_status read_values(const struct sy_arm *arm, const struct sy_json_doc *doc,
                                  const struct sy_json *object, double lowest, double scale, double *number,
                                  struct sy_error *error)
{
    const struct sy_json *values;
    struct sy_text known = SY_TEXT_INIT;
    enum sy_status status = sy_json_get_object_or(doc, object, "values", &values, error);
    for (unsigned i = 0; i < arm->variant->materials; i++)
        if (!arm->variant->material_royal[i])
            sy_text_printf(&known, "%s|", arm->variant->material[i]);
    if (status == SY_OK && values != NULL)
        status = sy_json_check_keys(doc, values, known.bytes == NULL ? "" : known.bytes, error);
    for (unsigned i = 0; status == SY_OK && values != NULL && i < arm->variant->materials; i++) {
        double value = number[i] / scale;
        status = sy_json_get_double_or(doc, values, arm->variant->material[i], lowest, 1000, &value, error);
        number[i] = value * scale;
    }
    sy_text_clear(&known);
    return status;
}

static enum sy_status read_believing(const struct sy_arm *arm, const struct sy_json_doc *doc,
                                     struct sy_truth *truth, struct sy_error *error)
{
    const struct sy_json *object;
    enum sy_status status = sy_json_get_object_or(doc, sy_json_root(doc), "believing", &object, error);
    if (status != SY_OK || object == NULL)
        return status;
    status = sy_json_check_keys(doc, object, "curvature values", error);
    if (status == SY_OK)
        status = sy_json_get_double(doc, object, "curvature", 0, 100, &truth->believing, error);
    return status == SY_OK ? read_values(arm, doc, object, 0.001, 1, truth->best, error) : status;
}

enum sy_status sy_truth_read(const struct sy_arm *arm, const char *path, struct sy_truth *truth,
                             struct sy_error *error)
{
    struct sy_json_doc *doc;
    double logits_per_unit = SY_TRUTH_LOGITS;
    enum sy_status status = sy_json_read_file(path, &doc, error);
    if (status != SY_OK)
        return status;
    const struct sy_json *root = sy_json_root(doc);
    status =
        sy_json_check_keys(doc, root, "values logits_per_unit white draws model amount believing", error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, root, "logits_per_unit", 1e-6, 100, &logits_per_unit, error);
    sy_truth_default(arm, logits_per_unit, truth);
    if (status == SY_OK)
        status = read_values(arm, doc, root, -1000, logits_per_unit, truth->logit, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, root, "white", -10, 10, &truth->edge, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, root, "draws", 0, 0.99, &truth->draws, error);
    if (status == SY_OK)
        status = sy_json_get_double_or(doc, root, "amount", -10, 10, &truth->amount, error);
    if (status == SY_OK)
        status = read_model(doc, truth, error);
    if (status == SY_OK)
        status = read_believing(arm, doc, truth, error);
    sy_json_free(doc);
    return status;
}

enum sy_status sy_truths_read(const struct sy_experiment *experiment, const char *path, struct sy_truth **out,
                              struct sy_error *error)
{
    struct sy_truth *truths = sy_alloc(experiment->arm_count, sizeof *truths);
    enum sy_status status = SY_OK;
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++) {
        if (path != NULL)
            status = sy_truth_read(&experiment->arms[i], path, &truths[i], error);
        else
            sy_truth_default(&experiment->arms[i], SY_TRUTH_LOGITS, &truths[i]);
    }
    if (status != SY_OK) {
        free(truths);
        return status;
    }
    *out = truths;
    return SY_OK;
}

struct sy_json *sy_truth_json(const struct sy_arm *arm, const struct sy_truth *truth)
{
    struct sy_json *json = sy_json_new_object(), *logits = sy_json_new_object();
    sy_json_add_string(json, "model", model_names[truth->model]);
    if (truth->model != SY_TRUTH_SCORE)
        sy_json_add_number(json, "amount", truth->amount);
    sy_json_add_number(json, "draws", truth->draws);
    sy_json_add_number(json, "white", truth->edge);
    for (unsigned i = 0; i < arm->variant->materials; i++)
        if (!arm->variant->material_royal[i])
            sy_json_add_number(logits, arm->variant->material[i], truth->logit[i]);
    sy_json_add(json, "logits", logits);
    return json;
}

/* ---- results ---- */

struct sy_material_count sy_count_material(const struct sy_position *position)
{
    struct sy_material_count material = {0};
    const struct sy_variant *variant = position->variant;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned type = 0; type < variant->types; type++)
            material.count[side][variant->type[type].material] += sy_count(sy_pieces(position, type, side));
    return material;
}

static double latent(const struct sy_truth *truth, const struct sy_material_count *material)
{
    double eta = truth->edge, pieces = 0;
    for (unsigned i = 0; i < SY_MAX_TYPES; i++)
        pieces += material->count[SY_WHITE][i] + material->count[SY_BLACK][i];
    const double gone = truth->full > 0 ? 1 - pieces / truth->full : 0;
    for (unsigned i = 0; i < SY_MAX_TYPES; i++) {
        const double *white = material->count[SY_WHITE], *black = material->count[SY_BLACK];
        double value = truth->logit[i];
        if (truth->model == SY_TRUTH_PHASE)
            value *= 1 + (i % 2 == 0 ? truth->amount : -truth->amount) * gone;
        eta += value * (white[i] - black[i]);
        if (truth->model == SY_TRUTH_PAIRS && truth->starts_in_twos[i])
            eta += truth->amount * value * ((white[i] >= 2) - (black[i] >= 2));
        if (truth->model == SY_TRUTH_TRIPLES && truth->starts_in_threes[i])
            eta += truth->amount * value * ((white[i] >= 3) - (black[i] >= 3));
    }
    return eta;
}

/* Half the draw's width, in logits. */
static double half_width(const struct sy_truth *truth, double eta)
{
    const double share = (1 + truth->draws) / 2;
    const double width = log(share / (1 - share));
    return truth->model == SY_TRUTH_MORE_DRAWS ? width + truth->amount * exp(-eta * eta / 2) : width;
}

double sy_truth_draw(const struct sy_truth *truth, const struct sy_material_count *material,
                     struct sy_random *random)
{
    const double eta = latent(truth, material), c = half_width(truth, eta), u = sy_random_unit(random);
    return u < logistic(-c - eta) ? 0 : u < logistic(c - eta) ? 0.5 : 1;
}

double sy_truth_score(const struct sy_truth *truth, const struct sy_material_count *material)
{
    const double eta = latent(truth, material), c = half_width(truth, eta);
    return 1 - (logistic(-c - eta) + logistic(c - eta)) / 2;
}

/* ---- games ---- */

/* A random legal move, of those that leave material alone if asked; false when there is none. */
static bool play_random(struct sy_position *position, bool quiet, struct sy_random *random,
                        struct sy_game_record *record)
{
    sy_move moves[SY_MAX_MOVES];
    struct sy_undo undo;
    const unsigned count = quiet ? sy_generate_quiets(position, moves) : sy_generate(position, moves);
    if (count == 0)
        return false;
    const sy_move move = moves[sy_random_below(random, count)];
    sy_make(position, move, &undo);
    record->moves[record->plies++] = move;
    return true;
}

/* Moves by which the material comes to differ; the record calls them its opening. */
static void wander(struct sy_position *position, struct sy_random *random, struct sy_game_record *record)
{
    free(record->moves);
    record->moves = sy_alloc(PLIES_CHANGING + PLIES_QUIET, sizeof *record->moves);
    record->plies = 0;
    for (int i = 0; i < PLIES_CHANGING && !sy_ended_on_board(position); i++)
        if (!play_random(position, false, random, record))
            break;
    record->opening = record->plies;
    for (int i = 0; i < PLIES_QUIET && !sy_ended_on_board(position); i++)
        if (!play_random(position, true, random, record))
            break;
}

/* What a player's drawn values are worth to him, in logits. */
static double worth_of_beliefs(const struct sy_arm *arm, const struct sy_truth *truth, const double *drawn)
{
    struct sy_params params;
    double sum = 0;
    sy_game_params(arm, drawn, &params);
    for (unsigned i = 0; truth->believing > 0 && i < arm->variant->materials; i++)
        if (!arm->variant->material_royal[i] && params.value[i] > 0 && truth->best[i] > 0)
            sum -= truth->believing * pow(log(params.value[i] / truth->best[i]), 2);
    return sum;
}

static enum sy_status simulate_game(const struct sy_experiment *experiment, const struct sy_truth *truth,
                                    uint64_t number, struct sy_game_record *record, struct sy_error *error)
{
    struct sy_game_start start;
    struct sy_random random = sy_random_stream(experiment->seed, number, PURPOSE_RESULT);
    memset(record, 0, sizeof *record);
    enum sy_status status = sy_game_draw(experiment, number, &start, error);
    if (status == SY_OK) {
        record->number = number;
        record->arm = sy_experiment_arm(experiment, number);
        record->pair = sy_experiment_pair(experiment, number);
        record->start = sy_fen(&start.position);
        memcpy(record->drawn, start.drawn, sizeof record->drawn);
        start.drawn[0] = start.drawn[1] = NULL;
        struct sy_truth tilted = *truth;
        if (experiment->design == SY_DESIGN_PARAMETERS) {
            const struct sy_arm *arm = &experiment->arms[record->arm];
            tilted.edge += worth_of_beliefs(arm, truth, record->drawn[SY_WHITE]) -
                           worth_of_beliefs(arm, truth, record->drawn[SY_BLACK]);
            wander(&start.position, &random, record);
        }
        const struct sy_material_count material = sy_count_material(&start.position);
        record->finished = true;
        record->result = sy_truth_draw(&tilted, &material, &random);
        snprintf(record->reason, sizeof record->reason, "%s", SY_REASON_SIMULATED);
    }
    sy_game_start_clear(&start);
    return status;
}

/* A log that is there is never written over: it may be of games that were played. */
static enum sy_status write_log(const char *directory, const char *text, struct sy_error *error)
{
    char *path = sy_path_in(directory, SY_LOG_FILE);
    const enum sy_status status =
        access(path, F_OK) == 0
            ? sy_fail(error, SY_FAILED, "%s: is there already: choose another directory with -o", path)
            : sy_write_file(path, text, strlen(text), error);
    free(path);
    return status;
}

enum sy_status sy_simulate(const struct sy_experiment *experiment, const struct sy_truth *truths,
                           const char *directory, struct sy_error *error)
{
    struct sy_text log = SY_TEXT_INIT;
    char *by = sy_format("%s%s", sy_version, SY_SIMULATED);
    char *line = sy_log_header_of(experiment, (struct sy_shard){0, 1}, by);
    sy_text_puts(&log, line);
    free(line);
    free(by);
    enum sy_status status = sy_log_claim(experiment, directory, error);
    for (uint64_t n = 0; status == SY_OK && n < sy_experiment_games(experiment); n++) {
        struct sy_game_record record;
        status = simulate_game(experiment, &truths[sy_experiment_arm(experiment, n)], n, &record, error);
        line = status == SY_OK ? sy_log_line(experiment, &record) : NULL;
        sy_text_puts(&log, line == NULL ? "" : line);
        free(line);
        sy_game_record_clear(&record);
    }
    if (status == SY_OK)
        status = write_log(directory, log.bytes, error);
    sy_text_clear(&log);
    return status;
}
