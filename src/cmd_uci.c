/* steelyard uci: the engine for graphical interfaces and match programs. */
#include "steelyard/cmd.h"
#include "steelyard/uci.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option none[] = {{NULL, 0, NULL, 0}};
    const int option = getopt_long(argc, argv, ":", none, NULL);
    if (option != -1)
        return sy_cmd_bad_option(argv, option, error);
    enum sy_status status = sy_cmd_arguments(argc, argv, 0, 0, "no arguments", error);
    /* Whole lines at a time, even when a terminal is on the other side. */
    setvbuf(stdout, NULL, _IOFBF, BUFFER);
    status = status ? status : sy_uci_run(STDIN_FILENO, stdout, error);
    return status ? status : sy_cmd_finish_output(error);
}

const struct sy_command sy_cmd_uci = {
    .name = "uci",
    .summary = "be an engine for a graphical interface or a match program",
    .help = "usage: steelyard uci\n"
            "\n"
            "Speaks the Universal Chess Interface on standard input and output. Chess, unless the option\n"
            "UCI_Variant names another shipped variant, or gives the path of a variant file. Other options:\n"
            "Hash (MiB), Threads (1), Move Overhead (milliseconds that a move loses on its way; up to fifty\n"
            "times as much of the clock is kept back), Ponder, Clear Hash, Seed (of the evaluation's\n"
            "noise), and every engine parameter by its name, such as eval.mobility.\n",
    .run = run,
};
