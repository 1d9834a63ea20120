/* Static evaluation: material and placement, which are summed move by move, and what needs the lines of the
 * position: mobility, attacks on and near royals, shelter, threats, hanging pieces, passed pawns.
 *
 * Invariants: integer arithmetic only; every term is a sum over a side's pieces that does not depend on
 * their order, and divisions round towards zero, so that mirrored positions evaluate alike. */
#include "steelyard/eval.h"

/* What one side's pieces bear upon. */
struct side_view {
    sy_set attacked, by_pawns;
    sy_set pawns, officers;
    int mobility;
    int attackers, hits; /* officers that attack the enemy royals' zone, and cells of it they attack */
};

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

static unsigned seen_by(const struct sy_eval *eval, unsigned side, unsigned cell)
{
    return eval->symmetric && side == SY_BLACK ? eval->variant->mirror[cell] : cell;
}

/* En passant counts only where it can be done, or transpositions would be missed. */
static uint64_t en_passant_key(const struct sy_eval *eval, const struct sy_position *position)
{
    uint64_t key = 0;
    for (sy_set left = position->ep; left;)
        key ^= sy_mix64(0x100U + seen_by(eval, position->to_move, sy_pop(&left)));
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

static sy_set of_types(const struct sy_position *position, uint32_t types)
{
    sy_set set = SY_EMPTY_SET;
    for (; types; types &= types - 1)
        set |= position->type[__builtin_ctz(types)];
    return set;
}

static sy_set attacks_by(const struct sy_view *view, sy_set pieces)
{
    sy_set attacked = SY_EMPTY_SET;
    SY_EACH (cell, pieces) {
        attacked |= view->reached[cell]->capture | view->reached[cell]->shot;
    }
    return attacked;
}

/* Adds what officers and royals bear upon. */
static inline void add_pieces(const struct sy_eval *eval, const struct sy_position *position,
                              const struct sy_view *view, unsigned side, const struct side_view *other,
                              sy_set enemy_zone, struct side_view *own)
{
    const sy_set free = ~view->occupied & ~other->by_pawns;
    const sy_set targets = view->side[side ^ 1U] & ~other->by_pawns;
    sy_set attacked = own->attacked;
    int mobility = 0, attackers = 0, hits = 0;
    SY_EACH (cell, view->side[side] & ~own->pawns) {
        const struct sy_reached *reached = view->reached[cell];
        const sy_set attacks = reached->capture | reached->shot;
        const int hit = sy_count(attacks & enemy_zone);
        const int goes = sy_count((reached->quiet & free) | (reached->capture & targets));
        attacked |= attacks;
        mobility += eval->type[sy_piece_type(position->piece[cell])].mobility[goes];
        hits += hit;
        attackers += hit > 0;
    }
    own->attacked = attacked;
    own->mobility = mobility;
    own->attackers = attackers;
    own->hits = hits;
}

static int passed_pawns(const struct sy_eval *eval, const struct sy_position *position, unsigned side)
{
    int sum = 0;
    for (unsigned a = 0; a < eval->pawn_types; a++) {
        const unsigned type = eval->pawn_type[a];
        const int16_t *worth = eval->passed[sy_piece_code(type, side)];
        for (sy_set left = sy_pieces(position, type, side); left;) {
            const unsigned cell = sy_pop(&left);
            bool stopped = worth[cell] == 0;
            for (unsigned b = 0; b < eval->pawn_types && !stopped; b++)
                stopped =
                    eval->stoppers[side][a][b][cell] & sy_pieces(position, eval->pawn_type[b], side ^ 1U);
            if (!stopped)
                sum += worth[cell];
        }
    }
    return sum;
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
                         const struct side_view views[2], const struct sy_eval_formation *formation)
{
    bool same = formation->side[SY_WHITE] == views[SY_WHITE].pawns &&
                formation->side[SY_BLACK] == views[SY_BLACK].pawns;
    for (unsigned i = 0; same && i < eval->pawn_types; i++)
        same = formation->type[i] == position->type[eval->pawn_type[i]];
    return same;
}

/* Formations change seldom: what was found for one is kept, and found again by its cells, all compared. */
static const struct sy_eval_formation *formation_of(struct sy_eval *eval, const struct sy_position *position,
                                                    const struct side_view views[2])
{
    const sy_set white = views[SY_WHITE].pawns, black = views[SY_BLACK].pawns;
    const uint64_t mixed = ((uint64_t)white ^ (uint64_t)(white >> 64) * 3) * 0x9e3779b97f4a7c15U +
                           ((uint64_t)black ^ (uint64_t)(black >> 64) * 5) * 0xc2b2ae3d27d4eb4fU;
    struct sy_eval_formation *formation = &eval->formation[mixed >> 32 & (SY_EVAL_FORMATIONS - 1)];
    if (!is_formation(eval, position, views, formation)) {
        for (unsigned i = 0; i < eval->pawn_types; i++)
            formation->type[i] = position->type[eval->pawn_type[i]];
        for (unsigned side = 0; side < 2; side++) {
            formation->side[side] = views[side].pawns;
            formation->attacked[side] = leaps_by(eval, position, views[side].pawns);
        }
        formation->passed = passed_pawns(eval, position, SY_WHITE) - passed_pawns(eval, position, SY_BLACK);
    }
    return formation;
}

static sy_set zone_of(const struct sy_eval *eval, sy_set royals)
{
    sy_set zone = SY_EMPTY_SET;
    while (royals)
        zone |= eval->zone[sy_pop(&royals)];
    return zone;
}

/* Everything but material, placement and the move, White's less Black's. */
static int positional(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                      int phase)
{
    const sy_set pawns = of_types(position, eval->pawns), officers = of_types(position, eval->officers);
    const sy_set royals = of_types(position, eval->royals);
    struct side_view views[2] = {{.attacked = SY_EMPTY_SET}, {.attacked = SY_EMPTY_SET}};
    sy_set zone[2];
    int total[2];
    for (unsigned side = 0; side < 2; side++) {
        sy_view_know(view, position, side);
        views[side].pawns = pawns & view->side[side];
        views[side].officers = officers & view->side[side];
        zone[side] = zone_of(eval, royals & view->side[side]);
    }
    const struct sy_eval_formation *formation = formation_of(eval, position, views);
    for (unsigned side = 0; side < 2; side++)
        views[side].by_pawns = views[side].attacked =
            eval->pawns_leap ? formation->attacked[side] : attacks_by(view, views[side].pawns);
    for (unsigned side = 0; side < 2; side++)
        add_pieces(eval, position, view, side, &views[side ^ 1U], zone[side ^ 1U], &views[side]);
    for (unsigned side = 0; side < 2; side++) {
        const struct side_view *own = &views[side], *other = &views[side ^ 1U];
        const int royal = own->hits * own->attackers * eval->royal_attack / 16 +
                          sy_count(own->pawns & zone[side]) * eval->shelter;
        total[side] = own->mobility + royal * phase / 256 +
                      sy_count(own->by_pawns & own->pawns) * eval->support +
                      sy_count(own->by_pawns & other->officers) * eval->threat +
                      sy_count(own->attacked & view->side[side ^ 1U] & ~other->attacked) * eval->hanging;
    }
    return total[SY_WHITE] - total[SY_BLACK] + formation->passed;
}

/* Nearly normal: the sum of eight random bytes, less its mean. */
static int noise(const struct sy_eval *eval, uint64_t key)
{
    const uint64_t random = sy_mix64(key ^ eval->noise_seed), bytes = 0x00ff00ff00ff00ffU;
    const uint64_t pairs = (random & bytes) + (random >> 8 & bytes);
    const int sum = (int)((pairs * 0x0001000100010001U) >> 48);
    return (int)((int64_t)(sum - 8 * 255 / 2) * eval->noise / (1 << SY_NOISE_SHIFT));
}

static int clamp(int score)
{
    return score > SY_EVAL_MAX ? SY_EVAL_MAX : score < -SY_EVAL_MAX ? -SY_EVAL_MAX : score;
}

int sy_evaluate(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                const struct sy_eval_sum *sum, uint64_t key, int alpha, int beta, bool *whole)
{
    const int phase = eval->phase[sy_eval_officers(sum, SY_WHITE) + sy_eval_officers(sum, SY_BLACK)];
    const int white = (sum->full * phase + sum->bare * (256 - phase)) / 256;
    int score = (position->to_move == SY_WHITE ? white : -white) + eval->tempo;
    if (eval->noise)
        score += noise(eval, key);
    *whole = score <= beta + eval->lazy && score >= alpha - eval->lazy;
    if (!*whole)
        return clamp(score);
    const int rest = positional(eval, position, view, phase);
    return clamp(score + (position->to_move == SY_WHITE ? rest : -rest));
}
