/* steelyard verify: does a run follow from its experiment?
 *
 * Every game is replayed by the rules, the summary is computed again and compared to the byte (but for the
 * revision of the source, which another build names otherwise), and on request some games are played again.
 * Another program's games are checked as far as they can be: it may play otherwise the next time. */
#include "steelyard/cmd.h"
#include "steelyard/harness.h"
#include "steelyard/notation.h"
#include "steelyard/summary.h"
#include "steelyard/version.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the games ---- */

/* Record i stands in line i + 2. */
static enum sy_status fail_game(const char *directory, size_t index, enum sy_status status,
                                struct sy_error *error)
{
    return sy_fail_within(error, status, "%s/%s:%zu", directory, SY_LOG_FILE, index + 2);
}

static enum sy_status check_rules(const char *directory, const struct sy_experiment *experiment,
                                  const struct sy_game_log *log, struct sy_error *error)
{
    for (size_t i = 0; i < log->count; i++)
        if (sy_game_check(experiment, &log->games[i], error) != SY_OK)
            return fail_game(directory, i, SY_FAILED, error);
    if (log->cut > 0)
        return sy_fail(error, SY_FAILED, "%s/%s: ends in half a line: go on with `run --resume`", directory,
                       SY_LOG_FILE);
    return SY_OK;
}

/* ---- playing again ---- */

static enum sy_status fail_replay(const struct sy_game_log *log, const struct sy_variant *variant,
                                  const struct sy_game_record *old, const struct sy_game_record *new,
                                  struct sy_error *error)
{
    char was[SY_MOVE_TEXT], is[SY_MOVE_TEXT];
    char *version = strcmp(log->program, sy_version) == 0
                        ? sy_strdup("")
                        : sy_format(" (played by version %s, this is %s)", log->program, sy_version);
    unsigned ply = 0;
    while (ply < old->plies && ply < new->plies && old->moves[ply] == new->moves[ply])
        ply++;
    if (ply < old->plies && ply < new->plies)
        sy_fail(error, SY_FAILED, "game %" PRIu64 ": played again, ply %u is %s; the log has %s%s",
                old->number, ply + 1, sy_move_text(variant, new->moves[ply], is),
                sy_move_text(variant, old->moves[ply], was), version);
    else
        sy_fail(error, SY_FAILED,
                "game %" PRIu64 ": played again, it ends after %u plies (%s, %" PRIu64
                " nodes); in the log after %u (%s, %" PRIu64 " nodes)%s",
                old->number, new->plies, new->reason, new->nodes, old->plies, old->reason, old->nodes,
                version);
    free(version);
    return SY_FAILED;
}

static enum sy_status replay(struct sy_players *players, const struct sy_experiment *experiment,
                             const struct sy_game_log *log, const struct sy_game_record *old,
                             struct sy_error *error)
{
    struct sy_game_record new;
    enum sy_status status = sy_game_play(players, old->number, &new, error);
    if (status == SY_OK) {
        char *was = sy_log_line(experiment, old), *is = sy_log_line(experiment, &new);
        if (strcmp(was, is) != 0)
            status = fail_replay(log, experiment->arms[old->arm].variant, old, &new, error);
        free(was);
        free(is);
    }
    sy_game_record_clear(&new);
    return status;
}

/* What playing some games again has shown; another program's games may differ, ours must not. */
struct again {
    size_t asked;    /* games wanted */
    size_t own;      /* played by our engine, all the same */
    size_t programs; /* played by another program */
    size_t same;     /* of those, came out the same */
};

static enum sy_status replay_one(const char *directory, struct sy_players *players,
                                 const struct sy_experiment *experiment, const struct sy_game_log *log,
                                 size_t index, struct again *again, struct sy_error *error)
{
    const struct sy_game_record *old = &log->games[index];
    const bool own = experiment->arms[old->arm].player == NULL;
    const enum sy_status status = replay(players, experiment, log, old, error);
    again->own += own;
    again->programs += !own;
    again->same += !own && status == SY_OK;
    return own && status != SY_OK ? fail_game(directory, index, status, error) : SY_OK;
}

/* Games spread evenly over the log, void ones aside. */
static enum sy_status replay_some(const char *directory, const struct sy_experiment *experiment,
                                  const struct sy_game_log *log, struct again *again, struct sy_error *error)
{
    struct sy_players *players = sy_players_create(experiment);
    enum sy_status status = again->asked > 0 ? sy_players_try(experiment, error) : SY_OK;
    for (size_t i = 0; status == SY_OK && i < again->asked; i++) {
        const size_t index = (size_t)((double)i / (double)again->asked * (double)log->count);
        if (log->games[index].fault == NULL)
            status = replay_one(directory, players, experiment, log, index, again, error);
    }
    sy_players_free(players);
    return status;
}

/* ---- the summary ---- */

static bool names_revision(const char *line)
{
    return strncmp(line + strspn(line, " "), "\"revision\":", 11) == 0;
}

/* The first line in which two texts differ, 0 when they are the same. The line that names the revision of
 * the source may differ: another build must give the same numbers. */
static size_t differing_line(const char *one, const char *other)
{
    for (size_t line = 1; *one != '\0' || *other != '\0'; line++) {
        const size_t here = strcspn(one, "\n"), there = strcspn(other, "\n");
        const bool same = here == there && memcmp(one, other, here) == 0 && one[here] == other[there];
        if (!same && !(names_revision(one) && names_revision(other)))
            return line;
        one += here + (one[here] == '\n');
        other += there + (other[there] == '\n');
    }
    return 0;
}

static enum sy_status check_summary(const char *directory, struct sy_error *error)
{
    char *path = sy_format("%s/summary.json", directory), *stored = NULL, *computed = NULL;
    size_t length, line = 0;
    enum sy_status status = sy_read_file(path, &stored, &length, error);
    if (status == SY_OK)
        status = sy_summary_text(directory, &computed, error);
    if (status == SY_OK)
        line = strlen(stored) == length ? differing_line(stored, computed) : 1;
    if (line > 0)
        status = sy_fail(error, SY_FAILED,
                         "%s:%zu: is not what the games give: compute it with `steelyard fit`", path, line);
    free(computed);
    free(stored);
    free(path);
    return status;
}

/* ---- whole ---- */

/* What another program was free to choose cannot be checked, and that is said. */
static void print_programs(const char *directory, const struct sy_experiment *experiment,
                           const struct sy_game_log *log, const struct again *again)
{
    size_t games = 0, voids = 0;
    for (size_t i = 0; i < log->count; i++) {
        games += experiment->arms[log->games[i].arm].player != NULL;
        voids += log->games[i].fault != NULL;
    }
    if (!sy_experiment_has_program(experiment))
        return;
    printf("%s: another program played %zu of them", directory, games);
    if (voids > 0)
        printf(", of which %zu are void", voids);
    puts(": that it would choose these moves again is not checked");
    if (again->programs > 0)
        printf("%s: of %zu games that it played again now, %zu came out the same\n", directory,
               again->programs, again->same);
}

static enum sy_status verify_log(const char *directory, const struct sy_experiment *experiment,
                                 const struct sy_game_log *log, size_t wanted, struct sy_error *error)
{
    const bool part = log->shard.count > 1;
    struct again again = {.asked = wanted > log->count ? log->count : wanted};
    enum sy_status status = check_rules(directory, experiment, log, error);
    if (status == SY_OK && !part)
        status = check_summary(directory, error);
    if (status == SY_OK)
        status = replay_some(directory, experiment, log, &again, error);
    if (status != SY_OK)
        return status;
    printf("%s: %zu games%s follow the rules and the experiment\n", directory, log->count,
           log->complete ? "" : " of an unfinished run");
    if (!part)
        printf("%s: summary.json is what they give\n", directory);
    if (again.own > 0)
        printf("%s: %zu games played again came out the same\n", directory, again.own);
    print_programs(directory, experiment, log, &again);
    return SY_OK;
}

static enum sy_status verify(const char *directory, size_t again, struct sy_error *error)
{
    struct sy_experiment *experiment;
    struct sy_game_log log;
    enum sy_status status = sy_log_experiment(directory, &experiment, error);
    if (status != SY_OK)
        return status;
    status = sy_log_read(directory, experiment, &log, error);
    if (status == SY_OK)
        status = verify_log(directory, experiment, &log, again, error);
    sy_log_clear(&log);
    sy_experiment_free(experiment);
    return status;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {{"rerun", required_argument, NULL, 'r'}, {NULL, 0, NULL, 0}};
    int64_t again = 0;
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (option != 'r')
            return sy_cmd_bad_option(argv, option, error);
        if (!sy_parse_i64(optarg, 0, 100000000, &again))
            return sy_fail(error, SY_USAGE, "--rerun must be a number of games, not '%s'", optarg);
    }
    enum sy_status status = sy_cmd_arguments(argc, argv, 1, 1, "the directory of a run", error);
    if (status == SY_OK)
        status = verify(argv[optind], (size_t)again, error);
    return status == SY_OK ? sy_cmd_finish_output(error) : status;
}

const struct sy_command sy_cmd_verify = {
    .name = "verify",
    .summary = "check that a run follows from its experiment",
    .help = "Usage: steelyard verify [--rerun K] DIR\n"
            "\n"
            "Replays every game's moves through the rules, draws every start again, computes\n"
            "the summary again, and fails at the first difference.\n"
            "\n"
            "  --rerun K   also play K of the games again, spread over the run; another program\n"
            "              may play otherwise, so of its games it is only told how many came out the same\n",
    .run = run,
};
