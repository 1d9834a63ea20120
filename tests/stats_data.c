/* Simulated data for the tests of stats. */
#include "stats_data.h"

#include <math.h>
#include <stdlib.h>

const double three_scores[3] = {0, 0.5, 1};
const double five_scores[5] = {0, 0.25, 0.5, 0.75, 1};

/* A logistic variable that shares `common`, a normal one, with the others of its cluster. */
static double draw_logistic(double dependence, double common, struct sy_random *random)
{
    double z = sqrt(dependence) * common + sqrt(1 - dependence) * sy_random_normal(random);
    return log(erfc(-z / sqrt(2)) / erfc(z / sqrt(2)));
}

static double draw_column(const struct planted *planted, size_t column, struct sy_random *random)
{
    if (planted->rare > 0 && column + 1 == planted->columns && sy_random_unit(random) >= planted->rare)
        return 0;
    if (planted->rare > 0 && column + 1 == planted->columns)
        return sy_random_below(random, 2) ? 1 : -1;
    return column % 2 ? (double)sy_random_below(random, 5) - 2 : (double)sy_random_below(random, 3) - 1;
}

struct simulated simulate(const struct planted *planted, uint64_t seed, uint64_t number)
{
    struct sy_random random = sy_random_stream(seed, number, 1);
    size_t rows = planted->clusters * planted->rows_per_cluster;
    struct simulated s = {.x = sy_alloc(rows * planted->columns + 1, sizeof(double)),
                          .outcome = sy_alloc(rows + 1, sizeof(int)),
                          .cluster = sy_alloc(rows + 1, sizeof(int64_t))};
    double common = 0;
    for (size_t i = 0; i < rows; i++) {
        if (i % planted->rows_per_cluster == 0)
            common = sy_random_normal(&random);
        double latent = draw_logistic(planted->dependence, common, &random);
        for (size_t j = 0; j < planted->columns; j++) {
            size_t at = i * planted->columns + j;
            bool keep = i % planted->rows_per_cluster > 0 && sy_random_unit(&random) < planted->dependence;
            s.x[at] = keep ? s.x[at - planted->columns] : draw_column(planted, j, &random);
            latent += s.x[at] * planted->beta[j];
        }
        while ((size_t)s.outcome[i] + 1 < planted->categories && latent > planted->theta[s.outcome[i]])
            s.outcome[i]++;
        s.cluster[i] = (int64_t)(i / planted->rows_per_cluster);
    }
    s.data = (struct sy_ordinal_data){.rows = rows,
                                      .columns = planted->columns,
                                      .categories = planted->categories,
                                      .x = s.x,
                                      .outcome = s.outcome,
                                      .cluster = s.cluster};
    return s;
}

void simulated_clear(struct simulated *simulated)
{
    free(simulated->x);
    free(simulated->outcome);
    free(simulated->cluster);
    *simulated = (struct simulated){0};
}
