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
    sy_set depends = SY_EMPTY_SET;
    return sy_has(reach->shot_leap, to) || sy_has(sy_slide(variant, &reach->shot, occupied), to) ||
           sy_has(sy_hop_reach(variant, &reach->shot, occupied, &depends), to);
}

/* The piece that takes next on the cell; false when the side cannot take. */
static bool next_taker(const struct sy_position *position, unsigned to, unsigned side, sy_set occupied,
                       const int value[SY_MAX_TYPES], unsigned *taker)
{
    const sy_set attackers = sy_attackers(position, to, side, occupied) & ~sy_bit(to);
    if (!attackers)
        return false;
    *taker = least_attacker(position, attackers, side, value);
    const unsigned type = sy_piece_type(position->piece[*taker]);
    return position->variant->type[type].royalty != SY_ROYAL_BY_CHECK ||
           !(sy_attackers(position, to, side ^ 1U, occupied & ~sy_bit(*taker)) & ~sy_bit(to));
}

/* An exchange after its first capture. */
struct exchange {
    int gain;     /* by that capture, for the mover */
    int at_stake; /* the piece that can be taken next */
    sy_set occupied;
};

static struct exchange begin(const struct sy_position *position, sy_move move, const int value[SY_MAX_TYPES])
{
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    const unsigned victim = sy_move_victim(position, move);
    struct exchange exchange = {.gain = victim == SY_NO_PIECE ? 0 : value[sy_piece_type(victim)],
                                .at_stake = value[sy_piece_type(position->piece[from])],
                                .occupied = (sy_occupied(position) & ~sy_bit(from)) | sy_bit(to)};
    if (sy_move_kind(move) == SY_MOVE_EN_PASSANT)
        exchange.occupied &= ~sy_bit(position->ep_victim);
    if (sy_move_kind(move) == SY_MOVE_PROMOTION) {
        const int promoted = value[sy_move_extra(move)];
        exchange.gain += promoted - exchange.at_stake;
        exchange.at_stake = promoted;
    }
    return exchange;
}

int sy_see(const struct sy_position *position, sy_move move, const int value[SY_MAX_TYPES])
{
    const unsigned to = sy_move_to(move);
    struct exchange exchange = begin(position, move, value);
    int gain[MAX_EXCHANGE] = {exchange.gain};
    if (sy_move_kind(move) == SY_MOVE_SHOT)
        return exchange.gain;
    unsigned side = position->to_move ^ 1U, taker;
    int last = 0;
    while (last + 1 < MAX_EXCHANGE && next_taker(position, to, side, exchange.occupied, value, &taker)) {
        gain[last + 1] = exchange.at_stake - gain[last];
        last++;
        if (can_shoot(position, taker, to, exchange.occupied))
            break;
        exchange.at_stake = value[sy_piece_type(position->piece[taker])];
        exchange.occupied &= ~sy_bit(taker);
        side ^= 1U;
    }
    for (; last > 0; last--)
        if (gain[last] > -gain[last - 1])
            gain[last - 1] = -gain[last];
    return gain[0];
}

/* `owed` is what the side to take wins, beyond what the other may lose, if nothing takes back. It need not go
 * on once the other has reached its aim even so. */
bool sy_see_reaches(const struct sy_position *position, sy_move move, const int value[SY_MAX_TYPES],
                    int least)
{
    const unsigned to = sy_move_to(move);
    struct exchange exchange = begin(position, move, value);
    int spare = exchange.gain - least;
    if (spare < 0 || sy_move_kind(move) == SY_MOVE_SHOT)
        return spare >= 0;
    unsigned side = position->to_move ^ 1U, taker;
    bool reached = true;
    int owed = exchange.at_stake - spare;
    while (owed > (reached ? 0 : -1)) {
        if (!next_taker(position, to, side, exchange.occupied, value, &taker))
            break;
        reached = !reached;
        if (can_shoot(position, taker, to, exchange.occupied))
            break;
        owed = value[sy_piece_type(position->piece[taker])] - owed;
        exchange.occupied &= ~sy_bit(taker);
        side ^= 1U;
    }
    return reached;
}
