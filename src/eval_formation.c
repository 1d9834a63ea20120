/* Pawn formations: passed, doubled and isolated pawns, whatever way the pawns of a game go. Formations change
 * seldom, so what was found for one is kept. */
#include "eval_internal.h"

static sy_set passed_pawns(const struct sy_eval *eval, const struct sy_position *position, unsigned side)
{
    sy_set passed = SY_EMPTY_SET;
    for (unsigned a = 0; a < eval->pawn_types; a++) {
        SY_EACH (cell, sy_pieces(position, eval->pawn_type[a], side)) {
            bool stopped = false;
            for (unsigned b = 0; b < eval->pawn_types && !stopped; b++)
                stopped =
                    eval->stoppers[side][a][b][cell] & sy_pieces(position, eval->pawn_type[b], side ^ 1U);
            if (!stopped)
                passed |= sy_bit(cell);
        }
    }
    return passed;
}

struct sy_faults sy_eval_faults(const struct sy_eval *eval, const struct sy_position *position, unsigned side)
{
    const sy_set pawns = sy_eval_of_types(position, eval->pawns) & position->side[side];
    sy_set once = SY_EMPTY_SET, twice = SY_EMPTY_SET;
    struct sy_faults faults = {0, 0};
    for (unsigned a = 0; a < eval->pawn_types; a++) {
        SY_EACH (cell, sy_pieces(position, eval->pawn_type[a], side)) {
            const sy_set defends = eval->defends[side][a][cell];
            twice |= once & defends;
            once |= defends;
            faults.doubled += (eval->way[side][a][cell] & pawns) != SY_EMPTY_SET;
        }
    }
    for (unsigned a = 0; a < eval->pawn_types; a++) {
        SY_EACH (cell, sy_pieces(position, eval->pawn_type[a], side)) {
            /* A pawn that could come round to defend its own cell does not defend itself. */
            const bool itself = sy_has(eval->defends[side][a][cell], cell);
            faults.isolated += !sy_has(itself ? twice : once, cell);
        }
    }
    return faults;
}

static sy_worth worth_of(const struct sy_eval *eval, const struct sy_position *position, sy_set passed,
                         unsigned side)
{
    const struct sy_faults faults = sy_eval_faults(eval, position, side);
    sy_worth sum = -(faults.doubled * eval->doubled + faults.isolated * eval->isolated);
    SY_EACH (cell, passed) {
        sum += eval->passed[position->piece[cell]][cell];
    }
    return sum;
}

/* What the side's pawns attack now or could come to attack. */
static sy_set menaced_by(const struct sy_eval *eval, const struct sy_position *position, unsigned side)
{
    sy_set menaced = SY_EMPTY_SET;
    for (unsigned a = 0; a < eval->pawn_types; a++) {
        SY_EACH (cell, sy_pieces(position, eval->pawn_type[a], side)) {
            menaced |= eval->defends[side][a][cell];
        }
    }
    return menaced;
}

static sy_set leaps_by(const struct sy_eval *eval, const struct sy_position *position, sy_set pawns)
{
    sy_set attacked = SY_EMPTY_SET;
    SY_EACH (cell, pawns) {
        const struct sy_reach *reach = &eval->variant->piece[position->piece[cell]].reach[cell];
        attacked |= reach->capture_leap | reach->shot_leap;
    }
    return attacked;
}

static bool is_formation(const struct sy_eval *eval, const struct sy_position *position,
                         const sy_set pawns[2], const struct sy_eval_formation *formation)
{
    bool same = formation->side[SY_WHITE] == pawns[SY_WHITE] && formation->side[SY_BLACK] == pawns[SY_BLACK];
    for (unsigned i = 0; same && i < eval->pawn_types; i++)
        same = formation->type[i] == position->type[eval->pawn_type[i]];
    return same;
}

/* Formations change seldom: what was found for one is kept, and found again by its cells, all compared. */
const struct sy_eval_formation *sy_eval_formation_of(struct sy_eval *eval, const struct sy_position *position,
                                                     const sy_set pawns[2])
{
    const sy_set white = pawns[SY_WHITE], black = pawns[SY_BLACK];
    const uint64_t mixed = ((uint64_t)white ^ (uint64_t)(white >> 64) * 3) * 0x9e3779b97f4a7c15U +
                           ((uint64_t)black ^ (uint64_t)(black >> 64) * 5) * 0xc2b2ae3d27d4eb4fU;
    struct sy_eval_formation *formation = &eval->formation[mixed >> 32 & (SY_EVAL_FORMATIONS - 1)];
    if (!is_formation(eval, position, pawns, formation)) {
        for (unsigned i = 0; i < eval->pawn_types; i++)
            formation->type[i] = position->type[eval->pawn_type[i]];
        for (unsigned side = 0; side < 2; side++) {
            formation->side[side] = pawns[side];
            formation->attacked[side] = leaps_by(eval, position, pawns[side]);
            formation->passed[side] = passed_pawns(eval, position, side);
            formation->menaced[side] = menaced_by(eval, position, side);
        }
        formation->worth = worth_of(eval, position, formation->passed[SY_WHITE], SY_WHITE) -
                           worth_of(eval, position, formation->passed[SY_BLACK], SY_BLACK);
    }
    return formation;
}
