/* Suggested tables judged as a whole, whatever their unit.
 *
 * Hypothesis: the logits are the table's values times one factor, which is free. Tested by generalised least
 * squares with the covariance robust to clusters; what is left over is chi-square with one degree of freedom
 * fewer than there are pieces, the same whichever piece is taken as the unit (Wald 1943). One point of the
 * table is then worth the mean of the pieces' logits per point, weighted by precision; it is a measure too,
 * so that each piece's measured value can be given in the table's own points, sharp even where a pawn is
 * worth next to nothing. Which pieces depart is corrected for their number after Holm (1979). */
#include "summary_internal.h"

#include <math.h>
#include <stdlib.h>

/* The pieces that both the fit and the table know, with their part of the fit. */
struct judged {
    size_t count, column[SY_MAX_TYPES];
    double logit[SY_MAX_TYPES], suggested[SY_MAX_TYPES], covariance[SY_MAX_TYPES * SY_MAX_TYPES];
};

static void choose(const struct sy_weighing *weighing, const double *by_material, struct judged *judged)
{
    const struct sy_ordinal_fit *fit = &weighing->fit;
    judged->count = 0;
    for (size_t column = 0; fit->status == SY_STAT_OK && column < weighing->rows.columns; column++) {
        const double suggested = by_material[weighing->rows.material[column]];
        if (fit->column_status[column] == SY_STAT_OK && isfinite(suggested)) {
            judged->column[judged->count] = column;
            judged->logit[judged->count] = fit->beta[column];
            judged->suggested[judged->count++] = suggested;
        }
    }
    for (size_t i = 0; i < judged->count; i++) {
        for (size_t j = 0; j < judged->count; j++) {
            const size_t row = fit->levels - 1 + judged->column[i];
            judged->covariance[i * judged->count + j] =
                fit->sandwich[row * fit->parameters + fit->levels - 1 + judged->column[j]];
        }
    }
}

/* One point of the table, as a measure; what departs from it. */
static enum sy_stat point_of(const struct judged *judged, double level, struct sy_estimate *scale,
                             struct sy_unit *point, double *z, double *p)
{
    double weights[SY_MAX_TYPES];
    *point = (struct sy_unit){.name = "point", .value = 1.0, .column = SIZE_MAX};
    const enum sy_stat status = sy_departures(judged->count, judged->logit, judged->covariance,
                                              judged->suggested, level, scale, weights, z, p);
    for (size_t i = 0; status == SY_STAT_OK && i < judged->count; i++) {
        point->weight[judged->column[i]] = weights[i];
    }
    return status;
}

static struct sy_json *number_if(bool known, double number)
{
    return known ? sy_json_new_number(number) : sy_json_new_null();
}

static struct sy_json *pieces_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                   const struct judged *judged, const struct sy_unit *point, const double *z,
                                   const double *p, bool known)
{
    const double level = games->experiment->fit.confidence;
    double adjusted[SY_MAX_TYPES];
    struct sy_json *list = sy_json_new_array();
    sy_holm(judged->count, p, adjusted);
    for (size_t i = 0; i < judged->count; i++) {
        const size_t column = judged->column[i];
        struct sy_json *piece = sy_json_new_object();
        sy_json_add_string(piece, "name", games->arm->variant->material[weighing->rows.material[column]]);
        sy_json_add_number(piece, "suggested", judged->suggested[i]);
        sy_json_add(piece, "measured",
                    sy_estimate_json(known ? sy_weighing_value(weighing, column, point, level)
                                           : (struct sy_estimate){.status = SY_STAT_COLLINEAR}));
        sy_json_add(piece, "z", number_if(known, z[i]));
        sy_json_add(piece, "p", number_if(known, p[i]));
        sy_json_add(piece, "p_holm", number_if(known, adjusted[i]));
        sy_json_add(piece, "departs",
                    known ? sy_json_new_bool(adjusted[i] < 1.0 - level) : sy_json_new_null());
        sy_json_append(list, piece);
    }
    return list;
}

static struct sy_json *verdict_json(const struct sy_arm_games *games, const struct sy_weighing *weighing,
                                    const char *by, const double *by_material)
{
    const double level = games->experiment->fit.confidence;
    struct judged judged;
    struct sy_estimate scale = {.status = weighing->fit.status};
    struct sy_unit point;
    double z[SY_MAX_TYPES] = {0.0}, p[SY_MAX_TYPES] = {0.0};
    choose(weighing, by_material, &judged);
    struct sy_chi_square test = {.status = weighing->fit.status};
    if (test.status == SY_STAT_OK) {
        test = sy_proportional_test(judged.count, judged.logit, judged.covariance, judged.suggested, level,
                                    &scale, NULL, NULL);
        test.p = sy_wald_p(test.statistic, test.freedom, weighing->fit.clusters);
    }
    const bool known =
        test.status == SY_STAT_OK && point_of(&judged, level, &scale, &point, z, p) == SY_STAT_OK;
    struct sy_json *json = sy_json_new_object();
    sy_json_add_string(json, "by", by);
    sy_json_add_string(json, "status", sy_stat_name(test.status));
    if (test.status != SY_STAT_OK) {
        sy_json_add_string(json, "reason", sy_stat_text(test.status));
    }
    sy_json_add(json, "wald", number_if(known, test.statistic));
    sy_json_add_int(json, "freedom", (int64_t)test.freedom);
    sy_json_add(json, "p", number_if(known, test.p));
    sy_json_add(json, "agrees", known ? sy_json_new_bool(test.p >= 1.0 - level) : sy_json_new_null());
    sy_json_add(json, "logits_per_point", sy_estimate_json(scale));
    sy_json_add(json, "pieces", pieces_json(games, weighing, &judged, &point, z, p, known));
    return json;
}

struct sy_json *sy_verdicts_json(const struct sy_arm_games *games, const struct sy_weighing *weighing)
{
    const struct sy_variant *variant = games->arm->variant;
    struct sy_json *json = sy_json_new_object();
    struct sy_json *tables = sy_json_new_array();
    const bool weighed = weighing->rows.columns > 0;
    for (unsigned i = 0; weighed && i < variant->suggestions; i++) {
        sy_json_append(tables,
                       verdict_json(games, weighing, variant->suggested[i].by, variant->suggested[i].value));
    }
    sy_json_add(json, "suggested", tables);
    sy_json_add(json, "believed",
                weighed && sy_beliefs_known(games)
                    ? verdict_json(games, weighing, "the engine", games->arm->params.value)
                    : sy_json_new_null());
    return json;
}
