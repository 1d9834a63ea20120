/* Tests of the report: measures of games written by hand, and the page of a run whose names would break it.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw, setenv */

#include "steelyard/harness.h"
#include "steelyard/notation.h"
#include "steelyard/report.h"
#include "steelyard/summary.h"

#include <CUnit/CUnit.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_report_suite(void);

static char root[] = "/tmp/steelyard-report-XXXXXX";
static char *path_before;

/* Puts gnuplot, where there is one, into root/bin, alone: making a PNG of every board would take long. False
 * when there is no such directory. */
static bool link_gnuplot(void)
{
    char *bin = sy_format("%s/bin", root), *name = sy_format("%s/gnuplot", bin);
    const bool made = sy_make_directory(bin, NULL) == SY_OK;
    bool found = !made;
    for (const char *entry = path_before; *entry && !found;) {
        const size_t length = strcspn(entry, ":");
        char *program = sy_format("%.*s/gnuplot", (int)length, entry);
        found = access(program, X_OK) == 0 && symlink(program, name) == 0;
        free(program);
        entry += length + (entry[length] == ':');
    }
    free(name);
    free(bin);
    return made;
}

static int set_up(void)
{
    path_before = sy_strdup(getenv("PATH") ? getenv("PATH") : "");
    return mkdtemp(root) == NULL || !link_gnuplot();
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static int clean_up(void)
{
    free(path_before);
    return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* root/DIRECTORY/NAME; a new string. */
static char *path_of(const char *directory, const char *name)
{
    return sy_format("%s/%s/%s", root, directory, name);
}

static void write_text(const char *directory, const char *name, const char *text)
{
    char *path = path_of(directory, name);
    CU_ASSERT_EQUAL_FATAL(sy_write_file(path, text, strlen(text), NULL), SY_OK);
    free(path);
}

static char *read_text(const char *directory, const char *name)
{
    char *path = path_of(directory, name);
    char *text = NULL;
    size_t length = 0;
    CU_ASSERT_EQUAL_FATAL(sy_read_file(path, &text, &length, NULL), SY_OK);
    CU_ASSERT_EQUAL(strlen(text), length);
    free(path);
    return text;
}

static struct sy_experiment *make_experiment(const char *json)
{
    struct sy_json_doc *doc = NULL;
    struct sy_experiment *experiment = NULL;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_json_read("test.json", json, strlen(json), &doc, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_experiment_create(doc, 0, &experiment, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(experiment);
    return experiment;
}

static void summarise(const char *directory)
{
    char *path = path_of(directory, "");
    char *text = NULL;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(sy_summary_text(path, &text, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    write_text(directory, "summary.json", text);
    free(text);
    free(path);
}

static void report(const char *directory, bool pictures)
{
    char *path = path_of(directory, "");
    char *warning = NULL;
    struct sy_error error = {""};
    char *bin = sy_format("%s/bin", root);
    setenv("PATH", pictures ? bin : root, 1);
    CU_ASSERT_EQUAL(sy_report_write((const char *const[]){path}, 1, &warning, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    setenv("PATH", path_before, 1);
    free(bin);
    free(warning);
    free(path);
}

/* ---- games written by hand ---- */

struct written {
    const char *moves, *reason;
    double result; /* negative: none */
};

static void set_record(const struct sy_experiment *experiment, uint64_t number, const struct written *game,
                       struct sy_game_record *record)
{
    const struct sy_variant *variant = experiment->arms[0].variant;
    struct sy_position position;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, NULL), SY_OK);
    memset(record, 0, sizeof *record);
    record->number = number;
    record->pair = sy_experiment_pair(experiment, number);
    record->start = sy_strdup(variant->start);
    record->moves = sy_alloc(strlen(game->moves) + 1, sizeof *record->moves);
    record->finished = game->result >= 0.0;
    record->result = record->finished ? game->result : 0.0;
    record->legal = 20.0;
    snprintf(record->reason, sizeof record->reason, "%s", game->reason);
    for (const char *word = game->moves; *word;) {
        struct sy_undo undo;
        char text[SY_MOVE_TEXT];
        const size_t length = strcspn(word, " ");
        snprintf(text, sizeof text, "%.*s", (int)length, word);
        CU_ASSERT_EQUAL_FATAL(sy_move_parse(&position, text, &record->moves[record->plies], NULL), SY_OK);
        sy_make(&position, record->moves[record->plies++], &undo);
        word += length + (word[length] == ' ');
    }
}

/* A run of these four games of chess. */
static void write_run(const char *directory, const struct written games[4])
{
    struct sy_experiment *experiment =
        make_experiment("{\"title\": \"By hand\", \"design\": \"first-move\", "
                        "\"variant\": \"chess\", \"seed\": 4, \"games\": 4, \"depth\": 1, "
                        "\"opening\": {\"plies\": 2}}");
    char *path = path_of(directory, "");
    char *line = sy_log_header(experiment, (struct sy_shard){0, 1});
    struct sy_text log = SY_TEXT_INIT;
    sy_text_puts(&log, line);
    free(line);
    for (uint64_t n = 0; n < 4; n++) {
        struct sy_game_record record;
        set_record(experiment, n, &games[n], &record);
        line = sy_log_line(experiment, &record);
        sy_text_puts(&log, line);
        free(line);
        sy_game_record_clear(&record);
    }
    CU_ASSERT_EQUAL(sy_make_directory(path, NULL), SY_OK);
    write_text(directory, SY_LOG_FILE, log.bytes);
    write_text(directory, SY_EXPERIMENT_FILE, experiment->canonical);
    sy_text_clear(&log);
    sy_experiment_free(experiment);
    free(path);
    summarise(directory);
    report(directory, false);
}

/* The number that follows the start of a line of a CSV; NaN when there is none. */
static double number_after(const char *csv, const char *start)
{
    const size_t length = strlen(start);
    for (const char *line = csv; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char digits[40] = "";
        double number = NAN;
        if (strncmp(line, start, length) == 0 && line[length] == ',') {
            snprintf(digits, sizeof digits, "%.*s", (int)strcspn(line + length + 1, ",\r\n"),
                     line + length + 1);
            return sy_parse_double(digits, &number) ? number : NAN;
        }
    }
    return NAN;
}

static void check_number(const char *csv, const char *start, double expected)
{
    const double number = number_after(csv, start);
    if (!(fabs(number - expected) < 1e-12)) {
        printf("    %s: %.15g, expected %.15g\n", start, number, expected);
    }
    CU_ASSERT_TRUE(fabs(number - expected) < 1e-12);
}

static void test_measures(void)
{
    const struct written games[4] = {{"f2f3 e7e5 g2g4 d8h4", "checkmate", 0.0},
                                     {"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "repetition", 0.5},
                                     {"e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "checkmate", 1.0},
                                     {"e2e4 d7d5 e4d5 d8d5", SY_REASON_UNFINISHED, -1.0}};
    write_run("measures", games);
    char *csv = read_text("measures", "tables/balance.csv");
    check_number(csv, "\"White's advantage\"", 0.0);
    check_number(csv, "\"balance\"", 1.0);
    check_number(csv, "\"completion\"", 0.75);
    check_number(csv, "\"played out\"", 0.75);
    check_number(csv, "\"decisiveness\"", 0.5);
    check_number(csv, "\"draw rate\"", 0.25);
    check_number(csv, "\"duration\"", 23.0 / 4);
    check_number(csv, "\"branching\"", 20.0);
    check_number(csv, "\"board coverage\"", 142.0 / 256);
    check_number(csv, "\"captures\"", 0.75);
    /* The pawn that is taken back at once was never a lead. */
    check_number(csv, "\"lead changes\"", 0.0);
    check_number(csv, "\"drama\"", 0.0);
    check_number(csv, "\"time of no return\"", 1.0);
    check_number(csv, "\"hinges on the last tenth\"", 1.0);
    free(csv);
}

static void test_leads(void)
{
    /* White is a pawn up, for good, from the sixth ply on. */
    static const char pawn_up[] = "e2e4 e7e5 g1f3 a7a6 f3e5 a6a5 d2d3 a5a4";
    /* Then Black takes a knight. */
    static const char turned[] = "e2e4 e7e5 g1f3 d7d6 f3e5 a7a6 a2a3 d6e5 b2b3 b7b6";
    const struct written games[4] = {{pawn_up, SY_REASON_ADJUDICATED, 1.0},
                                     {turned, SY_REASON_ADJUDICATED, 0.0},
                                     {pawn_up, SY_REASON_ADJUDICATED, 0.0},
                                     {turned, SY_REASON_ADJUDICATED, 0.0}};
    write_run("leads", games);
    char *csv = read_text("leads", "tables/balance.csv");
    check_number(csv, "\"completion\"", 1.0);
    check_number(csv, "\"played out\"", 0.0);
    check_number(csv, "\"balance\"", 0.5);
    check_number(csv, "\"White's advantage\"", -0.25);
    check_number(csv, "\"captures\"", 1.5);
    check_number(csv, "\"lead changes\"", 0.5);
    /* White's lead stands after six plies of the second game, and is what was last settled after seven and
     * eight; Black's from nine on. */
    check_number(csv, "\"drama\"", (0.0 + 3.0 / 11 + 3.0 / 9 + 3.0 / 11) / 4);
    check_number(csv, "\"time of no return\"", (6.0 / 8 + 9.0 / 10 + 1.0 + 9.0 / 10) / 4);
    check_number(csv, "\"hinges on the last tenth\"", 0.25);
    free(csv);
    csv = read_text("leads", "tables/survival.csv");
    check_number(csv, "\"chess\",\"pawn\",1", 15.0 / 16);
    check_number(csv, "\"chess\",\"knight\",1", (1.0 + 0.75 + 1.0 + 0.75) / 4);
    check_number(csv, "\"chess\",\"queen\",0.5", 1.0);
    free(csv);
}

static void test_draws_are_no_balance(void)
{
    const struct written draw = {"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "repetition", 0.5};
    const struct written games[4] = {draw, draw, draw, draw};
    write_run("draws", games);
    char *csv = read_text("draws", "tables/balance.csv");
    CU_ASSERT_TRUE(isnan(number_after(csv, "\"balance\"")));
    CU_ASSERT_TRUE(isnan(number_after(csv, "\"drama\"")));
    check_number(csv, "\"draw rate\"", 1.0);
    check_number(csv, "\"decisiveness\"", 0.0);
    free(csv);
}

/* Every row of maps.csv: arm, piece, cell, share of moves, share of time, mobility alone and among others,
 * share of games decided. The number in that place after the cell; NaN when there is none. */
static double map_number(const char *csv, const char *start, unsigned place)
{
    const size_t length = strlen(start);
    for (const char *line = csv; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, start, length) != 0 || line[length] != ',') {
            continue;
        }
        line += length + 1;
        for (; place > 0; place--) {
            line += strcspn(line, ",") + 1;
        }
        char digits[40];
        double number = NAN;
        snprintf(digits, sizeof digits, "%.*s", (int)strcspn(line, ",\r\n"), line);
        return sy_parse_double(digits, &number) ? number : NAN;
    }
    return NAN;
}

static void check_map(const char *csv, const char *start, unsigned place, double expected)
{
    const double number = map_number(csv, start, place);
    if (!(fabs(number - expected) < 1e-12)) {
        printf("    %s, %u: %.15g, expected %.15g\n", start, place, number, expected);
    }
    CU_ASSERT_TRUE(fabs(number - expected) < 1e-12);
}

enum { MOVES, TIME, EMPTY, AVERAGE, DECIDED };

/* The games of test_measures, which must have run. */
static void test_places(void)
{
    char *csv = read_text("measures", "tables/maps.csv");
    /* Queens moved in three games: Black's to h4 and d5, which are h5 and d4 to him, White's to h5 and f7. */
    check_map(csv, "\"chess\",\"queen\",\"h5\"", MOVES, (1.0 + 0.5) / 3);
    check_map(csv, "\"chess\",\"queen\",\"f7\"", MOVES, 0.5 / 3);
    check_map(csv, "\"chess\",\"queen\",\"d4\"", MOVES, 1.0 / 3);
    check_map(csv, "\"chess\",\"queen\",\"d1\"", MOVES, 0.0);
    CU_ASSERT_TRUE(isnan(map_number(csv, "\"chess\",\"king\",\"e1\"", MOVES)));
    check_map(csv, "\"chess\",\"king\",\"e1\"", TIME, 1.0);
    check_map(csv, "\"chess\",\"knight\",\"f3\"", TIME, (8.0 / 36 + 2.0 / 32) / 4);
    check_map(csv, "\"chess\",\"knight\",\"b1\"", TIME, (18.0 / 36 + 12.0 / 32 + 0.5 + 0.5) / 4);
    /* Two mates, of kings that have not moved. */
    check_map(csv, "\"chess\",\"king\",\"e8\"", DECIDED, 1.0);
    check_map(csv, "\"chess\",\"king\",\"e1\"", DECIDED, 0.0);
    free(csv);
    csv = read_text("leads", "tables/maps.csv");
    /* All four were ended by their score, after a pawn taken on e5, or then a knight: White won one of them.
     */
    check_map(csv, "\"chess\",\"king\",\"e5\"", DECIDED, 0.25);
    check_map(csv, "\"chess\",\"king\",\"e4\"", DECIDED, 0.75);
    free(csv);
}

/* Games without a move: the average board is the start. */
static void test_mobility(void)
{
    const struct written none = {"", SY_REASON_UNFINISHED, -1.0};
    const struct written games[4] = {none, none, none, none};
    write_run("none", games);
    char *csv = read_text("none", "tables/maps.csv");
    check_map(csv, "\"chess\",\"knight\",\"d4\"", EMPTY, 8.0);
    check_map(csv, "\"chess\",\"knight\",\"d4\"", AVERAGE, 6.0);
    check_map(csv, "\"chess\",\"knight\",\"f6\"", AVERAGE, 8.0);
    check_map(csv, "\"chess\",\"rook\",\"a1\"", EMPTY, 14.0);
    check_map(csv, "\"chess\",\"rook\",\"a1\"", AVERAGE, 0.0);
    check_map(csv, "\"chess\",\"rook\",\"a4\"", AVERAGE, 11.0);
    check_map(csv, "\"chess\",\"pawn\",\"e6\"", AVERAGE, 2.0);
    CU_ASSERT_TRUE(isnan(map_number(csv, "\"chess\",\"king\",\"e8\"", DECIDED)));
    free(csv);
    char *svg = read_text("none", "plots/map-average-n.svg");
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "<title>Knight, average board</title>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, " d4 6"));
    free(svg);
}

/* ---- the page ---- */

#define HOSTILE "</title><script>alert('x')</script> | `a` *b* & \\\"c\\\""

/* Plays a small run of two arms with names that would break a page. */
static void play_hostile(void)
{
    struct sy_experiment *experiment = make_experiment(
        "{\"title\": \"" HOSTILE
        "\", \"about\": \"<img src=x onerror=alert(1)>\", \"design\": \"imbalance\", "
        "\"variants\": [{\"label\": \"<i>one|two\", \"variant\": \"sunflower\"}, {\"label\": \"2\", "
        "\"variant\": "
        "\"chess\"}], \"seed\": 4, \"games\": 20, \"depth\": 1, \"opening\": {\"plies\": 2}, \"engine\": "
        "{\"eval.noise\": "
        "0.3}, "
        "\"imbalance\": {\"remove\": [0, 2]}, \"adjudicate\": {\"plies\": 80, \"score\": 6, \"for\": 3}, "
        "\"fit\": {\"bootstrap\": 0}}");
    char *path = path_of("hostile", "");
    struct sy_error error = {""};
    const struct sy_run_options options = {.directory = path, .threads = 1, .shard = {0, 1}};
    CU_ASSERT_EQUAL(sy_run_games(experiment, &options, NULL, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    sy_experiment_free(experiment);
    free(path);
    summarise("hostile");
    report("hostile", true);
}

static bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "img") == 0 || strcmp(name, "input") == 0;
}

enum { DEEPEST = 64, TAG = 24 };

/* Follows the tags; NULL when each is closed in its turn, else where one is not. What is inside of script
 * and style is no markup. */
static const char *find_unbalanced(const char *html)
{
    char open[DEEPEST][TAG];
    size_t depth = 0;
    for (const char *at = strchr(html, '<'); at; at = strchr(at, '<')) {
        char name[TAG];
        const bool closing = at[1] == '/';
        const char *end = strchr(at, '>');
        const size_t length = strcspn(at + 1 + closing, " >/\n");
        if (!end || length == 0 || length >= TAG) {
            return at;
        }
        memcpy(name, at + 1 + closing, length);
        name[length] = '\0';
        if (closing && (depth == 0 || strcmp(open[--depth], name) != 0)) {
            return at;
        }
        if (!closing && name[0] != '!' && end[-1] != '/' && !is_void(name)) {
            if (depth == DEEPEST) {
                return at;
            }
            strcpy(open[depth++], name);
        }
        at = end;
        if (!closing && (strcmp(name, "script") == 0 || strcmp(name, "style") == 0)) {
            at = strstr(at, strcmp(name, "script") == 0 ? "</script" : "</style");
            if (!at) {
                return end;
            }
        }
    }
    return depth == 0 ? NULL : "the end";
}

static void test_balance_of_tags(void)
{
    CU_ASSERT_PTR_NULL(
        find_unbalanced("<!DOCTYPE html><p a=\"1\"><br/>x<img alt=\"\"></p><script>a<b</script>"));
    CU_ASSERT_PTR_NOT_NULL(find_unbalanced("<p><b></p></b>"));
    CU_ASSERT_PTR_NOT_NULL(find_unbalanced("<p>"));
    CU_ASSERT_PTR_NOT_NULL(find_unbalanced("</p>"));
}

/* Is the word there, with no letter or digit beside it? */
static bool has_word(const char *text, const char *word)
{
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const char before = at == text ? ' ' : at[-1];
        const char after = at[strlen(word)];
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_", before) &&
            !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_", after)) {
            return true;
        }
    }
    return false;
}

static size_t count(const char *text, const char *words)
{
    size_t found = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
        found++;
    }
    return found;
}

static void test_page(void)
{
    play_hostile();
    char *html = read_text("hostile", "report.html");
    const char *unbalanced = find_unbalanced(html);
    if (unbalanced) {
        printf("    unbalanced at: %.60s\n", unbalanced);
    }
    CU_ASSERT_PTR_NULL(unbalanced);
    CU_ASSERT_FALSE(has_word(html, "nan") || has_word(html, "inf") || has_word(html, "null"));
    CU_ASSERT_TRUE(strlen(html) > 50000 && strlen(html) < 3000000);
    /* Nothing from the file is markup, and nothing is fetched. */
    CU_ASSERT_PTR_NULL(strstr(html, "alert('x')"));
    CU_ASSERT_PTR_NULL(strstr(html, "<img src=x"));
    CU_ASSERT_PTR_NULL(strstr(html, "<i>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(html, "&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)"));
    CU_ASSERT_EQUAL(count(html, "http"),
                    count(html, "http://www.w3.org/2000/svg") + count(html, "http-equiv"));
    CU_ASSERT_EQUAL(count(html, "<img "), count(html, "<img alt=\""));
    CU_ASSERT_EQUAL(count(html, "<img alt=\"\""), 0);
    CU_ASSERT_EQUAL(count(html, "class=\"game\""), count(html, "type=\"application/json\""));
    CU_ASSERT_TRUE(count(html, "class=\"game\"") >= 4);
    CU_ASSERT_PTR_NULL(strstr(html, root));
    free(html);
}

static void test_markdown_and_tables(void)
{
    char *markdown = read_text("hostile", "report.md");
    CU_ASSERT_PTR_NULL(strstr(markdown, "<script"));
    CU_ASSERT_PTR_NULL(strstr(markdown, "<img"));
    CU_ASSERT_PTR_NOT_NULL(strstr(markdown, "\\`a\\` \\*b\\* &amp;"));
    CU_ASSERT_PTR_NOT_NULL(strstr(markdown, "one\\|two"));
    CU_ASSERT_FALSE(has_word(markdown, "nan") || has_word(markdown, "inf"));
    free(markdown);
    char *csv = read_text("hostile", "tables/first-move.csv");
    CU_ASSERT_EQUAL(count(csv, "\r\n"), 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\"<i>one|two\",\"depth 1\","));
    free(csv);
}

static void test_same_bytes(void)
{
    char *before = read_text("hostile", "report.html");
    report("hostile", true);
    char *after = read_text("hostile", "report.html");
    CU_ASSERT_STRING_EQUAL(before, after);
    free(before);
    free(after);
}

static void test_stale_summary(void)
{
    char *path = path_of("draws", "");
    char *warning = NULL;
    struct sy_error error = {""};
    char *other = read_text("leads", "summary.json");
    write_text("draws", "summary.json", other);
    free(other);
    CU_ASSERT_EQUAL(sy_report_write((const char *const[]){path}, 1, &warning, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "not of the games beside it"));
    CU_ASSERT_PTR_NULL(warning);
    free(path);
}

/* ---- side by side ---- */

static void test_compare(void)
{
    char *one = path_of("measures", "");
    char *two = path_of("leads", "");
    const char *both[] = {one, two}, *same[] = {one, one};
    struct sy_comparison comparison;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(sy_compare(both, 2, &comparison, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(comparison.text);
    CU_ASSERT_PTR_NULL(find_unbalanced(comparison.html));
    CU_ASSERT_FALSE(has_word(comparison.text, "nan") || has_word(comparison.html, "nan"));
    char *row = sy_format("\"captures\",\"chess in %s\",1.5", two);
    const char *found = strstr(comparison.csv, row);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    double numbers[6];
    CU_ASSERT_EQUAL(sscanf(found + strlen(row) - 3, "%lf,%lf,%lf,%lf,%lf,%lf", &numbers[0], &numbers[1],
                           &numbers[2], &numbers[3], &numbers[4], &numbers[5]),
                    6);
    CU_ASSERT_DOUBLE_EQUAL(numbers[3], 0.75, 1e-12);
    CU_ASSERT_TRUE(numbers[4] < 0.75 && 0.75 < numbers[5]);
    free(row);
    sy_comparison_clear(&comparison);
    CU_ASSERT_EQUAL(sy_compare(same, 2, &comparison, &error), SY_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "same games"));
    sy_comparison_clear(&comparison);
    CU_ASSERT_EQUAL(sy_compare(both, 1, &comparison, &error), SY_USAGE);
    sy_comparison_clear(&comparison);
    free(one);
    free(two);
}

void test_report_suite(void)
{
    CU_pSuite suite = CU_add_suite("report", set_up, clean_up);
    CU_add_test(suite, "measures of games written by hand", test_measures);
    CU_add_test(suite, "leads, drama and survival", test_leads);
    CU_add_test(suite, "draws are no balance", test_draws_are_no_balance);
    CU_add_test(suite, "where pieces go, where games are decided", test_places);
    CU_add_test(suite, "how far pieces see", test_mobility);
    CU_add_test(suite, "the check of tags", test_balance_of_tags);
    CU_add_test(suite, "a page that names cannot break", test_page);
    CU_add_test(suite, "Markdown and tables", test_markdown_and_tables);
    CU_add_test(suite, "the same bytes every time", test_same_bytes);
    CU_add_test(suite, "side by side", test_compare);
    CU_add_test(suite, "a summary of other games", test_stale_summary);
}
