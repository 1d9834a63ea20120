/* Tests of games and their log: the same bytes whatever the threads and interruptions, and nothing changed
 * unseen. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "steelyard/harness.h"

#include <CUnit/CUnit.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void test_harness_suite(void);

static char root[] = "/tmp/steelyard-harness-XXXXXX";
static struct sy_experiment *experiment; /* uneven chess and drawn parameters take turns below */

static const char uneven[] =
    "{\"design\":\"imbalance\",\"variants\":[\"chess\",\"panal\"],\"seed\":3,\"games\":10,\"nodes\":25,"
    "\"imbalance\":{\"remove\":[1,4],\"limit\":6},\"opening\":{\"plies\":[0,3]},"
    "\"engine\":{\"eval.noise\":0.2},\"adjudicate\":{\"plies\":60,\"score\":8,\"for\":4}}";
static const char drawn[] =
    "{\"design\":\"parameters\",\"variant\":\"glinski\",\"seed\":3,\"games\":6,\"nodes\":25,"
    "\"randomise\":{\"value.*\":{\"factor\":[0.5,2]}},\"opening\":{\"plies\":4},"
    "\"adjudicate\":{\"plies\":20}}";

/* ---- set-up ---- */

static int set_up(void)
{
    return mkdtemp(root) == NULL;
}

static int remove_entry(const char *path, const struct stat *stat, int kind, struct FTW *ftw)
{
    (void)stat;
    (void)kind;
    (void)ftw;
    return remove(path);
}

static int clean_up(void)
{
    sy_experiment_free(experiment);
    return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void use(const char *text)
{
    struct sy_json_doc *doc = NULL;
    struct sy_error error = {""};
    sy_experiment_free(experiment);
    experiment = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_json_read("test.json", text, strlen(text), &doc, NULL), SY_OK);
    if (sy_experiment_create(doc, 0, &experiment, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(experiment);
}

/* root/name, valid until the call after next. */
static const char *in_root(const char *name)
{
    static char paths[2][512];
    static int turn;
    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", root, name);
    return paths[turn];
}

static enum sy_status play(const char *name, unsigned threads, bool resume, const atomic_int *stop,
                           struct sy_progress *last, struct sy_error *error)
{
    const struct sy_run_options options = {
        .directory = in_root(name), .threads = threads, .shard = {0, 1}, .resume = resume, .stop = stop};
    return sy_run_games(experiment, &options, last, error);
}

static void must_play(const char *name, unsigned threads, bool resume)
{
    struct sy_error error = {""};
    if (play(name, threads, resume, NULL, NULL, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_EQUAL(error.message[0], '\0');
}

/* The bytes of root/name/games.jsonl; a new string. */
static char *log_of(const char *name, size_t *length)
{
    char *path = sy_format("%s/%s", in_root(name), SY_LOG_FILE), *bytes = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_read_file(path, &bytes, length, NULL), SY_OK);
    free(path);
    return bytes;
}

/* Without the sync of sy_write_file, which tests that write much would wait for. */
static void write_log(const char *name, const char *bytes, size_t length)
{
    CU_ASSERT_EQUAL(sy_make_directory(in_root(name), NULL), SY_OK);
    char *path = sy_format("%s/%s", in_root(name), SY_LOG_FILE);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, length, file), length);
    CU_ASSERT_EQUAL(fclose(file), 0);
    free(path);
}

/* ---- tests ---- */

static void test_threads(void)
{
    static const char *const texts[] = {uneven, drawn};
    static const char *const names[2][3] = {{"u1", "u2", "u3"}, {"d1", "d2", "d3"}};
    for (int t = 0; t < 2; t++) {
        char *logs[3];
        size_t length[3];
        use(texts[t]);
        for (unsigned i = 0; i < 3; i++) {
            must_play(names[t][i], i + 1, false);
            logs[i] = log_of(names[t][i], &length[i]);
        }
        for (int i = 1; i < 3; i++) {
            CU_ASSERT_EQUAL(length[0], length[i]);
            CU_ASSERT_STRING_EQUAL(logs[0], logs[i]);
        }
        for (int i = 0; i < 3; i++)
            free(logs[i]);
    }
}

/* Every record reads back, stands up to the rules, and is played again the same. */
static void test_reading(void)
{
    static const char *const texts[] = {uneven, drawn};
    static const char *const names[] = {"u1", "d1"};
    for (int t = 0; t < 2; t++) {
        struct sy_game_log log;
        struct sy_error error = {""};
        use(texts[t]);
        CU_ASSERT_EQUAL_FATAL(sy_log_read(in_root(names[t]), experiment, &log, &error), SY_OK);
        CU_ASSERT_EQUAL(log.count, sy_experiment_games(experiment));
        CU_ASSERT_TRUE(log.complete);
        CU_ASSERT_EQUAL(log.cut, 0);
        struct sy_players *players = sy_players_create(experiment);
        for (size_t i = 0; i < log.count; i++) {
            struct sy_game_record again;
            if (sy_game_check(experiment, &log.games[i], &error) != SY_OK)
                printf("    %s\n", error.message);
            CU_ASSERT_EQUAL(sy_game_play(players, i, &again, NULL), SY_OK);
            char *one = sy_log_line(experiment, &log.games[i]), *two = sy_log_line(experiment, &again);
            CU_ASSERT_STRING_EQUAL(one, two);
            free(one);
            free(two);
            sy_game_record_clear(&again);
        }
        CU_ASSERT_EQUAL(error.message[0], '\0');
        sy_players_free(players);
        sy_log_clear(&log);
    }
}

/* Wherever a log breaks off, resuming it gives the same bytes. */
static void test_resuming(void)
{
    size_t length, resumed_length;
    use(uneven);
    char *whole = log_of("u1", &length);
    const size_t cuts[] = {0, 40, strcspn(whole, "\n") + 1, length / 2, length - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        char name[16];
        snprintf(name, sizeof name, "cut-%zu", i);
        write_log(name, whole, cuts[i]);
        must_play(name, 2, true);
        char *resumed = log_of(name, &resumed_length);
        CU_ASSERT_STRING_EQUAL(whole, resumed);
        free(resumed);
    }
    free(whole);
}

static void test_stopping(void)
{
    atomic_int stop = 1;
    struct sy_progress last;
    struct sy_error error = {""};
    size_t length;
    char *text = sy_strdup(uneven);
    memcpy(strstr(text, "\"games\":10"), "\"games\":99", 10);
    use(text);
    free(text);
    CU_ASSERT_EQUAL(play("stopped", 2, false, &stop, &last, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "--resume"));
    CU_ASSERT_TRUE(last.games < 198);
    char *log = log_of("stopped", &length);
    CU_ASSERT_EQUAL(log[length - 1], '\n');
    free(log);
}

static void test_refusals(void)
{
    struct sy_error error = {""};
    use(uneven);
    CU_ASSERT_EQUAL(play("u1", 1, false, NULL, NULL, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "--resume"));
    CU_ASSERT_EQUAL(play("d1", 1, true, NULL, NULL, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "another experiment"));
    write_log("file", "x", 1);
    CU_ASSERT_EQUAL(play("file", 1, true, NULL, NULL, &error), SY_FAILED);
    CU_ASSERT_EQUAL(play("file/games.jsonl/below", 1, true, NULL, NULL, &error), SY_FAILED);
}

/* No byte of a log can be another. */
static void test_every_byte_counts(void)
{
    size_t length;
    use(drawn);
    char *bytes = log_of("d1", &length);
    unsigned unseen = 0;
    for (size_t i = 0; i < length; i += 7) {
        struct sy_game_log log;
        const char kept = bytes[i];
        bytes[i] = kept == '1' ? '2' : '1';
        write_log("edited", bytes, length);
        unseen += sy_log_read(in_root("edited"), experiment, &log, NULL) == SY_OK && log.cut == 0;
        sy_log_clear(&log);
        bytes[i] = kept;
    }
    CU_ASSERT_EQUAL(unseen, 0);
    free(bytes);
}

/* Changes one record in a way that its line could carry; the check must say so. */
static void check_altered(void (*alter)(struct sy_game_record *), const char *words)
{
    struct sy_game_log log;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_log_read(in_root("d1"), experiment, &log, NULL), SY_OK);
    alter(&log.games[3]);
    CU_ASSERT_EQUAL(sy_game_check(experiment, &log.games[3], &error), SY_FAILED);
    CU_ASSERT_EQUAL(strncmp(error.message, "game 3: ", 8), 0);
    if (strstr(error.message, words) == NULL)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
    sy_log_clear(&log);
}

static void alter_result(struct sy_game_record *record)
{
    record->finished = true;
    record->result = 1;
    snprintf(record->reason, sizeof record->reason, "checkmate");
}
static void alter_adjudication(struct sy_game_record *record)
{
    alter_result(record);
    snprintf(record->reason, sizeof record->reason, SY_REASON_ADJUDICATED);
}
static void alter_length(struct sy_game_record *record)
{
    record->plies--;
}
static void alter_move(struct sy_game_record *record)
{
    record->moves[10] = record->moves[0];
}
static void alter_opening(struct sy_game_record *record)
{
    record->opening--;
}
static void alter_draw(struct sy_game_record *record)
{
    record->drawn[SY_WHITE][0] += 1e-6;
}
static void alter_start(struct sy_game_record *record)
{
    free(record->start);
    record->start = sy_strdup("b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/2RNQBKNRP1 w - 0 1");
}
static void alter_choices(struct sy_game_record *record)
{
    record->legal += 0.01;
}

static void test_checking(void)
{
    use(drawn);
    check_altered(alter_result, "checkmate");
    check_altered(alter_adjudication, "adjudicated");
    check_altered(alter_length, "not over");
    check_altered(alter_move, "ply 11");
    check_altered(alter_opening, "opening");
    check_altered(alter_draw, "parameters");
    check_altered(alter_start, "starts from");
    check_altered(alter_choices, "legal moves");
}

static void test_unfinished(void)
{
    struct sy_game_log log;
    use(drawn);
    CU_ASSERT_EQUAL_FATAL(sy_log_read(in_root("d1"), experiment, &log, NULL), SY_OK);
    const struct sy_game_record *record = &log.games[0];
    char *line = sy_log_line(experiment, record);
    CU_ASSERT_FALSE(record->finished);
    CU_ASSERT_EQUAL(record->plies, 20);
    CU_ASSERT_STRING_EQUAL(record->reason, SY_REASON_UNFINISHED);
    CU_ASSERT_PTR_NOT_NULL(strstr(line, "\"result\":null,"));
    free(line);
    sy_log_clear(&log);
}

static void test_shards(void)
{
    static const char *const names[] = {"s0", "s1", "s2"};
    char *parts[3];
    size_t whole_length, length;
    struct sy_error error = {""};
    use(uneven);
    for (unsigned i = 0; i < 3; i++) {
        const struct sy_run_options options = {
            .directory = in_root(names[i]), .threads = 1, .shard = {i, 3}, .resume = false};
        CU_ASSERT_EQUAL(sy_run_games(experiment, &options, NULL, NULL), SY_OK);
        parts[i] = sy_strdup(in_root(names[i]));
    }
    const char *const order[] = {parts[2], parts[0], parts[1]};
    CU_ASSERT_EQUAL(sy_log_merge(in_root("joined"), order, 3, NULL), SY_OK);
    char *whole = log_of("u1", &whole_length), *joined = log_of("joined", &length);
    CU_ASSERT_STRING_EQUAL(whole, joined);
    CU_ASSERT_EQUAL(sy_log_merge(in_root("joined"), order, 3, &error), SY_FAILED);
    CU_ASSERT_EQUAL(sy_log_merge(in_root("short"), order, 2, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "missing"));
    free(whole);
    free(joined);
    for (unsigned i = 0; i < 3; i++)
        free(parts[i]);
}

void test_harness_suite(void)
{
    CU_pSuite suite = CU_add_suite("harness", set_up, clean_up);
    CU_add_test(suite, "the same bytes on 1, 2 and 3 threads", test_threads);
    CU_add_test(suite, "a log reads back and plays again", test_reading);
    CU_add_test(suite, "resuming from any cut", test_resuming);
    CU_add_test(suite, "stopping", test_stopping);
    CU_add_test(suite, "directories that are refused", test_refusals);
    CU_add_test(suite, "every byte counts", test_every_byte_counts);
    CU_add_test(suite, "altered games are found", test_checking);
    CU_add_test(suite, "cut-off games have no result", test_unfinished);
    CU_add_test(suite, "shards join", test_shards);
}
