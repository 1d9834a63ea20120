/* What evaluation measures once per variant: its symmetry, and what its pieces can do on the empty board.
 *
 * Doubles are used with sqrt only, which IEEE 754 fixes to the bit. */
#include "steelyard/eval.h"
#include "steelyard/fen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_STREAM = 0x6576616c };

/* Cells the piece can go to from `cell` on the empty board by quiet moves, and those it bears upon. */
static sy_set quiet_reach(const struct sy_variant *variant, unsigned piece, unsigned cell)
{
    const struct sy_reach *reach = &variant->piece[piece].reach[cell];
    return reach->quiet_leap | sy_slide(variant, &reach->both, SY_EMPTY_SET) |
           sy_slide(variant, &reach->quiet, SY_EMPTY_SET);
}

static sy_set capture_reach(const struct sy_variant *variant, unsigned piece, unsigned cell)
{
    const struct sy_reach *reach = &variant->piece[piece].reach[cell];
    return reach->capture_leap | reach->shot_leap | sy_slide(variant, &reach->both, SY_EMPTY_SET) |
           sy_slide(variant, &reach->capture, SY_EMPTY_SET) | sy_slide(variant, &reach->shot, SY_EMPTY_SET);
}

static sy_set mirrored(const struct sy_variant *variant, sy_set set)
{
    sy_set image = SY_EMPTY_SET;
    while (set)
        image |= sy_bit(variant->mirror[sy_pop(&set)]);
    return image;
}

/* ---- symmetry ---- */

static bool hops_alike(const struct sy_variant *variant, const struct sy_lines *white,
                       const struct sy_lines *black)
{
    sy_set rays[2] = {SY_EMPTY_SET, SY_EMPTY_SET};
    for (unsigned i = 0; i < white->hops; i++)
        rays[0] |= variant->hop_rays[white->hop + i].mask;
    for (unsigned i = 0; i < black->hops; i++)
        rays[1] |= variant->hop_rays[black->hop + i].mask;
    return white->hops == black->hops && mirrored(variant, rays[0]) == rays[1];
}

static bool pieces_alike(const struct sy_variant *variant, unsigned type)
{
    const unsigned white = sy_piece_code(type, SY_WHITE), black = sy_piece_code(type, SY_BLACK);
    const struct sy_piece *w = &variant->piece[white], *b = &variant->piece[black];
    if (mirrored(variant, w->promotion_zone) != b->promotion_zone)
        return false;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const unsigned image = variant->mirror[cell];
        if (mirrored(variant, quiet_reach(variant, white, cell)) != quiet_reach(variant, black, image) ||
            mirrored(variant, capture_reach(variant, white, cell)) != capture_reach(variant, black, image))
            return false;
        const struct sy_reach *from = &w->reach[cell], *to = &b->reach[image];
        if (!hops_alike(variant, &from->both, &to->both) || !hops_alike(variant, &from->quiet, &to->quiet) ||
            !hops_alike(variant, &from->capture, &to->capture) ||
            !hops_alike(variant, &from->shot, &to->shot))
            return false;
        if ((w->exposing == NULL) != (b->exposing == NULL) ||
            (w->exposing && mirrored(variant, w->exposing[cell]) != b->exposing[image]))
            return false;
    }
    return true;
}

/* Finds each castling's mirror image; false when one has none. */
static bool match_castlings(struct sy_eval *eval)
{
    const struct sy_variant *variant = eval->variant;
    uint8_t right_mirror[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned i = 0; i < variant->castlings; i++) {
        const struct sy_castling *a = &variant->castling[i];
        unsigned j = 0;
        for (; j < variant->castlings; j++) {
            const struct sy_castling *b = &variant->castling[j];
            if (a->side != b->side && variant->mirror[a->king_from] == b->king_from &&
                variant->mirror[a->king_to] == b->king_to && variant->mirror[a->rook_from] == b->rook_from &&
                variant->mirror[a->rook_to] == b->rook_to)
                break;
        }
        if (j == variant->castlings)
            return false;
        eval->castling_mirror[i] = (uint8_t)j;
        right_mirror[a->right & 7U] = variant->castling[j].right & 7U;
    }
    for (unsigned rights = 0; rights < 256; rights++) {
        unsigned image = 0;
        for (unsigned bit = 0; bit < 8; bit++)
            image |= (rights >> bit & 1U) << right_mirror[bit];
        eval->rights_mirror[rights] = (uint8_t)image;
    }
    return true;
}

static bool is_symmetric(struct sy_eval *eval)
{
    const struct sy_variant *variant = eval->variant;
    for (unsigned cell = 0; cell < variant->cells; cell++)
        if (variant->mirror[cell] >= variant->cells || variant->mirror[variant->mirror[cell]] != cell)
            return false;
    for (unsigned type = 0; type < variant->types; type++)
        if (!pieces_alike(variant, type))
            return false;
    return match_castlings(eval);
}

static void set_keys(struct sy_eval *eval)
{
    struct sy_random random = sy_random_stream(0, 0, KEY_STREAM);
    for (unsigned type = 0; type < eval->variant->types; type++) {
        for (unsigned cell = 0; cell < eval->variant->cells; cell++) {
            const uint64_t key = sy_random_u64(&random), other = sy_random_u64(&random);
            eval->cell[sy_piece_code(type, SY_WHITE)][cell].key = key;
            if (eval->symmetric)
                eval->cell[sy_piece_code(type, SY_BLACK)][eval->variant->mirror[cell]].key =
                    key << 32 | key >> 32;
            else
                eval->cell[sy_piece_code(type, SY_BLACK)][cell].key = other;
        }
    }
}

/* ---- geometry ---- */

static double mean(const double *numbers, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += numbers[i];
    return sum / count;
}

static void measure_reach(struct sy_eval *eval)
{
    const struct sy_variant *variant = eval->variant;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        double places = 0;
        for (unsigned piece = 0; piece < 2 * variant->types; piece++) {
            const sy_set reach = quiet_reach(variant, piece, cell) | capture_reach(variant, piece, cell);
            eval->reach[piece][cell] = sqrt(sy_count(reach));
            const struct sy_reverse *reverse = &variant->piece[piece].reverse[cell];
            places += sy_count(reverse->leap | reverse->slide | reverse->hop);
        }
        eval->exposure[cell] = sqrt(places);
        eval->zone[cell] = sy_bit(cell);
        for (unsigned slot = 0; slot < variant->board->slots; slot++)
            if (variant->board->next_cell[cell][slot] != SY_NO_CELL)
                eval->zone[cell] |= sy_bit(variant->board->next_cell[cell][slot]);
    }
    eval->mean_exposure = mean(eval->exposure, variant->cells);
    for (unsigned piece = 0; piece < 2 * variant->types; piece++)
        eval->mean_reach[piece] = mean(eval->reach[piece], variant->cells);
}

/* Plies to promotion over the empty board, SY_NO_WAY where there is no way. */
static void count_way(const struct sy_variant *variant, unsigned piece, uint8_t way[SY_MAX_CELLS])
{
    const sy_set zone = variant->piece[piece].promotion_zone;
    for (unsigned cell = 0; cell < variant->cells; cell++)
        way[cell] = sy_has(zone, cell) ? 0 : SY_NO_WAY;
    bool changed = zone != SY_EMPTY_SET;
    for (unsigned plies = 1; changed && plies < SY_NO_WAY; plies++) {
        changed = false;
        for (unsigned cell = 0; cell < variant->cells; cell++) {
            if (way[cell] != SY_NO_WAY)
                continue;
            for (sy_set left = quiet_reach(variant, piece, cell); left && way[cell] == SY_NO_WAY;) {
                if (way[sy_pop(&left)] == plies - 1) {
                    way[cell] = (uint8_t)plies;
                    changed = true;
                }
            }
        }
    }
}

static void measure_advance(struct sy_eval *eval, unsigned piece)
{
    uint8_t *way = eval->way_left[piece];
    count_way(eval->variant, piece, way);
    double longest = 0;
    for (unsigned cell = 0; cell < eval->variant->cells; cell++)
        if (way[cell] != SY_NO_WAY && way[cell] > longest)
            longest = way[cell];
    for (unsigned cell = 0; cell < eval->variant->cells; cell++) {
        const double done = way[cell] == SY_NO_WAY || !(longest > 0) ? 0 : (longest - way[cell]) / longest;
        eval->advance[piece][cell] = done * done;
    }
}

/* All cells a pawn can come to without capturing, its own included. */
static sy_set track_of(const struct sy_variant *variant, unsigned piece, unsigned cell)
{
    sy_set track = sy_bit(cell);
    for (sy_set fresh = track; fresh;) {
        const sy_set reached = quiet_reach(variant, piece, sy_pop(&fresh)) & ~track;
        track |= reached;
        fresh |= reached;
    }
    return track;
}

static sy_set covered_from(const struct sy_variant *variant, unsigned piece, sy_set cells)
{
    sy_set covered = cells;
    while (cells)
        covered |= capture_reach(variant, piece, sy_pop(&cells));
    return covered;
}

static void find_ways(struct sy_eval *eval)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned a = 0; a < eval->pawn_types; a++)
            for (unsigned cell = 0; cell < eval->variant->cells; cell++) {
                const unsigned piece = sy_piece_code(eval->pawn_type[a], side);
                const sy_set track = track_of(eval->variant, piece, cell);
                eval->way[side][a][cell] = track & ~sy_bit(cell);
                for (sy_set left = track; left;)
                    eval->defends[side][a][cell] |= capture_reach(eval->variant, piece, sy_pop(&left));
            }
}

/* From cell to neighbouring cell, which is how kings go. */
static void count_steps(struct sy_eval *eval)
{
    const struct sy_variant *variant = eval->variant;
    for (unsigned from = 0; from < variant->cells; from++) {
        memset(eval->steps[from], SY_FAR, sizeof eval->steps[from]);
        sy_set fresh = sy_bit(from), seen = fresh;
        for (uint8_t steps = 0; steps < SY_FAR; steps++) {
            sy_set next = SY_EMPTY_SET;
            SY_EACH (cell, fresh) {
                eval->steps[from][cell] = steps;
                next |= eval->zone[cell];
            }
            fresh = next & ~seen;
            seen |= next;
        }
    }
}

static void find_stoppers(struct sy_eval *eval)
{
    const struct sy_variant *variant = eval->variant;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned a = 0; a < eval->pawn_types; a++)
            for (unsigned b = 0; b < eval->pawn_types; b++)
                for (unsigned enemy = 0; enemy < variant->cells; enemy++) {
                    const unsigned piece = sy_piece_code(eval->pawn_type[b], side ^ 1U);
                    const sy_set covered = covered_from(variant, piece, track_of(variant, piece, enemy));
                    for (unsigned cell = 0; cell < variant->cells; cell++) {
                        const unsigned own = sy_piece_code(eval->pawn_type[a], side);
                        if (covered & track_of(variant, own, cell) & ~sy_bit(cell))
                            eval->stoppers[side][a][b][cell] |= sy_bit(enemy);
                    }
                }
}

static void sort_types(struct sy_eval *eval)
{
    const struct sy_variant *variant = eval->variant;
    for (unsigned i = 0; i < variant->types; i++) {
        const struct sy_type *type = &variant->type[i];
        if (type->royalty != SY_COMMON) {
            eval->royals |= 1U << i;
        } else if (type->promotion_count > 0 || type->material == variant->unit_material) {
            eval->pawns |= 1U << i;
            if (type->promotion_count > 0 && eval->pawn_types < SY_MAX_PAWN_TYPES)
                eval->pawn_type[eval->pawn_types++] = (uint8_t)i;
        } else {
            eval->officers |= 1U << i;
        }
    }
}

static bool capture_by_leaps(const struct sy_variant *variant, unsigned piece)
{
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const struct sy_reach *reach = &variant->piece[piece].reach[cell];
        const struct sy_lines *lines[] = {&reach->both, &reach->capture, &reach->shot};
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            if (lines[i]->axes || lines[i]->walks || lines[i]->hops)
                return false;
    }
    return true;
}

static void sort_pawns(struct sy_eval *eval)
{
    /* A formation is told from others by the types that promote; of the rest it can hold one only. */
    eval->pawns_leap = __builtin_popcount(eval->pawns) <= (int)eval->pawn_types + 1;
    for (uint32_t types = eval->pawns; types; types &= types - 1)
        for (unsigned side = 0; side < 2; side++)
            eval->pawns_leap =
                eval->pawns_leap &&
                capture_by_leaps(eval->variant, sy_piece_code((unsigned)__builtin_ctz(types), side));
}

static void count_officers(struct sy_eval *eval)
{
    for (unsigned type = 0; type < eval->variant->types; type++)
        for (unsigned cell = 0; eval->officers >> type & 1U && cell < eval->variant->cells; cell++) {
            eval->cell[sy_piece_code(type, SY_WHITE)][cell].officers = 1;
            eval->cell[sy_piece_code(type, SY_BLACK)][cell].officers = SY_BLACK_OFFICER;
        }
}

static void set_phases(struct sy_eval *eval)
{
    struct sy_position start;
    int officers = 0;
    if (sy_fen_parse(eval->variant, eval->variant->start, &start, NULL) == SY_OK)
        for (unsigned i = 0; i < eval->variant->types; i++)
            if (eval->officers >> i & 1U)
                officers += sy_count(start.type[i]);
    for (int i = 0; i <= SY_MAX_CELLS; i++)
        eval->phase[i] = (uint16_t)(i >= officers ? 256 : 256 * i / officers);
}

struct sy_eval *sy_eval_create(const struct sy_variant *variant)
{
    struct sy_eval *eval = sy_alloc_hot(sizeof *eval);
    eval->variant = variant;
    eval->symmetric = is_symmetric(eval);
    set_keys(eval);
    sort_types(eval);
    sort_pawns(eval);
    count_officers(eval);
    set_phases(eval);
    measure_reach(eval);
    for (unsigned i = 0; i < eval->pawn_types; i++)
        for (unsigned side = 0; side < 2; side++)
            measure_advance(eval, sy_piece_code(eval->pawn_type[i], side));
    find_stoppers(eval);
    find_ways(eval);
    count_steps(eval);
    struct sy_params params;
    sy_params_default(variant, &params);
    sy_eval_set_params(eval, &params);
    return eval;
}
