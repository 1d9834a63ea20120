/* The test runner: run-tests [--long] [SUITE ...]
 *
 * Runs every suite of tests/test_*.c, or with --long those of tests/long_*.c, or only the named ones ("json"
 * for tests/test_json.c). A test passes if it asserts something and every assertion holds. The last line is
 * "N passed, M failed"; the exit status is 0 only if something passed and nothing failed.
 *
 * The build puts suites.h before this file: the prototypes, FAST_SUITES and LONG_SUITES. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>

struct suite {
    const char *function; /* "test_json_suite" */
    void (*add)(void);
    bool is_long;
};

#define FAST(f) {#f, f, false},
#define LONG(f) {#f, f, true},
static const struct suite suites[] = {FAST_SUITES(FAST) LONG_SUITES(LONG){NULL, NULL, false}};

static unsigned passed, failed;
static unsigned asserts_before;
static struct timespec suite_started;

static bool is_called(const struct suite *suite, const char *name)
{
    size_t prefix = strlen("test_"); /* as long as "long_" */
    size_t length = strlen(suite->function) - prefix - strlen("_suite");
    return strlen(name) == length && strncmp(suite->function + prefix, name, length) == 0;
}

static bool is_wanted(const struct suite *suite, bool want_long, char **names, int count)
{
    if (suite->is_long != want_long)
        return false;
    for (int i = 0; i < count; i++)
        if (is_called(suite, names[i]))
            return true;
    return count == 0;
}

/* A name that selects nothing is an error, or a misspelt one would pass. */
static bool all_names_known(bool want_long, char **names, int count)
{
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (const struct suite *suite = suites; suite->function; suite++)
            known = known || is_wanted(suite, want_long, names + i, 1);
        if (!known) {
            fprintf(stderr, "run-tests: no %s suite is called '%s'\n", want_long ? "long" : "fast", names[i]);
            return false;
        }
    }
    return true;
}

static void add_suite(const struct suite *suite)
{
    unsigned before = CU_get_registry()->uiNumberOfTests;
    suite->add();
    if (CU_get_registry()->uiNumberOfTests == before) {
        printf("FAILED %s: added no test (%s)\n", suite->function, CU_get_error_msg());
        failed++;
    }
}

static void suite_starts(const CU_pSuite suite)
{
    (void)suite;
    clock_gettime(CLOCK_MONOTONIC, &suite_started);
}

static void suite_ends(const CU_pSuite suite, const CU_pFailureRecord failure)
{
    (void)failure;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - suite_started.tv_sec) + 1e-9 * (double)(now.tv_nsec - suite_started.tv_nsec);
    printf("%-24s %3u tests %8.2f s\n", suite->pName, suite->uiNumberOfTests, seconds);
    fflush(stdout);
}

static void suite_cannot_start(const CU_pSuite suite)
{
    printf("FAILED %s: its set-up failed\n", suite->pName);
    failed += suite->uiNumberOfTests;
}

static void suite_cannot_end(const CU_pSuite suite)
{
    printf("FAILED %s: its clean-up failed\n", suite->pName);
    failed++;
}

static void test_starts(const CU_pTest test, const CU_pSuite suite)
{
    (void)test;
    (void)suite;
    asserts_before = CU_get_number_of_asserts();
}

static void test_ends(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failures)
{
    bool asserted = CU_get_number_of_asserts() > asserts_before;
    if (asserted && !failures) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED %s: %s%s\n", suite->pName, test->pName, asserted ? "" : ": asserted nothing");
    for (const CU_FailureRecord *failure = failures; failure; failure = failure->pNext)
        printf("    %s:%u: %s\n", failure->strFileName, failure->uiLineNumber, failure->strCondition);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    bool want_long = argc > 1 && strcmp(argv[1], "--long") == 0;
    char **names = argv + 1 + want_long;
    int count = argc - 1 - want_long;
    if (!all_names_known(want_long, names, count))
        return EXIT_FAILURE;
    if (CU_initialize_registry() != CUE_SUCCESS) {
        fprintf(stderr, "run-tests: %s\n", CU_get_error_msg());
        return EXIT_FAILURE;
    }
    for (const struct suite *suite = suites; suite->function; suite++)
        if (is_wanted(suite, want_long, names, count))
            add_suite(suite);
    CU_set_suite_start_handler(suite_starts);
    CU_set_suite_complete_handler(suite_ends);
    CU_set_suite_init_failure_handler(suite_cannot_start);
    CU_set_suite_cleanup_failure_handler(suite_cannot_end);
    CU_set_test_start_handler(test_starts);
    CU_set_test_complete_handler(test_ends);
    CU_run_all_tests();
    CU_cleanup_registry();
    printf("%u passed, %u failed\n", passed, failed);
    return passed > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
