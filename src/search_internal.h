/* Shared by the parts of the search.
 *
 * Scores are hundredths of a pawn for the side to move. A forced win is SY_WIN less the plies from the root
 * to it; whatever is beyond SY_WIN_SEEN is such a score, and evaluations stay well inside. */
#ifndef STEELYARD_SEARCH_INTERNAL_H
#define STEELYARD_SEARCH_INTERNAL_H

#include "steelyard/eval.h"
#include "steelyard/search.h"
#include "steelyard/tt.h"

enum {
    SY_WIN = 32000,
    SY_WIN_SEEN = SY_WIN - 2 * SY_MAX_PLY,
    SY_INFINITE = 32500,
    SY_EVAL_UNKNOWN = INT16_MIN,
    SY_SEEN_SLOTS = 4096,
    SY_HISTORY_MAX = 16384,
    SY_REDUCTIONS = 64
};

/* One ply of the line being searched. */
struct sy_frame {
    struct sy_eval_sum sum;
    uint64_t key;        /* in the table; where counters decide, they are in it */
    struct sy_undo undo; /* of the move made from here */
    sy_move move;        /* that move, SY_NO_MOVE for a passed turn */
    sy_move killer[2];
    int eval;          /* SY_EVAL_UNKNOWN when a royal is attacked */
    size_t since_pass; /* no repetition is looked for before this index of keys */
};

/* Parameters in the units of the search. */
struct sy_settings {
    int aspiration, check_extension, null_depth, null_reduction;
    int reverse_depth, reverse_margin, razor_margin, futility_depth, futility_margin;
    int late_depth, late_moves, exchange_margin, delta_margin, decided;
    int quiet_checks, quiet_exchange;
    /* What endings score for the side to move; +-SY_WIN where somebody wins. */
    int checkmate, stalemate, repetition, no_progress, quarter;
    uint8_t reduction[SY_REDUCTIONS][SY_REDUCTIONS];
};

struct sy_engine {
    const struct sy_variant *variant;
    struct sy_eval *eval;
    struct sy_tt tt;
    struct sy_settings set;
    struct sy_position position; /* at the end of the present line */
    struct sy_frame frames[SY_MAX_PLY + 2];
    uint64_t nodes, node_limit; /* node_limit: where to look up, see sy_search_out_of_nodes */
    uint64_t last_node;         /* where the search ends */
    struct sy_watch watch;      /* nobody: all NULL */
    bool stopped;
    bool use_table;               /* off for evaluations between searches, which must leave no trace */
    bool repetition_is_draw;      /* then the first repetition inside the tree counts as one */
    bool clock_covers_repetition; /* nothing before the last zeroing of the halfmove clock can recur */
    unsigned iteration;
    /* Keys of the game and the line; slots of `seen` count keys by their low bits, so that almost every
     * position is known to be new at once. */
    uint64_t *keys;
    size_t key_count, key_capacity, root_key;
    uint16_t seen[SY_SEEN_SLOTS];
    /* Move ordering. */
    int16_t history[2][SY_MAX_TYPES][SY_MAX_CELLS];
    sy_move counter[SY_MAX_PIECES][SY_MAX_CELLS];
    /* How much of `list` is in use: moves still to be tried at every ply, one after the other. */
    size_t list_top;
    sy_move fresh[SY_MAX_MOVES]; /* as generated, before they are scored */
    /* The root's moves, best first, and the best lines found. */
    sy_move root_moves[SY_MAX_MOVES];
    unsigned root_count;
    unsigned pv_length[SY_MAX_PLY + 1];
    sy_move pv[SY_MAX_PLY + 1][SY_MAX_PLY + 1];
    int64_t list[(SY_MAX_PLY + 1) * SY_MAX_MOVES];
    struct sy_view views[SY_MAX_PLY + 2]; /* of the positions along the line, open from sy_tree_visit on */
};

/* ---- search_order: the order in which moves are tried ---- */

enum sy_stage {
    SY_STAGE_START,
    SY_STAGE_HASH,
    SY_STAGE_CAPTURES,
    SY_STAGE_QUIETS,
    SY_STAGE_POOR, /* captures that lose by exchange */
    SY_STAGE_DONE
};

enum sy_wanted {
    SY_ALL_MOVES,
    SY_GOOD_CAPTURES,            /* and promotions, none that lose by exchange */
    SY_GOOD_CAPTURES_AND_MENACES /* and after them quiet moves that attack an enemy royal */
};

struct sy_picker {
    enum sy_stage stage; /* of the move last given */
    enum sy_wanted wanted;
    bool menaces_only; /* leave out quiet moves that attack no enemy royal */
    sy_move hash;
    struct sy_frame *frame;
    struct sy_view *view;
    sy_move reply; /* counter move */
    size_t first, next, end, poor;
    int score; /* of the move last given: history for quiets, exchange for poor captures */
};

/* hash: SY_NO_MOVE or any move; it is tried only when legal. Begin and end bracket a node. */
void sy_picker_begin(struct sy_picker *picker, struct sy_engine *engine, unsigned ply, sy_move hash,
                     enum sy_wanted wanted);
void sy_picker_end(const struct sy_picker *picker, struct sy_engine *engine);

/* SY_NO_MOVE when there are no more. */
sy_move sy_picker_next(struct sy_picker *picker, struct sy_engine *engine);

/* From now on quiet moves count only where they attack an enemy royal. */
void sy_picker_only_menaces(struct sy_picker *picker, struct sy_engine *engine);

/* A quiet move has cut off; `tried` are the quiet moves before it. */
void sy_order_reward(struct sy_engine *engine, unsigned ply, sy_move move, const sy_move *tried,
                     unsigned tried_count, int depth);

/* ---- search_rules: endings inside the tree ---- */

/* Sets the scores of endings and what else the search knows about the variant's rules. */
void sy_rules_set(struct sy_engine *engine, double quarter_point);

/* A win or loss by the rules counts from the ply where it happens. */
static inline int sy_rules_score(int score, unsigned ply)
{
    return score == SY_WIN ? SY_WIN - (int)ply : score == -SY_WIN ? -SY_WIN + (int)ply : score;
}

void sy_rules_push_key(struct sy_engine *engine);
void sy_rules_pop_key(struct sy_engine *engine);

/* What the table's key must also hold, for the rules that count. Call with the position's key pushed. */
uint64_t sy_rules_counter_key(const struct sy_engine *engine, unsigned ply);

/* Has the last move ended the game, mate and stalemate apart? Then *score is it. */
bool sy_rules_ended(struct sy_engine *engine, unsigned ply, int *score);

/* The score of having no legal move. */
int sy_rules_no_move(const struct sy_engine *engine, unsigned ply);

/* An evaluation, less the nearer the no-progress rule is to a draw: an advantage that makes no progress is
 * worth no more than what can be had now. */
int sy_rules_faded(const struct sy_engine *engine, int eval);

/* Can the side to move take a royal and win by it at once? */
bool sy_rules_can_take_royal(struct sy_engine *engine, unsigned ply);

/* Is a royal of the side to move attacked, by check or to be captured? */
bool sy_rules_in_danger(const struct sy_engine *engine, unsigned ply);

/* ---- search ---- */

/* At the node limit: false, with a new one, when this was only a moment to ask the onlooker. */
bool sy_search_must_end(struct sy_engine *engine);

static inline bool sy_search_out_of_nodes(struct sy_engine *engine)
{
    if (engine->nodes >= engine->node_limit && sy_search_must_end(engine))
        engine->stopped = true;
    return engine->stopped;
}

/* ---- search_tree ---- */

/* Makes and unmakes a move, keeping sums, keys and node count. */
void sy_tree_play(struct sy_engine *engine, unsigned ply, sy_move move);
void sy_tree_unplay(struct sy_engine *engine, unsigned ply);

/* The score of the position that the last move led to, for its side to move. Sets engine->stopped when the
 * node limit is reached; the score is then worthless. */
int sy_tree_visit(struct sy_engine *engine, unsigned ply, int depth, int alpha, int beta, bool may_pass);

/* Quiescence from here on. */
int sy_tree_quiesce(struct sy_engine *engine, unsigned ply, int depth, int alpha, int beta, bool danger);

/* Far from an even score, and against a side without officers, it is mates that are looked for: margins in
 * pawns say nothing of these, and reductions hide them. */
bool sy_tree_is_decided(const struct sy_engine *engine, unsigned ply, int alpha);

static inline int sy_tree_reduction(const struct sy_engine *engine, int depth, unsigned tried)
{
    const unsigned row = depth < SY_REDUCTIONS ? (unsigned)depth : SY_REDUCTIONS - 1;
    return engine->set.reduction[row][tried < SY_REDUCTIONS ? tried : SY_REDUCTIONS - 1];
}

#endif
