/* movegen: legal moves, by the lines on which the royal could be captured.
 *
 * For the side to move and its check royal, a line is an enemy piece, the cells between it and the royal, the
 * number of pieces now on them, and the number at which it captures (`over`: 0 for sliders, 1 for most
 * hoppers; leapers are lines without cells). After a move the number is count - [from between] + [to between
 * and empty before], after a shot count - [victim between]. A move is legal when for no line that number is
 * `over`, unless it captures the line's piece. Only lines with |count - over| <= 1 matter. For a piece that
 * stands on no line the cells it may go to are one set, computed once; the others get their own. Moves of the
 * royal itself are decided by looking for attackers of the cell it goes to. */
#include "steelyard/movegen.h"

#include <string.h>

struct line {
    sy_set between, attacker;
    int count, over;
};

enum { MAX_LINES = 2 * SY_MAX_CELLS };

struct legality {
    sy_set occupied, own, enemy;
    sy_set targets;  /* where a piece that stands on no line may go */
    sy_set shots;    /* what may be shot */
    sy_set on_lines; /* own pieces that stand on a line */
    unsigned us, royal;
    unsigned lines;
    bool check;
    struct line line[MAX_LINES];
};

static inline void add_line(struct legality *legality, sy_set between, unsigned attacker, int over)
{
    const int count = sy_count(between & legality->occupied);
    if (count - over > 1 || over - count > 1) {
        return;
    }
    struct line *line = &legality->line[legality->lines++];
    *line = (struct line){between, sy_bit(attacker), count, over};
    const sy_set empty = between & ~legality->occupied;
    legality->on_lines |= between & legality->own;
    if (count == over) {
        legality->check = true;
        legality->targets &= empty | line->attacker;
        legality->shots &= between | line->attacker;
    } else if (count < over) {
        legality->targets &= ~empty;
    } else {
        legality->shots &= ~between;
    }
}

static void find_lines(const struct sy_position *position, struct legality *legality)
{
    const struct sy_variant *variant = position->variant;
    const unsigned royal = legality->royal, cells = variant->cells;
    for (unsigned type = 0; type < variant->types; type++) {
        const sy_set pieces = position->type[type] & legality->enemy;
        if (!pieces) {
            continue;
        }
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, legality->us ^ 1U)];
        const struct sy_reverse *reverse = &piece->reverse[royal];
        for (sy_set from = pieces & reverse->leap; from;) {
            add_line(legality, SY_EMPTY_SET, sy_pop(&from), 0);
        }
        for (sy_set from = pieces & reverse->slide; from;) {
            const unsigned cell = sy_pop(&from);
            add_line(legality, piece->slide_between[royal * cells + cell], cell, 0);
        }
        for (sy_set from = pieces & reverse->hop; from;) {
            const unsigned cell = sy_pop(&from);
            add_line(legality, piece->hop_between[royal * cells + cell], cell, piece->hop_over);
        }
        for (unsigned i = 0; i < reverse->extras; i++) {
            const struct sy_extra_line *extra = &variant->extra[reverse->extra + i];
            if (sy_has(pieces, extra->from)) {
                add_line(legality, extra->between, extra->from, extra->over);
            }
        }
    }
}

static inline void look(const struct sy_position *position, struct legality *legality)
{
    legality->us = position->to_move;
    legality->own = position->side[legality->us];
    legality->enemy = position->side[legality->us ^ 1U];
    legality->occupied = legality->own | legality->enemy;
    legality->targets = legality->shots = ~SY_EMPTY_SET;
    legality->on_lines = SY_EMPTY_SET;
    legality->royal = position->royal[legality->us];
    legality->lines = 0;
    legality->check = false;
    if (legality->royal != SY_NO_CELL) {
        find_lines(position, legality);
    }
}

/* Where a piece on a line may go. */
static sy_set line_targets(const struct legality *legality, unsigned from)
{
    sy_set targets = ~SY_EMPTY_SET;
    for (unsigned i = 0; i < legality->lines; i++) {
        const struct line *line = &legality->line[i];
        const sy_set empty = line->between & ~legality->occupied;
        const int count = line->count - (int)sy_has(line->between, from);
        if (count == line->over) {
            targets &= empty | line->attacker;
        } else if (count == line->over - 1) {
            targets &= ~empty;
        }
    }
    return targets;
}

static inline bool any_lines(const struct sy_lines *lines)
{
    return lines->axes | lines->walks | lines->hops;
}

static inline sy_set reach_lines(const struct sy_variant *variant, const struct sy_lines *lines,
                                 sy_set occupied)
{
    sy_set reached = sy_slide(variant, lines, occupied);
    if (lines->hops) {
        reached |= sy_hop_reach(variant, lines, occupied);
    }
    return reached;
}

struct targets {
    sy_set quiet, capture, shot;
};

/* What a piece reaches, legality aside. */
static inline void reach_of(const struct sy_variant *variant, const struct sy_piece *piece, unsigned from,
                            sy_set occupied, sy_set enemy, struct targets *targets)
{
    const struct sy_reach *reach = &piece->reach[from];
    sy_set quiet = reach->quiet_leap, capture = reach->capture_leap;
    if (any_lines(&reach->both)) {
        const sy_set both = reach_lines(variant, &reach->both, occupied);
        quiet |= both;
        capture |= both;
    }
    if (any_lines(&reach->quiet)) {
        quiet |= reach_lines(variant, &reach->quiet, occupied);
    }
    if (any_lines(&reach->capture)) {
        capture |= reach_lines(variant, &reach->capture, occupied);
    }
    targets->quiet = quiet & ~occupied;
    targets->capture = capture & enemy;
    targets->shot = SY_EMPTY_SET;
    if (piece->shoots) {
        targets->shot = (reach->shot_leap | reach_lines(variant, &reach->shot, occupied)) & enemy;
    }
}

bool sy_attacked(const struct sy_position *position, unsigned cell, unsigned side, sy_set occupied)
{
    const struct sy_variant *variant = position->variant;
    const sy_set attackers = position->side[side] & occupied;
    const unsigned row = cell * variant->cells;
    for (unsigned type = 0; type < variant->types; type++) {
        const sy_set pieces = position->type[type] & attackers;
        if (!pieces) {
            continue;
        }
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, side)];
        const struct sy_reverse *reverse = &piece->reverse[cell];
        if (pieces & reverse->leap) {
            return true;
        }
        for (sy_set from = pieces & reverse->slide; from;) {
            if (!(piece->slide_between[row + sy_pop(&from)] & occupied)) {
                return true;
            }
        }
        for (sy_set from = pieces & reverse->hop; from;) {
            if (sy_count(piece->hop_between[row + sy_pop(&from)] & occupied) == piece->hop_over) {
                return true;
            }
        }
        for (unsigned i = 0; i < reverse->extras; i++) {
            const struct sy_extra_line *extra = &variant->extra[reverse->extra + i];
            if (sy_has(pieces, extra->from) && sy_count(extra->between & occupied) == extra->over) {
                return true;
            }
        }
    }
    return false;
}

sy_set sy_attackers(const struct sy_position *position, unsigned cell, unsigned side, sy_set occupied)
{
    const struct sy_variant *variant = position->variant;
    const unsigned row = cell * variant->cells;
    sy_set found = SY_EMPTY_SET;
    for (unsigned type = 0; type < variant->types; type++) {
        const sy_set pieces = position->type[type] & position->side[side] & occupied;
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, side)];
        const struct sy_reverse *reverse = &piece->reverse[cell];
        found |= pieces & reverse->leap;
        for (sy_set from = pieces & reverse->slide; from;) {
            const unsigned source = sy_pop(&from);
            found |= piece->slide_between[row + source] & occupied ? SY_EMPTY_SET : sy_bit(source);
        }
        for (sy_set from = pieces & reverse->hop; from;) {
            const unsigned source = sy_pop(&from);
            found |= sy_count(piece->hop_between[row + source] & occupied) == piece->hop_over ? sy_bit(source)
                                                                                              : SY_EMPTY_SET;
        }
        for (unsigned i = 0; pieces && i < reverse->extras; i++) {
            const struct sy_extra_line *extra = &variant->extra[reverse->extra + i];
            if (sy_has(pieces, extra->from) && sy_count(extra->between & occupied) == extra->over) {
                found |= sy_bit(extra->from);
            }
        }
    }
    return found;
}

bool sy_in_check(const struct sy_position *position)
{
    const unsigned royal = position->royal[position->to_move];
    return royal != SY_NO_CELL && sy_attacked(position, royal, position->to_move ^ 1U, sy_occupied(position));
}

/* The cells of the set to which the royal can go without being attacked there. */
static sy_set safe_targets(const struct sy_position *position, const struct legality *legality,
                           sy_set targets)
{
    const sy_set without = legality->occupied & ~sy_bit(legality->royal);
    sy_set safe = SY_EMPTY_SET;
    while (targets) {
        const unsigned cell = sy_pop(&targets);
        if (!sy_attacked(position, cell, legality->us ^ 1U, without | sy_bit(cell))) {
            safe |= sy_bit(cell);
        }
    }
    return safe;
}

/* The legal targets of the piece on `from`; en passant, castling and swaps aside. */
static inline void legal_targets(const struct sy_position *position, const struct legality *legality,
                                 const struct sy_piece *piece, unsigned from, struct targets *targets)
{
    reach_of(position->variant, piece, from, legality->occupied, legality->enemy, targets);
    targets->shot &= legality->shots;
    if (from == legality->royal) {
        targets->quiet = safe_targets(position, legality, targets->quiet);
        targets->capture = safe_targets(position, legality, targets->capture);
        return;
    }
    const sy_set allowed =
        sy_has(legality->on_lines, from) ? line_targets(legality, from) : legality->targets;
    targets->quiet &= allowed;
    targets->capture &= allowed;
}

/* ---- the rare moves ---- */

/* En passant takes two pieces off at once, more than the lines were chosen for: look afresh. */
static bool en_passant_exposes(const struct sy_position *position, const struct legality *legality,
                               unsigned from, unsigned to)
{
    const sy_set after = (legality->occupied & ~sy_bit(from) & ~sy_bit(position->ep_victim)) | sy_bit(to);
    const unsigned royal = from == legality->royal ? to : legality->royal;
    return royal != SY_NO_CELL && sy_attacked(position, royal, legality->us ^ 1U, after);
}

/* Writes the en passant captures, or only counts them when moves is NULL; returns how many. */
static unsigned en_passant_moves(const struct sy_position *position, const struct legality *legality,
                                 sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    unsigned count = 0;
    for (unsigned type = 0; type < variant->types; type++) {
        const sy_set *sources = variant->piece[sy_piece_code(type, legality->us)].en_passant_from;
        for (sy_set cells = sources ? position->ep : SY_EMPTY_SET; cells;) {
            const unsigned to = sy_pop(&cells);
            for (sy_set from = sources[to] & position->type[type] & legality->own; from;) {
                const unsigned cell = sy_pop(&from);
                const bool plain =
                    sy_has(variant->piece[sy_piece_code(type, legality->us)].reach[cell].quiet_leap, to);
                if (!plain && !en_passant_exposes(position, legality, cell, to)) {
                    if (moves) {
                        moves[count] = sy_move_make(cell, to, SY_MOVE_EN_PASSANT, 0);
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

static bool castling_legal(const struct sy_position *position, const struct legality *legality,
                           const struct sy_castling *castling)
{
    if (castling->side != legality->us || !(position->castling >> castling->right & 1U)) {
        return false;
    }
    const sy_set movers = sy_bit(castling->king_from) | sy_bit(castling->rook_from);
    if (castling->empty & legality->occupied & ~movers) {
        return false;
    }
    const sy_set without = legality->occupied & ~sy_bit(castling->king_from);
    for (sy_set cells = castling->safe; cells;) {
        if (sy_attacked(position, sy_pop(&cells), legality->us ^ 1U, without)) {
            return false;
        }
    }
    const sy_set after =
        (legality->occupied & ~movers) | sy_bit(castling->king_to) | sy_bit(castling->rook_to);
    return !sy_attacked(position, castling->king_to, legality->us ^ 1U, after);
}

static unsigned castling_moves(const struct sy_position *position, const struct legality *legality,
                               sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    unsigned count = 0;
    for (unsigned i = 0; position->castling && i < variant->castlings; i++) {
        const struct sy_castling *castling = &variant->castling[i];
        if (castling_legal(position, legality, castling)) {
            if (moves) {
                moves[count] = sy_move_make(castling->king_from, castling->king_to, SY_MOVE_CASTLE, i);
            }
            count++;
        }
    }
    return count;
}

/* Own pieces with which the royal in check may change places. The occupied cells do not change, so a cell
 * that is safe for the piece is safe for the royal. */
static sy_set swap_partners(const struct sy_position *position, const struct legality *legality)
{
    sy_set partners = SY_EMPTY_SET;
    if (!legality->check || !position->variant->type[position->variant->check_royal].swaps_in_check) {
        return partners;
    }
    for (sy_set own = legality->own & ~sy_bit(legality->royal); own;) {
        const unsigned cell = sy_pop(&own);
        if (!sy_attacked(position, cell, legality->us ^ 1U, legality->occupied)) {
            partners |= sy_bit(cell);
        }
    }
    return partners;
}

/* Games that end by what is on the board have no moves then. */
static inline bool ended(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    return (variant->capture_royals || variant->endings.bare_royal >= 0) && sy_ended_on_board(position);
}

/* ---- writing and counting ---- */

static inline unsigned write_plain(sy_move *moves, unsigned count, unsigned from, sy_set targets)
{
    while (targets) {
        moves[count++] = sy_move_make(from, sy_pop(&targets), SY_MOVE_PLAIN, 0);
    }
    return count;
}

static unsigned write_promotions(const struct sy_type *type, sy_move *moves, unsigned count, unsigned from,
                                 sy_set targets)
{
    while (targets) {
        const unsigned to = sy_pop(&targets);
        for (unsigned i = 0; i < type->promotion_count; i++) {
            moves[count++] = sy_move_make(from, to, SY_MOVE_PROMOTION, type->promotions[i]);
        }
    }
    return count;
}

enum { QUIETS = 1, CAPTURES = 2 };

static unsigned write_piece(const struct sy_type *type, const struct sy_piece *piece,
                            const struct targets *targets, unsigned from, unsigned what, sy_move *moves,
                            unsigned count)
{
    const sy_set zone = piece->promotion_zone;
    const sy_set all = targets->quiet | targets->capture;
    if (what & CAPTURES) {
        count = write_plain(moves, count, from, targets->capture & ~zone);
        if (zone) {
            count = write_promotions(type, moves, count, from, all & zone);
        }
        for (sy_set shot = targets->shot; shot;) {
            moves[count++] = sy_move_make(from, sy_pop(&shot), SY_MOVE_SHOT, 0);
        }
    }
    if (what & QUIETS) {
        count = write_plain(moves, count, from, targets->quiet & ~zone);
    }
    return count;
}

static unsigned generate(const struct sy_position *position, unsigned what, sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    struct legality legality;
    unsigned count = 0;
    if (ended(position)) {
        return 0;
    }
    look(position, &legality);
    for (unsigned type = 0; type < variant->types; type++) {
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, legality.us)];
        for (sy_set own = position->type[type] & legality.own; own;) {
            const unsigned from = sy_pop(&own);
            struct targets targets;
            legal_targets(position, &legality, piece, from, &targets);
            count = write_piece(&variant->type[type], piece, &targets, from, what, moves, count);
        }
    }
    if ((what & CAPTURES) && position->ep) {
        count += en_passant_moves(position, &legality, moves + count);
    }
    if (what & QUIETS) {
        count += castling_moves(position, &legality, moves + count);
        for (sy_set partners = swap_partners(position, &legality); partners;) {
            moves[count++] = sy_move_make(legality.royal, sy_pop(&partners), SY_MOVE_SWAP, 0);
        }
    }
    return count;
}

unsigned sy_generate(const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    return generate(position, QUIETS | CAPTURES, moves);
}

unsigned sy_generate_captures(const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    return generate(position, CAPTURES, moves);
}

unsigned sy_generate_quiets(const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    return generate(position, QUIETS, moves);
}

unsigned sy_count_legal(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    struct legality legality;
    int count = 0;
    if (ended(position)) {
        return 0;
    }
    look(position, &legality);
    for (unsigned type = 0; type < variant->types; type++) {
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, legality.us)];
        const int promotions = variant->type[type].promotion_count;
        for (sy_set own = position->type[type] & legality.own; own;) {
            struct targets targets;
            legal_targets(position, &legality, piece, sy_pop(&own), &targets);
            const sy_set all = targets.quiet | targets.capture;
            count += sy_count(all);
            if (promotions > 1) {
                count += (promotions - 1) * sy_count(all & piece->promotion_zone);
            }
            if (piece->shoots) {
                count += sy_count(targets.shot);
            }
        }
    }
    count += position->ep ? (int)en_passant_moves(position, &legality, NULL) : 0;
    count += (int)castling_moves(position, &legality, NULL);
    return (unsigned)(count + sy_count(swap_partners(position, &legality)));
}

bool sy_can_take_en_passant(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    const sy_set own = position->side[position->to_move];
    bool near = false;
    for (unsigned type = 0; type < variant->types && !near; type++) {
        const sy_set *sources = variant->piece[sy_piece_code(type, position->to_move)].en_passant_from;
        for (sy_set cells = sources ? position->ep : SY_EMPTY_SET; cells && !near;) {
            near = (sources[sy_pop(&cells)] & position->type[type] & own) != SY_EMPTY_SET;
        }
    }
    if (!near) {
        return false;
    }
    struct legality legality;
    look(position, &legality);
    return en_passant_moves(position, &legality, NULL) > 0;
}

static bool is_listed_rare(const struct sy_position *position, const struct legality *legality, sy_move move)
{
    sy_move moves[SY_MAX_MOVES];
    unsigned count = 0;
    switch (sy_move_kind(move)) {
    case SY_MOVE_EN_PASSANT:
        count = position->ep ? en_passant_moves(position, legality, moves) : 0;
        break;
    case SY_MOVE_CASTLE:
        count = castling_moves(position, legality, moves);
        break;
    default:
        return move == sy_move_make(legality->royal, sy_move_to(move), SY_MOVE_SWAP, 0) &&
               sy_has(swap_partners(position, legality), sy_move_to(move));
    }
    for (unsigned i = 0; i < count; i++) {
        if (moves[i] == move) {
            return true;
        }
    }
    return false;
}

bool sy_is_legal(const struct sy_position *position, sy_move move)
{
    const struct sy_variant *variant = position->variant;
    const unsigned from = sy_move_from(move), to = sy_move_to(move), code = position->piece[from];
    const enum sy_move_kind kind = sy_move_kind(move);
    if (code == SY_NO_PIECE || sy_piece_side(code) != position->to_move || ended(position)) {
        return false;
    }
    struct legality legality;
    look(position, &legality);
    if (kind != SY_MOVE_PLAIN && kind != SY_MOVE_PROMOTION && kind != SY_MOVE_SHOT) {
        return is_listed_rare(position, &legality, move);
    }
    struct targets targets;
    legal_targets(position, &legality, &variant->piece[code], from, &targets);
    if (kind == SY_MOVE_SHOT) {
        return sy_has(targets.shot, to);
    }
    const bool promotes = sy_has(variant->piece[code].promotion_zone, to);
    if (!sy_has(targets.quiet | targets.capture, to) || promotes != (kind == SY_MOVE_PROMOTION)) {
        return false;
    }
    const struct sy_type *type = &variant->type[sy_piece_type(code)];
    return !promotes || memchr(type->promotions, (int)sy_move_extra(move), type->promotion_count) != NULL;
}

sy_set sy_capture_reach(const struct sy_position *position, unsigned cell)
{
    const struct sy_piece *piece = &position->variant->piece[position->piece[cell]];
    struct targets targets;
    reach_of(position->variant, piece, cell, sy_occupied(position), ~SY_EMPTY_SET, &targets);
    return targets.capture | targets.shot;
}

sy_set sy_quiet_reach(const struct sy_position *position, unsigned cell)
{
    const struct sy_piece *piece = &position->variant->piece[position->piece[cell]];
    struct targets targets;
    reach_of(position->variant, piece, cell, sy_occupied(position), SY_EMPTY_SET, &targets);
    return targets.quiet;
}

uint64_t sy_perft(struct sy_position *position, unsigned depth)
{
    sy_move moves[SY_MAX_MOVES];
    if (depth <= 1) {
        return depth ? sy_count_legal(position) : 1;
    }
    uint64_t leaves = 0;
    const unsigned count = sy_generate(position, moves);
    for (unsigned i = 0; i < count; i++) {
        struct sy_undo undo;
        sy_make(position, moves[i], &undo);
        leaves += sy_perft(position, depth - 1);
        sy_unmake(position, moves[i], &undo);
    }
    return leaves;
}
