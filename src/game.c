/* game: one game played, and a played one checked.
 *
 * Both walk the same way: before every move the variant's own endings are asked first, then the score that
 * both players agree on, then the length cap. A check repeats all of it but the searches. */
#include "steelyard/game.h"

#include "game_internal.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"
#include "steelyard/player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A game as it goes along. */
struct walk {
    struct sy_position position;
    struct sy_history history;
    uint64_t choices; /* sum of the numbers of legal moves */
    unsigned plies;
};

static void walk_begin(struct walk *walk, const struct sy_position *start)
{
    memset(walk, 0, sizeof *walk);
    walk->position = *start;
    sy_history_push(&walk->history, start->key);
}

static void walk_move(struct walk *walk, sy_move move, unsigned legal)
{
    struct sy_undo undo;
    sy_make(&walk->position, move, &undo);
    sy_history_push(&walk->history, walk->position.key);
    walk->choices += legal;
    walk->plies++;
}

static double mean_legal(const struct walk *walk)
{
    return walk->plies == 0 ? 0 : floor((double)walk->choices / walk->plies * 100 + 0.5) / 100;
}

void sy_game_params(const struct sy_arm *arm, const double *drawn, struct sy_params *params)
{
    *params = arm->params;
    for (size_t i = 0; drawn != NULL && i < arm->draw_count; i++) {
        double min, max;
        *sy_params_find(arm->variant, params, arm->draws[i].name, &min, &max) = drawn[i];
    }
}

/* ---- players ---- */

struct sy_players {
    const struct sy_experiment *experiment;
    const struct sy_arm *arm; /* that they are for; NULL before the first game */
    struct sy_engine *engine[2];
    struct sy_player *program[2]; /* instead, where the arm names one */
};

struct sy_players *sy_players_create(const struct sy_experiment *experiment)
{
    struct sy_players *players = sy_alloc(1, sizeof *players);
    players->experiment = experiment;
    return players;
}

static void dismiss(struct sy_players *players)
{
    for (unsigned side = 0; side < 2; side++) {
        sy_engine_free(players->engine[side]);
        sy_player_free(players->program[side]);
        players->engine[side] = NULL;
        players->program[side] = NULL;
    }
}

void sy_players_free(struct sy_players *players)
{
    if (players == NULL)
        return;
    dismiss(players);
    free(players);
}

enum sy_status sy_players_try(const struct sy_experiment *experiment, struct sy_error *error)
{
    const bool other_starts = experiment->design == SY_DESIGN_IMBALANCE || experiment->twins;
    enum sy_status status = SY_OK;
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++)
        if (experiment->arms[i].player != NULL)
            status =
                sy_player_try(experiment->arms[i].player, experiment->arms[i].variant, other_starts, error);
    return status;
}

static void seat_programs(struct sy_players *players, const struct sy_arm *arm)
{
    for (unsigned side = 0; side < 2; side++)
        if (players->program[side] == NULL)
            players->program[side] = sy_player_create(arm->player, arm->variant);
}

static void seat_engines(struct sy_players *players, const struct sy_arm *arm, uint64_t number,
                         double *const drawn[2])
{
    struct sy_random noise = sy_game_stream(players->experiment, number, SY_PURPOSE_NOISE);
    for (unsigned side = 0; side < 2; side++) {
        const bool changed = players->engine[side] == NULL;
        if (changed)
            players->engine[side] = sy_engine_create(arm->variant, arm->table_bytes);
        if (changed || drawn[side] != NULL) {
            struct sy_params params;
            sy_game_params(arm, drawn[side], &params);
            sy_engine_set_params(players->engine[side], &params);
        }
        sy_engine_new_game(players->engine[side], sy_random_u64(&noise));
    }
}

static void seat(struct sy_players *players, uint64_t number, double *const drawn[2])
{
    const struct sy_arm *arm = &players->experiment->arms[sy_experiment_arm(players->experiment, number)];
    if (players->arm != arm)
        dismiss(players);
    players->arm = arm;
    if (arm->player != NULL)
        seat_programs(players, arm);
    else
        seat_engines(players, arm, number, drawn);
}

/* ---- playing ---- */

int sy_game_lead(const struct sy_experiment *experiment, int lead, double white_score)
{
    const double enough = experiment->adjudicate.score;
    if (enough <= 0 || fabs(white_score) < enough)
        return 0;
    if (white_score > 0)
        return lead > 0 ? lead + 1 : 1;
    return lead < 0 ? lead - 1 : -1;
}

static void close_end(struct sy_game_end *end, bool finished, double result, const char *reason)
{
    end->finished = finished;
    end->result = result;
    snprintf(end->reason, sizeof end->reason, "%s", reason);
}

bool sy_game_ends(const struct sy_experiment *experiment, const struct sy_position *position,
                  const struct sy_history *history, unsigned plies, unsigned legal, int lead,
                  struct sy_game_end *end)
{
    const struct sy_outcome outcome = sy_outcome_of(position, history, legal);
    char buffer[64];
    if (outcome.reason != SY_GOING_ON)
        close_end(end, true, outcome.white_points, sy_reason_text(position->variant, outcome.reason, buffer));
    else if ((unsigned)abs(lead) >= experiment->adjudicate.plies_in_row)
        close_end(end, true, lead > 0 ? 1 : 0, SY_REASON_ADJUDICATED);
    else if (plies >= experiment->adjudicate.plies)
        close_end(end, false, 0, SY_REASON_UNFINISHED);
    else
        return false;
    return true;
}

/* True, with the record closed, when the game ends here. */
static bool ends(const struct sy_experiment *experiment, const struct walk *walk, unsigned legal, int lead,
                 struct sy_game_record *record)
{
    struct sy_game_end end;
    if (!sy_game_ends(experiment, &walk->position, &walk->history, walk->plies, legal, lead, &end))
        return false;
    record->finished = end.finished;
    record->result = end.result;
    memcpy(record->reason, end.reason, sizeof record->reason);
    return true;
}

/* After the opening both processes are told of the new game, so that one that has ended is started again. */
static enum sy_status ask_program(struct sy_players *players, const struct walk *walk,
                                  const struct sy_game_record *record, struct sy_choice *choice,
                                  struct sy_error *error)
{
    const bool own_start = strcmp(record->start, players->arm->variant->start) == 0;
    const struct sy_player_game so_far = {own_start ? NULL : record->start, record->moves, walk->plies,
                                          &walk->position, &walk->history};
    enum sy_status status = SY_OK;
    for (unsigned side = 0; status == SY_OK && walk->plies == record->opening && side < 2; side++)
        status = sy_player_new_game(players->program[side], 0, error);
    return status == SY_OK
               ? sy_player_choose(players->program[walk->position.to_move], &so_far, choice, error)
               : status;
}

static void ask_engine(struct sy_players *players, const struct walk *walk, struct sy_choice *choice)
{
    struct sy_search_result result;
    sy_engine_search(players->engine[walk->position.to_move], &walk->position, &walk->history,
                     &players->arm->limits, &result);
    *choice = (struct sy_choice){result.best, true, result.score, result.nodes};
}

/* The move of the player whose turn it is; false, with the record void, when it fails. */
static bool choose(struct sy_players *players, const struct walk *walk, struct sy_game_record *record,
                   int *lead, sy_move *move)
{
    struct sy_choice choice;
    struct sy_error error;
    if (players->arm->player == NULL) {
        ask_engine(players, walk, &choice);
    } else if (ask_program(players, walk, record, &choice, &error) != SY_OK) {
        record->fault = sy_strdup(error.message);
        snprintf(record->reason, sizeof record->reason, "%s", SY_REASON_VOID);
        return false;
    }
    const double white = walk->position.to_move == SY_WHITE ? choice.score : -choice.score;
    record->nodes += choice.nodes;
    *lead = choice.scored ? sy_game_lead(players->experiment, *lead, white) : 0;
    *move = choice.move;
    return true;
}

static void play_on(struct sy_players *players, const struct sy_game_start *start,
                    struct sy_game_record *record)
{
    struct walk walk;
    size_t capacity = 0;
    int lead = 0;
    walk_begin(&walk, &start->position);
    for (;;) {
        const unsigned legal = sy_count_legal(&walk.position);
        if (ends(players->experiment, &walk, legal, lead, record))
            break;
        sy_move move = walk.plies < start->opening_plies ? start->opening[walk.plies] : SY_NO_MOVE;
        if (walk.plies >= start->opening_plies && !choose(players, &walk, record, &lead, &move))
            break;
        record->moves = sy_grow(record->moves, &capacity, walk.plies + 1U, sizeof *record->moves);
        record->moves[walk.plies] = move;
        walk_move(&walk, move, legal);
    }
    record->plies = walk.plies;
    record->legal = mean_legal(&walk);
    sy_history_clear(&walk.history);
}

enum sy_status sy_game_play(struct sy_players *players, uint64_t number, struct sy_game_record *record,
                            struct sy_error *error)
{
    const struct sy_experiment *experiment = players->experiment;
    struct sy_game_start start;
    memset(record, 0, sizeof *record);
    record->number = number;
    record->arm = sy_experiment_arm(experiment, number);
    record->pair = sy_experiment_pair(experiment, number);
    if (experiment->design == SY_DESIGN_POSITIONS)
        return sy_game_of_source(experiment, number, record, error);
    enum sy_status status = sy_game_draw(experiment, number, &start, error);
    if (status == SY_OK) {
        seat(players, number, start.drawn);
        record->start = sy_fen(&start.position);
        record->opening = start.opening_plies;
        memcpy(record->drawn, start.drawn, sizeof record->drawn);
        start.drawn[0] = start.drawn[1] = NULL;
        play_on(players, &start, record);
    }
    sy_game_start_clear(&start);
    return status;
}

void sy_game_record_clear(struct sy_game_record *record)
{
    free(record->drawn[0]);
    free(record->drawn[1]);
    free(record->start);
    free(record->moves);
    free(record->fault);
    memset(record, 0, sizeof *record);
}

/* ---- checking ---- */

static bool same_draws(const struct sy_arm *arm, double *const one[2], double *const other[2])
{
    for (unsigned side = 0; side < 2; side++) {
        if ((one[side] == NULL) != (other[side] == NULL))
            return false;
        for (size_t i = 0; one[side] != NULL && i < arm->draw_count; i++)
            if (one[side][i] < other[side][i] || one[side][i] > other[side][i])
                return false;
    }
    return true;
}

static enum sy_status check_start(const struct sy_arm *arm, const struct sy_game_record *record,
                                  const struct sy_game_start *start, struct sy_error *error)
{
    char *fen = sy_fen(&start->position);
    enum sy_status status = SY_OK;
    if (strcmp(fen, record->start) != 0)
        status = sy_fail(error, SY_FAILED, "starts from '%s'; the experiment draws '%s'", record->start, fen);
    else if (!same_draws(arm, start->drawn, record->drawn))
        status = sy_fail(error, SY_FAILED, "the players' parameters are not those that the experiment draws");
    else if (record->opening != start->opening_plies || record->plies < record->opening ||
             (record->opening > 0 &&
              memcmp(record->moves, start->opening, record->opening * sizeof *record->moves) != 0))
        status = sy_fail(error, SY_FAILED, "the opening is not the one that the experiment draws");
    free(fen);
    return status;
}

/* Plays the record's moves; fails at a move after the end or an illegal one. */
static enum sy_status check_moves(const struct sy_experiment *experiment, struct walk *walk,
                                  const struct sy_game_record *record, struct sy_error *error)
{
    struct sy_game_record end = {0};
    while (walk->plies < record->plies) {
        const sy_move move = record->moves[walk->plies];
        const unsigned legal = sy_count_legal(&walk->position);
        if (ends(experiment, walk, legal, 0, &end))
            return sy_fail(error, SY_FAILED, "goes on after ply %u, where it ended: %s", walk->plies,
                           end.reason);
        if (!sy_is_legal(&walk->position, move)) {
            char text[SY_MOVE_TEXT];
            return sy_fail(error, SY_FAILED, "ply %u, %s, is not legal", walk->plies + 1,
                           sy_move_text(walk->position.variant, move, text));
        }
        walk_move(walk, move, legal);
    }
    return SY_OK;
}

/* Scores are not in the record, so an adjudication is believed where there could have been one. */
static bool could_be_adjudicated(const struct sy_experiment *experiment, const struct sy_game_record *record)
{
    return strcmp(record->reason, SY_REASON_ADJUDICATED) == 0 && experiment->adjudicate.score > 0 &&
           record->plies >= record->opening + experiment->adjudicate.plies_in_row && record->finished &&
           (record->result <= 0 || record->result >= 1);
}

static void describe_end(const struct sy_game_record *record, char text[128])
{
    char result[32] = "no result";
    if (record->finished)
        sy_double_text(record->result, result);
    snprintf(text, 128, "%s, %s", record->reason, result);
}

static enum sy_status check_end(const struct sy_experiment *experiment, const struct walk *walk,
                                const struct sy_game_record *record, struct sy_error *error)
{
    struct sy_game_record end = {0};
    char said[128], found[128] = "not over";
    describe_end(record, said);
    if (ends(experiment, walk, sy_count_legal(&walk->position), 0, &end))
        describe_end(&end, found);
    else if (record->fault != NULL) /* the log is believed in that the program failed here */
        describe_end(record, found);
    const bool ruled = end.finished; /* ended by the variant's rules, which come before adjudication */
    if (strcmp(said, found) != 0 && (ruled || !could_be_adjudicated(experiment, record)))
        return sy_fail(error, SY_FAILED, "the log says '%s'; after the last move the game is '%s'", said,
                       found);
    const double legal = mean_legal(walk);
    if (legal < record->legal || legal > record->legal)
        return sy_fail(error, SY_FAILED, "the log says %.2f legal moves a ply; there were %.2f",
                       record->legal, legal);
    return SY_OK;
}

enum sy_status sy_game_check(const struct sy_experiment *experiment, const struct sy_game_record *record,
                             struct sy_error *error)
{
    const struct sy_arm *arm = &experiment->arms[record->arm];
    struct sy_game_start start;
    /* Players may stop where they like; the moves were found legal when the record was read. */
    if (experiment->design == SY_DESIGN_POSITIONS)
        return SY_OK;
    enum sy_status status = sy_game_draw(experiment, record->number, &start, error);
    if (status == SY_OK)
        status = check_start(arm, record, &start, error);
    if (status == SY_OK) {
        struct walk walk;
        walk_begin(&walk, &start.position);
        status = check_moves(experiment, &walk, record, error);
        if (status == SY_OK)
            status = check_end(experiment, &walk, record, error);
        sy_history_clear(&walk.history);
    }
    sy_game_start_clear(&start);
    if (status != SY_OK)
        sy_fail_within(error, status, "game %llu", (unsigned long long)record->number);
    return status;
}
