/* What evaluation measures once per variant, and once per set of parameters.
 *
 * Doubles are used with + - * / and sqrt only, which IEEE 754 fixes to the bit, and each becomes an integer
 * once. For a symmetric variant Black's tables are copied from White's, never measured, so that mirrored
 * positions evaluate alike to the last unit. */
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

/* ---- parameters ---- */

static int units(double pawns)
{
    return (int)lround(pawns * SY_PAWN);
}

static double mean(const double *numbers, unsigned count)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += numbers[i];
    return sum / count;
}

static sy_worth worth_of(double full, double bare)
{
    return sy_worth_of(units(full), units(bare));
}

/* What tuning found: full and bare, times eval.tables; nothing for a variant that was not tuned. */
struct tuned_worth {
    double full, bare;
};

static struct tuned_worth tuned_worth(const double *full, const double *bare, const struct sy_params *params)
{
    const double weight = params->other[SY_EVAL_TABLES];
    return (struct tuned_worth){weight * *full, weight * *bare};
}

/* Centred on half the reach that the empty board would give, so that the believed value stays what a piece
 * is worth on the whole. */
static void set_mobility(struct sy_eval *eval, unsigned type, const struct sy_params *params)
{
    const struct sy_tuned *tuned = eval->variant->tuned;
    const double *reach = eval->reach[sy_piece_code(type, SY_WHITE)];
    const double usual = mean(reach, eval->variant->cells) * sqrt(0.5);
    const bool counts = !(eval->pawns >> type & 1U) && eval->variant->type[type].royalty != SY_ROYAL_BY_CHECK;
    double full = params->other[SY_EVAL_MOBILITY], bare = params->other[SY_EVAL_MOBILITY_BARE];
    if (tuned) {
        const struct tuned_worth more =
            tuned_worth(&tuned->mobility[0][type], &tuned->mobility[1][type], params);
        full += more.full;
        bare += more.bare;
    }
    for (unsigned i = 0; i <= SY_MAX_CELLS; i++)
        eval->type[type].mobility[i] =
            counts ? worth_of(full * (sqrt(i) - usual), bare * (sqrt(i) - usual)) : 0;
}

/* A parameter of two phases, times something. */
static sy_worth share_of(const struct sy_params *params, enum sy_param full, double factor)
{
    return worth_of(factor * params->other[full], factor * params->other[full + 1]);
}

static void set_passed(struct sy_eval *eval, const struct sy_params *params, unsigned piece, unsigned cell)
{
    const struct sy_tuned *tuned = eval->variant->tuned;
    const double advance = eval->advance[piece][cell];
    const unsigned type = sy_piece_type(piece), left = eval->way_left[piece][cell];
    double full = params->other[SY_EVAL_PASSED] * advance,
           bare = params->other[SY_EVAL_PASSED_BARE] * advance;
    if (tuned && left > 0 && left <= eval->variant->cells) {
        const struct tuned_worth more =
            tuned_worth(&tuned->passed[0][type][left - 1], &tuned->passed[1][type][left - 1], params);
        full += more.full;
        bare += more.bare;
    }
    const bool stays = left == SY_NO_WAY;
    eval->passed[piece][cell] = stays ? 0 : worth_of(full, bare);
    eval->blocked[piece][cell] = share_of(params, SY_EVAL_PASSED_BLOCKED, stays ? 0 : advance);
    eval->free[piece][cell] = share_of(params, SY_EVAL_PASSED_FREE, stays ? 0 : advance);
    eval->escort[piece][cell] = share_of(params, SY_EVAL_PASSED_ESCORT, stays ? 0 : advance);
    eval->chase[piece][cell] = share_of(params, SY_EVAL_PASSED_CHASE, stays ? 0 : advance);
}

void sy_eval_geometry(const struct sy_eval *eval, const struct sy_params *params, unsigned piece,
                      unsigned cell, double *full, double *bare)
{
    const unsigned type = sy_piece_type(piece), cells = eval->variant->cells;
    const double *other = params->other;
    if (eval->royals >> type & 1U) {
        const double exposure = eval->exposure[cell] - mean(eval->exposure, cells);
        *full = -other[SY_EVAL_ROYAL_COVER] * exposure;
        *bare = other[SY_EVAL_ROYAL_CENTRE] * exposure;
    } else if (eval->officers >> type & 1U) {
        const double reach = eval->reach[piece][cell] - mean(eval->reach[piece], cells);
        *full = other[SY_EVAL_PLACEMENT] * reach;
        *bare = other[SY_EVAL_PLACEMENT_BARE] * reach;
    } else {
        *full = other[SY_EVAL_ADVANCE] * eval->advance[piece][cell];
        *bare = other[SY_EVAL_ADVANCE_BARE] * eval->advance[piece][cell];
    }
}

static int bounded(double pawns)
{
    return units(fmin(fmax(pawns, -SY_EVAL_MAX / SY_PAWN), SY_EVAL_MAX / SY_PAWN));
}

static void set_piece(struct sy_eval *eval, const struct sy_params *params, unsigned piece)
{
    const unsigned type = sy_piece_type(piece), side = sy_piece_side(piece);
    const struct sy_tuned *tuned = eval->variant->tuned;
    const double value = params->value[eval->variant->type[type].material];
    for (unsigned cell = 0; cell < eval->variant->cells; cell++) {
        double full, bare;
        sy_eval_geometry(eval, params, piece, cell, &full, &bare);
        if (tuned) {
            const unsigned seen = side == SY_WHITE ? cell : eval->variant->mirror[cell];
            const struct tuned_worth more =
                tuned_worth(&tuned->placement[0][type][seen], &tuned->placement[1][type][seen], params);
            full += more.full;
            bare += more.bare;
        }
        const int sign = side == SY_WHITE ? 1 : -1;
        eval->cell[piece][cell].full = (int16_t)(sign * bounded(value + full));
        eval->cell[piece][cell].bare = (int16_t)(sign * bounded(value + bare));
        if (eval->pawns >> type & 1U)
            set_passed(eval, params, piece, cell);
    }
}

static void set_worthier(struct sy_eval *eval)
{
    for (unsigned type = 0; type < eval->variant->types; type++) {
        eval->worthier[type] = 0;
        for (unsigned other = 0; other < eval->variant->types && (eval->officers >> type & 1U); other++)
            if (eval->officers >> other & 1U && eval->type[other].value >= eval->type[type].value + SY_PAWN)
                eval->worthier[type] |= 1U << other;
    }
}

static void set_pairs(struct sy_eval *eval, const struct sy_params *params)
{
    const struct sy_tuned *tuned = eval->variant->tuned;
    eval->paired = 0;
    for (unsigned type = 0; type < eval->variant->types && tuned; type++) {
        const struct tuned_worth pair = tuned_worth(&tuned->pair[0][type], &tuned->pair[1][type], params);
        eval->pair[type] = worth_of(pair.full, pair.bare);
        if (eval->pair[type])
            eval->paired |= 1U << type;
    }
}

static void mirror_piece(struct sy_eval *eval, unsigned type)
{
    const unsigned white = sy_piece_code(type, SY_WHITE), black = sy_piece_code(type, SY_BLACK);
    for (unsigned cell = 0; cell < eval->variant->cells; cell++) {
        const unsigned image = eval->variant->mirror[cell];
        eval->cell[black][image].full = (int16_t)-eval->cell[white][cell].full;
        eval->cell[black][image].bare = (int16_t)-eval->cell[white][cell].bare;
        eval->passed[black][image] = eval->passed[white][cell];
        eval->blocked[black][image] = eval->blocked[white][cell];
        eval->free[black][image] = eval->free[white][cell];
        eval->escort[black][image] = eval->escort[white][cell];
        eval->chase[black][image] = eval->chase[white][cell];
    }
}

void sy_eval_set_params(struct sy_eval *eval, const struct sy_params *params)
{
    const double *other = params->other;
    for (unsigned i = 0; i < eval->variant->types; i++) {
        const double value = params->value[eval->variant->type[i].material];
        eval->type[i].value = units(value);
        eval->exchange[i] = eval->royals >> i & 1U ? SY_ROYAL_WORTH : units(value);
        set_mobility(eval, i, params);
        set_piece(eval, params, sy_piece_code(i, SY_WHITE));
        if (eval->symmetric)
            mirror_piece(eval, i);
        else
            set_piece(eval, params, sy_piece_code(i, SY_BLACK));
    }
    memset(eval->formation, 0, sizeof eval->formation);
    set_pairs(eval, params);
    set_worthier(eval);
    eval->royal_attack = share_of(params, SY_EVAL_ROYAL_ATTACK, 16);
    eval->support = share_of(params, SY_EVAL_SUPPORT, 1);
    eval->doubled = share_of(params, SY_EVAL_DOUBLED, 1);
    eval->isolated = share_of(params, SY_EVAL_ISOLATED, 1);
    eval->outpost = share_of(params, SY_EVAL_OUTPOST, 1);
    eval->royal_hits = share_of(params, SY_EVAL_ROYAL_HITS, 1);
    eval->royal_exits = share_of(params, SY_EVAL_ROYAL_EXITS, 1);
    eval->shelter = share_of(params, SY_EVAL_SHELTER, 1);
    eval->threat = share_of(params, SY_EVAL_THREAT, 1);
    eval->trade_up = share_of(params, SY_EVAL_TRADE_UP, 1);
    eval->hanging = share_of(params, SY_EVAL_HANGING, 1);
    eval->hanging_officer = share_of(params, SY_EVAL_HANGING_OFFICER, 1);
    eval->tempo = units(other[SY_EVAL_TEMPO]);
    eval->lazy = units(other[SY_EVAL_LAZY]);
    /* The sum of eight random bytes has the variance 8 * (256^2 - 1) / 12. */
    const double spread = sqrt(8 * (65536.0 - 1) / 12);
    eval->noise = (int)lround(other[SY_EVAL_NOISE] * SY_PAWN * (1 << SY_NOISE_SHIFT) / spread);
}
