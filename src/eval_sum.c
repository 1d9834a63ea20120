/* What evaluation keeps up to date move by move: sums of material and placement, and the key that mirrored
 * positions share. */
#include "steelyard/eval.h"

static void add(struct sy_eval_sum *sum, const struct sy_eval *eval, unsigned piece, unsigned cell)
{
    const struct sy_eval_cell *entry = &eval->cell[piece][cell];
    sum->key ^= entry->key;
    sum->full += entry->full;
    sum->bare += entry->bare;
    sum->officers += entry->officers;
}

static void take(struct sy_eval_sum *sum, const struct sy_eval *eval, unsigned piece, unsigned cell)
{
    const struct sy_eval_cell *entry = &eval->cell[piece][cell];
    sum->key ^= entry->key;
    sum->full -= entry->full;
    sum->bare -= entry->bare;
    sum->officers -= entry->officers;
}

struct sy_eval_sum sy_eval_sum_of(const struct sy_eval *eval, const struct sy_position *position)
{
    struct sy_eval_sum sum = {0, 0, 0, 0};
    for (sy_set left = sy_occupied(position); left;) {
        const unsigned cell = sy_pop(&left);
        add(&sum, eval, position->piece[cell], cell);
    }
    return sum;
}

struct sy_eval_sum sy_eval_sum_after(const struct sy_eval *eval, const struct sy_position *position,
                                     const struct sy_eval_sum *before, sy_move move)
{
    struct sy_eval_sum sum = *before;
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    const unsigned mover = position->piece[from], there = position->piece[to];
    if (sy_move_kind(move) == SY_MOVE_CASTLE) {
        const struct sy_castling *castling = &eval->variant->castling[sy_move_extra(move)];
        const unsigned king = position->piece[castling->king_from];
        const unsigned rook = position->piece[castling->rook_from];
        take(&sum, eval, king, castling->king_from);
        take(&sum, eval, rook, castling->rook_from);
        add(&sum, eval, king, castling->king_to);
        add(&sum, eval, rook, castling->rook_to);
        return sum;
    }
    if (sy_move_kind(move) == SY_MOVE_EN_PASSANT)
        take(&sum, eval, position->piece[position->ep_victim], position->ep_victim);
    else if (there != SY_NO_PIECE)
        take(&sum, eval, there, to);
    if (sy_move_kind(move) == SY_MOVE_SHOT)
        return sum;
    take(&sum, eval, mover, from);
    if (sy_move_kind(move) == SY_MOVE_PROMOTION)
        add(&sum, eval, sy_piece_code(sy_move_extra(move), sy_piece_side(mover)), to);
    else
        add(&sum, eval, mover, to);
    if (sy_move_kind(move) == SY_MOVE_SWAP)
        add(&sum, eval, there, from);
    return sum;
}

/* En passant counts only where it can be done, or transpositions would be missed. */
static uint64_t en_passant_key(const struct sy_eval *eval, const struct sy_position *position)
{
    uint64_t key = 0;
    for (sy_set left = position->ep; left;)
        key ^= sy_mix64(0x100U + sy_eval_seen(eval, position->to_move, sy_pop(&left)));
    return key;
}

uint64_t sy_eval_key(const struct sy_eval *eval, const struct sy_position *position,
                     const struct sy_eval_sum *sum)
{
    uint64_t key = sum->key;
    unsigned rights = position->castling;
    if (position->to_move == SY_BLACK) {
        if (eval->symmetric) {
            key = key << 32 | key >> 32;
            rights = eval->rights_mirror[rights];
        } else {
            key ^= sy_mix64(0x200U);
        }
    }
    if (rights)
        key ^= eval->variant->castling_key[rights];
    if (position->ep_part)
        key ^= en_passant_key(eval, position);
    return key;
}

sy_move sy_eval_relative(const struct sy_eval *eval, unsigned side, sy_move move)
{
    if (side == SY_WHITE || !eval->symmetric || move == SY_NO_MOVE)
        return move;
    const uint8_t *mirror = eval->variant->mirror;
    const enum sy_move_kind kind = sy_move_kind(move);
    const unsigned extra =
        kind == SY_MOVE_CASTLE ? eval->castling_mirror[sy_move_extra(move)] : sy_move_extra(move);
    return sy_move_make(mirror[sy_move_from(move)], mirror[sy_move_to(move)], kind, extra);
}
