/* The rows of the score model, from games.
 *
 * imbalance: one row a game, the start's material. The start was drawn at random, so the row is the
 * treatment of an experiment.
 *
 * parameters, positions: a few quiet positions a game, drawn uniformly without replacement, weighted so that
 * every game counts once whatever its length. The draw is keyed by the game's number, so that it is the same
 * however the log came about. A position is quiet when the side to move is not in check and neither the move
 * before nor the move after captures or promotes: material is then what it seems. Positions of the random
 * opening and the last few before the end are left out, the former because nobody chose them, the latter
 * because the game is decided there.
 *
 * first-move: no columns; the rows are the results. */
#include "summary_internal.h"

#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PURPOSE_SAMPLES = 0x73616d70, /* stream of random numbers */
    PLIES_BEFORE_END = 4
};

const double sy_category_score[SY_SCORE_CATEGORIES] = {0.0, 0.25, 0.5, 0.75, 1.0};

int sy_score_category(double result)
{
    return (int)lround(4.0 * result);
}

/* Are positions drawn from the games, or is the start the row? */
static bool is_sampled(enum sy_design design)
{
    return design == SY_DESIGN_PARAMETERS || design == SY_DESIGN_POSITIONS;
}

static void choose_columns(const struct sy_arm_games *games, struct sy_design_rows *rows)
{
    const struct sy_variant *variant = games->arm->variant;
    if (games->experiment->design == SY_DESIGN_FIRST_MOVE) {
        return;
    }
    for (unsigned material = 0; material < variant->materials; material++) {
        if (!variant->material_royal[material]) {
            rows->material[rows->columns++] = material;
        }
    }
}

static void allocate(const struct sy_arm_games *games, struct sy_design_rows *rows)
{
    size_t most = games->count;
    if (is_sampled(games->experiment->design)) {
        most *= games->experiment->fit.samples;
    }
    rows->x = sy_alloc(most, rows->columns * sizeof(double));
    rows->pairs = sy_alloc(most, rows->columns * sizeof(double));
    rows->colours = sy_alloc(most, rows->columns * sizeof(double));
    rows->full = sy_alloc(most, sizeof(double));
    rows->weight = sy_alloc(most, sizeof(double));
    rows->outcome = sy_alloc(most, sizeof(int));
    rows->cluster = sy_alloc(most, sizeof(int64_t));
}

/* Does the side have pieces of the material on so many colours of the board? */
static bool covers(const struct sy_position *position, unsigned material, unsigned side, unsigned wanted)
{
    const struct sy_variant *variant = position->variant;
    uint32_t seen = 0;
    for (unsigned type = 0; type < variant->types; type++) {
        sy_set cells =
            variant->type[type].material == material ? sy_pieces(position, type, side) : SY_EMPTY_SET;
        for (; cells; cells = sy_without_lowest(cells)) {
            seen |= 1U << variant->board->colour[sy_lowest(cells)];
        }
    }
    unsigned colours = 0;
    for (; seen; seen &= seen - 1) {
        colours++;
    }
    return colours >= wanted;
}

static void add_colours(const struct sy_arm *arm, const struct sy_position *position,
                        struct sy_design_rows *rows)
{
    double *colours = rows->colours + rows->rows * rows->columns;
    for (unsigned column = 0; column < rows->columns; column++) {
        const unsigned material = rows->material[column], wanted = arm->colours[material];
        if (wanted > 0) {
            colours[column] =
                covers(position, material, SY_WHITE, wanted) - covers(position, material, SY_BLACK, wanted);
        }
    }
}

static void add_row(const struct sy_arm *arm, struct sy_design_rows *rows, const struct sy_game_record *game,
                    double weight, const struct sy_position *position)
{
    double *x = rows->x + rows->rows * rows->columns;
    double *pairs = rows->pairs + rows->rows * rows->columns;
    int white[SY_MAX_TYPES] = {0}, black[SY_MAX_TYPES] = {0};
    const struct sy_variant *variant = position->variant;
    for (unsigned type = 0; type < variant->types; type++) {
        white[variant->type[type].material] += (int)sy_count(sy_pieces(position, type, SY_WHITE));
        black[variant->type[type].material] += (int)sy_count(sy_pieces(position, type, SY_BLACK));
    }
    for (unsigned column = 0; column < rows->columns; column++) {
        const unsigned material = rows->material[column];
        x[column] = white[material] - black[material];
        pairs[column] = (white[material] >= 2) - (black[material] >= 2);
        rows->rows_varied[column] += white[material] != black[material];
    }
    add_colours(arm, position, rows);
    rows->full[rows->rows] = sy_count(sy_arm_phase_pieces(arm, position)) / rows->whole;
    rows->weight[rows->rows] = weight;
    rows->outcome[rows->rows] = sy_score_category(game->result);
    rows->cluster[rows->rows] = (int64_t)game->pair;
    rows->rows++;
}

/* The game's rows are all there: counts it, and the columns that moved in it. */
static void close_game(struct sy_design_rows *rows, size_t first_row)
{
    rows->games++;
    for (unsigned column = 0; column < rows->columns; column++) {
        for (size_t row = first_row; row < rows->rows; row++) {
            if (rows->x[row * rows->columns + column] != 0.0) {
                rows->games_varied[column]++;
                break;
            }
        }
    }
}

static bool changes_material(const struct sy_position *position, sy_move move)
{
    return sy_move_victim(position, move) != SY_NO_PIECE || sy_move_kind(move) == SY_MOVE_PROMOTION;
}

/* Marks the plies (numbers of moves made) at which the position is quiet; returns how many there are. */
static size_t find_quiet(const struct sy_game_record *game, struct sy_position position, unsigned *quiet)
{
    size_t count = 0;
    bool changed = true;
    for (unsigned ply = 0; ply + PLIES_BEFORE_END <= game->plies; ply++) {
        const bool changes = changes_material(&position, game->moves[ply]);
        if (ply > game->opening && !changed && !changes && !sy_in_check(&position)) {
            quiet[count++] = ply;
        }
        struct sy_undo undo;
        sy_make(&position, game->moves[ply], &undo);
        changed = changes;
    }
    return count;
}

static int compare_plies(const void *a, const void *b)
{
    const unsigned left = *(const unsigned *)a;
    const unsigned right = *(const unsigned *)b;
    return (left > right) - (left < right);
}

/* Keeps `wanted` of the `count` plies, every choice as likely as any other, in ascending order. */
static size_t draw_plies(const struct sy_arm_games *games, uint64_t number, unsigned *plies, size_t count,
                         size_t wanted)
{
    if (count <= wanted) {
        return count;
    }
    const uint64_t inside = number % games->experiment->games_per_arm;
    struct sy_random random =
        sy_random_stream(games->experiment->seed, (uint64_t)games->index << 48 | inside, PURPOSE_SAMPLES);
    for (size_t i = 0; i < wanted; i++) {
        const size_t other = i + (size_t)sy_random_below(&random, count - i);
        const unsigned ply = plies[i];
        plies[i] = plies[other];
        plies[other] = ply;
    }
    qsort(plies, wanted, sizeof *plies, compare_plies);
    return wanted;
}

static void add_samples(const struct sy_arm_games *games, const struct sy_game_record *game,
                        struct sy_position position, struct sy_design_rows *rows)
{
    unsigned *plies = sy_alloc(game->plies + 1U, sizeof *plies);
    size_t count = find_quiet(game, position, plies);
    count = draw_plies(games, game->number, plies, count, games->experiment->fit.samples);
    const size_t first_row = rows->rows;
    unsigned ply = 0;
    for (size_t i = 0; i < count; i++) {
        for (; ply < plies[i]; ply++) {
            struct sy_undo undo;
            sy_make(&position, game->moves[ply], &undo);
        }
        add_row(games->arm, rows, game, 1.0 / (double)count, &position);
    }
    if (count > 0) {
        close_game(rows, first_row);
    } else {
        rows->without_rows++;
    }
    free(plies);
}

enum sy_status sy_design_build(const struct sy_arm_games *games, struct sy_design_rows *rows,
                               struct sy_error *error)
{
    struct sy_position whole;
    memset(rows, 0, sizeof *rows);
    const enum sy_status parsed =
        sy_fen_parse(games->arm->variant, games->arm->variant->start, &whole, error);
    if (parsed != SY_OK) {
        return parsed;
    }
    rows->whole = sy_count(sy_arm_phase_pieces(games->arm, &whole));
    choose_columns(games, rows);
    allocate(games, rows);
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        if (!game->finished) {
            continue;
        }
        struct sy_position start;
        const enum sy_status status = sy_fen_parse(games->arm->variant, game->start, &start, error);
        if (status != SY_OK) {
            return sy_fail_within(error, status, "game %llu", (unsigned long long)game->number);
        }
        if (is_sampled(games->experiment->design)) {
            add_samples(games, game, start, rows);
        } else {
            add_row(games->arm, rows, game, 1.0, &start);
            close_game(rows, rows->rows - 1);
        }
    }
    return SY_OK;
}

void sy_design_clear(struct sy_design_rows *rows)
{
    free(rows->x);
    free(rows->pairs);
    free(rows->colours);
    free(rows->full);
    free(rows->weight);
    free(rows->outcome);
    free(rows->cluster);
    memset(rows, 0, sizeof *rows);
}
