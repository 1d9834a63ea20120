/* steelyard check: is a variant, experiment or match file sound? Which of them it is, its keys tell. */
#include "steelyard/cmd.h"
#include "steelyard/game.h"
#include "steelyard/match.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- variants ---- */

static void print_kinds(const struct sy_variant *variant)
{
    for (unsigned i = 0; i < variant->types; i++) {
        const struct sy_type *type = &variant->type[i];
        printf("  %c %s", type->letter, type->name);
        if (type->royalty != SY_COMMON)
            printf(", royal by %s\n", type->royalty == SY_ROYAL_BY_CHECK ? "check" : "capture");
        else
            printf(", believed worth %.2f\n", variant->believed[type->material]);
    }
}

/* is_file: a path relative to the working directory. */
static enum sy_status check_variant(const char *file, bool is_file, struct sy_error *error)
{
    struct sy_variant *variant;
    char *path = is_file ? sy_format("./%s", file) : sy_strdup(file); /* "chess" alone is a shipped name */
    enum sy_status status = sy_variant_load(path, NULL, &variant, error);
    free(path);
    if (status != SY_OK)
        return status;
    printf("%s: a variant: %s, %s board of %u cells\n", file, variant->title, variant->board->kind,
           variant->cells);
    print_kinds(variant);
    printf("  start %s\n  values are counted in %ss\n", variant->start,
           variant->material[variant->unit_material]);
    sy_variant_free(variant);
    return SY_OK;
}

/* ---- experiments ---- */

static void print_limits(const struct sy_limits *limits)
{
    if (limits->nodes > 0)
        printf(", %" PRIu64 " nodes a move", limits->nodes);
    if (limits->depth > 0)
        printf(", depth %u", limits->depth);
}

static void print_arm(const struct sy_arm *arm)
{
    printf("  %s: %s", arm->label, arm->variant->title);
    print_limits(&arm->limits);
    if (arm->player != NULL)
        printf(", played by %s", arm->player->name);
    if (arm->draw_count > 0)
        printf(", %zu parameters drawn", arm->draw_count);
    putchar('\n');
}

/* Whether a start can be drawn as asked shows only when one is drawn. */
static enum sy_status check_start(const struct sy_experiment *experiment, uint64_t number,
                                  struct sy_error *error)
{
    struct sy_game_start start;
    enum sy_status status = sy_game_draw(experiment, number, &start, error);
    sy_game_start_clear(&start);
    return status;
}

static enum sy_status check_experiment(const char *file, struct sy_error *error)
{
    struct sy_experiment *experiment;
    enum sy_status status = sy_experiment_load(file, 0, &experiment, error);
    if (status != SY_OK)
        return status;
    for (size_t i = 0; status == SY_OK && i < experiment->arm_count; i++)
        status = check_start(experiment, i * experiment->games_per_arm, error);
    if (status != SY_OK) {
        sy_experiment_free(experiment);
        return sy_fail_within(error, status, "%s", file);
    }
    printf("%s: an experiment: %s design, %" PRIu64 " games of each variant, seed %" PRIu64 "\n", file,
           sy_design_name(experiment->design), experiment->games_per_arm, experiment->seed);
    for (size_t i = 0; i < experiment->arm_count; i++)
        print_arm(&experiment->arms[i]);
    sy_experiment_free(experiment);
    return SY_OK;
}

/* ---- matches ---- */

static void print_player(const struct sy_player_spec *player)
{
    printf("  %s: ", player->name);
    if (player->kind == SY_PLAYER_OWN)
        printf("Steelyard's own engine");
    else
        printf("%s by %s", player->command[0], player->kind == SY_PLAYER_UCI ? "UCI" : "xboard's protocol");
    print_limits(&player->limits);
    if (player->move_time > 0)
        printf(", %u ms a move", player->move_time);
    putchar('\n');
}

static enum sy_status check_match(const char *file, struct sy_error *error)
{
    struct sy_match *match;
    enum sy_status status = sy_match_load(file, &match, error);
    if (status != SY_OK)
        return status;
    status = check_start(match->openings, 0, error);
    if (status == SY_OK)
        printf("%s: a match: %s against %s, %s, %" PRIu64 " games%s, seed %" PRIu64 "\n", file,
               match->player[0].name, match->player[1].name, match->variant->title, match->games,
               match->sequential ? " at most" : "", match->openings->seed);
    else
        sy_fail_within(error, status, "%s", file);
    for (int i = 0; status == SY_OK && i < 2; i++)
        print_player(&match->player[i]);
    sy_match_free(match);
    return status;
}

/* ---- whole ---- */

static enum sy_status check(const char *file, struct sy_error *error)
{
    struct sy_json_doc *doc;
    if (access(file, F_OK) != 0) /* a shipped variant, or one with a reading; else the loader says so */
        return check_variant(file, false, error);
    enum sy_status status = sy_json_read_file(file, &doc, error);
    if (status != SY_OK)
        return status;
    const struct sy_json *root = sy_json_root(doc);
    const struct sy_json *design = sy_json_member(root, "design");
    const bool is_experiment = design != NULL;
    const bool is_match =
        is_experiment && sy_json_string(design) != NULL && strcmp(sy_json_string(design), "match") == 0;
    const bool is_variant = sy_json_member(root, "board") != NULL;
    if (is_experiment == is_variant)
        status =
            sy_json_fail(doc, root, error,
                         "neither a variant, which has a 'board', nor an experiment or a match, which have a "
                         "'design'");
    sy_json_free(doc);
    if (status != SY_OK)
        return status;
    if (is_match)
        return check_match(file, error);
    return is_experiment ? check_experiment(file, error) : check_variant(file, file[0] != '/', error);
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{NULL, 0, NULL, 0}};
    opterr = 0;
    const int option = getopt_long(argc, argv, ":", options, NULL);
    if (option != -1)
        return sy_cmd_bad_option(argv, option, error);
    enum sy_status status = sy_cmd_arguments(argc, argv, 1, 1, "a variant, experiment or match file", error);
    if (status == SY_OK)
        status = check(argv[optind], error);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_check = {
    .name = "check",
    .summary = "check a variant, experiment or match file and say what it is",
    .help = "Usage: steelyard check FILE\n"
            "\n"
            "Reads a variant, experiment or match file as the other commands would, and prints\n"
            "what it describes, or the first thing that is wrong with it. Starts no program.\n",
    .run = run,
};
