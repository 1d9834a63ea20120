/* Tests of uci_time: no budget reaches beyond the clock, and no game is lost on time. */
#include "steelyard/uci_time.h"

#include <CUnit/CUnit.h>
#include <math.h>

void test_uci_time_suite(void);

static const struct sy_uci_go clocked = {.clocked = true};

static void test_no_limit(void)
{
    const struct sy_uci_go go = {.depth = 5};
    const struct sy_uci_budget budget = sy_uci_budget_of(&go, 0, 10);
    CU_ASSERT_EQUAL(budget.enough, 0);
    CU_ASSERT_EQUAL(budget.most, 0);
}

static void test_move_time(void)
{
    struct sy_uci_go go = {.move_time = 100};
    CU_ASSERT_DOUBLE_EQUAL(sy_uci_budget_of(&go, 0, 10).most, 0.09, 1e-12);
    CU_ASSERT_EQUAL(sy_uci_budget_of(&go, 0, 10).enough, 0); /* it is meant to be used */
    go.move_time = 4;
    CU_ASSERT_DOUBLE_EQUAL(sy_uci_budget_of(&go, 0, 10).most, 0.002, 1e-12);
}

static void test_sides(void)
{
    struct sy_uci_go go = clocked;
    go.left[0] = 60000;
    go.left[1] = 6000;
    CU_ASSERT_TRUE(sy_uci_budget_of(&go, 0, 10).most > 5 * sy_uci_budget_of(&go, 1, 10).most);
}

/* Whatever the clock: the reserve is not touched, and more time is never less for a move. */
static void test_reserve(void)
{
    static const int64_t gains[] = {0, 10, 200, 10000}, moves[] = {0, 1, 2, 40}, overheads[] = {0, 10, 100};
    for (unsigned i = 0; i < 4 * 4 * 3; i++) {
        const int64_t overhead = overheads[i / 16];
        struct sy_uci_budget before = {0, 0};
        struct sy_uci_go go = clocked;
        go.gain[0] = gains[i % 4];
        go.moves_to_go = moves[i / 4 % 4];
        for (go.left[0] = 0; go.left[0] < 200000; go.left[0] += 1 + go.left[0] / 8) {
            const struct sy_uci_budget budget = sy_uci_budget_of(&go, 0, overhead);
            const double left = 1e-3 * (double)go.left[0];
            const double usable = left - fmin(0.05 * (double)overhead, left / 2);
            CU_ASSERT_TRUE(budget.enough >= 0.001);
            CU_ASSERT_TRUE(budget.enough <= budget.most);
            CU_ASSERT_TRUE(budget.most <= fmax(usable, 0.001) + 1e-9);
            CU_ASSERT_TRUE(budget.enough >= before.enough - 1e-9 && budget.most >= before.most - 1e-9);
            before = budget;
        }
    }
}

/* A game of 200 moves in which each takes all it may, and loses a little more than the overhead on its way,
 * now and then much more. The least that was left on the clock. */
static double least_left(double left, int64_t gain, int64_t moves_to_go, double stall)
{
    const double control = left;
    double least = left;
    for (int64_t move = 0; move < 200; move++) {
        struct sy_uci_go go = clocked;
        go.left[0] = (int64_t)(1000 * left);
        go.gain[0] = gain;
        go.moves_to_go = moves_to_go > 0 ? moves_to_go - move % moves_to_go : 0;
        left -= sy_uci_budget_of(&go, 0, 10).most + 0.003 + (move % 50 == 49 ? stall : 0);
        least = fmin(least, left);
        left += 1e-3 * (double)gain + (go.moves_to_go == 1 ? control : 0);
    }
    return least;
}

static void test_games(void)
{
    CU_ASSERT_TRUE(least_left(1, 10, 0, 0.06) > 0);
    CU_ASSERT_TRUE(least_left(1, 20, 0, 0.2) > 0);
    CU_ASSERT_TRUE(least_left(2, 200, 0, 0.4) > 0);
    CU_ASSERT_TRUE(least_left(10, 100, 0, 0.4) > 0);
    CU_ASSERT_TRUE(least_left(2, 0, 40, 0.02) > 0);
    CU_ASSERT_TRUE(least_left(60, 0, 40, 0.2) > 0);
    CU_ASSERT_TRUE(least_left(60, 0, 1, 0.4) > 0);
}

void test_uci_time_suite(void)
{
    CU_pSuite suite = CU_add_suite("uci_time", NULL, NULL);
    CU_add_test(suite, "no limit", test_no_limit);
    CU_add_test(suite, "a move's time", test_move_time);
    CU_add_test(suite, "each side has its clock", test_sides);
    CU_add_test(suite, "a reserve", test_reserve);
    CU_add_test(suite, "whole games", test_games);
}
