/* steelyard uci: the engine for graphical interfaces and match programs. */
#include "steelyard/cmd.h"
#include "steelyard/uci.h"

#include <getopt.h>
#include <stdio.h>

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option none[] = {{NULL, 0, NULL, 0}};
    const int option = getopt_long(argc, argv, ":", none, NULL);
    if (option != -1)
        return sy_cmd_bad_option(argv, option, error);
    enum sy_status status = sy_cmd_arguments(argc, argv, 0, 0, "no arguments", error);
    return status == SY_OK ? sy_uci_run(stdin, stdout, error) : status;
}

const struct sy_command sy_cmd_uci = {
    .name = "uci",
    .summary = "be an engine for a graphical interface or a match program",
    .help = "usage: steelyard uci\n"
            "\n"
            "Speaks the Universal Chess Interface on standard input and output. Chess, unless the option\n"
            "UCI_Variant names another shipped variant, or gives the path of a variant file. Other options:\n"
            "Hash (MiB), Threads (1), Move Overhead (milliseconds kept back a move), Clear Hash, Seed (of\n"
            "the evaluation's noise), and every engine parameter by its name, such as eval.mobility.\n",
    .run = run,
};
