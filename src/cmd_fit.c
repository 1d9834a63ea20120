/* steelyard fit: the numbers of a run, computed anew from its games. */
#include "steelyard/cmd.h"
#include "steelyard/summary.h"

#include <getopt.h>
#include <stddef.h>
#include <unistd.h>

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{"no-plots", no_argument, NULL, 'n'}, {NULL, 0, NULL, 0}};
    bool plots = true;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (option != 'n') {
            return sy_cmd_bad_option(argv, option, error);
        }
        plots = false;
    }
    enum sy_status status = sy_cmd_arguments(argc, argv, 1, 1, "the directory of a run", error);
    if (status == SY_OK) {
        status = sy_summary_run(argv[optind], plots, error);
    }
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_fit = {
    .name = "fit",
    .summary = "compute a run's values and intervals anew from its games",
    .help = "Usage: steelyard fit [--no-plots] DIR\n"
            "\n"
            "Reads DIR/experiment.json and DIR/games.jsonl, fits the score model, writes\n"
            "DIR/summary.json and the pictures in DIR/plots, and prints the table.\n"
            "\n"
            "  --no-plots   leave the pictures as they are\n",
    .run = run,
};
