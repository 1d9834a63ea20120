/* Tests of base. The expected random numbers are those of the authors' reference programs. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "steelyard/base.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void test_base_suite(void);

/* ---- errors ---- */

static void test_fail(void)
{
    struct sy_error error;
    CU_ASSERT_EQUAL(sy_fail(&error, SY_BAD_INPUT, "%s:%d: no", "a.json", 3), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "a.json:3: no");
    CU_ASSERT_EQUAL(sy_fail_within(&error, SY_FAILED, "run %s", "x"), SY_FAILED);
    CU_ASSERT_STRING_EQUAL(error.message, "run x: a.json:3: no");
    CU_ASSERT_EQUAL(sy_fail(&error, SY_FAILED, "<%s>", error.message), SY_FAILED);
    CU_ASSERT_STRING_EQUAL(error.message, "<run x: a.json:3: no>");
    CU_ASSERT_EQUAL(sy_fail(NULL, SY_USAGE, "nobody listens"), SY_USAGE);
}

static void test_fail_cleans(void)
{
    struct sy_error error;
    sy_fail(&error, SY_FAILED, "a\nb\x1b[31m \xc3\xa9 \xff");
    CU_ASSERT_STRING_EQUAL(error.message, "a?b?[31m \xc3\xa9 ?");
}

static void test_fail_cuts(void)
{
    struct sy_error error;
    char *longer = sy_alloc(3000, 1);
    memset(longer, 'x', 2999);
    sy_fail(&error, SY_FAILED, "%s", longer);
    CU_ASSERT_EQUAL(strlen(error.message), sizeof error.message - 1);
    CU_ASSERT_STRING_EQUAL(error.message + sizeof error.message - 5, "x...");
    sy_fail_within(&error, SY_FAILED, "file");
    CU_ASSERT_EQUAL(strlen(error.message), sizeof error.message - 1);
    CU_ASSERT_NSTRING_EQUAL(error.message, "file: xxx", 9);
    CU_ASSERT_STRING_EQUAL(error.message + sizeof error.message - 4, "...");
    free(longer);
}

/* ---- memory and text ---- */

static void test_memory(void)
{
    size_t capacity = 0;
    int *items = NULL;
    for (int i = 0; i < 1000; i++) {
        items = sy_grow(items, &capacity, (size_t)i + 1, sizeof *items);
        items[i] = i;
    }
    CU_ASSERT(capacity >= 1000 && capacity < 2000);
    CU_ASSERT_EQUAL(items[0] + items[999], 999);
    CU_ASSERT_PTR_EQUAL(sy_grow(items, &capacity, 5, sizeof *items), items);
    free(items);
    unsigned char *zeros = sy_alloc(7, 3);
    for (int i = 0; i < 21; i++)
        CU_ASSERT_EQUAL(zeros[i], 0);
    free(zeros);
    void *nothing = sy_alloc(0, 8);
    CU_ASSERT_PTR_NOT_NULL(nothing);
    free(nothing);
}

/* A product that overflows must end the program with code 1, not return a small block. */
static void test_memory_overflow(void)
{
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(3);
        volatile size_t half = SIZE_MAX / 2;
        void *block = sy_alloc(half, 4);
        _exit(block == NULL ? 4 : 5);
    }
    int status = 0;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == SY_FAILED);
}

static void test_text(void)
{
    struct sy_text text = SY_TEXT_INIT;
    sy_text_add(&text, "", 0);
    CU_ASSERT_STRING_EQUAL(text.bytes, "");
    sy_text_puts(&text, "one");
    sy_text_printf(&text, " %d %s", 2, "three");
    sy_text_add(&text, "four\0five", 4);
    CU_ASSERT_STRING_EQUAL(text.bytes, "one 2 threefour");
    CU_ASSERT_EQUAL(text.length, 15);
    for (int i = 0; i < 1000; i++)
        sy_text_printf(&text, "%d,", i);
    CU_ASSERT_EQUAL(text.length, 15 + 10 * 2 + 90 * 3 + 900 * 4);
    CU_ASSERT_EQUAL(strlen(text.bytes), text.length);
    sy_text_clear(&text);
    CU_ASSERT_PTR_NULL(text.bytes);
    CU_ASSERT_EQUAL(text.length, 0);
    char *made = sy_format("%s-%05.1f", "x", 2.25);
    CU_ASSERT_STRING_EQUAL(made, "x-002.2");
    free(made);
}

/* ---- numbers ---- */

static void test_parse_u64(void)
{
    static const char *const bad[] = {
        "", "-1", "+1", " 1", "1 ", "1a", "0x1", "1.0", "18446744073709551616", "99999999999999999999"};
    uint64_t number = 5;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_FALSE(sy_parse_u64(bad[i], &number));
    CU_ASSERT_EQUAL(number, 5);
    CU_ASSERT(sy_parse_u64("18446744073709551615", &number) && number == UINT64_MAX);
    CU_ASSERT(sy_parse_u64("0", &number) && number == 0);
    CU_ASSERT(sy_parse_u64("007", &number) && number == 7);
}

static void test_parse_i64(void)
{
    int64_t number = 5;
    CU_ASSERT(sy_parse_i64("-9223372036854775808", INT64_MIN, INT64_MAX, &number) && number == INT64_MIN);
    CU_ASSERT(sy_parse_i64("9223372036854775807", INT64_MIN, INT64_MAX, &number) && number == INT64_MAX);
    CU_ASSERT(sy_parse_i64("-9223372036854775807", INT64_MIN, INT64_MAX, &number) && number == -INT64_MAX);
    CU_ASSERT(sy_parse_i64("-3", -3, 4, &number) && number == -3);
    CU_ASSERT(sy_parse_i64("-0", -3, 4, &number) && number == 0);
    static const char *const bad[] = {"-4", "5", "-", "--1", "+2", "9223372036854775808", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_FALSE(sy_parse_i64(bad[i], -3, 4, &number));
    CU_ASSERT_FALSE(sy_parse_i64("-9223372036854775809", INT64_MIN, INT64_MAX, &number));
    CU_ASSERT_FALSE(sy_parse_i64("9223372036854775808", INT64_MIN, INT64_MAX, &number));
}

static void test_parse_double(void)
{
    static const char *const bad[] = {"",      " 1",  "1 ", "nan", "inf", "0x1p3",
                                      "1e999", "1,5", "1e", "--1", "."};
    double number = 5;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_FALSE(sy_parse_double(bad[i], &number));
    CU_ASSERT_EQUAL(number, 5);
    CU_ASSERT(sy_parse_double("-2.5e-1", &number) && number == -0.25);
    CU_ASSERT(sy_parse_double("-0", &number) && number == 0 && signbit(number));
    CU_ASSERT(sy_parse_double("5e-324", &number) && number == DBL_TRUE_MIN);
    CU_ASSERT(sy_parse_double("1e-999", &number) && number == 0);
}

static bool survives(double number)
{
    char text[32];
    double back;
    sy_double_text(number, text);
    return sy_parse_double(text, &back) && memcmp(&back, &number, sizeof back) == 0;
}

static void test_double_text(void)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {-1234567890123456.0, "-1234567890123456"},
                 {9007199254740991.0, "9007199254740991"},
                 {1e15, "1000000000000000"},
                 {1e22, "1e+22"},
                 {DBL_MAX, "1.7976931348623157e+308"}};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sy_double_text(cases[i].number, text);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
        CU_ASSERT(survives(cases[i].number));
    }
    CU_ASSERT(survives(DBL_MIN) && survives(DBL_TRUE_MIN) && survives(-DBL_MAX) && survives(DBL_EPSILON));
}

static void test_double_text_random(void)
{
    struct sy_random random = sy_random_stream(1, 2, 3);
    int lost = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = sy_random_u64(&random);
        double number;
        memcpy(&number, &bits, sizeof number);
        lost += isfinite(number) && !survives(number);
        lost += !survives(sy_random_normal(&random));
    }
    CU_ASSERT_EQUAL(lost, 0);
}

/* Under a locale with a decimal comma, where the machine has one. */
static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_NUMERIC, names[i]) != NULL)
            break;
    char text[32];
    double number = 0;
    sy_double_text(0.5, text);
    CU_ASSERT_STRING_EQUAL(text, "0.5");
    CU_ASSERT(sy_parse_double("0.25", &number) && number == 0.25);
    CU_ASSERT_FALSE(sy_parse_double("0,25", &number));
    setlocale(LC_NUMERIC, "C");
}

/* ---- words and UTF-8 ---- */

static void test_nearest_word(void)
{
    static const char *const words[] = {"range", "pieces", "max", "min", "promotion"};
    CU_ASSERT_STRING_EQUAL(sy_nearest_word("rang", words, 5), "range");
    CU_ASSERT_STRING_EQUAL(sy_nearest_word("piceses", words, 5), "pieces");
    CU_ASSERT_STRING_EQUAL(sy_nearest_word("mxa", words, 5), "max");
    CU_ASSERT_STRING_EQUAL(sy_nearest_word("promtoion", words, 5), "promotion");
    CU_ASSERT_STRING_EQUAL(sy_nearest_word("premotions", words, 5), "promotion");
    CU_ASSERT_PTR_NULL(sy_nearest_word("castling", words, 5));
    CU_ASSERT_PTR_NULL(sy_nearest_word("mob", words, 5));
    CU_ASSERT_PTR_NULL(sy_nearest_word("x", words, 5));
    CU_ASSERT_PTR_NULL(sy_nearest_word("range", words, 0));
    char longer[200];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CU_ASSERT_PTR_NULL(sy_nearest_word(longer, words, 5));
}

static void test_utf8(void)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {{"a", 1},
                 {"\xc3\xa9x", 2},
                 {"\xe2\x99\x94", 3},
                 {"\xf0\x9f\x8c\xbb", 4},
                 {"\x80", 0},
                 {"\xc0\xaf", 0}, /* overlong */
                 {"\xc1\xbf", 0},
                 {"\xe0\x9f\xbf", 0}, /* overlong */
                 {"\xe0\xa0\x80", 3},
                 {"\xed\x9f\xbf", 3},
                 {"\xed\xa0\x80", 0},     /* surrogate */
                 {"\xf0\x8f\xbf\xbf", 0}, /* overlong */
                 {"\xf4\x8f\xbf\xbf", 4},
                 {"\xf4\x90\x80\x80", 0}, /* beyond U+10FFFF */
                 {"\xf5\x80\x80\x80", 0},
                 {"\xe2\x99", 0},
                 {"\xe2\x99x", 0},
                 {"\xff", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_EQUAL(sy_utf8_length(cases[i].bytes, strlen(cases[i].bytes)), cases[i].length);
    CU_ASSERT_EQUAL(sy_utf8_length("\xc3\xa9", 1), 0);
    CU_ASSERT_EQUAL(sy_utf8_length("a", 0), 0);
    CU_ASSERT_EQUAL(sy_utf8_length("", 1), 1);
}

/* ---- files ---- */

static char *make_scratch(void)
{
    const char *parent = getenv("TMPDIR");
    char *path = sy_format("%s/steelyard-XXXXXX", parent == NULL ? "/tmp" : parent);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(path));
    return path;
}

static size_t count_entries(const char *path)
{
    size_t count = 0;
    DIR *directory = opendir(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count - 2; /* without . and .. */
}

static bool holds(const char *path, const char *bytes, size_t length)
{
    char *found;
    size_t found_length;
    struct sy_error error;
    if (sy_read_file(path, &found, &found_length, &error) != SY_OK)
        return false;
    bool same = found_length == length && memcmp(found, bytes, length) == 0 && found[length] == '\0';
    free(found);
    return same;
}

static void test_files(void)
{
    struct sy_error error;
    char *scratch = make_scratch(), *path = sy_format("%s/file", scratch);
    CU_ASSERT_EQUAL(sy_write_file(path, "a\0b", 3, &error), SY_OK);
    CU_ASSERT(holds(path, "a\0b", 3));
    CU_ASSERT_EQUAL(sy_write_file(path, "", 0, &error), SY_OK);
    CU_ASSERT(holds(path, "", 0));
    size_t length = 1 << 18; /* several pieces, and exactly whole ones */
    char *large = sy_alloc(length, 1);
    memset(large, 'z', length);
    CU_ASSERT_EQUAL(sy_write_file(path, large, length, &error), SY_OK);
    CU_ASSERT(holds(path, large, length));
    CU_ASSERT_EQUAL(count_entries(scratch), 1);
    free(large);
    unlink(path);
    rmdir(scratch);
    free(path);
    free(scratch);
}

static void test_file_mode_and_link(void)
{
    struct sy_error error;
    char *scratch = make_scratch(), *path = sy_format("%s/file", scratch),
         *link = sy_format("%s/link", scratch);
    CU_ASSERT_EQUAL(sy_write_file(path, "old", 3, &error), SY_OK);
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    CU_ASSERT_EQUAL(symlink("file", link), 0);
    CU_ASSERT_EQUAL(sy_write_file(link, "new", 3, &error), SY_OK);
    struct stat found;
    CU_ASSERT(lstat(link, &found) == 0 && S_ISLNK(found.st_mode));
    CU_ASSERT(stat(path, &found) == 0 && (found.st_mode & 0777) == 0600);
    CU_ASSERT(holds(path, "new", 3));
    unlink(link);
    unlink(path);
    rmdir(scratch);
    free(link);
    free(path);
    free(scratch);
}

/* A limit on file size stands for a full disk: the write breaks off in the middle. */
static void test_full_disk(void)
{
    struct sy_error error;
    char *scratch = make_scratch(), *path = sy_format("%s/file", scratch);
    CU_ASSERT_EQUAL(sy_write_file(path, "precious", 8, &error), SY_OK);
    struct rlimit before, small;
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    char *large = sy_alloc(5000, 1);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum sy_status status = sy_write_file(path, large, 5000, &error);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    CU_ASSERT_EQUAL(status, SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, path));
    CU_ASSERT(holds(path, "precious", 8));
    CU_ASSERT_EQUAL(count_entries(scratch), 1);
    CU_ASSERT_EQUAL(sy_write_file("/dev/full", "x", 1, &error), SY_FAILED);
    CU_ASSERT_STRING_EQUAL(error.message, "/dev/full: cannot write: No space left on device");
    CU_ASSERT_EQUAL(sy_write_file("/dev/null", "x", 1, &error), SY_OK);
    free(large);
    unlink(path);
    rmdir(scratch);
    free(path);
    free(scratch);
}

static void test_bad_files(void)
{
    struct sy_error error;
    char *scratch = make_scratch(), *missing = sy_format("%s/no/file", scratch), *bytes = NULL;
    size_t length;
    CU_ASSERT_EQUAL(sy_read_file(missing, &bytes, &length, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no/file: cannot open: No such file or directory"));
    CU_ASSERT_EQUAL(sy_read_file(scratch, &bytes, &length, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NULL(bytes);
    CU_ASSERT_EQUAL(sy_write_file(missing, "x", 1, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no/file: cannot write: No such file or directory"));
    CU_ASSERT_EQUAL(sy_write_file(scratch, "x", 1, &error), SY_FAILED);
    CU_ASSERT_EQUAL(count_entries(scratch), 0);
    rmdir(scratch);
    free(missing);
    free(scratch);
}

static void test_make_directory(void)
{
    struct sy_error error;
    char *scratch = make_scratch(), *deep = sy_format("%s/a//b/c/", scratch),
         *file = sy_format("%s/f", scratch);
    char *below = sy_format("%s/f/g", scratch);
    struct stat found;
    CU_ASSERT_EQUAL(sy_make_directory(deep, &error), SY_OK);
    CU_ASSERT(stat(deep, &found) == 0 && S_ISDIR(found.st_mode));
    CU_ASSERT_EQUAL(sy_make_directory(deep, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_make_directory("/", &error), SY_OK);
    CU_ASSERT_EQUAL(sy_make_directory("", &error), SY_FAILED);
    CU_ASSERT_EQUAL(sy_write_file(file, "x", 1, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_make_directory(file, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "Not a directory"));
    CU_ASSERT_EQUAL(sy_make_directory(below, &error), SY_FAILED);
    unlink(file);
    static const char *const made[] = {"a/b/c", "a/b", "a", "."};
    for (size_t i = 0; i < 3; i++) {
        char *path = sy_format("%s/%s", scratch, made[i]);
        CU_ASSERT_EQUAL(rmdir(path), 0);
        free(path);
    }
    rmdir(scratch);
    free(below);
    free(file);
    free(deep);
    free(scratch);
}

/* ---- random numbers ---- */

static void test_random_reference(void)
{
    static const uint64_t expected[] = {11520,
                                        0,
                                        1509978240,
                                        UINT64_C(1215971899390074240),
                                        UINT64_C(1216172134540287360),
                                        UINT64_C(607988272756665600),
                                        UINT64_C(16172922978634559625),
                                        UINT64_C(8476171486693032832),
                                        UINT64_C(10595114339597558777),
                                        UINT64_C(2904607092377533576)};
    struct sy_random random = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        CU_ASSERT_EQUAL(sy_random_u64(&random), expected[i]);
    const uint64_t gamma = UINT64_C(0x9e3779b97f4a7c15);
    CU_ASSERT_EQUAL(sy_mix64(1234567 + gamma), UINT64_C(6457827717110365317));
    CU_ASSERT_EQUAL(sy_mix64(1234567 + 2 * gamma), UINT64_C(3203168211198807973));
}

static int compare_u64(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Neighbouring keys give unrelated streams, and each part of the key counts by itself. */
static void test_random_streams(void)
{
    enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE };
    static uint64_t first[COUNT];
    int bits = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        struct sy_random random = sy_random_stream(i / (SIDE * SIDE), i / SIDE % SIDE, i % SIDE);
        first[i] = sy_random_u64(&random);
    }
    for (size_t i = 1; i < COUNT; i++)
        for (uint64_t changed = first[i] ^ first[i - 1]; changed != 0; changed &= changed - 1)
            bits++;
    CU_ASSERT_DOUBLE_EQUAL(bits / (COUNT - 1.0), 32, 0.25); /* four standard errors */
    qsort(first, COUNT, sizeof *first, compare_u64);
    for (size_t i = 1; i < COUNT; i++)
        CU_ASSERT_NOT_EQUAL(first[i], first[i - 1]);
    struct sy_random once = sy_random_stream(7, 8, 9), again = sy_random_stream(7, 8, 9);
    CU_ASSERT_EQUAL(sy_random_u64(&once), sy_random_u64(&again));
}

static void test_random_below(void)
{
    struct sy_random random = sy_random_stream(1, 0, 0);
    int counts[7] = {0}, low = 0;
    for (int i = 0; i < 70000; i++)
        counts[sy_random_below(&random, 7)]++;
    double chi2 = 0;
    for (int i = 0; i < 7; i++)
        chi2 += (counts[i] - 1e4) * (counts[i] - 1e4) / 1e4;
    CU_ASSERT(chi2 > 0.68 && chi2 < 18.5); /* 0.5 % on each side, 6 degrees of freedom */
    /* A remainder alone would put half of these below 2^62, not a third. */
    for (int i = 0; i < 30000; i++)
        low += sy_random_below(&random, UINT64_C(3) << 62) < UINT64_C(1) << 62;
    CU_ASSERT_DOUBLE_EQUAL(low / 30000.0, 1.0 / 3, 0.011);
    CU_ASSERT_EQUAL(sy_random_below(&random, 1), 0);
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Kolmogorov's distance times sqrt(n); above 1.63 in 1 % of samples. Sorts the sample. */
static double kolmogorov(double *sample, int count, double (*cumulative)(double))
{
    double distance = 0;
    qsort(sample, (size_t)count, sizeof *sample, compare_doubles);
    for (int i = 0; i < count; i++) {
        double expected = cumulative(sample[i]);
        distance = fmax(distance, fmax(expected - (double)i / count, (i + 1.0) / count - expected));
    }
    return distance * sqrt(count);
}

static double uniform_cumulative(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double normal_cumulative(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static void test_random_unit(void)
{
    enum { COUNT = 100000 };
    static double sample[COUNT];
    struct sy_random random = sy_random_stream(2, 0, 0);
    for (int i = 0; i < COUNT; i++)
        sample[i] = sy_random_unit(&random);
    CU_ASSERT(kolmogorov(sample, COUNT, uniform_cumulative) < 1.63);
    CU_ASSERT(sample[0] >= 0 && sample[COUNT - 1] < 1);
}

static void test_random_normal(void)
{
    enum { COUNT = 400000 };
    static double sample[COUNT];
    struct sy_random random = sy_random_stream(3, 0, 0);
    double sum = 0, squares = 0, fourths = 0, last = 0, lagged = 0;
    for (int i = 0; i < COUNT; i++) {
        double x = sy_random_normal(&random);
        sample[i] = x;
        sum += x;
        squares += x * x;
        fourths += x * x * x * x;
        lagged += x * last;
        last = x;
    }
    double unit = 4 / sqrt(COUNT); /* four standard errors of a mean of variance 1 */
    CU_ASSERT_DOUBLE_EQUAL(sum / COUNT, 0, unit);
    CU_ASSERT_DOUBLE_EQUAL(squares / COUNT, 1, unit * sqrt(2));
    CU_ASSERT_DOUBLE_EQUAL(fourths / COUNT, 3, unit * sqrt(96));
    CU_ASSERT_DOUBLE_EQUAL(lagged / COUNT, 0, unit);
    CU_ASSERT(kolmogorov(sample, COUNT, normal_cumulative) < 1.63);
    CU_ASSERT(sample[0] < -4 && sample[COUNT - 1] > 4); /* some 13 are expected beyond either */
}

/* ---- digests ---- */

static void test_digest(void)
{
    char hex[65], pieces[65];
    sy_sha256("", 0, hex);
    CU_ASSERT_STRING_EQUAL(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sy_sha256("abc", 3, hex); /* FIPS 180-4's example */
    CU_ASSERT_STRING_EQUAL(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    struct sy_digest *digest = sy_digest_create();
    sy_digest_add(digest, "a", 1);
    sy_digest_add(digest, "", 0);
    sy_digest_add(digest, "bc", 2);
    sy_digest_finish(digest, pieces);
    CU_ASSERT_STRING_EQUAL(pieces, hex);
    sy_digest_free(sy_digest_create());
    sy_digest_free(NULL);
}

void test_base_suite(void)
{
    CU_pSuite suite = CU_add_suite("base", NULL, NULL);
    CU_add_test(suite, "error messages", test_fail);
    CU_add_test(suite, "error messages are one line of UTF-8", test_fail_cleans);
    CU_add_test(suite, "long error messages are cut", test_fail_cuts);
    CU_add_test(suite, "memory", test_memory);
    CU_add_test(suite, "a product that overflows", test_memory_overflow);
    CU_add_test(suite, "growable text", test_text);
    CU_add_test(suite, "parsing uint64_t", test_parse_u64);
    CU_add_test(suite, "parsing int64_t", test_parse_i64);
    CU_add_test(suite, "parsing double", test_parse_double);
    CU_add_test(suite, "writing double", test_double_text);
    CU_add_test(suite, "random doubles survive", test_double_text_random);
    CU_add_test(suite, "decimal comma", test_locale);
    CU_add_test(suite, "nearest word", test_nearest_word);
    CU_add_test(suite, "UTF-8", test_utf8);
    CU_add_test(suite, "files", test_files);
    CU_add_test(suite, "a file's mode and link stay", test_file_mode_and_link);
    CU_add_test(suite, "full disk", test_full_disk);
    CU_add_test(suite, "bad files", test_bad_files);
    CU_add_test(suite, "directories", test_make_directory);
    CU_add_test(suite, "random numbers as published", test_random_reference);
    CU_add_test(suite, "random streams", test_random_streams);
    CU_add_test(suite, "random below", test_random_below);
    CU_add_test(suite, "random unit", test_random_unit);
    CU_add_test(suite, "random normal", test_random_normal);
    CU_add_test(suite, "digest", test_digest);
}
