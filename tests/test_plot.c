/* Tests of the pictures: scripts and data from a summary with hostile text, and gnuplot there, missing,
 * failing. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "steelyard/plot.h"

#include <ctype.h>
#include <CUnit/CUnit.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void test_plot_suite(void);

#define ESTIMATE "{\"status\":\"ok\",\"value\":0.53,\"error\":0.01,\"low\":0.51,\"high\":0.55}"
#define UNKNOWN "{\"status\":\"separated\",\"value\":null,\"error\":null,\"low\":null,\"high\":null}"

static const char summary_text[] =
    "{\"format\":\"steelyard-summary-1\","
    "\"title\":\"It's \\\"{/Bold so}\\\" `touch hacked` \\\\ @x _y\\n#\",\"arms\":[{"
    "\"label\":\"odd 'arm' \\\"#1\\\"\\t`touch hacked`\",\"title\":\"t\","
    "\"games\":{\"played\":10},\"white\":{\"score\":" ESTIMATE "},"
    "\"outcomes\":{\"reasons\":[{\"reason\":\"checkmate \\\"x\\\" # `touch "
    "hacked`\",\"games\":8,\"share\":" ESTIMATE
    ",\"by_score\":[3,0,0,0,5,0]},{\"reason\":\"unfinished\",\"games\":2,\"share\":" ESTIMATE
    ",\"by_score\":[0,0,0,0,0,2]}]},"
    "\"length\":{\"median\":31,\"histogram\":{\"width\":10,\"games\":[0,1,5,3,1]}},"
    "\"fit\":{\"unit\":\"pawn\",\"confidence\":0.95,\"games\":8,\"white\":{\"score\":" ESTIMATE "},"
    "\"materials\":[{\"name\":\"pawn\",\"unit\":true,\"value\":{\"status\":\"ok\",\"value\":1,\"error\":0,"
    "\"low\":1,\"high\":1},\"believed\":1,\"suggested\":[{\"by\":\"it's me\",\"value\":1}]},"
    "{\"name\":\"queen\",\"unit\":false,\"value\":" UNKNOWN
    ",\"believed\":9,\"suggested\":[{\"by\":\"it's me\","
    "\"value\":null}]}]}}]}";

static const char empty_text[] =
    "{\"format\":\"steelyard-summary-1\",\"title\":\"\",\"arms\":[{\"label\":\"a\",\"title\":\"a\","
    "\"games\":{\"played\":0},\"white\":{\"score\":" UNKNOWN "},\"outcomes\":{\"reasons\":[]},"
    "\"length\":{\"median\":null,\"histogram\":{\"width\":1,\"games\":[]}},"
    "\"fit\":{\"unit\":\"pawn\",\"confidence\":0.95,\"games\":0,\"white\":{\"score\":" UNKNOWN
    "},\"materials\":[{\"name\":\"pawn\",\"unit\":true,\"value\":" UNKNOWN
    ",\"believed\":1,\"suggested\":[]}]}}]}";

static const char *const pictures[] = {"values", "white", "outcomes", "lengths"};
enum { PICTURES = sizeof pictures / sizeof *pictures };

/* ---- a folder, and PATH ---- */

static char folder[64];
static char *path_before;

static int make_folder(void)
{
    strcpy(folder, "/tmp/steelyard-plot-XXXXXX");
    path_before = sy_strdup(getenv("PATH") ? getenv("PATH") : "");
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static int remove_folder(void)
{
    free(path_before);
    return nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void clear_plots(void)
{
    char *plots = sy_format("%s/plots", folder);
    nftw(plots, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(plots);
}

static char *in_plots(const char *name, const char *suffix)
{
    return sy_format("%s/plots/%s%s", folder, name, suffix);
}

static bool exists(const char *name, const char *suffix)
{
    char *path = in_plots(name, suffix);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static char *read_plot(const char *name, const char *suffix, size_t *length)
{
    struct sy_error error;
    char *path = in_plots(name, suffix);
    char *text = NULL;
    *length = 0;
    CU_ASSERT_EQUAL(sy_read_file(path, &text, length, &error), SY_OK);
    free(path);
    return text ? text : sy_strdup("");
}

static bool have_gnuplot(void)
{
    bool found = false;
    for (const char *entry = path_before; entry && *entry && !found;) {
        const size_t length = strcspn(entry, ":");
        char *path = sy_format("%.*s/gnuplot", (int)length, entry);
        found = access(path, X_OK) == 0;
        free(path);
        entry += length + (entry[length] == ':');
    }
    return found;
}

static enum sy_status plot(const char *text, char **warning, struct sy_error *error)
{
    struct sy_json_doc *doc = NULL;
    clear_plots();
    error->message[0] = '\0';
    *warning = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_json_read("summary.json", text, strlen(text), &doc, error), SY_OK);
    const enum sy_status status = sy_plot_summary(folder, sy_json_root(doc), warning, error);
    sy_json_free(doc);
    return status;
}

/* ---- tests ---- */

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; *at; at++) {
        bool same = at == text || !isalpha((unsigned char)at[-1]);
        for (size_t i = 0; i < length && same; i++) {
            same = tolower((unsigned char)at[i]) == word[i];
        }
        if (same && !isalpha((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

static void check_picture(const char *name)
{
    size_t length = 0;
    char *png = read_plot(name, ".png", &length);
    CU_ASSERT_TRUE(length > 2000 && memcmp(png, "\x89PNG\r\n\x1a\n", 8) == 0);
    free(png);
    char *svg = read_plot(name, ".svg", &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "<svg"));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "</svg>"));
    CU_ASSERT_FALSE(has_word(svg, "nan"));
    CU_ASSERT_PTR_NULL(strstr(svg, folder));
    free(svg);
}

static void test_plots(void)
{
    struct sy_error error;
    char *warning;
    CU_ASSERT_EQUAL(plot(summary_text, &warning, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    CU_ASSERT_EQUAL(warning == NULL, have_gnuplot());
    free(warning);
    for (int i = 0; i < PICTURES; i++) {
        size_t length = 0;
        char *data = read_plot(pictures[i], ".dat", &length);
        CU_ASSERT_TRUE(length > 0);
        CU_ASSERT_FALSE(has_word(data, "nan") || has_word(data, "inf"));
        CU_ASSERT_PTR_NULL(strchr(data, '"'));
        free(data);
        CU_ASSERT_TRUE(exists(pictures[i], ".gp"));
        if (have_gnuplot()) {
            check_picture(pictures[i]);
        }
    }
    CU_ASSERT_FALSE(exists("hacked", ""));
}

static void test_text_is_quoted(void)
{
    struct sy_error error;
    char *warning;
    size_t length = 0;
    CU_ASSERT_EQUAL(plot(summary_text, &warning, &error), SY_OK);
    char *script = read_plot("values", ".gp", &length);
    CU_ASSERT_NSTRING_EQUAL(script, "title = 'It''s \"{/Bold so}\" `touch hacked` \\ @x _y #'\n", 52);
    CU_ASSERT_PTR_NOT_NULL(strstr(script, "'it''s me'"));
    free(script);
    free(warning);
    if (have_gnuplot()) {
        char *svg = read_plot("values", ".svg", &length);
        CU_ASSERT_PTR_NOT_NULL(strstr(svg, "`touch hacked` \\ @x _y"));
        free(svg);
    }
}

static void test_same_bytes(void)
{
    struct sy_error error;
    char *warning;
    size_t length[2] = {0, 0};
    char *bytes[2];
    const char *const suffix = have_gnuplot() ? ".svg" : ".gp";
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(plot(summary_text, &warning, &error), SY_OK);
        free(warning);
        bytes[i] = read_plot("outcomes", suffix, &length[i]);
    }
    CU_ASSERT_TRUE(length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
}

static void test_nothing_to_show(void)
{
    struct sy_error error;
    char *warning;
    CU_ASSERT_EQUAL(plot(empty_text, &warning, &error), SY_OK);
    for (int i = 0; i < PICTURES; i++) {
        CU_ASSERT_FALSE(exists(pictures[i], ".gp"));
        CU_ASSERT_FALSE(exists(pictures[i], ".png"));
    }
    free(warning);
}

static void test_without_gnuplot(void)
{
    struct sy_error error;
    char *warning;
    setenv("PATH", folder, 1);
    CU_ASSERT_EQUAL(plot(summary_text, &warning, &error), SY_OK);
    setenv("PATH", path_before, 1);
    CU_ASSERT_TRUE(warning && strstr(warning, "gnuplot"));
    CU_ASSERT_TRUE(exists("values", ".gp"));
    CU_ASSERT_TRUE(exists("values", ".dat"));
    CU_ASSERT_FALSE(exists("values", ".png"));
    free(warning);
}

static void test_failing_gnuplot(void)
{
    static const char program[] = "#!/bin/sh\necho '\"values.gp\" line 3: out of ink' >&2\nexit 3\n";
    struct sy_error error;
    char *warning;
    char *path = sy_format("%s/gnuplot", folder);
    CU_ASSERT_EQUAL(sy_write_file(path, program, strlen(program), &error), SY_OK);
    CU_ASSERT_EQUAL(chmod(path, 0755), 0);
    setenv("PATH", folder, 1);
    CU_ASSERT_EQUAL(plot(summary_text, &warning, &error), SY_FAILED);
    setenv("PATH", path_before, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "values.gp"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "out of ink"));
    free(warning);
    remove(path);
    free(path);
}

void test_plot_suite(void)
{
    CU_pSuite suite = CU_add_suite("plot", make_folder, remove_folder);
    CU_add_test(suite, "scripts, data and pictures", test_plots);
    CU_add_test(suite, "text is not interpreted", test_text_is_quoted);
    CU_add_test(suite, "the same bytes every time", test_same_bytes);
    CU_add_test(suite, "nothing to show", test_nothing_to_show);
    CU_add_test(suite, "without gnuplot", test_without_gnuplot);
    CU_add_test(suite, "gnuplot fails", test_failing_gnuplot);
}
