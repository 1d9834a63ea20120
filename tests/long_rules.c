/* The long tests of the rules: deep perft, longer problems, and a whole file of tournament games where there
 * is one.
 */
#include "rules_data.h"

#include <stdio.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

static int forget(void)
{
    rules_forget();
    return 0;
}

static void test_deep_perft(void)
{
    rules_check_perft(8000000, UINT64_MAX);
}

static void test_problems(void)
{
    CU_ASSERT_EQUAL(rules_each_line("tests/data/problems.jsonl", NULL, rules_check_problem), 5);
}

/* The games are not part of the source; they are checked where somebody has put them beside it. */
static void test_all_tournament_games(void)
{
    static const char path[] = "../shared/reference/glinski_tournament_games.jsonl";
    if (access(path, R_OK) != 0) {
        printf("all tournament games: skipped, %s is not there\n", path);
        CU_PASS("skipped");
        return;
    }
    CU_ASSERT_TRUE(rules_each_line(path, "glinski", rules_check_tournament_game) > 0);
}

void long_rules_suite(void)
{
    CU_pSuite suite = CU_add_suite("rules", NULL, forget);
    CU_add_test(suite, "deep perft", test_deep_perft);
    CU_add_test(suite, "problems", test_problems);
    CU_add_test(suite, "all tournament games", test_all_tournament_games);
}
