/* Positions of played games, and the evaluation's terms fitted to how the games ended.
 *
 * Every game counts once, however many of its positions are taken: they share one result. Positions are
 * quiet: nobody is in check, and the static evaluation is about what quiescence finds. */
#include "tune_internal.h"

#include "steelyard/fen.h"
#include "steelyard/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS = 12, /* looked at in a game */
    SKIPPED = 2,    /* plies after the random ones */
    HELD_OUT = 10,  /* one pair of games in so many */
    STREAM = 0x74756e65,
    TABLE_BYTES = 1 << 16
};

static const double quiet = 0.3, decided = 8; /* pawns */
/* What a game counts for: its positions are not one observation, and far from being many. */
static const double game_weight = 3;

/* How far a term may well be from where it was, in pawns: the prior's standard deviation. */
static const double value_share = 0.3, parameter_spread = 0.3, way_spread = 1, attack_spread = 0.05,
                    mobility_spread = 0.1, pair_spread = 0.2, placement_spread = 0.5, passed_spread = 0.5;
/* How much neighbouring cells may well differ, and the ways of a passed pawn one ply apart. */
static const double cell_tie = 0.2, way_tie = 0.2;

/* ---- terms ---- */

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
    const unsigned longest = longest_way(tune, type);
    for (unsigned phase = 0; phase < 2; phase++)
        for (unsigned cell = 0; cell < tune->variant->cells; cell++) {
            const size_t term = sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, cell);
            for (unsigned slot = 0; slot < board->slots; slot++) {
                const unsigned next = board->next_cell[cell][slot];
                if (next != SY_NO_CELL && next > cell)
                    add_tie(tune, term, sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, next), cell_tie);
            }
            if (cell > 0 && cell < longest)
                add_tie(tune, sy_tune_term(tune, SY_TERM_PASSED, phase, type, cell),
                        sy_tune_term(tune, SY_TERM_PASSED, phase, type, cell - 1), way_tie);
        }
}

/* A cell's column is that of the first cell of its orbit. */
static void add_tables(struct sy_tune *tune, unsigned type, const uint8_t orbit[SY_MAX_CELLS])
{
    const unsigned longest = longest_way(tune, type);
    for (unsigned phase = 0; phase < 2; phase++) {
        add_column(tune, sy_tune_term(tune, SY_TERM_MOBILITY, phase, type, 0), mobility_spread);
        add_column(tune, sy_tune_term(tune, SY_TERM_PAIR, phase, type, 0), pair_spread);
        for (unsigned cell = 0; cell < tune->variant->cells; cell++) {
            const size_t term = sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, cell);
            if (orbit[cell] == cell)
                add_column(tune, term, placement_spread);
            else
                tune->column[term] =
                    tune->column[sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, orbit[cell])];
            if (cell < longest)
                add_column(tune, sy_tune_term(tune, SY_TERM_PASSED, phase, type, cell), passed_spread);
        }
    }
}

static void set_before(struct sy_tune *tune)
{
    const struct sy_variant *variant = tune->variant;
    const struct sy_tuned *tuned = variant->tuned;
    const double weight = tune->params->other[SY_EVAL_TABLES];
    for (unsigned i = 0; i < variant->materials; i++)
        tune->before[sy_tune_term(tune, SY_TERM_VALUE, 0, i, 0)] = tune->params->value[i];
    for (unsigned i = 0; i < SY_PARAM_COUNT; i++)
        tune->before[sy_tune_term(tune, SY_TERM_PARAM, 0, i, 0)] = tune->params->other[i];
    for (unsigned phase = 0; phase < 2 && tuned; phase++)
        for (unsigned type = 0; type < variant->types; type++) {
            tune->before[sy_tune_term(tune, SY_TERM_MOBILITY, phase, type, 0)] =
                weight * tuned->mobility[phase][type];
            tune->before[sy_tune_term(tune, SY_TERM_PAIR, phase, type, 0)] =
                weight * tuned->pair[phase][type];
            for (unsigned cell = 0; cell < variant->cells; cell++) {
                tune->before[sy_tune_term(tune, SY_TERM_PLACEMENT, phase, type, cell)] =
                    weight * tuned->placement[phase][type][cell];
                tune->before[sy_tune_term(tune, SY_TERM_PASSED, phase, type, cell)] =
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
        tune->column[i] = SY_NO_COLUMN;
    for (unsigned i = 0; i < variant->materials; i++)
        if (!variant->material_royal[i])
            add_column(tune, sy_tune_term(tune, SY_TERM_VALUE, 0, i, 0),
                       value_share * fmax(tune->params->value[i], 0.1));
    for (unsigned i = SY_EVAL_MOBILITY; i <= SY_EVAL_ROYAL_CENTRE; i++)
        add_column(tune, sy_tune_term(tune, SY_TERM_PARAM, 0, i, 0), spread_of_param(i));
    add_column(tune, sy_tune_term(tune, SY_TERM_PARAM, 0, SY_EVAL_TEMPO, 0), parameter_spread);
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
    tune->terms = sy_tune_term(tune, SY_TERM_COUNT, 0, 0, 0);
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

static void clear_sample(struct sy_tune_sample *sample)
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
static void add_row(struct sy_tune *tune, struct sy_tune_sample *sample, const struct sy_position *position,
                    double y)
{
    double offset = 0;
    sy_view_open(tune->view, position, NULL);
    sy_eval_trace(tune->eval, position, tune->view, tune->amount);
    memset(tune->sum, 0, tune->columns * sizeof *tune->sum);
    for (size_t i = 0; i < tune->terms; i++) {
        const double amount = tune->amount[SY_WHITE][i] - tune->amount[SY_BLACK][i];
        offset += amount * tune->before[i];
        tune->exposure[i] += tune->amount[SY_WHITE][i] + tune->amount[SY_BLACK][i];
        if (tune->column[i] != SY_NO_COLUMN)
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
    struct sy_tune_sample *sample = tune->seen++ / 2 % HELD_OUT == HELD_OUT - 1 ? &tune->held : &tune->fitted;
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
    bool *is_ours = sy_alloc(experiment->arm_count, sizeof *is_ours), any = false;
    enum sy_status status = SY_OK;
    for (unsigned arm = 0; arm < experiment->arm_count; arm++) {
        is_ours[arm] = same_rules(tune->variant, experiment->arms[arm].variant);
        any = any || is_ours[arm];
    }
    if (!any)
        status = sy_fail(error, SY_BAD_INPUT, "%s: no game there is of %s by the rules given", directory,
                         tune->variant->name);
    for (size_t i = 0; i < log->count && status == SY_OK; i++)
        if (log->games[i].finished && is_ours[log->games[i].arm])
            status = add_game(tune, &log->games[i], error);
    free(is_ours);
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
