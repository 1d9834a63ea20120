/* main: finds the subcommand, runs it, prints its error. The only place that prints errors or exits. */
#include "steelyard/cmd.h"
#include "steelyard/version.h"

#include <stdio.h>
#include <string.h>

static const struct sy_command *const commands[] = {
    &sy_cmd_run,    &sy_cmd_fit,   &sy_cmd_plot,   &sy_cmd_report,   &sy_cmd_compare,  &sy_cmd_tune,
    &sy_cmd_verify, &sy_cmd_merge, &sy_cmd_check,  &sy_cmd_simulate, &sy_cmd_coverage, &sy_cmd_power,
    &sy_cmd_perft,  &sy_cmd_moves, &sy_cmd_search, &sy_cmd_replay,   &sy_cmd_bench,    &sy_cmd_show,
    &sy_cmd_play,   &sy_cmd_uci,   &sy_cmd_match,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_overview(FILE *out)
{
    fputs("usage: steelyard COMMAND [OPTIONS] ARGS\n\n"
          "Weighs the pieces, and the first move, of chess variants.\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("\n'steelyard COMMAND --help' says more. Exit codes: 0 done, 1 failed, 2 used wrongly, 65 bad "
          "input.\n",
          out);
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static const struct sy_command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int unknown(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
    }
    const char *nearest = sy_nearest_word(name, names, COMMANDS);
    fprintf(stderr, "steelyard: no command '%s'%s%s%s; 'steelyard --help' lists them\n", name,
            nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return SY_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return SY_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_overview(stdout);
        return SY_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("steelyard %s (%s)\n", sy_version, sy_revision);
        return SY_OK;
    }
    const struct sy_command *command = find(argv[1]);
    if (!command) {
        return unknown(argv[1]);
    }
    if (wants_help(argc - 1, argv + 1)) {
        fputs(command->help, stdout);
        return SY_OK;
    }
    struct sy_error error = {""};
    const enum sy_status status = command->run(argc - 1, argv + 1, &error);
    if (status) {
        fprintf(stderr, "steelyard: %s\n", error.message);
    }
    return (int)status;
}
