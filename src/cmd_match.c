/* steelyard match: two players against each other. */
#include "steelyard/cmd.h"
#include "steelyard/match.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct arguments {
    const char *file, *directory;
    unsigned threads;
    bool resume;
};

struct display {
    const struct sy_match *match;
    bool terminal;
    double next; /* seconds into the match at which the next line is due, when not on a terminal */
};

static void show_progress(void *context, const struct sy_match_result *result, double seconds)
{
    struct display *display = context;
    if (!display->terminal && seconds < display->next)
        return;
    display->next = seconds + 30;
    fprintf(stderr, "%s%" PRIu64 "/%" PRIu64 " games  +%" PRIu64 " =%" PRIu64 " -%" PRIu64,
            display->terminal ? "\r" : "", result->played, display->match->games, result->won, result->drawn,
            result->lost);
    if (display->match->sequential)
        fprintf(stderr, "  LLR %.2f", result->sprt.llr);
    if (result->voided > 0)
        fprintf(stderr, "  void %" PRIu64, result->voided);
    fputs(display->terminal ? "\033[K" : "\n", stderr);
}

static void show_warning(void *context, const char *message)
{
    (void)context;
    fprintf(stderr, "steelyard: warning: %s\n", message);
}

static enum sy_status parse(int argc, char **argv, struct arguments *arguments, struct sy_error *error)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"resume", no_argument, NULL, 'r'},
                                            {NULL, 0, NULL, 0}};
    int64_t threads;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (option == 'o') {
            arguments->directory = optarg;
        } else if (option == 'r') {
            arguments->resume = true;
        } else if (option == 't') {
            if (!sy_parse_i64(optarg, 1, 1024, &threads))
                return sy_fail(error, SY_USAGE, "--threads must be a whole number from 1 to 1024, not '%s'",
                               optarg);
            arguments->threads = (unsigned)threads;
        } else {
            return sy_cmd_bad_option(argv, option, error);
        }
    }
    arguments->file = argv[optind];
    if (arguments->resume && arguments->directory == NULL)
        return sy_fail(error, SY_USAGE, "--resume goes on with what is in a directory: name it with -o");
    return sy_cmd_arguments(argc, argv, 1, 1, "a match file", error);
}

static enum sy_status play(const struct sy_match *match, const struct arguments *arguments,
                           struct sy_error *error)
{
    struct display display = {match, isatty(STDERR_FILENO) == 1, 30};
    const struct sy_match_options options = {.directory = arguments->directory,
                                             .resume = arguments->resume,
                                             .threads = arguments->threads,
                                             .stop = sy_cmd_catch_signals(),
                                             .progress = show_progress,
                                             .warn = show_warning,
                                             .context = &display};
    struct sy_match_result result;
    enum sy_status status = sy_match_play(match, &options, &result, error);
    if (display.terminal)
        fputs("\r\033[K", stderr);
    if (result.played == 0)
        return status;
    char *text = sy_match_text(match, &result);
    fputs(text, stdout);
    free(text);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct arguments arguments = {.threads = processors < 1      ? 1
                                             : processors > 1024 ? 1024
                                                                 : (unsigned)processors};
    struct sy_match *match;
    enum sy_status status = parse(argc, argv, &arguments, error);
    if (status == SY_OK)
        status = sy_match_load(arguments.file, &match, error);
    if (status != SY_OK)
        return status;
    status = play(match, &arguments, error);
    sy_match_free(match);
    return status;
}

const struct sy_command sy_cmd_match = {
    .name = "match",
    .summary = "play two players against each other",
    .help = "usage: steelyard match [OPTIONS] MATCH.json\n"
            "\n"
            "Plays pairs of games with one drawn opening and colours exchanged, and prints the first\n"
            "player's score and Elo difference with intervals, the pairs by points, and, where the file\n"
            "asks for one, the sequential test that ends the match. Players are sets of engine parameters,\n"
            "or other programs by UCI or xboard's protocol; experiments/README.md describes the file.\n"
            "  -o, --output DIR   keep the games and the result in DIR/games.jsonl and DIR/match.json\n"
            "  --resume           go on with what DIR holds of this match\n"
            "  --threads N        games played at once (default: the number of processors)\n",
    .run = run,
};
