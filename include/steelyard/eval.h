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
    SY_NO_WAY = 255,
    SY_FAR = 5,              /* steps: what is farther is as far */
    SY_EVAL_FORMATIONS = 256 /* formations remembered */
};

/* What a piece adds by standing on a cell, White's less Black's, with many pieces about and with few; and
 * its share of the placement's hash. */
struct sy_eval_cell {
    uint64_t key;
    int16_t full, bare;
    uint32_t officers; /* 1 for White's, SY_BLACK_OFFICER for Black's, 0 for what is none */
};

enum { SY_BLACK_OFFICER = 1 << 16 };

/* A worth with many pieces about and one with few, in one word: the sum of such words is the word of the
 * sums.
 */
typedef int64_t sy_worth;

static inline sy_worth sy_worth_of(int full, int bare)
{
    return (sy_worth)full * 4294967296 + bare;
}
static inline int sy_worth_bare(sy_worth worth)
{
    return (int)(int32_t)(uint32_t)worth;
}
static inline int sy_worth_full(sy_worth worth)
{
    return (int)((worth - sy_worth_bare(worth)) / 4294967296);
}

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

/* What a pawn formation tells by itself, White's less Black's: passed, doubled and isolated pawns; and, where
 * pawns capture by single steps and leaps alone, what they attack. */
struct sy_eval_formation {
    sy_set side[2], type[SY_MAX_PAWN_TYPES], attacked[2];
    sy_set passed[2];
    sy_set menaced[2]; /* what the side's pawns could come to attack */
    sy_worth worth;
};

struct sy_eval_type {
    int value;                           /* believed */
    sy_worth mobility[SY_MAX_CELLS + 1]; /* by the number of cells it can go to */
};

struct sy_eval {
    const struct sy_variant *variant;
    struct sy_eval_cell cell[SY_MAX_PIECES][SY_MAX_CELLS];
    struct sy_eval_type type[SY_MAX_TYPES];
    int exchange[SY_MAX_TYPES]; /* believed values for exchanges, SY_ROYAL_WORTH for royals */
    sy_worth passed[SY_MAX_PIECES][SY_MAX_CELLS];
    sy_set zone[SY_MAX_CELLS]; /* a royal's cell and those beside it */
    /* For the pawn types numbered 0.. : the cells on which an enemy pawn of type [second] stops, at once or
     * later, a pawn of type [first] on the cell. */
    sy_set stoppers[2][SY_MAX_PAWN_TYPES][SY_MAX_PAWN_TYPES][SY_MAX_CELLS];
    /* The cells to which a pawn type of a side can come from a cell without capturing, that cell left out;
     * and what it could defend from there and on the way. */
    sy_set way[2][SY_MAX_PAWN_TYPES][SY_MAX_CELLS], defends[2][SY_MAX_PAWN_TYPES][SY_MAX_CELLS];
    uint8_t pawn_type[SY_MAX_PAWN_TYPES];
    unsigned pawn_types;
    bool pawns_leap; /* no pawn captures along lines */
    struct sy_eval_formation formation[SY_EVAL_FORMATIONS];
    /* Kinds of types, as bits. A pawn promotes, or is the unit that values are counted in. */
    uint32_t pawns, royals, officers;
    uint16_t phase[SY_MAX_CELLS + 1]; /* 256 at the start .. 0, by the officers on the board */
    sy_worth royal_attack;            /* in sixteenths */
    sy_worth support, doubled, isolated, outpost, royal_hits, royal_exits, shelter, threat, trade_up, hanging,
        hanging_officer;
    /* Of a passed pawn on the cell; the last two per step. */
    sy_worth blocked[SY_MAX_PIECES][SY_MAX_CELLS], free[SY_MAX_PIECES][SY_MAX_CELLS];
    sy_worth escort[SY_MAX_PIECES][SY_MAX_CELLS], chase[SY_MAX_PIECES][SY_MAX_CELLS];
    uint8_t steps[SY_MAX_CELLS][SY_MAX_CELLS]; /* of a royal from cell to cell, at most SY_FAR */
    uint8_t rank[SY_MAX_TYPES], ranks;         /* officers, those believed to be worth most first */
    uint8_t worthier[SY_MAX_TYPES];            /* how many of these are worth more by a pawn; royals: none */
    sy_worth pair[SY_MAX_TYPES];               /* for two or more of the type */
    uint32_t paired;                           /* types for which that is not nothing, as bits */
    int tempo, lazy;
    int noise; /* of the standard deviation of the sum that noise is made of, scaled by SY_NOISE_SHIFT */
    uint64_t noise_seed;
    /* The variant's two sides are each other's mirror images. */
    bool symmetric;
    uint8_t castling_mirror[SY_MAX_CASTLINGS];
    uint8_t rights_mirror[256];
    /* Measured on the empty board, per piece and cell. */
    double reach[SY_MAX_PIECES][SY_MAX_CELLS]; /* square root of the cells it can go to */
    double exposure[SY_MAX_CELLS];             /* square root of the places from where it can be taken */
    double mean_reach[SY_MAX_PIECES], mean_exposure; /* of these, over the cells */
    double advance[SY_MAX_PIECES][SY_MAX_CELLS];   /* 0..1: the square of how much of the way to promotion is
                                                      done */
    uint8_t way_left[SY_MAX_PIECES][SY_MAX_CELLS]; /* plies to promotion, SY_NO_WAY where there is none */
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

/* A cell as the side sees it: mirrored for Black, where the variant is symmetric. */
static inline unsigned sy_eval_seen(const struct sy_eval *eval, unsigned side, unsigned cell)
{
    return eval->symmetric && side == SY_BLACK ? eval->variant->mirror[cell] : cell;
}

/* A move as the side sees it (mirrored for Black), and back again: it is its own inverse. */
sy_move sy_eval_relative(const struct sy_eval *eval, unsigned side, sy_move move);

/* For the side to move. `view` is open on the position; `key` is sy_eval_key's. When material and placement
 * are beyond alpha or beta by more than eval.lazy, the rest is left out and *whole is false. */
int sy_evaluate(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                const struct sy_eval_sum *sum, uint64_t key, int alpha, int beta, bool *whole);

/* The evaluation without noise is a sum over terms: what a term is worth, in pawns, times how much of it
 * there is. Kinds of terms, with what tells them apart: VALUE: a material, as `index`; PARAM: a parameter of
 * params.h, as `index`; terms with two phases have two of them; MOBILITY, PAIR: a type; PLACEMENT: a type and
 * a cell as White sees it; PASSED: a type and, as `cell`, the plies to promotion less 1; all four with
 * `phase` 0 (many pieces) and 1 (few), one after the other. */
enum sy_eval_term_kind {
    SY_TERM_VALUE,
    SY_TERM_PARAM,
    SY_TERM_MOBILITY,
    SY_TERM_PAIR,
    SY_TERM_PLACEMENT,
    SY_TERM_PASSED,
    SY_TERM_COUNT /* stands for the end: sy_eval_term of it, all else 0, is the number of terms */
};
size_t sy_eval_term(const struct sy_variant *variant, enum sy_eval_term_kind kind, unsigned phase,
                    unsigned index, unsigned cell);

/* How much of each term a side has, into terms[side][sy_eval_term(SY_TERM_COUNT)]; the evaluation is made of
 * White's less Black's. Having the move is White's or Black's. `view` is open on the position. */
void sy_eval_trace(struct sy_eval *eval, const struct sy_position *position, struct sy_view *view,
                   double *terms[2]);

/* What the general parameters alone make of a piece's standing on a cell, in pawns and above its value, with
 * many pieces about and with few. */
void sy_eval_geometry(const struct sy_eval *eval, const struct sy_params *params, unsigned piece,
                      unsigned cell, double *full, double *bare);

#endif
