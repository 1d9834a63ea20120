/* The bootstrap over clusters: whole games, or pairs of games, are drawn with replacement (A. Davison,
 * D. Hinkley, "Bootstrap Methods and their Application", 1997, section 3.8).
 *
 * A replicate is a vector of pattern weights, refitted from the maximum of the whole data: a few Newton
 * steps. Rows that were set aside there stay aside, for what separates the data separates every part of them.
 */
#include "stats_internal.h"
#include "steelyard/base.h"

#include <stdlib.h>
#include <string.h>

/* Newton's last step squares it: the estimates are good to 1e-10, far below their spread. */
static const double replicate_tolerance = 1e-6;
static const uint64_t bootstrap_purpose = UINT64_C(0x626f6f747374726a);

struct sampler {
    struct sy_patterns patterns;
    struct sy_solver solver;
    const struct sy_ordinal_fit *fit;
    const double *category_score;
    bool *kept;     /* patterns that the fit of the whole did not set aside */
    double *weight; /* patterns */
    size_t *times;  /* clusters: how often drawn */
    double *start;  /* categories + columns: see sy_solver_maximise */
    double *raw, *worth;
};

static void make_start(struct sampler *sampler)
{
    const struct sy_solver *s = &sampler->solver;
    size_t categories = sampler->patterns.categories, level = 0;
    for (size_t k = 0; k < categories; k++) {
        while (level + 1 < s->levels && s->level_category[level + 1] <= k)
            level++;
        sampler->start[k] = s->point[level + 1 < s->levels ? level : s->levels - 2];
    }
    for (size_t j = 0; j < s->active_count; j++)
        sampler->start[categories + s->active[j]] = s->point[s->levels - 1 + j];
}

/* `patterns` was initialised. */
static enum sy_stat sampler_start(struct sampler *sampler, const struct sy_ordinal_options *options)
{
    const struct sy_patterns *p = &sampler->patterns;
    sampler->kept = sy_alloc(p->patterns + 1, sizeof *sampler->kept);
    sampler->weight = sy_alloc(p->patterns + 1, sizeof *sampler->weight);
    sampler->times = sy_alloc(p->clusters + 1, sizeof *sampler->times);
    sampler->start = sy_alloc(p->categories + p->columns, sizeof *sampler->start);
    sampler->raw = sy_alloc(p->categories + p->columns, sizeof *sampler->raw);
    sampler->worth = sy_alloc(p->categories, sizeof *sampler->worth);
    sy_solver_init(&sampler->solver, p, options);
    enum sy_stat status = sy_solver_screen(&sampler->solver, p->weight);
    if (status == SY_STAT_OK)
        status = sy_solver_maximise(&sampler->solver, NULL, replicate_tolerance);
    if (status != SY_STAT_OK)
        return status;
    for (size_t u = 0; u < p->patterns; u++)
        sampler->kept[u] = sampler->solver.weight[u] > 0;
    make_start(sampler);
    return SY_STAT_OK;
}

static void sampler_clear(struct sampler *sampler)
{
    sy_solver_clear(&sampler->solver);
    sy_patterns_clear(&sampler->patterns);
    free(sampler->kept);
    free(sampler->weight);
    free(sampler->times);
    free(sampler->start);
    free(sampler->raw);
    free(sampler->worth);
}

static void draw(struct sampler *sampler, uint64_t seed, size_t replicate)
{
    const struct sy_patterns *p = &sampler->patterns;
    struct sy_random random = sy_random_stream(seed, replicate, bootstrap_purpose);
    memset(sampler->times, 0, p->clusters * sizeof *sampler->times);
    memset(sampler->weight, 0, p->patterns * sizeof *sampler->weight);
    for (size_t g = 0; g < p->clusters; g++)
        sampler->times[sy_random_below(&random, p->clusters)]++;
    for (size_t g = 0; g < p->clusters; g++) {
        if (sampler->times[g] == 0)
            continue;
        for (size_t r = p->cluster_first[g]; r < p->cluster_first[g + 1]; r++)
            if (sampler->kept[p->row_pattern[r]])
                sampler->weight[p->row_pattern[r]] += (double)sampler->times[g] * p->row_weight[r];
    }
}

static enum sy_stat refit(struct sampler *sampler)
{
    struct sy_solver *s = &sampler->solver;
    enum sy_stat status = sy_solver_screen(s, sampler->weight);
    if (status == SY_STAT_OK)
        status = sy_solver_maximise(s, sampler->start, replicate_tolerance);
    if (status == SY_STAT_OK)
        sy_solver_to_raw(s, s->point, sampler->raw);
    return status;
}

static void record_score(struct sampler *sampler, enum sy_stat status, struct sy_bootstrap *out, size_t at)
{
    const struct sy_solver *s = &sampler->solver;
    if (status == SY_STAT_OK && !s->thresholds_identified)
        status = SY_STAT_NOT_IDENTIFIED;
    out->score_status[at] = out->advantage_status[at] = status;
    if (status != SY_STAT_OK)
        return;
    for (size_t k = 0; k < s->levels; k++)
        sampler->worth[k] = sampler->category_score[s->level_category[k]];
    out->score[at] = sy_expected_score(s->levels, sampler->raw, sampler->worth, 0, NULL, NULL);
    if (!sy_even_advantage(s->levels, sampler->raw, sampler->worth, &out->advantage[at]))
        out->advantage_status[at] = SY_STAT_BOUNDARY;
}

static void record(struct sampler *sampler, enum sy_stat status, struct sy_bootstrap *out, size_t at)
{
    const struct sy_ordinal_fit *fit = sampler->fit;
    bool failed = false;
    for (size_t j = 0; j < fit->columns; j++) {
        enum sy_stat own = status == SY_STAT_OK ? sampler->solver.column_status[j] : status;
        failed = failed || (fit->column_status[j] == SY_STAT_OK && own != SY_STAT_OK);
        own = fit->column_status[j] == SY_STAT_OK ? own : fit->column_status[j];
        out->column_status[at * fit->columns + j] = own;
        if (own == SY_STAT_OK)
            out->beta[at * fit->columns + j] = sampler->raw[sampler->solver.levels - 1 + j];
    }
    record_score(sampler, status, out, at);
    failed = failed || (fit->thresholds_identified && out->score_status[at] != SY_STAT_OK);
    out->failures += failed;
}

enum sy_stat sy_ordinal_bootstrap(const struct sy_ordinal_data *data,
                                  const struct sy_ordinal_options *options, const struct sy_ordinal_fit *fit,
                                  const double *category_score, uint64_t seed, size_t first, size_t count,
                                  struct sy_bootstrap *out)
{
    const struct sy_ordinal_options defaults = SY_ORDINAL_OPTIONS_INIT;
    struct sampler sampler = {.fit = fit, .category_score = category_score};
    *out = (struct sy_bootstrap){.columns = fit->columns};
    if (fit->status != SY_STAT_OK)
        return fit->status;
    enum sy_stat status = sy_patterns_init(&sampler.patterns, data);
    if (status == SY_STAT_OK)
        status = sampler_start(&sampler, options ? options : &defaults);
    if (status == SY_STAT_OK) {
        out->replicates = count;
        out->beta = sy_alloc(count * fit->columns + 1, sizeof(double));
        out->score = sy_alloc(count + 1, sizeof(double));
        out->advantage = sy_alloc(count + 1, sizeof(double));
        out->column_status = sy_alloc(count * fit->columns + 1, sizeof(enum sy_stat));
        out->score_status = sy_alloc(count + 1, sizeof(enum sy_stat));
        out->advantage_status = sy_alloc(count + 1, sizeof(enum sy_stat));
        for (size_t i = 0; i < count; i++) {
            draw(&sampler, seed, first + i);
            record(&sampler, refit(&sampler), out, i);
        }
    }
    sampler_clear(&sampler);
    return status;
}

void sy_bootstrap_clear(struct sy_bootstrap *bootstrap)
{
    free(bootstrap->beta);
    free(bootstrap->score);
    free(bootstrap->advantage);
    free(bootstrap->column_status);
    free(bootstrap->score_status);
    free(bootstrap->advantage_status);
    *bootstrap = (struct sy_bootstrap){0};
}
