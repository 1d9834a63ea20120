/* Tests of the summary: games without play, whose outcomes are drawn from the score model with planted
 * values, go through the log and come back as estimates. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "steelyard/harness.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"
#include "steelyard/summary.h"

#include "schema_check.h"

#include <CUnit/CUnit.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_summary_suite(void);

/* ---- a log of simulated games ---- */

/* In logits: White's edge, half the width of the draw, and the pieces. */
static const struct {
    const char *name;
    double logit;
} planted[] = {{"pawn", 0.35}, {"knight", 1.05}, {"bishop", 1.15}, {"rook", 1.75}, {"queen", 3.2}};
#define EDGE 0.2
#define DRAW 0.5

enum outcomes { FROM_MODEL, WHITE_WINS, NONE_FINISHED, NOTHING_PLAYED, QUARTERS, QUEEN_WINS };

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static double planted_logit(const char *material)
{
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        if (strcmp(planted[i].name, material) == 0) {
            return planted[i].logit;
        }
    }
    return 0.0;
}

static double strength(const struct sy_position *position)
{
    double eta = EDGE;
    const struct sy_variant *variant = position->variant;
    for (unsigned type = 0; type < variant->types; type++) {
        eta +=
            planted_logit(variant->material[variant->type[type].material]) *
            (sy_count(sy_pieces(position, type, SY_WHITE)) - sy_count(sy_pieces(position, type, SY_BLACK)));
    }
    return eta;
}

static double in_quarters(double u, double eta)
{
    static const double threshold[] = {-1.0, -0.5, 0.5, 1.0};
    double result = 0.0;
    for (size_t i = 0; i < 4; i++) {
        result += u < logistic(threshold[i] - eta) ? 0.0 : 0.25;
    }
    return result;
}

/* White's queens less Black's. */
static int queens(const struct sy_position *position)
{
    const unsigned queen = sy_variant_type(position->variant, 'Q');
    return (int)sy_count(sy_pieces(position, queen, SY_WHITE)) -
           (int)sy_count(sy_pieces(position, queen, SY_BLACK));
}

static void draw_result(const struct sy_position *position, enum outcomes outcomes, struct sy_random *random,
                        struct sy_game_record *record)
{
    const double u = sy_random_unit(random);
    const double eta = strength(position);
    record->finished = outcomes != NONE_FINISHED;
    record->result = u < logistic(-DRAW - eta) ? 0.0 : u < logistic(DRAW - eta) ? 0.5 : 1.0;
    if (outcomes == WHITE_WINS) {
        record->result = 1.0;
    }
    if (outcomes == QUARTERS) {
        record->result = in_quarters(u, eta);
    }
    if (outcomes == QUEEN_WINS && queens(position) != 0) {
        record->result = queens(position) > 0 ? 1.0 : 0.0;
    }
    if (!record->finished) {
        record->result = 0.0;
    }
    snprintf(record->reason, sizeof record->reason, "%s",
             !record->finished       ? SY_REASON_UNFINISHED
             : record->result == 0.5 ? "repetition"
                                     : "checkmate");
}

/* Plays a random legal move, of a kind that leaves the material alone if asked; false when there is none. */
static bool play_random(struct sy_position *position, bool quiet, struct sy_random *random,
                        struct sy_game_record *record)
{
    sy_move moves[SY_MAX_MOVES];
    const unsigned count = quiet ? sy_generate_quiets(position, moves) : sy_generate(position, moves);
    if (count == 0) {
        return false;
    }
    struct sy_undo undo;
    const sy_move move = moves[sy_random_below(random, count)];
    sy_make(position, move, &undo);
    record->moves[record->plies++] = move;
    return true;
}

enum { OPENING = 50, QUIET = 16 };

/* A record as the design has it: an uneven start and no move; or a random opening that makes the material
 * uneven, called so in the record, and then only quiet moves. */
static bool simulate(const struct sy_experiment *experiment, uint64_t number, enum outcomes outcomes,
                     struct sy_game_record *record)
{
    struct sy_error error;
    struct sy_game_start start;
    struct sy_random random = sy_random_stream(77, number, 99);
    bool good = sy_game_draw(experiment, number, &start, &error) == SY_OK;
    memset(record, 0, sizeof *record);
    record->number = number;
    record->arm = sy_experiment_arm(experiment, number);
    record->pair = sy_experiment_pair(experiment, number);
    record->moves = sy_alloc(OPENING + QUIET, sizeof *record->moves);
    record->nodes = 1000 + number;
    record->legal = 30.25;
    if (good) {
        record->start = sy_fen(&start.position);
        record->drawn[0] = start.drawn[0];
        record->drawn[1] = start.drawn[1];
        start.drawn[0] = start.drawn[1] = NULL;
        for (int i = 0; i < OPENING + QUIET && experiment->design == SY_DESIGN_PARAMETERS && good; i++) {
            good = play_random(&start.position, i >= OPENING, &random, record);
            record->opening = i < OPENING ? record->plies : record->opening;
        }
        draw_result(&start.position, outcomes, &random, record);
    }
    sy_game_start_clear(&start);
    return good || record->start; /* a game that random moves have ended is as good as any */
}

static void release(struct sy_game_record *record)
{
    free(record->drawn[0]);
    free(record->drawn[1]);
    free(record->start);
    free(record->moves);
}

static bool write_in(const char *directory, const char *name, const char *text)
{
    struct sy_error error;
    char *path = sy_format("%s/%s", directory, name);
    const bool good = sy_write_file(path, text, strlen(text), &error) == SY_OK;
    free(path);
    return good;
}

static bool write_log(const char *directory, const struct sy_experiment *experiment, enum outcomes outcomes)
{
    struct sy_text log = SY_TEXT_INIT;
    char *line = sy_log_header(experiment, (struct sy_shard){0, 1});
    sy_text_puts(&log, line);
    free(line);
    bool good = true;
    const uint64_t games = outcomes == NOTHING_PLAYED ? 0 : sy_experiment_games(experiment);
    for (uint64_t n = 0; n < games && good; n++) {
        struct sy_game_record record;
        good = simulate(experiment, n, outcomes, &record);
        line = good ? sy_log_line(experiment, &record) : NULL;
        sy_text_puts(&log, line ? line : "");
        free(line);
        release(&record);
    }
    good = good && write_in(directory, SY_LOG_FILE, log.bytes) &&
           write_in(directory, SY_EXPERIMENT_FILE, experiment->canonical);
    sy_text_clear(&log);
    return good;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_tree(const char *directory)
{
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* A directory with the simulated games of an experiment. */
struct run {
    char directory[64];
};

static struct run simulate_run(const char *json, enum outcomes outcomes)
{
    struct run run = {"/tmp/steelyard-summary-XXXXXX"};
    struct sy_error error = {""};
    struct sy_json_doc *doc = NULL;
    struct sy_experiment *experiment = NULL;
    bool good = mkdtemp(run.directory) != NULL &&
                sy_json_read("experiment.json", json, strlen(json), &doc, &error) == SY_OK &&
                sy_experiment_create(doc, 0, &experiment, &error) == SY_OK &&
                write_log(run.directory, experiment, outcomes);
    sy_experiment_free(experiment);
    if (!good) {
        fprintf(stderr, "simulate_run: %s\n", error.message);
    }
    CU_ASSERT_TRUE_FATAL(good);
    return run;
}

/* Whatever comes out must be what the schema that ships says. */
static void check_schema(const struct sy_json *summary)
{
    struct sy_error error = {""};
    struct sy_json_doc *schema = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_json_read_file("results/summary.schema.json", &schema, &error), SY_OK);
    CU_ASSERT_TRUE(schema_holds(sy_json_root(schema), summary));
    sy_json_free(schema);
}

/* The summary of simulated games; NULL when there is none. */
static struct sy_json_doc *summarise(const char *json, enum outcomes outcomes)
{
    struct run run = simulate_run(json, outcomes);
    struct sy_error error = {""};
    struct sy_json_doc *doc = NULL;
    char *text = NULL;
    CU_ASSERT_EQUAL(sy_summary_text(run.directory, &text, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    if (text) {
        CU_ASSERT_PTR_NULL(strstr(text, "nan"));
        CU_ASSERT_PTR_NULL(strstr(text, "inf,"));
        CU_ASSERT_PTR_NULL(strstr(text, run.directory));
        CU_ASSERT_EQUAL(sy_json_read("summary.json", text, strlen(text), &doc, &error), SY_OK);
        char *again = doc ? sy_json_text(sy_json_root(doc), true) : NULL;
        CU_ASSERT_TRUE(again && strncmp(again, text, strlen(again)) == 0);
        free(again);
    }
    free(text);
    remove_tree(run.directory);
    CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
    check_schema(sy_json_root(doc));
    return doc;
}

/* ---- reading it ---- */

static const struct sy_json *item(const struct sy_json *array, size_t n)
{
    const struct sy_json *i = sy_json_first(array);
    while (i && n-- > 0) {
        i = sy_json_next(i);
    }
    return i;
}

static const struct sy_json *arm_of(const struct sy_json_doc *doc, size_t n)
{
    return item(sy_json_member(sy_json_root(doc), "arms"), n);
}

static const struct sy_json *material_of(const struct sy_json *arm, const char *name)
{
    const struct sy_json *m = sy_json_first(sy_json_member(sy_json_member(arm, "fit"), "materials"));
    while (m && strcmp(sy_json_string(sy_json_member(m, "name")), name) != 0) {
        m = sy_json_next(m);
    }
    return m;
}

static double number(const struct sy_json *object, const char *key)
{
    return sy_json_number(sy_json_member(object, key));
}

static const char *status_of(const struct sy_json *estimate)
{
    const char *status = sy_json_string(sy_json_member(estimate, "status"));
    return status ? status : "";
}

static bool is_null(const struct sy_json *object, const char *key)
{
    const struct sy_json *value = sy_json_member(object, key);
    return value && sy_json_kind(value) == SY_JSON_NULL;
}

/* Within four standard errors: a sound estimate is outside once in 16,000 times. */
static void check_estimate(const struct sy_json *estimate, double truth)
{
    CU_ASSERT_STRING_EQUAL(status_of(estimate), "ok");
    CU_ASSERT_TRUE(number(estimate, "error") > 0.0);
    CU_ASSERT_TRUE(fabs(number(estimate, "value") - truth) < 4.0 * number(estimate, "error"));
    CU_ASSERT_TRUE(number(estimate, "low") < number(estimate, "value"));
    CU_ASSERT_TRUE(number(estimate, "value") < number(estimate, "high"));
}

static void check_verdicts(const struct sy_json *material)
{
    const struct sy_json *value = sy_json_member(material, "value");
    const struct sy_json *suggested = sy_json_member(material, "suggested");
    CU_ASSERT_TRUE(sy_json_count(suggested) > 0);
    for (const struct sy_json *s = sy_json_first(suggested); s; s = sy_json_next(s)) {
        const double table = number(s, "value");
        CU_ASSERT_EQUAL(sy_json_true(sy_json_member(s, "inside")),
                        number(value, "low") <= table && table <= number(value, "high"));
    }
}

static void check_planted(const struct sy_json *arm)
{
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        const struct sy_json *material = material_of(arm, planted[i].name);
        check_estimate(sy_json_member(material, "logit"), planted[i].logit);
        if (i > 0) {
            check_estimate(sy_json_member(material, "value"), planted[i].logit / planted[0].logit);
            check_estimate(sy_json_member(material, "fieller"), planted[i].logit / planted[0].logit);
        }
        CU_ASSERT_TRUE(number(material, "games") > 0.0);
        CU_ASSERT_TRUE(number(material, "rows") >= number(material, "games"));
        check_verdicts(material);
    }
    CU_ASSERT_EQUAL(number(sy_json_member(material_of(arm, "pawn"), "value"), "value"), 1.0);
    CU_ASSERT_TRUE(sy_json_true(sy_json_member(material_of(arm, "pawn"), "unit")));
    const double score = 0.5 * (1.0 - logistic(DRAW - EDGE)) + 0.5 * (1.0 - logistic(-DRAW - EDGE));
    check_estimate(sy_json_member(sy_json_member(sy_json_member(arm, "fit"), "white"), "score"), score);
}

#define IMBALANCE(games)                                                                                     \
    "{\"title\": \"planted\", \"design\": \"imbalance\", \"variant\": \"chess\", \"seed\": 5, "              \
    "\"games\": " games ", \"depth\": 1, \"imbalance\": {\"remove\": [0, 3], \"exchange\": [0, 1]}, "        \
    "\"fit\": {\"bootstrap\": 200}}"

static void test_imbalance(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("3000"), FROM_MODEL);
    const struct sy_json *arm = arm_of(doc, 0);
    const struct sy_json *games = sy_json_member(arm, "games");
    check_planted(arm);
    CU_ASSERT_EQUAL(number(games, "played"), 3000.0);
    CU_ASSERT_EQUAL(number(games, "finished"), 3000.0);
    CU_ASSERT_EQUAL(number(sy_json_member(arm, "fit"), "rows"), 3000.0);
    CU_ASSERT_EQUAL(number(sy_json_member(arm, "fit"), "clusters"), 1500.0);
    const struct sy_json *ratios = sy_json_member(sy_json_member(arm, "fit"), "ratios");
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(ratios, "value")), 5);
    CU_ASSERT_EQUAL(sy_json_number(item(item(sy_json_member(ratios, "value"), 4), 0)),
                    number(sy_json_member(material_of(arm, "queen"), "value"), "value"));
    sy_json_free(doc);
}

/* The queen's planted value, 9.1, against tables of 9 and 20: both sides of the verdict are met. */
static void test_suggested(void)
{
    struct sy_json_doc *doc = summarise(
        "{\"title\": \"suggested\", \"design\": \"imbalance\", \"variants\": [{\"label\": \"a\", "
        "\"variant\": "
        "\"chess\", \"patch\": {\"suggested\": [{\"by\": \"near\", \"values\": {\"pawn\": 1, \"queen\": 9}}, "
        "{\"by\": \"far\", \"values\": {\"pawn\": 1, \"queen\": 20}}]}}], \"seed\": 5, \"games\": 3000, "
        "\"depth\": 1, \"imbalance\": {\"remove\": [0, 3]}, \"fit\": {\"bootstrap\": 200}}",
        FROM_MODEL);
    const struct sy_json *queen = sy_json_member(material_of(arm_of(doc, 0), "queen"), "suggested");
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(item(queen, 0), "by")), "near");
    CU_ASSERT_TRUE(sy_json_true(sy_json_member(item(queen, 0), "inside")));
    CU_ASSERT_EQUAL(sy_json_kind(sy_json_member(item(queen, 1), "inside")), SY_JSON_BOOL);
    CU_ASSERT_FALSE(sy_json_true(sy_json_member(item(queen, 1), "inside")));
    const struct sy_json *rook = sy_json_member(material_of(arm_of(doc, 0), "rook"), "suggested");
    CU_ASSERT_TRUE(is_null(item(rook, 0), "value"));
    CU_ASSERT_TRUE(is_null(item(rook, 0), "inside"));
    sy_json_free(doc);
}

/* A table that is the planted values in another currency, and one that has the rook wrong. */
static void test_joint_verdict(void)
{
    struct sy_json_doc *doc = summarise(
        "{\"title\": \"verdicts\", \"design\": \"imbalance\", \"variants\": [{\"label\": \"a\", "
        "\"variant\": \"chess\", \"patch\": {\"suggested\": [{\"by\": \"right\", \"values\": {\"pawn\": 3.5, "
        "\"knight\": 10.5, \"bishop\": 11.5, \"rook\": 17.5, \"queen\": 32}}, {\"by\": \"wrong\", "
        "\"values\": "
        "{\"knight\": 3, \"bishop\": 3.3, \"rook\": 9, \"queen\": 9.1}}]}}], \"seed\": 5, \"games\": 3000, "
        "\"depth\": 1, \"imbalance\": {\"remove\": [0, 3]}, \"fit\": {\"bootstrap\": 200, \"unit\": "
        "{\"piece\": \"rook\", \"value\": 5}}}",
        FROM_MODEL);
    const struct sy_json *fit = sy_json_member(arm_of(doc, 0), "fit");
    const struct sy_json *tables = sy_json_member(sy_json_member(fit, "verdicts"), "suggested");
    const struct sy_json *right = item(tables, 0), *wrong = item(tables, 1);
    CU_ASSERT_TRUE(sy_json_true(sy_json_member(right, "agrees")));
    CU_ASSERT_EQUAL(number(right, "freedom"), 4.0);
    check_estimate(sy_json_member(right, "logits_per_point"), 0.1);
    check_estimate(sy_json_member(item(sy_json_member(right, "pieces"), 4), "measured"), 32.0);
    CU_ASSERT_FALSE(sy_json_true(sy_json_member(wrong, "agrees")));
    CU_ASSERT_EQUAL(number(wrong, "freedom"), 3.0);
    CU_ASSERT_TRUE(sy_json_true(sy_json_member(item(sy_json_member(wrong, "pieces"), 2), "departs")));
    CU_ASSERT_TRUE(
        sy_json_true(sy_json_member(sy_json_member(sy_json_member(fit, "verdicts"), "believed"), "agrees")));
    CU_ASSERT_EQUAL(number(sy_json_member(material_of(arm_of(doc, 0), "rook"), "value"), "value"), 5.0);
    check_estimate(sy_json_member(material_of(arm_of(doc, 0), "queen"), "value"), 5.0 * 3.2 / 1.75);
    check_estimate(sy_json_member(material_of(arm_of(doc, 0), "queen"), "elo"), 3.2 * 400.0 / log(10.0));
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "right, as a whole and in any unit: agrees"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "wrong, as a whole and in any unit: does not fit"));
    free(table);
    sy_json_free(doc);
}

/* 8 pawns, 2 knights, 2 bishops, 2 rooks and a queen a side. */
static void test_mean_army(void)
{
    struct sy_json_doc *doc =
        summarise("{\"title\": \"army\", \"design\": \"imbalance\", \"variant\": \"chess\", \"seed\": 5, "
                  "\"games\": 3000, \"depth\": 1, \"imbalance\": {\"remove\": [0, 3]}, \"fit\": "
                  "{\"bootstrap\": 0, \"unit\": \"mean army\"}}",
                  FROM_MODEL);
    const struct sy_json *arm = arm_of(doc, 0);
    const double mean = (8 * 0.35 + 2 * (1.05 + 1.15 + 1.75) + 3.2) / 15.0;
    double sum = 0.0;
    static const double pieces[] = {8, 2, 2, 2, 1};
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        const struct sy_json *value = sy_json_member(material_of(arm, planted[i].name), "value");
        check_estimate(value, planted[i].logit / mean);
        sum += pieces[i] * number(value, "value");
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, 15.0, 1e-7);
    CU_ASSERT_STRING_EQUAL(
        sy_json_string(
            sy_json_member(sy_json_member(sy_json_member(sy_json_root(doc), "experiment"), "fit"), "unit")),
        "mean army");
    sy_json_free(doc);
}

/* The phase may count some kinds only: then where its classes are cut does not depend on the others. */
static void test_phase_of_pawns(void)
{
    struct sy_json_doc *doc = summarise(
        "{\"title\": \"pawns\", \"design\": \"imbalance\", \"variant\": \"chess\", \"seed\": 5, "
        "\"games\": 2000, \"depth\": 1, \"imbalance\": {\"remove\": 3, \"kinds\": [\"pawn\", \"knight\"]}, "
        "\"fit\": {\"bootstrap\": 0, \"phase\": 2, \"phase_of\": [\"pawn\"]}}",
        FROM_MODEL);
    const struct sy_json *phase = sy_json_member(sy_json_member(arm_of(doc, 0), "fit"), "phase");
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(phase, "of")), 1);
    CU_ASSERT_STRING_EQUAL(sy_json_string(item(sy_json_member(phase, "of"), 0)), "pawn");
    /* Always 26 of 32 pieces, but 10 to 16 of 16 pawns. */
    const double sixteenths = 16 * sy_json_number(item(sy_json_member(phase, "edges"), 0));
    CU_ASSERT_TRUE(sixteenths >= 10 && sixteenths < 13 && sixteenths == floor(sixteenths));
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "knight with fewer and with more of pawn:"));
    free(table);
    sy_json_free(doc);
}

/* Values that do not depend on the board's fullness, and pairs that are worth nothing more. */
static void test_phase_and_pairs(void)
{
    struct sy_json_doc *doc =
        summarise("{\"title\": \"terms\", \"design\": \"imbalance\", \"variant\": \"chess\", \"seed\": 5, "
                  "\"games\": 3000, \"depth\": 1, \"imbalance\": {\"remove\": [0, 6]}, \"fit\": "
                  "{\"bootstrap\": 0, \"phase\": 2, \"pairs\": [\"bishop\"]}}",
                  FROM_MODEL);
    const struct sy_json *fit = sy_json_member(arm_of(doc, 0), "fit");
    const struct sy_json *phase = sy_json_member(fit, "phase");
    CU_ASSERT_STRING_EQUAL(status_of(phase), "ok");
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(phase, "edges")), 1);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        const struct sy_json *material = item(sy_json_member(phase, "materials"), i);
        CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(material, "name")), planted[i].name);
        for (size_t bin = 0; bin < 2; bin++) {
            check_estimate(sy_json_member(item(sy_json_member(material, "bins"), bin), "logit"),
                           planted[i].logit);
        }
        CU_ASSERT_TRUE(number(material, "p_holm") > 0.001);
        CU_ASSERT_TRUE(number(material, "p") <= number(material, "p_holm"));
    }
    const struct sy_json *pair = item(sy_json_member(sy_json_member(fit, "pairs"), "terms"), 0);
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(pair, "name")), "bishop");
    CU_ASSERT_TRUE(fabs(number(sy_json_member(pair, "logit"), "value")) <
                   4.0 * number(sy_json_member(pair, "logit"), "error"));
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NULL(sy_json_member(phase, "of"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "knight from an emptier to a fuller board:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "A pair of bishops adds"));
    free(table);
    sy_json_free(doc);
}

/* White's planted score is 0.54: surely within 20 points of even, not within 1. */
static void test_evenness(void)
{
    static const char *const margins[] = {"0.2", "0.01"};
    for (size_t i = 0; i < 2; i++) {
        char *text = sy_format("{\"title\": \"even\", \"design\": \"first-move\", \"variant\": \"chess\", "
                               "\"seed\": 5, \"games\": 1000, \"depth\": 1, \"opening\": {\"plies\": 4}, "
                               "\"fit\": {\"margin\": %s}}",
                               margins[i]);
        struct sy_json_doc *doc = summarise(text, FROM_MODEL);
        const struct sy_json *even = item(sy_json_member(sy_json_root(doc), "evenness"), 0);
        const struct sy_json *score =
            sy_json_member(sy_json_member(sy_json_member(arm_of(doc, 0), "fit"), "white"), "score");
        const double z = fabs(number(score, "value") - 0.5) / number(score, "error");
        CU_ASSERT_DOUBLE_EQUAL(number(even, "p_even"), erfc(z / sqrt(2.0)), 1e-8);
        CU_ASSERT_EQUAL(sy_json_true(sy_json_member(even, "within")), i == 0);
        free(text);
        sy_json_free(doc);
    }
}

static void test_parameters(void)
{
    struct sy_json_doc *doc =
        summarise("{\"title\": \"planted\", \"design\": \"parameters\", \"variant\": \"chess\", \"seed\": 5, "
                  "\"games\": 800, \"depth\": 1, \"randomise\": {\"value.*\": {\"factor\": [0.5, 2]}}, "
                  "\"fit\": {\"bootstrap\": 0, \"samples\": 3}}",
                  FROM_MODEL);
    const struct sy_json *arm = arm_of(doc, 0);
    const struct sy_json *fit = sy_json_member(arm, "fit");
    check_planted(arm);
    CU_ASSERT_TRUE(number(fit, "rows") > 2.0 * number(fit, "games"));
    CU_ASSERT_TRUE(number(fit, "rows") <= 3.0 * number(fit, "games"));
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(fit, "interval")), "Fieller");
    sy_json_free(doc);
}

static void test_first_move(void)
{
    struct sy_json_doc *doc =
        summarise("{\"title\": \"edge\", \"design\": \"first-move\", \"variants\": [\"chess\", {\"label\": "
                  "\"again\", \"variant\": \"chess\"}, {\"label\": \"third\", \"variant\": \"chess\"}], "
                  "\"seed\": 5, \"games\": 1000, \"depth\": 1, \"opening\": {\"plies\": [4, 4]}}",
                  FROM_MODEL);
    const double score = 0.5 * (1.0 - logistic(DRAW - EDGE)) + 0.5 * (1.0 - logistic(-DRAW - EDGE));
    for (size_t i = 0; i < 3; i++) {
        const struct sy_json *arm = arm_of(doc, i);
        check_estimate(sy_json_member(sy_json_member(arm, "white"), "score"), score);
        check_estimate(sy_json_member(sy_json_member(sy_json_member(arm, "fit"), "white"), "score"), score);
        CU_ASSERT_EQUAL(sy_json_count(sy_json_member(sy_json_member(arm, "fit"), "materials")), 0);
    }
    const struct sy_json *pairs = sy_json_member(sy_json_root(doc), "first_move");
    CU_ASSERT_EQUAL(sy_json_count(pairs), 3);
    for (const struct sy_json *pair = sy_json_first(pairs); pair; pair = sy_json_next(pair)) {
        check_estimate(sy_json_member(pair, "difference"), 0.0);
        CU_ASSERT_TRUE(number(pair, "p") <= number(pair, "p_holm"));
        CU_ASSERT_TRUE(number(pair, "p_holm") <= 1.0);
    }
    sy_json_free(doc);
}

/* ---- nothing to estimate ---- */

static bool warned(const struct sy_json_doc *doc, const char *part)
{
    const struct sy_json *w = sy_json_first(sy_json_member(sy_json_root(doc), "warnings"));
    while (w && !strstr(sy_json_string(w), part)) {
        w = sy_json_next(w);
    }
    return w != NULL;
}

static void check_without_values(const struct sy_json_doc *doc, const char *status)
{
    const struct sy_json *arm = arm_of(doc, 0);
    const struct sy_json *fit = sy_json_member(arm, "fit");
    CU_ASSERT_STRING_EQUAL(status_of(fit), status);
    CU_ASSERT_TRUE(sy_json_string(sy_json_member(fit, "reason")) != NULL);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        const struct sy_json *value = sy_json_member(material_of(arm, planted[i].name), "value");
        CU_ASSERT_TRUE(is_null(value, "value"));
        CU_ASSERT_TRUE(is_null(value, "low"));
        CU_ASSERT_STRING_NOT_EQUAL(status_of(value), "ok");
        CU_ASSERT_STRING_NOT_EQUAL(status_of(value), "");
    }
    CU_ASSERT_TRUE(warned(doc, "no fit"));
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "queen"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "Warning: no fit"));
    free(table);
}

static void test_no_games(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("100"), NOTHING_PLAYED);
    check_without_values(doc, "too few");
    CU_ASSERT_TRUE(warned(doc, "0 of the 100 games"));
    CU_ASSERT_TRUE(is_null(sy_json_member(arm_of(doc, 0), "length"), "median"));
    sy_json_free(doc);
}

static void test_one_side_wins(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("200"), WHITE_WINS);
    check_without_values(doc, "one outcome");
    const struct sy_json *white = sy_json_member(arm_of(doc, 0), "white");
    CU_ASSERT_EQUAL(number(sy_json_member(white, "score"), "value"), 1.0);
    CU_ASSERT_TRUE(is_null(sy_json_member(white, "elo"), "value"));
    sy_json_free(doc);
}

static void test_one_game(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("1"), FROM_MODEL);
    check_without_values(doc, "one outcome");
    sy_json_free(doc);
}

static void test_quarter_points(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("3000"), QUARTERS);
    const struct sy_json *fit = sy_json_member(arm_of(doc, 0), "fit");
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(fit, "scores")), 5);
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(fit, "thresholds")), 4);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        check_estimate(sy_json_member(material_of(arm_of(doc, 0), planted[i].name), "logit"),
                       planted[i].logit);
    }
    sy_json_free(doc);
}

/* A side a queen up always wins: the queen has no finite value, the others keep theirs. */
static void test_queen_always_wins(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("3000"), QUEEN_WINS);
    const struct sy_json *arm = arm_of(doc, 0);
    const struct sy_json *queen = material_of(arm, "queen");
    CU_ASSERT_STRING_EQUAL(status_of(sy_json_member(queen, "value")), "separated");
    CU_ASSERT_TRUE(is_null(sy_json_member(queen, "logit"), "value"));
    CU_ASSERT_TRUE(is_null(sy_json_member(queen, "elo"), "value"));
    check_estimate(sy_json_member(material_of(arm, "rook"), "logit"), planted[3].logit);
    CU_ASSERT_TRUE(warned(doc, "no value for queen"));
    const struct sy_json *verdict =
        item(sy_json_member(sy_json_member(sy_json_member(arm, "fit"), "verdicts"), "suggested"), 0);
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(verdict, "pieces")), 4);
    sy_json_free(doc);
}

static void test_all_unfinished(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("40"), NONE_FINISHED);
    const struct sy_json *games = sy_json_member(arm_of(doc, 0), "games");
    check_without_values(doc, "too few");
    CU_ASSERT_EQUAL(number(games, "finished"), 0.0);
    CU_ASSERT_EQUAL(number(sy_json_member(games, "left_out"), "unfinished"), 40.0);
    CU_ASSERT_TRUE(warned(doc, "40 of 40 games were cut off"));
    sy_json_free(doc);
}

static void test_constant(void)
{
    struct sy_json_doc *doc = summarise(
        "{\"title\": \"few kinds\", \"design\": \"imbalance\", \"variant\": \"chess\", \"seed\": 5, "
        "\"games\": 1000, \"depth\": 1, \"imbalance\": {\"kinds\": [\"pawn\", \"knight\"], "
        "\"remove\": [0, 3]}, \"fit\": {\"bootstrap\": 200}}",
        FROM_MODEL);
    const struct sy_json *arm = arm_of(doc, 0);
    check_estimate(sy_json_member(material_of(arm, "knight"), "value"), 3.0);
    const struct sy_json *queen = material_of(arm, "queen");
    CU_ASSERT_STRING_EQUAL(status_of(sy_json_member(queen, "value")), "constant");
    CU_ASSERT_TRUE(is_null(sy_json_member(queen, "value"), "value"));
    CU_ASSERT_TRUE(is_null(sy_json_member(queen, "logit"), "z"));
    CU_ASSERT_EQUAL(number(queen, "games"), 0.0);
    CU_ASSERT_TRUE(warned(doc, "no value for bishop, rook, queen"));
    sy_json_free(doc);
}

/* The unit says nothing, so that the values come in the measure of a piece that does. */
static void test_alternative(void)
{
    struct sy_json_doc *doc =
        summarise("{\"title\": \"no pawns\", \"design\": \"imbalance\", \"variant\": \"chess\", \"seed\": 5, "
                  "\"games\": 1000, \"depth\": 1, \"imbalance\": {\"kinds\": [\"knight\", \"rook\"], "
                  "\"remove\": [0, 3]}, \"fit\": {\"bootstrap\": 200}}",
                  FROM_MODEL);
    const struct sy_json *fit = sy_json_member(arm_of(doc, 0), "fit");
    const struct sy_json *alternative = sy_json_member(fit, "alternative");
    const struct sy_json *knight = item(sy_json_member(alternative, "materials"), 1);
    const struct sy_json *rook = item(sy_json_member(alternative, "materials"), 3);
    const double measure = number(alternative, "counts_as");
    CU_ASSERT_STRING_NOT_EQUAL(status_of(sy_json_member(material_of(arm_of(doc, 0), "rook"), "value")), "ok");
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(knight, "name")), "knight");
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(rook, "name")), "rook");
    if (sy_json_true(sy_json_member(knight, "unit"))) {
        CU_ASSERT_EQUAL(measure, 3.0);
        check_estimate(sy_json_member(rook, "value"), 3.0 * 1.75 / 1.05);
    } else {
        CU_ASSERT_EQUAL(measure, 5.0);
        check_estimate(sy_json_member(knight, "value"), 5.0 * 1.05 / 1.75);
    }
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "Values count one"));
    free(table);
    sy_json_free(doc);
}

/* ---- counting ---- */

static void test_counts(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("400"), FROM_MODEL);
    const struct sy_json *arm = arm_of(doc, 0);
    const struct sy_json *outcomes = sy_json_member(arm, "outcomes");
    double games = 0.0;
    double points = 0.0;
    const struct sy_json *scores = sy_json_member(outcomes, "scores");
    for (const struct sy_json *s = sy_json_first(scores); s; s = sy_json_next(s)) {
        games += number(s, "games");
        points += number(s, "games") * number(s, "score");
    }
    CU_ASSERT_EQUAL(games, 400.0);
    CU_ASSERT_DOUBLE_EQUAL(points / games,
                           number(sy_json_member(sy_json_member(arm, "white"), "score"), "value"), 1e-12);
    const struct sy_json *reasons = sy_json_member(outcomes, "reasons");
    CU_ASSERT_EQUAL(sy_json_count(reasons), 2);
    CU_ASSERT_EQUAL(number(item(reasons, 0), "games") + number(item(reasons, 1), "games"), 400.0);
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(item(reasons, 0), "reason")), "checkmate");
    CU_ASSERT_EQUAL(number(sy_json_member(arm, "branching"), "value"), 30.25);
    CU_ASSERT_DOUBLE_EQUAL(number(sy_json_member(sy_json_member(arm, "nodes"), "per_game"), "value"), 1199.5,
                           1e-9);
    const double distinct = number(sy_json_member(arm, "distinct"), "games");
    CU_ASSERT_TRUE(distinct > 1.0 && distinct <= 400.0);
    sy_json_free(doc);
}

static void test_origin(void)
{
    struct sy_json_doc *doc = summarise(IMBALANCE("40"), FROM_MODEL);
    const struct sy_json *root = sy_json_root(doc);
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(root, "seed")), "5");
    CU_ASSERT_EQUAL(strlen(sy_json_string(sy_json_member(root, "games_digest"))), 64);
    CU_ASSERT_EQUAL(strlen(sy_json_string(sy_json_member(arm_of(doc, 0), "digest"))), 64);
    CU_ASSERT_EQUAL(number(sy_json_member(root, "experiment"), "games"), 40.0);
    char *experiment = sy_json_text(sy_json_member(root, "experiment"), false);
    CU_ASSERT_PTR_NOT_NULL(strstr(experiment, "\"stalemate\"")); /* the rules are in it */
    free(experiment);
    sy_json_free(doc);
}

/* ---- the run as a user sees it ---- */

static char *run_captured(const char *directory, bool plots)
{
    struct sy_error error = {""};
    char *path = sy_format("%s/captured", directory);
    char *text = NULL;
    size_t length = 0;
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    CU_ASSERT_PTR_NOT_NULL(freopen(path, "w", stdout));
    CU_ASSERT_EQUAL(sy_summary_run(directory, plots, &error), SY_OK);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    CU_ASSERT_EQUAL(sy_read_file(path, &text, &length, &error), SY_OK);
    free(path);
    return text;
}

static void check_width(const char *table)
{
    for (const char *line = table; *line;) {
        const size_t length = strcspn(line, "\n");
        CU_ASSERT_TRUE(length <= 100);
        CU_ASSERT_TRUE(length == 0 || line[length - 1] != ' ');
        line += length + (line[length] == '\n');
    }
}

static void test_run(void)
{
    struct run run = simulate_run(IMBALANCE("400"), FROM_MODEL);
    struct sy_error error = {""};
    char *table = run_captured(run.directory, false);
    char *path = sy_format("%s/summary.json", run.directory);
    char *text = NULL, *bytes = NULL;
    size_t length = 0;
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "chess: 400 games, 400 in the fit, 0 unfinished"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "95 % interval"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "White scores, at equal material"));
    check_width(table);
    CU_ASSERT_EQUAL(sy_read_file(path, &bytes, &length, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_summary_text(run.directory, &text, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(bytes, text);
    free(bytes);
    free(text);
    free(path);
    free(table);
    remove_tree(run.directory);
}

static void test_missing(void)
{
    struct sy_error error = {""};
    char *text = NULL;
    CU_ASSERT_EQUAL(sy_summary_text("/tmp/steelyard-no-such-run", &text, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "steelyard-no-such-run"));
    CU_ASSERT_PTR_NULL(text);
}

void test_summary_suite(void)
{
    CU_pSuite suite = CU_add_suite("summary", NULL, NULL);
    CU_add_test(suite, "imbalance recovers planted values", test_imbalance);
    CU_add_test(suite, "verdicts on suggested tables", test_suggested);
    CU_add_test(suite, "joint verdict on a table", test_joint_verdict);
    CU_add_test(suite, "values in mean pieces", test_mean_army);
    CU_add_test(suite, "phase and pairs", test_phase_and_pairs);
    CU_add_test(suite, "a phase that counts pawns", test_phase_of_pawns);
    CU_add_test(suite, "within a margin of even", test_evenness);
    CU_add_test(suite, "parameters recovers planted values", test_parameters);
    CU_add_test(suite, "first move and comparisons", test_first_move);
    CU_add_test(suite, "no games", test_no_games);
    CU_add_test(suite, "one side wins all", test_one_side_wins);
    CU_add_test(suite, "one game", test_one_game);
    CU_add_test(suite, "quarter points", test_quarter_points);
    CU_add_test(suite, "a queen up always wins", test_queen_always_wins);
    CU_add_test(suite, "all unfinished", test_all_unfinished);
    CU_add_test(suite, "kinds that never vary", test_constant);
    CU_add_test(suite, "another measure than the unit", test_alternative);
    CU_add_test(suite, "counts", test_counts);
    CU_add_test(suite, "origin", test_origin);
    CU_add_test(suite, "run", test_run);
    CU_add_test(suite, "missing run", test_missing);
}
