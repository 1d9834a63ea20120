/* Static exchange evaluation for every kind of piece: who attacks the cell is asked anew after every
 * capture, with the cells then occupied, so that lines that open and screens that go are seen. A shot takes
 * without coming to stand on the cell, so nothing can be taken back. A royal by check takes only when
 * nothing can take it.
 *
 * Equal choices go by the cell as the capturing side sees it, so that mirrored positions give equal gains.
 * The method is the swap algorithm (e.g. Chess Programming Wiki, "SEE - The Swap Algorithm"). */
#include "steelyard/see.h"

enum { MAX_EXCHANGE = 64 };

static unsigned seen_by(const struct sy_variant *variant, unsigned cell, unsigned side)
{
    return side == SY_WHITE ? cell : variant->mirror[cell];
}

static unsigned least_attacker(const struct sy_position *position, sy_set attackers, unsigned side,
                               const int value[SY_MAX_TYPES])
{
    unsigned best = sy_pop(&attackers);
    int best_value = value[sy_piece_type(position->piece[best])];
    while (attackers) {
        const unsigned cell = sy_pop(&attackers);
        const int cell_value = value[sy_piece_type(position->piece[cell])];
        if (cell_value < best_value ||
            (cell_value == best_value &&
             seen_by(position->variant, cell, side) < seen_by(position->variant, best, side))) {
            best = cell;
            best_value = cell_value;
        }
    }
    return best;
}

static bool can_shoot(const struct sy_position *position, unsigned from, unsigned to, sy_set occupied)
{
    const struct sy_variant *variant = position->variant;
    const struct sy_piece *piece = &variant->piece[position->piece[from]];
    if (!piece->shoots)
        return false;
    const struct sy_reach *reach = &piece->reach[from];
    return sy_has(reach->shot_leap, to) || sy_has(sy_slide(variant, &reach->shot, occupied), to) ||
           sy_has(sy_hop_reach(variant, &reach->shot, occupied), to);
}

int sy_see(const struct sy_position *position, sy_move move, const int value[SY_MAX_TYPES])
{
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    const unsigned victim = sy_move_victim(position, move);
    int gain[MAX_EXCHANGE];
    gain[0] = victim == SY_NO_PIECE ? 0 : value[sy_piece_type(victim)];
    if (sy_move_kind(move) == SY_MOVE_SHOT)
        return gain[0];
    sy_set occupied = (sy_occupied(position) & ~sy_bit(from)) | sy_bit(to);
    int at_stake = value[sy_piece_type(position->piece[from])];
    if (sy_move_kind(move) == SY_MOVE_EN_PASSANT)
        occupied &= ~sy_bit(position->ep_victim);
    if (sy_move_kind(move) == SY_MOVE_PROMOTION) {
        const int promoted = value[sy_move_extra(move)];
        gain[0] += promoted - at_stake;
        at_stake = promoted;
    }
    unsigned side = position->to_move ^ 1U;
    int last = 0;
    while (last + 1 < MAX_EXCHANGE) {
        const sy_set attackers = sy_attackers(position, to, side, occupied) & ~sy_bit(to);
        if (!attackers)
            break;
        const unsigned attacker = least_attacker(position, attackers, side, value);
        const unsigned type = sy_piece_type(position->piece[attacker]);
        const sy_set left = occupied & ~sy_bit(attacker);
        if (position->variant->type[type].royalty == SY_ROYAL_BY_CHECK &&
            (sy_attackers(position, to, side ^ 1U, left) & ~sy_bit(to)))
            break;
        gain[last + 1] = at_stake - gain[last];
        last++;
        if (can_shoot(position, attacker, to, occupied))
            break;
        at_stake = value[type];
        occupied = left;
        side ^= 1U;
    }
    for (; last > 0; last--)
        if (gain[last] > -gain[last - 1])
            gain[last - 1] = -gain[last];
    return gain[0];
}
