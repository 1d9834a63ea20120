/* cmd: what the subcommands share. */
#include "steelyard/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum sy_status sy_cmd_arguments(int argc, char **argv, int min, int max, const char *what,
                                struct sy_error *error)
{
    const int left = argc - optind;
    if (left < min) {
        return sy_fail(error, SY_USAGE, "%s needs %s; see 'steelyard %s --help'", argv[0], what, argv[0]);
    }
    if (left > max) {
        return sy_fail(error, SY_USAGE, "%s: unexpected '%s'; it takes %s", argv[0], argv[optind + max],
                       what);
    }
    return SY_OK;
}

enum sy_status sy_cmd_bad_option(char **argv, int option, struct sy_error *error)
{
    const char *given = argv[optind - 1];
    return sy_fail(error, SY_USAGE,
                   option == ':' ? "%s: option '%s' needs a value" : "%s: unknown option '%s'", argv[0],
                   given);
}

enum sy_status sy_cmd_finish_output(struct sy_error *error)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return sy_fail(error, SY_FAILED, "writing the output failed: %s", strerror(errno));
    }
    return SY_OK;
}

static atomic_int signals;

static void on_signal(int number)
{
    if (atomic_fetch_add(&signals, 1) >= 2) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

atomic_int *sy_cmd_catch_signals(void)
{
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &signals;
}
