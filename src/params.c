/* The engine's parameters: names, defaults, ranges, and setting them by name.
 *
 * The defaults were found by matches of the engine against itself on several games at once; they belong to
 * no game. */
#include "steelyard/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sy_param_info infos[SY_PARAM_COUNT] = {
    [SY_EVAL_MOBILITY] = {"eval.mobility", 0.15, -10, 10, "pawns",
                          "Worth of a piece's mobility, per square root of the cells it can go to."},
    [SY_EVAL_MOBILITY_BARE] = {"eval.mobility_bare", 0.1, -10, 10, "pawns",
                               "The same with few pieces on the board."},
    [SY_EVAL_PLACEMENT] = {"eval.placement", 0.25, -10, 10, "pawns",
                           "Worth of a piece's cell, per square root of its reach on the empty board."},
    [SY_EVAL_PLACEMENT_BARE] = {"eval.placement_bare", 0.2, -10, 10, "pawns",
                                "The same with few pieces on the board."},
    [SY_EVAL_ADVANCE] = {"eval.advance", 0, -10, 10, "pawns",
                         "Worth of a pawn's whole way to promotion; grows with the square of the way."},
    [SY_EVAL_ADVANCE_BARE] = {"eval.advance_bare", 1.1, -10, 10, "pawns",
                              "The same with few pieces on the board."},
    [SY_EVAL_PASSED] = {"eval.passed", 0.5, -10, 10, "pawns",
                        "More for the way of a pawn that no enemy pawn can stop."},
    [SY_EVAL_PASSED_BARE] = {"eval.passed_bare", 0.9, -10, 10, "pawns",
                             "The same with few pieces on the board."},
    [SY_EVAL_SUPPORT] = {"eval.support", 0.03, -10, 10, "pawns",
                         "Per pawn that a pawn of its own side defends."},
    [SY_EVAL_SUPPORT_BARE] = {"eval.support_bare", 0.06, -10, 10, "pawns",
                              "The same with few pieces on the board."},
    [SY_EVAL_DOUBLED] = {"eval.doubled", 0, -10, 10, "pawns",
                         "Lost per pawn that has a pawn of its own side on its way."},
    [SY_EVAL_DOUBLED_BARE] = {"eval.doubled_bare", 0.15, -10, 10, "pawns",
                              "The same with few pieces on the board."},
    [SY_EVAL_ISOLATED] = {"eval.isolated", 0.04, -10, 10, "pawns",
                          "Lost per pawn that no pawn of its own side can come to defend."},
    [SY_EVAL_ISOLATED_BARE] = {"eval.isolated_bare", 0, -10, 10, "pawns",
                               "The same with few pieces on the board."},
    [SY_EVAL_OUTPOST] =
        {"eval.outpost", 0.1, -10, 10, "pawns",
         "Per piece that a pawn of its own side defends and that no enemy pawn can come to attack."},
    [SY_EVAL_OUTPOST_BARE] = {"eval.outpost_bare", 0.08, -10, 10, "pawns",
                              "The same with few pieces on the board."},
    [SY_EVAL_PASSED_BLOCKED] = {"eval.passed_blocked", 0.1, -10, 10, "pawns",
                                "Of eval.passed, lost while every way on is occupied."},
    [SY_EVAL_PASSED_BLOCKED_BARE] = {"eval.passed_blocked_bare", 0.35, -10, 10, "pawns",
                                     "The same with few pieces on the board."},
    [SY_EVAL_PASSED_FREE] = {"eval.passed_free", 0.15, -10, 10, "pawns",
                             "More than eval.passed, while the enemy attacks no cell of the whole way."},
    [SY_EVAL_PASSED_FREE_BARE] = {"eval.passed_free_bare", 1, -10, 10, "pawns",
                                  "The same with few pieces on the board."},
    [SY_EVAL_PASSED_ESCORT] =
        {"eval.passed_escort", 0, -10, 10, "pawns",
         "Of eval.passed, lost per step between the pawn and the nearest royal of its side."},
    [SY_EVAL_PASSED_ESCORT_BARE] = {"eval.passed_escort_bare", 0.15, -10, 10, "pawns",
                                    "The same with few pieces on the board."},
    [SY_EVAL_PASSED_CHASE] = {"eval.passed_chase", 0, -10, 10, "pawns",
                              "More than eval.passed per step between the pawn and the nearest enemy royal."},
    [SY_EVAL_PASSED_CHASE_BARE] = {"eval.passed_chase_bare", 0.45, -10, 10, "pawns",
                                   "The same with few pieces on the board."},
    [SY_EVAL_ROYAL_ATTACK] = {"eval.royal_attack", 0.05, -10, 10, "pawns",
                              "Per attacker and attacked cell on and beside a royal."},
    [SY_EVAL_ROYAL_ATTACK_BARE] = {"eval.royal_attack_bare", 0, -10, 10, "pawns",
                                   "The same with few pieces on the board."},
    [SY_EVAL_ROYAL_HITS] = {"eval.royal_hits", 0.04, -10, 10, "pawns",
                            "Per attacked cell on and beside a royal, for each attacker."},
    [SY_EVAL_ROYAL_HITS_BARE] = {"eval.royal_hits_bare", 0.03, -10, 10, "pawns",
                                 "The same with few pieces on the board."},
    [SY_EVAL_ROYAL_EXITS] =
        {"eval.royal_exits", 0, -10, 10, "pawns",
         "Per cell beside a royal that is not attacked and has no piece of its own side."},
    [SY_EVAL_ROYAL_EXITS_BARE] = {"eval.royal_exits_bare", 0, -10, 10, "pawns",
                                  "The same with few pieces on the board."},
    [SY_EVAL_SHELTER] = {"eval.shelter", 0.12, -10, 10, "pawns", "Per pawn of its own side beside a royal."},
    [SY_EVAL_SHELTER_BARE] = {"eval.shelter_bare", 0, -10, 10, "pawns",
                              "The same with few pieces on the board."},
    [SY_EVAL_THREAT] = {"eval.threat", 0.43, -10, 10, "pawns", "Per piece that an enemy pawn attacks."},
    [SY_EVAL_THREAT_BARE] = {"eval.threat_bare", 0.27, -10, 10, "pawns",
                             "The same with few pieces on the board."},
    [SY_EVAL_TRADE_UP] = {"eval.trade_up", 0.42, -10, 10, "pawns",
                          "Per piece that an enemy piece of lesser value attacks."},
    [SY_EVAL_TRADE_UP_BARE] = {"eval.trade_up_bare", 0.25, -10, 10, "pawns",
                               "The same with few pieces on the board."},
    [SY_EVAL_HANGING] = {"eval.hanging", 0.06, -10, 10, "pawns", "Per piece attacked and not defended."},
    [SY_EVAL_HANGING_BARE] = {"eval.hanging_bare", 0.45, -10, 10, "pawns",
                              "The same with few pieces on the board."},
    [SY_EVAL_HANGING_OFFICER] = {"eval.hanging_officer", 0.18, -10, 10, "pawns",
                                 "More than eval.hanging when it is not a pawn."},
    [SY_EVAL_HANGING_OFFICER_BARE] = {"eval.hanging_officer_bare", 0, -10, 10, "pawns",
                                      "The same with few pieces on the board."},
    [SY_EVAL_ROYAL_COVER] = {"eval.royal_cover", 0.2, -3, 3, "pawns",
                             "While there are many pieces: a royal's wish for cells with few lines to them."},
    [SY_EVAL_ROYAL_CENTRE] = {"eval.royal_centre", 0.27, -3, 3, "pawns",
                              "When there are few pieces: a royal's wish for cells with a wide reach."},
    [SY_EVAL_TABLES] = {"eval.tables", 1, 0, 10, "",
                        "How much the tables in the variant's file count, if it has any."},
    [SY_EVAL_TEMPO] = {"eval.tempo", 0.1, -2, 2, "pawns", "For having the move."},
    [SY_EVAL_LAZY] = {"eval.lazy", 2.5, 0.5, 1000, "pawns",
                      "Beyond the window by more than this, material and placement alone are summed."},
    [SY_EVAL_NOISE] = {"eval.noise", 0, 0, 10, "pawns",
                       "Standard deviation of a seeded random term, fixed for each position."},
    [SY_SEARCH_QUARTER_POINT] = {"search.quarter_point", 2.0, 0, 50, "pawns",
                                 "What an ending a quarter point above a draw is worth."},
    [SY_SEARCH_ASPIRATION] = {"search.aspiration", 0.25, 0.01, 1000, "pawns",
                              "Half the first window round the last iteration's score."},
    [SY_SEARCH_CHECK_EXTENSION] = {"search.check_extension", 1, 0, 1, "plies",
                                   "Deeper by this when a royal is attacked."},
    [SY_SEARCH_NULL_DEPTH] = {"search.null_depth", 3, 1, 100, "plies",
                              "Passing the turn is tried from this depth on."},
    [SY_SEARCH_NULL_REDUCTION] = {"search.null_reduction", 3, 1, 20, "plies",
                                  "How much shallower after passing; a quarter of the depth is added."},
    [SY_SEARCH_REDUCTION] = {"search.reduction", 0.65, 0, 3, "",
                             "Late moves: reduction per product of the logarithms of depth and number."},
    [SY_SEARCH_REVERSE_DEPTH] = {"search.reverse_depth", 7, 0, 100, "plies",
                                 "Up to this depth an evaluation far above the window ends the search."},
    [SY_SEARCH_REVERSE_MARGIN] = {"search.reverse_margin", 0.80, 0, 100, "pawns",
                                  "How far above, per ply of depth."},
    [SY_SEARCH_RAZOR_MARGIN] = {"search.razor_margin", 4, 0, 1000, "pawns",
                                "So far below the window, per ply, depths 1 and 2 become quiescence."},
    [SY_SEARCH_FUTILITY_DEPTH] = {"search.futility_depth", 4, 0, 100, "plies",
                                  "Up to this depth quiet moves that cannot reach the window are left out."},
    [SY_SEARCH_FUTILITY_MARGIN] = {"search.futility_margin", 0.85, 0, 100, "pawns",
                                   "What a quiet move may gain, per ply of depth."},
    [SY_SEARCH_LATE_DEPTH] = {"search.late_depth", 5, 0, 100, "plies",
                              "Up to this depth late quiet moves are left out."},
    [SY_SEARCH_LATE_MOVES] = {"search.late_moves", 6, 1, 1000, "",
                              "Quiet moves tried at least; the square of the depth is added."},
    [SY_SEARCH_EXCHANGE_MARGIN] =
        {"search.exchange_margin", 1.0, 0, 1000, "pawns",
         "Captures that lose more than this per ply of depth are left out when shallow."},
    [SY_SEARCH_DELTA_MARGIN] = {"search.delta_margin", 1.5, 0, 1000, "pawns",
                                "In quiescence: what a capture may gain beyond its victim's value."},
    [SY_SEARCH_QUIET_CHECKS] =
        {"search.quiet_checks", 0, 0, 100, "plies",
         "In so many plies of quiescence, quiet moves that attack a royal are tried too."},
    [SY_SEARCH_QUIET_EXCHANGE] =
        {"search.quiet_exchange", 0.5, 0, 1000, "pawns",
         "Quiet moves that lose more than this per ply of depth by exchange are left out when shallow."},
    [SY_SEARCH_DECIDED] = {"search.decided", 12, 0, 300, "pawns",
                           "When the score is this far from even, nothing is pruned by margins."},
};

_Static_assert(SY_PARAM_COUNT <= SY_MAX_PARAMS, "more parameters than sy_params has room for");

static const double value_max = 100;

size_t sy_param_count(void)
{
    return SY_PARAM_COUNT;
}

const struct sy_param_info *sy_param_info(size_t index)
{
    return &infos[index];
}

void sy_params_default(const struct sy_variant *variant, struct sy_params *params)
{
    memset(params, 0, sizeof *params);
    for (unsigned i = 0; i < variant->materials; i++)
        params->value[i] = variant->material_royal[i] ? 0 : variant->believed[i];
    for (size_t i = 0; i < SY_PARAM_COUNT; i++)
        params->other[i] = variant->tuned && !isnan(variant->tuned->engine[i]) ? variant->tuned->engine[i]
                                                                               : infos[i].fallback;
}

double *sy_params_find(const struct sy_variant *variant, struct sy_params *params, const char *name,
                       double *min, double *max)
{
    static const char prefix[] = "value.";
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) {
        for (unsigned i = 0; i < variant->materials; i++) {
            if (!variant->material_royal[i] && strcmp(variant->material[i], name + sizeof prefix - 1) == 0) {
                *min = 0;
                *max = value_max;
                return &params->value[i];
            }
        }
        return NULL;
    }
    for (size_t i = 0; i < SY_PARAM_COUNT; i++) {
        if (strcmp(infos[i].name, name) == 0) {
            *min = infos[i].min;
            *max = infos[i].max;
            return &params->other[i];
        }
    }
    return NULL;
}

/* The nearest name there is, for the message about one that there is not; a new string, empty if none. */
static char *did_you_mean(const struct sy_variant *variant, const char *name)
{
    char values[SY_MAX_TYPES][SY_PIECE_NAME + 8];
    const char *words[SY_MAX_TYPES + SY_PARAM_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < SY_PARAM_COUNT; i++)
        words[count++] = infos[i].name;
    for (unsigned i = 0; i < variant->materials; i++) {
        if (variant->material_royal[i])
            continue;
        strcpy(values[i], "value.");
        strcat(values[i], variant->material[i]);
        words[count++] = values[i];
    }
    const char *nearest = sy_nearest_word(name, words, count);
    return nearest ? sy_format(": did you mean '%s'?", nearest) : sy_strdup("");
}

enum sy_status sy_params_read(const struct sy_variant *variant, const struct sy_json_doc *doc,
                              const struct sy_json *object, struct sy_params *params, struct sy_error *error)
{
    for (const struct sy_json *member = sy_json_first(object); member; member = sy_json_next(member)) {
        const char *name = sy_json_key(member);
        double min, max, *slot = sy_params_find(variant, params, name, &min, &max);
        if (!slot) {
            char *hint = did_you_mean(variant, name);
            enum sy_status status = sy_json_fail(doc, member, error, "no such parameter%s", hint);
            free(hint);
            return status;
        }
        enum sy_status status = sy_json_get_double(doc, object, name, min, max, slot, error);
        if (status != SY_OK)
            return status;
    }
    return SY_OK;
}

enum sy_status sy_params_assign(const struct sy_variant *variant, const char *assignment,
                                struct sy_params *params, struct sy_error *error)
{
    const char *equals = strchr(assignment, '=');
    double number, min, max;
    if (!equals || !sy_parse_double(equals + 1, &number))
        return sy_fail(error, SY_USAGE, "'%s' is not of the form NAME=NUMBER", assignment);
    char *name = sy_format("%.*s", (int)(equals - assignment), assignment);
    double *slot = sy_params_find(variant, params, name, &min, &max);
    enum sy_status status = SY_OK;
    if (!slot) {
        char *hint = did_you_mean(variant, name);
        status = sy_fail(error, SY_USAGE, "no parameter is called '%s'%s", name, hint);
        free(hint);
    } else if (number < min || number > max) {
        status = sy_fail(error, SY_USAGE, "%s must be from %g to %g, not %g", name, min, max, number);
    } else {
        *slot = number;
    }
    free(name);
    return status;
}
