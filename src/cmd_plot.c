/* steelyard plot: the pictures of a run, drawn anew from its summary. */
#include "steelyard/cmd.h"
#include "steelyard/plot.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum sy_status draw(const char *directory, struct sy_error *error)
{
    struct sy_json_doc *doc = NULL;
    char *warning = NULL;
    char *path = sy_format("%s/summary.json", directory);
    enum sy_status status = sy_json_read_file(path, &doc, error);
    if (status == SY_OK) {
        const char *format = sy_json_string(sy_json_member(sy_json_root(doc), "format"));
        status = format && strncmp(format, "steelyard-summary-", 18) == 0
                     ? sy_plot_summary(directory, sy_json_root(doc), &warning, error)
                     : sy_json_fail(doc, sy_json_root(doc), error, "is not a summary that steelyard wrote");
    }
    if (warning) {
        fprintf(stderr, "steelyard: warning: %s\n", warning);
    }
    free(warning);
    free(path);
    sy_json_free(doc);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{NULL, 0, NULL, 0}};
    opterr = 0;
    const int option = getopt_long(argc, argv, ":", options, NULL);
    if (option != -1) {
        return sy_cmd_bad_option(argv, option, error);
    }
    const enum sy_status status = sy_cmd_arguments(argc, argv, 1, 1, "the directory of a run", error);
    return status == SY_OK ? draw(argv[optind], error) : status;
}

const struct sy_command sy_cmd_plot = {
    .name = "plot",
    .summary = "draw a run's pictures anew from its summary",
    .help = "Usage: steelyard plot DIR\n"
            "\n"
            "Reads DIR/summary.json and writes scripts, data and pictures (PNG and SVG) to\n"
            "DIR/plots. A script that was edited there is run with `gnuplot NAME.gp`.\n",
    .run = run,
};
