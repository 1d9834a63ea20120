/* cmd: the subcommands. Each lives in src/cmd_<name>.c and gets its arguments without the program's name:
 * argv[0] is the command's own name, as getopt_long wants it. Data goes to stdout, progress to stderr;
 * errors come back in *error for main to print. `--help` is handled by main. */
#ifndef STEELYARD_CMD_H
#define STEELYARD_CMD_H

#include "steelyard/base.h"

#include <stdatomic.h>

struct sy_command {
    const char *name;
    const char *summary; /* one line for the list of commands */
    const char *help;    /* synopsis and options, printed for --help and after a usage error */
    enum sy_status (*run)(int argc, char **argv, struct sy_error *error);
};

extern const struct sy_command sy_cmd_perft, sy_cmd_moves, sy_cmd_replay, sy_cmd_check, sy_cmd_search,
    sy_cmd_show, sy_cmd_play, sy_cmd_bench, sy_cmd_run, sy_cmd_fit, sy_cmd_plot, sy_cmd_verify, sy_cmd_merge,
    sy_cmd_simulate, sy_cmd_coverage, sy_cmd_power, sy_cmd_uci, sy_cmd_match;

extern const struct sy_command sy_cmd_report, sy_cmd_compare, sy_cmd_tune;

/* Fails with SY_USAGE unless exactly min..max arguments are left after the options (optind on). */
SY_MUST_USE enum sy_status sy_cmd_arguments(int argc, char **argv, int min, int max, const char *what,
                                            struct sy_error *error);

/* The usage error for what getopt_long returned '?' or ':' for (call with opterr = 0). */
enum sy_status sy_cmd_bad_option(char **argv, int option, struct sy_error *error);

/* Flushes stdout and fails when anything printed was lost (a full disk, a closed pipe). */
SY_MUST_USE enum sy_status sy_cmd_finish_output(struct sy_error *error);

/* From now on SIGINT and SIGTERM are counted, in what is returned, for the work to stop at a good place. Some
 * senders signal the process and its group, so it takes a third to end the process at once. */
atomic_int *sy_cmd_catch_signals(void);

#endif
