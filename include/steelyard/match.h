/* match: two players against each other, in pairs of games with one opening and colours exchanged.
 *
 * Games are numbered from 0; games 2k and 2k + 1 are a pair, and in the first of them player 0 has White.
 * They are played on many threads and counted in their order, so that a match between players that repeat
 * themselves (sy_match_repeats) depends on its file alone, wherever a sequential test ends it. */
#ifndef STEELYARD_MATCH_H
#define STEELYARD_MATCH_H

#include "steelyard/experiment.h"
#include "steelyard/player.h"
#include "steelyard/stats_match.h"

#include <stdatomic.h>

struct sy_match {
    struct sy_json_doc *doc;          /* the file */
    struct sy_experiment *openings;   /* variant, seed, openings, and when games are cut off */
    const struct sy_variant *variant; /* of the above */
    struct sy_player_spec player[2];
    uint64_t games;    /* at most; even */
    unsigned failures; /* so many void games in a row end the match */
    double confidence; /* of the intervals */
    bool sequential;   /* there is a test */
    struct sy_sprt sprt;
};

/* Reads and checks a match file; its keys are described in experiments/README.md. */
SY_MUST_USE enum sy_status sy_match_load(const char *path, struct sy_match **out, struct sy_error *error);
void sy_match_free(struct sy_match *match); /* NULL ok */
bool sy_match_repeats(const struct sy_match *match);

enum { SY_PAIR_LEVELS = 9, SY_MATCH_REASONS = 64 };

struct sy_match_reason {
    char text[64];
    uint64_t games;
};

/* What has been counted. A pair counts when both its games have ended by the rules or by adjudication; `void`
 * are games that a player's failure ended, `unfinished` those cut off. */
struct sy_match_result {
    uint64_t played, voided, unfinished; /* games */
    uint64_t pairs[SY_PAIR_LEVELS];      /* pairs in which player 0 scored k / 4 of 2 points */
    uint64_t won, drawn, lost; /* games of those pairs, for player 0: more than, exactly, less than 1/2 */
    double white_points;       /* of those games, for whoever had White */
    size_t reason_count;
    struct sy_match_reason reasons[SY_MATCH_REASONS]; /* how games ended, in order of appearance */
    struct sy_sprt_state sprt;                        /* when the match is sequential */
    char digest[65];                                  /* SHA-256 of the games' lines */
    char last_void[256];                              /* "game N: PLAYER what happened" */
};

struct sy_match_options {
    const char *directory; /* games.jsonl and match.json go there; NULL: nowhere */
    bool resume;           /* go on with the games that are there */
    unsigned threads;
    const atomic_int *stop; /* not 0: end, with what has been counted; NULL ok */
    void (*progress)(void *context, const struct sy_match_result *result, double seconds); /* NULL ok */
    void (*warn)(void *context, const char *message); /* what the user should know; NULL ok */
    void *context;
};

/* Plays the match. *result is what has been counted, also when it fails. */
SY_MUST_USE enum sy_status sy_match_play(const struct sy_match *match, const struct sy_match_options *options,
                                         struct sy_match_result *result, struct sy_error *error);

/* Score and pairs of player 0 as the statistics want them: five levels, or nine when quarter points occurred.
 * The arrays live in *room. */
struct sy_pairs_room {
    double score[SY_PAIR_LEVELS];
    uint64_t count[SY_PAIR_LEVELS];
};
struct sy_pairs sy_match_pairs(const struct sy_match_result *result, struct sy_pairs_room *room);

/* The result as match.json has it, and as a few lines for a reader, new strings. */
char *sy_match_json(const struct sy_match *match, const struct sy_match_result *result);
char *sy_match_text(const struct sy_match *match, const struct sy_match_result *result);

#endif
