/* rules_data: what the tests of the rules share: variants, lines of tests/data, and checks that say what was
 * found and where. Used by test_rules.c and long_rules.c. */
#ifndef STEELYARD_RULES_DATA_H
#define STEELYARD_RULES_DATA_H

#include "steelyard/movegen.h"
#include "steelyard/notation.h"
#include "steelyard/outcome.h"

/* An assertion whose failure reads as the message. Returns ok. */
#define CHECK(ok, ...) rules_check((ok), __FILE__, __LINE__, __VA_ARGS__)
bool rules_check(bool ok, const char *file, unsigned line, const char *format, ...) SY_PRINTF(4, 5);

/* The named variant, or reading, or file. It lives until another is asked for; ends the test when it cannot
 * be loaded. rules_forget releases the last one. */
const struct sy_variant *rules_variant(const char *name);
void rules_forget(void);

/* One line of a JSON-lines file. `variant` is the one that its "variant" names, or the reader's default. */
struct rules_line {
    char place[64]; /* "endings.jsonl:12" */
    const struct sy_json_doc *doc;
    const struct sy_json *object;
    const struct sy_variant *variant;
};
/* Reads the file and calls `visit` for each line; returns how many there were. */
unsigned rules_each_line(const char *path, const char *default_variant,
                         void (*visit)(const struct rules_line *line));
/* A member that must be there. */
const char *rules_string(const struct rules_line *line, const char *key);
double rules_number(const struct rules_line *line, const char *key);

/* A game: a position and the keys it has passed through. */
struct rules_game {
    struct sy_position position;
    struct sy_history history;
};
/* Sets up the position (NULL: the variant's start). False, with a failed check, when it cannot be read. */
bool rules_game_start(struct rules_game *game, const struct sy_variant *variant, const char *fen,
                      const char *place);
/* Plays one move, written as a word of `length` bytes; the same. */
bool rules_game_move(struct rules_game *game, const char *word, size_t length, const char *place);
/* Plays moves separated by spaces. */
bool rules_game_play(struct rules_game *game, const char *moves, const char *place);
struct sy_outcome rules_game_outcome(const struct rules_game *game);
void rules_game_end(struct rules_game *game);

/* One line of positions_*.jsonl: moves, their list, check, outcome, and perft. */
void rules_check_position(const struct rules_line *line);
/* One line of a file of played games: the moves lead to final_fen, and to mate if it says so. */
void rules_check_tournament_game(const struct rules_line *line);
/* Every count of perft.json that is above `more_than` and at most `at_most`. */
void rules_check_perft(uint64_t more_than, uint64_t at_most);
/* One line of problems.jsonl: exactly the keys force mate in that many moves. */
void rules_check_problem(const struct rules_line *line);

#endif
