/* position: putting pieces, make and unmake, hash.
 *
 * Invariants: side[] and type[] partition the occupied cells and agree with piece[]; key is what
 * sy_position_key computes. En passant cells enter the key only while an en passant capture is legal, so
 * that repetition compares what the rules compare. */
#include "steelyard/position.h"

#include "steelyard/movegen.h"

#include <string.h>

static inline void put(struct sy_position *position, unsigned cell, unsigned piece)
{
    const sy_set bit = sy_bit(cell);
    position->side[sy_piece_side(piece)] |= bit;
    position->type[sy_piece_type(piece)] |= bit;
    position->piece[cell] = (uint8_t)piece;
}

static inline void take(struct sy_position *position, unsigned cell, unsigned piece)
{
    const sy_set bit = sy_bit(cell);
    position->side[sy_piece_side(piece)] ^= bit;
    position->type[sy_piece_type(piece)] ^= bit;
    position->piece[cell] = SY_NO_PIECE;
}

/* put and take with the key kept. */
static inline uint64_t put_keyed(struct sy_position *position, unsigned cell, unsigned piece)
{
    put(position, cell, piece);
    return position->variant->piece_key[piece][cell];
}

static inline uint64_t take_keyed(struct sy_position *position, unsigned cell, unsigned piece)
{
    take(position, cell, piece);
    return position->variant->piece_key[piece][cell];
}

static inline void note_royal(struct sy_position *position, unsigned piece, unsigned cell)
{
    if (sy_piece_type(piece) == position->variant->check_royal) {
        position->royal[sy_piece_side(piece)] = (uint8_t)cell;
    }
}

/* What the en passant cells add to the key. */
static uint64_t en_passant_part(const struct sy_position *position)
{
    uint64_t part = 0;
    for (sy_set cells = position->ep && sy_can_take_en_passant(position) ? position->ep : SY_EMPTY_SET;
         cells;) {
        part ^= position->variant->ep_key[sy_pop(&cells)];
    }
    return part;
}

/* After a long advance: the cells passed, and whether that matters to the key. The turn has passed. */
static void set_en_passant(struct sy_position *position, unsigned piece, unsigned from, unsigned to)
{
    const struct sy_variant *variant = position->variant;
    const struct sy_piece *tables = &variant->piece[piece];
    for (unsigned i = 0; i < tables->exposure_count; i++) {
        const struct sy_exposure *exposure = &tables->exposures[i];
        if (exposure->from == from && exposure->to == to) {
            position->ep = exposure->cells;
            position->ep_victim = (uint8_t)to;
            position->ep_part = en_passant_part(position);
            return;
        }
    }
}

static inline void save(const struct sy_position *position, struct sy_undo *undo)
{
    undo->key = position->key;
    undo->ep_part = position->ep_part;
    undo->ep = position->ep;
    undo->ep_victim = position->ep_victim;
    undo->castling = position->castling;
    undo->halfmove = position->halfmove;
    undo->captured = SY_NO_PIECE;
}

static inline void restore(struct sy_position *position, const struct sy_undo *undo)
{
    position->key = undo->key;
    position->ep_part = undo->ep_part;
    position->ep = undo->ep;
    position->ep_victim = undo->ep_victim;
    position->castling = undo->castling;
    position->halfmove = undo->halfmove;
}

/* Exchanges the pieces of two occupied cells; returns the change of the key. */
static uint64_t swap_cells(struct sy_position *position, unsigned a, unsigned b)
{
    const unsigned on_a = position->piece[a], on_b = position->piece[b];
    uint64_t key = take_keyed(position, a, on_a) ^ take_keyed(position, b, on_b);
    key ^= put_keyed(position, b, on_a) ^ put_keyed(position, a, on_b);
    note_royal(position, on_a, b);
    note_royal(position, on_b, a);
    return key;
}

/* King and rook from one pair of cells to another, which may overlap. */
static uint64_t move_two(struct sy_position *position, unsigned king_from, unsigned king_to,
                         unsigned rook_from, unsigned rook_to)
{
    const unsigned king = position->piece[king_from], rook = position->piece[rook_from];
    uint64_t key = take_keyed(position, king_from, king) ^ take_keyed(position, rook_from, rook);
    key ^= put_keyed(position, king_to, king) ^ put_keyed(position, rook_to, rook);
    note_royal(position, king, king_to);
    return key;
}

void sy_make(struct sy_position *position, sy_move move, struct sy_undo *undo)
{
    const struct sy_variant *variant = position->variant;
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    const enum sy_move_kind kind = sy_move_kind(move);
    const unsigned piece = position->piece[from];
    save(position, undo);
    undo->mover = (uint8_t)piece;
    uint64_t key = position->key ^ position->ep_part ^ variant->side_key;
    uint8_t rights = position->castling & variant->rights_kept[to];
    position->ep = SY_EMPTY_SET;
    position->ep_part = 0;
    position->ep_victim = SY_NO_CELL;
    position->halfmove++;
    if (kind == SY_MOVE_SWAP) {
        key ^= swap_cells(position, from, to);
        rights &= variant->rights_kept[from];
    } else if (kind == SY_MOVE_CASTLE) {
        const struct sy_castling *castling = &variant->castling[sy_move_extra(move)];
        key ^= move_two(position, castling->king_from, castling->king_to, castling->rook_from,
                        castling->rook_to);
        rights &= variant->rights_kept[castling->king_from] & variant->rights_kept[castling->rook_from];
    } else {
        const unsigned victim = kind == SY_MOVE_EN_PASSANT ? undo->ep_victim : to;
        undo->captured = position->piece[victim];
        if (undo->captured != SY_NO_PIECE) {
            key ^= take_keyed(position, victim, undo->captured);
            position->halfmove = 0;
        }
        if (kind != SY_MOVE_SHOT) {
            const unsigned placed =
                kind == SY_MOVE_PROMOTION ? sy_piece_code(sy_move_extra(move), sy_piece_side(piece)) : piece;
            key ^= take_keyed(position, from, piece) ^ put_keyed(position, to, placed);
            note_royal(position, placed, to);
            rights &= variant->rights_kept[from];
        }
    }
    if (variant->type[sy_piece_type(piece)].progress) {
        position->halfmove = 0;
    }
    key ^= variant->castling_key[position->castling] ^ variant->castling_key[rights];
    position->castling = rights;
    position->fullmove = (uint16_t)(position->fullmove + position->to_move);
    position->to_move ^= 1U;
    position->key = key;
    const sy_set *exposing = variant->piece[piece].exposing;
    if (exposing && kind == SY_MOVE_PLAIN && undo->captured == SY_NO_PIECE && sy_has(exposing[from], to)) {
        set_en_passant(position, piece, from, to);
        position->key ^= position->ep_part;
    }
}

void sy_unmake(struct sy_position *position, sy_move move, const struct sy_undo *undo)
{
    const unsigned from = sy_move_from(move), to = sy_move_to(move);
    const enum sy_move_kind kind = sy_move_kind(move);
    if (kind == SY_MOVE_SWAP) {
        swap_cells(position, from, to);
    } else if (kind == SY_MOVE_CASTLE) {
        const struct sy_castling *castling = &position->variant->castling[sy_move_extra(move)];
        move_two(position, castling->king_to, castling->king_from, castling->rook_to, castling->rook_from);
    } else {
        if (kind != SY_MOVE_SHOT) {
            take(position, to, position->piece[to]);
            put(position, from, undo->mover);
            note_royal(position, undo->mover, from);
        }
        if (undo->captured != SY_NO_PIECE) {
            put(position, kind == SY_MOVE_EN_PASSANT ? undo->ep_victim : to, undo->captured);
        }
    }
    position->to_move ^= 1U;
    position->fullmove = (uint16_t)(position->fullmove - position->to_move);
    restore(position, undo);
}

void sy_make_null(struct sy_position *position, struct sy_undo *undo)
{
    save(position, undo);
    position->key ^= position->ep_part ^ position->variant->side_key;
    position->ep = SY_EMPTY_SET;
    position->ep_part = 0;
    position->ep_victim = SY_NO_CELL;
    position->halfmove++;
    position->to_move ^= 1U;
}

void sy_unmake_null(struct sy_position *position, const struct sy_undo *undo)
{
    position->to_move ^= 1U;
    restore(position, undo);
}

uint64_t sy_position_key(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    uint64_t key = variant->castling_key[position->castling];
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        key ^= position->piece[cell] != SY_NO_PIECE ? variant->piece_key[position->piece[cell]][cell] : 0;
    }
    key ^= position->to_move == SY_BLACK ? variant->side_key : 0;
    return key ^ en_passant_part(position);
}

void sy_position_clear(struct sy_position *position, const struct sy_variant *variant)
{
    memset(position, 0, sizeof *position);
    position->variant = variant;
    position->ep_victim = SY_NO_CELL;
    position->royal[SY_WHITE] = position->royal[SY_BLACK] = SY_NO_CELL;
    position->fullmove = 1;
    memset(position->piece, SY_NO_PIECE, sizeof position->piece);
}

void sy_position_put(struct sy_position *position, unsigned cell, unsigned piece)
{
    put(position, cell, piece);
}

void sy_position_remove(struct sy_position *position, unsigned cell)
{
    take(position, cell, position->piece[cell]);
}

static enum sy_status find_royals(struct sy_position *position, struct sy_error *error)
{
    const struct sy_variant *variant = position->variant;
    for (unsigned side = 0; variant->check_royal != SY_NO_TYPE && side < 2; side++) {
        const sy_set royals = sy_pieces(position, variant->check_royal, side);
        if (sy_count(royals) != 1) {
            return sy_fail(error, SY_BAD_INPUT, "%s must have one %s, not %d", side ? "Black" : "White",
                           variant->type[variant->check_royal].name, sy_count(royals));
        }
        position->royal[side] = (uint8_t)sy_lowest(royals);
    }
    return SY_OK;
}

enum sy_status sy_position_finish(struct sy_position *position, struct sy_error *error)
{
    const enum sy_status status = find_royals(position, error);
    if (status) {
        return status;
    }
    const unsigned waiting = position->to_move ^ 1U;
    if (position->royal[waiting] != SY_NO_CELL &&
        sy_attacked(position, position->royal[waiting], position->to_move, sy_occupied(position))) {
        return sy_fail(error, SY_BAD_INPUT, "%s is in check and it is %s's move: the position cannot be",
                       waiting ? "Black" : "White", waiting ? "White" : "Black");
    }
    position->ep_part = en_passant_part(position);
    position->key = sy_position_key(position);
    return SY_OK;
}

sy_set sy_royals(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    sy_set set = variant->check_royal == SY_NO_TYPE ? SY_EMPTY_SET : position->type[variant->check_royal];
    for (uint32_t types = variant->capture_royals; types; types &= types - 1) {
        set |= position->type[__builtin_ctz(types)];
    }
    return set;
}

bool sy_ended_on_board(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    for (uint32_t types = variant->capture_royals; types; types &= types - 1) {
        const sy_set pieces = position->type[__builtin_ctz(types)];
        if (!(pieces & position->side[SY_WHITE]) || !(pieces & position->side[SY_BLACK])) {
            return true;
        }
    }
    if (variant->endings.bare_royal < 0) {
        return false;
    }
    const sy_set common = ~sy_royals(position);
    return !(position->side[SY_WHITE] & common) || !(position->side[SY_BLACK] & common);
}

/* The castling right that is this one on the other side, as a bit. */
static unsigned mirrored_right(const struct sy_variant *variant, unsigned right)
{
    for (unsigned i = 0; i < variant->castlings; i++) {
        const struct sy_castling *one = &variant->castling[i];
        for (unsigned k = 0; one->right == right && k < variant->castlings; k++) {
            const struct sy_castling *other = &variant->castling[k];
            if (other->king_from == variant->mirror[one->king_from] &&
                other->rook_from == variant->mirror[one->rook_from]) {
                return 1U << other->right;
            }
        }
    }
    return 0;
}

void sy_position_mirror(const struct sy_position *position, struct sy_position *out)
{
    const struct sy_variant *variant = position->variant;
    sy_position_clear(out, variant);
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        if (position->piece[cell] != SY_NO_PIECE) {
            put(out, variant->mirror[cell], position->piece[cell] ^ 1U);
            note_royal(out, position->piece[cell] ^ 1U, variant->mirror[cell]);
        }
    }
    for (sy_set cells = position->ep; cells;) {
        out->ep |= sy_bit(variant->mirror[sy_pop(&cells)]);
    }
    if (position->ep_victim != SY_NO_CELL) {
        out->ep_victim = variant->mirror[position->ep_victim];
    }
    for (unsigned right = 0; right < 8; right++) {
        out->castling |= (uint8_t)(position->castling >> right & 1U ? mirrored_right(variant, right) : 0);
    }
    out->to_move = position->to_move ^ 1U;
    out->halfmove = position->halfmove;
    out->fullmove = position->fullmove;
    out->ep_part = en_passant_part(out);
    out->key = sy_position_key(out);
}
