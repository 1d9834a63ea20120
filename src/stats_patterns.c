/* Groups the rows of an ordinal fit into patterns, checks them, and standardises the columns.
 *
 * Invariants: only rows of positive weight are kept; patterns ascend by (x, outcome) and rows by (cluster,
 * row), so nothing depends on addresses. A bootstrap replicate is then a vector of pattern weights, and
 * thousands of games from a few hundred starts cost what a few hundred rows cost. */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <math.h>
#include <stdlib.h>

struct row_key {
    const double *x;
    size_t columns, row;
    int outcome;
    int64_t cluster;
};

static enum sy_stat check_data(const struct sy_ordinal_data *data)
{
    for (size_t i = 0; i < data->rows; i++) {
        if (data->outcome[i] < 0 || (size_t)data->outcome[i] >= data->categories)
            return SY_STAT_BAD_DATA;
        if (data->weight && !(isfinite(data->weight[i]) && data->weight[i] >= 0))
            return SY_STAT_BAD_DATA;
    }
    for (size_t i = 0; i < data->rows * data->columns; i++)
        if (!isfinite(data->x[i]))
            return SY_STAT_BAD_DATA;
    return SY_STAT_OK;
}

static int by_cluster(const void *left, const void *right)
{
    const struct row_key *a = left, *b = right;
    if (a->cluster != b->cluster)
        return a->cluster < b->cluster ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int same_pattern_order(const struct row_key *a, const struct row_key *b)
{
    for (size_t j = 0; j < a->columns; j++)
        if (a->x[j] < b->x[j] || a->x[j] > b->x[j])
            return a->x[j] < b->x[j] ? -1 : 1;
    return a->outcome < b->outcome ? -1 : a->outcome > b->outcome;
}

static int by_pattern(const void *left, const void *right)
{
    const struct row_key *a = left, *b = right;
    int order = same_pattern_order(a, b);
    return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static size_t collect_rows(const struct sy_ordinal_data *data, struct row_key *keys)
{
    size_t count = 0;
    for (size_t i = 0; i < data->rows; i++) {
        if (data->weight && !(data->weight[i] > 0))
            continue;
        keys[count++] = (struct row_key){.x = data->columns ? data->x + i * data->columns : NULL,
                                         .columns = data->columns,
                                         .row = i,
                                         .outcome = data->outcome[i],
                                         .cluster = data->cluster ? data->cluster[i] : (int64_t)i};
    }
    return count;
}

/* pattern_of is by row of the data. */
static void group_patterns(struct sy_patterns *p, struct row_key *keys, const struct sy_ordinal_data *data,
                           size_t *pattern_of)
{
    qsort(keys, p->rows, sizeof *keys, by_pattern);
    for (size_t i = 0; i < p->rows; i++) {
        if (i == 0 || same_pattern_order(&keys[i - 1], &keys[i]) != 0) {
            size_t fresh = p->patterns++;
            for (size_t j = 0; j < p->columns; j++)
                p->z[fresh * p->columns + j] = keys[i].x[j];
            p->category[fresh] = (size_t)keys[i].outcome;
        }
        p->weight[p->patterns - 1] += data->weight ? data->weight[keys[i].row] : 1;
        pattern_of[keys[i].row] = p->patterns - 1;
    }
}

static void group_clusters(struct sy_patterns *p, struct row_key *keys, const struct sy_ordinal_data *data,
                           const size_t *pattern_of)
{
    qsort(keys, p->rows, sizeof *keys, by_cluster);
    for (size_t i = 0; i < p->rows; i++) {
        if (i == 0 || keys[i - 1].cluster != keys[i].cluster)
            p->cluster_first[p->clusters++] = i;
        p->row_pattern[i] = pattern_of[keys[i].row];
        p->row_weight[i] = data->weight ? data->weight[keys[i].row] : 1;
    }
    p->cluster_first[p->clusters] = p->rows;
}

static void standardise(struct sy_patterns *p, size_t column)
{
    double *z = p->z + column, total = 0, sum = 0, squares = 0;
    double first = p->patterns ? z[0] : 0;
    bool constant = true;
    for (size_t u = 0; u < p->patterns; u++) {
        double value = z[u * p->columns];
        constant = constant && !(value < first || value > first);
        total += p->weight[u];
        sum += p->weight[u] * value;
    }
    p->mean[column] = constant ? first : sum / total;
    for (size_t u = 0; u < p->patterns; u++)
        squares += p->weight[u] * pow(z[u * p->columns] - p->mean[column], 2);
    p->scale[column] = squares > 0 ? sqrt(squares / total) : 1;
    for (size_t u = 0; u < p->patterns; u++) {
        z[u * p->columns] = (z[u * p->columns] - p->mean[column]) / p->scale[column];
        p->reach[column] = fmax(p->reach[column], fabs(z[u * p->columns]));
    }
}

enum sy_stat sy_patterns_init(struct sy_patterns *patterns, const struct sy_ordinal_data *data)
{
    *patterns = (struct sy_patterns){.columns = data->columns, .categories = data->categories};
    enum sy_stat status = check_data(data);
    if (status != SY_STAT_OK)
        return status;
    struct row_key *keys = sy_alloc(data->rows + 1, sizeof *keys);
    size_t *pattern_of = sy_alloc(data->rows + 1, sizeof *pattern_of);
    patterns->rows = collect_rows(data, keys);
    size_t room = patterns->rows + 1;
    patterns->z = sy_alloc(room * (data->columns + 1), sizeof(double));
    patterns->category = sy_alloc(room, sizeof(size_t));
    patterns->weight = sy_alloc(room, sizeof(double));
    patterns->cluster_first = sy_alloc(room, sizeof(size_t));
    patterns->row_pattern = sy_alloc(room, sizeof(size_t));
    patterns->row_weight = sy_alloc(room, sizeof(double));
    patterns->mean = sy_alloc(data->columns + 1, sizeof(double));
    patterns->scale = sy_alloc(data->columns + 1, sizeof(double));
    patterns->reach = sy_alloc(data->columns + 1, sizeof(double));
    group_patterns(patterns, keys, data, pattern_of);
    group_clusters(patterns, keys, data, pattern_of);
    for (size_t j = 0; j < data->columns; j++)
        standardise(patterns, j);
    free(keys);
    free(pattern_of);
    return SY_STAT_OK;
}

void sy_patterns_clear(struct sy_patterns *patterns)
{
    free(patterns->z);
    free(patterns->category);
    free(patterns->weight);
    free(patterns->cluster_first);
    free(patterns->row_pattern);
    free(patterns->row_weight);
    free(patterns->mean);
    free(patterns->scale);
    free(patterns->reach);
    *patterns = (struct sy_patterns){0};
}
