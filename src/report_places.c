/* Where things happen on the board: where pieces go, where games are decided, how far pieces see.
 *
 * Each game counts once: it gives a distribution over the cells, and these are averaged, so that a long game
 * has no more say than a short one. Black's moves are taken to White's side by the variant's mirror. The
 * plies of a random opening are nobody's choice and are left out. How far a piece sees on the average board
 * is the mean over one position of each game, drawn by the game's number alone, of what a piece put on the
 * cell in place of whatever stands there could reach; rules of check are left aside. */
#include "report_internal.h"

#include "steelyard/draw.h"
#include "steelyard/fen.h"
#include "steelyard/movegen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One game on its way. */
struct walk {
    const struct sy_game_record *record;
    struct sy_position position;
    unsigned since[SY_MAX_CELLS]; /* ply from which on the piece has stood there */
    unsigned time[SY_MAX_TYPES][SY_MAX_CELLS], moves[SY_MAX_TYPES][SY_MAX_CELLS];
    unsigned taken; /* where the last piece was taken, SY_NO_CELL for nowhere */
};

static unsigned whites(const struct sy_variant *variant, unsigned side, unsigned cell)
{
    return side == SY_WHITE ? cell : variant->mirror[cell];
}

static void arrive(struct walk *walk, unsigned piece, unsigned cell)
{
    const struct sy_variant *variant = walk->position.variant;
    walk->moves[sy_piece_type(piece)][whites(variant, sy_piece_side(piece), cell)]++;
}

/* Counts where a move that has not been made yet takes its pieces. */
static void note_move(struct walk *walk, sy_move move)
{
    const struct sy_position *position = &walk->position;
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    switch (sy_move_kind(move)) {
    case SY_MOVE_SHOT:
        return;
    case SY_MOVE_SWAP:
        arrive(walk, position->piece[to], from);
        break;
    case SY_MOVE_CASTLE: {
        const struct sy_castling *castling = &position->variant->castling[sy_move_extra(move)];
        arrive(walk, position->piece[castling->rook_from], castling->rook_to);
        arrive(walk, position->piece[castling->king_from], castling->king_to);
        return;
    }
    case SY_MOVE_EN_PASSANT:
    case SY_MOVE_PROMOTION:
    case SY_MOVE_PLAIN:
        break;
    }
    arrive(walk, position->piece[from], to);
}

/* The piece that stood on the cell until `ply` is gone. */
static void leave(struct walk *walk, unsigned piece, unsigned cell, unsigned ply)
{
    if (piece != SY_NO_PIECE && ply > walk->since[cell]) {
        const unsigned at = whites(walk->position.variant, sy_piece_side(piece), cell);
        walk->time[sy_piece_type(piece)][at] += ply - walk->since[cell];
    }
}

static void step(struct walk *walk, unsigned ply)
{
    const sy_move move = walk->record->moves[ply];
    uint8_t before[SY_MAX_CELLS];
    struct sy_undo undo;
    if (sy_move_victim(&walk->position, move) != SY_NO_PIECE) {
        walk->taken = sy_move_kind(move) == SY_MOVE_EN_PASSANT ? walk->position.ep_victim : sy_move_to(move);
    }
    if (ply >= walk->record->opening) {
        note_move(walk, move);
    }
    memcpy(before, walk->position.piece, sizeof before);
    sy_make(&walk->position, move, &undo);
    for (unsigned cell = 0; cell < walk->position.variant->cells; cell++) {
        if (before[cell] != walk->position.piece[cell]) {
            leave(walk, before[cell], cell, ply + 1);
            walk->since[cell] = ply + 1 > walk->record->opening ? ply + 1 : walk->record->opening;
        }
    }
}

/* ---- mobility ---- */

static void add_reach(struct sy_position *board, unsigned cell, double (*sum)[SY_MAX_CELLS])
{
    const unsigned stood = board->piece[cell];
    if (stood != SY_NO_PIECE) {
        sy_position_remove(board, cell);
    }
    for (unsigned type = 0; type < board->variant->types; type++) {
        sy_position_put(board, cell, sy_piece_code(type, SY_WHITE));
        const sy_set takes = sy_capture_reach(board, cell) & board->side[SY_BLACK];
        sum[type][cell] += sy_count(takes | sy_quiet_reach(board, cell));
        sy_position_remove(board, cell);
    }
    if (stood != SY_NO_PIECE) {
        sy_position_put(board, cell, stood);
    }
}

/* The position as White sees it, and as Black does. */
static void sample(const struct sy_position *position, struct sy_places *places)
{
    struct sy_position white = *position, black;
    sy_position_mirror(position, &black);
    for (unsigned cell = 0; cell < position->variant->cells; cell++) {
        add_reach(&white, cell, places->average);
        add_reach(&black, cell, places->average);
    }
    places->samples++;
}

/* ---- the end ---- */

/* Where the game was decided, as its winner sees the board; SY_NO_CELL when there is nothing to tell by. */
static unsigned decided_at(const struct walk *walk, int winner)
{
    const struct sy_position *position = &walk->position;
    const unsigned loser = winner > 0 ? SY_BLACK : SY_WHITE;
    unsigned cell = walk->taken;
    if (position->royal[loser] != SY_NO_CELL && !sy_ended_on_board(position) &&
        sy_count_legal(position) == 0) {
        cell = position->royal[loser];
    }
    return cell == SY_NO_CELL ? cell : whites(position->variant, 1U - loser, cell);
}

/* Adds the counts as shares of their total; false when there are none. */
static bool add_shares(const unsigned *counts, unsigned cells, double *sum)
{
    double total = 0.0;
    for (unsigned cell = 0; cell < cells; cell++) {
        total += counts[cell];
    }
    for (unsigned cell = 0; cell < cells && total > 0.0; cell++) {
        sum[cell] += counts[cell] / total;
    }
    return total > 0.0;
}

static void finish(struct walk *walk, struct sy_places *places)
{
    const struct sy_variant *variant = walk->position.variant;
    const int winner = sy_winner_of(walk->record);
    const unsigned decided = winner != 0 ? decided_at(walk, winner) : SY_NO_CELL;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        leave(walk, walk->position.piece[cell], cell, walk->record->plies + 1);
    }
    for (unsigned type = 0; type < variant->types; type++) {
        places->moved[type] += add_shares(walk->moves[type], variant->cells, places->goes[type]);
        places->stood[type] += add_shares(walk->time[type], variant->cells, places->stays[type]);
    }
    if (decided != SY_NO_CELL) {
        places->decided[decided] += 1.0;
        places->decided_games++;
    }
}

/* ---- over the games of an arm ---- */

static enum sy_status add_game(const struct sy_arm_games *games, size_t index, struct walk *walk,
                               struct sy_places *places, struct sy_error *error)
{
    const struct sy_game_record *record = &games->games[index];
    const size_t samples = games->count < SY_MOST_SAMPLES ? games->count : (size_t)SY_MOST_SAMPLES;
    const bool sampled = index * samples / games->count != (index + 1) * samples / games->count;
    const unsigned opening = record->opening < record->plies ? record->opening : record->plies;
    const unsigned moment = opening + (unsigned)(sy_mix64(record->number) % (record->plies - opening + 1));
    memset(walk, 0, sizeof *walk);
    walk->record = record;
    walk->taken = SY_NO_CELL;
    const enum sy_status status = sy_fen_parse(games->arm->variant, record->start, &walk->position, error);
    if (status != SY_OK) {
        return sy_fail_within(error, status, "game %llu", (unsigned long long)record->number);
    }
    for (unsigned cell = 0; cell < games->arm->variant->cells; cell++) {
        walk->since[cell] = record->opening;
    }
    for (unsigned ply = 0; ply <= record->plies; ply++) {
        if (sampled && ply == moment) {
            sample(&walk->position, places);
        }
        if (ply < record->plies) {
            step(walk, ply);
        }
    }
    finish(walk, places);
    return SY_OK;
}

/* Sums become means; a mean over nothing is NaN. */
static void divide(double *sum, unsigned cells, double count)
{
    for (unsigned cell = 0; cell < cells; cell++) {
        sum[cell] = count > 0.0 ? sum[cell] / count : NAN;
    }
}

enum sy_status sy_places_compute(const struct sy_arm_games *games, struct sy_places *places,
                                 struct sy_error *error)
{
    const struct sy_variant *variant = games->arm->variant;
    struct walk *walk = sy_alloc(1, sizeof *walk);
    enum sy_status status = SY_OK;
    memset(places, 0, sizeof *places);
    for (size_t i = 0; i < games->count && status == SY_OK; i++) {
        status = add_game(games, i, walk, places, error);
    }
    free(walk);
    divide(places->decided, variant->cells, (double)places->decided_games);
    for (unsigned type = 0; type < variant->types; type++) {
        divide(places->goes[type], variant->cells, (double)places->moved[type]);
        divide(places->stays[type], variant->cells, (double)places->stood[type]);
        divide(places->average[type], variant->cells, 2.0 * (double)places->samples);
        sy_draw_mobility(variant, type, places->empty[type]);
    }
    return status;
}
