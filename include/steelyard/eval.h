/* eval: static evaluation from the variant's tables alone, in hundredths of a pawn.
 *
 * Whatever is measured in floating point is measured when an engine is set up; evaluating is integer
 * arithmetic, so that it gives the same on every machine. Mirrored positions evaluate alike. */
#ifndef STEELYARD_EVAL_H
#define STEELYARD_EVAL_H

#include "steelyard/movegen.h"
#include "steelyard/params.h"

enum {
    SY_PAWN = 100,          /* units in a pawn */
    SY_EVAL_MAX = 29000,    /* no evaluation is beyond this */
    SY_ROYAL_WORTH = 20000, /* what a royal counts for in exchanges */
    SY_MAX_PAWN_TYPES = 4,  /* pawns beyond these are never thought passed */
    SY_NOISE_SHIFT = 16,
    SY_EVAL_FORMATIONS = 64 /* formations remembered */
};

/* What a piece adds by standing on a cell, White's less Black's, with many pieces about and with few; and
 * its share of the placement's hash. */
struct sy_eval_cell {
    uint64_t key;
    int16_t full, bare;
    uint32_t officers; /* 1 for White's, SY_BLACK_OFFICER for Black's, 0 for what is none */
};

enum { SY_BLACK_OFFICER = 1 << 16 };

/* Sums over the pieces on the board, kept up to date move by move. */
struct sy_eval_sum {
    uint64_t key; /* where the variant is symmetric, the mirrored placement's has its halves exchanged */
    int32_t full, bare;
    uint32_t officers;
};

static inline int sy_eval_officers(const struct sy_eval_sum *sum, unsigned side)
{
    return (int)(side == SY_WHITE ? sum->officers % SY_BLACK_OFFICER : sum->officers / SY_BLACK_OFFICER);
}

/* What a pawn formation tells by itself: the passed pawns' worth, White's less Black's, and, where pawns
 * capture by single steps and leaps alone, what they attack. */
struct sy_eval_formation {
    sy_set side[2], type[SY_MAX_PAWN_TYPES], attacked[2];
    int passed;
};

struct sy_eval_type {
    int value;                          /* believed */
    int16_t mobility[SY_MAX_CELLS + 1]; /* by the number of cells it can go to */
};

struct sy_eval {
    const struct sy_variant *variant;
    struct sy_eval_cell cell[SY_MAX_PIECES][SY_MAX_CELLS];
    struct sy_eval_type type[SY_MAX_TYPES];
    int exchange[SY_MAX_TYPES]; /* believed values for exchanges, SY_ROYAL_WORTH for royals */
    int16_t passed[SY_MAX_PIECES][SY_MAX_CELLS];
    sy_set zone[SY_MAX_CELLS]; /* a royal's cell and those beside it */
    /* For the pawn types numbered 0.. : the cells on which an enemy pawn of type [second] stops, at once or
     * later, a pawn of type [first] on the cell. */
    sy_set stoppers[2][SY_MAX_PAWN_TYPES][SY_MAX_PAWN_TYPES][SY_MAX_CELLS];
    uint8_t pawn_type[SY_MAX_PAWN_TYPES];
    unsigned pawn_types;
    bool pawns_leap; /* no pawn captures along lines */
    struct sy_eval_formation formation[SY_EVAL_FORMATIONS];
    /* Kinds of types, as bits. A pawn promotes, or is the unit that values are counted in. */
    uint32_t pawns, royals, officers;
    uint16_t phase[SY_MAX_CELLS + 1]; /* 256 at the start .. 0, by the officers on the board */
    int royal_attack, support, shelter, threat, hanging, tempo, lazy; /* royal_attack in sixteenths */
    int noise; /* of the standard deviation of the sum that noise is made of, scaled by SY_NOISE_SHIFT */
    uint64_t noise_seed;
    /* The variant's two sides are each other's mirror images. */
    bool symmetric;
    uint8_t castling_mirror[SY_MAX_CASTLINGS];
    uint8_t rights_mirror[256];
    /* Measured on the empty board, per piece and cell. */
    double reach[SY_MAX_PIECES][SY_MAX_CELLS];   /* square root of the cells it can go to */
    double exposure[SY_MAX_CELLS];               /* square root of the places from where it can be taken */
    double advance[SY_MAX_PIECES][SY_MAX_CELLS]; /* 0..1: how much of the way to promotion is done */
};

/* An evaluation with the default parameters and no noise. A new object; free() it. */
struct sy_eval *sy_eval_create(const struct sy_variant *variant);
void sy_eval_set_params(struct sy_eval *eval, const struct sy_params *params);

/* The sums from scratch, and those after a move of the position, which has not been made yet. */
struct sy_eval_sum sy_eval_sum_of(const struct sy_eval *eval, const struct sy_position *position);
struct sy_eval_sum sy_eval_sum_after(const struct sy_eval *eval, const struct sy_position *position,
                                     const struct sy_eval_sum *before, sy_move move);

/* The key of the position as the side to move sees it: where the variant is symmetric, mirrored positions
 * have the same. Castling rights and en passant are in it; counters are not. */
uint64_t sy_eval_key(const struct sy_eval *eval, const struct sy_position *position,
                     const struct sy_eval_sum *sum);

/* A move as the side sees it (mirrored for Black), and back again: it is its own inverse. */
sy_move sy_eval_relative(const struct sy_eval *eval, unsigned side, sy_move move);

/* For the side to move. `view` is open on the position; `key` is sy_eval_key's. When material and placement
 * are beyond alpha or beta by more than eval.lazy, the rest is left out and *whole is false. */
int sy_evaluate(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                const struct sy_eval_sum *sum, uint64_t key, int alpha, int beta, bool *whole);

#endif
