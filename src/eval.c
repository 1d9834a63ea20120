/* Static evaluation: material and placement, which are summed move by move, and what needs the lines of the
 * position: mobility, attacks on and near royals, shelter, threats, hanging pieces, passed pawns.
 *
 * Invariants: integer arithmetic only; every term is a sum over a side's pieces that does not depend on
 * their order, and divisions round towards zero, so that mirrored positions evaluate alike. */
#include "eval_internal.h"

#include <math.h>
#include <string.h>

/* What one side's pieces bear upon. */
struct side_view {
    sy_set attacked, by_pawns;
    sy_set pawns, officers;
    sy_worth mobility;
    int trades;          /* pieces attacked by lesser ones */
    int attackers, hits; /* officers that attack the enemy royals' zone, and cells of it they attack */
};

static sy_set attacks_by(const struct sy_view *view, sy_set pieces)
{
    sy_set attacked = SY_EMPTY_SET;
    SY_EACH (cell, pieces) {
        attacked |= view->reached[cell]->capture | view->reached[cell]->shot;
    }
    return attacked;
}

/* Mobility counts no cell that enemy pawns attack. */
static inline sy_set free_cells(const struct sy_view *view, const struct side_view *other)
{
    return ~view->occupied & ~other->by_pawns;
}

static inline sy_set free_targets(const struct sy_view *view, unsigned side, const struct side_view *other)
{
    return view->side[side ^ 1U] & ~other->by_pawns;
}

/* Adds what officers and royals bear upon. */
static inline void add_pieces(const struct sy_eval *eval, const struct sy_position *position,
                              const struct sy_view *view, unsigned side, const struct side_view *other,
                              sy_set enemy_zone, const sy_set dearest[SY_MAX_TYPES + 1],
                              struct side_view *own)
{
    const sy_set free = free_cells(view, other), targets = free_targets(view, side, other);
    const sy_set enemies = view->side[side ^ 1U];
    sy_set attacked = own->attacked;
    sy_worth mobility = 0;
    int attackers = 0, hits = 0, trades = 0;
    SY_EACH (cell, view->side[side] & ~own->pawns) {
        const struct sy_reached *reached = view->reached[cell];
        const sy_set attacks = reached->capture | reached->shot;
        const int hit = sy_count(attacks & enemy_zone);
        const int goes = sy_count((reached->quiet & free) | (reached->capture & targets));
        attacked |= attacks;
        const unsigned type = sy_piece_type(position->piece[cell]);
        mobility += eval->type[type].mobility[goes];
        trades += sy_count(attacks & enemies & dearest[eval->worthier[type]]);
        hits += hit;
        attackers += hit > 0;
    }
    own->attacked = attacked;
    own->mobility = mobility;
    own->attackers = attackers;
    own->hits = hits;
    own->trades = trades;
}

static sy_set zone_of(const struct sy_eval *eval, sy_set royals)
{
    sy_set zone = SY_EMPTY_SET;
    while (royals)
        zone |= eval->zone[sy_pop(&royals)];
    return zone;
}

static sy_worth pairs(const struct sy_eval *eval, const struct sy_position *position, unsigned side)
{
    sy_worth sum = 0;
    for (uint32_t types = eval->paired; types; types &= types - 1) {
        const unsigned type = (unsigned)__builtin_ctz(types);
        const sy_set pieces = sy_pieces(position, type, side);
        sum += (pieces & (pieces - 1)) != SY_EMPTY_SET ? eval->pair[type] : 0;
    }
    return sum;
}

static unsigned steps_to(const struct sy_eval *eval, sy_set royals, unsigned cell)
{
    unsigned steps = SY_FAR;
    SY_EACH (royal, royals) {
        if (eval->steps[royal][cell] < steps)
            steps = eval->steps[royal][cell];
    }
    return steps;
}

/* How a passed pawn stands. */
struct passer {
    bool blocked, free;
    unsigned escort, chase; /* steps from the royals of its own side and of the other */
};

static struct passer passer_at(const struct sy_eval *eval, const struct sy_position *position,
                               const struct sy_view *view, const struct side_view *other, unsigned side,
                               sy_set royals, unsigned cell)
{
    const unsigned type = sy_piece_type(position->piece[cell]);
    unsigned a = 0;
    while (eval->pawn_type[a] != type)
        a++;
    return (struct passer){
        .blocked = !(view->reached[cell]->quiet & ~view->occupied),
        .free = !(eval->way[side][a][cell] & (other->attacked | view->side[side ^ 1U])),
        .escort = steps_to(eval, royals & view->side[side], cell),
        .chase = steps_to(eval, royals & view->side[side ^ 1U], cell),
    };
}

static sy_worth passers(const struct sy_eval *eval, const struct sy_position *position,
                        const struct sy_view *view, const struct side_view *other, unsigned side,
                        sy_set passed)
{
    const sy_set royals = passed ? sy_eval_of_types(position, eval->royals) : SY_EMPTY_SET;
    sy_worth sum = 0;
    SY_EACH (cell, passed) {
        const unsigned piece = position->piece[cell];
        const struct passer passer = passer_at(eval, position, view, other, side, royals, cell);
        sum += (passer.free ? eval->free[piece][cell] : 0) -
               (passer.blocked ? eval->blocked[piece][cell] : 0) + passer.chase * eval->chase[piece][cell] -
               passer.escort * eval->escort[piece][cell];
    }
    return sum;
}

/* Fills both sides' views, and the cells on and beside each side's royals. */
static inline const struct sy_eval_formation *look(struct sy_eval *eval, const struct sy_position *position,
                                                   struct sy_view *view, struct side_view views[2],
                                                   sy_set zone[2])
{
    const sy_set officers = sy_eval_of_types(position, eval->officers);
    const sy_set royals = sy_eval_of_types(position, eval->royals);
    const sy_set all_pawns = sy_eval_of_types(position, eval->pawns);
    const sy_set pawns[2] = {all_pawns & view->side[SY_WHITE], all_pawns & view->side[SY_BLACK]};
    for (unsigned side = 0; side < 2; side++) {
        sy_view_know(view, position, side);
        views[side].pawns = pawns[side];
        views[side].officers = officers & view->side[side];
        zone[side] = zone_of(eval, royals & view->side[side]);
    }
    const struct sy_eval_formation *formation = sy_eval_formation_of(eval, position, pawns);
    for (unsigned side = 0; side < 2; side++)
        views[side].by_pawns = views[side].attacked =
            eval->pawns_leap ? formation->attacked[side] : attacks_by(view, views[side].pawns);
    sy_set dearest[SY_MAX_TYPES + 1];
    dearest[0] = SY_EMPTY_SET;
    for (unsigned i = 0; i < eval->ranks; i++)
        dearest[i + 1] = dearest[i] | position->type[eval->rank[i]];
    for (unsigned side = 0; side < 2; side++)
        add_pieces(eval, position, view, side, &views[side ^ 1U], zone[side ^ 1U], dearest, &views[side]);
    return formation;
}

/* What is counted of a side's pieces. */
struct counts {
    int shelter, support, outposts, threats, trades, hanging, hanging_officers, attack, hits, exits;
};

static inline struct counts counts_of(const struct sy_view *view, const struct sy_eval_formation *formation,
                                      const struct side_view views[2], const sy_set zone[2], unsigned side)
{
    const struct side_view *own = &views[side], *other = &views[side ^ 1U];
    const sy_set hanging = own->attacked & view->side[side ^ 1U] & ~other->attacked;
    return (struct counts){
        .shelter = sy_count(own->pawns & zone[side]),
        .support = sy_count(own->by_pawns & own->pawns),
        .threats = sy_count(own->by_pawns & other->officers),
        .outposts = sy_count(own->by_pawns & own->officers & ~formation->menaced[side ^ 1U]),
        .trades = own->trades,
        .hanging = sy_count(hanging),
        .hanging_officers = sy_count(hanging & other->officers),
        .attack = own->hits * own->attackers,
        .hits = own->hits,
        .exits = sy_count(zone[side] & ~other->attacked & ~view->side[side]),
    };
}

/* Everything but material, placement and the move, White's less Black's. */
static sy_worth positional(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view)
{
    struct side_view views[2] = {{.attacked = SY_EMPTY_SET}, {.attacked = SY_EMPTY_SET}};
    sy_set zone[2];
    const struct sy_eval_formation *formation = look(eval, position, view, views, zone);
    const struct counts white = counts_of(view, formation, views, zone, SY_WHITE);
    const struct counts black = counts_of(view, formation, views, zone, SY_BLACK);
    const sy_worth royal = (white.attack - black.attack) * eval->royal_attack;
    return views[SY_WHITE].mobility - views[SY_BLACK].mobility + pairs(eval, position, SY_WHITE) -
           pairs(eval, position, SY_BLACK) + (white.shelter - black.shelter) * eval->shelter +
           (white.support - black.support) * eval->support + (white.threats - black.threats) * eval->threat +
           (white.trades - black.trades) * eval->trade_up +
           (white.outposts - black.outposts) * eval->outpost + (white.hits - black.hits) * eval->royal_hits +
           (white.exits - black.exits) * eval->royal_exits + (white.hanging - black.hanging) * eval->hanging +
           (white.hanging_officers - black.hanging_officers) * eval->hanging_officer +
           passers(eval, position, view, &views[SY_BLACK], SY_WHITE, formation->passed[SY_WHITE]) -
           passers(eval, position, view, &views[SY_WHITE], SY_BLACK, formation->passed[SY_BLACK]) +
           sy_worth_of(sy_worth_full(royal) / 16, sy_worth_bare(royal) / 16) + formation->worth;
}

/* Nearly normal: the sum of eight random bytes, less its mean. */
static int noise(const struct sy_eval *eval, uint64_t key)
{
    const uint64_t random = sy_mix64(key ^ eval->noise_seed), bytes = 0x00ff00ff00ff00ffU;
    const uint64_t pairs = (random & bytes) + (random >> 8 & bytes);
    const int sum = (int)((pairs * 0x0001000100010001U) >> 48);
    return (int)((int64_t)(sum - 8 * 255 / 2) * eval->noise / (1 << SY_NOISE_SHIFT));
}

static int at_phase(int full, int bare, int phase)
{
    return (full * phase + bare * (256 - phase)) / 256;
}

static int clamp(int score)
{
    return score > SY_EVAL_MAX ? SY_EVAL_MAX : score < -SY_EVAL_MAX ? -SY_EVAL_MAX : score;
}

int sy_evaluate(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                const struct sy_eval_sum *sum, uint64_t key, int alpha, int beta, bool *whole)
{
    const int phase = eval->phase[sy_eval_officers(sum, SY_WHITE) + sy_eval_officers(sum, SY_BLACK)];
    const int white = at_phase(sum->full, sum->bare, phase);
    int score = (position->to_move == SY_WHITE ? white : -white) + eval->tempo;
    if (eval->noise)
        score += noise(eval, key);
    *whole = score <= beta + eval->lazy && score >= alpha - eval->lazy;
    if (!*whole)
        return clamp(score);
    const sy_worth worth = positional(eval, position, view);
    const int rest = at_phase(sy_worth_full(worth), sy_worth_bare(worth), phase);
    return clamp(score + (position->to_move == SY_WHITE ? rest : -rest));
}

/* ---- what the evaluation is made of ---- */

struct trace {
    const struct sy_eval *eval;
    double *terms;
    double phase[2]; /* weights of many pieces and of few */
};

size_t sy_eval_term(const struct sy_variant *variant, enum sy_eval_term_kind kind, unsigned phase,
                    unsigned index, unsigned cell)
{
    const size_t types = variant->types, cells = variant->cells;
    const size_t starts[] = {
        [SY_TERM_VALUE] = 0,
        [SY_TERM_PARAM] = variant->materials,
        [SY_TERM_MOBILITY] = variant->materials + SY_PARAM_COUNT,
        [SY_TERM_PAIR] = variant->materials + SY_PARAM_COUNT + 2 * types,
        [SY_TERM_PLACEMENT] = variant->materials + SY_PARAM_COUNT + 4 * types,
        [SY_TERM_PASSED] = variant->materials + SY_PARAM_COUNT + 4 * types + 2 * types * cells,
        [SY_TERM_COUNT] = variant->materials + SY_PARAM_COUNT + 4 * types + 4 * types * cells,
    };
    const size_t width = kind == SY_TERM_PLACEMENT || kind == SY_TERM_PASSED ? cells : 1;
    const size_t phases = kind == SY_TERM_VALUE || kind == SY_TERM_PARAM || kind == SY_TERM_COUNT ? 1 : 2;
    return starts[kind] + (index * width + cell) * phases + phase;
}

/* A term in both phases, `full` and the one after it. */
static void trace_both(const struct trace *trace, size_t full, double amount)
{
    trace->terms[full] += trace->phase[0] * amount;
    trace->terms[full + 1] += trace->phase[1] * amount;
}

static void trace_param(const struct trace *trace, enum sy_param full, double amount)
{
    trace_both(trace, sy_eval_term(trace->eval->variant, SY_TERM_PARAM, 0, full, 0), amount);
}

static void trace_piece(const struct trace *trace, unsigned piece, unsigned cell)
{
    const struct sy_eval *eval = trace->eval;
    const struct sy_variant *variant = eval->variant;
    const unsigned type = sy_piece_type(piece), seen = sy_eval_seen(eval, sy_piece_side(piece), cell);
    const unsigned at = sy_piece_side(piece) == SY_WHITE || eval->symmetric ? seen : variant->mirror[cell];
    if (eval->royals >> type & 1U) {
        const double exposure = eval->exposure[seen] - eval->mean_exposure;
        const size_t cover = sy_eval_term(variant, SY_TERM_PARAM, 0, SY_EVAL_ROYAL_COVER, 0);
        trace->terms[cover] -= trace->phase[0] * exposure;
        trace->terms[cover + 1] += trace->phase[1] * exposure;
    } else {
        trace->terms[sy_eval_term(variant, SY_TERM_VALUE, 0, variant->type[type].material, 0)] += 1;
        if (eval->officers >> type & 1U) {
            trace_param(trace, SY_EVAL_PLACEMENT, eval->reach[piece][cell] - eval->mean_reach[piece]);
        } else {
            trace_param(trace, SY_EVAL_ADVANCE, eval->advance[piece][cell]);
        }
    }
    trace_both(trace, sy_eval_term(variant, SY_TERM_PLACEMENT, 0, type, at), 1);
}

static void trace_pawns(const struct trace *trace, const struct sy_position *position,
                        const struct sy_view *view, const struct side_view *other, unsigned side,
                        sy_set passed)
{
    const struct sy_eval *eval = trace->eval;
    const sy_set royals = sy_eval_of_types(position, eval->royals);
    const struct sy_faults faults = sy_eval_faults(eval, position, side);
    trace_param(trace, SY_EVAL_DOUBLED, -faults.doubled);
    trace_param(trace, SY_EVAL_ISOLATED, -faults.isolated);
    SY_EACH (cell, passed) {
        const unsigned piece = position->piece[cell], left = eval->way_left[piece][cell];
        if (left == SY_NO_WAY)
            continue;
        const double advance = eval->advance[piece][cell];
        const struct passer passer = passer_at(eval, position, view, other, side, royals, cell);
        trace_param(trace, SY_EVAL_PASSED, advance);
        trace_param(trace, SY_EVAL_PASSED_BLOCKED, passer.blocked ? -advance : 0);
        trace_param(trace, SY_EVAL_PASSED_FREE, passer.free ? advance : 0);
        trace_param(trace, SY_EVAL_PASSED_ESCORT, -advance * passer.escort);
        trace_param(trace, SY_EVAL_PASSED_CHASE, advance * passer.chase);
        if (left > 0)
            trace_both(trace, sy_eval_term(eval->variant, SY_TERM_PASSED, 0, sy_piece_type(piece), left - 1),
                       1);
    }
}

static void trace_mobility(const struct trace *trace, const struct sy_position *position,
                           const struct sy_view *view, const struct side_view *other, unsigned side,
                           sy_set pieces)
{
    const struct sy_eval *eval = trace->eval;
    const sy_set free = free_cells(view, other), targets = free_targets(view, side, other);
    SY_EACH (cell, pieces) {
        const struct sy_reached *reached = view->reached[cell];
        const unsigned type = sy_piece_type(position->piece[cell]);
        if (eval->variant->type[type].royalty == SY_ROYAL_BY_CHECK)
            continue;
        const double usual = eval->mean_reach[sy_piece_code(type, SY_WHITE)] * sqrt(0.5);
        const double amount = sqrt(sy_count((reached->quiet & free) | (reached->capture & targets))) - usual;
        trace_param(trace, SY_EVAL_MOBILITY, amount);
        trace_both(trace, sy_eval_term(eval->variant, SY_TERM_MOBILITY, 0, type, 0), amount);
    }
}

void sy_eval_trace(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                   double *terms[2])
{
    struct side_view views[2] = {{.attacked = SY_EMPTY_SET}, {.attacked = SY_EMPTY_SET}};
    sy_set zone[2];
    const struct sy_eval_sum sum = sy_eval_sum_of(eval, position);
    const double many =
        eval->phase[sy_eval_officers(&sum, SY_WHITE) + sy_eval_officers(&sum, SY_BLACK)] / 256.0;
    const struct sy_variant *variant = eval->variant;
    const struct sy_eval_formation *formation = look(eval, position, view, views, zone);
    for (unsigned side = 0; side < 2; side++) {
        const struct trace trace = {eval, terms[side], {many, 1 - many}};
        memset(terms[side], 0, sy_eval_term(variant, SY_TERM_COUNT, 0, 0, 0) * sizeof **terms);
        const struct counts counts = counts_of(view, formation, views, zone, side);
        SY_EACH (cell, view->side[side]) {
            trace_piece(&trace, position->piece[cell], cell);
        }
        trace_pawns(&trace, position, view, &views[side ^ 1U], side, formation->passed[side]);
        trace_mobility(&trace, position, view, &views[side ^ 1U], side,
                       view->side[side] & ~views[side].pawns);
        for (unsigned type = 0; type < variant->types; type++)
            if (sy_count(sy_pieces(position, type, side)) > 1)
                trace_both(&trace, sy_eval_term(variant, SY_TERM_PAIR, 0, type, 0), 1);
        trace_param(&trace, SY_EVAL_SHELTER, counts.shelter);
        trace_param(&trace, SY_EVAL_SUPPORT, counts.support);
        trace_param(&trace, SY_EVAL_THREAT, counts.threats);
        trace_param(&trace, SY_EVAL_HANGING, counts.hanging);
        trace_param(&trace, SY_EVAL_ROYAL_ATTACK, counts.attack);
        trace_param(&trace, SY_EVAL_OUTPOST, counts.outposts);
        trace_param(&trace, SY_EVAL_TRADE_UP, counts.trades);
        trace_param(&trace, SY_EVAL_HANGING_OFFICER, counts.hanging_officers);
        trace_param(&trace, SY_EVAL_ROYAL_HITS, counts.hits);
        trace_param(&trace, SY_EVAL_ROYAL_EXITS, counts.exits);
    }
    terms[position->to_move][sy_eval_term(variant, SY_TERM_PARAM, 0, SY_EVAL_TEMPO, 0)] = 1;
}
