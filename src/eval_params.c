/* What evaluation makes of a set of parameters, and of what tuning found about the variant: integer tables.
 *
 * Doubles are used with + - * / and sqrt only, which IEEE 754 fixes to the bit, and each becomes an integer
 * once. For a symmetric variant Black's tables are copied from White's, so that mirrored positions evaluate
 * alike to the last unit. */
#include "steelyard/eval.h"

#include <math.h>
#include <string.h>

static int units(double pawns)
{
    return (int)lround(pawns * SY_PAWN);
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
    const double usual = eval->mean_reach[sy_piece_code(type, SY_WHITE)] * sqrt(0.5);
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
    const unsigned type = sy_piece_type(piece);
    const double *other = params->other;
    if (eval->royals >> type & 1U) {
        const double exposure = eval->exposure[cell] - eval->mean_exposure;
        *full = -other[SY_EVAL_ROYAL_COVER] * exposure;
        *bare = other[SY_EVAL_ROYAL_CENTRE] * exposure;
    } else if (eval->officers >> type & 1U) {
        const double reach = eval->reach[piece][cell] - eval->mean_reach[piece];
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

/* Officers by value, the dearest first, and for each type how many of them are worth more by a pawn. */
static void set_worthier(struct sy_eval *eval)
{
    eval->ranks = 0;
    for (unsigned type = 0; type < eval->variant->types; type++) {
        unsigned at = eval->ranks;
        if (!(eval->officers >> type & 1U))
            continue;
        for (; at > 0 && eval->type[eval->rank[at - 1]].value < eval->type[type].value; at--)
            eval->rank[at] = eval->rank[at - 1];
        eval->rank[at] = (uint8_t)type;
        eval->ranks++;
    }
    for (unsigned type = 0; type < eval->variant->types; type++) {
        unsigned more = 0;
        while (eval->officers >> type & 1U && more < eval->ranks &&
               eval->type[eval->rank[more]].value >= eval->type[type].value + SY_PAWN)
            more++;
        eval->worthier[type] = (uint8_t)more;
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
