/* notation: moves as text, and what is wrong with a move that cannot be played. */
#include "steelyard/notation.h"

#include "steelyard/movegen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

char *sy_move_text(const struct sy_variant *variant, sy_move move, char text[SY_MOVE_TEXT])
{
    const enum sy_move_kind kind = sy_move_kind(move);
    const char *from = variant->board->name[sy_move_from(move)], *to = variant->board->name[sy_move_to(move)];
    const char *between = kind == SY_MOVE_SHOT ? "*" : kind == SY_MOVE_SWAP ? "~" : "";
    const char promoted[2] = {kind == SY_MOVE_PROMOTION
                                  ? (char)tolower((unsigned char)variant->type[sy_move_extra(move)].letter)
                                  : '\0'};
    snprintf(text, SY_MOVE_TEXT, "%s%s%s%s", from, between, to, promoted);
    return text;
}

/* A cell name at the start of the text, the longest that fits; SY_NO_CELL when none does. */
static unsigned leading_cell(const struct sy_board *board, const char *text, size_t *length)
{
    unsigned found = SY_NO_CELL;
    *length = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        const size_t size = strlen(board->name[cell]);
        if (size > *length && strncmp(text, board->name[cell], size) == 0) {
            *length = size;
            found = cell;
        }
    }
    return found;
}

/* Why a well-written move is not among the legal ones. */
static enum sy_status explain(const struct sy_position *position, const char *text, struct sy_error *error)
{
    const struct sy_variant *variant = position->variant;
    const char *side = position->to_move == SY_WHITE ? "White" : "Black";
    size_t length, second;
    const unsigned from = leading_cell(variant->board, text, &length);
    if (from == SY_NO_CELL) {
        return sy_fail(error, SY_BAD_INPUT, "move '%s' does not begin with a cell of the board", text);
    }
    const char *rest = text + length + (text[length] == '*' || text[length] == '~');
    const unsigned to = leading_cell(variant->board, rest, &second);
    if (to == SY_NO_CELL) {
        return sy_fail(error, SY_BAD_INPUT, "move '%s' does not say where to: write two cells, FROMTO", text);
    }
    const unsigned piece = position->piece[from];
    if (piece == SY_NO_PIECE || sy_piece_side(piece) != position->to_move) {
        return sy_fail(error, SY_BAD_INPUT, "illegal move '%s': %s has no piece on %s", text, side,
                       variant->board->name[from]);
    }
    const char *name = variant->type[sy_piece_type(piece)].name;
    if (sy_ended_on_board(position)) {
        return sy_fail(error, SY_BAD_INPUT, "illegal move '%s': the game is over", text);
    }
    const sy_set reach = (sy_capture_reach(position, from) & position->side[position->to_move ^ 1U]) |
                         sy_quiet_reach(position, from);
    if (sy_has(reach, to) && sy_has(variant->piece[piece].promotion_zone, to)) {
        return sy_fail(error, SY_BAD_INPUT,
                       "illegal move '%s': the %s promotes on %s; append the piece's letter", text, name,
                       variant->board->name[to]);
    }
    if (sy_has(reach, to)) {
        return sy_fail(error, SY_BAD_INPUT, "illegal move '%s': it would leave %s's %s in check", text, side,
                       variant->check_royal == SY_NO_TYPE ? "royal"
                                                          : variant->type[variant->check_royal].name);
    }
    return sy_fail(error, SY_BAD_INPUT, "illegal move '%s': the %s on %s can't do that", text, name,
                   variant->board->name[from]);
}

/* Most moves are written as two cells and nothing else: then only this one need be looked into. */
static bool is_plain_move(const struct sy_position *position, const char *text, sy_move *move)
{
    const struct sy_board *board = position->variant->board;
    SY_EACH (from, position->side[position->to_move]) {
        const size_t length = board->name[from][0] == text[0] ? strlen(board->name[from]) : 0;
        if (length == 0 || strncmp(text, board->name[from], length) != 0) {
            continue;
        }
        const unsigned to = sy_board_cell(board, text + length, strlen(text + length));
        if (to != SY_NO_CELL && sy_is_legal(position, sy_move_make(from, to, SY_MOVE_PLAIN, 0))) {
            *move = sy_move_make(from, to, SY_MOVE_PLAIN, 0);
            return true;
        }
    }
    return false;
}

enum sy_status sy_move_parse(const struct sy_position *position, const char *text, sy_move *move,
                             struct sy_error *error)
{
    sy_move moves[SY_MAX_MOVES];
    if (is_plain_move(position, text, move)) {
        return SY_OK;
    }
    const unsigned count = sy_generate(position, moves);
    for (unsigned i = 0; i < count; i++) {
        char written[SY_MOVE_TEXT];
        const char *from = position->variant->board->name[sy_move_from(moves[i])];
        if (strncmp(text, from, strlen(from)) == 0 &&
            strcmp(sy_move_text(position->variant, moves[i], written), text) == 0) {
            *move = moves[i];
            return SY_OK;
        }
    }
    return explain(position, text, error);
}

enum sy_status sy_moves_play(struct sy_position *position, struct sy_history *history, char *const *moves,
                             int count, struct sy_error *error)
{
    sy_history_push(history, position->key);
    for (int i = 0; i < count; i++) {
        struct sy_undo undo;
        sy_move move;
        const enum sy_status status = sy_move_parse(position, moves[i], &move, error);
        if (status) {
            return sy_fail_within(error, status, "move %d", i + 1);
        }
        sy_make(position, move, &undo);
        sy_history_push(history, position->key);
    }
    return SY_OK;
}
