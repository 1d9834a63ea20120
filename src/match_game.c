/* match_game: one game of a match, played and written down.
 *
 * How it ends is decided as in an experiment's game. A player's failure makes the game void. */
#include "match_internal.h"
#include "steelyard/game.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_PURPOSE = 7 }; /* of random streams; game_start has those below */

/* A game as it goes along. */
struct table {
    const struct sy_match *match;
    struct sy_match_game *game;
    struct sy_position position;
    struct sy_history history;
    size_t capacity; /* of game->moves */
    int lead; /* plies in a row in which White (> 0) or Black (< 0) was winning by the mover's account */
};

void sy_match_game_free(struct sy_match_game *game)
{
    if (game == NULL)
        return;
    free(game->moves);
    free(game);
}

static void make(struct table *table, sy_move move)
{
    struct sy_match_game *game = table->game;
    struct sy_undo undo;
    game->moves = sy_grow(game->moves, &table->capacity, game->plies + 1U, sizeof *game->moves);
    game->moves[game->plies++] = move;
    sy_make(&table->position, move, &undo);
    sy_history_push(&table->history, table->position.key);
}

/* True, with the game closed, when it ends here. */
static bool ends(struct table *table)
{
    struct sy_match_game *game = table->game;
    struct sy_game_end end;
    if (!sy_game_ends(table->match->openings, &table->position, &table->history, game->plies,
                      sy_count_legal(&table->position), table->lead, &end))
        return false;
    game->finished = end.finished;
    game->result = end.result;
    snprintf(game->reason, sizeof game->reason, "%s", end.reason);
    return true;
}

/* A move without a score ends a lead. */
static void note_score(struct table *table, const struct sy_choice *choice)
{
    const double white = table->position.to_move == SY_WHITE ? choice->score : -choice->score;
    table->lead = choice->scored ? sy_game_lead(table->match->openings, table->lead, white) : 0;
}

/* Asks the player whose turn it is; false when the game is void. */
static bool move_on(struct table *table, struct sy_player *const player[2])
{
    struct sy_match_game *game = table->game;
    const unsigned side = table->position.to_move;
    const struct sy_player_game so_far = {NULL, game->moves, game->plies, &table->position, &table->history};
    struct sy_choice choice;
    struct sy_error error;
    if (sy_player_choose(player[sy_match_seat(game->number, side)], &so_far, &choice, &error) != SY_OK) {
        snprintf(game->fault, sizeof game->fault, "%.250s", error.message);
        return false;
    }
    game->nodes[side] += choice.nodes;
    note_score(table, &choice);
    make(table, choice.move);
    return true;
}

static bool seat(struct table *table, struct sy_player *const player[2])
{
    struct sy_match_game *game = table->game;
    struct sy_random noise = sy_random_stream(table->match->openings->seed, game->number, NOISE_PURPOSE);
    for (unsigned side = 0; side < 2; side++) {
        struct sy_error error;
        const uint64_t seed = sy_random_u64(&noise);
        if (sy_player_new_game(player[sy_match_seat(game->number, side)], seed, &error) != SY_OK) {
            snprintf(game->fault, sizeof game->fault, "%.250s", error.message);
            return false;
        }
    }
    return true;
}

static void play(struct table *table, const struct sy_game_start *start, struct sy_player *const player[2],
                 const atomic_bool *stop)
{
    table->position = start->position;
    sy_history_push(&table->history, table->position.key);
    table->game->opening = start->opening_plies;
    for (unsigned i = 0; i < start->opening_plies; i++)
        make(table, start->opening[i]);
    if (!seat(table, player))
        return;
    while (!ends(table)) {
        table->game->abandoned = atomic_load(stop);
        if (table->game->abandoned || !move_on(table, player))
            return;
    }
}

struct sy_match_game *sy_match_game_play(const struct sy_match *match, struct sy_player *const player[2],
                                         uint64_t number, const atomic_bool *stop)
{
    struct sy_match_game *game = sy_alloc(1, sizeof *game);
    struct table table = {.match = match, .game = game};
    struct sy_game_start start;
    game->number = number;
    game->status = sy_game_draw(match->openings, number, &start, &game->error);
    if (game->status == SY_OK)
        play(&table, &start, player, stop);
    sy_game_start_clear(&start);
    sy_history_clear(&table.history);
    return game;
}

/* ---- writing ---- */

static void add_moves(struct sy_json *object, const struct sy_match *match, const struct sy_match_game *game)
{
    struct sy_text moves = SY_TEXT_INIT;
    char text[SY_MOVE_TEXT];
    sy_text_puts(&moves, "");
    for (unsigned i = 0; i < game->plies; i++)
        sy_text_printf(&moves, "%s%s", i > 0 ? " " : "", sy_move_text(match->variant, game->moves[i], text));
    sy_json_add_string(object, "moves", moves.bytes);
    sy_text_clear(&moves);
}

char *sy_match_game_line(const struct sy_match *match, const struct sy_match_game *game)
{
    struct sy_json *object = sy_json_new_object(), *nodes = sy_json_new_array();
    sy_json_add_int(object, "n", (int64_t)game->number);
    sy_json_add_string(object, "white", match->player[sy_match_seat(game->number, SY_WHITE)].name);
    sy_json_add_string(object, "black", match->player[sy_match_seat(game->number, SY_BLACK)].name);
    sy_json_add_int(object, "opening", game->opening);
    add_moves(object, match, game);
    sy_json_add(object, "result", game->finished ? sy_json_new_number(game->result) : sy_json_new_null());
    if (game->fault[0] != '\0')
        sy_json_add_string(object, "void", game->fault);
    else
        sy_json_add_string(object, "reason", game->reason);
    sy_json_add_int(object, "plies", game->plies);
    for (unsigned side = 0; side < 2; side++)
        sy_json_append(nodes, sy_json_new_int((int64_t)game->nodes[side]));
    sy_json_add(object, "nodes", nodes);
    char *text = sy_json_text(object, false);
    char *line = sy_format("%s\n", text);
    free(text);
    sy_json_delete(object);
    return line;
}
