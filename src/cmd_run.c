/* steelyard run: an experiment's games, then what they say. */
#include "steelyard/cmd.h"
#include "steelyard/harness.h"
#include "steelyard/iterate.h"
#include "steelyard/summary.h"
#include "steelyard/until.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *file, *directory; /* directory NULL: named after the file */
    uint64_t games;               /* 0: as the file says */
    unsigned threads;
    struct sy_shard shard;
    bool resume, plots;
};

/* ---- progress ---- */

struct display {
    bool terminal;
    double next; /* seconds into the run at which the next line is due, when not on a terminal */
};

static void format_duration(double seconds, char text[32])
{
    const unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, 32, "%luh%02lum", whole / 3600, whole / 60 % 60);
    else
        snprintf(text, 32, "%lum%02lus", whole / 60, whole % 60);
}

static void print_progress(const struct sy_progress *progress, const char *before, const char *after)
{
    const double played = (double)(progress->games - progress->begun_with);
    const double rate = progress->seconds > 0 ? played / progress->seconds : 0;
    char left[32] = "?";
    if (rate > 0)
        format_duration((double)(progress->total - progress->games) / rate, left);
    fprintf(stderr, "%s%" PRIu64 "/%" PRIu64 " games  %.3g games/s  ETA %s", before, progress->games,
            progress->total, rate, left);
    if (progress->finished > 0)
        fprintf(stderr, "  White %.1f%%", 100 * progress->white_points / (double)progress->finished);
    if (progress->voided > 0)
        fprintf(stderr, "  void %" PRIu64, progress->voided);
    fputs(after, stderr);
}

static void show_progress(void *context, const struct sy_progress *progress)
{
    struct display *display = context;
    if (display->terminal) {
        print_progress(progress, "\r", "\033[K");
    } else if (progress->seconds >= display->next) {
        print_progress(progress, "", "\n");
        display->next = progress->seconds + 30;
    }
}

static void show_warning(void *context, const char *message)
{
    (void)context;
    fprintf(stderr, "steelyard: warning: %s\n", message);
}

static void show_end(const struct display *display, const struct sy_progress *last, const char *directory)
{
    const uint64_t played = last->games - last->begun_with;
    if (display->terminal && played > 0)
        fputs("\r\033[K", stderr);
    if (played == 0 && last->total > 0 && last->games == last->total)
        fprintf(stderr, "%s: all %" PRIu64 " games are there already; only fitting them\n", directory,
                last->total);
    else if (played > 0)
        fprintf(stderr, "%s: %" PRIu64 " games in %.1f s, %.0f a minute\n", directory, played, last->seconds,
                (double)played * 60 / last->seconds);
}

/* ---- the command line ---- */

static bool parse_count(const char *text, int64_t max, int64_t *count)
{
    return sy_parse_i64(text, 1, max, count);
}

/* "2/3" is the second of three. */
static bool parse_shard(const char *text, struct sy_shard *shard)
{
    char copy[32];
    int64_t index, count;
    char *slash;
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    if ((slash = strchr(copy, '/')) == NULL)
        return false;
    *slash = '\0';
    if (!parse_count(slash + 1, 1000000, &count) || !parse_count(copy, count, &index))
        return false;
    *shard = (struct sy_shard){(unsigned)index - 1, (unsigned)count};
    return true;
}

static enum sy_status take_option(struct arguments *arguments, int option, char **argv,
                                  struct sy_error *error)
{
    int64_t count = 0;
    switch (option) {
    case 'o':
        arguments->directory = optarg;
        return SY_OK;
    case 't':
        if (!parse_count(optarg, 1024, &count))
            return sy_fail(error, SY_USAGE, "--threads must be a whole number from 1 to 1024, not '%s'",
                           optarg);
        arguments->threads = (unsigned)count;
        return SY_OK;
    case 'g':
        if (!parse_count(optarg, 100000000, &count))
            return sy_fail(error, SY_USAGE, "--games must be a whole number from 1 to 100000000, not '%s'",
                           optarg);
        arguments->games = (uint64_t)count;
        return SY_OK;
    case 's':
        if (!parse_shard(optarg, &arguments->shard))
            return sy_fail(error, SY_USAGE, "--shard must be PART/PARTS, such as 1/4, not '%s'", optarg);
        return SY_OK;
    case 'r':
        arguments->resume = true;
        return SY_OK;
    case 'n':
        arguments->plots = false;
        return SY_OK;
    default:
        return sy_cmd_bad_option(argv, option, error);
    }
}

static enum sy_status parse(int argc, char **argv, struct arguments *arguments, struct sy_error *error)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"games", required_argument, NULL, 'g'},
                                            {"shard", required_argument, NULL, 's'},
                                            {"resume", no_argument, NULL, 'r'},
                                            {"no-plots", no_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        enum sy_status status = take_option(arguments, option, argv, error);
        if (status != SY_OK)
            return status;
    }
    arguments->file = argv[optind];
    return sy_cmd_arguments(argc, argv, 1, 1, "an experiment file", error);
}

/* "experiments/chess-values.json" is run in "chess-values". A new string. */
static char *choose_directory(const struct arguments *arguments)
{
    if (arguments->directory != NULL)
        return sy_strdup(arguments->directory);
    const char *slash = strrchr(arguments->file, '/');
    const char *base = slash == NULL ? arguments->file : slash + 1;
    const char *suffix = strstr(base, ".json");
    const int length = suffix == NULL ? (int)strlen(base) : (int)(suffix - base);
    const char *run = suffix == NULL ? ".run" : "";
    if (arguments->shard.count == 1)
        return sy_format("%.*s%s", length, base, run);
    return sy_format("%.*s%s-part-%u-of-%u", length, base, run, arguments->shard.index + 1,
                     arguments->shard.count);
}

/* ---- running ---- */

static enum sy_status play(const struct sy_experiment *experiment, const struct arguments *arguments,
                           const char *directory, struct sy_error *error)
{
    struct display display = {isatty(STDERR_FILENO) == 1, 30};
    struct sy_progress last = {0};
    const struct sy_run_options options = {.directory = directory,
                                           .threads = arguments->threads,
                                           .shard = arguments->shard,
                                           .resume = arguments->resume,
                                           .stop = sy_cmd_catch_signals(),
                                           .progress = show_progress,
                                           .warn = show_warning,
                                           .context = &display};
    enum sy_status status = sy_run_games(experiment, &options, &last, error);
    show_end(&display, &last, directory);
    return status;
}

static enum sy_status play_and_fit(const struct sy_experiment *experiment, const struct arguments *arguments,
                                   const char *directory, struct sy_error *error)
{
    enum sy_status status = play(experiment, arguments, directory, error);
    if (status == SY_OK && arguments->shard.count == 1)
        status = sy_summary_run(directory, arguments->plots, error);
    return status;
}

/* A round, or a look. A log that is there already is gone on with, but for the first: that the user must ask
 * for. */
static enum sy_status play_round(void *context, const struct sy_experiment *round, const char *directory,
                                 struct sy_error *error)
{
    struct arguments *arguments = context;
    const enum sy_status status = play_and_fit(round, arguments, directory, error);
    arguments->resume = true;
    return status;
}

static enum sy_status play_rounds(const struct sy_experiment *experiment, struct arguments *arguments,
                                  const char *directory, struct sy_error *error)
{
    const struct sy_round_player player = {play_round, arguments};
    char *table = NULL;
    if (arguments->shard.count > 1)
        return sy_fail(error, SY_USAGE,
                       "rounds are played one after the other, so there are no parts of them");
    enum sy_status status = experiment->iterate > 0
                                ? sy_iterate(experiment, directory, &player, &table, error)
                                : sy_until(experiment, directory, &player, &table, error);
    if (status == SY_OK)
        printf("\n%s", table);
    free(table);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct arguments arguments = {.threads = processors < 1      ? 1
                                             : processors > 1024 ? 1024
                                                                 : (unsigned)processors,
                                  .shard = {0, 1},
                                  .plots = true};
    struct sy_experiment *experiment = NULL;
    enum sy_status status = parse(argc, argv, &arguments, error);
    if (status != SY_OK)
        return status;
    status = sy_experiment_load(arguments.file, arguments.games, &experiment, error);
    if (status != SY_OK)
        return status;
    char *directory = choose_directory(&arguments);
    status = experiment->iterate > 0 || experiment->until.half_width > 0
                 ? play_rounds(experiment, &arguments, directory, error)
                 : play_and_fit(experiment, &arguments, directory, error);
    free(directory);
    sy_experiment_free(experiment);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_run = {
    .name = "run",
    .summary = "play an experiment's games and weigh them",
    .help = "Usage: steelyard run [OPTIONS] EXPERIMENT.json\n"
            "\n"
            "Plays the games into DIR/games.jsonl, fits them, writes DIR/summary.json and the\n"
            "pictures in DIR/plots, and prints the table.\n"
            "\n"
            "  -o, --output DIR   where the run goes (default: the file's name without .json)\n"
            "  --threads N        games played at once (default: the number of processors)\n"
            "  --resume           go on with what DIR holds of this experiment\n"
            "  --games N          games of each variant, instead of the file's number\n"
            "  --shard I/N        play only part I of N, to be joined with `steelyard merge`\n"
            "  --no-plots         draw no pictures\n",
    .run = run,
};
