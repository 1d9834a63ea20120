/* steelyard coverage: do the intervals hold what was planted as often as they say? */
#include "steelyard/cmd.h"
#include "steelyard/coverage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *file, *output, *values;
    struct sy_coverage_options options;
};

/* "200,1000": the numbers, each checked to be within the range. */
static bool parse_list(const char *text, double low, double high, size_t *count,
                       double numbers[SY_COVERAGE_MOST])
{
    char *copy = sy_strdup(text), *rest = NULL;
    bool good = true;
    *count = 0;
    for (char *word = strtok_r(copy, ",", &rest); good && word != NULL; word = strtok_r(NULL, ",", &rest)) {
        good = *count < SY_COVERAGE_MOST && sy_parse_double(word, &numbers[*count]) &&
               numbers[*count] >= low && numbers[*count] <= high;
        ++*count;
    }
    free(copy);
    return good && *count > 0;
}

static bool parse_counts(const char *text, double low, double high, size_t *count,
                         unsigned counts[SY_COVERAGE_MOST])
{
    double numbers[SY_COVERAGE_MOST];
    const bool good = parse_list(text, low, high, count, numbers);
    for (size_t i = 0; good && i < *count; i++)
        counts[i] = (unsigned)numbers[i];
    return good;
}

static bool take_option(struct arguments *arguments, int option)
{
    struct sy_coverage_options *options = &arguments->options;
    int64_t number = 0;
    bool good = true;
    switch (option) {
    case 'o':
        arguments->output = optarg;
        return true;
    case 'v':
        arguments->values = optarg;
        return true;
    case 'g':
        return parse_counts(optarg, 2, 1000000, &options->games_count, options->games);
    case 'p':
        return parse_counts(optarg, 1, 1000, &options->positions_count, options->positions);
    case 'd':
        return parse_list(optarg, 0, 0.99, &options->draws_count, options->draws);
    case 'e':
        good = sy_parse_i64(optarg, 1, 1000000, &number);
        options->experiments = (unsigned)number;
        return good;
    case 'b':
        good = sy_parse_i64(optarg, 0, 1000000, &number);
        options->bootstrap = (unsigned)number;
        return good;
    default:
        options->rare = options->wrong = false;
        return true;
    }
}

static enum sy_status parse(int argc, char **argv, struct arguments *arguments, struct sy_error *error)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"values", required_argument, NULL, 'v'},
                                            {"games", required_argument, NULL, 'g'},
                                            {"draws", required_argument, NULL, 'd'},
                                            {"positions", required_argument, NULL, 'p'},
                                            {"experiments", required_argument, NULL, 'e'},
                                            {"bootstrap", required_argument, NULL, 'b'},
                                            {"plain", no_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (option == '?' || option == ':')
            return sy_cmd_bad_option(argv, option, error);
        if (!take_option(arguments, option))
            return sy_fail(error, SY_USAGE, "%s: '%s' is not what it takes; see 'steelyard coverage --help'",
                           argv[optind - 2], optarg);
    }
    arguments->file = argv[optind];
    return sy_cmd_arguments(argc, argv, 1, 1, "an experiment file", error);
}

static void show_row(const struct sy_json *row)
{
    const struct sy_json *truth = sy_json_member(row, "truth");
    fprintf(stderr, "%.0f games, %.0f rows a game, %.0f %% draws, %s: done\n",
            sy_json_number(sy_json_member(row, "games")), sy_json_number(sy_json_member(row, "positions")),
            100 * sy_json_number(sy_json_member(truth, "draws")),
            sy_json_string(sy_json_member(truth, "model")));
}

static enum sy_status report(const struct sy_json *study, const char *output, struct sy_error *error)
{
    char *table = sy_coverage_table(study), *text = sy_json_text(study, true);
    char *line = sy_format("%s\n", text);
    fputs(table, stdout);
    const enum sy_status status = output == NULL ? SY_OK : sy_write_file(output, line, strlen(line), error);
    free(line);
    free(text);
    free(table);
    return status;
}

static enum sy_status study(const struct sy_experiment *experiment, const struct arguments *arguments,
                            struct sy_error *error)
{
    struct sy_truth truth;
    struct sy_json *json = NULL;
    enum sy_status status = SY_OK;
    sy_truth_default(&experiment->arms[0], SY_TRUTH_LOGITS, &truth);
    if (arguments->values != NULL)
        status = sy_truth_read(&experiment->arms[0], arguments->values, &truth, error);
    if (status == SY_OK)
        status = sy_coverage_study(experiment, &truth, &arguments->options, show_row, &json, error);
    if (status == SY_OK)
        status = report(json, arguments->output, error);
    sy_json_delete(json);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct arguments arguments = {.options = {.experiments = 1000,
                                              .pool = 5000,
                                              .level = 0.95,
                                              .games_count = 3,
                                              .games = {200, 1000, 5000},
                                              .draws_count = 3,
                                              .draws = {0.05, 0.35, 0.8},
                                              .positions_count = 2,
                                              .positions = {1, 6},
                                              .rare = true,
                                              .wrong = true}};
    struct sy_experiment *experiment = NULL;
    enum sy_status status = parse(argc, argv, &arguments, error);
    if (status == SY_OK)
        status = sy_experiment_load(arguments.file, 2 * arguments.options.pool, &experiment, error);
    if (status == SY_OK) {
        arguments.options.seed = experiment->seed;
        status = study(experiment, &arguments, error);
    }
    sy_experiment_free(experiment);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_coverage = {
    .name = "coverage",
    .summary = "how often the intervals hold what was planted, over simulated experiments",
    .help = "Usage: steelyard coverage [OPTIONS] EXPERIMENT.json\n"
            "\n"
            "Simulates the experiment many times over, at several sizes, with planted values,\n"
            "and counts how often each kind of interval holds them. Imbalance design.\n"
            "\n"
            "  -o, --output FILE   also write everything as JSON\n"
            "  --values FILE       what is planted, as for `simulate`\n"
            "  --experiments N     simulated experiments of each kind (default 1000)\n"
            "  --games LIST        their sizes (default 200,1000,5000)\n"
            "  --draws LIST        shares of draws between equals (default 0.05,0.35,0.8)\n"
            "  --positions LIST    rows a game (default 1,6)\n"
            "  --bootstrap N       replicates; 0, the default, for no bootstrap intervals\n"
            "  --plain             leave out the rare piece and the wrong models\n",
    .run = run,
};
