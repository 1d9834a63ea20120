/* view: what the pieces of one position bear upon, and where the royal's safety lets them go.
 *
 * A view is opened on a position and stands for it until the position changes for good; moves that are made
 * and taken back in between do not harm it. It answers from tables when asked, and keeps the answer. Where a
 * view of an earlier position is at hand, only pieces that the moves since then concern are looked at afresh:
 * most of a search's positions differ in two cells from one already looked at. */
#ifndef STEELYARD_VIEW_H
#define STEELYARD_VIEW_H

#include "steelyard/position.h"

#include <stddef.h>

/* What a piece reaches from its cell, whoever stands there and legality aside: quiet moves may end on the
 * empty cells of `quiet`, captures on the enemies of `capture`, shots on those of `shot`. The answer holds
 * for as long as no cell of `depends` is filled or emptied. */
struct sy_reached {
    _Alignas(64) sy_set quiet;
    sy_set capture, shot, depends;
};

/* A line on which an enemy piece could capture the check royal: the cells between, how many of them are
 * occupied, and the number at which the piece captures (0 for sliders, 1 for most hoppers). */
struct sy_guard {
    sy_set between;
    uint8_t attacker;
    int16_t count, over;
};

enum { SY_MAX_GUARDS = 2 * SY_MAX_CELLS };

struct sy_view {
    sy_set side[2], occupied;
    sy_set targets;   /* where pieces that stand on no guarded line may go */
    sy_set shots;     /* what may be shot */
    sy_set on_guards; /* own pieces that stand on one of the lines */
    const struct sy_view *before;
    sy_set touched;  /* cells that the move since `before` has changed */
    sy_set attacked; /* by the other side, once the royal has left its cell; if attacks_known */
    bool attacks_known;
    bool known[2]; /* is reached[] filled for the side's pieces? */
    bool check;
    uint8_t us, royal; /* the side to move, and its royal by check, SY_NO_CELL when it has none */
    unsigned guards;
    /* By the cell a piece of a known side stands on: here in `fresh`, or in an earlier view. */
    const struct sy_reached *reached[SY_MAX_CELLS];
    struct sy_reached fresh[SY_MAX_CELLS];
    struct sy_guard guard[SY_MAX_GUARDS];
};

/* Room for so many views, none of them open; free() it. */
struct sy_view *sy_views_create(size_t count);

/* `before`: a view of the position before the last move or passed turn, if sy_view_follows that move; else
 * NULL. It must stay as it is while this one is used. */
void sy_view_open(struct sy_view *view, const struct sy_position *position, const struct sy_view *before);

/* May the view of the position after the move take over from the view before it? */
static inline bool sy_view_follows(sy_move move)
{
    return sy_move_kind(move) != SY_MOVE_SWAP && sy_move_kind(move) != SY_MOVE_CASTLE;
}

/* Fills reached[] for the side's pieces. */
void sy_view_look(struct sy_view *view, const struct sy_position *position, unsigned side);

static inline void sy_view_know(struct sy_view *view, const struct sy_position *position, unsigned side)
{
    if (!view->known[side]) {
        sy_view_look(view, position, side);
    }
}

/* What a piece of that code would reach from the cell. */
void sy_view_reach(const struct sy_variant *variant, unsigned piece, unsigned from, sy_set occupied,
                   struct sy_reached *reached);

/* Where a piece of the side to move, not the royal, may go without exposing the royal. */
sy_set sy_view_guarded_targets(const struct sy_view *view, unsigned from);

static inline sy_set sy_view_targets(const struct sy_view *view, unsigned from)
{
    return sy_has(view->on_guards, from) ? sy_view_guarded_targets(view, from) : view->targets;
}

#endif
