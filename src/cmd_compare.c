/* steelyard compare: runs and their arms side by side. */
#include "steelyard/cmd.h"
#include "steelyard/report.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct files {
    const char *html, *markdown, *csv; /* where to; NULL: nowhere */
};

static enum sy_status write_file(const char *path, const char *text, struct sy_error *error)
{
    return path ? sy_write_file(path, text, strlen(text), error) : SY_OK;
}

static enum sy_status compare(char *const *directories, size_t count, const struct files *files,
                              struct sy_error *error)
{
    struct sy_comparison comparison;
    enum sy_status status = sy_compare((const char *const *)directories, count, &comparison, error);
    if (status == SY_OK) {
        status = write_file(files->html, comparison.html, error);
    }
    if (status == SY_OK) {
        status = write_file(files->markdown, comparison.markdown, error);
    }
    if (status == SY_OK) {
        status = write_file(files->csv, comparison.csv, error);
    }
    if (status == SY_OK) {
        fputs(comparison.text, stdout);
        status = sy_cmd_finish_output(error);
    }
    sy_comparison_clear(&comparison);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{"html", required_argument, NULL, 'h'},
                                            {"markdown", required_argument, NULL, 'm'},
                                            {"csv", required_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    struct files files = {NULL, NULL, NULL};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case 'h':
            files.html = optarg;
            break;
        case 'm':
            files.markdown = optarg;
            break;
        case 'c':
            files.csv = optarg;
            break;
        default:
            return sy_cmd_bad_option(argv, option, error);
        }
    }
    const enum sy_status status = sy_cmd_arguments(argc, argv, 1, 1000, "the directories of runs", error);
    return status == SY_OK ? compare(argv + optind, (size_t)(argc - optind), &files, error) : status;
}

const struct sy_command sy_cmd_compare = {
    .name = "compare",
    .summary = "runs and their arms side by side, with differences",
    .help = "Usage: steelyard compare [OPTIONS] DIR...\n"
            "\n"
            "Prints the piece values, White's score and the balance panel of every arm of every run,\n"
            "and how they differ from the first arm's, with intervals. A difference whose interval\n"
            "does not reach 0 is marked more or less.\n"
            "\n"
            "  --html FILE       write the same as a page\n"
            "  --markdown FILE   or as Markdown\n"
            "  --csv FILE        or as CSV, with all digits\n",
    .run = run,
};
