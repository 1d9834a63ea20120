/* PGN: the movetext forms, what is skipped, and games that go wrong. */
#include "steelyard/pgn.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static struct sy_variant *load(const char *name)
{
    struct sy_variant *variant = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_variant_load(name, NULL, &variant, NULL), SY_OK);
    return variant;
}

/* Reads the one game of the text and returns the position it ends in, or the error. */
static char *ends_in(const char *variant_name, const char *text)
{
    struct sy_variant *variant = load(variant_name);
    struct sy_pgn_game game;
    struct sy_error error;
    size_t line = 1;
    CU_ASSERT_EQUAL_FATAL(sy_pgn_next(variant, &text, &line, &game, &error), SY_OK);
    CU_ASSERT_TRUE(game.found);
    char *end = game.status ? sy_strdup(game.error.message) : sy_fen(&game.final);
    sy_pgn_clear(&game);
    sy_variant_free(variant);
    return end;
}

static void expect(const char *variant, const char *text, const char *wanted)
{
    char *end = ends_in(variant, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(end, wanted));
    if (!strstr(end, wanted)) {
        CU_ASSERT_STRING_EQUAL(end, wanted);
    }
    free(end);
}

static void test_algebraic(void)
{
    expect("chess", "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6?? 4. Qxf7# 1-0",
           "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4");
    /* Castling, en passant, a capture by a pawn. */
    expect("chess", "1.e4 e6 2.e5 d5 3.exd6 Bxd6 4.Nf3 Nf6 5.Be2 O-O 6.O-O *",
           "rnbq1rk1/ppp2ppp/3bpn2/8/8/5N2/PPPPBPPP/RNBQ1RK1 b - - 5 6");
    expect("chess", "1.d4 d5 2.Nc3 Nc6 3.Bf4 Bf5 4.Qd2 Qd7 5.O-O-O O-O-O",
           "2kr1bnr/pppqpppp/2n5/3p1b2/3P1B2/2N5/PPPQPPPP/2KR1BNR w");
    /* Which of two knights; promotion with and without "=". */
    expect("chess", "1.Nc3 a6 2.Nf3 a5 3.Ne4 a4 4.Neg5 *",
           "rnbqkbnr/1ppppppp/8/6N1/p7/5N2/PPPPPPPP/R1BQKB1R b");
    expect("chess", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=R *", "R7/7k/8/8/8/8/8/K7 b");
    expect("chess", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8N *", "N7/7k/8/8/8/8/8/K7 b");
}

static void test_other_games(void)
{
    expect("glinski", "1. e1c3 e10c6 2. b1b2 b7b6 3. f3b1 e7e6 4. c3f9# 1-0", "b/1bk/n1Q1n/");
    expect("glinski", "1. Qc3 Qc6 2. b2 b6 3. Bb1 e6 4. Qxf9 1-0", "b/1bk/n1Q1n/");
    expect("sunflower", "1. Dhz3 Bbz1 2. Dfv1 1-0", " b - ");
}

static void test_skipping(void)
{
    expect("chess",
           "[Event \"a \\\"test\\\" {\"]\n[White \"x\"]\n; a line\n% another\n\n"
           "1. e4 {good (or not) [x]} $1 (1. d4 d5 (1... Nf6 {in}) 2. c4) 1... e5 2. Nf3!? *",
           "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

static void test_errors(void)
{
    expect("chess", "1. e4 e5\n2. Ke3 *", "line 2: no legal move fits Ke3");
    expect("chess", "1. Nf3 a6 2. d3 a5 3. Nd2 *", "several legal moves fit Nd2");
    expect("chess", "[FEN \"8/8 w - - 0 1\"]\n\n1. e4 *", "FEN");
}

static void test_several(void)
{
    struct sy_variant *variant = load("chess");
    const char *text = "[Event \"1\"]\n\n1. e4 1-0\n\n[Event \"2\"]\n\n1. d4 d5 1/2-1/2\n\n1. c4 0-1\n";
    static const char *const results[] = {"1-0", "1/2-1/2", "0-1"};
    static const size_t lengths[] = {1, 2, 1}, lines[] = {1, 5, 9};
    struct sy_pgn_game game;
    size_t line = 1;
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(sy_pgn_next(variant, &text, &line, &game, NULL), SY_OK);
        CU_ASSERT_TRUE_FATAL(game.found);
        CU_ASSERT_EQUAL(game.status, SY_OK);
        CU_ASSERT_STRING_EQUAL(game.result, results[i]);
        CU_ASSERT_EQUAL(game.count, lengths[i]);
        CU_ASSERT_EQUAL(game.line, lines[i]);
        sy_pgn_clear(&game);
    }
    CU_ASSERT_EQUAL_FATAL(sy_pgn_next(variant, &text, &line, &game, NULL), SY_OK);
    CU_ASSERT_FALSE(game.found);
    sy_variant_free(variant);
}

void test_pgn_suite(void)
{
    CU_pSuite suite = CU_add_suite("pgn", NULL, NULL);
    CU_add_test(suite, "algebraic notation", test_algebraic);
    CU_add_test(suite, "other games", test_other_games);
    CU_add_test(suite, "what is skipped", test_skipping);
    CU_add_test(suite, "errors", test_errors);
    CU_add_test(suite, "several games", test_several);
}
