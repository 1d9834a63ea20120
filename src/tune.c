/* Positions of played games, and the evaluation's terms fitted to how the games ended.
 *
 * Every game counts once, however many of its positions are taken: they share one result. Positions are
 * quiet: nobody is in check, and the static evaluation is about what quiescence finds. */
#include "steelyard/tune.h"

#include "steelyard/eval.h"
#include "steelyard/fen.h"
#include "steelyard/harness.h"
#include "steelyard/stats_logit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS = 12, /* looked at in a game */
    SKIPPED = 2,    /* plies after the random ones */
    HELD_OUT = 10,  /* one pair of games in so many */
    STREAM = 0x74756e65,
    TABLE_BYTES = 1 << 16,
    NO_COLUMN = UINT16_MAX
};

static const double quiet = 0.3, decided = 8; /* pawns */
/* What a game counts for: its positions are not one observation, and far from being many. */
static const double game_weight = 3;

/* How far a term may well be from where it was, in pawns: the prior's standard deviation. */
static const double value_share = 0.3, parameter_spread = 0.3, way_spread = 1, attack_spread = 0.05,
                    mobility_spread = 0.1, pair_spread = 0.2, placement_spread = 0.5, passed_spread = 0.5;
/* How much neighbouring cells may well differ, and the ways of a passed pawn one ply apart. */
static const double cell_tie = 0.2, way_tie = 0.2;

struct sample {
    struct sy_logit_row *row; /* offset: the evaluation in pawns */
    struct sy_logit_term *term;
    size_t rows, terms, games, row_capacity, term_capacity;
};

struct sy_tune {
    const struct sy_variant *variant;
    const struct sy_params *params;
    uint64_t seed;
    struct sy_eval *eval;
    struct sy_engine *engine;
    struct sy_view *view;
    size_t terms, columns;
    uint16_t *column;        /* terms: NO_COLUMN where it is not fitted */
    double *before, *spread; /* terms: pawns; columns: pawns */
    double *amount[2], *sum; /* terms of each side, and columns: room for one position */
    double *exposure;        /* terms: both sides' amounts, of all positions fitted */
    struct sample fitted, held;
    uint64_t seen;            /* games */
    struct sy_logit_tie *tie; /* spreads in pawns */
    size_t ties, tie_capacity;
};

/* ---- terms ---- */

static size_t term_of(const struct sy_tune *tune, enum sy_eval_term_kind kind, unsigned phase, unsigned index,
                      unsigned cell)
{
    return sy_eval_term(tune->variant, kind, phase, index, cell);
}

static void add_column(struct sy_tune *tune, size_t term, double spread)
{
    tune->spread[tune->columns] = spread;
    tune->column[term] = (uint16_t)tune->columns++;
}

static double spread_of_param(unsigned param)
{
    switch (param) {
    case SY_EVAL_ADVANCE:
    case SY_EVAL_ADVANCE_BARE:
    case SY_EVAL_PASSED:
    case SY_EVAL_PASSED_BARE:
        return way_spread;
    case SY_EVAL_ROYAL_ATTACK:
    case SY_EVAL_ROYAL_ATTACK_BARE:
        return attack_spread;
    default:
        return parameter_spread;
    }
}

/* Plies to promotion from the farthest cell that has a way; 0 for what does not promote. */
static unsigned longest_way(const struct sy_tune *tune, unsigned type)
{
    unsigned longest = 0;
    for (unsigned cell = 0; tune->variant->type[type].promotion_count && cell < tune->variant->cells;
         cell++) {
        const unsigned left = tune->eval->way_left[sy_piece_code(type, SY_WHITE)][cell];
        longest = left != SY_NO_WAY && left > longest ? left : longest;
    }
    return longest;
}

static void add_tie(struct sy_tune *tune, size_t first, size_t second, double spread)
{
    const uint16_t a = tune->column[first], b = tune->column[second];
    if (a == b)
        return;
    tune->tie = sy_grow(tune->tie, &tune->tie_capacity, tune->ties + 1, sizeof *tune->tie);
    tune->tie[tune->ties++] = (struct sy_logit_tie){a, b, spread};
}

/* Neighbouring cells are thought to be alike, and so are a passed pawn's ways of about the same length. */
static void tie_tables(struct sy_tune *tune, unsigned type)
{
    const struct sy_board *board = tune->variant->board;
    for (unsigned phase = 0; phase < 2; phase++)
        for (unsigned cell = 0; cell < tune->variant->cells; cell++) {
            const size_t term = term_of(tune, SY_TERM_PLACEMENT, phase, type, cell);
            for (unsigned slot = 0; slot < board->slots; slot++) {
                const unsigned next = board->next_cell[cell][slot];
                if (next != SY_NO_CELL && next > cell)
                    add_tie(tune, term, term_of(tune, SY_TERM_PLACEMENT, phase, type, next), cell_tie);
            }
            if (cell > 0 && cell < longest_way(tune, type))
                add_tie(tune, term_of(tune, SY_TERM_PASSED, phase, type, cell),
                        term_of(tune, SY_TERM_PASSED, phase, type, cell - 1), way_tie);
        }
}

/* A cell's column is that of the first cell of its orbit. */
static void add_tables(struct sy_tune *tune, unsigned type, const uint8_t orbit[SY_MAX_CELLS])
{
    for (unsigned phase = 0; phase < 2; phase++) {
        add_column(tune, term_of(tune, SY_TERM_MOBILITY, phase, type, 0), mobility_spread);
        add_column(tune, term_of(tune, SY_TERM_PAIR, phase, type, 0), pair_spread);
        for (unsigned cell = 0; cell < tune->variant->cells; cell++) {
            const size_t term = term_of(tune, SY_TERM_PLACEMENT, phase, type, cell);
            if (orbit[cell] == cell)
                add_column(tune, term, placement_spread);
            else
                tune->column[term] = tune->column[term_of(tune, SY_TERM_PLACEMENT, phase, type, orbit[cell])];
            if (cell < longest_way(tune, type))
                add_column(tune, term_of(tune, SY_TERM_PASSED, phase, type, cell), passed_spread);
        }
    }
}

static void set_before(struct sy_tune *tune)
{
    const struct sy_variant *variant = tune->variant;
    const struct sy_tuned *tuned = variant->tuned;
    const double weight = tune->params->other[SY_EVAL_TABLES];
    for (unsigned i = 0; i < variant->materials; i++)
        tune->before[term_of(tune, SY_TERM_VALUE, 0, i, 0)] = tune->params->value[i];
    for (unsigned i = 0; i < SY_PARAM_COUNT; i++)
        tune->before[term_of(tune, SY_TERM_PARAM, 0, i, 0)] = tune->params->other[i];
    for (unsigned phase = 0; phase < 2 && tuned; phase++)
        for (unsigned type = 0; type < variant->types; type++) {
            tune->before[term_of(tune, SY_TERM_MOBILITY, phase, type, 0)] =
                weight * tuned->mobility[phase][type];
            tune->before[term_of(tune, SY_TERM_PAIR, phase, type, 0)] = weight * tuned->pair[phase][type];
            for (unsigned cell = 0; cell < variant->cells; cell++) {
                tune->before[term_of(tune, SY_TERM_PLACEMENT, phase, type, cell)] =
                    weight * tuned->placement[phase][type][cell];
                tune->before[term_of(tune, SY_TERM_PASSED, phase, type, cell)] =
                    weight * tuned->passed[phase][type][cell];
            }
        }
}

static void choose_columns(struct sy_tune *tune)
{
    const struct sy_variant *variant = tune->variant;
    uint8_t orbit[SY_MAX_CELLS];
    sy_tune_orbits(variant, orbit);
    for (size_t i = 0; i < tune->terms; i++)
        tune->column[i] = NO_COLUMN;
    for (unsigned i = 0; i < variant->materials; i++)
        if (!variant->material_royal[i])
            add_column(tune, term_of(tune, SY_TERM_VALUE, 0, i, 0),
                       value_share * fmax(tune->params->value[i], 0.1));
    for (unsigned i = SY_EVAL_MOBILITY; i <= SY_EVAL_ROYAL_CENTRE; i++)
        add_column(tune, term_of(tune, SY_TERM_PARAM, 0, i, 0), spread_of_param(i));
    add_column(tune, term_of(tune, SY_TERM_PARAM, 0, SY_EVAL_TEMPO, 0), parameter_spread);
    for (unsigned type = 0; type < variant->types; type++)
        add_tables(tune, type, orbit);
    for (unsigned type = 0; type < variant->types; type++)
        tie_tables(tune, type);
}

struct sy_tune *sy_tune_create(const struct sy_variant *variant, const struct sy_params *params,
                               uint64_t seed)
{
    struct sy_tune *tune = sy_alloc(1, sizeof *tune);
    tune->variant = variant;
    tune->params = params;
    tune->seed = seed;
    tune->eval = sy_eval_create(variant);
    tune->engine = sy_engine_create(variant, TABLE_BYTES);
    sy_engine_set_params(tune->engine, params);
    tune->view = sy_views_create(1);
    tune->terms = term_of(tune, SY_TERM_COUNT, 0, 0, 0);
    tune->column = sy_alloc(tune->terms, sizeof *tune->column);
    tune->before = sy_alloc(tune->terms, sizeof *tune->before);
    tune->exposure = sy_alloc(tune->terms, sizeof *tune->exposure);
    for (unsigned side = 0; side < 2; side++)
        tune->amount[side] = sy_alloc(tune->terms, sizeof **tune->amount);
    tune->spread = sy_alloc(tune->terms, sizeof *tune->spread);
    choose_columns(tune);
    set_before(tune);
    tune->sum = sy_alloc(tune->columns, sizeof *tune->sum);
    return tune;
}

static void clear_sample(struct sample *sample)
{
    free(sample->row);
    free(sample->term);
}

void sy_tune_free(struct sy_tune *tune)
{
    if (!tune)
        return;
    clear_sample(&tune->fitted);
    clear_sample(&tune->held);
    free(tune->eval);
    sy_engine_free(tune->engine);
    free(tune->view);
    free(tune->column);
    free(tune->before);
    free(tune->amount[SY_WHITE]);
    free(tune->amount[SY_BLACK]);
    free(tune->exposure);
    free(tune->spread);
    free(tune->sum);
    free(tune->tie);
    free(tune);
}

/* ---- positions ---- */

/* The position's terms, gathered by column. */
static void add_row(struct sy_tune *tune, struct sample *sample, const struct sy_position *position, double y)
{
    double offset = 0;
    sy_view_open(tune->view, position, NULL);
    sy_eval_trace(tune->eval, position, tune->view, tune->amount);
    memset(tune->sum, 0, tune->columns * sizeof *tune->sum);
    for (size_t i = 0; i < tune->terms; i++) {
        const double amount = tune->amount[SY_WHITE][i] - tune->amount[SY_BLACK][i];
        offset += amount * tune->before[i];
        tune->exposure[i] += tune->amount[SY_WHITE][i] + tune->amount[SY_BLACK][i];
        if (tune->column[i] != NO_COLUMN)
            tune->sum[tune->column[i]] += amount;
    }
    sample->row = sy_grow(sample->row, &sample->row_capacity, sample->rows + 1, sizeof *sample->row);
    sample->term =
        sy_grow(sample->term, &sample->term_capacity, sample->terms + tune->columns, sizeof *sample->term);
    const size_t first = sample->terms;
    for (size_t j = 0; j < tune->columns; j++)
        if (fabs(tune->sum[j]) > 0)
            sample->term[sample->terms++] = (struct sy_logit_term){(uint16_t)j, (float)tune->sum[j]};
    sample->row[sample->rows++] =
        (struct sy_logit_row){.first = first, .terms = sample->terms - first, .offset = offset, .y = y};
}

static bool is_quiet(struct sy_tune *tune, const struct sy_position *position)
{
    if (sy_in_check(position))
        return false;
    const double now = sy_engine_evaluate(tune->engine, position);
    return fabs(now) < decided && fabs(now - sy_engine_quiescence(tune->engine, position)) < quiet;
}

/* The plies after which positions are looked at, in order: each as likely as any other. */
static unsigned choose_plies(const struct sy_tune *tune, const struct sy_game_record *game,
                             unsigned chosen[POSITIONS])
{
    struct sy_random random = sy_random_stream(tune->seed, tune->seen, STREAM);
    unsigned count = 0, needed = POSITIONS;
    for (unsigned ply = game->opening + SKIPPED; ply < game->plies && needed > 0; ply++)
        if (sy_random_below(&random, game->plies - ply) < needed) {
            chosen[count++] = ply;
            needed--;
        }
    return count;
}

static enum sy_status add_game(struct sy_tune *tune, const struct sy_game_record *game,
                               struct sy_error *error)
{
    unsigned chosen[POSITIONS], next = 0;
    const unsigned count = choose_plies(tune, game, chosen);
    struct sample *sample = tune->seen++ / 2 % HELD_OUT == HELD_OUT - 1 ? &tune->held : &tune->fitted;
    const size_t before = sample->rows;
    struct sy_position position;
    enum sy_status status = sy_fen_parse(tune->variant, game->start, &position, error);
    sy_engine_new_game(tune->engine, 0);
    for (unsigned ply = 0; status == SY_OK && next < count; ply++) {
        if (chosen[next] == ply) {
            next++;
            if (is_quiet(tune, &position))
                add_row(tune, sample, &position, game->result);
        }
        struct sy_undo undo;
        sy_make(&position, game->moves[ply], &undo);
    }
    const size_t rows = sample->rows - before;
    for (size_t i = before; i < sample->rows; i++)
        sample->row[i].weight = fmin(game_weight, (double)rows) / (double)rows;
    sample->games += rows > 0;
    return status;
}

/* What has to be the same for games to be of one variant. */
static bool same_rules(const struct sy_variant *a, const struct sy_variant *b)
{
    static const char *const keys[] = {"board", "symmetry", "zones", "pieces", "castling", "ends"};
    bool same = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && same; i++) {
        const struct sy_json *one = sy_json_member(sy_json_root(a->doc), keys[i]);
        const struct sy_json *two = sy_json_member(sy_json_root(b->doc), keys[i]);
        char *first = one ? sy_json_text(one, false) : sy_strdup("");
        char *second = two ? sy_json_text(two, false) : sy_strdup("");
        same = strcmp(first, second) == 0;
        free(first);
        free(second);
    }
    return same;
}

static enum sy_status add_log(struct sy_tune *tune, const char *directory,
                              const struct sy_experiment *experiment, const struct sy_game_log *log,
                              struct sy_error *error)
{
    bool any = false;
    for (unsigned arm = 0; arm < experiment->arm_count; arm++)
        any = any || same_rules(tune->variant, experiment->arms[arm].variant);
    if (!any)
        return sy_fail(error, SY_BAD_INPUT, "%s: no game there is of %s by the rules given", directory,
                       tune->variant->name);
    enum sy_status status = SY_OK;
    for (size_t i = 0; i < log->count && status == SY_OK; i++) {
        const struct sy_game_record *game = &log->games[i];
        if (game->finished && same_rules(tune->variant, experiment->arms[game->arm].variant))
            status = add_game(tune, game, error);
    }
    return status;
}

enum sy_status sy_tune_add(struct sy_tune *tune, const char *directory, struct sy_error *error)
{
    struct sy_experiment *experiment = NULL;
    struct sy_game_log log = {0};
    enum sy_status status = sy_log_experiment(directory, &experiment, error);
    if (status == SY_OK)
        status = sy_log_read(directory, experiment, &log, error);
    if (status == SY_OK)
        status = add_log(tune, directory, experiment, &log, error);
    sy_log_clear(&log);
    sy_experiment_free(experiment);
    return status;
}

/* ---- the fit ---- */

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

static struct sy_logit_data data_of(const struct sy_tune *tune, const struct sample *sample, double scale,
                                    const struct prior *prior)
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
static enum sy_stat find_scale(const struct sample *sample, double *constant, double *scale)
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
            const double number = round(worth[term_of(tune, kind, phase, type, cell)] * 100) / 100 + 0.0;
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
        const double full = worth[term_of(tune, single[i].kind, 0, type, 0)];
        const double bare = worth[term_of(tune, single[i].kind, 1, type, 0)];
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
                               fmax(0, round(worth[term_of(tune, SY_TERM_VALUE, 0, i, 0)] * 100) / 100));
    for (unsigned i = SY_EVAL_MOBILITY; i <= SY_EVAL_TEMPO; i++) {
        const struct sy_param_info *info = sy_param_info(i);
        const double number = round(worth[term_of(tune, SY_TERM_PARAM, 0, i, 0)] * 1000) / 1000 + 0.0;
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
        worth[i] = tune->before[i] + (tune->column[i] == NO_COLUMN ? 0 : b[tune->column[i]] / scale);
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
            const size_t term = term_of(tune, SY_TERM_PLACEMENT, phase, type, cell);
            sum += tune->exposure[term] * (worth[term] + geometry[phase]);
            pieces += tune->exposure[term];
        }
    }
    for (unsigned phase = 0; phase < 2; phase++) {
        const size_t term = term_of(tune, SY_TERM_MOBILITY, phase, type, 0);
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
        params.other[i] = worth[term_of(tune, SY_TERM_PARAM, 0, i, 0)];
    for (unsigned type = 0; type < variant->types; type++) {
        const unsigned material = variant->type[type].material;
        if (variant->material_royal[material])
            continue;
        const double mean = mean_standing(tune, &params, worth, type);
        double pieces = 0;
        for (unsigned cell = 0; cell < variant->cells; cell++)
            for (unsigned phase = 0; phase < 2; phase++)
                pieces += tune->exposure[term_of(tune, SY_TERM_PLACEMENT, phase, type, cell)];
        shift[material] += pieces * mean;
        weight[material] += pieces;
    }
    for (unsigned type = 0; type < variant->types; type++) {
        const unsigned material = variant->type[type].material;
        for (unsigned cell = 0; weight[material] > 0 && cell < variant->cells; cell++)
            for (unsigned phase = 0; phase < 2; phase++)
                worth[term_of(tune, SY_TERM_PLACEMENT, phase, type, cell)] -=
                    shift[material] / weight[material];
    }
    for (unsigned i = 0; i < variant->materials; i++)
        if (weight[i] > 0)
            worth[term_of(tune, SY_TERM_VALUE, 0, i, 0)] += shift[i] / weight[i];
}

enum sy_status sy_tune_fit(const struct sy_tune *tune, struct sy_tuning *tuning, struct sy_error *error)
{
    double constant, scale;
    const struct sample *sample = &tune->fitted;
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
