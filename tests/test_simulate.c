/* Tests of simulated games, of the coverage study, and of expected widths. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "steelyard/coverage.h"
#include "steelyard/iterate.h"
#include "steelyard/notation.h"
#include "steelyard/power.h"
#include "steelyard/summary.h"
#include "steelyard/until.h"

#include "schema_check.h"

#include <CUnit/CUnit.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_simulate_suite(void);

#define TEXTBOOKS                                                                                            \
    "\"engine\":{\"value.pawn\":1,\"value.knight\":3,\"value.bishop\":3,\"value.rook\":5,\"value.queen\":9}" \
    ","

static const char imbalance[] =
    "{\"design\":\"imbalance\",\"variant\":\"chess\",\"seed\":7,\"games\":2000,\"nodes\":1," TEXTBOOKS
    "\"imbalance\":{\"remove\":[0,3],\"exchange\":[0,1],\"limit\":6},\"fit\":{\"bootstrap\":0}}";

static struct sy_experiment *need(const char *text)
{
    struct sy_json_doc *doc = NULL;
    struct sy_experiment *experiment = NULL;
    struct sy_error error = {""};
    const bool good = sy_json_read("test.json", text, strlen(text), &doc, &error) == SY_OK &&
                      sy_experiment_create(doc, 0, &experiment, &error) == SY_OK;
    if (!good)
        printf("    %s\n", error.message);
    CU_ASSERT_TRUE_FATAL(good);
    return experiment;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static double number_at(const struct sy_json *object, const char *key, const char *inner)
{
    return sy_json_number(sy_json_member(sy_json_member(object, key), inner));
}

/* The summary of what `simulate` writes; the caller frees. */
static struct sy_json_doc *simulated_summary(const struct sy_experiment *experiment,
                                             const struct sy_truth *truth)
{
    char directory[] = "/tmp/steelyard-simulate-XXXXXX";
    struct sy_error error = {""};
    struct sy_json_doc *doc = NULL, *schema = NULL;
    char *text = NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    CU_ASSERT_EQUAL(sy_simulate(experiment, truth, directory, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_summary_text(directory, &text, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    CU_ASSERT_EQUAL(sy_simulate(experiment, truth, directory, &error), SY_FAILED); /* never written over */
    CU_ASSERT_EQUAL_FATAL(sy_json_read("summary.json", text, strlen(text), &doc, &error), SY_OK);
    CU_ASSERT_EQUAL_FATAL(sy_json_read_file("results/summary.schema.json", &schema, &error), SY_OK);
    CU_ASSERT_TRUE(schema_holds(sy_json_root(schema), sy_json_root(doc)));
    sy_json_free(schema);
    free(text);
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return doc;
}

static void check_planted(const struct sy_json *summary, const struct sy_arm *arm,
                          const struct sy_truth *truth)
{
    const struct sy_json *fit = sy_json_member(sy_json_first(sy_json_member(summary, "arms")), "fit");
    unsigned material = 0;
    const struct sy_json *materials = sy_json_member(fit, "materials");
    CU_ASSERT_EQUAL(sy_json_count(materials), 5);
    for (const struct sy_json *m = sy_json_first(materials); m != NULL; m = sy_json_next(m), material++) {
        const double error = number_at(m, "logit", "error");
        CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(m, "name")), arm->variant->material[material]);
        CU_ASSERT_TRUE(error > 0);
        CU_ASSERT_TRUE(fabs(number_at(m, "logit", "value") - truth->logit[material]) < 4 * error);
    }
    CU_ASSERT_PTR_NOT_NULL(
        strstr(sy_json_string(sy_json_first(sy_json_member(summary, "warnings"))), "simulated"));
}

static void test_imbalance(void)
{
    struct sy_experiment *experiment = need(imbalance);
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    CU_ASSERT_EQUAL(truth.full, 32);
    CU_ASSERT_DOUBLE_EQUAL(truth.logit[4], 0.35 * 9, 1e-12);
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    check_planted(sy_json_root(doc), &experiment->arms[0], &truth);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

static void test_parameters(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"parameters\",\"variant\":\"chess\",\"seed\":7,\"games\":500,\"nodes\":1,"
             "\"randomise\":{\"value.*\":{\"factor\":[0.5,2]}},\"fit\":{\"bootstrap\":0,\"samples\":3}}");
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    check_planted(sy_json_root(doc), &experiment->arms[0], &truth);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* ---- which believed values win ---- */

static const char believing[] =
    "{\"design\":\"parameters\",\"variant\":\"chess\",\"seed\":7,\"games\":800,\"nodes\":1,"
    "\"randomise\":{\"value.*\":{\"factor\":[0.5,2]}},\"fit\":{\"bootstrap\":0,\"samples\":1}}";

static const struct sy_json *surface_of(const struct sy_json_doc *doc)
{
    const struct sy_json *arm = sy_json_first(sy_json_member(sy_json_root(doc), "arms"));
    return sy_json_member(sy_json_member(arm, "fit"), "surface");
}

static const char *status_of(const struct sy_json *object)
{
    return sy_json_string(sy_json_member(object, "status"));
}

/* Every piece's interval of a top holds what was planted, or nearly: 5 pieces at 95 %. */
static void check_top(const struct sy_json *top, const struct sy_truth *truth)
{
    unsigned material = 0;
    CU_ASSERT_STRING_EQUAL(status_of(top), "ok");
    const struct sy_json *pieces = sy_json_member(top, "pieces");
    CU_ASSERT_EQUAL(sy_json_count(pieces), 5);
    for (const struct sy_json *p = sy_json_first(pieces); p != NULL; p = sy_json_next(p), material++) {
        const double planted = truth->best[material] / truth->best[0];
        const double middle = number_at(p, "value", "value"), low = number_at(p, "value", "low"),
                     high = number_at(p, "value", "high");
        CU_ASSERT_TRUE(middle - 1.5 * (middle - low) <= planted + 1e-9);
        CU_ASSERT_TRUE(middle + 1.5 * (high - middle) >= planted - 1e-9);
        CU_ASSERT_TRUE(high < 2 * planted);
        CU_ASSERT_TRUE(sy_json_true(sy_json_member(p, "inside")));
    }
}

/* Beliefs that cost nothing are flat; those that cost have the planted top, by both fits; a table says so. */
static void test_believing(void)
{
    static const double best[] = {1, 3.6, 2.8, 6, 8};
    struct sy_experiment *experiment = need(believing);
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    memset(truth.logit, 0, sizeof truth.logit);
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    const struct sy_json *surface = surface_of(doc);
    CU_ASSERT_STRING_EQUAL(status_of(surface), "ok");
    CU_ASSERT_STRING_EQUAL(status_of(sy_json_member(surface, "top")), "flat");
    CU_ASSERT_TRUE(sy_json_number(sy_json_member(surface, "p_flat")) > 0.05);
    sy_json_free(doc);
    truth.believing = 2;
    memcpy(truth.best, best, sizeof best);
    doc = simulated_summary(experiment, &truth);
    surface = surface_of(doc);
    CU_ASSERT_EQUAL(sy_json_number(sy_json_member(surface, "games")), 800);
    CU_ASSERT_EQUAL(sy_json_number(sy_json_member(surface, "clusters")), 400);
    CU_ASSERT_EQUAL(sy_json_number(sy_json_member(surface, "terms")), 20);
    CU_ASSERT_TRUE(sy_json_number(sy_json_member(surface, "p_flat")) < 1e-6);
    check_top(sy_json_member(surface, "top"), &truth);
    check_top(sy_json_member(surface, "proportions"), &truth);
    check_top(sy_json_member(sy_json_member(surface, "least_squares"), "top"), &truth);
    const struct sy_json *pawn = sy_json_first(sy_json_member(surface, "pieces"));
    CU_ASSERT_TRUE(fabs(number_at(pawn, "curvature", "value") + 2) <
                   4 * number_at(pawn, "curvature", "error"));
    CU_ASSERT_TRUE(fabs(number_at(pawn, "alone", "value") - 1) < 0.3);
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(table, "Which believed values win, in units (pawn = 1): pawn 1, the unit,"));
    free(table);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* Some values are drawn, the others are what they are: no proportions of their own. Too few games: no top. */
static void test_few_drawn(void)
{
    struct sy_experiment *experiment = need(
        "{\"design\":\"parameters\",\"variant\":\"chess\",\"seed\":7,\"games\":600,\"nodes\":1," TEXTBOOKS
        "\"randomise\":{\"value.queen\":{\"range\":[5,15]},\"eval.mobility\":{\"range\":[0,0.2]}},"
        "\"fit\":{\"bootstrap\":0,\"samples\":1,\"unit\":\"rook\"}}");
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    memset(truth.logit, 0, sizeof truth.logit);
    truth.believing = 4;
    truth.best[4] = 10;
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    const struct sy_json *surface = surface_of(doc), *top = sy_json_member(surface, "top");
    CU_ASSERT_STRING_EQUAL(status_of(top), "ok");
    CU_ASSERT_EQUAL(sy_json_kind(sy_json_member(surface, "proportions")), SY_JSON_NULL);
    const struct sy_json *queen = sy_json_first(sy_json_member(top, "pieces"));
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(queen, "name")), "queen");
    CU_ASSERT_DOUBLE_EQUAL(number_at(queen, "engine", "value"), 10, 1);
    CU_ASSERT_DOUBLE_EQUAL(number_at(queen, "value", "value"), number_at(queen, "engine", "value") / 5, 1e-9);
    sy_json_free(doc);
    sy_experiment_free(experiment);
    experiment = need("{\"design\":\"parameters\",\"variant\":\"chess\",\"seed\":7,\"games\":100,\"nodes\":1,"
                      "\"randomise\":{\"value.*\":{\"factor\":[0.5,2]}},\"fit\":{\"bootstrap\":0}}");
    doc = simulated_summary(experiment, &truth);
    CU_ASSERT_STRING_EQUAL(status_of(surface_of(doc)), "too few");
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "Which believed values win: unknown: too few"));
    free(table);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* A side a rook down, from each model: what is wrong moves the score the way it says. */
static void test_models(void)
{
    struct sy_experiment *experiment = need(imbalance);
    struct sy_truth truth;
    struct sy_position position;
    struct sy_error error;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    truth.edge = 0;
    CU_ASSERT_EQUAL(sy_fen_parse(experiment->arms[0].variant,
                                 "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", &position, &error),
                    SY_OK);
    const struct sy_material_count up = sy_count_material(&position);
    const double score = sy_truth_score(&truth, &up);
    CU_ASSERT_DOUBLE_EQUAL(
        score, 1 - (1 / (1 + exp(log(0.65 / 0.35) + 1.75)) + 1 / (1 + exp(1.75 - log(0.65 / 0.35)))) / 2,
        1e-12);
    struct sy_random random = sy_random_stream(1, 2, 3);
    double sum = 0;
    for (int i = 0; i < 20000; i++)
        sum += sy_truth_draw(&truth, &up, &random);
    CU_ASSERT_DOUBLE_EQUAL(sum / 20000, score, 0.01);
    truth.model = SY_TRUTH_PAIRS;
    CU_ASSERT_TRUE(sy_truth_score(&truth, &up) > score + 0.01);
    truth.model = SY_TRUTH_MORE_DRAWS;
    CU_ASSERT_TRUE(sy_truth_score(&truth, &up) < score);
    truth.model = SY_TRUTH_PHASE;
    CU_ASSERT_TRUE(fabs(sy_truth_score(&truth, &up) - score) > 1e-4);
    sy_experiment_free(experiment);
}

/* ---- terms ---- */

static const struct sy_json *fit_of(const struct sy_json_doc *doc)
{
    return sy_json_member(sy_json_first(sy_json_member(sy_json_root(doc), "arms")), "fit");
}

static bool within(const struct sy_json *object, const char *key, double planted, double errors)
{
    const double value = number_at(object, key, "value"), error = number_at(object, key, "error");
    const bool good = error > 0 && fabs(value - planted) < errors * error;
    if (!good)
        printf("    %s: %g +- %g, not %g\n", key, value, error, planted);
    return good;
}

/* The planted values are linear in fullness: half as much again of every other one when all is gone, half as
 * much of the others. */
static void test_trend(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"imbalance\",\"variant\":\"chess\",\"seed\":3,\"games\":2500,\"nodes\":1,"
             "\"imbalance\":{\"remove\":[0,11]},\"fit\":{\"bootstrap\":0,\"phase\":\"linear\"}}");
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.2, &truth);
    truth.model = SY_TRUTH_PHASE;
    CU_ASSERT_PTR_NOT_NULL(strstr(experiment->canonical, "\"phase\": \"linear\""));
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    const struct sy_json *phase = sy_json_member(fit_of(doc), "phase");
    const struct sy_json *materials = sy_json_member(phase, "materials");
    const struct sy_json *ends = sy_json_member(phase, "ends");
    const double end[2] = {sy_json_number(sy_json_first(ends)),
                           sy_json_number(sy_json_next(sy_json_first(ends)))};
    CU_ASSERT_EQUAL(sy_json_count(materials), 5);
    CU_ASSERT_TRUE(end[0] < end[1] && end[1] <= 1);
    unsigned material = 0;
    for (const struct sy_json *m = sy_json_first(materials); m != NULL; m = sy_json_next(m), material++) {
        const double logit = truth.logit[material], change = (material % 2 == 0 ? 0.5 : -0.5) * logit;
        const struct sy_json *bin = sy_json_first(sy_json_member(m, "bins"));
        CU_ASSERT_TRUE(within(bin, "logit", logit + change * (1 - end[0]), 4));
        CU_ASSERT_TRUE(within(sy_json_next(bin), "logit", logit + change * (1 - end[1]), 4));
        CU_ASSERT_TRUE(within(m, "slope", -change, 4));
        const double z = number_at(m, "slope", "value") / number_at(m, "slope", "error");
        CU_ASSERT_DOUBLE_EQUAL(sy_json_number(sy_json_member(m, "p")), erfc(fabs(z) / sqrt(2)), 2e-3);
    }
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "knight from an emptier to a fuller board: 0."));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "logits, which is"));
    free(table);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* All boards as full: a trend has nothing to go by, and says so. */
static void test_no_trend(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"imbalance\",\"variant\":\"chess\",\"seed\":3,\"games\":400,\"nodes\":1,"
             "\"imbalance\":{\"exchange\":[1,2]},\"fit\":{\"bootstrap\":0,\"phase\":\"linear\"}}");
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.2, &truth);
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    const struct sy_json *materials = sy_json_member(sy_json_member(fit_of(doc), "phase"), "materials");
    const struct sy_json *knight = sy_json_next(sy_json_first(materials));
    const struct sy_json *fuller = sy_json_next(sy_json_first(sy_json_member(knight, "bins")));
    CU_ASSERT_STRING_EQUAL(status_of(sy_json_member(fuller, "logit")), "constant");
    CU_ASSERT_STRING_NOT_EQUAL(status_of(sy_json_member(knight, "slope")), "ok");
    CU_ASSERT_EQUAL(sy_json_kind(sy_json_member(knight, "p")), SY_JSON_NULL);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* Bishops of three colours, of which a hexagonal army has one each: a third is worth half a bishop more. */
static void test_three_colours(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"imbalance\",\"variant\":\"glinski\",\"seed\":3,\"games\":3000,\"nodes\":1,"
             "\"imbalance\":{\"remove\":[0,5],\"kinds\":[\"knight\",\"bishop\",\"rook\"]},"
             "\"fit\":{\"bootstrap\":0,\"pairs\":[\"bishop\",{\"piece\":\"bishop\",\"colours\":3}]}}");
    struct sy_truth truth;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    unsigned bishop = 0;
    while (strcmp(experiment->arms[0].variant->material[bishop], "bishop") != 0)
        bishop++;
    CU_ASSERT_TRUE(truth.starts_in_threes[bishop]);
    CU_ASSERT_FALSE(truth.starts_in_threes[bishop + 1]);
    truth.model = SY_TRUTH_TRIPLES;
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    const struct sy_json *terms = sy_json_member(sy_json_member(fit_of(doc), "pairs"), "terms");
    CU_ASSERT_EQUAL(sy_json_count(terms), 2);
    const struct sy_json *pair = sy_json_first(terms), *three = sy_json_next(pair);
    CU_ASSERT_PTR_NULL(sy_json_member(pair, "colours"));
    CU_ASSERT_EQUAL(sy_json_number(sy_json_member(three, "colours")), 3);
    CU_ASSERT_TRUE(within(pair, "logit", 0, 3));
    CU_ASSERT_TRUE(within(three, "logit", 0.5 * truth.logit[bishop], 3));
    CU_ASSERT_TRUE(number_at(three, "logit", "low") > 0);
    char *table = sy_summary_table(sy_json_root(doc));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "To have bishops on 3 colours adds 0."));
    free(table);
    /* The copy in the summary asks for the same. */
    char *copy = sy_json_text(sy_json_member(sy_json_root(doc), "experiment"), false);
    CU_ASSERT_PTR_NOT_NULL(strstr(copy, "\"pairs\":[\"bishop\",{\"piece\":\"bishop\",\"colours\":3}]"));
    free(copy);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* A small study: with 200 experiments a coverage of 95 % is within 0.90 and 0.99 all but surely. */
static void test_coverage(void)
{
    struct sy_experiment *experiment = need(imbalance);
    struct sy_truth truth;
    struct sy_error error = {""};
    struct sy_json *study = NULL;
    const struct sy_coverage_options options = {.seed = 11,
                                                .experiments = 200,
                                                .pool = 500,
                                                .level = 0.95,
                                                .games_count = 1,
                                                .games = {400},
                                                .draws_count = 1,
                                                .draws = {0.35},
                                                .positions_count = 2,
                                                .positions = {1, 6}};
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    CU_ASSERT_EQUAL_FATAL(sy_coverage_study(experiment, &truth, &options, NULL, &study, &error), SY_OK);
    const struct sy_json *rows = sy_json_member(study, "rows");
    CU_ASSERT_EQUAL(sy_json_count(rows), 2);
    for (const struct sy_json *row = sy_json_first(rows); row != NULL; row = sy_json_next(row)) {
        const struct sy_json *pieces = sy_json_member(row, "pieces");
        for (const struct sy_json *piece = sy_json_first(pieces); piece != NULL;
             piece = sy_json_next(piece)) {
            const double coverage = number_at(piece, "logit", "coverage");
            CU_ASSERT_TRUE(coverage > 0.9 && coverage < 0.99);
            CU_ASSERT_EQUAL(number_at(piece, "logit", "given"), 1);
        }
        const double white = number_at(row, "white", "coverage"),
                     rejected = number_at(row, "verdict", "rejected");
        CU_ASSERT_TRUE(white > 0.9 && white < 0.99);
        CU_ASSERT_TRUE(rejected > 0.005 && rejected < 0.11);
    }
    char *table = sy_coverage_table(study);
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "\n400       1   35% score"));
    free(table);
    sy_json_delete(study);
    sy_experiment_free(experiment);
}

static double half_width_in(const char *table, const char *line, int column)
{
    const char *at = strstr(table, line);
    double number = NAN;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at += strlen(line);
    for (int i = 0; i <= column; i++) {
        char *end = NULL;
        number = strtod(at, &end);
        at = end;
    }
    return number;
}

/* Expected widths are those that simulated games have, and go with the square root of the games. */
static void test_power(void)
{
    struct sy_experiment *experiment = need(imbalance);
    struct sy_truth truth;
    struct sy_error error = {""};
    char *table = NULL;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    struct sy_json_doc *doc = simulated_summary(experiment, &truth);
    const struct sy_json *fit =
        sy_json_member(sy_json_first(sy_json_member(sy_json_root(doc), "arms")), "fit");
    const struct sy_power_options options = {
        .games_count = 2, .games = {2000, 8000}, .half_width = 0.5, .starts = 1000};
    CU_ASSERT_EQUAL_FATAL(sy_power_table(experiment, &truth, &options, &table, &error), SY_OK);
    const struct sy_json *pawn = sy_json_first(sy_json_member(fit, "materials"));
    const double came_out = (number_at(pawn, "logit", "high") - number_at(pawn, "logit", "low")) / 2;
    const double expected = half_width_in(table, "\n2000 ", 0);
    CU_ASSERT_DOUBLE_EQUAL(came_out / expected, 1, 0.08);
    CU_ASSERT_DOUBLE_EQUAL(expected / half_width_in(table, "\n8000 ", 0), 2, 0.05);
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "every value to within 0.5: "));
    free(table);
    sy_json_free(doc);
    sy_experiment_free(experiment);
}

/* ---- starts by a criterion ---- */

#define CHOSEN(criterion)                                                                                    \
    "{\"design\":\"imbalance\",\"variant\":\"chess\",\"seed\":7,\"games\":2000,\"nodes\":1,"                 \
    "\"imbalance\":{\"remove\":[0,3],\"exchange\":[0,1],\"limit\":6,\"criterion\":\"" criterion "\"}}"

/* White's pieces less Black's, by material. */
static void draw_difference(const struct sy_experiment *experiment, uint64_t number, double *difference,
                            struct sy_position *position)
{
    struct sy_game_start start;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_game_draw(experiment, number, &start, &error), SY_OK);
    const struct sy_material_count count = sy_count_material(&start.position);
    for (unsigned i = 0; i < 5; i++)
        difference[i] = count.count[SY_WHITE][i] - count.count[SY_BLACK][i];
    *position = start.position;
    sy_game_start_clear(&start);
}

/* Colours are exchanged in a pair, the limit holds, and the same file draws the same; every value is known
 * better than from as many games that are drawn evenly. */
static void check_criterion(const char *text, char criterion)
{
    struct sy_experiment *experiment = need(text), *again = need(text);
    struct sy_truth truth;
    struct sy_error error = {""};
    char *table = NULL;
    CU_ASSERT_EQUAL(experiment->imbalance.criterion, criterion);
    CU_ASSERT_STRING_EQUAL(experiment->digest, again->digest);
    for (uint64_t n = 0; n < 40; n += 2) {
        double one[5], other[5], repeated[5], believed = 0;
        struct sy_position position;
        draw_difference(experiment, n, one, &position);
        draw_difference(experiment, n + 1, other, &position);
        draw_difference(again, n, repeated, &position);
        for (unsigned i = 0; i < 5; i++) {
            CU_ASSERT_EQUAL(one[i], -other[i]);
            CU_ASSERT_EQUAL(one[i], repeated[i]);
            believed += one[i] * experiment->arms[0].params.value[i];
        }
        CU_ASSERT_TRUE(fabs(believed) <= 6);
    }
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    const struct sy_power_options options = {.games_count = 1, .games = {4000}, .starts = 600};
    CU_ASSERT_EQUAL_FATAL(sy_power_table(experiment, &truth, &options, &table, &error), SY_OK);
    for (int column = 0; column < 5; column++)
        CU_ASSERT_TRUE(half_width_in(table, "\n4000 ", column) <
                       0.85 * half_width_in(table, "\ndrawn evenly ", column));
    free(table);
    sy_experiment_free(experiment);
    sy_experiment_free(again);
}

static void test_criteria(void)
{
    check_criterion(CHOSEN("D"), 'D');
    check_criterion(CHOSEN("A"), 'A');
}

/* What the criterion leaves open is drawn evenly: which of two rooks is gone, and whose. */
static void test_even_inside(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"imbalance\",\"variant\":\"chess\",\"seed\":7,\"games\":4000,\"nodes\":1,"
             "\"imbalance\":{\"remove\":[0,1],\"kinds\":[\"knight\",\"rook\"],\"criterion\":\"D\"}}");
    const struct sy_variant *variant = experiment->arms[0].variant;
    const unsigned rook = sy_variant_type(variant, 'R');
    unsigned rooks = 0, queenside = 0, white = 0;
    for (uint64_t n = 0; n < 2000; n += 2) {
        double difference[5];
        struct sy_position position;
        draw_difference(experiment, n, difference, &position);
        if (!(fabs(difference[3]) > 0) || fabs(difference[1]) > 0)
            continue;
        const unsigned side = difference[3] < 0 ? SY_WHITE : SY_BLACK;
        const unsigned left = sy_lowest(sy_pieces(&position, rook, side));
        rooks++;
        white += side == SY_WHITE;
        queenside += variant->board->name[left][0] == 'h';
    }
    CU_ASSERT_TRUE(rooks > 150);
    CU_ASSERT_TRUE(fabs(queenside - rooks / 2.0) < 4 * sqrt(rooks / 4.0));
    CU_ASSERT_TRUE(fabs(white - rooks / 2.0) < 4 * sqrt(rooks / 4.0));
    sy_experiment_free(experiment);
}

/* ---- rounds ---- */

/* A round without play: results from the planted truth, whatever the engine believes. */
static enum sy_status simulate_round(void *context, const struct sy_experiment *round, const char *directory,
                                     struct sy_error *error)
{
    char *text = NULL, *path = sy_format("%s/summary.json", directory);
    enum sy_status status = sy_simulate(round, context, directory, error);
    if (status == SY_OK)
        status = sy_summary_text(directory, &text, error);
    if (status == SY_OK)
        status = sy_write_file(path, text, strlen(text), error);
    free(text);
    free(path);
    return status;
}

/* From a knight believed worth 7, rounds go to the planted 3 and stop there. */
static void test_rounds(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"imbalance\",\"variant\":\"chess\",\"seed\":7,\"games\":2000,\"nodes\":1,"
             "\"iterate\":{\"rounds\":4},\"engine\":{\"value.knight\":7},"
             "\"imbalance\":{\"remove\":[0,3],\"exchange\":[0,1]},\"fit\":{\"bootstrap\":0}}");
    char directory[] = "/tmp/steelyard-rounds-XXXXXX";
    struct sy_truth truth;
    struct sy_error error = {""};
    struct sy_json_doc *doc = NULL;
    char *table = NULL;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    truth.logit[1] = 3 * 0.35;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    const struct sy_round_player player = {simulate_round, &truth};
    CU_ASSERT_EQUAL_FATAL(sy_iterate(experiment, directory, &player, &table, &error), SY_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "round 1: believed and measured values differ"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "believed and measured values agree"));
    char *path = sy_format("%s/%s", directory, SY_ROUNDS_FILE);
    CU_ASSERT_EQUAL_FATAL(sy_json_read_file(path, &doc, &error), SY_OK);
    const struct sy_json *rounds = sy_json_member(sy_json_root(doc), "rounds");
    CU_ASSERT_TRUE(sy_json_true(sy_json_member(sy_json_root(doc), "converged")));
    CU_ASSERT_TRUE(sy_json_count(rounds) >= 2);
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(sy_json_first(rounds), "seed")), "7");
    const struct sy_json *second = sy_json_next(sy_json_first(rounds));
    CU_ASSERT_STRING_EQUAL(sy_json_string(sy_json_member(second, "seed")), "8");
    const struct sy_json *pieces = sy_json_member(sy_json_member(second, "believed_and_measured"), "pieces");
    const struct sy_json *pawn = sy_json_first(pieces), *knight = sy_json_next(pawn);
    CU_ASSERT_DOUBLE_EQUAL(sy_json_number(sy_json_member(knight, "suggested")) /
                               sy_json_number(sy_json_member(pawn, "suggested")),
                           3, 0.7);
    sy_json_free(doc);
    free(path);
    free(table);
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    sy_experiment_free(experiment);
}

/* ---- looks ---- */

/* A look without play; the games that were taken over are drawn again, the same. */
static enum sy_status simulate_look(void *context, const struct sy_experiment *look, const char *directory,
                                    struct sy_error *error)
{
    char *log = sy_format("%s/games.jsonl", directory);
    remove(log);
    free(log);
    return simulate_round(context, look, directory, error);
}

/* Stops at the second of three looks when asked for a width that lies between those of the first two. */
static void test_looks(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"first-move\",\"variant\":\"chess\",\"seed\":7,\"games\":4000,\"nodes\":1,"
             "\"until\":{\"half_width\":0.04,\"looks\":[300,1200]},\"opening\":{\"plies\":2}}");
    char directory[] = "/tmp/steelyard-looks-XXXXXX";
    struct sy_truth truth;
    struct sy_error error = {""};
    struct sy_json_doc *doc = NULL;
    char *table = NULL;
    sy_truth_default(&experiment->arms[0], 0.35, &truth);
    CU_ASSERT_EQUAL(experiment->until.count, 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
    const struct sy_round_player player = {simulate_look, &truth};
    CU_ASSERT_EQUAL_FATAL(sy_until(experiment, directory, &player, &table, &error), SY_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "after 300 games: widest half width"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "after 1200 games: widest half width"));
    CU_ASSERT_PTR_NULL(strstr(table, "after 4000 games"));
    char *path = sy_format("%s/%s", directory, SY_LOOKS_FILE);
    CU_ASSERT_EQUAL_FATAL(sy_json_read_file(path, &doc, &error), SY_OK);
    CU_ASSERT_TRUE(sy_json_true(sy_json_member(sy_json_root(doc), "reached")));
    CU_ASSERT_EQUAL(sy_json_count(sy_json_member(sy_json_root(doc), "looks")), 2);
    sy_json_free(doc);
    free(path);
    path = sy_format("%s/look-2/summary.json", directory);
    CU_ASSERT_EQUAL_FATAL(sy_json_read_file(path, &doc, &error), SY_OK);
    const struct sy_json *fit =
        sy_json_member(sy_json_first(sy_json_member(sy_json_root(doc), "arms")), "fit");
    CU_ASSERT_DOUBLE_EQUAL(sy_json_number(sy_json_member(fit, "confidence")), 1 - 0.05 / 3, 1e-9);
    CU_ASSERT_EQUAL(sy_json_number(sy_json_member(fit, "games")), 1200);
    sy_json_free(doc);
    free(path);
    free(table);
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    sy_experiment_free(experiment);
}

void test_simulate_suite(void)
{
    CU_pSuite suite = CU_add_suite("simulate", NULL, NULL);
    CU_add_test(suite, "imbalance: planted values come back", test_imbalance);
    CU_add_test(suite, "parameters: planted values come back", test_parameters);
    CU_add_test(suite, "which believed values win", test_believing);
    CU_add_test(suite, "few values drawn, few games", test_few_drawn);
    CU_add_test(suite, "a linear trend", test_trend);
    CU_add_test(suite, "no trend where all boards are as full", test_no_trend);
    CU_add_test(suite, "bishops on three colours", test_three_colours);
    CU_add_test(suite, "models that are wrong on purpose", test_models);
    CU_add_test(suite, "coverage", test_coverage);
    CU_add_test(suite, "expected widths", test_power);
    CU_add_test(suite, "starts by a criterion", test_criteria);
    CU_add_test(suite, "inside the criterion starts are even", test_even_inside);
    CU_add_test(suite, "rounds", test_rounds);
    CU_add_test(suite, "looks", test_looks);
}
