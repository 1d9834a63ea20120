/* steelyard tune: an evaluation for a variant, from games played of it. */
#include "steelyard/cmd.h"
#include "steelyard/tune.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *variant, *output;
    char **runs;
    int run_count;
};

static enum sy_status parse(int argc, char **argv, struct arguments *arguments, struct sy_error *error)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'}, {NULL, 0, NULL, 0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (option != 'o')
            return sy_cmd_bad_option(argv, option, error);
        arguments->output = optarg;
    }
    const enum sy_status status =
        sy_cmd_arguments(argc, argv, 2, argc, "a variant and the directories of runs", error);
    if (status != SY_OK)
        return status;
    arguments->variant = argv[optind];
    arguments->runs = argv + optind + 1;
    arguments->run_count = argc - optind - 1;
    return SY_OK;
}

static enum sy_status tell(const struct arguments *arguments, const struct sy_tuning *tuning,
                           struct sy_error *error)
{
    fprintf(stderr,
            "%zu positions of %zu games; a pawn was %.3f logits\n"
            "log loss in every tenth game, which the fit has not seen: %.5f before, %.5f after\n",
            tuning->positions, tuning->games, tuning->scale, tuning->before, tuning->after);
    char *text = sy_json_text(tuning->document, true);
    enum sy_status status = SY_OK;
    if (arguments->output) {
        char *file = sy_format("%s\n", text);
        status = sy_write_file(arguments->output, file, strlen(file), error);
        free(file);
    } else {
        puts(text);
    }
    free(text);
    return status;
}

static enum sy_status tune(const struct arguments *arguments, const struct sy_variant *variant,
                           struct sy_error *error)
{
    struct sy_params params;
    struct sy_tuning tuning = {0};
    sy_params_default(variant, &params);
    struct sy_tune *tune = sy_tune_create(variant, &params, 1);
    enum sy_status status = SY_OK;
    for (int i = 0; i < arguments->run_count && status == SY_OK; i++)
        status = sy_tune_add(tune, arguments->runs[i], error);
    if (status == SY_OK)
        status = sy_tune_fit(tune, &tuning, error);
    if (status == SY_OK)
        status = tell(arguments, &tuning, error);
    sy_json_delete(tuning.document);
    sy_tune_free(tune);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct arguments arguments = {0};
    struct sy_variant *variant = NULL;
    enum sy_status status = parse(argc, argv, &arguments, error);
    if (status == SY_OK)
        status = sy_variant_load(arguments.variant, NULL, &variant, error);
    if (status == SY_OK)
        status = tune(&arguments, variant, error);
    sy_variant_free(variant);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_tune = {
    .name = "tune",
    .summary = "fit how positions of a variant are judged to games played of it",
    .help = "Usage: steelyard tune [OPTIONS] VARIANT DIR...\n"
            "\n"
            "Takes quiet positions from the games of the runs in the directories, fits the\n"
            "terms of the evaluation to how the games ended, and prints the variant's file with\n"
            "the \"values\" and the \"evaluation\" that were found. Terms about which the games\n"
            "say little stay what they were.\n"
            "\n"
            "  -o, --output FILE   write there instead\n",
    .run = run,
};
