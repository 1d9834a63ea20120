/* The order in which the search tries moves: the table's move, captures that do not lose by exchange (most
 * valuable victim, least valuable taker first), killers and the counter move, quiet moves by history, and
 * the losing captures.
 *
 * A move waiting in the list is one number: its score above, below it the move as the side to move sees it,
 * complemented, and lowest its place in the list. So the greatest is tried first, equal scores go by the
 * relative move, mirrored positions are searched alike, and finding the greatest is a reduction without
 * branches. */
#include "search_internal.h"
#include "steelyard/see.h"

enum { KILLER = 1 << 20, SECOND_KILLER = KILLER - 1, REPLY = KILLER - 2, REWARD_MAX = 1600 };

enum { PLACE_BITS = 10, PLACE = (1 << PLACE_BITS) - 1, MOVE_BITS = 22, MOVE = (1 << MOVE_BITS) - 1 };

_Static_assert(SY_MAX_MOVES <= PLACE + 1, "every move of a node has a place");

/* `complement`: the relative move's. */
static int64_t entry_of(int score, uint32_t complement, size_t place)
{
    return (int64_t)score * ((int64_t)1 << 32) + (int64_t)((complement & MOVE) << PLACE_BITS) +
           (int64_t)place;
}

static int score_of(int64_t entry)
{
    return (int)((entry - (int64_t)((uint64_t)entry & UINT32_MAX)) / ((int64_t)1 << 32));
}

static uint32_t complement_of(int64_t entry)
{
    return (uint32_t)entry >> PLACE_BITS;
}

void sy_picker_begin(struct sy_picker *picker, struct sy_engine *engine, unsigned ply, sy_move hash,
                     enum sy_wanted wanted)
{
    const struct sy_frame *last = ply > 0 ? &engine->frames[ply - 1] : NULL;
    *picker = (struct sy_picker){.stage = SY_STAGE_START,
                                 .wanted = wanted,
                                 .menaces_only = wanted != SY_ALL_MOVES,
                                 .hash = hash,
                                 .frame = &engine->frames[ply],
                                 .view = &engine->views[ply],
                                 .first = engine->list_top,
                                 .next = engine->list_top,
                                 .end = engine->list_top,
                                 .poor = engine->list_top};
    if (last && last->move != SY_NO_MOVE)
        picker->reply = engine->counter[last->undo.mover][sy_move_to(last->move)];
}

void sy_picker_end(const struct sy_picker *picker, struct sy_engine *engine)
{
    engine->list_top = picker->first;
}

static bool is_capture(const struct sy_position *position, sy_move move)
{
    return sy_move_victim(position, move) != SY_NO_PIECE;
}

/* What the taker puts at stake: nothing where it cannot be taken back. */
static int stake(const struct sy_engine *engine, sy_move move)
{
    const unsigned type = sy_piece_type(engine->position.piece[sy_move_from(move)]);
    const bool safe =
        sy_move_kind(move) == SY_MOVE_SHOT || engine->variant->type[type].royalty == SY_ROYAL_BY_CHECK;
    return safe ? 0 : engine->eval->exchange[type];
}

static int capture_score(const struct sy_engine *engine, sy_move move)
{
    const unsigned victim = sy_move_victim(&engine->position, move);
    int gain = victim == SY_NO_PIECE ? 0 : engine->eval->exchange[sy_piece_type(victim)];
    if (sy_move_kind(move) == SY_MOVE_PROMOTION)
        gain += engine->eval->exchange[sy_move_extra(move)];
    return 16 * gain - stake(engine, move);
}

static int quiet_score(const struct sy_engine *engine, const struct sy_picker *picker, sy_move move)
{
    if (move == picker->frame->killer[0])
        return KILLER;
    if (move == picker->frame->killer[1])
        return SECOND_KILLER;
    if (move == picker->reply)
        return REPLY;
    const unsigned piece = engine->position.piece[sy_move_from(move)];
    return engine->history[sy_piece_side(piece)][sy_piece_type(piece)][sy_move_to(move)];
}

static sy_set enemy_royals(const struct sy_position *position)
{
    return sy_royals(position) & position->side[position->to_move ^ 1U];
}

/* Does the piece, once moved, attack an enemy royal? Lines opened by the move are not looked at. */
static bool menaces(const struct sy_engine *engine, sy_move move)
{
    const struct sy_position *position = &engine->position;
    const unsigned from = sy_move_from(move), to = sy_move_to(move), piece = position->piece[from];
    const sy_set occupied = (sy_occupied(position) & ~sy_bit(from)) | sy_bit(to);
    SY_EACH (royal, enemy_royals(position)) {
        if (sy_bears_upon(engine->variant, piece, to, royal, occupied))
            return true;
    }
    return false;
}

/* The cells from which a piece of each type might attack an enemy royal. */
static void find_menacing_cells(const struct sy_engine *engine, sy_set cells[SY_MAX_TYPES])
{
    const struct sy_position *position = &engine->position;
    const struct sy_variant *variant = engine->variant;
    const unsigned side = position->to_move;
    const sy_set royals = enemy_royals(position);
    for (unsigned type = 0; type < variant->types; type++) {
        const struct sy_reverse *reverse = variant->piece[sy_piece_code(type, side)].reverse;
        cells[type] = SY_EMPTY_SET;
        for (sy_set left = royals; left;) {
            const struct sy_reverse *to = &reverse[sy_pop(&left)];
            cells[type] |= to->leap | to->slide | to->hop;
        }
    }
}

static unsigned generate(const struct sy_picker *picker, struct sy_engine *engine, bool captures)
{
    const struct sy_position *position = &engine->position;
    if (captures)
        return sy_view_captures(picker->view, position, engine->fresh);
    if (!picker->menaces_only)
        return sy_view_quiets(picker->view, position, engine->fresh);
    sy_set cells[SY_MAX_TYPES];
    find_menacing_cells(engine, cells);
    return sy_view_quiets_onto(picker->view, position, cells, engine->fresh);
}

static void list_moves(struct sy_picker *picker, struct sy_engine *engine, bool captures)
{
    const unsigned side = engine->position.to_move, count = generate(picker, engine, captures);
    picker->next = picker->end = engine->list_top;
    for (unsigned i = 0; i < count; i++) {
        const sy_move move = engine->fresh[i];
        if (move == picker->hash || (picker->menaces_only && !captures && !menaces(engine, move)))
            continue;
        const int score = captures ? capture_score(engine, move) : quiet_score(engine, picker, move);
        engine->list[picker->end] =
            entry_of(score, ~sy_eval_relative(engine->eval, side, move), picker->end - picker->first);
        picker->end++;
    }
    engine->list_top = picker->end;
}

static sy_move move_of(const struct sy_engine *engine, int64_t entry)
{
    return sy_eval_relative(engine->eval, engine->position.to_move, ~complement_of(entry) & MOVE);
}

/* Takes the greatest waiting entry out; the first one moves to its place. */
static int64_t take_greatest(struct sy_picker *picker, struct sy_engine *engine)
{
    int64_t *list = engine->list + picker->first;
    const size_t first = picker->next - picker->first, end = picker->end - picker->first;
    int64_t greatest = list[first];
    for (size_t i = first + 1; i < end; i++)
        greatest = list[i] > greatest ? list[i] : greatest;
    const size_t place = (size_t)greatest & PLACE;
    list[place] = (list[first] & ~(int64_t)PLACE) + (int64_t)place;
    picker->next++;
    return greatest;
}

/* *result: how much, unless only the fact is wanted. */
static bool loses_by_exchange(const struct sy_engine *engine, sy_move move, bool fact_only, int *result)
{
    const unsigned victim = sy_move_victim(&engine->position, move);
    const int gain = victim == SY_NO_PIECE ? 0 : engine->eval->exchange[sy_piece_type(victim)];
    if (gain >= stake(engine, move))
        return false;
    if (fact_only)
        return !sy_see_reaches(&engine->position, move, engine->eval->exchange, 0);
    *result = sy_see(&engine->position, move, engine->eval->exchange);
    return *result < 0;
}

static sy_move next_capture(struct sy_picker *picker, struct sy_engine *engine)
{
    while (picker->next < picker->end) {
        const int64_t entry = take_greatest(picker, engine);
        const sy_move move = move_of(engine, entry);
        int result = 0;
        if (!sy_view_is_safe(picker->view, &engine->position, move))
            continue;
        if (!loses_by_exchange(engine, move, picker->wanted != SY_ALL_MOVES, &result))
            return move;
        if (picker->wanted == SY_ALL_MOVES)
            engine->list[picker->poor++] = entry_of(result, complement_of(entry), 0);
    }
    return SY_NO_MOVE;
}

void sy_picker_only_menaces(struct sy_picker *picker, struct sy_engine *engine)
{
    picker->menaces_only = true;
    if (picker->stage != SY_STAGE_QUIETS)
        return;
    int64_t *list = engine->list + picker->first;
    size_t kept = picker->next - picker->first;
    for (size_t i = kept; i < picker->end - picker->first; i++)
        if (menaces(engine, move_of(engine, list[i]))) {
            list[kept] = (list[i] & ~(int64_t)PLACE) + (int64_t)kept;
            kept++;
        }
    picker->end = picker->first + kept;
}

static bool is_usable_hash_move(const struct sy_picker *picker, const struct sy_engine *engine)
{
    if (picker->hash == SY_NO_MOVE || !sy_view_is_legal(picker->view, &engine->position, picker->hash))
        return false;
    return picker->wanted == SY_ALL_MOVES || is_capture(&engine->position, picker->hash) ||
           sy_move_kind(picker->hash) == SY_MOVE_PROMOTION;
}

static sy_move next_listed(struct sy_picker *picker, struct sy_engine *engine)
{
    while (picker->next < picker->end) {
        const int64_t entry = take_greatest(picker, engine);
        const sy_move move = move_of(engine, entry);
        if (sy_view_is_safe(picker->view, &engine->position, move)) {
            picker->score = score_of(entry);
            return move;
        }
    }
    return SY_NO_MOVE;
}

/* The losing captures, kept in the order in which they were found, stand at the head of the list. */
static sy_move next_poor(struct sy_picker *picker, struct sy_engine *engine)
{
    if (picker->next == picker->poor)
        return SY_NO_MOVE;
    const int64_t entry = engine->list[picker->next++];
    picker->score = score_of(entry);
    return move_of(engine, entry);
}

sy_move sy_picker_next(struct sy_picker *picker, struct sy_engine *engine)
{
    sy_move move = SY_NO_MOVE;
    while (move == SY_NO_MOVE && picker->stage != SY_STAGE_DONE) {
        switch (picker->stage) {
        case SY_STAGE_START:
            picker->stage = SY_STAGE_HASH;
            if (is_usable_hash_move(picker, engine))
                move = picker->hash;
            break;
        case SY_STAGE_HASH:
            picker->stage = SY_STAGE_CAPTURES;
            list_moves(picker, engine, true);
            break;
        case SY_STAGE_CAPTURES:
            move = next_capture(picker, engine);
            if (move == SY_NO_MOVE) {
                picker->stage = picker->wanted == SY_GOOD_CAPTURES ? SY_STAGE_DONE : SY_STAGE_QUIETS;
                if (picker->stage == SY_STAGE_QUIETS)
                    list_moves(picker, engine, false);
            }
            break;
        case SY_STAGE_QUIETS:
            move = next_listed(picker, engine);
            if (move == SY_NO_MOVE) {
                picker->stage = SY_STAGE_POOR;
                picker->next = picker->first;
            }
            break;
        case SY_STAGE_POOR:
            move = next_poor(picker, engine);
            if (move == SY_NO_MOVE)
                picker->stage = SY_STAGE_DONE;
            break;
        case SY_STAGE_DONE:
            break;
        }
    }
    return move;
}

static void adjust(int16_t *entry, int reward)
{
    const int size = reward < 0 ? -reward : reward;
    *entry = (int16_t)(*entry + reward - *entry * size / SY_HISTORY_MAX);
}

static int16_t *history_of(struct sy_engine *engine, sy_move move)
{
    const unsigned piece = engine->position.piece[sy_move_from(move)];
    return &engine->history[sy_piece_side(piece)][sy_piece_type(piece)][sy_move_to(move)];
}

void sy_order_reward(struct sy_engine *engine, unsigned ply, sy_move move, const sy_move *tried,
                     unsigned tried_count, int depth)
{
    struct sy_frame *frame = &engine->frames[ply];
    const int square = 16 * depth * depth, reward = square < REWARD_MAX ? square : REWARD_MAX;
    if (frame->killer[0] != move) {
        frame->killer[1] = frame->killer[0];
        frame->killer[0] = move;
    }
    adjust(history_of(engine, move), reward);
    for (unsigned i = 0; i < tried_count; i++)
        adjust(history_of(engine, tried[i]), -reward);
    if (ply > 0 && frame[-1].move != SY_NO_MOVE)
        engine->counter[frame[-1].undo.mover][sy_move_to(frame[-1].move)] = move;
}
