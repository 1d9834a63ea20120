/* The variant's endings inside the search tree.
 *
 * Where the rules score a repetition as a draw, the first one inside the tree counts already: whoever could
 * force it once could force it again. Where a repetition wins or loses, occurrences are counted exactly, and
 * the count is part of the table's key, as are the last plies before the no-progress limit. */
#include "search_internal.h"

enum { NEAR_LIMIT = 12 };

/* ---- what the variant says ---- */

static int points_score(const struct sy_engine *engine, double points)
{
    if (points >= 1)
        return SY_WIN;
    if (points <= 0)
        return -SY_WIN;
    return (int)((points - 0.5) * 4 * engine->set.quarter);
}

static bool goes_round(const struct sy_variant *variant, unsigned piece, unsigned cell, sy_set *done,
                       sy_set *open)
{
    const struct sy_reach *reach = &variant->piece[piece].reach[cell];
    sy_set next = reach->quiet_leap | sy_slide(variant, &reach->both, SY_EMPTY_SET) |
                  sy_slide(variant, &reach->quiet, SY_EMPTY_SET);
    for (unsigned i = 0; i < reach->both.hops; i++)
        next |= variant->hop_rays[reach->both.hop + i].mask;
    for (unsigned i = 0; i < reach->quiet.hops; i++)
        next |= variant->hop_rays[reach->quiet.hop + i].mask;
    *open |= sy_bit(cell);
    while (next) {
        const unsigned to = sy_pop(&next);
        if (sy_has(*open, to) || (!sy_has(*done, to) && !sy_has(variant->piece[piece].promotion_zone, to) &&
                                  goes_round(variant, piece, to, done, open)))
            return true;
    }
    *open &= ~sy_bit(cell);
    *done |= sy_bit(cell);
    return false;
}

/* Can such a piece come back to a cell it has left, without capturing or promoting? */
static bool can_come_back(const struct sy_variant *variant, unsigned type)
{
    for (unsigned side = 0; side < 2; side++) {
        sy_set done = SY_EMPTY_SET;
        for (unsigned cell = 0; cell < variant->cells; cell++) {
            sy_set open = SY_EMPTY_SET;
            if (!sy_has(done, cell) && goes_round(variant, sy_piece_code(type, side), cell, &done, &open))
                return true;
        }
    }
    return false;
}

void sy_rules_set(struct sy_engine *engine, double quarter_point)
{
    const struct sy_endings *endings = &engine->variant->endings;
    engine->set.quarter = (int)(quarter_point * SY_PAWN + 0.5);
    engine->set.checkmate = points_score(engine, endings->checkmate);
    engine->set.stalemate = points_score(engine, endings->stalemate);
    engine->set.repetition = points_score(engine, endings->repetition);
    engine->set.no_progress = points_score(engine, endings->no_progress);
    engine->repetition_is_draw = engine->set.repetition == 0;
    engine->clock_covers_repetition = true;
    for (unsigned type = 0; type < engine->variant->types; type++)
        if (engine->variant->type[type].progress && can_come_back(engine->variant, type))
            engine->clock_covers_repetition = false;
}

/* ---- repetition ---- */

static unsigned slot_of(uint64_t key)
{
    return (unsigned)(key >> 20) % SY_SEEN_SLOTS;
}

void sy_rules_push_key(struct sy_engine *engine)
{
    engine->keys[engine->key_count++] = engine->position.key;
    engine->seen[slot_of(engine->position.key)]++;
}

void sy_rules_pop_key(struct sy_engine *engine)
{
    engine->seen[slot_of(engine->keys[--engine->key_count])]--;
}

/* How often the present position has occurred before; *in_tree: also at or after the root. */
static unsigned earlier(const struct sy_engine *engine, unsigned ply, bool *in_tree)
{
    const uint64_t key = engine->position.key;
    const size_t now = engine->key_count - 1;
    size_t first = engine->frames[ply].since_pass;
    if (engine->clock_covers_repetition && now - first > engine->position.halfmove)
        first = now - engine->position.halfmove;
    unsigned count = 0;
    for (size_t i = now; i >= first + 2;) {
        i -= 2; /* the same side to move */
        if (engine->keys[i] == key) {
            *in_tree = *in_tree || i >= engine->root_key;
            count++;
        }
    }
    return count;
}

static bool repeated(const struct sy_engine *engine, unsigned ply, int *score)
{
    const struct sy_endings *endings = &engine->variant->endings;
    if (endings->repetition < 0 || engine->seen[slot_of(engine->position.key)] < 2)
        return false;
    bool in_tree = false;
    const unsigned count = earlier(engine, ply, &in_tree);
    if (count + 1 >= endings->repetition_count || (in_tree && engine->repetition_is_draw)) {
        *score = sy_rules_score(engine->set.repetition, ply);
        return true;
    }
    return false;
}

uint64_t sy_rules_counter_key(const struct sy_engine *engine, unsigned ply)
{
    const struct sy_endings *endings = &engine->variant->endings;
    const unsigned halfmove = engine->position.halfmove;
    uint64_t key = 0;
    if (endings->no_progress >= 0 && halfmove + NEAR_LIMIT >= endings->no_progress_plies)
        key ^= sy_mix64(0x400U + halfmove);
    if (endings->repetition >= 0 && !engine->repetition_is_draw &&
        engine->seen[slot_of(engine->position.key)] > 1) {
        bool in_tree = false;
        const unsigned count = earlier(engine, ply, &in_tree);
        key ^= count > 0 ? sy_mix64(0x300U + count) : 0;
    }
    return key;
}

/* ---- the other rules ---- */

static bool few_enough(const struct sy_engine *engine)
{
    const struct sy_endings *endings = &engine->variant->endings;
    const struct sy_position *position = &engine->position;
    if (endings->insufficient < 0 && endings->bare_royal < 0)
        return false;
    sy_set royals = SY_EMPTY_SET, weak = SY_EMPTY_SET;
    for (unsigned type = 0; type < engine->variant->types; type++) {
        if (engine->variant->type[type].royalty != SY_COMMON)
            royals |= position->type[type];
        if ((endings->insufficient_alone | endings->insufficient_one_colour) >> type & 1U)
            weak |= position->type[type];
    }
    if (endings->bare_royal >= 0 && (!(position->side[0] & ~royals) || !(position->side[1] & ~royals)))
        return true;
    return endings->insufficient >= 0 && !(sy_occupied(position) & ~royals & ~weak);
}

static bool ended_by_material(const struct sy_engine *engine, unsigned ply, int *score)
{
    const unsigned captured = engine->frames[ply - 1].undo.captured;
    const bool took_royal = captured != SY_NO_PIECE &&
                            engine->variant->type[sy_piece_type(captured)].royalty == SY_ROYAL_BY_CAPTURE;
    if (!took_royal && !few_enough(engine))
        return false;
    const struct sy_outcome outcome = sy_outcome_material(&engine->position);
    if (outcome.reason == SY_GOING_ON)
        return false;
    const bool white = engine->position.to_move == SY_WHITE;
    *score =
        sy_rules_score(points_score(engine, white ? outcome.white_points : 1 - outcome.white_points), ply);
    return true;
}

/* Whoever is mated by the move that reaches the limit has lost all the same. */
static bool without_progress(const struct sy_engine *engine, unsigned ply, int *score)
{
    const struct sy_endings *endings = &engine->variant->endings;
    const struct sy_position *position = &engine->position;
    if (endings->no_progress < 0 || position->halfmove < endings->no_progress_plies ||
        sy_count_legal(position) == 0)
        return false;
    *score = sy_rules_score(engine->set.no_progress, ply);
    return true;
}

int sy_rules_faded(const struct sy_engine *engine, int eval)
{
    const struct sy_endings *endings = &engine->variant->endings;
    const int limit = (int)endings->no_progress_plies, left = limit - engine->position.halfmove;
    if (endings->no_progress < 0 || engine->set.no_progress != 0 || 2 * left >= limit)
        return eval;
    return left > 0 ? eval * 2 * left / limit : 0;
}

bool sy_rules_ended(struct sy_engine *engine, unsigned ply, int *score)
{
    const struct sy_frame *last = &engine->frames[ply - 1];
    if (last->move == SY_NO_MOVE)
        return false;
    if (last->undo.captured != SY_NO_PIECE || sy_move_kind(last->move) == SY_MOVE_PROMOTION)
        return ended_by_material(engine, ply, score);
    return repeated(engine, ply, score) || without_progress(engine, ply, score);
}

int sy_rules_no_move(const struct sy_engine *engine, unsigned ply)
{
    return sy_rules_score(engine->views[ply].check ? engine->set.checkmate : engine->set.stalemate, ply);
}

/* ---- royals ---- */

static sy_set capture_royals(const struct sy_engine *engine, unsigned side)
{
    sy_set royals = SY_EMPTY_SET;
    for (uint32_t types = engine->variant->capture_royals; types; types &= types - 1)
        royals |= sy_pieces(&engine->position, (unsigned)__builtin_ctz(types), side);
    return royals;
}

static sy_set attacked_royals(const struct sy_engine *engine, unsigned side)
{
    sy_set attacked = SY_EMPTY_SET;
    for (sy_set left = capture_royals(engine, side); left;) {
        const unsigned cell = sy_pop(&left);
        if (sy_attacked(&engine->position, cell, side ^ 1U, sy_occupied(&engine->position)))
            attacked |= sy_bit(cell);
    }
    return attacked;
}

bool sy_rules_can_take_royal(struct sy_engine *engine, unsigned ply)
{
    if (!engine->variant->capture_royals || engine->variant->endings.royal_captured > 0)
        return false;
    const sy_set targets = attacked_royals(engine, engine->position.to_move ^ 1U);
    if (!targets)
        return false;
    struct sy_view *view = &engine->views[ply];
    const unsigned count = sy_view_captures(view, &engine->position, engine->fresh);
    for (unsigned i = 0; i < count; i++)
        if (sy_has(targets, sy_move_to(engine->fresh[i])) &&
            sy_view_is_safe(view, &engine->position, engine->fresh[i]))
            return true;
    return false;
}

bool sy_rules_in_danger(const struct sy_engine *engine, unsigned ply)
{
    return engine->views[ply].check ||
           (engine->variant->capture_royals && attacked_royals(engine, engine->position.to_move));
}
