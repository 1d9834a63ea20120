/* variant_values: piece values guessed from mobility, for files that give none.
 *
 * On a board where every other cell is occupied with probability FILL, independently and half by each side,
 * the expected number of quiet moves and captures of a piece, averaged over its cells, orders pieces well
 * enough to start from. A capture counts as much as a quiet move. */
#include "variant_internal.h"

#include <math.h>

static const double FILL = 0.35;

static double set_size(sy_set set)
{
    return (double)sy_count(set);
}

/* Expected number of cells reached, summed over the rays of a group: quietly and by capture. */
static void expect_slides(const struct sy_variant *variant, const struct sy_lines *lines, double *quiet,
                          double *capture)
{
    const double clear = 1 - FILL;
    double reach[2 * 64 + 64];
    unsigned rays = 0;
    for (unsigned i = 0; i < lines->axes; i++) {
        const struct sy_axis *axis = &variant->axes[lines->axis + i];
        reach[rays++] = set_size(axis->low);
        reach[rays++] = set_size(axis->high);
    }
    for (unsigned i = 0; i < lines->walks; i++) {
        reach[rays++] = variant->walks[lines->walk + i].length;
    }
    *quiet = *capture = 0;
    for (unsigned i = 0; i < rays; i++) {
        for (int step = 0; step < (int)reach[i]; step++) {
            *quiet += pow(clear, step + 1);
            *capture += pow(clear, step) * FILL / 2;
        }
    }
}

static double expect_hops(const struct sy_variant *variant, const struct sy_lines *lines)
{
    double sum = 0;
    for (unsigned i = 0; i < lines->hops; i++) {
        const struct sy_hop *hop = &variant->hop_rays[lines->hop + i];
        for (unsigned cell = hop->over; cell < hop->length; cell++) {
            /* Exactly `over` of the `cell` cells before it are occupied. */
            double ways = 1;
            for (unsigned k = 0; k < hop->over; k++) {
                ways *= (double)(cell - k) / (double)(k + 1);
            }
            sum += ways * pow(FILL, hop->over) * pow(1 - FILL, cell - hop->over) * FILL / 2;
        }
    }
    return sum;
}

static double mobility(const struct sy_variant *variant, unsigned piece)
{
    double sum = 0;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const struct sy_reach *reach = &variant->piece[piece].reach[cell];
        double quiet, capture;
        sum += set_size(reach->quiet_leap) * (1 - FILL) +
               set_size(reach->capture_leap | reach->shot_leap) * FILL / 2;
        expect_slides(variant, &reach->both, &quiet, &capture);
        sum += quiet + capture;
        expect_slides(variant, &reach->quiet, &quiet, &capture);
        sum += quiet;
        expect_slides(variant, &reach->capture, &quiet, &capture);
        sum += capture;
        sum += expect_hops(variant, &reach->both) + expect_hops(variant, &reach->capture) +
               expect_hops(variant, &reach->shot);
    }
    return sum / variant->cells;
}

void sy_variant_guess_values(struct sy_variant *variant)
{
    double types[SY_MAX_TYPES] = {0};
    for (unsigned type = 0; type < variant->types; type++) {
        const unsigned material = variant->type[type].material;
        const double value = mobility(variant, sy_piece_code(type, SY_WHITE));
        if (!variant->material_royal[material] && value > types[material]) {
            types[material] = value;
        }
    }
    const double unit = types[variant->unit_material] > 0 ? types[variant->unit_material] : 1;
    for (unsigned material = 0; material < variant->materials; material++) {
        /* Two decimals: a guess, and the same on every machine whatever pow() rounds to. */
        variant->believed[material] = round(100 * types[material] / unit) / 100;
    }
}
