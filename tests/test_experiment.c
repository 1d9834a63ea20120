/* Tests of experiment files and of what games draw from them. */
#include "steelyard/game.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"
#include "steelyard/player.h"
#include "steelyard/search.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_experiment_suite(void);

/* ---- reading ---- */

static enum sy_status create(const char *text, struct sy_experiment **out, struct sy_error *error)
{
    struct sy_json_doc *doc;
    enum sy_status status = sy_json_read("test.json", text, strlen(text), &doc, error);
    return status == SY_OK ? sy_experiment_create(doc, 0, out, error) : status;
}

/* An experiment that must be sound; the message of one that is not is shown. */
static struct sy_experiment *need(const char *text)
{
    struct sy_experiment *experiment = NULL;
    struct sy_error error = {""};
    if (create(text, &experiment, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(experiment);
    return experiment;
}

static const char imbalance[] =
    "{\"design\":\"imbalance\",\"variants\":[\"chess\",{\"label\":\"round\",\"variant\":\"sunflower\"}],"
    "\"seed\":5,\"games\":40,\"nodes\":50,\"imbalance\":{\"remove\":[0,3],\"exchange\":[0,2],\"limit\":6},"
    "\"opening\":{\"plies\":[1,5]}}";
static const char parameters[] =
    "{\"title\":\"T\",\"design\":\"parameters\",\"variant\":\"panal\",\"seed\":\"18446744073709551615\","
    "\"games\":40,\"depth\":2,\"hash\":128,\"engine\":{\"eval.tempo\":0.5},"
    "\"randomise\":{\"value.*\":{\"factor\":[0.5,2]},\"value.gunne\":{\"range\":[1,2]},"
    "\"eval.mobility\":{\"range\":[0,0.2]}},\"opening\":{\"plies\":3}}";
static const char first_move[] =
    "{\"design\":\"first-move\",\"variant\":\"glinski\",\"seed\":5,\"games\":9,\"nodes\":50,"
    "\"opening\":{\"plies\":[2,4]}}";

static void test_defaults(void)
{
    struct sy_experiment *experiment = need(imbalance);
    CU_ASSERT_EQUAL(experiment->design, SY_DESIGN_IMBALANCE);
    CU_ASSERT_EQUAL(experiment->arm_count, 2);
    CU_ASSERT_STRING_EQUAL(experiment->arms[0].label, "chess");
    CU_ASSERT_STRING_EQUAL(experiment->arms[1].label, "round");
    CU_ASSERT_EQUAL(experiment->arms[1].limits.nodes, 50);
    CU_ASSERT_EQUAL(experiment->arms[1].limits.depth, 0);
    CU_ASSERT_EQUAL(experiment->adjudicate.plies, 400);
    CU_ASSERT_EQUAL(experiment->adjudicate.score, 0);
    CU_ASSERT_EQUAL(experiment->fit.bootstrap, 1000);
    CU_ASSERT_EQUAL(experiment->fit.confidence, 0.95);
    for (size_t i = 0; i < 2; i++) {
        const struct sy_variant *variant = experiment->arms[i].variant;
        for (unsigned m = 0; m < variant->materials; m++)
            CU_ASSERT_EQUAL(experiment->arms[i].kinds >> m & 1U, !variant->material_royal[m]);
    }
    sy_experiment_free(experiment);
}

static void test_numbering(void)
{
    struct sy_experiment *experiment = need(imbalance);
    experiment->games_per_arm = 5;
    static const unsigned arm[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    static const uint64_t pair[] = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5};
    CU_ASSERT_EQUAL(sy_experiment_games(experiment), 10);
    for (uint64_t n = 0; n < 10; n++) {
        CU_ASSERT_EQUAL(sy_experiment_arm(experiment, n), arm[n]);
        CU_ASSERT_EQUAL(sy_experiment_pair(experiment, n), pair[n]);
    }
    sy_experiment_free(experiment);
}

static const struct sy_draw *draw_named(const struct sy_arm *arm, const char *name)
{
    for (size_t i = 0; i < arm->draw_count; i++)
        if (strcmp(arm->draws[i].name, name) == 0)
            return &arm->draws[i];
    CU_FAIL_FATAL("no such draw");
    return NULL;
}

static void test_draws_are_resolved(void)
{
    struct sy_experiment *experiment = need(parameters);
    const struct sy_arm *arm = &experiment->arms[0];
    CU_ASSERT_EQUAL(arm->draw_count, 4);
    const struct sy_draw *soldier = draw_named(arm, "value.soldier"), *gunne = draw_named(arm, "value.gunne"),
                         *mobility = draw_named(arm, "eval.mobility");
    CU_ASSERT_TRUE(soldier->log_uniform);
    CU_ASSERT_EQUAL(soldier->low, soldier->base / 2);
    CU_ASSERT_EQUAL(soldier->high, soldier->base * 2);
    CU_ASSERT_FALSE(gunne->log_uniform); /* the later entry counts */
    CU_ASSERT_EQUAL(gunne->low, 1);
    CU_ASSERT_EQUAL(mobility->high, 0.2);
    CU_ASSERT_EQUAL(experiment->seed, UINT64_MAX);
    CU_ASSERT_EQUAL(arm->table_bytes, 128 * 1024);
    sy_experiment_free(experiment);
}

/* The canonical copy is the same experiment, and its own canonical copy. */
static void test_canonical(void)
{
    static const char *const texts[] = {imbalance, parameters, first_move};
    for (size_t i = 0; i < 3; i++) {
        struct sy_experiment *one = need(texts[i]), *two = need(one->canonical);
        CU_ASSERT_STRING_EQUAL(one->canonical, two->canonical);
        CU_ASSERT_STRING_EQUAL(one->digest, two->digest);
        for (size_t a = 0; a < one->arm_count; a++)
            CU_ASSERT_STRING_EQUAL(one->arms[a].variant->digest, two->arms[a].variant->digest);
        sy_experiment_free(one);
        sy_experiment_free(two);
    }
}

/* A new string with the first `old` replaced. */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    return sy_format("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

/* ---- other programs ---- */

static const char program[] =
    "{\"design\":\"first-move\",\"seed\":5,\"games\":4,\"nodes\":50,\"opening\":{\"plies\":[2,4]},"
    "\"failures\":7,"
    "\"player\":{\"uci\":[\"/opt/bin/engine\",\"-q\"],\"options\":{\"Hash\":16,\"Ponder\":false}},"
    "\"variants\":[\"chess\",{\"label\":\"deep\",\"variant\":\"chess\",\"nodes\":90},"
    "{\"label\":\"other\",\"variant\":\"chess\",\"player\":{\"xboard\":[\"gun\"],\"depth\":3,\"patience\":2}}"
    "]}";

static void test_program(void)
{
    struct sy_experiment *one = need(program), *two = need(one->canonical);
    const struct sy_player_spec *chess = one->arms[0].player, *other = one->arms[2].player;
    CU_ASSERT_STRING_EQUAL(chess->name, "engine");
    CU_ASSERT_STRING_EQUAL(chess->command[1], "-q");
    CU_ASSERT_STRING_EQUAL(chess->options[1].value, "false");
    CU_ASSERT_EQUAL(chess->limits.nodes, 50);
    CU_ASSERT_EQUAL(one->arms[1].player->limits.nodes, 90);
    CU_ASSERT_EQUAL(one->arms[1].limits.nodes, 90);
    CU_ASSERT_EQUAL(other->kind, SY_PLAYER_XBOARD);
    CU_ASSERT_EQUAL(other->limits.nodes, 0);
    CU_ASSERT_EQUAL(other->limits.depth, 3);
    CU_ASSERT_DOUBLE_EQUAL(other->patience, 2, 0);
    CU_ASSERT_EQUAL(one->failures, 7);
    CU_ASSERT_TRUE(sy_experiment_has_program(one));
    CU_ASSERT_STRING_EQUAL(one->canonical, two->canonical);
    CU_ASSERT_STRING_EQUAL(one->digest, two->digest);
    sy_experiment_free(one);
    sy_experiment_free(two);
}

static void check_program_digest(const char *old, const char *new, bool same)
{
    char *text = replaced(program, old, new);
    struct sy_experiment *one = need(program), *two = need(text);
    CU_ASSERT_EQUAL(strcmp(one->digest, two->digest) == 0, same);
    sy_experiment_free(one);
    sy_experiment_free(two);
    free(text);
}

/* Who plays decides the games; when a run gives up does not. */
static void test_program_digest(void)
{
    check_program_digest("\"failures\":7,", "", true);
    check_program_digest("\"Hash\":16", "\"Hash\":\"16\"", true);
    check_program_digest("\"Hash\":16", "\"Hash\":17", false);
    check_program_digest("/opt/bin/engine", "engine", false);
    check_program_digest("\"depth\":3", "\"depth\":4", false);
    struct sy_experiment *own = need(first_move);
    CU_ASSERT_FALSE(sy_experiment_has_program(own));
    CU_ASSERT_PTR_NULL(strstr(own->canonical, "failures"));
    CU_ASSERT_PTR_NULL(strstr(own->canonical, "\"player\""));
    sy_experiment_free(own);
}

/* ---- digests ---- */

static void check_digest(const char *old, const char *new, bool same)
{
    char *text = replaced(parameters, old, new);
    struct sy_experiment *one = need(parameters), *two = need(text);
    CU_ASSERT_EQUAL(strcmp(one->digest, two->digest) == 0, same);
    sy_experiment_free(one);
    sy_experiment_free(two);
    free(text);
}

static void test_digest(void)
{
    check_digest("\"T\"", "\"U\"", true);
    check_digest("\"games\"", "\"fit\":{\"samples\":3},\"games\"", true);
    check_digest("\"games\":40", "\"games\":41", false);
    check_digest("0.5,2", "0.5,3", false);
    check_digest("0.5}", "0.6}", false);
    check_digest("128", "256", false);
    check_digest("\"panal\"", "{\"variant\":\"panal\",\"patch\":{\"ends\":{\"stalemate\":0.25}}}", false);
}

static void test_refusals(void)
{
    static const struct {
        const char *text, *old, *new, *words;
    } cases[] = {
        {imbalance, "\"games\":40", "\"games\":-5", "$.games"},
        {imbalance, "\"games\":40", "\"games\":0", "$.games"},
        {imbalance, "\"games\":40", "\"games\":4.5", "$.games"},
        {imbalance, "\"games\":40,", "", "games"},
        {imbalance, "\"seed\":5", "\"seed\":-5", "$.seed"},
        {imbalance, "\"nodes\"", "\"noodles\"", "nodes"},
        {imbalance, "\"nodes\":50,", "", "'nodes' or 'depth'"},
        {imbalance, "\"chess\"", "\"chequers\"", "chequers"},
        {imbalance, "\"label\":\"round\"", "\"label\":\"chess\"", "a second 'chess'"},
        {imbalance, "\"imbalance\",", "\"imbalanced\",", "$.design"},
        {imbalance, "[0,3]", "[3,0]", "$.imbalance.remove"},
        {imbalance, "[0,3]", "[0,-3]", "$.imbalance.remove"},
        {imbalance, "\"limit\"", "\"kinds\":[\"knight\"],\"limit\"", "of 'round'"},
        {imbalance, "\"remove\":[0,3],\"exchange\":[0,2]", "\"remove\":0", "nothing would be removed"},
        {imbalance, "[1,5]", "[1,5,6]", "$.opening.plies"},
        {imbalance, "\"limit\"", "\"criterion\":\"E\",\"limit\"", "$.imbalance.criterion"},
        {imbalance, "\"limit\"", "\"logits\":0.2,\"limit\"", "there is none"},
        {imbalance, "\"remove\":[0,3]", "\"criterion\":\"D\"", "let 'remove' vary"},
        {parameters, "value.*", "valve.*", "valve.*"},
        {parameters, "{\"factor\":[0.5,2]}", "{\"factor\":[2,0.5]}", "lower one first"},
        {parameters, "{\"factor\":[0.5,2]}", "{\"factor\":[0.5,1000]}", "may be from"},
        {parameters, "{\"factor\":[0.5,2]}", "{\"factor\":[1,2],\"range\":[1,2]}", "not both"},
        {parameters, "eval.tempo", "eval.temper", "eval.temp"},
        {parameters, "\"randomise\"", "\"imbalance\":{\"remove\":1},\"randomise\"", "imbalance design"},
        {parameters, "\"opening\"", "\"fit\":{\"unit\":\"queen\"},\"opening\"", "$.fit.unit"},
        {parameters, "\"opening\"", "\"fit\":{\"unit\":{\"piece\":\"soldier\"}},\"opening\"", "$.fit.unit"},
        {parameters, "\"opening\"", "\"fit\":{\"pairs\":[\"queen\"]},\"opening\"", "$.fit.pairs[0]"},
        {parameters, "\"opening\"", "\"fit\":{\"phase\":2,\"phase_of\":[\"pawn\"]},\"opening\"",
         "$.fit.phase_of[0]"},
        {parameters, "\"opening\"", "\"fit\":{\"phase\":2,\"phase_of\":[]},\"opening\"", "must name a piece"},
        {parameters, "\"opening\"", "\"fit\":{\"phase_of\":[\"gunne\"]},\"opening\"", "what 'phase' counts"},
        {parameters, "\"opening\"", "\"fit\":{\"phase\":1},\"opening\"", "$.fit.phase"},
        {parameters, "\"opening\"", "\"fit\":{\"phase\":\"bent\"},\"opening\"", "or \"linear\""},
        {parameters, "\"opening\"", "\"fit\":{\"pairs\":[{\"colours\":2}]},\"opening\"", "missing 'piece'"},
        {parameters, "\"opening\"", "\"fit\":{\"pairs\":[{\"piece\":\"rook\"}]},\"opening\"", "'colours'"},
        {imbalance, "\"seed\"", "\"fit\":{\"pairs\":[{\"piece\":\"knight\",\"colours\":3}]},\"seed\"",
         "has 2 colours"},
        {first_move, "\"seed\"", "\"iterate\":{\"rounds\":2},\"seed\"", "$.iterate"},
        {imbalance, "\"seed\"", "\"iterate\":{\"rounds\":2},\"seed\"", "$.iterate"},
        {parameters, "\"plies\":3", "\"plies\":3,\"twins\":true", "$.opening.twins"},
        {imbalance, "\"seed\"", "\"games_file\":\"x\",\"seed\"", "$.games_file"},
        {parameters, "\"plies\":3", "\"plies\":3,\"limit\":-1", "$.opening.limit"},
        {imbalance, "\"plies\":[1,5]", "\"plies\":2,\"limit\":1", "on purpose"},
        {parameters, "\"opening\"", "\"adjudicate\":{\"plies\":3},\"opening\"", "$.adjudicate"},
        {first_move, "[2,4]", "0", "would be the same"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sy_experiment *experiment = NULL;
        struct sy_error error = {""};
        char *text = replaced(cases[i].text, cases[i].old, cases[i].new);
        CU_ASSERT_EQUAL(create(text, &experiment, &error), SY_BAD_INPUT);
        if (strstr(error.message, cases[i].words) == NULL)
            printf("    case %zu: %s\n", i, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, cases[i].words));
        CU_ASSERT_EQUAL(strncmp(error.message, "test.json:1:", 12), 0);
        CU_ASSERT_PTR_NULL(experiment);
        sy_experiment_free(experiment);
        free(text);
    }
}

/* ---- drawing ---- */

static struct sy_game_start drawn(const struct sy_experiment *experiment, uint64_t number)
{
    struct sy_game_start start;
    struct sy_error error = {""};
    if (sy_game_draw(experiment, number, &start, &error) != SY_OK)
        printf("    %s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(start.position.variant);
    return start;
}

static unsigned count_material(const struct sy_position *position, unsigned material, unsigned side)
{
    int count = 0;
    for (unsigned type = 0; type < position->variant->types; type++)
        if (position->variant->type[type].material == material)
            count += sy_count(sy_pieces(position, type, side));
    return (unsigned)count;
}

/* The army is the start's with at most so many pieces missing and exchanged; returns its believed worth. */
static double check_army(const struct sy_arm *arm, const struct sy_position *position, unsigned side)
{
    struct sy_position whole;
    unsigned fewer = 0, more = 0;
    double worth = 0;
    CU_ASSERT_EQUAL(sy_fen_parse(arm->variant, arm->variant->start, &whole, NULL), SY_OK);
    for (unsigned m = 0; m < arm->variant->materials; m++) {
        const unsigned now = count_material(position, m, side), then = count_material(&whole, m, side);
        fewer += now < then ? then - now : 0;
        more += now > then ? now - then : 0;
        worth += now * arm->params.value[m];
        if (arm->variant->material_royal[m])
            CU_ASSERT_EQUAL(now, then);
    }
    CU_ASSERT_TRUE(more <= 2);
    CU_ASSERT_TRUE(fewer <= 3 + 2);
    CU_ASSERT_EQUAL(sy_count(position->side[side]), sy_count(whole.side[side]) - (int)fewer + (int)more);
    return worth;
}

static void test_imbalance(void)
{
    struct sy_experiment *experiment = need(imbalance);
    unsigned uneven = 0;
    for (uint64_t n = 0; n < sy_experiment_games(experiment); n += 2) {
        const struct sy_arm *arm = &experiment->arms[sy_experiment_arm(experiment, n)];
        struct sy_game_start one = drawn(experiment, n), two = drawn(experiment, n + 1);
        struct sy_position mirrored;
        const double white = check_army(arm, &one.position, SY_WHITE),
                     black = check_army(arm, &one.position, SY_BLACK);
        CU_ASSERT_TRUE(fabs(white - black) <= 6);
        uneven += fabs(white - black) > 0.5;
        sy_position_mirror(&one.position, &mirrored);
        CU_ASSERT_EQUAL(memcmp(mirrored.piece, two.position.piece, arm->variant->cells), 0);
        CU_ASSERT_EQUAL(mirrored.castling, two.position.castling);
        CU_ASSERT_EQUAL(two.position.to_move, SY_WHITE);
        CU_ASSERT_EQUAL(two.position.key, sy_position_key(&two.position));
        CU_ASSERT_FALSE(sy_in_check(&one.position));
        CU_ASSERT_EQUAL(one.opening_plies, two.opening_plies);
        sy_game_start_clear(&one);
        sy_game_start_clear(&two);
    }
    CU_ASSERT_TRUE(uneven > 10);
    sy_experiment_free(experiment);
}

/* A rook that is gone takes its castling right along: the position can be written and read again. */
static void test_castling_rights(void)
{
    struct sy_experiment *experiment = need(imbalance);
    unsigned lost = 0;
    for (uint64_t n = 0; n < experiment->games_per_arm; n++) {
        struct sy_game_start start = drawn(experiment, n);
        struct sy_position again;
        char *fen = sy_fen(&start.position);
        CU_ASSERT_EQUAL(sy_fen_parse(start.position.variant, fen, &again, NULL), SY_OK);
        CU_ASSERT_EQUAL(again.key, start.position.key);
        lost += start.position.castling != 15;
        free(fen);
        sy_game_start_clear(&start);
    }
    CU_ASSERT_TRUE(lost > 0);
    sy_experiment_free(experiment);
}

/* Only the named kinds go. */
static void test_kinds(void)
{
    char *text = replaced(imbalance, "\"limit\"", "\"kinds\":[\"rook\",\"bishop\"],\"limit\"");
    struct sy_experiment *experiment = need(text);
    for (uint64_t n = 0; n < sy_experiment_games(experiment); n++) {
        struct sy_game_start start = drawn(experiment, n);
        const struct sy_variant *variant = start.position.variant;
        struct sy_position whole;
        CU_ASSERT_EQUAL(sy_fen_parse(variant, variant->start, &whole, NULL), SY_OK);
        for (unsigned m = 0; m < variant->materials; m++)
            if (strcmp(variant->material[m], "rook") != 0 && strcmp(variant->material[m], "bishop") != 0)
                for (unsigned side = 0; side < 2; side++)
                    CU_ASSERT_EQUAL(count_material(&start.position, m, side),
                                    count_material(&whole, m, side));
        sy_game_start_clear(&start);
    }
    sy_experiment_free(experiment);
    free(text);
}

static void test_parameters(void)
{
    struct sy_experiment *experiment = need(parameters);
    const struct sy_arm *arm = &experiment->arms[0];
    const size_t size = arm->draw_count * sizeof(double);
    for (uint64_t n = 0; n < experiment->games_per_arm; n += 2) {
        struct sy_game_start one = drawn(experiment, n), two = drawn(experiment, n + 1);
        CU_ASSERT_EQUAL(memcmp(one.drawn[SY_WHITE], two.drawn[SY_BLACK], size), 0);
        CU_ASSERT_EQUAL(memcmp(one.drawn[SY_BLACK], two.drawn[SY_WHITE], size), 0);
        CU_ASSERT_NOT_EQUAL(memcmp(one.drawn[SY_WHITE], one.drawn[SY_BLACK], size), 0);
        for (size_t i = 0; i < arm->draw_count; i++)
            CU_ASSERT_TRUE(one.drawn[0][i] >= arm->draws[i].low && one.drawn[0][i] <= arm->draws[i].high);
        CU_ASSERT_EQUAL(one.position.key, two.position.key);
        CU_ASSERT_EQUAL(one.opening_plies, 3);
        CU_ASSERT_EQUAL(memcmp(one.opening, two.opening, 3 * sizeof *one.opening), 0);
        struct sy_params params;
        sy_game_params(arm, one.drawn[SY_WHITE], &params);
        double min, max;
        CU_ASSERT_EQUAL(*sy_params_find(arm->variant, &params, "eval.mobility", &min, &max),
                        one.drawn[SY_WHITE][arm->draw_count - 1]);
        CU_ASSERT_EQUAL(*sy_params_find(arm->variant, &params, "eval.tempo", &min, &max), 0.5);
        sy_game_start_clear(&one);
        sy_game_start_clear(&two);
    }
    sy_experiment_free(experiment);
}

/* A factor and its inverse are as likely: half of the draws lie below the base. */
static void test_factors_are_log_uniform(void)
{
    struct sy_experiment *experiment = need(parameters);
    const unsigned games = 2000;
    experiment->games_per_arm = games;
    unsigned below = 0, far_below = 0;
    for (uint64_t n = 0; n < games; n += 2) {
        struct sy_game_start start = drawn(experiment, n);
        for (unsigned side = 0; side < 2; side++) {
            const double factor = start.drawn[side][0] / experiment->arms[0].draws[0].base;
            below += factor < 1;
            far_below += factor < sqrt(0.5);
        }
        sy_game_start_clear(&start);
    }
    /* Four standard errors of a binomial of 2000. */
    CU_ASSERT_TRUE(fabs(below - 1000.0) < 90);
    CU_ASSERT_TRUE(fabs(far_below - 500.0) < 78);
    sy_experiment_free(experiment);
}

static void test_openings_differ(void)
{
    struct sy_experiment *experiment = need(first_move);
    unsigned same = 0;
    for (uint64_t n = 0; n < 8; n += 2) {
        struct sy_game_start one = drawn(experiment, n), two = drawn(experiment, n + 1);
        CU_ASSERT_TRUE(one.opening_plies >= 2 && one.opening_plies <= 4);
        same += one.opening_plies == two.opening_plies &&
                memcmp(one.opening, two.opening, one.opening_plies * sizeof *one.opening) == 0;
        sy_game_start_clear(&one);
        sy_game_start_clear(&two);
    }
    CU_ASSERT_TRUE(same < 4);
    sy_experiment_free(experiment);
}

/* After 1. ... e5 2. g4, moving the f-pawn leaves a mate in one, which would be the opening's and not the
 * players'. */
static void test_no_mate_in_one(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"first-move\",\"variants\":[{\"variant\":\"chess\",\"patch\":{\"balanced\":false,"
             "\"start\":"
             "\"rnbqkbnr/pppp1ppp/8/4p3/6P1/8/PPPPPP1P/RNBQKBNR w KQkq - 0 2\"}}],\"seed\":5,\"games\":300,"
             "\"nodes\":50,\"opening\":{\"plies\":1}}");
    const struct sy_variant *variant = experiment->arms[0].variant;
    unsigned others = 0;
    for (uint64_t n = 0; n < 300; n++) {
        struct sy_game_start start = drawn(experiment, n);
        const unsigned from = sy_move_from(start.opening[0]);
        CU_ASSERT_STRING_NOT_EQUAL(variant->board->name[from], "f2");
        others += strcmp(variant->board->name[from], "e2") == 0;
        sy_game_start_clear(&start);
    }
    CU_ASSERT_TRUE(others > 10);
    sy_experiment_free(experiment);
}

/* Openings after which a search sees a side further ahead are drawn again; the others stay as they were. */
static void test_even_openings(void)
{
    static const char file[] = "{\"design\":\"first-move\",\"variant\":\"chess\",\"seed\":5,\"games\":40,"
                               "\"nodes\":50,\"opening\":{\"plies\":6}}";
    char *text = replaced(file, "\"plies\":6", "\"plies\":6,\"limit\":1");
    struct sy_experiment *any = need(file), *even = need(text);
    const struct sy_limits limits = {1000, 0, false};
    struct sy_engine *engine = sy_engine_create(any->arms[0].variant, sy_engine_table_bytes(&limits));
    unsigned uneven = 0, same = 0;
    sy_engine_set_params(engine, &any->arms[0].params);
    for (uint64_t n = 0; n < 40; n++) {
        struct sy_game_start one = drawn(any, n), other = drawn(even, n);
        struct sy_position position[2] = {one.position, other.position};
        double score[2];
        for (unsigned i = 0; i < 2; i++) {
            struct sy_search_result result;
            for (unsigned ply = 0; ply < 6; ply++) {
                struct sy_undo undo;
                sy_make(&position[i], (i == 0 ? &one : &other)->opening[ply], &undo);
            }
            sy_engine_new_game(engine, 0);
            sy_engine_search(engine, &position[i], NULL, &limits, &result);
            score[i] = fabs(result.score);
        }
        CU_ASSERT_TRUE(score[1] <= 1);
        uneven += score[0] > 1;
        same += memcmp(one.opening, other.opening, 6 * sizeof *one.opening) == 0;
        sy_game_start_clear(&one);
        sy_game_start_clear(&other);
    }
    CU_ASSERT_TRUE(uneven > 0);
    CU_ASSERT_EQUAL(same, 40 - uneven);
    sy_engine_free(engine);
    struct sy_experiment *copy = need(even->canonical);
    CU_ASSERT_EQUAL(copy->opening_limit, 1);
    CU_ASSERT_STRING_EQUAL(copy->digest, even->digest);
    CU_ASSERT_STRING_NOT_EQUAL(any->digest, even->digest);
    sy_experiment_free(copy);
    sy_experiment_free(even);
    sy_experiment_free(any);
    free(text);
}

/* Whether a position with this many pieces left can be drawn is found out, not waited for. */
static void test_impossible_start(void)
{
    char *text = replaced(imbalance, "\"remove\":[0,3],\"exchange\":[0,2]", "\"remove\":32");
    struct sy_experiment *experiment = need(text);
    struct sy_game_start start;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(sy_game_draw(experiment, 0, &start, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "'imbalance'"));
    sy_game_start_clear(&start);
    sy_experiment_free(experiment);
    free(text);
}

/* ---- twins ---- */

/* Both games of a pair start with White to move, and each start is the other with the armies exchanged. */
static void test_twins(void)
{
    struct sy_experiment *experiment =
        need("{\"design\":\"first-move\",\"variant\":\"chess\",\"seed\":5,\"games\":20,\"nodes\":50,"
             "\"opening\":{\"plies\":[3,6],\"twins\":true}}");
    for (uint64_t n = 0; n < 20; n += 2) {
        struct sy_game_start first, second;
        struct sy_position mirrored;
        struct sy_error error = {""};
        CU_ASSERT_EQUAL_FATAL(sy_game_draw(experiment, n, &first, &error), SY_OK);
        CU_ASSERT_EQUAL_FATAL(sy_game_draw(experiment, n + 1, &second, &error), SY_OK);
        sy_position_mirror(&first.position, &mirrored);
        CU_ASSERT_EQUAL(memcmp(mirrored.piece, second.position.piece, sizeof mirrored.piece), 0);
        CU_ASSERT_EQUAL(mirrored.castling, second.position.castling);
        CU_ASSERT_EQUAL(first.position.to_move, SY_WHITE);
        CU_ASSERT_EQUAL(second.position.to_move, SY_WHITE);
        CU_ASSERT_EQUAL(first.opening_plies, 0);
        CU_ASSERT_FALSE(sy_in_check(&first.position) || sy_in_check(&second.position));
        CU_ASSERT_EQUAL(second.position.key, sy_position_key(&second.position));
        sy_game_start_clear(&first);
        sy_game_start_clear(&second);
    }
    struct sy_experiment *copy = need(experiment->canonical);
    CU_ASSERT_TRUE(copy->twins);
    CU_ASSERT_STRING_EQUAL(copy->digest, experiment->digest);
    sy_experiment_free(copy);
    sy_experiment_free(experiment);
}

/* ---- games from elsewhere ---- */

static char *write_temporary(const char *text)
{
    char *path = sy_strdup("/tmp/steelyard-games-XXXXXX");
    struct sy_error error;
    const int descriptor = mkstemp(path);
    CU_ASSERT_TRUE_FATAL(descriptor >= 0);
    close(descriptor);
    CU_ASSERT_EQUAL(sy_write_file(path, text, strlen(text), &error), SY_OK);
    return path;
}

static char *positions_of(const char *path, const char *more)
{
    return sy_format("{\"design\":\"positions\",\"variant\":\"chess\",\"seed\":5,\"games_file\":\"%s\"%s}",
                     path, more);
}

static void check_game(const struct sy_experiment *experiment, uint64_t number, const char *reason,
                       double result, unsigned plies)
{
    struct sy_players *players = sy_players_create(experiment);
    struct sy_game_record record;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(sy_game_play(players, number, &record, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(record.reason, reason);
    CU_ASSERT_EQUAL(record.result, result);
    CU_ASSERT_EQUAL(record.plies, plies);
    CU_ASSERT_EQUAL(record.pair, number);
    CU_ASSERT_EQUAL(record.finished, strcmp(reason, "unfinished") != 0);
    CU_ASSERT_EQUAL(sy_game_check(experiment, &record, &error), SY_OK);
    sy_game_record_clear(&record);
    sy_players_free(players);
}

static void test_positions_jsonl(void)
{
    char *path = write_temporary("{\"moves\":\"f2f3 e7e5 g2g4 d8h4\",\"result\":\"0-1\"}\n\n"
                                 "{\"moves\":[\"e2e4\",\"e7e5\"],\"result\":0.5}\n{\"moves\":\"e2e4\"}\n"
                                 "{\"moves\":\"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8\",\"result\":0.5}\n"
                                 "{\"moves\":\"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8\",\"result\":0}\n");
    char *text = positions_of(path, "");
    struct sy_experiment *experiment = need(text);
    CU_ASSERT_EQUAL(sy_experiment_games(experiment), 5);
    check_game(experiment, 0, "checkmate", 0, 4);
    check_game(experiment, 1, "agreement or resignation", 0.5, 2);
    check_game(experiment, 2, "unfinished", 0, 1);
    check_game(experiment, 3, "repetition", 0.5, 8);
    check_game(experiment, 4, "agreement or resignation", 0, 8); /* resigned there */
    remove(path);
    struct sy_experiment *copy = need(experiment->canonical); /* reads back without the file */
    CU_ASSERT_STRING_EQUAL(copy->canonical, experiment->canonical);
    CU_ASSERT_STRING_EQUAL(copy->digest, experiment->digest);
    sy_experiment_free(copy);
    sy_experiment_free(experiment);
    free(text);
    free(path);
}

/* A run's log has a header; of several arms those with this variant's rules are read. */
static void test_positions_of_a_log(void)
{
    struct sy_experiment *plain = need("{\"design\":\"first-move\",\"variant\":\"chess\",\"seed\":1,"
                                       "\"games\":2,\"nodes\":10,\"opening\":{\"plies\":2}}");
    static const char games[] = "{\"n\":0,\"arm\":0,\"moves\":\"e2e4\",\"result\":1}\n"
                                "{\"n\":1,\"arm\":1,\"moves\":\"k9k8\",\"result\":0}\n"
                                "{\"n\":2,\"arm\":2,\"moves\":\"e2e4 e7e5\",\"result\":0.5}\n";
    const char *digest = plain->arms[0].variant->digest;
    char *log =
        sy_format("{\"format\":\"steelyard-games-1\",\"variants\":[{\"label\":\"a\",\"digest\":\"%s\"},"
                  "{\"digest\":\"0\"},{\"label\":\"b\",\"digest\":\"%s\"}]}\n%s",
                  digest, digest, games);
    char *path = write_temporary(log), *text = positions_of(path, "");
    struct sy_experiment *experiment = need(text);
    CU_ASSERT_EQUAL(sy_experiment_games(experiment), 2);
    check_game(experiment, 0, "agreement or resignation", 1, 1);
    check_game(experiment, 1, "agreement or resignation", 0.5, 2);
    sy_experiment_free(experiment);
    free(text);
    text = positions_of(path, ",\"games_arm\":\"b\"");
    experiment = need(text);
    CU_ASSERT_EQUAL(sy_experiment_games(experiment), 1);
    check_game(experiment, 0, "agreement or resignation", 0.5, 2);
    struct sy_experiment *copy = need(experiment->canonical);
    CU_ASSERT_STRING_EQUAL(copy->canonical, experiment->canonical);
    sy_experiment_free(copy);
    sy_experiment_free(experiment);
    sy_experiment_free(plain);
    remove(path);
    free(path);
    free(text);
    free(log);
}

/* German letters: Springer, Laufer, Turm, Dame. */
static void test_positions_pgn(void)
{
    char *path = write_temporary("[White \"S. Tal\"]\n\n1. e4 e5 2. Sf3 {Springer} Sc6 3. Lb5 Dh4 1-0\n\n"
                                 "1. Nf3 *\n");
    static const char letters[] = ",\"letters\":{\"S\":\"N\",\"L\":\"B\",\"T\":\"R\",\"D\":\"Q\"}";
    char *text = positions_of(path, letters);
    struct sy_experiment *experiment = need(text);
    CU_ASSERT_EQUAL(sy_experiment_games(experiment), 2);
    check_game(experiment, 0, "agreement or resignation", 1, 6);
    check_game(experiment, 1, "unfinished", 0, 1);
    sy_experiment_free(experiment);
    free(text);
    remove(path);
    free(path);
}

static void check_refused(const char *games, const char *more, const char *words)
{
    struct sy_experiment *experiment = NULL;
    struct sy_error error = {""};
    char *path = write_temporary(games), *text = positions_of(path, more);
    CU_ASSERT_EQUAL(create(text, &experiment, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
    remove(path);
    free(path);
    free(text);
}

static void test_positions_refused(void)
{
    static const char *const files[][2] = {
        {"{\"moves\":\"e2e5\",\"result\":\"0-1\"}\n", ":1: ply 1"},
        {"{\"moves\":\"e2e4\",\"result\":\"won\"}\n", "must be 1-0"},
        {"{\"moves\":\"e2e4\",\"result\":0.3}\n", "must be 1-0"},
        {"{\"result\":1}\n", "needs 'moves'"},
        {"1. e4 Qh4 1-0\n", ":1: "},
        {"{\"format\":\"steelyard-games-1\",\"variants\":[{\"digest\":\"0\"},{}]}\n",
         "has no arm with the rules of"},
        {"\n", "no games"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        check_refused(files[i][0], "", files[i][1]);
    }
    static const char arm[] = ",\"games_arm\":\"d\"";
    check_refused("{\"format\":\"steelyard-games-1\",\"variants\":[{\"label\":\"c\"}]}\n", arm,
                  "has no arm 'd'");
    check_refused("{\"moves\":\"e2e4\"}\n", arm, "no run's log");
    check_refused("1. e4 *\n", arm, "no run's log");
}

void test_experiment_suite(void)
{
    CU_pSuite suite = CU_add_suite("experiment", NULL, NULL);
    CU_add_test(suite, "defaults", test_defaults);
    CU_add_test(suite, "numbers of games, arms and pairs", test_numbering);
    CU_add_test(suite, "draws are resolved", test_draws_are_resolved);
    CU_add_test(suite, "the canonical copy reads back", test_canonical);
    CU_add_test(suite, "another program plays", test_program);
    CU_add_test(suite, "it belongs to the digest", test_program_digest);
    CU_add_test(suite, "the digest covers what decides the games", test_digest);
    CU_add_test(suite, "what is wrong is refused with its place", test_refusals);
    CU_add_test(suite, "uneven starts are legal and come in mirrored pairs", test_imbalance);
    CU_add_test(suite, "castling rights go with the rooks", test_castling_rights);
    CU_add_test(suite, "only the kinds named are removed", test_kinds);
    CU_add_test(suite, "players exchange their parameters", test_parameters);
    CU_add_test(suite, "factors are log-uniform", test_factors_are_log_uniform);
    CU_add_test(suite, "first-move games have openings of their own", test_openings_differ);
    CU_add_test(suite, "no opening leaves a mate in one", test_no_mate_in_one);
    CU_add_test(suite, "uneven openings are drawn again", test_even_openings);
    CU_add_test(suite, "an impossible start is an error", test_impossible_start);
    CU_add_test(suite, "twins", test_twins);
    CU_add_test(suite, "games from elsewhere: JSONL", test_positions_jsonl);
    CU_add_test(suite, "games from elsewhere: a run's log", test_positions_of_a_log);
    CU_add_test(suite, "games from elsewhere: PGN with other letters", test_positions_pgn);
    CU_add_test(suite, "games from elsewhere: what is wrong", test_positions_refused);
}
