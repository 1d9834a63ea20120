/* movegen: legal moves, by what a view says of reach and of the lines on which the royal could be captured.
 * Moves of the royal itself are decided by looking for attackers of the cell it goes to. */
#include "steelyard/movegen.h"

#include <stdlib.h>
#include <string.h>

struct targets {
    sy_set quiet, capture, shot;
};

/* Does the piece on `from` capture on `cell` with these cells occupied, were an enemy there? */
static inline bool bears_upon(const struct sy_position *position, unsigned from, unsigned cell,
                              sy_set occupied)
{
    const struct sy_variant *variant = position->variant;
    const unsigned code = position->piece[from];
    const struct sy_reverse *reverse = &variant->piece[code].reverse[cell];
    if (sy_bears_upon(variant, code, from, cell, occupied)) {
        return true;
    }
    for (unsigned i = 0; i < reverse->extras; i++) {
        const struct sy_extra_line *extra = &variant->extra[reverse->extra + i];
        if (extra->from == from && sy_count(extra->between & occupied) == extra->over) {
            return true;
        }
    }
    return false;
}

bool sy_attacked(const struct sy_position *position, unsigned cell, unsigned side, sy_set occupied)
{
    SY_EACH (from, position->side[side] & occupied & position->variant->threats[side][cell]) {
        if (bears_upon(position, from, cell, occupied)) {
            return true;
        }
    }
    return false;
}

sy_set sy_attackers(const struct sy_position *position, unsigned cell, unsigned side, sy_set occupied)
{
    sy_set found = SY_EMPTY_SET;
    SY_EACH (from, position->side[side] & occupied & position->variant->threats[side][cell]) {
        found |= bears_upon(position, from, cell, occupied) ? sy_bit(from) : SY_EMPTY_SET;
    }
    return found;
}

bool sy_in_check(const struct sy_position *position)
{
    const unsigned royal = position->royal[position->to_move];
    return royal != SY_NO_CELL && sy_attacked(position, royal, position->to_move ^ 1U, sy_occupied(position));
}

/* What the other side attacks once the royal has left its cell. */
static sy_set attacked_cells(const struct sy_position *position, struct sy_view *view)
{
    const struct sy_variant *variant = position->variant;
    const unsigned them = view->us ^ 1U;
    const sy_set royal = sy_bit(view->royal);
    if (!view->attacks_known) {
        sy_set attacked = SY_EMPTY_SET;
        sy_view_know(view, position, them);
        SY_EACH (cell, view->side[them]) {
            const struct sy_reached *reached = view->reached[cell];
            struct sy_reached without;
            if (reached->depends & royal) {
                sy_view_reach(variant, position->piece[cell], cell, view->occupied & ~royal, &without);
                reached = &without;
            }
            attacked |= reached->capture | reached->shot;
        }
        view->attacks_known = true;
        view->attacked = attacked;
    }
    return view->attacked;
}

enum { FEW = 3 }; /* so many cells are looked at one by one */

/* The cells of the set to which the royal can go without being attacked there. */
static sy_set safe_targets(const struct sy_position *position, struct sy_view *view, sy_set targets)
{
    if (view->attacks_known || sy_count(targets) > FEW) {
        return targets & ~attacked_cells(position, view);
    }
    const sy_set without = view->occupied & ~sy_bit(view->royal);
    sy_set safe = SY_EMPTY_SET;
    SY_EACH (cell, targets) {
        if (!sy_attacked(position, cell, view->us ^ 1U, without | sy_bit(cell))) {
            safe |= sy_bit(cell);
        }
    }
    return safe;
}

/* Where the piece on `from` may go; en passant, castling and swaps aside, and moves of the royal untested. */
static inline struct targets targets_of(const struct sy_view *view, unsigned from,
                                        const struct sy_reached *reached)
{
    const sy_set allowed = from == view->royal ? ~SY_EMPTY_SET : sy_view_targets(view, from);
    return (struct targets){reached->quiet & ~view->occupied & allowed,
                            reached->capture & view->side[view->us ^ 1U] & allowed,
                            reached->shot & view->side[view->us ^ 1U] & view->shots};
}

static inline struct targets legal_targets(const struct sy_position *position, struct sy_view *view,
                                           unsigned from, const struct sy_reached *reached)
{
    struct targets targets = targets_of(view, from, reached);
    if (from == view->royal) {
        const sy_set safe = safe_targets(position, view, targets.quiet | targets.capture);
        targets.quiet &= safe;
        targets.capture &= safe;
    }
    return targets;
}

/* ---- the rare moves ---- */

/* En passant takes two pieces off at once, more than the lines were chosen for: look afresh. */
static bool en_passant_exposes(const struct sy_position *position, const struct sy_view *view, unsigned from,
                               unsigned to)
{
    const sy_set after = (view->occupied & ~sy_bit(from) & ~sy_bit(position->ep_victim)) | sy_bit(to);
    const unsigned royal = from == view->royal ? to : view->royal;
    return royal != SY_NO_CELL && sy_attacked(position, royal, view->us ^ 1U, after);
}

/* Writes the en passant captures, or only counts them when moves is NULL; returns how many. */
static unsigned en_passant_moves(const struct sy_position *position, const struct sy_view *view,
                                 sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    unsigned count = 0;
    for (unsigned type = 0; type < variant->types; type++) {
        const sy_set *sources = variant->piece[sy_piece_code(type, view->us)].en_passant_from;
        for (sy_set cells = sources ? position->ep : SY_EMPTY_SET; cells;) {
            const unsigned to = sy_pop(&cells);
            for (sy_set from = sources[to] & position->type[type] & view->side[view->us]; from;) {
                const unsigned cell = sy_pop(&from);
                const bool plain =
                    sy_has(variant->piece[sy_piece_code(type, view->us)].reach[cell].quiet_leap, to);
                if (!plain && !en_passant_exposes(position, view, cell, to)) {
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

static bool castling_legal(const struct sy_position *position, const struct sy_view *view,
                           const struct sy_castling *castling)
{
    if (castling->side != view->us || !(position->castling >> castling->right & 1U)) {
        return false;
    }
    const sy_set movers = sy_bit(castling->king_from) | sy_bit(castling->rook_from);
    if (castling->empty & view->occupied & ~movers) {
        return false;
    }
    const sy_set without = view->occupied & ~sy_bit(castling->king_from);
    for (sy_set cells = castling->safe; cells;) {
        if (sy_attacked(position, sy_pop(&cells), view->us ^ 1U, without)) {
            return false;
        }
    }
    const sy_set after = (view->occupied & ~movers) | sy_bit(castling->king_to) | sy_bit(castling->rook_to);
    return !sy_attacked(position, castling->king_to, view->us ^ 1U, after);
}

static unsigned castling_moves(const struct sy_position *position, const struct sy_view *view, sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    unsigned count = 0;
    if (!(position->castling & variant->side_rights[view->us])) {
        return 0;
    }
    for (unsigned i = 0; i < variant->castlings; i++) {
        const struct sy_castling *castling = &variant->castling[i];
        if (castling_legal(position, view, castling)) {
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
static sy_set swap_partners(const struct sy_position *position, const struct sy_view *view)
{
    sy_set partners = SY_EMPTY_SET;
    if (!view->check || !position->variant->type[position->variant->check_royal].swaps_in_check) {
        return partners;
    }
    for (sy_set own = view->side[view->us] & ~sy_bit(view->royal); own;) {
        const unsigned cell = sy_pop(&own);
        if (!sy_attacked(position, cell, view->us ^ 1U, view->occupied)) {
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
    SY_EACH (to, targets) {
        moves[count++] = sy_move_make(from, to, SY_MOVE_PLAIN, 0);
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

static inline unsigned write_pieces(const struct sy_position *position, struct sy_view *view, unsigned what,
                                    bool royal_tested, sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    unsigned count = 0;
    sy_view_know(view, position, view->us);
    for (unsigned type = 0; type < variant->types; type++) {
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, view->us)];
        for (sy_set own = position->type[type] & view->side[view->us]; own;) {
            const unsigned from = sy_pop(&own);
            const struct sy_reached *reached = view->reached[from];
            const struct targets targets =
                royal_tested ? legal_targets(position, view, from, reached) : targets_of(view, from, reached);
            count = write_piece(&variant->type[type], piece, &targets, from, what, moves, count);
        }
    }
    return count;
}

/* Captures of all pieces, and promotions: most pieces have none, which the first look shows. */
static inline unsigned write_captures(const struct sy_position *position, struct sy_view *view,
                                      sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    const sy_set enemies = view->side[view->us ^ 1U];
    unsigned count = 0;
    sy_view_know(view, position, view->us);
    SY_EACH (from, view->side[view->us]) {
        const unsigned code = position->piece[from];
        const struct sy_reached *reached = view->reached[from];
        const sy_set zone = variant->piece[code].promotion_zone & ~view->occupied;
        if ((reached->capture | reached->shot) & enemies || reached->quiet & zone) {
            const struct targets targets = targets_of(view, from, reached);
            count = write_piece(&variant->type[sy_piece_type(code)], &variant->piece[code], &targets, from,
                                CAPTURES, moves, count);
        }
    }
    return count;
}

static inline unsigned write_rest(const struct sy_position *position, struct sy_view *view, unsigned what,
                                  sy_move *moves, unsigned count)
{
    if ((what & CAPTURES) && position->ep) {
        count += en_passant_moves(position, view, moves + count);
    }
    if (what & QUIETS) {
        count += castling_moves(position, view, moves + count);
        for (sy_set partners = swap_partners(position, view); partners;) {
            moves[count++] = sy_move_make(view->royal, sy_pop(&partners), SY_MOVE_SWAP, 0);
        }
    }
    return count;
}

static inline unsigned generate(struct sy_view *view, const struct sy_position *position, unsigned what,
                                bool royal_tested, sy_move *moves)
{
    if (ended(position)) {
        return 0;
    }
    return write_rest(position, view, what, moves, write_pieces(position, view, what, royal_tested, moves));
}

unsigned sy_view_captures(struct sy_view *view, const struct sy_position *position,
                          sy_move moves[SY_MAX_MOVES])
{
    return ended(position)
               ? 0
               : write_rest(position, view, CAPTURES, moves, write_captures(position, view, moves));
}

unsigned sy_view_quiets(struct sy_view *view, const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    return generate(view, position, QUIETS, false, moves);
}

unsigned sy_view_quiets_onto(struct sy_view *view, const struct sy_position *position,
                             const sy_set onto[SY_MAX_TYPES], sy_move moves[SY_MAX_MOVES])
{
    const struct sy_variant *variant = position->variant;
    unsigned count = 0;
    if (ended(position)) {
        return 0;
    }
    sy_view_know(view, position, view->us);
    for (unsigned type = 0; type < variant->types; type++) {
        const sy_set wanted =
            onto[type] & ~view->occupied & ~variant->piece[sy_piece_code(type, view->us)].promotion_zone;
        for (sy_set own = wanted ? sy_pieces(position, type, view->us) : SY_EMPTY_SET; own;) {
            const unsigned from = sy_pop(&own);
            const sy_set targets = view->reached[from]->quiet & wanted;
            if (targets) {
                const sy_set allowed = from == view->royal ? ~SY_EMPTY_SET : sy_view_targets(view, from);
                count = write_plain(moves, count, from, targets & allowed);
            }
        }
    }
    return count;
}

unsigned sy_view_moves(struct sy_view *view, const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    return generate(view, position, QUIETS | CAPTURES, true, moves);
}

bool sy_view_is_safe(const struct sy_view *view, const struct sy_position *position, sy_move move)
{
    const unsigned to = sy_move_to(move);
    if (sy_move_from(move) != view->royal || sy_move_kind(move) != SY_MOVE_PLAIN) {
        return true;
    }
    return !sy_attacked(position, to, view->us ^ 1U, (view->occupied & ~sy_bit(view->royal)) | sy_bit(to));
}

unsigned sy_generate(const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    struct sy_view view;
    sy_view_open(&view, position, NULL);
    return sy_view_moves(&view, position, moves);
}

unsigned sy_generate_captures(const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    struct sy_view view;
    sy_view_open(&view, position, NULL);
    return generate(&view, position, CAPTURES, true, moves);
}

unsigned sy_generate_quiets(const struct sy_position *position, sy_move moves[SY_MAX_MOVES])
{
    struct sy_view view;
    sy_view_open(&view, position, NULL);
    return generate(&view, position, QUIETS, true, moves);
}

/* What promotions and shots add to a count of the cells that the pieces can move to. */
static int count_more(const struct sy_position *position, struct sy_view *view)
{
    const struct sy_variant *variant = position->variant;
    int count = 0;
    for (uint32_t types = variant->manifold; types; types &= types - 1) {
        const unsigned type = (unsigned)__builtin_ctz(types);
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, view->us)];
        const int choices = variant->type[type].promotion_count;
        sy_set own = sy_pieces(position, type, view->us);
        own = piece->shoots ? own : own & piece->promotes_from;
        SY_EACH (from, own) {
            const struct targets targets = legal_targets(position, view, from, view->reached[from]);
            count += sy_count(targets.shot);
            if (choices > 1) {
                count += (choices - 1) * sy_count((targets.quiet | targets.capture) & piece->promotion_zone);
            }
        }
    }
    return count;
}

unsigned sy_view_count(struct sy_view *view, const struct sy_position *position)
{
    int count = 0;
    if (ended(position)) {
        return 0;
    }
    sy_view_know(view, position, view->us);
    const sy_set royal = view->royal == SY_NO_CELL ? SY_EMPTY_SET : sy_bit(view->royal);
    const sy_set own = view->side[view->us], apart = own & (view->on_guards | royal);
    const sy_set empty = ~view->occupied & view->targets;
    const sy_set enemies = view->side[view->us ^ 1U] & view->targets;
    SY_EACH (from, own & ~apart) {
        const struct sy_reached *reached = view->reached[from];
        count += sy_count((reached->quiet & empty) | (reached->capture & enemies));
    }
    SY_EACH (from, apart) {
        const struct targets targets = legal_targets(position, view, from, view->reached[from]);
        count += sy_count(targets.quiet | targets.capture);
    }
    count += count_more(position, view);
    count += position->ep ? (int)en_passant_moves(position, view, NULL) : 0;
    count += (int)castling_moves(position, view, NULL);
    return (unsigned)(count + sy_count(swap_partners(position, view)));
}

static unsigned nth_cell(sy_set cells, unsigned n)
{
    const unsigned low = (unsigned)__builtin_popcountll((uint64_t)cells);
    uint64_t word = (uint64_t)(n < low ? cells : cells >> 64);
    const unsigned base = n < low ? 0 : 64;
    for (n -= n < low ? 0 : low; n > 0; n--) {
        word &= word - 1;
    }
    return base + (unsigned)__builtin_ctzll(word);
}

/* Pieces whose targets are not simply cells: the royal, those on guarded lines, and those that may promote or
 * shoot. */
static sy_set special_pieces(const struct sy_position *position, const struct sy_view *view)
{
    const struct sy_variant *variant = position->variant;
    sy_set special = view->royal == SY_NO_CELL ? SY_EMPTY_SET : sy_bit(view->royal);
    for (unsigned type = 0; type < variant->types; type++) {
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, view->us)];
        special |= position->type[type] & (piece->shoots ? ~SY_EMPTY_SET : piece->promotes_from);
    }
    return view->side[view->us] & (special | view->on_guards);
}

sy_move sy_view_nth(struct sy_view *view, const struct sy_position *position, unsigned n)
{
    const struct sy_variant *variant = position->variant;
    sy_view_know(view, position, view->us);
    const sy_set special = special_pieces(position, view);
    const sy_set empty = ~view->occupied & view->targets;
    const sy_set enemies = view->side[view->us ^ 1U] & view->targets;
    SY_EACH (from, view->side[view->us] & ~special) {
        const struct sy_reached *reached = view->reached[from];
        const sy_set cells = (reached->quiet & empty) | (reached->capture & enemies);
        const unsigned count = (unsigned)sy_count(cells);
        if (n < count) {
            return sy_move_make(from, nth_cell(cells, n), SY_MOVE_PLAIN, 0);
        }
        n -= count;
    }
    sy_move moves[SY_MAX_MOVES];
    unsigned count = 0;
    SY_EACH (from, special) {
        const unsigned code = position->piece[from];
        const struct targets targets = legal_targets(position, view, from, view->reached[from]);
        count = write_piece(&variant->type[sy_piece_type(code)], &variant->piece[code], &targets, from,
                            QUIETS | CAPTURES, moves, count);
    }
    write_rest(position, view, QUIETS | CAPTURES, moves, count);
    return moves[n];
}

unsigned sy_count_legal(const struct sy_position *position)
{
    struct sy_view view;
    sy_view_open(&view, position, NULL);
    return sy_view_count(&view, position);
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
    struct sy_view view;
    sy_view_open(&view, position, NULL);
    return en_passant_moves(position, &view, NULL) > 0;
}

static bool is_listed_rare(const struct sy_position *position, const struct sy_view *view, sy_move move)
{
    sy_move moves[SY_MAX_MOVES];
    unsigned count = 0;
    switch (sy_move_kind(move)) {
    case SY_MOVE_EN_PASSANT:
        count = position->ep ? en_passant_moves(position, view, moves) : 0;
        break;
    case SY_MOVE_CASTLE:
        count = castling_moves(position, view, moves);
        break;
    default:
        return move == sy_move_make(view->royal, sy_move_to(move), SY_MOVE_SWAP, 0) &&
               sy_has(swap_partners(position, view), sy_move_to(move));
    }
    for (unsigned i = 0; i < count; i++) {
        if (moves[i] == move) {
            return true;
        }
    }
    return false;
}

bool sy_view_is_legal(const struct sy_view *view, const struct sy_position *position, sy_move move)
{
    const struct sy_variant *variant = position->variant;
    const unsigned from = sy_move_from(move), to = sy_move_to(move), code = position->piece[from];
    const enum sy_move_kind kind = sy_move_kind(move);
    if (code == SY_NO_PIECE || sy_piece_side(code) != position->to_move || ended(position)) {
        return false;
    }
    if (kind != SY_MOVE_PLAIN && kind != SY_MOVE_PROMOTION && kind != SY_MOVE_SHOT) {
        return is_listed_rare(position, view, move);
    }
    struct sy_reached reached;
    if (!view->known[view->us]) {
        sy_view_reach(variant, code, from, view->occupied, &reached);
    }
    const struct targets targets =
        targets_of(view, from, view->known[view->us] ? view->reached[from] : &reached);
    if (kind == SY_MOVE_SHOT) {
        return sy_has(targets.shot, to);
    }
    const bool promotes = sy_has(variant->piece[code].promotion_zone, to);
    if (!sy_has(targets.quiet | targets.capture, to) || promotes != (kind == SY_MOVE_PROMOTION) ||
        !sy_view_is_safe(view, position, move)) {
        return false;
    }
    const struct sy_type *type = &variant->type[sy_piece_type(code)];
    return !promotes || memchr(type->promotions, (int)sy_move_extra(move), type->promotion_count) != NULL;
}

bool sy_is_legal(const struct sy_position *position, sy_move move)
{
    struct sy_view view;
    sy_view_open(&view, position, NULL);
    return sy_view_is_legal(&view, position, move);
}

sy_set sy_capture_reach(const struct sy_position *position, unsigned cell)
{
    struct sy_reached reached;
    sy_view_reach(position->variant, position->piece[cell], cell, sy_occupied(position), &reached);
    return reached.capture | reached.shot;
}

sy_set sy_quiet_reach(const struct sy_position *position, unsigned cell)
{
    struct sy_reached reached;
    sy_view_reach(position->variant, position->piece[cell], cell, sy_occupied(position), &reached);
    return reached.quiet & ~sy_occupied(position);
}

/* views: one a remaining ply, the first open on the position. */
static uint64_t count_leaves(struct sy_position *position, struct sy_view *views, unsigned depth)
{
    sy_move moves[SY_MAX_MOVES];
    if (depth == 1) {
        return sy_view_count(views, position);
    }
    uint64_t leaves = 0;
    const unsigned count = sy_view_moves(views, position, moves);
    sy_view_know(views, position, views->us ^ 1U);
    for (unsigned i = 0; i < count; i++) {
        struct sy_undo undo;
        sy_make(position, moves[i], &undo);
        sy_view_open(views + 1, position, sy_view_follows(moves[i]) ? views : NULL);
        leaves += count_leaves(position, views + 1, depth - 1);
        sy_unmake(position, moves[i], &undo);
    }
    return leaves;
}

uint64_t sy_perft(struct sy_position *position, unsigned depth)
{
    if (depth == 0) {
        return 1;
    }
    struct sy_view *views = sy_views_create(depth);
    sy_view_open(views, position, NULL);
    const uint64_t leaves = count_leaves(position, views, depth);
    free(views);
    return leaves;
}
