/* match_result: what a match has shown, as JSON and for a reader. */
#include "steelyard/match.h"
#include "steelyard/version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "steelyard-match-1";
static const char *const verdicts[] = {"open", "H0", "H1"};

struct sy_pairs sy_match_pairs(const struct sy_match_result *result, struct sy_pairs_room *room)
{
    size_t step = 2, levels = 0;
    for (size_t k = 1; k < SY_PAIR_LEVELS; k += 2)
        if (result->pairs[k] > 0)
            step = 1;
    for (size_t k = 0; k < SY_PAIR_LEVELS; k += step, levels++) {
        room->score[levels] = (double)k / (SY_PAIR_LEVELS - 1);
        room->count[levels] = result->pairs[k];
    }
    return (struct sy_pairs){levels, room->score, room->count};
}

static uint64_t pairs_counted(const struct sy_match_result *result)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < SY_PAIR_LEVELS; k++)
        sum += result->pairs[k];
    return sum;
}

/* ---- JSON ---- */

static struct sy_json *number_or_null(bool there, double number)
{
    return there ? sy_json_new_number(number) : sy_json_new_null();
}

static struct sy_json *score_json(struct sy_estimate score)
{
    const bool there = score.status == SY_STAT_OK;
    struct sy_json *object = sy_json_new_object();
    sy_json_add(object, "value", number_or_null(there, score.value));
    sy_json_add(object, "error", number_or_null(there, score.error));
    sy_json_add(object, "low", number_or_null(there, score.low));
    sy_json_add(object, "high", number_or_null(there, score.high));
    return object;
}

static struct sy_json *elo_json(struct sy_match_elo elo)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add(object, "value", number_or_null(elo.has_value, elo.value));
    sy_json_add(object, "low", number_or_null(elo.has_low, elo.low));
    sy_json_add(object, "high", number_or_null(elo.has_high, elo.high));
    return object;
}

static struct sy_json *pairs_json(const struct sy_pairs *pairs)
{
    struct sy_json *object = sy_json_new_object(), *points = sy_json_new_array(),
                   *counts = sy_json_new_array();
    for (size_t k = 0; k < pairs->levels; k++) {
        sy_json_append(points, sy_json_new_number(2 * pairs->score[k]));
        sy_json_append(counts, sy_json_new_int((int64_t)pairs->count[k]));
    }
    sy_json_add(object, "points", points);
    sy_json_add(object, "counts", counts);
    return object;
}

static struct sy_json *sprt_json(const struct sy_match *match, const struct sy_match_result *result)
{
    struct sy_json *object = sy_json_new_object();
    sy_json_add_number(object, "elo0", match->sprt.elo0);
    sy_json_add_number(object, "elo1", match->sprt.elo1);
    sy_json_add_number(object, "alpha", match->sprt.alpha);
    sy_json_add_number(object, "beta", match->sprt.beta);
    sy_json_add_number(object, "llr", result->sprt.llr);
    sy_json_add_number(object, "lower", result->sprt.lower);
    sy_json_add_number(object, "upper", result->sprt.upper);
    sy_json_add_string(object, "accepted", verdicts[result->sprt.verdict]);
    return object;
}

static void add_counts(struct sy_json *object, const struct sy_match_result *result)
{
    struct sy_json *games = sy_json_new_object(), *reasons = sy_json_new_object();
    sy_json_add_int(games, "played", (int64_t)result->played);
    sy_json_add_int(games, "void", (int64_t)result->voided);
    sy_json_add_int(games, "unfinished", (int64_t)result->unfinished);
    sy_json_add_int(games, "won", (int64_t)result->won);
    sy_json_add_int(games, "drawn", (int64_t)result->drawn);
    sy_json_add_int(games, "lost", (int64_t)result->lost);
    sy_json_add(object, "games", games);
    for (size_t i = 0; i < result->reason_count; i++)
        sy_json_add_int(reasons, result->reasons[i].text, (int64_t)result->reasons[i].games);
    sy_json_add(object, "reasons", reasons);
}

static void add_statistics(struct sy_json *object, const struct sy_match *match,
                           const struct sy_match_result *result)
{
    struct sy_pairs_room room;
    double chance;
    const struct sy_pairs pairs = sy_match_pairs(result, &room);
    const struct sy_estimate score = sy_match_score(&pairs, match->confidence);
    const uint64_t counted = pairs_counted(result);
    const bool superior = sy_match_superiority(score, &chance);
    sy_json_add(object, "pairs", pairs_json(&pairs));
    sy_json_add(object, "score", score_json(score));
    sy_json_add(object, "elo", elo_json(sy_match_elo(score)));
    sy_json_add(object, "superiority", number_or_null(superior, chance));
    sy_json_add(object, "white_score",
                number_or_null(counted > 0, counted > 0 ? result->white_points / (2 * (double)counted) : 0));
    if (match->sequential)
        sy_json_add(object, "sprt", sprt_json(match, result));
}

char *sy_match_json(const struct sy_match *match, const struct sy_match_result *result)
{
    struct sy_json *object = sy_json_new_object(), *players = sy_json_new_array();
    sy_json_add_string(object, "format", format_name);
    sy_json_add_string(object, "program", sy_version);
    sy_json_add_string(object, "revision", sy_revision);
    for (int i = 0; i < 2; i++)
        sy_json_append(players, sy_json_new_string(match->player[i].name));
    sy_json_add(object, "players", players);
    sy_json_add_bool(object, "repeatable", sy_match_repeats(match));
    add_counts(object, result);
    add_statistics(object, match, result);
    sy_json_add_string(object, "games_sha256", result->digest);
    sy_json_add_string(object, "rules_sha256", match->variant->digest);
    sy_json_add(object, "match", sy_json_copy(sy_json_root(match->doc)));
    char *bytes = sy_json_text(object, true);
    char *text = sy_format("%s\n", bytes);
    free(bytes);
    sy_json_delete(object);
    return text;
}

/* ---- for a reader ---- */

static void write_elo(struct sy_text *text, struct sy_match_elo elo)
{
    if (elo.has_value && elo.has_low && elo.has_high)
        sy_text_printf(text, ", Elo %+.0f (%+.0f to %+.0f)", elo.value, elo.low, elo.high);
    else if (elo.has_low)
        sy_text_printf(text, ", Elo above %+.0f", elo.low);
    else if (elo.has_high)
        sy_text_printf(text, ", Elo below %+.0f", elo.high);
}

static void write_score(struct sy_text *text, const struct sy_match *match, const struct sy_pairs *pairs)
{
    const struct sy_estimate score = sy_match_score(pairs, match->confidence);
    double chance;
    if (score.status != SY_STAT_OK) {
        sy_text_puts(text, "  no pair of games has ended\n");
        return;
    }
    sy_text_printf(text, "  %s scores %.1f %% (%.1f to %.1f)", match->player[0].name, 100 * score.value,
                   100 * score.low, 100 * score.high);
    write_elo(text, sy_match_elo(score));
    if (sy_match_superiority(score, &chance))
        sy_text_printf(text, ", better with a chance of %.1f %%", 100 * chance);
    sy_text_puts(text, "\n");
}

static void write_counts(struct sy_text *text, const struct sy_match_result *result,
                         const struct sy_pairs *pairs)
{
    sy_text_printf(text,
                   "  won %" PRIu64 ", drawn %" PRIu64 ", lost %" PRIu64 "; pairs by points:", result->won,
                   result->drawn, result->lost);
    for (size_t k = 0; k < pairs->levels; k++)
        sy_text_printf(text, "%s %g: %" PRIu64, k > 0 ? "," : "", 2 * pairs->score[k], pairs->count[k]);
    sy_text_puts(text, "\n");
}

char *sy_match_text(const struct sy_match *match, const struct sy_match_result *result)
{
    struct sy_text text = SY_TEXT_INIT;
    struct sy_pairs_room room;
    const struct sy_pairs pairs = sy_match_pairs(result, &room);
    sy_text_printf(&text, "%s against %s, %s: %" PRIu64 " games, %" PRIu64 " pairs counted\n",
                   match->player[0].name, match->player[1].name, match->variant->title, result->played,
                   pairs_counted(result));
    write_score(&text, match, &pairs);
    write_counts(&text, result, &pairs);
    if (match->sequential)
        sy_text_printf(&text, "  SPRT of Elo %g against %g: LLR %.2f of %.2f to %.2f, %s%s\n",
                       match->sprt.elo0, match->sprt.elo1, result->sprt.llr, result->sprt.lower,
                       result->sprt.upper, result->sprt.verdict == SY_SPRT_OPEN ? "still " : "accepts ",
                       verdicts[result->sprt.verdict]);
    if (result->voided > 0)
        sy_text_printf(&text, "  void %" PRIu64 ", left out with their pairs; the last, %s\n", result->voided,
                       result->last_void);
    if (result->unfinished > 0)
        sy_text_printf(&text, "  unfinished %" PRIu64 ", left out with their pairs\n", result->unfinished);
    if (!sy_match_repeats(match))
        sy_text_puts(&text, "  not repeatable: a player is another program, or limited by time\n");
    return text.bytes;
}
