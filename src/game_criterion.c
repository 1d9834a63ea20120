/* game_criterion: which uneven starts to play, so that the games tell most of the values.
 *
 * A class is a difference in material, up to its sign, which the two games of a pair have both. Classes are
 * found by drawing many starts as without a criterion; what share of the pairs each class gets is then chosen
 * so that the information on the values,
 *     M = sum over classes of share * lambda(eta) * x x',  eta = beta'x,
 * is best: D, its determinant is largest; A, the values' mean squared relative error, the sum of
 * (M^-1)_jj / beta_j^2, is least. beta is what the engine believes, lambda the information that a result
 * (loss, draw, win) has on eta: largest in even games. Thresholds take nothing from it, since x and -x come
 * in pairs. Shares are found by multiplication (S. D. Silvey, D. M. Titterington, B. Torsney, Commun. Stat.
 * A 7 (1978) 1379), in a fixed number of steps. A tenth of the pairs is drawn without the criterion, so that
 * every start remains possible and the additive model can be held against what it was not chosen for.
 *
 * Inside a class starts are drawn as without a criterion: draws of another class are drawn again. */
#include "experiment_internal.h"
#include "game_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POOL = 16384,         /* starts that are drawn to find the classes */
    FEWEST = 8,           /* of them in a class; rarer ones would take too long to draw */
    STEPS = 300,          /* of the search for shares */
    ATTEMPTS = 200 * POOL /* draws for a start of a wanted class */
};
static const double plain_share = 0.1;
static const double draw_half_width = 0.619; /* logits; 30 % draws between equals */

struct class
{
    int8_t difference[SY_MAX_TYPES]; /* by material, the first that is not 0 above 0 */
    unsigned count;                  /* in the pool */
    double information;              /* lambda */
    double share;
};

struct sy_start_choice {
    size_t count;
    struct class *classes;
    size_t columns;
    unsigned material[SY_MAX_TYPES]; /* columns: materials that differ in any class */
};

/* ---- classes ---- */

static void difference_of(const struct sy_position *position, int8_t *difference)
{
    const struct sy_variant *variant = position->variant;
    memset(difference, 0, SY_MAX_TYPES * sizeof *difference);
    for (unsigned type = 0; type < variant->types; type++)
        difference[variant->type[type].material] =
            (int8_t)(difference[variant->type[type].material] +
                     (int)sy_count(sy_pieces(position, type, SY_WHITE)) -
                     (int)sy_count(sy_pieces(position, type, SY_BLACK)));
    int sign = 0;
    for (unsigned i = 0; i < SY_MAX_TYPES; i++) {
        sign = sign == 0 ? (difference[i] > 0) - (difference[i] < 0) : sign;
        difference[i] = (int8_t)(sign * difference[i]);
    }
}

static int compare_differences(const void *left, const void *right)
{
    return memcmp(left, right, SY_MAX_TYPES * sizeof(int8_t));
}

/* The pool's differences, sorted; returns how many there are. The caller frees *out. */
static size_t draw_pool(const struct sy_experiment *experiment, const struct sy_arm *arm,
                        const struct sy_position *whole, int8_t (**out)[SY_MAX_TYPES])
{
    struct sy_random random =
        sy_random_stream(experiment->seed, (uint64_t)(arm - experiment->arms), SY_PURPOSE_POOL);
    int8_t(*pool)[SY_MAX_TYPES] = sy_alloc(POOL, sizeof *pool);
    size_t count = 0;
    for (int i = 0; i < POOL; i++) {
        struct sy_position first = *whole, second;
        if (sy_game_unbalance(experiment, arm, &first, &random) && sy_game_uneven_pair(&first, &second))
            difference_of(&first, pool[count++]);
    }
    qsort(pool, count, sizeof *pool, compare_differences);
    *out = pool;
    return count;
}

static void find_classes(const int8_t (*pool)[SY_MAX_TYPES], size_t size, struct sy_start_choice *choice)
{
    choice->classes = sy_alloc(size / FEWEST + 1, sizeof *choice->classes);
    for (size_t i = 0, next; i < size; i = next) {
        for (next = i + 1; next < size && compare_differences(pool[i], pool[next]) == 0; next++) {
        }
        if (next - i < FEWEST)
            continue;
        struct class *class = &choice->classes[choice->count++];
        memcpy(class->difference, pool[i], sizeof class->difference);
        class->count = (unsigned)(next - i);
    }
    for (unsigned material = 0; material < SY_MAX_TYPES; material++) {
        bool varies = false;
        for (size_t i = 0; i < choice->count; i++)
            varies = varies || choice->classes[i].difference[material] != 0;
        if (varies)
            choice->material[choice->columns++] = material;
    }
}

/* ---- information ---- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Sum over loss, draw and win of (dp/d eta)^2 / p. */
static double information_at(double eta)
{
    const double loss = logistic(-draw_half_width - eta), no_win = logistic(draw_half_width - eta);
    const double by_loss = loss * (1 - loss), by_no_win = no_win * (1 - no_win);
    return by_loss * (1 - loss) + pow(by_loss - by_no_win, 2) / (no_win - loss) + by_no_win * no_win;
}

static void weigh_classes(const struct sy_experiment *experiment, const struct sy_arm *arm,
                          struct sy_start_choice *choice)
{
    double total = 0;
    for (size_t i = 0; i < choice->count; i++) {
        double eta = 0;
        for (unsigned material = 0; material < SY_MAX_TYPES; material++)
            eta += choice->classes[i].difference[material] * arm->params.value[material];
        choice->classes[i].information = information_at(experiment->imbalance.logits * eta);
        choice->classes[i].share = choice->classes[i].count;
        total += choice->classes[i].share;
    }
    for (size_t i = 0; i < choice->count; i++)
        choice->classes[i].share /= total;
}

struct square {
    double at[SY_MAX_TYPES][SY_MAX_TYPES];
};

static void gather(const struct sy_start_choice *choice, struct square *m)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < choice->count; i++) {
        const struct class *class = &choice->classes[i];
        for (size_t j = 0; j < choice->columns; j++)
            for (size_t k = 0; k < choice->columns; k++)
                m->at[j][k] += class->share * class->information * class->difference[choice->material[j]] *
                               class->difference[choice->material[k]];
    }
}

/* By Gauss and Jordan, of a positive definite matrix, so without pivoting. false when it is not one. */
static bool invert(size_t size, const struct square *matrix, struct square *inverse)
{
    struct square left = *matrix;
    memset(inverse, 0, sizeof *inverse);
    for (size_t i = 0; i < size; i++)
        inverse->at[i][i] = 1;
    for (size_t i = 0; i < size; i++) {
        const double pivot = left.at[i][i];
        if (!(pivot > 1e-9 * matrix->at[i][i]))
            return false;
        for (size_t k = 0; k < size; k++) {
            left.at[i][k] /= pivot;
            inverse->at[i][k] /= pivot;
        }
        for (size_t j = 0; j < size; j++) {
            const double factor = j == i ? 0 : left.at[j][i];
            for (size_t k = 0; k < size; k++) {
                left.at[j][k] -= factor * left.at[i][k];
                inverse->at[j][k] -= factor * inverse->at[i][k];
            }
        }
    }
    return true;
}

/* What a class adds to the criterion for each unit of its share: D, x'M^-1 x; A, x'M^-1 C M^-1 x. */
static double gain_of(const struct sy_start_choice *choice, const struct class *class,
                      const struct square *inverse, const double *cost)
{
    double gain = 0;
    for (size_t j = 0; j < choice->columns; j++) {
        double along = 0;
        for (size_t k = 0; k < choice->columns; k++)
            along += inverse->at[j][k] * class->difference[choice->material[k]];
        gain += along * (cost == NULL ? class->difference[choice->material[j]] : along * cost[j]);
    }
    return gain * class->information;
}

/* One step: every share times its gain, for A the root of it, and all scaled to a sum of 1. */
static void improve(struct sy_start_choice *choice, const struct square *inverse, const double *cost)
{
    double total = 0;
    for (size_t i = 0; i < choice->count; i++) {
        const double gain = gain_of(choice, &choice->classes[i], inverse, cost);
        choice->classes[i].share *= cost == NULL ? gain : sqrt(gain);
        total += choice->classes[i].share;
    }
    for (size_t i = 0; i < choice->count; i++)
        choice->classes[i].share /= total;
}

static bool optimise(const struct sy_experiment *experiment, const struct sy_arm *arm,
                     struct sy_start_choice *choice)
{
    double cost[SY_MAX_TYPES];
    struct square m, inverse;
    for (size_t j = 0; j < choice->columns; j++) {
        const double value = arm->params.value[choice->material[j]];
        cost[j] = value > 0 ? 1 / (value * value) : 0;
    }
    for (int step = 0; step < STEPS; step++) {
        gather(choice, &m);
        if (!invert(choice->columns, &m, &inverse))
            return false;
        improve(choice, &inverse, experiment->imbalance.criterion == 'A' ? cost : NULL);
    }
    return true;
}

/* ---- whole ---- */

enum sy_status sy_start_choice_create(const struct sy_experiment *experiment, const struct sy_arm *arm,
                                      struct sy_start_choice **out, struct sy_error *error)
{
    struct sy_position whole;
    int8_t(*pool)[SY_MAX_TYPES] = NULL;
    struct sy_start_choice *choice = sy_alloc(1, sizeof *choice);
    const enum sy_status status = sy_game_whole(arm, &whole, error);
    if (status == SY_OK) {
        const size_t size = draw_pool(experiment, arm, &whole, &pool);
        find_classes((const int8_t(*)[SY_MAX_TYPES])pool, size, choice);
        weigh_classes(experiment, arm, choice);
        free(pool);
    }
    if (status == SY_OK && choice->columns > 0 && optimise(experiment, arm, choice)) {
        *out = choice;
        return SY_OK;
    }
    sy_start_choice_free(choice);
    return status != SY_OK ? status
                           : sy_fail(error, SY_BAD_INPUT,
                                     "'%s': the starts cannot tell the kinds of piece apart, so that no "
                                     "criterion can choose among them: let 'remove' vary",
                                     arm->label);
}

void sy_start_choice_free(struct sy_start_choice *choice)
{
    if (choice == NULL)
        return;
    free(choice->classes);
    free(choice);
}

bool sy_start_choice_draw(const struct sy_experiment *experiment, const struct sy_arm *arm,
                          const struct sy_position *whole, struct sy_random *random,
                          struct sy_position *first, struct sy_position *second)
{
    const struct sy_start_choice *choice = arm->choice;
    const struct class *wanted = NULL;
    double left = sy_random_unit(random);
    if (left >= plain_share) {
        left = (left - plain_share) / (1 - plain_share);
        for (size_t i = 0; i < choice->count && (wanted == NULL || left >= 0); i++) {
            wanted = &choice->classes[i];
            left -= wanted->share;
        }
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int8_t difference[SY_MAX_TYPES];
        *first = *whole;
        if (!sy_game_unbalance(experiment, arm, first, random))
            continue;
        difference_of(first, difference);
        if ((wanted == NULL || compare_differences(difference, wanted->difference) == 0) &&
            sy_game_uneven_pair(first, second))
            return true;
    }
    return false;
}
