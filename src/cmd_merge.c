/* steelyard merge: one run from its parts. */
#include "steelyard/cmd.h"
#include "steelyard/harness.h"
#include "steelyard/summary.h"

#include <getopt.h>
#include <limits.h>
#include <unistd.h>

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'}, {"no-plots", no_argument, NULL, 'n'}, {NULL, 0, NULL, 0}};
    const char *directory = NULL;
    bool plots = true;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (option == 'o')
            directory = optarg;
        else if (option == 'n')
            plots = false;
        else
            return sy_cmd_bad_option(argv, option, error);
    }
    enum sy_status status =
        sy_cmd_arguments(argc, argv, 1, INT_MAX, "the directories of an experiment's parts", error);
    if (status == SY_OK && directory == NULL)
        status = sy_fail(error, SY_USAGE, "say with -o DIR where the joined run goes");
    if (status == SY_OK)
        status = sy_log_merge(directory, (const char *const *)argv + optind, (size_t)(argc - optind), error);
    if (status == SY_OK)
        status = sy_summary_run(directory, plots, error);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_merge = {
    .name = "merge",
    .summary = "join the parts of an experiment that were run with --shard",
    .help = "Usage: steelyard merge -o DIR PART ...\n"
            "\n"
            "Writes to DIR the run that the experiment would have been without --shard, to\n"
            "the byte, fits it and prints the table. Every game must be in one of the parts.\n"
            "\n"
            "  -o, --output DIR   where the joined run goes\n"
            "  --no-plots         draw no pictures\n",
    .run = run,
};
