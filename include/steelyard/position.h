/* position: a state of play, its make and unmake, and its hash. No heap, no I/O. */
#ifndef STEELYARD_POSITION_H
#define STEELYARD_POSITION_H

#include "steelyard/variant.h"

/* A move in 32 bits: from, to, kind, and for promotions the type. A shot stays on `from` and removes the
 * piece on `to`; a swap exchanges from and to; a castling is the king's from and to and names its index. */
typedef uint32_t sy_move;
enum { SY_NO_MOVE = 0 }; /* from = to = cell 0, never a move */
enum sy_move_kind {
    SY_MOVE_PLAIN,
    SY_MOVE_SHOT,
    SY_MOVE_SWAP,
    SY_MOVE_CASTLE,
    SY_MOVE_EN_PASSANT,
    SY_MOVE_PROMOTION
};

static inline sy_move sy_move_make(unsigned from, unsigned to, enum sy_move_kind kind, unsigned extra)
{
    return from | to << 7 | (unsigned)kind << 14 | extra << 17;
}
static inline unsigned sy_move_from(sy_move move)
{
    return move & 127U;
}
static inline unsigned sy_move_to(sy_move move)
{
    return move >> 7 & 127U;
}
static inline enum sy_move_kind sy_move_kind(sy_move move)
{
    return (enum sy_move_kind)(move >> 14 & 7U);
}
/* The promotion's type, or the castling's index in variant->castling. */
static inline unsigned sy_move_extra(sy_move move)
{
    return move >> 17 & 31U;
}

struct sy_position {
    sy_set side[2];            /* cells of each side's pieces */
    sy_set type[SY_MAX_TYPES]; /* cells of each type, both sides */
    uint64_t key;              /* Zobrist: what repetition compares */
    uint64_t ep_part;          /* what the en passant cells add to the key: 0 unless one can be taken on */
    const struct sy_variant *variant;
    sy_set ep;         /* cells on which the last advance can be taken; empty for none */
    uint8_t ep_victim; /* the pawn that made it */
    uint8_t to_move;   /* SY_WHITE or SY_BLACK */
    uint8_t castling;  /* rights as bits, see variant->rights */
    uint8_t royal[2];  /* cell of the check royal, SY_NO_CELL when there is none */
    uint16_t halfmove; /* plies since the last capture or progress */
    uint16_t fullmove;
    uint8_t piece[SY_MAX_CELLS]; /* piece code or SY_NO_PIECE */
};

struct sy_undo {
    uint64_t key, ep_part;
    sy_set ep;
    uint8_t ep_victim, castling, captured, mover;
    uint16_t halfmove;
};

static inline sy_set sy_occupied(const struct sy_position *position)
{
    return position->side[0] | position->side[1];
}
static inline sy_set sy_pieces(const struct sy_position *position, unsigned type, unsigned side)
{
    return position->type[type] & position->side[side];
}

/* The move must be legal (or pseudo-legal) in the position; unmake takes the same move and undo. */
void sy_make(struct sy_position *position, sy_move move, struct sy_undo *undo);
void sy_unmake(struct sy_position *position, sy_move move, const struct sy_undo *undo);

/* Passing the turn, for null-move pruning; not a move of any game. */
void sy_make_null(struct sy_position *position, struct sy_undo *undo);
void sy_unmake_null(struct sy_position *position, const struct sy_undo *undo);

/* The hash from scratch; equals position->key at all times. */
uint64_t sy_position_key(const struct sy_position *position);

/* What a move removes: a piece code, SY_NO_PIECE for a quiet move. */
static inline unsigned sy_move_victim(const struct sy_position *position, sy_move move)
{
    switch (sy_move_kind(move)) {
    case SY_MOVE_SWAP:
    case SY_MOVE_CASTLE:
        return SY_NO_PIECE;
    case SY_MOVE_EN_PASSANT:
        return position->piece[position->ep_victim];
    default:
        return position->piece[sy_move_to(move)];
    }
}

/* An empty board of the variant, White to move; and placing a piece on an empty cell, for building
 * positions. Call sy_position_finish after the last change: it sets royals and key, and fails when
 * the position cannot be (two royals, a side not to move that is in check, ...). */
void sy_position_clear(struct sy_position *position, const struct sy_variant *variant);
void sy_position_put(struct sy_position *position, unsigned cell, unsigned piece);
void sy_position_remove(struct sy_position *position, unsigned cell);
SY_MUST_USE enum sy_status sy_position_finish(struct sy_position *position, struct sy_error *error);

/* Both sides' royals, of either kind. */
sy_set sy_royals(const struct sy_position *position);

/* Has the board itself ended the game: a royal captured, or, where that is a rule, a side left with nothing
 * but royals? */
bool sy_ended_on_board(const struct sy_position *position);

/* The same position with the sides exchanged: every piece on its mirror cell, the other colour, the other
 * side to move. */
void sy_position_mirror(const struct sy_position *position, struct sy_position *out);

#endif
