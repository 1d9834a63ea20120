/* Tests of player: processes that play, misbehave, and are started again; files that describe them. The
 * engine is tests/data/fake-engine, which asks $STEELYARD for legal moves, so the tests run at the top of the
 * source tree. */
#include "steelyard/notation.h"
#include "steelyard/player.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_player_suite(void);

static struct sy_variant *chess;

static int load(void)
{
    struct sy_error error;
    if (getenv("STEELYARD") == NULL) {
        puts("player: the tests need STEELYARD, the path of the program");
        return 1;
    }
    return sy_variant_load("chess", NULL, &chess, &error) == SY_OK ? 0 : 1;
}

static int unload(void)
{
    sy_variant_free(chess);
    return 0;
}

/* ---- descriptions ---- */

/* Reads a player; `text` is its JSON. */
static enum sy_status read_player(const char *text, struct sy_player_spec *spec, struct sy_error *error)
{
    static const char none[] = "{}";
    struct sy_json_doc *doc, *defaults;
    struct sy_params params;
    sy_params_default(chess, &params);
    if (sy_json_read("player", text, strlen(text), &doc, error) != SY_OK ||
        sy_json_read("none", none, strlen(none), &defaults, error) != SY_OK)
        abort();
    enum sy_status status =
        sy_player_read(doc, sy_json_root(doc), "A", chess, &params, sy_json_root(defaults), spec, error);
    sy_json_free(doc);
    sy_json_free(defaults);
    return status;
}

static void refuse(const char *text, const char *words)
{
    struct sy_player_spec spec;
    struct sy_error error = {""};
    CU_ASSERT_EQUAL(read_player(text, &spec, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
    if (strstr(error.message, words) == NULL)
        printf("  '%s' is not in: %s\n", words, error.message);
    sy_player_spec_clear(&spec);
}

static void test_bad_descriptions(void)
{
    refuse("{}", "missing 'nodes', 'depth' or 'movetime'");
    refuse("{\"nodes\": 0}", "nodes");
    refuse("{\"nodes\": 9, \"noodles\": 3}", "noodles");
    refuse("{\"depth\": 2, \"engine\": {\"value.quean\": 9}}", "value.queen");
    refuse("{\"uci\": [], \"nodes\": 1}", "a program");
    refuse("{\"uci\": [3], \"nodes\": 1}", "must be a string");
    refuse("{\"uci\": [\"x\"], \"engine\": {}, \"nodes\": 1}", "engine");
    refuse("{\"uci\": [\"x\"], \"options\": {\"A\": []}, \"nodes\": 1}", "$.options.A");
    refuse("{\"uci\": [\"x\"], \"options\": {\"A\": \"1\\nquit\"}, \"nodes\": 1}", "one line");
    refuse("{\"xboard\": [\"x\"], \"nodes\": 1}", "no limit of nodes");
    refuse("{\"uci\": [\"x\"], \"patience\": 0, \"nodes\": 1}", "patience");
}

static void test_description(void)
{
    struct sy_player_spec spec;
    struct sy_error error;
    CU_ASSERT_EQUAL(
        read_player("{\"uci\": [\"e\", \"-x\"], \"options\": {\"B\": true, \"A\": 1.5}, \"nodes\": 7}", &spec,
                    &error),
        SY_OK);
    CU_ASSERT_STRING_EQUAL(spec.command[1], "-x");
    CU_ASSERT_PTR_NULL(spec.command[2]);
    CU_ASSERT_EQUAL(spec.option_count, 2);
    CU_ASSERT_STRING_EQUAL(spec.options[0].value, "true");
    CU_ASSERT_STRING_EQUAL(spec.options[1].value, "1.5");
    CU_ASSERT_EQUAL(spec.limits.nodes, 7);
    CU_ASSERT_FALSE(sy_player_repeats(&spec));
    sy_player_spec_clear(&spec);
    CU_ASSERT_EQUAL(read_player("{\"movetime\": 5}", &spec, &error), SY_OK);
    CU_ASSERT_FALSE(sy_player_repeats(&spec));
    sy_player_spec_clear(&spec);
    CU_ASSERT_EQUAL(read_player("{\"depth\": 1}", &spec, &error), SY_OK);
    CU_ASSERT_TRUE(sy_player_repeats(&spec));
    sy_player_spec_clear(&spec);
}

/* ---- playing ---- */

/* A game so far, and the player that is asked for the next move. */
struct scene {
    struct sy_player_spec spec;
    struct sy_player *player;
    struct sy_position position;
    struct sy_history history;
    const char *start; /* NULL: the variant's */
    sy_move moves[8];
    unsigned plies;
};

/* A loaded machine may be slow, so patience is short only where it is to be lost. */
static double patience_for(const char *fault)
{
    const bool silent =
        strcmp(fault, "hang") == 0 || strcmp(fault, "chatter") == 0 || strcmp(fault, "mute") == 0;
    return silent ? 2 : 60;
}

static void begin(struct scene *scene, const char *protocol, const char *fault, int at)
{
    struct sy_error error;
    char *text = sy_format("{\"%s\": [\"tests/data/fake-engine\", \"%s\", \"%s\", \"%d\"], \"depth\": 1, "
                           "\"options\": {\"nerve strength\": 4}, \"patience\": %g}",
                           protocol, protocol, fault, at, patience_for(fault));
    char *option = strstr(text, "nerve strength");
    if (strcmp(protocol, "xboard") == 0) /* whose options know case */
        memcpy(option, "Nerve Strength", strlen("Nerve Strength"));
    memset(scene, 0, sizeof *scene);
    CU_ASSERT_EQUAL_FATAL(read_player(text, &scene->spec, &error), SY_OK);
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(chess, chess->start, &scene->position, &error), SY_OK);
    sy_history_push(&scene->history, scene->position.key);
    scene->player = sy_player_create(&scene->spec, chess);
    free(text);
}

static void end(struct scene *scene)
{
    sy_player_free(scene->player);
    sy_history_clear(&scene->history);
    sy_player_spec_clear(&scene->spec);
}

static enum sy_status step(struct scene *scene, struct sy_error *error)
{
    struct sy_choice choice;
    struct sy_undo undo;
    const struct sy_player_game game = {scene->start, scene->moves, scene->plies, &scene->position,
                                        &scene->history};
    enum sy_status status = sy_player_choose(scene->player, &game, &choice, error);
    if (status != SY_OK)
        return status;
    CU_ASSERT_TRUE(sy_is_legal(&scene->position, choice.move));
    CU_ASSERT_TRUE(choice.scored && choice.score > 0.11 && choice.score < 0.13 && choice.nodes == 34);
    scene->moves[scene->plies++] = choice.move;
    sy_make(&scene->position, choice.move, &undo);
    sy_history_push(&scene->history, scene->position.key);
    return SY_OK;
}

/* The player makes both sides' moves: even so it must hear of its own. */
static void play_well(const char *protocol)
{
    struct scene scene;
    struct sy_error error = {""};
    char text[SY_MOVE_TEXT];
    begin(&scene, protocol, "none", 0);
    for (int game = 0; game < 2; game++) {
        CU_ASSERT_EQUAL(sy_player_new_game(scene.player, 0, &error), SY_OK);
        for (int ply = 0; ply < 3; ply++)
            CU_ASSERT_EQUAL(step(&scene, &error), SY_OK);
        CU_ASSERT_STRING_EQUAL(sy_move_text(chess, scene.moves[0], text), "a2a3");
        CU_ASSERT_STRING_EQUAL(sy_move_text(chess, scene.moves[1], text), "a7a5");
        scene.plies = 0;
        scene.history.count = 1;
        CU_ASSERT_EQUAL(sy_fen_parse(chess, chess->start, &scene.position, &error), SY_OK);
    }
    if (error.message[0] != '\0')
        printf("  %s\n", error.message);
    end(&scene);
}

static void place(struct scene *scene, const char *fen)
{
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(chess, fen, &scene->position, &error), SY_OK);
    scene->start = fen;
    scene->history.count = 0;
    sy_history_push(&scene->history, scene->position.key);
}

/* The first legal moves from there are told only by an engine that knows the start, and knows it but once. */
static void play_from_elsewhere(const char *protocol)
{
    struct scene scene;
    struct sy_error error = {""};
    char text[SY_MOVE_TEXT];
    begin(&scene, protocol, "none", 0);
    place(&scene, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    CU_ASSERT_EQUAL(sy_player_new_game(scene.player, 0, &error), SY_OK);
    for (int ply = 0; ply < 3; ply++)
        CU_ASSERT_EQUAL_FATAL(step(&scene, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(sy_move_text(chess, scene.moves[0], text), "a1a2");
    CU_ASSERT_STRING_EQUAL(sy_move_text(chess, scene.moves[1], text), "e8d7");
    CU_ASSERT_STRING_EQUAL(sy_move_text(chess, scene.moves[2], text), "a2a1");
    end(&scene);
}

static void test_other_starts(void)
{
    struct scene scene;
    struct sy_error error = {""};
    play_from_elsewhere("uci");
    play_from_elsewhere("xboard");
    begin(&scene, "xboard", "unplaced", 0);
    place(&scene, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    CU_ASSERT_EQUAL(sy_player_new_game(scene.player, 0, &error), SY_OK);
    CU_ASSERT_EQUAL(step(&scene, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "setboard"));
    end(&scene);
}

/* It misbehaves at the move `at`; the next game begins well again. */
static void misbehave(const char *protocol, const char *fault, int at, const char *words)
{
    struct scene scene;
    struct sy_error error = {""};
    begin(&scene, protocol, fault, at);
    CU_ASSERT_EQUAL(sy_player_new_game(scene.player, 0, &error), SY_OK);
    for (int ply = 1; ply < at; ply++)
        CU_ASSERT_EQUAL(step(&scene, &error), SY_OK);
    CU_ASSERT_EQUAL(step(&scene, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
    if (strstr(error.message, words) == NULL)
        printf("  '%s' is not in: %s\n", words, error.message);
    CU_ASSERT_EQUAL(sy_player_new_game(scene.player, 0, &error), SY_OK);
    end(&scene);
}

static void test_uci_plays(void)
{
    play_well("uci");
}

static void test_xboard_plays(void)
{
    play_well("xboard");
}

static void test_uci_faults(void)
{
    misbehave("uci", "crash", 2, "A crashed: exit status 3");
    misbehave("uci", "hang", 1, "A hung");
    misbehave("uci", "illegal", 2, "A answered 'e2e5': illegal move");
    misbehave("uci", "garbage", 1, "A answered ''");
}

static void test_chatter(void)
{
    misbehave("uci", "chatter", 1, "A hung");
}

static void test_xboard_faults(void)
{
    misbehave("xboard", "crash", 2, "A crashed: exit status 3");
    misbehave("xboard", "illegal", 2, "A answered 'e2e5': illegal move");
    misbehave("xboard", "resign", 2, "A said 'resign'");
}

static void fail_to_start(const char *protocol, const char *fault, const char *words)
{
    struct scene scene;
    struct sy_error error = {""};
    begin(&scene, protocol, fault, 1);
    CU_ASSERT_EQUAL(sy_player_new_game(scene.player, 0, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, words));
    if (strstr(error.message, words) == NULL)
        printf("  '%s' is not in: %s\n", words, error.message);
    end(&scene);
}

static void test_start_faults(void)
{
    fail_to_start("uci", "mute", "A hung");
    fail_to_start("uci", "dead", "A crashed: signal 9");
    fail_to_start("xboard", "dead", "A crashed: signal 9");
}

/* Names of options and of programs that are not there. */
static void test_what_is_not_there(void)
{
    struct sy_player_spec spec;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(read_player("{\"uci\": [\"/no/such/engine\"], \"nodes\": 1}", &spec, &error),
                          SY_OK);
    struct sy_player *player = sy_player_create(&spec, chess);
    CU_ASSERT_EQUAL(sy_player_new_game(player, 0, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/no/such/engine"));
    sy_player_free(player);
    sy_player_spec_clear(&spec);
    CU_ASSERT_EQUAL_FATAL(
        read_player("{\"uci\": [\"tests/data/fake-engine\", \"uci\", \"none\"], \"nodes\": 1, "
                    "\"options\": {\"Nerve\": 1}}",
                    &spec, &error),
        SY_OK);
    player = sy_player_create(&spec, chess);
    CU_ASSERT_EQUAL(sy_player_new_game(player, 0, &error), SY_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "has no option 'Nerve'"));
    sy_player_free(player);
    sy_player_spec_clear(&spec);
}

void test_player_suite(void)
{
    CU_pSuite suite = CU_add_suite("player", load, unload);
    CU_add_test(suite, "a description", test_description);
    CU_add_test(suite, "bad descriptions", test_bad_descriptions);
    CU_add_test(suite, "UCI: plays", test_uci_plays);
    CU_add_test(suite, "other starts than the variant's", test_other_starts);
    CU_add_test(suite, "UCI: crash, hang, illegal, nothing", test_uci_faults);
    CU_add_test(suite, "UCI: talks without end", test_chatter);
    CU_add_test(suite, "xboard: plays", test_xboard_plays);
    CU_add_test(suite, "xboard: crash, illegal, resignation", test_xboard_faults);
    CU_add_test(suite, "faults at the start", test_start_faults);
    CU_add_test(suite, "programs and options that are not there", test_what_is_not_there);
}
