/* Shared by the parts of tuning. */
#ifndef STEELYARD_TUNE_INTERNAL_H
#define STEELYARD_TUNE_INTERNAL_H

#include "steelyard/eval.h"
#include "steelyard/stats_logit.h"
#include "steelyard/tune.h"

enum { SY_NO_COLUMN = UINT16_MAX };

struct sy_tune_sample {
    struct sy_logit_row *row; /* offset: the evaluation in pawns */
    struct sy_logit_term *term;
    size_t rows, terms, games, row_capacity, term_capacity;
};

struct sy_tune {
    const struct sy_variant *variant;
    const struct sy_params *params;
    uint64_t seed;
    struct sy_eval *eval;
    struct sy_engine *engine;
    struct sy_view *view;
    size_t terms, columns;
    uint16_t *column;        /* terms: NO_COLUMN where it is not fitted */
    double *before, *spread; /* terms: pawns; columns: pawns */
    double *amount[2], *sum; /* terms of each side, and columns: room for one position */
    double *exposure;        /* terms: both sides' amounts, of all positions fitted */
    struct sy_tune_sample fitted, held;
    uint64_t seen;            /* games */
    struct sy_logit_tie *tie; /* spreads in pawns */
    size_t ties, tie_capacity;
};

static inline size_t sy_tune_term(const struct sy_tune *tune, enum sy_eval_term_kind kind, unsigned phase,
                                  unsigned index, unsigned cell)
{
    return sy_eval_term(tune->variant, kind, phase, index, cell);
}

#endif
