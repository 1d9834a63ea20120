/* params: an engine's parameters. Every number that evaluation and search use has a name, a default and a
 * range here, so that an experiment can set or randomise it. Piece values are "value.<material>", in pawns;
 * the others are listed by sy_param_info. */
#ifndef STEELYARD_PARAMS_H
#define STEELYARD_PARAMS_H

#include "steelyard/variant.h"

struct sy_param_info {
    const char *name; /* "eval.mobility", "search.null_reduction", ... */
    double fallback, min, max;
    const char *unit;  /* "pawns", "plies", "" for ratios and switches */
    const char *about; /* one sentence */
};

/* Indices into sy_params.other and sy_param_info. */
enum sy_param {
    /* Those with two phases: with many pieces about, and next to it the same with few. */
    SY_EVAL_MOBILITY,
    SY_EVAL_MOBILITY_BARE,
    SY_EVAL_PLACEMENT,
    SY_EVAL_PLACEMENT_BARE,
    SY_EVAL_ADVANCE,
    SY_EVAL_ADVANCE_BARE,
    SY_EVAL_PASSED,
    SY_EVAL_PASSED_BARE,
    SY_EVAL_SUPPORT,
    SY_EVAL_SUPPORT_BARE,
    SY_EVAL_DOUBLED,
    SY_EVAL_DOUBLED_BARE,
    SY_EVAL_ISOLATED,
    SY_EVAL_ISOLATED_BARE,
    SY_EVAL_OUTPOST,
    SY_EVAL_OUTPOST_BARE,
    SY_EVAL_PASSED_BLOCKED,
    SY_EVAL_PASSED_BLOCKED_BARE,
    SY_EVAL_PASSED_FREE,
    SY_EVAL_PASSED_FREE_BARE,
    SY_EVAL_PASSED_ESCORT,
    SY_EVAL_PASSED_ESCORT_BARE,
    SY_EVAL_PASSED_CHASE,
    SY_EVAL_PASSED_CHASE_BARE,
    SY_EVAL_ROYAL_ATTACK,
    SY_EVAL_ROYAL_ATTACK_BARE,
    SY_EVAL_ROYAL_HITS,
    SY_EVAL_ROYAL_HITS_BARE,
    SY_EVAL_ROYAL_EXITS,
    SY_EVAL_ROYAL_EXITS_BARE,
    SY_EVAL_SHELTER,
    SY_EVAL_SHELTER_BARE,
    SY_EVAL_THREAT,
    SY_EVAL_THREAT_BARE,
    SY_EVAL_TRADE_UP,
    SY_EVAL_TRADE_UP_BARE,
    SY_EVAL_HANGING,
    SY_EVAL_HANGING_BARE,
    SY_EVAL_HANGING_OFFICER,
    SY_EVAL_HANGING_OFFICER_BARE,
    SY_EVAL_ROYAL_COVER,
    SY_EVAL_ROYAL_CENTRE,
    SY_EVAL_TABLES,
    SY_EVAL_TEMPO,
    SY_EVAL_LAZY,
    SY_EVAL_NOISE,
    SY_SEARCH_QUARTER_POINT,
    SY_SEARCH_ASPIRATION,
    SY_SEARCH_CHECK_EXTENSION,
    SY_SEARCH_NULL_DEPTH,
    SY_SEARCH_NULL_REDUCTION,
    SY_SEARCH_REDUCTION,
    SY_SEARCH_REVERSE_DEPTH,
    SY_SEARCH_REVERSE_MARGIN,
    SY_SEARCH_RAZOR_MARGIN,
    SY_SEARCH_FUTILITY_DEPTH,
    SY_SEARCH_FUTILITY_MARGIN,
    SY_SEARCH_LATE_DEPTH,
    SY_SEARCH_LATE_MOVES,
    SY_SEARCH_EXCHANGE_MARGIN,
    SY_SEARCH_DELTA_MARGIN,
    SY_SEARCH_QUIET_CHECKS,
    SY_SEARCH_QUIET_EXCHANGE,
    SY_SEARCH_DECIDED,
    SY_PARAM_COUNT,
    SY_MAX_PARAMS = 96
};

struct sy_params {
    double value[SY_MAX_TYPES];  /* believed piece values per material, pawns; royals 0 */
    double other[SY_MAX_PARAMS]; /* in the order of sy_param_info */
};

size_t sy_param_count(void);
const struct sy_param_info *sy_param_info(size_t index);

/* The variant's believed values and the defaults of the others, its own where its file has them. */
void sy_params_default(const struct sy_variant *variant, struct sy_params *params);

/* Finds a parameter by name; NULL when there is none. The range is written to min and max (values: 0..100).
 */
double *sy_params_find(const struct sy_variant *variant, struct sy_params *params, const char *name,
                       double *min, double *max);

/* Sets parameters from a JSON object {"value.queen": 9, "eval.mobility": 0.1}; errors name the key. */
SY_MUST_USE enum sy_status sy_params_read(const struct sy_variant *variant, const struct sy_json_doc *doc,
                                          const struct sy_json *object, struct sy_params *params,
                                          struct sy_error *error);

/* Sets one from text of the form "name=value", for command lines. */
SY_MUST_USE enum sy_status sy_params_assign(const struct sy_variant *variant, const char *assignment,
                                            struct sy_params *params, struct sy_error *error);

#endif
