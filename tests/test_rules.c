/* Tests of the rules: every line of tests/data through the library, and what must hold in every game. */
#include "rules_data.h"

#include "steelyard/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

static const char *const games[] = {"chess", "glinski", "mccooey", "panal", "shafran", "sunflower"};
enum { GAMES = sizeof games / sizeof *games };

static int forget(void)
{
    rules_forget();
    return 0;
}

/* ---- reference data ---- */

static void test_positions_glinski(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_glinski.jsonl", "glinski", rules_check_position),
                    120);
}

static void test_positions_mccooey(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_mccooey.jsonl", "mccooey", rules_check_position),
                    80);
}

static void test_positions_panal(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_panal.jsonl", "panal", rules_check_position), 87);
}

static void test_positions_shafran(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_shafran.jsonl", "shafran", rules_check_position),
                    110);
}

static void test_positions_sunflower(void)
{
    CU_ASSERT_EQUAL(
        rules_each_line("tests/data/positions_sunflower.jsonl", "sunflower", rules_check_position), 120);
}

static void test_perft(void)
{
    rules_check_perft(0, 8000000);
}

/* The outcome after the last move is the line's, and none came sooner. A null "reason" is a game that goes
 * on. */
static void check_ending(const struct rules_line *line)
{
    struct rules_game game;
    const char *fen = sy_json_string(sy_json_member(line->object, "fen"));
    const char *expected = sy_json_string(sy_json_member(line->object, "reason"));
    const char *word = rules_string(line, "moves");
    if (!rules_game_start(&game, line->variant, fen, line->place)) {
        return;
    }
    while (*word) {
        const size_t length = strcspn(word, " ");
        CHECK(rules_game_outcome(&game).reason == SY_GOING_ON, "%s: over before %s", line->place, word);
        if (!rules_game_move(&game, word, length, line->place)) {
            rules_game_end(&game);
            return;
        }
        word += length;
        word += strspn(word, " ");
    }
    char buffer[64];
    const struct sy_outcome outcome = rules_game_outcome(&game);
    const char *reason = sy_reason_text(line->variant, outcome.reason, buffer);
    CHECK(reason && expected ? strcmp(reason, expected) == 0 : reason == expected, "%s: ends by %s, not %s",
          line->place, reason ? reason : "nothing", expected ? expected : "nothing");
    if (expected) {
        CHECK(outcome.white_points == rules_number(line, "white_points"), "%s: White gets %g", line->place,
              outcome.white_points);
    }
    rules_game_end(&game);
}

static void test_endings(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/endings.jsonl", NULL, check_ending), 44);
}

static void test_short_games(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/short_games.jsonl", NULL, check_ending), 4);
}

static void test_tournament_sample(void)
{
    CU_ASSERT_EQUAL(
        rules_each_line("tests/data/glinski_games_sample.jsonl", "glinski", rules_check_tournament_game), 20);
}

static void check_short_problem(const struct rules_line *line)
{
    if (rules_number(line, "mate_in") <= 2) {
        rules_check_problem(line);
    }
}

static void test_problems(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/problems.jsonl", NULL, check_short_problem), 5);
}

/* The sample game's double pin: neither piece may leave the line between the hopper and the royal. */
static void test_double_pin(void)
{
    struct rules_game game;
    sy_move moves[SY_MAX_MOVES];
    char text[SY_MOVE_TEXT];
    if (!rules_game_start(&game, rules_variant("panal"), NULL, "double pin") ||
        !rules_game_play(&game, "i3g5 i7h6 g1*m7 g9*m3 g5h6 k9h6", "double pin")) {
        return;
    }
    const unsigned count = sy_generate(&game.position, moves);
    CU_ASSERT_FALSE(sy_in_check(&game.position));
    for (unsigned i = 0; i < count; i++) {
        sy_move_text(game.position.variant, moves[i], text);
        CHECK(strncmp(text, "l2", 2) != 0 || strcmp(text, "l2j4") == 0, "%s: leaves the line", text);
        CHECK(strncmp(text, "k3", 2) != 0 || strcmp(text, "k3j4") == 0 || strcmp(text, "k3i5") == 0,
              "%s: leaves the line", text);
    }
    CU_ASSERT_TRUE(rules_game_play(&game, "j2j4 h6*k3 j4h6 j8h6 h2k3 m9q5", "double pin"));
    CU_ASSERT_TRUE(sy_in_check(&game.position));
    rules_game_end(&game);
}

/* ---- rules that are settings ---- */

/* Points of White when the given outcome stands after the moves. */
static void check_outcome(const char *variant, const char *fen, const char *moves, enum sy_reason reason,
                          double white_points)
{
    struct rules_game game;
    if (rules_game_start(&game, rules_variant(variant), fen, variant) &&
        rules_game_play(&game, moves, variant)) {
        const struct sy_outcome outcome = rules_game_outcome(&game);
        CHECK(outcome.reason == reason, "%s %s %s: outcome %d, not %d", variant, fen ? fen : "start", moves,
              outcome.reason, reason);
        CHECK(reason == SY_GOING_ON || outcome.white_points == white_points, "%s %s %s: White gets %g",
              variant, fen ? fen : "start", moves, outcome.white_points);
    }
    rules_game_end(&game);
}

static void test_chess_draws(void)
{
    check_outcome("chess", "7k/8/6K1/8/8/8/8/4Q3 w - - 0 1", "e1e7", SY_GOING_ON, 0);
    check_outcome("chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", SY_STALEMATE, 0.5);
    check_outcome("chess", "7k/8/8/8/8/8/q7/K7 w - - 0 1", "a1a2", SY_INSUFFICIENT, 0.5);
    check_outcome("chess", "7k/8/8/8/8/8/q7/KB6 w - - 0 1", "a1a2", SY_INSUFFICIENT, 0.5);
    check_outcome("chess", "7k/8/8/8/8/8/q7/KN6 w - - 0 1", "a1a2", SY_INSUFFICIENT, 0.5);
    check_outcome("chess", "7k/8/8/8/8/8/q7/KR6 w - - 0 1", "a1a2", SY_GOING_ON, 0);
    check_outcome("chess", "7k/8/8/8/8/8/q2P4/K7 w - - 0 1", "a1a2", SY_GOING_ON, 0);
    /* b1, c8 and h7 are light, c1 is dark. */
    check_outcome("chess", "2b4k/8/8/8/8/8/q7/KB6 w - - 0 1", "a1a2", SY_INSUFFICIENT, 0.5);
    check_outcome("chess", "7k/6pb/8/8/8/8/q7/KB6 w - - 0 1", "a1a2", SY_GOING_ON, 0);
    check_outcome("chess", "7k/7b/8/8/8/8/q7/KB6 w - - 0 1", "a1a2", SY_INSUFFICIENT, 0.5);
    check_outcome("chess", "7k/7b/8/8/8/8/q7/K1B5 w - - 0 1", "a1a2", SY_GOING_ON, 0);
    check_outcome("chess", "7k/8/8/8/8/8/q7/KNN5 w - - 0 1", "a1a2", SY_GOING_ON, 0);
    check_outcome("chess", "7k/8/8/8/8/8/R7/K7 w - - 98 60", "a2a3", SY_GOING_ON, 0);
    check_outcome("chess", "7k/8/8/8/8/8/R7/K7 w - - 99 60", "a2a3", SY_NO_PROGRESS, 0.5);
    check_outcome("chess", "k7/8/1K6/8/8/8/7R/8 w - - 99 60", "h2h8", SY_CHECKMATE, 1);
    check_outcome("chess", "7k/8/8/8/8/8/R6P/K7 w - - 99 60", "h2h3", SY_GOING_ON, 0);
    check_outcome("chess", NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", SY_GOING_ON, 0);
    check_outcome("chess", NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", SY_REPETITION, 0.5);
}

/* A position in which a royal by capture is gone can be written down, and is over. */
static void test_captured_royal(void)
{
    static const char fen[] = "mg1g1/1hhhh1/1sssss1/8/9/8/1SSSSS1/1HHHH1/PG1GM b - 0 1";
    struct rules_game game;
    if (rules_game_start(&game, rules_variant("panal"), fen, "captured royal")) {
        CU_ASSERT_EQUAL(sy_count_legal(&game.position), 0);
        CU_ASSERT_EQUAL(rules_game_outcome(&game).reason, SY_ROYAL_CAPTURED);
        CU_ASSERT_EQUAL(rules_game_outcome(&game).white_points, 1);
    }
    rules_game_end(&game);
}

/* The en passant cell and castling rights tell positions apart, but only while the capture is legal. */
static void test_repetition_compares(void)
{
    const char *moves = "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";
    /* Nobody can take on e3: the position after e2e4 counts. */
    check_outcome("chess", NULL, moves, SY_REPETITION, 0.5);
    /* Black's pawn on d4 can: once it has not, the position is another. */
    check_outcome("chess", "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves, SY_GOING_ON,
                  0);
    /* It is pinned on its rank and can't either. */
    check_outcome("chess", "8/8/8/8/k2p3R/8/4P3/6K1 w - - 0 1",
                  "e2e4 a4a3 g1h1 a3a4 h1g1 a4a3 g1h1 a3a4 h1g1", SY_REPETITION, 0.5);
    /* White's rook moves lose the right to castle. */
    check_outcome("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8",
                  SY_GOING_ON, 0);
    check_outcome("chess", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8",
                  SY_REPETITION, 0.5);
}

static void test_readings_of_endings(void)
{
    const char *cycle = "c1d2 c8d8 d2c1 d8c8 c1d2 c8d8 d2c1 d8c8";
    const char *around = "gw2fw2 cw2bw2 fw2gw2 bw2cw2 gw2fw2 cw2bw2 fw2gw2 bw2cw2";
    const char *twice = "gw2fw2 cw2bw2 fw2gw2 bw2cw2 gw2fw2 cw2bw2 fw2gw2 bw2cw2 "
                        "gw2fw2 cw2bw2 fw2gw2 bw2cw2";
    const char *kings = "1/3/5/3k3/9/11/11/11/11/11/3Kq6 w - 0 1";
    const char *stalemate = "1/3/5/3q3/2b6/3P7/4p6/2k8/6n4/n4p5/10K b - 0 1";
    check_outcome("glinski", NULL, cycle, SY_REPETITION, 0.5);
    check_outcome("glinski:no-draws", NULL, cycle, SY_GOING_ON, 0);
    check_outcome("glinski:no-draws", stalemate, "f8g6", SY_STALEMATE, 0.25);
    check_outcome("glinski", kings, "d1e1", SY_INSUFFICIENT, 0.5);
    check_outcome("glinski:no-draws", kings, "d1e1", SY_GOING_ON, 0);
    check_outcome("mccooey", stalemate, "f8g6", SY_STALEMATE, 0.5);
    check_outcome("sunflower", NULL, around, SY_REPETITION, 1);
    check_outcome("sunflower:fourth-occurrence", NULL, around, SY_GOING_ON, 0);
    check_outcome("sunflower:fourth-occurrence", NULL, twice, SY_REPETITION, 1);
    check_outcome("panal:no-draws", NULL, "e1d2 e7c7 d2e1 c7e7 e1d2 e7c7 d2e1 c7e7", SY_GOING_ON, 0);
}

/* The four arrays that the published text allows: the same army, and the published mate is mate where kings
 * and queens are not exchanged. */
static void test_arrays(void)
{
    static const char *const arrays[] = {"sunflower", "sunflower:mirror", "sunflower:rook-inside",
                                         "sunflower:mirror-rook-inside"};
    int army[SY_MAX_TYPES];
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        struct rules_game game;
        const struct sy_variant *variant = rules_variant(arrays[i]);
        if (!rules_game_start(&game, variant, NULL, arrays[i])) {
            continue;
        }
        for (unsigned type = 0; type < variant->types; type++) {
            const int count = sy_count(sy_pieces(&game.position, type, SY_WHITE));
            CHECK(i == 0 || count == army[type], "%s: %d of %s", arrays[i], count, variant->type[type].name);
            army[type] = count;
        }
        bool mate = rules_game_play(&game, "gz5hz3 cx2bz1", arrays[i]);
        sy_move move;
        struct sy_error error;
        mate = mate && sy_move_parse(&game.position, "hz3fv1", &move, &error) == SY_OK &&
               rules_game_play(&game, "hz3fv1", arrays[i]) &&
               rules_game_outcome(&game).reason == SY_CHECKMATE;
        CHECK(mate == (i % 2 == 0), "%s: the published mate %s", arrays[i], mate ? "is mate" : "is none");
        rules_game_end(&game);
    }
}

static const struct sy_json *shipped_readings(const struct sy_variant *variant)
{
    return sy_json_member(sy_json_root(variant->doc), "readings");
}

static void test_every_reading_loads(void)
{
    unsigned loaded = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        char names[8][64];
        unsigned count = 0;
        const struct sy_json *readings = shipped_readings(rules_variant(games[i]));
        for (const struct sy_json *item = readings ? sy_json_first(readings) : NULL; item;
             item = sy_json_next(item)) {
            snprintf(names[count++], sizeof names[0], "%s:%s", games[i], sy_json_key(item));
        }
        char digest[65];
        memcpy(digest, rules_variant(games[i])->digest, sizeof digest);
        for (unsigned k = 0; k < count; k++, loaded++) {
            CHECK(strcmp(rules_variant(names[k])->digest, digest) != 0, "%s: changes nothing", names[k]);
        }
    }
    CU_ASSERT_EQUAL(loaded, 9);
}

/* ---- what holds in every game ---- */

static bool same_position(const struct sy_position *a, const struct sy_position *b)
{
    return a->side[0] == b->side[0] && a->side[1] == b->side[1] &&
           memcmp(a->type, b->type, sizeof a->type) == 0 && a->key == b->key && a->variant == b->variant &&
           a->ep == b->ep && a->ep_part == b->ep_part && a->ep_victim == b->ep_victim &&
           a->to_move == b->to_move && a->castling == b->castling && a->royal[0] == b->royal[0] &&
           a->royal[1] == b->royal[1] && a->halfmove == b->halfmove && a->fullmove == b->fullmove &&
           memcmp(a->piece, b->piece, sizeof a->piece) == 0;
}

static bool contains(const sy_move *moves, unsigned count, sy_move move)
{
    for (unsigned i = 0; i < count; i++) {
        if (moves[i] == move) {
            return true;
        }
    }
    return false;
}

static void check_move_lists(const struct sy_position *position, const sy_move *moves, unsigned count,
                             const char *place)
{
    sy_move captures[SY_MAX_MOVES], quiets[SY_MAX_MOVES];
    const unsigned capture_count = sy_generate_captures(position, captures);
    const unsigned quiet_count = sy_generate_quiets(position, quiets);
    CHECK(sy_count_legal(position) == count, "%s: counted %u of %u", place, sy_count_legal(position), count);
    CHECK(capture_count + quiet_count == count, "%s: %u captures and %u quiets of %u", place, capture_count,
          quiet_count, count);
    for (unsigned i = 0; i < count; i++) {
        const bool forcing =
            sy_move_victim(position, moves[i]) != SY_NO_PIECE || sy_move_kind(moves[i]) == SY_MOVE_PROMOTION;
        const bool found =
            forcing ? contains(captures, capture_count, moves[i]) : contains(quiets, quiet_count, moves[i]);
        CHECK(found, "%s: a move in the wrong list", place);
        CHECK(!contains(moves, i, moves[i]), "%s: a move twice", place);
    }
}

/* Each move made and unmade: the key is the recomputed one, and nothing is left of the move. */
static void check_make_unmake(struct sy_position *position, const sy_move *moves, unsigned count,
                              const char *place)
{
    const struct sy_position before = *position;
    struct sy_undo undo;
    for (unsigned i = 0; i < count; i++) {
        sy_make(position, moves[i], &undo);
        CHECK(position->key == sy_position_key(position), "%s: key after a move", place);
        CHECK(position->to_move != before.to_move, "%s: side to move", place);
        sy_unmake(position, moves[i], &undo);
        if (!CHECK(same_position(position, &before), "%s: unmake leaves traces", place)) {
            *position = before;
        }
    }
    if (!sy_in_check(position)) {
        sy_make_null(position, &undo);
        CHECK(position->key == sy_position_key(position), "%s: key after a null move", place);
        sy_unmake_null(position, &undo);
        CHECK(same_position(position, &before), "%s: the null move leaves traces", place);
    }
}

static void check_round_trip(const struct sy_position *position, const char *place)
{
    struct sy_position read;
    struct sy_error error = {""};
    char *fen = sy_fen(position);
    const enum sy_status status = sy_fen_parse(position->variant, fen, &read, &error);
    if (CHECK(status == SY_OK, "%s: %s: %s", place, fen, error.message)) {
        CHECK(same_position(position, &read), "%s: %s is read as another position", place, fen);
        char *again = sy_fen(&read);
        CHECK(strcmp(fen, again) == 0, "%s: %s is written as %s", place, fen, again);
        free(again);
    }
    free(fen);
}

static void check_mirror(const struct sy_position *position, unsigned count, const char *place)
{
    struct sy_position mirror, back;
    sy_position_mirror(position, &mirror);
    sy_position_mirror(&mirror, &back);
    CHECK(mirror.to_move != position->to_move, "%s: mirror: side to move", place);
    CHECK(mirror.key == sy_position_key(&mirror), "%s: mirror: key", place);
    CHECK(sy_count_legal(&mirror) == count, "%s: mirror: %u moves of %u", place, sy_count_legal(&mirror),
          count);
    CHECK(sy_in_check(&mirror) == sy_in_check(position), "%s: mirror: check", place);
    CHECK(back.key == position->key && back.to_move == position->to_move, "%s: mirrored twice", place);
}

/* Moves of other positions: legal exactly if they are in the list. */
static void check_is_legal(const struct sy_position *position, const sy_move *moves, unsigned count,
                           const sy_move *pool, unsigned pool_count, const char *place)
{
    for (unsigned i = 0; i < count; i++) {
        CHECK(sy_is_legal(position, moves[i]), "%s: a listed move is not legal", place);
    }
    for (unsigned i = 0; i < pool_count; i++) {
        if (sy_is_legal(position, pool[i]) != contains(moves, count, pool[i])) {
            char text[SY_MOVE_TEXT];
            CHECK(false, "%s: %s: legal or not", place, sy_move_text(position->variant, pool[i], text));
        }
    }
    CHECK(!sy_is_legal(position, SY_NO_MOVE), "%s: no move is legal", place);
}

/* Moves are written and read back. */
static void check_move_texts(const struct sy_position *position, const sy_move *moves, unsigned count,
                             const char *place)
{
    for (unsigned i = 0; i < count; i++) {
        char text[SY_MOVE_TEXT];
        sy_move read;
        struct sy_error error = {""};
        const enum sy_status status =
            sy_move_parse(position, sy_move_text(position->variant, moves[i], text), &read, &error);
        CHECK(status == SY_OK && read == moves[i], "%s: %s is read as another move", place, text);
    }
}

/* Check, as the attack functions see it. */
static void check_attacks(const struct sy_position *position, const char *place)
{
    const unsigned royal = position->royal[position->to_move];
    if (royal != SY_NO_CELL) {
        const sy_set occupied = sy_occupied(position);
        const unsigned enemy = position->to_move ^ 1U;
        const bool attacked = sy_attacked(position, royal, enemy, occupied);
        CHECK(attacked == sy_in_check(position), "%s: attacked or in check", place);
        CHECK(attacked == (sy_attackers(position, royal, enemy, occupied) != SY_EMPTY_SET),
              "%s: attackers or attacked", place);
    }
}

enum { PLIES = 160, POOL = 512 };

static void play_random_game(const struct sy_variant *variant, uint64_t number)
{
    struct rules_game game;
    struct sy_random random = sy_random_stream(2, number, 1);
    sy_move pool[POOL], moves[SY_MAX_MOVES];
    unsigned pool_count = 0;
    if (!rules_game_start(&game, variant, NULL, variant->name)) {
        return;
    }
    for (unsigned ply = 0; ply < PLIES; ply++) {
        char place[64];
        struct sy_position *position = &game.position;
        const unsigned count = sy_generate(position, moves);
        snprintf(place, sizeof place, "%s game %llu ply %u", variant->name, (unsigned long long)number, ply);
        check_move_lists(position, moves, count, place);
        check_make_unmake(position, moves, count, place);
        check_round_trip(position, place);
        check_mirror(position, count, place);
        check_is_legal(position, moves, count, pool, pool_count < POOL ? pool_count : POOL, place);
        check_move_texts(position, moves, count, place);
        check_attacks(position, place);
        for (unsigned i = 0; i < count; i++) {
            pool[pool_count++ % POOL] = moves[i];
        }
        if (rules_game_outcome(&game).reason != SY_GOING_ON) {
            break;
        }
        struct sy_undo undo;
        sy_make(position, moves[sy_random_below(&random, count)], &undo);
        sy_history_push(&game.history, position->key);
    }
    rules_game_end(&game);
}

static void test_random_games(void)
{
    for (unsigned i = 0; i < GAMES; i++) {
        for (uint64_t number = 0; number < 6; number++) {
            play_random_game(rules_variant(games[i]), number);
        }
    }
}

/* Sparse positions reach promotions, bare royals and long lines that random games from the start rarely do.
 */
static void check_sparse(const struct rules_line *line)
{
    struct rules_game game;
    sy_move moves[SY_MAX_MOVES];
    if (rules_game_start(&game, line->variant, rules_string(line, "fen"), line->place)) {
        const unsigned count = sy_generate(&game.position, moves);
        check_move_lists(&game.position, moves, count, line->place);
        check_make_unmake(&game.position, moves, count, line->place);
        check_mirror(&game.position, count, line->place);
        check_move_texts(&game.position, moves, count, line->place);
    }
    rules_game_end(&game);
}

static void test_sparse_positions(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_glinski.jsonl", "glinski", check_sparse), 120);
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_mccooey.jsonl", "mccooey", check_sparse), 80);
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_panal.jsonl", "panal", check_sparse), 87);
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_shafran.jsonl", "shafran", check_sparse), 110);
    CU_ASSERT_EQUAL(rules_each_line("tests/data/positions_sunflower.jsonl", "sunflower", check_sparse), 120);
}

static void test_starts_are_balanced(void)
{
    for (unsigned i = 0; i < GAMES; i++) {
        struct rules_game game;
        if (rules_game_start(&game, rules_variant(games[i]), NULL, games[i])) {
            struct sy_position mirror;
            sy_position_mirror(&game.position, &mirror);
            CHECK(memcmp(mirror.piece, game.position.piece, sizeof mirror.piece) == 0,
                  "%s: the sides do not mirror each other", games[i]);
        }
        rules_game_end(&game);
    }
}

/* ---- the documentation's worked example ---- */

static void check_minichess(const struct sy_variant *variant)
{
    /* The first by hand: five pawn steps and two knight moves. */
    static const uint64_t counts[] = {1, 7, 53, 506, 4775};
    struct rules_game game;
    if (rules_game_start(&game, variant, NULL, variant->name)) {
        for (unsigned depth = 0; depth < sizeof counts / sizeof *counts; depth++) {
            CU_ASSERT_EQUAL(sy_perft(&game.position, depth), counts[depth]);
        }
    }
    rules_game_end(&game);
}

static void test_example(void)
{
    check_minichess(rules_variant("tests/data/minichess.json"));
}

static void test_written_board(void)
{
    check_minichess(rules_variant("tests/data/written.json"));
}

/* The page shows the file as it is. */
static void test_example_is_documented(void)
{
    char *page = NULL, *example = NULL;
    size_t length;
    struct sy_error error;
    CU_ASSERT_EQUAL(sy_read_file("experiments/README.md", &page, &length, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_read_file("tests/data/minichess.json", &example, &length, &error), SY_OK);
    CU_ASSERT_TRUE(page && example && strstr(page, example));
    free(page);
    free(example);
}

/* So are all engine parameters. */
static void test_parameters_are_documented(void)
{
    char *page = NULL;
    size_t length;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_read_file("experiments/README.md", &page, &length, &error), SY_OK);
    for (size_t i = 0; i < sy_param_count(); i++) {
        char *entry = sy_format("| `%s` |", sy_param_info(i)->name);
        CHECK(strstr(page, entry) != NULL, "experiments/README.md has no %s", entry);
        free(entry);
    }
    free(page);
}

/* The start as lists of cells is the start as a FEN. */
static void test_start_by_cells(void)
{
    static const char text[] =
        "{\"start\": {\"white\": {\"king\": [\"e1\"], \"queen\": [\"d1\"], \"rook\": [\"a1\", \"h1\"], "
        "\"bishop\": [\"c1\", \"f1\"], \"knight\": [\"b1\", \"g1\"], \"pawn\": [\"a2\", \"b2\", \"c2\", "
        "\"d2\", \"e2\", \"f2\", \"g2\", \"h2\"]}, \"black\": \"mirrored\"}}";
    struct sy_json_doc *patch;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_json_read("patch", text, sizeof text - 1, &patch, &error), SY_OK);
    const enum sy_status status = sy_variant_load("chess", sy_json_root(patch), &variant, &error);
    if (CHECK(status == SY_OK, "%s", error.message)) {
        CU_ASSERT_STRING_EQUAL(variant->start, rules_variant("chess")->start);
    }
    sy_variant_free(variant);
    sy_json_free(patch);
}

/* ---- broken files ---- */

/* The shipped file with the first occurrence of `old` replaced is refused with a message that holds
 * `expected`. */
struct breakage {
    const char *game, *old, *new, *expected;
};

static const struct breakage breakages[] = {
    /* JSON and keys */
    {"chess", "\"flip\",", "\"flip\"", "chess.json:7:3: "},
    {"chess", "\"unit\"", "\"units\"", "unknown key 'units'"},
    {"chess", "\"ends\": {", "\"ends\": {\"bare king\": 0,", "unknown key 'bare king'"},
    {"chess", "\"range\": 2", "\"rang\": 2", "$.pieces.pawn.moves[1]"},
    {"chess", "\"title\": \"Chess\"", "\"title\": 3", "$.title"},
    {"chess", "\"title\": \"Chess\"", "\"title\": \"Chess\", \"title\": \"Schach\"", "title"},
    {"chess", "\"start\"", "\"about start\"", "about start"},
    {"panal", "{\"leap\": {\"distance\": 2}}", "{\"leap\": {\"distance\": 2, \"by\": 1}}",
     "either \"along\" and \"by\", or \"distance\" alone"},
    /* boards */
    {"chess", "\"kind\": \"square\"", "\"kind\": \"cube\"", "unknown kind of board 'cube'"},
    {"chess", "\"files\": 8, \"ranks\": 8", "\"files\": 12, \"ranks\": 12", "more than 128 cells"},
    {"chess", "\"files\": 8, \"ranks\": 8", "\"files\": 0, \"ranks\": 8", "$.board.files"},
    {"glinski", "[6, 6, 6]", "[7, 7, 7]", "needs 13 letters"},
    {"glinski", "[6, 6, 6], \"letters\": \"abcdefghikl\"", "[8, 8, 8], \"letters\": \"abcdefghijklmno\"",
     "more than 128 cells"},
    {"glinski", "[6, 6, 6]", "[6, 6]", "$.board.sides"},
    {"glinski", "\"bent\"", "\"crooked\"", "'bent' or 'straight'"},
    {"panal", "\"rows\"", "\"diagonals\"", "'columns' or 'rows'"},
    {"sunflower", "\"vwxyz\"", "\"uvwxyz\"", "128 cells"},
    {"sunflower", "\"symmetry\": \"turn\"", "\"symmetry\": \"flip\"", "no symmetry 'flip'"},
    /* zones and directions */
    {"chess", "\"?2\"", "\"?9\"", "'?9' matches no cell"},
    {"chess", "\"from\": \"pawn start\"", "\"from\": \"pawn rank\"", "no zone 'pawn rank'"},
    {"chess", "\"black\": [\"?7\"]", "\"blue\": [\"?7\"]", "unknown key 'blue'"},
    {"chess", "{\"slide\": \"diagonal\"}", "{\"slide\": \"diagonel\"}", "'diagonel' is no direction"},
    {"chess", "{\"slide\": \"diagonal\"}", "{\"slide\": []}", "names no direction"},
    {"sunflower", "\"clockwise-flank\"", "\"forward\"", "'forward' is no direction"},
    /* moves */
    {"chess", "\"range\": 2", "\"range\": -2", "$.pieces.pawn.moves[1].range"},
    {"chess", "\"range\": 2", "\"range\": 1.5", "$.pieces.pawn.moves[1].range"},
    {"chess", "\"range\": 2", "\"range\": 200", "$.pieces.pawn.moves[1].range"},
    {"chess", "{\"step\": \"forward\", \"mode\"", "{\"step\": \"forward\", \"range\": 2, \"mode\"",
     "a step is one step"},
    {"chess", "{\"slide\": \"diagonal\"}", "{\"slide\": \"diagonal\", \"step\": \"n\"}", "exactly one of"},
    {"chess", "{\"slide\": \"diagonal\"}", "{\"mode\": \"move\"}", "exactly one of"},
    {"chess", "{\"slide\": \"diagonal\"}", "{\"slide\": \"diagonal\", \"over\": 1}", "only a \"hop\""},
    {"chess", "\"mode\": \"move\"", "\"mode\": \"walk\"", "'move', 'capture', 'both' or 'shoot'"},
    {"chess", "\"mode\": \"capture\", \"en passant\"", "\"mode\": \"move\", \"en passant\"",
     "\"en passant\" belongs to"},
    {"chess", "{\"slide\": \"diagonal\"}", "{\"slide\": \"diagonal\", \"exposes\": true}",
     "\"exposes\" belongs to"},
    {"panal", "{\"hop\": \"orthogonal\", \"over\": 1, \"mode\": \"shoot\"}",
     "{\"hop\": \"orthogonal\", \"over\": 2, \"mode\": \"shoot\"}", "the same number of pieces"},
    {"chess", "\"by\": 2", "\"by\": 0", "from 1 to 31"},
    /* pieces */
    {"chess", "\"royal\": \"check\", ", "", "no piece is royal"},
    {"chess", "\"royal\": \"check\"", "\"royal\": \"always\"", "'check' or 'capture'"},
    {"chess", "\"letter\": \"Q\"", "\"letter\": \"R\"", "another piece has the letter 'R'"},
    {"chess", "\"queen\": {", "\"rook\": {", "rook"},
    {"chess", "\"letter\": \"Q\"", "\"letter\": \"queen\"", "one letter from A to Z"},
    {"chess", "\"letter\": \"Q\"", "\"letter\": \"Q\", \"royal\": \"check\"", "royal by check already"},
    {"sunflower", "\"material\": \"pawn\", \"progress\"", "\"material\": \"king\", \"progress\"",
     "can't share the material"},
    {"panal", "\"swaps\": \"in check\"", "\"swaps\": \"always\"", "must be 'in check'"},
    /* promotions */
    {"chess", "\"white\": [\"?8\"], \"black\": [\"?1\"]", "\"white\": [\"?1\"], \"black\": [\"?8\"]",
     "unreachable promotion: no pawn of White"},
    {"chess", "\"to\": [\"queen\"", "\"to\": [\"king\"", "another, common piece"},
    {"chess", "\"to\": [\"queen\"", "\"to\": [\"archer\"", "another, common piece"},
    {"chess", "\"zone\": \"last rank\"", "\"zone\": \"end\"", "no zone 'end'"},
    /* castling */
    {"chess", "\"king\": [\"e1\", \"g1\"]", "\"king\": [\"e1\", \"f1\"]", "ordinary move"},
    {"chess", "\"king\": [\"e1\", \"g1\"]", "\"king\": [\"e1\", \"g9\"]", "no cell 'g9'"},
    {"chess", "\"king\": [\"e1\", \"g1\"]", "\"king\": [\"e1\"]", "two cells"},
    {"chess", "\"right\": \"K\"", "\"right\": \"KK\"", "one letter"},
    {"chess", "\"side\": \"white\"", "\"side\": \"red\"", "'white' or 'black'"},
    {"chess", "\"rook\": [\"h1\", \"f1\"]", "\"rook\": [\"h1\", \"g1\"]", "g1"},
    {"chess", "\"rook\": [\"h1\", \"f1\"]", "\"rook\": [\"e1\", \"f1\"]", "e1"},
    /* ends */
    {"chess", "\"checkmate\": 0,", "", "missing key 'checkmate'"},
    {"chess", "\"stalemate\": 0.5,", "", "missing key 'stalemate'"},
    {"panal", "\"royal captured\": 0,", "", "missing key 'royal captured'"},
    {"chess", "\"stalemate\": 0.5", "\"stalemate\": 1.5", "$.ends.stalemate"},
    {"chess", "\"stalemate\": 0.5", "\"stalemate\": 0.3", "0, 0.25, 0.5, 0.75 or 1"},
    {"chess", "\"count\": 3", "\"count\": 1", "$.ends.repetition.count"},
    {"chess", "\"plies\": 100", "\"plies\": -1", "$.ends[\"no progress\"].plies"},
    {"chess", "\"alone\": [\"bishop\"", "\"alone\": [\"bishops\"", "the name of a piece"},
    /* values */
    {"chess", "\"unit\": \"pawn\"", "\"unit\": \"king\"", "the unit must be"},
    {"chess", "\"queen\": 9}", "\"quean\": 9}", "'quean' is no piece that has a value"},
    {"chess", "\"queen\": 9}", "\"queen\": -9}", "from 0 to 100"},
    /* starts */
    {"chess", "PPPPPPPP/RNBQKBNR", "PPPPPPPP/RNBQKBNRR", "row"},
    {"chess", "pppppppp/8/8", "pppppppp/8/9", "row"},
    {"chess", "pppppppp/8/8/8", "pppppppp/8/8", "rows"},
    {"chess", "pppppppp/8/8", "pppppppp/8/8/8", "rows"},
    {"chess", "PPPPPPPP/RNBQKBNR", "PPPPPPPP/RNBXKBNR", "X"},
    {"chess", "PPPPPPPP/RNBQKBNR", "PPPPPPPP/RNBKKBNR", "king"},
    {"chess", "PPPPPPPP/RNBQKBNR", "PPPPPPPP/RNBQ1BNR", "needs the pieces on e1 and h1"},
    {"glinski", "1PRNQBKNRP1", "1PRNQB1NRP1", "White must have one king"},
    {"glinski", "1PRNQBKNRP1", "1P1NQBKNRP1", "out of balance: White has 1 of rook"},
    {"glinski", "1PRNQBKNRP1", "1PRNKBQNRP1", "out of balance: what stands on"},
    {"chess", "\"start\": \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
     "\"start\": {\"white\": {\"king\": [\"e1\"], \"rook\": [\"e9\"]}, \"black\": \"mirrored\"}",
     "no cell 'e9' on the board"},
    {"chess", "\"start\": \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
     "\"start\": {\"white\": {\"king\": [\"e1\"], \"rook\": [\"a1\", \"e1\"]}, \"black\": \"mirrored\"}",
     "two pieces overlap on e1"},
    {"chess", "RNBQKBNR w KQkq - 0 1", "RNBQKBNR w KQkq - 0 1 extra", "$.start"},
    /* readings */
    {"glinski", "\"reading", "\"raeding", "unknown key 'raedings'"},
};

/* The text of a shipped file, as the repository has it, with one replacement; NULL when there is nothing to
 * replace. */
static char *broken_text(const struct breakage *breakage)
{
    char *path = sy_format("experiments/variants/%s.json", breakage->game);
    char *text = NULL, *broken = NULL;
    size_t length;
    struct sy_error error;
    if (sy_read_file(path, &text, &length, &error) == SY_OK) {
        char *found = strstr(text, breakage->old);
        if (found) {
            broken = sy_format("%.*s%s%s", (int)(found - text), text, breakage->new,
                               found + strlen(breakage->old));
        }
    }
    free(text);
    free(path);
    return broken;
}

static void check_breakage(const struct breakage *breakage)
{
    char *text = broken_text(breakage);
    if (!CHECK(text != NULL, "%s.json: no %s to break", breakage->game, breakage->old)) {
        return;
    }
    char *name = sy_format("%s.json", breakage->game);
    struct sy_json_doc *doc;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    enum sy_status status = sy_json_read(name, text, strlen(text), &doc, &error);
    status = status ? status : sy_variant_compile(breakage->game, doc, &variant, &error);
    if (CHECK(status == SY_BAD_INPUT, "%s -> %s: accepted", breakage->old, breakage->new)) {
        CHECK(strstr(error.message, breakage->expected) != NULL, "%s -> %s: '%s' without '%s'", breakage->old,
              breakage->new, error.message, breakage->expected);
        CHECK(strncmp(error.message, name, strlen(name)) == 0, "'%s' without the file's name", error.message);
        CHECK(strchr(error.message, '\n') == NULL, "'%s' of more than one line", error.message);
    }
    sy_variant_free(variant);
    free(name);
    free(text);
}

static void test_broken_files(void)
{
    for (unsigned i = 0; i < sizeof breakages / sizeof *breakages; i++) {
        check_breakage(&breakages[i]);
    }
}

/* Errors say file, line, column and path; those of patched files the path. */
static void test_error_places(void)
{
    static const struct breakage range = {"chess", "\"range\": 2", "\"range\": -2",
                                          "chess.json:16:39: $.pieces.pawn.moves[1].range: "};
    check_breakage(&range);
    struct sy_json_doc *patch;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    const char *text = "{\"ends\": {\"stalemate\": 7}}";
    CU_ASSERT_EQUAL_FATAL(sy_json_read("patch", text, strlen(text), &patch, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_variant_load("chess", sy_json_root(patch), &variant, &error), SY_BAD_INPUT);
    CHECK(strstr(error.message, "$.ends.stalemate: ") != NULL, "%s", error.message);
    sy_json_free(patch);
    CU_ASSERT_EQUAL(sy_variant_load("chess:slow", NULL, &variant, &error), SY_BAD_INPUT);
    CHECK(strstr(error.message, "no reading 'slow'") != NULL, "%s", error.message);
    CU_ASSERT_EQUAL(sy_variant_load("sunflower:miror", NULL, &variant, &error), SY_BAD_INPUT);
    CHECK(strstr(error.message, "mirror") != NULL, "%s", error.message);
    CU_ASSERT_EQUAL(sy_variant_load("chees", NULL, &variant, &error), SY_BAD_INPUT);
    CHECK(strstr(error.message, "no variant 'chees'") != NULL, "%s", error.message);
    CU_ASSERT_EQUAL(sy_variant_load("tests/data/nowhere.json", NULL, &variant, &error), SY_BAD_INPUT);
    CHECK(strstr(error.message, "tests/data/nowhere.json") != NULL, "%s", error.message);
    CU_ASSERT_PTR_NULL(variant);
}

/* A patch that removes the piece lists' hold on a game: what experiments do. */
static void test_patches(void)
{
    struct sy_json_doc *patch;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    const char *text = "{\"ends\": {\"stalemate\": 0.25, \"repetition\": null}}";
    CU_ASSERT_EQUAL_FATAL(sy_json_read("patch", text, strlen(text), &patch, &error), SY_OK);
    CU_ASSERT_EQUAL_FATAL(sy_variant_load("chess", sy_json_root(patch), &variant, &error), SY_OK);
    CU_ASSERT_EQUAL(variant->endings.stalemate, 0.25);
    CU_ASSERT_TRUE(variant->endings.repetition < 0);
    CU_ASSERT_EQUAL(variant->endings.no_progress, 0.5);
    CU_ASSERT_STRING_NOT_EQUAL(variant->digest, rules_variant("chess")->digest);
    sy_variant_free(variant);
    sy_json_free(patch);
}

/* ---- broken positions and moves ---- */

static void test_broken_positions(void)
{
    static const struct {
        const char *game, *fen, *expected;
    } positions[] = {
        {"chess", "", ""},
        {"chess", "8/8/8/8/8/8/8/8 w - - 0 1", "king"},
        {"chess", "k7/8/8/8/8/8/8 w - - 0 1", "7"},
        {"chess", "k7/8/8/8/8/8/8/8/K7 w - - 0 1", "row"},
        {"chess", "k8/8/8/8/8/8/8/K7 w - - 0 1", "row 1"},
        {"chess", "k6/8/8/8/8/8/8/K7 w - - 0 1", "row 1"},
        {"chess", "k7/8/8/8/8/8/8/K6RR w - - 0 1", "row 8"},
        {"chess", "k7/8/8/8/4x3/8/8/K7 w - - 0 1", "x"},
        {"chess", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "king"},
        {"chess", "k7/8/8/8/8/8/8/8 w - - 0 1", "king"},
        {"chess", "k6R/8/8/8/8/8/8/K7 w - - 0 1", "check"},
        {"chess", "k7/8/8/8/8/8/8/K7", ""},
        {"chess", "k7/8/8/8/8/8/8/K7 x - - 0 1", "'x'"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - -1 1", ""},
        {"chess", "k7/8/8/8/8/8/8/K7 w Z - 0 1", "Z"},
        {"chess", "k7/8/8/8/8/8/8/K7 w K - 0 1", "K"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - e9 0 1", "e9"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - e6 0 1", "e6"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - - -1 1", "-1"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - - 0 0", "0"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - - 0 one", "one"},
        {"chess", "k7/8/8/8/8/8/8/K7 w - - 0 1 2", ""},
        {"chess", "k7/8/8/8/8/8/8/K7 w - - 99999999999 1", ""},
        {"glinski", "1/3/5/3k3/9/11/11/11/11/11/2K8 w KQ - 0 1", "castling field 'KQ'"},
        {"glinski", "2/3/5/3k3/9/11/11/11/11/11/2K8 w - 0 1", "row 1"},
        {"glinski", "1/3/5/3k3/9/12/11/11/11/11/2K8 w - 0 1", "row 6"},
        {"glinski", "1/3/5/3k3/9/11/11/11/11/11/2K8 w j4 0 1", "j4"},
        {"panal", "mg1gp/1hhhh1/1sssss1/8/9/8/1SSSSS1/1HHHH1/PG1G1 w - 0 1", "monarch"},
        {"sunflower", "10adqkdc14ADQKDC4/8arrrc11ARRRC3/6abbc8ABBC2/4abc5ABC1/2ac2A w - 0 1", "row 5"},
    };
    for (unsigned i = 0; i < sizeof positions / sizeof *positions; i++) {
        struct sy_position position;
        struct sy_error error = {""};
        const enum sy_status status =
            sy_fen_parse(rules_variant(positions[i].game), positions[i].fen, &position, &error);
        if (CHECK(status == SY_BAD_INPUT, "'%s': accepted", positions[i].fen)) {
            CHECK(strstr(error.message, positions[i].expected) && error.message[0], "'%s': '%s' without '%s'",
                  positions[i].fen, error.message, positions[i].expected);
        }
    }
}

static void test_counters_may_be_left_out(void)
{
    struct sy_position position;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(sy_fen_parse(rules_variant("chess"), "k7/8/8/8/8/8/8/K7 b - -", &position, &error),
                    SY_OK);
    CU_ASSERT_EQUAL(position.halfmove, 0);
    CU_ASSERT_EQUAL(position.fullmove, 1);
    CU_ASSERT_EQUAL(position.to_move, SY_BLACK);
    CU_ASSERT_EQUAL(sy_fen_parse(rules_variant("chess"), "k7/8/8/8/8/8/8/K7 w - - 12 34", &position, &error),
                    SY_OK);
    CU_ASSERT_EQUAL(position.halfmove, 12);
    CU_ASSERT_EQUAL(position.fullmove, 34);
}

/* Other programs write it in every game. */
static void test_castling_field_of_other_programs(void)
{
    static const char own[] = "1/3/5/3k3/9/11/11/11/11/11/2K8 w - 3 7";
    struct sy_position position;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(
        sy_fen_parse(rules_variant("glinski"), "1/3/5/3k3/9/11/11/11/11/11/2K8 w - - 3 7", &position, &error),
        SY_OK);
    char *fen = sy_fen(&position);
    CU_ASSERT_STRING_EQUAL(fen, own);
    free(fen);
    CU_ASSERT_EQUAL(
        sy_fen_parse(rules_variant("glinski"), "1/3/5/3k3/9/11/11/11/11/11/2K8 b - -", &position, &error),
        SY_OK);
    CU_ASSERT_EQUAL(position.to_move, SY_BLACK);
}

static void test_broken_moves(void)
{
    static const struct {
        const char *game, *fen, *move, *expected;
    } moves[] = {
        {"chess", NULL, "", ""},
        {"chess", NULL, "e2", ""},
        {"chess", NULL, "e2e5", "e2e5"},
        {"chess", NULL, "e2e9", "e9"},
        {"chess", NULL, "z2e4", "z2"},
        {"chess", NULL, "e3e4", "e3"},
        {"chess", NULL, "e7e5", "e7"},
        {"chess", NULL, "e2e4q", "e2e4q"},
        {"chess", NULL, "e2*e4", "e2*e4"},
        {"chess", NULL, "e2e4 ", ""},
        {"chess", NULL, "e1g1", "e1g1"},
        {"chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a7a8"},
        {"chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "a7a8k"},
        {"chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8Q", "a7a8Q"},
        {"chess", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2", "king"},
        {"panal", NULL, "g1g3", "g1g3"},
        {"panal", NULL, "m1~e1", "m1~e1"},
        {"glinski", NULL, "f5f7", "f5f7"},
    };
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++) {
        struct rules_game game;
        struct sy_error error = {""};
        sy_move move;
        if (rules_game_start(&game, rules_variant(moves[i].game), moves[i].fen, moves[i].game)) {
            const enum sy_status status = sy_move_parse(&game.position, moves[i].move, &move, &error);
            if (CHECK(status == SY_BAD_INPUT, "'%s': accepted", moves[i].move)) {
                CHECK(strstr(error.message, moves[i].expected) && error.message[0], "'%s': '%s' without '%s'",
                      moves[i].move, error.message, moves[i].expected);
            }
        }
        rules_game_end(&game);
    }
}

void test_rules_suite(void)
{
    CU_pSuite suite = CU_add_suite("rules", NULL, forget);
    CU_add_test(suite, "positions of glinski", test_positions_glinski);
    CU_add_test(suite, "positions of mccooey", test_positions_mccooey);
    CU_add_test(suite, "positions of panal", test_positions_panal);
    CU_add_test(suite, "positions of shafran", test_positions_shafran);
    CU_add_test(suite, "positions of sunflower", test_positions_sunflower);
    CU_add_test(suite, "perft", test_perft);
    CU_add_test(suite, "endings", test_endings);
    CU_add_test(suite, "short games", test_short_games);
    CU_add_test(suite, "tournament games", test_tournament_sample);
    CU_add_test(suite, "problems", test_problems);
    CU_add_test(suite, "double pin", test_double_pin);
    CU_add_test(suite, "draws of chess", test_chess_draws);
    CU_add_test(suite, "captured royal", test_captured_royal);
    CU_add_test(suite, "what repetition compares", test_repetition_compares);
    CU_add_test(suite, "endings by reading", test_readings_of_endings);
    CU_add_test(suite, "arrays by reading", test_arrays);
    CU_add_test(suite, "every reading", test_every_reading_loads);
    CU_add_test(suite, "random games", test_random_games);
    CU_add_test(suite, "sparse positions", test_sparse_positions);
    CU_add_test(suite, "balanced starts", test_starts_are_balanced);
    CU_add_test(suite, "worked example", test_example);
    CU_add_test(suite, "example in the documentation", test_example_is_documented);
    CU_add_test(suite, "documented parameters", test_parameters_are_documented);
    CU_add_test(suite, "written-out board", test_written_board);
    CU_add_test(suite, "start by cells", test_start_by_cells);
    CU_add_test(suite, "broken files", test_broken_files);
    CU_add_test(suite, "places of errors", test_error_places);
    CU_add_test(suite, "patches", test_patches);
    CU_add_test(suite, "broken positions", test_broken_positions);
    CU_add_test(suite, "positions without counters", test_counters_may_be_left_out);
    CU_add_test(suite, "a castling field where nothing castles", test_castling_field_of_other_programs);
    CU_add_test(suite, "broken moves", test_broken_moves);
}
