/* The balance panel: what designers ask of a game, measured over its games.
 *
 * Each game gives one number and counts once, however long it was: means over positions would let long games
 * speak for all. Cut-off games stay in every rate that they are part of. Balance is taken over games with a
 * winner, for a game of nothing but draws shows no balance. The two games of a colour-swapped pair share a
 * start, so means are clustered by pair; shares have Wilson's interval.
 *
 * Who is ahead is told by the material on the board at the values the engine believed, at settled moments
 * only: neither the move before nor the move after takes or promotes, so that half an exchange is no lead.
 * Logs hold no scores, and the report says so.
 *
 * Sources: Browne, Automatic generation and evaluation of recombination games (PhD thesis, Queensland
 * University of Technology, 2008); Piette, Stephenson, Soemers and Browne, General board game concepts (IEEE
 * Conference on Games, 2021), which describes Ludii's measures. */
#include "report_internal.h"

#include "steelyard/fen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BROWNE "after Browne 2008"
#define LUDII "Ludii (Piette et al. 2021)"

const struct sy_measure_info sy_measure_info[SY_MEASURES] = {
    [SY_MEASURE_ADVANTAGE] = {"White's advantage", "% of a point", 100.0, 1,
                              "White's mean score above one half, over finished games.", BROWNE},
    [SY_MEASURE_BALANCE] =
        {"balance", "%", 100.0, 1,
         "100 when White and Black win equally often, 0 when one side wins always; over games "
         "with a winner, so that draws do not count as balance.",
         "after " LUDII ", where draws count as balanced"},
    [SY_MEASURE_COMPLETION] = {"completion", "%", 100.0, 1,
                               "Games that reached a result, out of all games; those cut off did not.",
                               BROWNE},
    [SY_MEASURE_PLAYED_OUT] =
        {"played out", "%", 100.0, 1,
         "Games that the rules themselves ended, out of all games; those ended by their "
         "score do not count.",
         "a stricter completion"},
    [SY_MEASURE_DECISIVENESS] = {"decisiveness", "%", 100.0, 1,
                                 "Games with a winner, out of all games, those cut off included.",
                                 "completion in " LUDII},
    [SY_MEASURE_DRAWS] = {"draw rate", "%", 100.0, 1,
                          "Games that ended level, out of all games, those cut off included.",
                          "drawishness in " LUDII},
    [SY_MEASURE_DURATION] = {"duration", "plies", 1.0, 1,
                             "Moves of both sides in a game; cut-off games count as long as they were.",
                             LUDII},
    [SY_MEASURE_BRANCHING] = {"branching", "moves", 1.0, 1,
                              "Legal moves in a position: the mean over a game's positions, then over games.",
                              LUDII},
    [SY_MEASURE_COVERAGE] = {"board coverage", "% of cells", 100.0, 1,
                             "Cells on which some piece stood at some time of the game.", LUDII},
    [SY_MEASURE_CAPTURES] = {"captures", "a game", 1.0, 1, "Pieces taken in a game.", LUDII},
    [SY_MEASURE_LEAD_CHANGES] =
        {"lead changes", "a game", 1.0, 2,
         "How often the lead in material passed from one side to the other; a lead is at "
         "least one unit.",
         BROWNE ", there by scores"},
    [SY_MEASURE_DRAMA] =
        {"drama", "units", 1.0, 2,
         "How far the later winner was behind in material: the mean over the whole game, moments "
         "when he was not behind counting 0; over games with a winner.",
         BROWNE ", there by scores"},
    [SY_MEASURE_NO_RETURN] =
        {"time of no return", "% of the game", 100.0, 1,
         "How much of the game had passed when the winner took the lead in material that he "
         "kept; 100 when he won without one.",
         "akin to the decision threshold of Browne 2008"},
    [SY_MEASURE_LAST_TENTH] = {"hinges on the last tenth", "%", 100.0, 1,
                               "Games with a winner whose time of no return lies in the last tenth.",
                               "a share made of the measure above"},
};

/* What one game gives. */
struct game_measures {
    double coverage, captures, lead_changes;
    double drama, no_return; /* only of a game with a winner */
    double surviving[SY_MAX_TYPES][SY_TENTHS];
    bool started[SY_MAX_TYPES]; /* with pieces of the kind */
};

struct tracker {
    const struct sy_arm_games *games;
    const struct sy_game_record *record;
    struct sy_position position;
    double unit; /* a lead, in pawns */
    uint8_t
        of[SY_MAX_CELLS]; /* the kind of the starting piece on the cell, SY_NO_TYPE for none or promoted */
    unsigned left[SY_MAX_TYPES], began[SY_MAX_TYPES];
    sy_set seen;
    unsigned captures;
    double *balance; /* after each number of moves: White's lead in units */
};

static double material_balance(const struct tracker *tracker)
{
    const struct sy_variant *variant = tracker->position.variant;
    double balance = 0.0;
    for (unsigned type = 0; type < variant->types; type++) {
        const int more = sy_count(sy_pieces(&tracker->position, type, SY_WHITE)) -
                         sy_count(sy_pieces(&tracker->position, type, SY_BLACK));
        balance += more * tracker->games->arm->params.value[variant->type[type].material];
    }
    return balance / tracker->unit;
}

static void begin_kinds(struct tracker *tracker)
{
    const struct sy_variant *variant = tracker->position.variant;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const unsigned piece = tracker->position.piece[cell];
        tracker->of[cell] = SY_NO_TYPE;
        if (piece != SY_NO_PIECE) {
            tracker->of[cell] = variant->type[sy_piece_type(piece)].material;
            tracker->began[tracker->of[cell]]++;
            tracker->left[tracker->of[cell]]++;
        }
    }
}

static void remove_piece(struct tracker *tracker, unsigned cell)
{
    if (tracker->of[cell] != SY_NO_TYPE) {
        tracker->left[tracker->of[cell]]--;
        tracker->of[cell] = SY_NO_TYPE;
    }
}

static void castle(struct tracker *tracker, const struct sy_castling *castling)
{
    const uint8_t king = tracker->of[castling->king_from];
    const uint8_t rook = tracker->of[castling->rook_from];
    tracker->of[castling->king_from] = tracker->of[castling->rook_from] = SY_NO_TYPE;
    tracker->of[castling->king_to] = king;
    tracker->of[castling->rook_to] = rook;
}

/* Follows the starting pieces through a move that has not been made yet. */
static void follow(struct tracker *tracker, sy_move move)
{
    const unsigned from = sy_move_from(move);
    const unsigned to = sy_move_to(move);
    const uint8_t moved = tracker->of[from];
    switch (sy_move_kind(move)) {
    case SY_MOVE_SHOT:
        remove_piece(tracker, to);
        return;
    case SY_MOVE_SWAP:
        tracker->of[from] = tracker->of[to];
        tracker->of[to] = moved;
        return;
    case SY_MOVE_CASTLE:
        castle(tracker, &tracker->position.variant->castling[sy_move_extra(move)]);
        return;
    case SY_MOVE_EN_PASSANT:
        remove_piece(tracker, tracker->position.ep_victim);
        break;
    case SY_MOVE_PROMOTION:
        remove_piece(tracker, from);
        remove_piece(tracker, to);
        return;
    case SY_MOVE_PLAIN:
        remove_piece(tracker, to);
        break;
    }
    tracker->of[from] = SY_NO_TYPE;
    tracker->of[to] = moved;
}

/* Notes the shares for every tenth that the game has come to after `ply` moves. */
static void note_survival(const struct tracker *tracker, unsigned ply, struct game_measures *measures)
{
    for (unsigned tenth = 0; tenth < SY_TENTHS; tenth++) {
        const unsigned moment = (unsigned)lround((double)(tenth * tracker->record->plies) / (SY_TENTHS - 1));
        for (unsigned kind = 0; moment == ply && kind < SY_MAX_TYPES; kind++) {
            measures->started[kind] = tracker->began[kind] > 0;
            if (measures->started[kind]) {
                measures->surviving[kind][tenth] = (double)tracker->left[kind] / (double)tracker->began[kind];
            }
        }
    }
}

static bool unsettles(const struct sy_position *position, sy_move move)
{
    return sy_move_victim(position, move) != SY_NO_PIECE || sy_move_kind(move) == SY_MOVE_PROMOTION;
}

static void play_through(struct tracker *tracker, struct game_measures *measures)
{
    const struct sy_game_record *record = tracker->record;
    bool unsettled = false;
    double balance = material_balance(tracker);
    for (unsigned ply = 0;; ply++) {
        const bool last = ply == record->plies;
        const bool taking = !last && unsettles(&tracker->position, record->moves[ply]);
        if (last || (!unsettled && !taking)) {
            balance = material_balance(tracker);
        }
        tracker->balance[ply] = balance;
        tracker->seen |= sy_occupied(&tracker->position);
        note_survival(tracker, ply, measures);
        if (last) {
            break;
        }
        struct sy_undo undo;
        tracker->captures += sy_move_victim(&tracker->position, record->moves[ply]) != SY_NO_PIECE;
        follow(tracker, record->moves[ply]);
        sy_make(&tracker->position, record->moves[ply], &undo);
        unsettled = taking;
    }
}

/* 1: White leads, -1: Black, 0: neither. */
static int leader(double balance)
{
    const double lead = 1.0 - 1e-9;
    return balance >= lead ? 1 : balance <= -lead ? -1 : 0;
}

static double count_lead_changes(const struct tracker *tracker)
{
    int before = 0;
    double changes = 0.0;
    for (unsigned ply = 0; ply <= tracker->record->plies; ply++) {
        const int now = leader(tracker->balance[ply]);
        changes += now != 0 && now == -before;
        before = now != 0 ? now : before;
    }
    return changes;
}

/* winner: 1 White, -1 Black. */
static void judge_winner(const struct tracker *tracker, int winner, struct game_measures *measures)
{
    const unsigned plies = tracker->record->plies;
    double behind = 0.0;
    for (unsigned ply = 0; ply <= plies; ply++) {
        behind += fmax(0.0, -winner * tracker->balance[ply]);
    }
    measures->drama = behind / (double)(plies + 1);
    /* The first of the moments at the end at which he leads all along. */
    unsigned kept = plies + 1;
    while (kept > 0 && leader(tracker->balance[kept - 1]) == winner) {
        kept--;
    }
    measures->no_return = kept > plies || plies == 0 ? 1.0 : (double)kept / (double)plies;
}

int sy_winner_of(const struct sy_game_record *game)
{
    return !game->finished ? 0 : game->result == 1.0 ? 1 : game->result == 0.0 ? -1 : 0;
}

static enum sy_status measure_game(const struct sy_arm_games *games, const struct sy_game_record *record,
                                   struct game_measures *measures, struct sy_error *error)
{
    struct tracker tracker = {.games = games, .record = record};
    memset(measures, 0, sizeof *measures);
    const enum sy_status status = sy_fen_parse(games->arm->variant, record->start, &tracker.position, error);
    if (status != SY_OK) {
        return sy_fail_within(error, status, "game %llu", (unsigned long long)record->number);
    }
    const double believed = games->arm->params.value[games->arm->unit_material];
    tracker.unit = believed > 0.0 ? believed : 1.0;
    tracker.balance = sy_alloc(record->plies + 1U, sizeof *tracker.balance);
    begin_kinds(&tracker);
    play_through(&tracker, measures);
    measures->coverage = (double)sy_count(tracker.seen) / (double)games->arm->variant->cells;
    measures->captures = tracker.captures;
    measures->lead_changes = count_lead_changes(&tracker);
    if (sy_winner_of(record) != 0) {
        judge_winner(&tracker, sy_winner_of(record), measures);
    }
    free(tracker.balance);
    return SY_OK;
}

/* ---- over the games of an arm ---- */

/* Values of some of the games, with their pairs. */
struct sample {
    size_t count;
    double *value;
    int64_t *pair;
};

static void sample_add(struct sample *sample, const struct sy_game_record *record, double value)
{
    sample->value[sample->count] = value;
    sample->pair[sample->count++] = (int64_t)record->pair;
}

static struct sample sample_create(size_t most)
{
    return (struct sample){0, sy_alloc(most + 1, sizeof(double)), sy_alloc(most + 1, sizeof(int64_t))};
}

static void sample_free(struct sample *sample)
{
    free(sample->value);
    free(sample->pair);
}

struct counts {
    size_t all, finished, adjudicated, won, drawn, late;
};

static struct counts count_games(const struct sy_arm_games *games, const struct game_measures *measures)
{
    struct counts counts = {.all = games->count};
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        const bool won = sy_winner_of(game) != 0;
        counts.finished += game->finished;
        counts.adjudicated += strcmp(game->reason, SY_REASON_ADJUDICATED) == 0;
        counts.won += won;
        counts.drawn += game->finished && game->result == 0.5;
        counts.late += won && measures[i].no_return > 0.9;
    }
    return counts;
}

/* 1 - |d|, d the mean of +1 for each game White won and -1 for each that Black won. */
static struct sy_estimate balance_of(struct sy_estimate d)
{
    if (d.status != SY_STAT_OK) {
        return d;
    }
    const double near = d.low <= 0.0 && 0.0 <= d.high ? 0.0 : fmin(fabs(d.low), fabs(d.high));
    const double far = fmin(1.0, fmax(fabs(d.low), fabs(d.high)));
    return (struct sy_estimate){
        .value = 1.0 - fabs(d.value), .error = d.error, .low = 1.0 - far, .high = 1.0 - near};
}

typedef double (*measure_fn)(const struct sy_game_record *record, const struct game_measures *measures);

static double get_coverage(const struct sy_game_record *record, const struct game_measures *measures)
{
    (void)record;
    return measures->coverage;
}

static double get_captures(const struct sy_game_record *record, const struct game_measures *measures)
{
    (void)record;
    return measures->captures;
}

static double get_lead_changes(const struct sy_game_record *record, const struct game_measures *measures)
{
    (void)record;
    return measures->lead_changes;
}

static double get_drama(const struct sy_game_record *record, const struct game_measures *measures)
{
    (void)record;
    return measures->drama;
}

static double get_no_return(const struct sy_game_record *record, const struct game_measures *measures)
{
    (void)record;
    return measures->no_return;
}

static double get_winner(const struct sy_game_record *record, const struct game_measures *measures)
{
    (void)measures;
    return sy_winner_of(record);
}

static struct sy_estimate mean_of(const struct sy_arm_games *games, const struct game_measures *measures,
                                  bool won_only, measure_fn get)
{
    struct sample sample = sample_create(games->count);
    for (size_t i = 0; i < games->count; i++) {
        if (!won_only || sy_winner_of(&games->games[i]) != 0) {
            sample_add(&sample, &games->games[i], get(&games->games[i], &measures[i]));
        }
    }
    const struct sy_estimate mean =
        sy_mean(sample.count, sample.value, NULL, sample.pair, games->experiment->fit.confidence);
    sample_free(&sample);
    return mean;
}

static void set(struct sy_panel *panel, enum sy_measure measure, struct sy_estimate estimate, size_t games)
{
    panel->measure[measure] = estimate;
    panel->games[measure] = games;
}

static void set_share(struct sy_panel *panel, enum sy_measure measure, size_t successes, size_t trials,
                      double level)
{
    set(panel, measure, sy_wilson((double)successes, (double)trials, level), trials);
}

static void set_summary_numbers(struct sy_panel *panel, const struct sy_json *arm,
                                const struct counts *counts)
{
    struct sy_estimate advantage = sy_read_estimate(sy_read_at(arm, "white", "score"));
    if (advantage.status == SY_STAT_OK) {
        advantage.value -= 0.5;
        advantage.low -= 0.5;
        advantage.high -= 0.5;
    }
    set(panel, SY_MEASURE_ADVANTAGE, advantage, counts->finished);
    set(panel, SY_MEASURE_DURATION, sy_read_estimate(sy_read_at(arm, "length", "mean")), counts->all);
    set(panel, SY_MEASURE_BRANCHING, sy_read_estimate(sy_json_member(arm, "branching")), counts->all);
}

static void set_measures(struct sy_panel *panel, const struct sy_arm_games *games,
                         const struct game_measures *measures, const struct counts *counts)
{
    const double level = games->experiment->fit.confidence;
    set(panel, SY_MEASURE_BALANCE, balance_of(mean_of(games, measures, true, get_winner)), counts->won);
    set_share(panel, SY_MEASURE_COMPLETION, counts->finished, counts->all, level);
    set_share(panel, SY_MEASURE_PLAYED_OUT, counts->finished - counts->adjudicated, counts->all, level);
    set_share(panel, SY_MEASURE_DECISIVENESS, counts->won, counts->all, level);
    set_share(panel, SY_MEASURE_DRAWS, counts->drawn, counts->all, level);
    set(panel, SY_MEASURE_COVERAGE, mean_of(games, measures, false, get_coverage), counts->all);
    set(panel, SY_MEASURE_CAPTURES, mean_of(games, measures, false, get_captures), counts->all);
    set(panel, SY_MEASURE_LEAD_CHANGES, mean_of(games, measures, false, get_lead_changes), counts->all);
    set(panel, SY_MEASURE_DRAMA, mean_of(games, measures, true, get_drama), counts->won);
    set(panel, SY_MEASURE_NO_RETURN, mean_of(games, measures, true, get_no_return), counts->won);
    set_share(panel, SY_MEASURE_LAST_TENTH, counts->late, counts->won, level);
}

static void set_survival(struct sy_panel *panel, const struct sy_arm_games *games,
                         const struct game_measures *measures)
{
    const struct sy_variant *variant = games->arm->variant;
    struct sample sample = sample_create(games->count);
    for (unsigned kind = 0; kind < variant->materials; kind++) {
        if (variant->material_royal[kind]) {
            continue;
        }
        struct sy_survival *survival = &panel->survival[panel->kinds++];
        survival->name = variant->material[kind];
        for (unsigned tenth = 0; tenth < SY_TENTHS; tenth++) {
            sample.count = 0;
            for (size_t i = 0; i < games->count; i++) {
                if (measures[i].started[kind]) {
                    sample_add(&sample, &games->games[i], measures[i].surviving[kind][tenth]);
                }
            }
            survival->share[tenth] =
                sy_mean(sample.count, sample.value, NULL, sample.pair, games->experiment->fit.confidence);
        }
    }
    sample_free(&sample);
}

enum sy_status sy_panel_compute(const struct sy_arm_games *games, const struct sy_json *arm,
                                struct sy_panel *panel, struct sy_error *error)
{
    struct game_measures *measures = sy_alloc(games->count + 1, sizeof *measures);
    enum sy_status status = SY_OK;
    memset(panel, 0, sizeof *panel);
    for (size_t i = 0; i < games->count && status == SY_OK; i++) {
        status = measure_game(games, &games->games[i], &measures[i], error);
    }
    if (status == SY_OK) {
        const struct counts counts = count_games(games, measures);
        set_summary_numbers(panel, arm, &counts);
        set_measures(panel, games, measures, &counts);
        set_survival(panel, games, measures);
    }
    free(measures);
    return status;
}
