/* steelyard power: how narrow an experiment's intervals will be, or how many games a width takes. */
#include "steelyard/cmd.h"
#include "steelyard/power.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *file, *values;
    struct sy_power_options options;
};

static bool parse_games(const char *text, struct sy_power_options *options)
{
    char *copy = sy_strdup(text), *rest = NULL;
    bool good = true;
    options->games_count = 0;
    for (char *word = strtok_r(copy, ",", &rest); good && word != NULL; word = strtok_r(NULL, ",", &rest)) {
        int64_t games = 0;
        good = options->games_count < sizeof options->games / sizeof *options->games &&
               sy_parse_i64(word, 1, 1000000000, &games);
        if (good)
            options->games[options->games_count++] = (double)games;
    }
    free(copy);
    return good && options->games_count > 0;
}

static enum sy_status parse(int argc, char **argv, struct arguments *arguments, struct sy_error *error)
{
    static const struct option options[] = {{"games", required_argument, NULL, 'g'},
                                            {"half-width", required_argument, NULL, 'w'},
                                            {"values", required_argument, NULL, 'v'},
                                            {"pilot", required_argument, NULL, 'p'},
                                            {NULL, 0, NULL, 0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (option == 'v')
            arguments->values = optarg;
        else if (option == 'p')
            arguments->options.pilot = optarg;
        else if (option == 'g' && !parse_games(optarg, &arguments->options))
            return sy_fail(error, SY_USAGE, "--games must be up to 16 numbers of games, not '%s'", optarg);
        else if (option == 'w' && !(sy_parse_double(optarg, &arguments->options.half_width) &&
                                    arguments->options.half_width > 0))
            return sy_fail(error, SY_USAGE, "--half-width must be a number above 0, not '%s'", optarg);
        else if (option == '?' || option == ':')
            return sy_cmd_bad_option(argv, option, error);
    }
    arguments->file = argv[optind];
    return sy_cmd_arguments(argc, argv, 1, 1, "an experiment file", error);
}

static enum sy_status tell(const struct sy_experiment *experiment, const struct arguments *arguments,
                           struct sy_error *error)
{
    struct sy_truth *truths = NULL;
    enum sy_status status = sy_truths_read(experiment, arguments->values, &truths, error);
    char *table = NULL;
    if (status == SY_OK)
        status = sy_power_table(experiment, truths, &arguments->options, &table, error);
    if (status == SY_OK)
        fputs(table, stdout);
    free(table);
    free(truths);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct arguments arguments = {.options = {.starts = 2000}};
    struct sy_experiment *experiment = NULL;
    enum sy_status status = parse(argc, argv, &arguments, error);
    if (status == SY_OK)
        status = sy_experiment_load(arguments.file, 0, &experiment, error);
    if (status == SY_OK && arguments.options.games_count == 0) {
        const double games = (double)experiment->games_per_arm;
        arguments.options.games_count = 3;
        arguments.options.games[0] = games / 4;
        arguments.options.games[1] = games;
        arguments.options.games[2] = games * 4;
    }
    if (status == SY_OK)
        status = tell(experiment, &arguments, error);
    sy_experiment_free(experiment);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_power = {
    .name = "power",
    .summary = "how narrow an experiment's intervals will be, before it is played",
    .help = "Usage: steelyard power [OPTIONS] EXPERIMENT.json\n"
            "\n"
            "Draws the experiment's starts and prints the half widths of the intervals to be\n"
            "expected from them. For the imbalance and first-move designs.\n"
            "\n"
            "  --games LIST     numbers of games (default: a quarter of the file's, all, four times)\n"
            "  --half-width W   also the number of games after which every value is known to\n"
            "                   within W units\n"
            "  --values FILE    what is assumed, as for `simulate` (default: what the engine\n"
            "                   believes, at 0.35 logits a unit, and 30 % draws)\n"
            "  --pilot DIR      assume what this run found, and show its own intervals beside\n"
            "                   those to be expected\n",
    .run = run,
};
