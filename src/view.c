/* view: reach and guarded lines.
 *
 * For the side to move and its check royal, a guard is an enemy piece, the cells between it and the royal,
 * the number of pieces now on them, and the number at which it captures. After a move the number is count -
 * [from between] + [to between and empty before], after a shot count - [victim between]. A move is legal when
 * for no guard that number is `over`, unless it captures the guard's piece. Only lines with |count - over| <=
 * 1 matter. For a piece that stands on no line the cells it may go to are one set, computed once; the others
 * get their own. */
#include "steelyard/view.h"

#include <stdlib.h>

struct sy_view *sy_views_create(size_t count)
{
    return sy_alloc_hot(count * sizeof(struct sy_view));
}

static inline void add_guard(struct sy_view *view, sy_set between, unsigned attacker, int over)
{
    const int count = sy_count(between & view->occupied);
    if (count - over > 1 || over - count > 1) {
        return;
    }
    view->guard[view->guards++] =
        (struct sy_guard){between, (uint8_t)attacker, (int16_t)count, (int16_t)over};
    const sy_set empty = between & ~view->occupied;
    view->on_guards |= between & view->side[view->us];
    if (count == over) {
        view->check = true;
        view->targets &= empty | sy_bit(attacker);
        view->shots &= between | sy_bit(attacker);
    } else if (count < over) {
        view->targets &= ~empty;
    } else {
        view->shots &= ~between;
    }
}

static inline void find_guards(struct sy_view *view, const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    const unsigned royal = view->royal, them = view->us ^ 1U;
    SY_EACH (from, view->side[them] & variant->threats[them][royal]) {
        const struct sy_piece *piece = &variant->piece[position->piece[from]];
        const struct sy_reverse *reverse = &piece->reverse[royal];
        const sy_set bit = sy_bit(from);
        const unsigned line = royal * variant->cells + from;
        if (reverse->leap & bit) {
            add_guard(view, SY_EMPTY_SET, from, 0);
        }
        if (reverse->slide & bit) {
            add_guard(view, piece->slide_between[line], from, 0);
        }
        if (reverse->hop & bit) {
            add_guard(view, piece->hop_between[line], from, piece->hop_over);
        }
        for (unsigned i = 0; i < reverse->extras; i++) {
            const struct sy_extra_line *extra = &variant->extra[reverse->extra + i];
            if (extra->from == from) {
                add_guard(view, extra->between, from, extra->over);
            }
        }
    }
}

void sy_view_open(struct sy_view *view, const struct sy_position *position, const struct sy_view *before)
{
    view->us = position->to_move;
    view->royal = position->royal[view->us];
    view->side[0] = position->side[0];
    view->side[1] = position->side[1];
    view->occupied = view->side[0] | view->side[1];
    view->before = before;
    view->touched =
        before ? (view->side[0] ^ before->side[0]) | (view->side[1] ^ before->side[1]) : SY_EMPTY_SET;
    view->targets = view->shots = ~SY_EMPTY_SET;
    view->on_guards = SY_EMPTY_SET;
    view->known[0] = view->known[1] = view->check = view->attacks_known = false;
    view->guards = 0;
    if (view->royal != SY_NO_CELL) {
        find_guards(view, position);
    }
}

sy_set sy_view_guarded_targets(const struct sy_view *view, unsigned from)
{
    sy_set targets = ~SY_EMPTY_SET;
    for (unsigned i = 0; i < view->guards; i++) {
        const struct sy_guard *guard = &view->guard[i];
        const sy_set empty = guard->between & ~view->occupied;
        const int count = guard->count - (int)sy_has(guard->between, from);
        if (count == guard->over) {
            targets &= empty | sy_bit(guard->attacker);
        } else if (count == guard->over - 1) {
            targets &= ~empty;
        }
    }
    return targets;
}

/* ---- reach ---- */

static inline sy_set lines_of(const struct sy_variant *variant, const struct sy_lines *lines, sy_set occupied,
                              sy_set *depends)
{
    const sy_set slides = sy_slide(variant, lines, occupied);
    *depends |= slides;
    return lines->hops ? slides | sy_hop_reach(variant, lines, occupied, depends) : slides;
}

static inline bool any_slides(const struct sy_lines *lines)
{
    return lines->axes | lines->walks;
}

static inline bool any_lines(const struct sy_lines *lines)
{
    return lines->axes | lines->walks | lines->hops;
}

/* By the same hopping rays, kept once, and by no slides. */
static inline bool shoots_as_it_captures(const struct sy_reach *reach)
{
    return reach->shot.hop == reach->capture.hop && reach->shot.hops == reach->capture.hops &&
           !any_slides(&reach->shot) && !any_slides(&reach->capture);
}

static inline void reach(const struct sy_variant *variant, const struct sy_piece *piece, unsigned from,
                         sy_set occupied, struct sy_reached *reached)
{
    const struct sy_reach *tables = &piece->reach[from];
    sy_set quiet = tables->quiet_leap, capture = tables->capture_leap, shot = tables->shot_leap;
    sy_set depends = SY_EMPTY_SET, capture_lines = SY_EMPTY_SET;
    if (any_lines(&tables->both)) {
        const sy_set both = lines_of(variant, &tables->both, occupied, &depends);
        quiet |= both;
        capture |= both;
    }
    if (any_lines(&tables->quiet)) {
        quiet |= lines_of(variant, &tables->quiet, occupied, &depends);
    }
    if (any_lines(&tables->capture)) {
        capture_lines = lines_of(variant, &tables->capture, occupied, &depends);
        capture |= capture_lines;
    }
    if (piece->shoots && shoots_as_it_captures(tables)) {
        shot |= capture_lines;
    } else if (piece->shoots) {
        shot |= lines_of(variant, &tables->shot, occupied, &depends);
    }
    *reached = (struct sy_reached){quiet, capture, shot, depends};
}

void sy_view_reach(const struct sy_variant *variant, unsigned piece, unsigned from, sy_set occupied,
                   struct sy_reached *reached)
{
    reach(variant, &variant->piece[piece], from, occupied, reached);
}

void sy_view_look(struct sy_view *view, const struct sy_position *position, unsigned side)
{
    const struct sy_variant *variant = position->variant;
    const struct sy_view *before = view->before;
    sy_set touched = view->touched, afresh = view->side[side];
    for (; before && !before->known[side]; before = before->before) {
        touched |= before->touched;
    }
    view->known[side] = true;
    if (before) {
        const sy_set changed = before->occupied ^ view->occupied;
        const sy_set same = afresh & ~touched;
        afresh &= touched;
        SY_EACH (cell, same) {
            const struct sy_reached *reached = before->reached[cell];
            view->reached[cell] = reached;
            if (reached->depends & changed) {
                afresh |= sy_bit(cell);
            }
        }
    }
    SY_EACH (cell, afresh) {
        reach(variant, &variant->piece[position->piece[cell]], cell, view->occupied, &view->fresh[cell]);
        view->reached[cell] = &view->fresh[cell];
    }
}
