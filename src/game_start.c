/* game_start: what a game starts from: its position, its players' parameters, its random opening.
 *
 * How each design draws (every drawing is uniform):
 * - imbalance: for each side a number of its pieces is removed, then a number of others is exchanged for
 *   pieces of another kind; pieces that promote are never exchanged. The sides draw alike and independently.
 *   With a criterion, differences in material are drawn by it first: game_criterion.c.
 *   The second game of a pair has the armies exchanged: the mirror image, White moving first again.
 * - parameters: two players draw their parameters; they change sides for the second game of the pair, which
 *   has the same start and the same opening.
 * - first-move: only the opening is drawn, for every game anew; or, with twins, for every pair, which starts
 *   from the position that it leads to, White to move, and from the same with the armies exchanged, so that
 *   what the opening gave to either side cancels.
 * A start is drawn again when it is no legal position, is over, leaves the side to move in check or able to
 * win by one move, or is more uneven than the experiment allows; both games of a pair must pass. An opening
 * is drawn again when the game is over after it or within it, or the side to move can win by its next move:
 * the result would be the drawing's, not the players'. Likewise, where the experiment limits how uneven an
 * opening may be, when a short search of it finds one side further ahead. */
#include "game_internal.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"
#include "steelyard/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 10000 };

/* ---- streams ---- */

static struct sy_random stream_of(const struct sy_experiment *experiment, uint64_t number, uint64_t unit,
                                  enum sy_purpose purpose)
{
    const uint64_t arm = sy_experiment_arm(experiment, number);
    const uint64_t inside = number % experiment->games_per_arm;
    return sy_random_stream(experiment->seed, arm << 48 | inside / unit, purpose);
}

struct sy_random sy_game_stream(const struct sy_experiment *experiment, uint64_t number,
                                enum sy_purpose purpose)
{
    return stream_of(experiment, number, 1, purpose);
}

struct sy_random sy_pair_stream(const struct sy_experiment *experiment, uint64_t number,
                                enum sy_purpose purpose)
{
    return stream_of(experiment, number, 2, purpose);
}

static unsigned draw_range(struct sy_random *random, struct sy_range range)
{
    return range.low + (unsigned)sy_random_below(random, (uint64_t)range.high - range.low + 1);
}

static bool is_second(const struct sy_experiment *experiment, uint64_t number)
{
    return number % experiment->games_per_arm % 2 == 1;
}

/* ---- what may be played from ---- */

static bool wins_by(struct sy_position *position, sy_move move)
{
    const unsigned side = position->to_move;
    struct sy_undo undo;
    sy_make(position, move, &undo);
    const struct sy_outcome outcome = sy_outcome_of(position, NULL, sy_count_legal(position));
    sy_unmake(position, move, &undo);
    return outcome.reason != SY_GOING_ON &&
           (side == SY_WHITE ? outcome.white_points >= 1 : outcome.white_points <= 0);
}

/* Is the game not over, and the side to move unable to win by its next move? */
static bool goes_on(struct sy_position *position, const struct sy_history *history)
{
    sy_move moves[SY_MAX_MOVES];
    const unsigned count = sy_generate(position, moves);
    bool on = sy_outcome_of(position, history, count).reason == SY_GOING_ON;
    for (unsigned i = 0; i < count && on; i++)
        on = !wins_by(position, moves[i]);
    return on;
}

/* ---- uneven starts ---- */

static bool may_exchange(const struct sy_arm *arm, unsigned type)
{
    const struct sy_type *kind = &arm->variant->type[type];
    return kind->promotion_count == 0 && kind->royalty == SY_COMMON && arm->kinds >> kind->material & 1U;
}

static bool may_remove(const struct sy_arm *arm, unsigned type)
{
    const struct sy_type *kind = &arm->variant->type[type];
    return kind->royalty == SY_COMMON && arm->kinds >> kind->material & 1U;
}

/* Takes the piece on the cell away; castling rights that needed it go too. */
static void take_away(struct sy_position *position, unsigned cell)
{
    sy_position_remove(position, cell);
    position->castling &= position->variant->rights_kept[cell];
}

/* One of the set's cells. */
static unsigned draw_cell(struct sy_random *random, sy_set set)
{
    for (uint64_t skip = sy_random_below(random, (uint64_t)sy_count(set)); skip > 0; skip--)
        set = sy_without_lowest(set);
    return sy_lowest(set);
}

static sy_set cells_where(const struct sy_arm *arm, const struct sy_position *position, unsigned side,
                          bool (*may)(const struct sy_arm *, unsigned))
{
    sy_set cells = SY_EMPTY_SET;
    for (unsigned type = 0; type < arm->variant->types; type++)
        if (may(arm, type))
            cells |= sy_pieces(position, type, side);
    return cells;
}

static void exchange(const struct sy_arm *arm, struct sy_position *position, unsigned side, unsigned cell,
                     struct sy_random *random)
{
    const struct sy_variant *variant = arm->variant;
    const unsigned old = sy_piece_type(position->piece[cell]);
    unsigned choice[SY_MAX_TYPES], count = 0;
    for (unsigned type = 0; type < variant->types; type++)
        if (may_exchange(arm, type) && variant->type[type].material != variant->type[old].material)
            choice[count++] = type;
    if (count == 0)
        return;
    take_away(position, cell);
    sy_position_put(position, cell, sy_piece_code(choice[sy_random_below(random, count)], side));
}

static void unbalance(const struct sy_experiment *experiment, const struct sy_arm *arm,
                      struct sy_position *position, unsigned side, struct sy_random *random)
{
    unsigned wanted = draw_range(random, experiment->imbalance.remove);
    sy_set left = cells_where(arm, position, side, may_remove);
    for (; wanted > 0 && left; wanted--) {
        const unsigned cell = draw_cell(random, left);
        take_away(position, cell);
        left &= ~sy_bit(cell);
    }
    wanted = draw_range(random, experiment->imbalance.exchange);
    left = cells_where(arm, position, side, may_exchange);
    for (; wanted > 0 && left; wanted--) {
        const unsigned cell = draw_cell(random, left);
        exchange(arm, position, side, cell, random);
        left &= ~sy_bit(cell);
    }
}

static double believed_difference(const struct sy_arm *arm, const struct sy_position *position)
{
    double difference = 0;
    for (unsigned type = 0; type < arm->variant->types; type++)
        difference +=
            arm->params.value[arm->variant->type[type].material] *
            (sy_count(sy_pieces(position, type, SY_WHITE)) - sy_count(sy_pieces(position, type, SY_BLACK)));
    return difference;
}

static bool acceptable(struct sy_position *position)
{
    return sy_position_finish(position, NULL) == SY_OK && !sy_in_check(position) && goes_on(position, NULL);
}

/* The armies exchanged, White moving first again. */
static void exchange_armies(const struct sy_position *position, struct sy_position *out)
{
    sy_position_mirror(position, out);
    out->to_move = position->to_move;
}

enum sy_status sy_game_whole(const struct sy_arm *arm, struct sy_position *position, struct sy_error *error)
{
    return sy_fen_parse(arm->variant, arm->variant->start, position, error);
}

bool sy_game_unbalance(const struct sy_experiment *experiment, const struct sy_arm *arm,
                       struct sy_position *position, struct sy_random *random)
{
    unbalance(experiment, arm, position, SY_WHITE, random);
    unbalance(experiment, arm, position, SY_BLACK, random);
    return fabs(believed_difference(arm, position)) <= experiment->imbalance.limit;
}

bool sy_game_uneven_pair(struct sy_position *first, struct sy_position *second)
{
    if (!acceptable(first))
        return false;
    exchange_armies(first, second);
    return acceptable(second);
}

/* A pair of starts without a criterion. */
static bool draw_plain(const struct sy_experiment *experiment, const struct sy_arm *arm,
                       const struct sy_position *whole, struct sy_random *random, struct sy_position *first,
                       struct sy_position *second)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        *first = *whole;
        if (sy_game_unbalance(experiment, arm, first, random) && sy_game_uneven_pair(first, second))
            return true;
    }
    return false;
}

static enum sy_status draw_uneven(const struct sy_experiment *experiment, uint64_t number,
                                  struct sy_position *position, struct sy_error *error)
{
    const struct sy_arm *arm = &experiment->arms[sy_experiment_arm(experiment, number)];
    struct sy_random random = sy_pair_stream(experiment, number, SY_PURPOSE_START);
    const struct sy_position whole = *position;
    struct sy_position first, second;
    const bool found = arm->choice == NULL
                           ? draw_plain(experiment, arm, &whole, &random, &first, &second)
                           : sy_start_choice_draw(experiment, arm, &whole, &random, &first, &second);
    if (found) {
        *position = is_second(experiment, number) ? second : first;
        return SY_OK;
    }
    return sy_fail(error, SY_BAD_INPUT,
                   "'%s': none of %d drawn starts could be played from: ask for fewer pieces under "
                   "'imbalance', or for a larger 'limit'",
                   arm->label, ATTEMPTS);
}

/* ---- parameters ---- */

/* To six decimals: more would hang on the last bit of the machine's exp(). */
static double draw_parameter(const struct sy_draw *draw, struct sy_random *random)
{
    const double unit = sy_random_unit(random);
    const double value = draw->log_uniform ? draw->low * exp(unit * log(draw->high / draw->low))
                                           : draw->low + unit * (draw->high - draw->low);
    return fmin(fmax(floor(value * 1e6 + 0.5) / 1e6, draw->low), draw->high);
}

static void draw_parameters(const struct sy_experiment *experiment, uint64_t number, double *drawn[2])
{
    const struct sy_arm *arm = &experiment->arms[sy_experiment_arm(experiment, number)];
    const unsigned first = is_second(experiment, number) ? SY_BLACK : SY_WHITE;
    struct sy_random random = sy_pair_stream(experiment, number, SY_PURPOSE_PARAMETERS);
    for (unsigned player = 0; player < 2 && arm->draw_count > 0; player++) {
        double *values = sy_alloc(arm->draw_count, sizeof *values);
        for (size_t i = 0; i < arm->draw_count; i++)
            values[i] = draw_parameter(&arm->draws[i], &random);
        drawn[first ^ player] = values;
    }
}

/* ---- openings ---- */

static const struct sy_limits short_search = {1000, 0, false};

/* Who says how uneven an opening is: the arm's engine without noise, new to every opening. */
struct judge {
    struct sy_engine *engine; /* NULL: any opening will do */
    double limit;             /* pawns */
};

static struct judge judge_of(const struct sy_experiment *experiment, const struct sy_arm *arm)
{
    struct judge judge = {NULL, experiment->opening_limit};
    if (judge.limit > 0) {
        struct sy_params params = arm->params;
        params.other[SY_EVAL_NOISE] = 0;
        judge.engine = sy_engine_create(arm->variant, sy_engine_table_bytes(&short_search));
        sy_engine_set_params(judge.engine, &params);
    }
    return judge;
}

static bool is_even(const struct judge *judge, const struct sy_position *position)
{
    struct sy_search_result result;
    if (judge->engine == NULL)
        return true;
    sy_engine_new_game(judge->engine, 0);
    sy_engine_search(judge->engine, position, NULL, &short_search, &result);
    return fabs(result.score) <= judge->limit;
}

/* Plays random moves on the position; false when the game does not go on after them, or not evenly. */
static bool play_random(const struct judge *judge, struct sy_position *position, unsigned plies,
                        sy_move *moves, struct sy_random *random)
{
    struct sy_history history = {NULL, 0, 0};
    bool on = true;
    sy_history_push(&history, position->key);
    for (unsigned ply = 0; on && ply < plies; ply++) {
        sy_move legal[SY_MAX_MOVES];
        struct sy_undo undo;
        const unsigned count = sy_generate(position, legal);
        on = sy_outcome_of(position, &history, count).reason == SY_GOING_ON;
        if (!on)
            break;
        moves[ply] = legal[sy_random_below(random, count)];
        sy_make(position, moves[ply], &undo);
        sy_history_push(&history, position->key);
    }
    on = on && goes_on(position, &history) && is_even(judge, position);
    sy_history_clear(&history);
    return on;
}

static enum sy_status draw_opening(const struct sy_experiment *experiment, uint64_t number,
                                   struct sy_game_start *start, struct sy_error *error)
{
    struct sy_random length = sy_pair_stream(experiment, number, SY_PURPOSE_OPENING_LENGTH);
    start->opening_plies = draw_range(&length, experiment->opening);
    if (start->opening_plies == 0)
        return SY_OK;
    start->opening = sy_alloc(start->opening_plies, sizeof *start->opening);
    struct sy_random random = experiment->design == SY_DESIGN_PARAMETERS
                                  ? sy_pair_stream(experiment, number, SY_PURPOSE_OPENING_OF_PAIR)
                                  : sy_game_stream(experiment, number, SY_PURPOSE_OPENING_OF_GAME);
    const struct sy_arm *arm = &experiment->arms[sy_experiment_arm(experiment, number)];
    const struct judge judge = judge_of(experiment, arm);
    bool found = false;
    for (int attempt = 0; attempt < ATTEMPTS && !found; attempt++) {
        struct sy_position position = start->position;
        found = play_random(&judge, &position, start->opening_plies, start->opening, &random);
    }
    sy_engine_free(judge.engine);
    return found ? SY_OK
                 : sy_fail(error, SY_BAD_INPUT,
                           "'%s': none of %d random openings of %u plies left a game to play: ask for fewer "
                           "plies%s",
                           arm->label, ATTEMPTS, start->opening_plies,
                           judge.engine == NULL ? "" : ", or for a larger 'limit'");
}

/* Twins: an opening of an even number of plies, of which only the position is kept, as a start of its own. */
static enum sy_status draw_twin(const struct sy_experiment *experiment, uint64_t number,
                                struct sy_position *position, struct sy_error *error)
{
    struct sy_random length = sy_pair_stream(experiment, number, SY_PURPOSE_OPENING_LENGTH);
    struct sy_random random = sy_pair_stream(experiment, number, SY_PURPOSE_OPENING_OF_PAIR);
    const unsigned plies = (draw_range(&length, experiment->opening) + 1) / 2 * 2;
    const struct sy_position whole = *position;
    const struct sy_arm *arm = &experiment->arms[sy_experiment_arm(experiment, number)];
    const struct judge judge = judge_of(experiment, arm);
    sy_move *moves = sy_alloc(plies + 1U, sizeof *moves);
    enum sy_status status = SY_FAILED;
    for (int attempt = 0; attempt < ATTEMPTS && status != SY_OK; attempt++) {
        struct sy_position first = whole, second;
        if (!play_random(&judge, &first, plies, moves, &random))
            continue;
        first.ep = SY_EMPTY_SET;
        first.halfmove = 0;
        first.fullmove = 1;
        if (!acceptable(&first))
            continue;
        exchange_armies(&first, &second);
        if (!acceptable(&second))
            continue;
        *position = is_second(experiment, number) ? second : first;
        status = SY_OK;
    }
    sy_engine_free(judge.engine);
    free(moves);
    return status == SY_OK
               ? SY_OK
               : sy_fail(error, SY_BAD_INPUT, "'%s': none of %d random openings could be played from by both",
                         arm->label, ATTEMPTS);
}

/* ---- whole ---- */

enum sy_status sy_game_draw(const struct sy_experiment *experiment, uint64_t number,
                            struct sy_game_start *start, struct sy_error *error)
{
    const struct sy_arm *arm = &experiment->arms[sy_experiment_arm(experiment, number)];
    memset(start, 0, sizeof *start);
    enum sy_status status = sy_game_whole(arm, &start->position, error);
    if (status == SY_OK && experiment->design == SY_DESIGN_IMBALANCE)
        status = draw_uneven(experiment, number, &start->position, error);
    if (status == SY_OK && experiment->twins)
        return draw_twin(experiment, number, &start->position, error);
    if (status == SY_OK)
        draw_parameters(experiment, number, start->drawn);
    if (status == SY_OK)
        status = draw_opening(experiment, number, start, error);
    return status;
}

void sy_game_start_clear(struct sy_game_start *start)
{
    free(start->drawn[0]);
    free(start->drawn[1]);
    free(start->opening);
    memset(start, 0, sizeof *start);
}
