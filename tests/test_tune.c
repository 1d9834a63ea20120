/* Tests of tuned evaluations: what the evaluation is made of, symmetries of boards, the fit (against R's glm,
 * by tests/reference/logit.R), and "evaluation" in variant files. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */

#include "steelyard/eval.h"
#include "steelyard/fen.h"
#include "steelyard/harness.h"
#include "steelyard/outcome.h"
#include "steelyard/search.h"
#include "steelyard/shipped.h"
#include "steelyard/stats_logit.h"
#include "steelyard/tune.h"

#include "random_position.h"

#include <CUnit/CUnit.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_tune_suite(void);

enum { TABLE = 1 << 16, TEST_STREAM = 0x74756e65 };

static const char small[] = "tests/data/minichess.json";

/* ---- variants and positions ---- */

static struct sy_variant *load_patched(const char *name, const struct sy_json *patch)
{
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    if (sy_variant_load(name, patch, &variant, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(variant);
    return variant;
}

static struct sy_variant *load(const char *name, const char *patch)
{
    struct sy_json_doc *doc = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_json_read("patch", patch, strlen(patch), &doc, NULL), SY_OK);
    struct sy_variant *variant = load_patched(name, sy_json_root(doc));
    sy_json_free(doc);
    return variant;
}

/* Between low and high, to two decimals: in whole units of the evaluation. */
static double draw(struct sy_random *random, double low, double high)
{
    return round((low + sy_random_unit(random) * (high - low)) * SY_PAWN) / SY_PAWN;
}

static void add_numbers(struct sy_json *piece, const char *key, size_t count, double most,
                        struct sy_random *random)
{
    static const char *const phases[] = {"full", "bare"};
    struct sy_json *object = sy_json_new_object();
    for (int phase = 0; phase < 2; phase++) {
        struct sy_json *numbers = sy_json_new_array();
        for (size_t i = 0; i < count; i++)
            sy_json_append(numbers, sy_json_new_number(draw(random, -most, most)));
        if (count > 1)
            sy_json_add(object, phases[phase], numbers);
        else
            sy_json_add_number(object, phases[phase], sy_json_number(sy_json_first(numbers)));
        if (count == 1)
            sy_json_delete(numbers);
    }
    sy_json_add(piece, key, object);
}

/* Large and without sense, so that whatever is counted wrongly shows. The last type has no tables. */
static struct sy_json *made_up_evaluation(const struct sy_variant *variant, struct sy_random *random)
{
    struct sy_json *evaluation = sy_json_new_object(), *engine = sy_json_new_object();
    struct sy_json *pieces = sy_json_new_object();
    for (unsigned i = SY_EVAL_MOBILITY; i <= SY_EVAL_TEMPO; i++) {
        const bool attack = i == SY_EVAL_ROYAL_ATTACK || i == SY_EVAL_ROYAL_ATTACK_BARE;
        const double most = attack ? 0.3 : 2;
        sy_json_add_number(engine, sy_param_info(i)->name,
                           i == SY_EVAL_TABLES ? 0.5 : draw(random, -most, most));
    }
    for (unsigned type = 0; type + 1 < variant->types; type++) {
        struct sy_json *piece = sy_json_new_object();
        add_numbers(piece, "placement", variant->cells, 4, random);
        add_numbers(piece, "passed", variant->cells, 4, random);
        add_numbers(piece, "mobility", 1, 2, random);
        add_numbers(piece, "pair", 1, 4, random);
        sy_json_add(pieces, variant->type[type].name, piece);
    }
    sy_json_add(evaluation, "engine", engine);
    sy_json_add(evaluation, "pieces", pieces);
    return evaluation;
}

/* The variant, patched, with a made-up evaluation instead of its own. */
static struct sy_variant *make_up(const char *name, const char *patch, struct sy_random *random)
{
    struct sy_variant *plain = load(name, patch);
    struct sy_json *without = sy_json_new_object(), *with = sy_json_new_object();
    sy_json_add(without, "evaluation", sy_json_new_null());
    sy_json_add(with, "evaluation", made_up_evaluation(plain, random));
    struct sy_json_doc *bare = sy_json_merge("made up", sy_json_root(plain->doc), without);
    struct sy_json_doc *doc = sy_json_merge("made up", sy_json_root(bare), with);
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    if (sy_variant_compile("made up", doc, &variant, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(variant);
    sy_json_free(bare);
    sy_json_delete(without);
    sy_json_delete(with);
    sy_variant_free(plain);
    return variant;
}

/* ---- what an evaluation is made of ---- */

struct tracing {
    const struct sy_variant *variant;
    struct sy_eval *eval;
    struct sy_view *view;
    struct sy_engine *engine;
    size_t terms;
    double *amount[2], *worth;
};

static double *worth_at(const struct tracing *t, enum sy_eval_term_kind kind, unsigned phase, unsigned index,
                        unsigned cell)
{
    return &t->worth[sy_eval_term(t->variant, kind, phase, index, cell)];
}

static void set_worth(const struct tracing *t)
{
    struct sy_params params;
    const struct sy_tuned *tuned = t->variant->tuned;
    sy_params_default(t->variant, &params);
    const double weight = params.other[SY_EVAL_TABLES];
    for (unsigned i = 0; i < t->variant->materials; i++)
        *worth_at(t, SY_TERM_VALUE, 0, i, 0) = params.value[i];
    for (unsigned i = 0; i < SY_PARAM_COUNT; i++)
        *worth_at(t, SY_TERM_PARAM, 0, i, 0) = params.other[i];
    for (unsigned type = 0; tuned && type < t->variant->types; type++)
        for (unsigned phase = 0; phase < 2; phase++) {
            *worth_at(t, SY_TERM_MOBILITY, phase, type, 0) = weight * tuned->mobility[phase][type];
            *worth_at(t, SY_TERM_PAIR, phase, type, 0) = weight * tuned->pair[phase][type];
            for (unsigned cell = 0; cell < t->variant->cells; cell++) {
                *worth_at(t, SY_TERM_PLACEMENT, phase, type, cell) =
                    weight * tuned->placement[phase][type][cell];
                *worth_at(t, SY_TERM_PASSED, phase, type, cell) = weight * tuned->passed[phase][type][cell];
            }
        }
}

static struct tracing tracing_of(const struct sy_variant *variant)
{
    const size_t terms = sy_eval_term(variant, SY_TERM_COUNT, 0, 0, 0);
    const struct tracing t = {.variant = variant,
                              .eval = sy_eval_create(variant),
                              .view = sy_views_create(1),
                              .engine = sy_engine_create(variant, TABLE),
                              .terms = terms,
                              .amount = {sy_alloc(terms, sizeof(double)), sy_alloc(terms, sizeof(double))},
                              .worth = sy_alloc(terms, sizeof(double))};
    set_worth(&t);
    return t;
}

static void clear_tracing(struct tracing *t)
{
    free(t->eval);
    free(t->view);
    sy_engine_free(t->engine);
    free(t->amount[SY_WHITE]);
    free(t->amount[SY_BLACK]);
    free(t->worth);
}

/* The evaluation by its terms less that of the engine, White's view; *most: how far rounding may take it. */
static double trace_error(const struct tracing *t, const struct sy_position *position, double *most)
{
    const double evaluated = sy_engine_evaluate(t->engine, position);
    double sum = 0, passed = 0, counted = 0;
    sy_view_open(t->view, position, NULL);
    sy_eval_trace(t->eval, position, t->view, (double *[]){t->amount[SY_WHITE], t->amount[SY_BLACK]});
    for (size_t i = 0; i < t->terms; i++)
        sum += (t->amount[SY_WHITE][i] - t->amount[SY_BLACK][i]) * t->worth[i];
    for (unsigned i = SY_EVAL_SUPPORT; i <= SY_EVAL_HANGING_OFFICER_BARE; i++) {
        const size_t term = sy_eval_term(t->variant, SY_TERM_PARAM, 0, i, 0);
        const bool attack = i == SY_EVAL_ROYAL_ATTACK || i == SY_EVAL_ROYAL_ATTACK_BARE;
        /* Parameters are rounded to whole units, and then taken so many times. */
        const double inexact = fabs(t->worth[term] * SY_PAWN - round(t->worth[term] * SY_PAWN));
        counted += inexact * fabs(t->amount[SY_WHITE][term] - t->amount[SY_BLACK][term]) / (attack ? 16 : 1);
    }
    for (size_t i = sy_eval_term(t->variant, SY_TERM_PASSED, 0, 0, 0); i < t->terms; i++)
        passed += t->amount[SY_WHITE][i] + t->amount[SY_BLACK][i];
    /* Half a unit for a piece's cell and for its mobility, for a passed pawn's own worth, its being blocked
     * and free, and each of up to SY_FAR steps of two royals, and for the pairs; a unit for each of three
     * divisions.
     */
    *most = (sy_count(sy_occupied(position)) + passed * (1.5 + SY_FAR) + counted + 0.5 * t->variant->types +
             3.5) /
            SY_PAWN;
    CU_ASSERT(fabs(sum) < 0.9 * SY_EVAL_MAX / SY_PAWN);
    return sum - (position->to_move == SY_WHITE ? evaluated : -evaluated);
}

/* What is rounded goes up as often as down, so that most errors are a small part of the greatest. */
static void check_trace(const struct sy_variant *variant, struct sy_random *random)
{
    enum { POSITIONS = 200 };
    struct tracing t = tracing_of(variant);
    double squares = 0;
    for (unsigned i = 0; i < POSITIONS; i++) {
        const struct sy_position position = random_position(variant, random, 150);
        double most;
        const double error = trace_error(&t, &position, &most);
        squares += error * error;
        CU_ASSERT(fabs(error) <= most);
    }
    const double typical = sqrt(squares / POSITIONS);
    if (typical >= 0.06)
        printf("    %s: %.4f pawns\n", variant->name, typical);
    CU_ASSERT(typical < 0.06);
    clear_tracing(&t);
}

static void test_terms_make_the_evaluation(void)
{
    for (size_t i = 0; i < sy_shipped_variant_count; i++) {
        struct sy_random random = sy_random_stream(1, i, TEST_STREAM);
        struct sy_variant *variant = load(sy_shipped_variants[i].name, "{}");
        check_trace(variant, &random);
        sy_variant_free(variant);
        variant = make_up(sy_shipped_variants[i].name, "{}", &random);
        check_trace(variant, &random);
        sy_variant_free(variant);
    }
}

/* White promotes sooner, and its knights go farther from their first two ranks. */
static const char unequal[] =
    "{\"zones\": {\"last rank\": {\"white\": [\"?6\", \"?7\", \"?8\"], \"black\": [\"?1\"]},"
    " \"near\": {\"white\": [\"?1\", \"?2\"], \"black\": [\"a8\"]}},"
    " \"pieces\": {\"knight\": {\"moves\": [{\"leap\": {\"along\": \"orthogonal\", \"by\": 2, \"then\": 1, "
    "\"turn\": 1}}, {\"step\": [\"orthogonal\", \"diagonal\"], \"from\": \"near\"}]}}}";

static void test_terms_of_unequal_sides(void)
{
    struct sy_random random = sy_random_stream(2, 0, TEST_STREAM);
    struct sy_variant *variant = make_up("chess", unequal, &random);
    struct sy_eval *eval = sy_eval_create(variant);
    CU_ASSERT_FALSE(eval->symmetric);
    free(eval);
    check_trace(variant, &random);
    sy_variant_free(variant);
}

static void check_sum_after(const struct sy_eval *eval, const struct sy_position *position, sy_move move)
{
    const struct sy_eval_sum before = sy_eval_sum_of(eval, position);
    const struct sy_eval_sum kept = sy_eval_sum_after(eval, position, &before, move);
    struct sy_position after = *position;
    struct sy_undo undo;
    sy_make(&after, move, &undo);
    const struct sy_eval_sum fresh = sy_eval_sum_of(eval, &after);
    CU_ASSERT(kept.key == fresh.key && kept.full == fresh.full && kept.bare == fresh.bare &&
              kept.officers == fresh.officers);
}

static void test_made_up_evaluations(void)
{
    for (size_t i = 0; i < sy_shipped_variant_count; i++) {
        struct sy_random random = sy_random_stream(3, i, TEST_STREAM);
        struct sy_variant *variant = make_up(sy_shipped_variants[i].name, "{}", &random);
        struct sy_engine *engine = sy_engine_create(variant, TABLE);
        struct sy_eval *eval = sy_eval_create(variant);
        CU_ASSERT(eval->symmetric);
        for (unsigned n = 0; n < 40; n++) {
            const struct sy_position position = random_position(variant, &random, 120);
            struct sy_position mirror;
            sy_move moves[SY_MAX_MOVES];
            sy_position_mirror(&position, &mirror);
            CU_ASSERT_EQUAL(sy_engine_evaluate(engine, &position), sy_engine_evaluate(engine, &mirror));
            const unsigned count = sy_generate(&position, moves);
            for (unsigned k = 0; k < count; k++)
                check_sum_after(eval, &position, moves[k]);
        }
        free(eval);
        sy_engine_free(engine);
        sy_variant_free(variant);
    }
}

/* ---- symmetries ---- */

static unsigned count_orbits(const struct sy_variant *variant, const uint8_t orbit[SY_MAX_CELLS])
{
    unsigned count = 0;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        CU_ASSERT(orbit[cell] <= cell && orbit[orbit[cell]] == orbit[cell]);
        count += orbit[cell] == cell;
    }
    return count;
}

/* The cell of the same rank in the file as far from the other edge. */
static unsigned left_right(const struct sy_variant *variant, const char *files, unsigned cell)
{
    const char *name = variant->board->name[cell];
    char mirrored[SY_CELL_NAME];
    snprintf(mirrored, sizeof mirrored, "%s", name);
    mirrored[0] = files[strlen(files) - 1 - (size_t)(strchr(files, name[0]) - files)];
    return sy_board_cell(variant->board, mirrored, strlen(mirrored));
}

static void check_left_right(const char *name, const char *files, unsigned expected)
{
    struct sy_variant *variant = load(name, "{}");
    uint8_t orbit[SY_MAX_CELLS];
    sy_tune_orbits(variant, orbit);
    CU_ASSERT_EQUAL(count_orbits(variant, orbit), expected);
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const unsigned image = left_right(variant, files, cell);
        CU_ASSERT_EQUAL(orbit[cell], image < cell ? image : cell);
    }
    sy_variant_free(variant);
}

static void test_orbits_left_and_right(void)
{
    check_left_right("chess", "abcdefgh", 32);
    check_left_right("glinski", "abcdefghikl", 51);
    check_left_right(small, "abcde", 15);
}

static void test_orbits_without_symmetry(void)
{
    struct sy_variant *variant = load("chess", "{\"zones\": {\"pawn start\": {\"white\": [\"b2\"]}}}");
    uint8_t orbit[SY_MAX_CELLS];
    sy_tune_orbits(variant, orbit);
    CU_ASSERT_EQUAL(count_orbits(variant, orbit), 64);
    sy_variant_free(variant);
}

/* Without pawns all eight symmetries of the square are left: as many orbits as cells in an eighth of it. */
static void test_orbits_of_all_symmetries(void)
{
    struct sy_variant *variant = load(
        "chess", "{\"pieces\": {\"pawn\": null}, \"unit\": \"knight\", \"suggested\": null, \"values\": null,"
                 " \"evaluation\": null, \"start\": \"rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1\"}");
    uint8_t orbit[SY_MAX_CELLS];
    sy_tune_orbits(variant, orbit);
    CU_ASSERT_EQUAL(count_orbits(variant, orbit), 10);
    sy_variant_free(variant);
}

static void test_orbits_have_the_same_reach(void)
{
    for (size_t i = 0; i < sy_shipped_variant_count; i++) {
        struct sy_variant *variant = load(sy_shipped_variants[i].name, "{}");
        uint8_t orbit[SY_MAX_CELLS];
        sy_tune_orbits(variant, orbit);
        /* Pawns that run round the board, each kind to a goal of its own, tell all cells apart. */
        const bool all_apart = strcmp(variant->name, "sunflower") == 0;
        CU_ASSERT_EQUAL(count_orbits(variant, orbit) == variant->cells, all_apart);
        for (unsigned cell = 0; cell < variant->cells; cell++)
            for (unsigned piece = 0; piece < 2 * variant->types; piece++) {
                const sy_set zone = variant->piece[piece].promotion_zone;
                CU_ASSERT_EQUAL(sy_has(zone, cell), sy_has(zone, orbit[cell]));
                CU_ASSERT_EQUAL(sy_count(sy_variant_empty_reach(variant, piece, cell)),
                                sy_count(sy_variant_empty_reach(variant, piece, orbit[cell])));
            }
        sy_variant_free(variant);
    }
}

/* ---- the fit ---- */

enum { ROWS = 120, COLUMNS = 3 };

struct rows {
    struct sy_logit_row row[ROWS];
    struct sy_logit_term term[ROWS * COLUMNS];
    double spread[COLUMNS];
    struct sy_logit_data data;
};

static FILE *open_reference(const char *kind)
{
    char path[64], line[100];
    snprintf(path, sizeof path, "tests/reference/logit_%s.csv", kind);
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, file));
    return file;
}

/* What is 0 is left out: rows are sparse. */
static void read_rows(struct rows *rows, double spread)
{
    FILE *file = open_reference("data");
    size_t count = 0, terms = 0;
    for (char line[200]; fgets(line, sizeof line, file); count++) {
        char *at = line;
        CU_ASSERT_FATAL(count < ROWS);
        struct sy_logit_row *row = &rows->row[count];
        row->y = strtod(at, &at);
        row->weight = strtod(at + 1, &at);
        row->offset = strtod(at + 1, &at);
        row->first = terms;
        for (uint16_t j = 0; j < COLUMNS; j++) {
            const float amount = strtof(at + 1, &at);
            if (fabsf(amount) > 0)
                rows->term[terms++] = (struct sy_logit_term){j, amount};
        }
        row->terms = terms - row->first;
    }
    fclose(file);
    CU_ASSERT_EQUAL_FATAL(count, ROWS);
    for (size_t j = 0; j < COLUMNS; j++)
        rows->spread[j] = spread;
    rows->data = (struct sy_logit_data){.rows = ROWS,
                                        .columns = COLUMNS,
                                        .row = rows->row,
                                        .term = rows->term,
                                        .offset_scale = 0.6,
                                        .spread = rows->spread};
}

/* glm's estimates, the constant's first, and the loss. The prior is too wide to matter. */
static void test_fit_agrees_with_glm(void)
{
    struct rows rows;
    double constant, b[COLUMNS], expected[COLUMNS + 2];
    size_t count = 0;
    FILE *file = open_reference("fit");
    for (char line[100]; count < COLUMNS + 2 && fgets(line, sizeof line, file); count++)
        expected[count] = strtod(strchr(line, ',') + 1, NULL);
    fclose(file);
    CU_ASSERT_EQUAL_FATAL(count, COLUMNS + 2);
    read_rows(&rows, 1e6);
    CU_ASSERT_EQUAL_FATAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_OK);
    CU_ASSERT_DOUBLE_EQUAL(constant, expected[0], 1e-6);
    for (size_t j = 0; j < COLUMNS; j++)
        CU_ASSERT_DOUBLE_EQUAL(b[j], expected[1 + j], 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(sy_logit_loss(&rows.data, constant, b), expected[COLUMNS + 1], 1e-7);
}

/* Of the log posterior by the constant, then by each column. */
static void gradient_of(const struct sy_logit_data *data, double constant, const double *b, double *gradient)
{
    gradient[0] = 0;
    for (size_t j = 0; j < data->columns; j++)
        gradient[1 + j] = -b[j] / (data->spread[j] * data->spread[j]);
    for (size_t i = 0; i < data->rows; i++) {
        const struct sy_logit_row *row = &data->row[i];
        double eta = constant + data->offset_scale * row->offset;
        for (size_t k = row->first; k < row->first + row->terms; k++)
            eta += data->term[k].amount * b[data->term[k].column];
        const double slope = row->weight * (row->y - 1 / (1 + exp(-eta)));
        gradient[0] += slope;
        for (size_t k = row->first; k < row->first + row->terms; k++)
            gradient[1 + data->term[k].column] += slope * data->term[k].amount;
    }
}

static void test_fit_with_a_prior(void)
{
    struct rows rows;
    double constant, b[COLUMNS], wide[COLUMNS], gradient[COLUMNS + 1];
    read_rows(&rows, 1e6);
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, wide), SY_STAT_OK);
    rows.spread[0] = 0.1;
    rows.spread[1] = 1e-4;
    rows.spread[2] = 0.5;
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_OK);
    gradient_of(&rows.data, constant, b, gradient);
    CU_ASSERT_DOUBLE_EQUAL(gradient[0], 0, 1e-6);
    for (size_t j = 0; j < COLUMNS; j++) {
        /* A narrow prior has a steep gradient: its own is measured in its spread. */
        CU_ASSERT_DOUBLE_EQUAL(gradient[1 + j] * fmin(1, rows.spread[j]), 0, 1e-6);
        CU_ASSERT(fabs(b[j]) < fabs(wide[j]));
    }
    CU_ASSERT(fabs(b[1]) < 1e-5);
}

/* Columns tied closely are as good as one; tied loosely they stand where the gradient is zero. */
static void test_fit_with_ties(void)
{
    struct rows rows;
    double constant, b[COLUMNS], gradient[COLUMNS + 1];
    struct sy_logit_tie tie = {0, 1, 1e-5};
    read_rows(&rows, 1);
    rows.data.ties = 1;
    rows.data.tie = &tie;
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_OK);
    CU_ASSERT_DOUBLE_EQUAL(b[0], b[1], 1e-6);
    CU_ASSERT(fabs(b[2] - b[0]) > 0.1);
    tie = (struct sy_logit_tie){1, 0, 0.2};
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_OK);
    gradient_of(&rows.data, constant, b, gradient);
    const double pull = (b[0] - b[1]) / (tie.spread * tie.spread);
    CU_ASSERT(fabs(pull) > 1);
    CU_ASSERT_DOUBLE_EQUAL(gradient[0], 0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(gradient[1], pull, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(gradient[2], -pull, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(gradient[3], 0, 1e-6);
}

/* A row of weight 2 is two rows; an offset is taken times the scale. */
static void test_fit_weights_and_scales(void)
{
    struct rows rows;
    double constant[2], b[2][COLUMNS];
    struct sy_logit_row twice[2 * ROWS];
    read_rows(&rows, 0.7);
    for (size_t i = 0; i < ROWS; i++) {
        twice[2 * i] = rows.row[i];
        twice[2 * i].weight /= 2;
        twice[2 * i].offset *= 0.6;
        twice[2 * i + 1] = twice[2 * i];
    }
    struct sy_logit_data data = rows.data;
    data.row = twice;
    data.rows = 2 * ROWS;
    data.offset_scale = 1;
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant[0], b[0]), SY_STAT_OK);
    CU_ASSERT_EQUAL(sy_logit_fit(&data, &constant[1], b[1]), SY_STAT_OK);
    CU_ASSERT_DOUBLE_EQUAL(constant[0], constant[1], 1e-7);
    for (size_t j = 0; j < COLUMNS; j++)
        CU_ASSERT_DOUBLE_EQUAL(b[0][j], b[1][j], 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(sy_logit_loss(&rows.data, constant[0], b[0]),
                           sy_logit_loss(&data, constant[0], b[0]), 1e-12);
}

static void test_fit_of_little(void)
{
    struct rows rows;
    double constant = 1, b[COLUMNS] = {1, 1, 1}, gradient[COLUMNS + 1];
    read_rows(&rows, 2);
    rows.data.rows = 0;
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_TOO_FEW);
    CU_ASSERT_EQUAL(constant, 0);
    for (size_t j = 0; j < COLUMNS; j++)
        CU_ASSERT_EQUAL(b[j], 0);
    CU_ASSERT_EQUAL(sy_logit_loss(&rows.data, constant, b), 0);
    /* The first column tells every result: without a prior it would be infinite. */
    rows.data.rows = ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        const struct sy_logit_term *first = &rows.term[rows.row[i].first];
        rows.row[i].offset = 0;
        rows.row[i].y = first->column == 0 && first->amount > 0;
    }
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_OK);
    CU_ASSERT(isfinite(constant) && b[0] > 2 && b[0] < 20);
    gradient_of(&rows.data, constant, b, gradient);
    for (size_t j = 0; j <= COLUMNS; j++)
        CU_ASSERT_DOUBLE_EQUAL(gradient[j], 0, 1e-5);
    /* Every result the same: the constant, which has no prior, must still be a number. */
    for (size_t i = 0; i < ROWS; i++)
        rows.row[i].y = 1;
    CU_ASSERT_EQUAL(sy_logit_fit(&rows.data, &constant, b), SY_STAT_OK);
    CU_ASSERT(isfinite(constant) && constant > 5);
    CU_ASSERT(sy_logit_loss(&rows.data, constant, b) < 1e-4);
}

/* ---- "evaluation" in files ---- */

/* The small game's file with that "evaluation" in its last line. */
static enum sy_status compile_with(const char *evaluation, struct sy_error *error)
{
    char *text = NULL;
    size_t length;
    struct sy_json_doc *doc = NULL;
    struct sy_variant *variant = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_read_file(small, &text, &length, NULL), SY_OK);
    *strrchr(text, '}') = '\0';
    char *whole = sy_format("%s, \"evaluation\": %s}", text, evaluation);
    free(text);
    CU_ASSERT_EQUAL_FATAL(sy_json_read("small.json", whole, strlen(whole), &doc, error), SY_OK);
    free(whole);
    const enum sy_status status = sy_variant_compile("small", doc, &variant, error);
    if (status == SY_OK)
        sy_variant_free(variant);
    return status;
}

static void test_evaluations_that_are_refused(void)
{
    static const struct {
        const char *evaluation, *path, *words;
    } bad[] = {
        {"[]", "$.evaluation", "object"},
        {"{\"engines\": {}}", "$.evaluation.engines", "did you mean 'engine'?"},
        {"{\"engine\": 3}", "$.evaluation.engine", "object"},
        {"{\"engine\": {\"eval.mobilty\": 1}}", "$.evaluation.engine", "did you mean 'eval.mobility'?"},
        {"{\"engine\": {\"eval.mobility\": 11}}", "$.evaluation.engine", "from -10 to 10"},
        {"{\"engine\": {\"eval.tables\": -1}}", "$.evaluation.engine", "from 0 to 10"},
        {"{\"engine\": {\"value.queen\": 9}}", "$.evaluation.engine", "piece values stand in \"values\""},
        {"{\"pieces\": {\"dragon\": {}}}", "$.evaluation.pieces.dragon", "no piece called 'dragon'"},
        {"{\"pieces\": {\"rook\": []}}", "$.evaluation.pieces.rook", "object"},
        {"{\"pieces\": {\"rook\": {\"place\": {}}}}", "$.evaluation.pieces.rook.place", "unknown key"},
        {"{\"pieces\": {\"rook\": {\"pair\": {\"full\": 1}}}}", "$.evaluation.pieces.rook.pair", "bare"},
        {"{\"pieces\": {\"rook\": {\"pair\": {\"full\": 51, \"bare\": 0}}}}",
         "$.evaluation.pieces.rook.pair.full", "from -50 to 50"},
        {"{\"pieces\": {\"rook\": {\"pair\": {\"full\": 1, \"bare\": 0, \"some\": 0}}}}",
         "$.evaluation.pieces.rook.pair.some", "unknown key"},
        {"{\"pieces\": {\"rook\": {\"placement\": {\"full\": [1, 2], \"bare\": []}}}}",
         "$.evaluation.pieces.rook.placement.full", "has 2 numbers, not 25"},
        {"{\"pieces\": {\"rook\": {\"passed\": {\"full\": "
         "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-51,0],"
         " \"bare\": []}}}}",
         "$.evaluation.pieces.rook.passed.full[23]", "from -50 to 50"},
        {"{\"pieces\": {\"rook\": {\"passed\": {\"full\": "
         "[0,\"one\",0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
         "0], \"bare\": []}}}}",
         "$.evaluation.pieces.rook.passed.full[1]", "must be a number"},
    };
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(compile_with("{\"engine\": {}, \"pieces\": {}}", &error), SY_OK);
    CU_ASSERT_EQUAL(compile_with("{}", &error), SY_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(compile_with(bad[i].evaluation, &error), SY_BAD_INPUT);
        const bool clear = strncmp(error.message, "small.json:", strlen("small.json:")) == 0 &&
                           strstr(error.message, bad[i].path) && strstr(error.message, bad[i].words) &&
                           !strchr(error.message, '\n');
        if (!clear)
            printf("    %s\n", error.message);
        CU_ASSERT(clear);
    }
}

static void test_evaluation_can_be_taken_out(void)
{
    struct sy_variant *variant = load("chess", "{\"evaluation\": null}");
    struct sy_params params;
    CU_ASSERT_PTR_NULL(variant->tuned);
    sy_params_default(variant, &params);
    for (size_t i = 0; i < sy_param_count(); i++)
        CU_ASSERT_EQUAL(params.other[i], sy_param_info(i)->fallback);
    sy_variant_free(variant);
}

static void test_own_defaults(void)
{
    static const char text[] =
        "{\"design\": \"parameters\", \"games\": 2, \"nodes\": 1, \"seed\": 1, \"variant\": "
        "\"chess\", \"engine\": {\"eval.mobility\": 0.5}, \"randomise\": {\"value.queen\": {\"factor\": "
        "[0.5, 2]}}}";
    static const char changed[] = "{\"evaluation\": {\"engine\": {\"eval.mobility\": 0.25, "
                                  "\"search.decided\": 7, \"eval.shelter\": null}}}";
    struct sy_variant *variant = load("chess", changed);
    struct sy_params params;
    sy_params_default(variant, &params);
    CU_ASSERT_EQUAL(params.other[SY_EVAL_MOBILITY], 0.25);
    CU_ASSERT_EQUAL(params.other[SY_SEARCH_DECIDED], 7);
    CU_ASSERT_EQUAL(params.other[SY_EVAL_SHELTER], sy_param_info(SY_EVAL_SHELTER)->fallback);
    sy_variant_free(variant);
    variant = load("chess", "{}");
    sy_params_default(variant, &params);
    struct sy_json_doc *doc = NULL;
    struct sy_experiment *experiment = NULL;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_json_read("test.json", text, strlen(text), &doc, &error), SY_OK);
    if (sy_experiment_create(doc, 0, &experiment, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(experiment);
    for (unsigned i = 0; i < SY_PARAM_COUNT; i++)
        CU_ASSERT_EQUAL(experiment->arms[0].params.other[i], i == SY_EVAL_MOBILITY ? 0.5 : params.other[i]);
    sy_experiment_free(experiment);
    sy_variant_free(variant);
}

/* With a weight of 0 the tables are as good as not there; with the file's own they tell. */
static void test_tables_have_a_weight(void)
{
    struct sy_random random = sy_random_stream(4, 0, TEST_STREAM);
    struct sy_variant *tuned = load("chess", "{}");
    struct sy_variant *bare = load("chess", "{\"evaluation\": {\"pieces\": null}}");
    struct sy_engine *with = sy_engine_create(tuned, TABLE), *weightless = sy_engine_create(tuned, TABLE);
    struct sy_engine *without = sy_engine_create(bare, TABLE);
    struct sy_params params;
    sy_params_default(tuned, &params);
    params.other[SY_EVAL_TABLES] = 0;
    sy_engine_set_params(weightless, &params);
    unsigned differ = 0;
    for (unsigned i = 0; i < 50; i++) {
        struct sy_position position = random_position(tuned, &random, 80);
        const double evaluated = sy_engine_evaluate(weightless, &position);
        differ += fabs(sy_engine_evaluate(with, &position) - evaluated) > 0.05;
        position.variant = bare;
        CU_ASSERT_EQUAL(evaluated, sy_engine_evaluate(without, &position));
    }
    CU_ASSERT(differ > 25);
    sy_engine_free(with);
    sy_engine_free(weightless);
    sy_engine_free(without);
    sy_variant_free(tuned);
    sy_variant_free(bare);
}

/* ---- tuning by games ---- */

static char root[] = "/tmp/steelyard-tune-XXXXXX";

/* root/name, valid until the next call. */
static const char *in_root(const char *name)
{
    static char path[sizeof root + 32];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void play(const char *name, unsigned games)
{
    char *text = sy_format("{\"design\": \"imbalance\", \"variant\": \"%s\", \"seed\": 5, \"games\": %u,"
                           "\"nodes\": 30, \"imbalance\": {\"remove\": [0, 2], \"limit\": 4},"
                           "\"opening\": {\"plies\": [2, 6]}, \"engine\": {\"eval.noise\": 0.3},"
                           "\"adjudicate\": {\"plies\": 80}}",
                           small, games);
    struct sy_json_doc *doc = NULL;
    struct sy_experiment *experiment = NULL;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL_FATAL(sy_json_read("test.json", text, strlen(text), &doc, &error), SY_OK);
    CU_ASSERT_EQUAL_FATAL(sy_experiment_create(doc, 0, &experiment, &error), SY_OK);
    const struct sy_run_options options = {.directory = in_root(name), .threads = 2, .shard = {0, 1}};
    if (sy_run_games(experiment, &options, NULL, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_EQUAL(error.message[0], '\0');
    sy_experiment_free(experiment);
    free(text);
}

static int set_up(void)
{
    return mkdtemp(root) == NULL;
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
    return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The document has what the caller must delete. */
static enum sy_status tune(const struct sy_variant *variant, const char *directory, struct sy_tuning *tuning,
                           struct sy_error *error)
{
    struct sy_params params;
    sy_params_default(variant, &params);
    struct sy_tune *fitted = sy_tune_create(variant, &params, 1);
    enum sy_status status = sy_tune_add(fitted, in_root(directory), error);
    if (status == SY_OK)
        status = sy_tune_fit(fitted, tuning, error);
    sy_tune_free(fitted);
    return status;
}

static struct sy_tuning must_tune(const struct sy_variant *variant, const char *directory)
{
    struct sy_tuning tuning = {0};
    struct sy_error error = {""};
    if (tune(variant, directory, &tuning, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tuning.document);
    return tuning;
}

static struct sy_variant *compile(const struct sy_json *document)
{
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    struct sy_json *nothing = sy_json_new_object();
    if (sy_variant_compile("tuned", sy_json_merge("tuned", document, nothing), &variant, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(variant);
    sy_json_delete(nothing);
    return variant;
}

static void test_tuning(void)
{
    play("games", 400);
    struct sy_variant *variant = load(small, "{}");
    struct sy_tuning once = must_tune(variant, "games"), twice = must_tune(variant, "games");
    char *text = sy_json_text(once.document, true), *again = sy_json_text(twice.document, true);
    CU_ASSERT_STRING_EQUAL(text, again);
    CU_ASSERT(once.games > 200 && once.games < 400 && once.positions > 2 * once.games);
    CU_ASSERT(once.positions <= 12 * once.games);
    CU_ASSERT(once.scale > 0 && once.after <= once.before && once.before < 0.8);
    struct sy_variant *tuned = compile(once.document);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tuned->tuned);
    CU_ASSERT(tuned->believed_given);
    /* The document says what was fitted: what comes of the same games is hardly more. */
    struct sy_tuning further = must_tune(tuned, "games");
    CU_ASSERT(further.before < once.before);
    free(text);
    free(again);
    sy_json_delete(once.document);
    sy_json_delete(twice.document);
    sy_json_delete(further.document);
    sy_variant_free(tuned);
    sy_variant_free(variant);
}

/* Tables that count for nothing are where a fit without them starts too, and they are replaced by what is
 * found, which counts in full. */
static void test_tuning_what_was_tuned(void)
{
    struct sy_random random = sy_random_stream(5, 0, TEST_STREAM);
    struct sy_variant *plain = load(small, "{}");
    struct sy_json *patch = sy_json_new_object(), *evaluation = sy_json_new_object();
    struct sy_json *engine = sy_json_new_object(), *pieces = sy_json_new_object();
    struct sy_json *queen = sy_json_new_object();
    add_numbers(queen, "pair", 1, 5, &random);
    add_numbers(queen, "passed", 25, 0.5, &random);
    sy_json_add(pieces, "queen", queen);
    sy_json_add_number(engine, "eval.tables", 0);
    sy_json_add(evaluation, "engine", engine);
    sy_json_add(evaluation, "pieces", pieces);
    sy_json_add(patch, "evaluation", evaluation);
    struct sy_json_doc *doc = sy_json_merge("weightless", sy_json_root(plain->doc), patch);
    struct sy_variant *weightless = NULL;
    CU_ASSERT_EQUAL_FATAL(sy_variant_compile("minichess", doc, &weightless, NULL), SY_OK);
    struct sy_tuning expected = must_tune(plain, "games"), found = must_tune(weightless, "games");
    CU_ASSERT_DOUBLE_EQUAL(found.after, expected.after, 1e-12);
    struct sy_variant *one = compile(expected.document), *two = compile(found.document);
    CU_ASSERT_EQUAL(memcmp(one->tuned->pair, two->tuned->pair, sizeof one->tuned->pair), 0);
    CU_ASSERT_EQUAL(memcmp(one->tuned->mobility, two->tuned->mobility, sizeof one->tuned->mobility), 0);
    CU_ASSERT_EQUAL(memcmp(one->tuned->passed, two->tuned->passed, sizeof one->tuned->passed), 0);
    CU_ASSERT_EQUAL(memcmp(one->tuned->placement, two->tuned->placement, sizeof one->tuned->placement), 0);
    struct sy_params params[2];
    sy_params_default(one, &params[0]);
    sy_params_default(two, &params[1]);
    CU_ASSERT_EQUAL(memcmp(&params[0], &params[1], sizeof params[0]), 0);
    sy_variant_free(one);
    sy_variant_free(two);
    sy_json_delete(expected.document);
    sy_json_delete(found.document);
    sy_json_delete(patch);
    sy_variant_free(weightless);
    sy_variant_free(plain);
}

static void test_tuning_refused(void)
{
    struct sy_tuning tuning = {0};
    struct sy_error error = {""};
    struct sy_variant *variant = load(small, "{}");
    play("few", 20);
    CU_ASSERT_EQUAL(tune(variant, "few", &tuning, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "too few"));
    CU_ASSERT_EQUAL(tune(variant, "none", &tuning, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, in_root("none")));
    sy_variant_free(variant);
    /* Other values and another title are the same game; another piece is not. */
    variant = load(small, "{\"title\": \"Gardner\", \"values\": {\"queen\": 8}}");
    CU_ASSERT_EQUAL(tune(variant, "few", &tuning, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "too few"));
    sy_variant_free(variant);
    variant = load(small, "{\"pieces\": {\"bishop\": {\"moves\": [{\"step\": \"diagonal\"}]}}}");
    CU_ASSERT_EQUAL(tune(variant, "few", &tuning, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, in_root("few")));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no game there is of minichess"));
    CU_ASSERT_PTR_NULL(tuning.document);
    sy_variant_free(variant);
}

void test_tune_suite(void)
{
    CU_pSuite suite = CU_add_suite("tune", set_up, clean_up);
    CU_add_test(suite, "terms make the evaluation", test_terms_make_the_evaluation);
    CU_add_test(suite, "terms of unequal sides", test_terms_of_unequal_sides);
    CU_add_test(suite, "made-up evaluations: mirrors and sums", test_made_up_evaluations);
    CU_add_test(suite, "orbits: left and right", test_orbits_left_and_right);
    CU_add_test(suite, "orbits: no symmetry", test_orbits_without_symmetry);
    CU_add_test(suite, "orbits: all symmetries of a square", test_orbits_of_all_symmetries);
    CU_add_test(suite, "orbits: the same reach", test_orbits_have_the_same_reach);
    CU_add_test(suite, "fit: as R's glm", test_fit_agrees_with_glm);
    CU_add_test(suite, "fit: a prior", test_fit_with_a_prior);
    CU_add_test(suite, "fit: ties", test_fit_with_ties);
    CU_add_test(suite, "fit: weights and scales", test_fit_weights_and_scales);
    CU_add_test(suite, "fit: no rows, separated rows", test_fit_of_little);
    CU_add_test(suite, "evaluation: refused", test_evaluations_that_are_refused);
    CU_add_test(suite, "evaluation: taken out", test_evaluation_can_be_taken_out);
    CU_add_test(suite, "evaluation: a game's own defaults", test_own_defaults);
    CU_add_test(suite, "evaluation: the weight of tables", test_tables_have_a_weight);
    CU_add_test(suite, "tuning", test_tuning);
    CU_add_test(suite, "tuning what was tuned", test_tuning_what_was_tuned);
    CU_add_test(suite, "tuning: refused", test_tuning_refused);
}
