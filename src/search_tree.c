/* The tree: principal variation search (fail-soft) over quiescence.
 *
 * A royal that is attacked, whether by check or to be captured, puts its side in danger: then nothing is
 * pruned, standing pat is not allowed, and every move is tried. A position whose side to move can take a
 * royal is won at once. Passing the turn is not tried where having to move could be the whole point: in
 * danger, with few officers left, and sooner not where stalemate is more or less than a draw. */
#include "search_internal.h"
#include "steelyard/see.h"

enum { MAX_TRIED = 64, PASS_SURPLUS_MAX = 3, VERIFY_DEPTH = 10, VERIFY_OFFICERS = 3, QUIET_ESCAPES = 2 };

/* ---- the table ---- */

static int score_to_table(int score, unsigned ply)
{
    return score >= SY_WIN_SEEN ? score + (int)ply : score <= -SY_WIN_SEEN ? score - (int)ply : score;
}

static int score_from_table(int score, unsigned ply)
{
    return score >= SY_WIN_SEEN ? score - (int)ply : score <= -SY_WIN_SEEN ? score + (int)ply : score;
}

struct memory {
    sy_move move;
    int eval; /* SY_EVAL_UNKNOWN: none */
    int score, depth;
    enum sy_bound bound; /* SY_BOUND_NONE: nothing known */
};

static struct memory recall(const struct sy_engine *engine, unsigned ply)
{
    const struct sy_tt_entry *entry =
        engine->use_table ? sy_tt_find(&engine->tt, engine->frames[ply].key) : NULL;
    if (!entry)
        return (struct memory){SY_NO_MOVE, SY_EVAL_UNKNOWN, 0, 0, SY_BOUND_NONE};
    return (struct memory){sy_eval_relative(engine->eval, engine->position.to_move, entry->move), entry->eval,
                           score_from_table(entry->score, ply), entry->depth, sy_tt_bound(entry)};
}

static void remember(struct sy_engine *engine, unsigned ply, sy_move move, int score, int depth,
                     enum sy_bound bound)
{
    if (!engine->use_table || engine->stopped)
        return;
    const struct sy_frame *frame = &engine->frames[ply];
    sy_tt_store(&engine->tt, frame->key, sy_eval_relative(engine->eval, engine->position.to_move, move),
                score_to_table(score, ply), frame->eval, depth, bound);
}

static bool settles(const struct memory *memory, int depth, int alpha, int beta)
{
    if (memory->bound == SY_BOUND_NONE || memory->depth < depth)
        return false;
    return memory->bound == SY_BOUND_EXACT || (memory->bound == SY_BOUND_LOWER && memory->score >= beta) ||
           (memory->bound == SY_BOUND_UPPER && memory->score <= alpha);
}

/* The static evaluation, kept in the frame (as it is without regard to the clock) when it is whole. */
static int evaluate(struct sy_engine *engine, unsigned ply, const struct memory *memory, int alpha, int beta)
{
    struct sy_frame *frame = &engine->frames[ply];
    if (memory->eval != SY_EVAL_UNKNOWN) {
        frame->eval = memory->eval;
        return sy_rules_faded(engine, memory->eval);
    }
    bool whole;
    const int score = sy_evaluate(engine->eval, &engine->position, &engine->views[ply], &frame->sum,
                                  frame->key, alpha, beta, &whole);
    frame->eval = whole ? score : SY_EVAL_UNKNOWN;
    return sy_rules_faded(engine, score);
}

/* Does the side to move stand better than at its last turn? Where nothing is known, it is said not to. */
static bool is_improving(const struct sy_engine *engine, unsigned ply)
{
    const int eval = engine->frames[ply].eval,
              before = ply >= 2 ? engine->frames[ply - 2].eval : SY_EVAL_UNKNOWN;
    return eval != SY_EVAL_UNKNOWN && before != SY_EVAL_UNKNOWN && eval > before;
}

/* The evaluation, or what an earlier search found where that says more. */
static int informed(const struct memory *memory, int eval)
{
    const bool better = (memory->bound == SY_BOUND_LOWER && memory->score > eval) ||
                        (memory->bound == SY_BOUND_UPPER && memory->score < eval) ||
                        memory->bound == SY_BOUND_EXACT;
    return better && memory->score < SY_WIN_SEEN && memory->score > -SY_WIN_SEEN ? memory->score : eval;
}

/* ---- moves ---- */

void sy_tree_play(struct sy_engine *engine, unsigned ply, sy_move move)
{
    struct sy_frame *frame = &engine->frames[ply];
    frame->move = move;
    frame[1].sum = sy_eval_sum_after(engine->eval, &engine->position, &frame->sum, move);
    sy_make(&engine->position, move, &frame->undo);
    frame[1].key = sy_eval_key(engine->eval, &engine->position, &frame[1].sum);
    frame[1].since_pass = frame->since_pass;
    sy_rules_push_key(engine);
    frame[1].key ^= sy_rules_counter_key(engine, ply + 1);
    sy_tt_prefetch(&engine->tt, frame[1].key);
    engine->nodes++;
}

void sy_tree_unplay(struct sy_engine *engine, unsigned ply)
{
    sy_rules_pop_key(engine);
    sy_unmake(&engine->position, engine->frames[ply].move, &engine->frames[ply].undo);
}

static void extend_line(struct sy_engine *engine, unsigned ply, sy_move move)
{
    sy_move *line = engine->pv[ply];
    line[0] = move;
    for (unsigned i = 0; i < engine->pv_length[ply + 1]; i++)
        line[i + 1] = engine->pv[ply + 1][i];
    engine->pv_length[ply] = engine->pv_length[ply + 1] + 1;
}

/* ---- quiescence ---- */

/* A side left without officers may have no move at all, which no capture would show. */
static bool is_stalled(struct sy_engine *engine, unsigned ply)
{
    return sy_eval_officers(&engine->frames[ply].sum, engine->position.to_move) == 0 &&
           sy_view_count(&engine->views[ply], &engine->position) == 0;
}

/* What a capture or promotion brings in at most. */
static int most_gained(const struct sy_engine *engine, sy_move move)
{
    const int *value = engine->eval->exchange;
    const unsigned victim = sy_move_victim(&engine->position, move);
    int gain = victim == SY_NO_PIECE ? 0 : value[sy_piece_type(victim)];
    if (sy_move_kind(move) == SY_MOVE_PROMOTION)
        gain += value[sy_move_extra(move)] - value[sy_piece_type(engine->position.piece[sy_move_from(move)])];
    return gain;
}

struct window {
    int alpha, beta, best, first_alpha;
    sy_move move;
};

/* True when the score cuts off. */
static bool narrow(struct sy_engine *engine, unsigned ply, struct window *window, sy_move move, int score)
{
    if (score <= window->best)
        return false;
    window->best = score;
    if (score <= window->alpha)
        return false;
    window->move = move;
    window->alpha = score;
    if (window->beta - window->first_alpha > 1)
        extend_line(engine, ply, move);
    return score >= window->beta;
}

static enum sy_bound bound_of(const struct window *window)
{
    return window->best >= window->beta         ? SY_BOUND_LOWER
           : window->best > window->first_alpha ? SY_BOUND_EXACT
                                                : SY_BOUND_UPPER;
}

static void quiesce_moves(struct sy_engine *engine, unsigned ply, int depth, struct window *window,
                          sy_move hash, bool danger)
{
    struct sy_picker picker;
    const int stand = window->best;
    unsigned tried = 0;
    sy_picker_begin(&picker, engine, ply, hash,
                    danger                              ? SY_ALL_MOVES
                    : depth > -engine->set.quiet_checks ? SY_GOOD_CAPTURES_AND_MENACES
                                                        : SY_GOOD_CAPTURES);
    for (sy_move move; (move = sy_picker_next(&picker, engine)) != SY_NO_MOVE;) {
        if (!danger && picker.stage == SY_STAGE_QUIETS) {
            if (!sy_see_reaches(&engine->position, move, engine->eval->exchange, 0))
                continue;
        } else if (!danger) {
            const int reach = stand + most_gained(engine, move) + engine->set.delta_margin;
            if (reach <= window->alpha) {
                window->best = reach > window->best ? reach : window->best;
                continue;
            }
        } else if (depth < 0 && tried >= QUIET_ESCAPES && picker.stage == SY_STAGE_QUIETS &&
                   window->best > -SY_WIN_SEEN) {
            break;
        }
        if (sy_search_out_of_nodes(engine))
            break;
        tried++;
        sy_tree_play(engine, ply, move);
        const int score = -sy_tree_visit(engine, ply + 1, depth - 1, -window->beta, -window->alpha, false);
        sy_tree_unplay(engine, ply);
        if (engine->stopped || narrow(engine, ply, window, move, score))
            break;
    }
    sy_picker_end(&picker, engine);
    if (danger && tried == 0)
        window->best = sy_rules_no_move(engine, ply);
}

int sy_tree_quiesce(struct sy_engine *engine, unsigned ply, int depth, int alpha, int beta, bool danger)
{
    const struct memory memory = recall(engine, ply);
    if (beta - alpha == 1 && settles(&memory, 0, alpha, beta))
        return memory.score;
    struct window window = {alpha, beta, -SY_INFINITE, alpha, SY_NO_MOVE};
    engine->frames[ply].eval = SY_EVAL_UNKNOWN;
    if (!danger || ply >= SY_MAX_PLY - 1) {
        if (is_stalled(engine, ply))
            return sy_rules_no_move(engine, ply);
        window.best = evaluate(engine, ply, &memory, alpha, beta);
        if (window.best >= beta || ply >= SY_MAX_PLY - 1)
            return window.best;
        if (window.best > alpha)
            window.alpha = window.best;
    }
    quiesce_moves(engine, ply, depth, &window, memory.move, danger);
    remember(engine, ply, window.move, window.best, 0, bound_of(&window));
    return window.best;
}

/* ---- pruning a whole node ---- */

static int search(struct sy_engine *engine, unsigned ply, int depth, int alpha, int beta, bool danger,
                  bool may_pass);

/* The score after passing the turn; below beta when that is not to be trusted. */
static int try_pass(struct sy_engine *engine, unsigned ply, int depth, int beta, int eval, int officers)
{
    int surplus = (eval - beta) / (2 * SY_PAWN);
    surplus = surplus > PASS_SURPLUS_MAX ? PASS_SURPLUS_MAX : surplus;
    const int left = depth - engine->set.null_reduction - depth / 4 - surplus;
    struct sy_frame *frame = &engine->frames[ply];
    frame->move = SY_NO_MOVE;
    frame[1].sum = frame->sum;
    frame[1].since_pass = engine->key_count;
    sy_make_null(&engine->position, &frame->undo);
    frame[1].key = sy_eval_key(engine->eval, &engine->position, &frame[1].sum);
    sy_rules_push_key(engine);
    int score = -sy_tree_visit(engine, ply + 1, left - 1, -beta, 1 - beta, false);
    sy_rules_pop_key(engine);
    sy_unmake_null(&engine->position, &frame->undo);
    if (score < beta || engine->stopped)
        return -SY_INFINITE;
    if (depth >= VERIFY_DEPTH || officers <= VERIFY_OFFICERS)
        score = search(engine, ply, left > 1 ? left : 1, beta - 1, beta, false, false);
    return score >= SY_WIN_SEEN ? beta : score;
}

bool sy_tree_is_decided(const struct sy_engine *engine, unsigned ply, int alpha)
{
    const struct sy_eval_sum *sum = &engine->frames[ply].sum;
    return alpha > engine->set.decided || alpha < -engine->set.decided ||
           sy_eval_officers(sum, SY_WHITE) == 0 || sy_eval_officers(sum, SY_BLACK) == 0;
}

/* Is the node not worth searching in full? Then *score bounds it. */
static bool is_settled_early(struct sy_engine *engine, unsigned ply, int depth, int alpha, int eval,
                             bool may_pass, bool improving, int *score)
{
    const struct sy_settings *set = &engine->set;
    const int beta = alpha + 1;
    const int officers = sy_eval_officers(&engine->frames[ply].sum, engine->position.to_move);
    if (sy_tree_is_decided(engine, ply, alpha))
        return false;
    if (depth <= set->reverse_depth && eval - set->reverse_margin * (depth - improving) >= beta) {
        *score = eval;
        return true;
    }
    if (depth <= 2 && eval + set->razor_margin * depth <= alpha) {
        *score = sy_tree_quiesce(engine, ply, 0, alpha, beta, false);
        return *score <= alpha;
    }
    if (!may_pass || depth < set->null_depth || eval < beta || (officers == 1 && set->stalemate != 0))
        return false;
    *score = try_pass(engine, ply, depth, beta, eval, officers);
    return *score >= beta;
}

/* ---- the move loop ---- */

struct node {
    struct window window;
    int depth, eval;
    unsigned ply, legal, quiets, tried_count;
    bool open, danger, decided, improving;
    sy_move tried[MAX_TRIED]; /* quiet moves searched that have not cut off */
};

/* Are the quiet moves still to come not worth playing, but those that attack a royal? Never before a move has
 * been found that does not lose; once true it stays so. */
static bool are_quiets_hopeless(const struct sy_engine *engine, const struct node *node)
{
    const struct sy_settings *set = &engine->set;
    if (node->open || node->danger || node->decided || node->window.best <= -SY_WIN_SEEN)
        return false;
    const bool late =
        node->depth <= set->late_depth &&
        node->quiets >= (unsigned)(set->late_moves + node->depth * node->depth) / (node->improving ? 1 : 2);
    const bool futile = node->depth <= set->futility_depth &&
                        node->eval + set->futility_margin * node->depth <= node->window.alpha;
    return late || futile;
}

static bool is_hopeless_capture(const struct sy_engine *engine, const struct node *node,
                                const struct sy_picker *picker)
{
    const struct sy_settings *set = &engine->set;
    return picker->stage == SY_STAGE_POOR && !node->danger && !node->decided &&
           node->window.best > -SY_WIN_SEEN && node->depth <= set->futility_depth &&
           picker->score < -set->exchange_margin * node->depth;
}

/* Does a quiet move put its piece where it is lost? */
static bool is_hopeless_quiet(const struct sy_engine *engine, const struct node *node,
                              const struct sy_picker *picker, sy_move move)
{
    const struct sy_settings *set = &engine->set;
    return picker->stage == SY_STAGE_QUIETS && !node->open && !node->danger && !node->decided &&
           node->window.best > -SY_WIN_SEEN && node->depth <= set->futility_depth &&
           !sy_see_reaches(&engine->position, move, engine->eval->exchange,
                           -set->quiet_exchange * node->depth);
}

static int reduction_of(const struct sy_engine *engine, const struct node *node,
                        const struct sy_picker *picker)
{
    if (node->depth < 3 || node->legal < 3 || node->danger || node->decided ||
        picker->stage < SY_STAGE_QUIETS)
        return 0;
    int reduction = sy_tree_reduction(engine, node->depth, node->legal) - (node->open ? 1 : 0) +
                    (node->improving ? 0 : 1);
    if (picker->stage == SY_STAGE_QUIETS)
        reduction -= picker->score > SY_HISTORY_MAX / 4 ? 1 : picker->score < -SY_HISTORY_MAX / 4 ? -1 : 0;
    const int most = node->depth - 2;
    return reduction < 0 ? 0 : reduction > most ? most : reduction;
}

static int search_move(struct sy_engine *engine, const struct node *node, int reduction, sy_move move)
{
    const unsigned ply = node->ply;
    const int alpha = node->window.alpha, beta = node->window.beta, depth = node->depth - 1;
    int score = 0;
    sy_tree_play(engine, ply, move);
    const bool first = node->legal == 1;
    if (!first) {
        score = -sy_tree_visit(engine, ply + 1, depth - reduction, -alpha - 1, -alpha, true);
        if (score > alpha && reduction > 0 && !engine->stopped)
            score = -sy_tree_visit(engine, ply + 1, depth, -alpha - 1, -alpha, true);
    }
    if ((first || (score > alpha && score < beta)) && !engine->stopped)
        score = -sy_tree_visit(engine, ply + 1, depth, -beta, -alpha, true);
    sy_tree_unplay(engine, ply);
    return score;
}

static void search_moves(struct sy_engine *engine, struct node *node, sy_move hash)
{
    struct sy_picker picker;
    sy_picker_begin(&picker, engine, node->ply, hash, SY_ALL_MOVES);
    for (;;) {
        if (!picker.menaces_only && are_quiets_hopeless(engine, node))
            sy_picker_only_menaces(&picker, engine);
        const sy_move move = sy_picker_next(&picker, engine);
        if (move == SY_NO_MOVE)
            break;
        node->legal++;
        if (is_hopeless_capture(engine, node, &picker) || is_hopeless_quiet(engine, node, &picker, move))
            continue;
        const bool quiet =
            sy_move_victim(&engine->position, move) == SY_NO_PIECE && sy_move_kind(move) != SY_MOVE_PROMOTION;
        if (sy_search_out_of_nodes(engine))
            break;
        const int score = search_move(engine, node, reduction_of(engine, node, &picker), move);
        if (engine->stopped)
            break;
        if (narrow(engine, node->ply, &node->window, move, score)) {
            if (quiet)
                sy_order_reward(engine, node->ply, move, node->tried, node->tried_count, node->depth);
            break;
        }
        if (quiet && node->tried_count < MAX_TRIED)
            node->tried[node->tried_count++] = move;
        node->quiets += quiet;
    }
    sy_picker_end(&picker, engine);
}

static int search(struct sy_engine *engine, unsigned ply, int depth, int alpha, int beta, bool danger,
                  bool may_pass)
{
    const bool open = beta - alpha > 1;
    const struct memory memory = recall(engine, ply);
    if (!open && may_pass && settles(&memory, depth, alpha, beta))
        return memory.score;
    int eval = -SY_INFINITE, score;
    bool improving = false;
    engine->frames[ply].eval = SY_EVAL_UNKNOWN;
    if (!danger) {
        eval = informed(&memory, evaluate(engine, ply, &memory, alpha, beta));
        improving = is_improving(engine, ply);
        if (!open && is_settled_early(engine, ply, depth, alpha, eval, may_pass, improving, &score))
            return score;
        if (engine->stopped)
            return 0;
    }
    engine->frames[ply + 1].killer[0] = engine->frames[ply + 1].killer[1] = SY_NO_MOVE;
    struct node node; /* `tried` is not cleared: that would cost more than all the rest */
    node.window = (struct window){alpha, beta, -SY_INFINITE, alpha, SY_NO_MOVE};
    node.depth = depth - (memory.move == SY_NO_MOVE && depth >= 4);
    node.eval = eval;
    node.ply = ply;
    node.legal = node.quiets = node.tried_count = 0;
    node.open = open;
    node.danger = danger;
    node.improving = improving;
    node.decided = sy_tree_is_decided(engine, ply, alpha);
    search_moves(engine, &node, memory.move);
    if (node.legal == 0)
        return sy_rules_no_move(engine, ply);
    remember(engine, ply, node.window.move, node.window.best, node.depth, bound_of(&node.window));
    return node.window.best;
}

int sy_tree_visit(struct sy_engine *engine, unsigned ply, int depth, int alpha, int beta, bool may_pass)
{
    int score;
    engine->pv_length[ply] = 0;
    if (sy_rules_ended(engine, ply, &score))
        return score;
    const struct sy_frame *last = &engine->frames[ply - 1];
    sy_view_open(&engine->views[ply], &engine->position,
                 sy_view_follows(last->move) ? &engine->views[ply - 1] : NULL);
    if (sy_rules_can_take_royal(engine, ply))
        return SY_WIN - (int)ply - 1;
    /* No line from here is better than winning next ply, or worse than having lost already. */
    const int most = SY_WIN - (int)ply - 1, least = -SY_WIN + (int)ply;
    alpha = alpha > least ? alpha : least;
    beta = beta < most ? beta : most;
    if (alpha >= beta)
        return alpha;
    const bool danger = sy_rules_in_danger(engine, ply);
    if (danger && depth > 0 && ply < 2 * engine->iteration)
        depth += engine->set.check_extension;
    if (depth <= 0 || ply >= SY_MAX_PLY - 1)
        return sy_tree_quiesce(engine, ply, depth, alpha, beta, danger);
    return search(engine, ply, depth, alpha, beta, danger, may_pass);
}
