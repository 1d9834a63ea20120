/* steelyard simulate: games whose results are drawn from planted values, through the same log and fit. */
#include "steelyard/cmd.h"
#include "steelyard/simulate.h"
#include "steelyard/summary.h"

#include <getopt.h>
#include <stdlib.h>

struct arguments {
    const char *file, *directory, *values;
    uint64_t games;
    bool plots;
};

static enum sy_status parse(int argc, char **argv, struct arguments *arguments, struct sy_error *error)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"values", required_argument, NULL, 'v'},
                                            {"games", required_argument, NULL, 'g'},
                                            {"no-plots", no_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    int64_t games = 0;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (option == 'o')
            arguments->directory = optarg;
        else if (option == 'v')
            arguments->values = optarg;
        else if (option == 'n')
            arguments->plots = false;
        else if (option != 'g')
            return sy_cmd_bad_option(argv, option, error);
        else if (!sy_parse_i64(optarg, 1, 100000000, &games))
            return sy_fail(error, SY_USAGE, "--games must be a whole number from 1 to 100000000, not '%s'",
                           optarg);
    }
    arguments->games = (uint64_t)games;
    arguments->file = argv[optind];
    return sy_cmd_arguments(argc, argv, 1, 1, "an experiment file", error);
}

static enum sy_status simulate(const struct sy_experiment *experiment, const struct arguments *arguments,
                               struct sy_error *error)
{
    struct sy_truth *truths = NULL;
    enum sy_status status = sy_truths_read(experiment, arguments->values, &truths, error);
    if (status == SY_OK)
        status = sy_simulate(experiment, truths, arguments->directory, error);
    free(truths);
    return status == SY_OK ? sy_summary_run(arguments->directory, arguments->plots, error) : status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct arguments arguments = {.plots = true};
    struct sy_experiment *experiment = NULL;
    enum sy_status status = parse(argc, argv, &arguments, error);
    if (status == SY_OK && arguments.directory == NULL)
        status = sy_fail(error, SY_USAGE, "simulate needs -o DIR: no run is to be taken for a played one");
    if (status == SY_OK)
        status = sy_experiment_load(arguments.file, arguments.games, &experiment, error);
    if (status == SY_OK)
        status = simulate(experiment, &arguments, error);
    sy_experiment_free(experiment);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_simulate = {
    .name = "simulate",
    .summary = "draw an experiment's results from planted values, and fit them",
    .help =
        "Usage: steelyard simulate [OPTIONS] -o DIR EXPERIMENT.json\n"
        "\n"
        "Draws the experiment's starts, plays nothing, draws each result from a model with\n"
        "planted values, and fits the log as `run` does. The log says that it is simulated.\n"
        "\n"
        "  -o, --output DIR   where it goes\n"
        "  --values FILE      what is planted (default: what the engine believes):\n"
        "                     {\"values\": {\"pawn\": 1, ...}, \"logits_per_unit\": 0.35, \"white\": 0.1,\n"
        "                      \"draws\": 0.3, \"model\": \"score\", \"amount\": 0.5}\n"
        "                     model: score, or wrong on purpose: more draws, phase, pairs, triples;\n"
        "                     \"believing\": {\"curvature\": 0.5, \"values\": {...}} in the parameters\n"
        "                     design: the logits that players lose per square of the logarithm by\n"
        "                     which a value they drew is off from these\n"
        "  --games N          games of each variant, instead of the file's number\n"
        "  --no-plots         draw no pictures\n",
    .run = run,
};
