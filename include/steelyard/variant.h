/* variant: a game's rules, read from JSON, checked, and compiled to tables.
 *
 * The engine works on these tables alone: for every piece and cell the leaps as sets and the lines as
 * masks, and for every cell the places from which each piece could capture there. No game's name and no
 * rule of one game is in the code; what a game is stands in its file (experiments/README.md has the
 * vocabulary).
 *
 * White is 0 and Black 1. A piece is a type and a colour; its code is 2*type + colour, SY_NO_PIECE marks
 * an empty cell. Several types may count as one kind of material. */
#ifndef STEELYARD_VARIANT_H
#define STEELYARD_VARIANT_H

#include "steelyard/board.h"

enum {
    SY_WHITE = 0,
    SY_BLACK = 1,
    SY_MAX_TYPES = 16,
    SY_MAX_PIECES = 2 * SY_MAX_TYPES,
    SY_NO_PIECE = 255,
    SY_NO_TYPE = 255,
    SY_MAX_PROMOTIONS = 8,
    SY_MAX_CASTLINGS = 16,
    SY_MAX_SUGGESTED = 4,
    SY_PIECE_NAME = 24
};

/* Lines of one kind from one cell, in three forms. An axis is a pair of rays, one through falling and one
 * through rising cell numbers: sliding along both at once is one subtraction. A walk is a ray in any order
 * (round a ring), as a list of cells. A hop is a ray for pieces that leap over others on it. */
struct sy_axis {
    sy_set low, high; /* cells below and above the origin; either may be empty */
};
struct sy_walk {
    uint16_t first; /* index into variant->path */
    uint8_t length;
};
struct sy_hop {
    sy_set mask;    /* the ray's cells */
    uint16_t first; /* its path, for rays in no order */
    uint8_t length;
    int8_t order; /* 1 rising, -1 falling, 0 neither */
    uint8_t over; /* how many pieces it leaps */
};
struct sy_lines {
    uint32_t axis, walk, hop; /* first index into variant->axes, walks, hops */
    uint8_t axes, walks, hops;
};

/* What a piece can do from one cell. `both` lines move and capture alike. A shot captures without moving. */
struct sy_reach {
    sy_set quiet_leap, capture_leap, shot_leap;
    struct sy_lines both, quiet, capture, shot;
};

/* Where a piece could stand to capture on a given cell, shots included, whatever it takes. */
struct sy_reverse {
    sy_set leap;            /* at once */
    sy_set slide;           /* if the cells between are empty */
    sy_set hop;             /* if exactly `over` pieces stand between */
    uint16_t extra, extras; /* further lines between the same two cells: variant->extra[extra ..] */
};
struct sy_extra_line {
    sy_set between;
    uint8_t from, over;
};

/* A multi-step advance after which the pawn can be taken en passant on a cell it passed. */
struct sy_exposure {
    uint8_t from, to;
    uint8_t passed_count;
    uint8_t passed[5]; /* in order */
    sy_set cells;      /* the same as a set */
};

struct sy_piece {
    const struct sy_reach *reach;     /* [cells] */
    const struct sy_reverse *reverse; /* [cells], by target */
    const sy_set *slide_between;      /* [target * cells + from], NULL when it never slides to capture */
    const sy_set *hop_between;        /* likewise for hops */
    uint8_t hop_over;                 /* its hops leap this many */
    sy_set promotion_zone;            /* a move ending here promotes; empty for most */
    sy_set promotes_from;             /* cells from which a move may end there */
    const sy_set *exposing;           /* [cells]: targets that expose to en passant, NULL when none */
    const struct sy_exposure *exposures;
    unsigned exposure_count;
    const sy_set *en_passant_from; /* [cells]: where it can stand to take en passant on a cell, or NULL */
    bool shoots;                   /* has any shot */
};

enum sy_royalty { SY_COMMON, SY_ROYAL_BY_CHECK, SY_ROYAL_BY_CAPTURE };

struct sy_type {
    char letter; /* upper case */
    char name[SY_PIECE_NAME];
    uint8_t material; /* index into variant->material */
    enum sy_royalty royalty;
    bool progress;       /* its moves reset the halfmove clock */
    bool swaps_in_check; /* may change places with an unthreatened friend while in check */
    uint8_t promotion_count;
    uint8_t promotions[SY_MAX_PROMOTIONS]; /* types */
};

struct sy_castling {
    uint8_t right; /* bit number in sy_position.castling */
    uint8_t side;
    uint8_t king_from, king_to, rook_from, rook_to;
    sy_set empty, safe; /* cells that must be empty; cells that must be unattacked */
};

/* Points for the side to move (for the side named, at bare and captured royals), 0..1; negative: the rule
 * is not in force. */
struct sy_endings {
    double checkmate;      /* in check, no legal move: the side to move gets */
    double stalemate;      /* not in check, no legal move: the side to move gets */
    double royal_captured; /* the side whose royal was captured gets */
    double bare_royal;     /* the side that has nothing but royals left gets */
    double repetition;     /* the side to move when the position recurs gets */
    unsigned repetition_count;
    double no_progress; /* the side to move gets, after no_progress_plies without capture or progress */
    unsigned no_progress_plies;
    double insufficient;              /* neither side can win: royals only, or ... */
    uint32_t insufficient_alone;      /* types one piece of which is still not enough, as bits */
    uint32_t insufficient_one_colour; /* types any number of which on one cell colour is not enough */
};

/* A table of piece values that somebody proposed, in pawns, per material; NaN where he said nothing. */
struct sy_suggested {
    char by[64];
    char source[160];
    double value[SY_MAX_TYPES];
};

/* What tuning has found out about this variant's positions (the file's "evaluation"), in pawns: on top of
 * what the engine's general terms say, with many pieces about [0] and with few [1]. */
struct sy_tuned {
    double placement[2][SY_MAX_TYPES][SY_MAX_CELLS]; /* as White sees it; for Black the mirrored cell's */
    double passed[2][SY_MAX_TYPES][SY_MAX_CELLS];    /* a passed pawn, by the plies to promotion, from 1 */
    double mobility[2][SY_MAX_TYPES];                /* per square root of the cells it can go to */
    double pair[2][SY_MAX_TYPES];                    /* for having two or more */
    const double *engine; /* by sy_param: this variant's own defaults, NaN where the general one holds */
};

struct sy_variant {
    char *name, *title;
    struct sy_board *board;
    unsigned cells, types;
    struct sy_type type[SY_MAX_TYPES];
    struct sy_piece piece[SY_MAX_PIECES];
    unsigned materials;
    char material[SY_MAX_TYPES][SY_PIECE_NAME]; /* in file order; royals that are never exchanged included */
    bool material_royal[SY_MAX_TYPES];          /* its types are royal: no value to estimate */
    unsigned unit_material;                     /* what values are counted in: the file's "unit" */
    uint8_t check_royal;                        /* the type that is royal by check, SY_NO_TYPE if none */
    uint32_t capture_royals;                    /* types royal by capture, as bits */
    uint32_t manifold; /* types that may have several moves to one cell: they shoot, or promote by choice */
    const sy_set *threats[2]; /* [cells], by target: from where some piece of the side could capture there */
    unsigned castlings;
    struct sy_castling castling[SY_MAX_CASTLINGS];
    char rights[9];                    /* castling letters in FEN order, one a bit; "" none */
    bool fen_castling;                 /* FEN has the castling field */
    uint8_t side_rights[2];            /* each side's rights, as bits */
    uint8_t rights_kept[SY_MAX_CELLS]; /* castling &= this for both cells of a move */
    struct sy_endings endings;
    char *start;                   /* FEN */
    uint8_t mirror[SY_MAX_CELLS];  /* exchanges the two sides' formations */
    double believed[SY_MAX_TYPES]; /* per material, in pawns: what an engine believes unless told
                                      otherwise: the file's "values", or from mobility */
    bool believed_given;           /* by the file */
    const struct sy_tuned *tuned;  /* NULL: the file has no "evaluation" */
    unsigned suggestions;
    struct sy_suggested suggested[SY_MAX_SUGGESTED];
    /* Zobrist keys; side_key is in the key when Black is to move. */
    uint64_t piece_key[SY_MAX_PIECES][SY_MAX_CELLS];
    uint64_t castling_key[256];
    uint64_t ep_key[SY_MAX_CELLS];
    uint64_t side_key;
    char digest[65];         /* SHA-256 of the canonical text of the rules */
    struct sy_json_doc *doc; /* the file after patches, as run */
    /* Storage behind the tables. */
    struct sy_axis *axes;
    struct sy_walk *walks;
    struct sy_hop *hop_rays;
    uint8_t *path;
    struct sy_extra_line *extra;
    void **blocks; /* allocations behind the pieces' pointers */
    size_t block_count, block_capacity;
};

static inline unsigned sy_piece_code(unsigned type, unsigned side)
{
    return 2U * type + side;
}
static inline unsigned sy_piece_type(unsigned piece)
{
    return piece >> 1;
}
static inline unsigned sy_piece_side(unsigned piece)
{
    return piece & 1U;
}

/* Compiles a variant document; takes the document over (also when it fails). `name` is the variant's short
 * name. Owner: sy_variant_free. */
SY_MUST_USE enum sy_status sy_variant_compile(const char *name, struct sy_json_doc *doc,
                                              struct sy_variant **out, struct sy_error *error);

/* Loads what the command line and experiments call VARIANT: the name of a shipped variant, or the path of
 * a file; either may be followed by ":READING", one of the file's alternative readings. `patch` (NULL for
 * none) is an RFC 7396 merge patch applied after the reading. */
SY_MUST_USE enum sy_status sy_variant_load(const char *variant, const struct sy_json *patch,
                                           struct sy_variant **out, struct sy_error *error);
void sy_variant_free(struct sy_variant *variant); /* NULL ok */

/* The type of that letter (either case), SY_NO_TYPE when there is none. */
unsigned sy_variant_type(const struct sy_variant *variant, char letter);

/* The cells a piece reaches from `from` on the empty board, by any of its moves or captures. */
sy_set sy_variant_empty_reach(const struct sy_variant *variant, unsigned piece, unsigned from);

/* Cells a slide along these lines reaches, the first occupied cell of each ray included. */
static inline sy_set sy_slide(const struct sy_variant *variant, const struct sy_lines *lines, sy_set occupied)
{
    sy_set reached = SY_EMPTY_SET;
    const struct sy_axis *axis = variant->axes + lines->axis;
    for (unsigned i = 0; i < lines->axes; i++, axis++) {
        /* All from the nearest piece below the origin up to the nearest above it: twice the lowest bit
         * above, minus the highest bit below (obstruction difference; Hoffmann 2012). */
        const sy_set above = occupied & axis->high;
        const sy_set below = (occupied & axis->low) | 1U;
        const sy_set span = ((above & -above) << 1) - sy_bit(sy_highest(below));
        reached |= span & (axis->low | axis->high);
    }
    for (unsigned i = 0; i < lines->walks; i++) {
        const struct sy_walk *walk = &variant->walks[lines->walk + i];
        for (const uint8_t *cell = variant->path + walk->first, *end = cell + walk->length; cell < end;
             cell++) {
            reached |= sy_bit(*cell);
            if (sy_has(occupied, *cell)) {
                break;
            }
        }
    }
    return reached;
}

/* Cells beyond exactly `over` pieces, up to and including the next piece, on each hopping ray. Adds to
 * *depends the cells whose being empty or not has been looked at. */
sy_set sy_hop_reach(const struct sy_variant *variant, const struct sy_lines *lines, sy_set occupied,
                    sy_set *depends);

#endif
