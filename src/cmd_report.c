/* steelyard report: a run as a page for people. */
#include "steelyard/cmd.h"
#include "steelyard/report.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{NULL, 0, NULL, 0}};
    char *warning = NULL;
    opterr = 0;
    const int option = getopt_long(argc, argv, ":", options, NULL);
    if (option != -1) {
        return sy_cmd_bad_option(argv, option, error);
    }
    enum sy_status status = sy_cmd_arguments(argc, argv, 1, 100, "the directory of a run", error);
    if (status != SY_OK) {
        return status;
    }
    status = sy_report_write((const char *const *)argv + optind, (size_t)(argc - optind), &warning, error);
    if (warning) {
        fprintf(stderr, "steelyard: warning: %s\n", warning);
    }
    free(warning);
    return status;
}

const struct sy_command sy_cmd_report = {
    .name = "report",
    .summary = "write a run up as a page: HTML, Markdown and CSV",
    .help = "Usage: steelyard report DIR [DIR...]\n"
            "\n"
            "Reads the summary and the games in DIR and writes DIR/report.html, one file that needs\n"
            "no other and no network; DIR/report.md, the same in Markdown; DIR/tables, its tables as\n"
            "CSV; and the pictures in DIR/plots anew. PNGs of the boards need rsvg-convert (Debian:\n"
            "librsvg2-bin).\n"
            "\n"
            "Further directories hold runs of the same game by other designs: their values are set\n"
            "beside, and the page begins with what they disagree on.\n"
            "Where DIR holds rounds of self-consistency (an experiment with \"iterate\"), the page has\n"
            "the path, and all else of the last round. With more directories, paths from other\n"
            "starts, it says whether they end at the same place.\n",
    .run = run,
};
